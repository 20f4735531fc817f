"""What people say before they set something right: "Sorry, typo: ...", "I miscounted, ...", "Wrong table, sorry: ...".

Such words name no case in which the rest holds, and are no part of its key. Only closed forms are read: a verb that
means to get something wrong, a word for a slip, and an order to forget what was said before.
"""

from __future__ import annotations

import re

from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.lexicon import UNASSERTED
from memstrata_integrations.extraction.sentences.wording import Core
from memstrata_integrations.words import holds_any, word_set

__all__ = ["behind_correction", "corrected_core", "replaced_core"]

_LONGEST = 200
_MARK = r"(?:[,:;.!–—]+| [–—-]+) "
_SORRY = r"(?:sorry|oops|whoops|apologies|my (?:mistake|bad|apologies)|excuse me|pardon)"
_WRONGLY = (
    r"mis(?:counted|calculated|remembered|typed|spelled|spelt|heard|quoted|stated|wrote|judged|dialled|dialed|labelled"
    r"|labeled|reported|added|informed you)"
)
_SLIP = r"(?:typo|slip of the (?:tongue|pen)|brain fart|fat fingers|miscount|misprint|wrong key)"
_SET_RIGHT = r"(?:update|correct|amend)"
_LEAD = re.compile(
    rf"(?:(?:{_SORRY}|oh|ah|hm+|well|wait|no|argh|ugh){_MARK}|(?:sorry|oh) )*"
    r"(?:"
    rf"(?:(?:that was |it was |there was )?(?:a |an? (?:small|silly|stupid) )?{_SLIP}"
    r"(?: (?:in (?:my|the) (?:last|previous|earlier) (?:message|mail|note|one)|of mine|on my (?:part|side|end)|earlier"
    r"|above))?"
    rf"|(?:I|we)(?: have|['’]ve)? (?:just )?{_WRONGLY}(?: (?:it|that|this|them))?"
    r"(?: (?:earlier|before|last time|yesterday))?"
    rf"|(?:that was the )?wrong [a-z]+(?: [a-z]+)?,? {_SORRY}"
    rf"|{_SORRY},? (?:that was the )?wrong [a-z]+(?: [a-z]+)?"
    r"|(?:ignore|disregard|forget|scratch|delete) (?:my|the) (?:last|previous|earlier|old) "
    r"(?:message|e?mail|note|text|one|entry)"
    rf"){_MARK}"
    r"|(?:I|we) (?:said|told you|wrote|put down) [^,;:]{1,30}, but (?=(?-i:my|our|the|I|we|[A-Z][\w’-]*['’]s) )"
    rf"|(?:(?:(?:could|can|would|will) you )?(?:please )?{_SET_RIGHT} (?:this|that|it)"
    r"(?: for me| please| in your (?:notes|records|files))?"
    rf"|(?:I|we)(?:['’]d like| want| need) to {_SET_RIGHT} (?:this|that|something)){_MARK}"
    r"(?=(?-i:[Mm]y|[Oo]ur|I|[Ww]e)\b)"
    r"|had (?:my|our|her|his|an?) [a-z]+(?: [a-z]+)? (?:yesterday|today|last (?:week|month|night)"
    r"|this (?:week|morning|month)|the other day), (?=(?-i:I|[Mm]y|[Oo]ur|[Ww]e)\b)"
    r")(?=\S)",
    re.IGNORECASE,
)
_LEADING = word_set(
    "typo slip misprint miscount fart fingers wrong update correct amend had said told wrote put ignore disregard "
    "forget scratch delete miscounted miscalculated misremembered mistyped misspelled misspelt misheard misquoted "
    "misstated miswrote misjudged misdialled misdialed mislabelled mislabeled misreported misadded misinformed"
)
_LONGEST_LEAD = 70
# "Scratch what I said about Gus, his number is ..."
_ABOUT = re.compile(
    r"(?:(?:[Ss]orry|[Oo]h|[Nn]o|[Ww]ait),? )?(?:[Pp]lease )?(?:(?:[Ss]cratch|[Ff]orget|[Ii]gnore|[Dd]isregard"
    r"|[Ss]trike|[Dd]elete) (?:what|everything|all) (?:I|we) (?:said|told you|wrote|noted)|I (?:was|got it) wrong) "
    r"about (?P<who>my [a-z-]+|[A-Z][\w’-]*(?: [A-Z][\w’-]*)?)"
    rf"{_MARK}(?P<whose>(?P<his>his|her|their)(?= )|(?:he|she)(?P<is>['’]s)?(?= ))"
)
_NOBODY = word_set("it this that them these those the staging production prod test")
# "Ann isn't my tutor any more, it's Tom Lind"
_OTHER_ONE = re.compile(
    r"(?P<old>(?:[A-Z][\w’'&.-]*)(?: [A-Z][\w’'&.-]*){0,3}) (?:isn['’]t|is not|is no longer|['’]s no longer) "
    r"(?P<what>(?:[Mm]y|[Oo]ur|the|[A-Z][\w’-]*['’]s) [a-z][\w-]*(?: [a-z][\w-]*){0,3}?(?: (?:of|for|at) (?:the )?"
    r"[A-Z][\w’-]*(?: [A-Z][\w’-]*)*)?)(?: any ?more| any longer| now)?(?:[,;:]| [–—-]) (?:but )?"
    r"(?:it|that)(?:['’]s| is) (?:now )?(?P<v>(?:(?:my|our) [a-z-]+ )?[A-Z][\w’'&.-]*"
    r"(?: [A-Z][\w’'&.-]*){0,3})(?: (?:now|these days))?\Z"
)
_OPENERS = UNASSERTED | word_set("if when since because although though while once until as so but and for in on at")
_SAME_VERB = r"(?P<verb>take|catch|do|buy|get|have|park|leave|keep|store|use|wear|drink|eat|attend|start|finish)s?"
# "I don't buy my bread at Hof any more, I buy it at Bell"
_SAME_THING = re.compile(
    rf"(?P<who>I|[Ww]e) (?:don['’]t|do not|no longer) {_SAME_VERB} (?P<what>(?:my|our|the) [a-z-]+(?: [a-z-]+){{0,2}}) "
    r"(?P<prep>at|in|from|with|on|to|by) [^,;:]{2,50}?(?: any ?more| any longer)?[,;](?: but)? (?P=who) (?:now )?"
    r"(?P=verb) (?:it|them) (?P<at>(?P=prep) )(?P<v>[^,;:]{2,40}?)(?: (?:now|these days|instead))?\Z"
)
# "I no longer take the 7:12 train to work, I take the 7:48"
_SAME_RIDE = re.compile(
    r"(?P<who>I|[Ww]e) (?:don['’]t|do not|no longer) (?P<verb>take|catch|get) the \d{1,2}[:.]\d\d(?: ?[ap]m)?"
    r"(?P<tail> (?:train|bus|ferry|flight|tram|boat|shuttle|service)\b[^,;:]{0,40}?)(?: any ?more| any longer)?[,;]"
    r"(?: but)? (?P=who) (?:now )?(?P=verb) the (?P<v>\d{1,2}[:.]\d\d(?: ?[ap]m)?)"
    r"(?: (?:one|instead|now|these days))*\Z"
)
# "I got my locker number wrong, it's 31"
_GOT_WRONG = re.compile(
    r"(?:I|[Ww]e)(?: have|['’]ve)? (?:got|had|wrote|noted|put) (?P<what>(?:my|our|[A-Z][\w’-]*['’]s) [a-z][a-z-]*"
    r"(?: [a-z][a-z-]*){0,2}) (?:down )?wrong(?:[,;:]| [–—-]) it(?:['’]s| is) (?P<v>\S[^,;]*)\Z"
)
_WHO = r"[A-Z][\w’'&.-]*(?: [A-Z][\w’'&.-]*){0,3}"
# "Not Tom but Ann is my tutor", "It's Ann, not Tom, who leads Teal"
_CONTRAST = re.compile(
    rf"(?:(?:It(?:['’]s| is) n|N)ot (?:{_WHO}),? but (?P<v>{_WHO})"
    rf"|It(?:['’]s| is) (?P<one>{_WHO}),? (?:and )?not {_WHO},?)"
    r" (?:(?:who|that) )?(?P<rest>(?:is|[a-z]+s) [^,;]+)\Z"
)
# "That locker number was wrong, mine is 31"
_MINE = re.compile(
    r"(?:[Tt]hat|[Tt]he) (?P<what>[a-z][a-z-]*(?: [a-z][a-z-]*){0,3}) (?:(?:I|we) (?:gave|told|sent) you )?(?:was|is) "
    r"(?:wrong|incorrect|not right|outdated|out of date|an? typo|an? old one|the old one)(?:[,;:]| [–—-]) "
    r"(?:(?P<own>mine|ours)) is (?P<v>\S[^,;]*)\Z"
)


