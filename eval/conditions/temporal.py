"""Supersession by key: the method under test, through its public API, and its ablations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings

from eval.conditions.in_memory import COSINE, client, drop, unique_name
from eval.conditions.settings import Settings
from eval.conditions.told_dates import ToldDates, dated
from eval.spec import Passage, Turn
from memstrata_integrations.extraction import Extraction, Extractor, KeyedFact
from memstrata_integrations.langchain import TemporalVectorStore

__all__ = ["LossyTemporal", "RetainAll", "Temporal", "TemporalDated", "TemporalTriples"]


class _Temporal:
    """A `TemporalVectorStore` that is told turns without ids, so that word-for-word repeats add no row."""

    name: str

    def __init__(self, embedding: Embeddings, extractor: Extractor | None) -> None:
        self.store = TemporalVectorStore(
            collection_name=unique_name(),
            embedding_function=embedding,
            client=client(),
            collection_configuration=COSINE,
            extractor=extractor,
        )
        self._turns: defaultdict[str, list[Turn]] = defaultdict(list)

    def ingest(self, turns: Sequence[Turn]) -> None:
        """Write the turns in one call, dated where they are; undated ones hold from when they are told."""
        if turns:
            self._write(turns)

    def retrieve(self, question: str, *, k: int, as_of: datetime | None = None) -> list[Passage]:
        """Return the `k` nearest texts that are valid now, or were ``as_of``."""
        found = self.store.similarity_search_with_score(question, k=k, as_of=as_of)
        return [self._passage(document, self._pack(document), distance) for document, distance in found]

    def active(self) -> list[Passage]:
        """Return every text that is valid now, as it is stored and not as it is packed: what is kept is asked."""
        held = self.store.get()
        documents = [Document(text, id=row) for row, text in zip(held["ids"], held["documents"], strict=True)]
        return [self._passage(document, document.page_content) for document in documents]

    def close(self) -> None:
        """Delete the collection."""
        drop(self.store.temporal_collection.name)

    def _write(self, turns: Sequence[Turn]) -> None:
        ids = self.store.add_texts(
            [turn.text for turn in turns],
            [dict(turn.metadata) for turn in turns],
            valid_from=[turn.valid_from for turn in turns],
        )
        for row, turn in zip(ids, turns, strict=True):
            self._turns[row].append(turn)

    def _pack(self, document: Document) -> str:
        return document.page_content

    def _passage(self, document: Document, text: str, score: float | None = None) -> Passage:
        return Passage(text, tuple(turn.id for turn in self._turns[str(document.id)]), score)


class Temporal(_Temporal):
    """The full method: repeats recognised, facts superseded by key, prose kept, sentences packed."""

    name = "temporal_v6"


class TemporalDated(_Temporal):
    """The full method; each text is packed with the date of the last turn, until then, that said so."""

    name = "temporal_v6+dates"

    def __init__(self, embedding: Embeddings, extractor: Extractor) -> None:
        super().__init__(embedding, extractor)
        self._told = ToldDates()
        self._dates: dict[str, datetime] = {}

    def ingest(self, turns: Sequence[Turn]) -> None:
        """Write the turns as `Temporal` does; undated ones are shown with a date by the order of telling."""
        self._dates.update(zip((turn.id for turn in turns), self._told.of(turns), strict=True))
        super().ingest(turns)

    def retrieve(self, question: str, *, k: int, as_of: datetime | None = None) -> list[Passage]:
        """Return the `k` nearest texts that are valid now, or were ``as_of``, each with its date."""
        found = []
        for passage in super().retrieve(question, k=k, as_of=as_of):
            said = [self._dates[turn] for turn in passage.turns]
            until = [date for date in said if as_of is None or date <= as_of]
            found.append(replace(passage, text=dated(passage.text, max(until or said))))
        return found


class RetainAll(_Temporal):
    """The same store without an extractor, dates or ``as_of``: every turn is kept, under its own id, and served."""

    name = "retain_all"

    def __init__(self, embedding: Embeddings) -> None:
        super().__init__(embedding, None)

    def ingest(self, turns: Sequence[Turn]) -> None:
        """Write the turns in one call."""
        if turns:
            self.store.add_texts(
                [turn.text for turn in turns], [dict(turn.metadata) for turn in turns], ids=[turn.id for turn in turns]
            )
            self._turns.update((turn.id, [turn]) for turn in turns)

    def retrieve(self, question: str, *, k: int, as_of: datetime | None = None) -> list[Passage]:
        """Return the `k` nearest."""
        return super().retrieve(question, k=k)


class _Remembering:
    """An extractor that remembers what it read, so that packing triples reads nothing again."""

    def __init__(self, extractor: Extractor) -> None:
        self._extractor = extractor
        self.facts: dict[str, tuple[KeyedFact, ...]] = {}

    def extract(
        self, texts: Sequence[str], metadatas: Sequence[Mapping[str, Any] | None] | None = None
    ) -> list[Extraction]:
        """Return what the extractor reads in each text."""
        read = self._extractor.extract(texts, metadatas)
        self.facts.update(
            (text, tuple(f for f in extraction.facts if isinstance(f, KeyedFact)))
            for text, extraction in zip(texts, read, strict=True)
        )
        return read


class TemporalTriples(_Temporal):
    """The full method, but ``subject | relation | object`` is packed in place of a text that states facts."""

    name = "temporal_v6_triples"

    def __init__(self, embedding: Embeddings, extractor: Extractor) -> None:
        self._read = _Remembering(extractor)
        super().__init__(embedding, self._read)

    def _pack(self, document: Document) -> str:
        """Return the triples of the statements that are left in a text; a text without facts as it is."""
        triples = (
            f"{fact.subject} | {fact.relation} | {fact.object}"
            for turn in self._turns[str(document.id)]
            for fact in self._read.facts.get(turn.text, ())
            if fact.object is not None and turn.text[slice(*fact.span)] in document.page_content
        )
        return "\n".join(dict.fromkeys(triples)) or document.page_content


class LossyTemporal(TemporalTriples):
    """Supersession, but near-duplicates are dropped in the name of brevity, and triples packed.

    A text that is nearly one which is served now is dropped, unless it supersedes something or gives the facts of
    that text another value (a late arrival, which supersedes nothing now).
    """

    name = "temporal_v6_lossy"

    def __init__(self, embedding: Embeddings, settings: Settings, extractor: Extractor) -> None:
        super().__init__(embedding, extractor)
        self._embedding = embedding
        self._tau_dup = settings.tau_dup

    def ingest(self, turns: Sequence[Turn]) -> None:
        """Write the turns one by one, but for near-duplicates."""
        if turns:
            self._embedding.embed_documents([turn.text for turn in turns])  # in one batch: the embedder keeps them
        for turn in turns:
            if not self._repeats(turn):
                self._write([turn])

    def _repeats(self, turn: Turn) -> bool:
        nearest = self.store.similarity_search_with_score(turn.text, k=1)
        if not nearest or 1 - nearest[0][1] < self._tau_dup:
            return False
        plan = self.store.plan([turn.text], [dict(turn.metadata)], valid_from=turn.valid_from)
        return not plan.changes and not plan.confirmed and not self._gives_another_value(turn, nearest[0][0])

    def _gives_another_value(self, turn: Turn, document: Document) -> bool:
        stored = {
            (fact.key, fact.kind): fact.value
            for told in self._turns[str(document.id)]
            for fact in self._read.facts.get(told.text, ())
        }
        said = self._read.facts.get(turn.text, ())
        return any(stored.get((fact.key, fact.kind), fact.value) != fact.value for fact in said)
