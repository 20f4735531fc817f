"""Rows of other code are older than what was written here, unless they say otherwise."""

from typing import Any

import pytest
from langchain_chroma import Chroma

from memstrata_integrations.errors import InvalidInputError

from .doors import Door
from .stories import ANYTHING, Step, at, delete, go_through, keeps, note, put, refuses, undo, values

OLD, NEWS = "The pier's harbour master is Otto.", "The pier's harbour master is Nadia."
ANN, BO = "Kite's owner is Ann Lee.", "Kite's owner is Bo Roth."
HERON, CRANES, INVOICES = "The Heron's owner is Ann Lee.", "Cranes are tall birds in the north.", "Invoices go to Bo."
RED = "Kite's colour is red."


def kite(port: int) -> str:
    return f"Kite listens on port {port}."


def stock(*texts: str, metadatas: Any = None, ids: Any = None) -> Step:
    return lambda d: Chroma(d.name, d.model, client=d.client).add_texts(texts, metadatas, ids), ANYTHING


def adopt(**how: Any) -> Step:
    return lambda d: d.store.adopt(**how), ANYTHING


def compact(moved: int | None = None) -> Step:
    return lambda d: d.store.compact(), ANYTHING if moved is None else moved


def dates(field: str, *days: str) -> list[dict[str, str]]:
    return [{field: day} for day in days]


STORIES: dict[str, list[Step]] = {
    "an adopted row beats nothing written since": [stock(OLD), put(NEWS), keeps(NEWS, OLD), adopt(), keeps(NEWS)],
    "an adopted row without a date, where the field is misspelt, does not beat a dated one": [
        stock(OLD, "The quay opens at 8:00.", metadatas=dates("date", "", "2024-01-01")),
        put(NEWS, valid_from="2020-01-01"), adopt(valid_from_field="day"), keeps(NEWS, "The quay opens at 8:00."),
    ],
    "a date that cannot be read is refused with the id of its row": [
        stock(OLD, NEWS, ANN, metadatas=dates("date", "2024-01-01", "soon", "2024-02-01"), ids=["a", "b", "c"]),
        refuses("'b'.*'soon'", lambda d: d.store.adopt("date")), keeps(OLD, NEWS, ANN),
    ],
    "an adopted row was always valid until it was superseded": [
        stock(OLD), adopt(), put(NEWS, valid_from="2024-01-01"), keeps(OLD, as_of="2019-01-01"), keeps(NEWS),
    ],
    **{f"rows that say the same are adopted each; what supersedes one supersedes its twin: {field}": [
        stock(OLD, OLD, NEWS, metadatas=dates("date", "2024-01-01", "2024-01-01", "2024-02-01")),
        adopt(valid_from_field=field), keeps(NEWS),
    ] for field in ("date", None)},
    "of two adopted rows the one stored later wins": [stock(OLD), stock(NEWS), adopt(), keeps(NEWS)],
    "what stock code writes over a row is served whole, and adopted, read anew: nothing is judged by the old text": [
        put(f"Ask Ann. {kite(1003)} Birds sing.", ids=["page"], valid_from="2024-01-01"),
        put("The Heron listens on port 7.", ids=["old"], valid_from="2024-01-01"),
        put(kite(1004), "The Heron listens on port 8.", ids=["b", "c"]),
        stock(CRANES, HERON, INVOICES, ids=["page", "old", "b"]),
        (lambda d: CRANES in d.served(), True),
        (lambda d: {"adopt()" in line for line in d.store.verify()}, {True}), adopt(),
        keeps(CRANES, HERON, INVOICES, "The Heron listens on port 8."),
        put(kite(1009), "The Heron's owner is Bo Roth."),
        keeps(CRANES, INVOICES, "The Heron listens on port 8.", "The Heron's owner is Bo Roth.", kite(1009)),
        values(["Ann Lee", "Bo Roth"], "Heron", "owner"),
    ],
    "what stock code writes under an id that was moved to the history is served, and read anew when it is adopted": [
        put(kite(0), valid_from="2023-01-01"), put(kite(1), ids=["a"], valid_from="2024-01-01"),
        put(kite(2), ids=["b"], valid_from="2024-02-01"), compact(2), stock(ANN, ids=["a"]),
        (lambda d: d.store.get(as_of="2024-01-05"), ANYTHING), keeps(kite(2), ANN),
        (lambda d: any("'a'" in line for line in d.store.verify()), True), adopt(), keeps(kite(2), ANN),
        put(BO), keeps(kite(2), BO), stock(RED, ids=["a"]), compact(),
        (lambda d: RED in d.client.get_collection(d.name).get()["documents"], True), adopt(), keeps(kite(2), RED, BO),
    ],
    **{f"what stock code writes under an id of ours is adopted with its date, {'deleted' * bool(gone)}": [
        put(kite(1), ids=["a"], valid_from="2024-05-01"), *gone, at("2025-01-02"),
        stock(kite(3), metadatas=dates("date", "2024-03-01"), ids=["a"]), adopt(valid_from_field="date"),
        at("2025-01-03"), keeps(kite(3), as_of="2024-02-01", known_at="2025-01-01"), keeps(kite(3), as_of="2024-04-01"),
        keeps(as_of="2024-02-01", known_at="2025-01-03"),
    ] for gone in ([], [delete("a")])},
    "what stock code writes over the current value is newer: undated, it counts from when the former was told last": [
        put(kite(1), valid_from="2024-01-01"), put(kite(2), ids=["b"], valid_from="2024-03-01"),
        stock(kite(3), ids=["b"]), adopt(), keeps(kite(3)), keeps(kite(1), as_of="2024-02-01"),
    ],
    **{f"an adoption is not undone, since its rows are other code's: {named}": [
        stock(OLD, "Ask Bo.", ids=["a", "b"]), adopt(), note("adoption"),
        refuses("other code", lambda d, named=named: d.store.undo(  # type: ignore[misc]
            "a" if named == "a row" else d.noted["adoption"])),
        keeps("Ask Bo.", OLD), put(NEWS), undo(), keeps("Ask Bo.", OLD),
    ] for named in ("the write", "a row")},
}  # fmt: skip


