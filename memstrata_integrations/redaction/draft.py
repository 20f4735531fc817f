"""A text from which stretches are taken, character by character; what is left stays well formed. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from memstrata_integrations.redaction.lines import blocks_of, line_at, lines_of
from memstrata_integrations.redaction.pairs import Pair, pairs_of

__all__ = ["Draft"]

_OPENERS = "{[("
_CLOSERS = "}])"
_STOPS = ".!?;,"
_LINKS = ",;–—"


class Draft:
    """A text in the making: for each character of the original, what stands in its place."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = lines_of(text)
        self.out = list(text)
        self._opens: set[int] = set()  # where the tokens of pairs stand: they hold on to what is between them
        self._closes: set[int] = set()

    def left_of(self, start: int, end: int) -> str:
        """Return what is left of a stretch."""
        return "".join(self.out[start:end])

    def cut(self, start: int, end: int) -> None:
        """Take a stretch out; line ends, quotation marks and list markers stay."""
        for a, b in self._parts(start, end):
            self.out[a:b] = [""] * (b - a)

    def put(self, start: int, end: int, new: str) -> None:
        """Put something in the place of a stretch, unless all of that went."""
        for a, b in self._parts(start, end):
            if self.left_of(a, b):
                self.out[a:b] = [new, *[""] * (b - a - 1)]
                new = ""

    def capitalize(self, start: int, end: int) -> None:
        """Begin what is left of a stretch with a capital letter."""
        for n in range(start, end):
            if self.out[n][:1].isalpha():
                self.out[n] = self.out[n][0].upper() + self.out[n][1:]
                break

    def _parts(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        start, end = max(start, 0), min(end, len(self.text))
        n = line_at(self.lines, start)
        while n < len(self.lines) and self.lines[n].start < end:
            line = self.lines[n]
            a, b = max(start, line.start + line.lead), min(end, line.end)
            if a < b:
                yield a, b
            n += 1

    def mend(self) -> None:
        """Take out, or bring back, what the cuts left without its partner."""
        for first, last in self._blocks():
            for pair in pairs_of(self.text, self.lines, first, last):
                self._mend_pair(pair)
        for left, right, gaps in self._voids():
            self._mend_separators(left, right, gaps[0][0], gaps[-1][1])
        for left, right, gaps in self._voids():
            for start, end in gaps:
                self._mend_space(left, right, start, end)

    # -- pairs ----------------------------------------------------------------------------

    def _blocks(self) -> Iterator[tuple[int, int]]:
        """Yield the paragraphs, list items and table rows in which something was cut, by their lines."""
        for first, last in blocks_of(self.lines):
            start, end = self.lines[first].start, self.lines[last].end
            if self.lines[first].fence is None and self.left_of(start, end) != self.text[start:end]:
                yield first, last

    def _mend_pair(self, pair: Pair) -> None:
        start, inside, outside, end = pair[:4]
        if self.left_of(start, end) == self.text[start:end]:
            return
        kept = [n for n in range(inside, outside) if self.out[n].strip()]
        if not kept:
            self.cut(start, end)
            return
        if not self.left_of(start, inside):
            self.out[kept[0]] = self.text[start:inside] + self.out[kept[0]]
        if not self.left_of(outside, end):
            self.out[kept[-1]] += self.text[outside:end]
        self._opens.add(inside - 1)
        self._closes.add(outside)

    # -- what stood between, before or behind what went -----------------------------------

    def _voids(self) -> Iterator[tuple[int, int, list[tuple[int, int]]]]:
        """Yield where stretches went side by side: what stands before, what stands behind, and the stretches."""
        left, n = -1, 0
        gaps: list[tuple[int, int]] = []
        while n < len(self.out):
            start = n
            while n < len(self.out) and not self.out[n]:
                n += 1
            if n > start:
                gaps.append((start, n))
                continue
            if self.out[n].strip():
                if gaps:
                    yield left, n, gaps
                    if not self.out[n]:  # that went now
                        continue
                left, gaps = n, []
            n += 1
        if gaps:
            yield left, n, gaps

    def _mend_separators(self, left: int, right: int, start: int, end: int) -> None:
        """Take out the comma of a list, the full stop and the footnote mark that belonged to what went."""
        text = self.text
        line = self.lines[line_at(self.lines, end - 1)]
        before = self.out[left][-1:] if left >= 0 else ""
        if before and before in _LINKS and end == line.end and text[end - 1] in ".!?":
            self.out[left] = text[end - 1]  # it was the last clause
        elif before and before in _LINKS and text[end : end + 1] in (".", "!", "?"):
            self.out[left] = ""
            return
        bare = left < line.start + line.lead or left in self._opens or before in ".!?:" + _LINKS + _OPENERS
        while bare and end < line.end and text[end] in _STOPS and not text[end + 1 : end + 2].isalnum():
            self.out[end] = ""
            end += 1
        while text.startswith("[^", end) and (stop := text.find("]", end, line.end)) > 0:
            self.cut(end, stop + 1)
            end = stop + 1
        right = max(right, end)
        if right >= len(text) or not before or before not in _OPENERS + ",":
            return
        behind = self.out[right][:1]
        if behind == ",":
            self.out[right] = ""
        elif behind and behind in _CLOSERS and before == "," and not text[start:right].rstrip().endswith(","):
            self.out[left] = self.out[left][:-1]

    def _mend_space(self, left: int, right: int, start: int, end: int) -> None:
        """Close up what is left of the line around a stretch that went."""
        line = self.lines[line_at(self.lines, start)]
        first = line.start + line.lead
        if right >= line.end:  # at the end of the line
            if left >= first:
                self._clear(left + 1, line.end)
        elif left < first:  # at its beginning
            self._clear(first, right)
        elif self.out[start - 1].isspace() or left in self._opens or self.out[left][-1] in _OPENERS:
            self._clear(end, right)
            stopped = self.out[right][0] in ",.;:!?)]}" and not self.text[right + 1 : right + 2].isalnum()
            if stopped or right in self._closes:
                self._clear(left + 1, start)

    def _clear(self, start: int, end: int) -> None:
        for n in range(start, end):
            if self.out[n].isspace():
                self.out[n] = ""
