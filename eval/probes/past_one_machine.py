"""What the store costs over a server: four client processes beside stock, and what goes over the wire.

Run ``python -m eval.probes.past_one_machine`` (minutes). It starts ``chroma run`` on loopback, lets four processes read
and write one collection of each kind in turn, and then counts the HTTP calls and bytes of single operations. Vectors
are made beforehand. It is one machine: what a network adds is the number of calls times its round trip.
"""

import argparse
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import chromadb
import httpx
from chromadb.config import Settings
from langchain_chroma import Chroma

from eval.arguments import shape
from eval.bench import START, KnownVectors
from memstrata_integrations.langchain import TemporalVectorStore

_NAMES = ("stock", "ours")
_ROUND = 40  # reads and writes of each process


@contextmanager
def served() -> Iterator[int]:
    """Run a Chroma server on loopback, and give its port."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
        free.close()
        command = [str(Path(sys.executable).parent / "chroma"), "run", "--path", folder, "--port", str(port)]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while True:
                try:
                    httpx.get(f"http://127.0.0.1:{port}/api/v2/heartbeat").raise_for_status()
                    break
                except httpx.HTTPError:
                    if server.poll() is not None:
                        raise
                    time.sleep(0.1)
            yield port
        finally:
            server.terminate()
            server.wait(timeout=30)


def opened(port: int, vectors: KnownVectors) -> dict[str, Any]:
    """Open a collection of each kind on the server."""
    stores: dict[str, Any] = {}
    for name, kind in zip(_NAMES, (Chroma, TemporalVectorStore), strict=True):
        client = chromadb.HttpClient(host="127.0.0.1", port=port, settings=Settings(anonymized_telemetry=False))
        stores[name] = kind(name, vectors, client=client)
    return stores


def _seconds(call: Callable[..., Any], *given: Any, **named: Any) -> float:
    begun = time.perf_counter()
    call(*given, **named)
    return time.perf_counter() - begun


def work(port: int, facts: int, versions: int, number: int) -> dict[str, list[float]]:
    """Read and write from one process, both kinds in turn; each process has facts of its own to tell."""
    vectors = KnownVectors(facts, versions + 1, seed=7)
    stores = opened(port, vectors)
    spent: dict[str, list[float]] = {f"{what}, {name}": [] for what in ("read", "write") for name in _NAMES}
    for n in range(_ROUND):
        _, query = vectors.queries[(n * 4 + number) % len(vectors.queries)]
        text = vectors.text((n * 4 + number) % facts, versions)
        for name in _NAMES if n % 2 else reversed(_NAMES):
            spent[f"read, {name}"].append(_seconds(stores[name].similarity_search_by_vector, query, k=4))
            spent[f"write, {name}"].append(_seconds(stores[name].add_texts, [text], ids=[f"{number}-{n}"]))
    return spent


@contextmanager
def counted() -> Iterator[list[tuple[str, int, int]]]:
    """Count what HTTP clients send: path, bytes asked, bytes answered."""
    real, calls = httpx.Client.request, []

    def request(client: httpx.Client, method: str, url: Any, **given: Any) -> httpx.Response:
        answer = real(client, method, url, **given)
        calls.append((f"{method} {str(url).rsplit('/', 1)[-1]}", len(answer.request.content), len(answer.content)))
        return answer

    httpx.Client.request = request  # type: ignore[method-assign]
    try:
        yield calls
    finally:
        httpx.Client.request = real  # type: ignore[method-assign]


def main() -> None:
    """Measure, and print ratios and counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shape", type=shape, default="2000x2", metavar="FACTSxVERSIONS")
    parser.add_argument("--clients", type=int, default=4)
    arguments = parser.parse_args()
    facts, versions = arguments.shape
    vectors = KnownVectors(facts, versions + 1, seed=7)
    with served() as port:
        stores = opened(port, vectors)
        for version in range(versions):
            for first in range(0, facts, 500):
                part = [vectors.text(n, version) for n in range(first, min(first + 500, facts))]
                ids = [f"v{version}-{first + n}" for n in range(len(part))]
                stores["stock"].add_texts(part, ids=ids)
                stores["ours"].add_texts(part, ids=ids, valid_from=START + timedelta(days=version))
        query, past = vectors.queries[0][1], START + timedelta(hours=12)
        print(f"{facts} facts x {versions} versions on `chroma run`, {arguments.clients} client processes")
        with ProcessPoolExecutor(arguments.clients, mp_context=get_context("spawn")) as processes:
            jobs = [processes.submit(work, port, facts, versions, n) for n in range(arguments.clients)]
            found = [job.result() for job in jobs]
        for what in ("read", "write"):
            stock, ours = ([s for f in found for s in f[f"{what}, {name}"]] for name in _NAMES)
            ratio = statistics.median(ours) / statistics.median(stock)
            print(f"  {what}: stock {statistics.median(stock) * 1000:.1f} ms, {ratio:.2f} times that for ours")
        texts = iter([vectors.text(n, versions) for n in range(max(facts - 20, 0), facts)])
        cases: dict[str, Callable[[Any], Any]] = {
            "read now, k=4": lambda store: store.similarity_search_by_vector(query, k=4),
            "read as of a past date": lambda store: store.similarity_search_by_vector(query, k=4, as_of=past),
            "write of one text that supersedes": lambda store: store.add_texts([next(texts)]),
        }
        for what, call in cases.items():
            for name in _NAMES if "past" not in what else ("ours",):
                call(stores[name])  # what is asked once is not counted
                with counted() as calls:
                    call(stores[name])
                sent, got = (sum(c[n] for c in calls) for n in (1, 2))
                listed = ", ".join(c[0] for c in calls)
                print(f"  {what}, {name}: {len(calls)} calls, {sent:,} bytes out, {got:,} in ({listed})")


if __name__ == "__main__":
    main()
