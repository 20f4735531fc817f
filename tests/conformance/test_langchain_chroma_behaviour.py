"""What langchain-chroma's own tests hold of `Chroma`, and what its users lean on, held for both classes.

Every test runs on stock `Chroma` and on `TemporalVectorStore`: the two give the same. The texts carry no facts,
so time plays no part here.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import inspect
import os
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chromadb import K, Knn, Search
from chromadb.config import Settings
from chromadb.errors import ChromaError
from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding, Embeddings

from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.langchain import TemporalVectorStore

from .lexical import LexicalEmbeddings

WORDS = ["foo", "bar", "baz"]
PAGES = [{"page": "0"}, {"page": "1"}, {"page": "2"}]
IDS = ["id_0", "id_1", "id_2"]
QUIET = Settings(anonymized_telemetry=False)
MAX_BATCH = 5461


class PositionEmbeddings(Embeddings):
    """A text's vector ends in its position in the batch; every query equals the first text's vector.

    So the squared distance of the n-th text to any query is n squared.
    """

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [[1.0] * 9 + [float(position)] for position in range(len(texts))]

    def embed_query(self, text: str) -> list[float]:
        return [1.0] * 9 + [0.0]


class AngleEmbeddings(Embeddings):
    """A text that is a number in units of pi becomes the unit vector of that angle."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return [float(np.cos(float(text) * np.pi)), float(np.sin(float(text) * np.pi))]


class ImageEmbeddings(LexicalEmbeddings):
    """Embeds a picture by the bytes of its file."""

    def embed_image(self, uris: list[str]) -> list[list[float]]:
        return [self.embed_query(Path(uri).read_bytes().hex(" ")) for uri in uris]


Filled = Callable[..., Any]


@pytest.fixture
def new_store(store_class: type[Chroma], client: Any) -> Iterator[Filled]:
    """Open stores in memory, each in a collection of its own that goes after the test."""
    names: list[str] = []

    def open_store(embedding: Embeddings | None = None, **arguments: Any) -> Any:
        arguments.setdefault("collection_name", f"test-{uuid.uuid4().hex}")
        names.append(arguments["collection_name"])
        return store_class(client=client, embedding_function=embedding or LexicalEmbeddings(), **arguments)

    yield open_store
    for name in {collection.name for collection in client.list_collections()} & set(names):
        client.delete_collection(name)


@pytest.fixture
def filled(store_class: type[Chroma], client: Any) -> Iterator[Filled]:
    """Make stores by `from_texts` with foo, bar and baz, dropped after the test."""
    stores: list[Any] = []

    def make(**arguments: Any) -> Any:
        arguments = {
            "texts": WORDS,
            "embedding": PositionEmbeddings(),
            "client": client,
            "collection_name": f"test-{uuid.uuid4().hex}",
            **arguments,
        }
        store = store_class.from_texts(**arguments)
        stores.append(store)
        return store

    yield make
    for store in stores:
        if store._chroma_collection is not None:
            store.delete_collection()


def refusal(store: Any, *stock: type[BaseException]) -> tuple[type[BaseException], ...]:
    """Return what a refusal may be: stock's exception, or (ours) our error for bad input."""
    if type(store) is Chroma:
        return stock
    return (*stock, InvalidInputError)


def drop_order(documents: list[Document]) -> list[Document]:
    """Sort documents by id."""
    return sorted(documents, key=lambda document: document.id or "")


# ------------------------------------------------------------------------------------------------- making a store


def test_from_texts_then_search_finds_the_nearest_with_an_id(filled: Filled) -> None:
    """A store made from texts returns the nearest text, with an id that the store chose."""
    found = filled().similarity_search("foo", k=1)
    assert [document.page_content for document in found] == ["foo"]
    assert isinstance(found[0].id, str)
    assert found[0].id


def test_from_documents_takes_ids_from_documents_and_from_the_argument(store_class: type[Chroma], client: Any) -> None:
    """`from_documents` uses `Document.id`, makes one where it is missing, and prefers `ids=`."""
    documents = [Document(page_content="foo", id="own"), Document(page_content="bar")]
    stores = [
        store_class.from_documents(
            documents, PositionEmbeddings(), client=client, collection_name=f"test-{uuid.uuid4().hex}", **more
        )
        for more in ({}, {"ids": ["a", "b"]})
    ]
    first = set(stores[0].get()["ids"])
    assert "own" in first
    assert len(first) == 2
    assert set(stores[1].get()["ids"]) == {"a", "b"}
    for store in stores:
        store.delete_collection()


def test_from_texts_keeps_metadata_and_ids(filled: Filled) -> None:
    """Metadata and ids together come back with their own text."""
    found = filled(metadatas=PAGES, ids=IDS).similarity_search("foo", k=1)
    assert found == [Document(page_content="foo", metadata={"page": "0"}, id="id_0")]


def test_from_texts_fills_ids_that_are_none(filled: Filled) -> None:
    """`from_texts` makes an id in place of each `None`."""
    ids = filled(ids=["id_0", None, "id_2"]).get()["ids"]
    assert len(set(ids)) == 3
    assert {"id_0", "id_2"} < set(ids)


def test_default_collection_name_is_stocks(store_class: type[Chroma]) -> None:
    """Without a name the collection is called `langchain`."""
    store = store_class(embedding_function=PositionEmbeddings(), client_settings=QUIET)
    try:
        assert store._collection.name == "langchain"
    finally:
        store.delete_collection()


def test_constructor_accepts_client_settings(store_class: type[Chroma], collection_name: str) -> None:
    """Client settings alone make an in-memory client."""
    store = store_class(collection_name=collection_name, client_settings=QUIET)
    assert store._collection.count() == 0
    store.delete_collection()


def test_constructor_accepts_host_and_port(store_class: type[Chroma], chroma_server: int, collection_name: str) -> None:
    """Host and port open a store on a running server, which another store then reads."""
    arguments = {
        "collection_name": collection_name,
        "host": "127.0.0.1",
        "port": chroma_server,
        "client_settings": QUIET,
    }
    store = store_class.from_texts(WORDS, PositionEmbeddings(), ids=IDS, **arguments)
    second = store_class(embedding_function=PositionEmbeddings(), **arguments)
    assert second.similarity_search("foo", k=1) == [Document(page_content="foo", id="id_0")]
    store.delete_collection()


