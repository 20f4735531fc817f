"""Who calls a store, a thread or a task: what its last write did, and what it awaits."""

import asyncio
import threading
import weakref
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, TypeVar

from typing_extensions import ParamSpec

from memstrata_integrations.ledger.changes import Changes

P = ParamSpec("P")
R = TypeVar("R")


class LastChanges:
    """What the last write of each thread or task did."""

    def __init__(self) -> None:
        self._changes: weakref.WeakKeyDictionary[Any, Changes] = weakref.WeakKeyDictionary()

    def recall(self) -> Changes | None:
        """Return those of whoever calls."""
        return self._changes.get(_caller())

    def keep(self, changes: Changes) -> Changes:
        """Keep a write's changes as the last ones of whoever calls."""
        self._changes[_caller()] = changes
        return changes


def _caller() -> Any:
    try:
        task = asyncio.current_task()
    except RuntimeError:
        task = None
    return task or threading.current_thread()


def asynchronous(method: Callable[P, R], name: str = "") -> Callable[P, Coroutine[Any, Any, R]]:
    """Return a method that runs another in a thread; what that wrote are the last changes of the task that awaits.

    Its `name` is by default that of the other behind an "a".
    """

    @wraps(method)
    async def call(*args: P.args, **kwargs: P.kwargs) -> R:
        store: Any = args[0]

        def run() -> tuple[R, Changes | None]:
            before = store.last_changes  # of others, that had this thread before
            try:
                found = getattr(store, method.__name__)(*args[1:], **kwargs)
            except StopIteration as error:  # which no future can raise: whoever awaits it would wait for ever
                raise RuntimeError(f"{method.__name__} raised StopIteration") from error
            after = store.last_changes
            return found, None if after is before else after

        found, changes = await asyncio.to_thread(run)
        if changes is not None:
            store._session.last.keep(changes)
        return found

    call.__name__ = name or f"a{method.__name__}"
    call.__qualname__ = f"{method.__qualname__.rpartition('.')[0]}.{call.__name__}"
    call.__doc__ = f"Like `{method.__name__}`, asynchronously."
    return call
