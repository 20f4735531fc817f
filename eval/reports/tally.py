"""The records of a run, grouped and counted. Everything in a report is counted here, once."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from eval.benchmarks import EVOLVING, NAMES, STATIC, cluster_of, load
from eval.records import Records, key_of
from eval.spec import Turn
from eval.statistics import cluster_bootstrap, clustered, percentile, wilson

OURS, BASELINE = "temporal_v6", "naive_rag"
DATED, WIDE, CUT, OURS_DATED = "dated_rag", "dated_wide", "dated_cut", "temporal_v6+dates"
DROPPING = ("dated_one", "dated_apart")
"""Those who drop near texts by date."""
RIVALS = (BASELINE, DATED, WIDE, CUT, *DROPPING)
SIX = (*STATIC, *EVOLVING)

Row = Mapping[str, Any]
Measure = Callable[[Row], "bool | None"]


class Rate(NamedTuple):
    """So many of so many; `groups` are hits and number by what varies independently, where probes share something."""

    hits: int
    n: int
    groups: tuple[tuple[int, int], ...] = ()

    @classmethod
    def over(cls, groups: Iterable[Sequence[int]]) -> "Rate":
        """Return the rate over groups."""
        some = tuple((hits, n) for hits, n in groups)
        return cls(sum(hits for hits, _ in some), sum(n for _, n in some), some)

    @property
    def share(self) -> float | None:
        """Return the rate, or `None` of nothing."""
        return self.hits / self.n if self.n else None

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Return the 95 % interval, or `None` of nothing."""
        return clustered(self.groups) if self.groups else wilson(self.hits, self.n)

    def line(self) -> str:
        """Return rate, count and interval in one line."""
        bounds = self.bounds
        if bounds is None or self.share is None:
            return "–"
        low, high = (100 * bound for bound in bounds)
        return f"{self.share * 100:.1f} % ({self.hits}/{self.n}) [{low:.1f}, {high:.1f}]"

    def stacked(self) -> str:
        """Return the same in two lines, for tables with many columns."""
        bounds = self.bounds
        if bounds is None or self.share is None:
            return "–"
        low, high = (100 * bound for bound in bounds)
        digits = 0 if high - low > 5 else 1
        return f"{self.share * 100:.1f} %<br>{self.hits}/{self.n} [{low:.{digits}f}, {high:.{digits}f}]"


def attempted(row: Row) -> bool:
    """Whether the reader answered; an abstention where nothing is valid counts as correct, and is none."""
    return not (row["verdict"] == "abstained" or (row["verdict"] == "correct" and row["expects_nothing"]))


def _verdict(wanted: str) -> Measure:
    return lambda row: None if row["verdict"] is None else row["verdict"] == wanted


def _abstained(row: Row) -> bool | None:
    return None if row["verdict"] is None else not attempted(row)


def _fabricated_raw(row: Row) -> bool | None:
    return row["fabricated"] if attempted(row) else False


def _clean(row: Row) -> bool | None:
    return None if row["hit"] is None else bool(row["hit"] and not row["exposed"])


MEASURES: Mapping[str, Measure] = {
    "correct": _verdict("correct"),
    "stale": _verdict("stale"),
    "stale_by_string": lambda row: None if row.get("by_string") is None else row["by_string"] == "stale",
    "wrong": _verdict("wrong"),
    "abstained": _abstained,
    "fabricated": _fabricated_raw,
    "fabricated_of_attempted": lambda row: row["fabricated"] if attempted(row) else None,
    "hit": lambda row: row["hit"],
    "exposed": lambda row: row["exposed"],
    "clean": _clean,
    "current_above_stale": lambda row: row["current_above_stale"],
}
"""What can be said of one answer record: yes, no, or `None` where it does not apply or could not be judged."""


def rate_of(rows: Iterable[Row], measure: str) -> Rate:
    """Count a measure over answer records; what does not apply is no part of n."""
    return grouped((group_of(row), MEASURES[measure](row)) for row in rows)


def _of_cells(cells: Iterable[tuple[int, int, Row]], at: int) -> Rate:
    """Count over cells, by their groups where turns share a fact or repository; else each turn stands for itself."""
    groups: list[tuple[int, int]] = []
    for hits, n, cell in cells:
        shared = [(group[at], group[at + 1]) for group in cell.get("groups", ()) if group[at + 1]]
        groups += shared or [(1, 1)] * hits + [(0, 1)] * (n - hits)
    return Rate.over(groups)


def group_of(row: Row) -> str:
    """Return what an answer varies independently by."""
    return cluster_of(row["benchmark"], row["question"])


