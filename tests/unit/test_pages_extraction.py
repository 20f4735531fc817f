"""Pages of documentation: code blocks, tables and labels under headings, and what only looks like a fact there."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter
from llama_index.core.node_parser import SentenceSplitter

from memstrata_integrations.extraction import GrammarExtractor
from memstrata_integrations.facts import Fact

EXTRACTOR = GrammarExtractor()
PAGE: Mapping[str, Any] = {"source": "docs/gateway.md"}


def facts_of(text: str, metadata: Mapping[str, Any] | None = PAGE) -> list[Fact]:
    [found] = EXTRACTOR.extract([text], [metadata])
    for fact in found.facts:
        start, end = fact.span
        assert fact.object is None or fact.object in text[start:end]
    return list(found.facts)


def of_page(text: str, metadata: Mapping[str, Any] | None = PAGE) -> list[Fact]:
    """Return the facts of code blocks and table cells."""
    return [f for f in facts_of(text, metadata) if f.rule == "row: cell" or f.rule.startswith("source:")]


def objects(text: str, metadata: Mapping[str, Any] | None = PAGE) -> list[str | None]:
    return [f.object for f in of_page(text, metadata)]


def linked(before: str, after: str) -> bool:
    """Whether one text supersedes something in another."""
    held = {(f.subject, f.relation, f.dimension): f.value for f in facts_of(before)}
    return any(
        held.get((f.subject, f.relation, f.dimension), f.value) != f.value
        for f in facts_of(after)
        if f.object is not None
    )


# -- code blocks ------------------------------------------------------------------------------

BLOCKS = {
    "yaml": ("port: 8080\nhost: db1", "8080", "9090"),
    "toml": ("[run]\nport = 8080\nhost = 'db1'", "8080", "9090"),
    "ini": ("port = 8080\nhost = db1", "8080", "9090"),
    "properties": ("server.port=8080\nserver.host=db1", "8080", "9090"),
    "env": ("PORT=8080\nHOST=db1", "8080", "9090"),
    "bash": ("export PORT=8080\nexport HOST=db1\n./run", "8080", "9090"),
    "dockerfile": ("FROM python:3.11-slim\nENV PORT=8080", "8080", "9090"),
    "requirements": ("numpy==1.26.4\nredis==5.0.1", "5.0.1", "5.0.2"),
    "text": ("PORT=8080\nHOST=db1", "8080", "9090"),
    "": ("PORT=8080\nHOST=db1", "8080", "9090"),
}


@pytest.mark.parametrize("language", BLOCKS)
@pytest.mark.parametrize("indent", ["", "   "])
def test_a_changed_value_in_a_code_block_is_the_same_fact(language: str, indent: str) -> None:
    """A block of a page is read as what it is, inside of a list item, too."""
    inside, old, new = BLOCKS[language]
    lines = [f"```{language}", *inside.split("\n"), "```"]
    text = "## Running\n\nIt is set so.\n\n" + "\n".join(indent + line for line in lines) + "\n\nThat is all.\n"
    assert linked(text, text.replace(old, new))
    assert old in objects(text)
    assert not linked(text, text.replace("## Running", "## Testing").replace(old, new))


def test_a_block_in_json_or_python_states_something_only_where_it_is_a_configuration() -> None:
    """Most of these show a call or an answer; a file name or a word nearby says otherwise."""
    json = '```json\n{"port": 8080, "host": "db1"}\n```'
    python = "```python\nPORT = 8080\n```"
    for block in (json, python, "```\nport = 8080\nhost = db1\n```"):
        assert objects(f"## Booking\n\nA booking is made so.\n\n{block}\n") == []
        assert "8080" in objects(f"## Configuration\n\n{block}\n")
        assert "8080" in objects(f"## Running\n\nThese settings are used:\n\n{block}\n")
    assert "8080" in objects(f"## Running\n\nIn `app/config.json`:\n\n{json}\n")
    assert "8080" in objects("## Running\n\n```python title=settings.py\nPORT = 8080\n```\n")


def test_a_block_that_names_its_file_is_keyed_by_it() -> None:
    """Two files may hold one name, with two values."""
    inside = [
        "```yaml\n# web.yaml\nport: 80\n```",
        "```yaml\n# api.yaml\nport: 81\n```",
    ]
    found = of_page("## Ports\n\n" + "\n\n".join(inside))
    assert [f.object for f in found] == ["80", "81"]
    assert len({f.subject for f in found}) == 2
    assert "ports/web.yaml#port" in found[0].subject
    for way in ("```yaml web.yaml\nport: 80\n```", "```yaml title=\"web.yaml\"\nport: 80\n```",
                "In `web.yaml`:\n\n```yaml\nport: 80\n```"):  # fmt: skip
        assert [f.subject for f in of_page(f"## Ports\n\n{way}\n")] == [found[0].subject]


@pytest.mark.parametrize(
    "text",
    [
        # two blocks of one section with one name
        "## Ports\n\nStaging:\n\n```yaml\nport: 80\n```\n\nProduction:\n\n```yaml\nport: 81\n```\n",
        "## Ports\n\n```yaml\nservers:\n  - port: 80\n  - port: 81\n```\n",
        "## Ports\n\n```ini\nport = 80\nport = 81\n```\n",
        "## Ports\n\n```bash\nexport PORT=80\n./a\nexport PORT=81\n./b\n```\n",
        # examples, answers, plans
        "## Ports\n\nFor example:\n\n```yaml\nport: 80\n```\n",
        "## Ports\n\nHere is a sample configuration.\n\n```yaml\nport: 80\n```\n",
        "## Ports\n\nYour file might hold this:\n\n```yaml\nport: 80\n```\n",
        "## Ports\n\nDon't do this:\n\n```yaml\nport: 80\n```\n",
        "## Ports\n\nBefore the move it was so:\n\n```yaml\nport: 80\n```\n",
        "## Ports\n\n```yaml\n# example\nport: 80\n```\n",
        "## Example\n\n```yaml\nport: 80\n```\n",
        "## Changelog\n\n```yaml\nport: 80\n```\n",
        "## Booking\n\nThe answer of the API:\n\n```json\n{\"id\": 7, \"port\": 80}\n```\n",
        "## Booking\n\n`POST /bookings` creates a draft.\n\n```json\n{\"origin\": \"NLRTM\"}\n```\n",
        "## Booking\n\n```bash\ncurl -d port=80 localhost\nPORT=80 ./run\n```\n",
        "## Settings\n\nA response to a request for the settings:\n\n```json\n{\"port\": 80}\n```\n",
        "## Formula\n\n```text\nscore = 0.6 * a + 0.4 * b\n```\n",
        "## Template\n\n```text\nShipment: KL-\nCustomer says:\n```\n",
        # what cannot be seen
        "## Ports\n\n```yaml\nport: 80\n",
        "```yaml\nport: 80\n```\n",
        "### Ports\n\n```yaml\nport: 80\n```\n",
        "```\nport: 80\n```\n\n### Ports\n",
        "port: 80\n```\n\nPorts are opened so.\n\n```yaml\nhost: db1\n```\n",
        "host = db1\n```\n\n## Ports\n\n```\nPORT=80\n",
    ],
)  # fmt: skip
def test_blocks_that_state_nothing(text: str) -> None:
    """No key where the block is an example, says two things, or stands nobody knows where."""
    assert objects(text) == []


def test_a_section_is_told_by_the_heading_after_it_as_well() -> None:
    """A piece that begins below its heading shows which section it is by the next one."""
    block = "```yaml\nport: 80\n```\n\nSome words.\n\n"
    [found] = of_page(block + "## Building\n\nMore words.\n")
    assert found.subject == "before:building#port port"
    assert of_page(block + "### Building\n\nMore words.\n") == []
    assert of_page(block + "### Steps\n\nA step.\n\n## Building\n")[0].subject == "before:steps/building#port port"
    assert of_page("### Steps\n\n" + block + "## Building\n")[0].subject == "before:building/steps#port port"
    assert of_page("## Running\n\n" + block + "## Building\n")[0].subject == "running#port port"


def test_a_page_has_to_be_told_from_others() -> None:
    """Without a source in its metadata, only a piece that shows its title has keys; all are confined to the source."""
    text = "## Ports\n\n```yaml\nport: 80\n```\n"
    for metadata in (None, {}, {"author": "Ann"}):
        assert objects(text, metadata) == []
        assert objects("# Gateway\n\n" + text, metadata) == ["80"]
    assert all(f.local for f in of_page(text))


def test_a_comment_inside_a_block_is_no_heading_of_what_follows() -> None:
    """A "# note" in YAML neither ends the section nor begins one."""
    table = "| Name | Limit |\n|---|---|\n| upload | 5 MB |\n"
    [plain] = [f for f in facts_of("## Ports\n\n" + table) if f.object == "5 MB"]
    [after] = [f for f in facts_of("## Ports\n\n```yaml\n# Notes\nport: 80\n```\n\n" + table) if f.object == "5 MB"]
    assert after.subject == plain.subject


def test_the_rest_of_a_block_that_was_cut_is_no_text() -> None:
    """A fence that names a language cannot close a block, so the bare one before it has."""
    text = "retries: 3\nThe port is 80.\n```\n\n## Limits\n\n```yaml\nsize: 5\n```\n\nThe limit of uploads is 9 MB.\n"
    assert {f.object for f in facts_of(text)} == {"5", "9 MB"}


def test_what_a_block_says_besides_keeps_the_text() -> None:
    """A text is only its facts when every line of its blocks is one."""
    [all_keyed] = EXTRACTOR.extract(["## Ports\n\n```yaml\nport: 80\nhost: db1\n```"], [PAGE])
    [more] = EXTRACTOR.extract(["## Ports\n\n```yaml\nport: 80\nsteps:\n  - run: a\n```"], [PAGE])
    assert (len(all_keyed.facts), all_keyed.prose) == (2, False)
    assert (len(more.facts), more.prose) == (1, True)


# -- tables -----------------------------------------------------------------------------------


def table(*rows: str, heading: str = "## Limits\n\n") -> str:
    head, *others = rows
    return heading + "\n".join(f"| {r} |" for r in (head, " | ".join("---" for _ in head.split("|")), *others)) + "\n"


def test_a_cell_is_a_fact_of_its_row_and_column() -> None:
    """One fact for each cell; what kind of value it holds may change."""
    before = table("Carrier | Format | Split at", "Nordkap | EDIFACT D.95B | 1,900 segments", "Alpine | XML | never")
    found = {f.object: f for f in facts_of(before)}
    assert set(found) == {"EDIFACT D.95B", "1,900 segments", "XML", "never"}
    assert found["1,900 segments"].subject.startswith("limits#nordkap.split-at ")
    assert linked(before, before.replace("1,900", "1,500"))
    assert linked(before, before.replace("never", "200 segments"))
    assert not linked(before, before.replace("1,900", "1900"))
    assert not linked(before, before.replace("Nordkap", "Sudkap").replace("1,900", "1,500"))
    assert not linked(before, before.replace("Split at", "Join at").replace("1,900", "1,500"))


@pytest.mark.parametrize("heads", ["Name | Limit | Gate", "Name | Gate | Limit"])
def test_facts_of_a_row_come_in_the_order_of_its_cells(heads: str) -> None:
    """Two cells may hold one value, and it is by their order that the stale one is found."""
    found = facts_of(table(heads, "north | 30 | 30", heading="## Ports\n\n"))
    assert [f.subject.split()[-1] for f in found] == heads.lower().split(" | ")[1:]


@pytest.mark.parametrize(
    "text",
    [
        # rows that are events, releases, ranks, periods
        table("Date | Gate | Keeper", "2024-01-05 | 5 | Ann"),
        table("Version | Gate", "v1.2 | 5 gates"),
        table("Release | Gate", "Otter | 5 gates"),
        table("Month | Gate", "January | 5 gates"),
        table("Quarter | Gate", "Q1 | 5 gates"),
        table("Gate | Cap", "January 2024 | 5 gates"),
        table("# | Gate", "1 | north"),
        table("Gate | Cap | Date", "north | 5 boats | 2024-01-05"),
        table("Gate | Cap | Changed", "north | 5 boats | last week"),
        table("Setting | Old | New", "gates | 5 boats | 6 boats"),
        table("Setting | Before | After", "gates | 5 boats | 6 boats"),
        table("Gate | Cap", "north | 5 boats", heading="## Release history\n\n"),
        table("Gate | Cap", "north | 5 boats", heading="## Examples\n\n"),
        # measurements, descriptions, lists, marks
        table("Model | Latency", "heron | 5 ms"),
        table("Model | Accuracy", "heron | 0.8"),
        table("Gate | Meaning", "north | closed at night"),
        table("Gate | Notes", "north | 5 boats"),
        table("Gate | Keepers", "north | Ann"),
        table("Gate | Keeper", "north | Ann, Bob"),
        table("Gate | Keeper", "north | Ann and Bob"),
        table("Gate | Cap", "north | about 5"),
        table("Gate | Cap", "north | -"),
        table("Gate | Cap | Lit", "north | | yes"),
        # rows that cannot be told apart, tables that are cut
        table("Gate | Cap", "north | 5 boats", "north | 6 boats"),
        table("Gate | Cap", "north | 5 boats", "**North** | 6 boats"),
        table("Gate | Cap | Cap", "north | 5 boats | 6 boats"),
        table("Gate | Cap", " | 5 boats"),
        "## Limits\n\n| north | 5 boats |\n| south | 6 boats |\n",
        table("Gate | Cap", "north | 5 boats")[:-4],
        table("Gate | Cap", "north | 5 boats", heading=""),
        table("Gate | Cap", "north | 5 boats", heading="#### Limits\n\n"),
        table("Gate | Cap", "north | 5 boats") + "\n" + table("Gate | Cap", "north | 6 boats", heading=""),
    ],
)
def test_cells_that_state_nothing(text: str) -> None:
    """No key where rows are no things, columns hold no one value, or the section cannot be seen."""
    assert objects(text) == []


def test_tables_of_one_shape_under_two_headings_never_touch() -> None:
    """The section belongs to the key of a cell."""
    one = table("Gate | Cap", "north | 5 boats", heading="## Staging\n\n")
    two = table("Gate | Cap", "north | 6 boats", heading="## Production\n\n")
    assert objects(one + "\n" + two) == ["5 boats", "6 boats"]
    assert not linked(one, two)


# -- labels -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "- **Port**: 8080", "* **Port:** 8080", "- Port — 8080", "- **Port** - 8080", "**Port** – 8080",
        "1. Port: 8080", "Port\n: 8080", "- `port`: 8080", "`port: 8080`", "- `port=8080`",
        "- `port: 8080`, for callers outside",
    ],
)  # fmt: skip
def test_a_label_with_its_value_is_a_fact_of_its_heading(line: str) -> None:
    """However the label is set off."""
    [found] = facts_of(f"# Billing service\n\nSome words.\n\n{line}\n")
    assert (found.object, "billing" in found.subject) == ("8080", True)
    [alone] = facts_of(f"## Ports\n\n{line}\n")
    assert alone.local


def test_a_heading_that_offers_something_suppresses_nothing() -> None:
    """Of what the reader may do, that is; other modals and negations make a section hypothetical."""
    for heading, count in {"Settings you may change": 1, "What you can set": 1, "What may change": 0}.items():
        assert len(facts_of(f"## {heading}\n\n- **Port**: 80\n")) == count


@pytest.mark.parametrize(
    "text",
    [
        "- Alice — ran 5 miles yesterday", "- Monday – Friday", "**Late** - see below", "Port - it depends",
        "Avoid\n`port: 80`\nwhere you can.", "- `port: 80` was wrong", "- `port: 80` and `port: 81`",
        "`a b: 80` is no key",
        "Late\n: a shipment that comes more than 8 hours after the time", "Keeper\n: Ann\n: Bob",
        "location : Vector\n    The place of the origin.", "TODO — port 80", "- [ ] Port: 80", "- Example: 80",
    ],
)  # fmt: skip
def test_labels_that_state_nothing(text: str) -> None:
    """A dash or a code span makes no field by itself."""
    assert facts_of(f"## Ports\n\n{text}\n") == []


# -- pieces of pages --------------------------------------------------------------------------

SHORT = 120  # a text of so few characters and without a heading may be a note as well, and is read as one
NAMES = ["port", "host", "max_size", "retries"]
SECTIONS = ["Staging", "Production", "Running it", "Limits", "Building", "Numbers", "Who to ask"]
SUBSECTIONS = ["Ports", "Sizes"]
WORDS = "Ships wait in line until somebody waves. Nobody minds, since the harbour has a good view of the sea."
SPLITTERS: dict[str, Callable[[int], Callable[[str], list[str]]]] = {
    "recursive": lambda size: RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=size // 6).split_text,
    "headings": lambda size: (
        lambda text: [
            d.page_content
            for d in RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=0).split_documents(
                MarkdownHeaderTextSplitter([("#", "1"), ("##", "2"), ("###", "3")], strip_headers=False).split_text(
                    text
                )
            )
        ]
    ),
    "sentences": lambda size: SentenceSplitter(chunk_size=max(size // 4, 40), chunk_overlap=10).split_text,
}


def made_block(rng: random.Random) -> str:
    names = rng.sample(NAMES, rng.randint(1, 3))
    values = [f"{rng.randint(1, 9)}0" for _ in names]
    pairs = list(zip(names, values, strict=True))
    kind = rng.choice(["yaml", "ini", "table", "items", "code", "sentences", "words", "words"])
    if kind == "words":
        return "\n\n".join([WORDS] * rng.randint(1, 3))
    if kind == "table":
        return table("Name | Cap | Limit", *(f"{n} | {v} boats | {v}" for n, v in pairs), heading="")
    if kind == "items":
        return "".join(f"- **{n}**: {v}\n" for n, v in pairs)
    if kind == "code":
        return "".join(f"`{n}: {v}`\n" for n, v in pairs)
    if kind == "sentences":
        return " ".join(f"The {n} is {v}." for n, v in pairs if n.isalpha())  # a name in code is one thing everywhere
    sign = ": " if kind == "yaml" else " = "
    return f"```{kind}\n" + "".join(f"{n}{sign}{v}\n" for n, v in pairs) + "```"


def made_page(seed: int) -> str:
    """Return a page whose sections hold much the same names, with other values."""
    rng = random.Random(seed)
    parts = ["# Gateway", WORDS]
    for section in rng.sample(SECTIONS, rng.randint(2, 5)):
        parts += [f"## {section}", *(made_block(rng) for _ in range(rng.randint(0, 2)))]
        for below in rng.sample(SUBSECTIONS, rng.randint(0, 2)):
            parts += [f"### {below}", *(made_block(rng) for _ in range(rng.randint(1, 2)))]
    return "\n\n".join(parts) + "\n"


def clashes(chunks: Sequence[str]) -> list[tuple[str, set[str]]]:
    """Return the keys that pieces of one page give two values."""
    values: dict[tuple[str, str, str], set[str]] = {}
    for chunk in chunks:
        if len(chunk) <= SHORT and not re.search("^#+ ", chunk, re.MULTILINE):
            continue
        for fact in facts_of(chunk):
            values.setdefault((fact.subject, fact.relation, fact.dimension), set()).add(fact.value)
    return [(key[0], found) for key, found in values.items() if len(found) > 1]


@example(237, "recursive", 300)
@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from(sorted(SPLITTERS)), st.sampled_from([120, 200, 300, 450, 700]))
def test_no_two_pieces_of_a_page_contradict_each_other(seed: int, splitter: str, size: int) -> None:
    """However a page is cut, none of its statements replaces another: nothing true vanishes by loading it."""
    assert clashes(SPLITTERS[splitter](size)(made_page(seed))) == []


def test_pieces_of_pages_do_have_keys() -> None:
    """What the test above asks for isn't so for want of facts."""
    found = Counter(
        f.rule for seed in range(40) for c in SPLITTERS["recursive"](450)(made_page(seed)) for f in facts_of(c)
    )
    assert {rule for rule, count in found.items() if count > 20} >= {
        "row", "row: cell", "source: key", "source: option", "line: :", "clause: is"
    }  # fmt: skip


