"""Text for a terminal of 80 to 120 columns: two columns side by side, tables, and colour where it is wanted."""

import os
import shutil
import sys
import textwrap
from collections.abc import Sequence
from itertools import zip_longest
from typing import Literal, NamedTuple, TextIO, TypeAlias

Colour: TypeAlias = Literal["red", "green", "bold", "dim", "plain"]
_CODES = {"red": "31", "green": "32", "bold": "1", "dim": "2"}
_MARK_WIDTH = 7


class Line(NamedTuple):
    """One entry of a column: a short mark in front of a text that is wrapped."""

    mark: str
    text: str
    colour: Colour = "plain"


class Terminal:
    """Writes to a stream: coloured if it is a terminal and NO_COLOR is not set."""

    def __init__(self, stream: TextIO | None = None, *, width: int | None = None) -> None:
        self._stream = sys.stdout if stream is None else stream
        self.width = min(120, max(80, width or shutil.get_terminal_size((100, 24)).columns))
        self.coloured = self._stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def say(self, text: object = "", colour: Colour = "plain") -> None:
        """Write a text as it is, and end the line."""
        print(self._painted(str(text), colour), file=self._stream)

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
        self.say(f"{titles[0]:<{width}} | {titles[1]}", "dim")
        self.say(f"{'-' * width}-+-{'-' * width}", "dim")
        for cells in zip_longest(_column(left, width), _column(right, width), fillvalue=("", "plain")):
            self.say(" | ".join(self._painted(f"{text:<{width}}", colour) for text, colour in cells).rstrip(" "))

    def table(self, titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Write rows; the first column is left-aligned, a row of one cell is a heading between the rows."""
        columns = list(zip_longest(titles, *rows, fillvalue=""))
        first, *others = (max(map(len, column)) for column in columns)
        for number, (title, *cells) in enumerate(zip(*columns, strict=True)):
            aligned = [f"{cell:>{width}}" for cell, width in zip(cells, others, strict=True)]
            self.say("   ".join([f"{title:<{first}}", *aligned]).rstrip(), "plain" if number else "dim")
            if number == 0:
                self.say("-" * (first + sum(3 + width for width in others)), "dim")

    def _painted(self, text: str, colour: Colour) -> str:
        return f"\x1b[{_CODES[colour]}m{text}\x1b[0m" if self.coloured and colour != "plain" else text


def _column(lines: Sequence[Line], width: int) -> list[tuple[str, Colour]]:
    def wrapped(line: Line) -> list[str]:
        mark, under = f"{line.mark:<{_MARK_WIDTH}}", " " * _MARK_WIDTH
        return textwrap.wrap(line.text, width, initial_indent=mark, subsequent_indent=under)

    return [(part, line.colour) for line in lines for part in wrapped(line)] or [("(nothing)", "dim")]
