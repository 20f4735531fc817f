"""Who does a thing that one does at a time: "Dr Lie looks after the twins", "The vet our dog sees is Dr Lund".

A duty is a verb of office or care and a definite object; whoever has it is the value, whichever way round a
sentence says so. What several do side by side (help, use, visit, support) is in no list here.
"""

from __future__ import annotations

import re

from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.clauses import subject_is_sound
from memstrata_integrations.extraction.sentences.complements import masked, words_of
from memstrata_integrations.extraction.sentences.doers import has_many
from memstrata_integrations.extraction.sentences.framing import RACES, fills_role, in_past, quiet
from memstrata_integrations.extraction.sentences.lexicon import (
    DEICTIC,
    EVENTS,
    MANY_ROLES,
    NON_NAMES,
    PERSON_ROLES,
    SUBJECT_STOPPERS,
    UNASSERTED,
)
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.slots import find_typed, qualifiers
from memstrata_integrations.extraction.sentences.verbs import THIRD, participle_of
from memstrata_integrations.relations import known, relation_of
from memstrata_integrations.units import MONTHS, WEEKDAYS
from memstrata_integrations.words import word_set

__all__ = ["read_duty"]

_LONGEST = 220
_TRIM = "\"'`()[]{}.,;:!?“”‘’"


