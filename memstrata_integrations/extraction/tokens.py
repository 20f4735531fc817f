"""The words of a sentence around its value, and which of them are its verb's rather than a name's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from memstrata_integrations.canonical import content_words
from memstrata_integrations.extraction.sentences.lexicon import PREPOSITIONS
from memstrata_integrations.relations import ADVERBS
from memstrata_integrations.words import word_set

__all__ = ["PARTICLES", "TRIM", "Token", "before", "is_agent", "is_particle", "is_verb", "tokens_of"]

TRIM = "\"'`()[]{}.,;:!?*“”‘’"
"""What may stand around a word."""
PARTICLES = word_set("up down back out off over away forward along")
"""What a verb of change may have beside it."""
_TOKEN = re.compile(r"\S+")
_AGENTS = word_set("i we you they he she it")
_BE = word_set("am is are be been being")


class Token(NamedTuple):
    """One word of a sentence.

    Attributes:
        start: Where it starts.
        end: Where it ends, with what stands around it.
        bare: The word alone.
        words: Its content words.
        closes: Whether a phrase ends with it.
        opens: Whether it opens brackets.
    """

    start: int
    end: int
    bare: str
    words: frozenset[str]
    closes: bool
    opens: bool


def tokens_of(sentence: str, objects: Sequence[tuple[int, int]], beside: Sequence[tuple[int, int]] = ()) -> list[Token]:
    """Return the words of a sentence but for its values, and what stands beside the matter."""
    found = []
    for match in _TOKEN.finditer(sentence):
        start, end = match.span()
        if any(start < b and a < end for a, b in (*objects, *beside)):
            continue
        word = match[0]
        bare = word.strip(TRIM)
        if bare:
            closes = word[-1] in ",;:)]" or (word[-1] in ".!?" and len(word) > 3)
            found.append(Token(start, end, bare, content_words(word), closes, word[0] in "(["))
    return found


def before(tokens: Sequence[Token], place: tuple[int, int]) -> int:
    """Return the place of the last token before the object."""
    return sum(1 for t in tokens if t.start < place[0]) - 1


def is_verb(tokens: Sequence[Token], n: int) -> bool:
    """Whether a word right before a subject is what somebody does with it: "we reach", "they are running"."""
    lower = tokens[n].bare.lower()
    at = n - 1
    while at > 0 and (tokens[at].bare.lower() in ADVERBS or tokens[at].bare.lower().endswith("ly")):
        at -= 1
    if at < 0 or tokens[at].closes:
        return False
    earlier = tokens[at].bare.lower()
    return earlier in _AGENTS or (lower.endswith("ing") and earlier in _BE)


def is_particle(tokens: Sequence[Token], n: int, place: tuple[int, int]) -> bool:
    """Whether a word belongs to the verb: "up" in "bumped the API up to 2.4"; a sign up limit is something else."""
    if tokens[n].bare.lower() not in PARTICLES:
        return False
    if n + 1 == len(tokens) or tokens[n].closes or tokens[n].start < place[0] <= tokens[n + 1].start:
        return True
    return tokens[n + 1].bare.lower() in PREPOSITIONS


def is_agent(tokens: Sequence[Token], n: int) -> bool:
    """Whether a word is "we", or "I" before what I do; the "I" of "phase I" numbers it."""
    bare = tokens[n].bare
    if bare != "I" or n + 1 == len(tokens) or tokens[n].closes:
        return bare.lower() == "we"
    return tokens[n + 1].bare.lower() not in ("the", "a", "an") and tokens[n + 1].bare.lower() not in PREPOSITIONS
