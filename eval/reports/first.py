"""The first screen: a sentence, a picture, what is in the context beside stock Chroma, and where dates do as well."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from eval.benchmarks import EVOLVING
from eval.reports.probes import SPLITS
from eval.reports.tables import table, told_by, word
from eval.reports.tally import CUT, DATED, OURS, OURS_DATED, RIVALS, WIDE, Rate, Tally, rate_of

_DEPTHS = (1, 5, 20, 100)
_TWO = (5, 100)


class _Row(NamedTuple):
    """What is counted of a system: one rate, or one for each depth; of some, less is better."""

    what: str
    of: Sequence[Callable[[str], Rate]]
    lower: bool = False
    chief: bool = False  # it stands in README, too


def sentence(tally: Tally) -> str:
    """Return the finding in a few sentences, from the records; nothing where deep histories were not run."""
    value, reworded = (_unseen(tally, kind) for kind in ("value_only", "reworded"))
    systems = [c for c in (OURS, *RIVALS) if tally.served(c, "now", _DEPTHS[-1]).n]
    if OURS not in systems or len(systems) == 1 or not value.n:
        return ""
    facts = tally.served(OURS, "now", _DEPTHS[-1]).n
    alone = [f"{_listed(_hits(tally, c, alone=True))} with {_named(c)}" for c in systems]
    best = max(systems[1:], key=lambda c: sum(map(int, _hits(tally, c))))
    git = {f: {c: tally.git(c, "past", f) for c in systems} for f in ("alone", "hit", "hit_at_1")}
    does = "less well"
    if sum(map(int, _hits(tally, best))) >= sum(map(int, _hits(tally, OURS))):
        does = "as well or better"
    parts = [
        f"**Of {facts} facts, each changing at its own pace, a context of {tally.made_with('k')} texts holds the "
        f"current value and no superseded one after {_listed([*map(str, _TWO)])} versions: of {'; '.join(alone)}.**"
    ]
    if git["alone"][OURS].n:
        shares = ", ".join(f"{_percent(rate)} with {_named(c)}" for c, rate in git["alone"].items() if rate.n)
        parts.append(
            "In public git histories (one form of sentence a kind, looked at while the grammar grew) the same holds of "
            f"the value of a past date in {shares}."
        )
    parts.append(
        f"Where superseded values may stand beside it, stock Chroma does {does}, with {_named(best)}: the current "
        f"value is in the context of {_listed(_hits(tally, best))} facts, with this package of "
        f"{_listed(_hits(tally, OURS))}"
    )
    if git["hit"][best].n:
        (there, own), (top, own_top) = ([_percent(git[f][c]) for c in (best, OURS)] for f in ("hit", "hit_at_1"))
        parts[-1] += (
            f"; in the git histories in {there} and {own}, on top, where who takes one text has it alone, in {top} "
            f"and {own_top}"
        )
    parts[-1] += "."
    parts.append(
        "This package reads no more than its grammar can: of sentences that nobody had worked on it links "
        f"{_percent(value)} of {value.n:,} updates that change a value and nothing else, and {_percent(reworded)} of "
        f"{reworded.n:,} in other words. What it does not link stays beside the new value, as in stock Chroma."
    )
    return " ".join(parts) + "\n\n"


def _hits(tally: Tally, condition: str, *, alone: bool = False) -> list[str]:
    return [f"{tally.served(condition, 'now', depth, alone=alone).hits}" for depth in _TWO]


def _listed(some: Sequence[str]) -> str:
    return f"{', '.join(some[:-1])} and {some[-1]}"


def _named(condition: str) -> str:
    return word(condition).replace("stock, newest", "the newest").replace("stock with dates", "dates in its metadata")


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
    removed = partial(tally.git, probe="removed", field="told_ended")
    changed = partial(tally.rate, "exposed", EVOLVING)
    yield deep("current value and no superseded one in the context", alone=True)._replace(chief=True)
    yield _Row("the same of a past date, 100 versions deep", [partial(past, alone=True)])
    clean = "a past value and no wrong one in the context, in git histories (looked at)"
    yield _Row(clean, [partial(git, field="alone")], chief=True)
    yield _Row("git histories, a past date: a wrong sentence in the context", [partial(git, field="exposed")], True)
    yield _Row("facts that changed once (worked on): the superseded value in the context", [changed], True)
    yield deep("current value in the context, whatever else is", alone=False)._replace(chief=True)
    yield _Row("value of a past date in the context, 100 versions deep, each at its own pace", [past])
    yield _Row("the same, all facts changed together", [partial(past, pace="together")])
    there = "value of a past date in git histories (looked at), whatever else is"
    yield _Row(there, [partial(git, field="hit")], chief=True)
    yield _Row("the same, on top of the context", [partial(git, field="hit_at_1")])
    yield _Row("a setting that was removed: nothing says that it holds (looked at)", [removed])


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


def first_table(tally: Tally, *, chief: bool = False) -> str:
    """Return what is in the context, now and at past dates, and what is lost; of `chief` rows alone, for README."""
    systems = [c for c in (OURS, *RIVALS, *tally.own_conditions) if c in tally.every]
    rows = _rows(tally, (row for row in _numbers(tally) if row.chief or not chief), systems)
    for half, what in SPLITS.items():
        lost = tally.pairs("lookalike", half, "false supersession")
        if lost.n and (half in ("first", "to break") or (half == "counted" and "retired by" not in rows[-1][0])):
            cells = ["none" if c in RIVALS else "–" for c in systems[1:]]
            rows.append([f"true statements retired by a look-alike, {what}", lost.stacked(), *cells])
    if not rows:
        return ""
    about = (
        f"{_BOLD} Sets that were worked on or looked at are called so; the others were only counted, look-alikes at "
        "first sight of each author's set. Newest of 100: of the 100 nearest texts; of the near: of those among them "
        "that are about as near as the nearest. Git histories need data that is not shipped."
        f"{'' if chief else _recency(tally)}{_key_known(tally)}\n"
    )
    return f"{told_by(tally)}{table(['', *map(word, systems)], rows)}\n{about}"


_BOLD = "Bold: as well as this package, or better (within the interval of its rate, or beyond)."


def as_well(tally: Tally) -> str:
    """Return where stock Chroma with dates does as well as this package, and where it doesn't."""
    systems = [c for c in (OURS, OURS_DATED, DATED, WIDE, CUT) if c in tally.every]
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
    """Say how the best of the tuned stock parts does where facts changed once, beside this package."""
    clean = {
        (c, order): tally.rate("clean", EVOLVING, c, order=order)
        for c in (OURS, *tally.alternatives)
        for order in ("told", "noise_last")
    }
    best = max(tally.alternatives, key=lambda c: clean[c, "told"].share or 0.0, default=None)
    if best is None or not clean[best, "told"].n or not clean[OURS, "told"].n:
        return ""
    told, own, last, own_last = (_percent(clean[c, order]) for order in ("told", "noise_last") for c in (best, OURS))
    return (
        f" Of the tuned stock parts, {word(best)} does best where facts changed once: the value and no superseded one "
        f"is in the context in {told}, with this package in {own}; where unrelated texts are told last, in {last} and "
        f"{own_last}."
    )


def _key_known(tally: Tally) -> str:
    """Say what is left where the key of each fact is known."""
    asked = (("now", "hit"), ("past", "hit"), ("removed", "told_ended"))
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
