"""What one text does to another, by the rule of the ledger: same key, same kind, another value."""

import re

from memstrata_integrations import GrammarExtractor
from memstrata_integrations.ledger.facts import Extraction, KeyedFact

__all__ = ["ended", "entries", "fact_of", "rows"]

GRAMMAR = GrammarExtractor()
_EITHER = re.compile(r"\[([^][|]*)\|([^][|]*)\]")


def entries(table: str) -> list[str]:
    """Return what stands on the lines of a table, ``;;`` between two of one; a line that begins with ``||`` goes on."""
    whole = re.sub(r"\n *\|\| ", " || ", table.strip())
    return [entry.strip().replace("\\n", "\n") for entry in re.split(r"\n|;;", whole)]


def rows(table: str) -> list[tuple[str, str]]:
    """Return the pairs of a table: ``It is [first|second].``, or ``a first || a second || another second``."""
    return [pair for entry in entries(table) for pair in _pairs(entry)]


def _pairs(entry: str) -> list[tuple[str, str]]:
    first, *others = entry.split(" || ")
    if not others:
        first, *others = (_EITHER.sub(rf"\{n}", entry) for n in (1, 2))
    assert first not in others, f"no pair: {entry!r}"
    return [(first, other) for other in others]


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
