"""Every method and argument of stock `ChromaVectorStore`, held for `TemporalVectorStore` beside it.

Both stores get the same calls and must give the same: ids, texts, every field of every node, similarities, order. The
texts carry no facts, so time plays no part here. What stock refuses stays refused. Where stock has a defect that is not
copied, the last section says what ours does instead.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
import inspect
import json
import pickle
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chromadb
import pytest
from llama_index.core.schema import (
    ImageNode,
    IndexNode,
    MediaResource,
    Node,
    NodeRelationship,
    ObjectType,
    RelatedNodeInfo,
    TextNode,
)
from llama_index.core.vector_stores.types import (
    BasePydanticVectorStore,
    FilterCondition,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
    VectorStoreQuery,
    VectorStoreQueryMode,
)
from llama_index.vector_stores.chroma import ChromaVectorStore

from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.llama_index import TemporalVectorStore

from .llama import CollectionMaker, all_texts, ask, embed, fresh_collections, node, pairs, part, plain, texts

BOTH = [ChromaVectorStore, TemporalVectorStore]
Pair = tuple[Any, Any]

THINGS = ["harbour", "orchard", "archive", "quarry", "chapel", "viaduct", "foundry", "granary", "meadow", "lantern"]
TEAMS = ["sea", "hill", "town"]


def corpus() -> list[TextNode]:
    """Thirty nodes of prose of five documents, with metadata of every type that LlamaIndex lets through."""
    nodes = []
    for n in range(30):
        thing = THINGS[n % 10]
        metadata: dict[str, Any] = {"n": n, "weight": n / 4, "team": TEAMS[n % 3]}
        if n % 2:
            metadata["draft"] = n % 4 == 1
        if n % 7 == 0:
            metadata["note"] = None
        words = f"Wanderers of year {n} praised the {thing} and its {THINGS[(n * 7 + 3) % 10]} at dusk."
        nodes.append(part(f"doc-{n // 6}", f"hash-{n // 6}", words, f"node-{n:02}", metadata=metadata))
    return nodes


@pytest.fixture
def new_collection(client: Any) -> Iterator[CollectionMaker]:
    """Make collections in memory that go after the test."""
    with fresh_collections(client) as make:
        yield make


@pytest.fixture
def empty(client: Any) -> Iterator[Pair]:
    """Stock and ours, empty."""
    with pairs(client) as make:
        yield make()


@pytest.fixture(scope="module")
def filled(client: Any) -> Iterator[Pair]:
    """Stock and ours with the corpus, for tests that only read."""
    with pairs(client) as make:
        pair = make()
        same(pair, "add", corpus())
        yield pair


@pytest.fixture
def own(client: Any) -> Iterator[Pair]:
    """Stock and ours with the corpus, for tests that write."""
    with pairs(client) as make:
        pair = make()
        same(pair, "add", corpus())
        yield pair


def same(pair: Pair, method: str, *arguments: Any, **keywords: Any) -> Any:
    """Call a method on both, assert that they answer alike, and return stock's answer."""
    stock, ours = (getattr(s, method)(*copy.deepcopy(arguments), **copy.deepcopy(keywords)) for s in pair)
    assert plain(ours) == plain(stock), f"{method}{keywords}"
    return stock


async def asame(pair: Pair, method: str, *arguments: Any, **keywords: Any) -> Any:
    """Like `same`, for a coroutine."""
    answers = [await getattr(s, method)(*copy.deepcopy(arguments), **copy.deepcopy(keywords)) for s in pair]
    assert plain(answers[1]) == plain(answers[0]), f"{method}{keywords}"
    return answers[0]


def both_refuse(pair: Pair, method: str, *arguments: Any, **keywords: Any) -> str:
    """Assert that both raise, ours an error that says what is wrong, and return its text."""
    stock, ours = pair
    with pytest.raises(Exception):  # noqa: B017 - whatever stock happens to raise
        getattr(stock, method)(*arguments, **keywords)
    with pytest.raises((ValueError, TypeError)) as caught:
        getattr(ours, method)(*arguments, **keywords)
    return str(caught.value)


# ------------------------------------------------------------------------------------------------------ construction


def test_it_is_a_chroma_vector_store(empty: Pair) -> None:
    """It is a `ChromaVectorStore` and a `BasePydanticVectorStore`, for code that asks."""
    assert isinstance(empty[1], ChromaVectorStore)
    assert isinstance(empty[1], BasePydanticVectorStore)
    assert (empty[1].stores_text, empty[1].flat_metadata, empty[1].is_embedding_query) == (True, True, True)


