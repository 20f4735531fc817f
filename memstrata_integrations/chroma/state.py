"""What the wrappers of one collection share within a process: the lock, the mutex, the table of hulls."""

import logging
import os
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from typing import Any

from memstrata_integrations.chroma.directory import directory_of
from memstrata_integrations.chroma.embedding import VectorCache
from memstrata_integrations.chroma.fields import forget_bodies, latest_in
from memstrata_integrations.chroma.hulls import ValidityTable, limited
from memstrata_integrations.chroma.scoping import Scope
from memstrata_integrations.errors import StorageError, StoreLockedError
from memstrata_integrations.ledger.rows import Row
from memstrata_integrations.ledger.time import MIN_TIME, OPEN
from memstrata_integrations.redaction import Stated, redact

logger = logging.getLogger("memstrata_integrations")

IN_FLIGHT = 60_000_000
"""How long, µs, a write of another process may be under way."""

_KEPT = 50_000
_TEXTS = 4096
_SHORT = 10_000  # characters

_registry_lock = threading.Lock()
_states: "weakref.WeakValueDictionary[tuple[Any, str], SharedState]" = weakref.WeakValueDictionary()
_inherited: list[Any] = []


def _forget_after_fork() -> None:
    """A child shares nothing with its parent: start afresh, and keep what it had as it is."""
    global _registry_lock
    _registry_lock = threading.Lock()
    _inherited.extend(_states.values())
    _states.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_after_fork)


def shared_state(collection: Any) -> "SharedState":
    """Return the state that all wrappers of a chromadb `Collection` in this process share."""
    server = collection._client
    directory = directory_of(server)
    key = (directory or id(server), str(collection.id))
    with _registry_lock:
        if (state := _states.get(key)) is None:
            _states[key] = state = SharedState(collection)
        return state


