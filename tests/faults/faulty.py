"""A chromadb collection whose n-th change fails, and what a reader sees around it."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from memstrata_integrations.chroma import both as _both
from memstrata_integrations.chroma import compacting as _compacting
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.chroma.fields import PENDING, SHADOW, TO
from memstrata_integrations.chroma.session import Session
from memstrata_integrations.chroma.state import SharedState
from memstrata_integrations.options import Options
from tests.stateful.toy import TestClock, ToyExtractor, moment, vector

LIMIT = 6
"""How many rows one call may carry in these tests."""

DOCUMENTS = [*"abcdef", *(f"n{n}" for n in range(9))]
"""Every document that a scenario writes: asked for by name, the same ones before, amid and after a write."""

View = dict[tuple[Any, ...], Any]
"""What a reader gets, by what was asked."""


class InjectedFaultError(Exception):
    """Raised in the place of a change, or right after it."""


class Instead:
    """Passes everything on to an object but some methods, which are done otherwise.

    What is done instead gets the object's own method, and the arguments.
    """

    def __init__(self, raw: Any, **methods: Callable[..., Any]) -> None:
        self._raw, self._methods = raw, methods

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._raw, name)
        return partial(self._methods[name], found) if name in self._methods else found


class FaultyCollection(Instead):
    """A chromadb collection that fails at one of its changes.

    Attributes:
        calls: How many changes were asked for.
        fail_at: Which of them raises, from 1; 0 for none.
        after: Whether it takes effect before it raises.
        watch: Called before and after each change takes effect.
    """

    def __init__(self, raw: Any, *, fail_at: int = 0, after: bool = False) -> None:
        super().__init__(raw, **self.changing())
        self.calls = 0
        self.fail_at = fail_at
        self.after = after
        self.watch: Callable[[str], None] | None = None

    def changing(self) -> dict[str, Callable[..., Any]]:
        """Return what is done instead of each change."""
        return {name: partial(self._change, name) for name in ("add", "upsert", "update", "delete")}

    def _change(self, name: str, call: Callable[..., Any], **columns: Any) -> Any:
        self.calls += 1
        n = self.calls
        assert len(columns["ids"]) <= LIMIT, f"{name} of {len(columns['ids'])} rows, more than Chroma takes"
        if self.watch is not None:
            self.watch(f"before change {n}, {name}")
        if n == self.fail_at and not self.after:
            raise InjectedFaultError(f"change {n}, {name}, before it took effect")
        found = call(**columns)
        if self.watch is not None:
            self.watch(f"after change {n}, {name}")
        if n == self.fail_at:
            raise InjectedFaultError(f"change {n}, {name}, after it took effect")
        return found


def fail_in_the_history_too(patch: pytest.MonkeyPatch) -> None:
    """Let the changes of a faulty collection's history fail like its own, and be counted with them."""

    def faulty(real: Callable[..., Any]) -> Callable[..., Any]:
        def found(collection: Any, *args: Any) -> Any:
            history = real(collection, *args)
            wrapped = history is not None and isinstance(collection, FaultyCollection)
            return Instead(history, **collection.changing()) if wrapped else history

        return found

    patch.setattr(_both, "history_of", faulty(_both.history_of))
    patch.setattr(_compacting, "_made", faulty(_compacting._made))


class _OtherProcess(SharedState):
    """What a process knows that does not hold the lock: nothing that it could rely on."""

    exclusive = False  # type: ignore[assignment]


def open_elsewhere(collection: Any, clock: TestClock, **options: Any) -> TemporalCollection:
    """Open a collection for reading as a process that doesn't write."""
    chosen = Options.of("TemporalCollection", {"extractor": ToyExtractor(), "clock": clock, **options})
    return TemporalCollection.opened(Session(collection, None, chosen, _OtherProcess(collection)))


def view(store: TemporalCollection, instants: list[int], known_at: int, *, but: str = "noise") -> View:
    """Return all that a reader gets at some instants, texts under the id `but` left out."""
    found: View = {}
    for t in instants:
        at = moment(t)
        found["get", t] = _counted(store.get(as_of=at), but)
        found["count", t] = store.count(as_of=at) - (but in store.get(as_of=at)["ids"])
        found["ids", t] = _counted(store.get(ids=DOCUMENTS, as_of=at), but)
        nearest = store.query(query_embeddings=[vector("target")], n_results=50, as_of=at)
        found["query", t] = _counted({k: nearest[k][0] for k in ("ids", "documents", "metadatas")}, but)
        found["known", t] = _counted(store.get(as_of=at, known_at=moment(known_at)), but)
    found["all",] = _counted(store.get(include_superseded=True), but)
    return found


def _counted(found: Any, but: str) -> Counter[tuple[Any, ...]]:
    # Chroma 1.5.9 gives lists in the metadata of a deleted collection to the rows that are written next, whosever
    told = [{k: v for k, v in (m or {}).items() if not isinstance(v, list)} for m in found["metadatas"]]
    rows = zip(found["ids"], found["documents"], told, strict=True)
    return Counter((i, d, tuple(sorted(m.items()))) for i, d, m in rows if i != but)


def compare(got: View, allowed: list[View], where: str) -> int:
    """Assert that a view is one of those allowed, and return which."""
    if got in allowed:
        return allowed.index(got)
    nearest = max(allowed, key=lambda want: sum(found == want[asked] for asked, found in got.items()))
    wrong = [asked for asked, found in got.items() if found != nearest[asked]]
    asked = min(wrong, key=lambda a: isinstance(got[a], int))
    told = f"{asked}: got {_told(got[asked])}, where state {allowed.index(nearest)} has {_told(nearest[asked])}"
    raise AssertionError(f"{where}: seen neither as before nor as after in {len(wrong)} reads. {told}")


def compare_each(got: View, allowed: list[View], where: str) -> None:
    """Assert that each single read of a view is as in one of those allowed."""
    for asked, found in got.items():
        states = [want[asked] for want in allowed]
        assert found in states, f"{where}, {asked}: got {_told(found)}, allowed are {'; '.join(map(_told, states))}"


def left_pending(raw: Any) -> list[str]:
    """Return the rows that are marked as of a write which is under way."""
    stored = raw.get(include=["metadatas"])
    rows = zip(stored["ids"], stored["metadatas"], strict=True)
    return [i for i, m in rows if m and (m.get(TO) == PENDING or SHADOW in m)]


def _told(found: Any) -> str:
    return str(found if isinstance(found, int) else sorted((i, d) for i, d, _ in found.elements()))
