"""What a run consists of: which benchmarks go through which conditions, in which order and regime."""

from __future__ import annotations

from collections.abc import Sequence

from eval.benchmarks import EVOLVING, STATIC, load
from eval.runner import Cell, Order
from eval.spec import Abstention, Benchmark

__all__ = ["BENCHMARKS", "FORCED", "NOISE_LAST", "cells", "load_all"]

BENCHMARKS = (*STATIC, *EVOLVING, "fair_contradiction", "collision", "timeline")
"""What a run has unless `--benchmarks` says otherwise."""

FORCED = ("naive_rag", "advanced_rag", "temporal_v6")
"""Conditions whose reader must also answer when it would rather abstain, on the evolving benchmarks."""

NOISE_LAST = ("naive_rag", "temporal_v6")
"""Conditions that are also told the noise last, beside the stock alternatives: what is newest is not what changed."""


def load_all(names: Sequence[str], *, order: Order, limit: int | None) -> list[Benchmark]:
    """Load benchmarks by name, in one order of telling."""
    return [load(name, order=order, limit=limit) for name in names]


def cells(
    benchmarks: Sequence[str],
    conditions: Sequence[str],
    alternatives: Sequence[str],
    *,
    limit: int | None = None,
    extra: Sequence[Benchmark] = (),
    forcing: bool = True,
) -> list[Cell]:
    """Return the cells of a run.

    Args:
        benchmarks: Names of ours.
        conditions: Run on every benchmark; those in `FORCED` also without abstention where facts change.
        alternatives: Stock components that a user would try first: run where facts change or carry dates, and on
            `domain`.
        limit: Take only so many items of each benchmark.
        forcing: Whether some readers also answer when they would rather abstain.
        extra: Data by path; its answers are not recorded as text, since it is not ours to copy.
    """
    planned = []
    for benchmark in load_all(benchmarks, order="told", limit=limit):
        evolving = benchmark.name in EVOLVING
        for condition in conditions:
            forced: tuple[Abstention, ...] = ("forced",) if forcing and evolving and condition in FORCED else ()
            planned.append(Cell(benchmark, condition, abstentions=("allowed", *forced)))
        if evolving or benchmark.name in ("domain", "timeline"):
            planned += [Cell(benchmark, name) for name in alternatives]
    changing = [name for name in benchmarks if name in EVOLVING]
    for benchmark in load_all(changing, order="noise_last", limit=limit) if alternatives else ():
        beside = [name for name in NOISE_LAST if name in conditions]
        planned += [Cell(benchmark, name, order="noise_last") for name in (*beside, *alternatives)]
    planned += [Cell(benchmark, condition, texts=False) for benchmark in extra for condition in conditions]
    return planned
