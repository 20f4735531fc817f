"""Data that others published, read by path; none of it is part of the repository.

LoCoMo (https://github.com/snap-research/locomo), LongMemEval (https://github.com/xiaowu0162/LongMemEval) and the
FactConsolidation split of MemoryAgentBench (https://github.com/HUST-AI-HYZ/MemoryAgentBench).
"""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from eval.spec import Benchmark, Question, Turn
from memstrata_integrations.errors import InvalidInputError

_LOCOMO_KINDS = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_NUMBERED = re.compile(r"^\s*(\d+)\.\s+(.*\S)\s*$", re.MULTILINE)


def load_locomo(path: Path, *, limit: int | None = None) -> list[Benchmark]:
    """Read a LoCoMo file: one conversation (``session_1`` ... and ``qa``), or the published list of them.

    Args:
        path: The JSON file.
        limit: Ask only so many questions of each conversation.

    Returns:
        One benchmark a conversation; of the adversarial questions the right answer is to abstain.

    Raises:
        InvalidInputError: If it is in another format.
    """
    content, _ = _json(path)
    conversations = content if isinstance(content, list) else [content]
    found = []
    for number, conversation in enumerate(conversations):
        _need(path, f"conversation {number}", conversation, "qa")
        said = conversation.get("conversation", conversation)
        turns = tuple(_locomo_turns(path, said))
        name = f"locomo:{conversation.get('sample_id', path.stem if len(conversations) == 1 else number)}"
        asked = [_locomo_question(path, n, qa) for n, qa in enumerate(conversation["qa"], 1)]
        digest = hashlib.sha256(repr([*turns, *asked]).encode()).hexdigest()  # of each, in whatever file it came
        about = "a LoCoMo conversation"
        found.append(Benchmark(name, "as published", "static", turns, tuple(asked[:limit]), digest, about))
    return found


def _locomo_turns(path: Path, said: Any) -> Iterator[Turn]:
    _need(path, "a conversation", said, "session_1")
    number = 1
    while f"session_{number}" in said:
        for turn in said[f"session_{number}"]:
            _need(path, f"a turn of session {number}", turn, "speaker", "text", "dia_id")
            shown = turn.get("blip_caption")
            text = f"{turn['speaker']}: {turn['text']}" + (f" [shares a picture of {shown}]" if shown else "")
            about = {
                "session": number,
                "speaker": turn["speaker"],
                "session_date": str(said.get(f"session_{number}_date_time", "")),
            }
            yield Turn(turn["dia_id"], text, metadata=about)
        number += 1


def _locomo_question(path: Path, number: int, qa: Any) -> Question:
    _need(path, f"question {number}", qa, "question", "category")
    if qa["category"] not in _LOCOMO_KINDS:
        raise InvalidInputError(f"{path}: question {number} has category {qa['category']!r}; 1 to 5 are known")
    adversarial = qa["category"] == 5
    if not adversarial:
        _need(path, f"question {number}", qa, "answer")
    return Question(
        f"q{number}",
        qa["question"],
        () if adversarial else (str(qa["answer"]),),
        evidence=tuple(qa.get("evidence", ())),
        kind=_LOCOMO_KINDS[qa["category"]],
    )