def test_constructor_refuses_two_kinds_of_client(store_class: type[Chroma], tmp_path: Path) -> None:
    """A directory and a host together are an error that names both."""
    with pytest.raises(ValueError, match=r"persist_directory.*host"):
        store_class(persist_directory=str(tmp_path), host="localhost")


def test_cloud_needs_tenant_and_database(store_class: type[Chroma]) -> None:
    """An API key of Chroma Cloud without tenant and database is an error."""
    with pytest.raises(ValueError, match="tenant"):
        store_class(chroma_cloud_api_key="none")


@pytest.mark.parametrize("awaited", [False, True])
def test_an_async_client_is_not_accepted(store_class: type[Chroma], awaited: bool) -> None:
    """An asynchronous client, awaited or not, is refused at once instead of failing later."""

    async def make() -> object:
        return object()

    asynchronous = object() if awaited else make()
    with pytest.raises((AttributeError, TypeError, ValueError)):
        store_class(client=asynchronous, collection_name="test")  # type: ignore[arg-type]
    if not awaited:
        asynchronous.close()  # type: ignore[attr-defined]


def test_not_creating_an_existing_collection_opens_it(
    store_class: type[Chroma], client: Any, collection_name: str
) -> None:
    """With `create_collection_if_not_exists=False` an existing collection is opened with what it holds."""
    client.create_collection(collection_name).add(ids=["1"], documents=["foo"], embeddings=[[1.0] * 10])
    store = store_class(
        collection_name=collection_name,
        client=client,
        embedding_function=PositionEmbeddings(),
        create_collection_if_not_exists=False,
    )
    assert store.similarity_search("foo", k=1) == [Document(page_content="foo", id="1")]
    store.delete_collection()


def test_not_creating_a_missing_collection_raises(store_class: type[Chroma], client: Any, collection_name: str) -> None:
    """With `create_collection_if_not_exists=False` a missing collection is an error and stays missing."""
    with pytest.raises(Exception, match="does not exist"):
        store_class(
            collection_name=collection_name,
            client=client,
            embedding_function=PositionEmbeddings(),
            create_collection_if_not_exists=False,
        )
    assert collection_name not in {collection.name for collection in client.list_collections()}


def test_constructor_arguments_stand_where_stock_has_them(store_class: type[Chroma]) -> None:
    """Every argument of stock's constructor is at stock's place, with stock's default."""
    stock = inspect.signature(Chroma.__init__).parameters
    ours = inspect.signature(store_class.__init__).parameters
    positional = [(p.name, p.default) for p in stock.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert [(p.name, p.default) for p in ours.values() if p.kind is p.POSITIONAL_OR_KEYWORD] == positional
    assert set(stock) <= set(ours)


def test_from_texts_takes_stocks_arguments_by_place(
    store_class: type[Chroma], client: Any, collection_name: str
) -> None:
    """`from_texts` and `from_documents` take all of stock's positional arguments in stock's order."""
    rest: tuple[Any, ...] = (collection_name, None, None, None, None, None, None, None, None, client, {"mine": 1}, None)
    store = store_class.from_texts(WORDS, PositionEmbeddings(), PAGES, IDS, *rest)
    assert store.similarity_search("foo", k=1) == [Document(page_content="foo", metadata={"page": "0"}, id="id_0")]
    assert client.get_collection(collection_name).metadata["mine"] == 1
    documents = [Document(page_content="qux", metadata={"page": "3"})]
    again = store_class.from_documents(documents, PositionEmbeddings(), ["id_3"], *rest)
    assert set(again.get()["ids"]) == {*IDS, "id_3"}
    with pytest.raises(TypeError):
        store_class.from_texts(WORDS, PositionEmbeddings(), PAGES, IDS, *rest, None, None)
    store.delete_collection()


def test_methods_accept_what_stock_accepts(store_class: type[Chroma]) -> None:
    """Every public method of stock exists, and its positional parameters have stock's names and order."""
    for name, method in inspect.getmembers(Chroma, callable):
        if name.startswith("_") or name in ("from_texts", "from_documents"):
            continue
        stock = [p for p in inspect.signature(method).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
        ours = [
            p
            for p in inspect.signature(getattr(store_class, name)).parameters.values()
            if p.kind is p.POSITIONAL_OR_KEYWORD
        ]
        assert [p.name for p in ours] == [p.name for p in stock], name


def test_store_is_a_chroma(new_store: Filled) -> None:
    """Code that dispatches on `isinstance(store, Chroma)` finds a Chroma, with its embeddings."""
    embedding = PositionEmbeddings()
    store = new_store(embedding)
    assert isinstance(store, Chroma)
    assert store.embeddings is embedding


def test_unknown_constructor_keyword_is_refused(new_store: Filled) -> None:
    """A misspelt keyword is an error, in the constructor and in `from_texts`."""
    with pytest.raises((TypeError, ValueError), match="embedding_funktion"):
        new_store(embedding_funktion=None)


# ------------------------------------------------------------------------------------------------------- searching


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ({"n": 1}, {"id_1"}),
        ({"n": {"$eq": 1}}, {"id_1"}),
        ({"n": {"$ne": 1}}, {"id_0", "id_2", "id_3"}),
        ({"n": {"$gt": 0}}, {"id_1", "id_2"}),
        ({"n": {"$gte": 1}}, {"id_1", "id_2"}),
        ({"n": {"$lt": 2}}, {"id_0", "id_1"}),
        ({"n": {"$lte": 0}}, {"id_0"}),
        ({"n": {"$in": [0, 2]}}, {"id_0", "id_2"}),
        ({"n": {"$nin": [0, 2]}}, {"id_1", "id_3"}),
        ({"odd": True}, {"id_1"}),
        ({"share": {"$gt": 0.5}}, {"id_2"}),
        ({"$and": [{"n": {"$gte": 1}}, {"odd": False}]}, {"id_2"}),
        ({"$or": [{"n": 0}, {"odd": True}]}, {"id_0", "id_1"}),
        ({"$and": [{"$or": [{"n": 0}, {"n": 1}]}, {"odd": True}]}, {"id_1"}),
        ({"absent": {"$ne": "x"}}, {"id_0", "id_1", "id_2", "id_3"}),
    ],
    ids=str,
)
def test_filter_operators(filled: Filled, where: dict[str, Any], expected: set[str]) -> None:
    """Every filter operator selects the same rows in a search, in MMR and in `get`, rows without metadata included."""
    store = filled(
        texts=[*WORDS, "qux"],
        ids=[*IDS, "id_3"],
        metadatas=[
            {"n": 0, "odd": False, "share": 0.25},
            {"n": 1, "odd": True, "share": 0.5},
            {"n": 2, "odd": False, "share": 0.75},
            {},
        ],
    )
    assert {document.id for document in store.similarity_search("foo", k=10, filter=where)} == expected
    assert {document.id for document in store.max_marginal_relevance_search("foo", k=10, filter=where)} == expected
    assert set(store.get(where=where)["ids"]) == expected


