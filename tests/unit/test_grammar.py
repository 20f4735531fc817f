"""The grammar extractor: what it reads, what it leaves alone, which sentences share a key."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from memstrata_integrations.canonical import canonical_subject, canonical_value
from memstrata_integrations.extraction import Extraction, Extractor, Fact, GrammarExtractor
from memstrata_integrations.extraction.statements import statements
from memstrata_integrations.relations import canonical_relation
from tests.shared_data import data_file

EXTRACTOR = GrammarExtractor()


def read(text: str) -> Extraction:
    [found] = EXTRACTOR.extract([text])
    return found


def only(text: str) -> Fact:
    found = read(text)
    stated = [fact for fact in found.facts if not fact.beside]  # "the port is now 9090" acts on "our port", too
    assert len(stated) == 1, (text, found)
    assert {fact.object for fact in found.facts} == {stated[0].object}
    assert all(not {"i", "we"}.isdisjoint(fact.subject.split()) for fact in found.facts if fact.beside)
    return stated[0]


def key(text: str) -> tuple[str, str]:
    fact = only(text)
    return fact.subject, fact.relation


# text, raw subject, raw relation, object
STATED = [
    ("The port is 8080.", "the port", "is", "8080"),
    ("the port is 8080", "the port", "is", "8080"),
    ("The log level is set to debug.", "the log level", "is set to", "debug"),
    ("MAX_RETRIES = 5", "MAX_RETRIES", "=", "5"),
    ("MAX_RETRIES=5", "MAX_RETRIES", "=", "5"),
    ("export DATABASE_URL=postgres://db:5432/app", "DATABASE_URL", "=", "postgres://db:5432/app"),
    ("port: 8080", "port", ":", "8080"),
    ("**Port:** 8080", "port", ":", "8080"),
    ("- `port`: 8080", "port", ":", "8080"),
    ("port = 8080  # the default", "port", "=", "8080"),
    ("numpy==1.26.4", "numpy", "is pinned to", "1.26.4"),
    ("requests>=2.31,<3", "requests", "is pinned to", ">=2.31,<3"),
    ("celery[redis]==5.3.0", "celery[redis]", "is pinned to", "5.3.0"),
    ("numpy is pinned to 1.26.4.", "numpy", "is pinned to", "1.26.4"),
    ("actions/checkout@v4", "actions/checkout", "is pinned to", "v4"),
    ("- uses: actions/checkout@v4", "actions/checkout", "is pinned to", "v4"),
    ("FROM python:3.12-slim AS build", "python", "is pinned to", "3.12-slim"),
    ("The client requires Python >=3.11.", "the client", "requires python", ">=3.11"),
    ("The billing service listens on port 8080.", "the billing service", "listens on", "8080"),
    ("The login endpoint is POST /v1/login.", "the login endpoint", "is", "POST /v1/login"),
    ("The response code of POST /v1/users is 201.", "the response code of POST /v1/users", "is", "201"),
    ("The timeout parameter of connect() is 30 seconds.", "the timeout of connect()", "is", "30 seconds"),
    ("max_retries defaults to 3.", "max_retries", "defaults to", "3"),
    ('The environment variable LOG_LEVEL is set to "debug".', "LOG_LEVEL", "is set to", "debug"),
    ("DATABASE_HOST is db.internal.", "DATABASE_HOST", "is", "db.internal"),
    ("The config file lives at /etc/app/config.yaml.", "the config file", "lives at", "/etc/app/config.yaml"),
    ("The API is served at https://api.example.com/v1.", "the API", "is served at", "https://api.example.com/v1"),
    ("I live at 12 Main Street.", "I", "lives at", "12 Main Street"),
    ("Alice lives in Berlin.", "Alice", "lives in", "Berlin"),
    ("Alice works for Acme.", "Alice", "works for", "Acme"),
    ("Alice reports to Bob Smith.", "Alice", "reports to", "Bob Smith"),
    ("The billing service is owned by the platform team.", "billing service", "is owned by", "platform team"),
    ("The mayor of Springfield is Lisa Simpson.", "mayor of Springfield", "is", "Lisa Simpson"),
    ("The capital of France is Paris.", "capital of France", "is", "Paris"),
    ("The default branch is `main`.", "branch", "defaults to", "main"),
    ("The release date is March 1, 2024.", "release date", "is", "March 1, 2024"),
    ("The team standup is at 9:30 am.", "team standup", "is at", "9:30 am"),
    ("The rate limit is 100 requests per minute.", "rate limit", "is", "100 requests per minute"),
    ("The price of the Pro plan is $20.", "the Pro plan", "costs", "$20"),
    ("Debug mode is enabled.", "debug mode", "is", "enabled"),
    ("The retry limit is twenty-five.", "retry limit", "is", "twenty-five"),
    ("Alice's phone number is 555-1234.", "Alice's phone", "is", "555-1234"),
    (
        "The function load_config() returns the parsed settings.",
        "function that returns the parsed settings",
        "is named",
        "load_config()",
    ),
    (
        "open pin in ui/package.json of a/b is pinned to 0.0.5.",
        "open pin in ui/package.json of a/b",
        "is pinned to",
        "0.0.5",
    ),
    (
        "INTERNAL_IPS in config/settings/local.py of owner/repo is set to ('127.0.0.1',).",
        "INTERNAL_IPS in config/settings/local.py of owner/repo",
        "is set to",
        "('127.0.0.1',)",
    ),
    (
        "URL pattern named 'x' (view views.X.as_view()) in netbox/dcim/urls.py of netbox-community/netbox "
        "is served at ^power-ports/(?P<id>\\d+)/connect/$.",
        "URL pattern named 'x' (view views.X.as_view()) in netbox/dcim/urls.py of netbox-community/netbox",
        "is served at",
        "^power-ports/(?P<id>\\d+)/connect/$",
    ),
    (
        "function in a/forms.py of b/c described as: Expand a range into a list. is named parse_range.",
        "function in a/forms.py of b/c described as: Expand a range into a list.",
        "is named",
        "parse_range",
    ),
]


@pytest.mark.parametrize(("text", "subject", "relation", "value"), STATED, ids=[s[0][:60] for s in STATED])
def test_plain_statements(text: str, subject: str, relation: str, value: str) -> None:
    """A plain statement gives one functional fact, under the key that its subject and relation give, and no prose."""
    fact = only(text)
    assert (fact.subject, fact.relation) == (canonical_subject(subject), canonical_relation(relation))
    assert fact.object == value
    assert fact.cardinality == "functional"
    assert not fact.narrative
    assert not read(text).prose


SILENT = [
    # questions
    "Is the port 8080?", "What if the port is 8080?", "The port is 8080?", "Who lives at 12 Main Street?",
    # plans, modals, conditions, hypotheses
    "The port should be 8080.", "The port will be 8080.", "We plan to set the port to 8080.",
    "The port is going to be 8080.", "If the port is 8080, restart.", "Suppose the port is 8080.",
    "If we win, the port is 8080.", "If idle, the port is 8080.",
    "The proposed port is 8080.", "The port is 8080 until Friday.",
    "The next release is 2.0.",
    # negations
    "The port is not 8080.", "The port isn't 8080.", "No port is 8080.",
    # reported speech and opinion
    "Bob said the port is 8080.", "According to Bob, the port is 8080.", "I think the port is 8080.",
    "\"The port is 8080,\" Bob wrote.", "Bob: the port is 8080", "> port: 8080", "The port is probably 8080.",
    # past
    "The port was 8080.", "The timeout was set to 5 yesterday.", "Alice lived in Berlin.",
    "The port used to be 8080.", "Alice is 5 minutes late.",
    # orders
    "Set the port to 8080.", "Make sure the port is 8080.", "Ensure X in a.py is set to 5.",

    # comparisons, approximations, ranges, parts
    "The timeout is less than 30 seconds.", "The timeout is about 30 seconds.",
    "The timeout is 30 seconds or less.", "The timeout is up to 30 seconds.", "The value is between 5 and 10.",
    "The port is 5-10.", "The retries are 3 to 5.", "The limit is 5 of 10.",
    "The temperature is 5 degrees higher.", "The release is 3 days away.", "The query is 3 times faster.",
    # classes, adjectives, members
    "Alice is a nurse.", "The query is slow.", "The car is expensive.", "Alice is American.",
    "The manager of Alice is Dutch.", "Alice's friend is Bob.", "One of the owners is Alice.",
    "The server is Linux.", "A timeout is 30 seconds.", "Alice works for a bank.", "The store is set to open.",
    "The economy is set to grow.", "Alice is 30.",
    # nothing to hold on to
    "It is 5.", "This is 3.", "That port is 8080.", "Its port is 8080.", "Your port is 8080.",
    "The result is 5.", "The one that matters is 5.", "The port there is 8080.",
    # several values
    "The supported versions are 1.2.3, 1.2.4 and 1.2.5.", "The service listens on ports 80 and 443.",
    "The service listens on port 80 and 443.", "The winner is Alice or Bob.", "The port is also 9090.",
    "The port is 8080 in staging and 9090 in production.", "The winner is Alice, Bob and Carol.",
    "Tags: red, blue", "Languages: Python", "ports: 80, 443",
    # set-valued and unknown relations
    "The service depends on Redis 7.", "Alice speaks French.", "Alice is allergic to peanuts.",
    "The box includes 5 pens.", "The client supports Python 3.11.", "Alice mirrors Bob.",
    # roles that many share
    "The function is called parse_args.", "The file is located at /tmp/a.", "The endpoint is /v1/users.",
    "The man lives in Berlin.", "The book costs $20.",
    "load_config() raises ValueError.", "The function load_config() returns None.",
    "load_config() logs the parsed settings.", "The function load_config() validates the input.",
    "load_config() returns a parsed object.",
    # programs, comments, labels, placeholders, dialogue
    "# port = 80", "// port = 80", "; port = 80", "x > 5", "if x == 5:", "return x = 5", "client = Client()",
    "x = y + 1", "def f(port=8080):", "port: int", "password: <your-password>", "port: ${PORT}", "host: TBD",
    "Status: see below", "Note: 5 GB", "TODO: port 8080", "Alice: I think it is 8080", "Bob: 5 pm", "Bob: yes",
    "- [ ] port: 8080", "[1]: https://example.com", "FLAC: Ignore subsequent blocks",
    "`version`: The version of the schema", "http://example.com: 5",
    "To: bob@example.com", "```\nport: 8080\n```", "Run it so:\n\n```yaml\nport: 8080\n```", "$ export PORT=80",
    "The party is called by Bob.",
]  # fmt: skip


@pytest.mark.parametrize("text", SILENT, ids=[s[:60] for s in SILENT])
def test_what_asserts_no_value_gives_no_fact(text: str) -> None:
    """Questions, plans, quotations, comparisons, classes, lists and the like stay prose."""
    found = read(text)
    assert found.facts == ()
    assert found.prose


SAME_KEY = [
    ("The timeout of the billing service is 30 seconds.", "The billing service's timeout is 45 s."),
    ("In staging, the billing service's port is 80.", "The port of the billing service is 81 in staging."),
    ("The port is 8080.", "The port is now 9090."),
    ("The port is 8080.", "port: 9090"),
    ("The default port is 8080.", "By default, the port is 9090."),
    ("The default port is 8080.", "The port is 9090 by default."),
    ("MAX_RETRIES is 5.", "MAX_RETRIES = 7"),
    ("LOG_LEVEL=info", 'The environment variable LOG_LEVEL is set to "debug".'),
    ("numpy==1.26.4", "numpy is pinned to 2.0.0."),
    ("The maximum number of retries is 5.", "The max number of retries is set to 7."),
    ("The mayor of Springfield is Lisa Simpson.", "Springfield's mayor is Ned Flanders."),
    ("load_config() returns the parsed settings.", "The function load_settings() returns the parsed settings."),
    ("timeout = 5 seconds", "The timeout is 6 seconds."),
    ("retries: 5", "- **Retries**: 7"),
    ("The license is MIT.", "License: Apache-2.0"),
    ("The port is 8080.", "The port is 9090, not 8080."),
    ("The port is 8080.", "Update: the port is 9090."),
    ("The default port is 8080.", "Unless told otherwise, the port is 9090."),
    ("Shelf 3 holds 40 boxes.", "Shelf 3 holds 50 boxes."),
    ("The service is currently listening on port 80.", "The service listens on port 81."),
    ("# Billing service\nport: 8080", "The billing service's port is 9090."),
    ("The timeout is 30 seconds.", "The timeout was changed from 30 to 60 seconds."),
]


@pytest.mark.parametrize(("left", "right"), SAME_KEY, ids=[p[1][:60] for p in SAME_KEY])
def test_rephrasings_share_a_key(left: str, right: str) -> None:
    """Two ways to say one fact supersede one another: the key and the dimension agree."""
    assert key(left) == key(right)
    assert only(left).dimension == only(right).dimension


OTHER_KEY = [
    ("The port is 8080 in staging.", "The port is 8080 in production."),
    ("In staging, the port is 8080.", "The port is 8080."),
    ("Shelf 3 holds 40 boxes.", "Shelf 4 holds 40 boxes."),
    ("Server A is located in Berlin.", "Server B is located in Berlin."),
    ("The US price is $5.", "Our price is $5."),
    ("The timeout for v2 is 5 s.", "The timeout for v3 is 5 s."),
    ("The read timeout is 5 s.", "The write timeout is 5 s."),
    ("The maximum size is 5 MB.", "The minimum size is 5 MB."),
    ("The distance from Berlin to Rome is 5 km.", "The distance from Rome to Berlin is 5 km."),
    ("Alice's manager is Carol.", "Alice's manager's manager is Carol."),
    ("The manager of Alice is Carol.", "The manager of Bob is Carol."),
    ("Alice Smith works for Acme.", "Alice Jones works for Acme."),
    ("Alice works for Acme.", "Alice reports to Acme."),
    ("The port for HTTP is 80.", "The port for HTTPS is 80."),
    ("numpy==1.26.4", "numpy-stubs==1.26.4"),
    ("foo==1.0; python_version < '3.8'", "foo==1.0; python_version >= '3.8'"),
    ("celery==5.3.0", "celery[redis]==5.3.0"),
    ("The timeout in a.py is 5 s.", "The timeout in b.py is 5 s."),
    ("MAX_SIZE = 5", "max_size = 5"),
    ("The timeout parameter of connect() is 5 s.", "The timeout parameter of close() is 5 s."),
    ("# Billing\nport: 80", "# Shipping\nport: 80"),
    ("## Staging\nThe billing service listens on port 80.", "## Production\nThe billing service listens on port 80."),
    ("Ticket: 12\nStatus: open", "Ticket: 13\nStatus: open"),
    ("web:\n  port: 80", "db:\n  port: 80"),
    ("[a]\nport = 80", "[b]\nport = 80"),
    ("The rate limit of GET /users is 5.", "The rate limit of POST /users is 5."),
    ("max_retries defaults to 3.", "max_retries is 3."),
    ("load_config() returns the parsed settings.", "load_config() returns the raw settings."),
    ("My phone number is 555-1234.", "Alice's phone number is 555-1234."),
    ("The Python version in the Docker image is 3.", "The Docker version in the Python image is 3."),
]


@pytest.mark.parametrize(("left", "right"), OTHER_KEY, ids=[p[1][:60] for p in OTHER_KEY])
def test_look_alikes_keep_their_keys(left: str, right: str) -> None:
    """Statements that differ in anything but the value never touch, even when they share the value."""
    assert key(left) != key(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The timeout is 30 minutes.", "The timeout is 1800 s."),
        ("The timeout is 30 minutes.", "timeout: 00:30:00"),
        ("The port is 8,080.", "port: 8080"),
        ("The release date is 2024-03-01.", "The release date is March 1, 2024."),
        ("numpy==1.26.4", "numpy is pinned to ==1.26.4."),
        ("requests>=2.31,<3", "requests <3,>=2.31".replace(" ", "")),
        ("Debug mode is enabled.", "Debug mode is on."),
        ("The upload limit is 512 MB.", "The upload limit is 0.512 GB."),
    ],
)
def test_other_units_are_a_restatement(left: str, right: str) -> None:
    """The same value in other units is the same fact, not a change."""
    first, second = only(left), only(right)
    assert (first.subject, first.relation, first.value, first.dimension) == (
        second.subject,
        second.relation,
        second.value,
        second.dimension,
    )


def test_values_of_different_kinds_do_not_compare() -> None:
    """A duration and a weekday never replace one another."""
    assert only("The window is 30 seconds.").dimension != only("The window is Monday.").dimension


@pytest.mark.parametrize(
    "text", ["port: 8080", "Status: open", "The port is 8080.", "I live at 12 Main Street.", "Our budget is $5k.",
             "The default timeout is 5 s.", "MAX_RETRIES = 5", "numpy==1.26.4", "## Configuration\nport: 8080"]
)  # fmt: skip
def test_a_subject_that_names_no_entity_is_local(text: str) -> None:
    """Two READMEs with a port each never touch."""
    assert only(text).local


@pytest.mark.parametrize(
    "text", ["The billing service's port is 8080.", "# Billing service\nport: 8080", "Alice works for Acme.",
             "The mayor of Springfield is Lisa Simpson.", "max_retries is 5.", "numpy is pinned to 1.26.4.",
             "Ticket: PROJ-12\nStatus: open", "numpy pin in requirements.txt of a/b is pinned to 1.2."]
)  # fmt: skip
def test_a_named_subject_is_not_local(text: str) -> None:
    """What another source would mean as well may be updated from there."""
    assert not only(text).local


@pytest.mark.parametrize(
    ("text", "relation", "value"),
    [
        ("numpy was bumped from 1.25.0 to 1.26.4.", "is pinned to", "1.26.4"),
        ("The timeout was changed from 5 to 10 seconds.", "is", "10 seconds"),
        ("The timeout has been increased to 60 seconds.", "is", "60 seconds"),
        ("The orders table was renamed from orders_v1 to orders_v2.", "is named", "orders_v2"),
        ("MAX_RETRIES is no longer set.", "is", None),
        ("numpy is no longer pinned.", "is pinned to", None),
    ],
)
def test_change_and_ending_are_narrative(text: str, relation: str, value: str | None) -> None:
    """A sentence of change or of ending acts on the key, and on what other words say of it, and stays as prose."""
    fact, *others = read(text).facts
    assert (fact.relation, fact.object, fact.narrative) == (relation, value, True)
    assert all((f.object, f.narrative) == (value, True) for f in others)
    assert read(text).prose


@pytest.mark.parametrize(
    "text",
    [
        "It was bumped to 2.0.",
        "If numpy is no longer pinned, run pip.",
        "The function a was renamed to b.",
        "The timeout might have been changed to 5.",
    ],
)
def test_changes_with_an_uncertain_key_are_left_alone(text: str) -> None:
    """A pronoun, a condition, one of many: no key."""
    assert read(text).facts == ()


def test_fields_take_their_record_into_the_key() -> None:
    """Identifying fields name the record; they give no fact and are no prose."""
    found = read("Ticket: 12\nStatus: open\nPriority: high\n\nTicket: 13\nStatus: closed")
    assert [(f.subject, f.object) for f in found.facts] == [
        (canonical_subject("status of ticket 12"), "open"),
        (canonical_subject("priority of ticket 12"), "high"),
        (canonical_subject("status of ticket 13"), "closed"),
    ]
    assert not found.prose


def test_items_of_a_sequence_are_records() -> None:
    """Two YAML items with a name each share no key."""
    found = read("- name: web\n  port: 80\n- name: db\n  port: 5432")
    assert [(f.subject, f.object) for f in found.facts] == [
        (canonical_subject("port of name web"), "80"),
        (canonical_subject("port of name db"), "5432"),
    ]


def test_table_rows_are_statements() -> None:
    """A row's first cell names what its other cells state; a table of measurements states nothing."""
    found = read("| Setting | Value |\n|---|---|\n| timeout | 30 s |\n| port | 8080 |")
    assert [(f.subject, f.object) for f in found.facts] == [("timeout", "30 s"), ("port", "8080")]
    assert not found.prose
    assert read("| Library | Latency |\n|---|---|\n| json | 1.3 |").facts == ()


