"""Instants and half-open intervals, in whole microseconds since the epoch, UTC.

Chroma carries 64-bit integers exactly, so every time in this package is one:
``MIN_TIME`` is the first microsecond of year 1, ``OPEN`` (``2**63 - 1``) means "no end".
"""

import math
import re
import time as _time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from typing import TypeAlias

from memstrata_integrations.errors import InvalidInputError

Instant: TypeAlias = datetime | date | str | int | float
"""What callers may pass as a time: see `to_micros`."""

OPEN = 2**63 - 1
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MICROSECOND = timedelta(microseconds=1)
MIN_TIME = (datetime(1, 1, 1, tzinfo=timezone.utc) - _EPOCH) // _MICROSECOND
_MAX_TIME = (datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=timezone.utc) - _EPOCH) // _MICROSECOND
_ACCEPTED = (
    "accepted: a datetime (naive means UTC), a date, ISO 8601 text such as '2024-03-01' or "
    "'2024-03-01T12:00:00+02:00', or epoch seconds; datetime.max means open"
)
_FRACTION = re.compile(r"\.(\d+)")


def system_clock() -> int:
    """Return the current time in µs since the epoch, UTC."""
    return _time.time_ns() // 1000


def to_micros(value: Instant, *, name: str = "time") -> int:
    """Convert an instant to µs since the epoch, UTC.

    Args:
        value: An aware `datetime` (naive means UTC), a `date` (its midnight, UTC), ISO 8601
            text, or epoch seconds. `datetime.max` means open.
        name: What the value is, for the error message.

    Returns:
        µs since the epoch, or `OPEN`.

    Raises:
        InvalidInputError: If the value is of another type, unreadable, or outside years 1 to 9999.

    Example:
        >>> to_micros("1970-01-01T00:00:01Z")
        1000000
    """
    if isinstance(value, bool) or not isinstance(value, (datetime, date, str, int, float)):
        plain = _plain(value)
        if plain is None:
            raise InvalidInputError(f"{name}={value!r} is not a time; {_ACCEPTED}")
        return to_micros(plain, name=name)
    if isinstance(value, str):
        return _from_datetime(_parse(value, name), name, value)
    if isinstance(value, datetime):
        return _from_datetime(value, name, value)
    if isinstance(value, date):
        return _from_datetime(datetime(value.year, value.month, value.day), name, value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InvalidInputError(f"{name}={value!r} is not a time; {_ACCEPTED}")
        micros = round(value * 1_000_000) if abs(value) < 1e15 else OPEN
    else:
        if _looks_like_a_date(value):
            raise InvalidInputError(
                f"{name}={value!r} reads as {datetime.fromtimestamp(value, timezone.utc).date()} in epoch seconds, and "
                f"looks like {str(value)[:4]}-{str(value)[4:6]}-{str(value)[6:]}; give a date, or ISO 8601 text"
            )
        micros = value * 1_000_000
    if not MIN_TIME <= micros <= _MAX_TIME:
        raise InvalidInputError(
            f"{name}={value!r} lies outside years 1 to 9999 as epoch seconds "
            f"(milliseconds? divide by 1000); {_ACCEPTED}"
        )
    return micros


def to_instant(value: Instant, *, name: str = "time") -> int:
    """Convert an instant at which something begins, or that is asked about: `to_micros`, but never open.

    Raises:
        InvalidInputError: As in `to_micros`, and for `datetime.max`: nothing begins or holds when time is open.
    """
    micros = to_micros(value, name=name)
    if micros == OPEN:
        raise InvalidInputError(
            f"{name}={value!r}: datetime.max means open, which only an end (valid_to) can be; leave it out, or give "
            "an instant"
        )
    return micros


def _looks_like_a_date(seconds: int) -> bool:
    """Whether a whole number is a calendar date written as ``yyyymmdd``, years 1900 to 2099."""
    if not 19_000_101 <= seconds <= 20_991_231:
        return False
    try:
        date(seconds // 10_000, seconds // 100 % 100, seconds % 100)
    except ValueError:
        return False
    return True


def _plain(value: object) -> Instant | None:
    """Return what a numpy or pandas scalar stands for in Python's own types."""
    if isinstance(value, bool):
        return None
    if hasattr(value, "to_pydatetime"):
        moment: datetime = value.to_pydatetime()
        return moment
    if type(value).__name__ == "datetime64":
        return str(value.astype("datetime64[us]"))  # type: ignore[attr-defined]
    if getattr(value, "shape", None) != () or not hasattr(value, "item"):
        return None
    found = value.item()
    return found if isinstance(found, (int, float, str)) and not isinstance(found, bool) else None


def _parse(text: str, name: str) -> datetime:
    stripped = text.strip()
    if stripped.endswith(("Z", "z")):
        stripped = stripped[:-1] + "+00:00"
    # Python 3.10 reads only three or six digits of a fraction
    stripped = _FRACTION.sub(lambda m: "." + m[1][:6].ljust(6, "0"), stripped, count=1)
    try:
        return datetime.fromisoformat(stripped)
    except ValueError as error:
        raise InvalidInputError(f"{name}={text!r} is not a readable date ({error}); {_ACCEPTED}") from error


def _from_datetime(moment: datetime, name: str, given: object) -> int:
    if moment.replace(tzinfo=None) == datetime.max:
        return OPEN
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    micros = (moment - _EPOCH) // _MICROSECOND
    if not MIN_TIME <= micros <= _MAX_TIME:
        raise InvalidInputError(f"{name}={given!r} lies outside years 1 to 9999 in UTC; {_ACCEPTED}")
    return micros


def format_time(micros: int) -> str | None:
    """Return ISO 8601 text in UTC, or `None` for an open or beginningless time (outside years 1 to 9999).

    Example:
        >>> format_time(1000000)
        '1970-01-01T00:00:01+00:00'
    """
    if micros > _MAX_TIME or micros <= MIN_TIME:
        return None
    return (_EPOCH + timedelta(microseconds=micros)).isoformat()


@dataclass(frozen=True, slots=True, order=True)
class Interval:
    """A half-open stretch ``[start, end)`` of valid time, in µs since the epoch, UTC."""

    start: int
    end: int = OPEN

    def __contains__(self, instant: int) -> bool:
        return self.start <= instant < self.end

    def __str__(self) -> str:
        return f"[{format_time(self.start) or '-∞'}, {format_time(self.end) or '∞'})"


def normalise(intervals: Iterable[Interval]) -> tuple[Interval, ...]:
    """Sort, drop the empty ones, and join those that touch."""
    joined: list[Interval] = []
    for interval in sorted(intervals):
        if interval.start >= interval.end:
            continue
        if joined and interval.start <= joined[-1].end:
            if interval.end > joined[-1].end:
                joined[-1] = Interval(joined[-1].start, interval.end)
        else:
            joined.append(interval)
    return tuple(joined)


def subtract(intervals: Iterable[Interval], *holes: Interval) -> tuple[Interval, ...]:
    """Return what of `intervals` lies outside all holes."""
    left = tuple(intervals)
    for hole in holes:
        parts: list[Interval] = []
        for interval in left:
            if interval.end <= hole.start or interval.start >= hole.end:
                parts.append(interval)
                continue
            if interval.start < hole.start:
                parts.append(Interval(interval.start, hole.start))
            if interval.end > hole.end:
                parts.append(Interval(hole.end, interval.end))
        left = tuple(parts)
    return left


def intersect(intervals: Iterable[Interval], windows: Sequence[Interval]) -> tuple[Interval, ...]:
    """Return what of `intervals` lies inside `windows` (each disjoint and sorted)."""
    if len(windows) == 1 and windows[0].start == MIN_TIME and windows[0].end == OPEN:
        return tuple(intervals)
    clipped = (Interval(max(i.start, w.start), min(i.end, w.end)) for i in intervals for w in windows)
    return tuple(i for i in clipped if i.start < i.end)
