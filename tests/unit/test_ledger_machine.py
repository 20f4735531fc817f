"""Random histories: the incremental ledger, the reference ledger, and the rules agree after every step."""

from typing import ClassVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from .lockstep import Lockstep, Stated, Text, Write

IDS = st.sampled_from(["a", "b", "c", None])
KEYS = st.integers(1, 3)
STARTS = st.sampled_from([None, None, None, -12, -7, -3, -2, -1, 0, 2, 5])
LENGTHS = st.sampled_from([None, None, None, None, 1, 4, 9])
AUTHORITIES = st.sampled_from([0, 0, 0, 1])
CHOICES = st.integers(0, 11)


@st.composite
def texts(draw: st.DrawFn) -> Text:
    """Texts that state up to two keys, one value each; narratives may end a key."""
    stated: list[Stated] = []
    for key in draw(st.sampled_from([(), (1,), (1,), (2,), (3,), (1, 2), (2, 3), (1, 1)])):
        if stated and stated[-1][0] == key:
            stated.append(stated[-1])  # the same statement twice
            continue
        value = draw(st.sampled_from(["x", "y", "z", "x", "y", None, "-x", "-y"]))
        ends = value is None or value.startswith("-")
        stated.append((key, value, ends or draw(st.integers(0, 7)) == 0))
    return Text(tuple(stated), draw(st.booleans()), draw(st.integers(0, 1)))


WRITES = st.tuples(IDS, texts(), STARTS, LENGTHS, AUTHORITIES)


class LedgerMachine(RuleBasedStateMachine):
    """The incremental ledger in lockstep with the reference ledger, and both with the oracle."""

    runs: ClassVar[int] = 0
    ranked: ClassVar[bool] = False

    @initialize(keep_deleted=st.booleans())
    def begin(self, keep_deleted: bool) -> None:
        type(self).runs += 1
        self.pair = Lockstep(keep_deleted=keep_deleted, ranked=self.ranked)

    @rule(write=WRITES)
    def write(self, write: Write) -> None:
        self.pair.write([write])

    @rule(row_id=IDS, choice=CHOICES, start=STARTS, length=LENGTHS, authority=AUTHORITIES)
    def write_again(
        self, row_id: str | None, choice: int, start: int | None, length: int | None, authority: int
    ) -> None:
        if self.pair.texts:
            text = self.pair.texts[-1 - choice % len(self.pair.texts)]
            self.pair.write([(row_id, text, start, length, authority)])

    @rule(batch=st.lists(WRITES, min_size=2, max_size=3, unique_by=lambda w: w[0] or object()))
    def write_batch(self, batch: list[Write]) -> None:
        self.pair.write(batch)

    @rule(key=KEYS, start=STARTS)
    def retract(self, key: int, start: int | None) -> None:
        self.pair.retract(key, start)

    @rule(choice=CHOICES, retire=st.booleans())
    def delete(self, choice: int, retire: bool) -> None:
        self.pair.delete(choice, retire)

    @rule(choice=CHOICES, write=WRITES, start=st.integers(-9, -1))
    def delete_and_tell_again(self, choice: int, write: Write, start: int) -> None:
        self.pair.delete(choice, retire=True)
        self.write_again(write[0] or "a", choice, start, write[3], write[4])

    @rule(choice=CHOICES, by_document=st.booleans())
    def undo(self, choice: int, by_document: bool) -> None:
        self.pair.undo(choice, by_document)

    @invariant()
    def agrees(self) -> None:
        self.pair.check_agreement()
        self.pair.check_retractions()
        self.pair.check_hulls()
        self.pair.check_current()
        self.pair.check_known_at()
        self.pair.check_oracle()

    def teardown(self) -> None:
        if hasattr(self, "pair"):
            self.pair.check_oracle(everywhere=True)


class RankedMachine(LedgerMachine):
    ranked = True


def _run(machine: type[LedgerMachine], runs: int) -> None:
    machine.runs = 0
    options = settings(
        max_examples=runs, stateful_step_count=12, deadline=None, derandomize=True, database=None,
        suppress_health_check=list(HealthCheck), report_multiple_bugs=False,
        phases=[Phase.generate],  # add Phase.shrink for a short history; it takes minutes
    )  # fmt: skip
    run_state_machine_as_test(machine, settings=options)
    assert machine.runs >= runs


@pytest.mark.parametrize("runs", [100, pytest.param(1000, marks=pytest.mark.slow)])
def test_incremental_and_reference_ledgers_agree_with_the_rules(runs: int) -> None:
    _run(LedgerMachine, runs)


@pytest.mark.parametrize("runs", [100, pytest.param(1000, marks=pytest.mark.slow)])
def test_ledgers_agree_where_authority_goes_before_dates(runs: int) -> None:
    """The same holds with ranks, of what ended too: a higher authority counts for as long as its document says it."""
    _run(RankedMachine, runs)
