"""The relations that the grammar knows, as data: how many values each has at a time, and why.

Only a functional relation may supersede. A verb that is not in this table is unknown.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from memstrata_integrations.facts import Cardinality
from memstrata_integrations.words import word_set

__all__ = [
    "ADVERBS",
    "FUNCTIONAL",
    "RELATIONS",
    "VERBS",
    "Relation",
    "canonical_relation",
    "cardinality_of",
    "relation_of",
]


@dataclass(frozen=True, slots=True)
class Relation:
    """One relation.

    Attributes:
        name: The canonical name, third person singular.
        cardinality: How many values a subject has at a time.
        reason: Why.
        aliases: Other phrasings of the same relation.
        slot: The dimension that its values are compared in, "typed" when a value must show its
            own kind, or "free" when anything named or typed will do.
    """

    name: str
    cardinality: Cardinality
    reason: str
    aliases: tuple[str, ...] = ()
    slot: str = "typed"


def _one(name: str, reason: str, *aliases: str, slot: str = "free") -> Relation:
    return Relation(name, "functional", reason, aliases, slot)


def _many(name: str, reason: str, *aliases: str) -> Relation:
    return Relation(name, "set", reason, aliases, "free")


RELATIONS: tuple[Relation, ...] = (
    _one(
        "is",
        "a definite quantity has one value",
        "is set to",
        "=",
        ":",
        "equals",
        "has the value",
        "is configured as",
        "is configured to be",
        "has been set to",
        slot="typed",
    ),
    _one("defaults to", "one default; a configured value beside it is another fact", "default to", slot="typed"),
    _one(
        "is pinned to",
        "a pin names one version or range",
        "is pinned at",
        "is locked to",
        "is locked at",
        "==",
        "@",
        slot="version",
    ),
    _one("requires python", "one range of interpreters", "requires python version", "needs python", slot="version"),
    _one("has version", "a thing has one version at a time", "is at version", "is on version", slot="version"),
    _one(
        "listens on",
        "the one address that is stated; several are a list and give no fact",
        "is listening on",
        "listens on port",
        "runs on port",
        "binds to",
        "is bound to",
        "is exposed on port",
        slot="port",
    ),
    _one(
        "is served at",
        "one route for one handler",
        "is served on",
        "is served from",
        "is reachable at",
        "is available at",
        "is exposed at",
        "is deployed at",
        "is mounted at",
        slot="address",
    ),
    _one("lives at", "one address", "resides at", slot="address"),
    _one("lives in", "one home; countries are compared with countries only", "resides in", slot="place"),
    _one("is located at", "one place", "is located in", "is stored at", "is stored in", "is found at", slot="address"),
    _one("is based in", "one seat", "is headquartered in", slot="place"),
    _one("is hosted on", "one host", "is hosted at", "is hosted in", "is hosted by", slot="name"),
    _one("is named", "one name at a time", "is called", "is titled", slot="identifier"),
    _one("works for", "one employer, as people say it", "is employed by", "is employed at", slot="name"),
    _one("works at", "one employer or place of work", slot="name"),
    _one("reports to", "one line manager", slot="name"),
    _one("is owned by", "a stated owner is the owner", "belongs to", slot="name"),
    _one("is led by", "one lead", "is headed by", slot="name"),
    _one("is managed by", "one manager", slot="name"),
    _one("is married to", "one spouse", slot="name"),
    _one("costs", "one price", "is priced at", slot="typed"),
    _one("starts at", "one start", "begins at", slot="typed"),
    _one("ends at", "one end", slot="typed"),
    _one("opens at", "one opening time", slot="typed"),
    _one("closes at", "one closing time", slot="typed"),
    _one("expires on", "one expiry", "expires at", slot="typed"),
    _one("expires after", "one lifetime", slot="typed"),
    _one("is limited to", "one limit", "is capped at", slot="typed"),
    _one("is at", "one time of an appointment", "takes place at", slot="time"),
    _one("is on", "one day of an appointment", "takes place on", slot="time"),
    _one("is scheduled for", "one appointment", "is due on", "is due by", slot="typed"),
    _one("times out after", "one timeout", slot="typed"),
    _many("depends on", "dependencies are many", "relies on", "is dependent on"),
    _many("supports", "a thing supports many", "is compatible with", "works with"),
    _many("speaks", "people speak several languages"),
    _many("includes", "parts are many", "contains", "consists of", "comprises", "has member"),
    _many("is allergic to", "allergies are many", "is intolerant to"),
    _many("uses", "tools are many", "makes use of", "utilises", "utilizes"),
    _many("imports", "imports are many"),
    _many("likes", "likings are many", "loves", "enjoys", "dislikes", "hates", "prefers"),
    _many("knows", "acquaintances are many", "is friends with"),
    _many("owns", "possessions are many", "has"),
    _many("is a", "a thing belongs to many classes", "is an", "is one of", "is a member of", "is part of"),
    _many("provides", "services are many", "offers", "exports"),
    _many("accepts", "inputs are many", "takes", "allows"),
    _many("raises", "errors are many", "throws"),
    _many("requires", "requirements are many", "needs"),
    _many("calls", "callees are many", "invokes"),
    _many("extends", "bases may be many", "inherits from", "implements"),
)

FUNCTIONAL: tuple[str, ...] = tuple(r.name for r in RELATIONS if r.cardinality == "functional")
"""The canonical names of the functional relations: with a subject, all the keys it can have."""

_BY_NAME = {r.name: r for r in RELATIONS}
_AUXILIARIES = {"are": "is", "am": "is", "'s": "is", "have": "has"}
_ADVERBS = word_set("now currently already still just presently officially always")


def _forms(phrase: str) -> tuple[str, ...]:
    """Return a phrase in the third person and as I, you, we and they say it."""
    first, _, rest = phrase.partition(" ")
    if first.isalpha() and first.endswith("s") and first not in ("is", "has"):
        return phrase, f"{first[:-1]} {rest}".strip()
    return (phrase,)


_ALIASES = {form: r for r in RELATIONS for phrase in (r.name, *r.aliases) for form in _forms(phrase)}


def canonical_relation(text: str) -> str | None:
    """Return the canonical name of a relation, `None` if the table lacks it.

    Example:
        >>> canonical_relation("is currently set to"), canonical_relation("works for"), canonical_relation("mirrors")
        ('is', 'works for', None)
    """
    found = relation_of(text)
    return found.name if found else None


def cardinality_of(name: str) -> Cardinality:
    """Return how many values a canonical relation has at a time.

    Example:
        >>> cardinality_of("is"), cardinality_of("depends on"), cardinality_of("mirrors")
        ('functional', 'set', 'unknown')
    """
    found = _BY_NAME.get(name)
    return found.cardinality if found else "unknown"


@lru_cache(maxsize=1024)
def relation_of(text: str) -> Relation | None:
    """Return the table's entry for a relation as written."""
    words = [w for w in text.casefold().split() if w not in _ADVERBS]
    if words and words[0] in _AUXILIARIES:
        words[0] = _AUXILIARIES[words[0]]
    return _ALIASES.get(" ".join(words))


def _verb_table() -> dict[str, tuple[tuple[tuple[str, ...], Relation], ...]]:
    table: dict[str, list[tuple[tuple[str, ...], Relation]]] = {}
    for form, relation in _ALIASES.items():
        if form[0].isalpha():
            first, *rest = form.split()
            table.setdefault(first, []).append((tuple(rest), relation))
    for auxiliary, verb in _AUXILIARIES.items():
        if auxiliary.isalpha():
            table[auxiliary] = table[verb]
    return {first: tuple(sorted(rests, key=lambda r: -len(r[0]))) for first, rests in table.items()}


VERBS = _verb_table()
"""First word of a verb -> (its other words, relation), the longest first."""

ADVERBS = _ADVERBS
"""Adverbs that may stand after the first word of a verb and mean nothing for its relation."""
