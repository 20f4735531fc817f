"""The first screen: a sentence, a picture, what is in the context beside stock Chroma, and where dates do as well."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from eval.benchmarks import EVOLVING
from eval.reports.probes import SPLITS
from eval.reports.tables import name_of, table, told_by, word
from eval.reports.tally import BASELINE, CUT, DATED, DROPPING, OURS, OURS_DATED, RIVALS, WIDE, Rate, Tally, rate_of

_DEPTHS = (1, 5, 20, 100)
_COLUMNS = (OURS, CUT, *DROPPING, BASELINE, DATED, WIDE)
_GATES = ("v6_no_verify", "v6", "v6+infer")


class _Row(NamedTuple):
    """What is counted of a system: one rate, or one for each depth; of some, less is better."""

    what: str
    of: Sequence[Callable[[str], Rate]]
    lower: bool = False
    chief: bool = False  # it stands on the first screen, and in README


def sentence(tally: Tally) -> str:
    """Return the finding in three sentences, from the records; nothing where deep histories were not run."""
    deep = {c: [tally.served(c, "now", d, alone=True) for d in _DEPTHS] for c in (OURS, *DROPPING)}
    deep = {c: rates for c, rates in deep.items() if all(rate.n for rate in rates)}
    value, reworded = (_unseen(tally, kind) for kind in ("value_only", "reworded"))
    if OURS not in deep or len(deep) == 1 or not value.n:
        return ""
    git = {c: tally.git(c, "past", "alone") for c in deep}
    served = "; ".join(f"{_listed([f'{rate.hits}' for rate in deep[c]])} with {_named(c)}" for c in deep)
    told = (
        f"After {_listed([*map(str, _DEPTHS)])} versions of each of {deep[OURS][0].n} facts ({facts(tally)}) the "
        f"context holds the current value and no superseded one of {served}"
    )
    if git[OURS].n:
        shares = ", ".join(f"{_percent(rate)} with {_named(c)}" for c, rate in git.items() if rate.n)
        told += f"; in git histories (looked at) the value of a past date and no wrong one in {shares}"
    reads = (
        "This package reads no more than its grammar can: of sentences that nobody had worked on it links "
        f"{_percent(value)} of {value.n:,} updates that change a value and nothing else, and {_percent(reworded)} of "
        f"{reworded.n:,} in other words; what it does not link stays beside the new value, as in stock Chroma."
    )
    return " ".join(filter(None, (_finding(tally, deep, git), f"{told}.", reads))) + "\n\n"


def _finding(tally: Tally, deep: Mapping[str, Sequence[Rate]], git: Mapping[str, Rate]) -> str:
    """Say how those do who drop near texts by date: where facts change, and where look-alikes are true."""
    alike = {c: tally.rate("hit", ["collision"], c) for c in deep}
    if not all(rate.n for rate in alike.values()):
        return ""
    found = {c: [rate.hits for rate in (*deep[c], git[c]) if rate.n] for c in alike}
    dropping = [c for c in alike if c != OURS]
    as_well = [[theirs >= own for theirs, own in zip(found[c], found[OURS], strict=False)] for c in dropping]
    changing, true = "less well than this package", "keeps as many of them"
    if any(any(some) for some in as_well):
        changing = "as well as this package in places"
    if any(all(some) for some in as_well):
        changing = "as well as this package or better"
    if all(alike[c].hits < alike[OURS].hits for c in dropping):
        true = "loses more of them"
    shown = ", ".join(f"{rate.hits} with {_named(c)}" for c, rate in alike.items())
    return (
        f"**Where facts change, who drops near texts by date ({_near(tally)}: shows the newest, or none that is nearly "
        f"the same as a newer one) does {changing}; where look-alikes are all true, who does so {true}: the value that "
        f"is asked for is in the context of {shown}, of {alike[OURS].n}.**"
    )


def facts(tally: Tally) -> str:
    """Say what was done with the facts of the deep histories."""
    untouched = tally.manifest.get("histories") == "fresh"
    sets = "sets that no work has followed" if untouched else "halves that were only counted, the others read"
    return f"a number or version in a sentence or a piece of a page, of {sets}"


def _listed(some: Sequence[str]) -> str:
    return f"{', '.join(some[:-1])} and {some[-1]}"


def _named(condition: str) -> str:
    return word(condition).replace("stock, ", "").replace("newest", "the newest")


def _percent(rate: Rate) -> str:
    return "–" if rate.share is None else f"{rate.share:.0%}".replace("%", " %")


def _unseen(tally: Tally, kind: str) -> Rate:
    """Return what of sets is linked that nobody had worked on: at first sight, or as near to it as the records come."""
    found = (tally.pairs(kind, half, "clean supersession") for half in ("first", "fresh", "counted"))
    return next((rate for rate in found if rate.n), Rate(0, 0))


def _by_depth(tally: Tally, what: str, pace: str, told: str, *, alone: bool) -> _Row:
    depths = [partial(tally.served, asked="now", versions=d, pace=pace, alone=alone) for d in _DEPTHS]
    return _Row(f"{what}, after {_listed([f'{d}' for d in _DEPTHS])} versions, {told}", depths)


def _numbers(tally: Tally) -> Iterator[_Row]:
    deep = partial(_by_depth, tally, pace="each its own", told="each fact at its own pace")
    past = partial(tally.served, asked="past", versions=_DEPTHS[-1])
    git = partial(tally.git, probe="past")
    removed = partial(tally.git, probe="removed")
    changed = partial(tally.rate, "exposed", EVOLVING)
    alike = "look-alikes that are all true (worked on): the value asked for in the context"
    yield deep("current value and no superseded one in the context", alone=True)._replace(chief=True)
    alone = "value of a past date and no wrong one in the context, 100 versions deep, each at its own pace"
    yield _Row(alone, [partial(past, alone=True)])
    clean = "a past value and no wrong one in the context, in git histories (looked at)"
    yield _Row(clean, [partial(git, field="alone")], chief=True)
    yield _Row(alike, [partial(tally.rate, "hit", ["collision"])], chief=True)
    yield _Row("facts that changed once (worked on): the superseded value in the context", [changed], True, True)
    yield deep("current value in the context, whatever else is", alone=False)._replace(chief=True)
    yield _Row("git histories, a past date: a wrong sentence in the context", [partial(git, field="exposed")], True)
    yield _Row("value of a past date in the context, 100 versions deep, each at its own pace", [past])
    yield _Row("the same, all facts changed together", [partial(past, pace="together")])
    there = "value of a past date in git histories (looked at), whatever else is"
    yield _Row(there, [partial(git, field="hit")])
    yield _Row("the same, on top of the context", [partial(git, field="hit_at_1")])
    ending = "a setting that was removed (looked at): its ending on top, or nothing of it"
    yield _Row(ending, [partial(removed, field="told_ended")])
    yield _Row("the same, and no sentence that says it holds", [partial(removed, field="gone")])


def _rows(tally: Tally, rows: Iterator[_Row], systems: Sequence[str]) -> list[list[str]]:
    """Return the rows that have records of this package, with what does as well as it in bold."""
    found = []
    for row in rows:
        rates = {c: [of(c) for of in row.of] for c in systems}
        own = [rates[c] for c in (OURS, OURS_DATED) if c in rates and all(rate.n for rate in rates[c])]
        if not own:
            continue
        cells = []
        for c, some in rates.items():
            shown = [rate.stacked() if len(some) == 1 else rate.stacked().partition("<br>")[2] for rate in some]
            if c not in (OURS, OURS_DATED):
                beside = [[one[place] for one in own] for place in range(len(some))]
                shown = [_bold(s, r, o, row.lower) for s, r, o in zip(shown, some, beside, strict=True)]
            cells.append("<br>".join(shown))
        found.append([row.what, *cells])
    return found


def _bold(shown: str, theirs: Rate, ours: Sequence[Rate], lower: bool) -> str:
    bounds = [rate.bounds for rate in ours if rate.bounds]
    if theirs.share is None or not bounds:
        return shown
    as_well = (
        theirs.share <= max(high for _, high in bounds) if lower else theirs.share >= min(low for low, _ in bounds)
    )
    return f"**{shown}**" if as_well else shown


def first_table(tally: Tally, *, chief: bool) -> str:
    """Return what is in the context, now and at past dates, and what is lost: the chief rows, or the others."""
    systems = [c for c in (*_COLUMNS, *tally.own_conditions) if c in tally.every]
    rows = _rows(tally, (row for row in _numbers(tally) if row.chief is chief), systems)
    for half, what in SPLITS.items() if chief else ():
        lost = tally.pairs("lookalike", half, "false supersession")
        if lost.n and (half in ("first", "to break") or (half == "counted" and "retired by" not in rows[-1][0])):
            cells = ["none" if c in RIVALS else "–" for c in systems[1:]]
            rows.append([f"true statements retired by a look-alike, {what}", lost.stacked(), *cells])
    if not rows:
        return ""
    shown = f"{told_by(tally)}{table(['', *map(word, systems)], rows)}\n"
    return f"{shown}{_BOLD}{_about(tally)}{_recency(tally)}{_reader(tally)}{_key_known(tally)}\n" if chief else shown


_BOLD = "Bold: as well as this package, or better (in or beyond the interval of this package's rate)."


def _about(tally: Tally) -> str:
    alike = tally.manifest.get("settings", {}).get("too_alike")
    dropped = (
        ""
        if alike is None
        else (f"; near-duplicates dropped: of the near, none whose cosine to a newer one is above {alike:g}")
    )
    return (
        f" Newest of 100: the {tally.made_with('k')} newest of the 100 nearest texts; of the near: {_near(tally)} "
        f"among them{dropped}. Who retires nothing still loses what is not shown. Sets that were worked on or looked "
        "at are called so. Git histories need data that is not shipped."
    )


def _near(tally: Tally) -> str:
    cut = tally.manifest.get("settings", {}).get("date_cut")
    return "of texts about as near as the nearest" if cut is None else f"of texts within {cut:g} cosine of the nearest"


def as_well(tally: Tally) -> str:
    """Return where stock Chroma with dates does as well as this package, and where it doesn't."""
    systems = [c for c in (OURS, OURS_DATED, CUT, *DROPPING, DATED, WIDE) if c in tally.every]
    rows = _rows(tally, _compared(tally), systems)
    if not rows:
        return ""
    return (
        "### Where dates in the metadata do as well, and where not\n\n"
        + told_by(tally, "reader", "correctness")
        + table(["", *map(word, systems)], rows)
        + f"\n{_BOLD} The reader takes the newest of two dated values that conflict, and everybody is told the date "
        "that is asked about.\n"
    )


