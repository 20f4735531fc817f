"""Plain states of daily life that have the key of another plain sentence: "My contract is for 40 hours a week".

Rules like those of `of_people`, each of a form that always means the other one: "We keep the key in the shed" is "The
key is kept in the shed", "Ann manages me" is "My manager is Ann". Only what has one value at a time is put so.
"""

from __future__ import annotations

import re

from memstrata_integrations.extraction.sentences.pieces_of_people import AMOUNT, rule_of

__all__ = ["RULES_OF_DAYS", "is_standing_order"]

_NAME = r"[A-Z][\w’'-]*(?: [A-Z][\w’'-]*){1,3}"
_TITLED = r"(?:Dr|Mr|Mrs|Ms|Prof)\.? [A-Z][\w’'-]*(?: [A-Z][\w’'-]*)?"
_WHERE = r"(?P<in>in)"
_SPOT = r"(?P<v>(?:the|my|our) [a-z][a-z’' -]{1,40})"
# One object, and no stock of which a part may be elsewhere
_OBJECT = (
    r"(?:key|ladder|bike|bicycle|car|van|toolbox|passport|router|printer|tent|mower|lawnmower|drill|vacuum|hoover|kit"
    r"|suitcase|boat|trailer|pram|stroller|sledge|guitar|violin|camera|projector|iron|kettle|torch|umbrella|safe|piano"
    r"|notebook|binder|cash box|register|logbook|remote|charger|defibrillator|extinguisher|stepladder|wheelbarrow)"
)
_ONE_THING = rf"(?P<what>(?:my|our|the) (?:[A-Za-z][\w-]* ){{0,3}}{_OBJECT})"
_THINGS = r"(?P<what>(?:my|our|the) (?:[A-Za-z][\w-]* ){1,3}[a-z]+s(?<!ss))"
# What is agreed or granted once
_AGREEMENT = (
    "contract lease loan mortgage membership subscription policy visa permit warranty tenancy licence license pass "
    "sentence scholarship internship residency"
)
_OWN = r"(?:[Mm]y|[Oo]ur|[Tt]he|[A-Z][\w’-]*['’]s)"
_LASTING = (
    rf"(?P<v>\d[\d.,]* (?:hours?|days?|weeks?|months?|years?)(?: (?:a|per|each) (?:day|week|month|year))?|{AMOUNT}"
    r"(?: (?:a|per|each) (?:day|week|month|year))?)"
)
_READING = r"(?P<v>-?\d[\d.,]* ?(?:°C|°F|°|degrees|percent|%)(?: (?:Celsius|Fahrenheit))?)"
# Of these one has one at a time, whoever names him
_ONE_HELPER = (
    "landlord landlady dentist doctor gp GP therapist lawyer accountant solicitor manager boss supervisor mentor tutor "
    "coach trainer cleaner gardener hairdresser barber babysitter nanny vet optician physio midwife"
)
_HELPER = rf"(?:[a-z]+ )?(?:{_ONE_HELPER.replace(' ', '|')})"
_OF_ONESELF = r"(?:address|language|currency|name|nickname|signature|email|number|time ?zone|theme|font|unit|home page)"
_STANDING = r"(?:default|preferred|standard|usual|primary)"

