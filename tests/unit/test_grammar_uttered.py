"""What somebody else utters, help texts, commands, short names: found by people who looked for wrong retirements."""

from __future__ import annotations

import pytest

from eval.probe import retires, superseded_by
from memstrata_integrations import GrammarExtractor

GRAMMAR = GrammarExtractor()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The mayor is Ann.", "He shouted: the mayor is Bob."),
        ("Rome's mayor is Ann.", "The rival club's chant goes: Rome's mayor is Bob."),
        ("The port is 80.", "The lie was: the port is 81."),
        ("The port is 80.", "The old letter began: the port is 81."),
        ("ls --color=auto", "ls --color=never"),
        ("kubectl logs web --tail=20", "kubectl logs web --tail=50"),
        ("Change-Id: Iab3", "Change-Id: Icd4"),
        ("--force: skip checks", "--force: needs root"),
        ("max_size: 10", "max_size: maximum size"),
        ("cache_dir: /var/cache/teal", "cache_dir: directory for cached files"),
        ("The owner is Robert Smith.", "The owner is Bob Smith."),
        ("The vendor is IBM.", "The vendor is International Business Machines."),
        ("The supported browser is Firefox.", "The supported browser is Safari."),
        ("The licence is MIT.", "The licence is also BSD."),
        ("The bank is J.P. Morgan.", "The bank is JP Morgan."),
        ("Jim works for J.P. Morgan.", "Jim works for JPMorgan."),
    ],
)
def test_both_stay(first: str, second: str) -> None:
    earlier, later = GRAMMAR.extract([first, second])
    assert not superseded_by(earlier, later)
    assert not superseded_by(later, earlier)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The owner is Robert Smith.", "The owner is Bob Miller."),
        ("The port is 80.", "Quick note: the port is 81."),
        ("The fee is 4 euros.", "The council announced: the fee is 5 euros."),
        ("log_level: info", "log_level: debug"),
        ("The maximum allowed size is 5 MB.", "The maximum allowed size is 9 MB."),
        ("We ship from the U.S. The port is 80.", "We ship from the U.S. The port is 81."),
    ],
)
def test_a_change_is_still_one(first: str, second: str) -> None:
    earlier, later = GRAMMAR.extract([first, second])
    assert retires(GRAMMAR, first, second) or superseded_by(earlier, later)
