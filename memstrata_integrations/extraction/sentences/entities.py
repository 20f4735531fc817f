"""Does a subject name something that another source would mean as well?"""

from __future__ import annotations

import re
from functools import lru_cache

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.sentences.lexicon import ACRONYMS, ENTITY_NOUNS, GENERIC, PREPOSITIONS
from memstrata_integrations.words import word_set

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


@lru_cache(maxsize=2048)
def first_person(subject: str) -> bool:
    """Whether a subject speaks of its author: "I", "our port"."""
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
    unknown = False  # the word before was neither generic nor small
    for n, word in enumerate(words):
        bare = word.strip(_TRIM)
        bare = bare[:-2] if bare.endswith(("'s", "’s")) else bare
        lower = bare.lower()
        if not bare or lower in _SMALL:
            unknown = False
            continue
        if (is_identifier(bare) or word.strip("`'\".,;").endswith("()")) and any(c.isalpha() for c in bare):
            return True
        singular = lower.removesuffix("s")
        if unknown and (lower in ENTITY_NOUNS or singular in ENTITY_NOUNS):
            return True
        generic = lower in GENERIC or singular in GENERIC or lower in ACRONYMS or lower in _KIN
        if (
            not generic
            and not title
            and bare[0].isupper()
            and (n or not _HYPHENATED.fullmatch(bare))
            and (n or len(words) == 1 or words[0].endswith(("'s", "’s")))
        ):
            return True
        # "the kids' school" is no school of that name
        unknown = not generic and bare[0].isalpha() and not word.endswith(("'s", "’s", "s'", "s’"))
    return False
