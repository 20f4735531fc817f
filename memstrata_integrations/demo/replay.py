"""The long demo: records of a file go into both stores, then every fact in it is asked for."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal

from memstrata_integrations.chroma.explicit import sentence_of
from memstrata_integrations.demo.records import KeyHistory, Outcome, Record, histories, read_jsonl
from memstrata_integrations.demo.stores import SharedVectors, Stores, batches, open_stores
from memstrata_integrations.demo.terminal import Terminal
from memstrata_integrations.embeddings import NamedEmbeddings
from memstrata_integrations.ledger.facts import Fact

if TYPE_CHECKING:
    from tqdm import tqdm

__all__ = ["question", "run_replay"]

_BATCH = 256
_TITLES = ("stock Chroma", "TemporalVectorStore")


@dataclass(frozen=True, slots=True)
class Probe:
    """One question: about which fact, for which date (`None`: now)."""

    history: KeyHistory
    at: datetime | None


@dataclass(slots=True)
class Tally:
    """What one store's answers to one kind of question amount to."""

    asked: int = 0
    found: int = 0
    stale: int = 0

    def count(self, outcome: Outcome) -> None:
        """Add one answer."""
        self.asked += 1
        self.found += bool(outcome.found)
        self.stale += outcome.stale


@dataclass(slots=True)
class Results:
    """What one store did, with the seconds it took."""

    writing: float = 0.0
    reading: float = 0.0
    now: Tally = field(default_factory=Tally)
    gone: Tally = field(default_factory=Tally)
    past: Tally = field(default_factory=Tally)

    @contextmanager
    def clocked(self, what: Literal["writing", "reading"]) -> Iterator[None]:
        """Add the time that the block takes."""
        started = perf_counter()
        yield
        setattr(self, what, getattr(self, what) + perf_counter() - started)


def run_replay(
    path: str | Path, embeddings: NamedEmbeddings, terminal: Terminal, *, k: int = 5, limit: int | None = None
) -> tuple[Results, Results]:
    """Replay the records of a JSONL file in both stores, ask for every fact, and print a table.

    Args:
        path: See `records.read_jsonl`.
        embeddings: Used for both stores; every text is embedded once.
        terminal: Where the table goes; progress bars go to stderr.
        k: How many documents an answer has.
        limit: Take only this many records from the start of the file.

    Returns:
        The results of stock Chroma and of ours.

    Raises:
        InvalidInputError: If the file is not as it should be.
        MissingDependencyError: If langchain-chroma is not installed.
    """
    records = read_jsonl(path, limit=limit)
    truth = histories(records)
    now = datetime.now(timezone.utc)
    probes = [Probe(history, None) for history in truth.values()]
    probes += [Probe(history, at) for history in truth.values() if (at := past_date(history)) is not None]
    vectors = SharedVectors(embeddings)
    stock, ours = Results(), Results()
    with open_stores(vectors) as stores:
        embedding = _embed(vectors, records, truth.values())
        _write(stores, records, stock, ours)
        with _bar(len(probes), "asking", "questions") as bar:
            for probe in probes:
                _ask(stores, probe, now, k, stock, ours)
                bar.update()
    _report(terminal, path, records, embeddings, embedding, k, stock, ours)
    return stock, ours


def question(history: KeyHistory) -> str:
    """Ask for a fact without naming a value.

    Example:
        ``("numpy pin in a.txt", "is pinned to")`` becomes "What is the numpy pin in a.txt pinned to?".
    """
    subject, relation = history.key
    verb, _, rest = relation.partition(" ")
    if verb not in ("is", "are"):
        return f"{subject} {relation} what?"
    article = "" if subject.lower().startswith(("the ", "a ", "an ")) else "the "
    return f"What {verb} {article}{subject} {rest}".rstrip() + "?"


def past_date(history: KeyHistory) -> datetime | None:
    """Return the middle of one of the fact's past stretches, the same one in every run.

    Only facts with two values or more have a past to confuse; which stretch is taken depends on
    a checksum of the key.
    """
    if len(history.statements) < 2:
        return None
    past = [span for span in history.spans if span.end is not None and span.statement is not None]
    return past[zlib.crc32("\x00".join(history.key).encode()) % len(past)].midpoint if past else None


