"""The LlamaIndex retriever that can ask about the past."""

from collections.abc import Mapping
from typing import Any

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.callbacks.base import CallbackManager
from llama_index.core.constants import DEFAULT_SIMILARITY_TOP_K
from llama_index.core.indices.vector_store.base import VectorStoreIndex
from llama_index.core.indices.vector_store.retrievers import VectorIndexRetriever
from llama_index.core.vector_stores.types import MetadataFilters, VectorStoreQueryMode, VectorStoreQueryResult

from memstrata_integrations.chroma.surface import TimeSurface
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.ledger.time import Instant, to_instant


class TemporalRetriever(VectorIndexRetriever):
    """Vector index retriever that can ask about the past.

    Args:
        index (VectorStoreIndex): an index on a `TemporalVectorStore`.
        similarity_top_k (int): number of top k results to return.
        as_of: Valid time that is asked about; by default what `with as_of(t):` says, else now.
        known_at: Answer what a reader at this transaction time was answered.
        include_superseded (bool): Return what is not valid, too.
        scope (Optional[dict]): Values of the store's scope fields.
        vector_store_kwargs (Optional[dict]): As in `VectorIndexRetriever`, as are the arguments that are not named
            here; ``as_of`` and the others above go before what is in it.

    Examples:
        ```python
        retriever = TemporalRetriever(index, similarity_top_k=3, as_of="2024-03-01")
        nodes = retriever.retrieve("Which port does the API use?")
        ```
    """

    def __init__(
        self,
        index: VectorStoreIndex,
        similarity_top_k: int = DEFAULT_SIMILARITY_TOP_K,
        vector_store_query_mode: VectorStoreQueryMode = VectorStoreQueryMode.DEFAULT,
        filters: MetadataFilters | None = None,
        alpha: float | None = None,
        node_ids: list[str] | None = None,
        doc_ids: list[str] | None = None,
        sparse_top_k: int | None = None,
        hybrid_top_k: int | None = None,
        callback_manager: CallbackManager | None = None,
        object_map: dict[str, Any] | None = None,
        embed_model: BaseEmbedding | None = None,
        verbose: bool = False,
        *,
        as_of: Instant | None = None,
        known_at: Instant | None = None,
        include_superseded: bool = False,
        scope: Mapping[str, Any] | None = None,
        vector_store_kwargs: Mapping[str, Any] | None = None,
    ) -> None:
        if not isinstance(index.vector_store, TimeSurface):
            raise InvalidInputError(
                f"TemporalRetriever needs an index on a TemporalVectorStore, got {type(index.vector_store).__name__}"
            )
        asked = dict(vector_store_kwargs or {})
        given = {"as_of": as_of, "known_at": known_at, "scope": scope, "include_superseded": include_superseded or None}
        asked.update({name: value for name, value in given.items() if value is not None})
        for name in ("as_of", "known_at"):
            if asked.get(name) is not None:
                to_instant(asked[name], name=name)
        super().__init__(
            index, similarity_top_k, vector_store_query_mode, filters, alpha, node_ids, doc_ids, sparse_top_k,
            hybrid_top_k, callback_manager or index._callback_manager, object_map or index._object_map, embed_model,
            verbose, vector_store_kwargs=asked,
        )  # fmt: skip

    def _determine_nodes_to_fetch(self, query_result: VectorStoreQueryResult) -> list[str]:
        """Leave index and image nodes as the store served them: the docstore's copies know of no time."""
        return []
