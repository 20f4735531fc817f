"""When the commits of a mainline count: in their order, each at an instant of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_TICK = timedelta(microseconds=1)  # the unit of the ledger
_DAY = timedelta(days=1)
_MOST_NAMED = 5


class Clock:
    """Instants of commits, strictly increasing along the mainline.

    A rebase dates many commits by one second, and some commits claim an earlier date than the one before them. Each
    then counts a microsecond after the one before it: two values of one key at one instant would contradict each other.
    So a commit's instant depends on what came before it on the mainline and on nothing else, and is the same however
    often, and however much of, the history is read.

    Attributes:
        latest: The latest date that a commit claimed.

    Example:
        >>> clock = Clock()
        >>> [clock.tick(sha, seconds).isoformat()[17:-6] for sha, seconds in (("a", 7), ("b", 7), ("c", 5), ("d", 9))]
        ['07', '07.000001', '07.000002', '09']
    """

    def __init__(self) -> None:
        self.latest = _EPOCH
        self._leader = ""
        self._at = _EPOCH - _TICK
        self._held_back: Counter[tuple[str, datetime]] = Counter()  # by a commit dated a day or more ahead of them

    def tick(self, commit: str, seconds: int) -> datetime:
        """Return when the next commit counts, that claims a date (seconds since the epoch)."""
        claimed = _EPOCH + timedelta(seconds=seconds)
        if claimed >= self.latest:
            self._leader, self.latest = commit, claimed
        elif claimed < self.latest - _DAY:
            self._held_back[self._leader, self.latest] += 1
        self._at = max(self._at + _TICK, claimed)
        return self._at

    def complaints(self) -> Iterator[str]:
        """Name the commits that are dated far ahead of the ones after them."""
        for (commit, date), count in self._held_back.most_common(_MOST_NAMED):
            yield (
                f"commit {commit[:12]} is dated {date.isoformat()}; {count} later commits, dated earlier, "
                "count as of then"
            )
