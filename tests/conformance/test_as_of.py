"""Every way by which a LangChain program can say which time it asks about, and what tracers are told of it."""

import asyncio
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from datetime import date, datetime, timezone
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.output_parsers import StrOutputParser
from langchain_core.runnables import Runnable, RunnableLambda, RunnablePassthrough
from langchain_core.tools.retriever import create_retriever_tool
from langchain_core.tracers.context import register_configure_hook

from memstrata_integrations import as_of
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.langchain import TemporalRetriever

from .doors import Door

QUESTION = "What is the API port?"
YEARS = range(2011, 2020)
NEWEST = 2019
Time = dict[str, Any]


def statement(year: int) -> str:
    return f"The API port is {year * 4}."


def year_of(documents: list[Document]) -> int:
    [document] = documents
    return {statement(year): year for year in YEARS}[document.page_content]


def middle(year: int) -> str:
    return f"{year}-06-15"


@pytest.fixture(scope="module")
def store() -> Iterator[Any]:
    """A port that changes every New Year, written on the day, so that valid and transaction time agree; only read."""
    door = Door("langchain", collection_configuration={"hnsw": {"space": "cosine"}})
    for year in YEARS:
        door.clock.set(f"{year}-01-01")
        door.tell(statement(year))
    door.clock.set("2024-06-01T12:00:00")
    yield door.store
    door.close()


@pytest.fixture(params=["as_of", "known_at"])
def axis(request: pytest.FixtureRequest) -> str:
    """Valid time and transaction time in turn: each channel carries both."""
    return str(request.param)


def inside(time: Time) -> Any:
    return as_of(time.get("as_of"), known_at=time.get("known_at"))


def within(call: Callable[[], list[Document]], time: Time) -> list[Document]:
    with inside(time):
        return call()


def retriever(store: Any, kind: str = "similarity", search_kwargs: Time | None = None, **more: Any) -> Any:
    needed = {"score_threshold": 0.1} if kind.endswith("threshold") else {}
    return store.as_retriever(search_type=kind, search_kwargs={**needed, **(search_kwargs or {})}, **more)


ASKED: dict[str, Callable[[Any, Time], list[Document]]] = {  # how a retriever is asked about a time
    "invoke keyword": lambda r, t: r.invoke(QUESTION, **t),
    "config of the call": lambda r, t: r.invoke(QUESTION, {"configurable": t}),
    "ainvoke keyword": lambda r, t: asyncio.run(r.ainvoke(QUESTION, **t)),
    "config of an asynchronous call": lambda r, t: asyncio.run(r.ainvoke(QUESTION, {"configurable": t})),
    "bind": lambda r, t: r.bind(**t).invoke(QUESTION),
    "bind, ainvoke": lambda r, t: asyncio.run(r.bind(**t).ainvoke(QUESTION)),
    "bind, batch": lambda r, t: r.bind(**t).batch([QUESTION])[0],
    "with_config": lambda r, t: r.with_config(configurable=t).invoke(QUESTION),
    "with_config, ainvoke": lambda r, t: asyncio.run(r.with_config(configurable=t).ainvoke(QUESTION)),
    "batch keyword": lambda r, t: r.batch([QUESTION, QUESTION], **t)[1],
    "batch config": lambda r, t: r.batch([QUESTION, QUESTION], {"configurable": t})[1],
    "abatch keyword": lambda r, t: asyncio.run(r.abatch([QUESTION, QUESTION], **t))[1],
    "abatch config": lambda r, t: asyncio.run(r.abatch([QUESTION, QUESTION], {"configurable": t}))[1],
    "piped from a lambda": lambda r, t: (RunnableLambda(str) | r).invoke(QUESTION, {"configurable": t}),
    "with as_of": lambda r, t: within(lambda: r.invoke(QUESTION), t),
    "with as_of, a batch": lambda r, t: within(lambda: r.batch([QUESTION] * 4, {"max_concurrency": 3})[3], t),
}
MADE: dict[str, Callable[..., Any]] = {  # how a retriever is made for a time
    "search_kwargs": lambda s, t, **more: retriever(s, search_kwargs=t, **more),
    "search_kwargs with k": lambda s, t, **more: retriever(s, search_kwargs={**t, "k": 3}, **more),
    "search_kwargs, mmr": lambda s, t, **more: retriever(s, "mmr", t, **more),
    "search_kwargs, threshold": lambda s, t, **more: retriever(s, "similarity_score_threshold", t, **more),
    "field": lambda s, t, **more: TemporalRetriever(vectorstore=s, **t, **more),
    "field with k": lambda s, t, **more: TemporalRetriever(vectorstore=s, k=3, **t, **more),
    "field through as_retriever": lambda s, t, **more: s.as_retriever(**t, **more),
}
RETRIEVED: dict[str, Callable[..., list[Document]]] = {  # a store, a time, and what the retriever gets beside it
    **{way: lambda s, t, ask=ask, **more: ask(retriever(s, **more), t) for way, ask in ASKED.items()},  # type: ignore[misc]
    **{
        f"{way}, {kind}": lambda s, t, ask=ASKED[way], kind=kind, **more: ask(retriever(s, kind, **more), t)  # type: ignore[misc]
        for kind in ("mmr", "similarity_score_threshold")
        for way in list(ASKED)[:4]
    },
    **{way: lambda s, t, make=make, **more: make(s, t, **more).invoke(QUESTION) for way, make in MADE.items()},  # type: ignore[misc]
    "field, ainvoke": lambda s, t, **more: asyncio.run(MADE["field"](s, t, **more).ainvoke(QUESTION)),
    "field, abatch": lambda s, t, **more: asyncio.run(MADE["field"](s, t, **more).abatch([QUESTION]))[0],
    "search_kwargs, ainvoke": lambda s, t, **more: asyncio.run(MADE["search_kwargs"](s, t, **more).ainvoke(QUESTION)),
}
CHANNELS: dict[str, Callable[[Any, Time], list[Document]]] = {  # each keyword of the store itself: test_redaction
    "similarity_search": lambda s, t: s.similarity_search(QUESTION, **t),
    "with as_of, the store": lambda s, t: within(lambda: s.similarity_search(QUESTION), t),
    **RETRIEVED,
}


