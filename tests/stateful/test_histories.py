"""Short histories that once went wrong, each told in full."""

from __future__ import annotations

import pytest

from .telling import Story
from .toy import moment, vector


@pytest.fixture
def story() -> Story:
    return Story()


def test_counting_the_recent_past_agrees_with_reading_it(story: Story) -> None:
    """Count and get agree on an instant between opening a collection that held something and a later write."""
    story.raw.add(ids=["stock"], documents=["stock"], embeddings=[vector("stock")])
    story.write(a="k1=x")
    between = moment(story.clock.now - 50)
    story.write(b="k2=x")
    story.write(c="k1=y")
    assert sorted(story.store.get(as_of=between)["documents"]) == ["k1=x", "stock"]
    assert story.store.count(as_of=between) == 2


def test_a_source_given_later_confines_a_local_fact(story: Story) -> None:
    story.write(a="local=x")
    story.after(story.store.update(ids=["a"], metadatas=[{"source": "file"}]))
    story.write(b="local=y")
    assert sorted(story.store.get()["documents"]) == ["local=x", "local=y"]
    assert story.store.verify() == []
