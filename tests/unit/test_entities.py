"""What names something that another source would mean as well, and what only its own source can tell."""

from __future__ import annotations

import pytest

from memstrata_integrations import GrammarExtractor
from memstrata_integrations.extraction.sentences.entities import names_entity


@pytest.mark.parametrize(
    "phrase",
    [
        "Alice",
        "the billing service's port",
        "Aunt May",
        "MAX_SIZE",
        "the billing service",
        "Alice's school",
        "Nan Goldin",
    ],
)
def test_names(phrase: str) -> None:
    assert names_entity(phrase)


@pytest.mark.parametrize(
    "phrase",
    [
        "the port",
        "Status",
        "Mum",
        "Dad's birthday",
        "the kids' school",
        "the dog's school",
        "Grandma",
        "Check-in",
        "Sign-up",
    ],
)
def test_fields_and_kin_are_of_their_source(phrase: str) -> None:
    assert not names_entity(phrase)


@pytest.mark.parametrize(
    "text",
    [
        "Mum lives in Leeds.",
        "Dad's phone is a Pixel 8.",
        "The kids' school is Linde.",
        "Invoices are paid within 14 days.",
        "Photos are resized to 2048 pixels.",
        "Check-in is at 15:00.",
    ],
)
def test_the_family_of_one_user_is_not_that_of_another(text: str) -> None:
    [extraction] = GrammarExtractor().extract([text])
    assert extraction.facts
    assert all(fact.local for fact in extraction.facts)
