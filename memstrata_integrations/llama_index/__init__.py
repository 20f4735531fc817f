"""LlamaIndex's door: a vector store, a retriever and postprocessors that know time."""

from memstrata_integrations.llama_index.store import TemporalVectorStore  # first, it says what is missing

# isort: split
from memstrata_integrations.context import as_of
from memstrata_integrations.llama_index.embedding import DefaultEmbedding
from memstrata_integrations.llama_index.postprocessors import PackPostprocessor, TemporalPostprocessor
from memstrata_integrations.llama_index.retriever import TemporalRetriever

__all__ = [
    "DefaultEmbedding",
    "PackPostprocessor",
    "TemporalPostprocessor",
    "TemporalRetriever",
    "TemporalVectorStore",
    "as_of",
]
