"""Retrieval memory that knows time: a drop-in for Chroma in LangChain and LlamaIndex.

Importing this package loads no framework, no chromadb and no torch; the public names below
come when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "Changes": "memstrata_integrations.history",
    "Fact": "memstrata_integrations.facts",
    "GrammarExtractor": "memstrata_integrations.extraction",
    "LLMExtractor": "memstrata_integrations.extraction",
    "SupersessionPolicy": "memstrata_integrations.policy",
    "TemporalCollection": "memstrata_integrations.collection",
    "Timeline": "memstrata_integrations.history",
    "as_of": "memstrata_integrations.context",
    "default_embeddings": "memstrata_integrations.embeddings",
    "git_facts": "memstrata_integrations.git_history",
    "pack": "memstrata_integrations.packing",
    "record_git_facts": "memstrata_integrations.git_history",
    "repair": "memstrata_integrations._repairing",
}

__all__ = [
    "Changes",
    "Fact",
    "GrammarExtractor",
    "LLMExtractor",
    "SupersessionPolicy",
    "TemporalCollection",
    "Timeline",
    "__version__",
    "as_of",
    "default_embeddings",
    "git_facts",
    "pack",
    "record_git_facts",
    "repair",
]

if TYPE_CHECKING:
    from memstrata_integrations._repairing import repair
    from memstrata_integrations.collection import TemporalCollection
    from memstrata_integrations.context import as_of
    from memstrata_integrations.embeddings import default_embeddings
    from memstrata_integrations.extraction import GrammarExtractor, LLMExtractor
    from memstrata_integrations.facts import Fact
    from memstrata_integrations.git_history import git_facts, record_git_facts
    from memstrata_integrations.history import Changes, Timeline
    from memstrata_integrations.packing import pack
    from memstrata_integrations.policy import SupersessionPolicy


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
