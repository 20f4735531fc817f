"""The parts of a line of notes: which words name a thing, which name what it has, which are a remark."""

from __future__ import annotations

import re

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.lone_rows import is_attribute
from memstrata_integrations.extraction.sentences.lexicon import (
    CONJUNCTIONS,
    DEICTIC,
    ENTITY_NOUNS,
    EVENTS,
    FINITE_VERBS,
    IMPERATIVES,
    LABELS,
    MANY_ROLES,
    MEASURES,
    PERSON_ROLES,
    PREPOSITIONS,
    SUPPRESSING_HEADINGS,
    UNASSERTED,
)
from memstrata_integrations.extraction.sentences.nominals import act_of_noun
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.sentences.pointing import is_caption, numbers_a_record
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.scoped import TALKING
from memstrata_integrations.extraction.sentences.verbs import is_participle
from memstrata_integrations.units import MONTHS, WEEKDAYS
from memstrata_integrations.words import singular, word_set

__all__ = [
    "bare_words",
    "has_one",
    "is_noun_phrase",
    "is_of_many",
    "is_role",
    "is_thing",
    "is_whole_name",
    "lasts",
    "may_be_person",
    "names_thing",
    "split",
    "stands_for_thing",
]

_TRIM = "`*\"'“”‘’().,!"
_MOST_WORDS = 9
_VERSION = re.compile(r"v\d")
_DETERMINERS = word_set("my our the his her their")
# What opens a remark, and no name of a thing
_TURNS = word_set(
    "hi hello hey dear thanks sorry yes no ok okay well so also first firstly second secondly third next then finally "
    "lastly meanwhile overall generally ps btw fyi re fwd cc via per everyone all team folks guys done ready late "
    "again still just only not never new quick up down out off on away back heads breaking "
    "half most some many few several all both any none other others another one each every"
)
_TIMES = frozenset(WEEKDAYS) | frozenset(MONTHS) | word_set(
    "today tomorrow yesterday tonight now morning afternoon evening night noon midnight week weekend month year "
    "quarter day days weeks months years season spring summer autumn fall winter next last this every each the "
    "early mid late am pm sprint semester term"
)  # fmt: skip
# These name a kind of remark by themselves, and a part of a thing before its noun: "Error page", "Docs site"
_ALSO_PARTS = word_set("docs default input output error info host page section user customer agent system bot release "
                       "version tag warning debug result answer question ticket reason")  # fmt: skip
_ALSO_THINGS = word_set(
    "table page line section host guest system bot agent operator stage template class part user caller"
)
_ALSO_LINES = word_set("call class check open close change print run export import update upgrade install pin test "
                       "build release pass")  # fmt: skip
_ABBREVIATED = word_set("api db cli sdk ui ci vm cdn ide url dns vpn crm erp")
_PERSONS = PERSON_ROLES - MANY_ROLES
_NO_HEADS = (
    (TALKING | LABELS | EVENTS)
    - _ALSO_THINGS
    - word_set("version release tag default host page line section backup maintenance class shift")
)
_NO_LAST = word_set("about only over almost nearly around approximately roughly just still also more less another")


def bare_words(said: str) -> list[str]:
    """Return the words of a label in small letters, without their marks."""
    return [w.strip(_TRIM).lower() for w in said.split()]


# What an occasion has as well: a call, a lap, a payment; and what a thing has several of
_OF_OCCASIONS = word_set(
    "price amount cost fee total duration length weight age distance score status code latency grade result time "
    "speed reading temperature level value answer mark rating"
)
_OF_SEVERAL = word_set(
    "keyword field table image script icon tag endpoint platform browser header column label parameter option page link"
)
_PASSING = word_set(
    "item candidate parcel log logs test benchmark panel entry order run lap meal dish recipe step task"
)


def lasts(said: str, what: str) -> bool:
    """Whether a line may tell what a lasting thing has one of, rather than what an occasion had.

    Example:
        >>> lasts("Photo form", "upload limit"), lasts("Customer call", "length"), lasts("Search page", "keyword")
        (True, False, False)
    """
    words, head = bare_words(said), head_phrase(bare_words(what))[0]
    if is_identifier(said.strip(_TRIM)):
        return True
    if singular(head) in _OF_SEVERAL:
        return False
    if words[0] in _DETERMINERS:
        return True
    last = singular(head_phrase(words)[0])
    if last in _PASSING or (last not in ENTITY_NOUNS and (last in EVENTS or act_of_noun(last) is not None)):
        return False
    if head in _OF_OCCASIONS:
        return last in ENTITY_NOUNS and len(words) > 1 and head not in ("status", "code", "amount", "total")
    return len(words) > 1 or last in ENTITY_NOUNS or is_whole_name(said)


