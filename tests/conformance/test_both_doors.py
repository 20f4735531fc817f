"""One collection, two front doors: what LangChain's store wrote LlamaIndex serves and supersedes, and the reverse.

And the asynchronous methods of both: each honours what a subclass overrides, and ends.
"""

import asyncio
import uuid
from collections.abc import Iterator
from typing import Any
from unittest.mock import Mock

import pytest
from langchain_core.documents import Document
from llama_index.core.schema import TextNode

from memstrata_integrations.chroma import state as _state
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.langchain import TemporalVectorStore as LangChainStore
from memstrata_integrations.llama_index import TemporalVectorStore as LlamaIndexStore
from tests.faults.faulty import Instead
from tests.stateful.toy import TestClock

from .doors import Door
from .lexical import LexicalEmbeddings
from .llama import NOISE, QUESTION, A, B, C, ask, document, index_of, matching, node, part, texts


class Doors:
    """Both stores on one collection; they are opened anew for each use, as two programs would."""

    def __init__(self, client: Any, clock: TestClock, *, afresh: bool) -> None:
        self.client, self.clock, self.afresh = client, clock, afresh
        self.name = f"doors-{uuid.uuid4().hex}"

    def open(self, kind: str, **options: Any) -> Door:
        if self.afresh:
            _state._states.clear()
        return Door(kind, client=self.client, name=self.name, clock=self.clock, **options)

    def langchain(self, **options: Any) -> LangChainStore:
        return self.open("langchain", **options).store  # type: ignore[no-any-return]

    def llama_index(self, **options: Any) -> LlamaIndexStore:
        return self.open("llama_index", **options).store  # type: ignore[no-any-return]

    def seen(self, **asked: Any) -> list[str]:
        """Return what is said about the port, which must be the same through every reader of both doors."""
        langchain, llama_index = self.langchain(), self.llama_index()
        found = [
            sorted(d.page_content for d in langchain.similarity_search(QUESTION, k=20, **asked)),
            sorted(d.page_content for d in langchain.max_marginal_relevance_search(QUESTION, k=20, **asked)),
            sorted(langchain.get(**asked)["documents"]),
            *(sorted(texts(llama_index.query(ask(k=20, mode=mode), **asked))) for mode in ("default", "mmr")),
            sorted(texts(llama_index.get_nodes(**asked))),
        ]
        assert all(one == found[0] for one in found), found
        return [text for text in found[0] if text.startswith("The API port")]


@pytest.fixture(params=["client", "persistent_client", "http_client"])
def doors(request: pytest.FixtureRequest, clock: TestClock) -> Iterator[Doors]:
    """Both doors on one collection: in memory, on disk with a fresh start at each use, and on a real server."""
    made = Doors(request.getfixturevalue(request.param), clock, afresh=request.param != "client")
    made.langchain().add_texts(NOISE[:2])
    made.llama_index().add([node(text) for text in NOISE[2:]])
    yield made
    made.client.delete_collection(made.name)


ORDERS = [("langchain", "llama_index"), ("llama_index", "langchain")]


@pytest.mark.parametrize(("first", "second"), ORDERS)
def test_each_door_supersedes_what_the_other_wrote(doors: Doors, first: str, second: str) -> None:
    for day, (door, text) in enumerate([(first, A), (second, B), (first, A), (second, B)], start=2):
        doors.clock.set(f"2024-06-{day:02}T00:00:00")
        doors.open(door).tell(text)
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
    plain = {"a": TextNode(text=A, id_="a", metadata={"source": "ops.md", "n": 3})}
    plain["bare"] = TextNode(text="No metadata.", id_="bare")
    by_source = store.get_nodes(filters=matching(source="ops.md"))
    for found in (store.get_nodes(["a", "bare"]), store.query(ask(A, 1)).nodes or [], by_source):
        assert [n.to_dict() for n in found] == [plain[n.node_id].to_dict() for n in found] != []
        assert "a" in {n.node_id for n in found}


def test_llama_indexs_rows_are_clean_documents(doors: Doors) -> None:
    """What LlamaIndex wrote comes as a `Document` with its id, text and own metadata: no node, no document ids."""
    doors.llama_index().add([part("page", "h1", A, "a", metadata={"author": "Ann", "n": 3})])
    store = doors.langchain()
    expected = Document(id="a", page_content=A, metadata={"author": "Ann", "n": 3})
    assert store.get_by_ids(["a"]) == store.similarity_search(A, k=1, filter={"author": "Ann"}) == [expected]
    assert store.similarity_search(A, k=1) == store.max_marginal_relevance_search(A, k=1) == [expected]
    assert store.as_retriever(search_kwargs={"k": 1}).invoke(A) == [expected]


@pytest.mark.parametrize(("first", "second"), ORDERS)
def test_one_id_through_both_doors_is_one_text(doors: Doors, first: str, second: str) -> None:
    for day, (door, text) in enumerate([(first, A), (second, B), (first, C)], start=2):
        doors.clock.set(f"2024-06-{day:02}T00:00:00")
        doors.open(door).tell(text, {"rev": day}, "page")
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
    doors.open(second).delete("page")
    assert doors.seen(include_superseded=True) == []


