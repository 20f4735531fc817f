"""Orders that say how a thing is done: "Run `make docs` to build the docs", "Import the client from `a.b`".

Who writes so states what one uses for a purpose: the purpose is the key, and what is run, called, set or passed is the
value. An order without a purpose ("Run `make`") states nothing, and a purpose that many things serve ("to speed up the
build", "to see more") has no one value.
"""

from __future__ import annotations

import re

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.complements import masked, words_of
from memstrata_integrations.extraction.sentences.lexicon import CONJUNCTIONS, DEICTIC, PREPOSITIONS, UNASSERTED
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.sentences.slots import find_typed, qualifiers
from memstrata_integrations.extraction.sentences.verbs import BASES
from memstrata_integrations.relations import known
from memstrata_integrations.words import word_set

__all__ = ["read_use"]

_LONGEST = 220
_TRIM = "\"'`()[]{}.,;:!?“”‘’"
_THUS = known("is done thus")
_METHOD = r"(?:GET|POST|PUT|PATCH|DELETE|HEAD)"
_ORDER = (
    r"(?P<order>[Rr]un|[Ee]xecute|[Ii]nvoke|[Cc]all|[Uu]se|[Pp]ass|[Ss]et|[Tt]ype|[Ee]xport|[Oo]pen|[Ss]ubclass"
    rf"|(?:[Ss]end (?:a |an )?)?{_METHOD}(?: requests?)?(?: to)?|[Vv]isit|[Gg]o to|[Ss]ubscribe to"
    rf"|[Pp]ublish to|[Cc]onnect to|[Ll]og in (?:to|at)"
    r"|[Ii]nstall|[Ii]mport|[Hh]it|[Qq]uery)"
)
_KIND = r"(?:the )?(?:(?:[a-z]+ ){0,2}(?=[`\"']))?"
_FIRST = re.compile(rf"{_ORDER} {_KIND}(?=\S)")
_ORDERS = word_set(
    "run execute invoke call use pass set type export open subclass send visit go subscribe publish connect log "
    "install import hit query"
)
_PURPOSE_FIRST = re.compile(rf"(?P<how>To|For|When) (?P<purpose>[^,;:]{{4,80}}), (?:you )?{_ORDER} {_KIND}(?=\S)")
_OBTAINED = re.compile(
    r"(?:You|We|One|Callers|Clients|Users) (?P<act>get|obtain|create|open|start|build|run|reach|install|load"
    r"|read|fetch)"
    r" (?P<what>[^,;:]{3,50}?) (?:by calling|by running|by sending|with|via|through|using|from|at|under) (?:the )?"
    r"(?=[`\"'/])"
)
_PURPOSE = re.compile(r" (?:(?:in order )?to|for) (?P<purpose>\S.{3,100})\Z")
_WITH = re.compile(
    r"(?P<act>[A-Za-z][a-z]+)(?P<what>(?: (?:the |a |an |all |our |your |its )?[\w./'’¤-]+(?: [\w./'’¤-]+){0,5}?)??) "
    r"(?P<prep>with|via|using|through|by running|by calling|from"
    r"|under) (?P<kind>the )?(?:(?:[a-z]+ ){0,2}(?=[`\"']))?(?=\S)"
)
_IMPORTED = re.compile(r" (?:is|are|gets) (?P<done>imported|re-exported|loaded|exported) from (?=\S)")
_WITH_WORDS = word_set("with via using through by from under")  # of which `_WITH` needs one
# What is done so without naming what
_BARE_ACTS = word_set("build deploy test install lint format release migrate authenticate upgrade")
_WITH_ACTS = word_set(
    "install uninstall import deploy redeploy test lint package provision seed reset debug profile encrypt "
    "decrypt scaffold "
    "bootstrap build rebuild compile start stop restart run launch format release migrate generate regenerate validate "
    "verify check render sync refresh publish upload download export fetch load pull push set configure sign "
    "authenticate "
    "monitor archive backup restore upgrade update clean purge flush clear invalidate rotate reload serve "
    "query list inspect "
    "print tail enable disable toggle register authorise authorize bundle minify benchmark simulate reindex "
    "prune create "
    "initialise initialize scale drain"
)
_FROM = word_set("import load install fetch download pull start boot build")
# What many things serve, each a little
_SERVED_BY_MANY = word_set(
    "speed improve reduce avoid prevent help learn debug optimise optimize increase decrease make ensure keep see get "
    "customise customize control change adjust tweak tune override limit allow let understand know learn find explore "
    "support work try do have be fix configure specify handle troubleshoot simplify save"
)
_EASY = word_set("example instance now more details detail help information reference convenience")
_NO_OBJECT = word_set("up down out off on over in at with by for from and or")
_PARTICLES = word_set("up down out off on over in")
_POINTING = DEICTIC - {"your", "its", "their"}


def read_use(core: str) -> Claim | None:
    """Read an order of use; the places of the claim are those of `core`."""
    if len(core) > _LONGEST:
        return None
    hidden = masked(core)
    return _for_purpose(core, hidden) or _with(core, hidden) or _imported(core, hidden) or _obtained(core, hidden)


def _orders(hidden: str) -> bool:
    """Whether a sentence begins with a verb of `_ORDER`."""
    first = hidden.partition(" ")[0]
    return first.isupper() or first[:1].lower() + first[1:] in _ORDERS


