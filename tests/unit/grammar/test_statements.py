"""Statements and tokens: where they stand, and of what kind they are; canonical values: two spellings are equal."""

from itertools import pairwise

import pytest

from memstrata_integrations.extraction.statements import statements
from memstrata_integrations.extraction.tokens import tokenize
from memstrata_integrations.extraction.values import canonical_value
from memstrata_integrations.ledger.facts import KeyedFact

from .pairs import GRAMMAR, ended, rows

TEXTS: dict[str, list[tuple[str, str]]] = {
    "The port is 80. It is open.": [("sentence", "The port is 80."), ("sentence", "It is open.")],
    "Dr. Osei lives in St. Gallen. I am 40.": [("sentence", "Dr. Osei lives in St. Gallen."), ("sentence", "I am 40.")],
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


SAME = rows("""
    30 minutes || 1,800 s ;; 30 min || 1800 seconds ;; 1h30m || 90 minutes ;; 1 hour 30 minutes || 90 min ;; true || yes
    two weeks || 14 days ;; 0.5 s || 500 ms ;; 1 GB || 1000 MB || 1024 MB ;; 1 GiB || 1024 MiB ;; 1,000 || 1000
    twenty-five || 25 ;; two hundred || 200 ;; 1_000 || 1000 ;; 10 euros || €10 ;; 10 EUR || 10 euros ;; 9:00 || 9 am
    $42 a month || 42 dollars per month ;; 5 % || 5 percent ;; 3 May 2024 || 2024-05-03 ;; 3 May || 3rd of May
    May 3, 2024 || 3rd of May 2024 ;; 14:30 || 2:30 pm ;; noon || 12:00 ;; Mondays || Monday ;; 9 o'clock || 9:00
    1.26 million || 1,260,000 ;; 5 nodes || 5 node ;; /srv/teal/ || /srv/teal ;; `debug` || debug ;; "debug" || debug
    HTTPS://Teal.example || https://teal.example/ ;; https://teal.example:443/a || https://teal.example/a
    Dr. Osei || Osei ;; the Town Hall || town hall ;; 10 kg || 10,000 g
""")
VERSIONS = rows("1.26.0 || 1.26 ;; ==1.26.4 || 1.26.4 ;; v2.1 || 2.1 ;; >=1,<2 || <2,>=1 ;; 1.0-rc1 || 1.0rc1")


@pytest.mark.parametrize("pair", [*((*p, "") for p in SAME), *((*p, "version") for p in VERSIONS)])
def test_two_spellings_of_a_value_are_equal(pair: tuple[str, str, str]) -> None:
    first, second, kind = pair
    assert canonical_value(first, kind) == canonical_value(second, kind)


KINDS = rows("""
    30 seconds || duration ;; 2 months || months ;; 5 GB || size ;; 5 GiB || binary size ;; 5 Gbps || bitrate
    80 || number ;; 5 % || percent ;; 10 euros || money:eur ;; 10 euros a month || money:eur/month ;; 3 May 2024 || date
    5 workers || count:worker ;; 3 May || day ;; March 2024 || month ;; 9:30 || time ;; 9:30 UTC || time:utc ;; 2 m || m
    Monday || weekday ;; Monday 9:00 || weekday:time ;; 1.2.3 || version ;; v13 || version:major ;; 10.0.0.1 || host
    postgres:16 || image of postgres ;; db.internal || host ;; https://teal.example/a || url ;; /etc/teal.conf || path
    ann@teal.example || email ;; src/main.py || path ;; GET /orders || endpoint ;; on || boolean ;; France || country
    Ann || name:1 ;; Ann Lee || name ;; 20 °C || celsius ;; 68 °F || fahrenheit ;; 6 ft || imperial length
    30 cm || length
""")


@pytest.mark.parametrize(("value", "kind"), KINDS)
def test_the_kind_of_a_value(value: str, kind: str) -> None:
    assert canonical_value(value)[1] == kind


def test_values_of_two_kinds_never_compare() -> None:
    said = "The limit of teal is {}."
    values = [value for value, kind in KINDS if kind not in ("boolean", "country", "name", "name:1", "endpoint")]
    for first in values:
        for second in values:
            gone = ended(said.format(first), said.format(second))
            facts = [f for e in GRAMMAR.extract([said.format(first), said.format(second)]) for f in e.facts]
            kinds = {f.kind for f in facts if isinstance(f, KeyedFact)}
            assert not gone or len(kinds) == 1, (first, second)


@pytest.mark.parametrize(
    "value", ["", " ", "x" * 10_000, "9" * 10_000, "-" * 500, "1" + ",000" * 500, "((((", "\x00", "é"]
)
def test_any_text_has_a_canonical_form(value: str) -> None:
    canonical, kind = canonical_value(value)
    assert isinstance(canonical, str)
    assert kind
