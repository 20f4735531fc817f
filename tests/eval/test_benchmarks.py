"""The benchmarks are what their manifest says, hold no marker of time, and load as turns and questions."""

import json
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from eval import benchmarks
from eval.benchmarks import git_history, manifest
from eval.benchmarks.markers import marker_in
from eval.git_run import run_git
from eval.metrics import mentions
from eval.models import embedder
from eval.records import SCHEMA, Recorder, read
from eval.spec import Turn
from memstrata_integrations.errors import InvalidInputError
from tests.shared_data import data_file

CHANGING = (*benchmarks.EVOLVING, "fair_contradiction")


def items(name: str) -> list[dict[str, object]]:
    lines = (manifest.DIRECTORY / f"{name}.v1.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_another_hash_and_an_unknown_name_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(manifest.DIRECTORY, tmp_path / "copy")
    monkeypatch.setattr(manifest, "DIRECTORY", tmp_path / "copy")
    with (tmp_path / "copy" / "domain.v1.jsonl").open("a", encoding="utf-8") as file:
        file.write("\n")
    with pytest.raises(InvalidInputError, match=r"SHA-256 \w{64}, manifest.json says \w{64}"):
        benchmarks.load("domain")
    with pytest.raises(InvalidInputError, match="did you mean code_mutation"):
        benchmarks.load("code_mutations")


SIZES = {"domain": 50, "locomo": 30, "code_mutation": 30, "config_migration": 20, "dependency_bump": 20}
SIZES |= {"api_evolution": 20, "fair_contradiction": 50, "collision": 150}


def test_every_file_has_the_hash_of_the_manifest_and_its_size() -> None:
    assert json.loads((manifest.DIRECTORY / "manifest.json").read_text(encoding="utf-8")) == manifest.made()
    assert {name: len(benchmarks.load(name).questions) for name in SIZES} == SIZES


@pytest.mark.parametrize("name", benchmarks.NAMES)
def test_ids_are_unique_and_questions_name_turns_that_exist(name: str) -> None:
    loaded = benchmarks.load(name)
    ids = Counter(turn.id for turn in loaded.turns)
    assert max(ids.values()) == 1
    assert max(Counter(question.id for question in loaded.questions).values()) == 1
    assert {turn for question in loaded.questions for turn in question.evidence} <= ids.keys()
    assert {turn.ended_by for turn in loaded.turns if turn.ended_by} <= ids.keys()


@pytest.mark.parametrize("name", CHANGING)
def test_two_states_differ_in_the_one_value_alone_and_hold_no_marker_of_time(name: str) -> None:
    for item in items(name):
        first, second, one, two = (str(item[what]) for what in ("first", "second", "value_first", "value_second"))
        assert first.count(one) == 1 or len(re.findall(rf"(?<!\w){re.escape(one)}(?!\w)", first)) == 1, item["id"]
        assert any(first[: m.start()] + two + first[m.end() :] == second for m in re.finditer(re.escape(one), first))
        assert isinstance(item["noise"], list)
        for value, here, there in ((one, first, second), (two, second, first)):
            assert mentions(here, [value]), item["id"]
            for other in (there, str(item["question"]), *item["noise"]):
                assert not mentions(other, [value]), (item["id"], other)
    for turn in benchmarks.load(name).turns:
        assert marker_in(turn.text) is None, (turn.id, marker_in(turn.text))


PLANTED = [
    "The port is 8080 [OUTDATED].", "The old port is 8080.", "Port (previously): 8080", "port = 8080  # deprecated",
    "The port is now 8080.", "Currently the port is 8080.", "The port no longer is 8080.", "legacy port: 8080",
    "The port was 8080.", "The latest port is 8080.", "the port used to be 8080", "port 8080 (updated)",
]  # fmt: skip
PLAIN = [
    "`GET /orders/new` lists orders.", "The host is old-oak-1.", "PREVIOUS_PAGE=3",
    "The golden rule is to hold on.", "renewals.log is 8 MB.", "The newsletter goes out on Monday.",
]  # fmt: skip


@pytest.mark.parametrize(("text", "marked"), [*((t, True) for t in PLANTED), *((t, False) for t in PLAIN)])
def test_a_marker_is_found_and_not_in_a_part_of_an_identifier_or_of_another_word(text: str, marked: bool) -> None:
    assert (marker_in(text) is not None) is marked


@pytest.mark.parametrize("order", ["told", "noise_last"])
@pytest.mark.parametrize("name", benchmarks.EVOLVING)
def test_what_is_superseded_is_told_first(name: str, order: benchmarks.Order) -> None:
    turns = benchmarks.load(name, order=order).turns
    place = {turn.id: n for n, turn in enumerate(turns)}
    assert all(place[turn.id] < place[turn.ended_by] for turn in turns if turn.ended_by)


def test_noise_last_is_told_after_every_change_and_tells_the_same() -> None:
    mixed, last = benchmarks.load("code_mutation"), benchmarks.load("code_mutation", order="noise_last")
    kinds = ["noise" in turn.id for turn in last.turns]
    assert kinds == sorted(kinds)
    assert sorted(turn.id for turn in mixed.turns) == sorted(turn.id for turn in last.turns)
    assert "noise" in mixed.turns[0].id + mixed.turns[1].id + mixed.turns[2].id  # mixed indeed


def test_a_limit_takes_items_with_their_noise() -> None:
    short = benchmarks.load("code_mutation", limit=2)
    assert len(short.questions) == 2
    assert {turn.id[:7] for turn in short.turns} == {"code-01", "code-02"}


def test_nothing_among_look_alikes_may_go() -> None:
    assert all(turn.stays for turn in benchmarks.load("collision").turns)
    pairs = benchmarks.collision_pairs()
    assert len(pairs) == 150
    assert all(len(pair.turns) == 2 and len(pair.questions) == 1 for pair in pairs)


def test_a_timeline_holds_no_marker_of_time_and_asks_for_what_is_valid_by_its_dates_alone() -> None:
    loaded = benchmarks.load("timeline")
    assert [t.id for t in loaded.turns if t.stays is not None and marker_in(t.text)] == []
    samples = {turn.sample for turn in loaded.turns}
    assert len(samples) == 30
    by_sample = {sample: [turn for turn in loaded.turns if turn.sample == sample] for sample in samples}
    for turns in by_sample.values():  # fact by fact, in the order of their own
        assert turns == sorted(turns, key=lambda turn: int(turn.id.rsplit("-", 1)[1]))
    for question in loaded.questions:
        told = [t for t in by_sample[question.sample] if question.as_of is None or _from(t) <= question.as_of]
        latest = max(told, key=_from, default=None)
        if question.answers:
            assert latest is not None, question.id
            assert mentions(latest.text, question.answers), question.id
        else:
            assert latest is None or latest.stays is None, question.id


def _from(turn: Turn) -> object:
    assert turn.valid_from is not None
    return turn.valid_from


def write(path: Path, content: object) -> Path:
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_locomo_reads_one_conversation_and_the_published_list(tmp_path: Path) -> None:
    said = {
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [{"speaker": "Ada", "dia_id": "D1:1", "text": "I got a dog.", "blip_caption": "a brown dog"}],
        "session_2": [{"speaker": "Bo", "dia_id": "D2:1", "text": "Nice."}],
    }
    asked = [
        {"question": "What did Ada get?", "answer": "a dog", "evidence": ["D1:1"], "category": 4},
        {"question": "What did Bo get?", "adversarial_answer": "a cat", "evidence": [], "category": 5},
    ]
    published = [{"sample_id": "conv-7", "conversation": said, "qa": asked}]
    [older] = benchmarks.load_locomo(write(tmp_path / "7.json", {**said, "qa": asked}))
    [listed] = benchmarks.load_locomo(write(tmp_path / "locomo10.json", published))
    assert (older.name, listed.name) == ("locomo:7", "locomo:conv-7")
    assert older.turns == listed.turns
    assert older.turns[0].text == "Ada: I got a dog. [shares a picture of a brown dog]"
    assert [q.answers for q in older.questions] == [("a dog",), ()]  # nothing in the dialogue answers the second
    assert older.questions[1].kind == "adversarial"


@pytest.mark.parametrize(("number", "turns", "questions"), [("26", 419, 199), ("30", 369, 105)])
def test_locomo_reads_the_real_files(number: str, turns: int, questions: int) -> None:
    [loaded] = benchmarks.load_locomo(data_file(f"locomo/{number}.json"))
    assert (len(loaded.turns), len(loaded.questions)) == (turns, questions)


LONG = {
    "question_id": "q1", "question_type": "knowledge-update", "question": "Where do I live?", "answer": "Bergen",
    "question_date": "2023/05/30 (Tue) 23:40",
    "haystack_dates": ["2023/05/01 (Mon) 10:00", "2023/05/20 (Sat) 11:00"],
    "haystack_session_ids": ["a", "b"],
    "haystack_sessions": [
        [{"role": "user", "content": "I live in Oslo."}, {"role": "assistant", "content": "Lovely."}],
        [{"role": "user", "content": "I moved to Bergen.", "has_answer": True}],
    ],
    "answer_session_ids": ["b"],
}  # fmt: skip


def test_longmemeval_makes_a_benchmark_of_each_question(tmp_path: Path) -> None:
    one, two = benchmarks.load_longmemeval(write(tmp_path / "l.json", [LONG, {**LONG, "question_id": "q2_abs"}]))
    told = ["user: I live in Oslo.", "assistant: Lovely.", "user: I moved to Bergen."]
    assert [turn.text for turn in one.turns] == told
    assert (one.questions[0].evidence, one.questions[0].answers) == (("2:1",), ("Bergen",))
    assert two.questions[0].answers == ()


def test_fact_consolidation_reads_numbered_facts(tmp_path: Path) -> None:
    told = "Facts:\n0. The capital of Avalon is Camelot.\n1. The capital of Avalon is Lyonesse."
    asked = {"questions": ["What is the capital of Avalon?"], "answers": [["Lyonesse"]]}
    lines = tmp_path / "f.jsonl"
    lines.write_text((json.dumps({"context": told, **asked, "metadata": {}}) + "\n") * 2, encoding="utf-8")
    one, two = benchmarks.load_fact_consolidation(lines)
    assert [turn.text for turn in one.turns][1] == "The capital of Avalon is Lyonesse."
    assert one.questions[0].answers == ("Lyonesse",)
    assert two.name == "fact_consolidation:1"


@pytest.mark.parametrize(("load", "content", "said"), [
    (benchmarks.load_locomo, {"a": 1}, "lacks qa"),
    (benchmarks.load_locomo, {"qa": []}, "lacks session_1"),
    (benchmarks.load_longmemeval, {"a": 1}, "is a list of questions"),
    (benchmarks.load_longmemeval, [{"question_id": "1"}], "lacks question_type"),
    (benchmarks.load_fact_consolidation, [{"context": "none", "questions": [], "answers": []}],
     "no numbered facts"),
    (benchmarks.load_fact_consolidation, [3], "should be an object"),
])  # fmt: skip
def test_another_format_is_told_what_is_expected(load: object, content: object, said: str, tmp_path: Path) -> None:
    assert callable(load)
    with pytest.raises(InvalidInputError, match=said):
        load(write(tmp_path / "x.json", content))


def test_a_missing_file_and_broken_json_are_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="cannot be read"):
        benchmarks.load_locomo(tmp_path / "nowhere.json")
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    with pytest.raises(InvalidInputError, match="neither JSON nor JSON lines"):
        benchmarks.load_longmemeval(tmp_path / "broken.json")


