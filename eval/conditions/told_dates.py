"""Dates for what goes by recency or shows dates: a turn's own, or one by the order of telling."""

from collections.abc import Sequence
from datetime import datetime, timedelta, timezone

from eval.spec import Turn, instant

_START = datetime(2024, 1, 1, tzinfo=timezone.utc)
_STEP = timedelta(hours=1)


class ToldDates:
    """Dates each turn: its own ``valid_from``, else an hour after the turn told before, from 2024-01-01 on.

    The clock of these components is pinned to one step after the latest date, so that a run comes out the same again.
    """

    def __init__(self) -> None:
        self._told = 0
        self._earliest = self._latest = _START

    def of(self, turns: Sequence[Turn]) -> list[datetime]:
        """Return the dates of the next turns."""
        dates = [turn.valid_from or _START + (self._told + n) * _STEP for n, turn in enumerate(turns)]
        known = [self._earliest, self._latest] if self._told else []
        self._earliest, self._latest = min([*known, *dates]), max([*known, *dates])
        self._told += len(turns)
        return dates

    @property
    def step(self) -> timedelta:
        """The mean time between two turns: an hour where the order of telling dates them."""
        apart = (self._latest - self._earliest) / max(self._told - 1, 1)
        return apart or _STEP

    @property
    def now(self) -> datetime:
        """One step after the latest date."""
        return self._latest + self.step

    def decay(self, rate: float) -> float:
        """Return the hourly decay that amounts to this rate in one step.

        What was tuned on turns an hour apart means the same where they are months apart.
        """
        return float(1 - (1 - rate) ** (_STEP / self.step))


def dated(text: str, date: datetime | float) -> str:
    """Return a text as it is packed with its date in front; the time of day stands there where it isn't midnight.

    Example:
        >>> dated("The port is 7000.", datetime(2024, 5, 1, tzinfo=timezone.utc))
        '[2024-05-01] The port is 7000.'
    """
    at = date if isinstance(date, datetime) else datetime.fromtimestamp(date, timezone.utc)
    return f"[{instant(at)}] {text}"