def behind_correction(text: str, start: int, end: int) -> int:
    """Return where a sentence goes on behind the words that announce a correction; its start if there are none.

    Example:
        >>> said = "Sorry, wrong table: our table is number 7"
        >>> said[behind_correction(said, 0, len(said)) :]
        'our table is number 7'
    """
    opening = text[start : min(end, start + _LONGEST_LEAD)]
    if not holds_any(opening, ",:;!–—-") and opening.partition(" ")[0].lower() not in _LEADING:
        return start
    words = opening.lower().replace(",", " ").replace(":", " ").replace(";", " ").replace("!", " ").split()
    if _LEADING.isdisjoint([w.rstrip(".") for w in words]):
        return start
    lead = _LEAD.match(text, start, end)
    return lead.end() if lead is not None and lead.end() < end else start


def corrected_core(text: str, start: int, end: int) -> Core | None:
    """Return what is right of somebody, behind an order to forget what was said of him; else `None`.

    Example:
        >>> said = "Scratch what I said about Gus, his number is 31"
        >>> corrected_core(said, 0, len(said)).text
        "Gus's number is 31"
    """
    found = _ABOUT.match(text, start, end) if " about " in text[start:end] else None
    if found is None or found["who"].lower() in _NOBODY or end - start > _LONGEST:
        return None
    name = f"{found['who'][0].upper()}{found['who'][1:]}"
    said = f"{name}'s" if found["his"] else f"{name} is" if found["is"] else name
    return _made(text, start, (said, (found.end(), end)))


