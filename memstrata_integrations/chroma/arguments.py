"""What an argument may be: one reader for each kind, which returns what can be used.

For anything else each raises `InvalidInputError`, which says what is wrong with it.
"""

import math
import operator
from collections.abc import Mapping
from typing import Any

import numpy as np

from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.options import read_field

MOST = 2**32 - 1
"""The greatest number of rows that Chroma can be asked for; it stands for all of them."""


def read_list(name: str, given: Any, single: type = str) -> list[Any]:
    """Return values as a list; one of the type `single` may come alone."""
    if isinstance(given, single):
        return [given]
    try:
        if not isinstance(given, (str, bytes, Mapping)):
            return list(given)
    except TypeError:  # nothing that can be gone through, nor can an array without dimensions
        pass
    raise InvalidInputError(f"{name}={given!r}; give a list")


def one_each(name: str, given: Any, count: int, single: type = str) -> list[Any]:
    """Return one value for each of `count` texts, `None` for each if nothing is given."""
    values = [None] * count if given is None else read_list(name, given, single)
    if len(values) != count:
        raise InvalidInputError(f"{name} holds {len(values)} values for {count} texts; give one for each")
    return values


def read_id(row_id: Any, what: str = "id") -> str:
    """Return one id: text that is not empty, and can be encoded."""
    if not isinstance(row_id, str) or not row_id:
        raise InvalidInputError(f"{what} is {row_id!r}; an id is a non-empty string")
    return check_text(row_id, what)


def read_ids(ids: Any) -> list[str]:
    """Return ids as a list; one id may come alone."""
    return [read_id(row_id, f"id {n}") for n, row_id in enumerate(read_list("ids", ids))]


def read_count(name: str, value: Any, *, least: int = 0) -> int | None:
    """Return a number of rows; `None` if there is none. More than there can be means all."""
    if value is None:
        return None
    try:
        count = operator.index(value)
    except TypeError:
        count = -1
    if count < least or isinstance(value, np.ndarray):
        raise InvalidInputError(f"{name}={value!r} must be a whole number, {least} or more")
    return min(count, MOST)


def read_flag(name: str, value: Any) -> bool:
    """Return whether something is wanted; "false" is a text, and would count as true."""
    if value is None or isinstance(value, (bool, np.bool_)) or (isinstance(value, int) and value in (0, 1)):
        return bool(value)
    raise InvalidInputError(f"{name}={value!r} must be True or False")


def read_scope(scope: Any) -> dict[str, Any]:
    """Return the values of fields that separate facts, one for each; a part of a source may have an empty name."""
    if scope is None:
        return {}
    if not isinstance(scope, Mapping) or not all(v is None or isinstance(v, (str, int, float)) for v in scope.values()):
        raise InvalidInputError(f"scope={scope!r}; give one value for each field: scope={{'user_id': 'ann'}}")
    for name, value in scope.items():
        if read_field("a field of scope", name).startswith("$"):
            raise InvalidInputError(f"scope={scope!r}: {name!r} is an operator of Chroma's, and no metadata field")
        check_value(value, f"scope {name!r}")
    return dict(scope)


def read_vectors(embeddings: Any) -> list[Any] | None:
    """Return vectors as rows of float32, ``(dim,)`` each, finite and of one dimension; one may come alone."""
    if embeddings is None:
        return None
    try:
        with np.errstate(over="ignore"):
            matrix = np.asarray(embeddings, dtype=np.float32)
    except (ValueError, TypeError, OverflowError) as error:
        raise InvalidInputError(f"embeddings must be vectors of numbers of one dimension: {error}") from error
    if matrix.ndim and matrix.shape[0] == 0:
        return []
    if matrix.ndim == 1:
        matrix = matrix[None, :]
    if matrix.ndim != 2 or matrix.shape[1] == 0:
        raise InvalidInputError(f"embeddings must have shape (n, dim), got {matrix.shape}")
    if not np.isfinite(matrix).all():
        row = int(np.argwhere(~np.isfinite(matrix))[0][0])
        raise InvalidInputError(f"embedding {row} holds NaN or infinity; nothing can be near it")
    return list(matrix)


def check_value(value: Any, what: str) -> None:
    """Refuse a metadata value that Chroma cannot keep: not finite, beyond 64 bits, or not encodable."""
    if isinstance(value, str):
        check_text(value, what)
    elif isinstance(value, float) and not math.isfinite(value):
        raise InvalidInputError(f"{what} is {value!r}, which Chroma cannot keep; leave it out instead")
    elif isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise InvalidInputError(f"{what} is {value!r}, beyond 64 bits; store it as text")


def check_text(text: str, what: str) -> str:
    """Return a text that can be stored, which holds no lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidInputError(
            f"{what} holds a lone surrogate at position {error.start}, which cannot be stored as UTF-8; "
            "clean it with text.encode('utf-8', 'replace').decode()"
        ) from error
    return text
