"""The two stores that the demo compares, and the long one: records of a file go into both, and all are asked for."""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from tqdm import tqdm, trange

from memstrata_integrations.demo.records import KeyHistory, histories, read_jsonl
from memstrata_integrations.demo.terminal import Terminal
from memstrata_integrations.embeddings import NamedEmbeddings
from memstrata_integrations.errors import MissingDependencyError
from memstrata_integrations.ledger.facts import Fact

if TYPE_CHECKING:
    from langchain_chroma import Chroma

    from memstrata_integrations.langchain import TemporalVectorStore

_BATCH = 256
TITLES = ("stock Chroma", "TemporalVectorStore")


class SharedVectors(NamedEmbeddings):
    """Embeds each distinct text once, by other embeddings whose name it keeps."""

    def __init__(self, embeddings: NamedEmbeddings) -> None:
        super().__init__()
        self.name, self._embeddings = embeddings.name, embeddings
        self._vectors: dict[str, list[float]] = {}

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return one vector for each text, in order."""
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        self._vectors.update(zip(new, self._embeddings.embed_documents(new), strict=True))
        return [self._vectors[text] for text in texts]


@contextmanager
def open_stores(embeddings: NamedEmbeddings) -> "Iterator[tuple[Chroma, TemporalVectorStore]]":
    """Make stock Chroma and ours, both in memory, and drop them afterwards."""
    try:
        from chromadb import EphemeralClient
        from chromadb.config import Settings
        from langchain_chroma import Chroma
    except ImportError as error:
        raise MissingDependencyError(
            f"the demo needs langchain-chroma ({error}): pip install 'memstrata-integrations[langchain]'"
        ) from error
    from memstrata_integrations.langchain import TemporalVectorStore

    client = EphemeralClient(Settings(anonymized_telemetry=False))
    run = uuid4().hex[:12]  # the in-memory Chroma is one per process, so the names must be free
    stock = Chroma(f"demo-stock-{run}", embedding_function=embeddings, client=client)
    ours = TemporalVectorStore(f"demo-ours-{run}", embedding_function=embeddings, client=client)
    try:
        yield stock, ours
    finally:
        stock.delete_collection()
        ours.delete_collection()


@dataclass(slots=True)
class Tally:
    """What one store's answers to one kind of question amount to."""

    asked: int = 0
    found: int = 0
    stale: int = 0

    def count(self, found: bool, stale: bool) -> None:
        """Add one answer."""
        self.asked += 1
        self.found += found
        self.stale += stale


@dataclass(slots=True)
class Results:
    """What one store answers: of facts that have a value now, that have ended, at a past date."""

    now: Tally = field(default_factory=Tally)
    gone: Tally = field(default_factory=Tally)
    past: Tally = field(default_factory=Tally)


def run_replay(
    path: str | Path, embeddings: NamedEmbeddings, terminal: Terminal, *, k: int = 5, limit: int | None = None
) -> tuple[Results, Results]:
    """Replay a file (see `records.read_jsonl`) in both stores, ask for `k` documents of every fact, print a table.

    Returns:
        The results of stock Chroma and of ours.
    """
    records = read_jsonl(path, limit=limit)
    truth = histories(records).values()
    probes = [(history, None) for history in truth] + [(h, at) for h in truth if (at := past_date(h)) is not None]
    now = datetime.now(timezone.utc)
    stock, ours = Results(), Results()
    vectors = SharedVectors(embeddings)
    with open_stores(vectors) as (plain, timed):
        for start in trange(0, len(records), _BATCH, desc="writing", unit=" batches"):
            written = records[start : start + _BATCH]
            if said := [record.statement for record in written if record.statement is not None]:
                plain.add_texts(said)  # stock Chroma has no way to be told of an ending
            timed.add_facts(
                [Fact(r.subject, r.relation, r.object, statement=r.statement, valid_from=r.at) for r in written]
            )
        vectors.embed_documents([question(history) for history in truth])
        for history, at in tqdm(probes, "asking", unit=" questions"):
            text = question(history)
            kind = "past" if at is not None else "gone" if history.statement_at(now) is None else "now"
            answers = (plain.similarity_search(text, k=k), timed.similarity_search(text, k=k, as_of=at))
            for results, documents in zip((stock, ours), answers, strict=True):
                judged = history.judged([document.page_content for document in documents], at or now)
                getattr(results, kind).count(*judged)
    ended = sum(record.object is None for record in records)
    terminal.heading(f"{Path(path).name}: {len(records)} records, {ended} of them endings; top {k} of each answer")
    _report(terminal, (stock, ours), embeddings.name)
    return stock, ours


def question(history: KeyHistory) -> str:
    """Ask for a fact without naming a value: "What is the numpy pin in a.txt pinned to?"."""
    subject, relation = history.key
    verb, _, rest = relation.partition(" ")
    if verb not in ("is", "are"):
        return f"{subject} {relation} what?"
    article = "" if subject.lower().startswith(("the ", "a ", "an ")) else "the "
    return f"What {verb} {article}{subject} {rest}".rstrip() + "?"


def past_date(history: KeyHistory) -> datetime | None:
    """Return the middle of a past stretch of a fact with two values or more, chosen by a checksum of its key."""
    past = [(span.start, span.end) for span in history.spans if span.end is not None and span.statement is not None]
    if len(history.statements) < 2 or not past:
        return None
    start, end = past[zlib.crc32("\x00".join(history.key).encode()) % len(past)]
    return start + (end - start) / 2


def _report(terminal: Terminal, results: tuple[Results, Results], embedding: str) -> None:
    def row(title: str, kind: str, count: str) -> tuple[str, ...]:
        tallies = [getattr(r, kind) for r in results]
        parts = [(getattr(tally, count), tally.asked) for tally in tallies]
        return (f"  {title}", *(f"{part}  {part / asked:6.1%}" if asked else "-" for part, asked in parts))

    stock, ours = results
    asked = stock.now.asked + stock.gone.asked
    terminal.table(
        ("", *TITLES),
        [
            (f"facts that have a value now: {stock.now.asked}",),
            row("value found", "now", "found"),
            row("superseded value served", "now", "stale"),
            (f"facts that have ended: {stock.gone.asked}",),
            row("still served", "gone", "stale"),
            (f"facts at a past date, one each: {stock.past.asked}",),
            row("value of that date found", "past", "found"),
            row("value of another date served", "past", "stale"),
        ],
    )
    terminal.say()
    terminal.paragraph(
        f"Of {asked} questions about now, stock Chroma serves {stock.now.stale + stock.gone.stale} with something that "
        f"is no longer true, TemporalVectorStore {ours.now.stale + ours.gone.stale}.",
        "bold",
    )
    terminal.paragraph(
        f"Embedding: {embedding}, shared by both. What is true when was computed from the records' dates alone; stock "
        "Chroma has no dates, so its answer about the past is its answer about now."
    )
