"""One noun for one attribute: "seating capacity", "workforce", "rated power", where the value shows which is meant.

"The interest on the account is 2 %" is an interest rate, "the workforce is 290" a headcount; "the interest of the
members is 40" is neither.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.role_words import head_phrase
from memstrata_integrations.relations import known
from memstrata_integrations.words import Phrases, lower_words, word_set

__all__ = ["hired", "one_attribute"]

_COUNTED = ("number", "count")
_AREAS = ("count:hectare", "count:acre", "count:ha", "count:square", "area")
# Attribute, the kinds of its value, its other names
_NOUNS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        "capacity",
        _COUNTED,
        "seating capacity, sleeping capacity, seat count, number of seats, maximum occupancy, max occupancy, "
        "occupancy limit, "
        "maximum number of people, maximum number of guests, maximum number of passengers, maximum number of persons",
    ),
    (
        "headcount",
        _COUNTED,
        "workforce, staff, staff size, number of employees, number of staff, employee count, personnel, "
        "number of workers, staff count, number of people employed",
    ),
    ("population", _COUNTED, "number of inhabitants, number of residents, number of citizens"),
    (
        "rating",
        ("power", "voltage"),
        "rated power, power rating, nominal power, wattage, rated wattage, rated voltage, "
        "voltage rating, nominal voltage",
    ),
    ("power consumption", ("power", "text"), "power draw, current draw, power usage, current consumption, draw"),
    ("output", ("power",), "power output"),
    (
        "load limit",
        ("mass", "imperial mass"),
        "maximum load, max load, load capacity, carrying capacity, weight limit, maximum weight, payload capacity, "
        "weight capacity, load-bearing capacity, permitted load, load rating, permissible load, "
        "maximum permitted load, maximum permissible load",
    ),
    ("lifting capacity", ("mass", "imperial mass"), "hoisting capacity, lift capacity"),
    ("capacity", ("volume",), "volume, storage capacity, tank capacity"),
    ("interest rate", ("percent",), "interest, rate of interest"),
    ("tax rate", ("percent",), "tax, rate of tax, rate of taxation"),
    ("commission", ("percent",), "commission rate, cut, rate of commission"),
    ("discount", ("percent",), "rebate, price reduction"),
    ("top speed", ("rate:km", "imperial speed", "count:knot", "count:mph"), "maximum speed, max speed, highest speed"),
    ("area", _AREAS, "surface area, floor area, total area, size, surface"),
    ("operating temperature", ("celsius", "fahrenheit", "count:degree"), "running temperature, working temperature"),
    ("elevation", ("length", "imperial length"), "altitude, height above sea level, elevation above sea level"),
    ("width", ("length", "imperial length"), "breadth"),
)
_OF: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {}
for _noun, _kinds, _names in _NOUNS:
    for _name in _names.split(", "):
        _OF[_name] = (*_OF.get(_name, ()), (_noun, _kinds))
_NAMES = Phrases(_OF)
_NAMED = re.compile(
    rf"(?:\A(?:[Tt]he )?|['’]s |(?<=\S) )(?P<name>{'|'.join(sorted(map(re.escape, _OF), key=len, reverse=True))})"
    r"(?=\Z| (?:of|for|on|at|in|per) )",
    re.IGNORECASE,
)
_HOURS = re.compile(
    r"hours of (?:(?:[Tt]he )?(?:opening |business |operating |trading )?hours (?:of|for|at|in) (?P<of>.+)"
    r"|(?P<owner>\S.*?)['’]s (?:opening |business |operating |trading )?hours(?P<tail> .+)?"
    r"|(?P<whose>(?:[Oo]ur|[Mm]y|[Tt]he .+)) (?:opening|business|operating|trading) hours)\Z"
)
# What is sent in until a day: when it closes is when it is due
_SENT_IN = word_set(
    "application applications registration registrations submission submissions entry entries nomination nominations "
    "bids voting enrolment enrollment signup sign-ups ballot poll call admissions bookings"
)
_STRETCHES = word_set(
    "trail path route road tunnel bridge river canal coast coastline border corridor walk hike course track cable "
    "pipeline "
    "motorway highway railway street beach pier runway wall fence stage leg circuit loop line"
)
_PERIOD = re.compile(r"\b((?i:trial|notice|probation|warranty|guarantee|rental|lease|cooling-off|grace))[ -]period\b")
# Where a thing lies: "is stored on", "lives on", "sits on"
_KEPT = re.compile(r"\A(?:stored|saved|live|lives|reside|resides|located|placed)-(?=(?:in|on|at|under|behind) )")
_SHUT = re.compile(
    r"(?:[Tt]he |[Oo]ur )?(?:[Ww]eekly )?(?i:closing day|rest day|day off|day of rest) (?:of|at|for) (?P<of>.+)\Z"
    r"|(?P<owner>\S.*?)['’]s (?:weekly )?(?:closing day|rest day|day off|day of rest)\Z"
)
_WEEKLY_DAY = re.compile(r"\b[Ww]eekly (?=[a-z]+ day\b)")
_PAID_FOR = (
    "admission|entry|entrance|tuition|parking|membership|registration|shipping|delivery|postage|subscription|enrolment"
    "|enrollment|rental|booking|handling|service|cleaning|tasting|camping|mooring|landing|licence|license|course|visa"
)
_FEE = re.compile(
    rf"(?:[Tt]he )?(?P<what>(?i:{_PAID_FOR})) (?:fee|fees|charge|price|cost|rate) (?:of|for|to|at|in|on) (?P<of>.+)\Z"
    rf"|(?P<owner>\S.*?)['’]s (?P<what2>{_PAID_FOR}) (?:fee|fees|charge|price|cost|rate)(?P<tail> .+)?\Z"
)
# "The tram fare"; but "the late fee" and "the full price" are no fees for a late and a full
_FARE = re.compile(
    r"(?:[Tt]he |[Oo]ur )(?P<what>(?:[a-z]+ )?(?!\w+ly |annual |total |base |basic |fixed |flat |full |late |list "
    r"|unit )"
    r"(?:bus|tram|train|ferry|taxi|metro|subway|ticket|toll|entry|entrance|admission|parking|membership|cable car)) "
    r"(?:fare|fee|price|charge)\Z"
)
_HIRE = re.compile(
    r"(?:[Tt]he )?(?i:hiring|renting|hire|rental|rent)(?: of| for)? (?P<of>(?:the |our |my |[A-Z]).+)\Z"
    r"|(?P<owner>\S.*?)['’]s (?:hire|rental|rent)\Z"
)
_PARKING = re.compile(r"(?i:parking) (?:in|at) (?P<of>.*\b(?:car park|garage|parking lot))\Z")
_TRIP = re.compile(
    r"(?:\b[Tt]he |['’]s )?\b(?i:journey|travel|travelling|running|flight|crossing|playing|driving|walking) time"
    r"(?: (?:of|for|on)\b|\Z)"
)
_CUT_OFFS = word_set("curfew bedtime cutoff cut-off lights-out sunset sunrise curtain-up")
_WEIGHT = re.compile(
    r"(?:[Tt]he )?(?i:weight|mass) of (?P<of>.+)\Z|(?P<owner>\S.*?)['’]s (?:weight|mass)\Z|(?P<mine>[Mm]y) weight\Z"
)
# Where one gets on is where it departs
_PLATFORM = re.compile(r"\b(?:platform|gate|pier|berth|bay|quay|track|stand)\b")
_DEPARTS = re.compile(r"\b(?:[Dd]epart(?:s|ure|ures|ing)?|[Ll]eav(?:es|ing)|leave)\b ?(?!from)")


_WEIGHS, _LASTS, _LONG = known("weighs"), known("lasts"), known("is long")
_THUS, _DUE, _COSTS, _IS = (known(n) for n in ("is done thus", "is due on", "costs", "is"))


def one_attribute(claim: Claim, kind: str) -> Claim:
    """Return a claim under the one noun of its attribute.

    Args:
        claim: What a rule has read, its subject complete.
        kind: The dimension of its value.
    """
    if claim.expected == "hours":
        return _hours(claim)
    name = claim.relation.name
    if name == "is done thus":
        return claim._replace(subject=_KEPT.sub("kept-", claim.subject, count=1))
    if name in ("is due on", "ends on"):
        return _sent_in(claim)
    if name == "is at" and kind == "time" and head_phrase(claim.subject.lower().split())[0] in _CUT_OFFS:
        return claim._replace(relation=_IS)
    if name not in ("is", "lasts"):
        return claim
    sort = kind if "length" in kind else kind.partition(":")[0]  # "length:wide" is no length
    rule = _BY_SORT.get(sort) if name == "is" else _lasting
    found = rule(claim) if rule is not None else None
    return found or (_named(claim, kind) if name == "is" else claim)


def _hours(claim: Claim) -> Claim:
    """Name opening hours by whose they are."""
    opened = _HOURS.match(claim.subject)
    if opened is None:
        return claim
    whose = opened["of"] or opened["whose"] or f"{opened['owner']}{opened['tail'] or ''}"
    return claim._replace(subject=f"hours of {whose}")


def _sent_in(claim: Claim) -> Claim:
    """Put when applications close under when they are due."""
    first = claim.subject.removeprefix("The ").removeprefix("the ").partition(" ")[0].lower()
    return claim._replace(relation=_DUE, subject=claim.subject.replace(" to ", " of ")) if first in _SENT_IN else claim


def _stretch(claim: Claim) -> Claim | None:
    """Put "the trail is 6 km" beside "the trail is 6 km long"."""
    long = claim.rule == "clause: is" and head_phrase(claim.subject.lower().split())[0] in _STRETCHES
    return claim._replace(relation=_LONG, expected="extent") if long else None


def _lasting(claim: Claim) -> Claim | None:
    """Put "the trial period" under the trial, and "battery life" under how long the battery lasts."""
    if " time" in claim.subject and (trip := _TRIP.search(claim.subject)) is not None:
        rest = f"{claim.subject[: trip.start()]}{claim.subject[trip.end() :]}".strip()
        return claim._replace(subject=rest, relation=_LASTS) if rest else None
    if "battery life" in claim.subject:
        return claim._replace(subject=claim.subject.replace("battery life", "battery"), relation=_LASTS)
    return claim._replace(subject=_PERIOD.sub(r"\1", claim.subject)) if " period" in claim.subject else None


def hired(claim: Claim) -> Claim:
    """Put "hiring the hall costs", "the hire of the hall" and "the hall's rent" under what its rent costs."""
    if (parked := _PARKING.match(claim.subject)) is not None:
        return claim._replace(subject=parked["of"])
    hire = _HIRE.match(claim.subject)
    return claim if hire is None else claim._replace(subject=f"rent of {hire['of'] or hire['owner']}", relation=_COSTS)


def _weight(claim: Claim) -> Claim | None:
    heavy = _WEIGHT.match(claim.subject)
    if heavy is None:
        return None
    return claim._replace(subject=heavy["of"] or heavy["owner"] or heavy["mine"], relation=_WEIGHS)


def _platform(claim: Claim) -> Claim | None:
    """Put "the departure platform for trains to Holm" under their platform."""
    if _PLATFORM.search(claim.subject) is None:
        return None
    return claim._replace(subject=" ".join(_DEPARTS.sub("", claim.subject).split()))


def _day(claim: Claim) -> Claim | None:
    """Put "the weekly closing day" under the day on which a thing is closed."""
    shut = _SHUT.match(claim.subject)
    if shut is not None:
        return claim._replace(subject=f"closed-on {shut['of'] or shut['owner']}", relation=_THUS)
    return claim._replace(subject=_WEEKLY_DAY.sub("", claim.subject)) if "eekly " in claim.subject else None


def _fee(claim: Claim) -> Claim | None:
    """Put "the parking fee at the zoo" under what parking there costs."""
    fee = _FEE.match(claim.subject)
    if fee is None:
        fare = _FARE.match(claim.subject)
        return claim._replace(relation=_COSTS, subject=fare["what"]) if fare is not None else None
    of = fee["of"] or f"{fee['owner']}{fee['tail'] or ''}"
    return claim._replace(relation=_COSTS, subject=f"{fee['what'] or fee['what2']} of {of}")


def _named(claim: Claim, kind: str) -> Claim:
    """Put the one noun in the place of another that says the same of a value of this kind."""
    if not _NAMES.may_be_in(lower_words(claim.subject)):
        return claim
    found = _NAMED.search(claim.subject)
    for noun, kinds in _OF[found["name"].lower()] if found is not None else ():
        if found is not None and kind.startswith(kinds):
            start, end = found.span("name")
            return claim._replace(subject=f"{claim.subject[:start]}{noun}{claim.subject[end:]}")
    return claim


_BY_SORT: dict[str, Callable[[Claim], Claim | None]] = {
    **dict.fromkeys(("length", "imperial length"), _stretch),
    **dict.fromkeys(("duration", "months"), _lasting),
    **dict.fromkeys(("mass", "imperial mass"), _weight),
    **dict.fromkeys(("code", "number"), _platform),
    "weekday": _day,
    "money": _fee,
}
