"""A sentence of ending that names what ended ends that, and nothing that took its place."""

from __future__ import annotations

import itertools
import re
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from memstrata_integrations import Fact
from memstrata_integrations.langchain import TemporalVectorStore
from memstrata_integrations.ledger.facts import Extraction, KeyedFact
from memstrata_integrations.lexical import LexicalEmbeddings

_SAID = re.compile(r"(?P<who>\w+) (?P<not>no longer )?works for (?P<where>\w+)\.")


class Employers:
    """Reads "Ada works for Brill." and "Ada no longer works for Brill." ("anybody": whoever it is)."""

    def extract(
        self, texts: Sequence[str], metadatas: Sequence[Mapping[str, Any] | None] | None = None
    ) -> list[Extraction]:
        found = []
        for text in texts:
            said = _SAID.fullmatch(text)
            if said is None:
                found.append(Extraction())
                continue
            ended = bool(said["not"])
            value = "" if said["where"] == "anybody" else said["where"].lower()
            fact = KeyedFact(
                said["who"],
                "works for",
                None if ended else said["where"],
                (said["who"].lower(), "works for"),
                value,
                "none" if ended else "organisation",
                (0, len(text)),
                "test",
                change=ended,
            )
            found.append(Extraction((fact,), prose=ended))
        return found


def told(*said: tuple[str, str]) -> list[str]:
    store = TemporalVectorStore(f"endings-{uuid.uuid4().hex}", LexicalEmbeddings(), extractor=Employers())
    for text, date in said:
        store.add_texts([text], valid_from=date)
    assert store.verify() == []
    return sorted(text for text in store.get()["documents"] if "no longer" not in text)


def test_it_ends_the_value_that_it_names() -> None:
    assert told(("Ada works for Brill.", "2024-01-01"), ("Ada no longer works for Brill.", "2024-02-01")) == []


def test_it_leaves_a_value_that_took_its_place() -> None:
    moved = ("Ada works for Brill.", "2024-01-01"), ("Ada works for Core.", "2024-02-01")
    assert told(*moved, ("Ada no longer works for Brill.", "2024-03-01")) == ["Ada works for Core."]


def test_it_counts_what_was_valid_at_its_own_date() -> None:
    late = ("Ada works for Core.", "2024-03-01"), ("Ada works for Brill.", "2024-01-01")
    store = TemporalVectorStore(f"endings-{uuid.uuid4().hex}", LexicalEmbeddings(), extractor=Employers())
    for text, date in (*late, ("Ada no longer works for Brill.", "2024-02-01")):
        store.add_texts([text], valid_from=date)
    assert "Ada works for Brill." in store.get(as_of="2024-01-15")["documents"]
    assert not {"Ada works for Brill.", "Ada works for Core."} & set(store.get(as_of="2024-02-15")["documents"])
    assert "Ada works for Core." in store.get()["documents"]


def test_it_ends_nothing_of_another_value_alone() -> None:
    assert told(("Ada works for Core.", "2024-01-01"), ("Ada no longer works for Brill.", "2024-02-01")) == [
        "Ada works for Core."
    ]


def test_without_a_value_it_ends_whatever_there_is() -> None:
    assert told(("Ada works for Brill.", "2024-01-01"), ("Ada no longer works for anybody.", "2024-02-01")) == []


def test_told_again_it_changes_nothing() -> None:
    store = TemporalVectorStore(f"endings-{uuid.uuid4().hex}", LexicalEmbeddings(), extractor=Employers())
    store.add_texts(["Ada works for Brill."], ids=["a"], valid_from="2024-01-01")
    for _ in range(2):
        store.add_texts(["Ada no longer works for Brill."], ids=["b"], valid_from="2024-02-01")
    store.add_texts(["Ada works for Core."], ids=["c"], valid_from="2024-03-01")
    store.add_texts(["Ada no longer works for Brill."], ids=["b"], valid_from="2024-02-01")
    assert "Ada works for Core." in store.get()["documents"]
    assert "Ada works for Brill." in store.get(as_of="2024-01-15")["documents"]
    assert store.verify() == []


STORY = (
    ("Ada works for Brill.", "2024-02-01"),
    ("Ada no longer works for Brill.", "2024-06-01"),
    ("Ada works for Core.", "2024-04-01"),
    ("Ada works for Dorn.", "2024-01-01"),
)


@pytest.mark.parametrize("order", itertools.permutations(range(4)))
def test_what_is_told_late_of_another_value_stays(order: Sequence[int]) -> None:
    """Whenever it is told: the ending is of Brill, and Core began before it."""
    assert told(*(STORY[n] for n in order)) == ["Ada works for Core."]


def open_store(*said: tuple[str, str]) -> TemporalVectorStore:
    store = TemporalVectorStore(f"endings-{uuid.uuid4().hex}", LexicalEmbeddings(), extractor=Employers())
    for n, (text, date) in enumerate(said):
        store.add_texts([text], ids=[str(n)], valid_from=date)
    return store


def test_an_ending_that_is_purged_goes_on_ending() -> None:
    """What was over does not come back, what is told late stays, and no row keeps the words of the ending."""
    store = open_store(*STORY[:2])
    store.purge(["1"])
    assert store.get()["documents"] == []
    store.add_texts([STORY[2][0]], valid_from=STORY[2][1])
    assert store.get()["documents"] == ["Ada works for Core."]
    assert store.verify() == []


def test_an_ending_whose_value_is_purged_names_nobody_else() -> None:
    """Neither order of erasing brings anything back, or takes anything else away."""
    store = open_store(*STORY[:3])
    store.purge(["0"])
    assert "Ada works for Core." in store.get()["documents"]
    assert store.verify() == []
    store.purge(["1"])
    assert store.get()["documents"] == ["Ada works for Core."]
    assert store.verify() == []


def test_an_ending_that_is_taken_back_never_was() -> None:
    store = open_store(*STORY[:2])
    store.undo("1")
    assert store.get()["documents"] == ["Ada works for Brill."]


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
    store = TemporalVectorStore(f"endings-{uuid.uuid4().hex}", LexicalEmbeddings(), extractor=Employers())
    store.add_facts([Fact("Ada", "works for", "Brill", valid_from="2024-02-01")])
    store.add_texts(["Ada no longer works for Brill."], valid_from="2024-06-01")
    served = [d for d in store.get()["documents"] if "no longer" not in d]
    assert served == []
    store.add_facts([Fact("Ada", "works for", "Core", valid_from="2024-04-01")])
    assert [d for d in store.get()["documents"] if "no longer" not in d] == ["Ada works for Core."]
    assert store.verify() == []
