"""A name within a value belongs to the key; two ways to write an address are one address."""

from __future__ import annotations

import pytest

from eval.probe import retires
from memstrata_integrations import GrammarExtractor

GRAMMAR = GrammarExtractor()
IN_PACKAGE = "is what the Brindle shop has in its package.json"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("teal: connect_timeout=3s", "teal: read_timeout=30s"),
        (f'"vue": "^3.4.1" {IN_PACKAGE}', f'"pinia": "2.1.7" {IN_PACKAGE}'),
        ("The Tern endpoint is https://api.tern.example/v3", "The Tern endpoint is https://api.tern.example:443/v3/"),
        ("The Tern endpoint is https://api.tern.example/v3", "The Tern endpoint is https://API.tern.example/v3"),
        ("The Tern home page is http://tern.example", "The Tern home page is http://tern.example:80/"),
    ],
)
def test_another_name_or_the_same_address_retires_nothing(first: str, second: str) -> None:
    assert not retires(GRAMMAR, first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("teal: read_timeout=3s", "teal: read_timeout=30s"),
        (f'"vue": "^3.4.1" {IN_PACKAGE}', f'"vue": "^3.5.0" {IN_PACKAGE}'),
        ("The Tern endpoint is https://api.tern.example/v3", "The Tern endpoint is https://api.tern.example/v4"),
        ("The Tern endpoint is http://tern.example", "The Tern endpoint is http://tern.example:8080"),
        ("The Tern endpoint is http://tern.example", "The Tern endpoint is https://tern.example"),
        ("The host of Tern is tern.example:443", "The host of Tern is tern.example:8443"),
    ],
)
def test_another_value_of_the_same_name_retires(first: str, second: str) -> None:
    assert retires(GRAMMAR, first, second)
