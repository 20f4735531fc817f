"""The three ways into a store, and what a test does through each of them in the same words."""

import uuid
from typing import Any

import chromadb
from langchain_core.documents import Document
from llama_index.core.schema import TextNode

from memstrata_integrations import TemporalCollection
from memstrata_integrations.langchain import TemporalVectorStore as LangChainStore
from memstrata_integrations.llama_index import TemporalVectorStore as LlamaIndexStore
from tests.stateful.toy import TestClock

from .lexical import Counting
from .llama import LexicalModel, ask, embed, matching, texts

KINDS = ["collection", "langchain", "llama_index"]


class Door:
    """One way into a store, in memory if no client is given; what differs between frameworks is hidden here."""

    def __init__(
        self, kind: str, *, now: str = "2025-01-01", client: Any = None, name: str | None = None, **options: Any
    ) -> None:
        self.client = client or chromadb.EphemeralClient()
        self.noted: dict[str, Any] = {}
        self.kind, self.name, self.clock = kind, name or f"door-{uuid.uuid4().hex}", TestClock(now)
        options = {"clock": self.clock, **options}
        if kind == "langchain":
            self.model: Any = Counting()
            self.store: Any = LangChainStore(self.name, self.model, client=self.client, **options)
            return
        raw = self.client.get_or_create_collection(self.name, embedding_function=None)
        if kind == "llama_index":
            self.model = LexicalModel()
            self.store = LlamaIndexStore(chroma_collection=raw, embed_model=self.model, **options)
        else:
            self.model = Counting()
            self.store = TemporalCollection(raw, embedding_function=self.model, **options)

    @property
    def collection(self) -> TemporalCollection:
        return self.store if self.kind == "collection" else self.store.temporal_collection  # type: ignore[no-any-return]

    def write(self, *said: str, ids: Any = None, metadatas: Any = None, **how: Any) -> list[str]:
        """Write texts in one call, and return their ids; LlamaIndex' nodes always have one."""
        if self.kind == "langchain":
            rows = zip(said, metadatas or [{}] * len(said), ids or [None] * len(said), strict=True)
            return list(self.store.add_documents([Document(text, metadata=m, id=i) for text, m, i in rows], **how))
        if self.kind == "llama_index":
            named = ids or [str(uuid.uuid4()) for _ in said]
            rows = zip(said, metadatas or [{}] * len(said), named, strict=True)
            nodes = [TextNode(text=text, metadata=m, id_=i, embedding=embed(text)) for text, m, i in rows]
            return list(self.store.add(nodes, **how))
        given = [m or None for m in metadatas] if metadatas else None
        return list(self.store.write(list(said), ids=ids, metadatas=given, **how).ids)

    def tell(self, text: str, metadata: dict[str, Any] | None = None, row_id: str | None = None, **said: Any) -> str:
        return self.write(text, ids=[row_id] if row_id else None, metadatas=[metadata] if metadata else None, **said)[0]

    def sync(self, source: str, *said: str, ids: Any = None, metadatas: Any = None, **how: Any) -> Any:
        """Say all that a source holds."""
        rows = list(zip(said, metadatas or [{}] * len(said), ids or [None] * len(said), strict=True))
        if self.kind == "langchain":
            return self.store.sync(source, [Document(text, metadata=m, id=i) for text, m, i in rows], **how)
        if self.kind == "llama_index":
            nodes = [TextNode(text=text, metadata=m, **({"id_": i} if i else {})) for text, m, i in rows]
            return self.store.sync(source, nodes, **how)
        return self.store.sync(source, list(said), ids=ids, metadatas=metadatas, **how)

    @property
    def embedded(self) -> list[str]:
        return self.model.seen if self.kind == "llama_index" else self.model.embedded  # type: ignore[no-any-return]

    def rows(self) -> Any:
        """Return all that is stored, hidden rows, reserved fields and vectors included."""
        found = self.client.get_collection(self.name).get(include=["documents", "metadatas", "embeddings"])
        return found["ids"], found["documents"], found["metadatas"], found["embeddings"].tolist()

    def delete(self, *ids: str) -> None:
        (self.store.delete_nodes if self.kind == "llama_index" else self.store.delete)(list(ids))

    def served(self, **asked: Any) -> list[str]:
        return sorted(self.collection.get(**asked)["documents"])

    def texts(self, *ids: str, **asked: Any) -> dict[str, str]:
        """Return texts by id, as this door gives them; all of them if none is named."""
        if self.kind == "llama_index":
            return {n.node_id: n.get_content() for n in self.store.get_nodes(list(ids) or None, **asked)}
        found = self.store.get(ids=list(ids) or None, **asked)
        return dict(zip(found["ids"], found["documents"], strict=True))

    def search(self, question: str, k: int = 20, where: dict[str, Any] | None = None, **asked: Any) -> list[str]:
        """Return the nearest texts; where LlamaIndex has two nodes of one text, once."""
        if self.kind == "langchain":
            return [d.page_content for d in self.store.similarity_search(question, k=k, filter=where, **asked)]
        if self.kind == "llama_index":
            asked_for = ask(question, k, filters=where and matching(**where))
            return list(dict.fromkeys(texts(self.store.query(asked_for, **asked))))
        found = self.store.query(query_embeddings=[embed(question)], n_results=k, where=where, **asked)
        return list(found["documents"][0])

    def close(self) -> None:
        self.client.delete_collection(self.name)