def test_a_label_in_a_piece_without_its_heading_is_told_apart_by_the_next_one() -> None:
    """A bare field of one section never replaces that of another, wherever the page was cut."""
    item = f"{WORDS}\n\n{WORDS}\n\n- **Port**: 80\n\n"
    staging = facts_of(item + "## Production\n\nMore of it.\n")
    production = facts_of(item.replace("80", "81") + "## Building\n\nMore of it.\n")
    assert [f.object for f in (*staging, *production)] == ["80", "81"]
    assert staging[0].subject != production[0].subject
    assert facts_of(item) == []
    assert facts_of("### Ports\n\n" + item) == []
    assert [f.object for f in facts_of("- **Port**: 80")] == ["80"]
    assert [f.object for f in facts_of(item, {**PAGE, "start_index": 0})] == ["80"]


def test_headings_may_stand_in_metadata() -> None:
    """Splitters that take the headings out of the text, or leave out those above, name them there."""
    item = "- **Port**: 80\n"
    shown = facts_of(f"# Gateway\n\n## Staging\n\n{item}")
    for metadata in ({"Header 1": "Gateway", "Header 2": "Staging"}, {"header_path": "/Gateway/Staging/"}):
        [found] = facts_of(item, {**PAGE, **metadata})
        assert (found.subject, found.relation) == (shown[0].subject, shown[0].relation)
    [found] = facts_of(f"## Staging\n\n{item}", {**PAGE, "header_path": "/Gateway/"})
    assert found.subject == shown[0].subject
    block = "### Ports\n\n```yaml\nport: 80\n```\n"
    assert objects(block) == []
    assert objects(block, {**PAGE, "header_path": "/Gateway/Staging/"}) == ["80"]
