"""Plain statements of what is one's own: "The car I drive is a Skoda", "My usual order at Kaffee is a flat white".

Their values are of no type by which one could tell that there is room for one only. So two of them stand side by side,
and one that announces a change ("now", "has become", "since the move") takes the place of those before it.
"""

from __future__ import annotations

import re
from itertools import pairwise

from memstrata_integrations.canonical import canonical_value
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.adjectives import describes, is_adjective
from memstrata_integrations.extraction.sentences.clauses import subject_is_sound
from memstrata_integrations.extraction.sentences.complements import masked
from memstrata_integrations.extraction.sentences.framing import in_past, is_many, still
from memstrata_integrations.extraction.sentences.lexicon import (
    CONJUNCTIONS,
    DEICTIC,
    FINITE_VERBS,
    MANY_ROLES,
    NON_NAMES,
    PERSON_ROLES,
    PREPOSITIONS,
    THINGS,
    UNASSERTED,
    WORD_ROLES,
)
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.slots import find_typed, qualifiers
from memstrata_integrations.extraction.sentences.weak import SIDE_BY_SIDE
from memstrata_integrations.relations import known
from memstrata_integrations.words import singular, word_set

__all__ = ["read_of_late"]

_LONGEST = 180
_TRIM = "\"'`()[]{}.,;:!?“”‘’"
_LATE, _COSTS, _DUE = known("does of late"), known("costs"), known("is due on")
_IS = known("is")
_COPULA = re.compile(
    r" (?:(?P<change>has become|have become|became)|is|are|am|(?:says|reads)(?= [\"“‘'])) (?:called |named )?(?=\S)"
)
_RELATIVE = re.compile(
    r"(?:The|the|My|my|Our|our) (?P<kind>(?:[\w’'-]+ ){0,3}?[a-z-]+)"
    r"(?P<link> (?:that|which|who|whom|where|whose))? (?P<clause>(?:(?:I|we|he|she|they|you|my|our|the"
    r"|[A-Z][\w’'-]*) )?"
    r"[^,;:]{2,70})\Z"
)
_OPENER = word_set("i we he she they you my our the")
# "Best way to reach Ann", "Last entry to the maze"
_SUPERLATIVE = re.compile(
    r"(?:[Bb]est|[Ll]ast|[Ff]irst|[Ff]astest|[Qq]uickest|[Ee]arliest|[Ll]atest|[Ee]asiest) [a-z]+ (?:to|for|of|in|at"
    r"|on) "
)
_ARTICLE = re.compile(
    r"(?:an?|the|still) (?:(?:(?:dark|light|bright|pale) )?(?:black|white|grey|gray|silver|red|blue|green|yellow|orange"
    r"|beige|brown|gold|purple|pink|new|used|second-hand|secondhand|refurbished|little|small|big|old) (?=[A-Z]))?"
)
_RANGE = re.compile(
    r"(?:from |between )?(?P<value>\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?(?: ?(?:to|till|until|and|–|-|—) ?)"
    r"\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?)(?=\Z| (?:on|in|at|for) )"
)
# What is filled by a common word: "the best way to reach Ann is email"
_FILLED = WORD_ROLES | word_set(
    "order pick choice way method transport go-to favourite favorite lunch dinner snack dessert treat flavour flavor "
    "ringtone wallpaper background costume theme poison tipple cereal sandwich topping filling scent perfume shampoo "
    "detergent pronouns pronoun diet regimen meal meals major minor subject specialism route commute seat preference "
    "milk bread sweetener cuisine exercise workout stroke stance grip goal target priority focus motto nickname"
)
_FAVOURED = word_set("signature flagship usual favourite favorite preferred regular default go-to standard everyday")
_CALLED = word_set("nickname username handle alias pseudonym login") | {"screen name", "user name"}
_LIKING = word_set("like likes love loves prefer prefers favour favours favor favors fancy fancies enjoy enjoys")
_MOST = word_set("best most")
_WANTING = word_set("need needs know knows miss misses hate hates fear fears see sees mean means think thinks remember")
_PRONOUNS = word_set("I we We he she they you")
_PLURALS = word_set("shoes boots lenses sunglasses pronouns hours glasses headphones initials trousers keys goggles")
# What lies somewhere, and at one place at a time
_PORTABLE = word_set(
    "key keys passport remote charger toolbox ladder umbrella suitcase pram stroller inhaler medicine insulin torch "
    "clock mirror painting vase rug piano sofa couch armchair bookcase bookshelf tv television microwave kettle "
    "toaster iron vacuum hoover stapler trophy lamp ironing-board plant crib cot pushchair guitar violin globe "
    "telescope flashlight drill lawnmower wallet purse deed will certificate documents papers backup tent jack "
    "defibrillator"
)
_LYING = re.compile(
    r"(?:kept |stored |hidden |lying |hanging |parked )?"
    r"(?:in|on|under|behind|with|at|above|beside|next to|inside|by|beneath|near) "
    r"(?P<value>(?:the |my |our |a )?[\w’'.-]+(?: [\w’'.-]+){0,5})\Z"
)
_BY_WHAT = re.compile(
    r"(?:by|on) (?P<value>bike|bicycle|train|car|bus|tram|foot|ferry|metro|subway|scooter|motorbike|tube|boat|plane)\Z"
)
_RATIO = re.compile(r"\d{1,4}(?: over |/| by | x )\d{1,4}\Z")
_BESIDE = re.compile(
    r"(?:next to|opposite|behind|beside|across from|in front of|just off|between) "
    r"(?P<value>(?:the |our |my )?[\w’'-]+(?: [\w’'-]+){0,4})\Z"
)
_PRODUCT = re.compile(
    r"(?P<value>[A-Z][\w’'&+.-]*(?: (?:of |de |& )?[A-Z0-9][\w’'&+.-]*){0,4})(?=\Z| (?:in|on|for|at|from|with) )"
)
# "I am in room 304", "Gran is in ward 7 at St Luke's"
_IN_ROOM = re.compile(
    r"(?P<who>I|[Ww]e|[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)?|(?:[Mm]y|[Tt]he) [a-z-]+) (?:am|is|are|sit|sits) "
    r"(?:staying |sitting |parked )?(?:in|at|on) "
    r"(?P<noun>room|row|level|spot|seat|ward|cabin|berth|desk|table|gate|bay|suite|unit|platform|coach) "
    r"(?P<value>[A-Z]?-?\d[\w.-]*)"
    r"(?P<tail>(?: (?:at|in|of|on) [^,;:]+)?)\Z"
)
_OWNERS = {"i": "my", "we": "our"}
_WHO_EVER = word_set(
    "he she it they you who this that someone somebody nobody anyone everyone another many few some others her him "
    "everybody each both all most one"
)
# "She is a nurse at Bartley's": one job at one firm
_JOB_AT = re.compile(
    r"(?P<who>I|[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)?|[Mm]y [a-z-]+) (?:am|is) (?:an? |the )?(?P<value>(?:[a-z-]+ "
    r"){0,3}[a-z]+) "
    r"(?:at|with|for) (?P<where>(?:the )?[A-Z][^,;:]*)\Z"
)
_NO_JOBS = NON_NAMES | DEICTIC
_AGENTIVE = (
    "er",
    "or",
    "ist",
    "yst",
    "ian",
    "ant",
    "eer",
    "manager",
    "chef",
    "lead",
    "head",
    "nurse",
    "clerk",
    "intern",
    "cook",
    "midwife",
    "sister",
    "barista",
    "aide",
    "assistant",
    "apprentice",
)
_COST_WHOM = re.compile(
    r"(?P<what>[^,;:]{3,60}?) (?:costs?|sets?|runs?) (?:me|us|him|her|them|you) (?:back )?(?=[\d$€£¥])"
)
# "My choir's next concert is on 6 December": the one after that comes as well
_NEXT = re.compile(
    r"(?P<what>(?:(?:[Mm]y|[Oo]ur|[Tt]he|[A-Z][\w’'-]*['’]s)(?: [\w’'-]+['’]s)? )?[Nn]ext (?:[a-z][\w’'-]* ){0,3}?"
    r"[a-z][\w’'-]*(?: (?:of|with|for|at) (?:the |my |our )?[\w’' -]+?)?) "
    r"(?:is|takes place|starts|leaves|is due|is booked|is scheduled)"
    r" (?:(?P<on>on|for) |(?P<at>at|in) (?=[\d(]|noon)|(?P<where>at|in) )?(?=\S)"
)
_HAVE_UNTIL = re.compile(r"(?P<who>I|[Ww]e|[A-Z][\w’'-]*) (?:have|has) (?:until|till) (?=\S)")


