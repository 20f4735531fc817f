"""What a text states: facts, their keys, and what an extractor returns.

A fact key is the canonical (scope, subject, relation): two facts with one key and another
value are one fact at two times.
"""

import hashlib
import inspect
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, Literal, Protocol, runtime_checkable

from memstrata_integrations.errors import InvalidInputError

Cardinality = Literal["functional", "set", "unknown"]
"""How many values a relation has at a time: one, several, or nobody knows."""

Confinement = Literal["", "described", "bare"]
"""Whether a fact is confined to its source: its subject names an entity, describes one ("the CEO"), or does neither."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact that somebody states outright, in their own words: its key is ours to make.

    Attributes:
        subject: What it is about: "checkout", "the billing API", "Ann".
        relation: A noun ("timeout", "owner of") or a verb ("listens on"), or "is".
        value: Its value: text, a number, a truth value or a date; `None` ends it, with no successor.
        statement: Where it stands in a text, word for word; by default the whole text.
        valid_from, valid_to: When it holds; by default as the text that it is given with.

    Raises:
        InvalidInputError: If a part is missing, or of a kind that cannot be a value.

    Example:
        >>> Fact("checkout", "timeout", "30 s")
        Fact(subject='checkout', relation='timeout', value='30 s', statement=None, valid_from=None, valid_to=None)
    """

    subject: str
    relation: str
    value: Any
    _: KW_ONLY
    statement: str | None = None
    valid_from: Any = None
    valid_to: Any = None

    def __post_init__(self) -> None:
        for name in ("subject", "relation"):
            given = getattr(self, name)
            if not isinstance(given, str) or not given.strip().removesuffix("of").strip():
                raise InvalidInputError(f"Fact({name}={given!r}): it must be text that says something")
        for name in ("subject", "relation", "value", "statement"):
            try:
                str(getattr(self, name)).encode()
            except UnicodeEncodeError as error:
                raise InvalidInputError(f"Fact({name}=...) holds a lone surrogate, which no store can keep") from error
        if isinstance(self.value, (list, tuple, set, dict, bytes)) or (
            isinstance(self.value, str) and not self.value.strip()
        ):
            raise InvalidInputError(
                f"Fact(value={self.value!r}): give one value, as text, a number or a date, or None to end the fact"
            )
        if self.statement is not None and (not isinstance(self.statement, str) or not self.statement.strip()):
            raise InvalidInputError(f"Fact(statement={self.statement!r}): it must be text, or None for the whole text")


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
        stated: Somebody stated it outright: it takes the place of a value of any kind.
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
    stated: bool = False


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was read in one text.

    Attributes:
        facts: The facts, in the order of the text: `KeyedFact`, or `Fact`, whose key is then made.
        prose: Whether the text says anything besides its functional facts that tell no change
            (a heading alone says nothing).
        unread: What was not read, or not all of it: start and end in characters, and why.
    """

    facts: tuple[KeyedFact | Fact, ...] = ()
    prose: bool = True
    unread: tuple[tuple[int, int, str], ...] = ()


@runtime_checkable
class Extractor(Protocol):
    """Reads the facts in texts. Deterministic for a given text and metadata, and free of ids and times."""

    def extract(
        self, texts: Sequence[str], metadatas: Sequence[Mapping[str, Any] | None] | None = None
    ) -> list[Extraction]:
        """Return one `Extraction` for each text, in order."""
        ...


def require_extractor(given: Any) -> None:
    """Refuse what has no method ``extract(texts, metadatas)``, or is a class rather than an object."""
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


def checked(extractor: Any, found: Any, count: int) -> list[Extraction]:
    """Return what an extractor gave for `count` texts: one `Extraction` of facts for each, else it is refused."""
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
        if not isinstance(extraction.facts, (tuple, list)):
            raise InvalidInputError(f"{whose} facts={extraction.facts!r} for text {n}; they must be a tuple of Fact")
        for fact in extraction.facts:
            _require_fact(whose, n, fact)
    return [replace(e, facts=tuple(e.facts)) if isinstance(e.facts, list) else e for e in found]


def _require_fact(whose: str, n: int, fact: Any) -> None:
    if isinstance(fact, Fact):
        return
    if not isinstance(fact, KeyedFact):
        raise InvalidInputError(
            f"{whose} {fact!r} among the facts of text {n}; each must be a Fact of memstrata_integrations"
        )
    for name in ("subject", "relation", "value", "kind", "rule"):
        if not isinstance(given := getattr(fact, name), str):
            raise InvalidInputError(f"{whose} a fact of text {n} with {name}={given!r}; it must be text")
    if fact.object is not None and not isinstance(fact.object, str):
        raise InvalidInputError(f"{whose} a fact of text {n} with object={fact.object!r}; it must be text, or None")
    key: Any = fact.key
    if not isinstance(key, tuple) or len(key) != 2 or not all(isinstance(part, str) for part in key):
        raise InvalidInputError(f"{whose} a fact of text {n} with key={key!r}; it must be two texts")
    span: Any = fact.span
    if not isinstance(span, (tuple, list)) or len(span) != 2 or not all(isinstance(at, int) for at in span):
        raise InvalidInputError(f"{whose} a fact of text {n} with span={span!r}; it must be (start, end) in characters")


@dataclass(frozen=True, slots=True)
class FactKey:
    """Canonical (scope, subject, relation); the scope as sorted (metadata field, value) pairs that separate facts."""

    scope: tuple[tuple[str, str], ...]
    subject: str
    relation: str

    @classmethod
    def of(cls, scope: Iterable[tuple[str, Any]], subject: str, relation: str) -> "FactKey":
        """Build a key; scope values are compared by type and value."""
        pairs = tuple(sorted((name, json.dumps(value, sort_keys=True)) for name, value in scope))
        return cls(pairs, subject, relation)

    def digest(self) -> int:
        """Return a 62-bit integer that stands for this key in a row.

        An integer, since Chroma carries those exactly and can ask which rows have one at all.
        """
        text = json.dumps([self.scope, self.subject, self.relation], ensure_ascii=True, separators=(",", ":"))
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 2
