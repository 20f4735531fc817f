"""One writing process to a directory, any number of readers and threads."""

import os
import select
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from chromadb.api.shared_system_client import SharedSystemClient

from memstrata_integrations.chroma import directory as _directory
from memstrata_integrations.chroma import reading as _reading
from memstrata_integrations.chroma import turns as _turns
from memstrata_integrations.chroma.turns import Turn
from memstrata_integrations.errors import StorageError, StoreLockedError
from tests.conformance.damaging import cut_off
from tests.shared_data import ROOT
from tests.stateful.opening import collection_at, open_store, store_at
from tests.stateful.toy import answers, vector, write

from .conftest import Worker

ONE, OTHER = answers("k1=a"), answers("k1=b")
OFTEN = {"persist_after": 10}

StartWorker = Callable[..., Worker]


def refused(answer: dict[str, Any], directory: Path) -> bool:
    return answer.get("error") == "StoreLockedError" and str(directory) in answer["message"]


def test_a_second_writing_process_is_refused(directory: Path, start_worker: StartWorker) -> None:
    writer, other = start_worker(directory), start_worker(directory)
    writer.ask("write", texts={"a": "k1=a"})
    for _ in range(2):
        assert refused(other.ask("write", texts={"b": "k1=b"}), directory)
        assert writer.ask("read") == other.ask("read") == ONE
    assert writer.ask("write", texts={"b": "k1=b"}) == {"ids": ["b"]}
    assert writer.ask("read") == OTHER


def test_searches_see_what_another_process_has_acknowledged(directory: Path, start_worker: StartWorker) -> None:
    writer, other = start_worker(directory), start_worker(directory)
    writer.ask("write", texts={"a": "k1=a"})
    assert other.ask("read") == ONE
    for row_id, text in (("b", "k1=b0"), ("a", "k1=a0"), ("b2", "k1=b1"), ("a", "k1=a1")):
        writer.ask("write", texts={row_id: text})
        assert other.ask("read") == answers(text)


def some(letter: str, *numbers: int) -> dict[str, str]:
    """Return a text for each number, each with a key of its own."""
    return {f"{letter}{n}": f"k{n}={letter}" for n in range(*numbers)}


def all_are_found(answer: dict[str, Any], rows: int) -> None:
    assert (len(answer["get"]), answer["count"]) == (rows, rows)
    assert answer["query"] == answer["get"], f"{len(answer['query'])} of {rows} rows are found"


@pytest.mark.slow
@pytest.mark.parametrize("read_when", ["before", "amid"])
def test_taking_the_lock_over_loses_no_vector(directory: Path, start_worker: StartWorker, read_when: str) -> None:
    first = start_worker(directory, **OFTEN)
    assert "ids" in first.ask("write", texts=some("a", 50))
    if read_when == "before":
        first.kill()
        first = start_worker(directory, **OFTEN)
    second = start_worker(directory, **OFTEN)
    all_are_found(second.ask("read"), 50)
    assert "ids" in first.ask("write", texts=some("b", 50, 150))
    assert "ids" in first.ask("write", texts=some("b", 150, 350))
    first.kill()
    for part in (some("c", 350, 450), some("c", 450, 650)):
        assert "ids" in second.ask("write", texts=part)
    all_are_found(second.ask("read"), 650)
    second.kill()
    fresh = start_worker(directory, **OFTEN)
    all_are_found(fresh.ask("read"), 650)
    assert fresh.ask("verify") == {"found": []}


def test_who_takes_over_supersedes_what_was_written_meanwhile(directory: Path, start_worker: StartWorker) -> None:
    first, second = start_worker(directory), start_worker(directory)
    first.ask("write", texts={"a": "k1=a"})
    second.ask("read")
    first.ask("write", texts={"b": "k1=b; k2=b; k3=b", "a": "k4=a"})
    first.kill()
    second.ask("write", texts={"c": "k2=c; k3=c", "a": "k1=d"})
    assert second.ask("read") == answers("k1=d", "k2=c; k3=c")
    assert second.ask("verify") == {"found": []}


def test_a_writer_killed_amid_a_transaction_is_taken_over(directory: Path, start_worker: StartWorker) -> None:
    """The journal that a kill leaves is rolled back, whoever looks at the database first."""
    first, second = start_worker(directory), start_worker(directory)
    first.ask("write", texts={"a": "k1=a"})
    second.ask("read")
    first.kill()
    cut_off(directory)
    assert second.ask("write", texts={"b": "k1=b"}) == {"ids": ["b"]}
    assert second.ask("read") == OTHER


