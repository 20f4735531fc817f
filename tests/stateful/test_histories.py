"""Short histories that once went wrong, each told in full."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import chromadb
import pytest

from memstrata_integrations.chroma.collection import TemporalCollection

from .toy import TestClock, ToyExtractor, moment, vector


class Story:
    """A collection in memory with a clock that ticks before each write."""

    def __init__(self, raw: Any) -> None:
        self.clock = TestClock(100)
        self.raw = raw
        self.store = TemporalCollection(raw, extractor=ToyExtractor(), clock=self.clock)

    def write(self, row_id: str, text: str, *, tag: str | None = None, **dates: int) -> int:
        self.clock.advance(10)
        self.store.write(
            [text],
            ids=[row_id],
            embeddings=[vector(text)],
            metadatas=[None if tag is None else {"tag": tag}],
            **{name: moment(t) for name, t in dates.items()},
        )
        return self.clock.now


@pytest.fixture
def story() -> Iterator[Story]:
    client = chromadb.EphemeralClient()
    name = f"story-{uuid.uuid4().hex}"
    yield Story(client.create_collection(name, embedding_function=None))
    client.delete_collection(name)


def test_counting_the_recent_past_agrees_with_reading_it(story: Story) -> None:
    """Count and get agree on an instant between opening a collection that held something and a later write."""
    story.raw.add(ids=["stock"], documents=["stock"], embeddings=[vector("stock")])
    story.write("a", "k1=x")
    between = moment(story.clock.now + 5)
    story.write("b", "k2=x")
    story.write("c", "k1=y")
    assert sorted(story.store.get(as_of=between)["documents"]) == ["k1=x", "stock"]
    assert story.store.count(as_of=between) == 2


def test_metadata_alone_brings_nothing_back(story: Story) -> None:
    story.write("a", "k1=x")
    story.write("b", "k1=y")
    story.clock.advance(10)
    story.store.update(ids=["a"], metadatas=[{"source": "file"}])
    assert story.store.get()["documents"] == ["k1=y"]


def test_a_source_given_later_confines_a_local_fact(story: Story) -> None:
    story.write("a", "local=x")
    story.clock.advance(10)
    story.store.update(ids=["a"], metadatas=[{"source": "file"}])
    story.write("b", "local=y")
    assert sorted(story.store.get()["documents"]) == ["local=x", "local=y"]
    assert story.store.verify() == []
