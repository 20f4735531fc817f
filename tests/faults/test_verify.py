"""What `verify` tells, and what `verify(repair=True)` mends: wrong answers, and nothing that readers see through."""

from __future__ import annotations

import uuid
from typing import Any

import chromadb
import pytest

from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.chroma.fields import FROM, TO
from tests.stateful.toy import TestClock, ToyExtractor, vector

from .faulty import open_afresh


@pytest.fixture
def clock() -> TestClock:
    """A clock that a test moves."""
    return TestClock(1_000_000)


@pytest.fixture
def store(clock: TestClock) -> TemporalCollection:
    """A store with two values of one key, and prose."""
    client = chromadb.EphemeralClient()
    raw = client.create_collection(f"verified-{uuid.uuid4().hex}", embedding_function=None)
    made = TemporalCollection(raw, extractor=ToyExtractor(), clock=clock)
    for row_id, text in (("a", "k1=a"), ("b", "k1=b; k2=b"), ("c", "prose")):
        made.write([text], ids=[row_id], embeddings=[vector(text)])
        clock.advance(10)
    return made


WRONG: dict[str, tuple[str, dict[str, Any]]] = {
    "a value that is over is served": ("a", {TO: 2**63 - 1}),
    "a value that holds is not served": ("b", {TO: 1_000_020}),
    "its beginning is wrong": ("b", {FROM: 1_000_030}),
}


@pytest.mark.parametrize("which", WRONG)
def test_a_wrong_answer_is_a_line_until_it_is_mended(store: TemporalCollection, clock: TestClock, which: str) -> None:
    """Each row that readers are told wrongly is one line; repaired, all answers are as before it was spoilt."""
    before = store.get(), store.count(), store.get(include_superseded=True)
    row_id, fields = WRONG[which]
    store.session.collection.update(ids=[row_id], metadatas=[fields])
    spoilt = open_afresh(store.session.collection, clock)
    [line] = spoilt.verify()
    assert repr(row_id) in line
    assert spoilt.verify(repair=True) == []
    assert (spoilt.get(), spoilt.count(), spoilt.get(include_superseded=True)) == before
    assert spoilt.verify() == []


def test_verify_without_repair_changes_nothing(store: TemporalCollection, clock: TestClock) -> None:
    """Told twice, a difference is still there."""
    store.session.collection.update(ids=["a"], metadatas=[{TO: 2**63 - 1}])
    raw = store.session.collection.get()
    spoilt = open_afresh(store.session.collection, clock)
    assert spoilt.verify() == spoilt.verify() != []
    assert store.session.collection.get() == raw
