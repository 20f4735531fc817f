"""Several clients of one `chroma run`: there is no lock, so readers and later writes put right what collides."""

import threading
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import pytest

from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.chroma.fields import decode
from tests.stateful.opening import collection_at, open_afresh, open_store, store_at
from tests.stateful.toy import TestClock, answers, moment, nearest, read, vector, write

from .conftest import Worker
from .faulty import FaultyCollection, InjectedFaultError, Instead, left_pending

MINUTE = 60_000_000


class Served:
    """A collection on a server, and a clock far from the epoch."""

    def __init__(self, port: int) -> None:
        self.port, self.name, self.clock = port, f"served-{uuid.uuid4().hex}", TestClock(1_700_000_000_000_000)

    def open(self) -> TemporalCollection:
        return open_afresh(FaultyCollection(collection_at(self.port, self.name)), self.clock)

    def write(self, store: TemporalCollection, **texts: str) -> None:
        """Write; then the clock ticks."""
        write(store, **texts)
        self.clock.advance(10)

    def write_in_part(self, store: TemporalCollection, **texts: str) -> None:
        store.session.collection.calls, store.session.collection.fail_at = 0, 2
        with pytest.raises(InjectedFaultError):
            write(store, **texts)
        store.session.collection.fail_at = 0
        self.clock.advance(10)

    def collide(self, one: Any, two: Any, first: dict[str, str], second: dict[str, str], ahead: int = 0) -> None:
        """Let `two`, whose clock is ahead, write after `one` has looked up what is there, and before it writes."""

        def meanwhile(point: str) -> None:
            one.session.collection.watch = None
            self.clock.advance(ahead)
            write(two, **second)
            self.clock.advance(-ahead)

        one.session.collection.watch = meanwhile
        write(one, **first)
        self.clock.advance(100)


@pytest.fixture
def served(chroma_server: int) -> Served:
    return Served(chroma_server)


def rows_of(store: TemporalCollection) -> list[Any]:
    raw = store.session.collection.get(include=["metadatas"])
    return [decode(i, m) for i, m in zip(raw["ids"], raw["metadatas"], strict=True)]


def test_a_collision_on_a_key_shows_one_value_and_the_next_write_heals(served: Served) -> None:
    one, two = served.open(), served.open()
    served.write(one, a="k1=a")
    served.collide(one, two, {"b": "k1=b"}, {"c": "k1=c"})
    stated = [a for row in rows_of(one) for f in row.facts for a in f.assertions]
    prevails = max(stated, key=lambda a: a.rank).value
    for store in (one, two, served.open()):
        found = read(store)  # `count` looks at no values: it counts both until the next write heals it
        assert (found["get"], found["query"]) == ([f"k1={prevails}"], [f"k1={prevails}"])
        for value in "bc":  # also where the loser is the nearest
            found = store.query(query_embeddings=[vector(f"k1={value}")], n_results=1)
            assert found["documents"] == [[f"k1={prevails}"]]
    write(two, d="k1=d")
    for store in (one, two, served.open()):
        assert read(store) == answers("k1=d")
    assert one.verify() == []


@pytest.mark.parametrize("ahead", [-30, 0, 30], ids=["behind", "at once", "ahead"])
@pytest.mark.parametrize("base", [{}, {"a": "k1=a"}], ids=["a new key", "a known key"])
def test_verify_mends_untold_a_collision_readers_see_through(served: Served, base: dict[str, str], ahead: int) -> None:
    """What two clients left open, whichever clock is ahead, is no line; `verify(repair=True)` closes it for good."""
    one, two = served.open(), served.open()
    if base:
        write(one, **base)
    served.clock.advance(100)
    served.collide(one, two, {"b": "k1=b; k3=b"}, {"c": "k1=c; k2=c"}, ahead)
    seen = read(one)
    assert one.verify() == two.verify() == []
    assert two.verify(repair=True) == []
    assert read(served.open()) == {**seen, "count": len(seen["get"])}
    live = sorted(i for row in rows_of(two) for f in row.facts if f.subject == "k1" for i in f.live)
    assert all(a.end <= b.start for a, b in pairwise(live)), live


def test_a_collision_on_an_id_shows_one_version_and_the_next_write_heals(served: Served) -> None:
    one, two = served.open(), served.open()
    served.write(one, a="k1=a")
    served.collide(one, two, {"a": "k1=b"}, {"a": "k1=c"})
    seen = read(one)
    assert seen in (answers("k1=b"), answers("k1=c"))
    assert read(two) == read(served.open()) == seen
    assert two.verify() == []
    assert two.verify(repair=True) == []
    assert read(two) == read(served.open()) == seen
    write(two, a="k1=d")
    for store in (one, two, served.open()):
        assert read(store) == answers("k1=d")


