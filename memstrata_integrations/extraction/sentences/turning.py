"""Who has a value as what, said from the other end: "The panel has dark as its theme", "Casual is the dress code".

Each such sentence is put as "The N of Y is V", and then judged like any other: so it has the key of that sentence,
whichever rule reads it. What says of one thing among several ("has a room of 20 square metres") is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memstrata_integrations.extraction.sentences.framing import fills_role, head_of, quiet
from memstrata_integrations.extraction.sentences.lexicon import (
    CODE_NOUNS,
    LABELS,
    MEASURES,
    PERSON_ROLES,
    PHONES,
    PREPOSITIONS,
    SUPPRESSING_HEADINGS,
    UNASSERTED,
    VERSION_NOUNS,
)
from memstrata_integrations.extraction.sentences.plain_nouns import GRADED, GRADES, NAMED
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.extraction.sentences.verbs import THIRD
from memstrata_integrations.words import singular, word_set

__all__ = ["BUT", "GATE", "HAS_ONE", "HEADS", "headed", "rather", "turned_round"]

_Pieces = tuple[str | tuple[int, ...], ...]
_HAS = (
    r"(?:has|have|uses|use|comes with|come with|works with|work with|runs with|run with|ships with|ship with|gets|got"
    r"|features|offers|carries|applies|enforces|keeps|imposes|operates with|starts with|pays|charges|demands|requires"
    r"|has (?:got|been given|received|been assigned)|was given|is given|is set up with|is configured with"
    r"|is equipped with|is assigned|takes|employs|runs|adopted|has adopted|chose|has chosen|picked|has picked)"
)
_HAVE = r"(?:['’]ve |have |has )?(?:just |now |finally |recently |since )?"
_ROLE = r"(?P<role>[A-Za-z][\w-]*(?: [A-Za-z][\w-]*){0,3}?)"
_NEW = r"(?:(?P<new>new|different) )?"
_VALUE = r"(?P<value>\S(?:[^,;:]|[,:](?=\S))*?)"
_OWNER = r"(?P<owner>(?:the |our |my )?[\w`#@¤][^,;:]*?)"
_WITH = r"(?: (?P<link>for|in|on|at|per|during) (?P<more>[^,;:]+))?"

_AS_ITS = re.compile(
    rf"{_OWNER} (?:now )?{_HAS} (?:an? )?{_VALUE} as (?:its|their|his|her|the|our|my) {_NEW}{_ROLE}{_WITH}\Z"
)
_OF_VALUE = re.compile(rf"{_OWNER} (?:now )?{_HAS} (?:an?|the|its|their) {_NEW}{_ROLE} of {_VALUE}{_WITH}\Z")
_GAVE = re.compile(
    rf"(?:I|[Ww]e|[Tt]hey|[Tt]he [a-z]+) {_HAVE}(?:gave|given|assigned|granted) {_OWNER} (?:an?|the) {_NEW}{_ROLE} of "
    r"(?P<value>\S[^,;:]*)\Z"
)
_THERE = re.compile(
    rf"There(?:['’]s| is)(?: now)? an? {_NEW}{_ROLE} of {_VALUE} (?P<link>for|in|on|at) (?P<owner>[^,;:]+)\Z"
)
_IS_ITS = re.compile(rf"{_VALUE} (?:is|are) {_OWNER}['’]s? {_NEW}{_ROLE}\Z")
_IS_THE = re.compile(
    rf"{_VALUE} (?:is|are) (?:the|our|my) {_NEW}{_ROLE} (?P<link>of|for|in|on|at) (?P<owner>[^,;:]+)\Z"
)
GATE = word_set("as of is are")
"""A sentence that `turned_round` reads has one of these words."""

# What one has one of, so that an amount of it is its value; of the last ones there may be several
_ATTRIBUTES = (
    MEASURES
    | VERSION_NOUNS
    | NAMED
    | GRADED
    | CODE_NOUNS
    | PHONES
    | word_set("quality seed scale key image hash address resolution bucket heap memory pace dose code rota ratio")
) - word_set(
    "prize award trophy dish dessert pudding snack topping filling cocktail starter account mirror proxy position "
    "store database storage cache shell frame material fabric story tenant balance discount deposit fine option "
    "default set"
)
HAS_ONE = _ATTRIBUTES
"""Nouns of which a thing has one, with an amount as its value."""
_NO_ROLES = word_set(
    "heart key reason answer result problem point way case top cause home birthplace author inventor founder mother "
    "father brother sister son daughter child wife husband friend member part kind sort type example place star name "
    "best-known symbol center centre lot set pair couple range number piece bit subject topic fan owner user sponsor "
    "patron partner site source origin target object basis backbone core core-part foundation successor predecessor"
)
_OPENERS = word_set(
    "there it this that these those he she they what who which one here i we you everything nothing all"
)
_ARTICLES = frozenset(("The", "Our", "My", "A", "An", "Each", "Every", "All"))


def turned_round(text: str, hidden: str) -> Iterator[_Pieces]:
    """Yield "The N of Y is V" for what says the same from the other end, as pieces of the sentence.

    Args:
        text: The sentence.
        hidden: The sentence with what is quoted hidden.
    """
    if hidden.partition(" ")[0].lower() in _OPENERS and not hidden.startswith("There"):
        if (gave := _GAVE.match(hidden)) is not None and _is_one(text, gave):
            yield _plain(text, gave)
        return
    for form in (_AS_ITS, _OF_VALUE, _GAVE, _THERE):
        match = form.match(hidden)
        if match is None:
            continue
        if form is _AS_ITS:
            head = head_of(match["role"].split())
            one = head not in _NO_ROLES and (fills_role(match["role"]) or head in _ATTRIBUTES)
        else:
            one = _is_one(text, match)
        if one and quiet(match["owner"]) and quiet(match["value"]):
            yield _plain(text, match)
        return
    match = _IS_ITS.match(hidden) or _IS_THE.match(hidden)
    if match is not None and _names_it(match) and quiet(match["owner"]) and quiet(match["value"]):
        yield _plain(text, match)


def _is_one(text: str, match: re.Match[str]) -> bool:
    """Whether a role has one value, which is of a kind that stands behind "of"."""
    head = match["role"].split()[-1].lower()
    start, end = match.span("value")
    found = find_typed(text, start, end)
    return head in _ATTRIBUTES and found is not None and found[0] <= start + 1 and found[3] != "name"


def _names_it(match: re.Match[str]) -> bool:
    """Whether what stands first is the value, and what stands last a role of which there is one."""
    words = match["role"].split()
    head = words[-1].lower()
    known = quiet(match["role"]) if head in _ATTRIBUTES else fills_role(match["role"])
    known = known and (head in _ATTRIBUTES or head in PERSON_ROLES or (len(words) > 1 and singular(head) == head))
    value = match["value"].split()
    return known and head not in _NO_ROLES and len(value) <= 4 and value[-1] not in ("not", "it")


def _plain(text: str, match: re.Match[str]) -> _Pieces:
    """Put a sentence as "The N of Y is V"."""
    start, end = match.span("owner")
    first = text[start:end].partition(" ")[0]
    whose: _Pieces = ((start, end),)
    if first in _ARTICLES:
        whose = (first.lower(), (start + len(first), end)) if end > start + len(first) else (first.lower(),)
    groups = match.groupdict()
    tail: _Pieces = (f" {groups['link']} ", match.span("more")) if groups.get("more") else ()
    link = "of" if groups.get("more") else groups.get("link") or "of"
    start, end = match.span("value")
    words = text[start:end].split()
    common = words[0] in _ARTICLES or words[0].lower() in GRADES or (len(words) > 1 and words[1].islower())
    value: _Pieces = ((start, end, 1),) if common and words[0].istitle() else ((start, end),)
    return "The ", match.span("role"), f" {link} ", *whose, *tail, " is ", *value


HEADS = word_set("is are now")
_HEADED = re.compile(
    rf"(?P<owner>(?:the |our )?[A-Z`¤][\w`¤.&-]*(?: [\w.&-]+){{1,4}}): "
    rf"(?P<role>[a-z][a-z-]*(?: [a-z-]+){{0,3}}?) (?:is now|are now|is|are|now) {_VALUE}\Z"
)
_NO_OWNERS = (
    LABELS
    | SUPPRESSING_HEADINGS
    | UNASSERTED
    | word_set(
        "old former previous next future planned worst best case plan idea draft proposal option alternative myth "
        "rumour rumor quote before after until wrong bad good step question answer today yesterday tomorrow"
    )
)


def headed(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "Search cluster: on-call engineer is now Ann Lee" as who it is of the search cluster."""
    match = _HEADED.match(hidden) if ": " in hidden else None
    if match is None or not _NO_OWNERS.isdisjoint(match["owner"].lower().split()):
        return
    head = match["role"].split()[-1]
    one = head in _ATTRIBUTES or (head in PERSON_ROLES and fills_role(match["role"]))
    if one and head not in _NO_ROLES and quiet(match["role"]) and quiet(match["value"]):
        yield _plain(text, match)


