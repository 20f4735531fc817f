"""Intervals: Wilson's for rates, a paired bootstrap for differences, and percentiles of times."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

__all__ = ["paired_bootstrap", "percentile", "rate", "wilson"]

_Z = 1.959963984540054  # the 97.5 % quantile of the normal distribution


def wilson(hits: int, n: int) -> tuple[float, float] | None:
    """Return the 95 % Wilson score interval of a rate, or `None` of nothing.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference (1927).

    Example:
        >>> [round(bound, 4) for bound in wilson(9, 10)]
        [0.5958, 0.9821]
    """
    if not 0 <= hits <= n:
        raise ValueError(f"{hits} of {n} is no rate")
    if n == 0:
        return None
    p = hits / n
    centre = (p + _Z * _Z / (2 * n)) / (1 + _Z * _Z / n)
    half = _Z * math.sqrt(p * (1 - p) / n + _Z * _Z / (4 * n * n)) / (1 + _Z * _Z / n)
    return max(0.0, centre - half), min(1.0, centre + half)


def rate(hits: int, n: int) -> str:
    """Return a rate as a table shows it: with its count and interval; of nothing, a dash.

    Example:
        >>> rate(9, 10)
        '90.0 % (9/10) [59.6, 98.2]'
    """
    bounds = wilson(hits, n)
    if bounds is None:
        return "–"
    low, high = bounds
    return f"{hits / n:.1%}".replace("%", " %") + f" ({hits}/{n}) [{low * 100:.1f}, {high * 100:.1f}]"


def paired_bootstrap(
    first: Sequence[float], second: Sequence[float], *, seed: int = 0, draws: int = 10_000
) -> tuple[float, float, float] | None:
    """Return mean(first - second) with its 95 % percentile interval, resampling the pairs; `None` of nothing.

    Args:
        first, second: One figure for each question, in the same order.
        seed: Of the resampling.
        draws: How many resamples.

    Raises:
        ValueError: If they are not pairs.

    Source: B. Efron and R. Tibshirani, An introduction to the bootstrap (1993), chapter 13.
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} and {len(second)} figures are not pairs")
    if not first:
        return None
    differences = np.asarray(first, dtype=float) - np.asarray(second, dtype=float)
    picks = np.random.default_rng(seed).integers(0, len(differences), size=(draws, len(differences)))
    low, high = np.percentile(differences[picks].mean(axis=1), [2.5, 97.5])
    return float(differences.mean()), float(low), float(high)


def percentile(values: Sequence[float], q: float) -> float | None:
    """Return the q-th percentile (0 to 100, linear interpolation), or `None` of nothing."""
    return float(np.percentile(np.asarray(values, dtype=float), q)) if values else None
