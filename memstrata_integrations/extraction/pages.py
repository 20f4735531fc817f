"""What a page of documentation states besides its sentences: in code blocks and in tables, under its headings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from memstrata_integrations.canonical import canonical_subject, content_words
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.fences import read_fence
from memstrata_integrations.extraction.page_places import NOWHERE, SECTION, Place
from memstrata_integrations.extraction.sources.entries import escape
from memstrata_integrations.extraction.statements import Statement
from memstrata_integrations.extraction.tables import CELL, Cell, read_table
from memstrata_integrations.facts import Fact

__all__ = ["Page", "headings_of"]

_PAGE_FIELDS = ("source", "file_path", "url")
_MARKDOWN = (".md", ".mdx", ".markdown")
_LEVEL = re.compile(r"(?:header|heading|h)[ _-]?([1-6])\Z", re.IGNORECASE)
_PIECE = 120  # characters: a page of so many has a heading somewhere
_LONGEST_HEADING = 200
_MOST_BELOW = 6


class _Block(NamedTuple):
    """A fenced block of a text: the numbers of the statements that open and close it."""

    opens: int
    closes: int


class Page:
    """A text as a piece of a page.

    Attributes:
        facts: What its code blocks state.
        prose: Whether a block that was read says anything else.
        rest: The statements outside of the blocks that were read.
        cells: By where a row starts: the cells of tables that state something.
    """

    def __init__(self, text: str, listed: Sequence[Statement], metadata: Mapping[str, Any] | None) -> None:
        """Read the code blocks and tables that stand under headings.

        Args:
            text: The whole text.
            listed: All its statements, in order, those that only say where others stand included.
            metadata: As it is stored with the text.
        """
        self.facts: list[Fact] = []
        self.prose = False
        self.rest = listed
        self.cells: dict[int, list[Cell]] = {}
        self._cut = False
        if metadata is None and len(listed) == 1:
            return
        self._text = text
        self._paged = metadata is not None and any(metadata.get(field) for field in _PAGE_FIELDS)
        self._places: dict[int, Place] = {}
        headed = any(s.level for s in listed)
        doubtful = _ends_in_doubt(listed)
        self._cut = self._paged and (headed or doubtful or (len(text) > _PIECE and _is_piece(metadata)))
        if headed and not doubtful:
            places = _places(listed)
            self._places = {s.start: place for s, place in zip(listed, places, strict=True)}
            self._read_blocks(listed, places)
            self._read_tables(listed, places)

    def _read_blocks(self, listed: Sequence[Statement], places: Sequence[Place]) -> None:
        covered: set[int] = set()
        for block in _blocks(listed):
            path = places[block.opens].path(paged=self._paged)
            opening, closing = listed[block.opens], listed[block.closes]
            end = self._text.rfind("\n", 0, closing.start) + 1
            read = read_fence(self._text, opening, end, path) if path is not None else None
            if read is not None:
                self.facts.extend(read.facts)
                self.prose = self.prose or read.prose
                covered.update(range(block.opens, block.closes))
        self.rest = [s for n, s in enumerate(listed) if n not in covered]

    def _read_tables(self, listed: Sequence[Statement], places: Sequence[Place]) -> None:
        rows = (n for n, s in enumerate(listed) if s.kind == "row" and not s.fenced)
        for _, group in groupby(rows, key=lambda n: id(listed[n].header)):
            table = list(group)
            path = places[table[0]].path(paged=self._paged)
            if path is not None:
                self.cells.update(read_table(self._text, [listed[n] for n in table], path))

    def beside(self, claims: Sequence[Claim], row: Statement) -> list[Cell]:
        """Return the cells of a row that state something, besides those that claims are made of."""
        cells = self.cells.get(row.start)
        return [c for c in cells if all(c.start != claim.start for claim in claims)] if cells else []

    def confined(self, fact: Fact, statement: Statement) -> Fact | None:
        """Return a fact with the section that it belongs to in its key; `None` if that cannot be seen.

        What names no entity is told apart by its section. Where the text shows the headings above, they are in
        its key already; a piece that begins below its heading shows the next one, perhaps.
        """
        if not self._cut or not fact.local or fact.rule == CELL:
            return fact
        place = self._places.get(statement.start, NOWHERE)
        if 0 < place.level <= SECTION:
            return fact
        if place.below:
            return replace(fact, subject=canonical_subject(f"{escape(place.before(), dots=False)} {fact.subject}"))
        above = {word.casefold() for heading in statement.headings for word in content_words(heading)}
        own = [word for word in fact.subject.split() if word.casefold() not in above]
        return fact if statement.kind == "sentence" and len(own) > 1 else None


def headings_of(metadata: Mapping[str, Any] | None) -> list[tuple[int, str]]:
    """Return the headings that a splitter has put into metadata, each with its level.

    Example:
        >>> headings_of({"Header 1": "Gateway", "Header 2": "Ports"}), headings_of({"header_path": "/Gateway/Ports/"})
        ([(1, 'Gateway'), (2, 'Ports')], [(1, 'Gateway'), (2, 'Ports')])
    """
    if not metadata:
        return []
    path = metadata.get("header_path")
    if isinstance(path, str) and len(path) <= _LONGEST_HEADING:
        return [(n, title) for n, title in enumerate(filter(None, path.split("/")), 1)]
    found = [
        (int(level[1]), value.strip())
        for key, value in metadata.items()
        if isinstance(value, str) and 0 < len(value.strip()) <= _LONGEST_HEADING and (level := _LEVEL.match(key))
    ]
    return sorted(found)


def _is_piece(metadata: Mapping[str, Any] | None) -> bool:
    """Whether metadata names a page of Markdown, of which a text without any heading is a piece."""
    if metadata is None or metadata.get("start_index") == 0:
        return False
    return any(str(metadata.get(field) or "").lower().endswith(_MARKDOWN) for field in _PAGE_FIELDS)


def _fences(listed: Sequence[Statement]) -> list[int]:
    return [n for n, s in enumerate(listed) if s.kind == "context" and s.fenced and s.header]


def _opens(fence: Statement) -> bool:
    return not fence.header[0].startswith(("`", "~"))


def _blocks(listed: Sequence[Statement]) -> Iterator[_Block]:
    """Yield the blocks whose both fences are there."""
    for first, second in pairwise(_fences(listed)):
        if _opens(listed[first]) and not _opens(listed[second]):
            yield _Block(first, second)


def _places(listed: Sequence[Statement]) -> list[Place]:
    below: tuple[str, ...] = ()
    places: list[Place] = []
    for statement in reversed(listed):
        places.append(Place(statement.headings, statement.level, below))
        if statement.kind == "context" and not statement.fenced and statement.level:
            title = statement.headings[-1]
            if statement.level <= SECTION:
                below = (title,)
            elif below:
                below = (title, *below) if len(below) < _MOST_BELOW else ()
    places.reverse()
    return places


def _ends_in_doubt(listed: Sequence[Statement]) -> bool:
    """Whether it cannot be told which parts are code: a fence that names no language, and that nothing closes."""
    fences = _fences(listed)
    return bool(fences) and listed[fences[-1]].header == ("",)
