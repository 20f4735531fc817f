"""The n-th change fails, for every n: a write is seen wholly or not at all, and recovery or `verify` loses nothing."""

import itertools
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from unittest.mock import patch

import chromadb
import pytest

from memstrata_integrations.chroma import state as _state
from memstrata_integrations.chroma import tombstones
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.chroma.fields import FROM, TO
from memstrata_integrations.chroma.writing import Writer
from tests.stateful.opening import in_memory, open_afresh, open_store
from tests.stateful.toy import TestClock, vector, write, write_version

from .faulty import (
    LIMIT,
    FaultyCollection,
    InjectedFaultError,
    View,
    compare,
    compare_each,
    fail_in_the_history_too,
    left_pending,
    open_elsewhere,
    view,
)

START = 1_000_000
TICK = 10


@dataclass(frozen=True)
class Scenario:
    """Acknowledged writes, before each of which the clock ticks, and the operation that is interrupted."""

    name: str
    given: tuple[Callable[[TemporalCollection], Any], ...]
    then: Callable[[TemporalCollection, list[Any]], Any]  # gets the store, and what `given` returned
    options: dict[str, Any] = field(default_factory=dict)
    stock: dict[str, str] = field(default_factory=dict)  # texts by id that stock code wrote before
    quick: bool = False  # one scenario of each kind is; the others are variations


def writes(*, start: int | None = None, tag: str = "t", **texts: str) -> Callable[..., Any]:
    return lambda store, *_: write(store, {"tag": tag}, valid_from=start, **texts)


def version(name: str, **parts: str) -> Callable[..., Any]:
    return lambda store, *_: write_version(store, "page", name, **parts)


def _compact(store: TemporalCollection) -> None:
    assert store.compact() > 0


NOISE = writes(noise="noise")
BASE = writes(a="k1=x", b="k2=x; more", c="k1=x; k2=x", d="prose")
BATCH = writes(a="k1=y", e="k2=y")
PAGE = version("h1", a="k1=x", b="k2=x", c="prose")
SCENARIOS = [
    Scenario("rows that close nothing", (BASE,), writes(e="k3=x", f="words")),
    Scenario("rows that begin later", (BASE,), writes(e="k3=x", f="k4=x", start=START + 500)),
    Scenario("rows that close others", (BASE,), writes(e="k1=y", f="k4=y"), quick=True),
    Scenario("a late row", (BASE,), writes(e="k1=y", start=START - 500)),
    Scenario("a new version", (BASE,), writes(a="k1=y; more"), quick=True),
    Scenario("a new version of prose", (BASE,), writes(d="other prose", tag="u")),
    Scenario("new versions, new rows and a confirmation", (BASE,), writes(a="k1=y", b="k2=x; more", e="k5=x")),
    Scenario("more than one batch", (BASE,), writes(**{f"n{n}": f"k1=y; k{n + 5}=z" for n in range(9)}), quick=True),
    Scenario("an older version", (BASE,), writes(a="k1=w", start=START - 500)),
    Scenario("the same again", (BASE, BATCH), writes(c="k1=x; k2=x", tag="u")),
    Scenario("the leader of an earlier batch is rewritten", (BASE, BATCH), writes(a="k1=z")),
    Scenario("a follower of an earlier batch is rewritten", (BASE, BATCH), writes(e="k2=z")),
    Scenario("an earlier batch is closed", (BASE, BATCH), writes(f="k1=z; k2=z"), quick=True),
    Scenario("a batch is rewritten in another order", (BASE, BATCH), writes(e="k2=z", a="k1=z")),
    Scenario("a retraction", (BASE,), lambda s, _: s.retract("k1"), quick=True),
    Scenario("a deletion", (BASE, BATCH), lambda s, _: s.delete(ids=["a", "e"])),
    Scenario("a deletion of a survivor", (BASE, BATCH), lambda s, _: s.delete(ids=["c"])),
    Scenario("a deletion that keeps history", (BASE, BATCH), lambda s, _: s.delete(ids=["a"]),
        {"on_delete": "retire"}, quick=True),
    Scenario("an undo of rows", (BASE, writes(e="k1=y")), lambda s, given: s.undo(given[1])),
    Scenario("an undo of a version", (BASE, writes(d="other prose")), lambda s, given: s.undo(given[1])),
    Scenario("an undo of versions and rows", (BASE, BATCH), lambda s, given: s.undo(given[1]), quick=True),
    Scenario("an undo by document", (BASE, BATCH), lambda s, _: s.undo("a")),
    Scenario("metadata alone", (BASE, BATCH), lambda s, _: s.update(ids=["b"], metadatas=[{"tag": "u"}])),
    Scenario("a document through update", (BASE,),
        lambda s, _: s.update(ids=["a"], documents=["k1=y"], embeddings=[vector("k1=y")])),
    Scenario("a stock row is replaced", (), writes(a="k1=y"), stock={"a": "k1=x", "b": "more"}),
    Scenario("a version of a document, of new parts", (PAGE,),
        version("h2", d="k1=y", e="k2=x", f="other prose"), quick=True),
    Scenario("a version of a document, of parts under the same ids", (PAGE,),
        version("h2", a="k1=y", b="k2=x", c="other prose")),
    Scenario("a compaction", (BASE, BATCH), lambda s, _: s.compact()),
    Scenario("a second compaction", (BASE, BATCH, _compact, writes(f="k1=z; k2=z")), lambda s, _: s.compact()),
    Scenario("a late row after a compaction", (BASE, BATCH, _compact), writes(f="k1=w", start=START + 12)),
    Scenario("a version that was compacted", (BASE, BATCH, _compact), writes(c="k1=z; k2=z")),
    Scenario("an undo after a compaction", (BASE, BATCH, _compact), lambda s, given: s.undo(given[1])),
    Scenario("a deletion after a compaction", (BASE, BATCH, _compact), lambda s, _: s.delete(ids=["a", "c"])),
    Scenario("metadata alone after a compaction", (BASE, BATCH, _compact),
        lambda s, _: s.update(ids=["c"], metadatas=[{"tag": "u"}])),
    Scenario("an adoption", (), lambda s, _: s.adopt(progress=False), stock={"a": "k1=x", "b": "k1=y"}, quick=True),
]  # fmt: skip


