"""Chains of extractors: ``first | second``, where the second reads only what the first left without a fact."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, Protocol, runtime_checkable

from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.extraction.sentences.lines import identifies, read_field
from memstrata_integrations.extraction.statements import Statement, statements
from memstrata_integrations.facts import Cardinality, Extraction, Extractor, Fact, checked, require_extractor
from memstrata_integrations.relations import FUNCTIONAL

__all__ = ["ChainExtractor", "Composable", "Spans", "covers", "in_records", "merged", "without_contradictions"]

Metadatas = Sequence[Mapping[str, Any] | None]


class Composable:
    """Gives an extractor ``|``."""

    def __or__(self, other: Any) -> ChainExtractor:
        """Return a chain in which `other` reads what this extractor leaves."""
        if not callable(getattr(other, "extract", None)):
            return NotImplemented
        return ChainExtractor(self, other)

    def __ror__(self, other: Any) -> ChainExtractor:
        """Return a chain in which this extractor reads what `other` leaves."""
        if not callable(getattr(other, "extract", None)):
            return NotImplemented
        return ChainExtractor(other, self)


@runtime_checkable
class _ReadsTheRest(Protocol):
    """An extractor that can leave out statements which an earlier one has read."""

    def extract_rest(
        self, texts: Sequence[str], metadatas: Metadatas | None, found: Sequence[Extraction]
    ) -> list[Extraction]:
        """Return what the statements without a fact in `found` state, one for each text."""
        ...


class Spans:
    """Pieces of a text, asked whether they touch others; each question takes logarithmic time."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        ordered = sorted(spans)
        self._starts = [start for start, _ in ordered]
        self._ends = list(accumulate((end for _, end in ordered), max))

    def touch(self, start: int, end: int) -> bool:
        """Whether any of them shares a character with ``[start, end)``."""
        before = bisect_left(self._starts, end)
        return before > 0 and self._ends[before - 1] > start


class ChainExtractor(Composable):
    """Extractors in a row: each reads only the statements that those before it left without a fact.

    Args:
        extractors: Two or more, the cheapest and most certain first; chains among them are unfolded. An
            `LLMExtractor` without aliases takes those of the `GrammarExtractor` before it.

    Example:
        >>> from memstrata_integrations.extraction import GrammarExtractor
        >>> from memstrata_integrations.relations import Relation
        >>> mirrors = GrammarExtractor([Relation("mirrors", "functional", "one primary")])
        >>> chain = ChainExtractor(GrammarExtractor(), mirrors)  # GrammarExtractor() | mirrors
        >>> [extraction] = chain.extract(["replica-2 mirrors primary-1. The port is 80."])
        >>> [(f.relation, f.object) for f in extraction.facts], extraction.prose
        ([('mirrors', 'primary-1'), ('is', '80')], False)
    """

    def __init__(self, *extractors: Any) -> None:
        flat: list[Extractor] = []
        for extractor in extractors:
            require_extractor(extractor)
            flat += extractor.extractors if isinstance(extractor, ChainExtractor) else [extractor]
        if not flat:
            raise InvalidInputError("a chain needs at least one extractor")
        self.extractors: tuple[Extractor, ...] = tuple(_sharing_aliases(flat))

    @property
    def functional(self) -> tuple[str, ...]:
        """The canonical names of the relations whose facts can supersede, of all members."""
        return tuple(dict.fromkeys(name for e in self.extractors for name in getattr(e, "functional", FUNCTIONAL)))

    @property
    def stats(self) -> Any:
        """The counts of the members that count: those of the only one, else a tuple in order; `None` without any."""
        counted = [e.stats for e in self.extractors if hasattr(e, "stats")]
        if len(counted) < 2:
            return counted[0] if counted else None
        return tuple(counted)

    def with_cardinalities(self, cardinalities: Mapping[str, Cardinality]) -> ChainExtractor:
        """Return a chain whose members also know these relations."""
        if not cardinalities:
            return self
        return ChainExtractor(
            *(e.with_cardinalities(cardinalities) if hasattr(e, "with_cardinalities") else e for e in self.extractors)
        )

    def extract(self, texts: Sequence[str], metadatas: Metadatas | None = None) -> list[Extraction]:
        """Return what each text states, in order; a member is not asked about texts without a rest."""
        found = [Extraction() for _ in texts]
        for extractor in self.extractors:
            asked, some, beside = _rest(texts, metadatas, found)
            if not asked:
                break
            before = [found[n] for n in asked]
            if isinstance(extractor, _ReadsTheRest):
                more = extractor.extract_rest(some, beside, before)
            else:
                more = extractor.extract(some, beside)
            _take(extractor, texts, found, asked, more)
        return found

    async def aextract(self, texts: Sequence[str], metadatas: Metadatas | None = None) -> list[Extraction]:
        """Return what `extract` does, awaiting the members that can be awaited."""
        found = [Extraction() for _ in texts]
        for extractor in self.extractors:
            asked, some, beside = _rest(texts, metadatas, found)
            if not asked:
                break
            before = [found[n] for n in asked]
            if hasattr(extractor, "aextract_rest"):
                more = await extractor.aextract_rest(some, beside, before)
            elif hasattr(extractor, "aextract"):
                more = await extractor.aextract(some, beside)
            else:
                more = extractor.extract(some, beside)
            _take(extractor, texts, found, asked, more)
        return found

    def forget(self, texts: Sequence[str]) -> None:
        """Erase what the members' caches hold of these texts."""
        for extractor in self.extractors:
            if hasattr(extractor, "forget"):
                extractor.forget(texts)

    def __repr__(self) -> str:
        return " | ".join(repr(e) for e in self.extractors)


