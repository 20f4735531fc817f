"""What a sentence says besides, between commas, that does not tell which thing is meant.

"The guild, which is open to all, meets on Monday", "According to the runbook, the lease lasts 30 s", "The format is
XML, a relic of the first version": how a thing came about, what it is like and where it is written down go with the
fact, and are no part of its key. A supplement that may tell one thing from another (a name, a number, a purpose, a use)
stays where it is.
"""

from __future__ import annotations

import re

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.sentences.complements import masked, words_of
from memstrata_integrations.extraction.sentences.reordering import put
from memstrata_integrations.extraction.sentences.verbs import THIRD
from memstrata_integrations.extraction.sentences.wording import Core
from memstrata_integrations.words import word_set

__all__ = ["without_supplements"]

_LONGEST = 300
_DOCUMENTS = (
    "runbook|playbook|wiki|docs|documentation|readme|handbook|contract|policy|sla|spec|specification|schema|rfc|manual"
    "|changelog|guide|page|rota|roster|schedule|timetable|calendar|register|inventory|website|site|notice|sign|menu"
    "|charter|by-?laws|statutes|constitution|syllabus|rulebook|regulations|rules|brochure|prospectus|leaflet|lease"
    "|agreement|terms|records|minutes|map|label|poster|list|catalogue|catalog|dashboard|datasheet|data sheet|convention"
    "|ADR|protocol|plan|entry|ticket|table|chart|instructions|specs"
)
_OUTDATED = (
    r"(?:old|older|oldest|previous|former|earlier|original|outdated|obsolete|archived|deprecated|draft|proposed|first|last"
    r"|fake|leaked|rival|other|wrong|unofficial|future|next|upcoming|19\d\d|20\d\d)\b"
)
_TOLD = (
    "listed|documented|described|stated|noted|agreed|printed|published|announced|recorded|specified|written|mentioned"
    "|decided|explained|laid down|set out|advertised|confirmed"
)
_EVIDENCE = (
    rf"according to (?:the |our |its |their )(?:(?!{_OUTDATED})[\w’'-]+ ){{0,3}}(?:{_DOCUMENTS})"
    r"|according to (?-i:`?(?:[A-Z][A-Z_.]{2,}|[\w/-]+\.[a-z]{2,5})`?)"
    rf"|as (?:{_TOLD})(?: (?:in|by|at|with|on|between) (?:the |our |its |their )?[^,;:]{{2,60}})?"
    r"|as (?:usual|ever|always|before|you know|we know|agreed|planned)|until further notice|as things stand"
    r"|as of (?:the|our) (?:last|latest) (?:[a-z]+ )?(?:review|audit|check|count|update|meeting|revision|survey|census)"
    r"|by (?:convention|tradition|agreement|decree|law|custom|popular demand)|for historical reasons|for the record"
)
_TELLING = word_set("according as until by for says")  # of which each of these holds one
_FRONTED = re.compile(rf"(?i:{_EVIDENCE}), (?=\S+ \S)")
_FRONTS = word_set("according as until by for")
_BETWEEN = re.compile(r"(?<=[^\s,]), (?P<words>[^,;:()]{3,90}),(?= (?P<verb>[a-z]+) )")
_BEHIND = re.compile(
    rf"(?<=[^\s,]),? (?:(?i:{_EVIDENCE})|says (?:the|our) (?:(?!{_OUTDATED})[\w’'-]+ ){{0,3}}(?:{_DOCUMENTS}))\Z"
)
_LEFTOVER = re.compile(
    r"(?<=[^\s,]), (?:a|an|one of (?:the|our)) (?:[a-z-]+ ){0,3}(?P<noun>[a-z-]+)(?: (?:from|of|by) [^,;:\d]{3,60})?\Z"
)
_TOLD_ONLY = re.compile(rf"(?i:{_EVIDENCE})\Z")
_MAIN = word_set("is are has have may can must needs does do was were")
# How a thing came about; none of these tells two things apart as "used", "measured" or "applied" do
_CAME_ABOUT = word_set(
    "announced introduced added created built rebuilt founded established inherited adopted ported migrated revised "
    "reviewed updated refreshed renewed approved negotiated agreed chosen picked donated restored renovated refactored "
    "rewritten merged written designed invented discovered opened reopened contracted fixed loaded launched meant "
    "intended deprecated"
)
_STATES = word_set("open tunable configurable adjustable overridable visible popular famous beloved unchanged")
_KINDS = word_set("leftover relic remnant legacy holdover remainder part parts novelty favourite favorite classic")
_INTRANSITIVE = word_set("sits stands exists dates stems remains")
_WHICH_IS = word_set("is are was were has")
# What tells one of several apart, or says when, for what or of whom the sentence holds
_NARROWING = word_set(
    "for per only except excluding unless if while whenever during under without default not no never nor on at when "
    "where used using applied applies measured counted valid needed required serving served called configured set "
    "running active enabled disabled production staging test tests testing ci dev development canary read write reads "
    "writes internal external public private primary secondary main first second third old new now today "
    "soon planned might could would should likely probably perhaps maybe unlike another other others same"
)
_ONCE = re.compile(
    r" when (?:it|they) (?:was|were) [a-z]+\Z| at (?:start-?up|boot|build time|install time|birth|first)\Z"
)
_OWN_PLACE = re.compile(r"(?:on|at|in) its own [a-z]+")
_HEADS = ("The ", "Our ", "My ", "the ", "our ", "my ")


