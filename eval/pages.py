"""Pages that change: what a reader of the top chunks is told, beside stock Chroma.

Run ``python -m eval.pages`` (a minute; ``--embedding minilm`` takes longer). Forty invented pages in
`corpus` come in 2 to 5 dated revisions, are split and loaded in the order of their dates, and are then
asked about, now and at the date of every earlier revision.

Ways to load, all of the same chunks:

* ``stock, replaced``: what `index(cleanup="incremental")` does: a page's chunks are deleted and added anew;
* ``stock, added``: each revision is added, under ids that are hashes of source and content;
* ``ours, added``: the same with ``valid_from``, the revision's date: what goes is what the extractor keyed;
* ``ours, synced``: `store.sync`, the chunks are all that the page holds now (where there is `sync`);
* ``stock/ours, inserted``: LlamaIndex, a document for each page: `delete_ref_doc` and `insert`, or just `insert`.

What is counted, in the chunks of the fact's own page among the top k, white space apart:

* found: the value that holds at that date, in its words: with three words of its statement on either side,
  and with as many more as it takes until the page says it only once;
* stale statement: a statement of the fact with a value of another date, whole;
* stale value: a value of another date in its words, with as many words of its statement around it as it
  takes until the page of that date doesn't hold them. So a number that occurs elsewhere on the page counts
  for nothing, and a stale half of a sentence does;
* keyed: the extractor gave every earlier statement, in each chunk that holds it, the key (subject, relation,
  dimension) and another value than it gave the statement that holds; otherwise, and where a statement was
  removed, a fact is not keyed; a "first value" has none before it, and can only be mixed up with a later one;
* served: a static statement is in some chunk that is served, of those that are in some chunk of the splitter.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import re
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

import chromadb
import numpy as np
from chromadb.config import Settings
from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter
from llama_index.core import Document as IndexDocument
from llama_index.core import VectorStoreIndex
from llama_index.core.node_parser import MarkdownNodeParser, NodeParser, SentenceSplitter
from llama_index.core.schema import MetadataMode
from llama_index.core.vector_stores.types import VectorStoreQuery
from llama_index.vector_stores.chroma import ChromaVectorStore
from tqdm import tqdm

from eval.cost import DIMENSIONS, TimedExtractor, Timings
from memstrata_integrations import GrammarExtractor, default_embeddings
from memstrata_integrations.langchain import TemporalVectorStore as ChainStore
from memstrata_integrations.llama_index import DefaultEmbedding
from memstrata_integrations.llama_index import TemporalVectorStore as IndexStore

CORPUS = Path(__file__).parent / "corpus"
WORDS = 3
"""How many words of a statement go with its value at least."""

SPLITTERS = ("recursive", "markdown", "sentence")


# -- the corpus -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Said:
    """What a page says of a fact from a date on; no value and no statement once it says nothing."""

    since: str
    value: str | None
    statement: str | None


@dataclass(frozen=True)
class Changing:
    """A fact that changes."""

    id: str
    question: str
    said: tuple[Said, ...]

    def at(self, day: str) -> Said:
        """Return what the page says at a date."""
        return next((s for s in reversed(self.said) if s.since <= day), Said("", None, None))

    def others(self, day: str) -> list[Said]:
        """Return what it says at other dates with another value."""
        holds = self.at(day).value
        return [s for s in self.said if s.value is not None and s.value != holds]


@dataclass(frozen=True)
class Static:
    """A fact that doesn't change."""

    id: str
    question: str
    value: str
    statement: str


@dataclass(frozen=True)
class Page:
    """A page in all its revisions, by date."""

    source: str
    title: str
    revisions: dict[str, str]
    changing: tuple[Changing, ...]
    static: tuple[Static, ...]

    @cached_property
    def squeezed(self) -> dict[str, str]:
        """The revisions with single blanks."""
        return {day: squeeze(text) for day, text in self.revisions.items()}


def read_pages(limit: int | None = None) -> list[Page]:
    """Return the pages of both corpora, of each in turn, with their edits applied.

    Raises:
        ValueError: If an edit doesn't apply at exactly one place.
    """
    halves = [sorted((CORPUS / part).glob("*.jsonl")) for part in ("a", "b")]
    files = [path for pair in zip(*halves, strict=True) for path in pair]
    return [_read_page(path) for path in files[:limit]]


