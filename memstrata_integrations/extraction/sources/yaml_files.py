"""YAML and JSON (which is YAML): files and fragments, by the positions that PyYAML's composer gives."""

import re

from memstrata_integrations.extraction.sources.entries import Found, escape
from memstrata_integrations.extraction.sources.kinds import Piece
from memstrata_integrations.extraction.sources.tree import Node, Walker, nodes_of

_FIELD = re.compile(r"[ \t]*(?:- +)?[\"']?[\w.$/@<-][\w.$/@ -]{0,80}[\"']?:(?:\s|\Z)|[ \t]*- +\S", re.MULTILINE)
_SENTENCE = re.compile(r"[A-Za-z][\w'’,.()-]*(?: [\w'’,.()-]+){3,}")
# A document with one of these is an object of Kubernetes, of which a file holds several
_OF_OBJECTS = frozenset(("apiVersion", "kind", "spec", "stringData", "binaryData", "roleRef", "provisioner"))
# In files that by their path are of Kubernetes these too; elsewhere "data" and "parameters" are common words
_OF_OBJECTS_THERE = _OF_OBJECTS | {"metadata", "data", "subjects", "parameters", "template"}
_CLUSTER = re.compile(r"k8s|kube|manifest|deploy|helm|chart|config-?map|secret|kustom|argo", re.IGNORECASE)
# A document of Spring that holds for one profile
_PROFILED = re.compile(r"\bon-profile\b|\bprofiles:[ \t]*\S")
_MARK = re.compile(r"^---(?=\s|\Z)", re.MULTILINE)
_INDENTED = re.compile(r"[ \t]+\Z")
_CONTENT = re.compile(r"^(?!#|%|---)[^\n]*\S", re.MULTILINE)
_COMMENT = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|//[^\n]*|\t")  # some files have comments
_PAIR = re.compile(r"^[ \t]*\"[^\"\n]+\"[ \t]*:", re.MULTILINE)
_PIN = re.compile(
    r"[ \t]*\"(?P<name>[^\"\n]+)\"[ \t]*:[ \t]*\"(?P<version>[^\"\\\n]+)\"(?P<comma>,?)[ \t\r]*$", re.MULTILINE
)
_EXACT = re.compile(r"v?\d+\.\d+\.\d+[\w.+-]*\Z")
# Names of a manifest that hold a version and are no package
_NO_PACKAGES = frozenset(("version", "node", "npm", "yarn", "pnpm", "bun", "python", "lockfileVersion", "target"))


def read_yaml(piece: Piece) -> Found:
    """Read a YAML text.

    Of a line alone nothing shows where it stands: an image or an action in it is known by its own name. The first line
    of a piece that a splitter cut may have lost its indentation: it counts as one of the file's top only if what
    stands below it is indented by one step. Of several documents, and of objects of Kubernetes, only those that say
    their kind and name have keys: a piece does not show of how many documents it is one.
    """
    text = piece.text
    found = Found(text)
    lines = text.split("\n", 200)[:200]
    found.structural = any(_FIELD.match(line) and (n == 0 or not _SENTENCE.match(line)) for n, line in enumerate(lines))
    if not found.structural:
        return found
    nodes = nodes_of(text)
    found.prose = not nodes
    sure = piece.trusted or text.startswith("---\n")
    content = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    lone = piece.section is None and not piece.whole and len(content) == 1
    walker = Walker(piece, found, lone=lone)
    several = len(nodes or ()) > 1 or _shows_several(piece)
    known = _OF_OBJECTS if _CLUSTER.search(piece.source.path) is None else _OF_OBJECTS_THERE
    for node in nodes or ():
        is_object = not piece.whole and not known.isdisjoint(key for key, *_ in node.items)
        _document(node, walker, piece, sure=sure, named_only=several or is_object)
    return found


def _shows_several(piece: Piece) -> bool:
    """Whether a mark between documents has one above it, in the text or before it, or the document is of a profile."""
    text = piece.text
    last = max((m.start() for m in _MARK.finditer(text)), default=-1)
    above = last >= 0 and (piece.behind or _CONTENT.search(text, 0, last) is not None)
    return above or ("spring" in text and _PROFILED.search(text) is not None)


