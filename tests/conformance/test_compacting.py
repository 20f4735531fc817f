"""`compact` moves rows that are over into the history; whoever asks about the past, or changes it, finds them there."""

import os
import re
import shutil
import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import chromadb
import pytest
from chromadb.api.models.Collection import Collection
from chromadb.errors import InternalError

from memstrata_integrations import repair
from memstrata_integrations.chroma import compacting, session, state
from memstrata_integrations.chroma.both import history_name, history_of
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.chroma.traces import places
from memstrata_integrations.errors import InvalidInputError, StoreLockedError
from memstrata_integrations.langchain import TemporalVectorStore
from memstrata_integrations.ledger.time import format_time
from tests.faults.faulty import open_elsewhere
from tests.stateful.toy import TestClock, ToyExtractor, moment, vector

SOON = {"hnsw": {"sync_threshold": 10, "batch_size": 5}}  # lets Chroma write its index down after few rows
NAMES = [f"k{n}" for n in range(8)]


class Store:
    """A collection in a directory, with eight keys of four values each, written one after the other."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.clock = TestClock(1_010)
        self.client = chromadb.PersistentClient(str(directory))
        self.raw = self.client.get_or_create_collection("facts", embedding_function=None, configuration=SOON)
        self.store = self.open()
        for value in "wxyz":
            self.write(*[(f"{name}-{value}", f"{name}={value}") for name in NAMES])

    def open(self, **options: Any) -> TemporalCollection:
        state._states.clear()
        return TemporalCollection(self.raw, extractor=ToyExtractor(), clock=self.clock, **options)

    def write(self, *texts: tuple[str, str], **more: Any) -> None:
        """Write (id, text) pairs; then it is 10 µs later."""
        ids, said = zip(*texts, strict=True)
        self.store.write(list(said), ids=list(ids), embeddings=[vector(t) for t in said], **more)
        self.clock.advance(10)

    def indexes(self) -> dict[str, Path]:
        return {d.name: d for d in self.directory.iterdir() if d.is_dir()}

    def now(self, store: TemporalCollection | None = None, **asked: Any) -> list[str]:
        found = (store or self.store).query(query_embeddings=[vector("k")], n_results=50, **asked)
        return sorted(found["documents"][0])


Opener = Callable[[], TemporalCollection]


@pytest.fixture
def it(tmp_path: Path) -> Iterator[Store]:
    made = Store(tmp_path / "db")
    yield made
    made.client.close()


LATEST = sorted(f"{name}=z" for name in NAMES)


def test_only_what_ended_by_then_moves(it: Store) -> None:
    """With `older_than`, a time or a duration, younger retired rows stay; what is yet to come is refused."""
    assert it.store.compact(older_than=moment(1_029)) == 8
    assert it.raw.count() == 24
    assert it.store.compact(older_than=timedelta(microseconds=it.clock.now - 1_039)) == 8
    assert it.store.compact(older_than=timedelta(0)) == 8
    for wrong, told in ((moment(it.clock.now + 1_000), "lies in the future"), ("long ago", "older_than")):
        with pytest.raises(InvalidInputError, match=told):
            it.store.compact(older_than=wrong)


def test_a_store_compacts_by_itself_if_it_is_told_to(it: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """With `compact_share`, a write moves what is over once that is more than this share of the rows."""
    monkeypatch.setattr(session, "_OFTEN", 1)
    for value, share, left in (("u", 0.8, 33), ("v", 0.7, 8)):  # 25 of 33 rows are over, then 26 of 34
        it.store = it.open(compact_share=share)
        it.write((f"k0-{value}", f"k0={value}"))
        assert it.raw.count() == left
    assert sorted(it.raw.get()["documents"]) == it.now() == ["k0=v", *LATEST[1:]]
    assert len(it.store.get(include_superseded=True)["ids"]) == 34
    with pytest.raises(InvalidInputError, match="compact_share"):
        it.open(compact_share=90)


def test_the_present_never_asks_the_history(it: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    it.store.compact()
    history = it.store.session.lookup.collection.history
    for name in ("get", "query", "count"):
        monkeypatch.setattr(history, name, None)
    assert it.now() == LATEST
    assert it.store.count() == 8
    assert it.store.get(ids=["k1-w", "k1-z"])["ids"] == ["k1-z"]
    assert it.store.get(as_of=moment(it.clock.now + 1))["ids"] == it.store.get()["ids"]
    with pytest.raises(TypeError):
        it.store.get(as_of=moment(1_015))


def test_a_note_names_a_successor_that_was_moved(it: Store) -> None:
    """What replaced a statement of a live text may be over itself, and is named all the same."""
    it.store = it.open(stale="annotate")
    it.write(("both", "k1=a; k9=a"))
    it.write(("later-b", "k1=b"))
    it.write(("later-c", "k1=c"))
    before = it.store.get(ids=["both"])["documents"]
    it.store.compact()
    assert it.store.get(ids=["both"])["documents"] == before
    assert "by b" in before[0]


def test_the_index_that_is_searched_holds_no_moved_row(it: Store) -> None:
    """The index on the disk is a new one, nothing else is left beside it, and a new process searches it."""
    before = {name: (index / "length.bin").stat().st_ino for name, index in it.indexes().items()}
    assert it.store.compact() == history_of(it.raw).count() == 24
    assert sorted(it.raw.get()["documents"]) == LATEST == it.now()
    assert it.store.compact() == 0
    after = {name: (index / "length.bin").stat().st_ino for name, index in it.indexes().items()}
    assert len(after) == len(before) + 1  # the history's
    assert all(after[name] != before[name] for name in before)
    assert it.now(it.open()) == LATEST
    assert [c.name for c in it.client.list_collections() if c.name != "facts"] == [history_name(it.raw)]


def test_a_reader_that_was_open_before_looks_into_both(it: Store) -> None:
    other = chromadb.PersistentClient(os.path.join(it.directory, "."))
    reader = open_elsewhere(other.get_collection("facts", embedding_function=None), it.clock)
    past = sorted(reader.get(as_of=moment(1_015))["documents"])
    assert it.now(reader) == LATEST
    it.store.compact()
    assert sorted(reader.get(as_of=moment(1_015))["documents"]) == past != []
    assert it.now(reader) == LATEST
    other.close()


@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_kill_while_indexes_are_exchanged_loses_nothing(it: Store, monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    """Before, between and after the two renames: opening the store again finds every row, and ends it."""
    calls = iter(range(1, 9))

    def rename(*names: Any) -> None:
        number = next(calls)
        if number == at:
            raise SystemExit
        os.replace(*names)
        if at == 3 and number == 2:
            raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(compacting.os, "rename", rename)
        with pytest.raises(SystemExit):
            it.store.compact()
    it.raw._client.start()  # a new process has nothing in memory
    it.store = it.open()
    assert it.now() == LATEST
    assert len(it.store.get(include_superseded=True)["ids"]) == 32
    assert not [*it.directory.glob("memstrata-repair*"), *it.directory.glob("memstrata-old*")]
    it.write(("more", "k1=v"))
    it.store.compact()
    assert len(it.now(it.open())) == 8


def test_a_failed_exchange_keeps_the_old_index(it: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where files cannot be renamed, the rows are moved and the old index stays, until another call can."""
    [index] = it.indexes().values()

    with monkeypatch.context() as patch:
        patch.setattr(compacting.os, "rename", Mock(side_effect=PermissionError("no")))
        assert it.store.compact() == 24
    assert places(index) > 8
    assert it.now() == LATEST == it.now(it.open())
    assert it.store.compact() == 0
    assert places(index) == 8
    assert it.now() == LATEST == it.now(it.open())


