"""What LangChain users would try first against stale texts, on stock Chroma; ``as_of`` is ignored."""

import warnings
from collections.abc import Sequence
from datetime import datetime

from langchain_classic.retrievers import TimeWeightedVectorStoreRetriever
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.utils import mock_now

from eval.conditions.in_memory import batches
from eval.conditions.plain import StockChroma
from eval.conditions.settings import Settings
from eval.conditions.told_dates import ToldDates
from eval.spec import Passage, Turn


class Mmr(StockChroma):
    """Stock Chroma, maximal marginal relevance."""

    name = "mmr"

    def __init__(self, embedding: Embeddings, settings: Settings) -> None:
        super().__init__(embedding)
        self._pool, self._lambda = settings.mmr_pool, settings.lambda_mult

    def retrieve(self, question: str, *, k: int, as_of: datetime | None = None) -> list[Passage]:
        """Return `k` of the nearest that differ from each other."""
        found = self.store.max_marginal_relevance_search(
            question, k=k, fetch_k=self._pool * k, lambda_mult=self._lambda
        )
        return [self.passage(document) for document in found]


class TimeWeighted(StockChroma):
    """Stock `TimeWeightedVectorStoreRetriever`: relevance plus recency.

    The retriever takes retrieved documents for fresh ones from then on. That is undone after each question, or the
    answers would depend on what was asked before. Its clock is pinned by LangChain's own `mock_now`, as its
    documentation does. Dates go in as timestamps, since Chroma's metadata holds no ``datetime``.
    """

    name = "time_weighted"

    def __init__(self, embedding: Embeddings, settings: Settings) -> None:
        super().__init__(embedding)
        self._dates = ToldDates()
        self._retriever = TimeWeightedVectorStoreRetriever(
            vectorstore=self.store, search_kwargs={"k": settings.salient}
        )
        self._decay = settings.decay_rate

    def ingest(self, turns: Sequence[Turn]) -> None:
        """Add the turns with their dates."""
        for batch in batches(turns):
            documents = []
            for turn, date in zip(batch, self._dates.of(batch), strict=True):
                dated = {**turn.metadata, "created_at": date.timestamp(), "last_accessed_at": date.timestamp()}
                documents.append(Document(turn.text, metadata=dated, id=turn.id))
            self._retriever.add_documents(documents)

    def retrieve(self, question: str, *, k: int, as_of: datetime | None = None) -> list[Passage]:
        """Return the `k` with the best sum of relevance and recency."""
        self._retriever.k, self._retriever.decay_rate = k, self._dates.decay(self._decay)
        now = datetime.fromtimestamp(self._dates.now.timestamp())  # without a zone, as the retriever's own
        with mock_now(now), warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Relevance scores must be between 0 and 1")  # a cosine may be negative
            found = self._retriever.invoke(question)
        for document in found:
            document.metadata["last_accessed_at"] = document.metadata["created_at"]
        return [self.passage(document) for document in found]
