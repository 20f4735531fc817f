"""Short stories of a store, told in steps through any door: what is written, when, and what is served then."""

from collections.abc import Callable
from typing import Any

import pytest

from memstrata_integrations.errors import InvalidInputError

from .doors import Door
from .llama import NOISE, QUESTION

Step = tuple[Callable[[Door], Any], Any]
ANYTHING: Any = ...


def put(*texts: str, **how: Any) -> Step:
    return lambda d: d.write(*texts, **how), ANYTHING


def at(now: str) -> Step:
    return lambda d: d.clock.set(now), ANYTHING


def delete(*ids: str) -> Step:
    return lambda d: d.delete(*ids), ANYTHING


def serves(*said: str, **asked: Any) -> Step:
    """A search finds these sentences about the port and no others."""
    return lambda d: sorted(t for t in d.search(QUESTION, **asked) if t.startswith("The API port")), sorted(said)


def holds(expected: dict[str, str], **asked: Any) -> Step:
    """Of these ids and of no others among `ids` (by default these), the texts are these."""
    ids = asked.pop("ids", list(expected))
    return lambda d: d.texts(*ids, **asked), expected


def keeps(*said: str, **asked: Any) -> Step:
    """Beside the noise these texts are served."""
    return lambda d: sorted(t for t in d.served(**asked) if t not in NOISE), sorted(said)


def retract(*named: str, **how: Any) -> Step:
    return lambda d: d.store.retract(*named, **how), ANYTHING


def undo(named: str | None = None, **how: Any) -> Step:
    """Take back the last write, the one that was noted so, or the last one of a text."""
    return lambda d: d.store.undo(d.noted.get(named, named) if named else d.collection.last_changes, **how), ANYTHING


def note(name: str) -> Step:
    return lambda d: d.noted.update({name: d.collection.last_changes}), ANYTHING


def state(*facts: Any, **how: Any) -> Step:
    return lambda d: d.store.add_facts(list(facts), **how), ANYTHING


def sync(source: str, *texts: str, told: dict[str, Any] | None = None, **how: Any) -> Step:
    """Say all that a source holds; the changes have these attributes."""

    def call(d: Door) -> dict[str, Any]:
        changes = d.sync(source, *texts, **how)
        return {name: getattr(changes, name) for name in told or ()}

    return call, told or ANYTHING


def embeds(*texts: str) -> Step:
    """Since this was asked last, these texts were embedded and no others."""

    def call(d: Door) -> list[str]:
        found = list(d.embedded)
        d.embedded.clear()
        return found

    return call, list(texts)


def unchanged(*steps: Step) -> Step:
    def call(d: Door) -> bool:
        before = d.rows()
        for one, _ in steps:
            one(d)
        return bool(d.rows() == before)

    return call, True


def supersede(old: str, new: str) -> Step:
    return lambda d: d.store.supersede(old, new), ANYTHING


def values(expected: list[Any], *named: str, **how: Any) -> Step:
    return lambda d: d.store.history(*named, **how).values, expected


def refuses(told: str, call: Callable[[Door], Any], error: type[Exception] = InvalidInputError) -> Step:
    """A call is refused, and the error says this."""

    def refused(d: Door) -> None:
        with pytest.raises(error, match=told):
            call(d)

    return refused, None


def each_day(*said: str, days: str) -> list[Step]:
    """The same texts are served at each of these times, named with spaces between them."""
    return [keeps(*said, as_of=day) for day in days.split()]


def go_through(door: Door, steps: list[Step]) -> None:
    """Take each step, and compare what it returns."""
    try:
        for n, (call, expected) in enumerate(steps):
            found = call(door)
            assert expected is ANYTHING or found == expected, f"step {n}"
    finally:
        door.close()
