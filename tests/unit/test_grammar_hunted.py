"""What a search for false supersessions found, class by class, and beside each class what still supersedes."""

from __future__ import annotations

import pytest

from memstrata_integrations import GrammarExtractor
from memstrata_integrations.facts import Extraction

GRAMMAR = GrammarExtractor()


def _closes(earlier: Extraction, later: Extraction) -> bool:
    """Whether any fact of the earlier text is closed: a part of a text may not be hidden either."""
    stated = {(f.subject, f.relation, f.dimension): f.value for f in later.facts if f.object is not None}
    ended = {(f.subject, f.relation) for f in later.facts if f.object is None}
    return any(
        (f.subject, f.relation) in ended or stated.get((f.subject, f.relation, f.dimension), f.value) != f.value
        for f in earlier.facts
    )


def closes(first: str, second: str) -> bool:
    earlier, later = GRAMMAR.extract([first, second])
    return _closes(earlier, later)


ASIDES = [
    "I doubt it",
    "I think",
    "I hope",
    "I wish",
    "I dreamt",
    "I forget",
    "I am not sure",
    "I was told",
    "we hear",
    "they say",
    "she claims",
    "it seems",
    "it is said",
    "he lied",
    "Ann told me",
    "allegedly",
    "so I heard",
    "if I remember correctly",
    "that is wrong",
    "I made that up",
    "not really",
    "so the story goes",
    "don't quote me",
    "to be confirmed",
]


@pytest.mark.parametrize("aside", ASIDES)
@pytest.mark.parametrize("shape", ["{}, {}.", "{} - {}.", "{} — {}.", "{} ({}).", "{}. {}."])
def test_a_comment_behind_a_statement_takes_it_back(shape: str, aside: str) -> None:
    """A clause or a sentence of saying, thinking, wishing or lying leaves open what stands before it."""
    said = aside[0].upper() + aside[1:] if shape == "{}. {}." else aside
    assert not closes("Tom lives in Bergen.", shape.format("Tom lives in Oslo", said))
    assert not closes("The host is a1.", shape.format("The host is b1", said))


@pytest.mark.parametrize("remark", ["(unconfirmed)", "(unverified)", "(tbc)", ", I doubt it", " - they say"])
def test_a_comment_behind_a_field_takes_it_back(remark: str) -> None:
    """A line of a key and a value is taken back by the same comments as a sentence."""
    assert not closes("Port: 80", f"Port: 81 {remark}")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The host is a1.", "The host is now b1, and the port is 80."),
        ("Kite listens on port 80.", "Kite listens on port 81, and Ann owns it."),
        ("I work at Corvane.", "Good news, I work at Lumo now."),
        ("The host is a1.", "The host is b1. I think we should move on."),
    ],
)
def test_a_clause_that_states_something_of_its_own_takes_nothing_back(first: str, second: str) -> None:
    """A second clause, or a next sentence with something to say, leaves the first as it is."""
    assert closes(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Country: France\nCapital: Paris", "Country: Italy\nCapital: Rome"),
        ("City: Oslo\nAge: 21", "City: Rome\nAge: 31"),
        ("City: Oslo\nMayor: Ann Lee", "City: Rome\nMayor: Bo Ek"),
        ("Server: a1\nIP: 10.0.0.1", "Server: b1\nIP: 10.0.0.2"),
        ("Version: 1.2\nPython: 3.10", "Version: 1.3\nPython: 3.11"),
        ("Contact: Ann Lee\nPhone: 555-1234", "Contact: Bo Ek\nPhone: 555-2345"),
        ("Owner: Ann\nCar: Volvo", "Owner: Bo\nCar: Tesla"),
        ("Owner: Ann\nPort: 80", "Owner: Ann\nPort: 81"),
        ("User: ann\nEmail: a@x.no", "User: bo\nEmail: b@x.no"),
        ("Vessel: Aurora\nLength: 20 m", "Vessel: Borea\nLength: 30 m"),
    ],
)
def test_fields_of_a_record_are_of_that_record(first: str, second: str) -> None:
    """The first field of a block names it, if it can; where none can, the block gives no key."""
    assert not closes(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Country: Norway\nCapital: Oslo", "Country: Norway\nCapital: Bergen"),
        ("Server: a1\nIP: 10.0.0.1", "Server: a1\nIP: 10.0.0.2"),
        ("Ticket: 12\nStatus: open", "Ticket: 12\nStatus: closed"),
        ("Port: 80\nTimeout: 30 s", "Port: 80\nTimeout: 60 s"),
        ("timeout: 30\nretries: 3", "timeout: 60\nretries: 3"),
        ("TIMEOUT=30\nRETRIES=3", "TIMEOUT=60\nRETRIES=5"),
        ("# Kite\nOwner: Ann\nPort: 80", "# Kite\nOwner: Ann\nPort: 81"),
        ("Status: open", "Status: closed"),
    ],
)
def test_a_record_of_the_same_thing_and_a_block_of_settings_supersede(first: str, second: str) -> None:
    """A record that names itself alike, settings, and a field alone are as they were."""
    assert closes(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("- id: 1", "- id: 2"),
        ("- host: 10.0.0.1", "- host: 10.0.0.2"),
        ("- mountPath: /a", "- mountPath: /b"),
        ("- Server: a1", "- Server: b1"),
        ("# Servers\n- host: a1", "# Servers\n- host: b1"),
        ("- port: 80\n  timeout: 30", "- port: 81\n  timeout: 60"),
        ("1. Port: 80", "2. Port: 81"),
        ("hosts:\n- ip: 10.0.0.1", "hosts:\n- ip: 10.0.0.2"),
        ("steps:\n  - name: build", "steps:\n  - name: test"),
        ('[[servers]]\nport = "80"', '[[servers]]\nport = "81"'),
    ],
)
def test_an_item_of_a_list_is_one_of_several(first: str, second: str) -> None:
    """An item that does not say which one it is has no key."""
    assert not closes(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("- Port: 8000", "- Port: 9000"),
        ("- `port`: 8000", "- `port`: 9000"),
        ("# Kite\n- port: 80", "# Kite\n- port: 81"),
        ("# Kite\n1. Port: 80", "# Kite\n1. Port: 81"),
        ("# Kite\n- Host: a1", "# Kite\n- Host: b1"),
        ('[[servers]]\nname = "a1"\nport = 80', '[[servers]]\nname = "a1"\nport = 81'),
        ("- name: a1\n  port: 80", "- name: a1\n  port: 81"),
    ],
)
def test_a_line_of_documentation_and_a_named_item_supersede(first: str, second: str) -> None:
    """A bullet of prose is no item of a file, and an item with a name is told apart by it."""
    assert closes(first, second)


