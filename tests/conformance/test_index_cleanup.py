"""LangChain's `index()` keeps a store in step with its sources: same counts as stock, and no stated fact lost."""

import asyncio
import random
import uuid
from collections.abc import Iterator
from typing import Any, Literal

import pytest
from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_core.indexing import InMemoryRecordManager, aindex, index

from tests.stateful.toy import TestClock

from .conftest import StoreMaker
from .lexical import LexicalEmbeddings

Cleanup = Literal["incremental", "full", "scoped_full"] | None
CLEANING: list[Cleanup] = ["incremental", "full", "scoped_full"]
HOW = [*({"batch_size": n} for n in (1, 2, 100)), {"later": True}, {"force_update": True}]


def page(source: str, *statements: str) -> list[Document]:
    return [Document(page_content=statement, metadata={"source": source}) for statement in statements]


PORT, NINE = "The Atlas API port is 8080.", "The Atlas API port is 9090."
ASK, OTHER = "Ask Ann before a deployment.", "Nothing to see here."
HALF, FULL = "The Atlas cache timeout is set to 30 seconds.", "The Atlas cache timeout is set to 60 seconds."
GUIDE = "The guide was written in spring."
FAQ = page("faq.md", "The Atlas default region is eu-west-1.")
MOVED = "The Atlas default region is us-east-1."
LAST = page("ops.md", PORT, FULL, "Ask Bob before a deployment.") + page("faq.md", MOVED, MOVED)
REVISIONS: list[list[Document]] = [
    page("ops.md", PORT, HALF, ASK) + page("guide.md", PORT, GUIDE) + FAQ,
    page("ops.md", NINE, HALF, ASK) + page("guide.md", PORT, GUIDE) + FAQ,
    page("ops.md", NINE, FULL) + page("guide.md", NINE, "The guide was rewritten in summer."),
    LAST, LAST, [],
]  # fmt: skip


class Indexed:
    """A store with the record manager that `index()` keeps beside it."""

    def __init__(self, store: Any, *, erases: bool = True) -> None:
        self.store, self.erases = store, erases
        self.records = InMemoryRecordManager(namespace=uuid.uuid4().hex)
        self.records.create_schema()

    def index(self, documents: list[Document], cleanup: Cleanup, *, later: bool = False, **more: Any) -> dict[str, int]:
        """Index documents by their source; `later`: asynchronously."""
        more = {"cleanup": cleanup, "source_id_key": "source", "key_encoder": "sha256", **more}
        given = documents, self.records, self.store
        return dict(asyncio.run(aindex(*given, **more)) if later else index(*given, **more))

    def rows(self, **more: Any) -> set[str]:
        return set(self.store.get(include=[], **more)["ids"])

    def found(self, **more: Any) -> list[tuple[str, str]]:
        found = self.store.similarity_search("API port", k=20, where_document={"$contains": "port"}, **more)
        return sorted((d.page_content, d.metadata["source"]) for d in found)


@pytest.fixture
def stock(client: Any) -> Iterator[Indexed]:
    store = Chroma(client=client, collection_name=f"index-{uuid.uuid4().hex}", embedding_function=LexicalEmbeddings())
    yield Indexed(store)
    store.delete_collection()


@pytest.fixture(params=["purge", "retire"])
def ours(request: pytest.FixtureRequest, make_temporal: StoreMaker) -> Indexed:
    return Indexed(make_temporal(on_delete=request.param), erases=request.param == "purge")


@pytest.mark.parametrize("how", HOW, ids=str)
@pytest.mark.parametrize("cleanup", [None, *CLEANING])
def test_counts_are_stocks(stock: Indexed, ours: Indexed, clock: TestClock, cleanup: Cleanup, how: Any) -> None:
    """Over six revisions each mode of cleanup adds, updates, skips and deletes as many documents as with stock.

    Where deletion erases, our rows, superseded ones included, are exactly stock's: none lost, none left over.
    """
    for number, revision in enumerate(REVISIONS):
        before = ours.rows(include_superseded=True), ours.found()
        clock.set(f"2024-06-{number + 1:02}T12:00:00")
        assert ours.index(revision, cleanup, **how) == stock.index(revision, cleanup, **how), f"revision {number}"
        assert ours.rows() <= stock.rows()
        if ours.erases:
            assert ours.rows(include_superseded=True) == stock.rows(), f"revision {number}"
        if revision in REVISIONS[:number]:  # the same again
            assert (ours.rows(include_superseded=True), ours.found()) == before
            assert ours.found(as_of=f"2024-06-{number:02}T18:00:00") == before[1]


