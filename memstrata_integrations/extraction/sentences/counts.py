"""How many there are, told from the other end: "The number of nodes the cluster has is 7", "12 rows are kept by X".

Each such sentence is put as the one that says who does or has how many ("The cluster has 7 nodes"), and then judged
like any other: so a count has one key whichever way it is told, and none where the plain sentence has none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.lexicon import PERSON_ROLES
from memstrata_integrations.extraction.sentences.verbs import BASES, THIRD, third_of, verb_of
from memstrata_integrations.units import NUMBER_WORDS
from memstrata_integrations.words import word_set

__all__ = ["COUNTED", "counted"]

_Pieces = tuple[str | tuple[int, ...], ...]
_N = rf"(?:\d[\d,]*(?![\d.,])|(?:{'|'.join(sorted(NUMBER_WORDS))})\b)"
_VALUE = rf"(?P<value>{_N})"
_NUMBER_FIRST = rf"(?P<value>{_N}|(?:{'|'.join(sorted(w.capitalize() for w in NUMBER_WORDS))})\b)"
_THINGS = (
    r"(?P<things>(?:[a-z][a-z-]* )?(?:[a-z][a-z-]* )?"
    r"(?:[a-z-]{2,}s|people|children|grandchildren|staff|men|women|mice))"
)
# One thing by its name, or as something definite; in code also a name in lower case
_WHO = r"(?P<who>(?:[Tt]he |[Oo]ur |[Mm]y |[Ii]ts |[Ee]ach |[Ee]very |[A-Z¤#@])[^,;:]*?|[a-z]\w*[_.(][\w.()]*)"
_NOW = r"(?:now |currently |presently )?"
_TAIL = r"(?P<tail> (?:for|in|on|at|per|to|from|with) [^,;:]+?)?"
_DOES = rf"(?:that |which )?{_WHO} {_NOW}(?P<verb>[a-z]+){_TAIL}"
_HOW_MANY = r"(?:the (?:total )?number of|how many)"

_IS_NUMBER = re.compile(rf"(?:The )?(?:[Tt]otal )?[Nn]umber of {_THINGS} {_DOES} is {_VALUE}\Z")
_NUMBER_IS = re.compile(rf"{_NUMBER_FIRST} is {_HOW_MANY} {_THINGS} {_DOES}\Z")
_OF_WHICH = re.compile(
    rf"{_NUMBER_FIRST} is the (?:total )?number of {_THINGS} (?P<where>(?:of|in|on|at|per|for) [^,;:]+)\Z"
)
_HOW_OFTEN = re.compile(rf"{_NUMBER_FIRST} is how many times {_WHO} {_NOW}retries (?P<what>[^,;:]+)\Z")
_THERE_ARE = re.compile(
    rf"{_NUMBER_FIRST} is how many {_THINGS} there are (?P<where>(?:of|in|on|at|per|for) [^,;:]+)\Z"
)
_WHAT_IS = re.compile(rf"What {_WHO} {_NOW}(?P<verb>[a-z]+) is {_VALUE} {_THINGS}(?P<tail>)\Z")
_DONE_BY = re.compile(rf"{_NUMBER_FIRST} {_THINGS} are {_NOW}(?P<done>[a-z]+(?:ed|en|d|t)) (?:by|in) {_WHO}\Z")
_NUMBER_BY = re.compile(
    rf"The number of {_THINGS} (?:that are )?{_NOW}(?P<done>[a-z]+(?:ed|en|d|t)) by {_WHO} is {_VALUE}\Z"
)
_EMPLOYED = re.compile(rf"(?:At|In|By) (?P<who>[^,;:]+), {_VALUE} {_THINGS} are {_NOW}employed\Z")
_IS_WITH = re.compile(
    rf"{_WHO} is an? (?P<kind>[a-z-]+(?: [a-z-]+)?) (?:with|that has|which has|of) {_VALUE} {_THINGS}{_TAIL}\Z"
)
_IN_ALL = re.compile(rf"{_WHO} (?P<has>has|have) (?:a total of |in total |altogether ){_VALUE} {_THINGS}{_TAIL}\Z")
_TO_NUMBER = re.compile(
    rf"(?:(?P<owner>\S[^,;:]*?['’]s?) |The )(?P<what>[a-z][a-z -]*?)(?P<of> of [^,;:]+?)? {_NOW}number {_VALUE}\Z"
)
_TRIES = re.compile(rf"{_WHO} makes {_VALUE} (?P<things>retries) (?:on|for|at|of|per) (?P<what>[^,;:]+)\Z")
_NUMBER_OF = re.compile(
    rf"(?:The )?(?:[Tt]otal )?[Nn]umber of (?P<things>[a-z-]+ [a-z-]+s) "
    rf"(?P<where>(?:of|in|on|at|per|for) [^,;:]+?) is {_VALUE}\Z"
)
# Verbs that say that something is there, of whatever it is, or of these
_HAVING = word_set("has have contains contain comprises includes counts features")
_HAVING_OF = {
    **dict.fromkeys(("takes", "accepts", "expects"), ("arguments", "parameters", "args", "params")),
    **dict.fromkeys(("makes", "attempts", "performs", "does"), ("retries", "attempts")),
    "runs": ("replicas", "nodes", "workers", "instances", "pods", "threads", "processes"),
}
_WORKING = word_set("people staff workers employees persons")
# What a passive says of a place rather than of a doer: "12 files are kept in it"
_HELD_IN = word_set("contained included comprised")
_IRREGULAR = {
    "taken": "take",
    "held": "hold",
    "kept": "keep",
    "had": "have",
    "built": "build",
    "run": "run",
    "sent": "send",
}
# "is a team of 5 people": what it is made of, where the noun says that it is made of them
_GROUPS = word_set(
    "cluster team group band family fleet set series collection choir crew class club collective village town city "
    "complex chain network pool suite package bundle board panel committee squad"
)
COUNTED = word_set("number how What with total altogether employed makes by in that of")
"""A sentence that `counted` reads has one of these words."""


def counted(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "The number of nodes the cluster has is 7" and "7 is how many nodes it has" as how many it has."""
    match = _WHAT_IS.match(hidden)
    if match is not None and _is_verb(match["verb"]) and quiet(match["who"]):
        yield *_owner(text, match.span("who")), " ", match.span("verb"), " ", (match.start("value"), len(text))
        return
    match = _HOW_OFTEN.match(hidden)
    if match is not None and quiet(match["who"]):
        who = _inside(text, match.span("who"))
        yield "The number of retries of ", *who, " for ", match.span("what"), " is ", _small(text, match)
        return
    match = _IS_NUMBER.match(hidden) or _NUMBER_IS.match(hidden)
    if match is not None and quiet(match["who"]) and (things := _had_by(match)) is not None:
        tail: _Pieces = (match.span("tail"),) if match["tail"] else ()
        yield "The number of ", things, " of ", *_inside(text, match.span("who")), *tail, " is ", _small(text, match)
        return
    yield from _there_are(text, hidden)
    yield from _done(text, hidden)
    yield from _had(text, hidden)


