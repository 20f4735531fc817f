"""Frames of what is done: "writes its log files to /var/log", "pins SQLAlchemy to 1.4", "autosaves every minute"."""

from __future__ import annotations

import re

from memstrata_integrations.canonical import canonical_value
from memstrata_integrations.extraction.sentences.complements import spans_of
from memstrata_integrations.extraction.sentences.framing import OF_OWN, Frame, attached, quiet
from memstrata_integrations.extraction.sentences.room import has_several
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.extraction.sentences.verbs import (
    BASES,
    MANY_VERBS,
    THIRD,
    base_of,
    is_past,
    participle_of,
    participles,
)
from memstrata_integrations.relations import relation_of
from memstrata_integrations.words import word_set

_AT_WHICH = re.compile(
    r"The (?:interval|frequency|period|rate) (?:at|in|with) which (?P<who>[^,;]+?) (?P<verb>[a-z]+s|[a-z]+) is (?=\S)"
)

_INTERVAL = re.compile(
    r"(?:The (?P<a>[a-z]+) interval of (?P<b>[^,;]+?)|(?P<c>[A-Z`][^,;]*?)['’]s (?P<d>[a-z]+) interval) is (?=\S)"
)

_EVERY = re.compile(r" (?P<verb>[a-z]+s|[a-z]+) (?:once )?every (?=\S)")

_SETS = re.compile(
    r" (?P<verb>sets|set|pins|pin|limits|limit|caps|cap|holds|hold|locks|lock|fixes|keeps|configures) "
    r"(?P<role>(?:(?:its|their|the|his|her) )?\S.*?) (?P<to>to|at) (?=\S)"
)

_ACTIVE = re.compile(
    r" (?P<verb>[a-z]+s|[a-z]+) (?P<role>(?:(?:its|their|the|all|my|our|his|her) )?[^,;]{2,60}?) "
    r"(?P<prep>to|in|at|on|with|from|under|into|by|for|using|within|every|after) (?=\S)"
)

# A release contains many fixes, and a plan offers many things
_OF_PARTS = word_set(
    "contained included listed mentioned covered supported offered provided introduced featured brought added needed "
    "required allowed accepted fixed"
)
_PARTICIPLES = {
    "write": "written",
    "log": "logged",
    "store": "stored",
    "keep": "kept",
    "save": "saved",
    "read": "read",
    "load": "loaded",
    "serve": "served",
    "host": "hosted",
    "route": "routed",
    "send": "sent",
    "forward": "forwarded",
    "escalate": "escalated",
    "post": "posted",
    "report": "reported",
    "format": "formatted",
    "generate": "generated",
    "lint": "linted",
    "package": "packaged",
    "bundle": "bundled",
    "provision": "provisioned",
    "compile": "compiled",
    "render": "rendered",
    "sign": "signed",
    "encrypt": "encrypted",
    "compress": "compressed",
    "bind": "bound",
    "retain": "retained",
    "pin": "pinned",
    "deliver": "delivered",
    "track": "tracked",
    "collect": "collected",
    "expose": "exposed",
    "mount": "mounted",
    "sort": "sorted",
    "order": "ordered",
}

_DONE = {form: done for base, done in _PARTICIPLES.items() for form in (base, base + "s", base + "es")}

ACTING = BASES | MANY_VERBS | frozenset(THIRD) | frozenset(_DONE)
"""The verbs of what `_active` reads."""

_PASSIVE = re.compile(
    r" (?:is|are|gets|get) (?P<done>[a-z]+) (?P<prep>by|with|via|through|using|from|to|into|in|at|on|under|as"
    r"|against) (?=\S)"
)

_VERB = re.compile(r"[a-z]+")

_PASSIVE_WITH_TOOL = word_set(
    "formatted generated linted packaged bundled provisioned compiled rendered signed encrypted compressed"
)

TOOL_VERBS = frozenset(verb for verb, done in _DONE.items() if done in _PASSIVE_WITH_TOOL)
"""What a tool does to what it is known for."""

_TOOL_DOES = re.compile(
    r"(?P<tool>\S+(?: [A-Z]\S*)*) (?P<verb>[a-z]+s) (?P<role>(?:the|our|all) [^,;]+|[A-Z][^,;]+|[a-z]+ (?:of|for)"
    r" [^,;]+)\Z"
)


