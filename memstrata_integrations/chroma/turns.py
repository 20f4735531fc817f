"""Whose turn it is to apply writes to a directory: a writer's for one call, or that of a client that starts.

Chroma logs a write, and applies what its log holds beyond what was applied. A client that starts does that too; one
that had read the log when another process wrote the same row twice more would put the first of these writes back.
"""

import logging
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

if sys.platform == "win32":  # pragma: no cover
    from filelock import FileLock
else:
    import fcntl  # a turn takes 16 µs; with FileLock 300, which is too much for each call

logger = logging.getLogger("memstrata_integrations")

_PATIENCE = 60.0  # seconds: nobody holds it longer than a call of Chroma's, unless he was stopped
_PAUSE = 0.001


class Turn:
    """A directory's turn, among threads and processes; once more for a thread that has it.

    One object for a directory and process: to the system another one is another process.
    """

    def __init__(self, path: str) -> None:
        self._file = str(Path(path, "memstrata-turn.lock"))
        self._thread = threading.RLock()
        self._depth = 0
        self._patience = _PATIENCE

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Wait for the turn, and have it; where files cannot be locked, and after a minute, go on without it."""
        with self._thread:
            if self._depth:
                yield
                return
            self._depth += 1
            try:
                with _locked(self._file, self._patience) as held:
                    self._patience = _PATIENCE if held else _PAUSE
                    yield
            finally:
                self._depth -= 1


@contextmanager
def _locked(file: str, patience: float) -> Iterator[bool]:
    if sys.platform == "win32":  # pragma: no cover
        lock = FileLock(file, timeout=patience, poll_interval=_PAUSE)
        with suppress(OSError):
            lock.acquire()
        try:
            yield lock.is_locked
        finally:
            lock.release()
        return
    try:
        opened = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError:  # nothing can be written there
        yield True
        return
    try:
        yield _wait_for(opened, file, patience)
    finally:
        with suppress(OSError):
            fcntl.flock(opened, fcntl.LOCK_UN)  # a child may have inherited it
        os.close(opened)


def _wait_for(opened: int, file: str, patience: float) -> bool:
    """Wait until a file is locked; return whether it is, or cannot be."""
    give_up = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() > give_up:
                logger.warning("%s is held by a process that was perhaps stopped: going on without it", file)
                return False
            time.sleep(_PAUSE)
        except OSError:  # no such locks there
            return True
