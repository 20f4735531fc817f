"""Two benchmarks from end to end with a model for every role, through the real client and a server on loopback."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from eval.cli import main
from eval.plan import FORCED
from eval.records import read
from eval.reports.published import CONDITIONS as PUBLISHED
from tests.conformance.servers import MODEL, Ollama

Capture = pytest.CaptureFixture[str]
NAME = f"ollama:{MODEL}"
LIMIT_S = 1.5  # what is not slow must not take so long on a busy machine
PASSAGE = re.compile(r"\[1\] (.+)")


def reply(request: dict[str, Any]) -> str:
    """Answer as a model that takes the first passage for the answer, and finds everything new and relevant."""
    said = request["messages"][-1]["content"]
    schema = request.get("format")
    if not isinstance(schema, dict):
        return "ready"
    fields = schema["properties"]
    verdicts = fields.get("verdict", {}).get("enum", [])
    if "abstain" in fields:
        first = PASSAGE.search(said)
        return json.dumps({"abstain": first is None, "answer": first[1] if first else ""})
    if "correct" in verdicts:
        return json.dumps({"verdict": "correct", "quote": json.loads(said.rpartition("Answer: ")[2])})
    if "SUPPORTED" in verdicts:
        return json.dumps({"verdict": "SUPPORTED", "quote": said.splitlines()[-1][:30], "why": "It is about that."})
    if "novel" in verdicts:
        return json.dumps({"verdict": "novel", "n": 0, "merged": ""})
    if "scores" in fields:
        return json.dumps({"scores": [{"n": 1, "relevance": 7}]})
    if "inferable" in fields:
        return json.dumps({"inferable": False, "why": "It is news."})
    if "fabricated" in fields:
        return json.dumps({"fabricated": False, "quote": ""})
    if "statements" in fields and '"quote"' in json.dumps(schema):  # what of a turn is worth keeping
        turn = said.splitlines()[-1]
        return json.dumps({"statements": [{"text": turn, "quote": turn}]})
    return "{}"


@pytest.mark.slow
def test_two_benchmarks_run_with_a_model_in_every_role(server: Ollama, tmp_path: Path) -> None:
    server.reply = reply
    given = ["run", "--llm", NAME, "--judge", NAME, "--fabrication-judge", NAME, "--base-url", server.url]
    given += ["--embedding", "lexical", "--limit", "2"]
    names = "naive_rag,advanced_rag,v6,v6+infer,temporal_v6"
    given += ["--benchmarks", "code_mutation,domain", "--conditions", names, "--out", str(tmp_path)]
    assert main([*given, "--no-probe"]) == 0
    found = read(tmp_path)
    assert found.manifest["models"]["reader"] == NAME
    assert found.manifest["extractor"].startswith(f"grammar | {NAME} (one, extract_triple.v")
    assert set(found.manifest["prompts"]) >= {"answer", "judge_correctness", "verify", "gate_judge", "rerank"}
    answers = found.of("answer")
    assert {row["benchmark"] for row in answers} == {"code_mutation", "domain"}
    assert len(answers) == 2 * 2 * 5 + 2 * 3  # three conditions answer the changing questions twice
    assert all(row["read_calls"] > 0 and row["read_tokens"] > 0 for row in answers)
    assert sum(row["read_calls"] for row in answers if row["condition"] == "v6") > len(answers) / 5  # the verifier
    told = {row["condition"]: row["write_calls"] for row in found.of("cell", benchmark="code_mutation")}
    assert told["naive_rag"] == 0
    assert told["v6"] > 0
    assert told["temporal_v6"] > 0  # the model saw what the grammar left


def options(server: Ollama, out: Path, *further: str) -> list[str]:
    roles = [word for role in ("llm", "judge", "fabrication-judge", "verifier") for word in (f"--{role}", NAME)]
    asked = ["run", *roles, "--base-url", server.url, "--embedding", "lexical", "--out", str(out), "--no-alternatives"]
    return [*asked, "--no-probe", "--no-growth", "--no-calibration", "--no-pairs", *further]


def asked(server: Ollama) -> list[str]:
    """What the model was asked, but for the word that each run begins with."""
    return [json.dumps(request["messages"]) for request in server.requests if request.get("format")]


def test_a_judge_answering_prose_is_recorded_and_gone_on_with(server: Ollama, tmp_path: Path, capsys: Capture) -> None:
    server.reply = lambda request: "Well, yes." if "correct" in json.dumps(request.get("format")) else reply(request)
    given = options(server, tmp_path, "--limit", "2", "--benchmarks", "domain", "--conditions", "naive_rag")
    assert main(given) == 0
    answers = read(tmp_path).of("answer")
    assert [row["verdict"] for row in answers] == [None, None]
    assert all("correctness: unreadable" in row["errors"][0] for row in answers)
    assert "of no use, each recorded with its sample: correctness 2" in capsys.readouterr().out
    server.requests.clear()
    assert main(given) == 0
    assert asked(server) == []  # the model would say the same again


def test_a_call_that_takes_too_long_is_recorded_and_made_again_by_a_resumed_run(server: Ollama, tmp_path: Path) -> None:
    def slow_once(request: dict[str, Any]) -> str:
        answering = "abstain" in json.dumps(request.get("format"))
        if answering and len(asked(server)) == 2:  # the first was asked to tell what the run will cost
            server.release.wait(30)
        return reply(request)

    server.reply = slow_once
    given = options(server, tmp_path, "--limit", "3", "--benchmarks", "domain", "--conditions", "naive_rag")
    assert main([*given, "--timeout", str(LIMIT_S)]) == 0
    answers = read(tmp_path).of("answer")
    assert [row.get("failed", False) for row in answers] == [True, False, False]
    assert "reader: no answer: ReadTimeout" in answers[0]["errors"][0]
    assert [row["verdict"] for row in answers] == [None, "correct", "correct"]
    server.reply = reply
    server.requests.clear()
    assert main(given) == 0
    assert len(asked(server)) == 3  # the answer, and its two judges
    assert [row["verdict"] for row in read(tmp_path).of("answer")] == ["correct"] * 3


def test_what_was_asked_of_a_memory_that_lacks_something_is_asked_again(server: Ollama, tmp_path: Path) -> None:
    def breaks(request: dict[str, Any]) -> str:
        extracting = "facts" in json.dumps(request.get("format"))
        server.cut = 1 if extracting and "8080" in json.dumps(request["messages"]) else 0
        return reply(request)

    mine = tmp_path / "mine.jsonl"
    said = {"id": "d1", "statement": "Port 8080 it is, for Alder.", "question": "Which?", "answer": "8080"}
    mine.write_text(json.dumps({**said, "aliases": []}) + "\n", encoding="utf-8")
    given = options(server, tmp_path / "out", "--limit", "1", "--benchmarks", "domain", "--benchmark", str(mine))
    given += ["--conditions", "temporal_v6", "--extractor", "llm"]
    server.reply = breaks
    assert main(given) == 0
    found = read(tmp_path / "out")
    assert [row["benchmark"] for row in found.rows if row.get("failed")] == ["mine", "mine"]  # the cell, and its answer
    server.reply, server.cut = reply, 0
    assert main(given) == 0
    assert not any(row.get("failed") for row in read(tmp_path / "out").rows)


def test_a_run_cut_off_asks_and_extracts_nothing_twice(server: Ollama, tmp_path: Path, capsys: Capture) -> None:
    def dies(request: dict[str, Any]) -> str:
        if len(asked(server)) > 20:
            raise ConnectionResetError("the server dies")
        return reply(request)

    given = options(server, tmp_path, "--limit", "2", "--benchmarks", "code_mutation", "--extractor", "llm")
    given += ["--conditions", "v6,temporal_v6,temporal_v6_lossy"]
    server.reply = dies
    assert main([*given, "--on-error", "stop"]) == 2
    assert "the same command goes on" in capsys.readouterr().err
    done = asked(server)[:20]
    server.reply = reply
    server.requests.clear()
    assert main(given) == 0
    done += asked(server)
    assert len(done) == len(set(done)) > 30
    assert "20 answers of these models are kept already" in capsys.readouterr().out
    calls = {row["condition"]: row["write_calls"] for row in read(tmp_path).of("cell")}
    # what the cache gave counts as what it cost when it was asked for, and planning and writing read a text once
    assert 0 < calls["temporal_v6"] <= calls["temporal_v6_lossy"] < 2 * calls["temporal_v6"]


@pytest.mark.parametrize(("triples", "prompt"), [("one", "extract_triple"), ("several", "extract_triples")])
def test_a_model_alone_can_read_facts_one_or_several(server: Ollama, tmp_path: Path, triples: str, prompt: str) -> None:
    server.reply = reply
    given = options(server, tmp_path, "--limit", "1", "--benchmarks", "code_mutation", "--conditions", "temporal_v6")
    assert main([*given, "--extractor", "llm", "--triples", triples]) == 0
    found = read(tmp_path)
    assert found.manifest["extractor"].startswith(f"{NAME} ({triples}, {prompt}.v")
    [told] = found.of("cell")
    assert told["write_calls"] == told["turns"]  # it is asked about every text, also those that the grammar reads


def test_the_preset_is_the_matrix_of_the_publication(server: Ollama, tmp_path: Path, capsys: Capture) -> None:
    server.reply = reply
    given = options(server, tmp_path, "--preset", "paper", "--limit", "1", "--benchmarks", "domain,api_evolution")
    assert main(given) == 0
    shown = capsys.readouterr().out
    assert re.match(r"at most [\d,]+ calls of models: .*\n[\d.]+ s for an answer, so about [\d.]+ hours\n", shown)
    found = read(tmp_path)
    assert set(found.manifest["conditions"]) == set(PUBLISHED)
    assert found.manifest["extractor"].startswith(f"{NAME} (one, ")
    assert {row["condition"] for row in found.of("answer", abstention="forced")} == set(FORCED)
    assert not found.of("growth") + found.of("pair") + found.of("probe")
    expected = int(re.search(r"at most ([\d,]+)", shown)[1].replace(",", ""))  # type: ignore[index]
    assert len(asked(server)) <= expected


def test_a_run_of_other_models_or_another_version_is_refused(server: Ollama, tmp_path: Path, capsys: Capture) -> None:
    server.reply = reply
    given = options(server, tmp_path, "--limit", "1", "--benchmarks", "domain", "--conditions", "naive_rag")
    assert main(given) == 0
    assert main([*given, "--max-tokens", "99"]) == 2
    assert f"--cache {tmp_path / 'answers.sqlite3'}" in capsys.readouterr().err
    manifest = tmp_path / "manifest.json"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace('"schema": 2', '"schema": 0'), encoding="utf-8")
    assert main(given) == 2
    assert "another --out" in capsys.readouterr().err
    manifest.write_text("{", encoding="utf-8")
    assert main(given) == 2
    assert "no manifest" in capsys.readouterr().err


def test_a_cache_of_another_model_is_said_counted_and_not_used(server: Ollama, tmp_path: Path, capsys: Capture) -> None:
    server.reply = reply
    few = ("--limit", "1", "--benchmarks", "domain", "--conditions", "naive_rag")
    assert main(options(server, tmp_path / "first", *few)) == 0
    capsys.readouterr()
    cache = str(tmp_path / "first" / "answers.sqlite3")
    assert main(options(server, tmp_path / "other", *few, "--max-tokens", "99", "--cache", cache)) == 0
    assert "0 answers of these models are kept already, and cost nothing; 4 of others" in capsys.readouterr().out
    server.requests.clear()
    assert main(options(server, tmp_path / "again", *few, "--cache", cache)) == 0
    assert asked(server) == []
