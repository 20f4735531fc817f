"""What the conformance tests share: clients, a server on loopback, both store classes."""

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chromadb
import pytest
from langchain_chroma import Chroma

from memstrata_integrations.langchain import TemporalVectorStore
from memstrata_integrations.llama_index import TemporalVectorStore as LlamaIndexStore
from tests.stateful.toy import TestClock

from .lexical import LexicalEmbeddings
from .llama import CollectionMaker, fresh_collections
from .openers import Opener
from .servers import chroma_run


@pytest.fixture(scope="session")
def chroma_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Run a server for the session; gives its port."""
    with chroma_run(tmp_path_factory.mktemp("chroma_server") / "db") as (port, _):
        yield port


@pytest.fixture(scope="session")
def http_client(chroma_server: int) -> Any:
    return chromadb.HttpClient(host="127.0.0.1", port=chroma_server)


@pytest.fixture(scope="session")
def client() -> Any:
    """An in-memory client; tests keep apart by their collection names."""
    return chromadb.EphemeralClient()


@pytest.fixture
def persistent_client(tmp_path: Path) -> Iterator[Any]:
    opened = chromadb.PersistentClient(path=str(tmp_path / "db"))
    yield opened
    opened.close()


class OneCollection:
    """A client that hands a collection to the LangChain store, which opens one by name."""

    def __init__(self, raw: Any) -> None:
        self.raw = raw

    def get_or_create_collection(self, **_: Any) -> Any:
        return self.raw


@pytest.fixture
def raw(client: Any, collection_name: str) -> Iterator[Any]:
    """An empty collection in memory, that embeds nothing."""
    yield client.create_collection(collection_name, embedding_function=None)
    client.delete_collection(collection_name)


@pytest.fixture
def collection_name() -> str:
    return f"test-{uuid.uuid4().hex}"


@pytest.fixture
def embeddings() -> LexicalEmbeddings:
    return LexicalEmbeddings()


@pytest.fixture
def clock() -> TestClock:
    """A clock that shows noon of 1 June 2024, UTC, until a test moves it."""
    return TestClock("2024-06-01T12:00:00")


@pytest.fixture(params=["stock", "temporal"])
def store_class(request: pytest.FixtureRequest) -> type[Chroma]:
    """Both classes in turn: what a test says of one holds of the other."""
    return Chroma if request.param == "stock" else TemporalVectorStore


StoreMaker = Callable[..., Any]


@pytest.fixture
def make_temporal(client: Any, embeddings: LexicalEmbeddings, clock: TestClock) -> Iterator[StoreMaker]:
    """Open `TemporalVectorStore`s in memory under the still clock; they are dropped after the test."""
    made = Opener(TemporalVectorStore, client)
    yield lambda **more: TemporalVectorStore(**made.placed({"embedding_function": embeddings, "clock": clock, **more}))
    made.close()


@pytest.fixture
def new_collection(client: Any) -> Iterator[CollectionMaker]:
    with fresh_collections(client) as make:
        yield make


@pytest.fixture
def make_llama(new_collection: CollectionMaker, clock: TestClock) -> StoreMaker:
    """Open LlamaIndex's `TemporalVectorStore`s on new collections under the still clock."""
    return lambda **options: LlamaIndexStore(**{"chroma_collection": new_collection(), "clock": clock, **options})


@pytest.fixture
def opener(store_class: type[Chroma], client: Any) -> Iterator[Opener]:
    """Open stores of each class in turn; their collections go after the test."""
    made = Opener(store_class, client)
    yield made
    made.close()
