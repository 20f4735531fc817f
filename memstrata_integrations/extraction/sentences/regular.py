"""What goes on regularly at one place, in one month, from one hour on, in so many of a kind.

"The party takes place at the bowling alley", "Their home games are at Lundvallen", "The financial year ends in March",
"Lunch is served from 11:30", "The guide is available in six languages", "Kiruna are third in the table".
"""

from __future__ import annotations

import re

from memstrata_integrations.canonical import canonical_value
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.clauses import subject_is_sound
from memstrata_integrations.extraction.sentences.dispatch import A_NUMBER, Rules
from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.lexicon import MANY_ROLES, MEASURES
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.slots import find_typed, qualifiers
from memstrata_integrations.extraction.sentences.verbs import base_of
from memstrata_integrations.relations import known
from memstrata_integrations.units import MONTHS
from memstrata_integrations.words import word_set

__all__ = ["read_regular", "read_routine"]

_TRIM = "\"'`()[]{}.,;:!?“”‘’"


_IS, _THUS, _WORKS = known("is"), known("is done thus"), known("works at")
_MONTH = "|".join(sorted((m.title() for m in MONTHS if len(m) > 3 or m == "may"), key=len, reverse=True))

# where it is kept or takes place
_AT_SPOT = re.compile(
    r" (?P<verb>takes place|take place|is held|are held|starts|begins|ends|meets|(?:is|are) (?P<done>kept|stored|parked"
    r"|handed out|given out|served|displayed|collected|dropped off|picked up|delivered|buried|hung|moored|stabled"
    r"|housed|serviced|repaired|rehearsed|recorded|filmed|printed|brewed|baked|berthed|garaged|locked up))"
    r" (?P<prep>in front of|in|at|on|behind|under|inside|outside|beside) "
    r"(?P<value>(?:the )?(?:[a-z’'-]+ ){0,3}?[a-z’'-]+|(?:room|bay|hall|shed|garage|building|block|locker|drawer|gate"
    r"|hangar|dock|pier|floor|level|studio|warehouse|shelf|cabinet) [\w-]*\d[\w-]*"
    r"|[A-Z][\w’'.-]*(?: [A-Z][\w’'.-]*)*)\Z"
)
_SPOTTED = word_set(
    "take takes held starts begins ends meets kept stored parked handed given served displayed collected dropped "
    "picked delivered buried hung moored stabled housed serviced repaired rehearsed recorded filmed printed brewed "
    "baked berthed garaged locked"
)
_NO_SPOTS = word_set(
    "way moment time mood morning evening afternoon night week weekend day month year summer winter spring autumn noon "
    "lead process middle midnight same one best end beginning background detail progress order place turn advance part "
    "parallel full person public private secret general front mind memory cash kind installments instalments future "
    "dark "
    "use stock sync batches chunks bulk error date tears rain snow cold heat open air sun wind fog disaster defeat "
    "draw tie flames flux pieces small time"
)
_HOME_GAMES = re.compile(
    r" (?P<verb>plays?|holds?|stages?) (?:its|their|his|her|our) (?P<what>(?:[a-z-]+ ){0,2}[a-z]+) (?P<prep>at|in|on) "
    r"(?P<value>(?:the )?[A-Z][\w’'.-]*(?: [A-Z][\w’'.-]*)*|the (?:[a-z’'-]+ ){0,2}[a-z’'-]+)\Z"
)
_WORKS_AT = re.compile(
    r"(?P<who>[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)?|(?:[Mm]y|[Oo]ur) [a-z-]+(?: [A-Z][\w’'-]*){0,2}|I) works? "
    r"(?:at|for|in) the "
    r"(?P<value>(?:[a-z’'-]+ ){0,2}(?:office|bank|library|school|hospital|council|university|factory|museum|bakery"
    r"|clinic|court|ministry|embassy|authority|firm|company|studio|workshop|garage|shop|store|supermarket|market"
    r"|restaurant|caf[eé]|canteen|kitchen|bar|pub|club|gallery|laborator(?:y|ies)|lab|observatory|foundation|charity|bureau"
    r"|stadium|arena|prison|gym|spa|salon|farm|vineyard|winery|dairy|sawmill|foundry|refinery|warehouse|dockyard|marina"
    r"|harbour|harbor|customs|treasury|parliament|cathedral|monastery|academy|college|kindergarten|crèche|practice"
    r"|surgery|hospice|newspaper|magazine|publisher|broadcaster|union|association|federation|cooperative|co-op"
    r"|dealership|airport|port|station|hotel|theatre|theater|zoo|post|railway|mill|brewery|town hall"
    r"|nursery|pharmacy|police|brigade|shipyard|quarry|mine|plant|depot|archive|registry|agency|institute))\Z"
)

