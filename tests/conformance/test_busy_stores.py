"""Stores that many ask at once, and writes that take long."""

from __future__ import annotations

import asyncio
import sys
import threading
import uuid
from collections.abc import Sequence
from typing import Any

import pytest
from langchain_core.embeddings import Embeddings

from memstrata_integrations import GrammarExtractor
from memstrata_integrations.chroma import embedding as _embedding
from memstrata_integrations.langchain import TemporalVectorStore

from .lexical import LexicalEmbeddings


class Counting(Embeddings):
    """Embeddings that keep how many texts each call had."""

    def __init__(self) -> None:
        self.calls: list[int] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.calls.append(len(texts))
        return [[float(len(t)), 1.0] for t in texts]

    def embed_query(self, text: str) -> list[float]:
        return [float(len(text)), 1.0]


class Waiting:
    """An extractor that waits to be let go on."""

    def __init__(self) -> None:
        self.reached, self.released = threading.Event(), threading.Event()

    def extract(self, texts: Sequence[str], metadatas: Any = None) -> Any:
        self.reached.set()
        assert self.released.wait(60)
        return GrammarExtractor().extract(texts, metadatas)


def test_sixty_four_questions_at_once(tmp_path: Any) -> None:
    """Each gets its answer, and the threads are those of asyncio's own pool."""
    store = TemporalVectorStore("busy", LexicalEmbeddings(), persist_directory=str(tmp_path))
    store.add_texts([f"Service s{n} listens on port {version}." for version in (80, 81) for n in range(64)])
    retriever = store.as_retriever(search_kwargs={"k": 1})
    most = 0

    async def ask(n: int) -> str:
        nonlocal most
        [found] = await retriever.ainvoke(f"Which port does service s{n} listen on?")
        most = max(most, threading.active_count())
        return str(found.page_content)

    async def ask_all() -> list[str]:
        return await asyncio.gather(*(ask(n) for n in range(64)))

    before = threading.active_count()
    answers = asyncio.run(ask_all())
    assert all(answer.endswith("listens on port 81.") for answer in answers)
    assert len(set(answers)) > 32
    assert most <= before + 34  # min(32, cores + 4) of the pool, and the loop's own


def test_reads_do_not_wait_for_extraction(tmp_path: Any) -> None:
    """While a write reads its texts, readers get what was there before it."""
    store = TemporalVectorStore("busy", LexicalEmbeddings(), persist_directory=str(tmp_path))
    store.add_texts(["Kite listens on port 80."])
    slow = Waiting()
    writer = TemporalVectorStore("busy", LexicalEmbeddings(), persist_directory=str(tmp_path), extractor=slow)
    thread = threading.Thread(target=writer.add_texts, args=(["Kite listens on port 81."],))
    thread.start()
    try:
        assert slow.reached.wait(60)
        assert [d.page_content for d in store.similarity_search("kite port", k=4)] == ["Kite listens on port 80."]
        store.add_texts(["Tern listens on port 90."])
    finally:
        slow.released.set()
        thread.join()
    served = {d.page_content for d in store.similarity_search("kite tern port", k=4)}
    assert served == {"Kite listens on port 81.", "Tern listens on port 90."}


@pytest.mark.parametrize(
    ("terminal", "progress", "thread", "calls"),
    [
        (True, None, False, [256, 256, 256, 256, 6]),
        (True, True, True, [256, 256, 256, 256, 6]),
        (True, None, True, [1030]),
        (True, False, False, [1030]),
        (False, True, False, [1030]),
    ],
)
def test_a_long_write_shows_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *,
    terminal: bool,
    progress: bool | None,
    thread: bool,
    calls: list[int],
) -> None:
    """On a terminal, in the main thread or where it is asked for; otherwise the embedding gets all texts at once."""
    embeddings = Counting()
    store = TemporalVectorStore(f"long-{uuid.uuid4()}", embeddings, extractor=None, progress=progress)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal, raising=False)
    texts = [f"text {n}" for n in range(_embedding._LARGE + 30)]
    if thread:
        other = threading.Thread(target=store.add_texts, args=(texts,))
        other.start()
        other.join()
    else:
        store.add_texts(texts)
    assert embeddings.calls == calls
    assert ("embed" in capsys.readouterr().err) == (len(calls) > 1)
    found = store.get(include=["documents", "embeddings"])
    assert sorted(found["documents"]) == sorted(texts)
    assert all(len(d) == e[0] for d, e in zip(found["documents"], found["embeddings"], strict=True))


def test_a_short_write_shows_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A bar would be gone before anybody saw it."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    store = TemporalVectorStore("short", Counting(), extractor=None, progress=True)
    store.add_texts([f"text {n}" for n in range(20)])
    assert capsys.readouterr().err == ""
