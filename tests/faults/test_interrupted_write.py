"""The n-th change fails, for every n: a write is seen wholly or not at all, and recovery loses nothing."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any

import chromadb
import pytest

from memstrata_integrations.chroma import state as _state
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.chroma.fields import PENDING, SHADOW, TO
from memstrata_integrations.chroma.plan import Origin
from memstrata_integrations.chroma.writing import Writer
from tests.stateful.toy import TestClock, moment, vector

from .faulty import (
    LIMIT,
    FaultyCollection,
    InjectedFaultError,
    View,
    compare,
    compare_each,
    fail_in_the_history_too,
    open_afresh,
    open_elsewhere,
    open_store,
    view,
)

START = 1_000_000
TICK = 10


def write(store: TemporalCollection, *texts: tuple[str, str], start: int | None = None, tag: str = "") -> Any:
    """Write (id, text) pairs in one call."""
    return store.write(
        [text for _, text in texts],
        ids=[row_id for row_id, _ in texts],
        embeddings=[vector(text) for _, text in texts],
        metadatas=[{"tag": tag or "t"} for _ in texts],
        valid_from=None if start is None else moment(start),
    )


@dataclass(frozen=True)
class Scenario:
    """Acknowledged writes, before each of which the clock ticks, and the operation that is interrupted."""

    name: str
    given: tuple[Callable[[TemporalCollection], Any], ...]
    then: Callable[[TemporalCollection, list[Any]], Any]  # gets the store, and what `given` returned
    options: dict[str, Any] = field(default_factory=dict)
    stock: tuple[tuple[str, str], ...] = ()  # (id, text) of rows that stock code wrote before

    def __str__(self) -> str:
        return self.name


def _base(store: TemporalCollection) -> Any:
    return write(store, ("a", "k1=x"), ("b", "k2=x; more"), ("c", "k1=x; k2=x"), ("d", "prose"))


def _batch(store: TemporalCollection) -> Any:
    return write(store, ("a", "k1=y"), ("e", "k2=y"))


def _version(store: TemporalCollection, version: str, *parts: tuple[str, str]) -> Any:
    """Write the parts of one version of a document, which take the place of those of another one."""
    items = store.session.read(
        [text for _, text in parts],
        ids=[row_id for row_id, _ in parts],
        embeddings=[vector(text) for _, text in parts],
        metadatas=[{"document": "page", "version": version} for _ in parts],
    )
    for item in items:
        item.origin = Origin("document", "page", version, lambda metadata: (metadata or {}).get("version"))
    return store.session.write(items)


def _page(store: TemporalCollection) -> Any:
    return _version(store, "h1", ("a", "k1=x"), ("b", "k2=x"), ("c", "prose"))


def _compact(store: TemporalCollection) -> Any:
    assert store.compact() > 0


SCENARIOS = [
    Scenario("rows that close nothing", (_base,), lambda s, _: write(s, ("e", "k3=x"), ("f", "words"))),
    Scenario("rows that begin later", (_base,), lambda s, _: write(s, ("e", "k3=x"), ("f", "k4=x"), start=START + 500)),
    Scenario("rows that close others", (_base,), lambda s, _: write(s, ("e", "k1=y"), ("f", "k4=y"))),
    Scenario("a late row", (_base,), lambda s, _: write(s, ("e", "k1=y"), start=START - 500)),
    Scenario("a new version", (_base,), lambda s, _: write(s, ("a", "k1=y; more"))),
    Scenario("a new version of prose", (_base,), lambda s, _: write(s, ("d", "other prose"), tag="u")),
    Scenario("new versions, new rows and a confirmation", (_base,),
        lambda s, _: write(s, ("a", "k1=y"), ("b", "k2=x; more"), ("e", "k5=x"))),
    Scenario("more than one batch", (_base,),
        lambda s, _: write(s, *((f"n{n}", f"k1=y; k{n + 5}=z") for n in range(9)))),
    Scenario("an older version", (_base,), lambda s, _: write(s, ("a", "k1=w"), start=START - 500)),
    Scenario("the same again", (_base, _batch), lambda s, _: write(s, ("c", "k1=x; k2=x"), tag="u")),
    Scenario("the leader of an earlier batch is rewritten", (_base, _batch), lambda s, _: write(s, ("a", "k1=z"))),
    Scenario("a follower of an earlier batch is rewritten", (_base, _batch), lambda s, _: write(s, ("e", "k2=z"))),
    Scenario("an earlier batch is closed", (_base, _batch), lambda s, _: write(s, ("f", "k1=z; k2=z"))),
    Scenario("a batch is rewritten in another order", (_base, _batch),
        lambda s, _: write(s, ("e", "k2=z"), ("a", "k1=z"))),
    Scenario("a retraction", (_base,), lambda s, _: s.retract("k1")),
    Scenario("a deletion", (_base, _batch), lambda s, _: s.delete(ids=["a", "e"])),
    Scenario("a deletion of a survivor", (_base, _batch), lambda s, _: s.delete(ids=["c"])),
    Scenario("a deletion that keeps history", (_base, _batch), lambda s, _: s.delete(ids=["a"]),
        {"on_delete": "retire"}),
    Scenario("an undo of rows", (_base, lambda s: write(s, ("e", "k1=y"))), lambda s, given: s.undo(given[1])),
    Scenario("an undo of a version", (_base, lambda s: write(s, ("d", "other prose"))),
        lambda s, given: s.undo(given[1])),
    Scenario("an undo of versions and rows", (_base, _batch), lambda s, given: s.undo(given[1])),
    Scenario("an undo by document", (_base, _batch), lambda s, _: s.undo("a")),
    Scenario("metadata alone", (_base, _batch), lambda s, _: s.update(ids=["b"], metadatas=[{"tag": "u"}])),
    Scenario("a document through update", (_base,), lambda s, _: _update(s)),
    Scenario("a stock row is replaced", (), lambda s, _: write(s, ("a", "k1=y")), stock=(("a", "k1=x"), ("b", "more"))),
    Scenario("a version of a document, of new parts", (_page,),
        lambda s, _: _version(s, "h2", ("d", "k1=y"), ("e", "k2=x"), ("f", "other prose"))),
    Scenario("a version of a document, of parts under the same ids", (_page,),
        lambda s, _: _version(s, "h2", ("a", "k1=y"), ("b", "k2=x"), ("c", "other prose"))),
    Scenario("a compaction", (_base, _batch), lambda s, _: s.compact()),
    Scenario("a second compaction", (_base, _batch, _compact, lambda s: write(s, ("f", "k1=z; k2=z"))),
        lambda s, _: s.compact()),
    Scenario("a late row after a compaction", (_base, _batch, _compact),
        lambda s, _: write(s, ("f", "k1=w"), start=START + 12)),
    Scenario("a version that was compacted", (_base, _batch, _compact), lambda s, _: write(s, ("c", "k1=z; k2=z"))),
    Scenario("an undo after a compaction", (_base, _batch, _compact), lambda s, given: s.undo(given[1])),
    Scenario("a deletion after a compaction", (_base, _batch, _compact), lambda s, _: s.delete(ids=["a", "c"])),
    Scenario("metadata alone after a compaction", (_base, _batch, _compact),
        lambda s, _: s.update(ids=["c"], metadatas=[{"tag": "u"}])),
    Scenario("an adoption", (), lambda s, _: s.adopt(progress=False), stock=(("a", "k1=x"), ("b", "k1=y"))),
]  # fmt: skip


def _update(store: TemporalCollection) -> None:
    store.update(ids=["a"], documents=["k1=y"], embeddings=[vector("k1=y")])


class Run:
    """One collection with a scenario's acknowledged writes."""

    _serial: Iterator[int] = itertools.count()

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.client = chromadb.EphemeralClient()
        self.raw = self.client.create_collection(f"faults-{next(self._serial)}", embedding_function=None)
        if scenario.stock:
            self.raw.add(
                ids=[i for i, _ in scenario.stock],
                documents=[text for _, text in scenario.stock],
                embeddings=[vector(text) for _, text in scenario.stock],
            )
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

    def close(self) -> None:
        """Drop the collection."""
        self.client.delete_collection(self.raw.name)

    def operate(self) -> None:
        """Run the operation."""
        self.scenario.then(self.store, self.given)

    def look(self, store: TemporalCollection | None = None) -> View:
        """Return what a reader sees; by default one of the same process."""
        return view(store or self.store, self.instants, self.known_at)

    def elsewhere(self) -> TemporalCollection:
        """Return a reader of another process."""
        return open_elsewhere(self.raw, self.clock, **self.scenario.options)

    def reopen(self, collection: Any = None) -> TemporalCollection:
        """Open it as a new process does."""
        self.store = open_afresh(self.raw if collection is None else collection, self.clock, **self.scenario.options)
        return self.store

    def check_healed(self, allowed: list[View], where: str) -> None:
        """After one harmless write nothing is left of the interruption, and it is seen wholly or not at all."""
        state = compare(self.look(self.reopen()), allowed, f"{where}, opened afresh")
        self.clock.advance(TICK)
        write(self.store, ("noise", "noise"))
        self.check_clean(where)
        assert compare(self.look(), allowed, f"{where}, recovered") >= state, where
        compare(self.look(self.reopen()), allowed, f"{where}, recovered and opened again")

    def check_clean(self, where: str) -> None:
        """Nothing is pending, and what is stored is what the rules derive."""
        stored = self.raw.get(include=["metadatas"])
        left = [
            i
            for i, m in zip(stored["ids"], stored["metadatas"], strict=True)
            if m and (m.get(TO) == PENDING or SHADOW in m)
        ]
        assert left == [], f"{where}: left behind {left}"
        assert self.store.verify() == [], where


