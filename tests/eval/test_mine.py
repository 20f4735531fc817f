"""Git histories of one's own: what is mined can be loaded, told and asked."""

from pathlib import Path

from eval.benchmarks.git_history import KINDS, load_kind
from eval.mine import main
from tests.unit.repositories import Repository


def test_what_is_mined_of_a_repository_is_a_git_history(tmp_path: Path) -> None:
    repository, out = Repository(tmp_path / "repository"), tmp_path / "mined"
    for pinned in ("requests==1.4.0\n", "requests==1.5.2\n", ""):
        repository.commit(requirements__txt=f"{pinned}numpy==2.0.0\n")
    assert main([str(repository.folder), "--out", str(out)]) == 0
    assert {kind for kind in KINDS if load_kind(out, kind).probes} == {"dependency_pin"}
    pins = load_kind(out, "dependency_pin")
    asked = sorted((probe.probe, probe.truth and probe.truth.split()[-1]) for probe in pins.probes)
    assert asked == [("now", "2.0.0."), ("past", "1.4.0."), ("past", "1.5.2."), ("removed", None)]


def test_what_is_no_repository_is_refused(tmp_path: Path) -> None:
    assert main([str(tmp_path), "--out", str(tmp_path / "mined")]) == 2
