"""The LangChain front door: `langchain_chroma.Chroma` that keeps facts valid in time."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Concatenate, TypeVar

from memstrata_integrations.errors import InvalidInputError, MissingDependencyError

try:
    from langchain_chroma import Chroma
    from langchain_core.documents import Document
    from langchain_core.embeddings import Embeddings
except ImportError as error:
    raise MissingDependencyError(
        "memstrata_integrations.langchain needs langchain-chroma: pip install 'memstrata-integrations[langchain]'"
    ) from error

import chromadb.config
from chromadb import Search
from chromadb.api import ClientAPI
from chromadb.api.collection_configuration import CreateCollectionConfiguration
from typing_extensions import ParamSpec, Unpack, override

from memstrata_integrations.chroma.arguments import read_list
from memstrata_integrations.chroma.both import drop_collection, history_name
from memstrata_integrations.chroma.callers import asynchronous
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.chroma.fields import user_metadata
from memstrata_integrations.chroma.intake import read_further
from memstrata_integrations.chroma.session import Session
from memstrata_integrations.chroma.surface import TimeSurface
from memstrata_integrations.langchain.packer import Packer
from memstrata_integrations.langchain.retriever import TemporalRetriever
from memstrata_integrations.ledger.changes import Changes
from memstrata_integrations.ledger.facts import Fact
from memstrata_integrations.ledger.time import Instant
from memstrata_integrations.options import OptionFields, Options, ReadFields

__all__ = ["Packer", "TemporalRetriever", "TemporalVectorStore"]

P = ParamSpec("P")
T = TypeVar("T")


def _typed_as(stock: Callable[P, Any]) -> Callable[[Callable[..., T]], Callable[Concatenate[Any, P], T]]:
    """Let type checkers know the arguments of a class method by stock's, which is handed them as they come."""
    return lambda own: own


