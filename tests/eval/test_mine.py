"""Git histories of one's own: what is mined can be loaded, told and asked."""

from __future__ import annotations

import subprocess
from pathlib import Path

from eval.benchmarks.git_history import KINDS, load_kind
from eval.mine import main

_STATES = ("1.4.0", "1.5.2", None)


def _repository(at: Path) -> Path:
    at.mkdir()

    def git(*words: str, day: int = 1) -> None:
        named = ["-c", "user.name=A", "-c", "user.email=a@b.test", "-c", "commit.gpgsign=false"]
        date = f"2024-01-0{day}T12:00:00+0000"
        env = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date, "PATH": "/usr/bin:/bin", "HOME": str(at)}
        subprocess.run(["git", *named, *words], cwd=at, env=env, check=True, capture_output=True)

    git("init", "-q")
    for day, version in enumerate(_STATES, 1):
        pinned = "" if version is None else f"requests=={version}\n"
        (at / "requirements.txt").write_text(f"{pinned}numpy==2.0.0\n", encoding="utf-8")
        git("add", "-A", day=day)
        git("commit", "-qm", f"state {day}", day=day)
    return at


def test_what_is_mined_of_a_repository_is_a_git_history(tmp_path: Path) -> None:
    out = tmp_path / "mined"
    assert main([str(_repository(tmp_path / "repository")), "--out", str(out)]) == 0
    assert {kind for kind in KINDS if load_kind(out, kind).probes} == {"dependency_pin"}
    pins = load_kind(out, "dependency_pin")
    asked = sorted((probe.probe, probe.truth and probe.truth.split()[-1]) for probe in pins.probes)
    assert asked == [("now", "2.0.0."), ("past", "1.4.0."), ("past", "1.5.2."), ("removed", None)]


def test_what_is_no_repository_is_refused(tmp_path: Path) -> None:
    assert main([str(tmp_path), "--out", str(tmp_path / "mined")]) == 2
