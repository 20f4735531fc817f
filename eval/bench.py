"""What the store costs beside stock Chroma: stock and ours in turn in one run, told as ratios.

``python -m eval bench`` takes a few minutes, ``--full`` measures every case of every shape. Vectors are made
beforehand, so nothing embeds; what extraction takes is left out of the ratios and told apart.
"""

import itertools
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import chromadb
import numpy as np
from chromadb.config import Settings
from langchain_chroma import Chroma
from langchain_core.embeddings import Embeddings
from tqdm import tqdm

from eval import bench_report
from eval.arguments import Parser, positive, shape, told
from eval.records import Recorder, read
from memstrata_integrations import GrammarExtractor
from memstrata_integrations.langchain import TemporalVectorStore

DIMENSIONS = 384
START = datetime(2020, 1, 1, tzinfo=timezone.utc)
QUICK = ("5000x1", "5000x2", "500x10", "50x100")
FULL = (
    *("1000x1", "10000x1", "100000x1", "1000x2", "10000x2", "50000x2"),
    *("1000x10", "10000x10", "100x100", "1000x100", "100x1000"),
)

_OPEN = """
import json, statistics, sys, time
began = time.perf_counter()
if sys.argv[2] == "ours":
    from memstrata_integrations.langchain import TemporalVectorStore as Store
else:
    from langchain_chroma import Chroma as Store
told = {"import": time.perf_counter() - began}
vector = [1.0] * int(sys.argv[3])
class Known:
    def embed_documents(self, texts):
        return [vector for _ in texts]
import chromadb
began = time.perf_counter()
settings = chromadb.config.Settings(anonymized_telemetry=False)
store = Store("bench", Known(), client=chromadb.PersistentClient(sys.argv[1], settings=settings))
store.similarity_search_by_vector(vector, k=4)
told["open and read"] = time.perf_counter() - began
began = time.perf_counter()
store.add_texts([f"The port of a-new-service is {time.time_ns() % 60000}."])
told["first write"] = time.perf_counter() - began
taken = []
for n in range(15):
    fact = n * 7919 % int(sys.argv[4])
    began = time.perf_counter()
    store.add_texts([f"The port of service-{fact} is {time.time_ns() % 60000}."], [{"source": f"services/{fact}.yaml"}])
    taken.append(time.perf_counter() - began)
told["write 1 row, superseding"] = statistics.median(taken)
if len(sys.argv) > 5:
    import gc, tracemalloc
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for k in (4, 2000):
        store.similarity_search_by_vector(vector, k=k, as_of="2020-01-01T12:00:00")
    gc.collect()
    told = {"table": tracemalloc.get_traced_memory()[0] - before}
print(json.dumps(told))
"""


