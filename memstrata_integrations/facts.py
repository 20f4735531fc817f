"""What a text states: facts, their keys, and what an extractor returns.

A fact key is the canonical (scope, subject, relation): two facts with one key and another
value are one fact at two times.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

__all__ = ["Cardinality", "Extraction", "Extractor", "Fact", "FactKey"]

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


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was read in one text.

    Attributes:
        facts: The facts, in the order of the text.
        prose: Whether the text says anything besides its functional, non-narrative facts
            (a heading alone says nothing).
    """

    facts: tuple[Fact, ...] = ()
    prose: bool = True


@runtime_checkable
class Extractor(Protocol):
    """Reads the facts in texts. Deterministic for a given text and metadata, and free of ids and times."""

    def extract(
        self, texts: Sequence[str], metadatas: Sequence[Mapping[str, Any] | None] | None = None
    ) -> list[Extraction]:
        """Return one `Extraction` for each text, in order."""
        ...


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
