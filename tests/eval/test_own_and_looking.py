"""A memory and a benchmark of one's own, without an edit; two runs compared, one sample shown whole."""

import json
from pathlib import Path
from typing import Any

import pytest

from eval.cli import main
from eval.looking import compared
from eval.records import Records, read
from tests.eval.synthetic_records import MANIFEST, answer, write_run
from tests.eval.test_reports import tables

Capture = pytest.CaptureFixture[str]
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
    "id": "mine-1", "kind": "port", "first": "The port of Alder is 8080.", "second": "The port of Alder is 9090.",
    "value_first": "8080", "value_second": "9090", "question": "What is the port of Alder?",
    "noise": ["Alder is written in Rust."],
}  # fmt: skip
BENCHMARK = """
from eval.spec import Benchmark, Question, Turn

def trees():
    return Benchmark("trees", "v1", "static", (Turn("t", "Oaks live long."),),
                     (Question("q", "How do oaks live?", ("long",)),), "0" * 64, "one sentence")
"""


def run(out: Path, *further: str) -> int:
    parts = [f"--no-{part}" for part in ("probe", "calibration", "pairs", "alternatives")]
    return main(["run", "--embedding", "lexical", "--limit", "1", *parts, "--out", str(out), *further])


def test_a_memory_and_a_benchmark_are_brought_by_path(tmp_path: Path, capsys: Capture) -> None:
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


BROKEN = """
from __future__ import annotations
from dataclasses import dataclass
from eval.spec import Benchmark, Passage, Question, Turn

@dataclass
class Memory:
    embedding: object
    roles: object
    settings: object
    def ingest(self, turns): pass
    def retrieve(self, question, *, k, as_of=None): return [Passage(question)] * 9
    def active(self): return None
    def close(self): pass
class Refuses(Memory):
    def ingest(self, turns): raise KeyError("the key")
class Held(Memory):
    def active(self): return []
def nothing(*given): return None
def raises(*given): return {}["api key"]
def empty(): return Benchmark("empty", "v1", "static", (), (), "", "")
def twice(): return Benchmark("twice", "v1", "static", (Turn("t", "One."),), (Question("q", "?", ()),) * 2, "", "")
number = 3
"""


@pytest.mark.parametrize(("option", "given", "said"), [
    ("condition", "nowhere.py:Memory", "nowhere.py:Memory cannot be loaded: FileNotFoundError"),
    ("condition", "eval.conditions.plain:NoMemry", "did you mean NoMemory?"),
    ("condition", "eval.conditions.plain:naive_rag", "give it another name"),
    ("condition", "Memory", "such as memory.py:build"),
    ("condition", "broken.py:nothing", "makes a NoneType without ingest, retrieve, active, close"),
    ("condition", "broken.py:raises", "KeyError: 'api key' (broken.py, line 20)"),
    ("condition", "broken.py:number", "broken.py:number is no callable, but 3"),
    ("condition", "broken.py:Refuses", "Refuses, ingest: KeyError: 'the key' (broken.py, line 16)"),
    ("condition", "broken.py:Memory", "Memory, active: returns no list of eval.spec.Passage, but None"),
    ("condition", "broken.py:Held", "Held, retrieve: returns 9 passages when asked for 5"),
    ("condition", "syntax.py:build", "SyntaxError"), ("benchmark", "nowhere.jsonl", "cannot be read as items"),
    ("benchmark", "list.jsonl", "cannot be read as items"),
    ("benchmark", "lacking.jsonl", "cannot be read as items like those of code_mutation: an item without 'noise'"),
    ("benchmark", "builtins:dict", "must make an eval.spec.Benchmark"),
    ("benchmark", "broken.py:empty", "0 turns and 0 questions"),
    ("benchmark", "broken.py:twice", "2 questions have the id 'q'"),
])  # fmt: skip
def test_what_cannot_be_brought_is_said_in_a_line(
    option: str, given: str, said: str, tmp_path: Path, monkeypatch: Any, capsys: Capture
) -> None:
    lacking = json.dumps({**ITEM, "value_second": None}).replace("noise", "x")
    files = {"broken.py": BROKEN, "syntax.py": "def (", "list.jsonl": "[1]", "lacking.jsonl": lacking}
    for name, text in files.items():
        (tmp_path / name).write_text(f"{text}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    chosen = ["--benchmarks", "domain", "--conditions", "naive_rag", f"--{option}", given]
    assert run(tmp_path / "out", "--no-growth", *chosen) == 2
    assert said in capsys.readouterr().err.splitlines()[-1]


def test_two_runs_are_compared_over_what_both_asked() -> None:
    first = [answer("domain", "naive_rag", f"q{n}", verdict="wrong") for n in range(4)]
    second = [answer("domain", "naive_rag", f"q{n}", verdict=(None, "wrong", "correct")[min(n, 2)]) for n in range(5)]
    told = compared(Records(MANIFEST, tuple(first)), Records({**MANIFEST, "k": 3}, tuple(second))).text()
    assert "answers in both runs: 4; in the first only: 0; in the second only: 1" in told
    assert "set otherwise: k" in told
    [correct] = [line for line in told.splitlines() if " correct " in line]
    assert "0.0% -> 66.7%   +66.7 [+0.0, +100.0]   n 3" in correct


def test_what_differs_comes_first_and_what_is_equal_is_counted() -> None:
    first = [answer("domain", name, f"q{n}", exposed=n > 1) for name in ("naive_rag", "mine") for n in range(4)]
    second = [{**row, "hit": row["condition"] == "naive_rag", "exposed": row["question"] < "q2"} for row in first]
    second[0]["verdict"] = "wrong"
    told = compared(Records(MANIFEST, tuple(first)), Records(MANIFEST, tuple(second))).text().splitlines()
    clear, chance = told.index("different, first -> second:"), told.index("perhaps by chance, first -> second:")
    assert [line.split()[1:5:3] for line in told[clear + 1 : chance - 1]] == [["mine", "hit"]]
    assert "100.0% -> 0.0%   -100.0 (all the same)   n 4" in told[clear + 1]
    of_chance = [line.split()[1:5:3] for line in told[chance + 1 : -2]]
    assert of_chance == [["naive_rag", "correct"], ["mine", "exposed"], ["naive_rag", "exposed"]]
    assert told[-1] == "equal, question by question: 2 of 6 cells"


def test_a_comparison_can_be_had_as_json_and_two_runs_must_have_asked_the_same(tmp_path: Path, capsys: Capture) -> None:
    runs = [write_run(tmp_path / name, [answer(name, "mmr", "q")]) for name in ("domain", "locomo")]
    assert main(["compare", *map(str, runs)]) == 2
    assert "no question in common" in capsys.readouterr().err
    assert main(["compare", *map(str, runs[:1] * 2), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["both"], {cell["difference"] for cell in told["cells"]}) == (1, {0.0})


def test_a_question_that_was_not_asked_is_said_with_some_that_were(tmp_path: Path, capsys: Capture) -> None:
    assert run(tmp_path, "--benchmarks", "domain", "--conditions", "no_memory") == 0
    assert main(["show", str(tmp_path), "nothing"]) == 2
    assert "it asked domain-" in capsys.readouterr().err
