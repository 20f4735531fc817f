"""Every way by which a LlamaIndex program can say which time it asks about."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from typing import Any

import pytest
from llama_index.core import VectorStoreIndex
from llama_index.core.chat_engine import ContextChatEngine
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.schema import ImageNode, IndexNode, TextNode

from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.llama_index import TemporalRetriever, as_of
from tests.stateful.toy import TestClock

from .conftest import StoreMaker
from .llama import NOISE, QUESTION, A, B, C, LexicalModel, document, index_of, llm, matching, node, ports, served, texts

FERRIES = "Take the ferries to the island before noon."
CHATS = ["context", "condense_plus_context", "condense_question"]


@pytest.fixture
def history(make_llama: StoreMaker, clock: TestClock) -> VectorStoreIndex:
    """An index in which the port was 8080 from 2022 on and is 9090 since 2024, learned on 2 and on 10 June 2024."""
    store = make_llama()
    store.add([node(text) for text in NOISE])
    index = index_of(store)
    clock.set("2024-06-02T00:00:00")
    index.insert(document(A), valid_from="2022-01-01")
    clock.set("2024-06-10T00:00:00")
    index.insert(document(B), valid_from="2024-01-01")
    clock.set("2024-06-20T00:00:00")
    return index


def retriever(index: Any, **asked: Any) -> Any:
    return index.as_retriever(similarity_top_k=9, **asked)


def engine(index: Any, **asked: Any) -> Any:
    return index.as_query_engine(llm=llm(), similarity_top_k=9, **asked)


def chat(index: Any, mode: str, **asked: Any) -> Any:
    memory = ChatMemoryBuffer.from_defaults(token_limit=500_000)
    return index.as_chat_engine(chat_mode=mode, llm=llm(), memory=memory, similarity_top_k=9, **asked)


def read(response: Any, said: str | None = None) -> list[str]:
    """Return the sentences about the port among an answer's sources; what the answer says shows the same."""
    if isinstance(response, list):
        return ports(response)
    sources = ports(response.source_nodes)
    assert sources == sorted(text for text in (A, B, C) if text in (str(response) if said is None else said))
    return sources


def streamed(response: Any) -> list[str]:
    return read(response, "".join(response.response_gen))


async def astreamed(response: Any) -> list[str]:
    """Like `streamed`, asynchronously; LlamaIndex tells no sources where a chat engine streams a query engine."""
    said = "".join([token async for token in response.async_response_gen()])
    shown = sorted(text for text in (A, B, C) if text in said)
    assert ports(response.source_nodes) in (shown, [])
    return shown


async def answered(response: Any, *, stream: bool = False) -> list[str]:
    """Read an answer that is awaited, to its end if it is a stream."""
    return await astreamed(await response) if stream else read(await response)


STREAM = {"streaming": True, "use_async": True}
AASKERS: dict[str, Callable[[Any, dict[str, Any]], Awaitable[list[str]]]] = {
    "aretrieve": lambda i, a: answered(retriever(i, **a).aretrieve(QUESTION)),
    "aquery": lambda i, a: answered(engine(i, **a).aquery(QUESTION)),
    "aquery, streaming": lambda i, a: answered(engine(i, **STREAM, **a).aquery(QUESTION), stream=True),
    **{f"achat, {m}": lambda i, a, m=m: answered(chat(i, m, **a).achat(QUESTION)) for m in CHATS},  # type: ignore[misc]
    **{
        f"astream_chat, {m}": lambda i, a, m=m: answered(  # type: ignore[misc]
            chat(i, m, **STREAM, **a).astream_chat(QUESTION), stream=True
        )
        for m in CHATS
    },
}
ASKERS: dict[str, Callable[[Any, dict[str, Any]], list[str]]] = {
    "retrieve": lambda i, a: read(retriever(i, **a).retrieve(QUESTION)),
    "retrieve, MMR": lambda i, a: read(retriever(i, vector_store_query_mode="mmr", **a).retrieve(QUESTION)),
    "query": lambda i, a: read(engine(i, **a).query(QUESTION)),
    "query, streaming": lambda i, a: streamed(engine(i, streaming=True, **a).query(QUESTION)),
    **{f"chat, {m}": lambda i, a, m=m: read(chat(i, m, **a).chat(QUESTION)) for m in CHATS},  # type: ignore[misc]
    **{
        f"stream_chat, {m}": lambda i, a, m=m: streamed(chat(i, m, streaming=True, **a).stream_chat(QUESTION))  # type: ignore[misc]
        for m in CHATS
    },
    **{name: lambda i, a, ask=ask: asyncio.run(ask(i, a)) for name, ask in AASKERS.items()},  # type: ignore[misc]
}
ASKED: list[tuple[dict[str, Any], list[str]]] = [
    ({}, [B]), ({"as_of": "2023-01-01"}, [A]), ({"as_of": "2021-01-01"}, []), ({"as_of": "2024-03-01"}, [B]),
    ({"known_at": "2024-06-05"}, [A]), ({"known_at": "2024-06-05", "as_of": "2024-03-01"}, [A]),
    ({"known_at": "2024-06-15", "as_of": "2023-01-01"}, [A]), ({"known_at": "2024-06-01T12:00:00"}, []),
    ({"include_superseded": True}, [A, B]),
]  # fmt: skip


@pytest.mark.parametrize("asker", ASKERS)
def test_vector_store_kwargs_ask_about_the_past(history: VectorStoreIndex, asker: str) -> None:
    for asked, expected in ASKED:
        assert ASKERS[asker](history, {"vector_store_kwargs": asked}) == expected, asked


