"""Where the method falls short, found in the records: the worst cells, by id."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from eval.reports.probes import lost_pairs
from eval.reports.tables import code, listed, percent
from eval.reports.tally import BASELINE, EVOLVING, OURS, SIX, Rate, Row, Tally, mean, plain

__all__ = ["shortfalls"]


def shortfalls(tally: Tally) -> str:
    """Return what our method misses, loses and gets wrong, as lists."""
    parts = []
    for title, found in _PARTS:
        lines = [line for part in found for line in part(tally)]
        if lines:
            parts.append(f"### {title}\n\n" + "\n".join(f"* {line}" for line in lines) + "\n")
    if not parts:
        return ""
    return "\n".join([f"Of {code(OURS)}, from the records; nothing is left out for being small.\n", *parts])


def _not_retired(tally: Tally) -> Iterator[str]:
    cells = [cell for cell in tally.cells(tally.benchmarks, OURS) if cell["clean"] < cell["to_retire"]]
    for cell in sorted(cells, key=lambda cell: (cell["clean"] / cell["to_retire"], cell["benchmark"])):
        kinds = _kinds(tally, cell["benchmark"], cell["missed"])
        still = f" Still served: {listed(cell['missed'])}{kinds}." if cell["missed"] else ""
        both = cell["retired"] - cell["clean"]
        gone = f" Gone together with what came after: {both}." if both else ""
        yield f"{code(cell['benchmark'])}: {Rate(cell['clean'], cell['to_retire']).line()}.{still}{gone}"


def _kinds(tally: Tally, benchmark: str, turns: Iterable[str]) -> str:
    kind_of = tally.kinds(benchmark)
    kinds = Counter(kind_of.get(turn.removesuffix("-first"), "") for turn in turns if turn.endswith("-first"))
    return f" ({_counted(kinds, 5)})" if any(kinds) else ""


def _counted(kinds: Mapping[str, int], most: int | None = None) -> str:
    ordered = sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
    shown = ", ".join(f"{plain(kind.replace('_', ' '))} {n}" for kind, n in ordered[:most])
    return f"{shown}, ..." if most is not None and len(ordered) > most else shown


def _lost(tally: Tally) -> Iterator[str]:
    whole: list[str] = []
    for cell in tally.cells(tally.benchmarks, OURS):
        if cell["lost"]:
            rate = Rate(len(cell["lost"]), cell["should_stay"])
            yield f"{code(cell['benchmark'])}: {rate.line()}: {listed(cell['lost'])}."
        elif cell["should_stay"]:
            whole.append(cell["benchmark"])
    if whole:
        yield f"Nothing is lost on {listed(whole)}: {tally.lost(whole, OURS).line()}."


def _collisions(tally: Tally) -> Iterator[str]:
    kind_of = tally.kinds("collision")
    kinds = Counter(kind_of[pair] for pair in lost_pairs(tally, OURS) if pair in kind_of)
    if kinds:
        yield f"Look-alikes that lose a statement in one store, by kind: {_counted(kinds)}."
    alone = sorted(row["pair"] for row in tally.records.of("pair", condition=OURS) if row["lost"])
    if alone:
        yield f"Look-alikes that lose their first in a store of their own: {listed(alone)}."


def _missed_values(tally: Tally) -> Iterator[str]:
    for benchmark in tally.benchmarks:
        stock = {row["question"] for row in tally.answers([benchmark], BASELINE) if row["hit"]}
        asked = tally.answers([benchmark], OURS)
        worse = [row["question"] for row in asked if row["hit"] is False and row["question"] in stock]
        if worse:
            yield f"{code(benchmark)}: the value is in stock's context and not in ours, {_contexts(worse, asked)}."


def _stale_left(tally: Tally) -> Iterator[str]:
    for benchmark in tally.benchmarks:
        rows = tally.answers([benchmark], OURS)
        for nothing, what in ((False, "a superseded value is in the context"), (True, "a value, where none is valid")):
            asked = [row for row in rows if row["expects_nothing"] is nothing]
            left = [row["question"] for row in asked if row["exposed"]]
            if left:
                yield f"{code(benchmark)}: {what}, {_contexts(left, asked)}."


def _contexts(some: Sequence[str], asked: Sequence[Row]) -> str:
    return f"{Rate(len(some), len(asked)).line()}: {listed(some)}"


def _below_stock(tally: Tally) -> Iterator[str]:
    for benchmark in SIX:
        for measure, what in (("correct", "answers right"), ("hit", "has the value in its context")):
            _, found = tally.difference(measure, [benchmark])
            if found is not None and found[0] < 0:
                ours, stock = (tally.rate(measure, [benchmark], c) for c in (OURS, BASELINE))
                yield f"{code(benchmark)}: it {what} less often than stock, {ours.line()} against {stock.line()}."


def _below_others(tally: Tally) -> Iterator[str]:
    for measure, sign, what in (("correct", 1, "answers right less often"), ("stale", -1, "answers stale more often")):
        rates = {
            c: rate.share for c in tally.conditions if (rate := tally.rate(measure, EVOLVING, c)).share is not None
        }
        rates.pop("no_memory", None)
        ours = rates.get(OURS)
        better = [name for name, share in rates.items() if ours is not None and sign * share > sign * ours]
        if better and ours is not None:
            others = [f"{code(name)} ({percent(rates[name])}, {_also_lost(tally, name)})" for name in better]
            own = f"{percent(ours)}, {_also_lost(tally, OURS)}"
            yield f"Where facts change, it {what} ({own}) than {', '.join(others)}."


def _also_lost(tally: Tally, condition: str) -> str:
    return f"having lost {percent(tally.lost(EVOLVING, condition).share)} of what must stay there"


def _below_alternatives(tally: Tally) -> Iterator[str]:
    for order, title in (("told", "in the order of telling"), ("noise_last", "with the noise told last")):
        ours = tally.rate("clean", EVOLVING, OURS, order=order)
        for name in tally.alternatives:
            theirs = tally.rate("clean", EVOLVING, name, order=order)
            if ours.share is not None and theirs.share is not None and theirs.share >= ours.share:
                yield (
                    f"{code(name)}, tuned, has the value and no stale one at least as often {title}: {theirs.line()} "
                    f"against {ours.line()}."
                )


def _git(tally: Tally) -> Iterator[str]:
    hits: dict[tuple[str, str, str], list[bool]] = {}
    wrong: dict[str, list[bool]] = {}
    for row in tally.records.of("git"):
        if row["hit"] is not None:
            hits.setdefault((row["kind"], row["probe"], row["condition"]), []).append(row["hit"])
        if row["condition"] == OURS:
            wrong.setdefault(row["kind"], []).append(row["exposed"])
    for kind, probe in sorted({key[:2] for key in hits}):
        ours, stock = (
            Rate(sum(some), len(some)) for c in (OURS, BASELINE) for some in [hits.get((kind, probe, c), [])]
        )
        if ours.share is not None and stock.share is not None and ours.share < stock.share:
            yield f"{code(kind)}, {probe}: right less often than stock, {ours.line()} against {stock.line()}."
    for kind, served in sorted(wrong.items()):
        if any(served):
            yield f"{code(kind)}: a wrong sentence is served in {Rate(sum(served), len(served)).line()} of the probes."


def _extraction(tally: Tally) -> Iterator[str]:
    rows = [row for row in tally.records.of("probe") if row["n"]]
    clean = [row for row in rows if row["measure"] == "clean supersession"]
    for row in sorted(clean, key=lambda row: (row["hits"] / row["n"], row["set"]))[:3]:
        yield f"{code(row['set'])}: {Rate(row['hits'], row['n']).line()} of the pairs supersede as they should."
    for row in rows:
        if row["measure"] == "false supersession" and row["hits"]:
            yield f"{code(row['set'])}: {Rate(row['hits'], row['n']).line()} of the pairs supersede and must not."


def _time(tally: Tally) -> Iterator[str]:
    stock, ours = (mean(tally.numbers("retrieval_ms", SIX, c)) for c in (BASELINE, OURS))
    if stock and ours and ours > stock:
        yield f"Retrieval takes {ours / stock:.1f} times as long as stock's ({ours:.1f} against {stock:.1f} ms, mean)."
    before, after = (sum(cell["ingest_seconds"] for cell in tally.cells(SIX, c)) for c in (BASELINE, OURS))
    if before and after > before:
        yield f"Writing takes {after / before:.1f} times as long ({after:.1f} against {before:.1f} s, six benchmarks)."


def _unscored(tally: Tally) -> Iterator[str]:
    missing, n = tally.unscored()
    if missing:
        yield f"{missing} of {n} answers have no usable verdict and are in no accuracy."


_PARTS = (
    ("Superseded, and still served: coverage, the worst first", (_not_retired,)),
    ("Lost, though nothing supersedes it", (_lost, _collisions)),
    ("Contexts that lack the value, or hold a superseded one", (_missed_values, _stale_left)),
    ("Where others do better", (_below_stock, _below_others, _below_alternatives)),
    ("Git histories", (_git,)),
    ("Extraction: the worst sets of pairs", (_extraction,)),
    ("Time", (_time,)),
    ("Unscored", (_unscored,)),
)
