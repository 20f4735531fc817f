"""What was asserted and retracted decides, not when it was told: histories in any order of arrival."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest

from memstrata_integrations.ledger.time import OPEN
from memstrata_integrations.ledger.timeline import Assertion
from memstrata_integrations.ledger.undoing import undo

from . import oracle
from .examples import A, Make, over_time, write
from .lockstep import NumberedLedger, ReferenceLedger, Text, digest, incoming

pytestmark = pytest.mark.parametrize("make", [NumberedLedger, ReferenceLedger])

KEY = (digest(1), "")
VALUES = ("x", "y", "z")


@dataclass(frozen=True)
class Told:
    """An assertion, or a retraction (no value): from when, and whether it is told with that date."""

    value: str | None
    at: int
    dated: bool = True


def log_of(
    ledger: NumberedLedger | ReferenceLedger, told: Sequence[Told], rng: random.Random | None = None
) -> list[Assertion]:
    """Tell a ledger one thing after the other, with `rng` now and then taking one back; return what was told."""
    log: list[Assertion] = []
    clock = 0
    for n, one in enumerate(told):
        clock = one.at if not one.dated else clock + 1
        known = any(a.value is not None for a in log)
        if one.value is not None:
            start = one.at if one.dated else None
            ledger.write(incoming(f"d{n}", Text(((1, one.value, False),)), clock, start))
            log.append(Assertion(one.value, one.at, clock, id=f"d{n}"))
        elif ledger.retract(KEY, one.at, clock, dated=one.dated):
            log.append(Assertion(None, one.at, clock))
        else:
            assert not known or one.dated
        if rng and log and rng.random() < 0.2:
            gone = rng.randrange(len(log))
            clock += 1
            if log[gone].undone_at == OPEN:
                assert undo(ledger, log[gone].recorded_at, log[gone].recorded_at, clock)
                log[gone] = replace(log[gone], undone_at=clock)
    return log


def history(rng: random.Random) -> list[Told]:
    """Return assertions and retractions at distinct instants; those without a date are told at their instant."""
    undated = sorted(rng.sample(range(20, 200, 20), rng.randint(0, 4)))
    dated = rng.sample(range(1, 300, 2), rng.randint(1, 5))
    first = [Told(rng.choice((*VALUES, None)), at, dated=False) for at in undated]
    for at in dated:
        first.insert(rng.randint(0, len(first)), Told(rng.choice((*VALUES, None)), at))
    return first


@pytest.mark.parametrize("seed", range(150))
def test_a_ledger_serves_what_was_told_and_not_taken_back(make: Make, seed: int) -> None:
    """Rule 1: whatever was asserted, retracted and undone, each instant has the value that outranks the others."""
    rng = random.Random(seed)
    ledger = make()
    log = log_of(ledger, history(rng), rng)
    for t in sorted({a.valid_from + d for a in log for d in (-1, 0, 1)} | {500}):
        want = {a.value for a in log if oracle.stands(a, log, t)}
        live = {f.value for r in ledger.rows.values() for f in r.facts if any(t in i for i in f.live)}
        assert live == want, (t, log)


def test_an_undated_retraction_with_nothing_live_is_kept(make: Make) -> None:
    """Rule 2: it closes an earlier assertion that arrives later, where all that was known lay ahead, or was over."""
    for start, end in ((500, None), (1, 5)):
        ledger = make()
        ledger.write(incoming("d", A, 10, start, end))
        assert ledger.retract(KEY, 100, 100, dated=False)
        write(ledger, "late", A, 200, 50)
        assert over_time(ledger, (50, 99, 100, 300)) == ["A", "A", "", ""]


def test_the_second_of_two_retractions_stands_when_the_first_is_undone(make: Make) -> None:
    """Rule 8: undo reopens what that write closed, less what another one closes."""
    ledger = make()
    write(ledger, "d", A, 10)
    assert ledger.retract(KEY, 20, 20, dated=False)
    assert ledger.retract(KEY, 30, 30, dated=False)
    assert undo(ledger, 20, 20, 40)
    assert over_time(ledger, (10, 29, 30, 99)) == ["A", "A", "", ""]
    assert undo(ledger, 30, 30, 50)
    assert over_time(ledger, (29, 30, 99)) == ["A", "A", "A"]
