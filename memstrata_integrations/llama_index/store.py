"""The LlamaIndex front door: `ChromaVectorStore` that keeps facts valid in time."""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from memstrata_integrations.errors import InvalidInputError, MissingDependencyError

try:
    from llama_index.core.base.embeddings.base import BaseEmbedding
    from llama_index.core.bridge.pydantic import PrivateAttr
    from llama_index.core.schema import BaseNode, Document, TextNode
    from llama_index.core.vector_stores.types import MetadataFilters, VectorStoreQuery, VectorStoreQueryResult
    from llama_index.vector_stores.chroma import ChromaVectorStore
except ImportError as error:
    raise MissingDependencyError(
        "memstrata_integrations.llama_index needs llama-index-vector-stores-chroma: "
        "pip install 'memstrata-integrations[llama-index]'"
    ) from error

import chromadb
from typing_extensions import Unpack, override

from memstrata_integrations.chroma.arguments import one_each, read_flag, read_id, read_ids, read_list, read_scope
from memstrata_integrations.chroma.callers import asynchronous
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.chroma.embedding import embedder
from memstrata_integrations.chroma.explicit import sentence_of, stated
from memstrata_integrations.chroma.fields import NODE_FIELDS
from memstrata_integrations.chroma.intake import read_further, read_metadata
from memstrata_integrations.chroma.plan import Item
from memstrata_integrations.chroma.session import Session
from memstrata_integrations.chroma.surface import TimeSurface
from memstrata_integrations.chroma.syncing import sync
from memstrata_integrations.ledger.changes import Changes
from memstrata_integrations.ledger.facts import Fact
from memstrata_integrations.ledger.time import Instant
from memstrata_integrations.llama_index.embedding import embedded, model_of, vectors_at
from memstrata_integrations.llama_index.nodes import REF_DOC, columns, ids_of_document, origin_of, uncut, where_of
from memstrata_integrations.llama_index.queries import answer, listed
from memstrata_integrations.options import OptionFields, Options, RankRedacted, ReadFields, Stale, refuse_unknown


