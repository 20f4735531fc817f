"""How, where and with what one thing does what it does: "The importer writes its output as CSV".

What a thing does to its own in one way is the passive of it: "the output of the importer is written as CSV". A fronted
participle says the same of what follows: "Backed by Redis, the queue keeps its order".
"""

from __future__ import annotations

import re

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.adjectives import is_adjective
from memstrata_integrations.extraction.sentences.clauses import subject_is_sound
from memstrata_integrations.extraction.sentences.complements import expected_place, masked, spans_of, words_of
from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.lexicon import DEICTIC, NON_NAMES, PERSON_ROLES, PREPOSITIONS
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.singles import PASSIVE, PEOPLE, value_at
from memstrata_integrations.extraction.sentences.slots import find_typed, qualifiers
from memstrata_integrations.extraction.sentences.verbs import participle_of, third_of
from memstrata_integrations.relations import known
from memstrata_integrations.words import word_set

__all__ = ["FORM_WORDS", "TAKEN_WORDS", "read_form", "read_taken", "read_transitive"]

_THUS, _IS, _LOCATED = known("is done thus"), known("is"), known("is located at")
_LONGEST = 180
_ACTS = {
    "as": word_set(
        "write save emit store export return serve encode ship publish represent format render model expose deliver "
        "deploy package distribute report"
    ),
    "in": word_set(
        "write save store keep cache log record return emit express report quote measure print display show publish "
        "document hold render bill price state track serve brew format encode"
    ),
    "to": word_set("route escalate redirect proxy save write back delegate"),  # what is sent is sent to many
    "with": word_set(
        "encrypt hash sign compress encode serialise serialize render build compile bundle test lint format parse "
        "sweeten validate cache monitor authenticate decorate line insulate heat fuel fill season coat glaze "
        "fertilise fertilize"
    ),
    "via": word_set("expose send ship publish route deliver report distribute sync"),
    "through": word_set("route send expose sync deliver proxy"),
    "over": word_set("send expose stream serve transmit"),
    "from": word_set("source buy order rent lease get"),
    "on": word_set("host run store keep build train display"),
    "under": word_set("store keep file log save publish release license"),
    "using": word_set("encrypt hash sign compress encode serialise serialize render build compile"),
}
# What a thing does with its own, in one way
_OWN_ACTS = {
    "from": word_set("read load fetch pull get take import draw"),
    "to": word_set("send push publish export log ship upload write report forward stream append"),
    "in": word_set("persist put host"),
    "as": word_set("send"),
}
# What no person does
_OF_MACHINES = word_set(
    "format render emit encode serialise serialize compress encrypt hash cache expose export stream"
)
FORM_WORDS = _OF_MACHINES | frozenset(third_of(v) for v in _OF_MACHINES)
_VERBS = {form: v for acts in (*_ACTS.values(), *_OWN_ACTS.values()) for v in acts for form in (v, third_of(v))}
# What stands behind the verb of an act: what is done to what, and the preposition
_DONE_TO = re.compile(
    r" (?P<what>(?P<det>its|the|all|our|all its|all of its) (?:[\w-]+ ){0,3}?[\w-]+"
    r"|(?P<bare>(?:[a-z-]+ ){0,2}?[a-z]+s|them)) (?P<prep>" + "|".join(_ACTS) + r") (?=\S)"
)
_FOR = re.compile(
    r"(?P<who>(?:The|Our|My|the|our|my) [^,;:]{2,50}?|[A-Z][\w-]+['’]s [^,;:]{2,40}?) (?P<verb>uses|relies on) "
    r"(?P<value>[A-Z`][\w`.+#/-]*(?: [A-Z0-9][\w.+#-]*){0,3}) (?P<for>for|as) (?P<purpose>[^,;:]{3,60})\Z"
)
_AT = re.compile(
    r"(?P<who>(?:The|Our|My|the|our|my) [^,;:]{2,70}?|\S+['’]s [^,;:]{2,40}?) (?:is|are|sits|stands) "
    r"(?P<prep>in|on|at|behind|under|above|below|inside|outside|off|by|with) "
    r"(?=\S)"
)
# "uses the leaky bucket algorithm", "follows the OData convention"
_OF_KIND = re.compile(
    r"(?P<who>\S.*?) (?:uses|use|follows|follow|applies|implements|employs|adopts|runs|observes|obeys) (?:the|an?) "
    r"(?P<value>[\w:.+#/-]+(?: [\w:.+#/-]+){0,2}) (?P<kind>algorithm|protocol|convention|format|strategy|policy|scheme"
    r"|licen[cs]e|theme|layout|engine|driver|backend|method|methodology|model|font|typeface|template|style|codec"
    r"|encoding|dialect|specification|spec|standard|calendar|time ?zone|currency|locale|timetable|schedule|curriculum"
    r"|framework|connector|adapter|plugin|charset|alphabet|tariff|scale|syntax|notation|workflow|compiler|scheduler"
    r"|allocator|collector|tokenizer|palette|branching model|release model|pricing model)(?P<tail>"
    r"(?: (?:for|in|on|at) [^,;:]+)?)\Z"
)
_KIND_VERBS = word_set("uses use follows follow applies implements employs adopts runs observes obeys")
_NO_KIND = word_set("new old same own other different custom own simple given common usual following default right")
_DRINK = re.compile(
    r"(?P<who>I|[A-Z][\w’'-]*|[Mm]y [a-z]+) (?:take|takes|drink|drinks|like|likes|have|has|prefer|prefers|eat|eats) "
    r"(?:my|his|her|their) (?P<what>coffee|tea|steak|eggs?|porridge|toast|bagel|burger|pizza|whisky|whiskey|martini"
    r"|espresso|chai) "
    r"(?P<value>(?:with |without )?[a-z-]+(?: [a-z-]+){0,3})\Z"
)
# What stands somewhere, and stays there until it is moved; a bike is now here, now there
_STANDING = word_set(
    "office branch site studio shop store headquarters hq archive archives lab laboratory workshop warehouse depot "
    "reception kitchen library canteen cafeteria café cafe room hall gym clinic surgery practice school nursery "
    "centre center hub base campus plant factory mill garage stand stall booth desk venue terminal station stop "
    "entrance exit gate door toilet shower lift elevator fountain generator boiler switch fusebox box meter valve "
    "panel server rack cluster node datacenter datacentre printer copier scanner router switchboard extinguisher kit "
    "defibrillator noticeboard board whiteboard projector safe locker mailbox letterbox bin container shed barn "
    "stable kennel pool court pitch track stage exhibition display template runbook playbook changelog schema "
    "glossary style-guide pharmacy bakery theatre museum embassy consulate mosque church temple cemetery memorial "
    "statue telescope antenna mast turbine well stopcock thermostat freezer fridge cellar registry secretariat "
    "showroom gallery dojo playground clubhouse boathouse marina dock shelter bureau bank postbox till counter "
    "checkout dispenser kiosk machine replica mirror backup instance environment deployment database repository repo "
    "queue source code configuration settings park list forum blog website seat bed bedroom bunk berth pew cubicle "
    "workstation peg pigeonhole cot tent mooring allotment classroom hook bench drawer shelf"
)
# What somebody has on them
_HELD = word_set(
    "key keys passport deed contract file original originals remote prototype sample trophy map projector laptop "
    "chequebook receipt receipts invoice ticket tickets badge will certificate baton insurance policy mortgage pension"
)
# What goes from hand to hand, and is with one at a time
_PAPERS = word_set(
    "manuscript draft contract proposal application file thesis dissertation article chapter report layout artwork "
    "typescript script deed dossier paperwork tender agreement invoice case grievance complaint"
)
_NO_PLACES = word_set(
    "rise run mend way road go offing top record file time sale offer menu agenda list table cards market strike "
    "fire line wane verge brink track schedule fritz blink house loose sly cheap dark know red black making works "
    "pipeline cloud wild air past future lead majority minority game zone loop mood case process danger pain trouble "
    "shape tune touch doubt use charge control demand force love fashion season state condition mode phase stage "
    "position order question situation crisis shock ruins pieces limbo flux play"
)
_FRONTED = re.compile(
    r"(?P<done>[A-Z][a-z]+(?:ed|en|lt|pt|ng|un|ut|wn|ld|nt|id)) (?:(?P<out>up|out) )?"
    r"(?P<prep>by|in|on|with|under|from|to|as|at|for) (?P<value>[^,;:]{2,70}?), (?P<who>[^,;:]{3,60}?) "
    r"(?P<verb>(?:is|are|has|have|can|may|will|must|[a-z]+s|[a-z]+) .+)\Z"
)
# What stays with the thing that follows it; "encouraged by Ana" passes
_FRONTING = frozenset(done for listed in PASSIVE.values() for done in listed) | word_set(
    "housed located nestled headquartered perched based derived backed signed owned led run sponsored designed "
    "situated named powered written running living sitting trading operating listening"
)


