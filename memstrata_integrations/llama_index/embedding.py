"""`default_embeddings()` as a LlamaIndex embedding model."""

from __future__ import annotations

import asyncio

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr

from memstrata_integrations.embeddings import Preference, default_embeddings
from memstrata_integrations.lexical import NamedEmbeddings


class DefaultEmbedding(BaseEmbedding):
    """The best embedding that is at hand on this machine, without downloading anything.

    See `memstrata_integrations.default_embeddings`; `model_name` says which one it is.

    Args:
        prefer (Optional[str]): ``"minilm"``, ``"ollama"`` or ``"lexical"``; take this one or fail.
        embeddings: Take these instead: anything with ``name``, ``embed_documents`` and ``embed_query``.

    Examples:
        ```python
        from llama_index.core import Settings
        from memstrata_integrations.llama_index import DefaultEmbedding

        Settings.embed_model = DefaultEmbedding()
        ```
    """

    _embeddings: NamedEmbeddings = PrivateAttr()

    def __init__(self, prefer: Preference | None = None, *, embeddings: NamedEmbeddings | None = None) -> None:
        """Find the embedding; `MissingDependencyError` if the preferred one is not to be had."""
        found = embeddings or default_embeddings(prefer=prefer)
        super().__init__(model_name=found.name, embed_batch_size=64)
        self._embeddings = found

    @classmethod
    def class_name(cls) -> str:
        """The name under which LlamaIndex serialises it."""
        return "DefaultEmbedding"

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._embeddings.embed_documents([text])[0]

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return self._embeddings.embed_documents(texts)

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._embeddings.embed_query(query)

    async def _aget_text_embedding(self, text: str) -> list[float]:
        return await asyncio.to_thread(self._get_text_embedding, text)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return await asyncio.to_thread(self._get_query_embedding, query)
