"""Knowledge that changes, through the LlamaIndex front door: the current statement is served, the stale one is not."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from llama_index.core import StorageContext, VectorStoreIndex
from llama_index.core.chat_engine import CondensePlusContextChatEngine, CondenseQuestionChatEngine, ContextChatEngine
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.schema import MetadataMode, NodeRelationship, RelatedNodeInfo, TextNode
from llama_index.core.storage.docstore import SimpleDocumentStore
from llama_index.core.vector_stores.types import (
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
    VectorStoreQuery,
    VectorStoreQueryMode,
)

from memstrata_integrations.chroma import state as _state
from memstrata_integrations.errors import ConflictError, InvalidInputError
from memstrata_integrations.ledger.policy import SupersessionPolicy
from memstrata_integrations.ledger.time import format_time
from memstrata_integrations.llama_index import TemporalRetriever, TemporalVectorStore, as_of
from tests.faults.faulty import FaultyCollection, InjectedFaultError, open_elsewhere

from .conftest import StillClock
from .llama import (
    NOISE,
    QUESTION,
    A,
    B,
    C,
    CollectionMaker,
    LexicalModel,
    LineParser,
    all_texts,
    ask,
    document,
    embed,
    fresh_collections,
    index_of,
    llm,
    node,
    part,
    ports,
    served,
    texts,
)

StoreMaker = Callable[..., TemporalVectorStore]

FERRIES = "Take the ferries to the island before noon."
TIMEOUT = "The API timeout is 30 seconds."


@pytest.fixture
def new_collection(client: Any) -> Iterator[CollectionMaker]:
    """Make collections in memory that go after the test."""
    with fresh_collections(client) as make:
        yield make


@pytest.fixture
def make_store(new_collection: CollectionMaker, clock: StillClock) -> StoreMaker:
    """Open stores on new collections under the still clock."""

    def make(**options: Any) -> TemporalVectorStore:
        return TemporalVectorStore(**{"chroma_collection": new_collection(), "clock": clock, **options})

    return make


@pytest.fixture
def store(make_store: StoreMaker) -> TemporalVectorStore:
    """A store that holds some prose that has nothing to do with the facts."""
    made = make_store()
    made.add([node(text) for text in NOISE])
    return made


@pytest.fixture
def history(store: TemporalVectorStore, clock: StillClock) -> VectorStoreIndex:
    """An index in which the port was 8080 from 2022 on and is 9090 since 2024, learned on 2 and on 10 June 2024."""
    index = index_of(store)
    clock.set("2024-06-02T00:00:00")
    index.insert(document(A), valid_from="2022-01-01")
    clock.set("2024-06-10T00:00:00")
    index.insert(document(B), valid_from="2024-01-01")
    clock.set("2024-06-20T00:00:00")
    return index


def everything(store: TemporalVectorStore, **asked: Any) -> list[str]:
    """Return all texts that are served, but for the noise."""
    return [text for text in all_texts(store, **asked) if text not in NOISE]


def raw_count(store: TemporalVectorStore) -> int:
    """Return how many rows the collection holds, hidden ones included."""
    return int(store.client.session.collection.count())


# ---------------------------------------------------------------------------------------------- A -> B -> A -> A -> B


class Writers:
    """The ways in which a text gets into a store; one object for a whole test, so that docstores stay."""

    def __init__(self, store: TemporalVectorStore) -> None:
        self.store = store
        self.index = index_of(store)
        self.docstore = SimpleDocumentStore()

    def insert(self, text: str) -> None:
        self.index.insert(document(text))

    def insert_one_document(self, text: str) -> None:
        self.index.insert(document(text, "page"))

    def insert_with_metadata(self, text: str) -> None:
        self.index.insert(document(text, author="Ann", weight=0.5))

    def insert_nodes(self, text: str) -> None:
        self.index.insert_nodes([TextNode(text=text)])

    def add(self, text: str) -> None:
        self.store.add([node(text)])

    def add_under_one_id(self, text: str) -> None:
        self.store.add([node(text, "the-node")])

    def add_under_an_id_for_each_text(self, text: str) -> None:
        self.store.add([node(text, text)])

    def from_documents(self, text: str) -> None:
        context = StorageContext.from_defaults(vector_store=self.store)
        VectorStoreIndex.from_documents([document(text)], storage_context=context, embed_model=LexicalModel())

    def pipeline(self, text: str) -> None:
        IngestionPipeline(transformations=[LineParser(), LexicalModel()], vector_store=self.store).run(
            documents=[document(text)]
        )

    def pipeline_without_a_splitter(self, text: str) -> None:
        IngestionPipeline(transformations=[LexicalModel()], vector_store=self.store).run(
            documents=[document(text, "page")]
        )

    def pipeline_upserts(self, text: str) -> None:
        IngestionPipeline(
            transformations=[LineParser(), LexicalModel()], vector_store=self.store, docstore=self.docstore
        ).run(documents=[document(text, "page")])

    def pipeline_upserts_without_a_splitter(self, text: str) -> None:
        IngestionPipeline(transformations=[LexicalModel()], vector_store=self.store, docstore=self.docstore).run(
            documents=[document(text, "page")]
        )

    def update_ref_doc(self, text: str) -> None:
        self.index.update_ref_doc(document(text, "page"))

    def refresh_ref_docs(self, text: str) -> None:
        self.index.refresh_ref_docs([document(text, "page")])


WAYS = [name for name in vars(Writers) if not name.startswith("_")]


@pytest.mark.parametrize("ticking", [True, False], ids=["clock ticks", "clock stands still"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("on_delete", ["purge", "retire"])
def test_a_b_a_a_b_serves_the_right_value_after_each_step(
    make_store: StoreMaker, clock: StillClock, way: str, ticking: bool, on_delete: str
) -> None:
    """After each undated write the sentence written last is served, and the stale one not at all."""
    store = make_store(on_delete=on_delete)
    store.add([node(text) for text in NOISE])
    writers = Writers(store)
    for step, text in enumerate([A, B, A, A, B]):
        if ticking:
            clock.set(f"2024-06-{step + 2:02}T12:00:00")
        getattr(writers, way)(text)
        assert set(served(store)) == {text}, f"step {step}"
        assert set(ports(writers.index.as_retriever(similarity_top_k=3).retrieve(QUESTION))) == {text}
        assert set(all_texts(store)) == {*NOISE, text}
    assert store.verify() == []


@pytest.mark.parametrize("way", WAYS)
def test_a_b_a_a_b_keeps_every_interval(make_store: StoreMaker, clock: StillClock, way: str) -> None:
    """Each past moment of A, B, A, A, B is still answered with what held then, also where documents are replaced."""
    store = make_store(on_delete="retire")
    writers = Writers(store)
    for day, text in enumerate([A, B, A, A, B], start=2):
        clock.set(f"2024-06-{day:02}T12:00:00")
        getattr(writers, way)(text)
    clock.set("2024-07-01T00:00:00")
    past = [set(served(store, as_of=f"2024-06-{day:02}T18:00:00")) for day in range(1, 8)]
    assert past == [set(), {A}, {B}, {A}, {A}, {B}, {B}]
    known = [set(served(store, known_at=f"2024-06-{day:02}T18:00:00")) for day in range(1, 8)]
    assert known == past


async def test_a_b_a_a_b_asynchronously(store: TemporalVectorStore) -> None:
    """The asynchronous methods serve the right value after each step, and `last_changes` follows them."""
    index = index_of(store)
    told: list[set[Any]] = [set(), {("8080", "9090")}, {("9090", "8080")}, set(), {("8080", "9090")}]
    for n, text in enumerate([A, B, A, A, B]):
        if n % 2:
            await index.ainsert(document(text))
        else:
            await store.async_add([node(text)])
        found = await index.as_retriever(similarity_top_k=10).aretrieve(QUESTION)
        assert set(ports(found)) == {text}
        changes = store.last_changes
        assert changes is not None
        assert {(c.old, c.new) for c in changes} == told[n]


def test_within_one_document_bare_lines_that_differ_both_stay(store: TemporalVectorStore) -> None:
    """A document that contradicts itself under the same bare words states neither of the values."""
    index_of(store).insert(document(f"{A}\n{B}\n{FERRIES}"))
    assert served(store) == [A, B]
    assert everything(store) == sorted([A, B, FERRIES])


def test_every_reader_leaves_the_stale_out(store: TemporalVectorStore) -> None:
    """Query, MMR, listing, `get_nodes` by id, by filter and of all leave superseded nodes out."""
    store.add([node(A, "a", metadata={"port": 1})])
    store.add([node(B, "b", metadata={"port": 1})])
    some = MetadataFilters(filters=[MetadataFilter(key="port", value=1)])
    found = [
        texts(store.query(ask(k=20))),
        texts(store.query(ask(k=20, mode=VectorStoreQueryMode.MMR))),
        texts(store.query(VectorStoreQuery(similarity_top_k=20))),
        texts(store.query(ask(filters=some))),
        texts(store.query(ask(mode=VectorStoreQueryMode.MMR, filters=some))),
        texts(store.query(VectorStoreQuery(similarity_top_k=20, filters=some))),
        texts(store.get_nodes()),
        texts(store.get_nodes(["a", "b"])),
        texts(store.get_nodes(filters=some)),
        store.client.get()["documents"],
        store.client.peek(20)["documents"],
    ]
    for listed in found:
        assert A not in listed
        assert B in listed
    assert store.client.count() == len(NOISE) + 1


def test_k_live_nodes_come_though_stale_ones_are_nearer(store: TemporalVectorStore) -> None:
    """A query for k gives k live nodes, however many superseded ones lie nearer, in both modes."""
    store.add([node(f"The API port is {n}.") for n in range(2000, 2150)])
    for mode in (VectorStoreQueryMode.DEFAULT, VectorStoreQueryMode.MMR):
        found = texts(store.query(ask("The API port is 2050.", 4, mode=mode)))
        assert len(found) == 4
        assert "The API port is 2149." in found


def test_include_superseded_through_an_index(store: TemporalVectorStore) -> None:
    """`include_superseded=True` in `vector_store_kwargs` shows superseded nodes."""
    store.add([node(A, "a")])
    store.add([node(B, "b")])
    retriever = index_of(store).as_retriever(similarity_top_k=9, vector_store_kwargs={"include_superseded": True})
    assert ports(retriever.retrieve(QUESTION)) == [A, B]


# ---------------------------------------------------------------------------------------------------- dates of writing


def dated_writers() -> dict[str, Callable[[VectorStoreIndex, str, str], Any]]:
    """The ways to say from when a text holds."""

    def from_documents(index: VectorStoreIndex, text: str, date: str, **more: Any) -> None:
        VectorStoreIndex.from_documents(
            [document(text)],
            storage_context=StorageContext.from_defaults(vector_store=index.vector_store),
            embed_model=LexicalModel(),
            valid_from=date,
            **more,
        )

    def pipeline(index: VectorStoreIndex, text: str, date: str) -> None:
        nodes = IngestionPipeline(transformations=[LineParser(), LexicalModel()]).run(documents=[document(text)])
        index.vector_store.add(list(nodes), valid_from=date)  # type: ignore[call-arg]

    return {
        "insert": lambda i, t, d: i.insert(document(t), valid_from=d),
        "insert_nodes": lambda i, t, d: i.insert_nodes([TextNode(text=t)], valid_from=d),
        "insert_nodes, one date each": lambda i, t, d: i.insert_nodes([TextNode(text=t)], valid_from=[d]),
        "add": lambda i, t, d: i.vector_store.add([node(t)], valid_from=d),  # type: ignore[call-arg]
        "ainsert": lambda i, t, d: asyncio.run(i.ainsert(document(t), valid_from=d)),
        "ainsert_nodes": lambda i, t, d: asyncio.run(i.ainsert_nodes([TextNode(text=t)], valid_from=d)),
        "async_add": lambda i, t, d: asyncio.run(i.vector_store.async_add([node(t)], valid_from=d)),
        "from_documents": from_documents,
        "from_documents, async": lambda i, t, d: from_documents(i, t, d, use_async=True),
        "nodes of a pipeline": pipeline,
        "update_ref_doc": lambda i, t, d: i.update_ref_doc(document(t), insert_kwargs={"valid_from": d}),
        "refresh_ref_docs": lambda i, t, d: i.refresh_ref_docs([document(t)], insert_kwargs={"valid_from": d}),
    }


@pytest.mark.parametrize("way", dated_writers())
def test_valid_from_goes_with_every_way_of_writing(store: TemporalVectorStore, way: str) -> None:
    """`valid_from` reaches the store through every way of inserting; a late arrival does not become current."""
    index, write = index_of(store), dated_writers()[way]
    write(index, B, "2022-01-01")
    write(index, A, "2020-01-01")
    assert [served(store, as_of=f"{year}-06-01") for year in (2019, 2020, 2021, 2022)] == [[], [A], [A], [B]]
    assert served(store) == [B]


def test_refresh_takes_a_date_for_changed_documents(make_store: StoreMaker) -> None:
    """`refresh_ref_docs(update_kwargs={"insert_kwargs": ...})` dates a document that changed."""
    store = make_store(on_delete="retire")
    index = index_of(store)
    index.refresh_ref_docs([document(A, "page")], insert_kwargs={"valid_from": "2020-01-01"})
    told = index.refresh_ref_docs([document(B, "page")], update_kwargs={"insert_kwargs": {"valid_from": "2030-01-01"}})
    assert told == [True]
    assert served(store, as_of="2030-06-01") == [B]


def test_dates_come_from_metadata_through_a_pipeline(make_store: StoreMaker) -> None:
    """A pipeline passes no keywords: `valid_from_field` and `valid_to_field` read the dates from node metadata."""
    store = make_store(valid_from_field="since", valid_to_field="until")
    pipeline = IngestionPipeline(
        transformations=[LineParser(), LexicalModel()], vector_store=store, docstore=SimpleDocumentStore()
    )
    pipeline.run(documents=[document(B, "b", since="2022-01-01"), document(A, "a", since="2020-01-01")])
    pipeline.run(documents=[document(C, "c", since="2021-01-01", until="2021-02-01")])
    dates = ("2019-06-01", "2020-06-01", "2021-01-15", "2021-03-01", "2022-06-01")
    assert [served(store, as_of=d) for d in dates] == [[], [A], [C], [A], [B]]
    assert store.query(ask(k=1)).nodes[0].metadata == {"since": "2022-01-01"}  # type: ignore[index]


def test_a_call_may_name_the_date_field(store: TemporalVectorStore) -> None:
    """`valid_from_field` in a call dates these nodes, and a keyword goes before the metadata."""
    index = index_of(store)
    index.insert(document(B, day="2022-01-01"), valid_from_field="day")
    index.insert(document(A, day="2020-01-01"), valid_from_field="day")
    assert served(store) == [B]
    index.insert(document(C, day="2019-01-01"), valid_from_field="day", valid_from="2023-01-01")
    assert served(store) == [C]
    assert served(store, as_of="2019-06-01") == []


def test_nothing_volatile_reaches_a_document(make_store: StoreMaker, clock: StillClock) -> None:
    """Documents keep their hash, so a second run of a pipeline, and a refresh, ingest nothing."""
    store, docstore = make_store(valid_from_field="since"), SimpleDocumentStore()
    pipeline = IngestionPipeline(
        transformations=[LineParser(), LexicalModel()], vector_store=store, docstore=docstore, disable_cache=True
    )
    one = document(A, "page", since="2020-01-01")
    before = (one.hash, dict(one.metadata))
    assert len(pipeline.run(documents=[one])) == 1
    clock.set("2024-07-01T00:00:00")
    assert pipeline.run(documents=[one]) == []
    assert (one.hash, one.metadata) == before
    index = index_of(make_store())
    assert index.refresh_ref_docs([one]) == [True]
    assert index.refresh_ref_docs([one]) == [False]


# ----------------------------------------------------------------------------------------------- asking about the past

Asker = Callable[[VectorStoreIndex, dict[str, Any]], Any]
AAsker = Callable[[VectorStoreIndex, dict[str, Any]], Awaitable[Any]]

CHATS = ["context", "condense_plus_context", "condense_question"]


def open_chat(index: VectorStoreIndex, mode: str, asked: dict[str, Any]) -> Any:
    """Open a chat engine through the index."""
    memory = ChatMemoryBuffer.from_defaults(token_limit=500_000)
    return index.as_chat_engine(chat_mode=mode, llm=llm(), memory=memory, similarity_top_k=9, **asked)  # type: ignore[arg-type]


def read(response: Any) -> list[str]:
    """Return the sentences about the port among an answer's sources; the answer's text shows the same."""
    if isinstance(response, list):
        return ports(response)
    sources = ports(response.source_nodes)
    for text in (A, B, C):
        assert (text in str(response)) == (text in sources)
    return sources


def streamed(response: Any) -> list[str]:
    """Read a streaming answer to its end, and return its sources' sentences about the port."""
    said = "".join(response.response_gen)
    sources = ports(response.source_nodes)
    for text in (A, B, C):
        assert (text in said) == (text in sources)
    return sources