def _sharing_aliases(extractors: Sequence[Extractor]) -> Iterable[Extractor]:
    """Yield extractors; one without names of its own gets those of the nearest before it that has some."""
    known: Mapping[str, str] = {}
    for extractor in extractors:
        own = getattr(extractor, "aliases", None)
        if known and own == {} and hasattr(extractor, "with_aliases"):
            extractor = extractor.with_aliases(known)
        known = own or known
        yield extractor


def _rest(
    texts: Sequence[str], metadatas: Metadatas | None, found: Sequence[Extraction]
) -> tuple[list[int], list[str], list[Mapping[str, Any] | None] | None]:
    """Return the places, texts and metadata of what still says more than its facts."""
    asked = [n for n, e in enumerate(found) if e.prose]
    beside = None if metadatas is None else [metadatas[n] for n in asked]
    return asked, [texts[n] for n in asked], beside


def _take(extractor: Any, texts: Sequence[str], found: list[Extraction], asked: Sequence[int], more: Any) -> None:
    for n, later in zip(asked, checked(extractor, more, len(asked)), strict=True):
        found[n] = merged(texts[n], found[n], later)


def merged(text: str, earlier: Extraction, later: Extraction) -> Extraction:
    """Add to what one extractor read in a text what a later one read in the statements it left.

    Args:
        text: The text of both.
        earlier: Its facts stand; a later fact of a statement that has one already is left out.
        later: What the later extractor read, in the whole text or in the rest.

    Returns:
        The facts in the order of the text; `prose` is false only if every statement is covered
        by a functional fact that is no narrative.
    """
    if not earlier.prose:
        return earlier
    if not earlier.facts:
        return later
    taken = Spans(f.span for f in earlier.facts)
    new = [f for f in later.facts if not taken.touch(*f.span)]
    if not new:
        return earlier
    facts, dropped = without_contradictions(sorted((*earlier.facts, *new), key=lambda f: f.span))
    return Extraction(tuple(facts), dropped > 0 or not covers(text, facts))


def without_contradictions(facts: Sequence[Fact]) -> tuple[list[Fact], int]:
    """Drop what one text states in two ways: something unseen tells them apart.

    Returns:
        The facts that stand, and how many were dropped. Narratives and relations that hold
        several values contradict nothing.
    """
    values: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for fact in facts:
        if not fact.narrative and fact.cardinality == "functional":
            values.setdefault((fact.subject, fact.relation), set()).add((fact.value, fact.dimension))
    kept = [f for f in facts if f.narrative or f.cardinality != "functional" or len(values[f.subject, f.relation]) == 1]
    return kept, len(facts) - len(kept)


def covers(text: str, facts: Sequence[Fact]) -> bool:
    """Whether every statement of a text has a functional fact that is no narrative.

    The lines that say which record it is ("Ticket: 12") are covered by the record's other facts.
    """
    spans = Spans(f.span for f in facts if f.cardinality == "functional" and not f.narrative)
    spoken = [s for s in statements(text) if s.kind != "context"]
    naming = in_records(text, spoken)
    covered = [spans.touch(s.start, s.end) for s in spoken]
    return any(covered) and all(c or naming.get(n, False) for n, c in enumerate(covered))


def in_records(text: str, spoken: Sequence[Statement]) -> dict[int, bool]:
    """Return which statements are fields of a record that says which one it is.

    Returns:
        Place of the statement to whether it is one of those that say it.
    """
    groups: dict[int, list[tuple[int, str | None]]] = {}
    for n, statement in enumerate(spoken):
        if statement.kind == "field" and (field := read_field(text, statement.start, statement.end)):
            groups.setdefault(statement.record, []).append((n, identifies(field.key)))
    found: dict[int, bool] = {}
    for members in groups.values():
        kinds = {kind for _, kind in members}
        rank = "strong" if "strong" in kinds else "weak"
        if len(members) > 1 and kinds - {None} and any(kind != rank for _, kind in members):
            found.update((n, kind == rank) for n, kind in members)
    return found
