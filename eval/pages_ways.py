"""Ways to split pages and to load them: stock Chroma and ours, in both frameworks."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterator, Sequence
from typing import Any

from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter
from llama_index.core import Document as IndexDocument
from llama_index.core import VectorStoreIndex
from llama_index.core.node_parser import MarkdownNodeParser, NodeParser, SentenceSplitter
from llama_index.core.schema import MetadataMode
from llama_index.core.vector_stores.types import VectorStoreQuery
from llama_index.vector_stores.chroma import ChromaVectorStore

from eval.pages_corpus import Page
from memstrata_integrations.langchain import TemporalVectorStore as ChainStore
from memstrata_integrations.llama_index import DefaultEmbedding
from memstrata_integrations.llama_index import TemporalVectorStore as IndexStore

SPLITTERS = ("recursive", "markdown", "sentence")


# -- splitting --------------------------------------------------------------------------------


def parser_of(splitter: str) -> NodeParser:
    """Return LlamaIndex's splitter of this name; it has no recursive one."""
    return MarkdownNodeParser() if splitter == "markdown" else SentenceSplitter(chunk_size=192, chunk_overlap=20)


def split(text: str, splitter: str) -> list[str]:
    """Split a page into chunks; none occurs twice."""
    recursive = RecursiveCharacterTextSplitter(chunk_size=600, chunk_overlap=80)
    if splitter == "recursive":
        chunks = recursive.split_text(text)
    elif splitter == "markdown":
        by_heading = MarkdownHeaderTextSplitter([("#", "one"), ("##", "two")], strip_headers=False)
        chunks = [d.page_content for d in recursive.split_documents(by_heading.split_text(text))]
    else:
        nodes = parser_of(splitter).get_nodes_from_documents([IndexDocument(text=text)])
        chunks = [n.get_content(metadata_mode=MetadataMode.NONE) for n in nodes]
    return list(dict.fromkeys(chunks))


# -- ways to load -----------------------------------------------------------------------------


class Remembered(Embeddings):
    """Embeds every text once."""

    def __init__(self, embeddings: Any) -> None:
        """Wrap an embedding."""
        self.name = embeddings.name
        self._embeddings = embeddings
        self._known: dict[str, list[float]] = {}

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return vectors, ``(n, dim)``."""
        new = [t for t in dict.fromkeys(texts) if t not in self._known]
        if new:
            self._known.update(zip(new, self._embeddings.embed_documents(new), strict=True))
        return [self._known[t] for t in texts]

    def embed_query(self, text: str) -> list[float]:
        """Return a vector, ``(dim,)``."""
        return self.embed_documents([text])[0]


Chunks = list[tuple[str, str]]
"""(source, text)"""


class Way:
    """A way to load pages, and to ask."""

    def __init__(self, name: str, embeddings: Remembered, splitter: str, client: Any) -> None:
        """Prepare; `name` is one of `WAYS`."""
        self.name = name
        self.splitter = splitter
        self.embeddings = embeddings
        self.temporal = name.startswith("ours")
        collection = f"pages-{uuid.uuid4().hex}"
        if name.endswith("inserted"):
            raw = client.create_collection(collection, embedding_function=None)
            self.store: Any = IndexStore(raw) if self.temporal else ChromaVectorStore(chroma_collection=raw)
            self.index = VectorStoreIndex.from_vector_store(
                self.store,
                embed_model=DefaultEmbedding(embeddings=embeddings),  # type: ignore[arg-type]
                transformations=[parser_of(splitter)],
            )
        else:
            self.store = (ChainStore if self.temporal else Chroma)(collection, embeddings, client=client)

    def write(self, source: str, text: str, day: str) -> None:
        """Write a revision of a page."""
        dated = {"valid_from": day} if self.temporal else {}
        if self.name.endswith("inserted"):
            if not self.temporal:
                self.index.delete_ref_doc(source)
            self.index.insert(IndexDocument(text=text, id_=source, metadata={"source": source}), **dated)
            return
        chunks = split(text, self.splitter)
        ids = [hashlib.sha256(f"{source}\n{chunk}".encode()).hexdigest() for chunk in chunks]
        found = [Document(c, metadata={"source": source}, id=i) for c, i in zip(chunks, ids, strict=True)]
        if self.name == "ours, synced":
            self.store.sync(source, found, **dated)
            return
        if self.name == "stock, replaced":
            self.store.delete(where={"source": source})
        self.store.add_documents(found, **dated)

    def ask(self, question: str, k: int, day: str | None = None) -> Chunks:
        """Return the top chunks, now or at a date."""
        dated = {} if day is None else {"as_of": f"{day}T12:00:00"}
        vector = self.embeddings.embed_query(question)
        if self.name.endswith("inserted"):
            asked = VectorStoreQuery(query_embedding=vector, similarity_top_k=k)
            return [
                (n.metadata["source"], n.get_content(metadata_mode=MetadataMode.NONE))
                for n in self.store.query(asked, **dated).nodes
            ]
        found = self.store.similarity_search_by_vector(vector, k=k, **dated)
        return [(d.metadata["source"], d.page_content) for d in found]

    def everything(self, day: str | None = None) -> Chunks:
        """Return all chunks that are served, now or at a date."""
        dated = {} if day is None else {"as_of": f"{day}T12:00:00"}
        found = (self.store.client if self.name.endswith("inserted") else self.store).get(**dated)
        return [(m["source"], t) for m, t in zip(found["metadatas"], found["documents"], strict=True)]

    def split(self, text: str) -> list[str]:
        """Split as this way does."""
        if not self.name.endswith("inserted"):
            return split(text, self.splitter)
        nodes = parser_of(self.splitter).get_nodes_from_documents([IndexDocument(text=text)])
        return [n.get_content(metadata_mode=MetadataMode.NONE) for n in nodes]


WAYS = tuple(
    name
    for name in (
        "stock, replaced",
        "stock, added",
        "ours, added",
        "ours, synced",
        "stock, inserted",
        "ours, inserted",
    )
    if name != "ours, synced" or hasattr(ChainStore, "sync")
)


def load(way: Way, pages: Sequence[Page]) -> Iterator[None]:
    """Write all revisions in the order of their dates; yields after each."""
    dated = sorted((day, n) for n, page in enumerate(pages) for day in page.revisions)
    for day, n in dated:
        way.write(pages[n].source, pages[n].revisions[day], day)
        yield
