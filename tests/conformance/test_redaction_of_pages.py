"""What goes of a page, cut by splitters or whole, and what comes back of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from langchain_text_splitters import RecursiveCharacterTextSplitter
from llama_index.core import Document as IndexDocument
from llama_index.core import VectorStoreIndex
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.schema import TextNode

from .llama import LexicalModel, embed
from .redacting import FILTERED, MODES, PAGE, QUESTION, READERS, WITHOUT_PORT, PageDoor, door, evolve, evolved, index_on

__all__ = ["door", "evolved"]


def test_a_statement_that_stands_in_several_rows_goes_from_all(door: PageDoor) -> None:
    for n in range(6):
        door.add(f"Harbour {n} opens at six. The port is 8080.", f"row-{n}", "2024-01-01")
    door.add("The port is 9090.", "new", "2024-02-01")
    assert door.told() == {f"row-{n}": f"Harbour {n} opens at six." for n in range(6)} | {"new": "The port is 9090."}


@pytest.mark.parametrize("overlap", [0, 60])
def test_recursive_splitter(overlap: int) -> None:
    store = PageDoor("langchain").store
    splitter = RecursiveCharacterTextSplitter(chunk_size=110, chunk_overlap=overlap, add_start_index=True)
    chunks = splitter.create_documents([PAGE], [{"source": "a.md"}])
    assert len(chunks) > 3
    assert any("The port is 8080." in d.page_content for d in chunks)
    ids = store.add_documents(chunks, valid_from="2024-01-01")
    store.add_texts(["The port is 9090.", "The batch is 1."], valid_from="2024-03-01")
    now = store.get_by_ids(ids)
    assert [d.metadata for d in now] == [d.metadata for d in chunks]
    for before, after in zip(chunks, now, strict=True):
        start = after.metadata["start_index"]
        assert PAGE[start : start + len(before.page_content)] == before.page_content  # still of the original
        assert "The port is 8080." not in after.page_content
        assert "batch = 250" not in after.page_content
        gone = ("```", "|---", "| name")  # what held nothing else goes along
        lines = [s for s in before.page_content.split("\n") if "8080" not in s and "batch" not in s]
        assert all(s in after.page_content for s in lines if not s.startswith(gone))
    joined = "\n".join(d.page_content for d in now)
    for statement in ("Deploys happen after lunch.", "- The quota is 50.", "host = db1", "| retries | 3 |"):
        assert statement in joined
    past = store.get_by_ids(ids, as_of="2024-02-01")
    assert [d.page_content for d in past] == [d.page_content for d in chunks]


def test_sentence_splitter_and_the_place_in_the_original() -> None:
    store = PageDoor("llama_index").store
    splitter = SentenceSplitter(chunk_size=48, chunk_overlap=0)
    index = VectorStoreIndex.from_vector_store(store, embed_model=LexicalModel(), transformations=[splitter])
    index.insert(IndexDocument(text=PAGE, id_="doc"), valid_from="2024-01-01")
    before = {n.node_id: n for n in store.get_nodes()}
    assert len(before) > 1
    index.insert(IndexDocument(text="The port is 9090. The host is db2.", id_="news"), valid_from="2024-03-01")
    after = {n.node_id: n for n in store.get_nodes()}
    assert set(before) < set(after)
    for node_id, old in before.items():
        new = after[node_id]
        assert (new.start_char_idx, new.end_char_idx) == (old.start_char_idx, old.end_char_idx)
        assert PAGE[new.start_char_idx : new.end_char_idx] == old.text
        assert (new.metadata, new.ref_doc_id) == (old.metadata, "doc")
        assert "8080" not in new.text
        assert "host = db1" not in new.text
    assert any(after[node_id].text != old.text for node_id, old in before.items())
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
def test_a_redacted_view_written_back_changes_only_metadata(how: str) -> None:
    name, back = BACK[how]
    door = evolve(PageDoor(name))
    undoing = door.store.last_changes
    told = len(door.store.history(id="page"))
    back(door.store)
    door.clock.set("2024-07-01")
    assert door.page() == door.page(as_of="2024-03-15") == WITHOUT_PORT
    assert door.page(as_of="2024-02-01") == door.page(stale="keep") == PAGE
    assert sorted(door.told(include_superseded=True)) == ["noise-0", "noise-1", "page", "port-2"]
    assert len(door.store.history(id="page")) == told
    [read] = door.store.get_by_ids(["page"]) if name == "langchain" else door.store.get_nodes(node_ids=["page"])
    assert read.metadata == {"source": "a.md", "level": 1, "reviewed": True}
    assert door.store.verify() == []
    door.store.undo(undoing)
    assert door.page() == PAGE


def test_a_redacted_view_inserted_as_its_document() -> None:
    """`insert` of a known document: its nodes are new, and what they show has been so all along."""
    door = PageDoor("llama_index")
    index = index_on(door.store)
    index.insert(IndexDocument(text=PAGE.strip(), id_="doc", metadata={"level": 1}), valid_from="2024-01-01")
    index.insert(IndexDocument(text="The port is 9090.", id_="news"), valid_from="2024-03-01")
    [shown] = [text for text in door.served() if text != "The port is 9090."]
    assert shown == WITHOUT_PORT.strip()
    index.insert(IndexDocument(text=shown, id_="doc", metadata={"level": 2}))
    door.clock.set("2024-07-01")
    assert {n.text: n.metadata for n in door.store.get_nodes()} == {shown: {"level": 2}, "The port is 9090.": {}}
    assert PAGE.strip() in door.served(as_of="2024-02-01")


def test_retract_takes_a_sentence_out(evolved: PageDoor) -> None:
    evolved.store.retract("owner", at="2024-05-01")
    evolved.clock.set("2024-07-01")
    for reader in READERS[evolved.kind]:
        assert evolved.page(reader) == WITHOUT_PORT.replace(" The owner is ann.", ""), reader
    assert evolved.page(as_of="2024-04-15") == WITHOUT_PORT
    assert evolved.page(known_at="2024-06-01T11:00:00") == WITHOUT_PORT
    assert "The owner is ann. [ended 2024-05-01T00:00:00+00:00]" in str(evolved.page(stale="annotate"))


def test_a_fact_that_was_not_yet_true_is_left_out_of_a_text_that_was(door: PageDoor) -> None:
    """Undated, prose has always been valid and facts since they were written."""
    door.clock.set("2024-04-01")
    door.add("Boats rest. The port is 8080.", "page")
    door.clock.set("2024-06-01")
    assert door.page() == "Boats rest. The port is 8080."
    assert door.page(as_of="2024-02-01") == "Boats rest."
    noted = door.page(as_of="2024-02-01", stale="annotate")
    assert noted == "Boats rest. The port is 8080. [valid from 2024-04-01T00:00:00+00:00]"


@pytest.mark.parametrize("name", READERS)
def test_a_server_serves_the_same(http_client: Any, name: str) -> None:
    door = evolve(PageDoor(name, client=http_client))
    for reader in READERS[name]:
        assert door.page(reader) == WITHOUT_PORT, reader
        assert door.page(reader, as_of="2024-02-01") == PAGE, reader
        assert door.page(reader, known_at="2024-03-15") == PAGE, reader
        assert {mode: door.page(reader, stale=mode) for mode in MODES} == MODES, reader
    for reader in FILTERED[name]:
        assert door.page(reader, where_document={"$contains": "8080"}) is None, reader
        assert door.page(reader, where_document={"$contains": "lunch"}) == WITHOUT_PORT, reader
        assert door.page(reader, where_document={"$not_contains": "8080"}) == WITHOUT_PORT, reader
    changes = door.store.last_changes
    BACK["update" if name == "langchain" else "add"][1](door.store)
    assert door.page() == WITHOUT_PORT
    door.store.undo(changes)
    assert door.page() == PAGE
    door.close()
