"""A text of many facts, of which some went stale: every reader of both doors gets the rest of it, readable."""

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from langchain_text_splitters import RecursiveCharacterTextSplitter
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores.types import MetadataFilter, MetadataFilters

from memstrata_integrations.chroma.fields import PARTIAL
from memstrata_integrations.langchain import TemporalVectorStore as ChainStore
from memstrata_integrations.redaction import matches

from .lexical import LexicalEmbeddings
from .llama import ask, document, embed, fresh_collections, index_of
from .redacting import FILTERED, MODES, PAGE, QUESTION, READERS, WITHOUT_PORT, PageDoor, by_id, door, evolve, evolved

__all__ = ["door", "evolved"]

EVERY = [(door, reader) for door, readers in READERS.items() for reader in readers]


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
    assert "superseded" not in str(evolved.page(stale="annotate"))
    assert evolved.page(stale="annotate", known_at="2024-05-01", as_of="2024-06-01") == was


async def test_async_readers_redact() -> None:
    chain, index = (evolve(PageDoor(kind)).store for kind in READERS)
    for asked, want in (({}, WITHOUT_PORT), ({"as_of": "2024-02-01"}, PAGE), ({"stale": "keep"}, PAGE)):
        for found in (
            await chain.asimilarity_search(QUESTION, k=20, **asked),
            await chain.asimilarity_search_with_score(QUESTION, k=20, **asked),
            await chain.amax_marginal_relevance_search(QUESTION, k=20, fetch_k=30, **asked),
            await chain.aget_by_ids(["page"], **asked),
            await chain.as_retriever().ainvoke(QUESTION, k=20, **asked),
            await index.aquery(ask(QUESTION, 20), **asked),
            await index.aget_nodes(**asked),
        ):
            assert by_id(found)["page"] == want


