"""The embeddings of a run: by name, and each text once; and what cosine can tell apart.

The figures of that are taken by hand on small numbers, and again on the labelled pairs.
"""

import json
import os
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.embeddings import Embeddings

from eval.calibration import GATE_THRESHOLDS, LABELS, auroc, calibrate, gate_thresholds, sweep
from eval.models import embedder
from eval.models.embedders import CachedEmbeddings
from memstrata_integrations.embeddings import LexicalEmbeddings, NamedEmbeddings
from memstrata_integrations.errors import InvalidInputError, MissingDependencyError

TEXTS = ["The mailer listens on port 25.", "", "The mailer listens on port 25.", "Ünïcode 🙂"]


class Counting(NamedEmbeddings):
    name = "counting"

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[list[str]] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.asked.append(texts)
        return [[float(len(text)), 1.0] for text in texts]


def test_a_text_is_embedded_once_in_batches_and_each_answer_is_a_list_of_its_own() -> None:
    source = Counting()
    cached = CachedEmbeddings(source)
    assert cached.embed_documents(["aa", "b", "aa"]) == [[2.0, 1.0], [1.0, 1.0], [2.0, 1.0]]
    cached.embed_query("aa").append(7.0)
    assert [cached.embed_query("b"), cached.embed_query("aa")] == [[1.0, 1.0], [2.0, 1.0]]
    assert cached.embed_documents(["b", "ccc"]) == [[1.0, 1.0], [3.0, 1.0]]
    assert source.asked == [["aa", "b"], ["ccc"]]
    assert cached.embed_documents([]) == []
    cached.embed_documents([str(n) for n in range(600)])
    assert [len(batch) for batch in source.asked[2:]] == [256, 256, 88]


def test_the_lexical_embedding_is_the_built_in_one() -> None:
    found = embedder("lexical")
    assert isinstance(found, Embeddings)
    assert found.name == LexicalEmbeddings().name
    assert np.allclose(found.embed_documents(TEXTS), LexicalEmbeddings().embed_documents(TEXTS), atol=1e-7)
    assert embedder("lexical") is found


@pytest.mark.parametrize("name", ["", "minilm2", "ollama:", "openai:ada"])
def test_an_unknown_embedding_is_refused(name: str) -> None:
    with pytest.raises(InvalidInputError, match="lexical, minilm, ollama:<model>"):
        embedder(name)


@pytest.fixture(scope="module", params=["lexical", pytest.param("minilm", marks=pytest.mark.slow)])
def measured(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    try:
        return request.param, calibrate(embedder(request.param))
    except MissingDependencyError as absent:
        if os.environ.get("MEMSTRATA_REQUIRE_MINILM"):
            raise
        pytest.skip(str(absent))


def test_a_calibration_has_every_figure_and_the_thresholds_of_the_gate(measured: tuple[str, dict[str, Any]]) -> None:
    name, found = measured
    assert GATE_THRESHOLDS[name] == (found["recommended"]["tau_dup"], found["recommended"]["tau_novel"])
    assert gate_thresholds(embedder(name)) == GATE_THRESHOLDS[name]
    assert {label: found["classes"][label]["n"] for label in LABELS} == dict(zip(LABELS, (32, 22, 22, 22), strict=True))
    assert len(found["similarities"]) == 98
    assert [row["tau"] for row in found["sweep_dup"]] == [n / 100 for n in range(80, 99)]
    assert [row["tau"] for row in found["sweep_novel"]] == [n / 100 for n in range(50, 86)]
    for label in LABELS:
        cosines = [cosine for known, cosine in found["similarities"] if known == label]
        assert found["classes"][label]["max"] == round(max(cosines), 4)
        assert found["classes"][label]["min"] == round(min(cosines), 4)
    for row in found["sweep_dup"]:
        taken = [label for label, cosine in found["similarities"] if cosine >= row["tau"]]
        assert row["n"] == len(taken)
        assert row["precision"] == (round(taken.count("duplicate") / len(taken), 4) if taken else None)
        assert row["recall"] == round(taken.count("duplicate") / 32, 4)
    for row in found["sweep_novel"]:
        taken = [label for label, cosine in found["similarities"] if cosine < row["tau"]]
        assert (row["n"], row["recall"]) == (len(taken), round(taken.count("novel") / 22, 4))
    assert found["best_precision"] == max(row["precision"] or 0 for row in found["sweep_dup"])
    assert json.loads(json.dumps(found)) == found


def test_a_contradiction_is_closer_than_a_rewording(measured: tuple[str, dict[str, Any]]) -> None:
    classes = measured[1]["classes"]
    assert classes["contradict"]["median"] > classes["duplicate"]["median"]


class Perfect(NamedEmbeddings):
    """Sees duplicates as equal and everything else as different."""

    name = "perfect"

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        first = texts[0] == "The Corwen gateway closes idle connections after 75 seconds."
        return [[1.0, 0.0] if first or n < 32 else [0.0, 1.0] for n in range(len(texts))]


def test_a_perfect_embedding_gets_perfect_figures() -> None:
    found = calibrate(Perfect())
    assert (found["auroc"], found["best_precision"]) == (1.0, 1.0)
    assert found["recommended"] == {"tau_dup": 0.8, "tau_novel": 0.5}
    assert found["classes"]["duplicate"] == {"n": 32, "mean": 1.0, "median": 1.0, "min": 1.0, "max": 1.0}
    assert gate_thresholds(Perfect()) == (0.8, 0.5)


def test_an_embedding_without_known_thresholds_is_calibrated_when_it_is_used() -> None:
    small = LexicalEmbeddings(dim=64)
    recommended = calibrate(small)["recommended"]
    assert gate_thresholds(small) == (recommended["tau_dup"], recommended["tau_novel"]) != GATE_THRESHOLDS["lexical"]


def test_of_nothing_there_is_no_precision_rather_than_0() -> None:
    nothing = {"tau": 0.98, "precision": None, "recall": 0.0, "f1": 0.0, "n": 0}
    assert sweep(0.98, [True, False], [False, False]) == nothing


@pytest.mark.parametrize(("scores", "positive", "area"), [
    ([0.9, 0.1], [True, False], 1.0), ([0.1, 0.9], [True, False], 0.0), ([0.5, 0.5], [True, False], 0.5),
    ([3, 1, 2, 0], [True, True, False, False], 0.75),
])  # fmt: skip
def test_the_area_under_the_curve_by_hand(scores: list[float], positive: list[bool], area: float) -> None:
    assert auroc(scores, positive) == area


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2).filter(lambda s: len({p for _, p in s}) == 2))
def test_turning_the_scores_round_turns_the_area_round(some: list[tuple[int, bool]]) -> None:
    scores, positive = [float(score) for score, _ in some], [is_ for _, is_ in some]
    assert auroc(scores, positive) + auroc([-score for score in scores], positive) == pytest.approx(1)