@pytest.mark.parametrize("where", [{}, {"a": 1, "b": 2}, {"$and": [{"a": 1}]}, {"a": {"$almost": 1}}], ids=str)
def test_malformed_filter_is_refused(filled: Filled, where: dict[str, Any]) -> None:
    """A filter that Chroma cannot read is an error here as well, and is not taken for no filter."""
    store = filled()
    with pytest.raises(refusal(store, ValueError)):
        store.similarity_search("foo", filter=where)


def test_where_document_selects_by_text(filled: Filled) -> None:
    """A condition on the text narrows every kind of search."""
    store = filled(ids=IDS)
    vector = PositionEmbeddings().embed_query("foo")
    condition = {"$contains": "ba"}
    assert [d.id for d, _ in store.similarity_search_with_score("foo", where_document=condition)] == ["id_1", "id_2"]
    assert [d.id for d in store.similarity_search("foo", where_document={"$not_contains": "ba"})] == ["id_0"]
    assert [d.id for d in store.similarity_search("foo", where_document={"$regex": "z$"})] == ["id_2"]
    assert [d.id for d in store.similarity_search_by_vector(vector, where_document=condition)] == ["id_1", "id_2"]
    assert [d.id for d, _ in store.similarity_search_with_vectors("foo", where_document=condition)] == [
        "id_1",
        "id_2",
    ]
    assert store.get(where_document=condition)["ids"] == ["id_1", "id_2"]
    assert {d.id for d in store.max_marginal_relevance_search("foo", where_document=condition)} == {"id_1", "id_2"}


def test_search_among_ids(filled: Filled) -> None:
    """Chroma's own `ids=` keyword narrows a search to these rows."""
    found = filled(ids=IDS).similarity_search("foo", k=3, ids=["id_2", "id_1"])
    assert [document.id for document in found] == ["id_1", "id_2"]


def test_unknown_search_keyword_is_refused(filled: Filled) -> None:
    """A keyword that Chroma's query doesn't know is an error, not ignored."""
    store = filled()
    with pytest.raises(refusal(store, TypeError), match="filtre"):
        store.similarity_search("foo", filtre={"page": "0"})


def test_search_method_dispatches_by_type(filled: Filled) -> None:
    """`search` runs the search that its type names, and refuses a type that doesn't exist."""
    store = filled(ids=IDS)
    assert [d.id for d in store.search("foo", "similarity", k=1)] == ["id_0"]
    assert [d.id for d in store.search("foo", "mmr", k=1)] == ["id_0"]
    with pytest.raises(ValueError, match="search_type"):
        store.search("foo", "telepathy")


def test_searching_an_empty_store_finds_nothing(new_store: Filled) -> None:
    """Every kind of search on an empty store gives an empty list."""
    store = new_store()
    vector = LexicalEmbeddings().embed_query("foo")
    assert store.similarity_search("foo") == []
    assert store.similarity_search_with_score("foo") == []
    assert store.similarity_search_by_vector(vector) == []
    assert store.similarity_search_with_relevance_scores("foo") == []
    assert store.max_marginal_relevance_search("foo") == []
    assert store.get()["ids"] == []


def test_k_beyond_the_collection_gives_everything(filled: Filled) -> None:
    """Asking for more than there is gives all of it."""
    assert len(filled().similarity_search("foo", k=100)) == 3


@pytest.mark.parametrize("k", [0, -1])
def test_k_below_one_is_refused(filled: Filled, k: int) -> None:
    """Asking for no results, or fewer, is an error."""
    store = filled()
    with pytest.raises(refusal(store, TypeError)):
        store.similarity_search("foo", k=k)


def test_rows_without_a_text_are_left_out(store_class: type[Chroma], client: Any, collection_name: str) -> None:
    """Rows that another program wrote without a text are passed over by every search."""
    client.create_collection(collection_name).add(
        ids=["1", "2"], embeddings=[[1.0] * 9 + [0.0], [1.0] * 9 + [1.0]], metadatas=[{"key": "1"}, {"key": "2"}]
    )
    client.get_collection(collection_name).add(
        ids=["3"], embeddings=[[1.0] * 9 + [2.0]], documents=["text"], metadatas=[{"key": "3"}]
    )
    store = store_class(client=client, collection_name=collection_name, embedding_function=PositionEmbeddings())
    assert [d.id for d in store.similarity_search("x")] == ["3"]
    assert [d.id for d, _ in store.similarity_search_with_score("x")] == ["3"]
    assert [d.id for d, _ in store.similarity_search_with_vectors("x")] == ["3"]
    assert [d.id for d in store.get_by_ids(["1", "3"])] == ["3"]
    assert set(store.get()["ids"]) == {"1", "2", "3"}
    store.delete_collection()


# ------------------------------------------------------------------------------------------------ relevance scores


