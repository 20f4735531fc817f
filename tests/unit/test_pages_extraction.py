"""Pages of documentation and pieces of them are read by what they show: headings, tables, labels, settings."""

import random
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from langchain_text_splitters import RecursiveCharacterTextSplitter
from llama_index.core.node_parser import SentenceSplitter

from memstrata_integrations.extraction import GrammarExtractor
from memstrata_integrations.ledger.facts import KeyedFact

EXTRACTOR = GrammarExtractor()
PAGE: Mapping[str, Any] = {"source": "docs/gateway.md"}


def facts_of(text: str, metadata: Mapping[str, Any] | None = PAGE) -> list[KeyedFact]:
    [found] = EXTRACTOR.extract([text], [metadata])
    facts = [f for f in found.facts if isinstance(f, KeyedFact)]
    assert all(f.object is None or f.object in text[slice(*f.span)] for f in facts)
    return facts


def keys(text: str, metadata: Mapping[str, Any] | None = PAGE) -> dict[tuple[Any, ...], str]:
    return {(f.key, f.kind): f.value for f in facts_of(text, metadata)}


def linked(before: str, after: str) -> bool:
    held = keys(before)
    return any(held.get(key, value) != value for key, value in keys(after).items())


def table(*rows: str, heading: str = "## Limits\n\n") -> str:
    head, *others = rows
    return heading + "\n".join(f"| {r} |" for r in (head, " | ".join("---" for _ in head.split("|")), *others)) + "\n"


# Each text, and what is done to it: replacements that make it another edition of itself, and those that do not
ROWS = "| north | 5 boats | 30 s |\n| south | 6 boats | 40 s |\n| west | 7 boats | 50 s |\n"
CARRIERS = table("Carrier | Split at", "Nordkap | 1,900 segments", "Alpine | 20 segments")
HOSTS = "| Host | RAM |\n{}| mercury-01 | 64 GB |\n"
REPORT = "# Bug report\n\nsystem: macOS\nbuild: 38\nreproducible: always\n"
RACK = "| Rack A | unit |\n|---|---|\n| switch | 42 |\n| firewall | 41 |\n"
Replaced = dict[str, str]
EDITIONS: dict[str, tuple[str, list[Replaced], list[Replaced]]] = {
    "rows whose head is out of sight are read by their columns": (
        ROWS, [{"40 s": "45 s"}], [{"north": "east", "30 s": "35 s"}, {ROWS: "| north | 30 boats | 60 s | x |\n"}]),
    "a cell is a fact of its row and column": (
        CARRIERS, [{"1,900": "1,500"}],
        [{"1,900": "1900"}, {"Nordkap": "Sudkap", "1,900": "1,500"}, {"Split at": "Join at", "1,900": "1,500"}]),
    **{f"a head counts with all that it says, also without a line below it: {rule!r}": (
        HOSTS.format(rule), [{"64": "96"}], [{"RAM": "RAM in use", "64": "39"}, {"RAM": "Disk", "64": "39"}],
    ) for rule in ("|---|---|\n", "")},
    # of two bug reports none is news of the other; of one that changes in a single field the other fields tell it
    "a title alone does not say which record it is": (
        REPORT, [{"38": "39"}],
        [{"38": "39", "macOS": "Fedora"}, {"38": "39", "macOS": "Fedora", "always": "sometimes"}]),
    "the head of a first column may name what a table is about": (
        RACK, [{"42": "43", "41": "40"}], [{"42": "43", "Rack A": "Rack B"}]),
    "and so may a caption": (
        f"{RACK}\nTable 1: the cellar\n", [{"42": "43"}], [{"Table 1: the cellar": "Table 2: the attic", "42": "43"}]),
    **{f"the field that names a record is no news of another: {mark!r}": (
        f"Bug report\n\n{mark}id: 17\n{mark}status: open\n", [{"open": "closed"}], [{"17": "18"}],
    ) for mark in ("", "- ")},
    # the status of one ticket is no news of another's
    "fields of a record without a name are of anything": (
        "owner: Ann\nstatus: open\n", [], [{"Ann": "Bo", "open": "closed"}]),
    "also where lines lie between": ("status: open\n\nlimit: 3\n", [], [{"3": "4"}]),
    "also where one speaks of it": ("owner: Ann\nlife: it lasts 3 days\n", [], [{"Ann": "Bo", "3": "4"}]),
    "a field that names its own thing needs no name of its record": (
        "- status: open\n  Owner of Teal: Ann\n", [{"open": "closed", "Ann": "Bo"}], []),
    "a single field is of its source": ("Status: open", [{"open": "closed"}], []),
}  # fmt: skip


