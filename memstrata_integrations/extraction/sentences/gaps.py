"""Where the value of a question clause goes: "the panel listens on ... in staging", "we store them ...".

A clause behind "what", "where" or "the port that" lacks a part. Its verb, the preposition that is left without a noun
and what follows tell where that part stands in the plain sentence. Where several places may be meant, each is tried,
and the plain sentence is judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memstrata_integrations.extraction.sentences.lexicon import PREPOSITIONS
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.verbs import BASES, MANY_VERBS, THIRD, is_participle
from memstrata_integrations.words import word_set

__all__ = ["DETERMINERS", "PERSONS", "Gap", "Word", "does", "gaps_of", "verbs_of", "words_at"]

DETERMINERS = word_set("the our my your his her its their this that a an all each every both no these those")
PERSONS = word_set("i we you they")
_STRANDED = PREPOSITIONS | word_set("into onto about as like around off after before above below toward towards out up")
# What may stand behind the place of the value
_BEHIND = (PREPOSITIONS | word_set("as after before into onto around about above below out when while once")) - {"of"}
_NO_SUBJECTS = DETERMINERS - word_set("this that these those")
_FINITE = word_set("is are was were has have had does do did can will would could should may might must am be")
# "What we call our hamster is Pip": the value stands behind the thing
_NAMING = word_set("call name")
_TOKEN = re.compile(r"\S+")


class Word(NamedTuple):
    """A word of a sentence and where it stands."""

    text: str
    start: int
    end: int


class Gap(NamedTuple):
    """Where the value goes.

    Attributes:
        verb: The verb in its base form, or "be".
        subject: Where the subject ends.
        place: Behind which place of the sentence the value goes.
        at_end: Whether the clause ends there.
    """

    verb: str
    subject: int
    place: int
    at_end: bool


def words_at(hidden: str, start: int, end: int) -> list[Word]:
    """Return the words of a piece of a sentence, with their places."""
    return [Word(m[0], m.start(), m.end()) for m in _TOKEN.finditer(hidden, start, end)]


def does(words: Sequence[Word]) -> bool:
    """Whether a clause opens with its verb: "(that) runs the tests", "(who) is on call"."""
    first = words[0].text
    return first in THIRD or first in ("is", "has")


def gaps_of(words: Sequence[Word], adverbial: bool) -> Iterator[Gap]:
    """Yield where the value of a clause may go.

    Args:
        words: The words of the clause.
        adverbial: Whether what it lacks says where, when or how long.

    Example:
        >>> [(g.verb, g.place) for g in gaps_of(words_at("the panel listens on in staging", 0, 31), False)]
        [('listen', 20)]
    """
    for at, behind, verb in _verbs(words):
        rest = words[behind:]
        subject = words[at - 1].end
        here, last = words[behind - 1].end, words[-1].end
        if not rest or rest[-1].text in _STRANDED:
            yield Gap(verb, subject, last, True)
        elif adverbial:
            if rest[0].text in _BEHIND:
                yield Gap(verb, subject, here, False)
            yield Gap(verb, subject, last, True)
        elif rest[0].text in _STRANDED and (rest[1].text in _BEHIND or rest[1].text.endswith("ly")):
            yield Gap(verb, subject, rest[0].end, False)
        elif rest[0].text in _BEHIND or (rest[0].text == "to" and len(rest) > 1):
            yield Gap(verb, subject, here, False)
        elif verb in _NAMING:
            yield Gap(verb, subject, last, True)


def verbs_of(words: Sequence[Word]) -> Iterator[tuple[int, str]]:
    """Yield where the subject of a clause may end, and the base of its verb."""
    for at, _, verb in _verbs(words):
        yield words[at - 1].end, verb


def _verbs(words: Sequence[Word]) -> Iterator[tuple[int, int, str]]:
    """Yield where a verb may stand in a clause, where it ends, and its base."""
    for at in range(1, len(words)):
        word = words[at].text
        if words[at - 1].text.lower() in _NO_SUBJECTS:
            continue
        behind = at + 1
        follows = words[behind].text if behind < len(words) else ""
        if word in ("is", "are", "am"):
            doing = bool(follows) and (is_participle(follows) or (follows.endswith("ing") and len(follows) > 5))
            yield at, behind + doing, "be"
            return
        if word in _FINITE and word not in ("has", "have"):
            return
        if follows in _FINITE:
            continue  # "the audit logs are kept"
        if word in ("has", "have"):
            yield at, behind, "have"
        elif word in THIRD:
            yield at, behind, THIRD[word]
        elif (word in BASES or word in MANY_VERBS) and _many(words[:at]):
            yield at, behind, word


def _many(subject: Sequence[Word]) -> bool:
    """Whether a subject takes the plain form of a verb: "we", "the tests", "callers of the API"."""
    texts = [w.text.lower() for w in subject]
    return (
        (len(texts) == 1 and texts[0] in PERSONS)
        or is_plural(texts[-1].strip("`"))
        or is_plural(head_phrase(texts)[0].strip("`"))
        or texts[-1] in ("people", "staff")
    )
