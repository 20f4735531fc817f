"""A quantity that a verb or an adjective tells, put under the noun of its attribute: "seats 180", "is 4 km in length".

"The Linden hall seats 180" says what "The capacity of the Linden hall is 180" says, so it is made into that sentence.
A frame names the noun, what the sentence has before and behind the value, and of which kinds the value may be: "holds
20 litres" and "holds 20 people" are capacities, "holds 20%" is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from memstrata_integrations.canonical import canonical_value
from memstrata_integrations.extraction.sentences.clauses import subject_is_sound
from memstrata_integrations.extraction.sentences.dispatch import Dispatch, Needles, signs_of
from memstrata_integrations.extraction.sentences.reordering import put
from memstrata_integrations.extraction.sentences.role_words import head_phrase
from memstrata_integrations.extraction.sentences.slots import find_typed, qualifiers
from memstrata_integrations.extraction.sentences.wording import Core
from memstrata_integrations.units import NUMBER_WORDS
from memstrata_integrations.words import word_set

__all__ = ["OF_QUANTITIES", "quantity_cores"]

_LONGEST = 200
_TRIM = "\"'`().,"
_NUMBER = r"(?=[\d$€£¥±]|(?:" + "|".join(sorted(NUMBER_WORDS)) + r")\b)"
_UP_TO = r"(?: (?:up to|at most|a maximum of|no more than|a total of))?"
_MAY = r"(?:can |may |is able to )?"

_SEATED = [
    "count:person",
    "count:people",
    "count:guest",
    "count:visitor",
    "count:spectator",
    "count:passenger",
    "count:student",
    "count:diner",
    "count:attendee",
    "count:camper",
    "count:child",
    "count:car",
    "count:vehicle",
    "count:bike",
    "count:bicycle",
    "count:boat",
    "count:fan",
    "count:pupil",
    "count:patient",
    "count:prisoner",
    "count:inmate",
    "count:concertgoer",
    "count:worshipper",
    "count:resident",
    "count:employee",
    "count:delegate",
    "count:seat",
    "count:adult",
    "count:tent",
    "count:book",
    "count:volume",
    "count:bottle",
    "count:plate",
    "count:egg",
    "count:cup",
    "count:sheet",
    "count:page",
    "count:hiker",
    "count:sleeper",
    "count:climber",
    "count:skier",
    "count:tenant",
    "count:participant",
    "count:customer",
    "count:user",
    "count:horse",
    "count:cow",
    "count:dog",
    "count:bed",
]
_ANYBODY = word_set(
    "person people guest visitor spectator passenger diner attendee camper sleeper concertgoer worshipper seat fan"
)
# What is there to hold this one kind of thing
_STORES = word_set("park garage lot rack stand shed stable stables kennel kennels marina harbour hangar shelf bookcase")
_VOLUMES = ("volume", "count:gallon", "count:barrel", "size", "binary size")
_EXTENTS = ("length", "imperial length", "m")
_AREAS = ("count:hectare", "count:acre", "count:ha", "count:square metre", "count:square meter", "count:square mile")
_POWER = ("power", "text")
_DEGREES = ("celsius", "fahrenheit", "count:degree")
_MONEY, _PERCENT, _MASS = ("money",), ("percent",), ("mass", "imperial mass")
_SPEED = ("rate:km", "imperial speed", "count:knot", "count:mph")


class _Frame(NamedTuple):
    """How an attribute is told.

    Attributes:
        noun: The attribute.
        before: What stands between the subject and the value.
        behind: What follows the value; it belongs to the frame.
        kinds: What the value may be; an empty one lets it be anything that is counted.
        bare: Whether the value is the number alone, without what it counts.
    """

    noun: str
    before: re.Pattern[str]
    behind: re.Pattern[str]
    kinds: tuple[str, ...]
    bare: bool = False


def _frame(
    noun: str, verbs: str, kinds: tuple[str, ...] | list[str], behind: str = "", *, bare: bool = False
) -> _Frame:
    return _Frame(noun, re.compile(rf" {_MAY}(?:{verbs}){_UP_TO} {_NUMBER}"), re.compile(behind), tuple(kinds), bare)


OF_QUANTITIES: tuple[tuple[_Frame, Needles], ...] = tuple(
    (frame, tuple(map(word_set, needles.split("; "))))
    for needles, frame in (
        (
            "hold holds seat seats sleep sleeps accommodate accommodates fit fits house houses",
            _frame(
                "capacity",
                "holds?|seats?|sleeps?|accommodates?|fits?|houses?",
                ["number", *_SEATED],
                bare=True,
            ),
        ),
        ("hold holds store stores", _frame("capacity", "holds?|stores?", _VOLUMES)),
        (
            "carries carry takes take admits",
            _frame("capacity", "carr(?:y|ies)|takes?|admits?", _SEATED, bare=True),
        ),
        (
            "for; has have offers offer provides provide comes come big large",
            _frame(
                "capacity",
                "(?:has|have|offers?|provides?|comes? with|is big enough|is large enough)"
                "(?: (?:enough )?(?:space|room|seats|seating|beds|places|capacity|accommodation|parking|berths))? for",
                ["number", *_SEATED],
                bare=True,
            ),
        ),
        ("has have", _frame("capacity", "has|have", ["number"], r" (?:seats|places to sit)(?=\Z| )", bare=True)),
        ("stands rises towers", _frame("height", "stands|rises(?: to)?|towers", _EXTENTS, r"(?: (?:tall|high))?")),
        (
            "stretches extends spans",
            _frame("length", "stretches|extends|spans", _EXTENTS, r"(?: (?:long|in length))?"),
        ),
        *(
            (f"in; {noun} {noun},", _frame(noun, "is|are|measures?", kinds, rf" in {noun}"))
            for noun, kinds in (
                *((n, _EXTENTS) for n in ("length", "height", "width", "depth", "diameter", "thickness")),
                *(("circumference", _EXTENTS), ("weight", _MASS), ("area", _AREAS), ("size", _AREAS)),
            )
        ),
        ("across", _frame("width", "is|are|measures?", _EXTENTS, " across")),
        ("above", _frame("elevation", "is|lies|sits|stands", _EXTENTS, " above sea level")),
        (
            "covers spans occupies extends",
            _frame("area", "covers|spans|occupies|extends over|covers an area of", _AREAS),
        ),
        (
            "cruises",
            _frame("cruising speed", "cruises at", _SPEED),
        ),
        (
            "reaches tops maxes",
            _frame(
                "top speed",
                "reaches(?: speeds of)?|tops out at|maxes out at",
                _SPEED,
            ),
        ),
        ("rated", _frame("rating", "(?:is|are) rated (?:at|for)", (*_POWER, "voltage"))),
        (
            "draws consumes",
            _frame("power consumption", "draws|consumes", _POWER),
        ),
        (
            "produces generates delivers outputs puts",
            _frame("output", "produces|generates|delivers|outputs|puts out", ("power",)),
        ),
        ("operates runs", _frame("operating temperature", "operates at|runs at", _DEGREES)),
        ("stored", _frame("storage temperature", "(?:(?:is|are)(?: to be)?|must be|has to be) stored at", _DEGREES)),
        (
            "kept held maintained heated cooled",
            _frame(
                "temperature", "(?:is|are) (?:kept|held|maintained|heated(?: to)?|cooled(?: to)?)(?: at)?", _DEGREES
            ),
        ),
        *(
            (f"{verb}s", _frame(noun, f"{verb}s at", _DEGREES))
            for verb, noun in (("melt", "melting point"), ("boil", "boiling point"), ("freeze", "freezing point"))
        ),
        (
            "retails sells available goes sold offered",
            _frame(
                "price",
                "retails (?:at|for)|sells (?:at|for)|goes for|is available (?:at|for)|is (?:sold|offered) (?:at|for)",
                _MONEY,
            ),
        ),
        (
            "interest",
            _frame(
                "interest rate",
                "earns|pays|bears|yields|carries|accrues|has|offers",
                _PERCENT,
                r"(?: in| of)?(?: annual)? interest(?: (?:a|per) year)?",
            ),
        ),
        ("interest", _frame("interest rate", "(?:earns|pays|bears|charges) interest (?:of|at)", _PERCENT)),
        ("taxed", _frame("tax rate", "(?:is|are) taxed at(?: a rate of)?", _PERCENT)),
        (
            "commission cut",
            _frame(
                "commission", "takes(?: a)?|charges(?: a)?|keeps(?: a)?|deducts(?: a)?", _PERCENT, " (?:commission|cut)"
            ),
        ),
        ("off discount", _frame("discount", "gets?(?: a)?|receives?(?: a)?|has(?: a)?", _PERCENT, " (?:off|discount)")),
        (
            "employs has",
            _frame(
                "headcount",
                "employs|has(?: a (?:staff|workforce) of)?",
                (),
                r" (?:people|persons|staff|employees|workers|staff members)(?=\Z| )",
                bare=True,
            ),
        ),
        ("employs", _frame("headcount", "employs", ("number",), bare=True)),
        (
            "has counts numbers home inhabited",
            _frame(
                "population",
                "has|counts|numbers|is home to|is inhabited by",
                (),
                r" (?:inhabitants|residents|citizens|souls)(?=\Z| )",
                bare=True,
            ),
        ),
        (
            "carries lifts bears supports takes carry lift bear support take",
            _frame("load limit", "carr(?:y|ies)|bears?|supports?|takes?", _MASS),
        ),
        ("lifts lift hoists", _frame("lifting capacity", "lifts?|hoists?", _MASS)),
        ("accurate precise", _frame("accuracy", "is (?:accurate|precise) (?:to(?: within)?|within)", ())),
        ("limited restricted", _frame("speed limit", "is (?:limited|restricted) to", _SPEED)),
    )
)
"""How attributes are told, each with the signs that a sentence needs."""
_FITTING = Dispatch(OF_QUANTITIES)
_EXTENT = re.compile(r" (?:tall|high|long|wide|deep|thick)\Z")
_LOWERED = frozenset(("The", "Our", "My", "Each", "Every", "A", "An", "All"))
# Not whose attribute it is, but who happens to say or have it
_NO_OWNERS = word_set("i we you he she it they this that these those there here who which what one people nobody")


def quantity_cores(core: Core, hidden: str) -> Iterator[Core]:
    """Yield the sentence that names the attribute of which a sentence tells the quantity.

    Args:
        core: The sentence.
        hidden: It, masked.

    Example:
        >>> [c.text for c in quantity_cores(Core("The hall seats 180", None, 0, False, ""), "The hall seats 180")]
        ['The capacity of the hall is 180']
    """
    text = core.text
    if len(text) > _LONGEST:
        return
    for frame in _FITTING(signs_of(hidden)):
        for match in frame.before.finditer(hidden):
            if (told := _told(frame, text, hidden, match)) is not None:
                yield put(core, told)
                return


def _told(frame: _Frame, text: str, hidden: str, match: re.Match[str]) -> tuple[str | tuple[int, int], ...] | None:
    start, begins = match.start(), match.end()
    found = find_typed(text, begins, len(text))
    if found is None or found[3] != "number":
        return None
    kind = canonical_value(text[slice(*found[:2])])[1]
    stop, ends = found[1], found[1]
    if (extent := _EXTENT.search(text[begins:stop])) is not None:
        stop = ends = begins + extent.start()
    if frame.bare:
        counted = text.rfind(" ", begins, stop)
        if counted >= 0 and kind.startswith("count:"):
            stop = counted
        elif kind != "number":
            return None
        if canonical_value(text[begins:stop])[1] != "number":
            return None
        ends = ends if not frame.behind.pattern else stop
    behind = frame.behind.match(hidden, ends)
    if behind is None or not _fits(kind, frame.kinds):
        return None
    tail = qualifiers(text[behind.end() :])
    subject = text[:start].strip()
    if tail is None or not _is_owner(hidden[:start].strip(), subject):
        return None
    noun = frame.noun
    special = noun == "capacity" and frame.bare and kind.startswith("count:") and kind[6:] not in _ANYBODY
    if special and head_phrase(subject.lower().split())[-1] not in _STORES:
        noun = f"{kind[6:]} capacity"  # a ship carries passengers, and cars as well
    first = subject.split(" ", 1)[0]
    opening = first.lower() if first in _LOWERED else first
    whose: tuple[str | tuple[int, int], ...] = (opening, (len(first), start))
    behind_it: tuple[str | tuple[int, int], ...] = (f" {tail}",) if tail else ()
    return f"The {noun} of ", *whose, *behind_it, " is ", (begins, stop)


def _fits(kind: str, kinds: tuple[str, ...]) -> bool:
    return not kinds or any(kind == k or kind.startswith((f"{k}:", f"{k}/")) for k in kinds)


def _is_owner(hidden: str, subject: str) -> bool:
    """Whether a subject names one thing, or each of its kind."""
    words = subject.split()
    if not words or words[0].strip(_TRIM).lower() in _NO_OWNERS:
        return False
    if words[0] in ("Each", "Every", "A", "An"):
        hidden, subject = (f"The{said[len(words[0]) :]}" for said in (hidden, subject))
    return subject_is_sound(hidden, subject)
