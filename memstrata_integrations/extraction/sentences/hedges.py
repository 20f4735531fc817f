"""What a free value carries besides a value: a hedge ("nearly ready", "X or so"), or the case in which it holds.

A typed value (a number, a date) ends where its form ends; plain words run on to the end of their sentence. What leaves
open whether they are the value makes them none, and the case belongs to the key: "zsh on Windows" is no other
shell than bash on a Mac.
"""

from __future__ import annotations

import re

from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.lexicon import PERSON_ROLES
from memstrata_integrations.units import MONTHS, WEEKDAYS
from memstrata_integrations.words import word_set

__all__ = ["in_its_case", "is_hedged"]

_IN_WORDS = (
    *("text", "name", "words", "place", "full name", "identifier", "address", "state", "convention", "code"),
    "side by side",
)
_TRIM = "\"'`()[]{}.,;:!“”‘’"
# In front of a value, these leave open whether it is the value, or say that it is not always
_OPENING = word_set(
    "e.g eg either neither nearly almost roughly around approximately occasionally sometimes often rarely seldom "
    "usually normally typically generally mostly partly temporarily briefly momentarily theoretically supposedly "
    "nominally ideally hardly scarcely something anything everything practically virtually basically allegedly "
    "apparently reportedly probably possibly maybe perhaps presumably arguably potentially formerly previously "
    "originally initially ordinarily informally hopefully wrongly mistakenly falsely"
)
_OPENING_PHRASES = ("for example", "for instance", "such as", "among others", "amongst others", "no longer", "up for")
_CLOSING = re.compile(
    r"(?:\betc|\be\.?g|\bor (?:so|similar|more|less|something(?: [a-z]+)?|other|others|the like|thereabouts|whatever)"
    r"|\band (?:up|others|so on|so forth|more|the like|suchlike|others too)|\bamong(?:st)? (?:others|other things)"
    r"|\bfor (?:example|instance)|\bby (?:mistake|accident|chance|error)"
    r"|\bin (?:theory|places|parts|principle|my dreams?)"
    r"|\bhere and there|\bon paper|\b(?:last|next) (?:week|month|year|season|spring|summer|autumn|fall|winter|time)"
    r"|\btomorrow|\byesterday|\bback then|\bat (?:the|that) time|\bonce upon a time|\bat times|\bnow and then"
    r"|\bfrom time to time|\b(?:only )?just this once|\bas a (?:test|joke|trial|guess)"
    r"|\b(?:today|tonight|this (?:week|month|time|weekend)) only|\bonly (?:today|tonight|this (?:week|time))"
    r"|\bfor (?:a|one|the|two|three) (?:day|night|week|weekend|days|weeks)"
    r"|\buntil (?:[A-Z][a-z]+|tomorrow|next [a-z]+|then)|\bin (?:19|20)\d\d|\b(?:they|people|some) say)\Z"
)
_REMARKED = re.compile(
    r"\((?:planned|proposed|draft|old|former|formerly|deprecated|example|obsolete|outdated|pending|expected|estimated"
    r"|estimate|tentative|provisional|suggested|suggestion|cancelled|canceled|rejected|withdrawn|test|joke|fictional)\)\Z"
)
_CLOSERS = word_set(
    "etc up e.g eg so similar more less something other others like thereabouts whatever on forth suchlike too things "
    "example instance mistake accident chance error theory places parts principle dream dreams there paper week month "
    "year season spring summer autumn fall winter time tomorrow yesterday then times once test joke trial guess only "
    "today tonight weekend day night days weeks say"
)
# Whom a value holds for, when and on what: of these each has its own
_PEOPLE = (
    "guests?|users?|members?|customers?|accounts?|children|kids|adults|students|staff|employees|visitors|beginners"
    "|tenants|residents|newcomers|hires|admins|clients|subscribers|pupils|patients|volunteers|seniors|juniors|groups"
)
_PLATFORMS = "windows|linux|macos|mac|ios|android|unix|freebsd|arm|x86|mobile|desktop|tablets?|phones?"
_STAGES = (
    "staging|production|prod|dev|development|qa|testing|tests?|the (?:sandbox|demo|beta|trial|preview)|preview|uat"
    "|[a-z]+ mode|(?:the )?(?:spring|summer|autumn|fall|winter)|version v?\\d\\S*|v\\d\\S*"
)
_DAYS = "|".join(w for w in WEEKDAYS if len(w) > 4)
_MONTHS = "|".join(w for w in MONTHS if len(w) > 3)
_CASE = re.compile(
    r"(?<=[\w)'\"`’”]) (?:(?:unless|except|when|whenever|while|if|during|outside|whereas|provided) \S.*"
    rf"|on (?i:{_PLATFORMS}|weekends|weekdays|(?:bank |public )?holidays|(?:{_DAYS})s?)"
    rf"|in (?i:{_STAGES}|{_MONTHS})|for (?:[a-z]+ ){{0,2}}(?:{_PEOPLE})|as a guest|per (?:[a-z]+)"
    r"|(?:before|after) (?:noon|midnight|dark|hours|lunch|\d[\d:]*(?: ?[ap]m)?)"
    r"|under (?:(?:heavy|high|full) )?load|at night|at the [A-Z][\w-]+ (?:site|office|branch|campus)"
    r"|without (?:an?|any|the) [a-z]+|with the [a-z]+(?: [a-z]+)?|on the (?:first|second|third|other|old|new) [a-z]+)\Z"
)
_CASE_WORDS = word_set(
    "unless except when whenever while if during outside whereas provided on in for as per before after under at "
    "without with"
)
_EXPOSED = re.compile(r"\d+/(?:tcp|udp|sctp)\Z", re.IGNORECASE)  # one of the ports that are open
# "Lead: Anna (Elk)", "Price: €40 (members)"
_SORTS = (
    f"{_PEOPLE}|primary|secondary|fallback|backup|standby|staging|production|prod|dev|test|read|write|reads|writes|internal"
    "|external|soft|hard|client|server|min|max|inbound|outbound|peak|off-peak|weekdays|weekends|summer|winter"
)
_OF_TEAM = re.compile(rf"(?<=\S) \((?P<team>[A-Z][a-z]+(?: [A-Z][a-z]+)?|(?i:{_SORTS}))\)\s*\Z")
_QUOTES = ("`", "'", '"')
_DANGLING = word_set("or and but nor")  # "v2 or so", of which "so" was taken for a remark
_LEAST, _LONGEST = 4, 200
_MEASURED = frozenset("0123456789€$£")  # "60 requests per hour"


