"""Data of others, judge-free: FactConsolidation, LoCoMo by its evidence, and the twelve published scenarios.

Records hold counts by question or scenario, and no text. FactConsolidation gives each relation one value, though many
("was founded by") have several in life: ours runs with that stated as ``SupersessionPolicy(unknown="functional")``, and
without. LoCoMo's turns are prose in which next to nothing may retire anything: what of the evidence of a question is in
the context, and how many turns are lost.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta, timezone
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from langchain_core.embeddings import Embeddings
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores import VectorStoreQuery

from eval.conditions.in_memory import COSINE, client, unique_name
from eval.records import Recorder
from eval.spec import Benchmark, Question
from eval.systems import RIVALS, Dated, Ours, System, Told
from memstrata_integrations import SupersessionPolicy
from memstrata_integrations.langchain import TemporalVectorStore
from memstrata_integrations.llama_index import TemporalVectorStore as LlamaStore

Counted = tuple[str, list[tuple[int, int]]]
_TWELVE = Path(__file__).with_name("benchmarks") / "published_twelve.json"
_START = datetime(2024, 1, 1, tzinfo=timezone.utc)
STATED = "temporal_v6, policy stated"
_SYSTEMS = {made.name: made for made in (*RIVALS, Ours)}


def run_public(
    embedding: Embeddings, recorder: Recorder, *, k: int, conditions: Sequence[str], given: Sequence[Benchmark] = ()
) -> None:
    """Record what of the data of others is right in each system's context.

    Args:
        embedding: Of all systems.
        recorder: Where the records go.
        k: How many texts an answer has.
        conditions: Systems by name; others than stock, stock with dates and ours are passed over.
        given: Files that a user has, loaded.
    """

    def record(part: str, of: str, condition: str, counted: Callable[[], Iterable[Counted]]) -> None:
        named = {"type": "count", "part": part, "set": of, "condition": condition}
        if not recorder.has({**named, "measure": "done"}):
            for measure, groups in counted():
                recorder.write({**named, "measure": measure, "groups": groups})
            recorder.write({**named, "measure": "done", "groups": []})

    for door in _DOORS if Ours.name in conditions else ():
        record("twelve", "published", door, partial(published_twelve, door, embedding, k))
    for benchmark in given:
        part, _, of = benchmark.name.partition(":")
        counting = consolidation if part == "fact_consolidation" else evidence
        for name in (*_SYSTEMS, *([STATED] if part == "fact_consolidation" else ())):
            if name.partition(",")[0] in conditions:
                record(part, of, name, partial(_counted, counting, benchmark, name, embedding, k))


def _counted(
    counting: Callable[..., Iterator[Counted]], benchmark: Benchmark, name: str, embedding: Embeddings, k: int
) -> Iterator[Counted]:
    return counting(benchmark, _system(name, embedding), k)


def _system(name: str, embedding: Embeddings) -> System:
    if name == STATED:
        return Ours(embedding, policy=SupersessionPolicy(unknown="functional"), name=name)
    return _SYSTEMS[name](embedding)


def _told(benchmark: Benchmark) -> list[Told]:
    return [Told(turn.text, _START + n * timedelta(minutes=1)) for n, turn in enumerate(benchmark.turns)]


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


def consolidation(benchmark: Benchmark, system: System, k: int) -> Iterator[Counted]:
    """Yield how often what holds is on top, in the context, and there without a statement that it superseded."""
    told = _told(benchmark)
    system.tell(told, told[-1].date)
    questions = asked_of(benchmark)
    counted: dict[str, list[tuple[int, int]]] = {"on top": [], "in the context": [], "there without a rival": []}
    for asked in questions:
        found = [Dated.undated(passage.text) for passage in system.ask(asked.question, k)]
        there = asked.truth in found
        counted["on top"].append((found[:1] == [asked.truth], 1))
        counted["in the context"].append((there, 1))
        counted["there without a rival"].append((there and asked.rivals.isdisjoint(found), 1))
    yield from counted.items()
    known = {asked.question for asked in questions}
    yield "questions without a statement", [(int(one.text not in known), 1) for one in benchmark.questions]


def evidence(benchmark: Benchmark, system: System, k: int) -> Iterator[Counted]:
    """Yield how much of each question's evidence is in the context, and how many turns can't be served any more."""
    told = _told(benchmark)
    system.tell(told, told[-1].date)
    text_of = {turn.id: turn.text for turn in benchmark.turns}
    recalled = []
    for question in benchmark.questions:
        if needed := [text_of[id_] for id_ in question.evidence if id_ in text_of]:
            found = [Dated.undated(passage.text) for passage in system.ask(question.text, k)]
            recalled.append((sum(text in found for text in needed), len(needed)))
    yield "evidence in the context", recalled
    held = system.held()
    yield "turns lost", [(int(one.text not in held), 1) for one in told]


def published_twelve(door: str, embedding: Embeddings, k: int) -> Iterator[Counted]:
    """Yield what is served of the two states of each published scenario, all told to one store, one after the other."""
    scenarios: list[dict[str, Any]] = json.loads(_TWELVE.read_text(encoding="utf-8"))
    told = [scenario[state] for scenario in scenarios for state in ("state_a", "state_b")]
    ask = _DOORS[door](told, embedding, k)
    found = [(scenario, ask(scenario["question"])) for scenario in scenarios]
    yield "the later state is served", [(int(scenario["state_b"] in texts), 1) for scenario, texts in found]
    yield "the earlier state is not", [(int(scenario["state_a"] not in texts), 1) for scenario, texts in found]


def _through_langchain(told: list[str], embedding: Embeddings, k: int) -> Callable[[str], list[str]]:
    place = {"embedding_function": embedding, "collection_configuration": COSINE}
    store = TemporalVectorStore(unique_name(), client=client(), **place)
    for text in told:
        store.add_texts([text])
    return lambda question: [document.page_content for document in store.similarity_search(question, k=k)]


def _through_llama_index(told: list[str], embedding: Embeddings, k: int) -> Callable[[str], list[str]]:
    store = LlamaStore(chroma_collection=client().create_collection(unique_name(), embedding_function=None))
    for text, vector in zip(told, embedding.embed_documents(told), strict=True):
        store.add([TextNode(text=text, embedding=vector)])

    def ask(question: str) -> list[str]:
        query = VectorStoreQuery(query_embedding=embedding.embed_query(question), similarity_top_k=k)
        return [node.get_content() for node in store.query(query).nodes or ()]

    return ask


_DOORS = {"langchain": _through_langchain, "llama_index": _through_llama_index}
