"""What changing pages cost beside stock Chroma: writing revisions, and reading."""

from __future__ import annotations

import hashlib
import re
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import Any

import chromadb
import numpy as np
from chromadb.config import Settings
from langchain_chroma import Chroma
from langchain_core.embeddings import Embeddings
from tqdm import tqdm

from eval.cost import DIMENSIONS, TimedExtractor, Timings
from eval.pages_corpus import Page
from eval.pages_ways import split
from memstrata_integrations.langchain import TemporalVectorStore as ChainStore


class MadeVectors(Embeddings):
    """A random unit vector for each text, made before anything is timed; versions of a chunk lie close together."""

    def __init__(self) -> None:
        """Begin with none."""
        self._rng = np.random.default_rng(7)
        self._known: dict[str, list[float]] = {}
        self._centres: dict[str, Any] = {}

    def make(self, text: str, chunk: str) -> None:
        """Make the vector of a text near that of other versions of its chunk."""
        if chunk not in self._centres:
            self._centres[chunk] = self._rng.normal(size=DIMENSIONS)
        vector = self._centres[chunk] + self._rng.normal(scale=0.1, size=DIMENSIONS)
        self._known[text] = (vector / np.linalg.norm(vector)).astype(np.float32).tolist()

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return vectors, ``(n, 384)``; what is left of a chunk is met while reading, and lies elsewhere."""
        for text in texts:
            if text not in self._known:
                self.make(text, text)
        return [self._known[t] for t in texts]

    def embed_query(self, text: str) -> list[float]:
        """Return a vector, ``(384,)``."""
        return self._known[text]


_NAME = re.compile(r"[A-Za-z]\w*[-_]\w[\w-]*|[A-Z][a-z]+[A-Z]\w*")


def _copied(text: str, title: str, copy: int) -> str:
    """Return a page about things of other names."""
    named = set(re.findall(r"[A-Za-z][\w-]{4,}", title))
    numbered = _NAME.sub(lambda m: f"{m[0]}{copy}", text)
    return re.sub(r"\b[A-Za-z][\w-]{4,}\b", lambda m: f"{m[0]}{copy}" if m[0] in named else m[0], numbered)


def measure_cost(pages: Sequence[Page], splitter: str, rows: int, rounds: int, *, progress: bool = True) -> list[str]:
    """Write copies of the pages, revision by revision, until there are `rows` chunks; read; in turn with stock.

    Stock gets the same rows (each revision is added); the time that extraction takes is left out of the ratios
    and shown, as in `eval.cost`.
    """
    vectors = MadeVectors()
    plan: list[tuple[str, str, list[str], list[str]]] = []
    seen: set[str] = set()
    copy = 0
    while len(seen) < rows:
        for page in pages:
            source = f"{copy}/{page.source}"
            for day, text in page.revisions.items():
                chunks = split(_copied(text, page.title, copy), splitter)
                for n, chunk in enumerate(chunks):
                    vectors.make(chunk, f"{source}#{n}")
                ids = [hashlib.sha256(f"{source}\n{c}".encode()).hexdigest() for c in chunks]
                seen.update(ids)
                plan.append((day, source, chunks, ids))
            if len(seen) >= rows:
                break
        copy += 1
    plan.sort()
    extractor = TimedExtractor()
    write = Timings()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        settings = Settings(anonymized_telemetry=False)
        stock = Chroma("cost", vectors, client=chromadb.PersistentClient(f"{folder}/stock", settings=settings))
        ours = ChainStore(
            "cost", vectors, client=chromadb.PersistentClient(f"{folder}/ours", settings=settings), extractor=extractor
        )
        for n, (day, source, chunks, ids) in enumerate(tqdm(plan, "cost: write", leave=False, disable=not progress)):
            about = [{"source": source} for _ in ids]
            before = extractor.seconds

            def add_stock(chunks: list[str] = chunks, about: list[Any] = about, ids: list[str] = ids) -> None:
                stock.add_texts(chunks, about, ids)

            def add_ours(
                chunks: list[str] = chunks, about: list[Any] = about, ids: list[str] = ids, day: str = day
            ) -> None:
                ours.add_texts(chunks, about, ids, valid_from=day)

            pair = [(write.stock, add_stock), (write.ours, add_ours)]
            for times, call in pair if n % 2 else reversed(pair):
                times.append(_seconds(call))
            write.ours[-1] -= extractor.seconds - before
        lines = [
            f"cost: {len(seen)} chunks of {len({s for _, s, _, _ in plan})} pages, {DIMENSIONS} dimensions, "
            f"{len(plan)} writes of {len(plan[0][2])} chunks or so; {splitter} splitter; k=5",
            write.line("write one revision of a page"),
            f"{'extraction (left out above)':<34} {extractor.seconds / max(extractor.texts, 1) * 1e3:.2f} ms a chunk, "
            f"{extractor.seconds:.1f} s beside {sum(write.stock):.1f} s of stock's writing without embedding",
        ]
        rng = np.random.default_rng(8)
        texts = [c for _, _, chunks, _ in plan for c in chunks]
        queries = [vectors.embed_query(texts[int(i)]) for i in rng.integers(0, len(texts), 200)]
        middle = plan[len(plan) // 2][0]
        reads: dict[str, dict[str, Any]] = {"read now": {}, f"read as of {middle}": {"as_of": middle}}
        for name, extra in reads.items():
            ours.similarity_search_by_vector(queries[0], k=5, **extra)
            stock.similarity_search_by_vector(queries[0], k=5)
            read = Timings()
            for n, query in enumerate(queries * rounds):

                def ask_stock(query: list[float] = query) -> None:
                    stock.similarity_search_by_vector(query, k=5)

                def ask_ours(query: list[float] = query, extra: dict[str, Any] = extra) -> None:
                    ours.similarity_search_by_vector(query, k=5, **extra)

                both = [(read.stock, ask_stock), (read.ours, ask_ours)]
                for times, call in both if n % 2 else reversed(both):
                    times.append(_seconds(call))
            lines.append(read.line(name))
    return lines


def _seconds(call: Callable[[], None]) -> float:
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun
