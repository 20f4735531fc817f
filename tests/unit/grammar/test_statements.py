"""Statements and tokens: where they stand, and of what kind they are."""

from itertools import pairwise

import pytest

from memstrata_integrations.extraction.statements import statements
from memstrata_integrations.extraction.tokens import tokenize

TEXTS: dict[str, list[tuple[str, str]]] = {
    "The port is 80. It is open.": [("sentence", "The port is 80."), ("sentence", "It is open.")],
    "Dr. Osei lives in St. Gallen. He is 40.": [
        ("sentence", "Dr. Osei lives in St. Gallen."),
        ("sentence", "He is 40."),
    ],
    "The fee is 1.50 euros, e.g. for A. Lee.": [("sentence", "The fee is 1.50 euros, e.g. for A. Lee.")],
    "# Kite\n\nThe port\nis 80.\n": [("heading", "# Kite"), ("sentence", "The port\nis 80.")],
    "- a is 1\n- b is 2\n": [("sentence", "a is 1"), ("sentence", "b is 2")],
    "1. [x] a is 1\n2. b is 2\n": [("sentence", "a is 1"), ("sentence", "b is 2")],
    "port: 80\nhost: a1\n": [("line", "port: 80"), ("line", "host: a1")],
    "numpy==1.26.4": [("line", "numpy==1.26.4")],
    "> The port is 80.\n": [("quote", "The port is 80.")],
    "```yaml\nport: 80\n```\n": [("mark", "```yaml"), ("line", "port: 80"), ("mark", "```")],
    "```python\nport = 80\n```\n": [("mark", "```python"), ("code", "port = 80"), ("mark", "```")],
    "    port = 80\n": [("code", "port = 80")],
    "| a | b |\n|---|---|\n| 1 | 2 |\n": [("mark", "| a | b |"), ("mark", "|---|---|"), ("row", "| 1 | 2 |")],
    "a is 1.\n\n---\n\nb is 2.\n": [("sentence", "a is 1."), ("mark", "---"), ("sentence", "b is 2.")],
    "https://teal.example: 80": [("sentence", "https://teal.example: 80")],
    "": [],
}


@pytest.mark.parametrize("text", TEXTS)
def test_where_statements_stand(text: str) -> None:
    found = [(s.kind, text[s.start : s.end]) for s in statements(text)]
    assert found == TEXTS[text]


@pytest.mark.parametrize(("text", "above"), [
    ("# A\n\n## B\n\nx is 1.", ("A", "B")), ("# A\n\n## B\n\n# C\n\nx is 1.", ("C",)),
    ("Ports:\n\n- x is 1.", ("Ports",)), ("Ports:\n\n- y\n\nx is 1.", ()), ("[server]\nx = 1", ("[server]",)),
])  # fmt: skip
def test_what_a_statement_stands_under(text: str, above: tuple[str, ...]) -> None:
    assert statements(text)[-1].headings == above


TOKENS = {
    "30 seconds": "duration", "30s": "duration", "three attempts": "count:attempt", "$5": "money:usd",
    "5 euros": "money:eur", "3 May 2024": "date", "2024-05-03": "date", "9:30": "time", "Monday": "weekday",
    "1.2.3": "version", ">=1.2": "version", "10.0.0.1": "host", "/etc/teal.conf": "path",
    "https://teal.example/a": "url", "ann@teal.example": "email", "`debug`": "name:1", "eu-west-1": "name:1",
    "MAX_SIZE": "name:1", "main()": "name:1", "Oslo": "name:1", "and": "", "may": "", "second": "",
}  # fmt: skip


@pytest.mark.parametrize("text", TOKENS)
def test_the_kind_of_a_token(text: str) -> None:
    found = tokenize(f"it is {text} here")[2:]
    assert (found[0].lower, found[0].kind) == (text.lower(), TOKENS[text])


def test_tokens_stand_in_the_text_in_order() -> None:
    text = "The *API*'s `limit` (v2.1) isn't 5 MB, it's \"10 MB\" since 3 May 2024 at 9:00."
    found = tokenize(text)
    assert [t.start for t in found] == sorted(t.start for t in found)
    assert all(0 <= t.start < t.end <= len(text) for t in found)
    assert all(a.end <= b.start for a, b in pairwise(found))


@pytest.mark.parametrize("text", ["\r0\n0", "a\r\nb: 1\r\n", "# A\rThe port is 80.\r\n\r\n- b", "\n\r\n\r"])
def test_any_end_of_a_line_is_one(text: str) -> None:
    """Markdown's parser takes a lone carriage return for the end of a line, and so do the places of statements."""
    for statement in statements(text):
        assert 0 <= statement.start < statement.end <= len(text)
