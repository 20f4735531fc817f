"""Nested files, JSON and YAML alike: a tree with places, and what is stated in it."""

import importlib
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from memstrata_integrations.extraction.sources.entries import LONGEST_VALUE, Found, Written, in_yaml, join, whole_line
from memstrata_integrations.extraction.sources.kinds import Piece

_ACTION = re.compile(r"(?P<name>[\w.-]+/[\w./-]+)@(?P<tag>[\w./+-]+)\Z")
_IMAGE = re.compile(
    r"(?P<name>[\w.-]+(?::\d+/[\w.-]+)?(?:/[\w.-]+)*)(?::(?=\w)|@(?=sha256:))(?P<tag>(?:sha256:)?[\w.-]+)"
    r"(?:@sha256:\w+)?\Z"
)
_REFERENCES = {"uses": _ACTION, "image": _IMAGE}
_DEPENDENCIES = frozenset(
    ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies", "resolutions", "overrides")
)
_PREFIX = re.compile(r"(?:[&!][^\s]*\s+)+")
_NESTED = re.compile(r"(?:[\[{][^\]}]{0,3}){60}|(?:- ){60}|\? \? \? ")
_MOST_BRACKETS = 5000
_OF_YAML = "tag:yaml.org,2002:"
_DEEPEST = 60
_DEEPEST_NODE = 100


class Node(NamedTuple):
    """A piece of a tree.

    Attributes:
        kind: "value", "map", "list" or "other" (what has no one place or value).
        value: A value's canonical form; "" for others.
        items: The (key, place of the key, node) of a map, the ("", -1, node) of a list.
    """

    kind: str
    start: int
    end: int
    value: str = ""
    items: "tuple[tuple[str, int, Node], ...]" = ()

    def get(self, key: str) -> "Node | None":
        """Return the single value that a map holds under a key."""
        return next((v for k, _, v in self.items if k == key and v.kind == "value"), None)


class Walker:
    """Collects what a tree states.

    A map's key is named by the keys above it. An item of a list has no name, unless it is a map that holds a `name` or
    an `id` which no other item of the list has (or a `repo`, of a pre-commit hook), or, without those, `uses` an action
    that no other item does. A list of single values is one value: the file holds this list or another.
    In a `lone` line, of which nothing shows where it stands, an image or an action is known by its own name.
    """

    def __init__(self, piece: Piece, found: Found, *, lone: bool = False) -> None:
        self.text, self.found, self.lone = piece.text, found, lone
        self.hooks = "pre-commit" in piece.source.name
        self.naming = ("name", "id", "repo") if self.hooks else ("name", "id")
        self.manifest = piece.source.name == "package.json"

    def walk(self, node: Node, section: str | None, depth: int = 0) -> None:
        """Collect from a node below a section (`None`: one that cannot be seen)."""
        if node.kind == "map" and depth <= _DEEPEST:
            for item in node.items:
                self.pair(*item, section, depth)
        elif node.kind == "list" and depth <= _DEEPEST:
            for entry, name in self.named_items(node, actions=depth > 0):
                self.walk(entry, None if section is None or name is None else join(section, f"[{name}]"), depth + 1)
        else:
            self.found.prose = True

    def pair(self, key: str, place: int, value: Node, section: str | None, depth: int) -> None:
        """Collect from a key and what it holds."""
        found, text = self.found, self.text
        whole = value.value if value.kind == "value" else _whole_list(value)
        if value.kind == "map" and value.items:
            found.covered.append((place, value.items[0][1]))
        if value.kind == "value":
            quoted = text[value.start - 1] in "\"'" and text.startswith(text[value.start - 1], value.end)
            span = whole_line(text, place, value.end + quoted)
            found.prose = not self.pin(key, value, section, span) or found.prose
        elif section is not None and whole is not None:
            span = whole_line(text, place, value.end)
            found.setting(section, key, Written(value.start, value.end, whole), span, "list")
        else:
            self.walk(value, None if section is None else join(section, key), depth + 1)

    def pin(self, key: str, value: Node, section: str | None, span: tuple[int, int]) -> bool:
        """Collect a single value, which may be a version; `False` where its place cannot be seen."""
        place = (value.start, value.end)
        named = _REFERENCES[key].match(self.text, *place) if self.lone and not section and key in _REFERENCES else None
        if named is not None:
            self.found.pin(None, f"{key}:{named['name']}", named.span("tag"), span, key, mark=":", verbatim=True)
        elif section is None:
            return False
        elif key == "rev" and self.hooks:
            self.found.pin(section, key, place, span, "hook", verbatim=True)
        elif self.manifest and section in _DEPENDENCIES:
            self.found.pin(section, key, place, span, "dependency")
        elif self.manifest and section == "" and key == "version":
            self.found.pin("", key, place, span, "version", relation="has version")
        else:
            self.found.setting(section, key, Written(*place, value.value), span, "key")
        return True

    def named_items(self, node: Node, *, actions: bool) -> Iterator[tuple[Node, str | None]]:
        """Yield the items of a list with their names, the naming field left out of each.

        A piece that begins inside of a list does not show how often the list uses one of `actions`.
        """
        named: list[tuple[Node, str | None]] = []
        for _, _, item in node.items:
            field = next((f for f in self.naming if item.get(f) is not None), None)
            used = item.get("uses") if actions and field is None else None
            action = _ACTION.match(used.value) if used is not None else None
            name = f"uses={action['name']}" if action is not None else None
            if field is not None and (value := item.get(field)) is not None:
                name = f"{field}={value.value}"
                self.found.covered += [(place, v.end) for _, place, v in item.items if v is value]
                item = item._replace(items=tuple(i for i in item.items if i[0] != field))
            named.append((item, name))
        counts = Counter(name for _, name in named)
        yield from ((item, name if counts[name] == 1 else None) for item, name in named)


