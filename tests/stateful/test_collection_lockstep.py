"""A real collection beside the reference ledger: after any history both answer the same."""

import tempfile
from pathlib import Path
from typing import Any, ClassVar

import chromadb
import pytest
from chromadb.api.shared_system_client import SharedSystemClient
from hypothesis.stateful import invariant, rule

from memstrata_integrations.chroma import compacting as _compacting
from memstrata_integrations.chroma import hulls as _hulls
from memstrata_integrations.chroma import lookup as _lookup
from memstrata_integrations.chroma import reading as _reading
from memstrata_integrations.chroma import state as _state
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.chroma.writing import Writer
from memstrata_integrations.ledger.rows import Row
from tests.conformance.conftest import chroma_server

from .machine import CollectionMachine, run
from .opening import Story, open_afresh
from .toy import moment, vector

__all__ = ["chroma_server"]


class RetiringMachine(CollectionMachine):
    """The same with ``on_delete="retire"``."""

    keep_deleted = True


class RestartingMachine(CollectionMachine):
    """The same in a directory, with a new client and wrapper at any time, and an index that is soon written down."""

    configuration: ClassVar[Any] = {"hnsw": {"sync_threshold": 6, "batch_size": 3}}
    root: ClassVar[Path]

    def open_client(self) -> Any:
        return chromadb.PersistentClient(str(self.root))

    @rule()
    def restart(self) -> None:
        self.tick()
        self.client.close()
        del self.client, self.raw, self.store, self.model.session
        SharedSystemClient.clear_system_cache()
        self.reopen()


class CompactingMachine(CollectionMachine):
    """The same in memory, with all that is over moved after each step."""

    @invariant()
    def agrees(self) -> None:
        if hasattr(self, "raw"):
            self.store.compact()
        super().agrees()


class ServedMachine(CollectionMachine):
    """The same over a real server, with a new client at any time."""

    port: ClassVar[int]

    def open_client(self) -> Any:
        return chromadb.HttpClient(host="127.0.0.1", port=self.port)

    def compacting(self) -> TemporalCollection:
        """Let another client do it, which shares nothing with this one."""
        return open_afresh(self.open_client().get_collection(self.name, embedding_function=None), self.clock)

    @rule()
    def restart(self) -> None:
        self.tick()
        _state._states.clear()
        self.reopen()


@pytest.fixture(autouse=True)
def _small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shrink batches and pages, so that splitting and paging run."""
    monkeypatch.setattr(Writer, "batch_limit", lambda self: 3)
    monkeypatch.setattr(_reading, "_PAGE", 2)
    monkeypatch.setattr(_lookup, "MAX_IN", 4)
    monkeypatch.setattr(_lookup, "PAGE", 2)
    monkeypatch.setattr(_hulls, "_PAGE", 2)
    monkeypatch.setattr(_hulls, "_FEW", 3)


@pytest.mark.parametrize("runs", [6, pytest.param(60, marks=pytest.mark.slow)])
@pytest.mark.parametrize("machine", [CollectionMachine, RetiringMachine, CompactingMachine])
def test_a_collection_in_memory_answers_like_the_model(machine: type[CollectionMachine], runs: int) -> None:
    """Also where deletion ends documents, and whatever of it was moved into the history."""
    run(machine, runs, 12)


@pytest.mark.parametrize("runs", [4, pytest.param(40, marks=pytest.mark.slow)])
def test_a_collection_of_rows_without_notes_answers_like_the_model(runs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows without a note of what they told, as an earlier version stored them: what was said of a key decides."""
    monkeypatch.setattr(Row, "noted", lambda self, *_: self)
    run(CollectionMachine, runs, 12)


@pytest.mark.parametrize("runs", [3, pytest.param(25, marks=pytest.mark.slow)])
def test_a_collection_that_is_restarted_answers_like_the_model(runs: int) -> None:
    with tempfile.TemporaryDirectory() as root:
        RestartingMachine.root = Path(root)
        run(RestartingMachine, runs, 12)
        SharedSystemClient.clear_system_cache()


@pytest.mark.slow
def test_a_collection_on_a_server_answers_like_the_model(chroma_server: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_compacting, "IN_FLIGHT", 0)  # nothing else is under way
    ServedMachine.port = chroma_server
    run(ServedMachine, 8, 10)


def test_counting_the_recent_past_agrees_with_reading_it() -> None:
    story = Story()
    story.raw.add(ids=["stock"], documents=["stock"], embeddings=[vector("stock")])
    story.write(a="k1=x")
    between = moment(story.clock.now - 50)
    story.write(b="k2=x")
    story.write(c="k1=y")
    assert sorted(story.store.get(as_of=between)["documents"]) == ["k1=x", "stock"]
    assert story.store.count(as_of=between) == 2


def test_a_source_given_later_confines_a_local_fact() -> None:
    story = Story()
    story.write(a="local=x")
    story.after(story.store.update(ids=["a"], metadatas=[{"source": "file"}]))
    story.write(b="local=y")
    assert sorted(story.store.get()["documents"]) == ["local=x", "local=y"]
    assert story.store.verify() == []