def _for_purpose(core: str, hidden: str) -> Claim | None:
    """Read "Call `flush()` to empty the buffer" and "To empty the buffer, call `flush()`"."""
    ahead = _PURPOSE_FIRST.match(hidden)
    match = ahead or (_FIRST.match(hidden) if _orders(hidden) else None)
    if match is None:
        return None
    found = _code(core, match.end())
    if found is None:
        return None
    rest = core[found[2] :]
    if ahead is not None:
        purpose, gerund = core[slice(*ahead.span("purpose"))], ahead["how"] != "To"
        tail = qualifiers(rest)
        if tail is None:
            return None
        purpose = (
            f"{purpose} {tail}".strip() if ahead["how"] in ("To", "For") else f"{ahead['how'].lower()} {purpose} {tail}"
        )
    else:
        said = _PURPOSE.match(hidden[found[2] :])
        if said is None:
            return None
        purpose, gerund = rest[slice(*said.span("purpose"))], rest.startswith(" for")
    if not (_of_things(purpose) if gerund else _is_act(purpose, match["order"].lower())):
        return None
    if match["order"].lower() == "set" and purpose.split()[0] not in BASES:
        return None  # "Set `MODE` to strict mode"
    order = (
        match["order"]
        .lower()
        .replace("send a ", "")
        .replace("send an ", "")
        .replace("send ", "")
        .replace(" requests", "")
    )
    order = {"execute": "run", "invoke": "call", "type": "run"}.get(order, order.replace(" request", ""))
    return Claim(f"{order} for {purpose}", _THUS, found[0], found[1], "use: purpose", "text")


def _with(core: str, hidden: str) -> Claim | None:
    """Read "Deploy the portal with `make release`" and "Import the client from `a.b`"."""
    match = _WITH.match(hidden) if not _WITH_WORDS.isdisjoint(words_of(hidden)) else None
    if match is None:
        return None
    act, what, prep = match["act"].lower(), core[slice(*match.span("what"))].strip(), match["prep"]
    if (
        act not in _WITH_ACTS
        or (act in _SERVED_BY_MANY and act != "configure")
        or (prep in ("from", "under") and act not in _FROM)
    ):
        return None
    if not what and act not in _BARE_ACTS:
        return None
    if what and not _one_thing(what):
        return None
    found = _code(core, match.end())
    tail = qualifiers(core[found[2] :]) if found else None
    if found is None or tail is None or core[found[0] : found[1]].startswith("-"):
        return None
    said = "from" if prep == "from" else "with"
    return Claim(f"{act}-{said} {what} {tail}".strip(), _THUS, found[0], found[1], "use: with", "text")


def _imported(core: str, hidden: str) -> Claim | None:
    """Read "`FieldReader` is imported from `acre.io`"."""
    match = _IMPORTED.search(hidden) if " from " in hidden else None
    if match is None:
        return None
    what = core[: match.start()]
    found = _code(core, match.end())
    tail = qualifiers(core[found[2] :]) if found else None
    if found is None or tail is None or not _one_thing(what) or match["done"].startswith("re-"):
        return None
    act = {"imported": "import", "loaded": "load"}.get(match["done"], "export")
    return Claim(f"{act}-from {what} {tail}".strip(), _THUS, found[0], found[1], "use: imported", "text")


def _obtained(core: str, hidden: str) -> Claim | None:
    """Read "You get a client by calling `connect()`"."""
    match = _OBTAINED.match(core)
    if match is None or not _quiet(match["what"]):
        return None
    found = _code(core, match.end())
    tail = qualifiers(core[found[2] :]) if found else None
    if found is None or tail is None:
        return None
    return Claim(
        f"{match['act']}-with {match['what']} {tail}".strip(), _THUS, found[0], found[1], "use: obtained", "text"
    )


def _code(core: str, pos: int) -> tuple[int, int, int] | None:
    """Return the name in code that stands at a place, quoted or by its form."""
    found = find_typed(core, pos, len(core))
    if found is None or found[3] not in ("quoted", "technical"):
        return None
    return found[:3]


def _is_act(purpose: str, order: str) -> bool:
    """Whether a purpose is one act on a thing: "build the docs", no "speed up builds"."""
    words = [w.strip(_TRIM).lower() for w in purpose.split()]
    shown = order in ("open", "visit", "go to") and words[0] == "see"
    if (
        len(words) < 2
        or (words[0] in _SERVED_BY_MANY and not shown)
        or words[1 + (words[1] in _PARTICLES and len(words) > 3)] in _NO_OBJECT  # "roll out the service"
        or not words[0].isalpha()
    ):
        return False
    return words[0] not in ("the", "a", "an", "your", "its", "my", "our") and _quiet(purpose)


def _of_things(purpose: str) -> bool:
    words = [w.strip(_TRIM).lower() for w in purpose.split()]
    return len(words) > 1 and words[0] not in _EASY and words[-1] not in _EASY and _quiet(purpose)


def _one_thing(what: str) -> bool:
    """Whether words name one thing, or things that are handled as one."""
    words = what.split()
    first = words[0].strip(_TRIM)
    if words[0].lower() in ("a", "an", "all", "your", "it", "them", "this", "some", "any") or is_opinion(words):
        return False
    if words[0].lower() in PREPOSITIONS or words[0].lower() in _NO_OBJECT:
        return False
    return _quiet(what) and (is_identifier(first) or first != "")


def _quiet(words: str) -> bool:
    for word in words.split():
        bare = word.strip(_TRIM).lower()
        if bare in UNASSERTED or bare in _POINTING or (bare in CONJUNCTIONS and bare != "and") or word[-1] in ";:":
            return False
    return not is_opinion(words.split())