def edited(text: str, replaced: Replaced) -> str:
    for old, new in replaced.items():
        assert old in text
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize("what", EDITIONS)
def test_an_edition_is_told_from_another_text(what: str) -> None:
    text, editions, others = EDITIONS[what]
    assert [linked(text, edited(text, one)) for one in editions] == [True] * len(editions)
    assert [linked(text, edited(text, one)) for one in others] == [False] * len(others)


def test_rows_without_a_head_touch_nothing_of_another_source() -> None:
    """Nobody knows what their columns are: RAM here, and disk there."""
    assert [f.object for f in facts_of(ROWS)] == ["5 boats", "30 s", "6 boats", "40 s", "7 boats", "50 s"]
    for text in (ROWS, "| mercury-01 | 64 GB |\n| Venus-2 | 32 GB |\n"):
        assert {f.confined for f in facts_of(text)} == {"bare"}


@pytest.mark.parametrize("text", [
    table("Date | Gate | Keeper", "2024-01-05 | 5 | Ann"),
    table("Gate | Cap", "north | 5 boats", heading="## Examples\n\n"), table("Gate | Keeper", "north | Ann, Bob"),
    table("Gate | Cap", "north | -"), table("Gate | Cap", "north | 5 boats", "north | 6 boats"),
    table("Gate | Cap", " | 5 boats"), "## Example\n\n```yaml\nport: 80\n```\n",
    "## Ports\n\n```python\nPORT = 80\n```\n", "## Ports\n\n```yaml\nport: 80\n```\n\n```yaml\nport: 81\n```\n",
    "## Booking\n\n```bash\ncurl -d port=80 localhost\nPORT=80 ./run\n```\n",
    "```yaml\n- status: open\n  owner: Ann\n```\n", "> Port: 80\n", "## Ports\n\nTODO — port 80\n\n- Example: 80\n",
])  # fmt: skip
def test_what_states_nothing(text: str) -> None:
    assert facts_of(text) == []


@pytest.mark.parametrize("line", [
    "- **Port**: 8080", "* **Port:** 8080", "1. Port: 8080", "- `port`: 8080", "PORT=8080", "```yaml\nport: 8080\n```",
    "```ini\nport = 8080\n```",
])  # fmt: skip
def test_a_label_with_its_value_is_a_fact_of_its_heading(line: str) -> None:
    [found] = facts_of(f"# Gateway\n\n## Staging\n\n{line}\n")
    assert (found.object, found.confined) == ("8080", "bare")
    assert linked(f"## Staging\n\n{line}\n", f"## Staging\n\n{line.replace('8080', '9090')}\n")
    if "PORT" not in line:  # a name in code is one thing everywhere
        assert not linked(f"## Staging\n\n{line}\n", f"## Production\n\n{line.replace('8080', '9090')}\n")


@pytest.mark.parametrize("heading", [
    "## v1.2.0\n\n", "## [1.2.0] - 2024-01-05\n\n", "# Changelog\n\n## Unreleased\n\n", "## 2024-01-05\n\n",
    "## Release 3.1\n\n",
])  # fmt: skip
def test_headings_of_a_changelog_belong_to_no_key(heading: str) -> None:
    """They say when, and never what: the port of the next release is the port."""
    assert keys(f"{heading}- Port: 80\n") == keys("- Port: 80\n") != {}
    said = "The timeout of the gateway is 30 s.\n"
    assert keys(heading + said) == keys(said) != {}


