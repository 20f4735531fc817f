"""Let a local language model read what the grammar cannot, and see which fact it retires.

    pip install 'memstrata-integrations[langchain,ollama]'
    ollama pull qwen2.5-coder:7b
    python examples/llm_extractor.py --model qwen2.5-coder:7b --base-url http://127.0.0.1:11434

The grammar reads plain sentences without a model. Free prose it leaves alone, and only that is put
to the model. What the model says counts as far as the sentence says it too: a value that does not
stand there word for word, a subject of other words, a relation that nothing in the sentence says are
refused, with the reason, and counted.
"""

import argparse
import sys

from langchain_ollama import ChatOllama

from memstrata_integrations.embeddings import LexicalEmbeddings
from memstrata_integrations.errors import MemstrataError
from memstrata_integrations.extraction import GrammarExtractor
from memstrata_integrations.extraction.llm import LLMExtractor
from memstrata_integrations.langchain import TemporalVectorStore

options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
options.add_argument("--model", default="qwen2.5-coder:7b", help="a model that the server has (%(default)s)")
options.add_argument("--base-url", default="http://127.0.0.1:11434", help="where Ollama answers (%(default)s)")
options.add_argument("--cache", help="a file that keeps answers for the next run")
given = options.parse_args()

# Temperature 0 and a seed: the same text gives the same facts. The JSON schema goes along by itself.
chat = ChatOllama(
    model=given.model,
    base_url=given.base_url,
    temperature=0,
    seed=0,
    client_kwargs={"trust_env": False, "timeout": 120},
)
# on_error="raise": here a missing server is an error. By default the text would be stored as prose.
model = LLMExtractor(chat, cache=given.cache, retries=0, on_error="raise")
store = TemporalVectorStore(
    "llm-extractor", embedding_function=LexicalEmbeddings(), extractor=GrammarExtractor() | model
)

texts = [
    ("2024-03-01", "The billing team's connect timeout is 30 seconds."),
    ("2024-09-01", "Over in the billing team they have settled on 45 seconds as the connect timeout."),
    ("2024-10-01", "Should the billing team's connect timeout be 60 seconds?"),
]
try:
    for date, text in texts:
        store.add_texts([text], valid_from=date)
        print(f"{date}  {text}")
        for change in store.last_changes.changes:
            print(f"            {change.kind}: {change.old} -> {change.new}")
except MemstrataError as error:
    sys.exit(f"{error}\nIs `ollama serve` running at {given.base_url}, and has it {given.model} (`ollama pull`)?")

question = "What is the connect timeout of the billing team?"
print(f"\n{question}")
# k=2: a stored question states nothing and is not retired, and it may lie nearest to the one asked here
print("  now:             ", [d.page_content for d in store.similarity_search(question, k=2)])
print("  as of 2024-05-01:", [d.page_content for d in store.similarity_search(question, k=2, as_of="2024-05-01")])
print("\nWhat the model did:", dict(+model.stats))
