"""What langchain-chroma's own tests hold of `Chroma`, and what its users lean on, held for both classes.

Every test runs on stock `Chroma` and on `TemporalVectorStore`: the two give the same. The texts carry no facts,
so time plays no part here. The tables' names are the sentences that they hold.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import inspect
import os
import uuid
from collections.abc import Callable, Iterator
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


class Opener:
    """Opens stores of one class in memory, each in a collection of its own."""

    def __init__(self, store_class: type[Chroma], client: Any) -> None:
        self.store_class, self.client, self.names = store_class, client, set[str]()

    def placed(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return arguments with a client and a collection name, which is remembered."""
        arguments = {"client": self.client, "collection_name": f"test-{uuid.uuid4().hex}", **arguments}
        self.names.add(arguments["collection_name"])
        return arguments

    def __call__(self, embedding: Embeddings | None = None, **arguments: Any) -> Any:
        """Open an empty store."""
        return self.store_class(embedding_function=embedding or LexicalEmbeddings(), **self.placed(arguments))

    def filled(self, **arguments: Any) -> Any:
        """Make a store by `from_texts` with foo, bar and baz."""
        return self.store_class.from_texts(
            **self.placed({"texts": WORDS, "embedding": PositionEmbeddings(), **arguments})
        )


@pytest.fixture
def opener(store_class: type[Chroma], client: Any) -> Iterator[Opener]:
    """Open stores of each class in turn; their collections go after the test."""
    made = Opener(store_class, client)
    yield made
    for name in {collection.name for collection in client.list_collections()} & made.names:
        client.delete_collection(name)


def refusal(store: Any, *stock: type[BaseException]) -> tuple[type[BaseException], ...]:
    """Return what a refusal may be: stock's exception, or (ours) our error for bad input."""
    return stock if type(store) is Chroma else (*stock, InvalidInputError)


def doc(text: str, id_: str | None = None, **metadata: Any) -> Document:
    """Make a document."""
    return Document(page_content=text, id=id_, metadata=metadata)


def ids_of(found: list[Any]) -> list[str]:
    """Return the ids of documents, or of pairs that begin with one."""
    return [(d[0] if isinstance(d, tuple) else d).id for d in found]


def by_id(documents: list[Document]) -> list[Document]:
    """Sort documents by id."""
    return sorted(documents, key=lambda document: document.id or "")


# ------------------------------------------------------------------------------------------------- making a store


def test_from_texts_then_search_finds_the_nearest_with_an_id(opener: Opener) -> None:
    """A store made from texts returns the nearest text, with an id that the store chose."""
    [found] = opener.filled().similarity_search("foo", k=1)
    assert (found.page_content, type(found.id), bool(found.id)) == ("foo", str, True)


def test_from_texts_keeps_metadata_and_ids(opener: Opener) -> None:
    """Metadata and ids together come back with their own text; an id is made in place of each `None`."""
    assert opener.filled(metadatas=PAGES, ids=IDS).similarity_search("foo", k=1) == [doc("foo", "id_0", page="0")]
    ids = opener.filled(ids=["id_0", None, "id_2"]).get()["ids"]
    assert len(set(ids)) == 3
    assert {"id_0", "id_2"} < set(ids)


def test_from_documents_takes_ids_from_documents_and_from_the_argument(opener: Opener) -> None:
    """`from_documents` uses `Document.id`, makes one where it is missing, and prefers `ids=`."""
    documents = [doc("foo", "own"), doc("bar")]
    first, second = (
        set(opener.store_class.from_documents(documents, PositionEmbeddings(), **opener.placed(more)).get()["ids"])
        for more in ({}, {"ids": ["a", "b"]})
    )
    assert "own" in first
    assert len(first) == 2
    assert second == {"a", "b"}


def test_client_settings_alone_make_a_store_in_memory(store_class: type[Chroma]) -> None:
    """Without a name the collection is called `langchain`."""
    store = store_class(client_settings=Settings(anonymized_telemetry=False))
    assert (store._collection.name, store._collection.count()) == ("langchain", 0)
    store.delete_collection()


def test_constructor_accepts_host_and_port(store_class: type[Chroma], chroma_server: int, collection_name: str) -> None:
    """Host and port open a store on a running server, which another store then reads."""
    arguments: dict[str, Any] = {"host": "127.0.0.1", "port": chroma_server, "collection_name": collection_name}
    arguments["client_settings"] = Settings(anonymized_telemetry=False)  # Chroma changes it, so each has its own
    store = store_class.from_texts(WORDS, PositionEmbeddings(), ids=IDS, **arguments)
    second = store_class(embedding_function=PositionEmbeddings(), **arguments)
    assert second.similarity_search("foo", k=1) == [doc("foo", "id_0")]
    store.delete_collection()


async def _client() -> object:
    return object()


