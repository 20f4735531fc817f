"""What is written to a store of stock's class, or of ours, how it is changed and emptied, and what is refused."""

import base64
import contextlib
import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from chromadb import K, Knn, Search
from chromadb.api.types import DefaultEmbeddingFunction
from chromadb.errors import ChromaError
from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding

from memstrata_integrations.langchain import TemporalVectorStore

from .lexical import ForChroma, LexicalEmbeddings
from .openers import IDS, PAGES, VECTOR, WORDS, Opener, PositionEmbeddings, by_id, doc, ids_of, refusal


class ImageEmbeddings(LexicalEmbeddings):
    def embed_image(self, uris: list[str]) -> list[list[float]]:
        return [self.embed_query(Path(uri).read_bytes().hex(" ")) for uri in uris]


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
    **{f"`update_document` replaces text and vector under the id, which the document names too or not: {own}": [
        (lambda s: s.add_texts(["first words"], metadatas=[{"page": "0"}], ids=["x"]), ["x"]),
        (lambda s, own=own: s.update_document("x", doc("other matter", own, page="1")), None),  # type: ignore[misc]
        (lambda s: [(d, round(score, 5)) for d, score in s.similarity_search_with_score("other matter")],
         [(doc("other matter", "x", page="1"), 0.0)]),
    ] for own in (None, "x")},
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
    "`reset_collection` leaves an empty collection of the same name, ready for use": [
        (lambda s: s.add_documents([doc("foo", "x")]), ["x"]), (lambda s: s.reset_collection(), None),
        (lambda s: (s._collection.name == s._collection_name, s._collection.count()), (True, 0)),
        (lambda s: s.add_texts(["bar"], ids=["x"]), ["x"]), (lambda s: s.similarity_search("foo"), [doc("bar", "x")]),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", STEPS)
def test_a_store_that_was_written_to_answers_so(opener: Opener, name: str) -> None:
    store = opener()
    for call, expected in STEPS[name]:
        found = call(store)
        assert expected is ANY or found == expected


def test_add_documents_leaves_the_callers_objects_alone(opener: Opener) -> None:
    documents, columns = [doc("foo", a=1), doc("bar")], [["foo", "bar"], [{"a": 1}, {}], ["x", None]]
    before = copy.deepcopy((documents, columns))
    store = opener()
    store.add_documents(documents)
    store.add_texts(*columns)
    assert (documents, columns) == before


def test_metadata_may_hold_lists(store_class: type[Chroma], persistent_client: Any) -> None:
    """A list in metadata comes back as a list and can be filtered by what it contains.

    In a directory of its own: Chroma 1.5.9 leaves the lists of deleted rows behind and gives them to later rows.
    """
    store = store_class(client=persistent_client, collection_name="lists", embedding_function=PositionEmbeddings())
    tags = [{"tags": ["red", "blue"]}, {"tags": ["green"], "n": 1}, {"tags": ["red"]}]
    store.add_texts(WORDS, metadatas=tags, ids=IDS)
    found = store.similarity_search("foo", k=3, filter={"tags": {"$contains": "red"}})
    assert [(d.id, d.metadata) for d in found] == [("id_0", tags[0]), ("id_2", tags[2])]


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
    call, errors, match = REFUSED[name]
    store = opener.filled(ids=IDS, metadatas=PAGES)
    with pytest.raises(refusal(store, *errors), match=match or None):
        call(store)
    assert store.get()["ids"] == IDS


def test_an_empty_list_writes_and_deletes_nothing(opener: Opener) -> None:
    """It gives no ids, or is refused as stock refuses it."""
    store = opener.filled()
    for call in (store.add_texts, store.add_documents, lambda nothing: store.delete(ids=nothing)):
        with contextlib.suppress(ValueError):
            assert call([]) in ([], None)
    assert store._collection.count() == 3


def test_what_stock_cannot_do(client: Any) -> None:
    """Documents without metadata are fetched by id, and texts may be any iterable, read once, also without ids.

    Stock hands Chroma's `None` to Document, which refuses it, and uses the iterable up while it makes ids.
    """
    opener = Opener(TemporalVectorStore, client)
    assert opener.filled(ids=IDS).get_by_ids(["id_1"]) == [doc("bar", "id_1")]
    store = opener()
    assert store.get(store.add_texts(word for word in WORDS))["documents"] == WORDS
    assert store.add_documents(Document(page_content=word) for word in WORDS) is not None
    assert store._collection.count() == 6
    opener.close()


@pytest.mark.parametrize("which", ["client", "http_client"])
def test_a_large_update_is_split(store_class: Any, request: Any, monkeypatch: Any, which: str) -> None:
    opener = Opener(store_class, request.getfixturevalue(which))
    monkeypatch.setattr(opener.client._server, "get_max_batch_size", lambda: 40)
    assert opener.client.get_max_batch_size() == 40
    ids = [f"id_{n}" for n in range(300)]
    store = opener.filled(texts=["A test document"] * 300, embedding=DeterministicFakeEmbedding(size=8), ids=ids)
    store.update_documents(ids[:290], [doc("A new test document", doc_id=f"{n}") for n in range(290)])
    rows = [(id_, *row) for id_, *row in zip(*(store.get()[c] for c in ("ids", "documents", "metadatas")), strict=True)]
    assert sorted(rows[:290]) == sorted((ids[n], "A new test document", {"doc_id": f"{n}"}) for n in range(290))
    assert rows[290:] == [(id_, "A test document", None) for id_ in ids[290:]]
    opener.close()


@pytest.fixture
def pictures(tmp_path: Path) -> list[str]:
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n first")
    (tmp_path / "b.jpg").write_bytes(b"\xff\xd8\xff\xe0 second")
    (tmp_path / "c.webp").write_bytes(b"RIFF\x00\x00 third WEBP")
    return [str(path) for path in sorted(tmp_path.iterdir())]


@pytest.mark.parametrize("metadatas", [None, [{"n": 0}, {"n": 1}, {"n": 2}], [{"n": 0}], [{}, {"n": 1}, {}]], ids=str)
def test_images_are_stored_and_found_by_image(opener: Opener, pictures: list[str], metadatas: Any) -> None:
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


def test_delete_collection_leaves_an_unusable_store(opener: Opener) -> None:
    store = opener()
    name = store._collection.name
    store.delete_collection()
    assert store._chroma_collection is None
    with pytest.raises(Exception, match="does not exist"):
        store._client.get_collection(name)
    calls = [lambda: store._collection, lambda: store.similarity_search("foo"), lambda: store.add_texts(["foo"])]
    for call in (*calls, store.get, lambda: store.delete(["x"]), store.delete_collection):
        with pytest.raises(ValueError, match="Chroma collection not initialized"):
            call()


def test_without_embeddings_vectors_can_be_searched(opener: Opener, collection_name: str) -> None:
    raw = opener.client.create_collection(collection_name)
    raw.add(ids=["x", "y"], documents=["foo", "bar"], embeddings=[[0.0, 1.0], [1.0, 0.0]])
    store = opener.store_class(**opener.placed({"collection_name": collection_name}))
    assert store.embeddings is None
    assert store.similarity_search_by_vector([1.0, 0.1], k=1) == [doc("bar", "y")]
    assert ids_of(store.max_marginal_relevance_search_by_vector([1.0, 0.1], k=1)) == ["y"]
    updates = [("update_document", "x", doc("foo", a=1)), ("update_documents", ["x"], [doc("foo", a=1)])]
    for method, *given in (("max_marginal_relevance_search", "foo"), *updates):
        with pytest.raises(ValueError, match="embedding function"):
            getattr(store, method)(*given)


def test_without_embeddings_chromas_own_are_used(opener: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    own = ForChroma()
    monkeypatch.setattr(DefaultEmbeddingFunction, "__call__", lambda _, input: own(input))
    store = opener.store_class(**opener.placed({}))
    store.add_texts(WORDS, ids=IDS)
    assert own.counted.embedded == WORDS
    assert store.similarity_search("bar", k=1) == [doc("bar", "id_1")]
    assert own.counted.embedded == [*WORDS, "bar"]
