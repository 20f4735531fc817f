"""Worker processes, and the loopback server of the conformance tests."""

import json
import os
import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from chromadb.api.shared_system_client import SharedSystemClient

from tests.conformance.conftest import chroma_server

__all__ = ["Worker", "chroma_server", "start_worker"]

ANSWER_LIMIT_S = 60.0


class Worker:
    """A worker process, see `worker.py`, that has opened a collection; arguments as of `opening.store_at`."""

    def __init__(self, where: Path | int, **place: Any) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.worker", str(where), json.dumps(place)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
        )
        self.unread = b""
        assert self.answer() == {"opened": True}  # two that create one directory at once would collide within Chroma

    def ask(self, do: str, **arguments: Any) -> dict[str, Any]:
        self.tell(do, **arguments)
        return self.answer()

    def tell(self, do: str, **arguments: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"do": do, **arguments}).encode() + b"\n")

    def answer(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        while b"\n" not in self.unread:
            assert select.select([self.process.stdout], [], [], ANSWER_LIMIT_S)[0], "the worker gives no answer"
            found = os.read(self.process.stdout.fileno(), 65536)
            assert found, f"the worker ended with {self.process.wait()}"
            self.unread += found
        line, _, self.unread = self.unread.partition(b"\n")
        return dict(json.loads(line))

    def kill(self) -> None:
        with self.process:
            self.process.kill()


@pytest.fixture
def start_worker() -> Iterator[Callable[..., Worker]]:
    workers: list[Worker] = []

    def start(where: Path | int, **place: Any) -> Worker:
        workers.append(Worker(where, **place))
        return workers[-1]

    yield start
    for worker in workers:
        worker.kill()


@pytest.fixture
def directory(tmp_path: Path) -> Iterator[Path]:
    """A directory that this process opens."""
    yield tmp_path / "db"
    SharedSystemClient.clear_system_cache()
