"""Instants in, microseconds out; and intervals as sets of instants."""

import math
from datetime import date, datetime, timedelta, timezone
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.ledger.time import (
    MIN_TIME,
    OPEN,
    Interval,
    format_time,
    intersect,
    normalise,
    subtract,
    system_clock,
    to_micros,
)

MARCH = 1_709_251_200_000_000  # 2024-03-01T00:00:00Z
LAST = 253_402_300_799_999_999  # the last microsecond of year 9999


class Timestamp:
    """Like a pandas timestamp: a scalar that turns into a `datetime`."""

    def __init__(self, moment: Any) -> None:
        self.moment = moment

    def to_pydatetime(self) -> Any:
        return self.moment


OF_MARCH: list[Any] = [
    datetime(2024, 3, 1), datetime(2024, 3, 1, tzinfo=timezone.utc), date(2024, 3, 1), 1_709_251_200,
    datetime(2024, 3, 1, 2, tzinfo=timezone(timedelta(hours=2))),
    "2024-03-01", " 2024-03-01 ", "2024-03-01T00:00:00", "2024-03-01 00:00:00", "2024-03-01T00:00:00Z",
    "2024-03-01T00:00:00z", "2024-03-01T02:00:00+02:00", "2024-02-29T19:00:00-05:00",
    np.int64(1_709_251_200), np.str_("2024-03-01"), np.datetime64("2024-03-01"), np.datetime64("2024-03-01", "s"),
    Timestamp(datetime(2024, 3, 1)), Timestamp(datetime(2024, 3, 1, tzinfo=timezone.utc)),
]  # fmt: skip
OTHERS: list[tuple[Any, int]] = [
    (datetime(2024, 3, 1, 0, 0, 0, 7), MARCH + 7), ("2024-03-01T00:00:00.5", MARCH + 500_000),
    ("2024-03-01T00:00:00.5Z", MARCH + 500_000), ("2024-03-01T00:00:00.000007", MARCH + 7),
    ("2024-03-01T00:00:00.123456789Z", MARCH + 123_456), ("2024-03-01T02:00:00.25+02:00", MARCH + 250_000),
    (1_709_251_200.25, MARCH + 250_000), (0, 0), (-1, -1_000_000), (-0.5, -500_000), (1e-6, 1),
    (np.int32(7), 7_000_000), (np.uint8(7), 7_000_000), (np.array(7), 7_000_000),
    (np.float64(0.5), 500_000), (np.float32(0.5), 500_000),
    (np.datetime64("2024-03-01T00:00:00.000007"), MARCH + 7),
    (np.datetime64("2024-03-01T00:00:00.000007000", "ns"), MARCH + 7),
    ("0001-01-01", MIN_TIME), (datetime(1, 1, 1), MIN_TIME), (MIN_TIME // 1_000_000, MIN_TIME),
    ("9999-12-31T23:59:59.999998", LAST - 1), (datetime.max, OPEN),
    (datetime.max.replace(tzinfo=timezone.utc), OPEN), ("9999-12-31T23:59:59.999999", OPEN),
    (20241301, 20241301 * 1_000_000), (20240301.0, 20240301 * 1_000_000),  # no such month, and no whole number
]  # fmt: skip


@pytest.mark.parametrize(("value", "micros"), [*((value, MARCH) for value in OF_MARCH), *OTHERS])
def test_accepted_instants(value: Any, micros: int) -> None:
    assert to_micros(value) == micros


REFUSED: list[Any] = [
    None, True, False, np.bool_(True), math.nan, math.inf, -math.inf, np.float64("nan"), np.float32("inf"),
    np.datetime64("NaT"), 1e308, -1e308, 1e15, 1_709_251_200_000, 10**400, MIN_TIME // 1_000_000 - 1,
    LAST // 1_000_000 + 1, "", "yesterday", "2024-13-01", "2024-02-30", "2024-03-01T25:00", "2024-03-01T00:00:00+99:00",
    "10000-01-01", "1709251200", "9" * 5000, "0001-01-01T00:00:00+02:00",
    datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=2))),
    datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-2))), b"2024-03-01", 1j, timedelta(1), [2024],
    (2024, 3, 1), {}, object(), np.array([1, 2]), np.array([7]), np.array([]),
    np.array(["2024-03-01"], dtype="datetime64[ns]"), np.timedelta64(5, "s"), np.complex128(1j), Timestamp(None),
]  # fmt: skip