def test_a_forked_child_neither_holds_nor_releases_the_lock(directory: Path, start_worker: StartWorker) -> None:
    writer = start_worker(directory)
    writer.ask("write", texts={"a": "k1=a"})
    assert writer.ask("fork") == {"child": "refused"}
    assert refused(start_worker(directory).ask("write", texts={"b": "k1=b"}), directory)
    assert writer.ask("write", texts={"b": "k1=b"}) == {"ids": ["b"]}
    assert writer.ask("read") == OTHER


@pytest.mark.parametrize("attempts", [4, 0])
def test_a_filter_finds_what_another_process_has_written_since(
    directory: Path, start_worker: StartWorker, monkeypatch: pytest.MonkeyPatch, attempts: int
) -> None:
    """Chroma fails where rows match of which its loaded index has no vector: then the index is loaded anew.

    So does the last read, in which the others wait, after as many attempts as met a write.
    """
    monkeypatch.setattr(_reading, "_ATTEMPTS", attempts)
    writer = start_worker(directory, **OFTEN)
    writer.ask("write", texts={"a": "k1=a"})
    reader = store_at(directory, **OFTEN)
    target = [vector("target")]
    assert reader.query(query_embeddings=target, n_results=5)["documents"] == [["k1=a"]]
    writer.ask("write", texts=some("b", 10, 20))
    found = reader.query(query_embeddings=target, n_results=30, where_document={"$contains": "=b"})["ids"][0]
    assert sorted(found) == sorted(some("b", 10, 20))
    writer.ask("write", texts=some("c", 20, 30))
    assert len(reader.get(include=["embeddings"])["embeddings"]) == reader.count() == 21


