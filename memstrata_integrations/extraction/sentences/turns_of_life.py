"""Sentences of daily life and of offices in another form: "Ms Roe teaches my son chess", "90 people live in Ash".

Each is put as the plain sentence with its noun ("My son's chess teacher is Ms Roe", "The population of Ash is 18"),
made of the pieces of the given one, and judged like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memstrata_integrations.extraction.sentences.charges import inner
from memstrata_integrations.extraction.sentences.dispatch import Needles
from memstrata_integrations.extraction.sentences.doer_words import NAME
from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.lexicon import MANY_ROLES
from memstrata_integrations.extraction.sentences.pieces_of_people import AMOUNT, KIN
from memstrata_integrations.extraction.sentences.role_words import is_foremost
from memstrata_integrations.units import NUMBER_WORDS
from memstrata_integrations.words import word_set

__all__ = ["OF_LIFE", "SHIP", "holder_of"]

_Pieces = tuple[str | tuple[int, ...], ...]

# --- who teaches whom what ---

_TEACHER = r"(?P<value>(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof)\.? )?[A-Z][\w’'-]*(?: [A-Z][\w’'-]*){0,2})"
_PUPIL = rf"(?P<whom>(?:my|our) {KIN}(?: [A-Z][\w’-]*)?|[A-Z][\w’-]*)"
_SUBJECT = r"(?P<what>(?:the )?[a-zA-Z][a-z]+(?: [a-z]+)?)"
_LEARNER = rf"(?P<who>I|[Ww]e|[Mm]y {KIN}(?: [A-Z][\w’-]*)?|[Oo]ur {KIN}(?: [A-Z][\w’-]*)?|[A-Z][\w’-]*)"
_TEACHES = re.compile(rf"{_TEACHER} (?:teaches|is teaching) (?:(?P<us>me|us)|{_PUPIL}) {_SUBJECT}\Z")
_TAUGHT = re.compile(
    rf"{_LEARNER} (?:am|is|are) (?:being )?taught {_SUBJECT} by {_TEACHER}\Z"
    rf"|{_LEARNER.replace('<who>', '<who2>')} (?:has|have|takes?|(?:am|is|are) taking) "
    rf"{_SUBJECT.replace('<what>', '<what2>')} lessons (?:with|from) {_TEACHER.replace('<value>', '<value2>')}\Z"
)
_MINE = {"i": "My", "we": "Our", "me": "My", "us": "Our"}
# What one is taught about, and ways of teaching: nobody is a teacher of these alone
_NO_SUBJECTS = word_set(
    "everything something nothing things lessons patience manners about how to that what it this all much well best "
    "again together alone part some more"
)


def _teaches(text: str, hidden: str) -> _Pieces | None:
    """Read "Ms Roe teaches my son chess" and "My son has chess lessons with Ms Roe" as who his teacher is."""
    taught = None
    match = _TEACHES.match(hidden)
    if match is None:
        match = taught = _TAUGHT.match(hidden)
    if match is None:
        return None
    n = "2" if taught is not None and match["value"] is None else ""
    whose = match[f"who{n}"] if taught is not None else match["us"] or match["whom"]
    what = match[f"what{n}"]
    if not _NO_SUBJECTS.isdisjoint(what.lower().split()) or not quiet(what) or not quiet(whose):
        return None
    mine = _MINE.get(whose.lower())
    start, end = match.span(f"who{n}" if taught is not None else "us" if match["us"] else "whom")
    owner: _Pieces = (mine,) if mine else (text[start].upper(), (start + 1, end), "'s")
    return *owner, " ", match.span(f"what{n}"), " teacher is ", match.span(f"value{n}")


# --- how many live there ---

_TOWN = r"(?P<where>(?:the (?:town|village) of )?[A-Z][\w’'-]*(?: (?:(?:on|upon|de|la|am|sur|of) )?[A-Z][\w’'-]*){0,3})"
_MANY = r"(?P<value>\d[\d,.]*(?: (?:million|thousand))?)"
_LIVE = re.compile(
    rf"{_MANY} (?:people|inhabitants|residents|souls) (?:live|are living|reside) in {_TOWN}\Z"
    rf"|The number of (?:people|inhabitants|residents) (?:(?:who |that )?live|living|residing|who reside) in "
    rf"{_TOWN.replace('<where>', '<where2>')} is {_MANY.replace('<value>', '<value2>')}\Z"
)
_HOME_TO = re.compile(
    rf"{_TOWN.replace('(?:the (', '(?:[Tt]he (')} is home to (?:a population of "
    rf"{_MANY}|{_MANY.replace('<value>', '<value2>')} (?:people|inhabitants|residents|souls))\Z"
)


def _live(text: str, hidden: str) -> _Pieces | None:
    """Read "18,400 people live in Ash" and "Ash is home to 18,400 people" as its population."""
    match = _HOME_TO.match(text) or _LIVE.match(text)
    if match is None:
        return None
    where = "where" if match["where"] else "where2"
    value = "value" if match["value"] else "value2"
    return "The population of ", *inner(text, *match.span(where)), " is ", match.span(value)


_NUMBER_FIRST = re.compile(
    r"(?P<value>\d[\d,]*|[A-Z][a-z]+(?:-[a-z]+)?) is (?P<what>the number of (?:(?:my|our|the) |[A-Z])?[^,;:]+)\Z"
)


def _number_first(text: str, hidden: str) -> _Pieces | None:
    """Read "12 is the number of Ida's students" as the number of them."""
    match = _NUMBER_FIRST.match(hidden)
    if match is None or not quiet(match["what"]):
        return None
    value = match["value"]
    if not value[0].isdigit() and value.lower() not in NUMBER_WORDS:
        return None
    start, end = match.span("what")
    return "T", (start + 1, end), " is ", match.span("value")


# --- what it costs whom ---

_PAYS = re.compile(
    rf"(?P<who>[A-Z][a-z]+?)s pay (?P<value>{AMOUNT}) for (?:an?|the|their) (?P<what>(?:[a-z]+ )?(?:ticket|pass)) "
    r"(?P<rest>(?:to|for|at|on) (?:the |our )?[^,;:]+)\Z"
)
_COSTS_THEM = re.compile(
    rf"An? (?P<what>(?:[a-z]+ )?(?:ticket|pass)) (?P<rest>(?:to|for|at|on) (?:the |our )?[^,;:]+?) costs "
    rf"(?P<value>{AMOUNT}) for (?:an )?(?P<who>adult|senior|student|pensioner|visitor|resident|member)s?\Z"
)
_NO_PAYERS = word_set("let other event ticket thi it alway")


def _pays(text: str, hidden: str) -> _Pieces | None:
    """Read "Adults pay 12 euros for a ticket to the museum" as what an adult ticket to it costs."""
    match = _PAYS.match(text) or _COSTS_THEM.match(text)
    if match is None or match["who"].lower() in _NO_PAYERS or not quiet(match["rest"]):
        return None
    start, end = match.span("who")
    return ("The ", text[start].lower(), (start + 1, end), " ", match.span("what"), " ", match.span("rest"),
            " costs ", match.span("value"))  # fmt: skip


# --- where its seat is ---

_OFFICES = r"(?:headquarters|HQ|head office|main office|seat)"
_SEAT_FIRST = re.compile(
    rf"(?P<value>[A-Z][\w’'-]*(?: [A-Z][\w’'-]*){{0,2}}) is home to (?:the {_OFFICES} of (?P<of>[A-Z][^,;:]*)"
    rf"|(?P<owner>[A-Z][^,;:]*?)['’]s? {_OFFICES})\Z"
)
_SEAT_BEFORE = re.compile(
    rf"(?P<what>The (?P<who>[A-Z][\w&’'-]*(?: [A-Z&][\w&’'-]*)*)|(?P<owner>[A-Z][\w&-]*(?: [A-Z&][\w&-]*)*s)['’]) "
    rf"{_OFFICES} (?:is|are) (?:located |based )?in (?P<value>[A-Z][^,;:]*)\Z"
)


def _seat(text: str, hidden: str) -> _Pieces | None:
    """Read "Leipzig is home to the headquarters of Lumen" and "Lumen Foods' head office is in Leipzig"."""
    match = _SEAT_FIRST.match(hidden)
    if match is not None:
        return match.span("of" if match["of"] else "owner"), " is based in ", match.span("value")
    match = _SEAT_BEFORE.match(hidden)
    if match is None:
        return None
    return match.span("who" if match["who"] else "owner"), " is based in ", match.span("value")


# --- whose role a noun in -ship names ---

_HOLDERS = {
    "sponsorship": "sponsor",
    "captaincy": "captain",
    "presidency": "president",
    "chairmanship": "chair",
    "directorship": "director",
    "editorship": "editor",
    "governorship": "governor",
    "mayoralty": "mayor",
    "mayorship": "mayor",
    "headship": "head",
    "curatorship": "curator",
    "treasurership": "treasurer",
    "patronage": "patron",
}
SHIP = rf"(?P<adj>[A-Za-z]+ )?(?P<ship>(?i:{'|'.join(_HOLDERS)}))"
_HELD_BY = re.compile(
    rf"(?:The )?{SHIP} of (?P<what>(?:the |our |my )?[^,;:]+?) (?:is (?:now )?(?:held by|in the hands of)"
    rf"|(?:lies|rests) with) (?:the )?(?P<value>{NAME})\Z"
    rf"|(?P<holder>{NAME}) holds the {SHIP.replace('<adj>', '<adj2>').replace('<ship>', '<ship2>')} of "
    r"(?P<it>(?:the |our |my )?[^,;:]+)\Z"
)


def holder_of(ship: str) -> str | None:
    """Return who is named by a noun of what he holds: "captain" for "captaincy"."""
    return _HOLDERS.get(ship.lower())


def _held_by(text: str, hidden: str) -> _Pieces | None:
    """Read "Title sponsorship of the race is held by Veltra" as who its title sponsor is."""
    match = _HELD_BY.match(hidden)
    if match is None:
        return None
    ship, adj = match["ship"] or match["ship2"], match["adj"] or match["adj2"] or ""
    what = "what" if match["what"] else "it"
    role = _HOLDERS[ship.lower()]
    if (role in MANY_ROLES and not is_foremost(f"{adj} {role}")) or not quiet(match[what]) or not quiet(adj):
        return None
    said = "" if adj.strip().lower() in ("the", "") else adj.lower()
    return (
        f"The {said}{role} of ",
        *inner(text, *match.span(what)),
        " is ",
        match.span("value" if match["value"] else "holder"),
    )


OF_LIFE: tuple[tuple[Callable[[str, str], _Pieces | None], Needles], ...] = (
    (_teaches, word_set("teaches teaching taught lessons")),
    (_live, word_set("live living reside residing home")),
    (_number_first, word_set("number")),
    (_pays, (word_set("pay costs"), word_set("for"))),
    (_seat, word_set("headquarters HQ office seat")),
    (_held_by, word_set(" ".join((*_HOLDERS, *(w.capitalize() for w in _HOLDERS))))),
)
"""Readers of the plain sentence that one of this kind stands for, each with the signs that it needs."""
