"""A text from which stretches are taken, character by character; what is left stays well formed. Pure."""

import re
from collections.abc import Iterator

from memstrata_integrations.redaction.lines import blocks_of, line_at, lines_of
from memstrata_integrations.redaction.pairs import Pair, pairs_of

_HOLE = "\ufdd0"  # no character of a text
_HOLES = rf"{_HOLE}(?:\s*{_HOLE})*"
_ROOM = rf"(?:{_HOLE}[ \t]*)"  # a hole with the white space behind it
_LEAD = r"^[ \t>]*(?:(?:[-*+•]|\d{1,9}[.)])[ \t]+)?(?:\[[ xX]\][ \t]+)?"
_OPENS = r"(?:^|(?<=[\s({\[]))[*_~=\"'`“‘«]+"
_CLOSES = r"[*_~=\"'`”’»]"
_AND = r"(?:and|but|while|whereas)(?=\s)"
_LINK = rf",?(?<!\s)(?:[ \t]+{_AND}|[ \t]*(\r?\n[ \t>]*){_AND}[ \t]*)"
_MENDS = [
    (re.compile(pattern, re.MULTILINE), new)
    for pattern, new in (
        (rf",(?=\s*(?:{_HOLE}\s*(?:,\s*)?)*{_HOLE}\s*[}}\])])", ""),  # the comma before the last members of a list
        (rf"(?:[,;–—]|{_LINK})([ \t]*\n?[ \t]*{_HOLES})([.!?]|\s*\Z)(?!\w)", r"\3\1\2"),  # what linked the last clause
        (rf"((?:{_LEAD}|{_OPENS}|[.!?:,;–—({{\[]\s*){_HOLE})(?:(?:[ \t]*{_HOLE})*[.!?;,]+(?!\w))+", r"\1"),  # a stop
        (rf"{_HOLE}(?:\[\^[^\]\n]+\])+", _HOLE),  # its footnotes
        (rf"(?<![ \t])[ \t]*{_ROOM}+(?=\r?$)", ""),  # white space, at the end of a line
        (rf"({_LEAD}|{_OPENS}){_ROOM}+", r"\1"),  # at its beginning
        (rf"(?<![ \t])[ \t]*{_ROOM}*{_HOLE}(?=[ \t]*[,.;:!?)\]}}](?!\w)|{_CLOSES})[ \t]*", ""),  # before what closes
        (rf"(?<=[ \t({{\[]){_ROOM}+", ""),
    )
]
"""What is mended around holes, in turn."""

_END_OF_LIST = re.compile(r"\s*[}\])]")
_LINKED = re.compile(rf"(?:[,;–—]|(?<=\s){_AND})[ \t]*\n?[ \t>]*$")


class Draft:
    """A text in the making: for each character of the original, what stands in its place."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = lines_of(text)
        self.out = list(text)

    def left_of(self, start: int, end: int) -> str:
        """Return what is left of a stretch."""
        return "".join(self.out[start:end]).replace(_HOLE, "")

    def cut(self, start: int, end: int) -> None:
        """Take a stretch out; line ends, quotation marks and list markers stay, and the stop of a longer sentence."""
        while start < end and self.text[end - 1].isspace():
            end -= 1
        stop = self.text[end - 1 : end]
        in_list = stop == "," and _END_OF_LIST.match(self.text, end)
        if in_list or (stop in tuple(".!?") and _LINKED.search(self.text[max(start - 12, 0) : start])):
            end -= 1
        for a, b in self._parts(start, end):
            self.out[a:b] = [_HOLE] * (b - a)

    def put(self, start: int, end: int, new: str) -> None:
        """Put something in the place of a stretch, unless all of that went."""
        for a, b in self._parts(start, end):
            if self.left_of(a, b):
                self.out[a:b] = [new, *[""] * (b - a - 1)]
                new = ""

    def capitalize(self, start: int, end: int) -> None:
        """Begin what is left of a stretch with a capital letter, if the whole of it did."""
        left = [n for n in range(start, end) if self.out[n][:1].isalpha()]
        if left and next(c for c in self.text[start:end] if c.isalpha()).isupper():
            self.out[left[0]] = self.out[left[0]][0].upper() + self.out[left[0]][1:]

    def mended(self) -> list[str]:
        """Return what is left of each line, without what the cuts left without its partner."""
        for first, last in blocks_of(self.lines):
            start, end = self.lines[first].start + self.lines[first].lead, self.lines[last].end
            if self.lines[first].fence is None and self.left_of(start, end) != self.text[start:end]:
                for pair in pairs_of(self.text, start, end):
                    self._mend_pair(pair)
        left = re.sub(f"{_HOLE}+", _HOLE, "".join(self.out))
        for pattern, new in _MENDS:
            left = pattern.sub(new, left)
        return left.replace(_HOLE, "").split("\n")

    def _parts(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        for line in self.lines[line_at(self.lines, start) :]:
            if line.start >= end:
                return
            a, b = max(start, line.start + line.lead), min(end, line.end)
            if a < b:
                yield a, b

    def _mend_pair(self, pair: Pair) -> None:
        start, inside, outside, end = pair[:4]
        if self.left_of(start, end) == self.text[start:end]:
            return
        kept = [n for n in range(inside, outside) if self.out[n].strip(_HOLE + " \t\r\n")]
        if not kept:
            self.cut(start, end)
            return
        if not self.left_of(start, inside):
            first = next((n for n in kept if self.out[n] not in ",;"), kept[0])
            self.out[first] = self.text[start:inside] + self.out[first]
        if not self.left_of(outside, end):
            self.out[kept[-1]] += self.text[outside:end]
