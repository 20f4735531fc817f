"""What becomes of the lines around those that went: parents, labels, headings, fences, tables, blank lines. Pure.

From the last line to the first, so that what encloses is decided after what it encloses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from memstrata_integrations.redaction.draft import Draft
from memstrata_integrations.redaction.lines import Line, line_at

__all__ = ["SUPERSEDED", "settled"]

SUPERSEDED = "[superseded]"
"""What stands in the place of a stale value whose sentence says something else, too."""

_DEBRIS = " \t|*_~.,:;!?–—…\"'`-"
_LABEL = re.compile(r"[:?](?:\*{1,3}|_{1,2}|</\w+>)*[ \t]*$")
_BOLD = re.compile(r"(\*\*|__)(?=\S)[^*_]+\1")
_BREAK = re.compile(r"(?:[ \t]*[*_]){3,}[ \t]*")
_ALERT = re.compile(r"\[![A-Za-z]+\]|!!!? \w+(?: \"[^\"]*\")?")
_SECTION = re.compile(r"\[{1,2}[^\[\]]+\]{1,2}\s*(?:[#;].*)?$")
_SETTING = re.compile(r"[\w.\"'-]+\s*[=:]")
_DEFINITION = re.compile(r" {0,3}:[ \t]+\S")
_BLOCK_OF_CODE = re.compile(r"(?:async def|class|def|elif|except|for|if|while|with)\s+[\w(]")
_ENCLOSURE = re.compile(
    r"(?P<colons>:{3,})[ \t]*\w.*"
    r"|<(?P<tag>(?!(?:br|hr|img|input|link|meta)\b)[a-zA-Z][\w-]*)[^<>]*>[ \t]*(?:<summary>.*</summary>)?"
)
_SUMMARY = re.compile(r"<summary>.*</summary>$")
_SAYS = re.compile(
    r"(?:is|are|was|were|has|have|had|does|do|did|can|may|must|will|shall|should|i|we|you|he|she|they|it|who|which)$"
)
_NUMBERING = re.compile(r"[\d.]+[.)]?\s+")
_HEADING = 8  # words
_POINTS_DOWN = frozenset(("following", "follows", "below", "these"))


def settled(draft: Draft, live: Iterable[tuple[int, int]]) -> str:
    """Return what is left of a text.

    Args:
        draft: The text, of which stretches went.
        live: Where facts stand that hold; their lines stay in any case.
    """
    said = _Settling(draft, live, shells=True).text()
    # a text that holds no more than titles says at least what it was about
    return said if said.strip() else _Settling(draft, live, shells=False).text()


class _Settling:
    def __init__(self, draft: Draft, live: Iterable[tuple[int, int]], *, shells: bool) -> None:
        self.lines = draft.lines
        self.left: list[str | None] = [_remains(line, draft.left_of(line.start, line.end)) for line in draft.lines]
        self.live: set[int] = set()
        for start, end in live:
            self.live.update(range(line_at(self.lines, start), line_at(self.lines, max(start, end - 1)) + 1))
        for n in range(len(self.lines) - 1, -1, -1):
            self._settle(n, shells)

    def text(self) -> str:
        return _joined(self.lines, self.left)

    def _settle(self, n: int, shells: bool) -> None:
        line = self.lines[n]
        if self.left[n] is None:
            self._settle_gap(n)
        elif line.closes > n:
            self._drop_if_emptied(range(n + 1, line.closes), {n, line.closes}, brackets=True)
        elif line.table_rule and n and "|" in self.lines[n - 1].body:
            self._drop_if_emptied(self._rows(n + 1), {n - 1, n})
        elif line.fence is None and (enclosure := _ENCLOSURE.fullmatch(line.body.rstrip())):
            self._settle_enclosure(n, enclosure)
        elif shells and n not in self.live:
            self._settle_title(n)
        if self.left[n] is not None and not line.heading and _LABEL.search(str(self.left[n])):
            self._settle_label(n, shells)

    # -- a line that went -----------------------------------------------------------------

    def _settle_gap(self, n: int) -> None:
        """Keep what the lines below need: the marker of an item, the head of a table, a term, a heading."""
        line = self.lines[n]
        if n + 1 < len(self.lines) and self.left[n + 1] is not None:
            below = self.lines[n + 1]
            if below.table_rule:
                self.left[n] = line.text[: line.lead] + re.sub(r"[^|]+", " ", line.body.strip())
                return
            if _DEFINITION.match(below.text) and not line.marker:
                self.left[n] = SUPERSEDED
                return
            if below.underline and self._is_title_of(n, below):
                if self._holds(self._section(n + 2, 1 if "=" in below.text else 2)):
                    self.left[n] = SUPERSEDED
                else:
                    self.left[n + 1] = None
        if line.heading and self._holds(self._section(n + 1, line.heading)):
            self.left[n] = "#" * line.heading + " " + SUPERSEDED
        if n and not line.body.rstrip().endswith("\\") and self.lines[n - 1].body.rstrip().endswith("\\"):
            self._end_continuation(n)
        if not line.marker:
            return
        kept = [m for m in self._nested(n) if self.left[m] is not None and not self.lines[m].blank]
        if not kept:
            return
        first = self.lines[kept[0]]
        if first.plain or (first.fence is not None and not first.marker and line.fence is not None):
            said = str(self.left[kept[0]])
            self.left[n] = line.text[: line.lead] + said[first.quote :].lstrip(" \t")
            for m in range(n + 1, kept[0] + 1):
                self.left[m] = None
        else:
            self.left[n] = line.text[: line.lead].rstrip(" \t") + " " + SUPERSEDED

    def _end_continuation(self, n: int) -> None:
        """Take the backslash from the line that is the last of its command now."""
        for m in range(n - 1, -1, -1):
            if not self.lines[m].body.rstrip().endswith("\\"):
                return
            if self.left[m] is not None:
                self.left[m] = str(self.left[m]).rstrip().removesuffix("\\").rstrip()
                return

    def _is_title_of(self, n: int, underline: Line) -> bool:
        line = self.lines[n]
        return (
            line.plain
            and line.quote == underline.quote
            and (n == 0 or not self.lines[n - 1].plain)
            and not _SETTING.match(line.body)
        )

    # -- a line above those that went -----------------------------------------------------

    def _drop_if_emptied(self, inside: Iterable[int], around: Iterable[int], *, brackets: bool = False) -> bool:
        if not self._emptied(inside, brackets=brackets):
            return False
        for n in (*inside, *around):
            if n < len(self.left):
                self.left[n] = None
        return True

    def _emptied(self, inside: Iterable[int], *, brackets: bool = False) -> bool:
        """Whether all that these lines held went, and something did."""
        went = False
        for n in inside:
            said = self.left[n]
            if said is None:
                went = went or not self.lines[n].blank
            elif said.strip(" \t>" + "{}[]()," * brackets):
                return False
            else:
                went = went or said != self.lines[n].text
        return went

    def _holds(self, inside: Iterable[int]) -> bool:
        return any(self.left[n] is not None and not self.lines[n].blank for n in inside)

    def _settle_enclosure(self, n: int, opening: re.Match[str]) -> None:
        closing = opening["colons"] or f"</{opening['tag']}>"
        depth = 0
        for m in range(n + 1, len(self.lines)):
            body = self.lines[m].body.strip()
            if body == closing and not depth:
                inner = [i for i in range(n + 1, m) if not _SUMMARY.match(self.lines[i].body.strip())]
                if self._emptied(inner):
                    self._drop_if_emptied(inner, range(n, m + 1))
                return
            again = _ENCLOSURE.fullmatch(body)
            depth += (again is not None and again["tag"] == opening["tag"]) - (body == closing)

    def _settle_title(self, n: int) -> None:
        """Drop a heading, an alert's or a section's name, or a term with all that stood under it."""
        line = self.lines[n]
        if line.fence is None and n + 1 < len(self.lines):
            below = self.lines[n + 1]
            if below.underline and self._is_title_of(n, below) and _is_title(line.body, _HEADING):
                level = 1 if "=" in below.text else 2
                self._drop_if_emptied(self._section(n + 2, level), {n, n + 1})
                return
            if line.plain and _DEFINITION.match(below.text):
                self._drop_if_emptied(self._definitions(n + 1), {n})
                return
        if line.heading:
            if _is_title(line.body.strip("# \t"), _HEADING):
                self._drop_if_emptied(self._section(n + 1, line.heading), {n})
        elif line.underline or _BREAK.fullmatch(line.body):
            self._drop_if_emptied(range(n + 1, len(self.lines)), {n})
        elif line.plain and _BOLD.fullmatch(line.body.rstrip()) and _is_title(line.body):
            self._drop_if_emptied(self._introduced(n), {n})
        elif _ALERT.fullmatch(line.body.strip()):
            self._drop_if_emptied(self._quotation(n) if line.quote else self._nested(n), {n})
        elif _SECTION.match(line.text) and (inside := self._settings(n)):
            self._drop_if_emptied(inside, {n})

    def _settle_label(self, n: int, shells: bool) -> None:
        """Drop a label with all that it introduced; a whole sentence that did so stays, and says what is missing."""
        line = self.lines[n]
        said = str(self.left[n])
        nested = self._nested(n)
        held = any(not self.lines[m].blank for m in nested)
        cut_off = said != line.text and not _LABEL.search(line.text)
        inside = nested if held or cut_off else self._introduced(n)
        if cut_off and n + 1 < len(self.lines) and self.lines[n + 1].plain and self.left[n + 1] is not None:
            return  # its paragraph goes on
        if not self._emptied(inside) and not (cut_off and all(self.left[m] is None for m in inside)):
            return
        if held and _BLOCK_OF_CODE.match(line.body):
            self.left[n] = said.rstrip() + " ..."
        elif n not in self.live and (line.fence is not None or _is_title(said[line.lead :])):
            if shells or line.marker:
                self.left[n] = None
                for m in inside:
                    self.left[m] = None
        else:
            stop = max(said.rfind(mark) for mark in (". ", "! ", "? "))
            if n not in self.live and stop >= 0 and _is_title(said[stop + 2 :]):
                self.left[n] = said[: stop + 1]
            else:
                self.left[n] = said.rstrip() + " " + SUPERSEDED

    # -- what stands under a line ---------------------------------------------------------

    def _nested(self, n: int) -> list[int]:
        """Return the lines that are indented more than a line, or that the quotation mark of an alert covers."""
        line = self.lines[n]
        found: list[int] = []
        for m in range(n + 1, len(self.lines)):
            below = self.lines[m]
            if not below.blank and (below.indent <= line.indent or below.fence != line.fence is not None):
                break
            found.append(m)
        while found and self.lines[found[-1]].blank:
            found.pop()
        return found

    def _quotation(self, n: int) -> list[int]:
        return list(self._while(n + 1, lambda line: line.quote > 0))

    def _rows(self, n: int) -> list[int]:
        return list(self._while(n, lambda line: "|" in line.body))

    def _definitions(self, n: int) -> list[int]:
        return list(self._while(n, lambda line: line.blank or line.indent > 0 or line.body.startswith(":")))

    def _section(self, n: int, level: int) -> list[int]:
        """Return the lines up to the next heading that is not below `level`."""
        found: list[int] = []
        for m in range(n, len(self.lines)):
            line = self.lines[m]
            if 0 < line.heading <= level:
                break
            below = self.lines[m + 1] if m + 1 < len(self.lines) else line
            if below.underline and self._is_title_of(m, below) and (level >= 2 or "=" in below.text):
                break
            found.append(m)
        return found

    def _settings(self, n: int) -> list[int]:
        """Return the settings of an INI or TOML section."""
        fence = self.lines[n].fence
        found = list(self._while(n + 1, lambda line: line.fence == fence and not _SECTION.match(line.text)))
        first = next((self.lines[m] for m in found if not self.lines[m].blank), None)
        return found if first is not None and _SETTING.match(first.body) else []

    def _introduced(self, n: int) -> list[int]:
        """Return the list, table, block or paragraphs that a label stands before."""
        line = self.lines[n]
        m = n + 1
        while m < len(self.lines) and self.lines[m].blank:
            m += 1
        if m == len(self.lines):
            return []
        first = self.lines[m]
        if first.closes > m:
            return list(range(m, min(first.closes + 1, len(self.lines))))
        if m + 1 < len(self.lines) and self.lines[m + 1].table_rule:
            return self._rows(m)
        if first.marker and first.indent >= line.indent:
            return self._list(m)
        if not first.plain or line.marker or line.fence is not None:
            return []
        if m == n + 1:
            return list(self._while(m, lambda other: other.plain))
        end = next((i for i in range(m, len(self.lines)) if self._begins(i)), len(self.lines))
        return list(range(m, end))

    def _begins(self, n: int) -> bool:
        """Whether a line begins something of its own: a heading, a rule, or what another label introduces."""
        line = self.lines[n]
        named = _LABEL.search(line.text) or _BOLD.fullmatch(line.body.rstrip())
        return bool(line.heading) or line.underline or (line.plain and named is not None)

    def _list(self, n: int) -> list[int]:
        indent = self.lines[n].indent
        found: list[int] = []
        for m in range(n, len(self.lines)):
            line = self.lines[m]
            after_blank = m > n and self.lines[m - 1].blank
            if line.heading or (
                not line.blank
                and not line.marker
                and line.indent <= indent
                and (after_blank or _SETTING.match(line.body))
            ):
                break
            if line.fence is None and line.closes >= 0 and line.indent <= indent:
                break
            found.append(m)
        return found

    def _while(self, n: int, holds: Callable[[Line], bool]) -> Iterator[int]:
        while n < len(self.lines) and holds(self.lines[n]):
            yield n
            n += 1


def _remains(line: Line, said: str) -> str | None:
    """Return what is left of a line; `None` if that says nothing, and the whole line said something."""
    if said == line.text:
        return said
    return said if said[line.lead :].strip(_DEBRIS + "#" * (line.heading > 0)) or not line.body.strip() else None


def _is_title(said: str, most: int = 4) -> bool:
    """Whether words name what follows, rather than say something by themselves; `most`: how many at most."""
    if re.search(r"[.!?] ", said):
        return False
    if said.rstrip("*_ \t").endswith("?"):
        return True
    words = re.findall(r"[^\W_]+", _NUMBERING.sub("", said.lower(), count=1))
    return (
        len(words) <= (most if _POINTS_DOWN.isdisjoint(words) else 7)
        and not any(word.isdigit() for word in words)
        and not any(_SAYS.match(word) for word in words[:-1])
    )


# -- putting it together ------------------------------------------------------------------


def _joined(lines: Sequence[Line], left: Sequence[str | None]) -> str:
    """Join the lines that are left; where some went, two blank lines never meet, and no two blocks merge."""
    result: list[tuple[str, str]] = []  # each line with its end
    above: Line | None = None
    gone = False
    for line, said in zip(lines, left, strict=True):
        if said is None:
            gone = True
            continue
        blank = not said.strip(" \t>")
        if gone:
            if blank and (not result or not result[-1][0].strip(" \t>")) and line is not lines[-1]:
                if result and len(said) < len(result[-1][0]):
                    result[-1] = (said, line.eol)  # the quotation ended here
                continue
            if not blank and above is not None and _merges(above, line):
                result.append((line.text[: line.quote].rstrip(), result[-1][1]))
        gone = gone and blank
        above = line
        result.append((said, line.eol))
    if gone or (left and left[-1] is None):
        while result and not result[-1][0].strip(" \t>"):
            result.pop()
        if result:
            result[-1] = (result[-1][0], lines[-2].eol if len(lines) > 1 and not lines[-1].text else "")
    return "".join(said + eol for said, eol in result)


def _merges(above: Line, line: Line) -> bool:
    """Whether a line would become part of the paragraph above, or make a heading of it."""
    if not above.plain:
        return False
    return line.underline or (line.marker[:-1].isdigit() and line.marker[:-1] != "1")
