"""What stock `ChromaVectorStore` answers and deletes, filters and all, held for `TemporalVectorStore` beside it.

Both stores get the same calls and must give the same: ids, every field of every node, similarities, order. Where stock
has a defect that is not copied, the last section says what ours does instead.
"""

from collections.abc import Callable
from typing import Any

import pytest
from llama_index.core.vector_stores.types import MetadataFilters, VectorStoreQuery, VectorStoreQueryMode

from memstrata_integrations.errors import InvalidInputError

from .llama import ask, embed, node, part, plain
from .stock import THINGS, Pair, both_of, both_refuse, corpus, either, f, filled, own, same

__all__ = ["filled", "own"]


def listing(k: int, vector: Any = None, **more: Any) -> VectorStoreQuery:
    return VectorStoreQuery(query_embedding=vector, similarity_top_k=k, **more)


ALL = ["documents", "metadatas", "distances", "embeddings"]
DUSK = ask("dusk", 5)
READS: dict[str, tuple[str, tuple[Any, ...], dict[str, Any], int]] = {  # method, arguments, keywords, how many
    "all nodes": ("get_nodes", (None,), {}, 30),
    "an empty list means all": ("get_nodes", ([],), {}, 30),
    "by keyword": ("get_nodes", (), {"node_ids": None, "filters": None}, 30),
    "a node by id": ("get_nodes", (["node-03"],), {}, 1),
    "nodes by id": ("get_nodes", (["node-04", "node-02", "missing"],), {}, 2),
    "a missing node": ("get_nodes", (), {"node_ids": ["missing"], "filters": None}, 0),
    "filters of dictionaries": ("get_nodes", (None, MetadataFilters.from_dicts(
        [{"key": "team", "value": "sea"}, {"key": "n", "value": 9, "operator": "<"}])), {}, 3),
    "no vector": ("query", (listing(3),), {}, 3),
    "an empty vector": ("query", (listing(3, []),), {}, 3),
    "no vector, but filters": ("query", (listing(4, filters=both_of(f("n", ">=", 20))),), {}, 4),
    "an empty vector, but filters": ("query", (listing(4, [], filters=both_of(f("n", ">=", 20))),), {}, 4),
    "no vector, and nothing matches": ("query", (listing(4, filters=both_of(f("n", "==", 99))),), {}, 0),
    "no vector, a condition": ("query", (listing(9),), {"where": {"n": {"$lt": 2}}}, 2),
    "no vector, a condition on the text": ("query", (listing(9),), {"where_document": {"$contains": "quarry"}}, 6),
    "a condition": ("query", (DUSK,), {"where": {"team": "sea"}}, 5),
    "a condition on a truth value, which filters cannot hold": (
        "query", (ask("dusk", 30),), {"where": {"draft": True}}, 8),
    "a condition on the text": ("query", (DUSK,), {"where_document": {"$contains": "year 2 "}}, 1),
    "columns": ("query", (DUSK,), {"where": {"n": {"$gte": 9}}, "include": ALL}, 5),
    "no condition": ("query", (DUSK,), {"where": None}, 5),
    "MMR where fewer match than are wanted": (
        "query", (ask("quarry", 10, mode="mmr"),), {"mmr_threshold": 0.1, "where": {"n": {"$lt": 5}}}, 5),
    "MMR where more are wanted than there are": (
        "query", (ask("quarry", 40, mode="mmr"),), {"mmr_threshold": 0.1, "where": {"n": {"$lt": 5}}}, 5),
}  # fmt: skip


def count(found: Any) -> int:
    return len(found if isinstance(found, list) else found.ids)


@pytest.mark.parametrize("name", READS)
def test_a_read_is_stocks(filled: Pair, name: str) -> None:
    method, arguments, keywords, expected = READS[name]
    assert count(same(filled, method, *arguments, **keywords)) == expected