@pytest.mark.parametrize("space", ["cosine", "l2", "ip"])
@pytest.mark.parametrize("by", ["collection_configuration", "collection_metadata"])
def test_relevance_scores_follow_the_distance(filled: Filled, space: str, by: str) -> None:
    """Relevance is computed by the collection's distance, whichever way that was configured."""
    setting = {"hnsw": {"space": space}} if by == "collection_configuration" else {"hnsw:space": space}
    store = filled(embedding=AngleEmbeddings(), texts=["0.0", "0.25"], ids=["near", "far"], **{by: setting})
    scores = {d.id: score for d, score in store.similarity_search_with_relevance_scores("0.0", k=2)}
    inner = float(np.cos(0.25 * np.pi))
    expected = {
        "cosine": {"near": 1.0, "far": inner},
        "l2": {"near": 1.0, "far": 1.0 - (2.0 - 2.0 * inner) / np.sqrt(2.0)},
        "ip": {"near": 0.0, "far": inner},  # stock's formula turns around at distance 0
    }[space]
    assert scores == pytest.approx(expected, abs=1e-5)


def test_custom_relevance_function(filled: Filled) -> None:
    """A relevance function given to `from_texts` replaces the built-in one."""
    store = filled(
        metadatas=PAGES, ids=IDS, relevance_score_fn=lambda d: d * 0, collection_metadata={"hnsw:space": "l2"}
    )
    assert store.similarity_search_with_relevance_scores("foo", k=3) == [
        (Document(page_content=word, metadata=page, id=id_), 0.0)
        for word, page, id_ in zip(WORDS, PAGES, IDS, strict=True)
    ]


# ------------------------------------------------------------------------------------------------------- get, by id


def test_get_refuses_an_unknown_column(filled: Filled) -> None:
    """`include` of something that there isn't is an error."""
    store = filled()
    with pytest.raises(refusal(store, ValueError), match="nonsense"):
        store.get(include=["nonsense"])


def test_get_by_ids_without_metadata(store_class: type[Chroma], filled: Filled) -> None:
    """Documents without metadata can be fetched by id as well."""
    if store_class is Chroma:
        pytest.skip("stock cannot: it hands Chroma's `None` to Document, which refuses it")
    assert filled(ids=IDS).get_by_ids(["id_1"]) == [Document(page_content="bar", id="id_1")]


# ------------------------------------------------------------------------------------------------------------- add


def test_add_texts_returns_ids_in_order(new_store: Filled) -> None:
    """`add_texts` returns one id for each text, in order: the caller's, or new ones in place of `None`."""
    store = new_store()
    ids = store.add_texts(WORDS, ids=["x", None, "z"])
    assert len(ids) == 3
    assert ids[0] == "x"
    assert ids[2] == "z"
    assert isinstance(ids[1], str)
    assert {id_: store.get(id_)["documents"][0] for id_ in ids} == dict(zip(ids, WORDS, strict=True))
    fresh = store.add_texts(["one", "two"])
    assert len(set(fresh)) == 2
    assert store._collection.count() == 5


def test_equal_prose_is_kept_as_often_as_it_is_added(new_store: Filled) -> None:
    """Texts that are equal word for word are separate rows with separate ids."""
    store = new_store()
    ids = store.add_texts(["A plain remark."] * 3) + store.add_texts(["A plain remark."])
    assert len(set(ids)) == 4
    assert store._collection.count() == 4


def test_add_documents_with_and_without_metadata(new_store: Filled) -> None:
    """Documents with and without metadata in one call keep their own, and their ids in order."""
    store = new_store()
    documents = [
        Document(page_content="foo", id="0"),
        Document(page_content="bar", metadata={"baz": 1}, id="1"),
        Document(page_content="qux", id="2"),
    ]
    assert store.add_documents(documents) == ["0", "1", "2"]
    assert drop_order(store.similarity_search("foo bar")) == documents


def test_add_documents_leaves_the_callers_objects_alone(new_store: Filled) -> None:
    """Neither documents nor the caller's lists and dictionaries are changed by adding them."""
    store = new_store()
    documents = [Document(page_content="foo", metadata={"a": 1}), Document(page_content="bar")]
    store.add_documents(documents)
    assert documents == [Document(page_content="foo", metadata={"a": 1}), Document(page_content="bar")]
    texts, metadatas, ids = ["foo", "bar"], [{"a": 1}, {}], ["x", None]
    store.add_texts(texts, metadatas=metadatas, ids=ids)
    assert (texts, metadatas, ids) == (["foo", "bar"], [{"a": 1}, {}], ["x", None])


def test_ids_argument_beats_document_ids(new_store: Filled) -> None:
    """`ids=` of `add_documents` is used in place of the documents' own ids."""
    store = new_store()
    assert store.add_documents([Document(page_content="foo", id="own")], ids=["given"]) == ["given"]
    assert store.get()["ids"] == ["given"]


def test_metadatas_may_be_fewer_than_texts(new_store: Filled) -> None:
    """Texts beyond the end of `metadatas` get none."""
    store = new_store()
    store.add_texts(WORDS, metadatas=[{"page": "0"}], ids=IDS)
    answer = store.get(IDS)
    assert dict(zip(answer["ids"], answer["metadatas"], strict=True)) == {
        "id_0": {"page": "0"},
        "id_1": None,
        "id_2": None,
    }


@pytest.mark.parametrize("metadata", [None, {}, {"only": None}], ids=str)
def test_empty_metadata_is_no_metadata(new_store: Filled, metadata: Any) -> None:
    """`None`, an empty dictionary and one of nothing but `None` all mean no metadata."""
    store = new_store()
    store.add_texts(["foo"], metadatas=[metadata], ids=["x"])
    assert store.get("x")["metadatas"] == [None]
    assert store.similarity_search("foo") == [Document(page_content="foo", id="x")]


def test_metadata_values_keep_their_type(new_store: Filled) -> None:
    """Text, whole numbers, fractions and truth values come back as they went in; `None` is left out."""
    store = new_store()
    given = {"s": "x", "i": 2**62 + 1, "f": 0.5, "t": True, "n": None, "e": "", "neg": -3}
    store.add_texts(["foo"], metadatas=[given], ids=["x"])
    expected = {key: value for key, value in given.items() if value is not None}
    [document] = store.similarity_search("foo")
    assert document.metadata == expected
    assert {key: type(value) for key, value in document.metadata.items()} == {
        key: type(value) for key, value in expected.items()
    }


