"""Limits, periods and shares told by a clause, put as what they are: "The most memory it may use is 2 GB".

"It takes 5 minutes for a token to expire", "14 days is how long logs are kept" and "The longest a line can be is 120
characters" are put as the sentence that names the limit or the time, and then judged like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.words import word_set

__all__ = ["BOUNDS", "EXPIRING", "bounds"]

_Pieces = tuple[str | tuple[int, ...], ...]
_VALUE = r"(?P<value>[\d$€£¥][^,;:]*?)"
_TIME = r"(?P<value>(?:\d[\d.,]*|[a-z]+) (?:milli)?(?:ms|s|min|second|minute|hour|day|week|month|year)s?)"
_TIME_FIRST = _TIME.replace("|[a-z]+)", "|[A-Za-z]+)", 1)
_WHO = r"(?P<who>(?:[Tt]he |[Oo]ur |[Mm]y |[Aa]n? |[Ee]ach |[Ee]very |[A-Z`¤#@])[^,;:]*?|[a-z]\w*[_.(][\w.()]*)"
_THEY = r"(?P<who>(?:[Tt]he |[Oo]ur |[Mm]y |[Aa]n? |[A-Z`¤]|[a-z]+ )[^,;:]*?s?)"
_OF_SIZE = {
    "longest": "length",
    "largest": "size",
    "biggest": "size",
    "highest": "height",
    "tallest": "height",
    "widest": "width",
    "deepest": "depth",
    "heaviest": "weight",
}
_BE = r"(?:can|may|is allowed to|are allowed to)(?: be| get)?"
_EST = rf"(?P<how>{'|'.join(_OF_SIZE)})"

# "The most memory the container may use is 2 GB"
_MOST = re.compile(
    rf"The most (?:of )?(?P<what>[a-z-]+(?: [a-z-]+)?) (?:that )?{_WHO} (?:may|can|is allowed to|are allowed to) "
    rf"(?P<verb>use|have|consume|take|take up|hold|allocate|occupy|contain|store) is {_VALUE}\Z"
)
_MOST_OF = re.compile(
    rf"The most (?:that )?{_WHO} (?:may|can|is allowed to|are allowed to) "
    rf"(?P<verb>use|have|consume|take up|hold|allocate|occupy) is {_VALUE} of (?P<what>[a-z-]+(?: [a-z-]+)?)\Z"
)
_MOST_DONE = re.compile(
    rf"The most (?P<what>[a-z-]+(?: [a-z-]+)?s) (?:that )?{_WHO} (?P<verb>returns|accepts|allows|holds|permits) "
    r"(?P<tail>(?:on|in|per|for|at) [^,;:]+? )?is (?P<value>\d[\d,]*)\Z"
)
_EST_BE = re.compile(
    rf"The {_EST} (?:an? |any )?(?P<what>[a-z-]+(?: [a-z-]+)?) {_BE} "
    rf"(?P<where>(?:in|on|at|for|of) [^,;:]+?) is {_VALUE}\Z"
)
_IS_EST = re.compile(
    rf"{_VALUE} is the {_EST} (?:that )?(?:an? |any )?(?P<what>[a-z-]+(?: [a-z-]+)?) {_BE} "
    r"(?P<where>(?:in|on|at|for|of) [^,;:]+)\Z"
)
_IT_TAKES = re.compile(
    rf"(?:(?P<at>On|In|At|For|With) (?P<where>[^,;:]+), i|I)t (?:now )?takes {_TIME} (?:for|before) {_WHO} "
    r"(?:to )?(?P<verb>expires?|times? out|lapses?)(?P<tail> (?:on|in|at|for|to) [^,;:]+)?\Z"
)
_WAITS = re.compile(
    rf"{_WHO} waits (?:for )?(?:up to |at most )?{_TIME} before (?:(?:it |they )?(?:times? out|gives? up)"
    r"|timing out|giving up)(?P<tail> (?:on|in|at|for) [^,;:]+)?\Z"
)
_KEPT = r"(?P<be>is|are) (?:now )?(?P<done>kept|retained|stored|held|saved|cached|archived|preserved|valid)"
_PERIOD = re.compile(
    rf"The (?:period|time|length of time|duration|number of days) (?:for which|during which|that|over which) "
    rf"{_THEY} {_KEPT}(?: for)? is {_TIME}\Z"
)
_HOW_LONG = re.compile(rf"How long {_THEY} {_KEPT} is {_TIME}\Z")
_IS_HOW_LONG = re.compile(
    rf"{_TIME_FIRST} is how long (?:we (?P<keep>keep|retain|store|hold) (?P<what>[^,;:]+)|{_THEY} {_KEPT})\Z"
)
_LASTS = re.compile(rf"{_TIME_FIRST} is how long {_THEY} (?P<verb>lasts?|takes?|lives?)\Z")
_RATED = re.compile(rf"{_WHO} (?:is|are) rate[- ]limited (?:to|at) (?P<value>\d[^;:]*)\Z")
_MAY_CALL = re.compile(
    r"(?:Clients|Callers|You|A client|A caller) (?:may|can) (?:only )?"
    r"(?:call|hit|request) (?P<who>[^,;:]+?) (?:up to |at most |no more than )?"
    r"(?P<value>\d[\d,]* times (?:per|an?|each|every) (?:second|minute|hour|day))\Z"
)
_COVER = re.compile(
    r"(?:The |Our )?(?P<kind>[a-z-]+ )?[Tt]ests (?:now )?cover "
    rf"(?P<value>\d[\d.,]* ?(?:%|percent|per cent)) of {_WHO}\Z"
)
_COVERED = re.compile(
    rf"(?P<value>\d[\d.,]* ?(?:%|percent|per cent)) of {_WHO} is (?:now )?covered by (?P<kind>[a-z-]+ )?tests\Z"
)
_IN_LENGTH = re.compile(
    rf"In (?P<noun>length|height|width|depth|size|weight|area|diameter), {_WHO} (?:is|comes to|measures|amounts to"
    rf"|stands at|runs to|reaches) {_VALUE}\Z"
)
BOUNDS = word_set(
    "most longest largest biggest highest tallest widest deepest heaviest takes waits period time duration long "
    "rate-limited rate call hit request cover covered In length"
)
"""A sentence that `bounds` reads has one of these words."""
EXPIRING = re.compile(r"for [^,;]+ to (?:expire|time out|lapse)\b")
"""What it takes a time for, where that time says when a thing expires."""
_DONE = {"keep": "kept", "retain": "retained", "store": "stored", "hold": "held"}


def bounds(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "The most memory the job may use is 2 GB" and "14 days is how long logs are kept"."""
    for reader in (_most, _periods, _times_out, _shares):
        if (pieces := reader(text, hidden)) is not None:
            yield pieces
            return


