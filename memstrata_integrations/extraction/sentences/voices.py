"""What we do to a thing, put as what is done to it: "We edit the guide in Weblate", "You find the spare in B12".

Who speaks so names nobody: the thing is the subject of the fact, as in "The guide is edited in Weblate". Where the
thing ends and how it is treated begins, a preposition says; each that may is tried, and the plain sentence is judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memstrata_integrations.extraction.sentences.complements import words_of
from memstrata_integrations.extraction.sentences.lexicon import UNASSERTED
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.verbs import BASES, MANY_VERBS, participle_of
from memstrata_integrations.words import singular, word_set

__all__ = ["GATE", "IN_FILE", "TO_CONTACT", "became", "contact_for", "done_to", "found_at", "in_file", "used_for"]

_Span = tuple[int, int]
_Pieces = tuple[str | _Span, ...]

GATE = word_set("We You You'll You’ll can")
# Of these there may be another one anywhere
_FAULTS = word_set("error bug problem issue fault leak failure crash exception warning typo mistake example test code")
IN_FILE = word_set("in")
_IN_FILE = re.compile(
    r"(?P<what>(?:The |Our |[A-Z`¤]|[a-z_]+[_A-Z])[^,;:]*?) (?:is|are) in "
    r"(?P<value>`?(?:[\w.~-]*/[\w./-]+|[\w-]+\.[a-z]{1,5})`?)\Z"
)
_WE_DO = re.compile(r"(?:We|You) (?P<verb>[a-z]+) (?=(?:the|our|all|every|each|(?:[a-z-]+ ){0,2}[a-z-]+s|[A-Z`¤]))")
# A preposition that governs how a thing is treated, before one that may tell which thing it is
_HOW = re.compile(r" (?=(?:with|to|as|from|via|using|through|into|every|after|within|under|behind) \S)")
_WHICH = re.compile(r" (?=(?:in|on|at|for) \S)")
# Nothing is done to what these govern, or several times to several
_NO_ACTS = MANY_VERBS | word_set(
    "use have need want be do get go come live work see meet use take give make help hope try love start stop talk "
    "wait sit stand feel keep let seem mean think apply belong consist depend rely"
)
_FOUND = re.compile(
    r"(?:You(?:['’]ll| will| can| may)? (?:find|reach|get to|access|open|see|visit|view) "
    r"(?P<what>(?:the |our |[A-Z`¤])[^,;:]*?)"
    r"|(?P<it>(?:The |Our |[A-Z`¤])[^,;:]*?) can be (?:found|reached|accessed|opened|viewed|seen|visited)) "
    r"(?:(?P<there>at|under|on|via)|(?P<inside>in)) (?P<value>[^,;]+)\Z"
)
TO_CONTACT = word_set("person one team people")
_TO_CONTACT = re.compile(
    r"(?:The )?(?:person|one|team|people) to (?:contact|ask|call|talk to|speak to|notify|email|write to|page) "
    r"(?:about|for|regarding|with|on|in case of) (?P<what>[^,;:]+?) is "
    r"(?P<value>(?:the )?[A-Z][^,;:]*|the [^,;:]+ team)\Z"
)
_OWN = ("the ", "our ", "all ", "every ", "each ")
_HOST = re.compile(r"`?(?:[a-z]+://|[\w-]+(?:\.[\w-]+)+|\d+(?:\.\d+){3})")


def done_to(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "We upload sourcemaps to Trace" as "Sourcemaps are uploaded to Trace"."""
    match = _WE_DO.match(hidden)
    if match is None or match["verb"] not in BASES or match["verb"] in _NO_ACTS:
        return
    start = match.end()
    if not UNASSERTED.isdisjoint(hidden[start:].lower().split()):
        return
    done = participle_of(match["verb"])
    for stop in [m.start() for pattern in (_HOW, _WHICH) for m in pattern.finditer(hidden, start)]:
        head = head_phrase([w.lower() for w in hidden[start:stop].split()])[0]
        yield *_opening(text, (start, stop)), f" {'are' if is_plural(head) else 'is'} {done}", (stop, len(text))


def found_at(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "You find the spare in rack B12" and "The registry can be reached under reg.dev" as where they are."""
    match = _FOUND.match(hidden)
    if match is None:
        return
    group = "what" if match["what"] else "it"
    if not UNASSERTED.isdisjoint(match[group].lower().split()):
        return
    what = _opening(text, match.span(group))
    if match["there"] and _HOST.match(text, match.start("value")):
        yield *what, " is reachable at ", match.span("value")
    else:
        link = match["there"] or match["inside"]
        yield *what, f" is {link} ", match.span("value")


def contact_for(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "The person to ask about firewalls is Lars" as who the contact is."""
    match = _TO_CONTACT.match(hidden)
    if match is not None and UNASSERTED.isdisjoint(match["what"].lower().split()):
        yield "The contact for ", match.span("what"), " is ", match.span("value")


def in_file(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "The inventory is in hosts/prod.ini" as where it lives."""
    match = _IN_FILE.match(text)
    words = match["what"].lower().split() if match is not None else []
    if match is not None and UNASSERTED.isdisjoint(words) and singular(head_phrase(words)[0]) not in _FAULTS:
        yield match.span("what"), " lives in ", match.span("value")


def _opening(text: str, span: _Span) -> _Pieces:
    """Return a piece as a sentence opens: with a capital where an article or an owner stands there."""
    start, end = span
    return (text[start].upper(), (start + 1, end)) if text.startswith(_OWN, start) else ((start, end),)


def became(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "The owner of the ledger has become Ann Lee" as who it is."""
    match = _BECAME.search(hidden)
    if _IN_YEAR.search(hidden) or not _NOW_AND_THEN.isdisjoint(words_of(hidden)):
        return
    if match is not None and match.start():
        yield (0, match.start()), " are " if match["many"] else " is ", (match.end(), len(text))


def used_for(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "The batch size used when reindexing the catalogue is 256" as the batch size for it."""
    match = _USED.match(hidden)
    if match is not None:
        of = " of " if match["how"] in ("by", "in", "on") else " for "
        yield match.span("what"), of, (match.end(), len(text))


_USED = re.compile(
    r"(?P<what>(?:The|the|Our) [^,;]{3,60}?) (?:that is |which is )?(?:used|applied|employed|in use|in force|expected"
    r"|enforced) (?P<how>by|in|on|for|when|while|with|to) (?=[^,;]+ (?:is|are|was|has) \S)"
)
_BECAME = re.compile(r" (?:has(?: just| now| recently)? become|(?P<many>have become)|became) ")
_IN_YEAR = re.compile(r" in (?:early |late )?(?:1[5-9]|20)\d\d\b")
_NOW_AND_THEN = word_set("once briefly later then when often sometimes eventually soon temporarily until")
