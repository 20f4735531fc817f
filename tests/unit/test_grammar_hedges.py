"""Hedges and cases behind a value of plain words, disowned sentences, and what is one of several."""

from __future__ import annotations

import pytest

from memstrata_integrations import GrammarExtractor
from memstrata_integrations.facts import Extraction

GRAMMAR = GrammarExtractor()

BOTH_STAY = [
    # a hedge before or behind the value
    ("My favourite soup is leek.", "My favourite soup is occasionally lentil."),
    ("The cache policy is lru.", "The cache policy is e.g. lfu."),
    ("The cache policy is lru.", "The cache policy is lfu or so."),
    ("The cache policy is lru.", "The cache policy is lfu etc."),
    ("The cache policy is lru.", "The cache policy is lfu by mistake."),
    ("The cache policy is lru.", "The cache policy is lfu or fifo."),
    ("The cache policy is lru.", "The cache policy is lfu (proposed)."),
    ("Plan of the account: Silver", "Plan of the account: nearly Gold"),
    ("The dress code for the gala is black tie.", "The dress code for the gala is casual last year."),
    ("The API version of Finch is v1.", "The API version of Finch is v2?."),
    # the case in which it holds
    ("My default shell is fish.", "My default shell is zsh on Windows."),
    ("The default branch of the wren repo is main.", "The default branch of the wren repo is trunk unless overridden."),
    ("Our accountant is Ida Holt.", "Our accountant is Piet Roos for guests."),
    ("The venue of the fair is the barn.", "The venue of the fair is the gym in winter."),
    ("The reverse proxy of the wiki is Caddy.", "The reverse proxy of the wiki is HAProxy when idle."),
    ("The admin of the forum is Ann.", "The admin of the forum is Bo instead of Ann on weekends."),
    ("Replies from the map API are cached by the CDN for 5 minutes.",
     "Replies from the map API are cached by the CDN for 20 minutes in staging."),
    ("The main branch is named main.", "With the flag on, the main branch is named next."),
    # disowned, denied, outdated
    ("Our error tracker is Sentry.", "Rejected: our error tracker is Rollbar."),
    ("The release lead is Bo Lund.", "Was: the release lead is Ada Kern."),
    ("The release lead is Bo Lund.", "He denied that: the release lead is Ada Kern."),
    ("The release lead is Bo Lund.", "Don't write: the release lead is Ada Kern."),
    ("The release lead is Bo Lund.", "According to the old wiki, the release lead is Ada Kern."),
    ("The release lead is Bo Lund.", "Example output:\n\n    The release lead is Ada Kern."),
    ("My standup starts at 9:15.", "Had we waited, my standup starts at 9:45."),
    # one of several
    ("Supported bit rates include 128 kbit/s.", "Supported bit rates include 320 kbit/s."),
    ("Valid scales are, among others, 10 percent.", "Valid scales are, among others, 50 percent."),
    ("The shop stocks this boot in size 38.", "The shop stocks this boot in size 42."),
    ("The scanner receives 88.4 MHz.", "The scanner receives 101.9 MHz."),
    ("The lamp comes in 40 watts.", "The lamp comes in 60 watts."),
    ("You can pay for the boat in 3 instalments.", "You can pay for the boat in 9 instalments."),
    ("The inn has a room for 90 euros.", "The inn has a room for 140 euros."),
    ("The farm has a node with 64 GB of memory.", "The farm has a node with 128 GB of memory."),
    ("The gym has a class at 18:00.", "The gym has a class at 19:00."),
    ("The endpoint accepts 1 as a mode.", "The endpoint accepts 2 as a mode."),
    ("The bar gets its beer from Hopfen.", "The bar gets its beer from Malz."),
    ("The podcast is hosted by Runa.", "The podcast is hosted by Jon."),
    ("CI runs on ubuntu-22.04.", "CI runs on macos-14."),
    ("The installer writes to /opt/wren.", "The installer writes to ~/.wren."),
    ("DNS for the domain is served by ns1.wren.example.", "DNS for the domain is served by ns2.wren.example."),
    ("The page loads a font from a.wren.example.", "The page loads a font from b.wren.example."),
    ("The job sends a mail to ops@wren.example.", "The job sends a mail to dev@wren.example."),
    ("Our backend is written in a JVM language.", "Our backend is written in Kotlin."),
    ("The attic is insulated with wool in places.", "The attic is insulated with cork in places."),
    ("Our town is twinned with Sligo.", "Our town is twinned with Lorient."),
    ("I take my tea with honey.", "I take my tea with lemon."),
    ("The game was ported to WASM.", "The game was ported to RISC-V."),
    ("The reader reads YAML 1.1.", "The reader reads YAML 1.2."),
    # two names of one value, and two keys of one name
    ("My shelf is made of aluminium.", "My shelf is made of aluminum."),
    ("The city has 8.3 million inhabitants.", "The city has 8,336,817 inhabitants."),
    ("Lead: Anna (Elk)", "Lead: Tom (Heron)"),
    ("Version: 1.2, stable", "Version: 1.3, beta"),
    ("Port: 80/tcp", "Port: 443/tcp"),
    ("The list is sorted by name.", "The list is sorted by Ann."),
    ("The annex is open again, the code is 55.", "The gate is shut again, the code is 66."),
]  # fmt: skip

