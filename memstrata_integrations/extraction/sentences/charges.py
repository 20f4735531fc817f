"""Who it is, said by a noun or a title: "Ownership of the parser lies with Ann", "Norwell is led by CEO Ann".

Each is put as the plain sentence ("The parser is owned by Ann", "The CEO of Norwell is Ann"), made of the pieces of the
given one, and judged like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memstrata_integrations.extraction.sentences.dispatch import Needles
from memstrata_integrations.extraction.sentences.doer_acts import done_of_act
from memstrata_integrations.extraction.sentences.doer_words import NAME, ONLY, WHO
from memstrata_integrations.extraction.sentences.doers import is_name
from memstrata_integrations.extraction.sentences.framing import head_of, quiet
from memstrata_integrations.extraction.sentences.lexicon import MANY_ROLES, PERSON_ROLES
from memstrata_integrations.extraction.sentences.pieces import Pieces, be_of, inner, opening
from memstrata_integrations.extraction.sentences.role_words import head_phrase
from memstrata_integrations.names import firm
from memstrata_integrations.words import singular, word_set

__all__ = ["OF_CHARGES"]

_THING = r"(?:the |our |my |[A-Z`¤])"


def _agent(match: re.Match[str]) -> tuple[int, int]:
    """Return where the one who does it stands, with the article of a group."""
    start, end = match.span("who" if match["group"] is None else "group")
    return (start, end) if match["group"] is None else (start - 4, end)


# --- who has charge of it ---

_CHARGES = {
    "ownership": "owned",
    "stewardship": "managed",
    "leadership": "led",
    "command": "commanded",
}
_LIES_WITH = re.compile(
    rf"(?:The )?(?P<act>[A-Za-z]+) (?:of|for) (?P<what>{_THING}[^,;:]*?) (?:now )?(?P<verb>lies|lie|rests|rest|sits"
    rf"|stays|resides|is)(?: now| currently)? with {WHO}\Z"
)


_ON_CALL_LIES = re.compile(
    rf"(?:The )?[Oo]n-call (?:duty|responsibility|rotation) for (?P<what>{_THING}[^,;:]*?) (?:now )?"
    rf"(?:lies|rests|sits|is) with (?P<who>{NAME})\Z"
)


def _on_call(text: str, hidden: str) -> Pieces | None:
    """Read "On-call duty for the cluster lies with Ann" as who is on call for it."""
    match = _ON_CALL_LIES.match(hidden)
    if match is None or not is_name(match["who"]) or not quiet(match["what"]):
        return None
    return match.span("who"), " is on call for ", match.span("what")


def _lies_with(text: str, hidden: str) -> Pieces | None:
    """Read "Ownership of the parser lies with Ann" as who owns it."""
    match = _LIES_WITH.match(hidden)
    if match is None or (match["who"] and not is_name(match["who"])) or not quiet(match["what"]):
        return None
    noun = match["act"].lower()
    done = _CHARGES.get(noun) or (None if match["verb"] == "is" and noun.endswith("ing") else done_of_act(noun))
    if done is None:
        return None
    who = _agent(match)
    return *opening(text, *match.span("what")), f" {be_of(match['what'])} {done} by ", *inner(text, *who)


# --- who it is by his title ---

_TITLE = (
    r"(?P<role>C[A-Z]O|MD|(?:(?:managing|general|executive|artistic|musical|music|creative|head|team|chief|interim"
    r"|acting|executive vice|assistant|deputy|vice) )?(?:director|manager|coach|captain|conductor|president"
    r"|chairman|chairwoman|chairperson"
    r"|principal|headteacher|headmaster|headmistress|chancellor|rector|mayor|governor|editor|skipper|foreman|curator"
    r"|abbot|abbess|executive))"
)
_TITLES = frozenset(re.findall(r"[a-z]{5,}", _TITLE)) | {"CEO", "CTO", "CFO", "COO", "CIO", "CMO", "CPO", "CSO", "MD"}
_LEADS = "led|headed|run|managed|directed|chaired|coached|captained|conducted|governed|helmed|edited|skippered|curated"
_LED_BY_TITLE = re.compile(
    rf"(?P<what>\S[^,;:]*?) (?:is|are) (?:{_LEADS}) by (?:its |their |the |our )?{_TITLE} (?P<who>{NAME})\Z"
)
_TITLE_LEADS = re.compile(
    rf"(?P<role>C[A-Z]O|MD) (?P<who>{NAME}) (?:leads|heads|runs|manages|directs) (?P<what>{_THING}[^,;:]*)\Z"
)
_LEADS_AS = re.compile(
    rf"(?P<who>{NAME}) (?:leads|heads|runs|manages|directs|chairs|coaches|captains|conducts) "
    rf"(?P<what>{_THING}[^,;:]*?) as (?:its |their |the )?{_TITLE}\Z"
)


def _titled(text: str, hidden: str) -> Pieces | None:
    """Read "Norwell is led by CEO Ann Lee" and "Ann Lee heads Norwell as its CEO" as who the CEO is."""
    match = _LED_BY_TITLE.match(hidden) or _TITLE_LEADS.match(hidden) or _LEADS_AS.match(hidden)
    if match is None or not is_name(match["who"]) or not quiet(match["what"]):
        return None
    what = inner(text, *match.span("what"))
    return "The ", match.span("role"), " of ", *what, " is ", match.span("who")


# --- who it is by his name ---

_CALLED = re.compile(
    rf"(?P<whom>(?:The |Our |My |[A-Z])[^,;:]*?) (?:is|goes by) (?:called|named|the name of|the name) "
    rf"(?P<value>{NAME})\Z"
)
_NAME_IS = re.compile(
    rf"(?:The (?:full )?name of (?P<of>{_THING}[^,;:]*?)"
    r"|(?P<owner>(?:The |Our |My |[A-Z])[^,;:]*?)['’]s (?:full )?name)"
    rf" is (?P<value>{NAME})\Z"
)
# Of these one has several, and each keeps his name; the rest do their work as themselves
_KIN = word_set(
    "son daughter child brother sister uncle aunt neighbour neighbor friend colleague person mother father mum mom dad "
    "girlfriend boyfriend partner holder winner author champion owner"
)
# Of which each has one, that is known by its name
_NAMED_THINGS = word_set(
    "capital mascot currency hometown anthem flagship employer landlord airport newspaper patron bank supplier "
    "operator publisher insurer host headteacher"
)
_NAMED_ROLES = PERSON_ROLES - MANY_ROLES - _KIN


def _named(text: str, hidden: str) -> Pieces | None:
    """Read "The mayor of Elm is called Ann Lee" and "My dentist's name is Dr. Lee" as who it is."""
    match = _CALLED.match(hidden)
    if match is not None:
        whom, spoken = match.span("whom"), match["whom"]
        pieces: Pieces = (whom,)
    elif (match := _NAME_IS.match(hidden)) is not None:
        whom = match.span("of" if match["of"] else "owner")
        spoken = hidden[slice(*whom)]
        pieces = opening(text, *whom)
    else:
        return None
    words = spoken.split()
    head = head_phrase([w.lower() for w in words])[0]
    owned = "'s " in spoken or "’s " in spoken or " of " in spoken or words[0] in ("My", "Our", "my", "our")
    if head not in _NAMED_ROLES and not (head in _NAMED_THINGS and owned):
        return None
    return (*pieces, " is ", match.span("value")) if quiet(spoken) and is_name(match["value"]) else None


# --- who teaches it, manages one, holds it ---

_TEACHER = re.compile(
    rf"(?:The (?:teacher|instructor) (?:of|for) (?P<what>(?:the |our |my )[^,;:]*?)"
    rf"|(?P<owner>(?:The |Our |My )[^,;:]*?)['’]s? (?:teacher|instructor)) is (?P<who>{NAME})\Z"
    rf"|(?P<first>{NAME}) is the (?:teacher|instructor) (?:of|for) (?P<it>(?:the |our |my )[^,;:]*)\Z"
)
_MANAGED = re.compile(
    rf"(?:I am|I['’]m) (?:now )?(?:managed|line-managed|line managed) by (?P<value>{NAME})\Z"
    rf"|(?P<who>{NAME}) (?:manages|line-manages) me\Z"
)
_HOUSES = word_set(
    "bank insurance university hospital school college council ministry institute airlines railways press academy "
    "museum clinic hotel church library city county"
)
_EMPLOYS = re.compile(
    rf"(?P<who>{NAME}) employs (?P<whom>me|(?:my|our) [a-z]+(?: [A-Z][a-z]+)?|[A-Z][a-z]+ [A-Z][a-z]+|[A-Z][a-z]+)\Z"
)
_HOLDER = re.compile(
    rf"The holder of (?P<what>[^,;:]*?\b(?:record|title|trophy|cup|belt|crown)(?: (?:of|in|for|at|over) [^,;:]+?)?) is "
    rf"(?P<who>{NAME})\Z"
    rf"|(?P<first>{NAME}) is the holder of (?P<it>[^,;:]*?\b(?:record|title|trophy|cup|belt|crown)"
    r"(?: (?:of|in|for|at|over) [^,;:]+)?)\Z"
    rf"|(?P<whose>(?:The |Our |[A-Z])[^,;:]*?\b(?:record|title|trophy|cup|belt|crown))[- ]holder"
    rf"(?P<of> (?:of|in|for|at|over) [^,;:]+?)? is (?P<named>{NAME})\Z"
)


def _teacher(text: str, hidden: str) -> Pieces | None:
    """Read "The teacher of the pottery class is Tom Lind" as who teaches it."""
    match = _TEACHER.match(hidden)
    if match is None:
        return None
    group = "what" if match["what"] else "owner" if match["owner"] else "it"
    who = match.span("who" if match["who"] else "first")
    if head_of(match[group].split()) not in ONLY["teach"] or not is_name(hidden[slice(*who)]):
        return None
    return *opening(text, *match.span(group)), " is taught by ", who


def _managed(text: str, hidden: str) -> Pieces | None:
    """Read "Tom Lind manages me" and "I'm managed by Tom Lind" as who my manager is."""
    match = _MANAGED.match(hidden)
    if match is None or not is_name(match["value"] or match["who"]):
        return None
    return "My manager is ", match.span("value" if match["value"] else "who")


def _employs(text: str, hidden: str) -> Pieces | None:
    """Read "Calder Bank employs Emil Krol" as for whom he works."""
    match = _EMPLOYS.match(hidden)
    if match is None or not is_name(match["who"]):
        return None
    if match["whom"] == "me":
        return "I work for ", match.span("who")
    whom = match["whom"]
    house = firm(match["who"]) is not None or match["who"].split()[-1].lower() in _HOUSES
    if whom.istitle() and " " not in whom and not house:
        return None  # "Osprey employs Kafka"
    if whom[0].islower() and singular(whom.split()[1]) != whom.split()[1]:
        return None
    return *opening(text, *match.span("whom")), " works for ", match.span("who")


def _holder(text: str, hidden: str) -> Pieces | None:
    """Read "The holder of the course record is Ann Lee" and "The record holder is Ann Lee" as who holds it."""
    match = _HOLDER.match(hidden)
    if match is None:
        return None
    if match["whose"]:
        tail: Pieces = (match.span("of"),) if match["of"] else ()
        who, what = match.span("named"), (match.span("whose"), *tail)
        spoken = match["whose"]
    else:
        group = "what" if match["what"] else "it"
        who, what = match.span("who" if match["who"] else "first"), opening(text, *match.span(group))
        spoken = match[group]
    return (*what, " is held by ", who) if quiet(spoken) and is_name(hidden[slice(*who)]) else None


_BACKERS = {"sponsored": "sponsor", "funded": "funder", "supplied": "supplier", "financed": "funder"}
_MAINLY = re.compile(
    rf"(?P<what>(?:The |Our |My |[A-Z`¤])[^,;:]*?) (?:is|are) "
    r"(?:mainly|chiefly|primarily|principally) (?P<done>[a-z]+) by "
    rf"(?P<who>{NAME})\Z"
)


def _mainly(text: str, hidden: str) -> Pieces | None:
    """Read "The club is mainly sponsored by Alpen Foods" as its main sponsor."""
    match = _MAINLY.match(hidden)
    agent = _BACKERS.get(match["done"]) if match is not None else None
    if match is None or agent is None or not quiet(match["what"]) or not is_name(match["who"]):
        return None
    return f"The main {agent} of ", *inner(text, *match.span("what")), " is ", match.span("who")


OF_CHARGES: tuple[tuple[Callable[[str, str], Pieces | None], Needles], ...] = (
    (_lies_with, (word_set("with"), word_set("lies lie rests rest sits stays resides is"), word_set("of for"))),
    (_on_call, word_set("On-call on-call")),
    (_titled, (word_set("by as leads heads runs manages directs"), _TITLES)),
    (_named, word_set("called named name")),
    (_mainly, (word_set("mainly chiefly primarily principally"), word_set("by"))),
    (_teacher, word_set("teacher instructor")),
    (_managed, word_set("managed line-managed manages line-manages line")),
    (_employs, word_set("employs")),
    (_holder, word_set("holder record-holder title-holder")),
)
"""Readers of the plain sentence that one of this kind stands for, each with the signs that it needs."""
