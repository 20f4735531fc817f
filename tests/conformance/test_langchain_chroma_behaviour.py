"""What langchain-chroma's own tests hold of `Chroma`, and what its users lean on, held for both classes.

Every test runs on stock `Chroma` and on `TemporalVectorStore`: the two give the same. The texts carry no facts, so time
plays no part here. The tables' names are the sentences that they hold. LangChain's own standard suites follow, adopted
without a change, over every kind of client: `BaseStandardTests` fails a subclass that overrides or deletes a test.
"""

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chromadb.config import Settings
from langchain_chroma import Chroma
from langchain_core.embeddings import Embeddings
from langchain_core.retrievers import BaseRetriever
from langchain_core.vectorstores import VectorStore
from langchain_tests.integration_tests import RetrieversIntegrationTests, VectorStoreIntegrationTests

from memstrata_integrations.langchain import TemporalRetriever, TemporalVectorStore

from .lexical import LexicalEmbeddings
from .llama import NOISE
from .openers import IDS, PAGES, WORDS, Opener, PositionEmbeddings, doc, ids_of

VECTORS = PositionEmbeddings()
SEARCHES = ["similarity_search", "similarity_search_with_score", "similarity_search_with_relevance_scores"]
SEARCHED = {"similarity_search_by_vector": [LexicalEmbeddings().embed_query("foo")]}


class AngleEmbeddings(Embeddings):
    """A text that is a number in units of pi becomes the unit vector of that angle."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return [float(np.cos(float(text) * np.pi)), float(np.sin(float(text) * np.pi))]


def from_documents(opener: Opener, **more: Any) -> set[str]:
    """Make a store from a document with an id and one without, and return the ids that it has."""
    arguments = {"documents": [doc("foo", "own"), doc("bar")], "embedding": PositionEmbeddings(), **more}
    return set(opener.store_class.from_documents(**opener.placed(arguments)).get()["ids"])


NONE = {"relevance_score_fn": lambda distance: distance * 0, "collection_metadata": {"hnsw:space": "l2"}}
ANSWERS: dict[str, tuple[Callable[[Opener], Any], Any]] = {
    "code that dispatches on `isinstance(store, Chroma)` finds a Chroma": (lambda o: isinstance(o(), Chroma), True),
    "a store has the embeddings that it was given": (lambda o: o(VECTORS).embeddings is VECTORS, True),
    "`from_texts` keeps each text's metadata and id": (
        lambda o: o.filled(metadatas=PAGES, ids=IDS).similarity_search("foo", k=1), [doc("foo", "id_0", page="0")]),
    "`from_texts` makes an id in place of each `None`": (
        lambda o: len({"id_0", "id_2", *o.filled(ids=["id_0", None, "id_2"]).get()["ids"]}), 3),
    "`from_documents` uses `Document.id`, and makes one where it is missing": (
        lambda o: (len(ids := from_documents(o)), "own" in ids), (2, True)),
    "`from_documents` prefers `ids=`": (lambda o: from_documents(o, ids=["a", "b"]), {"a", "b"}),
    **{f"an empty store finds nothing by `{method}`": (
        lambda o, method=method: getattr(o(), method)(*SEARCHED.get(method, ["foo"])), []  # type: ignore[misc]
    ) for method in (*SEARCHES, "max_marginal_relevance_search", *SEARCHED)},
    "a relevance function given to `from_texts` replaces the built-in one": (
        lambda o: o.filled(metadatas=PAGES, ids=IDS, **NONE).similarity_search_with_relevance_scores("foo", k=3),
        [(doc(word, id_, **page), 0.0) for word, page, id_ in zip(WORDS, PAGES, IDS, strict=True)]),
}  # fmt: skip


@pytest.mark.parametrize(("call", "expected"), ANSWERS.values(), ids=ANSWERS)
def test_a_store_answers_so(opener: Opener, call: Callable[[Opener], Any], expected: Any) -> None:
    assert call(opener) == expected


def test_client_settings_alone_make_a_store_in_memory(store_class: type[Chroma]) -> None:
    """Without a name the collection is called `langchain`."""
    store = store_class(client_settings=Settings(anonymized_telemetry=False))
    assert (store._collection.name, store._collection.count()) == ("langchain", 0)
    store.delete_collection()


def test_constructor_accepts_host_and_port(store_class: type[Chroma], chroma_server: int, collection_name: str) -> None:
    arguments: dict[str, Any] = {"host": "127.0.0.1", "port": chroma_server, "collection_name": collection_name}
    arguments["client_settings"] = Settings(anonymized_telemetry=False)  # Chroma changes it, so each has its own
    store = store_class.from_texts(WORDS, PositionEmbeddings(), ids=IDS, **arguments)
    second = store_class(embedding_function=PositionEmbeddings(), **arguments)
    assert second.similarity_search("foo", k=1) == [doc("foo", "id_0")]
    store.delete_collection()


MISMADE: dict[str, tuple[dict[str, Any], tuple[type[Exception], ...], str]] = {
    "two kinds of client": ({"client": None, "persist_directory": "x", "host": "localhost"}, (ValueError,),
        "persist_directory.*host"),
    "Chroma Cloud without tenant and database": ({"client": None, "chroma_cloud_api_key": "none"}, (ValueError,),
        "tenant"),
    "a client of another kind": ({"client": object()}, (AttributeError, TypeError, ValueError), ""),
    "a collection that is missing": ({"create_collection_if_not_exists": False}, (Exception,), "does not exist"),
    "a misspelt keyword": ({"embedding_funktion": None}, (TypeError, ValueError), "embedding_funktion"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISMADE)
def test_a_store_that_cannot_be_made_is_refused(opener: Opener, collection_name: str, name: str) -> None:
    """Arguments that contradict each other, or don't exist, are errors at once, and no collection is made."""
    arguments, errors, match = MISMADE[name]
    with pytest.raises(errors, match=match or None):
        opener(**{"collection_name": collection_name, **arguments})
    assert collection_name not in {collection.name for collection in opener.client.list_collections()}


