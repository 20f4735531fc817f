"""Extractors: what a text states, as facts."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from memstrata_integrations.extraction.chain import ChainExtractor
from memstrata_integrations.extraction.grammar import GrammarExtractor
from memstrata_integrations.extraction.relations import Relation
from memstrata_integrations.ledger.facts import Extraction, Extractor, Fact, KeyedFact

__all__ = [
    "ChainExtractor", "Extraction", "Extractor", "Fact", "GrammarExtractor", "KeyedFact", "LLMExtractor", "Relation",
]  # fmt: skip

if TYPE_CHECKING:
    from memstrata_integrations.extraction.llm import LLMExtractor


def __getattr__(name: str) -> Any:
    if name == "LLMExtractor":  # loaded when it is asked for: it brings pydantic along
        return import_module("memstrata_integrations.extraction.llm").LLMExtractor
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
