"""A local directory as this process shares it: who may write to it, and how new the indexes are that are loaded.

Chroma keeps a collection's vector index in memory as it was when it was first needed, and writes it down as the whole:
a process that writes with an index from before another one's writes loses their vectors, without a word. The database
has a number for each collection that every write advances. It is noted before an index can have been loaded and after
each own write; where it differs before a write, somebody else has written, and the index is loaded anew.
"""

import json
import logging
import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any
from uuid import UUID

from filelock import FileLock, Timeout

from memstrata_integrations.chroma.traces import zero_begun
from memstrata_integrations.chroma.turns import Turn
from memstrata_integrations.errors import StorageError, StoreLockedError, from_signal_handler

logger = logging.getLogger("memstrata_integrations")

_FILE = "chroma.sqlite3"
_BUSY = 10.0  # seconds that a look into the database waits for a commit
_BRIEF = 0.5  # the same, where Chroma can be asked in its place
_PAUSE = 0.01
_PAGE = 2_000
_SEQUENCES = (
    "SELECT c.id, s.id, m.seq_id FROM collections c "
    "LEFT JOIN segments s ON s.collection = c.id AND s.scope = 'METADATA' "
    "LEFT JOIN max_seq_id m ON m.segment_id = s.id"
)
_SPANS = (
    "SELECT e.embedding_id, f.int_value, t.int_value, "
    "(SELECT substr(string_value, 1, 64) FROM embedding_metadata WHERE id = t.id AND key = ?) "
    "FROM embedding_metadata m JOIN embedding_metadata f ON f.id = m.id AND f.key = ? "
    "JOIN embedding_metadata t ON t.id = m.id AND t.key = ? "
    "JOIN embeddings e ON e.id = m.id JOIN segments s ON s.id = e.segment_id "
    "WHERE m.key = ? AND m.int_value BETWEEN ? AND ? AND s.collection = ? AND s.scope = 'METADATA'"
)
_HAVING = (
    "SELECT count(*) FROM (SELECT 1 FROM embedding_metadata m JOIN embeddings e ON e.id = m.id "
    "JOIN segments s ON s.id = e.segment_id WHERE m.key = ? AND s.collection = ? AND s.scope = 'METADATA' LIMIT ?)"
)
_HOLDERS = (
    "SELECT DISTINCT e.embedding_id FROM embedding_metadata m JOIN embeddings e ON e.id = m.id "
    "JOIN segments s ON s.id = e.segment_id "
    "WHERE m.key IN ({}) AND m.{} IN ({}) AND s.collection = ? AND s.scope = 'METADATA'"
)
_ENDING_AFTER = " AND EXISTS (SELECT 1 FROM embedding_metadata t WHERE t.id = m.id AND t.key = ? AND t.int_value > ?)"
_TEXTS = (
    "SELECT e.id, e.embedding_id, f.string_value FROM embeddings e CROSS JOIN segments s ON s.id = e.segment_id "
    "CROSS JOIN embedding_metadata t ON t.id = e.id AND t.key = ? "
    "JOIN embedding_metadata f ON f.id = e.id AND f.key = ? "
    "WHERE e.id > ? AND s.collection = ? AND s.scope = 'METADATA' AND t.int_value BETWEEN ? AND ? ORDER BY e.id LIMIT ?"
)
_UNKNOWN = object()
"""A number that is unlike any that can be read."""

_registry_lock = threading.Lock()
_locks: dict[str, FileLock] = {}
"""The locks that are held; they count how often."""
_kept: set[str] = set()
"""The directories whose lock is kept until the process ends."""
_directories: "weakref.WeakValueDictionary[str, Directory]" = weakref.WeakValueDictionary()
_watched: "weakref.WeakKeyDictionary[Any, Directory]" = weakref.WeakKeyDictionary()
"""The directory of each of Chroma's server objects: what is known of its indexes lasts as long as they do."""
_inherited: list[Any] = []


