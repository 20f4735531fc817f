"""Two benchmarks from end to end with a model for every role, through the real client and a server on loopback."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from eval.cli import main
from eval.records import read
from tests.conformance.test_ollama_loopback import MODEL, Ollama, server

__all__ = ["server"]

NAME = f"ollama:{MODEL}"
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
        return json.dumps({"verdict": "correct", "quote": said[-20:]})
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
    if "statements" in fields:  # what the grammar left states nothing that could change
        return json.dumps({"statements": []})
    return "{}"


def test_two_benchmarks_run_with_a_model_in_every_role(server: Ollama, tmp_path: Path) -> None:
    server.reply = reply
    given = ["run", "--llm", NAME, "--judge", NAME, "--fabrication-judge", NAME, "--base-url", server.url]
    given += ["--embedding", "lexical", "--limit", "2"]
    names = "naive_rag,advanced_rag,v6,v6+infer,temporal_v6"
    given += ["--benchmarks", "code_mutation,domain", "--conditions", names, "--out", str(tmp_path)]
    assert main([*given, "--no-probe"]) == 0
    found = read(tmp_path)
    assert found.manifest["models"]["reader"] == NAME
    assert found.manifest["extractor"] == f"grammar | {NAME} (one)"
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


def test_what_a_judge_cannot_say_is_recorded_as_unscored(server: Ollama, tmp_path: Path) -> None:
    server.reply = lambda request: "no JSON" if "verdict" in json.dumps(request.get("format")) else reply(request)
    given = ["run", "--llm", NAME, "--judge", NAME, "--fabrication-judge", NAME, "--base-url", server.url, "--embedding", "lexical", "--no-probe"]
    assert (
        main([*given, "--limit", "1", "--benchmarks", "domain", "--conditions", "naive_rag", "--out", str(tmp_path)])
        == 0
    )
    [answer] = read(tmp_path).of("answer")
    assert answer["verdict"] is None


def test_a_missing_model_stops_the_run_before_a_record_is_written(
    server: Ollama, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["run", "--llm", "ollama:absent", "--base-url", server.url, "--embedding", "lexical"]
    assert main([*given, "--out", str(tmp_path)]) == 2
    assert "ollama pull absent" in capsys.readouterr().err
    assert not (tmp_path / "records.jsonl").exists()
