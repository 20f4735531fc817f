"""Swap `ChromaVectorStore`, edit nothing else: an index over facts that change.

Run ``python examples/quickstart_llama_index.py``; it needs no network and no model.
"""

from __future__ import annotations

import chromadb
from llama_index.core import Document, Settings, VectorStoreIndex
from llama_index.core.llms import MockLLM

from memstrata_integrations.llama_index import DefaultEmbedding, TemporalRetriever, TemporalVectorStore

QUESTION = "On which port does the billing API listen?"


def main() -> None:
    """Insert a page in two revisions, and ask for now and for March."""
    Settings.llm = MockLLM()  # repeats its prompt, so that the context can be seen
    collection = chromadb.EphemeralClient().create_collection("operations", embedding_function=None)
    store = TemporalVectorStore(chroma_collection=collection)
    index = VectorStoreIndex.from_vector_store(store, embed_model=DefaultEmbedding(prefer="lexical"))

    page = "The billing API listens on port 8080. Deploys happen on Monday."
    index.insert(Document(text=page, id_="runbook"), valid_from="2024-01-01")
    index.insert(Document(text=page.replace("8080", "9090"), id_="runbook"), valid_from="2024-06-01")

    print("now:     ", *(n.text for n in index.as_retriever().retrieve(QUESTION)))
    print("1 March: ", *(n.text for n in TemporalRetriever(index, as_of="2024-03-01").retrieve(QUESTION)))
    print("a query engine for 1 March:")
    print(index.as_query_engine(vector_store_kwargs={"as_of": "2024-03-01"}).query(QUESTION))
    print(store.history("billing API"))


if __name__ == "__main__":
    main()