def test_metadata_may_hold_lists(store_class: type[Chroma], persistent_client: Any) -> None:
    """A list in metadata comes back as a list and can be filtered by what it contains.

    In a directory of its own: Chroma 1.5.9 leaves the lists of deleted rows behind and gives them to later rows.
    """
    store = store_class(client=persistent_client, collection_name="lists", embedding_function=PositionEmbeddings())
    tags = [{"tags": ["red", "blue"]}, {"tags": ["green"], "n": 1}, {"tags": ["red"]}]
    store.add_texts(WORDS, metadatas=tags, ids=IDS)
    found = store.similarity_search("foo", k=3, filter={"tags": {"$contains": "red"}})
    assert [(d.id, d.metadata) for d in found] == [("id_0", tags[0]), ("id_2", tags[2])]


@pytest.mark.parametrize("value", [{"nested": 1}, object(), []], ids=["dict", "object", "empty list"])
def test_metadata_that_chroma_cannot_hold_is_refused(new_store: Filled, value: Any) -> None:
    """A metadata value that cannot be stored is a ValueError, and nothing is written."""
    store = new_store()
    with pytest.raises(ValueError):
        store.add_texts(["foo", "bar"], metadatas=[{"page": "0"}, {"bad": value}])
    assert store._collection.count() == 0


def test_nested_metadata_error_says_how_to_filter_it(new_store: Filled) -> None:
    """The error about nested metadata points at `filter_complex_metadata`."""
    with pytest.raises(ValueError, match="filter_complex_metadata"):
        new_store().add_documents([Document(page_content="foo", metadata={"bad": {"nested": 1}})])


def test_duplicate_ids_in_a_call_are_refused(new_store: Filled) -> None:
    """One id twice in a call is an error that names it, and nothing is written."""
    store = new_store()
    with pytest.raises(refusal(store, ChromaError), match="twice"):
        store.add_texts(WORDS, ids=["once", "twice", "twice"])
    assert store._collection.count() == 0


@pytest.mark.parametrize("ids", [["x"], ["x", "y", "z", "w"]], ids=["fewer", "more"])
def test_ids_of_another_length_are_refused(new_store: Filled, ids: list[str]) -> None:
    """Ids that are fewer or more than the texts are an error, and nothing is written."""
    store = new_store()
    with pytest.raises(ValueError):
        store.add_texts(WORDS, ids=ids)
    assert store._collection.count() == 0


def test_an_empty_call_writes_nothing(new_store: Filled) -> None:
    """Adding an empty list writes nothing: it gives no ids, or is refused as stock refuses it."""
    store = new_store()
    for call in (store.add_texts, store.add_documents):
        try:
            ids = call([])
        except ValueError:
            continue
        assert ids == []
    assert store._collection.count() == 0


def test_texts_may_come_from_a_generator_without_ids(store_class: type[Chroma], new_store: Filled) -> None:
    """Texts may be any iterable, which is read once, also without ids."""
    if store_class is Chroma:
        pytest.skip("stock cannot: it uses the generator up while it makes ids")
    store = new_store()
    ids = store.add_texts(word for word in WORDS)
    assert store.get(ids)["documents"] == WORDS
    assert store.add_documents(Document(page_content=word) for word in WORDS) is not None
    assert store._collection.count() == 6


def test_adding_an_id_again_replaces_the_text(new_store: Filled) -> None:
    """Adding an id again replaces its text and vector; metadata fields that aren't given again survive, as in stock."""
    store = new_store()
    store.add_texts(["first words"], metadatas=[{"a": 1, "b": 1}], ids=["x"])
    store.add_texts(["other matter"], metadatas=[{"b": 2, "c": 2}], ids=["x"])
    assert store.similarity_search("other matter") == [
        Document(page_content="other matter", metadata={"a": 1, "b": 2, "c": 2}, id="x")
    ]
    store.add_texts(["third text"], ids=["x"])
    [(document, score)] = store.similarity_search_with_score("third text")
    assert document == Document(page_content="third text", metadata={"a": 1, "b": 2, "c": 2}, id="x")
    assert score == pytest.approx(0.0, abs=1e-6)
    assert store._collection.count() == 1


def test_an_empty_text_is_a_text(new_store: Filled) -> None:
    """The empty text can be stored and found."""
    store = new_store()
    store.add_texts([""], ids=["x"])
    assert store.similarity_search("anything") == [Document(page_content="", id="x")]


@pytest.mark.parametrize(
    "text", ["héllo wörld", "数据库的端口", "🚢 ahoy 👩‍👩‍👧", "a\x00b", "  spaces \n\t kept ", "x" * 20_000], ids=ascii
)
def test_texts_come_back_unchanged(new_store: Filled, text: str) -> None:
    """Whatever characters and length a text has, it comes back as it was."""
    store = new_store()
    store.add_texts([text], ids=["x"])
    assert store.similarity_search(text) == [Document(page_content=text, id="x")]


def test_add_texts_beyond_chromas_batch(store_class: type[Chroma], new_store: Filled) -> None:
    """More texts than Chroma takes in one batch go in by `add_texts` too, ids in order, and can all be read."""
    if store_class is Chroma:
        pytest.skip("stock cannot: its add_texts doesn't split what exceeds Chroma's batch")
    count = MAX_BATCH + 100
    store = new_store(DeterministicFakeEmbedding(size=8))
    ids = store.add_texts([f"text {n}" for n in range(count)], metadatas=[{"n": n} for n in range(count)])
    assert len(set(ids)) == count
    assert store._collection.count() == count
    assert len(store.get()["ids"]) == count
    assert store.get(ids[-1])["documents"] == [f"text {count - 1}"]


