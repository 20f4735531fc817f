"""A damaged vector index: told when a store is opened, set aside, and rebuilt from the documents."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chromadb
import pytest
from chromadb.api.shared_system_client import SharedSystemClient
from chromadb.errors import InternalError

from memstrata_integrations import repair
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.errors import IndexDamagedError, InvalidInputError, StoreLockedError
from memstrata_integrations.langchain import TemporalVectorStore as LangChainStore
from memstrata_integrations.llama_index import TemporalVectorStore as LlamaIndexStore
from tests.faults.conftest import Worker, start_worker
from tests.shared_data import ROOT

from .damaging import (
    DIM,
    FACTS,
    NAME,
    HashEmbeddings,
    alike,
    damage,
    forget_ids,
    fresh_clients,
    index_of,
    logged,
    ports,
    recorded,
    reopened,
    served,
    store_directory,
    unpacked,
)

__all__ = ["fresh_clients", "start_worker", "store_directory"]


# -- a directory that cannot be opened --------------------------------------------------------


@pytest.mark.slow
def test_a_killed_directory_comes_back_whole(tmp_path: Path) -> None:
    """Every row keeps id, text and metadata, and is found; its vector is the logged one, else that of its text.

    The index lies where the repair says, byte for byte, beside a copy of the database.
    """
    directory = unpacked(tmp_path)
    index = index_of(directory)
    files = {f.name: f.read_bytes() for f in index.iterdir()}
    rows, log = recorded(directory), logged(directory)
    done = repair(directory, NAME, HashEmbeddings(), progress=False)
    assert (done.rows, done.lost) == (len(rows), ())
    assert recorded(directory) == rows
    raw = reopened(directory)
    held = raw.get(include=["documents", "embeddings"])
    assert len(held["ids"]) == len(rows) > 1_889
    assert held["documents"] == [rows[i]["chroma:document"] for i in held["ids"]]
    assert 0 < len(set(rows) - set(log)) <= done.embedded < done.rows
    likeness = {}
    for row_id, vector, text in zip(held["ids"], held["embeddings"], held["documents"], strict=True):
        candidates = [HashEmbeddings().embed_query(text), *([log[row_id]] if row_id in log else [])]
        likeness[row_id] = [alike(vector, c) for c in candidates]
    assert min(map(max, likeness.values())) > 0.999
    assert sum(found[0] > 0.999 for found in likeness.values()) == done.embedded
    nearest = raw.query(query_embeddings=held["embeddings"], n_results=1, include=[])["ids"]
    missed = [i for i, [found] in zip(held["ids"], nearest, strict=True) if found != i]
    assert len(missed) <= 0.02 * done.rows  # as far as an approximate index ever finds all
    assert len(done.unreached) <= 0.02 * done.rows
    assert done.set_aside is not None
    assert done.set_aside.parent == directory
    assert {f.name: f.read_bytes() for f in (done.set_aside / index.name).iterdir()} == files
    assert recorded(done.set_aside) == rows


@pytest.mark.slow
def test_a_killed_directory_is_called_damaged_unless_chroma_dies_of_it(tmp_path: Path) -> None:
    """A process that opens it as a store gets `IndexDamagedError`, or is ended by a signal within Chroma."""
    killed = unpacked(tmp_path)
    script = (
        "import sys; from memstrata_integrations.langchain import TemporalVectorStore\n"
        "TemporalVectorStore(sys.argv[2], persist_directory=sys.argv[1]).get(limit=1)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(killed), NAME], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.returncode < 0 or (done.returncode == 1 and "IndexDamagedError" in done.stderr), done


def test_a_wrong_path_or_name_is_said(tmp_path: Path) -> None:
    """What is no Chroma directory, or holds no such collection, is named with what there is."""
    with pytest.raises(InvalidInputError, match=r"no chroma\.sqlite3"):
        repair(tmp_path, NAME, HashEmbeddings())
    chromadb.PersistentClient(str(tmp_path / "db")).create_collection("other", embedding_function=None)
    with pytest.raises(InvalidInputError, match=r"no collection 'kkk'.*'other'"):
        repair(tmp_path / "db", NAME, HashEmbeddings())


# -- a store of our own -----------------------------------------------------------------------


@pytest.mark.parametrize("call", ["get", "query", "count", "add", "delete", "langchain", "llama_index", "repair"])
def test_the_first_call_to_a_damaged_store_says_what_to_do(store_directory: Path, call: str) -> None:
    """Each door and call raises `IndexDamagedError` with the command that repairs, caused by Chroma's own error."""
    damage(store_directory)
    where, vector = str(store_directory), [1.0] * DIM
    calls: dict[str, Callable[[], Any]] = {
        "get": lambda: TemporalCollection(reopened(store_directory)).get(limit=1),
        "query": lambda: TemporalCollection(reopened(store_directory)).query(query_embeddings=[vector]),
        "count": lambda: TemporalCollection(reopened(store_directory)).count(),
        "add": lambda: TemporalCollection(reopened(store_directory)).add(ids=["a"], embeddings=[vector]),
        "delete": lambda: TemporalCollection(reopened(store_directory)).delete(ids=["a"]),
        "langchain": lambda: LangChainStore(NAME, HashEmbeddings(), persist_directory=where).similarity_search("port"),
        "llama_index": lambda: LlamaIndexStore.from_params(NAME, persist_dir=where).get_nodes(),
        "repair": lambda: TemporalCollection(reopened(store_directory)).repair(),
    }
    with pytest.raises(IndexDamagedError, match=f"memstrata repair {where} --collection {NAME}") as raised:
        calls[call]()
    assert isinstance(raised.value.__cause__, InternalError)


