"""A damaged vector index: told when a store is opened, set aside, and rebuilt from the documents."""

from __future__ import annotations

import hashlib
import logging
import pickle
import shutil
import sqlite3
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import chromadb
import numpy as np
import pytest
from chromadb.api.shared_system_client import SharedSystemClient
from chromadb.errors import InternalError
from langchain_core.embeddings import Embeddings
from llama_index.core.schema import MetadataMode, TextNode

from memstrata_integrations import repair
from memstrata_integrations.chroma import embedding as _embedding
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.chroma.rebuild import Repair
from memstrata_integrations.cli import main
from memstrata_integrations.errors import IndexDamagedError, InvalidInputError, StorageError, StoreLockedError
from memstrata_integrations.langchain import TemporalVectorStore as LangChainStore
from memstrata_integrations.lexical import LexicalEmbeddings
from memstrata_integrations.llama_index import TemporalVectorStore as LlamaIndexStore
from memstrata_integrations.llama_index.nodes import columns
from tests.faults.conftest import Worker, start_worker
from tests.shared_data import ROOT, data_file

__all__ = ["start_worker"]

DIM = 384
NAME = "kkk"
FACTS = 24


class HashEmbeddings(Embeddings):
    """Vectors that look random, the same for the same text."""

    def __init__(self, dim: int = DIM, salt: str = "") -> None:
        self.dim, self.salt = dim, salt
        self.asked: list[str] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return a vector for each text."""
        self.asked += texts
        seeds = [hashlib.sha256((self.salt + t).encode()).digest() for t in texts]
        return [np.random.default_rng(list(s)).normal(size=self.dim).tolist() for s in seeds]

    def embed_query(self, text: str) -> list[float]:
        """Return a vector."""
        return self.embed_documents([text])[0]


@pytest.fixture(autouse=True)
def fresh_clients() -> Iterator[None]:
    """Each test opens its directories as a new process does."""
    yield
    SharedSystemClient.clear_system_cache()


def unpacked(where: Path) -> Path:
    """Return a copy of a directory whose process was killed while Chroma wrote the vector index."""
    with tarfile.open(data_file("damaged_chroma/killed_during_persist.tar.gz")) as archive:
        archive.extractall(where, filter="data")
    [directory] = [d for d in where.iterdir() if d.is_dir()]
    return directory


def reopened(directory: Path, name: str = NAME) -> Any:
    """Open a collection with a client that has seen nothing."""
    SharedSystemClient.clear_system_cache()
    return chromadb.PersistentClient(str(directory)).get_collection(name, embedding_function=None)


def index_of(directory: Path) -> Path:
    """Return the directory of the one vector index."""
    [index] = [f.parent for f in directory.glob("*/data_level0.bin")]
    return index


def recorded(directory: Path) -> dict[str, dict[str, Any]]:
    """Return text and metadata of each row, as the database has them."""
    with closing(sqlite3.connect(directory / "chroma.sqlite3")) as database:
        rows = database.execute(
            "SELECT e.embedding_id, m.key, coalesce(m.string_value, m.int_value, m.float_value, m.bool_value) "
            "FROM embeddings e JOIN embedding_metadata m ON m.id = e.id"
        ).fetchall()
    found: dict[str, dict[str, Any]] = {}
    for row_id, key, value in rows:
        found.setdefault(row_id, {})[key] = value
    return found


def logged(directory: Path) -> dict[str, Any]:
    """Return the last vector that Chroma's log holds of each row."""
    with closing(sqlite3.connect(directory / "chroma.sqlite3")) as database:
        rows = database.execute(
            "SELECT id, vector FROM embeddings_queue WHERE vector IS NOT NULL ORDER BY seq_id"
        ).fetchall()
    return {row_id: np.frombuffer(vector, dtype=np.float32) for row_id, vector in rows}


def alike(a: Any, b: Any) -> float:
    """Return the cosine of two vectors."""
    return float(np.dot(a, b) / np.linalg.norm(a) / np.linalg.norm(b))


