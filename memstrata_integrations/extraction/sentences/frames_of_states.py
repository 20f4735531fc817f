"""Frames of states and their holders: "Mira leads the team", "we turned debug mode off", "is now in net/h.py"."""

from __future__ import annotations

import re

from memstrata_integrations.canonical import canonical_value, is_identifier
from memstrata_integrations.extraction.sentences.clauses import subject_is_sound
from memstrata_integrations.extraction.sentences.complements import masked
from memstrata_integrations.extraction.sentences.doers import has_many
from memstrata_integrations.extraction.sentences.framing import OF_OWN, RACES, Frame, owned, quiet
from memstrata_integrations.extraction.sentences.lexicon import PERSON_ROLES
from memstrata_integrations.extraction.sentences.role_words import is_plural
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.extraction.sentences.verbs import base_of, gerund_of, participle_of, verb_of
from memstrata_integrations.relations import relation_of
from memstrata_integrations.words import word_set

_NAME = r"[A-Z][\w.’'-]*(?: [A-Z][\w.’'-]*){0,3}"
_DOES = re.compile(
    rf"(?P<who>(?:[Tt]he |[Oo]ur )?(?:[\w-]+ ){{1,3}}?(?:team|squad|group|department|guild|crew)|{_NAME}"
    rf"|[a-z][\w.+-]*) "
    r"(?P<verb>[a-z]+s) (?P<what>(?:the|our|my|all) [^,;]+|[A-Z][^,;]*|[a-z]+(?: [a-z]+)? (?:of|for|in|on|at) [^,;]+)\Z"
)
_TURNED = re.compile(
    r" (?:has been|have been|was|were|is|are|got) (?:just )?(?:turned|switched|toggled|flipped|set to) "
    r"(?P<value>on|off)"
    r"(?= |\Z)"
)
_WE_TURNED = re.compile(
    rf"(?:I|[Ww]e|[Tt]hey|{_NAME}) (?:have |has )?(?:just )?(?:(?P<value>enabled|disabled)|(?:turned|switched) "
    r"(?P<state>on|off)) (?P<what>[^,;]+)\Z"
)
_WE_TURNED_IT = re.compile(
    rf"(?:I|[Ww]e|[Tt]hey|{_NAME}) (?:have |has )?(?:just )?(?:turned|switched|set) (?P<what>[^,;]+?) (?:to )?"
    r"(?P<value>on|off)(?P<rest> (?:in|on|for|at) [^,;]+)?\Z"
)
_IN_FILE = re.compile(
    r"(?:[Tt]he )?(?:(?:definition|implementation|source|code) of )?(?P<what>`[^`]+`|[^,;]+?) (?:is|are|has moved to"
    r"|have moved to|has been moved to|was moved to|moved to|now lives in)(?: in)? (?=[\w./~-]*[./][\w/-]*)"
)
_ELECTED = re.compile(
    rf"(?P<who>{_NAME}) (?:was|has been|got|were|is) (?:just |newly )?(?:elected|appointed|named|chosen|made|promoted"
    r"|sworn in|confirmed|hired|installed|crowned)(?: as| to)?(?: the)?(?: new)? (?P<role>[A-Za-z-]+(?: [a-z-]+){0,3} "
    r"(?:of|for|at|in) [^,;]+)\Z"
)
_BECAME = re.compile(
    rf"(?P<who>{_NAME}) (?:has become|became|takes over as|took over as|has taken over as|is|steps in as|has replaced"
    r" [^,;]+? as|replaced [^,;]+? as|replaces [^,;]+? as|succeeds [^,;]+? as|succeeded [^,;]+? as|has "
    r"succeeded [^,;]+?"
    r" as|has taken over from [^,;]+? as|took over from [^,;]+? as|takes over from [^,;]+? as)(?: the)?(?: new)? "
    r"(?P<role>[A-Za-z-]+(?: [a-z-]+){0,3} (?:of|for|at|in|on) [^,;]+)\Z"
)
_ROLE_OF = r"(?:the )?(?P<role>[A-Za-z-]+(?: [a-z-]+){0,3} (?:of|for|at|in|on) "
_SUCCEEDED = re.compile(
    rf"(?:[Aa]s {_ROLE_OF}[^,;]+), )?{_NAME} (?:has been|was|is) (?:succeeded|replaced|followed)"
    rf"(?: as {_ROLE_OF.replace('role', 'role2')}[^,;]+?))? by (?P<who>{_NAME})\Z"
)
_HANDED_OVER = re.compile(
    rf"{_NAME} (?:has )?(?:handed over|stepped down|stood down) as {_ROLE_OF}[^,;]+?)"
    rf"(?: and (?:was|has been) (?:succeeded|replaced|followed) by| to|; (?:the )?(?:successor|replacement) is) "
    rf"(?P<who>{_NAME})\Z"
)
_OFFICES = PERSON_ROLES | frozenset(("officer", "engineer", "keeper", "president", "speaker", "organiser", "organizer"))
_ON_CALL = re.compile(
    rf"(?P<who>{_NAME}|@[\w.-]+) (?:is|goes|is the one|went|has gone|took over|has taken over|takes over) (?:now )?"
    r"(?:on-call|on call)(?: duty)? (?P<for>(?:for|in|at) [^,;]+?)(?: from [A-Z@][\w.@-]*)?\Z"
)
OF_OFFICES = word_set(
    "elected appointed named chosen made promoted sworn confirmed hired installed crowned become became takes took "
    "taken is steps replaced replaces succeeds succeeded followed handed stepped stood on-call call"
)
"""Of these words a sentence holds one that `_elected` reads."""
_PASSED = re.compile(
    r"(?:[Tt]he )?(?P<role>(?i:ownership|lead|leadership|management|command|captaincy|chair)) (?:of|for) "
    r"(?P<what>[^,;]+?) "
    r"(?:has |have )?(?:passed|moved|gone|went|transferred|been transferred|was transferred|been handed|was handed"
    r"|been given|was given)(?: over| on)? to (?=\S)"
)
_PASSED_BY = {
    "ownership": "is owned by",
    "lead": "is led by",
    "leadership": "is led by",
    "management": "is managed by",
    "command": "is led by",
    "captaincy": "is captained by",
    "chair": "is chaired by",
}
_SEAT_MOVED = re.compile(
    r"(?P<who>\S.*?) (?:has |have )?(?:just )?(?:moved|relocated|shifted|transferred) (?:its|their) (?:headquarters"
    r"|head office|seat|main office|hq|HQ) (?:from [^,;]+? )?to (?=[A-Z])"
)
_LICENSED = re.compile(
    r" (?:is|are|was|were|has been|got) (?P<how>licensed|licenced|relicensed|released|distributed|published|offered) "
    r"under (?:the )?(?=[A-Z])"
)
_CAPPED = re.compile(
    r"(?P<who>\S.*?) (?P<verb>limits|caps|restricts|bounds) (?P<what>[^,;]{3,60}?) (?:to|at)(?: at most)? (?=[\d$€£¥])"
)
_UP_TO = re.compile(
    r"(?P<who>\S.*?) (?:allows|allow|permits|permit|accepts|accept|supports|tolerates|admits|takes|grants|enforces"
    r"|imposes) (?P<what>[a-z][\w -]{2,40}?)"
    r" (?:of |with )?(?:up to|at most|no more than|a maximum of|no larger than|not more than) (?=[\d$€£¥])"
)