def _sets(core: str, hidden: str) -> Frame | None:
    """Read "tree_walker.py sets MAX_DEPTH to 64" and "Harrier pins SQLAlchemy to 1.4.49"."""
    match = _SETS.search(hidden)
    if match is None:
        return None
    owner, role = core[: match.start()].strip(), core[match.start("role") : match.end("role")]
    own = OF_OWN.match(role)
    if own is None or len(role.split()) > 10 or not quiet(own["role"]) or not owner:
        return None
    if owner.lower() in ("i", "we", "they", "you", "one", "people"):
        subject = f"{own['own']} {own['role']}" if own["own"] in ("my", "our") else own["role"]
    else:
        subject = attached(own["role"], owner)
    found = find_typed(core, match.end(), len(core))
    versioned = found is not None and canonical_value(core[found[0] : found[1]])[1] == "version"
    held = match["verb"] in ("pins", "pin", "holds", "hold", "locks", "lock") and (own["own"] is None or versioned)
    return Frame(subject, "is pinned to" if held else "is", match.end(), len(core), f"sets: {match['verb']}")


def _active(core: str, hidden: str) -> Frame | None:
    """Read "The daemon writes its log files to /var/log" as "Its log files are written to /var/log"."""
    for start, end in spans_of(hidden):
        verb = hidden[start:end]
        base = base_of(verb)
        if not start or (base is None and verb not in _DONE) or not _VERB.fullmatch(verb):
            continue
        match = _ACTIVE.match(hidden, start - 1)
        if match is None:
            continue
        done = _DONE.get(verb) or participle_of(base or verb)
        owner, role = core[: match.start()].strip(), core[match.start("role") : match.end("role")]
        own = OF_OWN.match(role)
        if own is None or not owner or len(role.split()) > 7 or not quiet(own["role"]) or not quiet(owner):
            return None
        if owner.lower() in ("the", "a", "an", "our", "my", "all", "its", "their"):
            continue  # "the tests fail": no verb, but a noun
        spoken = owner.lower() in ("i", "we", "they", "you")
        if verb == base and not spoken and not owner.endswith("s"):
            continue
        if not spoken:
            subject = attached(own["role"], owner)
        else:
            subject = f"{own['own']} {own['role']}" if own["own"] in ("my", "our") else own["role"]
        prep = match["prep"]
        if done in ("read", "loaded", "taken", "drawn") and prep == "from":
            return Frame(subject, "is", match.end(), len(core), "reads from") if own["own"] else None
        surface = f"is {done} {prep}"
        if done != "linted" and has_several(done, prep):
            return None  # "We monitor the robots with Zabbix", and with Datadog
        if relation_of(surface) is not None:
            return Frame(subject, surface, match.end(), len(core), f"active: {verb}")
        if own["own"] and not spoken and done in participles and done not in _OF_PARTS:
            return Frame(f"{done}-{prep} {subject}", "is done thus", match.end(), len(core), f"active: {verb}")
        return None
    return None


def _passive(core: str, hidden: str) -> Frame | None:
    """Read "The gauge readings are averaged by `smooth()`"."""
    match = _PASSIVE.search(hidden)
    if match is None or match["done"] not in participles:
        return None
    subject = core[: match.start()].strip()
    return (
        Frame(f"{match['done']}-{match['prep']} {subject}", "is done thus", match.end(), len(core), "passive")
        if subject
        else None
    )


def _tool_does(core: str, hidden: str) -> Frame | None:
    """Read "uv generates the lockfile of Starling" as "The lockfile is generated with uv"."""
    match = _TOOL_DOES.match(hidden)
    if match is None:
        return None
    done = _DONE.get(match["verb"])
    if (
        done not in _PASSIVE_WITH_TOOL
        or len(match["tool"].split()) > 3
        or match["tool"].lower() in ("it", "he", "she", "this", "that", "the")
    ):
        return None
    role = core[match.start("role") : match.end("role")]
    return Frame(role, f"is {done} with", *match.span("tool"), "tool", False)


def _interval(core: str, hidden: str) -> Frame | None:
    """Read "Ferret's autosave interval is two minutes", as "Ferret autosaves every two minutes"."""
    match = _AT_WHICH.match(hidden)
    if match is not None:
        who = core[match.start("who") : match.end("who")]
        if match["verb"] in ("runs", "run"):
            return Frame(who, "runs every", match.end(), len(core), "interval")
        return Frame(f"the {_base(match['verb'])} interval of {who}", "is", match.end(), len(core), "interval")
    match = _INTERVAL.match(hidden)
    if match is not None:
        verb, place = (match["a"], match.span("b")) if match["a"] else (match["d"], match.span("c"))
        return Frame(f"the {_base(verb)} interval of {core[slice(*place)]}", "is", match.end(), len(core), "interval")
    match = _EVERY.search(hidden)
    if match is None or match["verb"] in ("is", "are", "was") or is_past(match["verb"]):
        return None
    owner = core[: match.start()].strip()
    if _base(match["verb"]) == "expire":
        return Frame(owner, "expires after", match.end(), len(core), "every")
    return Frame(f"the {_base(match['verb'])} interval of {owner}", "is", match.end(), len(core), "every")


def _base(verb: str) -> str:
    return base_of(verb) or (verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb)
