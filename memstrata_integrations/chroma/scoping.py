"""Whose a text is: the values that its metadata has in the fields that separate facts."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from memstrata_integrations.errors import InvalidInputError

Scope = tuple[tuple[str, str], ...]
"""The scope fields with their values as JSON: compared by type and value, as in a fact's key."""

_NOTHING = "null"


def scope_of(metadata: Mapping[str, Any] | None, fields: Sequence[str]) -> Scope:
    """Return what a metadata says of each scope field."""
    return tuple((name, json.dumps((metadata or {}).get(name))) for name in fields)


def lies_in(metadata: Mapping[str, Any] | None, scope: Scope) -> bool:
    """Whether a row with this metadata belongs to a scope."""
    return scope_of(metadata, [name for name, _ in scope]) == scope


def within(scope: Scope, where: Mapping[str, Any]) -> dict[str, Any]:
    """Return a filter, narrowed to a scope."""
    return {"$and": [where, *({name: json.loads(value)} for name, value in scope)]} if scope else dict(where)


def names_scope(value: Any) -> bool:
    """Whether a metadata value can say whose a text is: not nothing, nor a list, which names several.

    Nor a float: Chroma finds the rows of 1 for 1.5.
    """
    return value not in (None, "") and isinstance(value, (str, int))


def owned_by_another(
    stored: Mapping[str, Any] | None, written: Mapping[str, Any] | None, fields: Sequence[str]
) -> str | None:
    """Return the scope field by which a stored row is another's than what is written over it, if any.

    A row that lacks the field is nobody's, and may be taken; what is written without it stays where it is.
    """
    for (name, held), (_, wanted) in zip(scope_of(stored, fields), scope_of(written, fields), strict=True):
        if name in (written or {}) and _NOTHING != held != wanted:
            return name
    return None


def one_scope(
    source: str, metadatas: Sequence[dict[str, Any]], given: Mapping[str, Any], fields: Sequence[str]
) -> Scope:
    """Return the one scope of all texts of a source, by what the call says; set it in metadata that lack it."""
    for name in given:
        if name not in fields:
            raise InvalidInputError(f"scope names {name!r}, which separates no facts here; known are {tuple(fields)!r}")
    for n, metadata in enumerate(metadatas):
        for name, value in given.items():
            if metadata.get(name) is None:
                metadata[name] = value
            elif not lies_in(metadata, scope_of(given, [name])):
                raise InvalidInputError(f"text {n} has {name}={metadata[name]!r}, and this call is about {value!r}")
    found = [{name: m.get(name) for name in fields} for m in metadatas] or [{name: given.get(name) for name in fields}]
    for named in found:
        for name, value in named.items():
            if not names_scope(value):
                told = f"This store separates facts by {tuple(fields)!r}, and this call has {name}={value!r}"
                way_out = (
                    f"pass scope={{{name!r}: ...}}, text or a whole number, or name it in the metadata of every text"
                )
                raise InvalidInputError(f"whose is {source!r}? {told}; {way_out}")
        if scope_of(named, fields) != scope_of(found[0], fields):
            told = f"must lie in one scope, and there are {found[0]!r} and {named!r}; make one call for each"
            raise InvalidInputError(f"the texts of {source!r} {told}")
    return scope_of(found[0], fields)


def named_fields(where: Any) -> set[str]:
    """Return the fields that a filter pins to what can name a scope, at the top or under ``$and``."""
    if not isinstance(where, Mapping):
        return set()
    named: set[str] = set()
    for key, value in where.items():
        if key == "$and":
            for clause in value:
                named |= named_fields(clause)
        elif not key.startswith("$") and (not isinstance(value, Mapping) or set(value) <= {"$eq", "$in"}):
            given = list(value.values()) if isinstance(value, Mapping) else [value]
            if all(names_scope(v) for x in given for v in (x if isinstance(x, (list, tuple)) else [x])):
                named.add(key)
    return named
