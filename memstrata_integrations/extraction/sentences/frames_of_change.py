"""Frames of change: "was raised to 60", "has replaced nginx as the load balancer", "left Acme and joined Globex"."""

from __future__ import annotations

import re

from memstrata_integrations.canonical import canonical_value
from memstrata_integrations.extraction.sentences.framing import (
    OF_OWN,
    POSSESSIVE,
    Frame,
    fills_role,
    head_of,
    is_many,
    owned,
    quiet,
    without_new,
)
from memstrata_integrations.extraction.sentences.lexicon import (
    EVENTS,
    MEASURES,
    PREPOSITIONS,
    UNASSERTED,
)
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.words import word_set

_REPLACED = re.compile(
    r" (?:has |have )?(?:replaced|swapped) (?P<old>\S.*?) (?:with|by|for) (?P<value>\S.*?) as "
    r"(?:(?P<own>its|their|his|her|my|our|the) )?"
    r"(?P<role>[^,;]+)\Z"
)

_WAS_REPLACED = re.compile(
    r"(?P<old>\S.*?) (?:was|has been|is|got|were|have been) (?:replaced|superseded|succeeded) (?:by|with) "
    r"(?P<value>\S.*?) "
    r"as (?:(?P<own>the|our|my|its) )?(?P<role>[^,;]+)\Z"
)

_SWITCHED = re.compile(
    r" (?:has |have )?(?:switched|moved|migrated|changed|gone) (?:over )?(?:from (?P<old>\S.*?) )?to (?P<value>\S.*?) "
    r"(?:as|for) (?P<own>its|their|his|her|my|our|the) (?P<role>[^,;]+)\Z"
)

_TOOK_ON = re.compile(
    r" (?:has |have )?(?:just )?(?:sets?|appointed|named|hired|chosen|chose|adopted|elected|picked|selected|introduced"
    r"|made|installed|designated|engaged) "
    r"(?:the )?(?P<value>\S.*?) as "
    r"(?:(?P<own>its|their|his|her|my|our|the) (?:new )?|(?=default |primary |main |base |fallback ))(?P<role>[^,;]+)\Z"
)

_NEW_FOR_OLD = re.compile(
    r"(?P<value>\S+(?: [A-Z]\S*){0,3}) (?:has replaced|replaced|replaces|has succeeded|succeeded|succeeds|took "
    r"over from|takes over from|has taken over from) "
    r"(?P<old>[^,;]+?) as (?P<own>the|our|my) (?P<role>[^,;]+)\Z"
)

_CHANGES = (
    "renamed|bumped|upgraded|downgraded|updated|changed|raised|increased|lowered|reduced|decreased|moved"
    "|switched|extended"
    "|shortened|cut|set|reset|adjusted|shifted|pushed|postponed|rescheduled|relocated|migrated|transferred"
    "|doubled|halved"
    "|tightened|widened|capped|pinned|lifted|dropped|converted|corrected|brought forward|pushed back|moved up"
    "|moved back|put back"
    "|revised|amended|promoted|reassigned|handed over|assigned"
)

CHANGED = frozenset(verb.split()[0] for verb in _CHANGES.split("|")) | word_set(
    "gone went risen rose dropped fell fallen climbed jumped increased decreased changed moved switched shrunk shrank "
    "grown grew shifted crept"
)
"""Of these words a sentence holds one that `_was_changed` or `_we_changed` reads."""

_WAS_CHANGED = re.compile(
    rf" (?:has been|have been|was|were|got|gets|has|have|is being|is|are) (?:(?:just|recently|since|officially"
    rf"|finally) )?"
    rf"(?P<verb>{_CHANGES}) (?:(?:up|down|over|out|back|forward) )?(?:from (?P<old>\S.*?) )?(?P<to>to|at|until"
    rf"|as|by) (?=\S)"
)

_ROSE = re.compile(
    r" (?:has |have )?(?:just )?(?P<verb>gone up|went up|gone down|went down|risen|rose|dropped|fell|fallen"
    r"|climbed|jumped"
    r"|increased|decreased|changed|moved|switched|shrunk|shrank|grown|grew|shifted|crept up)"
    r"(?: (?:by )?(?:another )?(?:[$€£]\d[\d.,_]*|\d[\d.,_]* ?(?:%|percent|points|ms|seconds?|minutes?|hours?|days?"
    r"|weeks?|months?|euros?|dollars?|pounds?|[KMG]B)))?"  # "rose $2 to $12"
    r" (?:from (?P<old>\S.*?) )?to (?=\S)"
)