def _had_by(match: re.Match[str]) -> str | tuple[int, int] | None:
    """Return what is had, if a verb says no more than that: "takes" of arguments, "makes" of retries."""
    verb, things = match["verb"], match["things"].split()[-1]
    if things in _WORKING and verb in ("employs", "employ"):
        return "employees"
    return match.span("things") if verb in _HAVING or things in _HAVING_OF.get(verb, ()) else None


def _there_are(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "17 is the number of open tickets in the queue" as how many there are in it."""
    match = _OF_WHICH.match(hidden) or _THERE_ARE.match(hidden) or _NUMBER_OF.match(hidden)
    if match is not None and quiet(match["where"]):
        yield "There are ", _small(text, match), " ", match.span("things"), " ", match.span("where")


def _done(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "12 arguments are taken by parse()" as how many it takes."""
    match = _EMPLOYED.match(hidden)
    if match is not None:
        things: tuple[int, int] | str | None = "employees" if match["things"] in _WORKING else match.span("things")
        yield "The number of ", things or "", " of ", *_inside(text, match.span("who")), " is ", _small(text, match)
        return
    match = _NUMBER_BY.match(hidden)
    if match is not None and quiet(match["who"]) and (things := _done_to(match)) is not None:
        yield "The number of ", things, " of ", *_inside(text, match.span("who")), " is ", match.span("value")
        return
    match = _DONE_BY.match(hidden)
    if match is None or not quiet(match["who"]):
        return
    done = match["done"]
    if hidden[match.end("done") :].startswith(" in ") and done not in _HELD_IN:
        return
    base = _IRREGULAR.get(done) or verb_of(done)
    if base in BASES or base in THIRD.values():
        verb = "has" if base == "have" else third_of(base)
        yield *_owner(text, match.span("who")), f" {verb} ", _small(text, match), " ", match.span("things")


def _done_to(match: re.Match[str]) -> str | tuple[int, int] | None:
    """Return what is had, if a passive says no more than that: "arguments taken by", "people employed by"."""
    done, things = match["done"], match["things"].split()[-1]
    if things in _WORKING and done == "employed":
        return "employees"
    base = _IRREGULAR.get(done) or verb_of(done)
    verb = "has" if base == "have" else third_of(base)
    return match.span("things") if verb in _HAVING or things in _HAVING_OF.get(verb, ()) else None


def _had(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "The Linden is a hotel with 40 rooms", "has a total of 40 rooms" and "its rooms number 40"."""
    if (match := _IS_WITH.match(hidden)) is not None:
        of_parts = hidden[match.end("kind") :].startswith(" of ")
        # Ann has 3 children, and is a teacher with 24
        one = is_identifier(match["who"].split()[-1]) or match["kind"].split()[-1] in _GROUPS
        one = one or (match["who"].startswith(("The ", "Our ")) and match["kind"].split()[-1] not in PERSON_ROLES)
        if quiet(match["who"]) and one and (not of_parts or match["kind"].split()[-1] in _GROUPS):
            tail: _Pieces = (match.span("tail"),) if match["tail"] else ()
            yield match.span("who"), " has ", match.span("value"), " ", match.span("things"), *tail
    elif (match := _IN_ALL.match(hidden)) is not None:
        yield (0, match.end("has")), " ", (match.start("value"), len(text))
    elif (match := _TRIES.match(hidden)) is not None:
        yield match.span("who"), " has ", match.span("value"), " ", match.span("things"), " for ", match.span("what")
    elif (match := _TO_NUMBER.match(hidden)) is not None and match["what"].endswith(("s", "children", "people")):
        if match["owner"]:
            yield match.span("owner"), " number of ", match.span("what"), " is ", match.span("value")
        elif match["of"]:
            yield "The number of ", (match.start("what"), match.end("of")), " is ", match.span("value")


def _is_verb(word: str) -> bool:
    return word in THIRD or word in ("has", "have") or word in BASES


def _owner(text: str, span: tuple[int, int]) -> _Pieces:
    """Return a piece as a sentence opens: with a capital where an article or an owner stands there."""
    start, end = span
    if text.startswith(("the ", "our ", "my ", "its ", "each ", "every "), start):
        return text[start].upper(), (start + 1, end)
    return ((start, end),)


def _inside(text: str, span: tuple[int, int]) -> _Pieces:
    """Return what a sentence may open with as it stands inside of one."""
    start, end = span
    if text.startswith(("The ", "Our ", "My ", "Its ", "Each ", "Every "), start):
        return text[start].lower(), (start + 1, end)
    return ((start, end),)


def _small(text: str, match: re.Match[str]) -> tuple[int, ...]:
    """Return the place of a number, in lower case if it is a word."""
    start, end = match.span("value")
    return (start, end, 1) if text[start].isalpha() else (start, end)
