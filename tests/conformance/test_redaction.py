"""A text of many facts, of which some went stale: every reader of both doors gets the rest of it, readable."""

from __future__ import annotations

from typing import Any

import pytest
from llama_index.core.vector_stores.types import MetadataFilter, MetadataFilters

from memstrata_integrations.chroma.fields import PARTIAL
from memstrata_integrations.langchain import TemporalVectorStore as ChainStore
from memstrata_integrations.redaction import matches

from .lexical import LexicalEmbeddings
from .llama import ask, fresh_collections
from .redacting import (
    FEW,
    FILTERED,
    IDS,
    MMR,
    MODES,
    NOTE,
    PAGE,
    QUESTION,
    READERS,
    WITHOUT_PORT,
    PageDoor,
    Plain,
    by_id,
    door,
    evolve,
    evolved,
)

__all__ = ["door", "evolved"]

EVERY = [(door, reader) for door, readers in READERS.items() for reader in readers]


# ------------------------------------------------------------------------------------------------------ every reader


@pytest.mark.parametrize(("name", "reader"), EVERY)
def test_every_reader_gets_the_page_as_it_is_or_was_valid(name: str, reader: str) -> None:
    door = evolve(PageDoor(name))
    assert door.page(reader) == WITHOUT_PORT
    assert door.page(reader, as_of="2024-02-01") == PAGE
    assert door.page(reader, as_of="2024-03-15") == WITHOUT_PORT
    assert door.page(reader, known_at="2024-03-15") == PAGE  # the change was not known yet
    assert door.page(reader, as_of="2024-03-15", known_at="2024-03-15") == PAGE
    assert door.page(reader, as_of="2024-03-15", known_at="2024-05-01") == WITHOUT_PORT
    assert door.page(reader, as_of="2024-02-01", known_at="2024-05-01") == PAGE
    assert door.page(reader, include_superseded=True) == PAGE
    assert door.told(reader)["port-2"] == "The port is 9090."
    assert "port-2" not in door.told(reader, as_of="2024-02-01")


@pytest.mark.parametrize(("name", "reader"), EVERY)
def test_every_reader_knows_what_to_do_with_the_stale_parts(name: str, reader: str) -> None:
    door = evolve(PageDoor(name))
    for mode, text in MODES.items():
        assert door.page(reader, stale=mode) == text, mode
        assert door.page(reader, stale=mode, as_of="2024-02-01") == PAGE, mode
        assert door.page(reader, stale=mode, include_superseded=True) == PAGE, mode
        other = evolve(PageDoor(name, stale=mode))
        assert other.page(reader) == text, mode
        assert other.page(reader, stale="keep") == PAGE, mode
        assert other.page(reader, stale="redact") == WITHOUT_PORT, mode


@pytest.mark.parametrize("stale", MODES)
def test_as_many_rows_are_counted_as_a_reader_gets(stale: str) -> None:
    store = evolve(PageDoor("langchain", stale=stale)).collection
    for asked in ({}, {"as_of": "2024-02-01"}, {"include_superseded": True}, {"known_at": "2024-02-01"}):
        assert store.count(**asked) == len(store.get(**asked)["ids"]), asked


def test_an_annotation_as_known_earlier_says_what_it_said_then(evolved: PageDoor) -> None:
    was = evolved.page(stale="annotate")
    assert was == MODES["annotate"]
    evolved.add("The port is 7070.", "port-3", "2024-03-01")  # corrects 9090
    assert "by 7070]" in str(evolved.page(stale="annotate"))
    evolved.store.undo("port-3")
    evolved.store.undo("port-2")
    assert NOTE not in str(evolved.page(stale="annotate"))
    assert evolved.page(stale="annotate", known_at="2024-05-01", as_of="2024-06-01") == was


async def test_async_readers_redact() -> None:
    chain, index = (evolve(PageDoor(kind)).store for kind in READERS)
    asked: dict[str, Any]
    for asked, want in (({}, WITHOUT_PORT), ({"as_of": "2024-02-01"}, PAGE), ({"stale": "keep"}, PAGE)):
        for found in (
            await chain.asimilarity_search(QUESTION, **FEW, **asked),
            await chain.asimilarity_search_with_score(QUESTION, **FEW, **asked),
            await chain.amax_marginal_relevance_search(QUESTION, **MMR, **asked),
            await chain.aget_by_ids(IDS, **asked),
            await chain.as_retriever().ainvoke(QUESTION, **FEW, **asked),
            await index.aquery(ask(QUESTION, 20), **asked),
            await index.aget_nodes(**asked),
        ):
            assert by_id(found)["page"] == want


# ------------------------------------------------------------------------------------------------------- many filters


