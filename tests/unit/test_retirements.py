"""What lost validity, when and to what, by the ledger: random histories, and examples."""

from __future__ import annotations

import pytest
from hypothesis.stateful import invariant

from memstrata_integrations.ledger.ledger import rows_as_known
from memstrata_integrations.ledger.retirements import Retirement, retirements
from memstrata_integrations.ledger.rows import Row
from memstrata_integrations.ledger.time import OPEN

from . import test_ledger_machine as machine
from .examples import MIXED, OTHER_PROSE, PROSE, A, B, C, Step, delete, go_through, put, retire, retract, undo, write
from .lockstep import ReferenceLedger


def told(rows: list[Row], instant: int, known_at: int) -> set[tuple[str, int]]:
    """Return the statements that a reader is told, sentences of change included, as (row id, index of the fact)."""
    known = rows_as_known(rows, known_at).values()
    return {(r.id, n) for r in known for n, f in enumerate(r.facts) if any(instant in i for i in f.live)}


class RetirementMachine(machine.LedgerMachine):
    """At the end of a history, what is said to be retired is what readers were told no more."""

    runs = 0

    @invariant()
    def agrees(self) -> None:
        """Look at the end alone."""

    def teardown(self) -> None:
        """Compare reader by reader: one just before each write, and one at it."""
        if not hasattr(self, "pair"):
            return
        rows = list(self.pair.reference.rows.values())
        made = [a for r in rows for a in (*r.editions, *(a for f in r.facts for a in f.all_assertions))]
        times = {t for a in made for t in (a.recorded_at, a.undone_at) if t != OPEN}
        edges = {t for a in made for t in (a.valid_from, a.valid_to)}  # between two of them nothing changes
        by_id = {r.id: r for r in rows}
        found = {
            (r.row.id, r.row.facts.index(r.fact), r.recorded_at): r for r in retirements(rows) if r.fact is not None
        }
        wanted: dict[tuple[str, int, int], set[int]] = {}
        for time in times:
            for instant in edges:
                now = told(rows, instant, time)
                values = {(by_id[i].facts[n].timeline, by_id[i].facts[n].value) for i, n in now}
                for row_id, n in told(rows, instant, time - 1) - now:
                    fact = by_id[row_id].facts[n]
                    if not fact.narrative and (fact.timeline, fact.value) not in values:
                        n = by_id[row_id].facts.index(fact)  # one statement twice in a text is one
                        wanted.setdefault((row_id, n, time), set()).add(instant)
        assert found.keys() == wanted.keys(), (found.keys() ^ wanted.keys(), rows)
        for key, instants in wanted.items():
            assert all(t in found[key].lost for t in instants), (found[key], instants)
            assert found[key].lost.start in instants, (found[key], instants)


class RankedRetirementMachine(RetirementMachine):
    """The same where authority goes before dates."""

    ranked = True


@pytest.mark.parametrize(
    ("kind", "runs"),
    [
        (RetirementMachine, 20),
        (RankedRetirementMachine, 20),
        pytest.param(RetirementMachine, 150, marks=pytest.mark.slow),
        pytest.param(RankedRetirementMachine, 40, marks=pytest.mark.slow),  # its readers' answers are slow to derive
    ],
)
def test_what_is_retired_is_what_readers_are_told_no_more(kind: type[RetirementMachine], runs: int) -> None:
    """After any history, the retirements are the statements that a write took from its readers, at its time."""
    machine._run(kind, runs)


def only(ledger: ReferenceLedger) -> Retirement:
    """Return the one retirement there is."""
    [found] = retirements(ledger.rows.values())
    return found


def test_a_superseded_value_names_what_took_its_place() -> None:
    """Value, row, valid time and transaction time of both."""
    ledger = ReferenceLedger()
    write(ledger, "a", A, 10)
    write(ledger, "b", B, 20, 15)
    found = only(ledger)
    assert (found.kind, found.row.id, found.fact and found.fact.object) == ("superseded", "a", "A")
    assert (found.by and found.by.id, found.by_fact and found.by_fact.object) == ("b", "B")
    assert (found.recorded_at, found.lost.start, found.lost.end, found.undone_at) == (20, 15, OPEN, OPEN)


def test_each_later_word_is_a_retirement_of_its_own() -> None:
    """A value is closed in June, and later in March: two writes, two entries."""
    ledger = ReferenceLedger()
    write(ledger, "a", A, 10, 10)
    write(ledger, "c", C, 20, 60)
    write(ledger, "b", B, 30, 30)
    first, second = retirements(ledger.rows.values())
    assert (first.by and first.by.id, first.lost.start, first.lost.end) == ("c", 60, OPEN)
    assert (second.by and second.by.id, second.lost.start, second.lost.end) == ("b", 30, 60)


STORIES: dict[str, tuple[list[Step], list[tuple[str, str, int, str | None]]]] = {
    "a retraction has no successor": ([put("a", A, 10), retract(20)], [("retracted", "a", 20, None)]),
    "what closed a value was taken back: the entry stays, and what was taken back is retired": (
        [put("a", A, 10), put("b", B, 20), undo(20, 30)], [("superseded", "a", 20, "b"), ("undone", "b", 30, None)]),
    "a new version without the fact retires it": ([put("a", A, 10), put("a", PROSE, 20)], [("version", "a", 20, "a")]),
    "a value that the new version states too goes on": ([put("a", A, 10), put("a", MIXED, 20)], []),
    "prose is retired by its next version": ([put("a", PROSE, 10), put("a", OTHER_PROSE, 20)],
        [("version", "a", 20, "a")]),
    "a document that was deleted with its history kept has ended": ([put("a", A, 10), retire("a", 20)],
        [("ended", "a", 20, None)]),
    "of a row that was erased it is known when it closed a value, and not what it was": (
        [put("a", A, 10), put("b", B, 20), delete("b")], [("purged", "a", 20, None)]),
}  # fmt: skip


@pytest.mark.parametrize("story", STORIES)
def test_a_history_has_these_retirements(story: str) -> None:
    """See the names of the table: kind, retired row, when, by which row."""
    steps, expected = STORIES[story]
    ledger = ReferenceLedger()
    go_through(ledger, steps)
    found = retirements(ledger.rows.values())
    assert [(r.kind, r.row.document_id, r.recorded_at, r.by and r.by.document_id) for r in found] == expected


def test_an_undone_retirement_says_when() -> None:
    """The entry has the time at which what closed a value was taken back."""
    ledger = ReferenceLedger()
    go_through(ledger, [put("a", A, 10), put("b", B, 20), undo(20, 30)])
    assert [r.undone_at for r in retirements(ledger.rows.values())] == [30, OPEN]


def test_the_unkeyed_remainder_of_a_text_has_no_fact() -> None:
    ledger = ReferenceLedger()
    go_through(ledger, [put("a", PROSE, 10), put("a", OTHER_PROSE, 20)])
    assert only(ledger).fact is None
