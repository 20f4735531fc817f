"""What is done by one, with one or at one place, in names as in common words: "Images are served from Fastly".

The verb and its preposition say that there is one: what is processed by Adyen is not processed by Stripe as well, as
people say it. The key is the act with its preposition, whose it is and what follows the value.
"""

from __future__ import annotations

import re

from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.adjectives import is_adjective
from memstrata_integrations.extraction.sentences.clauses import subject_is_sound
from memstrata_integrations.extraction.sentences.complements import masked, tokens_of, words_of
from memstrata_integrations.extraction.sentences.lexicon import (
    CONJUNCTIONS,
    DEICTIC,
    EVENTS,
    FINITE_VERBS,
    NON_NAMES,
    PREPOSITIONS,
    UNASSERTED,
)
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.sentences.plain import is_by_name
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.slots import find_typed, qualifiers
from memstrata_integrations.extraction.sentences.verbs import base_of
from memstrata_integrations.relations import known, relation_of
from memstrata_integrations.units import MONTHS, NUMBER_WORDS, WEEKDAYS
from memstrata_integrations.values import canonical_value
from memstrata_integrations.words import word_set

__all__ = ["PASSIVE", "PEOPLE", "read_single", "value_at"]

_THUS, _IS = known("is done thus"), known("is")
_LONGEST = 160
_TRIM = "\"'`()[]{}.,;:!?“”‘’"
# What one service, tool or desk does for all of a kind
_PROCESSED = word_set(
    "processed balanced load-balanced parsed rendered compiled generated hosted indexed authenticated encrypted "
    "triggered orchestrated scheduled provisioned validated scanned bundled packaged transpiled minified formatted "
    "linted monitored traced profiled proxied cached queued throttled deduplicated compressed hashed serialised "
    "serialized encoded decoded transcoded translated transcribed moderated filtered screened delivered fulfilled "
    "collected emptied printed shipped billed invoiced settled cleared deployed built tested managed operated "
    "powered driven secured protected fronted terminated resolved routed dispatched distributed aggregated computed "
    "calculated graded marked administered run heated cooled lit stocked brewed baked roasted grown manufactured "
    "assembled watered cleaned serviced repaired catered insured audited approved granted authorised authorized "
    "signed certified verified enforced issued published handled maintained staffed tracked owned coordinated "
    "evaluated filled arranged organised organized scraped polled crawled probed served"
)
# Whose doer, tool, place or form is one only for one definite thing
_DONE = _PROCESSED | word_set(
    "directed conducted led headed chaired coached taught edited curated narrated presented hosted designed "
    "illustrated choreographed produced composed moderated supervised mentored represented reviewed triaged "
    "maintained owned assigned allocated tuned aimed pointed anchored docked moored berthed written drafted "
    "proofread wound played drawn tended judged refereed umpired voiced dubbed sung held kept run leased occupied "
    "chosen approved answered"
)
PASSIVE = {
    "by": _PROCESSED,
    "with": word_set(
        "built tested linted formatted bundled compiled packaged transpiled minified rendered generated provisioned "
        "configured orchestrated scheduled monitored traced profiled scanned signed encrypted hashed compressed "
        "encoded serialised serialized validated documented deployed managed heated cooled lit insulated tracked "
        "recorded edited fuelled powered measured fastened sealed glazed roofed tiled cached cleaned coated done "
        "brewed sweetened planned versioned drawn modelled animated mixed mastered lubricated"
    ),
    "to": word_set(
        "deployed uploaded sent forwarded routed delivered streamed written saved synced logged backed assigned "
        "allocated redirected pointed bound mapped pinned linked attached reported emailed escalated archived "
        "restricted confined tied locked chained tuned dedicated delegated outsourced entrusted"
    ),
    "in": word_set(
        "edited locked handled translated developed drafted designed maintained triaged prepared typeset annotated "
        "served stored held cached saved tracked logged archived written implemented rendered expressed measured "
        "quoted documented defined filed managed deployed hosted parked moored taught persisted planned done encoded "
        "formatted stated priced billed denominated indexed staged housed signed based headquartered registered "
        "incorporated"
    ),
    "on": word_set("based stored kept hosted deployed built tracked installed trained mounted parked run"),
    "at": word_set(
        "stored kept hosted held parked moored locked taught served manufactured made brewed docked berthed"
    ),
    "of": word_set("made built"),
    "after": word_set("named"),
    "from": word_set(
        "served pulled loaded read fetched streamed imported deployed built released mirrored ordered sourced bought "
        "cut branched supplied rented leased broadcast launched booted fed generated made installed run"
    ),
    "under": word_set("licensed released published filed stored kept listed traded sold marketed registered"),
    "as": word_set(
        "written delivered sent saved emitted produced uploaded archived dumped returned "
        "encoded stored deployed packaged shipped distributed run published exported serialised serialized formatted "
        "rendered displayed shown sold marketed represented modelled modeled implemented classified listed "
        "registered"
    ),
    "via": _PROCESSED
    | word_set("sent shipped installed distributed configured reached triggered published exposed paid"),
    "through": word_set(
        "routed sent installed distributed configured reached published exposed paid filtered tunnelled"
    ),
    "using": _PROCESSED,
    "into": word_set("compiled built merged loaded written ingested bundled packed"),
    "over": word_set("sent transmitted streamed exposed served carried"),
    "behind": word_set("hidden kept stored deployed hosted parked"),
}
_ACTIVE = {
    "runs": "on under as behind inside over",
    "lives": "in on under inside behind",
    "live": "in on under inside behind",
    "sits": "in on behind under in",
    "goes": "to via",
    "go": "to via",
    "points": "to at",
    "deploys": "to with from via",
    "ships": "with as via",
    "builds": "with on from",
    "compiles": "to with into",
    "falls": "back to",
    "renders": "with to as",
    "syncs": "to",
    "lands": "in",
    "ends": "in",
    "boots": "from into",
    "draws": "from",
    "authenticates": "with against via through",
    "communicates": "over via through",
    "stands": "in on at behind under",
    "hangs": "in on over above behind",
    "rehearses": "in at with",
    "leaves": "from",
    "departs": "from",
    "terminates": "at in",
    "starts": "from",
    "logs": "in",
    "outputs": "in",
    "responds": "in with",
    "flows": "into",
    "meets": "in at",
    "takes": "place in place at place on",
    "take": "place in place at place on",
    "trains": "at in on with",
    "lies": "in on at under behind",
}
_GATE = frozenset(_ACTIVE) | frozenset(("is", "are", "gets", "get"))
_PARTICLES = word_set("up down out off over back in")
# Words of which a value holds none, and nouns that are none
_NO_WORDS = (
    UNASSERTED
    | CONJUNCTIONS
    | DEICTIC
    | FINITE_VERBS
    | word_set(
        "different various several many some any all each every most more few other others same own one ones which "
        "what who whom somebody someone anyone everyone everybody people's"
    )
)
_NO_HEADS = (
    MONTHS.keys()
    | WEEKDAYS.keys()
    | word_set(
        "way moment time mood morning evening afternoon night week weekend day month year summer winter spring "
        "autumn noon midnight middle lead process best end beginning background detail progress order place turn "
        "advance part parallel full person general mind memory stock sync batches chunks bulk error use date hand "
        "hands default design accident mistake hour hours minute minutes second seconds people users customers rule "
        "request demand case times need trouble kind short addition total practice volunteers hundred care ease love "
        "caution pride success rain snow sun dark wind cold heat tears thousands members visitors tourists"
    )
)
_BRANCHES = word_set("main stable")
_OCCASIONS = word_set(
    "push pull_request pull-request pull schedule tag save commit install update exit startup start shutdown boot "
    "demand release merge merges deploy deployment login logout SIGTERM SIGINT SIGHUP change changes request dispatch"
)
_OWNERS = word_set("my our his her its their your")


