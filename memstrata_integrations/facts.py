"""What a text states: facts, their keys, and what an extractor returns.

A fact key is the canonical (scope, subject, relation): two facts with one key and another
value are one fact at two times.
"""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

from memstrata_integrations.errors import InvalidInputError

__all__ = ["Cardinality", "Extraction", "Extractor", "Fact", "FactKey", "checked", "is_beside", "require_extractor"]

Cardinality = Literal["functional", "set", "unknown"]
"""How many values a relation has at a time: one, several, or nobody knows."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement that a (subject, relation) has an object.

    Attributes:
        subject: Canonical subject with its qualifiers (see `canonical.canonical_subject`).
        relation: Canonical relation, an entry of `relations.RELATIONS`.
        object: The value as written, a verbatim span of the statement; `None` for a statement
            of ending ("is no longer set").
        value: The value in canonical form, by which two objects are compared. Of a statement of ending: the value that
            ended ("no longer works for Brill"), or empty where any is meant.
        dimension: What kind of value it is ("number", "duration", "version", "path", ...);
            values of different dimensions cannot be compared and never supersede.
        span: Where the whole statement stands in the text, ``[start, end)`` in characters.
        rule: The name of the rule that made it, for `explain`.
        cardinality: Whether the relation holds one value at a time.
        local: The subject names no entity ("port", "status", "I"): the fact is confined to the
            source that its text comes from.
        narrative: A sentence of change or of ending: it acts on the key, and the text itself
            stays as prose ("was renamed from a to b").
        beside: Another fact of the text states the value; this one is narrative and acts on another key of it only,
            so that no text of change is left behind ("the token now lives in Vault").
    """

    subject: str
    relation: str
    object: str | None
    value: str
    dimension: str
    span: tuple[int, int]
    rule: str
    cardinality: Cardinality = "functional"
    local: bool = False
    narrative: bool = False
    beside: bool = False


Confinement = Literal["", "described", "bare"]
"""Whether a fact is confined to its source: its subject names an entity, describes one ("the CEO"), or does neither."""


