"""What people say of their days in a form of its own: standing orders, amounts they pay, the train they take, floors.

"Ship my orders to 22 Elm Court", "I owe Marek 50 euros", "I take the 8:05 train to work", "We live on the second
floor", "I'd like your answers in German". Two such statements stand side by side; one that announces a change takes
the place of those before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.dispatch import Dispatch, Needles, signs_of
from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.extraction.sentences.verbs import verb_of_gerund
from memstrata_integrations.extraction.sentences.weak import SIDE_BY_SIDE
from memstrata_integrations.relations import known
from memstrata_integrations.words import word_set

__all__ = ["WISH_WORDS", "read_wish"]

_LONGEST = 160
_LATE, _IS = known("does of late"), known("is")
_WHO = r"(?:I|[Ww]e|[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)?|(?:[Mm]y|[Oo]ur) [a-z][\w-]*(?: [a-z][\w-]*)?)"
_SHIP = re.compile(
    r"(?:[Pp]lease )?(?P<act>[Ss]hip|[Ss]end|[Dd]eliver|[Pp]ost|[Ff]orward|[Bb]ring|[Dd]rop off) "
    r"(?P<what>(?:my|our|all|all my|all our|the) (?:[a-z-]+ )?[a-z]+s) (?:to|at|in|with) (?P<value>\S.*)\Z"
)
_LIKE_IN = re.compile(
    r"(?:I['’]d (?:like|prefer)|I (?:want|prefer|like)|(?:[Pp]lease )?[Gg]ive me) (?P<what>(?:your|my|the|all) "
    r"[a-z]+(?: [a-z]+)?|(?<=[Gg]ive me )[a-z]+s) "
    r"(?P<prep>in|by|as|on|with|via) (?P<value>(?:the )?[\w’'-]+(?: [\w’'-]+){0,2})\Z"
)
_USE_WHEN = re.compile(
    r"(?:[Pp]lease )?[Uu]se (?P<value>(?!it\b|this\b|that\b)[\w’'-]+(?: [\w’'-]+)?) (?P<what>(?:when|whenever) you "
    r"[^,;:]{3,60})\Z"
)
_AMOUNT = re.compile(
    rf"(?P<who>{_WHO}) (?:(?:am|is|are) )?(?P<verb>owes?|saves?|saving|pays?|paying|earns?|earning|donates?|donating"
    rf"|spends?"
    r"|spending|gives?|giving|contributes?|lends?|transfers?|puts? aside|putting aside|sets? aside|gets?|getting) "
    r"(?P<to>(?:(?:my |our |the )?[\w’'-]+(?: [\w’'-]+)? )?)(?=[\d$€£¥])"
)
_TAKES = re.compile(
    rf"(?P<who>{_WHO}) (?P<verb>takes?|catch(?:es)?|gets?|am on|is on|are on|am booked on|is booked on|are booked "
    rf"on) the "
    r"(?P<value>\d{1,2}[:.]\d\d(?: ?[ap]m)?) (?P<noun>train|bus|ferry|flight|tram|boat|shuttle"
    r"|service)(?P<tail>[^,;:]*)\Z"
)
_FLOOR = re.compile(
    rf"(?P<who>{_WHO}) (?P<verb>lives?|sits?|works?|am|is|are) on the (?P<value>[a-z-]+|\d+(?:st|nd|rd|th)) floor"
    r"(?P<tail>(?: of [^,;:]+)?)\Z"
)
_KEEP = re.compile(
    rf"(?P<who>{_WHO}) (?:keeps?|stores?|parks?|leaves?|hides?) (?P<what>(?:my|our|the) (?:[a-z-]+ ){{0,2}}[a-z-]+) "
    r"(?:in|on|under|behind|inside|at|with|by|beside|above) (?P<value>(?:the|my|our) [^,;:]+)\Z"
)
_DIET = re.compile(
    rf"(?P<who>{_WHO}) (?:am|is|are) (?:an? )?(?P<value>vegetarian|vegan|pescatarian|omnivore|flexitarian|teetotal)s?\Z"
)
_BASE = {doing: verb_of_gerund(doing) for doing in ("saving", "paying", "earning", "donating", "spending", "giving")}


def read_wish(core: str, changed: bool) -> Claim | None:
    """Read a standing order or a statement of one's days; the places of the claim are those of `core`.

    Args:
        core: The sentence, without its full stop and what wraps it.
        changed: Whether its wrapping announces a change.
    """
    if len(core) > _LONGEST:
        return None
    for reader in _FITTING(signs_of(core)):
        if (claim := reader(core, changed)) is not None:
            return claim
    return None


def _late(said: str, span: tuple[int, int], changed: bool) -> Claim | None:
    if not quiet(said.replace("your ", "")):
        return None
    return Claim(said, _LATE, *span, "of one's days", SIDE_BY_SIDE, narrative=changed)


def _ships(core: str, changed: bool) -> Claim | None:
    match = _SHIP.match(core)
    if match is None or not quiet(match["value"]):
        return None
    return _late(f"{match['act'].lower()} {match['what']} (to)", match.span("value"), changed)


def _likes_in(core: str, changed: bool) -> Claim | None:
    match = _LIKE_IN.match(core)
    return _late(f"like {match['what']} ({match['prep']})", match.span("value"), changed) if match else None


def _uses_when(core: str, changed: bool) -> Claim | None:
    match = _USE_WHEN.match(core)
    if match is None:
        return None
    what = match["what"].removeprefix("whenever ").removeprefix("when ")
    return Claim(f"use in {what}", _LATE, *match.span("value"), "of one's days", SIDE_BY_SIDE, narrative=changed)


def _amounts(core: str, changed: bool) -> Claim | None:
    match = _AMOUNT.match(core)
    found = find_typed(core, match.end(), len(core)) if match else None
    if match is None or found is None or found[3] != "number":
        return None
    rest = core[found[2] :]
    if any(c.isdigit() for c in rest) or "," in rest:
        return None
    verb = _BASE.get(match["verb"], match["verb"])
    return _late(f"{match['who']} {verb} {match['to']}{rest}", found[:2], changed)


def _takes(core: str, changed: bool) -> Claim | None:
    match = _TAKES.match(core)
    return _late(f"{match['who']} take {match['noun']}{match['tail']}", match.span("value"), changed) if match else None


def _floors(core: str, changed: bool) -> Claim | None:
    match = _FLOOR.match(core)
    if match is None:
        return None
    return _late(f"{match['who']} {match['verb']} on floor{match['tail']}", match.span("value"), changed)


def _keeps(core: str, changed: bool) -> Claim | None:
    match = _KEEP.match(core)
    if match is None or not quiet(match["value"]) or any(c.isdigit() or c.isupper() for c in match["value"]):
        return None
    return _late(f"place of {match['what']}", match.span("value"), changed)


def _diets(core: str, changed: bool) -> Claim | None:
    match = _DIET.match(core)
    if match is None:
        return None
    return Claim(f"diet of {match['who']}", _IS, *match.span("value"), "diet", "status")


_READERS: tuple[tuple[Needles, Callable[[str, bool], Claim | None]], ...] = (
    (word_set("Ship ship Send send Deliver deliver Post post Forward forward Bring bring Drop drop"), _ships),
    ((word_set("in by as on with via"), word_set("I I'd I’d me")), _likes_in),
    (word_set("when whenever"), _uses_when),
    (
        word_set(
            "owe owes save saves saving pay pays paying earn earns earning donate donates donating spend spends "
            "spending "
            "give gives giving contribute contributes lend lends transfer transfers aside get gets getting"
        ),
        _amounts,
    ),
    (word_set("train bus ferry flight tram boat shuttle service"), _takes),
    (word_set("floor"), _floors),
    (word_set("keep keeps store stores park parks leave leaves hide hides"), _keeps),
    (word_set("vegetarian vegan pescatarian omnivore flexitarian teetotal"), _diets),
)
"""Readers, each behind the words of which a sentence must hold one."""
_FITTING = Dispatch([(reader, needed) for needed, reader in _READERS])
WISH_WORDS = _FITTING.needles
"""Of these a sentence holds one that `read_wish` reads."""