def test_a_metadata_filter_sees_redacted_rows() -> None:
    """Alone, and beside a filter of texts."""
    chain, index = (evolve(PageDoor(kind)).store for kind in READERS)
    more: dict[str, Any]
    for chosen, more, ids in (
        ({"source": "a.md"}, {}, {"page"}),
        ({"level": {"$gte": 2}}, {}, {"noise-0", "noise-1", "port-2"}),
        ({"source": "a.md"}, {"where_document": {"$contains": "8080"}}, set()),
        ({"source": "a.md"}, {"where_document": {"$contains": "lunch"}}, {"page"}),
    ):
        for found in (
            chain.similarity_search(QUESTION, **FEW, filter=chosen, **more),
            chain.max_marginal_relevance_search(QUESTION, **MMR, filter=chosen, **more),
            chain.get(where=chosen, **more),
            index.query(ask(QUESTION, 20), where=chosen, **more),
        ):
            texts = by_id(found)
            assert set(texts) == ids
            assert texts.get("page", WITHOUT_PORT) == WITHOUT_PORT
    filters = MetadataFilters(filters=[MetadataFilter(key="source", value="a.md")])
    assert by_id(index.query(ask(QUESTION, 20, filters=filters))) == {"page": WITHOUT_PORT}
    assert by_id(index.query(ask(QUESTION, 20, filters=filters), as_of="2024-02-01")) == {"page": PAGE}
    assert by_id(index.get_nodes(filters=filters)) == {"page": WITHOUT_PORT}
    assert chain.similarity_search("port", filter={"source": "a.md"}, stale="drop") == []


HITS: list[tuple[dict[str, Any], bool, bool]] = [  # the clause, is the page found now, and as of February
    ({"$contains": "8080"}, False, True),
    ({"$contains": "The port is"}, False, True),
    ({"$contains": "lunch"}, True, True),
    ({"$contains": "zebra"}, False, False),
    ({"$not_contains": "zebra"}, True, True),
    ({"$not_contains": "lunch"}, False, False),
    ({"$not_contains": "8080"}, True, False),
    ({"$not_regex": "is 80[0-9]{2}"}, True, False),
    ({"$and": [{"$not_contains": "8080"}, {"$contains": "lunch"}]}, True, False),
    ({"$and": [{"$not_contains": "8080"}, {"$contains": "zebra"}]}, False, False),
    ({"$or": [{"$not_contains": "8080"}, {"$contains": "zebra"}]}, True, False),
    ({"$regex": "80[0-9]{2}"}, False, True),
    ({"$regex": "(?i)LUNCH\\."}, True, True),
    ({"$regex": "[[:upper:]]eploys"}, True, True),  # as Rust reads it, which Python's `re` does not
    ({"$regex": r"The port is \p{Nd}{4}\."}, False, True),
    ({"$not_regex": "zeb.a"}, True, True),
    ({"$and": [{"$contains": "lunch"}, {"$contains": "8080"}]}, False, True),
    ({"$and": [{"$contains": "lunch"}, {"$contains": "ann"}]}, True, True),
    ({"$and": [{"$contains": "8080"}, {"$not_contains": "zebra"}]}, False, True),
    ({"$or": [{"$contains": "lunch"}, {"$contains": "8080"}]}, True, True),
    ({"$or": [{"$contains": "zebra"}, {"$contains": "8080"}]}, False, True),
    ({"$or": [{"$and": [{"$contains": "ann"}, {"$regex": "8080"}]}, {"$contains": "9090"}]}, False, True),
]


@pytest.mark.parametrize(("clause", "now", "past"), HITS, ids=[str(clause) for clause, _, _ in HITS])
def test_a_text_filter_that_hits_a_redacted_part_misses(
    evolved: PageDoor, clause: dict[str, Any], now: bool, past: bool
) -> None:
    for reader in FILTERED[evolved.kind]:
        assert evolved.page(reader, where_document=clause) == (WITHOUT_PORT if now else None), reader
        for asked in ({"as_of": "2024-02-01"}, {"known_at": "2024-03-15"}, {"stale": "keep"}):
            assert evolved.page(reader, where_document=clause, **asked) == (PAGE if past else None), (reader, asked)
        annotated = evolved.page(reader, where_document=clause, stale="annotate")
        assert (annotated is not None) == past, reader
        assert evolved.page(reader, where_document=clause, stale="drop") is None, reader


PATTERNS = [
    "[[:upper:]]eploys", r"\p{Nd}{4}\.", r"9\.\n\z", "(?i)DEPLOYS", "(?-u)lunch", "^b$", "(?m)^b$", "a.b", "(?s)a.b",
    r"\d\d", "[a-z&&[^b]]$", r"(?x) a \n b", r"\x{64}eploys", "(?P<n>po)rt", r"\bport\b", "(?R)a$", r"\<port\>",
    r"\A\z", "(?i)ü", r"[\w--\d]+ç", "a{2,}?", "x*", r"\pL\PL",
]  # fmt: skip
TEXTS = [PAGE, "deploys", "Ünï çode ٣٤ port", "a\nb", "DEPLOYS\r\nx", "9.\n", "x", "aa Ü"]