def test_not_creating_an_existing_collection_opens_it(opener: Opener, collection_name: str) -> None:
    opener.client.create_collection(collection_name).add(ids=["1"], documents=["foo"], embeddings=[[1.0] * 10])
    store = opener(PositionEmbeddings(), collection_name=collection_name, create_collection_if_not_exists=False)
    assert store.similarity_search("foo", k=1) == [doc("foo", "1")]


def test_from_texts_takes_stocks_arguments_by_place(store_class: Any, client: Any, collection_name: str) -> None:
    rest: tuple[Any, ...] = (collection_name, None, None, None, None, None, None, None, None, client, {"mine": 1}, None)
    store = store_class.from_texts(WORDS, PositionEmbeddings(), PAGES, IDS, *rest)
    assert store.similarity_search("foo", k=1) == [doc("foo", "id_0", page="0")]
    assert client.get_collection(collection_name).metadata["mine"] == 1
    again = store_class.from_documents([doc("qux", page="3")], PositionEmbeddings(), ["id_3"], *rest)
    assert set(again.get()["ids"]) == {*IDS, "id_3"}
    with pytest.raises(TypeError):
        store_class.from_texts(WORDS, PositionEmbeddings(), PAGES, IDS, *rest, None, None)
    store.delete_collection()


def test_methods_accept_what_stock_accepts() -> None:
    """Every public method of stock exists, and its positional parameters have stock's names and order.

    Those of the constructor have stock's defaults too, and it takes all that stock's takes.
    """

    def places(method: Any) -> list[tuple[str, Any]]:
        parameters = inspect.signature(method).parameters.values()
        return [(p.name, p.default) for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]

    assert places(TemporalVectorStore.__init__) == places(Chroma.__init__)
    assert {*inspect.signature(Chroma).parameters} <= {*inspect.signature(TemporalVectorStore).parameters}
    for name, method in inspect.getmembers(Chroma, callable):
        if not name.startswith("_") and name not in ("from_texts", "from_documents"):
            assert [n for n, _ in places(getattr(TemporalVectorStore, name))] == [n for n, _ in places(method)], name


