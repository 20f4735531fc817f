"""What a run consists of: which benchmarks go through which conditions, in which order and regime."""

from collections import Counter
from collections.abc import Sequence
from math import ceil

from eval.benchmarks import EVOLVING, load
from eval.conditions.settings import Settings
from eval.runner import Cell
from eval.spec import Abstention, Benchmark, Turn

FORCED = ("naive_rag", "advanced_rag", "temporal_v6")
"""Conditions whose reader must also answer when it would rather abstain, on the evolving benchmarks."""

NOISE_LAST = ("naive_rag", "dated_rag", "dated_wide", "dated_cut", "dated_one", "dated_apart", "temporal_v6")
"""Conditions that are also told the noise last, beside the stock alternatives: what is newest is not what changed."""


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
    for benchmark in (load(name, limit=limit) for name in benchmarks):
        evolving = benchmark.name in EVOLVING
        for condition in conditions:
            forced: tuple[Abstention, ...] = ("forced",) if forcing and evolving and condition in FORCED else ()
            planned.append(Cell(benchmark, condition, abstentions=("allowed", *forced)))
        if evolving or benchmark.name in ("domain", "timeline"):
            planned += [Cell(benchmark, name) for name in alternatives]
    last = [*(name for name in NOISE_LAST if name in conditions), *alternatives] if alternatives else []
    for changing in (name for name in benchmarks if name in EVOLVING and last):
        benchmark = load(changing, order="noise_last", limit=limit)
        planned += [Cell(benchmark, name, order="noise_last") for name in last]
    planned += [Cell(benchmark, condition, texts=False) for benchmark in extra for condition in conditions]
    return planned


def expected_calls(
    asked: Sequence[Cell], told: Sequence[tuple[str, Sequence[Turn]]], settings: Settings, *, reads: bool
) -> Counter[str]:
    """Return about how often each prompt is asked in a run, at most; what the cache knows is among them.

    Args:
        asked: Its cells.
        told: Conditions that are told turns and asked nothing, and the turns.
        settings: Of its conditions.
        reads: Whether a model reads facts.
    """
    calls: Counter[str] = Counter()
    kept, read = set(), set()
    for name, turns in (*((cell.condition, cell.benchmark.turns) for cell in asked), *told):
        texts = {turn.text for turn in turns}
        if name.startswith("v6"):
            kept |= texts
        elif name.startswith("temporal") and reads:
            read |= texts
        calls["gate_judge"] += len(turns) if name.startswith("v6") or name == "temporal_v6_lossy" else 0
        calls["infer_check"] += len(turns) if name == "v6+infer" else 0
    calls.update(extract=len(kept), extract_triple=len(read))
    for cell in asked:
        questions = len(cell.benchmark.questions)
        for prompt in ("answer", "judge_correctness", "judge_fabrication"):
            calls[prompt] += questions * len(cell.abstentions)
        calls["verify"] += questions * settings.k if cell.condition in ("v6", "v6+infer") else 0
        calls["rerank"] += questions * ceil(settings.rerank_pool * settings.k / 10) * (cell.condition == "advanced_rag")
    return +calls