def _most(text: str, hidden: str) -> _Pieces | None:
    """Read "The most memory the job may use is 2 GB" as its maximum memory."""
    if (match := _MOST.match(hidden) or _MOST_OF.match(hidden)) is not None and quiet(match["who"]):
        who, value = _inside(text, match.span("who")), match.span("value")
        number = " number of " if is_plural(match["what"].split()[-1]) else " "
        return f"The maximum{number}", match.span("what"), " of ", *who, " is ", value
    if (match := _MOST_DONE.match(hidden)) is not None and quiet(match["who"]):
        paged = _ON_PAGE.fullmatch(match["tail"] or "") is not None
        if not paged and (match["tail"] or match["verb"] == "returns"):
            return None
        per = " per page of " if paged else " of "
        who, value = _inside(text, match.span("who")), match.span("value")
        return "The maximum number of ", match.span("what"), per, *who, " is ", value
    if (match := _EST_BE.match(hidden) or _IS_EST.match(hidden)) is not None and quiet(match["where"]):
        noun = _OF_SIZE[match["how"]]
        return "The maximum ", match.span("what"), f" {noun} ", match.span("where"), " is ", match.span("value")
    return None


_ON_PAGE = re.compile(r"(?:on|in|per) (?:(?:an?|one|each|every|a single) )?page ")


