"""Memories and benchmarks of somebody else, by path: nothing of the catalogue is edited for them.

A memory is ``PATH.py:NAME`` or ``PACKAGE.MODULE:NAME``, a callable ``(embedding, roles, settings) -> Condition``. A
benchmark is the same with a callable ``() -> Benchmark``, or a JSONL file of items like those of `code_mutation` (two
states of a fact) or `domain` (a statement and a question). What their code raises is told in a line.
"""

import hashlib
import importlib
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from eval.arguments import unknown
from eval.benchmarks import NAMES
from eval.benchmarks.ours import LOADERS
from eval.conditions import ALTERNATIVES, CONDITIONS
from eval.spec import Benchmark, Condition, Passage, Regime, Turn
from memstrata_integrations.errors import InvalidInputError, MemstrataError


def digests(given: Iterable[str]) -> dict[str, str]:
    """Return the SHA-256 of each file that a memory or a benchmark comes from: edited, it makes another run."""
    files = [Path(spec if spec.endswith(".jsonl") else spec.rpartition(":")[0]) for spec in given]
    return {str(f): hashlib.sha256(f.read_bytes()).hexdigest() for f in files if f.is_file()}


def own_conditions(given: Iterable[str]) -> dict[str, Callable[..., Condition]]:
    """Return what makes each memory, by its name.

    Raises:
        InvalidInputError: If one cannot be loaded, or has the name of another.
    """
    found: dict[str, Callable[..., Condition]] = {}
    for spec in given:
        name = spec.rpartition(":")[2]
        if name in (*CONDITIONS, *ALTERNATIVES, *found):
            raise InvalidInputError(f"{spec}: there is a condition {name!r} already; give it another name")
        found[name] = partial(_Brought, spec, _loaded(spec))
    return found


class _Brought:
    """A memory as it was brought, held to what a `Condition` does."""

    def __init__(self, spec: str, make: Callable[..., Condition], *given: Any) -> None:
        self.name = spec
        with _blaming(spec):
            self._memory = make(*given)
        lacking = [n for n in ("ingest", "retrieve", "active", "close") if not callable(getattr(self._memory, n, None))]
        if lacking:
            what = type(self._memory).__name__
            raise InvalidInputError(f"{spec} makes a {what} without {', '.join(lacking)}; see eval.spec.Condition")

    def ingest(self, turns: Sequence[Turn]) -> None:
        with _blaming(f"{self.name}, ingest"):
            self._memory.ingest(turns)

    def retrieve(self, question: str, *, k: int, as_of: datetime | None = None) -> list[Passage]:
        return self._passages("retrieve", k, question, k=k, as_of=as_of)

    def active(self) -> list[Passage]:
        return self._passages("active", None)

    def close(self) -> None:
        with _blaming(f"{self.name}, close"):
            self._memory.close()

    def _passages(self, method: str, most: int | None, *given: Any, **named: Any) -> list[Passage]:
        with _blaming(f"{self.name}, {method}"):
            found: list[Passage] = getattr(self._memory, method)(*given, **named)
        if not isinstance(found, list) or not all(isinstance(one, Passage) for one in found):
            raise InvalidInputError(f"{self.name}, {method}: returns no list of eval.spec.Passage, but {found!r:.80}")
        if most is not None and len(found) > most:
            raise InvalidInputError(f"{self.name}, {method}: returns {len(found)} passages when asked for {most}")
        return found


def own_benchmark(spec: str, *, limit: int | None = None) -> Benchmark:
    """Return a benchmark.

    Args:
        spec: See above.
        limit: Take only so many items of a JSONL file.

    Raises:
        InvalidInputError: If it cannot be loaded, has the name of one of ours, asks nothing, or repeats an id.
    """
    made = _of_items(Path(spec), limit) if spec.endswith(".jsonl") else _made(spec)
    if made.name in (*NAMES, "git_sample"):
        raise InvalidInputError(f"{spec}: there is a benchmark {made.name!r} already; give it another name")
    if not made.turns or not made.questions:
        raise InvalidInputError(f"{spec}: it has {len(made.turns)} turns and {len(made.questions)} questions")
    for what, some in (("turns", made.turns), ("questions", made.questions)):
        [(most, times)] = Counter(one.id for one in some).most_common(1)
        if times > 1:
            raise InvalidInputError(f"{spec}: {times} {what} have the id {most!r}; each needs its own")
    return made


def _made(spec: str) -> Benchmark:
    make = _loaded(spec)
    with _blaming(spec):
        made = make()
    if not isinstance(made, Benchmark):
        raise InvalidInputError(f"{spec} makes a {type(made).__name__}, and must make an eval.spec.Benchmark")
    return made


def _of_items(path: Path, limit: int | None) -> Benchmark:
    like, why = "domain", ""
    try:
        content = path.read_bytes()
        like = "code_mutation" if b'"first"' in content.partition(b"\n")[0] else "domain"
        turns, questions = LOADERS[like](path, "told", limit)
    except KeyError as lacking:
        why = f"an item without {lacking}"
    except (OSError, ValueError, TypeError) as unreadable:
        why = f"{unreadable}"
    if why:
        raise InvalidInputError(f"{path} cannot be read as items like those of {like}: {why}")
    regime: Regime = "evolving" if like == "code_mutation" else "static"
    digest = hashlib.sha256(content).hexdigest()
    return Benchmark(path.stem, "own", regime, turns, questions, digest, f"items of {path.name}")


def _loaded(spec: str) -> Callable[..., Any]:
    place, _, name = spec.rpartition(":")
    if not place or not name:
        raise InvalidInputError(f"{spec!r} names nothing to call; such as memory.py:build or package.module:build")
    with _blaming(f"{spec} cannot be loaded"):
        found = vars(_of_file(Path(place)) if place.endswith(".py") else importlib.import_module(place))
    if name not in found:
        own = [n for n, one in found.items() if getattr(one, "__module__", "") == found["__name__"] and n[0] != "_"]
        raise unknown(f"callable in {place} named", name, own)
    made: Callable[..., Any] = found[name]
    if not callable(made):
        raise InvalidInputError(f"{spec} is no callable, but {made!r:.80}")
    return made


def _of_file(path: Path) -> ModuleType:
    """Import a file under a name of its own: what is defined in it is found there, as dataclasses need."""
    loader = SourceFileLoader(f"brought_{path.stem}", str(path))
    module = sys.modules[loader.name] = ModuleType(loader.name)
    loader.exec_module(module)
    return module


@contextmanager
def _blaming(whom: str) -> Iterator[None]:
    """Tell in a line what somebody else's code raised, and where; the package's own errors pass."""
    try:
        yield
    except MemstrataError:
        raise
    except (Exception, SystemExit) as error:
        frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename != __file__]
        frames = [f for f in frames if "importlib" not in f.filename]
        own = [f for f in frames if "site-packages" not in f.filename] or frames
        where = f" ({Path(own[-1].filename).name}, line {own[-1].lineno})" if own else ""
        raise InvalidInputError(f"{whom}: {type(error).__name__}: {error}{where}") from error
