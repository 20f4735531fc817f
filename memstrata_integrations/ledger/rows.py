"""Rows and their versions: what one stored text holds, and what a new write makes of it.

A row is one text under one id. It holds facts, each with the assertions made of it, and the
unkeyed remainder of the text. Everything here is pure: times come in as arguments, and the
caller supplies what is already stored.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from memstrata_integrations.ledger.time import MIN_TIME, OPEN, Interval, intersect, normalise, subtract
from memstrata_integrations.ledger.timeline import EVERYWHERE, Assertion, Intervals, is_ranked, live_intervals

__all__ = [
    "ANY",
    "WHOLE",
    "Edition",
    "Incoming",
    "Row",
    "RowFact",
    "TimelineKey",
    "Told",
    "content_hash",
    "first_version",
    "next_version",
    "restated",
    "said_again",
    "windows",
]

TimelineKey = tuple[int, str]
"""(key digest, dimension): values of different dimensions cannot be compared."""

ANY = "any"
"""The dimension of a key that somebody stated outright: its values compare, whatever their kinds."""

PROSE = ""
"""The value of the unkeyed remainder's assertions; nothing competes with it."""

WHOLE = EVERYWHERE
"""The precedence of an edition that tells of one of the source: of all that it holds then; it ranks like any other."""

Edition = tuple[int, int]
"""An edition of a source: from when it holds, and when it was told, µs."""


@dataclass(frozen=True, slots=True)
class RowFact:
    """A fact of a row.

    Attributes:
        digest: Short hash of the fact key.
        subject, relation, dimension, object, value, span, rule, local, narrative: As extracted.
        assertions: What this row has asserted of the key, in order of recording.
        held: Retractions, and ghosts of deleted rows, that this row keeps for the key.
        live: When the statement is live by what is known now, within the version's bounds.
        ends: Of an ending, which has no value: the one that it names ("no longer works for Brill"); `None` for any.
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
    ends: str | None = None

    @property
    def timeline(self) -> TimelineKey:
        """Which timeline this fact belongs to."""
        return (self.digest, self.dimension)

    @property
    def all_assertions(self) -> tuple[Assertion, ...]:
        """Everything this row contributes to the key's timeline."""
        return self.assertions + self.held

    def of_any_kind(self) -> RowFact:
        """Return this fact among the values of any kind; its value names its kind."""
        if self.dimension == ANY:
            return self
        kind = "name" if self.dimension == "name:1" else self.dimension  # a name of one word is a name

        def named(value: str | None) -> str | None:
            return None if value is None else f"{kind}|{value}"

        def renamed(made: tuple[Assertion, ...]) -> tuple[Assertion, ...]:
            return tuple(replace(a, value=named(a.value), ends=named(a.ends)) for a in made)

        assertions, held = renamed(self.assertions), renamed(self.held)
        value, ends = named(self.value), named(self.ends)
        return replace(self, dimension=ANY, value=value, ends=ends, assertions=assertions, held=held)

    @property
    def bare_value(self) -> str | None:
        """Its value without the name of its kind."""
        return self.value.partition("|")[2] if self.dimension == ANY and self.value is not None else self.value

    def same_fact(self, other: RowFact) -> bool:
        """Whether both state one value of one key."""
        return (self.timeline, self.value, self.ends) == (other.timeline, other.value, other.ends)


ALWAYS: Intervals = (Interval(MIN_TIME, OPEN),)


