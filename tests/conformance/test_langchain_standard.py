"""LangChain's own standard suites, adopted without a change, over every kind of client.

`BaseStandardTests` brings the guard: a subclass that overrides or deletes a standard test fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.vectorstores import VectorStore
from langchain_tests.integration_tests import RetrieversIntegrationTests, VectorStoreIntegrationTests

from memstrata_integrations.langchain import TemporalRetriever, TemporalVectorStore

from .llama import NOISE
from .openers import Opener


@pytest.fixture(params=["client", "persistent_client", "http_client"])
def new_store(request: pytest.FixtureRequest) -> Iterator[Opener]:
    """Open stores with each kind of client in turn."""
    made = Opener(TemporalVectorStore, request.getfixturevalue(request.param))
    yield made
    made.close()


class TestTemporalVectorStore(VectorStoreIntegrationTests):
    """The store as it comes, one that keeps what is deleted (readers don't get it either), and one of versions only."""

    @pytest.fixture(params=[{}, {"on_delete": "retire"}, {"extractor": None}], ids=str)
    def vectorstore(self, new_store: Any, request: pytest.FixtureRequest) -> VectorStore:  # type: ignore[override]
        return new_store(self.get_embeddings(), **request.param)


class TestTemporalRetriever(RetrieversIntegrationTests):
    """The retriever over a store with five texts."""

    @pytest.fixture(autouse=True)
    def _filled_store(self, new_store: Any) -> None:
        self.store = new_store(VectorStoreIntegrationTests.get_embeddings())
        self.store.add_documents([Document(page_content=text) for text in NOISE])

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
