"""A damaged vector index: told when a store is opened, set aside, and rebuilt from the documents."""

import logging
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import Mock, patch

import chromadb
import numpy as np
import pytest
from chromadb.api.shared_system_client import SharedSystemClient
from chromadb.errors import InternalError
from llama_index.core.schema import MetadataMode, TextNode

from memstrata_integrations import repair
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.cli import main
from memstrata_integrations.errors import IndexDamagedError, InvalidInputError, StorageError, StoreLockedError
from memstrata_integrations.lexical import LexicalEmbeddings
from memstrata_integrations.llama_index import TemporalVectorStore as LlamaIndexStore
from tests.faults.conftest import start_worker
from tests.shared_data import ROOT

from .damaging import (
    DIM,
    FACTS,
    NAME,
    HashEmbeddings,
    alike,
    asked_of,
    cut_off,
    damage,
    forget_ids,
    fresh_clients,
    index_of,
    logged,
    lose_rows,
    opened,
    ports,
    recorded,
    reopened,
    served,
    store_directory,
    unpacked,
    without_index,
)

__all__ = ["fresh_clients", "start_worker", "store_directory"]


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
    rebuilt = reopened(directory)
    held = rebuilt.get(include=["documents", "embeddings"])
    assert len(held["ids"]) == len(rows) > 1_889
    assert held["documents"] == [rows[i]["chroma:document"] for i in held["ids"]]
    assert 0 < len(set(rows) - set(log)) <= done.embedded < done.rows
    likeness = {}
    for row_id, vector, text in zip(held["ids"], held["embeddings"], held["documents"], strict=True):
        candidates = [HashEmbeddings().embed_query(text), *([log[row_id]] if row_id in log else [])]
        likeness[row_id] = [alike(vector, c) for c in candidates]
    assert min(map(max, likeness.values())) > 0.999
    assert sum(found[0] > 0.999 for found in likeness.values()) == done.embedded
    nearest = rebuilt.query(query_embeddings=held["embeddings"], n_results=1, include=[])["ids"]
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


VECTOR = [1.0] * DIM


def raw(directory: Path) -> TemporalCollection:
    return TemporalCollection(reopened(directory))


