"""The guard against mass retirement, and what a plan says of it."""

from typing import Any

import pytest

from memstrata_integrations import SupersessionPolicy
from memstrata_integrations.errors import ConflictError

from .doors import Door
from .stories import Step, go_through, keeps, put, refuses

MANY = [f"The timeout of the billing API is {n} seconds." for n in range(1, 31)]


def shelves(more: int, count: int = 3) -> list[str]:
    return [f"The capacity of shelf-{n} is {n + more} boxes." for n in range(count)]


def refused(door: Door) -> tuple[int, bool]:
    """Write them all, and return how many changes the report lists, and whether the error tells it."""
    with pytest.raises(ConflictError, match="nothing was written") as told:
        door.write(*MANY)
    return told.value.report.count("superseded at"), told.value.report in str(told.value)


STORIES: dict[str, tuple[dict[str, Any], list[Step]]] = {  # the policy, and the story
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


@pytest.mark.parametrize("story", STORIES)
def test_the_guard_goes_by_its_policy(story: str) -> None:
    policy, steps = STORIES[story]
    go_through(Door("langchain", policy=SupersessionPolicy(**policy)), steps)


@pytest.mark.parametrize(("nodes", "others", "logged"), [(120, 0, True), (120, 200, False), (90, 0, False)])
def test_a_write_that_retires_most_of_what_there_is_is_logged(
    caplog: Any, nodes: int, others: int, logged: bool
) -> None:
    """More than a hundred texts, and more than half of those that stood before."""
    door = Door("langchain")
    door.write(*(f"The port of node-{n} is 80." for n in range(nodes)), *(f"Boat {n} sails." for n in range(others)))
    door.write(*(f"The port of node-{n} is 81." for n in range(nodes)))
    assert ("one write retired" in caplog.text) == logged