@pytest.mark.parametrize(
    "key",
    [
        "Figure 2",
        "Fig. 2",
        "Table 1",
        "Listing 3",
        "Section 2",
        "Chapter 4",
        "Step 1",
        "Slide 2",
        "Item 4",
        "Q1",
        "Step two",
        "Figure S1",
        "No. 1",
    ],
)
def test_a_caption_is_no_setting(key: str) -> None:
    """A word and its number in a text that cannot be seen name nothing, whatever stands behind the colon."""
    assert not closes(f"{key}: pipeline", f"{key}: results")
    assert not closes(f"{key}: 80", f"{key}: 90")


def test_the_note_of_a_text_is_no_setting() -> None:
    """A remark is not replaced by the next remark."""
    assert not closes("Note: 80", "Note: 90")


@pytest.mark.parametrize(
    "heading",
    [
        "{}:",
        "{}",
        "=== {} ===",
        "--- {} ---",
        "*{}*",
        "**{}**",
        "<h2>{}</h2>",
        "{}, Oslo",
        "// {}",
        "<!-- {} -->",
        "- {}",
    ],
)
@pytest.mark.parametrize("field", ["Port: {}", "port = {}", "  - Port: {}"])
def test_the_line_above_a_field_is_in_its_key(heading: str, field: str) -> None:
    """A short line above a field says of what it is, however it is marked up."""
    above, other = heading.format("Kite"), heading.format("Tern")
    assert not closes(f"{above}\n{field.format(80)}", f"{other}\n{field.format(81)}")


@pytest.mark.parametrize("heading", ["Kite:", "KITE", "=== Kite ===", "**Kite**", "// Kite"])
def test_a_field_under_the_same_line_supersedes(heading: str) -> None:
    """Under one and the same line a field is the same field."""
    assert closes(f"{heading}\nPort: 80", f"{heading}\nPort: 81")


def test_a_comment_behind_a_field_says_whose_it_is() -> None:
    """A name in a trailing comment tells fields apart; a remark on the value does not."""
    assert not closes("port = 80  # kite", "port = 81  # tern")
    assert not closes("port: 80 // dev", "port: 81 // prod")
    assert closes("PORT=80 # kite", "PORT=81 # kite")
    assert closes("timeout = 80", "timeout = 81  # seconds")


