"""Collections in memory, in a directory or on a server, opened with a client of their own; and what is told to one."""

import uuid
from pathlib import Path
from typing import Any

import chromadb
from chromadb.config import Settings

from memstrata_integrations.chroma import state as _state
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.ledger.time import system_clock

from .toy import TestClock, ToyExtractor, moment, write

NOW = 10_000
TICK = 100


def _quiet() -> Settings:
    return Settings(anonymized_telemetry=False)


def in_memory() -> Any:
    """Create a collection in memory, under a name of its own."""
    client = chromadb.EphemeralClient(settings=_quiet())
    return client.create_collection(f"memory-{uuid.uuid4().hex}", embedding_function=None)


def collection_at(where: Path | str | int, name: str = "shared", persist_after: int | None = None) -> Any:
    """Open a collection of a directory, or of the server at a port; Chroma persists its index after so many rows."""
    if str(where).isdigit():
        client: Any = chromadb.HttpClient("127.0.0.1", int(str(where)), settings=_quiet())
    else:
        client = chromadb.PersistentClient(str(where), _quiet())
    often: Any = persist_after and {"hnsw": {"sync_threshold": persist_after, "batch_size": persist_after // 2}}
    return client.get_or_create_collection(name, configuration=often, embedding_function=None)


def store_at(
    where: Path | str | int, name: str = "shared", persist_after: int | None = None, **options: Any
) -> TemporalCollection:
    """Open the store of such a collection, with the toy extractor."""
    return open_store(collection_at(where, name, persist_after), **options)


def open_store(collection: Any, clock: Any = system_clock, **options: Any) -> TemporalCollection:
    """Open a store of a collection, with the toy extractor."""
    return TemporalCollection(collection, extractor=ToyExtractor(), clock=clock, **options)


def open_afresh(collection: Any, clock: Any, **options: Any) -> TemporalCollection:
    """Open a store as a new process does, which remembers nothing."""
    _state._states.clear()
    return open_store(collection, clock, **options)


class Story:
    """A collection in memory, with a clock that ticks after each change."""

    def __init__(self, **options: Any) -> None:
        self.raw, self.clock, self.options = in_memory(), TestClock(NOW), options
        self.reopen()

    def reopen(self) -> None:
        self.store = open_afresh(self.raw, self.clock, **self.options)

    def after(self, changes: Any) -> Any:
        self.clock.advance(TICK)
        return changes

    def write(self, metadata: Any = None, **texts: str) -> Any:
        return self.after(write(self.store, metadata, **texts))

    def undo(self, changes: Any) -> None:
        self.after(self.store.undo(changes))

    def view(self, t: int, known_at: int | None = None) -> list[tuple[str, str]]:
        """Return the ids and texts that are served at an instant."""
        found = self.store.get(as_of=moment(t), known_at=None if known_at is None else moment(known_at))
        return sorted(zip(found["ids"], found["documents"], strict=True))
