"""Other forms of values: put where the value of a pair stands, unit and all."""

from __future__ import annotations

import pytest

from eval.value_forms import FORMS, KINDS, split
from memstrata_integrations import GrammarExtractor


@pytest.mark.parametrize(
    ("first", "second", "value", "other"),
    [
        ("The wait is 30 seconds.", "The wait is 45 seconds.", "30 seconds", "The wait is an hour."),
        ("The pass costs $40 a month.", "The pass costs $50 a month.", "$40", "The pass costs an hour a month."),
        ("Ask Ida Rossi, please.", "Ask Ben Kemp, please.", "Ida Rossi", "Ask an hour, please."),
        ("The pet is a 2 kg cat.", "The pet is a 3 kg cat.", "2 kg", "The pet is an hour cat."),
    ],
)
def test_a_value_is_taken_out_with_its_unit(first: str, second: str, value: str, other: str) -> None:
    frame, found = split(first, second)
    assert (found, frame.with_value("an hour")) == (value, other)


def test_every_kind_has_forms() -> None:
    assert set(KINDS) == set(FORMS)
    assert all(form.count(";") == 1 for forms in FORMS.values() for form in forms.split("|"))


def test_a_text_costs_a_euro() -> None:
    [extraction] = GrammarExtractor().extract(["The pass costs a euro."])
    assert [(f.value, f.object) for f in extraction.facts] == [("1", "a euro")]
