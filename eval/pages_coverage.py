"""What the extractor keys in pages, as a splitter's chunks show them to it, and which changes it links."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal, get_args

from eval.pages_corpus import Changing, Page, Said, shape, squeeze
from eval.pages_ways import split
from memstrata_integrations import GrammarExtractor

Key = tuple[str, str, str]
"""(subject, relation, dimension)"""

Kind = Literal["keyed", "not keyed", "first value"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class Coverage:
    """Which statements have which keys, as the splitter's chunks show them to the extractor."""

    def __init__(self, splitter: Callable[[str], list[str]]) -> None:
        """Read chunks of `splitter`."""
        self._split = splitter
        self._extractor = GrammarExtractor()
        self._read: dict[tuple[str, str], list[tuple[str, list[tuple[str, str, Key, str]]]]] = {}

    def _facts(self, page: Page, day: str) -> list[tuple[str, list[tuple[str, str, Key, str]]]]:
        """Return the chunks of a revision, each with the (statement, object, key, value) of its facts, squeezed."""
        if (page.source, day) not in self._read:
            chunks = self._split(page.revisions[day])
            found = self._extractor.extract(chunks, [{"source": page.source}] * len(chunks))
            self._read[page.source, day] = [
                (
                    squeeze(chunk),
                    [
                        (
                            squeeze(chunk[slice(*f.span)]),
                            squeeze(f.object),
                            (f.subject, f.relation, f.dimension),
                            f.value,
                        )
                        for f in extraction.facts
                        if f.object is not None and f.cardinality == "functional" and not f.narrative
                    ],
                )
                for chunk, extraction in zip(chunks, found, strict=True)
            ]
        return self._read[page.source, day]

    def keys(self, page: Page, fact: Changing, said: Said) -> dict[Key, str]:
        """Return keys and values of a statement: those that it has in every chunk of every revision that holds it.

        Of the facts read in it, those count whose object is the fact's value, or a part of it, or holds it.
        """
        if said.statement is None or said.value is None:
            return {}
        statement, value = squeeze(said.statement), squeeze(said.value)
        found: set[tuple[Key, str]] | None = None
        for day in (d for d in page.revisions if fact.at(d) == said):
            for chunk, facts in self._facts(page, day):
                if statement in chunk:
                    here = {
                        (key, meant)
                        for text, obj, key, meant in facts
                        if (text in statement or statement in text) and (obj in value or value in obj)
                    }
                    found = here if found is None else found & here
        return dict(found or ())

    def linked(self, page: Page, fact: Changing, old: Said, new: Said) -> bool:
        """Whether two statements have one key, with two values."""
        after = self.keys(page, fact, new)
        return any(key in after and after[key] != meant for key, meant in self.keys(page, fact, old).items())

    def kind(self, page: Page, fact: Changing, day: str) -> Kind:
        """Return whether every earlier value is linked with the one that holds, if there is any earlier one."""
        earlier = [s for s in fact.others(day) if s.since <= day]
        if not earlier:
            return "first value"
        return "keyed" if all(self.linked(page, fact, s, fact.at(day)) for s in earlier) else "not keyed"


def coverage_lines(pages: Sequence[Page], splitter: str) -> list[str]:
    """Return how many changes of a value the extractor links, by the shape of the earlier statement."""
    coverage = Coverage(lambda text: split(text, splitter))
    changes: Counter[tuple[str, str]] = Counter()
    linked: Counter[tuple[str, str]] = Counter()
    read: Counter[tuple[str, str]] = Counter()
    parts: Counter[str] = Counter()
    parts_linked: Counter[str] = Counter()
    for page in pages:
        for fact in page.changing:
            for n, (old, new) in enumerate(zip(fact.said, fact.said[1:], strict=False)):
                if old.value is None or old.value == new.value:
                    continue
                how = "removed" if new.value is None else "value only"
                if new.value is not None and squeeze(old.statement or "").replace(old.value, new.value) != squeeze(
                    new.statement or ""
                ):
                    how = "reworded"
                about = shape(page, fact.said[n]), how
                changes[about] += 1
                read[about] += bool(coverage.keys(page, fact, old))
                links = coverage.linked(page, fact, old, new)
                linked[about] += links
                if new.value is not None:
                    part = page.source.partition("/")[0]
                    parts[part] += 1
                    parts_linked[part] += links
    total = sum(n for (_, how), n in changes.items() if how != "removed")
    both = sum(linked.values())
    lines = [f"changes of a value with one key before and after ({splitter}): {rate(both, total)}"]
    lines += [f"  corpus {part}: {rate(parts_linked[part], parts[part])}" for part in sorted(parts)]
    for about in sorted(changes):
        what, how = about
        lines.append(
            f"  {what:<32} {how:<12} linked {rate(linked[about], changes[about]):<32} "
            f"earlier statement keyed {rate(read[about], changes[about])}"
        )
    return lines


def wilson(hits: int, asked: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval of a rate."""
    if not asked:
        return 0.0, 1.0
    z, p = 1.959964, hits / asked
    middle = p + z * z / (2 * asked)
    around = z * math.sqrt(p * (1 - p) / asked + z * z / (4 * asked * asked))
    scale = 1 + z * z / asked
    return max((middle - around) / scale, 0.0), min((middle + around) / scale, 1.0)


def rate(hits: int, asked: int) -> str:
    """Return a count, a rate and its interval."""
    if not asked:
        return "-"
    low, high = wilson(hits, asked)
    return f"{hits}/{asked} {hits / asked:6.1%} [{low:.1%}, {high:.1%}]"