@dataclass(frozen=True, slots=True)
class KeyedFact:
    """A fact as an extractor read it, with the key under which it is one fact at all times.

    Attributes:
        subject, relation: As they are shown, in the words of the text.
        object: The value as written, a verbatim span of the statement; `None` for an ending ("is no longer set").
        key: Canonical (subject, relation).
        value: The value in canonical form, by which two objects are compared. Of an ending: the value that ended
            ("no longer works for Brill"), or empty where any is meant.
        kind: What kind of value it is ("duration", "version", "name", ...); values of two kinds are never compared.
        span: Where the statement stands in the text, ``[start, end)`` in characters.
        rule: What read it, for `explain`.
        cardinality: How many values the relation has at a time.
        confined: Whether it is confined to the source that its text comes from, see `Confinement`.
        change: It tells a change or an end: it acts on the key, and the text stays as prose.
    """

    subject: str
    relation: str
    object: str | None
    key: tuple[str, str]
    value: str
    kind: str
    span: tuple[int, int]
    rule: str
    cardinality: Cardinality = "functional"
    confined: Confinement = ""
    change: bool = False


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was read in one text.

    Attributes:
        facts: The facts, in the order of the text.
        prose: Whether the text says anything besides its functional, non-narrative facts
            (a heading alone says nothing).
        unread: What was not read, or not all of it: start and end in characters, and why.
    """

    facts: tuple[Any, ...] = ()
    prose: bool = True
    unread: tuple[tuple[int, int, str], ...] = ()


def is_beside(fact: Fact, facts: Iterable[Fact]) -> bool:
    """Whether a fact of change only acts on another key of what one of `facts` states.

    Args:
        fact: A fact of a text.
        facts: The facts of the text.
    """
    return fact.narrative and any(f.span == fact.span and f.object == fact.object and not f.narrative for f in facts)


@runtime_checkable
class Extractor(Protocol):
    """Reads the facts in texts. Deterministic for a given text and metadata, and free of ids and times."""

    def extract(
        self, texts: Sequence[str], metadatas: Sequence[Mapping[str, Any] | None] | None = None
    ) -> list[Extraction]:
        """Return one `Extraction` for each text, in order."""
        ...


def require_extractor(given: Any) -> None:
    """Refuse what cannot extract.

    Raises:
        InvalidInputError: If it has no method ``extract(texts, metadatas)``, or is a class rather than an object.
    """
    if isinstance(given, type):
        raise InvalidInputError(f"extractor={given.__name__} is a class; give an object of it: {given.__name__}()")
    extract = getattr(given, "extract", None)
    if not callable(extract):
        raise InvalidInputError(f"{given!r} is no extractor: it has no method extract(texts, metadatas)")
    try:
        signature = inspect.signature(extract)
    except (TypeError, ValueError):  # pragma: no cover - a callable that hides its arguments
        return
    try:
        signature.bind([], [])
    except TypeError as error:
        raise InvalidInputError(
            f"{given!r} is no extractor: its extract{signature} must take (texts, metadatas), a list of each"
        ) from error


def checked(extractor: Any, found: Any, count: int) -> Sequence[Extraction]:
    """Return what an extractor gave for `count` texts.

    Raises:
        InvalidInputError: If that is not one `Extraction` of `Fact`s for each.
    """
    whose, wanted = f"extractor {extractor!r} returned", "it must give one Extraction for each text, in a list"
    if not isinstance(found, Sequence) or isinstance(found, (str, bytes)):
        raise InvalidInputError(f"{whose} {found!r}; {wanted}")
    if len(found) != count:
        raise InvalidInputError(f"{whose} {len(found)} results for {count} texts; it must give one for each")
    for n, extraction in enumerate(found):
        if not isinstance(extraction, Extraction):
            raise InvalidInputError(
                f"{whose} {extraction!r} for text {n}; {wanted}: Extraction(facts=(Fact(...),), prose=True), both of "
                "memstrata_integrations.extraction"
            )
        for fact in _listed(whose, n, extraction):
            _require_fact(whose, n, fact)
    return found


def _listed(whose: str, n: int, extraction: Extraction) -> Sequence[Any]:
    facts: Any = extraction.facts
    if not isinstance(facts, (tuple, list)):
        raise InvalidInputError(f"{whose} facts={facts!r} for text {n}; they must be a tuple of Fact")
    return facts


def _require_fact(whose: str, n: int, fact: Any) -> None:
    if not isinstance(fact, Fact):
        raise InvalidInputError(
            f"{whose} {fact!r} among the facts of text {n}; each must be a Fact of memstrata_integrations.extraction"
        )
    for name in ("subject", "relation", "value", "dimension", "rule"):
        if not isinstance(getattr(fact, name), str):
            raise InvalidInputError(f"{whose} a fact of text {n} with {name}={getattr(fact, name)!r}; it must be text")
    if fact.object is not None and not isinstance(fact.object, str):
        raise InvalidInputError(
            f"{whose} a fact of text {n} with object={fact.object!r}; it must be text as written there, or None"
        )
    span: Any = fact.span
    if not isinstance(span, (tuple, list)) or len(span) != 2 or not all(isinstance(at, int) for at in span):
        raise InvalidInputError(f"{whose} a fact of text {n} with span={span!r}; it must be (start, end) in characters")


@dataclass(frozen=True, slots=True)
class FactKey:
    """Canonical (scope, subject, relation).

    Attributes:
        scope: Sorted (metadata field, value) pairs that separate this fact from equal ones.
        subject: Canonical subject.
        relation: Canonical relation.
    """

    scope: tuple[tuple[str, str], ...]
    subject: str
    relation: str

    @classmethod
    def of(cls, scope: Iterable[tuple[str, Any]], subject: str, relation: str) -> FactKey:
        """Build a key; scope values are compared by type and value."""
        pairs = tuple(sorted((name, json.dumps(value, sort_keys=True)) for name, value in scope))
        return cls(pairs, subject, relation)

    def digest(self) -> int:
        """Return a 62-bit integer that stands for this key in a row.

        An integer, since Chroma carries those exactly and can ask which rows have one at all.
        """
        text = json.dumps([self.scope, self.subject, self.relation], ensure_ascii=True, separators=(",", ":"))
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 2
