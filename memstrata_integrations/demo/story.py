"""The short story: dated facts go into both stores, then both are asked."""

import json
from datetime import datetime, timezone
from importlib.resources import files
from typing import Any, NamedTuple

from memstrata_integrations.demo.records import Key, KeyHistory, Record, histories
from memstrata_integrations.demo.replay import TITLES, SharedVectors, Tally, open_stores
from memstrata_integrations.demo.terminal import Line, Terminal
from memstrata_integrations.embeddings import NamedEmbeddings


class Question(NamedTuple):
    """What is asked, of which fact, and for which date (`None`: now)."""

    text: str
    key: Key
    at: datetime | None


class Story(NamedTuple):
    """The content of the data file."""

    records: list[Record]
    prose: list[str]
    questions: list[Question]
    history_of: Key
    known_until: str
    made_up: int


def run_story(embeddings: NamedEmbeddings, terminal: Terminal, *, k: int = 5) -> None:
    """Write the story's facts into both stores and print what each answers."""
    story = load_story()
    truth = histories(story.records)
    now = datetime.now(timezone.utc)
    tallies, lines, lasting = (Tally(), Tally()), [0, 0], 0
    with open_stores(SharedVectors(embeddings)) as (stock, ours):
        stock.add_texts(story.prose)
        ours.add_texts(story.prose)
        for record in story.records:
            if record.statement is None:
                ours.retract(record.subject, record.relation, at=record.at)
            else:
                stock.add_texts([record.statement])
                ours.add_texts([record.statement], valid_from=record.at)
        _introduce(terminal, story, truth, embeddings, now)
        for text, key, at in story.questions:
            instant = at or now
            true = truth[key].statement_at(instant)
            documents = (stock.similarity_search(text, k=k), ours.similarity_search(text, k=k, as_of=at))
            texts = [[document.page_content for document in answer] for answer in documents]
            judged = [_judged(answer, truth, instant) for answer in texts]
            date = "" if at is None else f"   as_of={at.date().isoformat()}"
            terminal.heading(f"Q  {text}{date}{'' if true is not None else '   (retracted since)'}")
            titles = TITLES if at is None else (f"{TITLES[0]} (knows no dates)", TITLES[1])
            terminal.side_by_side(titles, *judged)
            if at is None:
                lasting += true is not None
                for n, tally in enumerate(tallies):
                    tally.count(*truth[key].judged(texts[n], now))
                    lines[n] += sum(line.colour == "red" for line in judged[n])
        terminal.heading(f"What the store knows of: {story.history_of[0]}")
        terminal.say(ours.history(*story.history_of))
    asked = tallies[0].asked
    terminal.heading(f"{asked} questions about now")
    rows = [
        ("true statement found", *(f"{tally.found} of {lasting}" for tally in tallies)),
        ("stale statement of it served", *(f"{tally.stale} of {asked}" for tally in tallies)),
        ("stale lines, whatever they are about", *map(str, lines)),
    ]
    terminal.table(("", *TITLES), rows)
    terminal.say()
    terminal.say("In your code, in place of  from langchain_chroma import Chroma")
    terminal.say("  from memstrata_integrations.langchain import TemporalVectorStore as Chroma")


def load_story() -> Story:
    """Read the data file of the package."""
    content: Any = json.loads(files(__package__).joinpath("releases.json").read_text(encoding="utf-8"))
    facts = content["facts"]
    keys = {fact["subject"]: (fact["subject"], fact["relation"]) for fact in facts}
    records = [Record(*keys[fact["subject"]], value, _day(day)) for fact in facts for day, value in fact["values"]]
    return Story(
        records=sorted(records, key=lambda record: record.at),
        prose=content["prose"],
        questions=[
            Question(q["ask"], keys[q["subject"]], _day(q["at"]) if "at" in q else None) for q in content["questions"]
        ],
        history_of=keys[content["history_of"]],
        known_until=content["known_until"],
        made_up=sum(bool(fact.get("made_up")) for fact in facts),
    )


def _introduce(
    terminal: Terminal, story: Story, truth: dict[Key, KeyHistory], embeddings: NamedEmbeddings, now: datetime
) -> None:
    statements = sum(record.statement is not None for record in story.records)
    superseded = sum(len(history.wrong_at(now)) for history in truth.values())
    terminal.say("memstrata demo", "bold")
    terminal.paragraph(
        f"{statements} dated statements about {len(truth)} facts, {superseded} of them no longer true, and "
        f"{len(story.prose)} timeless sentences went into stock langchain_chroma.Chroma and, by the same add_texts, "
        f"into TemporalVectorStore. Release dates are real, up to {story.known_until}; the {story.made_up} operational "
        f"facts are made up. Embedding: {embeddings.name}. Nothing is downloaded, and no language model is asked."
    )


def _judged(texts: list[str], truth: dict[Key, KeyHistory], instant: datetime) -> list[Line]:
    """Judge each text by the dated data, whatever fact it is about, and never by the store."""
    lines = []
    for text in texts:
        spans = [span for history in truth.values() for span in history.spans if span.statement == text]
        if not spans:
            lines.append(Line("", text))
        elif any(span.covers(instant) for span in spans):
            lines.append(Line("true", text, "green"))
        else:
            future = all(span.start > instant for span in spans)
            lines.append(Line("FUTURE" if future else "STALE", text, "red"))
    return lines


def _day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=timezone.utc)
