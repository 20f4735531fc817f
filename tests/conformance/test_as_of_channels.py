"""Every way by which a LangChain program can say which time it asks about, and which of them prevails."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import date, datetime, timezone
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.runnables import RunnableLambda

from memstrata_integrations import as_of
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.langchain import TemporalRetriever

from .years import NEWEST, QUESTION, YEARS, axis, inside, middle, statement, store, within, year_of

__all__ = ["axis", "store"]

Time = dict[str, Any]


def retriever(store: Any, kind: str = "similarity", search_kwargs: Time | None = None, **more: Any) -> Any:
    """Open a retriever by a type of search."""
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
    """Each asynchronous method of the store itself takes both times."""
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
    """`with as_of(t):` holds for what is awaited inside it, tasks included, and for nothing outside."""
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
    """A list of configurations gives each question of a batch its own time."""
    configurations: Any = [{"configurable": {axis: middle(year)}} for year in YEARS]
    retriever = store.as_retriever()
    for answers in (
        retriever.batch([QUESTION] * len(YEARS), configurations),
        await retriever.abatch([QUESTION] * len(YEARS), configurations),
    ):
        assert [year_of(answer) for answer in answers] == list(YEARS)


PRECEDENCE = ["call", "config", "search_kwargs", "field", "block"]  # from the strongest to the weakest


@pytest.mark.parametrize("pair", [(s, w) for n, s in enumerate(PRECEDENCE) for w in PRECEDENCE[n + 1 :]], ids=str)
async def test_of_any_two_channels_the_stronger_prevails(store: Any, axis: str, pair: tuple[str, str]) -> None:
    """Between any two channels alone the order is the same, asynchronously too."""
    times = {pair[0]: {axis: middle(2013)}, pair[1]: {axis: middle(2017)}}
    retriever = TemporalRetriever(
        vectorstore=store, search_kwargs=times.get("search_kwargs", {}), **times.get("field", {})
    )
    config: Any = {"configurable": times.get("config", {})}
    with inside(times.get("block", {})):
        assert year_of(retriever.invoke(QUESTION, config, **times.get("call", {}))) == 2013
        assert year_of(await retriever.ainvoke(QUESTION, config, **times.get("call", {}))) == 2013


def test_a_time_doesnt_stick_to_a_retriever(store: Any, axis: str) -> None:
    """A time given to one call doesn't reach the next one, nor the caller's own dictionaries."""
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
    """One time from the configuration, and the other from a keyword or a block, act together."""
    for valid, known, expected in ((2012, 2016, 2012), (2016, 2012, 2012)):
        configured: Any = {"configurable": {"known_at": middle(known)}}
        assert year_of(store.as_retriever().invoke(QUESTION, configured, as_of=middle(valid))) == expected
        with as_of(middle(valid)):
            assert year_of(store.as_retriever().invoke(QUESTION, configured)) == expected


def test_include_superseded_goes_through_a_retriever(store: Any) -> None:
    """`include_superseded=True` shows every sentence, by keyword and by `search_kwargs`."""
    for found in (
        store.as_retriever().invoke(QUESTION, include_superseded=True, k=50),
        store.as_retriever(search_kwargs={"include_superseded": True, "k": 50}).invoke(QUESTION),
    ):
        assert sorted(d.page_content for d in found) == sorted(statement(year) for year in YEARS)


def test_as_retriever_gives_a_temporal_retriever(store: Any) -> None:
    """`as_retriever` gives our class with stock's tags; `k` is a field, which calls override."""
    retriever = store.as_retriever()
    assert type(retriever) is TemporalRetriever
    assert retriever.tags == ["TemporalVectorStore", "LexicalEmbeddings"]
    everything = {"include_superseded": True}
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
