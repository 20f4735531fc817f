"""Many threads of one process: writers lose no row, and a reader sees each write wholly, whatever it falls amid."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chromadb
import pytest

from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.chroma.state import shared_state
from tests.stateful.toy import ToyExtractor, vector, write

from .test_locking import PERSIST_AFTER, StartWorker, all_are_found, directory, open_store, raw_collection, some

__all__ = ["directory"]


def run_threads(jobs: list[Callable[[], None]]) -> None:
    """Run jobs at once, and raise what one of them raised."""
    errors: list[BaseException] = []

    def guarded(job: Callable[[], None]) -> None:
        try:
            job()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive(), "a thread hangs"
    if errors:
        raise errors[0]


def test_concurrent_writers_lose_no_row(directory: Path) -> None:
    """Eight threads write to one store: every row is there, and each key has exactly one live value."""
    store = open_store(directory)
    keys = [f"k{n}" for n in range(1, 4)]

    def job(n: int) -> Callable[[], None]:
        def work() -> None:
            for turn in range(4):
                write(store, **{f"{n}-{turn}-{key}": f"{key}={n}{turn}" for key in keys})
            write(store, page=f"version {n}")

        return work

    run_threads([job(n) for n in range(8)])
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
    """While a value is superseded over and over, each read shows one value of each fact: never none, never two."""
    store = open_store(directory)
    write(store, **{"0": "k1=0", "x": "k2=0"})
    done = threading.Event()

    def writes() -> None:
        try:
            for n in range(1, 41):
                write(store, **{"0" if same_id else str(n): f"k1={n}"})
        finally:
            done.set()

    def reads(read: Callable[[], list[str]]) -> Callable[[], None]:
        def work() -> None:
            seen = 0
            while not done.is_set():
                subjects = [text.partition("=")[0] for text in read()]
                assert sorted(subjects) == ["k1", "k2"], (seen, subjects)
                seen += 1
            assert seen

        return work

    def count() -> list[str]:
        return ["k1", "k2"] if store.count() == 2 else ["another count"]

    def nearest() -> list[str]:
        return store.query(query_embeddings=[vector("target")], n_results=5)["documents"][0]

    run_threads([writes, reads(lambda: store.get()["documents"]), reads(nearest), reads(count)])
    assert sorted(store.get()["documents"]) == ["k1=40", "k2=0"]


def test_writers_of_several_clients_and_collections_at_once(directory: Path, start_worker: StartWorker) -> None:
    """Threads that write through two clients of one directory, and to another collection of it, lose no vector."""
    directory.mkdir()
    spelled = [str(directory), os.path.join(directory, ".")]
    stores = [TemporalCollection(raw_collection(s), extractor=ToyExtractor()) for s in spelled * 2]
    beside = [TemporalCollection(raw_collection(s, "beside"), extractor=ToyExtractor()) for s in spelled]

    def job(store: TemporalCollection, first: int) -> Callable[[], None]:
        def work() -> None:
            for n in range(first, first + 60, 6):
                write(store, **some("a", n, n + 6))
                found = store.query(query_embeddings=[vector("target")], n_results=3)
                assert len(found["ids"][0]) == 3

        return work

    run_threads([job(store, 100 * n) for n, store in enumerate([*stores, *beside])])
    all_are_found(start_worker(directory, PERSIST_AFTER).ask("read"), 240)
    fresh = raw_collection(f"{directory}{os.sep}.{os.sep}", "beside")
    assert len(fresh.query(query_embeddings=[vector("target")], n_results=120)["ids"][0]) == 120


def test_a_long_write_holds_up_no_reader_of_another_collection(directory: Path) -> None:
    """While one collection is written, another one of the directory is opened and read; a write to it waits."""
    one, other = open_store(directory), open_store(directory, "beside")
    write(one, a="k1=a")
    write(other, b="k1=b")
    found: list[Any] = []

    def reads() -> None:
        state = open_store(directory, "beside")
        state.session.state.forget_everything()
        found.append(state.get()["documents"])

    waiting = threading.Thread(target=lambda: write(other, c="k1=c"))
    with one.session.writing():
        waiting.start()
        run_threads([reads])
        assert waiting.is_alive()
    waiting.join(60)
    assert found == [["k1=b"]]
    assert other.get()["documents"] == ["k1=c"]


def test_readers_go_on_while_an_index_is_loaded_anew(directory: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Threads that search, list and count meet no error while each write loads the index anew, which the log tells."""
    directory.mkdir()
    one, two = (TemporalCollection(raw_collection(f"{directory}{s}"), extractor=ToyExtractor()) for s in ("", "/."))
    write(one, **some("a", 40))
    done = threading.Event()

    def writes() -> None:
        try:
            for n in range(12):
                write((two, one)[n % 2], **some("a", 40 + 4 * n, 44 + 4 * n))
        finally:
            done.set()

    def reads(store: TemporalCollection) -> Callable[[], None]:
        def work() -> None:
            while not done.is_set():
                assert len(store.query(query_embeddings=[vector("target")], n_results=5)["ids"][0]) == 5
                assert len(store.get(limit=40)["ids"]) == 40
                assert store.count() >= 40

        return work

    with caplog.at_level(logging.INFO, "memstrata_integrations"):
        run_threads([writes, *(reads(s) for s in (one, two, one, two))])
    assert caplog.text.count("was loaded anew") == 12


