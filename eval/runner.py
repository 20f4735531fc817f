"""Runs benchmarks through conditions and writes a record of each question.

A cell is one benchmark through one condition in one order: a fresh store is told every turn, then asked every question.
What is recorded of it needs no model, but for the reader's answer and its judges.
"""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from eval.benchmarks import cluster_of
from eval.metrics import estimate_tokens, mentions, normal, packed, place_of
from eval.models.offline import offline_verdict
from eval.records import Recorder
from eval.spec import Abstention, Benchmark, Condition, Passage, Question, Roles, Turn

Order = Literal["told", "noise_last"]
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Cell:
    """One benchmark through one condition.

    Attributes:
        benchmark: What is told and asked.
        condition: The name of the memory.
        order: In which order it is told.
        abstentions: The regimes in which the reader answers.
        texts: Whether answers may be recorded as text (not for data that must not be copied).
    """

    benchmark: Benchmark
    condition: str
    order: Order = "told"
    abstentions: tuple[Abstention, ...] = ("allowed",)
    texts: bool = True

    @property
    def key(self) -> dict[str, str]:
        """Return the fields that name it in every record."""
        return {"benchmark": self.benchmark.name, "condition": self.condition, "order": self.order}

    def missing(self, recorder: Recorder) -> list[tuple[Question, Abstention]]:
        """Return the questions that have no record yet."""
        return [
            (question, abstention)
            for question in self.benchmark.questions
            for abstention in self.abstentions
            if not recorder.has({"type": "answer", **self.key, "question": question.id, "abstention": abstention})
        ]


def run_cell(
    cell: Cell,
    build: Callable[[], Condition],
    roles: Roles,
    recorder: Recorder,
    *,
    k: int,
    budget: int | None = None,
    step: Callable[[], object] = lambda: None,
) -> None:
    """Run what is missing of a cell.

    Args:
        cell: What to run.
        build: Makes the condition, with an empty store.
        roles: Reader and judges; the condition was given the others.
        recorder: Where the records go.
        k: How many passages are packed at most.
        budget: How many estimated tokens they may have together; `None` is no limit.
        step: Called after each record, for a progress bar.
    """
    open_ = cell.missing(recorder)
    told = recorder.has({"type": "cell", **cell.key})
    if told and not open_:
        return
    condition = build()
    try:
        roles.troubles.clear()
        before = replace(roles.on_write)
        started = time.perf_counter()
        condition.ingest(cell.benchmark.turns)
        seconds = time.perf_counter() - started + roles.on_write.saved - before.saved
        troubles = _troubles(roles)
        if not told:
            spent = (roles.on_write.calls - before.calls, roles.on_write.tokens - before.tokens)
            recorder.write(cell_record(cell, condition.active(), seconds=seconds, spent=spent) | troubles)
            step()
        # what is asked of a memory that lacks what a call failed to give is asked again by a resumed run
        failed = {name: value for name, value in troubles.items() if name == "failed"}
        for record in answer_records(cell, condition, roles, open_, k=k, budget=budget):
            recorder.write(record | failed)
            step()
    finally:
        condition.close()


def run_pair(pair: Benchmark, condition: str, build: Callable[[], Condition], roles: Roles, recorder: Recorder) -> None:
    """Tell a fresh store one pair of look-alikes, and record whether the first can still be served.

    Args:
        pair: Two turns, and one question whose `kind` says how they look alike.
        condition: Its name.
        build: Makes it, with an empty store.
        roles: The models, whose troubles are recorded.
        recorder: Where the record goes.
    """
    [question] = pair.questions
    named = {"type": "pair", "benchmark": "collision", "condition": condition, "pair": question.id}
    if recorder.has(named):
        return
    roles.troubles.clear()
    memory = build()
    try:
        memory.ingest(pair.turns)
        lost = lost_turns(pair, memory.active())
    finally:
        memory.close()
    first, second = pair.turns
    same = mentions(second.text, question.answers)
    recorder.write({**named, "kind": question.kind, "same_value": same, "lost": first.id in lost, **_troubles(roles)})


def served(turn: Turn, active: Sequence[Passage], values: Iterable[str] = ()) -> bool:
    """Whether what a turn says can still be served.

    It is, if a text holds it word for word, or if a text that was made from it has each of its words or the value
    that is asked of it: merging two texts loses nothing by itself.
    """
    if any(turn.text in passage.text for passage in active):
        return True
    words = set(_WORD.findall(normal(turn.text)))
    return any(
        mentions(passage.text, values) or words <= set(_WORD.findall(normal(passage.text)))
        for passage in active
        if turn.id in passage.turns
    )


def lost_turns(benchmark: Benchmark, active: Sequence[Passage]) -> list[str]:
    """Return the ids of turns that must stay and cannot be served any more."""
    asked: dict[str, tuple[str, ...]] = {}
    for question in benchmark.questions:
        for turn in question.evidence:
            asked[turn] = asked.get(turn, ()) + question.answers
    return [turn.id for turn in benchmark.turns if turn.stays and not served(turn, active, asked.get(turn.id, ()))]


