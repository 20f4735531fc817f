"""What becomes of the lines around those that went: parents, labels, headings, fences, tables, blank lines. Pure.

From the last line to the first, so that what encloses is decided after what it encloses.
"""

import re
from collections.abc import Callable, Iterable, Sequence

from memstrata_integrations.redaction.draft import Draft
from memstrata_integrations.redaction.lines import Line, line_at

SUPERSEDED = "[superseded]"
"""What stands in the place of a stale value whose sentence says something else, too."""

_EMPTY = " \t>"
_BLANK_END = re.compile(r"(?:\r?\n[ \t>]*)+\Z")
_DEBRIS = " \t|*_~.,:;!?–—…\"'`-"
_LABEL = re.compile(r"[:?](?:\*{1,3}|_{1,2}|</\w+>)*[ \t]*$")
# a line in bold, a section of a configuration, an alert
_NAME = re.compile(r"(?:(\*\*|__)[^*_]+\1|\[{1,2}[^\[\]]+\]{1,2}|!!! \w.*)[ \t]*")
_BLOCK_OF_CODE = re.compile(r"(?:async def|class|def|elif|except|for|if|while|with)\s+[\w(]")
_NUMBERING = re.compile(r"[\d.]+[.)]?\s+")
_SAYS = frozenset(
    "is are was were has have had does do did can may must will shall should i we you he she they it who which".split()
)


def settled(draft: Draft, live: Iterable[tuple[int, int]]) -> str:
    """Return what is left of a text.

    Args:
        draft: The text, of which stretches went.
        live: Where facts stand that hold; their lines stay in any case.
    """
    lines = draft.lines
    left = [_remains(line, said) for line, said in zip(lines, draft.mended(), strict=True)]
    text = _joined(lines, _Settling(lines, left, live).left)
    if text.strip(_DEBRIS + "\r\n>="):
        return text
    titles = [said + line.eol for line, said in zip(lines, left, strict=True) if said and _names(line, said)]
    return _BLANK_END.sub(_last_end(lines), "".join(titles))  # what it was about, at least


