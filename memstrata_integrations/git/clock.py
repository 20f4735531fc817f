"""When the commits of a mainline count: in their order, each at an instant of its own."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone

__all__ = ["Clock"]

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_TICK = timedelta(microseconds=1)  # the unit of the ledger
_DAY = 86_400  # seconds
_MOST_NAMED = 5


class Clock:
    """Instants of commits, strictly increasing along the mainline.

    A rebase dates many commits by one second, and some commits claim an earlier date than the one
    before them. Each then counts a microsecond after the one before it: two values of one key at
    one instant would contradict each other. So a commit's instant depends on what came before it on
    the mainline and on nothing else, and is the same however often, and however much of, the history
    is read.

    Example:
        >>> clock = Clock()
        >>> [clock.tick(sha, seconds).isoformat()[17:-6] for sha, seconds in (("a", 7), ("b", 7), ("c", 5), ("d", 9))]
        ['07', '07.000001', '07.000002', '09']
    """

    def __init__(self) -> None:
        self.seconds = 0
        self._at = _EPOCH - _TICK
        self._leader = ""
        # by the commit that leads: its date, and how many later ones claim one that is more than a day before it
        self._held_back: dict[str, tuple[int, int]] = {}

    def tick(self, commit: str, seconds: int) -> datetime:
        """Return when the next commit counts, that claims a date (seconds since the epoch)."""
        seconds = max(seconds, 0)
        if seconds >= self.seconds:
            self._leader, self.seconds = commit, seconds
        elif seconds < self.seconds - _DAY:
            _, count = self._held_back.get(self._leader, (self.seconds, 0))
            self._held_back[self._leader] = (self.seconds, count + 1)
        self._at = max(self._at + _TICK, _EPOCH + timedelta(seconds=seconds))
        return self._at

    def complaints(self, now: int) -> Iterator[str]:
        """Name the commits whose dates lie far ahead: of the ones after them, or of `now` (seconds)."""
        ahead = dict(self._held_back)
        if self.seconds > now + _DAY:
            ahead.setdefault(self._leader, (self.seconds, 0))
        for commit, (seconds, count) in sorted(ahead.items(), key=lambda item: -item[1][1])[:_MOST_NAMED]:
            dated = f"commit {commit[:12]} is dated {(_EPOCH + timedelta(seconds=seconds)).isoformat()}"
            held = f"; {count} later commits, dated earlier, count as of then" if count else ", in the future"
            yield dated + held
