"""Which files of a repository are asked for, which of these it never had, and whether a version of one can be read."""

import ast
import difflib
import importlib
import json
import os
import posixpath
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.extraction.sources.kinds import kind_of

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

yaml: Any = importlib.import_module("yaml")

_SKIPPED = frozenset(
    "node_modules vendor vendored _vendor third_party site-packages .venv venv dist bower_components .git".split()
)
_GENERATED = re.compile(r"(?:^|/)(?:[\w.-]*-lock|composer\.lock|npm-shrinkwrap|[\w.-]*\.min)\.json\Z|\.ipynb\Z")
_WILD = re.compile(r"(\*\*/|\*\*|\*|\?)")
_CONFLICT = re.compile(r"^<{7} [^\n]*$.*^={7}\r?$.*^>{7} ", re.MULTILINE | re.DOTALL)
# What configurations in JSON have that JSON does not: comments, and commas behind the last. Strings are passed over.
_COMMENT = r"//[^\n]*|/\*.*?\*/"
_NO_JSON = re.compile(rf'("(?:[^"\\\n]|\\.)*")|{_COMMENT}|,(?=(?:\s|{_COMMENT})*[}}\]])', re.DOTALL)
_MEANING = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


class Wanted:
    """Paths that somebody asks for, see `git_facts`; `InvalidInputError` for none, or one outside the repository.

    A leading "/" or "./" stands for its root; `top` is where it lies, if absolute paths may be meant.

    Example:
        >>> wanted = Wanted(["*.toml", "requirement.txt"])
        >>> [wanted(path) for path in ("pyproject.toml", "a/b.toml", "requirements.txt")]
        [True, False, False]
        >>> list(wanted.complaints())
        ["'requirement.txt' names no file; near: 'requirements.txt', 'pyproject.toml', 'a/b.toml'"]
    """

    def __init__(
        self, paths: Iterable[str | os.PathLike[str]] | str | os.PathLike[str] | None, top: Path | None = None
    ) -> None:
        given = [] if paths is None else [paths] if isinstance(paths, (str, os.PathLike)) else paths
        patterns = [os.fspath(p) for p in given]
        if paths is not None and not patterns:
            raise InvalidInputError("paths is empty; name files, or leave it out for every file of a known kind")
        parts = {pattern: _WILD.split(_from_root(pattern, top)) for pattern in patterns}
        said = {pattern: "".join(_MEANING.get(p) or re.escape(p) for p in split) for pattern, split in parts.items()}
        self._expressions = {pattern: re.compile(expression) for pattern, expression in said.items()}
        self._met: set[str] = set()
        self._unread: dict[str, str] = {}  # by pattern, a path that nobody reads
        self._known: set[str] = set()

    def __call__(self, path: str) -> bool:
        """Whether a path of the repository is read."""
        read = kind_of(path) is not None
        if not self._expressions:
            return read and _SKIPPED.isdisjoint(path.split("/")[:-1]) and not _GENERATED.search(path)
        matching = [pattern for pattern, expression in self._expressions.items() if expression.fullmatch(path)]
        if read:
            self._known.add(path)
            self._met.update(matching)
        else:
            self._unread.update(dict.fromkeys(matching, path))
        return read and bool(matching)

    def complaints(self) -> Iterator[str]:
        """Say of each path that was not met until now why, and which are near; of patterns, if none was met."""
        for pattern in self._expressions:
            if pattern in self._met or (self._met and _WILD.search(pattern)):
                continue
            if pattern in self._unread:
                yield f"{self._unread[pattern]!r} is of no kind that is read"
                continue
            near = difflib.get_close_matches(pattern, sorted(self._known), 5, 0.0)
            yield f"{pattern!r} names no file; near: {', '.join(map(repr, near)) or 'none'}"


def _from_root(pattern: str, top: Path | None) -> str:
    """Return a path as git names it, from the root of the repository."""
    path = posixpath.normpath(pattern.replace("\\", "/"))
    if top is not None and os.path.isabs(pattern):
        # links on the way to the repository may be resolved in the one and not in the other; the last name stays
        folder, name = posixpath.split(path)
        absolute, root = Path(os.path.realpath(folder), name), Path(os.path.realpath(top))
        if absolute != root and absolute.is_relative_to(root):
            return absolute.relative_to(root).as_posix()
        if folder != "/" and Path(path).exists():
            raise InvalidInputError(f"{pattern!r} names the repository itself, or lies outside of it: {str(top)!r}")
    if path.split("/")[0] == "..":
        raise InvalidInputError(f"{pattern!r} lies outside the repository; paths are told from its root")
    return path.lstrip("/")


def holds_conflict(text: str) -> bool:
    """Whether the marks of a merge that nobody resolved stand in a text."""
    return _CONFLICT.search(text) is not None


def parses(text: str, kind: str) -> bool:
    r"""Whether a whole file follows the grammar of its kind; kinds that are read line by line always do.

    Example:
        >>> parses('{"a": 1, // one', "json"), parses('{"a": 1, // one\n}', "json"), parses("<", "env")
        (False, True, True)
    """
    if kind not in _PARSERS or not text.strip():
        return True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _PARSERS[kind](text)
    except (ValueError, SyntaxError, RecursionError, MemoryError, yaml.YAMLError):
        return False
    return True


def _yaml(text: str) -> None:
    for _ in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        pass


_PARSERS: dict[str, Callable[[str], Any]] = {
    "json": lambda text: json.loads(_NO_JSON.sub(lambda found: found[1] or " ", text)),
    "toml": tomllib.loads,
    "yaml": _yaml,
    "python": ast.parse,
}