def cell_record(cell: Cell, active: Sequence[Passage], *, seconds: float, spent: tuple[int, int]) -> dict[str, Any]:
    """Return what became of the turns of a benchmark, by what can be served afterwards."""
    turns = cell.benchmark.turns
    lost = lost_turns(cell.benchmark, active)
    going = [turn for turn in turns if turn.stays is False]
    gone = [turn for turn in going if not any(turn.text in passage.text for passage in active)]
    clean = {turn.id for turn in gone if turn.ended_by not in lost}
    groups: dict[str, list[int]] = {}  # by what turns share: clean, to retire, lost, should stay
    for turn in turns:
        group = groups.setdefault(cluster_of(cell.benchmark.name, turn.id), [0, 0, 0, 0])
        for n, so in enumerate((turn.id in clean, turn.stays is False, turn.id in lost, turn.stays is True)):
            group[n] += so
    return {
        "type": "cell",
        **cell.key,
        "turns": len(turns),
        "should_stay": sum(turn.stays is True for turn in turns),
        "lost": lost,
        "to_retire": len(going),
        "retired": len(gone),
        "clean": len(clean),
        "groups": list(groups.values()) if len(groups) < len(turns) else [],
        "missed": [turn.id for turn in going if turn not in gone],
        "ingested": len(turns),
        "active": len(active),
        "ingest_seconds": round(seconds, 4),
        "write_calls": spent[0],
        "write_tokens": spent[1],
    }


def within(passages: Sequence[Passage], budget: int | None) -> list[Passage]:
    """Return the first passages that a budget of estimated tokens has room for together."""
    kept = list(passages)
    while budget is not None and kept and estimate_tokens(packed(kept)) > budget:
        kept.pop()
    return kept


def answer_records(
    cell: Cell,
    condition: Condition,
    roles: Roles,
    wanted: Sequence[tuple[Question, Abstention]],
    *,
    k: int,
    budget: int | None = None,
) -> Iterator[dict[str, Any]]:
    """Ask the questions and yield a record of each."""
    by_id = {turn.id: turn for turn in cell.benchmark.turns}
    passages: list[Passage] = []
    asked: Question | None = None
    milliseconds, retrieving = 0.0, (0, 0)
    for question, abstention in wanted:
        if question is not asked:
            before = replace(roles.on_read)
            started = time.perf_counter()
            passages = within(condition.retrieve(question.text, k=k, as_of=question.as_of), budget)
            milliseconds = (time.perf_counter() - started + roles.on_read.saved - before.saved) * 1000
            retrieving = (roles.on_read.calls - before.calls, roles.on_read.tokens - before.tokens)
            asked = question
        before = replace(roles.on_read)
        answer = roles.reader.answer(question.told, passages, abstention=abstention)
        spent = (roles.on_read.calls - before.calls, roles.on_read.tokens - before.tokens)
        verdict = roles.correctness(question.text, question.answers, question.stale, answer)
        unread = answer.text is None and verdict is None
        own = [p for p in passages if _speaks_of(p, question, by_id)]
        current, stale = place_of(own, question.answers), place_of(own, question.stale)
        yield {
            "type": "answer",
            **cell.key,
            "question": question.id,
            "kind": question.kind,
            "abstention": abstention,
            "verdict": verdict,
            "by_string": None if unread else offline_verdict(question.text, question.answers, question.stale, answer),
            "fabricated": None if answer.text is None else roles.fabrication(question.text, passages, answer),
            "hit": (current is not None) if question.answers else None,
            "exposed": (stale is not None) if question.stale else None,
            "current_above_stale": None if current is None or not question.stale else stale is None or current < stale,
            "rank_current": current and next(n for n, p in enumerate(passages, 1) if p is own[current - 1]),
            "expects_nothing": not question.answers,
            "as_of": question.as_of is not None,
            "packed_tokens": estimate_tokens(packed(passages)),
            "retrieval_ms": round(milliseconds, 3),
            "read_calls": retrieving[0] + spent[0],
            "read_tokens": retrieving[1] + spent[1],
            "context": [_shown(passage, by_id, cell.texts) for passage in passages],
            "answer": answer.text if cell.texts else None,
            "reason": answer.reason,
            **_troubles(roles),
        }


def _troubles(roles: Roles) -> dict[str, Any]:
    """Return what went wrong with models in this sample, as fields of its record; nothing if nothing did."""
    told = list(roles.troubles)
    roles.troubles.clear()
    failed = {"failed": True} if any(trouble.failed for trouble in told) else {}
    return {"errors": [f"{trouble.role}: {trouble.why}" for trouble in told], **failed} if told else {}


def _shown(passage: Passage, turns: dict[str, Turn], texts: bool) -> dict[str, Any]:
    """Return the turns that a passage comes from, and its text where it is not that of its one turn."""
    as_told = [turns[turn].text for turn in passage.turns if turn in turns] == [passage.text]
    return {"turns": list(passage.turns), **({} if as_told or not texts else {"text": passage.text})}


def _speaks_of(passage: Passage, question: Question, turns: dict[str, Turn]) -> bool:
    """Whether a passage comes from the item that is asked about: another item's ``30`` is no hit and no stale value."""
    if question.sample is None or not passage.turns:
        return True
    return any(turn in turns and turns[turn].sample == question.sample for turn in passage.turns)
