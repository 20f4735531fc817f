"""From when to when each row may be live, in arrays: which rows a read need not fetch."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memstrata_integrations.chroma.directory import directory_of
from memstrata_integrations.chroma.fields import FACTS, FROM, GAPS, TO, latest_in, told_since
from memstrata_integrations.errors import StorageError
from memstrata_integrations.ledger.time import MIN_TIME, OPEN

_PAGE = 10_000
_FEW = 4_096
_SHARE = 8

Hull = tuple[int, int, int, int]
"""The instants between which a row may be live, µs, and what `told_since` says of it."""
_GONE: Hull = (1, 0, 0, 0)
_ROW = np.dtype((np.int64, 5))


class ValidityTable:
    """The hulls of rows, by id, as far as they matter: rows that are not in it may be live.

    For the present it is enough to know which rows begin or end later, and, where many rows are to be left out, which
    have ended. For the past every hull is needed; they are loaded when first asked for.

    What was loaded lies in arrays, 40 bytes a row, ordered by the ids' hashes of 64 bits; the chance that two of a
    million rows share one, so that one might be hidden, is 1 in 37 million. What was noted since lies beside them,
    until it is an eighth as much.
    """

    def __init__(self) -> None:
        self._loaded = _Arrays(np.empty((0, 5), np.int64)), dict[str, Hull | None]()
        self._since: int | None = None
        self._knows_ended = False
        self._whole = False
        self.nothing_hidden = True
        """Every row is live from its start on; where a row was hidden once, that is not found out again."""

    def start_empty(self) -> None:
        """Declare that the collection holds nothing yet, so that own writes tell everything."""
        if self._since is None:
            self._since, self._whole = MIN_TIME, True

    def covers(self, instant: int, *, ended: bool = True) -> bool:
        """Whether it can answer for an instant (µs); without `ended`, only which rows begin or end after it."""
        known = self._since is not None and instant >= self._since
        return self._whole or (known and (self._knows_ended or not ended))

    def kept(self, row_ids: Sequence[str], instant: int, known_at: int | None = None) -> list[bool]:
        """Return for each row whether it may be live at an instant, as known at a transaction time or now."""
        return self._judged(row_ids, _may_be_live(instant, known_at), True)

    def ended(self, row_ids: Sequence[str], instant: int) -> list[bool]:
        """Return for each row whether its hull certainly ends at or before an instant."""
        return self._judged(row_ids, lambda _start, end, *_: end <= instant, False)

    def _judged(self, row_ids: Sequence[str], judge: Callable[..., Any], unknown: bool) -> list[bool]:
        arrays, recent = self._loaded
        found = [unknown] * len(row_ids)
        if arrays.hashes.size:
            places, known = arrays.places(row_ids)
            found = np.where(known, judge(*arrays.hulls[:, places]), unknown).tolist()
        for n, row_id in enumerate(row_ids if recent else ()):
            if row_id in recent:
                hull = recent[row_id]
                found[n] = unknown if hull is None else judge(*hull)
        return found

    def nothing_at(self, instant: int, total: int, known_at: int | None = None) -> bool:
        """Whether certainly none of all `total` rows is live at an instant, as known at a transaction time or now."""
        if not self._whole:
            return False
        arrays, recent = self._loaded
        judge = _may_be_live(instant, known_at)
        live = judge(*arrays.hulls)
        rows, noted = live.size, list(recent.items())
        if noted and rows:
            places, known = arrays.places([i for i, _ in noted])
            live[places[known]] = False
            rows -= int(known.sum())
        hulls = [hull for _, hull in noted if hull is not None]
        return rows + len(hulls) == total and not live.any() and not any(judge(*h) for h in hulls)

    def note(self, row_id: str, reserved: Mapping[str, Any], now: int) -> None:
        """Take in the reserved fields of a row that was written."""
        start, end = reserved[FROM], reserved[TO]
        limited = end != OPEN or start > now or bool(reserved.get(GAPS))
        self.nothing_hidden = self.nothing_hidden and not limited
        arrays, recent = self._loaded
        if limited or self._whole or (self._since is not None and start > self._since):
            recent[row_id] = (start, end, *told_since(reserved))
        else:
            self.forget([row_id])
        if len(recent) > max(_FEW, arrays.hashes.size // _SHARE):
            self._put([], recent)

    def forget(self, row_ids: Iterable[str]) -> None:
        """Drop rows that are gone, or about to change: then their metadata decides."""
        arrays, recent = self._loaded
        for row_id in row_ids:
            if arrays.hashes.size:
                recent[row_id] = None
            else:
                recent.pop(row_id, None)

    def load(self, collection: Any, instant: int, now: int, *, ended: bool) -> int:
        """Read what answers for `instant` and later, or for all times; return the latest transaction time met, µs.

        Of a collection, as `Both`, the history is read for all times only; rows that are over if `ended`.
        """
        main = collection.main
        main.count()  # upon which Chroma has applied all that it logged
        latest = MIN_TIME
        if self._since is None:
            self._since = max(instant, now)
            for row_id, metadata in limited(main, self._since):
                self.note(row_id, metadata, self._since)
                latest = max(latest, latest_in(metadata))
        if instant < max(collection.cut, self._since):
            parts = collection.parts()[::-1]  # of a row that lies in both, the collection's own counts
            parts[0].count()
            own = set(main.get(include=[])["ids"]) if len(parts) > 1 else set()
            self._take_in((i, hull) for part in parts for i, hull in _all(part) if part is main or i not in own)
            self._whole = True
        elif ended:
            self._take_in(_over(main, self._since))
            self._knows_ended = True
        return latest

    def _take_in(self, stored: Iterable[tuple[str, Hull]]) -> None:
        """Take in what is stored; what was noted goes before it."""
        self._put(stored, self._loaded[1])
        self.nothing_hidden = self.nothing_hidden and bool((self._loaded[0].hulls[1] == OPEN).all())

    def _put(self, stored: Iterable[tuple[str, Hull]], noted: Mapping[str, Hull | None]) -> None:
        """Make the arrays anew: of what they held, less what was dropped, of what is stored, and of what was noted."""
        read = np.fromiter(((hash(i), *hull) for i, hull in stored), _ROW)
        gone = np.fromiter(((hash(i), *_GONE) for i, hull in noted.items() if hull is None), _ROW)
        own = np.fromiter(((hash(i), *hull) for i, hull in noted.items() if hull is not None), _ROW)
        self._loaded = _Arrays(np.concatenate([self._loaded[0].rows, gone, read, own])), {}


class _Arrays:
    """The hulls of rows, ordered by the hashes of their ids."""

    def __init__(self, rows: NDArray[np.int64]) -> None:
        """Order rows of hash and hull; of one hash the last counts, and it is left out if it ends before it begins."""
        order = np.argsort(rows[:, 0], kind="stable")
        rows = rows[order]
        last = np.append(rows[1:, 0] != rows[:-1, 0], True)[: len(rows)]
        self.rows = rows[last & (rows[:, 1] <= rows[:, 2])]
        self.hashes, self.hulls = self.rows.T[0], self.rows.T[1:]

    def places(self, row_ids: Sequence[str]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """Return where rows are, and whether they are there at all; there must be some."""
        hashes = np.fromiter(map(hash, row_ids), np.int64, len(row_ids))
        places = np.minimum(np.searchsorted(self.hashes, hashes), self.hashes.size - 1)
        return places, self.hashes[places] == hashes


def _may_be_live(instant: int, known_at: int | None) -> Callable[..., Any]:
    """Return what tells of hulls, or of arrays of their parts, whether a row may be live; see `ValidityTable.kept`."""
    if known_at is None:
        return lambda start, end, *_: (start <= instant) & (instant < end)
    return lambda start, end, first, since: (
        (first <= known_at) & ((known_at < since) | ((start <= instant) & (instant < end)))
    )


def limited(collection: Any, instant: int) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield (id, metadata) of the rows that begin or end after an instant, or have gaps."""
    spans = (TO, instant + 1, OPEN - 1), (FROM, instant + 1, OPEN), (GAPS, 1, OPEN)
    found = [_in_database(collection, *span) for span in spans]
    if None not in found:
        return _pages(collection, list(dict(hull for some in found for hull in some or ())))
    later = {"$and": [{TO: {"$gt": instant}}, {TO: {"$lt": OPEN}}]}
    clauses = [{FROM: {"$gt": instant}}, later, {GAPS: {"$gte": 1}}]
    return _pages(collection, _matching(collection, {"$or": clauses}))


