"""Where the method falls short, found in the records: the worst sets, with pairs that fail as sentences."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from eval.benchmarks import EVOLVING
from eval.probe import TITLES
from eval.reports.probes import SPLITS, lost_pairs
from eval.reports.tables import code, listed, percent, word
from eval.reports.tally import BASELINE, OURS, RIVALS, SIX, Rate, Tally, mean, plain, rate_of


def shortfalls(tally: Tally) -> str:
    """Return what our method misses, loses and gets wrong, as lists."""
    parts = []
    for title, found in _PARTS:
        lines = [line for part in found for line in part(tally)]
        if lines:
            parts.append(f"### {title}\n\n" + "\n".join(f"* {line}" for line in lines) + "\n")
    if not parts:
        return ""
    return "\n".join(["Of this package, from the records.\n", *parts])


def _not_retired(tally: Tally) -> Iterator[str]:
    cells = [cell for cell in tally.cells(tally.benchmarks, OURS) if cell["clean"] < cell["to_retire"]]
    for cell in sorted(cells, key=lambda cell: (cell["clean"] / cell["to_retire"], cell["benchmark"])):
        told = tally.sentences(cell["benchmark"])
        both = cell["retired"] - cell["clean"]
        gone = f" Gone together with what came after: {both}." if both else ""
        pairs = [(told[id_].text, told[told[id_].ended_by or id_].text) for id_ in cell["missed"] if id_ in told]
        shown = [_beside(one, two) for one, two in pairs]
        rate = tally.coverage([cell["benchmark"]], OURS)
        yield f"{code(cell['benchmark'])}: {rate.line()} retired.{gone}{_some(shown)}"


def _beside(one: str, two: str, around: int = 70) -> str:
    """Return two sentences as one, with what the second puts in place of a part of it."""
    a, b = (plain(text).replace("`", "").split() for text in (one, two))
    start = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    end = next((n for n, (x, y) in enumerate(zip(a[:start:-1], b[:start:-1], strict=False)) if x != y), None)
    end = min(len(a), len(b)) - start - 1 if end is None else end
    before, old, after = " ".join(a[:start]), " ".join(a[start : len(a) - end]), " ".join(a[len(a) - end :])
    before = f"…{before[-around:].partition(' ')[2]}" if len(before) > around else before
    after = f"{after[:around].rpartition(' ')[0]}…" if len(after) > around else after
    old, new = (some.rstrip(".,;") for some in (old, " ".join(b[start : len(b) - end])))
    return f"“{' '.join(filter(None, (before, f'**{old}**', after)))}” is still served, beside **{new}**"


def _some(sentences: Sequence[str], most: int = 3) -> str:
    """Return the first few as a list below a line, and how many more there are."""
    rest = [f"and {len(sentences) - most} more"] if len(sentences) > most else []
    return "".join(f"\n  * {sentence}" for sentence in (*sentences[:most], *rest))


def _counted(kinds: Mapping[str, int], most: int | None = None) -> str:
    ordered = sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
    shown = ", ".join(f"{plain(kind.replace('_', ' '))} {n}" for kind, n in ordered[:most])
    return f"{shown}, ..." if most is not None and len(ordered) > most else shown


def _lost(tally: Tally) -> Iterator[str]:
    whole: list[str] = []
    for cell in tally.cells(tally.benchmarks, OURS):
        if cell["lost"]:
            rate = tally.lost([cell["benchmark"]], OURS)
            told = tally.sentences(cell["benchmark"])
            shown = [
                f"“{plain(told[id_].text)}” is true, and not served any more" for id_ in cell["lost"] if id_ in told
            ]
            yield f"{code(cell['benchmark'])}: {rate.line()}.{_some(shown)}"
        elif cell["should_stay"]:
            whole.append(cell["benchmark"])
    if whole:
        rate = tally.lost(whole, OURS)
        sets = "these sets (all but your own were worked on or looked at)"
        yield f"On {sets} nothing is lost ({rate.hits}/{rate.n}): {listed(whole)}."


def _collisions(tally: Tally) -> Iterator[str]:
    kind_of = tally.kinds("collision")
    kinds = Counter(kind_of[pair] for pair in lost_pairs(tally, OURS) if pair in kind_of)
    if kinds:
        yield f"Look-alikes that lose a statement in one store, by kind: {_counted(kinds)}."
    alone = [row["pair"] for row in tally.records.of("pair", condition=OURS) if row["lost"]]
    if alone:
        yield f"Look-alikes that lose their first in a store of their own: {len(alone)}."


def _missed_values(tally: Tally) -> Iterator[str]:
    for benchmark in tally.benchmarks:
        stock = {row["question"] for row in tally.answers([benchmark], BASELINE) if row["hit"]}
        asked = tally.answers([benchmark], OURS)
        worse = sum(row["hit"] is False and row["question"] in stock for row in asked)
        if worse:
            rate = Rate(worse, len(asked))
            yield f"{code(benchmark)}: the value is in stock's context and not in ours, {rate.line()}."


def _stale_left(tally: Tally) -> Iterator[str]:
    for benchmark in tally.benchmarks:
        rows = tally.answers([benchmark], OURS)
        for nothing, what in ((False, "a superseded value is in the context"), (True, "a value, where none is valid")):
            left = rate_of([row for row in rows if row["expects_nothing"] is nothing], "exposed")
            if left.hits:
                yield f"{code(benchmark)}: {what}, {left.line()}."


def _better(what: str, ours: Rate, others: Mapping[str, Rate], sign: int = 1) -> Iterator[str]:
    """Yield a line that names those that have a better rate, best first; less is better where the sign is negative."""
    better = [c for c, rate in others.items() if None not in (rate.share, ours.share) and sign * _gap(rate, ours) > 0]
    if better:
        better.sort(key=lambda c: -sign * _gap(others[c], ours))
        named = ", ".join(f"{word(c)} {percent(others[c].share)} ({others[c].hits}/{others[c].n})" for c in better)
        yield f"{what}, {ours.line()}. Better: {named}."


def _gap(one: Rate, two: Rate) -> float:
    return (one.share or 0.0) - (two.share or 0.0)


def _below_others(tally: Tally) -> Iterator[str]:
    names = [c for c in (*tally.conditions, *tally.alternatives) if c not in (OURS, "no_memory")]
    for benchmark in tally.benchmarks:
        for measure, sign, what in (
            ("correct", 1, "answers right"),
            ("hit", 1, "has the value in its context"),
            ("clean", 1, "has the value and no superseded one in its context"),
            ("exposed", -1, "has a superseded value in its context"),
            ("stale", -1, "answers stale"),
        ):
            rates = {c: tally.rate(measure, [benchmark], c) for c in (OURS, *names)}
            if measure == "clean" and not tally.rate("exposed", [benchmark], OURS).n:
                continue  # nothing is superseded there, and it says what `hit` does
            yield from _better(f"{code(benchmark)}: it {what}", rates.pop(OURS), rates, sign)
    lost = {c: tally.lost(EVOLVING, c) for c in (OURS, *names)}
    if some := [f"{word(c)} {percent(rate.share)}" for c, rate in lost.items() if rate.hits]:
        yield f"Where facts change, something is lost that must stay by {', '.join(some)}."


def _deep(tally: Tally) -> Iterator[str]:
    cells = {(row["asked"].partition(" ")[0], row["versions"], row["pace"]) for row in tally.records.of("history")}
    names = (OURS, *RIVALS, *tally.own_conditions)
    for (asked, versions, pace), alone in product(sorted(cells), (False, True)):
        if asked in _DEEP:
            rates = {c: tally.served(c, asked, versions, pace=pace, alone=alone) for c in names}
            told = "all together" if pace == "together" else "each at its own pace"
            what = f"{_DEEP[asked]}, {versions} version{'s' * (versions > 1)}, {told}: in its context"
            yield from _better(f"{what}{', without another version' * alone}", rates.pop(OURS), rates)


_DEEP = {
    "now": "the current value",
    "past": "the value of a past date",
    "corrected": "that of a date that was corrected later",
    "known": "what was believed before the correction",
}


def _below_alternatives(tally: Tally) -> Iterator[str]:
    for order, title in (("told", "in the order of telling"), ("noise_last", "with the noise told last")):
        ours = tally.rate("clean", EVOLVING, OURS, order=order)
        for name in tally.alternatives:
            theirs = tally.rate("clean", EVOLVING, name, order=order)
            if ours.share is not None and theirs.share is not None and theirs.share >= ours.share:
                yield (
                    f"{word(name)}, tuned, has the value and no stale one at least as often {title}: {theirs.line()} "
                    f"against {ours.line()}."
                )


def _git(tally: Tally) -> Iterator[str]:
    others = sorted({row["condition"] for row in tally.records.of("git")} - {OURS})
    for probe in ("now", "past", "removed"):
        for field, what in (
            ("hit", "right in the context"),
            ("hit_at_1", "right on top"),
            ("alone", "right in the context, and nothing wrong"),
            ("told_ended", "its ending on top, or nothing of it"),
            ("gone", "the same, and no sentence that says it holds"),
        ):
            if (probe == "removed") is not (field in ("told_ended", "gone")):
                continue
            rates = {c: tally.git(c, probe, field) for c in (OURS, *others)}
            yield from _better(f"{probe}, {what}", rates.pop(OURS), rates)
    for probe in ("now", "past", "removed"):
        wrong = tally.git(OURS, probe, "exposed")
        if wrong.hits:
            yield f"{probe}: a wrong sentence is served in {wrong.line()} of the probes."


def _extraction(tally: Tally) -> Iterator[str]:
    for row in tally.records.of("probe"):
        rate = Rate.over(row["groups"])
        what, split = TITLES[row["set"]], SPLITS[row["half"]]
        if row["measure"] == "clean supersession" and row["half"] != "worked":
            yield f"{what} ({split}): {rate.line()} supersede as they should; the others stay beside the new ones."
        elif row["measure"] == "false supersession" and rate.hits:
            yield f"{what} ({split}): {rate.line()} supersede and must not."


def _time(tally: Tally) -> Iterator[str]:
    stock, ours = (mean(tally.numbers("retrieval_ms", SIX, c)) for c in (BASELINE, OURS))
    if stock and ours and ours > stock:
        yield f"Retrieval takes {ours / stock:.1f} times as long as stock's ({ours:.1f} against {stock:.1f} ms, mean)."
    before, after = (sum(cell["ingest_seconds"] for cell in tally.cells(SIX, c)) for c in (BASELINE, OURS))
    if before and after > before:
        yield f"Writing takes {after / before:.1f} times as long ({after:.1f} against {before:.1f} s, six benchmarks)."


def _unscored(tally: Tally) -> Iterator[str]:
    for role, n in tally.unscored().items():
        yield f"{role.replace('_', ' ')}: {n} answer{'s' * (n > 1)} could not be read, and in no rate."


_PARTS = (
    ("Extraction, on pairs by authors who saw no code", (_extraction,)),
    ("Superseded, and still served: the worst first", (_not_retired,)),
    ("Lost, though nothing supersedes it", (_lost, _collisions)),
    ("Contexts that lack the value, or hold a superseded one", (_missed_values, _stale_left)),
    ("Where others do better", (_below_others, _below_alternatives)),
    ("Deep histories, where others do better", (_deep,)),
    ("Public git histories", (_git,)),
    ("Time", (_time,)),
    ("Unscored", (_unscored,)),
)
