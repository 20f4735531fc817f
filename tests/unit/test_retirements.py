"""What lost validity, when and to what, by the ledger: random histories, and examples."""

import pytest
from hypothesis.stateful import invariant

from memstrata_integrations.ledger.ledger import rows_as_known
from memstrata_integrations.ledger.retirements import retirements
from memstrata_integrations.ledger.rows import Row
from memstrata_integrations.ledger.time import OPEN

from . import test_ledger_machine as machine
from .examples import MIXED, OTHER_PROSE, PROSE, A, B, C, Step, delete, go_through, put, retire, retract, undo
from .lockstep import ReferenceLedger, assertions_of


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
        made = assertions_of(rows)
        times = {t for a in made for t in (a.recorded_at, a.undone_at) if t != OPEN}
        edges = {t for a in made for t in (a.valid_from, a.valid_to)}  # between two of them nothing changes
        by_id = {r.id: r for r in rows}
        stated = [(r, r.fact) for r in retirements(rows) if r.fact is not None]
        found = {(r.row.id, r.row.facts.index(fact), r.recorded_at): r for r, fact in stated}
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
    ranked = True


@pytest.mark.parametrize(("kind", "runs"), [
    (RetirementMachine, 20),
    (RankedRetirementMachine, 20),
    pytest.param(RetirementMachine, 150, marks=pytest.mark.slow),
    pytest.param(RankedRetirementMachine, 40, marks=pytest.mark.slow),  # its readers' answers are slow to derive
])  # fmt: skip
def test_what_is_retired_is_what_readers_are_told_no_more(kind: type[RetirementMachine], runs: int) -> None:
    machine._run(kind, runs)


def gone(
    kind: str, row: str, value: str | None, when: int, by: str | None = None, by_value: str | None = None, *,
    since: int = 20, until: int = OPEN, undone_at: int = OPEN,
) -> tuple[object, ...]:  # fmt: skip
    return kind, row, value, when, by, by_value, since, until, undone_at


STORIES: dict[str, tuple[list[Step], list[tuple[object, ...]]]] = {
    "a superseded value names what took its place": (
        [put("a", A, 10), put("b", B, 20, 15)], [gone("superseded", "a", "A", 20, "b", "B", since=15)]),
    "each later word is a retirement of its own: a value is closed in June, and later in March": (
        [put("a", A, 10, 10), put("c", C, 20, 60), put("b", B, 30, 30)],
        [gone("superseded", "a", "A", 20, "c", "C", since=60),
         gone("superseded", "a", "A", 30, "b", "B", since=30, until=60)]),
    "a retraction has no successor": ([put("a", A, 10), retract(20)], [gone("retracted", "a", "A", 20)]),
    "what closed a value was taken back: the entry stays and says when, and what was taken back is retired": (
        [put("a", A, 10), put("b", B, 20), undo(20, 30)],
        [gone("superseded", "a", "A", 20, "b", "B", undone_at=30), gone("undone", "b", "B", 30)]),
    "a new version without the fact retires it": (
        [put("a", A, 10), put("a", PROSE, 20)], [gone("version", "a", "A", 20, "a")]),
    "a value that the new version states too goes on": ([put("a", A, 10), put("a", MIXED, 20)], []),
    "prose, which has no value, is retired by its next version": (
        [put("a", PROSE, 10), put("a", OTHER_PROSE, 20)], [gone("version", "a", None, 20, "a")]),
    "a document that was deleted with its history kept has ended": (
        [put("a", A, 10), retire("a", 20)], [gone("ended", "a", "A", 20)]),
    "of a row that was erased it is known when it closed a value, and not what it was": (
        [put("a", A, 10), put("b", B, 20), delete("b")], [gone("purged", "a", "A", 20)]),
}  # fmt: skip


@pytest.mark.parametrize("story", STORIES)
def test_a_history_has_these_retirements(story: str) -> None:
    steps, expected = STORIES[story]
    ledger = ReferenceLedger()
    go_through(ledger, steps)
    assert [
        gone(r.kind, r.row.document_id, r.fact and r.fact.object, r.recorded_at, r.by and r.by.document_id,
             r.by_fact and r.by_fact.object, since=r.lost.start, until=r.lost.end, undone_at=r.undone_at)
        for r in retirements(ledger.rows.values())
    ] == expected  # fmt: skip