def _embed(vectors: SharedVectors, records: list[Record], asked: Iterable[KeyHistory]) -> float:
    texts = [sentence_of(_fact(record)) for record in records]
    distinct = dict.fromkeys(texts + [question(history) for history in asked])
    started = perf_counter()
    with _bar(len(distinct), "embedding", "texts") as bar:
        vectors.prepare(distinct, progress=bar)
    return perf_counter() - started


def _write(stores: Stores, records: list[Record], stock: Results, ours: Results) -> None:
    with _bar(len(records), "writing", "records") as bar:
        for step in batches(records, _BATCH):
            texts = [record.statement for record in step if record.statement is not None]
            if texts:
                with stock.clocked("writing"):
                    stores.stock.add_texts(texts)
            with ours.clocked("writing"):  # stock Chroma has no way to be told of an ending
                stores.ours.add_facts([_fact(record) for record in step])
            bar.update(len(step))


def _fact(record: Record) -> Fact:
    return Fact(record.subject, record.relation, record.object, statement=record.statement, valid_from=record.at)


def _ask(stores: Stores, probe: Probe, now: datetime, k: int, stock: Results, ours: Results) -> None:
    text = question(probe.history)
    instant = now if probe.at is None else probe.at
    true, wrong = probe.history.statement_at(instant), probe.history.wrong_at(instant)
    with stock.clocked("reading"):
        of_stock = stores.stock.similarity_search(text, k=k)
    with ours.clocked("reading"):
        of_ours = stores.ours.similarity_search(text, k=k, as_of=probe.at)
    for results, documents in ((stock, of_stock), (ours, of_ours)):
        tally = results.past if probe.at is not None else results.now if true is not None else results.gone
        tally.count(Outcome.of([document.page_content for document in documents], true, wrong))


def _report(
    terminal: Terminal,
    path: str | Path,
    records: list[Record],
    embeddings: NamedEmbeddings,
    embedding: float,
    k: int,
    stock: Results,
    ours: Results,
) -> None:
    results = (stock, ours)
    endings = sum(record.object is None for record in records)
    questions = stock.now.asked + stock.gone.asked + stock.past.asked
    terminal.heading(f"{Path(path).name}: {len(records)} records, {endings} of them endings; top {k} of each answer")
    terminal.table(
        ("", *_TITLES),
        [
            (f"facts that have a value now: {stock.now.asked}",),
            ("  value found", *(_share(r.now.found, r.now.asked) for r in results)),
            ("  superseded value served", *(_share(r.now.stale, r.now.asked) for r in results)),
            (f"facts that have ended: {stock.gone.asked}",),
            ("  still served", *(_share(r.gone.stale, r.gone.asked) for r in results)),
            (f"facts at a past date, one each: {stock.past.asked}",),
            ("  value of that date found", *(_share(r.past.found, r.past.asked) for r in results)),
            ("  value of another date served", *(_share(r.past.stale, r.past.asked) for r in results)),
            ("seconds",),
            ("  writing", *(f"{r.writing:.1f}" for r in results)),
            (f"  reading, {questions} questions", *(f"{r.reading:.1f}" for r in results)),
        ],
    )
    exposed = tuple(r.now.stale + r.gone.stale for r in results)
    asked = stock.now.asked + stock.gone.asked
    terminal.say()
    terminal.paragraph(
        f"Of {asked} questions about now, stock Chroma serves {exposed[0]} with something that is no longer true, "
        f"TemporalVectorStore {exposed[1]}.",
        "bold",
    )
    terminal.paragraph(
        f"Embedding: {embeddings.name}, {embedding:.1f} s, shared by both and not in the times above; ours include "
        "extraction and the endings. What is true when was computed from the records' dates alone; stock Chroma has no "
        "dates, so its answer about the past is its answer about now."
    )


def _share(part: int, whole: int) -> str:
    return f"{part}  {part / whole:6.1%}" if whole else "-"


def _bar(total: int, what: str, unit: str) -> tqdm[Any]:
    from tqdm import tqdm

    return tqdm(total=total, desc=f"{what:<9}", unit=f" {unit}", mininterval=0.5)
