"""Text for a terminal of 80 to 120 columns: two columns side by side, tables, and colour where it is wanted."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TextIO, TypeAlias

__all__ = ["Colour", "Line", "Terminal"]

Colour: TypeAlias = Literal["red", "green", "bold", "dim", "plain"]
_CODES = {"red": "31", "green": "32", "bold": "1", "dim": "2"}
_MARK_WIDTH = 7


@dataclass(frozen=True, slots=True)
class Line:
    """One entry of a column: a short mark in front of a text that is wrapped."""

    mark: str
    text: str
    colour: Colour = "plain"


class Terminal:
    """Writes to a stream: coloured if it is a terminal and NO_COLOR is not set."""

    def __init__(self, stream: TextIO | None = None, *, width: int | None = None) -> None:
        """Look at the stream and the environment once."""
        self._stream = sys.stdout if stream is None else stream
        self.width = min(120, max(80, width if width is not None else shutil.get_terminal_size((100, 24)).columns))
        self.coloured = self._stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def say(self, text: object = "", colour: Colour = "plain") -> None:
        """Write a text as it is, and end the line."""
        print("\n".join(self._painted(line, colour) for line in str(text).split("\n")), file=self._stream)

    def paragraph(self, text: str, colour: Colour = "plain") -> None:
        """Write a text wrapped to the width."""
        self.say(textwrap.fill(text, self.width), colour)

    def heading(self, text: str) -> None:
        """Write a heading after an empty line."""
        self.say()
        self.say(text, "bold")

    def side_by_side(self, titles: tuple[str, str], left: Sequence[Line], right: Sequence[Line]) -> None:
        """Write two columns under their titles."""
        width = (self.width - 3) // 2
        columns = [self._column(lines, width) for lines in (left, right)]
        rule = f"{'-' * width}-+-{'-' * width}"
        self.say(f"{titles[0]:<{width}} | {titles[1]}", "dim")
        self.say(rule, "dim")
        for row in range(max(map(len, columns))):
            cells = [column[row] if row < len(column) else ("", "plain") for column in columns]
            (first, first_colour), (second, second_colour) = cells
            self.say(f"{self._painted(f'{first:<{width}}', first_colour)} | {self._painted(second, second_colour)}")

    def table(self, titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Write rows; the first column is left-aligned, a row of one cell is a heading between the rows."""
        full = [row for row in (titles, *rows) if len(row) > 1]
        widths = [max(len(row[column]) for row in full) for column in range(len(titles))]
        widths[0] = max(widths[0], *(len(row[0]) for row in rows))
        for number, row in enumerate((titles, *rows)):
            first, *others = row
            cells = [f"{cell:>{width}}" for cell, width in zip(others, widths[1:], strict=False)]
            self.say("   ".join([f"{first:<{widths[0]}}", *cells]).rstrip(), "dim" if number == 0 else "plain")
            if number == 0:
                self.say("-" * (sum(widths) + 3 * (len(widths) - 1)), "dim")

    def _column(self, lines: Sequence[Line], width: int) -> list[tuple[str, Colour]]:
        cells: list[tuple[str, Colour]] = []
        for line in lines:
            wrapped = textwrap.wrap(line.text, width - _MARK_WIDTH) or [""]
            for number, part in enumerate(wrapped):
                cells.append((f"{line.mark if number == 0 else '':<{_MARK_WIDTH}}{part}", line.colour))
        return cells or [("(nothing)", "dim")]

    def _painted(self, text: str, colour: Colour) -> str:
        if not self.coloured or colour == "plain" or not text.strip():
            return text
        return f"\x1b[{_CODES[colour]}m{text}\x1b[0m"
