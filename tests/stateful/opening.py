"""Collections in memory, in a directory or on a server, opened with a client of their own."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import chromadb
from chromadb.config import Settings

from memstrata_integrations.chroma import state as _state
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.ledger.time import system_clock

from .toy import ToyExtractor


def _quiet() -> Settings:
    return Settings(anonymized_telemetry=False)


def in_memory() -> Any:
    """Create a collection in memory, under a name of its own."""
    client = chromadb.EphemeralClient(settings=_quiet())
    return client.create_collection(f"memory-{uuid.uuid4().hex}", embedding_function=None)


def collection_at(where: Path | str | int, name: str = "shared", persist_after: int | None = None) -> Any:
    """Open a collection of a directory, or of the server at a port; Chroma persists its index after so many rows."""
    client: Any = (
        chromadb.HttpClient(host="127.0.0.1", port=int(str(where)), settings=_quiet())
        if str(where).isdigit()
        else chromadb.PersistentClient(str(where), settings=_quiet())
    )
    often: Any = persist_after and {"hnsw": {"sync_threshold": persist_after, "batch_size": persist_after // 2}}
    return client.get_or_create_collection(name, configuration=often, embedding_function=None)


def store_at(
    where: Path | str | int, name: str = "shared", persist_after: int | None = None, **options: Any
) -> TemporalCollection:
    """Open the store of such a collection, with the toy extractor."""
    return TemporalCollection(collection_at(where, name, persist_after), extractor=ToyExtractor(), **options)


def open_store(collection: Any, clock: Any = system_clock, **options: Any) -> TemporalCollection:
    """Open a store of a collection, with the toy extractor."""
    return TemporalCollection(collection, extractor=ToyExtractor(), clock=clock, **options)


def open_afresh(collection: Any, clock: Any, **options: Any) -> TemporalCollection:
    """Open a store as a new process does, which remembers nothing."""
    _state._states.clear()
    return open_store(collection, clock, **options)