def _over(collection: Any, instant: int) -> Iterable[tuple[str, Hull]]:
    """Return the hulls of the rows that are over at an instant, as far as they are known from then on."""
    if (stored := _in_database(collection, TO, MIN_TIME, instant)) is not None:
        return stored
    return ((i, (MIN_TIME, instant, MIN_TIME, OPEN)) for i in _matching(collection, {TO: {"$lte": instant}}))


def _all(collection: Any) -> Iterable[tuple[str, Hull]]:
    if (stored := _in_database(collection, TO, MIN_TIME, OPEN, FACTS)) is not None:
        return stored
    found = _pages(collection, _matching(collection, {TO: {"$gte": MIN_TIME}}))
    return ((i, (m[FROM], m[TO], *told_since(m))) for i, m in found)


def having(collection: Any, field: str, least: int, most: int = OPEN) -> int:
    """Return how many rows have a field, whose values are not below `least`, counted up to `most`."""
    directory = directory_of(collection._client)
    try:
        if directory is not None:
            return directory.having(collection._client, str(collection.id), field, most)
    except StorageError:
        pass
    return len(collection.get(where={field: {"$gte": least}}, limit=None if most == OPEN else most, include=[])["ids"])


def _in_database(
    collection: Any, field: str, least: int, most: int, facts: str | None = None
) -> Iterable[tuple[str, Hull]] | None:
    """Return the hulls of rows by a field's value, from a local directory's database; `None` if that does not tell.

    Without the field `facts` it is left open since when each row has told what it tells now.
    """
    directory = directory_of(collection._client)
    if directory is None:
        return None
    try:
        found = directory.spans(collection._client, str(collection.id), (FROM, TO, facts), field, least, most)
        return ((i, (start, end, *told_since({FACTS: text or ""}))) for i, start, end, text in found)
    except StorageError:
        return None


def _matching(collection: Any, where: Any) -> list[str]:
    return list(collection.get(where=where, include=[])["ids"])


def _pages(collection: Any, ids: Sequence[str]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield (id, metadata) of records, a page at a time."""
    for start in range(0, len(ids), _PAGE):
        page = collection.get(ids=ids[start : start + _PAGE], include=["metadatas"])
        yield from zip(page["ids"], page["metadatas"], strict=True)
