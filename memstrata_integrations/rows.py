"""Rows and their versions: what one stored text holds, and what a new write makes of it.

A row is one text under one id. It holds facts, each with the assertions made of it, and the
unkeyed remainder of the text. Everything here is pure: times come in as arguments, and the
caller supplies what is already stored.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from memstrata_integrations.time import MIN_TIME, OPEN, Interval, intersect, normalise
from memstrata_integrations.timeline import Assertion, Intervals, live_intervals

__all__ = [
    "Bound",
    "Incoming",
    "Row",
    "RowFact",
    "TimelineKey",
    "content_hash",
    "first_version",
    "next_version",
    "restated",
]

TimelineKey = tuple[int, str]
"""(key digest, dimension): values of different dimensions cannot be compared."""

PROSE = ""
"""The value of the unkeyed remainder's assertions; nothing competes with it."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A limit of a version's own time, and when the ledger learned it (all µs)."""

    at: int
    recorded_at: int
    undone_at: int = OPEN

    def known_at(self, instant: int) -> bool:
        """Whether a reader at transaction time `instant` knew it and it stood."""
        return self.recorded_at <= instant < self.undone_at


@dataclass(frozen=True, slots=True)
class RowFact:
    """A fact of a row.

    Attributes:
        digest: Short hash of the fact key.
        subject, relation, dimension, object, value, span, rule, local, narrative: As extracted.
        assertions: What this row has asserted of the key, in order of recording.
        held: Retractions, and ghosts of deleted rows, that this row keeps for the key.
        live: When the statement is live by what is known now, within the version's bounds.
    """

    digest: int
    subject: str
    relation: str
    dimension: str
    object: str | None
    value: str | None
    span: tuple[int, int]
    rule: str
    local: bool = False
    narrative: bool = False
    assertions: tuple[Assertion, ...] = ()
    held: tuple[Assertion, ...] = ()
    live: Intervals = ()

    @property
    def timeline(self) -> TimelineKey:
        """Which timeline this fact belongs to."""
        return (self.digest, self.dimension)

    @property
    def all_assertions(self) -> tuple[Assertion, ...]:
        """Everything this row contributes to the key's timeline."""
        return self.assertions + self.held

    def same_fact(self, other: RowFact) -> bool:
        """Whether both state one value of one key."""
        return self.timeline == other.timeline and self.value == other.value


@dataclass(frozen=True, slots=True)
class Row:
    """One stored text.

    Attributes:
        id: The id it is stored under.
        document_id: The id its user knows; differs from `id` for an archived version.
        content: Hash of the text, see `content_hash`.
        version_at: Which version is the newer one: its valid_from, or when it was recorded.
        facts: Its facts.
        prose: The assertions of the unkeyed remainder; empty if there is none.
        starts: From when this version of the document holds; none for a first version.
        ends: When a later version or a deletion ended it.
    """

    id: str
    document_id: str
    content: str
    version_at: int
    facts: tuple[RowFact, ...] = ()
    prose: tuple[Assertion, ...] = ()
    starts: tuple[Bound, ...] = ()
    ends: tuple[Bound, ...] = ()

    @property
    def archived(self) -> bool:
        """Whether this is an earlier version, kept under an internal id."""
        return self.id != self.document_id

    @property
    def recorded_at(self) -> int:
        """The latest transaction time in this row, µs."""
        times = [b.recorded_at for b in (*self.starts, *self.ends)]
        times += [a.recorded_at for a in self.prose]
        times += [a.recorded_at for f in self.facts for a in f.all_assertions]
        return max(times, default=MIN_TIME)

    def window(self, known_at: int = OPEN - 1) -> Interval:
        """Return the valid time of this version of the document, as known at `known_at`."""
        start = max((b.at for b in self.starts if b.known_at(known_at)), default=MIN_TIME)
        end = min((b.at for b in self.ends if b.known_at(known_at)), default=OPEN)
        return Interval(start, end)

    def prose_live(self, known_at: int = OPEN - 1) -> Intervals:
        """Return when the unkeyed remainder is live, as known at `known_at`."""
        covered = normalise(a.interval for a in self.prose if a.known_at(known_at))
        return intersect(covered, self.window(known_at))

    def live(self) -> Intervals:
        """Return when anything of this row is live, by what is known now."""
        stated = [i for f in self.facts if not f.narrative for i in f.live]
        return normalise([*stated, *self.prose_live()])

    def hull(self) -> Interval:
        """Return the stretch stored beside the row, which pre-filters reads and look-ups.

        It holds every live instant. Its end also lies behind every assertion's ``valid_from``,
        so that ``end > t`` finds each assertion that starts at ``t`` or later, live or not.
        """
        live = self.live()
        latest = max((a.valid_from + 1 for f in self.facts for a in f.all_assertions), default=MIN_TIME)
        if not live:
            return Interval(latest, latest)
        return Interval(live[0].start, max(live[-1].end, latest))

    def visible(self, instant: int) -> bool:
        """Whether a reader at valid time `instant` gets this row, by what is known now."""
        return any(instant in i for i in self.live())

    def with_live(self, live: Sequence[Intervals]) -> Row:
        """Return the row with new intervals for its facts, cut to the version's bounds."""
        window = self.window()
        facts = tuple(replace(f, live=intersect(i, window)) for f, i in zip(self.facts, live, strict=True))
        return replace(self, facts=facts)

    def visible_as_known(self, instant: int, known_at: int, others: Iterable[Row]) -> bool:
        """Whether a reader at (valid time, transaction time) got this row.

        Args:
            instant: Valid time, µs.
            known_at: Transaction time, µs.
            others: Every row that shares a key with this one (this one may be among them).
        """
        window = self.window(known_at)
        if instant not in window:
            return False
        if any(instant in i for i in self.prose_live(known_at)):
            return True
        peers = [r for r in others if r.id != self.id]
        for fact in self.facts:
            if fact.narrative:
                continue
            competing = [a for r in peers for f in r.facts if f.timeline == fact.timeline for a in f.all_assertions]
            competing += [
                a for f in self.facts if f.timeline == fact.timeline and f is not fact for a in f.all_assertions
            ]
            everything = [*fact.all_assertions, *competing]
            intervals = live_intervals(everything, known_at=known_at)
            if any(instant in i for found in intervals[: len(fact.assertions)] for i in found):
                return True
        return False


