"""Where a chunk stands of which the sentence that answers was taken out: by what is left of it, or by what it was.

Run ``python -m eval.redacted_ranking`` (a minute; ``--embedding minilm --subjects 20`` takes longer). One collection,
read by two stores: ``rank_redacted="original"``, ``rank_redacted="served"``; and beside them the exact order, in
which every chunk is as far as the farther of what was written and what is served.

* minutes: a made set. Chunks of the corpus' pages, some of which say, between their own sentences, on which port
  a service listens: each service in `--versions` chunks of different pages, dated, with another port in each. So one
  chunk says what holds, and of the others that sentence is taken out when they are read. An extractor that
  reads just these sentences keeps the grammar's gaps out of the figures;
* pages: all revisions of the corpus' pages, added with their dates, and its own questions. Chunks that differ in
  a sentence lie beside each other here, and the extractor keys few of the changes.

What is counted:

* current: the chunk that says what holds is first, is among the first three, five; and its mean reciprocal rank;
* gone: slots among the first one, three that a chunk holds of which a statement of that fact was taken out;
* static: questions about what did not change, the answer among the first three: of chunks that lost a sentence;
* exact: the first five are as far as those of the exact order (texts may be equally far).
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import chromadb
import numpy as np
from chromadb.config import Settings
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from tqdm import tqdm

from eval.pages_corpus import Page, in_its_words, read_pages, squeeze
from eval.pages_corpus import count as occurrences
from eval.pages_coverage import rate
from eval.pages_ways import split
from memstrata_integrations import GrammarExtractor, default_embeddings
from memstrata_integrations.facts import Extraction, Extractor, Fact
from memstrata_integrations.langchain import TemporalVectorStore

MODES: tuple[Literal["original", "served"], ...] = ("original", "served")
DEPTH = 10
SYLLABLES = ("ba", "dor", "fen", "gil", "kat", "lum", "mir", "nos", "pel", "quo", "rav", "sel", "tur", "vex", "zan")


class Ports:
    """Reads ``The x service listens on port n.``; all else is prose."""

    _SAID = re.compile(r"The (\w+) service listens on port (\d+)\.")

    def extract(
        self, texts: Sequence[str], metadatas: Sequence[Mapping[str, Any] | None] | None = None
    ) -> list[Extraction]:
        """Return what each text says."""
        return [
            Extraction(tuple(Fact(m[1], "port", m[2], m[2], "", m.span(), "ports") for m in self._SAID.finditer(text)))
            for text in texts
        ]


class Timed(Embeddings):
    """Remembers the vectors of questions and of what was written, and times the others."""

    def __init__(self, embeddings: Any) -> None:
        """Wrap an embedding."""
        self.name = embeddings.name
        self.reading = False
        self.seconds = 0.0
        self.texts = 0
        self._embeddings = embeddings
        self._questions: dict[str, list[float]] = {}

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return vectors, ``(n, dim)``."""
        begun = time.perf_counter()
        found: list[list[float]] = self._embeddings.embed_documents(texts)
        if self.reading:
            self.seconds += time.perf_counter() - begun
            self.texts += len(texts)
        return found

    def embed_query(self, text: str) -> list[float]:
        """Return a vector, ``(dim,)``."""
        if text not in self._questions:
            self._questions[text] = self._embeddings.embed_query(text)
        return self._questions[text]


@dataclass(frozen=True)
class Question:
    """A question, by what its answer is known.

    Attributes:
        text: The question.
        right: Words that the chunk holds that says what holds, squeezed.
        wrong: Statements of the fact that do not hold, squeezed; none for what did not change.
        source: The page that has to say it; any, if empty.
    """

    text: str
    right: str
    wrong: tuple[str, ...] = ()
    source: str = ""

    def answers(self, document: Document) -> bool:
        """Whether a chunk says what holds."""
        here = not self.source or document.metadata["source"] == self.source
        return here and occurrences(squeeze(document.page_content), self.right) > 0

    def gone(self, document: Document, written: str) -> bool:
        """Whether a statement of the fact was taken out of a chunk, and none is left in it."""
        here = not self.source or document.metadata["source"] == self.source
        return here and any(w in squeeze(written) for w in self.wrong) and not self.answers(document)


@dataclass
class Score:
    """How one way to rank did."""

    ranks: list[int | None] = field(default_factory=list)
    gone: list[list[bool]] = field(default_factory=list)
    exact: list[bool] = field(default_factory=list)
    static: list[bool] = field(default_factory=list)
    seconds: dict[bool, list[float]] = field(default_factory=lambda: {True: [], False: []})


def name_of(rng: random.Random) -> str:
    """Return a made name of three syllables."""
    return "".join(rng.choice(SYLLABLES) for _ in range(3))