async def astreamed(response: Any) -> list[str]:
    """Like `streamed`, asynchronously; LlamaIndex tells no sources where a chat engine streams a query engine."""
    said = "".join([token async for token in response.async_response_gen()])
    shown = sorted(text for text in (A, B, C) if text in said)
    assert ports(response.source_nodes) in (shown, [])
    return shown


ASKERS: dict[str, Asker] = {
    "retriever": lambda i, a: read(i.as_retriever(similarity_top_k=9, **a).retrieve(QUESTION)),
    "retriever, MMR": lambda i, a: read(
        i.as_retriever(similarity_top_k=9, vector_store_query_mode="mmr", **a).retrieve(QUESTION)
    ),
    "query engine": lambda i, a: read(i.as_query_engine(llm=llm(), similarity_top_k=9, **a).query(QUESTION)),
    "query engine, streaming": lambda i, a: streamed(
        i.as_query_engine(llm=llm(), similarity_top_k=9, streaming=True, **a).query(QUESTION)
    ),
    **{f"chat, {m}": lambda i, a, m=m: read(open_chat(i, m, a).chat(QUESTION)) for m in CHATS},  # type: ignore[misc]
    **{
        f"chat, {m}, streaming": lambda i, a, m=m: streamed(  # type: ignore[misc]
            open_chat(i, m, {**a, "streaming": True}).stream_chat(QUESTION)
        )
        for m in CHATS
    },
}


