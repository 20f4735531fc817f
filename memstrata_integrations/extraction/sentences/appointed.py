"""Who was put into an office, or holds one: "The club has elected Mia as its chair", "Mia serves as treasurer of Lark".

Each is put as the plain sentence of the office: "The chair of the club is Mia". An office is a role that one person has
at a time; members, delegates and other roles of which there are many are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memstrata_integrations.extraction.sentences.complements import masked, words_of
from memstrata_integrations.extraction.sentences.framing import fills_role, head_of, quiet
from memstrata_integrations.extraction.sentences.lexicon import MANY_ROLES, PERSON_ROLES
from memstrata_integrations.extraction.sentences.reordering import put
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.verbs import third_of, verb_of_gerund
from memstrata_integrations.extraction.sentences.wording import Core
from memstrata_integrations.units import NUMBER_WORDS
from memstrata_integrations.words import singular, word_set

__all__ = ["MAY_APPOINT", "appointments", "office_cores", "switched_to_doing"]

_LONGEST = 240
_NAME = r"[A-Z][\w.’'-]*(?: (?:(?:de|van|von|der|den|la|al|da|del|di) ){0,2}[A-Z][\w.’'-]*){0,3}"
_CHOSE = "elected|re-elected|appointed|named|chosen|hired|made|promoted|picked|selected|installed|engaged|confirmed"
_CHOSEN = f"{_CHOSE}|elects|appoints|names|chose|picks|hires|selects"
_AS = r"(?:(?: as| to be| to)? (?:(?P<one>its|their|the|our) )?(?:new |next |acting |interim )?)"
_ROLE = r"(?P<role>(?!an? )[a-zA-Z][\w&-]*(?: (?!(?:of|for|at|in|on|to|by|as)\b)[a-z&][\w&-]*){0,3})"
_TAIL = r"(?P<tail> (?:of|for|at|in|on|to) [^,;]+)?"
_ELECTED = re.compile(
    rf"(?P<who>\S[^,;]*?) (?:has |have )?(?:just |recently |now |unanimously )?(?:{_CHOSEN}) (?P<new>{_NAME})"
    rf"{_AS}{_ROLE}{_TAIL}\Z"
)
_WAS_ELECTED = re.compile(
    rf"(?P<new>{_NAME}) (?:was|has been|got|is) (?:just |newly |recently )?(?:{_CHOSE})(?: as| to be| to)? "
    rf"(?:the new |the )?(?:(?P<whose>(?:the |our )?[^,;]*?)['’]s (?:new )?)?{_ROLE}{_TAIL}?(?: by (?P<by>[^,;]+))?\Z"
)
_ROLE_OF = r"(?P<role>(?:the |our |my )?[^,;]+?)"
_POST = r"(?:role|job|post|position|office|title|seat)"
_TAKES_POST = re.compile(
    rf"(?P<new>{_NAME}) (?:has |have )?(?:just )?(?:took|taken|takes|assumed|assumes|accepted|got|was given|been given"
    rf"|stepped into|moved into)(?: up| on| over)? the {_POST} of {_ROLE}{_TAIL}\Z"
)
_HANDED_POST = re.compile(
    r"(?P<old>\S[^,;]*?) (?:has |have )?(?:handed|passed|given|gave|turned|ceded|yielded)(?: over| on)? the "
    rf"(?P<role>[a-z][\w -]*?) {_POST}(?P<tail> (?:of|for|at|in|on) [^,;]+?)?(?: over| on)? to (?P<new>{_NAME})\Z"
)
_HOLDS_POST = re.compile(
    rf"(?P<new>{_NAME}) (?:holds|fills|occupies) the {_POST} of {_ROLE}{_TAIL}\Z"
    rf"|(?P<serving>{_NAME}) (?:serves|acts|officiates|functions) as (?:the )?"
    r"(?P<office>(?!an? )(?:C[A-Z]O|[a-z][\w-]*)"
    rf"(?: [a-z][\w-]*){{0,3}}) (?P<of>(?:of|for|at|in|to) [^,;]+)\Z"
)
_HAS_AS = re.compile(
    rf"(?P<who>[A-Z][^,;]*?|[Tt]he [^,;]+?) (?:has|employs|retains|keeps) (?P<new>{_NAME}) "
    r"as (?:its |their |the )?"
    r"(?P<role>(?!an? )(?:C[A-Z]O|[a-z][\w-]*)(?: [a-z][\w-]*){0,2})\Z"
)
_POST_IS = re.compile(
    rf"(?:[Tt]he )?{_POST} of {_ROLE}{_TAIL}? (?:is|are) (?:held|filled|occupied) by (?P<new>{_NAME})\Z"
)
_REPLACED_AS = re.compile(
    rf"(?P<old>\S[^,;]*?) (?:was|were|has been|have been) (?:replaced|succeeded|followed) as {_ROLE_OF} by "
    rf"(?P<new>[^,;]+)\Z"
)
_SEAT = re.compile(
    r"(?P<who>\S[^,;]*?) (?:has |have )?(?:just )?(?:moved|relocated|shifted|transferred) (?:its|their) "
    r"(?:headquarters|hq|HQ"
    r"|head office|main office|seat)(?: from [^,;]+?)? to (?P<new>[A-Z][^,;]*)\Z"
)
_QUANTIFIERS = NUMBER_WORDS.keys() | word_set("all both some most many several our my their its his her these those")
_REPLACED_ONE = re.compile(
    rf"(?P<who>(?:The |Our )?[A-Z][^,;]*?) (?:has |have )?(?:just )?replaced (?:its |their |the )?(?P<role>[a-z][\w-]*"
    rf"(?: [a-z][\w-]*){{0,2}}) (?P<old>{_NAME}) (?:with|by) (?P<new>{_NAME})\Z"
)
_TO_DOING = re.compile(
    r"(?P<who>\S[^,;]*?) (?:have |has )?(?:just )?(?:switched|changed|gone|went|moved|shifted)(?: over)? to "
    r"(?P<doing>[a-z]+ing) (?P<rest>[^,;]+)\Z"
)
_SWITCHED = re.compile(
    r"(?P<who>We|I|[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)*|The [a-z-]+(?: [a-z-]+)?) (?:have |has )?(?:just |recently )?"
    r"(?:switched|changed|swapped) (?P<roles>[a-z]+ [a-z]+s|[a-z]+ [a-z]+ [a-z]+s)(?: from [^,;]+?)? to "
    r"(?P<new>[A-Z][^,;]*)\Z"
)
_WHO_TOOK = re.compile(
    r"(?P<cut>, (?:who|which|and) (?:has )?(?:took over|takes over|succeeded|succeeds|replaced|replaces|followed"
    r"|follows"
    rf"|taken over)(?: from)? {_NAME}|, (?:replacing|succeeding|taking over from|following|in succession to) {_NAME})\Z"
)
# Of these there are many in a house, unless one is the head, the lead or the chief of them
_PROFESSIONS = word_set(
    "engineer researcher scientist teacher nurse doctor dentist therapist lawyer accountant tutor coach trainer mentor "
    "assistant cleaner mechanic electrician plumber gardener chef barber hairdresser nanny babysitter friend colleague "
    "brother sister mother father son daughter uncle aunt neighbour neighbor person winner partner administrator admin "
    "editor author reviewer contact representative priest pastor judge senator consul holder wife husband"
)
_ONE_OF_THEM = word_set(
    "artistic musical technical creative finance prime foreign head lead chief principal first senior managing "
    "executive general sole official poet team"
)
_ON_BOARDS = word_set(
    "director officer inspector commissioner clerk judge consul attorney prosecutor presenter host anchor producer "
    "moderator spokesman spokeswoman spokesperson patron architect auditor curator minister ambassador warden steward"
)
_SINGLE = word_set("coach editor contact chef judge consul representative priest pastor")
_OFFICES = (PERSON_ROLES - MANY_ROLES) | word_set(
    "president speaker officer keeper goalkeeper organist bandleader choirmaster headmaster headmistress principal "
    "commissioner superintendent inspector bursar registrar archivist librarian bailiff beadle verger sexton vicar "
    "chaplain abbot archbishop cardinal pope primate emperor empress monarch premier prefect marshal admiral general "
    "commander commodore skipper skip quarterback drummer singer bassist concertmaster leader-writer editor-in-chief "
    "vice-president vice-chair vice-captain secretary-general attorney prosecutor ombudsman comptroller controller "
    "auditor actuary clerk coordinator foreman forewoman overseer caretaker groundskeeper greenkeeper producer anchor "
    "presenter host moderator spokesman spokeswoman spokesperson patron sponsor convener convenor chairholder "
    "laureate architect curator custodian"
)
MAY_APPOINT = frozenset(_CHOSEN.split("|")) | word_set(
    "switched changed swapped went gone moved relocated shifted transferred replaced succeeded followed took taken "
    "takes "
    "assumed assumes accepted given stepped moved handed passed gave turned ceded yielded"
)
"""A sentence of who was put into an office has one of these words."""
_MAY_HOLD = word_set(
    "has employs retains keeps holds fills occupies serves acts officiates functions held filled occupied who "
    "replacing "
    "succeeding taking following"
)


def appointments(said: str) -> Iterator[str]:
    """Yield the plain sentence of an office that somebody was put into.

    Example:
        >>> list(appointments("The allotment club has elected Ingrid Sahl as its treasurer"))
        ['The treasurer of the allotment club is Ingrid Sahl']
    """
    words = words_of(said)
    if MAY_APPOINT.isdisjoint(words):
        return
    if (told := _SEAT.match(said)) is not None and quiet(told["who"]):
        yield f"{told['who']} is based in {told['new']}"
        return
    if (told := _SWITCHED.match(said)) is not None and quiet(told["new"]):
        *rest, roles = told["roles"].split()
        if rest[0] in _QUANTIFIERS:
            return
        role = " ".join((*rest, singular(roles)))
        mine = {"We": "Our", "I": "My"}.get(told["who"])
        yield f"{mine} {role} is {told['new']}" if mine else f"The {role} of {_inner(told['who'])} is {told['new']}"
        return
    if (told := _REPLACED_ONE.match(said)) is not None and _is_office(told["role"]) and quiet(told["who"]):
        yield f"The {told['role']} of {_inner(told['who'])} is {told['new']}"
        return
    if (told := _REPLACED_AS.match(said)) is not None and quiet(told["new"]) and fills_role(told["role"]):
        role = told["role"]
        yield f"{role[0].upper()}{role[1:]} is {told['new']}"
        return
    told = _ELECTED.match(said) or _WAS_ELECTED.match(said) or _TAKES_POST.match(said) or _HANDED_POST.match(said)
    if told is None or not _is_office(told["role"]):
        return
    parts = told.groupdict()
    called = told["role"].lower().split()
    if called[-1] in _ON_BOARDS and _ONE_OF_THEM.isdisjoint(called) and not parts.get("one") and parts.get("who"):
        return  # "The firm appointed Ann Lee director": perhaps one more
    whose = parts.get("whose") or parts.get("by") or parts.get("who") or ""
    if not quiet(whose) or not quiet(told["tail"] or ""):
        return
    of = f" of {_inner(whose)}" if whose else ""
    if not of and not told["tail"]:
        return
    if told["tail"] and not parts.get("whose"):
        of = ""  # "Members elected Ann treasurer of the club"
    if fills_role(f"{told['role']}{told['tail'] or ''}"):
        yield f"The {told['role']}{told['tail'] or ''}{of} is {told['new']}"


def switched_to_doing(said: str) -> str | None:
    """Return what somebody does from now on who "switched to ordering coffee from Caffa".

    Example:
        >>> switched_to_doing("The office switched to ordering coffee from Caffa")
        'The office orders coffee from Caffa'
    """
    told = _TO_DOING.match(said) if "ing " in said else None
    base = verb_of_gerund(told["doing"]) if told is not None else ""
    if told is None or base == told["doing"] or not quiet(told["who"]) or not quiet(told["rest"]):
        return None
    many = told["who"].lower() in ("i", "we", "they", "you") or is_plural(head_of(told["who"].split()))
    return f"{told['who']} {base if many else third_of(base)} {told['rest']}"


def office_cores(core: Core) -> Iterator[Core]:
    """Yield the plain sentence of an office that somebody holds.

    Example:
        >>> [c.text for c in office_cores(Core("Mia serves as treasurer of the Lark club", None, 0, False, ""))]
        ['The treasurer of the Lark club is Mia']
    """
    text = core.text
    if len(text) > _LONGEST or _MAY_HOLD.isdisjoint(words_of(text)):
        return
    hidden = masked(text)
    if (took := _WHO_TOOK.search(hidden)) is not None:
        yield put(core, ((0, took.start()),))._replace(changed=True)
        return
    if (
        " as " in hidden
        and (has := _HAS_AS.match(hidden)) is not None
        and _is_office(has["role"])
        and quiet(has["who"])
    ):
        start, end = has.span("who")
        who = (text[start].lower(), (start + 1, end)) if text.startswith("The ") else ((start, end),)
        yield put(core, ("The ", has.span("role"), " of ", *who, " is ", has.span("new")))
        return
    match = _HOLDS_POST.match(hidden) or _POST_IS.match(hidden)
    if match is None:
        return
    parts = match.groupdict()
    role = "office" if parts.get("office") else "role"
    if not _is_office(match[role]):
        return
    new, of = ("serving", "of") if parts.get("serving") else ("new", "tail")
    link = (match.span(of),) if match[of] else ()
    yield put(core, ("The ", match.span(role), *((" ",) if of == "of" else ()), *link, " is ", match.span(new)))


def _is_office(role: str) -> bool:
    """Whether one person at a time has a role."""
    words = role.lower().split()
    head = head_phrase(words)[0]
    if head in _PROFESSIONS and head not in _SINGLE:
        return not _ONE_OF_THEM.isdisjoint(words)
    return head in _OFFICES or head.rpartition("-")[2] in _OFFICES


def _inner(name: str) -> str:
    first = name.split(" ", 1)[0]
    return name[0].lower() + name[1:] if first in ("The", "Our", "My") else name