@pytest.mark.parametrize("value", REFUSED)
def test_refused_instants(value: Any) -> None:
    with pytest.raises(InvalidInputError) as caught:
        to_micros(value, name="valid_from")
    message = str(caught.value)
    assert "valid_from=" in message
    assert isinstance(value, Timestamp) or repr(value)[:20] in message or str(value) in message
    assert "accepted: a datetime" in message
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("value", "said"), [(20240301, r"1970-08-23 in epoch seconds.*2024-03-01"), (1_709_251_200_000, "milliseconds")]
)
def test_a_number_that_looks_like_a_date_or_milliseconds_is_refused_with_that_reading(value: int, said: str) -> None:
    with pytest.raises(InvalidInputError, match=said):
        to_micros(value)


@given(st.datetimes(timezones=st.just(timezone.utc), max_value=datetime(9999, 12, 31, 23, 59, 59)))
@settings(max_examples=200, deadline=None, derandomize=True, database=None)
def test_formatted_times_read_back(moment: datetime) -> None:
    micros = to_micros(moment)
    text = format_time(micros)
    assert text is None if micros == MIN_TIME else to_micros(text) == micros


def test_format_time_at_the_edges() -> None:
    assert format_time(MARCH) == "2024-03-01T00:00:00+00:00"
    assert [format_time(t) for t in (OPEN, OPEN - 1, LAST + 1, MIN_TIME, MIN_TIME - 1, -OPEN)] == [None] * 6
    assert format_time(LAST) == "9999-12-31T23:59:59.999999+00:00"
    assert format_time(MIN_TIME + 1) == "0001-01-01T00:00:00.000001+00:00"


def test_clock_is_in_microseconds() -> None:
    assert abs(system_clock() - datetime.now(timezone.utc).timestamp() * 1e6) < 60e6


def test_interval_is_half_open() -> None:
    interval = Interval(MARCH, MARCH + 2)
    assert [t in interval for t in (MARCH - 1, MARCH, MARCH + 1, MARCH + 2)] == [False, True, True, False]
    assert str(Interval(MARCH)) == "[2024-03-01T00:00:00+00:00, ∞)"
    assert str(Interval(MIN_TIME, MARCH)) == "[-∞, 2024-03-01T00:00:00+00:00)"


INTERVALS = st.builds(Interval, st.integers(0, 12), st.integers(0, 14))
LISTS = st.lists(INTERVALS, max_size=6)
algebra = settings(max_examples=400, deadline=None, derandomize=True, database=None)


def points(intervals: Any) -> set[int]:
    return {t for i in intervals for t in range(i.start, i.end)}


def is_normal(intervals: Any) -> bool:
    apart = all(one.end < other.start for one, other in pairwise(intervals))
    return apart and all(i.start < i.end for i in intervals)


@given(LISTS, LISTS, st.tuples(st.integers(0, 14), st.integers(0, 14)).map(sorted))
@algebra
def test_sets_of_intervals_are_sets_of_instants(one: list[Interval], other: list[Interval], ends: list[int]) -> None:
    """What comes of them is sorted, joined, and not empty, whatever the order of what is given."""
    hole = Interval(*ends)
    found = normalise(one)
    assert points(found) == points(one)
    assert normalise(found) == found == normalise(reversed(one))
    left = subtract(found, hole)
    assert points(left) == points(one) - points([hole])
    common = intersect(found, normalise(other))
    assert points(common) == points(one) & points(other)
    assert common == intersect(normalise(other), found)
    assert is_normal(found)
    assert is_normal(common)
    assert is_normal(left) if hole.start < hole.end else all(i.start < i.end for i in left)


def test_open_ends() -> None:
    assert normalise([Interval(5), Interval(1, 5)]) == (Interval(1, OPEN),)
    assert subtract((Interval(1),), Interval(5)) == (Interval(1, 5),)
    assert subtract((Interval(1),), Interval(3, 5)) == (Interval(1, 3), Interval(5, OPEN))
    assert intersect((Interval(1),), (Interval(MIN_TIME, 3), Interval(7, OPEN))) == (Interval(1, 3), Interval(7, OPEN))
