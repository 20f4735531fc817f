"""Which files of a repository are asked for, and which of these it never had."""

from __future__ import annotations

import difflib
import os
import posixpath
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.extraction.sources.kinds import kind_of

_SKIPPED = frozenset(
    "node_modules vendor vendored _vendor third_party site-packages .venv venv dist bower_components .git".split()
)
_GENERATED = re.compile(r"(?:^|/)(?:[\w.-]*-lock|composer\.lock|npm-shrinkwrap|[\w.-]*\.min)\.json\Z|\.ipynb\Z")
_WILD = re.compile(r"(\*\*/|\*\*|\*|\?)")
_MEANING = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


class Wanted:
    """Paths that somebody asks for.

    Args:
        paths: Exact or with ``*``, ``**/``, ``?``; `None` for every file of a known kind, vendored
            folders and lock files left out. A leading "/" or "./" stands for the root of the repository.
        top: Where the repository lies, if absolute paths may be meant.

    Raises:
        InvalidInputError: If there is no path, or one lies outside the repository.

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
        self._expressions = {pattern: _expression(_from_root(pattern, top)) for pattern in patterns}
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


def _expression(pattern: str) -> re.Pattern[str]:
    return re.compile("".join(_MEANING.get(part) or re.escape(part) for part in _WILD.split(pattern)))
