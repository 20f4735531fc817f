"""The first screen: a sentence, a picture, five numbers beside those of stock Chroma, and where dates do as well."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from eval.reports.tables import table, told_by, word
from eval.reports.tally import BASELINE, DATED, EVOLVING, OURS, OURS_DATED, WIDE, Rate, Tally, rate_of

_SYSTEMS = (OURS, BASELINE, DATED, WIDE)


def _systems(tally: Tally) -> tuple[str, ...]:
    return (*_SYSTEMS, *tally.own_conditions)


def sentence(tally: Tally) -> str:
    """Return the finding in a few sentences, from the records; nothing where deep histories were not run."""
    clean, reworded = (tally.pairs(kind, "counted", _CLEAN) for kind in ("value_only", "reworded"))
    if not tally.served(OURS, "now", 100).n or not clean.n:
        return ""
    found = [[tally.served(c, "now", versions) for versions in (5, 100)] for c in _SYSTEMS]
    _, stock, dated, wide = (" and ".join(f"{rate.hits}" for rate in pair) for pair in found)
    few, many = found[0]
    past = [tally.git(c, "past", "hit") for c in (OURS, DATED, WIDE)]
    histories = (
        "In public git histories the value of a past date is in the context in "
        f"{_percent(past[0])} of the probes, with dates in {_percent(past[1])} and {_percent(past[2])}. "
    )
    return (
        f"**A context of {tally.made_with('k')} texts holds the current value of {_of(few)} facts after five "
        f"versions, and of {_of(many)} after a hundred, with this package; of {stock} with stock Chroma, of "
        f"{dated} with dates in its metadata, and of {wide} where the newest of the 100 nearest are kept.** "
        f"{histories if past[0].n else ''}Neither way of dates serves both short and long histories. This package "
        "needs no such choice, but reads no more than its grammar can: of sentences that nobody worked on it "
        f"links {_percent(clean)} of the updates that change a value and nothing else, and {_percent(reworded)} "
        "of those in other words. What it does not link stays beside the new value, as in stock Chroma.\n\n"
    )


def _of(rate: Rate) -> str:
    return f"{rate.hits} of {rate.n}"


def _percent(rate: Rate) -> str:
    return "–" if rate.share is None else f"{rate.share:.0%}".replace("%", " %")


_CLEAN, _FALSE = "clean supersession", "false supersession"


def numbers(tally: Tally) -> Iterator[tuple[str, ...]]:
    """Yield the five numbers, each as what it is and a cell a system; those without records are left out."""
    systems = _systems(tally)

    def each(of: Callable[[str], Rate]) -> tuple[str, ...]:
        return tuple(of(c).stacked() for c in systems)

    if tally.served(OURS, "now", 100).n:
        yield "current value in the context, of facts with 1, 5, 20 and 100 versions alike", *each(tally.current)
        past = partial(tally.served, asked="past", versions=100)
        yield "value of a past date in the context, 100 versions deep", *each(past)
    for what, probe, field in (
        ("the same in git histories (looked at)", "past", "hit"),
        ("a setting that was removed: nothing says that it holds (the same)", "removed", "told_ended"),
    ):
        if tally.git(OURS, probe, field).n:
            yield what, *each(partial(tally.git, probe=probe, field=field))
    if (lost := _lost_look_alikes(tally)).n:
        yield (
            "true statements retired by a look-alike",
            lost.stacked(),
            *["none"] * 3,
            *["–"] * len(tally.own_conditions),
        )


def _lost_look_alikes(tally: Tally) -> Rate:
    """Return the false supersessions of sets that nobody worked on: fresh ones, if any, and counted ones."""
    found = [tally.pairs("lookalike", split, _FALSE) for split in ("fresh", "counted")]
    return Rate.over(group for rate in found for group in rate.groups)


def first_table(tally: Tally) -> str:
    """Return the five numbers."""
    rows = list(numbers(tally))
    if not rows:
        return ""
    note = "Unless it says otherwise, on sentences that were only counted: nobody worked on them.\n"
    return f"{told_by(tally)}{table(['', *map(word, _systems(tally))], rows)}\n{note}"


def as_well(tally: Tally) -> str:
    """Return where stock Chroma with dates does as well as this package, and where it doesn't."""
    rows = [[what, *(_beside(rate, ours) for rate in two), ours.stacked()] for what, two, ours in _compared(tally)]
    if not rows:
        return ""
    return (
        "### Where dates in the metadata do as well, and where not\n\n"
        + told_by(tally, "reader", "correctness")
        + table(["", word(DATED), word(WIDE), word(OURS_DATED)], rows)
        + "\nBold: as well as this package, or better (not below the interval of its rate). The reader takes the "
        "newest of two dated values that conflict, and everybody is told the date that is asked about. Which way "
        "of dates does well depends on how many versions a fact has had, and on what is newer. Whoever knows the "
        "key of each fact can upsert and delete by id, and needs neither for what holds now.\n"
    )


def _beside(theirs: Rate, ours: Rate) -> str:
    least = ours.bounds[0] if ours.bounds else 1.0
    shown = theirs.stacked()
    return f"**{shown}**" if theirs.share is not None and theirs.share >= least else shown


def _compared(tally: Tally) -> Iterator[tuple[str, tuple[Rate, Rate], Rate]]:
    """Give what is compared, the rates of both ways of dates, and ours."""
    none = Rate(0, 0)
    timeline = {c: tally.answers(["timeline"], c) for c in (DATED, OURS_DATED)}
    once = (tally.rate("correct", EVOLVING, DATED), tally.rate("correct", EVOLVING, OURS_DATED))
    answered = [("facts that changed once, answered right", *once)]
    for what, nothing, past in (
        ("facts of 3 to 7 values, answered right now", False, False),
        ("the same at a past date", False, True),
        ("the same where none holds, said so", True, None),
    ):
        rows = ([r for r in some if r["expects_nothing"] is nothing] for some in timeline.values())
        dated, ours = (rate_of([r for r in some if past in (None, r["as_of"])], "correct") for some in rows)
        answered.append((what, dated, ours))
    found = [(what, (dated, none), ours) for what, dated, ours in answered]

    def both(what: str, of: Callable[[str], Rate]) -> None:
        found.append((what, (of(DATED), of(WIDE)), of(OURS_DATED) if of(OURS_DATED).n else of(OURS)))

    for pace, told in (("each its own", "each at its own pace"), ("together", "all at once, nothing newer")):
        for versions in (1, 5, 20, 100):
            what = f"current value in the context after {versions} version{'s' * (versions > 1)}, {told}"
            both(what, partial(tally.served, asked="now", versions=versions, pace=pace))
    both("value of a past date in the context, 100 versions", partial(tally.served, asked="past", versions=100))
    both("value believed before a correction", partial(tally.served, asked="known before", versions=100))
    for probe, what in (("now", "value now"), ("past", "value at a past date")):
        both(f"git histories: {what} in the context", partial(tally.git, probe=probe, field="hit"))
    return ((what, two, ours) for what, two, ours in found if two[0].n and ours.n)