_TIMES_OUT = re.compile(
    r"(?P<who>\S.*?) (?:times|time) out (?:its |their |the )?(?P<what>[a-z][\w -]*?)s? after (?=\d|[a-z]+ )"
)


def _times_out(core: str, hidden: str) -> Frame | None:
    """Read "The gateway times out requests after 60 seconds"."""
    match = _TIMES_OUT.match(hidden)
    if match is None:
        return None
    subject = f"the {match['what']} timeout of {core[match.start('who') : match.end('who')]}"
    return Frame(subject, "is", match.end(), len(core), "times out")


_AT_A_RATE = re.compile(
    r"(?P<who>\S.*?) (?:is|are) (?P<done>[a-z]+ed|[a-z]+t|[a-z]+n) at an? (?P<noun>rate|interval|frequency"
    r"|speed|level|depth"
    r"|resolution|temperature|price|size) of (?=[\d$€£¥])"
)
_HAS_DEFAULT = re.compile(
    r" (?:has|have|takes|take|uses|use) a default (?P<what>`[^`]+`|¤+|[a-z][\w ]*?)(?: value)? of (?=\S)"
)
_RECEIVES = re.compile(
    r"(?P<who>#[\w-]+|`[^`]+`|¤+|\S+@\S+) (?:receives|gets|takes|collects) (?P<what>(?:the |all |our "
    r")?[a-z]+s (?:of|from|for|about) [^,;]+)\Z"
)
_TAKEN_OVER = re.compile(
    rf"(?P<who>(?:[Tt]eam )?{_NAME}|[Tt]he [a-z-]+ team) (?:has |have )?(?:taken over|took over|bought"
    rf"|acquired|has bought|has acquired) "
    r"(?P<what>the [^,;]+?)(?: from (?:team )?[A-Z][^,;]*)?\Z"
)
_SOLD = re.compile(
    r"(?P<what>\S.*?) (?:was|has been|is) (?:sold|handed over|transferred) to (?=(?:[Tt]eam |the )?[A-Z])"
)
_MOVED_TO_RELEASE = re.compile(
    r"(?P<what>\S.*?) (?:was|were|has been|have been|got) (?:moved|migrated|upgraded|switched|updated"
    r"|bumped|ported|converted) "
    r"(?:from [^,;]+? )?to (?P<name>[A-Z][\w.+#-]*) (?=v?\d[\w.+-]*\Z)"
)
_CHARGES = re.compile(
    r"(?P<who>\S.*?) (?:charges|charge|asks|ask|wants|takes) (?P<value>[$€£¥]?\d[^;]*?) for (?:an? |the )?"
    r"(?P<what>[a-z][\w -]*)\Z"
)
_SELLS = re.compile(
    r"(?P<who>\S.*?) (?:sells?|offers?|serves?|lets?|hires?|rents?)(?: out)? (?:an? |the )?(?P<what>[a-z][\w -]*?) "
    r"(?:for|at) (?P<value>(?:[$€£¥] ?\d|\d[\d.,]* ?(?:[€£$]|p\b|euros?\b|dollars?\b|pounds?\b|francs?\b))[^;]*)\Z"
)
_PAYS_FOR = re.compile(
    r"(?:We|I|You|People|Guests|Visitors|Members|Customers) pay (?P<value>[$€£¥]?\d[^;]*?) (?:for|to use|to rent"
    r"|to hire) (?P<what>(?:an? |the )?[a-z][^;]*)\Z"
)


