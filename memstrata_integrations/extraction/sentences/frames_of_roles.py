"""Frames that name a role and what fills it: "v4 is the current version", "uses Argo CD as its deploy tool"."""

from __future__ import annotations

import re

from memstrata_integrations.canonical import canonical_value
from memstrata_integrations.extraction.sentences.doers import has_many
from memstrata_integrations.extraction.sentences.framing import (
    NAME_WORDS,
    RACES,
    STAGES,
    Frame,
    attached,
    fills_role,
    head_of,
    in_past,
    is_many,
    is_many_of,
    owned,
    quiet,
    still,
)
from memstrata_integrations.extraction.sentences.lexicon import (
    ARTEFACTS,
    CLOUD_REGION,
    CODE_NOUNS,
    MEASURES,
    PERSON_ROLES,
    PHONES,
    VERSION_NOUNS,
    WORD_ROLES,
)
from memstrata_integrations.extraction.sentences.plain_nouns import GRADED, NAMED
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.extraction.sentences.verbs import verb_of
from memstrata_integrations.words import singular, word_set

_REVERSED = re.compile(
    rf"(?P<value>{NAME_WORDS}) (?:(?P<state>is|remains|serves as|acts as|volunteers as)"
    r"|(?P<change>has become|became|took over as|has taken over as|takes over as"
    r"|(?:was|got|has been) (?:promoted|elected|appointed|named|chosen|made)(?: to be| to| as)?))"
    r" (?P<role>(?:(?:the|my|our) |[A-Z][\w-]*(?: [A-Z][\w-]*){0,2}['’]s )?\S.*)\Z"
)

_AS_ITS = re.compile(
    r" (?:has|have|uses|use|takes|employs|keeps|runs|lists) (?:the |a |an )?"
    r"(?P<value>\S.*?) (?P<link>as|for) (?P<own>its|their|his|her|my|our|the) (?P<role>[^,;]+)\Z"
)
# What one uses several things for: "uses Redis for the billing service"
_WORKS = word_set("service server app page site system project team website product")

_TO_THE = re.compile(
    r" (?:has |have |was |were |has been |have been )?(?:switched|moved|changed|migrated|upgraded|converted|gone "
    r"over|went over|shifted) (?:over )?to "
    r"(?:the|a|an) (?P<value>`[^`]+`|[\w./-]+) (?P<role>[a-z][a-z -]*)\Z"
)

_USES_THE = re.compile(
    r" (?:uses|use|runs with|runs on|is configured with|is set to|comes with|follows|applies) (?:the|a|an) "
    r"(?P<value>`[^`]+`|\"[^\"]+\"|[A-Z][\w./-]*|[a-z]+[_./-][\w./-]*) "
    r"(?P<role>[a-z][a-z -]*?)(?P<default> by default)?\Z"
)

_HOLDS = re.compile(
    r" (?:holds|hold|has|have|carries) the (?P<role>(?:[a-z]+ )?(?:post|title|role|position|rank|office|job)) of "
    r"(?P<value>[\w -]+)\Z"
)

_SIZED = re.compile(
    r" (?:takes|take|wears|wear|has|have|uses|use|needs|need|is|are|plays|flies) (?P<role>(?:[a-z]+ )?(?:size"
    r"|number|rank|grade)) (?=[\d.]+(?:\Z| (?:in|on|for|at) ))"
)

_VERSION_OF = re.compile(
    r"(?:(?P<owner>\S.*?)['’]s |[Tt]he )(?:target |required |current |minimum )?(?P<name>[A-Z][\w.+#]*(?: "
    r"[A-Z][\w+#]*)?) version"
    r"(?: (?:that|which) (?P<who>[^,;]+?) (?:requires|uses|runs on|runs|needs|targets|ships with|supports))? "
    r"(?:is|was raised to|was bumped to|has been raised to) (?=v?\d)"
)

_TARGETS = re.compile(
    r" (?:targets|target|requires|require|runs on|runs|needs|uses) (?P<name>[A-Z][\w.+#]*(?: [A-Z][\w+#]*)?)(?: "
    r"version)? (?=\d+\Z)"
)