def replaced_core(text: str, start: int, end: int) -> Core | None:
    """Return what holds of a role, an errand or a ride in place of what a sentence says to be over; else `None`.

    Example:
        >>> said = "Ann isn't my tutor any more, it's Tom Lind"
        >>> replaced_core(said, 0, len(said)).text
        'My tutor is Tom Lind'
    """
    if end - start > _LONGEST:
        return None
    said = text[start:end]
    if holds_any(said, (" it's ", " it’s ", " that's ", " it is ")):
        other = _OTHER_ONE.match(text, start, end)
        if other is not None and quiet(other["what"]) and other["old"].split()[0].lower() not in _OPENERS:
            first = other["what"][0].upper()
            return _made(text, start, (first, (other.start("what") + 1, other.end("what")), " is ", other.span("v")))
    if (" mine is " in said or " ours is " in said) and (mine := _MINE.match(text, start, end)) is not None:
        whose = "Our " if mine["own"] == "ours" else "My "
        return _made(text, start, (whose, mine.span("what"), " is ", mine.span("v")))
    if " wrong" in said and (wrong := _GOT_WRONG.match(text, start, end)) is not None:
        what = wrong["what"][0].upper(), (wrong.start("what") + 1, wrong.end("what"))
        return _made(text, start, (*what, " is ", wrong.span("v")))
    if ("ot " in said) and (found := _CONTRAST.match(text, start, end)) is not None:
        return _made(text, start, (found.span("v" if found["v"] else "one"), " ", found.span("rest")))
    if " longer " not in said and "n't " not in said and "n’t " not in said and " not " not in said:
        return None
    if (ride := _SAME_RIDE.match(text, start, end)) is not None:
        return _made(text, start, (ride["who"], " ", ride["verb"], " the ", ride.span("v"), ride.span("tail")))
    if (same := _SAME_THING.match(text, start, end)) is not None:
        act = f"{same['who']} {same['verb']} "
        return _made(text, start, (act, same.span("what"), " ", same.span("at"), same.span("v")))
    return None


def _made(text: str, start: int, pieces: tuple[str | tuple[int, int], ...]) -> Core:
    """Make a sentence that announces a change of pieces of a text."""
    said: list[str] = []
    places: list[int] = []
    for piece in pieces:
        if isinstance(piece, str):
            said.append(piece)
            places += [-1] * len(piece)
        else:
            said.append(text[slice(*piece)])
            places += range(*piece)
    return Core("".join(said), tuple(places), start, True, "")
