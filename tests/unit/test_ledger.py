"""The rules of the ledger, one example each, on the incremental and on the reference ledger."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import pytest

from memstrata_integrations.ledger.ledger import ReferenceLedger
from memstrata_integrations.ledger.time import MIN_TIME, OPEN, Interval

from .examples import (
    MIXED,
    PROSE,
    A,
    B,
    C,
    Make,
    confirm_or_write,
    over_time,
    served,
    snapshot,
    write,
)
from .lockstep import NumberedLedger, Stated, Text, digest

pytestmark = pytest.mark.parametrize("make", [NumberedLedger, ReferenceLedger])

# -- rule 3: A, B, A ----------------------------------------------------------------------------


@pytest.mark.parametrize("ids", ["dee", "def", "ded", "ddd"])
def test_a_b_a_makes_a_current_again(make: Make, ids: str) -> None:
    """Rule 3: after A, B, A, A is current, with three intervals, whichever ids the writes have."""
    ledger = make()
    for row_id, text, at in zip(ids, (A, B, A), (10, 20, 30), strict=True):
        write(ledger, row_id, text, at)
    assert over_time(ledger, (9, 10, 19, 20, 29, 30, 99)) == ["", "A", "A", "B", "B", "A", "A"]


def test_a_b_a_a_b_serves_the_right_value_after_each_step(make: Make) -> None:
    """The same two texts under two ids, again and again, are current when they were written last."""
    ledger = make()
    for step, value in enumerate("ABAAB"):
        write(ledger, value.lower(), A if value == "A" else B, 10 + step)
        assert served(ledger, 10 + step) == value


def test_same_id_and_content_changes_nothing_while_live(make: Make) -> None:
    """Rules 3 and 18: an undated repeat changes nothing while the row is live."""
    ledger = make()
    write(ledger, "d", MIXED, 10)
    before = snapshot(ledger)
    write(ledger, "d", MIXED, 20)
    assert snapshot(ledger) == before


# -- rule 4: one row for a repeat without an id ---------------------------------------------------


def test_repeat_without_an_id_adds_no_row(make: Make) -> None:
    """Rule 4: a text equal to a live keyed row is taken by that row; once superseded, it gets a row of its own."""
    ledger = make()
    write(ledger, "d", A, 10)
    assert confirm_or_write(ledger, A, 20) == "d"
    assert len(snapshot(ledger)) == 1
    write(ledger, "e", B, 30)
    assert confirm_or_write(ledger, A, 40) is None
    assert (len(snapshot(ledger)), served(ledger, 50)) == (3, "A")


def test_reassertions_count(make: Make) -> None:
    """Rule 4: A in January, A in June, then late B for March gives A, B, A."""
    ledger = make()
    write(ledger, "d", A, 10, 1)
    assert confirm_or_write(ledger, A, 11, 6) == "d"
    write(ledger, "e", B, 12, 3)
    assert over_time(ledger, (1, 2, 3, 5, 6, 9)) == ["A", "A", "B", "B", "A", "A"]


def test_prose_is_never_taken_by_another_row(make: Make) -> None:
    """Rule 4: a text without a key gets a row of its own each time."""
    ledger = make()
    write(ledger, "d", PROSE, 10)
    assert confirm_or_write(ledger, PROSE, 20) is None
    assert served(ledger, 30) == "p p"


# -- rule 5: equal dates --------------------------------------------------------------------------


@pytest.mark.parametrize("ids", ["de", "dd"])
def test_correction_at_an_equal_date(make: Make, ids: str) -> None:
    """Rule 5: of two values with one date the later recorded is valid, the other only for earlier readers."""
    ledger = make()
    write(ledger, ids[0], A, 10, 5)
    write(ledger, ids[1], B, 11, 5)
    assert over_time(ledger, (4, 5, 20)) == ["", "B", "B"]
    assert over_time(ledger, (4, 5, 20), known_at=10) == ["", "A", "A"]


@pytest.mark.parametrize("ids", ["de", "dd"])
@pytest.mark.parametrize("first", [True, False])
def test_authority_at_an_equal_date(make: Make, ids: str, first: bool) -> None:
    """Rule 5: at one date the higher authority is valid, in any order of arrival, also under one id."""
    ledger = make()
    write(ledger, ids[0], A, 10, 5, authority=int(first))
    write(ledger, ids[1], B, 11, 5, authority=int(not first))
    assert over_time(ledger, (4, 5, 20)) == (["", "A", "A"] if first else ["", "B", "B"])


def test_retry_after_a_correction_at_the_same_date(make: Make) -> None:
    """Rule 18 beats rule 3: what was corrected at its own date does not return when its write is retried."""
    for ids in ("de", "dd"):
        ledger = make()
        write(ledger, ids[0], A, 10, 5)
        write(ledger, ids[1], B, 11, 5)
        before = snapshot(ledger)
        write(ledger, ids[0], A, 12, 5)
        assert snapshot(ledger) == before
        assert served(ledger, 20) == "B"


# -- rule 6: future and bounded --------------------------------------------------------------------


@pytest.mark.parametrize("ids", ["de", "dd"])
def test_future_is_not_current_until_then(make: Make, ids: str) -> None:
    """Rule 6: before a future date its predecessor is current."""
    ledger = make()
    write(ledger, ids[0], A, 10)
    write(ledger, ids[1], B, 11, 50)
    assert over_time(ledger, (11, 49, 50)) == ["A", "A", "B"]


@pytest.mark.parametrize("ids", ["de", "dd"])
def test_bounded_overlays_and_what_it_covered_resumes(make: Make, ids: str) -> None:
    """Rule 6: a bounded value overlays; after it the covered one is valid again, also under one id."""
    ledger = make()
    write(ledger, ids[0], A, 10, 1)
    write(ledger, ids[1], B, 11, 5, 9)
    assert over_time(ledger, (1, 4, 5, 8, 9, 30)) == ["A", "A", "B", "B", "A", "A"]


def test_windows_of_a_bounded_version(make: Make) -> None:
    """An only version holds always; beside another, a bounded one as long as it says, the first reaching back."""
    ledger = make()
    write(ledger, "d", A, 10, 5, 9)
    assert snapshot(ledger)["d"].windows == (Interval(MIN_TIME),)
    write(ledger, "d", B, 11, 1)
    assert {r.facts[0].value: r.windows for r in snapshot(ledger).values()} == {
        "A": (Interval(5, 9),),
        "B": (Interval(MIN_TIME, 5), Interval(9, OPEN)),
    }


# -- rule 7: what was known -------------------------------------------------------------------------


def test_earlier_readers_keep_their_answers(make: Make) -> None:
    """Rule 7: late writes, retractions, retirements and undo change no answer as of an earlier transaction time."""
    ledger = make()
    instants = (0, 2, 4, 6, 8, 15, 30, 60)
    known: dict[int, list[str]] = {}
    steps: list[Callable[[], object]] = [
        lambda: write(ledger, "d", MIXED, 10, 1),
        lambda: write(ledger, "e", B, 11, 5),
        lambda: write(ledger, "d", C, 12, 3),
        lambda: ledger.retract((digest(1), ""), 7, 13, dated=True),
        lambda: ledger.undo(11, 11, 14),
        lambda: ledger.retire("d", 15),
        lambda: write(ledger, "d", MIXED, 16),
    ]
    for recorded_at, step in enumerate(steps, 10):
        step()
        known[recorded_at] = over_time(ledger, instants, known_at=recorded_at)
        for earlier, answers in known.items():
            assert over_time(ledger, instants, known_at=earlier) == answers
    assert known[10] == ["", "A", "A", "A", "A", "A", "A", "A"]


# -- rule 8: retraction, deletion, undo -------------------------------------------------------------


def test_retraction_closes_and_nothing_takes_its_place(make: Make) -> None:
    """Rule 8: after a retraction no value is current, neither the retracted one nor its predecessor."""
    ledger = make()
    write(ledger, "d", A, 10)
    write(ledger, "e", B, 20)
    assert ledger.retract((digest(1), ""), 30, 30, dated=False)
    assert over_time(ledger, (10, 20, 29, 30, 99)) == ["A", "B", "B", "", ""]
    assert not ledger.retract((digest(1), ""), 30, 40, dated=True)
    assert not ledger.retract((digest(2), ""), 40, 40, dated=False)
    write(ledger, "e", B, 50)
    assert over_time(ledger, (49, 50)) == ["", "B"]


def test_deletion_leaves_a_gap(make: Make) -> None:
    """Rule 8: what a deleted row alone held stays a gap; the superseded value does not come back."""
    ledger = make()
    write(ledger, "d", A, 10)
    write(ledger, "e", B, 20)
    write(ledger, "f", C, 30)
    ledger.delete(["e"])
    assert over_time(ledger, (10, 20, 29, 30)) == ["A", "", "", "C"]
    ledger.delete(["f"])
    assert over_time(ledger, (10, 20, 30)) == ["A", "", ""]
    ghosts = [a for r in snapshot(ledger).values() for f in r.facts for a in f.held]
    assert [(a.value, a.ghost) for a in ghosts] == [(None, True)] * 2


def test_deletion_spares_the_same_value_elsewhere(make: Make) -> None:
    """Rule 8: a value that another row states too stays valid when one of the rows is deleted."""
    for gone in "ef":
        ledger = make()
        write(ledger, "d", A, 10, 1)
        write(ledger, "e", B, 11, 5)
        write(ledger, "f", B, 12, 3)
        ledger.delete([gone])
        assert over_time(ledger, (1, 3, 5, 9))[2:] == ["B", "B"]
        assert "A" not in over_time(ledger, (5, 9, 99))


def test_deleting_the_last_row_of_a_key_forgets_it(make: Make) -> None:
    """Rule 8: without a surviving row there is nothing to keep."""
    ledger = make()
    write(ledger, "d", A, 10)
    write(ledger, "e", B, 20)
    ledger.delete(["d", "e"])
    assert not snapshot(ledger)
    write(ledger, "f", A, 30, 1)
    assert served(ledger, 40) == "A"


def test_undo_reopens_exactly_what_a_write_closed(make: Make) -> None:
    """Rule 8: undo takes back one write; what another write closed stays closed."""
    ledger = make()
    write(ledger, "d", A, 10)
    write(ledger, "e", B, 20)
    write(ledger, "f", C, 30)
    assert ledger.undo(30, 30, 40)
    assert over_time(ledger, (10, 20, 50)) == ["A", "B", "B"]
    assert not ledger.undo(30, 30, 41)
    assert ledger.undo(20, 20, 42)
    assert over_time(ledger, (10, 20, 50)) == ["A", "A", "A"]
    assert served(ledger, 50, known_at=35) == "C"


def test_undo_of_a_retraction_reopens(make: Make) -> None:
    """Rule 8: an undone retraction closes nothing."""
    ledger = make()
    write(ledger, "d", A, 10)
    ledger.retract((digest(1), ""), 20, 20, dated=False)
    assert ledger.undo(20, 20, 30)
    assert served(ledger, 40) == "A"


def test_undo_of_one_document_leaves_the_others(make: Make) -> None:
    """Undo by document takes back nothing but its own assertions, though written in one transaction."""
    ledger = make()
    write(ledger, "d", A, 10)
    write(ledger, "e", B, 10)
    assert ledger.undo(10, 10, 20, "e")
    assert served(ledger, 30) == "A"


# -- a text with several statements -------------------------------------------------------------------


def test_each_statement_has_its_own_time(make: Make) -> None:
    """A row is live as long as one of its facts is, and prose keeps it."""
    ledger = make()
    both: tuple[Stated, ...] = ((1, "A", False), (2, "X", False))
    write(ledger, "d", Text(both), 10)
    write(ledger, "e", B, 20)
    assert [tuple(f.live) for f in snapshot(ledger)["d"].facts] == [(Interval(10, 20),), (Interval(10),)]
    assert served(ledger, 30) == "B X"
    write(ledger, "f", Text(((2, "Y", False),)), 30)
    assert served(ledger, 40) == "B Y"


@pytest.mark.parametrize("known", [True, False])
def test_narratives_act_and_are_never_live_statements_of_nothing(make: Make, known: bool) -> None:
    """A sentence of ending closes its key, states no value itself, and stays as prose."""
    ledger = make()
    if known:
        write(ledger, "d", A, 10)
    write(ledger, "e", Text(((1, None, True),)), 20)
    assert snapshot(ledger)["e"].facts[0].live == ()
    assert served(ledger, 30) == "p"


def test_closures_tell_what_a_write_closed(make: Make) -> None:
    """The incremental ledger lists each statement that lost validity, by whom, and from when on."""
    ledger = make()
    write(ledger, "d", A, 10)
    write(ledger, "e", B, 20, 15)
    if isinstance(ledger, ReferenceLedger):
        return
    assert [(c.row_id, c.fact.value, c.by, c.at) for c in ledger.closures] == [("d", "A", "e", 15)]


def test_every_order_of_four_dated_rows(make: Make) -> None:
    """Rule 2: four dated statements give one view in each of their 24 orders of arrival."""
    claims = [("d", A, 1, None), ("e", B, 4, 8), ("f", A, 6, None), ("g", C, 9, None)]
    for order in permutations(claims):
        ledger = make()
        for recorded_at, (row_id, text, *dated) in enumerate(order, 10):
            write(ledger, row_id, text, recorded_at, *dated)
        assert over_time(ledger, (0, 1, 4, 6, 8, 9)) == ["", "A", "B", "A", "A A", "C"]