@pytest.mark.parametrize("story", STORIES)
def test_other_codes_rows_are_served_as_told(story: str) -> None:
    """In the end what is stored is what the rules derive."""
    go_through(Door("langchain"), [*STORIES[story], (lambda d: d.store.verify(), [])])


def test_a_field_that_some_rows_have_is_no_misspelling(caplog: pytest.LogCaptureFixture) -> None:
    """Rows are judged together: no warning where one has the date, and one warning where none has."""
    go_through(Door("langchain"), [
        stock(OLD, NEWS, ANN, metadatas=[{"date": "2024-01-01"}, {"x": 1}, {"x": 2}]),
        adopt(valid_from_field="day", dry_run=True),
        (lambda d: [r.args[0] for r in caplog.records if "none of" in r.msg], [3]), (lambda d: caplog.clear(), None),
        adopt(valid_from_field="date", dry_run=True), (lambda d: caplog.text, ""),
    ])  # fmt: skip


@pytest.mark.parametrize("where", ["client", "http_client"])
def test_what_was_known_before_an_adoption_is_what_readers_were_told(where: str, request: Any) -> None:
    """The rows of other code, whole and always valid, also once they are keyed, superseded or written again."""
    door = Door("langchain", now="2024-06-02", client=request.getfixturevalue(where))
    store, clock = door.store, door.clock
    texts = [OLD, "The quay opens at 8:00. Ask Ann.", "Boats rest."]
    stock(*texts, metadatas=[{"day": "2024-01-01"}, {}, {}], ids=["a", "b", "c"])[0](door)
    store.add_texts([NEWS])
    days = ("2023-01-01", "2024-06-02T12:00")
    asked: list[dict[str, Any]] = [{"as_of": day, "known_at": "2024-06-03"} for day in days]

    def told() -> list[Any]:
        return [found for a in asked for found in (door.served(**a), sorted(door.search("quay", **a)))]

    clock.set("2024-06-03")
    before = told()
    assert before[0] == sorted(texts)
    clock.set("2024-06-04")
    changes = store.adopt(valid_from_field="day")
    assert sorted(store.get()["documents"]) == sorted([NEWS, *texts[1:]])
    assert told() == before
    store.add_texts(["The quay opens at 9:00.", "Boats sail."], ids=["d", "c"])
    assert told() == before
    with pytest.raises(InvalidInputError, match="other code"):
        store.undo(changes)
    assert told() == before
    store.delete(["b"])
    assert store.verify() == []
    door.close()


def test_a_row_that_other_code_took_the_ledger_of_is_in_no_explanations_way() -> None:
    """It is text without a key, which took nothing's place."""
    door = Door("collection")
    door.write("The port of kite is 80.", "The port of kite is 81.", "Tea is nice.", ids=["a", "b", "c"])
    door.client.get_collection(door.name).update(ids=["a"], metadatas=[{"memstrata_facts": None}])  # type: ignore[list-item]
    assert door.store.explain("b").instead_of == ()