def test_metadata_edited_in_one_door_is_seen_through_the_other(doors: Doors) -> None:
    doors.llama_index().add([node(A, "a", metadata={"author": "Ann", "n": 1})])
    doors.langchain().update_document("a", Document(page_content=A, metadata={"author": "Bob", "more": "yes"}))
    [found] = doors.llama_index().get_nodes(["a"])
    assert found.metadata == {"author": "Bob", "n": 1, "more": "yes"}
    assert texts(doors.llama_index().query(ask(filters=matching(author="Bob")))) == [A]
    doors.llama_index().add([node(A, "a", metadata={"author": "Cyd"})])
    assert doors.langchain().get_by_ids(["a"])[0].metadata["author"] == "Cyd"


def test_a_version_of_a_document_supersedes_through_both(doors: Doors) -> None:
    index = index_of(doors.llama_index())
    doors.langchain().add_texts(["The mail port is 25."])
    index.insert(document(f"{A}\nFerries leave at noon.", "page"))
    doors.clock.set("2024-06-10T00:00:00")
    index_of(doors.llama_index()).insert(document(f"{B}\nFerries leave at nine.", "page"))
    doors.clock.set("2024-06-20T00:00:00")
    present = {*NOISE, "The mail port is 25.", B, "Ferries leave at nine."}
    assert set(doors.langchain().get()["documents"]) == present
    past = doors.langchain().get(as_of="2024-06-05")["documents"]
    assert [text for text in past if text.startswith("Ferries leave at")] == ["Ferries leave at noon."]
    assert doors.seen(as_of="2024-06-05") == [A]


def test_undo_and_history_through_the_other_door(doors: Doors) -> None:
    doors.langchain().add_texts([A])
    doors.clock.set("2024-06-10T00:00:00")
    door = doors.open("llama_index")
    door.tell(B)
    values = [s.history(statement=B).values for s in (doors.langchain(), doors.llama_index())]
    assert values == [["8080", "9090"]] * 2
    doors.clock.set("2024-06-20T00:00:00")
    doors.langchain().undo(door.store.last_changes.id)
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
    told = [langchain["a"][f"memstrata_{field}"][:10] for field in ("valid_from", "valid_to", "recorded_at")]
    assert told == ["2022-01-01", "2024-01-01", "2024-06-01"]
    assert langchain["a"]["memstrata_superseded_by"]
    assert langchain["b"].get("memstrata_valid_to") is None
    assert shown[0].metadata["rev"] == nodes[0].metadata["rev"] == 1


TEXT = "The port of kite is 80."
TWINS = {
    LangChainStore: "aadd_documents aadd_texts aadd_facts async_sync aget_by_ids",
    LlamaIndexStore: "async_add aadd_facts async_sync adelete adelete_nodes aclear aget_nodes aquery",
}


@pytest.mark.parametrize("kind", TWINS, ids=["langchain", "llama_index"])
def test_each_goes_by_its_own_name(kind: Any) -> None:
    for name in TWINS[kind].split():
        assert (getattr(kind, name).__name__, getattr(kind, name).__qualname__) == (name, f"{kind.__name__}.{name}")


class Noting(LangChainStore):
    """Notes what is written, and takes `ids` by keyword only, as LangChain's `VectorStore` does."""

    def add_texts(self, texts: Any, metadatas: Any = None, *, ids: Any = None, **kwargs: Any) -> list[str]:  # type: ignore[override]
        return super().add_texts(texts, metadatas, ids, **kwargs)

    async def aadd_texts(self, texts: Any, *args: Any, **kwargs: Any) -> list[str]:
        self.noted = list(texts)
        return await super().aadd_texts(self.noted, *args, **kwargs)


def test_texts_and_documents_are_written_by_the_texts_of_a_subclass() -> None:
    store = Noting("twins-noting", LexicalEmbeddings())
    assert len(asyncio.run(store.aadd_texts([TEXT]))) == 1
    assert asyncio.run(store.aadd_texts([TEXT + " Yes."], ids=["1"])) == ["1"]
    asyncio.run(store.aadd_documents([Document(TEXT)]))
    assert store.noted == [TEXT]


class Stamping(LangChainStore):
    def add_documents(self, documents: Any, **how: Any) -> list[str]:
        return super().add_documents([Document(d.page_content, metadata={"stamped": True}) for d in documents], **how)


def test_documents_are_written_by_the_documents_of_a_subclass() -> None:
    store = Stamping("twins-stamping", LexicalEmbeddings())
    asyncio.run(store.aadd_documents([Document(TEXT)]))
    assert store.get()["metadatas"] == [{"stamped": True}]


def test_an_embedding_that_stops_is_an_error_and_no_wait_without_end() -> None:
    exhausted: Any = Instead(LexicalEmbeddings(), embed_documents=Mock(side_effect=StopIteration))
    store = LangChainStore("twins-stops", exhausted)
    with pytest.raises(RuntimeError):
        asyncio.run(asyncio.wait_for(store.aadd_texts([TEXT]), 60))


@pytest.mark.parametrize("unknown", ["include", "limit", "where", "offset", "where_document"])
def test_nodes_are_asked_for_by_known_keywords(unknown: str) -> None:
    door = Door("llama_index")
    door.tell(TEXT)
    with pytest.raises(InvalidInputError, match=unknown):
        door.store.get_nodes(**{unknown: None})
