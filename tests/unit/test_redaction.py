"""A text without its stale statements: what is left is exactly the live ones, and Markdown stays whole."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from memstrata_integrations.redaction.text import SUPERSEDED, Stated, annotate, matches, redact


def stale(text: str, statement: str, value: str = "", *, live: bool = False) -> Stated:
    """Return the fact of a statement that stands once in a text."""
    assert text.count(statement) == 1, statement
    start = text.index(statement)
    return Stated((start, start + len(statement)), value or statement.split()[-1].strip("."), live)


PAGE = """# Gateway

The gateway listens on port 8443. It was
written in Go. **The owner is Ann.** Deploys
happen on Monday.

Facts:

- port: 80
- host: db1
  - replica: db2
1. one
2. two

| name | port |
|------|------|
| a | 1 |
| b | 2 |

```yaml
timeout: 30
```

End.
"""


@pytest.mark.parametrize(
    ("statements", "want"),
    [
        (["The gateway listens on port 8443."], PAGE.replace("The gateway listens on port 8443. ", "")),
        (["The owner is Ann."], PAGE.replace("**The owner is Ann.** ", "")),
        (["- port: 80"], PAGE.replace("- port: 80\n", "")),
        (["port: 80"], PAGE.replace("- port: 80\n", "")),
        (["host: db1"], PAGE.replace("host: db1", SUPERSEDED)),
        (["host: db1", "replica: db2"], PAGE.replace("- host: db1\n  - replica: db2\n", "")),
        (["| a | 1 |"], PAGE.replace("| a | 1 |\n", "")),
        (
            ["| a | 1 |", "| b | 2 |"],
            PAGE.replace("| name | port |\n|------|------|\n| a | 1 |\n| b | 2 |\n\n", ""),
        ),
        (["timeout: 30"], PAGE.replace("```yaml\ntimeout: 30\n```\n\n", "")),
        (["End."], PAGE.replace("\nEnd.\n", "")),
    ],
)
def test_a_line_goes_with_the_statement_that_it_held(statements: list[str], want: str) -> None:
    assert redact(PAGE, [stale(PAGE, s) for s in statements]) == want


@pytest.mark.parametrize(
    ("text", "facts", "want"),
    [
        ("It is on 80 and ends at 30 s.", [("80", False), ("30 s", True)], "It is on [superseded] and ends at 30 s."),
        ("The API is on 80; the UI is on 90.", [("80", False), ("90", True)], "The UI is on 90."),
        ("The API is on 80, and the UI is on 90.", [("80", True), ("90", False)], "The API is on 80."),
        ("The API is on 80; restart it weekly.", [("80", False)], "Restart it weekly."),
        ("The API is on 80; the UI is on 80.", [("80", False), ("80", True)], "The UI is on 80."),
        ("It maps 80 to 80.", [("80", False), ("80", True)], "It maps [superseded] to 80."),
        ("| api | 80 | 30 s |", [("80", False), ("30 s", True)], "| api | [superseded] | 30 s |"),
        ("The port 80, once more 80, is 80 s.", [("80", False), ("80 s", True)], None),
    ],
)  # fmt: skip
def test_a_statement_with_a_live_fact_keeps_it(text: str, facts: list[tuple[str, bool]], want: str | None) -> None:
    found = redact(text, [Stated((0, len(text)), value, live) for value, live in facts])
    if want is not None:
        assert found == want
    assert all(value in found for value, live in facts if live)


@pytest.mark.parametrize(
    ("text", "cut", "want"),
    [
        ("**Note: the port is 80. It is open.**", "Note: the port is 80.", "**It is open.**"),
        ("**Note. The port is 80.** It is open.", "The port is 80.**", "**Note.** It is open."),
        ("One.\n\nThe port is 80.\n\nTwo.", "The port is 80.", "One.\n\nTwo."),
        ("The port is 80.\n\nTwo.", "The port is 80.", "Two."),
        ("One.\n\nThe port is 80.", "The port is 80.", "One."),
        ("One. The port\nis 80. Two.", "The port\nis 80.", "One.\nTwo."),
        ("One.\nThe port\nis 80.\nTwo.", "The port\nis 80.", "One.\nTwo."),
        ("> The port is 80.\n> Two.", "The port is 80.", "> Two."),
        ("- [x] port: 80\n- [ ] two", "port: 80", "- [ ] two"),
        ("1. The port is 80. Two.", "The port is 80.", "1. Two."),
        ("One.  \nThe port is 80.", "The port is 80.", "One.  "),
    ],
)
def test_what_is_left_reads_on(text: str, cut: str, want: str) -> None:
    assert redact(text, [stale(text, cut, "80")]) == want


def cut(text: str, *statements: str) -> str:
    """Return a text without statements that each stand in it once."""
    return redact(text, [stale(text, s) for s in statements])


PORT = "The port is 80."


@pytest.mark.parametrize(
    ("text", "gone", "want"),
    [
        ("Deploys run (The port is 80.) daily.", PORT, "Deploys run daily."),
        ("Deploys run (the port is 80).", "the port is 80", "Deploys run."),
        ("(See it. The port is 80.) Next.", f"{PORT})", "(See it.) Next."),
        ("(The port is 80. See it.) Next.", f"({PORT}", "(See it.) Next."),
        ("“The port is 80.” Next.", PORT, "Next."),
        ('See. "The port is 80." Next.', PORT, "See. Next."),
        ("See. [The port is 80.](http://x/y) Next.", PORT, "See. Next."),
        ("See. [The port is 80.][ref] Next.", PORT, "See. Next."),
        ("[See this. The port is 80.](http://x) Next.", f"{PORT}](http://x)", "[See this.](http://x) Next."),
        ("***The port is 80.*** Next.", PORT, "Next."),
        ("~~The port is 80.~~ Next.", PORT, "Next."),
        ("*Ask Ann. The port is 80.* Next.", f"{PORT}*", "*Ask Ann.* Next."),
        ("**The port is 80. Ask Ann.** Next.", f"**{PORT}", "**Ask Ann.** Next."),
        ("**Ask\nAnn. The port is 80.**\nNext.", f"{PORT}**", "**Ask\nAnn.**\nNext."),
        ("`The port is 80.` Next.", PORT, "Next."),
        ("<b>The port is 80.</b> Next.", PORT, "Next."),
        ("See. The port is 80.[^1] Next.", PORT, "See. Next."),
        ("The users' cat. The port is 80. Don't.", PORT, "The users' cat. Don't."),
        ("It takes *args. The port is 80. See *b*.", PORT, "It takes *args. See *b*."),
        ("Start. The port is 80. .NET runs.", "The port is 80", "Start. .NET runs."),
        ("We meet at noon; the room is 12.", "the room is 12", "We meet at noon."),
        ("We meet at noon; the room is 12.", "the room is 12.", "We meet at noon."),
        ("- <i>The port is 80.</i>\n- b", PORT, "- b"),
    ],
)
def test_what_stood_around_a_part_of_a_line_goes_or_stays_in_pairs(text: str, gone: str, want: str) -> None:
    assert cut(text, gone) == want


@pytest.mark.parametrize(
    ("text", "gone", "value", "want"),
    [
        ("The fee is 9 euro and is due.", "The fee is 9 euro", "9 euro", "The fee is [superseded] and is due."),
        ("Wait for 30 s, then go.", "Wait for 30 s", "30 s", "Wait for [superseded], then go."),
        ("The port is 80 (as of May).", "The port is 80", "80", "The port is [superseded] (as of May)."),
        ("Ports go by path, and the longest wins.", "Ports go by path", "path", "The longest wins."),
        ("The port is 80; Ann knows.", "The port is 80", "80", "Ann knows."),
        ("The limit is 5\nper day.", "The limit is 5", "5", "The limit is [superseded]\nper day."),
    ],
)  # fmt: skip
def test_the_rest_of_a_sentence_is_no_torso(text: str, gone: str, value: str, want: str) -> None:
    assert redact(text, [stale(text, gone, value)]) == want


@pytest.mark.parametrize(
    ("text", "gone", "want"),
    [
        ('{\n  "name": "x",\n  "port": 80\n}\n', ['"port": 80'], '{\n  "name": "x"\n}\n'),
        ('{\n  "port": 80,\n  "name": "x"\n}\n', ['"port": 80'], '{\n  "name": "x"\n}\n'),
        ('{"a": 1, "port": 80, "c": 3}', ['"port": 80'], '{"a": 1, "c": 3}'),
        ('{"a": 1, "port": 80, "c": 3}', ['"port": 80', '"c": 3'], '{"a": 1}'),
        ('{"a": 1, "port": 80, "c": 3}', ['"a": 1', '"port": 80'], '{"c": 3}'),
        ('```json\n{\n  "port": 80\n}\n```\n\nEnd.', ['"port": 80'], "End."),
        ("f(a=1, port=80)", ["port=80"], "f(a=1)"),
        ("f(\n    a=1,\n    port=80,\n)", ["port=80,"], "f(\n    a=1,\n)"),
        ("CREATE TABLE t (\n  a int,\n  b int\n);", ["b int"], "CREATE TABLE t (\n  a int\n);"),
        ("```yaml\nserver:\n  port: 80\nname: x\n```", ["port: 80"], "```yaml\nname: x\n```"),
        ("```yaml\na:\n  b:\n    c: 80\n```\n\nEnd.", ["c: 80"], "End."),
        ("ports:\n- port: 80\nname: x\n", ["port: 80"], "name: x\n"),
        ("list:\n  - name: a\n    size: 3\n", ["name: a"], "list:\n  - size: 3\n"),
        ("---\nport: 80\n---\n\n# Top\n", ["port: 80"], "# Top\n"),
        ("```sh\nrun \\\n  -p 80 \\\n  --name x\n```", ["--name x"], "```sh\nrun \\\n  -p 80\n```"),
        ("```sh\nrun \\\n  -p 80 \\\n  --name x\n```", ["-p 80 \\"], "```sh\nrun \\\n  --name x\n```"),
        ("[server]\nport = 80\n\n[db]\nhost = x\n", ["port = 80"], "[db]\nhost = x\n"),
        ("[server]\nport = 80\n# see x\n", ["port = 80"], "[server]\n# see x\n"),
        ("steps:\n  with:\n    port: 80\n  run: x\n", ["port: 80"], "steps:\n  run: x\n"),
        ("class A:\n    PORT = 80\n\nB = 1\n", ["PORT = 80"], "class A: ...\n\nB = 1\n"),
    ],
)  # fmt: skip
def test_code_and_configuration_stay_well_formed(text: str, gone: list[str], want: str) -> None:
    assert cut(text, *gone) == want


@pytest.mark.parametrize(
    ("text", "gone", "want"),
    [
        ("A.\n\nPorts:\n\n- port: 80\n- host: x\n\nEnd.", ["port: 80", "host: x"], "A.\n\nEnd."),
        ("A.\n\n**Ports:**\nThe port is 80.\n\nEnd.", [PORT], "A.\n\nEnd."),
        ("A. Ports:\n\n- port: 80\n\nEnd.", ["port: 80"], "A.\n\nEnd."),
        ("Limits:\n\n| a | b |\n|---|---|\n| c | 80 |\n\nEnd.", ["| c | 80 |"], "End."),
        ("Ann runs it with:\n\n- port: 80\n\nEnd.", ["port: 80"], "Ann runs it with: [superseded]\n\nEnd."),
        ("A.\n\nWho decides? The port is 80.\n\nEnd.", [PORT], "A.\n\nEnd."),
        ("- Ports:\n  - port: 80\n- two", ["port: 80"], "- two"),
        ("- **Port:** The port is 80.\n- two", [PORT], "- two"),
        ("> **Note:** The port is 80.\n> Ask Ann.", [PORT], "> **Note:**\n> Ask Ann."),
        ("# A\n\nB.\n\n## Ports\n\nThe port is 80.\n\n## C\n\nD.", [PORT], "# A\n\nB.\n\n## C\n\nD."),
        ("# A\n\nB.\n\n## Ports\n\n### X\n\nThe port is 80.\n", [PORT], "# A\n\nB.\n"),
        ("B.\n\nPorts\n-----\n\nThe port is 80.\n\nC\n--\n", [PORT], "B.\n\nC\n--\n"),
        ("B.\n\n## Ann is on call\n\nThe port is 80.\n", [PORT], "B.\n\n## Ann is on call\n"),
        ("B.\n\n## 2.0 of 2024\n\nThe port is 80.\n", [PORT], "B.\n\n## 2.0 of 2024\n"),
        ("# Ports\n\nThe port is 80.\n", [PORT], "# Ports\n"),
        ("B.\n\n# The port is 80.\n\nC.\n", ["The port is 80."], "B.\n\n# [superseded]\n\nC.\n"),
        ("B.\n\nThe port is 80\n---\n", ["The port is 80"], "B.\n"),
        ("Port\n: The port is 80.\n\nHost\n: Ask Ann.\n", [PORT], "Host\n: Ask Ann.\n"),
        ("> [!NOTE]\n> The port is 80.\n\nEnd.", [PORT], "End."),
        ('!!! note "Ports"\n    The port is 80.\n\nEnd.', [PORT], "End."),
        (":::tip\nThe port is 80.\n:::\n\nEnd.", [PORT], "End."),
        ("<details>\n<summary>P</summary>\n\nThe port is 80.\n\n</details>\n\nEnd.", [PORT], "End."),
        ("<ul>\n<li>The port is 80.</li>\n</ul>\n\nEnd.", [PORT], "End."),
        ("A.\n\n---\n\nThe port is 80.\n", [PORT], "A.\n"),
    ],
)  # fmt: skip
def test_what_introduced_only_stale_statements_goes_with_them(text: str, gone: list[str], want: str) -> None:
    """It names, and says nothing by itself; a sentence that does stays, and so does the last title of a text."""
    assert cut(text, *gone) == want


@pytest.mark.parametrize(
    ("text", "gone", "want"),
    [
        ("1. one\n2. The port is 80.\n3. three", [PORT], "1. one\n3. three"),
        ("Steps:\n1. The port is 80.\n2. two", [PORT], "Steps:\n\n2. two"),
        ("- The port is 80.\n  Ask Ann.\n- two", [PORT], "- Ask Ann.\n- two"),
        ("- The port is 80.\n\n  Ask Ann.\n- two", [PORT], "- Ask Ann.\n- two"),
        ("1. The port is 80.\n\n   ```\n   a\n   ```", [PORT], "1. [superseded]\n\n   ```\n   a\n   ```"),
        ("A.\n- The port is 80.\n---\nB.", [PORT], "A.\n\n---\nB."),
        ("> One.\n>\n> The port is 80.\n\nEnd.", [PORT], "> One.\n\nEnd."),
        ("> The port is 80.\n>\n> One.\n\nEnd.", [PORT], "> One.\n\nEnd."),
        ("> One. The port\n> is 80. Two.", ["The port\n> is 80."], "> One.\n> Two."),
        ("> | a | b |\n> |---|---|\n> | c | 80 |\n\nEnd.", ["| c | 80 |"], "End."),
        ("| port | 80 |\n|---|---|\n| host | x |", ["| port | 80 |"], "| | |\n|---|---|\n| host | x |"),
        ("| a | b |\n|---|---|\n| The port is 80. | c |", [PORT], "| a | b |\n|---|---|\n| | c |"),
        ("One.\r\n\r\nThe port is 80.\r\n\r\nTwo.\r\n", [PORT], "One.\r\n\r\nTwo.\r\n"),
        ("````md\n```\nThe port is 80.\n```\nB.\n````", [PORT], "````md\n```\n```\nB.\n````"),
    ],
)  # fmt: skip
def test_lists_quotations_and_tables_keep_their_shape(text: str, gone: list[str], want: str) -> None:
    """Numbers of items stay: other text refers to them, and they are a part of statements that hold."""
    assert cut(text, *gone) == want


def test_a_live_fact_in_a_title_keeps_it() -> None:
    text = "A.\n\nPorts of db1:\n\n- port: 80\n"
    assert redact(text, [Stated((4, 17), "db1", live=True), stale(text, "port: 80")]) == (
        "A.\n\nPorts of db1: [superseded]\n"
    )


def test_statements_that_overlap_show_no_stale_value() -> None:
    text = "The API is on 80; the UI is on 90 and 91."
    facts = [Stated((0, 41), "80", live=True), Stated((0, 41), "90", live=False), Stated((18, 40), "91", live=False)]
    assert redact(text, facts) == "The API is on 80; the UI is on [superseded] and [superseded]."


def test_a_value_within_a_word_is_replaced_too() -> None:
    text = "It waits 80ms, and holds 5."
    assert redact(text, [Stated((0, 27), "80", live=False), Stated((0, 27), "5", live=True)]) == (
        "It waits [superseded]ms, and holds 5."
    )


WORDS = st.sampled_from(["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"])
SENTENCE = st.lists(WORDS, min_size=2, max_size=6).map(lambda w: " ".join(w).capitalize())
BLOCK = st.one_of(
    st.tuples(st.just("paragraph"), st.lists(SENTENCE, min_size=1, max_size=4)),
    st.tuples(st.just("wrapped"), st.lists(SENTENCE, min_size=1, max_size=4)),
    st.tuples(st.just("list"), st.lists(SENTENCE, min_size=1, max_size=4)),
    st.tuples(st.just("numbered"), st.lists(SENTENCE, min_size=1, max_size=4)),
    st.tuples(st.just("table"), st.lists(SENTENCE, min_size=1, max_size=4)),
    st.tuples(st.just("code"), st.lists(SENTENCE, min_size=1, max_size=4)),
    st.tuples(st.just("heading"), st.lists(SENTENCE, min_size=1, max_size=1)),
    st.tuples(st.just("quote"), st.lists(SENTENCE, min_size=1, max_size=4)),
    st.tuples(st.just("nested"), st.lists(SENTENCE, min_size=2, max_size=4)),
    st.tuples(st.just("loose"), st.lists(SENTENCE, min_size=1, max_size=4)),
    st.tuples(st.just("labelled"), st.lists(SENTENCE, min_size=1, max_size=4)),
    st.tuples(st.just("inline"), st.lists(SENTENCE, min_size=1, max_size=4)),
)
FRAMES = [("", ""), ("**", "**"), ("*", "*"), ("(", ")"), ("“", "”"), ("[", "](http://x)"), ("_", "_"), ("`", "`")]


def page(blocks: list[tuple[str, list[str]]]) -> tuple[str, list[tuple[int, int]]]:
    """Return a Markdown page, and where its statements stand; each has a number of its own."""
    text = ""
    spans: list[tuple[int, int]] = []

    def put(statement: str, before: str = "", after: str = "\n") -> None:
        nonlocal text
        text += before
        numbered = f"{statement} is #{len(spans)}#."
        spans.append((len(text), len(text) + len(numbered)))
        text += numbered + after

    for kind, statements in blocks:
        if kind == "heading":
            text += f"## {statements[0]}\n"
        elif kind in ("paragraph", "wrapped"):
            for n, s in enumerate(statements):
                put(s, after="\n" if kind == "wrapped" or n == len(statements) - 1 else " ")
        elif kind == "list":
            for s in statements:
                put(s, "- ")
        elif kind == "numbered":
            for n, s in enumerate(statements, 1):
                put(s, f"{n}. ")
        elif kind == "quote":
            for s in statements:
                put(s, "> ", "\n>\n" if len(s) % 2 else "\n")
            text = text.removesuffix(">\n")
        elif kind == "nested":
            for n, s in enumerate(statements):
                put(s, "  " * (n % 3) + "- ")
        elif kind == "loose":
            for n, s in enumerate(statements, 1):
                put(s, "- ", "\n\n" if n < len(statements) else "\n")
        elif kind == "labelled":
            text += "These:\n\n"
            for s in statements:
                put(s, "* ")
        elif kind == "inline":
            text += "Look. "
            for n, s in enumerate(statements):
                before, after = FRAMES[len(s) % len(FRAMES)]
                put(s, before, after + ("\n" if n == len(statements) - 1 else " "))
        elif kind == "code":
            text += "```\n"
            for s in statements:
                put(s)
            text += "```\n"
        else:
            text += "| said |\n|---|\n"
            for s in statements:
                put(s, "| ", " |\n")
        text += "\n"
    return text, spans


def titles_left(blocks: list[tuple[str, list[str]]], gone: set[int]) -> list[str]:
    """Return the headings less those under which there was something, all of it stale; all if nothing else is left."""
    sections: list[tuple[str, list[int]]] = [("", [])]
    count = 0
    for kind, statements in blocks:
        if kind == "heading":
            sections.append((f"## {statements[0]}", []))
            continue
        sections[-1][1].extend(range(count, count + len(statements)))
        if kind == "inline":
            sections[-1][1].append(-1)  # prose
        count += len(statements)
    left = [title for title, held in sections[1:] if not held or set(held) - gone]
    return left if left or set(sections[0][1]) - gone else [title for title, _ in sections[1:]]


@settings(max_examples=300, deadline=None)
@given(st.lists(BLOCK, min_size=1, max_size=6), st.data())
def test_the_remaining_sentences_are_exactly_the_live_ones(
    blocks: list[tuple[str, list[str]]], data: st.DataObject
) -> None:
    text, spans = page(blocks)
    gone = data.draw(st.sets(st.sampled_from(range(len(spans))))) if spans else set()
    facts = [Stated(span, f"#{n}#", live=n not in gone) for n, span in enumerate(spans)]
    found = redact(text, facts)
    assert re.findall(r"[^\W_][\w ]* is #\d+#\.", found) == [
        text[slice(*s)] for n, s in enumerate(spans) if n not in gone
    ]
    if not gone:
        assert found == text
    assert all(re.fullmatch(r" *- \[superseded\]", line) for line in found.split("\n") if SUPERSEDED in line)
    assert "\n\n\n" not in found
    assert not found.startswith("\n")
    assert not any(re.fullmatch(r"[ \t]*(?:[-*]|\d+\.)[ \t]*", line) for line in found.split("\n"))
    fences = found.split("```")
    assert len(fences) % 2 == 1
    assert all(inside.strip() for inside in fences[1::2])
    assert not re.search(r"\|---\|\n(?!\|)", found)
    assert [line for line in found.split("\n") if line.startswith("## ")] == titles_left(blocks, gone)
    assert not re.search(r"[^\n] +\n", found)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80), st.lists(st.tuples(st.integers(0, 80), st.integers(0, 80), st.booleans()), max_size=4))
def test_no_text_and_no_spans_raise(text: str, spans: list[tuple[int, int, bool]]) -> None:
    facts = [
        Stated((a, b), text[a:b][:5], live)
        for left, right, live in spans
        for a, b in [sorted((min(left, len(text)), min(right, len(text))))]
        if a < b
    ]
    redact(text, facts)
    annotate(text, facts)


class Rendered(HTMLParser):
    """A page as a browser shows it: where each numbered statement stands, and which elements are empty."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.shown: dict[str, tuple[str, ...]] = {}
        self.filled: set[int] = set()
        self.empty: list[str] = []
        self.feed(MarkdownIt("commonmark").enable("table").render(text))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.filled.discard(len(self.open))

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.filled.update(range(1, len(self.open) + 1))
        self.shown.update(dict.fromkeys(re.findall(r"#\d+#", data), self.place()))

    def place(self) -> tuple[str, ...]:
        """Return the open elements, less the paragraph of an item: it shows only that the list is a loose one."""
        return tuple(tag for n, tag in enumerate(self.open) if not (tag == "p" and self.open[n - 1] == "li"))

    def handle_endtag(self, tag: str) -> None:
        if len(self.open) not in self.filled:
            self.empty.append(tag)
        self.open.pop()


