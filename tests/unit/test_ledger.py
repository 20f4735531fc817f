"""The rules of the ledger and the bugs that were found in it, each told in short, on both ledgers."""

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from memstrata_integrations.ledger import ledger as ledger_module
from memstrata_integrations.ledger.ledger import rows_as_known
from memstrata_integrations.ledger.rows import ALWAYS, Row
from memstrata_integrations.ledger.time import MIN_TIME, OPEN, Interval
from memstrata_integrations.ledger.timeline import Assertion, Intervals, live_intervals

from .examples import (
    A_REWORDED,
    MIXED,
    OTHER_PROSE,
    PROSE,
    A,
    AnyLedger,
    B,
    C,
    Make,
    Step,
    confirm,
    delete,
    end,
    go_through,
    over_time,
    put,
    retire,
    retract,
    snapshot,
    undo,
)
from .lockstep import NumberedLedger, ReferenceLedger, Text, digest, incoming

pytestmark = pytest.mark.parametrize("make", [NumberedLedger, ReferenceLedger])

ENDING = Text(((1, None, True),))
AX, X, Y = Text(((1, "A", False), (2, "X", False))), Text(((2, "X", False),)), Text(((2, "Y", False),))
A_AND_PROSE, B_AND_PROSE, C_AND_PROSE = (Text(text.stated, prose=True) for text in (A, B, C))


def told(answers: dict[int, str], known_at: int | None = None) -> Step:
    """At these instants readers are told these values; the hull of each row ends behind all that it asserts."""

    def step(ledger: AnyLedger) -> None:
        assert over_time(ledger, list(answers), known_at) == list(answers.values())
        for row in ledger.rows.values():
            assert all(a.valid_from < row.hull().end for f in row.facts for a in f.all_assertions)

    return step


def holds(what: Callable[[dict[str, Row]], object], expected: object) -> Step:
    def step(ledger: AnyLedger) -> None:
        assert what(snapshot(ledger)) == expected

    return step


def current(expected: str) -> Step:
    """The row of document `d` that is no archived version states this value."""
    return holds(lambda rows: rows["d"].facts[0].value, expected)


def unchanged(*steps: Step) -> Step:
    def step(ledger: AnyLedger) -> None:
        before = snapshot(ledger)
        for one in steps:
            one(ledger)
        assert snapshot(ledger) == before

    return step


