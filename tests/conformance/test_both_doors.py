"""One collection, two front doors: what LangChain's store wrote LlamaIndex serves and supersedes, and the reverse."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chromadb
import pytest
from langchain_core.documents import Document
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores.types import MetadataFilter, MetadataFilters, VectorStoreQueryMode

from memstrata_integrations.chroma import state as _state
from memstrata_integrations.langchain import TemporalVectorStore as LangChainStore
from memstrata_integrations.llama_index import TemporalVectorStore as LlamaIndexStore

from .conftest import StillClock
from .lexical import LexicalEmbeddings
from .llama import NOISE, QUESTION, A, B, C, ask, document, index_of, node, part, texts


class Doors:
    """Both stores on one collection; they are opened anew for each use, as two programs would."""

    def __init__(self, client: Callable[[], Any], clock: StillClock, *, afresh: bool) -> None:
        self.client = client
        self.clock = clock
        self.afresh = afresh
        self.name = f"doors-{uuid.uuid4().hex}"

    def langchain(self, **options: Any) -> LangChainStore:
        if self.afresh:
            _state._states.clear()
        return LangChainStore(
            client=self.client(),
            collection_name=self.name,
            embedding_function=LexicalEmbeddings(),
            clock=self.clock,
            **options,
        )

    def llama_index(self, **options: Any) -> LlamaIndexStore:
        if self.afresh:
            _state._states.clear()
        raw = self.client().get_or_create_collection(self.name, embedding_function=None)
        return LlamaIndexStore(chroma_collection=raw, clock=self.clock, **options)

    def seen(self, **asked: Any) -> list[str]:
        """Return what is said about the port, which must be the same through every reader of both doors."""
        langchain, llama_index = self.langchain(), self.llama_index()
        found = [
            sorted(d.page_content for d in langchain.similarity_search(QUESTION, k=20, **asked)),
            sorted(d.page_content for d in langchain.max_marginal_relevance_search(QUESTION, k=20, **asked)),
            sorted(langchain.get(**asked)["documents"]),
            sorted(texts(llama_index.query(ask(k=20), **asked))),
            sorted(texts(llama_index.query(ask(k=20, mode=VectorStoreQueryMode.MMR), **asked))),
            sorted(texts(llama_index.get_nodes(**asked))),
        ]
        assert all(one == found[0] for one in found), found
        return [text for text in found[0] if text.startswith("The API port")]


@pytest.fixture(params=["in memory", "on disk", "server"])
def doors(request: pytest.FixtureRequest, tmp_path: Path, clock: StillClock) -> Iterator[Doors]:
    """Both doors on one collection: in memory, on disk with a fresh start at each use, and on a real server."""
    if request.param == "in memory":
        client = request.getfixturevalue("client")
        made = Doors(lambda: client, clock, afresh=False)
    elif request.param == "on disk":
        opened = chromadb.PersistentClient(path=str(tmp_path / "db"))
        made = Doors(lambda: opened, clock, afresh=True)
    else:
        served = request.getfixturevalue("http_client")
        made = Doors(lambda: served, clock, afresh=True)
    made.langchain().add_texts(NOISE[:2])
    made.llama_index().add([node(text) for text in NOISE[2:]])
    yield made
    made.client().delete_collection(made.name)
    if request.param == "on disk":
        opened.close()


def say(doors: Doors, door: str, text: str, row: str | None = None, rev: int | None = None, **dates: Any) -> None:
    """Write a text through a door; LlamaIndex's gets it as a document unless it has an id."""
    metadata = {} if rev is None else {"rev": rev}
    if door == "langchain":
        doors.langchain().add_texts([text], [metadata], [row] if row else None, **dates)
    elif row:
        doors.llama_index().add([node(text, row, metadata=metadata)], **dates)
    else:
        index_of(doors.llama_index()).insert(document(text), **dates)


ORDERS = [("langchain", "llama_index"), ("llama_index", "langchain")]