def _read_page(path: Path) -> Page:
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    head = lines[0]
    text = path.with_suffix(".md").read_text("utf-8")
    revisions = {head["first"]: text}
    for edit in (line for line in lines if line["kind"] == "edit"):
        if text.count(edit["old"]) != 1:
            raise ValueError(f"{path.name}: {edit['old']!r} occurs {text.count(edit['old'])} times on {edit['date']}")
        text = text.replace(edit["old"], edit["new"])
        revisions[edit["date"]] = text
    changing = tuple(
        Changing(
            line["id"],
            line["question"],
            tuple(Said(v["from"], v["value"], s) for v, s in zip(line["values"], line["statements"], strict=True)),
        )
        for line in lines
        if line["kind"] == "fact"
    )
    static = tuple(
        Static(line["id"], line["question"], line["value"], line["statement"])
        for line in lines
        if line["kind"] == "static"
    )
    return Page(f"{path.parent.name}/{path.stem}.md", head["title"], revisions, changing, static)


# -- finding words in texts -------------------------------------------------------------------


def squeeze(text: str) -> str:
    """Return a text with single blanks."""
    return " ".join(text.split())


def count(text: str, words: str) -> int:
    """Return how often words stand in a text, at the bounds of words; both squeezed."""
    before = r"(?<!\w)" if words[:1].isalnum() else ""
    after = r"(?!\w)" if words[-1:].isalnum() else ""
    return len(re.findall(before + re.escape(words) + after, text))


def in_its_words(statement: str, value: str, enough: Callable[[str], bool]) -> str:
    """Return a value with as many words of its statement on either side as are `enough`, three at least."""
    said, value = squeeze(statement), squeeze(value)
    start = max(said.find(value), 0)
    words = [m.span() for m in re.finditer(r"\S+", said)]
    first = next(n for n, (_, end) in enumerate(words) if end > start)
    last = max(n for n, (begin, _) in enumerate(words) if begin < start + max(len(value), 1))
    for around in range(WORDS, len(words)):
        found = said[words[max(first - around, 0)][0] : words[min(last + around, len(words) - 1)][1]]
        if enough(found):
            return found
    return said


# -- splitting --------------------------------------------------------------------------------


def parser_of(splitter: str) -> NodeParser:
    """Return LlamaIndex's splitter of this name; it has no recursive one."""
    return MarkdownNodeParser() if splitter == "markdown" else SentenceSplitter(chunk_size=192, chunk_overlap=20)


def split(text: str, splitter: str) -> list[str]:
    """Split a page into chunks; none occurs twice."""
    recursive = RecursiveCharacterTextSplitter(chunk_size=600, chunk_overlap=80)
    if splitter == "recursive":
        chunks = recursive.split_text(text)
    elif splitter == "markdown":
        by_heading = MarkdownHeaderTextSplitter([("#", "one"), ("##", "two")], strip_headers=False)
        chunks = [d.page_content for d in recursive.split_documents(by_heading.split_text(text))]
    else:
        nodes = parser_of(splitter).get_nodes_from_documents([IndexDocument(text=text)])
        chunks = [n.get_content(metadata_mode=MetadataMode.NONE) for n in nodes]
    return list(dict.fromkeys(chunks))


# -- ways to load -----------------------------------------------------------------------------


