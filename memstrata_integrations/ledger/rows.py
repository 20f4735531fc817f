"""Rows and their versions: what one stored text holds.

A row is one text under one id. It holds facts, each with the assertions made of it, and the
unkeyed remainder of the text.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from memstrata_integrations.ledger.time import MIN_TIME, OPEN, Interval, intersect, normalise, subtract
from memstrata_integrations.ledger.timeline import EVERYWHERE, Assertion, Intervals, live_intervals

TimelineKey = tuple[int, str]
"""(key digest, dimension): values of different dimensions cannot be compared."""

ANY = "any"
"""The dimension of a key that somebody stated outright: its values compare, whatever their kinds."""

PROSE = ""
"""The value of the unkeyed remainder's assertions; nothing competes with it."""

WHOLE = EVERYWHERE
"""The precedence of an edition that tells of one of the source: of all that it holds then; it ranks like any other."""

DELETED = -2
"""The precedence of the end of a document that was deleted, with its history kept; it ranks like any other."""

ALWAYS: Intervals = (Interval(MIN_TIME, OPEN),)

OneT = TypeVar("OneT", "RowFact", Assertion)

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

    def of_any_kind(self) -> "RowFact":
        """Return this fact among the values of any kind; its value names its kind."""
        if self.dimension == ANY:
            return self
        kind = "name" if self.dimension == "name:1" else self.dimension  # a name of one word is a name

        def named(one: OneT) -> OneT:
            value, ends = (None if v is None else f"{kind}|{v}" for v in (one.value, one.ends))
            return replace(one, value=value, ends=ends)

        assertions, held = tuple(map(named, self.assertions)), tuple(map(named, self.held))
        return replace(named(self), dimension=ANY, assertions=assertions, held=held)

    @property
    def bare_value(self) -> str | None:
        """Its value without the name of its kind."""
        return self.value.partition("|")[2] if self.dimension == ANY and self.value is not None else self.value

    def same_fact(self, other: "RowFact") -> bool:
        """Whether both state one value of one key."""
        return (self.timeline, self.value, self.ends) == (other.timeline, other.value, other.ends)


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

    def of_any_kind(self, digests: Iterable[int]) -> "Row":
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

    def adopted(self) -> "Row":
        """Return this row, which other code wrote, with a note that all of it was told so far, as always valid."""
        return replace(self, told=(Told(MIN_TIME, OPEN, (ALWAYS,) * (len(self.facts) + 1)),))

    @property
    def is_adopted(self) -> bool:
        """Whether other code wrote it, see `adopted`."""
        return bool(self.told) and self.told[0].since == MIN_TIME

    @property
    def contents(self) -> list[Assertion]:
        """Its standing editions, by which its document stands for this text."""
        return [e for e in self.editions if e.undone_at == OPEN and e.value is not None]

    @property
    def ends(self) -> list[Assertion]:
        """The standing ends of its document that it keeps."""
        return [e for e in self.editions if e.undone_at == OPEN and e.value is None]

    @property
    def parted(self) -> tuple[tuple[Assertion, ...], tuple[Assertion, ...]]:
        """Its editions that hold this text, and the ends of its document, which go with the document's id."""
        contents = tuple(e for e in self.editions if e.value is not None)
        return contents, tuple(e for e in self.editions if e.value is None)

    @property
    def rank(self) -> tuple[int, int, int, int, str] | None:
        """The rank of its latest standing edition, by which versions are newer or older."""
        return max((e.rank for e in self.contents), default=None)

    @property
    def begun(self) -> list[int]:
        """When its standing editions began, µs."""
        return [e.valid_from for e in self.contents]

    @property
    def whole(self) -> list[Assertion]:
        """Its standing editions that tell of one of its source: it holds this text, or leaves its document out."""
        return [e for e in self.editions if e.undone_at == OPEN and e.precedence == WHOLE]

    def stands(self, instant: int) -> bool:
        """Whether its document, which had begun by then, stood for this text at an instant, by what is known now."""
        return any(instant in w for w in self.windows) and min(self.begun, default=OPEN) <= instant

    @property
    def deleted(self) -> bool:
        """Whether its document was deleted, with its history kept."""
        return self.deleted_by(OPEN)

    def deleted_by(self, instant: int) -> bool:
        """Whether it was, or will have been, at an instant."""
        ends = [e.rank for e in self.ends if e.valid_to == OPEN and e.valid_from <= instant]
        return bool(ends) and (self.rank is None or max(ends) > self.rank)

    def prose_live(self) -> Intervals:
        """Return when the unkeyed remainder is live, by what is known now."""
        if not self.prose:
            return ()
        return intersect(normalise(a.interval for a in self.prose if a.undone_at == OPEN), self.windows)

    def telling(self) -> tuple[Intervals, ...]:
        """Return when each of its facts is live, and at last its unkeyed remainder, by what is known now."""
        return (*(f.live for f in self.facts), self.prose_live())

    def noted(self, first: int, last: int) -> "Row":
        """Return this row with a note of what readers are told by it after a write of these transaction times, µs."""
        live, told = self.telling(), self.told
        if told and told[-1].live == live:
            return self
        if told and told[-1].since < first:
            told = (*told[:-1], replace(told[-1], until=first))
        else:  # nothing is known of the time before, or clocks differed
            last, told = max([last, *(t.since for t in told)]), ()
        return replace(self, told=(*told, Told(last, OPEN, live)))

    def mapped(
        self,
        own: Callable[[Assertion], Assertion | None],
        held: Callable[[Assertion], Assertion | None],
        ends: Callable[[Assertion], Assertion | None],
    ) -> "Row":
        """Return this row with others, or none, for its own assertions, those it holds, and its document's ends."""

        def of(made: Iterable[Assertion], other: Callable[[Assertion], Assertion | None]) -> tuple[Assertion, ...]:
            return tuple(a for a in map(other, made) if a is not None)

        facts = tuple(replace(f, assertions=of(f.assertions, own), held=of(f.held, held)) for f in self.facts)
        editions = of(self.editions, lambda e: ends(e) if e.value is None else own(e))
        return replace(self, facts=facts, prose=of(self.prose, own), editions=editions)

    def live(self) -> Intervals:
        """Return when anything of this row is live, by what is known now."""
        if len(self.facts) == 1 and not self.prose and not self.facts[0].narrative:
            return self.facts[0].live
        stated = [i for f in self.facts if not f.narrative for i in f.live]
        return normalise([*stated, *self.prose_live()])

    def hull(self, live: Intervals | None = None) -> Interval:
        """Return the stretch stored beside the row, which pre-filters reads and look-ups.

        It holds every live instant. Its end also lies behind every assertion's ``valid_from``,
        so that ``end > t`` finds each assertion that starts at ``t`` or later, live or not.
        """
        live = self.live() if live is None else live
        latest = max((a.valid_from + 1 for f in self.facts for a in f.all_assertions), default=MIN_TIME)
        if not live:
            return Interval(latest, latest)
        return Interval(live[0].start, max(live[-1].end, latest))

    def visible(self, instant: int) -> bool:
        """Whether a reader at valid time `instant` gets this row, by what is known now."""
        return any(instant in i for i in self.live())