class Interleaved:
    """Passes everything on to a chromadb collection; a write comes between a reader's first look and its second.

    The write then stops before it becomes visible, until the reader is done.
    """

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self.reader: threading.Thread | None = None
        self.writer: threading.Thread | None = None
        self.written, self.go_on = threading.Event(), threading.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._raw, name)

    def _look(self, name: str, columns: dict[str, Any]) -> Any:
        found = getattr(self._raw, name)(**columns)
        if threading.current_thread() is self.reader and self.writer is not None:
            self.reader = None
            self.writer.start()
            assert self.written.wait(60)
        return found

    def get(self, **columns: Any) -> Any:
        """Read rows."""
        return self._look("get", columns)

    def query(self, **columns: Any) -> Any:
        """Search."""
        return self._look("query", columns)

    def pausing(self, flipping: Callable[[], Any]) -> Callable[[], Any]:
        """Make the writer wait before what follows its upsert."""

        def enter() -> Any:
            if threading.current_thread() is self.writer and self.written.is_set():
                assert self.go_on.wait(60)
            return flipping()

        return enter

    def upsert(self, **columns: Any) -> Any:
        """Add or replace rows."""
        self._raw.upsert(**columns)
        self.written.set()


@pytest.mark.parametrize("how", ["get", "query"])
def test_a_version_written_amid_a_read_is_not_missed(
    directory: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reader listed ids, and then the row that it saw became the next version, not yet acknowledged."""
    client = chromadb.PersistentClient(str(directory))
    raw = Interleaved(client.create_collection("shared", embedding_function=None))
    store = TemporalCollection(raw, extractor=ToyExtractor())
    write(store, **{"0": "k1=0", "x": "k2=0"})
    write(store, x="k2=1")
    state = shared_state(raw)
    monkeypatch.setattr(state, "flipping", raw.pausing(state.flipping))
    raw.writer = threading.Thread(target=lambda: write(store, **{"0": "k1=1"}))
    raw.reader = threading.current_thread()
    raw.written.clear()
    try:
        if how == "get":
            found = store.get()["documents"]
        else:
            found = store.query(query_embeddings=[vector("target")], n_results=5)["documents"][0]
    finally:
        raw.go_on.set()
        raw.writer.join(60)
    assert sorted(found) == ["k1=0", "k2=1"]
    assert sorted(store.get()["documents"]) == ["k1=1", "k2=1"]


def test_rows_that_the_index_lost_are_found_when_all_are_asked_for(directory: Path) -> None:
    """Of rows close together an HNSW graph loses the way to a few; asked for more than it gives, a search looks."""
    client = chromadb.PersistentClient(str(directory))
    raw = client.create_collection("shared", embedding_function=None)

    class Forgetful(Interleaved):
        def query(self, **columns: Any) -> Any:
            found = dict(raw.query(**columns))
            kept = [[n for n, i in enumerate(ids) if i != "lost"] for ids in found["ids"]]
            for column in {"ids", *columns["include"]}:
                found[column] = [[row[n] for n in wanted] for row, wanted in zip(found[column], kept, strict=True)]
            return found

    store = TemporalCollection(Forgetful(raw), extractor=ToyExtractor())
    write(store, lost="k1=0", x="k2=0", y="k3=0", z="k2=1")
    expected = raw.query(query_embeddings=[vector("target")], n_results=4, include=["distances"])
    found = store.query(query_embeddings=[vector("target")], n_results=3)
    assert sorted(found["documents"][0]) == ["k1=0", "k2=1", "k3=0"]
    stock = dict(zip(expected["ids"][0], expected["distances"][0], strict=True))
    assert found["distances"][0] == pytest.approx([stock[i] for i in found["ids"][0]], rel=1e-5)
