"""Which of several readers a sentence needs: those of whose words it holds one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Generic, TypeVar

__all__ = ["Dispatch"]

_MOST_REMEMBERED = 2048
Reader = TypeVar("Reader")
Needles = frozenset[str] | tuple[frozenset[str], ...] | None
"""Words of which a sentence must hold one; of each of several sets; or any words (`None`)."""


class Dispatch(Generic[Reader]):
    """Readers in order, each with the words of which a sentence must hold one (see `Needles`).

    Example:
        >>> host, is_, are = frozenset(("host",)), frozenset(("is",)), frozenset(("are",))
        >>> fitting = Dispatch([("is", is_), ("are", are), ("all", None), ("hosts", (host, is_)), ("no", (host, are))])
        >>> fitting(frozenset(("the", "host", "is", "b1")))
        ('is', 'all', 'hosts')
    """

    def __init__(self, readers: Sequence[tuple[Reader, Needles]]) -> None:
        self._readers = tuple((reader, _sets(needles)) for reader, needles in readers)
        self._known = frozenset(word for _, sets in self._readers for needles in sets for word in needles)
        self._of = lru_cache(maxsize=_MOST_REMEMBERED)(self._choose)

    def __call__(self, words: frozenset[str]) -> tuple[Reader, ...]:
        """Return the readers that a sentence of these words needs, in order."""
        return self._of(words & self._known)

    def _choose(self, words: frozenset[str]) -> tuple[Reader, ...]:
        return tuple(r for r, sets in self._readers if not any(map(words.isdisjoint, sets)))


def _sets(needles: Needles) -> tuple[frozenset[str], ...]:
    return () if needles is None else (needles,) if isinstance(needles, frozenset) else needles