@settings(max_examples=300, deadline=None)
@given(st.lists(BLOCK, min_size=1, max_size=6), st.data())
def test_what_is_left_is_rendered_as_it_was_and_nothing_empty_beside_it(
    blocks: list[tuple[str, list[str]]], data: st.DataObject
) -> None:
    text, spans = page(blocks)
    gone = data.draw(st.sets(st.sampled_from(range(len(spans))))) if spans else set()
    before = Rendered(text)
    after = Rendered(redact(text, [Stated(span, f"#{n}#", live=n not in gone) for n, span in enumerate(spans)]))
    assert after.shown == {f"#{n}#": before.shown[f"#{n}#"] for n in range(len(spans)) if n not in gone}
    assert after.empty == []


@settings(max_examples=200, deadline=None)
@given(st.lists(BLOCK.filter(lambda block: block[0] != "nested"), min_size=1, max_size=6), st.data())
def test_what_goes_stale_in_two_steps_leaves_what_one_step_leaves(
    blocks: list[tuple[str, list[str]]], data: st.DataObject
) -> None:
    text, spans = page(blocks)
    numbers = range(len(spans))
    first, second = (data.draw(st.sets(st.sampled_from(numbers))) if spans else set() for _ in range(2))

    def without(said: str, gone: set[int]) -> str:
        stated = re.finditer(r"[^\W_][\w ]* is (#\d+#)\.", said)
        return redact(said, [Stated(m.span(), m[1], live=int(m[1].strip("#")) not in gone) for m in stated])

    def stated_in(said: str) -> list[str]:
        return re.findall(r"#\d+#", said)

    if len(first | second) < len(spans):  # else nothing is shown
        # the words around them may differ: once a paragraph is gone, a label may belong to the list behind it
        assert stated_in(without(without(text, first), second)) == stated_in(without(text, first | second))
    assert without(without(text, first), first) == without(text, first)