async def _retrieve(index: VectorStoreIndex, asked: dict[str, Any]) -> list[str]:
    return read(await index.as_retriever(similarity_top_k=9, **asked).aretrieve(QUESTION))


async def _query(index: VectorStoreIndex, asked: dict[str, Any]) -> list[str]:
    return read(await index.as_query_engine(llm=llm(), similarity_top_k=9, **asked).aquery(QUESTION))


async def _query_stream(index: VectorStoreIndex, asked: dict[str, Any]) -> list[str]:
    engine = index.as_query_engine(llm=llm(), similarity_top_k=9, streaming=True, use_async=True, **asked)
    return await astreamed(await engine.aquery(QUESTION))


def _chat(mode: str) -> AAsker:
    async def ask_it(index: VectorStoreIndex, asked: dict[str, Any]) -> list[str]:
        return read(await open_chat(index, mode, asked).achat(QUESTION))

    return ask_it


def _chat_stream(mode: str) -> AAsker:
    async def ask_it(index: VectorStoreIndex, asked: dict[str, Any]) -> list[str]:
        engine = open_chat(index, mode, {**asked, "streaming": True, "use_async": True})
        return await astreamed(await engine.astream_chat(QUESTION))

    return ask_it


AASKERS: dict[str, AAsker] = {
    "retriever": _retrieve,
    "query engine": _query,
    "query engine, streaming": _query_stream,
    **{f"chat, {m}": _chat(m) for m in CHATS},
    **{f"chat, {m}, streaming": _chat_stream(m) for m in CHATS},
}

ASKED: list[tuple[dict[str, Any], list[str]]] = [
    ({}, [B]),
    ({"as_of": "2023-01-01"}, [A]),
    ({"as_of": "2021-01-01"}, []),
    ({"as_of": "2024-03-01"}, [B]),
    ({"known_at": "2024-06-05"}, [A]),
    ({"known_at": "2024-06-05", "as_of": "2024-03-01"}, [A]),
    ({"known_at": "2024-06-15", "as_of": "2023-01-01"}, [A]),
    ({"known_at": "2024-06-01T12:00:00"}, []),
    ({"include_superseded": True}, [A, B]),
]


@pytest.mark.parametrize("asker", ASKERS)
def test_vector_store_kwargs_ask_about_the_past(history: VectorStoreIndex, asker: str) -> None:
    """`as_of` and `known_at` in `vector_store_kwargs` decide what a retriever, query engine or chat engine sees."""
    for asked, expected in ASKED:
        assert ASKERS[asker](history, {"vector_store_kwargs": asked}) == expected, asked


@pytest.mark.parametrize("asker", AASKERS)
async def test_vector_store_kwargs_ask_about_the_past_asynchronously(history: VectorStoreIndex, asker: str) -> None:
    """The asynchronous ways see the same."""
    for asked, expected in ASKED[:5]:
        assert await AASKERS[asker](history, {"vector_store_kwargs": asked}) == expected, asked


@pytest.mark.parametrize("asker", ASKERS)
def test_a_block_asks_about_the_past(history: VectorStoreIndex, asker: str) -> None:
    """`with as_of(t):` decides for callers that pass no keyword, and only inside the block."""
    with as_of("2023-01-01"):
        assert ASKERS[asker](history, {}) == [A]
        with as_of("2021-01-01"):
            assert ASKERS[asker](history, {}) == []
        assert ASKERS[asker](history, {}) == [A]
        assert ASKERS[asker](history, {"vector_store_kwargs": {"as_of": "2024-03-01"}}) == [B]
    with as_of(None, known_at="2024-06-05"):
        assert ASKERS[asker](history, {}) == [A]
    assert ASKERS[asker](history, {}) == [B]


@pytest.mark.parametrize("asker", AASKERS)
async def test_a_block_asks_about_the_past_asynchronously(history: VectorStoreIndex, asker: str) -> None:
    """`with as_of(t):` holds for what is awaited inside it; tasks at the same time keep apart."""

    async def at(instant: str | None) -> list[str]:
        if instant is None:
            return await AASKERS[asker](history, {})  # type: ignore[no-any-return]
        with as_of(instant):
            return await AASKERS[asker](history, {})  # type: ignore[no-any-return]

    found = await asyncio.gather(at("2023-01-01"), at(None), at("2021-01-01"), at("2024-03-01"))
    assert found == [[A], [B], [], [B]]


def temporal_engines(index: VectorStoreIndex, **asked: Any) -> dict[str, Callable[[], list[str]]]:
    """The ways to use a `TemporalRetriever`."""
    retriever = TemporalRetriever(index, similarity_top_k=9, **asked)
    engine = RetrieverQueryEngine.from_args(retriever, llm=llm())
    streaming = RetrieverQueryEngine.from_args(retriever, llm=llm(), streaming=True)

    def fused() -> list[str]:
        many = QueryFusionRetriever([retriever], llm=llm(), num_queries=1, similarity_top_k=9)
        return read(many.retrieve(QUESTION))

    return {
        "retrieve": lambda: read(retriever.retrieve(QUESTION)),
        "aretrieve": lambda: read(asyncio.run(retriever.aretrieve(QUESTION))),
        "query": lambda: read(engine.query(QUESTION)),
        "aquery": lambda: read(asyncio.run(engine.aquery(QUESTION))),
        "streaming": lambda: streamed(streaming.query(QUESTION)),
        "context": lambda: read(ContextChatEngine.from_defaults(retriever, llm=llm()).chat(QUESTION)),
        "condense plus context": lambda: read(
            CondensePlusContextChatEngine.from_defaults(retriever, llm=llm()).chat(QUESTION)
        ),
        "condense question": lambda: read(CondenseQuestionChatEngine.from_defaults(engine, llm=llm()).chat(QUESTION)),
        "fusion": fused,
    }