_USED_AT = re.compile(r"(?P<what>`[^`]+`|[\w@/.-]+) (?:is|are) used at (?:version )?(?=v?\d)")

_USES_AT = re.compile(
    r" (?:uses|use|pins|pulls|vendors) (?P<what>`[^`]+`|¤+|[\w@/.-]+) at (?:version |revision |tag )?(?=[`v\d])"
)

_NEW_ROLE = re.compile(
    r" (?:has|have|has got|have got|got|sees|see) (?P<own>a|an|the|its|their|my|our|his|her) (?:new|different) "
    r"(?P<role>[a-z][\w-]*(?: [a-z][\w-]*){0,3})(?:,|:| called| named|, called|, named) (?=\S)"
)

_ROLE_WORD = r"(?:[a-z][\w-]*|[A-Z]{2,5}[\w-]*)"
_OF_MEASURE = re.compile(
    r" (?:has|have|charges|charge|gets|get|accepts|accept|allows|allow|offers|offer|enforces|enforce|imposes"
    r"|impose|carries"
    r"|carry|takes|take|comes with|come with|uses|use|permits|permit|assumes|assume|needs|requires|applies|apply"
    r"|keeps|keep"
    r"|runs with|sets|set) "
    rf"(?P<own>a|an|the|its|their) (?P<role>{_ROLE_WORD}(?: [\w-]+){{0,2}}?(?: of| at)?|{_ROLE_WORD}(?: [\w-]+){{3}})"
    r"(?: of| at)? (?P<most>at most |up to |no more than |at least |a maximum of )?(?=[\d$€£¥`\"'v~^<>=+-]"
    r"|[A-Z][A-Za-z]*/)"
)

_RUN_WITH = re.compile(
    r"(?:We|we|I|They) (?P<done>[a-z]+) (?P<owner>(?:the |our |my |[A-Z])[^,;]*?) (?:with|at|under|on|for) "
    r"(?:a|an|the|its) (?P<role>[a-z][a-z -]*?) of (?=[\d$€£¥])"
)
_IS_RUN_WITH = re.compile(
    r"(?P<owner>\S.*?) (?:(?:is|are) (?P<done>[a-z]+(?:ed|un|et|ept|uilt|ent|old|own|ven))|runs|run|works|operates"
    r"|starts|comes|ships) "
    r"(?:with|at|under|on) (?:a|an|the|its) (?P<role>[a-z][a-z -]*?) of (?=[\d$€£¥])"
)
_RUNNING = word_set(
    "sell sold offer offered rent rented let call called heat heated build buy bought price priced charge charged "
    "hire hired book booked run ran start started operate operated deploy deployed host hosted launch launched "
    "configure configured set equipped provision provisioned ship shipped serve served install installed have use "
    "keep kept fitted built limited train trained encode encoded compress compressed render rendered sample "
    "sampled print printed export exported record recorded stream streamed encrypt encrypted hash hashed cache "
    "cached"
)
# "The largest body that the ingest endpoint accepts is 1 MB", "The person I answer to is Carla"
_THAT = re.compile(
    r"(?P<the>The|the|My|Our) (?P<kind>(?:[\w`.-]+ ){1,6}?)(?P<that>(?:that|which|who|whom|where) |(?=(?:I|we"
    r"|they|he|she|you) ))"
    r"(?P<clause>[^,;]+?) (?P<is>is|are|lives in|lives at|listens on|is stored in|is defined in) (?=\S)"
)

_PARTICIPLE = re.compile(
    r"(?P<the>The|the|Our) (?P<kind>(?:[\w`.-]+ ){1,6}?)(?P<done>used|chosen|employed|shown|sent|returned|needed"
    r"|given|granted"
    r"|reserved|set|allotted|assigned|configured|required|served|issued) (?P<prep>by|in|for|on|with|at|to|of) "
    r"(?P<what>[^,;]+?) (?:is|are) (?=\S)"
)

_SET_TO_THE = re.compile(
    r" (?:is|are) (?:set to|configured with|configured for|configured to use|on|in|under) the "
    r"(?P<role>(?:[a-z-]+ ){1,3}?)(?=[A-Z`\"'\d])"
)