@dataclass(frozen=True, slots=True)
class Told:
    """What readers were told by a row over a stretch of transaction time.

    Attributes:
        since, until: From when to when they were, half-open, µs; `OPEN` if they still are.
        live: When each of its facts was live by what was known then, and at last its unkeyed remainder.
    """

    since: int
    until: int
    live: tuple[Intervals, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One stored text.

    The versions of a document are assertions of their own, on a timeline for each document:
    which text its id stood for, and when. So the same rule that dates facts dates versions.

    Attributes:
        id: The id it is stored under.
        document_id: The id its user knows; differs from `id` for an archived version.
        content: Hash of the text, see `content_hash`.
        facts: Its facts.
        prose: The assertions of the unkeyed remainder; empty if there is none.
        editions: When this text was written as its document's content; one without a value
            ends the document (it was deleted, and its history kept).
        windows: When its document stood for this text, by what is known now. What was closed
            in a window stays closed after it.
        told: What readers were told by it, as far as that was noted, in order; the last is what they are told now.
    """

    id: str
    document_id: str
    content: str
    facts: tuple[RowFact, ...] = ()
    prose: tuple[Assertion, ...] = ()
    editions: tuple[Assertion, ...] = ()
    windows: Intervals = ALWAYS
    told: tuple[Told, ...] = ()

    def of_any_kind(self, digests: Iterable[int]) -> Row:
        """Return this row with its facts of some keys among the values of any kind; its endings of a key are one."""
        wanted = set(digests)
        if all(f.digest not in wanted or f.dimension == ANY for f in self.facts):
            return self
        facts: list[RowFact] = []
        for fact in self.facts:
            made = fact.of_any_kind() if fact.digest in wanted else fact
            if made.value is not None or not any(f.same_fact(made) for f in facts):
                facts.append(made)
        return replace(self, facts=tuple(facts), told=self.told if len(facts) == len(self.facts) else ())

    @property
    def archived(self) -> bool:
        """Whether this is an earlier version, kept under an internal id."""
        return self.id != self.document_id

    @property
    def stated(self) -> list[Assertion]:
        """What it asserts itself, without what others left with it."""
        return [*self.editions, *self.prose, *(a for f in self.facts for a in f.assertions)]

    @property
    def all_assertions(self) -> list[Assertion]:
        """What it asserts and held: its versions, its unkeyed remainder and its facts."""
        return [*self.editions, *self.prose, *(a for f in self.facts for a in f.all_assertions)]

    @property
    def recorded_at(self) -> int:
        """The latest transaction time in this row, µs."""
        made = self.all_assertions
        times = [a.recorded_at for a in made] + [a.undone_at for a in made if a.undone_at != OPEN]
        return max(times, default=MIN_TIME)

    @property
    def first_told(self) -> int:
        """The transaction time before which it told nothing, µs."""
        made = [a.recorded_at for a in self.stated if a.value is not None]
        return min([*made, *(t.since for t in self.told[:1])], default=MIN_TIME)

    def adopted(self) -> Row:
        """Return this row, which other code wrote, with a note that all of it was told so far, as always valid."""
        return replace(self, told=(Told(MIN_TIME, OPEN, (ALWAYS,) * (len(self.facts) + 1)),))

    @property
    def is_adopted(self) -> bool:
        """Whether other code wrote it, see `adopted`."""
        return bool(self.told) and self.told[0].since == MIN_TIME

    @property
    def rank(self) -> tuple[int, int, int, int, str] | None:
        """The rank of its latest standing edition, by which versions are newer or older."""
        return max((e.rank for e in self.editions if e.undone_at == OPEN and e.value is not None), default=None)

    @property
    def begun(self) -> list[int]:
        """When its standing editions began, µs."""
        return [e.valid_from for e in self.editions if e.undone_at == OPEN and e.value is not None]

    @property
    def whole(self) -> list[Assertion]:
        """Its standing editions that tell of one of its source: it holds this text, or leaves its document out."""
        return [e for e in self.editions if e.undone_at == OPEN and e.precedence == WHOLE]

    def stands(self, instant: int) -> bool:
        """Whether its document, which had begun by then, stood for this text at an instant, by what is known now."""
        return any(instant in w for w in self.windows) and min(self.begun, default=OPEN) <= instant

    def stands_untold(self, instant: int) -> bool:
        """Whether it does so at an instant at which no edition of it begins."""
        return self.stands(instant) and instant not in self.begun

    @property
    def deleted(self) -> bool:
        """Whether its document was deleted, with its history kept."""
        return self.deleted_by(OPEN)

    def deleted_by(self, instant: int) -> bool:
        """Whether it was, or will have been, at an instant."""
        stand = [e for e in self.editions if e.undone_at == e.valid_to == OPEN and e.value is None]
        ends = [e.rank for e in stand if e.valid_from <= instant]
        return bool(ends) and (self.rank is None or max(ends) > self.rank)

    def prose_live(self) -> Intervals:
        """Return when the unkeyed remainder is live, by what is known now."""
        if not self.prose:
            return ()
        return intersect(normalise(a.interval for a in self.prose if a.undone_at == OPEN), self.windows)

    def telling(self) -> tuple[Intervals, ...]:
        """Return when each of its facts is live, and at last its unkeyed remainder, by what is known now."""
        return (*(f.live for f in self.facts), self.prose_live())

    def noted(self, first: int, last: int) -> Row:
        """Return this row with a note of what readers are told by it after a write.

        Args:
            first, last: The write's transaction times, µs. What is told between them is not noted.
        """
        live, told = self.telling(), self.told
        if told and told[-1].live == live:
            return self
        if told and told[-1].since < first:
            told = (*told[:-1], replace(told[-1], until=first))
        else:  # nothing is known of the time before, or clocks differed
            last, told = max([last, *(t.since for t in told)]), ()
        return replace(self, told=(*told, Told(last, OPEN, live)))

    def known(self, instant: int) -> Row:
        """Return this row with what of its assertions was known at a transaction time, µs; nothing is derived anew."""

        def told(made: Iterable[Assertion]) -> tuple[Assertion, ...]:
            return tuple(replace(a, undone_at=OPEN) for a in made if a.known_at(instant))

        facts = tuple(replace(f, assertions=told(f.assertions), held=told(f.held)) for f in self.facts)
        return replace(self, facts=facts, prose=told(self.prose), editions=told(self.editions))

    def live(self) -> Intervals:
        """Return when anything of this row is live, by what is known now."""
        if len(self.facts) == 1 and not self.prose and not self.facts[0].narrative:
            return self.facts[0].live
        stated = [i for f in self.facts if not f.narrative for i in f.live]
        return normalise([*stated, *self.prose_live()])

    def live_at(self, instant: int) -> frozenset[TimelineKey]:
        """Return the timelines of its facts that are live at an instant, by what is known now."""
        return frozenset(f.timeline for f in self.facts if any(instant in i for i in f.live))

    def hull(self, live: Intervals | None = None) -> Interval:
        """Return the stretch stored beside the row, which pre-filters reads and look-ups.

        It holds every live instant. Its end also lies behind every assertion's ``valid_from``,
        so that ``end > t`` finds each assertion that starts at ``t`` or later, live or not.

        Args:
            live: What `live` returns, if it is at hand.
        """
        live = self.live() if live is None else live
        latest = max((a.valid_from + 1 for f in self.facts for a in f.all_assertions), default=MIN_TIME)
        if not live:
            return Interval(latest, latest)
        return Interval(live[0].start, max(live[-1].end, latest))

    def visible(self, instant: int) -> bool:
        """Whether a reader at valid time `instant` gets this row, by what is known now."""
        return any(instant in i for i in self.live())

    def visible_as_known(self, instant: int, known_at: int, others: Iterable[Row]) -> bool:
        """Whether a reader at (valid time, transaction time) got this row.

        Args:
            instant: Valid time, µs.
            known_at: Transaction time, µs.
            others: Every row that shares a key or the document with this one (which may be
                among them).
        """
        peers = list(others)
        if not self._stood(instant, known_at, peers):
            return False
        if any(a.known_at(known_at) and instant in a.interval for a in self.prose):
            return True
        live = self.live_as_known(instant, known_at, peers)
        return any(holds and not fact.narrative for fact, holds in zip(self.facts, live, strict=True))

    def live_as_known(self, instant: int, known_at: int, others: Iterable[Row]) -> tuple[bool, ...]:
        """Whether a reader at (valid time, transaction time) was told each fact; arguments as above."""
        peers = [r for r in others if r.id != self.id]
        if not self._stood(instant, known_at, peers):
            return (False,) * len(self.facts)
        found = []
        stood: dict[str, Intervals] = {}
        for fact in self.facts:
            own: Sequence[Assertion] = fact.assertions
            alike = [(r, f) for r in (self, *peers) for f in r.facts if f.timeline == fact.timeline]
            told = [(r, a) for r, f in alike for a in (f.held if f is fact else f.all_assertions)]
            others_own = [a for _, a in told]
            said: list[Intervals] = []
            if is_ranked([*own, *others_own]):
                stood = stood or _windows_of([self, *peers], known_at)
                said = [stood[r.id] for r in (*[self] * len(own), *(r for r, _ in told))]
            else:  # then what does not hold at the instant decides nothing
                own = [a for a in own if a.known_at(known_at) and instant in a.interval]
                others_own = [a for a in others_own if instant in a.interval] if own else []
            intervals = live_intervals([*own, *others_own], said, known_at=known_at)
            found.append(any(instant in i for live in intervals[: len(own)] for i in live))
        return tuple(found)

    def _stood(self, instant: int, known_at: int, others: Iterable[Row]) -> bool:
        siblings = [self, *(r for r in others if r.id != self.id and r.document_id == self.document_id)]
        return any(instant in w for w in windows(siblings, known_at)[0])


def _windows_of(rows: Sequence[Row], known_at: int) -> dict[str, Intervals]:
    documents: dict[str, list[Row]] = {}
    for row in rows:
        documents.setdefault(row.document_id, []).append(row)
    return {r.id: w for own in documents.values() for r, w in zip(own, windows(own, known_at), strict=True)}


def windows(versions: Sequence[Row], known_at: int = OPEN - 1) -> list[Intervals]:
    """Return when a document stood for each of its versions.

    The first one reaches back for ever, but to where the document is known to have said nothing,
    and an only one holds always: what it says has dates of its own.

    Args:
        versions: All rows of one document.
        known_at: Transaction time, µs; by default all that is known now.
    """
    known = [[e for e in row.editions if e.known_at(known_at)] for row in versions]
    standing = [n for n, made in enumerate(known) if any(e.value is not None for e in made)]
    ended = any(e.value is None for made in known for e in made)
    if not any(row.editions for row in versions) or (len(standing) == 1 and not ended):
        return [ALWAYS if not standing or n in standing else () for n in range(len(versions))]
    owners = [n for n, made in enumerate(known) for _ in made]
    editions = [
        e if e.value is None else replace(e, value=row.id)
        for row, made in zip(versions, known, strict=True)
        for e in made
    ]
    parts: list[list[Interval]] = [[] for _ in versions]
    for n, intervals in zip(owners, live_intervals(editions, known_at=known_at), strict=True):
        parts[n] += intervals
    found = [normalise(p) for p in parts]
    earliest, first = max(
        ((e, n) for n, made in enumerate(known) for e in made if e.value is not None),
        key=lambda told: (-told[0].valid_from, told[0].rank),
        default=(None, 0),
    )
    if earliest is not None:
        begun = earliest.valid_from
        before: Intervals = (Interval(MIN_TIME, begun),)
        for end in (e for made in known for e in made if e.value is None):
            sooner = end.valid_from < begun or (end.valid_from == begun and end.rank > earliest.rank)
            before = () if sooner and end.precedence == WHOLE else subtract(before, end.interval)
        found[first] = normalise([*before, *found[first]])
    return found


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
        precedence: Higher wins whatever the dates, between facts; versions of one document go by date.
        anew: Timelines of which its source has said otherwise in between, so that it asserts
            what it says of them anew, even after a deletion.
        keeps: It is part of a document that changed elsewhere: what it repeats is no newer.
        whole: It is told with all that its source holds, see `WHOLE`.
        together: If it is, and undated: when the first of them was told, µs.
    """

    id: str
    content: str
    facts: tuple[RowFact, ...]
    prose: bool
    recorded_at: int
    valid_from: int | None = None
    valid_to: int | None = None
    authority: int = 0
    precedence: int = 0
    anew: frozenset[TimelineKey] = frozenset()
    keeps: bool = False
    whole: bool = False
    together: int | None = None

    def edition(self) -> Assertion:
        """Return the assertion that its document holds this text."""
        made = self.assertion(PROSE, self.recorded_at if self.together is None else self.together)
        return replace(made, precedence=WHOLE) if self.whole else made

    def assertion(self, value: str | None, default_from: int, ends: str | None = None) -> Assertion:
        """Return the assertion of `value`, or of the end of one, that this text makes."""
        return Assertion(
            value=value,
            valid_from=default_from if self.valid_from is None else self.valid_from,
            recorded_at=self.recorded_at,
            id=self.id,
            valid_to=OPEN if self.valid_to is None else self.valid_to,
            authority=self.authority,
            precedence=0 if value == PROSE else self.precedence,
            ends=ends,
        )

    @property
    def at(self) -> int:
        """From when it holds, unless its facts say otherwise, µs."""
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
        facts=tuple(replace(f, assertions=(new.assertion(f.value, new.recorded_at, f.ends),)) for f in new.facts),
        prose=(new.assertion(PROSE, MIN_TIME),) if new.prose else (),
        editions=(new.edition(),),
    )


