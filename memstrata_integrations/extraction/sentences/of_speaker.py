"""Whose the things are that a change speaks of: what is "the thermostat" then was "my thermostat" or "ours" before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from memstrata_integrations.canonical import canonical_subject
from memstrata_integrations.facts import Fact
from memstrata_integrations.words import lower_words, word_set

__all__ = ["LONGEST_TURN", "OF_MY_PARENT", "names_parent", "of_the_speaker"]

_PARENTS = word_set(
    "mum mom mam mummy mommy mama mother dad daddy papa father grandma grandmother granny gran nan nana grandpa "
    "grandfather grandad granddad"
)
# What one has with somebody, told by one of the two
_MEETINGS = word_set("one-to-one 1-to-1 one-on-one 1:1 1-1 catch-up catchup date appointment")
_MOST_KEYS, _PLAINEST = 2, ("is", "is on", "is at", "costs", "lasts", "is held at", "meets at", "departs at")
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
    return not _PARENTS.isdisjoint(lower_words(subject))


def _is_meeting(subject: str) -> bool:
    """Whether a subject is what the speaker has with somebody: "the one-to-one with Kim".

    Example:
        >>> _is_meeting("weekly with:kim one-to-one"), _is_meeting("with:acme contract")
        (True, False)
    """
    words = subject.split()
    return words[-1:] != [] and words[-1] in _MEETINGS and any(w.startswith("with:") for w in words)


def of_the_speaker(facts: Sequence[Fact]) -> list[Fact]:
    """Return what a change acts on besides, where its things were told of as the speaker's own.

    Who says "my" means one person, and nobody else's; so a change of "my desk" acts on no other.

    Args:
        facts: What statements of change say.
    """
    found: list[Fact] = []
    acting = [
        f
        for f in facts
        if (f.local or _is_meeting(f.subject)) and "i" not in f.subject.split() and not names_parent(f.subject)
    ]
    if not acting:
        return found
    known = dict.fromkeys((f.subject, f.relation) for f in acting)
    keys = sorted(known, key=lambda key: key[1] not in _PLAINEST)[:_MOST_KEYS]
    for fact in acting:
        if (fact.subject, fact.relation) in keys:
            words = fact.subject.split()
            bare = " ".join(w for w in words if w != "we")
            for own in ("my",) if "we" in words else ("my", "our"):
                found.append(replace(fact, subject=canonical_subject(f"{own} {bare}"), narrative=True, beside=True))
    return found