def names_thing(said: str) -> bool:
    """Whether words may name the thing that a line is about: no date, greeting, caption, or kind of remark."""
    words = bare_words(said)
    if (
        not words
        or not all(words)
        or len(words) > _MOST_WORDS
        or is_opinion(words)
        or not (said[0].isalpha() or said[0] in "`@/.")
    ):
        return False
    if (
        is_caption(said)
        or numbers_a_record(said)
        or _VERSION.match(words[0])
        or all(w in _TIMES or w[0].isdigit() for w in words)
    ):
        return False
    first, last = words[0], words[-1]
    if (
        first in _TURNS
        or last in _TURNS
        or first in PREPOSITIONS
        or (first in IMPERATIVES and first not in _ALSO_LINES)
    ):
        return False
    kinds = LABELS | TALKING | SUPPRESSING_HEADINGS
    if last in kinds - ENTITY_NOUNS - _ALSO_PARTS - _ALSO_THINGS or (
        len(words) == 1 and first in kinds | IMPERATIVES | EVENTS
    ):
        return False
    if first in kinds and (first not in _ALSO_PARTS or words[1] in PREPOSITIONS or words[1][0].isdigit()):
        return False
    if len(words) == 1 and first.endswith(("ed", "ly")):
        return False
    return not any(w in UNASSERTED or w in DEICTIC or w in FINITE_VERBS or w in CONJUNCTIONS for w in words)


def is_noun_phrase(said: str) -> bool:
    """Whether words may name what a thing has, in words that claim nothing by themselves: "max results per page"."""
    words = bare_words(said)
    if not words or not all(words) or len(words) > _MOST_WORDS or not (said[0].islower() or said.split()[0].isupper()):
        return False
    head = head_phrase(words)[0]
    if words[0] in PREPOSITIONS | _TURNS or words[-1] in PREPOSITIONS or head in _NO_HEADS or is_caption(said):
        return False
    if words[0] in IMPERATIVES and words[0] not in _ALSO_LINES:
        return False
    if len(words) == 1 and (head.endswith("ly") or is_participle(head) or head in _TIMES):
        return False
    if words[0] in _DETERMINERS or is_opinion(words):
        return False
    return not any(w in UNASSERTED or w in DEICTIC or w in FINITE_VERBS or w in CONJUNCTIONS for w in words)


def _is_name(word: str) -> bool:
    """Whether a word is written as a name or a symbol of a program is."""
    return is_identifier(word.strip(_TRIM)) or "`" in word


def is_thing(said: str) -> bool:
    """Whether words name a thing for certain, rather than what one has: "our flat", "orders database", "RankList"."""
    words = said.split()
    low = bare_words(said)
    if low[0] in _DETERMINERS or _is_name(words[0]) or _is_name(words[-1]):
        return True
    head = head_phrase(low)[0]
    if head in ENTITY_NOUNS and len(words) > 1 and head not in ("plan", "state", "extension"):
        return True
    return len(words) > 1 and all(w[0].isupper() for w in words) and not words[-1].isupper()


def is_whole_name(said: str) -> bool:
    """Whether each word is one of a name: "Kestrel Choir", and neither "Payments API" nor "Parcel kiosk"."""
    first, *more = said.split()
    if not all(w[:1].isupper() for w in (first, *more)) or is_of_many(first):
        return False
    return not more or first[1:].isupper() or any(w.lower() not in _ABBREVIATED for w in more)


def may_be_person(said: str) -> bool:
    """Whether words may be the name of a person: "Anna Reyes"."""
    words = said.split()
    return len(words) < 4 and all(w[:1].isupper() and w[1:].islower() for w in words)


def has_one(said: str) -> bool:
    """Whether words name an attribute of which a thing has one at a time."""
    words = bare_words(said)
    head = head_phrase(words)[0]
    if words[-1] in _NO_LAST | PREPOSITIONS or not is_noun_phrase(said):
        return False
    return is_attribute(words) or (head in MEASURES and not is_plural(head))


def is_role(said: str) -> bool:
    """Whether words name who does something for a thing: "main sponsor", "owner"."""
    return head_phrase(bare_words(said))[0] in _PERSONS


def split(first: str, second: str) -> tuple[str, str] | None:
    """Return the thing and what it has, of two parts of a label in either order; `None` if that is not certain.

    Example:
        >>> split("Rate limit", "partner API"), split("Docs site", "package manager")
        (('partner API', 'Rate limit'), ('Docs site', 'package manager'))
    """
    things, ones = (is_thing(first), is_thing(second)), (has_one(_small(first)), has_one(second))
    if things[0] != things[1]:
        thing, other = (first, second) if things[0] else (second, first)
        return (thing, other) if is_noun_phrase(_small(other)) and names_thing(thing) else None
    if ones[0] == ones[1] or (things[0] and not ones[1]):
        return None
    thing, other = (first, second) if ones[1] else (second, first)
    return (thing, other) if names_thing(thing) else None


def _small(said: str) -> str:
    """Return words as they stand inside of a line: "Rate limit" as "rate limit", "HR limit" as it is."""
    first = said.split()[0]
    return said[0].lower() + said[1:] if first[1:].islower() else said


def is_of_many(word: str) -> bool:
    """Whether the first word of a line is a plain plural, whose capital is that of the line: "Payments module"."""
    low = word.lower()
    return word[:1].isupper() and word[1:].islower() and singular(low) != low


def stands_for_thing(said: str) -> bool:
    """Whether words name a thing that may have parts or be dealt with, and no event or remark: "Paper bin"."""
    return names_thing(said) and head_phrase(bare_words(said))[0] not in _NO_HEADS
