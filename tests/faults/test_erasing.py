"""What is purged is in no file any more; where it may still be, the call says so, and a later one ends it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import chromadb
import numpy as np
import pytest
from chromadb.api.shared_system_client import SharedSystemClient

from memstrata_integrations.chroma import erasing as _erasing
from memstrata_integrations.chroma import state as _state
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.errors import ErasureIncompleteError, InvalidInputError
from tests.conformance.damaging import fresh_clients
from tests.stateful.toy import ToyExtractor, vector

__all__ = ["fresh_clients"]

ROWS = 40
SECRET = "k1=xanthippe; Quorn has shingles zqw"
EARLIER = "k1=wolframite; Quorn has measles jqx"
ID = "patient-record-4711"
SERVED = sorted(f"other-{n}" for n in range(ROWS) if n != 1)
"""What is left when the record is gone: the one row whose value it had superseded stays a gap."""
TRACES = ("xanthippe", "shingles", "zqw", "wolframite", "measles", "jqx", ID, "ocelot", "okapi")


def raw_collection(where: Path, sync_threshold: int | None = None) -> Any:
    """Open the collection of a directory, of which Chroma persists the index after so many rows."""
    client = chromadb.PersistentClient(str(where))
    index = None if sync_threshold is None else {"sync_threshold": sync_threshold, "batch_size": sync_threshold}
    configuration: Any = None if index is None else {"hnsw": index}
    return client.get_or_create_collection("records", configuration=configuration, embedding_function=None)


def open_store(where: Path, sync_threshold: int | None = None) -> TemporalCollection:
    """Open the store of a directory."""
    return TemporalCollection(raw_collection(where, sync_threshold), extractor=ToyExtractor())


def reopened(where: Path) -> TemporalCollection:
    """Open it as a process does that remembers nothing."""
    SharedSystemClient.clear_system_cache()
    _state._states.clear()
    return open_store(where)


def write(store: TemporalCollection, *texts: tuple[str, str], metadata: dict[str, Any] | None = None) -> None:
    """Write (id, text) pairs in one call."""
    documents = [text for _, text in texts]
    store.write(
        documents,
        ids=[row_id for row_id, _ in texts],
        embeddings=[vector(d) for d in documents],
        metadatas=[metadata] * len(texts),
    )


def fill(store: TemporalCollection) -> None:
    """Write two versions of a record among others, one of which states the same key before it."""
    write(store, *((f"other-{n}", f"k{n}=plain") for n in range(ROWS // 2)))
    write(store, (ID, EARLIER), metadata={"ward": "okapi"})
    write(store, (ID, SECRET), metadata={"ward": "ocelot"})
    write(store, *((f"other-{n}", f"k{n}=plain") for n in range(ROWS // 2, ROWS)))


def found_in(where: Path, *needles: str | bytes) -> list[tuple[str, str | bytes]]:
    """Return which files hold which bytes."""
    files = {f: f.read_bytes().lower() for f in where.rglob("*") if f.is_file()}
    wanted = [(n, n.lower() if isinstance(n, bytes) else n.lower().encode()) for n in needles]
    return [(f.name, n) for f, held in files.items() for n, some in wanted if some in held]


def floats(text: str) -> bytes:
    """Return a vector as it lies in a file."""
    return np.asarray(vector(text), dtype="<f4").tobytes()


def holds_vector(where: Path, text: str) -> list[str]:
    """Return which files hold a text's vector."""
    return [f.name for f in where.rglob("*") if f.is_file() and floats(text) in f.read_bytes()]


@pytest.mark.parametrize("sync_threshold", [None, 10], ids=["never persisted", "persisted"])
def test_a_purge_leaves_no_byte(tmp_path: Path, sync_threshold: int | None) -> None:
    """Text, words, metadata, id and vector of every version are in no file after it, and the others are served."""
    store = open_store(tmp_path, sync_threshold)
    fill(store)
    assert found_in(tmp_path, *TRACES)
    assert holds_vector(tmp_path, SECRET)
    changes = store.purge([ID])
    assert (changes.ids, changes.remains) == ((ID,), ())
    for after in (store, reopened(tmp_path)):
        assert found_in(tmp_path, *TRACES) == []
        assert holds_vector(tmp_path, SECRET) + holds_vector(tmp_path, EARLIER) == []
        assert sorted(after.get()["ids"]) == SERVED
        nearest = after.query(query_embeddings=[vector(SECRET)], n_results=ROWS)
        assert sorted(i for i in nearest["ids"][0] if i != "more") == SERVED
        assert after.verify() == []
        assert after.verify(erased=[ID, SECRET, EARLIER]) == []
        write(after, ("more", "more"))
        after.purge(["more"])