def read_single(core: str) -> Claim | None:
    """Read by, with or where the one thing is done; the places of the claim are those of `core`."""
    if len(core) > _LONGEST or _GATE.isdisjoint(words_of(core)):
        return None
    hidden = masked(core)
    tokens = tokens_of(hidden)
    if not 4 <= len(tokens) <= 22:
        return None
    starts, words = [t[0] for t in tokens], [t[2] for t in tokens]
    for n in range(1, len(words) - 2):
        if words[n] not in _GATE:
            continue
        act = _act(words, n)
        if act is None:
            continue
        name, governed = act
        subject = core[: starts[n]].strip()
        passive = words[n] in ("is", "are", "gets", "get")
        grouped = _GROUPED.match(core, starts[governed]) is not None
        if not _is_definite(subject, name, passive, grouped) or not subject_is_sound(hidden[: starts[n]], subject):
            return None
        value = value_at(core, hidden, starts[governed], name)
        if value is None:
            return None
        start, end, tail = value
        if name == "go-to" and not any(c in "-_./#@" or c.isdigit() for c in core[start:end]):
            return None  # the report goes to the board and to the auditor
        if name == "sit-in" and is_by_name(subject):
            return None  # "The Senate sits in Rome", in a palace of that town
        if name == "run-on" and core[start:end] in _OCCASIONS:
            return None  # on each push, and on each tag
        if name == "point-to" and _is_common(core, starts[governed]):
            return None  # what it points to is described, and may be described in other words
        if name == "ship-with" and (start > starts[governed] or not core[start].isupper()):
            return None  # with DHL or with Go 1.21, but with one rule and with another one
        done, _, governing = name.partition("-")
        known = relation_of(f"is {done} by") if governing == "by" else None
        if known is not None and known.cardinality == "functional":
            kind = "name" if known.slot in ("team", "name") else "text"
            return Claim(f"{subject} {tail}".strip(), known, start, end, f"single: {name}", kind)
        if core[start : start + 1].isupper() and not _takes_names(name, core[start:end], passive, words[:n]):
            return None
        return Claim(f"{name} {subject} {tail}".strip(), _THUS, start, end, f"single: {name}", "text")
    return None


