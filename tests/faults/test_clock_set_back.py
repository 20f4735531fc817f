"""Clocks that were ahead: what was recorded then is what is known, for every process that comes later."""

import uuid
from pathlib import Path
from typing import Any

import pytest

from memstrata_integrations.chroma.collection import TemporalCollection
from tests.stateful.opening import collection_at, open_afresh
from tests.stateful.toy import TestClock, moment, nearest, vector, write

T = 1_700_000_000_000_000
HOUR = 3_600_000_000
DAY = 24 * HOUR


@pytest.fixture(params=["directory", "server"])
def opened(request: pytest.FixtureRequest, tmp_path: Path, chroma_server: int) -> Any:
    """Return what opens the collection as a new process does, with a clock of its own."""
    where = chroma_server if request.param == "server" else tmp_path
    name = f"skewed-{uuid.uuid4().hex}"
    return lambda now: open_afresh(collection_at(where, name), TestClock(now))


def read(store: TemporalCollection) -> list[list[str]]:
    return [sorted(store.get()["documents"]), sorted(nearest(store))]


def test_a_value_of_a_clock_ahead_stays_superseded(opened: Any) -> None:
    write(opened(T), a="k1=1")
    write(opened(T + DAY), b="k1=2")
    write(opened(T + HOUR), c="k1=3")
    later = opened(T + 2 * HOUR)
    assert read(later) == [["k1=3"]] * 2
    assert later.count() == 1
    assert later.get(as_of=moment(T + HOUR))["documents"] == ["k1=1"]
    write(later, d="k1=4")
    assert read(opened(T + 3 * HOUR)) == [["k1=4"]] * 2
    assert later.verify() == []


@pytest.mark.parametrize("compacted", [False, True])
@pytest.mark.parametrize("asks", [False, True], ids=["writes at once", "asks about the past first"])
def test_what_was_told_last_is_current_whatever_was_asked_before(opened: Any, *, asks: bool, compacted: bool) -> None:
    """A write takes place after all that was recorded, also where the first look was at another time."""
    write(opened(T), a="k1=1")
    write(opened(T + DAY), b="k1=2")
    if compacted:
        assert opened(T + 2 * DAY).compact() == 1
    later = opened(T + HOUR)
    if asks:
        assert later.query(query_embeddings=[vector("k1")], as_of=moment(T - HOUR))["ids"] == [[]]
        assert later.get(as_of=moment(T + HOUR))["documents"] == ["k1=1"]
    write(later, c="k1=3")
    assert read(later) == [["k1=3"]] * 2
    assert read(opened(T + 2 * HOUR)) == [["k1=3"]] * 2
    assert later.verify() == []


def test_what_a_clock_ahead_retracted_stays_retracted(opened: Any) -> None:
    write(opened(T), a="k1=1", b="k2=1; and more")
    ahead = opened(T + DAY)
    ahead.retract("k1")
    ahead.retract("k2")
    assert read(opened(T + HOUR)) == [["and more"]] * 2


@pytest.mark.parametrize("opened", ["server"], indirect=True)
def test_a_host_with_a_clock_behind_sees_what_others_told(opened: Any) -> None:
    behind = opened(T + HOUR)
    write(behind, a="k1=1", b="k2=1; and more")
    assert read(behind) == [["k1=1", "k2=1; and more"]] * 2
    ahead = opened(T + DAY)
    write(ahead, c="k1=2")
    ahead.retract("k2")
    assert read(behind) == [["and more", "k1=2"]] * 2


def test_a_date_in_the_future_is_no_clock_ahead(opened: Any) -> None:
    write(opened(T), a="k1=1")
    write(opened(T), b="k1=2", valid_from=T + DAY)
    assert read(opened(T + HOUR)) == [["k1=1"]] * 2
    assert read(opened(T + DAY)) == [["k1=2"]] * 2
