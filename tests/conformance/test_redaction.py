"""A text of many facts, of which some went stale: every reader of both doors gets the rest of it, readable."""

from __future__ import annotations

from typing import Any

import pytest
from llama_index.core.vector_stores.types import MetadataFilter, MetadataFilters

from memstrata_integrations.chroma.fields import PARTIAL
from memstrata_integrations.langchain import TemporalVectorStore as ChainStore
from memstrata_integrations.redaction import matches

from .conftest import StillClock
from .lexical import LexicalEmbeddings
from .llama import ask, fresh_collections
from .redacting import (
    FILTERED,
    IDS,
    NOTE,
    PAGE,
    QUESTION,
    READERS,
    WITHOUT_PORT,
    OpenDoor,
    PageDoor,
    Plain,
    documents_of,
    door,
    evolve,
    evolved,
    nodes_of,
    open_door,
    rows_of,
)

__all__ = ["door", "evolved", "open_door"]

EVERY = [(door, reader) for door, readers in READERS.items() for reader in readers]


# ------------------------------------------------------------------------------------------------------ every reader


@pytest.mark.parametrize(("name", "reader"), EVERY)
def test_every_reader_gets_the_page_as_it_is_or_was_valid(
    open_door: OpenDoor, clock: StillClock, name: str, reader: str
) -> None:
    door = evolve(open_door(name), clock)
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
def test_every_reader_knows_what_to_do_with_the_stale_parts(
    open_door: OpenDoor, clock: StillClock, name: str, reader: str
) -> None:
    noted = PAGE.replace("8080.", f"8080. {NOTE}")
    want = {"redact": WITHOUT_PORT, "annotate": noted, "drop": None, "keep": PAGE}
    door = evolve(open_door(name), clock)
    for mode, text in want.items():
        assert door.page(reader, stale=mode) == text, mode
        assert door.page(reader, stale=mode, as_of="2024-02-01") == PAGE, mode
        assert door.page(reader, stale=mode, include_superseded=True) == PAGE, mode
    for mode, text in want.items():
        other = evolve(open_door(name, stale=mode), clock)
        assert other.page(reader) == text, mode
        assert other.page(reader, stale="keep") == PAGE, mode
        assert other.page(reader, stale="redact") == WITHOUT_PORT, mode


@pytest.mark.parametrize("stale", ["redact", "annotate", "drop", "keep"])
def test_as_many_rows_are_counted_as_a_reader_gets(open_door: OpenDoor, clock: StillClock, stale: str) -> None:
    store = evolve(open_door("langchain", stale=stale), clock).store.temporal_collection
    for asked in ({}, {"as_of": "2024-02-01"}, {"include_superseded": True}, {"known_at": "2024-02-01"}):
        assert store.count(**asked) == len(store.get(**asked)["ids"]), asked


def test_an_annotation_as_known_earlier_says_what_it_said_then(evolved: PageDoor, clock: StillClock) -> None:
    was = evolved.page(stale="annotate")
    assert NOTE in str(was)
    evolved.add("The port is 7070.", "port-3", "2024-03-01")  # corrects 9090
    assert "by 7070]" in str(evolved.page(stale="annotate"))
    evolved.store.undo("port-3")
    evolved.store.undo("port-2")
    assert NOTE not in str(evolved.page(stale="annotate"))
    assert evolved.page(stale="annotate", known_at="2024-05-01", as_of="2024-06-01") == was


async def test_async_readers_redact(open_door: OpenDoor, clock: StillClock) -> None:
    chain = evolve(open_door("langchain"), clock).store
    index = evolve(open_door("llama_index"), clock).store
    asked: dict[str, Any]
    for asked, want in (({}, WITHOUT_PORT), ({"as_of": "2024-02-01"}, PAGE), ({"stale": "keep"}, PAGE)):
        for found in (
            await chain.asimilarity_search(QUESTION, k=20, **asked),
            await chain.asimilarity_search_with_score(QUESTION, k=20, **asked),
            await chain.amax_marginal_relevance_search(QUESTION, k=20, fetch_k=30, **asked),
            await chain.aget_by_ids(IDS, **asked),
            await chain.as_retriever().ainvoke(QUESTION, k=20, **asked),
        ):
            assert documents_of(found)["page"] == want
        for nodes in (await index.aquery(ask(QUESTION, 20), **asked), await index.aget_nodes(**asked)):
            assert nodes_of(nodes)["page"] == want


# ------------------------------------------------------------------------------------------------------- many filters


