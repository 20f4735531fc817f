"""Sources that are not to be trusted: what they cannot retire, and how what they told is taken back."""

from __future__ import annotations

import random
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from memstrata_integrations import SupersessionPolicy
from memstrata_integrations.chroma.inspection import verify
from memstrata_integrations.errors import ConflictError, InvalidInputError
from memstrata_integrations.ledger.facts import Fact

from .doors import Door

TRUSTED = SupersessionPolicy(authority="trust")


def tell(door: Door, value: int, trust: int, source: str, name: str = "checkout", **dates: Any) -> str:
    """State the timeout of a service, from a source."""
    metadata = {"trust": trust, "source": source}
    changes = door.store.add_facts([Fact(name, "timeout", value)], metadatas=[metadata], **dates)
    return str(changes.ids[0])


def test_a_lower_rank_retires_nothing_of_a_higher_one() -> None:
    """A page of lower trust neither replaces nor ends what a trusted one says; what it says is listed."""
    door = Door("collection", policy=TRUSTED)
    high = tell(door, 30, 5, "handbook")
    low = tell(door, 99, 0, "forum")
    assert door.served() == ["The timeout of checkout is 30."]
    (conflict,) = door.store.conflicts()
    assert (conflict.served, conflict.refused, conflict.served_id, conflict.refused_id) == ("30", "99", high, low)
    assert "'forum'" not in str(conflict)
    assert low in str(conflict)
    assert "99" in str(door.store.history("checkout"))
    tell(door, 45, 5, "handbook 2")
    assert door.served() == ["The timeout of checkout is 45."]
    door.store.retract("checkout", "timeout")
    assert door.served() == []
    assert door.store.verify() == []


def test_ties_only_if_one_says_so() -> None:
    """With ``authority_settles="ties"`` the later one prevails, whatever its authority."""
    door = Door("collection", policy=SupersessionPolicy(authority="trust", authority_settles="ties"))
    tell(door, 30, 5, "handbook")
    tell(door, 99, 0, "forum")
    assert door.served() == ["The timeout of checkout is 99."]
    assert door.store.conflicts() == []


def test_a_document_that_loses_trust_still_speaks_for_itself() -> None:
    """A rewrite under the same id with a lower authority takes the place of what it said before."""
    door = Door("collection", policy=TRUSTED)
    for value, trust in ((30, 5), (45, 1)):
        door.store.add_facts([Fact("checkout", "timeout", value)], ids=["page"], metadatas=[{"trust": trust}])
    assert door.served() == ["The timeout of checkout is 45."]


@pytest.mark.parametrize(("older", "newer"), [(0, 5), (5, 0), (5, 5)])
@pytest.mark.parametrize("late", [False, True])
def test_an_older_version_of_a_document_ends_nothing_of_a_newer_one(older: int, newer: int, late: bool) -> None:
    """Between the versions of one document the dates decide, whatever their authorities and whichever is told first."""
    door = Door("collection", policy=TRUSTED)
    versions = [(30, older, "2024-01-01"), (45, newer, "2024-06-01")]
    for value, trust, day in reversed(versions) if late else versions:
        fact, told = Fact("checkout", "timeout", value), {"trust": trust}
        door.store.add_facts([fact], ids=["page"], metadatas=[told], valid_from=day)
    assert door.served() == ["The timeout of checkout is 45."]
    assert door.served(as_of="2024-03-01") == ["The timeout of checkout is 30."]
    assert door.store.conflicts() == []
    assert door.store.verify() == []


def test_who_is_deleted_keeps_nobody_from_speaking() -> None:
    """After the trusted statement is deleted, what is told next is served."""
    door = Door("collection", policy=TRUSTED)
    high = tell(door, 30, 5, "handbook")
    tell(door, 99, 0, "forum")
    door.store.delete(ids=[high])
    tell(door, 50, 0, "forum")
    assert door.served() == ["The timeout of checkout is 50."]
    assert door.store.verify() == []


