"""The time that the grammar takes grows with the text, and no faster; readers are chosen by the words of a sentence."""

from __future__ import annotations

import time

import pytest

from memstrata_integrations import GrammarExtractor
from memstrata_integrations.extraction.sentences.dispatch import Dispatch
from memstrata_integrations.words import word_set

_LINES = 16_000
_MOST_SECONDS = 8.0  # several times what it takes, and half of what one scan of the text for each line took


@pytest.mark.parametrize(
    "line",
    [
        "K{n}: {n}\n",
        "A: 1\n",
        "- k{n}: {n}\n",
        "x{n}==1.{n}\n",
        "| a{n} | {n} |\n",
        "`k{n}`: {n}\n",
        "term{n}\n: {n}\n",
    ],
)
def test_many_lines_take_linear_time(line: str) -> None:
    """A long file of one kind of line is read in seconds."""
    text = "".join(line.format(n=n) for n in range(_LINES))
    begun = time.process_time()
    GrammarExtractor().extract([text])
    assert time.process_time() - begun < _MOST_SECONDS


def test_readers_are_chosen_by_the_words_that_they_need() -> None:
    """A reader without needles is always tried; one with several sets needs a word of each of them."""
    fitting = Dispatch(
        [
            ("any", None),
            ("ports", word_set("port ports")),
            ("limits", (word_set("limits caps"), word_set("to at"))),
        ]
    )
    assert fitting(word_set("the host is up")) == ("any",)
    assert fitting(word_set("the ports are open")) == ("any", "ports")
    assert fitting(word_set("Teal limits uploads")) == ("any",)
    assert fitting(word_set("Teal limits its port to 5")) == ("any", "ports", "limits")