def git_file(folder: Path, *rows: tuple[str, str | None, str]) -> Path:
    folder.mkdir(exist_ok=True)
    lines = [
        {"repo": "r", "path": "p", "key": key, "subject": f"{key} pin", "relation": "is pinned to", "object": value}
        | {"commit_date": date, "removal": None if value else "line_removed"}
        for key, value, date in rows
    ]
    for kind in git_history.KINDS:
        text = "".join(json.dumps(line) + "\n" for line in lines) if kind == "dependency_pin" else ""
        (folder / f"{kind}.jsonl").write_text(text, encoding="utf-8")
    return folder


TWO_PINS = (
    ("a", "1", "2020-01-01T00:00:00+00:00"), ("b", "9", "2020-01-01T00:00:00+00:00"),
    ("a", "2", "2020-01-03T00:00:00+00:00"), ("b", None, "2020-02-01T00:00:00+00:00"),
)  # fmt: skip


def test_git_histories_are_asked_for_now_at_past_dates_and_after_removals(tmp_path: Path) -> None:
    folder = git_file(tmp_path / "git", *TWO_PINS)
    loaded = git_history.load_kind(folder, "dependency_pin")
    found = [(p.probe, p.as_of and p.as_of.isoformat()[:10], p.truth, sorted(p.wrong)) for p in loaded.probes]
    assert found == [
        ("past", "2020-01-02", "a pin is pinned to 1.", ["a pin is pinned to 2."]),
        ("now", None, "a pin is pinned to 2.", ["a pin is pinned to 1."]),
        ("past", "2020-01-16", "b pin is pinned to 9.", []),
        ("removed", None, None, ["b pin is pinned to 9."]),
    ]
    assert [a.sentence for a in loaded.assertions][-1] is None
    assert [turn.stays for turn in git_history.sample(folder).turns] == [False, False, True, None]