_WATCHED = word_set("metrics logs traces spans events alerts notifications telemetry data messages signals reports")


def read_transitive(core: str) -> Claim | None:
    """Read the one way in which a thing does something; the places of the claim are those of `core`."""
    if len(core) > _LONGEST:
        return None
    words = words_of(core)
    if ("uses" in words or "relies" in words) and (claim := _used_for(core)) is not None:
        return claim
    if not _KIND_VERBS.isdisjoint(words) and (claim := _of_kind(core)) is not None:
        return claim
    if not _VERBS.keys().isdisjoint(words) and (claim := _act(core)) is not None:
        return claim
    if "is" in words and (claim := _by_means(core) or _cleft(core)) is not None:
        return claim
    if not _PLACED.isdisjoint(words) and (claim := _located(core)) is not None:
        return claim
    return _fronted(core) if "," in core else None


def read_taken(core: str) -> Claim | None:
    """Read "I take my coffee black"; the places of the claim are those of `core`."""
    if len(core) > _LONGEST or TAKEN_WORDS.isdisjoint(words_of(core)):
        return None
    taken = _DRINK.match(core)
    if taken is None or not quiet(taken["value"]) or is_opinion(taken["value"].split()):
        return None
    head = taken["value"].split()
    if head[0] not in ("with", "without") and (len(head) > 2 or not PREPOSITIONS.isdisjoint(head)):
        return None  # "at work"
    return Claim(f"{taken['what']} taken by {taken['who']}", _THUS, *taken.span("value"), "taken thus", "text")


