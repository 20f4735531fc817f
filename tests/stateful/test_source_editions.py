"""Dated syncs of a source, told in any order and undone: at each instant it holds the texts of its newest edition.

A plain model holds the calls and derives each view from them; a real collection is compared with it.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import chromadb
import pytest

from memstrata_integrations.chroma import state as _state
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.redaction import Stated, redact

from .toy import TestClock, ToyExtractor, moment, vector

NOW = 10_000
SOURCE = "s"


@dataclass(frozen=True)
class Told:
    """One call: all texts of the source, or some of it or of another source told on their own, from an instant on."""

    source: str
    at: int
    texts: tuple[str, ...]
    whole: bool = False


def fact_of(text: str) -> tuple[str, str] | None:
    first = text.split("; ")[0]
    return (first.split("=")[0], first.split("=")[1]) if "=" in first else None


def view(calls: Sequence[Told], t: int) -> list[str]:
    """Derive what is served at an instant: the newest edition and what else was told, less what was said otherwise.

    Each edition asserts what its texts state; a fact is live while nothing of a later date says otherwise (rule 1).
    """
    told = [c for c in calls if c.at <= t]
    editions = [c for c in told if c.whole]
    standing = [c for c in told if not c.whole] + sorted(editions, key=lambda c: c.at)[-1:]
    served = []
    for call in standing:
        for text in call.texts:
            mine = fact_of(text)
            rivals = (fact_of(x) for c in told if c.at > call.at for x in c.texts)
            live = mine is None or all(r is None or r[0] != mine[0] or r == mine for r in rivals)
            if live or ";" in text:
                first = text.split("; ")[0]
                said = [] if mine is None else [Stated((0, len(first)), mine[1], live)]
                served.append(redact(text, said))
    return sorted(served)


class Store:
    _serial: Iterator[int] = itertools.count()

    def __init__(self, client: Any, ids: str) -> None:
        self.raw = client.create_collection(f"editions-{next(self._serial)}", embedding_function=None)
        self.clock = TestClock(NOW)
        self.ids = ids
        self.reopen()

    def reopen(self) -> None:
        """Forget everything that this process knows."""
        _state._states.clear()
        self.collection = TemporalCollection(self.raw, extractor=ToyExtractor(), clock=self.clock, on_delete="retire")

    def tell(self, call: Told) -> Any:
        given: dict[str, Any] = {"embeddings": [vector(t) for t in call.texts], "valid_from": moment(call.at)}
        if not call.whole:
            about = [{"source": call.source}] * len(call.texts)
            changes = self.collection.write(list(call.texts), metadatas=about, **given)
        else:
            by_text = [f"id of {text}" for text in call.texts]
            by_place = [f"id {n}" for n in range(len(call.texts))]
            ids = {"by text": by_text, "by place": by_place, "none": None}[self.ids]
            changes = self.collection.sync(SOURCE, call.texts, ids=ids, **given)
        self.clock.advance(100)
        return changes

    def undo(self, changes: Any) -> None:
        self.collection.undo(changes)
        self.clock.advance(100)

    def views(self, instants: Sequence[int], known_at: int | None = None) -> list[list[str]]:
        known = None if known_at is None else moment(known_at)
        return [sorted(self.collection.get(as_of=moment(t), known_at=known)["documents"]) for t in instants]

    def rows(self) -> Any:
        return self.raw.get(include=["documents", "metadatas", "embeddings"])


def calls_of(rng: random.Random) -> list[Told]:
    made = []
    for n, at in enumerate(sorted(rng.sample(range(100, NOW + 4_000), rng.randint(3, 7)))):
        if rng.random() < 0.25:
            made.append(Told(f"other {n}", at, (f"k{rng.randint(1, 2)}={rng.choice('xy')}",)))
            continue
        texts = [f"prose {m}" for m in range(3) if rng.random() < 0.5]
        for key in ("k1", "k2"):
            more = f"; about {key}" if rng.random() < 0.3 else ""
            texts += [f"{key}={rng.choice('xy')}{more}"] if rng.random() < 0.7 else []
        rng.shuffle(texts)
        made.append(Told(SOURCE, at, tuple(texts or ["prose 0"]), whole=True))
    return made


@pytest.fixture(scope="module")
def client() -> Any:
    return chromadb.EphemeralClient()


@pytest.mark.parametrize("ids", ["by text", "by place", "none"])
@pytest.mark.parametrize("seed", [*range(12), 1065, *(pytest.param(n, marks=pytest.mark.slow) for n in range(12, 60))])
def test_editions_and_what_others_say_in_any_order(client: Any, ids: str, seed: int) -> None:
    rng = random.Random(seed)
    calls = calls_of(rng)
    for n in range(seed % 3):  # of the source, on its own, after all editions: what is told before one ends by it
        calls.append(Told(SOURCE, calls[-1].at + 10, (f"text {n}", f"more of text {n}")))
    store, known = Store(client, ids), []
    changes, views_then = {}, []
    instants = sorted({50, *(c.at for c in calls), *(c.at - 1 for c in calls), NOW + 5_000})
    for call in rng.sample(calls, len(calls)):
        changes[call] = store.tell(call)
        known.append(call)
        if rng.random() < 0.3:
            store.reopen()
        assert store.views(instants) == [view(known, t) for t in instants], known
        views_then.append((store.clock.now - 50, [view(known, t) for t in instants]))
    again = rng.choice([c for c in known if c.whole] or [None])
    if again is not None:
        before = store.rows()
        store.tell(again)
        after = store.rows()
        assert (after["ids"], after["metadatas"]) == (before["ids"], before["metadatas"]), (again, known)
        assert store.views(instants) == [view(known, t) for t in instants], (again, known)
    while known:
        taken = known.pop(rng.randrange(len(known)))
        store.undo(changes[taken])
        assert store.views(instants) == [view(known, t) for t in instants], (taken, known, calls)
        views_then.append((store.clock.now - 50, [view(known, t) for t in instants]))
    for known_at, views in views_then:
        assert store.views(instants, known_at) == views
    assert store.collection.verify() == []
