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
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import chromadb
from chromadb.config import Settings
from tqdm import tqdm

from eval.pages_corpus import Changing, Page, count, in_its_words, read_pages, squeeze
from eval.pages_cost import measure_cost
from eval.pages_coverage import KINDS, Coverage, Kind, coverage_lines, rate
from eval.pages_ways import SPLITTERS, WAYS, Remembered, Way, load, split
from memstrata_integrations import default_embeddings

__all__ = ["Page", "Report", "Tally", "count", "in_its_words", "judge", "lines_of", "rate", "read_pages", "split",
           "squeeze", "weigh"]  # fmt: skip


@dataclass
class Tally:
    """What was asked, and how often the answer was so."""

    asked: int = 0
    found: int = 0
    held: int = 0
    statement: int = 0
    value: int = 0
    examples: list[str] = field(default_factory=list)


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