@pytest.mark.parametrize("channel", CHANNELS)
def test_each_channel_carries_a_time(store: Any, axis: str, channel: str) -> None:
    """A time given through a channel, in any form, is answered with the sentence of that time; `None` means now.

    A time that cannot be read is an error that shows it, never an answer about now.
    """
    forms = [date(2015, 6, 15), datetime(2015, 6, 15, 6), datetime(2015, 6, 15, 6, tzinfo=timezone.utc), 1434348000]
    of_2015 = dict.fromkeys([middle(2015), *forms, 1434348000.5, "2015-06-15T08:00:00+02:00"], 2015)
    for time, year in {middle(2011): 2011, **of_2015, middle(NEWEST): NEWEST, None: NEWEST}.items():
        assert year_of(CHANNELS[channel](store, {axis: time})) == year
    assert CHANNELS[channel](store, {axis: "2001-01-01"}) == []  # before the first sentence
    # pydantic wraps what a field's validator raises, in a ValueError of its own
    with pytest.raises(ValueError if channel.startswith("field") else InvalidInputError, match="next Tuesday"):
        CHANNELS[channel](store, {axis: "next Tuesday"})


async def test_asynchronous_searches_carry_a_time(store: Any, axis: str) -> None:
    time, vector = {axis: middle(2014)}, store.embeddings.embed_query(QUESTION)
    for found in (
        await store.asimilarity_search(QUESTION, **time),
        [d for d, _ in await store.asimilarity_search_with_score(QUESTION, **time)],
        [d for d, _ in await store.asimilarity_search_with_relevance_scores(QUESTION, **time)],
        await store.asimilarity_search_by_vector(vector, **time),
        await store.amax_marginal_relevance_search(QUESTION, **time),
    ):
        assert year_of(found) == 2014


async def test_a_block_reaches_into_coroutines_and_executors(store: Any) -> None:
    retriever = store.as_retriever()

    async def ask_at(year: int) -> list[int]:
        with as_of(middle(year)):
            found = [
                await retriever.ainvoke(QUESTION),
                *await retriever.abatch([QUESTION, QUESTION]),
                await asyncio.create_task(store.asimilarity_search(QUESTION)),
                await asyncio.to_thread(store.similarity_search, QUESTION),
            ]
        found.append(await retriever.ainvoke(QUESTION))
        return [year_of(documents) for documents in found]

    answers = await asyncio.gather(*(ask_at(year) for year in YEARS))
    assert answers == [[year] * 5 + [NEWEST] for year in YEARS]


def test_blocks_nest(store: Any) -> None:
    """The inner block prevails, a keyword before it, and the outer one comes back, also after an exception."""
    with as_of(middle(2012)):
        with pytest.raises(KeyError), as_of(middle(2016)):
            assert year_of(store.similarity_search(QUESTION)) == 2016
            assert year_of(store.similarity_search(QUESTION, as_of=middle(2018))) == 2018
            raise KeyError
        assert year_of(store.similarity_search(QUESTION)) == 2012
    assert year_of(store.similarity_search(QUESTION)) == NEWEST


