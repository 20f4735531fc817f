"""What a store does, in a thread, for those who await it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from typing_extensions import ParamSpec

if TYPE_CHECKING:
    from memstrata_integrations.ledger.changes import Changes

P = ParamSpec("P")
R = TypeVar("R")


def asynchronous(method: Callable[P, R]) -> Callable[P, Coroutine[Any, Any, R]]:
    """Return a method that runs another in a thread; what that wrote are the last changes of the task that awaits."""

    @wraps(method)
    async def call(*args: P.args, **kwargs: P.kwargs) -> R:
        store: Any = args[0]

        def run() -> tuple[R, Changes | None]:
            before = store.last_changes  # of others, that had this thread before
            found = getattr(store, method.__name__)(*args[1:], **kwargs)
            after = store.last_changes
            return found, None if after is before else after

        found, changes = await asyncio.to_thread(run)
        if changes is not None:
            store._session.recall(changes)
        return found

    call.__doc__ = f"Like `{method.__name__}`, asynchronously."
    return call
