"""When something became so, said before or behind it: "since the wedding", "after last night's update".

Such words announce a change and belong to no key. What holds only after something that happens again and again
("after the first failure") is no such word: it says of which case the sentence speaks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from memstrata_integrations.extraction.sentences.verbs import THIRD
from memstrata_integrations.units import MONTHS
from memstrata_integrations.words import word_set

__all__ = [
    "CHANGING",
    "INNER_WORDS",
    "REMARK_TAIL",
    "TURN_LEAD",
    "TURN_TAIL",
    "TURN_WORDS",
    "WAS_TAIL",
    "WHEN_TAIL",
    "changes",
    "inner_times",
]

# What happens once and leaves things changed
_TURNS = (
    r"(?:re-?org(?:ani[sz]ation)?|re-?shuffle|restructuring|move|relocation|merger|takeover|wedding|marriage|divorce"
    r"|separation|break-?up|birth|baby|update|upgrade|migration|switch(?:over)?|change(?:over)?|rename|rebrand(?:ing)?"
    r"|renovations?|refit|refurbishment|rebuild|redesign|extension|promotion|pay rise|raise|reform|election"
    r"|time-?table|accident|flood|fire|burglary|break-in|surgery|operation"
    r"|diagnosis|scare|price (?:rise|hike|increase)|increase|hand-?over|transfer|cut-?over|clean-?up|refactor(?:ing)?"
    r"|outage|audit|servic(?:e|ing)|check-?up|eye test|weigh-in|repairs?|refill|replacement|storm|power cut|breakdown"
    r"|night|haircut|appointment|refinancing)"
)
_OWN = r"(?:the|our|my|her|his|their|this|that|last|yesterday['’]s|[A-Z][\w-]+['’]s)"
_PAST_TIME = (
    r"(?:last (?:night|week|month|year|spring|summer|autumn|fall|winter|quarter|term|sprint|"
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)|yesterday|this (?:morning|week|month|year))"
)
# "With the new tram my commute takes 25 minutes"; but "with the new flag" says in which case
_NEW = (
    r"(?:the|our|my|her|his|their) new (?:[\w-]+ )?(?:time-?table|schedule|tram|bus|line|train|job|contract|owners?"
    r"|landlord"
    r"|management|boss|baby|house|flat|office|shift|term|school|season|tariff|law|rules?|year)"
)
_NOT_AGAIN = r"(?!first|second|third|fourth|fifth|next|initial|final|each|every)"
_TURN = (
    rf"(?:(?:{_PAST_TIME}|{_OWN})(?:['’]s)? {_NOT_AGAIN}(?:[\w-]+ ){{0,2}}?{_TURNS}"
    rf"(?: (?:of|at|in|to|with) (?:the |our |my )?[\w-]+(?: [\w-]+)?)?|New Year(?:['’]s)?|Christmas|Easter)"
)
_SINCE = (
    rf"(?:{_TURN}|{_PAST_TIME}|then|{_OWN} {_NOT_AGAIN}[\w-]+(?: [\w-]+){{0,3}}?"
    r"|(?:he|she|they|I|we|it|someone|somebody|everyone) [a-z]+(?: [\w’'-]+){0,6}?)"
)
_SPEAKS = r"(?:I|we|my|our|she|he|they|the|you|[A-Z][\w’'-]+|`)"
TURN_LEAD = re.compile(
    rf"(?:(?:[Aa]fter|[Ff]ollowing|[Dd]ue to|[Tt]hanks to|[Bb]ecause of|[Ww]ith) {_TURN}|(?:[Ee]ver s|[Ss])ince "
    rf"{_SINCE}"
    rf"|(?:[Ww]ith|[Tt]hanks to|[Ss]ince) {_NEW}(?=, | (?:I|we|my|our|she|he) )"
    r"|[Ii]nstead of (?:the |our |my |an? )?[\w.’'-]+(?: [\w.’'-]+){0,3}(?=, )"
    rf"|[Ff]rom (?:today|this (?:week|month|year|term|semester|season))"
    rf"|[Ll]ately|[Oo]f late)(?:, (?=\S)| (?={_SPEAKS}\b))"
)
TURN_TAIL = re.compile(
    rf",? (?:(?:after|following|due to|thanks to|because of) {_TURN}|(?:ever )?since {_SINCE})\Z"
    rf"|,? with {_NEW}\Z"
    r"|, (?:as|because|since|seeing as|given that) (?:the |my |our )?[\w’'.-]+(?: [\w’'.-]+)? (?:is|has|was|are|have"
    r"|left|moved|"
    r"retired|quit|went)\b[^,;\d]{0,60}\Z"
    r"|,? now that (?:the |my |our |Dr\.? |Mrs?\.? |Ms\.? )?[\w-]+(?: [\w’'-]+)?"
    r"(?: (?:has|have|is|are|am|was)|['’](?:s|re|m|ve))\b[^,;\d]{0,60}\Z"
    r"|, (?:no more|at last|as (?:you|we|I) (?:asked|agreed|know|said)|as (?:requested|agreed|promised)|thank(?:s| "
    r"god)|"
    r"phew|hooray|yay|which (?:suits|is|makes|helps|means|I)) ?[^,;\d]{0,70}\Z"
)
REMARK_TAIL = re.compile(
    r", (?:close to|near|not far from|right by|just (?:off|round|outside)|nearer|closer to|a stone['’]s throw from) "
    r"[^,;\d]{2,50}\Z"
)
"""Where something is, said once more in other words."""
TURN_WORDS = word_set("with that after since following due thanks because more last phew hooray yay which as")
"""Of these a sentence holds one that ends in words of a turn."""
_MONTH_NAMES = "|".join(m for m in MONTHS if len(m) > 3)
WHEN_TAIL = re.compile(
    rf" (?:{_PAST_TIME}|over the (?:weekend|summer|holidays)|earlier (?:today|this (?:week|month|year))|today|recently"
    rf"|(?<=[\w%€$] )in (?:{_MONTH_NAMES}))\Z",
    re.IGNORECASE,
)
"""When something changed, behind what has changed."""
CHANGING = word_set(
    "moved switched changed went gone rose risen raised increased lowered reduced cut joined left upgraded downgraded "
    "replaced swapped transferred relocated migrated renamed bumped extended postponed rescheduled dropped fell became "
    "become started put set reset promoted appointed elected took taken "
    "cancelled canceled rebooked renewed finished"
)
"""Of these a sentence holds one that reports a change."""


def changes(words: Iterable[str]) -> bool:
    """Whether a sentence with these words reports a change."""
    return not CHANGING.isdisjoint(words)


# "The port, at the moment, is 80", "is again 80", "from now on listens on port 80": within the sentence
_AT_PRESENT = (
    r"(?:right now|just now|nowadays|these days|at the moment|at present(?! (?:value|price|rate|level)s?\b)|currently"
    r"|presently)"
)
_ANEW = (
    r"(?:from now on|from here on|henceforth|as of (?:now|today|this (?:week|month|year|morning))|since (?:yesterday"
    rf"|{_PAST_TIME}|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|today)|effective immediately|starting today"
    r"|going forward|instead)"
)
_SAID_SO = r"(?:again|actually|in fact|officially|already|finally)"
_ASIDE = (
    r"(?:however|though|incidentally|by the way|btw|of course|as it happens|as you (?:may )?know|for the record|indeed"
    r"|to be (?:clear|precise|exact)|just so you know|fyi|now)"
)
_INNER = re.compile(
    rf", (?:(?P<at>{_AT_PRESENT})|(?P<anew>{_ANEW})|{_SAID_SO}|{_ASIDE}),(?= \S)"
    rf"|(?:(?<= is)|(?<= are)) (?:(?P<is_at>{_AT_PRESENT})|(?P<is_anew>{_ANEW})|{_SAID_SO})(?= (?!being |not )\S)"
    rf"|(?<! in)(?<! of)(?<! than)(?<! as) (?:(?P<does_at>{_AT_PRESENT})|(?P<does_anew>{_ANEW})|again|actually)"
    r"(?= (?P<verb>is|are|has|[a-z]+s) )",
    re.IGNORECASE,
)
INNER_WORDS = word_set(
    "nowadays days moment present currently presently now henceforth today since immediately forward instead again "
    "actually fact officially already finally however though incidentally way btw course happens know record indeed "
    "clear precise exact fyi as"
)
"""Of these a sentence holds one in which `inner_times` finds something."""
_BE = ("is", "are", "has")
WAS_TAIL = re.compile(
    r",? \((?:(?:it )?(?:was|were|used to be|previously|formerly|up from|down from|instead of|no longer)"
    r"|(?:old|before|earlier)(?::| (?=[`$€£\d]))|not (?=(?:the|an?) |[`$€£\d])"  # not "(old building)"
    r"|(?<=[A-Za-z`] \()not (?=[a-z-]+\)))"
    r"(?: (?:at|on|in))? ?(?P<old>[^()]+)\)\Z"
)
"""What was so before, in brackets behind what is so now."""


def inner_times(sentence: str, start: int, stop: int) -> Iterator[tuple[int, int, bool, bool]]:
    """Yield what is said within a sentence of since when or how surely it holds.

    Args:
        sentence: The sentence.
        start: Where to look from.
        stop: Where to look to.

    Yields:
        Where it starts and ends, whether it announces a change, and whether it says that it holds now.
    """
    for found in _INNER.finditer(sentence, start, stop):
        verb = found["verb"]
        if verb is None or verb in _BE or verb in THIRD:
            changed = found["anew"] or found["is_anew"] or found["does_anew"]
            present = found["at"] or found["is_at"] or found["does_at"]
            yield *found.span(), changed is not None, present is not None
