"""The relations that the grammar knows, as data: how many values each has at a time, and why.

Only a functional relation may supersede. A verb that is in no table, built-in or a user's, is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from memstrata_integrations.facts import Cardinality
from memstrata_integrations.words import word_set

__all__ = [
    "ADVERBS",
    "BUILT_IN",
    "FUNCTIONAL",
    "RELATIONS",
    "VERBS",
    "Relation",
    "Vocabulary",
    "canonical_relation",
    "cardinality_of",
    "relation_name",
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
    slot: str = "free"


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
        "is turned",
        "is switched",
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
    _one("is hosted on", "one host", "is hosted at", "is hosted in", "is hosted by", "runs on host", slot="name"),
    _one("is named", "one name at a time", "is called", "is titled", slot="identifier"),
    _one("works for", "one employer, as people say it", "is employed by", "is employed at", slot="name"),
    _one("works at", "one employer or place of work", slot="name"),
    _one("reports to", "one line manager", slot="name"),
    _one("is owned by", "a stated owner is the owner", "belongs to", slot="name"),
    _one("is led by", "one lead", "is headed by", slot="name"),
    _one("is managed by", "one manager", slot="name"),
    _one("is operated by", "one operator", "is run by", slot="name"),
    _one("is chaired by", "one chair", slot="name"),
    _one("is coached by", "one head coach, as people say it", slot="name"),
    _one("is married to", "one spouse", slot="name"),
    _one("costs", "one price", "is priced at", slot="typed"),
    _one("starts at", "one start", "begins at", slot="typed"),
    _one("ends at", "one end", slot="typed"),
    _one("departs at", "one departure of one train, not of a line", "leaves at", slot="moment"),
    _one("arrives at", "one arrival of one train, not of a line", slot="moment"),
    _one("runs at", "one time of a daily job", slot="moment"),
    _one("runs every", "one interval", "happens every", "occurs every", "repeats every", slot="duration"),
    _one("is valid for", "one lifetime", slot="duration"),
    # What is done is part of the subject of these: "Passwords are rotated every 90 days"
    _one("is done within", "one time limit for one act", slot="duration"),
    _one("is done every", "one interval for one act", slot="duration"),
    _one("is done after", "one delay for one act", slot="duration"),
    _one("is done for", "one length for one act", slot="duration"),
    # What is counted or asked is part of the subject of these; only constructions give them a value
    _one("has in number", "one count of one kind of thing", slot="none"),
    _one("is answered with", "one status for one request", slot="none"),
    _one("accepts at most", "one limit", "accepts up to", "takes at most", "takes up to", slot="measure"),
    _one("allows at most", "one limit", "allows up to", "permits up to", slot="measure"),
    _one("returns at most", "one limit", "returns up to", slot="measure"),
    _one("holds at most", "one limit", "holds up to", slot="measure"),
    _one("is written to", "one file", "is logged to", slot="file"),
    _one("is built from", "one base", slot="identifier"),
    _one("is maintained by", "one team; people who maintain a thing are many", slot="team"),
    _one("is kept for", "one retention", "is retained for", "is stored for", slot="duration"),
    _one("lasts", "one length", slot="duration"),
    _one("fires at", "one threshold", "triggers at", slot="typed"),
    _one("weighs", "one weight", slot="typed"),
    _one("opens at", "one opening time", slot="typed"),
    _one("closes at", "one closing time", slot="typed"),
    _one("expires on", "one expiry", "expires at", slot="typed"),
    _one("expires after", "one lifetime", slot="typed"),
    _one("is limited to", "one limit", "is capped at", slot="typed"),
    _one("is based on", "one base and its version", slot="version"),
    _one("is defined in", "one file", "is declared in", "is implemented in", slot="file"),
    _one("is serialised by", "one serialiser", "is serialized by", slot="identifier"),
    _one("is rendered by", "one renderer", slot="identifier"),
    _one("is parsed by", "one parser", slot="identifier"),
    _one("is controlled by", "one setting", "is configured by", "is configured via", slot="identifier"),
    _one("is held at", "one venue of an event", slot="name"),
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

_AUXILIARIES = {"are": "is", "am": "is", "'s": "is", "have": "has"}
_ADVERBS = word_set("now currently already still just presently officially always")
ADVERBS = _ADVERBS
"""Adverbs that may stand after the first word of a verb and mean nothing for its relation."""
_MOST_REMEMBERED = 1024


def _forms(phrase: str) -> tuple[str, ...]:
    """Return a phrase in the third person and as I, you, we and they say it."""
    first, _, rest = phrase.partition(" ")
    if first.isalpha() and first.endswith("s") and first not in ("is", "has"):
        return phrase, f"{_base(first)} {rest}".strip()
    return (phrase,)


def _third(verb: str) -> str:
    return verb[:-1] + "ies" if verb.endswith("y") else verb + "es"


def _base(verb: str) -> str:
    if verb.endswith("ies") and len(verb) > 4:
        return verb[:-3] + "y"
    return verb[:-2] if verb.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")) else verb[:-1]


class Vocabulary:
    """The relations of one extractor: the built-in table, what a user adds to it, and what a user overrides.

    Args:
        relations: Entries to add. One with the name of a built-in entry replaces it; its aliases
            and those of the built-in entry both count.
        cardinalities: Relation to how many values it has; a relation that the table lacks is
            added under that name.

    Example:
        >>> vocabulary = Vocabulary(cardinalities={"mirrors": "functional", "resides in": "set"})
        >>> vocabulary.cardinality_of("mirrors"), vocabulary.cardinality_of("lives in")
        ('functional', 'set')
    """

    def __init__(
        self, relations: Iterable[Relation] = (), cardinalities: Mapping[str, Cardinality] | None = None
    ) -> None:
        self._by_name = {r.name: r for r in RELATIONS}
        owner = {form: r.name for r in RELATIONS for form in _phrases(r)}
        for relation in relations:
            name = _normal(relation.name)
            name = owner.get(name, name)
            known = self._by_name.get(name)
            aliases = (*(known.aliases if known else ()), *(_normal(a) for a in relation.aliases))
            self._by_name[name] = entry = replace(relation, name=name, aliases=aliases)
            owner.update(dict.fromkeys(_phrases(entry), name))
        for written, cardinality in (cardinalities or {}).items():
            name = owner.get(_normal(written), _normal(written))
            known = self._by_name.get(name)
            entry = known or Relation(name, cardinality, "a user's policy names it")
            self._by_name[name] = replace(entry, cardinality=cardinality)
            owner.update(dict.fromkeys(_phrases(entry), name))
        self._owner = owner
        self._read: dict[str, Relation | None] = {}
        self.verbs = self._verb_table()
        """First word of a verb -> (its other words, relation), the longest first."""
        self.bases = frozenset(f for f in self.verbs if f + "s" in self.verbs or _third(f) in self.verbs)
        """The first words that are verbs after "I", "we" and a plural only."""

    def relation_of(self, text: str) -> Relation | None:
        """Return the table's entry for a relation as written."""
        if text not in self._read:
            if len(self._read) > _MOST_REMEMBERED:
                self._read.clear()
            name = self._owner.get(_normal(text))
            self._read[text] = None if name is None else self._by_name[name]
        return self._read[text]

    def cardinality_of(self, name: str) -> Cardinality:
        """Return how many values a canonical relation has at a time."""
        found = self._by_name.get(name)
        return found.cardinality if found else "unknown"

    @property
    def functional(self) -> tuple[str, ...]:
        """The canonical names of the functional relations."""
        return tuple(r.name for r in self._by_name.values() if r.cardinality == "functional")

    def _verb_table(self) -> dict[str, tuple[tuple[tuple[str, ...], Relation], ...]]:
        table: dict[str, list[tuple[tuple[str, ...], Relation]]] = {}
        for form, name in self._owner.items():
            if form[:1].isalpha():
                first, *rest = form.split()
                table.setdefault(first, []).append((tuple(rest), self._by_name[name]))
        for auxiliary, verb in _AUXILIARIES.items():
            if auxiliary.isalpha():
                table[auxiliary] = table[verb]
        return {first: tuple(sorted(rests, key=lambda r: -len(r[0]))) for first, rests in table.items()}


