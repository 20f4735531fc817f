"""Where the statements of a text stand, and what they stand under. Markdown's blocks are found by a Markdown parser."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

HIDDEN = "\u2026"
"""Stands for what is out of sight: whose "Ports" a piece shows that begins with a heading of a low level, and what a
record is called whose first field is no name ("status: open")."""

_VISIBLE = 2  # the lowest level of a heading that may stand alone above a piece


class Statement(NamedTuple):
    """One statement and its surroundings.

    Its kind is "sentence", "line" (``KEY: value``, ``KEY=value``, a pin), "row" (of a table), "heading", "code" (a line
    of a block), "quote", or "mark" (a rule, a fence, the head of a table).
    """

    kind: str
    start: int
    end: int
    headings: tuple[str, ...] = ()  # what it stands under, outermost first; the line with a colon before a list, too
    header: tuple[str, ...] = ()  # the cells of the head, for the row of a table
    paragraph: int = 0  # statements of one paragraph share a number
    fence: str | None = None  # what stands behind the fence of the block that it is in


_DIGIT = re.compile(r"\d")
_BULLET = re.compile(r"\s*(?:(?:[-*+•]|\d{1,3}[.)])\s+)?(?:\[[ xX]\]\s+)?")
_KEY = (
    r"""(?:export\s+|ENV\s+|ARG\s+|[sS][eE][tT]\s+|\$)?[*_]{0,2}["'`]?[A-Za-z_#/.-][^\s:="'|]*["'`]?"""
    r"(?:[ ][^\s:=|]+){0,8}?[*_]{0,2}"
)
_LINE = re.compile(rf"(?P<key>{_KEY})\s*(?P<sep>:(?=[*_]{{0,2}}\s)|:=|=(?!=)|=>)[*_]{{0,2}}\s*(?P<value>\S.*)\Z")
_PIN = re.compile(
    r"(?P<key>[@A-Za-z][\w./@-]*(?:\[[\w, -]+\])?)\s*"
    r"(?P<sep>===?|[<>~!]=|[<>](?!\w*>)|@(?=[\^~]?v?\d)|:(?=\d[\w.-]*\Z))\s*"
    r"(?P<value>[\w.*+!^~-]+(?:\s*,\s*[<>=!~]+\s*[\w.*+!]+)*)(?P<rest>\s*;.*|\s+#.*|\s+--.*)?\Z"
)
_SEPARATOR = re.compile("[=@<>~:]")
_FIELD = re.compile(r"""[*_"'`]*(?:[^\W\d_]+[ _-])*(?P<noun>[^\W\d_]+)[*_"'`]*\Z""")
_NAMING = frozenset(
    """name id uuid key title label slug host hostname server service user username plan product sku uses ticket
    invoice""".split()
)
_WRITERS = ("from", "to", "subject", "sender", "recipient", "author", "requester", "reporter")
_SECTION = re.compile(r"\[{1,2}[\w.\" -]{1,60}\]{1,2}\Z")
_SENTENCE_END = re.compile(r"[.!?](?<![.!?].)[.!?]*[\"'”’)\]]*\s+(?=[\"'“‘(\[`*_]{0,2}[A-Z0-9`/])")
_ABBREVIATIONS = frozenset(
    """e.g. i.e. etc. vs. mr. mrs. ms. dr. prof. rev. capt. col. lt. sgt. st. no. nr. fig. cf. approx. inc. ltd. co.
corp. dept. jr. sr. a.m. p.m. al.""".split()
)
_CONFIG = frozenset(
    "yaml yml toml ini env dotenv properties conf cfg requirements text txt bash sh shell console".split()
)


def statements(text: str, headings: Sequence[str] = ()) -> list[Statement]:
    r"""Return the statements of a text in order; `headings` are those that it stands under, if metadata names them.

    Example:
        >>> [(s.kind, s.start, s.end) for s in statements("# Ports\n\nThe port is 80. It is open.")]
        [('heading', 0, 7), ('sentence', 9, 24), ('sentence', 25, 36)]
    """
    above = tuple(headings)
    return list(_blocks(text, above)) if "\n" in text else _single(text, 0, len(text.rstrip()), above, 0)


def is_line(line: str) -> re.Match[str] | None:
    """Return the match (key, sep, value) of a ``KEY: value`` line or a pin (``numpy==1.26.4``), else `None`."""
    if _SEPARATOR.search(line) is None:
        return None
    found = _PIN.match(line)
    if found is None and (":" in line or "=" in line):
        found = _LINE.match(line)
        if found is not None and found["sep"] == ":":
            value = found["value"]
            if "://" in line[: found.start("value")] or len(_sentences(value, 0, len(value), (), 0)) > 1:
                return None
    return found


