"""YAML files and fragments, by the positions that PyYAML's composer gives."""

from __future__ import annotations

import importlib
import re
from typing import Any

from memstrata_integrations.extraction.sources.entries import Found, escape
from memstrata_integrations.extraction.sources.kinds import Source
from memstrata_integrations.extraction.sources.scalars import in_yaml
from memstrata_integrations.extraction.sources.tree import Node, Walker, value_node

__all__ = ["read_yaml"]

_ROOT_KEY = re.compile(r"^(?![ \t#\-\[{}\]\n])[^\n:]{1,100}:(?=[ \t\r\n]|\Z)", re.MULTILINE)
_FIELD = re.compile(r"[ \t]*(?:- +)?[\"']?[\w.$/@<-][\w.$/@ -]{0,80}[\"']?:(?:\s|\Z)|[ \t]*- +\S", re.MULTILINE)
_PREFIX = re.compile(r"(?:[&!][^\s]*\s+)+")
_SENTENCE = re.compile(r"[A-Za-z][\w'’,.()-]*(?: [\w'’,.()-]+){3,}")
_MANIFEST = frozenset(("apiVersion", "kind", "spec"))
# What stands at the top of an object of Kubernetes; a piece of nothing else, with one of `_BODIES`, is one's
_OF_OBJECTS = re.compile(
    r"(?:metadata|data|stringData|binaryData|immutable|type|status|rules|roleRef|subjects|aggregationRule|provisioner"
    r"|parameters|reclaimPolicy|volumeBindingMode|allowVolumeExpansion|allowedTopologies|mountOptions|template|webhooks"
    r"|secrets|imagePullSecrets|automountServiceAccountToken|subsets|endpoints|value|globalDefault|description)\Z"
)
_BODIES = frozenset(("stringData", "binaryData", "roleRef", "provisioner"))
# In files that by their path are of Kubernetes these too; elsewhere "data" and "parameters" are common words
_BODIES_THERE = _BODIES | {"data", "subjects", "parameters", "template"}
_OF_CLUSTERS = re.compile(r"k8s|kube|manifest|deploy|helm|chart|config-?map|secret|kustom|argo", re.IGNORECASE)
_PROFILES = ("spring.config.activate.on-profile", "spring.profiles")
_NO_CONTENT = ("#", "%", "---")
_MARK = re.compile(r"^---(?=\s|\Z)", re.MULTILINE)
_NESTED = 100
_OF_YAML = "tag:yaml.org,2002:"
_MOST_CUTS = 3


def read_yaml(
    text: str, source: Source, section: str | None, *, trusted: bool, whole: bool = False, behind: bool = False
) -> Found:
    """Read a YAML text.

    Of a line alone nothing shows where it stands: an image (`image:`) or an action (`uses:`) in it
    is known by its own name, in the file.
    The first line of a piece that a splitter cut may have lost its indentation: its keys count
    as those of the file's top only if the text is known to be whole, or what stands below it is
    indented by one step. Places that an alias stands for are read where the anchor is; of
    several documents, only those that say their kind and name, their name or their profile have keys, as have
    pieces of manifests (`spec`, `kind`, `stringData`): a piece does not show of how many documents it is one.

    Args:
        text: The text.
        source: The file.
        section: The section that the text stands in, if metadata names it.
        trusted: Whether the first column is the file's.
        whole: Whether the text is the whole file.
        behind: Whether the text is known to stand behind the start of its file.
    """
    found = Found()
    found.structural = _FIELD.match(text) is not None or any(
        _FIELD.match(line) and not _SENTENCE.match(line) for line in text.split("\n")[:200]
    )
    if not found.structural:
        return found
    roots = _compose(text)
    start = 0
    if roots is None:
        start, roots = _remainder(text)
        found.prose = True
        trusted = trusted or start > 0
    lone = section is None and not whole and _is_line(text)
    walker = Walker(source, text, found, lone=lone)
    tree = _Tree(text, start)
    nodes = [tree.node(root) for root in roots or ()]
    several = len(nodes) > 1 or _shows_several(text, behind=behind)
    for node in nodes:
        sure = trusted or text.startswith("---\n")
        bodies = _BODIES_THERE if _OF_CLUSTERS.search(source.path) is not None else _BODIES
        named_only = several or (not whole and _is_object(node, text, bodies, sure=sure))
        _document(node, walker, section, sure, named_only=named_only)
    return found


def _shows_several(text: str, *, behind: bool) -> bool:
    """Whether a mark between documents has one above it, in the text or before it."""
    marks = list(_MARK.finditer(text))
    above = text[: marks[-1].start()] if marks else ""
    return bool(marks) and (
        behind or any(line.strip() and not line.startswith(_NO_CONTENT) for line in above.split("\n"))
    )


def _is_object(node: Node, text: str, bodies: frozenset[str], *, sure: bool) -> bool:
    """Whether a document is an object of Kubernetes, of which a file holds several, as far as a piece shows it."""
    names = {key or "" for key, *_ in node.items}
    if names & _MANIFEST:
        return True
    # the first line may have lost its indentation
    at_top = {key or "" for key, *_ in node.items[0 if sure or not node.items or _one_step(text, node) else 1 :]}
    return bool(names & bodies) and all(map(_OF_OBJECTS.match, at_top))


def _is_line(text: str) -> bool:
    """Whether all but one of the lines are empty or comments."""
    return sum(not line.lstrip().startswith("#") for line in text.split("\n") if line.strip()) == 1


