"""What the frames share: plain words for a subject, and when words name one thing."""

from __future__ import annotations

import re
from typing import NamedTuple

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.sentences.complements import masked
from memstrata_integrations.extraction.sentences.lexicon import (
    ANAPHORIC,
    CONJUNCTIONS,
    DEICTIC,
    FINITE_VERBS,
    MANY_ROLES,
    PREPOSITIONS,
    THINGS,
    UNASSERTED,
)
from memstrata_integrations.extraction.sentences.opinions import MEASURED, is_opinion
from memstrata_integrations.extraction.sentences.verbs import is_past
from memstrata_integrations.words import singular, word_set

__all__ = [
    "NAME_WORDS",
    "OF_OWN",
    "POSSESSIVE",
    "RACES",
    "STAGES",
    "TRIM",
    "_FIRST",
    "_NEW",
    "_OF_CODE",
    "Frame",
    "attached",
    "fills_role",
    "head_of",
    "in_past",
    "is_many",
    "is_many_of",
    "owned",
    "quiet",
    "still",
    "without_new",
]

TRIM = "\"'`()[]{}.,;:!?“”‘’"


class Frame(NamedTuple):
    """What a construction says in plain words.

    Attributes:
        subject: The subject, in words of the sentence.
        surface: The relation as a phrase.
        start: Where the value starts in the sentence.
        end: Where the sentence says the last about the value.
        rule: The name of the frame.
        change: Whether it reports a change rather than a state.
        sound: Whether the frame has judged the subject itself.
    """

    subject: str
    surface: str
    start: int
    end: int
    rule: str
    change: bool = False
    sound: bool = False


_OF_CODE = word_set("tool library package client language partner component framework server app service page bus")

_CHOSEN = word_set("favourite favorite preferred") | MEASURED
_RAISED = word_set("error exception warning event signal message log")  # one thing raises several of these

POSSESSIVE = word_set("its their his her")

_FIRST = {"i": "my", "we": "our"}

OF_OWN = re.compile(r"(?:(?P<own>its|their|his|her|my|our|the|a|an|your) )?(?P<role>\S.*)\Z")

NAME_WORDS = r"[^\s,;]+(?: [^\s,;]+){0,4}?"

RACES = word_set("marathon half-marathon race relay mile gauntlet risk course")
"""What one runs beside others."""

STAGES = word_set("stage phase tier plan team squad department league division shift floor class course track diet")

_NEW = re.compile(r"(?P<before>\b(?:[Tt]he|[Mm]y|[Oo]ur|[\w-]+['’]s) )new (?=[a-z])")


def quiet(words: str) -> bool:
    """Whether words hold no doubt, negation or second statement."""
    for word in masked(words).split():
        bare = word.strip(TRIM).lower()
        if (bare in UNASSERTED and word[:3] != "May") or bare in CONJUNCTIONS or bare in DEICTIC:
            return False
    return True


def fills_role(words: str) -> bool:
    """Whether words name a role that one thing fills."""
    listed = words.split()
    if not listed or len(listed) > 12 or is_opinion(listed):
        return False
    for word in listed:
        bare = word.strip(TRIM).lower()
        if bare in UNASSERTED or bare in CONJUNCTIONS or bare in DEICTIC or bare in FINITE_VERBS:
            return False
        if bare in ("that", "which", "who", "whose", "where", "one") or word[-1] in ",;:":
            return False
    head = head_of(listed)
    at = next((n for n, w in enumerate(listed) if w.strip(TRIM).lower() == head), 0)
    if head in _OF_CODE and at > 0 and listed[at - 1].lower() not in ("the", "a", "my", "our"):
        return True
    if head == "point" and at > 0 and listed[at - 1].lower() in ("entry", "exit", "meeting", "starting"):
        return True
    if not _CHOSEN.isdisjoint(w.lower() for w in listed[:at]):
        return singular(head) == head
    return not is_many(head)


def head_of(words: list[str]) -> str:
    """Return the head noun of a phrase, in lower case."""
    for n, word in enumerate(words):
        if word.lower() in PREPOSITIONS and n:
            return words[n - 1].strip(TRIM).lower()
    return words[-1].strip(TRIM).lower() if words else ""


def is_many(head: str) -> bool:
    """Whether several may fill a role at once."""
    return (
        head in MANY_ROLES
        or singular(head) in MANY_ROLES
        or head in ANAPHORIC
        or head in THINGS
        or (singular(head) != head and not head.endswith("quarters"))
    )


def owned(own: str | None, role: str, owner: str) -> str:
    """Join a role and the subject that it is a role of."""
    if own in ("my", "our"):
        return f"{own} {role}"
    if own in POSSESSIVE or own in (None, "the"):
        who = owner.strip()
        if who.lower() in _FIRST:
            return f"{_FIRST[who.lower()]} {role}"
        return attached(role, who, own == "their")
    return role


def attached(role: str, owner: str, own_plural: bool = False) -> str:
    """Say whose a role is; a qualifier of the role stays at the end."""
    front, comma, rest = owner.partition(", ")
    if comma and front.split(" ", 1)[0].lower() in PREPOSITIONS:
        return attached(f"{role} {front[0].lower()}{front[1:]}", rest)
    first = owner.partition(" ")[0]
    if own_plural and singular(first.lower()) != first.lower() and first[1:].islower():
        owner = owner[0].lower() + owner[1:]  # "Invoices use the franc as their currency": no name
    if role == "number":
        return f"{owner}'s number"
    link = "in" if re.fullmatch(r"[\w./-]+\.[a-z]{1,5}", owner) else "of"
    found = re.match(r"(?P<head>.+?) (?P<rest>(?:in|on|at|for|under|within|during) .+)\Z", role)
    said = f"{found['head']} {link} {owner} {found['rest']}" if found else f"{role} {link} {owner}"
    return said if is_identifier(role.strip().partition(" ")[0].strip("`")) else f"the {said}"


def without_new(subject: str) -> str:
    """Return a subject without the "new" that says it takes the place of the old one."""
    return _NEW.sub(r"\g<before>", subject)


def is_many_of(kind: str) -> bool:
    """Whether several may be of a kind that a clause describes."""
    words = kind.split()
    head = words[-1].lower()
    if head in _RAISED:
        return True
    if head in (
        "person",
        "place",
        "bank",
        "shop",
        "gym",
        "team",
        "company",
        "city",
        "server",
        "service",
        "module",
        "page",
    ):
        return is_opinion(words)
    if head in ("library", "client", "tool", "package", "file", "language", "partner") and len(words) > 1:
        return is_opinion(words)
    return is_many(head) or is_opinion(words)


def still(words: list[str]) -> bool:
    """Whether the words of a clause hold now and without doubt."""
    for word in words:
        bare = word.strip(TRIM).lower()
        if (
            bare in UNASSERTED
            or bare in CONJUNCTIONS
            or (bare in DEICTIC and bare not in ("i", "he", "she", "they", "you"))
        ):
            return False
    return True


def in_past(word: str) -> bool:
    """Whether a word may be a verb in the past."""
    return is_past(word.strip(TRIM).lower())