_PLACED = word_set("is are sits stands")
TAKEN_WORDS = word_set(
    "coffee tea steak egg eggs porridge toast bagel burger pizza whisky whiskey martini espresso chai"
)


def read_form(core: str) -> Claim | None:
    """Read "Starling formats amounts in euros", which says in what rather than who."""
    if len(core) > _LONGEST or FORM_WORDS.isdisjoint(words_of(core)) or not (" in " in core or " as " in core):
        return None
    return _act(core)


def _act(core: str) -> Claim | None:
    """Read "The importer writes its output as CSV" as "the importer's output is written as CSV"."""
    hidden = masked(core)
    done = 0  # where the last act ends that is none of these
    for start, end in spans_of(hidden):
        verb = hidden[start:end]
        match = _DONE_TO.match(hidden, end) if start > done + 1 and verb in _VERBS else None
        if match is None or hidden[start - 1] != " ":
            continue
        base = _VERBS[verb]
        own = match["det"] is not None and match["det"].endswith("its")
        ways = _ACTS[match["prep"]] | (_OWN_ACTS.get(match["prep"], frozenset()) if own else frozenset())
        if base not in ways:
            done = match.end()
            continue
        who = core[max(done, hidden.rfind("\n", 0, start) + 1) : start - 1].lstrip()
        if not _is_thing(who, own or (base in _OF_MACHINES and who[:1].isupper())) or not subject_is_sound(who, who):
            return None
        several = is_plural(head_phrase(who.lower().split())[0])
        if (verb == base) != several or not (own or match["bare"] or match["det"] in ("the", "all")):
            return None
        what = core[slice(*match.span("what"))].removeprefix("its ").removeprefix("all of its ").removeprefix("the ")
        if not quiet(what.replace("them", "")):
            return None
        act = f"{participle_of(base)}-{match['prep']}"
        if match["prep"] == "to" and not _WATCHED.isdisjoint(what.lower().split()):
            return None  # metrics go to one system to be drawn, and to another one to ring
        value = value_at(core, hidden, match.end(), act)
        if value is None:
            return None
        start, end, tail = value
        if act == "got-from":
            return Claim(f"supplier of {what} of {who} {tail}".strip(), _IS, start, end, "way: got from", "text")
        return Claim(f"{act} {what} of {who} {tail}".strip(), _THUS, start, end, f"way: {act}", "text")
    return None


