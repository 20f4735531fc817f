"""A line that is headed by a role and of what it is: "On-call this week for payments: @kim", "Base URL (sandbox): x".

Only where one thing fills the role, and the head says of what: by a preposition, in brackets, behind a dash.
"""

from __future__ import annotations

import re

from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.lexicon import (
    CONJUNCTIONS,
    DEICTIC,
    FIELD_NOUNS,
    FINITE_VERBS,
    IMPERATIVES,
    LABELS,
    MANY_ROLES,
    PERSON_ROLES,
    PREPOSITIONS,
    UNASSERTED,
    WORD_ROLES,
)
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.sentences.role_words import is_plural
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.relations import known
from memstrata_integrations.values import canonical_value
from memstrata_integrations.words import word_set

__all__ = ["read_headed"]

_IS = known("is")
_LONGEST = 200
_HEADED = re.compile(r"(?:[-*•] )?(?P<key>[A-Za-z`][^:|=?!;]{4,100}?)(?:\*\*)?: (?:\*\*)?(?P<value>\S[^|\n]*)\Z")
_THIS_TIME = re.compile(
    r"[,(]? ?\b(?:this|current) (?:week(?:end)?|quarter|month|sprint|season|term|year|semester|shift)\b\)?"
)
_SEGMENTS = re.compile(r" ?[(),\[\]] ?| [—–-] ")
_PEOPLE = frozenset(("name", "technical"))
_LINKS = PREPOSITIONS - word_set("by via per")
_ROLES = (
    FIELD_NOUNS
    | PERSON_ROLES
    | WORD_ROLES
    | word_set(
        "on-call oncall url uri endpoint address contact dpo sla slo sli ttl rto rpo cron schedule budget"
        " channel topic dial-in"
        " hotline mailbox inbox runbook dashboard primary secondary backup approver sponsor steward custodian"
        " driver lead"
        " escalation deadline window cutoff cut-off quota retention"
    )
)
_ALSO_NOUNS = word_set(
    "change build test release call pass export import open close run set update patch install check"
)
_NO_ROLES = MANY_ROLES | word_set("source photo title reply answer issue ticket author article link")
_HANDLE = re.compile(r"[@#][A-Za-z][\w.-]*\Z|\S+@\S+\.\S+\Z|https?://\S+\Z")
_PHRASED = re.compile(r"(?P<said>[a-z][a-z -]{2,40}? (?:within|after|of|at|in|for|under|below|every)) (?=[\d$€£])")
_TIMES = frozenset(("time", "date", "day", "weekday"))
_WINDOW = re.compile(
    r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*(?:s|[-–](?:Mon|Tue|Wed|Thu|Fri|Sat"
    r"|Sun)[a-z]*)?,? )?\d{1,2}:\d{2} ?(?:[-–]|to) ?\d{1,2}:\d{2}"
    r"(?: (?:UTC|GMT|CET|CEST))?\Z"
)
_WINDOWS = word_set("window hours slot shift schedule freeze downtime")
_WHO = re.compile(r"(?:Who|Whom) to (?:page|call|ask|contact|ping|mail|tell) (?:for|about|on|in) \S.*\Z")
_BOUNDED = re.compile(r"(?P<bound>max\.?|at most|up to|no more than|min\.?|at least|maximum|minimum) (?=\d)")


def read_headed(line: str) -> Claim | None:
    """Read a line of a head and a value; the places of the claim are those of `line`."""
    if len(line) > _LONGEST or ": " not in line or (match := _HEADED.match(line)) is None:
        return None
    key = _THIS_TIME.sub("", match["key"].strip("*` ")).strip()
    segments = [s.strip() for s in _SEGMENTS.split(key) if s.strip()]
    start = match.start("value")
    end = start + len(match["value"].rstrip(" .*"))
    if not segments or start == end:
        return None
    if len(segments) == 2 and not _names_role(segments[0]) and _names_role(segments[1]):
        segments.reverse()  # "Burns supper — guest of honour: Morag Innes"
    said = " of ".join(segments)
    words = segments[0].split()
    at = next((n for n, w in enumerate(words) if w.lower() in _LINKS and n), len(words))
    if (at == len(words) and len(segments) == 1) or _BOUNDED.match(line, start, end):
        return None  # of what, it does not say
    if _WHO.match(said):
        person = find_typed(line, start, end)
        found = person is not None and person[2] == end and person[3] in _PEOPLE
        return Claim(f"contact of {said}", _IS, start, end, "headed: who", "text") if found else None
    if not _is_sound([w.strip("\"'`").lower() for w in said.split()], at):
        return None
    head = words[at - 1].lower()
    if _WINDOW.match(line, start, end):
        return Claim(said, _IS, start, end, "headed: window", "text") if head in _WINDOWS else None
    if head not in _ROLES or head in _NO_ROLES or is_plural(head):
        return None
    if _HANDLE.match(line, start, end):
        return Claim(said, _IS, start, end, "headed", "text")
    return _typed(line, said, head, start, end)


def _names_role(segment: str) -> bool:
    """Whether words name a role, by what stands before their first preposition."""
    words = segment.lower().split()
    at = next((n for n, w in enumerate(words) if w in _LINKS and n), len(words))
    return words[at - 1] in _ROLES or segment.lower().startswith("guest of ")


def _is_sound(words: list[str], at: int) -> bool:
    """Whether the words of a head claim nothing by themselves."""
    if not 2 <= len(words) <= 14 or words[0] in LABELS or words[0] in PREPOSITIONS or is_opinion(words):
        return False
    if words[0] in IMPERATIVES and not (words[0] in _ALSO_NOUNS and at > 1):
        return False
    return not any(w in UNASSERTED or w in DEICTIC or w in CONJUNCTIONS or w in FINITE_VERBS for w in words)


def _typed(line: str, said: str, head: str, start: int, end: int) -> Claim | None:
    """Read a name, an amount or a code, or an amount of what a few words say: "first reply within 30 minutes"."""
    phrase = _PHRASED.match(line, start, end)
    if phrase is not None and any(w in UNASSERTED for w in phrase["said"].split()):
        return None
    found = find_typed(line, phrase.end() if phrase else start, end)
    if found is None or found[2] != end or found[3] == "boolean":
        return None
    if found[3] == "name" and not (head in PERSON_ROLES and phrase is None):
        return None
    if canonical_value(line[found[0] : found[1]])[1].partition(":")[0] in _TIMES:
        return None
    expected = "name" if found[3] == "name" else None
    return Claim(f"{phrase['said'] if phrase else ''} {said}".strip(), _IS, found[0], found[1], "headed", expected)
