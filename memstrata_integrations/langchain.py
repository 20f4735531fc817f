"""The LangChain front door: `langchain_chroma.Chroma` that keeps facts valid in time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, Literal

from memstrata_integrations.errors import InvalidInputError, MissingDependencyError

try:
    from langchain_chroma import Chroma
    from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.embeddings import Embeddings
    from langchain_core.runnables import RunnableConfig
    from langchain_core.runnables.config import run_in_executor
    from langchain_core.runnables.utils import ConfigurableFieldSpec
    from langchain_core.vectorstores import VectorStoreRetriever
except ImportError as error:
    raise MissingDependencyError(
        "memstrata_integrations.langchain needs langchain-chroma: pip install 'memstrata-integrations[langchain]'"
    ) from error

import chromadb
import chromadb.config
from chromadb import Search
from chromadb.api import ClientAPI
from chromadb.api.collection_configuration import CreateCollectionConfiguration
from typing_extensions import override

from memstrata_integrations.collection import TemporalCollection
from memstrata_integrations.context import ambient
from memstrata_integrations.facts import Extractor
from memstrata_integrations.history import Changes, Explanation, Timeline
from memstrata_integrations.policy import SupersessionPolicy
from memstrata_integrations.time import Instant, format_time, system_clock

__all__ = ["TemporalRetriever", "TemporalVectorStore"]


class TemporalVectorStore(Chroma):
    """Chroma vector store integration that keeps facts valid in time.

    Same constructor, same methods and same results as `langchain_chroma.Chroma` on knowledge
    that does not change. When a text gives a known (subject, relation) another object, what
    said so before is retired from every read and kept in a ledger.

    Setup:
        ```bash
        pip install -U 'memstrata-integrations[langchain]'
        ```

    Key init args — as `langchain_chroma.Chroma`, in the same places, and keyword-only:
        extractor:
            Reads facts in texts; a grammar by default, `None` for versions of documents only.
        scope:
            Metadata fields that separate facts (user, project, environment).
        policy:
            What may supersede what (`SupersessionPolicy`).
        valid_from_field, valid_to_field:
            Metadata fields that date a document when no keyword does.
        on_delete:
            `"purge"` (default) or `"retire"`, which keeps history through `index()` flows.
        show_validity:
            Add `memstrata_valid_from`, `_valid_to`, `_recorded_at`, `_superseded_by`
            (ISO 8601, UTC) to the metadata of documents that are returned.
        clock:
            Returns the time, µs since the epoch.
        on_change:
            Called with the `Changes` of each write.

    Instantiate:
        ```python
        from memstrata_integrations import default_embeddings
        from memstrata_integrations.langchain import TemporalVectorStore

        vector_store = TemporalVectorStore(
            collection_name="operations",
            embedding_function=default_embeddings(),
            # persist_directory="./memory",
        )
        ```

    Add Documents:
        ```python
        from langchain_core.documents import Document

        vector_store.add_documents(
            [Document("The API port is 8080."), Document("The API port is 9090.")],
            valid_from=["2024-01-01", "2024-06-01"],
        )
        ```

    Delete Documents:
        ```python
        vector_store.delete(ids=["3"])
        ```

    Search:
        ```python
        vector_store.similarity_search("Which port does the API use?", k=1)
        vector_store.similarity_search("Which port does the API use?", k=1, as_of="2024-03-01")
        ```

    Search with filter:
        ```python
        vector_store.similarity_search("port", k=1, filter={"source": "runbook.md"})
        ```

    Search with score:
        ```python
        vector_store.similarity_search_with_score("port", k=1)  # distance, lower is closer
        ```

    Async:
        ```python
        await vector_store.aadd_documents(documents)
        await vector_store.asimilarity_search("port", k=1, as_of="2024-03-01")
        ```

    Use as Retriever:
        ```python
        retriever = vector_store.as_retriever(search_kwargs={"k": 1})
        retriever.invoke("Which port?", as_of="2024-03-01")
        ```

    History:
        ```python
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
        extractor: Extractor | None | Literal["grammar"] = "grammar",
        scope: Sequence[str] = (),
        policy: SupersessionPolicy | None = None,
        valid_from_field: str | None = None,
        valid_to_field: str | None = None,
        on_delete: Literal["purge", "retire"] = "purge",
        show_validity: bool = False,
        clock: Callable[[], int | datetime | float] = system_clock,
        on_change: Callable[[Changes], None] | None = None,
    ) -> None:
        """Open or create a collection; arguments as in the class docstring.

        Raises:
            InvalidInputError: If the collection was embedded by another of this package's
                embeddings, or an argument cannot be used.
        """
        self._temporal: TemporalCollection | None = None
        self._settings: dict[str, Any] = {
            "extractor": extractor,
            "scope": scope,
            "policy": policy,
            "valid_from_field": valid_from_field,
            "valid_to_field": valid_to_field,
            "on_delete": on_delete,
            "show_validity": show_validity,
            "clock": clock,
            "on_change": on_change,
        }
        super().__init__(
            collection_name=collection_name,
            embedding_function=embedding_function,
            persist_directory=persist_directory,
            host=host,
            port=port,
            headers=headers,
            chroma_cloud_api_key=chroma_cloud_api_key,
            tenant=tenant,
            database=database,
            client_settings=client_settings,
            collection_metadata=collection_metadata,
            collection_configuration=collection_configuration,
            client=client,
            relevance_score_fn=relevance_score_fn,
            create_collection_if_not_exists=create_collection_if_not_exists,
            ssl=ssl,
        )
        self._collection.check_embeddings(embedding_function)

    @property
    def _collection(self) -> TemporalCollection:  # type: ignore[override]
        """The wrapped collection: stock methods run through it unchanged."""
        raw = super()._collection
        if self._temporal is None or self._temporal._chroma is not raw:
            self._temporal = TemporalCollection(raw, **self._settings)
            self._settings["extractor"] = self._temporal._extractor
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
            valid_from: From when the texts hold: one instant, or one for each text.
            valid_to: Until when, exclusive.
            kwargs: Ignored, as in stock (`index()` passes ``batch_size``).

        Returns:
            One id for each text, in order. A text without an id that repeats a valid fact word
            for word gets that row's id.

        Raises:
            InvalidInputError: For input that cannot be stored; nothing was written.
        """
        return list(self._add(texts, metadatas, ids, valid_from, valid_to).ids)

    def _add(
        self,
        texts: Iterable[str],
        metadatas: Sequence[Mapping[str, Any]] | None,
        ids: Sequence[str | None] | None,
        valid_from: Any,
        valid_to: Any,
    ) -> Changes:
        listed = list(texts)
        if metadatas and len(metadatas) < len(listed):
            metadatas = [*metadatas, *({} for _ in range(len(listed) - len(metadatas)))]
        items = self._collection.read(
            documents=listed, metadatas=metadatas or None, ids=ids, valid_from=valid_from, valid_to=valid_to
        )
        if self._embedding_function is not None and listed:
            vectors = self._embedding_function.embed_documents(listed)
            self._collection.attach(items, vectors)
        return self._collection.write_items(items, metadata_first=bool(metadatas))

    @override
    async def aadd_texts(
        self,
        texts: Iterable[str],
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: list[str] | None = None,
        valid_from: Any = None,
        valid_to: Any = None,
        **kwargs: Any,
    ) -> list[str]:
        """Like `add_texts`, asynchronously."""
        changes = await run_in_executor(None, self._add, texts, metadatas, ids, valid_from, valid_to)
        return list(self._collection.recall(changes).ids)

    @override
    def add_documents(self, documents: list[Document], **kwargs: Any) -> list[str]:
        """Write documents; ``valid_from`` and ``valid_to`` as in `add_texts`, ids from the documents or ``ids``."""
        return super().add_documents(list(documents), **kwargs)

    @override
    async def aadd_documents(self, documents: list[Document], **kwargs: Any) -> list[str]:
        """Like `add_documents`, asynchronously."""
        return await super().aadd_documents(list(documents), **kwargs)

    @override
    def update_documents(
        self, ids: list[str], documents: list[Document], *, valid_from: Any = None, valid_to: Any = None
    ) -> None:
        """Update documents that exist; other content under an id is a new version of it.

        Args:
            ids: Ids of the documents.
            documents: Their new content.
            valid_from: From when the new content holds; by default now.
            valid_to: Until when, exclusive.
        """
        if self._embedding_function is None:
            raise ValueError("For update, you must specify an embedding function on creation.")
        texts = [document.page_content for document in documents]
        self._collection.update(
            ids=ids,
            embeddings=self._embedding_function.embed_documents(texts),
            documents=texts,
            metadatas=[document.metadata for document in documents],
            valid_from=valid_from,
            valid_to=valid_to,
        )

    @override
    def update_document(
        self, document_id: str, document: Document, *, valid_from: Any = None, valid_to: Any = None
    ) -> None:
        """Update one document; see `update_documents`."""
        self.update_documents([document_id], [document], valid_from=valid_from, valid_to=valid_to)

    @classmethod
    @override
    def from_texts(
        cls,
        texts: list[str],
        embedding: Embeddings | None = None,
        metadatas: list[dict[str, Any]] | None = None,
        ids: list[str] | None = None,
        *args: Any,
        valid_from: Any = None,
        valid_to: Any = None,
        **kwargs: Any,
    ) -> TemporalVectorStore:
        """Create a store from texts; arguments as in stock, and those of this class and of `add_texts`."""
        store = cls(embedding_function=embedding, **_from_arguments(args, kwargs))
        listed = list(texts)
        if listed:
            store.add_texts(listed, metadatas, ids, valid_from=valid_from, valid_to=valid_to)
        return store

    @classmethod
    @override
    def from_documents(
        cls,
        documents: list[Document],
        embedding: Embeddings | None = None,
        ids: list[str] | None = None,
        *args: Any,
        valid_from: Any = None,
        valid_to: Any = None,
        **kwargs: Any,
    ) -> TemporalVectorStore:
        """Create a store from documents; arguments as in stock, and those of this class and of `add_texts`."""
        listed = list(documents)
        if ids is None and any(d.id for d in listed):
            ids = [d.id for d in listed]  # type: ignore[misc]
        return cls.from_texts(
            [d.page_content for d in listed],
            embedding,
            [d.metadata for d in listed],
            ids,
            *args,
            valid_from=valid_from,
            valid_to=valid_to,
            **kwargs,
        )

    # -- reads ----------------------------------------------------------------------------

    @override
    def max_marginal_relevance_search(
        self,
        query: str,
        k: int = 4,
        fetch_k: int = 20,
        lambda_mult: float = 0.5,
        filter: dict[str, Any] | None = None,  # noqa: A002
        where_document: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> list[Document]:
        """Return documents by maximal marginal relevance; stock drops the keywords, so ``as_of`` needs this."""
        if self._embedding_function is None:
            raise ValueError("For MMR search, you must specify an embedding function on creation.")
        return self.max_marginal_relevance_search_by_vector(
            self._embedding_function.embed_query(query),
            k,
            fetch_k,
            lambda_mult=lambda_mult,
            filter=filter,
            where_document=where_document,
            **kwargs,
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
        *,
        as_of: Instant | None = None,
        known_at: Instant | None = None,
        include_superseded: bool = False,
        scope: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Get rows by id or filter, as in stock: those that are valid, or were ``as_of``.

        Args:
            ids: Ids of the rows.
            where: Metadata filter.
            limit: How many valid rows at most.
            offset: How many valid rows to skip.
            where_document: Text filter.
            include: ``"embeddings"``, ``"metadatas"``, ``"documents"``.
            as_of: Valid time that is asked about; by default now.
            known_at: Answer what a reader at this time was answered.
            include_superseded: Return rows that are not valid, too.
            scope: Values of the scope fields.
        """
        kwargs: dict[str, Any] = {} if include is None else {"include": include}
        return self._collection.get(
            ids=ids,
            where=where,
            limit=limit,
            offset=offset,
            where_document=where_document,
            as_of=as_of,
            known_at=known_at,
            include_superseded=include_superseded,
            scope=scope,
            **kwargs,
        )

    @override
    def get_by_ids(
        self,
        ids: Sequence[str],
        /,
        *,
        as_of: Instant | None = None,
        known_at: Instant | None = None,
        include_superseded: bool = False,
    ) -> list[Document]:
        """Get documents by id; those that are not valid are absent."""
        if not ids:
            return []
        found = self.get(ids=list(ids), as_of=as_of, known_at=known_at, include_superseded=include_superseded)
        return [
            Document(page_content=text, metadata=metadata or {}, id=row_id)
            for text, metadata, row_id in zip(found["documents"], found["metadatas"], found["ids"], strict=True)
            if text is not None
        ]

    @override
    async def aget_by_ids(self, ids: Sequence[str], /, **kwargs: Any) -> list[Document]:
        """Like `get_by_ids`, asynchronously."""
        return await run_in_executor(None, self.get_by_ids, ids, **kwargs)

    @override
    def hybrid_search(self, search: Search) -> list[Document]:
        """Run Chroma's hybrid search on what is valid now; only hosted Chroma serves it."""
        from memstrata_integrations.codec import user_metadata

        results = self._collection.search(search)
        return [
            Document(
                page_content=record["document"], metadata=user_metadata(record.get("metadata")) or {}, id=record["id"]
            )
            for record in results.rows()[0]
            if record.get("document") is not None
        ]

    @override
    def fork(self, new_name: str) -> TemporalVectorStore:
        """Fork this store, where the server can; the copy keeps the same settings."""
        forked = self._collection.fork(new_name)
        return type(self)(
            client=self._client,
            embedding_function=self._embedding_function,
            collection_name=forked.name,
            **self._settings,
        )

    @override
    def as_retriever(self, **kwargs: Any) -> TemporalRetriever:
        """Return a `TemporalRetriever`; arguments as in stock, plus its fields ``k``, ``as_of``, ``known_at``."""
        tags = kwargs.pop("tags", None) or [*self._get_retriever_tags()]
        return TemporalRetriever(vectorstore=self, tags=tags, **kwargs)

    # -- deletion -------------------------------------------------------------------------

    @override
    def delete(self, ids: list[str] | None = None, **kwargs: Any) -> None:
        """Delete documents with all their versions; ``where`` and ``where_document`` as in Chroma."""
        self._collection.delete(ids=ids, **kwargs)

    # -- time -----------------------------------------------------------------------------

    def history(
        self,
        subject: str | None = None,
        relation: str | None = None,
        *,
        id: str | None = None,  # noqa: A002
        statement: str | None = None,
        scope: Mapping[str, Any] | None = None,
    ) -> Timeline:
        """Return everything the ledger holds about a fact or a document; see `TemporalCollection.history`."""
        return self._collection.history(subject, relation, id=id, statement=statement, scope=scope)

    def explain(self, document_or_id: Document | str) -> Explanation:
        """Say why a document is served or not, what it replaced, and by which sentence and rule."""
        return self._collection.explain(document_or_id)

    def plan(self, texts: Any, metadatas: Any = None, ids: Any = None, **dates: Any) -> Changes:
        """Tell what writing texts (or documents) would supersede, without writing."""
        return self._collection.plan(texts, metadatas, ids, **dates)

    def retract(
        self,
        subject: str,
        relation: str | None = None,
        *,
        at: Instant | None = None,
        scope: Mapping[str, Any] | None = None,
    ) -> Changes:
        """Say that a fact stopped being true, with no successor; see `TemporalCollection.retract`."""
        return self._collection.retract(subject, relation, at=at, scope=scope)

    def undo(self, change_or_id: Changes | str) -> Changes:
        """Take back a write and reopen exactly what it closed; see `TemporalCollection.undo`."""
        return self._collection.undo(change_or_id)

    def purge(
        self, ids: Any = None, *, subject: str | None = None, scope: Mapping[str, Any] | None = None
    ) -> Changes:
        """Erase documents, every version and trace; see `TemporalCollection.purge`."""
        return self._collection.purge(ids, subject=subject, scope=scope)

    def adopt(self, valid_from_field: str | None = None, dry_run: bool = False, *, progress: bool = True) -> Changes:
        """Key the rows that stock code wrote; see `TemporalCollection.adopt`."""
        return self._collection.adopt(valid_from_field, dry_run, progress=progress)

    def verify(self) -> list[str]:
        """Return one line for each row whose stored validity differs from what the rules derive."""
        return self._collection.verify()

    @property
    def last_changes(self) -> Changes | None:
        """What the last write of this thread or task did."""
        return self._collection.last_changes


_FROM_ORDER = (
    "collection_name",
    "persist_directory",
    "host",
    "port",
    "headers",
    "chroma_cloud_api_key",
    "tenant",
    "database",
    "client_settings",
    "client",
    "collection_metadata",
    "collection_configuration",
)
"""The positional arguments of stock `from_texts` and `from_documents` after ``ids``."""


def _from_arguments(args: Sequence[Any], kwargs: dict[str, Any]) -> dict[str, Any]:
    if len(args) > len(_FROM_ORDER):
        raise TypeError(f"from_texts takes at most {len(_FROM_ORDER) + 4} positional arguments")
    return {**dict(zip(_FROM_ORDER, args, strict=False)), **kwargs}


class TemporalRetriever(VectorStoreRetriever):
    """Retriever over a `TemporalVectorStore` that can ask about the past.

    The time asked about is, in this order: the keyword ``as_of`` of the call, the configurable
    ``as_of`` of the config, ``search_kwargs``, the field, ``with as_of(t):``, now. The same
    holds for ``known_at``.

    Example:
        ```python
        retriever = TemporalRetriever(vectorstore=store, k=4)
        retriever.invoke("Which port?", as_of="2024-03-01")
        retriever.with_config(configurable={"as_of": "2024-03-01"}).invoke("Which port?")
        ```
    """

    k: int | None = None
    """How many documents to return; by default as `search_kwargs` or the store says."""

    as_of: Any = None
    """Valid time that is asked about."""

    known_at: Any = None
    """Transaction time that is asked about."""

    include_superseded: bool = False
    """Return what is not valid, too."""

    _CONFIGURABLE: ClassVar[tuple[str, ...]] = ("as_of", "known_at")

    @property
    @override
    def config_specs(self) -> list[ConfigurableFieldSpec]:
        """What ``with_config(configurable=...)`` may set."""
        return [
            *super().config_specs,
            ConfigurableFieldSpec(
                id="as_of",
                annotation=Any,
                name="As of",
                description="Valid time that is asked about: datetime, date, ISO 8601 text or epoch seconds.",
                default=None,
            ),
            ConfigurableFieldSpec(
                id="known_at",
                annotation=Any,
                name="Known at",
                description="Transaction time that is asked about.",
                default=None,
            ),
        ]

    def _asked(self, config: RunnableConfig | None, kwargs: dict[str, Any]) -> dict[str, Any]:
        """Return the keywords with the times that the config names."""
        from langchain_core.runnables.config import ensure_config

        configurable = ensure_config(config).get("configurable") or {}
        named = {n: configurable[n] for n in self._CONFIGURABLE if configurable.get(n) is not None}
        return {**named, **{k: v for k, v in kwargs.items() if v is not None or k not in named}}

    def _search_arguments(self, kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """Merge fields, search_kwargs and the call's keywords, the last first."""
        fields: dict[str, Any] = {"k": self.k, "as_of": self.as_of, "known_at": self.known_at}
        merged = {k: v for k, v in fields.items() if v is not None}
        if self.include_superseded:
            merged["include_superseded"] = True
        for given in (self.search_kwargs, kwargs):
            merged.update({k: v for k, v in given.items() if v is not None or k not in merged})
        return merged

    @override
    def invoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:  # noqa: A002
        """Return documents for a query; ``as_of``, ``known_at``, ``k`` and search keywords may be given."""
        return super().invoke(input, config, **self._asked(config, kwargs))

    @override
    async def ainvoke(
        self,
        input: str,  # noqa: A002
        config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> list[Document]:
        """Like `invoke`, asynchronously."""
        return await super().ainvoke(input, config, **self._asked(config, kwargs))

    @override
    def _get_ls_params(self, **kwargs: Any) -> Any:
        """Add the times that are asked about to the run's tracing metadata."""
        asked = self._search_arguments(kwargs)
        params: dict[str, Any] = dict(super()._get_ls_params(**kwargs))
        for name, around in zip(self._CONFIGURABLE, ambient(), strict=True):
            if asked.get(name) is not None:
                params[name] = str(asked[name])
            elif around is not None:
                params[name] = format_time(around)
        return params

    @override
    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, **kwargs: Any
    ) -> list[Document]:
        return super()._get_relevant_documents(query, run_manager=run_manager, **self._call_arguments(kwargs))

    @override
    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, **kwargs: Any
    ) -> list[Document]:
        return await super()._aget_relevant_documents(query, run_manager=run_manager, **self._call_arguments(kwargs))

    def _call_arguments(self, kwargs: Mapping[str, Any]) -> dict[str, Any]:
        if not isinstance(self.vectorstore, TemporalVectorStore):
            raise InvalidInputError(
                f"TemporalRetriever needs a TemporalVectorStore, got {type(self.vectorstore).__name__}"
            )
        return self._search_arguments(kwargs)