JOINT = st.sampled_from(
    [" ", ", ", "; ", "; the ", ", and the ", " and ", ". ", ".\n", " (", ") ", " **", "** ", "\n- ", "`"]
)
SPOKEN = st.lists(st.tuples(WORDS, JOINT), min_size=1, max_size=12)


@settings(max_examples=400, deadline=None)
@given(SPOKEN, st.data())
def test_no_stale_value_shows_and_no_live_one_is_lost_wherever_statements_overlap(
    spoken: list[tuple[str, str]], data: st.DataObject
) -> None:
    text = ""
    places: list[tuple[int, int]] = []
    for n, (word, joint) in enumerate(spoken):
        places.append((len(text), len(text) + len(f"{word} v{n}v")))
        text += f"{word} v{n}v{joint}"
    facts = []
    for n, (start, end) in enumerate(places):
        around = data.draw(st.tuples(st.integers(0, n), st.integers(n, len(places) - 1)), label="around")
        span = data.draw(st.sampled_from([(start, end), (places[around[0]][0], places[around[1]][1])]))
        facts.append(Stated(span, f"v{n}v", live=data.draw(st.booleans())))
    found = redact(text, facts)
    assert set(re.findall(r"v\d+v", found)) == {f.object for f in facts if f.live}


KEYS = st.text("abcdef", min_size=1, max_size=3)
TREES = st.recursive(
    st.integers(0, 99), lambda inner: st.dictionaries(KEYS, inner, min_size=1, max_size=4), max_leaves=12
).filter(lambda tree: isinstance(tree, dict))


