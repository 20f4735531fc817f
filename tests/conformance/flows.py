"""Flows of LlamaIndex on stock's store and on ours: the documents, an index on each, and what each gives."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from llama_index.core import Document, StorageContext, VectorStoreIndex
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.node_parser import SentenceSplitter

from .llama import LexicalModel, llm, plain
from .test_static_parity import CORPUS

Pair = tuple[Any, Any]
TOPICS = CORPUS.questions[:24]


def splitter() -> SentenceSplitter:
    """Cuts documents into small chunks, whose ids are the same on every run."""
    count: dict[str, int] = {}

    def name(n: int, document: Any) -> str:
        count[document.node_id] = count.get(document.node_id, -1) + 1
        return f"{document.node_id}/{count[document.node_id]}"

    return SentenceSplitter(chunk_size=64, chunk_overlap=0, id_func=name)


def documents(first: int, last: int) -> list[Document]:
    """Documents of three of the corpus' texts each, every one a source of its own."""
    return [
        Document(
            text="\n\n".join(CORPUS.texts[n * 3 : n * 3 + 3]),
            id_=f"document-{n}",
            metadata={"file_path": f"notes/{n}.md", "n": n},
        )
        for n in range(first, last)
    ]


def open_index(store: Any, **more: Any) -> VectorStoreIndex:
    """Open an index on a store."""
    arguments = {"embed_model": LexicalModel(), "transformations": [splitter()], **more}
    return VectorStoreIndex.from_vector_store(store, **arguments)


def rows(index: Any) -> Any:
    """Return all that the collection of an index holds, vectors included."""
    found = index.vector_store.client.get(include=["documents", "metadatas", "embeddings"])
    return found["ids"], found["documents"], found["metadatas"], found["embeddings"].tolist()


def same(pair: Pair, flow: Callable[[Any], Any]) -> Any:
    """Run a flow on both, assert that it gives the same, and return what it gives on stock."""
    stock, ours = (plain(flow(one)) for one in pair)
    assert ours == stock
    return stock


async def asame(pair: Pair, flow: Callable[[Any], Any]) -> Any:
    """Like `same`, for what may be a coroutine."""
    answers = []
    for one in pair:
        found = flow(one)
        answers.append(plain(await found if inspect.isawaitable(found) else found))
    assert answers[1] == answers[0]
    return answers[0]


def from_documents(store: Any, last: int, **more: Any) -> VectorStoreIndex:
    """Make an index on a store of the first documents."""
    context = StorageContext.from_defaults(vector_store=store)
    arguments = {"embed_model": LexicalModel(), "transformations": [splitter()], **more}
    return VectorStoreIndex.from_documents(documents(0, last), storage_context=context, **arguments)


def chat_engine(index: Any, mode: str, **more: Any) -> Any:
    """Open a chat engine with a memory of its own."""
    memory = ChatMemoryBuffer.from_defaults(token_limit=500_000)
    return index.as_chat_engine(chat_mode=mode, llm=llm(), memory=memory, similarity_top_k=2, **more)