@dataclass(frozen=True, slots=True)
class Incoming:
    """A text on its way in.

    Attributes:
        id: Under which id.
        content: Hash of the text.
        facts: What it states, without assertions.
        prose: Whether it says anything else.
        recorded_at: Transaction time, µs.
        valid_from, valid_to: As the caller dated it, µs; `None` if undated.
        authority: Higher wins among equal ``valid_from``.
    """

    id: str
    content: str
    facts: tuple[RowFact, ...]
    prose: bool
    recorded_at: int
    valid_from: int | None = None
    valid_to: int | None = None
    authority: int = 0

    def assertion(self, value: str | None, default_from: int) -> Assertion:
        """Return the assertion of `value` that this text makes."""
        return Assertion(
            value=value,
            valid_from=default_from if self.valid_from is None else self.valid_from,
            recorded_at=self.recorded_at,
            id=self.id,
            valid_to=OPEN if self.valid_to is None else self.valid_to,
            authority=self.authority,
        )

    @property
    def version_at(self) -> int:
        """The time by which this version is older or newer than another."""
        return self.recorded_at if self.valid_from is None else self.valid_from


def content_hash(text: str | None) -> str:
    """Return 16 hexadecimal digits that stand for a text."""
    return hashlib.blake2b((text or "").encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def first_version(new: Incoming) -> Row:
    """Return the row of a text whose id is new. Unkeyed text, undated, has always been valid."""
    return Row(
        id=new.id,
        document_id=new.id,
        content=new.content,
        version_at=new.version_at,
        facts=tuple(replace(f, assertions=(new.assertion(f.value, new.recorded_at),)) for f in new.facts),
        prose=(new.assertion(PROSE, MIN_TIME),) if new.prose else (),
    )


def next_version(old: Row, new: Incoming) -> Row:
    """Return the row of a newer version of `old`'s document.

    Written undated, a fact with the same object as in the last version keeps its dates:
    fixing a typo in an old page makes what it says no newer.
    """
    row = first_version(new)
    facts = row.facts
    if new.valid_from is None:
        facts = tuple(carried(f, old.facts, new) for f in facts)
    return replace(row, facts=facts, starts=(Bound(new.version_at, new.recorded_at),))


def carried(fact: RowFact, earlier: Iterable[RowFact], new: Incoming) -> RowFact:
    """Return `fact` with the dates that an earlier version of its document gave it, if any did."""
    past = [a for f in earlier if f.same_fact(fact) for a in f.assertions if a.undone_at == OPEN]
    if not past:
        return fact
    kept = max(past, key=lambda a: a.rank)
    return replace(fact, assertions=(replace(kept, recorded_at=new.recorded_at, id=new.id),))


def restated(row: Row, new: Incoming) -> tuple[Row, list[tuple[int, Assertion]]]:
    """Return `row` after the same content was written again, and what that adds.

    A date not given before is a new assertion. Undated, it changes nothing while the
    statement is valid, and is a new assertion once it was superseded.

    Returns:
        The row with the new assertions (live intervals not yet updated), and for each one the
        index of its fact.
    """
    added: list[tuple[int, Assertion]] = []
    facts = list(row.facts)
    for n, fact in enumerate(facts):
        if _says_nothing_new(fact.assertions, fact.live, new):
            continue
        assertion = new.assertion(fact.value, new.recorded_at)
        facts[n] = replace(fact, assertions=(*fact.assertions, assertion))
        added.append((n, assertion))
    prose = row.prose
    if prose and not _says_nothing_new(prose, row.prose_live(), new):
        prose = (*prose, new.assertion(PROSE, new.recorded_at))
    return replace(row, facts=tuple(facts), prose=prose), added


def _says_nothing_new(assertions: Sequence[Assertion], live: Intervals, new: Incoming) -> bool:
    if new.valid_from is None and new.valid_to is None:
        return any(new.recorded_at in i for i in live)
    again = new.assertion(None, new.recorded_at)
    return any(a.undone_at == OPEN and a.interval == again.interval for a in assertions)