def test_nested_keys_carry_their_path() -> None:
    """A YAML key is told apart by the keys above it; without them it is a fragment."""
    found = read("services:\n  web:\n    port: 80\n  db:\n    port: 5432")
    assert len({f.subject for f in found.facts}) == 2
    assert read("    port: 80\n").facts == ()


@pytest.mark.parametrize("heading", ["Examples", "Proposed settings", "Deprecated", "What is the port?", "Old values"])
def test_headings_can_suspend_what_is_below(heading: str) -> None:
    """What stands under an example, a proposal or a question is not asserted."""
    found = read(f"## {heading}\nport: 8080")
    assert found.facts == ()
    assert found.prose


def test_one_text_that_states_two_values_states_none() -> None:
    """Something unseen tells the two apart, so neither may retire the other."""
    assert read("port: 8080\nport: 9090").facts == ()
    assert len(read("port: 8080\nport: 8080").facts) == 2


def test_statements_cut_off_at_an_edge_give_no_key() -> None:
    """A chunk that starts or ends inside a sentence says nothing at that edge."""
    assert read("timeout is 30 seconds. The rest follows here.").facts == ()
    assert read("of the service is 30 seconds").facts == ()
    prose = "The rest of this paragraph talks at some length about other things. " * 4
    assert read(f"{prose}The timeout is 30").facts == ()
    assert len(read(f"{prose}The timeout is 30 seconds.").facts) == 1