@pytest.mark.parametrize(("first", "second"), ORDERS)
def test_each_door_supersedes_what_the_other_wrote(doors: Doors, first: str, second: str) -> None:
    """A, B, A, B through alternating doors: every reader of both serves what was written last, and each past day."""
    for day, (door, text) in enumerate([(first, A), (second, B), (first, A), (second, B)], start=2):
        doors.clock.set(f"2024-06-{day:02}T00:00:00")
        say(doors, door, text)
        assert set(doors.seen()) == {text}
    doors.clock.set("2024-06-20T00:00:00")
    for asked in ("as_of", "known_at"):
        past = [set(doors.seen(**{asked: f"2024-06-{day:02}T12:00:00"})) for day in (1, 2, 3, 4, 5)]
        assert past == [set(), {A}, {B}, {A}, {B}]
    assert doors.langchain().verify() == doors.llama_index().verify() == []


def test_langchains_rows_are_clean_nodes(doors: Doors) -> None:
    """What LangChain wrote comes as a plain `TextNode` with its id, text and metadata, and nothing else."""
    doors.langchain().add_texts([A, "No metadata."], ids=["a", "bare"], metadatas=[{"source": "ops.md", "n": 3}, {}])
    store = doors.llama_index()
    [found, bare] = sorted(store.get_nodes(["a", "bare"]), key=lambda n: n.node_id)
    assert type(found) is TextNode
    assert (found.node_id, found.text, found.metadata) == ("a", A, {"source": "ops.md", "n": 3})
    assert (found.relationships, found.excluded_llm_metadata_keys, found.embedding) == ({}, [], None)
    assert (bare.text, bare.metadata) == ("No metadata.", {})  # type: ignore[attr-defined]
    [nearest] = store.query(ask(A, 1)).nodes or []
    assert (nearest.node_id, nearest.metadata) == ("a", {"source": "ops.md", "n": 3})
    some = MetadataFilters(filters=[MetadataFilter(key="source", value="ops.md")])
    assert [n.node_id for n in store.get_nodes(filters=some)] == ["a"]


def test_llama_indexs_rows_are_clean_documents(doors: Doors) -> None:
    """What LlamaIndex wrote comes as a `Document` with its id, text and own metadata: no node, no document ids."""
    doors.llama_index().add([part("page", "h1", A, "a", metadata={"author": "Ann", "n": 3})])
    store = doors.langchain()
    expected = Document(id="a", page_content=A, metadata={"author": "Ann", "n": 3})
    assert store.get_by_ids(["a"]) == [expected]
    assert store.similarity_search(A, k=1) == [expected]
    assert store.max_marginal_relevance_search(A, k=1) == [expected]
    assert store.similarity_search(A, k=1, filter={"author": "Ann"}) == [expected]
    assert store.as_retriever(search_kwargs={"k": 1}).invoke(A) == [expected]


@pytest.mark.parametrize(("first", "second"), ORDERS)
def test_one_id_through_both_doors_is_one_text(doors: Doors, first: str, second: str) -> None:
    """Written through one door and again through the other under its id, it has versions; either deletes them all."""
    for day, (door, text) in enumerate([(first, A), (second, B), (first, C)], start=2):
        doors.clock.set(f"2024-06-{day:02}T00:00:00")
        say(doors, door, text, "page", day)
    doors.clock.set("2024-06-20T00:00:00")
    for day, text in ((2, A), (3, B), (4, C)):
        asked = {"as_of": f"2024-06-{day:02}T12:00:00"}
        assert doors.seen(**asked) == [text]
        [found] = doors.langchain().get_by_ids(["page"], **asked)
        assert (found.id, found.page_content, found.metadata) == ("page", text, {"rev": day})
        [one] = doors.llama_index().get_nodes(["page"], **asked)  # type: ignore[arg-type]
        assert (one.node_id, one.get_content(), one.metadata) == ("page", text, {"rev": day})
    assert doors.seen() == [C]
    assert [e.id for e in doors.llama_index().history(id="page")] == ["page"] * 3
    doors.langchain().delete(["page"]) if second == "langchain" else doors.llama_index().delete_nodes(["page"])
    assert doors.seen(include_superseded=True) == []


