"""A date with its time of day is one value."""

from __future__ import annotations

import pytest

from memstrata_integrations import GrammarExtractor
from memstrata_integrations.values import canonical_value

_READ = GrammarExtractor()

MOMENTS = [
    ("12 March at 9:30", "03-12 09:30:00", "day:time"),
    ("March 12th at 9:30", "03-12 09:30:00", "day:time"),
    ("12 March 2027, 5 pm", "2027-03-12 17:00:00", "date:time"),
    ("2027-03-12 at noon", "2027-03-12 12:00:00", "date:time"),
    ("Monday, 3 March at 10 a.m.", "03-03 10:00:00", "day:time"),
    ("3 March at 9", "03-03 09:00:00", "day:time:half day"),
    ("Friday 12 March", "03-12", "day"),
    ("Friday, March 12", "03-12", "day"),
    ("Friday at 9:30", "friday 09:30:00", "weekday:time"),
]


@pytest.mark.parametrize(("text", "value", "dimension"), MOMENTS)
def test_a_date_with_its_time_is_one_value(text: str, value: str, dimension: str) -> None:
    assert canonical_value(text) == (value, dimension)


@pytest.mark.parametrize(
    ("first", "second", "superseded"),
    [
        ("The audit is on 12 March at 9:30.", "The audit is on 14 March at 10:00.", True),
        ("The audit is on Monday, 3 March at 9:30.", "The audit is on 4 March, 9:30.", True),
        ("The audit takes place on 3 March at 5 pm.", "The audit has been moved to 5 March at 3 pm.", True),
        ("The audit is on 12 March at 9:30.", "The audit is on 12 March.", False),
        ("The audit is on 12 March.", "The audit is on 12 March at 9:30.", False),
        ("The audit is on 12 March at 9:30.", "The audit is on Monday, 12 March at 9.30 am.", False),
        ("The audit is on Friday 12 March.", "The audit is on 12 March.", False),
        ("The audit is on 12 March at 9:30.", "The audit is on 12 March in Lugano.", False),
        ("The audit is on 12 March at 9:30.", "The review is on 14 March at 9:30.", False),
        ("The audit is on 12 March at the depot.", "The audit is on 14 March at 9:30.", False),
    ],
)
def test_moments_supersede_moments(first: str, second: str, superseded: bool) -> None:
    before, after = _READ.extract([first, second])
    old = {(f.subject, f.relation, f.dimension): f.value for f in before.facts}
    new = {(f.subject, f.relation, f.dimension): f.value for f in after.facts}
    assert any(key in new and new[key] != value for key, value in old.items()) is superseded
