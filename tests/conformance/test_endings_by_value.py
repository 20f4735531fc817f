"""An ending that names a value ends that one alone, whatever is told when; the plain cases are in `test_evolving`."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Sequence

import pytest

from memstrata_integrations import Fact
from memstrata_integrations.langchain import TemporalVectorStore
from memstrata_integrations.lexical import LexicalEmbeddings


def open_store(*said: tuple[str, str]) -> TemporalVectorStore:
    """Open a store that was told this, in this order."""
    store = TemporalVectorStore(f"endings-{uuid.uuid4().hex}", LexicalEmbeddings())
    for n, (text, date) in enumerate(said):
        store.add_texts([text], ids=[str(n)], valid_from=date)
    return store


def served(store: TemporalVectorStore) -> list[str]:
    """Return what holds now, without the sentences of ending."""
    return sorted(text for text in store.get()["documents"] if "no longer" not in text)


STORY = (
    ("Ada works for Brill.", "2024-02-01"),
    ("Ada no longer works for Brill.", "2024-06-01"),
    ("Ada works for Core.", "2024-04-01"),
    ("Ada works for Dorn.", "2024-01-01"),
)


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_what_is_told_late_of_another_value_stays(order: Sequence[int]) -> None:
    """Whenever it is told: the ending is of Brill, and Core began before it."""
    store = open_store(*(STORY[n] for n in order))
    assert served(store) == ["Ada works for Core."]
    assert store.verify() == []


def test_an_ending_that_is_purged_goes_on_ending() -> None:
    """What was over does not come back, what is told late stays, and no row keeps the words of the ending."""
    store = open_store(*STORY[:2])
    store.purge(["1"])
    assert served(store) == []
    store.add_texts([STORY[2][0]], valid_from=STORY[2][1])
    assert served(store) == ["Ada works for Core."]
    assert store.verify() == []


def test_an_ending_whose_value_is_purged_names_nobody_else() -> None:
    """Neither order of erasing brings anything back, or takes anything else away."""
    store = open_store(*STORY[:3])
    store.purge(["0"])
    assert "Ada works for Core." in store.get()["documents"]
    assert store.verify() == []
    store.purge(["1"])
    assert served(store) == ["Ada works for Core."]
    assert store.verify() == []


def test_an_ending_that_is_taken_back_never_was() -> None:
    store = open_store(*STORY[:2])
    store.undo("1")
    assert served(store) == ["Ada works for Brill."]


def test_the_same_ending_again_adds_nothing() -> None:
    """Undated, of what is over: told twice it is no news, whatever else holds by now."""
    store = open_store(*STORY[:3])
    before = str(store.history("Ada"))
    for _ in range(2):
        store.add_texts([STORY[1][0]], ids=["1"])
    assert str(store.history("Ada")) == before
    assert "Ada works for Core." in store.get()["documents"]


def test_it_ends_a_value_that_was_stated_outright() -> None:
    """There values of all kinds lie on one timeline."""
    store = TemporalVectorStore(f"endings-{uuid.uuid4().hex}", LexicalEmbeddings())
    store.add_facts([Fact("Ada", "works for", "Brill", valid_from="2024-02-01")])
    store.add_texts(["Ada no longer works for Brill."], valid_from="2024-06-01")
    assert served(store) == []
    store.add_facts([Fact("Ada", "works for", "Core", valid_from="2024-04-01")])
    assert served(store) == ["Ada works for Core."]
    assert store.verify() == []


@pytest.mark.parametrize(
    "text", ["Ada no longer works for Brill. Ada works for Core.", "Ada works for Core. Ada no longer works for Brill."]
)
def test_one_text_ends_a_value_and_states_the_next(text: str) -> None:
    """In either order it states the next; without it again, both sentences are gone."""
    store = open_store(STORY[0], (text, "2024-06-01"))
    assert "Ada works for Brill." not in store.get()["documents"]
    assert "Ada works for Core." in store.get()["documents"][-1]
    assert [e.object for e in store.history("Ada", "works for").at("2024-07-01")] == ["Core"]
    store.undo("1")
    assert store.get()["documents"] == ["Ada works for Brill."]
    assert store.verify() == []


def test_a_text_that_ends_what_it_states_says_neither() -> None:
    store = open_store(STORY[0], ("Ada no longer works for Brill. Ada works for Brill.", "2024-06-01"))
    assert "Ada works for Brill." in store.get()["documents"]
    assert len(store.get()["documents"]) == 2
    assert store.verify() == []