_WE_CHANGED = re.compile(
    r"(?P<who>I|[Ww]e|[Tt]hey|(?:My|Our) [a-z]+(?: [a-z]+)?|[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)*|[Tt]he "
    r"[\w -]+?|[\w.-]+|¤+) (?:have |has |just "
    r"|recently |had )?(?P<verb>"
    rf"{_CHANGES}) (?P<role>(?:(?:its|their|my|our|the|his|her) )?\S.*?) (?:from (?P<old>\S.*?) )?to (?=\S)"
)

# What is a name itself: a renamed branch is another one, a renamed username as well
_NAMES = word_set("branch username handle nickname name alias title label hostname codename surname login")
_RELEASE = re.compile(r"(?P<name>[A-Z][\w+#.-]*(?: [A-Z][\w+#-]*)?) (?P<version>v?\d+(?:\.\d+)*[\w.+-]*)\Z")

_JOINED = re.compile(
    r"(?P<who>[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)*|I|We|we) (?:(?:has|have) )?(?:just )?(?:(?:left|quit) "
    r"(?P<old>[^,;]+?) (?:and|to) (?:has |have )?(?:joined|join)"
    r"|joined(?=.* as (?:an?|its|their|the|head|chief|lead|senior|junior) )) (?P<value>(?:the )?[A-Z].*)\Z"
)

_MOVED_HOME = re.compile(
    r"(?P<who>[A-Z][\w’'-]*(?: [\w’'-]+){0,3}?|I|We|we) (?:(?:has|have) )?(?:just |recently )?(?:moved"
    r"|relocated) (?:house )?(?:from (?P<old>[^,;]+?) )?to "
    r"(?P<value>[A-Z][^,;]*)\Z"
)

NO_HOMES = word_set(
    "linux ubuntu debian windows macos mac android ios slack teams discord zoom notion obsidian gmail outlook github "
    "gitlab jira vim emacs neovim vscode python rust go java typescript kotlin swift kubernetes docker aws azure gcp "
    "postgres postgresql mysql firefox chrome safari spotify netflix whatsapp signal telegram monzo revolut zed "
    "pycharm apple google microsoft part-time full-time premium pro basic nixos fedora arch "
    "hr qa it legal sales finance marketing engineering support operations procurement accounting research design "
    "product security management mastodon bluesky protonmail asana trello salesforce workday sap scrum kanban nasdaq"
)
"""Tools, departments, plans: who moves to one lives where they lived before, and no firm has its seat there."""
_TEAM = re.compile(
    r"(?P<who>[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)*|I) (?:(?:has|have) )?(?:been |was |were |got )?(?:transferred"
    r"|moved|reassigned|switched|joined) "
    r"(?:from the (?P<old>[^,;]+?) )?(?:to )?(?=the [\w -]+ (?:team|squad|department|group|guild|crew|office)\Z)"
)

_LIVES_IN_A = re.compile(
    r" (?:lives|live|resides|is living|am living) in an? (?:[a-z-]+ )*(?:flat|house|apartment|studio|bungalow"
    r"|cottage|loft|room|place|village|suburb) in (?=[A-Z])"
)


def _replaced(core: str, hidden: str) -> Frame | None:
    """Read "Cormorant has replaced requests with httpx as its HTTP client"."""
    match = _REPLACED.search(hidden) or _SWITCHED.search(hidden)
    if match is None:
        return None
    role = core[match.start("role") : match.end("role")]
    if not fills_role(role):
        return None
    return Frame(owned(match["own"], role, core[: match.start()]), "is", *match.span("value"), "replaced", True)


def _was_replaced(core: str, hidden: str) -> Frame | None:
    """Read "In the Fennec project, mypy was replaced by pyright as the type checker"."""
    match = _WAS_REPLACED.match(hidden)
    if match is None:
        return None
    role = core[match.start("role") : match.end("role")]
    front, comma, _ = match["old"].partition(", ")
    if comma:
        if front.split(" ", 1)[0].lower() not in PREPOSITIONS:
            return None
        role = f"the {role} {front[0].lower()}{core[1 : len(front)]}"
    if not fills_role(role):
        return None
    return Frame(role if role.startswith("the ") else f"the {role}", "is", *match.span("value"), "replaced", True)


def _was_changed(core: str, hidden: str) -> Frame | None:
    """Read "The cut-off for talks has been extended to midnight on the 14th"."""
    match = _WAS_CHANGED.search(hidden) or _ROSE.search(hidden)
    if match is None or not _to(match):
        return None
    subject = core[: match.start()]
    surface = "is"
    if match["verb"] == "renamed":
        surface = "is" if head_of(subject.split() or [""]) in _NAMES else "is named"
    elif match["verb"] == "pinned":
        surface = "is pinned to"
    elif match["verb"] in ("transferred", "moved", "promoted", "reassigned", "assigned", "handed over", "set"):
        found = find_typed(core, match.end(), len(core))
        if found is None or found[3] not in ("number", "date", "technical", "boolean", "quoted"):
            return None
        surface = _of_change(subject, core, match.end())
    else:
        surface = _of_change(subject, core, match.end())
    words = subject.split()
    found = find_typed(core, match.end(), len(core))
    measured = found is not None and found[3] in ("number", "date", "boolean") and len(words) > 1
    if not words or (is_many(head_of(words)) and surface != "is named" and not measured):
        return None
    return Frame(subject, surface, match.end(), len(core), f"changed: {match['verb']}", True)


