"""What people say of their things with a detail beside, or in words of its own: "My gym is Forge on Elm Street".

Rules like those of `of_people`: a detail that tells no things apart is no part of the key.
"""

from __future__ import annotations

from memstrata_integrations.extraction.sentences.pieces_of_people import AMOUNT, NUMBER, WHO, WHOSE, rule_of

__all__ = ["MORE_RULES"]

# What an address has besides the street and the number
_WITHIN = (
    r"(?:(?:flat|apt|apartment|unit|suite|room|floor|block|building|top|ground|first|second|third|fourth|rear|back"
    r"|upper"
    r"|lower|number|no|in|near|on|off|just)\b[^;:]{0,40}|[A-Z][\w’-]*(?: [A-Z\d][\w’-]*){0,2}(?:, [^;:]{2,30})?)"
)
# "in a small flat near the park", and not "in summer"
_DWELLING = (
    r"(?:an?|the|my|our)(?= (?:[a-z-]+ )*(?:flat|house|apartment|room|studio|cottage|part|north|south|east|west"
    r"|district|centre|center|suburbs?|building|basement|attic|loft|villa|bungalow|caravan|street|quarter|neighbou?rhood|area))"
)
# Wherever they are, a person has one of them
_ONE_WHEREVER = (
    "gym hairdresser barber dentist gp GP mechanic vet pharmacist optician hairstylist stylist childminder nanny "
    "cleaner "
    "physio physiotherapist therapist landlord landlady babysitter accountant solicitor"
)
_READING = (
    r"-?\d[\d.,]* ?(?:°C|°F|°|degrees|cm|mm|kg|kilos|pounds|percent|%|bar|psi|lux|dB|watts|points|inches|grams|litres"
    r"|liters)(?: (?:C|F|Celsius|Fahrenheit))?"
)
_DOSE = r"(?P<v>\d[\d.,]* ?(?:mg|mcg|µg|micrograms|milligrams|units|IU))"
_DAILY = r"(?: (?:daily|a day|per day|every day|once a day|once daily))?"
_OWN = r"(?:[Mm]y|[Oo]ur|[A-Z][\w’-]*['’]s)"
# What people are put into by number or letter
_NUMBERED = (
    "room ward bed group class team hall row seat table gate lane tent cabin stall pitch slot section desk locker "
    "booth "
    "bay berth corridor wing"
)
_PLACED = rf"(?P<what>{_NUMBERED.replace(' ', '|')}) (?P<v>[A-Z]?\d+[A-Z]?|[A-Z])"
_PUT = (
    r"(?:They|[Tt]he [a-z]+|[A-Z][a-z]+) (?:have |has )?(?:just )?(?:put|moved|assigned|switched|transferred|upgraded"
    r"|bumped|reassigned|given|gave|allocated|wheeled|placed) (?P<whom>me|us) (?:over |up |back )?"
    r"(?:(?:in|into|to|on|onto) )?"
)
_FUNDS = "fund account savings kitty pot balance piggy-bank"

