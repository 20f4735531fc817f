"""Memories and benchmarks of somebody else, by path: nothing of the catalogue is edited for them.

A memory is ``PATH.py:NAME`` or ``PACKAGE.MODULE:NAME``, a callable ``(embedding, roles, settings) -> Condition``. A
benchmark is the same with a callable ``() -> Benchmark``, or a JSONL file of items like those of `code_mutation` (two
states of a fact) or `domain` (a statement and a question).
"""

from __future__ import annotations

import hashlib
import importlib
import runpy
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from eval.benchmarks import NAMES
from eval.benchmarks.ours import LOADERS
from eval.conditions import ALTERNATIVES, CONDITIONS
from eval.spec import Benchmark, Regime
from memstrata_integrations.errors import InvalidInputError

__all__ = ["digests", "own_benchmark", "own_conditions"]


def digests(given: Iterable[str]) -> dict[str, str]:
    """Return the SHA-256 of each file that a memory or a benchmark comes from: edited, it makes another run."""
    files = [Path(spec if spec.endswith(".jsonl") else spec.rpartition(":")[0]) for spec in given]
    return {str(f): hashlib.sha256(f.read_bytes()).hexdigest() for f in files if f.is_file()}


def own_conditions(given: Iterable[str]) -> dict[str, Callable[..., Any]]:
    """Return what makes each memory, by its name.

    Raises:
        InvalidInputError: If one cannot be loaded, or has the name of another.
    """
    found: dict[str, Callable[..., Any]] = {}
    for spec in given:
        name = spec.rpartition(":")[2]
        if name in (*CONDITIONS, *ALTERNATIVES, *found):
            raise InvalidInputError(f"{spec}: there is a condition {name!r} already; give it another name")
        found[name] = _loaded(spec)
    return found


def own_benchmark(spec: str, *, limit: int | None = None) -> Benchmark:
    """Return a benchmark.

    Args:
        spec: See above.
        limit: Take only so many items of a JSONL file.

    Raises:
        InvalidInputError: If it cannot be loaded, or has the name of another.
    """
    if not spec.endswith(".jsonl"):
        made = _loaded(spec)()
        if not isinstance(made, Benchmark):
            raise InvalidInputError(f"{spec} makes a {type(made).__name__}, and must make an eval.spec.Benchmark")
    else:
        path = Path(spec)
        try:
            content = path.read_bytes()
            changes = b'"first"' in content.partition(b"\n")[0]
            regime: Regime = "evolving" if changes else "static"
            turns, questions = LOADERS["code_mutation" if changes else "domain"](path, "told", limit)
        except (OSError, ValueError, KeyError) as unreadable:
            raise InvalidInputError(
                f"{spec} cannot be read as items ({type(unreadable).__name__}: {unreadable})"
            ) from (unreadable)
        digest = hashlib.sha256(content).hexdigest()
        made = Benchmark(path.stem, "own", regime, turns, questions, digest, f"items of {path.name}")
    if made.name in NAMES:
        raise InvalidInputError(f"{spec}: there is a benchmark {made.name!r} already; give it another name")
    return made


def _loaded(spec: str) -> Callable[..., Any]:
    place, _, name = spec.rpartition(":")
    try:
        if place.endswith(".py"):
            found = runpy.run_path(place)
        else:
            found = vars(importlib.import_module(place))
        made: Callable[..., Any] = found[name]
    except (ImportError, OSError, KeyError, ValueError) as missing:
        raise InvalidInputError(f"{spec!r} cannot be loaded ({missing}); such as memory.py:build") from missing
    return made