RULES: dict[str, list[Step]] = {
    **{f"3: after A, B, A, A is current, with three intervals, whichever ids the writes have: {one}": [
        put(one[0], A, 10), put(one[1], B, 20), put(one[2], A, 30),
        told({9: "", 10: "A", 19: "A", 20: "B", 29: "B", 30: "A", 99: "A"}),
    ] for one in ("dee", "def", "ded", "ddd")},
    "3: the same two texts under two ids, again and again, are current when they were written last": [
        step for at, value in enumerate("ABAAB", 10)
        for step in (put(value, {"A": A, "B": B}[value], at), told({at: value}))
    ],
    **{f"2: an undated retraction with nothing live ends what arrives late, all else being {where}": [
        put("d", A, 10, *dates), retract(100), put("late", A, 200, 50),
        told({50: "A", 99: "A", 100: "", 300: ""}),
    ] for where, dates in {"ahead": (500,), "over": (1, 5)}.items()},
    "3, 18: an undated repeat changes nothing while the row is live": [
        put("d", MIXED, 10), unchanged(put("d", MIXED, 20)),
    ],
    "4: a text equal to a live keyed row is taken by that row; once superseded, it gets a row of its own": [
        put("d", A, 10), confirm(A, 20, taken_by="d"), holds(len, 1),
        put("e", B, 30), confirm(A, 40, taken_by=None), holds(len, 3), told({50: "A"}),
    ],
    "4: A in January, A in June, then late B for March gives A, B, A": [
        put("d", A, 10, 1), confirm(A, 11, 6, taken_by="d"), put("e", B, 12, 3),
        told({1: "A", 2: "A", 3: "B", 5: "B", 6: "A", 9: "A"}),
    ],
    "4: a text without a key gets a row of its own each time": [
        put("d", PROSE, 10), confirm(PROSE, 20, taken_by=None), told({30: "p p"}),
    ],
    **{f"5: of two values with one date the later recorded is valid, the other only for earlier readers: {d}, {e}": [
        put(d, A, 10, 5), put(e, B, 11, 5),
        told({4: "", 5: "B", 20: "B"}), told({4: "", 5: "A", 20: "A"}, known_at=10),
    ] for d, e in ("de", "dd")},
    **{f"5: at one date the higher authority is valid, in any order of arrival: {d}, {e}, {first}": [
        put(d, A, 10, 5, authority=first), put(e, B, 11, 5, authority=1 - first),
        told({4: "", 5: "BA"[first], 20: "BA"[first]}),
    ] for d, e in ("de", "dd") for first in (0, 1)},
    **{f"18 beats 3: what was corrected at its own date does not return when its write is retried: {d}, {e}": [
        put(d, A, 10, 5), put(e, B, 11, 5), unchanged(put(d, A, 12, 5)), told({20: "B"}),
    ] for d, e in ("de", "dd")},
    **{f"6: before a future date its predecessor is current: {d}, {e}": [
        put(d, A, 10), put(e, B, 11, 50), told({11: "A", 49: "A", 50: "B"}),
    ] for d, e in ("de", "dd")},
    **{f"6: a bounded value overlays; after it the covered one is valid again: {d}, {e}": [
        put(d, A, 10, 1), put(e, B, 11, 5, 9), told({1: "A", 4: "A", 5: "B", 8: "B", 9: "A", 30: "A"}),
    ] for d, e in ("de", "dd")},
    "6: an only version holds always; beside another, a bounded one as long as it says, the first reaching back": [
        put("d", A, 10, 5, 9), holds(lambda rows: rows["d"].windows, (Interval(MIN_TIME),)),
        put("d", B, 11, 1), holds(lambda rows: {r.facts[0].value: r.windows for r in rows.values()}, {
            "A": (Interval(5, 9),), "B": (Interval(MIN_TIME, 5), Interval(9, OPEN)),
        }),
    ],
    "8: after a retraction no value is current, neither the retracted one nor its predecessor": [
        put("d", A, 10), put("e", B, 20), retract(30), told({10: "A", 20: "B", 29: "B", 30: "", 99: ""}),
        retract(30, 40, dated=True, closes=False), retract(40, key=2, closes=False),
        put("e", B, 50), told({49: "", 50: "B"}),
    ],
    "8: what a deleted row alone held stays a gap; the superseded value does not come back": [
        put("d", A, 10), put("e", B, 20), put("f", C, 30),
        delete("e"), told({10: "A", 20: "", 29: "", 30: "C"}),
        delete("f"), told({10: "A", 20: "", 30: ""}),
        holds(lambda rows: [(a.value, a.ghost) for r in rows.values() for f in r.facts for a in f.held],
              [(None, True)] * 2),
    ],
    **{f"8: a value that another row states too stays valid when one of the rows is deleted: {gone}": [
        put("d", A, 10, 1), put("e", B, 11, 5), put("f", B, 12, 3), delete(gone), told({5: "B", 9: "B", 99: "B"}),
    ] for gone in "ef"},
    "8: a value that an earlier row states goes on when a later one that repeats it is deleted": [
        put("d", A, 10, 3), put("e", A, 11, 5), delete("e"), told({3: "A", 5: "A", 9: "A"}),
    ],
    "8: of two deleted rows what a third one states between stays, and neither of theirs is told": [
        put("d", A, 10, 1), put("e", B, 11, 5), put("f", C, 12, 9), put("g", B, 13, 6),
        delete("e", "f"), told({1: "A", 5: "", 6: "B", 8: "B", 9: ""}),
    ],
    "8: without a surviving row there is nothing to keep": [
        put("d", A, 10), put("e", B, 20), delete("d", "e"), holds(len, 0), put("f", A, 30, 1), told({40: "A"}),
    ],
    "8: undo takes back one write; what another write closed stays closed": [
        put("d", A, 10), put("e", B, 20), put("f", C, 30),
        undo(30, 40), told({10: "A", 20: "B", 50: "B"}), undo(30, 41, reopens=False),
        undo(20, 42), told({10: "A", 20: "A", 50: "A"}), told({50: "C"}, known_at=35),
    ],
    "8: an undone retraction closes nothing": [put("d", A, 10), retract(20), undo(20, 30), told({40: "A"})],
    "8: the second of two retractions stands when the first is undone": [
        put("d", A, 10), retract(20), retract(30), undo(20, 40), told({10: "A", 29: "A", 30: "", 99: ""}),
        undo(30, 50), told({29: "A", 30: "A", 99: "A"}),
    ],
    "8: undo by document takes back its own assertions alone, though written in one transaction": [
        put("d", A, 10), put("e", B, 10), undo(10, 20, "e"), told({30: "A"}),
    ],
    "a row is live as long as one of its facts is, and prose keeps it": [
        put("d", AX, 10), put("e", B, 20),
        holds(lambda rows: [tuple(f.live) for f in rows["d"].facts], [(Interval(10, 20),), (Interval(10),)]),
        told({30: "B X"}), put("f", Y, 30), told({40: "B Y"}),
    ],
    **{f"a sentence of ending closes its key, known or not, states no value itself, and stays as prose: {known}": [
        *([put("d", A, 10)] if known else []), put("e", ENDING, 20),
        holds(lambda rows: rows["e"].facts[0].live, ()), told({30: "p"}),
    ] for known in (True, False)},
}  # fmt: skip

