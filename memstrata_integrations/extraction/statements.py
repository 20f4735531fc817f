"""Where the statements of a text stand, and what they stand under. One pass, linear."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from memstrata_integrations.extraction.sentences.lexicon import (
    FINITE_VERBS,
    IMPERATIVES,
    SUPPRESSING_HEADINGS,
    UNASSERTED,
)
from memstrata_integrations.extraction.sentences.lines import is_field, is_pin
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
        header: The header cells, for a table row; of a fence, what stands behind it if it opens a block, else
            the fence itself.
        level: The level of the outermost heading above it, 0 if none can be seen; of a heading, its own.
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
    level: int = 0


_LINE = re.compile(r"[^\n]*")
_HEADING = re.compile(r"(#{1,6})\s+(\S.*)")
_SECTION = re.compile(r"\[{1,2}([^\[\]]{1,100})\]{1,2}\s*(?:[#;].*)?$")
_BULLET = re.compile(r"(?:[-*+•]|\d{1,4}[.)])\s+")
_TASK = re.compile(r"\[[ xX]\]\s")
_RULE = re.compile(r"(?:[-*_=]\s*){3,}$")
_FENCE = re.compile(r"(?P<mark>`{3,}|~{3,})[ \t]*(?P<info>[^`\n]*)$")
_PARENT = re.compile(r"[\"']?([A-Za-z_][\w ./-]{0,60})[\"']?:\s*(?:#.*)?$")
_COMMENT = ("//", ";", "--", "/*", "*/", "<!--", "%", ">", "#", "$ ", ".. ", "...")
_FENCE_LINE = re.compile(r"^[ \t]*(?P<mark>`{3,}|~{3,})[ \t]*(?P<info>[^`\n]*)$", re.MULTILINE)
_LANGUAGE = re.compile(r"[\w.+-]+")
_CONFIG_FENCES = word_set("yaml yml toml ini env dotenv properties conf cfg requirements")
_SENTENCE_END = re.compile(r"[.!?](?<![.!?].)[.!?]*[\"'”’)\]]*\s+(?=[\"'“‘(\[`]?[A-Z0-9`/])")
_ABBREVIATIONS = word_set(
    "e.g. i.e. etc. vs. mr. mrs. ms. dr. prof. rev. fr. cllr. capt. col. lt. sgt. hon. st. no. nr. fig. cf. approx. "
    "inc. ltd. co. corp. dept. jr. sr. a.m. p.m. al."
)
_INITIALS = re.compile(r"(?:[A-Z]\.){2,}")
_OPENERS = (
    "The ",
    "It ",
    "A ",
    "An ",
    "We ",
    "I ",
    "They ",
    "He ",
    "She ",
    "This ",
    "In ",
    "Our ",
    "My ",
    "If ",
    "There ",
)
_PROSE_LINE = 40  # characters: a longer line without a full stop runs on into the next


def statements(text: str, headings: Sequence[tuple[int, str]] = ()) -> Iterable[Statement]:
    r"""Return the statements of a text in order.

    Args:
        text: The text.
        headings: Those that it stands under, each with its level, if metadata names them.

    Example:
        >>> [(s.kind, s.start, s.end) for s in statements("# Ports\nThe port is 80. It is open.")]
        [('context', 0, 7), ('sentence', 8, 23), ('sentence', 24, 35)]
    """
    if not headings and "\n" not in text and text[:1].isalpha() and not is_field(text) and not is_pin(text):
        return _sentences(text, 0, len(text.rstrip()), (), False)
    return _Reader(text, headings).read()


def _sentences(
    text: str, start: int, end: int, headings: tuple[str, ...], listed: bool, level: int = 0
) -> list[Statement]:
    pos = start
    found: list[Statement] = []
    inner = text[start : end - 1]  # a full stop at the very end parts nothing
    stops = "." in inner or "!" in inner or "?" in inner
    for stop in _SENTENCE_END.finditer(text, start, end) if stops else ():
        last = text.rfind(" ", pos, stop.start() + 1) + 1
        word = text[max(last, pos) : stop.end()].strip().lower()
        if word in _ABBREVIATIONS or (len(word) == 2 and word[0].isalpha() and text[stop.start() - 1].isupper()):
            continue
        if _INITIALS.fullmatch(word.upper()) and not text.startswith(_OPENERS, stop.end()):
            continue  # "J.P. Morgan"
        stripped = stop.end() - len(stop[0]) + len(stop[0].rstrip())
        found.append(Statement("sentence", pos, stripped, headings, listed=listed, level=level))
        pos = stop.end()
    if pos < end:
        found.append(Statement("sentence", pos, end, headings, listed=listed, level=level))
    return found


class _Block(NamedTuple):
    """A fenced block that is open, and the headings above it."""

    mark: str
    language: str
    headings: list[tuple[int, str]]


class _Reader:
    """Reads the lines of one text, with what stands above them."""

    def __init__(self, text: str, headings: Sequence[tuple[int, str]] = ()) -> None:
        self.text = text
        self.headings = list(headings)
        self.section: str | None = None
        self.parents: list[tuple[int, str]] = []
        self.lead: str | None = None
        self.paragraph: tuple[int, int, bool] | None = None
        self.record = 0
        self.record_open = False
        self.record_indent = -1
        self.header: tuple[str, ...] = ()
        self.row_waiting: tuple[int, int] | None = None
        self.block: _Block | None = None

    def read(self) -> Iterator[Statement]:
        text = self.text
        closes = _cut_block(text)
        for match in _LINE.finditer(text):
            start, end = match.span()
            if start == end and start and text[start - 1] != "\n":
                continue
            raw = match[0].rstrip()
            stripped = raw.lstrip()
            indent = len(raw) - len(stripped)
            begin, stop = start + indent, start + len(raw)
            if end < closes:  # the rest of a block that began before this text
                if stripped:
                    yield Statement("prose", begin, stop, fenced=True)
            elif end == closes:
                yield Statement("context", begin, stop, fenced=True, header=(stripped,))
            elif stripped[:1] in ("`", "~") and (line := _FENCE.match(stripped)) and self.is_fence(line):
                yield from self.fence(line, begin, stop)
            elif self.block is None:
                yield from self.line(stripped, begin, stop, indent)
            elif self.block.language in _CONFIG_FENCES:
                for found in self.line(stripped, begin, stop, indent) if stripped else ():
                    yield found._replace(fenced=True, level=0)
            elif stripped:
                yield Statement("prose", begin, stop, fenced=True)
        yield from self.flush()

    def is_fence(self, line: re.Match[str]) -> bool:
        """Whether a line that looks like a fence opens a block, or closes the one that is open."""
        return self.block is None or (line["mark"].startswith(self.block.mark) and not line["info"].strip())

    def fence(self, line: re.Match[str], begin: int, stop: int) -> Iterator[Statement]:
        """Open a block, or close the one that is open."""
        opened, self.block = self.block, None
        for found in self.flush():
            yield found._replace(fenced=opened is not None)
        self.end_record()
        self.parents.clear()
        if opened is None:
            info = line["info"].strip()
            language = _LANGUAGE.match(info)
            self.block = _Block(line["mark"], language[0].lower() if language else "", list(self.headings))
            yield Statement("context", begin, stop, self.above(), (), -1, False, True, (info,), self.level())
        else:
            self.section, self.lead = None, None
            self.headings = opened.headings  # comments inside are no headings of what follows
            yield Statement("context", begin, stop, fenced=True, header=(line[0],))

    def above(self) -> tuple[str, ...]:
        heads = tuple(h for _, h in self.headings)
        return (*heads, self.lead) if self.lead else heads

    def level(self) -> int:
        return self.headings[0][0] if self.headings else 0

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
            yield from _sentences(self.text, start, end, self.above(), listed, self.level())

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
        if stripped[:2] == ": " and self.defined(stop):
            start, _, _ = self.paragraph or (begin, 0, False)
            self.paragraph = None
            self.record_open = True
            yield Statement("field", start, stop, self.above(), self.nested(), self.record, level=self.level())
            return
        # code that begins a line of a paragraph is a word of it
        running = self.paragraph is not None and (not self.ended() or (stripped[0] == "`" and not listed))
        if not running and (is_field(stripped) or is_pin(stripped)):
            yield from self.flush()
            if " : " in stripped and _described(self.text, stop, indent):
                yield Statement("prose", begin, stop)  # a parameter and its type, what it is for below
                return
            if indent and not listed and not self.parents and self.record_indent < indent:
                # a fragment: what it is nested in cannot be seen
                yield Statement("prose", begin, stop)
                return
            if listed:
                self.record_indent = max(indent, 1)
            self.record_open = True
            kind = "pin" if is_pin(stripped) else "field"
            above, nested = self.above(), self.nested()
            yield Statement(kind, begin, stop, above, nested, self.record, listed, level=self.level())
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

    def defined(self, stop: int) -> bool:
        """Whether the paragraph before is a term, and the line that ends here all that defines it."""
        if self.paragraph is None or self.paragraph[2] or self.text[stop : stop + 2] == "\n:":
            return False
        term = self.text[self.paragraph[0] : self.paragraph[1]]
        value = self.text[self.paragraph[1] : stop].lstrip(" \n:")
        return "\n" not in term and len(term.split()) <= 5 and term[-1] not in ".!?:" and len(value.split()) <= 6

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
            return Statement("context", begin, stop, (title,), level=level)
        if stripped[0] == "[":
            section = _SECTION.match(stripped)
            if section is not None:
                self.section = f"[{section[1].strip()}]"
                if stripped.startswith("[["):  # one of several tables of this name
                    self.section = f"[{self.section}]"
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
                    level = 1 if stripped[0] == "=" else 2
                    self.headings.append((level, title))
                    self.lead = None
                    return Statement("setext", start, stop, (title,), level=level)
            self.lead = None
            return Statement("context", begin, stop)
        if stripped.startswith(_COMMENT) and not (stripped[0] == "-" and _BULLET.match(stripped)):
            return Statement("prose", begin, stop)
        return None

    def row(self, stripped: str, begin: int, stop: int) -> Iterator[Statement]:
        if self.header:
            yield Statement("row", begin, stop, self.above(), (), self.record, header=self.header, level=self.level())
        elif self.row_waiting is not None and set(stripped) <= set("|-: "):
            self.header = tuple(cells(self.text[self.row_waiting[0] : self.row_waiting[1]]))
            waiting, self.row_waiting = self.row_waiting, None
            yield Statement("context", waiting[0], waiting[1])
            yield Statement("context", begin, stop)
        else:
            yield from self.flush()
            self.row_waiting = (begin, stop)
            self.end_record()


def _cut_block(text: str) -> int:
    """Return where the line ends that closes a block which began before this text; -1 if there is none.

    A closing fence has nothing behind it. So one that would have to close a block, and names a
    language, shows that the bare one above it has closed another.
    """
    first: re.Match[str] | None = None
    opener: re.Match[str] | None = None
    for line in _FENCE_LINE.finditer(text):
        first = first or line
        if opener is None:
            opener = line
        elif line["mark"].startswith(opener["mark"]):
            if not line["info"].strip():
                opener = None
            elif not opener["info"].strip() and not first["info"].strip():
                return first.end()
    return -1


def _described(text: str, stop: int, indent: int) -> bool:
    """Whether the line after a place is indented deeper than the one that ends there."""
    deeper = text[stop + 1 : stop + indent + 3]
    return len(deeper) == indent + 2 and not deeper.strip(" \t") and text[stop + indent + 3 : stop + indent + 4] != "\n"


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
        before = ""
        for word in heading.lower().split():
            bare = word.strip(".,:;!?()[]`'\"")
            offered = before == "you" and bare in ("can", "may")  # "Settings you may change"
            if bare in SUPPRESSING_HEADINGS or (bare in UNASSERTED and not offered) or word.endswith("?"):
                return True
            before = bare
    return False
