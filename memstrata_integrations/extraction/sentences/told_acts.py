"""Changes told by what somebody did: "dropped Stripe in favour of Adyen", "changed the importer to use 50".

Each is put as the plain sentences that hold from then on, as in `told_changes`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memstrata_integrations.extraction.sentences.framing import fills_role, head_of, owned, quiet
from memstrata_integrations.extraction.sentences.lexicon import PERSON_ROLES
from memstrata_integrations.extraction.sentences.retelling import inner
from memstrata_integrations.extraction.sentences.role_words import is_foremost, is_plural
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.extraction.sentences.turns_of_life import SHIP, holder_of
from memstrata_integrations.extraction.sentences.verbs import (
    BASES,
    THIRD,
    is_past,
    participle_of,
    third_of,
    verb_of_gerund,
)
from memstrata_integrations.words import singular, word_set

__all__ = ["MAY_BE_DONE", "be", "calm", "done_by", "in_two_steps", "start"]

_HAVE = r"(?:have |has )?(?:just |finally |recently |now |since |also )?"
_AGENT = r"(?:I|[Ww]e|[Tt]hey|[A-Z][a-z’'-]+)"
_THE = r"(?:[Tt]he |[Oo]ur |[Mm]y |[A-Z`]|[a-z][\w-]*(?:['’]s |_|\.|-))"
_THING = rf"{_THE}[^,;:]*?"
_NOUN = r"(?P<noun>(?:[a-z][a-z-]* ){0,2}[a-z][a-z-]*)"
# "dropped Stripe in favour of Adyen as its payment provider"
_IN_FAVOUR = re.compile(
    rf"(?P<what>{_THING}) {_HAVE}(?:dropped|ditched|abandoned|left|retired|scrapped|gave up|given up|swapped|replaced"
    r"|exchanged|traded)(?: out)? (?P<old>\S[^,;:]*?) (?:in favou?r of|for|with) (?P<value>\S[^,;:]*?) as "
    rf"(?:its|their) {_NOUN}\Z"
)
# "Stripe gave way to Adyen as the shop's payment provider"
_GAVE_WAY = re.compile(
    rf"(?P<old>[A-Z`][^,;:]*?) {_HAVE}(?:(?:gave|given) way to|made way for|ceded to) (?P<value>[A-Z`][^,;:]*?) as "
    r"(?P<role>(?:the|our|my|[A-Z][\w-]*['’]s?) [^,;:]+)\Z"
)
_UP_FROM = re.compile(rf"(?P<what>{_THING}) (?:is|are) (?:up|down) from (?P<old>\S[^,;:]*?) to (?P<value>\S[^,;:]*)\Z")
_TAKEN_DOWN = re.compile(
    rf"{_AGENT} {_HAVE}(?:took|taken|brought|got|gotten|dialled|dialed) (?P<what>{_THING}) (?:up|down)"
    r"(?: from (?P<old>\S[^,;:]*?))? to (?P<value>\S[^,;:]*)\Z"
)
_FROM_SOME = re.compile(
    rf"(?:{_AGENT} {_HAVE}(?:moved|changed|switched|taken|took|bumped|raised|lowered|cut|reduced|increased) "
    rf"(?P<it>{_THING})|(?P<what>{_THING}) {_HAVE}(?:been )?(?:moved|changed|switched|gone|went|bumped|raised|lowered"
    rf"|cut|reduced|increased)) from an? {_NOUN} of (?P<old>\S[^,;:]*?) to (?:one of )?(?P<value>\d[^,;:]*)\Z"
)
_TO_DO = re.compile(
    rf"{_AGENT} {_HAVE}(?:changed|switched) "
    rf"(?P<what>{_THING}) to (?P<verb>[a-z]+) (?P<rest>\S.*)\Z"
)
# What one does to a thing that is in one place at a time
_PLACING = word_set("park house")
_STARTED = re.compile(
    rf"(?:I|[Ww]e|[Tt]hey) {_HAVE}(?:started|begun|began|switched to|taken to|gone over to) (?P<doing>[a-z]+ing) "
    r"(?P<what>(?:the|our|my) [^,;:]*?) (?P<rest>(?:in|on|at|under|behind|with) [^,;:]+)\Z"
)
# "moved the scheduler over to a new base class, AsyncRunner"
_TO_NEW = re.compile(
    rf"(?:{_AGENT} {_HAVE}(?:moved|switched|migrated|changed|transferred) (?P<it>{_THING})|(?P<what>{_THING}) {_HAVE}"
    rf"(?:been )?(?:moved|switched|migrated|changed|transferred))(?: over)? to an? (?:brand-)?new {_NOUN}"
    r"(?:,|:| –| —| -) (?P<value>[^\s,;]+(?: [A-Z][^\s,;]*){0,2})\Z"
)
_SAYING = word_set("run work support say mention note state explain describe show list include be have avoid stop not")
# "I've switched dentists and now go to Dr. Lind"
_SWITCHED_KIND = re.compile(
    r"(?P<who>\S[^,;:]*?) (?:have |has )?(?:just )?(?:switched|changed|swapped) (?P<kinds>(?:[a-z-]+ )?[a-z-]+s)"
    r"(?:,? and|,|;| –| —| -)(?: now)? (?:(?:I|[Ww]e|he|she|they|it)(?:['’]m|['’]re|['’]s)? )?(?:now )?"
    r"(?:am |is |are )?(?P<does>[a-z]+)(?P<to> (?:to|with|at|by|on|for))? "
    r"(?:the |an? )?(?P<value>\S[^,;:]*)\Z"
)
_NO_KINDS = word_set(
    "jobs careers roles trains buses planes flights lanes sides places seats clothes tactics gears topics subjects "
    "tracks shoes hands tabs tasks things positions partners minds plans careers channels numbers words"
)
_AND_THERE = re.compile(
    r"(?P<who>\S[^,;:]*?) (?:have |has )?(?:just |recently )?(?:moved|relocated)(?: from [^,;:]+?)? to "
    r"(?P<value>[A-Z][^,;:]*?),? and (?:now )?(?P<does>lives?|works?|am living|is living) there(?: now)?\Z"
)
# "I've traded my old car in and now drive a Kia"
_AND_NOW = re.compile(
    r"(?P<who>\S[^,;:]*?) (?:have|has) (?P<did>[a-z]+ [^,;:]*?),? and (?:(?:I|we|he|she) )?(?:(?:now|these days) "
    r"(?P<does>[a-z]+)|(?P<does2>[a-z]+)) (?P<rest>(?:an? |the |my |our )?[A-Z\d][^,;:]*?)(?: now| these days)?\Z"
)
_SOLD = re.compile(
    r"(?P<what>(?:[Tt]he |[Oo]ur |[Mm]y )[^,;:]*?|[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)+) (?:was|has (?:just |now )?"
    r"been) sold to (?P<value>(?:the )?[A-Z][\w’'&-]*(?: [A-Z&][\w’'&-]*){0,4})\Z"
)
# "We've switched my daughter to a new piano teacher, Mr Lee"
_TO_A_NEW = re.compile(
    rf"{_AGENT} {_HAVE}(?:switched|moved|changed|taken|sent) (?P<who>(?:my|our) [a-z-]+|[A-Z][\w’-]*) to an? "
    r"(?:new|different) (?P<noun>(?:[a-z-]+ )?[a-z-]+), (?P<value>[A-Z][^,;:]*)\Z"
)
_TAKEN_SHIP = re.compile(
    rf"(?P<new>[A-Z][\w’'.&-]*(?: [A-Z&][\w’'.&-]*){{0,4}}) {_HAVE}(?:taken over|took over|taken on|assumed) "
    rf"the {SHIP} of (?P<what>[^,;:]+)\Z"
)
_PASSED_SHIP = re.compile(
    rf"(?:[Tt]he )?{SHIP} of (?P<what>[^,;:]+?) {_HAVE}(?:been )?(?:passed|gone|went|handed|given|transferred)"
    r"(?: over| on)?(?: from [^,;:]+?)? to (?P<new>[A-Z][\w’'.&-]*(?: [A-Z&][\w’'.&-]*){0,4})\Z"
)
_SEAT_MOVED = re.compile(
    rf"The (?P<who>[A-Z][\w&’'-]*(?: [A-Z&][\w&’'-]*)*) (?:headquarters|HQ|head office|main office) "
    rf"{_HAVE}(?:been |were |was )?(?:relocated|moved|transferred|shifted)(?: from [A-Z][^,;:]*?)? to "
    r"(?P<value>[A-Z][\w’'-]*(?: [A-Z][\w’'-]*){0,2})\Z"
)
_DOSE = re.compile(
    r"(?P<who>[Mm]y|[Oo]ur|[Mm]y [a-z]+['’]s|[A-Z][\w’-]*(?: [A-Z][\w’-]*)?['’]s) (?:daily )?(?P<drug>[a-z]{4,}) "
    r"(?:was|has been|(?:has )?(?:gone|went)) (?:(?:cut|raised|increased|reduced|lowered|changed) )?(?:up |down )?"
    r"(?:from \S+ \S+ )?to (?P<value>\d[\d.,]* ?(?:mg|mcg|µg|micrograms|milligrams))\Z"
)
MAY_BE_DONE = word_set(
    "sold sent relocated transferred shifted took assumed passed handed "
    "dropped ditched abandoned left retired scrapped gave given swapped replaced exchanged traded made ceded up down "
    "changed updated configured reconfigured modified adjusted switched patched started begun began taken moved gone "
    "went bumped raised lowered cut reduced increased"
)
"""A sentence that `done_by` reads has one of these words."""


def done_by(said: str) -> Iterator[str]:
    """Yield the plain sentences that hold after what somebody did.

    Args:
        said: The sentence, without its full stop and what wraps it.

    Example:
        >>> list(done_by("We have changed the importer to use a batch size of 50"))
        ['The importer uses a batch size of 50']
    """
    if found := _handed_on(said):
        yield found
        return
    match = _IN_FAVOUR.match(said)
    if match is not None and calm(match, "what", "value", "old") and fills_role(match["noun"]):
        yield start(owned("its", match["noun"], inner(match["what"]))) + f" is {match['value']}"
        return
    match = _GAVE_WAY.match(said)
    if match is not None and calm(match, "value", "old") and fills_role(match["role"].partition(" ")[2]):
        yield f"{start(match['role'])} is {match['value']}"
        return
    match = _TO_NEW.match(said)
    if match is not None and calm(match, "it", "what", "value") and fills_role(match["noun"]):
        yield start(owned("its", match["noun"], inner(match["it"] or match["what"]))) + f" is {match['value']}"
        return
    match = _UP_FROM.match(said) or _TAKEN_DOWN.match(said)
    if match is not None and calm(match, "what", "value") and find_typed(match["value"], 0, len(match["value"])):
        yield f"{start(match['what'])} {be(match['what'])} {match['value']}"
        return
    match = _FROM_SOME.match(said)
    if match is not None and calm(match, "it", "what", "value"):
        what = match["it"] or match["what"]
        yield f"{start(what)} {'have' if be(what) == 'are' else 'has'} a {match['noun']} of {match['value']}"
        return
    match = _TO_DO.match(said)
    if match is not None and match["verb"] in BASES and match["verb"] not in _SAYING and calm(match, "what", "rest"):
        does = match["verb"] if be(match["what"]) == "are" else third_of(match["verb"])
        yield f"{start(match['what'])} {does} {match['rest']}"
        return
    match = _STARTED.match(said)
    verb = verb_of_gerund(match["doing"]) if match is not None else ""
    if match is not None and verb in _PLACING and calm(match, "what", "rest"):
        yield f"{start(match['what'])} {be(match['what'])} {participle_of(verb)} {match['rest']}"


def _handed_on(said: str) -> str:
    """Read "The hotel has been sold to Corvane" and "Veltra has taken over the sponsorship of the race"."""
    if (sold := _SOLD.match(said)) is not None and calm(sold, "what", "value") and be(sold["what"]) == "is":
        return f"{start(sold['what'])} is owned by {sold['value']}"
    if (
        (new := _TO_A_NEW.match(said)) is not None
        and calm(new, "noun", "value")
        and head_of(new["noun"].split()) in PERSON_ROLES
    ):
        return f"{start(owned('its', new['noun'], inner(new['who'])))} is {new['value']}"
    if (dose := _DOSE.match(said)) is not None and dose["drug"] not in ("dose", "dosage"):
        return f"{dose['who']} {dose['drug']} dose is {dose['value']}"
    if (seat := _SEAT_MOVED.match(said)) is not None:
        return f"{seat['who']} is based in {seat['value']}"
    ship = _TAKEN_SHIP.match(said) or _PASSED_SHIP.match(said)
    if ship is None or not calm(ship, "what", "new"):
        return ""
    role = f"{(ship['adj'] or '').lower()}{holder_of(ship['ship'])}"
    return f"The {role} of {inner(ship['what'])} is {ship['new']}" if fills_role(role) or is_foremost(role) else ""


def start(what: str) -> str:
    """Return a subject as it opens a sentence: "The port" for "the port"."""
    return what[0].upper() + what[1:] if what.startswith(("the ", "our ", "my ")) else what


def be(what: str) -> str:
    """Return "is" or "are", whichever a subject takes."""
    return "are" if is_plural(head_of(what.split())) else "is"


def calm(match: re.Match[str], *groups: str) -> bool:
    """Whether what was matched holds no doubt and no second statement."""
    return all(match[g] is None or quiet(match[g]) for g in groups)


def in_two_steps(said: str) -> Iterator[str]:
    """Read "I've switched dentists and now go to Dr. Lind" and "She moved to Ghent and lives there now"."""
    match = _SWITCHED_KIND.match(said)
    if match is not None and match["kinds"] not in _NO_KINDS and calm(match, "who", "value"):
        who, kind = match["who"], singular(match["kinds"])
        if kind != match["kinds"] and who.lower() not in ("they", "he", "she", "it"):
            yield f"{start(owned('its', kind, inner(who)))} is {match['value']}"
            yield f"{who} {match['does']}{match['to'] or ''} {match['value']}"
        return
    match = _AND_NOW.match(said)
    does = (match["does"] or match["does2"]) if match is not None else ""
    if match is not None and calm(match, "who", "rest") and is_past(match["did"].partition(" ")[0]):
        base = match["who"] in ("I", "We", "we")
        if does in BASES if base else does in THIRD:
            yield f"{match['who']} {does} {match['rest']}"
            return
    match = _AND_THERE.match(said)
    if match is not None and calm(match, "who", "value"):
        yield f"{match['who']} {match['does']} in {match['value']}"