# -- a directory that cannot be opened --------------------------------------------------------


@dataclass
class Rebuilt:
    """A directory after its repair, and what was known of it before."""

    directory: Path
    done: Repair
    rows: dict[str, dict[str, Any]]
    log: dict[str, Any]
    index: str
    files: dict[str, bytes]


@pytest.fixture(scope="module")
def rebuilt(tmp_path_factory: pytest.TempPathFactory) -> Rebuilt:
    """A killed directory that was repaired."""
    directory = unpacked(tmp_path_factory.mktemp("killed"))
    index = index_of(directory)
    files = {f.name: f.read_bytes() for f in index.iterdir()}
    rows, log = recorded(directory), logged(directory)
    return Rebuilt(directory, repair(directory, NAME, HashEmbeddings(), progress=False), rows, log, index.name, files)


@pytest.mark.slow
def test_a_killed_directory_comes_back_whole(rebuilt: Rebuilt) -> None:
    """Every row keeps id, text and metadata; its vector is the logged one, else that of its text."""
    assert (rebuilt.done.rows, rebuilt.done.lost) == (len(rebuilt.rows), ())
    assert recorded(rebuilt.directory) == rebuilt.rows
    held = reopened(rebuilt.directory).get(include=["documents", "embeddings"])
    assert len(held["ids"]) == len(rebuilt.rows) > 1_889
    assert held["documents"] == [rebuilt.rows[i]["chroma:document"] for i in held["ids"]]
    assert 0 < len(set(rebuilt.rows) - set(rebuilt.log)) <= rebuilt.done.embedded < rebuilt.done.rows
    likeness = {}
    for row_id, vector, text in zip(held["ids"], held["embeddings"], held["documents"], strict=True):
        candidates = [HashEmbeddings().embed_query(text), *([rebuilt.log[row_id]] if row_id in rebuilt.log else [])]
        likeness[row_id] = [alike(vector, c) for c in candidates]
    assert min(map(max, likeness.values())) > 0.999
    assert sum(found[0] > 0.999 for found in likeness.values()) == rebuilt.done.embedded


@pytest.mark.slow
def test_rebuilt_rows_are_found(rebuilt: Rebuilt) -> None:
    """A search for a row's own vector returns it, as far as an approximate index ever does."""
    raw = reopened(rebuilt.directory)
    held = raw.get(include=["embeddings"])
    nearest = raw.query(query_embeddings=held["embeddings"], n_results=1, include=[])["ids"]
    missed = [i for i, [found] in zip(held["ids"], nearest, strict=True) if found != i]
    assert len(missed) <= 0.02 * rebuilt.done.rows
    assert len(rebuilt.done.unreached) <= 0.02 * rebuilt.done.rows


@pytest.mark.slow
def test_what_was_damaged_is_set_aside(rebuilt: Rebuilt) -> None:
    """The index lies where the repair says, byte for byte, beside a copy of the database."""
    aside = rebuilt.done.set_aside
    assert aside is not None
    assert aside.parent == rebuilt.directory
    assert {f.name: f.read_bytes() for f in (aside / rebuilt.index).iterdir()} == rebuilt.files
    assert recorded(aside) == rebuilt.rows


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


@pytest.fixture
def store_directory(tmp_path: Path) -> Path:
    """A store of facts, half of them superseded, whose index Chroma has persisted."""
    directory = tmp_path / "db"
    client = chromadb.PersistentClient(str(directory))
    configuration: Any = {"hnsw": {"sync_threshold": 10, "batch_size": 5}}
    client.create_collection(NAME, configuration=configuration, embedding_function=None)
    store = LangChainStore(NAME, HashEmbeddings(), client=client)
    for port, date in ((80, "2024-01-01"), (90, "2024-06-01")):
        store.add_texts(
            [f"The port of service-{n} is {port}." for n in range(FACTS)],
            [{"page": n} for n in range(FACTS)],
            ids=[f"{n}-{port}" for n in range(FACTS)],
            valid_from=date,
        )
    store.add_texts([f"Note {n}." for n in range(3)])  # these are in Chroma's log, and not yet in its index
    SharedSystemClient.clear_system_cache()
    return directory