@pytest.mark.parametrize("k", [1, 4, 30, 45])
def test_query(filled: Pair, k: int) -> None:
    for thing in THINGS:
        found = same(filled, "query", ask(f"Who praised the {thing}?", k))
        assert len(found.ids) == min(k, 30)
        assert found.similarities == sorted(found.similarities, reverse=True)


MMR: list[dict[str, Any]] = [
    {},
    *({"mmr_threshold": threshold} for threshold in (0.1, 0.9, 0, 1)),
    {"mmr_prefetch_factor": 1.0}, {"mmr_prefetch_factor": 2.5, "mmr_threshold": 0.3},
    {"mmr_prefetch_k": 25, "mmr_threshold": 0.2}, {"mmr_prefetch_k": 2},
    {"where": {"team": "hill"}, "mmr_threshold": 0.2}, {"where_document": {"$contains": "quarry"}},
]  # fmt: skip


@pytest.mark.parametrize("arguments", MMR, ids=str)
def test_mmr(filled: Pair, arguments: dict[str, Any]) -> None:
    for thing in THINGS:
        assert count(same(filled, "query", ask(f"Who praised the {thing}?", 4, mode="mmr"), **arguments)) == 4


def test_mmr_is_no_plain_ranking(filled: Pair) -> None:
    """MMR with a low threshold differs from the plain order: the test above compares something."""
    asked = [ask(f"Who praised the {t}?", 4, mode="mmr") for t in THINGS]
    diverse = [filled[1].query(q, mmr_threshold=0.1).ids for q in asked]
    assert diverse != [filled[1].query(ask(f"Who praised the {t}?", 4)).ids for t in THINGS]


QUARRY = ask("quarry", 4, mode="mmr")
REFUSED_ARGUMENTS: list[tuple[VectorStoreQuery, dict[str, Any], str]] = [
    *((QUARRY, {"mmr_threshold": threshold}, "") for threshold in (1.5, -0.1, "high")),
    (QUARRY, {"mmr_prefetch_factor": 2.0, "mmr_prefetch_k": 9}, ""),
    (QUARRY, {"where": {}, "colour": "red"}, ""),
    (DUSK, {"colour": "red"}, "colour"),
    (ask("dusk", 5, filters=both_of(f("team", "==", "sea"))), {"where": {"n": 1}}, "both"),
]


@pytest.mark.parametrize(("asked", "arguments", "told"), REFUSED_ARGUMENTS, ids=str)
def test_bad_arguments_of_a_query_are_refused(filled: Pair, asked: Any, arguments: dict[str, Any], told: str) -> None:
    assert told in both_refuse(filled, "query", asked, **arguments)


FILTERS: dict[str, tuple[MetadataFilters, int]] = {
    "text ==": (both_of(f("team", "==", "sea")), 10), "int ==": (both_of(f("n", "==", 7)), 1),
    "float ==": (both_of(f("weight", "==", 0.25)), 1), "text !=": (both_of(f("team", "!=", "sea")), 20),
    "int !=": (both_of(f("n", "!=", 7)), 29), "!= of a field that many lack": (both_of(f("note", "!=", "x")), 30),
    ">": (both_of(f("n", ">", 20)), 9), ">=": (both_of(f("n", ">=", 20)), 10), "<": (both_of(f("weight", "<", 1.0)), 4),
    "<=": (both_of(f("weight", "<=", 1.0)), 5), "in, text": (both_of(f("team", "in", ["sea", "hill"])), 20),
    "in, int": (both_of(f("n", "in", [1, 2, 99])), 2), "in, float": (both_of(f("weight", "in", [0.25, 0.5])), 2),
    "nin, text": (both_of(f("team", "nin", ["sea", "hill"])), 10), "nin, int": (both_of(f("n", "nin", [1, 2])), 28),
    "no such field": (both_of(f("nowhere", "==", 1)), 0), "empty text for None": (both_of(f("note", "==", "")), 5),
    "the document": (both_of(f("document_id", "==", "doc-2")), 6),
    "the document, under other names": (both_of(f("doc_id", "==", "doc-2"), f("ref_doc_id", "==", "doc-2")), 6),
    "the type": (both_of(f("_node_type", "==", "TextNode")), 30),
    "and": (both_of(f("team", "==", "sea"), f("n", "<", 10)), 4),
    "or": (either(f("team", "==", "sea"), f("n", "<", 10)), 16), "and of one": (both_of(f("n", "<", 10)), 10),
    "or of one": (either(f("n", "<", 10)), 10),
    "nested": (both_of(f("n", ">=", 10), either(f("team", "==", "sea"), f("team", "==", "hill"))), 13),
    "nested twice": (
        either(both_of(f("n", "<", 3), either(f("n", "==", 1), f("n", "==", 9))), both_of(f("n", "==", 5))), 2,
    ),
    "no condition named": (MetadataFilters(filters=[f("team", "==", "sea"), f("n", "<", 10)], condition=None), 4),
}  # fmt: skip