def _forget_after_fork() -> None:
    """A child holds none of its parent's locks: keep the objects from releasing them, and start afresh."""
    global _registry_lock
    _registry_lock = threading.Lock()
    bindings = [getattr(server, "bindings", None) for server in _watched]
    _inherited.extend([*_locks.values(), *_directories.values(), *bindings])
    for known in (_locks, _kept, _directories, _watched):
        known.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_after_fork)


def _acquire(path: str) -> FileLock:
    """Take a directory's writer lock, once more if this process has it; `StoreLockedError` if another one does."""
    with _registry_lock:
        lock = _locks.get(path) or FileLock(os.path.join(path, "memstrata.lock"), timeout=0, thread_local=False)
        try:
            lock.acquire()
        except Timeout as error:
            raise StoreLockedError(
                f"another process is writing to {path!r}; two writers on one directory lose data. "
                "Reading goes on; to write from several processes, start `chroma run` and use an HTTP client."
            ) from error
        _locks[path] = lock
        return lock


@contextmanager
def hold_directory(path: str) -> Iterator[None]:
    """Keep other processes from writing to a directory for a while; `StoreLockedError` if one does so now."""
    lock = _acquire(path)
    try:
        yield
    finally:
        with _registry_lock:
            lock.release()
            if not lock.is_locked:
                _locks.pop(path, None)


class Mark:
    """A small file of JSON that stands in a directory while something is under way there, and outlasts a kill."""

    def __init__(self, path: str | os.PathLike[str] | None, what: str, collection_id: Any, meaning: str) -> None:
        self.file = None if path is None else Path(path, f"memstrata-{what}-{collection_id}.json")
        self.meaning = meaning

    def __bool__(self) -> bool:
        return self.file is not None and self.file.exists()

    def stand(self, collection_name: str, **told: Any) -> None:
        """Write it, and be sure that it is on the disk before anything else is done."""
        if self.file is None:
            return
        with self.file.open("w") as opened:
            json.dump({"collection": collection_name, "meaning": self.meaning, **told}, opened, indent=1)
            opened.flush()
            os.fsync(opened.fileno())
        with suppress(OSError):  # not every system can
            entry = os.open(self.file.parent, os.O_RDONLY)
            os.fsync(entry)
            os.close(entry)

    def told(self) -> dict[str, Any]:
        """Return what it says: nothing if it does not stand, or was cut off while it was written."""
        try:
            return {} if self.file is None else dict(json.loads(self.file.read_text()))
        except (OSError, ValueError, TypeError):
            return {}

    def remove(self) -> None:
        """Take it away."""
        if self.file is not None:
            self.file.unlink(missing_ok=True)


def directory_of(server: Any) -> "Directory | None":
    """Return the directory that a server object of Chroma's works on, and begin to watch its indexes; `None` for none.

    Two server objects may work on one directory, under two spellings of its path.
    """
    settings = server.get_settings()
    if getattr(settings, "chroma_server_host", None) is not None or not settings.is_persistent:
        return None
    path = str(Path(settings.persist_directory).resolve())
    with _registry_lock:
        directory = _directories.get(path) or _directories.setdefault(path, Directory(path))
        if server not in _watched:
            directory.watch(server)
            _watched[server] = directory
    return directory


def applying(collection: Any) -> AbstractContextManager[None]:
    """Have the turn for one call that writes to a chromadb `Collection`, where it lies in a directory."""
    directory = directory_of(collection._client)
    return nullcontext() if directory is None else directory.turn.taken()


