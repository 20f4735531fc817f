"""A small embedding for the conformance tests: no model, no network, the same on every machine."""

import hashlib
import math
import re
from functools import cache
from typing import Any

import numpy as np
from langchain_core.embeddings import Embeddings

_WORD = re.compile(r"\w+")


@cache
def _features(word: str, dimensions: int) -> tuple[tuple[int, float], ...]:
    """Return (axis, signed weight) of a word and of its character trigrams.

    Every feature has a weight of its own, so two different texts are hardly ever equally far from a third.
    """
    padded = f"<{word}>"
    grams = [(word, 1.0)] + [(padded[i : i + 3], 0.25) for i in range(len(padded) - 2)]
    features = []
    for gram, weight in grams:
        digest = int.from_bytes(hashlib.blake2b(gram.encode("utf-8", "replace"), digest_size=8).digest(), "big")
        weight *= 0.75 + (digest >> 32 & 0xFFFF) / 0x20000
        features.append((digest % dimensions, weight if digest >> 63 else -weight))
    return tuple(features)


class LexicalEmbeddings(Embeddings):
    """Hashed words and character trigrams, normalised to length one: float lists, ``(n, dimensions)``."""

    def __init__(self, dimensions: int = 64) -> None:
        self.dimensions = dimensions

    def embed_query(self, text: str) -> list[float]:
        """Embed one text; texts that share words come out close."""
        vector = [0.0] * self.dimensions
        for word in _WORD.findall(text.lower()):
            for axis, weight in _features(word, self.dimensions):
                vector[axis] += weight
        length = math.sqrt(sum(value * value for value in vector))
        if not length:
            return [1.0] + [0.0] * (self.dimensions - 1)
        return [value / length for value in vector]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Embed texts one by one: a text's vector doesn't depend on its neighbours in the batch."""
        return [self.embed_query(text) for text in texts]


class Counting(LexicalEmbeddings):
    """Keeps the texts and the questions that it was asked to embed."""

    def __init__(self) -> None:
        super().__init__()
        self.embedded: list[str] = []
        self.asked: list[str] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.embedded += texts
        return LexicalEmbeddings().embed_documents(texts)

    def embed_query(self, text: str) -> list[float]:
        self.asked.append(text)
        return super().embed_query(text)


class ForChroma:
    """`Counting` as chromadb wants it."""

    def __init__(self) -> None:
        self.counted = Counting()

    @staticmethod
    def name() -> str:
        return "for-chroma"

    def __call__(self, input: list[str]) -> list[Any]:
        return [np.asarray(v, dtype=np.float32) for v in self.counted.embed_documents(list(input))]

    def embed_query(self, input: list[str]) -> list[Any]:
        return [np.asarray(self.counted.embed_query(t), dtype=np.float32) for t in input]
