"""Metrics and intervals, against examples computed by hand."""

import pytest

from eval.metrics import estimate_tokens, mentions, packed, place_of
from eval.spec import Passage
from eval.statistics import cluster_bootstrap, clustered, percentile, rate, wilson

MENTIONED = [
    ("It listens on port 8,080.", "8080"), ("It listens on port 8080.", "8,080"), ("port:8080", "8080"),
    ("8443/tcp", "8443"), ("`a/b`: **Ann Lee**.", "ann lee"), ("httpx==0.27.0", "0.27.0"),
    ("the method is `QuoteService.Listen`", "Listen"), ("depths are 500/1200/90", "1200"),
    ("GET /v1/orders gives 200", "/v1/orders"), ("it is “on”", "on"),
]  # fmt: skip
PARTS = [
    ("port 18080", "8080"), ("1.10.13", "1.10.1"), ("python:3.10-slim", "3.10"), ("at 10:30", "30"),
    ("Ann-Marie", "Ann"), ("orders_v2", "orders"), ("/v1/orders", "orders"), ("Listen.Foo", "Listen"), ("anything", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value", "whole"), [*((*m, True) for m in MENTIONED), *((*m, False) for m in PARTS)])
def test_a_value_is_found_as_a_whole_word_and_not_as_a_part_of_another(text: str, value: str, whole: bool) -> None:
    assert mentions(text, ["something else", value]) is whole


def test_the_rank_is_that_of_the_first_passage_that_mentions_the_value() -> None:
    passages = [Passage("port 1"), Passage("port 2"), Passage("port 2 again")]
    assert place_of(passages, ["2"]) == 2
    assert place_of(passages, ["3"]) is None


def test_a_context_numbers_its_passages_and_has_an_estimate_of_tokens() -> None:
    assert packed([Passage("a b"), Passage("c")]) == "[1] a b\n\n[2] c"
    assert estimate_tokens("The timeout is 1800 seconds.") == 9  # The, timeou, t, is, 180, 0, second, s and a stop


def test_wilson_is_as_published_and_a_rate_shows_it_with_its_count() -> None:
    # Wilson 1927 / Newcombe 1998, table I: 81/263 gives 0.2553 to 0.3662
    low, high = wilson(81, 263) or (0, 0)
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)
    assert wilson(0, 0) is None
    assert (rate(9, 10), rate(0, 0)) == ("90.0 % (9/10) [59.6, 98.2]", "–")  # a rate of nothing is no zero
    assert (wilson(0, 10) or (1, 0))[0] == 0.0
    with pytest.raises(ValueError, match="3 of 2"):
        wilson(3, 2)


def test_a_bootstrap_of_a_constant_has_no_width() -> None:
    assert cluster_bootstrap([(1, 1)] * 3) == (1.0, 1.0, 1.0)
    assert cluster_bootstrap([]) is None
    mean, low, high = cluster_bootstrap([(1, 1), (0, 1)] * 50) or (0, 0, 0)
    assert mean == 0.5
    assert 0.38 < low < 0.45 < 0.55 < high < 0.62  # about 0.5 ± 1.96 * 0.05


def test_probes_that_share_a_fact_count_less_than_as_many_facts() -> None:
    apart, shared = [(1, 1)] * 50 + [(0, 1)] * 50, [(10, 10)] * 5 + [(0, 10)] * 5
    assert clustered(apart) == wilson(50, 100)
    low, high = clustered(shared) or (0, 0)
    assert low < 0.25 < 0.75 < high
    assert clustered([(0, 10)] * 10) == wilson(0, 10)  # ten facts without a loss, not a hundred
    assert clustered([(3, 10)]) == wilson(3, 10)  # one group says nothing of how groups vary
    assert clustered([]) is None


def test_a_percentile_interpolates() -> None:
    assert (percentile([1, 2, 3, 4], 50), percentile([], 95)) == (2.5, None)