@pytest.mark.parametrize(
    "word", ["following", "above", "given", "respective", "corresponding", "matching", "resulting"]
)
def test_a_word_that_points_inside_a_text_makes_no_key(word: str) -> None:
    """What "the following host" is, another text says of another host."""
    assert not closes(f"The {word} host is a1.", f"The {word} host is b1.")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The host is a1.", "Only the host is b1."),
        ("Tom lives in Bergen.", "Only Tom lives in Oslo."),
        ("The host is a1.", "The host below is b1."),
        ("The host is a1.", "The host here is b1."),
    ],
)
def test_a_focus_and_a_place_in_the_text_supersede_nothing(first: str, second: str) -> None:
    """The word "only" sets a thing against others, and says nothing of a change."""
    assert not closes(first, second)


MANY = ["customer", "patient", "guest", "client", "tenant", "applicant", "order", "ticket", "invoice", "job", "record"]


@pytest.mark.parametrize("role", MANY)
def test_a_bare_role_stands_for_many(role: str) -> None:
    """A patient of another text is another patient, and so with what is theirs."""
    assert not closes(f"Our new {role} lives in Oslo.", f"Our new {role} lives in Rome.")
    assert not closes(f"The {role} is Ann Lee.", f"The {role} is Bo Ek.")
    assert not closes(f"The {role} lives in Oslo.", f"The {role} now lives in Rome.")
    assert not closes(f"The {role}'s address is 5 Elm Street.", f"The {role}'s address is 7 Oak Street.")
    assert not closes(f"The name of the {role} is Ann Lee.", f"The name of the {role} is Bo Ek.")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The session timeout is 30 minutes.", "The session timeout is 60 minutes."),
        ("The job queue limit is 100.", "The job queue limit is 200."),
        ("The request limit is 100.", "The request limit is 200."),
        ("The column for the sender is `sent_by`.", "The column for the sender is `from_id`."),
        ("The nightly build starts at 02:00.", "The nightly build starts at 03:00."),
        ("The owner of order A-12 is Ann Lee.", "The owner of order A-12 is Bo Ek."),
        ("The field that carries the order total is `a_b`.", "The field that carries the order total is `c_d`."),
    ],
)
def test_a_role_that_says_which_supersedes(first: str, second: str) -> None:
    """A compound, a name or a number tells which one is meant."""
    assert closes(first, second)


def test_the_user_is_somebody_where_metadata_says_who() -> None:
    """The words "the user" have a key in the memory of one user, and none without."""
    texts = ["The user is based in Oslo.", "The user is now based in Rome."]
    known = GRAMMAR.extract(texts, [{"user_id": "7"}] * 2)
    assert _closes(*known)
    assert not closes(*texts)


RUNS = [
    ("ID", "14", "15"),
    ("Order number", "5521", "5522"),
    ("Invoice number", "14", "15"),
    ("request id", "abc1", "abd2"),
    ("commit", "a1b2c3d", "b2c3d4e"),
    ("timestamp", "12:00", "13:00"),
    ("exit code", "0", "1"),
    ("duration", "5 s", "6 s"),
    ("elapsed", "5 s", "6 s"),
    ("uuid", "a1b2-c3", "b1b2-c3"),
    ("line number", "14", "15"),
    ("created_at", "2024-01-01", "2024-02-01"),
    ("Order status", "open", "closed"),
    ("Elapsed time", "5 s", "6 s"),
]


@pytest.mark.parametrize(("key", "first", "second"), RUNS)
@pytest.mark.parametrize("shape", ["{}: {}", "{} = {}", "{}={}", "The {} is {}."])
def test_what_numbers_a_record_is_no_state(shape: str, key: str, first: str, second: str) -> None:
    """Another number is another record, and another measurement that of another run."""
    assert not closes(shape.format(key, first), shape.format(key, second))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Phone number: 555-1234", "Phone number: 555-2345"),
        ("The access code is 4471.", "The access code is 9032."),
        ("log level = info", "log level = debug"),
        ("I live in Oslo now.", "I have moved to Rome."),
    ],
)
def test_a_number_that_one_thing_has_supersedes(first: str, second: str) -> None:
    """A phone, a door and a setting keep their number until it changes."""
    assert closes(first, second)


@pytest.mark.parametrize(
    ("subject", "full", "short"),
    [
        ("license", "the MIT license", "MIT"),
        ("license", "Apache 2.0", "Apache"),
        ("database", "Postgres 16", "Postgres"),
        ("database", "PostgreSQL", "Postgres"),
        ("broker", "Apache Kafka", "Kafka"),
        ("owner", "Ann Lee", "Ann"),
        ("base image", "docker.io/python:3.11", "python:3.11"),
        ("OS", "Ubuntu 22.04 LTS", "Ubuntu"),
    ],
)
def test_a_value_said_with_less_or_more_is_no_other_value(subject: str, full: str, short: str) -> None:
    """One value in two words, or with and without its release, leaves both texts live."""
    assert not closes(f"The {subject} is {full}.", f"The {subject} is {short}.")
    assert not closes(f"The {subject} is {short}.", f"The {subject} is {full}.")