class Straddled(Instead):
    """A chromadb collection; right after the n-th call of a read something happens elsewhere."""

    def __init__(self, raw: Any, n: int, meanwhile: Callable[[], object]) -> None:
        super().__init__(raw, **dict.fromkeys(("get", "query", "count"), self._counted))
        self.left, self.meanwhile = n, meanwhile

    def _counted(self, call: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        found = call(*args, **kwargs)
        self.left -= 1
        if self.left == 0:
            self.meanwhile()
        return found


@contextmanager
def paused(store: TemporalCollection, change: int, **written: Any) -> Iterator[Callable[[], None]]:
    """Let a store write, and pause before its n-th change; yields what lets it go on and waits for its end."""
    begun, going_on = threading.Event(), threading.Event()

    def pause(point: str) -> None:
        if point.startswith(f"before change {change},"):
            begun.set()
            assert going_on.wait(60)

    def go_on() -> None:
        going_on.set()
        writer.join()

    store.session.collection.calls, store.session.collection.watch = 0, pause
    writer = threading.Thread(target=write, args=(store,), kwargs=written)
    writer.start()
    assert begun.wait(60)
    try:
        yield go_on
    finally:
        go_on()
    store.session.collection.watch = None


def each_call(served: Served, writer: TemporalCollection, **begun: str) -> Iterator[Straddled]:
    """Yield what to read from when these texts are written; something happens behind its first call, its second, ..."""
    raw = served.open().session.collection
    for n in range(1, 40):
        served.write(writer, **begun)
        yield (reading := Straddled(raw, n, lambda: None))
        writer.delete(ids=["a", "b", "c", "d"])
        served.clock.advance(10)
        if reading.left > 0:
            return
    raise AssertionError("a read of forty calls")


READS: dict[str, Callable[[TemporalCollection], Any]] = {
    "get": lambda store: sorted(store.get()["documents"]),
    "ids": lambda store: sorted(store.get(ids=["a", "b", "c", "d"])["documents"]),
    "query": lambda store: sorted(nearest(store, 9)),
    "count": lambda store: store.count(),
}


@pytest.mark.parametrize("change", [1, 2], ids=["a whole write", "its second call"])
@pytest.mark.parametrize("way", READS)
def test_a_read_sees_the_write_of_another_client_wholly_or_not_at_all(served: Served, way: str, change: int) -> None:
    """Whatever call of a read it falls behind: two keys change at once, and a reader is told both old or both new."""
    two = served.open()
    for reading in each_call(served, two, a="k1=a", b="k2=b"):
        n, before = reading.left, READS[way](two)
        earlier = served.clock.now - 5  # a reader who began before it asks about a time at which it holds
        with paused(two, change, valid_from=earlier, c="k1=c", d="k2=d") as reading.meanwhile:
            found = READS[way](open_store(reading, served.clock))
        after = READS[way](two)
        assert way == "count" or after == ["k1=c", "k2=d"]
        assert found in (before, after), (n, found)


@pytest.mark.parametrize("known", [False, True], ids=["now", "known then"])
def test_a_version_with_fewer_facts_written_amid_a_read_fails_nothing(served: Served, known: bool) -> None:
    """A row that was read, and looked up again among those of its keys, may be another version by then."""
    two = served.open()
    for reading in each_call(served, two, a="k1=a; k2=b"):
        asked = {"known_at": moment(served.clock.now)} if known else {}
        reading.meanwhile = lambda: write(two, a="k1=c")
        found = open_store(reading, served.clock).get(ids=["a"], **asked)["documents"]
        assert found in (["k1=a; k2=b"], ["k1=c"])


def test_a_search_of_what_nobody_disputes_is_one_call(served: Served) -> None:
    """Once it was looked at, what no write under way can dispute is served by a single call, until it changes."""
    one, two = served.open(), served.open()
    write(two, a="k1=a", b="k2=b")
    served.clock.advance(2 * MINUTE)
    calls = Straddled(one.session.collection, 0, lambda: None)
    reader = open_store(calls, served.clock)
    for said in (["k1=a", "k2=b"], ["k1=c", "k2=b"]):
        assert sorted(nearest(reader, 2)) == said
        calls.left = 1
        assert sorted(nearest(reader, 2)) == said
        assert calls.left == 0
        write(two, c="k1=c")
        served.clock.advance(2 * MINUTE)


@pytest.mark.parametrize("text", ["k1=b", "k1=b; more"])
@pytest.mark.parametrize("target", ["a", "b"], ids=["a new version", "a new row"])
def test_what_a_dead_client_left_is_taken_back(served: Served, target: str, text: str) -> None:
    """A client that died within a write is as if it had not written: for readers at once, for good after a while."""
    one, two = served.open(), served.open()
    served.write(one, a="k1=a")
    served.write_in_part(one, **{target: text})
    assert read(two) == read(served.open()) == answers("k1=a")
    assert two.verify() == served.open().verify() == []
    served.clock.advance(2 * MINUTE)
    assert two.verify() == []
    three = served.open()
    write(three, c="k2=c")
    assert read(two) == read(three) == answers("k1=a", "k2=c")
    assert left_pending(three.session.collection) == []
    assert three.verify() == []


def test_a_client_whose_write_failed_recovers_by_itself(served: Served) -> None:
    one = served.open()
    served.write(one, a="k1=a")
    served.write_in_part(one, a="k1=b")
    write(one, a="k1=b")
    assert read(one) == read(served.open()) == answers("k1=b")
    served.clock.advance(2 * MINUTE)
    again = served.open()
    write(again, c="k2=c")
    assert read(again) == answers("k1=b", "k2=c")
    assert again.verify() == []


def test_two_processes_write_through_the_server(chroma_server: int, start_worker: Callable[..., Worker]) -> None:
    one, two = start_worker(chroma_server), start_worker(chroma_server)
    for n in range(6):
        one.tell("write", texts={f"one{n}": f"k1={n}"})
        two.tell("write", texts={f"two{n}": f"k2={n}"})
        assert one.answer() == {"ids": [f"one{n}"]}
        assert two.answer() == {"ids": [f"two{n}"]}
    want = answers("k1=5", "k2=5")
    assert one.ask("read") == two.ask("read") == want
    assert one.ask("verify") == {"found": []}


KEYS = [f"k{n}" for n in range(50)]
TURNS = 8


def check_at_rest(store: TemporalCollection, written: dict[str, str]) -> None:
    """Every acknowledged text is there, by listing and by search, and each key has one value, by both."""
    stored = store.get(include_superseded=True)
    assert dict(zip(stored["ids"], stored["documents"], strict=True)) == written
    assert sorted(nearest(store, len(written) + 10, include_superseded=True)) == sorted(written.values())
    served = store.get()["documents"]
    assert Counter(document.split("=")[0] for document in served) == Counter(KEYS)
    assert sorted(nearest(store, len(written) + 10)) == sorted(served)


@pytest.mark.slow
def test_four_processes_on_one_server(served: Served, start_worker: Callable[..., Worker]) -> None:
    """Four clients write the same fifty keys without a lock: nothing is lost, and at rest each has one value.

    Readers read again while others write, a few times, unless writes follow one another faster than a read takes, each
    time. Then of a key that is being written a reader may miss the value, or get two, until it reads again; it never
    gets one that was not written.
    """
    written = {f"{key}-first": f"{key}=first" for key in KEYS}
    reading = store_at(served.port, served.name)
    write(reading, **written)
    workers = [start_worker(served.port, name=served.name) for _ in range(4)]
    for turn in range(TURNS):
        for n, worker in enumerate(workers):
            keys = (KEYS * 2)[turn * 10 % len(KEYS) :][:10]
            own = {f"{key}-w{n}-n{turn}": f"{key}=w{n}n{turn}" for key in keys}
            worker.tell("write", texts=own)
            written |= own
    known = set(written.values())
    done = threading.Event()

    def reader() -> None:
        while not done.is_set():
            for found in (reading.get()["documents"], nearest(reading, 2 * len(KEYS))):
                assert set(found) <= known

    with ThreadPoolExecutor(1) as pool:
        watching = pool.submit(reader)
        try:
            for _ in range(TURNS):
                for worker in workers:
                    assert "ids" in (told := worker.answer()), told
        finally:
            done.set()
        watching.result()
    for store in (reading, store_at(served.port, served.name)):
        check_at_rest(store, written)
    last = {f"{key}-last": f"{key}=last" for key in KEYS}
    write(store_at(served.port, served.name), **last)
    for store in (reading, store_at(served.port, served.name)):
        check_at_rest(store, written | last)
        assert sorted(store.get()["documents"]) == sorted(last.values())
        assert store.count() == len(KEYS)
        assert store.verify() == []