def is_hedged(written: str, dimension: str = "text") -> bool:
    """Whether words leave open whether they are the value, or say that they are it at another time.

    Example:
        >>> [is_hedged(w) for w in ("nearly done", "curry or so", "tea?", "trunk last year", "a fox")]
        [True, True, True, True, False]
    """
    if written.endswith("?"):
        return True
    words = written.split() if dimension.startswith(_IN_WORDS) else []
    if not words:
        return False
    if "?" in written and words[-1].rstrip("\"'`).’”")[-1:] == "?":
        return True
    last = words[-1].strip(_TRIM).lower()
    if last in _DANGLING or (written[-1] == ")" and _REMARKED.search(written) is not None):
        return True
    if len(words) == 1:
        return "/" in written and _EXPOSED.match(written) is not None
    if words[0].strip(_TRIM).lower() in _OPENING or written.lower().startswith(_OPENING_PHRASES):
        return True
    if len(words) > 2 and " or " in written and "," not in written and '"' not in written:
        return True  # "utf-8 or latin-1"
    said = last in _CLOSERS or last[-4:].isdigit() or "until" in words
    return said and _CLOSING.search(written.rstrip(_TRIM)) is not None


def in_its_case(text: str, claim: Claim, *, field: bool) -> Claim:
    """Put the case in which a value of plain words holds into the key: "zsh on Windows", "Lead: Anna (Elk)".

    Args:
        text: The whole text.
        claim: What a rule has read.
        field: Whether it stands in a line of a key and a value.
    """
    if claim.start < 0 or claim.rule.startswith("llm") or text[claim.start - 1 : claim.start] in _QUOTES:
        return claim
    written = text[claim.start : claim.end]
    if field:
        line = text[claim.start :].partition("\n")[0]
        team = _OF_TEAM.search(line) if line.rstrip()[-1:] == ")" else None
        named = team is not None and team["team"][0].isupper() and claim.subject.split()[-1].lower() not in PERSON_ROLES
        if team is not None and not named and team["team"] not in claim.subject:
            end = min(claim.end, claim.start + team.start())
            return claim._replace(subject=f"{claim.subject} of {team['team']}", end=end)
    stop = _case_of(written) if " " in written else len(written)
    if stop == len(written):
        return claim
    return claim._replace(subject=f"{claim.subject}{written[stop:]}", end=claim.start + stop)


def _case_of(written: str) -> int:
    """Return where the case starts in which a value of plain words holds, or its length."""
    if not _LEAST < len(written) < _LONGEST or written[0] in _MEASURED or _CASE_WORDS.isdisjoint(written.split()[1:]):
        return len(written)
    found = _CASE.search(written)
    return len(written) if found is None else found.start()
