"""LlamaIndex's door: a vector store, a retriever and postprocessors that know time."""

from memstrata_integrations.llama_index.store import (
    DefaultEmbedding,
    PackPostprocessor,
    TemporalPostprocessor,
    TemporalRetriever,
    TemporalVectorStore,
    as_of,
)

__all__ = [
    "DefaultEmbedding",
    "PackPostprocessor",
    "TemporalPostprocessor",
    "TemporalRetriever",
    "TemporalVectorStore",
    "as_of",
]