async def test_each_call_of_a_batch_may_have_a_time_of_its_own(store: Any, axis: str) -> None:
    configurations: Any = [{"configurable": {axis: middle(year)}} for year in YEARS]
    retriever = store.as_retriever()
    questions = [QUESTION] * len(YEARS)
    for answers in (retriever.batch(questions, configurations), await retriever.abatch(questions, configurations)):
        assert [year_of(answer) for answer in answers] == list(YEARS)


PRECEDENCE = ["call", "config", "search_kwargs", "field", "block"]  # from the strongest to the weakest


@pytest.mark.parametrize("pair", [(s, w) for n, s in enumerate(PRECEDENCE) for w in PRECEDENCE[n + 1 :]], ids=str)
async def test_of_any_two_channels_the_stronger_prevails(store: Any, axis: str, pair: tuple[str, str]) -> None:
    times = {pair[0]: {axis: middle(2013)}, pair[1]: {axis: middle(2017)}}
    asked = TemporalRetriever(vectorstore=store, search_kwargs=times.get("search_kwargs", {}), **times.get("field", {}))
    config: Any = {"configurable": times.get("config", {})}
    with inside(times.get("block", {})):
        assert year_of(asked.invoke(QUESTION, config, **times.get("call", {}))) == 2013
        assert year_of(await asked.ainvoke(QUESTION, config, **times.get("call", {}))) == 2013


def test_a_time_doesnt_stick_to_a_retriever(store: Any, axis: str) -> None:
    search_kwargs: dict[str, Any] = {"k": 2}
    retriever = store.as_retriever(search_kwargs=search_kwargs)
    configured: Any = {"configurable": {axis: middle(2012)}}
    assert year_of(retriever.invoke(QUESTION, configured)) == 2012
    assert year_of(retriever.invoke(QUESTION, **{axis: middle(2013)})) == 2013
    assert year_of(retriever.invoke(QUESTION)) == NEWEST
    assert search_kwargs == {"k": 2}
    assert retriever.search_kwargs == {"k": 2}
    assert configured == {"configurable": {axis: middle(2012)}}


def test_the_two_times_may_come_through_two_channels(store: Any) -> None:
    for valid, known, expected in ((2012, 2016, 2012), (2016, 2012, 2012)):
        configured: Any = {"configurable": {"known_at": middle(known)}}
        assert year_of(store.as_retriever().invoke(QUESTION, configured, as_of=middle(valid))) == expected
        with as_of(middle(valid)):
            assert year_of(store.as_retriever().invoke(QUESTION, configured)) == expected


def test_as_retriever_gives_a_temporal_retriever(store: Any) -> None:
    retriever = store.as_retriever()
    assert type(retriever) is TemporalRetriever
    assert retriever.tags == ["TemporalVectorStore", "Counting"]
    everything = {"include_superseded": True}
    found = retriever.invoke(QUESTION, **everything, k=50)
    assert sorted(d.page_content for d in found) == sorted(map(statement, YEARS))
    three = TemporalRetriever(vectorstore=store, k=3, search_kwargs=everything)
    assert len(three.invoke(QUESTION)) == 3
    assert len(three.invoke(QUESTION, k=5)) == 5
    assert len(TemporalRetriever(vectorstore=store, search_kwargs=everything).invoke(QUESTION)) == 4


@pytest.mark.parametrize("name", ["asof", "as_off", "knownat", "known_att"])
def test_a_misspelt_time_of_a_retriever_is_refused(store: Any, name: str) -> None:
    """Other unknown arguments pass, as in stock."""
    with pytest.raises(ValueError, match=r"did you mean (as_of|known_at)="):
        store.as_retriever(**{name: "2024-01-03"})
    assert store.as_retriever(nonsense=1, metadata={"a": 1}).metadata == {"a": 1}


def make_chain(retriever: Runnable[str, list[Document]], seen: list[str]) -> Runnable[str, str]:
    """Return the usual chain of retriever, prompt, model and parser; `seen` collects the prompts."""

    def prompt(values: dict[str, Any]) -> str:
        seen.append(" ".join(document.page_content for document in values["context"]))
        return f"{seen[-1]}\n{values['question']}"

    return (
        {"context": retriever, "question": RunnablePassthrough()}
        | RunnableLambda(prompt)
        | FakeListChatModel(responses=["done"])
        | StrOutputParser()
    )