def test_a_remark_in_brackets_is_no_other_value() -> None:
    """What stands in brackets behind a value is no part of it."""
    assert not closes("Region: eu-west-1 (Ireland)", "Region: eu-west-1")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The database is Postgres 15.", "The database is Postgres 16."),
        ("The database is Postgres.", "The database is MySQL."),
        ("The license is MIT.", "The license is Apache-2.0."),
        ("The owner is Ann Lee.", "The owner is Bo Ek."),
        ("Region: eu-west-1 (Ireland)", "Region: eu-central-1 (Frankfurt)"),
    ],
)
def test_another_value_of_the_same_grain_supersedes(first: str, second: str) -> None:
    """Values that say as much as one another are compared."""
    assert closes(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The data is stored in S3.", "The data is stored in Parquet."),
        ("The data is stored in S3.", "The data is stored in UTC."),
        ("The logs are stored in S3.", "The logs are stored in us-east-1."),
        ("The app is deployed to Kubernetes.", "The app is deployed to eu-west-1."),
        ("Kite is hosted on Hetzner.", "Kite is hosted on kite-3."),
        ("The site is hosted at Hetzner.", "The site is hosted at docs.kalmar.dev."),
        ("The app is hosted on Heroku.", "The app is hosted in Oslo."),
        ("The alert is sent to #ops.", "The alert is sent to PagerDuty."),
        ("The book is written in English.", "The book is written by Ann Lee."),
    ],
)
def test_another_complement_of_a_verb_supersedes_nothing(first: str, second: str) -> None:
    """A format, a zone, a region, a machine and a provider may all stand behind one verb."""
    assert not closes(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The data is stored in S3.", "The data is stored in GCS."),
        ("The data is stored in Parquet.", "The data is stored in Avro."),
        ("Kite is hosted on AWS.", "Kite is hosted on Azure."),
        ("Kite is hosted on kite-3.", "Kite is hosted on kite-4."),
    ],
)
def test_a_complement_of_the_same_sort_supersedes(first: str, second: str) -> None:
    """Where the sort is the same, the value has changed."""
    assert closes(first, second)


@pytest.mark.parametrize(
    ("head", "column", "name", "first", "second"),
    [
        ("Author", "Title", "Ann", "Tides", "Waves"),
        ("Country", "City", "Norway", "Oslo", "Bergen"),
        ("Product", "Size", "Shirt", "M", "L"),
        ("Method", "Path", "GET", "/a", "/b"),
        ("Team", "Member", "Kite", "Ann", "Bo"),
    ],
)
def test_a_column_of_which_a_row_has_many_supersedes_nothing(
    head: str, column: str, name: str, first: str, second: str
) -> None:
    """An author has several titles, with and without a page around the table."""
    for above in ("", "# Page\n\n"):
        table = f"{above}| {head} | {column} |\n|---|---|\n| {name} | {{}} |"
        assert not closes(table.format(first), table.format(second))


def test_a_column_of_which_a_row_has_one_supersedes() -> None:
    """A host has one port."""
    table = "| Host | Port |\n|---|---|\n| a1 | {} |"
    assert closes(table.format(80), table.format(81))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("<name>Ann</name>", "<name>Bo</name>"),
        ('"name": "ann"', '"name": "bo"'),
        ("apiVersion: v1", "apiVersion: apps/v1"),
        ("image: nginx:1.25", "image: redis:7"),
        ("image: tern/api:1.4", "image: tern/worker:1.4"),
        ("FROM python:3.11", "FROM python:3.11-slim AS test"),
        ("FROM python:3.11 AS build", "FROM python:3.12 AS test"),
        ("metadata:\n  name: kite\nspec:\n  replicas: 3", "metadata:\n  name: tern\nspec:\n  replicas: 4"),
    ],
)
def test_a_fragment_of_another_thing_supersedes_nothing(first: str, second: str) -> None:
    """Another image, another stage and another manifest are not new versions of the one before."""
    assert not closes(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("image: tern/api:1.4", "image: tern/api:1.5"),
        ("FROM python:3.11", "FROM python:3.12"),
        ("FROM python:3.11 AS build", "FROM python:3.12 AS build"),
        ("metadata:\n  name: kite\nspec:\n  replicas: 3", "metadata:\n  name: kite\nspec:\n  replicas: 4"),
    ],
)
def test_a_fragment_of_the_same_thing_supersedes(first: str, second: str) -> None:
    """The same image, stage or manifest with another value has changed."""
    assert closes(first, second)
