"""Retrieval memory that knows time: a drop-in for Chroma in LangChain and LlamaIndex.

Importing this package loads no framework, no chromadb and no torch; the public names below
come when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "Changes": "memstrata_integrations.ledger.changes",
    "Fact": "memstrata_integrations.ledger.facts",
    "GrammarExtractor": "memstrata_integrations.extraction",
    "LLMExtractor": "memstrata_integrations.extraction",
    "SupersessionPolicy": "memstrata_integrations.ledger.policy",
    "TemporalCollection": "memstrata_integrations.chroma.collection",
    "Timeline": "memstrata_integrations.ledger.history",
    "as_of": "memstrata_integrations.context",
    "default_embeddings": "memstrata_integrations.embeddings",
    "export_history": "memstrata_integrations.chroma.exporting",
    "git_facts": "memstrata_integrations.git.facts",
    "import_history": "memstrata_integrations.chroma.importing",
    "pack": "memstrata_integrations.packing",
    "record_git_facts": "memstrata_integrations.git.facts",
    "repair": "memstrata_integrations.chroma.rebuild",
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
    "export_history",
    "git_facts",
    "import_history",
    "pack",
    "record_git_facts",
    "repair",
]

if TYPE_CHECKING:
    from memstrata_integrations.chroma.collection import TemporalCollection
    from memstrata_integrations.chroma.exporting import export_history
    from memstrata_integrations.chroma.importing import import_history
    from memstrata_integrations.chroma.rebuild import repair
    from memstrata_integrations.context import as_of
    from memstrata_integrations.embeddings import default_embeddings
    from memstrata_integrations.extraction import GrammarExtractor, LLMExtractor
    from memstrata_integrations.git.facts import git_facts, record_git_facts
    from memstrata_integrations.ledger.changes import Changes
    from memstrata_integrations.ledger.facts import Fact
    from memstrata_integrations.ledger.history import Timeline
    from memstrata_integrations.ledger.policy import SupersessionPolicy
    from memstrata_integrations.packing import pack


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