async def test_a_chain_passes_the_time_to_its_retriever(store: Any, axis: str) -> None:
    seen: list[str] = []
    chain = make_chain(store.as_retriever(), seen)
    time = {axis: middle(2012)}
    configured: Any = {"configurable": time}
    assert chain.invoke(QUESTION, configured) == await chain.ainvoke(QUESTION, configured) == "done"
    assert chain.batch([QUESTION], configured) == await chain.abatch([QUESTION], configured) == ["done"]
    assert list(chain.stream(QUESTION, configured)) == [c async for c in chain.astream(QUESTION, configured)] != []
    assert chain.with_config(configurable=time).invoke(QUESTION) == "done"
    assert make_chain(store.as_retriever().bind(**time), seen).invoke(QUESTION) == "done"
    with inside(time):
        assert chain.invoke(QUESTION) == await chain.ainvoke(QUESTION) == "done"
    assert seen == [statement(2012)] * 10
    chain.invoke(QUESTION)
    assert seen[-1] == statement(NEWEST)


def test_the_configuration_says_what_it_takes(store: Any) -> None:
    for runnable in (store.as_retriever(), make_chain(store.as_retriever(), [])):
        specs = {spec.id: spec.default for spec in runnable.config_specs}
        assert {"as_of": None, "known_at": None}.items() <= specs.items()


async def test_a_retriever_tool_passes_the_time(store: Any, axis: str) -> None:
    tool = create_retriever_tool(store.as_retriever(), "ports", "Knows the ports.")
    configured: Any = {"configurable": {axis: middle(2012)}}
    asked = {"query": QUESTION}
    assert tool.invoke(asked, configured) == await tool.ainvoke(asked, configured) == statement(2012)
    with as_of(middle(2012)):
        assert tool.invoke(asked) == await tool.ainvoke(asked) == statement(2012)


TWO_QUERIES = FakeListChatModel(responses=["the API port\nport of the API"])
WRAPPERS: dict[str, tuple[Callable[[Any, Any], Any], int]] = {  # and the year that the configuration makes it answer
    "EnsembleRetriever": (lambda wrap, inner: wrap(retrievers=[inner]), 2012),
    "MergerRetriever": (lambda wrap, inner: wrap(retrievers=[inner]), NEWEST),
    "MultiQueryRetriever": (lambda wrap, inner: wrap.from_llm(retriever=inner, llm=TWO_QUERIES), NEWEST),
}


@pytest.mark.parametrize("name", WRAPPERS)
def test_a_block_reaches_through_retrievers_that_drop_the_configuration(store: Any, name: str) -> None:
    """Some of LangChain's wrappers drop the configuration, silently; `with as_of(t):` works through all of them."""
    classic = pytest.importorskip("langchain_classic.retrievers", reason="langchain-classic is not installed")
    wrap, configured = WRAPPERS[name]
    wrapped = wrap(getattr(classic, name), store.as_retriever())
    with as_of(middle(2012)):
        assert year_of(wrapped.invoke(QUESTION)) == 2012
    assert year_of(wrapped.invoke(QUESTION, {"configurable": {"as_of": middle(2012)}})) == configured


class MetadataCollector(BaseCallbackHandler):
    """Keeps the metadata that a retriever's run starts with."""

    def __init__(self) -> None:
        self.metadata: list[dict[str, Any]] = []

    def on_retriever_start(self, serialized: Any, query: str, *, metadata: Any = None, **_: Any) -> None:
        self.metadata.append(metadata or {})


COLLECTOR = ContextVar[MetadataCollector | None]("COLLECTOR", default=None)
register_configure_hook(COLLECTOR, inheritable=True)  # LangChain calls what it holds of every run


@pytest.mark.parametrize("channel", RETRIEVED)
def test_the_time_is_in_the_tracing_metadata(store: Any, axis: str, channel: str) -> None:
    COLLECTOR.set(collector := MetadataCollector())
    assert year_of(RETRIEVED[channel](store, {axis: middle(2016)}, metadata={"mine": 1})) == 2016
    COLLECTOR.set(None)
    assert collector.metadata
    for metadata in collector.metadata:
        [told] = [str(value) for key, value in metadata.items() if key.endswith(axis)]
        assert told.startswith(middle(2016))
        assert metadata["mine"] == 1
        assert metadata["ls_retriever_name"]
        assert metadata["ls_vector_store_provider"] == "TemporalVectorStore"
        assert metadata["ls_embedding_provider"] == "Counting"
