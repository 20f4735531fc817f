"""The guard against mass retirement, and what a plan says of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memstrata_integrations import SupersessionPolicy
from memstrata_integrations.errors import ConflictError

StoreMaker = Callable[..., Any]
MANY = [f"The timeout of the billing API is {n} seconds." for n in range(1, 31)]


@pytest.mark.parametrize("limit", [{"max_retired": 10}, {"max_retired_share": 0.5}])
def test_undated_texts_that_outdo_each_other_in_one_call_count(
    make_temporal: StoreMaker, limit: dict[str, float]
) -> None:
    """A bulk load without dates that leaves one of thirty texts is refused before anything is written."""
    store = make_temporal(policy=SupersessionPolicy(**limit))
    assert store.plan(MANY).retired == 29
    with pytest.raises(ConflictError, match="nothing was written") as refused:
        store.add_texts(MANY)
    assert refused.value.report.count("superseded at") == 20
    assert refused.value.report in str(refused.value)
    assert store.get()["ids"] == []


def test_a_dated_history_in_one_call_retires_nothing(make_temporal: StoreMaker) -> None:
    """Texts that have dates were valid at theirs: loading them is no mass retirement."""
    store = make_temporal(policy=SupersessionPolicy(max_retired=0))
    store.add_texts(MANY[:12], valid_from=[f"2023-{month:02}-01" for month in range(1, 13)])
    assert store.get()["documents"] == [MANY[11]]


def test_the_share_is_of_what_is_served(make_temporal: StoreMaker) -> None:
    """History that piles up does not loosen the limit."""
    store = make_temporal(policy=SupersessionPolicy(max_retired_share=0.4))
    others = [f"The capacity of shelf-{n} is {n + 2} boxes." for n in range(3)]
    for n, text in enumerate(MANY[:10], 1):
        store.add_texts([text, *others], valid_from=f"2024-01-{n:02}")
    with pytest.raises(ConflictError, match="max_retired_share"):
        shelves = [f"The capacity of shelf-{n} is {n + 7} boxes." for n in range(2)]
        store.add_texts([MANY[20], *shelves], valid_from="2024-02-01")


def test_a_long_plan_prints_its_beginning(make_temporal: StoreMaker) -> None:
    """Twenty changes are listed and the others counted; iterating over the plan gives all."""
    plan = make_temporal().plan(MANY)
    assert len(list(plan)) == 29
    assert len(str(plan).splitlines()) == 22
    assert str(plan).endswith("... and 9 more; iterate over it for all")


@pytest.mark.parametrize(("nodes", "others", "logged"), [(120, 0, True), (120, 200, False), (90, 0, False)])
def test_a_write_that_retires_most_of_what_there_is_is_logged(
    make_temporal: StoreMaker, caplog: pytest.LogCaptureFixture, nodes: int, others: int, logged: bool
) -> None:
    """More than a hundred texts, and more than half of those that stood before."""
    store = make_temporal()
    store.add_texts(
        [f"The port of node-{n} is 80." for n in range(nodes)] + [f"Boat {n} sails." for n in range(others)]
    )
    store.add_texts([f"The port of node-{n} is 81." for n in range(nodes)])
    assert ("one write retired" in caplog.text) == logged