VERSIONS: dict[str, list[Step]] = {
    "15: new content takes the id, the earlier is archived; facts it states no longer end there": [
        put("d", AX, 10, 1), put("e", X, 11, 1), put("d", B, 12, 5), current("B"),
        told({1: "AX X", 4: "AX X", 5: "B X", 9: "B X"}),
        holds(lambda rows: (rows["d#1"].document_id, rows["d#1"].archived, rows["d#1"].windows),
              ("d", True, (Interval(MIN_TIME, 5),))),
    ],
    "15: a version older than the newest does not become current, and is served in its own time": [
        put("d", B, 10, 5), put("d", A, 11, 1), current("B"), told({0: "", 1: "A", 4: "A", 5: "B", 20: "B"}),
    ],
    "15: a document that is over is so also when a version of a later time would begin": [
        put("d", A, 10, 1), put("d", B, 11, 30), retire("d", 20), told({1: "A", 19: "A", 20: "", 30: "", 40: ""}),
        undo(20, 21), told({19: "A", 20: "A", 29: "A", 30: "B"}),
    ],
    "15: a first version reaches back to where its document is said to be over, for a while too": [
        put("d", PROSE, 20), end("d", 5, 21, until=30),
        told({1: "p", 4: "p", 5: "", 19: "", 20: "", 29: "", 30: "p"}), undo(21, 22), told({5: "p", 25: "p"}),
    ],
    "15: fixing a typo in an old page makes what it says no newer; another value is valid from now on": [
        put("d", A, 10, 1), put("e", B, 11, 5), put("d", A_REWORDED, 20), told({1: "A", 5: "B", 30: "B"}),
        put("d", C, 30), told({1: "A", 5: "B", 29: "B", 30: "C"}),
    ],
    "15: an undated rewrite that gives an end keeps the beginning and ends there; its repeat is no news": [
        put("d", A, 10),
        *[put("d", A_REWORDED, 11, None, 20), told({9: "", 10: "A", 19: "A", 20: "A", 30: "A"})],
        *[put("d", A_REWORDED, 12, None, 20), told({9: "", 10: "A", 19: "A", 20: "A", 30: "A"})],
        holds(lambda rows: [(a.valid_from, a.valid_to) for a in rows["d"].facts[0].assertions], [(10, 20)]),
    ],
    "18: an undated bounded write, repeated while it is valid, is no news": [
        put("d", MIXED, 10, None, 50), unchanged(put("d", MIXED, 11, None, 50)),
    ],
    "15: a retired document ends; the same text again undated keeps its dates, and the window has a gap": [
        put("d", MIXED, 10, 1), retire("d", 20), told({1: "A", 19: "A", 20: "", 30: ""}),
        put("d", MIXED, 25), told({1: "A", 19: "A", 20: "", 24: "", 25: "A", 30: "A"}),
        holds(lambda rows: [a.valid_from for a in rows["d"].facts[0].assertions], [1]),
        holds(lambda rows: rows["d"].windows, (Interval(MIN_TIME, 20), Interval(25, OPEN))),
    ],
    "when the second of three versions is taken back, the first one is served until the third": [
        put("d", A_AND_PROSE, 10, 1), put("d", B_AND_PROSE, 11, 5), put("d", C_AND_PROSE, 12, 9), undo(11, 20),
        told({1: "A", 5: "A", 8: "A", 9: "C", 30: "C"}),
    ],
    "after an undo a write is compared with what stands: an older one becomes current": [
        put("d", A, 10, 10), undo(10, 11), put("d", B, 12, 5), current("B"), told({4: "", 5: "B", 30: "B"}),
    ],
    "after an undo a write is compared with what stands: a repeat is new": [
        put("d", A, 10, 10), put("d", B, 11, 5), undo(11, 12),
        put("d", B, 13, 5), told({4: "", 5: "B", 9: "B", 10: "A"}), undo(13, 14),
        put("d", C, 15, 3), told({2: "", 3: "C", 9: "C", 10: "A"}),
    ],
    "a version dated before the retirement of its document does not bring it back": [
        put("d", A, 10, 10), retire("d", 20), put("d", B, 21, 5),
        told({4: "", 5: "B", 9: "B", 10: "A", 19: "A", 20: "", 30: ""}),
    ],
    "a row's latest transaction time includes that of an undo, so that clocks never fall behind it": [
        put("d", A, 10, 1), undo(10, 500), holds(lambda rows: rows["d"].recorded_at, 500),
    ],
    "a version newer than the newest one takes the id, and its document, which was deleted since, goes on": [
        put("d", A, 10, 1), retire("d", 20), put("d", B, 21, 5), current("B"),
        told({1: "A", 5: "B", 19: "B", 20: "B", 30: "B"}), undo(21, 22), told({1: "A", 19: "A", 20: "", 30: ""}),
    ],
    "what was deleted and is told again, with the date that it had or another one, goes on until what ends it itself": [
        put("d", A, 10, 1), put("e", B, 11, 5), retire("d", 20), retire("e", 21), put("d", A, 22, 1),
        told({1: "A", 5: "B", 20: "B", 21: "", 30: ""}), put("e", B, 23, 3), told({1: "A", 3: "B", 30: "B"}),
        retire("e", 24), put("e", B, 25, 3, 30), told({29: "B", 30: ""}), put("e", C, 26, 6),
        told({5: "B", 6: "C", 40: "C"}),
    ],
    "what is written after a deletion goes on beyond the end of a bounded return, whatever its authority": [
        put("d", A, 12, authority=1), retire("d", 18), put("d", B, 19, 18, 22), put("d", C, 20),
        told({21: "C", 30: "C"}),
    ],
    "what came after what was told again stays, when that is taken back": [
        put("d", A, 10, 1), retire("d", 20), put("d", A, 21, 1), put("d", B, 22, 5), undo(21, 23),
        told({1: "A", 5: "B", 30: "B"}),
    ],
    "a version that was called off by a deletion does not come, though another one is told again": [
        put("d", A, 10, 1), put("d", B, 11, 50), retire("d", 20), put("d", A, 21, 1), told({1: "A", 20: "A", 50: "A"}),
        undo(21, 22), told({19: "A", 20: "", 50: ""}), put("d", A, 23, 1), undo(20, 24), told({20: "A", 50: "B"}),
    ],
    "a version written after its predecessor was taken back takes the id, also when it is older than an end": [
        put("d", A, 10, 1), retire("d", 20), undo(10, 21), put("d", B, 22, 5), current("B"),
    ],
    "a fact that is valid by an open assertion stays so when its page is reworded after a bounded repeat": [
        put("d", A, 10, 1), put("d", A, 11, 5, 9), put("d", A_REWORDED, 20), told({2: "A", 6: "A", 12: "A", 22: "A"}),
    ],
    "a fact that is valid now stays so when its page is reworded, though it was repeated for the future": [
        put("d", A, 10, 1), put("d", A, 11, 100), put("d", A_REWORDED, 20),
        told({2: "A", 19: "A", 22: "A", 99: "A", 100: "A"}),
    ],
    "a text that states now what an earlier one under its id announced for later is served now": [
        put("d", A, 10, 100), put("d", A_REWORDED, 20), told({20: "A", 99: "A", 100: "A"}),
    ],
    "a repeat without an id is taken by the current version, whose window goes on beginning where it began": [
        put("d", A, 10), put("d", B_AND_PROSE, 20), confirm(B_AND_PROSE, 31, 30, taken_by="d"),
        holds(lambda rows: (rows["d"].windows, rows["d#1"].windows == ALWAYS), ((Interval(20, OPEN),), False)),
    ],
}  # fmt: skip