def _takes_names(act: str, value: str, passive: bool, subject: list[str]) -> bool:
    """Whether an act has one named value: the alarm goes to Pia and to Ravi, the hub runs on Linux and on Windows."""
    if act in ("run-on", "trained-on", "installed-on", "built-on", "deployed-on"):
        return not passive and _PLATFORMS.isdisjoint(value.lower().split())
    return act != "sent-to" and (passive or not is_plural(head_phrase(subject)[0]))


_PLATFORMS = word_set(
    "linux windows macos mac android ios ipados ubuntu debian fedora alpine centos rhel chrome firefox safari edge "
    "python node java jdk ruby php arm x86 arm64 amd64 gpu cpu solaris freebsd unix bsd iphone ipad raspberry tv "
    "xbox playstation switch steam"
)
_WORD = re.compile(r"\S+")


def _act(words: list[str], n: int) -> tuple[str, int] | None:
    """Return the act with its preposition, and which word it governs."""
    if words[n] in ("is", "are", "gets", "get"):
        done, at = words[n + 1], n + 2
        if at < len(words) - 1 and words[at] in _PARTICLES and (words[at] != "in" or words[at + 1] in PASSIVE):
            done, at = f"{done}-{words[at]}", at + 1
        if at < len(words) - 1 and done == "load" and words[at] in ("balanced", "tested"):
            done, at = words[at], at + 1
        governing = words[at] if at < len(words) - 1 else ""
        if governing == "of" and "-" in done:
            return None  # "is made up of"
        if done.partition("-")[0] not in PASSIVE.get(governing, ()) and not (governing == "by" and done in _DONE):
            return None
        return f"{done}-{governing}", at + 1
    options = _ACTIVE[words[n]]
    if words[n] in ("takes", "take"):
        fits = words[n + 1] == "place" and words[n + 2] in ("in", "at", "on") and n + 3 < len(words)
        return (f"held-{words[n + 2]}", n + 3) if fits else None
    if words[n] == "falls":
        return ("fall back-to", n + 3) if words[n + 1 : n + 3] == ["back", "to"] and n + 3 < len(words) else None
    if words[n + 1] not in options.split():
        return None
    base = (
        words[n].removesuffix("s") if words[n] not in ("goes", "pushes", "publishes") else words[n].removesuffix("es")
    )
    return f"{base}-{words[n + 1]}", n + 2


# Who does all of a kind
_GROUPED = re.compile(
    r"the (?:[\w’'-]+ ){1,3}(?:team|department|office|group|squad|desk|committee|board|agency|unit|crew|bureau|guild)\b"
)


def _is_definite(subject: str, act: str, passive: bool, grouped: bool) -> bool:
    """Whether a subject is one thing, or all of a kind of which one thing is done."""
    words = subject.split()
    if not words or is_opinion(words):
        return False
    lower = [w.strip(_TRIM).lower() for w in words]
    heads = head_phrase(lower)
    owned = lower[0] in ("the", "our", "my") or any(w.endswith(("'s", "’s")) for w in words)
    done, _, governing = act.partition("-")
    if not PEOPLE.isdisjoint(heads):
        return False
    if not passive:  # a person and the trains go to many places
        machine = done in _OF_MACHINES and act != "run-in" and words[0][:1].isupper()
        numbered = len(words) == 2 and words[0][0].isupper() and words[1][0].isdigit()  # "Bus 42"
        thing = len(words) > 1 if owned else machine or numbered
        several = is_plural(heads[0])
        return (thing and not several) or (several and len(words) <= 4)
    if (act == "served-by" and not is_plural(heads[0])) or (act in _SHARED and not grouped):
        return False  # a port is served by the ferry and by the mail boat
    if governing == "by" and not owned and words[0].lower() == heads[0] and done in _MADE:
        return False  # flour is supplied by two mills
    if is_plural(heads[0]) and governing == "by" and not grouped:
        return done in _PROCESSED and heads[0] not in _ONE_BY_ONE and (owned or done not in _MADE)
    return True


