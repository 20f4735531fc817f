"""Amounts in a sentence: numbers with their units, dates, times, and how often, in digits and in words."""

from __future__ import annotations

import re

from memstrata_integrations.extraction.units import MONTHS, PERIODS, WEEKDAYS
from memstrata_integrations.extraction.values import NAMED, canonical_value
from memstrata_integrations.extraction.words import Flag, lemma_and_flags

__all__ = ["amount_of_number", "amount_of_words", "may_open_amount"]

Amount = tuple[int, str, str]
"""Where it ends, its canonical value and its kind."""

_AFTER_NUMBER = re.compile(
    r"(?: (?P<scale>thousand|million|billion|hundred|dozen)\b)?"
    r"(?: ?(?:to|[–-]) ?(?P<high>[$€£]?\d[\d,.]*\d|\d))?"
    r"(?:[ \u00a0-]?(?P<unit>(?!(?:an?|per|each|every|and|or|to|of|in|on|at|for|is|are|as)\b)"
    r"[A-Za-z°µ²%/€$£]+(?:/[a-z]+)?)(?![\w(-]))?"
    r"(?:(?P<half> and a half)|(?P<more>(?:,? and |, | )\d+ ?[a-z]+\b))?"
    r"(?P<per> ?/ ?[a-z]+\b| per [a-z]+\b| an? [a-z]+\b"
    r"| (?:each|every) (?:second|minute|hour|day|night|week|month|year)\b)?"
)
_DAY = re.compile(
    r"(?:the )?\d{1,2}(?:st|nd|rd|th)?(?: of)? (?P<month>[A-Za-z]+)\b\.?(?:,? (?:19|20)\d\d\b)?"
    r"|[A-Za-z]+\.? \d{1,2}(?:st|nd|rd|th)?\b(?!:)(?:,? (?:19|20)\d\d\b)?|[A-Za-z]+ (?:19|20)\d\d\b"
)
_HOUR = re.compile(r",? (?:at )?(?:\d{1,2}:\d\d(?: ?[ap]\.?m\b\.?)?|\d{1,2} ?[ap]\.?m\b\.?|noon|midnight)(?!\w)")
_IN = re.compile(r"\b(?:in|by|until|till|since|from|to|of|for) (?:early |mid |late )?\Z")
_RUN = re.compile(r"(?:[ -](?:and )?(?:[a-z]+)){0,5}")
_NUMBERS = frozenset(
    """one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred half""".split()
)
_OPENERS = {"noon", "midday", "midnight", "half", *MONTHS, *WEEKDAYS}
_AMBIGUOUS = frozenset("may mar jan mon tue wed thu fri sat".split())


def may_open_amount(word: str) -> bool:
    """Whether an amount may begin with a word: "three", "Monday"; "May" and "Mar" only with their capital."""
    lower = word.lower()
    ambiguous = lower in _AMBIGUOUS and not (word[0].isupper() and lower in MONTHS)
    return (lower in _OPENERS and not ambiguous) or lower.partition("-")[0] in _NUMBERS


def amount_of_words(text: str, start: int, end: int, word: str) -> Amount | None:
    """Read an amount that begins with a word at a place: a month, a day, a number."""
    if word in MONTHS:
        match = _DAY.match(text, start)
        if match is None:  # "in June", but "June said"
            return (end, f"{MONTHS[word]:02}", "month") if _IN.search(text, 0, start) is not None else None
        return _typed(text, start, _with_hour(text, match.end()))
    if word in WEEKDAYS:
        return _typed(text, start, _with_hour(text, end))
    return _typed(text, start, end) if word in ("noon", "midday", "midnight") else _in_words(text, start, end)


def amount_of_number(text: str, start: int, end: int, before: str, *, named: bool) -> Amount:
    """Read a number with the unit, the currency or the noun behind it, and what it is counted by.

    `before` is the word in front of it; `named` whether that is a name, so that "Python 3.12" is a version.
    """
    piece = text[start:end]
    if piece.isdigit() or piece[-2:] in ("st", "nd", "rd", "th"):
        day = _DAY.match(text, start)
        month = (day["month"] or "") if day is not None else ""
        if day is not None and month.lower() in MONTHS and (len(month) > 3 or month[0].isupper()):
            dated = _typed(text, start, _with_hour(text, day.end()))
            if dated is not None:
                return dated
    match = _AFTER_NUMBER.match(text, end) if piece[-1].isdigit() or piece[-1] in "%km°" else None
    for stop in _stops(match) if match is not None and match.end() > end else ():
        value, kind = canonical_value(text[start:stop])
        if match and stop > end and kind not in NAMED and kind != "path" and _is_whole(match, kind, value, named):
            end = stop
            break
    else:
        value, kind = canonical_value(piece)
    versioned = (named and piece.isdigit()) or ("." in piece and (named or before in ("version", "release")))
    if kind == "number" and versioned:
        kind = "version" if "." in piece else "version:major"
        value = canonical_value(piece, "version")[0]
    return end, value, "name:1" if kind in NAMED else kind


def _is_whole(match: re.Match[str], kind: str, value: str, named: bool) -> bool:
    """Whether what stands behind a number belongs to it: no noun that it only precedes, no "a" of something else."""
    if kind.startswith("count:"):
        return _is_counted((match["unit"] or "").lower(), value) and not named
    per = (match["per"] or "").split()
    return "rate:" not in kind or per[:1] not in (["a"], ["an"]) or per[1] in PERIODS


def _stops(match: re.Match[str]) -> list[int]:
    """Return where an amount may end, the farthest first."""
    found = [match.end()]
    found += [match.start(name) for name in ("per", "more", "half") if match[name]]
    found += [match.end("unit"), match.start("unit") - 1] if match["unit"] else []
    return found + [match.end(name) for name in ("high", "scale") if match[name]]


def _typed(text: str, start: int, end: int) -> Amount | None:
    value, kind = canonical_value(text[start:end])
    return None if kind in NAMED else (end, value, kind)


def _with_hour(text: str, end: int) -> int:
    hour = _HOUR.match(text, end)
    return end if hour is None else hour.end()


def _in_words(text: str, start: int, end: int) -> Amount | None:
    """Read "three attempts" and "twenty-five minutes"; "one" alone may be a pronoun."""
    run = _RUN.match(text, end)
    words = text[start : run.end() if run is not None else end].split(" ")
    for count in range(min(len(words), 5), 0, -1):
        span = " ".join(words[:count])
        value, kind = canonical_value(span)
        if kind in NAMED or (kind.startswith("count:") and (" " in kind or not _is_counted(words[count - 1], value))):
            continue
        if kind == "number" and (value == "1" or text[start].isupper() or words[count : count + 1] in (["of"], ["or"])):
            return None
        return start + len(span), value, kind
    return None


def _is_counted(word: str, number: str) -> bool:
    """Whether a word is what a number counts: a plural, or a singular beside one."""
    flags = lemma_and_flags(word)[1]
    if flags & (Flag.PREP | Flag.SUB | Flag.AND | Flag.AUX | Flag.SKIP | Flag.PAST) or len(word) < 3:
        return False
    plural = (word.endswith("s") and not word.endswith("ss")) or word in ("people", "children", "staff", "feet")
    return plural == (number != "1")
