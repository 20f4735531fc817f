"""The lines of a Markdown or configuration text: where each stands, what it begins with, what encloses it. Pure."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_QUOTE = re.compile(r"(?:[ \t]*>[ \t]?)*")
# what a line may begin with besides its content, behind quotation marks: a list marker, a task box
_MARKER = re.compile(r"[ \t]*(?:(?:[-*+•]|\d{1,9}[.)])(?:[ \t]+|$))?(?:\[[ xX]\](?:[ \t]+|$))?")
_FENCE = re.compile(r"(?P<run>`{3,}|~{3,})[ \t]*\{?\.?(?P<language>[\w+#-]*)[^`]*$")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]|$)")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-{2,})[ \t]*$")
_FRONT = re.compile(r"---\r?\n[\w-]+:.*?^---\r?$", re.DOTALL | re.MULTILINE)  # YAML before the first heading
_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")


@dataclass(slots=True)
class Line:
    """One line of a text.

    Attributes:
        start: Where it starts in the text.
        end: Where it ends, without its line end.
        eol: Its line end.
        text: What stands in it.
        quote: How many characters of quotation marks (``> ``) it begins with.
        lead: Where its content begins, behind quotation marks, list marker and task box.
        indent: How far its content or list marker is indented, within the quotation.
        fence: The language of the fenced block whose inside it belongs to; `None` outside.
        closes: For the lines around a fenced block, the number of the one that closes it; else -1.
    """

    start: int
    end: int
    eol: str
    text: str
    quote: int
    lead: int
    indent: int
    fence: str | None = None
    closes: int = -1

    @property
    def body(self) -> str:
        """The content."""
        return self.text[self.lead :]

    @property
    def marker(self) -> str:
        """The list marker and task box, without white space around; empty if there is none."""
        return self.text[self.quote : self.lead].strip(" \t")

    @property
    def blank(self) -> bool:
        """Whether it holds nothing, or only quotation marks."""
        return not self.text[self.quote :].strip()

    @property
    def heading(self) -> int:
        """The level of the heading that it is; 0 if it is none."""
        found = None if self.fence is not None else _HEADING.match(self.text, self.quote)
        return len(found[1]) if found else 0

    @property
    def underline(self) -> bool:
        """Whether it is a row of ``=`` or ``-``."""
        return self.fence is None and _UNDERLINE.match(self.text) is not None

    @property
    def table_rule(self) -> bool:
        """Whether it is the line between the head and the body of a table."""
        return self.fence is None and "|" in self.body and _TABLE_RULE.match(self.body) is not None

    @property
    def plain(self) -> bool:
        """Whether it is text of a paragraph."""
        return not (
            self.blank
            or self.marker
            or self.heading
            or self.fence is not None
            or self.closes >= 0
            or self.underline
            or self.body.startswith("|")
        )


def lines_of(text: str) -> list[Line]:
    """Return the lines of a text."""
    found: list[Line] = []
    start = 0
    for part in text.split("\n"):
        stop = start + len(part)
        end = stop - 1 if part.endswith("\r") else stop
        said = text[start:end]
        quote = _span(_QUOTE, said, 0)
        content = said[quote:]
        indent = len(content) - len(content.lstrip(" \t"))
        found.append(Line(start, end, text[end : stop + 1], said, quote, _span(_MARKER, said, quote), indent))
        start = stop + 1
    _enclose(found, front=_FRONT.match(text) is not None)
    return found


def line_at(lines: Sequence[Line], place: int) -> int:
    """Return the number of the line in which a character stands."""
    return max(bisect_right(lines, place, key=lambda line: line.start) - 1, 0)


def blocks_of(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last line of each paragraph, list item, heading and table row."""
    first = 0
    while first < len(lines):
        last = first
        if lines[first].plain or lines[first].marker:
            while last + 1 < len(lines) and lines[last + 1].plain:
                last += 1
        yield first, last
        first = last + 1


def _span(pattern: re.Pattern[str], said: str, pos: int) -> int:
    found = pattern.match(said, pos)
    return found.end() if found else pos


def _enclose(lines: Sequence[Line], *, front: bool) -> None:
    """Mark what stands in fenced blocks, and in front matter."""
    opened, run, language = (0, "---", "yaml") if front else (-1, "", "")
    for n, line in enumerate(lines[front:], front):
        closing = line.text[line.quote :].strip()
        if opened < 0:
            if fence := _FENCE.match(line.body):
                opened, run, language = n, fence["run"], fence["language"].lower()
                line.closes = len(lines)
        elif closing.startswith(run) and not closing.strip(run[0]):
            lines[opened].closes = line.closes = n
            opened = -1
        else:
            line.fence = language
