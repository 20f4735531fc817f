"""Live intervals are what rule 1 says of each instant, in whatever order assertions arrive."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from memstrata_integrations.ledger.time import OPEN, Interval, normalise
from memstrata_integrations.ledger.timeline import Assertion, Intervals, assert_late, bury, live_intervals, undo_at

from . import oracle

quick = settings(max_examples=600, deadline=None, derandomize=True, database=None)
VALUES = ["x", "y", "z", None]


@st.composite
def assertions(draw: st.DrawFn) -> Assertion:
    """Assertions with ties of every kind, bounded, undone, and ghosts."""
    start = draw(st.integers(0, 9))
    recorded_at = draw(st.integers(0, 6))
    value = draw(st.sampled_from(VALUES))
    return Assertion(
        value=value,
        valid_from=start,
        recorded_at=recorded_at,
        id=draw(st.sampled_from("ab")),
        valid_to=draw(st.sampled_from([OPEN, OPEN, start, start + 1, start + 4])),
        authority=draw(st.sampled_from([0, 0, 1])),
        undone_at=draw(st.sampled_from([OPEN, OPEN, OPEN, recorded_at, recorded_at + 2])),
        ghost=draw(st.integers(0, 4)) == 0,
        ends=draw(st.sampled_from([None, "x", "y"])) if value is None else None,
    )


def covers_something(assertion: Assertion) -> bool:
    """Whether it holds an instant; the doors refuse what ends before it begins."""
    return assertion.valid_from < assertion.valid_to


def edges(made: Sequence[Assertion]) -> list[int]:
    """Return every endpoint and its neighbours."""
    found = {t for a in made for t in (a.valid_from, a.valid_to) if t < OPEN}
    return sorted({t + d for t in found for d in (-1, 0, 1)})


def view(made: Sequence[Assertion], live: Sequence[Intervals]) -> dict[str, Intervals]:
    """Return when each value is live, whoever states it."""
    values = sorted({a.value for a in made if a.value is not None})
    return {v: normalise(i for a, found in zip(made, live, strict=True) if a.value == v for i in found) for v in values}


@given(st.lists(assertions(), max_size=7), st.sampled_from([OPEN - 1, 0, 2, 4, 7]))
@quick
def test_live_intervals_are_rule_1(made: list[Assertion], known_at: int) -> None:
    """At each instant an assertion is live exactly when the sentence of rule 1 says so, at any transaction time."""
    live = live_intervals(made, known_at=known_at)
    for assertion, intervals in zip(made, live, strict=True):
        assert intervals == normalise(intervals)
        for t in edges(made):
            assert any(t in i for i in intervals) == oracle.stands(assertion, made, t, known_at), (assertion, t)


@given(st.lists(assertions(), max_size=6), st.randoms(use_true_random=False))
@quick
def test_order_of_the_arguments_means_nothing(made: list[Assertion], shuffler: random.Random) -> None:
    """The same assertions in another order have the same intervals."""
    order = list(range(len(made)))
    shuffler.shuffle(order)
    live = live_intervals(made)
    assert live_intervals([made[n] for n in order]) == [live[n] for n in order]


def test_2000_arrival_orders_give_one_view() -> None:
    """Rule 2: with distinct dates, no order of arrival changes the valid-time view, inserted one by one."""
    chance = random.Random(7)
    tried = 0
    while tried < 2400:
        starts = chance.sample(range(12), chance.randint(3, 7))
        claims = [
            (chance.choice(VALUES), s, s + chance.randint(1, 6) if chance.random() < 0.3 else OPEN) for s in starts
        ]
        claims = [(*c, chance.choice(VALUES) if c[0] is None else None) for c in claims]
        expected = None
        for _ in range(8):
            chance.shuffle(claims)
            made = [
                Assertion(value, start, n, f"r{n}", end, authority=chance.randint(0, 1), ends=ends)
                for n, (value, start, end, ends) in enumerate(claims)
            ]
            statements: dict[int, tuple[list[Assertion], Intervals]] = {}
            for n, new in enumerate(made):
                own, losses = assert_late(new, statements)
                statements.update({k: (statements[k][0], left) for k, left in losses.items()})
                statements[n] = ([new], own)
            found = view(made, [statements[n][1] for n in range(len(made))])
            assert found == view(made, live_intervals(made))
            expected = expected or found
            assert found == expected
            tried += 1


@st.composite
def timelines(draw: st.DrawFn) -> tuple[list[list[Assertion]], Assertion, int]:
    """Statements of one value each, with retractions and ghosts held beside it, and one more assertion."""
    statements = []
    for n in range(draw(st.integers(0, 4))):
        value = draw(st.sampled_from("xyz"))
        own = draw(st.lists(assertions().filter(covers_something), max_size=3))
        held = draw(st.lists(assertions().filter(covers_something), max_size=2))
        made = [replace(a, value=value, ghost=False, id=f"r{n}", ends=None) for a in own]
        made += [replace(a, ghost=a.value is not None) for a in held]
        statements.append(made)
    new = replace(draw(assertions()), undone_at=OPEN, ghost=False, recorded_at=draw(st.sampled_from([3, 9])))
    new = new if covers_something(new) else replace(new, valid_to=OPEN)
    return statements, new, draw(st.integers(0, len(statements)))


def derived(statements: Sequence[Sequence[Assertion]]) -> list[Intervals]:
    """Return when each statement is live by its definition."""
    flat = [(n, a) for n, made in enumerate(statements) for a in made]
    parts: list[list[Interval]] = [[] for _ in statements]
    for (n, _), found in zip(flat, live_intervals([a for _, a in flat]), strict=True):
        parts[n] += found
    return [normalise(p) for p in parts]


@given(timelines(), st.booleans())
@quick
def test_late_insertion_equals_derivation(timeline: tuple[list[list[Assertion]], Assertion, int], partly: bool) -> None:
    """Inserting an assertion gives what deriving everything gives, with all at hand or with the promised part."""
    statements, new, home = timeline
    if home < len(statements) and any(a.value not in (None, new.value) or a.ghost for a in statements[home]):
        home = len(statements)
    before = derived(statements)
    supplied = {}
    for n, (made, live) in enumerate(zip(statements, before, strict=True)):
        if partly and not any(i.end > new.valid_from for i in live):
            made = [a for a in made if a.valid_from >= new.valid_from]
            if not made:
                continue
        supplied[n] = (made, live)
    own, losses = assert_late(new, supplied)
    entered = [*statements, []][: max(home + 1, len(statements))]
    entered[home] = [*entered[home], new]
    after = derived(entered)
    for n, live in enumerate(before):
        left = losses.get(n, live)
        assert after[n] == (normalise([*left, *own]) if n == home else left), n
    if home == len(statements):
        assert after[home] == own
    assert all(losses[n] != before[n] for n in losses)


def test_ties_are_broken_by_authority_then_recording_then_id() -> None:
    """Rule 5: at one date the higher authority prevails, then the later recorded one, then the greater id."""
    base = Assertion("x", 1, 1, "a")
    for winner in (replace(base, authority=1), replace(base, recorded_at=2), replace(base, id="b")):
        rival = replace(winner, value="y")
        assert live_intervals([base, rival]) == [(), (Interval(1),)]
        assert live_intervals([rival, base]) == [(Interval(1),), ()]
    early = replace(base, authority=1, recorded_at=1)
    assert live_intervals([early, replace(base, value="y", recorded_at=9)]) == [(Interval(1),), ()]
    assert live_intervals([base, replace(base, value="y")]) == [(Interval(1),), (Interval(1),)]  # neither ranks higher


def test_authority_never_beats_a_later_date() -> None:
    """The date ranks before authority."""
    made = [Assertion("x", 1, 1, authority=9), Assertion("y", 5, 2)]
    assert live_intervals(made) == [(Interval(1, 5),), (Interval(5),)]


def test_bounded_assertion_overlays() -> None:
    """Rule 6: what a bounded assertion covered resumes after it."""
    made = [Assertion("x", 1, 1), Assertion("y", 5, 2, valid_to=9)]
    assert live_intervals(made) == [(Interval(1, 5), Interval(9)), (Interval(5, 9),)]


def test_repeated_value_does_not_block() -> None:
    """Several assertions of the valid value are live side by side."""
    made = [Assertion("x", 1, 1, "a"), Assertion("x", 5, 2, "b")]
    assert live_intervals(made) == [(Interval(1),), (Interval(5),)]


def test_buried_assertions() -> None:
    """A ghost keeps closing other values; it spares its own as long as another row states it."""
    old, own = Assertion("x", 1, 1, "a"), Assertion("y", 5, 2, "b")
    (named,), (anonymous,) = bury([own], "y"), bury([own], None)
    assert (named.value, named.ghost, named.rank) == ("y", True, (*own.rank[:4], ""))  # nothing tells whose it was
    assert (anonymous.value, anonymous.ghost) == (None, True)
    same = Assertion("y", 3, 3, "c")
    assert live_intervals([old, same, named]) == [(Interval(1, 3),), (Interval(3),), ()]
    assert live_intervals([old, same, anonymous]) == [(Interval(1, 3),), (Interval(3, 5),), ()]
    assert bury([Assertion(None, 4, 4)], "y")[0].value is None


def test_undone_assertions() -> None:
    """An assertion taken back counts for readers before that and not after; taking it back twice keeps the first."""
    made = [Assertion("x", 1, 1), undo_at(Assertion("y", 5, 2), 7)]
    assert live_intervals(made) == [(Interval(1),), ()]
    assert live_intervals(made, known_at=6) == [(Interval(1, 5),), (Interval(5),)]
    assert live_intervals(made, known_at=7) == [(Interval(1),), ()]
    assert undo_at(made[1], 9) == made[1]
