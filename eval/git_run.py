"""Every record of public git histories, through stock Chroma and through ours: now, at past dates, after removals.

The rows of one kind share a store. Records hold a hash of the key and no text of the data.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Protocol
from uuid import uuid4

import chromadb
from chromadb.config import Settings as ChromaSettings
from langchain_chroma import Chroma
from langchain_core.embeddings import Embeddings

from eval.benchmarks.git_history import GitAssertion, GitKind, GitProbe
from eval.records import Recorder
from memstrata_integrations import GrammarExtractor
from memstrata_integrations.langchain import TemporalVectorStore

__all__ = ["SYSTEMS", "run_git"]

SYSTEMS = ("naive_rag", "temporal_v6")
_BATCH = 256


class _Store(Protocol):
    """What both systems are told and asked."""

    def tell(self, batch: Sequence[GitAssertion]) -> None: ...
    def ask(self, vector: list[float], probe: GitProbe, k: int) -> list[str]: ...


class _Stock:
    def __init__(self, embedding: Embeddings) -> None:
        self._store = Chroma(**_place(embedding))

    def tell(self, batch: Sequence[GitAssertion]) -> None:
        texts = [told.sentence for told in batch if told.sentence is not None]
        if texts:  # stock Chroma has no way to be told of an ending
            self._store.add_texts(texts)

    def ask(self, vector: list[float], probe: GitProbe, k: int) -> list[str]:
        return [d.page_content for d in self._store.similarity_search_by_vector(vector, k=k)]


class _Ours:
    def __init__(self, embedding: Embeddings) -> None:
        self._store = TemporalVectorStore(**_place(embedding))

    def tell(self, batch: Sequence[GitAssertion]) -> None:
        texts = [told.sentence for told in batch if told.sentence is not None]
        if texts:
            self._store.add_texts(texts, valid_from=[told.valid_from for told in batch])
        else:
            self._store.retract(batch[0].subject, batch[0].relation, at=batch[0].valid_from)

    def ask(self, vector: list[float], probe: GitProbe, k: int) -> list[str]:
        found = self._store.similarity_search_by_vector(vector, k=k, as_of=probe.as_of)
        return [d.page_content for d in found]


def run_git(
    kinds: Iterable[GitKind],
    embedding: Embeddings,
    recorder: Recorder,
    *,
    k: int,
    step: Callable[[], object] = lambda: None,
) -> None:
    """Tell both systems each kind's assertions, ask every probe, and record whether the answer held the right thing.

    Args:
        kinds: What `eval.benchmarks.git_history.load_kind` gives.
        embedding: Of both; vectors of questions are made outside of the times.
        recorder: Where the records go.
        k: How many texts an answer has.
        step: Called after each probe.
    """
    for kind in kinds:
        if all(recorder.has(_named(kind, probe, system)) for probe in kind.probes for system in SYSTEMS):
            for _ in range(len(kind.probes) * len(SYSTEMS)):
                step()
            continue
        keyed = _keyed(kind.assertions)
        vectors = embedding.embed_documents([probe.question for probe in kind.probes])
        stores: tuple[_Store, ...] = (_Stock(embedding), _Ours(embedding))
        for system, store in zip(SYSTEMS, stores, strict=True):
            for batch in _batches(kind.assertions):
                store.tell(batch)
            for probe, vector in zip(kind.probes, vectors, strict=True):
                if not recorder.has(_named(kind, probe, system)):
                    recorder.write(_record(kind, probe, system, store, vector, k, keyed))
                step()


def _record(
    kind: GitKind, probe: GitProbe, system: str, store: _Store, vector: list[float], k: int, keyed: frozenset[str]
) -> dict[str, Any]:
    started = time.perf_counter()
    texts = store.ask(vector, probe, k)
    milliseconds = (time.perf_counter() - started) * 1000
    return {
        **_named(kind, probe, system),
        "hit": None if probe.truth is None else probe.truth in texts,
        "hit_at_1": None if probe.truth is None else texts[:1] == [probe.truth],
        "exposed": not probe.wrong.isdisjoint(texts),
        "keyed": probe.key in keyed,
        "ms": round(milliseconds, 2),
    }


def _named(kind: GitKind, probe: GitProbe, system: str) -> dict[str, Any]:
    when = None if probe.as_of is None else probe.as_of.isoformat()
    named = {"condition": system, "kind": kind.kind, "probe": probe.probe, "key": probe.key}
    return {"type": "git", **named, "as_of": when}


def _keyed(assertions: Sequence[GitAssertion]) -> frozenset[str]:
    """Return the keys of which every sentence states one functional fact, and the same."""
    told = [assertion for assertion in assertions if assertion.sentence is not None]
    facts: dict[str, set[tuple[str, str] | None]] = {}
    for assertion, extraction in zip(told, GrammarExtractor().extract([a.sentence or "" for a in told]), strict=True):
        found = {fact.key for fact in extraction.facts if fact.cardinality == "functional"}
        facts.setdefault(assertion.key, set()).update(found or {None})
    return frozenset(key for key, found in facts.items() if len(found) == 1 and None not in found)


def _batches(assertions: Sequence[GitAssertion]) -> Iterator[list[GitAssertion]]:
    """Yield assertions in batches, and each ending by itself, in order."""
    for ending, run in groupby(assertions, key=lambda assertion: assertion.sentence is None):
        members = list(run)
        size = 1 if ending else _BATCH
        yield from (members[first : first + size] for first in range(0, len(members), size))


def _place(embedding: Embeddings) -> dict[str, Any]:
    client = chromadb.EphemeralClient(ChromaSettings(anonymized_telemetry=False))
    return {"collection_name": f"git-{uuid4().hex}", "embedding_function": embedding, "client": client}
