"""Every kind of node, and every kind of row that something else has written, comes back as from stock.

The texts carry no facts, so time plays no part here.
"""

from __future__ import annotations

import json
from typing import Any

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
from llama_index.vector_stores.chroma import ChromaVectorStore

from memstrata_integrations.llama_index import TemporalVectorStore

from .llama import CollectionMaker, ask, embed
from .stock import Pair, corpus, empty, same

__all__ = ["empty"]


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
    assert same(empty, "query", ask("harbour", 1)).ids
    assert {**found.to_dict(), "embedding": None} == {**one.to_dict(), "embedding": None}
    assert found.hash == one.hash


def test_writing_leaves_the_nodes_alone(empty: Pair) -> None:
    """A node that was added is unchanged: metadata, hash and vector."""
    given, before = special_nodes(), [(n.to_dict(), n.hash) for n in special_nodes()]
    empty[1].add(given)
    assert [(n.to_dict(), n.hash) for n in given] == before


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


def add_row(store: Any, metadata: dict[str, Any] | None) -> None:
    """Add a row to what lies beneath a store, as other code does."""
    raw = getattr(store.client, "_chroma", store.client)
    raw.add(ids=["row"], documents=["An old row."], embeddings=[embed("row")], metadatas=[metadata])


@pytest.mark.parametrize("name", [n for n in ROWS if n.startswith("no node")])
def test_rows_of_another_door_keep_their_metadata(empty: Pair, name: str) -> None:
    """Of a row without a node stock drops some of the user's fields; here it keeps all of them."""
    add_row(empty[1], ROWS[name])
    for found in (*empty[1].get_nodes(["row"]), *(empty[1].query(ask("row", 1)).nodes or ())):
        assert (found.node_id, found.metadata) == ("row", ROWS[name])


@pytest.mark.parametrize("name", [n for n in ROWS if not n.startswith("no node")])
def test_rows_without_a_node(empty: Pair, name: str) -> None:
    """Rows that hold no node in today's form come back as stock reads them: text, metadata, links, positions."""
    for store in empty:
        add_row(store, ROWS[name])
    [found] = same(empty, "get_nodes", ["row"])
    assert (found.node_id, found.text) == ("row", "An old row.")
    for mode in ("default", "mmr"):
        same(empty, "query", ask("row", 1, mode=mode))


def test_a_row_with_a_broken_node_still_gives_its_text(empty: Pair) -> None:
    """A row whose `_node_content` cannot be read gives its text, id and metadata."""
    add_row(empty[1], {"_node_content": "{not json", "_node_type": "TextNode", "author": "Ann"})
    for found in (empty[1].get_nodes(["row"]), empty[1].query(ask("row", 1)).nodes):
        assert [(n.node_id, n.text, n.metadata) for n in found] == [("row", "An old row.", {"author": "Ann"})]


def test_what_stock_wrote_ours_reads_and_the_reverse(new_collection: CollectionMaker) -> None:
    """Each class reads what the other one wrote into one collection, field for field."""
    for writer in (0, 1):
        raw = new_collection()
        pair = ChromaVectorStore(chroma_collection=raw), TemporalVectorStore(chroma_collection=raw)
        pair[writer].add([*corpus(), *special_nodes()])
        same(pair, "get_nodes", None)
        same(pair, "query", ask("Who praised the harbour?", 8))