@pytest.mark.parametrize(
    "way",
    [
        *("retrieve", "aretrieve", "query", "aquery", "streaming", "context", "condense plus context"),
        *("condense question", "fusion"),
    ],
)
def test_a_temporal_retriever_asks_about_the_past(history: VectorStoreIndex, way: str) -> None:
    """`TemporalRetriever(index, as_of=..., known_at=...)` asks about the past wherever a retriever is used."""
    for asked, expected in ASKED:
        assert temporal_engines(history, **asked)[way]() == expected, asked
    with as_of("2023-01-01"):
        assert temporal_engines(history)[way]() == [A]
        assert temporal_engines(history, as_of="2024-03-01")[way]() == [B]


def test_a_temporal_retriever_takes_what_its_base_takes(history: VectorStoreIndex) -> None:
    """Mode, filters, documents and `vector_store_kwargs` go through; its own arguments go before these."""
    history.insert(document(FERRIES, "boats", n=1))
    some = MetadataFilters(filters=[MetadataFilter(key="n", value=1)])
    assert texts(TemporalRetriever(history, filters=some).retrieve(QUESTION)) == [FERRIES]
    assert texts(TemporalRetriever(history, doc_ids=["boats"]).retrieve(QUESTION)) == [FERRIES]
    mmr = TemporalRetriever(
        history,
        9,
        "mmr",  # type: ignore[arg-type]
        as_of="2023-01-01",
        vector_store_kwargs={"mmr_threshold": 0.2, "as_of": "2021-01-01"},
    )
    assert ports(mmr.retrieve(QUESTION)) == [A]
    given = {"as_of": "2023-01-01"}
    assert ports(TemporalRetriever(history, 9, vector_store_kwargs=given).retrieve(QUESTION)) == [A]
    assert given == {"as_of": "2023-01-01"}
    assert TemporalRetriever(history, similarity_top_k=3).similarity_top_k == 3


def test_a_temporal_retriever_refuses_what_it_cannot_use(history: VectorStoreIndex) -> None:
    """A time that cannot be read, or an index on another store, is refused when it is made."""
    for asked in ({"as_of": "soon"}, {"known_at": "soon"}, {"vector_store_kwargs": {"as_of": "soon"}}):
        with pytest.raises(InvalidInputError, match="soon"):
            TemporalRetriever(history, **asked)  # type: ignore[arg-type]
    other = VectorStoreIndex([], embed_model=LexicalModel())
    with pytest.raises(InvalidInputError, match="SimpleVectorStore"):
        TemporalRetriever(other)


def test_the_core_drops_as_of_of_as_retriever(history: VectorStoreIndex) -> None:
    """LlamaIndex's core drops `index.as_retriever(as_of=...)` silently: the present is answered (README warns)."""
    assert read(history.as_retriever(similarity_top_k=9, as_of="2023-01-01").retrieve(QUESTION)) == [B]
    engine = history.as_query_engine(llm=llm(), similarity_top_k=9, as_of="2023-01-01")
    assert read(engine.query(QUESTION)) == [B]


@pytest.mark.parametrize("use_async", [False, True])
async def test_a_block_reaches_into_a_fusion(history: VectorStoreIndex, use_async: bool) -> None:
    """A fusion that runs its retrievers in tasks of its own sees the block around it, with and without a loop."""
    fused = QueryFusionRetriever(
        [history.as_retriever(similarity_top_k=9)], llm=llm(), num_queries=1, similarity_top_k=9, use_async=use_async
    )
    with as_of("2023-01-01"):
        assert read(fused.retrieve(QUESTION)) == [A]
        assert read(await fused.aretrieve(QUESTION)) == [A]


def test_a_plain_thread_does_not_see_the_block(history: VectorStoreIndex) -> None:
    """Plain threads, and executors, start outside the block: this is documented."""
    found: list[Any] = []
    with as_of("2023-01-01"):
        thread = threading.Thread(target=lambda: found.append(ASKERS["retriever"](history, {})))
        thread.start()
        thread.join()
        with ThreadPoolExecutor(1) as pool:
            found.append(pool.submit(ASKERS["retriever"], history, {}).result())
    assert found == [[B], [B]]


def test_scope_through_the_retriever(make_store: StoreMaker) -> None:
    """With a scope, facts of two users never touch, and a read that names none is refused."""
    store = make_store(scope=("user",))
    index = index_of(store)
    index.insert(document(A, user="ann"))
    index.insert(document(B, user="bob"))
    for user, expected in (("ann", [A]), ("bob", [B])):
        assert served(store, scope={"user": user}) == expected
        assert ports(TemporalRetriever(index, 9, scope={"user": user}).retrieve(QUESTION)) == expected
        kwargs = {"vector_store_kwargs": {"scope": {"user": user}}, "similarity_top_k": 9}
        assert ports(index.as_retriever(**kwargs).retrieve(QUESTION)) == expected
        some = MetadataFilters(filters=[MetadataFilter(key="user", value=user)])
        assert ports(index.as_retriever(similarity_top_k=9, filters=some).retrieve(QUESTION)) == expected
    with pytest.raises(InvalidInputError, match="user"):
        index.as_retriever().retrieve(QUESTION)
    with pytest.raises(InvalidInputError, match="user"):
        index.insert(document(C))
    with pytest.raises(InvalidInputError, match="user"):
        store.delete_nodes(filters=MetadataFilters(filters=[MetadataFilter(key="n", value=1)]))


# ------------------------------------------------------------------------------------------------- document versions

OLD = f"{A}\n{TIMEOUT}\n{FERRIES}"
NEW = f"{B}\n{TIMEOUT}\nThe quay was repaired last winter."


def lines(text: str) -> list[str]:
    """Return a document's lines, sorted."""
    return sorted(text.split("\n"))


@pytest.fixture(params=["fresh ids", "stable ids"])
def parser(request: pytest.FixtureRequest) -> LineParser:
    """A splitter that gives new ids on every run, and one that numbers the lines of a document."""
    return LineParser(stable=request.param == "stable ids")


@pytest.fixture
def book(store: TemporalVectorStore, parser: LineParser) -> VectorStoreIndex:
    """An index whose documents are cut into lines."""
    return index_of(store, transformations=[parser])


def test_a_new_version_takes_the_old_ones_place(book: VectorStoreIndex) -> None:
    """Inserting a document again with other content serves the new lines only, its past the old ones only."""
    store: Any = book.vector_store
    book.insert(document(OLD, "page"), valid_from="2022-01-01")
    book.insert(document(NEW, "page"), valid_from="2024-01-01")
    assert everything(store) == lines(NEW)
    assert everything(store, as_of="2023-01-01") == lines(OLD)
    assert everything(store, as_of="2024-01-01") == lines(NEW)
    assert everything(store, as_of="2021-01-01") == []
    found = texts(book.as_retriever(similarity_top_k=20).retrieve(FERRIES))
    assert FERRIES not in found
    past = book.as_retriever(similarity_top_k=20, vector_store_kwargs={"as_of": "2023-01-01"})
    assert FERRIES in texts(past.retrieve(FERRIES))
    assert store.verify() == []


def test_undated_versions_follow_the_clock(book: VectorStoreIndex, clock: StillClock) -> None:
    """Undated, each version holds from the moment it was written, and `known_at` before it knows the old one."""
    store: Any = book.vector_store
    newest = f"{C}\nNothing else is left."
    for day, text in ((2, OLD), (10, NEW), (20, newest)):
        clock.set(f"2024-06-{day:02}T00:00:00")
        book.insert(document(text, "page"))
    assert everything(store) == lines(newest)
    for asked in ("as_of", "known_at"):
        assert everything(store, **{asked: "2024-06-05"}) == lines(OLD), asked
        assert everything(store, **{asked: "2024-06-15"}) == lines(NEW), asked
    assert store.verify() == []