@pytest.mark.parametrize("call", ["query", "filter", "langchain", "repair"])
def test_an_index_that_fails_only_where_a_search_is_wide_is_damaged_too(store_directory: Path, call: str) -> None:
    """Where rows are listed and counted and a narrow search works, a wide one says what to do all the same."""
    forget_ids(store_directory)
    store = TemporalCollection(reopened(store_directory))
    assert store.count() == len(store.get()["ids"]) == FACTS + 3
    calls: dict[str, Callable[[], Any]] = {
        "query": lambda: store.query(query_embeddings=[[1.0] * DIM], n_results=2 * FACTS),
        "filter": lambda: store.query(query_embeddings=[[1.0] * DIM], where_document={"$contains": "port"}),
        "langchain": lambda: served(LangChainStore(NAME, HashEmbeddings(), persist_directory=str(store_directory))),
        "repair": lambda: store.repair(HashEmbeddings()),
    }
    with pytest.raises(IndexDamagedError, match=f"memstrata repair {store_directory} --collection {NAME}"):
        calls[call]()


def test_such_an_index_is_rebuilt(store_directory: Path, caplog: pytest.LogCaptureFixture) -> None:
    """`repair` mends it, says meanwhile what it is doing, and everything is found again."""
    before = recorded(store_directory)
    forget_ids(store_directory)
    with caplog.at_level(logging.INFO, "memstrata_integrations"):
        done = repair(store_directory, NAME, HashEmbeddings(), progress=False)
    assert done.set_aside is not None
    assert [w in caplog.text for w in ("opening", "moved to", "embedding")] == [True] * 3
    assert recorded(store_directory) == before
    SharedSystemClient.clear_system_cache()
    assert served(LangChainStore(NAME, HashEmbeddings(), persist_directory=str(store_directory))) == ports(90)


def test_nothing_is_touched_without_a_fitting_embedding(store_directory: Path) -> None:
    """Without an embedding function, or with one of another dimension, the index stays where it is."""
    damage(store_directory)
    index = index_of(store_directory)
    with pytest.raises(InvalidInputError, match="embedding_function"):
        repair(store_directory, NAME)
    with pytest.raises(InvalidInputError, match=r"7 dimensions.*384"):
        repair(store_directory, NAME, HashEmbeddings(7))
    with pytest.raises(InvalidInputError, match="embeds nothing"):
        repair(store_directory, NAME, 384)
    assert index_of(store_directory) == index
    assert list(store_directory.glob("memstrata-repair-*")) == []


def test_a_directory_that_another_process_writes_to_is_left_alone(
    tmp_path: Path, start_worker: Callable[..., Worker]
) -> None:
    """While another process holds the directory for writing, a repair is refused before anything else."""
    worker = start_worker(tmp_path / "db")
    assert "ids" in worker.ask("write", texts={"a": "k1=a"})
    before = {f.name for f in (tmp_path / "db").iterdir()}
    with pytest.raises(StoreLockedError):
        repair(tmp_path / "db", "shared", HashEmbeddings(4))
    assert {f.name for f in (tmp_path / "db").iterdir()} == before


@pytest.mark.slow
def test_facts_keep_their_times(store_directory: Path) -> None:
    """After the repair of an index that cannot be opened, searches, the past and the ledger are as before."""
    damage(store_directory)
    with pytest.raises(IndexDamagedError):
        TemporalCollection(reopened(store_directory)).count()
    before = recorded(store_directory)
    SharedSystemClient.clear_system_cache()
    assert repair(store_directory, NAME, HashEmbeddings(), progress=False).set_aside is not None
    assert repair(store_directory, NAME, HashEmbeddings(), progress=False).set_aside is None
    assert recorded(store_directory) == before
    SharedSystemClient.clear_system_cache()
    store = LangChainStore(NAME, HashEmbeddings(), persist_directory=str(store_directory))
    assert served(store) == ports(90)
    assert served(store, as_of="2024-02-01") == ports(80)
    assert store.history("service-3").values == ["80", "90"]
    assert store.verify() == []
    store.add_texts(["The port of service-3 is 100."])
    assert store.history("service-3").values == ["80", "90", "100"]


def test_a_purge_tells_of_what_was_set_aside(store_directory: Path, caplog: pytest.LogCaptureFixture) -> None:
    """What a repair set aside still holds what is purged later, and the purge says where."""
    damage(store_directory)
    aside = repair(store_directory, NAME, HashEmbeddings(), progress=False).set_aside
    SharedSystemClient.clear_system_cache()
    store = LangChainStore(NAME, HashEmbeddings(), persist_directory=str(store_directory))
    with caplog.at_level(logging.WARNING, "memstrata_integrations"):
        store.purge(["3-80"])
    assert str(aside) in caplog.text


def test_a_collection_that_was_renamed_through_another_object_is_repaired(store_directory: Path) -> None:
    """It is the same one, whatever its name."""
    client = chromadb.PersistentClient(str(store_directory))
    store = TemporalCollection(client.get_collection(NAME), embedding_function=HashEmbeddings())
    client.get_collection(NAME).modify(name="another-name")
    assert store.repair(progress=False).rows == 2 * FACTS + 3
