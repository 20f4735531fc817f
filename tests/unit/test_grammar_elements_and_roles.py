"""Pieces of pages, roles that many fill, and one value written in two ways: nothing of them supersedes."""

from __future__ import annotations

import pytest

from eval.probe import retires
from memstrata_integrations import GrammarExtractor

GRAMMAR = GrammarExtractor()

KEPT = [
    # an element of a page or of a feed is no setting
    ("<li>Butter</li>", "<li>Flour</li>"),
    ("<p>The shop is on Mill Lane.</p>", "<p>Lina teaches piano.</p>"),
    ("<td>5</td>", "<td>7</td>"),
    ("<summary>Linux: /etc/app</summary>", "<summary>macOS: ~/Library/app</summary>"),
    ("<tool_response>ok</tool_response>", "<tool_response>done</tool_response>"),
    ("<groupId>org.tarn</groupId>", "<groupId>org.corrie</groupId>"),
    # a line of a file is one of many
    ("tarn/main.py: `from tarn.io import load`", "tarn/main.py: `from tarn.net import fetch`"),
    # roles that several fill
    ("Frost is the enemy of roses.", "Blight is the enemy of roses."),
    ("Ware is the suburb of Lindport.", "Holt is the suburb of Lindport."),
    ("Patience is the soul of pottery.", "Rhythm is the soul of pottery."),
    ("The spoken language in Tarnia is Dutch.", "The spoken language in Tarnia is Papiamento."),
    ("The founder of Corrie is Ann Lee.", "The founder of Corrie is Bo Falk."),
    # one value in two spellings
    ("The studio is on the 3rd floor.", "The studio is on the third floor."),
    ("The studio is on floor 3.", "The studio is on the third floor."),
    ("My seat is in row 6.", "My seat is in the sixth row."),
    ("LOG_LEVEL=warn", "LOG_LEVEL=warning"),
    ("The log level is set to err.", "The log level is set to error."),
    ("The Python version is 3.12.", "The Python version is Python 3.12."),
    ("Node version: 20", "Node version: Node 20"),
]
UPDATES = [
    ("<poolTimeout>30</poolTimeout>", "<poolTimeout>60</poolTimeout>"),
    ("<kafka.version>3.6.0</kafka.version>", "<kafka.version>3.7.1</kafka.version>"),
    ("Ann Lee is the treasurer of the rowing club.", "Bo Falk is the treasurer of the rowing club."),
    ("The working language of the board is French.", "The working language of the board is English."),
    ("The studio is on the 3rd floor.", "The studio is on the fourth floor."),
    ("The Python version is 3.12.", "The Python version is Python 3.13."),
    ("LOG_LEVEL=warn", "LOG_LEVEL=debug"),
]


@pytest.mark.parametrize(("first", "second"), KEPT)
def test_both_stay(first: str, second: str) -> None:
    assert not retires(GRAMMAR, first, second)
    assert not retires(GRAMMAR, second, first)


@pytest.mark.parametrize(("first", "second"), UPDATES)
def test_what_has_one_value_is_updated(first: str, second: str) -> None:
    assert retires(GRAMMAR, first, second)