@pytest.mark.parametrize("still", [False, True], ids=["clock ticks", "clock stands still"])
def test_versions_in_a_fresh_process(tmp_path: Path, parser: LineParser, clock: StillClock, still: bool) -> None:
    """A process that knows nothing of the old version but what is on disk retires it all the same."""

    def afresh() -> VectorStoreIndex:
        _state._states.clear()
        store = TemporalVectorStore.from_params("notes", persist_dir=str(tmp_path / "db"), clock=clock)
        return index_of(store, transformations=[parser])

    afresh().insert(document(OLD, "page"))
    afresh().insert(document("Nets dry on the wall.", "other"))
    if not still:
        clock.set("2024-06-10T00:00:00")
    afresh().insert(document(NEW, "page"))
    clock.set("2024-06-20T00:00:00")  # a reader who knows of no write asks about the clock's time
    assert everything(afresh().vector_store) == sorted([*lines(NEW), "Nets dry on the wall."])  # type: ignore[arg-type]
    if not still:
        past = everything(afresh().vector_store, as_of="2024-06-05")  # type: ignore[arg-type]
        assert past == sorted([*lines(OLD), "Nets dry on the wall."])
    assert afresh().vector_store.verify() == []  # type: ignore[attr-defined]


def test_a_version_in_several_calls_of_fresh_processes(tmp_path: Path, clock: StillClock) -> None:
    """The same, each call in a process of its own."""

    def afresh() -> TemporalVectorStore:
        _state._states.clear()
        return TemporalVectorStore.from_params("notes", persist_dir=str(tmp_path / "db"), clock=clock)

    for n, text in enumerate(lines(OLD)):
        afresh().add([part("page", "h1", text, f"n{n}")])
    clock.set("2024-06-02T00:00:00")
    assert everything(afresh()) == lines(OLD)
    for day, text in enumerate(lines(NEW), start=10):
        clock.set(f"2024-06-{day}T00:00:00")
        afresh().add([part("page", "h2", text, f"m{day}")])
    clock.set("2024-06-20T00:00:00")
    assert everything(afresh()) == lines(NEW)
    assert everything(afresh(), as_of="2024-06-05") == lines(OLD)


def test_no_hash_retires_nothing(store: TemporalVectorStore) -> None:
    """Of nodes whose source has no hash nobody knows the version: none retires another, nor is retired."""
    store.add([part("page", None, "A remark on rain.", "n1")])
    store.add([part("page", None, "A remark on snow.", "n2")])
    store.add([part("page", "h1", "A remark on fog.", "n3")])
    assert len(everything(store)) == 3
    store.add([part("page", None, "A remark on hail.", "n4")])
    assert len(everything(store)) == 4


@pytest.mark.parametrize("dated", [True, False], ids=["dated", "undated"])
def test_a_version_that_comes_back(book: VectorStoreIndex, clock: StillClock, dated: bool) -> None:
    """After old, new, old the old lines are served again, and every past moment has its own version."""
    store: Any = book.vector_store
    for day, text in ((2, OLD), (10, NEW), (20, OLD)):
        clock.set(f"2024-06-{day:02}T00:00:00")
        book.insert(document(text, "page"), **({"valid_from": f"2024-06-{day:02}"} if dated else {}))
    clock.set("2024-06-25T00:00:00")
    assert everything(store) == lines(OLD)
    assert [everything(store, as_of=f"2024-06-{day:02}") for day in (1, 5, 15, 22)] == [
        [] if dated else [FERRIES],  # undated prose of the first version was always there
        lines(OLD),
        lines(NEW),
        lines(OLD),
    ]
    assert everything(store, known_at="2024-06-15") == lines(NEW)
    assert store.verify() == []


def since(store: TemporalVectorStore, text: str) -> str:
    """Return the date that the ledger gives to the statement which is served."""
    [found] = [n for n in store.get_nodes() if n.get_content() == text]
    [entry] = [e for e in store.history(statement=text) if e.id == found.node_id and e.status == "current"]
    return str(format_time(entry.asserted[0].start))


@pytest.mark.parametrize("way", ["insert", "update", "refresh"])
def test_an_unchanged_line_keeps_its_date(
    make_store: StoreMaker, clock: StillClock, parser: LineParser, way: str
) -> None:
    """A line that the new version repeats keeps its `valid_from`, also where the old version is deleted first."""
    store = make_store(on_delete="retire")
    index = index_of(store, transformations=[parser])
    clock.set("2024-06-02T00:00:00")
    index.insert(document(OLD, "page"))
    clock.set("2024-06-10T00:00:00")
    {
        "insert": index.insert,
        "update": index.update_ref_doc,
        "refresh": lambda d: index.refresh_ref_docs([d]),
    }[way](document(NEW, "page"))
    assert everything(store) == lines(NEW)
    assert since(store, TIMEOUT).startswith("2024-06-02")
    assert since(store, B).startswith("2024-06-10")
    assert everything(store, as_of="2024-06-05") == lines(OLD)


@pytest.mark.parametrize("way", ["insert", "update"])
def test_fixing_a_typo_makes_a_page_no_newer(
    make_store: StoreMaker, clock: StillClock, parser: LineParser, way: str
) -> None:
    """A fact that another document has superseded since is not revived by a new version that merely repeats it."""
    store = make_store(on_delete="retire")
    index = index_of(store, transformations=[parser])
    clock.set("2024-06-02T00:00:00")
    index.insert(document(OLD, "page"))
    clock.set("2024-06-05T00:00:00")
    index.insert(document(B, "other"))
    clock.set("2024-06-10T00:00:00")
    fixed = OLD.replace("noon", "nine")
    (index.insert if way == "insert" else index.update_ref_doc)(document(fixed, "page"))
    assert served(store) == [B]
    assert everything(store) == sorted([B, TIMEOUT, FERRIES.replace("noon", "nine")])


def test_a_version_is_undone_in_a_fresh_process(tmp_path: Path, parser: LineParser, clock: StillClock) -> None:
    """`undo` by the name of the write works in a process that did not write it."""

    def afresh() -> TemporalVectorStore:
        _state._states.clear()
        return TemporalVectorStore.from_params("notes", persist_dir=str(tmp_path / "db"), clock=clock)

    index_of(afresh(), transformations=[parser]).insert(document(OLD, "page"))
    clock.set("2024-06-10T00:00:00")
    store = afresh()
    index_of(store, transformations=[parser]).insert(document(NEW, "page"))
    assert store.last_changes is not None
    name = store.last_changes.id
    clock.set("2024-06-20T00:00:00")
    afresh().undo(name)
    assert everything(afresh()) == lines(OLD)


def test_changes_tell_what_a_version_did(book: VectorStoreIndex, clock: StillClock) -> None:
    """`last_changes` of a new version tells that it took the place of the old lines."""
    store: Any = book.vector_store
    book.insert(document(OLD, "page"))
    clock.set("2024-06-10T00:00:00")
    book.insert(document(NEW, "page"))
    changes = store.last_changes
    assert len(changes.ids) == 3
    assert changes.retired + changes.versions >= 2


def test_versions_of_many_documents_in_one_call(store: TemporalVectorStore, clock: StillClock) -> None:
    """One call with new versions of several documents retires the old lines of exactly these."""
    first = [part(f"d{d}", f"h{d}", f"Remark {n} of document {d}.", f"{d}-{n}") for d in range(5) for n in range(3)]
    store.add(first)
    clock.set("2024-06-10T00:00:00")
    store.add([part(f"d{d}", f"g{d}", f"A new remark of document {d}.", f"{d}-new") for d in (1, 3)])
    left = everything(store)
    assert len(left) == 3 * 3 + 2
    assert all(f"Remark {n} of document {d}." not in left for d in (1, 3) for n in range(3))


def test_both_versions_in_one_call(store: TemporalVectorStore) -> None:
    """Two versions of a document in one call, in order: the later one is served."""
    store.add([part("page", "h1", A, "n1"), part("page", "h1", FERRIES, "n2"), part("page", "h2", B, "n3")])
    assert everything(store) == [B]


def test_a_corrected_source_in_the_metadata_of_the_splitter(make_store: StoreMaker, clock: StillClock) -> None:
    """A document whose metadata alone changed is a new version with the same lines: each is served once."""
    store = make_store()
    index = index_of(store)
    index.insert(document(OLD, "page", author="Ann"))
    clock.set("2024-06-10T00:00:00")
    index.insert(document(OLD, "page", author="Bob"))
    assert everything(store) == lines(OLD)
    assert {n.metadata["author"] for n in store.get_nodes()} == {"Bob"}


# ----------------------------------------------------------------------------------------- the same node id, other text


