"""A process that repairs a directory and is killed at a given point of that, or waits there."""

import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from memstrata_integrations.chroma import rebuild as _repairing
from memstrata_integrations.chroma.collection import TemporalCollection
from tests.conformance.lexical import LexicalEmbeddings
from tests.stateful.opening import collection_at

POINTS = ("before it is set aside", "after it is set aside", "amid embedding", "before the end", "an open store")
NAME = "handbook"
TEXTS = 20


def die(*_: Any, **__: Any) -> None:
    """End this process as `kill -9` does."""
    os.kill(os.getpid(), signal.SIGKILL)


def wait() -> None:
    """Say so, and wait to be killed."""
    print("embedding", flush=True)
    sys.stdin.read()
    die()


class Mortal(LexicalEmbeddings):
    """Embeds so many texts, and then comes to its end."""

    def __init__(self, end: Callable[[], None]) -> None:
        super().__init__()
        self.seen, self.end = 0, end

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.seen += sum(t != "dimension" for t in texts)
        if self.seen > TEXTS:
            self.end()
        return super().embed_documents(texts)


def main(directory: str, point: str) -> None:
    _repairing._PAGE = 8
    move = shutil.move
    ends: dict[str, tuple[Any, str, Any]] = {
        "before it is set aside": (shutil, "move", die),
        "after it is set aside": (shutil, "move", lambda *where: (move(*where), die())),
        "before the end": (Path, "unlink", die),
    }
    if point in ends:
        setattr(*ends[point])
    embeddings: Any = LexicalEmbeddings() if point in ends else Mortal(wait if point == "waiting" else die)
    if point == "an open store":
        TemporalCollection(collection_at(directory, NAME), extractor=None, embedding_function=embeddings).repair()
    else:
        _repairing.repair(directory, NAME, embeddings, progress=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
