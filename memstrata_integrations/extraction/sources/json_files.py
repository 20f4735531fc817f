"""JSON files and fragments: a reader that knows where everything stands, and stops where it is cut."""

from __future__ import annotations

import json
import re

from memstrata_integrations.extraction.sources.entries import Found
from memstrata_integrations.extraction.sources.kinds import Source
from memstrata_integrations.extraction.sources.scalars import number
from memstrata_integrations.extraction.sources.tree import Node, Walker, value_node
from memstrata_integrations.words import word_set

__all__ = ["read_json"]

_SPACE = re.compile(r"(?:[ \t\r\n]|//[^\n]*)*")  # some files have comments
_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"")
_PLAIN = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|true\b|false\b|null\b")
_PAIR = re.compile(r"^[ \t]*(?P<name>\"[^\"\n]+\")[ \t]*:[ \t]*(?P<value>[^\n]*?)[ \t\r]*$", re.MULTILINE)
_EXACT = re.compile(r"\"(?P<version>v?\d+\.\d+\.\d+[\w.+-]*)\",?\Z")
_LISTS = frozenset(("dependencies", "devDependencies", "peerDependencies", "optionalDependencies"))
# Names of a manifest that hold a version and are no package
_NO_PACKAGES = frozenset(("version", "node", "npm", "yarn", "pnpm", "bun", "python", "lockfileVersion", "target"))
_OF_TOP = _LISTS | word_set(
    "private main scripts license description author repository homepage bugs keywords workspaces"
)
_TOKEN = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|[\[\]{}]")
_MOST_VERSIONS = 20
_DEPTH = 60


def read_json(text: str, source: Source, section: str | None, *, trusted: bool, begins: bool = False) -> Found:
    """Read a JSON text.

    A text that starts with the file's brace is read as far as it goes; an indented brace, whose fellow is indented
    as well, is that of an object inside. Of a piece from the middle, only what needs no section counts: a line that
    is the exact version of a package in ``package.json``, its own version, if nothing shows that it is another's, and
    what stands in one of its lists of dependencies, if the list's name is in the text.

    Args:
        text: The text.
        source: The file.
        section: The section that the text stands in, if metadata names it.
        trusted: Whether the first column is the file's.
        begins: Whether the text begins the file.
    """
    found = Found()
    begin = _SPACE.match(text).end()  # type: ignore[union-attr]
    walker = Walker(source, text, found)
    if text[begin : begin + 1] == "{":
        reader = _Reader(text)
        node = reader.map(begin, 0)
        found.structural = bool(node.items)
        rest = text[node.end :].strip()
        found.prose = reader.cut or bool(rest)
        closes_file = not reader.cut and text[node.end - 2 : node.end] == "\n}"
        inner = not begins and text[begin - 1 : begin] in (" ", "\t") and not closes_file
        at_top = not rest and not inner and (trusted or _at_top(text, node))
        top = section if section is not None else "" if at_top else None
        walker.walk(node, top)
        return found
    if text[begin : begin + 1] == "[" and _STRING.match(text, _SPACE.match(text, begin + 1).end()) is None:  # type: ignore[union-attr]
        found.structural = True
        found.prose = True
        return found
    if section is not None:
        reader = _Reader(text)
        node = reader.pairs(begin, 0, bare=True)
        found.structural = bool(node.items)
        found.prose = reader.cut or bool(text[node.end :].strip(", \t\r\n"))
        walker.walk(node, section)
        return found
    _lines(text, source, found)
    return found


def _at_top(text: str, node: Node) -> bool:
    """Whether an object whose first line may have lost its indentation is the file's own."""
    if not node.items:
        return False
    first = node.items[0][1]
    line = text.rfind("\n", 0, first) + 1
    if line <= node.start:
        return text[node.end - 1 : node.end] == "}"
    last = text.rfind("\n", 0, node.end) + 1
    if text[node.end - 1 : node.end] == "}":
        return not text[last : node.end - 1].strip() and last == node.end - 1
    return first - line <= 2


def _lines(text: str, source: Source, found: Found) -> None:
    """Read a piece from the middle, line by line."""
    section: str | None = None
    alone = len(text.strip().split("\n")) == 1
    few = text.count('"version"') <= _MOST_VERSIONS
    for pair in _PAIR.finditer(text):
        found.structural = True
        name, value = pair["name"][1:-1], pair["value"]
        if source.name != "package.json":
            break
        between = text[: pair.start()].rstrip()
        if section is not None and between.endswith(("}", "},")):
            section = None
        if value == "{":
            section = name if name in _LISTS else None
            found.covered.append(pair.span())
            continue
        exact = _EXACT.match(value)
        span = (pair.start("name"), pair.end("value"))
        start = pair.start("value")
        string = _STRING.match(value)
        if section is not None and string is not None and value[string.end() :] in ("", ","):
            found.pin(section, name, (start + 1, start + string.end() - 1), text, span, "dependency")
        elif exact is not None and name == "version" and few and _is_own(text, pair):
            place = (start + exact.start("version"), start + exact.end("version"))
            found.pin("", name, place, text, span, "version", relation="has version")
        elif alone and exact is not None and name not in _NO_PACKAGES:
            place = (start + exact.start("version"), start + exact.end("version"))
            found.pin("?", name, place, text, span, "exact version")
        else:
            found.prose = True
    found.prose = found.prose or not found.entries


