"""A repair is killed at any point: the next opening tells, and goes on; no row is missing without a word."""

from __future__ import annotations

import json
import logging
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import chromadb
import pytest
from chromadb.api.shared_system_client import SharedSystemClient
from llama_index.core.vector_stores.types import VectorStoreQuery

from memstrata_integrations import repair
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.errors import IndexDamagedError
from memstrata_integrations.langchain import TemporalVectorStore as LangChainStore
from memstrata_integrations.llama_index import TemporalVectorStore as LlamaIndexStore
from tests.conformance.conftest import OneCollection
from tests.conformance.damaging import damage, fresh_clients, index_of
from tests.conformance.lexical import LexicalEmbeddings
from tests.conformance.llama import LexicalModel

from .repairer import FACTS, NAME, POINTS

__all__ = ["fresh_clients"]
pytestmark = pytest.mark.slow
ROWS = 2 * FACTS


def run(directory: Path, point: str) -> subprocess.CompletedProcess[str]:
    """Run the other process to its end: this one must not hold the directory's lock."""
    command = [sys.executable, str(Path(__file__).with_name("repairer.py")), str(directory), point]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a directory whose index cannot be opened, or one whose repair was killed at a point; each is made once."""

    @cache
    def made(point: str) -> Path:
        where = tmp_path_factory.mktemp("kept") / "db"
        if point == "damaged":
            filled = run(where, "fill")
            assert filled.returncode == 0, filled.stderr
            damage(where)
        else:
            shutil.copytree(made("damaged"), where)
            killed(where, point)
        return where

    return made


@pytest.fixture
def copied(kept: Callable[[str], Path], tmp_path: Path) -> Callable[[str], Path]:
    """Return a copy of such a directory."""
    return lambda point: Path(shutil.copytree(kept(point), tmp_path / "db"))


@pytest.fixture
def directory(copied: Callable[[str], Path]) -> Path:
    """A directory whose index cannot be opened."""
    return copied("damaged")


def killed(directory: Path, point: str) -> None:
    """Let another process repair, and be killed at a point of it."""
    if point == "an open store":
        shutil.rmtree(index_of(directory))
    worker = run(directory, point)
    assert worker.returncode == -signal.SIGKILL, worker.stderr


def opened(directory: Path) -> Any:
    """Open the collection with a client that has seen nothing."""
    SharedSystemClient.clear_system_cache()
    return chromadb.PersistentClient(str(directory)).get_collection(NAME, embedding_function=None)


def through_langchain(directory: Path) -> list[str]:
    """Return what a search for everything finds through LangChain's store."""
    store = LangChainStore(NAME, LexicalEmbeddings(), client=OneCollection(opened(directory)))  # type: ignore[arg-type]
    return sorted(d.page_content for d in store.similarity_search("port", k=ROWS))


def through_llama_index(directory: Path) -> list[str]:
    """Return what a query for everything finds through LlamaIndex's store."""
    store = LlamaIndexStore(chroma_collection=opened(directory), embed_model=LexicalModel())
    question = VectorStoreQuery(query_embedding=LexicalEmbeddings().embed_query("port"), similarity_top_k=ROWS)
    return sorted(n.get_content() for n in store.query(question).nodes or [])


DOORS: dict[str, Callable[[Path], list[str]]] = {"langchain": through_langchain, "llama_index": through_llama_index}
CURRENT = sorted(f"The port of service-{n} is 90." for n in range(FACTS))


def marker(directory: Path) -> list[Path]:
    return list(directory.glob("memstrata-repair-*.json"))


def all_rows_are_found(directory: Path) -> None:
    """Assert that a search of a new client reaches every row, superseded ones too, and that nothing is under repair."""
    raw = opened(directory)
    dimension = len(raw.get(limit=1, include=["embeddings"])["embeddings"][0])
    found = raw.query(query_embeddings=[[1.0] * dimension], n_results=ROWS, include=[])["ids"][0]
    assert sorted(found) == sorted(raw.get(include=[])["ids"])
    assert len(found) == ROWS
    assert marker(directory) == []


