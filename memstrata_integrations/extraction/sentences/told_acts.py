"""Changes told by what somebody did: "dropped Stripe in favour of Adyen", "changed the importer to use 50".

Each is put as the plain sentences that hold from then on, as in `told_changes`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memstrata_integrations.extraction.sentences.framing import fills_role, head_of, owned, quiet
from memstrata_integrations.extraction.sentences.retelling import inner
from memstrata_integrations.extraction.sentences.role_words import is_plural
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.extraction.sentences.verbs import BASES, participle_of, third_of, verb_of_gerund
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
MAY_BE_DONE = word_set(
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
    match = _IN_FAVOUR.match(said)
    if match is not None and calm(match, "what", "value", "old") and fills_role(match["noun"]):
        yield start(owned("its", match["noun"], inner(match["what"]))) + f" is {match['value']}"
        return
    match = _GAVE_WAY.match(said)
    if match is not None and calm(match, "value", "old") and fills_role(match["role"].partition(" ")[2]):
        yield f"{start(match['role'])} is {match['value']}"
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
    match = _AND_THERE.match(said)
    if match is not None and calm(match, "who", "value"):
        yield f"{match['who']} {match['does']} in {match['value']}"
