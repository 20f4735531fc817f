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
from chromadb.errors import InternalError

from memstrata_integrations import repair
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.errors import IndexDamagedError, InvalidInputError, StoreLockedError
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
    opened,
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

VECTOR = [1.0] * DIM


def raw(directory: Path) -> TemporalCollection:
    """Open the collection itself."""
    return TemporalCollection(reopened(directory))


CALLS: dict[str, tuple[Callable[[Path], None], Callable[[Path], Any]]] = {  # how it is damaged, and the first call
    "get": (damage, lambda d: raw(d).get(limit=1)),
    "query": (damage, lambda d: raw(d).query(query_embeddings=[VECTOR])),
    "count": (damage, lambda d: raw(d).count()),
    "add": (damage, lambda d: raw(d).add(ids=["a"], embeddings=[VECTOR])),
    "delete": (damage, lambda d: raw(d).delete(ids=["a"])),
    "langchain": (damage, lambda d: opened(d).similarity_search("port")),
    "llama_index": (damage, lambda d: LlamaIndexStore.from_params(NAME, persist_dir=str(d)).get_nodes()),
    "repair": (damage, lambda d: raw(d).repair()),
    "wide query": (forget_ids, lambda d: raw(d).query(query_embeddings=[VECTOR], n_results=2 * FACTS)),
    "filtered query": (
        forget_ids,
        lambda d: raw(d).query(query_embeddings=[VECTOR], where_document={"$contains": "port"}),
    ),
    "wide search": (forget_ids, lambda d: served(opened(d))),
    "repair where rows are listed": (forget_ids, lambda d: raw(d).repair(HashEmbeddings())),
}


@pytest.mark.parametrize("call", CALLS)
def test_the_first_call_to_a_damaged_store_says_what_to_do(store_directory: Path, call: str) -> None:
    """Each door and call raises `IndexDamagedError` with the command that repairs, caused by Chroma's own error.

    So does a wide search of an index that fails in nothing else: it lists and counts rows, and finds few of them.
    """
    harm, first = CALLS[call]
    harm(store_directory)
    with pytest.raises(IndexDamagedError, match=f"memstrata repair {store_directory} --collection {NAME}") as raised:
        first(store_directory)
    assert isinstance(raised.value.__cause__, InternalError)


@pytest.mark.parametrize("harm", [pytest.param(damage, marks=pytest.mark.slow), forget_ids])
def test_after_a_repair_all_is_as_before(
    store_directory: Path, harm: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    """Searches, the past and the ledger, whether the collection opened or not; meanwhile it says what it is doing.

    What was set aside still holds what is purged later, and the purge says where.
    """
    before = recorded(store_directory)
    harm(store_directory)
    if harm is forget_ids:
        assert raw(store_directory).count() == len(raw(store_directory).get()["ids"]) == FACTS + 3
    with caplog.at_level(logging.INFO, "memstrata_integrations"):
        aside = repair(store_directory, NAME, HashEmbeddings(), progress=False).set_aside
    assert aside is not None
    assert [w in caplog.text for w in ("opening", "moved to", "embedding")] == [True] * 3
    assert repair(store_directory, NAME, HashEmbeddings(), progress=False).set_aside is None
    assert recorded(store_directory) == before
    store = opened(store_directory)
    assert served(store) == ports(90)
    assert served(store, as_of="2024-02-01") == ports(80)
    assert store.history("service-3").values == ["80", "90"]
    assert store.verify() == []
    store.add_texts(["The port of service-3 is 100."])
    assert store.history("service-3").values == ["80", "90", "100"]
    caplog.clear()
    store.purge(["3-80"])
    assert str(aside) in caplog.text


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
