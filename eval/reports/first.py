"""The first screen: a sentence, a picture, five numbers beside those of stock Chroma, and where dates do as well."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from eval.reports.tables import table, told_by, word
from eval.reports.tally import BASELINE, DATED, EVOLVING, OURS, OURS_DATED, WIDE, Rate, Tally, rate_of

__all__ = ["as_well", "first_table", "numbers", "sentence"]

_SYSTEMS = (OURS, BASELINE, DATED, WIDE)


class Number(NamedTuple):
    """One of the five: what is counted, and for each of the systems."""

    what: str
    cells: tuple[str, ...]


def sentence(tally: Tally) -> str:
    """Return the finding in a few sentences, from the records; nothing where deep histories were not run."""
    clean, reworded = (tally.pairs(kind, "counted", _CLEAN) for kind in ("value_only", "reworded"))
    if not tally.served(OURS, "now", 100).n or not clean.n:
        return ""
    found = [[tally.served(c, "now", versions) for versions in (5, 100)] for c in _SYSTEMS]
    _, stock, dated, wide = (" and ".join(f"{rate.hits}" for rate in pair) for pair in found)
    few, many = found[0]
    return (
        f"**A context of {tally.made_with('k')} texts holds the current value of {_of(few)} facts after five "
        f"versions, and of {_of(many)} after a hundred, with this package; of {stock} with stock Chroma, of {dated} "
        f"with dates in its metadata, and of {wide} where the newest of the 100 nearest are kept.** No one setting of stock "
        "serves short and long histories. This package needs none, but reads no more than its grammar can: of "
        f"sentences that nobody worked on it links {_percent(clean)} of the updates that change a value and nothing "
        f"else, and {_percent(reworded)} of those in other words. What it does not link stays beside the new value, as "
        "in stock Chroma.\n\n"
    )


def _of(rate: Rate) -> str:
    return f"{rate.hits} of {rate.n}"


def _percent(rate: Rate) -> str:
    return "–" if rate.share is None else f"{rate.share:.0%}".replace("%", " %")


_CLEAN, _FALSE = "clean supersession", "false supersession"


def numbers(tally: Tally) -> Iterator[Number]:
    """Yield the five numbers; those without records are left out."""

    def each(rates: Iterable[Rate]) -> tuple[str, ...]:
        return tuple(rate.stacked() for rate in rates)

    if tally.served(OURS, "now", 100).n:
        what = "current value in the context, of facts with 1, 5, 20 and 100 versions alike"
        yield Number(what, each(tally.current(c) for c in _SYSTEMS))
        for what, asked in (
            ("value of a past date in the context, 100 versions deep", "past"),
            ("the same, as it was believed before a late correction", "known before"),
        ):
            yield Number(what, each(tally.served(c, asked, 100) for c in _SYSTEMS))
    if tally.git(OURS, "removed", "told_ended").n:
        rates = (tally.git(c, "removed", "told_ended") for c in _SYSTEMS)
        yield Number("a setting that was removed: nothing says that it holds (git histories, looked at)", each(rates))
    if (lost := _lost_look_alikes(tally)).n:
        yield Number("true statements retired by a look-alike", (lost.stacked(), *["none"] * 3))


def _lost_look_alikes(tally: Tally) -> Rate:
    """Return the false supersessions of sets that nobody worked on: fresh ones, if any, and counted ones."""
    found = [tally.pairs("lookalike", split, _FALSE) for split in ("fresh", "counted")]
    return Rate.over(group for rate in found for group in rate.groups)


def first_table(tally: Tally) -> str:
    """Return the five numbers."""
    rows = [[one.what, *one.cells] for one in numbers(tally)]
    if not rows:
        return ""
    note = "Unless it says otherwise, on sentences that were only counted: nobody worked on them.\n"
    return f"{told_by(tally)}{table(['', *map(word, _SYSTEMS)], rows)}\n{note}"


def as_well(tally: Tally) -> str:
    """Return where stock Chroma with dates does as well as this package, or better, and where it doesn't."""
    rows = list(_beside(tally))
    if not rows:
        return ""
    as_good = [one for one in rows if _share(one[1]) >= _share(one[2])]
    worse = [one for one in rows if one not in as_good]
    header = ["", "stock with dates, the better of two ways", "this package, dates shown"]
    body = [[what, f"{theirs.stacked()}{way}", ours.stacked()] for what, theirs, ours, way in (*as_good, *worse)]
    for row in body[: len(as_good)]:
        row[0] = f"**as well: {row[0]}**"
    return (
        "### Where dates in the metadata do as well, and where not\n\n"
        + told_by(tally, "reader", "correctness")
        + table(header, body)
        + f"\nTwo ways of dates: the {tally.made_with('k')} nearest, newest first; or the newest of the 100 nearest "
        "(*of 100*). The better one stands here: it depends on how many versions a fact has had, which nobody knows "
        "beforehand. Both show dates, and so does this package here; the reader takes the newest of two that conflict, "
        "and everybody is told the date that is asked about.\n"
    )


def _share(rate: Rate) -> float:
    return rate.share or 0.0


def _beside(tally: Tally) -> Iterator[tuple[str, Rate, Rate, str]]:
    """Yield what is compared, the rate of dates, ours, and the way where dates have two."""
    pair = (DATED, OURS_DATED)
    dated, ours = (tally.rate("correct", EVOLVING, c) for c in pair)
    yield from _known("facts that changed once, answered right", dated, ours)
    for what, nothing, past in (
        ("facts of 3 to 7 values, answered right now", False, False),
        ("at a past date", False, True),
        ("where none holds, said so", True, None),
    ):
        asked = ([r for r in tally.answers(["timeline"], c) if r["expects_nothing"] is nothing] for c in pair)
        dated, ours = (rate_of([r for r in rows if past in (None, r["as_of"])], "correct") for rows in asked)
        yield from _known(what, dated, ours)
    for versions in (5, 20, 100):
        for pace, told in (("together", "all at once"), ("each its own", "each at its own pace")):
            two = [tally.served(c, "now", versions, pace=pace) for c in (DATED, WIDE)]
            ours = tally.served(OURS, "now", versions, pace=pace)
            yield from _better(f"{versions} versions, {told}: current value in the context", two, ours)
    for asked_, what in (("past", "value of a past date in the context"), ("known before", "value believed before")):
        two = [tally.served(c, asked_, 100) for c in (DATED, WIDE)]
        yield from _better(f"100 versions, each at its own pace: {what}", two, tally.served(OURS, asked_, 100))
    for probe, what in (("now", "value now"), ("past", "value at a past date")):
        two = [tally.git(c, probe, "hit") for c in (DATED, WIDE)]
        yield from _better(f"git histories: {what} in the context", two, tally.git(OURS, probe, "hit"))


def _known(what: str, theirs: Rate, ours: Rate, way: str = "") -> Iterator[tuple[str, Rate, Rate, str]]:
    if theirs.n and ours.n:
        yield what, theirs, ours, way


def _better(what: str, two: Sequence[Rate], ours: Rate) -> Iterator[tuple[str, Rate, Rate, str]]:
    narrow, wide = two
    if _share(wide) > _share(narrow):
        yield from _known(what, wide, ours, " *of 100*")
    else:
        yield from _known(what, narrow, ours)