def _whole_list(node: Node) -> str | None:
    """Return a list of single values as one value."""
    if node.kind != "list" or not node.items or node.end - node.start > LONGEST_VALUE:
        return None
    values = [item.value for _, _, item in node.items if item.kind == "value"]
    return str(values) if len(values) == len(node.items) else None


def nodes_of(text: str, code: str | None = None) -> list[Node] | None:
    """Return the documents of YAML with their places, `None` if it has an error.

    `code` is read in place of the text: it has the same length, or a bracket more on either side.
    """
    code = text if code is None else code
    if code.count("[") + code.count("{") > _MOST_BRACKETS or _NESTED.search(code):
        return None
    yaml = importlib.import_module("yaml")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    tree = _Tree(text, -1 if len(code) > len(text) else 0)
    try:
        roots = list(yaml.compose_all(code, Loader=loader))  # all stay, so that no node takes the id of one before it
        return [tree.node(root) for root in roots if root is not None]
    except (yaml.YAMLError, ValueError, RecursionError, TypeError, AttributeError):
        return None


class _Tree:
    """Turns the composer's nodes into ours; a node met again stands for an alias."""

    def __init__(self, text: str, offset: int) -> None:
        self.text, self.offset = text, offset
        self.seen: set[int] = set()

    def node(self, node: Any, depth: int = 0) -> Node:
        text = self.text
        start, end = max(node.start_mark.index + self.offset, 0), node.end_mark.index + self.offset
        if id(node) in self.seen or depth > _DEEPEST_NODE:
            return Node("other", start, end)
        self.seen.add(id(node))
        if node.id == "scalar":
            return self.value(node, start, end)
        while end > start and text[end - 1 : end].isspace():
            end -= 1
        if node.id == "sequence":
            return Node("list", start, end, items=tuple(("", -1, self.node(item, depth + 1)) for item in node.value))
        entries = []
        for key, value in node.value:
            inner = self.node(value, depth + 1)
            if key.id == "scalar" and "\n" not in key.value:
                entries.append((key.value, key.start_mark.index + self.offset, inner))
        return Node("map", start, end, items=tuple(entries))

    def value(self, node: Any, start: int, end: int) -> Node:
        """Return a single value whose quotes stand at the edges of its place, if it has any."""
        text = self.text
        prefix = _PREFIX.match(text, start, end)
        own = not node.tag.startswith(_OF_YAML)  # a tag of an application's own (`!Ref x`) is part of the value
        start = start if prefix is None or own else prefix.end()
        verbatim = node.style or (prefix is not None and "!!str" in prefix[0])
        value = f"{node.tag} {node.value}" if own else node.value if verbatim else in_yaml(node.value)
        inner = text[start + 1 : end - 1]
        if text[start : start + 1] in ("'", '"') and text[start] == text[end - 1] and inner == node.value != "":
            start, end = start + 1, end - 1
        if node.style in ("|", ">") or not 0 < end - start <= LONGEST_VALUE or "\n" in text[start:end]:
            return Node("other", start, end)
        return Node("value", start, end, value)