def test_an_archived_row_carries_its_own_id(store: TemporalVectorStore, clock: StillClock) -> None:
    """In raw Chroma every row's `_node_content` has the id of its row, so stock code reads no id twice."""
    for day, text in ((2, A), (10, B), (20, C)):
        clock.set(f"2024-06-{day:02}T00:00:00")
        store.add([node(text, "page")])
    store.add([node("The API port is 6060.", "page")], valid_from="2022-01-01")  # goes straight to the archive
    raw = store.client.session.collection.get(include=["metadatas"])
    assert len(raw["ids"]) == len(NOISE) + 4
    for row_id, metadata in zip(raw["ids"], raw["metadatas"], strict=True):
        assert json.loads(metadata["_node_content"])["id_"] == row_id


def test_an_undone_version_of_a_node(store: TemporalVectorStore, clock: StillClock) -> None:
    """After `undo` the node has its old text, metadata and relationships again."""
    source = {NodeRelationship.NEXT: RelatedNodeInfo(node_id="next")}
    store.add([node(A, "page", metadata={"rev": 1}, relationships=source)])
    clock.set("2024-06-10T00:00:00")
    store.add([node(B, "page", metadata={"rev": 2, "more": True})])
    store.undo(store.last_changes)  # type: ignore[arg-type]
    [found] = store.get_nodes(["page"])
    assert (found.node_id, found.get_content(), found.metadata) == ("page", A, {"rev": 1})
    assert found.relationships == source


# ----------------------------------------------------------------------------------------------------------- deletion


def replacing(store: TemporalVectorStore, way: str, parser: LineParser) -> Callable[..., None]:
    """Return a function that writes the given documents as the way does, deleting what they were before."""
    if way in ("refresh", "update"):
        index = index_of(store, transformations=[parser])

        def write(*documents: Any) -> None:
            if way == "refresh":
                index.refresh_ref_docs(list(documents))
                return
            for one in documents:
                index.update_ref_doc(one)

        return write
    docstore = SimpleDocumentStore()

    def run(*documents: Any) -> None:
        IngestionPipeline(
            transformations=[*([] if way.endswith("whole") else [parser]), LexicalModel()],
            vector_store=store,
            docstore=docstore,
            docstore_strategy=way.removesuffix(" whole"),
            disable_cache=True,
        ).run(documents=list(documents))

    return run


REPLACING = ["refresh", "update", "upserts", "upserts whole", "upserts_and_delete", "upserts_and_delete whole"]


@pytest.mark.parametrize("way", REPLACING)
def test_replacing_with_retire_keeps_the_past(
    make_store: StoreMaker, clock: StillClock, parser: LineParser, way: str
) -> None:
    """With `on_delete="retire"` flows that delete and write anew keep what held before, exactly."""
    store = make_store(on_delete="retire")
    write = replacing(store, way, parser)
    newest = OLD.replace("noon", "nine")
    for day, text in ((2, OLD), (10, NEW), (20, newest)):
        clock.set(f"2024-06-{day:02}T00:00:00")
        write(document(text, "page"), document("Nets dry on the wall.", "other"))

    def said(**asked: Any) -> list[str]:
        return sorted(line for text in all_texts(store, **asked) for line in text.split("\n"))

    assert said() == sorted([*lines(newest), "Nets dry on the wall."])
    assert said(as_of="2024-06-05") == sorted([*lines(OLD), "Nets dry on the wall."])
    assert said(as_of="2024-06-15") == sorted([*lines(NEW), "Nets dry on the wall."])
    assert said(known_at="2024-06-15") == sorted([*lines(NEW), "Nets dry on the wall."])
    assert store.verify() == []


@pytest.mark.parametrize("way", REPLACING)
def test_replacing_with_purge_forgets_the_past(
    make_store: StoreMaker, clock: StillClock, parser: LineParser, way: str
) -> None:
    """With `on_delete="purge"`, the default, what these flows delete is gone for good, from raw Chroma too."""
    store = make_store()
    write = replacing(store, way, parser)
    clock.set("2024-06-02T00:00:00")
    write(document(OLD, "page"))
    clock.set("2024-06-10T00:00:00")
    write(document(NEW, "page"))
    held = "\n".join(store.client.session.collection.get()["documents"])
    assert "8080" not in held
    assert FERRIES not in held
    assert sorted(held.split("\n")) == lines(NEW)
    assert served(store, as_of="2024-06-05", include_superseded=True) != [A]
    assert sorted("\n".join(all_texts(store)).split("\n")) == lines(NEW)


@pytest.mark.parametrize("on_delete", ["purge", "retire"])
@pytest.mark.parametrize("whole", [False, True], ids=["splitter", "no splitter"])
def test_upserts_and_delete_drops_documents_that_are_gone(
    make_store: StoreMaker, clock: StillClock, on_delete: str, whole: bool
) -> None:
    """Documents that no longer come are served no more; with "retire" they were served until then."""
    store = make_store(on_delete=on_delete)
    write = replacing(store, "upserts_and_delete whole" if whole else "upserts_and_delete", LineParser())
    clock.set("2024-06-02T00:00:00")
    write(document(A, "a"), document(FERRIES, "f"))
    clock.set("2024-06-10T00:00:00")
    write(document(FERRIES, "f"))
    assert all_texts(store) == [FERRIES]
    assert served(store, as_of="2024-06-05") == ([A] if on_delete == "retire" else [])


@pytest.mark.parametrize("on_delete", ["purge", "retire"])
def test_deleting_never_resurrects(make_store: StoreMaker, clock: StillClock, on_delete: str) -> None:
    """Deleting the document that states the current value brings no older one back; nor does deleting more."""
    store = make_store(on_delete=on_delete)
    index = index_of(store)
    for day, (name, text) in enumerate([("a", A), ("b", B), ("c", C)], start=2):
        clock.set(f"2024-06-{day:02}T00:00:00")
        index.insert(document(text, name))
    clock.set("2024-06-10T00:00:00")
    index.delete_ref_doc("c")
    assert served(store) == []
    clock.set("2024-06-11T00:00:00")
    [b] = [n.node_id for n in store.get_nodes(include_superseded=True) if n.get_content() == B]
    index.delete_nodes([b])
    assert served(store) == []
    assert served(store, as_of="2024-06-03T12:00:00") == ([B] if on_delete == "retire" else [])
    assert served(store, as_of="2024-06-02T12:00:00") == [A]
    assert store.verify() == []


@pytest.mark.parametrize("on_delete", ["purge", "retire"])
def test_deleting_a_document_deletes_its_versions(make_store: StoreMaker, clock: StillClock, on_delete: str) -> None:
    """Deleting a document that has versions serves none of its lines; with "retire" its past stays whole."""
    store = make_store(on_delete=on_delete)
    index = index_of(store)
    for day, text in ((2, OLD), (10, NEW)):
        clock.set(f"2024-06-{day:02}T00:00:00")
        index.insert(document(text, "page"))
    clock.set("2024-06-20T00:00:00")
    index.delete_ref_doc("page")
    assert all_texts(store) == []
    kept = on_delete == "retire"
    assert all_texts(store, as_of="2024-06-05") == (lines(OLD) if kept else [])
    assert all_texts(store, as_of="2024-06-15") == (lines(NEW) if kept else [])
    if not kept:
        assert raw_count(store) == 0


@pytest.mark.parametrize("how", ["sync", "async", "delete_nodes", "adelete_nodes", "update", "by filter"])
def test_purge_erases_whatever_the_store_keeps(make_store: StoreMaker, clock: StillClock, how: str) -> None:
    """`purge=True` leaves no trace of a document though the store retires, its versions and ended lines included."""
    store = make_store(on_delete="retire")
    index = index_of(store, transformations=[LineParser(stable=True)])
    index.insert(document("Nets dry on the wall.", "other"))
    for day, text in ((2, OLD), (10, NEW)):
        clock.set(f"2024-06-{day:02}T00:00:00")
        index.insert(document(text, "page"))
    clock.set("2024-06-20T00:00:00")
    ids = [f"page#{n}" for n in range(3)]
    some = MetadataFilters(filters=[MetadataFilter(key="document_id", value="page")])
    {
        "sync": lambda: index.delete_ref_doc("page", purge=True),
        "async": lambda: asyncio.run(index.adelete_ref_doc("page", purge=True)),
        "delete_nodes": lambda: index.delete_nodes(ids, purge=True),
        "adelete_nodes": lambda: asyncio.run(index.adelete_nodes(ids, purge=True)),
        "update": lambda: index.update_ref_doc(document("It is new.", "page"), delete_kwargs={"purge": True}),
        "by filter": lambda: store.delete_nodes(filters=some, purge=True),
    }[how]()
    expected = sorted(["Nets dry on the wall.", *(["It is new."] if how == "update" else [])])
    assert sorted(store.client.session.collection.get()["documents"]) == expected
    assert all_texts(store, include_superseded=True) == expected
    assert "8080" not in json.dumps(store.client.session.collection.get()["metadatas"])


