"""Extractors: what a text states, as facts."""

from __future__ import annotations

from memstrata_integrations.extraction.chain import ChainExtractor
from memstrata_integrations.extraction.grammar import GrammarExtractor
from memstrata_integrations.extraction.llm import LLMExtractor
from memstrata_integrations.extraction.sources import SourceExtractor
from memstrata_integrations.facts import Extraction, Extractor, Fact

__all__ = [
    "ChainExtractor",
    "Extraction",
    "Extractor",
    "Fact",
    "GrammarExtractor",
    "LLMExtractor",
    "SourceExtractor",
]