ORDERS: dict[str, tuple[list[tuple[str, Text, int, int | None]], dict[int, str]]] = {  # in any order, one view
    "2: four dated statements": ([("d", A, 1, None), ("e", B, 4, 8), ("f", A, 6, None), ("g", C, 9, None)],
        {0: "", 1: "A", 4: "B", 6: "A", 8: "A A", 9: "C"}),
    "15: one value around another, under one id": ([("d", A, 1, None), ("d", A, 9, None), ("d", B, 5, None)],
        {0: "", 1: "A", 4: "A", 5: "B", 8: "B", 9: "A", 99: "A"}),
    "15: a value repeated at an earlier date, under one id": (
        [("d", A, 1, None), ("d", B, 5, None), ("d", B, 3, None)],
        {0: "", 1: "A", 2: "A", 3: "B", 4: "B", 5: "B", 99: "B"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("story", [*RULES, *VERSIONS])
def test_a_ledger_goes_by_the_rules(make: Make, story: str) -> None:
    go_through(make(), {**RULES, **VERSIONS}[story])


@pytest.mark.parametrize("name", ORDERS)
def test_any_order_of_arrival_gives_one_view(make: Make, name: str) -> None:
    claims, want = ORDERS[name]
    for order in permutations(claims):
        go_through(make(), [put(i, text, at, *dated) for at, (i, text, *dated) in enumerate(order, 20)] + [told(want)])


def test_earlier_readers_keep_their_answers(make: Make) -> None:
    """Rule 7: late writes, retractions, retirements and undo change no answer as of an earlier transaction time."""
    ledger = make()
    known: dict[int, list[str]] = {}
    steps = [
        *(put("d", MIXED, 10, 1), put("e", B, 11, 5), put("d", C, 12, 3), retract(7, 13, dated=True), undo(11, 14)),
        *(retire("d", 15), put("d", MIXED, 16)),
    ]
    for recorded_at, step in enumerate(steps, 10):
        step(ledger)
        known[recorded_at] = over_time(ledger, (0, 2, 4, 6, 8, 15, 30, 60), known_at=recorded_at)
        for earlier, answers in known.items():
            assert over_time(ledger, (0, 2, 4, 6, 8, 15, 30, 60), known_at=earlier) == answers
    assert known[10] == ["", "A", "A", "A", "A", "A", "A", "A"]


def test_a_document_that_was_taken_back_is_not_known_to_say_anything(make: Make) -> None:
    """Not even a fact of it of which an assertion stands."""
    ledger = make()
    put("d", A, 10)(ledger)
    gone = replace(ledger.rows["d"], editions=tuple(replace(e, undone_at=12) for e in ledger.rows["d"].editions))
    assert [rows_as_known([gone], known_at)["d"].visible(20) for known_at in (11, 13)] == [True, False]


def test_undo_of_many_documents_of_one_fact_derives_it_a_few_times(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """What each costs does not grow with how many there are."""
    ledger, looked_at = make(), 0
    for n in range(40):
        put(f"d{n}", A, 10 + n)(ledger)
    for n in range(40):
        retire(f"d{n}", 100)(ledger)

    def counted(assertions: list[Assertion], *more: Any, **told: Any) -> list[Intervals]:
        nonlocal looked_at
        looked_at += len(assertions)
        return live_intervals(assertions, *more, **told)

    monkeypatch.setattr(ledger_module, "live_intervals", counted)
    undo(100, 200)(ledger)
    assert all(r.visible(60) for r in ledger.rows.values())
    assert looked_at < 40 * 5


def test_closures_tell_what_a_write_closed(make: Make) -> None:
    ledger = make()
    go_through(ledger, [put("d", A, 10), put("e", B, 20, 15)])
    if not isinstance(ledger, ReferenceLedger):
        assert [(c.row_id, c.fact.value, c.by, c.at) for c in ledger.closures] == [("d", "A", "e", 15)]


def test_an_undated_retraction_of_what_is_to_come_closes_nothing(make: Make) -> None:
    ledger = make()
    put("d", A, 10, 100)(ledger)
    for t in (20, 21):
        ledger.retract((digest(1), ""), t, t, dated=False)
    assert not ledger.closures
    told({100: "A"})(ledger)


def test_prose_is_versioned_too(make: Make) -> None:
    """Rule 15: of a document without facts each version is served in its time, the first for ever before."""
    ledger = make()
    go_through(ledger, [put("d", PROSE, 10), put("d", OTHER_PROSE, 20)])
    assert [[r.id for r in ledger.view(t)] for t in (-99, 10, 19, 20)] == [["d#1"], ["d#1"], ["d#1"], ["d"]]


def test_retries_of_every_kind_change_nothing(make: Make) -> None:
    """Rule 18: the same id, content and dates change nothing, whatever came since under that id."""
    writes = [(A, 1, None), (B, 5, None), (C, 7, 9), (PROSE, 20, None), (MIXED, 3, None)]
    ledger = make()
    for n, (text, *dated) in enumerate(writes, 1):
        put("d", text, 10 * n, *dated)(ledger)
        unchanged(*(put("d", again, 10 * n + m, *same) for m, (again, *same) in enumerate(writes[:n], 1)))(ledger)


def test_facts_of_a_retired_document_are_kept_for_its_successor(make: Make) -> None:
    """Rule 15: across delete-then-add under another id, a fact with the same object keeps its dates."""
    ledger = make()
    put("d", A, 10, 1)(ledger)
    earlier = snapshot(ledger)["d"].facts
    ledger.end("d", 20, 20)
    ledger.write(incoming("e", A_REWORDED, 21), earlier=earlier)
    assert [a.valid_from for a in snapshot(ledger)["e"].facts[0].assertions] == [1]


def test_order_of_loading_means_nothing(make: Make) -> None:
    ledger = make()
    go_through(ledger, [put("d", A, 10, 17), put("d", B, 11, 17), put("e", C, 12, 3)])
    found = []
    for order in permutations(snapshot(ledger).values()):
        loaded = NumberedLedger(order, archived=5)
        go_through(loaded, [put("d", C, 13, 14), put("d", A_REWORDED, 14)])
        found.append(dict(sorted(loaded.rows.items())))
    assert all(rows == found[0] for rows in found)


def test_undo_leaves_other_documents_alone(make: Make) -> None:
    ledger = make()
    go_through(ledger, [put("d", A, 10, 1), retire("d", 20), put("d", B, 21, 5)])
    kept = snapshot(ledger)
    go_through(ledger, [put("e", PROSE, 22), undo(22, 23)])
    assert {i: r for i, r in snapshot(ledger).items() if r.document_id == "d"} == kept


@pytest.mark.parametrize("text", [A, MIXED, PROSE])
@pytest.mark.parametrize("wording", [0, 1], ids=["same", "reworded"])
def test_written_again_after_its_end(make: Make, text: Text, wording: int) -> None:
    ledger = make()
    go_through(ledger, [put("e", B, 9, 1), put("d", text, 10, 5, 9), put("d", replace(text, wording=wording), 20)])
    assert [any(r.document_id == "d" for r in ledger.view(t)) for t in (15, 20, 30)] == [False, True, True]
