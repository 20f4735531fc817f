"""Tunes the stock alternatives: every combination of their documented knobs, on one benchmark that changes.

``python -m eval.conditions.tuning`` prints what each combination reaches; the best are the defaults of `Settings`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from langchain_core.embeddings import Embeddings

from eval.conditions.catalogue import ALTERNATIVES, build_alternative
from eval.conditions.plain import Dated
from eval.conditions.settings import Settings
from eval.metrics import place_of
from eval.spec import Benchmark

_DECAYS = (1e-5, 1e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.015, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5)

GRIDS: Mapping[str, Mapping[str, Sequence[float]]] = {
    "mmr": {"lambda_mult": (0.5, 0.1, 0.25, 0.75, 0.9), "mmr_pool": (4, 2, 10)},
    "time_weighted": {"decay_rate": (0.01, *_DECAYS), "salient": (100, 50, 20, 10)},
    "fixed_recency": {"fixed_top_k": (1, 2, 3, 4, 5), "fixed_pool": (1, 2, 3, 4)},
    "embedding_recency": {"similarity_cutoff": (0.7, 0.3, 0.4, 0.5, 0.6, 0.8, 0.9), "embedding_pool": (1, 2, 3, 4)},
    "time_weighted_postprocessor": {"time_decay": (0.99, *_DECAYS), "weighted_pool": (1, 2, 4, 10, 20)},
    "dated_cut": {"date_cut": (0.1, 0.01, 0.02, 0.05, 0.15, 0.2, 0.3, 0.4)},
    "dated_apart": {"too_alike": (0.95, 0.85, 0.75, 0.8, 0.9, 0.98)},
}
"""The knobs of each alternative and what is tried, the documented default first: it wins a tie."""

_BY_HIT = ("dated_cut",)
TUNED_ON = "config_migration"


def _listed(values: Sequence[float]) -> str:
    return " ".join(f"{value:g}" for value in sorted(set(values)))


def _chosen(name: str) -> str:
    knobs = (f"{knob} {getattr(Settings(), knob):g} of {_listed(tried)}" for knob, tried in GRIDS[name].items())
    return f"{name}: {', '.join(knobs)}"


TUNED = f"""\
Tuned on all of {TUNED_ON}, as told, with all-MiniLM-L6-v2 and 5 passages (the alternatives are at their best there): \
by a grid of their documented knobs, for the most questions whose context holds the right value and no stale one, \
then for the most with the right value; of equals the documented default. \
Chosen: {"; ".join(_chosen(name) for name in GRIDS)}. \
Pools are multiples of the passages packed. Turns without a date of their own are dated an hour apart in the order of \
telling; the clock of these components stands one step after the last; decay is per hour, and where turns have dates \
of their own it is scaled to the mean time between them. What a question retrieves does not become fresh by it, or \
answers would depend on earlier questions. dated_cut was tuned for the right value alone, since the tightest cut-off \
has the fewest stale values and loses right ones; from 0.05 on each has all of them there. dated_one and dated_apart \
take its cut-off; the documented default of dated_apart is that of LangChain's EmbeddingsRedundantFilter. LangChain's \
index() and LlamaIndex's upserts are no column: they replace what comes again under one id, and here each text has an \
id of its own, so they give what stock Chroma gives; who has such ids stands as "key known" in the git histories."""
"""For the report."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What one combination reached.

    Attributes:
        knobs: The combination.
        clean: Questions whose context holds the right value and no stale one.
        hit: Questions whose context holds the right value.
        asked: How many questions there were.
    """

    knobs: Mapping[str, float]
    clean: int
    hit: int
    asked: int


def tune(name: str, embedding: Embeddings, benchmark: Benchmark, settings: Settings | None = None) -> list[Trial]:
    """Try every combination of an alternative's knobs, best first; of equals, the one that the grid names first.

    Best is the most questions with the right value and no stale one in the context (of ``dated_cut`` this counts
    nothing: no cut-off parts two values of one sentence), then the most with the right value.

    Args:
        name: One of `GRIDS`.
        embedding: Embeds texts and questions.
        benchmark: What it is tuned on.
        settings: Everything else.
    """
    base = settings or Settings()
    trials = [_try(name, embedding, benchmark, base, knobs) for knobs in _combinations(GRIDS[name])]
    return sorted(trials, key=lambda t: (t.clean * (name not in _BY_HIT), t.hit), reverse=True)


def _combinations(grid: Mapping[str, Sequence[float]]) -> list[dict[str, Any]]:
    return [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]


def _try(name: str, embedding: Embeddings, benchmark: Benchmark, base: Settings, knobs: Mapping[str, Any]) -> Trial:
    samples = {turn.id: turn.sample for turn in benchmark.turns}
    made = build_alternative if name in ALTERNATIVES else Dated
    condition = made(name, embedding, replace(base, **knobs))
    try:
        condition.ingest(benchmark.turns)
        hit = clean = 0
        for question in benchmark.questions:
            found = condition.retrieve(question.text, k=base.k)
            own = [p for p in found if question.sample is None or samples[p.turns[0]] == question.sample]
            right = place_of(own, question.answers) is not None
            hit += right
            clean += right and place_of(own, question.stale) is None
    finally:
        condition.close()
    return Trial(knobs, clean, hit, len(benchmark.questions))


def main() -> None:
    """Print what the five best combinations of each alternative reach."""
    from eval.benchmarks import load
    from eval.models import embedder

    embedding, benchmark = embedder("minilm"), load(TUNED_ON)
    for name in GRIDS:
        print(name)
        for trial in tune(name, embedding, benchmark)[:5]:
            knobs = ", ".join(f"{knob}={value:g}" for knob, value in trial.knobs.items())
            print(f"  {trial.clean}/{trial.asked} clean, {trial.hit}/{trial.asked} with the right value: {knobs}")


if __name__ == "__main__":
    main()
