"""A process that fills a directory, or repairs it and is killed at a given point of that, or waits there."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import chromadb
from chromadb.config import Settings

from memstrata_integrations.chroma import rebuild as _repairing
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.langchain import TemporalVectorStore
from tests.conformance.lexical import LexicalEmbeddings

POINTS = ("before it is set aside", "after it is set aside", "amid embedding", "before the end", "an open store")
NAME = "handbook"
FACTS = 30
TEXTS = 20


def die(*_: Any, **__: Any) -> None:
    """End this process as `kill -9` does."""
    os.kill(os.getpid(), signal.SIGKILL)


def mortal(*, waits: bool) -> Any:
    """Return what embeds so many texts, and then kills its process, or waits to be killed."""
    embeddings: Any = LexicalEmbeddings()
    embed = embeddings.embed_documents
    seen: list[str] = []

    def embed_documents(texts: list[str]) -> Any:
        seen.extend(t for t in texts if t != "dimension")
        if len(seen) > TEXTS and waits:
            print("embedding", flush=True)
            sys.stdin.read()
        if len(seen) > TEXTS:
            die()
        return embed(texts)

    embeddings.embed_documents = embed_documents
    return embeddings


def fill(directory: str, embeddings: Any) -> None:
    """Write facts, half of them superseded, most of whose vectors Chroma has persisted."""
    client = chromadb.PersistentClient(directory, settings=Settings(anonymized_telemetry=False))
    configuration: Any = {"hnsw": {"sync_threshold": 10, "batch_size": 5}}
    client.create_collection(NAME, configuration=configuration, embedding_function=None)
    store = TemporalVectorStore(NAME, embeddings, client=client)
    for port, date in ((80, "2024-01-01"), (90, "2024-06-01")):
        store.add_texts([f"The port of service-{n} is {port}." for n in range(FACTS)], valid_from=date)


def main(directory: str, point: str) -> None:
    """Fill, or repair and come to the point."""
    embeddings: Any = LexicalEmbeddings()
    if point == "fill":
        fill(directory, embeddings)
        return
    _repairing._PAGE = 8
    move = shutil.move
    if point == "before it is set aside":
        shutil.move = die  # type: ignore[assignment]
    elif point == "after it is set aside":
        shutil.move = lambda *where: (move(*where), die())  # type: ignore[assignment]
    elif point == "before the end":
        Path.unlink = die  # type: ignore[method-assign]
    else:
        embeddings = mortal(waits=point == "waiting")
    if point == "an open store":
        client = chromadb.PersistentClient(directory, settings=Settings(anonymized_telemetry=False))
        raw = client.get_collection(NAME, embedding_function=None)
        TemporalCollection(raw, extractor=None, embedding_function=embeddings).repair()
    else:
        _repairing.repair(directory, NAME, embeddings, progress=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
