"""LangChain's own standard suites, adopted without a change, over every kind of client.

`BaseStandardTests` brings the guard: a subclass that overrides or deletes a standard test fails.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.vectorstores import VectorStore
from langchain_tests.integration_tests import RetrieversIntegrationTests, VectorStoreIntegrationTests

from memstrata_integrations.langchain import TemporalRetriever, TemporalVectorStore

TEXTS = [
    "The harbour opens at six and closes at nine.",
    "Ferries leave for the island twice a day.",
    "A lighthouse keeper writes the weather down.",
    "Nets dry on the wall behind the chapel.",
    "The market sells mackerel, mussels and bread.",
]


@pytest.fixture(params=["memory", "directory", "server"])
def any_client(request: pytest.FixtureRequest) -> Any:
    names = {"memory": "client", "directory": "persistent_client", "server": "http_client"}
    return request.getfixturevalue(names[request.param])


@pytest.fixture
def new_store(any_client: Any) -> Iterator[Any]:
    """Open stores in collections of their own, deleted after the test."""
    stores = []

    def open_store(**arguments: Any) -> Any:
        store = TemporalVectorStore(client=any_client, collection_name=f"standard-{uuid.uuid4().hex}", **arguments)
        stores.append(store)
        return store

    yield open_store
    for store in stores:
        store.delete_collection()


class TestTemporalVectorStore(VectorStoreIntegrationTests):
    """The store as it comes, one that keeps what is deleted (readers don't get it either), and one of versions only."""

    @pytest.fixture(params=[{}, {"on_delete": "retire"}, {"extractor": None}], ids=str)
    def vectorstore(self, new_store: Any, request: pytest.FixtureRequest) -> VectorStore:  # type: ignore[override]
        return new_store(embedding_function=self.get_embeddings(), **request.param)


class TestTemporalRetriever(RetrieversIntegrationTests):
    """The retriever over a store with five texts."""

    @pytest.fixture(autouse=True)
    def _filled_store(self, new_store: Any) -> None:
        self.store = new_store(embedding_function=VectorStoreIntegrationTests.get_embeddings())
        self.store.add_documents([Document(page_content=text) for text in TEXTS])

    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return TemporalRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        """What its constructor gets; the suite adds `k`."""
        return {"vectorstore": self.store}

    @property
    def retriever_query_example(self) -> str:
        return "When does the harbour open?"