class TemporalVectorStore(TimeSurface, Chroma):
    """Chroma vector store integration that keeps facts valid in time.

    Same constructor, same methods and same results as `langchain_chroma.Chroma` on knowledge that does not change. When
    a text gives a known (subject, relation) another object, what said so before is retired from every read and kept in
    a ledger.

    Its arguments are those of `langchain_chroma.Chroma`, in the same places, and as keywords the options of
    `memstrata_integrations.options.Options`. Every read takes the keywords of `options.ReadFields` (``as_of``, ...).

    Setup: ``pip install -U 'memstrata-integrations[langchain]'``

    Example:
        ```python
        from langchain_core.documents import Document
        from memstrata_integrations import default_embeddings
        from memstrata_integrations.langchain import TemporalVectorStore

        # Instantiate
        vector_store = TemporalVectorStore("operations", default_embeddings(), persist_directory="./memory")

        # Add documents; delete them, with all their versions, also by where and where_document, of one scope
        documents = [Document("The API port is 8080."), Document("The API port is 9090.")]
        vector_store.add_documents(documents, valid_from=["2024-01-01", "2024-06-01"])
        vector_store.delete(ids=["3"])

        # Search; with filter; with score (distance, lower is closer)
        vector_store.similarity_search("Which port does the API use?", k=1, as_of="2024-03-01")
        vector_store.similarity_search("port", k=1, filter={"source": "runbook.md"})
        vector_store.similarity_search_with_score("port", k=1)

        # Async
        await vector_store.asimilarity_search("port", k=1, as_of="2024-03-01")
        await vector_store.aadd_facts(facts)  # and async_sync

        # Use as retriever; and what is known of a fact
        retriever = vector_store.as_retriever(search_kwargs={"k": 1})
        retriever.invoke("Which port?", as_of="2024-03-01")
        print(vector_store.history("API port"))
        ```
    """

    def __init__(
        self,
        collection_name: str = Chroma._LANGCHAIN_DEFAULT_COLLECTION_NAME,
        embedding_function: Embeddings | None = None,
        persist_directory: str | None = None,
        host: str | None = None,
        port: int | None = None,
        headers: dict[str, str] | None = None,
        chroma_cloud_api_key: str | None = None,
        tenant: str | None = None,
        database: str | None = None,
        client_settings: chromadb.config.Settings | None = None,
        collection_metadata: dict[str, Any] | None = None,
        collection_configuration: CreateCollectionConfiguration | None = None,
        client: ClientAPI | None = None,
        relevance_score_fn: Callable[[float], float] | None = None,
        create_collection_if_not_exists: bool | None = True,
        *,
        ssl: bool = False,
        **options: Unpack[OptionFields],
    ) -> None:
        """Open or create a collection; refuses one that was embedded by another of this package's embeddings."""
        self._temporal: TemporalCollection | None = None
        self._options = Options.of("TemporalVectorStore", options, Chroma.__init__.__annotations__)
        super().__init__(
            collection_name, embedding_function, persist_directory, host, port, headers, chroma_cloud_api_key, tenant,
            database, client_settings, collection_metadata, collection_configuration, client, relevance_score_fn,
            create_collection_if_not_exists, ssl=ssl,
        )  # fmt: skip
        _ = self._collection  # what is wrong with it is told now

    @property
    def _collection(self) -> TemporalCollection:  # type: ignore[override]
        """The wrapped collection: stock methods run through it unchanged."""
        raw = super()._collection
        if self._temporal is None or self._temporal.session.collection is not raw:
            session = Session(raw, self._embedding_function, self._options)
            session.reader.visibility.hides_nodes = True  # what LlamaIndex wrote comes back without its JSON
            session.embedding.as_stock = True  # without an embedding function texts are embedded by Chroma's own
            self._options = session.options
            self._temporal = TemporalCollection.opened(session)
        return self._temporal

    # -- writes ---------------------------------------------------------------------------

    @override
    def add_texts(
        self,
        texts: Iterable[str],
        metadatas: list[dict[str, Any]] | None = None,
        ids: list[str] | None = None,
        *,
        valid_from: Any = None,
        valid_to: Any = None,
        **kwargs: Any,
    ) -> list[str]:
        """Embed texts and write them, in order, through the supersession hook.

        Args:
            texts: Texts to add.
            metadatas: One dict for each text; missing ones are empty.
            ids: One id for each text; `None` where there is none.
            valid_from, valid_to: From when, and until when, exclusive, the texts hold: one instant, or one for each.
            kwargs: ``facts`` and ``supersedes``, see `options.WriteFields`; ``valid_from_field`` and
                ``valid_to_field``, the metadata fields that date these texts. ``batch_size``, which `index()`
                passes, is ignored.

        Returns:
            One id for each text, in order. A text without an id that repeats a valid fact word for word, with its
            metadata, gets that row's id.
        """
        fields = read_further("add_texts", kwargs)
        listed = _each("texts", texts)
        if metadatas is not None:
            given = read_list("metadatas", metadatas, Mapping)
            metadatas = [*given, *({} for _ in range(len(listed) - len(given)))] if given else None
        items = self._session.read(
            documents=listed, metadatas=metadatas, ids=ids, valid_from=valid_from, valid_to=valid_to, **fields
        )
        if items and self._embedding_function is not None:
            self._session.embedding.embed(items, listed)
        return list(self._session.write(items, metadata_first=bool(metadatas)).ids)

    _aadd_texts = asynchronous(add_texts)

    @override
    async def aadd_texts(
        self,
        texts: Iterable[str],
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: list[str] | None = None,
        **kwargs: Any,
    ) -> list[str]:
        """Like `add_texts`, asynchronously."""
        named = {} if ids is None else {"ids": ids}  # a subclass may take them by keyword only
        return await self._aadd_texts(texts, metadatas, **named, **kwargs)

    @override
    def add_documents(self, documents: list[Document], **kwargs: Any) -> list[str]:
        """Write documents; keywords as in `add_texts`, ids from the documents or ``ids``."""
        return super().add_documents(_listed(documents), **kwargs)

    _aadd_documents = asynchronous(add_documents)

    @override
    async def aadd_documents(self, documents: list[Document], **kwargs: Any) -> list[str]:
        """Like `add_documents`, asynchronously."""
        if type(self).aadd_texts is not TemporalVectorStore.aadd_texts:  # a subclass has its own
            return await super().aadd_documents(_listed(documents), **kwargs)
        return await self._aadd_documents(documents, **kwargs)

    def add_facts(
        self, facts: Fact | Sequence[Fact], *, ids: list[str] | None = None, metadatas: Any = None, **kwargs: Any
    ) -> list[str]:
        """Write facts that you state outright, each as a document of its own; return their ids.

        Like `TemporalCollection.add_facts`.
        """
        return list(self._collection.add_facts(facts, ids=ids, metadatas=metadatas, **kwargs).ids)

    @override
    def update_documents(
        self, ids: list[str], documents: list[Document], *, valid_from: Any = None, valid_to: Any = None
    ) -> None:
        """Update documents that exist; other content under an id is a new version, valid from now unless dated."""
        if self._embedding_function is None:
            raise ValueError("For update, you must specify an embedding function on creation.")
        listed = _listed(documents)
        texts = [d.page_content for d in listed]
        vectors, metadatas = self._embedding_function.embed_documents(texts), [d.metadata for d in listed]
        self._collection.update(ids, vectors, metadatas, texts, valid_from=valid_from, valid_to=valid_to)

    @override
    def update_document(
        self, document_id: str, document: Document, *, valid_from: Any = None, valid_to: Any = None
    ) -> None:
        """Update one document; see `update_documents`."""
        self.update_documents([document_id], [document], valid_from=valid_from, valid_to=valid_to)

    def sync(
        self,
        source: str,
        documents: Sequence[Document],
        *,
        source_field: str = "source",
        valid_from: Instant | None = None,
        scope: Mapping[str, Any] | None = None,
    ) -> Changes:
        """Say that these documents are all that a source holds: what it held besides ends, and keeps its history.

        Like `TemporalCollection.sync`; `documents` are all its chunks, and `source_field` is the metadata field that
        holds the source, which is set where it is missing.

        Example:
            ```python
            store.sync("runbook.md", splitter.create_documents([page]), valid_from="2024-06-01")
            ```
        """
        listed = _listed(documents)
        columns: dict[str, Any] = {"ids": [d.id for d in listed], "metadatas": [d.metadata for d in listed]}
        texts = [d.page_content for d in listed]
        return self._collection.sync(source, texts, **columns, field=source_field, valid_from=valid_from, scope=scope)

    @override
    def delete_collection(self) -> None:
        """Delete the collection, with the history that a compaction made of it."""
        collection = self._session.collection
        drop_collection(collection, history_name(collection), self._session.state.path)
        super().delete_collection()

    @classmethod
    @_typed_as(Chroma.from_texts)
    def from_texts(
        cls,
        texts: Any,
        embedding: Embeddings | None = None,
        metadatas: Any = None,
        ids: Any = None,
        *args: Any,
        valid_from: Any = None,
        valid_to: Any = None,
        **kwargs: Any,
    ) -> "TemporalVectorStore":
        """Create a store from texts; arguments as in stock, and those of this class and of `add_texts`."""
        store = super().from_texts([], embedding, None, None, *args, **kwargs)
        assert isinstance(store, TemporalVectorStore)
        listed = _each("texts", texts)
        if listed:
            store.add_texts(listed, metadatas, ids, valid_from=valid_from, valid_to=valid_to)
        return store

    @classmethod
    @_typed_as(Chroma.from_documents)
    def from_documents(
        cls, documents: Any, embedding: Embeddings | None = None, ids: Any = None, *args: Any, **kwargs: Any
    ) -> "TemporalVectorStore":
        """Create a store from documents; arguments as in stock, and those of this class and of `add_texts`."""
        listed = _listed(documents)
        if ids is None and any(d.id for d in listed):
            ids = [d.id for d in listed]
        texts, metadatas = [d.page_content for d in listed], [d.metadata for d in listed]
        store: TemporalVectorStore = cls.from_texts(texts, embedding, metadatas, ids, *args, **kwargs)
        return store

    # -- reads ----------------------------------------------------------------------------

    @override
    def max_marginal_relevance_search(
        self,
        query: str,
        k: int = 4,
        fetch_k: int = 20,
        lambda_mult: float = 0.5,
        filter: dict[str, Any] | None = None,
        where_document: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> list[Document]:
        """Return documents by maximal marginal relevance; stock drops the keywords, so ``as_of`` needs this."""
        if self._embedding_function is None:
            raise ValueError("For MMR search, you must specify an embedding function on creation.")
        vector = self._embedding_function.embed_query(query)
        return self.max_marginal_relevance_search_by_vector(
            vector, k, fetch_k, lambda_mult, filter, where_document, **kwargs
        )

    @override
    def get(
        self,
        ids: str | list[str] | None = None,
        where: Any = None,
        limit: int | None = None,
        offset: int | None = None,
        where_document: Any = None,
        include: list[str] | None = None,
        **asked: Unpack[ReadFields],
    ) -> dict[str, Any]:
        """Get rows by id or filter, as in stock: those that are valid, or were ``as_of``, which `limit` counts."""
        shown = ["metadatas", "documents"] if include is None else include
        return self._collection.get(ids, where, limit, offset, where_document, shown, **asked)

    @override
    def get_by_ids(self, ids: Sequence[str], /, **asked: Unpack[ReadFields]) -> list[Document]:
        """Get documents by id; those that are not valid, or not of `scope` where it is given, are absent."""
        wanted = _each("ids", ids)
        if not wanted:
            return []
        found = self.get(wanted, **asked)
        return _documents(zip(found["documents"], found["metadatas"], found["ids"], strict=True))

    @override
    def hybrid_search(self, search: Search) -> list[Document]:
        """Run Chroma's hybrid search on what is valid now; only hosted Chroma serves it."""
        rows = self._collection.search(search).rows()[0]
        return _documents((row.get("document"), user_metadata(row.get("metadata")), row["id"]) for row in rows)

    @override
    def fork(self, new_name: str) -> "TemporalVectorStore":
        """Fork this store, where the server can; the copy keeps the same settings."""
        forked = self._collection.fork(new_name)
        named = {"collection_name": forked.name, "embedding_function": self._embedding_function}
        return type(self)(client=self._client, **named, **vars(self._options))

    @override
    def as_retriever(self, **kwargs: Any) -> TemporalRetriever:
        """Return a `TemporalRetriever`; arguments as in stock, plus its fields ``k``, ``as_of``, ``known_at``."""
        tags = kwargs.pop("tags", None) or [*self._get_retriever_tags()]
        return TemporalRetriever(vectorstore=self, tags=tags, **kwargs)

    aadd_facts = asynchronous(add_facts)
    async_sync = asynchronous(sync, "async_sync")
    aget_by_ids = asynchronous(get_by_ids)  # type: ignore[arg-type]


def _each(name: str, given: Any) -> list[Any]:
    """Return values as a list; a single text is taken for its characters, as stock takes it."""
    return list(given) if isinstance(given, str) else read_list(name, given)


def _documents(rows: Iterable[tuple[str | None, dict[str, Any] | None, str]]) -> list[Document]:
    """Return documents of texts, metadata and ids; a row without a text is none."""
    return [
        Document(page_content=text, metadata=metadata or {}, id=row_id)
        for text, metadata, row_id in rows
        if text is not None
    ]


def _listed(documents: Any) -> list[Document]:
    """Return documents as a list; refuse anything else."""
    if isinstance(documents, (str, Document)):
        raise InvalidInputError(f"documents={documents!r}; give a list of Document(page_content=...)")
    listed = read_list("documents", documents)
    for n, document in enumerate(listed):
        if not isinstance(document, Document):
            raise InvalidInputError(f"document {n} is {document!r}; give Document(page_content=...)")
    return listed
