"""Ways of dates: which of the texts that stock Chroma finds near a question are shown, the newest first."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings

from eval.conditions.settings import WIDE, Settings

Found = tuple[Document, float]


@dataclass(frozen=True, slots=True)
class Newest:
    """What is kept of the texts found, each with its ``date`` in the metadata.

    Attributes:
        fetched: How many are fetched at least.
        cut: How much farther than the nearest, in cosine, one may be.
        alike: A text that is nearer than this, in cosine, to a newer one of them is dropped: the newest of each cluster
            of near-duplicates stays, the idea of LangChain's ``EmbeddingsRedundantFilter``.
        most: How many are shown at most, whatever is asked for.
    """

    fetched: int = 0
    cut: float = math.inf
    alike: float = math.inf
    most: int | None = None

    def of(self, found: Sequence[Found], k: int, embedding: Embeddings) -> list[Found]:
        """Return those that are shown, the newest first."""
        near = sorted(
            (one for one in found if one[1] <= found[0][1] + self.cut), key=lambda one: -one[0].metadata["date"]
        )
        if self.alike < math.inf:
            near = self._apart(near, embedding)
        return near[: min(k, self.most or k)]

    def _apart(self, near: Sequence[Found], embedding: Embeddings) -> list[Found]:
        kept: list[int] = []
        vectors = np.asarray(embedding.embed_documents([document.page_content for document, _ in near]))
        vectors /= np.linalg.norm(vectors, axis=-1, keepdims=True)
        for n, vector in enumerate(vectors):
            if all(vector @ vectors[other] <= self.alike for other in kept):
                kept.append(n)
        return [near[n] for n in kept]


def ways(settings: Settings) -> Mapping[str, Newest]:
    """Return the ways by the name of their condition."""
    return {
        "dated_rag": Newest(),
        "dated_wide": Newest(WIDE),
        "dated_cut": Newest(WIDE, settings.date_cut),
        "dated_one": Newest(WIDE, settings.date_cut, most=1),
        "dated_apart": Newest(WIDE, settings.date_cut, settings.too_alike),
    }
