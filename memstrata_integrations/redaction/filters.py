"""Chroma's ``where_document`` on a text that Chroma doesn't hold: what is left of it when stale statements are out.

Chroma's regular expressions are those of Rust's `regex`. Pydantic, which Chroma requires, matches
with the same engine, so both give one answer for every pattern.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any

from pydantic import ConfigDict, StringConstraints, TypeAdapter, ValidationError
from pydantic_core import SchemaError


def matches(clause: Mapping[str, Any], text: str | None) -> bool:
    r"""Whether a text satisfies Chroma's ``where_document``.

    Example:
        >>> matches({"$and": [{"$contains": "port"}, {"$regex": r"\p{Nd}{2}"}]}, "The port is 80.")
        True
    """
    return all(_holds(operator, value, text or "") for operator, value in clause.items())


def implied(clause: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the part of a clause that a whole text satisfies wherever what is left of it satisfies the clause.

    What is found across a place where something was taken out, or at an anchor there, is left out of account.

    Example:
        >>> implied({"$and": [{"$not_contains": "port"}, {"$contains": "Ask"}]})
        {'$contains': 'Ask'}
    """
    [(operator, value)] = clause.items()
    if operator in ("$contains", "$regex"):
        return clause
    parts = [implied(part) for part in value] if operator in ("$and", "$or") else []
    kept = [part for part in parts if part is not None]
    if not kept or (operator == "$or" and len(kept) < len(parts)):
        return None
    return {operator: kept} if len(kept) > 1 else kept[0]


def _holds(operator: str, value: Any, text: str) -> bool:
    if operator == "$and":
        return all(matches(part, text) for part in value)
    if operator == "$or":
        return any(matches(part, text) for part in value)
    if operator in ("$contains", "$not_contains"):
        return (value in text) == (operator == "$contains")
    pattern = _pattern(value)
    # Chroma refuses a pattern that its engine can't read, so none is met here; if one were, nothing would match it
    return pattern is not None and _found(pattern, text) == (operator == "$regex")


@lru_cache(maxsize=64)
def _pattern(expression: str) -> TypeAdapter[str] | None:
    try:
        return TypeAdapter(
            Annotated[str, StringConstraints(pattern=expression)], config=ConfigDict(regex_engine="rust-regex")
        )
    except SchemaError:
        return None


def _found(pattern: TypeAdapter[str], text: str) -> bool:
    try:
        pattern.validate_python(text)
    except ValidationError:
        return False
    return True
