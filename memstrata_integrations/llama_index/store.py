"""The LlamaIndex front door: `ChromaVectorStore` that keeps facts valid in time."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from memstrata_integrations.errors import InvalidInputError, MissingDependencyError

try:
    from llama_index.core.base.embeddings.base import BaseEmbedding
    from llama_index.core.bridge.pydantic import PrivateAttr
    from llama_index.core.indices.query.embedding_utils import get_top_k_mmr_embeddings
    from llama_index.core.schema import BaseNode, Document, MetadataMode, TextNode
    from llama_index.core.vector_stores.types import (
        MetadataFilters,
        VectorStoreQuery,
        VectorStoreQueryMode,
        VectorStoreQueryResult,
    )
    from llama_index.vector_stores.chroma import ChromaVectorStore
except ImportError as error:
    raise MissingDependencyError(
        "memstrata_integrations.llama_index needs llama-index-vector-stores-chroma: "
        "pip install 'memstrata-integrations[llama-index]'"
    ) from error

import chromadb
from typing_extensions import Unpack, override

from memstrata_integrations.chroma.arguments import one_each, read_flag, read_id, read_ids, read_list
from memstrata_integrations.chroma.callers import asynchronous
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.chroma.embedding import embedder
from memstrata_integrations.chroma.explicit import sentence_of, stated
from memstrata_integrations.chroma.fields import NODE_FIELDS
from memstrata_integrations.chroma.intake import read_further, read_metadata
from memstrata_integrations.chroma.lookup import shown_id
from memstrata_integrations.chroma.plan import Item
from memstrata_integrations.chroma.session import Session
from memstrata_integrations.chroma.surface import TimeSurface
from memstrata_integrations.chroma.syncing import sync
from memstrata_integrations.ledger.changes import Changes
from memstrata_integrations.ledger.facts import Fact
from memstrata_integrations.ledger.time import Instant
from memstrata_integrations.llama_index.nodes import columns, node_of, origin_of, source_id, uncut, where_of
from memstrata_integrations.options import OptionFields, Options, RankRedacted, ReadFields, Stale

_PREFETCH = 4.0
_MODES = (VectorStoreQueryMode.DEFAULT, VectorStoreQueryMode.MMR)
_REF_DOC = "document_id"


class TemporalVectorStore(TimeSurface, ChromaVectorStore):
    """Chroma vector store that keeps facts valid in time.

    In this vector store, embeddings are stored within a ChromaDB collection. During query
    time, the index uses ChromaDB to query for the top k most similar nodes that are valid.

    Same constructor, same methods and same results as `llama_index.vector_stores.chroma.ChromaVectorStore` on
    knowledge that does not change. When a node gives a known (subject, relation) another object, what said so before
    is retired from every read and kept in a ledger. When a document is inserted again with other content, the nodes
    of its older version are retired. Every read takes the keywords of `options.ReadFields` (``as_of``, ...). Besides
    the asynchronous methods of stock there are `aadd_facts` and `async_sync`.

    Args:
        chroma_collection (chromadb.api.models.Collection.Collection):
            ChromaDB collection instance
        collection_name, host, port, ssl, headers, persist_dir, collection_kwargs:
            As in `ChromaVectorStore`, used when no collection is given.
        embed_model (Optional[BaseEmbedding]): The model that the index embeds with. With it, a node of
            which statements were taken out is ranked by what is left of it; `sync` and `repair` embed with it, too.
        options: As keywords, those of `memstrata_integrations.options.Options`.

    Examples:
        `pip install 'memstrata-integrations[llama-index]'`

        ```python
        import chromadb
        from llama_index.core import Document, VectorStoreIndex
        from memstrata_integrations.llama_index import DefaultEmbedding, TemporalVectorStore

        # Create a Chroma client and collection
        chroma_client = chromadb.EphemeralClient()
        chroma_collection = chroma_client.create_collection("example_collection")

        # Set up the TemporalVectorStore and the index
        vector_store = TemporalVectorStore(chroma_collection=chroma_collection)
        index = VectorStoreIndex.from_vector_store(vector_store, embed_model=DefaultEmbedding())

        index.insert(Document(text="The API port is 8080."), valid_from="2024-01-01")
        index.insert(Document(text="The API port is 9090."), valid_from="2024-06-01")

        # What holds now, and what held on 1 March
        query_engine = index.as_query_engine()
        past_engine = index.as_query_engine(vector_store_kwargs={"as_of": "2024-03-01"})

        # Use MMR mode with threshold
        query_engine = index.as_query_engine(
            vector_store_query_mode="mmr",
            vector_store_kwargs={"mmr_threshold": 0.5},
        )
        ```
    """

    scope: tuple[str, ...] = ()
    valid_from_field: str | None = None
    valid_to_field: str | None = None
    on_delete: Literal["purge", "retire"] = "purge"
    show_validity: bool = False
    stale: Stale = "redact"
    rank_redacted: RankRedacted = "served"
    key_fields: tuple[str, ...] = ()
    value_field: str | None = None

    _options: Options = PrivateAttr(default_factory=Options)
    _embed_model: BaseEmbedding | None = PrivateAttr(default=None)
    _temporal: TemporalCollection | None = PrivateAttr(default=None)

    def __init__(
        self,
        chroma_collection: Any | None = None,
        collection_name: str | None = None,
        host: str | None = None,
        port: str | int | None = None,
        ssl: bool = False,
        headers: dict[str, str] | None = None,
        persist_dir: str | None = None,
        collection_kwargs: dict[str, Any] | None = None,
        *,
        embed_model: BaseEmbedding | None = None,
        **options: Unpack[OptionFields],
    ) -> None:
        """Wrap a collection; arguments as in the class docstring. A given collection is not touched."""
        known = Options.of("TemporalVectorStore", _without_fixed(options), (*_STOCK, "embed_model"))
        if embed_model is not None:
            embedder(embed_model)
        if isinstance(chroma_collection, TemporalCollection):
            chroma_collection = chroma_collection.session.collection
        if chroma_collection is None and persist_dir and not host:
            chroma_collection = _open(persist_dir, collection_name, collection_kwargs)
        super().__init__(chroma_collection, collection_name, host, port, ssl, headers, persist_dir, collection_kwargs)
        self._options = known
        self._embed_model = embed_model
        for name in _SERIALISED:
            setattr(self, name, getattr(known, name))

    @property  # type: ignore[misc]
    def _collection(self) -> TemporalCollection:  # type: ignore[override]
        """The wrapped collection, made when it is first used."""
        raw = (self.__pydantic_private__ or {}).get("_collection")
        if raw is None:
            raise InvalidInputError("this store has no collection (pickle loses it); give chroma_collection=")
        if self._temporal is None or self._temporal.session.collection is not raw:
            chosen = replace(self._options, **{name: getattr(self, name) for name in _SERIALISED})
            self._temporal = TemporalCollection.opened(Session(raw, self._embed_model, chosen))
        return self._temporal

    @classmethod
    @override
    def from_collection(cls, collection: Any, **kwargs: Any) -> TemporalVectorStore:
        """Wrap a collection; keywords as in the constructor."""
        if not isinstance(collection, (chromadb.Collection, TemporalCollection)):
            raise InvalidInputError(f"argument is not chromadb collection instance: {type(collection).__name__}")
        return cls(chroma_collection=collection, **kwargs)

    @classmethod
    @override
    def from_params(
        cls,
        collection_name: str,
        host: str | None = None,
        port: str | int | None = None,
        ssl: bool = False,
        headers: dict[str, str] | None = None,
        persist_dir: str | None = None,
        collection_kwargs: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> TemporalVectorStore:
        """Open or create a collection in a directory or on a server; keywords as in the constructor."""
        options = {name: value for name, value in _without_fixed(kwargs).items() if name != "embed_model"}
        Options.of("TemporalVectorStore", options, _STOCK)
        found = super().from_params(
            collection_name, host, port, ssl, headers, persist_dir, collection_kwargs or {}, **kwargs
        )
        assert isinstance(found, TemporalVectorStore)
        found.collection_name = collection_name
        return found

    @classmethod
    @override
    def class_name(cls) -> str:
        return "TemporalVectorStore"

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> TemporalVectorStore:
        """Copy the settings; the copy works on the same collection, which cannot be copied."""
        own = {name: copy.deepcopy(getattr(self, name), memo) for name in ("collection_kwargs", "headers")}
        return self.model_copy(update=own)

    # -- writes ---------------------------------------------------------------------------

    @override
    def add(
        self, nodes: Sequence[BaseNode], *, valid_from: Any = None, valid_to: Any = None, **add_kwargs: Any
    ) -> list[str]:
        """Write nodes, in order, through the supersession hook.

        Args:
            nodes: Sequence[BaseNode]: nodes with embeddings. A known id with other content is a new
                version of that node; nodes of a known document with another source hash retire
                what its older version held.
            valid_from: From when the nodes hold: one instant, or one for each node. It comes
                through `index.insert(doc, valid_from=...)` and the other ways to insert.
            valid_to: Until when, exclusive.
            add_kwargs: ``facts`` and ``supersedes``, see `options.WriteFields`; ``valid_from_field`` and
                ``valid_to_field``, the metadata fields that date these nodes. Others are refused, but for those
                that LlamaIndex's own indices pass along.

        Returns:
            The ids of the nodes, in order.
        """
        fields = read_further("add", add_kwargs)
        listed = read_list("nodes", nodes)
        if not listed:
            return []
        found = columns(listed, flat=self.flat_metadata)
        items = self._session.read(**found, valid_from=valid_from, valid_to=valid_to, **fields)
        for item, node in zip(items, listed, strict=True):
            item.origin = origin_of(node)
        return list(self._session.write(items).ids)

    @override
    def _read_texts(self, texts: Any, **told: Any) -> list[Item]:
        """Check texts, nodes, or documents, each of which is taken as one node; see `plan`."""
        alone = isinstance(texts, BaseNode) or hasattr(texts, "page_content")
        listed = [texts] if alone else read_list("texts", texts)
        if not any(isinstance(t, BaseNode) for t in listed):
            return super()._read_texts(listed, **told)
        nodes = [uncut(t) if isinstance(t, Document) else t for t in listed]
        found = columns(nodes, flat=self.flat_metadata, embedded=False)
        items = self._session.read(**{**found, **{name: value for name, value in told.items() if value is not None}})
        for item, node in zip(items, nodes, strict=True):
            item.origin = origin_of(node)
        return items

    def add_facts(
        self,
        facts: Fact | Sequence[Fact],
        *,
        ids: list[str] | None = None,
        metadatas: list[dict[str, Any]] | None = None,
        embed_model: BaseEmbedding | None = None,
        **add_kwargs: Any,
    ) -> list[str]:
        """Write facts that you state outright, each as a node of its own; return their ids.

        Like `TemporalCollection.add_facts`; `embed_model`, by default the store's, embeds their sentences.
        """
        listed = stated(facts)
        model = self._embeds(embed_model)
        if model is None and listed:
            raise InvalidInputError("there is nothing to embed the facts with; give embed_model= here, or to the store")
        nodes = [TextNode(text=sentence_of(f, self._options.fact_template)) for f in listed]
        told, named = one_each("metadatas", metadatas, len(listed), Mapping), one_each("ids", ids, len(listed))
        for n, (node, metadata, row_id) in enumerate(zip(nodes, told, named, strict=True)):
            node.metadata = read_metadata(metadata, n) or {}
            node.id_ = node.node_id if row_id is None else read_id(row_id, f"id {n}")
        found = columns(nodes, flat=self.flat_metadata, embedded=False)
        vectors = _embedded(nodes, model)
        changes = self._collection.add_facts(
            listed, ids=found["ids"], metadatas=found["metadatas"], embeddings=vectors, **add_kwargs
        )
        return list(changes.ids)

    def _embeds(self, embed_model: Any) -> Any:
        """Return what embeds: what a call names, else the store's own."""
        if embed_model is None:
            return self._embed_model
        if not callable(getattr(embed_model, "get_text_embedding_batch", None)):
            raise InvalidInputError(f"embed_model={embed_model!r} embeds nothing; give a BaseEmbedding")
        return embed_model

    def sync(
        self,
        ref_doc_id: str,
        nodes: Sequence[BaseNode],
        *,
        embed_model: BaseEmbedding | None = None,
        valid_from: Instant | None = None,
        scope: Mapping[str, Any] | None = None,
    ) -> Changes:
        """Say that these nodes are all that a document holds: what it held besides ends, and keeps its history.

        Like `TemporalCollection.sync`; nodes whose text is stored already keep the ids they have.

        Args:
            ref_doc_id (str): The doc_id of the document; `document.id_`.
            nodes: All its nodes, for instance from a splitter; none at all ends the document.
            embed_model: Embeds the nodes that changed, by default the store's; needed for those without an embedding.
            valid_from: From when this holds, until the next version of the document that is known; by default now.
            scope (dict): Values of the scope fields; they are set where they are missing.

        Examples:
            ```python
            nodes = SentenceSplitter().get_nodes_from_documents([document])
            vector_store.sync(document.id_, nodes, embed_model=embed_model)
            ```
        """
        read_id(ref_doc_id, "ref_doc_id")
        listed = read_list("nodes", nodes)
        found = columns(listed, flat=self.flat_metadata, embedded=False)
        for metadata in found["metadatas"]:
            if metadata[_REF_DOC] == "None":  # stock's mark of a node without a source
                metadata.update(dict.fromkeys(NODE_FIELDS[2:], ref_doc_id))

        model = self._embeds(embed_model)

        def embed(wanted: Sequence[int]) -> list[Any]:
            bare = [n for n in wanted if listed[n].embedding is None]
            if bare and model is None:
                raise InvalidInputError(f"{len(bare)} of {len(listed)} nodes have no embedding; give embed_model=")
            made = dict(zip(bare, _embedded([listed[n] for n in bare], model), strict=True))
            return [made.get(n) or listed[n].get_embedding() for n in wanted]

        return sync(
            self._session,
            ref_doc_id,
            found["documents"],
            ids=found["ids"],
            metadatas=found["metadatas"],
            embed=embed,
            field=_REF_DOC,
            valid_from=valid_from,
            scope=scope,
            match_ids=False,
        )

    @override
    def delete(
        self, ref_doc_id: str, *, purge: bool = False, scope: Mapping[str, Any] | None = None, **delete_kwargs: Any
    ) -> None:
        """Delete the nodes of a document, those of its earlier versions included.

        Args:
            ref_doc_id (str): The doc_id of the document to delete.
            purge (bool): Erase them with their history even if the store has ``on_delete="retire"``.
            scope (dict): Values of the scope fields: whose document it is. A store with scope fields needs it.
        """
        wanted = read_id(ref_doc_id, "ref_doc_id") if ref_doc_id != "" else ref_doc_id
        named = self._session.require_scope(
            "delete",
            scope,
            "; through an index: delete_ref_doc(id, scope=...), or delete_kwargs={'scope': ...} of update_ref_doc",
        )
        found = self._session.lookup.ids_within(self._nodes_of(wanted), named)
        if found and read_flag("purge", purge):
            self._collection.purge(found)
        elif found:
            self._collection.delete(ids=found)

    def _nodes_of(self, ref_doc_id: str) -> list[str]:
        """Return the ids of a document's nodes; a document added without a splitter is its own node."""
        reader = self._session.lookup
        found: dict[str, None] = {}
        for row_id, record in (reader.fetch([ref_doc_id]) if ref_doc_id else {}).items():
            metadata = record["metadata"]
            if metadata and NODE_FIELDS[0] in metadata and source_id(metadata) is None:
                found[row_id] = None
        for record in reader.fetch(reader.ids_in(_REF_DOC, [ref_doc_id])).values():
            # stock marks a node without a source with "None"
            if ref_doc_id != "None" or source_id(record["metadata"]) == ref_doc_id:
                found[shown_id(record)] = None
        return list(found)

    @override
    def delete_nodes(
        self,
        node_ids: list[str] | None = None,
        filters: MetadataFilters | list[MetadataFilters] | None = None,
        *,
        purge: bool = False,
        scope: Mapping[str, Any] | None = None,
        **delete_kwargs: Any,
    ) -> None:
        """Delete nodes by id, by filter, or those that match both; nothing if neither is given.

        Args:
            node_ids (List[str]): list of node ids
            filters (MetadataFilters): metadata filters
            purge (bool): Erase them with their history even if the store has ``on_delete="retire"``.
            scope (dict): Values of the scope fields: only nodes of this scope.
        """
        where = where_of(filters)
        node_ids = None if node_ids is None else read_ids(node_ids)
        if not node_ids and (node_ids is not None or where is None):
            return
        if not read_flag("purge", purge):
            self._collection.delete(ids=node_ids, where=where, scope=scope)
            return
        where = self._session.scoped(where, scope if node_ids is None else None, by_id=node_ids is not None)
        found = self._session.matching(node_ids, where, None, None)
        if found:
            self._collection.purge(found, scope=scope)

    @override
    def clear(self) -> None:
        """Clear the collection: every node goes for good, history included."""
        nodes = self._session.lookup.document_ids(self._session.lookup.collection.get(include=[])["ids"])
        if nodes:
            self._collection.purge(nodes)

    # -- reads ----------------------------------------------------------------------------

    @override
    def get_nodes(
        self,
        node_ids: list[str] | None = None,
        filters: MetadataFilters | list[MetadataFilters] | None = None,
        **asked: Unpack[ReadFields],
    ) -> list[BaseNode]:
        """Get nodes by id or filter: those that are valid, or were ``as_of``; see `options.ReadFields`."""
        ids = None if node_ids is None else read_ids(node_ids) or None
        return self._get(None, where_of(filters), ids=ids, **asked).nodes  # type: ignore[return-value]

    @override
    def query(self, query: VectorStoreQuery, **kwargs: Any) -> VectorStoreQueryResult:
        """Query index for top k most similar nodes that are valid.

        Args:
            query (VectorStoreQuery): Query object containing:
                - query_embedding (List[float]): query embedding; without one, nodes are listed, as in
                  stock
                - similarity_top_k (int): top k most similar nodes
                - filters (Optional[MetadataFilters]): metadata filters to apply
                - doc_ids (Optional[List[str]]): documents to search in (stock ignores it)
                - mode (VectorStoreQueryMode): query mode (default or MMR)
            **kwargs: As in `ChromaVectorStore.query`: ``where``, ``where_document``, for MMR mode
                ``mmr_threshold``, ``mmr_prefetch_factor``, ``mmr_prefetch_k``; and those of `options.ReadFields`

        Returns:
            VectorStoreQueryResult: matched nodes, similarities (``exp(-distance)``) and ids.
        """
        if not isinstance(query, VectorStoreQuery):
            raise InvalidInputError(f"query={query!r}; give a VectorStoreQuery")
        if query.mode not in _MODES:
            told = getattr(query.mode, "value", query.mode)
            raise InvalidInputError(
                f"query mode {told!r} is not supported by Chroma; use 'default' or 'mmr' "
                "(stock answers it as if it were 'default')"
            )
        if query.filters is not None and "where" in kwargs:
            raise InvalidInputError(
                "Cannot specify metadata filters via both query and kwargs. Use kwargs only for chroma specific items "
                "that are not supported via the generic query interface."
            )
        mode = VectorStoreQueryMode(query.mode)
        where = kwargs.pop("where", None) if query.filters is None else where_of(query.filters)
        if query.doc_ids:
            documents = {_REF_DOC: {"$in": read_ids(query.doc_ids)}}
            where = documents if not where else {"$and": [where, documents]}
        if query.query_embedding is None or len(query.query_embedding) == 0:
            if mode is VectorStoreQueryMode.MMR:
                raise InvalidInputError("query mode 'mmr' needs a query embedding")
            return self._get(query.similarity_top_k, where, **kwargs)
        if mode is VectorStoreQueryMode.MMR:
            return self._mmr_search(query, where, **kwargs)
        return self._query(query.query_embedding, query.similarity_top_k, where, **kwargs)

    @override
    def _query(
        self, query_embeddings: Sequence[float], n_results: int, where: dict[str, Any] | None, **kwargs: Any
    ) -> VectorStoreQueryResult:
        found = self._collection.query(query_embeddings=query_embeddings, n_results=n_results, where=where, **kwargs)
        return _result(found, range(len(found["ids"][0])))

    @override
    def _mmr_search(
        self, query: VectorStoreQuery, where: dict[str, Any] | None, **kwargs: Any
    ) -> VectorStoreQueryResult:
        threshold = kwargs.pop("mmr_threshold", None)
        factor, prefetch = kwargs.pop("mmr_prefetch_factor", None), kwargs.pop("mmr_prefetch_k", None)
        if threshold is not None and (not isinstance(threshold, (int, float)) or not 0 <= threshold <= 1):
            raise InvalidInputError("mmr_threshold must be a float between 0 and 1")
        if factor is not None and prefetch is not None:
            raise InvalidInputError("'mmr_prefetch_factor' and 'mmr_prefetch_k' cannot coexist in a call to query()")
        k = query.similarity_top_k
        wanted = int(prefetch) if prefetch is not None else int(k * (_PREFETCH if factor is None else factor))
        found = self._collection.query(
            query_embeddings=query.query_embedding,
            n_results=max(wanted, k),
            where=where,
            include=["embeddings", "documents", "metadatas", "distances"],
            **{name: value for name, value in kwargs.items() if name != "include"},
        )
        if len(found["ids"][0]) < k:  # stock chooses nothing where there is nothing to choose from
            return _result(found, range(len(found["ids"][0])))
        _, rows = get_top_k_mmr_embeddings(
            query_embedding=query.query_embedding,  # type: ignore[arg-type]
            embeddings=list(found["embeddings"][0]),
            similarity_top_k=k,
            embedding_ids=list(range(len(found["ids"][0]))),
            mmr_threshold=threshold,
        )
        return _result(found, rows)

    @override
    def _get(self, limit: int | None, where: dict[str, Any] | None, **kwargs: Any) -> VectorStoreQueryResult:
        found = self._collection.get(limit=limit, where=where, **kwargs)
        rows = zip(found["ids"], found["documents"], found["metadatas"], strict=True)
        return VectorStoreQueryResult(nodes=[node_of(*row) for row in rows], ids=list(found["ids"]))

    # -- the same, asynchronously ---------------------------------------------------------

    async_add = asynchronous(add)  # type: ignore[arg-type]
    aadd_facts = asynchronous(add_facts)
    async_sync = asynchronous(sync)
    adelete = asynchronous(delete)  # type: ignore[arg-type]
    adelete_nodes = asynchronous(delete_nodes)  # type: ignore[arg-type]
    aclear = asynchronous(clear)  # type: ignore[arg-type]
    aget_nodes = asynchronous(get_nodes)  # type: ignore[arg-type]
    aquery = asynchronous(query)  # type: ignore[arg-type]


