"""What runs in a thread beside what does not: it honours what a subclass overrides, and ends."""

import asyncio
from typing import Any
from unittest.mock import Mock

import pytest
from langchain_core.documents import Document

from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.langchain import TemporalVectorStore as LangChainStore
from memstrata_integrations.llama_index import TemporalVectorStore as LlamaIndexStore
from tests.faults.faulty import Instead

from .doors import Door
from .lexical import LexicalEmbeddings

TEXT = "The port of kite is 80."
TWINS = {
    LangChainStore: "aadd_documents aadd_texts aadd_facts async_sync aget_by_ids",
    LlamaIndexStore: "async_add aadd_facts async_sync adelete adelete_nodes aclear aget_nodes aquery",
}


@pytest.mark.parametrize("kind", TWINS, ids=["langchain", "llama_index"])
def test_each_goes_by_its_own_name(kind: Any) -> None:
    for name in TWINS[kind].split():
        assert (getattr(kind, name).__name__, getattr(kind, name).__qualname__) == (name, f"{kind.__name__}.{name}")


class KeywordIds(LangChainStore):
    """Takes `ids` as LangChain's `VectorStore` does."""

    def add_texts(self, texts: Any, metadatas: Any = None, *, ids: Any = None, **kwargs: Any) -> list[str]:  # type: ignore[override]
        return super().add_texts(texts, metadatas, ids, **kwargs)


def test_a_subclass_may_take_ids_by_keyword_only() -> None:
    store = KeywordIds("twins-keyword", LexicalEmbeddings())
    assert len(asyncio.run(store.aadd_texts([TEXT]))) == 1
    assert asyncio.run(store.aadd_texts([TEXT + " Yes."], ids=["1"])) == ["1"]


class Noting(LangChainStore):
    """Notes what is written."""

    async def aadd_texts(self, texts: Any, *args: Any, **kwargs: Any) -> list[str]:
        self.noted = list(texts)
        return await super().aadd_texts(self.noted, *args, **kwargs)


def test_documents_are_written_by_the_texts_of_a_subclass() -> None:
    store = Noting("twins-noting", LexicalEmbeddings())
    asyncio.run(store.aadd_documents([Document(TEXT)]))
    assert store.noted == [TEXT]


def test_an_embedding_that_stops_is_an_error_and_no_wait_without_end() -> None:
    exhausted: Any = Instead(LexicalEmbeddings(), embed_documents=Mock(side_effect=StopIteration))
    store = LangChainStore("twins-stops", exhausted)
    with pytest.raises(RuntimeError):
        asyncio.run(asyncio.wait_for(store.aadd_texts([TEXT]), 60))


@pytest.mark.parametrize("unknown", ["include", "limit", "where", "offset", "where_document"])
def test_nodes_are_asked_for_by_known_keywords(unknown: str) -> None:
    door = Door("llama_index")
    door.tell(TEXT)
    with pytest.raises(InvalidInputError, match=unknown):
        door.store.get_nodes(**{unknown: None})
