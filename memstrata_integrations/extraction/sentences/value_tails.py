"""Where a name or a plain word ends that is a value: "bash" of "The login shell is bash as root".

What stands behind it says when, where or for whom it holds, and belongs to the key.
"""

from __future__ import annotations

import re

from memstrata_integrations.canonical import content_words
from memstrata_integrations.units import MONTHS, WEEKDAYS
from memstrata_integrations.words import word_set

__all__ = ["end_of_value", "unsaid_scope"]

_ADVERBS = word_set(
    "upstairs downstairs abroad overseas overnight off-peak outdoors indoors online offline onsite on-site offsite "
    "off-site in-house worldwide nationwide elsewhere locally remotely internally externally globally regionally "
    "nationally weekdays weekends weeknights mornings afternoons evenings nights midweek year-round part-time "
    "full-time backstage onstage offstage underwater downtown uptown ashore inland offshore onshore upcountry "
    "upstream downstream underground daytime nighttime only otherwise"
)
_ARTICLES = word_set("a an the my our your his her its their this that")
_WHOM = word_set("me us him her them it")  # "answer me in Dutch"
_DAY = "|".join(d.capitalize() for d in WEEKDAYS)
_MOMENT = (
    rf"(?:(?:next|last|this|mid|early|late|end of|the) )?(?:{'|'.join(m.capitalize() for m in MONTHS)}|{_DAY})s?\b.*"
    r"|noon|midnight|dawn|dusk|sunrise|sunset|lunch|[a-z]+ (?:to|until|till) [a-z]+|\S.* on(?:wards?)?"
    r"|(?:next |the )?(?:week|month|year|spring|summer|autumn|fall|winter|season|term|quarter)\b.*|\d.*"
)
_SETTINGS = (
    "spring|summer|autumn|fall|winter|season|term|production|prod|staging|development|dev|testing|theory|practice"
    "|general|English|German|French|Spanish|Italian|Dutch|Portuguese|Polish|Russian|Chinese|Japanese|Korean|Arabic"
)
_WHOSE = (
    "members|guests|visitors|customers|clients|users|admins|staff|adults|children|kids|minors|students|teachers"
    "|seniors|employees|contractors|partners|tenants|everyone|everybody|others|beginners|Windows|Linux|macOS|Android"
    "|iOS"
)
# None of these goes on with a name
_TAIL = re.compile(
    r" (?:as (?!(?:well|its|their|his|her|my|our|the|agreed|discussed|expected|requested|planned|announced|promised"
    r"|usual|before|always|of|needed|required|is)\b)\S.*|via \S.*|by default|(?<!day )by (?:day|night)"
    r"|at (?:night|home|work|weekends|first|times|startup|runtime|launch|school|peak\b.*|the moment)"
    r"|on (?:weekends|weekdays|holidays|battery|call|duty|error|leave"
    rf"|(?:{_DAY})s?)|in (?:{_SETTINGS})|(?:from|until|till|since|through) (?:{_MOMENT})"
    rf"|(?:{_DAY})s|(?:each|every|most|some) (?:day|morning|afternoon|evening|night|week|weekend|month)s?"
    r"|over (?:ssh|vpn|wifi)|with(?:out)? (?:sudo|VPN)|(?:in|inside) docker|per [a-z]\S*.*"
    r"|(?:against|during|when|while|whenever|where|wherever|if|unless|once|except|within|outside"
    r"|(?:so|as) (?:long|soon) as|(?:each|every|any) time) \S.*"
    rf"|(?:to|for) (?:(?:new|all|other|most|some) )?(?:{_WHOSE})"
    r"|[–—-] (?:[a-z]\S* (?:only|[a-z].*)|\S+ only)|\[[A-Za-z][^\]:]*\]|// \S.*|/\*.*\*/|<!--.*-->)\Z"
)
# Not "eu-west-1 (Ireland)", which explains the value
_IN_BRACKETS = re.compile(
    r" \((?:(?=[^()]*(?<![\w-])[a-z])[A-Za-z][\w.-]*(?: [A-Za-z][\w-]*){0,2}|EU|UK|US|QA|UAT|DEV|CI|APAC|EMEA)\)\Z"
)
# Such phrases describe what has an article ("the mill beyond the river"), and not what has none
_PHRASE = re.compile(
    r" (?:(?:among|amongst|along|across|above|below|beneath|beyond|between|alongside|amid|aboard|toward|towards"
    r"|upstream of|downstream of|out of) "
    r"|(?:in|on|at|over|under|behind|inside|with|without) (?:the|our|my|your|his|her"
    r"|their|its|all|most|each|every|any|both|other) "
    r"|(?:in|on|over|under|near|behind|inside) (?=[A-Z])"
    r"|for (?!a\b|it\b|rent|hire|sale|lunch|dinner|breakfast|tea\b|now\b)"
    r"|to (?=(?:the |our |all |most )?[a-z-]+s\Z))\S.*\Z"
)
_ANYWHERE = re.compile(r" (?:in|on|at|over|under|behind|inside|from) \S.*\Z")
# "waiting for approval", "ready for review", "out for delivery"
_STATUS = ("ing", "ed", "en", "ready", "out", "down", "up", "away", "stuck", "due", "back", "off", "available", "home")
# "Dr. Szabo at the Canal Street practice" is one whose name may be another's, "locker 17 at the station" a place
_OF_PLACE = re.compile(r"(?:Dr|Mr|Mrs|Ms|Prof)\b|[a-z]+ \d+ ")