def _recency(tally: Tally) -> str:
    """Say how the best of the tuned stock parts, and a gate by similarity, do where facts changed once."""

    def clean(of: str, order: str = "told") -> Rate:
        return tally.rate("clean", EVOLVING, of, order=order)

    best = max((c for c in tally.alternatives if c not in RIVALS), key=lambda c: clean(c).share or 0.0, default=None)
    gate = max((c for c in _GATES if c in tally.conditions), key=lambda c: clean(c).share or 0.0, default=None)
    if best is None or not clean(best).n or not clean(OURS).n:
        return ""
    told, own, last, own_last = (_percent(clean(c, order)) for order in ("told", "noise_last") for c in (best, OURS))
    said = (
        f" Where facts changed once, the value and no superseded one is in the context in {own} with this package, "
        f"and in {told} with {word(best)}, the best of the other tuned stock parts; where unrelated texts are told "
        f"last, in {own_last} and {last}"
    )
    if gate is not None and clean(gate).n:
        gone, ours = (_percent(tally.lost(EVOLVING, c)) for c in (gate, OURS))
        said += (
            f"; with a {name_of(gate, tally)} in {_percent(clean(gate))}, where {gone} of what must stay is lost for "
        )
        said += f"good (this package {ours}), {_percent(tally.lost(['collision'], gate))} of the look-alikes above"
    return f"{said}."