def _single(text: str, start: int, end: int, above: tuple[str, ...], paragraph: int) -> list[Statement]:
    """Return the statements of one line."""
    bullet = _BULLET.match(text, start, end)
    begin = bullet.end() if bullet is not None and text[start : start + 1] != "|" else start
    body = text[begin:end]
    if body[:1] == "|" or (body[:1] == "#" and re.match(r"#{1,6}\s", body)):
        return [Statement("row" if body[0] == "|" else "heading", start, end, above, (), paragraph)]
    if body[:1] == ">" or is_line(body) is not None:
        return [Statement("quote" if body[0] == ">" else "line", begin, end, above, (), paragraph)]
    return _sentences(text, begin, end, above, paragraph)


def _sentences(text: str, start: int, end: int, above: tuple[str, ...], paragraph: int) -> list[Statement]:
    found, pos = [], start
    for stop in _SENTENCE_END.finditer(text, start, end):
        word = text[text.rfind(" ", pos, stop.start()) + 1 : stop.start() + 1].lstrip("(\n").lower()
        if word in _ABBREVIATIONS or (len(word) == 2 and word[0].isalpha() and text[stop.start() - 1].isupper()):
            continue
        found.append(Statement("sentence", pos, stop.start() + len(stop[0].rstrip()), above, (), paragraph))
        pos = stop.end()
    if pos < end:
        found.append(Statement("sentence", pos, end, above, (), paragraph))
    return found


@lru_cache(maxsize=1)
def _parser() -> Any:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark")
    parser.core.ruler.disable(["inline", "text_join"])
    return parser


def _blocks(text: str, above: tuple[str, ...]) -> Iterator[Statement]:
    """Yield the statements of a text of several lines."""
    starts = [0, *(match.end() for match in re.finditer(r"\r\n?|\n", text)), len(text) + 1]
    heads: list[tuple[int, str]] = []
    leads: list[str] = []  # what each open list and item stands under: the line above the one, the first of the other
    quoted = 0
    lead = ""
    tokens = _parser().parse(text)
    for n, token in enumerate(tokens):
        kind = token.type
        hidden = (HIDDEN,) if heads and heads[0][0] > _VISIBLE and not above else ()
        under = (*above, *hidden, *(t for _, t in heads), *filter(None, leads))
        if kind in ("heading_open", "hr"):
            if kind == "heading_open":
                level, lead = int(token.tag[1]), ""
                heads = [*(h for h in heads if h[0] < level), (level, tokens[n + 1].content.strip("*_ "))]
            start, end = (starts[line] for line in token.map)
            yield Statement("mark" if kind == "hr" else "heading", start, end - 1, above, (), n)
        elif kind.startswith(("bullet_list", "ordered_list", "list_item")):
            leads, lead = [*leads, _label(lead)] if token.nesting > 0 else leads[:-1], ""
        elif kind.startswith("blockquote"):
            quoted += token.nesting
        elif kind == "inline" and tokens[n - 1].type == "paragraph_open":
            inner = zip(range(*token.map), map(str.strip, token.content.split("\n")), strict=False)  # without marks
            found = [(text.find(line, starts[at], starts[at + 1]), len(line)) for at, line in inner if line]
            lines = [(begin, begin + size) for begin, size in found if begin >= 0]
            first = text[slice(*lines[0])] if lines else ""
            field = is_line(first) is not None
            if lead and (field or first[:1] == "|") and is_line(lead) is None:  # "Kite:", an empty line, "port: 80"
                under = (*under, lead)
            last = text[lines[-1][0] : lines[-1][1]].rstrip("*_ ") if lines else ""
            lead = last.rstrip(":").strip("*_ ") if is_title(last) else ""
            item = tokens[n - 2].type == "list_item_open"
            if item and field:  # of a record
                leads[-1], lead = _label(first), lead if len(lines) > 1 else ""
            if quoted:
                yield from (Statement("quote", begin, end, under, (), n) for begin, end in lines)
            else:
                yield from _paragraph(text, lines, under, n, item=item)
        elif kind in ("fence", "code_block", "html_block"):
            lead = ""
            yield from _code(text, token, starts, under, n)


def is_title(line: str) -> bool:
    """Whether a line names what hangs below it: a short one that ends no sentence."""
    return 0 < len(line) < 80 and line[-1] not in ".!?;,|"