def _is_own(text: str, pair: re.Match[str]) -> bool:
    """Whether a version in a piece from the middle of a manifest is the package's own.

    What tells is where it stands: in no object that the piece opens or, inside of the file, closes, and beside
    names of the file's top or one step in.
    """
    lowest = depth = 0
    inside = {}  # how deep each name stands, below where the piece starts
    names = {m.start("name"): m["name"][1:-1] for m in _PAIR.finditer(text)}
    own = pair.start("name")
    for token in _TOKEN.finditer(text):
        if token.start() in names:
            inside[token.start()] = depth
            if token.start() == own and depth > lowest:
                return False
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(token[0], 0)
        if depth < lowest and token.start() > own:
            # the file's last brace, or that of an object inside
            return text[token.start() - 1] == "\n" and not text[token.end() :].strip()
        lowest = min(lowest, depth)
    beside = [place for place in names if inside.get(place) == inside[own]]
    steps = [text[text.rfind("\n", 0, place) + 1 : place] for place in beside if place > 0]
    if not steps:
        return pair["value"].endswith(",")  # the file's own is not the last
    return min(steps, key=len) in ("", " ", "  ", "\t") or any(names[place] in _OF_TOP for place in beside)


class _Reader:
    """Reads JSON with places. What is not followed by its comma or bracket is not taken."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.cut = False
        self.stop = 0  # where the latest piece ends, its quotes included

    def skip(self, pos: int) -> int:
        found = _SPACE.match(self.text, pos)
        return found.end() if found is not None else pos

    def map(self, pos: int, depth: int) -> Node:
        node = self.pairs(pos + 1, depth)
        return node._replace(start=pos)

    def pairs(self, pos: int, depth: int, *, bare: bool = False) -> Node:
        text, start = self.text, pos
        items: list[tuple[str | None, int, Node]] = []
        pos = self.skip(pos)
        while not self.cut:
            if text[pos : pos + 1] == "}" and not bare:
                self.stop = pos + 1
                return Node("map", start, pos + 1, items=tuple(items))
            key = _STRING.match(text, pos)
            after = self.skip(key.end()) if key is not None else pos
            if key is None or text[after : after + 1] != ":" or (name := _plain(key[0])) is None:
                break
            value = self.node(self.skip(after + 1), depth + 1)
            if value is None:
                break
            after = self.skip(self.stop)
            last = text[after : after + 1]
            if last not in (",", "}") and not (bare and not last) and not self.cut:
                break
            # of what the cut goes through, only what lies wholly before it is left in the node
            items.append((name, pos, value))
            pos = self.skip(after + 1) if last == "," else after
            if bare and pos >= len(text):
                return Node("map", start, len(text), items=tuple(items))
        self.cut = True
        return Node("map", start, len(text), items=tuple(items))

    def node(self, pos: int, depth: int) -> Node | None:
        text = self.text
        if depth > _DEPTH:
            self.cut = True
            return None
        first = text[pos : pos + 1]
        if first == "{":
            return self.map(pos, depth)
        if first == "[":
            return self.array(pos, depth)
        found = _STRING.match(text, pos) if first == '"' else _PLAIN.match(text, pos)
        if found is None:
            return None
        self.stop = found.end()
        value = _plain(found[0]) if first == '"' else found[0]
        if value is None:
            return Node("other", pos, found.end())
        return value_node(text, pos, found.end(), value, value if first == '"' else number(value) or value)

    def array(self, start: int, depth: int) -> Node | None:
        items: list[tuple[str | None, int, Node]] = []
        pos = self.skip(start + 1)
        while self.text[pos : pos + 1] != "]":
            item = self.node(pos, depth + 1)
            if item is None or self.cut:
                self.cut = True
                return Node("other", start, len(self.text))
            items.append((None, -1, item))
            pos = self.skip(self.stop)
            if self.text[pos : pos + 1] == ",":
                pos = self.skip(pos + 1)
            elif self.text[pos : pos + 1] != "]":
                self.cut = True
                return Node("other", start, len(self.text))
        self.stop = pos + 1
        return Node("list", start, pos + 1, items=tuple(items))


def _plain(string: str) -> str | None:
    try:
        value = json.loads(string)
    except ValueError:
        return None
    return value if isinstance(value, str) else None
