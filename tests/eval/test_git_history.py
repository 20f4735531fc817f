"""Real assertions from public git histories, through the demo, beside stock Chroma; and mined ones."""

import io
from pathlib import Path

import pytest

from eval.benchmarks.git_history import KINDS, load_kind
from eval.mine import main
from memstrata_integrations import default_embeddings
from memstrata_integrations.demo.replay import Results, run_replay
from memstrata_integrations.demo.terminal import Terminal
from tests.shared_data import data_file, require_minilm
from tests.unit.repositories import Repository


def replay(name: str, embeddings: str, limit: int | None) -> tuple[Results, Results]:
    path = data_file(f"git_history/{name}.jsonl")
    return run_replay(path, default_embeddings(prefer=embeddings), Terminal(io.StringIO()), limit=limit)  # type: ignore[arg-type]


@pytest.mark.slow
def test_pins_with_minilm() -> None:
    require_minilm()
    stock, ours = replay("dependency_pin", "minilm", 1500)
    assert ours.now.stale == ours.gone.stale == ours.past.stale == 0
    assert ours.now.found >= 0.97 * ours.now.asked
    assert ours.past.found >= 0.97 * ours.past.asked
    assert stock.now.stale > ours.now.stale


@pytest.mark.parametrize(
    "name", ["package_version", "python_requires", pytest.param("dependency_pin", marks=pytest.mark.slow)]
)
def test_all_records_lexically(name: str) -> None:
    stock, ours = replay(name, "lexical", None)
    assert ours.now.stale == ours.gone.stale == ours.past.stale == 0
    assert stock.now.stale > 0


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