def _of_change(subject: str, core: str, at: int) -> str:
    """Return the relation that a new time, day or price of something belongs to."""
    found = find_typed(core, at, len(core))
    if found is None:
        return "is set to"
    dimension = canonical_value(core[found[0] : found[1]])[1].partition(":")[0]
    head = head_of(subject.split()) if subject.split() else ""
    if dimension in ("name", "text") and found[3] == "name" and head in EVENTS:
        return "is held at"
    if dimension == "time" and head in EVENTS:
        return "is at"
    if dimension in ("weekday", "date", "day") and head in EVENTS:
        return "is on"
    if (
        dimension == "money"
        and head not in MEASURES
        and head not in ("price", "fee", "rent", "cost", "bill", "fare", "premium")
    ):
        return "costs"
    return "is"


def _to(match: re.Match[str]) -> bool:
    to = match.groupdict().get("to") or "to"
    verb = match["verb"]
    if to == "to":
        return True
    return to == "at" and verb in ("capped", "set", "pinned")


def _we_changed(core: str, hidden: str) -> Frame | None:
    """Read "We bumped carbon_store.max_entries to 20000" and "The nursery switched its number to 020 7946"."""
    match = _WE_CHANGED.match(hidden)
    if match is None:
        return None
    who, role = core[: match.end("who")], core[match.start("role") : match.end("role")]
    if who.split()[0].lower() in UNASSERTED or not quiet(who) or who.endswith("aving"):
        return None
    own = OF_OWN.match(role)
    if own is None or len(role.split()) > 10:
        return None
    given = own["own"]
    if given in POSSESSIVE:
        subject = owned(given, own["role"], who)
    else:
        subject = f"{given} {own['role']}" if given in ("my", "our") else own["role"]
    renamed = match["verb"] == "renamed" and head_of(own["role"].split()) not in _NAMES
    surface = "is named" if renamed else "is"
    if release := _RELEASE.match(core, match.end()):
        subject = f"{release['name']} of {subject}"
        return Frame(subject, "has version", release.start("version"), len(core), f"changed: {match['verb']}", True)
    if match["verb"] != "renamed":
        surface = _of_change(subject, core, match.end())
    return Frame(without_new(subject), surface, match.end(), len(core), f"changed: {match['verb']}", True)


def _joined(core: str, hidden: str) -> Frame | None:
    """Read "Alice left Acme and joined Globex", "Alice moved to the growth squad" and "I moved to Bristol"."""
    match = _JOINED.match(hidden)
    if match is not None:
        return Frame(match["who"], "works for", *match.span("value"), "joined", True)
    match = _TEAM.match(hidden)
    if match is not None:
        return Frame(match["who"], "belongs to", match.end(), len(core), "team", True)
    match = _LIVES_IN_A.search(hidden)
    if match is not None:
        return Frame(core[: match.start()].strip(), "lives in", match.end(), len(core), "lives in a")
    match = _MOVED_HOME.match(hidden)
    if match is not None and match["value"].split()[0].lower() in NO_HOMES:
        return None
    # "from Slack to Teams": perhaps no home, so that only what is named ends (`retold`)
    if match is not None and len(match["who"].split()) < 4 and not (match["old"] and " house " not in match[0]):
        return Frame(match["who"], "lives in", *match.span("value"), "moved", True)
    return None


def _took_on(core: str, hidden: str) -> Frame | None:
    """Read "Brightwater has appointed Nils Aagaard as its CEO" and "HAProxy has replaced nginx as the proxy"."""
    match = _TOOK_ON.search(hidden)
    if match is not None:
        role = core[match.start("role") : match.end("role")]
        owner = core[: match.start()]
        if owner.strip().lower() in ("we", "i", "they") and match["own"] == "the":
            return Frame(role, "is", *match.span("value"), "took on", True) if fills_role(role) else None
        return (
            Frame(owned(match["own"], role, owner), "is", *match.span("value"), "took on", True)
            if fills_role(role)
            else None
        )
    match = _NEW_FOR_OLD.match(hidden)
    if match is None:
        return None
    role = core[match.start("role") : match.end("role")]
    own = "" if match["own"] == "the" else f"{match['own']} "
    return Frame(own + role, "is", *match.span("value"), "took over", True) if fills_role(role) else None
