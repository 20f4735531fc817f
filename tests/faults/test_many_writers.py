"""Many processes write the same keys through one server at once: nothing is lost. Threads are in `test_threads`.

Clients of a server read again while others write, a few times, unless writes follow one another faster than a read
takes, each time. Then of a key that is being written a reader may miss the value, or get two, until it reads again; it
never gets one that was not written.
"""

from __future__ import annotations

import itertools
import threading
import uuid
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import chromadb
import pytest

from memstrata_integrations.chroma.collection import TemporalCollection
from tests.stateful.toy import ToyExtractor, vector, write

from .conftest import Worker

KEYS = [f"k{n}" for n in range(50)]
TURNS = 8


def texts_of(writer: int, turn: int, size: int) -> dict[str, str]:
    """Return a writer's batch: a value of its own for some of the keys, other ones in each turn, by id."""
    keys = itertools.islice(itertools.cycle(KEYS), (writer * 7 + turn * size) % len(KEYS), None)
    return {f"{key}-w{writer}-n{turn}": f"{key}=w{writer}n{turn}" for key in itertools.islice(keys, size)}


def values(documents: list[str]) -> Counter[str]:
    """Return how many values each key has among texts that are served."""
    return Counter(document.split("=")[0] for document in documents)


def nearest(store: TemporalCollection, k: int, **how: Any) -> list[str]:
    """Return texts by search."""
    found = store.query(query_embeddings=[vector("target")], n_results=k, **how)
    return list(found["documents"][0])


def check_at_rest(store: TemporalCollection, written: dict[str, str]) -> None:
    """Every acknowledged text is there, by listing and by search, and each key has one value, by both."""
    stored = store.get(include_superseded=True)
    assert dict(zip(stored["ids"], stored["documents"], strict=True)) == written
    assert sorted(nearest(store, len(written) + 10, include_superseded=True)) == sorted(written.values())
    served = store.get()["documents"]
    assert values(served) == Counter(KEYS)
    assert sorted(nearest(store, len(written) + 10)) == sorted(served)


@pytest.mark.slow
def test_four_processes_on_one_server(chroma_server: int, start_worker: Callable[..., Worker]) -> None:
    """Four clients write the same fifty keys without a lock: nothing is lost, and at rest each has one value."""
    name = f"contested-{uuid.uuid4().hex}"

    def opened() -> TemporalCollection:
        client = chromadb.HttpClient(host="127.0.0.1", port=chroma_server)
        raw = client.get_or_create_collection(name, embedding_function=None)
        return TemporalCollection(raw, extractor=ToyExtractor())

    written = {f"{key}-first": f"{key}=first" for key in KEYS}
    reading = opened()
    write(reading, **written)
    workers = [start_worker(chroma_server, "--collection", name) for _ in range(4)]
    for turn in range(TURNS):
        for n, worker in enumerate(workers):
            batch = texts_of(0, turn, 10)
            own = {row_id.replace("w0", f"w{n}"): text.replace("w0", f"w{n}") for row_id, text in batch.items()}
            worker.tell("write", texts=own)
            written |= own
    known = set(written.values())
    done = threading.Event()

    def reader() -> None:
        while not done.is_set():
            for served in (reading.get()["documents"], nearest(reading, 2 * len(KEYS))):
                assert set(served) <= known

    with ThreadPoolExecutor(1) as pool:
        watching = pool.submit(reader)
        try:
            for _ in range(TURNS):
                for worker in workers:
                    assert "ids" in (told := worker.answer()), told
        finally:
            done.set()
        watching.result()
    for store in (reading, opened()):
        check_at_rest(store, written)
    last = {f"{key}-last": f"{key}=last" for key in KEYS}
    write(opened(), **last)
    for store in (reading, opened()):
        check_at_rest(store, written | last)
        assert sorted(store.get()["documents"]) == sorted(last.values())
        assert store.count() == len(KEYS)
        assert store.verify() == []
