"""A line of notes about one thing as the plain sentence that it stands for: "Photo form - upload limit 20 MB".

It says "the upload limit of the photo form is 20 MB", which is judged like any other sentence. A line whose parts are
not certain to be a thing, what it has, and its value stands for none: a title, a remark, a date with an event.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from memstrata_integrations.canonical import canonical_subject, is_identifier
from memstrata_integrations.extraction.claims import Claim, is_loose
from memstrata_integrations.extraction.note_parts import (
    has_one,
    is_noun_phrase,
    is_of_many,
    is_role,
    is_thing,
    is_whole_name,
    lasts,
    may_be_person,
    names_thing,
    split,
    stands_for_thing,
)
from memstrata_integrations.extraction.readers import placed_claims
from memstrata_integrations.extraction.sentences.complements import masked
from memstrata_integrations.extraction.sentences.lexicon import PREPOSITIONS
from memstrata_integrations.extraction.sentences.reordering import put
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.extraction.sentences.trimming import WAS_TAIL
from memstrata_integrations.extraction.sentences.verbs import THIRD
from memstrata_integrations.extraction.sentences.wording import Core, core_of
from memstrata_integrations.extraction.statements import Statement
from memstrata_integrations.relations import Vocabulary
from memstrata_integrations.values import canonical_value
from memstrata_integrations.words import holds_any, word_set

__all__ = ["note_claims", "note_cores"]

_LONGEST = 200
_Span = tuple[int, int]
_Pieces = tuple[str | tuple[int, ...], ...]

_DASHES = (" - ", " – ", " — ")
_SIGNS = (": ", *_DASHES, " point")
_BREAK = re.compile(r" [-–—] |:(?:\*\*)? ")
_BULLET = re.compile(r"[-*•] ")
_PARTS = (
    re.compile(r"(?P<first>[^,()/>]+) [/>›] (?P<second>[^,()/>]+)\Z"),
    re.compile(r"(?P<first>[^,()]+), (?P<second>[^,()]+)\Z"),
    re.compile(r"(?P<first>[^,()]+) \((?P<second>[^,()]+)\)\Z"),
)
_KIND = re.compile(r"(?P<name>[^,()]+), (?:the|our|my) (?P<kind>[A-Za-z][^,()]*)\Z")
_NOW = re.compile(r"(?:is )?(?:now|currently) (?=\S)")
_NO_VALUE = re.compile(r"(?:moved|changed|switched|raised|lowered|set|see|ask|tbd|tba|none|n/a|not|no|to be) ?", re.I)
_SEVERAL = re.compile(r"[,;]\s|\s(?:and|or|but|while)\s|\.\s|[?…]|\.\.\.| [-–—] |: ")

# "upload limit 20 MB", "owner Tomas Lind": what a thing has, in small letters, and its value
_TOLD = re.compile(
    r"(?P<what>(?:[a-z][a-z-]*|[A-Z]{2,5})(?: (?:[a-z][a-z-]*|[A-Z]{2,5}))*?) (?:(?:is |are |= ?)?(?:now |currently )?)"
    r"(?P<value>(?:(?:[A-Z][\w’'-]*|@)(?: |\Z)|[\d€$£~/#@`\"'v-]*\d|https?://|[a-z][\w-]*[._/:][\w./:-]+|[\"'`@#/]).*)\Z"
)
_COUNT = re.compile(r"\d[\d,.]* (?!(?:new|more|extra|added|other|failed|missing) )(?:[a-z][a-z-]+ )?[a-z]{2,}s\Z")
_HOLDING = word_set("cluster pool fleet service gateway team repo repository module class function helper method hall")
_DEGREES = re.compile(r"-?\d+(?:\.\d+)? (?:degrees|percent)\Z")
_ON_DUTY = re.compile(r"(?P<on>On)[ -](?:call|duty) (?:for|at|in|of) \S")
_MEASURED = re.compile(
    r"(?P<value>\d[\d.,]*(?:[ -]?(?:[a-zA-Zµ]+|%)|[€$£])|[€$£]\d[\d.,]*) (?P<what>[a-z][a-z-]*(?: [a-z][a-z-]*){0,3})\Z"
)
_UNMEASURED = word_set("count number text identifier words name code")
_SWITCHED = re.compile(r"(?P<what>[a-z][a-z-]*(?: [a-z][a-z-]*){0,4}) (?P<value>enabled|disabled)\Z")
_POSSESSED = re.compile(r"(?P<who>[^’']+)(?:['’]s|(?<=s)['’]) (?P<what>[a-z][^’']*)\Z")
_OWNED = word_set("my our his her their the")
_IS_THE = re.compile(r"(?P<value>\S[^,;]*?) is (?:now )?the (?P<what>[a-z][\w -]*)\Z")
_OF_PART = re.compile(
    r"(?P<what>(?:the )?[a-z][a-z -]* (?:of|for) (?:the |its )?[^,;:]{2,50}?) (?P<link>is|are) (?:now )?(?=\S)"
    r"(?P<value>[^,;]+)\Z"
)
_CLOCK = re.compile(r"\d{1,2}(?::\d\d)?(?: ?[ap]\.?m\b\.?)?(?: sharp)?\Z")
_POINTS = re.compile(
    r"(?P<key>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+) (?:points?|is pointing|pointing) (?:now )?(?:at|to) "
    r"(?P<value>\S+?)(?P<now> now)?\Z"
)
_DONE = re.compile(r"(?P<now>now )?(?P<done>[a-z]+) (?:at|in|on|to|by|with|under|from|for|as|until) (?P<value>\S.*)\Z")
# What these say lasts: where a thing is, in whose hands, how it is set; what "fixed in 2.3" says happened once
_LASTING = word_set(
    "kept stored hosted housed located based frozen pinned locked capped limited set sized enabled disabled valid open "
    "owned led coached headed chaired licensed scheduled due polled refreshed rotated renewed"
)
_SCHEDULED = word_set("scheduled due valid")
_REPEATED = word_set("polled refreshed rotated renewed")
_EACH = re.compile(r".* (?:every|each|(?:on )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days)\b")
_NO_ACTS = word_set(
    "says asks thinks wants hopes plans adds removes fixes drops bumps updates improves changes tests notes wonders "
    "means"
)


class _Thing(NamedTuple):
    """What a line is about: its words, as they stand inside of a sentence, and as they open one."""

    said: str
    inside: _Pieces
    opening: _Pieces


def note_claims(text: str, statement: Statement, vocabulary: Vocabulary) -> list[Claim]:
    """Read a line of notes that stands by itself; the places of the claims are those of the text."""
    start = statement.start
    line = text[start : statement.end].rstrip(" .\n")
    above = statement.headings or statement.parents or statement.fenced
    if above or statement.kind not in ("sentence", "field") or len(line) > _LONGEST or "\n" in line:
        return []
    if not holds_any(line, _SIGNS):
        return []
    bare = core_of(text, start, start + len(line))
    if bare.text and bare.place(0) > start:
        return []  # "Heads up - the port is 80": a remark before a sentence
    whole = Core(line, None, start, False, "")
    claims = _first_claims(note_cores(whole), vocabulary)
    if not claims or text.strip() != text[start : statement.end].strip():
        return claims
    # "Checkout gateway" may be the checkout gateway, or one that is called Checkout
    known = {(canonical_subject(c.subject), c.relation.name) for c in claims}
    others = _first_claims(note_cores(whole, named=True), vocabulary)
    return claims + [
        c._replace(narrative=True, beside=True)
        for c in others
        if (canonical_subject(c.subject), c.relation.name) not in known
    ]


def _first_claims(cores: Iterator[Core], vocabulary: Vocabulary) -> list[Claim]:
    """Return what the first of some sentences says that says anything."""
    for core in cores:
        claims = placed_claims(core, vocabulary)
        if claims and not any(map(is_loose, claims)):
            return claims
    return []


def note_cores(core: Core, *, named: bool = False) -> Iterator[Core]:
    """Yield the plain sentences that a line may stand for.

    Args:
        core: The line.
        named: Whether the capital at its start is that of a name, rather than of the line.

    Example:
        >>> [c.text for c in note_cores(Core("Photo form - upload limit 20 MB", None, 0, False, ""))][0]
        'The upload limit of the photo form is 20 MB'
    """
    text = core.text
    if (points := _POINTS.match(text)) is not None:
        yield put(core, (points.span("key"), " is ", points.span("value")))._replace(changed=bool(points["now"]))
        return
    parts, changed = _parted(text), False
    if not parts or not all(text[slice(*part)].strip() for part in parts):
        return
    *label, value = parts
    if (was := WAS_TAIL.search(text, *value)) is not None:
        value, changed = (value[0], was.start()), True
    if (now := _NOW.match(text, *value)) is not None:
        value, changed = (now.end(), value[1]), True
    if value[0] >= value[1]:
        return
    found = (
        _of_two(text, label[0], label[1], value) if len(label) == 2 else _of_one(text, _thing(text, label[0]), value)
    )
    for pieces in found:
        kept = tuple(p if isinstance(p, str) else p[:2] for p in pieces) if named else pieces
        yield put(core, kept)._replace(changed=changed)


def _parted(text: str) -> tuple[_Span, ...]:
    """Part a line at its dashes and its colon, two at most; a comma or brackets may part the label, too."""
    at = found.end() if (found := _BULLET.match(text)) is not None else 0
    breaks = list(_BREAK.finditer(masked(text), at))
    if not 1 <= len(breaks) <= 2 or "?" in text or "…" in text:
        return ()
    label, rest = (at, breaks[0].start()), (breaks[0].end(), len(text))
    if len(breaks) == 2:
        second = (breaks[0].end(), breaks[1].start())
        return () if ":" in breaks[0][0] else (_bare(text, label), _bare(text, second), (breaks[1].end(), len(text)))
    for shape in _PARTS:
        if (parts := shape.match(text, *label)) is not None:
            return _bare(text, parts.span("first")), _bare(text, parts.span("second")), rest
    return _bare(text, label), rest


def _bare(text: str, span: _Span) -> _Span:
    """Return where a label stands without the marks that make it bold."""
    said = text[slice(*span)]
    if said[:2] == said[-2:] == "**" or (said[:2] == "**" and "**" not in said[2:]):
        return span[0] + 2, span[1] - 2 * said.endswith("**")
    return span


def _of_two(text: str, first: _Span, second: _Span, value: _Span) -> Iterator[_Pieces]:
    """Yield "The sorting algorithm of RankList is merge sort" for "RankList - sorting algorithm: merge sort"."""
    names = text[slice(*first)], text[slice(*second)]
    dashed = any(map(text[first[1] : second[0]].__contains__, "-–—"))
    kind = _KIND.match(text, first[0], second[1])
    if kind is not None and is_identifier(kind["name"]) and stands_for_thing(kind["kind"]):
        # "community.general, the Ansible collection: frozen at 9.1.0"
        yield from _predicated(text, ("The ", kind.span("kind"), " ", kind.span("name")), kind["kind"], value)
        return
    if dashed and names_thing(names[0]) and is_noun_phrase(names[1]):
        yield from _attributed(text, _thing(text, first), second, value)
    elif dashed:
        return
    elif _tells_attribute(text, value) and all(map(stands_for_thing, names)) and _may_own(names[0]):
        yield from _of_one(text, _within(text, first, second), value)  # "API gateway, staging: read timeout 40 s"
    elif (parted := split(*names)) is not None:
        thing, other = (first, second) if parted[0] == names[0] else (second, first)
        yield from _attributed(text, _thing(text, thing), other, value)
    elif all(map(stands_for_thing, names)):
        yield from _predicated(text, _within(text, first, second).opening, names[0], value)


def _may_own(said: str) -> bool:
    """Whether words name a thing rather than what one has."""
    return is_thing(said) or not has_one(_lower(said))


def _within(text: str, first: _Span, second: _Span) -> _Thing:
    """Return a thing and what it belongs to, or where it stands: "Paper bin, our street"."""
    thing, whole = _thing(text, first), _thing(text, second)
    link = " of " if len(whole.said.split()) > 1 else " in "
    return _Thing(thing.said, (*thing.inside, link, *whole.inside), (*thing.opening, link, *whole.inside))


def _attributed(text: str, thing: _Thing, what: _Span, value: _Span) -> Iterator[_Pieces]:
    """Yield the sentences that give a value to what a thing has."""
    said, told = text[slice(*what)], text[slice(*value)]
    if _NO_VALUE.match(told) or _SEVERAL.search(told):
        return
    if not lasts(thing.said, said) or (is_role(said) and may_be_person(thing.said) and not told.split()[1:]):
        return  # "Anna Reyes - owner: Search": who owns what?
    first, head = _lower(said), head_phrase([w.lower() for w in said.split()])[0]
    if told.replace(",", "").isdigit() and is_plural(head):
        yield f"The number of {first} of ", *thing.inside, " is ", value
        return
    if is_plural(head) and not has_one(said):
        return
    words = told.split()
    if words[0] == "default" and len(words) == 2 and (is_identifier(words[1]) or words[1].lstrip("-").isdigit()):
        yield f"The default of the {first} of ", *thing.inside, " is ", (value[0] + len("default "), value[1])
        return
    whole: _Pieces = (f"The {first} of ", *thing.inside)
    if words[0] in THIRD or (_DONE.match(told) is not None and not words[0][0].isdigit()):
        yield from _predicated(text, whole, said, value)
        return
    yield *whole, " is ", value
    yield *thing.opening, f"'s {first} is ", value


def _of_one(text: str, thing: _Thing, rest: _Span) -> Iterator[_Pieces]:
    """Yield what a line says of the one thing that its label names."""
    said, told = thing.said, text[slice(*rest)]
    if (on_duty := _ON_DUTY.match(said)) is not None:
        if _is_value(text, rest) and not _SEVERAL.search(told):
            yield rest, f" is on{said[on_duty.end('on') :]}"  # "On call for the cluster: Ann Lee"
        return
    if not names_thing(said):
        return
    if (is_the := _IS_THE.match(text, *rest)) is not None and has_one(is_the["what"]):
        if _is_value(text, is_the.span("value")):
            yield f"The {is_the['what']} of ", *thing.inside, " is ", is_the.span("value")
        return
    if (part := _OF_PART.match(text, *rest)) is not None:
        if part["what"].startswith("the ") and not is_thing(said):
            return  # a sentence, and perhaps what it is told for
        what = part["what"].removeprefix("the ")
        yield f"The {what} in ", *thing.inside, f" {part['link']} ", part.span("value")
        return
    if _SEVERAL.search(told):
        return
    if _DEGREES.match(told):
        return  # a recipe, today's weather
    if _COUNT.match(told) and canonical_value(told)[1].startswith("count"):
        if head_phrase([w.lower() for w in said.split()])[0] in _HOLDING and " " in said:
            yield *thing.opening, " has ", rest
        return  # "Shopping list - 3 eggs"
    if _tells_attribute(text, rest):
        noted = _TOLD.match(text, *rest) or _MEASURED.match(text, *rest) or _SWITCHED.match(text, *rest)
        if noted is not None and lasts(said, noted["what"]) and not (is_role(noted["what"]) and may_be_person(said)):
            yield f"The {noted['what']} of ", *thing.inside, " is ", noted.span("value")
        return
    found = find_typed(text, *rest)
    if (own := _POSSESSED.match(said)) is not None and is_noun_phrase(own["what"]) and _owns(own["who"]):
        if found is not None and found[2] == rest[1] and (has_one(own["what"]) or found[3] == "number"):
            yield *_owned(thing, own["who"]), _be(own["what"]), rest  # "Noor's desk: 17"
        return
    if text[rest[0] - 2] in "-–—" and " " in said and has_one(_lower(said)):
        if found is not None and found[2] == rest[1] and found[3] != "name":
            yield *thing.opening, " is ", rest  # "API gateway timeout - 40 seconds"
        return
    yield from _predicated(text, thing.opening, said, rest)


def _owns(who: str) -> bool:
    """Whether words before "'s" name who has what stands behind it: "Noor", and not "Seats in the pub"."""
    return names_thing(who) and _may_own(who) and PREPOSITIONS.isdisjoint(who.lower().split())


def _owned(thing: _Thing, owner: str) -> _Pieces:
    """Return what is told of as somebody's as it opens a sentence; "Noor's desk" has no article."""
    if owner.split()[0].lower() in _OWNED:
        return thing.opening
    last = thing.opening[-1]
    named = " " not in owner and not is_of_many(owner)
    return (last[:2],) if named and not isinstance(last, str) else ("The ", last)


