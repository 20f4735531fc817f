"""The command `memstrata`: what it prints, what it refuses, and how it judges."""

import json
import os
import subprocess
import sys
from datetime import datetime, timezone
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from memstrata_integrations import __version__
from memstrata_integrations.cli import main
from memstrata_integrations.demo.records import KeyHistory, Record, histories, read_jsonl
from memstrata_integrations.demo.replay import past_date, question
from memstrata_integrations.demo.story import load_story
from memstrata_integrations.demo.terminal import Line, Terminal
from tests.shared_data import ROOT

needs_langchain = pytest.mark.skipif(find_spec("langchain_chroma") is None, reason="langchain-chroma not installed")
Capture = pytest.CaptureFixture[str]
EXAMPLES = ROOT / "examples"


def record(value: str | None, day: str, subject: str = "The port of api", relation: str = "is") -> dict[str, Any]:
    return {"subject": subject, "relation": relation, "object": value, "commit_date": f"{day}T10:00:00+00:00"}


def write(path: Path, records: list[dict[str, Any]]) -> str:
    file = path / "records.jsonl"
    file.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    return str(file)


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=timezone.utc)


@pytest.mark.parametrize(("arguments", "message"), [
    ([], "COMMAND"), (["--version"], f"memstrata-integrations {__version__}\n"), (["dem"], "dem"),
    (["demo", "--k", "0"], "'0' is not a positive whole number"),
    (["demo", "--k", "five"], "'five' is not a positive whole number"),
    (["demo", "--limit", "-1", "--jsonl", "x"], "'-1' is not a positive whole number"),
    (["demo", "--limit", "10"], "--limit goes with --jsonl"), (["demo", "--embeddings", "openai"], "openai"),
])  # fmt: skip
def test_arguments_that_cannot_be_used_are_named(arguments: list[str], message: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(arguments)
    good = arguments == ["--version"]
    assert exit_.value.code == (0 if good else 2)
    assert message in capsys.readouterr()[0 if good else 1]


@pytest.mark.parametrize(("content", "message"), [
    (b"", "holds no records"), (b"\n \n", "holds no records"), (b'{"subject": "a"', "line 1: Invalid JSON"),
    (json.dumps(record("1", "2024-01-01")).encode() + b"\n\nno", "line 3: Invalid JSON"),
    (b"[1]", "line 1: Input should be an object"),
    (b'{"subject": "a", "date": "2024-01-01"}', "line 1: relation: Field required; object: Field required"),
    (b'{"subject": "a", "relation": "is", "object": null}', "line 1: commit_date: Field required"),
    (json.dumps({**record("1", "2024-01-01"), "object": 5}).encode(), "object: Input should be a valid string"),
    (json.dumps(record("1", "2024-01-01", subject=" ")).encode(), "subject: String should match"),
    (json.dumps(record("1", "2024-13-01")).encode(), "line 1: commit_date: Input should be a valid date"),
    (json.dumps(record("\ud800", "2024-01-01")).encode(), "line 1: Invalid JSON"), (b"\xff\xfe", "not UTF-8"),
    (None, "cannot be read"),
])  # fmt: skip
def test_an_unusable_file_names_the_line(content: bytes | None, message: str, tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "records.jsonl"
    if content is not None:
        file.write_bytes(content)
    for given in (file,) if content is not None else (file, tmp_path):  # none, or a directory
        assert main(["demo", "--jsonl", str(given), "--embeddings", "lexical"]) == 2
        out, err = capsys.readouterr()
        assert (out, err[:11], err.count("\n")) == ("", "memstrata: ", 1)
        assert message in err


def test_a_missing_extra_is_one_line_that_names_it(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setitem(sys.modules, "langchain_chroma", None)
    assert main(["demo", "--embeddings", "lexical"]) == 1
    err = capsys.readouterr().err
    assert "pip install 'memstrata-integrations[langchain]'" in err
    assert err.count("\n") == 1


def test_limit_reads_no_further_than_asked(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    file.write_text('{"subject": "a", "relation": "is", "object": "1", "date": "2024-01-01T00:00:00Z"}\nbroken\n')
    assert read_jsonl(file, limit=1) == [Record("a", "is", "1", day("2024-01-01"))]


def one_history(*changes: tuple[str, str | None]) -> KeyHistory:
    (history,) = histories([Record("The port", "is", value, day(at)) for at, value in changes]).values()
    return history


JANUARY, FEBRUARY, MARCH = "2024-01-01", "2024-02-01", "2024-03-01"
CHANGED = ((JANUARY, "1"), (FEBRUARY, "2"))
CAME_BACK = (*CHANGED, (MARCH, "1"))
ENDED = ((JANUARY, None), (FEBRUARY, "1"), (MARCH, None))


@pytest.mark.parametrize(("changes", "at", "true", "wrong"), [
    # stretches are half-open, and before the first nothing is true
    (CHANGED, "2023-12-31", None, {"1", "2"}), (CHANGED, "2024-01-31", "1", {"2"}), (CHANGED, FEBRUARY, "2", {"1"}),
    # dates decide; of one instant, the later one in the file; what came back is not stale
    (CHANGED[::-1], FEBRUARY, "2", {"1"}), (((JANUARY, "1"), (JANUARY, "2")), JANUARY, "2", set()),
    (CAME_BACK, "2024-04-01", "1", {"2"}), (CAME_BACK, "2024-02-15", "2", {"1"}),
    # an ending without a beginning, as at the start of an export, says nothing
    (ENDED, JANUARY, None, {"1"}), (ENDED, "2024-04-01", None, {"1"}),
])  # fmt: skip
def test_what_is_true_and_what_is_wrong_at_a_date(changes: Any, at: str, true: str | None, wrong: set[str]) -> None:
    history = one_history(*changes)
    assert history.statement_at(day(at)) == (true and f"The port is {true}.")
    assert history.wrong_at(day(at)) == {f"The port is {value}." for value in wrong}


def test_stretches_and_past_dates() -> None:
    """A confirmation starts no stretch; the past that is asked about is in the middle of one that was replaced."""
    assert len(one_history((JANUARY, "1"), (FEBRUARY, "1"), (MARCH, "2")).spans) == 2
    assert one_history((JANUARY, None)).spans == ()
    assert one_history(*ENDED).judged(["x", "The port is 1."], day("2024-04-01")) == (False, True)
    assert past_date(one_history((JANUARY, "1"))) is past_date(one_history((JANUARY, "1"), (MARCH, None))) is None
    assert past_date(one_history((JANUARY, "1"), ("2024-01-03", "2"))) == day("2024-01-02")


def test_a_question_names_no_value() -> None:
    for subject, relation, asked in (
        ("numpy pin in a.txt", "is pinned to", "What is the numpy pin in a.txt pinned to?"),
        ("The port of api", "is", "What is The port of api?"),
        ("package version of x", "has version", "package version of x has version what?"),
    ):
        assert question(KeyHistory((subject, relation), ())) == asked


def test_the_story_is_told_from_dated_data() -> None:
    story = load_story()
    truth = histories(story.records)
    assert {q.key for q in story.questions} | {story.history_of} <= set(truth)
    assert max(r.at for r in story.records) <= day(story.known_until)
    python = truth["The latest stable version of Python", "is"]
    assert python.statement_at(day("2022-06-01")) == "The latest stable version of Python is 3.10."


class Tty(StringIO):
    def isatty(self) -> bool:
        return True


def test_colour_is_for_terminals_that_want_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert Terminal(Tty()).coloured
    assert not Terminal(StringIO()).coloured
    monkeypatch.setenv("NO_COLOR", "1")
    assert not Terminal(Tty()).coloured


@pytest.mark.parametrize("width", [80, 100, 120])
def test_two_columns_fit_the_width(width: int) -> None:
    stream = StringIO()
    Terminal(stream, width=width).side_by_side(("left", "right"), [Line("STALE", "word " * 40, "red")], [])
    lines = stream.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    assert "(nothing)" in stream.getvalue()
    assert len({line.index("|") for line in lines if "|" in line}) == 1


@needs_langchain
def test_the_demo_tells_stale_from_true(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["demo", "--embeddings", "lexical"]) == 0
    out = capsys.readouterr().out
    assert "Embedding: lexical-512-v1" in " ".join(out.split())
    rows = [line.split(" | ") for line in out.splitlines() if " | " in line]
    assert any(left.startswith("STALE") for left, _ in rows)
    assert not [right for _, right in rows if right.startswith(("STALE", "FUTURE"))]
    summary = {line[:36].strip(): line[36:].split() for line in out.splitlines()}
    assert summary["true statement found"] == ["3", "of", "4", "4", "of", "4"]
    assert summary["stale statement of it served"] == ["5", "of", "5", "0", "of", "5"]
    assert summary["stale lines, whatever they are about"][1] == "0"
    assert "\x1b" not in out
    told = out.partition("What the store knows of")[0]  # the history prints itself
    assert max(len(line) for line in told.splitlines()) <= 80


COUNTED = {
    "value found": ["2", "100.0%", "2", "100.0%"], "superseded value served": ["2", "100.0%", "0", "0.0%"],
    "still served": ["1", "100.0%", "0", "0.0%"], "value of that date found": ["2", "100.0%", "2", "100.0%"],
    "value of another date served": ["2", "100.0%", "0", "0.0%"],
}  # fmt: skip


@needs_langchain
def test_a_replay_counts_what_each_store_serves(tmp_path: Path, capsys: Capture) -> None:
    timeout, old = "The timeout of web", "The port of old"
    records = [
        record("8080", "2024-01-01"), record("30 seconds", "2024-01-02", timeout), record("9090", "2024-01-03", old),
        record("8443", "2024-02-01"), record(None, "2024-02-02", old), record("5 seconds", "2024-02-03", timeout),
        record("30 seconds", "2024-03-01", timeout),
    ]  # fmt: skip
    assert main(["demo", "--jsonl", write(tmp_path, records), "--embeddings", "lexical"]) == 0
    out, err = capsys.readouterr()
    table = {" ".join(line.split()[:-4]): line.split()[-4:] for line in out.splitlines()}
    assert {what: table[what] for what in COUNTED} == COUNTED
    assert "7 records, 1 of them endings" in out
    assert all(step in err for step in ("writing", "asking"))


LEXICAL = "import memstrata_integrations.embeddings as e; e.default_embeddings = lambda **_: e.LexicalEmbeddings()"
SHOWN = {
    "quickstart": ["as of 2023-12-24:     ['The latest stable version of Python is 3.12.']",
                   "as of 2023-06-01:     The billing API listens on port 8080."],
    "quickstart_llama_index": ["now:      The billing API listens on port 9090.",
                               "1 March:  The billing API listens on port 8080.",
                               "2024-06-01  open        9090   current"],
}  # fmt: skip


@needs_langchain
@pytest.mark.parametrize("name", ["quickstart", pytest.param("quickstart_llama_index", marks=pytest.mark.slow)])
def test_the_quickstart_runs(name: str) -> None:
    code = f"{LEXICAL}; import runpy, sys; runpy.run_path(sys.argv[1], run_name='__main__')"
    command = [sys.executable, "-c", code, str(EXAMPLES / f"{name}.py")]
    environment = {**os.environ, "PYTHONPATH": str(EXAMPLES.parent)}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert [line for line in SHOWN[name] if line not in ran.stdout] == []
    if name == "quickstart":  # it ends with a retraction that is kept
        after = ran.stdout.split("After the retraction:")[1]
        assert ("billing" in after, "Python is 3.13" in after) == (False, True)
    else:
        assert "8080" in ran.stdout.split("Context information")[1].split("billing api")[0]