def test_metadata_edited_in_one_door_is_seen_through_the_other(doors: Doors) -> None:
    """Metadata that LangChain's door changes is what LlamaIndex' node shows and filters on, and the reverse."""
    doors.llama_index().add([node(A, "a", metadata={"author": "Ann", "n": 1})])
    doors.langchain().update_document("a", Document(page_content=A, metadata={"author": "Bob", "more": "yes"}))
    [found] = doors.llama_index().get_nodes(["a"])
    assert found.metadata == {"author": "Bob", "n": 1, "more": "yes"}
    some = MetadataFilters(filters=[MetadataFilter(key="author", value="Bob")])
    assert [n.metadata["author"] for n in doors.llama_index().query(ask(filters=some)).nodes or []] == ["Bob"]
    doors.llama_index().add([node(A, "a", metadata={"author": "Cyd"})])
    [again] = doors.langchain().get_by_ids(["a"])
    assert again.metadata["author"] == "Cyd"


def test_a_version_of_a_document_supersedes_through_both(doors: Doors) -> None:
    """A document's new version in LlamaIndex retires its old lines for LangChain too; what LangChain said stays."""
    index = index_of(doors.llama_index())
    doors.langchain().add_texts(["The mail port is 25."])
    index.insert(document(f"{A}\nFerries leave at noon.", "page"))
    doors.clock.set("2024-06-10T00:00:00")
    index_of(doors.llama_index()).insert(document(f"{B}\nFerries leave at nine.", "page"))
    doors.clock.set("2024-06-20T00:00:00")
    present = {*NOISE, "The mail port is 25.", B, "Ferries leave at nine."}
    assert set(doors.langchain().get()["documents"]) == present
    past = doors.langchain().get(as_of="2024-06-05")["documents"]
    assert "Ferries leave at noon." in past
    assert "Ferries leave at nine." not in past
    assert doors.seen(as_of="2024-06-05") == [A]


def test_undo_and_history_through_the_other_door(doors: Doors) -> None:
    """One door takes back what the other wrote, and tells one history."""
    doors.langchain().add_texts([A])
    doors.clock.set("2024-06-10T00:00:00")
    store = doors.llama_index()
    store.add([node(B)])
    assert store.last_changes is not None
    name = store.last_changes.id
    values = [s.history(statement=B).values for s in (doors.langchain(), doors.llama_index())]
    assert values == [["8080", "9090"]] * 2
    doors.clock.set("2024-06-20T00:00:00")
    doors.langchain().undo(name)
    assert doors.seen() == [A]
    doors.llama_index().purge(subject="API port")
    assert doors.seen(include_superseded=True) == []


def test_dates_are_shown_alike(doors: Doors) -> None:
    """`show_validity` tells the same dates through both doors, in ISO 8601, and what took a text's place."""
    doors.langchain().add_texts([A], ids=["a"], metadatas=[{"rev": 1}], valid_from="2022-01-01")
    doors.llama_index().add([node(B, "b")], valid_from="2024-01-01")
    shown = doors.langchain(show_validity=True).get_by_ids(["a", "b"], include_superseded=True)
    nodes = doors.llama_index(show_validity=True).get_nodes(["a", "b"], include_superseded=True)

    def dates(found: Any) -> dict[str, Any]:
        return {k: v for k, v in found.metadata.items() if k.startswith("memstrata_")}

    langchain = {d.id: dates(d) for d in shown}
    assert langchain == {n.node_id: dates(n) for n in nodes}
    for field, day in (("valid_from", "2022-01-01"), ("valid_to", "2024-01-01"), ("recorded_at", "2024-06-01")):
        assert langchain["a"][f"memstrata_{field}"].startswith(day)
    assert langchain["a"]["memstrata_superseded_by"]
    assert langchain["b"].get("memstrata_valid_to") is None
    assert shown[0].metadata["rev"] == nodes[0].metadata["rev"] == 1