def test_places_that_are_not_in_use_are_overwritten(tmp_path: Path) -> None:
    """Chroma writes the rest of an index down as it found the memory, where texts may have been."""
    store = open_store(tmp_path, 10)
    fill(store)
    for name in ("data_level0.bin", "length.bin"):
        [file] = tmp_path.glob(f"*/{name}")
        with file.open("r+b") as opened:
            opened.seek(-len(ID), os.SEEK_END)
            opened.write(ID.encode())
    store.purge([ID])
    assert found_in(tmp_path, *TRACES) == []
    nearest = reopened(tmp_path).query(query_embeddings=[vector(SECRET)], n_results=ROWS)
    assert sorted(nearest["ids"][0]) == SERVED


def test_what_was_deleted_before_is_gone_after_a_purge_too(tmp_path: Path) -> None:
    """`purge` also takes what an earlier `delete` left in the files, and is no error where the row is gone."""
    store = open_store(tmp_path)
    fill(store)
    store.delete([ID])
    assert found_in(tmp_path, *TRACES)
    store.purge([ID])
    assert found_in(tmp_path, *TRACES) == []
    assert holds_vector(tmp_path, SECRET) == []


def test_a_purge_of_what_is_not_stored_says_so(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A mistyped id, or that of a document whose nodes are stored, must not pass for an erasure."""
    store = open_store(tmp_path)
    write(store, ("a", "k1=a"), ("b", "k2=b"))
    store.purge(["a"])
    assert caplog.text == ""
    store.purge(["b", "typo"])
    assert "nothing is stored under 1 of 2 ids, 'typo' among them" in caplog.text
    assert store.get()["ids"] == []


def test_no_surviving_row_names_what_was_purged(tmp_path: Path) -> None:
    """Rows that a purged one closed, ended or stood beside keep times alone: neither its id nor its text."""
    store = open_store(tmp_path)
    write(store, ("before", "k1=a"), ("beside", "k1=b; k2=b"))
    write(store, (ID, "k1=xanthippe; k2=b"))
    store.retract("k1")
    write(store, ("after", "k1=c"))
    store.write(["k3=wolframite"], ids=[f"{ID}-2"], embeddings=[vector("x")], supersedes=[["beside"]])
    write(store, ("late", "k3=d; k2=e"))
    store.undo("late")
    before = store.get()
    store.purge([ID, f"{ID}-2"])
    left = repr(store.session.collection.get(include=["metadatas", "documents"]))
    assert [t for t in TRACES if t in left] == []
    assert found_in(tmp_path, *TRACES) == []
    assert set(store.get()["ids"]) == set(before["ids"]) - {ID, f"{ID}-2"}
    assert store.verify() == []


def node(node_id: str, **relationships: Any) -> dict[str, Any]:
    """Return metadata that holds a node of LlamaIndex, by number of relation: previous 2, next 3, parent 4, child 5."""

    def related(to: Any) -> Any:
        return [related(t) for t in to] if isinstance(to, list) else {"node_id": to, "hash": f"hash of {to}"}

    content = {"id_": node_id, "relationships": {k[1:]: related(v) for k, v in relationships.items()}}
    return {"_node_content": json.dumps(content), "_node_type": "TextNode"}


def test_neighbours_of_a_purged_node_forget_it(tmp_path: Path) -> None:
    """Nodes of LlamaIndex name their neighbours, with hash and metadata: what was purged is named no more."""
    store = open_store(tmp_path)
    nodes = {
        "first": node("first", _3=ID, _4="page"),
        ID: node(ID, _2="first", _3="last", _4="page"),
        "last": node("last", _2=ID, _4="page"),
        "page": node("page", _5=["first", ID, "last"]),
    }
    texts = ["prose", SECRET, "more prose", "a page"]
    store.write(texts, ids=list(nodes), embeddings=[vector(t) for t in texts], metadatas=list(nodes.values()))
    store.write(["other prose"], ids=["first"], embeddings=[vector("x")], metadatas=[nodes["first"]])
    store.purge([ID])
    assert found_in(tmp_path, *TRACES) == []
    kept = store.get(include=["metadatas"])
    content = {i: json.loads(m["_node_content"]) for i, m in zip(kept["ids"], kept["metadatas"], strict=True)}
    wanted = {i: json.loads(m["_node_content"]) for i, m in nodes.items() if i != ID}
    del wanted["first"]["relationships"]["3"], wanted["last"]["relationships"]["2"]
    del wanted["page"]["relationships"]["5"][1]
    assert content == wanted


# -- interrupted --------------------------------------------------------------------------------


class KilledError(BaseException):
    """Stands for the end of the process."""


def killed(*_: Any, **__: Any) -> Any:
    """Do what a process does that is killed."""
    raise KilledError


@pytest.fixture
def interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory whose purge was killed after the rows had gone and before the files were scrubbed."""
    store = open_store(tmp_path)
    fill(store)
    with monkeypatch.context() as patch:
        patch.setattr(_erasing, "scrub", killed)
        with pytest.raises(KilledError):
            store.purge([ID])
    assert found_in(tmp_path, *TRACES)
    return tmp_path


FINISHING: dict[str, Callable[[TemporalCollection], Any]] = {
    "purge of the same": lambda store: store.purge([ID]),
    "purge by subject": lambda store: store.purge(subject="k1"),
    "purge of a subject that is gone": lambda store: store.purge(subject="quux"),
    "a write": lambda store: write(store, ("new", "k9=new")),
    "verify": lambda store: store.verify(repair=True),
}


@pytest.mark.parametrize("how", FINISHING)
def test_an_interrupted_purge_is_finished(interrupted: Path, how: str) -> None:
    """Whatever writes next, in a new process, ends the erasure that was begun; until then `verify` tells of it."""
    store = reopened(interrupted)
    [told] = store.verify()
    assert "purge" in told
    assert ID not in told
    FINISHING[how](store)
    assert found_in(interrupted, *TRACES) == []
    assert holds_vector(interrupted, SECRET) == []
    assert store.verify() == []
    assert list(interrupted.glob("memstrata-erasure*")) == []
    with pytest.raises(InvalidInputError, match="nothing is known"):
        store.purge(subject="quux")


def test_an_interrupted_purge_of_all_there_was_is_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A write into a collection that a purge left empty ends the erasure, too."""
    store = open_store(tmp_path)
    write(store, (ID, SECRET))
    with monkeypatch.context() as patch:
        patch.setattr(_erasing, "scrub", killed)
        with pytest.raises(KilledError):
            store.purge([ID])
    write(reopened(tmp_path), ("new", "k9=new"))
    assert found_in(tmp_path, *TRACES) == []


def test_an_index_that_is_begun_anew_holds_none_of_this_process_s_memory(tmp_path: Path) -> None:
    """Chroma fills its unused places with what lies in memory, where the texts of a purge may still be."""
    store = open_store(tmp_path)
    write(store, (ID, SECRET))
    store.purge([ID])
    for after in (store, reopened(tmp_path)):
        assert after.count() == 0
        write(after, ("new", "k9=new"))
        [length] = tmp_path.glob("*/length.bin")
        assert not any(length.read_bytes())
        after.purge(["new"])


def test_a_purge_that_is_cut_off_among_versions_is_taken_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are deleted in several calls: one that fails leaves a document that the next purge still finds."""
    store = open_store(tmp_path)
    fill(store)
    raw, seen = store.session.collection, []

    def delete(ids: list[str]) -> Any:
        seen.extend(ids)
        if len(seen) > 1:
            raise KilledError
        return raw.delete(ids=ids)

    with monkeypatch.context() as patch:
        patch.setattr(store.session.writer, "batch_limit", lambda: 1)
        patch.setattr(store.session.writer, "collection", Deleting(raw, delete))
        with pytest.raises(KilledError):
            store.purge([ID])
    reopened(tmp_path).purge([ID])
    assert found_in(tmp_path, *TRACES) == []


class Deleting:
    """A collection of which deletions go another way."""

    def __init__(self, raw: Any, delete: Callable[..., Any]) -> None:
        self._raw, self.delete = raw, delete

    def __getattr__(self, name: str) -> Any:
        return getattr(self._raw, name)


# -- what cannot be erased now, or from here ----------------------------------------------------


@contextmanager
def reading_elsewhere(where: Path) -> Iterator[None]:
    """Let another process be amid a read of the database."""
    code = (
        "import sqlite3, sys\n"
        "database = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "database.execute('BEGIN'); database.execute('SELECT count(*) FROM embeddings').fetchall()\n"
        "print('reading', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", code, str(where / "chroma.sqlite3")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
        assert reader.stdout is not None
        assert reader.stdin is not None
        reader.stdout.readline()
        yield
        reader.stdin.close()


def test_a_purge_that_another_reader_holds_up_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The row is gone, the call raises with what it did, nothing claims to be erased, and the next call ends it."""
    monkeypatch.setattr(_erasing, "WAIT", 0.05)
    store = open_store(tmp_path)
    fill(store)
    given = scrubbed_while_read(tmp_path, monkeypatch)
    with pytest.raises(ErasureIncompleteError, match=r"chroma\.sqlite3") as told:
        store.purge([ID])
    assert given == [tmp_path]
    assert told.value.changes.ids == (ID,)
    assert any("chroma.sqlite3" in line for line in told.value.changes.remains)
    assert store.last_changes == told.value.changes
    assert sorted(store.get()["ids"]) == SERVED
    assert found_in(tmp_path, *TRACES)
    assert len(store.verify()) == 1
    assert store.verify(erased=[SECRET]) != []
    monkeypatch.undo()
    assert store.verify(repair=True) == []
    assert found_in(tmp_path, *TRACES) == []


def scrubbed_while_read(where: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Let the files be scrubbed while another process reads; what Chroma writes itself comes before that."""
    calls: list[Path] = []
    real = _erasing.scrub

    def scrub(*arguments: Any, **named: Any) -> Any:
        calls.append(where)
        with reading_elsewhere(where):
            return real(*arguments, **named)

    monkeypatch.setattr(_erasing, "scrub", scrub)
    return calls


# -- before anything is deleted -------------------------------------------------------------------


TAKING_UP: dict[str, Callable[[TemporalCollection], Any]] = {
    "purge of the same": lambda store: store.purge(["a"]).ids == ("a",),
    "purge of another": lambda store: store.purge(["b"]),
    "verify": lambda store: store.verify(repair=True),
}


@pytest.mark.parametrize("how", TAKING_UP)
def test_a_purge_that_is_cut_off_before_it_deletes_is_taken_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """The mark tells which rows it was, without naming them: the next purge or repair deletes them; no write does."""
    store = open_store(tmp_path)
    write(store, ("a", "xanthippe"), ("b", "plain"))
    with monkeypatch.context() as patch, pytest.raises(KilledError):
        patch.setattr("memstrata_integrations.chroma.amending.delete", killed)
        store.purge(["a"])
    store = reopened(tmp_path)
    write(store, ("c", "more"))
    assert store.get(ids=["a"])["ids"] == ["a"]
    [told] = store.verify()
    assert "call it again" in told
    [mark] = tmp_path.glob("memstrata-erasure*")
    assert "xanthippe" not in mark.read_text()
    assert TAKING_UP[how](store) is not False
    assert store.verify() == store.verify(erased=["xanthippe"]) == []
    assert store.get(ids=["a"])["ids"] == []
    assert store.get(ids=["c"])["ids"] == ["c"]


def test_a_purge_tells_of_its_own_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What another tenant's purge left is deleted with this one, and is not in its report."""
    raw = raw_collection(tmp_path)
    store = TemporalCollection(raw, extractor=ToyExtractor(), scope=("t",))
    for tenant in ("x", "y"):
        write(store, (f"of-{tenant}", f"k1={tenant}"), metadata={"t": tenant})
    with monkeypatch.context() as patch, pytest.raises(KilledError):
        patch.setattr("memstrata_integrations.chroma.amending.delete", killed)
        store.purge(["of-x"], scope={"t": "x"})
    changes = store.purge(["of-y"], scope={"t": "y"})
    assert changes.ids == ("of-y",)
    assert "of-x" not in repr(changes)
    assert raw.count() == 0
