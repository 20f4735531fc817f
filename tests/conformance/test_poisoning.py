"""Sources that are not to be trusted: what they cannot retire, and how what they told is taken back.

The guard against mass retirement, and what a plan says of it.
"""

import random
from datetime import timedelta
from typing import Any

import pytest

from memstrata_integrations import SupersessionPolicy
from memstrata_integrations.errors import ConflictError
from memstrata_integrations.ledger.facts import Fact

from .doors import Door
from .stories import ANYTHING, Step, at, go_through, keeps, note, put, refuses, retract, state, sync, undo

TRUSTED = {"policy": SupersessionPolicy(authority="trust")}
THIRTY, NINETY = "The refund window of Acme is 30 days.", "The refund window of Acme is 90 days."
LATER, ANN = "The refund window of Acme is no longer 30 days.", "Ask Ann about refunds."
UNDO_FORUM: Step = (lambda d: d.store.undo(source="forum"), ANYTHING)
HANDBOOK = {"metadatas": [{"trust": 5}]}


def timeout(value: int, name: str = "checkout") -> str:
    return f"The timeout of {name} is {value}."


def tell(value: int, trust: int, source: str, name: str = "checkout", **how: Any) -> Step:
    return state(Fact(name, "timeout", value), metadatas=[{"trust": trust, "source": source}], **how)


def conflicts(*expected: tuple[str, str]) -> Step:
    """These values are served, and those refused."""
    return lambda d: [(c.served, c.refused) for c in d.store.conflicts()], list(expected)


def refund(expected: str) -> Step:
    """Of the two refund windows this one is served."""
    return lambda d: [t for t in d.served() if t in (THIRTY, NINETY)], [expected]


