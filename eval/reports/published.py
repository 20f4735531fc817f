"""The published figures of the method, to stand beside ours and never for ours."""

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from eval.benchmarks import EVOLVING, STATIC
from eval.conditions import catalogue

CONDITIONS = catalogue.CONDITIONS[:8]
"""The eight that have published figures."""

QUESTIONS = dict(zip((*STATIC, *EVOLVING), (50, 30, 30, 20, 20, 20), strict=True))
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