def served(store: LangChainStore, as_of: str | None = None) -> list[str]:
    """Return what a search for everything finds."""
    found = store.similarity_search("port", k=10 * FACTS, as_of=as_of)
    return sorted(d.page_content for d in found if "port" in d.page_content)


def ports(port: int) -> list[str]:
    return sorted(f"The port of service-{n} is {port}." for n in range(FACTS))


def damage(directory: Path) -> None:
    """Damage the index in a way that Chroma always notices."""
    (index_of(directory) / "index_metadata.pickle").write_bytes(b"damaged")


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


def forget_ids(directory: Path, count: int = 5) -> None:
    """Damage the index as a kill does between its data and its list of ids: some of its vectors are of no id."""
    [path] = directory.glob("*/index_metadata.pickle")
    known = pickle.loads(path.read_bytes())
    for row_id in sorted(known["id_to_label"])[:count]:
        label = known["id_to_label"].pop(row_id)
        del known["label_to_id"][label]
    path.write_bytes(pickle.dumps(known))


def lose_rows(directory: Path, count: int = 5) -> None:
    """Take rows out of the database of which the index keeps the vectors, as an older copy of the database does."""
    with sqlite3.connect(directory / "chroma.sqlite3") as database:
        gone = database.execute("SELECT id FROM embeddings ORDER BY id LIMIT ?", (count,)).fetchall()
        for table in ("embedding_metadata", "embeddings"):
            database.executemany(f"DELETE FROM {table} WHERE id = ?", gone)
    database.close()


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


def test_vectors_of_no_row_are_taken_out(store_directory: Path) -> None:
    """They take places in a search; `store.repair()` deletes them, so that it finds all rows there are."""
    lose_rows(store_directory)
    store = LangChainStore(NAME, HashEmbeddings(), persist_directory=str(store_directory))
    left = store.get(include_superseded=True)["ids"]
    done = store.repair()
    assert (done.rows, done.strays, done.embedded, done.unreached) == (len(left), 5, 0, ())
    assert "5 vectors" in str(done)
    raw = reopened(store_directory)
    found = raw.query(query_embeddings=[[1.0] * DIM], n_results=10 * FACTS, include=[])["ids"][0]
    assert sorted(found) == sorted(left)
    assert store.repair().strays == 0


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


def without_index(directory: Path) -> None:
    """Take the index away; Chroma opens the collection, and has the vectors of its log only."""
    shutil.rmtree(index_of(directory))


def test_an_open_store_embeds_what_searches_do_not_reach(store_directory: Path) -> None:
    """`store.repair()` takes the store's own embeddings, embeds only what is missing, and changes no row."""
    without_index(store_directory)
    embeddings = HashEmbeddings()
    store = LangChainStore(NAME, embeddings, persist_directory=str(store_directory))
    listed = store.get(include_superseded=True)
    raw = reopened(store_directory)
    reached = len(raw.query(query_embeddings=[[1.0] * DIM], n_results=raw.count(), include=[])["ids"][0])
    assert reached > 0
    store = LangChainStore(NAME, embeddings, persist_directory=str(store_directory))
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


def test_llama_index_nodes_are_embedded_with_their_metadata(store_directory: Path) -> None:
    """The LlamaIndex door needs an embedding, and gives it what the embedding of a node is made of."""
    client = chromadb.PersistentClient(str(store_directory))
    store = LlamaIndexStore(chroma_collection=client.get_collection(NAME, embedding_function=None))
    node = TextNode(text="The queue is bq-7.", id_="node", metadata={"page": 3, "seen": 1})
    node.excluded_embed_metadata_keys = ["seen"]
    node.embedding = HashEmbeddings().embed_query(node.get_content(MetadataMode.EMBED))
    store.add([node])
    store.client.add(ids=[f"x{n}" for n in range(40)], documents=["x"] * 40, embeddings=np.eye(40, DIM) + 1e-3)
    del store, client
    SharedSystemClient.clear_system_cache()
    without_index(store_directory)
    store = LlamaIndexStore(chroma_collection=reopened(store_directory))
    with pytest.raises(InvalidInputError, match=r"\d+ of \d+ rows have no vector; give embedding_function="):
        store.repair()
    embeddings = HashEmbeddings()
    store.repair(embeddings, progress=False)
    assert "page: 3\n\nThe queue is bq-7." in embeddings.asked
    found = store.client.get(ids=["node"], include=["embeddings"])["embeddings"][0]
    assert alike(found, node.embedding) > 0.999


