"""What one also does, and what one says of a thing, takes the place of nothing."""

from __future__ import annotations

import pytest

from eval.probe import retires
from memstrata_integrations import GrammarExtractor

GRAMMAR = GrammarExtractor()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Paula plays tennis.", "Paula now plays the piano."),
        ("Paula plays tennis.", "Paula plays the piano now."),
        ("Omar teaches physics.", "Omar now teaches chemistry."),
        ("Tim likes jazz.", "These days Tim likes opera."),
        ("The app logs errors.", "The app now logs warnings."),
        ("The museum is closed on Mondays.", "The museum is now closed in August."),
        ("Tim runs every morning.", "Tim now runs marathons."),
        ("The tournament takes place in Graz.", "The tournament now takes place in June."),
        ("I take metformin.", "I now take aspirin."),
        ("I drink coffee.", "I now drink decaf."),
        ("My daughter plays soccer.", "My daughter now plays chess."),
        ("Sam studies law.", "Sam now studies at Yale."),
        ("Sam works on weekends.", "Sam now works on Atlas."),
        ("Sam's car is a Volvo.", "Sam's car is now a wreck."),
        ("The bot posts alerts.", "The bot now posts summaries."),
        ("The parser handles CSV.", "The parser now handles XML."),
    ],
)
def test_a_habit_that_is_told_now_leaves_other_habits(first: str, second: str) -> None:
    assert not retires(GRAMMAR, first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I keep my notes in Obelisk.", "I now keep my notes in Lattice."),
        ("The museum is closed on Mondays.", "The museum is now closed on Tuesdays."),
        ("Sam drives a Volvo.", "Sam now drives a Tesla."),
        ("The bot posts to #ops.", "The bot now posts to #alerts."),
    ],
)
def test_a_habit_that_is_told_now_takes_the_place_of_the_same_one(first: str, second: str) -> None:
    assert retires(GRAMMAR, first, second)


@pytest.mark.parametrize("said", ["case sensitive", "too short", "wrong", "confidential", "unchanged", "printed below"])
def test_what_is_said_of_a_password_is_no_password(said: str) -> None:
    assert not retires(GRAMMAR, "The Wi-Fi password is hunter2.", f"The Wi-Fi password is {said}.")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The vendor is Lumo.", "The vendor is US-based."),
        ("The editor is Vim.", "The editor is Linux-only."),
        ("My doctor is Dr. Lee.", "My doctor is Swedish."),
        ("The region is eu-west-1.", "The region is European."),
        ("The codename is Falcon.", "The codename is secret."),
    ],
)
def test_how_a_thing_is_takes_no_name_away(first: str, second: str) -> None:
    assert not retires(GRAMMAR, first, second)


def test_a_password_still_changes() -> None:
    assert retires(GRAMMAR, "The Wi-Fi password is hunter2.", "The Wi-Fi password is swordfish7.")
