"""Retrieval memory that knows time: a drop-in for Chroma in LangChain and LlamaIndex.

Importing this package loads no framework, no chromadb and no torch; the public names below
come when they are first used.
"""

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

__all__ = sorted([*_HOMES, "__version__"])

if TYPE_CHECKING:
    from memstrata_integrations.chroma.collection import TemporalCollection as TemporalCollection
    from memstrata_integrations.chroma.exporting import export_history as export_history
    from memstrata_integrations.chroma.importing import import_history as import_history
    from memstrata_integrations.chroma.rebuild import repair as repair
    from memstrata_integrations.context import as_of as as_of
    from memstrata_integrations.embeddings import default_embeddings as default_embeddings
    from memstrata_integrations.extraction import GrammarExtractor as GrammarExtractor
    from memstrata_integrations.extraction import LLMExtractor as LLMExtractor
    from memstrata_integrations.git.facts import git_facts as git_facts
    from memstrata_integrations.git.facts import record_git_facts as record_git_facts
    from memstrata_integrations.ledger.changes import Changes as Changes
    from memstrata_integrations.ledger.facts import Fact as Fact
    from memstrata_integrations.ledger.history import Timeline as Timeline
    from memstrata_integrations.ledger.policy import SupersessionPolicy as SupersessionPolicy
    from memstrata_integrations.packing import pack as pack


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
