"""A store that a history is told to, step by step, and what a plain model says is left of each text of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from memstrata_integrations.redaction import Stated, redact

from .opening import in_memory, open_afresh
from .toy import TestClock, moment, write

NOW = 10_000
TICK = 100


class Story:
    """A collection in memory, with a clock that ticks after each change."""

    def __init__(self, now: int = NOW, **options: Any) -> None:
        self.raw, self.clock, self.options = in_memory(), TestClock(now), options
        self.reopen()

    def reopen(self) -> None:
        """Forget everything that this process knows."""
        self.store = open_afresh(self.raw, self.clock, **self.options)

    def after(self, changes: Any) -> Any:
        self.clock.advance(TICK)
        return changes

    def write(self, metadata: Any = None, **texts: str) -> Any:
        return self.after(write(self.store, metadata, **texts))

    def undo(self, changes: Any) -> None:
        self.after(self.store.undo(changes))

    def view(self, t: int, known_at: int | None = None) -> list[tuple[str, str]]:
        """Return the ids and texts that are served at an instant."""
        found = self.store.get(as_of=moment(t), known_at=None if known_at is None else moment(known_at))
        return sorted(zip(found["ids"], found["documents"], strict=True))


def facts_of(told: Iterable[tuple[int, Sequence[str]]]) -> list[tuple[int, str, str]]:
    """Return the facts that texts begin with, from when on each is told."""
    first = [(at, text.split("; ")[0]) for at, texts in told for text in texts]
    return [(at, *said.split("=")) for at, said in first if "=" in said]  # type: ignore[misc]


def left_of(text: str, at: int, facts: Sequence[tuple[int, str, str]]) -> list[str]:
    """Return what is served of a text that is told from an instant on: all, a part or nothing.

    Its fact is live while none of a later date says otherwise (rule 1).
    """
    first = text.split("; ")[0]
    mine = facts_of([(at, [text])])
    live = not any(key == k and value != v and start > at for _, key, value in mine for start, k, v in facts)
    stated = [Stated((0, len(first)), value, live) for _, _, value in mine]
    return [redact(text, stated)] if live or ";" in text else []