def test_a_metadata_filter_sees_redacted_rows() -> None:
    """Alone, and beside a filter of texts."""
    chain, index = (evolve(PageDoor(kind)).store for kind in READERS)
    for chosen, more, ids in (
        ({"source": "a.md"}, {}, {"page"}),
        ({"level": {"$gte": 2}}, {}, {"noise-0", "noise-1", "port-2"}),
        ({"source": "a.md"}, {"where_document": {"$contains": "8080"}}, set()),
        ({"source": "a.md"}, {"where_document": {"$contains": "lunch"}}, {"page"}),
    ):
        for found in (
            chain.similarity_search(QUESTION, k=20, filter=chosen, **more),
            chain.max_marginal_relevance_search(QUESTION, k=20, fetch_k=30, filter=chosen, **more),
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


HITS: dict[tuple[bool, bool], list[dict[str, Any]]] = {  # is the page found now, and as of February, by which clauses
    (False, True): [
        {"$contains": "8080"}, {"$contains": "The port is"}, {"$regex": "80[0-9]{2}"},
        {"$regex": r"The port is \p{Nd}{4}\."}, {"$and": [{"$contains": "lunch"}, {"$contains": "8080"}]},
        {"$and": [{"$contains": "8080"}, {"$not_contains": "zebra"}]},
        {"$or": [{"$contains": "zebra"}, {"$contains": "8080"}]},
        {"$or": [{"$and": [{"$contains": "ann"}, {"$regex": "8080"}]}, {"$contains": "9090"}]},
    ],
    (True, True): [
        {"$contains": "lunch"}, {"$not_contains": "zebra"}, {"$not_regex": "zeb.a"}, {"$regex": "(?i)LUNCH\\."},
        {"$regex": "[[:upper:]]eploys"},  # as Rust reads it, which Python's `re` does not
        {"$and": [{"$contains": "lunch"}, {"$contains": "ann"}]},
        {"$or": [{"$contains": "lunch"}, {"$contains": "8080"}]},
    ],
    (True, False): [
        {"$not_contains": "8080"}, {"$not_regex": "is 80[0-9]{2}"},
        {"$and": [{"$not_contains": "8080"}, {"$contains": "lunch"}]},
        {"$or": [{"$not_contains": "8080"}, {"$contains": "zebra"}]},
    ],
    (False, False): [
        {"$contains": "zebra"}, {"$not_contains": "lunch"},
        {"$and": [{"$not_contains": "8080"}, {"$contains": "zebra"}]},
    ],
}  # fmt: skip


@pytest.mark.parametrize(("now", "past"), HITS)
def test_a_text_filter_that_hits_a_redacted_part_misses(evolved: PageDoor, now: bool, past: bool) -> None:
    for clause, reader in itertools.product(HITS[now, past], FILTERED[evolved.kind]):
        why = (clause, reader)
        assert evolved.page(reader, where_document=clause) == (WITHOUT_PORT if now else None), why
        for asked in ({"as_of": "2024-02-01"}, {"known_at": "2024-03-15"}, {"stale": "keep"}):
            assert evolved.page(reader, where_document=clause, **asked) == (PAGE if past else None), (why, asked)
        assert (evolved.page(reader, where_document=clause, stale="annotate") is not None) == past, why
        assert evolved.page(reader, where_document=clause, stale="drop") is None, why


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
        said = f"Harbour {n} opens at six."
        door.add(f"{said} The port is 8080." if n % 2 else f"The port is 8080. {said}", f"old-{n}", "2024-01-01")
    live = "Once port 8080 was painted on the harbour wall. Nets dry behind the chapel."
    door.add(live, "live", "2024-01-01")
    door.add("The port is 9090.", "new", "2024-02-01")
    hit = {"$contains": "8080"}
    assert door.search(QUESTION, 1, where_document=hit) == [live]
    assert door.collection.get(limit=1, where_document=hit)["ids"] == ["live"]
    for missed in ({"$not_contains": "port"}, {"$not_regex": "80|90"}):
        found = door.search(QUESTION, 7, where_document=missed)
        assert len(set(found) & {f"Harbour {n} opens at six." for n in range(10)}) == len(found) == 7, missed
        assert door.collection.get(limit=7, offset=1, where_document=missed)["ids"] == [f"old-{n}" for n in range(1, 8)]


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


def test_history_and_explain_show_the_original(evolved: PageDoor) -> None:
    assert [e.statement for e in evolved.store.history("port")] == ["The port is 8080.", "The port is 9090."]
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
        for mode in MODES:
            assert door.page(reader, stale=mode) is None, (reader, mode)
        assert door.page(reader, as_of="2024-02-15") == "The quota is 50.", reader
        assert door.page(reader, as_of="2024-01-15") == "The port is 8080. The quota is 50.", reader
    assert door.collection.count() == 2
    assert sorted(door.collection.peek(20)["ids"]) == sorted(door.collection.get()["ids"]) == ["port-2", "quota-2"]


def test_one_door_reads_what_the_other_wrote() -> None:
    index = evolve(PageDoor("llama_index"))
    chain = ChainStore(index.name, LexicalEmbeddings(), client=index.client, clock=index.clock)
    assert chain.get_by_ids(["page"])[0].page_content == WITHOUT_PORT
    assert chain.get_by_ids(["page"], as_of="2024-02-01")[0].page_content == PAGE


@pytest.mark.parametrize("overlap", [0, 60])
def test_recursive_splitter(overlap: int) -> None:
    store = PageDoor("langchain").store
    splitter = RecursiveCharacterTextSplitter(chunk_size=110, chunk_overlap=overlap, add_start_index=True)
    chunks = splitter.create_documents([PAGE], [{"source": "a.md"}])
    assert len(chunks) > 3
    assert any("The port is 8080." in d.page_content for d in chunks)
    ids = store.add_documents(chunks, valid_from="2024-01-01")
    store.add_texts(["The port is 9090.", "The batch is 1."], valid_from="2024-03-01")
    now = store.get_by_ids(ids)
    assert [d.metadata for d in now] == [d.metadata for d in chunks]
    for before, after in zip(chunks, now, strict=True):
        start = after.metadata["start_index"]
        assert PAGE[start : start + len(before.page_content)] == before.page_content  # still of the original
        assert "The port is 8080." not in after.page_content
        assert "batch = 250" not in after.page_content
        gone = ("```", "|---", "| name")  # what held nothing else goes along
        lines = [s for s in before.page_content.split("\n") if "8080" not in s and "batch" not in s]
        assert all(s in after.page_content for s in lines if not s.startswith(gone))
    joined = "\n".join(d.page_content for d in now)
    for statement in ("Deploys happen after lunch.", "- The quota is 50.", "host = db1", "| retries | 3 |"):
        assert statement in joined
    assert [d.page_content for d in store.get_by_ids(ids, as_of="2024-02-01")] == [d.page_content for d in chunks]


def test_sentence_splitter_and_the_place_in_the_original() -> None:
    store = PageDoor("llama_index").store
    index = index_of(store, transformations=[SentenceSplitter(chunk_size=48, chunk_overlap=0)])
    index.insert(document(PAGE, "doc"), valid_from="2024-01-01")
    before = {n.node_id: n for n in store.get_nodes()}
    assert len(before) > 1
    index.insert(document("The port is 9090. The host is db2.", "news"), valid_from="2024-03-01")
    after = {n.node_id: n for n in store.get_nodes()}
    assert set(before) < set(after)
    for node_id, old in before.items():
        new = after[node_id]
        assert (new.start_char_idx, new.end_char_idx) == (old.start_char_idx, old.end_char_idx)
        assert PAGE[new.start_char_idx : new.end_char_idx] == old.text
        assert (new.metadata, new.ref_doc_id) == (old.metadata, "doc")
        assert "8080" not in new.text
        assert "host = db1" not in new.text
    assert any(after[node_id].text != old.text for node_id, old in before.items())
    assert {n.node_id: n.text for n in store.get_nodes(as_of="2024-02-01")} == {i: n.text for i, n in before.items()}


def reviewed(found: Any) -> Any:
    found.metadata["reviewed"] = True
    if isinstance(found, TextNode) and found.embedding is None:
        found.embedding = embed(found.get_content())
    return found


def page_of(found: Any) -> Any:
    listed = [getattr(one, "node", one) for one in found]
    return next(one for one in listed if getattr(one, "id", None) == "page" or getattr(one, "node_id", None) == "page")


def insert_again(store: Any) -> None:
    index = index_of(store, transformations=[])
    index.insert_nodes([reviewed(page_of(index.as_retriever(similarity_top_k=20).retrieve(QUESTION)))])


BACK: dict[str, tuple[str, Callable[[Any], Any]]] = {  # the door, and how what was read is written back to its store
    "update": ("langchain", lambda s: s.update_document("page", reviewed(s.get_by_ids(["page"])[0]))),
    "updates of some": ("langchain", lambda s: s.update_documents(
        ["page", "noise-0"], [reviewed(s.get_by_ids([row_id])[0]) for row_id in ("page", "noise-0")])),
    "add_texts": ("langchain", lambda s: s.add_texts(
        s.get(ids=["page"])["documents"], [{**s.get(ids=["page"])["metadatas"][0], "reviewed": True}], ["page"])),
    "add_documents": ("langchain", lambda s: s.add_documents([reviewed(page_of(s.similarity_search(QUESTION, k=20)))])),
    "add": ("llama_index", lambda s: s.add([reviewed(s.get_nodes(node_ids=["page"])[0])])),
    "insert_nodes": ("llama_index", insert_again),
}  # fmt: skip


@pytest.mark.parametrize("how", BACK)
def test_a_redacted_view_written_back_changes_only_metadata(how: str) -> None:
    name, back = BACK[how]
    door = evolve(PageDoor(name))
    undoing = door.store.last_changes
    told = len(door.store.history(id="page"))
    back(door.store)
    door.clock.set("2024-07-01")
    assert door.page() == door.page(as_of="2024-03-15") == WITHOUT_PORT
    assert door.page(as_of="2024-02-01") == door.page(stale="keep") == PAGE
    assert sorted(door.told(include_superseded=True)) == ["noise-0", "noise-1", "page", "port-2"]
    assert len(door.store.history(id="page")) == told
    [read] = door.store.get_by_ids(["page"]) if name == "langchain" else door.store.get_nodes(node_ids=["page"])
    assert read.metadata == {"source": "a.md", "level": 1, "reviewed": True}
    assert door.store.verify() == []
    door.store.undo(undoing)
    assert door.page() == PAGE


def test_a_redacted_view_inserted_as_its_document() -> None:
    """`insert` of a known document: its nodes are new, and what they show has been so all along."""
    door = PageDoor("llama_index")
    index = index_of(door.store, transformations=[])
    index.insert(document(PAGE.strip(), "doc", level=1), valid_from="2024-01-01")
    index.insert(document("The port is 9090.", "news"), valid_from="2024-03-01")
    [shown] = [text for text in door.served() if text != "The port is 9090."]
    assert shown == WITHOUT_PORT.strip()
    index.insert(document(shown, "doc", level=2))
    door.clock.set("2024-07-01")
    assert {n.text: n.metadata for n in door.store.get_nodes()} == {shown: {"level": 2}, "The port is 9090.": {}}
    assert PAGE.strip() in door.served(as_of="2024-02-01")


def test_retract_takes_a_sentence_out(evolved: PageDoor) -> None:
    evolved.store.retract("owner", at="2024-05-01")
    evolved.clock.set("2024-07-01")
    for reader in READERS[evolved.kind]:
        assert evolved.page(reader) == WITHOUT_PORT.replace(" The owner is ann.", ""), reader
    assert evolved.page(as_of="2024-04-15") == WITHOUT_PORT
    assert evolved.page(known_at="2024-06-01T11:00:00") == WITHOUT_PORT
    assert "The owner is ann. [ended 2024-05-01T00:00:00+00:00]" in str(evolved.page(stale="annotate"))


def test_a_fact_that_was_not_yet_true_is_left_out_of_a_text_that_was(door: PageDoor) -> None:
    """Undated, prose has always been valid and facts since they were written."""
    door.clock.set("2024-04-01")
    door.add("Boats rest. The port is 8080.", "page")
    door.clock.set("2024-06-01")
    assert door.page() == "Boats rest. The port is 8080."
    assert door.page(as_of="2024-02-01") == "Boats rest."
    noted = door.page(as_of="2024-02-01", stale="annotate")
    assert noted == "Boats rest. The port is 8080. [valid from 2024-04-01T00:00:00+00:00]"


@pytest.mark.parametrize("name", READERS)
def test_a_server_serves_the_same(http_client: Any, name: str) -> None:
    door = evolve(PageDoor(name, client=http_client))
    for reader in READERS[name]:
        assert door.page(reader) == WITHOUT_PORT, reader
        assert door.page(reader, as_of="2024-02-01") == PAGE, reader
        assert door.page(reader, known_at="2024-03-15") == PAGE, reader
        assert {mode: door.page(reader, stale=mode) for mode in MODES} == MODES, reader
    for reader in FILTERED[name]:
        assert door.page(reader, where_document={"$contains": "8080"}) is None, reader
        assert door.page(reader, where_document={"$contains": "lunch"}) == WITHOUT_PORT, reader
        assert door.page(reader, where_document={"$not_contains": "8080"}) == WITHOUT_PORT, reader
    changes = door.store.last_changes
    BACK["update" if name == "langchain" else "add"][1](door.store)
    assert door.page() == WITHOUT_PORT
    door.store.undo(changes)
    assert door.page() == PAGE
    door.close()
