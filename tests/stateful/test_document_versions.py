"""Documents of several rows: another version takes the place of the one before, whatever the order of arrival.

A plain model holds the writes and derives each view from the rules; a real collection is compared with it.
"""

import itertools
import random
from dataclasses import dataclass
from typing import Any

import pytest

from .opening import NOW, Story
from .toy import facts_of, left_of, write_version

VALUES = "xyz"
LATER = NOW + 5_000


@dataclass(frozen=True, eq=False)
class Write:
    """One call: the parts of one version of one document, by id."""

    document: str
    version: str
    at: int
    parts: dict[str, str]

    def tell(self, story: Story, suffix: str = "") -> Any:
        parts = {f"{i}{suffix}": text for i, text in self.parts.items()}
        return story.after(write_version(story.store, self.document, self.version, self.at, **parts))


def model(writes: list[Write], t: int) -> list[tuple[str, str]]:
    """Derive from dated writes what is served at an instant."""
    told = sorted((w for w in writes if w.at <= t), key=lambda w: w.at)
    facts = facts_of((w.at, [*w.parts.values()]) for w in told)
    standing: dict[str, list[Write]] = {}
    for w in told:
        before = standing.get(w.document, [])
        standing[w.document] = [*before, w] if before and before[-1].version == w.version else [w]
    parts = [(w.at, *part) for stands in standing.values() for w in stands for part in w.parts.items()]
    return sorted((row_id, left) for at, row_id, text in parts for left in left_of(text, at, facts))


def _made(rng: random.Random) -> list[Write]:
    times = rng.sample(range(100, 900), rng.randint(2, 6))
    serial = itertools.count()
    writes = []
    last: dict[str, str] = {}
    for at in sorted(times):
        document = rng.choice(("d", "e"))
        version = rng.choice([v for v in "ABC" if v != last.get(document)])
        last[document] = version
        parts = {}
        for key in rng.sample(range(1, 4), rng.randint(1, 3)):
            said = [f"k{key}={rng.choice(VALUES)}"] if rng.random() < 0.8 else []
            said += ["prose"] if rng.random() < 0.4 or not said else []
            parts[f"n{next(serial)}"] = "; ".join(said)
        writes.append(Write(document, version, at, parts))
    rng.shuffle(writes)
    return writes


@pytest.mark.parametrize("seed", range(60))
def test_any_arrival_order_gives_the_view_of_the_model(seed: int) -> None:
    """And undone from the newest on, that of the model without it."""
    rng = random.Random(seed)
    writes = _made(rng)
    story = Story()
    changes = {}
    for made in writes:
        changes[made] = made.tell(story)
        if rng.random() < 0.3:
            story.reopen()
    instants = sorted({50, *(w.at for w in writes), *(w.at - 1 for w in writes), 950, LATER})
    while writes:
        assert [story.view(t) for t in instants] == [model(writes, t) for t in instants], writes
        newest = max(writes, key=lambda w: w.at)
        writes.remove(newest)
        story.undo(changes[newest])
    assert story.store.verify() == []


@pytest.mark.parametrize("seed", range(20))
def test_what_was_known_stays_known_and_undo_takes_back_exactly(seed: int) -> None:
    rng = random.Random(seed + 1000)
    story = Story()
    instants = [50, 300, 500, 700, 950, LATER]
    told: list[tuple[int, list[Any]]] = []

    def named_alike() -> list[list[tuple[str, str]]]:
        return [[(i.removesuffix("-again"), text) for i, text in story.view(t)] for t in instants]

    for made in _made(rng):
        before = [story.view(t) for t in instants]
        changes = made.tell(story)
        after = named_alike()
        story.undo(changes)
        assert [story.view(t) for t in instants] == before, made
        made.tell(story, "-again")
        assert named_alike() == after
        told.append((story.clock.now - 50, [story.view(t) for t in instants]))
    for known_at, views in told:
        assert [story.view(t, known_at) for t in instants] == views
    assert story.store.verify() == []


def test_an_unchanged_part_under_its_own_id_stays_one_row() -> None:
    story = Story()
    story.after(write_version(story.store, "d", "A", **{"1": "same", "2": "k1=x"}))
    story.after(write_version(story.store, "d", "B", **{"1": "same", "2": "k1=y"}))
    assert story.view(LATER) == [("1", "same"), ("2", "k1=y")]
    assert story.raw.count() == 3  # the earlier version of "2"
    story.after(write_version(story.store, "d", "C", **{"1": "same"}))
    story.after(write_version(story.store, "d", "C", **{"2": "k1=y"}))
    assert story.view(LATER) == [("1", "same"), ("2", "k1=y")]
    assert story.store.verify() == []
