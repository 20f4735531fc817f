"""Our own files as turns and questions. All items of a benchmark share one store."""

import json
import random
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Literal, TypeAlias

from eval.benchmarks.manifest import entry
from eval.spec import Benchmark, Question, Turn

Order = Literal["told", "noise_last"]
Loaded: TypeAlias = "tuple[tuple[Turn, ...], tuple[Question, ...]]"


def _items(path: Path, limit: int | None) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()][:limit]


def evolving(path: Path, order: Order, limit: int | None) -> Loaded:
    """Read items of two states that differ in one value, with unrelated statements around them."""
    turns, questions = [], []
    noise: list[Turn] = []
    for item in _items(path, limit):
        first, second = f"{item['id']}-first", f"{item['id']}-second"
        turns.append(Turn(first, item["first"], stays=False, ended_by=second, sample=item["id"]))
        turns.append(Turn(second, item["second"], sample=item["id"]))
        noise += [Turn(f"{item['id']}-noise-{n}", text) for n, text in enumerate(item["noise"], 1)]
        questions.append(
            Question(
                item["id"],
                item["question"],
                (item["value_second"],),
                (item["value_first"],),
                evidence=(second,),
                sample=item["id"],
                kind=item["kind"],
            )
        )
    if order == "noise_last":
        told = [turn for turn in turns if turn.ended_by] + [turn for turn in turns if not turn.ended_by] + noise
    else:
        told = _shuffled([*turns, *noise])
    return tuple(told), tuple(questions)


def domain(path: Path, order: Order, limit: int | None) -> Loaded:
    """Read statements that are said once and asked once."""
    items = _items(path, limit)
    return (
        tuple(_shuffled(Turn(item["id"], item["statement"], sample=item["id"]) for item in items)),
        tuple(
            Question(
                item["id"],
                item["question"],
                (item["answer"], *item["aliases"]),
                evidence=(item["id"],),
                sample=item["id"],
            )
            for item in items
        ),
    )


def dialogue(path: Path, order: Order, limit: int | None) -> Loaded:
    """Read a conversation: a turn is stored as "Speaker: what was said", with its session."""
    content = json.loads(path.read_text(encoding="utf-8"))
    turns = tuple(
        Turn(
            turn["id"],
            f"{turn['speaker']}: {turn['text']}",
            metadata={"session": number, "speaker": turn["speaker"], "session_date": session["date"]},
        )
        for number, session in enumerate(content["sessions"], 1)
        for turn in session["turns"]
    )
    questions = tuple(
        Question(q["id"], q["question"], (q["answer"], *q["aliases"]), evidence=tuple(q["evidence"]))
        for q in content["questions"][:limit]
    )
    return turns, questions


def collision(path: Path, order: Order, limit: int | None) -> Loaded:
    """Read look-alikes, every pair in the same store; nothing may be retired."""
    items = _items(path, limit)
    turns = [turn for item in items for turn in _pair(item)]
    return tuple(_shuffled(turns)), tuple(_asked_of(item) for item in items)


def collision_pairs() -> list[Benchmark]:
    """Return each pair of look-alikes as a benchmark of its own, for a store of its own."""
    found = entry("collision")
    return [
        Benchmark(item["id"], found.version, "collision", _pair(item), (_asked_of(item),), found.sha256, item["why"])
        for item in _items(found.path, None)
    ]


def _pair(item: dict[str, Any]) -> tuple[Turn, Turn]:
    return (
        Turn(f"{item['id']}-first", item["first"], sample=item["id"]),
        Turn(f"{item['id']}-second", item["second"], sample=item["id"]),
    )


def _asked_of(item: dict[str, Any]) -> Question:
    return Question(
        item["id"],
        item["question"],
        (item["value"],),
        evidence=(f"{item['id']}-first",),
        sample=item["id"],
        kind=item["kind"],
    )


def timeline(path: Path, order: Order, limit: int | None) -> Loaded:
    """Read dated values in their order of arrival; the facts of a benchmark arrive mixed."""
    turns: list[list[Turn]] = []
    questions = []
    for item in _items(path, limit):
        events = item["events"]
        values = {event["value"] for event in events if event["value"]}
        latest = max(events, key=lambda event: event["valid_from"])
        told = []
        for n, event in enumerate(events, 1):
            ends = [e for e in events if e["valid_from"] > event["valid_from"]]
            following = min(ends, key=lambda e: e["valid_from"], default=None)
            successor = None if following is None else f"{item['id']}-{events.index(following) + 1}"
            stays = None if event["retract"] else not latest["retract"] and event["value"] == latest["value"]
            told.append(
                Turn(
                    f"{item['id']}-{n}",
                    event["text"],
                    stays=stays,
                    ended_by=successor if stays is False else None,
                    valid_from=_day(event["valid_from"]),
                    sample=item["id"],
                )
            )
        turns.append(told)
        for n, probe in enumerate(item["probes"], 1):
            answers = (probe["answer"],) if probe["answer"] else ()
            stale = tuple(sorted(values.difference(answers)))
            as_of = None if probe["as_of"] is None else _day(probe["as_of"])
            kind = "nothing valid" if not answers else "now" if as_of is None else "past"
            questions.append(
                Question(
                    f"{item['id']}-{n}", item["question"], answers, stale, as_of=as_of, sample=item["id"], kind=kind
                )
            )
    return tuple(_merged(turns)), tuple(questions)


def _day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=timezone.utc)


def _shuffled(turns: Iterable[Turn]) -> list[Turn]:
    """Return turns in a fixed random order in which what is superseded comes before what supersedes it.

    A pair whose second state would come first trades places, and nothing else moves.
    """
    mixed = list(turns)
    firsts = {turn.id: turn.id.removesuffix("-second") + "-first" for turn in mixed if turn.id.endswith("-second")}
    random.Random(0).shuffle(mixed)
    place = {turn.id: n for n, turn in enumerate(mixed)}
    for second, first in firsts.items():
        a, b = place[first], place[second]
        if a > b:
            mixed[a], mixed[b] = mixed[b], mixed[a]
    return mixed


def _merged(histories: Sequence[Sequence[Turn]]) -> list[Turn]:
    """Return the turns of several histories mixed by a fixed random order, each history in its own order."""
    slots = [n for n, history in enumerate(histories) for _ in history]
    random.Random(0).shuffle(slots)
    waiting = [iter(history) for history in histories]
    return [next(waiting[n]) for n in slots]


LOADERS: dict[str, Callable[[Path, Order, int | None], Loaded]] = {
    "domain": domain,
    "locomo": dialogue,
    "code_mutation": evolving,
    "config_migration": evolving,
    "dependency_bump": evolving,
    "api_evolution": evolving,
    "fair_contradiction": evolving,
    "collision": collision,
    "timeline": timeline,
}
