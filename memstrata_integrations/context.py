"""`with as_of(t):` sets the time that reads ask about, for callers that pass no keyword."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from memstrata_integrations.ledger.time import Instant, to_instant

__all__ = ["ambient", "as_of"]

_AMBIENT: ContextVar[tuple[int | None, int | None]] = ContextVar("memstrata_as_of", default=(None, None))


@contextmanager
def as_of(instant: Instant | None, *, known_at: Instant | None = None) -> Iterator[None]:
    """Answer every read inside the block as of `instant`.

    It travels with the context: coroutines, tasks and LangChain's executors see it, plain `threading.Thread`s do not. A
    keyword argument on the call itself goes before it.

    Args:
        instant: Valid time, as `to_instant` accepts it; `None` means now.
        known_at: Transaction time; `None` means what is known now.

    Example:
        >>> with as_of("2024-03-01"):
        ...     pass  # retriever.invoke("Which port?") answers as of 1 March 2024
    """
    asked = None if instant is None else to_instant(instant, name="as_of")
    known = None if known_at is None else to_instant(known_at, name="known_at")
    token = _AMBIENT.set((asked, known))
    try:
        yield
    finally:
        _AMBIENT.reset(token)


def ambient() -> tuple[int | None, int | None]:
    """Return (as_of, known_at) of the innermost block, in µs."""
    return _AMBIENT.get()