class TemporalVectorStore(TimeSurface, ChromaVectorStore):
    """Chroma vector store that keeps facts valid in time.

    Same constructor, same methods and same results as `llama_index.vector_stores.chroma.ChromaVectorStore` on
    knowledge that does not change. When a node gives a known (subject, relation) another object, what said so before
    is retired from every read and kept in a ledger. When a document is inserted again with other content, the nodes
    of its older version are retired. Every read takes the keywords of `options.ReadFields` (``as_of``, ...). Besides
    the asynchronous methods of stock there are `aadd_facts` and `async_sync`.

    Args:
        chroma_collection (chromadb.api.models.Collection.Collection): ChromaDB collection instance
        collection_name, host, port, ssl, headers, persist_dir, collection_kwargs:
            As in `ChromaVectorStore`, used when no collection is given.
        embed_model (Optional[BaseEmbedding]): The model that the index embeds with. With it, a node of
            which statements were taken out is ranked by what is left of it; `sync` and `repair` embed with it, too.
        options: As keywords, those of `memstrata_integrations.options.Options`.

    Examples:
        ```python
        # pip install 'memstrata-integrations[llama-index]'
        import chromadb
        from llama_index.core import Document, VectorStoreIndex
        from memstrata_integrations.llama_index import DefaultEmbedding, TemporalVectorStore

        chroma_collection = chromadb.EphemeralClient().create_collection("example_collection")
        vector_store = TemporalVectorStore(chroma_collection=chroma_collection)
        index = VectorStoreIndex.from_vector_store(vector_store, embed_model=DefaultEmbedding())

        index.insert(Document(text="The API port is 8080."), valid_from="2024-01-01")
        index.insert(Document(text="The API port is 9090."), valid_from="2024-06-01")

        # What holds now, and what held on 1 March
        query_engine = index.as_query_engine(vector_store_query_mode="mmr", vector_store_kwargs={"mmr_threshold": 0.5})
        past_engine = index.as_query_engine(vector_store_kwargs={"as_of": "2024-03-01"})
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
    def from_collection(cls, collection: Any, **kwargs: Any) -> "TemporalVectorStore":
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
    ) -> "TemporalVectorStore":
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

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> "TemporalVectorStore":
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
            nodes: Sequence[BaseNode]: nodes with embeddings. A known id with other content is a new version of that
                node; nodes of a known document with another source hash retire what its older version held.
            valid_from: From when the nodes hold: one instant, or one for each node. It comes through
                `index.insert(doc, valid_from=...)` and the other ways to insert.
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
            self._session.did_nothing()
            return []
        items = self._read_nodes(listed, True, valid_from=valid_from, valid_to=valid_to, **fields)
        return list(self._session.write(items).ids)

    def _read_nodes(self, nodes: Sequence[BaseNode], embedded: bool, **told: Any) -> list[Item]:
        items = self._session.read(**{**columns(nodes, flat=self.flat_metadata, embedded=embedded), **told})
        for item, node in zip(items, nodes, strict=True):
            item.origin = origin_of(node)
        return items

    @override
    def _read_texts(self, texts: Any, **told: Any) -> list[Item]:
        """Check texts, nodes, or documents, each of which is taken as one node; see `plan`."""
        alone = isinstance(texts, BaseNode) or hasattr(texts, "page_content")
        listed = [texts] if alone else read_list("texts", texts)
        if not any(isinstance(t, BaseNode) for t in listed):
            return super()._read_texts(listed, **told)
        nodes = [uncut(t) if isinstance(t, Document) else t for t in listed]
        return self._read_nodes(nodes, False, **{name: value for name, value in told.items() if value is not None})

    def add_facts(
        self,
        facts: Fact | Sequence[Fact],
        *,
        ids: list[str] | None = None,
        metadatas: list[dict[str, Any]] | None = None,
        embed_model: BaseEmbedding | None = None,
        scope: Mapping[str, Any] | None = None,
        **add_kwargs: Any,
    ) -> list[str]:
        """Write facts that you state outright, each as a node of its own; return their ids.

        Like `TemporalCollection.add_facts`; `embed_model`, by default the store's, embeds their sentences.
        """
        listed = stated(facts)
        model = model_of(embed_model, self._embed_model)
        if model is None and listed:
            raise InvalidInputError("there is nothing to embed the facts with; give embed_model= here, or to the store")
        nodes = [TextNode(text=sentence_of(f, self._options.fact_template)) for f in listed]
        given, named = one_each("metadatas", metadatas, len(listed), Mapping), one_each("ids", ids, len(listed))
        for n, (node, metadata, row_id) in enumerate(zip(nodes, given, named, strict=True)):
            node.metadata = {**read_scope(scope), **(read_metadata(metadata, n) or {})}
            node.id_ = node.node_id if row_id is None else read_id(row_id, f"id {n}")
        found = columns(nodes, flat=self.flat_metadata, embedded=False)
        told = {"ids": found["ids"], "metadatas": found["metadatas"], "embeddings": embedded(nodes, model)}
        return list(self._collection.add_facts(listed, **told, **add_kwargs).ids)

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
            valid_from, scope: As there.

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
            if metadata[REF_DOC] == "None":  # stock's mark of a node without a source
                metadata.update(dict.fromkeys(NODE_FIELDS[2:], ref_doc_id))
        embed = partial(vectors_at, listed, model_of(embed_model, self._embed_model))
        told: dict[str, Any] = {**found, "embed": embed, "field": REF_DOC, "valid_from": valid_from, "scope": scope}
        return sync(self._session, ref_doc_id, **told, match_ids=False)

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
        found = self._session.lookup.ids_within(ids_of_document(self._session.lookup, wanted), named)
        if found and read_flag("purge", purge):
            self._collection.purge(found)
        elif found:
            self._collection.delete(ids=found)

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
        found = self._session.matching(node_ids, where, None, None, purge=True)
        if found:
            self._collection.purge(found, scope=scope)

    @override
    def clear(self) -> None:
        """Clear the collection: every node goes for good, history included; with ``on_delete="retire"`` each ends."""
        nodes = self._session.lookup.document_ids(self._session.lookup.collection.get(include=[])["ids"])
        if nodes and self._session.options.on_delete == "retire":
            self._collection.delete(ids=nodes)
        elif nodes:
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
        refuse_unknown("get_nodes", asked, ReadFields.__annotations__, ReadFields.__annotations__)
        ids = None if node_ids is None else read_ids(node_ids) or None
        return listed(self, None, where_of(filters), ids=ids, **asked).nodes  # type: ignore[return-value]

    @override
    def query(self, query: VectorStoreQuery, **kwargs: Any) -> VectorStoreQueryResult:
        """Query index for top k most similar nodes that are valid.

        Args:
            query (VectorStoreQuery): As in stock, in mode default or MMR; only nodes of its doc_ids (which stock
                ignores) are searched. Without an embedding nodes are listed.
            **kwargs: As in `ChromaVectorStore.query`: ``where``, ``where_document``, for MMR mode
                ``mmr_threshold``, ``mmr_prefetch_factor``, ``mmr_prefetch_k``; and those of `options.ReadFields`

        Returns:
            VectorStoreQueryResult: matched nodes, similarities (``exp(-distance)``) and ids.
        """
        return answer(self, query, **kwargs)

    async_add = asynchronous(add, "async_add")  # type: ignore[arg-type]
    aadd_facts = asynchronous(add_facts)
    async_sync = asynchronous(sync, "async_sync")
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


def _open(persist_dir: str, collection_name: str | None, collection_kwargs: Mapping[str, Any] | None) -> Any:
    if not collection_name:
        raise InvalidInputError("persist_dir= needs collection_name= too, or give chroma_collection=")
    client = chromadb.PersistentClient(path=persist_dir)
    return client.get_or_create_collection(name=collection_name, **(collection_kwargs or {}))
