"""Rules like those of `states_of_days`, for other constructions of the same state: "The rent we pay is 900 euros".

Each is of a form that always means the other one; what somebody may have several of keeps the words that tell which.
"""

from __future__ import annotations

from memstrata_integrations.extraction.sentences.pieces_of_people import AMOUNT, HEDGE, NUMBER, WHO, WHOSE, rule_of

__all__ = ["FORMS_OF_DAYS"]

_PAYER = r"(?P<who>I|[Ww]e)"
_MONTHLY = r"(?: (?:an?|per|each|every) month| monthly)?"
_EACH_MONTH = r"(?:(?:Every|Each) month,? )?"
_LANDLORD = r"(?:my|our|the) (?:landlord|landlady)"
_MONEY = rf"(?P<v>{AMOUNT})"
_IN_BAND = r"(?P<where>(?:the|my|our|his|her) (?:[\w-]+ ){0,3}(?:orchestra|band|ensemble|quartet|trio|quintet|octet))"
_NO_ES = r"(?:[a-z]+(?:[^\Wsxhzu]|th))"
# Of kin and pets one has a number that is known
_COUNTED = (
    r"(?:children|kids|sons|daughters|(?:great-)?grandchildren|grandsons|granddaughters|brothers|sisters|siblings"
    r"|cousins|nephews|nieces|godchildren|stepchildren)"
)
_DOSE = r"(?P<v>\d[\d.,]* ?(?:mg|mcg|µg|ml|g|micrograms|milligrams|units))"
_HELPER = r"(?P<what>dentist|doctor|gp|GP|lawyer|accountant|therapist|hairdresser|barber|vet|optician|mechanic|plumber)"
_OWNED = "car van phone laptop camera"
_PRODUCT = f"(?:{_OWNED.replace(' ', '|')})"
# Whoever has one now has no other
_CURRENT = (
    r"(?:(?:home |work |email |phone |street )?(?:address|number)|employer|manager|boss|landlord|landlady|dentist"
    r"|doctor|gp|GP|therapist|lawyer|accountant|salary|rent|weight|job title|team|school|flat|apartment|bank)"
)