def next_version(old: Row, new: Incoming) -> Row:
    """Return the row of another version of `old`'s document.

    Written undated, a fact with the same object as in the last version keeps its dates:
    fixing a typo in an old page makes what it says no newer.
    """
    row = first_version(new)
    if new.valid_from is not None:
        return row
    return replace(row, facts=tuple(carried(f, old.facts, new) for f in row.facts))


def carried(fact: RowFact, earlier: Iterable[RowFact], new: Incoming) -> RowFact:
    """Return `fact` with the dates that an earlier version of its document gave it, if any did."""
    past = [a for f in earlier if f.same_fact(fact) for a in f.assertions if _holds(a, new.recorded_at)]
    if not past or fact.timeline in new.anew:
        return fact
    kept = replace(max(past, key=lambda a: a.rank), recorded_at=new.recorded_at, id=new.id)
    if new.valid_to is not None:
        if new.valid_to <= kept.valid_from:
            return fact
        kept = replace(kept, valid_to=new.valid_to)
    return replace(fact, assertions=(kept,))


def said_again(row: Row, edition: Edition) -> Incoming:
    """Return what a row says when an edition of its source begins, as told with that."""
    at, recorded_at = edition
    own = [a for a in row.stated if a.undone_at == OPEN]
    return Incoming(
        id=row.document_id,
        content=row.content,
        facts=row.facts,
        prose=bool(row.prose),
        recorded_at=recorded_at,
        valid_from=at,
        authority=max(a.authority for a in own),
        precedence=max(a.precedence for a in own),
        anew=row.live_at(at),
        keeps=True,
        whole=True,
    )


