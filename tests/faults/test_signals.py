"""What a signal handler raises reaches the caller, wherever the signal came; a fault of reading costs facts alone."""

import functools
import signal
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import Mock

import pytest

from memstrata_integrations import GrammarExtractor
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.extraction import grammar
from memstrata_integrations.lexical import LexicalEmbeddings
from tests.stateful.opening import in_memory

TEXT = "The API port is 8080."
pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="this system has no SIGUSR1 to send")


class StopError(Exception):
    """An error of a user's own."""


class Raising:
    def __init__(self, error: BaseException) -> None:
        self.error = error

    def method(self, number: int, frame: Any) -> None:
        raise self.error

    def resetting(self, number: int, frame: Any) -> None:
        signal.signal(signal.SIGUSR1, signal.SIG_DFL)
        self.method(number, frame)

    def __call__(self, *given: Any) -> None:
        raise self.error


HANDLERS: dict[str, Callable[[Raising], Any]] = {
    "method": lambda raising: raising.method,
    "resetting": lambda raising: raising.resetting,
    "object": lambda raising: raising,
    "partial": lambda raising: functools.partial(Raising.method, raising),
    "lambda": lambda raising: lambda *_: raising(),
}
ERRORS = [KeyboardInterrupt(), SystemExit(1), TimeoutError("slow"), StopError(), ValueError("mine"), KeyError(1)]


@pytest.fixture
def reading(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Let something happen whenever a certain text is read; the handler of signals is as before in the end."""
    before = signal.getsignal(signal.SIGUSR1)
    real = grammar.statements

    def install(wanted: str, happens: Callable[[], object]) -> None:
        def statements(text: str, *args: Any) -> Any:
            if text == wanted:
                happens()
            return real(text, *args)

        monkeypatch.setattr(grammar, "statements", statements)

    yield install
    signal.signal(signal.SIGUSR1, before)


@pytest.mark.parametrize(("kind", "error"), [*(("method", e) for e in ERRORS), *((k, ERRORS[4]) for k in HANDLERS)])
def test_what_a_handler_raises_reaches_the_caller(reading: Any, kind: str, error: Any) -> None:
    """Of whatever kind it is, and however the handler is written, the write ends with it and stores nothing."""
    store = TemporalCollection(in_memory(), embedding_function=LexicalEmbeddings())
    reading(TEXT, lambda: signal.raise_signal(signal.SIGUSR1))
    signal.signal(signal.SIGUSR1, HANDLERS[kind](Raising(error)))
    with pytest.raises(type(error)):
        store.add(ids=["a"], documents=[TEXT])
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    assert store.count() == 0
    store.add(ids=["a"], documents=[TEXT])
    assert [e.object for e in store.history("API port")] == ["8080"]
    assert store.verify() == []


@pytest.mark.parametrize("error", [ValueError, IndexError, KeyError, TypeError, RecursionError])
def test_a_fault_of_reading_costs_one_text_its_facts(reading: Any, error: type[Exception]) -> None:
    """The others of the batch keep theirs."""
    reading("odd", Mock(side_effect=error))
    odd, sound = GrammarExtractor().extract(["odd", TEXT])
    assert (odd.facts, odd.prose) == ((), True)
    assert [f.object for f in sound.facts] == ["8080"]  # type: ignore[union-attr]


@pytest.mark.parametrize("error", [TimeoutError, MemoryError, StopError])
def test_what_reading_never_raises_is_no_fault_of_it(reading: Any, error: type[Exception]) -> None:
    """A timeout that is put into the thread by other means than a signal gets through as well."""
    reading("odd", Mock(side_effect=error))
    with pytest.raises(error):
        GrammarExtractor().extract(["odd", TEXT])
