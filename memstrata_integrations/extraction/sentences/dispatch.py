"""Which of several readers a sentence needs: those of whose words it holds one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Generic, TypeVar

from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.complements import masked, words_of

__all__ = ["Dispatch", "Needles", "Rule", "Rules"]

_MOST_REMEMBERED = 2048
Reader = TypeVar("Reader")
Needles = frozenset[str] | tuple[frozenset[str], ...] | None
"""Words of which a sentence must hold one; of each of several sets; or any words (`None`)."""
Rule = Callable[[str, str], Claim | None]
"""Reads a sentence, which it gets as it stands and masked; the places of the claim are those of the sentence."""


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


class Rules:
    """A reader that is a table: the first of its rules that reads a sentence says what it tells.

    Args:
        rules: The rules in order, each with the words without which it reads nothing.
        longest: How many characters a sentence may have.
        opening: Whether the words may also open a sentence, with a capital.
    """

    def __init__(
        self, rules: Sequence[tuple[Rule, frozenset[str] | None]], longest: int = 200, *, opening: bool = False
    ) -> None:
        self.rules = tuple((rule, _capitalised(needles) if opening else needles) for rule, needles in rules)
        self._longest = longest
        self._fitting = Dispatch(self.rules)

    def __call__(self, core: str) -> Claim | None:
        """Read a sentence; the places of the claim are those of `core`."""
        if len(core) > self._longest:
            return None
        hidden = masked(core)
        for rule in self._fitting(words_of(hidden)):
            if (claim := rule(core, hidden)) is not None:
                return claim
        return None


def _capitalised(needles: frozenset[str] | None) -> frozenset[str] | None:
    return None if needles is None else needles.union(word.capitalize() for word in needles)
