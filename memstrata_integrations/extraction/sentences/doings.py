"""What a verb says of a price, a time or a place, put as people say it with a noun, or with the verb that is usual.

"The school charges 9,900 euros in tuition" is "Tuition of the school costs 9,900 euros", "The dough rests for 40
minutes" is "The resting time of the dough is 40 minutes", "Rehearsals of the choir are held in the Corn Hall" is "The
choir rehearses in the Corn Hall". The plain sentence is then judged like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memstrata_integrations.canonical import canonical_value
from memstrata_integrations.extraction.sentences.dispatch import A_NUMBER, Needles
from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.reordering import HAS_MEASURED, measured
from memstrata_integrations.extraction.sentences.role_words import head_phrase
from memstrata_integrations.extraction.sentences.slots import find_typed, qualifiers
from memstrata_integrations.extraction.sentences.verbs import gerund_of, participle_of, third_of
from memstrata_integrations.words import word_set

__all__ = ["OF_DOINGS"]

_Pieces = tuple[str | tuple[int, ...], ...]
_LOWERED = frozenset(("The", "Our", "My", "Each", "Every", "A", "An", "All"))
_NO_OWNERS = word_set("i we you he she it they this that these those who which one people nobody there")

_CHARGES = re.compile(
    r" (?:charges?|asks?|takes?) (?:(?:an? |the )?(?P<what>admission|entry|entrance|tuition|parking|membership"
    r"|registration|shipping|delivery|postage|rent)(?: fees?)? of )?(?=[$€£¥\d])"
)
_CHARGED_FOR = re.compile(r" (?:for|in) (?:an? |the )?(?P<what>[a-z][a-z-]*(?: [a-z-]+){0,3}?)(?: fees)?\Z")
# What goes on for a while, by itself or because somebody does it
_LASTING = word_set(
    "rest bake cook simmer boil roast steam soak marinate ferment age chill freeze dry cool cure prove proof rise "
    "steep "
    "brew infuse hibernate incubate gestate charge train run"
)
_REST = {third_of(verb) for verb in _LASTING - {"run", "charge", "train"}} | (_LASTING - {"run"})
_RESTS = re.compile(
    rf" "
    rf"(?P<verb>{'|'.join(sorted(_REST))})"
    r" for (?=\d|[a-z]+ )"
)
_RESTED = re.compile(
    rf" (?:is|are) (?P<done>{'|'.join(sorted(participle_of(v) for v in _LASTING))}|left to (?P<verb>rest|rise|cool|dry"
    r"|prove|soak|steep|cure)) for (?=\d|[a-z]+ )"
)
_OF_DONE = {participle_of(v): v for v in _LASTING}
_OF_THIRD = {third_of(v): v for v in _LASTING} | {v: v for v in _LASTING}
_ACTS = {
    "rehearsals": "rehearses",
    "meetings": "meets",
    "practices": "practises",
    "training": "trains",
    "training sessions": "trains",
    "departures": "departs",
}
_ACTING = frozenset(said for act in _ACTS for word in act.split() for said in (word, word.title(), word.upper()))
_HELD = re.compile(
    rf"(?:(?:[Tt]he )?(?P<act>(?i:{'|'.join(sorted(_ACTS))})) (?:of|for) (?P<who>[^,;]+?)|(?P<owner>[^,;]+?)['’]s? "
    rf"(?P<act2>{'|'.join(sorted(_ACTS))})) (?:are|is|take place|takes place)(?: held)? (?P<where>(?:in|at|on) "
    rf"\S[^,;]*)\Z"
)
_AT_STREET = re.compile(r" (?:is|sits|stands|can be found) at (?=\d+[A-Za-z]? [A-Z])")
_FORMS = word_set(
    "application applications registration registrations submission submissions entry entries nomination nominations "
    "bids voting enrolment enrollment signup sign-ups ballot poll call admissions bookings"
)
_SHUTS = re.compile(r" (?:closes|close|ends|end) (?P<prep>on|at) (?=\S)")
_DUE = re.compile(
    r" (?:must|have to|has to|need to|needs to) be (?:submitted|handed in|turned in|returned|filed|paid|delivered"
    r"|received|sent in|in|made|renewed|reported|completed|lodged) (?:by|before|no later than) (?=\S)"
)
_SCREEN = re.compile(
    r" (?:has|comes with|is equipped with|is fitted with|features) an? (?P<value>\d[\d.]*-(?:inch|mm|cm)) "
    r"(?P<noun>(?:[a-z]+ )?(?:screen|display|touchscreen|panel))\Z"
)
_RUNS_FOR = re.compile(r" (?:runs|run|goes on|go on|continues|spans) for (?=\d|[a-z]+ )")
_TERMS = word_set(
    "trial lease contract offer promotion course exhibition show film movie play programme program campaign "
    "subscription "
    "mandate term tour festival fair sale session event workshop season series internship probation membership "
    "warranty "
    "guarantee agreement sentence sabbatical project residency fellowship"
)
_RENTED = re.compile(r" (?:can be|is|are) (?:rented|hired|booked|let|rented out)(?: out)? (?:for|at) (?=[$€£¥\d])")
_SHIPS = re.compile(
    r" (?:ships with|comes with|bundles|includes|uses|carries|embeds|is bundled with) version "
    r"(?P<value>v?\d[\w.+-]*) of (?P<what>[^,;]+)\Z"
)
_FOLDED = re.compile(
    r" (?:has|is run by|is governed by|is led by) an? (?P<value>\d+|two|three|four|five|six|seven|eight|nine|ten|eleven"
    r"|twelve|thirteen|fourteen|fifteen|sixteen|twenty)-(?:member|person|man|strong) (?P<noun>[a-z]+)\Z"
)


def _lowered(text: str, start: int, end: int) -> _Pieces:
    """Return what a sentence opens with as it stands inside of one."""
    first = text[start:end].split(" ", 1)[0]
    return (first.lower(), (start + len(first), end)) if first in _LOWERED else ((start, end),)


def _is_thing(text: str) -> bool:
    words = text.split()
    return bool(words) and len(words) < 12 and words[0].lower() not in _NO_OWNERS and quiet(text)


def _amount(text: str, start: int, kinds: tuple[str, ...]) -> tuple[int, int] | None:
    found = find_typed(text, start, len(text))
    if found is None or found[3] not in ("number", "date"):
        return None
    kind = canonical_value(text[found[0] : found[1]])[1]
    return found[:2] if kind.startswith(kinds) else None


def _charges(text: str, hidden: str) -> _Pieces | None:
    """Read "The school charges 9,900 euros a year in tuition" and "The car park charges 2 euros an hour"."""
    match = _CHARGES.search(hidden)
    value = _amount(text, match.end(), ("money",)) if match is not None else None
    if match is None or value is None or not _is_thing(text[: match.start()]):
        return None
    who = (0, match.start())
    if match["what"]:
        if text[value[1] :].strip():
            return None
        return match["what"].capitalize(), " of ", *_lowered(text, *who), " costs ", value
    if not text[value[1] :].strip():
        return (who, " costs ", value) if "charge" in match[0] else None
    what = _CHARGED_FOR.match(hidden, value[1])
    if what is None or not quiet(what["what"]):
        return None
    start, end = what.span("what")
    return text[start].upper(), (start + 1, end), " of ", *_lowered(text, *who), " costs ", value


def _rests(text: str, hidden: str) -> _Pieces | None:
    """Read "The dough rests for 40 minutes" and "The beans are soaked for 8 hours"."""
    match = _RESTED.search(hidden) or _RESTS.search(hidden)
    value = _amount(text, match.end(), ("duration", "months")) if match is not None else None
    if match is None or value is None or not _is_thing(text[: match.start()]):
        return None
    tail = qualifiers(text[value[1] :])
    if tail is None:
        return None
    verb = _OF_THIRD[match["verb"]] if match["verb"] else _OF_DONE[match["done"]]
    behind = (f" {tail}",) if tail else ()
    return f"The {gerund_of(verb)} time of ", *_lowered(text, 0, match.start()), *behind, " is ", value


def _runs_for(text: str, hidden: str) -> _Pieces | None:
    """Read "The trial runs for 30 days" as how long it lasts, "The hall can be rented for 90 euros" as its rent."""
    match = _RUNS_FOR.search(hidden)
    kinds: tuple[str, ...] = ("duration", "months")
    link = " lasts "
    if match is None:
        match, kinds, link = _RENTED.search(hidden), ("money",), ""
    elif head_phrase(text[: match.start()].lower().split())[-1] not in _TERMS:
        return None
    value = _amount(text, match.end(), kinds) if match is not None else None
    if match is None or value is None or not _is_thing(text[: match.start()]) or text[value[1] :].strip():
        return None
    if link:
        return (0, match.start()), link, value
    return "The rent of ", *_lowered(text, 0, match.start()), " is ", value


def _held(text: str, hidden: str) -> _Pieces | None:
    """Read "Rehearsals of the choir are held in the Corn Hall" as where it rehearses."""
    match = _HELD.match(hidden)
    if match is None:
        return None
    who = match.span("who") if match["act"] else match.span("owner")
    act = (match["act"] or match["act2"]).lower()
    if not _is_thing(text[slice(*who)]):
        return None
    return text[who[0]].upper(), (who[0] + 1, who[1]), f" {_ACTS[act]} ", match.span("where")


def _at_street(text: str, hidden: str) -> _Pieces | None:
    """Read "The surgery is at 3 Mill Brae" as its address."""
    match = _AT_STREET.search(hidden)
    if match is None or not text.startswith(("The ", "Our ", "My ")) or not _is_thing(text[: match.start()]):
        return None
    if canonical_value(text[match.end() :])[1] not in ("text", "address", "name"):
        return None  # "The limit sits at 50 MB"
    return (0, match.start()), " is located at ", (match.end(), len(text))


def _due(text: str, hidden: str) -> _Pieces | None:
    """Read "Applications close on 1 March" and "Abstracts must be submitted by 10 March" as the deadline."""
    match = _DUE.search(hidden)
    if match is None:
        match = _SHUTS.search(hidden)
        if match is None or _FORMS.isdisjoint(w.lower() for w in text[: match.start()].split()[:3]):
            return None
    value = _amount(text, match.end(), ("day", "date", "weekday", "time"))
    if value is None or text[value[1] :].strip() or not _is_thing(text[: match.start()]):
        return None
    what = text[: match.start()].replace(" to ", " of ")
    first = what.split(" ", 1)[0]
    plain = first[0].lower() + first[1:] if first[1:].islower() else first
    return f"The deadline for {plain}{what[len(first) :]} is ", value


def _fitted(text: str, hidden: str) -> _Pieces | None:
    """Read "The Pine Room is equipped with a 55-inch screen" and "The trust has an eleven-member board"."""
    match = _SCREEN.search(hidden)
    if match is not None and _is_thing(text[: match.start()]):
        return (
            "The size of the ",
            match.span("noun"),
            " of ",
            *_lowered(text, 0, match.start()),
            " is ",
            match.span("value"),
        )
    match = _FOLDED.search(hidden)
    if match is None or not _is_thing(text[: match.start()]):
        return None
    whose = _lowered(text, 0, match.start())
    return "The number of members of the ", match.span("noun"), " of ", *whose, " is ", match.span("value")


def _ships(text: str, hidden: str) -> _Pieces | None:
    """Read "The agent ships with version 0.9.4 of the collector"."""
    match = _SHIPS.search(hidden)
    if match is None or not _is_thing(text[: match.start()]) or not quiet(match["what"]):
        return None
    whose = _lowered(text, 0, match.start())
    return "The version of ", match.span("what"), " in ", *whose, " is ", match.span("value")


def _measured(text: str, hidden: str) -> _Pieces | None:
    """Read "The drill comes with a 2-year guarantee"."""
    return next(measured(text, hidden), None)


OF_DOINGS: tuple[tuple[Callable[[str, str], _Pieces | None], Needles], ...] = (
    (_charges, (word_set("charges charge asks ask takes take"), frozenset((A_NUMBER,)))),
    (_rests, (word_set("for"), frozenset(_REST) | frozenset(_OF_DONE) | {"left"})),
    (
        _runs_for,
        (word_set("for at"), word_set("runs run goes go continues spans rented hired booked let")),
    ),
    (_held, (word_set("are is place"), _ACTING)),
    (_at_street, (word_set("at"), frozenset((A_NUMBER,)))),
    (
        _due,
        word_set(
            "closes close ends end submitted in returned filed paid delivered received made renewed reported "
            "completed lodged"
        ),
    ),
    (_fitted, (word_set("a an"), word_set("has comes equipped fitted features run governed led"))),
    (_measured, (word_set("a an"), HAS_MEASURED)),
    (_ships, word_set("version")),
)
"""Readers of the plain sentence that one of this kind stands for, each with the signs that it needs."""
