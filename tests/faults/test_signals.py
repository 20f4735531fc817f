"""What a signal handler raises reaches the caller, wherever the signal came; a fault of reading costs facts alone."""

from __future__ import annotations

import functools
import signal
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import chromadb
import pytest

from memstrata_integrations import GrammarExtractor
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.extraction import grammar
from memstrata_integrations.lexical import LexicalEmbeddings

TEXT = "The API port is 8080."
pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="this system has no SIGUSR1 to send")


class StopError(Exception):
    """An error of a user's own."""


class Raising:
    """Ways to write a handler that raises."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def method(self, number: int, frame: Any) -> None:
        """Handle a signal."""
        raise self.error

    def resetting(self, number: int, frame: Any) -> None:
        """Handle a signal, once."""
        signal.signal(signal.SIGUSR1, signal.SIG_DFL)
        self.method(number, frame)

    def __call__(self, *given: Any) -> None:
        """Handle a signal."""
        raise self.error


@pytest.fixture
def signalled(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Any], None]]:
    """Let a signal with a given handler come while a text is read."""
    before = signal.getsignal(signal.SIGUSR1)
    real = grammar.statements

    def during(*args: Any, **kwargs: Any) -> Any:
        signal.raise_signal(signal.SIGUSR1)
        return real(*args, **kwargs)

    def install(handler: Any) -> None:
        signal.signal(signal.SIGUSR1, handler)
        monkeypatch.setattr(grammar, "statements", during)

    yield install
    signal.signal(signal.SIGUSR1, before)


@pytest.fixture
def store() -> TemporalCollection:
    """An empty collection in memory."""
    raw = chromadb.EphemeralClient().create_collection(f"s-{uuid.uuid4()}", embedding_function=None)
    return TemporalCollection(raw, embedding_function=LexicalEmbeddings())


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt(), SystemExit(1), TimeoutError("slow"), StopError(), ValueError("mine"), KeyError(1)]
)
def test_what_a_handler_raises_reaches_the_caller(store: TemporalCollection, signalled: Any, error: Any) -> None:
    """Of whatever kind it is, the write ends with it and stores nothing."""
    signalled(Raising(error).method)
    with pytest.raises(type(error)):
        store.add(ids=["a"], documents=[TEXT])
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    assert store.count() == 0
    store.add(ids=["a"], documents=[TEXT])
    assert [e.object for e in store.history("API port")] == ["8080"]
    assert store.verify() == []


HANDLERS: dict[str, Callable[[Raising], Any]] = {
    "method": lambda raising: raising.method,
    "resetting": lambda raising: raising.resetting,
    "object": lambda raising: raising,
    "partial": lambda raising: functools.partial(Raising.method, raising),
    "lambda": lambda raising: lambda *_: raising(),
}


@pytest.mark.parametrize("kind", HANDLERS)
def test_a_handler_is_known_however_it_is_written(signalled: Any, kind: str) -> None:
    """It is told by the frame that it is handed, not by its name."""
    signalled(HANDLERS[kind](Raising(ValueError("mine"))))
    with pytest.raises(ValueError, match="mine"):
        GrammarExtractor().extract([TEXT])


@pytest.mark.parametrize("error", [ValueError, IndexError, KeyError, TypeError, RecursionError])
def test_a_fault_of_reading_costs_one_text_its_facts(monkeypatch: pytest.MonkeyPatch, error: type[Exception]) -> None:
    """The others of the batch keep theirs."""
    real = grammar.statements

    def faulty(text: str, *args: Any) -> Any:
        if text == "odd":
            raise error
        return real(text, *args)

    monkeypatch.setattr(grammar, "statements", faulty)
    odd, sound = GrammarExtractor().extract(["odd", TEXT])
    assert (odd.facts, odd.prose) == ((), True)
    assert [f.object for f in sound.facts] == ["8080"]  # type: ignore[union-attr]


@pytest.mark.parametrize("error", [TimeoutError, MemoryError, StopError])
def test_what_reading_never_raises_is_no_fault_of_it(monkeypatch: pytest.MonkeyPatch, error: type[Exception]) -> None:
    """A timeout that is put into the thread by other means than a signal gets through as well."""

    def stopped(*_: Any) -> Any:
        raise error

    monkeypatch.setattr(grammar, "statements", stopped)
    with pytest.raises(error):
        GrammarExtractor().extract([TEXT])