@pytest.mark.parametrize("first", DOORS)
@pytest.mark.parametrize("point", POINTS)
def test_a_killed_repair_goes_on_when_a_store_is_opened(
    copied: Callable[[str], Path], point: str, first: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Whichever door is opened first finds every row, after it said what it found and embedded the rest."""
    directory = copied(point)
    [told] = marker(directory)
    assert json.loads(told.read_text())["collection"] == NAME
    with caplog.at_level(logging.WARNING, "memstrata_integrations"):
        if point == "before it is set aside":
            with pytest.raises(IndexDamagedError, match="memstrata repair"):
                DOORS[first](directory)
            repair(directory, NAME, LexicalEmbeddings(), progress=False)
        else:
            assert DOORS[first](directory) == CURRENT
    assert "interrupted" in caplog.text
    for door in DOORS.values():
        assert door(directory) == CURRENT
    all_rows_are_found(directory)


@pytest.mark.parametrize("point", POINTS[1:3])
@pytest.mark.parametrize("door", ["collection", "langchain", "llama_index"])
def test_a_killed_repair_is_told_where_nothing_can_embed(copied: Callable[[str], Path], door: str, point: str) -> None:
    """Without an embedding, opening says how many rows lack vectors and what to do, as often as it is tried."""
    directory = copied(point)
    doors: dict[str, Callable[[], Any]] = {
        "collection": lambda: TemporalCollection(opened(directory)),
        "langchain": lambda: LangChainStore(NAME, client=OneCollection(opened(directory))),  # type: ignore[arg-type]
        "llama_index": lambda: LlamaIndexStore(chroma_collection=opened(directory)).get_nodes(),
    }
    for _ in range(2):
        with pytest.raises(IndexDamagedError, match=r"interrupted.* \d+ of 60 rows have no vector.*memstrata repair"):
            doors[door]()
    with pytest.raises(IndexDamagedError, match="7 dimensions"):
        TemporalCollection(opened(directory), embedding_function=LexicalEmbeddings(7))
    assert len(marker(directory)) == 1


def test_a_repair_that_had_only_to_say_so_needs_no_embedding(copied: Callable[[str], Path]) -> None:
    """Killed after the last row was embedded, the repair is done."""
    directory = copied("before the end")
    assert len(TemporalCollection(opened(directory)).get()["ids"]) == FACTS
    all_rows_are_found(directory)


@pytest.mark.parametrize("point", POINTS)
def test_a_killed_repair_is_resumed(copied: Callable[[str], Path], point: str) -> None:
    """`repair()` goes on, embeds what is missing, and says where the index lies that was set aside before."""
    directory = copied(point)
    aside = sorted(directory.glob("memstrata-damaged-*"))
    done = repair(directory, NAME, LexicalEmbeddings(), progress=False)
    assert (done.rows, done.lost, done.unreached) == (ROWS, (), ())
    assert (done.embedded > 0) == (point != "before the end")
    if point in POINTS[1:4]:
        assert [done.set_aside] == aside
    all_rows_are_found(directory)


def test_while_another_process_repairs(directory: Path) -> None:
    """Opening a store that another process is repairing says so; when that one is killed, it goes on."""
    worker = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("repairer.py")), str(directory), "waiting"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "embedding\n"
        for embeddings in (LexicalEmbeddings(), None):
            with pytest.raises(IndexDamagedError, match="another process"):
                TemporalCollection(opened(directory), embedding_function=embeddings)
    finally:
        worker.kill()
        worker.wait()
        for pipe in (worker.stdin, worker.stdout):
            if pipe is not None:
                pipe.close()
    assert through_langchain(directory) == CURRENT
    all_rows_are_found(directory)


def test_a_store_that_another_thread_repairs_is_waited_for(copied: Callable[[str], Path]) -> None:
    """Within one process, a second store is opened when the repair is done, and finds everything."""
    directory = copied("amid embedding")
    raw = opened(directory)
    begun, go_on = threading.Event(), threading.Event()

    class Slow(LexicalEmbeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            begun.set()
            assert go_on.wait(60)
            return super().embed_documents(texts)

    thread = threading.Thread(target=lambda: TemporalCollection(raw, embedding_function=Slow()))
    thread.start()
    assert begun.wait(60)
    found: list[Any] = []
    second = threading.Thread(target=lambda: found.append(TemporalCollection(raw).count()))
    second.start()
    go_on.set()
    thread.join(60)
    second.join(60)
    assert found == [FACTS]
    all_rows_are_found(directory)


def test_an_embedding_that_fails_leaves_the_mark(directory: Path) -> None:
    """A repair that ends with an error is as one that was killed."""
    shutil.rmtree(index_of(directory))

    class Failing(LexicalEmbeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            if len(texts) > 8:
                raise ConnectionError("no answer")
            return super().embed_documents(texts)

    store = TemporalCollection(opened(directory))
    with pytest.raises(ConnectionError):
        store.repair(Failing(), progress=False)
    del store
    with pytest.raises(IndexDamagedError, match="interrupted"):
        TemporalCollection(opened(directory))
    assert through_langchain(directory) == CURRENT
    all_rows_are_found(directory)