RULES_OF_DAYS = (
    rule_of(
        "paid",
        r"(?P<what>(?:I|[Ww]e|[A-Z][\w’-]*) (?:am |are |is |gets? )paid on (?:the )?\d{1,2}(?:st|nd|rd|th))"
        r" of (?:the|each|every) month\Z",
        "{what}",
    ),
    rule_of("keep", rf"(?:I|[Ww]e) keep {_ONE_THING} {_WHERE} {_SPOT}\Z", "{What} is kept {in} {v}"),
    rule_of("keep", rf"(?:I|[Ww]e) keep {_THINGS} {_WHERE} {_SPOT}\Z", "{What} are kept {in} {v}"),
    rule_of(
        "place",
        rf"(?P<what>{_OWN} [a-z][^,;:]{{1,40}}?) has its place {_WHERE} {_SPOT}\Z",
        "{What} is kept {in} {v}",
    ),
    rule_of("place", rf"The place for {_ONE_THING} is {_WHERE} {_SPOT}\Z", "{What} is kept {in} {v}"),
    rule_of(
        _AGREEMENT,
        rf"(?P<what>{_OWN} (?:[a-z-]+ ){{0,2}}(?:{_AGREEMENT.replace(' ', '|')})) is for {_LASTING}\Z",
        "{What} is {v}",
    ),
    rule_of(
        "at on",
        rf"(?P<what>{_OWN} [a-z]+(?: [a-z]+)? in (?:the|my|our|[A-Z][\w’-]*['’]s) [a-z]+(?: [a-z]+)?) (?:is|sits"
        rf"|stands)"
        rf" (?:at|on) {_READING}\Z",
        "{What} is {v}",
    ),
    rule_of(
        "extension ext",
        r"(?P<what>(?:The|My|Our) [a-z][a-z’' -]{1,40}|[A-Z][\w’-]*(?: [A-Z][\w’-]*)?) (?:is|(?:is|can be) (?:reached"
        r"|reachable)) (?:on|at) (?:extension|ext\.?) (?P<v>\d{1,6})\Z",
        "{What}'s extension is {v}",
    ),
    rule_of("managed", rf"(?P<who>I) am managed by (?P<v>{_NAME})\Z", "{WHOSE} manager is {v}"),
    rule_of("manages", rf"(?P<v>{_NAME}) (?:manages|is managing) (?P<whom>me)\Z", "{WHOSE} manager is {v}"),
    rule_of(
        "manages",
        rf"The (?:person|one) (?:who|that) manages (?P<whom>me) is (?P<v>{_NAME})\Z",
        "{WHOSE} manager is {v}",
    ),
    rule_of(
        "name",
        rf"(?P<what>(?:[Mm]y|[Oo]ur) {_HELPER})['’]s (?:full )?name is (?P<v>{_TITLED}|{_NAME})\Z",
        "{What} is {v}",
    ),
    rule_of(
        "name",
        rf"The (?:full )?name of (?P<what>(?:my|our) {_HELPER}) is (?P<v>{_TITLED}|{_NAME})\Z",
        "{What} is {v}",
    ),
    rule_of(
        "spelled spelt written",
        r"(?P<what>[^,;:]+ name) is (?:spelled|spelt|written) (?P<v>[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)?)"
        r"(?:,? with (?:an? |two |one )?[A-Z](?: and [^,;:]+)?)?\Z",
        "{What} is {v}",
    ),
    rule_of(
        "spells",
        r"(?P<what>(?:[Tt]he|[Mm]y|[Oo]ur) [a-z]+|[A-Z][\w’-]*) spells (?:his|her|their) (?P<name>(?:[a-z]+ )?name) "
        r"(?P<v>[A-Z][\w’'-]*)(?:,? with (?:an? |two |one )?[A-Z])?\Z",
        "{What}'s {name} is {v}",
    ),
    rule_of(
        "default preferred standard usual primary",
        rf"(?P<what>(?:[Mm]y|[Oo]ur) {_STANDING} [a-z-]+(?: [a-z-]+)?) (?:should|must|shall) be (?P<v>[^,;:]+)\Z",
        "{What} is {v}",
    ),
    rule_of(
        "Set set Change change Switch switch Make make",
        rf"(?:Please )?(?:[Ss]et|[Cc]hange|[Ss]witch|[Mm]ake) (?P<what>(?:my|our) {_STANDING} [a-z-]+(?: [a-z-]+)?)"
        r"(?: from [^,;:]{1,30})? to (?P<v>[^,;:]+(?::\d\d)?)\Z",
        "{What} is {v}",
    ),
    rule_of(
        "Make make",
        rf"(?:Please )?[Mm]ake (?P<what>(?:my|our) {_STANDING} [a-z-]+(?: [a-z-]+)?) (?P<v>[A-Z\d][^,;:]*(?::\d\d)?)\Z",
        "{What} is {v}",
    ),
    rule_of(
        "Use use",
        r"(?:Please )?[Uu]se (?P<v>[A-Z\d][\w’'.&/-]*(?: [A-Z\d&][\w’'.&/-]*){0,4}) as (?P<what>(?:my|our) "
        rf"(?:[a-z-]+ ){{0,2}}{_OF_ONESELF})\Z",
        "{What} is {v}",
    ),
    rule_of(
        "lands",
        r"(?P<who>[Mm]y [a-z]+|[A-Z][a-z’-]+) (?P<verb>lands) at (?P<v>\d{1,2}[:.]\d\d(?: ?[ap]m)?) on "
        r"(?P<day>(?:the )?\d{1,2}(?:st|nd|rd|th)|\d{1,2} [A-Z][a-z]+|[A-Z][a-z]+ \d{1,2})\Z",
        "{WHOSE} flight {verb} at {v} on {day}",
    ),
    rule_of(
        "Wake wake",
        r"(?:Please )?[Ww]ake (?P<whom>me)(?: up)? at (?P<v>\d{1,2}[:.]\d\d(?: ?[ap]m)?|\d{1,2} ?[ap]m) (?P<day>on "
        r"(?:weekdays|weekends|workdays|[A-Z][a-z]+days))\Z",
        "{WHO} wake up at {v} {day}",
    ),
)

_ORDER = re.compile(rf"(?:Please )?(?:[Ss]et|[Cc]hange|[Ss]witch|[Mm]ake|[Uu]pdate) (?:my|our) {_STANDING} ")


def is_standing_order(sentence: str) -> bool:
    """Whether a sentence orders how it is to be from now on, and so says how it is.

    Example:
        >>> is_standing_order("Set my default currency to CHF."), is_standing_order("Set the port to 80.")
        (True, False)
    """
    return _ORDER.match(sentence) is not None
