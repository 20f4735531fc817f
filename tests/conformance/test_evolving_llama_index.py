"""Knowledge that changes, through the LlamaIndex front door: the current statement is served, the stale one is not."""

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from llama_index.core.schema import MetadataMode, NodeRelationship, RelatedNodeInfo, TextNode

from memstrata_integrations.errors import ConflictError
from memstrata_integrations.ledger.changes import Changes
from memstrata_integrations.ledger.facts import Fact
from memstrata_integrations.ledger.policy import SupersessionPolicy
from memstrata_integrations.llama_index import TemporalVectorStore
from tests.stateful.toy import TestClock

from .conftest import StoreMaker
from .doors import Door
from .llama import NOISE, QUESTION, A, B, C, all_texts, document, index_from, index_of, ingest, llm, node, ports, served


@pytest.fixture
def store(make_llama: StoreMaker) -> TemporalVectorStore:
    """A store that holds some prose that has nothing to do with the facts."""
    made = make_llama()
    made.add([node(text) for text in NOISE])
    return made  # type: ignore[no-any-return]


WRITERS: dict[str, Callable[[Any, str], Any]] = {
    "insert": lambda i, t: i.insert(document(t)),
    "insert one document": lambda i, t: i.insert(document(t, "page")),
    "insert with metadata": lambda i, t: i.insert(document(t, author="Ann", weight=0.5)),
    "insert_nodes": lambda i, t: i.insert_nodes([TextNode(text=t)]),
    "add": lambda i, t: i.vector_store.add([node(t)]),
    "add under one id": lambda i, t: i.vector_store.add([node(t, "the-node")]),
    "add under an id for each text": lambda i, t: i.vector_store.add([node(t, t)]),
    "from_documents": lambda i, t: index_from(i.vector_store, [document(t)]),
    "pipeline": lambda i, t: ingest(i.vector_store, document(t)),
    "pipeline, whole": lambda i, t: ingest(i.vector_store, document(t, "page"), parser=None),
    "upserts": lambda i, t: ingest(i.vector_store, document(t, "page"), docstore=i.docstore),
    "upserts, whole": lambda i, t: ingest(i.vector_store, document(t, "page"), parser=None, docstore=i.docstore),
    "update_ref_doc": lambda i, t: i.update_ref_doc(document(t, "page")),
    "refresh_ref_docs": lambda i, t: i.refresh_ref_docs([document(t, "page")]),
}


@pytest.mark.parametrize("ticking", [True, False], ids=["clock ticks", "clock stands still"])
@pytest.mark.parametrize("way", WRITERS)
@pytest.mark.parametrize("on_delete", ["purge", "retire"])
def test_a_b_a_a_b_serves_the_right_value_after_each_step(
    make_llama: StoreMaker, clock: TestClock, way: str, ticking: bool, on_delete: str
) -> None:
    """After each undated write the sentence written last is served, and the stale one not at all.

    Where what is deleted is kept, each past moment is still answered with what held then, and with what was known then.
    """
    store = make_llama(on_delete=on_delete)
    store.add([node(text) for text in NOISE])
    index = index_of(store)
    for day, text in enumerate([A, B, A, A, B], start=2):
        if ticking:
            clock.set(f"2024-06-{day:02}T12:00:00")
        WRITERS[way](index, text)
        assert set(served(store)) == {text}, f"day {day}"
        assert set(ports(index.as_retriever(similarity_top_k=3).retrieve(QUESTION))) == {text}
        assert set(all_texts(store)) == {*NOISE, text}
    assert store.verify() == []
    if ticking and on_delete == "retire":
        clock.set("2024-07-01T00:00:00")
        for axis in ("as_of", "known_at"):
            past = [set(served(store, **{axis: f"2024-06-{day:02}T18:00:00"})) for day in range(1, 8)]
            assert past == [set(), {A}, {B}, {A}, {A}, {B}, {B}], axis


async def test_a_b_a_a_b_asynchronously(store: TemporalVectorStore) -> None:
    index = index_of(store)
    told: list[set[Any]] = [set(), {("8080", "9090")}, {("9090", "8080")}, set(), {("8080", "9090")}]
    for n, text in enumerate([A, B, A, A, B]):
        await (index.ainsert(document(text)) if n % 2 else store.async_add([node(text)]))  # type: ignore[misc]
        assert set(ports(await index.as_retriever(similarity_top_k=10).aretrieve(QUESTION))) == {text}
        assert {(c.old, c.new) for c in store.last_changes or ()} == told[n]


DATED: dict[str, Callable[[Any, str, str], Any]] = {
    "insert": lambda i, t, d: i.insert(document(t), valid_from=d),
    "insert_nodes": lambda i, t, d: i.insert_nodes([TextNode(text=t)], valid_from=d),
    "insert_nodes, one date each": lambda i, t, d: i.insert_nodes([TextNode(text=t)], valid_from=[d]),
    "add": lambda i, t, d: i.vector_store.add([node(t)], valid_from=d),
    "ainsert": lambda i, t, d: asyncio.run(i.ainsert(document(t), valid_from=d)),
    "ainsert_nodes": lambda i, t, d: asyncio.run(i.ainsert_nodes([TextNode(text=t)], valid_from=d)),
    "async_add": lambda i, t, d: asyncio.run(i.vector_store.async_add([node(t)], valid_from=d)),
    "from_documents": lambda i, t, d: index_from(i.vector_store, [document(t)], valid_from=d),
    "from_documents, async": lambda i, t, d: index_from(i.vector_store, [document(t)], valid_from=d, use_async=True),
    "nodes of a pipeline": lambda i, t, d: i.vector_store.add(ingest(None, document(t)), valid_from=d),
    "update_ref_doc": lambda i, t, d: i.update_ref_doc(document(t), insert_kwargs={"valid_from": d}),
    "refresh_ref_docs": lambda i, t, d: i.refresh_ref_docs([document(t)], insert_kwargs={"valid_from": d}),
    "a field that the call names": lambda i, t, d: i.insert(document(t, day=d), valid_from_field="day"),
    "a keyword prevails": lambda i, t, d: i.insert(document(t, day="2019-01-01"), valid_from_field="day", valid_from=d),
}