@pytest.mark.parametrize("operator", ["$regex", "$not_regex"])
def test_a_pattern_finds_in_a_text_what_chroma_would_find(client: Any, operator: str) -> None:
    with fresh_collections(client) as collection:
        stored = collection()
        ids = [str(n) for n in range(len(TEXTS))]
        stored.add(ids=ids, documents=TEXTS, embeddings=[[1.0, 0.0]] * len(TEXTS))
        for pattern in PATTERNS:
            clause = {operator: pattern}
            want = stored.get(where_document=clause)["ids"]
            assert [i for i, text in zip(ids, TEXTS, strict=True) if matches(clause, text)] == sorted(want), pattern
    assert not matches({operator: "(?=port)"}, "The port is 80.")  # no pattern of Rust's


def test_a_text_filter_judges_what_is_left_of_a_page(door: PageDoor) -> None:
    """Ten pages hit or miss by their stale part only: as many rows come as are asked for, and the right ones."""
    for n in range(10):
        door.add(f"The port is 8080. Harbour {n} opens at six.", f"old-{n}", "2024-01-01")
    live = "Once port 8080 was painted on the harbour wall. Nets dry behind the chapel."
    door.add(live, "live", "2024-01-01")
    door.add("The port is 9090.", "new", "2024-02-01")
    hit = {"$contains": "8080"}
    assert door.search(QUESTION, 1, where_document=hit) == [live]
    assert door.collection.get(limit=1, where_document=hit)["ids"] == ["live"]
    for missed in ({"$not_contains": "port"}, {"$not_regex": "80|90"}):
        found = door.search(QUESTION, 7, where_document=missed)
        assert [text.startswith("Harbour") for text in found] == [True] * 7, missed
        listed = door.collection.get(limit=7, offset=1, where_document=missed)["ids"]
        assert listed == [f"old-{n}" for n in range(1, 8)], missed


def test_only_rows_that_are_live_in_part_keep_chroma_from_judging_texts(door: PageDoor) -> None:
    """A page with prose is none until one of its facts is over, so that filters on static texts cost what they cost."""
    stored = door.collection.session.collection
    door.add(PAGE, "page", "2024-01-01")
    door.add("The depth is 12.", "single")
    assert stored.get(where={PARTIAL: 1})["ids"] == []
    door.add("The port is 9090.", "new")
    assert stored.get(where={PARTIAL: 1})["ids"] == ["page"]
    door.store.undo(door.store.last_changes)
    assert stored.get(where={PARTIAL: 1})["ids"] == []


# ------------------------------------------------------------------------------------ what is shown of the original


def test_history_and_explain_show_the_original(evolved: PageDoor) -> None:
    statements = [e.statement for e in evolved.store.history("port")]
    assert statements == ["The port is 8080.", "The port is 9090."]
    assert "The port is 8080." in [e.statement for e in evolved.store.history(id="page")]
    said = str(evolved.store.explain("page"))
    assert "The port is 8080." in said
    assert "superseded" in said
    assert evolved.store.explain("page").status == "current"


def test_the_row_goes_when_nothing_live_is_left(door: PageDoor) -> None:
    door.add("The port is 8080. The quota is 50.", "page", "2024-01-01")
    door.add("The port is 9090.", "port-2", "2024-02-01")
    assert door.page() == "The quota is 50."
    door.add("The quota is 60.", "quota-2", "2024-03-01")
    assert sorted(door.told()) == ["port-2", "quota-2"]
    for reader in READERS[door.kind]:
        assert door.page(reader) is None, reader
        for mode in ("annotate", "keep", "drop"):
            assert door.page(reader, stale=mode) is None, (reader, mode)
        assert door.page(reader, as_of="2024-02-15") == "The quota is 50.", reader
        assert door.page(reader, as_of="2024-01-15") == "The port is 8080. The quota is 50.", reader
    assert door.collection.count() == 2
    assert sorted(door.collection.peek(20)["ids"]) == sorted(door.collection.get()["ids"]) == ["port-2", "quota-2"]


def test_one_door_reads_what_the_other_wrote() -> None:
    index = evolve(PageDoor("llama_index"))
    chain = ChainStore(index.name, LexicalEmbeddings(), client=index.client, extractor=Plain(), clock=index.clock)
    assert chain.get_by_ids(["page"])[0].page_content == WITHOUT_PORT
    assert chain.get_by_ids(["page"], as_of="2024-02-01")[0].page_content == PAGE