_NAMED_VERSION = re.compile(
    r"[Tt]he (?P<name>[A-Z`@][\w`@/.+#-]*(?: [A-Z][\w.+#-]*)?|[a-z]\w*) version (?:that |which )?(?P<link>ships "
    r"with|used by|used in|of|in|on|for|under|"
    r"bundled with|installed on|running on|runs on|required by|needed by) (?P<owner>[^,;]+?) (?:is|has been "
    r"(?:bumped|raised|updated|upgraded) to"
    r"|was (?:bumped|raised|updated|upgraded) to) (?=[v^~<>=]*\d)"
)


_AS_ROLE = re.compile(
    r"As (?:the )?(?P<role>(?!an? )[a-z][^,]{2,60}), (?P<value>[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)*) "
    r"(?P<rest>[a-z][^,;]+)\Z"
)

_OPEN_UNTIL = re.compile(r" (?:is|are|stays|stay) open (?:until|till|to) (?=\S)")

_BY_AGENT = {
    "owns": "owned by",
    "leads": "led by",
    "heads": "headed by",
    "manages": "managed by",
    "runs": "run by",
    "operates": "operated by",
    "chairs": "chaired by",
    "coaches": "coached by",
    "maintains": "maintained by",
    "handles": "handled by",
}

_AGENT = re.compile(
    r"(?P<who>(?:[Tt]he (?:[\w-]+ ){1,3}(?:team|squad|group|department|guild|crew))|[A-Z][\w.’'-]*(?: "
    r"(?:(?:de|la|van|von|der|den|da|dos|del|di|bin|al) ){0,2}[A-Z][\w.’'-]*){0,3}) "
    r"(?P<verb>owns|leads|heads|manages|runs|operates|chairs|coaches|maintains|handles) (?P<what>the [^,;]+)\Z"
)

_IN_REGION = re.compile(
    r" (?:is|are|runs|run|lives|sits|is hosted|is deployed|is located|are hosted|are deployed|are located) in "
    rf"(?:the )?(?:region )?(?={CLOUD_REGION}\b)"
)

_IN_PLACE = re.compile(
    r" (?:is|are|runs|run|lives|sits|is hosted|is deployed|is located|are hosted|are deployed|are located) in "
    r"the (?P<value>[A-Z][\w-]*(?: [A-Z][\w-]*)?) (?P<kind>region|zone|data centre|data center|datacenter|datacentre)\Z"
)

_CLEFT = re.compile(r"It is (?P<who>[A-Z`][^,;]*?) (?:who|that) (?P<rest>[a-z]+s [^,;]+)\Z")


# Nouns of which a thing has one: an owner, a port, a motto
_OF_ONE = (
    PERSON_ROLES
    | MEASURES
    | VERSION_NOUNS
    | WORD_ROLES
    | CODE_NOUNS
    | PHONES
    | NAMED
    | GRADED
    | word_set("vendor provider operator sponsor capital headquarters seat location venue name title patron")
    | word_set("archbishop bishop abbot rector chancellor sitter babysitter")
) - word_set("rival ally star enemy translator hero sign season ingredient subsidiary brand painting novel staple")


_TAKEN_TO = re.compile(
    r" (?:I|we|you|they|he|she) (?:like|likes|love|loves|trust|trusts|know|knows|want|wants|enjoy|enjoys|recommend|read"
    r"|speak|speaks|live with|lives with|own|owns|play|plays|meet|met|miss|remember)\b"
)


def _reversed(core: str, hidden: str) -> Frame | None:
    """Read "v4 is the current version of the Wombat API"."""
    match = _REVERSED.match(hidden) if "," not in hidden else None
    if match is None:
        return None
    value, role = core[: match.end("value")], core[match.start("role") :]
    words = role.split()
    change = bool(match["change"])
    definite = words[0] in ("the", "my", "our") or any(w.endswith(("'s", "’s")) for w in words[:3])
    if not definite and not (change and match["change"].endswith((" to", " as"))):
        return None
    role = re.sub(r"\A(the |my |our |[\w-]+['’]s )new (?=[a-z])", r"\1", role)
    if words[0] in ("the", "our") and len(role.split()) < 3 and not change:
        return None  # "X is the answer"
    if words[0] in ("the", "our") and not change and not _is_known(role):
        return None  # "Salt is the enemy of steel"
    if _TAKEN_TO.search(role) is not None:
        return None  # "Rust is the language I like", and Go another
    if not fills_role(role) or not _value_like(value, match.end("value"), core):
        return None
    named = re.match(r"(?:the )?(?:name|title) (?:of|for) (?P<what>.+)\Z", role)
    surface, subject = ("is named", named["what"]) if named else ("is", role)
    start = 4 if value.startswith("The ") and value[4:5].isupper() else 0  # "The Pinnacle is now the tallest tower"
    return Frame(subject, surface, start, match.end("value"), "reversed", change)


