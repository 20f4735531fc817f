"""Chunks of one page speak of different things under the same bare words; none of them makes another one vanish."""

from __future__ import annotations

from collections.abc import Callable
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


def by_headings(store: TemporalVectorStore) -> None:
    for part in MarkdownHeaderTextSplitter([("#", "h1"), ("##", "h2")]).split_text(PAGE):
        store.add_texts([part.page_content], [{**part.metadata, "source": "branches.md"}])


def by_pages(store: TemporalVectorStore) -> None:
    for page, (_, name) in enumerate(BRANCHES):
        store.add_texts([f"The manager is {name}."], [{"source": "branches.pdf", "page": page}])


APART: dict[str, Callable[[TemporalVectorStore], Any]] = {
    **{f"one page, written at once in chunks of {size}": lambda s, size=size: s.add_documents(chunks(size))  # type: ignore[misc]
       for size in (300, 400, 500, 800)},
    "one page, through `sync`": lambda s: s.sync("branches.md", chunks(400)),
    "later writes, with headings in the metadata": by_headings,
    "later writes, with the page of a file in the metadata": by_pages,
}  # fmt: skip


@pytest.mark.parametrize("how", APART)
def test_bare_statements_of_one_page_all_stay(store: TemporalVectorStore, how: str) -> None:
    APART[how](store)
    assert {name for name in NAMES if name in served(store)} == NAMES


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