def _phrases(relation: Relation) -> list[str]:
    return [form for phrase in (relation.name, *relation.aliases) for form in _forms(phrase)]


def _normal(text: str) -> str:
    words = [w for w in text.casefold().split() if w not in _ADVERBS]
    if words and words[0] in _AUXILIARIES:
        words[0] = _AUXILIARIES[words[0]]
    return " ".join(words)


BUILT_IN = Vocabulary()
"""The vocabulary without anything of a user's."""

VERBS = BUILT_IN.verbs
"""The verbs of the built-in table."""


def canonical_relation(text: str) -> str | None:
    """Return the canonical name of a relation, `None` if the table lacks it.

    Example:
        >>> canonical_relation("is currently set to"), canonical_relation("works for"), canonical_relation("mirrors")
        ('is', 'works for', None)
    """
    found = BUILT_IN.relation_of(text)
    return found.name if found else None


def relation_name(text: str) -> str:
    """Return the name under which facts hold a relation, also one that only a user's vocabulary knows.

    Example:
        >>> relation_name("is currently set to"), relation_name("Are mirrored by")
        ('is', 'is mirrored by')
    """
    return canonical_relation(text) or _normal(text)


def cardinality_of(name: str) -> Cardinality:
    """Return how many values a canonical relation has at a time.

    Example:
        >>> cardinality_of("is"), cardinality_of("depends on"), cardinality_of("mirrors")
        ('functional', 'set', 'unknown')
    """
    return BUILT_IN.cardinality_of(name)


def relation_of(text: str) -> Relation | None:
    """Return the built-in table's entry for a relation as written."""
    return BUILT_IN.relation_of(text)
