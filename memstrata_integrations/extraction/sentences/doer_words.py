"""The verbs of what has one doer at a time, what they are done to, and what those are called who do it."""

from __future__ import annotations

from memstrata_integrations.extraction.sentences.verbs import gerund_of, participle_of, third_of
from memstrata_integrations.relations import Relation, relation_of
from memstrata_integrations.words import word_set

__all__ = [
    "AGENT_NOUNS",
    "ALONE",
    "BASE_OF_ACT",
    "BASE_OF_AGENT",
    "BASE_OF_DONE",
    "BASE_OF_THIRD",
    "CHARGES",
    "DEFINITE",
    "DOER_RELATIONS",
    "DOINGS",
    "MANAGED",
    "NAME",
    "ONE_VERB",
    "ONLY",
    "OWN",
    "PEOPLE",
    "PHRASED_DONE",
    "PHRASES",
    "SERVICES",
    "SOLE_DOERS",
    "SUPPLIED",
    "WHO",
    "WHOLES",
    "agent_noun",
]

# Offices and care: one at a time has them, whoever it is
SOLE_DOERS = word_set(
    "lead head chair direct conduct captain skipper edit curate coach manage run operate own oversee supervise "
    "administer govern coordinate command steer helm anchor maintain tend tune steward staff umpire "
    "referee compere emcee narrate organise organize tutor teach drive"
)
# Services: one provider, where what it is done to is one thing or somebody's own
SERVICES = word_set(
    "clean print supply deliver insure cater host power heat cool light transport collect empty service audit "
    "repair brew bake cook sew launder wash bind frame iron shred dredge grit sweep plough plow decorate landscape "
    "underwrite ship issue trigger orchestrate distribute publish broadcast televise manufacture build assemble make "
    "produce photograph"
)
# What groups and officers are charged with
CHARGES = word_set(
    "review approve process triage moderate grade schedule handle authorise authorize release provision fulfil "
    "fulfill dispatch"
)
DOINGS = SOLE_DOERS | SERVICES | CHARGES
BASE_OF_DONE = {participle_of(base): base for base in sorted(DOINGS)} | {
    "overseen": "oversee",
    "run": "run",
    "led": "lead",
}
BASE_OF_DONE |= {"built": "build", "sewn": "sew", "swept": "sweep", "lit": "light", "paid": "pay", "bound": "bind"}
BASE_OF_DONE |= {
    "driven": "drive",
    "made": "make",
    "taught": "teach",
    "ploughed": "plough",
    "captained": "captain",
    "shipped": "ship",
}
BASE_OF_DONE |= {
    "skippered": "skipper",
    "planned": "plan",
    "organised": "organise",
    "organized": "organize",
    "mown": "mow",
}
BASE_OF_THIRD = {third_of(base): base for base in DOINGS}
BASE_OF_ACT = {gerund_of(base): base for base in DOINGS}
BASE_OF_ACT |= {
    noun: base
    for base, nouns in {
        "maintain": "maintenance upkeep",
        "review": "review reviews",
        "deliver": "delivery deliveries",
        "supply": "supply",
        "repair": "repairs",
        "manage": "management",
        "coordinate": "coordination",
        "supervise": "supervision",
        "organise": "organisation",
        "organize": "organization",
        "operate": "operation",
        "administer": "administration",
        "distribute": "distribution",
        "approve": "approval approvals",
        "inspect": "inspection inspections",
        "translate": "translation translations",
        "collect": "collection",
        "moderate": "moderation",
        "produce": "production",
        "transport": "transport",
    }.items()
    for noun in nouns.split()
}
# One verb for those that people use for the same thing
ONE_VERB = {
    "operate": "run",
    "administer": "run",
    "organize": "organise",
    "authorize": "approve",
    "authorise": "approve",
    "oversee": "supervise",
    "head": "lead",
    "helm": "lead",
    "skipper": "captain",
    "plow": "plough",
    "fulfill": "fulfil",
}
PHRASES = {
    "signs off on": "approve",
    "signs off": "approve",
    "gives the go-ahead for": "approve",
    "greenlights": "approve",
    "presides over": "chair",
    "is at the helm of": "lead",
    "is at the head of": "lead",
    "is head of": "lead",
    "is in command of": "command",
    "holds the chair of": "chair",
    "has command of": "command",
    "looks after": "handle",
    "takes care of": "handle",
    "is in charge of": "handle",
    "is responsible for": "handle",
    "has charge of": "handle",
    "has responsibility for": "handle",
    "sees to": "handle",
    "deals with": "handle",
    "cares for": "handle",
    "attends to": "handle",
    "carries out": "conduct",
    "performs": "conduct",
    "undertakes": "conduct",
}
PHRASED_DONE = {"signed off": "approve", "signed off on": "approve", "looked after": "handle", "seen to": "handle"}
PHRASED_DONE |= {"carried out": "conduct", "paid for": "pay"}
PHRASED_DONE |= {"taken care of": "handle", "cared for": "handle", "dealt with": "handle", "presided over": "chair"}
_TITLES = r"(?:Judge|Coach|Captain|Chef|Ambassador|Officer|Nurse|Sister|Father|Pastor|Professor|Sergeant|Inspector) "
NAME = (
    r"(?!(?:The|Our|My|A|An|Each|Every|All|In|On|At|For|We|It)\b)[A-Z][\w.’'-]*(?: (?:& |(?:de |van |von "
    r"|der |den |la |al |da |dos |del |di |of ){0,2})(?:[A-Z][\w.’'-]*|\d+(?=\Z| ))){0,4}"
)
_BODIES = (
    "team|crew|office|desk|council|committee|department|agency|company|board|club|squad|guild|firm|trust|charity|unit"
    "|state|city|town|village|county|government|ministry|university|church|diocese|cooperative|parish|group|bureau|chapter|branch"
    "|division|authority|panel|commission|foundation|institute|federation|association|fund|society|college|school|hospital|union"
)
_OFFICERS = "captain|manager|lead|officer|engineer|secretary|treasurer|director|owner|coordinator|head|chair|warden"
_GROUP = rf"(?:[\w&-]+ ){{0,3}}(?:{_BODIES}|{_OFFICERS})s?"
_RANK = (
    r"(?:(?:[Tt]he )?(?:[A-Z]?[a-z-]+ ){0,2}(?:leader|manager|officer|engineer|director|captain|secretary|partner) )"
)
WHO = rf"(?:(?:{_TITLES}|{_RANK})?(?P<who>{NAME})|(?:[Tt]he|[Oo]ur) (?P<group>{_GROUP}))"
WHOLES = word_set(
    "minutes accounts books finances keys proceedings logistics payroll grounds premises headquarters deliveries news "
    "repairs refunds complaints bookings enquiries inquiries returns escalations invoices twins kids children forces "
    "chickens hens plants bins"
)
# Of what one has one teacher, and one driver
ONLY = {
    "teach": word_set("class course lesson seminar workshop module masterclass tutorial"),
    "drive": word_set(
        "bus ambulance van minibus taxi truck tram train coach lorry tractor hearse shuttle ferry plough"
    ),
}
# Of these also a person does the whole of it
ALONE = word_set("handle approve process schedule moderate dispatch")
SUPPLIED = word_set(
    "school hospital office shop market army navy city town village restaurant hotel club team company factory plant "
    "region country canteen kitchen store supermarket bakery cafe base camp island industry public"
)
PEOPLE = word_set(
    "people children students pupils players members patients guests clients customers staff employees engineers "
    "volunteers visitors residents kids juniors seniors beginners"
)
OWN = ("our ", "my ", "Our ", "My ", "his ", "her ", "their ", "its ")
DEFINITE = ("the ", "The ", *OWN, "this ", "all ", "All ")
_AGENT_NOUNS = {
    "supply": "supplier",
    "edit": "editor",
    "direct": "director",
    "conduct": "conductor",
    "supervise": "supervisor",
    "audit": "auditor",
    "inspect": "inspector",
    "govern": "governor",
    "distribute": "distributor",
    "process": "processor",
    **{
        same: same
        for same in word_set("captain coach host guard steward tutor umpire referee compere cook chair anchor")
    },
}