def test_a_read_that_waits_for_a_writer_holds_none_up(
    directory: Path, start_worker: StartWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a thread that has the directory's mutex, and wants the collection's, would wait for it as it does."""
    monkeypatch.setattr(_reading, "_ATTEMPTS", 0)
    start_worker(directory).ask("write", texts={"a": "k1=a"})
    store = store_at(directory)
    state, read = store.session.state, partial(store.query, query_embeddings=[vector("a")])
    with state.directory.mutex:
        thread = threading.Thread(target=read)
        thread.start()
        thread.join(0.3)
        assert state.mutex.acquire(timeout=0.3)
        state.mutex.release()
    thread.join()


def test_a_turn_that_nobody_gives_up_is_waited_for_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Of a process that was stopped with it; another object stands for that one here."""
    own, stopped, tried = Turn(str(tmp_path)), Turn(str(tmp_path)), list[float]()
    monkeypatch.setattr(own, "_patience", 0.05)
    monkeypatch.setattr(_turns, "_wait_for", lambda *a, real=_turns._wait_for: tried.append(a[2]) or real(*a))
    with stopped.taken():
        for _ in range(2):
            with own.taken(), own.taken():
                assert caplog.messages[-1].endswith("going on without it")
    with own.taken():
        pass
    assert tried[1:] == [0.05, _turns._PAUSE, _turns._PAUSE]
    assert own._patience == _turns._PATIENCE


def test_the_stores_of_one_process_share_the_lock(directory: Path, start_worker: StartWorker) -> None:
    one, two, beside = (store_at(directory, name) for name in ("shared", "shared", "beside"))
    write(one, a="k1=a")
    write(two, b="k1=b")
    write(beside, c="k1=c")
    assert one.get()["documents"] == two.get()["documents"] == ["k1=b"]
    assert beside.get()["documents"] == ["k1=c"]
    assert refused(start_worker(directory).ask("write", texts={"c": "k1=c"}), directory)
    write(one, b="k1=d")
    assert two.get()["documents"] == ["k1=d"]


@pytest.mark.parametrize("name", ["shared", "beside"])
def test_what_was_searched_before_a_store_was_made_is_not_trusted(
    directory: Path, start_worker: StartWorker, name: str
) -> None:
    """A client that searched, a writer in another process, and only then a store: it writes, and nothing is lost.

    Also where the client had a store of another collection all the while.
    """
    first = start_worker(directory, **OFTEN)
    first.ask("write", texts=some("a", 50))
    raw, beside = collection_at(directory, **OFTEN), store_at(directory, "beside", **OFTEN)
    if name == "beside":
        assert beside.count() == 0
    assert len(raw.query(query_embeddings=[vector("target")], n_results=50)["ids"][0]) == 50
    first.ask("write", texts=some("b", 50, 350))
    first.kill()
    store = open_store(raw)
    write(store, **some("c", 350, 650))
    all_are_found(start_worker(directory, **OFTEN).ask("read"), 650)


def test_two_spellings_of_a_path_lose_nothing(directory: Path, start_worker: StartWorker) -> None:
    """Two clients of one directory have an index each: each loads anew what the other wrote, and both see one truth."""
    directory.mkdir()
    spelled = [str(directory), os.path.join(directory, "."), f"{directory}{os.sep}..{os.sep}{directory.name}"]
    stores = [store_at(s, **OFTEN) for s in spelled]
    assert len({id(s.session.collection._client) for s in stores}) == len(stores)
    for n, store in enumerate(stores * 4):
        write(store, **some("abc"[n % 3], 20 * n, 20 * n + 20))
        assert store.count() == 20 * n + 20
    stores[0].upsert(ids=["x"], documents=["k3=x; k23=x"], embeddings=[vector("x")])
    assert [s.count() for s in stores] == [239] * 3
    assert [s.get(ids=["a3", "b23"])["ids"] for s in stores] == [[]] * 3
    stores[1].undo("x")
    assert [sorted(s.get(ids=["a3", "b23"])["ids"]) for s in stores] == [["a3", "b23"]] * 3
    stores[2].purge(["x"])
    answer = start_worker(directory, **OFTEN)
    all_are_found(answer.ask("read"), 240)
    assert answer.ask("verify") == {"found": []}


def test_what_cannot_be_loaded_anew_is_not_written(
    directory: Path, start_worker: StartWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = start_worker(directory, **OFTEN)
    first.ask("write", texts=some("a", 50))
    raw, other = (collection_at(where, **OFTEN) for where in (directory, os.path.join(directory, ".")))
    monkeypatch.setattr(type(raw._client), "start", lambda _: None)
    store = open_store(raw)
    first.kill()
    write(store, c="k60=c")
    other.add(ids=["d"], embeddings=[vector("d")])
    with pytest.raises(StoreLockedError, match="new process"):
        write(store, e="k61=e")
    assert store.get(ids=["c"])["documents"] == ["k60=c"]


def test_a_database_of_another_layout_is_not_written(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing tells whether another process wrote, a write is refused with what is missing; reading goes on."""
    store = store_at(directory)
    write(store, a="k1=a")
    monkeypatch.setattr(_directory, "_SEQUENCES", _directory._SEQUENCES.replace("max_seq_id", "sequences"))
    with pytest.raises(StorageError, match="no such table: sequences"):
        write(store, b="k1=b")
    again = open_store(store.session.collection)
    assert again.get()["documents"] == ["k1=a"]


def test_a_directory_that_is_made_anew_is_another_one(directory: Path) -> None:
    store = store_at(directory)
    write(store, a="k1=a")
    SharedSystemClient.clear_system_cache()
    shutil.rmtree(directory)
    again = store_at(directory)
    write(again, b="k1=b")
    write(again, c="k2=c")
    assert sorted(again.get()["documents"]) == ["k1=b", "k2=c"]


READER = """
import sys, threading
from tests.stateful.opening import store_at
from tests.stateful.toy import vector

store = store_at(sys.argv[1])


def ask():
    for _ in range(15):
        store.history("k5", "is")
        store.query(query_embeddings=[vector("k5=1")], n_results=3)
        store.query(query_embeddings=[vector("k5=1")], n_results=3, where_document={"$contains": "k5="})


threads = [threading.Thread(target=ask) for _ in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("read")
"""


@pytest.mark.slow
def test_threads_that_read_and_a_process_that_writes_do_not_hold_each_other_up(directory: Path) -> None:
    """A look into the database takes no lock: the end of one would drop Chroma's, and both hung within seconds."""
    store = store_at(directory)
    write(store, **{f"r{n}": f"k{n}=0" for n in range(20)})
    told = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", READER, str(directory)], cwd=ROOT, **told) as reader:  # type: ignore[call-overload]
        for n in range(1, 200):
            write(store, **{f"w{n}": f"k5={n}"})
            if reader.poll() is not None:
                break
        out, errors = reader.communicate(timeout=60)
    assert (out, reader.returncode) == ("read\n", 0), errors
    assert store.verify() == []
    assert [text for text in store.get()["documents"] if text.startswith("k5=")] == [f"k5={n}"]


def test_who_writes_and_whose_client_starts_wait_for_each_other(directory: Path, start_worker: StartWorker) -> None:
    """Else Chroma's client, which applies at its start what it read of the log, may put an update back."""
    writer, reader = start_worker(directory), start_worker(directory)
    writer.ask("write", texts={"a": "k1=a"})
    for worker, asked in ((reader, {"do": "read"}), (writer, {"do": "write", "texts": {"b": "k1=b"}})):
        with Turn(str(directory)).taken():
            worker.tell(**asked)
            assert not select.select([worker.process.stdout], [], [], 0.5)[0]
        assert "error" not in worker.answer()