MORE_RULES = (
    rule_of(
        "my our his her their",
        r"(?P<what>(?:[Mm]y|[Oo]ur|The|[A-Z][\w’-]*['’]s) (?:[a-z-]+ ){1,3}is) (?:my|our|his|her|their) "
        r"(?:[a-z-]+ ){1,2}?(?P<v>[A-Z][\w’-]*(?: [A-Z][\w’-]*)?)\Z",
        "{what} {v}",
    ),
    rule_of(
        "address live lives",
        rf"(?P<what>[^,;:]{{1,60}} (?:address (?:is|has changed to)|lives? at)) (?P<v>(?=[^,]*\d)[^,;:]+), {_WITHIN}\Z",
        "{what} {v}",
    ),
    rule_of(
        "live lives",
        rf"{WHO} lives? in (?P<v>[A-Z][\w’-]*(?: [A-Z][\w’-]*)?), (?:in {_DWELLING}|near|by|close to|next to|just|right"
        r"|not far|on(?= (?:the|an?|[A-Z]))) [^,;:]{3,60}\Z",
        "{WHO} {live} in {v}",
    ),
    rule_of(
        "work works working",
        rf"{WHO} (?:works?|(?:am|is|are) working) (?P<at>at|for) (?P<v>(?:the )?[A-Z][\w’'&.-]*(?: [A-Z][\w’'&.-]*)*) "
        r"as (?:an?|the|their|head|senior|junior|lead)\b[^,;:]*\Z",
        "{WHO} {work} {at} {v}",
    ),
    rule_of("drive drives", rf"{WHO} drives? an? (?:19|20)\d\d (?P<v>[A-Z][^,;:]*)\Z", "{WHO} {drive} a {v}"),
    rule_of(
        _ONE_WHEREVER,
        rf"(?P<what>{WHOSE} (?:{_ONE_WHEREVER.replace(' ', '|')})) is (?P<v>(?:the |Dr\.? |Mr\.? |Mrs\.? |Ms\.? "
        rf")?[A-Z][\w’'&-]*"
        r"(?: [A-Z][\w’'&-]*){0,2}) (?:over |out )?(?:at|from|of|on|in|near) (?:the )?[A-Z][^,;:]*\Z",
        "{what} is {v}",
    ),
    rule_of(
        "at",
        r"(?P<what>(?:[Mm]y|[Oo]ur|[Tt]he|[A-Z][\w’-]*['’]s) [a-z][\w’'-]*(?: [a-z][\w’'-]*){0,2}?) (?:is|sits"
        r"|stands) at "
        rf"(?P<v>{_READING})\Z",
        "{what} is {v}",
    ),
    rule_of(
        "keep keeps have has run runs",
        rf"{WHO} (?:keeps?|have|has|runs?) (?P<what>(?:my|our|the) [a-z][\w-]*(?: [a-z][\w-]*)?) (?:set )?(?:at|to) "
        rf"(?P<v>{_READING}|-\d+)\Z",
        "{What} is {v}",
    ),
    rule_of(
        "from",
        r"(?:(?:Update|News|Word|Correction) )?from (?P<name>[A-Z][\w’-]*)[:,] (?:his|her|their) "
        r"(?P<rest>[a-z][^;:]*)\Z",
        "{name}'s {rest}",
    ),
    rule_of(
        "on about regarding to",
        r"(?:(?:Update|News|Correction|Change) )?(?:on|about|to|regarding) (?P<what>(?:the|my|our) [^,;:]{2,40})[:,] "
        r"(?:it|they|he|she)(?P<is>['’]s)? (?P<rest>[a-z\d][^;]*)\Z",
        "{What}{is} {rest}",
    ),
    rule_of(
        "my My our Our",
        r"(?P<what>(?:[Mm]y|[Oo]ur) [a-z-]+(?: [a-z-]+)?)['’]s (?P<v>[A-Z][\w’-]*(?: [A-Z][\w’-]*){0,2})\Z",
        "{what} is {v}",
    ),
    rule_of(
        _NUMBERED,
        rf"{WHO} (?:am|is|are) in {_PLACED}(?P<tail> (?:for|on|at|in) [^,;:]+)\Z",
        "{WHOSE} {what}{tail} is {v}",
    ),
    rule_of(_NUMBERED, rf"{_PUT}{_PLACED}(?P<tail> (?:for|on|at|in) [^,;:]+)\Z", "{WHOSE} {what}{tail} is {v}"),
    rule_of(_NUMBERED, rf"{_PUT}{_PLACED}\Z", "{WHO} {be} in {what} {v}"),
    rule_of(
        "left",
        rf"{WHO} (?:have|has) (?P<v>{NUMBER} [a-z]+) of (?P<what>[a-z]+(?: [a-z]+)?) left\Z",
        "{WHOSE} {what} left is {v}",
    ),
    rule_of(
        _FUNDS,
        rf"{WHO} (?:have|has) (?P<v>{AMOUNT}|\d[\d.,]*) in (?P<what>(?:my|our) (?:[a-z]+ "
        rf")*(?:{_FUNDS.replace(' ', '|')}))\Z",
        "{What} is {v}",
    ),
    rule_of(
        _FUNDS,
        rf"(?P<what>{_OWN} (?:[a-z]+ )*(?:{_FUNDS.replace(' ', '|')})) is at (?P<v>{AMOUNT}|\d[\d.,]*)\Z",
        "{what} is {v}",
    ),
    rule_of(
        "bus tram train line tube metro ferry",
        rf"(?P<what>{_OWN} [^,;:]*?\b(?:bus|tram|train|line|tube|metro|ferry)(?: (?:to|from|home)\b[^,;:]*?)?) is the "
        r"(?P<v>\d{1,3}[A-Z]?)\Z",
        "{what} number is {v}",
    ),
    rule_of(
        "bus tram train coach flight ferry boat",
        rf"(?P<what>{_OWN} [^,;:]*?\b(?:bus|tram|train|coach|flight|ferry|boat)(?: (?:to|from|home)\b[^,;:]*?)?) is "
        rf"the "
        r"(?P<v>\d{1,2}[:.]\d\d(?: ?[ap]m)?)\Z",
        "{what} departs at {v}",
    ),
    rule_of(
        "ends",
        rf"(?P<what>{_OWN} [a-z ]*(?:card|account|iban|IBAN|number)) ends (?:in|with) (?P<v>\d{{2,6}})\Z",
        "{what} ending is {v}",
    ),
    rule_of(
        "one",
        rf"(?P<what>{_OWN} [^,;:]{{2,40}}) is the one (?P<in>in|on|at|near|by) (?P<v>(?:the )?[A-Z][^,;:]*)\Z",
        "{what} is {in} {v}",
    ),
    rule_of(
        "down up went gone put",
        rf"(?:{WHO} (?:(?:am|is|are) (?:up|down)|went(?: up| down| back)?|(?:have|has) gone(?: up| down| back)?) to"
        rf"|(?:They|My doctor|The [a-z]+) (?:have |has )?put (?P<whom>me) on) {_DOSE} (?:of "
        rf")?(?P<what>[a-z][\w-]*){_DAILY}\Z",
        "{WHOSE} {what} dose is {v}",
    ),
    rule_of(
        "raised lowered increased reduced upped cut dropped halved doubled adjusted",
        r"(?:They|I|(?:[Mm]y|[Tt]he) (?:doctor|gp|GP|vet|clinic|psychiatrist|hospital|cardiologist|specialist)"
        r"|Dr\.? [A-Z]\w+) "
        r"(?:have |has )?(?:just )?(?:raised|lowered|increased|reduced|upped|cut|dropped|halved|doubled|adjusted) "
        rf"(?P<mine>my) (?P<what>[a-z][\w-]*) (?:dose |dosage )?to {_DOSE}{_DAILY}\Z",
        "{WHOSE} {what} dose is {v}",
    ),
    rule_of(
        "mg mcg µg micrograms milligrams units IU",
        rf"{WHOSE} (?P<what>(?!dose|dosage|intake|limit|target)[A-Za-z][\w-]*) (?:is|(?:has been|was) (?:cut|raised"
        rf"|lowered|increased|reduced|upped) to) {_DOSE}{_DAILY}\Z",
        "{WHOSE} {what} dose is {v}",
    ),
)