def _document(node: Node, walker: Walker, piece: Piece, *, sure: bool, named_only: bool) -> None:
    text = piece.text
    if node.kind not in ("map", "list"):
        walker.found.prose = True
        return
    # an anchor may stand above the first key
    first = node.items[0][1] if node.kind == "map" and node.items and text[node.start] != "{" else node.start
    indented = any(_INDENTED.match(text, text.rfind("\n", 0, p) + 1, p) for p in (node.start, first))
    identity = _identity(node)
    if piece.section is not None:
        walker.walk(node, piece.section)
    elif indented or (named_only and identity is None):
        walker.walk(node, None)
    elif node.kind == "list" or sure or _one_step(text, node):
        walker.walk(node, identity or "" if node.kind == "map" or sure else None)
    else:
        walker.walk(node._replace(items=node.items[:1]), None)
        walker.walk(node._replace(items=node.items[1:]), identity or "")


def _identity(node: Node) -> str | None:
    """Return the kind and name of an object of Kubernetes, or its name if the kind is out of sight."""
    about = next((v for k, _, v in node.items if k == "metadata"), node._replace(items=()))
    kind, space, name = node.get("kind"), about.get("namespace"), about.get("name")
    if name is None or (kind is None and any(k in _OF_OBJECTS for k, *_ in node.items)):
        return None  # a Deployment and a Service share names, and have a `spec`
    given = "?" if kind is None else escape(kind.value)
    return "/".join((given, *(escape(part.value) for part in (space, name) if part is not None)))


def _one_step(text: str, node: Node) -> bool:
    """Whether what stands below the first key is indented by one step, so that the key is at the top."""

    def column(value: Node) -> int | None:
        if value.kind not in ("map", "list") or not value.items or text[value.start] in "[{":
            return None
        line = text.rfind("\n", 0, value.start) + 1
        return value.start - line if not text[line : value.start].strip() else None

    columns = [column(value) for _, _, value in node.items]
    return bool(columns) and columns[0] is not None and (columns[0] in (0, 2) or columns[0] in columns[1:])


def read_json(piece: Piece) -> Found:
    """Read a JSON text that is whole: the file, or the pairs of the section that metadata names.

    An indented brace, whose fellow is indented as well, is that of an object inside. Of other pieces, only what needs
    no section counts: of ``package.json`` a line alone with an exact version.
    """
    text = piece.text
    found = Found(text)
    code = _COMMENT.sub(lambda m: m[0] if m[0][0] == '"' else " " * len(m[0]), text)
    opened = code.lstrip()[:1] in ("{", "[")
    found.structural = opened or _PAIR.search(text) is not None
    inside = piece.section is not None and not opened
    nodes = nodes_of(text, f"{{{code}}}" if inside else code) if opened or inside else None
    for node in nodes or ():
        top = "" if _is_top(piece, node) else None
        Walker(piece, found).walk(node, top if piece.section is None else piece.section)
    found.prose = found.prose or not nodes
    if not nodes and piece.source.name == "package.json":
        _manifest(piece, found)
    return found


def _is_top(piece: Piece, node: Node) -> bool:
    """Whether an object whose first line may have lost its indentation is the file's own."""
    text = piece.text
    closed = text[node.end - 2 : node.end] == "\n}"
    if piece.begins or node.kind != "map" or not node.items:
        return piece.begins
    if text[:1] in " \t" and node.start > 0 and not closed:
        return False
    return piece.trusted or closed or "\n" not in text[node.start : node.items[0][1]]


def _manifest(piece: Piece, found: Found) -> None:
    """Read a piece from the middle of a ``package.json``."""
    text = piece.text
    lone = _PIN.match(text) if "\n" not in text.strip() else None
    if lone is not None and _EXACT.match(lone["version"]):
        span = (text.index('"'), len(text.rstrip()))
        if lone["name"] == "version" and lone["comma"] and span[0] == 0:  # an indented one may be that of anything
            found.pin("", "version", lone.span("version"), span, "version", relation="has version")
        elif lone["name"] not in _NO_PACKAGES:
            found.pin("?", lone["name"], lone.span("version"), span, "exact version")
        found.prose = not found.entries