MISMADE: dict[str, tuple[dict[str, Any], tuple[type[Exception], ...], str]] = {
    "two kinds of client": (
        {"client": None, "persist_directory": "x", "host": "localhost"},
        (ValueError,),
        "persist_directory.*host",
    ),
    "Chroma Cloud without tenant and database": (
        {"client": None, "chroma_cloud_api_key": "none"},
        (ValueError,),
        "tenant",
    ),
    "an asynchronous client": ({"client": _client}, (AttributeError, TypeError, ValueError), ""),
    "an asynchronous client, awaited": ({"client": object()}, (AttributeError, TypeError, ValueError), ""),
    "a collection that is missing": ({"create_collection_if_not_exists": False}, (Exception,), "does not exist"),
    "a misspelt keyword": ({"embedding_funktion": None}, (TypeError, ValueError), "embedding_funktion"),
}


@pytest.mark.parametrize("name", MISMADE)
def test_a_store_that_cannot_be_made_is_refused(opener: Opener, collection_name: str, name: str) -> None:
    """Arguments that contradict each other, or don't exist, are errors at once, and no collection is made."""
    arguments, errors, match = MISMADE[name]
    arguments = {"collection_name": collection_name, **arguments}
    if arguments.get("client") is _client:
        arguments["client"] = _client()
    with pytest.raises(errors, match=match or None):
        opener(**arguments)
    if inspect.iscoroutine(arguments.get("client")):
        arguments["client"].close()
    assert collection_name not in {collection.name for collection in opener.client.list_collections()}


def test_not_creating_an_existing_collection_opens_it(opener: Opener, collection_name: str) -> None:
    """With `create_collection_if_not_exists=False` an existing collection is opened with what it holds."""
    opener.client.create_collection(collection_name).add(ids=["1"], documents=["foo"], embeddings=[[1.0] * 10])
    store = opener(PositionEmbeddings(), collection_name=collection_name, create_collection_if_not_exists=False)
    assert store.similarity_search("foo", k=1) == [doc("foo", "1")]


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
    assert store.similarity_search("foo", k=1) == [doc("foo", "id_0", page="0")]
    assert client.get_collection(collection_name).metadata["mine"] == 1
    again = store_class.from_documents([doc("qux", page="3")], PositionEmbeddings(), ["id_3"], *rest)
    assert set(again.get()["ids"]) == {*IDS, "id_3"}
    with pytest.raises(TypeError):
        store_class.from_texts(WORDS, PositionEmbeddings(), PAGES, IDS, *rest, None, None)
    store.delete_collection()


def test_methods_accept_what_stock_accepts(store_class: type[Chroma]) -> None:
    """Every public method of stock exists, and its positional parameters have stock's names and order."""

    def places(method: Any) -> list[str]:
        return [p.name for p in inspect.signature(method).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]

    for name, method in inspect.getmembers(Chroma, callable):
        if not name.startswith("_") and name not in ("from_texts", "from_documents"):
            assert places(getattr(store_class, name)) == places(method), name


def test_store_is_a_chroma(opener: Opener) -> None:
    """Code that dispatches on `isinstance(store, Chroma)` finds a Chroma, with its embeddings."""
    embedding = PositionEmbeddings()
    store = opener(embedding)
    assert isinstance(store, Chroma)
    assert store.embeddings is embedding


# ------------------------------------------------------------------------------------------------------- searching


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ({"n": 1}, ["id_1"]),
        ({"n": {"$eq": 1}}, ["id_1"]),
        ({"n": {"$ne": 1}}, ["id_0", "id_2", "id_3"]),
        ({"n": {"$gt": 0}}, ["id_1", "id_2"]),
        ({"n": {"$gte": 1}}, ["id_1", "id_2"]),
        ({"n": {"$lt": 2}}, ["id_0", "id_1"]),
        ({"n": {"$lte": 0}}, ["id_0"]),
        ({"n": {"$in": [0, 2]}}, ["id_0", "id_2"]),
        ({"n": {"$nin": [0, 2]}}, ["id_1", "id_3"]),
        ({"odd": True}, ["id_1"]),
        ({"share": {"$gt": 0.5}}, ["id_2"]),
        ({"$and": [{"n": {"$gte": 1}}, {"odd": False}]}, ["id_2"]),
        ({"$or": [{"n": 0}, {"odd": True}]}, ["id_0", "id_1"]),
        ({"$and": [{"$or": [{"n": 0}, {"n": 1}]}, {"odd": True}]}, ["id_1"]),
        ({"absent": {"$ne": "x"}}, ["id_0", "id_1", "id_2", "id_3"]),
    ],
    ids=str,
)
def test_filter_operators(opener: Opener, where: dict[str, Any], expected: list[str]) -> None:
    """Every filter operator selects the same rows in a search, in MMR and in `get`, rows without metadata included."""
    rows = [{"n": n, "odd": n == 1, "share": (n + 1) / 4} for n in range(3)]
    store = opener.filled(texts=[*WORDS, "qux"], ids=[*IDS, "id_3"], metadatas=[*rows, {}])
    assert sorted(ids_of(store.similarity_search("foo", k=10, filter=where))) == expected
    assert sorted(ids_of(store.max_marginal_relevance_search("foo", k=10, filter=where))) == expected
    assert sorted(store.get(where=where)["ids"]) == expected


