"""Which texts are pieces of files that have a form, told by the path in their metadata."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

PATH_FIELDS = ("file_path", "source", "path", "file_name")
"""Metadata fields that may name a path, the first that names a known kind of file counts."""

_SINGLE = frozenset(".python-version .nvmrc .node-version .ruby-version .terraform-version runtime.txt".split())
_DOCUMENTS = (".md", ".rst", ".txt", ".html", ".adoc", ".pdf", ".sh")
_ENDINGS = {
    **dict.fromkeys(("ini", "cfg"), "ini"),
    **dict.fromkeys(("yaml", "yml"), "yaml"),
    **dict.fromkeys(("py", "pyi"), "python"),
    **{ending: ending for ending in ("toml", "json", "properties")},
}
_NAMES = {"pipfile": "toml", ".flake8": "ini", ".coveragerc": "ini", ".pylintrc": "ini"}
_LISTS = ("requirement", "constraint")
_ADDRESS = re.compile(r"\A[A-Za-z][\w+.-]*://([^?#]*).*")
_LONGEST_PATH = 1000


class Source(NamedTuple):
    """A file of a known kind.

    Attributes:
        kind: One of those that have a reader; "single" is a file that is one value.
        path: Its path as metadata names it, without a scheme, a query or a leading "./".
        name: The last part of the path, in lower case.
    """

    kind: str
    path: str
    name: str


class Piece(NamedTuple):
    """A text of a file, and what is known of where it stands.

    Attributes:
        section: What encloses the text, "" for the top of the file; `None` where nothing tells.
        begins, behind, whole: Whether it is known to begin the file, to stand behind its beginning, to be all of it.
    """

    text: str
    source: Source
    section: str | None = None
    begins: bool = False
    behind: bool = False
    whole: bool = False

    @property
    def trusted(self) -> bool:
        """Whether the first column is the file's: white space at the edges shows that nobody stripped the text."""
        text = self.text
        return self.begins or (text.count("\n") > 1 and (text[-1:] == "\n" or text[:1] in " \t\n"))


def source_of(metadata: Mapping[str, Any]) -> Source | None:
    """Return the file that metadata names, `None` where it names none of a known kind.

    Example:
        >>> source_of({"source": "https://example.org/raw/main/setup.cfg?plain=1"})
        Source(kind='ini', path='example.org/raw/main/setup.cfg', name='setup.cfg')
        >>> source_of({"source": "notes.md"}) is None
        True
    """
    for field in PATH_FIELDS:
        value = metadata.get(field)
        if not isinstance(value, str) or len(value) > _LONGEST_PATH or "\n" in value:
            continue
        path = re.sub(r"\A(?:\./)+", "", _ADDRESS.sub(r"\1", value).replace("\\", "/").strip())
        kind = kind_of(path)
        if kind is not None:
            return Source(kind, path, path.rpartition("/")[2].lower())
    return None


def kind_of(path: str) -> str | None:
    """Return the kind of a file by its path.

    Example:
        >>> [kind_of(p) for p in ("requirements/test.txt", "app/Dockerfile.dev", "a/b.env", "a.json", "notes.txt")]
        ['requirements', 'dockerfile', 'env', 'json', None]
    """
    folder, _, name = path.lower().rpartition("/")
    stem, dot, ending = name.rpartition(".")
    if name in _SINGLE:
        return "single"
    if name in _NAMES:
        return _NAMES[name]
    if dot and ending in ("txt", "in", "pip"):
        listed = any(word in stem for word in _LISTS) or any(part.startswith(_LISTS) for part in folder.split("/"))
        return "requirements" if listed else None
    if stem and ending in _ENDINGS:
        return _ENDINGS[ending]
    if name.startswith(".env.") or name.endswith(".env") or name in ("env.example", "env.sample"):
        return None if name.endswith(_DOCUMENTS) else "env"
    docker = name.startswith(("dockerfile", "containerfile")) or name.endswith("dockerfile")
    return "dockerfile" if docker and not name.endswith(_DOCUMENTS) else None