def test_clear_erases_history_too(make_store: StoreMaker, clock: StillClock) -> None:
    """`clear` empties the collection for good, whatever the store does on deletion, and it can be filled again."""
    store = make_store(on_delete="retire")
    index = index_of(store)
    for day, text in ((2, OLD), (10, NEW)):
        clock.set(f"2024-06-{day:02}T00:00:00")
        index.insert(document(text, "page"))
    store.clear()
    assert raw_count(store) == 0
    clock.set("2024-06-20T00:00:00")
    index.insert(document(OLD, "page"))
    assert all_texts(store) == lines(OLD)


def test_a_deleted_document_can_come_back(make_store: StoreMaker, clock: StillClock) -> None:
    """With "retire" a document that was deleted is served again when it is inserted again."""
    store = make_store(on_delete="retire")
    index = index_of(store)
    clock.set("2024-06-02T00:00:00")
    index.insert(document(OLD, "page"))
    clock.set("2024-06-10T00:00:00")
    index.delete_ref_doc("page", delete_from_docstore=True)
    clock.set("2024-06-20T00:00:00")
    index.insert(document(OLD, "page"))
    assert all_texts(store) == lines(OLD)
    assert all_texts(store, as_of="2024-06-05") == lines(OLD)
    assert all_texts(store, as_of="2024-06-15") == []


# ----------------------------------------------------------------------------------------------------- show_validity

SHOWN = ["memstrata_valid_from", "memstrata_valid_to", "memstrata_recorded_at", "memstrata_superseded_by"]


def test_validity_is_shown_to_people_only(make_store: StoreMaker, clock: StillClock) -> None:
    """With `show_validity` metadata tells the dates; both exclusion lists keep them from embedding model and LLM."""
    store = make_store(show_validity=True)
    index = index_of(store)
    index.insert(document(A, author="Ann"), valid_from="2022-01-01")
    index.insert(document(B, author="Ann"), valid_from="2024-01-01")
    found = store.get_nodes(include_superseded=True)
    assert {n.get_content() for n in found} == {A, B}
    for one in found:
        dates = {k: v for k, v in one.metadata.items() if k.startswith("memstrata_")}
        assert dates
        assert set(dates) <= set(SHOWN)
        for keys in (one.excluded_embed_metadata_keys, one.excluded_llm_metadata_keys):
            assert set(dates) <= set(keys)
            assert len(keys) == len(set(keys))
        for mode in (MetadataMode.EMBED, MetadataMode.LLM):
            text = one.get_content(metadata_mode=mode)
            assert "memstrata" not in text
            assert "2022-01-01" not in text
            assert "author: Ann" in text
        assert "memstrata_valid_from" in one.get_content(metadata_mode=MetadataMode.ALL)
    old = next(n for n in found if n.get_content() == A)
    assert old.metadata["memstrata_valid_from"].startswith("2022-01-01")
    assert old.metadata["memstrata_valid_to"].startswith("2024-01-01")
    answer = index.as_query_engine(llm=llm(), similarity_top_k=2).query(QUESTION)
    assert "memstrata" not in str(answer)
    assert "2024-01-01" not in str(answer)


def test_validity_is_hidden_unless_asked_for(store: TemporalVectorStore) -> None:
    """By default a node comes back with its own metadata, exclusion lists and hash."""
    given = node(A, "a", metadata={"author": "Ann"}, excluded_llm_metadata_keys=["author"])
    store.add([given])
    [found] = store.get_nodes(["a"])
    assert found.metadata == {"author": "Ann"}
    assert (found.excluded_embed_metadata_keys, found.excluded_llm_metadata_keys) == ([], ["author"])
    assert found.hash == given.hash


def test_what_is_embedded_holds_no_dates(make_store: StoreMaker) -> None:
    """Neither inserting nor re-inserting nodes that were read shows a date to the embedding model."""
    model = LexicalModel()
    index = index_of(make_store(show_validity=True), embed_model=model)
    index.insert(document(A, author="Ann"), valid_from="2022-01-01")
    index.insert(document(B, author="Ann"), valid_from="2024-01-01")
    assert model.seen == [f"author: Ann\n\n{A}", f"author: Ann\n\n{B}"]


# ----------------------------------------------------------------------------------------------------------- bad input


def unchanged(store: TemporalVectorStore, call: Callable[[], Any], match: str) -> None:
    """Assert that a call is refused with a message and changes nothing."""
    before = store.client.session.collection.get(include=["documents", "metadatas", "embeddings"])
    with pytest.raises(InvalidInputError, match=match):
        call()
    after = store.client.session.collection.get(include=["documents", "metadatas", "embeddings"])
    assert after["ids"] == before["ids"]
    assert after["metadatas"] == before["metadatas"]
    assert after["documents"] == before["documents"]
    assert after["embeddings"].tolist() == before["embeddings"].tolist()


BAD_NODES: dict[str, tuple[Callable[[], Any], str]] = {
    "no embedding": (lambda: TextNode(text=B, id_="bad-node"), "bad-node"),
    "another dimension": (lambda: TextNode(text=B, id_="bad-node", embedding=[1.0, 2.0]), "dimension"),
    "an empty embedding": (lambda: TextNode(text=B, id_="bad-node", embedding=[]), "embedding|dimension"),
    "NaN": (lambda: TextNode(text=B, id_="bad-node", embedding=[float("nan"), *embed(B)[1:]]), "NaN"),
    "nested metadata": (lambda: node(B, "bad-node", metadata={"tags": ["x"]}), "tags"),
    "reserved metadata": (lambda: node(B, "bad-node", metadata={"memstrata_from": 1}), "memstrata_from"),
    "a number beyond 64 bits": (lambda: node(B, "bad-node", metadata={"big": 2**70}), "big"),
    "a lone surrogate": (lambda: node("broken \ud800 text", "bad-node"), "surrogate"),
    "an id twice": (lambda: node(B, "good-node"), "good-node"),
}


@pytest.mark.parametrize("name", BAD_NODES)
@pytest.mark.parametrize("first", [True, False], ids=["bad one first", "bad one last"])
def test_a_bad_node_is_refused_with_all_of_its_call(store: TemporalVectorStore, name: str, first: bool) -> None:
    """A node that cannot be stored is refused with a message that names it, and nothing of the call is written."""
    store.add([node(A, "a")])
    make, match = BAD_NODES[name]
    good = node(B, "good-node")
    nodes = [make(), good] if first else [good, make()]
    unchanged(store, lambda: store.add(nodes), match)
    assert served(store) == [A]


@pytest.mark.parametrize(
    ("dates", "match"),
    [
        ({"valid_from": "soon"}, "soon"),
        ({"valid_from": ["2022-01-01", "2023-01-01"]}, "2 values for 1"),
        ({"valid_from": "2022-01-01", "valid_to": "2021-01-01"}, "valid_to"),
        ({"valid_form": "2022-01-01"}, "valid_from"),
        ({"valid_untl": "2022-01-01", "validfrom": "2022-01-01"}, "valid_"),
        ({"Valid_From": "2022-01-01"}, "valid_from"),
        ({"valid_from_fields": "since"}, "valid_from_field"),
        ({"valid_from_field": "memstrata_from"}, "memstrata_from"),
        ({"valid_to": "2020-01-01"}, "valid_from"),
    ],
    ids=str,
)
def test_bad_dates_are_refused(store: TemporalVectorStore, dates: dict[str, Any], match: str) -> None:
    """A date that cannot be read, or a keyword that looks like a misspelt one, is refused by every way of writing."""
    store.add([node(A, "a")])
    index = index_of(store)
    unchanged(store, lambda: store.add([node(B)], **dates), match)
    unchanged(store, lambda: index.insert(document(B), **dates), match)
    unchanged(store, lambda: index.insert_nodes([TextNode(text=B)], **dates), match)
    unchanged(store, lambda: asyncio.run(store.async_add([node(B)], **dates)), match)


