"""What a model answered, kept in one SQLite file: for threads, for several processes, and across runs."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from filelock import FileLock

__all__ = ["AnswerCache", "cache_key", "default_cache_path"]

logger = logging.getLogger(__name__)

_T = TypeVar("_T")
_LOCK_LIMIT_S = 30.0  # how long another process may hold the file
_MOST_VARIABLES = 500
_SCHEMA = "CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, answer TEXT NOT NULL) WITHOUT ROWID"


def cache_key(*parts: str) -> bytes:
    """Return a key for an answer, from everything that decides it."""
    return hashlib.blake2b(json.dumps(parts).encode(), digest_size=16).digest()


def default_cache_path() -> Path:
    """Return where ``cache=True`` keeps answers: below ``$XDG_CACHE_HOME``, or below ``~/.cache``."""
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "memstrata" / "answers.sqlite3"


class AnswerCache:
    """A persistent map from keys to answers.

    A file that is no database, or a damaged one, is set aside under another name with a warning,
    and a new one is begun. A cache that cannot be read or written is no reason to fail: it warns
    once, and the model is asked. Keys are hashes; answers hold pieces of the texts, so that
    `delete` overwrites them on disk (SQLite's ``secure_delete``).
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Use the file at `path`; it and its folder are made when they are first needed."""
        self.path = Path(path)
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._process = os.getpid()
        self._warned = False

    def get_many(self, keys: Sequence[bytes]) -> dict[bytes, Any]:
        """Return the answers that are known, by key."""
        if not keys:
            return {}

        def read(connection: sqlite3.Connection) -> dict[bytes, Any]:
            found: dict[bytes, Any] = {}
            for start in range(0, len(keys), _MOST_VARIABLES):
                some = keys[start : start + _MOST_VARIABLES]
                marks = ",".join("?" * len(some))
                rows = connection.execute(f"SELECT key, answer FROM answers WHERE key IN ({marks})", some)
                found.update((key, json.loads(answer)) for key, answer in rows)
            return found

        return self._with(read, {})

    def put_many(self, answers: Iterable[tuple[bytes, Any]]) -> None:
        """Keep answers, JSON values; a known key gets the new one."""
        rows = [(key, json.dumps(answer)) for key, answer in answers]

        def write(connection: sqlite3.Connection) -> None:
            with connection:
                connection.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?)", rows)

        if rows:
            self._with(write, None)

    def delete(self, keys: Sequence[bytes]) -> None:
        """Erase answers."""

        def erase(connection: sqlite3.Connection) -> None:
            with connection:
                connection.executemany("DELETE FROM answers WHERE key = ?", [(key,) for key in keys])

        if keys and self.path.exists():
            self._with(erase, None)

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None

    def __getstate__(self) -> dict[str, Any]:
        return {"path": self.path}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["path"])  # type: ignore[misc]

    def __len__(self) -> int:
        def count(connection: sqlite3.Connection) -> int:
            return int(connection.execute("SELECT count(*) FROM answers").fetchone()[0])

        return self._with(count, 0)

    def _with(self, act: Callable[[sqlite3.Connection], _T], otherwise: _T) -> _T:
        with self._lock:
            for last in (False, True):
                try:
                    return act(self._open())
                except (sqlite3.Error, OSError, ValueError) as error:
                    # locked, read-only and their like are OperationalErrors; ValueError: an answer that is no JSON
                    damaged = type(error) is sqlite3.DatabaseError or isinstance(error, ValueError)
                    self.close()
                    if damaged and not last and self._set_aside(error):
                        continue
                    if not self._warned:
                        self._warned = True
                        logger.warning("answers are not cached: %s cannot be used (%s)", self.path, error)
                    return otherwise
            return otherwise  # pragma: no cover - the loop returns

    def _open(self) -> sqlite3.Connection:
        if self._connection is not None and self._process != os.getpid():
            self._connection = None  # of the parent before a fork: not ours to use, nor to close
        if self._connection is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self.path, timeout=_LOCK_LIMIT_S, check_same_thread=False)
            try:
                connection.execute("PRAGMA secure_delete = ON")
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.execute(_SCHEMA)
                connection.commit()
            except sqlite3.Error:
                connection.close()
                raise
            self._connection, self._process = connection, os.getpid()
        return self._connection

    def _set_aside(self, error: Exception) -> bool:
        """Move a damaged file away, once, whatever other processes do at that moment."""
        try:
            with FileLock(f"{self.path}.lock", timeout=_LOCK_LIMIT_S):
                if not self.path.exists() or self._sound():
                    return True  # another process was faster
                number = 1
                while (aside := self.path.with_name(f"{self.path.name}.damaged-{number}")).exists():
                    number += 1
                self.path.replace(aside)
                for suffix in ("-journal", "-wal", "-shm"):
                    self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
        except (OSError, TimeoutError):
            return False
        logger.warning("the cache %s is damaged (%s); it is now %s, and a new one begins", self.path, error, aside)
        return True

    def _sound(self) -> bool:
        try:
            connection = sqlite3.connect(self.path, timeout=_LOCK_LIMIT_S)
            try:
                sound = connection.execute("PRAGMA quick_check").fetchone()[0] == "ok"
                for (answer,) in connection.execute("SELECT answer FROM answers"):
                    json.loads(answer)
            finally:
                connection.close()
        except (sqlite3.Error, ValueError):
            return False
        return bool(sound)
