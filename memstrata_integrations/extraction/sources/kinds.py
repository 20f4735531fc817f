"""Which texts are pieces of a file that has a form, told by the path in their metadata."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

__all__ = ["PATH_FIELDS", "Source", "kind_of", "source_of"]

PATH_FIELDS = ("file_path", "source", "path", "file_name")
"""Metadata fields that may name a path, the first that names a known kind of file counts."""

_SINGLE = frozenset(
    (".python-version", ".nvmrc", ".node-version", ".ruby-version", ".terraform-version", "runtime.txt")
)
_DOCUMENTS = (".md", ".rst", ".txt", ".html", ".adoc", ".pdf", ".py", ".sh")
_ENDINGS = {
    "toml": "toml",
    "ini": "ini",
    "cfg": "ini",
    "json": "json",
    "yaml": "yaml",
    "yml": "yaml",
    "properties": "properties",
    "py": "python",
    "pyi": "python",
}
_NAMES = {"pipfile": "toml", ".flake8": "ini", ".coveragerc": "ini", ".pylintrc": "ini"}
_LISTS = ("requirement", "constraint")
_LONGEST_PATH = 1000


class Source(NamedTuple):
    """A file of a known kind.

    Attributes:
        kind: "requirements", "toml", "ini", "json", "yaml", "env", "properties", "dockerfile", "python"
            or "single" (a file that is one value).
        path: Its path as metadata names it, without a scheme, a query or a leading "./".
        name: The last part of the path, in lower case.
    """

    kind: str
    path: str
    name: str


def source_of(metadata: Mapping[str, Any] | None) -> Source | None:
    """Return the file that metadata names, `None` where it names none of a known kind.

    Example:
        >>> source_of({"source": "https://example.org/raw/main/setup.cfg?plain=1"})
        Source(kind='ini', path='example.org/raw/main/setup.cfg', name='setup.cfg')
        >>> source_of({"source": "notes.md"}) is None
        True
    """
    if not metadata:
        return None
    for field in PATH_FIELDS:
        value = metadata.get(field)
        if not isinstance(value, str) or not value or len(value) > _LONGEST_PATH or "\n" in value:
            continue
        path = _without_scheme(value).replace("\\", "/").strip()
        while path.startswith("./"):
            path = path[2:]
        kind = kind_of(path)
        if kind is not None:
            return Source(kind, path, path.rpartition("/")[2].lower())
    return None


def _without_scheme(value: str) -> str:
    if "://" not in value:
        return value
    try:
        parts = urlsplit(value)
    except ValueError:
        return value
    return parts.netloc + parts.path


def kind_of(path: str) -> str | None:
    """Return the kind of a file by its path.

    Example:
        >>> [kind_of(p) for p in ("requirements/test.txt", "app/Dockerfile.dev", "a/b.env", "a.json", "notes.txt")]
        ['requirements', 'dockerfile', 'env', 'json', None]
    """
    folder, _, name = path.lower().rpartition("/")
    stem, dot, ending = name.rpartition(".")
    if not name:
        return None
    if name in _SINGLE:
        return "single"
    if name in _NAMES:
        return _NAMES[name]
    if ending in ("txt", "in", "pip") and dot:
        above = folder.split("/")
        listed = any(word in stem for word in _LISTS) or any(part.startswith(_LISTS) for part in above)
        return "requirements" if listed else None
    if dot and ending in _ENDINGS and stem != "":
        return _ENDINGS[ending]
    if name.endswith(_DOCUMENTS):
        return None
    if name == ".env" or name.startswith(".env.") or name.endswith(".env") or name in ("env.example", "env.sample"):
        return "env"
    if name.startswith(("dockerfile", "containerfile")) or name.endswith("dockerfile"):
        return "dockerfile"
    return None
