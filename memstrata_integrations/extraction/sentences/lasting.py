"""What has been so for a while is so, and what must be done so is done so.

"Tova has been living in Aarhus since spring" is "Tova is living in Aarhus", and "Tickets must be answered within an
hour" is "Tickets are answered within an hour".
"""

from __future__ import annotations

import re

from memstrata_integrations.extraction.sentences.complements import masked
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.verbs import is_participle
from memstrata_integrations.extraction.sentences.wording import Core
from memstrata_integrations.units import MONTHS, WEEKDAYS
from memstrata_integrations.words import word_set

__all__ = ["lasting_core"]

_LONGEST = 240
_HAS_BEEN = re.compile(r"(?<=\w)(?P<cut> (?:has|have) been)(?= )")
_SINCE = re.compile(r",? (?P<how>since|for|ever since) (?P<when>[^,;]{1,48})\Z")
_ONGOING = re.compile(r" [a-z]+ing (?=(?:in|at|for|as|with|on|under|to|out) )")
_TIMES = (
    word_set(
        "spring summer autumn winter fall year years month months week weeks day days decade decades age ages while "
        "term season start beginning childhood school christmas easter wedding lockdown pandemic semester quarter now "
        "hour hours morning then long"
    )
    | frozenset(MONTHS)
    | frozenset(WEEKDAYS)
)
# What is laid down to be done within some time
_MUST_BE = re.compile(
    r"(?<=\w)(?P<cut> (?:must|has to|have to|needs? to) be)(?= (?P<done>[a-z]+) (?:within|after|every|no later than) )"
)
# "has been rewritten in Rust" is written in Rust since
_REDONE = re.compile(
    r" re-?(?=(?:written|built|implemented|hosted|deployed|packaged|formatted|compiled|platformed|housed|sourced"
    r"|painted|branded) (?:in|on|with|as|by|from|at|to|into|using) )"
)
_KEPT = re.compile(r" (?:kept|retained|stored|held|archived|saved) for ")
# What a perfect tells without saying that it goes on
_DONE = word_set("to told asked said going meaning able")


def lasting_core(core: Core) -> Core | None:
    """Return "X is ..." for "X has been ... since May", else `None`.

    Example:
        >>> from memstrata_integrations.extraction.sentences.wording import core_of
        >>> said = "Tova has been living in Aarhus since the spring"
        >>> lasting_core(core_of(said, 0, len(said))).text
        'Tova is living in Aarhus'
    """
    text = core.text
    if len(text) > _LONGEST:
        return None
    hidden = masked(text)
    if " be " in text and (must := _MUST_BE.search(hidden)) is not None and is_participle(must["done"]):
        several = is_plural(head_phrase(hidden[: must.start()].lower().split())[0])
        if text.startswith(("A ", "An ")):  # what must be is so of each
            core, text = _put(core, 0, text.index(" "), "The", len(text)), f"The{text[text.index(' ') :]}"
            must = _MUST_BE.search(masked(text)) or must
        return _put(core, *must.span("cut"), " are" if several else " is", len(text))
    if " been " not in text:
        return None
    been = _HAS_BEEN.search(hidden)
    if been is None:
        return None
    since = _SINCE.search(hidden, been.end())
    if since is not None and since["how"] == "for" and _KEPT.match(hidden, been.end()):
        since = None  # "have been kept for 90 days": as they are
    fronted = hidden.startswith("Since ") and ", " in hidden
    stop = since.start() if since is not None and _is_time(since["when"].lower().split()) else len(text)
    if (redone := _REDONE.match(hidden, been.end())) is not None:
        plain = " are " if "have" in been["cut"] else " is "
        return _put(core, been.start("cut"), redone.end(), plain, stop)._replace(changed=True)
    if stop == len(text) and not core.changed and not fronted and _ONGOING.match(hidden, been.end()) is None:
        return None  # who has been in Paris may be elsewhere now
    following = hidden[been.end() : stop].split()
    if not following or following[0].lower() in _DONE:
        return None
    first, last = been.span("cut")
    verb = " am" if text[:first].endswith("I") and first < 3 else " are" if "have" in been["cut"] else " is"
    return _put(core, first, last, verb, stop)


def _put(core: Core, first: int, last: int, words: str, stop: int) -> Core:
    """Return a core with other words in the place of a piece of it, up to a place."""
    text = core.text
    places = list(core.places) if core.places is not None else list(range(core.start, core.start + len(text)))
    kept = (*places[:first], *([-1] * len(words)), *places[last:stop])
    return core._replace(text=text[:first] + words + text[last:stop], places=kept)


def _is_time(words: list[str]) -> bool:
    return words[-1] in _TIMES or any(w[:1].isdigit() for w in words)