def read_of_late(core: str, changed: bool) -> Claim | None:
    """Read what somebody or something has of one kind; the places of the claim are those of `core`.

    Args:
        core: The sentence, without its full stop and what wraps it.
        changed: Whether its wrapping announces a change.
    """
    if len(core) > _LONGEST:
        return None
    hidden = masked(core)
    if " until " in core or " till " in core:
        return _until(core)
    if (cost := _COST_WHOM.match(hidden)) is not None:
        return _costing(core, hidden, cost)
    room = _IN_ROOM.match(hidden)
    if room is not None and room["who"].lower() not in _WHO_EVER:
        owner = _OWNERS.get(room["who"].lower(), f"{room['who']}'s")
        return Claim(f"{owner} {room['noun']}{room['tail']}", _IS, *room.span("value"), "in a room", "code")
    if (job := _JOB_AT.match(hidden)) is not None and job["value"].endswith(_AGENTIVE):
        return _job(job, changed)
    if "ext " in core and (coming := _NEXT.match(hidden)) is not None:
        return _coming(core, hidden, coming, changed)
    for copula in _COPULA.finditer(hidden):
        claim = _stated(core, hidden, copula, changed)
        if claim is not None:
            return claim
    return None


def _coming(core: str, hidden: str, coming: re.Match[str], changed: bool) -> Claim | None:
    """Read "My next check-up is on 4 March" and "The next rehearsal is at Hana's place"."""
    start, end = coming.end(), len(core)
    found = find_typed(core, start, end)
    moment = found is not None and (found[3] == "date" or canonical_value(core[start:end])[1].startswith("time"))
    timed = found is not None and found[1] == end and moment
    placed = coming["where"] is not None and (found is None or found[3] == "name") and _calm(hidden[start:])
    if not timed and not placed:
        return None
    start += 4 if core.startswith("the ", start) else 0
    sort = f"{SIDE_BY_SIDE}: {'time' if timed else 'place'}"
    said = core[: coming.end("what")]
    return Claim(f"{said} (where)" if placed else said, _LATE, start, end, "coming", sort, narrative=changed)