class _Settling:
    """The lines of a text, and what is left of each."""

    def __init__(self, lines: Sequence[Line], left: Sequence[str | None], live: Iterable[tuple[int, int]]) -> None:
        self.lines = lines
        self.left = list(left)
        self.live: set[int] = set()
        for start, end in live:
            self.live.update(range(line_at(lines, start), line_at(lines, max(start, end - 1)) + 1))
        for n in range(len(lines) - 1, -1, -1):
            if self.left[n] is None:
                self._settle_gap(n)
            if self.left[n] is not None:
                self._settle(n)

    def _settle_gap(self, n: int) -> None:
        """Keep what the lines below one that went need: the marker of an item, the head of a table, a heading."""
        line = self.lines[n]
        below = self.lines[n + 1] if n + 1 < len(self.lines) and self.left[n + 1] is not None else None
        nested = [m for m in self._nested(n) if (self.left[m] or "").strip(_EMPTY)]
        if below is not None and below.table_rule:
            self.left[n] = line.text[: line.lead] + re.sub(r"[^|]+", " ", line.body.strip())
        elif below is not None and below.underline and "=" in below.text:
            self.left[n + 1] = None
        elif line.heading and self._holds(self._section(n)):
            self.left[n] = "#" * line.heading + " " + SUPERSEDED
        elif line.marker and nested:
            first = self.lines[nested[0]]
            if first.plain or (line.fence is not None and not first.marker):
                said = str(self.left[nested[0]])
                self.left[n] = line.text[: line.lead] + said[first.quote :].lstrip(" \t")
                self._drop(range(n + 1, nested[0] + 1))
            else:
                self.left[n] = line.text[: line.lead].rstrip(" \t") + " " + SUPERSEDED

    def _settle(self, n: int) -> None:
        """Drop a line that only encloses or introduces others with all that it did."""
        line = self.lines[n]
        if line.closes > n:
            if self._emptied(range(n + 1, line.closes), _EMPTY + "{}[](),"):
                self._drop(range(n, min(line.closes + 1, len(self.lines))))
        elif line.table_rule and n:
            rows = self._while(n + 1, lambda row: "|" in row.body and not row.table_rule)
            if self._emptied(rows):
                self._drop([n - 1, n, *rows])
        elif line.heading:
            section = self._section(n)
            if self._emptied(section) and self._is_title(n, words=8):
                self._drop([n, *section])
        elif _names(line, str(self.left[n])):
            self._settle_label(n)

    def _settle_label(self, n: int) -> None:
        """Drop a label with all that it introduced; a whole sentence that did so stays, and says what is missing."""
        line, said = self.lines[n], str(self.left[n])
        inside = self._nested(n)
        if said != line.text and not _LABEL.search(line.text):  # it introduced what went of its own line
            goes_on = n + 1 < len(self.lines) and self.lines[n + 1].plain and self.left[n + 1] is not None
            over = not goes_on and not self._holds(inside)
        else:
            inside = inside or self._introduced(n)
            over = self._emptied(inside)
        if not over:
            return
        if _BLOCK_OF_CODE.match(line.body):
            self.left[n] = said.rstrip() + " ..."
        elif self._is_title(n, words=4) or (line.fence is not None and n not in self.live):
            self._drop([n, *inside])
        elif _LABEL.search(said):
            self.left[n] = said.rstrip() + " " + SUPERSEDED

    def _is_title(self, n: int, words: int) -> bool:
        """Whether a line names what follows in at most so many words, rather than says something by itself."""
        said = str(self.left[n])[self.lines[n].lead :].strip("#*_! \t")
        if n in self.live or re.search(r"[.!?] ", said):
            return False
        found = re.findall(r"[^\W_]+", _NUMBERING.sub("", said.lower(), count=1))
        says = len(found) > words or any(w.isdigit() for w in found) or not _SAYS.isdisjoint(found[:-1])
        return said.endswith("?") or not says

    # -- what stands under a line ---------------------------------------------------------

    def _drop(self, numbers: Iterable[int]) -> None:
        for n in numbers:
            self.left[n] = None

    def _holds(self, inside: Iterable[int], debris: str = _EMPTY) -> bool:
        return any((self.left[n] or "").strip(debris) for n in inside)

    def _emptied(self, inside: Sequence[int], debris: str = _EMPTY) -> bool:
        """Whether all that these lines held went, and something did."""
        return not self._holds(inside, debris) and any(self.left[n] != self.lines[n].text for n in inside)

    def _nested(self, n: int) -> list[int]:
        """Return the lines that are indented more than a line."""
        line = self.lines[n]
        found = self._while(n + 1, lambda below: below.blank or below.indent > line.indent)
        while found and self.lines[found[-1]].blank:
            found.pop()
        return found

    def _section(self, n: int) -> list[int]:
        """Return the lines up to the next heading that is not below that of a line."""
        level = self.lines[n].heading
        return self._while(n + 1, lambda line: not 0 < line.heading <= level)

    def _introduced(self, n: int) -> list[int]:
        """Return the list, table, block or paragraphs that a label stands before."""
        line = self.lines[n]
        if line.text.startswith("["):
            return self._while(n + 1, lambda below: below.fence == line.fence and not below.text.startswith("["))
        m = n + 1 + len(self._while(n + 1, lambda below: below.blank))
        if m == len(self.lines):
            return []
        first = self.lines[m]
        if first.closes > m:
            return list(range(m, min(first.closes + 1, len(self.lines))))
        if first.marker and first.indent >= line.indent:
            ends = bool(line.marker)  # where the next item of its own list introduces others
            return self._while(
                m,
                lambda item: (
                    (item.blank or bool(item.marker) or item.indent > first.indent)
                    and not (ends and item.indent == line.indent and _names(item, item.text))
                ),
            )
        if first.body.startswith("|"):
            return self._while(m, lambda row: "|" in row.body)
        if not first.plain or line.marker or line.fence is not None:
            return []
        if m == n + 1:
            return self._while(m, lambda other: other.plain and not _names(other, other.text))
        return self._while(m, lambda x: not (x.underline or ((x.plain or x.heading) and _names(x, x.text))))

    def _while(self, n: int, holds: Callable[[Line], bool]) -> list[int]:
        end = next((m for m in range(n, len(self.lines)) if not holds(self.lines[m])), len(self.lines))
        return list(range(n, end))


def _names(line: Line, said: str) -> bool:
    """Whether what is left of a line may name what follows: a heading, a line in bold, one that ends with a colon."""
    return line.heading > 0 or bool(_LABEL.search(said) or _NAME.fullmatch(said[line.quote :]))


def _remains(line: Line, said: str) -> str | None:
    """Return what is left of a line; `None` if that says nothing, and the whole line said something."""
    said = said.removesuffix("\r")
    if said == line.text:
        return said
    return said if said[line.lead :].strip(_DEBRIS + "#" * (line.heading > 0)) else None


# -- putting it together ------------------------------------------------------------------


def _joined(lines: Sequence[Line], left: Sequence[str | None]) -> str:
    """Join the lines that are left; where some went, two blank lines never meet, and no two blocks merge."""
    result: list[str] = []
    above: Line | None = None
    gone = False
    for line, said in zip(lines, left, strict=True):
        if said is None:
            gone = True
            if above is not None and above.text.endswith("\\") and not line.text.endswith("\\"):
                result[-1] = result[-1].rstrip("\\ \t\r\n") + above.eol  # the last of its command now
            continue
        blank = not said.strip(_EMPTY)
        if gone and blank and not (result and result[-1].strip(_EMPTY + "\r\n")):
            del result[-1:]
            if not result:
                continue
        if gone and above is not None and _merges(above, line):
            result.append(line.text[: line.quote].rstrip() + above.eol)
        gone = gone and blank
        above = line
        result.append(said + line.eol)
    return _BLANK_END.sub(_last_end(lines), "".join(result)) if gone else "".join(result)


def _last_end(lines: Sequence[Line]) -> str:
    """Return the line end with which the text ended, if it did."""
    return lines[-2].eol if len(lines) > 1 and not lines[-1].text else ""


def _merges(above: Line, line: Line) -> bool:
    """Whether a line would become part of the paragraph above, or make a heading of it."""
    return above.plain and (line.underline or (line.marker[:-1].isdigit() and line.marker[:-1] != "1"))
