"""Sentences that put a value first or last: "8080 is the port the panel listens on", "What the build uses is GCC".

`inversion_of` tells the value from the clause that says of what it is the value, and what stands between the two: a
noun ("the port", "the file in which"), a word of question ("where", "how long"), or nothing more than "what".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.gaps import DETERMINERS, PERSONS, does, words_at
from memstrata_integrations.extraction.sentences.lexicon import PREPOSITIONS
from memstrata_integrations.extraction.sentences.role_words import is_plural
from memstrata_integrations.extraction.sentences.verbs import BASES
from memstrata_integrations.words import holds_any, word_set

__all__ = ["GATE", "PLAIN_NOUNS", "Inversion", "inversions_of"]

_Span = tuple[int, int]


class Inversion(NamedTuple):
    """The parts of a sentence that puts its value first or last.

    Attributes:
        value: Where the value stands.
        clause: Where the clause stands that lacks it.
        noun: Where the noun stands that says what the value is; empty if there is none.
        link: "", a preposition ("in which"), "where", "when", or "how" and what follows it.
        first: Whether the value stands before the clause.
        cleft: Whether the sentence opens with "it".
        front: Where the sentence begins, behind what stands in front: "In staging, ".
    """

    value: _Span
    clause: _Span
    noun: _Span
    link: str
    first: bool
    cleft: bool
    front: int


PLAIN_NOUNS = word_set(
    "thing one person man woman guy place spot location tool program software utility day date time hour moment year "
    "month city town village file path directory folder port version release language channel address url company "
    "firm organisation organization employer amount sum price duration period length weight percentage number name "
    "host level status colour color temperature speed size format way"
)
"""Nouns of which a bare name may follow: "the version lodash is pinned to"."""
GATE = word_set("is are It's It’s it's it’s")

_PREPS = "|".join(sorted(PREPOSITIONS | word_set("as into onto")))
_PLACED = r"(?:in|on|at|with|from|by|under|for|through|via|to|behind|inside|after|every|until|as)"
_FRONT = re.compile(r"(?:(?:In|On|At|For|During|Under|With|By|When|After|Inside|Within) [^,;:]{2,60}, )")
_FRONT_IT = re.compile(r"(?:For|In|On|At) [^,;:]{2,60}? (?=it(?:['’]s| is) \S)")
_CLEFT = re.compile(
    rf"[Ii]t(?:['’]s| is) (?P<value>(?:{_PLACED} )?\S[^,;]*?) "
    r"(?:(?P<link>where|when)|that|who|which|(?=(?:we|you|I|they) )) ?(?P<clause>\S[^,;]*)\Z"
)
_THAT = (" that ", " which ", " who ", " whom ", " where ", " when ")
_BEHIND = tuple(
    f" {be} {word}" for be in ("is", "are") for word in ("the ", "The ", "what ", "who ", "where ", "when ", "how ")
)
_OPENS_CLAUSE = DETERMINERS | PERSONS | word_set("he she it")
_STOPS = (", ", "; ", " – ", " — ")
_NO_NOUNS = PREPOSITIONS | word_set("is are was were has have not and or")
_NAMED = re.compile(r"[A-Z_.¤`(\d]")
_NO_VALUES = word_set(
    "it this that these those there here he she they what who which where when how one i you we so "
    "someone somebody everyone everybody nobody no-one nothing something anything everything anyone both all each some "
    "many most few none neither either several"
)
_NOT_IN_VALUES = word_set(
    "and or not also only one that which who what where when because if than but is are was were has have there first"
)
_NOT_IN_CLAUSES = word_set(
    "that which who whom whose what where if because unless not never no longer was were would could should might "
    "also only and or but either used just ever once why how"
)
"""What makes more than one statement of a clause, or says that the value is one of several."""


def inversions_of(text: str, hidden: str) -> Iterator[Inversion]:
    """Yield the ways to take a sentence as one that puts its value first or last.

    Example:
        >>> s = "8080 is the port that the panel listens on"
        >>> [(s[slice(*i.value)], s[slice(*i.noun)], s[slice(*i.clause)]) for i in inversions_of(s, s)]
        [('8080', 'port', 'the panel listens on')]
    """
    front = 0
    if (fronted := _FRONT.match(hidden) or _FRONT_IT.match(hidden)) is not None:
        front = fronted.end()
    opener = hidden[front:].partition(" ")[0].lower()
    found: tuple[Inversion | None, ...]
    if opener in ("it", "it's", "it’s"):
        found = (_cleft(hidden, front),)
    elif opener in ("what", "who", "where", "when", "how"):
        found = (_last(hidden, front),)
    elif opener == "the":
        found = (
            _last(hidden, front) if _may_end_noun(hidden, front) else None,
            _first(hidden, front) if holds_any(hidden, _BEHIND) else None,
        )
    elif holds_any(hidden, _BEHIND):
        found = (_first(hidden, front),)
    else:
        return
    for one in found:
        if one is not None and _sound(hidden, one):
            yield one
            return


def _may_end_noun(hidden: str, front: int) -> bool:
    """Whether a clause may stand behind the noun that a sentence opens with; a look that costs little."""
    words = hidden[front:].split(" ", 8)
    if words[1:2] == ["number"] or holds_any(hidden, _THAT):
        return True
    for word in words[2:8]:
        if word in PREPOSITIONS or word in ("is", "are"):
            return False
        if word.lower() in _OPENS_CLAUSE or word.endswith(("s", "’s")) or _NAMED.search(word) is not None:
            return True
    return words[1:2] != [] and words[1] in PLAIN_NOUNS


def _first(hidden: str, front: int) -> Inversion | None:
    """Read "8080 is the port that the panel listens on"."""
    at = hidden.find(" is ", front)
    many = hidden.find(" are ", front)
    at = many if at < 0 or 0 <= many < at else at
    if at < 0:
        return None
    behind = hidden.index(" ", at + 1) + 1
    value = (front, at)
    if hidden.startswith(("the ", "The "), behind):
        return _with_noun(hidden, behind, len(hidden), value, True, front)
    return _asked(hidden, behind, len(hidden), value, True, front)


def _last(hidden: str, front: int) -> Inversion | None:
    """Read "The port that the panel listens on is 8080" and "What the build uses is GCC 13"."""
    at = max(hidden.rfind(" is ", front), hidden.rfind(" are ", front))
    if at < 0:
        return None
    value = (hidden.index(" ", at + 1) + 1, len(hidden))
    if hidden.startswith(("the ", "The "), front):
        return _with_noun(hidden, front, at, value, False, front)
    return _asked(hidden, front, at, value, False, front)


_ASKED = re.compile(r"(?:[Ww]hat|[Ww]ho|(?P<link>[Ww]here|[Ww]hen|[Hh]ow (?:long|often|much|many times))) (?=\S)")
_WITH_NOUN = re.compile(
    rf"[Tt]he (?P<noun>[\w-]+(?: [\w-]+){{0,4}}?)(?: of the (?:day|week|month|year))? "
    rf"(?:(?P<prep>{_PREPS}) which|(?P<link>where|when)|that|which|who|whom) (?=\S)"
)


def _asked(hidden: str, start: int, end: int, value: _Span, first: bool, front: int) -> Inversion | None:
    """Read what stands behind "what", "where" or "how long"."""
    match = _ASKED.match(hidden, start, end)
    if match is None:
        many = hidden[start:end].lower().startswith("how many ")
        return _numbered(hidden, start, end, value, first, front, 2) if many else None
    return Inversion(value, (match.end(), end), (start, start), (match["link"] or "").lower(), first, False, front)


def _with_noun(hidden: str, start: int, end: int, value: _Span, first: bool, front: int) -> Inversion | None:
    """Read what stands behind "the port that", "the file in which" and "the language the app"."""
    if hidden.startswith("number of ", start + 4):
        return _numbered(hidden, start, end, value, first, front, 3)
    match = _WITH_NOUN.match(hidden, start, end)
    if match is not None:
        noun = match.span("noun")
        of_noun = [w.lower() for w in match["noun"].split()]
        if not _NO_NOUNS.isdisjoint(of_noun):
            return None
        link = match["prep"] or match["link"] or ""
        return Inversion(value, (match.end(), end), noun, link, first, False, front)
    return _bare_noun(hidden, start, end, value, first, front)


def _bare_noun(hidden: str, start: int, end: int, value: _Span, first: bool, front: int) -> Inversion | None:
    """Read "the cache backend the service uses", without "that": a word that opens a subject ends the noun."""
    words = words_at(hidden, start, end)[1:6]
    for n, word in enumerate(words[1:], 1):
        bare = word.text.lower()
        if bare in PREPOSITIONS or not words[n - 1].text.islower():
            return None
        follows = words[n + 1].text if n + 1 < len(words) else ""
        several = is_plural(bare) and (follows in BASES or follows in ("are", "have"))  # "the age pilots retire at"
        opens = (
            several or bare in _OPENS_CLAUSE or word.text.endswith(("'s", "’s")) or _NAMED.search(word.text) is not None
        )
        if opens or (n == 1 and words[0].text in PLAIN_NOUNS):
            return Inversion(value, (word.start, end), (words[0].start, words[n - 1].end), "", first, False, front)
    return None


def _numbered(
    hidden: str, start: int, end: int, value: _Span, first: bool, front: int, opening: int
) -> Inversion | None:
    """Read "how many arguments the parser takes" and "the number of arguments the parser takes"."""
    words = words_at(hidden, start, end)[opening : opening + 5]
    for n, word in enumerate(words[1:], 1):
        bare = word.text.lower()
        if bare in PREPOSITIONS or n > 3:
            return None
        that = bare in ("that", "which")
        if that or bare in _OPENS_CLAUSE or _NAMED.search(word.text) is not None:
            what = " ".join(w.text for w in words[:n])
            clause = (word.end + 1 if that else word.start, end)
            return Inversion(value, clause, (start, start), f"how many {what}", first, False, front)
    return None


def _cleft(hidden: str, front: int) -> Inversion | None:
    """Read "It is Rust that the resizer is written in" and "It's at 9 that the museum opens"."""
    match = _CLEFT.match(hidden, front)
    if match is None:
        return None
    start, end = match.span("value")
    return Inversion((start, end), match.span("clause"), (start, start), match["link"] or "", True, True, front)


def _sound(hidden: str, found: Inversion) -> bool:
    """Whether the parts may be what they are taken for: one value, and one clause that holds now."""
    value, clause = hidden[slice(*found.value)], hidden[slice(*found.clause)]
    words, said = value.lower().split(), clause.split()
    if not words or len(words) > 8 or len(said) < 2 or words[0] in _NO_VALUES or not quiet(value):
        return False
    if not _NOT_IN_VALUES.isdisjoint(words) or not _NOT_IN_CLAUSES.isdisjoint(w.lower() for w in said):
        return False
    if is_plural(hidden[slice(*found.noun)].rpartition(" ")[2].lower()) or any(c in value + clause for c in _STOPS):
        return False
    if value.endswith((":", " -")) or ": " in hidden or " - " in hidden:
        return False
    if found.cleft:
        return _may_be_cleft(value, words_at(hidden, *found.clause)[0].text, does(words_at(hidden, *found.clause)))
    return True


def _may_be_cleft(value: str, opener: str, doing: bool) -> bool:
    """Whether "it is ... that" puts a value first, unlike "it is clear that", "it's a pity that"."""
    first, _, rest = value.partition(" ")
    if doing:
        return first not in ("a", "an") and opener not in ("is", "has")
    if first in PREPOSITIONS or first in ("after", "every", "until", "as"):
        return bool(rest)
    return first in ("the", "our", "my") or not first.islower() or any(c.isdigit() or c in "_./¤`#" for c in first)