@pytest.mark.parametrize("way", DATED)
def test_valid_from_goes_with_every_way_of_writing(store: TemporalVectorStore, way: str) -> None:
    index = index_of(store)
    DATED[way](index, B, "2022-01-01")
    DATED[way](index, A, "2020-01-01")
    assert [served(store, as_of=f"{year}-06-01") for year in (2019, 2020, 2021, 2022)] == [[], [A], [A], [B]]
    assert served(store) == [B]


def test_refresh_takes_a_date_for_changed_documents(store: TemporalVectorStore) -> None:
    index, dated = index_of(store), {"insert_kwargs": {"valid_from": "2030-01-01"}}
    index.refresh_ref_docs([document(A, "page")])
    assert index.refresh_ref_docs([document(B, "page")], update_kwargs=dated) == [True]
    assert [served(store), served(store, as_of="2030-06-01")] == [[], [B]]


def test_an_archived_row_carries_its_own_id(store: TemporalVectorStore, clock: TestClock) -> None:
    """In raw Chroma every row's `_node_content` has the id of its row, so stock code reads no id twice."""
    for day, text in ((2, A), (10, B), (20, C)):
        clock.set(f"2024-06-{day:02}T00:00:00")
        store.add([node(text, "page")])
    store.add([node("The API port is 6060.", "page")], valid_from="2022-01-01")  # goes straight to the archive
    raw = store.client.session.collection.get(include=["metadatas"])
    assert len(raw["ids"]) == len(NOISE) + 4
    for row_id, metadata in zip(raw["ids"], raw["metadatas"], strict=True):
        assert json.loads(metadata["_node_content"])["id_"] == row_id


def test_an_undone_version_of_a_node(store: TemporalVectorStore, clock: TestClock) -> None:
    source = {NodeRelationship.NEXT: RelatedNodeInfo(node_id="next")}
    store.add([node(A, "page", metadata={"rev": 1}, relationships=source)])
    clock.set("2024-06-10T00:00:00")
    store.add([node(B, "page", metadata={"rev": 2, "more": True})])
    store.undo(store.last_changes)  # type: ignore[arg-type]
    [found] = store.get_nodes(["page"])
    assert (found.node_id, found.get_content(), found.metadata) == ("page", A, {"rev": 1})
    assert found.relationships == source


def test_the_guard_against_mass_retirement(make_llama: StoreMaker) -> None:
    store = make_llama(policy=SupersessionPolicy(max_retired=3))
    remarks = [f"Remark {n} on the weather." for n in range(8)]
    index_of(store).insert(document("\n".join(remarks), "page"))
    with pytest.raises(ConflictError, match="max_retired"):
        index_of(store).insert(document("Nothing is left.", "page"))
    assert all_texts(store) == sorted(store.client.session.collection.get()["documents"]) == remarks


SHOWN = ["memstrata_valid_from", "memstrata_valid_to", "memstrata_recorded_at", "memstrata_superseded_by"]


def test_validity_is_shown_to_people_only(make_llama: StoreMaker, clock: TestClock) -> None:
    """With `show_validity` metadata tells the dates; both exclusion lists keep them from embedding model and LLM."""
    store = make_llama(show_validity=True)
    index = index_of(store)
    index.insert(document(A, author="Ann"), valid_from="2022-01-01")
    index.insert(document(B, author="Ann"), valid_from="2024-01-01")
    found = store.get_nodes(include_superseded=True)
    assert {n.get_content() for n in found} == {A, B}
    for one in found:
        dates = {k for k in one.metadata if k.startswith("memstrata_")}
        assert "memstrata_valid_from" in dates <= set(SHOWN)
        for keys in (one.excluded_embed_metadata_keys, one.excluded_llm_metadata_keys):
            assert dates <= set(keys)
            assert len(keys) == len(set(keys))
        for mode in (MetadataMode.EMBED, MetadataMode.LLM):
            assert one.get_content(metadata_mode=mode) == f"author: Ann\n\n{one.get_content()}"
        assert "memstrata_valid_from" in one.get_content(metadata_mode=MetadataMode.ALL)
    answer = str(index.as_query_engine(llm=llm(), similarity_top_k=2).query(QUESTION))
    assert "memstrata" not in answer
    assert "2024-01-01" not in answer


def test_what_is_embedded_holds_no_dates() -> None:
    door = Door("llama_index", show_validity=True)
    index = index_of(door.store, embed_model=door.model)
    index.insert(document(A, author="Ann"), valid_from="2022-01-01")
    index.insert(document(B, author="Ann"), valid_from="2024-01-01")
    assert door.embedded == [f"author: Ann\n\n{A}", f"author: Ann\n\n{B}"]


async def test_a_task_knows_its_own_writes_alone() -> None:
    """A task that wrote in a thread can undo that; one that wrote nothing is not told what others wrote there."""
    store = Door("llama_index").store
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))

    async def write() -> Changes | None:
        await store.aadd_facts(Fact("checkout", "timeout", 1))
        return store.last_changes  # type: ignore[no-any-return]

    changes = await asyncio.create_task(write())
    assert changes is not None
    assert changes.added == 1
    await store.adelete("no such document")
    assert store.last_changes is None