def _be(said: str) -> str:
    """Return the verb between words and what they are."""
    return " are " if is_plural(head_phrase([w.lower() for w in said.split()])[0]) else " is "


def _tells_attribute(text: str, rest: _Span) -> bool:
    """Whether words tell what a thing has and its value: "timeout 40 s", "40 s timeout", "two-factor login enabled"."""
    for shape in (_TOLD, _MEASURED):
        if (noted := shape.match(text, *rest)) is not None and noted["what"] != "default" and has_one(noted["what"]):
            counted = shape is _MEASURED and canonical_value(noted["value"])[1].partition(":")[0] in _UNMEASURED
            return not counted and _is_value(text, noted.span("value"))
    switched = _SWITCHED.match(text, *rest)
    return switched is not None and is_noun_phrase(switched["what"]) and stands_for_thing(switched["what"])


def _is_value(text: str, span: _Span) -> bool:
    """Whether a place holds one value and nothing else."""
    found = find_typed(text, *span)
    return found is not None and found[2] == span[1]


def _predicated(text: str, subject: _Pieces, named: str, rest: _Span) -> Iterator[_Pieces]:
    """Yield what is done with a thing, or what it does: "kept in the garage", "opens 10:30"."""
    told = text[slice(*rest)]
    first, _, behind = told.partition(" ")
    if not behind or _SEVERAL.search(told):
        return
    if (first in THIRD and first not in _NO_ACTS) or told.startswith("times out "):
        at = rest[0] + len(first) + 1
        if _CLOCK.match(behind):
            yield *subject, " ", (rest[0], at), "at ", (at, rest[1])
        elif canonical_value(behind)[1] in ("date", "day"):
            yield *subject, " ", (rest[0], at), "on ", (at, rest[1])  # "expires 5 May 2026"
        else:
            yield *subject, " ", rest
        return
    if (done := _DONE.match(told)) is not None and done["done"] in _LASTING:
        kind = canonical_value(done["value"])[1].partition(":")[0]
        dated = kind in ("date", "time", "weekday", "day")
        if done["done"] in _REPEATED and _EACH.match(told) is None:
            return  # "Car: cleaned on Monday" tells what happened
        if dated and done["done"] not in _REPEATED | _SCHEDULED:
            return  # "Car: parked on Monday", too
        yield *subject, _be(named), rest


def _lower(said: str) -> str:
    """Return words as they stand inside of a sentence: "Rate limit" as "rate limit", "HR limit" as it is."""
    return said[0].lower() + said[1:] if said.split()[0][1:].islower() else said


def _thing(text: str, span: _Span) -> _Thing:
    """Return the words of a thing as they stand in a sentence, with their article."""
    said = text[slice(*span)]
    first, *more = said.split()
    start, end = span
    if first.lower() in _OWNED:
        behind = (start + len(first), end)
        return _Thing(said, (first.lower(), behind), (first.capitalize(), behind))
    if not more or is_whole_name(said):
        return _Thing(said, (span,), (span,))  # a name
    opens = not text[:start].strip("-*•_ ") and _lower(first) != first  # elsewhere a capital is that of a name
    piece: tuple[int, ...] = (start, end, 1) if opens else span
    return _Thing(said, ("the ", piece), ("The ", piece))