def _stated(core: str, hidden: str, copula: re.Match[str], changed: bool) -> Claim | None:
    """Read "SUBJECT is VALUE"."""
    subject = core[: copula.start()].strip().replace(" go-to ", " favourite ")
    head = _head_of(subject, masked(subject))
    if head is None:
        return None
    found = _value(core, hidden, copula.end(), head, subject)
    if found is None:
        return None
    start, end, tail, of = found
    narrative = changed or bool(copula["change"])
    if not of and _is_the_one(subject, head):
        told = copula["change"] is not None
        return Claim(f"{_plain(subject)} {tail}".strip(), _IS, start, end, "the one", "text", told)
    return Claim(
        f"{of}{_plain(subject)} {tail}".strip(), _LATE, start, end, "of late", SIDE_BY_SIDE, narrative=narrative
    )


def _is_the_one(subject: str, head: str) -> bool:
    """Whether a subject says itself that there is one: "my usual order", "the car I lease"."""
    if head in PERSON_ROLES or is_plural(head):
        return False
    if not _FAVOURED.isdisjoint(subject.lower().split()) or head in _CALLED:
        return True
    relative = _RELATIVE.match(subject)
    if relative is None or relative["clause"].split()[0].lower() not in _OPENER:
        return False
    return not _USING.isdisjoint(relative["clause"].lower().split()[:3])