def _at_a_rate(core: str, hidden: str) -> Frame | None:
    """Read "Traces are sampled at a rate of 0.25" and "`get()` has a default `size` of 5"."""
    match = _AT_A_RATE.match(hidden)
    if match is not None:
        who = core[match.start("who") : match.end("who")]
        who = who[0].lower() + who[1:] if " are " in match[0] and who.split()[0].isalpha() else who
        return Frame(
            f"the {gerund_of(verb_of(match['done']))} {match['noun']} of {who}", "is", match.end(), len(core), "rate"
        )
    match = _HAS_DEFAULT.search(hidden)
    if match is None:
        return None
    what, who = core[match.start("what") : match.end("what")], core[: match.start()].strip()
    return Frame(f"the {what} of {who}", "defaults to", match.end(), len(core), "has a default")


def _handed_on(core: str, hidden: str) -> Frame | None:
    """Read "#ops receives the alerts of Teal", "Team Delta has taken over the ledger job", "was moved to Java 21"."""
    match = _RECEIVES.match(hidden)
    if match is not None:
        return Frame(core[match.start("what") : match.end("what")], "is routed to", *match.span("who"), "receives")
    match = _TAKEN_OVER.match(hidden)
    if match is not None:
        return Frame(match["what"], "is owned by", *match.span("who"), "taken over", True)
    match = _SOLD.match(hidden)
    if match is not None:
        return Frame(match["what"], "is owned by", match.end(), len(core), "sold", True)
    match = _MOVED_TO_RELEASE.match(hidden)
    if match is not None:
        return Frame(f"{match['name']} of {match['what']}", "has version", match.end(), len(core), "moved to", True)
    return _priced(core, hidden)


def _priced(core: str, hidden: str) -> Frame | None:
    """Read "The salon charges 30 euros for a haircut" and "We pay $9 a month for the locker"."""
    match = _CHARGES.match(hidden) or _SELLS.match(hidden)
    if match is not None:
        who, what = core[slice(*match.span("who"))], match["what"]
        if match.re is _SELLS and is_plural(what.split()[-1]):
            return None  # shoes are sold for 50 euros, and for 90
        sound = quiet(what) and subject_is_sound(masked(who), who)
        return Frame(f"{what} of {who}", "costs", *match.span("value"), "charges", sound=sound)
    match = _PAYS_FOR.match(hidden)
    if match is None or not quiet(match["what"]):
        return None
    what = re.sub(r"\Aan? ", "the ", core[slice(*match.span("what"))])
    return Frame(what, "costs", *match.span("value"), "pays")