def _periods(text: str, hidden: str) -> _Pieces | None:
    """Read "The period for which logs are kept is 14 days" as how long they are kept."""
    match = _PERIOD.match(hidden) or _HOW_LONG.match(hidden) or _IS_HOW_LONG.match(hidden)
    if match is not None:
        value = _small(text, match.span("value"))
        if match.groupdict().get("keep"):
            several = is_plural(head_phrase(match["what"].lower().split())[0])
            be = "are" if several else "is"
            what = _opening(text, match.span("what"))
            return *what, f" {be} {_DONE[match['keep']]} for ", value
        if not quiet(match["who"]):
            return None
        return *_opening(text, match.span("who")), " ", (match.start("be"), match.end("done")), " for ", value
    match = _LASTS.match(hidden)
    if match is not None and quiet(match["who"]):
        return *_opening(text, match.span("who")), " ", match.span("verb"), " ", _small(text, match.span("value"))
    return None


def _times_out(text: str, hidden: str) -> _Pieces | None:
    """Read "It takes 5 minutes for a token to expire" and "It waits 5 seconds before it times out"."""
    if (match := _IT_TAKES.match(hidden)) is not None and quiet(match["who"]):
        who = _opening(text, match.span("who"))
        where: _Pieces = (f" {match['at'].lower()} ", match.span("where")) if match["at"] else ()
        tail: _Pieces = (match.span("tail"),) if match["tail"] else ()
        several = is_plural(head_phrase(match["who"].lower().split())[0])
        act = match["verb"].removesuffix("s") if "out" not in match["verb"] else "time out"
        verb = act if several else {"time out": "times out"}.get(act, f"{act}s")
        return *who, *tail, *where, f" {verb} after ", match.span("value")
    if (match := _WAITS.match(hidden)) is not None and quiet(match["who"]):
        tail = (match.span("tail"),) if match["tail"] else ()
        return match.span("who"), *tail, " times out after ", match.span("value")
    return None


def _shares(text: str, hidden: str) -> _Pieces | None:
    """Read "is rate-limited to 60 a minute", "The tests cover 80 % of it" and "In length, it comes to 5 km"."""
    if (match := _RATED.match(hidden)) is not None and quiet(match["who"]):
        return "The rate limit of ", *_inside(text, match.span("who")), " is ", match.span("value")
    if (match := _MAY_CALL.match(hidden)) is not None and quiet(match["who"]):
        return "The rate limit of ", *_inside(text, match.span("who")), " is ", match.span("value")
    if (match := _COVER.match(hidden) or _COVERED.match(hidden)) is not None and quiet(match["who"]):
        kind: _Pieces = (match.span("kind"),) if match["kind"] else ()
        return "The ", *kind, "test coverage of ", *_inside(text, match.span("who")), " is ", match.span("value")
    if (match := _IN_LENGTH.match(hidden)) is not None and quiet(match["who"]):
        return "The ", match.span("noun"), " of ", *_inside(text, match.span("who")), " is ", match.span("value")
    return None


def _inside(text: str, span: tuple[int, int]) -> _Pieces:
    """Return what a sentence opens with as it stands inside of one."""
    start, end = span
    if text.startswith(("The ", "Our ", "My ", "Each ", "Every ", "A ", "An "), start):
        return text[start].lower(), (start + 1, end)
    return ((start, end),)


def _opening(text: str, span: tuple[int, int]) -> _Pieces:
    """Return a piece as a sentence opens; a name in code keeps its letters."""
    start, end = span
    if "_" in text[start:end].partition(" ")[0] or "(" in text[start:end].partition(" ")[0]:
        return ((start, end),)
    return text[start].upper(), (start + 1, end)


def _small(text: str, span: tuple[int, int]) -> tuple[int, ...]:
    """Return the place of an amount, its number in lower case if it is a word."""
    return (*span, 1) if text[span[0]].isalpha() else span
