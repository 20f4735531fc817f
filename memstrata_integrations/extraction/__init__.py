"""Extractors: what a text states, as facts."""

from __future__ import annotations

from memstrata_integrations.extraction.grammar import GrammarExtractor
from memstrata_integrations.facts import Extraction, Extractor, Fact

__all__ = ["Extraction", "Extractor", "Fact", "GrammarExtractor"]
