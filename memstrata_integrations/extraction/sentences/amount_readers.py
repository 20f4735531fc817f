"""The readers that put how much and how many into the plain order, each with the words that it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from memstrata_integrations.extraction.sentences.amounts_had import AMOUNTS_HAD, amounts_had
from memstrata_integrations.extraction.sentences.bounds import BOUNDS, bounds
from memstrata_integrations.extraction.sentences.counts import COUNTED, counted
from memstrata_integrations.extraction.sentences.dispatch import Needles
from memstrata_integrations.extraction.sentences.rule_frames import ACTS, LIMITS, WAITS, acts_done, limits, waits

__all__ = ["OF_AMOUNTS"]

_Reader = Callable[[str, str], Iterator[tuple[str | tuple[int, ...], ...]]]

OF_AMOUNTS: tuple[tuple[_Reader, Needles], ...] = (
    (limits, LIMITS),
    (waits, WAITS),
    (acts_done, ACTS),
    (counted, COUNTED),
    (amounts_had, AMOUNTS_HAD),
    (bounds, BOUNDS),
)
"""Readers in order, of limits and acts, of counts, of amounts that something has, and of bounds and periods."""
