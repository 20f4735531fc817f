"""Sentences of several clauses of which one states a value: read where nothing else reads the sentence."""

from __future__ import annotations

import pytest

from eval.probe import retired_by, superseded_by
from memstrata_integrations import GrammarExtractor

GRAMMAR = GrammarExtractor()


@pytest.mark.parametrize(
    ("sentence", "first", "second"),
    [
        ("Because the old tills cannot do NFC, the port of the kiosk is {}.", "8080", "9090"),
        ("The site shows only one week, whereas the archive of Teal keeps {} of history.", "30 days", "90 days"),
        (
            "Our second oven, the one in the yard at Rushey, is serviced by {}, who also bring the filters.",
            "Falk",
            "Brenn",
        ),
        ("Hazel is a cache; it keeps every entry for {}, unless the entry is pinned.", "14 days", "45 days"),
        ("Although the vendor once promised 64, the Teal array holds {}.", "24 disks", "36 disks"),
        ("The north gate is for visitors, while the south gate of the Elm depot opens at {}.", "6:00", "7:30"),
    ],
)
def test_the_clause_that_states_a_value_is_read(sentence: str, first: str, second: str) -> None:
    earlier, later = GRAMMAR.extract([sentence.format(first), sentence.format(second)])
    assert retired_by(earlier, later)
    assert all(second in (f.object or "") for f in later.facts)
    assert all("gadget" not in f.subject for f in later.facts)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Because the tills are old, the timeout is 30 s.", "Because the network is slow, the timeout is 90 s."),
        (
            "The site shows a week, whereas the archive keeps 30 days.",
            "The site shows a day, whereas the archive keeps 90 days.",
        ),
        (
            "Ann runs the shop, while the lead of the depot is Bo.",
            "Cy runs the bar, while the lead of the depot is Di.",
        ),
        (
            "Some say the old limit was fine, but the limit of Teal is 5.",
            "Others would cut it, but the limit of Teal is 9.",
        ),
        (
            "The limit might change soon, so the limit of Teal is 5.",
            "The limit might change soon, so the limit of Teal is 9.",
        ),
        (
            "If we had the money, the array of Teal would hold 24 disks.",
            "If we had the money, the array of Teal would hold 36 disks.",
        ),
        ("The red door, which sticks, leads to room 4.", "The red door, which is new, leads to room 5."),
        ("We met Ann, and the children went home at 5.", "We met Ann, and the children went home at 7."),
        (
            "He said hello, and the pool of Teal was closed for 3 days.",
            "He said hello, and the pool of Teal was closed for 9 days.",
        ),
        (
            "For example, because tills are slow, the limit of Teal is 5.",
            "For example, because tills are slow, the limit of Teal is 7.",
        ),
        ("The tour stops in Bath, and the guide speaks Welsh.", "The tour stops in Bath, and the guide speaks Breton."),
        ("The kit is cheap, and the box contains 4 screws.", "The kit is cheap, and the bag contains 40 screws."),
    ],
)
def test_neighbours_both_stay(first: str, second: str) -> None:
    earlier, later = GRAMMAR.extract([first, second])
    assert not superseded_by(earlier, later)
    assert not superseded_by(later, earlier)