@pytest.mark.parametrize("which", ["client", "http_client"])
def test_a_large_update_is_split(
    store_class: type[Chroma],
    request: pytest.FixtureRequest,
    collection_name: str,
    monkeypatch: pytest.MonkeyPatch,
    which: str,
) -> None:
    """`update_documents` splits what exceeds the client's batch, which is small here, locally and over a server."""
    used = request.getfixturevalue(which)
    monkeypatch.setattr(used._server, "get_max_batch_size", lambda: 40)
    assert used.get_max_batch_size() == 40
    ids = [f"id_{n}" for n in range(300)]
    store = store_class.from_texts(
        ["This is a test document"] * 300,
        DeterministicFakeEmbedding(size=8),
        ids=ids,
        client=used,
        collection_name=collection_name,
    )
    changed = [Document(page_content="This is a new test document", metadata={"doc_id": f"{n}"}) for n in range(290)]
    store.update_documents(ids[:290], changed)
    answer = store.get()
    rows = dict(zip(answer["ids"], zip(answer["documents"], answer["metadatas"], strict=True), strict=True))
    assert rows == {
        **{ids[n]: ("This is a new test document", {"doc_id": f"{n}"}) for n in range(290)},
        **{ids[n]: ("This is a test document", None) for n in range(290, 300)},
    }
    store.delete_collection()


# ---------------------------------------------------------------------------------------------------------- update


@pytest.mark.parametrize("id_in", ["argument", "document"])
def test_update_document_replaces_text_and_vector(
    store_class: type[Chroma], client: Any, collection_name: str, id_in: str
) -> None:
    """`update_document` replaces text and vector under the id, whether it came by argument or in the document."""
    embedding = LexicalEmbeddings()
    own = {"id": "doc1"} if id_in == "document" else {}
    store = store_class.from_documents(
        [Document(page_content="foo", metadata={"page": "0"}, **own)],
        embedding,
        client=client,
        collection_name=collection_name,
        **({} if own else {"ids": ["doc1"]}),
    )
    before = store._collection.peek()
    assert before["ids"] == ["doc1"]
    store.update_document("doc1", Document(page_content="updated foo", metadata={"page": "0"}, **own))
    after = store._collection.peek()
    assert store.similarity_search("updated foo", k=1) == [
        Document(page_content="updated foo", metadata={"page": "0"}, id="doc1")
    ]
    assert np.allclose(after["embeddings"][0], embedding.embed_query("updated foo"), atol=1e-6)
    assert not np.allclose(after["embeddings"][0], before["embeddings"][0])
    store.delete_collection()


def test_update_documents_updates_each(new_store: Filled) -> None:
    """`update_documents` changes each document under its own id and leaves the others."""
    store = new_store()
    store.add_texts(WORDS, metadatas=PAGES, ids=IDS)
    store.update_documents(
        ["id_2", "id_0"],
        [
            Document(page_content="qux", metadata={"page": "9"}),
            Document(page_content="quux", metadata={"extra": 1}),
        ],
    )
    assert drop_order(store.get_by_ids(IDS)) == [
        Document(page_content="quux", metadata={"page": "0", "extra": 1}, id="id_0"),
        Document(page_content="bar", metadata={"page": "1"}, id="id_1"),
        Document(page_content="qux", metadata={"page": "9"}, id="id_2"),
    ]
    assert store._collection.count() == 3


def test_updating_a_missing_id_adds_nothing(new_store: Filled) -> None:
    """Updating an id that doesn't exist changes nothing."""
    store = new_store()
    store.add_texts(["foo"], metadatas=[{"page": "0"}], ids=["x"])
    store.update_document("nowhere", Document(page_content="bar", metadata={"page": "1"}))
    assert store.get()["ids"] == ["x"]
    assert store.get_by_ids(["x"]) == [Document(page_content="foo", metadata={"page": "0"}, id="x")]


# ---------------------------------------------------------------------------------------------------------- delete


def test_delete_by_text_and_by_both(filled: Filled) -> None:
    """`delete` by text deletes what matches, and ids with a condition only what meets both."""
    store = filled(ids=IDS, metadatas=PAGES)
    store.delete(ids=IDS, where={"page": "1"})
    assert store.get()["ids"] == ["id_0", "id_2"]
    store.delete(where_document={"$contains": "baz"})
    assert store.get()["ids"] == ["id_0"]


def test_delete_without_a_condition_is_refused(filled: Filled) -> None:
    """`delete()` without ids or condition is an error and deletes nothing; so is an empty list."""
    store = filled()
    with pytest.raises(refusal(store, ValueError)):
        store.delete()
    with contextlib.suppress(ValueError):
        store.delete(ids=[])
    assert store._collection.count() == 3


def test_a_deleted_id_can_be_added_again(new_store: Filled) -> None:
    """An id is free again after its deletion, and nothing of the old row comes back."""
    store = new_store()
    store.add_texts(["foo"], metadatas=[{"page": "0"}], ids=["x"])
    store.delete(["x"])
    store.add_texts(["bar"], ids=["x"])
    assert store.similarity_search("foo") == [Document(page_content="bar", id="x")]
    assert store.get("x")["metadatas"] == [None]


def test_delete_collection_leaves_an_unusable_store(new_store: Filled) -> None:
    """After `delete_collection` the collection is gone, and the store says so until it is reset."""
    store = new_store()
    name = store._collection.name
    assert store._client.get_collection(name) is not None
    store.delete_collection()
    assert store._chroma_collection is None
    with pytest.raises(ValueError, match="Chroma collection not initialized"):
        _ = store._collection
    with pytest.raises(Exception, match="does not exist"):
        store._client.get_collection(name)
    for call in (
        lambda: store.similarity_search("foo"),
        lambda: store.add_texts(["foo"]),
        lambda: store.get(),
        lambda: store.delete(["x"]),
        lambda: store.delete_collection(),
    ):
        with pytest.raises(ValueError, match="not initialized"):
            call()


def test_reset_collection_empties(new_store: Filled) -> None:
    """`reset_collection` leaves an empty collection of the same name, ready for use."""
    store = new_store()
    store.add_documents([Document(page_content="foo")])
    name = store._collection.name
    assert store._collection.count() == 1
    store.reset_collection()
    assert store._chroma_collection is not None
    assert store._client.get_collection(name) is not None
    assert (store._collection.name, store._collection.count()) == (name, 0)
    store.add_texts(["bar"], ids=["x"])
    assert store.similarity_search("foo") == [Document(page_content="bar", id="x")]


# ------------------------------------------------------------------------------------------------------ persistence


