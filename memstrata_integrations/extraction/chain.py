"""Chains of extractors: ``first | second``, where the second reads only what the first left without a fact."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.ledger.facts import Extraction, Extractor, Fact, KeyedFact, checked, require_extractor

Metadatas = Sequence[Mapping[str, Any] | None]


class Composable:
    """Gives an extractor ``|``."""

    def __or__(self, other: Any) -> "ChainExtractor":
        """Return a chain in which `other` reads what this extractor leaves."""
        return ChainExtractor(self, other) if callable(getattr(other, "extract", None)) else NotImplemented

    def __ror__(self, other: Any) -> "ChainExtractor":
        """Return a chain in which this extractor reads what `other` leaves."""
        return ChainExtractor(other, self) if callable(getattr(other, "extract", None)) else NotImplemented


class ChainExtractor(Composable):
    """Extractors in a row: each is asked only about the texts that those before it left with a rest.

    Args:
        extractors: Two or more, the cheapest and most certain first; chains among them are unfolded.

    Example:
        >>> from memstrata_integrations.extraction import GrammarExtractor
        >>> mirrors = GrammarExtractor(cardinalities={"mirrors": "functional"})
        >>> [extraction] = ChainExtractor(GrammarExtractor(), mirrors).extract(["replica-2 mirrors primary-1."])
        >>> [(f.relation, f.object) for f in extraction.facts]
        [('mirrors', 'primary-1')]
    """

    def __init__(self, *extractors: Any) -> None:
        flat: list[Any] = []
        for extractor in extractors:
            require_extractor(extractor)
            flat += extractor.extractors if isinstance(extractor, ChainExtractor) else [extractor]
        if not flat:
            raise InvalidInputError("a chain needs at least one extractor")
        self.extractors: tuple[Extractor, ...] = tuple(flat)

    @property
    def stats(self) -> Any:
        """The counts of the members that count: those of the only one, else a tuple in order; `None` without any."""
        counted = [e.stats for e in self.extractors if hasattr(e, "stats")]
        return tuple(counted) if len(counted) > 1 else counted[0] if counted else None

    def with_policy(self, policy: Any) -> "ChainExtractor":
        """Return a chain whose members also know the relations of a policy."""
        return ChainExtractor(*(e.with_policy(policy) if hasattr(e, "with_policy") else e for e in self.extractors))

    def extract(self, texts: Sequence[str], metadatas: Metadatas | None = None) -> list[Extraction]:
        """Return what each text states, in order; a member is not asked about texts without a rest."""
        found = [Extraction() for _ in texts]
        for extractor, asked, given in self._turns(found, texts, metadatas):
            _add(found, asked, extractor, extractor.extract(*given))
        return found

    async def aextract(self, texts: Sequence[str], metadatas: Metadatas | None = None) -> list[Extraction]:
        """Return what `extract` does, awaiting the members that can be awaited."""
        found = [Extraction() for _ in texts]
        for extractor, asked, given in self._turns(found, texts, metadatas):
            awaited = getattr(extractor, "aextract", None)
            _add(found, asked, extractor, extractor.extract(*given) if awaited is None else await awaited(*given))
        return found

    def _turns(self, found: Sequence[Extraction], texts: Sequence[str], metadatas: Metadatas | None) -> Iterator[Any]:
        """Yield each member with the places of the texts that were left with a rest, and with its arguments."""
        for extractor in self.extractors:
            if asked := [n for n, e in enumerate(found) if e.prose]:
                given = None if metadatas is None else [metadatas[n] for n in asked]
                yield extractor, asked, ([texts[n] for n in asked], given)

    def forget(self, texts: Sequence[str]) -> None:
        """Erase what the members' caches hold of these texts."""
        for extractor in self.extractors:
            if hasattr(extractor, "forget"):
                extractor.forget(texts)

    def __repr__(self) -> str:
        return " | ".join(repr(e) for e in self.extractors)


def _add(found: list[Extraction], asked: Sequence[int], extractor: Any, more: Any) -> None:
    for n, later in zip(asked, checked(extractor, more, len(asked)), strict=True):
        found[n] = merged(found[n], later)


def merged(earlier: Extraction, later: Extraction) -> Extraction:
    """Add to what one extractor read in a text what a later one read in the statements it left."""
    before = [f for f in earlier.facts if isinstance(f, KeyedFact)]
    found = [f for f in later.facts if isinstance(f, KeyedFact)]
    stated = [f for f in (*earlier.facts, *later.facts) if isinstance(f, Fact)]
    new = [f for f in found if all(f.span[0] >= e.span[1] or e.span[0] >= f.span[1] for e in before)]
    facts = sorted((*before, *new), key=lambda f: f.span)
    gone = contradicted(facts)
    whole = [f for f in new if not f.change and f.cardinality == "functional"]
    unread = tuple(u for u in earlier.unread if all(u[0] >= f.span[1] or f.span[0] >= u[1] for f in whole))
    known = unread if earlier.unread else earlier.facts or later.prose
    kept = tuple(f for f in facts if f not in gone)
    return Extraction((*stated, *kept), bool(known or gone or any(f.change for f in kept)), unread or later.unread)


def contradicted(facts: Sequence[KeyedFact]) -> list[KeyedFact]:
    """Return what one text states in two ways: something unseen tells them apart."""
    stated = [f for f in facts if not f.change and f.cardinality == "functional"]
    values = Counter((key, kind) for key, kind, _ in {(f.key, f.kind, f.value) for f in stated})
    return [f for f in stated if values[f.key, f.kind] > 1]
