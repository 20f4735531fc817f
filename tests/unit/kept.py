"""Texts that another text must leave alone: a statement, and beneath it, indented, what says nothing against it."""

from __future__ import annotations

from memstrata_integrations import GrammarExtractor

__all__ = ["assert_kept", "pairs_of"]

GRAMMAR = GrammarExtractor()


def pairs_of(listed: str) -> list[tuple[str, str]]:
    """Return each statement with each of the texts beneath it."""
    pairs, first = [], ""
    for line in listed.strip().splitlines():
        if line.startswith(" "):
            pairs.append((first, line.strip()))
        else:
            first = line
    return pairs


def assert_kept(first: str, second: str) -> None:
    """Check that no part of the first text is closed by the second."""
    earlier, later = GRAMMAR.extract([first, second])
    stated = {(f.subject, f.relation, f.dimension): f.value for f in later.facts if f.object is not None}
    ended = {(f.subject, f.relation, f.value) for f in later.facts if f.object is None}
    for fact in earlier.facts:
        assert ended.isdisjoint((fact.subject, fact.relation, value) for value in ("", fact.value))
        assert stated.get((fact.subject, fact.relation, fact.dimension), fact.value) == fact.value