def leaves(tree: dict[str, Any], path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Return the paths of all leaves, in the order in which a dump shows them."""
    found = []
    for key, value in tree.items():
        found += leaves(value, (*path, key)) if isinstance(value, dict) else [(*path, key)]
    return found


def pruned(
    tree: dict[str, Any], gone: set[tuple[str, ...]], *, empty: bool, at: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return a tree without some leaves; `empty`: with the branches that lost all of theirs."""
    left: dict[str, Any] = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            inner = pruned(value, gone, empty=empty, at=(*at, key))
            if inner or empty:
                left[key] = inner
        elif (*at, key) not in gone:
            left[key] = value
    return left


@settings(max_examples=200, deadline=None)
@given(TREES, st.data(), st.sampled_from([None, 2]))
def test_what_is_left_of_json_is_the_object_without_its_stale_members(
    tree: dict[str, Any], data: st.DataObject, indent: int | None
) -> None:
    text = json.dumps(tree, indent=indent)
    paths = leaves(tree)
    gone = data.draw(st.sets(st.sampled_from(paths)))
    members = list(re.finditer(r"\"\w+\": (\d+)", text))
    assert len(members) == len(paths)
    facts = [Stated(m.span(), m[1], live=path not in gone) for m, path in zip(members, paths, strict=True)]
    assert json.loads(redact(text, facts)) == pruned(tree, gone, empty=True)


@settings(max_examples=200, deadline=None)
@given(TREES, st.data(), st.booleans())
def test_what_is_left_of_yaml_has_no_key_without_its_value(
    tree: dict[str, Any], data: st.DataObject, fenced: bool
) -> None:
    text = yaml.safe_dump(tree, sort_keys=False)
    paths = leaves(tree)
    gone = data.draw(st.sets(st.sampled_from(paths), max_size=len(paths) - 1))
    offset = len("```yaml\n") * fenced
    facts = [
        Stated((m.start() + offset, m.end() + offset), m[1], live=path not in gone)
        for m, path in zip(re.finditer(r"\w+: (\d+)", text), paths, strict=True)
    ]
    found = redact(f"```yaml\n{text}```\n" if fenced else text, facts)
    assert yaml.safe_load(found.removeprefix("```yaml\n").removesuffix("```\n")) == pruned(tree, gone, empty=False)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.text(max_size=12), st.booleans()), min_size=1, max_size=8))
