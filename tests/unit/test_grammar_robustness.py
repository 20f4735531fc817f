"""The grammar extractor on texts that mean nothing: it never raises, and its work is linear."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.extraction_fuzz import fuzzed
from memstrata_integrations.canonical import canonical_subject
from memstrata_integrations.extraction import Extraction, GrammarExtractor
from memstrata_integrations.names import firm

EXTRACTOR = GrammarExtractor()
STATED = [
    "In staging, the billing service's port is 8080.",
    "The timeout parameter of connect() is 30 seconds by default.",
    "MAX_RETRIES = 5  # the default",
    "celery[redis]==5.3.0; python_version < '3.8'",
    "- uses: actions/checkout@v4",
    "The function load_config() returns the parsed settings.",
    "INTERNAL_IPS in config/local.py of owner/repo is set to ('127.0.0.1',).",
    "numpy was bumped from 1.25.0 to 1.26.4.",
    "Ticket: 12\nStatus: open\n\nTicket: 13\nStatus: closed",
    "| Setting | Value |\n|---|---|\n| timeout | 30 s |",
    "services:\n  web:\n    port: 80\n",
    "function in a/forms.py of b/c described as: Expand a range into a list. is named parse_range.",
]


PAGE = {"source": "notes.md"}


def read(text: str, metadata: Mapping[str, Any] | None = None) -> Extraction:
    return EXTRACTOR._extract(text, metadata)  # `extract` would keep a text that a rule fails at as prose


PIECES = [
    "The port", "is", "is set to", "8080", "30 seconds", ".", "\n", "\n\n", "# ", "- ", ": ", "=", "==", "`",
    "'", "\"", "(", ")", "[", "]", "|", "in staging", "was", "from", "to", "MAX_SIZE", "/etc/x", "Alice's",
    "no longer set", "named", "@v4", ">=1.2,<3", "```", "---", "| a | b |\n|---|---|\n| c | 5 |",
    "```yaml\n", "```ini\n", "```json\n{\"a\": 1}\n",
    "~~~", "\n```\n", "## Settings\n", "### b\n", "a: 1\n", "[x]\nb = 2\n",
    "- **Port** — 80\n", "`a: 1`", "\n: 5", "| x | y |\n", "   ", "# app.toml\n", "For example:\n",
    "described as:", "returns the parsed settings", "load()", "é", " ", "\r\n", "\t", "ticket: 5", "  ",
    "By default, ", "1h 30m", "-", "_", "*", "“", "”", "’s", '\x00', "🙂", "¤", "{", "}", "%",
]  # fmt: skip


def check(text: str) -> None:
    for fact in (*read(text).facts, *read(text, PAGE).facts):
        start, end = fact.span
        assert 0 <= start < end <= len(text)
        statement = text[start:end]
        assert statement.strip()
        assert fact.subject
        assert fact.object is None or fact.object in statement
        assert fact.object is None or fact.object.strip()
        assert canonical_subject(fact.subject) or fact.local


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=25), st.sampled_from(["", " "]))
def test_mutated_texts(pieces: list[str], glue: str) -> None:
    """No text raises, and every object stands verbatim inside its span."""
    check(glue.join(pieces))


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300))
def test_random_texts(text: str) -> None:
    """No text raises, whatever its characters."""
    check(text)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(STATED), st.integers(0, 80), st.text(max_size=3))
def test_damaged_statements(text: str, position: int, noise: str) -> None:
    """A damaged statement raises nothing either."""
    check(text[:position] + noise + text[position + len(noise) :])


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "(",
        "[",
        "()",
        "'",
        "`",
        ".",
        " ",
        "\n",
        "1",
        "1,",
        "a: b\n",
        "| a | b |\n",
        "# ",
        "- ",
        "is ",
        "A. ",
        "=",
        "<1,",
        "```yaml\na: 1\n```\n",
        "```\n",
        "~~~ini\nb = 2\n",
        "## a\n",
        "## a\n\n```yaml\na: 1\n```\n",
        "## a\n| b | c |\n|---|---|\n| d | 5 |\n",
        "- a — 5\n",
        "b\n: 5\n",
        "`a: 1`\n",
    ],
)
def test_work_grows_no_faster_than_the_text(unit: str, steps: Any) -> None:
    """Ten times the text costs about ten times the Python steps, and one long run is read in one go."""
    for lead in ("", "The port is ", "port: ", "## Ports\n\n", "## Ports\n\n```yaml\n"):
        small = steps(lambda n=2_000, lead=lead: read(lead + unit * (n // len(unit)), PAGE))
        large = steps(lambda n=20_000, lead=lead: read(lead + unit * (n // len(unit)), PAGE))
        assert large <= 14 * small + 2_000


@pytest.fixture
def steps() -> Any:
    """Return a function that counts the lines of Python that a call runs."""

    def count(call: Any) -> int:
        total = 0

        def trace(frame: Any, event: str, argument: Any) -> Any:
            nonlocal total
            total += event == "line"
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            call()
        finally:
            sys.settrace(before)
        return total

    return count


@pytest.mark.parametrize("unit", ["a", "(", "[({", "'", ".", "1", " ", "a.", "=", "-", "`", "|"])
def test_a_megabyte_of_one_character_is_read(unit: str) -> None:
    """No pattern backtracks over a long run (a quadratic one would take hours here)."""
    text = unit * (1_000_000 // len(unit))
    for lead in (
        "",
        "The port is ",
        "x = ",
        "numpy==",
        "```",
        "## a\n\n```yaml ",
        "## a\n\n| b | c |\n|---|---|\n| d | ",
    ):
        assert read(lead + text, PAGE).facts == ()


def test_texts_of_a_fixed_seed() -> None:
    """A sample of what `python -m eval.extraction_fuzz` reads 100,000 of: no exception, every object verbatim."""
    for text in fuzzed(3_000, seed=1):
        check(text)


def test_a_fault_of_a_rule_costs_one_text(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """The others of the write are read, the text is kept as prose, and the log names it."""

    def faulty(text: str, metadata: Mapping[str, Any] | None) -> Extraction:
        return {}[text] if "8080" in text else GrammarExtractor()._extract(text, metadata)

    extractor = GrammarExtractor()
    monkeypatch.setattr(extractor, "_extract", faulty)
    first, second = extractor.extract(["The port is 8080.", "The timeout is 30 s."])
    assert (first.facts, first.prose) == ((), True)
    assert [f.object for f in second.facts] == ["30 s"]
    assert "The port is 8080." in caplog.text


@pytest.mark.parametrize(
    "text", [", thanks the dashboard for latency `redis` is /d/lat", " its  are $5v1.2.3 uses  is : ...: in its "]
)
def test_texts_of_which_little_is_left(text: str) -> None:
    GrammarExtractor()._extract(text, None)  # `extract` would log the fault and go on


@pytest.mark.parametrize("word", ["a" * 60, "ab-" * 20, "a" * 60 + "1"])
def test_a_long_word_is_read_at_once(word: str) -> None:
    """No pattern tries the pieces of a word in every way: that would take longer than anybody waits."""
    GrammarExtractor()._extract(f"The alias points to the {word} in Norway.", None)


@pytest.mark.parametrize("text", [f"Dh{'_' * 60} is enabled.", f"The Harrow cluster has a {'two-' * 60}two quota."])
def test_marks_in_a_row_are_read_at_once(text: str) -> None:
    GrammarExtractor()._extract(text, None)


@pytest.mark.parametrize("text", ["", " ", "A", "A ", " .", "& Co", "Ltd Ltd", "and sons", "... ."])
def test_names_of_hardly_any_word(text: str) -> None:
    assert firm(text) is None or text == "Ltd Ltd"
