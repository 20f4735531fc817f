"""Looking at runs that are done: two beside each other, and one sample whole."""

from collections import defaultdict
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any, NamedTuple

from eval import benchmarks
from eval.own import own_benchmark
from eval.records import Records, identity, key_of
from eval.reports.tally import group_of
from eval.spec import Benchmark
from eval.statistics import cluster_bootstrap
from memstrata_integrations.errors import InvalidInputError

_MEASURES = ("correct", "hit", "exposed")


class Difference(NamedTuple):
    """How a cell of the second run differs from that of the first, in shares of the `n` questions that both asked.

    `low` and `high` are the bounds of the 95 % interval, by a paired bootstrap over what varies independently.
    """

    benchmark: str
    condition: str
    order: str
    abstention: str
    measure: str
    n: int
    first: float
    second: float
    difference: float
    low: float
    high: float

    def line(self) -> str:
        """Return it in a line, in percentage points; where all differ alike, resampling has no width to show."""
        low, high = (100 * bound for bound in (self.low, self.high))
        width = f"[{low:+.1f}, {high:+.1f}]" if low < high else "(all the same)"
        shown = f"{self.first:.1%} -> {self.second:.1%}   {100 * self.difference:+.1f} {width}   n {self.n}"
        return f"{' '.join(self[:5]):<64} {shown}"


class Comparison(NamedTuple):
    """Two runs beside each other: answers of one only, of both, what was set otherwise, and every cell."""

    only_first: int
    only_second: int
    both: int
    set_otherwise: list[str]
    cells: list[Difference]

    def text(self) -> str:
        """Return it for people: the differences that are clear first, the larger the earlier; equal cells counted."""
        lines = [f"answers in both runs: {self.both}; in the first only: {self.only_first}; "]
        lines[0] += f"in the second only: {self.only_second}"
        lines.append(f"set otherwise: {', '.join(self.set_otherwise) or 'nothing that is recorded'}")
        unequal = [cell for cell in self.cells if (cell.difference, cell.low, cell.high) != (0, 0, 0)]
        clear = [cell for cell in unequal if cell.low > 0 or cell.high < 0]
        chance = [cell for cell in unequal if cell not in clear]
        for title, some in (("different", clear), ("perhaps by chance", chance)):
            some = sorted(some, key=lambda cell: -abs(cell.difference))
            lines += [f"\n{title}, first -> second:", *(cell.line() for cell in some)] if some else []
        lines.append(f"\nequal, question by question: {len(self.cells) - len(unequal)} of {len(self.cells)} cells")
        return "\n".join(lines)


def compared(a: Records, b: Records) -> Comparison:
    """Return how the second run differs from the first, cell by cell, over the questions that both asked.

    Raises:
        InvalidInputError: If they have no answer in common.
    """
    ours, theirs = ({key_of(row): row for row in run.of("answer")} for run in (a, b))
    groups: dict[tuple[str, ...], dict[str, list[tuple[float, float]]]] = defaultdict(lambda: defaultdict(list))
    for key in ours.keys() & theirs.keys():
        for measure in _MEASURES:
            pair = _figure(ours[key], measure), _figure(theirs[key], measure)
            if None not in pair:
                groups[(*key[1:4], key[5], measure)][group_of(ours[key])].append(pair)  # type: ignore[arg-type]
    if not groups:
        raise InvalidInputError("the two runs answered no question in common: there is nothing to compare")
    cells = []
    for cell, clusters in sorted(groups.items()):
        pairs = [pair for some in clusters.values() for pair in some]
        first, second = (sum(side) / len(pairs) for side in zip(*pairs, strict=True))
        apart = [(sum(y - x for x, y in some), len(some)) for _, some in sorted(clusters.items())]
        cells.append(Difference(*cell, len(pairs), first, second, *(cluster_bootstrap(apart) or (0, 0, 0))))
    was, is_ = identity(a.manifest), identity(b.manifest)
    otherwise = [name for name in sorted(was.keys() | is_.keys()) if was.get(name) != is_.get(name)]
    only = len(ours.keys() - theirs.keys()), len(theirs.keys() - ours.keys())
    return Comparison(*only, len(ours.keys() & theirs.keys()), otherwise, cells)


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
        asked = sorted({row["question"] for row in run.of("answer")})
        near = get_close_matches(sample, asked, n=5, cutoff=0) if asked else ["nothing at all"]
        raise InvalidInputError(f"the run asked no question {sample!r}; it asked {', '.join(near)}")
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