VECTOR = PositionEmbeddings().embed_query("foo")
BA: dict[str, Any] = {"where_document": {"$contains": "ba"}}
SEARCHES: dict[str, list[tuple[Callable[[Any], Any], list[str]]]] = {
    "a condition on the text narrows every kind of search": [
        (lambda s: s.similarity_search_with_score("foo", **BA), ["id_1", "id_2"]),
        (lambda s: s.similarity_search("foo", where_document={"$not_contains": "ba"}), ["id_0"]),
        (lambda s: s.similarity_search("foo", where_document={"$regex": "z$"}), ["id_2"]),
        (lambda s: s.similarity_search_by_vector(VECTOR, **BA), ["id_1", "id_2"]),
        (lambda s: s.similarity_search_with_vectors("foo", **BA), ["id_1", "id_2"]),
        (lambda s: by_id(s.max_marginal_relevance_search("foo", **BA)), ["id_1", "id_2"]),
    ],
    "Chroma's own `ids=` keyword narrows a search to these rows": [
        (lambda s: s.similarity_search("foo", k=3, ids=["id_2", "id_1"]), ["id_1", "id_2"]),
    ],
    "`search` runs the search that its type names": [
        (lambda s: s.search("foo", "similarity", k=1), ["id_0"]),
        (lambda s: s.search("foo", "mmr", k=1), ["id_0"]),
    ],
    "asking for more than there is gives all of it": [(lambda s: s.similarity_search("foo", k=100), IDS)],
}


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_finds_what_it_names(opener: Opener, name: str) -> None:
    """See the names of the table."""
    store = opener.filled(ids=IDS)
    for call, expected in SEARCHES[name]:
        assert ids_of(call(store)) == expected
    assert store.get(**BA)["ids"] == ["id_1", "id_2"]


def test_searching_an_empty_store_finds_nothing(opener: Opener) -> None:
    """Every kind of search on an empty store gives an empty list."""
    store = opener()
    for search in (
        store.similarity_search,
        store.similarity_search_with_score,
        store.similarity_search_with_relevance_scores,
        store.max_marginal_relevance_search,
    ):
        assert search("foo") == []
    assert store.similarity_search_by_vector(LexicalEmbeddings().embed_query("foo")) == []
    assert store.get()["ids"] == []


def test_rows_without_a_text_are_left_out(opener: Opener, collection_name: str) -> None:
    """Rows that another program wrote without a text are passed over by every search."""
    raw = opener.client.create_collection(collection_name)
    vectors = [[1.0] * 9 + [float(n)] for n in range(3)]
    raw.add(ids=["1", "2"], embeddings=vectors[:2], metadatas=[{"key": "1"}, {"key": "2"}])
    raw.add(ids=["3"], embeddings=vectors[2:], documents=["text"], metadatas=[{"key": "3"}])
    store = opener(PositionEmbeddings(), collection_name=collection_name)
    for search in (
        store.similarity_search,
        store.similarity_search_with_score,
        store.similarity_search_with_vectors,
    ):
        assert ids_of(search("x")) == ["3"]
    assert ids_of(store.get_by_ids(["1", "3"])) == ["3"]
    assert set(store.get()["ids"]) == {"1", "2", "3"}


# ------------------------------------------------------------------------------------------------ relevance scores


@pytest.mark.parametrize("space", ["cosine", "l2", "ip"])
@pytest.mark.parametrize("by", ["collection_configuration", "collection_metadata"])
def test_relevance_scores_follow_the_distance(opener: Opener, space: str, by: str) -> None:
    """Relevance is computed by the collection's distance, whichever way that was configured."""
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


def test_custom_relevance_function(opener: Opener) -> None:
    """A relevance function given to `from_texts` replaces the built-in one."""
    l2 = {"hnsw:space": "l2"}
    store = opener.filled(metadatas=PAGES, ids=IDS, relevance_score_fn=lambda d: d * 0, collection_metadata=l2)
    expected = [(doc(word, id_, **page), 0.0) for word, page, id_ in zip(WORDS, PAGES, IDS, strict=True)]
    assert store.similarity_search_with_relevance_scores("foo", k=3) == expected


# ---------------------------------------------------------------------------------------- writing, step by step

