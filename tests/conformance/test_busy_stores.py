"""Stores that many ask at once, and writes that take long."""

import asyncio
import sys
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from memstrata_integrations import GrammarExtractor
from memstrata_integrations.langchain import TemporalVectorStore
from tests.faults.faulty import Instead

from .lexical import LexicalEmbeddings


async def test_sixty_four_questions_at_once(tmp_path: Any) -> None:
    """Each gets its answer, and the threads are those of asyncio's own pool."""
    store = TemporalVectorStore("busy", LexicalEmbeddings(), persist_directory=str(tmp_path))
    store.add_texts([f"Service s{n} listens on port {version}." for version in (80, 81) for n in range(64)])
    retriever = store.as_retriever(search_kwargs={"k": 1})
    before = threading.active_count()

    async def ask(n: int) -> tuple[str, int]:
        [found] = await retriever.ainvoke(f"Which port does service s{n} listen on?")
        return found.page_content, threading.active_count()

    answers, threads = zip(*await asyncio.gather(*(ask(n) for n in range(64))), strict=True)
    assert all(answer.endswith("listens on port 81.") for answer in answers)
    assert len(set(answers)) > 32
    assert max(threads) <= before + 34  # min(32, cores + 4) of the pool, and the loop's own


def test_reads_do_not_wait_for_extraction(tmp_path: Any) -> None:
    store = TemporalVectorStore("busy", LexicalEmbeddings(), persist_directory=str(tmp_path))
    store.add_texts(["Kite listens on port 80."])
    reached, released = threading.Event(), threading.Event()

    def slowly(*given: Any) -> Any:
        reached.set()
        assert released.wait(60)
        return GrammarExtractor().extract(*given)

    slow: Any = SimpleNamespace(extract=slowly)
    writer = TemporalVectorStore("busy", LexicalEmbeddings(), persist_directory=str(tmp_path), extractor=slow)
    with ThreadPoolExecutor(1) as pool:
        written = pool.submit(writer.add_texts, ["Kite listens on port 81."])
        assert reached.wait(60)
        found = store.similarity_search("kite port", k=4)
        store.add_texts(["Tern listens on port 90."])
        released.set()
    assert [d.page_content for d in found] == ["Kite listens on port 80."]
    assert written.result()
    served = {d.page_content for d in store.similarity_search("kite tern port", k=4)}
    assert served == {"Kite listens on port 81.", "Tern listens on port 90."}


@pytest.mark.parametrize(("terminal", "progress", "thread", "calls"), [
    (True, None, False, [256, 256, 256, 256, 6]), (True, True, True, [256, 256, 256, 256, 6]),
    (True, None, True, [1030]), (True, False, False, [1030]), (False, True, False, [1030]),
    (True, True, False, [20]),  # a bar would be gone before anybody saw it
])  # fmt: skip
def test_a_long_write_shows_how_far_it_is(
    monkeypatch: Any, capsys: Any, *, terminal: bool, progress: bool | None, thread: bool, calls: list[int]
) -> None:
    """On a terminal, in the main thread or where it is asked for; otherwise the embedding gets all texts at once."""
    sizes: list[int] = []

    def embed(real: Any, given: list[str]) -> Any:
        sizes.append(len(given))
        return real(given)

    embeddings: Any = Instead(LexicalEmbeddings(4), embed_documents=embed)
    store = TemporalVectorStore(f"long-{uuid.uuid4()}", embeddings, extractor=None, progress=progress)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal, raising=False)
    texts = [f"text {n}" for n in range(sum(calls))]
    with ThreadPoolExecutor(1) as pool:
        pool.submit(store.add_texts, texts).result() if thread else store.add_texts(texts)
    assert sizes == calls
    assert ("embed" in capsys.readouterr().err) == (len(calls) > 1)
    found = store.get(include=["documents", "embeddings"])
    assert sorted(found["documents"]) == sorted(texts)
    assert np.allclose(found["embeddings"], LexicalEmbeddings(4).embed_documents(found["documents"]))
