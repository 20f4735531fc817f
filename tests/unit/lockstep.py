"""Ledgers that take the same operations side by side, and what must hold between them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from memstrata_integrations.ledger.facts import FactKey
from memstrata_integrations.ledger.incoming import Incoming
from memstrata_integrations.ledger.ledger import Ledger, rows_as_known
from memstrata_integrations.ledger.rows import DELETED, Row, RowFact, TimelineKey, content_hash
from memstrata_integrations.ledger.time import OPEN
from memstrata_integrations.ledger.timeline import Assertion
from memstrata_integrations.ledger.undoing import undo

from . import oracle

Stated = tuple[int, "str | None", bool]
"""(key, value, whether it is a narrative: a sentence of change or of ending)."""


@dataclass(frozen=True)
class Text:
    """A text: what it states, and what tells it from another that states the same."""

    stated: tuple[Stated, ...]
    prose: bool = False
    wording: int = 0

    @property
    def document(self) -> str:
        return repr((self.stated, self.prose, self.wording))

    @property
    def facts(self) -> tuple[RowFact, ...]:
        return tuple(fact(key, value, narrative) for key, value, narrative in self.stated)

    @property
    def says_more(self) -> bool:
        return self.prose or not self.stated or any(narrative for *_, narrative in self.stated)


@cache
def digest(key: int) -> int:
    return FactKey.of((), f"s{key}", "is").digest()


def fact(key: int, value: str | None, narrative: bool = False) -> RowFact:
    """Return a fact without assertions; ``-x`` is the end of x."""
    if value is not None and value.startswith("-"):
        return replace(fact(key, None, narrative), ends=value[1:])
    return RowFact(digest(key), f"s{key}", "is", "", value, value, (0, 1), "test", narrative=narrative)


def incoming(
    row_id: str, text: Text, recorded_at: int, valid_from: int | None = None, valid_to: int | None = None,
    authority: int = 0, ranked: bool = False,
) -> Incoming:  # fmt: skip
    content = content_hash(text.document)
    said = (row_id, content, text.facts, text.says_more, recorded_at, valid_from, valid_to, authority)
    return Incoming(*said, authority if ranked else 0)


class NumberedLedger(Ledger):
    """A ledger with a view, whose archive ids count up."""

    def __init__(self, rows: Iterable[Row] = (), archived: int = 0) -> None:
        self.archived = archived
        super().__init__(rows, archive_id=self._next)

    def _next(self, document_id: str) -> str:
        self.archived += 1
        return f"{document_id}#{self.archived}"

    def view(self, instant: int, known_at: int | None = None) -> list[Row]:
        """Return the rows that a reader gets, as they were known then."""
        rows = self.rows if known_at is None else rows_as_known(self.rows.values(), known_at)
        return [r for r in rows.values() if r.visible(instant)]


class ReferenceLedger(NumberedLedger):
    """A ledger that derives every interval from the definition: slow and plain, it is what collections must answer."""

    def _assert(self, place: tuple[str, int], assertion: Assertion, *, held: bool = False) -> None:
        row, fact = self.rows[place[0]], self.rows[place[0]].facts[place[1]]
        if held:
            fact = replace(fact, held=(*fact.held, assertion))
        elif assertion not in fact.assertions:
            fact = replace(fact, assertions=(*fact.assertions, assertion))
        facts = [*row.facts[: place[1]], fact, *row.facts[place[1] + 1 :]]
        self.rows[row.id] = replace(row, facts=tuple(facts))
        self.changed[row.id] = None
        self.settle([fact.timeline])


def comparable(rows: Iterable[Row]) -> dict[str, Row]:
    def ordered(made: tuple[Assertion, ...]) -> tuple[Assertion, ...]:
        return made if len(made) < 2 else tuple(sorted(made, key=repr))

    def sorted_row(row: Row) -> Row:
        facts = tuple(replace(f, held=ordered(f.held)) for f in row.facts)
        return replace(row, facts=facts, editions=ordered(row.editions))

    return {row.id: sorted_row(row) for row in rows}


def assertions_of(rows: Iterable[Row], *, held: bool = True) -> list[Assertion]:
    """Return what rows assert: of their documents, their remainder and their facts, with what these hold of others."""
    facts = [f for r in rows for f in r.facts]
    stated = [a for f in facts for a in (f.all_assertions if held else f.assertions)]
    return [*(a for r in rows for a in (*r.editions, *r.prose)), *stated]


def write_one(ledger: Ledger, new: Incoming, explicit: bool, earlier: Sequence[RowFact] = ()) -> str | None:
    """Write a text as a collection does; without an id, a live row that says the same takes it, and is returned."""
    twins = [] if explicit else sorted(i for i, r in ledger.rows.items() if r.content == new.content)
    twin = ledger.duplicate_of(new, twins)
    if twin is None:
        ledger.write(new, earlier=earlier)
    else:
        ledger.confirm(twin, new)
    return twin


Write = tuple["str | None", Text, "int | None", "int | None", int]
"""(id or none, text, valid_from and length relative to the clock, authority)."""


class Lockstep:
    """The reference ledger beside an incremental one.

    Attributes:
        reference: Derives everything anew after each step.
        clock: The latest transaction time.
        texts: What was written so far.
        retractions: (key, valid_from, recorded_at) of each that was made of a known key, and not taken back.
        answers: (transaction time, valid time) -> what a reader at that time was answered.
    """

    def __init__(self, *, keep_deleted: bool = False, ranked: bool = False) -> None:
        self.keep_deleted = keep_deleted
        self.ranked = ranked  # whether authority goes before dates
        self.reference = ReferenceLedger()
        self.incremental = NumberedLedger()
        self.ledgers: list[Ledger] = [self.reference, self.incremental]
        self.clock = 10
        self.answers: dict[tuple[int, int], list[tuple[str, str]]] = {}
        self.texts: list[Text] = []
        self.retractions: list[tuple[int, int, int]] = []
        self._fresh = 0
        self._step = 0

    def write(self, batch: Sequence[Write]) -> None:
        self._tick()
        made = []
        for n, (row_id, text, start, length, authority) in enumerate(batch):
            recorded_at = self.clock + n
            explicit = row_id is not None
            if row_id is None:
                self._fresh += 1
                row_id = f"new{self._fresh}"
            valid_from = None if start is None else recorded_at + start
            base = recorded_at + len(batch) if valid_from is None else valid_from
            valid_to = None if length is None else base + length
            new = incoming(row_id, text, recorded_at, valid_from, valid_to, authority if explicit else 0, self.ranked)
            earlier, anew = self._kept(text)
            made.append((replace(new, anew=anew), explicit, earlier))
            self.texts.append(text)
        self.clock += len(batch) - 1
        for new, explicit, earlier in made:
            first = not self.keep_deleted and new.id not in self.reference.rows
            for ledger in self.ledgers:
                write_one(ledger, new, explicit, earlier)
            self._check_served(new, first)

    def _kept(self, text: Text) -> tuple[list[RowFact], frozenset[TimelineKey]]:
        """Return the facts of deleted rows whose dates a text keeps, and the timelines of which it speaks anew."""
        if not self.keep_deleted:
            return [], frozenset()
        deleted = [r for r in self.reference.rows.values() if any(e.value is None for e in r.editions)]
        kept = [f for r in deleted for f in r.facts]
        return kept, frozenset(f.timeline for f in text.facts if text.wording)

    def retract(self, key: int, start: int | None) -> None:
        self._tick()
        at = self.clock + (start or 0)
        dated = start is not None
        known = key in self._keys()
        again = dated and any((k, t) == (key, at) for k, t, _ in self.retractions)
        news = [ledger.retract((digest(key), ""), at, self.clock, dated=dated) for ledger in self.ledgers]
        if known and not again:
            self.retractions.append((key, at, self.clock))
            assert all(news), "a retraction is forgotten"
        assert len(set(news)) == 1, news

    def delete(self, choice: int, retire: bool) -> None:
        documents = sorted({r.document_id for r in self.reference.rows.values()})
        if not documents:
            return
        self._tick()
        document_id = documents[choice % len(documents)]
        for ledger in self.ledgers:
            if retire:
                ledger.end(document_id, self.clock, self.clock, precedence=DELETED)
            else:
                doomed = sorted(r.id for r in ledger.rows.values() if r.document_id == document_id)
                ledger.delete(doomed, self.clock)
        if not retire:
            self.answers.clear()  # what was known of a deleted text is gone
            keys = self._keys()
            self.retractions = [r for r in self.retractions if r[0] in keys]

    def undo(self, choice: int, by_document: bool) -> None:
        rows = list(self.reference.rows.values())
        if not rows:
            return
        self._tick()
        only = None
        if by_document:
            documents = sorted({r.document_id for r in rows})
            only = documents[choice % len(documents)]
            rows = [r for r in rows if r.document_id == only]
        made = assertions_of(rows, held=not by_document)
        times = sorted({a.recorded_at for a in made if a.undone_at == OPEN})
        if not times:
            return
        time = times[-1] if by_document else times[choice % len(times)]
        found = [undo(ledger, time, time, self.clock, only) for ledger in self.ledgers]
        assert len(set(found)) == 1, found
        if only is None:
            self.retractions = [r for r in self.retractions if r[2] != time]

    def check_agreement(self) -> None:
        want, got = (comparable(ledger.rows.values()) for ledger in self.ledgers)
        assert want.keys() == got.keys(), (sorted(want), sorted(got))
        for row_id in want:
            assert got[row_id] == want[row_id], f"\n got {got[row_id]}\nwant {want[row_id]}"

    def check_oracle(self, *, everywhere: bool = False) -> None:
        rows = list(self.reference.rows.values())
        grid = sorted({-1, 2, self.clock, self.clock + 4} | (self.edges() if everywhere else set()))
        for row in rows:
            for t in grid:
                inside = any(t in w for w in row.windows)
                assert inside == oracle.in_window(row, rows, t), ("window", row, t)
                for n, f in enumerate(row.facts):
                    assert any(t in i for i in f.live) == oracle.fact_live(f, row, rows, t), ("fact", row, n, t)
                assert row.visible(t) == oracle.row_visible(row, rows, t), ("row", row, t)

    def _check_served(self, new: Incoming, first: bool) -> None:
        """What is written is served from then on, also after a deletion; facts of a known document may keep dates."""
        rows = [r for r in self.reference.rows.values() if r.content == new.content]
        mine = [r for r in rows if r.document_id == new.id]
        now = new.recorded_at
        rivals = [r for r in self.reference.rows.values() if r.document_id == new.id]
        told = [(e, r.content) for r in rivals for e in r.contents]
        newest = [max([((), ""), *((e.rank, c) for e, c in told if end in (None, e.valid_to))]) for end in (None, OPEN)]
        tied = any(e.valid_from == new.at for r in rivals for e in r.ends)  # authority decides
        if new.valid_to is None and not tied and {c for _, c in newest} == {new.content}:
            assert any(w.end == OPEN for r in mine for w in r.windows), (
                "written without an end, and over",
                new,
                rivals,
            )
        facts = [f for r in self.reference.rows.values() for f in r.facts]
        edges = [*(a for f in facts for a in f.all_assertions), *(e for r in rivals for e in r.editions)]
        if self.ranked or new.valid_from is not None or any(a.valid_from == now != a.recorded_at for a in edges):
            return  # dated, or dated to this very instant before: authority decides
        if new.prose and mine:
            assert any(r.visible(now) for r in mine), ("written, not served", new, rivals)
        if first:
            plain = [n for n, f in enumerate(new.facts) if not f.narrative]
            found = all(any(any(now in i for i in r.facts[n].live) for r in rows) for n in plain)
            assert found, ("stated, not served", new, rows)
        standing = [[a for a in f.assertions if a.undone_at == OPEN] for r in mine for f in r.facts]
        covering = [made for made in standing if any(now in a.interval for a in made)]
        assert not mine or len(covering) >= len({f.timeline for f in new.facts}), ("covers nothing", new, rivals)

    def check_retractions(self) -> None:
        facts = [f for r in self.reference.rows.values() for f in r.facts]
        kept = [(f, a) for f in facts for a in f.held if a.value is None and a.undone_at == OPEN]
        held = {(f.digest, a.valid_from, a.recorded_at) for f, a in kept}
        lost = [r for r in self.retractions if (digest(r[0]), *r[1:]) not in held]
        assert not lost, lost

    def check_hulls(self) -> None:
        """A row's hull holds all its live instants, and ends behind each date it asserts."""
        for row in self.reference.rows.values():
            hull = row.hull()
            assert all(hull.start <= i.start and i.end <= hull.end for i in row.live()), row
            assert all(a.valid_from < hull.end for f in row.facts for a in f.all_assertions), row

    def check_current(self) -> None:
        documents: dict[str, list[Row]] = {}
        for row in self.reference.rows.values():
            documents.setdefault(row.document_id, []).append(row)
        for document_id, versions in documents.items():
            ranks = [r.rank for r in versions if r.rank is not None]
            current = self.reference.rows[document_id]
            assert not ranks or current.rank == max(ranks), ("current", document_id, versions)

    def check_known_at(self) -> None:
        rows = list(self.reference.rows.values())
        self._step += 1
        times = sorted({s for s, _ in self.answers})
        if times:
            s = times[self._step * 7 % len(times)]
            instants = sorted(t for at, t in self.answers if at == s)
            t = instants[self._step * 5 % len(instants)]
            assert self._answer(t, s) == self.answers[s, t], ("known_at", s, t)
            want = [r.id for r in rows if oracle.row_visible(r, rows, t, s)]
            assert [r.id for r in self.reference.view(t, s)] == want, ("known_at oracle", s, t)
        for t in (-1, self.clock - 4, self.clock, self.clock + 3):
            self.answers[self.clock, t] = self._answer(t)

    def edges(self) -> set[int]:
        made = assertions_of(self.reference.rows.values())
        found = {t for a in made for t in (a.valid_from, a.valid_to) if abs(t) < 10**6}
        return {t + d for t in found for d in (-1, 0, 1)}

    def _keys(self) -> set[int]:
        known = {f.digest for r in self.reference.rows.values() for f in r.facts}
        return {key for key in range(1, 4) if digest(key) in known}

    def _answer(self, instant: int, known_at: int | None = None) -> list[tuple[str, str]]:
        return sorted((r.document_id, r.content) for r in self.reference.view(instant, known_at))

    def _tick(self) -> None:
        self.clock += 1 + self.clock % 3
        for ledger in self.ledgers:  # a collection takes a fresh ledger for each operation
            ledger.changed.clear()
            ledger.removed.clear()
            ledger.moved.clear()