def test_prose_beside_facts_is_seen() -> None:
    """A text is free of prose only if it says nothing but its facts; headings and bullets say nothing."""
    assert not read("# Billing\n\n- port: 8080\n- timeout: 30 s\n\n---\n").prose
    assert not read("The port is 8080. The timeout is 30 seconds.").prose
    assert read("The port is 8080. Mind the gap.").prose
    assert read("port: 8080\n# host = x").prose
    assert read("").prose
    assert not read("# Only a heading").prose


def test_spans_cover_the_statement() -> None:
    """A span is the sentence with its full stop, or the item without its bullet."""
    text = "# Billing\n- port: 8080\nThe timeout is 30 seconds. Mind the gap."
    assert [text[slice(*f.span)] for f in read(text).facts] == ["port: 8080", "The timeout is 30 seconds."]


def test_it_is_an_extractor() -> None:
    """One extraction a text, in order, whatever the metadata."""
    assert isinstance(EXTRACTOR, Extractor)
    texts = ["The port is 1.", "", "The port is 2."]
    found = EXTRACTOR.extract(texts, [{"a": 1}, None, {}])
    assert [len(e.facts) for e in found] == [1, 0, 1]
    assert found == EXTRACTOR.extract(texts)
    assert EXTRACTOR.extract([]) == []


