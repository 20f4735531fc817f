"""A text without its stale statements: what is left is exactly the live ones, and Markdown stays whole."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstrata_integrations.redaction import SUPERSEDED, Stated, annotate, redact


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
)


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


@settings(max_examples=300, deadline=None)
@given(st.lists(BLOCK, min_size=1, max_size=6), st.data())
def test_the_remaining_sentences_are_exactly_the_live_ones(
    blocks: list[tuple[str, list[str]]], data: st.DataObject
) -> None:
    text, spans = page(blocks)
    gone = data.draw(st.sets(st.sampled_from(range(len(spans))))) if spans else set()
    facts = [Stated(span, f"#{n}#", live=n not in gone) for n, span in enumerate(spans)]
    found = redact(text, facts)
    assert re.findall(r"\w[\w ]* is #\d+#\.", found) == [text[slice(*s)] for n, s in enumerate(spans) if n not in gone]
    if not gone:
        assert found == text
    assert SUPERSEDED not in found
    assert "\n\n\n" not in found
    assert not found.startswith("\n")
    assert not any(re.fullmatch(r"[ \t]*(?:[-*]|\d+\.)[ \t]*", line) for line in found.split("\n"))
    fences = found.split("```")
    assert len(fences) % 2 == 1
    assert all(inside.strip() for inside in fences[1::2])
    assert not re.search(r"\|---\|\n(?!\|)", found)
    headings = [line for line in text.split("\n") if line.startswith("## ")]
    assert [line for line in found.split("\n") if line.startswith("## ")] == headings
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