def _is_thing(who: str, own: bool) -> bool:
    words = who.lower().split()
    heads = head_phrase(words)
    if not words or words[0] in DEICTIC or not (PEOPLE.isdisjoint(heads) and PERSON_ROLES.isdisjoint(heads)):
        return False
    return own or words[0] in ("the", "our", "my") or any(w.endswith(("'s", "’s")) for w in words)


def _of_kind(core: str) -> Claim | None:
    """Read "The rate limiter uses the leaky bucket algorithm" as what its algorithm is."""
    match = _OF_KIND.match(core)
    if match is None or not quiet(match["value"]) or not _NO_KIND.isdisjoint(match["value"].split()):
        return None
    who = match["who"]
    if not PEOPLE.isdisjoint(head_phrase(who.lower().split())) or not subject_is_sound(who, who):
        return None
    if is_plural(head_phrase(who.lower().split())[0]) or is_opinion(match["value"].split()):
        return None
    said = f"{match['kind']} of {who}{match['tail']}"
    return Claim(said, _IS, *match.span("value"), "way: of a kind", "text")


def _used_for(core: str) -> Claim | None:
    """Read "The frontend uses Webpack for bundling"."""
    match = _FOR.match(core)
    if match is None or not quiet(match["purpose"]) or not subject_is_sound(match["who"], match["who"]):
        return None
    if not _is_thing(match["who"], False) or len(match["purpose"].split()) > 6 or match["value"].lower() in NON_NAMES:
        return None
    said = f"used {match['for']} {match['purpose']} of {match['who']}"
    start, end = match.span("value")
    return Claim(said, _THUS, start, end, "used for", "text")


def _cleft(core: str) -> Claim | None:
    """Read "Bus 48 is the one I take to the office"."""
    match = _THE_ONE.match(core)
    if match is None or not quiet(match["clause"].partition(" ")[2]) or is_opinion(core.split()):
        return None
    if match["verb"] not in _ONE_EACH or match["value"].split()[0].lower() in DEICTIC:
        return None
    if match["what"] and match["verb"] in _SIDE_BY_SIDE:
        return None  # "Redis is what the app uses", and Kafka as well
    return Claim(f"the one {match['clause']}", _IS, *match.span("value"), "the one", "text")


_THE_ONE = re.compile(
    r"(?P<value>(?:[A-Z][\w’'.&-]*)(?: [A-Z0-9][\w’'.&-]*){0,4}) is "
    r"(?:the (?:one|place|name|person)|(?P<what>what)|who|where) "
    r"(?:that |which |who )?(?P<clause>(?:I|[Ww]e|he|she|they|(?:my|our|the) [a-z]+|[A-Z][\w-]+) "
    r"(?P<verb>[a-z]+)(?: [^,;:]+)?)\Z"
)
# What one does with one such thing as a rule
_SIDE_BY_SIDE = word_set("use uses order orders get gets buy buys")
_ONE_EACH = word_set(
    "take takes drive drives ride rides bank banks use uses rent rents lease leases park parks stay stays wear wears "
    "live lives commute commutes order orders get gets buy buys go goes call calls ask asks report reports"
)