class Run:
    """One collection with a scenario's acknowledged writes."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.raw = in_memory()
        if scenario.stock:
            ids, texts = list(scenario.stock), list(scenario.stock.values())
            self.raw.add(ids=ids, documents=texts, embeddings=[vector(text) for text in texts])
        self.clock = TestClock(START)
        self.faulty = FaultyCollection(self.raw)
        self.store = open_store(self.faulty, self.clock, **scenario.options)
        self.given = []
        for step in scenario.given:
            self.clock.advance(TICK)
            self.given.append(step(self.store))
        self.known_at = self.clock.now + 5
        self.clock.advance(TICK)
        self.faulty.calls = 0
        now = self.clock.now
        self.instants = [START - 100, now - 1, now + 4, now + 600]

    def operate(self, watch: Callable[[str], None] | None = None) -> None:
        self.faulty.watch = watch
        self.scenario.then(self.store, self.given)
        self.faulty.watch = None

    def look(self, store: TemporalCollection | None = None) -> View:
        return view(store or self.store, self.instants, self.known_at)

    def elsewhere(self) -> TemporalCollection:
        return open_elsewhere(self.raw, self.clock, **self.scenario.options)

    def reopen(self, collection: Any = None) -> TemporalCollection:
        self.store = open_afresh(self.raw if collection is None else collection, self.clock, **self.scenario.options)
        return self.store

    def check_seen(self, allowed: list[View], where: str) -> None:
        """Readers of this process and of another one see it wholly or not at all."""
        compare(self.look(), allowed, f"{where}, in the same process")
        compare(self.look(self.elsewhere()), allowed, f"{where}, in another process")

    def check_healed(self, allowed: list[View], where: str) -> None:
        """After one harmless write nothing is left of the interruption, and it is seen wholly or not at all."""
        state = compare(self.look(self.reopen()), allowed, f"{where}, opened afresh")
        self.clock.advance(TICK)
        NOISE(self.store)
        self.check_clean(where)
        assert compare(self.look(), allowed, f"{where}, recovered") >= state, where
        compare(self.look(self.reopen()), allowed, f"{where}, recovered and opened again")

    def check_clean(self, where: str) -> None:
        """Nothing is pending, and what is stored is what the rules derive."""
        assert left_pending(self.raw) == [], where
        assert self.store.verify() == [], where


class Clean(NamedTuple):
    """What starts runs of a scenario, and of one without a fault the view after each part, and its changes."""

    start: Callable[[], Run]
    allowed: list[View]
    changes: int

    def interrupted(self) -> Iterator[tuple[Run, str]]:
        """Yield a run that was cut off at each change, before and after it took effect, and where that was."""
        for fail_at, after in itertools.product(range(1, self.changes + 1), (False, True)):
            run = self.start()
            run.faulty.fail_at, run.faulty.after = fail_at, after
            with pytest.raises(InjectedFaultError):
                run.operate()
            run.faulty.fail_at = 0
            yield run, f"change {fail_at} failed {'after' if after else 'before'} it took effect"


@pytest.fixture(autouse=True)
def _small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shrink batches, so that splitting runs; a history fails like its collection."""
    monkeypatch.setattr(Writer, "batch_limit", lambda self: LIMIT)
    fail_in_the_history_too(monkeypatch)