ANY: Any = ...
TYPED = {"s": "x", "i": 2**62 + 1, "f": 0.5, "t": True, "e": "", "neg": -3}
REMARK = ["A plain remark."]
XZ = ["x", None, "z"]
THREE = [doc("foo", "0"), doc("bar", "1", baz=1), doc("qux", "2")]
STEPS: dict[str, list[tuple[Callable[[Any], Any], Any]]] = {
    "`add_texts` returns one id for each text, in order: the caller's, or new ones in place of `None`": [
        (lambda s: [(i if len(i) == 1 else type(i), s.get(i)["documents"]) for i in s.add_texts(WORDS, ids=XZ)],
         [("x", ["foo"]), (str, ["bar"]), ("z", ["baz"])]),
        (lambda s: len(set(s.add_texts(["one", "two"]))), 2),
        (lambda s: (len(set(s.get()["ids"])), s._collection.count()), (5, 5)),
    ],
    "texts that are equal word for word are separate rows with separate ids": [
        (lambda s: len({*s.add_texts(REMARK * 3), *s.add_texts(REMARK)}), 4),
        (lambda s: s._collection.count(), 4),
    ],
    "documents with and without metadata in one call keep their own, and their ids in order": [
        (lambda s: s.add_documents(THREE), ["0", "1", "2"]),
        (lambda s: by_id(s.similarity_search("foo bar")), THREE),
    ],
    "`ids=` of `add_documents` is used in place of the documents' own ids": [
        (lambda s: s.add_documents([doc("foo", "own")], ids=["given"]), ["given"]),
        (lambda s: s.get()["ids"], ["given"]),
    ],
    "texts beyond the end of `metadatas` get none": [
        (lambda s: s.add_texts(WORDS, metadatas=[{"page": "0"}], ids=IDS), IDS),
        (lambda s: sorted(zip(s.get(IDS)["ids"], s.get(IDS)["metadatas"], strict=True)),
         [("id_0", {"page": "0"}), ("id_1", None), ("id_2", None)]),
    ],
    **{f"{metadata} is no metadata": [
        (lambda s, m=metadata: s.add_texts(["foo"], metadatas=[m], ids=["x"]), ["x"]),  # type: ignore[misc]
        (lambda s: s.get("x")["metadatas"], [None]),
        (lambda s: s.similarity_search("foo"), [doc("foo", "x")]),
    ] for metadata in (None, {}, {"only": None})},
    "metadata values come back as they went in, and of the same type; `None` is left out": [
        (lambda s: s.add_texts(["foo"], metadatas=[{**TYPED, "n": None}], ids=["x"]), ["x"]),
        (lambda s: [sorted((k, v, type(v).__name__) for k, v in d.metadata.items()) for d in s.similarity_search("f")],
         [sorted((k, v, type(v).__name__) for k, v in TYPED.items())]),
    ],
    "adding an id again replaces its text and vector; metadata fields that aren't given again survive, as in stock": [
        (lambda s: s.add_texts(["first words"], metadatas=[{"a": 1, "b": 1}], ids=["x"]), ["x"]),
        (lambda s: s.add_texts(["other matter"], metadatas=[{"b": 2, "c": 2}], ids=["x"]), ["x"]),
        (lambda s: s.similarity_search("other matter"), [doc("other matter", "x", a=1, b=2, c=2)]),
        (lambda s: s.add_texts(["third text"], ids=["x"]), ["x"]),
        (lambda s: [(d, round(score, 5)) for d, score in s.similarity_search_with_score("third text")],
         [(doc("third text", "x", a=1, b=2, c=2), 0.0)]),
        (lambda s: s._collection.count(), 1),
    ],
    **{f"a text comes back as it was: {text[:30]!a}": [
        (lambda s, t=text: s.add_texts([t], ids=["x"]), ["x"]),  # type: ignore[misc]
        (lambda s, t=text: s.similarity_search(t or "anything"), [doc(text, "x")]),  # type: ignore[misc]
    ] for text in ("", "héllo wörld", "数据库的端口", "🚢 ahoy 👩‍👩‍👧", "a\x00b", "  spaces \n\t kept ", "x" * 20_000)},
    "`update_documents` changes each document under its own id and leaves the others": [
        (lambda s: s.add_texts(WORDS, metadatas=PAGES, ids=IDS), IDS),
        (lambda s: s.update_documents(["id_2", "id_0"], [doc("qux", page="9"), doc("quux", extra=1)]), None),
        (lambda s: by_id(s.get_by_ids(IDS)),
         [doc("quux", "id_0", page="0", extra=1), doc("bar", "id_1", page="1"), doc("qux", "id_2", page="9")]),
        (lambda s: s._collection.count(), 3),
    ],
    "updating an id that doesn't exist changes nothing": [
        (lambda s: s.add_texts(["foo"], metadatas=[{"page": "0"}], ids=["x"]), ["x"]),
        (lambda s: s.update_document("nowhere", doc("bar", page="1")), None),
        (lambda s: s.get()["ids"], ["x"]),
        (lambda s: s.get_by_ids(["x"]), [doc("foo", "x", page="0")]),
    ],
    "`delete` by text deletes what matches, and ids with a condition only what meets both": [
        (lambda s: s.add_texts(WORDS, metadatas=PAGES, ids=IDS), IDS),
        (lambda s: s.delete(ids=IDS, where={"page": "1"}), ANY),
        (lambda s: s.get()["ids"], ["id_0", "id_2"]),
        (lambda s: s.delete(where_document={"$contains": "baz"}), ANY),
        (lambda s: s.get()["ids"], ["id_0"]),
    ],
    "an id is free again after its deletion, and nothing of the old row comes back": [
        (lambda s: s.add_texts(["foo"], metadatas=[{"page": "0"}], ids=["x"]), ["x"]),
        (lambda s: s.delete(["x"]), ANY),
        (lambda s: s.add_texts(["bar"], ids=["x"]), ["x"]),
        (lambda s: s.similarity_search("foo"), [doc("bar", "x")]),
        (lambda s: s.get("x")["metadatas"], [None]),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", STEPS)
def test_a_store_that_was_written_to_answers_so(opener: Opener, name: str) -> None:
    """See the names of the table: each step is a call and what it returns."""
    store = opener()
    for call, expected in STEPS[name]:
        found = call(store)
        assert expected is ANY or found == expected


def test_add_documents_leaves_the_callers_objects_alone(opener: Opener) -> None:
    """Neither documents nor the caller's lists and dictionaries are changed by adding them."""
    store = opener()
    documents = [doc("foo", a=1), doc("bar")]
    store.add_documents(documents)
    assert documents == [doc("foo", a=1), doc("bar")]
    texts, metadatas, ids = ["foo", "bar"], [{"a": 1}, {}], ["x", None]
    store.add_texts(texts, metadatas=metadatas, ids=ids)
    assert (texts, metadatas, ids) == (["foo", "bar"], [{"a": 1}, {}], ["x", None])


def test_metadata_may_hold_lists(store_class: type[Chroma], persistent_client: Any) -> None:
    """A list in metadata comes back as a list and can be filtered by what it contains.

    In a directory of its own: Chroma 1.5.9 leaves the lists of deleted rows behind and gives them to later rows.
    """
    store = store_class(client=persistent_client, collection_name="lists", embedding_function=PositionEmbeddings())
    tags = [{"tags": ["red", "blue"]}, {"tags": ["green"], "n": 1}, {"tags": ["red"]}]
    store.add_texts(WORDS, metadatas=tags, ids=IDS)
    found = store.similarity_search("foo", k=3, filter={"tags": {"$contains": "red"}})
    assert [(d.id, d.metadata) for d in found] == [("id_0", tags[0]), ("id_2", tags[2])]


def test_an_empty_call_writes_nothing(opener: Opener) -> None:
    """Adding an empty list writes nothing: it gives no ids, or is refused as stock refuses it."""
    store = opener()
    for call in (store.add_texts, store.add_documents):
        with contextlib.suppress(ValueError):
            assert call([]) == []
    assert store._collection.count() == 0


# -------------------------------------------------------------------------------------------------- what is refused

REFUSED: dict[str, tuple[Callable[[Any], Any], tuple[type[Exception], ...], str]] = {
    **{f"a filter that Chroma cannot read: {where}": (
        lambda s, w=where: s.similarity_search("foo", filter=w), (ValueError,), ""  # type: ignore[misc]
    ) for where in ({}, {"a": 1, "b": 2}, {"$and": [{"a": 1}]}, {"a": {"$almost": 1}})},
    **{f"{k} results": (lambda s, k=k: s.similarity_search("foo", k=k), (TypeError,), "") for k in (0, -1)},  # type: ignore[misc]
    "a keyword that Chroma's query doesn't know": (
        lambda s: s.similarity_search("foo", filtre={"page": "0"}), (TypeError,), "filtre"),
    "a type of search that there isn't": (lambda s: s.search("foo", "telepathy"), (ValueError,), "search_type"),
    "a column that there isn't": (lambda s: s.get(include=["nonsense"]), (ValueError,), "nonsense"),
    **{f"metadata that cannot be stored: {name}": (
        lambda s, v=value: s.add_texts(["foo", "bar"], metadatas=[{"page": "0"}, {"bad": v}]), (ValueError,), ""  # type: ignore[misc]
    ) for name, value in {"a dictionary": {"nested": 1}, "an object": object(), "an empty list": []}.items()},
    "nested metadata, and the error says how to filter it": (
        lambda s: s.add_documents([doc("foo", bad={"nested": 1})]), (ValueError,), "filter_complex_metadata"),
    "an id twice in a call, and the error names it": (
        lambda s: s.add_texts(WORDS, ids=["once", "twice", "twice"]), (ChromaError,), "twice"),
    "fewer ids than texts": (lambda s: s.add_texts(WORDS, ids=["x"]), (ValueError,), ""),
    "more ids than texts": (lambda s: s.add_texts(WORDS, ids=["x", "y", "z", "w"]), (ValueError,), ""),
    "a deletion without ids or condition": (lambda s: s.delete(), (ValueError,), ""),
    "a search by image without an embedding for images": (
        lambda s: s.similarity_search_by_image(__file__), (ValueError,), "must support image embedding"),
    "a search by image with scores without one": (
        lambda s: s.similarity_search_by_image_with_relevance_score(__file__), (ValueError,), "must support image"),
    "a picture that isn't there": (lambda s: s.encode_image(__file__ + ".missing"), (FileNotFoundError,), ""),
    "a fork, which local Chroma lacks": (lambda s: s.fork("forked"), (NotImplementedError,), ""),
    "a hybrid search, which local Chroma lacks": (
        lambda s: s.hybrid_search(Search().rank(Knn(query=VECTOR)).limit(3).select(K.DOCUMENT, K.SCORE)),
        (NotImplementedError,), ""),
    "a retriever of a type that there isn't": (
        lambda s: s.as_retriever(search_type="telepathy"), (ValueError,), "not allowed"),
    "a retriever by threshold without one": (
        lambda s: s.as_retriever(search_type="similarity_score_threshold"), (ValueError,), "score_threshold"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_stock_refuses_is_refused(opener: Opener, name: str) -> None:
    """What cannot be done is an error, stock's or ours for bad input, and nothing is written or deleted."""
    call, errors, match = REFUSED[name]
    store = opener.filled(ids=IDS, metadatas=PAGES)
    with pytest.raises(refusal(store, *errors), match=match or None):
        call(store)
    assert store.get()["ids"] == IDS


def test_deleting_an_empty_list_deletes_nothing(opener: Opener) -> None:
    """An empty list of ids is refused or does nothing, as in stock."""
    store = opener.filled()
    with contextlib.suppress(ValueError):
        store.delete(ids=[])
    assert store._collection.count() == 3


# ---------------------------------------------------------------------------- what stock cannot, though it should


def test_get_by_ids_without_metadata(client: Any) -> None:
    """Documents without metadata can be fetched by id (stock hands Chroma's `None` to Document, which refuses it)."""
    store = Opener(TemporalVectorStore, client).filled(ids=IDS)
    assert store.get_by_ids(["id_1"]) == [doc("bar", "id_1")]
    store.delete_collection()


def test_texts_may_come_from_a_generator_without_ids(client: Any) -> None:
    """Texts may be any iterable, which is read once, also without ids (stock uses it up while it makes ids)."""
    store = Opener(TemporalVectorStore, client)()
    ids = store.add_texts(word for word in WORDS)
    assert store.get(ids)["documents"] == WORDS
    assert store.add_documents(Document(page_content=word) for word in WORDS) is not None
    assert store._collection.count() == 6
    store.delete_collection()


def test_add_texts_beyond_chromas_batch(client: Any) -> None:
    """More texts than Chroma takes in one batch go in by `add_texts`, ids in order (stock's doesn't split them)."""
    count = MAX_BATCH + 100
    store = Opener(TemporalVectorStore, client)(DeterministicFakeEmbedding(size=8))
    ids = store.add_texts([f"text {n}" for n in range(count)], metadatas=[{"n": n} for n in range(count)])
    assert len(set(ids)) == count
    assert store._collection.count() == count
    assert len(store.get()["ids"]) == count
    assert store.get(ids[-1])["documents"] == [f"text {count - 1}"]
    store.delete_collection()


# ---------------------------------------------------------------------------------------------------------- update


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
    place: dict[str, Any] = {"client": used, "collection_name": collection_name}
    store = store_class.from_texts(["A test document"] * 300, DeterministicFakeEmbedding(size=8), ids=ids, **place)
    store.update_documents(ids[:290], [doc("A new test document", doc_id=f"{n}") for n in range(290)])
    answer = store.get()
    rows = dict(zip(answer["ids"], zip(answer["documents"], answer["metadatas"], strict=True), strict=True))
    assert rows == {
        **{ids[n]: ("A new test document", {"doc_id": f"{n}"}) for n in range(290)},
        **{ids[n]: ("A test document", None) for n in range(290, 300)},
    }
    store.delete_collection()


@pytest.mark.parametrize("id_in", ["argument", "document"])
def test_update_document_replaces_text_and_vector(opener: Opener, id_in: str) -> None:
    """`update_document` replaces text and vector under the id, whether it came by argument or in the document."""
    embedding = LexicalEmbeddings()
    own = "doc1" if id_in == "document" else None
    place = opener.placed({} if own else {"ids": ["doc1"]})
    store = opener.store_class.from_documents([doc("foo", own, page="0")], embedding, **place)
    before = store._collection.peek()
    assert before["ids"] == ["doc1"]
    store.update_document("doc1", doc("updated foo", own, page="0"))
    after = store._collection.peek()
    assert store.similarity_search("updated foo", k=1) == [doc("updated foo", "doc1", page="0")]
    assert np.allclose(after["embeddings"][0], embedding.embed_query("updated foo"), atol=1e-6)
    assert not np.allclose(after["embeddings"][0], before["embeddings"][0])


# -------------------------------------------------------------------------------------------- the collection itself


def test_delete_collection_leaves_an_unusable_store(opener: Opener) -> None:
    """After `delete_collection` the collection is gone, and the store says so until it is reset."""
    store = opener()
    name = store._collection.name
    assert store._client.get_collection(name) is not None
    store.delete_collection()
    assert store._chroma_collection is None
    with pytest.raises(Exception, match="does not exist"):
        store._client.get_collection(name)
    for call in (
        lambda: store._collection,
        lambda: store.similarity_search("foo"),
        lambda: store.add_texts(["foo"]),
        lambda: store.get(),
        lambda: store.delete(["x"]),
        lambda: store.delete_collection(),
    ):
        with pytest.raises(ValueError, match="Chroma collection not initialized"):
            call()


def test_reset_collection_empties(opener: Opener) -> None:
    """`reset_collection` leaves an empty collection of the same name, ready for use."""
    store = opener()
    store.add_documents([doc("foo")])
    name = store._collection.name
    assert store._collection.count() == 1
    store.reset_collection()
    assert store._chroma_collection is not None
    assert store._client.get_collection(name) is not None
    assert (store._collection.name, store._collection.count()) == (name, 0)
    store.add_texts(["bar"], ids=["x"])
    assert store.similarity_search("foo") == [doc("bar", "x")]


@pytest.mark.parametrize("settings", [False, True], ids=["plain", "with client settings"])
def test_a_directory_keeps_the_store(store_class: type[Chroma], tmp_path: Path, settings: bool) -> None:
    """What was written to a directory is served when the directory is opened again."""
    directory = str(tmp_path / "db")
    more: dict[str, Any] = {"collection_name": "kept", "persist_directory": directory}
    more |= {"client_settings": Settings(anonymized_telemetry=False)} if settings else {}
    first = store_class.from_texts(WORDS, PositionEmbeddings(), ids=IDS, **more)
    assert first.similarity_search("foo", k=1) == [doc("foo", "id_0")]
    assert os.path.exists(directory)
    first._client.close()
    second = store_class(embedding_function=PositionEmbeddings(), **more)
    try:
        expected = [doc(word, id_) for word, id_ in zip(WORDS, IDS, strict=True)]
        assert second.similarity_search("foo", k=3) == expected
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
    assert ids_of(stores[1].similarity_search("foo", k=1)) == ["id_0"]
    stores[1].add_texts(["quux"], ids=["id_3"])
    stores[0].delete(["id_0"])
    for store in stores:
        assert set(store.get()["ids"]) == {"id_1", "id_2", "id_3"}
        assert set(ids_of(store.similarity_search("quux", k=9))) == {"id_1", "id_2", "id_3"}


# ---------------------------------------------------------------------------------------------------------- images


@pytest.fixture
def pictures(tmp_path: Path) -> list[str]:
    """Three small files that stand for pictures."""
    contents = [b"\x89PNG\r\n\x1a\n first", b"\xff\xd8\xff\xe0 second", b"RIFF\x00\x00 third WEBP"]
    paths = [tmp_path / name for name in ("a.png", "b.jpg", "c.webp")]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content)
    return [str(path) for path in paths]


@pytest.mark.parametrize("metadatas", [None, [{"n": 0}, {"n": 1}, {"n": 2}], [{"n": 0}], [{}, {"n": 1}, {}]], ids=str)
def test_images_are_stored_and_found_by_image(opener: Opener, pictures: list[str], metadatas: Any) -> None:
    """A picture is found by itself, as the base64 text of its bytes with its own metadata."""
    store = opener(ImageEmbeddings())
    ids = store.add_images(pictures, metadatas=metadatas, ids=["a", None, "c"])
    assert (ids[0], ids[2], len(set(ids))) == ("a", "c", 3)
    padded = [*(metadatas or []), {}, {}, {}]
    for n, uri in enumerate(pictures):
        [found] = store.similarity_search_by_image(uri, k=1)
        encoded = opener.store_class.encode_image(uri)
        assert found == Document(page_content=encoded, metadata=padded[n], id=ids[n])
        assert base64.b64decode(encoded) == Path(uri).read_bytes()
    assert store._collection.count() == 3


def test_image_search_with_scores_is_stocks(opener: Opener, pictures: list[str]) -> None:
    """A search by picture with scores gives distances, or fails as stock 1.1 does on its nested vector."""
    store = opener(ImageEmbeddings())
    store.add_images(pictures, ids=["a", "b", "c"])
    try:
        found = store.similarity_search_by_image_with_relevance_score(pictures[1], k=1)
    except ValueError:
        return
    assert [(document.id, pytest.approx(score, abs=1e-6)) for document, score in found] == [("b", 0.0)]


# ---------------------------------------------------------------------------------------------- without embeddings


def test_without_embeddings_mmr_and_update_are_refused(opener: Opener) -> None:
    """Without an embedding function MMR by text and updates say that they need one."""
    store = opener.store_class(**opener.placed({}))
    assert store.embeddings is None
    for call in (
        lambda: store.max_marginal_relevance_search("foo"),
        lambda: store.update_documents(["x"], [doc("foo", a=1)]),
        lambda: store.update_document("x", doc("foo", a=1)),
    ):
        with pytest.raises(ValueError, match="embedding function"):
            call()


def test_without_embeddings_vectors_can_be_searched(opener: Opener, collection_name: str) -> None:
    """Without an embedding function a search by vector works on what is there."""
    raw = opener.client.create_collection(collection_name)
    raw.add(ids=["x", "y"], documents=["foo", "bar"], embeddings=[[0.0, 1.0], [1.0, 0.0]])
    store = opener.store_class(**opener.placed({"collection_name": collection_name}))
    assert store.similarity_search_by_vector([1.0, 0.1], k=1) == [doc("bar", "y")]
    assert ids_of(store.max_marginal_relevance_search_by_vector([1.0, 0.1], k=1)) == ["y"]


def test_without_embeddings_chromas_own_are_used(opener: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an embedding function texts and queries are embedded by the collection's own, as in stock."""
    from chromadb.utils.embedding_functions import DefaultEmbeddingFunction

    embedded: list[str] = []

    def embed(_: Any, input: list[str]) -> list[np.ndarray]:
        embedded.extend(input)
        vectors = LexicalEmbeddings().embed_documents(list(input))
        return [np.asarray(vector, dtype=np.float32) for vector in vectors]

    monkeypatch.setattr(DefaultEmbeddingFunction, "__call__", embed)
    store = opener.store_class(**opener.placed({}))
    store.add_texts(WORDS, ids=IDS)
    assert embedded == WORDS
    assert store.similarity_search("bar", k=1) == [doc("bar", "id_1")]
    assert embedded == [*WORDS, "bar"]


# ------------------------------------------------------------------------------------------------------ async twins


@pytest.fixture
async def async_store(opener: Opener) -> Any:
    """A store made by `afrom_texts`."""
    place = opener.placed({"metadatas": PAGES, "ids": IDS, "relevance_score_fn": lambda d: 1.0 / (1.0 + d)})
    return await opener.store_class.afrom_texts(WORDS, PositionEmbeddings(), **place)


@pytest.mark.parametrize(
    ("method", "asked"),
    [
        ("similarity_search", ("foo",)),
        ("similarity_search_with_score", ("foo",)),
        ("similarity_search_by_vector", (VECTOR,)),
        ("similarity_search_with_relevance_scores", ("foo",)),
        ("max_marginal_relevance_search", ("foo",)),
        ("max_marginal_relevance_search_by_vector", (VECTOR,)),
        ("search", ("foo", "similarity")),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_async_search_twins(async_store: Any, method: str, asked: tuple[Any, ...]) -> None:
    """Every asynchronous search gives what its synchronous twin gives."""
    more: dict[str, Any] = {"k": 2, "filter": {"page": {"$ne": "1"}}}
    found = await getattr(async_store, f"a{method}")(*asked, **more)
    assert found == getattr(async_store, method)(*asked, **more)
    assert set(ids_of(found)) == {"id_0", "id_2"}


async def test_async_writes(async_store: Any) -> None:
    """Asynchronous additions, look-ups and deletions do what the synchronous ones do."""
    store = async_store
    assert await store.aadd_texts(["qux"], metadatas=[{"page": "3"}], ids=["id_3"]) == ["id_3"]
    assert await store.aadd_documents([doc("quux", "id_4")], batch_size=10) == ["id_4"]
    assert await store.aget_by_ids(["id_3"]) == [doc("qux", "id_3", page="3")]
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


def test_fields_of_ours_never_reach_a_reader(client: Any) -> None:
    """No reserved field appears in what any reader of ours gives, facts or none."""
    texts = ["The API port is 8080.", "A plain remark."]
    store = Opener(TemporalVectorStore, client).filled(texts=texts, embedding=LexicalEmbeddings(), ids=["a", "b"])
    seen: list[Any] = [document.metadata for document in store.similarity_search("port", k=9)]
    seen += [document.metadata for document, _ in store.similarity_search_with_vectors("port", k=9)]
    seen += [document.metadata for document in store.max_marginal_relevance_search("port", k=9)]
    seen += [document.metadata for document in store.get_by_ids(["a", "b"])]
    for found in (store.get(), store._collection.peek(), store._collection.get()):
        seen += [metadata or {} for metadata in found["metadatas"]]
    assert seen == [{}] * 14
    store.delete_collection()