# in which month, from when on
_IN_MONTH = re.compile(
    r" (?P<verb>ends?|starts?|begins?|opens?|closes?|expires?|renews?|is due|are due|is held|are held|takes? place"
    r"|finishes|resumes?|runs? out|falls?|reopens?|is up) in (?:early |mid-|late )?"
    rf"(?P<value>(?:{_MONTH})(?: (?:19|20)\d\d)?|20\d\d)\Z"
)
_ROUTINE = re.compile(
    r"(?:(?P<front>On [a-z]+|In the [a-z]+|At weekends),? )?(?P<who>I|[Ww]e"
    r"|(?:[A-Z][\w’'-]*|(?:[Mm]y|[Oo]ur|[Tt]he) [a-z-]+(?: [a-z-]+)?)(?: [A-Z][\w’'-]*){0,2}) "
    r"(?P<act>(?:comes|arrives)(?: round| by| over| in| back)?|(?:gets?|wakes?) up|(?:goes|go) to (?:bed|sleep|work"
    r"|school)|naps?|(?:leaves?|gets?|arrives?|comes?) (?:home|the house|for work|for school|the office|work)"
    r"|(?:has|have|eats?) (?:breakfast|lunch|dinner|tea|supper)|(?:starts?|finish(?:es)?|begins?|ends?) (?:work|school)"
    r") at (?=\d|half|quarter|noon|[a-z]+ )"
)
# "I have 12 vacation days left"
_LEFT_OVER = re.compile(
    r"(?P<who>I|[Ww]e|(?:[A-Z][\w’'-]*|(?:[Mm]y|[Oo]ur) [a-z-]+)(?: [A-Z][\w’'-]*){0,2}) (?:has|have) (?:only )?"
    r"(?P<value>\d[\d.,]*|[a-z]+(?:-[a-z]+)?) (?P<what>(?:[a-z-]+ ){0,2}[a-z-]+s|data|credit|leave) (?:left|remaining)"
    r"(?P<tail>(?: (?:this|on|in|of|for) [^,;]+)?)\Z"
)
_FROM = re.compile(
    r" (?P<verb>(?:is|are) (?:served|open|available|staffed|sold|allowed|permitted|offered|shown|collected|delivered)"
    r"|starts?|opens?|applies|apply|counts?) from (?=\d|noon|midnight)"
)
_ONWARDS = re.compile(r" (?:onwards?|on)(?=\Z| )")

# how many of a kind
_IN_SO_MANY = re.compile(
    r" (?:is|are) (?P<state>available|active|present|represented|offered|taught|published|sold|spoken|operating|shown"
    r"|divided|organised|organized|split) (?P<prep>in|across|at|into|over) (?=\d|[a-z]+ [a-z])"
)
_HAS_OF = re.compile(
    r" (?:has|have|serves?|enjoys?|reports?|pays?|carries|earns?"
    r"|draws?) an? (?P<noun>(?:[a-z-]+ ){0,2}[a-z-]+) of (?=[\d$€£¥]|[a-z]+ )"
)
_GROUPS = word_set(
    "team group set list pair couple number series collection family crew range variety choice lot history board panel "
    "squad handful bunch dozen sort kind type piece bit part matter question loss loan prize grant donation bill "
    "invoice gift voucher debt claim order plot house flat tower hill book letter"
)
_COUNTING = MEASURES | word_set(
    "circulation membership workforce enrolment enrollment attendance readership staff turnout"
)
_RANK = re.compile(
    r" (?:is|are|lies?|sits?|stands?) (?:currently )?(?P<value>first|second|third|fourth|fifth|sixth|seventh|eighth"
    r"|ninth|tenth|top"
    r"|bottom|\d+(?:st|nd|rd|th)) (?P<where>(?:in|of) (?:the|our|their|[A-Z])[^,;]*)\Z"
)
_RANKS = word_set("first second third fourth fifth sixth seventh eighth ninth tenth top bottom") | {A_NUMBER}
_TABLES = word_set(
    "table league standings group rankings ranking championship division conference ladder list chart charts"
)
_SIDE = re.compile(
    r"(?P<who>.*?\b(?:drivers|traffic|people|cars|vehicles|you|everyone|they|one|cyclists)\b.*?) "
    r"(?P<verb>keeps?|drives?|rides?|walks?|stays?|moves?|runs?|passes?) (?P<prep>to|on) the "
    r"(?P<value>left|right)(?: side of the road)?(?P<tail> in [A-Z][^,;]*)?\Z",
    re.IGNORECASE,
)
_LIVERIES = word_set(
    "club team school house flag national state party brand company county college university uniform crew"
)
_COLOURS = re.compile(r" are (?P<value>[a-z]+(?:[ -][a-z]+)?(?:, [a-z]+)*(?:,? and [a-z]+))\Z")


