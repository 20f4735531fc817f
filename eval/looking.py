"""Looking at runs that are done: two beside each other, and one sample whole."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from eval import benchmarks
from eval.own import own_benchmark
from eval.records import Records, identity, key_of
from eval.reports.tally import cluster_of
from eval.spec import Benchmark
from eval.statistics import cluster_bootstrap
from memstrata_integrations.errors import InvalidInputError

__all__ = ["compared", "shown"]

_MEASURES = ("correct", "hit", "exposed")


def compared(a: Records, b: Records) -> str:
    """Return how the second run differs from the first, cell by cell, over the questions that both asked.

    A difference is in percentage points, with its 95 % paired bootstrap interval over what varies independently;
    where every difference is the same, resampling has no width to show.
    """
    ours, theirs = ({key_of(row): row for row in run.of("answer")} for run in (a, b))
    groups: dict[tuple[str, ...], dict[str, list[tuple[float, float]]]] = defaultdict(lambda: defaultdict(list))
    for key in ours.keys() & theirs.keys():
        for measure in _MEASURES:
            pair = _figure(ours[key], measure), _figure(theirs[key], measure)
            if None not in pair:
                groups[(*key[1:4], key[5], measure)][cluster_of(ours[key])].append(pair)  # type: ignore[arg-type]
    lines = [f"only in the first run: {len(ours.keys() - theirs.keys())} answers; only in the second: "]
    lines[0] += f"{len(theirs.keys() - ours.keys())}; in both: {len(ours.keys() & theirs.keys())}"
    was, is_ = identity(a.manifest), identity(b.manifest)
    other = [name for name in sorted(was.keys() | is_.keys()) if was.get(name) != is_.get(name)]
    lines.append(f"the runs differ in {', '.join(other) or 'nothing that is recorded'}")
    for cell, clusters in sorted(groups.items()):
        pairs = [pair for some in clusters.values() for pair in some]
        first, second = (sum(side) / len(pairs) for side in zip(*pairs, strict=True))
        apart = [(sum(y - x for x, y in some), len(some)) for _, some in sorted(clusters.items())]
        mean, low, high = (100 * bound for bound in cluster_bootstrap(apart) or (0, 0, 0))
        width = f"[{low:+.1f}, {high:+.1f}]" if low < high else "(all the same)"
        shown = f"{first:.1%} -> {second:.1%}   {mean:+.1f} {width}   n {len(pairs)}"
        lines.append(f"{' '.join(cell):<64} {shown}")
    return "\n".join(lines)


def _figure(row: dict[str, Any], measure: str) -> float | None:
    if measure == "correct":
        return None if row["verdict"] is None else float(row["verdict"] == "correct")
    return None if row[measure] is None else float(row[measure])


def shown(run: Records, sample: str) -> str:
    """Return one question whole: what was told and asked, and each condition's context, answer and verdicts.

    Raises:
        InvalidInputError: If the run asked no such question.
    """
    rows = [row for row in run.of("answer") if row["question"] == sample]
    if not rows:
        near = sorted({row["question"] for row in run.of("answer")})
        raise InvalidInputError(f"the run asked no question {sample!r}; such as {', '.join(near[:5])}")
    return "\n".join(
        line for name in dict.fromkeys(row["benchmark"] for row in rows) for line in _told(run, name, rows)
    )


def _told(run: Records, name: str, rows: list[dict[str, Any]]) -> Iterator[str]:
    loaded = _loaded(run, name)
    told = {turn.id: turn.text for turn in loaded.turns} if loaded else {}
    yield f"== {name}"
    for question in (q for q in (loaded.questions if loaded else ()) if q.id == rows[0]["question"]):
        when = f"   as of {question.as_of:%Y-%m-%d}" if question.as_of else ""
        yield f"asked: {question.text}{when}"
        yield f"right: {' | '.join(question.answers) or '(nothing)'}   superseded: {' | '.join(question.stale) or '-'}"
    for row in (row for row in rows if row["benchmark"] == name):
        yield f"\n-- {row['condition']} ({row['order']}, abstaining {row['abstention']})"
        for rank, passage in enumerate(row.get("context", ()), 1):
            text = passage.get("text") or " / ".join(told.get(turn, f"<{turn}>") for turn in passage["turns"])
            yield f"   [{rank}] {text}"
        yield f"   answer: {row['answer']!r} ({row['reason']})"
        judged = {"verdict": row["verdict"], "by string": row.get("by_string"), "fabricated": row["fabricated"]}
        judged |= {"current in the context": row["hit"], "superseded in it": row["exposed"]}
        yield "   " + "; ".join(f"{what}: {value}" for what, value in judged.items())
        yield from (f"   error: {error}" for error in row.get("errors", ()))


def _loaded(run: Records, name: str) -> Benchmark | None:
    if name in benchmarks.NAMES:
        return benchmarks.load(name)
    found = (own_benchmark(spec) for spec in run.manifest.get("own", {}).get("benchmarks", ()))
    return next((benchmark for benchmark in found if benchmark.name == name), None)
