"""Checks what comes in before anything is written, and says what is wrong with it."""

import logging
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from chromadb.api.types import normalize_metadata, validate_metadata
from chromadb.errors import DuplicateIDError

from memstrata_integrations.chroma.arguments import (
    check_text,
    check_value,
    one_each,
    read_id,
    read_ids,
    read_list,
    read_scope,
    read_vectors,
)
from memstrata_integrations.chroma.explicit import entries, facts_of_texts
from memstrata_integrations.chroma.plan import Item
from memstrata_integrations.chroma.scoping import names_scope
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.ledger.facts import Fact
from memstrata_integrations.ledger.time import format_time, to_instant, to_micros
from memstrata_integrations.options import PREFIX, read_field, refuse_unknown

RESERVED_ID = "memstrata-"
"""How the ids of writes, and of archived versions, begin."""

_DATE_FIELDS = ("valid_from_field", "valid_to_field")
_READ_AS = {"valid_from": to_instant, "valid_to": to_micros}  # only an end may be open

logger = logging.getLogger("memstrata_integrations")


class DuplicateIdsError(InvalidInputError, DuplicateIDError):
    """One id twice in a batch; also Chroma's own error, for callers that catch that."""


@dataclass(frozen=True)
class Dating:
    """Where the dates of a write come from: the keyword, else a metadata field, else nowhere."""

    valid_from_field: str | None
    valid_to_field: str | None

    def __post_init__(self) -> None:
        for name in _DATE_FIELDS:
            if getattr(self, name) is not None:
                read_field(name, getattr(self, name))

    def with_fields(self, *named: str | None) -> "Dating":
        """Return the same with the fields that a call names itself."""
        return replace(self, **{n: field for n, field in zip(_DATE_FIELDS, named, strict=True) if field is not None})

    def read(
        self,
        valid_from: Any,
        valid_to: Any,
        metadatas: Sequence[Mapping[str, Any] | None],
        ids: Iterable[str] | None = None,
    ) -> list[tuple[int | None, int | None]]:
        """Return (valid_from, valid_to) for each text, µs; `None` where undated; an error names its id if given."""
        names = [f"text {n}" for n in range(len(metadatas))] if ids is None else [f"row {i!r}" for i in ids]
        starts = self._column("valid_from", valid_from, self.valid_from_field, metadatas, names)
        ends = self._column("valid_to", valid_to, self.valid_to_field, metadatas, names)
        for n, (start, end) in enumerate(zip(starts, ends, strict=True)):
            if start is not None and end is not None and end <= start:
                raise InvalidInputError(
                    f"{names[n]}: valid_to={format_time(end)} does not lie after valid_from={format_time(start)}; "
                    "intervals are half-open, [valid_from, valid_to)"
                )
        return list(zip(starts, ends, strict=True))

    def _column(
        self,
        name: str,
        given: Any,
        field: str | None,
        metadatas: Sequence[Mapping[str, Any] | None],
        names: Sequence[str],
    ) -> list[int | None]:
        values = spread(name, given, len(metadatas))
        named = [None if field is None else (m or {}).get(field) for m in metadatas]
        if field is not None and metadatas and all(v is None for v in (*values, *named)):
            logger.log(
                logging.WARNING if name == "valid_from" else logging.DEBUG,
                "none of %d texts has the metadata field %r that dates them (%s_field): their order decides",
                len(metadatas),
                field,
                name,
            )
        found: list[int | None] = []
        for what, value, other in zip(names, values, named, strict=True):
            label = f"{name} of {what}" + (f" (metadata field {field!r})" if value is None else "")
            told = other if value is None else value
            found.append(None if told is None else _READ_AS[name](told, name=label))
        return found


_FURTHER = ("facts", "supersedes", *_DATE_FIELDS)
_KNOWN = ("valid_from", "valid_to", *_FURTHER, "ids", "metadatas")
_PASSED = ("batch_size", "show_progress", "upsert_kwargs", "update_source")  # along by the frameworks' indices


