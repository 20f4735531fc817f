"""A small run for the tests of reports: two conditions, two benchmarks, every kind of record, figures by hand."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

DROPPING, OWN = ("dated_one", "dated_apart"), ("temporal_v6", "temporal_v6+dates")

MANIFEST: dict[str, Any] = {
    "schema": 2, "created": "2026-01-01T00:00:00+00:00", "git": "0123456789abcdef", "dirty": False,
    "packages": {"chromadb": "1.5.9"}, "machine": {"cores": 2}, "seed": 0, "k": 5, "limit": None,
    "models": {
        "reader": "extractive (offline)", "correctness": "string judge (offline)",
        "fabrication": "string judge (offline)", "rerank": "lexical (offline)",
    },
    "embedding": "all-MiniLM-L6-v2", "extractor": "grammar",
    "datasets": {"domain": {"version": "v1", "sha256": "ab" * 32, "turns": 2, "questions": 2}},
    "prompts": {}, "settings": {"tau_dup": 0.98}, "tuned": "decay <0.1 | 0.5>",
    "conditions": ["naive_rag", "temporal_v6"], "alternatives": ["mmr"],
}  # fmt: skip


def answer(benchmark: str, condition: str, question: str, **fields: Any) -> dict[str, Any]:
    return {
        "type": "answer", "benchmark": benchmark, "condition": condition, "order": "told", "question": question,
        "kind": "port", "abstention": "allowed", "verdict": "correct", "fabricated": False, "hit": True,
        "exposed": None, "current_above_stale": None, "rank_current": 1, "expects_nothing": False, "as_of": False,
        "packed_tokens": 100, "retrieval_ms": 10.0, "read_calls": 1, "read_tokens": 50, "answer": "8080", "reason": "",
        **fields,
    }  # fmt: skip


def cell(benchmark: str, condition: str, **fields: Any) -> dict[str, Any]:
    return {
        "type": "cell", "benchmark": benchmark, "condition": condition, "order": "told", "turns": 2, "should_stay": 2,
        "lost": [], "to_retire": 0, "retired": 0, "clean": 0, "missed": [], "ingested": 2, "active": 2,
        "ingest_seconds": 0.5, "write_calls": 0, "write_tokens": 0, **fields,
    }  # fmt: skip


_STOCK: tuple[dict[str, Any], ...] = (
    {"verdict": "abstained", "fabricated": None, "answer": None, "current_above_stale": True},
    {"verdict": "stale", "current_above_stale": False},
    {"verdict": "correct", "fabricated": True, "current_above_stale": True},
    {"verdict": None, "fabricated": None, "current_above_stale": False},
)


def main_run() -> list[dict[str, Any]]:
    """Return two benchmarks through two conditions; of `code_mutation`, ours retires three of four and loses one."""
    return [
        cell("domain", "naive_rag"),
        cell("domain", "temporal_v6"),
        answer("domain", "naive_rag", "d1"),
        answer("domain", "naive_rag", "d2", verdict="abstained", fabricated=None, hit=False, answer=None),
        answer("domain", "temporal_v6", "d1"),
        answer("domain", "temporal_v6", "d2"),
        cell("code_mutation", "naive_rag", turns=10, should_stay=6, to_retire=4, ingested=10, active=10,
             missed=["c1-first", "c2-first", "c3-first", "c4-first"]),
        cell("code_mutation", "temporal_v6", turns=10, should_stay=6, to_retire=4, retired=3, clean=3, ingested=10,
             active=6, lost=["c2-noise-1"], missed=["c4-first"], write_calls=20),
        *(
            answer("code_mutation", "naive_rag", f"c{n}", exposed=True, retrieval_ms=10.0 * n,
                   packed_tokens=200 if n == 4 else 100, **fields)
            for n, fields in enumerate(_STOCK, 1)
        ),
        *(
            answer("code_mutation", "temporal_v6", f"c{n}", exposed=n == 4, verdict="stale" if n == 4 else "correct",
                   current_above_stale=n != 4)
            for n in range(1, 5)
        ),
    ]  # fmt: skip


def apart() -> list[dict[str, Any]]:
    spread = {"n": 2, "mean": 0.5, "median": 0.5, "min": 0.25, "max": 0.75}
    labels = ("duplicate", "merge", "contradict", "novel")
    return [
        *(
            answer("code_mutation", c, f"c{n}", abstention="forced", verdict=verdict)
            for c, verdict in (("naive_rag", "stale"), ("temporal_v6", "correct"))
            for n in range(1, 5)
        ),
        *(
            answer("code_mutation", c, f"c{n}", order=order, exposed=c != "temporal_v6" and order == "noise_last")
            for order, c in (("told", "mmr"), ("noise_last", "mmr"), ("noise_last", "temporal_v6"))
            for n in range(1, 5)
        ),
        *(
            answer("timeline", c, f"t{n}", exposed=c == "naive_rag", as_of=past, expects_nothing=nothing,
                   hit=None if nothing else c == "temporal_v6" or not past,
                   verdict="correct" if c == "temporal_v6" else "stale")
            for c in ("naive_rag", "temporal_v6")
            for n, (past, nothing) in enumerate(((False, False), (True, False), (True, True)), 1)
        ),
        cell("collision", "temporal_v6", should_stay=4, turns=4, ingested=4, active=3, lost=["col-1-first"]),
        answer("collision", "temporal_v6", "col-1", kind="other_scope"),
        answer("collision", "temporal_v6", "col-2", kind="plan"),
        *(answer("collision", c, f"col-{n}", hit=n == 1) for c in DROPPING for n in (1, 2)),
        *(
            {"type": "pair", "benchmark": "collision", "condition": "temporal_v6", "pair": pair, "kind": kind,
             "same_value": same, "lost": lost}
            for pair, kind, same, lost in (("col-1", "other_scope", True, True), ("col-2", "plan", False, False))
        ),
        *(
            {"type": "git", "condition": c, "kind": "dependency_pin", "probe": probe, "key": "k1", "as_of": as_of,
             "hit": hit, "hit_at_1": hit, "exposed": c == "naive_rag", "versions": 2, "repo": "r1", "ms": 2.0,
             "told_ended": None if probe != "removed" else c != "naive_rag"}
            for c in ("naive_rag", "dated_key", "temporal_v6", "temporal_v6, key_fields")
            for probe, as_of, hit in (
                ("now", None, True),
                ("past", "2020-01-01T00:00:00+00:00", c != "naive_rag"),
                ("removed", None, None),
            )
        ),
        {"type": "calibration", "embedding": "all-MiniLM-L6-v2", "classes": dict.fromkeys(labels, spread),
         "auroc": 0.625, "best_precision": 0.5, "recommended": {"tau_dup": 0.98, "tau_novel": 0.5},
         "sweep_dup": [{"tau": 0.8, "precision": None, "recall": 0.0, "f1": 0.0, "n": 0}],
         "sweep_novel": [{"tau": 0.5, "precision": 0.5, "recall": 1.0, "f1": 0.6667, "n": 4}],
         "similarities": [[label, cosine] for label in labels for cosine in (0.25, 0.75)]},
        {"type": "probe", "set": "value_only", "half": "counted", "measure": "clean supersession", "groups": [[3, 4]]},
        {"type": "probe", "set": "lookalike", "half": "counted", "measure": "false supersession",
         "groups": [[1, 2], [0, 2]]},
        {"type": "probe", "set": "lookalike", "half": "first", "measure": "false supersession", "groups": [[1, 8]]},
        {"type": "probe", "set": "lookalike", "half": "to break", "measure": "false supersession", "groups": [[1, 2]]},
        {"type": "count", "part": "twelve", "set": "published", "condition": "langchain",
         "measure": "the later state is served", "groups": [[1, 1], [0, 1]]},
        *(
            {"type": "history", "condition": c, "pace": pace, "asked": asked, "versions": versions, "fact": fact,
             "hit": c[:8] == "temporal" or versions < 100,
             "others": 0 if c[:8] == "temporal" or c in DROPPING else versions // 25,
             "tokens": 90}
            for pace in ("together", "each its own")
            for c in ("naive_rag", "dated_rag", "dated_wide", "dated_cut", *DROPPING, *OWN)
            for asked, versions in (*(("now", n) for n in (1, 5, 20, 100)), ("past 50", 100), ("known before", 100))
            for fact in ("f1", "f2")
        ),
        *(
            {"type": "growth", "condition": c, "ingested": 50 * n, "active": 50 if c == "temporal_v6" else 50 * n}
            for c in ("naive_rag", "temporal_v6")
            for n in (1, 2, 20)
        ),
        {"type": "cost", "what": "read now", "stock_ms": 1.0, "ours_ms": 1.5, "ratio": 1.5, "n": 60},
    ]  # fmt: skip


def write_run(directory: Path, rows: Iterable[Mapping[str, Any]], **manifest: Any) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "manifest.json").write_text(json.dumps({**MANIFEST, **manifest}), encoding="utf-8")
    (directory / "records.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return directory