SUPERSEDES = [
    ("My default shell on Windows is fish.", "My default shell on Windows is zsh."),
    ("The default branch is master unless overridden.", "The default branch is main unless overridden."),
    ("The endpoint accepts 50 ids.", "The endpoint accepts 80 ids."),
    ("The club has a hall with 200 seats.", "The club has a hall with 240 seats."),
    ("The boat comes in 3 colours.", "The boat comes in 5 colours."),
    ("Our backend is written in Java.", "Our backend is written in Kotlin."),
    ("According to the wiki, the Vole mail relay is mx-1.", "The Vole mail relay is mx-2."),
    ("The town has 1.3 million inhabitants.", "The town has 1.4 million inhabitants."),
    ("Lead: Anna (Elk)", "Lead: Tom (Elk)"),
    ("Version: 1.2, stable", "Version: 1.3, stable"),
    ("I take my coffee with milk.", "I take my coffee with oat milk."),
    ("The price of the fox hat is 40 euros.", "The price of the fox hat is 45 euros."),
]


def _retires(earlier: Extraction, later: Extraction) -> bool:
    stated = {(f.subject, f.relation, f.dimension): f.value for f in later.facts}
    return any(stated.get((f.subject, f.relation, f.dimension), f.value) != f.value for f in earlier.facts)


@pytest.mark.parametrize(("one", "other"), BOTH_STAY)
def test_both_stay(one: str, other: str) -> None:
    first, second = GRAMMAR.extract([one, other])
    assert not _retires(first, second)
    assert not _retires(second, first)


@pytest.mark.parametrize(("one", "other"), SUPERSEDES)
def test_the_later_one_takes_its_place(one: str, other: str) -> None:
    first, second = GRAMMAR.extract([one, other])
    assert _retires(first, second)


def test_the_case_belongs_to_the_key_and_not_to_the_value() -> None:
    [found] = GRAMMAR.extract(["My default shell is zsh on Windows."])
    assert [(f.object, "windows" in f.subject.lower()) for f in found.facts] == [("zsh", True)]


TAKEN_BACK = [
    "That's only a proposal.",
    "This is just an example.",
    "This is planned for May.",
    "That's what the old docs said.",
    "That was before the move.",
    "This only holds in staging.",
    "But that is only for guests.",
    "On weekends it is different.",
    "No, it isn't.",
    "Wait, no.",
    "False!",
    "It used to be so.",
    "Not confirmed yet.",
    "I made that up.",
]
NOT_TAKEN_BACK = ["That was a shock.", "It used to be Ann.", "That's final.", "This applies to everyone."]
FRAMES = [
    "This document is a draft.",
    "This is an example.",
    "Nothing of this is true.",
    "The following is planned.",
    "This page is about staging.",
    "Back in 2019, things were different.",
    "Here is what the old docs say.",
]


@pytest.mark.parametrize("comment", TAKEN_BACK)
def test_what_the_next_sentence_takes_back_supersedes_nothing(comment: str) -> None:
    first, second = GRAMMAR.extract(["The mayor of Ulm is Ann Low.", f"The mayor of Ulm is Bo Krag. {comment}"])
    assert not _retires(first, second)


@pytest.mark.parametrize("comment", NOT_TAKEN_BACK)
def test_a_remark_takes_nothing_back(comment: str) -> None:
    first, second = GRAMMAR.extract(["The mayor of Ulm is Ann Low.", f"The mayor of Ulm is Bo Krag. {comment}"])
    assert _retires(first, second)


@pytest.mark.parametrize("opening", FRAMES)
def test_what_the_first_sentence_says_of_the_rest(opening: str) -> None:
    first, second = GRAMMAR.extract(["The mayor of Ulm is Ann Low.", f"{opening} The mayor of Ulm is Bo Krag."])
    assert not _retires(first, second)
