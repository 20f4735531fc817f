"""The embeddings of a run: by name, and each text once."""

import numpy as np
import pytest
from langchain_core.embeddings import Embeddings

from eval.models import embedder
from eval.models.embedders import CachedEmbeddings
from memstrata_integrations.embeddings import LexicalEmbeddings, NamedEmbeddings
from memstrata_integrations.errors import InvalidInputError

TEXTS = ["The mailer listens on port 25.", "", "The mailer listens on port 25.", "Ünïcode 🙂"]


class Counting(NamedEmbeddings):
    name = "counting"

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[list[str]] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.asked.append(texts)
        return [[float(len(text)), 1.0] for text in texts]


def test_a_text_is_embedded_once_in_batches_and_each_answer_is_a_list_of_its_own() -> None:
    source = Counting()
    cached = CachedEmbeddings(source)
    assert cached.embed_documents(["aa", "b", "aa"]) == [[2.0, 1.0], [1.0, 1.0], [2.0, 1.0]]
    cached.embed_query("aa").append(7.0)
    assert [cached.embed_query("b"), cached.embed_query("aa")] == [[1.0, 1.0], [2.0, 1.0]]
    assert cached.embed_documents(["b", "ccc"]) == [[1.0, 1.0], [3.0, 1.0]]
    assert source.asked == [["aa", "b"], ["ccc"]]
    assert cached.embed_documents([]) == []
    cached.embed_documents([str(n) for n in range(600)])
    assert [len(batch) for batch in source.asked[2:]] == [256, 256, 88]


def test_the_lexical_embedding_is_the_built_in_one() -> None:
    found = embedder("lexical")
    assert isinstance(found, Embeddings)
    assert found.name == LexicalEmbeddings().name
    assert np.allclose(found.embed_documents(TEXTS), LexicalEmbeddings().embed_documents(TEXTS), atol=1e-7)
    assert embedder("lexical") is found


@pytest.mark.parametrize("name", ["", "minilm2", "ollama:", "openai:ada"])
def test_an_unknown_embedding_is_refused(name: str) -> None:
    with pytest.raises(InvalidInputError, match="lexical, minilm, ollama:<model>"):
        embedder(name)
