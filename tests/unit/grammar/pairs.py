"""What one text does to another, by the rule of the ledger: same key, same kind, another value."""

from __future__ import annotations

from collections.abc import Iterator

from memstrata_integrations import GrammarExtractor
from memstrata_integrations.ledger.facts import Extraction, KeyedFact

__all__ = ["ended", "fact_of", "rows"]

GRAMMAR = GrammarExtractor()


def rows(table: str) -> list[tuple[str, str]]:
    """Return the pairs of a table: two texts on a line, with ``||`` between them."""
    return list(_rows(table))


def _rows(table: str) -> Iterator[tuple[str, str]]:
    for line in table.strip().splitlines():
        first, _, second = line.strip().replace("\\n", "\n").partition(" || ")
        assert second, f"no pair: {line!r}"
        yield first, second


def ended(first: str, second: str, grammar: GrammarExtractor = GRAMMAR) -> list[str]:
    """Return the values of the first text that the second one ends."""
    earlier, later = grammar.extract([first, second])
    return [f.object for f in _stated(earlier) if f.object is not None and any(_acts(o, f) for o in later.facts)]


def _stated(extraction: Extraction) -> list[KeyedFact]:
    facts = [f for f in extraction.facts if isinstance(f, KeyedFact)]
    return [f for f in facts if f.cardinality == "functional" and not f.change]


def _acts(later: object, fact: KeyedFact) -> bool:
    if not isinstance(later, KeyedFact) or later.cardinality != "functional" or later.key != fact.key:
        return False
    if later.object is None:
        return later.value in ("", fact.value)
    return later.kind == fact.kind and later.value != fact.value


def fact_of(text: str, grammar: GrammarExtractor = GRAMMAR) -> KeyedFact | None:
    [extraction] = grammar.extract([text])
    facts = [f for f in extraction.facts if isinstance(f, KeyedFact)]
    assert len(facts) < 2, facts
    return facts[0] if facts else None
