"""Live intervals are what rule 1 says of each instant, in whatever order assertions arrive."""

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
    start = draw(st.integers(0, 9))
    recorded_at = draw(st.integers(0, 6))
    value = draw(st.sampled_from(VALUES))
    return Assertion(
        value=value, valid_from=start, recorded_at=recorded_at, id=draw(st.sampled_from("ab")),
        valid_to=draw(st.sampled_from([OPEN, OPEN, start, start + 1, start + 4])),
        authority=draw(st.sampled_from([0, 0, 1])),
        undone_at=draw(st.sampled_from([OPEN, OPEN, OPEN, recorded_at, recorded_at + 2])),
        ghost=draw(st.integers(0, 4)) == 0, ends=draw(st.sampled_from([None, "x", "y"])) if value is None else None,
    )  # fmt: skip


def covers_something(assertion: Assertion) -> bool:
    """Whether it holds an instant; the doors refuse what ends before it begins."""
    return assertion.valid_from < assertion.valid_to


def edges(made: Sequence[Assertion]) -> list[int]:
    found = {t for a in made for t in (a.valid_from, a.valid_to) if t < OPEN}
    return sorted({t + d for t in found for d in (-1, 0, 1)})


@given(st.lists(assertions(), max_size=7), st.sampled_from([OPEN - 1, 0, 2, 4, 7]))
@quick
def test_live_intervals_are_rule_1(made: list[Assertion], known_at: int) -> None:
    live = live_intervals(made, known_at=known_at)
    for assertion, intervals in zip(made, live, strict=True):
        assert intervals == normalise(intervals)
        for t in edges(made):
            assert any(t in i for i in intervals) == oracle.stands(assertion, made, t, known_at), (assertion, t)


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
    flat = [(n, a) for n, made in enumerate(statements) for a in made]
    parts: list[list[Interval]] = [[] for _ in statements]
    for (n, _), found in zip(flat, live_intervals([a for _, a in flat]), strict=True):
        parts[n] += found
    return [normalise(p) for p in parts]


@given(timelines(), st.booleans())
@quick
def test_late_insertion_equals_derivation(timeline: tuple[list[list[Assertion]], Assertion, int], partly: bool) -> None:
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
