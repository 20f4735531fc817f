"""Intervals: Wilson's for independent probes, a bootstrap over what varies independently for others; percentiles."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

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


def cluster_bootstrap(
    groups: Sequence[tuple[float, int]], *, seed: int = 0, draws: int = 10_000
) -> tuple[float, float, float] | None:
    """Return a mean with its 95 % percentile interval, resampling whole groups; `None` of nothing.

    Of differences between two conditions it is the paired bootstrap: a group holds a question, or all of one fact.

    Args:
        groups: Sum and number of the figures of each group.
        seed: Of the resampling.
        draws: How many resamples.

    Source: A. C. Davison and D. V. Hinkley, Bootstrap methods and their application (1997), section 3.8.
    """
    if not groups:
        return None
    sums, numbers = (np.asarray(column, dtype=float) for column in zip(*groups, strict=True))
    random = np.random.default_rng(seed)
    means: list[np.ndarray[Any, np.dtype[np.float64]]] = []
    for start in range(0, draws, 500):
        picks = random.integers(0, len(groups), size=(min(500, draws - start), len(groups)))
        means.append(sums[picks].sum(axis=1) / numbers[picks].sum(axis=1))
    low, high = np.percentile(np.concatenate(means), [2.5, 97.5])
    return float(sums.sum() / numbers.sum()), float(low), float(high)


def clustered(groups: Sequence[tuple[int, int]], *, seed: int = 0) -> tuple[float, float] | None:
    """Return the 95 % interval of a rate whose probes share a fact, an author or a repository; `None` of nothing.

    Where every group has one probe it is Wilson's. Where all probes agree, resampling would show no width: Wilson's for
    as many probes as there are groups is the honest one. Few groups make resampling too sure of itself, so the interval
    is never narrower than Wilson's over the probes.

    Args:
        groups: Hits and number of probes of each group.
        seed: Of the resampling.
    """
    some = [group for group in groups if group[1]]
    hits, n = sum(hit for hit, _ in some), sum(number for _, number in some)
    if n and hits in (0, n):
        return wilson(len(some) if hits else 0, len(some))
    plain = wilson(hits, n)
    if plain is None or n == len(some):
        return plain
    _, low, high = cluster_bootstrap(some, seed=seed, draws=2_000) or (0.0, *plain)
    return min(low, plain[0]), max(high, plain[1])


def percentile(values: Sequence[float], q: float) -> float | None:
    """Return the q-th percentile (0 to 100, linear interpolation), or `None` of nothing."""
    return float(np.percentile(np.asarray(values, dtype=float), q)) if values else None