def windows(versions: Sequence[Row], known_at: int = OPEN - 1) -> list[Intervals]:
    """Return when a document stood for each of its versions, all of them, as known at a transaction time, µs.

    The first one reaches back for ever, but to where the document is known to have said nothing,
    and an only one holds always: what it says has dates of its own.
    """
    told = [(n, e) for n, row in enumerate(versions) for e in row.editions if e.known_at(known_at)]
    contents = [(n, e) for n, e in told if e.value is not None]
    ends = [e for _, e in told if e.value is None]
    standing = {n for n, _ in contents}
    if not any(row.editions for row in versions) or (len(standing) == 1 and not ends):
        return [ALWAYS if not standing or n in standing else () for n in range(len(versions))]
    editions = [e if e.value is None else replace(e, value=versions[n].id) for n, e in told]
    parts: list[list[Interval]] = [[] for _ in versions]
    for (n, _), intervals in zip(told, live_intervals(editions, known_at=known_at), strict=True):
        parts[n] += intervals
    found = [normalise(p) for p in parts]
    if contents:
        first, earliest = max(contents, key=lambda one: (-one[1].valid_from, one[1].rank))
        begun = earliest.valid_from
        before: Intervals = (Interval(MIN_TIME, begun),)
        for end in ends:
            sooner = end.valid_from < begun or (end.valid_from == begun and end.rank > earliest.rank)
            before = () if sooner and end.precedence == WHOLE else subtract(before, end.interval)
        found[first] = normalise([*before, *found[first]])
    return found


def content_hash(text: str | None) -> str:
    """Return 16 hexadecimal digits that stand for a text."""
    return hashlib.blake2b((text or "").encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
