"""The surprise gate: each of its paths, by a scripted judge; the verifier, and what a model would know anyway."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from eval.models import offline_roles
from eval.spec import Compared, Condition, GateVerdict, Relevance, Turn
from tests.eval.conftest import Opened

STORED = Turn("stored", "The mail relay accepts messages of 25 MB.", metadata={"source": "wiki"})
NEAR = Turn("near", "The mail relay accepts messages of 40 MB.")
FAR = Turn("far", "Our oldest customer is a bakery from Ghent.")
QUESTION = "How large may messages of the mail relay be?"


@dataclass
class Judge:
    verdict: GateVerdict = "novel"
    merged: str | None = None
    about: str | None = None
    asked: list[tuple[str, list[str]]] = field(default_factory=list)

    def __call__(self, new: str, stored: Sequence[str]) -> Compared:
        self.asked.append((new, list(stored)))
        return Compared(self.verdict, stored.index(self.about) if self.about else 0, self.merged)


Gate = Callable[..., Condition]


@pytest.fixture
def gate(opened: Opened) -> Gate:
    def make(judge: Judge, *, name: str = "v6_no_verify", tau_dup: float = 0.999, **given: Any) -> Condition:
        roles = {"candidates": lambda text: text.split(". "), **given}
        return opened(name, replace(offline_roles(), gate_judge=judge, **roles), tau_dup=tau_dup, tau_novel=0.3)

    return make


def held(condition: Condition) -> list[tuple[str, tuple[str, ...]]]:
    return sorted((passage.text, passage.turns) for passage in condition.active())


OLD, NEW, OTHER = (STORED.text, ("stored",)), (NEAR.text, ("near",)), (FAR.text, ("far",))
BOTH = Turn("both", "The relay is in Leeds. Lunch is at noon")
UNASKED: dict[str, tuple[list[Turn], float, list[tuple[str, tuple[str, ...]]]]] = {  # turns, tau_dup, what is held
    "the first statement is stored": ([STORED], 0.999, [OLD]),
    "from tau_dup on it is a duplicate, though it contradicts; its turn is not served": ([STORED, NEAR], 0.5, [OLD]),
    "a duplicate word for word has its turn behind the stored text": (
        [STORED, replace(STORED, id="again")], 0.9, [(STORED.text, ("stored", "again"))]),
    "each statement of a turn passes by itself": (
        [BOTH], 0.999, [("Lunch is at noon", ("both",)), ("The relay is in Leeds", ("both",))]),
    "below tau_novel it is novel": ([STORED, FAR], 0.999, [OTHER, OLD]),
}  # fmt: skip


@pytest.mark.parametrize("what", UNASKED)
def test_outside_of_the_thresholds_no_judge_is_asked(gate: Gate, what: str) -> None:
    turns, tau_dup, expected = UNASKED[what]
    judge = Judge("contradict")
    condition = gate(judge, tau_dup=tau_dup)
    condition.ingest(turns)
    assert (held(condition), judge.asked) == (sorted(expected), [])


MERGED = "The mail relay accepts 25 or 40 MB."


@pytest.mark.parametrize(("verdict", "merged", "expected"), [
    ("duplicate", None, [OLD]), ("merge", MERGED, [(MERGED, ("stored", "near"))]), ("merge", None, [OLD, NEW]),
    ("contradict", None, [NEW]), ("novel", None, [OLD, NEW]),
])  # fmt: skip
def test_between_the_thresholds_the_judge_decides(
    gate: Gate, verdict: GateVerdict, merged: str | None, expected: Sequence[tuple[str, tuple[str, ...]]]
) -> None:
    judge = Judge(verdict, merged)
    condition = gate(judge)
    condition.ingest([STORED, FAR])
    condition.ingest([NEAR])
    assert held(condition) == sorted([*expected, OTHER])
    assert judge.asked == [(NEAR.text, [STORED.text])]


@pytest.mark.parametrize("name", ["v6_no_verify", "temporal_v6_lossy"])
def test_the_judge_is_shown_several_neighbours_and_names_one(gate: Gate, name: str) -> None:
    """All that are near enough, nearest first; what it merges is the one that it named, and the others stay."""
    other = Turn("other", "The mail relay accepts only messages of known senders, and none without a date.")
    merged = "The mail relay accepts messages of known senders, dated, of 40 MB."
    judge = Judge("novel")
    condition = gate(judge, name=name)
    condition.ingest([STORED, other])
    judge.verdict, judge.merged, judge.about = "merge", merged, other.text
    judge.asked.clear()
    note = replace(NEAR, text="The mail relay accepts messages from 40 senders.")
    condition.ingest([note])
    assert judge.asked == [(note.text, [STORED.text, other.text])]
    assert held(condition) == sorted([(STORED.text, ("stored",)), (merged, ("other", "near"))])


def test_what_is_replaced_is_found_by_its_new_text(gate: Gate) -> None:
    merged = "Parcels from Ghent weigh 40 kilograms."
    condition = gate(Judge("merge", merged))
    condition.ingest([STORED, FAR, NEAR])
    [nearest] = condition.retrieve(merged, k=1)
    assert nearest.text == merged
    assert nearest.score == pytest.approx(0, abs=1e-5)


def test_the_verifier_keeps_only_what_it_supports_and_is_not_asked_where_there_is_none(gate: Gate) -> None:
    packed = []
    verdicts: list[Relevance | None] = ["SUPPORTED", "CONFLICTS", None]
    for name, verdict in zip(("v6", "v6", "v6_no_verify"), verdicts, strict=True):
        says = {STORED.text: verdict, NEAR.text: "CONFLICTS", FAR.text: "IRRELEVANT"} if verdict else {}
        condition = gate(Judge("novel"), name=name, verifier=lambda question, text, rules, says=says: says[text])
        condition.ingest([STORED, NEAR, FAR])
        packed.append(sorted(passage.turns[0] for passage in condition.retrieve(QUESTION, k=3)))
    assert packed == [["stored"], [], ["far", "near", "stored"]]


def test_a_candidate_that_goes_against_a_locked_rule_is_not_packed(opened: Opened) -> None:
    rule = "The mail relay accepts messages of 10 MB."
    packed = []
    for rules in ((), (rule,)):
        condition = opened("v6", tau_dup=0.999, tau_novel=0.3, locked_rules=rules)
        condition.ingest([STORED])
        packed.append([passage.text for passage in condition.retrieve("What messages does the relay accept?", k=3)])
    assert packed == [[STORED.text], []]


def test_what_can_be_inferred_is_dropped_before_the_gate(gate: Gate) -> None:
    knows = NEAR.text.__eq__
    judge = Judge("novel")
    with_filter = gate(judge, name="v6+infer", inferable=knows)
    with_filter.ingest([STORED, NEAR])
    assert held(with_filter) == [(STORED.text, ("stored",))]
    assert judge.asked == []
    without = gate(judge, name="v6", inferable=knows)
    without.ingest([STORED, NEAR])
    assert len(held(without)) == 2
