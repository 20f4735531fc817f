"""What was packed: sections of the report that need no model to read or judge."""

from __future__ import annotations

from eval.reports import published
from eval.reports.tables import by_benchmark, code, name_of, number, percent, table, told_by
from eval.reports.tally import BASELINE, EVOLVING, OURS, SIX, STATIC, Rate, Tally

__all__ = ["ablations", "alternatives", "by_path", "no_model", "short", "short_rows"]

OF_OURS = (*SIX, "fair_contradiction", "collision", "timeline")
_ABLATED = ("temporal_v6", "retain_all", "temporal_v6_triples", "temporal_v6_lossy", "naive_rag")


def short_rows(tally: Tally) -> list[tuple[str, Rate, Rate]]:
    """Return the figures that say most: what is counted, for stock and for ours."""
    evolving = [name for name in EVOLVING if name in tally.benchmarks]
    static = [name for name in STATIC if name in tally.benchmarks]
    rows = [
        ("facts that changed: current value in the context", *_both(tally, "hit", evolving)),
        ("facts that changed: superseded value in the context", *_both(tally, "exposed", evolving)),
        ("facts that changed: answered right", *_both(tally, "correct", evolving)),
        ("facts that changed: answered with the superseded value", *_both(tally, "stale", evolving)),
        ("facts that did not change: value in the context", *_both(tally, "hit", static)),
        ("statements that must stay and are lost", tally.lost(OF_OURS, BASELINE), tally.lost(OF_OURS, OURS)),
        ("of these, look-alikes in one store", tally.lost(["collision"], BASELINE), tally.lost(["collision"], OURS)),
    ]
    past = [
        [r for r in tally.answers(["timeline"], c) if r["as_of"] and r["hit"] is not None] for c in (BASELINE, OURS)
    ]
    [stock, ours] = [Rate(sum(bool(r["hit"]) and not r["exposed"] for r in some), len(some)) for some in past]
    rows.append(("at a past date: the value of then, and no other, in the context", stock, ours))
    return [row for row in rows if row[2].n]


def _both(tally: Tally, measure: str, benchmarks: list[str]) -> tuple[Rate, Rate]:
    return tally.rate(measure, benchmarks, BASELINE), tally.rate(measure, benchmarks, OURS)


def short(tally: Tally) -> str:
    """Return the first table of the report."""
    rows = [[what, stock.stacked(), ours.stacked()] for what, stock, ours in short_rows(tally)]
    if not rows:
        return ""
    return told_by(tally, "reader", "correctness") + table(["", name_of(BASELINE, tally), name_of(OURS, tally)], rows)


def no_model(tally: Tally) -> str:
    """Return the tables that carry the claim: values in the context, what is lost, what is retired."""
    benchmarks = [name for name in OF_OURS if name in tally.benchmarks]
    if not benchmarks:
        return ""
    changing = [name for name in (*EVOLVING, "fair_contradiction", "timeline") if name in benchmarks]
    parts = ["Values are looked for, as whole words, in the packed context itself; no answer of a model counts.\n"]
    for title, measure, where in (
        ("The current value is in the context (hit@k)", "hit", benchmarks),
        ("A superseded value is in the context (stale exposure@k)", "exposed", changing),
        (
            "The current value stands above every superseded one, where it is in the context",
            "current_above_stale",
            changing,
        ),
    ):
        if where:
            cells = by_benchmark(
                tally,
                tally.conditions,
                where,
                lambda b, c, measure=measure: tally.rate(measure, [b], c).stacked(),  # type: ignore[misc]
            )
            parts += [f"### {title}\n", told_by(tally) + cells]
    keeping = [name for name in tally.conditions if name != "no_memory"]
    parts += [
        "### Lost though it must stay (false supersession)\n",
        told_by(tally)
        + by_benchmark(tally, keeping, benchmarks, lambda b, c: tally.lost([b], c).stacked())
        + "\nOf the statements that nothing supersedes, those that can't be served any more, for whatever reason: "
        "retired, merged away, or never stored. `no_memory` stores nothing and is left out.\n",
        "### Retired, with its successor served (coverage)\n",
        told_by(tally)
        + by_benchmark(tally, keeping, changing, lambda b, c: tally.coverage([b], c).stacked())
        + "\n`fair_contradiction` is quarantined: its values stand in free prose, and it measures extraction.\n",
    ]
    return "\n".join(parts)