CUT, ANEW = "Welcome. " + PORT, "Welcome to the handbook. " + PORT
Served = list[tuple[str, str]]
HISTORIES: dict[str, list[tuple[list[Document], Served]]] = {
    "when a source changes a value, only the new one is served": [
        (page("ops.md", PORT.replace("8080", port), ASK), [(PORT.replace("8080", port), "ops.md")])
        for port in ("8080", "9090", "8080", "7070", "8080")
    ],
    "of two sources that state one value, one stops; the other's stays": [
        (page("a.md", PORT) + page("b.md", PORT), [(PORT, "a.md"), (PORT, "b.md")]),
        (page("a.md", OTHER) + page("b.md", PORT), [(PORT, "b.md")]),
    ],
    "a chunk is cut anew around an unchanged fact: the fact stays": [
        (page("ops.md", text, ASK), [(text, "ops.md")]) for text in (CUT, ANEW)
    ],
    "when a source no longer states what superseded another's value, that stays retired": [
        (page("old.md", PORT), [(PORT, "old.md")]),
        (page("old.md", PORT) + page("new.md", NINE), [(NINE, "new.md")]),
        (page("old.md", PORT) + page("new.md", OTHER), []),
    ],
}


@pytest.mark.parametrize("cleanup", CLEANING)
@pytest.mark.parametrize("name", HISTORIES)
def test_what_is_served_after_each_revision(ours: Indexed, clock: TestClock, cleanup: Cleanup, name: str) -> None:
    for day, (revision, expected) in enumerate(HISTORIES[name], start=1):
        clock.set(f"2024-06-{day:02}T12:00:00")
        ours.index(revision, cleanup)
        assert ours.found() == expected, f"revision {day}"


def test_a_fact_that_a_kept_source_states_survives_the_removal_of_the_other(ours: Indexed, clock: TestClock) -> None:
    for day, sources in enumerate([["a.md"], ["a.md", "b.md"], ["b.md"]], start=1):
        clock.set(f"2024-06-{day:02}T12:00:00")
        ours.index([one for source in sources for one in page(source, PORT)], "full")
    assert ours.found() == [(PORT, "b.md")]


@pytest.mark.parametrize("dated", [False, True])
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("cleanup", CLEANING)
def test_what_the_sources_state_is_what_is_served(
    ours: Indexed, clock: TestClock, cleanup: Cleanup, seed: int, dated: bool
) -> None:
    """Over random revisions of two sources that agree, what the last revision states is served, and nothing else.

    Where deletion erases, or each revision has a date, though one before the deletion, each source's own document is
    served. Where deletion keeps history, what comes back undated keeps its old date (rule 15), so a statement may stay
    superseded by what the other source said since.
    """
    draw = random.Random(seed)
    subjects = ["Atlas API port", "Borealis broker timeout", "Cygnus cache limit"]
    values = dict.fromkeys(subjects, 100)
    batch_size = draw.choice([1, 2, 100])
    for day in range(1, 7):
        clock.set(f"2024-06-{day:02}T12:00:00")
        values = {name: draw.choice([value, 100, 200, 300]) for name, value in values.items()}
        revision = []
        for source in ("a.md", "b.md"):
            stated = [f"The {name} is {value}." for name, value in values.items() if draw.random() < 0.8]
            revision += page(source, *stated, f"Remark {draw.randrange(3)} on this page.")
        more = {"upsert_kwargs": {"valid_from": f"2024-05-{day:02}"}} if dated else {}
        ours.index(revision, cleanup, batch_size=batch_size, **more)
        found = ours.store.get()
        shown = {(m["source"], text) for m, text in zip(found["metadatas"], found["documents"], strict=True)}
        expected = {(d.metadata["source"], d.page_content) for d in revision}
        assert {text for _, text in shown} <= {text for _, text in expected}, f"day {day}"
        if ours.erases or dated:
            assert shown == expected, f"day {day}"


def test_valid_from_passes_through_index(make_temporal: StoreMaker) -> None:
    """`upsert_kwargs` hands `valid_from` to the store, so that `index()` can load dated knowledge."""
    ours = Indexed(make_temporal())
    ours.index(page("a.md", NINE), None, upsert_kwargs={"valid_from": "2022-01-01"})
    ours.index(page("b.md", PORT), None, upsert_kwargs={"valid_from": "2020-01-01"})
    assert ours.found() == [(NINE, "a.md")]
    assert ours.found(as_of="2021-01-01") == [(PORT, "b.md")]