# What no person does
_OF_MACHINES = word_set(
    "terminate log output run point build compile render boot sync authenticate deploy communicate fall"
)
# What many make, each some of it
_MADE = word_set(
    "built manufactured assembled made grown brewed baked roasted printed handled maintained owned published "
    "generated supplied delivered produced issued repaired cleaned fed graded marked calculated bought ordered "
    "purchased booked "
    "organised organized approved granted collected"
)
# What several do, in several places
_SHARED = word_set(
    "monitored-by tracked-in documented-in built-with cached-in backed-by filtered-by taught-by funded-by "
    "produced-by supplied-by delivered-by baked-by logged-in fed-by"
)
# Some of these by this one, some by that
_ONE_BY_ONE = word_set(
    "errors exceptions warnings signals messages cases calls faults failures conflicts complaints questions events "
    "books songs articles films movies papers talks bugs patches features prs changes commits albums plays novels "
    "photos pictures paintings houses shops restaurants hotels teams companies brands products goods players "
    "children schools towns cities roads bridges"
)
PEOPLE = word_set(
    "people users customers students pupils visitors guests children kids employees members players tourists fans "
    "friends i we they you colleagues engineers developers teachers trains buses birds cats dogs cars ships planes "
    "tickets goods products books shoes films songs"
)


# What is told in units: "is quoted in cents"
_MEASURED = word_set(
    "expressed measured quoted reported emitted returned displayed priced billed denominated stated formatted"
)


def value_at(core: str, hidden: str, start: int, act: str) -> tuple[int, int, str] | None:
    """Return where a name or a noun phrase stands, and what follows it."""
    article = _ARTICLE.match(core, start)
    begin = article.end() if article else start
    found = find_typed(core, begin, len(core))
    if found is not None and found[3] in ("name", "quoted", "technical"):
        written = core[found[0] : found[1]]
        spoken = written.lower().split()
        ends = [] if found[3] == "quoted" else [*spoken[-1:], *(w.rstrip("s") for w in spoken[:1])]
        if not spoken or written.lower() in NON_NAMES or not _NO_HEADS.isdisjoint(ends):
            return None
        tail = qualifiers(core[found[2] :])
        if tail is not None:
            return (found[0], found[1], tail)
    elif found is not None and canonical_value(core[found[0] : found[1]])[1] == "host":
        return None if (tail := qualifiers(core[found[2] :])) is None else (found[0], found[1], tail)
    elif found is not None:
        return None
    words: list[str] = []
    for match in _WORD.finditer(hidden, begin):
        bare = match[0].strip(_TRIM).lower()
        if words and bare in PREPOSITIONS:
            break
        if match[0][0].isupper() and bare in NON_NAMES and act.partition("-")[0] not in _MEASURED:
            return None
        if bare in _NO_WORDS or bare in _OWNERS or bare in NUMBER_WORDS or bare in EVENTS or bare in PREPOSITIONS:
            return None
        if match[0][-1] in ",;:" or "¤" in bare or bare[:1].isdigit():
            return None
        words.append(match[0])
        if len(words) > 4:
            return None
    said = " ".join(words)
    if not words or words[-1].lower() in _NO_HEADS or core[begin : begin + len(said)] != said:
        return None
    if not article and _is_several(words[-1].lower()) and act.partition("-")[0] not in _MEASURED:
        return None  # "in boxes", "by children"
    if not article and act != "based-on" and said not in _BRANCHES and is_adjective(said):
        return None
    if is_opinion(words) or words[0][-2:] == "ly" or (not article and base_of(words[0]) and act.endswith("-to")):
        return None
    tail = qualifiers(core[begin + len(said) :])
    return None if tail is None else (begin, begin + len(said), tail)


def _is_common(core: str, start: int) -> bool:
    """Whether a place holds a common noun behind "a", or behind "the" with no name of its own."""
    return _COMMON.match(core, start) is not None


_COMMON = re.compile(r"(?:the|an?) [a-z-]+(?: [a-z-]+)*\Z")


def _is_several(word: str) -> bool:
    return is_plural(word) and not word.endswith(("ss", "us", "is", "as"))


_ARTICLE = re.compile(
    r"(?:the|an?) (?:(?:queue|topic|bucket|channel|branch|host|table|server|folder|project|user|account|role|group"
    r"|profile|node|tag|label|namespace|cluster|schema|database|directory|pool) (?=\S+\Z))?"
)