ENDINGS: dict[str, Step] = {
    "the page is empty": sync("handbook"),
    "the page says something else": sync("handbook", ANN, **HANDBOOK),
    "an ending": put(LATER, ids=["note"], **HANDBOOK),
    "prose in its place": (
        lambda d: d.write(ANN, ids=["new"], supersedes=[d.collection.get(where={"trust": 5})["ids"]], **HANDBOOK),
        ANYTHING),
}  # fmt: skip
STORIES: dict[str, tuple[dict[str, Any], list[Step]]] = {  # options, and the story
    "a page of lower trust neither replaces nor ends what a trusted one says; what it says is listed": (TRUSTED, [
        tell(30, 5, "handbook", ids=["high"]), tell(99, 0, "forum", ids=["low"]), keeps(timeout(30)),
        (lambda d: [(c.served, c.refused, c.served_id, c.refused_id) for c in d.store.conflicts()],
         [("30", "99", "high", "low")]),
        (lambda d: [w in str(d.store.conflicts()[0]) for w in ("'forum'", "low")], [False, True]),
        (lambda d: "99" in str(d.store.history("checkout")), True),
        tell(45, 5, "handbook 2"), keeps(timeout(45)), retract("checkout", "timeout"), keeps(),
    ]),
    "with `authority_settles=\"ties\"` the later one prevails, whatever its authority": (
        {"policy": SupersessionPolicy(authority="trust", authority_settles="ties")}, [
        tell(30, 5, "handbook"), tell(99, 0, "forum"), keeps(timeout(99)), conflicts(),
    ]),
    "a rewrite under the same id with a lower authority takes the place of what it said before": (TRUSTED, [
        tell(30, 5, "page", ids=["page"]), tell(45, 1, "page", ids=["page"]), keeps(timeout(45)),
    ]),
    **{f"between versions of one document the dates decide, whatever their authorities: {trusts}, {'late' * late}": (
        TRUSTED, [
        *[tell(30, trusts[0], "page", ids=["page"], valid_from="2024-01-01"),
          tell(45, trusts[1], "page", ids=["page"], valid_from="2024-06-01")][:: -1 if late else 1],
        keeps(timeout(45)), keeps(timeout(30), as_of="2024-03-01"), conflicts(),
    ]) for trusts in ((0, 5), (5, 0), (5, 5)) for late in (False, True)},
    "after the trusted statement is deleted, what is told next is served": (TRUSTED, [
        tell(30, 5, "handbook", ids=["high"]), tell(99, 0, "forum"), (lambda d: d.store.delete(ids=["high"]), ANYTHING),
        tell(50, 0, "forum"), keeps(timeout(50)),
    ]),
    "`undo(source=, since=)` reopens what the source closed since then, and leaves others alone": ({}, [
        tell(30, 0, "handbook"), tell(30, 0, "handbook", "billing"), tell(7, 0, "forum", "search"),
        at("2025-01-02"), tell(99, 0, "forum"), tell(98, 0, "forum", "billing"), tell(50, 0, "handbook", "mail"),
        (lambda d: d.store.undo(source="forum", since="2025-01-02"), ANYTHING),
        keeps(timeout(30), timeout(30, "billing"), timeout(50, "mail"), timeout(7, "search")),
        refuses("told nothing since", lambda d: d.store.undo(source="forum", since="2200-01-01")),
        refuses("either a write", lambda d: d.store.undo()),
    ]),
    "beyond `max_retired_an_hour` the writes of a source that retire are refused, across calls; others go on": (
        {"policy": SupersessionPolicy(max_retired_an_hour=2)}, [
        *(tell(30, 0, "handbook", name) for name in ("checkout", "billing", "mail")),
        put("db-9 listens on port 30.", metadatas=[{"source": "handbook"}]),
        tell(99, 0, "forum", ids=["own"]), tell(99, 0, "forum", "billing"),
        refuses("max_retired_an_hour=2", tell(99, 0, "forum", "mail")[0], ConflictError),
        tell(1, 0, "forum", "search"), tell(31, 0, "handbook", "mail"),
        (lambda d: len([t for t in d.served() if "99" in t]), 2),
        refuses("max_retired_an_hour=2", lambda d: d.collection.update(
            ["own"], documents=["db-9 listens on port 98."]), ConflictError),
        (lambda d: d.collection.update(["own"], documents=[timeout(98)]), ANYTHING),
        (lambda d: timeout(98) in d.served(), True),
    ]),
    "`max_ahead` refuses what would begin later than that": (
        {"policy": SupersessionPolicy(max_ahead=timedelta(days=30))}, [
        tell(30, 0, "handbook"),
        refuses("max_ahead", tell(31, 0, "x", valid_from="2999-01-01")[0], ConflictError), keeps(timeout(30)),
    ]),
    "undoing a source gives back prose whose place it took, and leaves what others told under its ids": ({}, [
        put("Ask Ann about invoices.", ids=["g"], metadatas=[{"source": "handbook"}]),
        put("Bo answers.", ids=["e"], metadatas=[{"source": "forum"}], supersedes=["g"]),
        put("Paper is in room 5.", ids=["p"], metadatas=[{"source": "forum"}]),
        put("Paper is in room 7.", ids=["p"], metadatas=[{"source": "handbook"}]),
        UNDO_FORUM, keeps("Ask Ann about invoices.", "Paper is in room 7."),
    ]),
    "what was undone, ended or is yet to come is no conflict, and no error": (TRUSTED, [
        tell(30, 0, "forum"), UNDO_FORUM,
        tell(31, 0, "forum", "mail", valid_from="2020-01-01", valid_to="2020-02-01"), conflicts(),
    ]),
    **{f"once a trusted statement is over, what others told after it counts; its end undone, not: {end}, {late}": (
        {**TRUSTED, "on_delete": "retire"}, [
        sync("handbook", THIRTY, **HANDBOOK),
        *([] if late else [put(NINETY, ids=["forum"], metadatas=[{"trust": 0}]), refund(THIRTY)]),
        ENDINGS[end], note("end"), *([put(NINETY, ids=["forum"], metadatas=[{"trust": 0}])] if late else []),
        refund(NINETY), conflicts(), (lambda d: d.store.verify(), []),
        undo("end"), refund(THIRTY), (lambda d: len(d.store.conflicts()), 1),
    ]) for end in ENDINGS for late in (False, True)},
    **{f"an end of a trusted statement brings back nothing that it had superseded: {trust}": (TRUSTED, [
        put(NINETY, ids=["before"], metadatas=[{"trust": trust}]), sync("handbook", THIRTY, **HANDBOOK),
        sync("handbook"), keeps(),
    ]) for trust in (0, 5)},
    **{f"a retraction ends what is told of its very date, by whomever; what is told of it later counts: {settles}": (
        {"policy": SupersessionPolicy(authority="trust", authority_settles=settles)}, [  # type: ignore[arg-type]
        *(put(f"The port of {name} is 8080.", metadatas=[{"trust": 9}], valid_from="2024-01-01")
          for name in ("Kite", "Tern")),
        retract("Kite", "port", at="2024-01-01"), retract("Tern", "port", at="2024-06-01"), keeps(),
        put("The port of Tern is 9090.", metadatas=[{"trust": 0}], valid_from="2024-06-01"),
        keeps("The port of Tern is 9090."),
    ]) for settles in ("conflicts", "ties")},
}  # fmt: skip


