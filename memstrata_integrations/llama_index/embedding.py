"""`default_embeddings()` as a LlamaIndex embedding model, and the vectors of nodes by whatever model."""

import asyncio
from collections.abc import Sequence
from typing import Any

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.schema import BaseNode, MetadataMode

from memstrata_integrations.embeddings import Preference, default_embeddings
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.lexical import NamedEmbeddings


class DefaultEmbedding(BaseEmbedding):
    """The best embedding that is at hand on this machine, without downloading anything; see `default_embeddings`.

    Args:
        prefer (Optional[str]): ``"minilm"``, ``"ollama"`` or ``"lexical"``; take this one or fail.
        embeddings: Take these instead: anything with ``name``, ``embed_documents`` and ``embed_query``.

    Examples:
        ``llama_index.core.Settings.embed_model = DefaultEmbedding()``; its `model_name` says which one it is.
    """

    _embeddings: NamedEmbeddings = PrivateAttr()

    def __init__(self, prefer: Preference | None = None, *, embeddings: NamedEmbeddings | None = None) -> None:
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


def model_of(given: Any, own: Any) -> Any:
    """Return what embeds: what a call names, else the store's own."""
    if given is not None and not callable(getattr(given, "get_text_embedding_batch", None)):
        raise InvalidInputError(f"embed_model={given!r} embeds nothing; give a BaseEmbedding")
    return own if given is None else given


def embedded(nodes: Sequence[BaseNode], model: Any) -> list[Any]:
    """Return vectors of what embedding models see of nodes."""
    texts = [n.get_content(metadata_mode=MetadataMode.EMBED) for n in nodes]
    return list(model.get_text_embedding_batch(texts)) if texts else []


def vectors_at(nodes: Sequence[BaseNode], model: Any, wanted: Sequence[int]) -> list[Any]:
    """Return the vectors of the nodes at some positions, their own where they have one."""
    bare = [n for n in wanted if nodes[n].embedding is None]
    if bare and model is None:
        raise InvalidInputError(f"{len(bare)} of {len(nodes)} nodes have no embedding; give embed_model=")
    made = dict(zip(bare, embedded([nodes[n] for n in bare], model), strict=True))
    return [made.get(n) or nodes[n].get_embedding() for n in wanted]
