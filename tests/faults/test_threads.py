"""Many threads of one process: writers lose no row, and a reader sees each write wholly, whatever it falls amid."""

import logging
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.chroma.state import shared_state
from tests.stateful.opening import collection_at, open_store, store_at
from tests.stateful.toy import nearest, vector, write

from .faulty import Instead
from .test_locking import OFTEN, StartWorker, all_are_found, some

LIMIT_S = 60


def run_threads(*jobs: Callable[[], object]) -> None:
    pool = ThreadPoolExecutor(len(jobs))
    running = [pool.submit(job) for job in jobs]
    assert not wait(running, LIMIT_S).not_done, "a thread hangs"
    for one in running:
        one.result()


def run_beside(works: Callable[[], object], *reads: Callable[[], object]) -> None:
    """Do something in one thread, and in others read over and over until it is done, at least once."""
    done = threading.Event()

    def working() -> None:
        try:
            works()
        finally:
            done.set()

    def reading(read: Callable[[], object]) -> None:
        read()
        while not done.is_set():
            read()

    run_threads(working, *(partial(reading, r) for r in reads))


def test_concurrent_writers_lose_no_row(directory: Path) -> None:
    store = store_at(directory)
    keys = [f"k{n}" for n in range(1, 4)]

    def work(n: int) -> None:
        for turn in range(4):
            write(store, **{f"{n}-{turn}-{key}": f"{key}={n}{turn}" for key in keys})
        write(store, page=f"version {n}")

    run_threads(*(partial(work, n) for n in range(8)))
    everything = store.get(include_superseded=True)["documents"]
    want = [f"{key}={n}{turn}" for key in keys for n in range(8) for turn in range(4)]
    assert sorted(everything) == sorted(want + [f"version {n}" for n in range(8)])
    live = store.get()["documents"]
    assert sorted(d.partition("=")[0] for d in live if "=" in d) == keys
    assert sum(d.startswith("version") for d in live) == 1
    assert store.count() == len(live) == len(keys) + 1
    assert store.verify() == []


@pytest.mark.parametrize("same_id", [False, True], ids=["other rows", "versions of one document"])
def test_concurrent_readers_see_exactly_one_value(directory: Path, same_id: bool) -> None:
    store = store_at(directory)
    write(store, **{"0": "k1=0", "x": "k2=0"})

    def writes() -> None:
        for n in range(1, 41):
            write(store, **{"0" if same_id else str(n): f"k1={n}"})

    def one_of_each(read: Callable[[], list[str]]) -> None:
        assert sorted(text.partition("=")[0] for text in read()) == ["k1", "k2"]

    def count() -> None:
        assert store.count() == 2

    reads = (lambda: store.get()["documents"], lambda: nearest(store, 5))
    run_beside(writes, *(partial(one_of_each, r) for r in reads), count)
    assert sorted(store.get()["documents"]) == ["k1=40", "k2=0"]


def test_writers_of_several_clients_and_collections_at_once(directory: Path, start_worker: StartWorker) -> None:
    directory.mkdir()
    spelled = [str(directory), os.path.join(directory, ".")]
    stores = [store_at(s, name, **OFTEN) for name in ("shared", "shared", "beside") for s in spelled]

    def work(store: TemporalCollection, first: int) -> None:
        for n in range(first, first + 60, 6):
            write(store, **some("a", n, n + 6))
            assert len(nearest(store, 3)) == 3

    run_threads(*(partial(work, store, 100 * n) for n, store in enumerate(stores)))
    all_are_found(start_worker(directory, **OFTEN).ask("read"), 240)
    fresh = collection_at(f"{directory}{os.sep}.{os.sep}", "beside", **OFTEN)
    assert len(fresh.query(query_embeddings=[vector("target")], n_results=120)["ids"][0]) == 120