_IS, _THUS = known("is"), known("is done thus")
_TITLES = (
    r"(?:Judge|Coach|Captain|Chef|Ambassador|Officer|Nurse|Sister|Father|Pastor|Professor|Sergeant|Inspector"
    r"|General|Colonel|Major|Admiral|Queen|King|Prince|Princess|Duke|Duchess) "
)
_NAME = r"[A-Z][\w.’'-]*(?: (?:& |(?:de |van |von |der |den |la |al |da |del |of ){0,2})[A-Z][\w.’'-]*){0,4}"
_GROUPS = (
    "team|crew|office|desk|council|committee|department|agency|company|board|club|squad|guild|firm|trust|charity|unit"
    "|family|brothers|sisters|estate|state|city|county|government|ministry|university|church|diocese|cooperative|parish"
)
_AGENT = rf"(?:{_TITLES})?(?P<who>{_NAME})|(?:[Tt]he|[Oo]ur) (?P<group>(?:[\w-]+ ){{1,3}}(?:{_GROUPS}))"
# Verbs of an office, of care and of supply: what they are done to has one that does them
_OFFICES = word_set(
    "head lead chair direct conduct captain skipper edit curate present insure audit cater service guard supervise "
    "oversee coordinate represent moderate narrate coach umpire referee manage operate run own staff clean supply "
    "patrol steward host tutor mind babysit"
)
_PHRASES = {
    "presides over": "presided",
    "is in charge of": "handled",
    "is responsible for": "handled",
    "takes care of": "handled",
    "looks after": "handled",
    "cares for": "handled",
    "sees to": "handled",
    "deals with": "handled",
    "handles": "handled",
    "picks up": "picked-up",
    "drops off": "dropped-off",
    "locks up": "locked-up",
    "opens up": "opened-up",
    "signs off": "signed-off",
    "fetches": "picked-up",
    "has charge of": "handled",
}
_DUTY = re.compile(
    rf"(?:{_AGENT}) (?P<verb>"
    + "|".join([*_PHRASES, *sorted(v for v, base in THIRD.items() if base in _OFFICES), "[a-z]+s"])
    + r") (?P<what>(?:the|our|my|his|her|their|all|[A-Z]|[a-z]+['’]s? )[^,;:]*)\Z"
)
_DONE_BY = {third: participle_of(base) for third, base in THIRD.items() if base in _OFFICES}
_DONE_BY |= {base + "s": participle_of(base) for base in _OFFICES} | _PHRASES
_DONE_BY |= {"coordinates": "coordinated", "oversees": "overseen", "patrols": "patrolled", "skippers": "skippered"}
# With these verbs only this kind of thing is a duty: "takes the minutes", and no bus
_KEEPING = {
    "takes": word_set("minutes register notes calls bookings orders collection"),
    "keeps": word_set("minutes books accounts score time register keys log archive inventory records peace"),
    "does": word_set(
        "accounts books payroll bookkeeping taxes ironing catering cleaning cooking flowers lighting sound"
    ),
    "writes": word_set("column newsletter blog minutes editorial"),
    "drives": word_set("bus ambulance van minibus taxi truck tram train coach"),
    "delivers": word_set("milk post papers mail newspaper newspapers bread"),
    "teaches": word_set("class course"),
    "plays": word_set("organ lead"),
}
_DUTY_VERBS = frozenset(verb.split()[0] for verb in (*_DONE_BY, *_KEEPING))
_WHOLES = word_set(
    "minutes accounts books finances keys proceedings logistics payroll grounds premises headquarters deliveries news "
    "repairs refunds complaints bookings enquiries inquiries returns escalations invoices twins kids children forces "
    "chickens hens plants bins"
)
_AGENTS = ("name", "charge", "task")
_PLACED = re.compile(r" (?:in|at|on) (?=[A-Z]|the )")
_BY_WHOM = re.compile(
    rf" (?:is|are|gets|get) (?:currently |still |presently )?(?P<done>[a-z]+) by (?:{_TITLES})?(?:(?P<who>{_NAME}"
    rf"|@[\w.-]+)"
    rf"|(?:the|our) (?P<group>(?:[\w-]+ ){{1,3}}(?:{_GROUPS})))(?P<tail> (?:in|on|at|for|from) [^,;]+)?\Z"
)
# What is served by one provider, beside the offices
_SERVED = frozenset(_DONE_BY.values()) | word_set(
    "cooled heated repaired patrolled brewed printed bound groomed walked tutored mentored nursed delivered emptied "
    "mowed watered pruned certified inspected underwritten insured refereed broadcast televised aired staffed guarded "
    "commanded ruled governed cleaned serviced administered overseen handled looked-after chaired lit narrated drawn "
    "illustrated catered"
)
_PERSON_IS = re.compile(
    r" (?:is|remains) (?:an? (?:[a-z]+ ){0,2}[a-z]+|someone|somebody) (?:named|called|by the name of) "
    rf"(?P<who>{_NAME})(?P<tail> (?:in|at|from|on) [^,;]+)?\Z"
)
_CHOSEN = re.compile(
    r"(?:The|the) (?P<role>[a-z-]+(?: [a-z-]+)?) (?:(?:that|which|who|whom|where) )?"
    r"(?P<whose>(?:I|we|they|[Oo]ur|[Mm]y|[A-Z])(?:[^,;:]*?)) (?:is|remains) (?:at )?(?:the )?"
    rf"(?P<who>{_NAME})(?P<tail> (?:in|on|at) [^,;]+)?\Z"
)
_CHOOSING = word_set(
    "see sees use uses trust trusts visit visits attend attends prefer prefers call calls go goes take takes "
    "employ employs "
    "ring rings like likes hire hires rent rents drive drives support supports bank banks"
)
_CHOSEN_ROLES = (PERSON_ROLES - MANY_ROLES) | word_set(
    "garage bakery school gym bank pharmacy salon clinic surgery practice firm carrier courier supplier printer church "
    "butcher grocer optician physio agency nursery kennel stable library newspaper paper channel station airline hotel"
)
_APPOSED = re.compile(
    rf"(?P<role>(?:[Tt]he|[Mm]y|[Oo]ur|[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)*['’]s) [^,;]{{3,60}}), (?P<who>{_NAME}), "
    r"(?P<rest>[a-z]+s? [^,;]+)\Z"
)
_APPOSED_ROLE = re.compile(
    rf"(?P<who>{_NAME}), (?P<role>(?:the|my|our|[A-Z][\w’'-]*['’]s) [^,;]{{3,60}}), (?P<rest>[a-z]+s? [^,;]+)\Z"
)
_FRONTED = re.compile(
    r"(?P<done>Headquartered|Based|Located|Situated|Led|Owned|Run|Managed|Chaired|Captained|Coached|Edited|Directed"
    r"|Insured|Priced|Hosted|Licensed) (?P<prep>in|at|by|under|on) (?P<value>[^,;]+), (?P<rest>[^,;]+)\Z"
)
_WHOSE = re.compile(
    r"(?P<who>[^,;]+), whose (?P<role>[a-z][a-z ]{2,40}?) (?:is|are) (?P<prep>(?:in|at|on) )?(?P<value>[^,;]+), "
    r"(?P<rest>[a-z]+s? [^,;]+)\Z"
)


