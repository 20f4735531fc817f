"""The published figures of the method, to stand beside ours and never for ours."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

CONDITIONS = (
    "no_memory",
    "naive_rag",
    "advanced_rag",
    "v6_no_verify",
    "v6",
    "v6+infer",
    "temporal_v6_lossy",
    "temporal_v6",
)
"""The eight that have published figures."""

QUESTIONS = {
    "domain": 50,
    "locomo": 30,
    "code_mutation": 30,
    "config_migration": 20,
    "dependency_bump": 20,
    "api_evolution": 20,
}
"""How many questions the published benchmarks have."""


@cache
def published() -> dict[str, Any]:
    """Return everything that is kept of the published results, with its origin."""
    found: dict[str, Any] = json.loads(Path(__file__).with_name("published.json").read_text(encoding="utf-8"))
    return found


def figure(metric: str, benchmark: str, condition: str) -> float | None:
    """Return a published figure of the main run, or `None` where there is none."""
    value: float | None = published()["main"][metric].get(benchmark, {}).get(condition)
    return value


def over(metric: str, benchmarks: Iterable[str], condition: str) -> float | None:
    """Return a published figure over several benchmarks, each of their questions counting once."""
    known = [(figure(metric, name, condition), QUESTIONS[name]) for name in benchmarks]
    found = [(value, n) for value, n in known if value is not None]
    return sum(value * n for value, n in found) / sum(n for _, n in found) if found else None


def forced(metric: str, benchmark: str, condition: str) -> float | None:
    """Return a published figure of the run without abstention, or `None` where there is none."""
    value: float | None = published()["forced"][metric].get(benchmark, {}).get(condition)
    return value