def test_a_metadata_filter_sees_redacted_rows(open_door: OpenDoor, clock: StillClock) -> None:
    chain = evolve(open_door("langchain"), clock).store
    index = evolve(open_door("llama_index"), clock).store
    for chosen, ids in (({"source": "a.md"}, {"page"}), ({"level": {"$gte": 2}}, {"noise-0", "noise-1", "port-2"})):
        found = [
            documents_of(chain.similarity_search(QUESTION, k=20, filter=chosen)),
            documents_of(chain.max_marginal_relevance_search(QUESTION, k=20, fetch_k=30, filter=chosen)),
            rows_of(chain.get(where=chosen)),
            nodes_of(index.query(ask(QUESTION, 20), where=chosen)),
        ]
        for texts in found:
            assert set(texts) == ids
            assert texts.get("page", WITHOUT_PORT) == WITHOUT_PORT
    filters = MetadataFilters(filters=[MetadataFilter(key="source", value="a.md")])
    assert nodes_of(index.query(ask(QUESTION, 20, filters=filters))) == {"page": WITHOUT_PORT}
    assert nodes_of(index.query(ask(QUESTION, 20, filters=filters), as_of="2024-02-01")) == {"page": PAGE}
    assert nodes_of(index.get_nodes(filters=filters)) == {"page": WITHOUT_PORT}
    assert documents_of(chain.similarity_search("port", filter={"source": "a.md"}, stale="drop")) == {}


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


def test_a_text_filter_with_a_metadata_filter(open_door: OpenDoor, clock: StillClock) -> None:
    store = evolve(open_door("langchain"), clock).store
    for hit, ids in (("8080", set()), ("lunch", {"page"})):
        clause = {"$contains": hit}
        found = store.similarity_search(QUESTION, k=20, filter={"source": "a.md"}, where_document=clause)
        assert set(documents_of(found)) == ids
        assert set(store.get(where={"source": "a.md"}, where_document=clause)["ids"]) == ids


def test_what_a_text_filter_drops_is_made_up_for(door: PageDoor) -> None:
    """Ten pages hit in their stale part only, one in its live part: it is found, even as the single one asked for."""
    for n in range(10):
        door.add(f"The port is 8080. Harbour {n} opens at six.", f"old-{n}", "2024-01-01")
    door.add("Port 8080 was painted on the harbour wall. Nets dry behind the chapel.", "live", "2024-01-01")
    door.add("The port is 9090.", "new", "2024-02-01")
    clause = {"$contains": "8080"}
    if door.kind == "langchain":
        assert [d.id for d in door.store.similarity_search(QUESTION, k=1, where_document=clause)] == ["live"]
        assert door.store.get(limit=1, where_document=clause)["ids"] == ["live"]
    else:
        assert door.store.query(ask(QUESTION, 1), where_document=clause).ids == ["live"]


def test_a_text_filter_counts_pages_of_which_it_hits_the_rest(door: PageDoor) -> None:
    """Ten pages miss for what was taken out of them, as they were written; asked for few, as many come."""
    for n in range(10):
        door.add(f"The port is 8080. Harbour {n} opens at six.", f"old-{n}", "2024-01-01")
    door.add("The port is 9090.", "new", "2024-02-01")
    for clause in ({"$not_contains": "port"}, {"$not_regex": "80|90"}):
        if door.kind == "langchain":
            found = [d.id for d in door.store.similarity_search(QUESTION, k=7, where_document=clause)]
            assert door.store.get(limit=7, offset=1, where_document=clause)["ids"] == [f"old-{n}" for n in range(1, 8)]
        else:
            found = door.store.query(ask(QUESTION, 7), where_document=clause).ids
        assert len(found) == 7, clause
        assert all(i.startswith("old") for i in found), clause


def test_only_rows_that_are_live_in_part_keep_chroma_from_judging_texts(door: PageDoor, clock: StillClock) -> None:
    """A page with prose is none until one of its facts is over, so that filters on static texts cost what they cost."""
    stored = door.store.temporal_collection.session.collection
    clock.set("2024-01-01T00:00:00")
    door.add(PAGE, "page")
    door.add("The depth is 12.", "single")
    clock.set("2024-04-01T00:00:00")
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
    collection = door.store.temporal_collection
    assert collection.count() == 2
    assert sorted(collection.peek(20)["ids"]) == sorted(collection.get()["ids"]) == ["port-2", "quota-2"]


def test_one_door_reads_what_the_other_wrote(open_door: OpenDoor, clock: StillClock) -> None:
    index = evolve(open_door("llama_index"), clock)
    chain = ChainStore(index.name, LexicalEmbeddings(), client=index.client, extractor=Plain(), clock=clock)
    assert chain.get_by_ids(["page"])[0].page_content == WITHOUT_PORT
    assert chain.get_by_ids(["page"], as_of="2024-02-01")[0].page_content == PAGE
