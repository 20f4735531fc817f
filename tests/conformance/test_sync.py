"""`sync`: what is given is all that a source holds; the same through LangChain, LlamaIndex and the collection."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.documents import Document
from llama_index.core import Document as Page
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.schema import TextNode

from memstrata_integrations import TemporalCollection
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.extraction.grammar import GrammarExtractor
from memstrata_integrations.langchain import TemporalVectorStore
from memstrata_integrations.llama_index import DefaultEmbedding
from memstrata_integrations.llama_index import TemporalVectorStore as NodeStore

from .conftest import OneCollection, StillClock
from .lexical import Counting, LexicalEmbeddings

FIRST = ["The Harbor API listens on port 8080.", "Deploys happen on Monday.", "The owner of the ledger is Ann Lee."]
SECOND = ["The Harbor API listens on port 9090.", "Deploys happen on Monday.", "Ask before you deploy."]


@pytest.fixture
def clock() -> StillClock:
    return StillClock("2024-01-01")


@pytest.fixture
def embeddings() -> Counting:
    return Counting()


@pytest.fixture
def store(raw: Any, clock: StillClock, embeddings: Counting) -> TemporalVectorStore:
    return TemporalVectorStore(raw.name, embeddings, client=OneCollection(raw), clock=clock)  # type: ignore[arg-type]


def documents(texts: list[str], **metadata: Any) -> list[Document]:
    return [Document(t, metadata=metadata) for t in texts]


def served(store: Any, **asked: Any) -> list[str]:
    return sorted(store.get(**asked)["documents"])


def test_a_source_is_what_the_last_sync_said(
    store: TemporalVectorStore, clock: StillClock, embeddings: Counting
) -> None:
    store.add_texts(["Another page stays."], [{"source": "other.md"}])
    store.sync("page.md", documents(FIRST))
    kept = {d: i for i, d in zip(store.get()["ids"], store.get()["documents"], strict=True)}
    embeddings.embedded.clear()
    clock.set("2024-02-01")
    changes = store.sync("page.md", documents(SECOND))
    assert served(store) == sorted([*SECOND, "Another page stays."])
    assert embeddings.embedded == [SECOND[0], SECOND[2]], "what is stored already is not embedded again"
    now = {d: i for i, d in zip(store.get()["ids"], store.get()["documents"], strict=True)}
    assert now[SECOND[1]] == kept[SECOND[1]]
    assert changes.retired == 2
    assert served(store, as_of="2024-01-15", where={"source": "page.md"}) == sorted(FIRST)
    assert store.verify() == []


def test_the_same_again_changes_nothing(store: TemporalVectorStore, clock: StillClock, embeddings: Counting) -> None:
    store.sync("page.md", documents(FIRST))
    before = store.get(include_superseded=True)
    embeddings.embedded.clear()
    clock.set("2024-02-01")
    changes = store.sync("page.md", documents(FIRST))
    assert embeddings.embedded == []
    assert (changes.added, changes.retired) == (0, 0)
    assert store.get(include_superseded=True) == before


def test_the_same_again_changes_nothing_of_what_another_source_hides(
    store: TemporalVectorStore, clock: StillClock, embeddings: Counting
) -> None:
    store.sync("page.md", documents([PORT, "Words."]), valid_from="2023-01-01")
    store.add_texts([OTHER_PORT], [{"source": "other.md"}], valid_from="2023-01-01")
    before = store.get(include_superseded=True)
    embeddings.embedded.clear()
    clock.set("2024-02-01")
    store.sync("page.md", documents([PORT, "Words."]))
    assert (embeddings.embedded, served(store)) == ([], [OTHER_PORT, "Words."])
    assert store.get(include_superseded=True) == before
    store.sync("page.md", documents(["Words."]))
    assert store.verify() == []


def test_undo_takes_a_sync_back(store: TemporalVectorStore, clock: StillClock) -> None:
    store.sync("page.md", documents(FIRST))
    clock.set("2024-02-01")
    changes = store.sync("page.md", documents(SECOND))
    clock.set("2024-03-01")
    store.undo(changes)
    assert served(store) == sorted(FIRST)
    assert store.verify() == []


def test_nothing_at_all_ends_the_source(store: TemporalVectorStore, clock: StillClock) -> None:
    store.add_texts(["Another page stays."], [{"source": "other.md"}])
    store.sync("page.md", documents(FIRST))
    clock.set("2024-02-01")
    assert store.sync("page.md", []).retired == 3
    assert served(store) == ["Another page stays."]
    assert len(served(store, as_of="2024-01-15")) == 4
    clock.set("2024-03-01")
    store.sync("page.md", documents(FIRST))
    assert served(store) == sorted([*FIRST, "Another page stays."])


def test_a_fact_that_goes_on_being_stated_keeps_its_date(store: TemporalVectorStore, clock: StillClock) -> None:
    store.sync("page.md", documents(["The Harbor API listens on port 8080.", "Words."]))
    clock.set("2024-02-01")
    store.sync("page.md", documents(["The Harbor API listens on port 8080. Some words."]), valid_from="2024-02-01")
    clock.set("2024-03-01")
    store.sync("page.md", documents(["The Harbor API listens on port 8080. More words."]))
    clock.set("2024-04-01")
    store.add_texts(["The Harbor API listens on port 7070."], [{"source": "x"}], valid_from="2024-02-15")
    assert "8080" not in " ".join(served(store)), "a page that repeats itself is no newer than it was"


@pytest.mark.parametrize("ids", [(), ("a",)], ids=["ids of its own", "ids given"])
@pytest.mark.parametrize("between", [["Words."], []])
def test_what_a_version_between_no_longer_stated_is_news(
    store: TemporalVectorStore, clock: StillClock, between: list[str], ids: tuple[str, ...]
) -> None:
    port = [Document("The Harbor API listens on port 8080.", id=i) for i in ids or (None,)]
    store.sync("page.md", port)
    clock.set("2024-02-01")
    store.sync("page.md", documents(between))
    clock.set("2024-03-01")
    store.sync("other.md", documents(["The Harbor API listens on port 9090."]))
    clock.set("2024-04-01")
    store.sync("page.md", port)
    assert served(store) == [port[0].page_content]
    assert store.verify() == []


def test_what_was_deleted_and_added_again_keeps_its_date(raw: Any, clock: StillClock) -> None:
    collection = TemporalCollection(raw, embedding_function=LexicalEmbeddings(), clock=clock, on_delete="retire")
    collection.sync("page.md", FIRST[:1])
    collection.delete(where={"source": "page.md"})
    clock.set("2024-02-01")
    collection.sync("other.md", SECOND[:1])
    clock.set("2024-03-01")
    collection.sync("page.md", FIRST[:1])
    assert served(collection) == SECOND[:1]


def test_a_chunk_that_is_shown_without_a_stale_sentence_is_the_same(
    store: TemporalVectorStore, clock: StillClock, embeddings: Counting
) -> None:
    store.sync("page.md", documents(["The Harbor API listens on port 8080. Ask Ann."]))
    clock.set("2024-02-01")
    store.add_texts(["The Harbor API listens on port 9090."], [{"source": "x"}])
    [shown] = store.get(where={"source": "page.md"})["documents"]
    assert shown == "Ask Ann."
    embeddings.embedded.clear()
    clock.set("2024-03-01")
    store.sync("page.md", documents([shown]))
    assert embeddings.embedded == []
    assert served(store) == ["Ask Ann.", "The Harbor API listens on port 9090."]


@pytest.mark.parametrize("dated", [False, True])
@pytest.mark.parametrize("ids", [None, ["a"]], ids=["ids of its own", "ids given"])
def test_what_a_sync_holds_no_more_does_not_come_back(
    raw: Any, clock: StillClock, embeddings: Counting, ids: Any, dated: bool
) -> None:
    collection = TemporalCollection(raw, embedding_function=embeddings, clock=clock)
    collection.sync("page.md", [f"{PORT} Ask Ann."], ids=ids, valid_from="2023-01-01")
    hides = collection.write([OTHER_PORT], metadatas=[{"source": "other.md"}], valid_from="2023-05-01")
    embeddings.embedded.clear()
    collection.sync("page.md", ["Ask Ann."], ids=ids, valid_from="2023-10-01" if dated else None)
    assert embeddings.embedded == []
    clock.set("2024-02-01")
    collection.undo(hides)
    assert served(collection) == ["Ask Ann."]
    assert served(collection, as_of="2023-07-01") == [f"{PORT} Ask Ann."]
    before = raw.get()
    collection.sync("page.md", ["Ask Ann."], ids=ids, valid_from="2023-10-01" if dated else None)
    assert raw.get() == before
    assert collection.verify() == []


def test_changed_metadata_is_written_and_ids_are_honoured(store: TemporalVectorStore, clock: StillClock) -> None:
    store.sync("page.md", [Document(FIRST[0], id="a"), Document(FIRST[1], id="b")])
    clock.set("2024-02-01")
    store.sync("page.md", [Document(SECOND[0], id="a"), Document(FIRST[1], id="b", metadata={"rank": 2})])
    found = store.get()
    assert dict(zip(found["ids"], found["documents"], strict=True)) == {"a": SECOND[0], "b": FIRST[1]}
    assert {m["source"] for m in found["metadatas"]} == {"page.md"}
    assert store.get(ids=["b"])["metadatas"] == [{"source": "page.md", "rank": 2}]
    assert store.get(ids=["a"], as_of="2024-01-15")["documents"] == [FIRST[0]]


@pytest.mark.parametrize("source", ["", None, 3])
def test_a_source_needs_a_name(store: TemporalVectorStore, source: Any) -> None:
    with pytest.raises(InvalidInputError, match="source"):
        store.sync(source, documents(FIRST))


def test_a_text_of_another_source_is_refused(store: TemporalVectorStore) -> None:
    with pytest.raises(InvalidInputError, match="text 0 has source='other'"):
        store.sync("page.md", documents(FIRST, source="other"))
    assert served(store) == []


async def test_it_waits_asynchronously(store: TemporalVectorStore) -> None:
    changes = await store.async_sync("page.md", documents(FIRST))
    assert changes.added == 3
    assert store.last_changes == changes


def test_the_collection_itself(raw: Any, clock: StillClock) -> None:
    collection = TemporalCollection(raw, clock=clock)
    vectors = LexicalEmbeddings()
    collection.sync("page.md", FIRST, embeddings=vectors.embed_documents(FIRST))
    clock.set("2024-02-01")
    collection.sync("page.md", SECOND, embeddings=vectors.embed_documents(SECOND), valid_from="2024-01-20")
    assert served(collection) == sorted(SECOND)
    assert served(collection, as_of="2024-01-15") == sorted(FIRST)
    assert served(collection, as_of="2024-01-25") == sorted(SECOND)


@pytest.mark.parametrize("kept", [True, False])
def test_a_later_dated_text_of_a_plain_write_ends_nothing_of_a_sync(
    store: TemporalVectorStore, clock: StillClock, kept: bool
) -> None:
    event = "Event on day X."
    store.add_texts([event], [{"source": "page.md"}], valid_from="2025-01-01")
    clock.set("2024-02-01")
    store.sync("page.md", documents([*SECOND, event] if kept else SECOND))
    assert set(SECOND) <= set(served(store))
    assert {*SECOND, event} == set(served(store, as_of="2025-06-01"))
    assert store.verify() == []


@pytest.mark.parametrize("late", [True, False])
def test_undo_of_a_newer_sync_serves_the_older_one_in_either_order(
    store: TemporalVectorStore, clock: StillClock, late: bool
) -> None:
    dates = {"2023-02-01": FIRST, "2023-10-01": SECOND}
    changes = {}
    for at in reversed(dates) if late else dates:
        changes[at] = store.sync("page.md", documents(dates[at]), valid_from=at)
        clock.set("2024-02-01")
    assert served(store) == sorted(SECOND)
    clock.set("2024-03-01")
    store.undo(changes["2023-10-01"])
    assert served(store) == sorted(FIRST)
    assert served(store, known_at="2024-02-15") == sorted(SECOND)
    assert store.verify() == []


def test_what_a_late_sync_lacks_goes_on_where_a_later_one_holds_it(
    store: TemporalVectorStore, clock: StillClock
) -> None:
    store.sync("page.md", documents(["Ask Ann.", "Keep me."]), valid_from="2023-01-01")
    newer = store.sync("page.md", documents(["Ask Bob.", "Keep me."]), valid_from="2023-10-01")
    clock.set("2024-02-01")
    store.sync("page.md", documents(["Ask Cy."]), valid_from="2023-05-01")
    assert served(store, as_of="2023-06-01") == ["Ask Cy."]
    assert served(store) == ["Ask Bob.", "Keep me."]
    clock.set("2024-03-01")
    store.undo(newer)
    assert served(store) == ["Ask Cy."]
    assert store.verify() == []


PORT, OTHER_PORT = "The Harbor API listens on port 8080.", "The Harbor API listens on port 9090."


def test_what_a_newer_edition_goes_on_stating_outlives_a_late_one(store: TemporalVectorStore) -> None:
    store.sync("page.md", documents([PORT]), valid_from="2023-01-01")
    store.sync("page.md", documents([PORT, "A note."]), valid_from="2023-10-01")
    store.sync("page.md", documents([OTHER_PORT]), valid_from="2023-05-01")
    assert served(store, as_of="2023-03-01") == [PORT]
    assert served(store, as_of="2023-07-01") == [OTHER_PORT]
    assert served(store) == ["A note.", PORT]
    assert store.verify() == []


def test_a_late_edition_with_all_texts_of_the_newer_one_ends_there(store: TemporalVectorStore) -> None:
    store.sync("page.md", documents(["Ask Ann.", "Keep me."]), valid_from="2023-01-01")
    store.sync("page.md", documents(["Keep me."]), valid_from="2023-10-01")
    store.sync("page.md", documents(["Keep me.", "Ask Bob."]), valid_from="2023-05-01")
    assert served(store, as_of="2023-07-01") == ["Ask Bob.", "Keep me."]
    assert served(store) == ["Keep me."]


def test_undo_of_a_late_edition_gives_back_what_it_kept(store: TemporalVectorStore) -> None:
    """All rows of an undated sync begin at once, so that the late one does not end between them."""
    days = ("2023-01-01", "2023-08-01", "2024-01-01T12:00:00")
    store.sync("page", [Document("Ask Ann."), Document("Ring Cy.")])
    before = [served(store, as_of=day) for day in days]
    store.sync("page", [Document("Ring Cy.")], valid_from="2023-06-01")
    assert "Ring Cy." in served(store, as_of="2023-08-01")
    store.undo(store.last_changes)
    assert [served(store, as_of=day) for day in days] == before
    assert store.verify() == []


def test_an_edition_without_a_text_of_its_own_is_known(store: TemporalVectorStore) -> None:
    store.sync("page.md", documents(["Ask Ann.", "Keep me."]), valid_from="2023-01-01")
    store.sync("page.md", documents(["Keep me."]), valid_from="2023-05-01")
    store.sync("page.md", documents(["Ask Ann.", "Keep me.", "Ask Cy."]), valid_from="2023-03-01")
    assert served(store, as_of="2023-04-01") == ["Ask Ann.", "Ask Cy.", "Keep me."]
    assert served(store) == ["Keep me."]


def test_an_edition_without_any_text_is_known_by_what_it_ended(store: TemporalVectorStore) -> None:
    store.sync("page.md", documents(["Keep me."]), valid_from="2023-01-01")
    store.sync("page.md", [], valid_from="2023-10-01")
    store.sync("page.md", documents(["Keep me.", "Ask Bob."]), valid_from="2023-05-01")
    assert served(store, as_of="2023-07-01") == ["Ask Bob.", "Keep me."]
    assert served(store) == []


def test_a_fact_that_an_undated_sync_kept_outlives_a_late_edition(
    store: TemporalVectorStore, clock: StillClock
) -> None:
    store.sync("page.md", documents([PORT]))
    clock.set("2024-03-01")
    store.sync("page.md", documents([PORT, "A note."]))
    store.sync("page.md", documents([OTHER_PORT]), valid_from="2024-02-01")
    assert served(store, as_of="2024-01-15") == [PORT]
    assert served(store, as_of="2024-02-15") == [OTHER_PORT]
    assert served(store) == ["A note.", PORT]
    assert store.verify() == []


def test_a_dated_sync_says_again_what_it_keeps(store: TemporalVectorStore, embeddings: Counting) -> None:
    store.sync("page.md", documents([PORT, "Words."]), valid_from="2023-01-01")
    store.add_texts([OTHER_PORT], [{"source": "other.md"}], valid_from="2023-05-01")
    assert served(store) == [OTHER_PORT, "Words."]
    embeddings.embedded.clear()
    changes = store.sync("page.md", documents([PORT, "Words."]), valid_from="2023-10-01")
    assert (embeddings.embedded, changes.added, changes.confirmed) == ([], 0, 2)
    assert served(store) == [PORT, "Words."]
    assert served(store, as_of="2023-07-01") == [OTHER_PORT, "Words."]
    store.undo(changes)
    assert served(store) == [OTHER_PORT, "Words."]


def test_what_a_text_is_shown_without_is_not_said_again(store: TemporalVectorStore) -> None:
    store.sync("page.md", documents([f"{PORT} Ask Ann."]), valid_from="2023-01-01")
    store.add_texts([OTHER_PORT], [{"source": "other.md"}], valid_from="2023-05-01")
    store.sync("page.md", documents(["Ask Ann."]), valid_from="2023-10-01")
    assert served(store) == ["Ask Ann.", OTHER_PORT]


def test_what_is_kept_is_read_by_no_extractor(raw: Any, clock: StillClock) -> None:
    read: list[str] = []

    class Reading(GrammarExtractor):
        def extract(self, texts: Any, metadatas: Any = None) -> Any:
            read.extend(texts)
            return super().extract(texts, metadatas)

    collection = TemporalCollection(raw, embedding_function=LexicalEmbeddings(), clock=clock, extractor=Reading())
    collection.sync("page.md", FIRST, valid_from="2023-01-01")
    read.clear()
    collection.sync("page.md", [*FIRST, SECOND[2]], valid_from="2023-10-01")
    assert read == [SECOND[2]]


def test_a_row_of_stock_code_that_a_dated_sync_keeps_is_read(raw: Any, clock: StillClock) -> None:
    raw.add(ids=["a"], documents=[PORT], metadatas=[{"source": "page.md"}], embeddings=[[0.0] * 64])
    store = TemporalVectorStore(raw.name, Counting(), client=OneCollection(raw), clock=clock)  # type: ignore[arg-type]
    store.sync("page.md", documents([PORT]), valid_from="2023-01-01")
    store.add_texts([OTHER_PORT], [{"source": "other.md"}], valid_from="2023-05-01")
    assert served(store) == [OTHER_PORT]
    assert served(store, as_of="2023-03-01") == [PORT]


@pytest.mark.parametrize("ids", [None, ["a", "b", "c"]], ids=["ids of its own", "ids given"])
def test_an_edition_told_again_changes_nothing(raw: Any, clock: StillClock, ids: Any) -> None:
    collection = TemporalCollection(raw, embedding_function=LexicalEmbeddings(), clock=clock)
    editions = {"2023-01-01": FIRST, "2023-10-01": SECOND, "2023-05-01": [FIRST[2], SECOND[0], FIRST[0]]}
    for at, texts in editions.items():
        collection.sync("page.md", texts, ids=ids, valid_from=at)
    before = raw.get()
    for at, texts in editions.items():
        collection.sync("page.md", texts, ids=ids, valid_from=at)
    assert raw.get() == before


def test_an_edition_told_again_does_not_take_back_its_correction(store: TemporalVectorStore) -> None:
    store.sync("page.md", documents(["Ask Ann."]), valid_from="2023-01-01")
    store.sync("page.md", documents(["Ask Bob."]), valid_from="2023-01-01")
    store.sync("page.md", documents(["Ask Ann."]), valid_from="2023-01-01")
    assert served(store) == ["Ask Bob."]


def test_a_correction_of_an_edition_ends_what_a_later_one_states(store: TemporalVectorStore) -> None:
    store.sync("page.md", documents(["Ask Ann."]), valid_from="2022-06-01")
    store.sync("page.md", documents(["Ask Ann."]), valid_from="2023-06-01")
    store.sync("page.md", documents(["Ask Bob."]), valid_from="2022-06-01")
    assert served(store, as_of="2023-01-01") == ["Ask Bob."]
    assert served(store) == ["Ask Ann."]
    assert store.verify() == []


@pytest.mark.parametrize("more", [["Ask Bob."], []], ids=["a text more", "a text less"])
def test_what_another_edition_of_the_date_states_outlives_undo(
    store: TemporalVectorStore, clock: StillClock, more: list[str]
) -> None:
    first = store.sync("page.md", documents([PORT, "Ask Ann."]), valid_from="2023-06-01")
    store.sync("page.md", documents([PORT, *more]), valid_from="2023-06-01")
    clock.set("2024-02-01")
    store.undo(first)
    assert served(store) == sorted([PORT, *more])
    assert store.verify() == []


def test_undo_of_a_text_takes_back_its_own_write_and_nothing_that_was_told_late(
    store: TemporalVectorStore, clock: StillClock
) -> None:
    store.sync("page.md", [Document(SECOND[0], id="new")], valid_from="2023-10-01")
    clock.set("2024-02-01")
    store.sync("page.md", [Document(FIRST[0], id="old")], valid_from="2023-02-01")
    assert served(store) == [SECOND[0]]
    store.undo("new")
    assert served(store) == [FIRST[0]]
    store.undo("old")
    assert served(store) == []
    with pytest.raises(InvalidInputError, match="no write"):
        store.undo("old")


def test_llama_index_nodes(raw: Any, clock: StillClock) -> None:
    nodes = NodeStore(chroma_collection=raw, clock=clock)
    model = DefaultEmbedding("lexical")
    splitter = SentenceSplitter(chunk_size=12, chunk_overlap=0, tokenizer=str.split)

    def split(texts: list[str]) -> Any:
        return splitter.get_nodes_from_documents([Page(text=" ".join(texts), id_="page")])

    nodes.sync("page", split(FIRST), embed_model=model)
    first = {n.text: n.node_id for n in nodes.get_nodes()}
    clock.set("2024-02-01")
    nodes.sync("page", split([SECOND[0], *FIRST[1:]]), embed_model=model)
    found = {n.text: n.node_id for n in nodes.get_nodes()}
    assert " ".join(sorted(found)) == " ".join(sorted(n.text for n in split([SECOND[0], *FIRST[1:]])))
    same = set(first) & set(found)
    assert same
    assert all(first[text] == found[text] for text in same)
    assert all(n.ref_doc_id == "page" for n in nodes.get_nodes())
    with pytest.raises(InvalidInputError, match="embed_model="):
        nodes.sync("page", split(SECOND))
    nodes.sync("bare", [TextNode(text="No source.")], embed_model=model)
    nodes.delete("bare")
    assert "No source." not in {n.text for n in nodes.get_nodes()}
    clock.set("2024-03-01")
    nodes.sync("page", [])
    assert nodes.get_nodes() == []
