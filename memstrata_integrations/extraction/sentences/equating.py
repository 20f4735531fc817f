"""What the rules share that put a verb and a noun under one key: a subject taken apart, and flows from and to."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from memstrata_integrations.extraction.sentences.lexicon import PREPOSITIONS
from memstrata_integrations.words import singular, word_set

__all__ = ["ARTICLES", "TRIM", "Named", "bare_words", "flowing", "requesting", "taken_apart"]

TRIM = "\"'`(),.;:"


_FROM_FLOWS = re.compile(
    r"\b(?P<what>(?:log|metric|alert|event|trace|export|notification|report|backup|message|e?mail|webhook|response)s?"
    r"|deliver(?:y|ies)) from (?=\S)",
    re.IGNORECASE,
)
_OF_FLOWS = re.compile(
    r"\b(?P<what>requests?|uploads?|downloads?|calls|connections|writes|exports) to (?=\S)"
    r"|\b(?P<way>uploads?|downloads?) (?:through|via) (?=\S)",
    re.IGNORECASE,
)


class Named(NamedTuple):
    """A subject taken apart: "Pelican's token signing algorithm of x".

    Attributes:
        before: The words before the last two of its first phrase.
        modifier: The word before the head noun; empty if there is none.
        head: The head noun, in lower case and in the singular.
        rest: What follows that phrase, its preposition included.
    """

    before: tuple[str, ...]
    modifier: str
    head: str
    rest: str

    def without(self, *, head: bool = True, modifier: bool = False) -> str:
        """Return the subject without its head noun, or without its modifier as well."""
        kept = [*self.before, *([] if modifier or not self.modifier else [self.modifier])]
        kept += [] if head else [self.head]
        if not any(w.lower() not in ARTICLES for w in kept):
            link, _, rest = self.rest.partition(" ")
            return self.rest if link in _TELLING_APART else rest
        return f"{' '.join(kept)} {self.rest}".strip()


ARTICLES = word_set("the a an its")
_TELLING_APART = word_set("with without before after under over above below during between until since except")


def taken_apart(subject: str) -> Named | None:
    """Take a subject apart at its head noun; `None` where a possessor ends its first phrase."""
    words = subject.split()
    at = len(words)
    for n, word in enumerate(subject.lower().split()):
        if n and word in PREPOSITIONS:
            at = n
            break
    front = words[:at]
    if not front or front[-1].endswith(("'s", "’s")):
        return None
    modifier = front[-2] if len(front) > 1 and front[-2].lower() not in ARTICLES else ""
    before = tuple(front[: -2 if modifier else -1])
    return Named(before, modifier, singular(front[-1].strip(TRIM).lower()), " ".join(words[at:]))


@lru_cache(maxsize=256)
def bare_words(subject: str) -> tuple[str, ...]:
    """Return the words of a subject in lower case, without the marks around them; several rules ask for them."""
    words = subject.lower().split()
    return tuple(words if subject.replace(" ", "").isalnum() else [w.strip(TRIM) for w in words])


def requesting(subject: str) -> str:
    """Put "uploads of x" for "uploads to x" and "uploads through x"."""
    low = subject.lower()
    return _OF_FLOWS.sub(r"\g<what>\g<way> of ", subject) if " to " in low or "loads " in low else subject


def flowing(subject: str) -> str:
    """Put "uploads of x" for "uploads to x", and "logs of x" for "logs from x"."""
    subject = requesting(subject)
    return _FROM_FLOWS.sub(r"\g<what> of ", subject) if " from " in subject.lower() else subject