FORMS_OF_DAYS = (
    rule_of(
        "rent",
        rf"{_EACH_MONTH}{_PAYER} pay (?:{_LANDLORD} )?{HEDGE}{_MONEY}{_MONTHLY} (?:in|for|of) (?:the )?rent"
        rf"{_MONTHLY}\Z",
        "{WHOSE} rent is {v}",
    ),
    rule_of(
        "landlord landlady",
        rf"{_EACH_MONTH}{_PAYER} pay {_LANDLORD} {HEDGE}{_MONEY}{_MONTHLY}\Z",
        "{WHOSE} rent is {v}",
    ),
    rule_of(
        "rent", rf"The (?:monthly )?rent (?:that )?{_PAYER} pay is {HEDGE}{_MONEY}{_MONTHLY}\Z", "{WHOSE} rent is {v}"
    ),
    rule_of(
        "rent",
        rf"What {_PAYER} pay (?:in|for) rent{_MONTHLY} is {HEDGE}{_MONEY}{_MONTHLY}\Z",
        "{WHOSE} rent is {v}",
    ),
    rule_of(
        "rent",
        rf"{_MONEY}{_MONTHLY} is (?:what|the rent(?: that)?) {_PAYER} pay(?: (?:in|for) rent)?{_MONTHLY}\Z",
        "{WHOSE} rent is {v}",
    ),
    rule_of("rent", rf"{_PAYER} pay (?:a )?(?:monthly )?rent of {HEDGE}{_MONEY}{_MONTHLY}\Z", "{WHOSE} rent is {v}"),
    rule_of(
        "alarm",
        r"The (?:time|hour) (?:on|of|for) (?P<what>(?:my|our|[A-Z][\w’-]*['’]s) (?:[a-z]+ ){0,2}alarm(?: clock)?) is "
        r"(?:set (?:to|for|at) )?(?P<v>\d\S*(?: ?[ap]\.?m\.?)?)\Z",
        "{What} is set for {v}",
    ),
    rule_of(
        "best most",
        rf"Of (?:all )?(?:the )?(?P<what>(?:[a-z]+ )?{_NO_ES})s,? {WHO} (?:likes?|loves?|enjoys?) (?P<v>\S[^,;:]*?) "
        r"(?:the )?(?:best|most)\Z",
        "{WHOSE} favourite {what} is {v}",
    ),
    rule_of(
        "best most",
        rf"{WHO} (?:likes?|loves?|enjoys?) (?P<v>\S[^,;:]*?) (?:the )?(?:best|most) (?:of|among) (?:all )?(?:the )?"
        rf"(?P<what>(?:[a-z]+ )?{_NO_ES})s\Z",
        "{WHOSE} favourite {what} is {v}",
    ),
    rule_of(
        "orchestra band ensemble quartet trio quintet octet",
        rf"{WHO} plays? (?P<v>(?:the )?[a-z][a-z -]*?) in {_IN_BAND}\Z",
        "{WHOSE} instrument in {where} is {v}",
    ),
    rule_of(
        "orchestra band ensemble quartet trio quintet octet",
        rf"In {_IN_BAND},? {WHO} plays? (?P<v>(?:the )?[a-z][a-z -]*)\Z",
        "{WHOSE} instrument in {where} is {v}",
    ),
    rule_of(
        "has have",
        rf"(?:{WHO}) (?:has|have) (?P<v>{NUMBER}) (?P<what>{_COUNTED})\Z",
        "{WHOSE} number of {what} is {v}",
    ),
    rule_of(
        "daily",
        rf"{WHOSE} daily (?:dose|dosage) of (?P<what>[a-zA-Z][\w-]*) is (?:now )?{_DOSE}\Z",
        "{WHOSE} {what} dose is {v}",
    ),
    rule_of(
        "daily",
        rf"{WHOSE} daily (?P<what>[a-zA-Z][\w-]*) (?:dose|dosage) is (?:now )?{_DOSE}\Z",
        "{WHOSE} {what} dose is {v}",
    ),
    rule_of(
        "daily",
        rf"The daily (?P<what>[a-zA-Z][\w-]*) (?:dose|dosage) for {WHO} is {_DOSE}\Z",
        "{WHOSE} {what} dose is {v}",
    ),
    rule_of(
        "amount dose dosage",
        rf"{_DOSE} is the (?:amount|dose|dosage) of (?P<what>[a-zA-Z][\w-]*) (?:that )?{WHO} takes?"
        rf"(?: (?:a|per|each|every) day| daily)?\Z",
        "{WHOSE} {what} dose is {v}",
    ),
    rule_of(
        _OWNED,
        rf"An? (?P<v>(?:[a-z]+ )?[A-Z][\w.’+-]*(?: [A-Z0-9][\w.’+-]*){{0,3}}) is (?:{WHOSE} (?P<name>{_PRODUCT}))\Z",
        "{WHOSE} {name} is a {v}",
    ),
    rule_of(
        _OWNED,
        rf"An? (?P<v>(?:[a-z]+ )?[A-Z][\w.’+-]*(?: [A-Z0-9][\w.’+-]*){{0,3}}) is the (?P<name>{_PRODUCT}) of {WHO}\Z",
        "{WHOSE} {name} is a {v}",
    ),
    rule_of(
        _OWNED,
        rf"The (?P<name>{_PRODUCT}) of {WHO} is an? (?P<v>(?:[a-z]+ )?[A-Z][\w.’+-]*(?: [A-Z0-9][\w.’+-]*){{0,3}})\Z",
        "{WHOSE} {name} is a {v}",
    ),
    rule_of(
        "current",
        r"(?P<mine>[Mm]y|[Oo]ur) current (?:home |postal |street )?address is (?P<v>(?:[A-Z][a-z]+ )?\d[^;:@]*)\Z",
        "{WHO} {live} at {v}",
    ),
    rule_of(
        "current",
        rf"(?P<what>(?:[Mm]y|[Oo]ur)) current (?P<name>{_CURRENT}) is (?P<v>\S[^,;:]*)\Z",
        "{What} {name} is {v}",
    ),
    rule_of(
        "For for",
        rf"For (?:an?|my|our) {_HELPER},? {_PAYER} (?:go to|see|use|have) (?P<v>[A-Z][^,;:]*)\Z",
        "{WHOSE} {what} is {v}",
    ),
)
