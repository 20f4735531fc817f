"""Servers on loopback: a real `chroma run`, and one that speaks Ollama's protocol."""

import json
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

START_LIMIT_S = 60.0
POLL_S = 0.05
MODEL = "qwen2.5-coder:7b"
SLOW_LIMIT_S = 0.3  # a client's time limit in the tests of slow answers
DIRECT = {"trust_env": False}  # a client asks no proxy
NUMBERED = re.compile(r"^(\d+)\. (.*)$", re.MULTILINE)
Said = Mapping[str, Sequence[tuple[str, str, str]]]


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _answers(port: int) -> bool:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(f"http://127.0.0.1:{port}/api/v2/heartbeat", timeout=2) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False


@contextmanager
def chroma_run(directory: Path | str) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """Run a real `chroma run` on a directory; yields its port and its process."""
    port = closed_port()
    command = [str(Path(sys.executable).parent / "chroma"), "run", "--path", str(directory), "--host", "127.0.0.1"]
    quiet = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    server = subprocess.Popen([*command, "--port", str(port)], **quiet)
    try:
        deadline = time.monotonic() + START_LIMIT_S
        while not _answers(port):
            if server.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"chroma run gave no heartbeat, its status is {server.poll()}")
            time.sleep(POLL_S)
        yield port, server
    finally:
        server.terminate()
        try:
            server.wait(timeout=20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def answered(question: str, said: Said) -> str:
    """Answer as a model does: what `said` has for each statement, by a part of it, and nothing for the others."""
    facts = [
        {"n": int(n), "subject": s, "relation": r, "value": v, "single_valued": True}
        for n, statement in NUMBERED.findall(question)
        for part, listed in said.items()
        if part in statement
        for s, r, v in listed
    ]
    return json.dumps({"facts": facts})


class Ollama:
    """What the server does next, and what it was asked: `reply` makes the text of an answer from a request."""

    def __init__(self, *models: str) -> None:
        self.models = models or (MODEL,)
        self.reply: Callable[[dict[str, Any]], str] = lambda request: "{}"
        self.requests: list[dict[str, Any]] = []
        self.release = threading.Event()  # a slow answer waits for it
        self.slow = False
        self.cut = 0  # how many of the next answers break off after their first piece
        self.url = ""

    def says(self, said: Said) -> None:
        self.reply = lambda request: answered(request["messages"][1]["content"], said)

    @property
    def statements(self) -> list[str]:
        return [s for r in self.requests for _, s in NUMBERED.findall(r["messages"][1]["content"])]

    def chat(self, **options: Any) -> Any:
        ollama = pytest.importorskip("langchain_ollama", reason="needs the extra [ollama]")
        usual = {"model": MODEL, "base_url": self.url, "temperature": 0, "seed": 0, "client_kwargs": DIRECT}
        return ollama.ChatOllama(**{**usual, **options})


@pytest.fixture
def server() -> Iterator[Ollama]:
    with serving(Ollama()) as state:
        yield state


@contextmanager
def serving(state: Ollama, port: int = 0) -> Iterator[Ollama]:
    """Serve on loopback, at a port of the system's choice unless it is given."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            assert self.path == "/api/tags"
            self._json(200, {"models": [{"name": name, "model": name} for name in state.models]})

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.path == "/api/embed":
                state.requests.append(request)
                self._json(200, {"model": request["model"], "embeddings": [[len(t), 1.0] for t in request["input"]]})
                return
            if request.get("model") not in state.models:
                self._json(404, {"error": f"model '{request.get('model')}' not found"})
                return
            if self.path == "/api/show":
                self._json(200, {"capabilities": ["completion"]})
                return
            assert self.path == "/api/chat"
            state.requests.append(request)
            if state.slow:
                state.release.wait(30)
            text = state.reply(request)
            self.send_response(200)
            self.send_header("Content-Type", "application/x-ndjson")
            self.end_headers()
            pieces = [text[n : n + 20] for n in range(0, len(text), 20)]
            if state.cut:
                state.cut -= 1
                self._line({"message": {"role": "assistant", "content": pieces[0]}, "done": False})
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            for piece in pieces:
                self._line({"message": {"role": "assistant", "content": piece}, "done": False})
            self._line({"message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "stop"})

        def _line(self, part: dict[str, Any]) -> None:
            full = {"model": MODEL, "created_at": "2024-06-01T12:00:00Z", **part}
            try:
                self.wfile.write(json.dumps(full).encode() + b"\n")
            except OSError:  # the client went away
                self.close_connection = True

        def _json(self, status: int, content: dict[str, Any]) -> None:
            body = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: object) -> None:
            """Say nothing."""

    listening = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    state.url = f"http://127.0.0.1:{listening.server_address[1]}"
    thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield state
    state.release.set()
    listening.shutdown()
    listening.server_close()
    thread.join(10)
