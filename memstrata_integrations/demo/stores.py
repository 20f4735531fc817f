"""The two stores that the demo compares, on one embedding whose vectors they share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from uuid import uuid4

from memstrata_integrations.embeddings import NamedEmbeddings
from memstrata_integrations.errors import MissingDependencyError

if TYPE_CHECKING:
    from langchain_chroma import Chroma

    from memstrata_integrations.langchain import TemporalVectorStore

TITLES = ("stock Chroma", "TemporalVectorStore")


class SharedVectors(NamedEmbeddings):
    """Embeds each distinct text once, by other embeddings whose name it keeps."""

    def __init__(self, embeddings: NamedEmbeddings) -> None:
        super().__init__()
        self.name = embeddings.name
        self._embeddings = embeddings
        self._vectors: dict[str, list[float]] = {}

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return one vector for each text, in order."""
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        self._vectors.update(zip(new, self._embeddings.embed_documents(new), strict=True))
        return [self._vectors[text] for text in texts]


@contextmanager
def open_stores(embeddings: NamedEmbeddings) -> Iterator[tuple[Chroma, TemporalVectorStore]]:
    """Make stock Chroma and ours, both in memory, and drop them afterwards.

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
    run = uuid4().hex[:12]  # the in-memory Chroma is one per process, so the names must be free
    stock = Chroma(f"demo-stock-{run}", embedding_function=embeddings, client=client)
    ours = TemporalVectorStore(f"demo-ours-{run}", embedding_function=embeddings, client=client)
    try:
        yield stock, ours
    finally:
        stock.delete_collection()
        ours.delete_collection()
