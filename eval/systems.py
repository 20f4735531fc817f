"""Stock Chroma, stock Chroma with dates, and ours, as LangChain users hold them: told dated texts, asked at an instant.

What is measured over thousands of probes goes through these, without a reader: `eval.histories`, `eval.git_run`,
`eval.public`. A memory of somebody else takes part as `Own`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, Protocol, TypeAlias

from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings

from eval.conditions.in_memory import COSINE, batches, client, unique_name
from eval.conditions.newest import Newest, ways
from eval.conditions.settings import Settings
from eval.runner import served
from eval.spec import Condition, Passage, Turn
from memstrata_integrations import SupersessionPolicy
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.langchain import TemporalVectorStore

When: TypeAlias = "datetime | None"


@dataclass(frozen=True, slots=True)
class Told:
    """A text, true from an instant on; ``key`` says which fact it states, to those who may know it."""

    text: str
    date: datetime
    key: str = ""


@dataclass(frozen=True, slots=True)
class Ending:
    """That a fact is no longer true from an instant on: ``text`` says it to those who can only be told texts."""

    text: str
    date: datetime
    subject: str
    relation: str
    key: str = ""


class System(Protocol):
    """What each system is told, at an instant of loading, and asked."""

    name: str

    def tell(self, batch: Sequence[Told], now: datetime) -> None:
        """Tell it texts, loaded at this instant."""
        ...

    def end(self, ending: Ending, now: datetime) -> None:
        """Tell it that a fact ended."""
        ...

    def ask(self, question: str, k: int, *, as_of: When = None, known_at: When = None, key: str = "") -> list[Passage]:
        """Return what is packed for a question, about the fact with this key."""
        ...

    def held(self) -> set[str]:
        """Return every text that can be served now."""
        ...


class Stock:
    """Stock `langchain_chroma.Chroma`: cosine, top k. It cannot be told of an ending, and knows no dates."""

    name = "naive_rag"

    def __init__(self, embedding: Embeddings) -> None:
        self._store = Chroma(**_place(embedding))

    def tell(self, batch: Sequence[Told], now: datetime) -> None:
        """Add the texts, each with its date and the date of loading."""
        for part in batches(batch):
            loaded = now.timestamp()
            about = [{"date": told.date.timestamp(), "loaded": loaded, "key": told.key} for told in part]
            self._store.add_texts([told.text for told in part], about)

    def end(self, ending: Ending, now: datetime) -> None:
        """Say nothing."""

    def ask(self, question: str, k: int, *, as_of: When = None, known_at: When = None, key: str = "") -> list[Passage]:
        """Return the `k` nearest."""
        return [Passage(document.page_content) for document in self._store.similarity_search(question, k=k)]

    def held(self) -> set[str]:
        """Return every text that can be served now."""
        return set(self._store.get()["documents"])


class Dated(Stock):
    """What a sceptic tries first: both dates in the metadata, ``where`` for past ones, the context newest first.

    An ending is a text like any other, with its date.
    """

    name = "dated_rag"

    def __init__(self, embedding: Embeddings) -> None:
        super().__init__(embedding)
        self._embedding, self._way = embedding, ways(Settings()).get(self.name, Newest())

    def end(self, ending: Ending, now: datetime) -> None:
        """Add the sentence that says so."""
        self.tell([Told(ending.text, ending.date, ending.key)], now)

    def ask(self, question: str, k: int, *, as_of: When = None, known_at: When = None, key: str = "") -> list[Passage]:
        """Return what its way shows of the nearest of those dates, newest first, each with its date in front."""
        where = _where(as_of, known_at)
        found = self._store.similarity_search_with_score(question, k=max(k, self._way.fetched), filter=where)
        return [Passage(_shown(document)) for document, _ in self._way.of(found, k, self._embedding)]

    @staticmethod
    def undated(text: str) -> str:
        """Return a text without the date in front."""
        return re.sub(r"^\[\d{4}-\d\d-\d\d\] ", "", text)


class Wide(Dated):
    """The first repair of `Dated`: fetch many more, and keep the newest."""

    name = "dated_wide"


class Cut(Dated):
    """The second: keep the newest of those that are about as near as the nearest; `eval.conditions.tuning` tunes it."""

    name = "dated_cut"


class One(Dated):
    """The same, and show one text: the newest of the near."""

    name = "dated_one"


class Apart(Dated):
    """The third: of the near, drop what is a near-duplicate of something newer."""

    name = "dated_apart"


RIVALS = (Stock, Dated, Wide, Cut, One, Apart)


class KeyKnown(Dated):
    """What who knows the key of each fact can do, when telling and when asking: the newest text of the key and date."""

    name = "dated_key"

    def ask(self, question: str, k: int, *, as_of: When = None, known_at: When = None, key: str = "") -> list[Passage]:
        """Return it."""
        found = self._store.get(where=_where(as_of, known_at, key))
        rows = zip(found["documents"], found["metadatas"], strict=True)
        documents = [Document(text, metadata=metadata) for text, metadata in rows]
        return [Passage(_shown(one)) for one in sorted(documents, key=lambda one: one.metadata["date"])[-1:]]


class Ours:
    """`TemporalVectorStore`, as it comes; with ``dates`` each text is packed with the date since when it holds."""

    name = "temporal_v6"
    options: Mapping[str, Any] = MappingProxyType({})

    def __init__(
        self, embedding: Embeddings, *, policy: SupersessionPolicy | None = None, name: str = "", dates: bool = False
    ) -> None:
        self.name = name or self.name
        self._dates = dates
        self._now: datetime | None = None
        self._store = TemporalVectorStore(
            **_place(embedding),
            policy=policy or SupersessionPolicy(),
            clock=self._clock,
            show_validity=dates,
            **self.options,
        )

    def _clock(self) -> datetime:
        assert self._now is not None
        return self._now

    def tell(self, batch: Sequence[Told], now: datetime) -> None:
        """Add the texts, each valid from its date on."""
        self._now = now
        for part in batches(batch):
            about = [{"key": told.key} for told in part] if self.options else None
            self._store.add_texts([told.text for told in part], about, valid_from=[told.date for told in part])

    def end(self, ending: Ending, now: datetime) -> None:
        """Retract the fact; where the store has read none, tell it the sentence as the others are."""
        self._now = now
        try:
            self._store.retract(ending.subject, ending.relation, at=ending.date)
        except InvalidInputError:
            self.tell([Told(ending.text, ending.date)], now)

    def ask(self, question: str, k: int, *, as_of: When = None, known_at: When = None, key: str = "") -> list[Passage]:
        """Return the `k` nearest that are valid."""
        found = self._store.similarity_search(question, k=k, as_of=as_of, known_at=known_at)
        return [Passage(_since(document) if self._dates else document.page_content) for document in found]

    def held(self) -> set[str]:
        """Return every text that can be served now."""
        return set(self._store.get()["documents"])


class OursKeyed(Ours):
    """The same, told which fact each text states; an ending is a text of the same key. It is asked without the key."""

    name = "temporal_v6, key_fields"
    options = MappingProxyType({"key_fields": ("key",)})

    def end(self, ending: Ending, now: datetime) -> None:
        """Tell it the sentence that says so."""
        self.tell([Told(ending.text, ending.date, ending.key)], now)


class Own:
    """A memory of somebody else: it is told turns with their dates, of an ending by its sentence.

    It is asked as of a date, and can't be asked what was known at one. The turns of a passage are the texts as told.
    """

    def __init__(self, name: str, memory: Condition) -> None:
        self.name = name
        self._memory = memory
        self._told: dict[str, Turn] = {}

    def tell(self, batch: Sequence[Told], now: datetime) -> None:
        """Tell it the texts."""
        turns = [Turn(f"{n}", told.text, valid_from=told.date) for n, told in enumerate(batch, len(self._told))]
        self._told |= {turn.id: turn for turn in turns}
        self._memory.ingest(turns)

    def end(self, ending: Ending, now: datetime) -> None:
        """Tell it the sentence that says so."""
        self.tell([Told(ending.text, ending.date)], now)

    def ask(self, question: str, k: int, *, as_of: When = None, known_at: When = None, key: str = "") -> list[Passage]:
        """Return what it returns."""
        found = self._memory.retrieve(question, k=k, as_of=as_of)
        return [Passage(one.text, tuple(self._told[n].text for n in one.turns if n in self._told)) for one in found]

    def held(self) -> set[str]:
        """Return every text that can be served now, word for word or in its words."""
        active = self._memory.active()
        return {turn.text for turn in self._told.values() if served(turn, active)}


def _where(as_of: When, known_at: When, key: str = "") -> dict[str, Any] | None:
    asked = {"date": as_of, "loaded": known_at}
    clauses: list[dict[str, Any]] = [{n: {"$lte": at.timestamp()}} for n, at in asked.items() if at is not None]
    clauses += [{"key": key}] if key else []
    return {"$and": clauses} if len(clauses) > 1 else clauses[0] if clauses else None


def _shown(document: Document) -> str:
    return f"[{datetime.fromtimestamp(document.metadata['date']).date()}] {document.page_content}"


def _since(document: Document) -> str:
    return f"[{document.metadata['memstrata_valid_from'][:10]}] {document.page_content}"


def _place(embedding: Embeddings) -> dict[str, Any]:
    return {
        "collection_name": unique_name(),
        "embedding_function": embedding,
        "client": client(),
        "collection_configuration": COSINE,
    }
