"""What opens a sentence and states nothing by itself: "For email, we use Postmark"."""

from __future__ import annotations

from memstrata_integrations.extraction.sentences.lexicon import FINITE_VERBS, PREPOSITIONS
from memstrata_integrations.extraction.sentences.verbs import THIRD
from memstrata_integrations.words import word_set

__all__ = ["is_front"]

_LONGEST = 60
_VERBS = FINITE_VERBS | frozenset(THIRD)
_ALWAYS = word_set("is are was were am has have had does do did went came means")


def is_front(said: str) -> bool:
    """Whether words are a front for the statement behind them, rather than a statement.

    Example:
        >>> is_front("For email"), is_front("In staging the port is 80"), is_front("The port is 80")
        (True, False, False)
    """
    first, *rest = said.split() or [""]
    fronted = first.lower() in PREPOSITIONS and first[:1].isupper() and bool(rest) and len(said) <= _LONGEST
    # "For the weekly reports": a noun where a verb has nothing behind it
    return fronted and _VERBS.isdisjoint(rest[:-1]) and _ALWAYS.isdisjoint(rest)
