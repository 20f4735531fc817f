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
        """Write a text, and return when it was."""
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
    """An empty collection."""
    client = chromadb.EphemeralClient()
    name = f"story-{uuid.uuid4().hex}"
    yield Story(client.create_collection(name, embedding_function=None))
    client.delete_collection(name)


def test_a_bounded_first_write_is_consistent(story: Story) -> None:
    """A fact with an end, of a key that nobody stated before, is stored as the rules derive it."""
    story.write("a", "k1=x", valid_from=50, valid_to=200)
    assert story.store.verify() == []


def test_an_ending_of_an_unknown_key_is_consistent(story: Story) -> None:
    """A sentence of ending about a key that nobody stated before is live at no time."""
    story.write("a", "k1=")
    assert story.store.verify() == []


def test_a_version_of_prose_is_known_when_it_was_current(story: Story) -> None:
    """known_at finds the one version that was current, where old and new share no key."""
    first = story.write("a", "words")
    second = story.write("a", "k1=x")
    third = story.write("a", "other words")
    for time, text in ((first, "words"), (second, "k1=x"), (third, "other words")):
        found = story.store.get(as_of=moment(time), known_at=moment(time))
        assert found["documents"] == [text], time
        now = story.store.get(as_of=moment(time), known_at=moment(third))
        assert now["documents"] == [text], time


def test_a_retraction_with_nothing_valid_closes_what_is_told_later_of_earlier(story: Story) -> None:
    """Undated, where all that is known is superseded, over, or yet to come, it is kept, and found again."""
    story.write("a", "k1=x", valid_from=20, valid_to=40)
    story.write("b", "k1=y", valid_from=5_000)
    told = story.clock.now + 10
    story.clock.advance(10)
    assert not story.store.retract("k1")
    story.write("late", "k1=z", valid_from=60)
    for time, texts in ((told - 1, ["k1=z"]), (told, []), (story.clock.now, []), (5_000, ["k1=y"])):
        assert story.store.get(as_of=moment(time))["documents"] == texts, time
    assert story.store.verify() == []


def test_the_second_retraction_stands_when_the_first_is_undone(story: Story) -> None:
    """Undo reopens what one retraction closed, up to where another one closes it."""
    story.write("a", "k1=x")
    story.clock.advance(10)
    first = story.store.retract("k1")
    story.clock.advance(10)
    second = story.store.retract("k1")
    story.clock.advance(10)
    story.store.undo(first)
    assert story.store.get()["documents"] == []
    assert story.store.get(as_of=moment(second.recorded_at[0] - 1))["documents"] == ["k1=x"]
    story.store.undo(second)
    assert story.store.get()["documents"] == ["k1=x"]
    assert story.store.verify() == []


def test_counting_the_recent_past_agrees_with_reading_it(story: Story) -> None:
    """Count and get agree on an instant between opening a collection that held something and a later write."""
    story.raw.add(ids=["stock"], documents=["stock"], embeddings=[vector("stock")])
    story.write("a", "k1=x")
    between = moment(story.clock.now + 5)
    story.write("b", "k2=x")
    story.write("c", "k1=y")
    assert sorted(story.store.get(as_of=between)["documents"]) == ["k1=x", "stock"]
    assert story.store.count(as_of=between) == 2


def test_a_retry_of_an_earlier_version_leaves_the_newer_ones_metadata(story: Story) -> None:
    """A dated write that is repeated after a newer version changes nothing, metadata included."""
    story.write("a", "k1=x", tag="old", valid_from=10)
    story.write("a", "k1=y", tag="new", valid_from=20)
    story.write("a", "k1=x", tag="old", valid_from=10)
    found = story.store.get()
    assert (found["documents"], found["metadatas"]) == (["k1=y"], [{"tag": "new"}])


def test_metadata_alone_brings_nothing_back(story: Story) -> None:
    """Setting a field that tells sources apart reasserts no superseded fact."""
    story.write("a", "k1=x")
    story.write("b", "k1=y")
    story.clock.advance(10)
    story.store.update(ids=["a"], metadatas=[{"source": "file"}])
    assert story.store.get()["documents"] == ["k1=y"]


def test_a_source_given_later_confines_a_local_fact(story: Story) -> None:
    """A fact whose subject names no entity moves to its source when the source is told, and is served there."""
    story.write("a", "local=x")
    story.clock.advance(10)
    story.store.update(ids=["a"], metadatas=[{"source": "file"}])
    story.write("b", "local=y")
    assert sorted(story.store.get()["documents"]) == ["local=x", "local=y"]
    assert story.store.verify() == []