@pytest.mark.parametrize("seed", range(12))
def test_any_order_of_arrival_gives_the_same(seed: int) -> None:
    """Of several ranks, the highest since the last retraction is served, whatever order they were told in.

    A retraction ends what began before it, of whatever rank; what is told later counts.
    """
    chance = random.Random(seed)
    days = chance.sample(range(1, 29), 9)
    told = [(chance.randrange(3), day, chance.randrange(5)) for day in days[:7]]
    ends = days[7:] if seed % 3 else []
    want = []
    for now in range(1, 29):
        since = max([day for day in ends if day <= now], default=-1)
        counting = [one for one in [(0, 0, 99), *told] if since < one[1] <= now]
        want.append([f"The timeout of checkout is {max(counting)[2]}."] if counting else [])
    for _ in range(3):
        door = Door("collection", policy=TRUSTED)
        tell(door, 99, 0, "first", valid_from="2023-01-01")
        for one in chance.sample([*told, *ends], len(told) + len(ends)):
            if isinstance(one, int):
                door.store.retract("checkout", "timeout", at=f"2024-01-{one:02}")
            else:
                tell(door, one[2], one[0], f"page {one[1]}", valid_from=f"2024-01-{one[1]:02}")
        assert [sorted(set(door.served(as_of=f"2024-01-{d:02}T12:00:00Z"))) for d in range(1, 29)] == want
        assert door.store.verify() == []
        door.store.conflicts()


def test_all_that_a_source_told_is_taken_back() -> None:
    """`undo(source=, since=)` reopens what the source closed since then, and leaves others alone."""
    door = Door("collection")
    for name in ("checkout", "billing"):
        tell(door, 30, 0, "handbook", name)
    early = door.store.add_facts([Fact("search", "timeout", 7)], metadatas=[{"source": "forum"}])
    since = early.recorded_at[1] + 1
    tell(door, 99, 0, "forum")
    tell(door, 98, 0, "forum", "billing")
    tell(door, 50, 0, "handbook", "mail")
    door.store.undo(source="forum", since=datetime.fromtimestamp(0, timezone.utc) + timedelta(microseconds=since))
    assert sorted(door.served()) == [
        "The timeout of billing is 30.", "The timeout of checkout is 30.", "The timeout of mail is 50.",
        "The timeout of search is 7.",
    ]  # fmt: skip
    with pytest.raises(InvalidInputError, match="told nothing since"):
        door.store.undo(source="forum", since="2200-01-01")
    with pytest.raises(InvalidInputError, match="either a write"):
        door.store.undo()
    assert verify(door.store.temporal_collection.session) == []


def test_one_source_retires_so_much_an_hour() -> None:
    """Beyond `max_retired_an_hour` the writes of a source that retire are refused, across calls; others go on."""
    door = Door("collection", policy=SupersessionPolicy(max_retired_an_hour=2))
    for name in ("checkout", "billing", "mail"):
        tell(door, 30, 0, "handbook", name)
    door.tell("db-9 listens on port 30.", {"source": "handbook"})
    tell(door, 99, 0, "forum", "checkout")
    tell(door, 99, 0, "forum", "billing")
    with pytest.raises(ConflictError, match="max_retired_an_hour=2"):
        tell(door, 99, 0, "forum", "mail")
    tell(door, 1, 0, "forum", "search")
    tell(door, 31, 0, "handbook", "mail")
    assert len([t for t in door.served() if "99" in t]) == 2
    [own] = door.collection.get(where_document={"$contains": "checkout"})["ids"]
    with pytest.raises(ConflictError, match="max_retired_an_hour=2"):
        door.collection.update([own], documents=["db-9 listens on port 98."])
    door.collection.update([own], documents=["The timeout of checkout is 98."])
    assert "The timeout of checkout is 98." in door.served()


def test_no_date_lies_too_far_ahead() -> None:
    """`max_ahead` refuses what would begin later than that."""
    door = Door("collection", policy=SupersessionPolicy(max_ahead=timedelta(days=30)))
    tell(door, 30, 0, "handbook")
    with pytest.raises(ConflictError, match="max_ahead"):
        tell(door, 31, 0, "handbook", valid_from="2999-01-01")
    assert door.served() == ["The timeout of checkout is 30."]


