"""One row of a table whose head is out of sight: "| badge printer | location | Room 1.14 |".

Its last cell is the value of what the others name, so it says "the location of the badge printer is Room 1.14"; that
sentence is judged like any other. A row of numbers, or one that names no attribute, says nothing by itself.
"""

from __future__ import annotations

import re
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
from memstrata_integrations.extraction.sentences.plain_nouns import GRADED, NAMED, OFFICES, ONE_AT_MOST, ONE_OF_A_KIND
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.verbs import THIRD
from memstrata_integrations.extraction.sentences.wording import Core
from memstrata_integrations.relations import RELATIONS
from memstrata_integrations.words import singular, word_set

__all__ = ["is_attribute", "openings", "row_cores"]

_LONGEST, _MOST_CELLS, _MOST_WORDS = 200, 3, 8
_TRIM = "`*\"'().:"
_INNER = re.compile(r"(?P<label>[a-z][\w -]{1,40}): (?=\S)")
_KIND = re.compile(r"(?P<kind>[a-z]+(?: [a-z]+)?): (?P<name>[A-Z`][^:]+)\Z")
_WITHIN = re.compile(r"(?P<attribute>[^()]+?) \((?P<of>[^()]+)\)\Z")
_BOUNDS = {"max": "maximum", "max.": "maximum", "min": "minimum", "min.": "minimum"}
# What rows record again and again, of which each is true beside the others
_MEASURED = word_set("score rank grade count total amount result latency uptime balance average weight date time id")
_PERSONS = PERSON_ROLES - MANY_ROLES
_COLLECTIVES = word_set("team group squad department office committee board desk unit crew chapter guild")
# What ends like one who does something, and is no one thing that a thing has
_NO_AGENTS = (
    MANY_ROLES
    | EVENTS
    | _MEASURED
    | word_set(
        "dinner supper order letter paper answer offer number error chapter character layer player user "
        "member customer weather summer winter other another water river tower corner matter never ever over "
        "under after register list monitor visitor author actor door or mentor neighbor neighbour favor "
        "favour labor labour rumor humor tumor honor starter paper computer counter danger finger shoulder "
        "sister brother mother father daughter server container parameter router adapter helper wrapper "
        "filter buffer pointer header footer folder transfer trigger worker"
    )
)
_NAMED = frozenset(noun for relation in RELATIONS for noun in relation.nouns if " " in noun)
_ATTRIBUTES = (
    FIELD_NOUNS
    | CONFIG_NOUNS
    | NAMED
    | GRADED
    | OFFICES
    | MEASURES
    | WORD_ROLES
    | _PERSONS
    | AGENT_NOUNS
    | word_set(
        "firmware warranty leave company tier plan colour seat desk room platform gate landlord supplier vendor "
        "contract allowance deposit hours speed pressure voltage wattage altitude class track venue runtime memory "
        "runner schedule cadence limit quota budget codec licence directory folder bucket broker registry cipher "
        "relay upstream downstream mirror fallback issuer target runtime base compiler delimiter separator dialect "
        "coverage depth count interest curfew entitlement liaison coordinator maintainer custodian contact caretaker "
        "extension code plate lead partner vendor carrier courier bank insurer caterer venue entrance sponsor "
        "storage meeting-point postcode plan dosage dose per-diem stipend surcharge rebate bonus levy tariff tax "
        "royalty commission pace ratio target threshold offset retention backoff"
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
    told = [label for _, label in labels]
    if (inner := _INNER.match(value)) is not None:  # "delivery time: 3 days"
        told.append(inner["label"])
        start, value = start + inner.end(), value[inner.end() :]
    if len(told) == 1 and (within := _WITHIN.match(told[0])) is not None:  # "max_connections (pg-warehouse)"
        told = [within["of"], within["attribute"]]
    if len(told) == 1 and ", " in told[0]:  # "SLA, Silver tier"
        told = told[0].split(", ", 1)[::-1]
    told = [_KIND.sub(r"\g<name> \g<kind>", label) for label in told]
    if not value or value.lower() in LABELS or len(told) > _MOST_CELLS or not all(map(_is_sound, told)):
        return
    *owner, attribute = told
    for before in openings(attribute, " of ".join(reversed(owner)), value):
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


def _is_sound(label: str) -> bool:
    bare = [w.strip(_TRIM).lower() for w in label.split()]
    if not bare or len(bare) > _MOST_WORDS or bare[0] in LABELS or not UNASSERTED.isdisjoint(bare):
        return False
    return any(c.isalpha() for c in label)


def openings(attribute: str, owner: str, value: str) -> tuple[str, ...]:
    """Return how the sentences may begin that give a value to an attribute of a thing.

    Args:
        attribute: The words of the attribute, with those of the thing where `owner` is empty.
        owner: The words of the thing; a table may have the two in either order.
        value: What the attribute is.
    """
    words, whose = _spelt(attribute), _spelt(owner)
    if value.replace(",", "").isdigit() and is_plural(head_phrase([w.strip(_TRIM).lower() for w in words])[0]):
        of = f" of {owner}" if owner else ""
        return () if {"number", "count"} & set(words) else (f"The number of {_lowered(words)}{of} is",)
    if not whose:
        return (f"The {_lowered(words)} is", f"{attribute}:") if len(words) > 1 and is_attribute(words) else ()
    if words[0] in THIRD and len(words) < 4 and whose:
        return f"The {_lowered(whose)} {attribute}", f"{owner} {attribute}"  # "| nightly backup | runs at | 02:30 |"
    if not (is_attribute(words) or _is_setting(words) or _is_agent(words)):
        if not is_attribute(whose):
            return ()
        words, whose = whose, words
    held = head_phrase([w.lower() for w in words])[0] in _PERSONS
    of_team = value.lower().startswith(("team ", "@"))
    if words[-1].lower() == "language" and len(words) == 1 and _is_person(whose):
        return ()  # one speaks several
    if held and not of_team and len(words) == 1 and len(whose) < 3 and _is_person(whose):
        return ()  # "| Ann Lee | owner | Search |": who owns what?
    said, thing = _lowered(words), " ".join(whose)
    if value[0].isupper() and value.split()[-1] in _COLLECTIVES:
        return f"The {said} of {thing} is the", f"The {said} of the {thing} is the"
    if said.split()[0] in ("my", "our"):
        return f"{said[0].upper()}{said[1:]} of {thing} is", f"{said[0].upper()}{said[1:]} on the {thing} is"
    return f"The {said} of {thing} is", f"The {said} of the {thing} is", f"{thing}'s {said} is"


def _is_agent(words: list[str]) -> bool:
    """Whether words name who does something for a thing: "accompanist", "default renderer"."""
    head = words[-1]
    return head.islower() and head.isalpha() and head.endswith(("er", "or", "ist")) and head not in _NO_AGENTS


def _is_person(words: list[str]) -> bool:
    """Whether words may be the name of a person."""
    return all(w[:1].isupper() and w.isalpha() and not w.isupper() for w in words)


def _spelt(label: str) -> list[str]:
    return [_BOUNDS.get(w.lower(), w) for w in label.split()]


def is_attribute(words: list[str]) -> bool:
    """Whether words name an attribute that a thing has one of."""
    bare = [w.strip(_TRIM).lower() for w in words]
    if not bare:
        return False
    head = head_phrase(bare)[0]
    at = bare.index(head)
    plural = singular(head) != head and head not in _ATTRIBUTES
    before = bare[at - 1] if at else ""
    if head in ("time", "date", "day"):
        return at > 0 and before not in PREPOSITIONS
    if bare[:2] in (["number", "of"], ["guest", "of"]) or " ".join(bare) in _NAMED:
        return True
    if before in ONE_OF_A_KIND.get(head, ()) or (before in ONE_AT_MOST and not plural):
        return True
    if head in ("key", "code") and at:
        return before not in IDENTIFYING_STRONG and before not in PREPOSITIONS
    if head in MANY_ROLES and head != "language" and not at:
        return False  # a shipping partner is one, a partner is one of several
    return not plural and (head in _ATTRIBUTES or "on-call" in bare)


def _is_setting(words: list[str]) -> bool:
    return len(words) == 1 and (words[0][0] == "`" or is_identifier(words[0])) and words[0].strip(_TRIM) != ""


def _lowered(words: list[str]) -> str:
    first = words[0]
    plain = first[:1].isupper() and first[1:].islower() and first.lower() not in EVENTS
    return " ".join([first.lower() if plain or first[1:].islower() else first, *words[1:]])
