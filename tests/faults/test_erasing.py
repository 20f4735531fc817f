"""What is purged is in no file any more; where it may still be, the call says so, and a later one ends it.

The proof of that finds a text in every form, and names what cannot be erased from here.
"""

import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import patch

import chromadb
import numpy as np
import pytest
from chromadb.api.shared_system_client import SharedSystemClient

from memstrata_integrations.chroma import erasing as _erasing
from memstrata_integrations.chroma import state as _state
from memstrata_integrations.chroma import traces as _traces
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.errors import ErasureIncompleteError, InvalidInputError
from tests.conformance.damaging import fresh_clients
from tests.stateful.opening import in_memory, open_store, store_at
from tests.stateful.toy import ToyExtractor, vector, write

from .faulty import Instead

__all__ = ["fresh_clients"]

ROWS = 40
SECRET = "k1=xanthippe; Quorn has shingles zqw"
EARLIER = "k1=wolframite; Quorn has measles jqx"
ID = "patient-record-4711"
SERVED = sorted(f"other-{n}" for n in range(ROWS) if n != 1)
"""What is left when the record is gone: the one row whose value it had superseded stays a gap."""
TRACES = ("xanthippe", "shingles", "zqw", "wolframite", "measles", "jqx", ID, "ocelot", "okapi")


def reopened(where: Path) -> TemporalCollection:
    """Open the store of a directory as a process does that remembers nothing."""
    SharedSystemClient.clear_system_cache()
    _state._states.clear()
    return store_at(where)