def once(statement: str, value: str, text: str) -> str:
    """Return a value with as many words of its statement around it as it takes until a text says it once."""
    squeezed = squeeze(text)
    return in_its_words(statement, value, lambda words: occurrences(squeezed, words) == 1)


def with_sentence(chunk: str, sentence: str) -> str:
    """Put a paragraph between two of a chunk, about in the middle, and not within a code block; else at the end."""
    bounds = [m.start() for m in re.finditer(r"\n\n", chunk) if chunk[: m.start()].count("```") % 2 == 0]
    if not bounds:
        return f"{chunk}\n\n{sentence}" if chunk.count("```") % 2 == 0 else f"{sentence}\n\n{chunk}"
    at = min(bounds, key=lambda b: abs(b - len(chunk) // 2))
    return f"{chunk[:at]}\n\n{sentence}{chunk[at:]}"


def minutes(
    pages: Sequence[Page], subjects: int, versions: int, seed: int
) -> tuple[list[tuple[Document, str]], list[Question], list[Question]]:
    """Return dated chunks, questions about the services and static questions about the chunks that lose a sentence."""
    rng = random.Random(seed)
    chunks = [(p, c) for p in pages for c in split(min(p.revisions.items())[1], "recursive")]
    rng.shuffle(chunks)
    subjects = min(subjects, len(chunks) // versions)
    written: list[tuple[Document, str]] = []
    questions, static = [], []
    for _ in range(subjects):
        name = name_of(rng)
        ports = rng.sample(range(1024, 9999), versions)
        said = [f"The {name} service listens on port {port}." for port in ports]
        questions.append(Question(f"Which port does the {name} service listen on?", said[-1], tuple(said[:-1])))
        for version, sentence in enumerate(said):
            page, chunk = chunks.pop()
            text = with_sentence(chunk, sentence)
            written.append((Document(text, metadata={"source": page.source}), f"2024-{version + 1:02}-01"))
            if version + 1 == versions:
                continue
            for fact in page.static:
                if squeeze(fact.statement) in squeeze(chunk):
                    static.append(Question(fact.question, once(fact.statement, fact.value, chunk), source=page.source))
    written += [(Document(c, metadata={"source": p.source}), "2024-01-01") for p, c in chunks]
    return written, questions, static


def revisions(pages: Sequence[Page]) -> tuple[list[tuple[Document, str]], list[Question], list[Question]]:
    """Return the chunks of all revisions, and the questions of the pages."""
    written: dict[tuple[str, str], tuple[Document, str]] = {}
    for day, page in sorted(((d, p) for p in pages for d in p.revisions), key=lambda found: found[0]):
        for chunk in split(page.revisions[day], "recursive"):
            found = Document(chunk, metadata={"source": page.source})
            written.setdefault((page.source, chunk), (found, day))
    questions, static = [], []
    for page in pages:
        last = max(page.revisions)
        text = page.revisions[last]
        for fact in page.changing:
            now = fact.at(last)
            if now.value is None or now.statement is None:
                continue
            words = once(now.statement, now.value, text)
            wrong = tuple(squeeze(s.statement or "") for s in fact.others(last))
            questions.append(Question(fact.question, words, wrong, page.source))
        for same in page.static:
            static.append(Question(same.question, once(same.statement, same.value, text), source=page.source))
    return sorted(written.values(), key=lambda found: found[1]), questions, static


def measure(
    written: Sequence[tuple[Document, str]],
    questions: Sequence[Question],
    static: Sequence[Question],
    embeddings: Timed,
    extractor: Extractor,
    rounds: int,
    *,
    only_gone: bool,
    progress: bool = True,
) -> list[str]:
    """Write, ask both ways in turn, and return the report."""
    client = chromadb.EphemeralClient(settings=Settings(anonymized_telemetry=False))
    name = f"ranking-{uuid.uuid4().hex}"
    stores = {
        m: TemporalVectorStore(name, embeddings, client=client, extractor=extractor, rank_redacted=m) for m in MODES
    }
    embeddings.reading = False
    originals: dict[str, str] = {}
    for day in sorted({d for _, d in written}):
        batch = [d for d, written_on in written if written_on == day]
        ids = stores["served"].add_documents(batch, valid_from=day)
        originals.update(zip(ids, (d.page_content for d in batch), strict=True))
    everything = stores["served"].get()
    redacted = {i for i, t in zip(everything["ids"], everything["documents"], strict=True) if t != originals[i]}
    as_served = np.asarray(embeddings.embed_documents(everything["documents"]), dtype=np.float32)
    as_written = np.asarray(embeddings.embed_documents([originals[i] for i in everything["ids"]]), dtype=np.float32)
    embeddings.reading, embeddings.seconds, embeddings.texts = True, 0.0, 0

    def ask(mode: Literal["original", "served"], question: str) -> tuple[list[Document], list[float], float]:
        vector = embeddings.embed_query(question)
        begun = time.perf_counter()
        found = stores[mode].similarity_search_by_vector_with_relevance_scores(vector, k=DEPTH)
        return [d for d, _ in found], [away for _, away in found], time.perf_counter() - begun

    lost = [q for q in questions if any(any(w in squeeze(originals[i]) for w in q.wrong) for i in redacted)]
    asked = lost if only_gone else list(questions)
    cold: list[float] = [ask("served", q.text)[2] for q in [*asked, *static]]
    made, embedding_s = embeddings.texts, embeddings.seconds
    scores = {m: Score() for m in MODES}
    for turn in tqdm(range(rounds), "ask", leave=False, disable=not progress):
        for n, question in enumerate([*asked, *static]):
            for mode in MODES if (n + turn) % 2 else MODES[::-1]:
                found, distances, seconds = ask(mode, question.text)
                score = scores[mode]
                score.seconds[any(d.id in redacted for d in found)].append(seconds)
                if turn:
                    continue
                if n >= len(asked):
                    near = [d for d in found[:3] if question.answers(d)]
                    score.static.append(bool(near))
                    continue
                score.ranks.append(next((r for r, d in enumerate(found, 1) if question.answers(d)), None))
                score.gone.append([question.gone(d, originals[str(d.id)]) for d in found[:3]])
                query = np.asarray(embeddings.embed_query(question.text), dtype=np.float32)
                away = np.maximum(((as_served - query) ** 2).sum(1), ((as_written - query) ** 2).sum(1))
                score.exact.append(bool(np.allclose(distances[:5], np.sort(away)[:5], atol=1e-4)))
    lines = [
        f"  {len(everything['ids'])} chunks are served, {len(redacted)} of them without some sentence; "
        f"{len(asked)} questions about what changed ({len(lost)} with a statement taken out), {len(static)} static"
    ]
    for mode in MODES:
        lines += lines_of(mode, scores[mode])
    both = [statistics.median(scores[m].seconds[True]) for m in MODES if scores[m].seconds[True]]
    if len(both) == 2:
        lines.append(
            f"  latency, k={DEPTH}, where such chunks are met: {both[0] * 1e3:.2f} -> {both[1] * 1e3:.2f} ms "
            f"({both[1] / both[0]:.2f} times); the first time {statistics.mean(cold) * 1e3:.1f} ms on average, "
            f"{max(cold) * 1e3:.0f} ms at most: {made} texts embedded in {embedding_s:.2f} s for {len(cold)} questions"
        )
    return lines


def lines_of(mode: str, score: Score) -> list[str]:
    """Return the lines of one way to rank."""
    n = len(score.ranks)
    first = {k: sum(r is not None and r <= k for r in score.ranks) for k in (1, 3, 5)}
    slots = {k: [slot for slots in score.gone for slot in slots[:k]] for k in (1, 3)}
    reciprocal = statistics.mean(1 / r if r else 0.0 for r in score.ranks) if n else 0.0
    return [
        f"  {mode:<9} current first {rate(first[1], n)}, in 3 {rate(first[3], n)}, in 5 {rate(first[5], n)}, "
        f"mean reciprocal rank {reciprocal:.3f}",
        f"  {'':<9} slots of chunks whose sentence is gone: first {rate(sum(slots[1]), len(slots[1]))}, "
        f"of 3 {rate(sum(slots[3]), len(slots[3]))}",
        f"  {'':<9} static in 3 {rate(sum(score.static), len(score.static))}; "
        f"first 5 as in the exact order {rate(sum(score.exact), n)}",
    ]


def main() -> None:
    """Ask both ways, and print the report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--embedding", choices=("lexical", "minilm"), default="lexical")
    parser.add_argument("--subjects", type=int, default=40)
    parser.add_argument("--versions", type=int, nargs="*", default=[2, 10])
    parser.add_argument("--limit", type=int, help="only so many pages")
    parser.add_argument("--rounds", type=int, default=3, help="how often each question is asked for the latency")
    parser.add_argument("--seed", type=int, default=11)
    arguments = parser.parse_args()
    embeddings = Timed(default_embeddings(prefer=arguments.embedding))
    pages = read_pages(arguments.limit)
    for versions in arguments.versions:
        print(f"minutes, {versions} versions of each of at most {arguments.subjects} facts, {embeddings.name}")
        made = minutes(pages, arguments.subjects, versions, arguments.seed)
        print("\n".join(measure(*made, embeddings, Ports(), arguments.rounds, only_gone=True)), flush=True)
    grammar = GrammarExtractor()
    print(f"pages, all revisions added, {embeddings.name}")
    made = revisions(pages)
    print("\n".join(measure(*made, embeddings, grammar, arguments.rounds, only_gone=True)), flush=True)
    print("\n".join(["  of all questions:", *measure(*made, embeddings, grammar, 1, only_gone=False)[1:7]]), flush=True)


if __name__ == "__main__":
    main()
