"""Of several of a kind, what is said of one leaves the others alone."""

from __future__ import annotations

import pytest

from eval.probe import retires
from memstrata_integrations.extraction import GrammarExtractor

GRAMMAR = GrammarExtractor()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("My son's name is Max.", "My son's name is Leo."),
        ("The name of our dog is Rex.", "The name of our dog is Bo."),
        ("Lena's brother is called Max.", "Lena's brother is called Leo."),
        ("My friend lives in Rome.", "My friend lives in Oslo."),
        ("Our neighbour works for Acme.", "Our neighbour works for Brill."),
        ("Room 4 is booked for Ann.", "Room 4 is booked for Bob."),
        ("Access to the vault is granted to Ulla Berg.", "Access to the vault is granted to Stefan Ritz."),
        ("The alarm is sent to Pia.", "The alarm is sent to Ravi."),
        ("The resolver listens on TCP port 53.", "The resolver listens on UDP port 5353."),
        ("The billing API listens on port 8080.", "The billing API listens on UDP port 9090."),
        ("We found p = 0.03.", "We found p = 0.2."),
        ("Solve for a = 3.", "Solve for a = 4."),
        ("The quota is 25 MB.", "The quota is 5 MB, per tenant."),
        ("Ann works for Contoso.", "Ann joined PureGym."),
        ("I work for Contoso.", "I joined Facebook."),
        ("The staging config has PORT = 80.", "The production config has PORT = 443."),
        ("test_foo expects code = 200", "test_bar expects code = 404"),
    ],
)
def test_another_one_of_several(first: str, second: str) -> None:
    assert not retires(GRAMMAR, first, second)
    assert not retires(GRAMMAR, second, first)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("My best friend is Nora.", "My best friend is Jin now."),
        ("My friend Ida lives in Rome.", "My friend Ida lives in Oslo."),
        ("My sister lives in Rome.", "My sister lives in Oslo now."),
        ("My landlord is called Max Hill.", "My landlord is called Jo Pitt."),
        ("The review is booked for 10:00.", "The review is booked for 11:00."),
        ("The alerts are sent to #ops.", "The alerts are sent to #oncall."),
        ("The resolver listens on UDP port 53.", "The resolver listens on UDP port 5353."),
        ("Ann works for Contoso.", "Ann left Contoso and joined Brill."),
        ("static const int MAX = 5;", "static const int MAX = 6;"),
    ],
)
def test_another_value_of_the_one(first: str, second: str) -> None:
    assert retires(GRAMMAR, first, second)
