"""Rows of other code are older than what was written here, unless they say otherwise."""

from __future__ import annotations

from typing import Any

import chromadb
import pytest
from langchain_chroma import Chroma

from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.langchain import TemporalVectorStore
from memstrata_integrations.lexical import LexicalEmbeddings

from .conftest import StillClock

OLD, NEWS = "The pier's harbour master is Otto.", "The pier's harbour master is Nadia."


@pytest.fixture
def places(request: pytest.FixtureRequest) -> dict[str, Any]:
    name = f"adopting-{abs(hash(request.node.nodeid))}"
    return {"collection_name": name, "embedding_function": LexicalEmbeddings(), "client": chromadb.EphemeralClient()}


def served(store: TemporalVectorStore) -> list[str]:
    return sorted(store.get()["documents"])


def test_an_adopted_row_does_not_beat_what_was_written_since(places: dict[str, Any]) -> None:
    Chroma(**places).add_texts([OLD])
    store = TemporalVectorStore(**places)
    store.add_texts([NEWS])
    assert served(store) == [NEWS, OLD]
    store.adopt()
    assert served(store) == [NEWS]
    assert store.verify() == []


def test_an_adopted_row_without_a_date_does_not_beat_a_dated_one(places: dict[str, Any]) -> None:
    Chroma(**places).add_texts([OLD, "The quay opens at 8:00."], [{"date": ""}, {"date": "2024-01-01"}])
    store = TemporalVectorStore(**places)
    store.add_texts([NEWS], valid_from="2020-01-01")
    store.adopt(valid_from_field="day")  # misspelt: no row has it
    assert NEWS in served(store)
    assert OLD not in served(store)


def test_an_adopted_row_was_always_valid_until_it_was_superseded(places: dict[str, Any]) -> None:
    Chroma(**places).add_texts([OLD])
    store = TemporalVectorStore(**places)
    store.adopt()
    store.add_texts([NEWS], valid_from="2024-01-01")
    assert store.get(as_of="2019-01-01")["documents"] == [OLD]
    assert served(store) == [NEWS]


@pytest.mark.parametrize("field", ["date", None])
def test_rows_that_say_the_same_are_adopted_each(places: dict[str, Any], field: str | None) -> None:
    """A collection that was loaded twice: what supersedes one row supersedes its twin."""
    days = [{"date": day} for day in ("2024-01-01", "2024-01-01", "2024-02-01")]
    Chroma(**places).add_texts([OLD, OLD, NEWS], days)
    store = TemporalVectorStore(**places)
    store.adopt(valid_from_field=field)
    assert served(store) == [NEWS]
    assert store.verify() == []


def test_of_two_adopted_rows_the_one_stored_later_wins(places: dict[str, Any]) -> None:
    Chroma(**places).add_texts([OLD])
    Chroma(**places).add_texts([NEWS])
    store = TemporalVectorStore(**places)
    store.adopt()
    assert served(store) == [NEWS]


@pytest.mark.parametrize("where", ["here", "on a server"])
def test_what_was_known_before_an_adoption_is_what_readers_were_told(
    places: dict[str, Any], where: str, request: pytest.FixtureRequest
) -> None:
    """The rows of other code, whole and always valid, also once they are keyed, superseded or written again."""
    if where != "here":
        places["client"] = request.getfixturevalue("http_client")
    clock = StillClock("2024-06-01")
    texts = [OLD, "The quay opens at 8:00. Ask Ann.", "Boats rest."]
    Chroma(**places).add_texts(texts, [{"day": "2024-01-01"}, {}, {}], ids=["a", "b", "c"])
    store = TemporalVectorStore(**places, clock=clock)
    clock.set("2024-06-02")
    store.add_texts([NEWS])
    days = ("2023-01-01", "2024-06-02T12:00")
    asked: list[dict[str, Any]] = [{"as_of": day, "known_at": "2024-06-03"} for day in days]

    def told() -> list[Any]:
        found = [sorted(store.get(**a)["documents"]) for a in asked]
        return [*found, *(sorted(d.page_content for d in store.similarity_search("quay", k=9, **a)) for a in asked)]

    clock.set("2024-06-03")
    before = told()
    assert before[0] == sorted(texts)
    clock.set("2024-06-04")
    changes = store.adopt(valid_from_field="day")
    assert served(store) == sorted([NEWS, *texts[1:]])
    assert told() == before
    store.add_texts(["The quay opens at 9:00.", "Boats sail."], ids=["d", "c"])
    assert told() == before
    with pytest.raises(InvalidInputError, match="other code"):
        store.undo(changes)
    assert told() == before
    store.delete(["b"])
    assert store.verify() == []