def test_what_a_source_replaced_by_its_word_comes_back() -> None:
    """Undoing a source gives back prose whose place it took, and leaves what others told under its ids."""
    door = Door("collection")
    old = door.tell("Ask Ann about invoices.", {"source": "handbook"}, "g")
    door.tell("Bo answers.", {"source": "forum"}, "e", supersedes=[old])
    door.tell("Paper is in room 5.", {"source": "forum"}, "p")
    door.tell("Paper is in room 7.", {"source": "handbook"}, "p")
    door.store.undo(source="forum")
    assert sorted(door.served()) == ["Ask Ann about invoices.", "Paper is in room 7."]
    assert door.store.verify() == []


def test_conflicts_of_a_key_of_which_nothing_stands() -> None:
    """What was undone, ended or is yet to come is no conflict, and no error."""
    door = Door("collection", policy=TRUSTED)
    tell(door, 30, 0, "forum")
    door.store.undo(source="forum")
    tell(door, 31, 0, "forum", "mail", valid_from="2020-01-01", valid_to="2020-02-01")
    assert door.store.conflicts() == []


THIRTY, NINETY = "The refund window of Acme is 30 days.", "The refund window of Acme is 90 days."
HANDBOOK = {"trust": 5}


def synced(door: Door, *texts: str) -> None:
    """Sync the handbook."""
    door.store.temporal_collection.sync("handbook", list(texts), metadatas=[HANDBOOK] * len(texts))


def replaced(door: Door) -> None:
    """Put prose in the place of what the handbook says."""
    old = door.store.temporal_collection.get()["ids"]
    door.tell("Ask Ann about refunds.", HANDBOOK, "new", supersedes=old)


ENDINGS: list[Any] = [
    lambda door: synced(door),
    lambda door: synced(door, "Ask Ann about refunds."),
    lambda door: door.tell("The refund window of Acme is no longer 30 days.", HANDBOOK, "note"),
    replaced,
]


@pytest.mark.parametrize("end", ENDINGS)
@pytest.mark.parametrize("late", [False, True])
def test_what_a_trusted_source_says_no_more_silences_nobody(end: Any, late: bool) -> None:
    """Once a statement of higher authority is over, what others told after it counts; with its end undone, not."""
    door = Door("collection", policy=TRUSTED, on_delete="retire")
    synced(door, THIRTY)
    if not late:
        door.tell(NINETY, {"trust": 0}, "forum")
        assert NINETY not in door.served()
    end(door)
    ended = door.store.last_changes
    if late:
        door.tell(NINETY, {"trust": 0}, "forum")
    assert [t for t in door.served() if t in (THIRTY, NINETY)] == [NINETY]
    assert door.store.conflicts() == []
    assert door.store.verify() == []
    door.store.undo(ended)
    assert [t for t in door.served() if t in (THIRTY, NINETY)] == [THIRTY]
    assert len(door.store.conflicts()) == 1
    assert door.store.verify() == []


def test_an_end_of_a_trusted_statement_brings_nothing_back() -> None:
    """What it had superseded stays so, of its own authority and of a lower one."""
    for trust in (0, 5):
        door = Door("collection", policy=TRUSTED)
        door.tell(NINETY, {"trust": trust}, "before")
        synced(door, THIRTY)
        synced(door)
        assert door.served() == []
        assert door.store.verify() == []


@pytest.mark.parametrize("settles", ["conflicts", "ties"])
def test_a_retraction_ends_what_is_told_of_its_very_date(settles: str) -> None:
    """Whoever says it: who retracts speaks for the whole store; what is told of that date later counts anew."""
    door = Door("langchain", policy=SupersessionPolicy(authority="trust", authority_settles=settles))
    door.tell("The port of Kite is 8080.", {"trust": 9}, valid_from="2024-01-01")
    door.tell("The port of Tern is 8080.", {"trust": 9}, valid_from="2024-01-01")
    door.store.retract("Kite", "port", at="2024-01-01")
    door.store.retract("Tern", "port", at="2024-06-01")
    assert door.served() == []
    door.tell("The port of Tern is 9090.", {"trust": 0}, valid_from="2024-06-01")
    assert door.served() == ["The port of Tern is 9090."]
    assert door.store.verify() == []