def filled(where: Path, persist_after: int | None = None) -> TemporalCollection:
    """Write two versions of a record among others, one of which states the same key before it."""
    store = store_at(where, persist_after=persist_after)
    write(store, **{f"other-{n}": f"k{n}=plain" for n in range(ROWS // 2)})
    write(store, {"ward": "okapi"}, **{ID: EARLIER})
    write(store, {"ward": "ocelot"}, **{ID: SECRET})
    write(store, **{f"other-{n}": f"k{n}=plain" for n in range(ROWS // 2, ROWS)})
    return store


def left_in(where: Path) -> list[tuple[str, str]]:
    """Return which files hold which words of the record, and of which of its versions they hold the vector."""
    files = [(f.name, f.read_bytes()) for f in where.rglob("*") if f.is_file()]
    vectors = {text: np.asarray(vector(text), dtype="<f4").tobytes() for text in (SECRET, EARLIER)}
    words = [(name, word) for name, held in files for word in TRACES if word.encode() in held.lower()]
    return words + [(name, text) for name, held in files for text, floats in vectors.items() if floats in held]


def nearest(store: TemporalCollection) -> list[str]:
    return sorted(store.query(query_embeddings=[vector(SECRET)], n_results=ROWS)["ids"][0])


@pytest.mark.parametrize("persist_after", [None, 10], ids=["never persisted", "persisted"])
def test_a_purge_leaves_no_byte(tmp_path: Path, persist_after: int | None) -> None:
    store = filled(tmp_path, persist_after)
    assert {what for _, what in left_in(tmp_path)} >= {ID, SECRET}
    changes = store.purge([ID])
    assert (changes.ids, changes.remains) == ((ID,), ())
    for after in (store, reopened(tmp_path)):
        assert left_in(tmp_path) == []
        assert sorted(after.get()["ids"]) == nearest(after) == SERVED
        assert after.verify() == after.verify(erased=[ID, SECRET, EARLIER]) == []
        write(after, more="more")
        after.purge(["more"])


ENDING: dict[str, Callable[[TemporalCollection], Any]] = {
    "purge": lambda store: store.purge([ID]),
    "compact": lambda store: [store.delete(ids=[ID, *SERVED[:20]]), store.compact()],
    "verify": lambda store: [store.delete(ids=[ID]), store.verify(repair=True)],
}


@pytest.mark.parametrize("how", ENDING)
@pytest.mark.parametrize("space", ["l2", "cosine"])
def test_what_nothing_asks_an_index_for_is_overwritten(tmp_path: Path, space: str, how: str) -> None:
    """Chroma writes places not in use, and lengths that only cosine asks for, as it found the memory."""
    client = chromadb.PersistentClient(str(tmp_path))
    raw = client.create_collection("ccc", configuration={"hnsw": {"space": space, "sync_threshold": 10}})
    store = TemporalCollection(raw, extractor=ToyExtractor())
    vectors = {row_id: [3 * v for v in vector(row_id)] for row_id in (*SERVED, ID)}
    store.write([f"prose {n}" for n in range(ROWS)], ids=list(vectors), embeddings=list(vectors.values()))
    for name in ("data_level0.bin", "length.bin"):
        [file] = tmp_path.glob(f"*/{name}")
        with file.open("r+b") as opened:
            for place in (0, -len(ID)) if (name, space) == ("length.bin", "l2") else (-len(ID),):
                opened.seek(place, os.SEEK_END if place else os.SEEK_SET)
                opened.write(ID.encode())
    ENDING[how](store)
    assert [name for name, what in left_in(tmp_path) if what == ID and name.endswith(".bin")] == []
    SharedSystemClient.clear_system_cache()
    found = chromadb.PersistentClient(str(tmp_path)).get_collection("ccc").get(include=["embeddings"])
    assert len(found["ids"]) >= len(SERVED) - 20
    for row_id, held in zip(found["ids"], found["embeddings"], strict=True):
        assert held == pytest.approx(vectors[row_id], abs=1e-5)


def test_a_purge_takes_what_an_import_that_was_cut_off_left(tmp_path: Path) -> None:
    """It lies in a collection of its own until it is complete; another collection is nobody's leftover."""
    store = filled(tmp_path)
    client = chromadb.PersistentClient(str(tmp_path), store.session.collection._client.get_settings())
    for name in ("shared.memstrata-import", "other.memstrata-import", "other"):
        made = client.create_collection(name, embedding_function=None)
        made.add(ids=[ID], documents=[SECRET if name != "other" else "k1=plain"], embeddings=[vector(SECRET)])
    made.delete(ids=[ID])
    assert store.purge([ID]).remains == ()
    assert sorted(c.name for c in client.list_collections()) == ["other", "shared"]
    assert [word for _, word in left_in(tmp_path) if word in TRACES and word != ID] == []


def test_a_purge_of_what_is_not_stored_says_so(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A mistyped id, or that of a document whose nodes are stored, must not pass for an erasure."""
    store = store_at(tmp_path)
    write(store, a="k1=a", b="k2=b")
    store.purge(["a"])
    assert caplog.text == ""
    store.purge(["b", "typo"])
    assert "nothing is stored under 1 of 2 ids, 'typo' among them" in caplog.text
    assert store.get()["ids"] == []


def test_no_surviving_row_names_what_was_purged(tmp_path: Path) -> None:
    store = store_at(tmp_path)
    write(store, before="k1=a", beside="k1=b; k2=b")
    write(store, **{ID: "k1=xanthippe; k2=b"})
    store.retract("k1")
    write(store, after="k1=c")
    store.write(["k3=wolframite"], ids=[f"{ID}-2"], embeddings=[vector("x")], supersedes=[["beside"]])
    write(store, late="k3=d; k2=e")
    store.undo("late")
    before = store.get()
    store.purge([ID, f"{ID}-2"])
    left = repr(store.session.collection.get(include=["metadatas", "documents"]))
    assert [t for t in TRACES if t in left] == left_in(tmp_path) == []
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
    store = store_at(tmp_path)
    nodes = {
        "first": node("first", _3=ID, _4="page"),
        ID: node(ID, _2="first", _3="last", _4="page"),
        "last": node("last", _2=ID, _4="page"),
        "page": node("page", _5=["first", ID, "last"]),
    }
    texts = ["prose", SECRET, "more prose", "a page"]
    store.write(texts, ids=list(nodes), embeddings=[vector(t) for t in texts], metadatas=list(nodes.values()))
    write(store, nodes["first"], first="other prose")
    store.purge([ID])
    assert left_in(tmp_path) == []
    kept = store.get(include=["metadatas"])
    left = [node("first", _4="page"), node("last", _4="page"), node("page", _5=["first", "last"])]
    wanted, content = ([json.loads(m["_node_content"]) for m in metadatas] for metadatas in (left, kept["metadatas"]))
    assert dict(zip(kept["ids"], content, strict=True)) == {c["id_"]: c for c in wanted}


class KilledError(BaseException):
    """Stands for the end of the process."""


def purge_killed_at(function: str, store: TemporalCollection, *ids: str, **how: Any) -> None:
    """Purge, and be killed when that comes to a function of the package."""
    with patch(f"memstrata_integrations.chroma.{function}", side_effect=KilledError), pytest.raises(KilledError):
        store.purge(list(ids), **how)


FINISHING: dict[str, Callable[[TemporalCollection], Any]] = {
    "purge of the same": lambda store: store.purge([ID]),
    "purge by subject": lambda store: store.purge(subject="k1"),
    "purge of a subject that is gone": lambda store: store.purge(subject="quux"),
    "a write": lambda store: write(store, new="k9=new"),
    "verify": lambda store: store.verify(repair=True),
}


@pytest.mark.parametrize("how", FINISHING)
def test_an_interrupted_purge_is_finished(tmp_path: Path, how: str) -> None:
    """Whatever writes next, in a new process, ends the erasure that was begun; until then `verify` tells of it."""
    purge_killed_at("erasing.scrub", filled(tmp_path), ID)
    assert left_in(tmp_path)
    store = reopened(tmp_path)
    [told] = store.verify()
    assert "purge" in told
    assert ID not in told
    FINISHING[how](store)
    assert left_in(tmp_path) == store.verify() == list(tmp_path.glob("memstrata-erasure*")) == []
    with pytest.raises(InvalidInputError, match="nothing is known"):
        store.purge(subject="quux")


def test_an_interrupted_purge_of_all_there_was_is_finished(tmp_path: Path) -> None:
    store = store_at(tmp_path)
    write(store, **{ID: SECRET})
    purge_killed_at("erasing.scrub", store, ID)
    write(reopened(tmp_path), new="k9=new")
    assert left_in(tmp_path) == []


def test_an_index_that_is_begun_anew_holds_none_of_this_process_s_memory(tmp_path: Path) -> None:
    """Chroma fills its unused places with what lies in memory, where the texts of a purge may still be."""
    store = store_at(tmp_path)
    write(store, **{ID: SECRET})
    store.purge([ID])
    for after in (store, reopened(tmp_path)):
        assert after.count() == 0
        write(after, new="k9=new")
        [length] = tmp_path.glob("*/length.bin")
        assert not any(length.read_bytes())
        after.purge(["new"])


def test_a_purge_that_is_cut_off_among_versions_is_taken_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are deleted in several calls: one that fails leaves a document that the next purge still finds."""
    store, seen = filled(tmp_path), []

    def delete(real: Callable[..., Any], ids: list[str]) -> Any:
        seen.extend(ids)
        if len(seen) > 1:
            raise KilledError
        return real(ids=ids)

    monkeypatch.setattr(store.session.writer, "batch_limit", lambda: 1)
    monkeypatch.setattr(store.session.writer, "collection", Instead(store.session.collection, delete=delete))
    with pytest.raises(KilledError):
        store.purge([ID])
    reopened(tmp_path).purge([ID])
    assert left_in(tmp_path) == []


def test_a_purge_that_another_reader_holds_up_says_so(tmp_path: Path) -> None:
    """The row is gone, the call raises with what it did, nothing claims to be erased, and the next call ends it."""
    store, real = filled(tmp_path), _erasing.scrub

    def scrub(*arguments: Any) -> Any:
        with closing(sqlite3.connect(tmp_path / "chroma.sqlite3", isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM embeddings").fetchall()
            return real(*arguments)  # in another process; what Chroma writes itself comes before that

    with patch.multiple(_erasing, WAIT=0.05, scrub=scrub):
        with pytest.raises(ErasureIncompleteError, match=r"chroma\.sqlite3") as told:
            store.purge([ID])
        assert told.value.changes.ids == (ID,)
        assert any("chroma.sqlite3" in line for line in told.value.changes.remains)
        assert store.last_changes == told.value.changes
        assert sorted(store.get()["ids"]) == SERVED
        assert left_in(tmp_path)
        assert len(store.verify()) == 1
        assert store.verify(erased=[SECRET]) != []
    assert store.verify(repair=True) == left_in(tmp_path) == []


TAKING_UP: dict[str, Callable[[TemporalCollection], Any]] = {
    "purge of the same": lambda store: store.purge(["a"]).ids == ("a",),
    "purge of another": lambda store: store.purge(["b"]).ids == ("b",),
    "verify": lambda store: store.verify(repair=True) == [],
}


@pytest.mark.parametrize("how", TAKING_UP)
def test_a_purge_that_is_cut_off_before_it_deletes_is_taken_up(tmp_path: Path, how: str) -> None:
    """The mark tells which rows it was, without naming them: the next purge or repair deletes them; no write does."""
    store = store_at(tmp_path)
    write(store, a="xanthippe", b="plain")
    purge_killed_at("amending.delete", store, "a")
    store = reopened(tmp_path)
    write(store, c="more")
    assert store.get(ids=["a"])["ids"] == ["a"]
    [told] = store.verify()
    assert "call it again" in told
    [mark] = tmp_path.glob("memstrata-erasure*")
    assert "xanthippe" not in mark.read_text()
    assert TAKING_UP[how](store)
    assert store.verify() == store.verify(erased=["xanthippe"]) == []
    assert store.get(ids=["a", "c"])["ids"] == ["c"]


def test_a_purge_tells_of_its_own_alone(tmp_path: Path) -> None:
    """What another tenant's purge left is deleted with this one, and is not in its report."""
    store = store_at(tmp_path, scope=("t",))
    for tenant in ("x", "y"):
        write(store, {"t": tenant}, **{f"of-{tenant}": f"k1={tenant}"})
    purge_killed_at("amending.delete", store, "of-x", scope={"t": "x"})
    changes = store.purge(["of-y"], scope={"t": "y"})
    assert changes.ids == ("of-y",)
    assert "of-x" not in repr(changes)
    assert store.session.collection.count() == 0


def test_a_copy_set_aside_and_an_index_of_no_collection_are_named(tmp_path: Path) -> None:
    """What no later call can erase either is told in `remains`, and is no error."""
    store = filled(tmp_path)
    aside = tmp_path / "memstrata-damaged-20240101T000000"
    aside.mkdir()
    orphan = tmp_path / "0b2c8a7e-1111-4222-8333-444455556666"
    orphan.mkdir()
    (orphan / "index_metadata.pickle").write_bytes(ID.encode())
    remains = store.purge([ID]).remains
    assert [any(d.name in line for line in remains) for d in (aside, orphan)] == [True, True]
    assert len(store.verify(erased=[ID])) == 1
    assert str(orphan.name) in store.verify(erased=[ID])[0]


def test_an_index_in_another_layout_is_not_touched(tmp_path: Path) -> None:
    filled(tmp_path, 10)
    [header] = tmp_path.glob("*/header.bin")
    before = (header.parent / "data_level0.bin").read_bytes()
    header.write_bytes(b"\2" + header.read_bytes()[1:])
    assert _traces.zero_unused(header.parent, 4, normalized=False, deleted=True) is not None
    assert (header.parent / "data_level0.bin").read_bytes() == before


def test_a_collection_in_memory_has_no_files() -> None:
    store = open_store(in_memory())
    write(store, **{ID: SECRET}, other="k1=a")
    assert len(store.verify(erased=[ID, "xanthippe"])) == 2
    assert store.purge([ID]).remains == ()
    assert store.verify(erased=[ID, "xanthippe"]) == []


def test_a_server_keeps_what_only_its_operator_can_erase(chroma_server: int) -> None:
    """Through HTTP the rows go, and both calls say that the server's files are out of reach."""
    store = store_at(chroma_server, "erased")
    write(store, **{ID: SECRET}, other="k2=a")
    [told] = store.purge([ID]).remains
    assert "server" in told
    assert "server" in str(store.last_changes)
    [told] = store.verify(erased=[ID])
    assert "server" in told
    assert store.verify() == []


def test_the_proof_finds_texts_in_every_form(tmp_path: Path) -> None:
    store = store_at(tmp_path)
    long = 'Zoë said "measles"\n' + " ".join(f"word{n}" for n in range(2000))
    write(store, long=long, plain="k1=a")
    write(store, {"node": '{"text": "Zo\\u00eb lives"}'}, json="k2=b")
    assert any("'long'" in line for line in store.verify(erased=[long]))
    assert any("'json'" in line and "'node'" in line for line in store.verify(erased=["Zoë lives"]))
    assert store.verify(erased=["Zoë died"]) == []
    assert store.verify(erased="k1=a") != []
    for wrong in ([""], [3], []):
        with pytest.raises(InvalidInputError):
            store.verify(erased=wrong)


def test_the_proof_sees_what_the_index_of_words_keeps(tmp_path: Path) -> None:
    store = store_at(tmp_path)
    write(store, a="zqwxyv", b="plain")
    store.purge(["b"])
    raw = store.session.collection
    raw.delete(ids=["a"])
    _erasing.persist(raw)
    SharedSystemClient.clear_system_cache()
    with sqlite3.connect(tmp_path / "chroma.sqlite3", isolation_level=None) as database:
        database.execute("VACUUM")
    [told] = [line for line in reopened(tmp_path).verify(erased=["zqwxyv"]) if "chroma.sqlite3" in line]
    assert "full-text" in told


def test_the_proof_sees_deleted_vectors(tmp_path: Path) -> None:
    """A vector that was deleted and not overwritten is told, whosever it was; a purge alone takes it from searches."""
    store = filled(tmp_path)
    store.delete([ID])
    assert {what for _, what in left_in(tmp_path)} >= {ID, SECRET}
    _erasing.persist(store.session.collection)
    store.verify(repair=True)
    assert any("vector" in line for line in store.verify(erased=["no such text"]))
    store.purge([ID])
    assert left_in(tmp_path) == []
    assert store.verify(erased=["no such text"]) == []
