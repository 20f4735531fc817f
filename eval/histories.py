"""Deep histories: how often the value that holds is in the packed context after 1, 5, 20 and 100 versions of each fact.

The facts are pairs of `eval.pairs` that no work has followed, a few of each author, that differ in one number or
version: in their own sentences, each with a new value a week, asked for by the sentence without its value. Values count
up by one; no hours and dates, since a clock and a calendar soon end. Four hundred unrelated sentences lie in the same
store. Two paces: all facts change at the same instant and nothing is told after them (kind to who keeps the
newest), or each has its own day and hour, and unrelated texts come in all the time. No reader and no judge: what is in
no context can be answered by no reader.

A context holds a version if a text ends with its sentence, or, with memories of others, which may put it otherwise,
if a text that was made from a sentence of the fact has the version's value.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from types import MappingProxyType
from typing import Any

from langchain_core.embeddings import Embeddings

from eval.metrics import estimate_tokens, mentions, packed
from eval.pairs import read
from eval.records import Recorder
from eval.spec import Condition, Passage
from eval.systems import RIVALS, Ours, Own, System, Told

DEPTHS = (1, 5, 20, 100)
SPLIT = "fresh"
_EACH, _OTHERS = 5, 400
_TOKEN = re.compile(r"\d+(?:\.\d+)*|\w+|\s+|[^\w\s]")
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sep|Oct|Nov|Dec)[a-z]*"
_OF_A_CLOCK = re.compile(
    rf"\d[:.]\0|\0(?:[:.]\d| ?[ap]\.?m\b| o'clock|(?:st|nd|rd|th)?(?: of)? {_MONTH}\b)|\b{_MONTH} (?:\d+,? )?\0"
)
_START = datetime(2022, 1, 3, tzinfo=timezone.utc)
_WEEK, _DAY = timedelta(weeks=1), timedelta(days=1)
PACES = ("together", "each its own")


@dataclass(frozen=True, slots=True)
class Fact:
    """A sentence whose value can be varied."""

    id: str
    before: str
    after: str
    first: str
    question: str

    def version(self, n: int) -> str:
        """Return the sentence with its n-th value, from 0 on."""
        return f"{self.before}{self.value(n)}{self.after}"

    def value(self, n: int) -> str:
        """Return the n-th value."""
        head, dot, last = self.first.rpartition(".")
        return f"{head}{dot}{int(last) + n}"

    def versions_in(self, passage: Passage, most: int) -> list[int]:
        """Return which of the first versions a passage holds."""
        versions = {self.version(n): n for n in range(most)}
        said = [n for version, n in versions.items() if passage.text.endswith(version)]
        if said or versions.keys().isdisjoint(passage.turns):
            return said
        return [n for n in range(most) if mentions(passage.text, [self.value(n)])]


def facts_and_noise() -> tuple[list[Fact], list[str]]:
    """Return what changes and what does not."""
    by_author: dict[str, list[Fact]] = {}
    for row in read(["value_only"], [SPLIT]):
        value, sentence = _changed(row["first"], row["second"]), row["first"]
        parts = re.split(rf"(?<![\w.]){re.escape(value)}(?![\w.]*\w)", sentence)
        counts = re.fullmatch(r"[1-9]\d*(\.\d+)*", value) and not _OF_A_CLOCK.search("\0".join(parts))
        if counts and len(parts) == 2:  # 0.2 and 0.20 would be one value
            question = " ".join(" ".join(parts).split())
            by_author.setdefault(row["author"], []).append(Fact(row["id"], *parts, value, question))
    draw = random.Random(0)
    facts = [fact for some in by_author.values() for fact in draw.sample(some, min(_EACH, len(some)))]
    others = sorted({row["first"] for row in read(["lookalike"], ["counted"])})
    return facts, draw.sample(others, _OTHERS)


def _changed(first: str, second: str) -> str:
    """Return the one word or number of a text that is another in the second; nothing where more differs."""
    one, two = _TOKEN.findall(first), _TOKEN.findall(second)
    differ = [a for a, b in zip(one, two, strict=False) if a != b]
    return str(differ[0]) if len(one) == len(two) and len(differ) == 1 else ""


def run_histories(
    embedding: Embeddings,
    recorder: Recorder,
    *,
    k: int,
    systems: Sequence[Callable[[Embeddings], System]],
    own: Mapping[str, Callable[[], Condition]] = MappingProxyType({}),
    limit: int | None = None,
    step: Callable[[], object] = lambda: None,
) -> None:
    """Tell each system all versions, asking of every fact at each depth, and then of its past.

    Args:
        embedding: Of all systems.
        recorder: Where the records go.
        systems: Of ours, `SYSTEMS` or none.
        own: What makes each memory of somebody else, by name.
        k: How many texts an answer has.
        limit: Take only so many facts, and five versions.
        step: Called after each system at each pace.
    """
    facts, noise = facts_and_noise()
    facts = facts[:limit]
    depths = DEPTHS if limit is None else DEPTHS[:2]
    for pace in PACES:
        for build in systems:
            _Told(build(embedding), pace, depths, facts, noise, k).record(recorder)
            step()
        for name, make in own.items():
            with closing(make()) as memory:
                _Told(Own(name, memory), pace, depths, facts, noise, k).record(recorder)
            step()


def _ours_dated(embedding: Embeddings) -> Ours:
    return Ours(embedding, name="temporal_v6+dates", dates=True)


SYSTEMS = (*RIVALS, Ours, _ours_dated)


@dataclass(frozen=True, slots=True)
class _Told:
    """One system, told everything at one pace."""

    system: System
    pace: str
    depths: tuple[int, ...]
    facts: Sequence[Fact]
    noise: Sequence[str]
    k: int

    def record(self, recorder: Recorder) -> None:
        """Write its records, unless they are there; the last one says that they are."""
        if not recorder.has(self.named("statements lost", self.depths[-1], self.facts[-1])):
            for record in self.records():
                recorder.write(record)

    def named(self, what: str, depth: int, fact: Fact) -> dict[str, Any]:
        """Return the key of a record."""
        key = {"condition": self.system.name, "pace": self.pace, "asked": what, "versions": depth, "fact": fact.id}
        return {"type": "history", **key}

    def records(self) -> Iterator[dict[str, Any]]:
        """Tell it, ask it, and yield what came of it."""
        deepest, system = self.depths[-1], self.system
        halfway = deepest // 2  # the version that a correction, told last of all, replaces from a day after it began
        spread = self.pace != PACES[0]
        weekly = -(-len(self.noise) // deepest) if spread else 0
        if not spread:
            system.tell([Told(text, _START) for text in self.noise], _START)
        for n in range(deepest):
            told = [Told(fact.version(n), self._date(n, place)) for place, fact in enumerate(self.facts)]
            others = self.noise[n * weekly : (n + 1) * weekly]
            told += [Told(text, _START + n * _WEEK + _WEEK * (i + 1) / (weekly + 1)) for i, text in enumerate(others)]
            system.tell(sorted(told, key=lambda one: one.date), self._end(n))
            if n + 1 in self.depths:
                yield from self._asked("now", n + 1, n)
        for n in (deepest // 10, halfway, deepest * 9 // 10):
            yield from self._asked(f"past {n}", deepest, n, as_of=self._end(n))
        late = [Told(fact.version(deepest), self._date(halfway, p) + _DAY) for p, fact in enumerate(self.facts)]
        system.tell(late, self._end(deepest))
        asked = self._end(halfway)
        yield from self._asked("corrected", deepest, deepest, as_of=asked)
        yield from self._asked("known before", deepest, halfway, as_of=asked, known_at=self._end(deepest - 1))
        lost = len(set(self.noise) - system.held())
        kept = {"hit": not lost, "others": lost, "tokens": len(set(self.noise))}
        yield {**self.named("statements lost", deepest, self.facts[-1]), **kept}

    def _asked(self, what: str, depth: int, right: int, **at: datetime) -> Iterator[dict[str, Any]]:
        for fact in self.facts:
            passages = self.system.ask(fact.question, self.k, **at)
            own = [n for passage in passages for n in fact.versions_in(passage, self.depths[-1] + 1)]
            tokens = estimate_tokens(packed(passages))
            found = {"hit": right in own, "others": len(own) - own.count(right), "tokens": tokens}
            yield {**self.named(what, depth, fact), **found}

    def _date(self, n: int, place: int) -> datetime:
        """Return since when the n-th value of a fact holds."""
        return _START + n * _WEEK + (_DAY * 5 * place / len(self.facts) if self.pace != PACES[0] else timedelta())

    def _end(self, n: int) -> datetime:
        """Return the last hours of a week, when every fact has its n-th value."""
        return _START + (n + 1) * _WEEK - timedelta(hours=2)
