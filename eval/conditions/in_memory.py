"""Collections in memory, each with a name of its own, compared by cosine."""

import uuid
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TypeVar

import chromadb
from chromadb.api import ClientAPI
from chromadb.api.collection_configuration import CreateCollectionConfiguration
from chromadb.config import Settings as ChromaSettings

COSINE: CreateCollectionConfiguration = {"hnsw": {"space": "cosine"}}
_T = TypeVar("_T")


@cache
def client() -> ClientAPI:
    """Return the client of this process: in memory, without telemetry."""
    return chromadb.EphemeralClient(ChromaSettings(anonymized_telemetry=False))


def unique_name() -> str:
    """Return a name for a collection that no other has."""
    return f"eval-{uuid.uuid4().hex}"


def drop(name: str) -> None:
    """Delete a collection with what it holds."""
    client().delete_collection(name)


def batches(items: Sequence[_T]) -> Iterator[Sequence[_T]]:
    """Yield pieces of what is written, each as large as Chroma takes in one call."""
    most = client().get_max_batch_size()
    for start in range(0, len(items), most):
        yield items[start : start + most]