def test_the_text_of_a_node_is_what_llama_index_embeds() -> None:
    """For nodes with templates, hidden keys and without metadata the embedded text is LlamaIndex's own."""
    nodes = [
        TextNode(text="Plain."),
        TextNode(text="With.", metadata={"a": 1, "b": "x y"}),
        TextNode(text="Hidden.", metadata={"a": 1, "b": "x"}, excluded_embed_metadata_keys=["b"]),
        TextNode(text="All hidden.", metadata={"a": 1}, excluded_embed_metadata_keys=["a"]),
        TextNode(
            text="Own.",
            metadata={"a": 1, "b": 2},
            metadata_template="<{key}={value}>",
            metadata_separator=" ",
            text_template="{content} [{metadata_str}]",
        ),
    ]
    for node in nodes:
        node.embedding = [1.0]
        stored = columns([node], flat=True)
        text = _embedding.embedded_text(stored["documents"][0], stored["metadatas"][0])
        assert text == node.get_content(metadata_mode=MetadataMode.EMBED)


def test_vectors_of_another_model_are_warned_of(store_directory: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A repair with an embedding that does not give the stored vectors says so, and one with the right one does not."""
    without_index(store_directory)
    store = LangChainStore(NAME, HashEmbeddings(), persist_directory=str(store_directory))
    with caplog.at_level(logging.WARNING, "memstrata_integrations"):
        store.repair(progress=False)
        assert caplog.records == []
        store.add_texts(["Note 4."])
        SharedSystemClient.clear_system_cache()
        without_index(store_directory)
        other = LangChainStore(NAME, HashEmbeddings(salt="other"), persist_directory=str(store_directory))
        other.repair(progress=False)
    assert "median cosine" in caplog.text


def test_a_row_without_a_text_is_reported(store_directory: Path) -> None:
    """A row of which neither vector nor text is left stays listed, and the repair names it."""
    raw = reopened(store_directory)
    raw.add(ids=["bare"], embeddings=[[0.5] * DIM], metadatas=[{"k": 1}])
    raw.add(ids=[f"x{n}" for n in range(40)], documents=["x"] * 40, embeddings=np.eye(40, DIM) + 1e-3)
    del raw
    SharedSystemClient.clear_system_cache()
    without_index(store_directory)
    store = TemporalCollection(reopened(store_directory), extractor=None)
    with pytest.raises(InvalidInputError, match="give embedding_function="):
        store.repair()
    done = store.repair(HashEmbeddings(), progress=False)
    assert done.lost == ("bare",)
    assert store.get(ids=["bare"])["metadatas"] == [{"k": 1}]


def test_a_failure_that_is_not_the_index_moves_nothing(store_directory: Path) -> None:
    """Where the collection does not open without its index either, the index goes back to its place."""
    index = index_of(store_directory)
    with pytest.raises(StorageError, match="back in its place"):
        repair(store_directory, NAME, HashEmbeddings(), time_limit=0.01, progress=False)
    assert index_of(store_directory) == index
    store = LangChainStore(NAME, HashEmbeddings(), persist_directory=str(store_directory))
    assert served(store) == ports(90)


@pytest.mark.parametrize("trouble", ["it passes", "another process writes"])
def test_other_trouble_is_not_called_damage(
    store_directory: Path, monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    """An error that passes, or comes while another process holds the database, goes on as it is."""
    store = TemporalCollection(reopened(store_directory))

    def failing(*_: Any, **__: Any) -> Any:
        raise InternalError("some trouble")

    monkeypatch.setattr(store.session.collection, "get", failing)
    if trouble == "another process writes":
        monkeypatch.setattr(store.session.collection, "count", failing)
    with closing(sqlite3.connect(store_directory / "chroma.sqlite3", isolation_level=None)) as other:
        if trouble == "another process writes":
            other.execute("BEGIN IMMEDIATE")
        with pytest.raises(InternalError, match="some trouble"):
            store.get(as_of="2024-02-01")


# -- the command --------------------------------------------------------------------------------


def test_the_command_repairs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`memstrata repair PATH --collection NAME` embeds with what the collection records, and says what it did."""
    directory = tmp_path / "db"
    store = LangChainStore("notes", LexicalEmbeddings(), persist_directory=str(directory))
    store.add_texts([f"Note {n} speaks of {'abcdefgh'[n % 8] * 5}." for n in range(30)])
    del store
    SharedSystemClient.clear_system_cache()
    with closing(sqlite3.connect(directory / "chroma.sqlite3")) as database:
        [[segment]] = database.execute("SELECT id FROM segments WHERE scope = 'VECTOR'").fetchall()
    (directory / segment).mkdir(exist_ok=True)
    (directory / segment / "index_metadata.pickle").write_bytes(b"damaged")
    assert main(["repair", str(directory), "--collection", "notes"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("30 rows, ")
    assert "the damaged index and a copy of the database" in told
    SharedSystemClient.clear_system_cache()
    store = LangChainStore("notes", LexicalEmbeddings(), persist_directory=str(directory))
    assert len(store.similarity_search("aaaaa", k=100)) == 30


CUT_OFF = """
import os, signal, sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("PRAGMA cache_size = 1")
database.execute("BEGIN IMMEDIATE")
database.execute("DELETE FROM embedding_metadata")
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("command", ["repair", "export", "audit"])
def test_a_transaction_that_a_kill_cut_off_is_in_no_commands_way(
    store_directory: Path, tmp_path: Path, command: str
) -> None:
    """The database is as it was before it: nobody needs to open the directory with Chroma first."""
    subprocess.run([sys.executable, "-c", CUT_OFF, str(store_directory / "chroma.sqlite3")], check=False)
    assert (store_directory / "chroma.sqlite3-journal").exists()
    if command == "repair":
        damage(store_directory)
        done = repair(store_directory, NAME, HashEmbeddings(), progress=False)
        assert (done.rows, done.lost, done.unreached) == (2 * FACTS + 3, (), ())
    else:
        target = {"export": "--to", "audit": "--jsonl"}[command]
        assert main([command, str(store_directory), "--collection", NAME, target, str(tmp_path / "told")]) == 0
        assert len((tmp_path / "told").read_text().splitlines()) >= FACTS


def test_repairs_of_two_directories_leave_each_client_its_own(
    store_directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chroma writes a client's path into the settings that it is given: those of one client are no other's."""
    other = Path(shutil.copytree(store_directory, tmp_path / "other"))
    opened, made = chromadb.PersistentClient, []

    def client(path: Any, settings: Any, **others: Any) -> Any:
        made.append((path, settings))
        return opened(path, settings=settings, **others)

    monkeypatch.setattr(chromadb, "PersistentClient", client)
    for directory in (store_directory, other):
        repair(directory, NAME, HashEmbeddings(), progress=False)
    assert [settings.persist_directory for _, settings in made] == [path for path, _ in made]


def test_the_command_asks_for_what_it_does_not_know(store_directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the collection records no embedding, or the path is wrong, the status is 2 and nothing is changed."""
    assert main(["repair", str(store_directory), "--collection", NAME]) == 2
    assert "--embeddings" in capsys.readouterr().err
    assert main(["repair", str(store_directory / "nowhere"), "--collection", NAME]) == 2
    assert "is no Chroma directory" in capsys.readouterr().err