@pytest.mark.parametrize("settings", [False, True], ids=["plain", "with client settings"])
def test_a_directory_keeps_the_store(store_class: type[Chroma], tmp_path: Path, settings: bool) -> None:
    """What was written to a directory is served when the directory is opened again."""
    directory = str(tmp_path / "db")
    more = {"client_settings": Settings(anonymized_telemetry=False)} if settings else {}
    first = store_class.from_texts(
        WORDS, PositionEmbeddings(), ids=IDS, collection_name="kept", persist_directory=directory, **more
    )
    assert first.similarity_search("foo", k=1) == [Document(page_content="foo", id="id_0")]
    assert os.path.exists(directory)
    first._client.close()
    second = store_class(
        collection_name="kept", embedding_function=PositionEmbeddings(), persist_directory=directory, **more
    )
    try:
        assert second.similarity_search("foo", k=1) == [Document(page_content="foo", id="id_0")]
        assert second.similarity_search("foo", k=3) == [
            Document(page_content=word, id=id_) for word, id_ in zip(WORDS, IDS, strict=True)
        ]
        second.delete_collection()
    finally:
        second._client.close()


def test_two_stores_of_one_process_see_each_others_writes(store_class: type[Chroma], persistent_client: Any) -> None:
    """A store opened beside another on the same directory reads what the other writes and deletes."""
    stores = [
        store_class(client=persistent_client, collection_name="shared", embedding_function=LexicalEmbeddings())
        for _ in range(2)
    ]
    stores[0].add_texts(WORDS, ids=IDS)
    assert [d.id for d in stores[1].similarity_search("foo", k=1)] == ["id_0"]
    stores[1].add_texts(["quux"], ids=["id_3"])
    stores[0].delete(["id_0"])
    for store in stores:
        assert set(store.get()["ids"]) == {"id_1", "id_2", "id_3"}
        assert {d.id for d in store.similarity_search("quux", k=9)} == {"id_1", "id_2", "id_3"}


# ---------------------------------------------------------------------------------------------------------- images


@pytest.fixture
def pictures(tmp_path: Path) -> list[str]:
    """Three small files that stand for pictures."""
    contents = [b"\x89PNG\r\n\x1a\n first", b"\xff\xd8\xff\xe0 second", b"RIFF\x00\x00 third WEBP"]
    paths = [tmp_path / name for name in ("a.png", "b.jpg", "c.webp")]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content)
    return [str(path) for path in paths]


def test_encode_image_is_base64(store_class: type[Chroma], pictures: list[str]) -> None:
    """`encode_image` gives the file's bytes in base64, without an instance."""
    for uri in pictures:
        assert base64.b64decode(store_class.encode_image(uri)) == Path(uri).read_bytes()
    with pytest.raises(FileNotFoundError):
        store_class.encode_image(pictures[0] + ".missing")


@pytest.mark.parametrize("metadatas", [None, [{"n": 0}, {"n": 1}, {"n": 2}], [{"n": 0}], [{}, {"n": 1}, {}]], ids=str)
def test_images_are_stored_and_found_by_image(new_store: Filled, pictures: list[str], metadatas: Any) -> None:
    """A picture is found by itself, as base64 text with its own metadata."""
    store = new_store(ImageEmbeddings())
    ids = store.add_images(pictures, metadatas=metadatas, ids=["a", None, "c"])
    assert ids[0] == "a"
    assert ids[2] == "c"
    assert len(set(ids)) == 3
    padded = [*(metadatas or []), {}, {}, {}]
    for n, uri in enumerate(pictures):
        [found] = store.similarity_search_by_image(uri, k=1)
        assert found == Document(page_content=store.encode_image(uri), metadata=padded[n], id=ids[n])
    assert store._collection.count() == 3


def test_image_search_with_scores_is_stocks(new_store: Filled, pictures: list[str]) -> None:
    """A search by picture with scores gives distances, or fails as stock 1.1 does on its nested vector."""
    store = new_store(ImageEmbeddings())
    store.add_images(pictures, ids=["a", "b", "c"])
    try:
        found = store.similarity_search_by_image_with_relevance_score(pictures[1], k=1)
    except ValueError:
        return
    assert [(document.id, pytest.approx(score, abs=1e-6)) for document, score in found] == [("b", 0.0)]


def test_image_search_needs_an_image_embedding(new_store: Filled, pictures: list[str]) -> None:
    """Without an embedding for images a search by image is an error."""
    store = new_store()
    for call in (store.similarity_search_by_image, store.similarity_search_by_image_with_relevance_score):
        with pytest.raises(ValueError, match="must support image embedding"):
            call(pictures[0])


# --------------------------------------------------------------------------------------- what local Chroma lacks


def test_fork_is_refused_by_local_chroma(filled: Filled) -> None:
    """Local Chroma cannot fork; the error is Chroma's."""
    with pytest.raises(NotImplementedError):
        filled().fork("forked")


def test_hybrid_search_is_refused_by_local_chroma(filled: Filled) -> None:
    """Local Chroma has no hybrid search; the error is Chroma's."""
    query = PositionEmbeddings().embed_query("foo")
    with pytest.raises(NotImplementedError):
        filled().hybrid_search(Search().rank(Knn(query=query)).limit(3).select(K.DOCUMENT, K.SCORE))


# ---------------------------------------------------------------------------------------------- without embeddings


def test_without_embeddings_mmr_and_update_are_refused(
    store_class: type[Chroma], client: Any, collection_name: str
) -> None:
    """Without an embedding function MMR by text and updates say that they need one."""
    store = store_class(client=client, collection_name=collection_name)
    assert store.embeddings is None
    with pytest.raises(ValueError, match="embedding function"):
        store.max_marginal_relevance_search("foo")
    with pytest.raises(ValueError, match="embedding function"):
        store.update_documents(["x"], [Document(page_content="foo", metadata={"a": 1})])
    with pytest.raises(ValueError, match="embedding function"):
        store.update_document("x", Document(page_content="foo", metadata={"a": 1}))
    store.delete_collection()


