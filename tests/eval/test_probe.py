"""The pairs, what is counted on them, and that the grammar holds what it was measured at."""

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from eval.ablation import ELEMENTS, leaving_out
from eval.models import embedder
from eval.pairs import DATA, KINDS, SPLITS, add, first_sight, read
from eval.probe import by_author, lines_of, outcomes, retired_by, shown, superseded_by, total
from eval.probes.fuzz import check, fuzzed
from eval.probes.one_store import Told, lost
from eval.public import STATED, asked_of, consolidation, evidence, published_twelve
from eval.spec import Benchmark, Question, Turn
from eval.systems import Dated, Ours, Stock
from memstrata_integrations import GrammarExtractor, SupersessionPolicy
from memstrata_integrations.errors import InvalidInputError

FLOORS = {"value_only": 0.68, "reworded": 0.20, "assistant": 0.25}
"""Of clean supersession, on every split together; below what was reached."""
MOST_FALSE = 0.01


@pytest.fixture(scope="module")
def grammar() -> GrammarExtractor:
    return GrammarExtractor()


def test_the_pairs_are_sound() -> None:
    """Each row has its fields, an id of its own and an author who is in the table, with the right counts."""
    rows = read()
    assert len({r["id"] for r in rows}) == len(rows)
    counts_by: dict[str, Counter[str]] = {}
    for row in rows:
        assert row["kind"] in KINDS, row
        assert row["split"] in SPLITS, row
        counts_by.setdefault(row["author"], Counter())[row["kind"]] += 1
        if row["kind"] in KINDS[:4]:
            assert row["first"].strip(), row
            assert row["second"].strip(), row
            assert row["first"] != row["second"], row
            assert row["supersedes"] is (row["kind"] != "lookalike") or row["kind"] == "assistant", row
            assert row.get("value_first", "") in row["first"], row
            assert row.get("value_second", "") in row["second"], row
    with (DATA / "authors.csv").open(encoding="utf-8", newline="") as lines:
        table = {r["author"]: r for r in csv.DictReader(lines)}
    assert table.keys() == counts_by.keys()
    for author, by_kind in counts_by.items():
        assert {kind: int(table[author][kind]) for kind in KINDS} == {kind: by_kind[kind] for kind in KINDS}


def test_a_set_can_be_added(tmp_path: Path) -> None:
    """It becomes fresh, under ids of its author, and the table counts it; a known id or a missing field is refused."""
    for name in ("pairs.jsonl", "authors.csv"):
        (tmp_path / name).write_bytes((DATA / name).read_bytes())
    source = tmp_path / "changes.jsonl"
    source.write_text(json.dumps({"id": "c-1", "change": "A is 2.", "ends": ["A is 1."], "stays": [], "odd": 1}) + "\n")
    assert add(source, "new", "change", "sentences of change", to=tmp_path) == 1
    last = json.loads((tmp_path / "pairs.jsonl").read_text("utf-8").splitlines()[-1])
    assert (last["id"], last["split"], last["kind"], last["ends"]) == ("new-c-1", "fresh", "change", ["A is 1."])
    assert (tmp_path / "authors.csv").read_text("utf-8").splitlines()[-1] == "new,0,0,0,0,1,0,sentences of change,,none"
    with pytest.raises(InvalidInputError, match="an id of its own"):
        add(source, "new", "change", "", to=tmp_path)
    with pytest.raises(InvalidInputError, match="first"):
        add(source, "newer", "lookalike", "", to=tmp_path)


def test_what_supersedes(grammar: GrammarExtractor) -> None:
    """Clean is the whole text; false is any fact; a change acts on the fact that it names."""
    both, port, host, change, old = grammar.extract([
        "The Lomond gateway listens on port 80, and its owner is Ann Lee.", "The Lomond gateway listens on port 90.",
        "The Lomond relay listens on port 90.", "The port of the Lomond gateway was changed to 90.",
        "The Lomond gateway listens on port 80.",
    ])  # fmt: skip
    assert retired_by(old, port)
    assert retired_by(old, change)
    assert not superseded_by(old, host)
    assert not superseded_by(port, change)
    assert not retired_by(both, port)


def test_rows_of_each_kind_are_counted(grammar: GrammarExtractor) -> None:
    rows = [
        {"kind": "value_only", "first": "The timeout is 3 s.", "second": "The timeout is 4 s.", "supersedes": True},
        {"kind": "lookalike", "first": "The timeout is 3 s.", "second": "The timeout is 4 s.", "supersedes": False},
        {"kind": "change", "change": "The timeout was raised to 9 s.", "ends": ["The timeout is 3 s.", "Rain fell."],
         "stays": ["The retry delay is 3 s."]},
        {"kind": "group", "values": ["3 s", "4 s"], "sentences": ["The timeout is {v}.", "Sleep well for {v}."]},
    ]  # fmt: skip
    found = list(outcomes(grammar.extract, [{"id": "x", "author": "me", "split": "worked", **r} for r in rows]))
    assert [o[1:] for o in found] == [(1, 1, 0, 0), (0, 0, 1, 1), (1, 2, 0, 1), (0, 2, 0, 0)]
    assert total(found) == (2, 5, 1, 2)
    assert [o.missed for o in found] == [False, True, True, True]
    printed = "\n".join([*lines_of(found, SPLITS), *by_author(found), *(shown(grammar.extract, o) for o in found[:3])])
    assert "(1/1)" in printed
    assert "FALSE x" in printed


