"""The two stores that the demo compares, on one embedding whose vectors they share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

from memstrata_integrations.embeddings import NamedEmbeddings
from memstrata_integrations.errors import MissingDependencyError

if TYPE_CHECKING:
    from langchain_chroma import Chroma

    from memstrata_integrations.langchain import TemporalVectorStore

__all__ = ["SharedVectors", "Stores", "batches", "open_stores"]

_T = TypeVar("_T")


def batches(items: Iterable[_T], size: int) -> Iterator[list[_T]]:
    """Yield lists of at most `size` items."""
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


class SharedVectors(NamedEmbeddings):
    """Embeds each distinct text once."""

    def __init__(self, embeddings: NamedEmbeddings) -> None:
        """Wrap `embeddings`, whose name it keeps."""
        super().__init__()
        self.name = embeddings.name
        self._embeddings = embeddings
        self._vectors: dict[str, list[float]] = {}

    def prepare(self, texts: Iterable[str], *, size: int = 64, progress: Any = None) -> None:
        """Embed the texts that are new, and tell `progress` (a tqdm bar) of each batch."""
        # texts of like length make batches with little padding
        for batch in batches(sorted(dict.fromkeys(texts), key=len), size):
            self.embed_documents(batch)
            if progress is not None:
                progress.update(len(batch))

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return one vector for each text, in order."""
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        self._vectors.update(zip(new, self._embeddings.embed_documents(new), strict=True))
        return [self._vectors[text] for text in texts]


@dataclass(frozen=True, slots=True)
class Stores:
    """Stock Chroma and ours, both in memory."""

    stock: Chroma
    ours: TemporalVectorStore


@contextmanager
def open_stores(embeddings: SharedVectors) -> Iterator[Stores]:
    """Make both stores in memory, and drop them afterwards.

    Raises:
        MissingDependencyError: If langchain-chroma is not installed.
    """
    try:
        from chromadb import EphemeralClient
        from chromadb.config import Settings
        from langchain_chroma import Chroma
    except ImportError as error:
        raise MissingDependencyError(
            f"the demo needs langchain-chroma ({error}): pip install 'memstrata-integrations[langchain]'"
        ) from error
    from memstrata_integrations.langchain import TemporalVectorStore

    client = EphemeralClient(Settings(anonymized_telemetry=False))
    # the in-memory Chroma is one per process, so the names must be free
    run = uuid4().hex[:12]
    stock = Chroma(f"demo-stock-{run}", embedding_function=embeddings, client=client)
    try:
        ours = TemporalVectorStore(f"demo-ours-{run}", embedding_function=embeddings, client=client)
        try:
            yield Stores(stock, ours)
        finally:
            ours.delete_collection()
    finally:
        stock.delete_collection()