class KnownVectors(Embeddings):
    """Vectors made beforehand: versions of one fact lie close together, facts far apart."""

    def __init__(self, facts: int, versions: int, dimensions: int = DIMENSIONS, seed: int = 7) -> None:
        """Make the centres, and remember where each text lies."""
        rng = np.random.default_rng(seed)
        self.centres = rng.normal(size=(facts, dimensions)).astype(np.float32)
        self.facts, self.versions = facts, versions
        picked = rng.choice(facts, size=min(200, facts), replace=False)
        self.queries = [(int(n), self._near(int(n), 10**6).tolist()) for n in picked]

    def text(self, fact: int, version: int) -> str:
        """Return what is told of a fact."""
        return f"The port of service-{fact} is {1000 + version}."

    def _near(self, fact: int, salt: int) -> Any:
        rng = np.random.default_rng((fact, salt))
        return self.centres[fact] + rng.normal(scale=0.02, size=self.centres.shape[1]).astype(np.float32)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return vectors, ``(n, dimensions)``."""
        named = ((t.split("-")[1].split()[0], t.rsplit(" ", 1)[1].rstrip(".")) for t in texts)
        return [self._near(int(fact), int(port)).tolist() for fact, port in named]

    def embed_query(self, text: str) -> list[float]:
        """Return a vector, ``(dimensions,)``."""
        return self.embed_documents([text])[0]


class TimedExtractor:
    """The grammar, with its time counted."""

    def __init__(self) -> None:
        """Begin at zero."""
        self._grammar = GrammarExtractor()
        self.seconds, self.texts = 0.0, 0

    def extract(self, texts: Sequence[str], metadatas: Any = None) -> Any:
        """Extract, and count."""
        begun = time.perf_counter()
        found = self._grammar.extract(texts, metadatas)
        self.seconds += time.perf_counter() - begun
        self.texts += len(texts)
        return found


@dataclass
class Timings:
    """Seconds of calls, ours beside stock's, taken in turn."""

    stock: list[float] = field(default_factory=list)
    ours: list[float] = field(default_factory=list)

    def take(self, stock: Callable[[], Any], ours: Callable[[], Any]) -> None:
        """Time both; who goes first changes, so that neither always finds the caches warm."""
        pair = [(self.stock, stock), (self.ours, ours)]
        for times, call in pair if len(self.ours) % 2 else reversed(pair):
            begun = time.perf_counter()
            call()
            times.append(time.perf_counter() - begun)

    def record(self, case: str, facts: int, versions: int) -> dict[str, Any]:
        """Return what a report shows of it, in ms."""
        stock, ours = statistics.median(self.stock), statistics.median(self.ours)
        return {
            "type": "cost",
            "what": f"{case}, {facts:,} facts x {versions} versions",
            "case": case,
            "facts": facts,
            "versions": versions,
            "stock_ms": round(stock * 1e3, 3),
            "ours_ms": round(ours * 1e3, 3),
            "stock_p95_ms": round(float(np.percentile(self.stock, 95)) * 1e3, 3),
            "ours_p95_ms": round(float(np.percentile(self.ours, 95)) * 1e3, 3),
            "ratio": round(ours / stock, 3),
            "n": len(self.ours),
        }


