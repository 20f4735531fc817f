"""Supersession by key: the method under test, through its public API, and its ablations."""

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
from eval.spec import Compared, Passage, Roles, Turn
from memstrata_integrations.extraction import Extraction, Extractor, KeyedFact
from memstrata_integrations.langchain import TemporalVectorStore


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
    """An extractor that remembers what it read: planning, writing and packing a text read it once."""

    def __init__(self, extractor: Extractor) -> None:
        self._extractor = extractor
        self._read: dict[tuple[str, str], Extraction] = {}
        self.facts: dict[str, tuple[KeyedFact, ...]] = {}

    def extract(
        self, texts: Sequence[str], metadatas: Sequence[Mapping[str, Any] | None] | None = None
    ) -> list[Extraction]:
        """Return what the extractor reads in each text."""
        keys = [(text, repr(about)) for text, about in zip(texts, metadatas or [None] * len(texts), strict=True)]
        new = [n for n, key in enumerate(keys) if key not in self._read]
        about = None if metadatas is None else [metadatas[n] for n in new]
        for n, read in zip(new, self._extractor.extract([texts[n] for n in new], about), strict=True):
            self._read[keys[n]] = read
            self.facts[texts[n]] = tuple(fact for fact in read.facts if isinstance(fact, KeyedFact))
        return [self._read[key] for key in keys]


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
    """Supersession, but near-duplicates are merged in the name of brevity, and triples packed.

    A text that is near to ones that are served now, and neither supersedes nor repeats a fact, goes to the gate's
    judge: a merge takes the place of the stored text, a duplicate is not written, anything else is. A text that is
    dated before its neighbour is written as it is.
    """

    name = "temporal_v6_lossy"

    def __init__(self, embedding: Embeddings, settings: Settings, extractor: Extractor, roles: Roles) -> None:
        super().__init__(embedding, extractor)
        self._embedding, self._settings, self._roles = embedding, settings, roles

    def ingest(self, turns: Sequence[Turn]) -> None:
        """Write the turns one by one, but for near-duplicates."""
        if turns:
            self._embedding.embed_documents([turn.text for turn in turns])  # in one batch: the embedder keeps them
        for turn in turns:
            near = self._near(turn)
            said = self._roles.gate_judge(turn.text, [d.page_content for d in near]) if near else Compared("novel")
            if said.verdict == "merge" and said.merged:
                self._merge(turn, near[said.place], said.merged)
            elif said.verdict != "duplicate":
                self._write([turn])
            elif turn.text in near[said.place].page_content:
                self._turns[str(near[said.place].id)].append(turn)

    def _near(self, turn: Turn) -> list[Document]:
        """Return the stored texts that a text may be merged with, nearest first."""
        found = self.store.similarity_search_with_score(turn.text, k=self._settings.neighbours)
        near = [
            document
            for document, distance in found
            if 1 - distance >= self._settings.tau_novel
            and not any(_is_later(told, turn) for told in self._turns[str(document.id)])
        ]
        if not near:
            return []
        plan = self.store.plan([turn.text], [dict(turn.metadata)], valid_from=turn.valid_from)
        return [] if plan.changes or plan.confirmed else near

    def _merge(self, turn: Turn, document: Document, text: str) -> None:
        [row] = self.store.add_texts(
            [text], [dict(turn.metadata)], valid_from=[turn.valid_from], supersedes=[[str(document.id)]]
        )
        self._turns[row] += [*self._turns[str(document.id)], turn]


def _is_later(told: Turn, turn: Turn) -> bool:
    return told.valid_from is not None and turn.valid_from is not None and told.valid_from > turn.valid_from