def end_of_value(written: str, *, described: bool = False) -> int:
    """Return where a value in words ends, before what says when, where or for whom it holds.

    Args:
        written: The value as it stands, with what stands behind it.
        described: Whether a phrase may describe it, as one does behind an article: "the mill beyond the river".

    Example:
        >>> end_of_value("bash as root"), end_of_value("Tower of London"), end_of_value("English abroad")
        (4, 15, 7)
    """
    end = len(written)
    if "{" in written or " #" in written:
        return end  # of a template, or with a comment
    while " " in written[:end]:
        tail = _TAIL.search(written, 0, end) or _IN_BRACKETS.search(written, 0, end)
        tail = tail or (None if described else _phrase_of(written[:end]))
        if tail is not None and tail.start() and written[: tail.start()] not in _WHOM:
            end = tail.start()
            continue
        before, _, last = written[:end].rpartition(" ")
        if described or not before or last not in _ADVERBS or before.rpartition(" ")[2].lower() in WEEKDAYS:
            break
        end = len(before)
    return len(written[:end].rstrip(" ,")) or len(written) if end < len(written) else end


def _phrase_of(said: str) -> re.Match[str] | None:
    """Return the phrase behind a value that has no article, unless it belongs to a title or tells a status."""
    if said.partition(" ")[0].lower() in _ARTICLES:
        return None
    found = _PHRASE.search(said)
    if found is None and (sole := _ANYWHERE.search(said)) is not None:
        head = said[: sole.start()]  # "WARN", "bash-5"; but "beans on toast", "140 over 90"
        plain = head.isalpha() and head.islower()
        found = None if " " in head or plain or head.isdigit() else sole
    if found is None or said[: found.start()].endswith(_STATUS) or _OF_PLACE.match(said):
        return None
    titled = said[0].isupper() and said.rpartition(" ")[2][:1].isupper()  # "Alice in Wonderland"
    return None if titled else found


def unsaid_scope(subject: str, behind: str) -> str:
    """Return what says behind a value when, where or for whom it holds, unless the subject says it.

    Args:
        subject: The subject as read.
        behind: The sentence behind the value.

    Example:
        >>> unsaid_scope("version of the app", " as root"), unsaid_scope("port", " seconds")
        (' as root', '')
    """
    if " " not in behind:
        return ""  # no word stands behind the value
    scope = behind[end_of_value(f"x{behind}", described=True) - 1 :]
    if scope.startswith((" as a ", " as an ", " - see ")):
        return ""  # "Ida works at Acme as a cook"
    return scope if scope and not content_words(scope) <= content_words(subject) else ""
