"""Where somebody or something is, has its seat or may be found: one place at a time.

"Zephyr Air has its hub at Norbury Airport", "You'll find the market on Orchard Street", "Osric is staying at the
clinic", "The spare key hangs behind the door". What may lie beside a thing ("next to", "near") has no one answer.
"""

from __future__ import annotations

import re

from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.clauses import subject_is_sound
from memstrata_integrations.extraction.sentences.complements import expected_place
from memstrata_integrations.extraction.sentences.dispatch import Rules
from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.lexicon import DEMONYMS, EVENTS, MANY_ROLES
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.slots import find_typed, qualifiers
from memstrata_integrations.extraction.sentences.verbs import MANY_DONE, is_participle
from memstrata_integrations.relations import known
from memstrata_integrations.units import MONTHS, WEEKDAYS
from memstrata_integrations.words import word_set

__all__ = ["read_whereabouts"]

_TRIM = "\"'`()[]{}.,;:!?“”‘’"


_IS, _THUS, _HELD, _BASED, _LIVES = (known(n) for n in ("is", "is done thus", "is held at", "is based in", "lives at"))
_PERSON = r"[A-Z][\w’'-]*(?: [A-Z][\w’'-]*){0,3}|[Mm]y [a-z]+(?: [A-Z][\w’'-]*)?|I"
_SPOT = re.compile(
    r"(?:the |my |our |his |her |their )(?P<value>(?:[\w’'-]+ ){0,3}?[\w’'-]+)"
    r"(?=\Z| (?:on|every|in the) )|"
    r"(?:The )?(?P<name>[A-Z][\w.’'&-]*(?: (?:of |de |& )?[A-Z][\w.’'&-]*)*(?: [a-z]+)?)(?=\Z| (?:on|every|in|at) )"
)
_NO_SPOTS = word_set(
    "way moment time mood morning evening afternoon night week weekend day month year summer winter lead process "
    "middle "
    "same one best end beginning background rush hurry dark rain sun past future present case case"
)
_STAYING = re.compile(
    rf"(?P<who>{_PERSON}|[Tt]he [a-z]+) (?:is|am|are) (?P<verb>staying|lodging|camping|boarding) (?P<prep>at|in|with) "
)
_HAS_ITS = re.compile(
    r" (?:has|have) (?:its|his|her|their|my|our) (?P<what>(?:[a-z-]+ ){0,2}[a-z-]+) (?P<prep>at|in|on|under"
    r"|with) (?=\S)"
)
# What one has one of, and in one place
_SEATS = word_set(
    "hub base seat home headquarters office surgery studio workshop depot practice shop stall stand store desk house "
    "bakery factory plant warehouse laboratory lab clinic farm nest den garage account accounts mortgage pension site "
    "capital camp quarters residence bed room stable kennel mooring berth locker server servers backups archive "
    "website domain office-hours market kitchen bank insurance hosting"
)
_MAIN_SEATS = word_set("seat headquarters hq")
_FIND = re.compile(
    r"(?:You(?:['’]ll| will| can)?|One can) find (?P<what>(?:the|our|my|[A-Z])[^,;:]*?) (?P<prep>in|on|at|under"
    r"|behind) "
    r"(?P<value>(?:the )?[A-Z][\w’'.-]*(?: [A-Z][\w’'.-]*)*)\Z"
)
_IN_FORM = re.compile(
    rf"(?P<who>{_PERSON}) (?:is|am) in (?P<noun>[Yy]ear|[Gg]rade|[Cc]lass|[Ff]orm|[Pp]rimary|Key Stage"
    r"|[Ww]ard) (?P<value>\d+[A-Za-z]?|[A-Z])(?P<tail> (?:at|in|of) [^,;]+)?\Z"
)
_NTH_FORM = re.compile(
    rf"(?P<who>{_PERSON}) (?:is|am) in (?:the |his |her |my )?(?P<value>first|second|third|fourth|fifth|sixth|seventh"
    r"|eighth|ninth|tenth|\d+(?:st|nd|rd|th)) (?P<noun>grade|year|form|class|semester|term)"
    r"(?P<tail> (?:at|in|of) [^,;]+)?\Z"
)
_FORMS = word_set("Year year Grade grade Class class Form form Primary primary Stage Ward ward semester term")
_WE_HOLD = re.compile(
    r"(?:We|we|They|[Tt]he [a-z ]+?) (?:have|hold|do|celebrate|host)s? "
    r"(?P<what>(?:our|the|their|a|my)(?: [a-z’'-]+){1,4}?) (?:at|in) (?=[A-Z]|the )"
)
_REGION = re.compile(
    r" (?:live|lives|sit|sits|run|runs|reside|are|is) in (?P<value>[a-z]{2}(?:-[a-z]+)+-?\d[a-z]?)(?=\Z| )"
)
_OUT_OF = re.compile(r" (?:is|are) (?P<done>[a-z]+) (?:straight )?out of (?=[A-Z])")
_ADDRESS = re.compile(
    r" (?:is|remains) (?P<value>(?:[Ff]lat |[Aa]partment |[Uu]nit |[Ss]uite |[Rr]oom |[Hh]ouse )?(?:\d|[A-Z])[^;:]*)\Z"
)
_ADDRESSED = re.compile(r"\b(?:address|(?:registered|head|main) office)(?=\Z| (?:of|for) )", re.IGNORECASE)


def _subject(core: str, hidden: str, end: int) -> str | None:
    """Return what stands before a verb, if it names one thing."""
    subject = core[:end].strip()
    return subject if subject_is_sound(hidden[:end], subject) else None


