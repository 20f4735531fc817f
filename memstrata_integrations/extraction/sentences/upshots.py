"""Sentences of change, put as the plain sentences that they come to: "I replaced my bike with a Brompton".

Who speaks of a change names what changed and what it is now, and leaves out how it was put before: "our broadband
is with Fennel", "our broadband provider is Fennel". So a change may come to several plain sentences, which are read
like any other; each acts on its own key.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from memstrata_integrations.extraction.sentences.complements import masked
from memstrata_integrations.extraction.sentences.dispatch import Dispatch, Needles
from memstrata_integrations.extraction.sentences.lexicon import UNASSERTED
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.extraction.sentences.verbs import third_of, verb_of_gerund
from memstrata_integrations.words import word_set

__all__ = ["MAY_COME_TO", "upshots_of"]

_LONGEST = 200
_TRIM = "\"'`()[]{}.,;:!?“”‘’"
_WHO = (
    r"(?P<who>I|[Ww]e|[Tt]hey|[Ss]he|[Hh]e|(?:[Mm]y|[Oo]ur|[Tt]he|[Aa]n?) [\w’'-]+(?: [\w’'-]+){0,2}?"
    r"|[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)?)"
)
_HAVE = r"(?:['’]ve |['’]s |have |has )?(?:just |finally |recently |now |since |also )?"
_OWN = r"(?:my|our|the|his|her|its|their|[A-Z][\w’-]*(?: [A-Z][\w’-]*)?['’]s?)"
_WHAT = rf"(?P<what>{_OWN} (?!new )[^\s,;:]+(?: [^\s,;:]+){{0,7}}?)"
_THAT = _WHAT.replace("<what>", "<that>")
_NEW_VALUE = r"(?P<value>\S.*)\Z"

_MOVED_TO = "moved|put|transferred|shifted|brought|ported|relocated"
_CHANGED_TO = (
    "switched|changed|turned|extended|raised|lowered|pushed|bumped|upgraded|postponed|rescheduled|set|reset|increased"
    "|cut|reduced|downgraded|upped"
)
_MOVED = re.compile(
    rf"{_WHO} {_HAVE}(?:(?P<place>{_MOVED_TO})|(?:{_CHANGED_TO})) "
    rf"{_WHAT}(?: (?:up|down|back|forward|over|out|ahead))?(?: from [^,;:]+?)? (?P<to>to|into|onto|until) "
    rf"{_NEW_VALUE}"
)
_REPLACED = re.compile(
    rf"{_WHO} {_HAVE}(?:replaced {_WHAT} (?:with|by)|(?:swapped|exchanged|traded|traded in"
    rf"|ditched) {_THAT}(?: in)? for)"
    rf" {_NEW_VALUE}"
)
_CHOSEN = "made|set|picked|chose|chosen|named"
_MADE = re.compile(
    rf"{_WHO} {_HAVE}(?:{_CHOSEN}) (?P<value>[A-Z][\w.’'&+-]*(?: [A-Z0-9][\w.’'&+-]*){{0,3}})"
    rf" (?:as )?(?P<what>{_OWN} (?:new )?[a-z][\w-]*(?: [a-z][\w-]*){{0,4}})\Z"
)
_SEES_AS = re.compile(
    r"(?P<who>I|[Ww]e|[A-Z][\w’'-]*) (?:am |is |are )?(?:see|sees|seeing|have|has|got|use|uses|using|work with|go to) "
    r"(?P<value>[A-Z][\w.’'-]*(?: [A-Z][\w.’'-]*){0,3}) as (?P<what>(?:my|our|his|her) [a-z][\w -]*)\Z"
)
_KINDS = "new|different|another|replacement"
_NEW_ONE = re.compile(
    rf"{_WHO} (?:{_HAVE}(?:got|has|have|had|bought|found|hired|chosen|picked|received|adopted|opted for|signed with)"
    r"|have|has|(?:have|has) (?:got|been (?:given|assigned|issued))|(?:was|were|am|is|are|been) (?:given|assigned"
    r"|issued)"
    rf") (?:my |our |his |her |their |an? )?(?P<kind>{_KINDS}) "
    r"(?P<role>[a-z][\w-]*(?: [a-z][\w-]*){0,3})(?P<link>, called |, namely |: ?|, | called | named )(?P<value>\S.*)\Z"
)
_PARTS = "room|row|seat|desk|table|gate|ward|cabin|berth|office|bay|locker|suite|unit|platform"
_PLACED = re.compile(
    rf"{_WHO} {_HAVE}(?:moved|put|placed|seated|assigned|transferred|booked|checked) "
    r"(?P<whom>me|us|him|her|them|[A-Z][\w’'-]*) (?:in|into|to|at) "
    rf"(?P<value>(?P<noun>{_PARTS}) "
    r"(?P<number>[A-Z]?-?\d[\w.-]*))(?P<tail>(?: (?:at|in|of|on) [^,;:]+)?)\Z"
)
_WAS_PLACED = re.compile(
    r"(?P<whom>I|[Ww]e|[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)?) (?:have been|has been|was|were|got) (?:moved|put|placed"
    r"|seated|"
    r"assigned|transferred|upgraded|rebooked)(?: up| over| down)? (?:in|into|to|at) "
    rf"(?P<noun>{_PARTS}) "
    r"(?P<number>[A-Z]?-?\d[\w.-]*)(?P<tail>(?: (?:at|in|of|on) [^,;:]+)?)\Z"
)
_PLANS = "plan|tier|subscription|package|tariff|membership|edition|team|shift|diet|course|track|class|group"
_PLAN = re.compile(
    r"(?P<who>I|[Ww]e|[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)?) (?:have |has |was |were )?(?:been )?(?:just )?(?:upgraded"
    r"|downgraded|switched|moved"
    r"|changed|gone|went|transferred) (?:up |down |over )?(?:from (?:the |an? )?[^,;:]+? )?to "
    rf"(?P<value>(?:the|an?) \S+(?: \S+)? (?:{_PLANS})(?: (?:at|with|on|for|of|in) [^,;:]+)?)\Z"
)
_SIGNED = re.compile(
    r"(?P<who>[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)?|I) (?:has |have )?(?:just )?(?:signed for|been transferred to"
    r"|was transferred to|been loaned to|was loaned to|transferred to|been traded to|was traded to) "
    r"(?P<value>[A-Z][^,;:]*)\Z"
)
_THAT_IS_MY = re.compile(
    r"(?:(?:[Pp]lease )?(?:[Uu]se|[Tt]ry|[Cc]all|[Ww]rite to|[Rr]each me (?:at|on)|[Ii]t is|[Ii]t['’]s"
    r"|(?:I|[Ww]e)(?:['’]ve)? (?:have )?(?:upgraded to|switched to|moved to|moved into|changed to|bought|got|went "
    r"for|chose"
    r"|picked|found|joined|signed up (?:at|with))(?: the| an?)?) )?(?P<value>\S.*?)"
    r"(?: from now on)?(?:,| -| –| —) (?:that|which|it)(?:['’]s| is) (?:now )?(?P<what>(?:my|our|[A-Z][\w’'-]*['’]s) "
    r"(?:new |current )?[a-z][\w -]*?)(?: now| these days)?\Z"
)
# "Please update my emergency contact: it's Leopold"
_UPDATE = re.compile(
    r"(?:[Pp]lease )?(?:[Uu]pdate|[Cc]hange|[Cc]orrect|[Ss]et|[Ss]witch|[Mm]ove|[Rr]eset|[Mm]ake) (?P<what>(?:my|our"
    r"|[A-Z][\w’'-]*['’]s) "
    r"[a-z][\w-]*(?: [\w-]+){0,4}?)(?: from [^,;:]+?)?(?: to |(?::|,|;| -| –| —) (?:(?:it|that)(?:['’]s| is) (?:now "
    r")?)?)"
    r"(?P<value>\S.*?)(?: from now on| now| please|, please)?\Z"
)
_THE_EVENT = re.compile(
    r"[Tt]he (?P<what>[a-z][a-z-]+(?: [a-z-]+){1,2}) (?:has been |have been |was |were |got |has |is now )?(?:moved"
    r"|pushed|"
    r"postponed|rescheduled|shifted|brought|changed|switched)(?: up| back| forward)? to (?P<value>\S.*)\Z"
)
_DOWN_TO = re.compile(
    r"(?P<who>\S.*?) (?:am|is|are) (?:now )?(?:down|up) to (?P<value>\d[\d.,]* ?(?:kg|kilos?|lbs?|pounds|st|stone))\Z"
)
MAY_COME_TO = word_set(
    "moved switched changed turned put transferred extended raised lowered shifted pushed bumped upgraded brought "
    "ported swapped upped postponed rescheduled set reset relocated increased cut reduced downgraded replaced "
    "exchanged traded ditched made started begun began gone went taken picked chose chosen named seeing sees new "
    "different another replacement placed seated assigned booked checked signed loaned hidden stashed stored "
    "become became that's that’s it's it’s down up reach Reach call Call text Text ring email phone number mobile "
    "Please please Update update Change Correct Set Switch Move Reset Make"
)
"""A sentence that comes to something has one of these words."""
_PRODUCT = re.compile(r"[A-Z][\w’'&+.-]*(?: [A-Z0-9][\w’'&+.-]*){0,4}")
_REACH = re.compile(
    r"(?:[Yy]ou can |[Pp]lease )?(?:[Rr]each|[Cc]all|[Tt]ext|[Rr]ing|[Cc]ontact|[Ee]mail|[Ww]rite to) (?P<whom>me|us"
    r"|[A-Z][\w-]*) "
    r"(?:at|on|under|via) (?P<value>[+(]?\d[\d ()/.-]{5,}\d|\S+@\S+)\Z"
)
_ADDRESS = re.compile(
    r"(?P<own>[Mm]y|[Oo]ur|[A-Z][\w-]*['’]s) (?:phone number|number|phone|mobile|cell|email|email address|e-mail) is "
    r"(?P<value>[+(]?\d[\d ()/.-]{5,}\d|\S+@\S+)\Z"
)
_TURNED = re.compile(
    r"(?P<who>I|[Ww]e|[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)?|(?:[Mm]y|[Oo]ur) [a-z-]+(?: [A-Z][\w-]*)?) (?:have |has "
    r")?(?:just )?"
    r"(?:turned|gone|went|become|became) (?P<value>\d{1,3}|vegan|vegetarian|pescatarian|teetotal)"
    r"(?: yesterday| today| last \w+| on \w+| this \w+| in \w+)?\Z"
)
_PUT = re.compile(
    r"(?P<who>I|[Ww]e|[A-Z][\w’'-]*) (?:(?:have|has) (?:just )?(?:put|hidden|placed|stashed|stored)|(?:(?:have"
    r"|has) )?moved) "
    r"(?P<what>(?:my|our|the) "
    r"[a-z][\w -]*?) (?P<prep>in|on|under|behind|inside|into|at|with) (?P<value>(?:the |my |our )[^,;:]+)\Z"
)
_FOR_ONCE = word_set("today tonight this once just only")
_OF_WHOM = {"me": "I", "us": "we"}
_SPEAKERS = {"i": "my", "we": "our"}
_BE = {"I": "am", "We": "are", "we": "are"}
_STARTED = re.compile(
    r"(?P<who>I|[Ww]e|[A-Z][\w’'-]*) (?:have |has |am |is )?(?:just )?(?:started|begun|began|switched to|taken to"
    r"|gone to"
    r"|gone back to) (?P<doing>[a-z]+ing) (?P<rest>(?:[a-z]+ ){0,4}?(?:at )?\d[^,;]*)\Z"
)


def upshots_of(said: str, changed: bool = False) -> Iterator[str]:
    """Yield the plain sentences that a sentence of change comes to.

    Args:
        said: The sentence, without its full stop and what wraps it.
        changed: Whether its wrapping announces a change.

    Example:
        >>> list(upshots_of("Rita replaced her bike with a Brompton"))
        ["Rita's bike is a Brompton"]
    """
    if len(said) > _LONGEST or MAY_COME_TO.isdisjoint(said.split()):
        return
    hidden = masked(said)
    if any(w.strip(_TRIM).lower() in _OPEN for w in hidden.split()):
        return
    if changed:
        yield from _reached(said)
    for reader in _FITTING(frozenset(hidden.split())):
        found = False
        for plain in reader(said, hidden):
            found = True
            yield plain[0].upper() + plain[1:]
        if found:
            return


_PAST = word_set("yesterday last was were had been used becomes become before since another except instead")
_OPEN = (UNASSERTED - _PAST) | word_set("but although though while whereas yet")


def _owned(match: re.Match[str]) -> str:
    """Return what is changed, with the name of its owner in the place of the pronoun; "" if nobody is named."""
    what = (match["what"] or match["that"]).replace(" new ", " ", 1)
    own, _, rest = what.partition(" ")
    who = match.groupdict().get("who") or ""
    if own in ("his", "her", "its", "their"):
        return f"{who}'s {rest}" if who[:1].isupper() and who not in ("They", "He", "She", "I", "We") else ""
    return what


def _said(text: str, match: re.Match[str], group: str = "value") -> str:
    return text[slice(*match.span(group))]


def _reached(text: str) -> Iterator[str]:
    """Read "You can reach me on 0170 555 0133" as my phone number, and a new number as where I can be reached."""
    if (match := _REACH.match(text)) is not None:
        who = match["whom"]
        owner = {"me": "my", "us": "our"}.get(who, f"{who}'s")
        for noun in ("email", "email address") if "@" in match["value"] else ("phone number", "number", "phone"):
            yield f"{owner} {noun} is {match['value']}"
    elif (match := _ADDRESS.match(text)) is not None:
        owner = match["own"].removesuffix("'s").removesuffix("’s")
        whom = {"my": "me", "our": "us"}.get(owner.lower(), owner)
        yield text
        yield f"reach {whom} at {match['value']}"


def _moved(text: str, hidden: str) -> Iterator[str]:
    """Read "They moved my desk to the sixth floor" as what "my desk is", and where."""
    match = _MOVED.match(hidden)
    what = _owned(match) if match else ""
    if match is None or not what:
        return
    value = _said(text, match)
    own, _, role = what.partition(" ")
    if own == "the" and match["who"] in _BE and " " in role:
        yield f"{'my' if match['who'] == 'I' else 'our'} {role} is {value}"
    found = find_typed(value, 0, len(value))
    if not match["place"] or (found is not None and found[3] in ("date", "number")):
        yield f"{what} is {value}"
    if found is None or found[3] == "name":
        for preposition in ("with", "at", "in", "on") if found else ("on", "in", "at"):
            yield f"{what} is {preposition} {value}"
    elif found[3] in ("date", "number"):
        yield f"{what} is {'on' if found[3] == 'date' else 'at'} {value}"


def _of_ours(text: str, hidden: str) -> Iterator[str]:
    """Read "The weekly sync moved to Thursdays" as what our weekly sync does, if we have one."""
    match = _THE_EVENT.match(hidden)
    value = _said(text, match) if match else ""
    found = find_typed(value, 0, len(value))
    if match is None or found is None or found[3] not in ("date", "number"):
        return
    link = "at" if found[3] == "number" and not value[found[1] :].strip() else "on"
    for own in ("our", "my", "the"):
        yield f"{own} {match['what']} is {link} {value}"


def _replaced(text: str, hidden: str) -> Iterator[str]:
    """Read "I replaced my bike with a Brompton"."""
    match = _REPLACED.match(hidden)
    what = _owned(match) if match else ""
    if match is not None and what:
        yield f"{what} is {_said(text, match)}"


def _made(text: str, hidden: str) -> Iterator[str]:
    """Read "I made Firefox my default browser" and "I am seeing Ruth Adler as my therapist"."""
    match = _MADE.match(hidden) or _SEES_AS.match(hidden)
    what = _owned(match) if match else ""
    if match is not None and what and match["value"].split()[0] not in ("I", "The"):
        yield f"{what} is {_said(text, match)}"


def _new_one(text: str, hidden: str) -> Iterator[str]:
    """Read "I was given a different locker, number 112"."""
    match = _NEW_ONE.match(hidden)
    if match is None or (match["kind"] == "another" and match["link"] == ", "):
        return
    who = match["who"]
    owner = _SPEAKERS.get(who.lower()) or (f"{who}'s" if who.lower() not in ("they", "he", "she") else "")
    if owner:
        yield f"{owner} {match['role']} is {_said(text, match)}"


def _placed(text: str, hidden: str) -> Iterator[str]:
    """Read "Reception has put me in room 518"."""
    match = _PLACED.match(hidden) or _WAS_PLACED.match(hidden)
    if match is None or match["whom"] in ("him", "her", "them"):
        return
    whom = _OF_WHOM.get(match["whom"], match["whom"])
    owner = _SPEAKERS.get(whom.lower(), f"{whom}'s")
    tail, number = _said(text, match, "tail"), _said(text, match, "number")
    yield f"{owner} {match['noun']}{tail} is {number}"
    yield f"{whom} {_BE.get(whom, 'is')} in {match['noun']} {number}{tail}"


def _put(text: str, hidden: str) -> Iterator[str]:
    """Read "I've put my passport in the safe" as where I keep it."""
    match = _PUT.match(hidden)
    if match is not None:
        keeps = "keep" if match["who"] in _BE else "keeps"
        yield f"{match['who']} {keeps} {_said(text, match, 'what')} {match['prep']} {_said(text, match)}"
        yield f"{_said(text, match, 'what')} is {match['prep']} {_said(text, match)}"


def _plan(text: str, hidden: str) -> Iterator[str]:
    """Read "I upgraded from the Basic plan to the Premium plan at Streamhaus"."""
    match = _PLAN.match(hidden)
    if match is not None:
        who, value = match["who"], _said(text, match)
        yield f"{who} {_BE.get(who, 'is')} on {value}"
        yield f"{who} {'have' if who in _BE else 'has'} {value}"


def _signed(text: str, hidden: str) -> Iterator[str]:
    """Read "Kwame has been transferred to Benfica" as whom he plays for."""
    match = _SIGNED.match(hidden)
    if match is not None:
        yield f"{match['who']} play{'' if match['who'] == 'I' else 's'} for {_said(text, match)}"


def _that_is_my(text: str, hidden: str) -> Iterator[str]:
    """Read "Please use ann@post.example, that's my email now"."""
    match = _THAT_IS_MY.match(hidden)
    if match is None:
        return
    value = _said(text, match)
    found = find_typed(value, 0, len(value))
    if (found is not None and found[2] == len(value)) or _PRODUCT.fullmatch(value):
        yield f"{_owned(match)} is {value}"


def _update(text: str, hidden: str) -> Iterator[str]:
    """Read "Please update my emergency contact: it's Leopold" and "Change my alarm to 6:30"."""
    match = _UPDATE.match(hidden)
    if match is not None and _FOR_ONCE.isdisjoint(match["value"].lower().split()):
        yield f"{_said(text, match, 'what')} is {_said(text, match)}"
        yield f"{_said(text, match, 'what')} is set to {_said(text, match)}"
        yield f"{_said(text, match, 'what')} is at {_said(text, match)}"


def _down_to(text: str, hidden: str) -> Iterator[str]:
    """Read "Jonas is down to 78 kg"."""
    match = _DOWN_TO.match(hidden)
    if match is not None:
        yield f"{match['who']} weigh{'' if match['who'] == 'I' else 's'} {_said(text, match)}"


def _turned(text: str, hidden: str) -> Iterator[str]:
    """Read "Yusuf turned 12" and "I've gone vegan"."""
    match = _TURNED.match(hidden)
    if match is not None:
        be = _BE.get(match["who"], "is")
        yield f"{match['who']} {be} {_said(text, match)}"
        if match["value"].isdigit():
            yield f"{match['who']} {be} {match['value']} years old"


def _started(text: str, hidden: str) -> Iterator[str]:
    """Read "I've started getting up at 5:45": what one does at an hour or in an amount, one does so from then on."""
    match = _STARTED.match(hidden)
    verb = verb_of_gerund(match["doing"]) if match else ""
    if match is not None and verb == match["doing"] and verb[-5:-4] and verb[-5] == verb[-4]:
        verb = verb[:-4]  # "getting"
    if match is not None and verb != match["doing"]:
        who = match["who"]
        yield f"{who} {verb if who in _BE else third_of(verb)} {_said(text, match, 'rest')}"


def _one_of(words: str) -> frozenset[str]:
    return frozenset(words.split("|"))


_THAT_WORDS = frozenset(f"{word}{be}" for word in ("that", "which", "it") for be in ("", "'s", "’s"))
_ORDERS = frozenset(
    word for order in ("update", "change", "correct", "set", "switch", "move", "reset", "make")
    for word in (order, order.capitalize())
)  # fmt: skip
_READERS: tuple[tuple[Callable[[str, str], Iterator[str]], Needles], ...] = (
    (_placed, _one_of(_PARTS)),
    (_put, word_set("put hidden placed stashed stored moved")),
    (_plan, _one_of(_PLANS)),
    (_moved, (_one_of(_MOVED_TO) | _one_of(_CHANGED_TO), word_set("to into onto until"))),
    (_of_ours, (word_set("The the"), word_set("to"))),
    (_replaced, word_set("replaced swapped exchanged traded ditched")),
    (_made, _one_of(_CHOSEN) | {"as"}),
    (_new_one, _one_of(_KINDS)),
    (_signed, word_set("signed transferred loaned traded")),
    (_that_is_my, _THAT_WORDS),
    (_update, _ORDERS),
    (_down_to, (word_set("down up"), word_set("to"))),
    (_turned, word_set("turned gone went become became")),
    (_started, word_set("started begun began switched taken gone")),
)
"""Readers in order, each with the words that it needs (see `Dispatch`): the first that knows a sentence says it all."""
_FITTING = Dispatch(_READERS)