class Directory:
    """What the stores of one directory share in this process.

    Attributes:
        path: Where it is, resolved.
        turn: Taken for each call that writes, and where a server object starts.
        mutex: Held by a writer of whatever collection, taken before that of the collection itself: an index must not
            be loaded anew while a write changes it.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.turn = Turn(path)
        self.mutex = threading.RLock()
        self._settled: weakref.WeakKeyDictionary[Any, set[str]] = weakref.WeakKeyDictionary()
        self._loaded: weakref.WeakKeyDictionary[Any, dict[str, Any]] = weakref.WeakKeyDictionary()
        self._written: weakref.WeakKeyDictionary[Any, set[str]] = weakref.WeakKeyDictionary()
        self._looking = threading.Lock()
        self._database: tuple[Any, sqlite3.Connection] | None = None

    @property
    def locked(self) -> bool:
        """Whether this process holds the writer's lock."""
        return self.path in _locks

    def lock(self) -> None:
        """Take the writer's lock and keep it until the process ends; `StoreLockedError` if another one has it."""
        if self.path not in _kept:
            _acquire(self.path)
            _kept.add(self.path)

    def sequence(self, server: Any, collection_id: str) -> Any:
        """Return the number of a collection's last write; only equality counts; `StorageError` if that is not told."""
        return self._sequences(server, f"{_SEQUENCES} WHERE c.id = ?", collection_id).get(collection_id)

    def settle(self, server: Any, collection_id: str) -> None:
        """Let a server object apply what the log of a collection holds, if it has not done so since it started.

        Chroma would do it at the first call about the collection, whatever another process was doing then.
        """
        if collection_id not in self._settled.setdefault(server, set()):
            with self.turn.taken():
                self._settled[server].add(collection_id)
                try:
                    server._get(UUID(collection_id), ids=["-"], include=[])
                except Exception as error:  # what fails here fails again where somebody asks
                    if from_signal_handler(error):
                        raise

    def watch(self, server: Any) -> None:
        """Take note of what a server object has at least loaded, which may have been long ago: load it anew."""
        try:
            self._loaded[server] = self._sequences(server, _SEQUENCES)
        except StorageError as error:
            self._loaded[server] = {}
            logger.warning("%s; it can be read, and not written", error)
        else:
            _start(server)

    def renew(self, server: Any, collection_id: str, sequence: Any) -> bool:
        """Let a server object load its indexes anew if that of a collection may lack its last write; return whether."""
        if self._loaded[server].get(collection_id) == sequence:
            return False
        if not self.reload(server, collection_id):
            raise StoreLockedError(
                f"another client has written to {self.path!r} since this one opened it, and this version of chromadb "
                "cannot load its index anew: writing now would lose those vectors. Open the store in a new process."
            )
        logger.info("collection %s in %r was written elsewhere: its index was loaded anew", collection_id, self.path)
        return True

    def reload(self, server: Any, collection_id: str | None = None) -> bool:
        """Let a server object load its indexes anew, that of a collection at once; return whether chromadb can."""
        with self.turn.taken():
            known = self._sequences(server, _SEQUENCES)  # before they are loaded: then they are at least as new
            if not _start(server):
                return False
            self._settled.pop(server, None)
            if collection_id is not None:
                self.settle(server, collection_id)
        self._loaded[server] = known
        self._written.pop(server, None)
        return True

    def written(self, server: Any, collection_id: str) -> Any:
        """Take note of a write through a server object, and return its number."""
        if collection_id not in self._written.setdefault(server, set()):
            self._written[server].add(collection_id)
            zero_begun(Path(self.path))
        try:
            sequence = self.sequence(server, collection_id)
        except StorageError:
            sequence = _UNKNOWN
        self._loaded[server][collection_id] = sequence
        return sequence

    def spans(
        self, server: Any, collection_id: str, fields: Sequence[str | None], by: str, least: int, most: int
    ) -> list[Any]:
        """Return (id, start, end, beginning of a text) of the rows of a collection by a field's value, ends included.

        What Chroma has logged and not applied is not among them: let it count the rows first. `fields` of metadata hold
        start and end, integers, and the text, if one is wanted; `by` is the one that lies between `least` and `most`.
        """
        start, end, text = fields
        return self._ask(server, _SPANS, text, start, end, by, least, most, collection_id)

    def having(self, server: Any, collection_id: str, field: str, most: int) -> int:
        """Return how many rows of a collection have a field in their metadata, counted up to `most`; see `spans`."""
        [(count,)] = self._ask(server, _HAVING, field, collection_id, most)
        return int(count)

    def holders(
        self,
        server: Any,
        collection_id: str,
        fields: Sequence[str],
        values: Sequence[Any],
        after: tuple[str, int] | None = None,
    ) -> list[str]:
        """Return the ids of the rows of a collection in which any field has one of the values; see `spans`.

        These are texts or integers. `after` names a field and an instant, µs: that field must be greater in them.
        Chroma's own filters look at each row (20 ms at 200,000 of them); the database has an index (30 µs).
        """
        column = "string_value" if isinstance(values[0], str) else "int_value"
        question = _HOLDERS.format(", ".join("?" * len(fields)), column, ", ".join("?" * len(values)))
        question, more = (question, ()) if after is None else (question + _ENDING_AFTER, after)
        return [i for (i,) in self._ask(server, question, *fields, *values, collection_id, *more, patience=_BRIEF)]

    def texts(self, server: Any, collection_id: str, field: str, end: str, after: int, until: int) -> Iterator[Any]:
        """Yield (id, text of a field) of the rows of a collection whose field `end` lies in a span; see `spans`."""
        last = -1
        while found := self._ask(server, _TEXTS, end, field, last, collection_id, after, until, _PAGE, patience=_BRIEF):
            last = found[-1][0]
            yield from (row[1:] for row in found)

    def _sequences(self, server: Any, question: str, *values: str) -> dict[str, Any]:
        rows = self._ask(server, question, *values)
        if unknown := [collection_id for collection_id, segment, _ in rows if segment is None]:
            raise StorageError(f"collection {unknown[0]} in {self.path!r} has no layout that is known here")
        return {collection_id: sequence for collection_id, _, sequence in rows}

    def _ask(self, server: Any, question: str, *values: Any, patience: float | None = None) -> list[Any]:
        """Ask the database; `StorageError` if it does not tell within so many seconds.

        No lock keeps Chroma out, see `_open`, so what is read while somebody commits is read again.
        """
        give_up = time.monotonic() + (_BUSY if patience is None else patience)
        while True:
            try:
                with self._looking:
                    database = self._open()
                    before = self._commits(database)
                    found = database.execute(question, values).fetchall() if before is not None else []
                    if before is not None and before == self._commits(database):
                        return found
                    database.execute("PRAGMA shrink_memory")  # pages of half a commit
                problem: object = "others keep writing to it"
            except (sqlite3.Error, OSError, ValueError) as error:
                problem = error
                if not self._journal.exists():
                    give_up = 0.0
            if time.monotonic() > give_up:
                raise StorageError(f"the database in {self.path!r} does not tell what was written to it ({problem})")
            # a write of this process, or one that a kill cut off, which Chroma takes back when it looks
            with suppress(Exception):  # what fails here fails again where somebody asked for it
                server.count_collections()
            time.sleep(_PAUSE)

    @property
    def _journal(self) -> Path:
        return Path(self.path, f"{_FILE}-journal")

    def _commits(self, database: sqlite3.Connection) -> int | None:
        """Return what changes with every commit; `None` while one is under way, or was cut off.

        From before the first page is written until the last one is, a journal stands that does not begin with a zero.
        """
        [(number,)] = database.execute("PRAGMA data_version").fetchall()
        with suppress(FileNotFoundError), self._journal.open("rb") as opened:
            if opened.read(1) not in (b"", b"\0"):
                return None
        return int(number)

    def _open(self) -> sqlite3.Connection:
        """Return a connection to the database that is there now.

        The locks of SQLite are the process's, and this library does not see those that Chroma's holds: the end of a
        read would drop them, and let another process in amid a commit. So it takes none, and only ever reads: to one
        that may write, Chroma's transaction is what a crash left, to be taken back. And it stays open while Chroma
        works there, since closing it would drop Chroma's locks.
        """
        file = Path(self.path, _FILE)
        found = file.stat()
        which = (found.st_dev, found.st_ino, os.getpid())
        if self._database is None or self._database[0] != which:
            _inherited.append(self._database)
            database = sqlite3.connect(f"{file.as_uri()}?mode=ro&nolock=1", uri=True, check_same_thread=False)
            self._database = which, database
        return self._database[1]


def _start(server: Any) -> bool:
    """Start a server object of Chroma's again, which makes it load its indexes anew; return whether it did.

    Calls under way end with what they began with.
    """
    before = getattr(server, "bindings", None)
    server.start()
    return getattr(server, "bindings", None) is not before
