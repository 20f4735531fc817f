"""Does a subject name something that another source would mean as well?"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.sentences.lexicon import ACRONYMS, ENTITY_NOUNS, GENERIC, PREPOSITIONS
from memstrata_integrations.words import lower_words, word_set

__all__ = ["first_person", "names_entity"]

_FIRST_PERSON = word_set("i we my our me us mine ours")
_TRIM = "\"'`()[]{}.,;:!?*“”‘’"
_HYPHENATED = re.compile(
    r"[A-Z][a-z]+-(?:in|out|up|off|on|down|over|back|time|day|free|by)"
)  # "Check-in", of each hotel
_SMALL = word_set("the a an") | PREPOSITIONS
# Whose mum it is, only the source knows
_KIN = word_set(
    "mum mom mummy mommy mama mam dad daddy papa gran granny grandma grandpa grandad granddad grandmother grandfather "
    "nan nana oma opa mother father auntie sis bro"
)


def first_person(subject: str) -> bool:
    """Whether a subject speaks of its author: "I", "our port"."""
    if subject.replace(" ", "").isalnum():  # no marks around its words
        return not _FIRST_PERSON.isdisjoint(lower_words(subject))
    return not _FIRST_PERSON.isdisjoint([w.strip(_TRIM) for w in subject.lower().split()])


@lru_cache(maxsize=2048)
def names_entity(phrase: str, *, title: bool = False) -> bool:
    """Whether a phrase names an entity, rather than a field that many sources have.

    Args:
        phrase: A subject or a heading.
        title: It is a heading, in which capitals mean nothing.

    Example:
        >>> [names_entity(p) for p in ("the port", "the billing service's port", "MAX_SIZE", "Alice", "Status")]
        [False, True, True, True, False]
    """
    words = phrase.split()
    traits_of = _cached_traits if len(phrase) <= _LONGEST_CACHED else _traits
    unknown = False  # the word before was neither generic nor small
    for n, word in enumerate(words):
        traits = traits_of(word)
        if traits is None:
            unknown = False
            continue
        if traits.is_code or (unknown and traits.is_entity):
            return True
        if traits.is_capital and not title and (n or (traits.may_open and (traits.is_owner or len(words) == 1))):
            return True
        unknown = traits.is_unknown
    return False


class _Traits(NamedTuple):
    """What a word of a phrase tells of whether the phrase names an entity.

    Attributes:
        is_code: It is an identifier.
        is_entity: It is a noun of entities.
        is_capital: It is not generic, and written with a capital.
        may_open: The capital tells something at the start, too.
        is_owner: It is a possessor.
        is_unknown: It is not generic, and no possessor.
    """

    is_code: bool
    is_entity: bool
    is_capital: bool
    may_open: bool
    is_owner: bool
    is_unknown: bool


def _traits(word: str) -> _Traits | None:
    """Return what a word tells, `None` of a small one."""
    bare = word.strip(_TRIM)
    bare = bare[:-2] if bare.endswith(("'s", "’s")) else bare
    lower = bare.lower()
    if not bare or lower in _SMALL:
        return None
    singular = lower.removesuffix("s")
    generic = lower in GENERIC or singular in GENERIC or lower in ACRONYMS or lower in _KIN
    is_code = is_identifier(bare) or word.strip("`'\".,;").endswith("()")
    return _Traits(
        is_code=is_code and (bare[0].isalpha() or any(c.isalpha() for c in bare)),
        is_entity=lower in ENTITY_NOUNS or singular in ENTITY_NOUNS,
        is_capital=not generic and bare[0].isupper(),
        may_open=_HYPHENATED.fullmatch(bare) is None,
        is_owner=word.endswith(("'s", "’s")),
        # "the kids' school" is no school of that name
        is_unknown=not generic and bare[0].isalpha() and not word.endswith(("'s", "’s", "s'", "s’")),
    )


_LONGEST_CACHED = 256  # characters of a phrase
_cached_traits = lru_cache(maxsize=4096)(_traits)
