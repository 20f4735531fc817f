"""LangChain's door: a vector store, a retriever and a packer that know time."""

from memstrata_integrations.langchain import Packer, TemporalRetriever, TemporalVectorStore

__all__ = ["Packer", "TemporalRetriever", "TemporalVectorStore"]