def _is_known(role: str) -> bool:
    """Whether one thing fills a role that is said by one noun, or by a noun and what tells it apart."""
    listed = role.split()
    head = head_of(listed)
    at = next((n for n, word in enumerate(listed) if word.lower() == head), 0)
    return at > 1 or head in _OF_ONE


_NAMED_KINDS = ("name", "technical", "quoted", "number", "date")


def _value_like(value: str, end: int, core: str) -> bool:
    """Whether words at the start of a sentence are one name, identifier or word of code."""
    named = value.startswith("The ") and value[4:5].isupper()
    found = find_typed(core, 4 if named else 0, end)
    if found is not None and found[2] == end and (named or found[3] in _NAMED_KINDS):
        if named:
            return found[3] == "name"
        return value.split()[0].lower() not in ("the", "a", "an", "this", "that", "it", "there", "what")
    return False


def _as_its(core: str, hidden: str) -> Frame | None:
    """Read "Larch uses Argo CD as its deploy tool"."""
    match = _AS_ITS.search(hidden)
    if match is None:
        return None
    role = core[match.start("role") : match.end("role")]
    if not fills_role(role) or (match["link"] == "for" and head_of(role.split()) in _WORKS):
        return None
    return Frame(owned(match["own"], role, core[: match.start()]), "is", *match.span("value"), "as its")


def _new_role(core: str, hidden: str) -> Frame | None:
    """Read "The studio flat has a new landlord, Ms. Oyelaran"."""
    match = _NEW_ROLE.search(hidden)
    if match is None:
        return None
    role = match["role"]
    owner = core[: match.start()]
    own = None if match["own"] in ("a", "an", "the") else match["own"]
    if len(owner.split()) > 8 or not quiet(role):
        return None
    return Frame(owned(own, role, owner), "is", match.end(), len(core), "new role", True)


# What a thing has many of, each with its name: "The CLI has a flag `--dry-run`"
_MEMBERS = ARTEFACTS | word_set(
    "rule label variant option code error event plugin extension dependency subcommand alias permission scope enum "
    "attribute property value member cookie metric index constraint trigger callback listener middleware fixture "
    "target recipe macro mixin trait interface type struct message channel key secret token role header switch action "
    "step stage resource status state warning exception signal layer node mode example snippet template preset profile "
    "module submodule keyword directive annotation tag mark marker section block slot prop input output"
)
_ONE_OF_SEVERAL = word_set(
    "team son daughter stack group child bunch pile set list row loan prize grant donation bill invoice gift voucher "
    "debt claim order plot house flat tower hill book letter meeting call lesson session class course vm tv pc isa ssd"
)


def _of_measure(core: str, hidden: str) -> Frame | None:
    """Read "The Westgate bridge charges a toll of 4 euros" and "We run the resizer with a memory cap of 1 GB"."""
    run = _RUN_WITH.match(hidden) or _IS_RUN_WITH.match(hidden)
    if run is not None and fills_role(run["role"]):
        owner = core[run.start("owner") : run.end("owner")]
        done = run["done"]  # "We test the resizer with a cap of 1 GB", and run it with another
        owner = owner if done is None or done in _RUNNING else f"{owner} {verb_of(done) or done}"
        return Frame(owned(None, run["role"], owner), "is", run.end(), len(core), "run with")
    match = _OF_MEASURE.search(hidden) or _OF_MEASURE.search(core)
    if match is None or not match["role"].strip():
        return None
    role, owner = match["role"].strip(), core[: match.start()]
    words = role.split()
    if not fills_role(role) or words[-1].endswith("s") or len(words) > 4:
        return None
    found = find_typed(core, match.end(), len(core))
    if found is None or found[3] not in ("number", "technical", "quoted", "date"):
        return None
    kind, coded = singular(head_of(words)), found[3] in ("technical", "quoted")
    if kind in _ONE_OF_SEVERAL or words[-1] in ("called", "named") or (coded and kind in _MEMBERS):
        return None
    most = match["most"] or ""
    dimension = canonical_value(core[found[0] : found[1]])[1]
    if dimension == "number" and singular(words[-1]) not in MEASURES:
        return None
    if most:
        role = f"{'minimum' if most == 'at least ' else 'maximum'} {role}"
    who = owner.strip()
    return Frame(owned(None, role, who), "is", match.end(), len(core), "has a measure")


