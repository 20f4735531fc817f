"""How a `TemporalVectorStore` is made, copied and written to: as stock `ChromaVectorStore` is, held beside it.

Every kind of node, and every kind of row that something else has written, comes back as from stock. The texts carry no
facts, so time plays no part here. What is read of it is in `test_llama_chroma_reads`.
"""

import contextlib
import copy
import inspect
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from llama_index.core.schema import ImageNode, IndexNode, Node, NodeRelationship, ObjectType, RelatedNodeInfo, TextNode
from llama_index.core.vector_stores.types import BasePydanticVectorStore, VectorStoreQuery
from llama_index.vector_stores.chroma import ChromaVectorStore

from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.llama_index import TemporalVectorStore

from .llama import CollectionMaker, all_texts, ask, embed, node, plain, texts
from .stock import Pair, both_refuse, corpus, empty, filled, same

__all__ = ["empty", "filled"]

BOTH = [ChromaVectorStore, TemporalVectorStore]


def same_fields(ours: Any, stock: Any) -> None:
    for name in ChromaVectorStore.model_fields:
        assert getattr(ours, name) == getattr(stock, name), name


def test_it_is_a_chroma_vector_store(empty: Pair) -> None:
    assert isinstance(empty[1], ChromaVectorStore)
    assert isinstance(empty[1], BasePydanticVectorStore)
    assert (empty[1].stores_text, empty[1].flat_metadata, empty[1].is_embedding_query) == (True, True, True)


