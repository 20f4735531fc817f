"""Dated syncs of a source, told in any order and undone: at each instant it holds the texts of its newest edition.

A plain model holds the calls and derives each view from them; a real collection is compared with it.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from .opening import NOW, Story
from .toy import facts_of, left_of, moment, vector

SOURCE = "s"


@dataclass(frozen=True)
class Told:
    """One call: all texts of the source, or some of it or of another source told on their own, from an instant on."""

    source: str
    at: int
    texts: tuple[str, ...]
    whole: bool = False


def view(calls: Sequence[Told], t: int) -> list[str]:
    """Derive what is served at an instant: the newest edition and what else was told, less what was said otherwise.

    Each edition asserts what its texts state.
    """
    told = [c for c in calls if c.at <= t]
    facts = facts_of((c.at, c.texts) for c in told)
    editions = sorted((c for c in told if c.whole), key=lambda c: c.at)
    standing = [c for c in told if not c.whole] + editions[-1:]
    return sorted(left for c in standing for text in c.texts for left in left_of(text, c.at, facts))


class Store(Story):
    """A store that keeps what its sources held; their texts have ids by text, by place or none."""

    def __init__(self, ids: str) -> None:
        super().__init__(on_delete="retire")
        self.ids = ids

    def tell(self, call: Told) -> Any:
        given: dict[str, Any] = {"embeddings": [vector(t) for t in call.texts], "valid_from": moment(call.at)}
        if not call.whole:
            about = [{"source": call.source}] * len(call.texts)
            return self.after(self.store.write(list(call.texts), metadatas=about, **given))
        by_text = [f"id of {text}" for text in call.texts]
        by_place = [f"id {n}" for n in range(len(call.texts))]
        ids = {"by text": by_text, "by place": by_place, "none": None}[self.ids]
        return self.after(self.store.sync(SOURCE, call.texts, ids=ids, **given))

    def views(self, instants: Sequence[int], known_at: int | None = None) -> list[list[str]]:
        return [sorted(text for _, text in self.view(t, known_at)) for t in instants]


def calls_of(rng: random.Random) -> list[Told]:
    made = []
    for n, at in enumerate(sorted(rng.sample(range(100, NOW + 4_000), rng.randint(3, 7)))):
        if rng.random() < 0.25:
            made.append(Told(f"other {n}", at, (f"k{rng.randint(1, 2)}={rng.choice('xy')}",)))
            continue
        texts = [f"prose {m}" for m in range(3) if rng.random() < 0.5]
        for key in ("k1", "k2"):
            more = f"; about {key}" if rng.random() < 0.3 else ""
            texts += [f"{key}={rng.choice('xy')}{more}"] if rng.random() < 0.7 else []
        rng.shuffle(texts)
        made.append(Told(SOURCE, at, tuple(texts or ["prose 0"]), whole=True))
    return made


@pytest.mark.parametrize("ids", ["by text", "by place", "none"])
@pytest.mark.parametrize("seed", [*range(12), 1065, *(pytest.param(n, marks=pytest.mark.slow) for n in range(12, 60))])
def test_editions_and_what_others_say_in_any_order(ids: str, seed: int) -> None:
    rng = random.Random(seed)
    calls = calls_of(rng)
    for n in range(seed % 3):  # of the source, on its own, after all editions: what is told before one ends by it
        calls.append(Told(SOURCE, calls[-1].at + 10, (f"text {n}", f"more of text {n}")))
    store, known = Store(ids), []
    changes, views_then = {}, []
    instants = sorted({50, *(c.at for c in calls), *(c.at - 1 for c in calls), NOW + 5_000})
    for call in rng.sample(calls, len(calls)):
        changes[call] = store.tell(call)
        known.append(call)
        if rng.random() < 0.3:
            store.reopen()
        assert store.views(instants) == [view(known, t) for t in instants], known
        views_then.append((store.clock.now - 50, [view(known, t) for t in instants]))
    again = rng.choice([c for c in known if c.whole] or [None])
    if again is not None:
        before = store.raw.get()
        store.tell(again)
        after = store.raw.get()
        assert (after["ids"], after["metadatas"]) == (before["ids"], before["metadatas"]), (again, known)
        assert store.views(instants) == [view(known, t) for t in instants], (again, known)
    while known:
        taken = known.pop(rng.randrange(len(known)))
        store.undo(changes[taken])
        assert store.views(instants) == [view(known, t) for t in instants], (taken, known, calls)
        views_then.append((store.clock.now - 50, [view(known, t) for t in instants]))
    for known_at, views in views_then:
        assert store.views(instants, known_at) == views
    assert store.store.verify() == []
