"""Cheap tests that stand before patterns and readers turn no sentence away that these would read."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstrata_integrations.canonical import _SPECIAL, is_identifier
from memstrata_integrations.extraction.sentences import asides, joined, labels, pointing, roles, using, weak, wording
from memstrata_integrations.extraction.sentences.complements import spans_of, tokens_of, words_of
from memstrata_integrations.extraction.sentences.dispatch import Dispatch
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.statements import statements

_PIECES = (
    *("the port", "Ann", "is", "80", "8,080", "now", "not", "on", "over", "each", "May", "today", "thanks"),
    *("instead of 81", "rather than tea", "in place of it", "as of 3 May", "as from Monday", "since 2021"),
    *("since we moved", "because it broke", "from Monday on", "effective 2024-05-01", "starting in June"),
    *("beginning on Friday", "after the merger", "these days", "at the moment", "right now", "they say so"),
    *("Kim told me so", "just checked it", "so we agreed", "it's new", "from now on", "going forward"),
    *("in Oslo", "any more", "ask Kim", "no longer 3", "and not 4"),
)
_MARKED = st.text(alphabet=" \n,;:.–—-()…=>→abAB01'\"`/_", max_size=40)


def _sentences(count: int) -> list[str]:
    pick = random.Random(7)
    made = []
    for _ in range(count):
        pieces = pick.choices(_PIECES, k=pick.randint(2, 6))
        made.append("".join(pick.choice((" ", " ", ", ")) + piece for piece in pieces).lstrip(" ,"))
    return made


def test_a_tail_is_found_wherever_its_pattern_finds_one() -> None:
    found = 0
    for sentence in _sentences(5000):
        words = sentence.lower().replace(",", " ").split()
        plain = wording._TAIL.search(sentence)
        fast = wording._tail(sentence, 0, len(sentence), words)
        assert (plain and plain.span()) == (fast and fast.span()), sentence
        found += plain is not None
    assert found > 1000


@pytest.mark.parametrize("verb", wording._UNSAID_VERBS.split())
def test_what_opens_a_note_of_change_is_known(verb: str) -> None:
    for opener in (f"{verb} ", f"{verb.capitalize()} ", f"Just {verb} "):
        assert wording._UNSAID.match(f"{opener}numpy to 2")
        assert opener.split()[0].lower() in wording._UNSAID_OPENERS


@pytest.mark.parametrize("sentence", ["By default, it", "Unless stated otherwise, it", "Out of the box, it"])
def test_what_opens_an_adjunct_is_known(sentence: str) -> None:
    assert wording._DEFAULT_LEAD.match(sentence)
    assert sentence.split()[0].lower() in wording._ADJUNCT_OPENERS


@pytest.mark.parametrize(
    ("pattern", "gate"),
    [
        (weak._STAGE, weak._MOVING),
        (weak._SWITCHED_TOOL, weak._MOVING),
        (weak._MOVED_SEAT, weak._MOVING),
        (weak._HAS_STATUS, weak._PASSING),
        (weak._REACH, weak._REACHING),
        (using._WITH, using._WITH_WORDS),
    ],
)
def test_a_gate_knows_every_verb_of_its_pattern(pattern: re.Pattern[str], gate: frozenset[str]) -> None:
    groups = re.findall(r"\((?:\?:|\?P<\w+>)([a-z][a-zA-Z -]*(?:\|[a-zA-Z][a-zA-Z -]*)+)\)", pattern.pattern)
    alternatives = [group.split("|") for group in groups]
    governing = [group for group in alternatives if not gate.isdisjoint(" ".join(group).split())]
    assert governing
    for group in governing:
        assert all(not gate.isdisjoint(a.lower().split()) for a in group), group


@given(_MARKED)
def test_a_text_without_the_marks_has_no_such_pattern(text: str) -> None:
    if asides._BREAK.search(text, 1):
        assert any(mark in text for mark in asides._BREAK_MARKS)
    if labels._SEPARATOR.search(text):
        assert any(mark in text for mark in labels._SEPARATORS)
    if joined._LINK.search(text):
        assert any(mark in text for mark in joined._LINK_MARKS) or not joined._LINK_WORDS.isdisjoint(words_of(text))
    if roles._SUBJECT.match(text):
        assert "s the " in text


@pytest.mark.parametrize("word", ["here", "below", "above", "in question", "at hand", "in hand", "on hand"])
def test_what_stands_behind_a_subject_that_points_is_known(word: str) -> None:
    assert pointing._BEHIND.match(f"the host {word} is b1")
    assert not pointing._LOCATING.isdisjoint(word.split())


@given(st.text(max_size=60))
def test_words_and_their_places_are_those_of_a_pattern(text: str) -> None:
    found = list(re.finditer(r"\S+", text))
    assert spans_of(text) == tuple(m.span() for m in found)
    assert [t[:2] for t in tokens_of(text)] == [m.span() for m in found]


@given(st.text(alphabet="abZÀß中_.-(/0'", min_size=1, max_size=8))
def test_a_plain_word_is_no_identifier(word: str) -> None:
    assert is_identifier(word) == (_SPECIAL.search(word) is not None)


def test_a_dispatch_chooses_what_asking_each_reader_would() -> None:
    readers = [(n, frozenset("abcdefgh"[n : n + 2]) if n % 3 else None) for n in range(7)]
    fitting = Dispatch(readers)
    for size in range(1, 256):
        words = frozenset(c for n, c in enumerate("abcdefgh") if size >> n & 1) | {"x"}
        assert fitting(words) == tuple(n for n, needed in readers if needed is None or needed & words)


@pytest.mark.parametrize("judged", ["best café", "cutest dog", "really odd bug", "city in my view", "go-to bar for us"])
def test_an_opinion_is_seen_among_plain_words(judged: str) -> None:
    assert is_opinion(f"The {judged}".split())


def test_a_sentence_ends_once_at_several_stops() -> None:
    text = "It is 5... Then it is 6!! (So.) It was 7.) Now 8?! Yes, e.g. 9."
    assert [text[s.start : s.end] for s in statements(text)] == [
        "It is 5...",
        "Then it is 6!!",
        "(So.)",
        "It was 7.)",
        "Now 8?!",
        "Yes, e.g. 9.",
    ]