class Remembered(Embeddings):
    """Embeds every text once."""

    def __init__(self, embeddings: Any) -> None:
        """Wrap an embedding."""
        self.name = embeddings.name
        self._embeddings = embeddings
        self._known: dict[str, list[float]] = {}

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return vectors, ``(n, dim)``."""
        new = [t for t in dict.fromkeys(texts) if t not in self._known]
        if new:
            self._known.update(zip(new, self._embeddings.embed_documents(new), strict=True))
        return [self._known[t] for t in texts]

    def embed_query(self, text: str) -> list[float]:
        """Return a vector, ``(dim,)``."""
        return self.embed_documents([text])[0]


Chunks = list[tuple[str, str]]
"""(source, text)"""


class Way:
    """A way to load pages, and to ask."""

    def __init__(self, name: str, embeddings: Remembered, splitter: str, client: Any) -> None:
        """Prepare; `name` is one of `WAYS`."""
        self.name = name
        self.splitter = splitter
        self.embeddings = embeddings
        self.temporal = name.startswith("ours")
        collection = f"pages-{uuid.uuid4().hex}"
        if name.endswith("inserted"):
            raw = client.create_collection(collection, embedding_function=None)
            self.store: Any = IndexStore(raw) if self.temporal else ChromaVectorStore(chroma_collection=raw)
            self.index = VectorStoreIndex.from_vector_store(
                self.store,
                embed_model=DefaultEmbedding(embeddings=embeddings),  # type: ignore[arg-type]
                transformations=[parser_of(splitter)],
            )
        else:
            self.store = (ChainStore if self.temporal else Chroma)(collection, embeddings, client=client)

    def write(self, source: str, text: str, day: str) -> None:
        """Write a revision of a page."""
        dated = {"valid_from": day} if self.temporal else {}
        if self.name.endswith("inserted"):
            if not self.temporal:
                self.index.delete_ref_doc(source)
            self.index.insert(IndexDocument(text=text, id_=source, metadata={"source": source}), **dated)
            return
        chunks = split(text, self.splitter)
        ids = [hashlib.sha256(f"{source}\n{chunk}".encode()).hexdigest() for chunk in chunks]
        found = [Document(c, metadata={"source": source}, id=i) for c, i in zip(chunks, ids, strict=True)]
        if self.name == "ours, synced":
            self.store.sync(source, found, **dated)
            return
        if self.name == "stock, replaced":
            self.store.delete(where={"source": source})
        self.store.add_documents(found, **dated)

    def ask(self, question: str, k: int, day: str | None = None) -> Chunks:
        """Return the top chunks, now or at a date."""
        dated = {} if day is None else {"as_of": f"{day}T12:00:00"}
        vector = self.embeddings.embed_query(question)
        if self.name.endswith("inserted"):
            asked = VectorStoreQuery(query_embedding=vector, similarity_top_k=k)
            return [
                (n.metadata["source"], n.get_content(metadata_mode=MetadataMode.NONE))
                for n in self.store.query(asked, **dated).nodes
            ]
        found = self.store.similarity_search_by_vector(vector, k=k, **dated)
        return [(d.metadata["source"], d.page_content) for d in found]

    def everything(self, day: str | None = None) -> Chunks:
        """Return all chunks that are served, now or at a date."""
        dated = {} if day is None else {"as_of": f"{day}T12:00:00"}
        found = (self.store.client if self.name.endswith("inserted") else self.store).get(**dated)
        return [(m["source"], t) for m, t in zip(found["metadatas"], found["documents"], strict=True)]

    def split(self, text: str) -> list[str]:
        """Split as this way does."""
        if not self.name.endswith("inserted"):
            return split(text, self.splitter)
        nodes = parser_of(self.splitter).get_nodes_from_documents([IndexDocument(text=text)])
        return [n.get_content(metadata_mode=MetadataMode.NONE) for n in nodes]


WAYS = tuple(
    name
    for name in (
        "stock, replaced",
        "stock, added",
        "ours, added",
        "ours, synced",
        "stock, inserted",
        "ours, inserted",
    )
    if name != "ours, synced" or hasattr(ChainStore, "sync")
)


def load(way: Way, pages: Sequence[Page]) -> Iterator[None]:
    """Write all revisions in the order of their dates; yields after each."""
    dated = sorted((day, n) for n, page in enumerate(pages) for day in page.revisions)
    for day, n in dated:
        way.write(pages[n].source, pages[n].revisions[day], day)
        yield


# -- what the extractor keys ------------------------------------------------------------------

Key = tuple[str, str, str]
"""(subject, relation, dimension)"""

Kind = Literal["keyed", "not keyed", "first value"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class Coverage:
    """Which statements have which keys, as the splitter's chunks show them to the extractor."""

    def __init__(self, splitter: Callable[[str], list[str]]) -> None:
        """Read chunks of `splitter`."""
        self._split = splitter
        self._extractor = GrammarExtractor()
        self._read: dict[tuple[str, str], list[tuple[str, list[tuple[str, str, Key, str]]]]] = {}

    def _facts(self, page: Page, day: str) -> list[tuple[str, list[tuple[str, str, Key, str]]]]:
        """Return the chunks of a revision, each with the (statement, object, key, value) of its facts, squeezed."""
        if (page.source, day) not in self._read:
            chunks = self._split(page.revisions[day])
            found = self._extractor.extract(chunks, [{"source": page.source}] * len(chunks))
            self._read[page.source, day] = [
                (
                    squeeze(chunk),
                    [
                        (
                            squeeze(chunk[slice(*f.span)]),
                            squeeze(f.object),
                            (f.subject, f.relation, f.dimension),
                            f.value,
                        )
                        for f in extraction.facts
                        if f.object is not None and f.cardinality == "functional" and not f.narrative
                    ],
                )
                for chunk, extraction in zip(chunks, found, strict=True)
            ]
        return self._read[page.source, day]

    def keys(self, page: Page, fact: Changing, said: Said) -> dict[Key, str]:
        """Return keys and values of a statement: those that it has in every chunk of every revision that holds it.

        Of the facts read in it, those count whose object is the fact's value, or a part of it, or holds it.
        """
        if said.statement is None or said.value is None:
            return {}
        statement, value = squeeze(said.statement), squeeze(said.value)
        found: set[tuple[Key, str]] | None = None
        for day in (d for d in page.revisions if fact.at(d) == said):
            for chunk, facts in self._facts(page, day):
                if statement in chunk:
                    here = {
                        (key, meant)
                        for text, obj, key, meant in facts
                        if (text in statement or statement in text) and (obj in value or value in obj)
                    }
                    found = here if found is None else found & here
        return dict(found or ())

    def linked(self, page: Page, fact: Changing, old: Said, new: Said) -> bool:
        """Whether two statements have one key, with two values."""
        after = self.keys(page, fact, new)
        return any(key in after and after[key] != meant for key, meant in self.keys(page, fact, old).items())

    def kind(self, page: Page, fact: Changing, day: str) -> Kind:
        """Return whether every earlier value is linked with the one that holds, if there is any earlier one."""
        earlier = [s for s in fact.others(day) if s.since <= day]
        if not earlier:
            return "first value"
        return "keyed" if all(self.linked(page, fact, s, fact.at(day)) for s in earlier) else "not keyed"


