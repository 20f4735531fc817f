"""A run: what is recorded of each question, resuming, what bad input gets, and that no offline run needs a network."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from pytest_socket import disable_socket, enable_socket

from eval.cli import main
from eval.conditions import ALTERNATIVES, CONDITIONS
from eval.growth import updates
from eval.metrics import estimate_tokens, packed
from eval.models import offline_roles
from eval.records import SCHEMA, Recorder, read
from eval.runner import Cell, cell_record, lost_turns, run_cell, served
from eval.spec import Benchmark, Passage, Question, Turn
from tests.eval.test_benchmarks import git_file

MOCK = Benchmark(
    "mock", "v1", "evolving",
    (
        Turn("a1", "The port of Alder is 8080.", stays=False, ended_by="a2", sample="a"),
        Turn("n1", "Alder is written in Rust."),
        Turn("a2", "The port of Alder is 9090.", sample="a"),
    ),
    (Question("a", "What is the port of Alder?", ("9090",), ("8080",), evidence=("a2",), sample="a", kind="port"),),
    "0" * 64, "three sentences",
)  # fmt: skip
Capture = pytest.CaptureFixture[str]
MANIFEST = {"schema": SCHEMA}


class Memory:
    name = "scripted"

    def __init__(self, serves: Sequence[Passage]) -> None:
        self.serves = list(serves)
        self.closed = False

    def ingest(self, turns: Sequence[Turn]) -> None:
        pass

    def retrieve(self, question: str, *, k: int, as_of: datetime | None = None) -> list[Passage]:
        return self.serves[:k]

    def active(self) -> list[Passage]:
        return self.serves

    def close(self) -> None:
        self.closed = True


def passage(*ids: str, text: str | None = None) -> Passage:
    texts = {turn.id: turn.text for turn in MOCK.turns}
    return Passage(text or texts[ids[0]], ids)


def run(directory: Path, *serves: Passage) -> list[dict[str, object]]:
    memory = Memory(serves)
    with Recorder(directory, MANIFEST) as recorder:
        run_cell(Cell(MOCK, "scripted"), lambda: memory, offline_roles(), recorder, k=5)
    assert memory.closed
    return list(read(directory).rows)


A1, N1, A2 = (passage(i) for i in ("a1", "n1", "a2"))
SERVED: dict[str, tuple[list[Passage], dict[str, Any], dict[str, Any]]] = {  # what of the cell, and of the answer
    "one that supersedes cleanly": (
        [A2, N1], {"should_stay": 2, "lost": [], "to_retire": 1, "clean": 1, "missed": []},
        {"verdict": "correct", "hit": True, "exposed": False, "rank_current": 1, "current_above_stale": True}),
    "one that keeps both is exposed, and makes the reader abstain": (
        [N1, A1, A2], {"clean": 0, "missed": ["a1"]},
        {"verdict": "abstained", "hit": True, "exposed": True, "rank_current": 3, "current_above_stale": False}),
    "one that drops the later text has lost a true one": (
        [passage("a1", "a2"), N1], {"lost": ["a2"], "clean": 0}, {"verdict": "stale", "hit": False, "exposed": True}),
    "one of nothing has lost everything, and its reader abstains": (
        [], {"lost": ["n1", "a2"]}, {"verdict": "abstained", "hit": False, "rank_current": None}),
    "another item's equal value is neither a hit nor exposure": (
        [passage("n1", text="Birch listens on port 9090, not 8080.")], {}, {"hit": False, "exposed": False}),
}  # fmt: skip


@pytest.mark.parametrize("memory", SERVED)
def test_a_memory_is_recorded_as_it_serves(tmp_path: Path, memory: str) -> None:
    serves, of_cell, of_answer = SERVED[memory]
    cell, answer = run(tmp_path, *serves)
    assert {name: cell[name] for name in of_cell} == of_cell
    assert {name: answer[name] for name in of_answer} == of_answer


def test_a_merged_text_serves_what_has_its_words_or_its_value() -> None:
    merged = Passage("Alder, which is written in Rust, listens on 9090.", ("n1", "a2"))
    by_id = {turn.id: turn for turn in MOCK.turns}
    assert served(by_id["n1"], [merged])
    assert served(by_id["a2"], [merged], ["9090"])
    assert not served(by_id["a2"], [merged])
    assert lost_turns(MOCK, [merged]) == []


def test_a_cell_says_how_many_texts_are_left_and_counts_by_fact_what_shares_one() -> None:
    renamed = {"a1": "a-1", "n1": "n-1", "a2": "a-2"}
    turns = tuple(replace(t, id=renamed[t.id], ended_by=renamed.get(t.ended_by or "")) for t in MOCK.turns)
    of = Cell(replace(MOCK, name="timeline", turns=turns), "scripted")
    record = cell_record(of, [passage("a2")], seconds=1.0, spent=(3, 70))
    assert (record["active"], record["ingested"], record["write_calls"], record["write_tokens"]) == (1, 3, 3, 70)
    assert sorted(record["groups"]) == [[0, 0, 1, 1], [1, 1, 0, 1]]


def test_a_context_is_recorded_by_its_turns_and_what_they_do_not_say(tmp_path: Path) -> None:
    _, answer = run(tmp_path, passage("a2"), passage("n1", "a2", text="Alder is Rust on 9090."))
    assert answer["context"] == [{"turns": ["a2"]}, {"turns": ["n1", "a2"], "text": "Alder is Rust on 9090."}]


def test_the_packed_passages_stay_within_the_budget_and_the_string_judge_speaks_as_well(tmp_path: Path) -> None:
    roles = replace(offline_roles(), correctness=lambda *told: "stale")
    memory = Memory([passage("n1"), passage("a2"), passage("a1")])
    room = estimate_tokens(packed(memory.serves[:2]))
    with Recorder(tmp_path, MANIFEST) as recorder:
        run_cell(Cell(MOCK, "scripted"), lambda: memory, roles, recorder, k=5, budget=room)
    [answer] = read(tmp_path).of("answer")
    assert (len(answer["context"]), answer["packed_tokens"], answer["exposed"]) == (2, room, False)
    assert (answer["verdict"], answer["by_string"]) == ("stale", "correct")


def test_growth_tells_every_fact_once_a_round() -> None:
    rounds = updates(20)
    assert [len(turns) for turns in rounds] == [50] * 20
    assert len({turn.text for turns in rounds for turn in turns}) == 1000
    assert [turn.stays for turn in rounds[-1]] == [True] * 50


@pytest.mark.slow
def test_a_mock_benchmark_goes_through_every_condition_and_alternative_offline(tmp_path: Path) -> None:
    names = ",".join((*CONDITIONS, *ALTERNATIVES))
    disable_socket(allow_unix_socket=True)
    try:
        given = ["run", "--offline", "--embedding", "lexical", "--limit", "2", "--benchmarks", "code_mutation,timeline"]
        assert main([*given, "--conditions", names, "--out", str(tmp_path)]) == 0
    finally:
        enable_socket()
    found = read(tmp_path)
    told = {(row["benchmark"], row["condition"]) for row in found.of("cell")}
    assert told == {(b, c) for b in ("code_mutation", "timeline") for c in (*CONDITIONS, *ALTERNATIVES)}
    assert found.manifest["embedding"].startswith("lexical")
    assert "offline" in found.manifest["models"]["reader"]
    assert all(row["verdict"] is not None for row in found.of("answer"))


@pytest.mark.slow
def test_an_interrupted_run_goes_on_and_counts_nothing_twice(tmp_path: Path, capsys: Capture) -> None:
    given = ["run", "--embedding", "lexical", "--limit", "3", "--benchmarks", "code_mutation,domain"]
    given += ["--conditions", "naive_rag,temporal_v6", "--no-probe"]
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    assert main([*given, "--out", str(whole)]) == 0
    cut.mkdir()
    (cut / "manifest.json").write_bytes((whole / "manifest.json").read_bytes())
    lines = (whole / "records.jsonl").read_bytes().splitlines(keepends=True)
    (cut / "records.jsonl").write_bytes(b"".join(lines[:7]) + lines[7][:20])
    assert main([*given, "--out", str(cut)]) == 0
    assert [timeless(row) for row in read(cut).rows] == [timeless(row) for row in read(whole).rows]
    before = (cut / "records.jsonl").read_bytes()
    assert main([*given, "--out", str(cut)]) == 0
    assert (cut / "records.jsonl").read_bytes() == before
    assert main([*given, "--out", str(cut), "--k", "3"]) == 2
    assert "another k" in capsys.readouterr().err


def timeless(row: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in row.items() if name not in ("retrieval_ms", "ingest_seconds")}


@pytest.mark.parametrize(("given", "said"), [
    (["--benchmarks", "code_mutatoin"], "did you mean code_mutation"),
    (["--conditions", "naive_rga"], "did you mean naive_rag"), (["--benchmarks", "xyzzy"], "known: domain"),
    (["--benchmarks", ","], "no benchmark is named"), (["--limit", "0"], "at least 1"),
    (["--offline", "--llm", "ollama:x"], "exclude each other"), (["--judge", "ollama:x"], "needs --llm"),
    (["--extractor", "llm"], "needs --llm"), (["--locked-rules", "nowhere.txt"], "cannot be read"),
    (["--budget", "0"], "at least 1"), (["--timeout", "nan"], "above 0"),
    (["--limt"], "unrecognized arguments: --limt"), (["--out", __file__], "File exists"),
    (["--locomo", "nowhere.json"], "cannot be read"), (["--git-history", "nowhere"], "cannot be read"),
    (["--llm", "ollama:nothing", "--base-url", "http://127.0.0.1:9"], "cannot be reached"),
])  # fmt: skip
def test_bad_input_gets_an_error_with_the_way_out(given: list[str], said: str, tmp_path: Path, capsys: Capture) -> None:
    assert main(["run", "--embedding", "lexical", "--limit", "1", "--out", str(tmp_path / "out"), *given]) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out" / "records.jsonl").exists()


@pytest.mark.parametrize(("given", "said"), [
    (["bench", "--shape", "5x"], "'5x' must be FACTSxVERSIONS"),
    (["bench", "--shape", "0x5"], "'0x5' must be FACTSxVERSIONS"), (["bench", "--rows", "0"], "at least 1"),
    (["bench", "--rows", "10", "--versions", "20"], "no --rows has as many rows"),
    (["bench", "--versions", "2"], "--versions needs --rows"), (["bench", "--rounds", "-1"], "at least 1"),
    (["bench", "--run", "nowhere"], "holds no run"),
    (["probe", "--add", "nowhere", "--author", "x", "--kind", "change"], "cannot be read"),
    (["probe", "--author", "nobody"], "no such rows"), (["reprot"], "invalid choice: 'reprot'"),
    (["report", "nowhere"], "python -m eval run"),
])  # fmt: skip
def test_no_command_ends_in_a_traceback_or_a_page_of_usage(given: list[str], said: str, capsys: Capture) -> None:
    assert main(given) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert said in line


def test_a_run_without_a_record_has_no_report(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "manifest.json").write_text(json.dumps(MANIFEST), encoding="utf-8")
    assert main(["report", str(tmp_path)]) == 2
    assert "without a record" in capsys.readouterr().err


def test_what_there_is_can_be_listed(capsys: Capture) -> None:
    assert main(["list"]) == 0
    told = capsys.readouterr().out
    assert all(name in told for name in (*CONDITIONS, *ALTERNATIVES, "fair_contradiction", "--git-history"))


FEW = ["run", "--embedding", "lexical", "--benchmarks", "domain", "--conditions", "naive_rag", "--no-probe"]


@pytest.mark.slow
def test_a_file_of_another_s_dialogue_leaves_no_text_in_the_records(tmp_path: Path) -> None:
    said = [{"speaker": "Ada", "dia_id": "D1:1", "text": "My dog is called Bilberry."}]
    asked = [{"question": "What is Ada's dog called?", "answer": "Bilberry", "evidence": ["D1:1"], "category": 4}]
    data = tmp_path / "dialogue.json"
    data.write_text(json.dumps({"session_1": said, "qa": asked}), encoding="utf-8")
    assert main([*FEW, "--limit", "1", "--locomo", str(data), "--out", str(tmp_path / "out")]) == 0
    [counted] = read(tmp_path / "out").of("count", part="locomo", measure="evidence in the context")
    assert counted["groups"] == [[1, 1]]
    assert "Bilberry" not in (tmp_path / "out" / "records.jsonl").read_text(encoding="utf-8")


TOLD = {
    ("temporal_v6", "now"): (True, False, None), ("temporal_v6", "removed"): (None, False, True),
    ("temporal_v6", "past"): (True, False, None), ("naive_rag", "now"): (True, True, None),
    ("naive_rag", "removed"): (None, True, False), ("dated_rag", "removed"): (None, True, True),
    ("dated_rag", "past"): (True, False, None),
}  # fmt: skip


@pytest.mark.slow
def test_mined_histories_are_asked_of_every_system_and_leave_no_text(tmp_path: Path) -> None:
    folder = git_file(
        tmp_path / "git",
        ("alder in a.txt", "1.2.3", "2020-01-01T00:00:00+00:00"),
        ("birch in a.txt", "9.9.9", "2020-01-01T00:00:00+00:00"),
        ("alder in a.txt", "2.0.0", "2020-01-03T00:00:00+00:00"),
        ("birch in a.txt", None, "2020-02-01T00:00:00+00:00"),
    )
    given = [*FEW, "--limit", "5", "--git-history", str(folder), "--out", str(tmp_path / "out")]
    assert [main(given), main(given)] == [0, 0]
    rows = read(tmp_path / "out").of("git")
    found = {(row["condition"], row["probe"]): (row["hit"], row["exposed"], row["told_ended"]) for row in rows}
    assert {asked: found[asked] for asked in TOLD} == TOLD
    assert {row["versions"] for row in rows} == {1, 2}
    assert len(rows) == 36  # nine systems, four questions
    assert "alder" not in (tmp_path / "out" / "records.jsonl").read_text(encoding="utf-8")