def test_who_knows_the_key_has_every_value_and_ending_of_a_git_history(tmp_path: Path) -> None:
    folder = git_file(tmp_path / "git", *TWO_PINS)
    with Recorder(tmp_path / "out", {"schema": SCHEMA}) as recorder:
        run_git([git_history.load_kind(folder, "dependency_pin")], embedder("lexical"), recorder, k=5)
    for condition in ("dated_key", "temporal_v6, key_fields"):
        rows = read(tmp_path / "out").of("git", condition=condition)
        found = [(row["hit"], row["told_ended"]) for row in rows if not row["exposed"]]
        assert found == [*[(True, None)] * 3, (None, True)], condition


def test_a_git_history_of_another_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="--git-history names the folder"):
        git_history.load_kind(tmp_path, "dependency_pin")
    (tmp_path / "dependency_pin.jsonl").write_text('{"repo": "r"}\n', encoding="utf-8")
    with pytest.raises(InvalidInputError, match="line 1"):
        git_history.load_kind(tmp_path, "dependency_pin")


def test_the_real_git_histories_give_thousands_of_probes() -> None:
    folder = data_file("git_history/stats.json").parent
    probes = [probe for kind in git_history.KINDS for probe in git_history.load_kind(folder, kind, keys=10**6).probes]
    counts = Counter(probe.probe for probe in probes)
    assert all(counts[probe] > n for probe, n in {"now": 1500, "past": 7000, "removed": 1200}.items()), counts
    assert len(git_history.sample(folder).questions) > 1000