def test_a_long_write_holds_up_no_reader_of_another_collection(directory: Path) -> None:
    one, other = store_at(directory), store_at(directory, "beside")
    write(one, a="k1=a")
    write(other, b="k1=b")
    found: list[Any] = []

    def reads() -> None:
        fresh = store_at(directory, "beside")
        fresh.session.state.forget_everything()
        found.append(fresh.get()["documents"])

    waiting = threading.Thread(target=lambda: write(other, c="k1=c"))
    with one.session.writing():
        waiting.start()
        run_threads(reads)
        assert waiting.is_alive()
    waiting.join(LIMIT_S)
    assert found == [["k1=b"]]
    assert other.get()["documents"] == ["k1=c"]


def test_readers_go_on_while_an_index_is_loaded_anew(directory: Path, caplog: pytest.LogCaptureFixture) -> None:
    directory.mkdir()
    one, two = (store_at(f"{directory}{s}", **OFTEN) for s in ("", "/."))
    write(one, **some("a", 40))

    def writes() -> None:
        for n in range(12):
            write((two, one)[n % 2], **some("a", 40 + 4 * n, 44 + 4 * n))

    def reads(store: TemporalCollection) -> None:
        assert len(nearest(store, 5)) == 5
        assert len(store.get(limit=40)["ids"]) == 40
        assert store.count() >= 40

    with caplog.at_level(logging.INFO, "memstrata_integrations"):
        run_beside(writes, *(partial(reads, s) for s in (one, two, one, two)))
    assert caplog.text.count("was loaded anew") == 12


@pytest.mark.parametrize("how", ["get", "query"])
def test_no_version_written_amid_a_read_is_missed(directory: Path, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader listed ids, and then the row that it saw became the next version, not yet acknowledged."""
    raw = collection_at(directory)
    store = open_store(raw)
    write(store, **{"0": "k1=0", "x": "k2=0"})
    write(store, x="k2=1")
    stored, go_on, state = threading.Event(), threading.Event(), shared_state(raw)
    flipping = state.flipping

    def upsert(real: Callable[..., Any], **columns: Any) -> None:
        real(**columns)
        stored.set()

    def waiting() -> Any:
        assert not stored.is_set() or go_on.wait(LIMIT_S)
        return flipping()

    monkeypatch.setattr(state, "flipping", waiting)
    writes = partial(write, open_store(Instead(raw, upsert=upsert)), **{"0": "k1=1"})
    writer = threading.Thread(target=writes)

    def look(real: Callable[..., Any], **columns: Any) -> Any:
        found = real(**columns)
        if not stored.is_set():
            writer.start()
            assert stored.wait(LIMIT_S)
        return found

    reader = open_store(Instead(raw, get=look, query=look))
    try:
        found = nearest(reader, 5) if how == "query" else reader.get()["documents"]
    finally:
        go_on.set()
        writer.join(LIMIT_S)
    assert sorted(found) == ["k1=0", "k2=1"]
    assert sorted(store.get()["documents"]) == ["k1=1", "k2=1"]


def test_rows_that_the_index_lost_are_found_when_all_are_asked_for(directory: Path) -> None:
    """Of rows close together an HNSW graph loses the way to a few; asked for more than it gives, a search looks."""
    raw = collection_at(directory)

    def forgetful(real: Callable[..., Any], **columns: Any) -> Any:
        found = dict(real(**columns))
        kept = [[n for n, i in enumerate(ids) if i != "lost"] for ids in found["ids"]]
        for column in {"ids", *columns["include"]}:
            found[column] = [[row[n] for n in wanted] for row, wanted in zip(found[column], kept, strict=True)]
        return found

    store = open_store(Instead(raw, query=forgetful))
    write(store, lost="k1=0", x="k2=0", y="k3=0", z="k2=1")
    expected = raw.query(query_embeddings=[vector("target")], n_results=4, include=["distances"])
    found = store.query(query_embeddings=[vector("target")], n_results=3)
    assert sorted(found["documents"][0]) == ["k1=0", "k2=1", "k3=0"]
    stock = dict(zip(expected["ids"][0], expected["distances"][0], strict=True))
    assert found["distances"][0] == pytest.approx([stock[i] for i in found["ids"][0]], rel=1e-5)
