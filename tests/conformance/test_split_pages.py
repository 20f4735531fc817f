"""Chunks of one page speak of different things under the same bare words; none of them makes another one vanish."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter
from llama_index.core import Document as LlamaDocument
from llama_index.core.node_parser import SentenceSplitter

from .doors import Door
from .lexical import LexicalEmbeddings
from .llama import index_of

FILLER = "Every branch keeps its own stock and hires its own people, and they meet twice a year. " * 4
BRANCHES = (("Porto", "Rui"), ("Braga", "Eva"), ("Faro", "Gil"), ("Evora", "Lia"))
PAGE = "# Branches\n\n" + "\n\n".join(f"## {town}\n\n{FILLER}\n\nThe manager is {name}." for town, name in BRANCHES)
NAMES = {name for _, name in BRANCHES}


def chunks(size: int) -> list[Document]:
    splitter = RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=0)
    return splitter.split_documents([Document(PAGE, metadata={"source": "branches.md"})])


def by_headings(door: Door) -> None:
    for part in MarkdownHeaderTextSplitter([("#", "h1"), ("##", "h2")]).split_text(PAGE):
        door.tell(part.page_content, {**part.metadata, "source": "branches.md"})


def by_pages(door: Door) -> None:
    for page, (_, name) in enumerate(BRANCHES):
        door.tell(f"The manager is {name}.", {"source": "branches.pdf", "page": page})


def adopted(door: Door) -> None:
    texts, metadatas = [d.page_content for d in chunks(400)], [d.metadata for d in chunks(400)]
    columns = {"documents": texts, "metadatas": metadatas, "embeddings": LexicalEmbeddings().embed_documents(texts)}
    door.client.get_collection(door.name).add(ids=[str(n) for n in range(len(texts))], **columns)
    door.store.adopt()


def as_nodes(door: Door, size: int) -> None:
    index = index_of(door.store, transformations=[SentenceSplitter(chunk_size=size, chunk_overlap=10)])
    index.insert(LlamaDocument(text=PAGE, metadata={"file_name": "branches.md"}))


APART: dict[str, Callable[[Door], Any]] = {
    **{f"one page, written at once in chunks of {size}": lambda d, size=size: d.store.add_documents(chunks(size))
       for size in (300, 400, 500, 800)},
    "one page, through `sync`": lambda d: d.store.sync("branches.md", chunks(400)),
    "later writes, with headings in the metadata": by_headings,
    "later writes, with the page of a file in the metadata": by_pages,
    "chunks of one page that stock wrote, adopted": adopted,
    **{f"one document, in nodes of {size}": lambda d, size=size: as_nodes(d, size) for size in (60, 100, 150)},
}  # fmt: skip


@pytest.mark.parametrize("how", APART)
def test_bare_statements_of_one_page_all_stay(how: str) -> None:
    door = Door("llama_index" if "nodes" in how else "langchain")
    APART[how](door)
    assert {name for name in NAMES if name in " ".join(door.served())} == NAMES
