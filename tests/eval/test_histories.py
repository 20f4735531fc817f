"""Deep histories: what is told, what is asked, and what comes of it where the answer is known."""

import re

import pytest

from eval.conditions.plain import NaiveRag
from eval.histories import SYSTEMS, Fact, facts_and_noise, run_histories
from eval.models import embedder
from eval.pairs import read as read_pairs
from eval.records import SCHEMA, Recorder, Records, read
from eval.spec import Passage


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Records:
    out = tmp_path_factory.mktemp("histories")
    with Recorder(out, {"schema": SCHEMA}) as recorder:
        lexical = embedder("lexical")
        own = {"stock once more": lambda: NaiveRag(lexical)}
        run_histories(lexical, recorder, k=5, systems=SYSTEMS, own=own, limit=2)
    return read(out)


def test_the_last_number_of_a_value_counts_the_versions() -> None:
    fact = Fact("f", "Alder runs on ", ".", "1.4.7", "Alder runs on .")
    assert [fact.version(n) for n in (0, 3)] == ["Alder runs on 1.4.7.", "Alder runs on 1.4.10."]


def test_facts_are_untouched_and_their_questions_name_no_value() -> None:
    facts, noise = facts_and_noise()
    fresh = {row["id"]: row for row in read_pairs(["value_only"], ["fresh"])}
    assert len(facts) > 30
    assert all(fact.version(0) == fresh[fact.id]["first"] for fact in facts)
    assert all(fresh[fact.id]["second"].startswith(fact.before) for fact in facts)
    assert not [f for f in facts if re.search(rf"(?<![\w.]){re.escape(f.first)}(?![\w.]*\w)", f.question)]
    assert not {fact.version(n) for fact in facts for n in range(101)} & set(noise)
    assert not [
        f for f in facts if re.search(r"\b(?:2[5-9]|[3-9]\d|\d{3,}):\d\d|:[6-9]\d\b", f.version(75))
    ]  # of no clock


def test_one_version_is_in_every_context_alone_where_nothing_is_newer(found: Records) -> None:
    rows = found.of("history", asked="now", versions=1, pace="together")
    assert {(row["hit"], row["others"]) for row in rows} == {(True, 0)}
    assert {row["condition"] for row in rows} == {
        *("naive_rag", "dated_rag", "dated_wide", "dated_cut", "dated_one", "dated_apart"),
        *("temporal_v6", "temporal_v6+dates", "stock once more"),
    }


def test_a_memory_of_one_s_own_is_told_and_asked_the_same(found: Records) -> None:
    def without_name(condition: str) -> list[dict[str, object]]:
        rows = found.of("history", condition=condition)  # later there are more versions than texts, and ties
        return [{**row, "condition": ""} for row in rows if row["asked"] not in ("corrected", "known before")]

    assert without_name("stock once more") == without_name("naive_rag") != []


def test_a_memory_that_rewords_is_taken_by_the_value_and_only_where_it_speaks_of_the_fact() -> None:
    fact = Fact("f", "Alder listens on port ", ".", "80", "Alder listens on port .")
    assert fact.versions_in(Passage("Alder: port 82", (fact.version(1), fact.version(2))), 5) == [2]
    assert fact.versions_in(Passage("Birch: port 82", ("Birch listens on port 82.",)), 5) == []
    assert fact.versions_in(Passage("[2026-01-01] Alder listens on port 81.", (fact.version(1),)), 5) == [1]


def test_what_supersedes_leaves_one_version_and_what_does_not_leaves_all(found: Records) -> None:
    """So does who shows one text; a correction changes the past, and not what was known of it."""
    now = {"asked": "now", "versions": 5}
    assert {row["others"] for row in found.of("history", condition="naive_rag", **now)} == {4}
    shown = [{"condition": "dated_one", "pace": "together", **now}, {"condition": "temporal_v6", **now}]
    shown += [{"condition": "temporal_v6", "asked": asked} for asked in ("corrected", "known before", "past 2")]
    for of in shown:
        assert {(row["hit"], row["others"]) for row in found.of("history", **of)} == {(True, 0)}, of


def test_nothing_unrelated_is_lost(found: Records) -> None:
    assert {row["others"] for row in found.of("history", asked="statements lost")} == {0}
