"""FactConsolidation, single hop: numbered facts of which the later one counts, as they stand, without a reader.

Run ``python -m eval.factconsolidation FILE`` (a minute with MiniLM). Counted for each question: whether the statement
that holds is on top, in the top k, and there without a statement of the same thing that it superseded. Many relations
of these facts ("was founded by") have several values in life; the benchmark gives each one, and the run says so by
``SupersessionPolicy(unknown="functional")``. Stock Chroma and `dated` (stock, its top k put newest first) stand beside.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from langchain_chroma import Chroma
from langchain_core.embeddings import Embeddings

from eval.benchmarks import load_fact_consolidation
from eval.conditions.in_memory import COSINE, client, unique_name
from eval.models import embedder
from eval.spec import Benchmark, Question
from eval.statistics import rate
from memstrata_integrations import SupersessionPolicy
from memstrata_integrations.langchain import TemporalVectorStore

__all__ = ["Asked", "asked_of", "counts", "systems"]

Ask = Callable[[str, int], list[str]]


class Asked(NamedTuple):
    """A question, the statement that answers it now, and those that it superseded."""

    question: str
    truth: str
    rivals: frozenset[str]


def asked_of(benchmark: Benchmark) -> list[Asked]:
    """Return the questions with their statements, found by words alone.

    What answers is the last of the statements that end or begin with an accepted answer and share most words with the
    question; its rivals are earlier ones that are the same but for the answer.
    """
    told = [turn.text for turn in benchmark.turns]
    return [found for question in benchmark.questions if (found := _found(question, told)) is not None]


def _found(question: Question, told: Sequence[str]) -> Asked | None:
    words = set(re.findall(r"\w+", question.text.lower()))
    best, frame = (-1.0, -1), ("", "")
    for place, text in enumerate(told):
        for answer in question.answers:
            start = text.rfind(answer)
            if start >= 0 and (start == 0 or text[start + len(answer) :] == "."):
                other = set(re.findall(r"\w+", (text[:start] + text[start + len(answer) :]).lower()))
                score = (len(words & other) / max(len(words | other), 1), place)
                if score > best:
                    best, frame = score, (text[:start], text[start + len(answer) :])
    if best[1] < 0:
        return None
    truth = told[best[1]]
    rivals = {t for t in told[: best[1]] if t != truth and t.startswith(frame[0]) and t.endswith(frame[1])}
    return Asked(question.text, truth, frozenset(rivals))


def systems(benchmark: Benchmark, embedding: Embeddings) -> Iterator[tuple[str, Ask]]:
    """Yield each store, told everything in order, as what may be asked of it."""
    told = [turn.text for turn in benchmark.turns]
    place = {"embedding_function": embedding, "collection_configuration": COSINE}
    stock = Chroma(unique_name(), client=client(), **place)
    stock.add_texts(told, [{"number": n} for n in range(len(told))])

    def dated(question: str, k: int) -> list[str]:
        found = stock.similarity_search(question, k=k)
        return [d.page_content for d in sorted(found, key=lambda d: -d.metadata["number"])]

    yield "stock Chroma", lambda question, k: [d.page_content for d in stock.similarity_search(question, k=k)]
    yield "stock, top k newest first", dated
    for title, policy in (
        ("ours", SupersessionPolicy(unknown="functional")),
        ("ours, without the policy", SupersessionPolicy()),
    ):
        ours = TemporalVectorStore(unique_name(), client=client(), policy=policy, **place)
        ours.add_texts(told)
        yield title, lambda question, k, store=ours: [d.page_content for d in store.similarity_search(question, k=k)]


def counts(ask: Ask, questions: Sequence[Asked], k: int) -> tuple[int, int, int, list[Asked]]:
    """Return how often the truth is on top, in the top k, there without a rival; and what falls short of that."""
    top = there = alone = 0
    short = []
    for asked in questions:
        found = ask(asked.question, k)
        top += found[:1] == [asked.truth]
        there += asked.truth in found
        clean = asked.truth in found and asked.rivals.isdisjoint(found)
        alone += clean
        short += [] if clean else [asked]
    return top, there, alone, short


def main() -> None:
    """Ask every question of every store, and print the counts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--embedding", default="minilm")
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--show", action="store_true", help="print the questions that ours falls short of")
    chosen = parser.parse_args()
    for benchmark in load_fact_consolidation(chosen.file):
        questions = asked_of(benchmark)
        changed = sum(bool(q.rivals) for q in questions)
        of = f"{len(questions)} of {len(benchmark.questions)} questions, {changed} with a superseded rival"
        print(f"{benchmark.about}; {of}; {chosen.embedding}, k={chosen.k}")
        for title, ask in systems(benchmark, embedder(chosen.embedding)):
            top, there, alone, short = counts(ask, questions, chosen.k)
            told = zip(("on top", f"in top {chosen.k}", "there without a rival"), (top, there, alone), strict=True)
            print(f"  {title:<26} " + "   ".join(f"{what} {rate(n, len(questions))}" for what, n in told))
            if chosen.show and title == "ours":
                print(*(f"    {q.question} | {q.truth} | {'; '.join(q.rivals)}" for q in short), sep="\n")


if __name__ == "__main__":
    main()