class Shape:
    """Two stores that hold the same facts in the same versions, and what is measured of them."""

    def __init__(self, folder: str, facts: int, versions: int, batch: int, dimensions: int) -> None:
        """Fill both; the writes are measured, extraction apart."""
        self.folder, self.facts, self.versions, self.dimensions = folder, facts, versions, dimensions
        self.vectors = KnownVectors(facts, versions, dimensions)
        self.extractor = TimedExtractor()
        self.suffix = ""
        self.records: list[dict[str, Any]] = []
        settings = Settings(anonymized_telemetry=False)
        self.clients = [chromadb.PersistentClient(f"{folder}/{name}", settings=settings) for name in ("stock", "ours")]
        self.stock = Chroma("bench", self.vectors, client=self.clients[0])
        self.ours = TemporalVectorStore("bench", self.vectors, client=self.clients[1], extractor=self.extractor)
        self.known = START
        first, later = Timings(), Timings()
        for version in range(versions):
            for start in tqdm(range(0, facts, batch), f"{'':<4}version {version + 1}", leave=False, disable=None):
                self._write(range(start, min(start + batch, facts)), version, later if version else first)
            if version == (versions - 1) // 2:
                self.known = datetime.now(timezone.utc)
        self._tell(first, f"write {min(batch, facts)} rows, new")
        self._tell(later, f"write {min(batch, facts)} rows, superseding")

    def _tell(self, timings: Timings, case: str) -> None:
        if timings.ours:
            self.records.append(timings.record(case + self.suffix, self.facts, self.versions))
            print(bench_report.line(self.records[-1]), flush=True)

    def _write(self, facts: Sequence[int], version: int, timings: Timings) -> None:
        texts = [self.vectors.text(n, version) for n in facts]
        ids = [f"{version}-{n}" for n in facts]
        about = [{"source": f"services/{n}.yaml", "team": f"t{n % 10}"} for n in facts]
        day = START + timedelta(days=version)
        known = self.vectors.embed_documents(texts)
        self.vectors.embed_documents = lambda _: known  # type: ignore[method-assign]
        before = self.extractor.seconds
        try:
            timings.take(
                lambda: self.stock.add_texts(texts, about, ids),
                lambda: self.ours.add_texts(texts, about, ids, valid_from=day),
            )
        finally:
            del self.vectors.embed_documents
        timings.ours[-1] -= self.extractor.seconds - before

    def read(self, case: str, rounds: int, k: int, where: Any = None, **when: Any) -> None:
        """Ask both for the neighbours of known facts."""
        timings = Timings()
        for _ in range(5):  # what is loaded once is told apart, see `opening`
            self.ours.similarity_search_by_vector(self.vectors.queries[0][1], k=k, filter=where, **when)
        for _, query in itertools.islice(itertools.cycle(self.vectors.queries), rounds):
            timings.take(
                lambda query=query: self.stock.similarity_search_by_vector(query, k=k, filter=where),
                lambda query=query: self.ours.similarity_search_by_vector(query, k=k, filter=where, **when),
            )
        self._tell(timings, case)

    def compact(self) -> None:
        """Move what is over into the history; what is measured from then on is told as such."""
        begun = time.perf_counter()
        moved = self.ours.compact()
        took = (time.perf_counter() - begun) / moved * 1e3
        print(f"{'':<4}{moved:,} rows compacted, {took:.2f} ms each", flush=True)
        self.suffix = ", compacted"

    def reads(self, rounds: int, *, full: bool) -> None:
        """Ask now, as of a past date, and as known at a past time; with a filter; for more rows."""
        middle = START + timedelta(days=(self.versions - 1) // 2, hours=12)
        moments: dict[str, dict[str, Any]] = {
            "now": {},
            "as of": {"as_of": middle},
            "known at": {"known_at": self.known},
        }
        for name, when in moments.items():
            for k, where in itertools.product((4, 20, 100), (None, {"team": "t3"})):
                if full or (k == 4 and (name == "now" or where is None)) or (name == "now" and where is None):
                    slow = name == "known at" and self.versions > 2
                    case = f"read {name}, k={k}{', filter' if where else ''}"
                    self.read(case, rounds // 10 if slow else rounds, k, where, **when)

    def single_writes(self, rounds: int, version: int) -> None:
        """Give single facts a new value, one call each."""
        self._write_indexes_down()
        timings = Timings()
        for n in range(min(rounds, self.facts)):
            self._write([n], version, timings)
        self._tell(timings, "write 1 row, superseding")

    def _write_indexes_down(self) -> None:
        """Let Chroma do so in both: its writes take up to five times as long, the more it has logged since then."""
        stock, raw = (client.get_collection("bench") for client in self.clients)
        for name, topic, collection in (("stock", stock.id, stock), ("ours", raw.id, self.ours.temporal_collection)):
            database = sqlite3.connect(f"file:{self.folder}/{name}/chroma.sqlite3?mode=ro", uri=True)
            ids = collection.get(limit=100, include=[])["ids"]
            logged = "SELECT count(*) FROM embeddings_queue WHERE topic LIKE ?"
            for n in range(100):
                if database.execute(logged, (f"%{topic}",)).fetchone()[0] < len(ids):
                    break
                collection.update(ids=ids, metadatas=[{"round": n}] * len(ids))
            database.close()

    def threads(self, rounds: int, count: int = 8) -> None:
        """Let several threads read at once: the time of a whole round of questions."""
        timings = Timings()

        def ask(store: Any) -> None:
            questions = [q for _, q in itertools.islice(itertools.cycle(self.vectors.queries), rounds)]
            list(pool.map(lambda q: store.similarity_search_by_vector(q, k=4), questions))

        with ThreadPoolExecutor(count) as pool:
            for _ in range(4):
                timings.take(lambda: ask(self.stock), lambda: ask(self.ours))
        self._tell(timings, f"{rounds} reads now by {count} threads")

    def keep(self) -> None:
        """Copy both as they are now, for `opening`: of the stores themselves this process keeps the lock."""
        for name in ("stock", "ours"):
            shutil.copytree(f"{self.folder}/{name}", f"{self.folder}/cold/{name}")

    def opening(self, rounds: int = 3) -> None:
        """Open both in new processes: import, first read and write, new values; and weigh the table of a past read."""
        stages: dict[str, Timings] = {}
        for _, name in itertools.product(range(rounds), ("stock", "ours")):
            for stage, seconds in self._opened(name).items():
                getattr(stages.setdefault(stage, Timings()), name).append(seconds)
        for stage, timings in stages.items():
            self._tell(timings, f"cold: {stage}")
        held = self._opened("ours", "weigh")["table"] / (self.facts * self.versions)
        print(f"{'':<4}a past read holds {held:.0f} bytes a row", flush=True)
        what = f"bytes a row held, {self.facts:,} facts x {self.versions} versions"
        self.records.append({"type": "cost", "what": what, "bytes": round(held)})

    def _opened(self, name: str, *more: str) -> dict[str, float]:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p or os.getcwd() for p in sys.path)}
        command = [
            sys.executable,
            "-c",
            _OPEN,
            f"{self.folder}/cold/{name}",
            name,
            str(self.dimensions),
            str(self.facts),
            *more,
        ]
        told = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout
        found: dict[str, float] = json.loads(told.splitlines()[-1])
        return found