def _reader(tally: Tally) -> str:
    """Say what a reader makes of it that sees dates."""
    right = {c: tally.rate("correct", EVOLVING, c) for c in (DATED, OURS_DATED, OURS)}
    if not all(rate.n for rate in right.values()):
        return ""
    dated, own_dated, own = (rate.hits for rate in right.values())
    return (
        f" A reader that sees dates and takes the newest answers {dated} of these {right[OURS].n} right with "
        f"{word(DATED)}, {own_dated} with this package and its dates shown, and {own} with this package as it comes."
    )


def _key_known(tally: Tally) -> str:
    """Say what is left where the key of each fact is known."""
    asked = (("now", "alone"), ("past", "alone"), ("removed", "gone"))
    theirs, ours = ([tally.git(c, *one) for one in asked] for c in ("dated_key", "temporal_v6, key_fields"))
    if not theirs[0].n:
        return ""
    stock, own = (_listed([f"{rate.hits}/{rate.n}" for rate in some]) for some in (theirs, ours))
    return (
        " **Who knows the key of each fact, when telling and when asking, needs nothing of this:** stock Chroma, "
        f"filtered by key and date, gives the newest text and that alone, in git histories now, at past dates and "
        f"after removals {stock}; this package, told the key (`key_fields`) and asked without it, {own}."
    )


def _compared(tally: Tally) -> Iterator[_Row]:
    """Give what is compared: with a reader, and what is in the context."""

    def answered(benchmarks: Sequence[str], nothing: bool, past: bool | None, condition: str) -> Rate:
        rows = [r for r in tally.answers(benchmarks, condition) if r["expects_nothing"] is nothing]
        return rate_of([r for r in rows if past in (None, r["as_of"])], "correct")

    timeline = ("timeline",)
    yield _Row("facts that changed once, answered right", [partial(answered, EVOLVING, False, None)])
    yield _Row("facts of 3 to 7 values, answered right now", [partial(answered, timeline, False, False)])
    yield _Row("the same at a past date", [partial(answered, timeline, False, True)])
    yield _Row("the same where none holds, said so", [partial(answered, timeline, True, None)])
    together = partial(_by_depth, tally, pace="together", told="all facts changed together, nothing newer")
    yield together("current value and no superseded one in the context", alone=True)
    yield together("current value in the context, whatever else is", alone=False)
    for asked, what in (
        ("corrected", "value of a date, corrected later"),
        ("known before", "the same, as was believed"),
    ):
        of = partial(tally.served, asked=asked, versions=_DEPTHS[-1])
        yield _Row(f"{what}, 100 versions deep, each at its own pace", [of])
    for field, what in (("hit", "in the context"), ("alone", "there without a wrong one"), ("hit_at_1", "on top")):
        yield _Row(f"git histories: value now {what}", [partial(tally.git, probe="now", field=field)])
