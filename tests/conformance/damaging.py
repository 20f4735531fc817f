"""Directories of Chroma whose vector index is damaged, and what they hold."""

import hashlib
import pickle
import shutil
import sqlite3
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import chromadb
import numpy as np
import pytest
from chromadb.api.shared_system_client import SharedSystemClient
from langchain_core.embeddings import Embeddings

from memstrata_integrations.langchain import TemporalVectorStore as LangChainStore
from tests.shared_data import data_file

DIM = 384
NAME = "kkk"
FACTS = 24


class HashEmbeddings(Embeddings):
    """Vectors that look random, the same for the same text."""

    def __init__(self, dim: int = DIM, salt: str = "") -> None:
        self.dim, self.salt = dim, salt
        self.asked: list[str] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.asked += texts
        seeds = [hashlib.sha256((self.salt + t).encode()).digest() for t in texts]
        return [np.random.default_rng(list(s)).normal(size=self.dim).tolist() for s in seeds]

    def embed_query(self, text: str) -> list[float]:
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


def opened(directory: Path, embeddings: Embeddings | None = None, name: str = NAME) -> LangChainStore:
    SharedSystemClient.clear_system_cache()
    return LangChainStore(name, embeddings or HashEmbeddings(), persist_directory=str(directory))


def index_of(directory: Path) -> Path:
    [index] = [f.parent for f in directory.glob("*/data_level0.bin")]
    return index


def asked_of(directory: Path, sql: str) -> list[Any]:
    with closing(sqlite3.connect(directory / "chroma.sqlite3")) as database:
        return database.execute(sql).fetchall()


def recorded(directory: Path) -> dict[str, dict[str, Any]]:
    """Return text and metadata of each row, as the database has them."""
    found: dict[str, dict[str, Any]] = {}
    for row_id, key, value in asked_of(
        directory,
        "SELECT e.embedding_id, m.key, coalesce(m.string_value, m.int_value, m.float_value, m.bool_value) "
        "FROM embeddings e JOIN embedding_metadata m ON m.id = e.id",
    ):
        found.setdefault(row_id, {})[key] = value
    return found


def logged(directory: Path) -> dict[str, Any]:
    rows = asked_of(directory, "SELECT id, vector FROM embeddings_queue WHERE vector IS NOT NULL ORDER BY seq_id")
    return {row_id: np.frombuffer(vector, dtype=np.float32) for row_id, vector in rows}


def alike(a: Any, b: Any) -> float:
    return float(np.dot(a, b) / np.linalg.norm(a) / np.linalg.norm(b))


def fill(store: LangChainStore) -> None:
    """Write facts, each with a page and an id, and then what supersedes them."""
    numbers = range(FACTS)
    for port, date in ((80, "2024-01-01"), (90, "2024-06-01")):
        pages, ids = [{"page": n} for n in numbers], [f"{n}-{port}" for n in numbers]
        store.add_texts([f"The port of service-{n} is {port}." for n in numbers], pages, ids, valid_from=date)


@pytest.fixture
def store_directory(tmp_path: Path) -> Path:
    """A store of facts, half of them superseded, whose index Chroma has persisted."""
    client = chromadb.PersistentClient(str(tmp_path / "db"))
    configuration: Any = {"hnsw": {"sync_threshold": 10, "batch_size": 5}}
    client.create_collection(NAME, configuration=configuration, embedding_function=None)
    store = LangChainStore(NAME, HashEmbeddings(), client=client)
    fill(store)
    store.add_texts([f"Note {n}." for n in range(3)])  # these are in Chroma's log, and not yet in its index
    SharedSystemClient.clear_system_cache()
    return tmp_path / "db"


def served(store: LangChainStore, as_of: str | None = None) -> list[str]:
    found = store.similarity_search("port", k=10 * FACTS, as_of=as_of)
    return sorted(d.page_content for d in found if "port" in d.page_content)


def ports(port: int) -> list[str]:
    return sorted(f"The port of service-{n} is {port}." for n in range(FACTS))


def damage(directory: Path) -> None:
    (index_of(directory) / "index_metadata.pickle").write_bytes(b"damaged")


def forget_ids(directory: Path, count: int = 5) -> None:
    """Damage the index as a kill does between its data and its list of ids: some of its vectors are of no id."""
    [path] = directory.glob("*/index_metadata.pickle")
    known = pickle.loads(path.read_bytes())
    for row_id in sorted(known["id_to_label"])[:count]:
        del known["label_to_id"][known["id_to_label"].pop(row_id)]
    path.write_bytes(pickle.dumps(known))


def lose_rows(directory: Path, count: int = 5) -> None:
    """Take rows out of the database of which the index keeps the vectors, as an older copy of the database does."""
    with sqlite3.connect(directory / "chroma.sqlite3") as database:
        gone = database.execute("SELECT id FROM embeddings ORDER BY id LIMIT ?", (count,)).fetchall()
        for table in ("embedding_metadata", "embeddings"):
            database.executemany(f"DELETE FROM {table} WHERE id = ?", gone)
    database.close()


CUT_OFF = """
import os, signal, sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.executescript("PRAGMA cache_size = 1; BEGIN IMMEDIATE; DELETE FROM embedding_metadata; CREATE TABLE junk (x)")
database.executemany("INSERT INTO junk VALUES (?)", [("x" * 4000,)] * 500)
os.kill(os.getpid(), signal.SIGKILL)
"""


def cut_off(directory: Path) -> None:
    """Let a process be killed amid a transaction, which leaves its journal."""
    subprocess.run([sys.executable, "-c", CUT_OFF, str(directory / "chroma.sqlite3")], check=False)
    assert (directory / "chroma.sqlite3-journal").exists()


def without_index(directory: Path) -> None:
    """Take the index away; Chroma opens the collection, and has the vectors of its log only."""
    SharedSystemClient.clear_system_cache()
    shutil.rmtree(index_of(directory))
