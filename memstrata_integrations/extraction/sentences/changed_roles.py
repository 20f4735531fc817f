"""Who took over what: "Lee succeeded Kim as mayor of Oslo", "Kim was replaced by Lee", "Lee now leads the Zephyr team".

Each is put as the plain sentence that holds from then on: "The mayor of Oslo is Lee".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.sentences.appointed import MAY_APPOINT, appointments
from memstrata_integrations.extraction.sentences.complements import masked
from memstrata_integrations.extraction.sentences.doer_acts import done_of_act
from memstrata_integrations.extraction.sentences.framing import fills_role, head_of, quiet
from memstrata_integrations.extraction.sentences.lexicon import MANY_ROLES, PERSON_ROLES, SOLE, THINGS, WORD_ROLES
from memstrata_integrations.extraction.sentences.role_words import is_plural
from memstrata_integrations.words import word_set

__all__ = ["MAY_PASS", "charges_of", "roles_of"]

_NEEDED = word_set(
    "replaced succeeded over replaces succeeds swapped exchanged promoted handed passed transferred took taken takes "
    "reads Replaced Swapped acquired bought given gave turned elected made ditched dropped traded left abandoned gave "
    "as"
)
_WHO = r"(?:[Tt]he |[Oo]ur )?[A-Z`][\w.’'&`-]*(?: (?:(?:of|van|von|de|the) )?[A-Z0-9][\w.’'&-]*){0,4}"
_TEAM = (
    r"[Tt]he (?:(?:[\w-]+ ){1,3}(?:team|squad|group|department|guild|crew|office|board|committee|company|club"
    r"|trust|desk)"
    r"|(?:[\w-]+ ){0,3}(?:county|city|town|village|state|council|ministry|church|university|diocese|government|parish"
    r"|municipality))"
)
_HAVE = r"(?:has |have )?(?:just |recently |since |officially )?"
_AS = re.compile(
    rf"(?P<new>{_WHO}) {_HAVE}(?:replaced|succeeded|replaces|succeeds|t(?:ook|akes|aken) over from|taken over for"
    r"|took over for) "
    rf"(?P<old>{_WHO}) as (?:the |its |their |our )?(?P<role>[^,;]+)\Z"
)
_BY_AS = re.compile(
    rf"(?P<old>{_WHO}) (?:was|has been|is|got) (?:replaced|succeeded) (?:by|with) (?P<new>{_WHO}) as (?:the )?"
    r"(?P<role>[^,;]+)\Z"
)
_OVER_AS = re.compile(
    rf"(?P<new>{_WHO}) {_HAVE}t(?:ook|akes|aken) over as (?:the )?(?P<role>[^,;]+?)(?: from (?P<old>{_WHO}))?\Z"
)
_MOVED_TO_AS = re.compile(
    r"(?P<whose>[^,;]+?) (?:has |have )?(?:just )?(?:switched|moved|changed|migrated|gone)(?: over)?"
    r"(?: from (?P<old>[^,;]+?))? to (?P<new>[^,;]+?) as (?:its|their|the) (?P<role>[^,;]+)\Z"
)
_BY_FOR_AS = re.compile(
    r"(?:We|I|They|we|they) (?:have )?(?:replaced|swapped|exchanged) (?P<old>[^,;]+?) (?:with|by|for) "
    r"(?P<new>[^,;]+?) as (?P<role>(?:the|our|my) [^,;]+)\Z"
)
_ROLE_BY = re.compile(
    rf"(?P<role>(?:[Tt]he|[Mm]y|[Oo]ur|\S+['’]s) [^,;]+?) (?:was|has been|got) (?:replaced|succeeded) (?P<by>by|with) "
    rf"(?P<new>{_WHO}|[^\s,;]*[\w][._/-][^\s,;]+)\Z"
)
_SWAPPED_AS = re.compile(
    r"(?:We|I|They|[A-Z]\w+)? ?(?:have |has )?(?:[Rr]eplaced|[Ss]wapped|[Ee]xchanged|[Dd]itched|[Dd]ropped|[Tt]raded"
    r"|[Ll]eft|[Aa]bandoned)(?: out)? "
    r"(?P<old>[^,;]+?) as (?P<role>(?:the|our|my) [^,;]+?) (?:with|by|for|in favou?r of) (?P<new>[^,;]+)\Z"
    r"|(?:We|I|They|we|they) (?:have )?(?:left|dropped|ditched|abandoned|gave up) (?P<gone>[^,;]+?) "
    r"(?:for|in favou?r of) (?P<then>[^,;]+?) as (?P<part>(?:our|my|the) [^,;]+)\Z"
)
_PINNED = re.compile(
    r"(?:(?:I|We) )?(?:have |has )?[Rr]eplaced (?P<name>[\w./-]+)(?P<at>@| |==)(?P<old>v?\d[\w.+-]*) (?:by|with) "
    r"(?P=name)(?P=at)(?P<new>v?\d[\w.+-]*)(?P<rest> in [^,;]+)?\Z"
)
_LEADS = {
    "leads": "led",
    "heads": "headed",
    "manages": "managed",
    "owns": "owned",
    "runs": "run",
    "chairs": "chaired",
    "coaches": "coached",
    "maintains": "maintained",
    "operates": "operated",
    "directs": "directed",
    "edits": "edited",
    "captains": "captained",
    "curates": "curated",
    "handles": "handled",
}
_NOW_LEADS = re.compile(rf"(?P<new>{_TEAM}|{_WHO}) (?P<verb>{'|'.join(_LEADS)}) (?P<what>(?:the |our |my )?[^,;]+)\Z")
_LED = re.compile(
    rf"(?P<what>[^,;]+?) (?:was|were|has been|have been) (?:taken over|acquired|bought) by (?P<new>{_TEAM}|{_WHO})\Z"
)
_TOOK = re.compile(
    rf"(?P<new>{_TEAM}|{_WHO}) {_HAVE}(?:taken|took) over (?P<what>(?:the |our |my )?(?!as |from |for )[^,;]+?)"
    rf"(?: from (?P<old>{_TEAM}|{_WHO}))?\Z"
)
_OFFICE = re.compile(r"(?:[Tt]he )?(?P<noun>[A-Za-z]+) (?:of|for) (?P<what>[^,;]+)\Z")
_OWN_OFFICE = re.compile(r"(?P<what>[^,;]+?)['’]s (?P<noun>[a-z]+)\Z")
_TOOK_IT_OVER = re.compile(
    rf"(?P<new>{_TEAM}|{_WHO}) {_HAVE}(?:taken|took) (?P<what>(?:the |our |my )[^,;]+?) over"
    rf"(?: from (?P<old>{_TEAM}|{_WHO}))?\Z"
)
_OF_OFFICE = {
    "ownership": ("owned",),
    "maintainership": ("maintained",),
    "maintenance": ("maintained",),
    "leadership": ("led",),
    "lead": ("led",),
    "management": ("managed",),
    "responsibility": ("owned", "handled"),
    "stewardship": ("owned", "managed"),
    "hosting": ("hosted",),
    "running": ("run",),
    "chair": ("chaired",),
    "editing": ("edited",),
}
# "Captaincy", "editorship", "hosting": who has them is the captain, the editor, the host
_OFFICER = re.compile(r"(?P<noun>[a-z]{4,}?)(?:ship|cy|ing)\Z")
_HANDED = re.compile(
    r"(?:(?P<what>[^,;]+?) (?:was|has been|were|have been) (?:handed|passed|transferred|given|turned)(?: on| over)?"
    rf"(?: from (?P<old>{_TEAM}|{_WHO}))? to (?P<new>{_TEAM}|{_WHO})"
    rf"|(?:{_WHO}|We|I|They) {_HAVE}(?:handed|passed|transferred|given|gave|turned) (?P<thing>[^,;]+?)(?: on| over)?"
    rf" to (?P<whom>{_TEAM}|{_WHO}))\Z"
)
_PROMOTED = re.compile(
    r"(?:[Nn]ode |[Hh]ost |[Ss]erver |[Rr]eplica |[Ii]nstance |[Bb]roker )?"
    r"(?P<new>[a-z][\w.]*-[\w.-]*\d[\w.-]*|[a-z]+\d+) (?:was|has been) (?:promoted|elected|made) (?:to )?(?:the )?"
    r"(?P<role>primary|leader|master|active|writer) (?:of|for|in) (?P<what>[^,;]+)\Z"
)
MAY_PASS = _NEEDED | frozenset(_LEADS) | MAY_APPOINT
"""A sentence of this kind has one of these words."""
_READS = re.compile(r"(?P<what>\S.*?) reads (?P<new>\S+)\Z")
# What whoever takes over a thing of this kind does to it
_DONE_TO = {
    thing: done.split()
    for things, done in {
        "choir orchestra ensemble": "conducted directed",
        "band quartet": "led directed",
        "club committee board society association council": "chaired",
        "team squad": "coached captained",
        "class course workshop seminar lesson": "taught",
        "newsletter magazine journal paper blog": "edited",
        "exhibition collection museum archive gallery": "curated",
        "show podcast programme program news": "presented hosted",
        "ferry ship boat yacht": "captained",
        "bus van tram": "driven",
        "thesis internship lab": "supervised",
    }.items()
    for thing in things.split()
}
_RUN = word_set("team squad department project group chapter guild crew branch choir club")


def roles_of(said: str, changed: bool) -> Iterator[str]:
    """Yield the plain sentences of who or what fills a role after a change.

    Args:
        said: The sentence, without its full stop and what wraps it.
        changed: Whether its wrapping announces a change.

    Example:
        >>> list(roles_of("Hugh Marlowe has succeeded Rosa Quill as editor-in-chief of The Fathom", False))
        ['The editor-in-chief of The Fathom is Hugh Marlowe']
    """
    words = set(said.split())
    if appointed := list(appointments(said)):
        yield from appointed
        return
    if changed and (reads := _READS.match(said)) is not None and not {"_", "`", "."}.isdisjoint(reads["what"]):
        yield f"{reads['what']} is {reads['new']}"
    if changed and not words.isdisjoint(_LEADS) and (leads := _NOW_LEADS.match(said)) is not None and quiet(said):
        yield f"{_start(leads['what'])} is {_LEADS[leads['verb']]} by {_inner(leads['new'])}"
    if words.isdisjoint(_NEEDED):
        return
    if (pinned := _PINNED.match(said)) is not None:
        yield f"{pinned['name']} is pinned to {pinned['new']}"
        if pinned["rest"]:
            yield f"{_start(pinned['rest'][4:])} uses {pinned['name']}{pinned['at']}{pinned['new']}"
        return
    for form in (_AS, _BY_AS, _OVER_AS, _SWAPPED_AS, _BY_FOR_AS):
        if (told := form.match(said)) is None:
            continue
        parts = told.groupdict()
        role = (told["role"] or parts.get("part") or "").removeprefix("the ")
        new = told["new"] or parts.get("then") or ""
        if fills_role(role) or not SOLE.isdisjoint(role.split()[:1]):
            if quiet(new):
                yield f"{_start(role if role.startswith(('our ', 'my ')) else f'the {role}')} is {new}"
            return
    if (told := _MOVED_TO_AS.match(said)) is not None and quiet(told["whose"]) and fills_role(told["role"]):
        yield f"The {told['role']} of {_inner(told['whose'])} is {told['new']}"
        return
    if (told := _ROLE_BY.match(said)) is not None:
        head = head_of(told["role"].split())
        technical = head not in THINGS and head not in MANY_ROLES and is_identifier(told["new"])
        known = head in PERSON_ROLES or (head in WORD_ROLES and told["by"] == "with")
        if (known or technical) and quiet(told["role"]):
            yield f"{_start(told['role'])} is {told['new']}"
        return
    if (told := _PROMOTED.match(said)) is not None:
        yield f"The {told['role']} of {told['what']} is {told['new']}"
        return
    yield from _charges(said)


def charges_of(charge: str, new: str) -> Iterator[str]:
    """Yield who has a charge that a noun names: "the ownership of the ledger", "maintenance of libfennel"."""
    office = _OFFICE.match(charge) or _OWN_OFFICE.match(charge)
    if office is None or not quiet(office["what"]):
        return
    noun = office["noun"].lower()
    acted = done_of_act(noun)
    for done in _OF_OFFICE.get(noun, (acted,) if acted else ()):
        many = is_plural(head_of(office["what"].split()))
        yield f"{_start(office['what'])} {'are' if many else 'is'} {done} by {_inner(new)}"
    if (officer := _OFFICER.match(noun)) is not None:
        for who in (officer["noun"], f"{officer['noun']}t"):  # "presidency"
            if who in PERSON_ROLES or noun == "hosting":
                yield f"The {who} of {office['what']} is {_inner(new)}"


def _charges(said: str) -> Iterator[str]:
    """Read who has charge of a thing from now on."""
    told = _TOOK.match(said) or _TOOK_IT_OVER.match(said) or _LED.match(said)
    what = told["what"] if told else ""
    new = told["new"] if told else ""
    if told is not None and what[:1].islower() and (charged := list(charges_of(what, new))):
        yield from charged  # "has taken over maintenance of the parser"
        return
    if told is None and (handed := _HANDED.match(said)) is not None:
        what, new = handed["what"] or handed["thing"], handed["new"] or handed["whom"]
        if charged := list(charges_of(what, new)):
            yield from charged
            return
    if not what or not quiet(what) or not quiet(masked(new)):
        return
    first = what.split(" ", 1)[0]
    if not (first in ("the", "The", "my", "My", "our", "Our") or first[0].isupper() or "`" in what):
        return
    head = head_of(what.split())
    doings = ("owned", "maintained", "handled", "managed", "run", *(("led",) if head in _RUN else ()))
    for done in (*doings, *_DONE_TO.get(head, ())):
        yield f"{_start(what)} {'are' if head.endswith('s') else 'is'} {done} by {_inner(new)}"


def _start(words: str) -> str:
    first = words.split(" ", 1)[0]
    return words[0].upper() + words[1:] if first in ("the", "my", "our") else words


def _inner(name: str) -> str:
    return f"the {name[4:]}" if name.startswith("The ") else name