def _subject(core: str, hidden: str, end: int) -> str | None:
    """Return what stands before a verb, if it names one thing."""
    subject = core[:end].strip()
    return subject if subject_is_sound(hidden[:end], subject) else None


def _at_spot(core: str, hidden: str) -> Claim | None:
    """Read "The party takes place at the bowling alley" and "The spare projector is kept in room 12"."""
    match = _AT_SPOT.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    if match is None or subject is None:
        return None
    start, end = match.span("value")
    value = core[start:end]
    words = value.lower().split()
    if not _NO_SPOTS.isdisjoint(words) or not quiet(value) or is_opinion(words) or words[0] in ("a", "an", "one"):
        return None
    if not (value.startswith("the ") or value[0].isupper() or any(c.isdigit() for c in value)):
        return None  # "is kept in mind"
    if value.title() in MONTHS or words[-1] in MONTHS or words[0].rstrip("s") in ("monday", "sunday", "friday"):
        return None
    start += 4 if value.startswith("the ") else 0
    verb = match["done"] or {"take place": "held", "takes place": "held", "is held": "held", "are held": "held"}.get(
        match["verb"], base_of(match["verb"]) or match["verb"]
    )
    return Claim(f"{verb}-{match['prep']} {subject}", _THUS, start, end, "at a spot", "text")


def _home_games(core: str, hidden: str) -> Claim | None:
    """Read "Kiruna FC play their home games at Lundvallen"."""
    match = _HOME_GAMES.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    if match is None or subject is None or not quiet(match["what"]):
        return None
    if match["what"] in ("home games", "home matches"):
        return Claim(f"home ground of {subject}", _IS, *match.span("value"), "home games", "text")
    said = f"{base_of(match['verb'])}-{match['prep']} {match['what']} of {subject}"
    return Claim(said, _THUS, *match.span("value"), "home games", "text")


def _works_at(core: str, hidden: str) -> Claim | None:
    """Read "My brother-in-law works at the tax office"."""
    match = _WORKS_AT.match(hidden)
    if match is None or not subject_is_sound(match["who"], match["who"]) or is_opinion(match["value"].split()):
        return None
    return Claim(match["who"], _WORKS, *match.span("value"), "works at", "organisation")


def _in_month(core: str, hidden: str) -> Claim | None:
    """Read "The company's financial year ends in March"."""
    match = _IN_MONTH.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    if match is None or subject is None or is_plural(subject.split()[-1].lower()):
        return None
    first = match["verb"].split()[0]
    act = match["verb"] if " " in match["verb"] else base_of(first) or first
    return Claim(f"month {act} of {subject}", _THUS, *match.span("value"), "in a month", "text")


def read_routine(core: str) -> Claim | None:
    """Read at what time somebody does what one does once a day; the places of the claim are those of `core`."""
    return _routine(core, core) if " at " in core else None


def _routine(core: str, hidden: str) -> Claim | None:
    """Read "On workdays I get up at 6:15"."""
    match = _ROUTINE.match(hidden)
    found = find_typed(core, match.end(), len(core)) if match else None
    tail = qualifiers(core[found[2] :]) if found else None
    if match is None or found is None or tail is None or found[3] != "number":
        return None
    value = core[found[0] : found[1]]
    if not (value.isdigit() or canonical_value(value)[1].startswith("time")) or not _is_one_who(match["who"]):
        return None
    verb, _, rest = match["act"].partition(" ")
    if rest in ("work", "school"):  # as "Ida's start of work is 9:30" says it
        said = f"{base_of(verb) or verb} of {rest} of {match['who']} {match['front'] or ''} {tail}"
        return Claim(said.strip(), _IS, *found[:2], "routine", "hour")
    said = f"{base_of(verb) or verb} {rest} of {match['who']} {match['front'] or ''} {tail}"
    return Claim(said.strip(), _THUS, *found[:2], "routine", "hour")


def _left_over(core: str, hidden: str) -> Claim | None:
    """Read "I have 12 vacation days left"."""
    match = _LEFT_OVER.match(hidden)
    if match is None or not _is_one_who(match["who"]) or canonical_value(match["value"])[1] != "number":
        return None
    said = f"number of {match['what']} left of {match['who']}{match['tail']}"
    return Claim(said, _IS, *match.span("value"), "left over", "number")


def _is_one_who(who: str) -> bool:
    return who in ("I", "we", "We") or subject_is_sound(who, who)


