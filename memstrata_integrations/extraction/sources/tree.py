"""Nested files, JSON and YAML alike: a tree with places, and what is stated in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from memstrata_integrations.extraction.sources.entries import LONGEST_VALUE, Found, Written, join, whole_line
from memstrata_integrations.extraction.sources.kinds import Source
from memstrata_integrations.extraction.sources.scalars import in_words, of_items

__all__ = ["Node", "Walker"]

_ACTION = re.compile(r"(?P<name>[\w.-]+/[\w./-]+)@(?P<tag>[\w./+-]+)\Z")
_IMAGE = re.compile(r"(?P<name>[\w.-]+(?::\d+/[\w.-]+)?(?:/[\w.-]+)*):(?P<tag>\w[\w.-]*)(?:@sha256:\w+)?\Z")
_DIGEST = re.compile(r"(?P<name>[\w./-]+(?::\d+/[\w./-]+)?)@(?P<tag>sha256:\w+)\Z")
_NAMING = ("name", "id")
_DEPENDENCIES = frozenset(
    ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies", "resolutions", "overrides")
)
# A list of these holds "NAME=value" or names: a map in another form
_VARIABLES = frozenset(("environment", "labels"))
_VARIABLE = re.compile(r"(?P<name>[A-Za-z_][\w./-]*)(?:=(?P<value>.*))?\Z", re.DOTALL)
_DASH = re.compile(r"(?<![^ \t\n])- +\Z")
_DEPTH = 60


class Node(NamedTuple):
    """A piece of a tree.

    Attributes:
        kind: "value", "map", "list" or "other" (what has no one place or value).
        start: Where it starts in the text.
        end: Where it ends.
        value: A value's canonical form; "" for others.
        items: The (key, place of the key, node) of a map, the (`None`, -1, node) of a list.
    """

    kind: str
    start: int
    end: int
    value: str = ""
    items: tuple[tuple[str | None, int, Node], ...] = ()


class Walker:
    """Collects what a tree states.

    A map's key is named by the keys above it. An item of a list has no name, unless it is a map
    that holds a `name` or an `id` which no other item of the list has (or a `repo`, of a
    pre-commit hook), or, without those, `uses` an action that no other item does. A list of
    single values is one value: the file holds this list or another, so the whole is compared,
    whatever the order of its kinds; a list in a list is not. One of variables (`environment`) is a map.

    Args:
        source: The file.
        text: The text.
        found: Where to collect.
        lone: The text is one line of which nothing shows where it stands: an image or an action
            in it is known by its own name.
    """

    def __init__(self, source: Source, text: str, found: Found, *, lone: bool = False) -> None:
        self.source = source
        self.text = text
        self.found = found
        self.lone = lone
        self.naming = (*_NAMING, "repo") if "pre-commit" in source.name else _NAMING
        self.manifest = source.name == "package.json"

    def walk(self, node: Node, section: str | None, depth: int = 0) -> None:
        """Collect from a node below a section (`None`: one that cannot be seen)."""
        if depth > _DEPTH:
            self.found.prose = True
        elif node.kind == "map":
            for key, place, value in node.items:
                self.pair(key or "", place, value, section, depth)
        elif node.kind == "list" and section is not None and self.variables(node, section):
            pass
        elif node.kind == "list":
            for item, name in self.named_items(node, actions=depth > 0):
                inner = None if section is None or name is None else join(section, f"[{name}]")
                self.walk(item, inner, depth + 1)
        else:
            self.found.prose = True

    def pair(self, key: str, place: int, value: Node, section: str | None, depth: int) -> None:
        """Collect from a key and what it holds."""
        if value.kind == "value":
            quoted = self.text[value.start - 1] in "\"'" and self.text.startswith(self.text[value.start - 1], value.end)
            span = whole_line(self.text, place, value.end + quoted)
            if not self.pin(key, value, section, span):
                if section is None:
                    self.found.prose = True
                else:
                    self.found.setting(section, key, Written(value.start, value.end, value.value), span, "key")
            return
        if section is not None and value.kind == "list" and self.variables(value, join(section, key)):
            self.found.covered.append((place, value.items[0][2].start))
            return
        if section is not None and value.kind == "list" and (whole := self.whole_list(value)) is not None:
            self.found.setting(section, key, whole, whole_line(self.text, place, value.end), "list")
            return
        if value.kind == "map" and value.items:
            self.found.covered.append((place, value.items[0][1]))
        if value.kind in ("map", "list"):
            self.walk(value, None if section is None else join(section, key), depth + 1)
        else:
            self.found.prose = True

    def variables(self, node: Node, section: str) -> bool:
        """Collect a list of variables under the names that they have as a map; `False` if it is none."""
        if section.rpartition(".")[2] not in _VARIABLES:
            return False
        pairs = [_VARIABLE.match(self.text, item.start, item.end) for _, _, item in node.items if item.kind == "value"]
        if len(pairs) < len(node.items) or not all(pairs) or not any(pair and pair["value"] for pair in pairs):
            return False
        for pair in pairs:
            if pair is None or not pair["value"]:
                self.found.prose = True
                continue
            start, end = pair.span()
            quoted = self.text[start - 1] in "\"'" and self.text.startswith(self.text[start - 1], end)
            dash = _DASH.search(self.text, max(0, start - quoted - 20), start - quoted)
            span = whole_line(self.text, start - quoted if dash is None else dash.start(), end + quoted)
            place = Written(*pair.span("value"), in_words(pair["value"]))
            self.found.setting(section, pair["name"], place, span, "variable")
        return True

    def pin(self, key: str, value: Node, section: str | None, span: tuple[int, int]) -> bool:
        """Collect a name and version in one value, or a dependency of a manifest."""
        if self.lone and not section and self.reference(key, value, span):
            return True
        if section is None:
            return False
        place = (value.start, value.end)
        if key == "rev" and "pre-commit" in self.source.name:
            self.found.pin(section, key, place, self.text, span, "hook")
            return True
        if self.manifest and section in _DEPENDENCIES:
            self.found.pin(section, key, place, self.text, span, "dependency")
            return True
        if self.manifest and section == "" and key == "version":
            self.found.pin("", key, place, self.text, span, "version", relation="has version")
            return True
        return False

    def reference(self, key: str, value: Node, span: tuple[int, int]) -> bool:
        """Collect an image or an action under its own name."""
        text = self.text
        if key == "uses":
            found = _ACTION.match(text, value.start, value.end)
        elif key == "image":
            found = _IMAGE.match(text, value.start, value.end) or _DIGEST.match(text, value.start, value.end)
        else:
            return False
        if found is None:
            return False
        self.found.pin(None, f"{key}:{found['name']}", found.span("tag"), text, span, key, mark=":")
        return True

    def named_items(self, node: Node, *, actions: bool) -> Iterator[tuple[Node, str | None]]:
        """Yield the items of a list with their names, the naming field left out of each.

        Args:
            node: The list.
            actions: Whether an item may be named by its action: a piece that begins inside of a list
                does not show how often the list uses it.
        """
        found: list[tuple[Node, str | None]] = []
        for _, _, item in node.items:
            name = None
            for field in self.naming:
                named = next((v for k, _, v in item.items if k == field and v.kind == "value"), None)
                if named is not None:
                    name = f"{field}={named.value}"
                    rest = tuple(entry for entry in item.items if entry[0] != field)
                    first = next(place for k, place, v in item.items if v is named)
                    self.found.covered.append((first, named.end))
                    item = item._replace(items=rest)
                    break
            if name is None and actions:
                used = next((v.value for k, _, v in item.items if k == "uses"), "")
                action = _ACTION.match(used)
                name = f"uses={action['name']}" if action is not None else None
            found.append((item, name))
        names = [name for _, name in found]
        for item, name in found:
            yield item, name if names.count(name) == 1 else None

    def whole_list(self, node: Node) -> Written | None:
        """Return a list of single values as one value."""
        if not node.items or node.end - node.start > LONGEST_VALUE:
            return None
        if any(item.kind != "value" for _, _, item in node.items):
            return None
        return Written(node.start, node.end, of_items([item.value for _, _, item in node.items]))


def value_node(text: str, start: int, end: int, plain: str, value: str) -> Node:
    """Return the node of a single value whose quotes stand at the edges of its place, if it has any.

    Args:
        text: The text.
        start, end: Where it stands, with its quotes.
        plain: What it says: without quotes, without escapes.
        value: Its canonical form.
    """
    inner = text[start + 1 : end - 1]
    quoted = end - start > 2 and text[start] == text[end - 1] and text[start] in "\"'"
    if quoted and inner == plain and inner.strip():
        return Node("value", start + 1, end - 1, value)
    if end <= start or "\n" in text[start:end] or end - start > LONGEST_VALUE:
        return Node("other", start, end)
    return Node("value", start, end, value)
