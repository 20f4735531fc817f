"""Whatever the text: nothing raises, values are spans of their statements, batches change nothing, work is linear."""

import random
import sys
import time
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstrata_integrations import GrammarExtractor
from memstrata_integrations.extraction.tokens import tokenize
from memstrata_integrations.ledger.facts import Extraction, KeyedFact

from .test_changes import ENDS, LEAVES
from .test_look_alikes import LOOK_ALIKES

GRAMMAR = GrammarExtractor()
PIECES = [
    *"""the The of is was has from to and or not if Teal Ann it she my I now May every which that each 80 v1.2.3 /etc/a
    http://a , . : ; - ( ) " ` * # > | = == ? ! ... 's é 中 _ [ ] { } < \\ ~~ 1 ' $ % a=b Mr. e.g. -->
    0x1 1:2 / @ &""".split(),
    *("the port", "The timeout", "Ann Lee", "listens on", "moved to", "30 seconds", "10 euros", "no longer"),
    *("3 May", "- ", "\n", "\n\n", "\t", "\u200b", "\ud83d", "x: y", "once a week", "|---|", "# ", "```"),
]  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from(PIECES), max_size=30).map(" ".join),
    st.lists(st.sampled_from(PIECES), max_size=30).map("".join),
)


def _check(text: str, extraction: Extraction) -> None:
    assert all(why != "a fault of the grammar" for *_, why in extraction.unread), text
    for fact in extraction.facts:
        assert isinstance(fact, KeyedFact)
        start, end = fact.span
        assert 0 <= start < end <= len(text)
        assert fact.object is None or fact.object in text[start:end]
        assert all(fact.key)
    for start, end, why in extraction.unread:
        assert 0 <= start < end <= len(text)
        assert why


@settings(max_examples=400, deadline=None)
@given(TEXTS)
def test_nothing_raises_and_every_value_is_a_span_of_its_statement(text: str) -> None:
    [extraction] = GRAMMAR.extract([text])
    _check(text, extraction)
    assert GrammarExtractor(unknown="functional").extract([text])


@settings(max_examples=50, deadline=None)
@given(st.lists(TEXTS, max_size=6))
def test_a_text_means_the_same_in_any_batch(texts: list[str]) -> None:
    alone = [GrammarExtractor().extract([t])[0] for t in texts]
    assert GRAMMAR.extract(texts) == alone
    assert GRAMMAR.extract(list(reversed(texts))) == list(reversed(alone))


def test_pieces_of_real_sentences_raise_nothing() -> None:
    pick = random.Random(7)
    said = [t for pair in (*ENDS, *LEAVES, *LOOK_ALIKES) for t in pair]
    for _ in range(3000):
        words = [w for t in pick.sample(said, 2) for w in t.split(" ")]
        at, to = sorted((pick.randrange(len(words)), pick.randrange(len(words) + 1)))
        text = pick.choice((" ", " ", "\n", " - ")).join(words[at:to])
        _check(text, GRAMMAR.extract([text])[0])


def _work(text: str) -> int:
    """Return how many functions of the grammar are called for a text: it counts work, and no time."""
    calls = 0

    def count(frame: FrameType, event: str, arg: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        GRAMMAR.extract([text])
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("piece", [
    *("a ", "(((", "- - - ", "a.b.c.", "|", "1", ",", "`", "*", "_", "the port is 80 and ", "The port is 80. "),
    *("if ", "which ", "a-", "/a", "[", "&", "1 2 3 ", "a: ", "x=1;", "\n", "a\n", "- a\n", "| a | b |\n"),
    *("of ", '"', "'s ", "1, ", "#", "~", "$1", "10:10 ", "a_", "Ann ", '{"a": 1, ', "1.", "0x1", "('a', ", "> "),
    *("Ann and ", "in Oslo, ", "-1", "a@", "a:", "::", "a(", "$a", "* a\n", "é", "http://a"),
])  # fmt: skip
def test_work_grows_no_faster_than_the_text(piece: str) -> None:
    small, large = (_work(piece * (n // len(piece))) for n in (4_000, 16_000))
    assert large < 6 * small + 2_000


def test_long_runs_take_seconds() -> None:
    """What the token pattern looks at ahead is counted by no line of Python."""
    started = time.process_time()
    for piece in ("(", "+", "-", "0 ", "+1", "+1 (", "01 ", "5 ", "a/", "a.", "*", "`", "1:", "[ ", "a+", "a#"):
        tokenize(piece * (60_000 // len(piece)))
    assert time.process_time() - started < 10


def test_work_grows_no_faster_than_the_contradictions_of_a_text() -> None:
    said = "The port of host-{n} is 80. The port of host-{n} is 90. "
    small, large = (_work("".join(said.format(n=n) for n in range(count))) for count in (50, 200))
    assert large < 6 * small