def read_further(method: str, others: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of a write's further keywords that `read_batch` takes; frameworks pass some others along."""
    refuse_unknown(method, [name for name in others if name not in (*_FURTHER, *_PASSED)], _KNOWN)
    return {name: value for name, value in others.items() if name in _FURTHER}


def spread(name: str, given: Any, count: int) -> list[Any]:
    """Return what was given for all of `count` texts, or for each, once for each."""
    if not isinstance(given, (list, tuple)) and not (hasattr(given, "tolist") and hasattr(given, "__len__")):
        return [given] * count
    values = read_list(name, given)
    if len(values) != count:
        raise InvalidInputError(
            f"{name} holds {len(values)} values for {count} texts; give one value for all, or one for each text"
        )
    return values


def read_batch(
    *,
    ids: Sequence[str | None] | str | None = None,
    documents: Any = None,
    metadatas: Any = None,
    embeddings: Any = None,
    images: Any = None,
    uris: Any = None,
    valid_from: Any = None,
    valid_to: Any = None,
    facts: Any = None,
    supersedes: Any = None,
    dating: Dating,
    scope: Sequence[str] = (),
) -> list[Item]:
    """Return one `Item` for each text of a batch; refuse what cannot be stored as it is.

    Args:
        ids: One for each text, `None` where the caller has none; `None` for none at all.
        documents, metadatas, embeddings, images, uris: Chroma's columns, singular or plural.
        valid_from, valid_to: One value for all, or one for each text.
        facts, supersedes: What the texts state, and the ids of the documents whose place they take, see `entries`.
        dating, scope: Where dates come from; metadata fields that every text must name.
    """
    given = {"ids": ids, "documents": documents, "metadatas": metadatas, "images": images, "uris": uris}
    single = {"metadatas": Mapping, "images": np.ndarray}
    columns = {n: None if c is None else read_list(n, c, single.get(n, str)) for n, c in given.items()}
    columns["embeddings"] = read_vectors(embeddings)
    lengths = {name: len(c) for name, c in columns.items() if c is not None}
    if not lengths or len(set(lengths.values())) > 1:
        counted = ", ".join(f"{count} {name}" for name, count in lengths.items()) or "nothing"
        raise InvalidInputError(f"the columns of a batch must have one length, got {counted}")
    n = next(iter(lengths.values()))
    if n and all(columns[c] is None for c in ("documents", "embeddings", "images", "uris")):
        raise InvalidInputError("a batch needs documents, embeddings, images or uris; got ids and metadatas only")
    bare = columns["documents"] and not any(columns[c] for c in ("embeddings", "images", "uris"))
    own = {name: column or [None] * n for name, column in columns.items()}
    own["metadatas"] = [read_metadata(m, i) for i, m in enumerate(own["metadatas"])]
    stated = facts_of_texts(facts, n)
    replaces = entries("supersedes", supersedes, n, str, "[ids]", "an id, a list of ids")
    dates = dating.read(valid_from, valid_to, own["metadatas"])
    dates = [_dated(i, said, date) for i, (said, date) in enumerate(zip(stated, dates, strict=True))]
    seen: dict[str, int] = {}
    for i, (row_id, text, metadata) in enumerate(zip(own["ids"], own["documents"], own["metadatas"], strict=True)):
        if row_id is not None:
            _check_id(row_id, i, seen)
        if text is None and bare:
            raise InvalidInputError(f"text {i} is None; leave it out, or give its text")
        if text is not None:
            if not isinstance(text, str):
                raise InvalidInputError(f"text {i} is {type(text).__name__} {text!r}; a document is a string")
            check_text(text, f"text {i}")
        for name in scope:
            value = (metadata or {}).get(name)
            if not names_scope(value):
                what = "is missing" if value is None else f"is {value!r}; give text or a whole number"
                raise InvalidInputError(
                    f"text {i} does not name its scope: metadata field {name!r} {what} (scope={tuple(scope)!r})"
                )
    rows = zip(own["documents"], own["metadatas"], own["embeddings"], own["images"], own["uris"], strict=True)
    told = zip(own["ids"], rows, dates, stated, replaces, strict=True)
    return [
        Item(i or str(uuid.uuid4()), i is not None, *row, *date, stated=said, replaces=tuple(read_ids(instead)))
        for i, row, date, said, instead in told
    ]


def _check_id(row_id: Any, n: int, seen: dict[str, int]) -> None:
    read_id(row_id, f"id {n}")
    if row_id.startswith(RESERVED_ID):
        raise InvalidInputError(f"id {row_id!r}: ids that start with {RESERVED_ID!r} are this package's own")
    if seen.setdefault(row_id, n) != n:
        raise DuplicateIdsError(
            f"Expected IDs to be unique, found duplicates of: {row_id} (texts {seen[row_id]} and {n}); "
            "give each text its own id, or write them in two calls"
        )


def _dated(n: int, facts: Sequence[Fact], dates: tuple[int | None, int | None]) -> tuple[int | None, int | None]:
    """Return the dates of a text: its own, or those of the facts that are stated of it."""
    found = list(dates)
    for place, (name, read) in enumerate(_READ_AS.items()):
        said = [getattr(f, name) for f in facts] or [None]
        own = {found[place] if d is None else read(d, name=f"{name} of a fact of text {n}") for d in said}
        if len(own) > 1 or (found[place] is not None and found[place] not in own):
            raise InvalidInputError(
                f"the facts of text {n} have several {name}, or only some have one; give each date a text of its own"
            )
        found[place] = own.pop()
    return found[0], found[1]


def read_metadata(metadata: Any, n: int) -> dict[str, Any] | None:
    """Return the metadata of text n as Chroma keeps it, `None` for an empty one; refuse what cannot be kept."""
    if not isinstance(metadata, (Mapping, type(None))):
        raise InvalidInputError(f"metadata of text {n} is {metadata!r}; it must be a dict or None")
    if not metadata:
        return None
    for key, value in metadata.items():
        if isinstance(key, str):
            if key.startswith(PREFIX):
                what = f"keys that start with {PREFIX!r} are reserved, rename it"
                raise InvalidInputError(f"metadata of text {n} uses {key!r}; {what}")
            check_text(key, f"metadata key {key!r} of text {n}")
        for part in value if isinstance(value, list) else [value]:
            check_value(part, f"metadata {key!r} of text {n}")
    found: dict[str, Any] = dict(normalize_metadata(dict(metadata)) or {})
    try:
        validate_metadata(found)
    except (ValueError, TypeError) as error:
        raise InvalidInputError(
            f"{error} (metadata of text {n}). Leave out or flatten what is nested, for instance with "
            "langchain_community.vectorstores.utils.filter_complex_metadata."
        ) from error
    return found


def with_scope(metadatas: Any, scope: Any, count: int) -> Any:
    """Return the metadata of each fact, with the scope in it."""
    named = read_scope(scope)
    told = one_each("metadatas", metadatas, count, Mapping) if named else ()
    return [{**named, **(metadata or {})} for metadata in told] if named else metadatas
