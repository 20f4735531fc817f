"""Stock LlamaIndex over stock Chroma: a reranker, and what its users would try first against stale texts.

All retrieve from a `VectorStoreIndex` over `ChromaVectorStore`; ``as_of`` is ignored. Metadata is kept out of what is
embedded, so that every condition embeds the same texts.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import datetime

from langchain_core.embeddings import Embeddings
from llama_index.core import VectorStoreIndex
from llama_index.core.postprocessor import (
    EmbeddingRecencyPostprocessor,
    FixedRecencyPostprocessor,
    LLMRerank,
    TimeWeightedPostprocessor,
)
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import BaseNode, NodeWithScore, TextNode
from llama_index.vector_stores.chroma import ChromaVectorStore

from eval.conditions.in_memory import COSINE, batches, client, drop, unique_name
from eval.conditions.settings import Settings
from eval.conditions.told_dates import ToldDates
from eval.models.llama import rerank_llm
from eval.spec import Passage, Roles, Turn
from memstrata_integrations.llama_index import DefaultEmbedding

_LAST_ACCESSED = "__last_accessed__"


class _StockLlamaIndex:
    """Every turn is a node of a stock index over stock Chroma."""

    name: str

    def __init__(self, embedding: Embeddings) -> None:
        self._collection = client().create_collection(unique_name(), configuration=COSINE, embedding_function=None)
        # the bridge from LangChain's embeddings to LlamaIndex's; nothing else here is of the package under test
        self._embed_model = DefaultEmbedding(embeddings=embedding)  # type: ignore[arg-type]
        self._vector_store = ChromaVectorStore(chroma_collection=self._collection)
        self._index = VectorStoreIndex.from_vector_store(self._vector_store, embed_model=self._embed_model)
        self._dates = ToldDates()

    def ingest(self, turns: Sequence[Turn]) -> None:
        """Insert the turns as nodes with their dates, in one call for as many as Chroma takes."""
        for batch in batches(turns):
            dates = self._dates.of(batch)
            self._index.insert_nodes([_node(turn, date) for turn, date in zip(batch, dates, strict=True)])

    def retrieve(self, question: str, *, k: int, as_of: datetime | None = None) -> list[Passage]:
        """Return the `k` nearest."""
        return [self._passage(found.node) for found in self._nearest(question, k)]

    def active(self) -> list[Passage]:
        """Return every node."""
        return [self._passage(node) for node in self._vector_store.get_nodes(node_ids=None)]

    def close(self) -> None:
        """Delete the collection."""
        drop(self._collection.name)

    def _nearest(self, question: str, count: int) -> list[NodeWithScore]:
        return self._index.as_retriever(similarity_top_k=count).retrieve(question)

    def _passage(self, node: BaseNode) -> Passage:
        return Passage(node.get_content(), (node.ref_doc_id or node.node_id,))


class _Postprocessed(_StockLlamaIndex, ABC):
    """The stock index with a stock postprocessor behind its retriever."""

    def retrieve(self, question: str, *, k: int, as_of: datetime | None = None) -> list[Passage]:
        """Return at most `k` of what the postprocessor leaves of a wider pool, in its order."""
        chosen = self._postprocessor(k).postprocess_nodes(self._nearest(question, self._pool(k)), query_str=question)
        return [self._passage(found.node) for found in chosen[:k]]

    @abstractmethod
    def _pool(self, k: int) -> int:
        """Return how many nodes are retrieved for `k` passages."""

    @abstractmethod
    def _postprocessor(self, k: int) -> BaseNodePostprocessor:
        """Return what chooses among them."""


class AdvancedRag(_Postprocessed):
    """Four times as many as are packed (at least ten), then the stock `LLMRerank` over the run's reranking model."""

    name = "advanced_rag"

    def __init__(self, embedding: Embeddings, roles: Roles, settings: Settings) -> None:
        super().__init__(embedding)
        self._llm = rerank_llm(roles)
        self._rerank_pool = settings.rerank_pool

    def _pool(self, k: int) -> int:
        return max(self._rerank_pool * k, 10)

    def _postprocessor(self, k: int) -> BaseNodePostprocessor:
        return LLMRerank(llm=self._llm, top_n=k)


class FixedRecency(_Postprocessed):
    """Stock `FixedRecencyPostprocessor`: the newest of what is retrieved."""

    name = "fixed_recency"

    def __init__(self, embedding: Embeddings, settings: Settings) -> None:
        super().__init__(embedding)
        self._settings = settings

    def _pool(self, k: int) -> int:
        return self._settings.fixed_pool * k

    def _postprocessor(self, k: int) -> BaseNodePostprocessor:
        return FixedRecencyPostprocessor(top_k=min(self._settings.fixed_top_k, k), date_key="date")


class EmbeddingRecency(_Postprocessed):
    """Stock `EmbeddingRecencyPostprocessor`: drops what is similar to something newer; the newest come first.

    (In llama-index-core 0.14 it compares a node with the embedding of another one, since it sorts the nodes by date
    and not their embeddings. It is measured as it is shipped.)
    """

    name = "embedding_recency"

    def __init__(self, embedding: Embeddings, settings: Settings) -> None:
        super().__init__(embedding)
        self._settings = settings

    def _pool(self, k: int) -> int:
        return self._settings.embedding_pool * k

    def _postprocessor(self, k: int) -> BaseNodePostprocessor:
        return EmbeddingRecencyPostprocessor(
            embed_model=self._embed_model, date_key="date", similarity_cutoff=self._settings.similarity_cutoff
        )


class TimeWeightedByPostprocessor(_Postprocessed):
    """Stock `TimeWeightedPostprocessor`: similarity plus recency, with its clock pinned.

    Access does not make a node fresh again (``time_access_refresh=False``), or the answers would depend on what was
    asked before.
    """

    name = "time_weighted_postprocessor"

    def __init__(self, embedding: Embeddings, settings: Settings) -> None:
        super().__init__(embedding)
        self._settings = settings

    def _pool(self, k: int) -> int:
        return self._settings.weighted_pool * k

    def _postprocessor(self, k: int) -> BaseNodePostprocessor:
        return TimeWeightedPostprocessor(
            time_decay=self._dates.decay(self._settings.time_decay),
            last_accessed_key=_LAST_ACCESSED,
            time_access_refresh=False,
            now=self._dates.now.timestamp(),
            top_k=k,
        )


def _node(turn: Turn, date: datetime) -> TextNode:
    """Return a turn as a node with the fields that recency is read from, which are not part of its text."""
    dated = {**turn.metadata, "date": date.isoformat(), _LAST_ACCESSED: date.timestamp()}
    return TextNode(
        id_=turn.id,
        text=turn.text,
        metadata=dated,
        excluded_embed_metadata_keys=list(dated),
        excluded_llm_metadata_keys=list(dated),
    )