CALLS: dict[str, tuple[Callable[[Path], None], Callable[[Path], Any]]] = {  # how it is damaged, and the first call
    "get": (damage, lambda d: raw(d).get(limit=1)),
    "query": (damage, lambda d: raw(d).query([VECTOR])),
    "count": (damage, lambda d: raw(d).count()),
    "add": (damage, lambda d: raw(d).add(ids=["a"], embeddings=[VECTOR])),
    "delete": (damage, lambda d: raw(d).delete(ids=["a"])),
    "langchain": (damage, lambda d: opened(d).similarity_search("port")),
    "llama_index": (damage, lambda d: LlamaIndexStore.from_params(NAME, persist_dir=str(d)).get_nodes()),
    "repair": (damage, lambda d: raw(d).repair()),
    "wide query": (forget_ids, lambda d: raw(d).query([VECTOR], n_results=2 * FACTS)),
    "filtered query": (forget_ids, lambda d: raw(d).query([VECTOR], where_document={"$contains": "port"})),
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
def test_after_a_repair_all_is_as_before(store_directory: Path, harm: Any, caplog: pytest.LogCaptureFixture) -> None:
    """Searches, the past and the ledger, whether the collection opened or not; meanwhile it says what it is doing.

    What was set aside still holds what is purged later, and the purge says where.
    """
    before = recorded(store_directory)
    harm(store_directory)
    if harm is forget_ids:  # a wide search fails, and nothing else
        assert raw(store_directory).count() == len(raw(store_directory).get()["ids"]) == FACTS + 3
    with caplog.at_level(logging.INFO, "memstrata_integrations"):
        aside = repair(store_directory, NAME, HashEmbeddings(), progress=False).set_aside
    assert aside is not None
    assert [w in caplog.text for w in ("opening", "moved to", "embedding")] == [True] * 3
    if harm is damage:
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
    damage(store_directory)
    index = index_of(store_directory)
    for wrong, why in ((None, "embedding_function"), (HashEmbeddings(7), "7 dimensions.*384"), (384, "embeds nothing")):
        with pytest.raises(InvalidInputError, match=why):
            repair(store_directory, NAME, wrong)
    assert index_of(store_directory) == index
    assert list(store_directory.glob("memstrata-repair-*")) == []


def test_a_directory_that_another_process_writes_to_is_left_alone(tmp_path: Path, start_worker: Any) -> None:
    worker = start_worker(tmp_path / "db")
    assert "ids" in worker.ask("write", texts={"a": "k1=a"})
    before = {f.name for f in (tmp_path / "db").iterdir()}
    with pytest.raises(StoreLockedError):
        repair(tmp_path / "db", "shared", HashEmbeddings(4))
    assert {f.name for f in (tmp_path / "db").iterdir()} == before


def test_vectors_of_no_row_are_taken_out(store_directory: Path) -> None:
    """They take places in a search; `store.repair()` deletes them, so that it finds all rows there are."""
    lose_rows(store_directory)
    store = opened(store_directory)
    left = store.get(include_superseded=True)["ids"]
    done = store.repair()
    assert (done.rows, done.strays, done.embedded, done.unreached) == (len(left), 5, 0, ())
    assert "5 vectors" in str(done)
    found = reopened(store_directory).query([VECTOR], n_results=10 * FACTS, include=[])["ids"][0]
    assert sorted(found) == sorted(left)
    assert store.repair().strays == 0


def test_an_open_store_embeds_what_searches_do_not_reach(store_directory: Path) -> None:
    """`store.repair()` takes the store's own embeddings, embeds only what is missing, and changes no row."""
    without_index(store_directory)
    searched = reopened(store_directory)
    reached = len(searched.query(query_embeddings=[VECTOR], n_results=searched.count(), include=[])["ids"][0])
    assert reached > 0
    embeddings = HashEmbeddings()
    store = opened(store_directory, embeddings)
    listed = store.get(include_superseded=True)
    assert served(store) != ports(90)
    embeddings.asked.clear()
    done = store.repair(progress=False)
    assert (done.rows, done.lost, done.unreached, done.set_aside) == (len(listed["ids"]), (), (), None)
    assert 0 < done.embedded == done.rows - reached
    assert served(store) == ports(90)
    assert served(store, as_of="2024-02-01") == ports(80)
    assert store.get(include_superseded=True) == listed
    embeddings.asked.clear()
    assert store.repair(progress=False).embedded == 0
    assert embeddings.asked == []


TEMPLATES = {"text_template": "{content} [{metadata_str}]", "metadata_template": "<{key}={value}>"}
NODES = [
    TextNode(text="Plain."),
    TextNode(text="With.", metadata={"a": 1, "b": "x y"}),
    TextNode(text="Hidden.", metadata={"a": 1, "b": "x"}, excluded_embed_metadata_keys=["b"]),
    TextNode(text="All hidden.", metadata={"a": 1}, excluded_embed_metadata_keys=["a"]),
    TextNode(text="Own.", metadata={"a": 1, "b": 2}, metadata_separator=" ", **TEMPLATES),
]


def test_a_repair_embeds_nodes_as_llama_index_does_and_names_rows_without_a_text(store_directory: Path) -> None:
    """Nodes with templates, hidden keys and without metadata; the LlamaIndex door needs an embedding for it.

    A row of which neither vector nor text is left stays listed.
    """
    said = [node.get_content(MetadataMode.EMBED) for node in NODES]
    for node, text in zip(NODES, said, strict=True):
        node.embedding = HashEmbeddings().embed_query(text)
    store = LlamaIndexStore(chroma_collection=reopened(store_directory))
    store.add(NODES)
    store.client.add(ids=["bare"], embeddings=[[0.5] * DIM], metadatas=[{"k": 1}])
    store.client.add(ids=[f"x{n}" for n in range(40)], documents=["x"] * 40, embeddings=np.eye(40, DIM) + 1e-3)
    without_index(store_directory)
    store = LlamaIndexStore(chroma_collection=reopened(store_directory))
    with pytest.raises(InvalidInputError, match=r"\d+ of \d+ rows have no vector; give embedding_function="):
        store.repair()
    assert list(store_directory.glob("memstrata-repair-*")) == []
    embeddings = HashEmbeddings()
    assert store.repair(embeddings, progress=False).lost == ("bare",)
    assert store.client.get(ids=["bare"])["metadatas"] == [{"k": 1}]
    assert set(said) <= set(embeddings.asked)
    found = store.client.get(ids=[NODES[1].node_id], include=["embeddings"])["embeddings"][0]
    assert alike(found, NODES[1].embedding) > 0.999


def test_vectors_of_another_model_are_warned_of(store_directory: Path, caplog: pytest.LogCaptureFixture) -> None:
    without_index(store_directory)
    caplog.set_level(logging.WARNING, "memstrata_integrations")
    store = opened(store_directory)
    store.repair(progress=False)
    assert caplog.records == []
    store.add_texts(["Note 4."])
    without_index(store_directory)
    opened(store_directory, HashEmbeddings(salt="other")).repair(progress=False)
    assert "median cosine" in caplog.text


def test_a_failure_that_is_not_the_index_moves_nothing(store_directory: Path) -> None:
    """Where the collection does not open without its index either, the index goes back to its place."""
    index = index_of(store_directory)
    with pytest.raises(StorageError, match="back in its place"):
        repair(store_directory, NAME, HashEmbeddings(), time_limit=0.01, progress=False)
    assert index_of(store_directory) == index
    assert list(store_directory.glob("memstrata-repair-*")) == []
    assert served(opened(store_directory)) == ports(90)


@pytest.mark.parametrize("trouble", ["it passes", "another process writes"])
def test_other_trouble_is_no_damage(store_directory: Path, monkeypatch: pytest.MonkeyPatch, trouble: str) -> None:
    """An error that passes, or comes while another process holds the database, goes on as it is."""
    store, failing = raw(store_directory), Mock(side_effect=InternalError("some trouble"))
    with closing(sqlite3.connect(store_directory / "chroma.sqlite3", isolation_level=None)) as other:
        monkeypatch.setattr(store.session.collection, "get", failing)
        if trouble == "another process writes":
            monkeypatch.setattr(store.session.collection, "count", failing)
            other.execute("BEGIN IMMEDIATE")
        with pytest.raises(InternalError, match="some trouble"):
            store.get(as_of="2024-02-01")


def test_the_command_repairs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = opened(tmp_path, LexicalEmbeddings(), "notes")
    store.add_texts([f"Note {n} speaks of {'abcdefgh'[n % 8] * 5}." for n in range(30)])
    [[segment]] = asked_of(tmp_path, "SELECT id FROM segments WHERE scope = 'VECTOR'")
    (tmp_path / segment).mkdir(exist_ok=True)
    (tmp_path / segment / "index_metadata.pickle").write_bytes(b"damaged")
    SharedSystemClient.clear_system_cache()
    assert main(["repair", str(tmp_path), "--collection", "notes"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("30 rows, ")
    assert "the damaged index and a copy of the database" in told
    assert len(opened(tmp_path, LexicalEmbeddings(), "notes").similarity_search("aaaaa", k=100)) == 30


@pytest.mark.parametrize("command", ["repair", "export", "audit"])
def test_a_transaction_cut_off_is_in_no_commands_way(store_directory: Path, tmp_path: Path, command: str) -> None:
    """The database is as it was before it: nobody needs to open the directory with Chroma first."""
    cut_off(store_directory)
    if command == "repair":
        damage(store_directory)
        done = repair(store_directory, NAME, HashEmbeddings(), progress=False)
        assert (done.rows, done.lost, done.unreached) == (2 * FACTS + 3, (), ())
    else:
        target = {"export": "--to", "audit": "--jsonl"}[command]
        assert main([command, str(store_directory), "--collection", NAME, target, str(tmp_path / "told")]) == 0
        assert len((tmp_path / "told").read_text().splitlines()) >= FACTS


def test_repairs_of_two_directories_leave_each_client_its_own(store_directory: Path, tmp_path: Path) -> None:
    """Chroma writes a client's path into the settings that it is given: those of one client are no other's."""
    other = Path(shutil.copytree(store_directory, tmp_path / "other"))
    with patch.object(chromadb, "PersistentClient", wraps=chromadb.PersistentClient) as made:
        for directory in (store_directory, other):
            repair(directory, NAME, HashEmbeddings(), progress=False)
    assert len(made.mock_calls) == 2
    assert all(call.kwargs["settings"].persist_directory == call.args[0] for call in made.mock_calls)


def test_the_command_asks_for_what_it_does_not_know(store_directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["repair", str(store_directory), "--collection", NAME]) == 2
    assert "--embeddings" in capsys.readouterr().err
    assert main(["repair", str(store_directory / "nowhere"), "--collection", NAME]) == 2
    assert "is no Chroma directory" in capsys.readouterr().err


def test_a_collection_that_was_renamed_through_another_object_is_repaired(store_directory: Path) -> None:
    """It is the same one, whatever its name."""
    client = chromadb.PersistentClient(str(store_directory))
    store = TemporalCollection(client.get_collection(NAME), embedding_function=HashEmbeddings())
    client.get_collection(NAME).modify(name="another-name")
    assert store.repair(progress=False).rows == 2 * FACTS + 3