def test_what_stock_code_writes_over_a_row_is_read_anew(places: dict[str, Any]) -> None:
    """Whole where it is served; once it is adopted, as a row of other code, and nothing is judged by the old text."""
    ours, stock = TemporalVectorStore(**places), Chroma(**places)
    ours.add_texts(["Ask Ann. The Kite listens on port 1003. Birds sing."], ids=["page"], valid_from="2024-01-01")
    ours.add_texts(["The Heron listens on port 7."], ids=["old"], valid_from="2024-01-01")
    ours.add_texts(["The Kite listens on port 1004.", "The Heron listens on port 8."], ids=["b", "c"])
    told = ["Cranes are tall birds and they live in the north.", "The Heron's owner is Ann Lee.", "Invoices go to Bo."]
    stock.add_texts(told, ids=["page", "old", "b"])
    assert told[0] in served(ours)
    assert [line for line in ours.verify() if "adopt()" in line] == ours.verify() != []
    ours.adopt()
    assert served(ours) == sorted([*told, "The Heron listens on port 8."])
    assert ours.verify() == []
    ours.add_texts(["The Kite listens on port 1009.", "The Heron's owner is Bo Roth."])
    new = ["The Heron listens on port 8.", "The Heron's owner is Bo Roth.", "The Kite listens on port 1009."]
    assert served(ours) == sorted([told[0], told[2], *new])
    assert ours.history("Heron", "owner").values == ["Ann Lee", "Bo Roth"]
    assert ours.verify() == []


def test_what_stock_code_writes_under_an_id_that_was_moved_to_the_history(places: dict[str, Any]) -> None:
    """It is served, whatever was read of the past before, and read anew when it is adopted."""
    ours, stock = TemporalVectorStore(**places), Chroma(**places)
    ours.add_texts(["Kite listens on port 0."], valid_from="2023-01-01")
    ours.add_texts(["Kite listens on port 1."], ids=["a"], valid_from="2024-01-01")
    ours.add_texts(["Kite listens on port 2."], ids=["b"], valid_from="2024-02-01")
    assert ours.compact() == 2
    stock.add_texts(["Kite's owner is Ann Lee."], ids=["a"])
    ours.get(as_of="2024-01-05")
    both = ["Kite listens on port 2.", "Kite's owner is Ann Lee."]
    assert served(ours) == both
    assert any("'a'" in line for line in ours.verify())
    ours.adopt()
    assert served(ours) == both
    assert ours.verify() == []
    ours.add_texts(["Kite's owner is Bo Roth."])
    assert served(ours) == ["Kite listens on port 2.", "Kite's owner is Bo Roth."]
    stock.add_texts(["Kite's colour is red."], ids=["a"])
    ours.compact()
    assert "Kite's colour is red." in stock.get()["documents"]
    ours.adopt()
    assert served(ours) == ["Kite listens on port 2.", "Kite's colour is red.", "Kite's owner is Bo Roth."]
    assert ours.verify() == []


@pytest.mark.parametrize("how", ["update", "delete"])
def test_what_stock_code_writes_under_an_id_of_ours_is_adopted_with_its_date(places: dict[str, Any], how: str) -> None:
    """As any row of other code: what was known before is what readers were told."""
    ours, stock = TemporalVectorStore(**places, clock=(clock := StillClock("2025-01-01"))), Chroma(**places)
    ours.add_texts(["Kite listens on port 1."], ids=["a"], valid_from="2024-05-01")
    if how == "delete":
        ours.delete(["a"])
    clock.set("2025-01-02")
    stock.add_texts(["Kite listens on port 3."], [{"date": "2024-03-01"}], ids=["a"])
    ours.adopt(valid_from_field="date")
    clock.set("2025-01-03")
    told = [ours.get(as_of="2024-02-01", known_at=day)["documents"] for day in ("2025-01-01", "2025-01-03")]
    assert ours.verify() == []
    assert told == [["Kite listens on port 3."], []]
    assert ours.get(as_of="2024-04-01")["documents"] == ["Kite listens on port 3."]


def test_what_stock_code_writes_over_the_current_value_is_newer(places: dict[str, Any]) -> None:
    """Without a date it counts from when the former text had been told last."""
    ours, stock = TemporalVectorStore(**places), Chroma(**places)
    ours.add_texts(["Kite listens on port 1."], valid_from="2024-01-01")
    ours.add_texts(["Kite listens on port 2."], ids=["b"], valid_from="2024-03-01")
    stock.add_texts(["Kite listens on port 3."], ids=["b"])
    ours.adopt()
    assert served(ours) == ["Kite listens on port 3."]
    assert ours.get(as_of="2024-02-01")["documents"] == ["Kite listens on port 1."]
    assert ours.verify() == []


@pytest.mark.parametrize("named", ["the write", "a row"])
def test_an_adoption_is_not_undone(places: dict[str, Any], named: str) -> None:
    """Its rows would vanish, which are other code's."""
    Chroma(**places).add_texts([OLD, "Ask Bo."], ids=["a", "b"])
    store = TemporalVectorStore(**places)
    changes = store.adopt()
    with pytest.raises(InvalidInputError, match="other code"):
        store.undo(changes if named == "the write" else "a")
    assert served(store) == ["Ask Bo.", OLD]
    store.add_texts([NEWS])
    store.undo(store.last_changes)
    assert served(store) == ["Ask Bo.", OLD]
