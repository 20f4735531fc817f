"""A repair is killed at any point: the next opening tells, and goes on; no row is missing without a word."""

import json
import logging
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from memstrata_integrations import repair
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.errors import IndexDamagedError
from memstrata_integrations.langchain import TemporalVectorStore as LangChainStore
from memstrata_integrations.llama_index import TemporalVectorStore as LlamaIndexStore
from tests.conformance.conftest import OneCollection
from tests.conformance.damaging import FACTS, damage, fill, fresh_clients, index_of, ports, reopened
from tests.conformance.doors import KINDS
from tests.conformance.lexical import LexicalEmbeddings
from tests.conformance.llama import LexicalModel, ask, embed, texts
from tests.stateful.opening import collection_at

from .faulty import Instead
from .repairer import NAME, POINTS

__all__ = ["fresh_clients"]
pytestmark = pytest.mark.slow
ROWS = 2 * FACTS
CURRENT = ports(90)


def repairing(directory: Path, point: str) -> list[str]:
    """Return the command of a process that repairs, and is killed at a point of it."""
    return [sys.executable, "-m", "tests.faults.repairer", str(directory), point]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a directory whose index cannot be opened, or one whose repair was killed at a point; each is made once."""

    @cache
    def made(point: str) -> Path:
        where = tmp_path_factory.mktemp("kept") / "db"
        if point == "damaged":
            raw: Any = OneCollection(collection_at(where, NAME, 10))
            fill(LangChainStore(NAME, LexicalEmbeddings(), client=raw))
            damage(where)
            return where
        shutil.copytree(made("damaged"), where)
        if point == "an open store":
            shutil.rmtree(index_of(where))
        worker = subprocess.run(repairing(where, point), capture_output=True, text=True, timeout=120, check=False)
        assert worker.returncode == -signal.SIGKILL, worker.stderr
        return where

    return made


@pytest.fixture
def copied(kept: Callable[[str], Path], tmp_path: Path) -> Callable[[str], Path]:
    return lambda point: Path(shutil.copytree(kept(point), tmp_path / "db"))


def through(door: str, directory: Path, *, embeds: bool = True) -> list[str]:
    """Return what a search for everything finds, by a client that has seen nothing."""
    raw, embeddings = reopened(directory, NAME), LexicalEmbeddings() if embeds else None
    if door == "collection":
        store: Any = TemporalCollection(raw, embedding_function=embeddings)
        return sorted(store.query(query_texts=["port"], n_results=ROWS)["documents"][0])
    if door == "langchain":
        store = LangChainStore(NAME, embeddings, client=OneCollection(raw))  # type: ignore[arg-type]
        return sorted(d.page_content for d in store.similarity_search("port", k=ROWS))
    store = LlamaIndexStore(chroma_collection=raw, embed_model=LexicalModel() if embeds else None)
    return sorted(texts(store.query(ask("port", ROWS))))


def marker(directory: Path) -> list[Path]:
    return list(directory.glob("memstrata-repair-*.json"))


def all_rows_are_found(directory: Path) -> None:
    """Assert that a search of a new client reaches every row, superseded ones too, and that nothing is under repair."""
    raw = reopened(directory, NAME)
    found = raw.query(query_embeddings=[embed("port")], n_results=ROWS, include=[])["ids"][0]
    assert sorted(found) == sorted(raw.get(include=[])["ids"])
    assert len(found) == ROWS
    assert marker(directory) == []


@pytest.mark.parametrize("first", KINDS)
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
                through(first, directory)
            repair(directory, NAME, LexicalEmbeddings(), progress=False)
        else:
            assert through(first, directory) == CURRENT
    assert "interrupted" in caplog.text
    for door in KINDS:
        assert through(door, directory) == CURRENT
    all_rows_are_found(directory)


@pytest.mark.parametrize("point", POINTS[1:3])
@pytest.mark.parametrize("door", KINDS)
def test_a_killed_repair_is_told_where_nothing_can_embed(copied: Callable[[str], Path], door: str, point: str) -> None:
    """Without an embedding, opening says how many rows lack vectors and what to do, as often as it is tried."""
    directory = copied(point)
    for _ in range(2):
        with pytest.raises(IndexDamagedError, match=r"interrupted.* \d+ of 48 rows have no vector.*memstrata repair"):
            through(door, directory, embeds=False)
    with pytest.raises(IndexDamagedError, match="7 dimensions"):
        TemporalCollection(reopened(directory, NAME), embedding_function=LexicalEmbeddings(7))
    assert len(marker(directory)) == 1


def test_a_repair_that_had_only_to_say_so_needs_no_embedding(copied: Callable[[str], Path]) -> None:
    directory = copied("before the end")
    assert len(TemporalCollection(reopened(directory, NAME)).get()["ids"]) == FACTS
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


def test_while_another_process_repairs(copied: Callable[[str], Path]) -> None:
    directory, pipe = copied("damaged"), subprocess.PIPE
    with subprocess.Popen(repairing(directory, "waiting"), stdin=pipe, stdout=pipe, text=True) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "embedding\n"
        for embeddings in (LexicalEmbeddings(), None):
            with pytest.raises(IndexDamagedError, match="another process"):
                TemporalCollection(reopened(directory, NAME), embedding_function=embeddings)
        worker.kill()
    assert through("langchain", directory) == CURRENT
    all_rows_are_found(directory)


def test_a_store_that_another_thread_repairs_is_waited_for(copied: Callable[[str], Path]) -> None:
    directory = copied("amid embedding")
    raw = reopened(directory, NAME)
    begun, go_on = threading.Event(), threading.Event()

    def slowly(real: Any, given: list[str]) -> Any:
        begun.set()
        assert go_on.wait(60)
        return real(given)

    slow: Any = Instead(LexicalEmbeddings(), embed_documents=slowly)
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(TemporalCollection, raw, embedding_function=slow)
        assert begun.wait(60)
        second = threads.submit(lambda: TemporalCollection(raw).count())
        go_on.set()
        assert second.result() == first.result().count() == FACTS
    all_rows_are_found(directory)


def test_an_embedding_that_fails_leaves_the_mark(copied: Callable[[str], Path]) -> None:
    directory = copied("damaged")
    shutil.rmtree(index_of(directory))

    def fail(real: Any, given: list[str]) -> Any:
        if len(given) > 8:
            raise ConnectionError("no answer")
        return real(given)

    store = TemporalCollection(reopened(directory, NAME))
    with pytest.raises(ConnectionError):
        store.repair(Instead(LexicalEmbeddings(), embed_documents=fail), progress=False)
    del store
    with pytest.raises(IndexDamagedError, match="interrupted"):
        TemporalCollection(reopened(directory, NAME))
    assert through("langchain", directory) == CURRENT
    all_rows_are_found(directory)