def grouped(said: Iterable[tuple[Any, bool | None]]) -> Rate:
    """Count what was said by group; what does not apply is no part of n."""
    groups: dict[Any, list[int]] = {}
    for name, value in said:
        if value is not None:
            hits_n = groups.setdefault(name, [0, 0])
            hits_n[0] += value
            hits_n[1] += 1
    return Rate.over(groups.values())


def mean(values: Sequence[float]) -> float | None:
    """Return the mean, or `None` of nothing."""
    return sum(values) / len(values) if values else None


def plain(value: Any) -> str:
    """Return a value of the manifest or the data as text that is no markup and breaks no table."""
    shown = value if isinstance(value, str) else json.dumps(value)
    return " ".join(shown.split()).replace("|", "¦").replace("<", "&lt;")


class Tally:
    """The records of a run by what they are about; the order in which they were written changes nothing.

    Args:
        records: What `eval.records.read` gives.
    """

    def __init__(self, records: Records) -> None:
        rows = sorted(records.rows, key=lambda row: tuple(map(str, key_of(row))))
        self.records = Records(records.manifest, tuple(rows))
        self.manifest = records.manifest
        self._answers: dict[tuple[str, str, str, str], list[Row]] = {}
        self._cells: dict[tuple[str, str, str], Row] = {}
        for row in rows:
            if row["type"] == "answer":
                key = (row["benchmark"], row["condition"], row["order"], row["abstention"])
                self._answers.setdefault(key, []).append(row)
            elif row["type"] == "cell":
                self._cells[row["benchmark"], row["condition"], row["order"]] = row

    def made_with(self, field: str) -> str:
        """Return a field of the manifest, as text for a table."""
        return plain(self.manifest.get(field, "unknown"))

    def model(self, role: str) -> str:
        """Return the name of a role's model, or of what stands in for it, as text for a table."""
        return plain(self.manifest.get("models", {}).get(role, "unknown"))

    @property
    def seed(self) -> int:
        """Return the seed of the run, which resampling takes as well."""
        return int(self.manifest.get("seed", 0))

    @cached_property
    def benchmarks(self) -> tuple[str, ...]:
        """Return the benchmarks that have records: ours in the order of the tables, then others by name."""
        present = {key[0] for key in (*self._cells, *self._answers)}
        return tuple(name for name in (*NAMES, *sorted(present.difference(NAMES))) if name in present)

    @cached_property
    def conditions(self) -> tuple[str, ...]:
        """Return the conditions that have records, without the stock alternatives, in the order of the manifest."""
        return self._present(self.manifest.get("conditions", ()), but=self.manifest.get("alternatives", ()))

    @cached_property
    def alternatives(self) -> tuple[str, ...]:
        """Return the stock alternatives that have records."""
        named = self.manifest.get("alternatives", ())
        return tuple(name for name in named if name in self._told)

    @cached_property
    def own_conditions(self) -> tuple[str, ...]:
        """Return the memories that a user brought, those that have records."""
        named = (spec.rpartition(":")[2] for spec in self.manifest.get("own", {}).get("conditions", ()))
        return tuple(name for name in named if name in self.every)

    @cached_property
    def own_benchmarks(self) -> tuple[str, ...]:
        """Return the benchmarks that a user brought, those that have records."""
        return tuple(name for name in self.benchmarks if name not in (*NAMES, "git_sample") and ":" not in name)

    @cached_property
    def _told(self) -> frozenset[str]:
        return frozenset(key[1] for key in (*self._cells, *self._answers))

    @cached_property
    def every(self) -> frozenset[str]:
        """Return the names of all conditions that have records of any kind."""
        return frozenset(str(row["condition"]) for row in self.records.rows if "condition" in row)

    def ordered(self, names: Iterable[str]) -> list[str]:
        """Return names of conditions, each once, in the order of the tables."""
        named = (*self.conditions, *self.alternatives)
        return sorted(set(names), key=lambda name: (named.index(name) if name in named else len(named), name))

    def _present(self, named: Sequence[str], *, but: Sequence[str]) -> tuple[str, ...]:
        others = sorted(self._told.difference(named, but))
        return tuple(name for name in (*named, *others) if name in self._told)

    def answers(
        self, benchmarks: Iterable[str], condition: str, *, order: str = "told", abstention: str = "allowed"
    ) -> list[Row]:
        """Return the answer records of a condition on some benchmarks."""
        return [row for name in benchmarks for row in self._answers.get((name, condition, order, abstention), ())]

    def cells(self, benchmarks: Iterable[str], condition: str, *, order: str = "told") -> list[Row]:
        """Return the cell records of a condition on some benchmarks."""
        return [row for name in benchmarks if (row := self._cells.get((name, condition, order))) is not None]

    def rate(self, measure: str, benchmarks: Iterable[str], condition: str, **chosen: str) -> Rate:
        """Count a measure over the answers of a condition."""
        return rate_of(self.answers(benchmarks, condition, **chosen), measure)

    def lost(self, benchmarks: Iterable[str], condition: str, *, order: str = "told") -> Rate:
        """Count the turns that must stay and cannot be served any more: false supersession."""
        cells = self.cells(benchmarks, condition, order=order)
        return _of_cells(((len(cell["lost"]), cell["should_stay"], cell) for cell in cells), 2)

    def coverage(self, benchmarks: Iterable[str], condition: str, *, order: str = "told") -> Rate:
        """Count the turns that should go and are gone, with their successor served."""
        cells = self.cells(benchmarks, condition, order=order)
        return _of_cells(((cell["clean"], cell["to_retire"], cell) for cell in cells), 0)

    def numbers(self, field: str, benchmarks: Iterable[str], condition: str) -> list[float]:
        """Return a field of the answers of a condition, in the order of the records."""
        return [float(row[field]) for row in self.answers(benchmarks, condition)]

    def percentile(self, field: str, benchmarks: Iterable[str], condition: str, q: float) -> float | None:
        """Return a percentile of a field of the answers of a condition."""
        return percentile(self.numbers(field, benchmarks, condition), q)

    def difference(
        self, measure: str, benchmarks: Sequence[str], first: str = OURS, second: str = BASELINE
    ) -> tuple[int, tuple[float, float, float] | None]:
        """Return how many questions both were asked, and the mean difference with its bootstrap interval."""
        said = MEASURES[measure]
        other = {(row["benchmark"], row["question"]): said(row) for row in self.answers(benchmarks, second)}
        groups: dict[str, tuple[float, int]] = {}
        for row in self.answers(benchmarks, first):
            one, two = said(row), other.get((row["benchmark"], row["question"]))
            if one is not None and two is not None:
                total, n = groups.get(group_of(row), (0.0, 0))
                groups[group_of(row)] = (total + one - two, n + 1)
        return sum(n for _, n in groups.values()), cluster_bootstrap(list(groups.values()), seed=self.seed)

    def kinds(self, benchmark: str) -> dict[str, str]:
        """Return the kind of each question of a benchmark."""
        return {
            row["question"]: row["kind"]
            for (name, *_), rows in self._answers.items()
            if name == benchmark
            for row in rows
        }

    def unscored(self) -> dict[str, int]:
        """Return by role how many answers could not be read: of the judges, and what a run recorded."""
        every = [row for rows in self._answers.values() for row in rows]
        found = {
            "correctness": sum(row["verdict"] is None for row in every),
            "fabrication": sum(row["fabricated"] is None and row["answer"] is not None for row in every),
        }
        found.update(Counter(error.partition(":")[0] for row in self.records.rows for error in row.get("errors", ())))
        return {role: n for role, n in found.items() if n}

    def history(self, condition: str, asked: str, versions: int, *, pace: str = "each its own") -> list[Row]:
        """Return the records of deep histories of one condition, of one thing asked."""
        named = {"condition": condition, "versions": versions, "pace": pace}
        return [row for row in self.records.of("history", **named) if row["asked"].startswith(asked)]

    def served(
        self, condition: str, asked: str, versions: int, *, pace: str = "each its own", alone: bool = False
    ) -> Rate:
        """Count, in deep histories, the contexts that hold what is right; `alone`: and no other version of it."""
        rows = self.history(condition, asked, versions, pace=pace)
        return grouped((row["fact"], row["hit"] and not (alone and row["others"])) for row in rows)

    def git(self, condition: str, probe: str, field: str, *, versions: range = range(1_000_000)) -> Rate:
        """Count a field of the git probes of one condition by repository, of facts with so many versions.

        The fields ``alone`` and ``gone`` say whether the context holds what is right, or an ending, and nothing wrong.
        """
        rows = self.records.of("git", condition=condition, probe=probe)
        alone = {"alone": "hit", "gone": "told_ended"}.get(field)
        rows = [row for row in rows if row["versions"] in versions]
        if alone is not None:
            rows = [row | {field: row[alone] and not row["exposed"]} for row in rows]
        return grouped((row["repo"], row[field]) for row in rows)

    def pairs(self, kind: str, split: str, measure: str) -> Rate:
        """Count pairs by author; an empty rate where there are none."""
        found = self.records.of("probe", set=kind, half=split, measure=measure)
        return Rate.over(found[0]["groups"]) if found else Rate(0, 0)

    def sentences(self, benchmark: str) -> dict[str, Turn]:
        """Return the turns of one of our benchmarks by id, if this checkout holds the one that was run; else none."""
        known = self.manifest.get("datasets", {}).get(benchmark, {}).get("sha256")
        found = load(benchmark) if benchmark in NAMES else None
        return {turn.id: turn for turn in found.turns} if found is not None and found.sha256 == known else {}
