"""Rules said by a verb, put as the noun that they set: "Up to 5 keys can be added per team" is the maximum of keys.

Each frame is put as "The N of Y is V", and then judged like any other: so a limit, an entitlement, a wait and what
happens to a thing have one key whichever way they are said. The verb is left out only where it says no more than that a
thing is there; any other tells what is limited.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memstrata_integrations.extraction.sentences.nominals import act_of_noun
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.verbs import participle_of
from memstrata_integrations.words import singular, word_set

__all__ = ["ACTS", "DONE_WITHIN", "LIMITS", "WAITS", "acts_done", "limits", "limits_extent", "names_act", "waits"]

_Pieces = tuple[str | tuple[int, ...], ...]
_MOST = r"(?:at most|up to|no more than|not more than|a maximum of|a limit of)"
_N = r"(?:\d[\d,.]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty)"
_THINGS = r"(?P<things>[a-z][a-z-]*(?: [a-z-]+){0,2}?s)"
_WHO = r"(?P<who>(?:The|Our|An?|Each|Every|All|[A-Z`¤])[^,;:]{2,80}?)"
_TAIL = r"(?P<tail>(?:per|an?|each|every|in|on|for|to|at|of) [^,;:]{2,60})"
# To be there in a number, and no act of which there may be others: "sent" and "received" are two limits
_BEING = (
    r"(?:created|added|linked|connected|attached|registered|configured|defined|stored|held|open|opened|active|allowed"
    r"|permitted|enrolled|present)"
)
_MOST_ARE = re.compile(
    rf"(?:{_MOST[:-1]}|At most|Up to|No more than|Not more than|A maximum of|A limit of)) (?P<value>{_N}) {_THINGS} "
    rf"(?:can be|may be|are|is|must be) {_BEING}(?: (?:to be )?{_BEING})? {_TAIL}\Z"
)
_HAS_MOST = re.compile(
    rf"{_WHO} (?:(?:can|may) (?:have|hold|contain)|(?:allows?|permits?)(?: {_MOST})?"
    rf"|(?:has|have|holds?|contains?) {_MOST})"
    rf"(?: {_MOST})? (?P<value>{_N}) {_THINGS}(?: {_TAIL})?\Z"
)
_YOU_MAY = re.compile(
    rf"(?:You|We|People|people|Users|Everyone|Members|Customers)(?: can| may)? "
    rf"(?:have|create|add|link|connect|register|keep|hold) {_MOST} (?P<value>{_N}) {_THINGS}"
    rf"(?P<open> open| active)? {_TAIL}\Z"
)
_THERE_IS = re.compile(rf"There is (?:now )?an? (?:limit|maximum|cap) of (?P<value>{_N}) {_THINGS} {_TAIL}\Z")
_BE_UP_TO = re.compile(
    rf"{_WHO}(?: can| may| must)? (?P<verb>be|weighs?|lasts?|measures?) "
    rf"(?:{_MOST}|no (?:longer|larger|bigger|heavier|wider|higher) than) (?P<value>\d[\d,.]* ?[A-Za-z]+)"
    r"(?: (?P<how>in size|in length|large|long|heavy|wide|high))?\Z"
)
_OF_HOW = {
    "in size": "size",
    "large": "size",
    "in length": "length",
    "long": "length",
    "heavy": "weight",
    "wide": "width",
    "high": "height",
}
_ENTITLED = re.compile(
    rf"{_WHO} (?:(?:are|is) (?:entitled to|granted|given|allotted)|gets?|receives?|has|have) (?P<value>{_N} [a-z]+) of "
    r"(?P<what>(?:[a-z]+ ){0,2}(?:leave|holiday|holidays|vacation))(?: per year| a year| each year)?\Z"
)
_WAITS = re.compile(
    rf"{_WHO} waits? (?:(?:for )?(?:up to |at most ))?(?P<value>{_N} ?[a-z]+) for (?:an?|the|its) "
    r"(?P<what>connection|response|reply|lock|handshake|acknowledgement|heartbeat)(?: before .+| to .+)?\Z"
)
# "Deletion of old branches happens 7 days after the merge"
_ACT = re.compile(
    r"(?:The )?(?P<act>[A-Za-z]+) of (?P<what>[^,;:]{3,60}?) (?:happens|takes place|occurs|is done|is required"
    r"|is carried out|is performed|is scheduled)(?: only)? "
    r"(?P<tail>(?:after|at|every|within|once|on|in|by|\d+|before) .+)\Z"
)
LIMITS = word_set("most Most Up up more maximum limit cap allows allow permits permit exceed entitled longer larger "
                  "leave holiday vacation holidays")  # fmt: skip
WAITS = word_set("waits wait")
ACTS = word_set("happens takes occurs done required carried performed scheduled")
"""The words of which a sentence of these frames holds one."""
DONE_WITHIN = {
    "answered": "response",
    "replied": "response",
    "acknowledged": "acknowledgement",
    "resolved": "resolution",
    "reviewed": "review",
    "processed": "processing",
    "handled": "handling",
    "delivered": "delivery",
    "shipped": "shipping",
    "repaired": "repair",
    "approved": "approval",
}
"""What is done within a time, with the noun that people have for that time."""
_SHARED = frozenset(("each", "every"))


def limits(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "Up to 5 keys can be added per team" as the maximum number of keys per team."""
    match = _MOST_ARE.match(hidden) or _THERE_IS.match(hidden) or _YOU_MAY.match(hidden)
    if match is not None:
        state = match.groupdict().get("open")
        things: _Pieces = ((match.start("open") + 1, match.end("open")), " ") if state else ()
        things = (*things, match.span("things"))
        yield "The maximum number of ", *things, " ", *_behind(text, match), " is ", match.span("value")
    elif (match := _ENTITLED.match(hidden)) is not None:
        yield "The ", match.span("what"), " of ", *_inside(text, *match.span("who")), " is ", match.span("value")
    elif (match := _HAS_MOST.match(hidden)) is not None:
        first = match["who"].split()[0].lower()
        tail: _Pieces = (" ", *_behind(text, match)) if match["tail"] else ()
        start, end = match.span("who")
        who: _Pieces = (" of ", *_inside(text, start, end))
        if first in _SHARED:
            who = (" per ", (start + len(first) + 1, end))
        yield "The maximum number of ", match.span("things"), *who, *tail, " is ", match.span("value")
    elif (match := _BE_UP_TO.match(hidden)) is not None and (noun := _extent(match)) is not None:
        yield f"The maximum {noun} of ", *_inside(text, *match.span("who")), " is ", match.span("value")