@dataclass(frozen=True)
class Clean:
    """What an undisturbed run showed: the view after each acknowledged part, and how many changes it took."""

    allowed: list[View]
    changes: int


@pytest.fixture(autouse=True)
def _small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shrink batches, so that splitting runs; a history fails like its collection."""
    monkeypatch.setattr(Writer, "batch_limit", lambda self: LIMIT)
    fail_in_the_history_too(monkeypatch)


QUICK = [
    "rows that close others", "a new version", "more than one batch", "an earlier batch is closed", "a retraction",
    "a deletion that keeps history", "an undo of versions and rows", "an adoption",
    "a version of a document, of new parts",
]  # fmt: skip
"""One scenario of each kind; the others are variations."""


@pytest.fixture(params=[pytest.param(s, marks=[] if s.name in QUICK else pytest.mark.slow) for s in SCENARIOS], ids=str)
def scenario(request: pytest.FixtureRequest) -> Scenario:
    """Each scenario in turn."""
    return request.param


@pytest.fixture
def start_run(scenario: Scenario) -> Iterator[Callable[[], Run]]:
    """Start runs of the scenario; they are dropped after the test."""
    runs: list[Run] = []

    def start() -> Run:
        _state._states.clear()
        runs.append(Run(scenario))
        return runs[-1]

    yield start
    for run in runs:
        run.close()


@pytest.fixture
def clean(start_run: Callable[[], Run], monkeypatch: pytest.MonkeyPatch) -> Clean:
    """The scenario without a fault."""
    run = start_run()
    allowed = [run.look()]
    commit = Writer.commit

    def watched(writer: Writer, *args: Any, **kwargs: Any) -> None:
        commit(writer, *args, **kwargs)
        allowed.append(run.look())

    with monkeypatch.context() as patch:
        patch.setattr(Writer, "commit", watched)
        run.operate()
    allowed.append(run.look())
    run.check_clean("without a fault")
    return Clean([v for n, v in enumerate(allowed) if v not in allowed[:n]], run.faulty.calls)


def each_fault(changes: int) -> Iterator[tuple[int, bool]]:
    """Yield every (which change fails, whether it takes effect first)."""
    yield from itertools.product(range(1, changes + 1), (False, True))


def interrupted(start_run: Callable[[], Run], changes: int) -> Iterator[tuple[Run, str]]:
    """Yield a run that was cut off at each change, before and after it took effect, and where that was."""
    for fail_at, after in each_fault(changes):
        run = start_run()
        run.faulty.fail_at, run.faulty.after = fail_at, after
        with pytest.raises(InjectedFaultError):
            run.operate()
        run.faulty.fail_at = 0
        yield run, f"change {fail_at} failed {'after' if after else 'before'} it took effect"


def test_readers_elsewhere_never_see_half_a_write(start_run: Callable[[], Run], clean: Clean) -> None:
    """Before and after each change of a write, a reader in another process sees it wholly or not at all."""
    run = start_run()
    reached = [0]

    def watch(point: str) -> None:
        state = compare(run.look(run.elsewhere()), clean.allowed, point)
        assert state >= reached[-1], f"{point}: what was seen is gone"
        reached.append(state)

    run.faulty.watch = watch
    run.operate()
    run.faulty.watch = None
    assert compare(run.look(), clean.allowed, "at the end") == len(clean.allowed) - 1


def test_reading_threads_never_see_half_a_write(start_run: Callable[[], Run], clean: Clean) -> None:
    """Each read of another thread, begun before or after any change of a write, shows it wholly or not at all."""
    run = start_run()
    views = []
    with ThreadPoolExecutor(8) as threads:

        def watch(point: str) -> None:
            views.append((point, threads.submit(run.look)))
            wait([views[-1][1]], timeout=0.1)  # it may have to wait for the writer

        run.faulty.watch = watch
        run.operate()
        run.faulty.watch = None
        for point, reading in views:
            compare_each(reading.result(timeout=30), clean.allowed, point)


def test_a_failed_change_leaves_a_write_whole_or_undone(start_run: Callable[[], Run], clean: Clean) -> None:
    """Whichever change fails, every reader sees the write wholly or not at all, before and after recovery."""
    for run, where in interrupted(start_run, clean.changes):
        compare(run.look(), clean.allowed, f"{where}, in the same process")
        compare(run.look(run.elsewhere()), clean.allowed, f"{where}, in another process")
        assert run.elsewhere().verify() == [], where
        run.check_healed(clean.allowed, where)


def test_verify_finishes_what_was_cut_off(start_run: Callable[[], Run], clean: Clean) -> None:
    """`verify(repair=True)` leaves nothing pending, in the same process and in a new one, and no line."""
    for afresh in (False, True):
        for run, where in interrupted(start_run, clean.changes):
            store = run.reopen() if afresh else run.store
            assert store.verify(repair=True) == [], where
            run.check_clean(where)
            compare(run.look(), clean.allowed, where)


def test_the_same_process_recovers_with_its_next_write(start_run: Callable[[], Run], clean: Clean) -> None:
    """A process whose write failed heals the collection with its next write, without being opened again."""
    for run, where in interrupted(start_run, clean.changes):
        run.clock.advance(TICK)
        write(run.store, ("noise", "noise"))
        run.check_clean(where)
        compare(run.look(), clean.allowed, where)


@pytest.mark.slow
def test_an_interrupted_recovery_is_taken_up_again(start_run: Callable[[], Run], clean: Clean) -> None:
    """Recovery that fails at any change leaves readers what they saw, and the next one completes it."""
    for broken in range(1, clean.changes + 1):
        for fail_at, after in each_fault(8):
            run = start_run()
            where = f"change {broken} left undone, recovery change {fail_at} failed {'after' if after else 'before'}"
            run.faulty.fail_at = broken
            with pytest.raises(InjectedFaultError):
                run.operate()
            recovering = FaultyCollection(run.raw, fail_at=fail_at, after=after)
            run.reopen(recovering)
            run.clock.advance(TICK)
            try:
                write(run.store, ("noise", "noise"))
            except InjectedFaultError:
                compare(run.look(), clean.allowed, f"{where}, in the same process")
                compare(run.look(run.elsewhere()), clean.allowed, f"{where}, in another process")
            run.check_healed(clean.allowed, where)
            if recovering.calls < fail_at:
                break
