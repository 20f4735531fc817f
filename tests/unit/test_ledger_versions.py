"""The versions of a document (rules 15 and 18), and the bugs that were found in them before."""

from __future__ import annotations

from itertools import permutations

import pytest

from memstrata_integrations.ledger.ledger import ReferenceLedger
from memstrata_integrations.ledger.rows import ALWAYS
from memstrata_integrations.ledger.time import MIN_TIME, OPEN, Interval

from .examples import (
    A_REWORDED,
    MIXED,
    OTHER_PROSE,
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
from .lockstep import NumberedLedger, Text, digest, incoming

pytestmark = pytest.mark.parametrize("make", [NumberedLedger, ReferenceLedger])


def test_other_content_is_a_new_version(make: Make) -> None:
    """Rule 15: the new content takes the id, the earlier one is archived; facts it states no longer end there."""
    ledger = make()
    write(ledger, "d", Text(((1, "A", False), (2, "X", False))), 10, 1)
    write(ledger, "e", Text(((2, "X", False),)), 11, 1)
    write(ledger, "d", B, 12, 5)
    rows = snapshot(ledger)
    assert (rows["d"].facts[0].value, rows["d#1"].document_id, rows["d#1"].archived) == ("B", "d", True)
    assert over_time(ledger, (1, 4, 5, 9)) == ["AX X", "AX X", "B X", "B X"]
    assert rows["d#1"].windows == (Interval(MIN_TIME, 5),)


def test_prose_is_versioned_too(make: Make) -> None:
    """Rule 15: of a document without facts each version is served in its time, the first for ever before."""
    ledger = make()
    write(ledger, "d", PROSE, 10)
    write(ledger, "d", OTHER_PROSE, 20)
    assert [[r.id for r in ledger.view(t)] for t in (-99, 10, 19, 20)] == [["d#1"], ["d#1"], ["d#1"], ["d"]]


def test_an_older_version_goes_to_the_archive(make: Make) -> None:
    """Rule 15: a version older than the newest does not become current, and is served in its own time."""
    ledger = make()
    write(ledger, "d", B, 10, 5)
    write(ledger, "d", A, 11, 1)
    assert snapshot(ledger)["d"].facts[0].value == "B"
    assert over_time(ledger, (0, 1, 4, 5, 20)) == ["", "A", "A", "B", "B"]


def test_undated_rewrite_keeps_the_dates_of_what_it_repeats(make: Make) -> None:
    """Rule 15: fixing a typo in an old page makes what it says no newer; another value is valid from now on."""
    ledger = make()
    write(ledger, "d", A, 10, 1)
    write(ledger, "e", B, 11, 5)
    write(ledger, "d", A_REWORDED, 20)
    assert over_time(ledger, (1, 5, 30)) == ["A", "B", "B"]
    write(ledger, "d", C, 30)
    assert over_time(ledger, (1, 5, 29, 30)) == ["A", "B", "B", "C"]


def test_undated_rewrite_with_an_end(make: Make) -> None:
    """An undated rewrite that gives an end keeps the beginning and ends there; its repeat is no news."""
    ledger = make()
    write(ledger, "d", A, 10)
    for recorded_at in (11, 12):
        write(ledger, "d", A_REWORDED, recorded_at, None, 20)
        assert [over_time(ledger, (9, 10, 19, 20, 30))] == [["", "A", "A", "A", "A"]]
    fact = snapshot(ledger)["d"].facts[0]
    assert [(a.valid_from, a.valid_to) for a in fact.assertions] == [(10, 20)]


def test_retries_of_every_kind_change_nothing(make: Make) -> None:
    """Rule 18: the same id, content and dates change nothing, whatever came since under that id."""
    steps = [(A, 1, None), (B, 5, None), (C, 7, 9), (PROSE, 20, None), (MIXED, 3, None)]
    ledger = make()
    recorded_at = 10
    for n, (text, *dated) in enumerate(steps, 1):
        write(ledger, "d", text, recorded_at, *dated)
        before = snapshot(ledger)
        for again, *same in steps[:n]:
            recorded_at += 1
            write(ledger, "d", again, recorded_at, *same)
            assert snapshot(ledger) == before, (again, same)
        recorded_at += 1


def test_undated_retry_with_an_end_changes_nothing(make: Make) -> None:
    """Rule 18: an undated bounded write, repeated while it is valid, is no news."""
    ledger = make()
    write(ledger, "d", MIXED, 10, None, 50)
    before = snapshot(ledger)
    write(ledger, "d", MIXED, 11, None, 50)
    assert snapshot(ledger) == before


def test_retire_keeps_history_and_comes_back_with_a_gap(make: Make) -> None:
    """A retired document ends; the same text again undated keeps its dates, and the window has a gap."""
    ledger = make()
    write(ledger, "d", MIXED, 10, 1)
    ledger.retire("d", 20)
    assert over_time(ledger, (1, 19, 20, 30)) == ["A", "A", "", ""]
    write(ledger, "d", MIXED, 25)
    assert over_time(ledger, (1, 19, 20, 24, 25, 30)) == ["A", "A", "", "", "A", "A"]
    row = snapshot(ledger)["d"]
    assert [a.valid_from for a in row.facts[0].assertions] == [1]
    assert row.windows == (Interval(MIN_TIME, 20), Interval(25, OPEN))


def test_facts_of_a_retired_document_are_kept_for_its_successor(make: Make) -> None:
    """Rule 15: across delete-then-add under another id, a fact with the same object keeps its dates."""
    ledger = make()
    write(ledger, "d", A, 10, 1)
    earlier = snapshot(ledger)["d"].facts
    ledger.retire("d", 20)
    ledger.write(incoming("e", A_REWORDED, 21), earlier=earlier)
    assert [a.valid_from for a in snapshot(ledger)["e"].facts[0].assertions] == [1]


# -- regressions: bugs that were found, by name ---------------------------------------------------------


def test_regression_same_value_around_another_under_one_id(make: Make) -> None:
    """A@1, A@9 and B@5 under one id give A, B, A in each of the six orders of arrival."""
    for order in permutations([(A, 1), (A, 9), (B, 5)]):
        ledger = make()
        for recorded_at, (text, at) in enumerate(order, 20):
            write(ledger, "d", text, recorded_at, at)
        assert over_time(ledger, (0, 1, 4, 5, 8, 9, 99)) == ["", "A", "A", "B", "B", "A", "A"], order


def test_regression_repeat_of_a_value_at_an_earlier_date_under_one_id(make: Make) -> None:
    """A@1, B@5, B@3 under one id give A, then B from 3 on, in each order of arrival."""
    for order in permutations([(A, 1), (B, 5), (B, 3)]):
        ledger = make()
        for recorded_at, (text, at) in enumerate(order, 20):
            write(ledger, "d", text, recorded_at, at)
        assert over_time(ledger, (0, 1, 2, 3, 4, 5, 99)) == ["", "A", "A", "B", "B", "B", "B"], order


def test_regression_undo_of_a_middle_version(make: Make) -> None:
    """When the second of three versions is taken back, the first one is served until the third."""
    ledger = make()
    for recorded_at, text in enumerate((A, B, C)):
        write(ledger, "d", Text(text.stated, prose=True), 10 + recorded_at, 1 + 4 * recorded_at)
    ledger.undo(11, 11, 20)
    assert over_time(ledger, (1, 5, 8, 9, 30)) == ["A", "A", "A", "C", "C"]


def test_regression_withdrawn_versions_do_not_count(make: Make) -> None:
    """After an undo, a write is compared with what stands: an older one becomes current, a repeat is new."""
    ledger = make()
    write(ledger, "d", A, 10, 10)
    ledger.undo(10, 10, 11)
    write(ledger, "d", B, 12, 5)
    assert snapshot(ledger)["d"].facts[0].value == "B"
    assert over_time(ledger, (4, 5, 30)) == ["", "B", "B"]
    ledger = make()
    write(ledger, "d", A, 10, 10)
    write(ledger, "d", B, 11, 5)
    ledger.undo(11, 11, 12)
    write(ledger, "d", B, 13, 5)
    assert over_time(ledger, (4, 5, 9, 10)) == ["", "B", "B", "A"]
    ledger.undo(13, 13, 14)
    write(ledger, "d", C, 15, 3)
    assert over_time(ledger, (2, 3, 9, 10)) == ["", "C", "C", "A"]


def test_regression_order_of_loading_means_nothing(make: Make) -> None:
    """A write gives the same rows in whatever order the stored ones were loaded."""
    ledger = make()
    write(ledger, "d", A, 10, 17)
    write(ledger, "d", B, 11, 17)
    write(ledger, "e", C, 12, 3)
    found = []
    for order in permutations(snapshot(ledger).values()):
        loaded = NumberedLedger(order, archived=5)
        write(loaded, "d", C, 13, 14)
        write(loaded, "d", A_REWORDED, 14)
        found.append(dict(sorted(loaded.rows.items())))
    assert all(rows == found[0] for rows in found)


def test_regression_older_version_after_retirement(make: Make) -> None:
    """A version dated before the retirement of its document does not bring it back."""
    ledger = make()
    write(ledger, "d", A, 10, 10)
    ledger.retire("d", 20)
    write(ledger, "d", B, 21, 5)
    assert over_time(ledger, (4, 5, 9, 10, 19, 20, 30)) == ["", "B", "B", "A", "A", "", ""]


def test_regression_retraction_of_what_is_not_yet_valid(make: Make) -> None:
    """An undated retraction of a key that has only a future value closes nothing of it, each time."""
    ledger = make()
    write(ledger, "d", A, 10, 100)
    for t in (20, 21):
        ledger.retract((digest(1), ""), t, t, dated=False)
    assert not ledger.closures
    assert served(ledger, 100) == "A"


def test_regression_undo_counts_as_recorded(make: Make) -> None:
    """A row's latest transaction time includes that of an undo, so that clocks never fall behind it."""
    ledger = make()
    write(ledger, "d", A, 10, 1)
    ledger.undo(10, 10, 500)
    assert snapshot(ledger)["d"].recorded_at == 500


# -- the id holds the newest standing version --------------------------------------------------------------


def test_id_holds_the_newest_standing_version_after_an_older_end(make: Make) -> None:
    """A version newer than the newest one takes the id, though its document has ended since."""
    ledger = make()
    write(ledger, "d", A, 10, 1)
    ledger.retire("d", 20)
    write(ledger, "d", B, 21, 5)
    assert over_time(ledger, (1, 5, 19, 20, 30)) == ["A", "B", "B", "", ""]
    assert snapshot(ledger)["d"].facts[0].value == "B"


def test_id_holds_a_standing_version_where_the_current_was_withdrawn(make: Make) -> None:
    """A version written after its predecessor was taken back takes the id, also when it is older than an end."""
    ledger = make()
    write(ledger, "d", A, 10, 1)
    ledger.retire("d", 20)
    ledger.undo(10, 10, 21)
    write(ledger, "d", B, 22, 5)
    assert snapshot(ledger)["d"].facts[0].value == "B"


def test_undo_leaves_other_documents_alone(make: Make) -> None:
    """Undo touches the documents of what it takes back, and no others that changed before."""
    ledger = make()
    write(ledger, "d", A, 10, 1)
    ledger.retire("d", 20)
    write(ledger, "d", B, 21, 5)
    write(ledger, "e", PROSE, 22)
    kept = {i: r for i, r in snapshot(ledger).items() if r.document_id == "d"}
    ledger.undo(22, 22, 23)
    assert {i: r for i, r in snapshot(ledger).items() if r.document_id == "d"} == kept


# -- what is written undated is served ------------------------------------------------------------------------


@pytest.mark.parametrize("text", [A, MIXED, PROSE])
@pytest.mark.parametrize("again", ["same", "reworded"])
def test_written_again_after_its_end(make: Make, text: Text, again: str) -> None:
    """A statement that ended by its own word, written again undated, is valid from then on."""
    ledger = make()
    write(ledger, "e", B, 9, 1)
    write(ledger, "d", text, 10, 5, 9)
    write(ledger, "d", text if again == "same" else Text(text.stated, text.prose, 1), 20)
    assert any(r.document_id == "d" for r in ledger.view(20))
    assert any(r.document_id == "d" for r in ledger.view(30))
    assert not any(r.document_id == "d" for r in ledger.view(15))


def test_rewritten_undated_after_a_bounded_repeat(make: Make) -> None:
    """A fact that is valid by an open assertion stays so when its page is reworded after a bounded repeat."""
    ledger = make()
    write(ledger, "d", A, 10, 1)
    write(ledger, "d", A, 11, 5, 9)
    write(ledger, "d", A_REWORDED, 20)
    assert over_time(ledger, (2, 6, 12, 22)) == ["A", "A", "A", "A"]


def test_rewritten_undated_before_a_future_repeat(make: Make) -> None:
    """A fact that is valid now stays so when its page is reworded, though it was repeated for the future."""
    ledger = make()
    write(ledger, "d", A, 10, 1)
    write(ledger, "d", A, 11, 100)
    write(ledger, "d", A_REWORDED, 20)
    assert over_time(ledger, (2, 19, 22, 99, 100)) == ["A", "A", "A", "A", "A"]


def test_stated_now_after_it_was_announced(make: Make) -> None:
    """A text that states now what an earlier one under its id announced for later is served now."""
    ledger = make()
    write(ledger, "d", A, 10, 100)
    write(ledger, "d", A_REWORDED, 20)
    assert over_time(ledger, (20, 99, 100)) == ["A", "A", "A"]


# -- repeats without an id, of a document with a past -----------------------------------------------------------


def test_repeat_of_a_later_version_keeps_the_window(make: Make) -> None:
    """A repeat without an id is taken by the current version, whose window goes on beginning where it began."""
    ledger = make()
    write(ledger, "d", A, 10)
    write(ledger, "d", Text(B.stated, prose=True), 20)
    assert confirm_or_write(ledger, Text(B.stated, prose=True), 31, 30) == "d"
    assert snapshot(ledger)["d"].windows == (Interval(20, OPEN),)
    assert snapshot(ledger)["d#1"].windows != ALWAYS
