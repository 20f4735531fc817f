"""The `git` command as a source of file versions: nothing is fetched, checked out or run."""

from __future__ import annotations

import logging
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from memstrata_integrations.errors import InvalidInputError, MissingDependencyError, StorageError

__all__ = ["Git"]

logger = logging.getLogger("memstrata_integrations")

_FILES = ("100644", "100755")
_NO_TEXT = re.compile("[\ud800-\udfff]")  # bytes of a path that are no UTF-8
_LARGEST = 2_000_000  # bytes of a file
_LATEST = 253_402_214_399  # seconds: a day before the end of the year 9999, which leaves room for later commits
_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]*@")


class Git:
    """The `git` command, on one repository."""

    def __init__(self, repository: str | os.PathLike[str]) -> None:
        command = shutil.which("git")
        if command is None:
            raise MissingDependencyError("git is needed to read a history; install it from https://git-scm.com")
        self.folder = Path(repository)
        if not self.folder.is_dir():
            raise InvalidInputError(f"repository={os.fspath(repository)!r} is no folder")
        self._command = [command, "-C", str(self.folder), "-c", "core.quotepath=off", "-c", "log.showroot=true"]
        hidden = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE")
        self._environment = {k: v for k, v in os.environ.items() if k not in hidden}
        self._environment |= {"GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"}
        done = self._run("rev-parse", "--is-shallow-repository")
        if done.returncode:
            told = done.stderr.decode(errors="replace").strip()
            raise InvalidInputError(f"repository={os.fspath(repository)!r} is no git repository ({told})")
        if done.stdout.strip() == b"true":
            logger.warning("%s is a shallow clone: what stood at its oldest commit is dated by that commit; "
                           "'git fetch --unshallow' brings the rest", self.folder)  # fmt: skip

    def _run(self, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [*self._command, *arguments], capture_output=True, env=self._environment, stdin=subprocess.DEVNULL
        )

    def _open(self, *arguments: str, piped: bool = False) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [*self._command, *arguments],
            stdin=subprocess.PIPE if piped else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=self._environment,
        )

    def resolve(self, rev: str) -> str:
        """Return the full name of a commit."""
        done = None if rev.startswith("-") or not rev else self._run("rev-parse", "--verify", "-q", rev + "^{commit}")
        if done is None or done.returncode:
            raise InvalidInputError(f"rev={rev!r} names no commit of {str(self.folder)!r}; a branch or a tag does")
        return done.stdout.decode().strip()

    def identity(self) -> str:
        """Return what names the repository in metadata."""
        origin = self._run("config", "--get", "remote.origin.url").stdout.decode(errors="replace").strip()
        if origin:
            return _CREDENTIALS.sub("", origin)
        top = self.top()
        if top is None:
            return self.folder.resolve().name
        asked = [self._ask("rev-parse", name) for name in ("--git-dir", "--git-common-dir")]
        own, shared = ((self.folder / found).resolve() for found in asked)
        if own == shared:
            return top.name
        # a worktree beside the main checkout, or beside a bare repository
        return shared.parent.name if shared.name == ".git" else shared.name

    def top(self) -> Path | None:
        """Return the root of the working tree, `None` of a bare repository."""
        top = self._ask("rev-parse", "--show-toplevel")
        return Path(top) if top else None

    def _ask(self, *arguments: str) -> str:
        return self._run(*arguments).stdout.decode(errors="surrogateescape").strip()

    def count(self, commit: str) -> int:
        """Return how many commits the mainline has."""
        return int(self._run("rev-list", "--count", "--first-parent", commit).stdout or 0)

    def log(self, commit: str) -> Iterator[tuple[str, int, list[tuple[str, str | None]]]]:
        """Yield (commit, committer date, [(path, blob, `None` if it is gone)]), the oldest first."""
        shape = "--first-parent -m --reverse --raw -z --no-renames --no-abbrev --no-show-signature".split()
        process = self._open("log", *shape, "--format=format:%x01%H %ct", commit, "--")
        code: int | None = None
        try:
            current: tuple[str, int, list[tuple[str, str | None]]] | None = None
            fields = _fields(process)
            for raw in fields:
                word = raw.lstrip(b"\n")
                if word.startswith(b"\x01"):  # the first change of a commit may stand behind its header
                    header, _, word = word[1:].partition(b"\n")
                    if current is not None:
                        yield current
                    sha, _, seconds = header.partition(b" ")
                    current = (sha.decode(), min(int(seconds), _LATEST), [])
                if word.startswith(b":") and current is not None:
                    _, mode, _, blob, status = word[1:].decode().split(" ")
                    path = next(fields).decode(errors="surrogateescape")
                    gone = status.startswith("D") or mode not in _FILES or not blob.strip("0")
                    if not _NO_TEXT.search(path):
                        current[2].append((path, None if gone else blob))
            if current is not None:
                yield current
            code = process.wait()
        finally:
            _end(process)
        if code:
            raise StorageError(f"git log of {str(self.folder)!r} failed with status {code}; 'git fsck' says more")

    @contextmanager
    def blobs(self) -> Iterator[Callable[[str], str | None]]:
        """Give a function from a version's name to its text; `None` if it is binary, very large, or not here."""
        process = self._open("cat-file", "--batch", piped=True)
        stdin, stdout = cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout)

        def text(blob: str) -> str | None:
            try:
                stdin.write(blob.encode() + b"\n")
                stdin.flush()
                header = stdout.readline().split()
            except OSError as error:
                raise StorageError(f"git cat-file of {str(self.folder)!r} ended: {error}") from error
            if header[-1:] == [b"missing"]:
                logger.warning("version %s of a file is not in %s; what it states is unknown", blob, self.folder)
                return None
            if len(header) < 3:
                raise StorageError(f"git cat-file of {str(self.folder)!r} ended at {blob}; 'git fsck' says more")
            content = stdout.read(int(header[2]) + 1)[:-1]
            if len(content) > _LARGEST or b"\x00" in content:
                return None
            return content.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")

        try:
            yield text
        finally:
            _end(process)


def _fields(process: subprocess.Popen[bytes]) -> Iterator[bytes]:
    """Yield what a process writes between zero bytes."""
    stream, rest = process.stdout, b""
    while stream is not None and (chunk := stream.read(1 << 16)):
        *whole, rest = (rest + chunk).split(b"\x00")
        yield from whole
    if rest:
        yield rest


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    process.wait()