@pytest.mark.parametrize("asker", ASKERS)
def test_a_block_asks_about_the_past(history: VectorStoreIndex, asker: str) -> None:
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
async def test_tasks_at_the_same_time_keep_their_blocks_apart(history: VectorStoreIndex, asker: str) -> None:
    async def at(instant: str | None) -> list[str]:
        with as_of(instant) if instant else nullcontext():
            return await AASKERS[asker](history, {})

    found = await asyncio.gather(at("2023-01-01"), at(None), at("2021-01-01"), at("2024-03-01"))
    assert found == [[A], [B], [], [B]]


TEMPORAL: dict[str, Callable[[Any, Any], list[str]]] = {  # engines ask a retriever in one of these ways
    "retrieve": lambda r, e: read(r.retrieve(QUESTION)),
    "aretrieve": lambda r, e: read(asyncio.run(r.aretrieve(QUESTION))),
    "query": lambda r, e: read(e.query(QUESTION)),
    "aquery": lambda r, e: read(asyncio.run(e.aquery(QUESTION))),
    "context": lambda r, e: read(ContextChatEngine.from_defaults(r, llm=llm()).chat(QUESTION)),
    "fusion": lambda r, e: read(fusion(r).retrieve(QUESTION)),
}


def fusion(*inner: Any, use_async: bool = True) -> QueryFusionRetriever:
    return QueryFusionRetriever(list(inner), llm=llm(), num_queries=1, similarity_top_k=9, use_async=use_async)


@pytest.mark.parametrize("way", TEMPORAL)
def test_a_temporal_retriever_asks_about_the_past(history: VectorStoreIndex, way: str) -> None:
    def found(**asked: Any) -> list[str]:
        made = TemporalRetriever(history, similarity_top_k=9, **asked)
        return TEMPORAL[way](made, RetrieverQueryEngine.from_args(made, llm=llm()))

    assert [found(**asked) for asked, _ in ASKED] == [expected for _, expected in ASKED]
    with as_of("2023-01-01"):
        assert [found(), found(as_of="2024-03-01")] == [[A], [B]]


def test_a_temporal_retriever_takes_what_its_base_takes(history: VectorStoreIndex) -> None:
    history.insert(document(FERRIES, "boats", n=1))
    for narrowed in ({"filters": matching(n=1)}, {"doc_ids": ["boats"]}):
        assert texts(TemporalRetriever(history, **narrowed).retrieve(QUESTION)) == [FERRIES]  # type: ignore[arg-type]
    given: dict[str, Any] = {"mmr_threshold": 0.2, "as_of": "2021-01-01"}
    mmr = TemporalRetriever(history, 9, "mmr", as_of="2023-01-01", vector_store_kwargs=given)  # type: ignore[arg-type]
    assert ports(mmr.retrieve(QUESTION)) == [A]
    assert ports(TemporalRetriever(history, 9, vector_store_kwargs={"as_of": "2023-01-01"}).retrieve(QUESTION)) == [A]
    assert given == {"mmr_threshold": 0.2, "as_of": "2021-01-01"}
    assert TemporalRetriever(history, similarity_top_k=3).similarity_top_k == 3


def test_a_temporal_retriever_refuses_what_it_cannot_use(history: VectorStoreIndex) -> None:
    for asked in ({"as_of": "soon"}, {"known_at": "soon"}, {"vector_store_kwargs": {"as_of": "soon"}}):
        with pytest.raises(InvalidInputError, match="soon"):
            TemporalRetriever(history, **asked)  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError, match="SimpleVectorStore"):
        TemporalRetriever(VectorStoreIndex([], embed_model=LexicalModel()))


@pytest.mark.parametrize("made", [IndexNode, ImageNode])
def test_a_temporal_retriever_serves_nodes_without_texts_as_the_store_does(make_llama: StoreMaker, made: Any) -> None:
    """Stock puts the docstore's copies in their place, which know of no time; an empty `where` is none, as in stock."""
    index = index_of(make_llama())
    extra = {"index_id": "q"} if made is IndexNode else {}
    for text, day in ((A, "2024-01-01"), (B, "2024-02-01")):
        index.insert_nodes([made(id_="page", text=f"{text} Ask Ann.", **extra)], valid_from=day)
    index.insert_nodes([TextNode(text=C)], valid_from="2024-03-01")
    told = TemporalRetriever(index, 9, vector_store_kwargs={"where": {}})
    assert sorted(texts(told.retrieve(QUESTION))) == sorted(["Ask Ann.", C])
    assert texts(TemporalRetriever(index, 9, as_of="2024-01-15").retrieve(QUESTION)) == [f"{A} Ask Ann."]


async def test_a_block_reaches_into_a_fusion(history: VectorStoreIndex) -> None:
    for fused in (fusion(retriever(history), use_async=use_async) for use_async in (False, True)):
        with as_of("2023-01-01"):
            assert read(fused.retrieve(QUESTION)) == read(await fused.aretrieve(QUESTION)) == [A]


def test_scope_through_the_retriever(make_llama: StoreMaker) -> None:
    store = make_llama(scope=("user",))
    index = index_of(store)
    index.insert(document(A, user="ann"))
    index.insert(document(B, user="bob"))
    for user, expected in (("ann", [A]), ("bob", [B])):
        assert served(store, scope={"user": user}) == expected
        assert ports(TemporalRetriever(index, 9, scope={"user": user}).retrieve(QUESTION)) == expected
        assert ports(retriever(index, vector_store_kwargs={"scope": {"user": user}}).retrieve(QUESTION)) == expected
        assert ports(retriever(index, filters=matching(user=user)).retrieve(QUESTION)) == expected
    for call in (
        lambda: index.as_retriever().retrieve(QUESTION),
        lambda: index.insert(document(C)),
        lambda: store.delete_nodes(filters=matching(n=1)),
    ):
        with pytest.raises(InvalidInputError, match="user"):
            call()
