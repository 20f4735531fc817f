"""The `git` command as a source of file versions: nothing is fetched, checked out or run."""

import logging
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from memstrata_integrations.errors import InvalidInputError, MissingDependencyError, StorageError

logger = logging.getLogger("memstrata_integrations")

_FILES = ("100644", "100755")
_NO_TEXT = re.compile("[\ud800-\udfff]")  # bytes of a path that are no UTF-8
_LARGEST = 2_000_000  # bytes of a file
_LATEST = 253_402_214_399  # seconds: a day before the end of the year 9999, which leaves room for later commits
_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]*@")
_OF_ANOTHER = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE")  # repository


class Git:
    """The `git` command, on one repository."""

    def __init__(self, repository: str | os.PathLike[str]) -> None:
        command = shutil.which("git")
        if command is None:
            raise MissingDependencyError("git is needed to read a history; install it from https://git-scm.com")
        self.folder = os.fspath(repository)
        self._command = [command, "-C", self.folder, "-c", "log.showroot=true"]
        self._environment = {k: v for k, v in os.environ.items() if k not in _OF_ANOTHER}
        self._environment |= {"GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"}
        done = self._run("rev-parse", "--is-shallow-repository")
        if done.returncode:
            raise InvalidInputError(f"repository={self.folder!r} is no git repository ({done.stderr.strip()})")
        if done.stdout.strip() == "true":
            logger.warning("%s is a shallow clone: what stood at its oldest commit is dated by that commit; "
                           "'git fetch --unshallow' brings the rest", self.folder)  # fmt: skip

    def _run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        told: dict[str, Any] = {"env": self._environment, "encoding": "utf-8", "errors": "surrogateescape"}
        command = [*self._command, *arguments]
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, **told)

    def _open(self, *arguments: str) -> subprocess.Popen[bytes]:
        pipe, command = subprocess.PIPE, [*self._command, *arguments]
        return subprocess.Popen(command, env=self._environment, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)

    def resolve(self, rev: str) -> str:
        """Return the full name of a commit."""
        done = self._run("rev-parse", "--verify", "--quiet", "--end-of-options", rev + "^{commit}")
        if done.returncode:
            raise InvalidInputError(f"rev={rev!r} names no commit of {self.folder!r}; a branch or a tag does")
        return done.stdout.strip()

    def identity(self) -> str:
        """Return what names the repository in metadata."""
        origin = self._run("config", "--get", "remote.origin.url").stdout.strip()
        if origin:
            return _CREDENTIALS.sub("", origin)
        main, *_ = self._run("worktree", "list", "--porcelain").stdout.splitlines()  # "worktree /path/to/it"
        return Path(main).name

    def top(self) -> Path | None:
        """Return the root of the working tree, `None` of a bare repository."""
        top = self._run("rev-parse", "--show-toplevel").stdout.strip()
        return Path(top) if top else None

    def count(self, commit: str) -> int:
        """Return how many commits the mainline has."""
        return int(self._run("rev-list", "--count", "--first-parent", commit).stdout)

    def log(self, commit: str) -> Iterator[tuple[str, int, list[tuple[str, str | None]]]]:
        """Yield (commit, committer date, [(path, blob, `None` if it is gone)]), the oldest first."""
        shape = "--first-parent -m --reverse --raw -z --no-renames --no-abbrev --no-show-signature".split()
        with self._open("log", *shape, "--format=%H %ct%x00", commit, "--") as process:
            sha, seconds, changes = "", 0, []
            fields = _fields(cast("IO[bytes]", process.stdout))
            for field in fields:
                field = field.lstrip("\n")
                if field.startswith(":"):
                    _, mode, _, blob, status = field.split(" ")
                    path = next(fields)
                    if not _NO_TEXT.search(path):
                        changes.append((path, blob if mode in _FILES and status != "D" else None))
                elif field:
                    if sha:
                        yield sha, seconds, changes
                    sha, _, date = field.partition(" ")
                    seconds, changes = min(int(date), _LATEST), []
            if sha:
                yield sha, seconds, changes
        if process.returncode:
            raise StorageError(f"git log of {self.folder!r} failed ({process.returncode}); 'git fsck' says more")

    @contextmanager
    def blobs(self) -> Iterator[Callable[[str], str | None]]:
        """Give a function from a version's name to its text; `None` if it is binary, very large, or not here."""
        with self._open("cat-file", "--batch") as process:
            stdin, stdout = cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout)

            def text(blob: str) -> str | None:
                stdin.write(blob.encode() + b"\n")
                stdin.flush()
                header = stdout.readline().split()
                if header[-1:] == [b"missing"]:
                    logger.warning("version %s of a file is not in %s; what it states is unknown", blob, self.folder)
                    return None
                if len(header) < 3:
                    raise StorageError(f"git cat-file of {self.folder!r} ended at {blob}; 'git fsck' says more")
                content = stdout.read(int(header[2]) + 1)[:-1]
                if len(content) > _LARGEST or b"\x00" in content:
                    return None
                return content.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")

            yield text


def _fields(stream: IO[bytes]) -> Iterator[str]:
    """Yield what stands before zero bytes."""
    rest = b""
    while chunk := stream.read(1 << 16):
        *whole, rest = (rest + chunk).split(b"\x00")
        yield from (field.decode(errors="surrogateescape") for field in whole)