def test_headings_may_stand_in_metadata() -> None:
    """Splitters that take the headings out of the text name them there."""
    item = "- **Port**: 80\n"
    shown = keys(f"# Gateway\n\n## Staging\n\n{item}")
    for metadata in ({"Header 1": "Gateway", "Header 2": "Staging"}, {"header_path": "/Gateway/Staging/"}):
        assert keys(item, {**PAGE, **metadata}) == shown
    assert keys(f"## Staging\n\n{item}", {**PAGE, "header_path": "/Gateway/"}) == shown


WORDS = "Ships wait in line until somebody waves. Nobody minds, since the harbour has a good view of the sea."
SPLITTERS: dict[str, Callable[[int], Callable[[str], list[str]]]] = {
    "recursive": lambda size: RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=size // 6).split_text,
    "sentences": lambda size: SentenceSplitter(chunk_size=max(size // 4, 40), chunk_overlap=10).split_text,
}


def made_page(rng: random.Random) -> str:
    parts = ["# Gateway", WORDS]
    for section in rng.sample(["Staging", "Production", "Running it", "Building", "Who to ask"], rng.randint(2, 5)):
        parts += [f"## {section}", WORDS]
        for below in rng.sample(["Ports", "Sizes"], rng.randint(0, 2)):
            pairs = [(name, f"{rng.randint(1, 9)}0") for name in rng.sample(["port", "host", "retries"], 2)]
            parts += [f"### {below}", "".join(f"- **{name}**: {value}\n" for name, value in pairs), WORDS]
    return "\n\n".join(parts) + "\n"


def test_no_two_pieces_of_a_page_contradict_each_other() -> None:
    for seed in range(60):
        rng = random.Random(seed)
        page = made_page(rng)
        for split in SPLITTERS.values():
            values: dict[tuple[Any, ...], set[str]] = {}
            for chunk in split(rng.choice([200, 300, 450, 700]))(page):
                for key, value in keys(chunk).items():
                    values.setdefault(key, set()).add(value)
            assert all(len(found) == 1 for found in values.values()), seed


@pytest.mark.parametrize(("record", "other"), [
    ("Jar\n- sugar: 500 g\n- salt: 3 %\n", "Cake\n- sugar: 400 g\n- salt: 4 %\n"),
    ("- Car\n  - fee: 500 euros\n  - rate: 3 %\n", "- House\n  - fee: 400 euros\n  - rate: 4 %\n"),
    ("Production .env\nSIZE=500\nRATE=3\n", "Sample .env (an example)\nSIZE=400\nRATE=4\n"),
    ("cards:\n  - name: giro\n    limit: 500\n", "cards:\n  - name: savings\n    limit: 400\n"),
    ("Plan: Basic\n- fee: 500 euros\n- seats: 3\n", "Plan: Gold\n- fee: 400 euros\n- seats: 4\n"),
    ("- Tour\n  - Day 1: Voss\n    - climb: 500 m\n", "- Tour\n  - Day 2: Odda\n    - climb: 400 m\n"),
    ("Table 1: dry\n| Oak | 500 |\n| Ash | 3 |\n", "Table 2: green\n| Oak | 400 |\n| Ash | 4 |\n"),
    ("Kite:\n\nport: 500\n", "Crane:\n\nport: 400\n"),
    ("**Kite**\n\n| setting | value |\n|---|---|\n| port | 500 |\n",
     "**Crane**\n\n| setting | value |\n|---|---|\n| port | 400 |\n"),
    ("if [ $ARCH = arm ]; then\n  SIZE=500\nfi\n", "if [ $ARCH = amd ]; then\n  SIZE=400\nfi\n"),
])  # fmt: skip
def test_fields_of_a_record_are_of_what_its_title_names(record: str, other: str) -> None:
    assert linked(record, record.replace("500", "400"))
    assert not linked(record, other)


def test_rows_of_one_name_under_two_headings_are_two() -> None:
    kite, crane = (table("node | port", f"node-1 | {n}", heading=f"## {'KC'[n]}\n\n") for n in (0, 1))
    assert not linked(kite, crane)
    assert [f.object for f in facts_of(f"{kite}\n{crane}")] == ["0", "1"]
    assert linked(f"{kite}\n{crane}", kite.replace("0", "5"))


@pytest.mark.parametrize("above", ["", "## Tickets\n\n", "tickets:\n"])
@pytest.mark.parametrize("record", [
    "- {}\n  owner: Ann\n", "1. {}\n   owner: Ann\n", "- {}\n\n  owner: Ann\n", "- {}\n  - owner: Ann\n",
    "- {}\n  details:\n  - owner: Ann\n", "{}\n  owner: Ann\n",
])  # fmt: skip
def test_a_record_is_told_by_its_first_field_if_that_is_a_name(above: str, record: str) -> None:
    """Two tickets may both be open, of one kind, and of one region: none of these tells which is which."""
    for field in ("status: open", "**Owner**: Bo", "region: eu-west-1", "due date: 2024-05-01", "Priority: High"):
        told = above + record.format(field)
        assert not linked(told, told.replace("Ann", "Cy"))
    for name in ("name: giro", "**Title**: Teal", "ticket_id: T-5", "Day 1: Voss"):
        told = above + record.format(name)
        assert linked(told, told.replace("Ann", "Cy"))
        assert not linked(told, above + record.format(f"{name[:-1]}x").replace("Ann", "Cy"))


@pytest.mark.parametrize("lead", [
    "None of this is true:", "Common misconceptions:", "Outdated:", "The following are wrong:", "Before the upgrade:",
    "TODO:", "If the migration succeeds:", "Bob claimed the following:", "## Former values",
])  # fmt: skip
def test_what_stands_under_a_denial_a_condition_or_a_claim_says_nothing_of_now(lead: str) -> None:
    assert keys(f"{lead}\n\n- The Kite version is v14.\n") == {}
    assert keys("Versions:\n\n- The Kite version is v14.\n") != {}


def test_keys_of_a_long_record_are_short() -> None:
    """Its other fields count in each key, and are not in it: a record of a thousand fields is no million words."""
    found = facts_of("# Report\n\n" + "".join(f"key{n}: {n} s\n" for n in range(1_000)))
    assert len(found) == 1_000 == len({f.key for f in found})
    assert max(len(f.key[0]) for f in found) < 60


def test_of_many_fields_that_name_a_page_few_are_its_title() -> None:
    [(key, _)] = keys("user: ann\n" * 400 + "\nThe port is 80.")
    assert key[0].count("user: ann") == 6


ROOM = "# Room 12\n\n## Care\n\nOverview.\n\nThe lamp has 50 lux.\n\n### Doors\n\nThe fee is 9 euros.\n\n## Hours\n\n**Winter**\n\nThe room opens at 9:00.\n\nThe tax is 7 euros."  # noqa: E501


@pytest.mark.parametrize("size", [30, 40, 60, 90])
def test_pieces_of_one_source_told_in_one_call_stand_under_the_titles_that_a_splitter_left(size: int) -> None:
    """So they have the keys of the whole page; alone, of another source or of none, they do not know its titles."""
    pieces = RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=0).split_text(ROOM)
    assert len(pieces) > 1

    def read(*metadatas: Mapping[str, Any] | None) -> set[Any]:
        told = EXTRACTOR.extract([*pieces, "The lamp has 60 lux."], [*metadatas])
        return {f.key for e in told[:-1] for f in e.facts if isinstance(f, KeyedFact)}

    several = len(pieces) + 1
    whole = {key for key, _ in keys(ROOM)}
    assert len(whole) == 4
    assert read(*[PAGE] * several) == whole
    assert read(*[{"file_path": "a"}] * several) == whole
    for odd in ([None] * several, [{"source": str(n)} for n in range(several)], [{**PAGE, "start_index": 0}] * several):
        assert read(*odd) != whole
