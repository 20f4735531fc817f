"""Sentences of several clauses: each clause is a fact of its own, and what governs it governs it still."""

from __future__ import annotations

import pytest

from eval.probe import retired_by
from memstrata_integrations.extraction import GrammarExtractor

GRAMMAR = GrammarExtractor()

TWO = [
    ("The gateway listens on port 8080 and is owned by the Payments team.", ("8080", "Payments team")),
    ("The port is 8080 and the host is api.example.com.", ("8080", "api.example.com")),
    ("Alice lives in Berlin and works for Acme.", ("Berlin", "Acme")),
    ("The retention of teal is 30 days; its region is eu-west-1.", ("30 days", "eu-west-1")),
]
UPDATES = [
    ("My GP is Dr. Moen.", "Dr. Moen retired, so my GP is now Dr. Strand."),
    ("My alarm is set for 6:30.", "I've reset it: my alarm is set for 7:15."),
    ("I pay 12 euros a month for Lumo.", "Lumo got pricier, I pay 15 euros a month for it now."),
    ("The heater is set to 21 °C.", "I turned the heater down, it is set to 19 °C."),
    (
        "The supervisor of Kim's thesis is Prof. Lund.",
        "The supervisor of Kim's thesis has changed; it is Prof. Moe now.",
    ),
    ("Theo's dentist is Dr. Abara.", "Theo has outgrown the old practice, and his dentist is Dr. Feld now."),
    ("I report to Carla Ruiz.", "After the reorg I report to Dana Holt."),
    ("My phone number is 555-0101.", "Please update this: my phone number is 555-0199."),
    ("I work 40 hours a week.", "My request came through and I work 32 hours a week now."),
    ("The office connects through vpn-3.example.", "vpn-7.example is what the office connects through."),
    ("numpy==1.24.4", "Upgraded numpy to 1.26.4."),
]
KEPT = [
    ("My GP is Dr. Moen.", "Dr. Moen retired, so my mother's GP is Dr. Strand."),
    ("My GP is Dr. Moen.", "If Dr. Moen retires, my GP is Dr. Strand."),
    ("My GP is Dr. Moen.", "I think Dr. Moen retired and my GP is Dr. Strand."),
    ("My GP is Dr. Moen.", "My sister moved and her GP is Dr. Strand now."),
    ("My GP is Dr. Moen.", "I dreamt that I moved, and my GP is Dr. Strand."),
    ("The port of the gateway is 8080.", "The gateway was replaced, and the port of the proxy is 9090."),
    ("I live in Leeds.", "My brother sold his flat, he lives in Cork now."),
    ("Alice works for Acme.", "Bob left Acme and works for Globex."),
    ("The office connects through vpn-3.example.", "vpn-7.example is what the lab connects through."),
    ("The code for the gate is 4471.", "The gate was painted, and the code for the shed is 9920."),
    ("The winner is Alice.", "The winner is Bob, Carol and Dan."),
]


@pytest.mark.parametrize(("text", "values"), TWO, ids=[t[:50] for t, _ in TWO])
def test_each_clause_is_a_fact_with_its_own_span(text: str, values: tuple[str, ...]) -> None:
    """Two clauses give two facts in order, their spans don't overlap, and each holds its own value."""
    found = GRAMMAR.extract([text])[0]
    assert tuple(f.object for f in found.facts) == values
    spans = [f.span for f in found.facts]
    assert spans[0][1] <= spans[1][0]
    for fact in found.facts:
        assert fact.object is not None
        assert fact.object in text[slice(*fact.span)]
    assert not found.prose


def test_a_clause_that_states_nothing_is_prose() -> None:
    """One readable clause of two leaves the text prose, and the fact spans its clause alone."""
    text = "The gate was repainted, and the code of the gate is 4471."
    found = GRAMMAR.extract([text])[0]
    assert [f.object for f in found.facts] == ["4471"]
    assert text[slice(*found.facts[0].span)].strip(", ") == "and the code of the gate is 4471"
    assert found.prose


@pytest.mark.parametrize(("first", "second"), UPDATES, ids=[p[1][:60] for p in UPDATES])
def test_an_update_behind_another_clause_retires(first: str, second: str) -> None:
    """What stands before an update, its reason or what goes without saying, hides nothing of it."""
    assert retired_by(*GRAMMAR.extract([first, second]))


@pytest.mark.parametrize(("first", "second"), KEPT, ids=[p[1][:60] for p in KEPT])
def test_a_clause_keeps_what_governs_it(first: str, second: str) -> None:
    """A condition, a doubt, a dream or another person reaches into the next clause: nothing is retired."""
    assert not retired_by(*GRAMMAR.extract([first, second]))