_SERIALISED = tuple(name for name in TemporalVectorStore.model_fields if name in Options.__dataclass_fields__)
_FIXED = ("stores_text", "flat_metadata", "is_embedding_query", "class_name")
_STOCK = ("chroma_collection", *(n for n in ChromaVectorStore.model_fields if n not in _FIXED))


def _without_fixed(kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what comes back from to_dict and cannot be chosen."""
    return {name: value for name, value in kwargs.items() if name not in _FIXED}


def _embedded(nodes: Sequence[BaseNode], model: Any) -> list[Any]:
    """Return vectors of what embedding models see of nodes."""
    texts = [n.get_content(metadata_mode=MetadataMode.EMBED) for n in nodes]
    return list(model.get_text_embedding_batch(texts)) if texts else []


def _open(persist_dir: str, collection_name: str | None, collection_kwargs: Mapping[str, Any] | None) -> Any:
    if not collection_name:
        raise InvalidInputError("persist_dir= needs collection_name= too, or give chroma_collection=")
    client = chromadb.PersistentClient(path=persist_dir)
    return client.get_or_create_collection(name=collection_name, **(collection_kwargs or {}))


def _result(found: Mapping[str, Any], rows: Sequence[int]) -> VectorStoreQueryResult:
    """Return the chosen rows of a query's first answer as LlamaIndex wants them."""
    ids, texts, metadatas, distances = (found[n][0] for n in ("ids", "documents", "metadatas", "distances"))
    return VectorStoreQueryResult(
        nodes=[node_of(ids[n], texts[n], metadatas[n]) for n in rows],
        similarities=[math.exp(-distances[n]) for n in rows],
        ids=[ids[n] for n in rows],
    )