def test_a_date_in_metadata_that_cannot_be_read(make_store: StoreMaker) -> None:
    """A date field with something else in it is refused with the field's name and the value."""
    store = make_store(valid_from_field="since")
    store.add([node(A, "a", metadata={"since": "2022-01-01"})])
    bad = [node(B, metadata={"since": "2023-01-01"}), node(C, metadata={"since": "last spring"})]
    unchanged(store, lambda: store.add(bad), "since.*last spring|last spring.*since")


@pytest.mark.parametrize(
    ("asked", "match"),
    [
        ({"as_of": "soon"}, "as_of.*soon|soon.*as_of"),
        ({"known_at": "soon"}, "known_at.*soon|soon.*known_at"),
        ({"as_of": float("nan")}, "as_of"),
    ],
    ids=str,
)
def test_bad_times_of_reading_are_refused(store: TemporalVectorStore, asked: dict[str, Any], match: str) -> None:
    """A time that cannot be read is refused by every reader."""
    for call in (
        lambda: store.query(ask(), **asked),
        lambda: store.query(ask(mode=VectorStoreQueryMode.MMR), **asked),
        lambda: store.query(VectorStoreQuery(similarity_top_k=3), **asked),
        lambda: store.get_nodes(**asked),
        lambda: asyncio.run(store.aget_nodes(**asked)),
        lambda: index_of(store).as_retriever(vector_store_kwargs=asked).retrieve(QUESTION),
    ):
        with pytest.raises(InvalidInputError, match=match):
            call()


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"on_delet": "retire"}, "on_delete"),
        ({"valid_from_filed": "since"}, "valid_from_field"),
        ({"extracter": None}, "extractor"),
        ({"persistdir": "x"}, "persist_dir"),
        ({"colour": "red"}, "colour.*collection_name"),
        ({"scope": "user"}, "scope"),
        ({"on_delete": "keep"}, "keep"),
        ({"clock": 5}, "clock"),
        ({"extractor": 5}, "extractor"),
        ({"policy": {}}, "policy"),
        ({"valid_from_field": "memstrata_from"}, "memstrata_from"),
    ],
    ids=str,
)
@pytest.mark.parametrize("way", ["constructor", "from_collection", "from_params"])
def test_bad_constructor_arguments_are_refused(
    new_collection: CollectionMaker, tmp_path: Path, way: str, arguments: dict[str, Any], match: str
) -> None:
    """An unknown argument is refused with the nearest known one, a bad value with its name, in every constructor."""
    raw = new_collection()
    with pytest.raises(InvalidInputError, match=match):
        if way == "constructor":
            TemporalVectorStore(raw, **arguments)
        elif way == "from_collection":
            TemporalVectorStore.from_collection(raw, **arguments)
        else:
            TemporalVectorStore.from_params("notes", persist_dir=str(tmp_path), **arguments)


def test_a_filter_on_reserved_fields_is_refused(store: TemporalVectorStore) -> None:
    """Reserved metadata cannot be filtered on; the message tells how to ask about time."""
    some = MetadataFilters(filters=[MetadataFilter(key="memstrata_to", value=5, operator=FilterOperator.GT)])
    for call in (lambda: store.get_nodes(filters=some), lambda: store.query(ask(filters=some))):
        with pytest.raises(InvalidInputError, match="as_of"):
            call()
    unchanged(store, lambda: store.delete_nodes(filters=some), "as_of")


def test_the_guard_against_mass_retirement(make_store: StoreMaker, clock: StillClock) -> None:
    """A version that would retire more than the policy allows is refused, and nothing is written."""
    store = make_store(policy=SupersessionPolicy(max_retired=3))
    index = index_of(store)
    index.insert(document("\n".join(f"Remark {n} on the weather." for n in range(8)), "page"))
    clock.set("2024-06-10T00:00:00")
    before = raw_count(store)
    with pytest.raises(ConflictError, match="max_retired"):
        index.insert(document("Nothing is left.", "page"))
    assert (raw_count(store), len(all_texts(store))) == (before, 8)


# ------------------------------------------------------------------------------------------------- interrupted writes


@pytest.mark.parametrize("after", [False, True], ids=["before it took effect", "after it took effect"])
@pytest.mark.parametrize("stable", [False, True], ids=["fresh ids", "stable ids"])
@pytest.mark.parametrize("reopened", ["same process", "fresh process"])
def test_an_interrupted_version_is_seen_wholly_or_not_at_all(
    new_collection: CollectionMaker, clock: StillClock, after: bool, stable: bool, reopened: str
) -> None:
    """Whichever change of a new version fails, readers see one version, and writing it again brings the new one."""
    old = [part("page", "h1", text, f"page-{n}") for n, text in enumerate(OLD.split("\n"))]
    new = [part("page", "h2", text, f"page-{n}" if stable else f"new-{n}") for n, text in enumerate(NEW.split("\n"))]
    for fail_at in range(1, 20):
        clock.set("2024-06-01T00:00:00")
        raw = new_collection()
        TemporalVectorStore(raw, clock=clock).add(old)
        clock.set("2024-06-10T00:00:00")
        faulty = FaultyCollection(raw, fail_at=fail_at, after=after)
        seen: list[list[str]] = []
        watcher = open_elsewhere(raw, StillClock("2024-06-11T00:00:00"))  # type: ignore[arg-type]
        faulty.watch = lambda _, seen=seen, watcher=watcher: seen.append(sorted(watcher.get()["documents"]))  # type: ignore
        store = TemporalVectorStore(faulty, clock=clock)
        try:
            store.add(new)
        except InjectedFaultError:
            pass
        else:
            assert fail_at > 2
            break
        assert all(view in (lines(OLD), lines(NEW)) for view in seen), f"change {fail_at}"
        clock.set("2024-06-11T00:00:00")
        if reopened == "fresh process":
            _state._states.clear()
        again = TemporalVectorStore(raw, clock=clock)
        assert all_texts(again) in (lines(OLD), lines(NEW)), f"change {fail_at}"
        again.add(new)
        assert all_texts(again) == lines(NEW)
        assert all_texts(again, as_of="2024-06-05") == lines(OLD)
        assert again.verify() == []
    else:
        pytest.fail("the write never came to its end")


def test_random_versions_follow_the_last_write(make_store: StoreMaker, clock: StillClock) -> None:
    """After thirty versions of three documents, each past day shows exactly the lines that each document had then."""
    store = make_store()
    index = index_of(store)
    held: dict[str, list[str]] = {}
    past: list[list[str]] = []
    for step in range(30):
        clock.set(f"2024-06-01T{step // 2:02}:{step % 2 * 30:02}:00")
        name = f"d{step * 7 % 3}"
        text = [f"Line {n} of {name} was written in turn {step % 4}." for n in range(step % 3 + 1)]
        index.insert(document("\n".join(text), name), valid_from=f"2024-06-01T{step // 2:02}:{step % 2 * 30:02}:00")
        held[name] = text
        past.append(sorted(line for one in held.values() for line in one))
        assert all_texts(store) == past[-1], f"step {step}"
    for step, expected in enumerate(past):
        assert all_texts(store, as_of=f"2024-06-01T{step // 2:02}:{step % 2 * 30 + 10:02}:00") == expected
    assert store.verify() == []


def test_ids_of_nodes_are_unique_in_every_answer(book: VectorStoreIndex, clock: StillClock) -> None:
    """No answer gives one id twice, at whatever time it is asked."""
    store: Any = book.vector_store
    for day, text in ((2, OLD), (10, NEW), (20, OLD)):
        clock.set(f"2024-06-{day:02}T00:00:00")
        book.insert(document(text, "page"))
    for asked in ({}, {"as_of": "2024-06-05"}, {"as_of": "2024-06-15"}):
        ids = store.query(ask(k=50), **asked).ids
        assert len(ids) == len(set(ids)) == 3 + len(NOISE)
