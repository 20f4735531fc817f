"""Which of several readers a sentence needs: those of whose words it holds one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Generic, TypeVar

__all__ = ["Dispatch"]

_MOST_REMEMBERED = 2048
Reader = TypeVar("Reader")


class Dispatch(Generic[Reader]):
    """Readers in order, each with the words of which a sentence must hold one (`None`: any sentence).

    Example:
        >>> fitting = Dispatch([("ports", frozenset(("port",))), ("all", None), ("hosts", frozenset(("host",)))])
        >>> fitting(frozenset(("the", "host", "is", "b1")))
        ('all', 'hosts')
    """

    def __init__(self, readers: Sequence[tuple[Reader, frozenset[str] | None]]) -> None:
        self._readers = tuple(readers)
        self._known = frozenset().union(*(needles for _, needles in readers if needles is not None))
        self._of = lru_cache(maxsize=_MOST_REMEMBERED)(self._choose)

    def __call__(self, words: frozenset[str]) -> tuple[Reader, ...]:
        """Return the readers that a sentence of these words needs, in order."""
        return self._of(words & self._known)

    def _choose(self, words: frozenset[str]) -> tuple[Reader, ...]:
        return tuple(r for r, needles in self._readers if needles is None or not needles.isdisjoint(words))
