"""When something became so, as a sentence tells it beside its value: no part of a key.

"Anita joined Contoso in May" and "Anita joined Brill in June" speak of one employer. Only a sentence of change
has such an occasion: of "the pool opens at 8:00 in May" and "the class is on Mondays" the time says which one.
"""

from __future__ import annotations

import re

from memstrata_integrations.extraction.sentences.lexicon import PREPOSITIONS
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.extraction.sentences.trimming import changes
from memstrata_integrations.relations import BUILT_IN
from memstrata_integrations.units import MONTHS, WEEKDAYS

__all__ = ["occasions"]

_MONTH = rf"(?:{'|'.join(m.title() for m in sorted(MONTHS, key=len, reverse=True))})\b\.?"
_YEAR = r"(?:19|20)\d{2}\b"
_DAY = rf"(?:{'|'.join(d.title() for d in WEEKDAYS if not d.endswith('ys'))})\b"
_DAYS = (
    rf"(?:(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}(?:,? {_YEAR})?"
    rf"|(?:early |mid[- ]|late )?{_MONTH}(?: \d{{1,2}}(?:st|nd|rd|th)?\b)?(?:,? {_YEAR})?"
    rf"|\d{{4}}-\d{{2}}(?:-\d{{2}})?\b|{_DAY})"
)
_MORE = rf"(?!['’/–—-]|,? (?:and|or|to|until|till|through|[–—-]) |,? (?:{_DAYS}|{_YEAR}))"
_WHEN = re.compile(rf"\b(?:[Ii]n|[Oo]n|[Aa]t|[Ff]rom) (?:(?P<day>{_DAYS})|(?P<year>{_YEAR})){_MORE},?")
# What a clause begins with
_CLAUSE = re.compile(r" (?:the|a|an|our|my|we|I|they|he|she|it|you|their|his|her|[A-Z][\w'’-]*)\b")
# What may follow it behind a value; "on Monday evenings" and "in May Street" go on otherwise
_ADJUNCT = re.compile(rf"(?<=,)| (?:as|to|{'|'.join(sorted(PREPOSITIONS))})\b")
_SINCE = re.compile(r"\b(?:since|as of|effective|starting|beginning)\s+", re.IGNORECASE)
_WORD = re.compile(r"\S+")
_YEAR_AFTER = re.compile(rf"\s+{_YEAR}")
_TRIM = "\"'`()[]{}.,;:!?*“”‘’"
_STATES = frozenset(f for f in BUILT_IN.verbs if f.endswith("s") and f not in ("has",)) | {"am", "are"}


def occasions(sentence: str, place: tuple[int, int]) -> list[tuple[int, int]]:
    """Return where a sentence says when its value came to hold.

    Args:
        sentence: The statement.
        place: Where the value stands in it.

    Example:
        >>> occasions("Anita joined Contoso in May", (13, 20)), occasions("It opens at 8:00 in May", (12, 16))
        ([(21, 27)], [])
    """
    return [*_since(sentence), *_dates_of_change(sentence, place)]


def _since(sentence: str) -> list[tuple[int, int]]:
    found = []
    for since in _SINCE.finditer(sentence):
        dated = find_typed(sentence, since.end(), len(sentence))
        if dated is not None and dated[3] in ("date", "number"):
            found.append((since.start(), dated[1]))
        elif (word := _WORD.match(sentence, since.end())) and _is_day(word[0].strip(_TRIM).lower()):
            year = _YEAR_AFTER.match(sentence, word.end())
            found.append((since.start(), year.end() if year else word.end()))
    return found


def _is_day(word: str) -> bool:
    return word[:3] in MONTHS or word in WEEKDAYS


def _dates_of_change(sentence: str, place: tuple[int, int]) -> list[tuple[int, int]]:
    words = [w.strip(_TRIM).lower() for w in sentence.split()]
    if not changes(words) or not _STATES.isdisjoint(words):
        return []
    typed = find_typed(sentence, *place)
    measured = typed is not None and typed[3] == "number"
    found = []
    for when in _WHEN.finditer(sentence):
        start, end = when.span()
        if when["year"] and measured:
            continue  # "inflation fell to 5 % in 2024": of that year
        if start == 0:
            told = when[0].endswith(",") or _CLAUSE.match(sentence, end) is not None
        elif when[0].startswith("from"):
            told = False
        elif start < place[0]:
            told = changes(sentence[:start].lower().split()[-1:]) and end < place[0]  # "has moved on Monday to 9:30"
        else:
            beside = not sentence[place[1] : start].strip(" ,") and _ADJUNCT.match(sentence, end) is not None
            told = beside or end == len(sentence)
        if told:
            found.append((start, end))
    return found