def without_supplements(core: Core) -> Core | None:
    """Return a sentence without what it says besides; `None` if it says nothing besides.

    Example:
        >>> for said in ("The Lindport guild, which is open to all, meets here", "By convention, the guild meets"):
        ...     print(without_supplements(Core(said, None, 0, False, "")).text)
        The Lindport guild meets here
        The guild meets
    """
    text = core.text
    if len(text) > _LONGEST or "," not in text:
        return None
    hidden = masked(text)
    start, stop, inner = 0, len(text), None
    if text.partition(" ")[0].lower() in _FRONTS and (fronted := _FRONTED.match(text)) is not None:
        start = fronted.end()
    told = not _TELLING.isdisjoint(words_of(hidden))
    if told and (behind := _BEHIND.search(text, start)) is not None:
        stop = behind.start()
    elif (kind := _LEFTOVER.search(hidden, start)) is not None and kind["noun"] in _KINDS:
        stop = kind.start()
    for between in _BETWEEN.finditer(hidden, start, stop):
        verb = between["verb"]
        named, words = text[start : between.start()], text[slice(*between.span("words"))]
        if (verb in _MAIN or verb in THIRD) and _is_specific(named, words) and _is_beside(words):
            inner = between.span()
            break
    if not start and stop == len(text) and inner is None:
        return None
    pieces: list[str | tuple[int, int]] = []
    if start and text[start:].startswith(("the ", "our ", "my ", "a ", "an ", "each ", "every ", "all ")):
        pieces.append(text[start].upper())
        start += 1
    pieces += [(start, inner[0]), (inner[1], stop)] if inner else [(start, stop)]
    return put(core, tuple(pieces))


def _is_specific(named: str, words: str) -> bool:
    """Whether a name tells by itself which thing is meant: "the van, hired in May" may be another van."""
    listed = named.split()
    if "'s " in named or "’s " in named or " of " in named or any(w[0].isupper() for w in listed[1:]):
        return True
    least = 3 if words.startswith(("which ", "who ", "one of ", "as ")) else 4
    return named.startswith(_HEADS) and len(listed) >= least


def _is_beside(words: str) -> bool:
    """Whether words between commas leave open which thing is meant no less than its name does."""
    if _TOLD_ONLY.match(words) is not None:
        return True
    said = _OWN_PLACE.sub("", _ONCE.sub("", words))
    listed = said.split()
    if any(c.isdigit() or c.isupper() for c in said) or any(map(is_identifier, listed)):
        return False
    if " " not in words or not _NARROWING.isdisjoint(listed):
        return False
    first, second = listed[0], listed[-1 if len(listed) == 1 else 1]
    if first in ("which", "who"):
        return second in _WHICH_IS or second in _INTRANSITIVE
    if first == "still" or first in ("once", "originally", "recently", "long"):
        first = second
    if first == "including":
        return second in ("its", "their")
    return first in _CAME_ABOUT or first in _STATES or listed[:3] == ["one", "of", "the"]