@pytest.fixture(params=[pytest.param(s, id=s.name, marks=[] if s.quick else pytest.mark.slow) for s in SCENARIOS])
def clean(request: pytest.FixtureRequest) -> Iterator[Clean]:
    """Each scenario without a fault; its runs are dropped after the test."""
    runs: list[Run] = []

    def start() -> Run:
        _state._states.clear()
        runs.append(Run(request.param))
        return runs[-1]

    run = start()
    allowed = [run.look()]
    commit = Writer.commit

    def watched(writer: Writer, *args: Any, **kwargs: Any) -> None:
        commit(writer, *args, **kwargs)
        allowed.append(run.look())

    with patch.object(Writer, "commit", watched):
        run.operate()
    allowed.append(run.look())
    run.check_clean("without a fault")
    yield Clean(start, [v for n, v in enumerate(allowed) if v not in allowed[:n]], run.faulty.calls)
    for run in runs:
        chromadb.EphemeralClient().delete_collection(run.raw.name)


def test_readers_elsewhere_never_see_half_a_write(clean: Clean) -> None:
    run = clean.start()
    reached = [0]

    def watch(point: str) -> None:
        state = compare(run.look(run.elsewhere()), clean.allowed, point)
        assert state >= reached[-1], f"{point}: what was seen is gone"
        reached.append(state)

    run.operate(watch)
    assert compare(run.look(), clean.allowed, "at the end") == len(clean.allowed) - 1


def test_reading_threads_never_see_half_a_write(clean: Clean) -> None:
    run = clean.start()
    views = []
    with ThreadPoolExecutor(8) as threads:

        def watch(point: str) -> None:
            views.append((point, threads.submit(run.look)))
            wait([views[-1][1]], timeout=0.1)  # it may have to wait for the writer

        run.operate(watch)
        for point, reading in views:
            compare_each(reading.result(timeout=30), clean.allowed, point)


def test_a_failed_change_leaves_a_write_whole_or_undone(clean: Clean) -> None:
    for run, where in clean.interrupted():
        run.check_seen(clean.allowed, where)
        assert run.elsewhere().verify() == [], where
        run.check_healed(clean.allowed, where)


FINISHING: dict[str, Callable[[Run], Any]] = {
    "its next write": lambda run: NOISE(run.store),
    "verify": lambda run: run.store.verify(repair=True),
    "verify of another": lambda run: run.reopen().verify(repair=True),
}


@pytest.mark.parametrize("how", FINISHING)
def test_a_process_finishes_what_was_cut_off(clean: Clean, how: str) -> None:
    """The process whose write failed does so with its next write, and `verify(repair=True)`, there and elsewhere."""
    for run, where in clean.interrupted():
        run.clock.advance(TICK)
        assert FINISHING[how](run) == [] or how == "its next write", where
        run.check_clean(where)
        compare(run.look(), clean.allowed, where)


@pytest.mark.slow
def test_an_interrupted_recovery_is_taken_up_again(clean: Clean) -> None:
    for broken in range(1, clean.changes + 1):
        for fail_at, after in itertools.product(range(1, 9), (False, True)):
            run = clean.start()
            where = f"change {broken} left undone, recovery change {fail_at} failed {'after' if after else 'before'}"
            run.faulty.fail_at = broken
            with pytest.raises(InjectedFaultError):
                run.operate()
            recovering = FaultyCollection(run.raw, fail_at=fail_at, after=after)
            run.reopen(recovering)
            run.clock.advance(TICK)
            try:
                NOISE(run.store)
            except InjectedFaultError:
                run.check_seen(clean.allowed, where)
            run.check_healed(clean.allowed, where)
            if recovering.calls < fail_at:
                break


WRONG: dict[str, tuple[str, dict[str, Any]]] = {
    "a value that is over is served": ("a", {TO: 2**63 - 1}),
    "a value that holds is not served": ("b", {TO: START + 20}),
    "its beginning is wrong": ("b", {FROM: START + 30}),
}


@pytest.mark.parametrize("which", WRONG)
def test_a_wrong_answer_is_a_line_until_it_is_mended(which: str) -> None:
    """Each row that readers are told wrongly is one line; repaired, all answers are as before it was spoilt."""
    raw, clock = in_memory(), TestClock(START)
    store = open_store(raw, clock)
    for row_id, text in (("a", "k1=a"), ("b", "k1=b; k2=b"), ("c", "prose")):
        write(store, **{row_id: text})
        clock.advance(10)
    before = store.get(), store.count(), store.get(include_superseded=True)
    row_id, fields = WRONG[which]
    raw.update(ids=[row_id], metadatas=[fields])
    stored = raw.get()
    spoilt = open_afresh(raw, clock)
    for _ in range(2):  # without repair nothing changes
        [line] = spoilt.verify()
        assert repr(row_id) in line
    assert raw.get() == stored
    assert spoilt.verify(repair=True) == []
    assert (spoilt.get(), spoilt.count(), spoilt.get(include_superseded=True)) == before
    assert spoilt.verify() == []


@pytest.mark.slow
def test_what_is_killed_amid_any_operation_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few kills of the campaign: amid versions, `sync`, `undo`, purges, adoption, compaction, or a repair."""
    monkeypatch.setitem(tombstones._COST, "n", 2)  # the campaign sets it, for its own process
    from . import kills

    outcomes = kills.campaign(4, seed=7, served=False, operations=70)
    assert outcomes.total() == 4
    assert set(outcomes) <= set(kills.GOOD), outcomes
