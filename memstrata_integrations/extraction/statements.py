"""Where the statements of a text stand, and what they stand under. One pass, linear."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from memstrata_integrations.extraction.lexicon import FINITE_VERBS, IMPERATIVES, SUPPRESSING_HEADINGS, UNASSERTED
from memstrata_integrations.extraction.lines import is_field, is_pin
from memstrata_integrations.words import word_set

__all__ = ["Statement", "statements"]


class Statement(NamedTuple):
    """One statement and its surroundings.

    Attributes:
        kind: "sentence", "field", "pin", "row"; "prose" states nothing readable; "context" (a
            heading, a rule, a fence, a header row) says nothing by itself.
        start: Where it starts in the text.
        end: Where it ends.
        headings: The headings above it, outermost first.
        parents: The keys and sections it is nested in, outermost first.
        record: Fields with the same number belong to one record; -1 outside of records.
        listed: It is a list item.
        fenced: It stands in a fenced block.
        header: The header cells, for a table row.
    """

    kind: str
    start: int
    end: int
    headings: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()
    record: int = -1
    listed: bool = False
    fenced: bool = False
    header: tuple[str, ...] = ()


_LINE = re.compile(r"[^\n]*")
_HEADING = re.compile(r"(#{1,6})\s+(\S.*)")
_SECTION = re.compile(r"\[{1,2}([^\[\]]{1,100})\]{1,2}\s*(?:[#;].*)?$")
_BULLET = re.compile(r"(?:[-*+•]|\d{1,4}[.)])\s+")
_TASK = re.compile(r"\[[ xX]\]\s")
_RULE = re.compile(r"(?:[-*_=]\s*){3,}$")
_FENCE = re.compile(r"(?:```|~~~)\s*([\w.+-]*)")
_PARENT = re.compile(r"[\"']?([A-Za-z_][\w ./-]{0,60})[\"']?:\s*(?:#.*)?$")
_COMMENT = ("//", ";", "--", "/*", "*/", "<!--", "%", ">", "#", "$ ", ".. ", "...")
_CONFIG_FENCES = word_set("yaml yml toml ini env dotenv properties conf cfg requirements")
_SENTENCE_END = re.compile(r"(?<![.!?])[.!?]+[\"'”’)\]]*\s+(?=[\"'“‘(\[`]?[A-Z0-9`/])")
_ABBREVIATIONS = word_set(
    "e.g. i.e. etc. vs. mr. mrs. ms. dr. prof. st. no. nr. fig. cf. approx. inc. ltd. co. corp. dept. jr."
    " sr. a.m. p.m. al."
)
_PROSE_LINE = 40  # characters: a longer line without a full stop runs on into the next


def statements(text: str) -> Iterator[Statement]:
    r"""Yield the statements of a text in order.

    Example:
        >>> [(s.kind, s.start, s.end) for s in statements("# Ports\nThe port is 80. It is open.")]
        [('context', 0, 7), ('sentence', 8, 23), ('sentence', 24, 35)]
    """
    if "\n" not in text and text[:1].isalpha() and not is_field(text) and not is_pin(text):
        yield from _sentences(text, 0, len(text.rstrip()), (), False)
        return
    yield from _Reader(text).read()


def _sentences(text: str, start: int, end: int, headings: tuple[str, ...], listed: bool) -> Iterator[Statement]:
    pos = start
    for stop in _SENTENCE_END.finditer(text, start, end):
        last = text.rfind(" ", pos, stop.start() + 1) + 1
        word = text[max(last, pos) : stop.end()].strip().lower()
        if word in _ABBREVIATIONS or (len(word) == 2 and word[0].isalpha() and text[stop.start() - 1].isupper()):
            continue
        stripped = stop.end() - len(stop[0]) + len(stop[0].rstrip())
        yield Statement("sentence", pos, stripped, headings, listed=listed)
        pos = stop.end()
    if pos < end:
        yield Statement("sentence", pos, end, headings, listed=listed)


class _Reader:
    """Reads the lines of one text, with what stands above them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.headings: list[tuple[int, str]] = []
        self.section: str | None = None
        self.parents: list[tuple[int, str]] = []
        self.lead: str | None = None
        self.paragraph: tuple[int, int, bool] | None = None
        self.record = 0
        self.record_open = False
        self.record_indent = -1
        self.header: tuple[str, ...] = ()
        self.row_waiting: tuple[int, int] | None = None

    def read(self) -> Iterator[Statement]:
        text = self.text
        fence: str | None = None
        fenced = False
        for match in _LINE.finditer(text):
            start, end = match.span()
            if start == end and start and text[start - 1] != "\n":
                continue
            raw = match[0].rstrip()
            stripped = raw.lstrip()
            indent = len(raw) - len(stripped)
            begin, stop = start + indent, start + len(raw)
            opening = _FENCE.match(stripped) if stripped[:1] in "`~" and stripped else None
            if opening is not None:
                yield from self.flush()
                fence = opening[1].lower() if fence is None else None
                fenced = fence is not None
                self.end_record()
                self.parents.clear()
                yield Statement("context", begin, stop)
                continue
            if fenced:
                if not stripped:
                    continue
                if fence not in _CONFIG_FENCES:
                    yield Statement("prose", begin, stop, fenced=True)
                    continue
                for found in self.line(stripped, begin, stop, indent):
                    yield found._replace(fenced=True)
                continue
            yield from self.line(stripped, begin, stop, indent)
        yield from self.flush()

    def above(self) -> tuple[str, ...]:
        heads = tuple(h for _, h in self.headings)
        return (*heads, self.lead) if self.lead else heads

    def nested(self) -> tuple[str, ...]:
        keys = tuple(k for _, k in self.parents)
        return (self.section, *keys) if self.section else keys

    def flush(self) -> Iterator[Statement]:
        if self.row_waiting is not None:
            yield Statement("prose", *self.row_waiting)
            self.row_waiting = None
        if self.paragraph is not None:
            start, end, listed = self.paragraph
            self.paragraph = None
            yield from _sentences(self.text, start, end, self.above(), listed)

    def end_record(self) -> None:
        if self.record_open:
            self.record += 1
        self.record_open = False
        self.record_indent = -1

    def line(self, stripped: str, begin: int, stop: int, indent: int) -> Iterator[Statement]:
        if not stripped:
            yield from self.flush()
            if not self.parents:
                self.end_record()
                self.lead = None
            self.header = ()
            return
        first = stripped[0]
        if first == "|":
            yield from self.row(stripped, begin, stop)
            return
        self.header = ()
        if first == "#" or first in "=-*_[$." or stripped.startswith(_COMMENT):
            found = self.markup(stripped, begin, stop)
            if found is not None:
                yield from self.flush() if found.kind != "setext" else ()
                self.end_record()
                yield found._replace(kind="context") if found.kind == "setext" else found
                return
        bullet = _BULLET.match(stripped)
        if bullet is not None and self.paragraph is not None and not self.paragraph[2] and first.isdigit():
            bullet = None if not self.ended() else bullet
        if bullet is not None:
            yield from self.flush()
            begin += bullet.end()
            stripped = stripped[bullet.end() :]
            if self.record_indent >= 0 and indent <= self.record_indent - 1:
                self.end_record()
            indent += bullet.end()
            if _TASK.match(stripped):
                yield Statement("prose", begin, stop, listed=True)
                return
        yield from self.content(stripped, begin, stop, indent, bullet is not None)

    def content(self, stripped: str, begin: int, stop: int, indent: int, listed: bool) -> Iterator[Statement]:
        while self.parents and self.parents[-1][0] >= indent:
            self.parents.pop()
        running = self.paragraph is not None and not self.ended()
        if not running and (is_field(stripped) or is_pin(stripped)):
            yield from self.flush()
            if indent and not listed and not self.parents and self.record_indent < indent:
                # a fragment: what it is nested in cannot be seen
                yield Statement("prose", begin, stop)
                return
            if listed:
                self.record_indent = max(indent, 1)
            self.record_open = True
            kind = "pin" if is_pin(stripped) else "field"
            yield Statement(kind, begin, stop, self.above(), self.nested(), self.record, listed)
            return
        parent = None if running else _PARENT.match(stripped)
        if parent is not None:
            yield from self.flush()
            self.end_record()
            if " " in parent[1] or (not indent and not parent[1][0].islower()):
                self.lead = parent[1]
            else:
                self.parents.append((indent, parent[1]))
            yield Statement("context" if _is_title(parent[1]) else "prose", begin, stop)
            return
        if listed or self.paragraph is None:
            yield from self.flush()
            if not listed:
                self.end_record()
            if not indent and not listed:
                self.parents.clear()
            if stripped.endswith(":"):
                self.lead = stripped[:-1]
                yield Statement("prose", begin, stop)
                return
            self.paragraph = (begin, stop, listed)
        else:
            self.paragraph = (self.paragraph[0], stop, self.paragraph[2])

    def ended(self) -> bool:
        """Whether the paragraph before stands complete."""
        if self.paragraph is None:
            return True
        start, end, _ = self.paragraph
        return self.text[end - 1] in ".!?:;" or (
            end - start <= _PROSE_LINE and "\n" not in self.text[start:end] and self.text[end - 1] != ","
        )

    def markup(self, stripped: str, begin: int, stop: int) -> Statement | None:
        """Read a heading, a section, a rule or a comment."""
        heading = _HEADING.match(stripped)
        if heading is not None:
            title = heading[2].rstrip("# ").strip("*_ ")
            if is_field(title) or is_pin(title):
                return Statement("prose", begin, stop)  # a comment that disables a setting
            level = len(heading[1])
            while self.headings and self.headings[-1][0] >= level:
                self.headings.pop()
            self.headings.append((level, title))
            self.section, self.lead = None, None
            self.parents.clear()
            return Statement("context", begin, stop)
        if stripped[0] == "[":
            section = _SECTION.match(stripped)
            if section is not None:
                self.section = f"[{section[1].strip()}]"
                self.parents.clear()
                return Statement("context", begin, stop)
            return None
        if _RULE.match(stripped):
            if self.paragraph is not None and stripped[0] in "=-" and not self.paragraph[2]:
                start, end, _ = self.paragraph
                title = self.text[start:end]
                if len(title) <= 80 and "\n" not in title and title[-1] not in ".!?:":
                    self.paragraph = None
                    self.headings = (
                        [h for h in self.headings if h[0] < 1]
                        if stripped[0] == "="
                        else [h for h in self.headings if h[0] < 2]
                    )
                    self.headings.append((1 if stripped[0] == "=" else 2, title))
                    self.lead = None
                    return Statement("setext", start, stop)
            self.lead = None
            return Statement("context", begin, stop)
        if stripped.startswith(_COMMENT) and not (stripped[0] == "-" and _BULLET.match(stripped)):
            return Statement("prose", begin, stop)
        return None

    def row(self, stripped: str, begin: int, stop: int) -> Iterator[Statement]:
        if self.header:
            yield Statement("row", begin, stop, self.above(), (), self.record, header=self.header)
        elif self.row_waiting is not None and set(stripped) <= set("|-: "):
            self.header = tuple(cells(self.text[self.row_waiting[0] : self.row_waiting[1]]))
            waiting, self.row_waiting = self.row_waiting, None
            yield Statement("context", waiting[0], waiting[1])
            yield Statement("context", begin, stop)
        else:
            yield from self.flush()
            self.row_waiting = (begin, stop)
            self.end_record()


def cells(row: str) -> list[str]:
    """Return the cells of a table row.

    Example:
        >>> cells("| port | 80 |")
        ['port', '80']
    """
    return [c.strip() for c in row.strip().strip("|").split("|")]


def _is_title(line: str) -> bool:
    """Whether a line before a colon names what follows, rather than talks of it."""
    words = line.lower().split()
    return (
        len(words) <= 3 and words[0] not in IMPERATIVES and not any(w in FINITE_VERBS or w in UNASSERTED for w in words)
    )


def suppresses(headings: tuple[str, ...]) -> bool:
    """Whether what stands under these headings is an example, a plan, or of the past."""
    for heading in headings:
        for word in heading.lower().split():
            bare = word.strip(".,:;!?()[]`'\"")
            if bare in SUPPRESSING_HEADINGS or bare in UNASSERTED or word.endswith("?"):
                return True
    return False
