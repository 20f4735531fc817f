"""No memory at all, and plain retrieval from stock Chroma."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings

from eval.conditions.in_memory import COSINE, batches, client, unique_name
from eval.conditions.newest import ways
from eval.conditions.settings import Settings
from eval.conditions.told_dates import ToldDates, dated
from eval.spec import Passage, Turn


class NoMemory:
    """Nothing is kept: the question alone."""

    name = "no_memory"

    def ingest(self, turns: Sequence[Turn]) -> None:
        """Forget them."""

    def retrieve(self, question: str, *, k: int, as_of: datetime | None = None) -> list[Passage]:
        """Return nothing."""
        return []

    def active(self) -> list[Passage]:
        """Return nothing."""
        return []

    def close(self) -> None:
        """Nothing is held."""


class StockChroma:
    """Every turn is a document of stock `langchain_chroma.Chroma` under its own id; ``as_of`` is ignored."""

    name: str

    def __init__(self, embedding: Embeddings) -> None:
        self.store = Chroma(
            collection_name=unique_name(),
            embedding_function=embedding,
            client=client(),
            collection_configuration=COSINE,
        )

    def ingest(self, turns: Sequence[Turn]) -> None:
        """Add the turns as they are, in one call for as many as Chroma takes."""
        for batch in batches(turns):
            self.store.add_documents([Document(turn.text, metadata=dict(turn.metadata), id=turn.id) for turn in batch])

    def retrieve(self, question: str, *, k: int, as_of: datetime | None = None) -> list[Passage]:
        """Return the `k` nearest by cosine."""
        found = self.store.similarity_search_with_score(question, k=k)
        return [self.passage(document, distance) for document, distance in found]

    def active(self) -> list[Passage]:
        """Return every document."""
        held = self.store.get()
        rows = zip(held["ids"], held["documents"], held["metadatas"], strict=True)
        return [self.passage(Document(text, metadata=metadata or {}, id=row_id)) for row_id, text, metadata in rows]

    def close(self) -> None:
        """Delete the collection."""
        self.store.delete_collection()

    def passage(self, document: Document, score: float | None = None) -> Passage:
        """Return a document as it is packed."""
        return Passage(document.page_content, (str(document.id),), score)


class NaiveRag(StockChroma):
    """Stock Chroma, cosine, top-k."""

    name = "naive_rag"


class Dated(StockChroma):
    """What a sceptic tries first: the date in each text's metadata, ``where`` for past ones, newest first, dates shown.

    What is shown of the nearest is a way of `eval.conditions.newest`. Undated turns get the order of telling for a
    date, as one would stamp them when they are loaded.
    """

    def __init__(self, name: str, embedding: Embeddings, settings: Settings) -> None:
        super().__init__(embedding)
        self.name = name
        self._dates = ToldDates()
        self._embedding, self._way = embedding, ways(settings)[name]

    def ingest(self, turns: Sequence[Turn]) -> None:
        """Add the turns with their dates."""
        for batch in batches(turns):
            dates = self._dates.of(batch)
            self.store.add_documents(
                [
                    Document(turn.text, metadata={**turn.metadata, "date": date.timestamp()}, id=turn.id)
                    for turn, date in zip(batch, dates, strict=True)
                ]
            )

    def retrieve(self, question: str, *, k: int, as_of: datetime | None = None) -> list[Passage]:
        """Return what is shown of the nearest of those dates."""
        where: Any = None if as_of is None else {"date": {"$lte": as_of.timestamp()}}
        found = self.store.similarity_search_with_score(question, k=max(k, self._way.fetched), filter=where)
        return [
            Passage(dated(document.page_content, document.metadata["date"]), (str(document.id),), distance)
            for document, distance in self._way.of(found, k, self._embedding)
        ]