def test_what_is_changed_while_it_is_copied_stays(it: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row that another client of a server changes between the two calls of a move is not moved, and keeps that."""
    copy_rows = compacting.copy_rows

    def copied(source: Any, target: Any, ids: Any, **more: Any) -> Any:
        found = copy_rows(source, target, ids, **more)
        if not more:
            it.raw.update(ids=["k1-w"], metadatas=[{"tag": "u"}])
        return found

    with monkeypatch.context() as patch:
        patch.setattr(compacting, "copy_rows", copied)
        assert it.store.compact() == 23
    for moved in (1, 0):
        assert it.store.get(where={"tag": "u"}, include_superseded=True)["ids"] == ["k1-w"]
        assert it.store.compact() == moved
    assert len(it.store.get(include_superseded=True)["ids"]) == 32


@pytest.fixture
def served(chroma_server: int) -> Opener:
    """Open one collection of a server, each time as a client that shares nothing with the others."""
    clock, name = TestClock(1_000), uuid.uuid4().hex

    def one() -> TemporalCollection:
        state._states.clear()
        client = chromadb.HttpClient(host="127.0.0.1", port=chroma_server)
        raw = client.get_or_create_collection(name, embedding_function=None)
        return TemporalCollection(raw, extractor=ToyExtractor(), clock=clock)

    store = one()
    for value in "xyz":
        clock.advance(10)
        store.write([f"k1={value}"], ids=[value], embeddings=[vector(value)])
    clock.advance(compacting.IN_FLIGHT + 20)
    return one


def test_other_clients_of_a_server_notice_the_history(served: Opener) -> None:
    """A client that was open before looks into both for the past, and changes what was moved."""
    one, other = served(), served()
    past = {"as_of": moment(1_015)}
    assert other.get(**past)["documents"] == ["k1=x"]
    assert one.compact() == 2
    assert other.get()["documents"] == ["k1=z"]
    assert other.get(**past)["documents"] == ["k1=x"]
    assert other.query(query_embeddings=[vector("x")], **past)["documents"] == [["k1=x"]]
    other.write(["k1=w"], ids=["w"], embeddings=[vector("w")], valid_from=moment(1_014))
    assert one.get(**past)["documents"] == other.get(**past)["documents"] == ["k1=w"]
    assert one.verify() == other.verify() == []
    assert one.get(ids=["x"], include_superseded=True)["ids"] == ["x"]


def test_a_history_that_cannot_be_searched_yet_is_in_no_readers_way(served: Opener, monkeypatch: Any) -> None:
    """A server has no index of it before its first row; a client may be just there, or have been killed there."""
    one, other = served(), served()
    past = {"query_embeddings": [vector("x")], "as_of": moment(1_015)}
    want = other.query(**past)["documents"]
    main = one.session.lookup.both.main
    compacting._made(main, history_name(main), one.session.present())
    real, failures = Collection.query, [1]

    def query(self: Any, **asked: Any) -> Any:
        """Fail as a server does, and once more when the first row is there already."""
        if self.name == history_name(main) and failures and (self.count() == 0 or failures.pop(0)):
            raise InternalError("Error creating hnsw segment reader: Nothing found on disk")
        return real(self, **asked)

    monkeypatch.setattr(Collection, "query", query)
    for store in (other, served()):
        failures[:] = [1]
        assert store.query(**past)["documents"] == want == [["k1=x"]]
        assert store.query(query_embeddings=[vector("x")], include_superseded=True)["ids"] != [[]]
    assert one.compact() == 2
    failures[:] = [1]
    assert other.query(**past)["documents"] == want
    failures[:] = [1] * 9
    with pytest.raises(InternalError):
        other.query(**past)


def test_a_purge_by_another_client_of_a_server_reaches_the_history(served: Opener) -> None:
    """What was moved, taken back and changed since is in neither of the two when it was purged."""
    one, other = served(), served()
    one.compact()
    other.update(ids=["x"], metadatas=[{"tag": "u"}])
    other.purge(["x", "y"])
    assert one.get(include_superseded=True)["ids"] == ["z"]
    assert history_of(one.session.collection).count() == 0


@pytest.mark.parametrize("early", [True, False])
def test_what_another_client_deletes_while_it_is_copied_is_gone(served: Opener, monkeypatch: Any, early: bool) -> None:
    """A row that is deleted between the calls of a move lies in neither collection, and others move."""
    one, other = served(), served()

    def copied(source: Any, target: Any, ids: Any) -> Any:
        got = source.get(ids=ids, include=["documents", "metadatas", "embeddings"])
        steps = [lambda: other.delete(ids=["x"]), lambda: target.add(**{k: got[k] for k in ("ids", *got["included"])})]
        for step in steps if early else reversed(steps):
            step()
        return dict(zip(got["ids"], got["metadatas"], strict=True))

    monkeypatch.setattr(compacting, "copy_rows", copied)
    one.compact()
    assert sorted(one.get(include_superseded=True)["ids"]) == ["y", "z"]
    assert history_of(one.session.collection).get(ids=["x"])["ids"] == []


def test_one_client_of_a_server_compacts_at_a_time(served: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second one is refused until the first has ended; one that was killed holds it up for ten minutes."""
    one, other = served(), served()

    def move(*given: Any) -> int:
        with pytest.raises(StoreLockedError, match="another client is compacting"):
            other.compact()
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(compacting, "_move", move)
        patch.setattr(compacting, "_give_up", lambda held: None)
        with pytest.raises(SystemExit):
            one.compact()
    until = one.session.clock() + 10 * compacting.IN_FLIGHT
    with pytest.raises(StoreLockedError, match=re.escape(str(format_time(until)))):
        other.compact()
    one.session.options.clock.advance(10 * compacting.IN_FLIGHT)
    assert other.compact() == 2
    other.write(["k1=v"], ids=["v"], embeddings=[vector("v")])
    one.session.options.clock.advance(compacting.IN_FLIGHT)
    assert one.compact() == 1


def test_on_a_server_the_last_minute_is_left(served: Opener) -> None:
    """Others may be at a write that closes what has just ended."""
    store = served()
    store.write(["k1=v"], ids=["v"], embeddings=[vector("v")])
    assert store.compact() == 2
    assert sorted(store.session.collection.get()["ids"]) == ["v", "z"]


def test_purge_reaches_the_history(it: Store) -> None:
    secret = "k1=topsecretvalue"
    it.write(("s", secret), metadatas=[{"about": "uniquemark"}])
    it.write(("t", "k1=z"))
    it.store.compact()
    assert history_of(it.raw).get(ids=["s"])["ids"] == ["s"]
    assert it.store.verify(erased=["topsecretvalue"])
    it.store.purge(["s"])
    assert it.store.verify(erased=["topsecretvalue", "uniquemark"]) == it.store.verify() == []


def test_purge_of_a_scope_reaches_the_history(it: Store) -> None:
    it.store = it.open(scope=("user",))
    for user in ("ann", "bob"):
        for value in ("firstof", "lastof"):
            it.write((f"{user}-{value}", f"k1={value}{user}"), metadatas=[{"user": user}])
    it.store.compact()
    it.store.purge(scope={"user": "ann"})
    assert it.store.verify(erased=["firstofann", "lastofann"]) == []
    assert it.store.get(ids=["bob-firstof", "bob-lastof"], include_superseded=True)["ids"] != []
    assert list(it.store.history("k1", scope={"user": "bob"}))


def test_a_repair_reaches_the_history(it: Store) -> None:
    """The index of what was moved is made anew with that of the collection, in a directory and in an open store."""
    it.store.compact()
    [index] = (d for d in it.indexes().values() if places(d) == 24)
    for mend in (lambda by: repair(it.directory, "facts", by, progress=False), lambda by: it.store.repair(by)):
        shutil.rmtree(index)
        it.raw._client.start()
        found = mend(lambda texts: [vector(t) for t in texts])
        assert (found.rows, found.embedded > 0) == (32, True)
        it.raw._client.start()
        it.store = it.open()
        assert len(it.now(as_of=moment(1_019))) == 8


def test_deleting_a_collection_deletes_its_history(it: Store) -> None:
    assert it.store.compact() == 24
    TemporalVectorStore("facts", client=it.client).delete_collection()
    assert it.client.list_collections() == []