def alternatives(tally: Tally) -> str:
    """Return stock components that a user would try first, on told order and with the noise last."""
    evolving = [name for name in EVOLVING if name in tally.benchmarks]
    names = [name for name in (BASELINE, *tally.alternatives, OURS) if name in (*tally.conditions, *tally.alternatives)]
    if not tally.alternatives or not evolving:
        return ""
    parts = []
    for title, order in (("In the order of telling", "told"), ("With what is unrelated told last", "noise_last")):
        rows = [
            [name_of(name, tally), *(tally.rate(m, evolving, name, order=order).stacked() for m in _COLUMNS)]
            for name in names
            if tally.answers(evolving, name, order=order)
        ]
        if rows:
            parts += [f"### {title}\n", told_by(tally) + table(["", *_COLUMNS.values()], rows)]
    rows = [
        [
            name_of(name, tally),
            tally.rate("hit", ["domain"], name).stacked(),
            *(_timeline(tally, name, past).stacked() for past in (False, True)),
            tally.lost(evolving, name).stacked(),
        ]
        for name in names
    ]
    parts += [
        "### Where nothing changes, and at other dates\n",
        told_by(tally)
        + table(["", "`domain`: value in context", "`timeline`, now: clean", "`timeline`, past: clean", "lost"], rows)
        + "\nClean: the value is in the context and no superseded one is. None of the alternatives can be asked for a "
        f"past date; they answer for now.\n\n### How they were tuned\n\n{tally.made_with('tuned')}\n",
    ]
    return "\n".join(parts)


_COLUMNS = {
    "hit": "value in context",
    "exposed": "stale value in context",
    "clean": "value and no stale one",
    "current_above_stale": "current above stale",
}


def _timeline(tally: Tally, condition: str, past: bool) -> Rate:
    rows = [r for r in tally.answers(["timeline"], condition) if r["as_of"] is past and r["hit"] is not None]
    return Rate(sum(bool(r["hit"]) and not r["exposed"] for r in rows), len(rows))


def ablations(tally: Tally) -> str:
    """Return what each part of the method does: retention, packing, merging."""
    names = [name for name in _ABLATED if name in tally.conditions]
    evolving = [name for name in EVOLVING if name in tally.benchmarks]
    static = [name for name in STATIC if name in tally.benchmarks]
    if len(names) < 2 or not evolving:
        return ""
    rows = [
        [
            name_of(name, tally),
            tally.rate("hit", static, name).stacked(),
            tally.rate("correct", static, name).stacked(),
            *(
                tally.rate(m, evolving, name).stacked()
                for m in ("hit", "exposed", "correct", "fabricated_of_attempted")
            ),
        ]
        for name in names
    ]
    header = [
        *("", "static: value in context", "static: right", "changed: value in context", "changed: stale in context"),
        *("changed: right", "changed: fabricated of attempted"),
    ]
    return (
        told_by(tally, "reader", "correctness", "fabrication")
        + table(header, rows)
        + "\n`retain_all` keeps every turn and supersedes nothing; `temporal_v6_triples` differs from `temporal_v6` "
        "only in packing triples for sentences; `temporal_v6_lossy` also merges near-duplicates.\n\n"
        + _published_retention(tally, evolving)
    )


def _published_retention(tally: Tally, evolving: list[str]) -> str:
    kept = published.published()["ablation_full_retention"]
    pairs = (("temporal_v6", 0, 3), ("retain_all", 1, 4))
    rows = []
    for benchmark in evolving:
        cells = []
        for condition, accuracy, fabrication in pairs:
            for measure, column in (("correct", accuracy), ("fabricated_of_attempted", fabrication)):
                ours = tally.rate(measure, [benchmark], condition)
                cells.append(f"{ours.stacked()}<br>*published {percent(kept[benchmark][column])}*")
        rows.append([code(benchmark), *cells])
    header = ["", "`temporal_v6`: right", "fabricated of attempted", "`retain_all`: right", "fabricated of attempted"]
    return told_by(tally, "reader", "correctness", "fabrication") + table(header, rows)


def by_path(tally: Tally) -> str:
    """Return data that others published, if the run was given any."""
    groups: dict[str, list[str]] = {}
    for name in tally.benchmarks:
        if ":" in name:
            groups.setdefault(name.split(":")[0], []).append(name)
    parts = []
    for group, names in sorted(groups.items()):
        rows = [
            [
                name_of(c, tally),
                *(tally.rate(m, names, c).stacked() for m in ("hit", "correct", "stale", "abstained")),
                number(tally.percentile("retrieval_ms", names, c, 50), 1, " ms"),
            ]
            for c in tally.conditions
            if tally.answers(names, c)
        ]
        header = ["", "value in context", "right", "stale", "abstained", "retrieval, median"]
        stores = f"{len(names)} store{'s' if len(names) > 1 else ''}"
        parts += [f"### {code(group)}, {stores}\n", told_by(tally, "reader", "correctness") + table(header, rows)]
    return "\n".join(parts)