def shape(page: Page, said: Said) -> str:
    """Return what a statement looks like on its page."""
    text = page.revisions[said.since]
    statement = re.compile(r"\s+".join(re.escape(w) for w in (said.statement or "").split()))
    found = statement.search(text)
    assert found is not None, said
    line = text[text.rfind("\n", 0, found.start()) + 1 :].split("\n", 1)[0].strip()
    if text[: found.start()].count("```") % 2:
        return "line of code or configuration"
    if line.startswith("|"):
        return "table row"
    if re.match(r"[-*+] |\d+[.)] ", line):
        return "list item"
    if re.match(r"\S[^.]{0,40}: \S", line) and len(line) < 90:
        return "field: value"
    return "sentence"


# -- asking -----------------------------------------------------------------------------------


@dataclass
class Tally:
    """What was asked, and how often the answer was so."""

    asked: int = 0
    found: int = 0
    held: int = 0
    statement: int = 0
    value: int = 0
    examples: list[str] = field(default_factory=list)


def wilson(hits: int, asked: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval of a rate."""
    if not asked:
        return 0.0, 1.0
    z, p = 1.959964, hits / asked
    middle = p + z * z / (2 * asked)
    around = z * math.sqrt(p * (1 - p) / asked + z * z / (4 * asked * asked))
    scale = 1 + z * z / asked
    return max((middle - around) / scale, 0.0), min((middle + around) / scale, 1.0)


def rate(hits: int, asked: int) -> str:
    """Return a count, a rate and its interval."""
    if not asked:
        return "-"
    low, high = wilson(hits, asked)
    return f"{hits}/{asked} {hits / asked:6.1%} [{low:.1%}, {high:.1%}]"


def weigh(page: Page, fact: Changing, day: str, context: str, tally: Tally) -> None:
    """Count one question about a changing fact; `context` holds the page's chunks, squeezed."""
    at = max(d for d in page.revisions if d <= day)
    text = page.squeezed[at]
    now = fact.at(day)
    tally.asked += 1
    if now.value is not None and now.statement is not None:
        tally.held += 1
        tally.found += bool(count(context, in_its_words(now.statement, now.value, lambda w: count(text, w) == 1)))
    others = [(s, squeeze(s.statement or "")) for s in fact.others(day)]
    whole = [s for s, statement in others if count(context, statement)]
    told = [
        s
        for s, statement in others
        if count(context, in_its_words(statement, s.value or "", lambda w: not count(text, w)))
    ]
    tally.statement += bool(whole)
    tally.value += bool(told)
    tally.examples += [f"{fact.id} at {day}: {s.value!r} in {s.statement!r}" for s in (told or whole)[:1]]


@dataclass
class Report:
    """What one way to load came to."""

    now: dict[Kind, Tally] = field(default_factory=lambda: {kind: Tally() for kind in KINDS})
    past: dict[Kind, Tally] = field(default_factory=lambda: {kind: Tally() for kind in KINDS})
    static: Tally = field(default_factory=Tally)
    static_past: Tally = field(default_factory=Tally)
    served: Tally = field(default_factory=Tally)
    served_past: Tally = field(default_factory=Tally)
    anywhere: Tally = field(default_factory=Tally)
    load_s: float = 0.0
    ask_s: float = 0.0


def judge(way: Way, pages: Sequence[Page], k: int, *, progress: bool = True) -> Report:
    """Load the pages and ask every question."""
    report = Report()
    begun = time.perf_counter()
    writes = sum(len(p.revisions) for p in pages)
    for _ in tqdm(load(way, pages), f"{way.name}: load", writes, leave=False, disable=not progress):
        pass
    report.load_s = time.perf_counter() - begun
    begun = time.perf_counter()
    coverage = Coverage(way.split)
    for page in tqdm(pages, f"{way.name}: ask", leave=False, disable=not progress):
        days = list(page.revisions) if way.temporal else [max(page.revisions)]
        for day in days:
            _ask_page(way, page, day, k, coverage, report)
    report.ask_s = time.perf_counter() - begun
    return report


def _ask_page(way: Way, page: Page, day: str, k: int, coverage: Coverage, report: Report) -> None:
    last = day == max(page.revisions)
    asked = None if last else day

    def context(chunks: Iterable[tuple[str, str]]) -> str:
        return "\n".join(squeeze(text) for source, text in chunks if source == page.source)

    served = context(way.everything(asked))
    for fact in page.changing:
        tally = (report.now if last else report.past)[coverage.kind(page, fact, day)]
        weigh(page, fact, day, context(way.ask(fact.question, k, asked)), tally)
        if last:
            weigh(page, fact, day, served, report.anywhere)
    chunks = [squeeze(c) for c in way.split(page.revisions[day])]
    for static in page.static:
        statement = squeeze(static.statement)
        answers = report.static if last else report.static_past
        answers.asked += 1
        words = in_its_words(statement, static.value, lambda w: count(page.squeezed[day], w) == 1)
        answers.found += bool(count(context(way.ask(static.question, k, asked)), words))
        if any(statement in c for c in chunks):
            whole = report.served if last else report.served_past
            whole.asked += 1
            whole.found += statement in served
            if statement not in served:
                whole.examples.append(f"{static.id} at {day}: {static.statement!r}")


def _row(name: str, tally: Tally, *, stale: bool = True) -> str:
    line = f"  {name:<36} found {rate(tally.found, tally.held if stale else tally.asked):<32}"
    if stale:
        line += (
            f" stale statement {rate(tally.statement, tally.asked):<30} stale value {rate(tally.value, tally.asked)}"
        )
    return line


def lines_of(way: Way, report: Report, *, examples: int = 0) -> list[str]:
    """Return a report as lines."""
    lines = [f"{way.name}   loaded in {report.load_s:.1f} s, asked in {report.ask_s:.1f} s"]
    for when, tallies in (("now", report.now), ("at past dates", report.past)):
        for kind in KINDS:
            if tallies[kind].asked:
                lines.append(_row(f"changing, {when}, {kind}", tallies[kind]))
    lines.append(_row("changing, now, anywhere in the store", report.anywhere))
    for name, tally in (
        ("static, now", report.static),
        ("static, at past dates", report.static_past),
        ("static statements served, now", report.served),
        ("static statements served, past", report.served_past),
    ):
        if tally.asked:
            lines.append(_row(name, tally, stale=False))
    kept = [t.examples for t in (report.now["keyed"], report.past["keyed"], report.past["first value"], report.served)]
    shown = [example for examples_of in kept for example in examples_of]
    lines += [f"    {line}" for line in shown[:examples]]
    return lines


def coverage_lines(pages: Sequence[Page], splitter: str) -> list[str]:
    """Return how many changes of a value the extractor links, by the shape of the earlier statement."""
    coverage = Coverage(lambda text: split(text, splitter))
    changes: Counter[tuple[str, str]] = Counter()
    linked: Counter[tuple[str, str]] = Counter()
    read: Counter[tuple[str, str]] = Counter()
    for page in pages:
        for fact in page.changing:
            for n, (old, new) in enumerate(zip(fact.said, fact.said[1:], strict=False)):
                if old.value is None or old.value == new.value:
                    continue
                how = "removed" if new.value is None else "value only"
                if new.value is not None and squeeze(old.statement or "").replace(old.value, new.value) != squeeze(
                    new.statement or ""
                ):
                    how = "reworded"
                about = shape(page, fact.said[n]), how
                changes[about] += 1
                read[about] += bool(coverage.keys(page, fact, old))
                linked[about] += coverage.linked(page, fact, old, new)
    total = sum(n for (_, how), n in changes.items() if how != "removed")
    both = sum(linked.values())
    lines = [f"changes of a value with one key before and after ({splitter}): {rate(both, total)}"]
    for about in sorted(changes):
        what, how = about
        lines.append(
            f"  {what:<32} {how:<12} linked {rate(linked[about], changes[about]):<32} "
            f"earlier statement keyed {rate(read[about], changes[about])}"
        )
    return lines


# -- cost -------------------------------------------------------------------------------------


class MadeVectors(Embeddings):
    """A random unit vector for each text, made before anything is timed; versions of a chunk lie close together."""

    def __init__(self) -> None:
        """Begin with none."""
        self._rng = np.random.default_rng(7)
        self._known: dict[str, list[float]] = {}
        self._centres: dict[str, Any] = {}

    def make(self, text: str, chunk: str) -> None:
        """Make the vector of a text near that of other versions of its chunk."""
        if chunk not in self._centres:
            self._centres[chunk] = self._rng.normal(size=DIMENSIONS)
        vector = self._centres[chunk] + self._rng.normal(scale=0.1, size=DIMENSIONS)
        self._known[text] = (vector / np.linalg.norm(vector)).astype(np.float32).tolist()

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return vectors, ``(n, 384)``."""
        return [self._known[t] for t in texts]

    def embed_query(self, text: str) -> list[float]:
        """Return a vector, ``(384,)``."""
        return self._known[text]


_NAME = re.compile(r"[A-Za-z]\w*[-_]\w[\w-]*|[A-Z][a-z]+[A-Z]\w*")


def _copied(text: str, title: str, copy: int) -> str:
    """Return a page about things of other names."""
    named = set(re.findall(r"[A-Za-z][\w-]{4,}", title))
    numbered = _NAME.sub(lambda m: f"{m[0]}{copy}", text)
    return re.sub(r"\b[A-Za-z][\w-]{4,}\b", lambda m: f"{m[0]}{copy}" if m[0] in named else m[0], numbered)


def measure_cost(pages: Sequence[Page], splitter: str, rows: int, rounds: int, *, progress: bool = True) -> list[str]:
    """Write copies of the pages, revision by revision, until there are `rows` chunks; read; in turn with stock.

    Stock gets the same rows (each revision is added); the time that extraction takes is left out of the ratios
    and shown, as in `eval.cost`.
    """
    vectors = MadeVectors()
    plan: list[tuple[str, str, list[str], list[str]]] = []
    seen: set[str] = set()
    copy = 0
    while len(seen) < rows:
        for page in pages:
            source = f"{copy}/{page.source}"
            for day, text in page.revisions.items():
                chunks = split(_copied(text, page.title, copy), splitter)
                for n, chunk in enumerate(chunks):
                    vectors.make(chunk, f"{source}#{n}")
                ids = [hashlib.sha256(f"{source}\n{c}".encode()).hexdigest() for c in chunks]
                seen.update(ids)
                plan.append((day, source, chunks, ids))
            if len(seen) >= rows:
                break
        copy += 1
    plan.sort()
    extractor = TimedExtractor()
    write = Timings()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        settings = Settings(anonymized_telemetry=False)
        stock = Chroma("cost", vectors, client=chromadb.PersistentClient(f"{folder}/stock", settings=settings))
        ours = ChainStore(
            "cost", vectors, client=chromadb.PersistentClient(f"{folder}/ours", settings=settings), extractor=extractor
        )
        for n, (day, source, chunks, ids) in enumerate(tqdm(plan, "cost: write", leave=False, disable=not progress)):
            about = [{"source": source} for _ in ids]
            before = extractor.seconds

            def add_stock(chunks: list[str] = chunks, about: list[Any] = about, ids: list[str] = ids) -> None:
                stock.add_texts(chunks, about, ids)

            def add_ours(
                chunks: list[str] = chunks, about: list[Any] = about, ids: list[str] = ids, day: str = day
            ) -> None:
                ours.add_texts(chunks, about, ids, valid_from=day)

            pair = [(write.stock, add_stock), (write.ours, add_ours)]
            for times, call in pair if n % 2 else reversed(pair):
                times.append(_seconds(call))
            write.ours[-1] -= extractor.seconds - before
        lines = [
            f"cost: {len(seen)} chunks of {len({s for _, s, _, _ in plan})} pages, {DIMENSIONS} dimensions, "
            f"{len(plan)} writes of {len(plan[0][2])} chunks or so; {splitter} splitter; k=5",
            write.line("write one revision of a page"),
            f"{'extraction (left out above)':<34} {extractor.seconds / max(extractor.texts, 1) * 1e3:.2f} ms a chunk, "
            f"{extractor.seconds:.1f} s beside {sum(write.stock):.1f} s of stock's writing without embedding",
        ]
        rng = np.random.default_rng(8)
        texts = [c for _, _, chunks, _ in plan for c in chunks]
        queries = [vectors.embed_query(texts[int(i)]) for i in rng.integers(0, len(texts), 200)]
        middle = plan[len(plan) // 2][0]
        for name, extra in {"read now": {}, f"read as of {middle}": {"as_of": middle}}.items():
            ours.similarity_search_by_vector(queries[0], k=5, **extra)
            stock.similarity_search_by_vector(queries[0], k=5)
            read = Timings()
            for n, query in enumerate(queries * rounds):

                def ask_stock(query: list[float] = query) -> None:
                    stock.similarity_search_by_vector(query, k=5)

                def ask_ours(query: list[float] = query, extra: dict[str, str] = extra) -> None:
                    ours.similarity_search_by_vector(query, k=5, **extra)

                both = [(read.stock, ask_stock), (read.ours, ask_ours)]
                for times, call in both if n % 2 else reversed(both):
                    times.append(_seconds(call))
            lines.append(read.line(name))
    return lines


def _seconds(call: Callable[[], None]) -> float:
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


# -- the command ------------------------------------------------------------------------------


def main() -> None:
    """Ask about the pages, and print the report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--splitter", choices=SPLITTERS, default="recursive")
    parser.add_argument("--limit", type=int, help="only so many pages")
    parser.add_argument("--embedding", choices=("lexical", "minilm"), default="lexical")
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--way", nargs="*", choices=WAYS, default=WAYS)
    parser.add_argument("--examples", type=int, default=0, help="print so many of what went wrong with keyed facts")
    parser.add_argument("--cost", action="store_true", help="measure the cost beside stock instead")
    parser.add_argument("--rows", type=int, default=10_000, help="chunks for --cost")
    parser.add_argument("--rounds", type=int, default=3, help="how often each of 200 queries is asked for --cost")
    arguments = parser.parse_args()
    pages = read_pages(arguments.limit)
    if arguments.cost:
        print("\n".join(measure_cost(pages, arguments.splitter, arguments.rows, arguments.rounds)))
        return
    embeddings = Remembered(default_embeddings(prefer=arguments.embedding))
    client = chromadb.EphemeralClient(settings=Settings(anonymized_telemetry=False))
    revisions = sum(len(p.revisions) for p in pages)
    facts = [f for p in pages for f in p.changing]
    changes = sum(a.value != b.value for f in facts for a, b in zip(f.said, f.said[1:], strict=False))
    print(
        f"{len(pages)} pages, {revisions} revisions, {len(facts)} changing facts with {changes} changes, "
        f"{sum(len(p.static) for p in pages)} static facts; {arguments.splitter} splitter, "
        f"{arguments.embedding} embedding, k={arguments.k}"
    )
    print("\n".join(coverage_lines(pages, arguments.splitter)), flush=True)
    for name in arguments.way:
        way = Way(name, embeddings, arguments.splitter, client)
        report = judge(way, pages, arguments.k)
        print("\n".join(["", *lines_of(way, report, examples=arguments.examples)]), flush=True)


if __name__ == "__main__":
    main()
