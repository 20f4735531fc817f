"""What LlamaIndex hears while it reads and writes is the same as with stock: events, callbacks, texts to embed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from llama_index.core import Document
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.callbacks import CallbackManager
from llama_index.core.callbacks.base_handler import BaseCallbackHandler
from llama_index.core.callbacks.schema import EventPayload
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.instrumentation.event_handlers import BaseEventHandler
from llama_index.core.instrumentation.span import SimpleSpan
from llama_index.core.instrumentation.span_handlers import BaseSpanHandler
from llama_index.core.llms import ChatMessage

from .flows import Pair, chat_engine, documents, open_index, same
from .llama import LexicalModel, LineParser, llm, pairs, plain
from .test_static_parity import EXACT_INDEX


@pytest.fixture
def stores(client: Any) -> Iterator[Pair]:
    """Stock and ours, empty."""
    with pairs(client) as make:
        yield make(configuration=EXACT_INDEX)


class Listener(BaseEventHandler):
    """Keeps the names of events, and what was retrieved."""

    heard: list[Any]

    @classmethod
    def class_name(cls) -> str:
        return "Listener"

    def handle(self, event: Any, **kwargs: Any) -> None:
        nodes = plain(getattr(event, "nodes", None))
        self.heard.append((event.class_name(), nodes))


class Spans(BaseSpanHandler[SimpleSpan]):
    """Keeps the names of spans in order."""

    _names: list[str] = PrivateAttr(default_factory=list)

    @property
    def names(self) -> list[str]:
        """The names so far."""
        return self._names

    @classmethod
    def class_name(cls) -> str:
        return "Spans"

    def new_span(self, id_: str, *arguments: Any, **keywords: Any) -> SimpleSpan | None:
        self.names.append(id_.rsplit("-", 5)[0])
        return SimpleSpan(id_=id_)

    def prepare_to_exit_span(self, id_: str, *arguments: Any, **keywords: Any) -> Any:
        self.names.append("end of " + id_.rsplit("-", 5)[0])
        return self.open_spans.get(id_)

    def prepare_to_drop_span(self, id_: str, *arguments: Any, **keywords: Any) -> Any:
        return self.open_spans.get(id_)


class Counter(BaseCallbackHandler):
    """Keeps the kinds of callback events with what they carry."""

    def __init__(self) -> None:
        super().__init__([], [])
        self.seen: list[Any] = []

    def on_event_start(self, event_type: Any, payload: Any = None, event_id: str = "", **kwargs: Any) -> str:
        self.seen.append(("start", event_type.value, sorted(payload or {})))
        return event_id

    def on_event_end(self, event_type: Any, payload: Any = None, event_id: str = "", **kwargs: Any) -> None:
        nodes = (payload or {}).get(EventPayload.NODES)
        self.seen.append(("end", event_type.value, sorted(payload or {}), plain(nodes)))

    def start_trace(self, trace_id: str | None = None) -> None:
        self.seen.append(("trace", trace_id))

    def end_trace(self, trace_id: str | None = None, trace_map: Any = None) -> None:
        self.seen.append(("end of trace", trace_id))


def filled(store: Any, last: int, **more: Any) -> Any:
    """Open an index on a store, and insert the first documents."""
    index = open_index(store, **more)
    for document in documents(0, last):
        index.insert(document)
    return index


ENGINES = ["compact", "refine", "tree_summarize", "simple_summarize", "accumulate"]
CHATS = ["context", "condense_plus_context", "condense_question"]
HISTORY = [ChatMessage(role="user", content="Good morning."), ChatMessage(role="assistant", content="Good morning!")]


def everything(index: Any) -> list[Any]:
    """Insert, ask, chat over two turns and delete; return what every engine answers, and by what."""
    index.insert(Document(text="A bell was cast for the chapel.", id_="bell"))
    answers = []
    for mode in ENGINES:
        engine = index.as_query_engine(llm=llm(), response_mode=mode, similarity_top_k=2)
        answers += [engine.query("the bell of the chapel"), asyncio.run(engine.aquery("the bell of the chapel"))]
    index.as_retriever(vector_store_query_mode="mmr").retrieve("the bell")
    for mode in CHATS:
        engine = chat_engine(index, mode)
        answers += [engine.chat("What about the bell?", chat_history=list(HISTORY)), engine.chat("And the chapel?")]
    index.delete_ref_doc("bell")
    return [(str(a), plain(a.source_nodes)) for a in answers]


def test_instrumentation_is_stocks(stores: Pair) -> None:
    """Engines answer the same by the same nodes, and the same events and spans are dispatched in the same order."""
    root = get_dispatcher()

    def flow(store: Any) -> Any:
        index = filled(store, 12)
        listener, spans = Listener(heard=[]), Spans()
        root.add_event_handler(listener)
        root.add_span_handler(spans)
        try:
            answers = everything(index)
        finally:
            root.event_handlers.remove(listener)
            root.span_handlers.remove(spans)
        return answers, [*listener.heard], [*spans.names]

    answers, heard, spans = same(stores, flow)
    assert len(answers) == 2 * len(ENGINES + CHATS)
    assert all(text and len(sources) == 2 for text, sources in answers)
    assert {"RetrievalStartEvent", "RetrievalEndEvent", "QueryStartEvent", "SynthesizeEndEvent"} <= {
        h[0] for h in heard
    }
    assert any("VectorIndexRetriever._retrieve" in s for s in spans)


def test_callbacks_are_stocks(stores: Pair) -> None:
    """The same callback events fire, with the same nodes, for writing and reading."""

    def flow(store: Any) -> Any:
        counter = Counter()
        manager = CallbackManager([counter])
        everything(filled(store, 3, callback_manager=manager))
        return counter.seen

    seen = same(stores, flow)
    assert {"embedding", "query", "retrieve"} <= {s[1] for s in seen}


def test_the_embedding_model_sees_the_same_texts(stores: Pair) -> None:
    """What is embedded is the same: nothing about time reaches the embedding model."""

    def flow(store: Any) -> Any:
        model = LexicalModel()
        index = filled(store, 6, embed_model=model, transformations=[LineParser(stable=True)])
        index.refresh_ref_docs(documents(3, 8))
        return model.seen

    assert len(same(stores, flow)) > 20