@pytest.mark.parametrize("name", FILTERS)
def test_filters(filled: Pair, name: str) -> None:
    wanted, expected = FILTERS[name]
    assert count(same(filled, "get_nodes", None, wanted)) == expected
    for asked in (ask("quarry at dusk", 30, filters=wanted), listing(30, filters=wanted)):
        assert count(same(filled, "query", asked)) == expected
    same(filled, "query", ask("quarry at dusk", 4, filters=wanted, mode="mmr"))


NOT = MetadataFilters(filters=[f("team", "==", "sea")], condition="not")
REFUSED: dict[str, MetadataFilters] = {
    **{o: both_of(f("team", o, "sea")) for o in "contains text_match text_match_insensitive any all is_empty".split()},
    "any, list": both_of(f("team", "any", ["sea"])), "is_empty without a value": both_of(f("team", "is_empty", None)),
    "not": NOT, "not, nested": both_of(f("n", "==", 1), NOT), "> of text": both_of(f("team", ">", "sea")),
    "<= of text": both_of(f("team", "<=", "sea")), "> of a list": both_of(f("n", ">", [1, 2])),
    "== of None": both_of(f("team", "==", None)), "== of a list": both_of(f("team", "==", ["sea", "hill"])),
    "in of one text": both_of(f("team", "in", "sea")), "in of nothing": both_of(f("team", "in", [])),
    "nin of one number": both_of(f("n", "nin", 3)),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_filters_that_chroma_lacks_are_refused(filled: Pair, name: str) -> None:
    """What stock refuses is refused, with a message that names the condition, operator or value; nothing is deleted."""
    wanted = REFUSED[name]
    for method, arguments in (
        ("get_nodes", (None, wanted)),
        ("query", (ask("dusk", 3, filters=wanted),)),
        ("query", (listing(3, filters=wanted),)),
    ):
        told = both_refuse(filled, method, *arguments)
        assert any(part in told for part in ("team", "'n'", "not")), told
    for ids in (["node-01"], None):
        with pytest.raises(InvalidInputError):
            filled[1].delete_nodes(ids, wanted)
    assert len(filled[1].get_nodes()) == 30


SEA = both_of(f("team", "==", "sea"))
DELETIONS: dict[str, tuple[list[Callable[[Pair], Any]], int]] = {
    "the nodes of a document, and no others": ([
        lambda p: same(p, "delete", "doc-2"),
        lambda p: same(p, "delete", ref_doc_id="missing"),
        lambda p: same(p, "delete", "doc-4", some_keyword=1),
    ], 18),
    "the named nodes; unknown ids are ignored": ([
        lambda p: same(p, "delete_nodes", ["node-01", "missing", "node-02"]),
        lambda p: same(p, "delete_nodes", node_ids=["missing"]),
    ], 28),
    "ids and a filter: both match": ([lambda p: same(p, "delete_nodes", ["node-00", "node-01", "node-03"], SEA)], 28),
    "`clear`: every node": ([lambda p: same(p, "clear")], 0),
}  # fmt: skip


@pytest.mark.parametrize("name", DELETIONS)
def test_a_deletion_is_stocks(own: Pair, name: str) -> None:
    """See the names of the table; the store can be filled again."""
    calls, left = DELETIONS[name]
    for call in calls:
        call(own)
    assert count(same(own, "get_nodes", None)) == own[0].client.count() == own[1].client.count() == left
    same(own, "add", [node("A new harbour.", "new")])
    assert same(own, "query", ask("new harbour", 1)).ids == ["new"]


async def test_deleting_by_a_filter_alone_and_by_nothing(own: Pair) -> None:
    """A filter without ids deletes what matches (stock raises or deletes nothing), an empty list of ids nothing.

    Neither ids nor filters, or empty ones, delete nothing and raise nothing; nor does `clear` of what is empty.
    """
    ours = own[1]
    for alone, match in ((None, SEA), ([], both_of(f("team", "==", "hill")))):
        ours.delete_nodes(alone, match)
        assert len(ours.get_nodes()) == 20
    for ids, wanted in ((None, None), ([], None), (None, []), (None, MetadataFilters(filters=[])), ([], [])):
        ours.delete_nodes(ids, wanted)
        await ours.adelete_nodes(ids, wanted)
    assert len(ours.get_nodes()) == 20
    for _ in range(2):
        ours.clear()
        await ours.aclear()
    assert ours.get_nodes() == []


def test_a_document_is_deleted_by_its_id_alone(own: Pair) -> None:
    """A node that no splitter cut is its own document; the document "None" is not that of nodes without a source."""
    ours = own[1]
    ours.add([node("Whole.", "whole"), part("whole", "h", "A part of it.", "its-part"), node("Other.", "other")])
    ours.add([part("None", "h", "Of a document called None.", "odd")])
    ours.delete("None")
    ours.delete("whole")
    assert [n.node_id for n in ours.get_nodes(["whole", "its-part", "other", "odd"])] == ["other"]


def test_adding_the_same_nodes_again_changes_nothing(own: Pair) -> None:
    own[1].add(corpus())
    assert plain(own[1].get_nodes()) == plain(own[0].get_nodes(None))
    assert own[1].client.count(include_superseded=True) == 30


def test_filters_in_lists_and_empty_groups(filled: Pair) -> None:
    """A list of filters, which stock's signature promises and stock cannot read, means all; empty groups mean none."""
    wanted = [SEA, either(f("n", "==", 3), f("n", "==", 4))]
    assert [n.node_id for n in filled[1].get_nodes(filters=wanted)] == ["node-03"]
    assert len(filled[1].get_nodes(filters=MetadataFilters(filters=[]))) == 30
    wanted_three = both_of(f("n", "<", 3), MetadataFilters(filters=[]))
    assert count(filled[1].query(ask("dusk", 9, filters=wanted_three))) == 3


def test_doc_ids_of_a_query_narrow_it(filled: Pair) -> None:
    for mode in ("default", "mmr"):
        found = filled[1].query(ask("quarry", 20, doc_ids=["doc-1", "doc-3"], mode=mode))
        assert {n.ref_doc_id for n in found.nodes} == {"doc-1", "doc-3"}
        assert len(found.ids) == 12
    assert count(filled[1].query(ask("quarry", 20, doc_ids=["doc-1"], filters=SEA))) == 2


@pytest.mark.parametrize("mode", [m for m in VectorStoreQueryMode if m.value not in ("default", "mmr")])
def test_other_query_modes_raise(filled: Pair, mode: VectorStoreQueryMode) -> None:
    """A mode that Chroma lacks raises and names the ones there are (stock answers as if it were the default).

    So does MMR without a vector, instead of listing unranked rows.
    """
    for vector in (embed("quarry"), None):
        with pytest.raises(InvalidInputError, match=f"(?s){mode.value}.*default.*mmr"):
            filled[1].query(listing(3, vector, mode=mode))
    with pytest.raises(InvalidInputError, match="embedding"):
        filled[1].query(listing(3, mode="mmr"))