@pytest.mark.parametrize(
    "method",
    [
        *("__init__", "from_params", "get_nodes", "add", "delete", "delete_nodes", "clear", "query", "async_add"),
        *("adelete", "aquery", "adelete_nodes", "aclear", "aget_nodes", "class_name", "to_dict", "persist"),
    ],
)
def test_every_argument_of_a_method_has_its_name_and_place(method: str) -> None:
    """Each positional argument of a stock method is taken at the same place and under the same name, and no other.

    Those of the constructor have stock's defaults, and ours follow by keyword only.
    """
    stock = list(inspect.signature(getattr(ChromaVectorStore, method)).parameters.values())
    ours = list(inspect.signature(getattr(TemporalVectorStore, method)).parameters.values())
    named = [p.name for p in stock if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert [p.name for p in ours if p.kind is p.POSITIONAL_OR_KEYWORD] == named
    required = {p.name for p in stock if p.default is p.empty}
    assert all(p.default is not p.empty for p in ours if p.name in named and p.name not in required)
    if method == "__init__":
        assert [p.default for p in ours[: len(named)]] == [p.default for p in stock[: len(named)]]


def test_every_field_is_there_with_its_value(new_collection: CollectionMaker) -> None:
    raw = new_collection()
    given = (raw, "name", "host", "8000", True, {"h": "v"}, "/a/directory", {"metadata": {"x": 1}})
    names = "chroma_collection collection_name host port ssl headers persist_dir collection_kwargs".split()
    ours = TemporalVectorStore(*given)
    same_fields(ours, ChromaVectorStore(*given))
    assert TemporalVectorStore(**dict(zip(names, given, strict=False))).to_dict() == ours.to_dict()  # type: ignore[arg-type]
    same_fields(TemporalVectorStore(chroma_collection=raw), ChromaVectorStore(chroma_collection=raw))


class Untouchable:
    def __getattribute__(self, name: str) -> Any:
        if name == "__class__":
            return object.__getattribute__(self, name)
        raise AssertionError(f"the collection was asked for {name}")


@pytest.mark.parametrize("cls", BOTH)
def test_constructing_does_not_touch_the_collection(cls: Any) -> None:
    """A constructor given a collection calls nothing of it: a broken one is noticed when it is used."""
    assert cls(chroma_collection=Untouchable()).to_dict()


def test_from_collection(new_collection: CollectionMaker) -> None:
    raw = new_collection()
    stock, ours = (cls.from_collection(raw) for cls in BOTH)
    stock.add([node("One harbour.", "n1")])
    assert texts(ours.get_nodes(["n1"])) == ["One harbour."]
    assert TemporalVectorStore.from_collection(collection=raw, on_delete="retire").on_delete == "retire"
    assert TemporalVectorStore.from_collection(TemporalCollection(raw)).client.session.collection is raw
    for cls in BOTH:
        with pytest.raises(Exception, match="chromadb collection"):
            cls.from_collection("no collection")


@pytest.mark.parametrize("cls", BOTH)
def test_from_params_with_a_directory(cls: Any, tmp_path: Path) -> None:
    for missing in ({}, {"host": "127.0.0.1"}, {"port": 8000}):
        with pytest.raises(ValueError, match="persist_dir"):
            cls.from_params("notes", **missing)
    arguments = {"persist_dir": str(tmp_path / "db"), "collection_kwargs": {"metadata": {"hnsw:space": "cosine"}}}
    store = cls.from_params("notes", **arguments)
    store.add([node("One harbour.", "n1")])
    again = cls.from_params(collection_name="notes", **arguments)
    assert texts(again.get_nodes(["n1"])) == ["One harbour."]
    assert {name: getattr(again, name) for name in arguments} == arguments
    assert again.client.metadata["hnsw:space"] == "cosine"


@pytest.mark.parametrize("cls", BOTH)
@pytest.mark.parametrize("port_type", [int, str])
def test_host_and_port(cls: Any, chroma_server: int, collection_name: str, port_type: Any) -> None:
    at: dict[str, Any] = {"host": "127.0.0.1", "port": port_type(chroma_server), "headers": {"X-Own": "1"}}
    made = cls(collection_name=collection_name, **at)
    assert made.add([node("One harbour.", "n1"), node("Two orchards.", "n2")]) == ["n1", "n2"]
    found = cls.from_params(collection_name, **at)
    assert texts(found.query(ask("harbour", 1))) == ["One harbour."]
    assert {name: getattr(found, name) for name in at} == at
    found.delete_nodes(["n1"])
    assert all_texts(made, node_ids=["n1", "n2"]) == ["Two orchards."]


def test_a_directory_in_the_constructor(tmp_path: Path) -> None:
    """`persist_dir` with `collection_name` opens a collection there (stock would ask a server)."""
    where = str(tmp_path / "db")
    TemporalVectorStore(persist_dir=where, collection_name="notes").add([node("One harbour.", "n1")])
    assert texts(TemporalVectorStore.from_params("notes", persist_dir=where).get_nodes(["n1"])) == ["One harbour."]
    with pytest.raises(InvalidInputError, match="collection_name"):
        TemporalVectorStore(persist_dir=where)


def test_client_gives_the_collection(filled: Pair) -> None:
    stock, ours = (s.client for s in filled)
    assert isinstance(ours, TemporalCollection)
    assert ours.count() == stock.count() == 30
    assert ours.get(where={"n": {"$lt": 4}}) == {**stock.get(where={"n": {"$lt": 4}})}
    assert ours.get(ids=["node-03"], include=["documents"])["documents"] == [corpus()[3].text]


def test_to_dict_is_stocks_and_more(filled: Pair) -> None:
    stock, ours = (s.to_dict() for s in filled)
    assert {k: ours[k] for k in stock} == {**stock, "class_name": "TemporalVectorStore"}
    assert json.loads(json.dumps(ours)) == json.loads(filled[1].to_json())


@pytest.mark.parametrize("cls", BOTH)
def test_a_store_comes_back_from_its_dictionary(cls: Any, chroma_server: int, collection_name: str) -> None:
    options = {} if cls is ChromaVectorStore else {"on_delete": "retire", "valid_from_field": "since"}
    store = cls(collection_name=collection_name, host="127.0.0.1", port=chroma_server, **options)
    store.add([node("One harbour.", "n1")])
    for again in (cls.from_dict(store.to_dict()), cls.from_json(store.to_json())):
        assert type(again) is cls
        assert texts(again.get_nodes(["n1"])) == ["One harbour."]
        assert {name: getattr(again, name) for name in options} == options


def test_pickle_keeps_the_fields(filled: Pair) -> None:
    stock, ours = (pickle.loads(pickle.dumps(s)) for s in filled)
    same_fields(ours, stock)
    assert "pickle" in both_refuse((stock, ours), "get_nodes", ["node-00"])


COPIES: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy,
    "copy": copy.copy,
    "model_copy": lambda s: s.model_copy(),
    "model_copy(deep)": lambda s: s.model_copy(deep=True),
}


