"""How a memory grows under updates: fifty facts, each with twenty values, told one round after the other."""

from collections.abc import Callable, Sequence

from eval.records import Recorder
from eval.spec import Condition, Turn

GROWING = ("retain_all", "naive_rag", "v6_no_verify", "temporal_v6")
_ROLES = ("API", "worker", "gateway", "scheduler", "exporter")
_NAMES = ("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Ginkgo", "Hazel", "Juniper", "Larch")


def updates(rounds: int = 20) -> list[list[Turn]]:
    """Return the rounds: each sets every one of fifty ports anew.

    The sentences come from one template on purpose: this measures how a store grows, not what an extractor reads.
    """
    facts = [f"The {name} {role}" for name in _NAMES for role in _ROLES]
    return [
        [
            Turn(f"{round_}-{n}", f"{fact} listens on port {3000 + 100 * round_ + n}.", stays=round_ == rounds - 1)
            for n, fact in enumerate(facts)
        ]
        for round_ in range(rounds)
    ]


def run_growth(
    build: Callable[[str], Condition],
    recorder: Recorder,
    *,
    conditions: Sequence[str] = GROWING,
    rounds: int = 20,
    step: Callable[[], object] = lambda: None,
) -> None:
    """Record, after each round, how many texts each condition could still serve."""
    stream = updates(rounds)
    for name in conditions:
        points = [{"type": "growth", "condition": name, "ingested": 50 * (n + 1)} for n in range(rounds)]
        if not all(recorder.has(point) for point in points):
            condition = build(name)
            try:
                for turns, point in zip(stream, points, strict=True):
                    condition.ingest(turns)
                    recorder.write({**point, "active": len(condition.active())})
            finally:
                condition.close()
        step()
