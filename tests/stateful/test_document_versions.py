"""Documents of several rows: another version takes the place of the one before, whatever the order of arrival.

A plain model holds the writes and derives each view from the rules; a real collection is compared with it.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import chromadb
import pytest

from memstrata_integrations.chroma import state as _state
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.chroma.plan import Origin
from memstrata_integrations.redaction import Stated, redact

from .toy import TestClock, ToyExtractor, moment, vector

NOW = 10_000
VALUES = "xyz"


def read_version(metadata: Any) -> str | None:
    return (metadata or {}).get("version")


@dataclass(frozen=True)
class Write:
    """One call: the parts of one version of one document."""

    document: str
    version: str
    at: int | None
    parts: tuple[tuple[str, str], ...]


class Store:
    _serial: Iterator[int] = itertools.count()

    def __init__(self, client: Any, *, on_delete: Any = "purge") -> None:
        self.raw = client.create_collection(f"versions-{next(self._serial)}", embedding_function=None)
        self.clock = TestClock(NOW)
        self.on_delete = on_delete
        self.reopen()

    def reopen(self) -> None:
        """Forget everything that this process knows."""
        _state._states.clear()
        self.collection = TemporalCollection(
            self.raw, extractor=ToyExtractor(), clock=self.clock, on_delete=self.on_delete
        )

    def write(self, made: Write) -> Any:
        items = self.collection.session.read(
            [text for _, text in made.parts],
            ids=[row_id for row_id, _ in made.parts],
            embeddings=[vector(text) for _, text in made.parts],
            metadatas=[{"document": made.document, "version": made.version} for _ in made.parts],
            valid_from=None if made.at is None else moment(made.at),
        )
        for item in items:
            item.origin = Origin("document", made.document, made.version, read_version)
        changes = self.collection.session.write(items)
        self.clock.advance(100)
        return changes

    def view(self, t: int, known_at: int | None = None) -> list[tuple[str, str]]:
        found = self.collection.get(as_of=moment(t), known_at=None if known_at is None else moment(known_at))
        return sorted(zip(found["ids"], found["documents"], strict=True))


def model(writes: list[Write], t: int) -> list[tuple[str, str]]:
    """Derive from dated writes what is served at an instant."""
    by_document: dict[str, list[Write]] = {}
    for made in sorted(writes, key=lambda w: w.at or 0):
        by_document.setdefault(made.document, []).append(made)
    facts = [
        (made.at or 0, *part.split("="))
        for made in writes
        for _, text in made.parts
        for part in text.split("; ")
        if "=" in part
    ]

    def live(part: str, at: int) -> bool:
        if "=" not in part:
            return True
        key, value = part.split("=")
        return at <= t and not any(k == key and v != value and at < start <= t for start, k, v in facts)

    served = []
    for made in by_document.values():
        standing: list[Write] = []
        for w in made:
            if w.at is not None and w.at <= t:
                standing = [*standing, w] if standing and standing[-1].version == w.version else [w]
        for w in standing:
            for row_id, text in w.parts:
                holds = [live(part, w.at or 0) for part in text.split("; ")]
                if any(holds):
                    first = text.split("; ")[0]
                    stated = Stated((0, len(first)), first[-1], holds[0])
                    served.append((row_id, redact(text, [stated] if "=" in first else [])))
    return sorted(served)


@pytest.fixture(scope="module")
def client() -> Any:
    return chromadb.EphemeralClient()


def _made(rng: random.Random) -> list[Write]:
    times = rng.sample(range(100, 900), rng.randint(2, 6))
    serial = itertools.count()
    writes = []
    last: dict[str, str] = {}
    for at in sorted(times):
        document = rng.choice(("d", "e"))
        version = rng.choice([v for v in "ABC" if v != last.get(document)])
        last[document] = version
        parts = []
        for _ in range(rng.randint(1, 3)):
            said = [f"k{rng.randint(1, 3)}={rng.choice(VALUES)}"] if rng.random() < 0.8 else []
            said += ["prose"] if rng.random() < 0.4 or not said else []
            parts.append((f"n{next(serial)}", "; ".join(said)))
        keys = [p.split("=")[0] for _, text in parts for p in text.split("; ") if "=" in p]
        if len(set(keys)) == len(keys):
            writes.append(Write(document, version, at, tuple(parts)))
        else:
            writes.append(Write(document, version, at, parts[:1] and (parts[0],)))
    rng.shuffle(writes)
    return writes


@pytest.mark.parametrize("seed", range(60))
def test_any_arrival_order_gives_the_view_of_the_model(client: Any, seed: int) -> None:
    rng = random.Random(seed)
    writes = _made(rng)
    store = Store(client)
    for made in writes:
        store.write(made)
        if rng.random() < 0.3:
            store.reopen()
    instants = sorted({50, *(w.at or 0 for w in writes), *((w.at or 0) - 1 for w in writes), 950, NOW + 5_000})
    for t in instants:
        assert store.view(t) == model(writes, t), (t, writes)
    assert store.collection.verify() == []


@pytest.mark.parametrize("seed", range(20))
def test_what_was_known_stays_known_and_undo_takes_back_exactly(client: Any, seed: int) -> None:
    rng = random.Random(seed + 1000)
    store = Store(client)
    instants = [50, 300, 500, 700, 950, NOW + 5_000]
    told: list[tuple[int, list[Any]]] = []
    for made in _made(rng):
        before = [store.view(t) for t in instants]
        changes = store.write(made)
        after = [store.view(t) for t in instants]
        store.collection.undo(changes)
        store.clock.advance(100)
        assert [store.view(t) for t in instants] == before, made
        store.write(Write(made.document, made.version, made.at, tuple((f"{i}-again", text) for i, text in made.parts)))
        assert [[(i.removesuffix("-again"), x) for i, x in store.view(t)] for t in instants] == [
            [(i.removesuffix("-again"), x) for i, x in v] for v in after
        ]
        told.append((store.clock.now - 50, [store.view(t) for t in instants]))
    for known_at, views in told:
        assert [store.view(t, known_at) for t in instants] == views
    assert store.collection.verify() == []


@pytest.mark.parametrize("seed", range(20))
def test_undo_of_the_newest_version_gives_the_view_without_it(client: Any, seed: int) -> None:
    rng = random.Random(seed + 2000)
    writes = _made(rng)
    store = Store(client)
    changes = {made: store.write(made) for made in writes}
    instants = sorted({50, *(w.at or 0 for w in writes), 950, NOW + 5_000})
    while len(writes) > 1:
        newest = max(writes, key=lambda w: w.at or 0)
        writes.remove(newest)
        store.collection.undo(changes[newest])
        store.clock.advance(100)
        assert [store.view(t) for t in instants] == [model(writes, t) for t in instants], (newest, writes)
    assert store.collection.verify() == []


def test_a_row_without_a_version_and_the_same_version_retire_nothing(client: Any) -> None:
    store = Store(client)
    store.write(Write("d", "A", None, (("a1", "one"),)))
    store.write(Write("d", "A", None, (("a2", "two"),)))
    store.collection.add(ids=["p"], documents=["three"], embeddings=[vector("three")], metadatas=[{"document": "d"}])
    assert store.view(NOW + 5_000) == [("a1", "one"), ("a2", "two"), ("p", "three")]
    store.write(Write("d", "B", None, (("b1", "four"),)))
    assert store.view(NOW + 5_000) == [("b1", "four"), ("p", "three")]


def test_an_unchanged_part_under_its_own_id_stays_one_row(client: Any) -> None:
    store = Store(client)
    store.write(Write("d", "A", None, (("1", "same"), ("2", "k1=x"))))
    store.write(Write("d", "B", None, (("1", "same"), ("2", "k1=y"))))
    assert store.view(NOW + 5_000) == [("1", "same"), ("2", "k1=y")]
    assert store.raw.count() == 3  # the earlier version of "2"
    store.write(Write("d", "C", None, (("1", "same"),)))
    store.write(Write("d", "C", None, (("2", "k1=y"),)))
    assert store.view(NOW + 5_000) == [("1", "same"), ("2", "k1=y")]
    assert store.collection.verify() == []
