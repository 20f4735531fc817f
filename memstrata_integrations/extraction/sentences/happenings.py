"""When a thing happens once, how far it is, what somebody is paid: verb and noun under one plain sentence.

"The app launches on 3 May" is "The launch date of the app is 3 May", "The fair falls on 3 May" is "The fair takes place
on 3 May", "Holm lies 40 km from Rask" is "The distance from Holm to Rask is 40 km".
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memstrata_integrations.canonical import canonical_value
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.dispatch import Needles
from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.nominals import act_of_noun
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.relations import relation_of
from memstrata_integrations.words import lower_words, word_set

__all__ = ["OF_MOMENTS", "one_moment"]

_Pieces = tuple[str | tuple[int, int], ...]
_LOWERED = frozenset(("The", "Our", "My"))
_DATES, _TIMES = ("day", "date"), ("time",)
# What happens once on a date, and what that date is called
_DATED = {
    "launches on": "launch",
    "is launched on": "launch",
    "goes live on": "go-live",
    "is released on": "release",
    "comes out on": "release",
    "is published on": "publication",
    "ships on": "shipping",
    "is delivered on": "delivery",
    "arrives on": "arrival",
    "departs on": "departure",
    "sails on": "departure",
    "leaves on": "departure",
    "moves in on": "move-in",
    "is installed on": "installation",
    "is inspected on": "inspection",
}
_TIMED = {
    "boards at": "boarding",
    "airs at": "air",
    "is broadcast at": "air",
    "is shown at": "air",
}
_TAKES_PLACE = ("falls on", "is held on", "happens on", "occurs on", "is being held on")
_VERBS = sorted((*_DATED, *_TIMED, *_TAKES_PLACE), key=len, reverse=True)
_HAPPENS = re.compile(rf" (?P<verb>{'|'.join(_VERBS)}) (?=\S)")
_MEALS = re.compile(
    r"(?P<meal>(?:[A-Z][\w ’']*? )?(?:[Bb]reakfast|[Ll]unch|[Dd]inner|[Ss]upper|[Bb]runch|[Tt]ea)(?: (?:at|in|on) "
    r"[^,;]+?)?)"
    r" is served at (?=\d|noon|half)"
)
_KICK_OFF = re.compile(
    r"(?:[Tt]he )?(?:[Kk]ick-?off|[Cc]urtain-up|[Ss]tart|[Tt]ip-off|[Ff]irst pitch) (?:of|for) (?P<what>[^,;]+?) is at "
    r"(?=\d|noon|half)"
)
_PLACE = r"(?:(?:the |our |my )?[A-Z][\w’'.-]*(?: [A-Z][\w’'.-]*)*|(?:the|our|my) [a-z][\w -]*?)"
_APART = re.compile(rf"(?P<a>{_PLACE.replace('(?:the', '(?:[Tt]he')}) (?:is|lies|sits) (?=\d)")
_FROM = re.compile(rf" (?:away )?(?:from|by road from|by rail from) (?P<b>{_PLACE})\Z")
_BETWEEN = re.compile(rf"(?:[Tt]he )?distance between (?P<a>{_PLACE}) and (?P<b>{_PLACE}) is (?=\d)")
_FROM_TO = re.compile(rf"(?:[Tt]he )?distance from (?P<a>{_PLACE}) to (?P<b>{_PLACE}) is (?=\d)")
_PAYS = re.compile(
    r"(?P<who>We|I|[A-Z][\w’'-]*|The [a-z]+(?: [a-z]+)?) pays? (?P<whom>(?:the|our|my|his|her|its|their) [a-z]+(?: "
    r"[a-z]+)?) "
    r"(?=[$€£¥\d])"
)
_PAID = re.compile(r"(?P<whom>(?:The|Our|My) [a-z]+(?: [a-z]+)?) (?:is|are) paid (?=[$€£¥\d])")
_BY = re.compile(r" by (?P<who>[A-Z][\w’'-]*|the [a-z]+(?: [a-z]+)?)\Z")
_NOUN_DATE = re.compile(
    r"(?:[Tt]he )?(?P<noun>opening|inaugural|starting|start|kick-?off) (?P<unit>date|day|time) (?:of|for) (?P<of>.+)\Z"
    r"|(?P<owner>\S.*?)['’]s (?P<noun2>opening|starting|start|kick-?off) (?P<unit2>date|day|time)\Z"
)
_NOUN_TIME = re.compile(
    r"(?:[Tt]he |[Oo]ur )?(?P<noun>check-in|check-out|checkout|lunch|dinner|breakfast|supper|boarding) time"
    r"(?: (?:of|for|at|in) (?P<of>.+))?\Z|(?P<owner>\S.*?)['’]s (?P<noun2>check-in|check-out|checkout|lunch|dinner"
    r"|breakfast"
    r"|supper) time\Z"
)
# "The opening time is 8"
_HOUR_OF = re.compile(
    r"(?:[Tt]he )?(?P<noun>[Oo]pening|[Cc]losing) time (?:of|for|at) (?P<of>.+)\Z"
    r"|(?P<owner>\S.*?)['’]s (?P<noun2>opening|closing) time\Z"
)
# What machines do once a day: "the restart time of the router" is when it restarts
_ACT_TIME = re.compile(
    r"(?:[Tt]he )?(?P<act>[A-Za-z]+) time (?:of|for) (?P<of>.+)\Z|(?P<owner>\S.*?)['’]s (?P<act2>[a-z]+) time\Z"
)
_DAILY = word_set("reboot restart sync reload refresh reindex rebuild rotate")
_HOURLY = {"opening": ("opens at", "opening"), "closing": ("closes at", "closing")}
_NOUN_WORDS = word_set("date day time")


def one_moment(claim: Claim, kind: str) -> Claim:
    """Return a claim about "the opening date" or "the check-in time" of a thing under when it starts or is.

    Args:
        claim: What a rule has read, its subject complete.
        kind: The dimension of its value.
    """
    if claim.relation.name != "is" or _NOUN_WORDS.isdisjoint(lower_words(claim.subject)):
        return claim
    if kind in _DATES or kind == "time":
        found = _NOUN_DATE.match(claim.subject)
        relation = relation_of("starts at" if kind == "time" else "starts on")
        if (
            found is not None
            and relation is not None
            and (kind == "time") == ((found["unit"] or found["unit2"]) == "time")
        ):
            opens = (found["noun"] or found["noun2"]) == "opening" and kind == "time"
            return claim if opens else claim._replace(subject=found["of"] or found["owner"], relation=relation)
    if kind == "time" and (act := _ACT_TIME.match(claim.subject)) is not None:
        base, relation = act_of_noun((act["act"] or act["act2"]).lower()), relation_of("is done thus")
        if base in _DAILY and relation is not None:
            return claim._replace(subject=f"{base} of {act['of'] or act['owner']}", relation=relation, expected="time")
    if kind in ("number", "time") and (hour := _HOUR_OF.match(claim.subject)) is not None:
        verb, expected = _HOURLY[(hour["noun"] or hour["noun2"]).lower()]
        relation = relation_of(verb)
        if relation is not None:
            return claim._replace(subject=hour["of"] or hour["owner"], relation=relation, expected=expected)
    if kind == "time" and (found := _NOUN_TIME.match(claim.subject)) is not None and found["noun"] != "boarding":
        relation, whose = relation_of("is at"), found["of"] or found["owner"]
        said = (found["noun"] or found["noun2"]).replace("checkout", "check-out")
        if relation is not None:
            return claim._replace(subject=f"{said} of {whose}" if whose else said, relation=relation)
    return claim


def _inner(text: str, start: int, end: int) -> _Pieces:
    first = text[start:end].split(" ", 1)[0]
    return (first.lower(), (start + len(first), end)) if first in _LOWERED else ((start, end),)


def _value(text: str, start: int, kinds: tuple[str, ...]) -> tuple[int, int] | None:
    found = find_typed(text, start, len(text))
    if found is None or found[3] not in ("number", "date"):
        return None
    kind = canonical_value(text[found[0] : found[1]])[1]
    return found[:2] if kind.partition(":")[0] in kinds else None


def _is_one(what: str) -> bool:
    """Whether words name one definite thing."""
    return what.startswith(("The ", "Our ", "My ", "the ", "our ", "my ")) or what[:1].isupper()


def _happens(text: str, hidden: str) -> _Pieces | None:
    """Read "The app launches on 3 May" and "The fair falls on 3 May"."""
    match = _HAPPENS.search(hidden)
    if match is None or not _is_one(text) or not quiet(text[: match.start()]) or "," in text[: match.start()]:
        return None
    verb = match["verb"]
    value = _value(text, match.end(), _TIMES if verb in _TIMED else _DATES)
    if value is None or text[value[1] :].strip():
        return None
    if verb in _TAKES_PLACE:
        return (0, match.start()), " takes place on ", value
    noun = f"{_TIMED[verb]} time" if verb in _TIMED else f"{_DATED[verb]} date"
    return f"The {noun} of ", *_inner(text, 0, match.start()), " is ", value


def _at(text: str, hidden: str) -> _Pieces | None:
    """Read "Lunch is served at 12:30" and "Kick-off of the match is at 16:00"."""
    match = _MEALS.match(hidden)
    if match is not None:
        return match.span("meal"), " is at ", (match.end(), len(text))
    match = _KICK_OFF.match(hidden)
    if match is None or not quiet(match["what"]):
        return None
    start, end = match.span("what")
    return text[start].upper(), (start + 1, end), " starts at ", (match.end(), len(text))


def _apart(text: str, hidden: str) -> _Pieces | None:
    """Read "Holm lies 40 km from Rask" and "The distance between Holm and Rask is 40 km"."""
    match = _BETWEEN.match(hidden) or _FROM_TO.match(hidden)
    if match is None:
        match = _APART.match(hidden)
        value = _value(text, match.end(), ("length", "imperial length")) if match is not None else None
        further = _FROM.match(hidden, value[1]) if value is not None else None
        if match is None or value is None or further is None:
            return None
        ends = [match.span("a"), further.span("b")]
    else:
        value = _value(text, match.end(), ("length", "imperial length"))
        if value is None or text[value[1] :].strip():
            return None
        ends = [match.span("a"), match.span("b")]
    one, other = ends
    return "The distance from ", *_inner(text, *one), " to ", *_inner(text, *other), " is ", value


def _paid(text: str, hidden: str) -> _Pieces | None:
    """Read "Clara pays the nanny 15 euros an hour" and "The nanny is paid 17 euros an hour by Clara"."""
    match = _PAYS.match(hidden) or _PAID.match(hidden)
    value = _value(text, match.end(), ("money",)) if match is not None else None
    if match is None or value is None:
        return None
    rest = text[value[1] :]
    by = _BY.match(hidden, value[1])
    if rest.strip() and by is None:
        return None
    return "The salary of ", *_inner(text, *match.span("whom")), " is ", value


OF_MOMENTS: tuple[tuple[Callable[[str, str], _Pieces | None], Needles], ...] = (
    (_happens, (word_set("on at"), frozenset(max(verb.split(), key=len) for verb in _VERBS))),
    (
        _at,
        (
            word_set("at"),
            word_set(
                "served Kick-off kick-off Kickoff kickoff Curtain-up curtain-up Start start Tip-off tip-off pitch"
            ),
        ),
    ),
    (_apart, word_set("from between")),
    (_paid, word_set("pays pay paid")),
)
"""Readers of the plain sentence that one of this kind stands for, each with the signs that it needs."""
