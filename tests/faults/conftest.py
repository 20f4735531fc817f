"""Worker processes, and the loopback server of the conformance tests."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.conftest import chroma_server

__all__ = ["Worker", "chroma_server", "start_worker"]

ANSWER_LIMIT_S = 60.0


class Worker:
    """A worker process, see `worker.py`."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("worker.py")), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "ANONYMIZED_TELEMETRY": "False", "NO_PROXY": "127.0.0.1,localhost"},
            bufsize=0,
        )
        self.unread = b""
        self.opened = self.answer()  # two that create one directory at once would collide within Chroma

    def ask(self, do: str, **arguments: Any) -> dict[str, Any]:
        """Give a command and return its answer."""
        self.tell(do, **arguments)
        return self.answer()

    def tell(self, do: str, **arguments: Any) -> None:
        """Give a command."""
        assert "error" not in self.opened, self.opened
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"do": do, **arguments}).encode() + b"\n")

    def answer(self) -> dict[str, Any]:
        """Return the next line, waiting for it."""
        assert self.process.stdout is not None
        with selectors.DefaultSelector() as waiting:
            waiting.register(self.process.stdout, selectors.EVENT_READ)
            while b"\n" not in self.unread:
                assert waiting.select(ANSWER_LIMIT_S), "the worker gives no answer"
                found = os.read(self.process.stdout.fileno(), 65536)
                assert found, f"the worker ended with {self.process.wait()}"
                self.unread += found
        line, _, self.unread = self.unread.partition(b"\n")
        found = json.loads(line)
        assert isinstance(found, dict)
        return found

    def kill(self) -> None:
        """Kill it with SIGKILL."""
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        """Let it end."""
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None and not pipe.closed:
                pipe.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


@pytest.fixture
def start_worker() -> Iterator[Callable[..., Worker]]:
    """Start worker processes; they end with the test."""
    workers: list[Worker] = []

    def start(*arguments: Any) -> Worker:
        workers.append(Worker(*map(str, arguments)))
        return workers[-1]

    yield start
    for worker in workers:
        worker.close()