def _that(core: str, hidden: str) -> Frame | None:
    """Read "The SMTP relay host that Postbox uses is `mx1`" and "The JSON library used by Tidepool is `orjson`"."""
    match = _PARTICIPLE.match(hidden)
    if match is not None:
        kind = match["kind"].strip()
        if is_many_of(kind) or not quiet(match["what"]):
            return None
        link = (
            "of"
            if match["prep"] in ("by", "of", "with") and match["done"] in ("used", "chosen", "employed")
            else match["prep"]
        )
        done = "" if match["done"] in ("used", "chosen", "employed") else f"{match['done']} "
        subject = f"the {done}{kind} {link} {core[match.start('what') : match.end('what')]}"
        return Frame(subject, "is", match.end(), len(core), "used by")
    match = _THAT.match(hidden)
    if match is None or " is " in match["clause"] or " are " in match["clause"]:
        return None
    kind, clause = match["kind"].strip(), core[match.start("clause") : match.end("clause")]
    words = clause.split()
    if not 2 <= len(words) <= 12 or is_many_of(kind) or not still(words) or words[0].lower() in ("is", "are", "was"):
        return None
    if any(in_past(w) for w in words):
        return None
    found = find_typed(core, match.end(), len(core))
    if found is None or found[3] not in ("number", "quoted", "technical", "name", "date"):
        return None
    if any(
        w.lower() in ("like", "love", "know", "want", "hate", "think", "prefer", "visited", "met", "need")
        for w in words
    ):
        return None
    if (
        match["is"] in ("is", "are")
        and words[0].endswith("s")
        and match["that"]
        and found[3] in ("name", "quoted", "technical")
    ):
        return None  # a role that many may have; see the constructions
    subject = clause if kind in ("person", "one") else f"{match['the']} {kind} of {clause}"
    return Frame(subject, match["is"], match.end(), len(core), "relative clause", sound=True)


def _set_to_the(core: str, hidden: str) -> Frame | None:
    """Read "The scheduler is set to the time zone Europe/Lisbon"."""
    match = _SET_TO_THE.search(hidden) or _SET_TO_THE.search(core)
    if match is None:
        return None
    role = match["role"].strip()
    return (
        Frame(attached(role, core[: match.start()].strip()), "is", match.end(), len(core), "set to the")
        if fills_role(role)
        else None
    )


def _named_version(core: str, hidden: str) -> Frame | None:
    """Read "The OpenSSL version that ships with Petrel is 3.0.13"."""
    match = _NAMED_VERSION.match(hidden)
    if match is None or match["name"].lower() in (
        "current",
        "latest",
        "new",
        "first",
        "minimum",
        "default",
        "api",
        "stable",
    ):
        return None
    change = " is " not in core[match.end("owner") : match.end()]
    return Frame(
        f"{match['name']} of {core[match.start('owner') : match.end('owner')]}",
        "has version",
        match.end(),
        len(core),
        "version of",
        change,
    )


def _as_role(core: str, hidden: str) -> Frame | None:
    """Read "As capital of the Isles, Portmere hosts the parliament"."""
    match = _AS_ROLE.match(hidden)
    if match is None or not fills_role(match["role"]) or not quiet(match["rest"]) or in_past(match["rest"].split()[0]):
        return None
    return Frame(f"the {match['role']}", "is", *match.span("value"), "as role")