@pytest.mark.parametrize("how", COPIES)
def test_copies_work_where_stocks_do(filled: Pair, how: str) -> None:
    expected = plain(filled[0].get_nodes(["node-01"]))
    with contextlib.suppress(Exception):
        assert plain(COPIES[how](filled[0]).get_nodes(["node-01"])) == expected
    ours = COPIES[how](filled[1])
    assert type(ours) is TemporalVectorStore
    assert plain(ours.get_nodes(["node-01"])) == expected
    assert ours.to_dict() == filled[1].to_dict()


def test_a_deep_copy_shares_no_setting(new_collection: CollectionMaker) -> None:
    store = TemporalVectorStore(new_collection(), collection_kwargs={"metadata": {"x": 1}}, headers={"h": "v"})
    made: Any = copy.deepcopy(store)
    made.collection_kwargs["metadata"]["x"], made.headers["h"] = 2, "w"
    assert (store.collection_kwargs, store.headers) == ({"metadata": {"x": 1}}, {"h": "v"})


def test_an_empty_collection(empty: Pair) -> None:
    assert same(empty, "add", []) == []
    assert same(empty, "get_nodes", None) == []
    for asked in (ask("harbour", 3), ask("harbour", 3, mode="mmr"), VectorStoreQuery(similarity_top_k=3)):
        assert same(empty, "query", asked).ids == []
    assert same(empty, "add", [node("One harbour.", "n1")], show_progress=True, batch_size=7) == ["n1"]


def test_the_asynchronous_methods(empty: Pair) -> None:
    assert same(empty, "async_add", corpus()) == [n.node_id for n in corpus()]
    assert same(empty, "aquery", ask("harbour", 3)).ids
    assert len(same(empty, "aget_nodes", ["node-01", "node-02"])) == 2
    same(empty, "adelete", "doc-0")
    same(empty, "adelete_nodes", ["node-10"])
    assert len(same(empty, "get_nodes", None)) == 23
    same(empty, "aclear")
    assert same(empty, "get_nodes", None) == []


def special_nodes() -> list[Any]:
    info = RelatedNodeInfo(node_id="doc-9", node_type=ObjectType.DOCUMENT, metadata={"k": "v"}, hash="hash-9")
    vector: dict[str, Any] = {"embedding": embed("harbour")}
    return [
        TextNode(
            text="A quay — «naïve» façade, 港, 🌊, a\ttab and\n\ntwo lines", id_="unicode-港", **vector,
            metadata={"ключ": "значение", "emoji": "🌊", "empty": "", "none": None, "zero": 0, "no": False, "x": 0.5},
        ),
        TextNode(
            text="Middle part.", id_="related", start_char_idx=17, end_char_idx=29, mimetype="text/markdown", **vector,
            excluded_embed_metadata_keys=["a"], excluded_llm_metadata_keys=["b"], metadata={"a": 1, "b": 2},
            metadata_template="<{key}={value}>", metadata_separator=" | ", text_template="[{metadata_str}] {content}",
            relationships={
                NodeRelationship.SOURCE: info, NodeRelationship.PARENT: RelatedNodeInfo(node_id="up"),
                NodeRelationship.PREVIOUS: RelatedNodeInfo(node_id="p", hash="h1"),
                NodeRelationship.NEXT: RelatedNodeInfo(node_id="q", hash="h2"),
                NodeRelationship.CHILD: [RelatedNodeInfo(node_id="c1"), RelatedNodeInfo(node_id="c2")],
            },
        ),
        IndexNode(text="See the table.", id_="index", index_id="table-1", metadata={"n": 1}, **vector),
        IndexNode(text="See the node.", id_="index-2", index_id="t2", obj=TextNode(text="inner", id_="in"), **vector),
        ImageNode(text="A chart.", id_="image", image_path="chart.png", image_mimetype="image/png", **vector),
        ImageNode(text="", id_="image-2", image="aGFyYm91cg==", metadata={"n": 2}, **vector),
        Node(id_="multi", text_resource={"text": "A plain node."}, metadata={"n": 3}, **vector),
        TextNode(text="", id_="empty", **vector), TextNode(text="Bare.", id_="bare", **vector),
    ]  # fmt: skip