def test_in_any_text_the_live_statements_stay_and_the_stale_ones_go(pieces: list[tuple[str, bool]]) -> None:
    text = ""
    facts = []
    for n, (said, live) in enumerate(pieces):
        text += f"{said}\n"
        facts.append(Stated((len(text), len(text) + len(f"It is ⟨{n}⟩.")), f"⟨{n}⟩", live))
        text += f"It is ⟨{n}⟩. "
    found = redact(text, facts)
    for n, (_, live) in enumerate(pieces):
        assert (f"It is ⟨{n}⟩." in found) == live
    marked = annotate(text, facts)
    assert all(f"⟨{n}⟩" in marked for n in range(len(pieces)))
    assert marked.count("[superseded]") + marked.count(": superseded]") >= sum(not live for _, live in pieces)


@pytest.mark.parametrize(
    ("text", "gone", "want"),
    [
        ("```yaml\nport: 80\n```\nEnd.", "port: 80", "```yaml\nport: 80  # [ended]\n```\nEnd."),
        ("```yaml\nport: 80  # main\n```", "port: 80", "```yaml\nport: 80  # main [ended]\n```"),
        ("```js\nconst port = 80;\n```", "const port = 80", "```js\nconst port = 80;  // [ended]\n```"),
        ('```json\n{"port": 80}\n```\n\nEnd.', '"port": 80', '```json\n{"port": 80}\n```\n["port": 80: ended]\n\nEnd.'),
        ("- a\n  ```\n  port 80\n  ```\n", "port 80", "- a\n  ```\n  port 80\n  ```\n  [port 80: ended]\n"),
        ("```sh\nrun -p 80 \\\n  x\n```", "run -p 80 \\", "```sh\nrun -p 80 \\\n  x\n```\n[run -p 80 \\: ended]"),
        ('{\n  "port": 80\n}\n', '"port": 80', '{\n  "port": 80\n}\n["port": 80: ended]\n'),
        ("---\nport: 80\n---\n", "port: 80", "---\nport: 80  # [ended]\n---\n"),
        ("Use `port 80` now.", "port 80", "Use `port 80` [ended] now."),
        ("See [it](http://port80/) now.", "http://port80", "See [it](http://port80/) [ended] now."),
        ("| a | 80  |\n| b | 2 |", "| a | 80  |", "| a | 80 [ended]  |\n| b | 2 |"),
    ],
)  # fmt: skip
def test_a_note_breaks_no_block(text: str, gone: str, want: str) -> None:
    start = text.index(gone)
    assert annotate(text, [Stated((start, start + len(gone)), "80", live=False, note="ended")]) == want