def _code(text: str, token: Any, starts: Sequence[int], above: tuple[str, ...], number: int) -> Iterator[Statement]:
    """Yield the lines of a block of code; those of a block of settings may be lines."""
    fenced = token.type == "fence"
    info = token.info.strip().lower()  # empty if there is no fence
    settings = info.partition(" ")[0] in _CONFIG
    first, last = token.map
    for n in range(first, last):
        body = text[starts[n] : starts[n + 1] - 1]
        begin, end = starts[n] + len(body) - len(body.lstrip()), starts[n] + len(body.rstrip())
        if begin < end:
            edge = fenced and (n == first or (n == last - 1 and not body.strip("`~ ")))
            line = settings and not edge and begin == starts[n] and not body.startswith("- ")
            kind = "mark" if edge else "line" if line and is_line(text[begin:end]) is not None else "code"
            yield Statement(kind, begin, end, above, (), number, info if fenced else None)


def names_record(line: str, *, strictly: bool = False) -> bool:  # strictly: by its noun alone, and by no number
    """Whether a line is a field that says which record it is: "name: giro", "Day 1: Voss", and not "status: open"."""
    found = is_line(line)
    field = _FIELD.match(found["key"]) if found is not None else None
    return found is not None and (not strictly if field is None else field["noun"].lower() in _NAMING)


def names_page(line: str) -> bool:
    """Whether a field says which page it stands on, or who writes: "Title: Ibuprofen", "From: Ann Lee"."""
    found = is_line(line)
    field = _FIELD.match(found["key"]) if found is not None else None
    return field is not None and field["noun"].lower() in (*_NAMING, *_WRITERS)


def _label(line: str) -> str:
    """Return what a line calls all that stands below it: a field that is no name tells no two records apart."""
    return line if is_line(line) is None or names_record(line) else HIDDEN


def _paragraph(
    text: str, lines: Sequence[tuple[int, int]], above: tuple[str, ...], number: int, *, item: bool
) -> Iterator[Statement]:
    """Yield settings and rows line by line, and sentences of what runs on.

    A setting or a row stands under the title above it, a setting under the lines that it is set in from, and in an item
    of a list under its first.
    """
    bodies = [*(text[begin:end] for begin, end in lines), ""]
    fields = [is_line(body) is not None for body in bodies]
    columns = [*(begin - max(text.rfind("\n", 0, begin), text.rfind("\r", 0, begin)) for begin, _ in lines), 0]
    start = -1  # where sentences that run on begin
    header: tuple[str, ...] = ()
    over: list[tuple[int, str]] = []
    for n, (begin, end) in enumerate(lines):
        (body, below), (column, inner) = bodies[n : n + 2], columns[n : n + 2]
        hangs = fields[n + 1] and (inner > column or (n == 0 and not fields[n]))
        titled = hangs or below[:1] == "|" != body[0]
        leads = body[-1] == ":" or (titled and is_title(body) and _SECTION.match(body) is None)
        over = [(c, label) for c, label in over if c < column or (c == column and not leads)]
        rule = below and "|" in body and set(below) <= set("|-: ")
        if n == 0 and body[0] == below[:1] == "|" and _DIGIT.search(body) is None:
            rule = rule or _DIGIT.search(below) is not None  # a head that nothing underlines
        row = body[0] == "|" or rule or (header and "|" in body)
        setting = fields[n] and (start < 0 or text[lines[n - 1][1] - 1] in ".:;!?" or "=" in body.split(":")[0])
        under = (*above, *(label for _, label in over))
        section = start < 0 and _SECTION.match(body) is not None
        if start >= 0 and (row or setting):
            yield from _sentences(text, start, lines[n - 1][1], above, number)
            start = -1
        if row:
            mark = rule or set(body) <= set("|-: ")
            header = tuple(c.strip("*_` ") for c in body.strip("|").split("|")) if rule else header
            yield Statement("mark" if mark else "row", begin, end, under, () if mark else header, number)
        elif section:
            above = (*(a for a in above if _SECTION.match(a) is None), body)
            yield Statement("mark", begin, end, above, (), number)
        elif setting:
            yield from _single(text, begin, end, under, number)
        elif start < 0:
            start = begin
        if n == 0 and setting and item:
            above = (*above, _label(body))
        elif leads:
            over.append((column, _label(body.rstrip(":"))))
    if start >= 0:
        yield from (_single if len(lines) == 1 else _sentences)(text, start, lines[-1][1], above, number)
