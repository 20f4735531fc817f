"""One row of a table whose head is out of sight: "| badge printer | location | Room 1.14 |".

Its last cell is the value of what the others name, so it says "the location of the badge printer is Room 1.14"; that
sentence is judged like any other. A row of numbers, or one that names no attribute, says nothing by itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.sentences.doer_words import AGENT_NOUNS
from memstrata_integrations.extraction.sentences.lexicon import (
    CONFIG_NOUNS,
    EVENTS,
    FIELD_NOUNS,
    IDENTIFYING_STRONG,
    LABELS,
    MANY_ROLES,
    MEASURES,
    PERSON_ROLES,
    PREPOSITIONS,
    UNASSERTED,
    WORD_ROLES,
)
from memstrata_integrations.extraction.sentences.role_words import head_phrase
from memstrata_integrations.extraction.sentences.wording import Core
from memstrata_integrations.words import singular, word_set

__all__ = ["row_cores"]

_LONGEST, _MOST_CELLS, _MOST_WORDS = 200, 3, 8
_TRIM = "`*\"'().:"
_BOUNDS = {"max": "maximum", "max.": "maximum", "min": "minimum", "min.": "minimum"}
# What rows record again and again, of which each is true beside the others
_MEASURED = word_set("score rank grade count total amount result latency uptime balance average weight date time id")
_PERSONS = PERSON_ROLES - MANY_ROLES
_ATTRIBUTES = (
    FIELD_NOUNS
    | CONFIG_NOUNS
    | MEASURES
    | WORD_ROLES
    | _PERSONS
    | AGENT_NOUNS
    | word_set(
        "firmware warranty leave company tier plan colour seat desk room platform gate landlord supplier vendor "
        "contract allowance deposit hours speed pressure voltage wattage altitude class track venue runtime memory "
        "runner schedule cadence limit quota budget codec licence directory folder bucket broker registry cipher"
    )
) - (_MEASURED | IDENTIFYING_STRONG | word_set("created updated released due expires go summary"))


def row_cores(text: str) -> Iterator[Core]:
    """Yield the sentences that a text of one row may stand for; the places of each are those of the text.

    Example:
        >>> [core.text for core in row_cores("| badge printer | location | Room 1.14 |")][0]
        'The location of badge printer is Room 1.14'
    """
    cells = _cells(text)
    if cells is None:
        return
    *labels, (start, value) = cells
    named = _named([label for _, label in labels], of_team=value.lower().startswith(("team ", "@")))
    if named is None or not value or value.lower() in LABELS:
        return
    for before in named:
        core = f"{before} {value}"
        places = (*[-1] * (len(before) + 1), *range(start, start + len(value)))
        yield Core(core, places, 0, False, "")


def _cells(text: str) -> list[tuple[int, str]] | None:
    """Return the cells of a row with where they start, `None` if the text is no single row."""
    line = text.rstrip()
    if line[:1] != "|" or line[-1:] != "|" or "\n" in line or "\\|" in line or len(line) > _LONGEST:
        return None
    found, at = [], 1
    for cell in line[1:-1].split("|"):
        found.append((at + len(cell) - len(cell.lstrip()), cell.strip()))
        at += len(cell) + 1
    return found if 2 <= len(found) <= _MOST_CELLS and all(cell for _, cell in found) else None


def _named(labels: list[str], *, of_team: bool) -> tuple[str, ...] | None:
    """Return how a sentence begins that says what the cells before the value name."""
    words = [[_BOUNDS.get(w.lower(), w) for w in label.split()] for label in labels]
    for label in words:
        bare = [w.strip(_TRIM).lower() for w in label]
        if not bare or len(bare) > _MOST_WORDS or bare[0] in LABELS or not UNASSERTED.isdisjoint(bare):
            return None
        if not any(c.isalpha() for c in "".join(bare)):
            return None
    if len(words) == 1:
        if len(words[0]) < 2 or not _is_attribute(words[0]):
            return None
        return f"The {_lowered(words[0])} is", f"{labels[0]}:"
    subject, attribute = words
    if not _is_attribute(attribute) and not _is_setting(attribute):
        if not _is_attribute(subject):
            return None
        subject, attribute = attribute, subject
    held = head_phrase([w.lower() for w in attribute])[0] in _PERSONS
    if held and not of_team and all(w[:1].isupper() for w in subject):
        return None  # "| Ann Lee | owner | Search |": who owns what?
    said, whose = _lowered(attribute), " ".join(subject)
    if said.split()[0] in ("my", "our"):
        return f"{said[0].upper()}{said[1:]} of {whose} is", f"{said[0].upper()}{said[1:]} on the {whose} is"
    return f"The {said} of {whose} is", f"The {said} of the {whose} is", f"{whose}'s {said} is"


def _is_attribute(words: list[str]) -> bool:
    """Whether words name an attribute that a thing has one of."""
    bare = [w.strip(_TRIM).lower() for w in words]
    head = head_phrase(bare)[0]
    at = bare.index(head)
    plural = singular(head) != head and head not in _ATTRIBUTES
    before = bare[at - 1] if at else ""
    return not plural and (head in _ATTRIBUTES or (head in ("time", "date") and at > 0 and before not in PREPOSITIONS))


def _is_setting(words: list[str]) -> bool:
    return len(words) == 1 and (words[0][0] == "`" or is_identifier(words[0])) and words[0].strip(_TRIM) != ""


def _lowered(words: list[str]) -> str:
    first = words[0]
    plain = first[:1].isupper() and first[1:].islower() and first.lower() not in EVENTS
    return " ".join([first.lower() if plain or first[1:].islower() else first, *words[1:]])
