"""Reads of a server's collection that are one call, which is taken for one moment."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class SecondCallError(Exception):
    """Raised in the place of a second look into a collection, where only one was allowed."""


class CountedCollection:
    """Passes everything on to a chromadb `Collection`, and counts the looks of a thread that allowed itself one."""

    def __init__(self, raw: Any) -> None:
        """Pass on to `raw`."""
        self._raw = raw
        self._left = threading.local()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._raw, name)

    @contextmanager
    def only_one_call(self) -> Iterator[None]:
        """Let this thread look once.

        Raises:
            SecondCallError: Where it would look again.
        """
        self._left.calls = 1
        try:
            yield
        finally:
            self._left.calls = None

    def _count(self) -> None:
        left = getattr(self._left, "calls", None)
        if left == 0:
            raise SecondCallError
        if left is not None:
            self._left.calls = left - 1

    def get(self, *args: Any, **kwargs: Any) -> Any:
        """Look rows up."""
        self._count()
        return self._raw.get(*args, **kwargs)

    def query(self, *args: Any, **kwargs: Any) -> Any:
        """Find neighbours."""
        self._count()
        return self._raw.query(*args, **kwargs)

    def count(self) -> int:
        """Count rows."""
        self._count()
        return int(self._raw.count())
