"""LlamaIndex's queries, answered by a wrapped collection."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from llama_index.core.indices.query.embedding_utils import get_top_k_mmr_embeddings
from llama_index.core.vector_stores.types import VectorStoreQuery, VectorStoreQueryMode, VectorStoreQueryResult

from memstrata_integrations.chroma.arguments import read_ids
from memstrata_integrations.chroma.surface import TimeSurface
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.llama_index.nodes import REF_DOC, node_of, where_of

_PREFETCH = 4.0
_MODES = (VectorStoreQueryMode.DEFAULT, VectorStoreQueryMode.MMR)


def answer(store: TimeSurface, query: VectorStoreQuery, **kwargs: Any) -> VectorStoreQueryResult:
    """Return the nodes that are nearest to a query; see `TemporalVectorStore.query`."""
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
    where = (kwargs.pop("where", None) or None) if query.filters is None else where_of(query.filters)
    if query.doc_ids:
        documents = {REF_DOC: {"$in": read_ids(query.doc_ids)}}
        where = documents if not where else {"$and": [where, documents]}
    by_mmr, vector = query.mode == VectorStoreQueryMode.MMR, query.query_embedding
    if vector is None or len(vector) == 0:
        if by_mmr:
            raise InvalidInputError("query mode 'mmr' needs a query embedding")
        return listed(store, query.similarity_top_k, where, **kwargs)
    if by_mmr:
        return _by_mmr(store, query, where, **kwargs)
    collection, wanted = store.temporal_collection, query.similarity_top_k
    found = collection.query(query_embeddings=vector, n_results=wanted, where=where, **kwargs)
    return _result(found, range(len(found["ids"][0])))


def _by_mmr(
    store: TimeSurface, query: VectorStoreQuery, where: dict[str, Any] | None, **kwargs: Any
) -> VectorStoreQueryResult:
    threshold = kwargs.pop("mmr_threshold", None)
    factor, prefetch = kwargs.pop("mmr_prefetch_factor", None), kwargs.pop("mmr_prefetch_k", None)
    if threshold is not None and (not isinstance(threshold, (int, float)) or not 0 <= threshold <= 1):
        raise InvalidInputError("mmr_threshold must be a float between 0 and 1")
    if factor is not None and prefetch is not None:
        raise InvalidInputError("'mmr_prefetch_factor' and 'mmr_prefetch_k' cannot coexist in a call to query()")
    k = query.similarity_top_k
    wanted = int(prefetch) if prefetch is not None else int(k * (_PREFETCH if factor is None else factor))
    kwargs["include"] = ["embeddings", "documents", "metadatas", "distances"]
    vector: Any = query.query_embedding
    found = store.temporal_collection.query(query_embeddings=vector, n_results=max(wanted, k), where=where, **kwargs)
    rows = list(range(len(found["ids"][0])))
    if len(rows) >= k:  # stock chooses nothing where there is nothing to choose from
        vectors = list(found["embeddings"][0])
        _, rows = get_top_k_mmr_embeddings(
            vector, vectors, similarity_top_k=k, embedding_ids=rows, mmr_threshold=threshold
        )
    return _result(found, rows)


def listed(
    store: TimeSurface, limit: int | None, where: dict[str, Any] | None, **kwargs: Any
) -> VectorStoreQueryResult:
    """Return the nodes of an id or a filter."""
    found = store.temporal_collection.get(limit=limit, where=where, **kwargs)
    rows = zip(found["ids"], found["documents"], found["metadatas"], strict=True)
    return VectorStoreQueryResult(nodes=[node_of(*row) for row in rows], ids=list(found["ids"]))


def _result(found: Mapping[str, Any], rows: Sequence[int]) -> VectorStoreQueryResult:
    """Return the chosen rows of a query's first answer as LlamaIndex wants them."""
    ids, texts, metadatas, distances = (found[n][0] for n in ("ids", "documents", "metadatas", "distances"))
    return VectorStoreQueryResult(
        nodes=[node_of(ids[n], texts[n], metadatas[n]) for n in rows],
        similarities=[math.exp(-distances[n]) for n in rows],
        ids=[ids[n] for n in rows],
    )
