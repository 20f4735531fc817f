"""A memory and a benchmark of one's own, without an edit; two runs compared, one sample shown whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eval.cli import main
from eval.looking import compared
from eval.records import Records, read
from tests.eval.synthetic_records import MANIFEST, answer
from tests.eval.test_reports import tables

MEMORY = """
from eval.spec import Passage

class Last:
    name = "last"
    def __init__(self, embedding, roles, settings):
        self.turns = []
    def ingest(self, turns):
        self.turns += turns
    def retrieve(self, question, *, k, as_of=None):
        return [Passage(turn.text, (turn.id,)) for turn in reversed(self.turns)][:k]
    def active(self):
        return self.retrieve("", k=len(self.turns))
    def close(self):
        pass
"""
ITEM = {
    "id": "mine-1",
    "kind": "port",
    "first": "The port of Alder is 8080.",
    "second": "The port of Alder is 9090.",
    "value_first": "8080",
    "value_second": "9090",
    "question": "What is the port of Alder?",
    "noise": ["Alder is written in Rust."],
}
BENCHMARK = """
from eval.spec import Benchmark, Question, Turn

def trees():
    return Benchmark("trees", "v1", "static", (Turn("t", "Oaks live long."),),
                     (Question("q", "How do oaks live?", ("long",)),), "0" * 64, "one sentence")
"""


def run(out: Path, *further: str) -> int:
    parts = [f"--no-{part}" for part in ("probe", "calibration", "pairs", "alternatives")]
    return main(["run", "--embedding", "lexical", "--limit", "1", *parts, "--out", str(out), *further])


def test_a_memory_and_a_benchmark_are_brought_by_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "memory.py").write_text(MEMORY, encoding="utf-8")
    (tmp_path / "mine.jsonl").write_text(json.dumps(ITEM) + "\n", encoding="utf-8")
    (tmp_path / "trees.py").write_text(BENCHMARK, encoding="utf-8")
    given = ["--benchmarks", "domain", "--conditions", "naive_rag", "--condition", f"{tmp_path / 'memory.py'}:Last"]
    given += ["--benchmark", str(tmp_path / "mine.jsonl"), "--benchmark", f"{tmp_path / 'trees.py'}:trees"]
    assert run(tmp_path / "out", *given) == 0
    found = read(tmp_path / "out")
    assert {(row["benchmark"], row["condition"]) for row in found.of("cell")} == {
        (benchmark, condition) for benchmark in ("domain", "mine", "trees") for condition in ("naive_rag", "Last")
    }
    [mine] = found.of("answer", benchmark="mine", condition="Last")
    assert (mine["hit"], mine["exposed"]) == (True, True)
    report = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    [of_mine], [on_ours], [deep] = (
        tables(report, heading) for heading in ("`mine`", "Answers: the eight by six", "Each at its own pace")
    )
    assert of_mine["Last"]["stale value in context"].startswith("100.0 %<br>1/1")
    assert of_mine["Last"]["retired, successor served"].startswith("0.0 %<br>0/1")
    assert on_ours["Last"].keys() == {"condition", "domain"}
    assert deep["Last"]["after 5 versions"].startswith("0.0 %<br>0/1")  # its five last texts speak of other things
    capsys.readouterr()
    assert main(["show", str(tmp_path / "out"), "mine-1"]) == 0
    told = capsys.readouterr().out
    assert "asked: What is the port of Alder?\nright: 9090   superseded: 8080" in told
    assert told.count(ITEM["second"]) >= 2  # in both contexts
    assert "verdict: abstained; by string: abstained; fabricated: None" in told


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--condition", "nowhere.py:Memory"], "cannot be loaded"),
        (["--condition", "eval.conditions.plain:Nothing"], "cannot be loaded"),
        (["--condition", "eval.conditions.plain:naive_rag"], "give it another name"),
        (["--condition", "Memory"], "such as memory.py:build"),
        (["--benchmark", "nowhere.jsonl"], "cannot be read as items"),
        (["--benchmark", "builtins:dict"], "must make an eval.spec.Benchmark"),
    ],
)
def test_what_cannot_be_brought_is_said(
    given: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, "--benchmarks", "domain", "--conditions", "naive_rag", *given) == 2
    assert said in capsys.readouterr().err


def test_an_item_without_a_field_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.jsonl").write_text(json.dumps({**ITEM, "value_second": None}).replace("noise", "x") + "\n")
    given = ["--benchmarks", "domain", "--conditions", "naive_rag", "--benchmark", str(tmp_path / "mine.jsonl")]
    assert run(tmp_path / "out", *given) == 2
    assert "KeyError: 'noise'" in capsys.readouterr().err


def test_two_runs_are_compared_over_what_both_asked() -> None:
    first = [answer("domain", "naive_rag", f"q{n}", verdict="wrong") for n in range(4)]
    second = [answer("domain", "naive_rag", f"q{n}", verdict=(None, "wrong", "correct")[min(n, 2)]) for n in range(5)]
    told = compared(Records(MANIFEST, tuple(first)), Records({**MANIFEST, "k": 3}, tuple(second)))
    assert "only in the first run: 0 answers; only in the second: 1; in both: 4" in told
    assert "the runs differ in k" in told
    [correct] = [line for line in told.splitlines() if " correct " in line]
    assert "0.0% -> 66.7%   +66.7 [+0.0, +100.0]   n 3" in correct


def test_a_question_that_was_not_asked_is_said_with_some_that_were(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, "--benchmarks", "domain", "--conditions", "no_memory") == 0
    assert main(["show", str(tmp_path), "nothing"]) == 2
    assert "such as domain-" in capsys.readouterr().err
