"""Which of several readers a sentence needs: those of whose words it holds one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Generic, TypeVar

from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.complements import masked, words_of

__all__ = ["A_NUMBER", "Dispatch", "Needles", "Rule", "Rules", "signs_of"]

_MOST_REMEMBERED = 2048
_NUMBER = re.compile(r"[\d$€£¥]")
A_NUMBER = "0-9"
"""Stands among the signs of a sentence that holds a digit or a sign of money."""
Reader = TypeVar("Reader")
Needles = frozenset[str] | tuple[frozenset[str], ...] | None
"""Signs of which a sentence must hold one (see `signs_of`); one of each of several sets; or any (`None`)."""
Rule = Callable[[str, str], Claim | None]
"""Reads a sentence, which it gets as it stands and masked; the places of the claim are those of the sentence."""


@lru_cache(maxsize=256)
def signs_of(hidden: str) -> frozenset[str]:
    """Return what tells which rules may read a masked sentence: its words as they stand, and `A_NUMBER`.

    Example:
        >>> sorted(signs_of("The port is 80")), sorted(signs_of("The port is open"))
        (['0-9', '80', 'The', 'is', 'port'], ['The', 'is', 'open', 'port'])
    """
    words = words_of(hidden)
    return words if _NUMBER.search(hidden) is None else words | {A_NUMBER}


class Dispatch(Generic[Reader]):
    """Readers in order, each with the signs of which a sentence must hold one (see `Needles`).

    Example:
        >>> host, is_, are = frozenset(("host",)), frozenset(("is",)), frozenset(("are",))
        >>> fitting = Dispatch([("is", is_), ("are", are), ("all", None), ("hosts", (host, is_)), ("no", (host, are))])
        >>> fitting(frozenset(("the", "host", "is", "b1")))
        ('is', 'all', 'hosts')
    """

    def __init__(self, readers: Sequence[tuple[Reader, Needles]]) -> None:
        self._readers: list[tuple[Reader, int]] = []  # each with a bit for each of its sets
        self._bits: dict[str, int] = {}  # of the sets that a sign is in
        bit = 1
        for reader, needles in readers:
            needed = 0
            for signs in _sets(needles):
                for sign in signs:
                    self._bits[sign] = self._bits.get(sign, 0) | bit
                needed |= bit
                bit <<= 1
            self._readers.append((reader, needed))
        self._known = frozenset(self._bits)
        self.needles = _any_of([needles for _, needles in readers])
        """Signs of which a sentence holds one that any of the readers reads; `None`: it may hold any."""
        self._of = lru_cache(maxsize=_MOST_REMEMBERED)(self._choose)

    def __call__(self, signs: frozenset[str]) -> tuple[Reader, ...]:
        """Return the readers that a sentence of these signs needs, in order."""
        held, bits = 0, self._bits
        for sign in signs & self._known:
            held |= bits[sign]
        return self._of(held)

    def _choose(self, held: int) -> tuple[Reader, ...]:
        return tuple([reader for reader, needed in self._readers if held & needed == needed])


def _sets(needles: Needles) -> tuple[frozenset[str], ...]:
    return () if needles is None else (needles,) if isinstance(needles, frozenset) else needles


def _any_of(several: Sequence[Needles]) -> frozenset[str] | None:
    found: frozenset[str] = frozenset()
    for needles in several:
        sets = _sets(needles)
        if not sets:
            return None
        found |= min(sets, key=len)
    return found


class Rules:
    """A reader that is a table: the first of its rules that reads a sentence says what it tells.

    Args:
        rules: The rules in order, each with the words without which it reads nothing.
        longest: How many characters a sentence may have.
        opening: Whether the words may also open a sentence, with a capital.
    """

    def __init__(self, rules: Sequence[tuple[Rule, Needles]], longest: int = 200, *, opening: bool = False) -> None:
        self.rules = tuple((rule, _capitalised(needles) if opening else needles) for rule, needles in rules)
        self._longest = longest
        self._fitting = Dispatch(self.rules)
        self.needles = self._fitting.needles

    def __call__(self, core: str) -> Claim | None:
        """Read a sentence; the places of the claim are those of `core`."""
        if len(core) > self._longest:
            return None
        hidden = masked(core)
        for rule in self._fitting(signs_of(hidden)):
            if (claim := rule(core, hidden)) is not None:
                return claim
        return None


def _capitalised(needles: Needles) -> Needles:
    return tuple(one.union(word.capitalize() for word in one) for one in _sets(needles)) or None