def _spot(core: str, hidden: str, pos: int) -> tuple[int, int, str] | None:
    """Return a place by its name or as "the old mill", and what qualifies the sentence behind it."""
    match = _SPOT.match(hidden, pos)
    if match is None:
        return None
    start, end = match.span("value") if match["value"] else match.span("name")
    words = hidden[start:end].lower().split()
    tail = qualifiers(core[end:])
    if words[0] in DEMONYMS or words[0] in MONTHS or words[0] in WEEKDAYS:
        return None  # "in English", "in June"
    if tail is None or not _NO_SPOTS.isdisjoint(words) or is_opinion(words) or not quiet(hidden[start:end]):
        return None
    return start, end, tail


def _sort(core: str, place: tuple[int, int, str], preposition: str) -> str:
    """Return what a place may be compared with: no country with a town that lies in it."""
    value = core[place[0] : place[1]]
    return expected_place(value) if preposition == "in" and value[0].isupper() else "text"


def _staying(core: str, hidden: str) -> Claim | None:
    """Read "Grandpa Osric is staying at the Elmfield clinic"."""
    match = _STAYING.match(hidden)
    place = _spot(core, hidden, match.end()) if match else None
    if match is None or place is None or not subject_is_sound(match["who"], match["who"]):
        return None
    said = f"{match['verb']}-{match['prep']} {match['who']} {place[2]}".strip()
    return Claim(said, _THUS, *place[:2], "staying", _sort(core, place, match["prep"]))


def _has_its(core: str, hidden: str) -> Claim | None:
    """Read "Zephyr Air has its hub at Norbury Airport" and "My dentist has her surgery in Wexcombe"."""
    match = _HAS_ITS.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    place = _spot(core, hidden, match.end()) if match else None
    if match is None or subject is None or place is None:
        return None
    head = match["what"].split()[-1]
    if head not in _SEATS or is_plural(subject.split()[-1].lower()):
        return None
    if head in _MAIN_SEATS:
        return Claim(f"{subject} {place[2]}".strip(), _BASED, *place[:2], "has its seat", "place")
    said = f"{match['what']}-{match['prep']} of {subject} {place[2]}"
    return Claim(said.strip(), _THUS, *place[:2], "has its seat", _sort(core, place, match["prep"]))


def _find(core: str, hidden: str) -> Claim | None:
    """Read "You'll find the Saturday market in Bexholm on Orchard Street"."""
    match = _FIND.match(hidden)
    if match is None or not quiet(match["what"]) or is_opinion(match["what"].split()):
        return None
    head = head_phrase(match["what"].lower().split())[0]
    place = _spot(core, hidden, match.start("value"))
    if is_plural(head) or head in MANY_ROLES or place is None or place[2]:
        return None
    said = f"find-{match['prep']} {match['what']}"
    return Claim(said, _THUS, *place[:2], "found", _sort(core, place, match["prep"]))


def _in_form(core: str, hidden: str) -> Claim | None:
    """Read "Elsie is in Year 4 at Oakdale Primary"."""
    match = _IN_FORM.match(hidden) or _NTH_FORM.match(hidden)
    if match is None or not subject_is_sound(match["who"], match["who"]) or not quiet(match["tail"] or ""):
        return None
    said = f"{match['noun'].lower()} of {match['who']} {match['tail'] or ''}".strip()
    return Claim(said, _IS, *match.span("value"), "in a form", "code")


def _we_hold(core: str, hidden: str) -> Claim | None:
    """Read "We have our team lunch at Casa Nino on Fridays" as where the team lunch is held."""
    match = _WE_HOLD.match(hidden)
    if match is None or match["what"].split()[-1].lower() not in EVENTS or not quiet(match["what"]):
        return None
    place = _spot(core, hidden, match.end())
    return Claim(f"{match['what']} {place[2]}".strip(), _HELD, *place[:2], "we hold", "text") if place else None


def _in_region(core: str, hidden: str) -> Claim | None:
    """Read "Backups of the billing database live in eu-west-1" and "Traffic from Brazil is served out of Ashburn"."""
    match = _REGION.search(core)
    subject = _subject(core, hidden, match.start()) if match else None
    tail = qualifiers(core[match.end() :]) if match else None
    if match is not None and subject is not None and tail is not None and len(subject.split()) > 1:
        said = f"{subject} {tail}".strip()
        return Claim(said, known("is in region"), *match.span("value"), "in a region", "region")
    match = _OUT_OF.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    found = find_typed(core, match.end(), len(core)) if match else None
    if match is None or subject is None or found is None or found[3] != "name" or core[found[2] :].strip():
        return None
    if not is_participle(match["done"]) or match["done"] in MANY_DONE:
        return None
    return Claim(f"{match['done']}-out-of {subject}", _THUS, *found[:2], "out of", "text")


def _address(core: str, hidden: str) -> Claim | None:
    """Read "Grandpa Joe's address is Flat 6, Orchard House"."""
    match = _ADDRESS.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    if match is None or subject is None or _ADDRESSED.search(subject) is None:
        return None
    words = match["value"].split()
    if not 2 <= len(words) <= 10 or not quiet(match["value"]) or "@" in match["value"]:
        return None
    if any(w[0].islower() and w not in ("of", "on", "the", "upon", "by", "and") for w in words):
        return None
    return Claim(subject, _IS, *match.span("value"), "address", "address")


read_whereabouts = Rules(
    (
        (_staying, word_set("staying lodging camping boarding")),
        (_has_its, word_set("its his her their my our")),
        (_find, word_set("find")),
        (_in_form, (word_set("in"), _FORMS)),
        (_we_hold, word_set("have hold do celebrate host holds celebrates hosts")),
        (_in_region, (word_set("in out"), word_set("live lives sit sits run runs reside are is"))),
        (_address, word_set("address office")),
    ),
)
"""Reads where something is."""