def _agent(core: str, hidden: str) -> Frame | None:
    """Read "Lee owns the blue canoe" as "The blue canoe is owned by Lee"."""
    if " in " in hidden and (region := _IN_REGION.search(hidden)):
        return Frame(core[: region.start()].strip(), "is in region", region.end(), len(core), "region")
    if hidden.endswith(("region", "zone", "centre", "center")) and (place := _IN_PLACE.search(hidden)):
        subject = f"the {place['kind']} of {core[: place.start()].strip()}"
        return Frame(subject, "is", *place.span("value"), "in a place", sound=True)
    cleft = _CLEFT.match(hidden)
    if cleft is not None:
        core, hidden = (
            f"{core[6 : cleft.end('who')]} {core[cleft.start('rest') :]}",
            f"{hidden[6 : cleft.end('who')]} {cleft['rest']}",
        )
        inner = _AGENT.match(hidden)
        if inner is None or not fills_role(inner["what"].removeprefix("the ")):
            return None
        return Frame(inner["what"], f"is {_BY_AGENT[inner['verb']]}", *cleft.span("who"), "cleft")
    match = _OPEN_UNTIL.search(hidden)
    if match is not None:
        return Frame(core[: match.start()].strip(), "closes at", match.end(), len(core), "open until")
    match = _AGENT.match(hidden)
    if match is None or not fills_role(match["what"].removeprefix("the ")):
        return None
    if (match["verb"] == "runs" and match["what"].split()[-1].lower() in RACES) or has_many("", match["what"]):
        return None  # beside others
    return Frame(core[slice(*match.span("what"))], f"is {_BY_AGENT[match['verb']]}", *match.span("who"), "agent")


def _to_the(core: str, hidden: str) -> Frame | None:
    """Read "The dashboard has switched to the dark theme" and "render() uses the `viridis` colormap by default"."""
    match = _TO_THE.search(core)
    if match is not None and match["role"].split()[-1] not in STAGES and not is_many(match["role"].split()[-1]):
        return Frame(
            attached(match["role"], core[: match.start()].strip()), "is", *match.span("value"), "switched to the", True
        )
    match = _USES_THE.search(core)
    if match is None or is_many(match["role"].split()[-1]) or not fills_role(match["role"]):
        return None
    role = f"default {match['role']}" if match["default"] else match["role"]
    return Frame(attached(role, core[: match.start()].strip()), "is", *match.span("value"), "uses the")


def _holds(core: str, hidden: str) -> Frame | None:
    """Read "Nadia holds the job title of analytics lead" and "Simon takes shoe size 44"."""
    match = _HOLDS.search(hidden)
    if match is not None:
        return Frame(f"{match['role']} of {core[: match.start()].strip()}", "is", *match.span("value"), "holds")
    match = _SIZED.search(hidden)
    if match is None:
        return None
    return Frame(f"{match['role']} of {core[: match.start()].strip()}", "is", match.end(), len(core), "size")


def _version_of(core: str, hidden: str) -> Frame | None:
    """Read "Ledgerly's Postgres version is 16" and "`actions/checkout` is used at v4"."""
    match = _VERSION_OF.match(hidden)
    if match is not None and (match["owner"] or match["who"]):
        who = match.span("owner") if match["owner"] else match.span("who")
        return Frame(f"{match['name']} of {core[slice(*who)]}", "has version", match.end(), len(core), "version of")
    match = _TARGETS.search(hidden)
    if match is not None and match["name"].lower() not in ("python",):
        return Frame(
            f"{match['name']} of {core[: match.start()].strip()}", "has version", match.end(), len(core), "targets"
        )
    match = _USED_AT.search(core)
    if match is not None:
        front = core[: match.start()].rstrip(", ")
        subject = match["what"] + (f" {front[0].lower()}{front[1:]}" if front else "")
        return Frame(subject, "is pinned to", match.end(), len(core), "used at")
    match = _USES_AT.search(core)
    if match is None:
        return None
    start, end = match.end(), len(core)
    if core[start] == "`" and core.endswith("`"):
        start, end = start + 1, end - 1
    return Frame(f"{match['what']} in {core[: match.start()].strip()}", "is pinned to", start, end, "uses at")