def test_statements_tile_the_text_in_order() -> None:
    """Statements never overlap and keep the order of the text."""
    text = "# A\nThe port is 80. It is open.\n\n- a: 1\n- b: 2\n\n| x | y |\n|---|---|\n| c | 5 |\n"
    found = list(statements(text))
    assert all(left.end <= right.start for left, right in pairwise(found))


HISTORY = {
    "dependency_pin": 0.98,
    "config_value": 0.98,
    "package_version": 0.98,
    "python_requires": 0.98,
    "api_route": 0.95,
    "function_rename": 0.95,
}


@pytest.mark.parametrize(("kind", "goal"), HISTORY.items())
def test_rendered_git_history(kind: str, goal: float) -> None:
    """Rendered as sentences, real assertions give their own key and value, in one dimension for each key."""
    lines = data_file(f"git_history/{kind}.jsonl").read_text().splitlines()
    records = [r for r in map(json.loads, lines) if r["object"] is not None]
    found = EXTRACTOR.extract([f"{r['subject']} {r['relation']} {r['object']}." for r in records])
    dimensions: dict[str, set[str]] = {}
    right = 0
    for record, extraction in zip(records, found, strict=True):
        for fact in extraction.facts:
            assert fact.subject == canonical_subject(record["subject"])
            assert fact.relation == canonical_relation(record["relation"])
            assert fact.object is not None
            assert canonical_value(fact.object)[0] == canonical_value(record["object"])[0]
            dimensions.setdefault(fact.subject, set()).add(fact.dimension)
        right += len(extraction.facts) == 1 and not extraction.prose
    assert right / len(records) >= goal
    assert all(len(d) == 1 for d in dimensions.values())


def test_limits_of_two_windows_do_not_supersede() -> None:
    """So many a second and so many an hour may both hold, so they never compare."""
    second, hour, other = GrammarExtractor().extract(
        [
            "The rate limit is 10 requests per second.",
            "The rate limit is 1000 requests per hour.",
            "The rate limit is 20 requests per second.",
        ]
    )
    assert second.facts[0].dimension != hour.facts[0].dimension
    assert second.facts[0].dimension == other.facts[0].dimension