def test_without_embeddings_vectors_can_be_searched(
    store_class: type[Chroma], client: Any, collection_name: str
) -> None:
    """Without an embedding function a search by vector works on what is there."""
    client.create_collection(collection_name).add(
        ids=["x", "y"], documents=["foo", "bar"], embeddings=[[0.0, 1.0], [1.0, 0.0]]
    )
    store = store_class(client=client, collection_name=collection_name)
    assert store.similarity_search_by_vector([1.0, 0.1], k=1) == [Document(page_content="bar", id="y")]
    assert [d.id for d in store.max_marginal_relevance_search_by_vector([1.0, 0.1], k=1)] == ["y"]
    store.delete_collection()


def test_without_embeddings_chromas_own_are_used(
    store_class: type[Chroma], client: Any, collection_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without an embedding function texts and queries are embedded by the collection's own, as in stock."""
    from chromadb.utils.embedding_functions import DefaultEmbeddingFunction

    lexical = LexicalEmbeddings()
    embedded: list[str] = []

    def embed(_: Any, input: list[str]) -> list[np.ndarray]:
        embedded.extend(input)
        return [np.asarray(vector, dtype=np.float32) for vector in lexical.embed_documents(list(input))]

    monkeypatch.setattr(DefaultEmbeddingFunction, "__call__", embed)
    store = store_class(client=client, collection_name=collection_name)
    store.add_texts(WORDS, ids=IDS)
    assert embedded == WORDS
    assert store.similarity_search("bar", k=1) == [Document(page_content="bar", id="id_1")]
    assert embedded == [*WORDS, "bar"]
    store.delete_collection()


# ------------------------------------------------------------------------------------------------------- retrievers


def test_retriever_refuses_what_it_cannot_do(filled: Filled) -> None:
    """A search type that doesn't exist, and a threshold search without a threshold, are errors at once."""
    store = filled()
    with pytest.raises(ValueError, match="not allowed"):
        store.as_retriever(search_type="telepathy")
    with pytest.raises(ValueError, match="score_threshold"):
        store.as_retriever(search_type="similarity_score_threshold")


# ------------------------------------------------------------------------------------------------------ async twins


@pytest.fixture
async def async_store(store_class: type[Chroma], client: Any) -> AsyncIterator[Any]:
    """A store made by `afrom_texts`."""
    store = await store_class.afrom_texts(
        WORDS,
        PositionEmbeddings(),
        metadatas=PAGES,
        ids=IDS,
        client=client,
        collection_name=f"test-{uuid.uuid4().hex}",
        relevance_score_fn=lambda distance: 1.0 / (1.0 + distance),
    )
    yield store
    if store._chroma_collection is not None:
        store.delete_collection()


async def test_async_search_twins(async_store: Any) -> None:
    """Every asynchronous search gives what its synchronous twin gives."""
    store, vector = async_store, PositionEmbeddings().embed_query("foo")
    more: dict[str, Any] = {"k": 2, "filter": {"page": {"$ne": "1"}}}
    assert await store.asimilarity_search("foo", **more) == store.similarity_search("foo", **more)
    assert await store.asimilarity_search_with_score("foo", **more) == store.similarity_search_with_score("foo", **more)
    assert await store.asimilarity_search_by_vector(vector, **more) == store.similarity_search_by_vector(vector, **more)
    assert await store.asimilarity_search_with_relevance_scores(
        "foo", **more
    ) == store.similarity_search_with_relevance_scores("foo", **more)
    assert await store.amax_marginal_relevance_search("foo", **more) == store.max_marginal_relevance_search(
        "foo", **more
    )
    assert await store.amax_marginal_relevance_search_by_vector(
        vector, **more
    ) == store.max_marginal_relevance_search_by_vector(vector, **more)
    assert await store.asearch("foo", "similarity", **more) == store.search("foo", "similarity", **more)
    assert [d.id for d in await store.asimilarity_search("foo", k=1)] == ["id_0"]


async def test_async_writes(async_store: Any) -> None:
    """Asynchronous additions, look-ups and deletions do what the synchronous ones do."""
    store = async_store
    assert await store.aadd_texts(["qux"], metadatas=[{"page": "3"}], ids=["id_3"]) == ["id_3"]
    assert await store.aadd_documents([Document(page_content="quux", id="id_4")], batch_size=10) == ["id_4"]
    assert await store.aget_by_ids(["id_3"]) == [Document(page_content="qux", metadata={"page": "3"}, id="id_3")]
    await store.adelete(["id_3", "nowhere"])
    assert set(store.get()["ids"]) == {*IDS, "id_4"}


async def test_async_calls_may_run_together(async_store: Any) -> None:
    """Additions and searches that run at the same time all complete, and no row is lost."""
    store = async_store
    results = await asyncio.gather(
        *(store.aadd_texts([f"text {n}"], ids=[f"new_{n}"]) for n in range(10)),
        *(store.asimilarity_search("foo", k=1) for _ in range(5)),
    )
    assert results[:10] == [[f"new_{n}"] for n in range(10)]
    assert all([d.page_content for d in found] for found in results[10:])
    assert store._collection.count() == 13


# ---------------------------------------------------------------------------------------------- one beside the other


def test_fields_of_ours_never_reach_a_reader(client: Any, collection_name: str) -> None:
    """No reserved field appears in what any reader of ours gives, facts or none."""
    store = TemporalVectorStore.from_texts(
        ["The API port is 8080.", "A plain remark."], LexicalEmbeddings(), ids=["a", "b"], client=client,
        collection_name=collection_name,
    )  # fmt: skip
    seen: list[Any] = [document.metadata for document in store.similarity_search("port", k=9)]
    seen += [document.metadata for document, _ in store.similarity_search_with_vectors("port", k=9)]
    seen += [document.metadata for document in store.max_marginal_relevance_search("port", k=9)]
    seen += [document.metadata for document in store.get_by_ids(["a", "b"])]
    seen += [metadata or {} for metadata in store.get()["metadatas"]]
    seen += [metadata or {} for metadata in store._collection.peek()["metadatas"]]
    seen += [metadata or {} for metadata in store._collection.get()["metadatas"]]
    assert len(seen) == 14
    assert all(metadata == {} for metadata in seen)
    store.delete_collection()