def _does(core: str, hidden: str) -> Frame | None:
    """Read "Mira leads the search team" as "The search team is led by Mira"."""
    match = _DOES.match(hidden)
    if match is None:
        return None
    base = base_of(match["verb"]) or match["verb"][:-1]
    done = participle_of(base)
    group = match["who"].split()[-1] in ("team", "squad", "group", "department", "guild", "crew")
    named = match["who"][0].isupper() or group
    surface = next(
        (
            said
            for said, fits in ((f"is {done} by", named), (f"is {done} with", not group), (f"is {done} on", not group))
            if fits and (known := relation_of(said)) is not None and known.cardinality == "functional"
        ),
        None,
    )
    if surface is None:
        return None
    what = core[match.start("what") : match.end("what")]
    if (match["verb"] == "runs" and what.split()[-1].lower() in RACES) or has_many(base, what):
        return None  # beside others
    return Frame(what, surface, *match.span("who"), f"does: {match['verb']}") if quiet(what) else None


def _turned(core: str, hidden: str) -> Frame | None:
    """Read "Debug mode has been turned on in staging" and "We disabled the cache of Teal"."""
    match = _TURNED.search(hidden)
    if match is not None:
        return Frame(core[: match.start()], "is set to", match.start("value"), len(core), "turned", True)
    match = _WE_TURNED.match(hidden) or _WE_TURNED_IT.match(hidden)
    if match is None:
        return None
    value = match.span("value") if match["value"] else match.span("state")
    what = core[match.start("what") : match.end("what")] + (match.groupdict().get("rest") or "")
    return Frame(what, "is set to", *value, "turned", True)


def _in_file(core: str, hidden: str) -> Frame | None:
    """Read "The definition of `parse` is in net/parse.py" and "`parse` has moved to net/parse.py"."""
    match = _IN_FILE.match(core) if "." in core or "/" in core else None
    if match is None or not match["what"].strip():
        return None
    if match["what"][0] != "`" and not is_identifier(match["what"].split()[-1]):
        return None
    found = find_typed(core, match.end(), len(core))
    if found is None or canonical_value(core[found[0] : found[1]])[1] != "path" or "." not in core[found[0] : found[1]]:
        return None
    return Frame(match["what"], "is defined in", match.end(), len(core), "in a file", "moved" in match[0])


def _elected(core: str, hidden: str) -> Frame | None:
    """Read "Dana was elected mayor of Halberg" and "Per Vik replaced Elin Dahl as CEO of Norvik"."""
    call = _ON_CALL.match(hidden)
    match = _ELECTED.match(hidden) or _BECAME.match(hidden) or _SUCCEEDED.match(hidden) or _HANDED_OVER.match(hidden)
    if call is None and match is None:
        return None
    if call is not None:
        return Frame(f"on-call {call['for']}", "is", *call.span("who"), "on call", sound=True)
    assert match is not None
    role = match["role"] or match.groupdict().get("role2")
    if role is None:
        return None
    if role.startswith(("a ", "an ", "one ")):
        return None  # "Ann is a nurse at St Thomas'": one of many
    head = re.split(r" (?:of|for|at|in|on) ", role)[0].split()[-1]
    if head.lower().rpartition("-")[2] not in _OFFICES or not quiet(role):
        return None
    stated = match[0][match.end("who") - match.start() :].startswith(" is ") and match.re is _BECAME
    return Frame(f"the {role}", "is", *match.span("who"), "elected", not stated)


def _passed(core: str, hidden: str) -> Frame | None:
    """Read "Ownership of the parser has passed to Kim" and "Teal has moved its headquarters to Gdynia"."""
    match = _PASSED.match(hidden)
    if match is not None:
        return Frame(match["what"], _PASSED_BY[match["role"].lower()], match.end(), len(core), "passed", True)
    match = _SEAT_MOVED.match(hidden) if " its " in hidden or " their " in hidden else None
    if match is not None:
        return Frame(match["who"], "is based in", match.end(), len(core), "moved its seat", True)
    licensed = _LICENSED.search(hidden) if " under " in hidden else None
    if licensed is None:
        return None
    changed = not licensed[0].startswith((" is ", " are ")) or licensed["how"] == "relicensed"
    return Frame(
        f"the license of {core[: licensed.start()].strip()}", "is", licensed.end(), len(core), "licensed", changed
    )


def _capped(core: str, hidden: str) -> Frame | None:
    """Read "Teal limits uploads to 25 MB" and "Teal allows uploads of up to 25 MB" as the limit of uploads."""
    match = _CAPPED.match(hidden) or _UP_TO.match(hidden)
    if match is None or not quiet(match["what"]):
        return None
    own = OF_OWN.match(core[match.start("what") : match.end("what")].strip())
    if own is None:
        return None
    who = core[match.start("who") : match.end("who")]
    subject = own["role"] if who in ("We", "we") else owned(None, own["role"], who)
    return Frame(subject, "is limited to", match.end(), len(core), "capped")
