"""The check of constructions counts what is linked, and finds groups that are mixed up."""

from __future__ import annotations

from eval.other_constructions import confused, linked, with_value
from memstrata_integrations import GrammarExtractor

GRAMMAR = GrammarExtractor()
RELAY = {
    "id": "one",
    "kind": "configuration",
    "values": ["25", "587"],
    "sentences": [
        "The port of the mail relay is {v}.",
        "The mail relay's port is {v}.",
        "Is the mail relay on port {v}?",
    ],
}
OTHER = {**RELAY, "id": "two", "sentences": ["The port of the print relay is {v}."]}


def test_a_question_is_linked_to_nothing() -> None:
    found = {(first, second): hit for first, second, hit in linked(GRAMMAR, RELAY)}
    assert found == {pair: set(pair) == {0, 1} for pair in found}
    assert len(found) == 6


def test_groups_of_one_fact_are_found_mixed_up_and_others_are_not() -> None:
    assert confused(GRAMMAR, [RELAY, OTHER]) == []
    mixed = confused(GRAMMAR, [RELAY, {**RELAY, "id": "copy"}])
    assert ("The port of the mail relay is 25.", "The mail relay's port is 587.") in mixed


def test_a_word_that_opens_a_sentence_has_a_capital_letter() -> None:
    assert with_value("{v} is what it returns.", "a tuple") == "A tuple is what it returns."
    assert with_value("{v} is where it lives.", "src/tax.py") == "src/tax.py is where it lives."
    assert with_value("It is {v}.", "a tuple") == "It is a tuple."