@pytest.mark.parametrize("story", STORIES)
def test_a_story_of_sources_is_served_as_it_went(story: str) -> None:
    options, steps = STORIES[story]
    go_through(Door("collection", **options), [*steps, (lambda d: d.store.verify(), [])])


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
        want.append([timeout(max(counting)[2])] if counting else [])
    for _ in range(3):
        door = Door("collection", **TRUSTED)
        tell(99, 0, "first", valid_from="2023-01-01")[0](door)
        for one in chance.sample([*told, *ends], len(told) + len(ends)):
            if isinstance(one, int):
                door.store.retract("checkout", "timeout", at=f"2024-01-{one:02}")
            else:
                tell(one[2], one[0], f"page {one[1]}", valid_from=f"2024-01-{one[1]:02}")[0](door)
        assert [sorted(set(door.served(as_of=f"2024-01-{d:02}T12:00:00Z"))) for d in range(1, 29)] == want
        assert door.store.verify() == []
        door.store.conflicts()


MANY = [f"The timeout of the billing API is {n} seconds." for n in range(1, 31)]


def shelves(more: int, count: int = 3) -> list[str]:
    return [f"The capacity of shelf-{n} is {n + more} boxes." for n in range(count)]


def refused(door: Door) -> tuple[int, bool]:
    """Write them all, and return how many changes the report lists, and whether the error tells it."""
    with pytest.raises(ConflictError, match="nothing was written") as told:
        door.write(*MANY)
    return told.value.report.count("superseded at"), told.value.report in str(told.value)


GUARDED: dict[str, tuple[dict[str, Any], list[Step]]] = {  # the policy, and the story
    **{f"undated texts that outdo each other in one call count: nothing is written: {limit}": (limit, [
        (lambda d: d.store.plan(MANY).retired, 29),
        (refused, (20, True)), keeps(),
    ]) for limit in ({"max_retired": 10}, {"max_retired_share": 0.5})},
    "texts that have dates were valid at theirs: loading them is no mass retirement": ({"max_retired": 0}, [
        put(*MANY[:12], valid_from=[f"2023-{month:02}-01" for month in range(1, 13)]), keeps(MANY[11]),
    ]),
    "the share is of what is served: history that piles up does not loosen the limit": ({"max_retired_share": 0.4}, [
        *(put(text, *shelves(2), valid_from=f"2024-01-{n:02}") for n, text in enumerate(MANY[:10], 1)),
        refuses("max_retired_share", put(MANY[20], *shelves(7, 2), valid_from="2024-02-01")[0], ConflictError),
    ]),
    "of a long plan twenty changes are printed and the others counted; iterating gives all": ({}, [
        (lambda d: len([*d.store.plan(MANY)]), 29), (lambda d: len(str(d.store.plan(MANY)).splitlines()), 22),
        (lambda d: str(d.store.plan(MANY)).endswith("... and 9 more; iterate over it for all"), True),
    ]),
    "that a document contradicts itself is told once of each text, however often its write is planned": (
        {"max_retired": 10}, [
        put("The manager is Ann.", "The manager is Bo.", metadatas=[{"source": "a.md"}] * 2),
        (lambda d: list(d.collection.last_changes.reasons.values()), [2]),
        (lambda d: [u.statement[15:] for u in d.collection.last_changes.unread], ["Ann.", "Bo."]),
    ]),
}  # fmt: skip


@pytest.mark.parametrize("story", GUARDED)
def test_the_guard_goes_by_its_policy(story: str) -> None:
    policy, steps = GUARDED[story]
    go_through(Door("langchain", policy=SupersessionPolicy(**policy)), steps)


@pytest.mark.parametrize(("nodes", "others", "logged"), [(120, 0, True), (120, 200, False), (90, 0, False)])
def test_a_write_that_retires_most_rows_is_logged(caplog: Any, nodes: int, others: int, logged: bool) -> None:
    """More than a hundred texts, and more than half of those that stood before."""
    door = Door("langchain")
    door.write(*(f"The port of node-{n} is 80." for n in range(nodes)), *(f"Boat {n} sails." for n in range(others)))
    door.write(*(f"The port of node-{n} is 81." for n in range(nodes)))
    assert ("one write retired" in caplog.text) == logged
