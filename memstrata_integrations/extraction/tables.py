"""Tables of a page: one fact for each cell that says what holds for the thing its row is named after.

The key is the section, the first cell and the column's head. A table of events (a date or a release in the first
column), of a change (before and after) or of measurements states no such facts, nor does a column that describes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from memstrata_integrations.extraction.page_places import located, slug
from memstrata_integrations.extraction.sentences.lexicon import FINITE_VERBS, SUBJECT_STOPPERS
from memstrata_integrations.extraction.sentences.pointing import one_of_several
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.extraction.statements import Statement
from memstrata_integrations.facts import Fact
from memstrata_integrations.values import canonical_value
from memstrata_integrations.words import word_set

__all__ = ["CELL", "Cell", "names_things", "read_table"]

# What rows of events, of releases and of ranks begin with
_LOGGING = word_set(
    "version release date day when year month quarter week sprint run build commit no # nr step rank position order "
    "iteration attempt round phase milestone event change pr ticket issue"
)
# A column that makes rows of a table records of what happened, or its cells two states of one thing
_DATED = word_set(
    "date when released changed change changes updated created added removed deprecated old new before after previous "
    "previously former now was from to author"
)
# Columns that describe or measure, or hold anything that comes to mind
_DESCRIBING = word_set(
    "description meaning note notes remark remarks comment comments reason rationale why purpose detail details "
    "explanation example examples usage summary what how action effect result results symptom cause solution "
    "definition long used allowed supported available required optional "
    "latency uptime accuracy precision recall f1 score throughput speedup benchmark measured actual observed median "
    "mean average p50 p90 p95 p99 total count sum share growth rank"
)
_VAGUE = word_set(
    "about approximately approx roughly around nearly almost circa ca usually typically normally often sometimes "
    "varies depends planned tbd todo soon maybe perhaps probably example e.g. sample see was were formerly previously"
)
_NOTHING = re.compile(
    r"(?:[\W_]*|x|y|n|yes|no|true|false|none|null|n/?a|tbd|todo|varies|depends|unknown|ditto|same|ok)\Z", re.IGNORECASE
)
_LIST = re.compile(r",(?!\d{3}(?!\d))| (?:and|or|&|\+|/) |;|<br|\]\(|\[\d|[<{]|\$[({]")
_PERIOD = re.compile(
    r"v?\d|\W*\Z|.*\b(?:19|20)\d\d\b|q[1-4]\b|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)(?:[a-z]*)\b\.?\s*\d"
    r"|(?:january|february|march|april|june|july|august|september|october|november|december)\b",
    re.IGNORECASE,
)
CELL = "row: cell"
"""The rule of these facts; they hold their place in their key."""

_LONGEST_NAME = 80
_LONGEST_VALUE = 60
_MOST_WORDS = 6
_TRIM = "*`_.,:;!?()\"'"


class Cell(NamedTuple):
    """Where the value of a cell stands, and what it states."""

    start: int
    fact: Fact


def read_table(text: str, rows: Sequence[Statement], place: str) -> dict[int, list[Cell]]:
    """Return the cells of a table that state something, by where their row starts.

    Args:
        text: The whole text.
        rows: The rows that the text shows.
        place: The section of the page.
    """
    heads = rows[0].header
    if not names_things(heads):
        return {}
    columns = [n for n, head in enumerate(heads) if n and _holds_one_value(head) and not one_of_several(heads[0], head)]
    split = [_cells(text, row, len(heads)) for row in rows]
    named = Counter(slug(text[slice(*cells[0])]) for cells in split if cells)
    found: dict[int, list[Cell]] = {}
    for row, cells in zip(rows, split, strict=True):
        if cells is None:
            continue
        name = text[slice(*cells[0])]
        if not _is_name(name) or named[slug(name)] > 1:
            continue
        for column in columns:
            start, end = cells[column]
            if not _is_value(text, start, end, heads[column]):
                continue
            value, _ = canonical_value(text[start:end])
            fact = Fact(
                subject=located(place, name, heads[column]),
                relation="is",
                object=text[start:end],
                value=value,
                dimension="cell",  # whatever it holds: what was "never" becomes "30 minutes"
                span=(row.start, row.end),
                rule=CELL,
                local=True,
            )
            found.setdefault(row.start, []).append(Cell(start, fact))
    return found


def _words(head: str) -> list[str]:
    return [w for w in (word.strip(_TRIM).lower() for word in head.split()) if w]


def names_things(heads: Sequence[str]) -> bool:
    """Whether the rows of a table are things, rather than events, releases or ranks."""
    first = _words(heads[0])
    if len(heads) < 2 or heads[0].strip() == "#" or (first and (first[0] in _LOGGING or first[-1] in _LOGGING)):
        return False
    return not any(word in _DATED for head in heads for word in _words(head)) and len(
        {" ".join(_words(head)) for head in heads}
    ) == len(heads)


def _is_name(cell: str) -> bool:
    """Whether a first cell names a thing, rather than a time or a release."""
    bare = cell.strip("*`_ ")
    return bool(bare) and len(bare) <= _LONGEST_NAME and not _PERIOD.match(bare)


def _holds_one_value(head: str) -> bool:
    words = _words(head)
    if not words or len(words) > 5 or words[0] in SUBJECT_STOPPERS or _LIST.search(head):
        return False
    return not any(word in _DESCRIBING for word in words)


def _cells(text: str, row: Statement, count: int) -> list[tuple[int, int]] | None:
    """Return where the cells of a whole row stand, bare."""
    if text[row.end - 1] != "|" or "\\|" in text[row.start : row.end]:
        return None
    spans: list[tuple[int, int]] = []
    pos = row.start + 1
    while pos < row.end:
        bar = text.find("|", pos, row.end)
        cell = text[pos:bar]
        left = pos + len(cell) - len(cell.lstrip())
        spans.append((left, max(left, bar - (len(cell) - len(cell.rstrip())))))
        pos = bar + 1
    return spans if len(spans) == count else None


def _is_value(text: str, start: int, end: int, head: str) -> bool:
    """Whether a cell holds one value, and says nothing of how sure or how often."""
    written = text[start:end]
    if not written or len(written) > _LONGEST_VALUE or _NOTHING.match(written):
        return False
    bare = written.strip("`*_ ")
    typed = find_typed(text, start, end)
    if typed is not None and typed[2] == end:
        return typed[3] != "boolean" and not (typed[3] in ("name", "quoted") and _is_plural(head))
    words = _words(bare)
    if not words or len(words) > _MOST_WORDS or _LIST.search(bare) or written.count("`") not in (0, 2):
        return False
    if bare[-1] in ".:?!…" or any(word in _VAGUE or word in FINITE_VERBS for word in words):
        return False
    return bare[0].isdigit() or not _is_plural(head)


def _is_plural(head: str) -> bool:
    last = (_words(head) or [""])[-1]
    return last.endswith("s") and not last.endswith(("ss", "us", "is", "as"))
