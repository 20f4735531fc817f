"""What the words of a role say: its head noun, whether many may fill it, whether a plain word does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from memstrata_integrations.extraction.sentences.lexicon import (
    ACRONYMS,
    CODE_NOUNS,
    MANY_ROLES,
    PERSON_ROLES,
    PHONES,
    PREPOSITIONS,
    THINGS,
    WORD_ROLES,
)
from memstrata_integrations.words import singular, word_set

__all__ = ["code_in", "code_of", "head_phrase", "is_many_role", "is_plural", "is_role", "is_specific", "role_of_word"]

_FAVOURITES = frozenset(("favourite", "favorite", "fave", "preferred", "default", "main", "usual", "current"))


# What a count, a till or a rule decides, filled by a plain word: "the best-selling cone is pistachio"
_RANKED = word_set("best-selling bestselling top-selling most-read most-played oldest smallest cheapest tallest")
_OF_THE_DAY = tuple(f"{dish} of the {day}" for dish in ("soup", "dish", "cake") for day in ("day", "week", "month"))
_WORDED = frozenset(("dress code", "colour scheme", "color scheme", "password hint"))
_NO_ROLES = PREPOSITIONS | {"the", "a", "an"}
_MANAGED = word_set("package password process window version secret task file dependency session")


_HONOURED = re.compile(r"\b(?:(?:guest|maid|matron|man|woman) of (?:honou?r|the match)|best man)\b")
_TEACHING = word_set("teacher doctor dentist nurse")
_OF_CODE = word_set("tool library package client language partner component framework file reviewer bus")
_OF_SEVERAL = _OF_CODE | _TEACHING


def is_specific(words: list[str]) -> bool:
    """Whether a role that many may have is told apart: "the deploy tool of Larch", "my tennis partner"."""
    lower = [w.lower() for w in words]
    if not _FAVOURITES.isdisjoint(lower) or _HONOURED.search(" ".join(lower)):
        return True
    for n, word in enumerate(lower):
        if word in _OF_SEVERAL and (n + 1 == len(lower) or lower[n + 1] in PREPOSITIONS):
            modifier = words[n - 1] if n else ""
            owned = words[0].lower() in ("the", "my", "our") or any(w.endswith(("'s", "’s")) for w in words[:n])
            return bool(
                owned and n > 1 and not modifier.endswith(("'s", "’s")) and modifier.lower() not in ("the", "my", "our")
            )
    return False


def role_of_word(words: list[str]) -> bool:
    """Whether a role is filled by a plain word: "favourite colour", "type checker", "package manager"."""
    lower = [w.lower() for w in words]
    head = head_phrase(lower)[0] if lower else ""
    if not head or is_plural(head):
        return False
    owned = lower[0] in ("the", "my", "our") or any(w.endswith(("'s", "’s")) for w in lower) or "of" in lower
    if head == "manager" and _MANAGED.isdisjoint(lower):
        return False
    if not _FAVOURITES.isdisjoint(lower[:-1]):
        return head not in PERSON_ROLES
    worded = f"{lower[lower.index(head) - 1]} {head}" in _WORDED or " ".join(lower[1:]).startswith(_OF_THE_DAY)
    if worded or not _RANKED.isdisjoint(lower):
        return owned and head not in PERSON_ROLES and len(lower) > 3
    return (
        owned
        and (len(lower) > 2 or words[0].endswith(("'s", "’s")))
        and head in WORD_ROLES
        and (head not in THINGS or is_specific(words))
        and head not in MANY_ROLES
    ) or (owned and head in _OF_CODE and is_specific(words))


def is_many_role(word: str) -> bool:
    """Whether several may fill a role, by its head noun."""
    return word in MANY_ROLES or word.removesuffix("s") in MANY_ROLES


def is_plural(word: str) -> bool:
    """Whether a noun is a plural."""
    return singular(word) != word and word not in ("headquarters", "series", "premises", "works")


_NUMBERED = CODE_NOUNS | word_set(
    "flight account room house customer membership passport policy order reference serial model bus tram train "
    "licence license registration invoice ticket booking berth table channel"
)


def code_of(words: list[str]) -> str | None:
    """Name what a subject numbers things with: "phone", "code", or `None`.

    "The flat number" is a code, "the number of flats" a count.
    """
    lower = [w.lower() for w in words]
    return code_in(lower, head_phrase(lower))


def code_in(lower: list[str], heads: list[str]) -> str | None:
    """Name what a subject numbers things with, by its words in lower case and those that may be its head."""
    if not PHONES.isdisjoint(lower) and any(w in PHONES or w == "number" for w in heads):
        return "phone"
    if "of" in lower and heads[-1] in ("number", "count"):
        of = lower[lower.index("of") + 1 :]
        if heads[-1] == "number" and len(lower) > 2 and lower[lower.index("number") - 1] in _NUMBERED:
            return "code"  # "the seat number of Ann"
        if heads[-1] == "count" or len(of) < 2 or of[0] not in ("the", "my", "our") or is_plural(of[-1]):
            return None  # "the number of flats", but "the emergency number of the lab"
    return "code" if heads and heads[-1] in CODE_NOUNS and len(lower) > 1 else None


def is_role(words: list[str]) -> bool:
    """Whether the subject names a role that something fills: "the mayor of X", "our CI", "X's manager"."""
    for word in words:
        if word.islower() and word not in _NO_ROLES:
            return True
    return len(words) > 1 and (words[-1].lower() in ACRONYMS or words[0].lower() in ("the", "our", "my"))


def head_phrase(words: Sequence[str]) -> list[str]:
    """Return the words that may be the head noun: the last before a preposition, and the last of all."""
    for before, word in pairwise(words):
        if word.lower() in PREPOSITIONS:
            return [before]
    return list(words[-1:])
