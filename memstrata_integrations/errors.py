"""Every error this package raises on purpose, under one root.

Each message names the offending value and the way out; causes are chained.
"""

from typing import Any


class MemstrataError(Exception):
    """Root of every error raised by this package."""


class InvalidInputError(MemstrataError, ValueError):
    """An argument that cannot be used as given; nothing was written."""


class ConflictError(MemstrataError):
    """A write that contradicts what the collection or its policy allows; nothing was written.

    Attributes:
        report: What the write would have changed, as `plan(...)` tells it.
    """

    def __init__(self, message: str = "", *, report: str = "") -> None:
        super().__init__(message)
        self.report = report


class MissingDependencyError(MemstrataError, ImportError):
    """An optional package is not installed; the message names the extra that brings it."""


class StorageError(MemstrataError):
    """The store beneath cannot serve the request."""


class StoreLockedError(StorageError):
    """Another process is writing to this directory."""


class IndexDamagedError(StorageError):
    """The vector index cannot be opened, or lacks rows under repair; the documents can still be recovered."""


class ErasureIncompleteError(StorageError):
    """What was purged is deleted and served to nobody, and files still hold it; another call finishes the erasure.

    Attributes:
        changes: The `Changes` of the purge; its `remains` says where.
    """

    def __init__(self, message: str = "", *, changes: Any = None) -> None:
        super().__init__(message)
        self.changes = changes


class SchemaVersionError(StorageError):
    """The collection was written by an incompatible version of this package."""


def from_signal_handler(error: BaseException) -> bool:
    """Tell whether a signal handler raised an error, which is then nobody's to catch who did not install it.

    Python hands a handler the frame that it interrupts: that is seen in the traceback.
    """
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        interrupted, step = step.tb_frame, step.tb_next
        given = step.tb_frame.f_locals.values()
        if any(interrupted is one for value in given for one in (value if isinstance(value, tuple) else (value,))):
            return True
    return False
