"""The benchmarks: sentences of our own, versioned, with a SHA-256 each; and loaders for data by path.

``load("code_mutation")`` gives turns to tell, in order, and questions to ask.
"""

from eval.arguments import unknown
from eval.benchmarks.by_path import load_fact_consolidation, load_locomo, load_longmemeval
from eval.benchmarks.manifest import entry
from eval.benchmarks.ours import LOADERS, Order, collision_pairs
from eval.spec import Benchmark
from memstrata_integrations.errors import InvalidInputError

__all__ = [
    "EVOLVING",
    "NAMES",
    "STATIC",
    "cluster_of",
    "collision_pairs",
    "load",
    "load_fact_consolidation",
    "load_locomo",
    "load_longmemeval",
]

STATIC = ("domain", "locomo")
EVOLVING = ("code_mutation", "config_migration", "dependency_bump", "api_evolution")
NAMES = (*STATIC, *EVOLVING, "fair_contradiction", "collision", "timeline")


def cluster_of(benchmark: str, id_: str) -> str:
    """Return what a turn or a question varies independently by: its fact, its repository, or itself."""
    if benchmark == "git_sample":
        return id_.partition("-")[0]
    return id_.rpartition("-")[0] if benchmark == "timeline" else f"{benchmark} {id_}"


def load(name: str, *, order: Order = "told", limit: int | None = None) -> Benchmark:
    """Load one of our benchmarks.

    Args:
        name: One of `NAMES`.
        order: ``told``: what changes and what does not, mixed, by a fixed shuffle; ``noise_last``: the evolving
            benchmarks with every unrelated statement after the changes.
        limit: Take only so many items, from the first on.

    Raises:
        InvalidInputError: If there is no such benchmark, or its file is not the one that the manifest names.
    """
    if name not in NAMES:
        raise unknown("benchmark", name, NAMES)
    if limit is not None and limit < 1:
        raise InvalidInputError(f"limit={limit} leaves nothing to ask; give 1 or more")
    found = entry(name)
    turns, questions = LOADERS[name](found.path, order, limit)
    return Benchmark(name, found.version, found.regime, turns, questions, found.sha256, found.about)