class SharedState:
    """One collection as this process knows it.

    Attributes:
        directory: Where it lies; `None` for one in memory or on a server.
        mutex: Held by a writer from look-up to acknowledgement, see `alone`; by readers to load the table of hulls.
        seen: The number of the last write that what is kept in memory reflects.
        last_recorded: The greatest transaction time known here, µs.
        began: When the write began that this process is at, µs; `None` while it is at none.
        recovered: Whether what an interrupted write left pending was looked for.
        in_flight, doubtful: Batches that this process is writing; those that failed, and may be acknowledged or not.
        acknowledged: Batches of other processes that are known to be acknowledged.
        flip, flips: Held for the one call that makes a write visible; how many such calls there were.
        table: Which rows are out of sight, for reads without a `where`.
        keys, records: Which rows hold a key; rows that this process wrote of late. Good while it is exclusive.
        slots: How many key slots the rows of the collection use.
        versions: By (metadata field, id), the one version that is stored of a document of several rows, and whose
            it is: that of the scope that wrote last. Good while it is exclusive.
        outright, tombstones: The keys that somebody stated outright, and what bars texts, once they were looked up.
        history: As `both` found it.
        further: How many rows more were looked at of late since a text stood farther back than it was written.
        served: Vectors of what readers get of texts of which parts are taken out, as far as they are kept.
        undisputed: Rows of a server of which no other row says that they are over, by id, as they were stored then.
        described, told_apart: Where facts about described subjects were stated last; whether that was told.
        retirements: When which source retired how many rows of late, where the policy limits that.
    """

    def __init__(self, collection: Any) -> None:
        """Hold the server object, so that its identity is not reused."""
        self.server = collection._client
        self.collection_id = str(collection.id)
        self.directory = directory_of(self.server)
        self.remote = getattr(self.server.get_settings(), "chroma_server_host", None) is not None
        self.mutex = threading.RLock()
        self.seen: Any = None
        self.last_recorded = MIN_TIME
        self._asked_time = False
        self.began: int | None = None
        self.recovered = False
        self.in_flight: set[int] = set()
        self.doubtful: set[int] = set()
        self.acknowledged: set[int] = set()
        self.flip = threading.RLock()
        self.flips = 0
        self.records: dict[str, tuple[dict[str, Any], Row]] = {}
        self.versions: dict[tuple[str, str], tuple[Scope, str]] = {}
        self.further = 0
        self.served = VectorCache()
        self._redact = lru_cache(_TEXTS)(redact)
        self.undisputed: dict[str, tuple[Any, ...]] = {}
        self.described: dict[Any, tuple[Any, str]] = {}
        self.told_apart = False
        self.retirements: deque[tuple[int, Any, int]] = deque()
        self.forget_everything()

    def forget_everything(self) -> None:
        """Drop what is kept in memory; it is read again when needed."""
        self.table = ValidityTable()
        self.keys = KeyIndex()
        self.records.clear()
        self.versions.clear()
        self.history: Any = None
        self.slots: int | None = None
        self.outright: set[int] | None = None
        self.tombstones: Any = None

    @property
    def exclusive(self) -> bool:
        """Whether no other process can write to this collection."""
        return not self.remote and (self.directory is None or self.directory.locked)

    @property
    def path(self) -> str | None:
        """Where the collection lies, if it lies in a directory of this machine."""
        return None if self.directory is None else self.directory.path

    def transaction_time(self, now: int, rows: Iterable[Row]) -> int:
        """Return when a write that touches rows is recorded: later than they were, and than all others here, µs."""
        return max([now, self.last_recorded + 1, *(r.recorded_at + 1 for r in rows)])

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Let nothing else of this process write to the collection, or to another one of its directory."""
        with nullcontext() if self.directory is None else self.directory.mutex, self.mutex:
            yield

    def turn(self) -> AbstractContextManager[None]:
        """Have the turn for one call that writes, see `Turn`."""
        return nullcontext() if self.directory is None else self.directory.turn.taken()

    def settle(self, server: Any) -> None:
        """Let Chroma have applied what the logs of the collection and of its history hold; see `Directory.settle`."""
        if self.directory is None:
            return
        self.directory.settle(server, self.collection_id)
        if self.history is not None and self.history.collection is not None:
            self.directory.settle(server, str(self.history.collection.id))

    def open_for_writing(self, server: Any) -> None:
        """Take the directory's lock, and see that nothing is older here than what is stored; `server` is Chroma's."""
        if self.directory is None:
            return
        self.directory.lock()
        sequence = self.directory.sequence(server, self.collection_id)
        if sequence != self.seen:
            self.forget_everything()
            self.seen = sequence
        self.directory.renew(server, self.collection_id, sequence)

    def open_for_searching(self, server: Any) -> None:
        """Let Chroma load the index anew if another process wrote since: a search finds only what was there then."""
        sequence = None if self.exclusive else self._stamp()
        if self.directory is None or sequence is None:
            return
        with self.directory.mutex:
            try:
                self.directory.renew(server, self.collection_id, sequence)
            except StoreLockedError as error:
                logger.warning("searches do not find what another process wrote since the store was opened: %s", error)

    def catch_up(self, server: Any) -> bool:
        """Load the index anew if another process may have written since it was loaded; return whether it was."""
        if self.directory is None:
            return False
        with self.alone():
            return self.directory.renew(server, self.collection_id, self.directory.sequence(server, self.collection_id))

    def written(self, server: Any) -> None:
        """Take note of an own write: what is kept in memory, and the index that was written with, have it."""
        if self.directory is not None:
            self.seen = self.directory.written(server, self.collection_id)

    def start_empty(self) -> None:
        """Declare that the collection holds nothing yet, so that own writes tell everything."""
        self.table.start_empty()
        self.keys.start_empty()
        self.slots = 0
        self.outright = set()
        self.recovered = True

    def write_failed(self) -> None:
        """Trust nothing that is kept in memory; the next write takes back what this one left."""
        self.doubtful |= self.in_flight
        self.in_flight.clear()
        self.recovered = False
        self.forget_everything()

    @property
    def quiet(self) -> bool:
        """Whether no write of this process is under way or in doubt."""
        return self.began is None and not self.doubtful

    def redacted(self, text: str, facts: Sequence[Stated]) -> str:
        """Return a text without its stale statements; short ones are kept for the next reader."""
        return self._redact(text, tuple(facts)) if len(text) <= _SHORT else redact(text, facts)

    def forget_texts(self) -> None:
        """Drop what is kept of texts: rows are being erased."""
        self.served.clear()
        self._redact.cache_clear()
        forget_bodies()
        self.described.clear()
        self.undisputed.clear()
        self.outright = None

    def note_versions(self, field: str, document_id: str, scope: Scope, versions: Sequence[str]) -> None:
        """Keep in mind which version of a scope's document is stored, if it is only one."""
        if len(self.versions) >= _KEPT:
            self.versions.clear()
        self.versions.pop((field, document_id), None)
        if len(versions) == 1:
            self.versions[field, document_id] = scope, versions[0]

    def remember(self, row: Row, metadata: dict[str, Any]) -> None:
        """Keep a row with its metadata, reserved fields included."""
        if len(self.records) >= _KEPT:
            for stale in list(self.records)[: _KEPT // 4]:
                del self.records[stale]
        self.records[row.id] = (metadata, row)

    def note_undisputed(self, rows: Iterable[tuple[str, tuple[Any, ...]]]) -> None:
        """Keep in mind which rows nothing disputes, as they are stored."""
        if len(self.undisputed) >= _KEPT:
            self.undisputed.clear()
        self.undisputed.update(rows)

    @contextmanager
    def flipping(self) -> Iterator[None]:
        """Hold readers off for the call that makes a write visible, which they would see half of."""
        with self.flip:
            self.flips += 1
            yield

    def moment_of_rest(self) -> tuple[int, Any]:
        """Return a stamp that is the same as long as no write becomes visible."""
        with self.flip:
            return self.flips, None if self.exclusive else self._stamp()

    def _stamp(self) -> Any:
        """Return the number of the last write, by whichever process; `None` if it cannot be told."""
        try:
            return None if self.directory is None else self.directory.sequence(self.server, self.collection_id)
        except StorageError:
            return None

    def learn_time(self, collection: Any, now: int) -> None:
        """Learn, on a server once, what was recorded by a clock that was ahead; `collection` as `Both`."""
        if not self.remote:
            self.usable_table(collection, now, now, ended=self.directory is not None)
        elif not self._asked_time:
            self._asked_time = True
            self.recorded(m for _, m in limited(collection.main, now))

    def recorded(self, metadatas: Iterable[Mapping[str, Any] | None]) -> None:
        """Take in when the rows that were met were recorded."""
        self.last_recorded = max([self.last_recorded, *map(latest_in, metadatas)])

    def usable_table(self, collection: Any, instant: int, now: int, *, ended: bool = True) -> ValidityTable | None:
        """Return the table of hulls if it can be trusted, loaded for an instant, and if `ended` for what is over."""
        if self.remote:
            return None
        if not self.exclusive:
            stamp = self._stamp()
            if stamp is None:
                return None
            with self.mutex:
                if stamp != self.seen and not self.exclusive:
                    self.forget_everything()
                    self.seen = stamp
        table = self.table
        if not table.covers(instant, ended=ended):
            with self.mutex:
                if not table.covers(instant, ended=ended):
                    self.seen = self._stamp() if self.seen is None else self.seen
                    self.last_recorded = max(self.last_recorded, table.load(collection, instant, now, ended=ended))
        return table


class KeyIndex:
    """Which rows hold a key: those whose hull ends after a floor that is kept for each key.

    It may name rows that are gone or hold the key no more, and leaves out none.
    """

    def __init__(self) -> None:
        self._rows: dict[int, dict[str, None]] = {}
        self._floors: dict[int, int] = {}
        self._whole = False

    def start_empty(self) -> None:
        """Declare that the collection holds nothing yet."""
        self._whole = True

    def look_up(
        self, digests: Iterable[int], floor: int, ended: Callable[[Sequence[str], int], list[bool]]
    ) -> tuple[list[str], list[int]]:
        """Return the rows that hold any of the keys and end after an instant, and the keys not known.

        `floor` is the instant, µs; `ended` tells of rows whether they certainly ended by it, and those are forgotten.
        """
        least = MIN_TIME if self._whole else OPEN
        asked = [(digest, self._floors.get(digest, least) <= floor) for digest in digests]
        known, unknown = [d for d, held in asked if held], [d for d, held in asked if not held]
        rows = list(dict.fromkeys(i for digest in known for i in self._rows.get(digest, ())))
        over = {i for i, gone in zip(rows, ended(rows, floor), strict=True) if gone}
        for digest in known if over else ():
            held = self._rows.get(digest, {})
            kept = {i: None for i in held if i not in over}
            if len(kept) < len(held):
                self._rows[digest], self._floors[digest] = kept, floor
        return [i for i in rows if i not in over], unknown

    def learn(self, digests: Iterable[int], floor: int, holders: Iterable[tuple[str, Iterable[int]]]) -> None:
        """Take in the answer to a look-up of `digests`: rows with all their keys."""
        for digest in digests:
            self._floors[digest] = floor
            self._rows.setdefault(digest, {})
        for row_id, keys in holders:
            self.note(row_id, keys)

    def note(self, row_id: str, keys: Iterable[int]) -> None:
        """Take in what a row that was written holds."""
        for digest in keys:
            if self._whole or digest in self._floors:
                self._rows.setdefault(digest, {})[row_id] = None
