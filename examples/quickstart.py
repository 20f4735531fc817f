"""Swap one import, and stale facts are gone.

    pip install 'memstrata-integrations[langchain]'
    python examples/quickstart.py

Needs no network and no language model.
"""

from langchain_chroma import Chroma

from memstrata_integrations.embeddings import default_embeddings
from memstrata_integrations.langchain import TemporalVectorStore  # the import to swap

embeddings = default_embeddings()
print(f"embedding: {embeddings.name}\n")

stock = Chroma("quickstart-stock", embedding_function=embeddings)
store = TemporalVectorStore("quickstart", embedding_function=embeddings)  # same constructor, same methods

# The same texts go into both, in the order in which they became true.
facts = [
    ("2022-09-01", "The billing API listens on port 8080."),
    ("2022-10-24", "The latest stable version of Python is 3.11."),
    ("2023-10-02", "The latest stable version of Python is 3.12."),
    ("2024-01-15", "The billing API listens on port 8443."),
    ("2024-10-07", "The latest stable version of Python is 3.13."),
]
texts = [text for _, text in facts]
dates = [date for date, _ in facts]

stock.add_texts(texts)
store.add_texts(texts, valid_from=dates)  # without dates, the order of writing counts

question = "What is the latest stable version of Python?"
print(question)
print("  stock Chroma:        ", [d.page_content for d in stock.similarity_search(question, k=2)])
print("  TemporalVectorStore: ", [d.page_content for d in store.similarity_search(question, k=2)])
print("  as of 2023-12-24:    ", [d.page_content for d in store.similarity_search(question, k=1, as_of="2023-12-24")])

# A retriever is a retriever: use it in the chain you have.
retriever = store.as_retriever(search_kwargs={"k": 1})
question = "Which port does the billing API listen on?"
print(f"\n{question}")
print("  now:                 ", retriever.invoke(question)[0].page_content)
print("  as of 2023-06-01:    ", retriever.invoke(question, as_of="2023-06-01")[0].page_content)

# Nothing was deleted: what was true when is still known.
print("\nHistory")
print(store.history("The latest stable version of Python"))

# Something can also end without a successor.
store.retract("The billing API", "listens on", at="2025-06-30")
print("\nAfter the retraction:", [d.page_content for d in store.similarity_search(question, k=5)])