def limits_extent(text: str) -> bool:
    """Whether a sentence limits how large, long or heavy a thing may be."""
    match = _BE_UP_TO.match(text) if " up to " in text or " at most " in text or " than " in text else None
    return match is not None and _extent(match) is not None


def _extent(match: re.Match[str]) -> str | None:
    """Return what is limited: "weighs up to 5 kg", "may be up to 5 MB in size"."""
    noun = {"weigh": "weight", "last": "duration"}.get(match["verb"].rstrip("s")) or _OF_HOW.get(match["how"] or "")
    if noun is None and match["value"].endswith(("KB", "MB", "GB", "TB", "KiB", "MiB", "GiB")):
        noun = "size"
    return noun


def _behind(text: str, match: re.Match[str]) -> _Pieces:
    """Return what follows what is counted, of which thing it is counted: "on a plan", "per day", "a day"."""
    start, end = match.span("tail")
    word, _, _ = text[start:end].partition(" ")
    if word in ("per", "of"):
        return ((start, end),)
    if word in ("a", "an", *_SHARED):
        return "per ", (start + len(word) + 1, end)
    return "of ", (start + len(word) + 1, end)


def _inside(text: str, start: int, end: int) -> _Pieces:
    """Return what a sentence opens with as it stands inside of one."""
    word = text[start:end].split()[0]
    if word in ("The", "Our", "A", "An", "All") or is_plural(word.lower()):
        return text[start].lower(), (start + 1, end)
    return ((start, end),)


def waits(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "The client waits 10 seconds for a connection" as its connection timeout."""
    if (match := _WAITS.match(hidden)) is not None:
        who = _inside(text, *match.span("who"))
        yield "The ", match.span("what"), " timeout of ", *who, " is ", match.span("value")


def names_act(text: str) -> bool:
    """Whether a sentence tells by its noun what is done to a thing."""
    return not ACTS.isdisjoint(text.split()) and _ACT.match(text) is not None


def acts_done(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "Deletion of old branches happens after 7 days" as what is done to them."""
    match = _ACT.match(hidden)
    base = act_of_noun(match["act"].lower()) if match is not None else None
    if match is None or base is None or singular(match["act"].lower()) == base:
        return
    start, end = match.span("what")
    several = is_plural(head_phrase([w.lower() for w in match["what"].split()])[0])
    verb = " are " if several else " is "
    yield text[start].upper(), (start + 1, end), f"{verb}{participle_of(base)} ", match.span("tail")