def test_rows_without_a_text_are_left_out(opener: Opener, collection_name: str) -> None:
    raw = opener.client.create_collection(collection_name)
    vectors = [[1.0] * 9 + [float(n)] for n in range(3)]
    raw.add(ids=["1", "2"], embeddings=vectors[:2], metadatas=[{"key": "1"}, {"key": "2"}])
    raw.add(ids=["3"], embeddings=vectors[2:], documents=["text"], metadatas=[{"key": "3"}])
    store = opener(PositionEmbeddings(), collection_name=collection_name)
    for kind in ("", "_with_score", "_with_vectors"):
        assert ids_of(getattr(store, f"similarity_search{kind}")("x")) == ["3"]
    assert ids_of(store.get_by_ids(["1", "3"])) == ["3"]
    assert set(store.get()["ids"]) == {"1", "2", "3"}


@pytest.mark.parametrize("space", ["cosine", "l2", "ip"])
@pytest.mark.parametrize("by", ["collection_configuration", "collection_metadata"])
def test_relevance_scores_follow_the_distance(opener: Opener, space: str, by: str) -> None:
    setting = {"hnsw": {"space": space}} if by == "collection_configuration" else {"hnsw:space": space}
    store = opener.filled(embedding=AngleEmbeddings(), texts=["0.0", "0.25"], ids=["near", "far"], **{by: setting})
    scores = {d.id: score for d, score in store.similarity_search_with_relevance_scores("0.0", k=2)}
    inner = float(np.cos(0.25 * np.pi))
    expected = {
        "cosine": {"near": 1.0, "far": inner},
        "l2": {"near": 1.0, "far": 1.0 - (2.0 - 2.0 * inner) / np.sqrt(2.0)},
        "ip": {"near": 0.0, "far": inner},  # stock's formula turns around at distance 0
    }[space]
    assert scores == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("settings", [False, True], ids=["plain", "with client settings"])
def test_a_directory_keeps_the_store(store_class: type[Chroma], tmp_path: Path, settings: bool) -> None:
    more: dict[str, Any] = {"collection_name": "kept", "persist_directory": str(tmp_path / "db")}
    more |= {"client_settings": Settings(anonymized_telemetry=False)} if settings else {}
    first = store_class.from_texts(WORDS, PositionEmbeddings(), ids=IDS, **more)
    assert first.similarity_search("foo", k=1) == [doc("foo", "id_0")]
    first._client.close()
    second = store_class(embedding_function=PositionEmbeddings(), **more)
    found = second.similarity_search("foo", k=3)
    second._client.close()
    assert found == [doc(word, id_) for word, id_ in zip(WORDS, IDS, strict=True)]


@pytest.fixture(params=["client", "persistent_client", "http_client"])
def new_store(request: pytest.FixtureRequest) -> Iterator[Opener]:
    made = Opener(TemporalVectorStore, request.getfixturevalue(request.param))
    yield made
    made.close()


class TestTemporalVectorStore(VectorStoreIntegrationTests):
    """The store as it comes, one that keeps what is deleted (readers don't get it either), and one of versions only."""

    @pytest.fixture(params=[{}, {"on_delete": "retire"}, {"extractor": None}], ids=str)
    def vectorstore(self, new_store: Any, request: pytest.FixtureRequest) -> VectorStore:  # type: ignore[override]
        return new_store(self.get_embeddings(), **request.param)


class TestTemporalRetriever(RetrieversIntegrationTests):
    @pytest.fixture(autouse=True)
    def _filled_store(self, new_store: Any) -> None:
        self.store = new_store(VectorStoreIntegrationTests.get_embeddings())
        self.store.add_documents([doc(text) for text in NOISE])

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
