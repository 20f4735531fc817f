"""What importing loads, and what it must not."""

import subprocess
import sys

import pytest

import memstrata_integrations

FRAMEWORKS = ("langchain_core", "langchain_chroma", "llama_index", "torch", "sentence_transformers", "tiktoken")
CORE = [
    "", ".ledger.timeline", ".ledger.rows", ".ledger.ledger", ".ledger.policy", ".extraction", ".redaction",
    ".packing", ".git", ".options", ".context", ".chroma.fields", ".chroma.explicit",
]  # fmt: skip
LIGHT = ("sentence_transformers", "tiktoken", "transformers", "huggingface_hub", "chromadb", "numpy", "pydantic")
HEAVY = (*FRAMEWORKS, "transformers", "huggingface_hub", "langchain_ollama", "chromadb", "numpy")


def loaded_by(statement: str, names: tuple[str, ...]) -> list[str]:
    code = f"import sys\n{statement}\nprint([n for n in {names!r} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    found: list[str] = eval(done.stdout)
    return found


LEXICAL = "from memstrata_integrations import default_embeddings; default_embeddings(prefer='lexical').embed_query('x')"
READ = "from memstrata_integrations.extraction import GrammarExtractor as E; E().extract(['Hello.'])"
USED: dict[str, tuple[str, tuple[str, ...]]] = {  # and what it may load
    **{f"memstrata_integrations{name}": (f"import memstrata_integrations{name}", ("pydantic",)) for name in CORE},
    "the grammar": (READ, ()),
    "a model's extractor": ("from memstrata_integrations.extraction import LLMExtractor", ("pydantic",)),
    "what embeds": ("import memstrata_integrations.embeddings", ("numpy",)),
    "the lexical embedding": (LEXICAL, ("numpy", "langchain_core", "pydantic")),
    "the collection": ("from memstrata_integrations import TemporalCollection", LIGHT),
}  # fmt: skip


@pytest.mark.parametrize("what", USED)
def test_what_is_used_loads_no_more_than_it_needs(what: str) -> None:
    """The core loads nothing heavy, the collection no framework, and an embedding none but the base of its class."""
    statement, light = USED[what]
    assert set(loaded_by(statement, (*HEAVY, "pydantic"))) <= set(light)


def test_every_public_name_comes_when_it_is_used() -> None:
    for name in memstrata_integrations.__all__:
        assert getattr(memstrata_integrations, name) is not None
        assert name in dir(memstrata_integrations)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = memstrata_integrations.nothing


def test_a_missing_extra_is_named() -> None:
    statement = (
        "import sys\nsys.modules['langchain_chroma'] = None\n"
        "try:\n    import memstrata_integrations.langchain\n"
        "except ImportError as error:\n    assert 'memstrata-integrations[langchain]' in str(error), error\n"
        "    assert type(error).__name__ == 'MissingDependencyError'\n"
        "else:\n    raise SystemExit('imported')"
    )
    assert loaded_by(statement, ("torch",)) == []