# Of what one does this to one has one
_USING = word_set(
    "lease leases drive drives rent rents ride rides take takes park parks use uses wear wears commute commutes bank "
    "banks train trains attend attends live lives sleep sleeps work works sail sails fly flies stay stays"
)


def _job(job: re.Match[str], changed: bool) -> Claim | None:
    """Read "I am a data analyst at Spotify"."""
    if not _calm(job["value"]) or job["value"].split()[-1] in _NO_JOBS:
        return None
    said = f"job of {job['who']} at {job['where']}"
    return Claim(said, _LATE, *job.span("value"), "job at", SIDE_BY_SIDE, narrative=changed)


def _plain(subject: str) -> str:
    """Return a subject without the pronoun that links its clause."""
    return re.sub(r" (?:that|which|whom) (?=(?:I|we|he|she|they|[A-Z]))", " ", subject)


def _head_of(subject: str, hidden: str) -> str | None:
    """Return the head noun of a subject that is one of its kind, else `None`."""
    words = subject.split()
    if not 2 <= len(words) <= 14 or words[-1].lower() in FINITE_VERBS:
        return None
    lower = [w.strip(_TRIM).lower() for w in words]
    if len(lower) == 2 and lower[0] == "the":
        return None  # "the port", "the endpoint": of which?
    definite = lower[0] in ("the", "my", "our") or any(w.endswith(("'s", "’s", "s’", "s'")) for w in words[:5])
    head = head_phrase(lower)[0]
    if lower[-2:] == ["best", "friend"] and len(lower) < 4:
        return "best friend"
    relative = _RELATIVE.match(subject)
    if relative is not None and relative["link"] is None and relative["clause"].split()[0] in _PRONOUNS:
        return _head_of_clause(relative)
    if subject_is_sound(hidden, subject):
        if not definite and _SUPERLATIVE.match(subject) is None:
            return None
        owned = lower[0] in ("my", "our") or any(w.endswith(("'s", "’s")) for w in words)
        many = (head in MANY_ROLES or is_plural(head)) if owned and head in THINGS else is_many(head)
        return None if many and head not in _PLURALS else head
    if relative is None and _SUPERLATIVE.match(subject) is not None and still(words[2:]):
        return lower[1]
    return _head_of_clause(relative) if relative is not None else None


def _head_of_clause(relative: re.Match[str]) -> str | None:
    """Return the noun that a relative clause describes, if the clause holds now and makes it one of its kind."""
    clause = relative["clause"].split()
    linked = relative["link"] is not None
    speaks = clause[0].lower() in _OPENER or clause[0][:1].isupper()
    if (
        len(clause) < 2
        or not (linked or speaks)
        or not still(clause)
        or any(in_past(w) and before not in ("have", "has") for before, w in pairwise(["", *clause]))
    ):
        return None
    head = relative["kind"].split()[-1].strip(_TRIM)
    if is_plural(head) or head in ("one", "thing", "person", "people", "reason"):
        return None
    lower = [w.lower() for w in clause]
    if not _WANTING.isdisjoint(lower):
        return None
    if not _LIKING.isdisjoint(lower):
        return "favourite" if not _MOST.isdisjoint(lower) or "prefer" in lower or "prefers" in lower else None
    return head


