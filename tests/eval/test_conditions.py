"""A mock benchmark through every condition and every stock alternative, and what each does to memory."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timezone

import pytest

from eval.conditions import ALTERNATIVES, CONDITIONS, Settings, build
from eval.conditions.in_memory import client
from eval.models import embedder, offline_roles
from eval.spec import Benchmark, Condition, Question, Turn
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.ledger.facts import Extraction
from tests.eval.conftest import Opened

TEMPORAL = ("temporal_v6", "temporal_v6_lossy", "temporal_v6_triples", "temporal_v6+dates")
KEEP_ALL = ("naive_rag", "advanced_rag", "retain_all", *ALTERNATIVES)

FIRST = "The billing gateway listens on port 8080."
SECOND = "The billing gateway listens on port 9090."
LUNCH = "Lunch is served in the red canteen at noon."
MOCK = Benchmark(
    name="mock", version="v1", regime="evolving", sha256="", about="",
    turns=(
        Turn("t1", FIRST, stays=False, ended_by="t4", sample="port"),
        Turn("t2", "Quarterly reports are kept in the Leeds archive.", sample="reports"),
        Turn("t3", LUNCH, sample="lunch", metadata={"speaker": "Ann"}),
        Turn("t4", SECOND, sample="port"),
        Turn("t5", "Visitors sign the blue book at the front desk.", sample="visitors"),
        Turn("t6", "Our oldest customer is a bakery from Ghent.", sample="bakery"),
    ),
    questions=(
        Question("q1", "On which port does the billing gateway listen?", ("9090",), ("8080",), sample="port"),
        Question("q2", "Where is lunch served at noon?", ("red canteen",), evidence=("t3",), sample="lunch"),
        Question("q3", "In which archive are quarterly reports kept?", ("Leeds",), evidence=("t2",), sample="reports"),
    ),
)  # fmt: skip


def told(condition: Condition, turns: Sequence[Turn] = MOCK.turns) -> Condition:
    condition.ingest(turns)
    return condition


def served(condition: Condition) -> set[str]:
    return {turn for passage in condition.active() for turn in passage.turns}


ALL = (*CONDITIONS, *ALTERNATIVES)
FORGETFUL = ("no_memory", "v6+infer", "dated_wide")  # the last two drop what a model knows anyway, and what is far


def test_there_are_the_sixteen_conditions_and_the_five_alternatives() -> None:
    assert (len(CONDITIONS), len(ALTERNATIVES), len(set(ALL))) == (16, 5, 21)


@pytest.mark.parametrize("name", ALL)
def test_every_condition_runs_the_mock_benchmark(opened: Opened, name: str) -> None:
    """It answers with k passages of known turns at most, the same twice, and finds what never changed."""
    condition = opened(name)
    assert (condition.name, condition.retrieve("Anything?", k=5)) == (name, [])
    told(condition)
    known = {turn.id for turn in MOCK.turns}
    for question in MOCK.questions:
        passages = condition.retrieve(question.text, k=2)
        assert len(passages) <= 2
        assert all(passage.turns and set(passage.turns) <= known for passage in passages)
        assert condition.retrieve(question.text, k=2) == passages
    for question in () if name in FORGETFUL else MOCK.questions[1:]:
        passages = condition.retrieve(question.text, k=5)
        assert any(set(question.evidence) & set(passage.turns) for passage in passages), (question.id, passages)
    if name in KEEP_ALL:  # whatever is not meant to forget can still serve all six turns, the stale one among them
        assert sorted(passage.text for passage in condition.active()) == sorted(turn.text for turn in MOCK.turns)
        assert served(condition) == known
    if name in TEMPORAL:  # the stale turn is gone; the other five stay
        assert served(condition) == known - {"t1"}
        context = " ".join(passage.text for passage in condition.retrieve(MOCK.questions[0].text, k=6))
        assert ("9090" in context, "8080" in context) == (True, False)
    if name == "no_memory":
        assert condition.active() == condition.retrieve(MOCK.questions[0].text, k=5) == []


@pytest.mark.parametrize("name", ALL)
def test_turns_may_come_in_several_calls(opened: Opened, name: str) -> None:
    at_once, in_pieces = told(opened(name)), opened(name)
    for turn in MOCK.turns:
        in_pieces.ingest([turn])
        in_pieces.ingest([])
    assert sorted(passage.text for passage in in_pieces.active()) == sorted(p.text for p in at_once.active())
    for question in MOCK.questions[1:]:  # the values of the first one tie, and Chroma breaks ties either way
        assert in_pieces.retrieve(question.text, k=1) == at_once.retrieve(question.text, k=1)


def test_closing_gives_back_the_collections() -> None:
    embedding, before = embedder("lexical"), client().count_collections()
    conditions = [build(name, embedding, offline_roles(), Settings.of(embedding)) for name in ALL]
    assert client().count_collections() == before + len(conditions) - 1  # no_memory has none
    for condition in conditions:
        condition.close()
    assert client().count_collections() == before


DATED = (
    Turn("a", FIRST, valid_from=datetime(2024, 1, 1, tzinfo=timezone.utc)),
    Turn("c", "The billing gateway listens on port 7070.", valid_from=datetime(2024, 9, 1, tzinfo=timezone.utc)),
    Turn("b", SECOND, valid_from=datetime(2024, 5, 1, tzinfo=timezone.utc)),
)
MAY = datetime(2024, 6, 1, tzinfo=timezone.utc)


@pytest.mark.parametrize("name", TEMPORAL)
def test_temporal_conditions_answer_for_a_past_date(opened: Opened, name: str) -> None:
    condition = told(opened(name, tau_dup=0.5, tau_novel=0.1), DATED)
    assert served(condition) == {"c"}
    [then] = condition.retrieve(MOCK.questions[0].text, k=3, as_of=MAY)
    assert then.turns == ("b",)
    assert "9090" in then.text


@pytest.mark.parametrize("name", KEEP_ALL)
def test_other_conditions_ignore_the_date_of_a_question(opened: Opened, name: str) -> None:
    condition = told(opened(name), DATED)
    question = MOCK.questions[0].text
    assert condition.retrieve(question, k=3, as_of=MAY) == condition.retrieve(question, k=3)


def test_stock_with_dates_asks_for_them_shows_them_and_puts_the_newest_first(opened: Opened) -> None:
    condition = told(opened("dated_rag"), DATED)
    assert [p.turns for p in condition.retrieve(MOCK.questions[0].text, k=3)] == [("c",), ("b",), ("a",)]
    then = condition.retrieve(MOCK.questions[0].text, k=3, as_of=MAY)
    assert [p.text for p in then] == [f"[2024-05-01] {SECOND}", f"[2024-01-01] {FIRST}"]


def test_with_dates_shown_a_text_has_the_date_since_when_it_was_last_said(opened: Opened) -> None:
    """A repetition after the date that is asked about is not yet known of."""
    again = Turn("d", SECOND, valid_from=datetime(2024, 5, 20, tzinfo=timezone.utc))
    condition = told(opened("temporal_v6+dates"), (*DATED, again))
    [may] = condition.retrieve(MOCK.questions[0].text, k=3, as_of=MAY)
    [early] = condition.retrieve(MOCK.questions[0].text, k=3, as_of=datetime(2024, 5, 9, tzinfo=timezone.utc))
    assert (may.text, early.text) == (f"[2024-05-20] {SECOND}", f"[2024-05-01] {SECOND}")


def test_a_word_for_word_repeat_adds_no_row(opened: Opened) -> None:
    repeated = replace(MOCK.turns[3], id="t7")
    [passage] = [p for p in told(opened("temporal_v6"), (*MOCK.turns, repeated)).active() if p.text == SECOND]
    assert passage.turns == ("t4", "t7")


def test_triples_are_packed_and_prose_as_it_is(opened: Opened) -> None:
    condition = told(opened("temporal_v6_triples"))
    [port, *_] = condition.retrieve(MOCK.questions[0].text, k=1)
    assert port.text.count(" | ") == 2
    assert port.text.endswith("| 9090")
    [bakery, *_] = condition.retrieve("Who is the oldest customer, a bakery?", k=1)
    assert "bakery" in bakery.text
    assert SECOND in {passage.text for passage in condition.active()}


@pytest.mark.parametrize("name", TEMPORAL)
def test_another_extractor_can_be_given(name: str) -> None:
    class FindsNothing:
        def extract(self, texts: Sequence[str], metadatas: object = None) -> list[Extraction]:
            return [Extraction() for _ in texts]

    embedding = embedder("lexical")
    condition = build(name, embedding, offline_roles(), Settings(tau_dup=0.999), extractor=FindsNothing())
    try:
        condition.ingest(MOCK.turns)
        assert served(condition) == {turn.id for turn in MOCK.turns}
        assert {p.turns for p in condition.retrieve(MOCK.questions[0].text, k=2)} == {("t1",), ("t4",)}
    finally:
        condition.close()


def test_lossy_merges_what_is_nearly_the_same_and_no_new_value(opened: Opened) -> None:
    """Two texts of which one says all and more become one that serves both; a changed value supersedes all the same."""
    again = Turn("near", "Lunch is served in the red canteen at noon, by Ann.", metadata={"speaker": "Ann"})
    lossy = told(opened("temporal_v6_lossy"), (*MOCK.turns, again))
    assert served(lossy) == {"t2", "t3", "t4", "t5", "t6", "near"}
    assert [p.text for p in lossy.active() if "near" in p.turns] == [again.text]
    assert [p.turns for p in lossy.active() if "t3" in p.turns] == [("t3", "near")]
    assert len(told(opened("temporal_v6"), (*MOCK.turns, again)).active()) == len(lossy.active()) + 1


def test_lossy_writes_a_late_arrival_as_it_is(opened: Opened) -> None:
    """What is dated before its neighbour is not merged with it: the past would change."""
    told_first = Turn("new", LUNCH, valid_from=MAY)
    late = Turn("late", LUNCH.replace("noon.", "noon, by Ann."), valid_from=datetime(2024, 1, 1, tzinfo=timezone.utc))
    lossy = told(opened("temporal_v6_lossy"), (told_first, late))
    assert sorted(passage.turns for passage in lossy.active()) == [("late",), ("new",)]


def test_an_unknown_condition_is_an_error_that_names_the_nearest() -> None:
    for name, said in (("temporal-v6", "did you mean temporal_v6"), ("xyz", "fixed_recency")):
        with pytest.raises(InvalidInputError, match=said):
            build(name, embedder("lexical"), offline_roles(), Settings())