def test_a_note_in_a_table_makes_no_cell() -> None:
    text = "| a | 80 |"
    assert annotate(text, [Stated((0, 10), "80", live=False, note="by 1|2")]) == "| a | 80 [by 1\\|2] |"


@pytest.mark.parametrize(
    ("clause", "want"),
    [
        ({"$contains": "port"}, True),
        ({"$not_contains": "port"}, False),
        ({"$regex": r"[[:upper:]]he \p{Ll}ort"}, True),
        ({"$regex": r"\p{Nd}{3}"}, False),
        ({"$not_regex": r"\p{Nd}{3}"}, True),
        ({"$regex": "(?=port)"}, False),  # no pattern of Rust's
        ({"$not_regex": "(?=port)"}, False),
        ({"$and": [{"$contains": "port"}, {"$regex": "^The"}]}, True),
        ({"$and": [{"$contains": "port"}, {"$regex": "^port"}]}, False),
        ({"$or": [{"$contains": "zebra"}, {"$regex": r"80\.\z"}]}, True),
        ({"$or": [{"$contains": "zebra"}, {"$regex": r"81\.\z"}]}, False),
    ],
)
def test_a_filter_on_what_is_left(clause: dict[str, Any], want: bool) -> None:
    assert matches(clause, "The port is 80.") == want


def test_annotating_says_it_beside_the_statement() -> None:
    text = "The port is 80. Ask Ann.\n| api | 80 |\n"
    row = text.index("| api")
    facts = [
        Stated((0, 15), "80", live=False, note="superseded 2024-06-01 by 81"),
        Stated((row, len(text) - 1), "80", live=False, note="ended 2024-06-01"),
    ]
    assert annotate(text, facts) == (
        "The port is 80. [superseded 2024-06-01 by 81] Ask Ann.\n| api | 80 [ended 2024-06-01] |\n"
    )