def _from(core: str, hidden: str) -> Claim | None:
    """Read "Lunch is served from 11:30"."""
    match = _FROM.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    found = find_typed(core, match.end(), len(core)) if match else None
    if match is None or subject is None or found is None or found[3] != "number":
        return None
    if not canonical_value(core[found[0] : found[1]])[1].startswith("time"):
        return None
    onwards = _ONWARDS.match(core, found[2])
    tail = qualifiers(core[onwards.end() if onwards else found[2] :])
    if tail is None or tail.startswith(("to ", "until ")):
        return None
    return Claim(f"{match['verb'].split()[-1]}-from {subject} {tail}".strip(), _THUS, *found[:2], "from")


def _in_so_many(core: str, hidden: str) -> Claim | None:
    """Read "The audio guide is available in six languages"."""
    match = _IN_SO_MANY.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    found = find_typed(core, match.end(), len(core)) if match else None
    tail = qualifiers(core[found[2] :]) if found else None
    if match is None or subject is None or found is None or tail is None or found[3] != "number":
        return None
    value = core[found[0] : found[1]]
    if not canonical_value(value)[1].startswith("count") or " " not in value:
        return None
    noun = value.rpartition(" ")[2]
    said = f"{match['state']}-{match['prep']} {noun} of {subject} {tail}"
    return Claim(said.strip(), known("has in number"), *found[:2], "in so many")


def _has_of(core: str, hidden: str) -> Claim | None:
    """Read "The Gazette has a circulation of 8,400" and "The president serves a term of five years"."""
    match = _HAS_OF.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    found = find_typed(core, match.end(), len(core)) if match else None
    tail = qualifiers(core[found[2] :]) if found else None
    if match is None or subject is None or found is None or tail is None or found[3] != "number":
        return None
    noun = match["noun"].split()
    if (
        noun[-1] in _GROUPS
        or noun[-1] in MANY_ROLES
        or is_plural(noun[-1])
        or is_opinion(noun)
        or not quiet(match["noun"])
    ):
        return None
    if canonical_value(core[found[0] : found[1]])[1] == "number" and noun[-1] not in _COUNTING:
        return None  # "has a stack of 5"
    return Claim(f"{match['noun']} of {subject} {tail}".strip(), _IS, *found[:2], "has one of")


def _rank(core: str, hidden: str) -> Claim | None:
    """Read "Kiruna FC are third in the table"."""
    match = _RANK.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    if match is None or subject is None or not quiet(match["where"]):
        return None
    if _TABLES.isdisjoint(w.lower() for w in match["where"].split()):
        return None
    return Claim(f"rank {match['where']} of {subject}", _IS, *match.span("value"), "rank", "code")


def _side(core: str, hidden: str) -> Claim | None:
    """Read "Drivers in Vell keep to the left"."""
    match = _SIDE.match(hidden)
    if match is None or not quiet(match["who"].removeprefix("you").removeprefix("they")):
        return None
    if " in " not in f" {match['who'].lower()} {match['tail'] or ''}" and not match["tail"]:
        return None  # where, nothing says
    words = match["who"].split()
    if head_phrase([w.lower() for w in words])[0] == words[0].lower() and words[0][0].islower():
        return None
    said = f"side of the road {match['who']} {match['tail'] or ''}".strip()
    return Claim(said, _IS, *match.span("value"), "side", "code")


def _colours(core: str, hidden: str) -> Claim | None:
    """Read "The club colours are green and white"."""
    match = _COLOURS.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    if match is None or subject is None or head_phrase(subject.lower().split())[0] not in ("colours", "colors"):
        return None
    if _LIVERIES.isdisjoint(subject.lower().replace("'s", "").replace("’s", "").split()):
        return None  # one's favourite colours are many
    return Claim(subject, _IS, *match.span("value"), "colours", "code")


read_regular = Rules(
    (
        (_at_spot, _SPOTTED),
        (_home_games, word_set("play plays hold holds stage stages")),
        (_works_at, word_set("work works")),
        (_in_month, frozenset(m for m in MONTHS if len(m) > 3 or m == "may") | {str(y) for y in range(2000, 2100)}),
        (_left_over, word_set("left remaining")),
        (_from, word_set("from")),
        (
            _in_so_many,
            (
                word_set("in across at into over"),
                word_set(
                    "available active present represented offered taught published sold spoken operating shown divided "
                    "organised organized split"
                ),
            ),
        ),
        (
            _has_of,
            (
                word_set("of"),
                word_set("has have serves serve enjoys enjoy reports report pays pay carries earns earn draws draw"),
            ),
        ),
        (_rank, (word_set("in of"), _RANKS)),
        (_side, word_set("left right")),
        (_colours, word_set("colours colors")),
    ),
    opening=True,
)
"""Reads what goes on in one regular way."""