def _value(core: str, hidden: str, pos: int, head: str, subject: str) -> tuple[int, int, str, str] | None:
    """Return where the value stands, what follows it, and what goes before the subject in the key."""
    span = _RANGE.match(core, pos)
    if span is not None:
        tail = qualifiers(core[span.end() :])
        return None if tail is None else (*span.span("value"), tail, "")
    if head in _PORTABLE and (lying := _LYING.match(hidden, pos)) is not None:
        return (*lying.span("value"), "", "place of ") if _calm(lying["value"].removesuffix(" next door")) else None
    if head not in PERSON_ROLES and (beside := _BESIDE.match(hidden, pos)) is not None and _calm(beside["value"]):
        return (*beside.span("value"), "", "place of ")
    article = _ARTICLE.match(core, pos)
    start = article.end() if article else pos
    if (by := _BY_WHAT.match(core, pos)) is not None:
        return (*by.span("value"), "", "")
    if (ratio := _RATIO.match(core, pos)) is not None:
        return (*ratio.span(), "", "")
    person = head in PERSON_ROLES
    product = _PRODUCT.match(core, start) if not person else None
    if product is not None and (tail := qualifiers(core[product.end() :])) is not None:
        return (*product.span("value"), tail, "") if product["value"].lower() not in NON_NAMES else None
    found = find_typed(core, start, len(core))
    if found is not None and found[3] in ("name", "quoted", "technical"):
        tail = qualifiers(core[found[2] :])
        if tail is None or core[found[0] : found[1]].lower() in NON_NAMES:
            return None
        return None if article and person else (found[0], found[1], tail, "")
    if found is not None:
        return None
    favoured = not _FAVOURED.isdisjoint(subject.lower().split()) or head in ("favourite", "favorite")
    if person or not (head in _FILLED or singular(head) in _FILLED or favoured or _has_one(subject, head)):
        return None
    return _common(core, hidden, pos, start)


def _has_one(subject: str, head: str) -> bool:
    """Whether somebody has one such thing, by the words for it: "my profile picture", "the hamster's bedding"."""
    words = subject.split()
    owner = words[0].lower() in ("my", "our") or any(w.endswith(("'s", "’s")) for w in words[:-1])
    return owner and head not in THINGS and len(words) > 2 and words[-1].islower() and not is_plural(words[-1])


def _common(core: str, hidden: str, pos: int, start: int) -> tuple[int, int, str, str] | None:
    """Return where a noun phrase of common words stands: "a flat white", "email"."""
    words = hidden[start:].split()
    n = next((n for n, w in enumerate(words) if w.lower() in PREPOSITIONS and n), len(words))
    if not 1 <= n <= 4 or not _calm(" ".join(words[:n])) or words[0].lower() in PREPOSITIONS:
        return None
    if (start == pos and is_adjective(" ".join(words[:n]))) or describes(" ".join(words[:n])):
        return None
    stop = start + len(" ".join(words[:n]))
    tail = qualifiers(core[stop:])
    return None if tail is None or hidden[start:stop] != " ".join(words[:n]) else (start, stop, tail, "")


def _calm(words: str) -> bool:
    for word in words.split():
        bare = word.strip(_TRIM).lower()
        if bare in UNASSERTED or bare in CONJUNCTIONS or bare in FINITE_VERBS or (bare in DEICTIC and bare != "his"):
            return False
        if word[-1] in ",;:":
            return False
    return True


def _costing(core: str, hidden: str, cost: re.Match[str]) -> Claim | None:
    """Read "A haircut at Mireille's costs me 34 euros"."""
    subject = core[: cost.end("what")]
    found = find_typed(core, cost.end(), len(core))
    tail = qualifiers(core[found[2] :]) if found else None
    if found is None or tail is None or found[3] != "number":
        return None
    said = re.sub(r"\A[Aa]n? ", "The ", subject)
    if not subject_is_sound(masked(said), said):
        return None
    return Claim(f"{said} {tail}".strip(), _COSTS, found[0], found[1], "costs whom", "money")


def _until(core: str) -> Claim | None:
    """Read "I have until Friday to hand in the tax forms"."""
    match = _HAVE_UNTIL.match(core)
    if match is None:
        return None
    found = find_typed(core, match.end() + (4 if core.startswith("the ", match.end()) else 0), len(core))
    if found is None or found[3] not in ("date", "number") or not core.startswith(" to ", found[2]):
        return None
    what = core[found[2] + 4 :]
    if not _calm(what):
        return None
    return Claim(f"{match['who']} {what}", _DUE, found[0], found[1], "have until")
