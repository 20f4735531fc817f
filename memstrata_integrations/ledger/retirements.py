"""What lost validity, when, to what: derived from the assertions that rows keep, so there is no second log.

Each key is replayed in order of transaction time, by the rules that served its readers. A statement is retired when
readers who ask about some instant were told it before a write, and are not told it after.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from memstrata_integrations.ledger.rows import ALWAYS, WHOLE, Row, RowFact, windows
from memstrata_integrations.ledger.time import MIN_TIME, OPEN, Interval, intersect, normalise, subtract
from memstrata_integrations.ledger.timeline import Assertion, Intervals, assert_late, is_ranked, live_intervals

RetirementKind = Literal["superseded", "retracted", "ended", "version", "undone", "purged"]
"""Another value took its place; it ended with no successor; its document ended; its document was written again without
it; the write that stated it was taken back; or what closed it was erased, and only the times of that are kept."""

Place = tuple[str, int]
"""(row id, index of a fact in it)."""

Span = tuple[int, int]
"""The first and the last transaction time of a write, µs."""

Standing = dict[Place, tuple[tuple[Assertion, ...], Intervals]]
"""What is known of a key: the assertions of each statement, and when it is live."""


@dataclass(frozen=True, slots=True)
class Retirement:
    """A statement that readers were told until a write, and not after it.

    Attributes:
        kind: Why.
        row: The row that states it.
        fact: The statement; `None` for the unkeyed remainder of a text.
        lost: The stretch of valid time in which it is not told any more; what lies between may have stayed.
        recorded_at: The transaction time of that write, µs.
        by: The row whose write it was; `None` if no text took its place, or none that is left.
        by_fact: What that row says of the key; `None` if it says nothing of it.
        undone_at: When that write was taken back, µs; `OPEN` if it stands.
    """

    kind: RetirementKind
    row: Row
    fact: RowFact | None
    lost: Interval
    recorded_at: int
    by: Row | None = None
    by_fact: RowFact | None = None
    undone_at: int = OPEN


def retirements(rows: Iterable[Row]) -> list[Retirement]:
    """Return every retirement that rows tell of, in order of transaction time.

    What a deleted row said is gone; that it closed something is kept. What was over when it was written was never
    told, and a fact that ends on a date of its own is retired by no write: neither is in the list.

    Args:
        rows: All rows of a collection, or all of some scope: a row's rivals and versions must be among them.
    """
    held = list(rows)
    versions = _Versions(held)
    timelines: dict[tuple[int, str], list[tuple[Row, int]]] = defaultdict(list)
    for row in held:
        for n, fact in enumerate(row.facts):
            timelines[fact.timeline].append((row, n))
    found = [r for places in timelines.values() for r in _of_timeline(places, versions)]
    found += [r for row in held if row.prose for r in _of_prose(row, versions)]
    return sorted(found, key=lambda r: (r.recorded_at, r.row.document_id, () if r.fact is None else r.fact.span))


class _Versions:
    """When each row's document stood for it, as known at any transaction time."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._steps: dict[str, tuple[list[int], list[Intervals]]] = {}
        self._written: dict[int, list[Row]] = defaultdict(list)
        self._rows: dict[str, list[Row]] = defaultdict(list)
        for row in rows:
            self._rows[row.document_id].append(row)
            for edition in row.editions:
                if edition.value is not None:
                    self._written[edition.recorded_at].append(row)
        for siblings in self._rows.values():
            made = [e for row in siblings for e in row.editions]
            if len(siblings) > 1 or any(e.value is None or e.undone_at != OPEN for e in made):
                times = sorted({t for e in made for t in (e.recorded_at, e.undone_at) if t != OPEN})
                known = [windows(siblings, t) for t in times]
                for n, row in enumerate(siblings):
                    self._steps[row.id] = (times, [step[n] for step in known])

    def times(self, row: Row) -> Sequence[int]:
        """Return the transaction times at which its windows may change, µs."""
        return self._steps[row.id][0] if row.id in self._steps else ()

    def at(self, row: Row, known_at: int) -> Intervals:
        """Return its windows as known at a transaction time."""
        if row.id not in self._steps:
            return ALWAYS
        times, steps = self._steps[row.id]
        n = bisect_right(times, known_at)
        return steps[n - 1] if n else ()

    def cause(self, row: Row, write: Span) -> tuple[RetirementKind, Row | None, int]:
        """Return why a row's windows shrank with a write: how, by which row, and when that was undone.

        Of several texts that were told together, as all that their source holds, none is more the cause than another.
        """
        times = range(write[0], write[1] + 1)
        told = [(r, e) for r in self._rows[row.document_id] for e in r.editions if e.recorded_at in times]
        own = next(((r, e) for r, e in told if e.value is not None and r.id != row.id), None)
        if own is not None:
            return "version", own[0], own[1].undone_at
        ends = [e for _, e in told if e.value is None]
        if ends:
            together = times if ends[0].precedence == WHOLE else (ends[0].recorded_at,)
            written = (r for t in together for r in self._written.get(t, ()) if r.document_id != row.document_id)
            others = {r.document_id: r for r in written}
            by = next(iter(others.values())) if len(others) == 1 else None
            return "ended" if by is None else "superseded", by, min(e.undone_at for e in ends)
        return "undone", None, OPEN


