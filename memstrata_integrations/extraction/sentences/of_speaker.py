"""Whose the things are that a change speaks of: what is "the thermostat" then was "my thermostat" or "ours" before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from memstrata_integrations.canonical import canonical_subject
from memstrata_integrations.extraction.sentences.lexicon import ARTEFACTS, ENTITY_NOUNS, GENERIC, MEASURES, THINGS
from memstrata_integrations.extraction.sentences.verbs import BASES, THIRD, is_past
from memstrata_integrations.facts import Fact
from memstrata_integrations.units import MONTHS, WEEKDAYS
from memstrata_integrations.words import word_set

__all__ = ["LONGEST_TURN", "OF_MY_PARENT", "names_parent", "of_kin", "of_the_speaker"]

_PARENTS = word_set(
    "mum mom mam mummy mommy mama mother dad daddy papa father grandma grandmother granny gran nan nana grandpa "
    "grandfather grandad granddad"
)
_MOST_KEYS, _PLAINEST = 2, ("is", "is on", "is at", "costs", "lasts", "is held at", "meets at", "departs at")
# Whom one brings in as "my sister Ida", and calls "Ida" from then on
_KIN = (
    *("my sister", "my brother", "my son", "my daughter", "son", "daughter", "dog", "cat"),  # "our son" has no "our"
    *("my wife", "my husband", "my partner", "my cousin", "my friend", "my colleague", "my niece", "my nephew"),
    *("my dog", "my cat", "my brother-in-law", "my sister-in-law", "my flatmate"),
)
_CALLED = re.compile(r"(?P<name>[A-Z][^\W\d_]*[a-zà-ÿ](?:-[A-Z][a-z]+)?)(?:(?P<own>['’]s) [a-z]| (?P<verb>[a-z]+)\b)")
_AUXILIARIES = frozenset(("is", "has", "was", "now", "just", "no", "got", "went"))
_NO_PEOPLE = BASES | GENERIC | ENTITY_NOUNS | ARTEFACTS | THINGS | MEASURES | frozenset(MONTHS) | frozenset(WEEKDAYS)
_OF_PEOPLE = ("lives in", "lives at", "is based in", "works for", "works at", "works as", "reports to", "is", "is on",
              "is at", "is engaged to", "weighs", "costs", "does of late", "is done thus", "is due on")  # fmt: skip
_TECHNICAL = frozenset("`_/=<>@{}[]")
OF_MY_PARENT = re.compile(rf"\b[Mm]y (?=(?:{'|'.join(sorted(_PARENTS))})\b(?!-))")
"""What "my mum" has more than "Mum", who is nobody else's."""

LONGEST_TURN = 240
"""Characters that a person says in one turn; a longer text is a document, which has no "my"."""


def names_parent(subject: str) -> bool:
    """Whether a subject speaks of "Mum" or "my dad": everybody has their own.

    Example:
        >>> [names_parent(s) for s in ("Mum's tablet", "the tablet of my dad", "the motherboard")]
        [True, True, False]
    """
    if "'s" in subject or "’s" in subject:
        return not _PARENTS.isdisjoint([w.removesuffix("'s").removesuffix("’s").lower() for w in subject.split()])
    return not _PARENTS.isdisjoint(subject.lower().split())


def of_the_speaker(facts: Sequence[Fact]) -> list[Fact]:
    """Return what a change acts on besides, where its things were told of as the speaker's own.

    Who says "my" means one person, and nobody else's; so a change of "my desk" acts on no other.

    Args:
        facts: What statements of change say.
    """
    found: list[Fact] = []
    acting = [f for f in facts if f.local and "i" not in f.subject.split() and not names_parent(f.subject)]
    known = dict.fromkeys((f.subject, f.relation) for f in acting)
    keys = sorted(known, key=lambda key: key[1] not in _PLAINEST)[:_MOST_KEYS]
    for fact in acting:
        if (fact.subject, fact.relation) in keys:
            words = fact.subject.split()
            bare = " ".join(w for w in words if w != "we")
            for own in ("my",) if "we" in words else ("my", "our"):
                found.append(replace(fact, subject=canonical_subject(f"{own} {bare}"), narrative=True, beside=True))
    return found


def of_kin(facts: Sequence[Fact], text: str, room: int) -> list[Fact]:
    """Return what a change acts on besides, where its person was brought in as "my sister Ida", and is "Ida" now.

    Args:
        facts: What statements of change say.
        text: The text, which begins with the name.
        room: How many keys the text has room for.
    """
    called = _CALLED.match(text) if facts else None
    if called is None or not _TECHNICAL.isdisjoint(text):
        return []
    verb = called["verb"]
    if verb and verb not in THIRD and verb not in _AUXILIARIES and not is_past(verb):
        return []  # "Monthly train pass"
    name = called["name"].lower()
    if name in _NO_PEOPLE or name.rstrip("s") in _NO_PEOPLE or names_parent(name):
        return []
    acting = [f for f in facts if f.relation in _OF_PEOPLE and f.object and name in f.subject.lower().split()]
    known = dict.fromkeys((f.subject, f.relation) for f in acting if not {"i", "we"} & set(f.subject.split()))
    works = [key for key in known if key[1] in ("works for", "works at")]
    keys = works or sorted(known, key=lambda key: _OF_PEOPLE.index(key[1]))[:1]
    return [
        replace(f, subject=canonical_subject(f"{kin} {f.subject}"), narrative=True, beside=True, local=True)
        for kin in _KIN[: max(room, 0) // max(len(keys), 1)]
        for f in acting
        if (f.subject, f.relation) in keys
    ]
