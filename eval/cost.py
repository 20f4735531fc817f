"""What the store costs beside stock Chroma: interleaved in one run, as ratios of medians.

Run ``python -m eval.cost`` (a few minutes). Vectors are made beforehand, and the time that
extraction takes is left out of the ratios and shown on its own.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import chromadb
import numpy as np
from chromadb.config import Settings
from langchain_chroma import Chroma
from langchain_core.embeddings import Embeddings

from eval.records import Recorder, read
from memstrata_integrations import GrammarExtractor
from memstrata_integrations.langchain import TemporalVectorStore

DIMENSIONS = 384
START = datetime(2020, 1, 1, tzinfo=timezone.utc)


class KnownVectors(Embeddings):
    """Vectors made beforehand: versions of one fact lie close together, facts far apart."""

    def __init__(self, facts: int, versions: int, seed: int) -> None:
        """Make a vector for each text."""
        rng = np.random.default_rng(seed)
        centres = rng.normal(size=(facts, DIMENSIONS)).astype(np.float32)
        self.vectors: dict[str, list[float]] = {}
        self.texts: list[list[str]] = []
        for version in range(versions):
            noise = rng.normal(scale=0.02, size=(facts, DIMENSIONS)).astype(np.float32)
            row = [f"The port of service-{n} is {1000 + version}." for n in range(facts)]
            self.texts.append(row)
            for n, text in enumerate(row):
                self.vectors[text] = (centres[n] + noise[n]).tolist()
        picked = rng.choice(facts, size=min(200, facts), replace=False)
        self.queries = [
            (int(n), (centres[n] + rng.normal(scale=0.02, size=DIMENSIONS)).astype(np.float32).tolist()) for n in picked
        ]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return vectors, ``(n, 384)``."""
        return [self.vectors[t] for t in texts]

    def embed_query(self, text: str) -> list[float]:
        """Return a vector, ``(384,)``."""
        return self.vectors[text]


class TimedExtractor:
    """The grammar, with its time counted."""

    def __init__(self) -> None:
        """Begin at zero."""
        self._grammar = GrammarExtractor()
        self.seconds = 0.0
        self.texts = 0

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

    def line(self, name: str, unit: float = 1000) -> str:
        """Return medians in ms, and the ratio of the totals and of the medians."""
        stock, ours = statistics.median(self.stock), statistics.median(self.ours)
        return (
            f"{name:<34} stock {stock * unit:9.2f} ms   ours {ours * unit:9.2f} ms   "
            f"median ratio {ours / stock:5.2f}   total ratio {sum(self.ours) / sum(self.stock):5.2f}"
        )

    def record(self, what: str) -> dict[str, Any]:
        """Return what a report shows of it: medians in ms, and their ratio."""
        stock, ours = statistics.median(self.stock) * 1000, statistics.median(self.ours) * 1000
        figures = {"stock_ms": round(stock, 3), "ours_ms": round(ours, 3), "ratio": round(ours / stock, 3)}
        return {"type": "cost", "what": what, **figures, "n": len(self.ours)}


