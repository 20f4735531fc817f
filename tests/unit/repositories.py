"""Small repositories for the tests of git facts, and what is told of them."""

import os
import subprocess
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from memstrata_integrations.git.facts import GitFact, git_facts

DAY = timedelta(days=1)
START = datetime(2024, 1, 1, tzinfo=timezone.utc)


class Repository:
    """A repository whose n-th commit is of the n-th day."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.git("init", "-q", "-b", "main")
        self.days = 0

    def git(self, *arguments: str, at: datetime | None = None) -> str:
        date = (at or START).isoformat()
        environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
        environment |= {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date, "GIT_CONFIG_GLOBAL": os.devnull}
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
        command = ["git", "-C", str(self.folder), *identity, *arguments]
        return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self, at: datetime | None = None, **files: str | None) -> str:
        """Commit files by name ("__" for ".", "_S_" for "/"), `None` to delete one."""
        for key, content in files.items():
            path = self.folder / key.replace("_S_", "/").replace("__", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            if content is None:
                path.unlink(missing_ok=True)
            else:
                path.write_bytes(content.encode())
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "x", at=at or START + self.days * DAY)
        self.days += 1
        return self.git("rev-parse", "HEAD")

    def facts(self, *arguments: Any, **options: Any) -> list[GitFact]:
        return list(git_facts(self.folder, *arguments, **options))


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "shop")


def told(facts: list[GitFact]) -> list[tuple[int, str, str | None]]:
    return [((f.valid_from - START).days, f.subject.split("#")[1], f.object) for f in facts]