def test_the_pairs_at_large(grammar: GrammarExtractor) -> None:
    """A floor under each kind, and a ceiling above what is lost; fresh sets move neither."""
    rows = read(["value_only", "reworded", "assistant", "lookalike"], ["worked", "counted"])
    found = list(outcomes(grammar.extract, rows))
    for kind, floor in FLOORS.items():
        of_kind = total(o for o in found if o.row["kind"] == kind)
        assert of_kind.ended >= floor * of_kind.asked, kind
    everything = total(found)
    assert everything.lost <= MOST_FALSE * everything.kept


@pytest.mark.parametrize("name", ELEMENTS)
def test_each_element_can_be_left_out(name: str) -> None:
    told = ["The Lomond gateway listens on port 80.", "Ann Lee is the owner of the parser.", "PORT=80", "| a | 3 s |"]
    with leaving_out(ELEMENTS[name]) as reads:
        assert len(reads(told)) == len(told)
    assert GrammarExtractor().extract(told)[0].facts


def test_random_texts_raise_nothing(grammar: GrammarExtractor) -> None:
    assert sum(check(text, grammar) for text in fuzzed(400)) > 20


def test_one_store_tells_what_is_lost_there() -> None:
    """A bare statement of another source is another's; a named one is not."""
    texts = [Told("1", "The port is 80.", "a"), Told("2", "The port is 90.", "b"), Told("3", "The port is 91.", "b"),
             Told("4", "Lomond's port is 80.", "a"), Told("5", "Lomond's port is 90.", "b")]  # fmt: skip
    assert [(old.id, new.id) for old, new, _ in lost(texts)] == [("2", "3"), ("4", "5")]


def test_facts_that_are_told_anew() -> None:
    """The statement that holds is found by words, with its rivals; ours serves it without them, stock with them."""
    told = ["The capital of Oz is Mor.", "The capital of Ev is Mor.", "The capital of Oz is Lim.", "Oz is flat."]
    asked = (Question("q1", "What is the capital of Oz?", ("Lim",)), Question("q2", "What is X?", ("Nothing",)))
    turns = tuple(Turn(str(n), text) for n, text in enumerate(told))
    benchmark = Benchmark("facts", "v1", "evolving", turns, asked, "", "")
    [question] = asked_of(benchmark)
    assert (question.truth, question.rivals) == (told[2], {told[0]})
    embedding, policy = embedder("lexical"), SupersessionPolicy(unknown="functional")
    stock = dict(consolidation(benchmark, Stock(embedding), 3))
    ours = dict(consolidation(benchmark, Ours(embedding, policy=policy, name=STATED), 3))
    assert (stock["in the context"], stock["there without a rival"]) == ([(1, 1)], [(0, 1)])
    assert [ours[m] for m in ("on top", "in the context", "there without a rival")] == [[(1, 1)]] * 3
    assert sorted(ours["questions without a statement"]) == [(0, 1), (1, 1)]


@pytest.mark.parametrize("made", [Stock, Dated, Ours])
def test_evidence_is_counted_by_question_and_turns_by_themselves(made: type[Stock | Ours]) -> None:
    """Of two turns that a question needs, one is in a context of one, with its date in front or not; none is lost."""
    turns = (Turn("D1", "Ann: My dog Bilberry has fleas."), Turn("D2", "Bo: Bilberry is a spaniel from the shelter."))
    asked = (Question("q", "Has the dog Bilberry fleas?", ("yes",), evidence=("D1", "D2")), Question("r", "?", ()))
    benchmark = Benchmark("locomo:1", "v1", "static", turns, asked, "", "")
    found = dict(evidence(benchmark, made(embedder("lexical")), 1))
    assert found == {"evidence in the context": [(1, 2)], "turns lost": [(0, 1), (0, 1)]}


@pytest.mark.parametrize("door", ["langchain", "llama_index"])
def test_the_published_twelve_through_both_doors(door: str) -> None:
    for measure, groups in published_twelve(door, embedder("lexical"), 5):
        assert groups == [(1, 1)] * 12, measure


def test_first_sight_has_every_row_of_a_set_and_is_never_better_than_whole() -> None:
    pairs = Counter((row["author"], row["kind"]) for row in read(["value_only", "lookalike"]))
    frozen: Counter[tuple[str, str]] = Counter()
    for row in first_sight():
        right, asked, lost, kept = (int(row[name]) for name in ("right", "asked", "lost", "kept"))
        assert right <= asked
        assert lost <= kept
        frozen[row["author"], row["kind"]] += asked + kept
    known = {key: n for key, n in frozen.items() if pairs[key]}
    assert len(known) > 10
    assert {key: pairs[key] for key in known} == known
