"""Versions of documents in LlamaIndex: the new one is served, the old one in its time, and what deletion leaves."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from llama_index.core import VectorStoreIndex
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.storage.docstore import SimpleDocumentStore
from llama_index.core.vector_stores.types import MetadataFilters

from memstrata_integrations.chroma import state as _state
from memstrata_integrations.ledger.time import format_time
from memstrata_integrations.llama_index import TemporalVectorStore
from tests.stateful.toy import TestClock, moment

from .conftest import StoreMaker
from .llama import A, B, C, LineParser, all_texts, ask, document, index_of, ingest, matching, part, served

FERRIES = "Take the ferries to the island before noon."
TIMEOUT = "The API timeout is 30 seconds."
NETS = "Nets dry on the wall."
OLD = f"{A}\n{TIMEOUT}\n{FERRIES}"
NEW = f"{B}\n{TIMEOUT}\nThe quay was repaired last winter."
FIXED = OLD.replace("noon", "nine")


@pytest.fixture
def store(make_llama: StoreMaker) -> TemporalVectorStore:
    return make_llama()  # type: ignore[no-any-return]


@pytest.fixture
def retiring(make_llama: StoreMaker) -> TemporalVectorStore:
    """A store that keeps the history of what is deleted."""
    return make_llama(on_delete="retire")  # type: ignore[no-any-return]


@pytest.fixture(params=["fresh ids", "stable ids"])
def parser(request: pytest.FixtureRequest) -> LineParser:
    """A splitter that gives new ids on every run, and one that numbers the lines of a document."""
    return LineParser(stable=request.param == "stable ids")


@pytest.fixture
def afresh(tmp_path: Path, clock: TestClock) -> Callable[[], Any]:
    """Open the store of one directory, as a process would that knows nothing but what is on disk."""

    def make() -> TemporalVectorStore:
        _state._states.clear()
        return TemporalVectorStore.from_params("notes", persist_dir=str(tmp_path / "db"), clock=clock)

    return make


def lines(*texts: str) -> list[str]:
    return sorted(line for text in texts for line in text.split("\n"))


def raw_texts(store: TemporalVectorStore) -> list[str]:
    return lines(*store.client.session.collection.get()["documents"])


def each_version(clock: TestClock, write: Callable[[str, str], Any], *versions: str) -> None:
    """Write versions on 2, 10 and 20 June 2024; then it is the 25th."""
    for day, text in zip(("2024-06-02", "2024-06-10", "2024-06-20"), versions, strict=False):
        clock.set(f"{day}T00:00:00")
        write(text, day)
    clock.set("2024-06-25T00:00:00")


@pytest.mark.parametrize("dated", [True, False], ids=["dated", "undated"])
@pytest.mark.parametrize("last", [OLD, f"{C}\nNothing else is left."], ids=["the first again", "a third"])
def test_each_version_has_its_time(store: Any, parser: LineParser, clock: TestClock, dated: bool, last: str) -> None:
    index = index_of(store, transformations=[parser])

    def write(text: str, day: str) -> None:
        index.insert(document(text, "page"), **({"valid_from": day} if dated else {}))

    each_version(clock, write, OLD, NEW, last)
    assert all_texts(store) == lines(last)
    for day, version in zip(("2024-06-05", "2024-06-15", "2024-06-22"), (OLD, NEW, last), strict=True):
        assert all_texts(store, as_of=day) == all_texts(store, known_at=day) == lines(version)
        ids = store.query(ask(k=50), as_of=day).ids or []
        assert len(ids) == len(set(ids)) == len(lines(version))
    if dated:
        assert all_texts(store, as_of="2024-06-10") == lines(NEW)
    before = all_texts(store, as_of="2024-06-01")
    assert before == ([] if dated else [FERRIES])  # undated prose of the first version was always there
    assert store.verify() == []


@pytest.mark.parametrize("still", [False, True], ids=["clock ticks", "clock stands still"])
def test_versions_in_a_fresh_process(afresh: Any, parser: LineParser, clock: TestClock, still: bool) -> None:
    """A process that knows nothing of the old version but what is on disk retires it, tells so, and takes it back."""

    def insert(text: str, name: str) -> Any:
        store = afresh()
        index_of(store, transformations=[parser]).insert(document(text, name))
        return store.last_changes

    insert(OLD, "page")
    insert(NETS, "other")
    if not still:
        clock.set("2024-06-10T00:00:00")
    changes = insert(NEW, "page")
    assert len(changes.ids) == 3
    assert changes.retired + changes.versions >= 2
    clock.set("2024-06-20T00:00:00")  # a reader who knows of no write asks about the clock's time
    assert all_texts(afresh()) == lines(NEW, NETS)
    if not still:
        assert all_texts(afresh(), as_of="2024-06-05") == lines(OLD, NETS)
    assert afresh().verify() == []
    afresh().undo(changes.id)
    assert all_texts(afresh()) == lines(OLD, NETS)


def test_a_version_in_several_calls_of_fresh_processes(afresh: Callable[[], Any], clock: TestClock) -> None:
    """The same, each line in a call and a process of its own."""
    for n, text in enumerate(lines(OLD)):
        afresh().add([part("page", "h1", text, f"n{n}")])
    clock.set("2024-06-02T00:00:00")
    assert all_texts(afresh()) == lines(OLD)
    for day, text in enumerate(lines(NEW), start=10):
        clock.set(f"2024-06-{day}T00:00:00")
        afresh().add([part("page", "h2", text, f"m{day}")])
    clock.set("2024-06-20T00:00:00")
    assert all_texts(afresh()) == lines(NEW)
    assert all_texts(afresh(), as_of="2024-06-05") == lines(OLD)


@pytest.mark.parametrize("whole", [True, False], ids=["documents", "nodes"])
def test_a_plan_tells_what_a_version_would_end(store: TemporalVectorStore, whole: bool) -> None:
    """`plan` takes documents, each as one node, and nodes, and tells what writing them does; one may come alone."""
    index = index_of(store, transformations=[SentenceSplitter()])
    index.insert(document(f"{A} {TIMEOUT}", "page", source="a.md"))
    newer = document(B, "page", source="a.md")
    told = [newer] if whole else SentenceSplitter().get_nodes_from_documents([newer])
    planned, later = store.plan(told), store.plan(told[0], valid_from="2030-01-01")
    assert (planned.retired, later.retired, all_texts(store)) == (1, 0, [f"{A} {TIMEOUT}"])
    index.insert(newer)
    changes = [(c.kind, c.old, c.new) for c in store.last_changes or ()]
    assert [(c.kind, c.old, c.new) for c in planned] == changes
    assert "superseded" in {kind for kind, _, _ in changes}


def test_no_hash_retires_nothing(store: TemporalVectorStore) -> None:
    """Of nodes whose source has no hash nobody knows the version: none retires another, nor is retired."""
    for n, version in enumerate((None, None, "h1", None)):
        store.add([part("page", version, f"A remark of kind {n}.", f"n{n}")])
    assert len(all_texts(store)) == 4


def since(store: TemporalVectorStore, text: str) -> str:
    """Return the date that the ledger gives to the statement which is served."""
    [entry] = store.history(statement=text).current
    return str(format_time(entry.asserted[0].start))


WAYS: dict[str, Callable[[VectorStoreIndex, Any], Any]] = {
    "insert": lambda index, one: index.insert(one),
    "update": lambda index, one: index.update_ref_doc(one),
    "refresh": lambda index, one: index.refresh_ref_docs([one]),
}


@pytest.mark.parametrize("way", WAYS)
def test_an_unchanged_line_keeps_its_date(retiring: Any, clock: TestClock, parser: LineParser, way: str) -> None:
    store, index = retiring, index_of(retiring, transformations=[parser])
    each_version(clock, lambda text, _: WAYS[way](index, document(text, "page")), OLD, NEW)
    assert all_texts(store) == lines(NEW)
    assert since(store, TIMEOUT).startswith("2024-06-02")
    assert since(store, B).startswith("2024-06-10")
    assert all_texts(store, as_of="2024-06-05") == lines(OLD)


@pytest.mark.parametrize("way", WAYS)
def test_an_unchanged_fact_of_a_changed_chunk_keeps_its_date(retiring: Any, clock: TestClock, way: str) -> None:
    """It is a line of each version in the history, as long as that was served, and of one date; a dated one is anew."""
    index, pages = index_of(retiring, transformations=[SentenceSplitter()]), [f"{port} {TIMEOUT}" for port in (A, B, C)]
    each_version(clock, lambda text, _: WAYS[way](index, document(text, "page")), *pages)
    entries = retiring.history("API timeout")
    assert [str(e.valid_from)[:10] for e in entries] == ["2024-06-02", "2024-06-10", "2024-06-20"]
    assert {str(format_time(e.asserted[0].start))[:10] for e in entries} == {"2024-06-02"}
    index.insert(document(f"{A} {TIMEOUT}", "page"), valid_from="2024-06-22")
    assert format_time(retiring.history("API timeout")[-1].asserted[0].start) == "2024-06-22T00:00:00+00:00"


@pytest.mark.parametrize("way", ["insert", "update"])
def test_fixing_a_typo_makes_a_page_no_newer(retiring: Any, clock: TestClock, parser: LineParser, way: str) -> None:
    """A fact that another document has superseded since is not revived by a new version that merely repeats it."""
    index, pages = index_of(retiring, transformations=[parser]), iter(["page", "other", "page"])
    each_version(clock, lambda text, _: WAYS[way](index, document(text, next(pages))), OLD, B, FIXED)
    assert all_texts(retiring) == sorted([B, TIMEOUT, FERRIES.replace("noon", "nine")])


def test_versions_of_many_documents_in_one_call(store: TemporalVectorStore, clock: TestClock) -> None:
    store.add([part(f"d{d}", f"h{d}", f"Remark {n} of document {d}.", f"{d}-{n}") for d in range(5) for n in range(3)])
    clock.set("2024-06-10T00:00:00")
    store.add([part(f"d{d}", f"g{d}", f"A new remark of document {d}.", f"{d}-new") for d in (1, 3)])
    kept = [f"Remark {n} of document {d}." for d in (0, 2, 4) for n in range(3)]
    assert all_texts(store) == sorted([*kept, "A new remark of document 1.", "A new remark of document 3."])


def test_both_versions_in_one_call(store: TemporalVectorStore) -> None:
    store.add([part("page", "h1", A, "n1"), part("page", "h1", FERRIES, "n2"), part("page", "h2", B, "n3")])
    assert all_texts(store) == [B]


def test_a_corrected_source_in_the_metadata_of_the_splitter(store: TemporalVectorStore, clock: TestClock) -> None:
    """A document whose metadata alone changed is a new version with the same lines: each is served once."""
    authors = iter(["Ann", "Bob"])
    each_version(clock, lambda text, _: index_of(store).insert(document(text, "page", author=next(authors))), OLD, OLD)
    assert all_texts(store) == lines(OLD)
    assert {n.metadata["author"] for n in store.get_nodes()} == {"Bob"}


def replacing(store: TemporalVectorStore, way: str, parser: LineParser) -> Callable[..., None]:
    """Return a function that writes the given documents as the way does, deleting what they were before."""
    index, docstore = index_of(store, transformations=[parser]), SimpleDocumentStore()

    def write(*documents: Any) -> None:
        if way == "refresh":
            index.refresh_ref_docs(list(documents))
        elif way == "update":
            for one in documents:
                index.update_ref_doc(one)
        else:
            cut = None if way.endswith("whole") else parser
            ingest(store, *documents, parser=cut, docstore=docstore, docstore_strategy=way.removesuffix(" whole"))

    return write


REPLACING = ["refresh", "update", "upserts", "upserts whole", "upserts_and_delete", "upserts_and_delete whole"]


@pytest.mark.parametrize("on_delete", ["purge", "retire"])
@pytest.mark.parametrize("way", REPLACING)
def test_replacing_keeps_the_past_or_forgets_it(
    make_llama: StoreMaker, clock: TestClock, parser: LineParser, way: str, on_delete: str
) -> None:
    """Flows that delete and write anew keep what held before, exactly; by default it is gone, from raw Chroma too."""
    store = make_llama(on_delete=on_delete)
    write = replacing(store, way, parser)
    each_version(clock, lambda text, _: write(document(text, "page"), document(NETS, "other")), OLD, NEW, FIXED)
    assert lines(*all_texts(store)) == lines(FIXED, NETS)
    if on_delete == "purge":
        assert raw_texts(store) == lines(FIXED, NETS)
        return
    for asked, version in (("2024-06-05", OLD), ("2024-06-15", NEW)):
        assert lines(*all_texts(store, as_of=asked)) == lines(version, NETS)
    assert lines(*all_texts(store, known_at="2024-06-15")) == lines(NEW, NETS)
    assert store.verify() == []


@pytest.mark.parametrize("way", REPLACING[-2:])
def test_upserts_and_delete_drops_documents_that_are_gone(retiring: Any, clock: TestClock, way: str) -> None:
    write, gone = replacing(retiring, way, LineParser()), iter([[document(A, "a")], []])
    each_version(clock, lambda text, _: write(*next(gone), document(text, "f")), FERRIES, FERRIES)
    assert all_texts(retiring) == [FERRIES]
    assert served(retiring, as_of="2024-06-05") == [A]


EMPTYING: dict[str, Callable[[VectorStoreIndex], Any]] = {
    "delete_ref_doc": lambda index: index.delete_ref_doc("page", delete_from_docstore=True),
    "clear": lambda index: index.vector_store.clear(),
}


@pytest.mark.parametrize("how", EMPTYING)
@pytest.mark.parametrize("keeps", [True, False])
def test_deleting_goes_by_the_stores_on_delete(make_llama: StoreMaker, clock: TestClock, keeps: bool, how: str) -> None:
    """Nothing is served any more; a store that retires keeps the past, another one nothing. The lines may return."""
    store = make_llama(on_delete="retire" if keeps else "purge")
    index = index_of(store)
    each_version(clock, lambda text, _: index.insert(document(text, "page")), OLD, NEW)
    EMPTYING[how](index)
    clock.advance(10**6)
    assert all_texts(store) == []
    assert all_texts(store, known_at=moment(clock.now - 2 * 10**6)) == (lines(NEW) if keeps else [])
    assert raw_texts(store) == [] or keeps
    clock.set("2024-07-01T00:00:00")
    index.insert(document(OLD, "page"))
    days = ("2024-06-05", "2024-06-15", "2024-06-28", None)
    past = [lines(OLD), lines(NEW), []] if keeps else [[FERRIES]] * 3  # undated prose was always there
    assert [all_texts(store, as_of=day) for day in days] == [*past, lines(OLD)]


def test_a_version_that_is_yet_to_come_is_withdrawn_with_its_document(retiring: Any, clock: TestClock) -> None:
    """What is written after that goes on beyond its date; taken back, the deletion leaves it to come."""
    index, later = index_of(retiring), "2024-08-01"
    index.insert(document("Ask Ann.", "page"))
    index.insert(document("Ask Bob.", "page"), valid_from="2024-07-01")
    index.delete_ref_doc("page")
    retiring.undo(retiring.last_changes)
    assert [all_texts(retiring, as_of=day) for day in (None, later)] == [["Ask Ann."], ["Ask Bob."]]
    clock.set("2024-06-20T00:00:00")
    index.update_ref_doc(document("Ask Al.", "page"))
    assert [all_texts(retiring, as_of=day) for day in (None, later)] == [["Ask Al."]] * 2


PURGES: dict[str, Callable[[VectorStoreIndex, list[str], MetadataFilters], Any]] = {
    "sync": lambda i, ids, some: i.delete_ref_doc("page", purge=True),
    "async": lambda i, ids, some: asyncio.run(i.adelete_ref_doc("page", purge=True)),
    "delete_nodes": lambda i, ids, some: i.delete_nodes(ids, purge=True),
    "adelete_nodes": lambda i, ids, some: asyncio.run(i.adelete_nodes(ids, purge=True)),
    "update": lambda i, ids, some: i.update_ref_doc(document("It is new.", "page"), delete_kwargs={"purge": True}),
    "by filter": lambda i, ids, some: i.vector_store.delete_nodes(filters=some, purge=True),
}


@pytest.mark.parametrize("how", PURGES)
def test_purge_erases_whatever_the_store_keeps(retiring: TemporalVectorStore, clock: TestClock, how: str) -> None:
    """`purge=True` leaves no trace of a document though the store retires, its versions and ended lines included."""
    store, index = retiring, index_of(retiring, transformations=[LineParser(stable=True)])
    index.insert(document(NETS, "other"))
    each_version(clock, lambda text, _: index.insert(document(text, "page")), OLD, NEW)
    some = matching(document_id="page")
    PURGES[how](index, [f"page#{n}" for n in range(3)], some)
    expected = sorted([NETS, *(["It is new."] if how == "update" else [])])
    assert raw_texts(store) == all_texts(store, include_superseded=True) == expected
    assert "8080" not in json.dumps(store.client.session.collection.get()["metadatas"])
