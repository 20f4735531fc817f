"""Pages that change: which changed facts are linked when a new revision is only added, and which true ones are lost.

Run ``python -m eval.pages``. Forty invented pages in `corpus` come in 2 to 5 dated revisions. Each revision is split
and written in the order of the dates, and after each write it is counted what the store serves of the page, now:

* linked: of the facts whose value this revision changes, those whose former value is served no more, neither its
  statement nor the value in its words (with as many words around it as it takes until the new page doesn't say them);
* lost: of the facts that this revision leaves as they were and that some chunk of it states, those that no chunk that
  is served states any more; and, where it was added, those that are closed in the row that stated them before, even
  if the new row states them, too: what a reader would lose if the new text were not the whole page.

Ways to write, all of the same chunks:

* ``added``: new rows under new ids, without `sync`, deletion or the same document id: the grammar alone has to see it;
* ``synced``: `store.sync`: the chunks are all that the page holds now;
* ``inserted``: LlamaIndex, the page under the same document id;
* ``stock``: stock Chroma, added: nothing ever goes.

At past dates: of the facts as each earlier revision stated them, how many the store gives for that date, and how many
statements with another date's value it gives besides.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter
from llama_index.core import VectorStoreIndex
from llama_index.core.schema import NodeRelationship, RelatedNodeInfo, TextNode

from eval.conditions.in_memory import client, unique_name
from eval.models import embedder
from eval.pages_corpus import Page, count, in_its_words, read_pages, shape, squeeze
from eval.statistics import rate
from memstrata_integrations.langchain import TemporalVectorStore as ChainStore
from memstrata_integrations.llama_index import DefaultEmbedding
from memstrata_integrations.llama_index import TemporalVectorStore as IndexStore

SPLITTERS = ("recursive", "markdown", "page")
WAYS = ("added", "synced", "inserted", "stock")
_RECURSIVE = RecursiveCharacterTextSplitter(chunk_size=600, chunk_overlap=80)


def split(text: str, splitter: str) -> list[str]:
    """Split a page into chunks; none occurs twice."""
    if splitter == "page":
        return [text]
    chunks = [Document(text)]
    if splitter == "markdown":
        chunks = MarkdownHeaderTextSplitter([("#", "1"), ("##", "2")], strip_headers=False).split_text(text)
    return list(dict.fromkeys(d.page_content for d in _RECURSIVE.split_documents(chunks)))


def row_id(source: str, day: str, chunk: str) -> str:
    """Return the id of a chunk of a revision."""
    return sha256(f"{source} {day} {chunk}".encode()).hexdigest()


class Way:
    """A way to write pages, and what is served of them."""

    def __init__(self, name: str, splitter: str, embedding: Embeddings) -> None:
        """Open an empty store; `name` is one of `WAYS`."""
        self.name, self.splitter = name, splitter
        if name == "inserted":
            collection = client().create_collection(unique_name(), embedding_function=None)
            self.store: Any = IndexStore(collection)
            self.index = VectorStoreIndex.from_vector_store(self.store, DefaultEmbedding(embeddings=embedding))
        else:
            self.store = (Chroma if name == "stock" else ChainStore)(unique_name(), embedding, client=client())

    def write(self, source: str, text: str, day: str) -> None:
        """Write a revision of a page."""
        dated = {} if self.name == "stock" else {"valid_from": day}
        chunks, about = split(text, self.splitter), {"source": source}
        documents = [Document(c, metadata=about, id=row_id(source, day, c)) for c in chunks]
        if self.name == "inserted":
            of = {NodeRelationship.SOURCE: RelatedNodeInfo(node_id=source, hash=sha256(text.encode()).hexdigest())}
            self.index.insert_nodes([TextNode(text=c, metadata=about, relationships=of) for c in chunks], **dated)
        elif self.name == "synced":
            self.store.sync(source, documents, **dated)
        else:
            self.store.add_documents(documents, **dated)

    def kept(self, source: str, text: str, day: str) -> list[str]:
        """Return what is served of the rows that a revision of a page was written to."""
        found = self.store.get(ids=[row_id(source, day, chunk) for chunk in split(text, self.splitter)])
        return [squeeze(text) for text in found["documents"]]

    def served(self, source: str, day: str | None = None) -> list[str]:
        """Return the chunks of a page that are served, now or at a date, with single blanks."""
        dated = {} if day is None else {"as_of": f"{day}T12:00:00"}
        found = (self.store.client if self.name == "inserted" else self.store).get(where={"source": source}, **dated)
        return [squeeze(text) for text in found["documents"]]


@dataclass
class Report:
    """What one way came to; `*_examples` are facts that are not as they should be."""

    linked: dict[str, list[int]] = field(default_factory=dict)  # [linked, of]: all, by how it changed, by its shape
    lost: list[int] = field(default_factory=lambda: [0, 0])
    closed: list[int] = field(default_factory=lambda: [0, 0])
    past_found: list[int] = field(default_factory=lambda: [0, 0])
    past_stale: list[int] = field(default_factory=lambda: [0, 0])
    missed_examples: list[str] = field(default_factory=list)
    lost_examples: list[str] = field(default_factory=list)


def judge(way: Way, pages: Sequence[Page], step: Callable[[], object] = lambda: None) -> Report:
    """Write all revisions in the order of their dates, and count after each."""
    report = Report()
    for day, n in sorted((day, n) for n, page in enumerate(pages) for day in page.revisions):
        page = pages[n]
        way.write(page.source, page.revisions[day], day)
        if day > min(page.revisions):
            _count_now(way, page, day, report)
        step()
    for page in pages if way.name != "stock" else ():
        for day in list(page.revisions)[:-1]:
            _count_past(way, page, day, report)
    return report


def _count_now(way: Way, page: Page, day: str, report: Report) -> None:
    served = way.served(page.source)
    for fact in page.changing:
        said = [s for s in fact.said if s.since <= day]
        if len(said) > 1 and said[-1].since == day and None not in (said[-1].value, said[-2].value):
            old = said[-2]
            if old.value != said[-1].value:
                was, new = squeeze(old.statement or ""), squeeze(said[-1].statement or "")
                told = in_its_words(was, old.value or "", lambda w: not count(page.squeezed[day], w))
                stale = any(count(chunk, was) or count(chunk, told) for chunk in served)
                alone = was.replace(squeeze(old.value or ""), squeeze(said[-1].value or "")) == new
                for kind in ("all", "the value alone" if alone else "in other words", shape(page, old)):
                    tally = report.linked.setdefault(kind, [0, 0])
                    tally[0] += not stale
                    tally[1] += 1
                if stale:
                    report.missed_examples.append(f"{fact.id} {day}: {old.statement!r} -> {said[-1].statement!r}")
    chunks = [squeeze(chunk) for chunk in split(page.revisions[day], way.splitter)]
    earlier = max(d for d in page.revisions if d < day)
    text = page.revisions[earlier]
    before = way.kept(page.source, text, earlier) if way.name == "added" else []
    for name, statement in _unchanged(page, day):
        if any(statement in chunk for chunk in chunks):
            gone = not any(statement in chunk for chunk in served)
            report.lost[0] += gone
            report.lost[1] += 1
            report.lost_examples += [f"{name} {day}: {statement!r}"] * gone
        if way.name == "added" and any(statement in squeeze(chunk) for chunk in split(text, way.splitter)):
            closed = not any(statement in chunk for chunk in before)
            report.closed[0] += closed
            report.closed[1] += 1
            report.lost_examples += [f"{name} {day}, in the earlier row: {statement!r}"] * closed


def _unchanged(page: Page, day: str) -> Iterator[tuple[str, str]]:
    """Yield the statements of a revision that the one before it had as well."""
    for static in page.static:
        yield static.id, squeeze(static.statement)
    for fact in page.changing:
        said = fact.at(day)
        if said.statement is not None and said.since < day:
            yield fact.id, squeeze(said.statement)


def _count_past(way: Way, page: Page, day: str, report: Report) -> None:
    served = way.served(page.source, day)
    chunks = [squeeze(chunk) for chunk in split(page.revisions[day], way.splitter)]
    for fact in page.changing:
        said = squeeze(fact.at(day).statement or "")
        if said and any(said in chunk for chunk in chunks):
            report.past_found[0] += any(said in chunk for chunk in served)
            report.past_found[1] += 1
        known = {s.statement for s in fact.said if s.since <= day}
        later = [squeeze(s.statement) for s in fact.others(day) if s.statement and s.statement not in known]
        report.past_stale[0] += any(count(chunk, statement) for statement in later for chunk in served)
        report.past_stale[1] += bool(later)


def lines_of(name: str, report: Report, *, examples: int = 0) -> list[str]:
    """Return a report as lines."""
    linked = {"all": [0, 0], **report.linked}
    lines = [f"{name}", f"  changed facts linked             {rate(*linked.pop('all'))}"]
    lines += [f"    {what:<30} {rate(*counts)}" for what, counts in sorted(linked.items())]
    lines.append(f"  unchanged facts lost             {rate(*report.lost)}")
    if report.closed[1]:
        lines.append(f"  unchanged, closed in an old row  {rate(*report.closed)}")
    if report.past_found[1]:
        lines.append(f"  at past dates, found             {rate(*report.past_found)}")
        lines.append(f"  at past dates, a later one       {rate(*report.past_stale)}")
    lines += [f"    LOST {line}" for line in report.lost_examples[:examples]]
    return lines + [f"    NOT LINKED {line}" for line in report.missed_examples[:examples]]


def main() -> None:
    """Write the pages in each way, and print what came of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--splitter", choices=SPLITTERS, default="recursive")
    parser.add_argument("--way", nargs="*", choices=WAYS, default=WAYS)
    parser.add_argument("--limit", type=int, help="only so many pages")
    parser.add_argument("--embedding", default="lexical")
    parser.add_argument("--examples", type=int, default=0, help="print so many facts that were lost or not linked")
    chosen = parser.parse_args()
    pages = read_pages(chosen.limit)
    revisions = sum(len(page.revisions) for page in pages)
    print(f"{len(pages)} pages, {revisions} revisions; {chosen.splitter} splitter, {chosen.embedding} embedding")
    for name in chosen.way:
        report = judge(Way(name, chosen.splitter, embedder(chosen.embedding)), pages)
        print("\n".join(["", *lines_of(name, report, examples=chosen.examples)]), flush=True)


if __name__ == "__main__":
    main()
