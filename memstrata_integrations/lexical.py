"""The common form of this package's embeddings, and one that needs nothing but numpy."""

import asyncio
import math
import re
import unicodedata
import zlib
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from memstrata_integrations.errors import InvalidInputError

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings as _EmbeddingsBase
else:
    _EmbeddingsBase = object

__all__ = ["LexicalEmbeddings", "NamedEmbeddings"]

_TOKEN = re.compile(r"[^\W_]+(?:[._:/@+\-][^\W_]+)*")
_PART = re.compile(r"[^\W_]+")
_STOP_WORDS = frozenset(
    """a an and are as at be by did do does for from had has have how i in is it its of on or our that the their this to
    was we were what when where which who whom whose why will with you your""".split()
)
_STOP_WEIGHT, _PART_WEIGHT, _GRAM_WEIGHT = 0.1, 0.6, 0.3


class NamedEmbeddings(_EmbeddingsBase):
    """LangChain-compatible embeddings with an identity that can be recorded beside the vectors.

    Attributes:
        name: Equal names mean vectors that can be compared, in any process on any machine.
    """

    name: str

    def __init__(self) -> None:
        _register_with_langchain()

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return one L2-normalised vector for each text, in order; an empty list for no texts."""
        raise NotImplementedError

    def embed_query(self, text: str) -> list[float]:
        """Return the L2-normalised vector of one text."""
        return self.embed_documents([text])[0]

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return what `embed_documents` does, from a thread of its own."""
        return await asyncio.to_thread(self.embed_documents, texts)

    async def aembed_query(self, text: str) -> list[float]:
        """Return what `embed_query` does, from a thread of its own."""
        return await asyncio.to_thread(self.embed_query, text)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"


@lru_cache(maxsize=1)
def _register_with_langchain() -> None:
    # a virtual subclass: FAISS and others ask isinstance(), and importing this module must not import LangChain
    if find_spec("langchain_core") is not None:
        from langchain_core.embeddings import Embeddings

        Embeddings.register(NamedEmbeddings)


class LexicalEmbeddings(NamedEmbeddings):
    """Hashed words and character n-grams; no model, the same vectors on every machine.

    Words, the parts of compound words (``requirements/test.txt``) and their character 3- and 4-grams are hashed with
    signs; a feature counts with the square root of its frequency, and question words and articles count little. It
    knows spelling, not meaning: texts are close if they share words or pieces of words.

    Args:
        dim: Length of the vectors.
    """

    def __init__(self, dim: int = 512) -> None:
        if isinstance(dim, bool) or not isinstance(dim, int) or dim < 1:
            raise InvalidInputError(f"dim={dim!r} is not a length for vectors; a positive integer such as 512 is")
        super().__init__()
        self.dim = dim
        self.name = f"lexical-{dim}-v1"

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return one vector of `dim` for each text, in order; a text without words gets a fixed one."""
        return [self._embed(text).tolist() for text in texts]

    def _embed(self, text: str) -> npt.NDArray[np.float32]:
        counts: dict[tuple[int, float], int] = {}
        for token in _TOKEN.findall(unicodedata.normalize("NFKC", text).casefold()):
            for feature in _features(token):
                counts[feature] = counts.get(feature, 0) + 1
        vector = [0.0] * self.dim
        for (code, weight), count in counts.items():
            vector[(code >> 1) % self.dim] += (weight if code & 1 else -weight) * math.sqrt(count)
        # fsum and sqrt are exactly rounded: the same bits everywhere
        length = math.sqrt(math.fsum(value * value for value in vector))
        if length == 0.0:
            vector[0] = length = 1.0
        return np.asarray([value / length for value in vector], dtype=np.float32)


@lru_cache(maxsize=1 << 15)
def _features(token: str) -> tuple[tuple[int, float], ...]:
    if token in _STOP_WORDS:
        return ((_hash("w", token), _STOP_WEIGHT),)
    features = [(_hash("w", token), 1.0)]
    parts = _PART.findall(token)
    if len(parts) > 1:
        features += [(_hash("w", part), _PART_WEIGHT) for part in parts]
    for part in parts:
        padded = f"<{part}>"
        for size in (3, 4):
            grams = (padded[start : start + size] for start in range(len(padded) - size + 1))
            features += [(_hash("g", gram), _GRAM_WEIGHT) for gram in grams]
    return tuple(features)


def _hash(kind: str, text: str) -> int:
    return zlib.crc32(f"{kind}\x00{text}".encode("utf-8", "surrogatepass"))