def _timed(call: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def measure(
    facts: int, versions: int, batch: int, rounds: int, *, bare: bool = False
) -> tuple[list[str], list[dict[str, Any]]]:
    """Write `facts` x `versions` rows to both stores and read from both, in turn.

    Args:
        facts: How many keys.
        versions: How many values each takes, one after the other.
        batch: Texts per write.
        rounds: How often each of up to 200 queries is asked.
        bare: Leave out the two metadata fields that each text otherwise has.

    Returns:
        Lines to print, and a record of each figure.
    """
    vectors = KnownVectors(facts, versions, seed=7)
    extractor = TimedExtractor()
    writes, late = Timings(), Timings()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        settings = Settings(anonymized_telemetry=False)
        stock = Chroma("cost", vectors, client=chromadb.PersistentClient(f"{folder}/stock", settings=settings))
        ours = TemporalVectorStore(
            "cost", vectors, client=chromadb.PersistentClient(f"{folder}/ours", settings=settings), extractor=extractor
        )
        for version, texts in enumerate(vectors.texts):
            day = START + timedelta(days=version)
            for first in range(0, facts, batch):
                part = texts[first : first + batch]
                ids = [f"{version}-{n}" for n in range(first, first + len(part))]
                about = None if bare else [{"source": f"services/{i}.yaml", "line": 7} for i in ids]
                taken = _timed(lambda part=part, ids=ids, about=about: stock.add_texts(part, about, ids))
                before = extractor.seconds
                spent = _timed(
                    lambda part=part, ids=ids, about=about, day=day: ours.add_texts(part, about, ids, valid_from=day)
                )
                for timings in (writes, *((late,) if version else ())):
                    timings.stock.append(taken)
                    timings.ours.append(spent - (extractor.seconds - before))
        shape = f"{facts:,} facts x {versions} versions"
        records = [writes.record(f"write {batch} rows, {shape}")]
        middle = START + timedelta(days=versions // 2, hours=-12)
        cases: dict[str, dict[str, Any]] = {"read now": {}, f"read as of {middle.date()}": {"as_of": middle}}
        lines = [
            f"{facts} facts x {versions} versions = {facts * versions} rows, {facts * (versions - 1)} retired, "
            f"{DIMENSIONS} dimensions, batches of {batch}, {'no' if bare else 'two'} metadata fields, k=4",
            writes.line(f"write {batch} rows"),
            late.line("  of which superseding"),
            f"{'extraction (left out above)':<34} {extractor.seconds / max(extractor.texts, 1) * 1e6:.0f} µs a text",
        ]
        for name, extra in cases.items():
            timings, missed, unreached, stale = Timings(), 0, 0, 0
            loading = _timed(lambda extra=extra: ours.similarity_search_by_vector(vectors.queries[0][1], k=4, **extra))
            for _ in range(rounds):
                for fact, query in vectors.queries:
                    plain: list[Any] = []
                    timings.stock.append(
                        _timed(
                            lambda query=query, plain=plain: plain.extend(stock.similarity_search_by_vector(query, k=4))
                        )
                    )
                    found: list[Any] = []
                    timings.ours.append(
                        _timed(
                            lambda query=query, extra=extra, found=found: found.extend(
                                ours.similarity_search_by_vector(query, k=4, **extra)
                            )
                        )
                    )
                    version = versions // 2 - 1 if extra else versions - 1
                    texts = [d.page_content for d in found]
                    missed += vectors.texts[version][fact] not in texts
                    every = {vectors.texts[v][fact] for v in range(versions)}
                    unreached += not any(d.page_content in every for d in plain)
                    stale += any(vectors.texts[v][fact] in texts for v in range(versions) if v != version)
            records.append(timings.record(f"{'read as of a past date' if extra else 'read now'}, {shape}"))
            lines.append(
                timings.line(name)
                + f"   first read {loading * 1000:.0f} ms; of {len(timings.ours)}: value missed {missed} "
                f"(stock finds no version of it: {unreached}), stale {stale}"
            )
    return lines, records


def main() -> None:
    """Measure both shapes and print the report; with ``--out``, put the figures beside a run's records."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--batch", type=int, default=500)
    parser.add_argument("--bare", action="store_true", help="texts without metadata")
    parser.add_argument("--shape", nargs="*", default=["10000x2", "200x100"], help="FACTSxVERSIONS")
    parser.add_argument("--out", type=Path, metavar="DIR", help="a run's directory; its report then shows the figures")
    arguments = parser.parse_args()
    found: list[dict[str, Any]] = []
    for shape in arguments.shape:
        facts, versions = (int(n) for n in shape.split("x"))
        report, records = measure(facts, versions, min(arguments.batch, facts), arguments.rounds, bare=arguments.bare)
        print("\n".join(report), flush=True)
        print()
        found += records
    if arguments.out is not None:
        with Recorder(arguments.out, read(arguments.out).manifest) as recorder:
            for record in found:
                recorder.write(record)


if __name__ == "__main__":
    main()
