"""Real assertions from public git histories, through the demo, beside stock Chroma."""

import io

import pytest

from memstrata_integrations import default_embeddings
from memstrata_integrations.demo.replay import Results, run_replay
from memstrata_integrations.demo.terminal import Terminal
from tests.shared_data import data_file, require_minilm


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
