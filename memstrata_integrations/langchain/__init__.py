"""LangChain's door: a vector store, a retriever and a packer that know time."""

from memstrata_integrations.langchain.store import Packer, TemporalRetriever, TemporalVectorStore

__all__ = ["Packer", "TemporalRetriever", "TemporalVectorStore"]