@pytest.mark.parametrize("one", special_nodes(), ids=lambda n: n.node_id)
def test_every_kind_of_node_comes_back_as_from_stock(empty: Pair, one: Any) -> None:
    same(empty, "add", [one])
    [found] = same(empty, "get_nodes", [one.node_id])
    assert type(found) is type(one)
    assert same(empty, "query", ask("harbour", 1)).ids
    assert {**found.to_dict(), "embedding": None} == {**one.to_dict(), "embedding": None}
    assert found.hash == one.hash


def test_writing_leaves_the_nodes_alone(empty: Pair) -> None:
    given, before = special_nodes(), [(n.to_dict(), n.hash) for n in special_nodes()]
    empty[1].add(given)
    assert [(n.to_dict(), n.hash) for n in given] == before


ROWS: dict[str, dict[str, Any] | None] = {
    "no metadata": None,
    "user's metadata": {"source": "a.md", "n": 3},
    "legacy": {
        "node_info": json.dumps({"start": 3, "end": 9}),
        "relationships": json.dumps({"1": "doc-7", "2": "prev", "3": "next"}),
        **dict.fromkeys(("doc_id", "document_id", "ref_doc_id"), "doc-7"),
        "author": "Ann",
    },
    "legacy without relationships": {"node_info": json.dumps({"start": 0, "end": 5}), "author": "Ann"},
    "no node, fields of other stores": {"doc_id": "doc-7", "ref_doc_id": "doc-7", "author": "Ann"},
    "no node, text and id among the metadata": {"text": "t", "id": "x", "author": "Ann"},
    "no node that can be read": {"_node_content": "{not json", "_node_type": "TextNode", "author": "Ann"},
    "legacy, with the text among the metadata": {"node_info": "{}", "relationships": "{}", "text": "t", "id": "x"},
}


def add_row(store: Any, metadata: dict[str, Any] | None) -> None:
    """Add a row to what lies beneath a store, as other code does."""
    raw = getattr(store.client, "_chroma", store.client)
    raw.add(ids=["row"], documents=["An old row."], embeddings=[embed("row")], metadatas=[metadata])


@pytest.mark.parametrize("name", [n for n in ROWS if n.startswith("no node")])
def test_rows_of_another_door_keep_their_metadata(empty: Pair, name: str) -> None:
    """Of a row without a node stock drops some of the user's fields; here it keeps all of them."""
    add_row(empty[1], ROWS[name])
    own = {k: v for k, v in (ROWS[name] or {}).items() if not k.startswith("_node")}
    for found in (empty[1].get_nodes(["row"]), empty[1].query(ask("row", 1)).nodes):
        assert [(n.node_id, n.text, n.metadata) for n in found] == [("row", "An old row.", own)]


@pytest.mark.parametrize("name", [n for n in ROWS if not n.startswith("no node")])
def test_rows_without_a_node(empty: Pair, name: str) -> None:
    for store in empty:
        add_row(store, ROWS[name])
    [found] = same(empty, "get_nodes", ["row"])
    assert (found.node_id, found.text) == ("row", "An old row.")
    for mode in ("default", "mmr"):
        same(empty, "query", ask("row", 1, mode=mode))


def test_what_stock_wrote_ours_reads_and_the_reverse(new_collection: CollectionMaker) -> None:
    for writer in (0, 1):
        raw = new_collection()
        pair = ChromaVectorStore(chroma_collection=raw), TemporalVectorStore(chroma_collection=raw)
        pair[writer].add([*corpus(), *special_nodes()])
        same(pair, "get_nodes", None)
        same(pair, "query", ask("Who praised the harbour?", 8))