def _document(node: Node, walker: Walker, section: str | None, trusted: bool, *, named_only: bool) -> None:
    text = walker.text
    if node.kind not in ("map", "list"):
        walker.found.prose = True
        return
    if section is not None:
        walker.walk(node, section)
        return
    # an anchor may stand above the first key
    first = node.items[0][1] if node.kind == "map" and node.items and text[node.start] != "{" else node.start
    if any(_is_indented(text, place) for place in (node.start, first)):
        walker.walk(node, None)  # all of it is indented
        return
    identity = _identity(node)
    if named_only and identity is None:
        walker.walk(node, None)
        return
    root = "" if identity is None else identity
    if node.kind == "list":
        walker.walk(node, root if trusted else None)
        return
    for n, (key, place, value) in enumerate(node.items):
        known = trusted or n > 0 or _one_step(text, node)
        walker.pair(key or "", place, value, root if known else None, 0)
        if value.kind == "map" and value.items:
            walker.found.covered.append((place, value.items[0][1]))


def _is_indented(text: str, place: int) -> bool:
    before = text[text.rfind("\n", 0, place) + 1 : place]
    return before != "" and not before.strip(" \t")


def _identity(node: Node) -> str | None:
    """Return the kind and name of a manifest, its name if the kind is out of sight, or the profile of a document."""
    profile = _profile(node, "")
    if profile is not None:
        return f"profile={escape(profile)}"
    kind = next((v for k, _, v in node.items if k == "kind" and v.kind == "value"), None)
    about = next((v for k, _, v in node.items if k == "metadata"), None)
    name = next((v for k, _, v in about.items if k == "name" and v.kind == "value"), None) if about else None
    space = next((v for k, _, v in about.items if k == "namespace" and v.kind == "value"), None) if about else None
    if name is None or (kind is None and any(k in _MANIFEST for k, *_ in node.items)):
        return None  # a Deployment and a Service share names, and have a `spec`
    given = "?" if kind is None else escape(kind.value)
    return "/".join((given, *(escape(part.value) for part in (space, name) if part is not None)))


def _profile(node: Node, above: str) -> str | None:
    """Return the profile for which a document of Spring holds, however its path is divided into keys."""
    for key, _, value in node.items if node.kind == "map" else ():
        path = f"{above}{key}"
        if path in _PROFILES and value.kind in ("value", "list"):
            return value.value or ",".join(item.value for *_, item in value.items)
        inner = _profile(value, f"{path}.") if any(p.startswith(f"{path}.") for p in _PROFILES) else None
        if inner is not None:
            return inner
    return None


def _one_step(text: str, node: Node) -> bool:
    """Whether what stands below the first key is indented by one step, so that the key is at the top."""

    def column(value: Node) -> int | None:
        if value.kind not in ("map", "list") or not value.items or text[value.start] in "[{":
            return None
        line = text.rfind("\n", 0, value.start) + 1
        return value.start - line if not text[line : value.start].strip() else None

    columns = [column(value) for _, _, value in node.items]
    first = columns[0]
    return first is not None and (first in (0, 2) or first in columns[1:])


class _Tree:
    """Turns the composer's nodes into ours; a node met again stands for an alias."""

    def __init__(self, text: str, offset: int) -> None:
        self.text = text
        self.offset = offset
        self.seen: set[int] = set()

    def node(self, node: Any, depth: int = 0) -> Node:
        start, end = node.start_mark.index + self.offset, node.end_mark.index + self.offset
        if id(node) in self.seen or depth > _NESTED:
            return Node("other", start, end)
        self.seen.add(id(node))
        if node.id == "scalar":
            prefix = _PREFIX.match(self.text, start, end)
            if prefix is not None and node.tag.startswith(_OF_YAML):
                start = prefix.end()
            if node.style in ("|", ">"):
                return Node("other", start, end)
            return value_node(self.text, start, end, node.value, _value(node, prefix[0] if prefix is not None else ""))
        while end > start and self.text[end - 1].isspace():
            end -= 1
        if node.id == "sequence":
            listed = tuple((None, -1, self.node(item, depth + 1)) for item in node.value)
            return Node("list", start, end, items=listed)
        entries = []
        for key, value in node.value:
            inner = self.node(value, depth + 1)
            place = key.start_mark.index + self.offset
            if key.id == "scalar" and "\n" not in key.value:
                entries.append((key.value, place, inner))
        return Node("map", start, end, items=tuple(entries))


def _value(node: Any, prefix: str) -> str:
    """Return the canonical form of a scalar; a tag of an application's own (`!Ref x`) is part of it."""
    if not node.tag.startswith(_OF_YAML):
        return f"{node.tag} {node.value}"
    return str(node.value) if node.style or "!!str" in prefix else in_yaml(node.value)


def _compose(text: str) -> list[Any] | None:
    if text.count("[") + text.count("{") > 5000 or re.search(r"(?:[\[{][^\]}]{0,3}){60}|(?:- ){60}|\? \? \? ", text):
        return None
    yaml = importlib.import_module("yaml")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return [root for root in yaml.compose_all(text, Loader=loader) if root is not None]
    except (yaml.YAMLError, ValueError, RecursionError, TypeError, AttributeError):
        return None


def _remainder(text: str) -> tuple[int, list[Any]]:
    """Return where the first whole part of a cut text starts, and its documents."""
    starts = [m.start() for m in _ROOT_KEY.finditer(text)]
    if not starts:
        return 0, []
    first = starts[0] if starts[0] > 0 else (starts[1] if len(starts) > 1 else len(text))
    candidates = [(first, len(text))] + [
        (0 if starts[0] == 0 else first, cut) for cut in reversed(starts[-_MOST_CUTS:])
    ]
    for start, end in candidates:
        if start < end and (start > 0 or end < len(text)):
            roots = _compose(text[start:end])
            if roots and roots[0].id == "mapping" and (start > 0 or text[:1] not in " \t"):
                return start, roots
    return 0, []
