"""The short story: dated facts go into both stores, then both are asked."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timezone
from importlib.resources import files
from typing import Any

from memstrata_integrations.demo.records import Key, KeyHistory, Outcome, Record, Span, histories
from memstrata_integrations.demo.stores import SharedVectors, Stores, open_stores
from memstrata_integrations.demo.terminal import Line, Terminal
from memstrata_integrations.embeddings import NamedEmbeddings

__all__ = ["run_story"]

_TITLES = ("stock Chroma", "TemporalVectorStore")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, of which fact, and for which date (`None`: now)."""

    text: str
    key: Key
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What one store returned, line by line, and what it is worth for the fact that was asked for."""

    lines: list[Line]
    outcome: Outcome

    @property
    def stale_lines(self) -> int:
        """How many statements are not true at the date asked for, whatever fact they are about."""
        return sum(line.colour == "red" for line in self.lines)


@dataclass(frozen=True, slots=True)
class Story:
    """The content of the data file."""

    records: list[Record]
    prose: list[str]
    questions: list[Question]
    history_of: Key
    known_until: str
    made_up: frozenset[Key]


def run_story(embeddings: NamedEmbeddings, terminal: Terminal, *, k: int = 5) -> None:
    """Write the story's facts into both stores and print what each answers."""
    story = load_story()
    truth = histories(story.records)
    now = datetime.now(timezone.utc)
    with open_stores(SharedVectors(embeddings)) as stores:
        _write(stores, story)
        _introduce(terminal, story, truth, embeddings, now)
        answers = [_ask(terminal, stores, question, truth, now, k) for question in story.questions]
        subject, relation = story.history_of
        terminal.heading(f"What the store knows of: {subject}")
        terminal.say(stores.ours.history(subject, relation))
    _conclude(terminal, [a for a, q in zip(answers, story.questions, strict=True) if q.at is None])


def load_story() -> Story:
    """Read the data file of the package."""
    content: Any = json.loads(files(__package__).joinpath("releases.json").read_text(encoding="utf-8"))
    keys = {fact["subject"]: (fact["subject"], fact["relation"]) for fact in content["facts"]}
    records = [
        Record(fact["subject"], fact["relation"], value, _day(day))
        for fact in content["facts"]
        for day, value in fact["values"]
    ]
    return Story(
        records=sorted(records, key=lambda record: record.at),
        prose=content["prose"],
        questions=[
            Question(q["ask"], keys[q["subject"]], _day(q["at"]) if "at" in q else None) for q in content["questions"]
        ],
        history_of=keys[content["history_of"]],
        known_until=content["known_until"],
        made_up=frozenset(keys[fact["subject"]] for fact in content["facts"] if fact.get("made_up")),
    )


def _write(stores: Stores, story: Story) -> None:
    for store in (stores.stock, stores.ours):
        store.add_texts(story.prose)
    for record in story.records:
        if record.statement is None:
            stores.ours.retract(record.subject, record.relation, at=record.at)
        else:
            stores.stock.add_texts([record.statement])
            stores.ours.add_texts([record.statement], valid_from=record.at)


def _introduce(
    terminal: Terminal, story: Story, truth: dict[Key, KeyHistory], embeddings: NamedEmbeddings, now: datetime
) -> None:
    statements = [record for record in story.records if record.statement is not None]
    superseded = sum(len(history.wrong_at(now)) for history in truth.values())
    terminal.say("memstrata demo", "bold")
    terminal.paragraph(
        f"{len(statements)} dated statements about {len(truth)} facts, {superseded} of them no longer true, and "
        f"{len(story.prose)} timeless sentences went into stock langchain_chroma.Chroma and, by the same add_texts, "
        f"into TemporalVectorStore. Release dates are real, up to {story.known_until}; the {len(story.made_up)} "
        f"operational facts are made up. Embedding: {embeddings.name}. Nothing is downloaded, and no language model "
        "is asked."
    )


def _judged(texts: list[str], truth: dict[Key, KeyHistory], instant: datetime) -> list[Line]:
    # judged by the dated data, whatever fact the statement is about, and never by the store
    spans: dict[str, list[Span]] = {}
    for history in truth.values():
        for span in history.spans:
            if span.statement is not None:
                spans.setdefault(span.statement, []).append(span)
    lines = []
    for text in texts:
        if text not in spans:
            lines.append(Line("", text))
        elif any(span.covers(instant) for span in spans[text]):
            lines.append(Line("true", text, "green"))
        elif all(span.start > instant for span in spans[text]):
            lines.append(Line("FUTURE", text, "red"))
        else:
            lines.append(Line("STALE", text, "red"))
    return lines


def _ask(
    terminal: Terminal, stores: Stores, question: Question, truth: dict[Key, KeyHistory], now: datetime, k: int
) -> tuple[Answer, Answer]:
    history, at = truth[question.key], question.at
    instant = now if at is None else at
    true, wrong = history.statement_at(instant), history.wrong_at(instant)
    documents = (
        stores.stock.similarity_search(question.text, k=k),
        stores.ours.similarity_search(question.text, k=k, as_of=at),
    )
    texts = [[document.page_content for document in answer] for answer in documents]
    stock, ours = (Answer(_judged(found, truth, instant), Outcome.of(found, true, wrong)) for found in texts)
    note = "" if at is None else f"   as_of={at.date().isoformat()}"
    terminal.heading(f"Q  {question.text}{note}{'' if true is not None else '   (retracted since)'}")
    titles = _TITLES if at is None else (f"{_TITLES[0]} (knows no dates)", _TITLES[1])
    terminal.side_by_side(titles, stock.lines, ours.lines)
    return stock, ours


def _conclude(terminal: Terminal, answers: list[tuple[Answer, Answer]]) -> None:
    by_store = list(zip(*answers, strict=True))
    asked = len(answers)
    have_one = sum(answer.outcome.found is not None for answer in by_store[0])
    terminal.heading(f"{asked} questions about now")
    terminal.table(
        ("", *_TITLES),
        [
            ("true statement found", *(f"{sum(bool(a.outcome.found) for a in s)} of {have_one}" for s in by_store)),
            ("stale statement of it served", *(f"{sum(a.outcome.stale for a in s)} of {asked}" for s in by_store)),
            ("stale lines, whatever they are about", *(f"{sum(a.stale_lines for a in s)}" for s in by_store)),
        ],
    )
    terminal.say()
    terminal.say("In your code, in place of  from langchain_chroma import Chroma")
    terminal.say("  from memstrata_integrations.langchain import TemporalVectorStore as Chroma")


def _day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=timezone.utc)
