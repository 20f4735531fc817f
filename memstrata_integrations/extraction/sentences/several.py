"""People and animals of which one may have several: what is said of one says nothing of the other."""

from __future__ import annotations

import re

from memstrata_integrations.words import word_set

__all__ = ["may_be_another"]

# Of these one has several: without a name, "my friend" is now this one and now that one
_MANY = word_set(
    "friend colleague coworker co-worker workmate neighbour neighbor cousin classmate schoolmate teammate client "
    "customer student pupil patient guest uncle aunt auntie niece nephew grandchild grandson granddaughter "
    "acquaintance follower subscriber relative"
)
# Of these one may have several; what stays with each for life tells them apart
_SOME = word_set(
    "son daughter child kid baby boy girl twin brother sister sibling stepson stepdaughter stepbrother stepsister "
    "cat dog puppy kitten pet horse pony hamster rabbit bird parrot fish tortoise hen"
)
# Of these a firm or a club has several
_OF_A_FIRM = word_set(
    "engineer partner instructor supplier sponsor contractor competitor tester volunteer investor vendor reseller"
)
# Of these a country may have two, and a firm was founded by two
_OF_A_COUNTRY = re.compile(r"\b(?:(?:spoken|national|native|regional) (?:language|sport)|founder)\b", re.IGNORECASE)
_FOR_LIFE = frozenset(("name", "first name", "middle name", "birthday", "birth date", "date of birth", "star sign"))
_OWNERS = word_set("my our his her their")
_WHOSE = re.compile(
    r"(?:my|our|his|her|their|[\w.-]+(?: [\w.-]+)?['’]s?) (?:(?:older|younger|elder|little|big|old|new) )?"
    r"(?P<who>[a-z-]+)(?:['’]s? (?P<what>[a-z ]+))?\Z",
    re.IGNORECASE,
)
_OF_WHOM = re.compile(r"(?:the )?(?P<what>[a-z ]+?) of (?:my|our|his|her|their) (?P<who>[a-z-]+)\Z", re.IGNORECASE)


def may_be_another(subject: str, relation: str) -> bool:
    """Whether a later statement with this subject may well speak of somebody else.

    Example:
        >>> [may_be_another(*s) for s in (("My son's name", "is"), ("My friend", "lives in"), ("My son", "lives in"))]
        [True, True, False]
        >>> may_be_another("The spoken language of Aruba", "is"), may_be_another("The official language", "is")
        (True, False)
    """
    lower = subject.lower()
    may_be_shared = "language" in lower or "port" in lower or "founder" in lower
    if may_be_shared and _OF_A_COUNTRY.search(subject) is not None:
        return relation == "is"
    owned = "'" in subject or "’" in subject or not _OWNERS.isdisjoint(lower.split())
    match = (_WHOSE.match(subject) or _OF_WHOM.match(subject)) if owned else None
    if match is None:
        return False
    who = match["who"].lower()
    if who in _MANY or (who in _OF_A_FIRM and subject[:4].lower() == "our " and relation == "is"):
        return True
    return who in _SOME and (relation == "is named" or (match["what"] or "").lower() in _FOR_LIFE)
