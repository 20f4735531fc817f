"""Embeddings of a run: each text is embedded once a process, in batches, whichever condition asks."""

import os
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from memstrata_integrations import default_embeddings
from memstrata_integrations.embeddings import NamedEmbeddings, OllamaModelEmbeddings
from memstrata_integrations.errors import InvalidInputError, MissingDependencyError

EMBEDDERS = ("lexical", "minilm", "ollama:<model>")
_BATCH = 256  # texts in one call


class CachedEmbeddings(NamedEmbeddings):
    """Embeddings that remember every vector, as float32; memory grows by 4 bytes a dimension and text.

    Args:
        source: What makes the vectors.
    """

    def __init__(self, source: NamedEmbeddings) -> None:
        super().__init__()
        self.name = source.name
        self._source = source
        self._known: dict[str, npt.NDArray[np.float32]] = {}

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return one vector for each text, in order."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        for start in range(0, len(new), _BATCH):
            batch = new[start : start + _BATCH]
            try:
                vectors = np.asarray(self._source.embed_documents(batch), dtype=np.float32)
            except Exception as error:  # a server that went away during a run
                raise MissingDependencyError(
                    f"{self.name} gives no embedding ({type(error).__name__}: {error}); the same command goes on with "
                    "a run that stopped"
                ) from error
            self._known.update(zip(batch, vectors, strict=True))
        return [self._known[text].tolist() for text in texts]


@lru_cache
def embedder(name: str, *, base_url: str | None = None) -> CachedEmbeddings:
    """Return the embedding of a name, the same object each time.

    Args:
        name: "lexical" (built in), "minilm" (all-MiniLM-L6-v2 from this machine, its hash checked), or "ollama:" and a
            model of an Ollama server, such as "ollama:nomic-embed-text".
        base_url: Where Ollama answers; ``OLLAMA_HOST``, else http://127.0.0.1:11434.

    Raises:
        InvalidInputError: If there is no such embedding.
        MissingDependencyError: If it is not on this machine, or the server gives no vector.
    """
    kind, _, model = name.partition(":")
    if kind == "ollama" and model:
        return CachedEmbeddings(_of_server(model, base_url))
    if name == "lexical":
        return CachedEmbeddings(default_embeddings(prefer="lexical"))
    if name == "minilm":
        return CachedEmbeddings(default_embeddings(prefer="minilm"))
    raise InvalidInputError(f"there is no embedding {name!r}; accepted: {', '.join(EMBEDDERS)}")


def _of_server(model: str, base_url: str | None) -> NamedEmbeddings:
    host = base_url or os.environ.get("OLLAMA_HOST", "").strip() or "127.0.0.1:11434"
    address = host if "://" in host else f"http://{host}"
    source = OllamaModelEmbeddings(model, address)
    try:
        source.embed_query("ready")
    except Exception as error:  # whatever keeps it from answering, the run must not start
        raise MissingDependencyError(
            f"Ollama at {address} gives no embedding of {model!r} ({type(error).__name__}: {error}): "
            f"`ollama serve` starts the server, `ollama pull {model}` gets the model, --base-url says where it is"
        ) from error
    return source
