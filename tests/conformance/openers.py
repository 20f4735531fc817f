"""Stores of stock's class and of ours, opened alike, for tests of what both do."""

import uuid
from typing import Any

from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings

from memstrata_integrations.errors import InvalidInputError

from .lexical import LexicalEmbeddings

WORDS = ["foo", "bar", "baz"]
PAGES = [{"page": "0"}, {"page": "1"}, {"page": "2"}]
IDS = ["id_0", "id_1", "id_2"]


class PositionEmbeddings(Embeddings):
    """A text's vector ends in its position in the batch; every query equals the first text's vector.

    So the squared distance of the n-th text to any query is n squared.
    """

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [[1.0] * 9 + [float(position)] for position in range(len(texts))]

    def embed_query(self, text: str) -> list[float]:
        return [1.0] * 9 + [0.0]


class Opener:
    """Opens stores of one class in memory, each in a collection of its own."""

    def __init__(self, store_class: type[Chroma], client: Any) -> None:
        self.store_class, self.client, self.names = store_class, client, set[str]()

    def placed(self, arguments: dict[str, Any]) -> dict[str, Any]:
        arguments = {"client": self.client, "collection_name": f"test-{uuid.uuid4().hex}", **arguments}
        self.names.add(arguments["collection_name"])
        return arguments

    def __call__(self, embedding: Embeddings | None = None, **arguments: Any) -> Any:
        return self.store_class(embedding_function=embedding or LexicalEmbeddings(), **self.placed(arguments))

    def close(self) -> None:
        for name in {collection.name for collection in self.client.list_collections()} & self.names:
            self.client.delete_collection(name)

    def filled(self, **more: Any) -> Any:
        """Make a store by `from_texts` with foo, bar and baz."""
        return self.store_class.from_texts(**self.placed({"texts": WORDS, "embedding": PositionEmbeddings(), **more}))


def refusal(store: Any, *stock: type[BaseException]) -> tuple[type[BaseException], ...]:
    """Return what a refusal may be: stock's exception, or (ours) our error for bad input."""
    return stock if type(store) is Chroma else (*stock, InvalidInputError)


def doc(text: str, id_: str | None = None, **metadata: Any) -> Document:
    return Document(page_content=text, id=id_, metadata=metadata)


def ids_of(found: list[Any]) -> list[str]:
    """Return the ids of documents, or of pairs that begin with one."""
    return [(d[0] if isinstance(d, tuple) else d).id for d in found]


def by_id(documents: list[Document]) -> list[Document]:
    return sorted(documents, key=lambda document: document.id or "")


VECTOR = PositionEmbeddings().embed_query("foo")