def read_duty(core: str) -> Claim | None:
    """Read who has a duty or a role; the places of the claim are those of `core`."""
    if len(core) > _LONGEST:
        return None
    hidden = masked(core)
    if "," in hidden:
        return _apposed(core, hidden)
    return _duty(hidden) or _by_whom(core, hidden) or _described(core, hidden) or _chosen(hidden)


def _is_name(who: str) -> bool:
    """Whether words in capitals name somebody, and are no pronoun or adverb at the start of a sentence."""
    first = who.split()[0].lower().strip(_TRIM)
    if first in WEEKDAYS or first in MONTHS:
        return False  # "is printed by Monday"
    listed = first in SUBJECT_STOPPERS or first in DEICTIC or first in UNASSERTED or who.lower() in NON_NAMES
    return not listed and not who.endswith(("'s", "’s", "'", "’")) and first not in ("the", "our", "my")


def _agent(match: re.Match[str]) -> tuple[int, int] | None:
    """Return where the one who does it stands."""
    if match["who"] is None:
        return match.span("group")
    return match.span("who") if _is_name(match["who"]) else None


def _is_one(what: str) -> bool:
    """Whether words name one definite thing, or things that are looked after as a whole."""
    words = [w.strip(_TRIM).lower() for w in what.split()]
    if not words or len(words) > 12 or not quiet(what) or is_opinion(what.split()):
        return False
    head = head_phrase(words)[0]
    named = any(w[0].isupper() and w.lower() == head for w in what.split())
    return named or not is_plural(head) or head in _WHOLES or words[0] == "all"


def _duty(hidden: str) -> Claim | None:
    """Read "Judge Pike presides over the Second District Court" and "Jutta takes the minutes"."""
    match = _DUTY.match(hidden) if not _DUTY_VERBS.isdisjoint(words_of(hidden)) else None
    if match is None or (place := _agent(match)) is None or not _is_one(match["what"]):
        return None
    verb, what = match["verb"], match["what"]
    if has_many(THIRD.get(verb, verb), what):
        return None
    head = head_phrase([w.lower() for w in what.split()])[0]
    done = _DONE_BY.get(verb)
    if done is None:
        if head not in _KEEPING.get(verb, frozenset()) or what[0].isupper():
            return None
        done = f"{verb}-charge"
    elif done == "represented" and not _PLACED.search(what):
        return None  # one of many in a team
    elif (head in EVENTS or head in RACES) and done in ("run", "led", "hosted"):
        return None  # one runs the marathon beside others
    relation = relation_of(f"is {done} by")
    if relation is not None and relation.cardinality == "functional" and relation.slot in _AGENTS:
        return Claim(what, relation, *place, "duty", "name" if relation.slot == "name" else "text")
    return Claim(f"{done}-by {what}", _THUS, *place, "duty", "name")


def _by_whom(core: str, hidden: str) -> Claim | None:
    """Read "The data centre is cooled by Aerotherm": one provider of what one provides."""
    match = _BY_WHOM.search(hidden) if " by " in hidden else None
    if match is None or match["done"] not in _SERVED or (place := _agent(match)) is None:
        return None
    subject = core[: match.start()].strip()
    tail = qualifiers(match["tail"] or "")
    if tail is None or not subject_is_sound(hidden[: match.start()], subject) or not _is_one(subject):
        return None
    relation = relation_of(f"is {match['done']} by")
    whole = f"{subject} {tail}".strip()
    if relation is not None and relation.cardinality == "functional" and relation.slot in _AGENTS:
        return Claim(whole, relation, *place, "duty", "name" if relation.slot == "name" else "text")
    kind = "name" if match["done"] in _DONE_BY.values() else "text"
    return Claim(f"{match['done']}-by {whole}", _THUS, *place, "duty", kind)