def restated(row: Row, new: Incoming, over: Iterable[int] = ()) -> tuple[Row, list[tuple[int, Assertion]]]:
    """Return `row` after the same content was written again, and what that adds.

    A date not given before is a new assertion. Undated, it changes nothing while the statement
    is valid until the end that it names, if any, and is a new assertion once it was superseded.
    A document that comes back undated after its deletion says what it said: its facts keep their dates.

    Args:
        row: The row that holds the content.
        new: The same content.
        over: The endings, by number of the fact, of which nothing is live when it is written: told again, undated, they
            add nothing.

    Returns:
        The row with the new assertions (live intervals not yet updated), and for each one the
        index of its fact.
    """
    added: list[tuple[int, Assertion]] = []
    ended = set(over)
    facts = list(row.facts)
    editions, prose = row.editions, row.prose
    back = new.valid_from is None and not any(new.recorded_at in w for w in row.windows)
    again = new.whole and new.valid_from is not None  # it stands by this edition too, if another one is taken back
    if again or not _says_nothing_new(row.editions, row.windows, new):
        editions = (*editions, new.edition())
    for n, fact in enumerate(facts):
        holds = any(_holds(a, new.recorded_at) for a in fact.assertions)
        kept = (back or new.keeps) and holds and fact.timeline not in new.anew
        if kept or (not again and _says_nothing_new(fact.assertions, fact.live, new, fact.value)):
            continue
        undated = new.valid_from is None and new.valid_to is None
        if holds and fact.value is None and undated and n in ended:
            continue
        assertion = new.assertion(fact.value, new.recorded_at, fact.ends)
        facts[n] = replace(fact, assertions=(*fact.assertions, assertion))
        added.append((n, assertion))
    holds = any(_holds(a, new.recorded_at) for a in prose)
    if prose and not (back and holds) and (again or not _says_nothing_new(prose, row.prose_live(), new)):
        prose = (*prose, new.assertion(PROSE, new.recorded_at))
    return replace(row, facts=tuple(facts), prose=prose, editions=editions), added


def _holds(assertion: Assertion, instant: int) -> bool:
    """Whether an assertion stands and covers an instant by its own word."""
    return assertion.undone_at == OPEN and instant in assertion.interval


def _says_nothing_new(
    assertions: Sequence[Assertion], live: Intervals, new: Incoming, value: str | None = PROSE
) -> bool:
    standing = [a for a in assertions if a.undone_at == OPEN]
    end = OPEN if new.valid_to is None else new.valid_to
    if new.valid_from is None:
        holds = any(new.recorded_at in i for i in live)
        told = [a for a in standing if new.recorded_at in a.interval]
        return holds and bool(told) and max(told, key=lambda a: a.rank).valid_to == end
    return any(a.value == value and a.interval == Interval(new.valid_from, end) for a in standing)