def _by_means(core: str) -> Claim | None:
    """Read "Login to the portal is via SAML"."""
    match = _VIA.match(core)
    if match is None or is_plural(head_phrase(match["who"].lower().split())[0]):
        return None
    who = match["who"]
    if not subject_is_sound(who, who) or not PEOPLE.isdisjoint(head_phrase(who.lower().split())):
        return None
    found = find_typed(core, match.end(), len(core))
    tail = qualifiers(core[found[2] :]) if found else None
    if found is None or tail is None or found[3] not in ("name", "technical", "quoted"):
        return None
    return Claim(f"done-{match['prep']} {who} {tail}".strip(), _THUS, found[0], found[1], "way: by means", "text")


_VIA = re.compile(
    r"(?P<who>[A-Z][^,;:]{3,70}?) is (?:done |handled )?(?P<prep>via|over|through) (?:the )?(?=[A-Z`\"]|gRPC)"
)


def _located(core: str) -> Claim | None:
    """Read "The disaster recovery site is in Leeds" and "The first-aid kit is behind reception"."""
    hidden = masked(core)
    match = _AT.match(hidden)
    if match is None:
        return None
    who = core[slice(*match.span("who"))]
    lower = who.lower().split()
    heads = head_phrase(lower)
    held = match["prep"] == "with"
    fronted = match["prep"] == "behind" and core[match.end() : match.end() + 1].isupper()
    if not (fronted or heads[0] in (_HELD | _PAPERS if held else _STANDING)) or not _is_thing(who, False):
        return None
    if not subject_is_sound(hidden[: match.end("who")], who):
        return None
    named = core[match.end() : match.end() + 1].isupper() or is_identifier(core[match.end() :].split(" ", 1)[0])
    if held and not named and (heads[0] not in _PAPERS or not core.startswith(("the ", "our "), match.end())):
        return None
    if not held and lower[0] == "the" and len(lower) == 2:
        return None  # "The office is in Leeds": another one may be in York
    if not named and not core.startswith(("the ", "our ", "my "), match.end()) and match["prep"] not in _SIDES:
        return None  # "is in trouble"
    value = value_at(core, hidden, match.end(), "placed")
    if value is None:
        return None
    start, end, tail = value
    said = core[start:end]
    if (
        said.lower() in NON_NAMES
        or (not named and said.split()[-1].lower() in _NO_PLACES)
        or (start == match.end() and not named and is_adjective(said))
    ):
        return None
    sort = expected_place(said) if said[:1].isupper() else "text"  # Frankfurt lies in Germany
    if said.lower() in _HANDS:
        sort = "side"  # on the left of the motorway
    if "/" in said and match["prep"] in ("at", "in", "under"):
        return Claim(f"{who} {tail}".strip(), _LOCATED, start, end, "location", "path")
    return Claim(f"placed-{match['prep'].replace(' ', '_')} {who} {tail}".strip(), _THUS, start, end, "placed", sort)


_HANDS = word_set("left right top bottom north south east west front back inside outside")
_SIDES = word_set("behind under above below")


def _fronted(core: str) -> Claim | None:
    """Read "Backed by a PostgreSQL database, the ledger keeps one row per movement": all else stays in the key."""
    match = _FRONTED.match(core)
    if match is None:
        return None
    done = match["done"].lower()
    if done not in _FRONTING or match["value"].startswith("top of "):
        return None
    start, end = match.span("value")
    while article := _ARTICLE.match(core, start, end):
        start = article.end()
    found = find_typed(core, start, end)
    said = core[start:end]
    tail = ""
    if found is not None:
        tail = core[found[2] : end].strip()
        if tail and qualifiers(tail) is None and not tail.replace(" ", "").isalpha():
            return None
        start, end = found[0], found[1]
    elif len(said.split()) > 3 or not quiet(said):
        return None
    if not _OPEN.isdisjoint(words_of(core)) or not subject_is_sound(match["who"], match["who"]):
        return None
    rest = core[match.start("who") :].rstrip(".")
    kind = None if found is not None and found[3] in ("number", "date") else "text"
    return Claim(f"{done}-{match['prep']} {tail} {rest}", _THUS, start, end, "fronted", kind)


_OPEN = word_set("if unless until was were had would could should might did when while")
_ARTICLE = re.compile(r"(?:the|an?|single|port|version) ")
