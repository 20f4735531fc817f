"""The place of a text of which a part was taken out: that of what is left of it.

A vector is made of a whole text, so a text goes on being near to a question whose answer was
taken out of it. What readers get is embedded when it is first met, and kept in memory; the
farther of the two distances decides. Nothing is written.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from chromadb.errors import InvalidArgumentError

from memstrata_integrations.chroma.lookup import Record
from memstrata_integrations.chroma.vectors import Vector

FURTHER = (0, 8, 64)
"""How many rows beyond those asked for are looked at, step by step, while texts move back."""

AT_MOST = 64
"""How many texts a read embeds at most; those behind them stay where they stood as written."""

Found = list[list[tuple[Record, float]]]
"""For each query, records with their distances, nearest first."""


def rank_by_what_is_left(
    nearest: Callable[[int, Sequence[float]], Found],
    served: Callable[[Iterable[Record]], Mapping[str, Vector]],
    queries: Sequence[Any],
    k: int,
    space: str,
) -> Found:
    """Return the `k` nearest rows for each query; one of which parts were taken out is as far as what is left of it.

    It moves back only: little that is left, a heading for instance, is near to much. So the
    stored vectors bound every distance from below, and looking at further rows can stop as soon
    as `k` are nearer than the next one was; it stops at the end of `FURTHER` in any case, and
    then the order is right among the rows looked at.

    Args:
        nearest: Returns so many of the nearest rows for each query by their stored vectors, none beyond its bound.
        served: Returns vectors of what is left, by row id, for the rows of which parts were taken out.
        queries: Query vectors.
        k: How many rows for each.
        space: Chroma's name of the distance.
    """
    found: Found = []
    bounds = [math.inf for _ in queries]
    for more in FURTHER:
        raw = nearest(k + more, bounds)
        vectors = served({r["id"]: r for chosen in raw for r, _ in chosen}.values())
        found = [
            sorted((_moved(e, query, vectors, space) for e in chosen), key=lambda e: e[1])[:k]
            for query, chosen in zip(queries, raw, strict=True)
        ]
        bounds = [chosen[-1][1] if len(chosen) == k else math.inf for chosen in found]
        if all(len(r) < k + more or r[-1][1] >= bound for r, bound in zip(raw, bounds, strict=True)):
            break
    return found


def with_further(
    result: Mapping[str, Any], queries: Sequence[Any], vectors: Mapping[str, Vector], space: str
) -> dict[str, Any]:
    """Return the ids and distances of a query's result with further rows among them, by vector.

    Args:
        result: Chroma's `QueryResult`, with distances.
        queries: Query vectors.
        vectors: Row ids with their vectors; those that a query found already are left out of it.
        space: Chroma's name of the distance.
    """
    ids, distances = [], []
    for query, found, far in zip(queries, result["ids"], result["distances"], strict=True):
        one, known = np.asarray(query, dtype=np.float32), set(found)
        more = [(i, _distance(one, v, space)) for i, v in vectors.items() if i not in known]
        entries = sorted([*zip(found, far, strict=True), *more], key=lambda e: e[1])
        ids.append([i for i, _ in entries])
        distances.append([d for _, d in entries])
    return {"ids": ids, "distances": distances}


def _moved(entry: tuple[Record, float], query: Any, vectors: Mapping[str, Vector], space: str) -> tuple[Record, float]:
    """Return a record with the farther of its two distances, and the vector that has it."""
    record, distance = entry
    vector = vectors.get(record["id"])
    if vector is None:
        return record, distance
    farther = _distance(np.asarray(query, dtype=np.float32), vector, space)
    return ({**record, "embedding": vector}, farther) if farther > distance else entry


def _distance(one: Vector, other: Vector, space: str) -> float:
    """Return Chroma's distance of two vectors."""
    if one.shape != other.shape:
        raise InvalidArgumentError(
            f"the embedding that ranks redacted texts makes {other.size} dimensions, and the query has {one.size}"
        )
    if space == "l2":
        return float(((one - other) ** 2).sum())
    length = float(np.linalg.norm(one) * np.linalg.norm(other)) if space == "cosine" else 1.0
    return 1.0 - float(one @ other) / (length or 1.0)