def _of_timeline(places: Sequence[tuple[Row, int]], versions: _Versions) -> list[Retirement]:
    """Replay one key."""
    rows: dict[Place, Row] = {(row.id, n): row for row, n in places}
    facts: dict[Place, RowFact] = {(row.id, n): row.facts[n] for row, n in places}
    made = [(place, a) for place, fact in facts.items() for a in fact.all_assertions]
    if len(made) == 1 and made[0][1].undone_at == OPEN and not versions.times(places[0][0]):
        return []
    begun: dict[Span, list[tuple[Place, Assertion]]] = defaultdict(list)
    moved: dict[Span, set[Place]] = defaultdict(set)
    write_of = _writes(rows.values(), versions)
    for place, assertion in sorted(made, key=lambda one: one[1].recorded_at):
        begun[write_of(assertion.recorded_at)].append((place, assertion))
    for place, row in rows.items():
        for time in versions.times(row):
            moved[write_of(time)].add(place)
    undone = {write_of(a.undone_at) for _, a in made if a.undone_at != OPEN}
    ranked = is_ranked(a for _, a in made)
    standing: Standing = {}
    found: list[Retirement] = []
    for write in sorted({*begun, *undone, *moved}):
        first, time = write
        before = {place: live for place, (_, live) in standing.items()}
        closed: dict[Place, tuple[Place, Assertion]] = {}
        if ranked or write in undone:
            said = {place: versions.at(row, time) for place, row in rows.items()}
            standing = _derived(facts, said, time)
            closed = {p: new for p in standing for new in begun.get(write, ()) if new[1].against(facts[p].value)}
        else:
            for place, assertion in begun.get(write, ()):
                closed.update((loser, (place, assertion)) for loser in _enter(standing, place, assertion))
        changed = {p for p, (_, live) in standing.items() if live != before.get(p, ())} | moved.get(write, set())
        for place in changed & standing.keys():
            row, fact = rows[place], facts[place]
            was = intersect(before.get(place, ()), versions.at(row, first - 1))
            lost = subtract(was, *intersect(standing[place][1], versions.at(row, time)))
            for other in standing if lost else ():
                if other == place or facts[other].value != fact.value:
                    continue  # what another text goes on telling is not retired
                lost = subtract(lost, *intersect(standing[other][1], versions.at(rows[other], time)))
            amid = all(first <= i.start and i.end <= time for i in lost)  # the write, which its readers saw whole
            if amid or fact.narrative or fact.value is None:
                continue
            if place not in closed:
                kind, by, undone_at = versions.cause(row, write)
                alike = () if by is None else (f for f in by.facts if f.timeline == fact.timeline)
                by_fact = next((f for f in alike if f.value != fact.value), None)
            else:
                other, assertion = closed[place]
                own = assertion in facts[other].assertions  # else the row keeps it for another's word
                by, by_fact = (rows[other], facts[other]) if own else (None, None)
                kind = "superseded" if own and assertion.value is not None else "retracted"
                kind, undone_at = "purged" if assertion.ghost else kind, assertion.undone_at
            found.append(Retirement(kind, row, fact, _hull(lost), time, by, by_fact, undone_at))
    return found


def _writes(rows: Iterable[Row], versions: _Versions) -> Callable[[int], Span]:
    """Return what tells the write of a transaction time, of one that changed when any of these rows' documents stood.

    Its readers saw it whole: what one of its texts ends, and a later one of them states, was told all along.
    """
    told = ((row, was.until, now.since) for row in rows for was, now in pairwise(row.told))
    spans = sorted({(a, b) for row, a, b in told if any(a <= t <= b for t in versions.times(row))})

    def write_of(time: int) -> Span:
        n = bisect_right(spans, (time, OPEN))
        return spans[n - 1] if n and time <= spans[n - 1][1] else (time, time)

    return write_of


def _enter(standing: Standing, place: Place, assertion: Assertion) -> Iterable[Place]:
    """Take one assertion in, and return what it closes."""
    stands = replace(assertion, undone_at=OPEN)
    own, losses = assert_late(stands, standing)
    standing.update((loser, (standing[loser][0], left)) for loser, left in losses.items())
    known, live = standing.get(place, ((), ()))
    standing[place] = (*known, stands), normalise([*live, *own])
    return losses


def _derived(facts: Mapping[Place, RowFact], said: Mapping[Place, Intervals], time: int) -> Standing:
    """Derive a key anew from what is known of it at a transaction time, when its documents say that."""
    made = [(p, replace(a, undone_at=OPEN)) for p, f in facts.items() for a in f.all_assertions if a.known_at(time)]
    live = live_intervals([a for _, a in made], [said[p] for p, _ in made])
    found: Standing = dict.fromkeys(facts, ((), ()))
    for (place, assertion), intervals in zip(made, live, strict=True):
        known, held = found[place]
        found[place] = (*known, assertion), normalise([*held, *intervals])
    return found


def _of_prose(row: Row, versions: _Versions) -> list[Retirement]:
    """Replay the unkeyed remainder of a text, with which nothing competes."""
    times = {t for a in row.prose for t in (a.recorded_at, a.undone_at) if t != OPEN}
    found = []
    write_of = _writes([row], versions)
    before: Intervals = ()
    for time in sorted({*times, *versions.times(row)}):
        told = normalise(a.interval for a in row.prose if a.known_at(time))
        now = intersect(told, versions.at(row, time))
        lost = subtract(before, *now)
        if lost:
            kind, by, undone_at = versions.cause(row, write_of(time))
            found.append(Retirement(kind, row, None, _hull(lost), time, by, None, undone_at))
        before = now
    return found


def _hull(intervals: Intervals) -> Interval:
    return Interval(min((i.start for i in intervals), default=MIN_TIME), max((i.end for i in intervals), default=OPEN))
