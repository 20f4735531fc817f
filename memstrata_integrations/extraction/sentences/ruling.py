"""Rules that documents lay down for all of a kind: "An account is locked after 6 failed attempts".

"Clients may send 60 requests per minute", "Photos larger than 8 MB are rejected", "If the queue grows beyond 500
entries, the pool is doubled", "Set `pool_size` to 20 on the replica hosts". A rule names a bound, a period or a
threshold in a sentence of the present about all of a kind, or about whoever reads it; the key is all that it says
besides that one value. What may hold at several levels at once (alarms, reminders, prices), what is merely possible,
what is measured once and what an example shows is left alone.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.lexicon import PREPOSITIONS
from memstrata_integrations.extraction.sentences.rule_parts import (
    Parts,
    Value,
    may_hold_value,
    parts_of,
    tokens_in,
    values_in,
)
from memstrata_integrations.extraction.sentences.rule_slots import is_laid_down, is_told
from memstrata_integrations.extraction.sentences.rule_words import MUST_HAVE
from memstrata_integrations.extraction.sentences.trailing import asserts
from memstrata_integrations.relations import known
from memstrata_integrations.words import singular, word_set

__all__ = ["OF_A_KIND", "read_rule", "said_around"]

OF_A_KIND = "rule of a kind"
"""The rule of a claim that speaks of all of a kind, also where its subject is "a build" or "users"."""
_RULE = "rule"
_LONGEST = 300
_LEAST_WORDS, _MOST_WORDS = 4, 45
_THUS = known("is done thus")
_RANGE = re.compile(
    r"\s*(?:-|–|—|to|and|or|through|/|\.\.)\s*[\d$€£¥`]|,\s+\d|\s+(?:and|or|to)\s+(?:more|less|so)\b| of \d"
)
_AFTER_RANGE = re.compile(
    r"(?:\d|between|from)(?: [a-z]+)? (?:and |or |to |of |- )?\Z|\bbetween \Z|[\d)],? (?:and|or|to) \Z"
)
_OF_ALL = word_set("a an any anyone anything everyone every each all you we users people clients")


@lru_cache(maxsize=64)  # a sentence is read with and without what stands around it, which is often the same
def read_rule(text: str) -> Claim | None:
    """Read a rule with one value; the places of the claim are those of `text`.

    Example:
        >>> text = "An account is locked after 6 failed attempts"
        >>> claim = read_rule(text)
        >>> text[claim.start : claim.end], claim.rule
        ('6', 'rule of a kind')
    """
    if len(text) > _LONGEST or text[-1:] == "?" or not may_hold_value(text):
        return None
    if not asserts(text) or MUST_HAVE.search(text):
        return None
    tokens = tokens_in(text)
    if not _LEAST_WORDS <= len(tokens) <= _MOST_WORDS:
        return None
    values = values_in(text)
    if not values or any(v.kind == "number" and _is_range(text, v) for v in values):
        return None
    value = next((v for v in values if len(values) <= 2 and is_told(text, v)), None)
    rule, front = _RULE, 0
    if value is None:
        parts = parts_of(text)
        placed = [(v, parts.place(v)) for v in values] if parts is not None else []
        value = _ruled(parts, placed) if parts is not None else None
        if parts is None or value is None:
            return None
        rule, front = OF_A_KIND if _speaks_of_all(parts, parts.place(value)) else _RULE, parts.front
    behind = text[: value.start].split()[-2:]
    if behind[-1:] == ["port"] and behind[0] not in PREPOSITIONS:  # a firewall allows several
        return None
    others = [t for t in tokens[1:] if not value.start <= t.start < value.end]
    named = rule == _RULE and any(text[t.start].isupper() or is_identifier(t.word) for t in others)
    expected = None if value.kind in ("number", "date") else "text"
    said = said_around(text, value.start, value.rest, front)
    return Claim(said, _THUS, value.start, value.end, rule, expected, local=None if named else True)


def said_around(text: str, start: int, rest: int, front: int) -> str:
    """Return all words of a sentence but its value, with what stands in front of its main clause behind it.

    Example:
        >>> said_around("Without TLS, it waits 5 s", 22, 25, 13)
        'it waits  without TLS'
    """
    if start < front:
        before, main = f"{text[:start]} {text[rest:front]}", text[front:]
    else:
        before, main = text[:front], f"{text[front:start]}{text[rest:]}"
    return f"{main} {before[:1].lower()}{before[1:].rstrip(' ,')}" if before else main


def _is_range(text: str, value: Value) -> bool:
    return _RANGE.match(text, value.rest) is not None or _AFTER_RANGE.search(text[: value.start]) is not None


def _speaks_of_all(parts: Parts, place: str) -> bool:
    if parts.words[parts.main] in _OF_ALL or place == "subject" or parts.order:
        return True
    return singular(parts.head) != parts.head or singular(parts.words[parts.main]) != parts.words[parts.main]


def _ruled(parts: Parts, placed: list[tuple[Value, str]]) -> Value | None:
    """Find the one value of a rule of the present."""
    fitting = [(v, place) for v, place in placed if is_laid_down(parts, v, place)]
    inner = [(v, place) for v, place in fitting if place == "main"] or fitting
    if not inner:
        return None
    value, place = inner[0]
    if len(inner) > 1 and (place != "main" or "," not in parts.text[value.rest : inner[1][0].start]):
        return None
    counted = not value.measures or value.dimension == "number"  # "after five failures, it is shut for 9 minutes"
    if counted and place != "main" and any(v.measures and v.dimension != "number" and at == "main" for v, at in placed):
        return None
    if not value.measures and any(v.measures and at == "main" for v, at in placed):
        return None
    return value