def measure(facts: int, versions: int, dimensions: int, *, batch: int, rounds: int, full: bool) -> list[dict[str, Any]]:
    """Measure one shape, print a line for each case, and return their records."""
    print(f"{facts:,} facts x {versions} versions, {dimensions} dimensions", flush=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        shape = Shape(folder, facts, versions, batch, dimensions)
        shape.reads(rounds, full=full)
        shape.single_writes(rounds // 4, versions)
        shape.threads(rounds)
        shape.keep()
        if versions > 1:
            shape.compact()
            shape.reads(rounds, full=full)
            shape.single_writes(rounds // 4, versions + 1)
            shape.suffix = ""
        extracted = shape.extractor.seconds / shape.extractor.texts * 1e6
        print(f"{'':<4}extraction, left out above: {extracted:.0f} µs a text", flush=True)
        del shape.stock, shape.ours
        chromadb.api.client.SharedSystemClient.clear_system_cache()
        shape.opening()
    return shape.records


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the shapes that are asked for and write records, a table and plots."""
    parser = Parser(prog="python -m eval bench", description=(__doc__ or "").replace("``", ""))
    parser.add_argument("--full", action="store_true", help="every case, and shapes up to 100,000 rows (hours)")
    of = parser.add_mutually_exclusive_group()
    of.add_argument("--rows", type=positive, nargs="+", metavar="N", help="with --versions: every pair of both")
    of.add_argument("--shape", type=shape, nargs="+", metavar="FACTSxVERSIONS", help=f"({' '.join(QUICK)})")
    parser.add_argument("--versions", type=positive, nargs="+", metavar="N", help="versions a fact, with --rows (1 2)")
    parser.add_argument("--rounds", type=positive, metavar="N", help="how many questions a case (200; --full 600)")
    parser.add_argument("--batch", type=positive, default=500, metavar="N", help="rows in one write (500)")
    parser.add_argument("--dimensions", type=positive, default=DIMENSIONS, metavar="N", help="of a vector (384)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="bench.jsonl, bench.md and plots go here")
    parser.add_argument("--run", type=Path, metavar="DIR", help="a run's directory; its report then shows the figures")
    chosen = parser.parse_args(arguments)
    if chosen.versions and not chosen.rows:
        parser.error("--versions needs --rows")
    shapes = chosen.shape or [shape(one) for one in (FULL if chosen.full else QUICK)]
    if chosen.rows:
        shapes = [(rows // n, n) for rows in chosen.rows for n in chosen.versions or (1, 2) if rows >= n]
    if not shapes:
        parser.error("no --rows has as many rows as a fact has --versions")
    known = None if chosen.run is None else read(chosen.run)  # before hours are spent
    rounds = chosen.rounds or (600 if chosen.full else 200)
    records: list[dict[str, Any]] = []
    for facts, versions in shapes:
        batch = min(chosen.batch, facts)
        records += measure(facts, versions, chosen.dimensions, batch=batch, rounds=rounds, full=chosen.full)
        if chosen.out is not None:  # after each shape: a long run that is cut off keeps what it has
            bench_report.write(chosen.out, records)
    if known is not None:
        with Recorder(chosen.run, known.manifest) as recorder:
            for record in (r for r in records if "ratio" in r):
                recorder.write(record)
    return 0


if __name__ == "__main__":
    sys.exit(told(main))
