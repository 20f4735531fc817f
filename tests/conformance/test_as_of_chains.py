"""The time that is asked about goes through chains, tools and wrappers of LangChain, and into what tracers are told."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
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

from .test_as_of_channels import RETRIEVED
from .years import NEWEST, QUESTION, axis, inside, middle, statement, store, year_of

__all__ = ["axis", "store"]


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
    """In an LCEL chain the configuration of call, chain or retriever, or a block, decides what the prompt holds."""
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
    """`config_specs` of a retriever, and of a chain around it, name both times, optional."""
    for runnable in (store.as_retriever(), make_chain(store.as_retriever(), [])):
        specs = {spec.id: spec for spec in runnable.config_specs}
        assert {"as_of", "known_at"} <= set(specs)
        assert specs["as_of"].default is None
        assert specs["known_at"].default is None


async def test_a_retriever_tool_passes_the_time(store: Any, axis: str) -> None:
    """A tool made of a retriever answers as of the configured time, and of the block around it."""
    tool = create_retriever_tool(store.as_retriever(), "ports", "Knows the ports.")
    configured: Any = {"configurable": {axis: middle(2012)}}
    assert tool.invoke({"query": QUESTION}, configured) == statement(2012)
    assert await tool.ainvoke({"query": QUESTION}, configured) == statement(2012)
    with as_of(middle(2012)):
        assert tool.invoke({"query": QUESTION}) == statement(2012)
        assert await tool.ainvoke({"query": QUESTION}) == statement(2012)


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
        self.ended: list[list[Document]] = []

    def on_retriever_start(
        self, serialized: Any, query: str, *, metadata: dict[str, Any] | None = None, **_: Any
    ) -> None:
        self.metadata.append(metadata or {})

    def on_retriever_end(self, documents: Any, **_: Any) -> None:
        self.ended.append(list(documents))


COLLECTOR = ContextVar[MetadataCollector | None]("COLLECTOR", default=None)
register_configure_hook(COLLECTOR, inheritable=True)  # LangChain calls what it holds of every run


@pytest.mark.parametrize("channel", RETRIEVED)
def test_the_time_is_in_the_tracing_metadata(store: Any, axis: str, channel: str) -> None:
    """A run's metadata says which time was asked about, in ISO 8601, whichever channel brought it."""
    COLLECTOR.set(collector := MetadataCollector())
    RETRIEVED[channel](store, {axis: middle(2016)}, metadata={"mine": 1})
    COLLECTOR.set(None)
    assert collector.metadata
    for metadata in collector.metadata:
        [told] = [str(value) for key, value in metadata.items() if key.endswith(axis)]
        assert told.startswith(middle(2016))
        assert metadata["mine"] == 1
        assert metadata["ls_retriever_name"]
        assert metadata["ls_vector_store_provider"] == "TemporalVectorStore"
        assert metadata["ls_embedding_provider"] == "LexicalEmbeddings"
    assert year_of(collector.ended[0]) == 2016
