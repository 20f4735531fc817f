"""The ledger: a set of rows under the rules of time, in memory.

`Ledger` applies writes, retractions, deletions and undo to rows. `TemporalCollection` loads
the touched part of a collection into one and writes back what changed.
"""

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from memstrata_integrations.ledger.incoming import (
    Incoming,
    called_off,
    outlasted,
    repeats,
    restated,
    said_again,
    same_content,
    version,
)
from memstrata_integrations.ledger.rows import DELETED, Edition, Row, RowFact, TimelineKey, windows
from memstrata_integrations.ledger.time import OPEN, Interval, intersect, normalise, subtract
from memstrata_integrations.ledger.timeline import (
    EVERYWHERE,
    Assertion,
    Intervals,
    assert_late,
    bury,
    is_ranked,
    live_intervals,
    undo_at,
)

Place = tuple[str, int]
"""(row id, index of a fact in it)."""


@dataclass(frozen=True, slots=True)
class Closure:
    """A statement that lost validity to a write.

    Attributes:
        row_id: The row that states it.
        fact: The fact as it stood before the write.
        by: The row whose write closed it; `None` for a retraction.
        at: From when on it is not valid any more, µs.
    """

    row_id: str
    fact: RowFact
    by: str | None
    at: int


class Ledger:
    """Rows, and the writes that change them.

    Attributes:
        rows: Every row that is loaded, by the id it is stored under.
        changed: Ids of rows that differ from what was loaded.
        removed: Ids of rows that were deleted.
        moved: For a row stored under a new id, the id that holds its text and vector so far.
        closures: What the writes so far have closed.
    """

    def __init__(self, rows: Iterable[Row] = (), *, archive_id: Callable[[str], str]) -> None:
        """Load rows; `archive_id` makes a fresh internal id for an archived version of a document id."""
        self.rows: dict[str, Row] = {}
        self._places: dict[TimelineKey, dict[Place, None]] = {}
        self._versions: dict[str, dict[str, None]] = {}
        self._archive_id = archive_id
        for row in {row.id: row for row in rows}.values():
            self._put(row)
        self.changed: dict[str, None] = {}
        self.removed: dict[str, None] = {}
        self.moved: dict[str, str] = {}
        self.closures: list[Closure] = []
        self._unsettled: dict[TimelineKey, None] = {}  # of what a document says no more, or again

    def versions(self, document_id: str) -> list[Row]:
        """Return all rows of a document that are loaded."""
        return [self.rows[i] for i in self._versions.get(document_id, ())]

    # -- writes ---------------------------------------------------------------------------

    def write(self, new: Incoming, *, earlier: Iterable[RowFact] = ()) -> str | None:
        """Take in a text; undated, what it repeats of `earlier`, deleted facts of its document, keeps its dates.

        It returns the id under which the text is to be stored: its own, or an internal one if it is an older version;
        `None` if it is stored already.
        """
        old = self.rows.get(new.id)
        if old is None:
            self._enter(version(new, earlier))
            return new.id
        lifted = outlasted(old, self.versions(new.id), new)
        if not lifted:
            begins = [
                e for v in self.versions(new.id) for e in (*v.contents, *v.ends) if e.valid_from == new.valid_from
            ]
            withdrawn = max((e.rank, e.precedence) for e in begins)[1] == DELETED if begins else False
            return self._rewrite(old, replace(new, again=True) if withdrawn else new)
        over = (
            [] if new.valid_to is None else [replace(lifted[0], valid_from=new.valid_to, recorded_at=new.recorded_at)]
        )
        editions = (undo_at(e, new.recorded_at) if e in lifted else e for e in old.editions)
        self.change(replace(old, editions=(*editions, *over)))
        stored_as = self._rewrite(self.rows[new.id], replace(new, again=True), {e.recorded_at for e in lifted})
        self.recut(new.id)
        self.follow()
        return stored_as

    def _rewrite(self, old: Row, new: Incoming, lifted: AbstractSet[int] = frozenset()) -> str | None:
        """Take in a text of a document that is known; `lifted`: when the deletions that it outlasts were told, µs."""
        versions = self.versions(new.id)
        same = [v for v in versions if same_content(v, new)]
        authority = max([new.authority, *(e.authority for e in old.ends)])
        ahead = [
            replace(new.edition(), valid_from=start, authority=authority)
            for start in called_off(old, versions, new, lifted)
        ]
        if old in same:
            self.confirm(old.id, new)
            self._go_on(old.id, ahead)
            return None
        if not new.again and any(repeats(v, new) for v in same):
            return None
        newest = max((v.rank for v in versions if v.rank is not None), default=None)
        rank = [new.edition(), *ahead][-1].rank
        if newest is None or rank > newest:
            self._replace_version(old, new)
            self._go_on(new.id, ahead)
            return new.id
        if same:
            self.confirm(same[0].id, new)
            return None
        row = replace(version(new, old.facts), id=self._archive_id(new.id))
        self._enter(row)
        return row.id

    def _go_on(self, row_id: str, editions: Sequence[Assertion]) -> None:
        """Let a row's document stand for its text beyond versions that never came; what it says is no newer."""
        row = self.rows[row_id]
        if editions:
            self._enter(replace(row, editions=(*row.editions, *editions)), ())

    def confirm(self, row_id: str, new: Incoming) -> None:
        """Take in the same statement again, as an assertion of the row that holds it."""
        stored = self.rows[row_id]
        over = {n for n, f in enumerate(stored.facts) if f.value is None and not self._ends_anything(f, new.at)}
        row, added = restated(stored, replace(new, id=stored.document_id), over)
        if row != stored:
            self._enter(row, added)

    def _ends_anything(self, ending: RowFact, instant: int) -> bool:
        """Whether anything that an ending ends is live at an instant."""
        facts = (self._fact(place) for place in self._places.get(ending.timeline, {}))
        return any(instant in i for f in facts if ending.ends in (None, f.value) for i in f.live)

    def duplicate_of(self, new: Incoming, candidates: Iterable[str]) -> str | None:
        """Return the row among `candidates`, of equal text and metadata, that states a keyed text without an id."""
        for row_id in candidates:
            row = self.rows[row_id]
            if not row.archived and row.facts and (repeats(row, new) or row.visible(new.at)):
                return row_id
        return None

    def retract(self, timeline: TimelineKey, at: int, recorded_at: int, *, dated: bool) -> bool:
        """Close a key from `at` on, with no successor; return whether that was news.

        It is an assertion like any other: kept also where nothing is live, for what is told later of an earlier time.
        The same one again, dated, is no news.
        """
        facts = {place: self._fact(place) for place in self._places.get(timeline, {})}
        if not facts:
            return False
        told = [a for f in facts.values() for a in f.held if not a.ghost and a.undone_at == OPEN]
        if dated and any(a.valid_from == at for a in told):
            return False
        host = max(facts, key=lambda p: (any(at in i for i in facts[p].live), not self.rows[p[0]].archived, p))
        begun = (a.authority for f in facts.values() for a in f.all_assertions if a.valid_from == at)
        authority = max(begun, default=0)  # what is told after it of its date counts anew, by whomever
        row_id = self.rows[host[0]].document_id
        assertion = Assertion(None, at, recorded_at, id=row_id, authority=authority, precedence=EVERYWHERE)
        self._assert(host, assertion, held=True)
        return True

    def end(self, row_id: str, at: int, recorded_at: int, *, until: int = OPEN, precedence: int = 0) -> bool:
        """End a row's document from `at` on, or `until` what took its place ends (µs); return whether it stood then.

        Versions that are yet to come end, too. `precedence`: `DELETED` where it was deleted, see `outlasted`. Undo of
        the write of `recorded_at` lifts this.
        """
        versions = self.versions(self.rows[row_id].document_id)
        stood = any(w.start < until and w.end > at for v in versions for w in v.windows) and at < until
        for start in sorted({at, *(s for v in versions for s in v.begun if s > at)}):
            self.silence(row_id, start, recorded_at, until=until, precedence=precedence)
        for row in self.versions(self.rows[row_id].document_id) if precedence == DELETED else ():
            self.remake(row, lambda _, a: undo_at(a, recorded_at) if a.valid_from > at else a)  # it was not to come
            self.settle(f.timeline for f in row.facts if any(a.valid_from > at for a in f.assertions))
        return stood

    def silence(self, row_id: str, at: int, recorded_at: int, *, until: int = OPEN, precedence: int = 0) -> None:
        """Let a row's document say nothing from `at` on, until its next edition if it has one (µs), as with `end`.

        `precedence`: `WHOLE` where that was told with all that its source holds then.
        """
        row = self.rows[row_id]
        standing = (e for v in self.versions(row.document_id) for e in v.editions if e.undone_at == OPEN)
        authority = max((e.authority for e in standing), default=0)
        end = Assertion(None, at, recorded_at, row.document_id, until, authority, precedence=precedence)
        if at < until and end not in row.editions:
            self._enter(replace(row, editions=(*row.editions, end)), ())

    def give_way(self, row_id: str, by: str, new: Incoming) -> bool:
        """End a document where another row, told as `new`, takes its place; return whether it was not over already.

        What it told, of what both speak of, of a later time than that is known never to have held; where the other one
        has an end of its own, that says so until then.
        """
        until = OPEN if new.valid_to is None else new.valid_to
        stood = self.end(row_id, new.at, new.recorded_at, until=until)
        speaks = self.rows[by].content == new.content  # else what was told is an earlier version of its own document
        for n, fact in enumerate(self.rows[by].facts if speaks else ()):

            def outdated(f: RowFact, a: Assertion, timeline: TimelineKey = fact.timeline) -> bool:
                return f.timeline == timeline and a.undone_at == OPEN and new.at <= a.valid_from < until

            rivals = [a for r in self.versions(row_id) for f in r.facts for a in f.assertions if outdated(f, a)]
            if until == OPEN:
                for row in self.versions(row_id):
                    self.remake(row, lambda f, a: undo_at(a, new.recorded_at) if outdated(f, a) else a)
                self.settle([fact.timeline])
            for rival in rivals if until != OPEN else ():
                later = replace(new, valid_from=rival.valid_from, authority=max(new.authority, rival.authority))
                self._assert((by, n), later.assertion(fact.value, rival.valid_from, fact.ends))
        return stood

    def remake(self, row: Row, made: Callable[[RowFact, Assertion], Assertion]) -> None:
        """Put others in the place of what a row's facts assert themselves."""
        facts = tuple(replace(f, assertions=tuple(made(f, a) for a in f.assertions)) for f in row.facts)
        if facts != row.facts:
            self.change(replace(row, facts=facts))

    def carry_on(self, row_id: str, edition: Edition | None) -> None:
        """Let a row's document say again, from an edition of its source on, what that kept without a word, if it did.

        An undated one does. So an earlier edition that is told after it, and lacks this, ends it no further.
        """
        for row in self.versions(self.rows[row_id].document_id):
            if edition and row.first_told < edition[1] and row.stands(edition[0]) and edition[0] not in row.begun:
                self.confirm(row.id, said_again(row, edition))

    def delete(self, row_ids: Iterable[str], at: int = OPEN) -> None:
        """Remove rows. What each alone held stays a gap; nothing superseded by then (µs) comes back.

        What stood against one of higher precedence is live from then on: nothing outranks it any more.
        """
        removed = [self.rows[row_id] for row_id in row_ids if row_id in self.rows]
        for row in removed:
            self._drop(row.id)
            self.removed[row.id] = None
            self.changed.pop(row.id, None)
        for row in removed:
            for fact in row.facts:
                places = self._places.get(fact.timeline)
                if not places:
                    continue
                about = fact.value if fact.ends is None else fact.ends
                host = min(places, key=lambda p: (self._fact(p).value != about, p))
                kept = self._fact(host)
                value = fact.value if kept.value == fact.value else None
                # an end stays with its value, and what was yet to begin closes nothing
                made = [*(a for a in fact.assertions if a.valid_from <= at), *fact.held]
                made = [a for a in made if a.ends in (None, kept.value)]
                ghosts = [g for g in bury(made, value) if g not in kept.held]
                self._change_fact(host, replace(kept, held=(*kept.held, *ghosts)))
        for row in removed:  # an earlier version leaves a gap in its document, if that stays
            if row.archived and (home := self.rows.get(row.document_id)) is not None:
                gap = (replace(e, value=None) for e in row.contents)
                self._enter(replace(home, editions=(*home.editions, *gap)), ())
        facts = [f for r in removed for f in r.facts]
        opened = {f.timeline for f in facts if any(a.precedence or a.valid_from > at for a in f.all_assertions)}
        self.settle(t for t in opened if self._places.get(t))

    # -- versions -------------------------------------------------------------------------

    def _replace_version(self, old: Row, new: Incoming) -> None:
        contents, ends = old.parted
        archived = replace(old, id=self._archive_id(old.document_id), editions=contents)
        self._drop(old.id)
        self.moved[archived.id] = self.moved.pop(old.id, old.id)
        self.change(archived)
        row = version(new, old.facts)
        self._enter(replace(row, editions=(*row.editions, *ends)))

    def promote(self, document_id: str) -> None:
        """Give a document's id to its newest standing version, after an undo."""
        current = self.rows.get(document_id)
        versions = [r for r in self.versions(document_id) if r.rank is not None]
        if current is None or not versions:
            return
        newest = max(versions, key=lambda r: r.rank or ())
        if newest.id == document_id:
            return
        contents, ends = current.parted
        homes = [self.moved.pop(r.id, r.id) for r in (newest, current)]
        self._drop(current.id)
        self._drop(newest.id)
        self.change(replace(newest, id=document_id, editions=(*newest.editions, *ends)))
        self.change(replace(current, id=newest.id, editions=contents))
        self.moved[document_id], self.moved[newest.id] = homes

    def recut(self, document_id: str) -> None:
        """Derive the windows of a document's versions, and cut their facts to them."""
        versions = self.versions(document_id)
        for row, found in zip(versions, windows(versions), strict=True):
            if found == row.windows:
                continue
            grown = intersect(found, row.windows) != found
            facts = tuple(replace(f, live=intersect(f.live, found)) for f in row.facts)
            self.change(replace(row, facts=facts, windows=found))
            self._unsettled.update((f.timeline, None) for f in facts if is_ranked(f.assertions))
            for n, fact in enumerate(facts if grown else ()):
                self._set_live((row.id, n), self._own_live((row.id, n), fact))

    def follow(self) -> None:
        """Derive the keys of what a document says no more, or again: what that outranks counts, or yields."""
        timelines, self._unsettled = self._unsettled, {}
        self.settle(timelines)

    # -- what is live ---------------------------------------------------------------------

    def settle(self, timelines: Iterable[TimelineKey] | None = None) -> None:
        """Derive the live intervals of whole timelines from their definition."""
        for timeline in list(self._places if timelines is None else timelines):
            for place, live in self._derived(timeline).items():
                self._set_live(place, live)

    def heal(self) -> None:
        """Close what two processes left open by writing one key at the same moment.

        Of the rows at hand each keeps what it has, less what another one of them takes by rule 1.
        """
        for timeline in list(self._places):
            for place, live in self._derived(timeline).items():
                before = self._fact(place).live
                self._set_live(place, intersect(before, live))
                if self._fact(place).live != before:
                    self.rows[place[0]] = replace(self.rows[place[0]], told=())  # its readers saw through that

    def derive(self) -> None:
        """Derive everything that is stored of validity: the windows of all versions, and all live intervals."""
        for document_id in self._versions:
            versions = self.versions(document_id)
            for row, found in zip(versions, windows(versions), strict=True):
                if found != row.windows:
                    self.change(replace(row, windows=found))
        self.settle()

    def note(self, first: int, last: int) -> None:
        """Note of the rows that changed what readers are told by them after a write of these transaction times, µs."""
        for row_id in self.changed:
            self.rows[row_id] = self.rows[row_id].noted(first, last)

    def _derived(self, timeline: TimelineKey) -> dict[Place, Intervals]:
        """Return when each statement of a key is live, by its definition, whatever its document's versions."""
        places = self._places.get(timeline, {})
        told = [(place, a) for place in places for a in self._fact(place).all_assertions]
        live = live_intervals([a for _, a in told], [self.rows[place[0]].windows for place, _ in told])
        found: dict[Place, list[Interval]] = {place: [] for place in places}
        for (place, _), intervals in zip(told, live, strict=True):
            found[place] += intervals
        return {place: normalise(intervals) for place, intervals in found.items()}

    def _own_live(self, place: Place, fact: RowFact) -> Intervals:
        """Return the same for one statement: many that grow at once would derive the key that often."""
        rivals = [a for p in self._places[fact.timeline] for a in self._fact(p).all_assertions if a.undone_at == OPEN]
        if is_ranked(rivals):
            return self._derived(fact.timeline)[place]
        own = (a for a in fact.assertions if a.value is not None and a.undone_at == OPEN)
        left = (subtract((a.interval,), *(r.interval for r in rivals if r.blocks(a))) for a in own)
        return normalise(i for intervals in left for i in intervals)

    def _assert(self, place: Place, assertion: Assertion, *, held: bool = False) -> None:
        """Add an assertion to a fact and update the timeline that it enters."""
        fact = self._fact(place)
        told = {p: (f.all_assertions, f.live) for p in self._places[fact.timeline] for f in (self._fact(p),)}
        if is_ranked(a for made, _ in told.values() for a in (assertion, *made)):
            before = {p: self._fact(p) for p in told}
            self._change_fact(place, _with(fact, assertion, held=held))  # some prevail whatever their dates
            self.settle([fact.timeline])
            after = {p: (f.live, self._fact(p).live) for p, f in before.items() if p != place}
            lost = [p for p, (was, now) in after.items() if intersect(was, now) != normalise(was)]
        else:
            own, losses = assert_late(assertion, told)
            lost, before = list(losses), {p: self._fact(p) for p in losses}
            for loser, left in losses.items():
                self._change_fact(loser, replace(before[loser], live=left))
            live = () if held else intersect(own, self.rows[place[0]].windows)
            live = normalise([*losses.get(place, fact.live), *live])
            self._change_fact(place, replace(_with(fact, assertion, held=held), live=live))
        by = None if held else self.rows[place[0]].document_id
        self.closures += (Closure(p[0], before[p], by, assertion.valid_from) for p in lost if not before[p].narrative)

    def _enter(self, row: Row, added: Iterable[tuple[int, Assertion]] | None = None) -> None:
        """Take in a row with what it asserts anew, by the index of the fact: all of it, unless that is told."""
        self.change(row)
        self.recut(row.document_id)
        if added is None:
            added = [(n, a) for n, fact in enumerate(row.facts) for a in fact.assertions]
        for n, assertion in added:
            self._assert((row.id, n), assertion)
        self.follow()

    # -- the rows at hand -----------------------------------------------------------------

    def _set_live(self, place: Place, live: Intervals) -> None:
        fact = self._fact(place)
        live = intersect(live, self.rows[place[0]].windows)
        if live != fact.live:
            self._change_fact(place, replace(fact, live=live))

    def _fact(self, place: Place) -> RowFact:
        return self.rows[place[0]].facts[place[1]]

    def _change_fact(self, place: Place, fact: RowFact) -> None:
        row = self.rows[place[0]]
        facts = list(row.facts)
        facts[place[1]] = fact
        self.rows[place[0]] = replace(row, facts=tuple(facts))
        self.changed[place[0]] = None

    def change(self, row: Row) -> None:
        """Put a row in the place of what is known of it."""
        self._put(row)
        self.changed[row.id] = None
        self.removed.pop(row.id, None)

    def _put(self, row: Row) -> None:
        self.rows[row.id] = row
        self._versions.setdefault(row.document_id, {})[row.id] = None
        for n, fact in enumerate(row.facts):
            self._places.setdefault(fact.timeline, {})[(row.id, n)] = None

    def _drop(self, row_id: str) -> None:
        row = self.rows.pop(row_id)
        self._versions.get(row.document_id, {}).pop(row_id, None)
        for n, fact in enumerate(row.facts):
            self._places.get(fact.timeline, {}).pop((row_id, n), None)


def rows_as_known(rows: Iterable[Row], known_at: int) -> dict[str, Row]:
    """Return rows by their ids, as they were known at a transaction time (µs): `Row.live` is what readers were told.

    All rows that share a key or a document with one that is asked for must be among them, and for what another one of
    them may outrank, all versions of that one's document.
    """

    def told(a: Assertion) -> Assertion | None:
        return replace(a, undone_at=OPEN) if a.known_at(known_at) else None

    def edition(e: Assertion) -> Assertion:  # of a document none of which is known it holds nothing, and not always
        return told(e) or replace(e, undone_at=e.recorded_at)

    known = (replace(r.mapped(told, told, told), editions=tuple(map(edition, r.editions))) for r in rows)
    ledger = Ledger(known, archive_id=str)
    ledger.derive()
    return ledger.rows


def _with(fact: RowFact, assertion: Assertion, *, held: bool) -> RowFact:
    """Return a fact with one assertion more, its own or one that it holds."""
    if held:
        return replace(fact, held=(*fact.held, assertion))
    return fact if assertion in fact.assertions else replace(fact, assertions=(*fact.assertions, assertion))