def agent_noun(base: str) -> str:
    """Return what the one is called who does a thing."""
    known = _AGENT_NOUNS.get(base)
    if known is not None:
        return known
    if base.endswith("ate"):
        return f"{base[:-1]}or"
    return f"{base}r" if base.endswith("e") else f"{base[:-1]}ier" if base.endswith("ry") else f"{base}er"


DOER_RELATIONS: dict[str, Relation] = {
    base: found
    for base in DOINGS
    if (found := relation_of(f"is {participle_of(base)} by")) is not None
    and found.cardinality == "functional"
    and found.slot in ("name", "charge", "task", "team")
    and found.name != "is hosted on"
}
DOER_RELATIONS |= {base: found for base, found in ((b, relation_of("is managed by")) for b in ("manage",)) if found}
# Who is called so does it
BASE_OF_AGENT = {
    agent_noun(base): base for base in sorted(DOINGS - {"make", "produce", "light", "heat", "host", "run"})
}
BASE_OF_AGENT |= {"operator": "run", "head": "lead"}
AGENT_NOUNS = frozenset(BASE_OF_AGENT)
"""What those are called who do a thing that has one doer."""
MANAGED = word_set(
    "shop store repo repository project team club hotel restaurant branch site office department warehouse bar pub "
    "cafe "
    "fund portfolio account estate farm hostel garage plant factory depot gym theatre theater gallery museum library "
    "station clinic ward hospital programme program product campaign league bakery bistro canteen campsite pool arena"
)