def test_constructor_arguments_stand_in_their_places() -> None:
    """Stock's arguments come first, in stock's order, with stock's defaults; ours follow, by keyword only."""
    stock = list(inspect.signature(ChromaVectorStore.__init__).parameters.values())
    ours = list(inspect.signature(TemporalVectorStore.__init__).parameters.values())
    named = [p for p in stock if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert [(p.name, p.kind, p.default) for p in ours[: len(named)]] == [(p.name, p.kind, p.default) for p in named]
    assert all(p.kind in (p.KEYWORD_ONLY, p.VAR_KEYWORD) for p in ours[len(named) :])


@pytest.mark.parametrize(
    "method",
    [
        *("from_params", "get_nodes", "add", "delete", "delete_nodes", "clear", "query", "async_add", "adelete"),
        *("aquery", "adelete_nodes", "aclear", "aget_nodes", "class_name", "to_dict", "persist"),
    ],
)
def test_every_argument_of_a_method_has_its_name_and_place(method: str) -> None:
    """Each positional argument of a stock method is taken at the same place and under the same name."""
    stock = inspect.signature(getattr(ChromaVectorStore, method)).parameters.values()
    ours = list(inspect.signature(getattr(TemporalVectorStore, method)).parameters.values())
    named = [p.name for p in stock if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert [p.name for p in ours if p.kind is p.POSITIONAL_OR_KEYWORD] == named
    required = {p.name for p in stock if p.default is p.empty}
    assert all(p.default is not p.empty for p in ours if p.name in named and p.name not in required)


def test_every_field_is_there_with_its_value(new_collection: CollectionMaker) -> None:
    """Fields that were given come back from both alike, positional or by keyword."""
    raw = new_collection()
    given = (raw, "name", "host", "8000", True, {"h": "v"}, "/a/directory", {"metadata": {"x": 1}})
    stock, ours = (cls(*given) for cls in BOTH)
    for name in ChromaVectorStore.model_fields:
        assert getattr(ours, name) == getattr(stock, name), name
    names = ("chroma_collection", "collection_name", "host", "port", "ssl", "headers", "persist_dir")
    by_name = TemporalVectorStore(
        **dict(zip((*names, "collection_kwargs"), given, strict=True))  # type: ignore[arg-type]
    )
    assert by_name.to_dict() == ours.to_dict()
    bare_stock, bare = (cls(chroma_collection=raw) for cls in BOTH)
    for name in ChromaVectorStore.model_fields:
        assert getattr(bare, name) == getattr(bare_stock, name), name


class Untouchable:
    """A collection that must not be looked at."""

    def __getattribute__(self, name: str) -> Any:
        if name == "__class__":
            return object.__getattribute__(self, name)
        raise AssertionError(f"the collection was asked for {name}")


@pytest.mark.parametrize("cls", BOTH)
def test_constructing_does_not_touch_the_collection(cls: Any) -> None:
    """A constructor given a collection calls nothing of it: a broken one is noticed when it is used."""
    store = cls(chroma_collection=Untouchable())
    assert store.class_name()
    store.to_dict()


def test_from_collection(new_collection: CollectionMaker) -> None:
    """`from_collection` wraps a collection, and refuses everything else."""
    raw = new_collection()
    stores = [cls.from_collection(raw) for cls in BOTH]
    assert [type(s) for s in stores] == BOTH
    stores[0].add([node("One harbour.", "n1")])
    assert texts(stores[1].get_nodes(["n1"])) == ["One harbour."]
    assert TemporalVectorStore.from_collection(collection=raw, on_delete="retire").on_delete == "retire"
    assert TemporalVectorStore.from_collection(TemporalCollection(raw)).client.session.collection is raw
    for cls in BOTH:
        with pytest.raises(Exception, match="chromadb collection"):
            cls.from_collection("no collection")


@pytest.mark.parametrize("cls", BOTH)
def test_from_params_with_a_directory(cls: Any, tmp_path: Path) -> None:
    """`from_params` opens or makes a collection in a directory and passes `collection_kwargs` on."""
    arguments = {"persist_dir": str(tmp_path / "db"), "collection_kwargs": {"metadata": {"hnsw:space": "cosine"}}}
    store = cls.from_params("notes", **arguments)
    store.add([node("One harbour.", "n1")])
    again = cls.from_params(collection_name="notes", **arguments)
    assert texts(again.get_nodes(["n1"])) == ["One harbour."]
    assert again.persist_dir == str(tmp_path / "db")
    assert again.collection_kwargs == arguments["collection_kwargs"]
    assert again.client.metadata["hnsw:space"] == "cosine"


@pytest.mark.parametrize("cls", BOTH)
def test_from_params_needs_a_place(cls: Any) -> None:
    """Without a directory, or with a host and no port, `from_params` says what is missing."""
    for arguments in ({}, {"host": "127.0.0.1"}, {"port": 8000}):
        with pytest.raises(ValueError, match="persist_dir"):
            cls.from_params("notes", **arguments)


@pytest.mark.parametrize("cls", BOTH)
@pytest.mark.parametrize("port_type", [int, str])
def test_host_and_port(cls: Any, chroma_server: int, port_type: Callable[[int], Any]) -> None:
    """A server is reached through the constructor and through `from_params`, with a port of either type."""
    name = f"test-{uuid.uuid4().hex}"
    at: dict[str, Any] = {"host": "127.0.0.1", "port": port_type(chroma_server), "headers": {"X-Own": "1"}}
    made = cls(collection_name=name, **at)
    assert made.add([node("One harbour.", "n1"), node("Two orchards.", "n2")]) == ["n1", "n2"]
    found = cls.from_params(name, **at)
    assert texts(found.query(ask("harbour", 1))) == ["One harbour."]
    assert (found.host, found.port, found.headers) == (at["host"], at["port"], at["headers"])
    found.delete_nodes(["n1"])
    assert all_texts(made, node_ids=["n1", "n2"]) == ["Two orchards."]
    if type(found) is TemporalVectorStore:
        made.delete_nodes(["n2"])


def test_a_directory_in_the_constructor(tmp_path: Path) -> None:
    """`persist_dir` with `collection_name` opens a collection there (stock would ask a server)."""
    where = str(tmp_path / "db")
    TemporalVectorStore(persist_dir=where, collection_name="notes").add([node("One harbour.", "n1")])
    assert texts(TemporalVectorStore.from_params("notes", persist_dir=where).get_nodes(["n1"])) == ["One harbour."]
    with pytest.raises(InvalidInputError, match="collection_name"):
        TemporalVectorStore(persist_dir=where)


def test_client_gives_the_collection(filled: Pair) -> None:
    """`client` is the collection; ours is wrapped and answers Chroma's methods alike."""
    stock, ours = (s.client for s in filled)
    assert isinstance(ours, TemporalCollection)
    assert ours.count() == stock.count() == 30
    assert ours.get(where={"n": {"$lt": 4}}) == {**stock.get(where={"n": {"$lt": 4}})}
    assert ours.get(ids=["node-03"], include=["documents"])["documents"] == [corpus()[3].text]


# ---------------------------------------------------------------------------------------------- to_dict, pickle, copies


def test_to_dict_is_stocks_and_more(filled: Pair) -> None:
    """`to_dict` has every entry of stock's with its value, and can be written as JSON."""
    stock, ours = (s.to_dict() for s in filled)
    assert {k: ours[k] for k in stock if k != "class_name"} == {k: v for k, v in stock.items() if k != "class_name"}
    assert (stock["class_name"], ours["class_name"]) == ("ChromaVectorStore", "TemporalVectorStore")
    json.dumps(ours)
    assert filled[1].to_json()


def test_a_store_comes_back_from_its_dictionary(chroma_server: int) -> None:
    """What `to_dict` (or `to_json`) gives opens the same collection on its server again."""
    name = f"test-{uuid.uuid4().hex}"
    for cls in BOTH:
        store = cls(collection_name=name, host="127.0.0.1", port=chroma_server)
        if cls is ChromaVectorStore:
            store.add([node("One harbour.", "n1")])
        for again in (cls.from_dict(store.to_dict()), cls.from_json(store.to_json())):
            assert type(again) is cls
            assert texts(again.get_nodes(["n1"])) == ["One harbour."]
    ours = TemporalVectorStore(
        collection_name=name, host="127.0.0.1", port=chroma_server, on_delete="retire", valid_from_field="since"
    )
    again = TemporalVectorStore.from_dict(ours.to_dict())
    assert (again.on_delete, again.valid_from_field) == ("retire", "since")


def test_pickle_keeps_the_fields(filled: Pair) -> None:
    """Pickling keeps every field and loses the collection, as stock does; ours says so when it is used."""
    stock, ours = (pickle.loads(pickle.dumps(s)) for s in filled)
    for name in ChromaVectorStore.model_fields:
        assert getattr(ours, name) == getattr(stock, name), name
    with pytest.raises(Exception):  # noqa: B017 - stock: an attribute is missing
        stock.get_nodes(["node-00"])
    with pytest.raises(InvalidInputError, match="pickle"):
        ours.get_nodes(["node-00"])


@pytest.mark.parametrize("how", ["deepcopy", "copy", "model_copy", "model_copy(deep)"])
def test_copies_work_where_stocks_do(filled: Pair, how: str) -> None:
    """A copy works on the same collection; where stock cannot be copied, ours can."""
    copying: dict[str, Callable[[Any], Any]] = {
        "deepcopy": copy.deepcopy,
        "copy": copy.copy,
        "model_copy": lambda s: s.model_copy(),
        "model_copy(deep)": lambda s: s.model_copy(deep=True),
    }
    expected = plain(filled[0].get_nodes(["node-01"]))
    with contextlib.suppress(Exception):
        assert plain(copying[how](filled[0]).get_nodes(["node-01"])) == expected
    ours = copying[how](filled[1])
    assert type(ours) is TemporalVectorStore
    assert plain(ours.get_nodes(["node-01"])) == expected
    assert ours.to_dict() == filled[1].to_dict()


def test_a_deep_copy_shares_no_setting(new_collection: CollectionMaker) -> None:
    """Changing a copy's keyword arguments leaves the original's alone."""
    store = TemporalVectorStore(new_collection(), collection_kwargs={"metadata": {"x": 1}}, headers={"h": "v"})
    made = copy.deepcopy(store)
    made.collection_kwargs["metadata"]["x"] = 2
    assert made.headers is not None
    made.headers["h"] = "w"
    assert store.collection_kwargs == {"metadata": {"x": 1}}
    assert store.headers == {"h": "v"}


# ------------------------------------------------------------------------------------------------------------- writing


def test_add_returns_the_ids_in_order(empty: Pair) -> None:
    """`add` returns the ids in order, and the collections hold the same rows, metadata and vectors."""
    assert same(empty, "add", corpus()) == [n.node_id for n in corpus()]
    stock, ours = (s.client.get(include=["documents", "metadatas", "embeddings"]) for s in empty)
    assert ours["ids"] == stock["ids"]
    assert ours["documents"] == stock["documents"]
    assert ours["metadatas"] == stock["metadatas"]
    assert ours["embeddings"].tolist() == stock["embeddings"].tolist()


def test_add_of_nothing(empty: Pair) -> None:
    """Adding no node does nothing."""
    assert same(empty, "add", []) == []
    assert same(empty, "get_nodes", None) == []


def test_unknown_keywords_of_add_are_ignored(empty: Pair) -> None:
    """Keywords that other stores take, and that frameworks pass along, are ignored by both."""
    assert same(empty, "add", [node("One harbour.", "n1")], show_progress=True, batch_size=7) == ["n1"]


async def test_the_asynchronous_methods(empty: Pair) -> None:
    """`async_add`, `aquery`, `aget_nodes`, `adelete`, `adelete_nodes` and `aclear` do what the others do."""
    assert await asame(empty, "async_add", corpus()) == [n.node_id for n in corpus()]
    assert (await asame(empty, "aquery", ask("harbour", 3))).ids
    assert len(await asame(empty, "aget_nodes", ["node-01", "node-02"])) == 2
    await asame(empty, "adelete", "doc-0")
    await asame(empty, "adelete_nodes", ["node-10"])
    assert len(same(empty, "get_nodes", None)) == 23
    await asame(empty, "aclear")
    assert same(empty, "get_nodes", None) == []


async def test_many_tasks_at_once(filled: Pair) -> None:
    """Queries in parallel each get their own answer."""
    asked = [ask(thing, 3) for thing in THINGS]
    stock, ours = [await asyncio.gather(*(s.aquery(q) for q in asked)) for s in filled]
    assert plain(ours) == plain(stock)


def special_nodes() -> list[Any]:
    """Nodes with everything that a node may hold."""
    info = RelatedNodeInfo(node_id="doc-9", node_type=ObjectType.DOCUMENT, metadata={"k": "v"}, hash="hash-9")
    vector: dict[str, Any] = {"embedding": embed("harbour")}
    return [
        TextNode(
            text="A quay — «naïve» façade, 港, 🌊, a\ttab and\n\ntwo lines",
            id_="unicode-港",
            metadata={"ключ": "значение", "emoji": "🌊", "empty": "", "none": None, "zero": 0, "no": False, "x": 0.5},
            **vector,
        ),
        TextNode(
            text="Middle part.",
            id_="related",
            start_char_idx=17,
            end_char_idx=29,
            mimetype="text/markdown",
            excluded_embed_metadata_keys=["a"],
            excluded_llm_metadata_keys=["b"],
            metadata_template="<{key}={value}>",
            metadata_separator=" | ",
            text_template="[{metadata_str}] {content}",
            metadata={"a": 1, "b": 2},
            relationships={
                NodeRelationship.SOURCE: info,
                NodeRelationship.PREVIOUS: RelatedNodeInfo(node_id="p", hash="h1"),
                NodeRelationship.NEXT: RelatedNodeInfo(node_id="q", hash="h2"),
                NodeRelationship.PARENT: RelatedNodeInfo(node_id="up"),
                NodeRelationship.CHILD: [RelatedNodeInfo(node_id="c1"), RelatedNodeInfo(node_id="c2")],
            },
            **vector,
        ),
        IndexNode(text="See the table.", id_="index", index_id="table-1", metadata={"n": 1}, **vector),
        IndexNode(text="See the node.", id_="index-2", index_id="t2", obj=TextNode(text="inner", id_="in"), **vector),
        ImageNode(text="A chart.", id_="image", image_path="chart.png", image_mimetype="image/png", **vector),
        ImageNode(text="", id_="image-2", image="aGFyYm91cg==", metadata={"n": 2}, **vector),
        Node(id_="multi", text_resource=MediaResource(text="A plain node."), metadata={"n": 3}, **vector),
        TextNode(text="", id_="empty", **vector),
        TextNode(text="Bare.", id_="bare", **vector),
    ]


@pytest.mark.parametrize("one", special_nodes(), ids=lambda n: n.node_id)
def test_every_kind_of_node_comes_back_as_from_stock(empty: Pair, one: Any) -> None:
    """Type, text, metadata, relationships, positions and templates of a node come back as from stock."""
    same(empty, "add", [one])
    [found] = same(empty, "get_nodes", [one.node_id])
    assert type(found) is type(one)
    assert same(empty, "query", VectorStoreQuery(query_embedding=embed("harbour"), similarity_top_k=1)).ids
    want, got = one.to_dict(), found.to_dict()
    assert {k: v for k, v in got.items() if k != "embedding"} == {k: v for k, v in want.items() if k != "embedding"}
    assert found.hash == one.hash


def test_writing_leaves_the_nodes_alone(empty: Pair) -> None:
    """A node that was added is unchanged: metadata, hash and vector."""
    given, before = special_nodes(), [(n.to_dict(), n.hash) for n in special_nodes()]
    empty[1].add(given)
    assert [(n.to_dict(), n.hash) for n in given] == before


def test_metadata_that_stock_refuses(empty: Pair) -> None:
    """Nested metadata is refused with the field's name, and nothing is written."""
    bad = [node("Fine.", "ok"), node("Nested.", "bad", metadata={"list": [1, 2]})]
    assert "list" in both_refuse(empty, "add", bad)
    assert empty[1].get_nodes() == []


def test_a_node_without_a_vector(empty: Pair) -> None:
    """A node without an embedding is refused with its id, and nothing is written."""
    bad = [node("Fine.", "ok"), TextNode(text="No vector.", id_="bare-one")]
    assert "bare-one" in both_refuse(empty, "add", bad)
    assert empty[1].get_nodes() == []


# ------------------------------------------------------------------------------------------------------------- reading


@pytest.mark.parametrize("ids", [None, [], ["node-03"], ["node-04", "node-02", "missing"], ["missing"]], ids=str)
def test_get_nodes_by_id(filled: Pair, ids: list[str] | None) -> None:
    """`get_nodes` gives the named nodes as stock does; none, or an empty list, means all."""
    found = same(filled, "get_nodes", ids)
    assert len(found) == (30 if not ids else len([i for i in ids if i != "missing"]))
    same(filled, "get_nodes", node_ids=ids, filters=None)


@pytest.mark.parametrize("k", [1, 4, 30, 45])
def test_query(filled: Pair, k: int) -> None:
    """A query gives the same nodes in the same order with the same similarities, also if k exceeds the count."""
    for thing in THINGS:
        found = same(filled, "query", ask(f"Who praised the {thing}?", k))
        assert len(found.ids) == min(k, 30)
        assert found.similarities == sorted(found.similarities, reverse=True)


def test_query_without_a_vector_lists_nodes(filled: Pair) -> None:
    """Without a query vector the first nodes that match are listed, without similarities."""
    for vector in (None, []):
        listed = same(filled, "query", VectorStoreQuery(query_embedding=vector, similarity_top_k=3))
        assert (len(listed.ids), listed.similarities) == (3, None)
        wanted = MetadataFilters(filters=[MetadataFilter(key="n", value=20, operator=FilterOperator.GTE)])
        found = same(filled, "query", VectorStoreQuery(query_embedding=vector, similarity_top_k=4, filters=wanted))
        assert found.ids == ["node-20", "node-21", "node-22", "node-23"]
        nothing = MetadataFilters(filters=[MetadataFilter(key="n", value=99)])
        same(filled, "query", VectorStoreQuery(query_embedding=vector, similarity_top_k=4, filters=nothing))


def test_query_of_an_empty_collection(empty: Pair) -> None:
    """An empty collection answers nothing, in every mode."""
    assert same(empty, "query", ask("harbour", 3)).ids == []
    assert same(empty, "query", ask("harbour", 3, mode=VectorStoreQueryMode.MMR)).ids == []
    assert same(empty, "query", VectorStoreQuery(similarity_top_k=3)).ids == []


def test_query_with_chromas_own_arguments(filled: Pair) -> None:
    """`where`, `where_document` and `include` go through to Chroma."""
    assert len(same(filled, "query", ask("dusk", 5), where={"team": "sea"}).ids) == 5
    assert len(same(filled, "query", ask("dusk", 5), where_document={"$contains": "year 2 "}).ids) == 1
    everything = ["documents", "metadatas", "distances", "embeddings"]
    same(filled, "query", ask("dusk", 5), where={"n": {"$gte": 9}}, include=everything)
    listed = VectorStoreQuery(similarity_top_k=9)
    assert same(filled, "query", listed, where={"n": {"$lt": 2}}).ids == ["node-00", "node-01"]
    assert len(same(filled, "query", listed, where_document={"$contains": "quarry"}).ids) > 2
    same(filled, "query", ask("dusk", 3), where=None)


def test_filters_given_twice_are_refused(filled: Pair) -> None:
    """Filters in the query and `where` in the call are refused."""
    wanted = MetadataFilters(filters=[MetadataFilter(key="team", value="sea")])
    assert "both" in both_refuse(filled, "query", ask("dusk", 5, filters=wanted), where={"n": 1})


def test_an_unknown_argument_of_query_is_refused(filled: Pair) -> None:
    """An argument that Chroma does not know is refused."""
    assert "colour" in both_refuse(filled, "query", ask("dusk", 5), colour="red")


MMR: list[dict[str, Any]] = [
    {},
    {"mmr_threshold": 0.1},
    {"mmr_threshold": 0.9},
    {"mmr_threshold": 0},
    {"mmr_threshold": 1},
    {"mmr_prefetch_factor": 1.0},
    {"mmr_prefetch_factor": 2.5, "mmr_threshold": 0.3},
    {"mmr_prefetch_k": 25, "mmr_threshold": 0.2},
    {"mmr_prefetch_k": 2},
    {"where": {"team": "hill"}, "mmr_threshold": 0.2},
    {"where_document": {"$contains": "quarry"}},
]


@pytest.mark.parametrize("arguments", MMR, ids=str)
def test_mmr(filled: Pair, arguments: dict[str, Any]) -> None:
    """MMR gives the same nodes in the same order with the same similarities, for every argument of it."""
    for thing in THINGS:
        asked = ask(f"Who praised the {thing}?", 4, mode=VectorStoreQueryMode.MMR)
        assert len(same(filled, "query", asked, **arguments).ids) == 4


def test_mmr_is_no_plain_ranking(filled: Pair) -> None:
    """MMR with a low threshold differs from the plain order: the test above compares something."""
    asked = [ask(f"Who praised the {t}?", 4, mode=VectorStoreQueryMode.MMR) for t in THINGS]
    diverse = [filled[1].query(q, mmr_threshold=0.1).ids for q in asked]
    assert diverse != [filled[1].query(ask(f"Who praised the {t}?", 4)).ids for t in THINGS]


def test_mmr_where_fewer_match_than_are_wanted(filled: Pair) -> None:
    """Where fewer nodes match than k, all come, in stock's order."""
    for k in (10, 40):
        asked = ask("quarry at dusk", k, mode=VectorStoreQueryMode.MMR)
        same(filled, "query", asked, mmr_threshold=0.1, where={"n": {"$lt": 5}})


@pytest.mark.parametrize(
    "arguments",
    [
        {"mmr_threshold": 1.5},
        {"mmr_threshold": -0.1},
        {"mmr_threshold": "high"},
        {"mmr_prefetch_factor": 2.0, "mmr_prefetch_k": 9},
        {"where": {}, "colour": "red"},
    ],
    ids=str,
)
def test_bad_arguments_of_mmr_are_refused(filled: Pair, arguments: dict[str, Any]) -> None:
    """What stock refuses of MMR's arguments is refused."""
    both_refuse(filled, "query", ask("quarry", 4, mode=VectorStoreQueryMode.MMR), **arguments)


# ------------------------------------------------------------------------------------------------------------- filters

EQ, NE, GT, GTE, LT, LTE = (FilterOperator(o) for o in ("==", "!=", ">", ">=", "<", "<="))
IN, NIN = FilterOperator.IN, FilterOperator.NIN


def f(key: str, operator: FilterOperator, value: Any) -> MetadataFilter:
    """One condition."""
    return MetadataFilter(key=key, operator=operator, value=value)


def both_of(*parts: Any) -> MetadataFilters:
    """All of some conditions."""
    return MetadataFilters(filters=list(parts), condition=FilterCondition.AND)


def either(*parts: Any) -> MetadataFilters:
    """Any of some conditions."""
    return MetadataFilters(filters=list(parts), condition=FilterCondition.OR)


FILTERS: dict[str, tuple[MetadataFilters, int]] = {
    "text ==": (both_of(f("team", EQ, "sea")), 10),
    "int ==": (both_of(f("n", EQ, 7)), 1),
    "float ==": (both_of(f("weight", EQ, 0.25)), 1),
    "text !=": (both_of(f("team", NE, "sea")), 20),
    "int !=": (both_of(f("n", NE, 7)), 29),
    "!= of a field that many lack": (both_of(f("note", NE, "x")), 30),
    ">": (both_of(f("n", GT, 20)), 9),
    ">=": (both_of(f("n", GTE, 20)), 10),
    "<": (both_of(f("weight", LT, 1.0)), 4),
    "<=": (both_of(f("weight", LTE, 1.0)), 5),
    "in, text": (both_of(f("team", IN, ["sea", "hill"])), 20),
    "in, int": (both_of(f("n", IN, [1, 2, 99])), 2),
    "in, float": (both_of(f("weight", IN, [0.25, 0.5])), 2),
    "nin, text": (both_of(f("team", NIN, ["sea", "hill"])), 10),
    "nin, int": (both_of(f("n", NIN, [1, 2])), 28),
    "no such field": (both_of(f("nowhere", EQ, 1)), 0),
    "empty text for None": (both_of(f("note", EQ, "")), 5),
    "the document": (both_of(f("document_id", EQ, "doc-2")), 6),
    "the document, under other names": (both_of(f("doc_id", EQ, "doc-2"), f("ref_doc_id", EQ, "doc-2")), 6),
    "the type": (both_of(f("_node_type", EQ, "TextNode")), 30),
    "and": (both_of(f("team", EQ, "sea"), f("n", LT, 10)), 4),
    "or": (either(f("team", EQ, "sea"), f("n", LT, 10)), 16),
    "and of one": (both_of(f("n", LT, 10)), 10),
    "or of one": (either(f("n", LT, 10)), 10),
    "nested": (both_of(f("n", GTE, 10), either(f("team", EQ, "sea"), f("team", EQ, "hill"))), 13),
    "nested twice": (either(both_of(f("n", LT, 3), either(f("n", EQ, 1), f("n", EQ, 9))), both_of(f("n", EQ, 5))), 2),
    "no condition named": (MetadataFilters(filters=[f("team", EQ, "sea"), f("n", LT, 10)], condition=None), 4),
}


@pytest.mark.parametrize("name", FILTERS)
def test_filters(filled: Pair, name: str) -> None:
    """Every supported operator and condition gives the same nodes, in `get_nodes`, `query`, listing and MMR."""
    wanted, count = FILTERS[name]
    assert len(same(filled, "get_nodes", None, wanted)) == count
    assert len(same(filled, "query", ask("quarry at dusk", 30, filters=wanted)).ids) == count
    assert len(same(filled, "query", VectorStoreQuery(similarity_top_k=30, filters=wanted)).ids) == count
    same(filled, "query", ask("quarry at dusk", 4, filters=wanted, mode=VectorStoreQueryMode.MMR))


def test_a_filter_written_as_dictionaries(filled: Pair) -> None:
    """Filters made by `from_dicts` work, and those without an operator mean equality."""
    wanted = MetadataFilters.from_dicts([{"key": "team", "value": "sea"}, {"key": "n", "value": 9, "operator": "<"}])
    assert len(same(filled, "get_nodes", None, wanted)) == 3


def test_booleans_in_metadata_are_read_as_numbers_are_given(filled: Pair) -> None:
    """LlamaIndex filters cannot hold a bool; `where` can."""
    assert len(same(filled, "query", ask("dusk", 30), where={"draft": True}).ids) == 8


REFUSED: dict[str, MetadataFilters] = {
    **{
        o: both_of(f("team", FilterOperator(o), "sea"))
        for o in ("contains", "text_match", "text_match_insensitive", "any", "all", "is_empty")
    },
    "any, list": both_of(f("team", FilterOperator.ANY, ["sea"])),
    "is_empty without a value": both_of(f("team", FilterOperator.IS_EMPTY, None)),
    "not": MetadataFilters(filters=[f("team", EQ, "sea")], condition=FilterCondition.NOT),
    "not, nested": both_of(
        f("n", EQ, 1), MetadataFilters(filters=[f("team", EQ, "sea")], condition=FilterCondition.NOT)
    ),
    "> of text": both_of(f("team", GT, "sea")),
    "<= of text": both_of(f("team", LTE, "sea")),
    "> of a list": both_of(f("n", GT, [1, 2])),
    "== of None": both_of(f("team", EQ, None)),
    "== of a list": both_of(f("team", EQ, ["sea", "hill"])),
    "in of one text": both_of(f("team", IN, "sea")),
    "in of nothing": both_of(f("team", IN, [])),
    "nin of one number": both_of(f("n", NIN, 3)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_filters_that_chroma_lacks_are_refused(filled: Pair, name: str) -> None:
    """What stock refuses is refused, with a message that names the condition, operator or value."""
    for method, arguments in (
        ("get_nodes", (None, REFUSED[name])),
        ("query", (ask("dusk", 3, filters=REFUSED[name]),)),
        ("query", (VectorStoreQuery(similarity_top_k=3, filters=REFUSED[name]),)),
    ):
        told = both_refuse(filled, method, *arguments)
        assert any(part in told for part in ("team", "'n'", "not")), told


def test_nothing_is_deleted_by_a_refused_filter(own: Pair) -> None:
    """A deletion with a filter that is refused deletes nothing."""
    for wanted in REFUSED.values():
        with pytest.raises(InvalidInputError):
            own[1].delete_nodes(["node-01"], wanted)
        with pytest.raises(InvalidInputError):
            own[1].delete_nodes(filters=wanted)
    assert len(same(own, "get_nodes", None)) == 30


# ------------------------------------------------------------------------------------------------------------ deletion


def test_delete_removes_the_nodes_of_a_document(own: Pair) -> None:
    """`delete` removes the nodes whose document has this id, and no others."""
    same(own, "delete", "doc-2")
    same(own, "delete", ref_doc_id="missing")
    same(own, "delete", "doc-4", some_keyword=1)
    assert len(same(own, "get_nodes", None)) == 18
    assert own[0].client.count() == own[1].client.count() == 18


def test_delete_nodes_by_id(own: Pair) -> None:
    """`delete_nodes` removes the named nodes; unknown ids are ignored."""
    same(own, "delete_nodes", ["node-01", "missing", "node-02"])
    same(own, "delete_nodes", node_ids=["missing"])
    assert len(same(own, "get_nodes", None)) == 28


def test_delete_nodes_by_id_and_filter(own: Pair) -> None:
    """Ids and a filter together remove what matches both."""
    same(own, "delete_nodes", ["node-00", "node-01", "node-03"], both_of(f("team", EQ, "sea")))
    left = same(own, "get_nodes", None)
    assert "node-01" in {n.node_id for n in left}
    assert len(left) == 28


def test_clear_empties_the_collection(own: Pair) -> None:
    """`clear` removes every node, and the store can be filled again."""
    same(own, "clear")
    assert same(own, "get_nodes", None) == []
    same(own, "add", corpus()[:3])
    assert len(same(own, "query", ask("dusk", 9)).ids) == 3


# --------------------------------------------------------------------------------- rows that something else has written

ROWS: dict[str, dict[str, Any] | None] = {
    "no metadata": None,
    "user's metadata": {"source": "a.md", "n": 3},
    "legacy": {
        "node_info": json.dumps({"start": 3, "end": 9}),
        "relationships": json.dumps({"1": "doc-7", "2": "prev", "3": "next"}),
        "doc_id": "doc-7",
        "document_id": "doc-7",
        "ref_doc_id": "doc-7",
        "author": "Ann",
    },
    "legacy without relationships": {"node_info": json.dumps({"start": 0, "end": 5}), "author": "Ann"},
    "no node, fields of other stores": {"doc_id": "doc-7", "ref_doc_id": "doc-7", "author": "Ann"},
    "no node, text and id among the metadata": {"text": "t", "id": "x", "author": "Ann"},
    "legacy, with the text among the metadata": {"node_info": "{}", "relationships": "{}", "text": "t", "id": "x"},
}


@pytest.mark.parametrize("name", [n for n in ROWS if n.startswith("no node")])
def test_rows_of_another_door_keep_their_metadata(empty: Pair, name: str) -> None:
    """Of a row without a node stock drops some of the user's fields; here it keeps all of them."""
    raw = empty[1].client.session.collection
    raw.add(ids=["row"], documents=["A row."], embeddings=[embed("row")], metadatas=[ROWS[name]])
    for found in (*empty[1].get_nodes(["row"]), *(empty[1].query(ask("row", 1)).nodes or ())):
        assert (found.node_id, found.metadata) == ("row", ROWS[name])


@pytest.mark.parametrize("name", [n for n in ROWS if not n.startswith("no node")])
def test_rows_without_a_node(empty: Pair, name: str) -> None:
    """Rows that hold no node in today's form come back as stock reads them: text, metadata, links, positions."""
    for store in empty:
        raw = getattr(store.client, "_chroma", store.client)
        raw.add(ids=["row"], documents=["An old row."], embeddings=[embed("row")], metadatas=[ROWS[name]])
    [found] = same(empty, "get_nodes", ["row"])
    assert (found.node_id, found.text) == ("row", "An old row.")
    same(empty, "query", ask("row", 1))
    same(empty, "query", ask("row", 1, mode=VectorStoreQueryMode.MMR))


def test_a_row_with_a_broken_node_still_gives_its_text(empty: Pair) -> None:
    """A row whose `_node_content` cannot be read gives its text, id and metadata."""
    raw = empty[1].client.session.collection
    broken = {"_node_content": "{not json", "_node_type": "TextNode", "author": "Ann"}
    raw.add(ids=["row"], documents=["Broken."], embeddings=[embed("row")], metadatas=[broken])
    for found in (empty[1].get_nodes(["row"]), empty[1].query(ask("row", 1)).nodes):
        assert [(n.node_id, n.text, n.metadata) for n in found] == [("row", "Broken.", {"author": "Ann"})]


def test_what_stock_wrote_ours_reads_and_the_reverse(new_collection: CollectionMaker) -> None:
    """Each class reads what the other one wrote into one collection, field for field."""
    for writer in BOTH:
        raw = new_collection()
        writer(chroma_collection=raw).add([*corpus(), *special_nodes()])
        stock, ours = ChromaVectorStore(chroma_collection=raw), TemporalVectorStore(chroma_collection=raw)
        assert plain(ours.get_nodes()) == plain(stock.get_nodes(None))
        asked = ask("Who praised the harbour?", 8)
        assert plain(ours.query(asked)) == plain(stock.query(asked))


# ------------------------------------------------------------------------------------- stock's defects are not copied


def test_adding_an_id_again_is_no_silent_no_op(empty: Pair) -> None:
    """A node that is added again under its id with other text takes its place (stock keeps the old one, silently)."""
    ours = empty[1]
    ours.add([node("The old remark.", "n1", metadata={"v": 1})])
    assert ours.add([node("A newer remark, quite different.", "n1", metadata={"v": 2})]) == ["n1"]
    [found] = ours.get_nodes(["n1"])
    assert (found.text, found.metadata) == ("A newer remark, quite different.", {"v": 2})
    assert ours.query(ask("A newer remark", 5)).ids == ["n1"]


def test_adding_the_same_node_again_changes_nothing(own: Pair) -> None:
    """Adding the corpus twice leaves it as it is."""
    own[1].add(corpus())
    assert plain(own[1].get_nodes()) == plain(own[0].get_nodes(None))
    assert own[1].client.count(include_superseded=True) == 30


def test_new_metadata_of_a_known_node_is_kept(empty: Pair) -> None:
    """The same node with other metadata has that from then on, in the node and for filters."""
    ours = empty[1]
    ours.add([node("One harbour.", "n1", metadata={"v": 1, "w": 2})])
    ours.add([node("One harbour.", "n1", metadata={"v": 5})])
    [found] = ours.get_nodes(["n1"])
    assert found.metadata["v"] == 5
    assert [n.node_id for n in ours.get_nodes(filters=both_of(f("v", EQ, 5)))] == ["n1"]


def test_delete_nodes_by_filter_alone(own: Pair) -> None:
    """A filter without ids deletes what matches (stock raises or deletes nothing)."""
    own[1].delete_nodes(filters=both_of(f("team", EQ, "sea")))
    assert len(own[1].get_nodes()) == 20
    own[1].delete_nodes([], both_of(f("team", EQ, "hill")))
    assert len(own[1].get_nodes()) == 20


async def test_deleting_nothing_does_nothing(own: Pair) -> None:
    """Neither ids nor filters, or empty ones, delete nothing and raise nothing."""
    ours = own[1]
    for ids, wanted in ((None, None), ([], None), (None, []), (None, MetadataFilters(filters=[])), ([], [])):
        ours.delete_nodes(ids, wanted)
        await ours.adelete_nodes(ids, wanted)
    assert len(ours.get_nodes()) == 30


async def test_clearing_an_empty_collection(empty: Pair) -> None:
    """`clear` and `aclear` of an empty collection do nothing."""
    empty[1].clear()
    await empty[1].aclear()
    assert empty[1].get_nodes() == []


def test_a_source_less_node_is_not_named_none(own: Pair) -> None:
    """Deleting the document "None" leaves nodes alone that have no source, and deletes those of a document "None"."""
    ours = own[1]
    ours.add([node("No source.", "free"), part("None", "h", "Of a document called None.", "odd")])
    ours.delete("None")
    assert {n.node_id for n in ours.get_nodes(["free", "odd"])} == {"free"}


def test_a_document_added_whole_is_deleted_by_its_id(own: Pair) -> None:
    """A node without a source is deleted by its own id too: a document that no splitter cut is its own node."""
    ours = own[1]
    ours.add([node("Whole.", "whole"), part("whole", "h", "A part of it.", "its-part"), node("Other.", "other")])
    ours.delete("whole")
    assert {n.node_id for n in ours.get_nodes(["whole", "its-part", "other"])} == {"other"}


def test_a_list_of_filters_means_all_of_them(filled: Pair) -> None:
    """A list of filters, which stock's signature promises and stock cannot read, means all of them."""
    wanted = [both_of(f("team", EQ, "sea")), either(f("n", EQ, 3), f("n", EQ, 4))]
    assert [n.node_id for n in filled[1].get_nodes(filters=wanted)] == ["node-03"]


def test_an_empty_group_of_filters_is_none(filled: Pair) -> None:
    """Groups without a condition are passed over."""
    assert len(filled[1].get_nodes(filters=MetadataFilters(filters=[]))) == 30
    wanted = both_of(f("n", LT, 3), MetadataFilters(filters=[]))
    assert len(filled[1].query(ask("dusk", 9, filters=wanted)).ids) == 3


def test_doc_ids_of_a_query_narrow_it(filled: Pair) -> None:
    """`doc_ids` of a query, which stock ignores, names the documents to search."""
    for mode in (VectorStoreQueryMode.DEFAULT, VectorStoreQueryMode.MMR):
        found = filled[1].query(ask("quarry", 20, doc_ids=["doc-1", "doc-3"], mode=mode))
        assert {n.ref_doc_id for n in found.nodes} == {"doc-1", "doc-3"}
        assert len(found.ids) == 12
    narrowed = ask("quarry", 20, doc_ids=["doc-1"], filters=both_of(f("team", EQ, "sea")))
    assert len(filled[1].query(narrowed).ids) == 2


@pytest.mark.parametrize("mode", [m for m in VectorStoreQueryMode if m.value not in ("default", "mmr")])
def test_other_query_modes_raise(filled: Pair, mode: VectorStoreQueryMode) -> None:
    """A mode that Chroma lacks raises and names the ones there are (stock answers as if it were the default)."""
    for vector in (embed("quarry"), None):
        with pytest.raises(InvalidInputError, match=f"(?s){mode.value}.*default.*mmr"):
            filled[1].query(VectorStoreQuery(query_embedding=vector, similarity_top_k=3, mode=mode))


def test_mmr_without_a_vector_raises(filled: Pair) -> None:
    """MMR without a query vector raises instead of listing unranked rows."""
    with pytest.raises(InvalidInputError, match="embedding"):
        filled[1].query(VectorStoreQuery(similarity_top_k=3, mode=VectorStoreQueryMode.MMR))


def test_on_disk_as_in_memory(tmp_path: Path) -> None:
    """Collections of a persistent client answer alike, too."""
    opened = chromadb.PersistentClient(path=str(tmp_path / "db"))
    pair = tuple(cls(chroma_collection=opened.create_collection(cls.__name__, embedding_function=None)) for cls in BOTH)
    same(pair, "add", corpus())
    same(pair, "query", ask("Who praised the chapel?", 7))
    same(pair, "delete", "doc-1")
    assert len(same(pair, "get_nodes", None)) == 24
    opened.close()