def load_longmemeval(path: Path, *, limit: int | None = None) -> list[Benchmark]:
    """Read a LongMemEval file: one benchmark a question, since each has a haystack of its own.

    Args:
        path: The JSON file, such as ``longmemeval_s.json``.
        limit: Read only so many questions.

    Raises:
        InvalidInputError: If it is in another format.
    """
    content, digest = _json(path)
    if not isinstance(content, list):
        raise InvalidInputError(f"{path}: a LongMemEval file is a list of questions, this is {type(content).__name__}")
    found = []
    for number, item in enumerate(content[:limit]):
        fields = ("question_id", "question_type", "question", "answer", "haystack_sessions", "haystack_dates")
        _need(path, f"question {number}", item, *fields)
        sessions, dates = item["haystack_sessions"], item["haystack_dates"]
        if len(sessions) != len(dates):
            raise InvalidInputError(f"{path}: question {number} has {len(sessions)} sessions and {len(dates)} dates")
        turns, evidence = [], []
        for session, (date, messages) in enumerate(zip(dates, sessions, strict=True), 1):
            for place, message in enumerate(messages, 1):
                _need(path, f"a message of question {number}", message, "role", "content")
                id_ = f"{session}:{place}"
                about = {"session": session, "speaker": message["role"], "session_date": str(date)}
                turns.append(Turn(id_, f"{message['role']}: {message['content']}", metadata=about))
                if message.get("has_answer"):
                    evidence.append(id_)
        nothing = str(item["question_id"]).endswith("_abs")
        question = Question(
            str(item["question_id"]),
            item["question"],
            () if nothing else (str(item["answer"]),),
            evidence=tuple(evidence),
            kind="abstention" if nothing else item["question_type"],
        )
        about_it = f"LongMemEval, {item['question_type']}"
        name = f"longmemeval:{item['question_id']}"
        found.append(Benchmark(name, "as published", "static", tuple(turns), (question,), digest, about_it))
    return found


def load_fact_consolidation(path: Path, *, limit: int | None = None) -> list[Benchmark]:
    """Read rows of FactConsolidation: numbered facts, of which a later one counts, then questions.

    Args:
        path: JSON (a list or one row) or JSON lines, with ``context``, ``questions`` and ``answers``.
        limit: Ask only so many questions of each row.

    Raises:
        InvalidInputError: If it is in another format.
    """
    content, digest = _json(path)
    found = []
    for number, row in enumerate(content if isinstance(content, list) else [content]):
        _need(path, f"row {number}", row, "context", "questions", "answers")
        facts = _NUMBERED.findall(row["context"]) if isinstance(row["context"], str) else []
        if not facts:
            raise InvalidInputError(f'{path}: the context of row {number} holds no numbered facts ("0. ...")')
        if len(row["questions"]) != len(row["answers"]):
            counts = f"{len(row['questions'])} questions and {len(row['answers'])} answers"
            raise InvalidInputError(f"{path}: row {number} has {counts}")
        questions = tuple(
            Question(f"q{n}", question, tuple([answers] if isinstance(answers, str) else map(str, answers)))
            for n, (question, answers) in enumerate(zip(row["questions"], row["answers"], strict=True), 1)
        )
        turns = tuple(Turn(place, text, stays=None) for place, text in facts)
        about = f"FactConsolidation, {len(turns)} facts"
        name = f"fact_consolidation:{number}"
        found.append(Benchmark(name, "as published", "evolving", turns, questions[:limit], digest, about))
    return found


def _json(path: Path) -> tuple[Any, str]:
    try:
        raw = path.read_bytes()
    except OSError as absent:
        raise InvalidInputError(f"{path} cannot be read: {absent.strerror or absent}") from absent
    digest = hashlib.sha256(raw).hexdigest()
    try:
        return json.loads(raw), digest
    except ValueError as broken:
        try:
            return [json.loads(line) for line in raw.splitlines() if line.strip()], digest
        except ValueError:
            raise InvalidInputError(f"{path} is neither JSON nor JSON lines: {broken}") from broken


def _need(path: Path, what: str, item: Any, *fields: str) -> None:
    """Refuse data of another format, naming what is expected and what is there."""
    if not isinstance(item, dict):
        there = type(item).__name__
        raise InvalidInputError(f"{path}: {what} should be an object with {', '.join(fields)}, not {there}")
    missing = [name for name in fields if name not in item]
    if missing:
        there = ", ".join(list(item)[:8]) or "nothing"
        raise InvalidInputError(f"{path}: {what} lacks {', '.join(missing)}; it has {there}")
