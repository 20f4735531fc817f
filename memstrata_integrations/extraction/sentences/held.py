"""What somebody holds until they give it up: "Ida has the Tuesday slot at the studio", "I have an account at Nord".

One may hold several such things, so none takes the place of another: each is a key of its own, and only a sentence
of ending closes it ("Ida gave up her Tuesday slot at the studio").
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.verbs import third_of, verb_of_gerund
from memstrata_integrations.extraction.sentences.weak import SIDE_BY_SIDE
from memstrata_integrations.relations import known
from memstrata_integrations.words import word_set

__all__ = ["GIVING_UP", "HELD", "given_up", "read_held"]

HELD = "held"
"""The rule of such a claim: what it holds is in its key."""
_LATE, _IS = known("does of late"), known("is")
_LONGEST = 140
_WHO = r"(?P<who>I|[Ww]e|[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)?|(?:[Mm]y|[Oo]ur) [a-z-]+(?: [A-Z][\w-]*)?)"
_WHAT = r"(?P<what>(?:[\w’'&.-]+ ){0,4}?[\w’'&.-]+(?: (?:at|in|on|with|of|to|for|from|behind|near|by) [^,;:]+)?)"
_HAS = re.compile(
    rf"{_WHO} (?:(?P<rents>rents?|leases?)|has|have|holds?|owns?|has got|have got) (?:an?|the|my|our|his|her) {_WHAT}\Z"
)
_POST = re.compile(
    r"(?:(?P<who>I|[Ww]e) (?:am|are|serve as|act as|work as|volunteer as)|(?P<name>[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)?) "
    r"(?:serves as|acts as|volunteers as|works as)) (?:the )?"
    r"(?P<what>(?P<post>treasurer|secretary|chair|chairman|chairwoman|chairperson|captain|president|vice-president|"
    r"caretaker|warden|steward|churchwarden|organist|coach|referee|umpire|editor|moderator|trustee|director|mayor|"
    r"governor|guardian|landlord|tenant|keyholder) (?:of|at|for) [^,;:]+)\Z"
)
# What one signs up for, is given, or lets
_HOLDINGS = word_set(
    "subscription account slot allotment garage lock-up locker loan mortgage policy contract reservation booking "
    "permit "
    "membership pass season-ticket ticket licence license lease stall pitch mooring berth stable paddock storage seat "
    "desk parking space spot place gig residency column apprenticeship internship scholarship credit card overdraft "
    "timeshare caravan boat horse studio beach-hut hut tab standing-order"
)
GIVING_UP = word_set(
    "gave given up stopped closed sold rid unsubscribed returned dropped surrendered quit cancelled canceled go"
)
_GIVEN_UP = re.compile(
    rf"{_WHO} (?:has |have |['’]ve )?(?:just |finally |now |since |recently )?"
    r"(?:cancell?ed|gave up|given up|quit|dropped|ended|terminated|returned|handed back|gave back|closed|sold|got "
    r"rid of|"
    r"gotten rid of|let go of|surrendered|gave notice on) "
    rf"(?:my|our|his|her|their|the) (?!job|post|position|role|work)\b{_WHAT}\Z"
)
_STOPPED = re.compile(
    rf"{_WHO} (?:has |have |['’]ve )?(?:just |finally |now |since |recently )?(?:stopped|quit|gave up|given up) "
    r"(?P<doing>[a-z]+ing)(?P<rest> [^,;:]+)?\Z"
)
_UNSUBSCRIBED = re.compile(rf"{_WHO} (?:has |have )?(?:just )?unsubscribed from (?P<what>[^,;:]+)\Z")


def read_held(core: str) -> Claim | None:
    """Read what somebody has, rents or is; the places of the claim are those of `core`."""
    if len(core) > _LONGEST:
        return None
    post = _POST.match(core)
    match = post or _HAS.match(core)
    if match is None or not quiet(match["what"]) or any(w.isdigit() for w in match["what"].split()):
        return None
    head = head_phrase(match["what"].lower().split())[0]
    if post is None and (is_plural(head) or (head not in _HOLDINGS and not match["rents"])):
        return None
    if post is not None and post["name"]:
        return Claim(f"the {post['what']}", _IS, *post.span("name"), "holds a post", "name") if _IS else None
    verb = "post" if post else "rent" if match["rents"] else "hold"
    return Claim(f"{match['who']} {verb} {match['what']}", _LATE, *match.span("what"), HELD, SIDE_BY_SIDE)


def given_up(said: str) -> Iterator[str]:
    """Yield the plain sentences that a sentence of giving up ends.

    Example:
        >>> list(given_up("Ida stopped renting the garage on Mill Road"))
        ['Ida rents the garage on Mill Road']
    """
    if (match := _GIVEN_UP.match(said)) is not None:
        verb, rents = ("have", "rent") if _plural(match["who"]) else ("has", "rents")
        yield f"{match['who']} {verb} the {match['what']}"
        yield f"{match['who']} {rents} a {match['what']}"
    elif (match := _STOPPED.match(said)) is not None:
        verb = verb_of_gerund(match["doing"])
        if verb != match["doing"]:
            yield f"{match['who']} {verb if _plural(match['who']) else third_of(verb)}{match['rest'] or ''}"
    elif (match := _UNSUBSCRIBED.match(said)) is not None:
        be, verb = (("am" if match["who"] == "I" else "are"), "have") if _plural(match["who"]) else ("is", "has")
        yield f"{match['who']} {be} subscribed to {match['what']}"
        yield f"{match['who']} {verb} a subscription to {match['what']}"


def _plural(who: str) -> bool:
    return who in ("I", "We", "we")