def _described(core: str, hidden: str) -> Claim | None:
    """Read "My landlord is a man named Terrence Oduya"."""
    match = _PERSON_IS.search(hidden) if " a" in hidden or " some" in hidden else None
    if match is None:
        return None
    subject = core[: match.start()].strip()
    head = head_phrase([w.lower() for w in subject.split()])[0]
    if head not in PERSON_ROLES or head in MANY_ROLES or len(subject.split()) < 2:
        return None
    if not subject_is_sound(hidden[: match.start()], subject) or not _is_name(match["who"]):
        return None
    return Claim(subject, _IS, *match.span("who"), "described", "name")


def _chosen(hidden: str) -> Claim | None:
    """Read "The vet our dog Biscuit sees is Dr Lindgren" and "The school Kim goes to is Mill Lane"."""
    match = _CHOSEN.match(hidden)
    if match is None or not _is_name(match["who"]):
        return None
    words, role = match["whose"].split(), match["role"].split()[-1]
    verb = words[-2] if words[-1] in ("to", "with", "at", "from", "in", "on") and len(words) > 2 else words[-1]
    if role not in _CHOSEN_ROLES or verb not in _CHOOSING or not 2 <= len(words) <= 7 or not quiet(match["whose"]):
        return None
    said = f"{match['role']} that {match['whose']} {match['tail'] or ''}"
    return Claim(said.strip(), _IS, *match.span("who"), "chosen", "name" if role in PERSON_ROLES else "text")


def _apposed(core: str, hidden: str) -> Claim | None:
    """Read "The CEO of Tamblyn Foods, Marcia Dove, lives in Bristol": what else it says is in the key."""
    match = _APPOSED.match(hidden) or _APPOSED_ROLE.match(hidden)
    if match is not None:
        role, rest = match["role"], match["rest"]
        head = head_phrase([w.lower() for w in role.split()])[0]
        if len(role.split()) < 3 and not role.startswith(("My ", "my ", "Our ", "our ")) and "'s " not in role:
            return None  # "the owner", of what nothing says
        if head not in PERSON_ROLES or head in MANY_ROLES or not _is_name(match["who"]) or not _states(rest):
            return None
        return Claim(f"{role} ({rest})", _IS, *match.span("who"), "apposed", "name") if fills_role(role) else None
    match = _FRONTED.match(hidden) or _WHOSE.match(hidden)
    if match is None:
        return None
    found = find_typed(core, match.start("value"), match.end("value"))
    if found is None or found[2] != match.end("value") or found[3] not in ("name", "number", "technical", "quoted"):
        return None
    words = match["rest"].split()
    if match.re is _WHOSE:
        if not _states(match["rest"]) or not quiet(match["who"]) or is_plural(match["role"].split()[-1]):
            return None
        said = f"{match['role']} {match['prep'] or ''}of {match['who']} ({match['rest']})"
        return Claim(said, _IS, *found[:2], "whose", "text")
    verb = next((n for n, w in enumerate(words) if n and (w in THIRD or w in ("is", "are", "has"))), 0)
    if not verb or not quiet(match["rest"]) or not subject_is_sound(" ".join(words[:verb]), " ".join(words[:verb])):
        return None
    return Claim(f"{match['done'].lower()}-{match['prep']} {match['rest']}", _THUS, *found[:2], "fronted", "text")


def _states(rest: str) -> bool:
    """Whether what follows is in the present and holds no doubt."""
    words = rest.split()
    return not in_past(words[0]) and words[0] not in ("which", "who", "where") and quiet(rest)