BUT = word_set("longer")
_RATHER = re.compile(
    r"(?P<who>\S[^,;:]*?) (?:(?P<be>is|are) )?no longer (?P<old>[^,;:]+?),? but(?: rather| instead| now)? "
    r"(?P<new>[^,;:]+)\Z"
)


def rather(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "The file no longer lives in /etc but in /opt" as where it lives."""
    match = _RATHER.match(hidden)
    if match is None or not quiet(match["new"]) or not quiet(match["who"]):
        return
    words = match["old"].split(" ")
    first = match["new"].partition(" ")[0]
    link = next((n for n, word in enumerate(words) if word == first), None) if first in PREPOSITIONS else None
    if first in THIRD and not match["be"]:
        kept = 0
    elif link is not None:
        kept = link
    elif match["be"] is None and words[0] not in THIRD and words[0] not in ("has", "have"):
        return
    else:
        kept = max((n + 1 for n, word in enumerate(words) if word in PREPOSITIONS), default=0 if match["be"] else 1)
    start = match.start("old")
    verb: _Pieces = (f" {match['be']} ",) if match["be"] else (" ",)
    stop = start + len(" ".join(words[:kept]))
    yield (0, match.end("who")), *verb, (start, stop), *((" ",) if kept else ()), match.span("new")
