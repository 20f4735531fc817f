"""Public import path of facts; they live in `ledger`."""

from memstrata_integrations.ledger.facts import (
    Cardinality,
    Confinement,
    Extraction,
    Extractor,
    Fact,
    FactKey,
    KeyedFact,
)

__all__ = ["Cardinality", "Confinement", "Extraction", "Extractor", "Fact", "FactKey", "KeyedFact"]
