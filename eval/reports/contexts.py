"""What was packed: sections of the report that need no model to read or judge."""

from eval.benchmarks import EVOLVING, STATIC
from eval.reports import published
from eval.reports.tables import by_benchmark, code, name_of, number, percent, table, told_by, word
from eval.reports.tally import OURS, RIVALS, SIX, Rate, Tally, rate_of

OF_OURS = (*SIX, "fair_contradiction", "collision", "timeline")
_ABLATED = ("temporal_v6", "retain_all", "temporal_v6_triples", "temporal_v6_lossy", "naive_rag")


def no_model(tally: Tally) -> str:
    """Return the tables that carry the claim: values in the context, what is lost, what is retired."""
    benchmarks = [name for name in OF_OURS if name in tally.benchmarks]
    if not benchmarks:
        return ""
    changing = [name for name in (*EVOLVING, "fair_contradiction", "timeline") if name in benchmarks]
    parts = [
        "Values are looked for, as whole words, in the packed context itself; no answer of a model counts. All of "
        "these are sets of ours whose misses were read while the grammar grew: see *Extraction* for sets that nobody "
        "worked on.\n"
    ]
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
        "retired, merged away, or never stored. No memory stores nothing and is left out. A zero here proves little: "
        "the sets were worked on.\n",
        "### Retired, with its successor served (coverage)\n",
        told_by(tally)
        + by_benchmark(tally, keeping, changing, lambda b, c: tally.coverage([b], c).stacked())
        + "\n`fair_contradiction` is quarantined: its values stand in free prose, and it measures extraction.\n",
    ]
    return "\n".join(parts)


def alternatives(tally: Tally) -> str:
    """Return stock components that a user would try first, on told order and with the noise last."""
    evolving = [name for name in EVOLVING if name in tally.benchmarks]
    names = [
        name
        for name in dict.fromkeys((*RIVALS, *tally.alternatives, *tally.own_conditions, OURS))
        if name in (*tally.conditions, *tally.alternatives)
    ]
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
        + "\nClean: the value is in the context and no superseded one is. But for stock with dates, none of the "
        "stock parts can be asked for a past date; they answer for now.\n\n### How they were tuned\n\n"
        f"{tally.made_with('tuned')}\n",
    ]
    return "\n".join(parts)


_COLUMNS = {
    "hit": "value in context",
    "exposed": "stale value in context",
    "clean": "value and no stale one",
    "current_above_stale": "current above stale",
}


def _timeline(tally: Tally, condition: str, past: bool) -> Rate:
    rows = [r for r in tally.answers(["timeline"], condition) if r["as_of"] is past]
    return rate_of(rows, "clean")


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
        + "\nOne line leaves supersession out, one packs triples for sentences, one also merges near-duplicates.\n\n"
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
    columns = ("right", "fabricated of attempted")
    header = ["", *(f"{word(c)}: {what}" for c, _, _ in pairs for what in columns)]
    return told_by(tally, "reader", "correctness", "fabrication") + table(header, rows)


def by_path(tally: Tally) -> str:
    """Return data that others published, if the run was given any."""
    groups: dict[str, list[str]] = {}
    for name in tally.benchmarks:
        if ":" in name:
            groups.setdefault(name.split(":")[0], []).append(name)
    stores = {group: f", {len(names)} store{'s' if len(names) > 1 else ''}" for group, names in groups.items()}
    return "\n".join(_brought(tally, f"{code(group)}{stores[group]}", names) for group, names in sorted(groups.items()))


def own(tally: Tally) -> str:
    """Return the benchmarks that the user brought, each through every memory."""
    return "\n".join(_brought(tally, code(name), [name]) for name in tally.own_benchmarks)


def _brought(tally: Tally, title: str, names: list[str]) -> str:
    rows = [
        [
            name_of(c, tally),
            *(tally.rate(m, names, c).stacked() for m in ("hit", "exposed")),
            *(of(names, c).stacked() for of in (tally.lost, tally.coverage)),
            *(tally.rate(m, names, c).stacked() for m in ("correct", "stale", "abstained")),
            number(tally.percentile("retrieval_ms", names, c, 50), 1, " ms"),
        ]
        for c in tally.conditions
        if tally.answers(names, c)
    ]
    header = [
        *("", "value in context", "stale value in context", "lost", "retired, successor served"),
        *("right", "stale", "abstained", "retrieval, median"),
    ]
    return f"### {title}\n\n{told_by(tally, 'reader', 'correctness')}{table(header, rows)}"
