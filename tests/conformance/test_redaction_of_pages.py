"""What goes of a page, cut by splitters or whole, and what comes back of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from langchain_text_splitters import RecursiveCharacterTextSplitter
from llama_index.core import Document as IndexDocument
from llama_index.core import VectorStoreIndex
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.schema import MetadataMode, TextNode

from .conftest import StillClock
from .llama import LexicalModel, embed
from .redacting import (
    FILTERED,
    NOTE,
    PAGE,
    QUESTION,
    READERS,
    WITHOUT_PORT,
    OpenDoor,
    PageDoor,
    door,
    evolve,
    evolved,
    index_on,
    open_door,
)

__all__ = ["door", "evolved", "open_door"]


def test_a_statement_that_stands_in_several_rows_goes_from_all(door: PageDoor) -> None:
    for n in range(6):
        door.add(f"Harbour {n} opens at six. The port is 8080.", f"row-{n}", "2024-01-01")
    door.add("The port is 9090.", "new", "2024-02-01")
    assert door.told() == {f"row-{n}": f"Harbour {n} opens at six." for n in range(6)} | {"new": "The port is 9090."}


@pytest.mark.parametrize("overlap", [0, 60])
def test_recursive_splitter(open_door: OpenDoor, overlap: int) -> None:
    store = open_door("langchain").store
    splitter = RecursiveCharacterTextSplitter(chunk_size=110, chunk_overlap=overlap, add_start_index=True)
    chunks = splitter.create_documents([PAGE], [{"source": "a.md"}])
    assert len(chunks) > 3
    holding = [d for d in chunks if "The port is 8080." in d.page_content]
    assert holding
    ids = store.add_documents(chunks, valid_from="2024-01-01")
    store.add_texts(["The port is 9090.", "The batch is 1."], valid_from="2024-03-01")
    now = store.get_by_ids(ids)
    assert [d.metadata for d in now] == [d.metadata for d in chunks]
    for before, after in zip(chunks, now, strict=True):
        start = after.metadata["start_index"]
        assert PAGE[start : start + len(before.page_content)] == before.page_content  # still of the original
        for gone in ("The port is 8080.", "batch = 250"):
            assert gone not in after.page_content
        lines = [s for s in before.page_content.split("\n") if "8080" not in s and "batch" not in s]
        shells = ("```", "|---", "| name")  # they go with all that they held
        assert all(s in after.page_content for s in lines if not s.startswith(shells))
    joined = "\n".join(d.page_content for d in now)
    for statement in ("Deploys happen after lunch.", "- The quota is 50.", "host = db1", "| retries | 3 |"):
        assert statement in joined
    past = store.get_by_ids(ids, as_of="2024-02-01")
    assert [d.page_content for d in past] == [d.page_content for d in chunks]


def test_sentence_splitter_and_the_place_in_the_original(open_door: OpenDoor) -> None:
    store = open_door("llama_index").store
    splitter = SentenceSplitter(chunk_size=48, chunk_overlap=0)
    index = VectorStoreIndex.from_vector_store(store, embed_model=LexicalModel(), transformations=[splitter])
    index.insert(IndexDocument(text=PAGE, id_="doc"), valid_from="2024-01-01")
    before = {n.node_id: n for n in store.get_nodes()}
    assert len(before) > 1
    index.insert(IndexDocument(text="The port is 9090. The host is db2.", id_="news"), valid_from="2024-03-01")
    after = {n.node_id: n for n in store.get_nodes()}
    assert set(before) < set(after)
    changed = 0
    for node_id, old in before.items():
        new = after[node_id]
        assert (new.start_char_idx, new.end_char_idx) == (old.start_char_idx, old.end_char_idx)
        assert PAGE[new.start_char_idx : new.end_char_idx] == old.text
        assert new.metadata == old.metadata
        assert new.ref_doc_id == "doc"
        assert "8080" not in new.text
        assert "host = db1" not in new.text
        changed += new.text != old.text
    assert changed >= 1
    assert {n.node_id: n.text for n in store.get_nodes(as_of="2024-02-01")} == {i: n.text for i, n in before.items()}


def reviewed(found: Any) -> Any:
    """Mark what was read of a page as reviewed."""
    found.metadata["reviewed"] = True
    if isinstance(found, TextNode) and found.embedding is None:
        found.embedding = embed(found.get_content())
    return found


def page_of(found: Any) -> Any:
    """Return the page among what a search found."""
    listed = [getattr(one, "node", one) for one in found]
    return next(one for one in listed if getattr(one, "id", None) == "page" or getattr(one, "node_id", None) == "page")


BACK: dict[str, tuple[str, Callable[[Any], Any]]] = {  # the door, and how what was read is written back to its store
    "update": ("langchain", lambda s: s.update_document("page", reviewed(s.get_by_ids(["page"])[0]))),
    "updates of some": ("langchain", lambda s: s.update_documents(
        ["page", "noise-0"], [reviewed(s.get_by_ids([row_id])[0]) for row_id in ("page", "noise-0")])),
    "add_texts": ("langchain", lambda s: s.add_texts(
        s.get(ids=["page"])["documents"], [{**s.get(ids=["page"])["metadatas"][0], "reviewed": True}], ["page"])),
    "add_documents": ("langchain", lambda s: s.add_documents([reviewed(page_of(s.similarity_search(QUESTION, k=20)))])),
    "add": ("llama_index", lambda s: s.add([reviewed(s.get_nodes(node_ids=["page"])[0])])),
    "insert_nodes": ("llama_index", lambda s: index_on(s).insert_nodes(
        [reviewed(page_of(index_on(s).as_retriever(similarity_top_k=20).retrieve(QUESTION)))])),
}  # fmt: skip


@pytest.mark.parametrize("how", BACK)
def test_a_redacted_view_written_back_changes_only_metadata(open_door: OpenDoor, clock: StillClock, how: str) -> None:
    name, back = BACK[how]
    door = evolve(open_door(name), clock)
    undoing = door.store.last_changes
    before = {d: door.page(as_of=d) for d in ("2024-02-01", "2024-03-15")}
    statements = [str(e) for e in door.store.history(id="page")]
    back(door.store)
    clock.set("2024-07-01T00:00:00")
    assert door.page() == WITHOUT_PORT
    assert {d: door.page(as_of=d) for d in before} == before
    assert before["2024-02-01"] == PAGE
    assert door.page(stale="keep") == PAGE
    assert sorted(door.told(include_superseded=True)) == ["noise-0", "noise-1", "page", "port-2"]
    assert len(door.store.history(id="page")) == len(statements)
    if name == "langchain":
        assert door.store.get(ids=["page"])["metadatas"][0] == {"source": "a.md", "level": 1, "reviewed": True}
    else:
        metadata = door.store.get_nodes(node_ids=["page"])[0].metadata
        assert metadata == {"source": "a.md", "level": 1, "reviewed": True}
    assert door.store.verify() == []
    door.store.undo(undoing)
    assert door.page() == PAGE


def test_a_redacted_view_inserted_as_its_document(open_door: OpenDoor, clock: StillClock) -> None:
    """`insert` of a known document: its nodes are new, and what they show has been so all along."""
    store = open_door("llama_index").store
    index = index_on(store)
    index.insert(IndexDocument(text=PAGE.strip(), id_="doc", metadata={"level": 1}), valid_from="2024-01-01")
    index.insert(IndexDocument(text="The port is 9090.", id_="news"), valid_from="2024-03-01")
    shown = next(n for n in store.get_nodes() if n.ref_doc_id == "doc")
    assert shown.get_content(metadata_mode=MetadataMode.NONE) == WITHOUT_PORT.strip()
    index.insert(IndexDocument(text=shown.text, id_="doc", metadata={"level": 2}))
    clock.set("2024-07-01T00:00:00")
    now = [n for n in store.get_nodes() if n.text != "The port is 9090."]
    assert [(n.text, n.metadata) for n in now] == [(WITHOUT_PORT.strip(), {"level": 2})]
    assert PAGE.strip() in [n.text for n in store.get_nodes(as_of="2024-02-01")]
    assert "The port is 9090." in [n.text for n in store.get_nodes()]


def test_retract_takes_a_sentence_out(evolved: PageDoor, clock: StillClock) -> None:
    evolved.store.retract("owner", at="2024-05-01")
    clock.set("2024-07-01T00:00:00")
    want = WITHOUT_PORT.replace(" The owner is ann.", "")
    for reader in READERS[evolved.kind]:
        assert evolved.page(reader) == want, reader
    assert evolved.page(as_of="2024-04-15") == WITHOUT_PORT
    assert evolved.page(known_at="2024-06-01T11:00:00") == WITHOUT_PORT
    assert "The owner is ann. [ended 2024-05-01T00:00:00+00:00]" in str(evolved.page(stale="annotate"))


def test_a_fact_that_was_not_yet_true_is_left_out_of_a_text_that_was(door: PageDoor, clock: StillClock) -> None:
    """Undated, prose has always been valid and facts since they were written."""
    clock.set("2024-04-01T00:00:00")
    door.add("Boats rest. The port is 8080.", "page")
    clock.set("2024-06-01T00:00:00")
    assert door.page() == "Boats rest. The port is 8080."
    assert door.page(as_of="2024-02-01") == "Boats rest."
    noted = door.page(as_of="2024-02-01", stale="annotate")
    assert noted == "Boats rest. The port is 8080. [valid from 2024-04-01T00:00:00+00:00]"


@pytest.mark.parametrize("name", list(READERS))
def test_a_server_serves_the_same(open_door: OpenDoor, http_client: Any, clock: StillClock, name: str) -> None:
    door = evolve(open_door(name, http_client), clock)
    noted = PAGE.replace("8080.", f"8080. {NOTE}")
    for reader in READERS[name]:
        assert door.page(reader) == WITHOUT_PORT, reader
        assert door.page(reader, as_of="2024-02-01") == PAGE, reader
        assert door.page(reader, known_at="2024-03-15") == PAGE, reader
        assert door.page(reader, stale="annotate") == noted, reader
        assert door.page(reader, stale="drop") is None, reader
    for reader in FILTERED[name]:
        assert door.page(reader, where_document={"$contains": "8080"}) is None, reader
        assert door.page(reader, where_document={"$contains": "lunch"}) == WITHOUT_PORT, reader
        assert door.page(reader, where_document={"$not_contains": "8080"}) == WITHOUT_PORT, reader
    changes = door.store.last_changes
    BACK["update" if name == "langchain" else "add"][1](door.store)
    assert door.page() == WITHOUT_PORT
    door.store.undo(changes)
    assert door.page() == PAGE
