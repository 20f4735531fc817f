"""Chunks of one page speak of different things under the same bare words; none of them makes another one vanish."""

from __future__ import annotations

from typing import Any

import chromadb
import pytest
from langchain_core.documents import Document
from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter
from llama_index.core import Document as LlamaDocument
from llama_index.core import VectorStoreIndex
from llama_index.core.node_parser import SentenceSplitter

from memstrata_integrations.langchain import TemporalVectorStore
from memstrata_integrations.lexical import LexicalEmbeddings
from memstrata_integrations.llama_index import DefaultEmbedding
from memstrata_integrations.llama_index import TemporalVectorStore as LlamaStore

FILLER = "Every branch keeps its own stock and hires its own people, and they meet twice a year. " * 4
BRANCHES = (("Porto", "Rui"), ("Braga", "Eva"), ("Faro", "Gil"), ("Evora", "Lia"))
PAGE = "# Branches\n\n" + "\n\n".join(f"## {town}\n\n{FILLER}\n\nThe manager is {name}." for town, name in BRANCHES)
NAMES = {name for _, name in BRANCHES}


@pytest.fixture
def store(request: pytest.FixtureRequest) -> TemporalVectorStore:
    return TemporalVectorStore(f"pages-{abs(hash(request.node.nodeid))}", LexicalEmbeddings())


def served(store: Any) -> str:
    return " ".join(store.get()["documents"])


def chunks(size: int) -> list[Document]:
    splitter = RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=0)
    return splitter.split_documents([Document(PAGE, metadata={"source": "branches.md"})])


@pytest.mark.parametrize("size", [300, 400, 500, 800])
def test_bare_statements_of_one_page_written_at_once_all_stay(store: TemporalVectorStore, size: int) -> None:
    store.add_documents(chunks(size))
    assert {name for name in NAMES if name in served(store)} == NAMES


def test_bare_statements_of_one_page_stay_through_sync(store: TemporalVectorStore) -> None:
    store.sync("branches.md", chunks(400))
    assert {name for name in NAMES if name in served(store)} == NAMES


def test_headers_in_metadata_tell_bare_statements_apart_in_later_writes(store: TemporalVectorStore) -> None:
    parts = MarkdownHeaderTextSplitter([("#", "h1"), ("##", "h2")]).split_text(PAGE)
    for part in parts:
        store.add_texts([part.page_content], [{**part.metadata, "source": "branches.md"}])
    assert {name for name in NAMES if name in served(store)} == NAMES


def test_pages_of_one_file_tell_bare_statements_apart_in_later_writes(store: TemporalVectorStore) -> None:
    for page, (_, name) in enumerate(BRANCHES):
        store.add_texts([f"The manager is {name}."], [{"source": "branches.pdf", "page": page}])
    assert {name for name in NAMES if name in served(store)} == NAMES


def test_a_changed_page_still_supersedes_what_the_same_place_said(store: TemporalVectorStore) -> None:
    place = {"source": "branches.pdf", "page": 3}
    store.add_texts(["The manager is Rui."], [place])
    store.add_texts(["The manager is Ana."], [place])
    assert served(store) == "The manager is Ana."


def test_statements_without_a_source_still_supersede_in_the_order_of_a_call(store: TemporalVectorStore) -> None:
    store.add_texts(["The manager is Rui.", "The manager is Ana."])
    assert served(store) == "The manager is Ana."


def test_what_a_user_says_still_supersedes_in_the_order_of_a_call(store: TemporalVectorStore) -> None:
    store.add_texts(["I live in Porto.", "I live in Braga."], [{"user_id": "u"}] * 2)
    assert served(store) == "I live in Braga."


def test_dated_statements_of_one_source_still_supersede_within_a_call(store: TemporalVectorStore) -> None:
    store.add_texts(
        ["The port is 8080.", "The port is 9090."],
        [{"source": "ticket-7"}] * 2,
        valid_from=["2024-01-01", "2024-02-01"],
    )
    assert served(store) == "The port is 9090."


def test_equal_statements_of_one_page_are_no_contradiction(store: TemporalVectorStore) -> None:
    store.add_texts(["The manager is Rui.", "As said: the manager is Rui.", "Rui is fine."], [{"source": "a.md"}] * 3)
    store.add_texts(["The manager is Ana."], [{"source": "a.md"}])
    assert "The manager is Ana." in served(store)
    assert "The manager is Rui. " not in served(store) + " "


def test_adopting_chunks_of_one_page_keeps_them_all(store: TemporalVectorStore) -> None:
    stock = store._client.get_or_create_collection(store._collection.name)
    parts = chunks(400)
    stock.add(
        ids=[str(n) for n in range(len(parts))],
        documents=[p.page_content for p in parts],
        metadatas=[p.metadata for p in parts],
        embeddings=LexicalEmbeddings().embed_documents([p.page_content for p in parts]),
    )
    store.adopt()
    assert {name for name in NAMES if name in served(store)} == NAMES


@pytest.mark.parametrize("size", [60, 100, 150])
def test_bare_statements_of_the_nodes_of_one_document_all_stay(size: int) -> None:
    raw = chromadb.EphemeralClient().create_collection(f"nodes-{size}", embedding_function=None)
    vectors = LlamaStore(chroma_collection=raw)
    index = VectorStoreIndex.from_vector_store(
        vectors,
        embed_model=DefaultEmbedding(embeddings=LexicalEmbeddings()),
        transformations=[SentenceSplitter(chunk_size=size, chunk_overlap=10)],
    )
    index.insert(LlamaDocument(text=PAGE, metadata={"file_name": "branches.md"}))
    text = " ".join(node.text for node in vectors.get_nodes())  # type: ignore[attr-defined]
    assert {name for name in NAMES if name in text} == NAMES
