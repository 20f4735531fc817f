"""Plain statements about how a system works: how often it does a thing, with what, on which version.

"Log rotation: hourly", "Pelican rotates its logs daily", "The vault encrypts with AES-256", "The forms service is on
pydantic 1.10". Each is put in the words of the noun that names the property, and folded with it.
"""

from __future__ import annotations

import re

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.clauses import subject_is_sound
from memstrata_integrations.extraction.sentences.complements import masked, words_of
from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.lexicon import ENTITY_NOUNS
from memstrata_integrations.extraction.sentences.nominals import act_of_noun
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.verbs import (
    BASES,
    MANY_VERBS,
    THIRD,
    base_of,
    gerund_of,
    participle_of,
)
from memstrata_integrations.relations import known, relation_of
from memstrata_integrations.words import singular, word_set

__all__ = ["STATED_WORDS", "SYSTEM_WORDS", "read_stated", "read_system"]

_LONGEST = 160
_IS, _THUS, _VERSION = known("is"), known("is done thus"), known("has version")
_DEFAULTS, _LISTENS = known("defaults to"), known("listens on")
_OFTEN = r"(?:hourly|daily|weekly|monthly|yearly|every (?:\d+ )?(?:second|minute|hour|day|week|month|quarter|year)s?)"
_LABELLED = re.compile(
    rf"(?P<what>[A-Za-z`][^:=,;|]{{2,80}}?)(?:: | = | (?:is|are|runs|has been|stands at) (?:set to )?)"
    rf"(?P<value>{_OFTEN})\Z"
)
_DOES = re.compile(
    rf"(?P<who>\S[^,;:]*?) (?P<verb>[a-z]+) (?P<what>(?:its|their|the|all) [a-z][\w -]*?) (?P<value>{_OFTEN})\Z"
)
_INTERVALS = word_set("interval frequency cadence schedule period")
_MEANS = re.compile(
    r"(?P<who>\S[^,;:]*?) (?P<verb>encrypts|compresses|signs|hashes|authenticates|serializes|serialises|encodes"
    r"|deploys) (?:with|using) (?P<value>`[^`]+`|[A-Za-z][\w./+-]*(?: [A-Za-z][\w./+-]*)?)\Z"
)
_HAS_OF = re.compile(
    r"(?P<who>\S[^,;:]*?) (?:has|have|gets|get|comes with|come with) (?P<value>\d[\d.,]* ?[KMGT]i?B) of "
    r"(?P<what>memory|RAM|ram|heap|swap|storage|disk|disk space)(?P<tail> (?:in|on|for) [^,;:]+)?\Z"
)
_ON = re.compile(
    r"(?P<who>\S[^,;:]*?) (?:is|are) (?:now )?on (?P<name>[A-Za-z][\w.+-]*(?: [A-Z][\w+-]*)?) "
    r"(?P<value>v?\d+(?:\.\d+)*[\w.+-]*)\Z"
)
_NO_PRODUCTS = word_set(
    "page floor level line track platform bay gate port day week version release build step stage phase tier channel "
    "schedule row seat table lane route highway street shard node node- april may june july march august unit number "
    "january february september october november december ward desk room"
)
_RUNNING = ENTITY_NOUNS | word_set(
    "site image build pipeline lambda fleet laptop host repo repository monorepo backend frontend api agent daemon bot "
    "scheduler runner firmware stack environment container pod deployment instance machine workstation portal website"
)
# "reads files in chunks of 4 MB", "processes 50 messages per batch"
_PIECES = {"batches": "batch", "chunks": "chunk", "pages": "page", "blocks": "block", "segments": "segment"}
_IN_PIECES = re.compile(
    r"(?:(?:its |the |their )?(?P<what>[a-z][\w -]*?) )?(?:in |into |as )?"
    rf"(?P<pieces>{'|'.join(_PIECES)}) of (?P<value>\d[\d.,_]*(?: ?[KMGT]i?B)?)(?: [a-z]+(?: each)?)?\Z"
)
# Of these there are two, each with a size of its own
_ONE_WAY = word_set("read write send receive upload download import export push pull fetch store encode decode")
_ANYTHING = word_set(
    "items messages rows records entries events jobs documents requests elements results hits data them"
)
_PER_PIECE = re.compile(
    r"(?P<value>\d[\d,_]*) (?P<what>[a-z]+(?: [a-z]+)?) (?:per|a|in each|in a|to a) "
    r"(?P<pieces>batch|chunk|page|block|segment)\Z"
)
# "Idle sessions on the bastion are closed after 10 minutes"
_IDLE = re.compile(
    r"(?P<who>(?:[Ii]dle|[Ii]nactive|[Uu]nused) [A-Za-z][^,;:]*?) (?:is|are|gets|get) (?:closed|dropped|terminated"
    r"|killed|disconnected|logged out|ended|evicted|reaped|stopped|shut down) after (?P<value>\d[\d.]* ?[a-z]+)\Z"
)
_CLOSES_IDLE = re.compile(
    r"(?P<who>\S[^,;:]*?) (?:closes|drops|terminates|kills|disconnects|ends|evicts|reaps|stops) "
    r"(?P<what>(?:idle|inactive|unused) [a-z]+(?: [a-z]+)?) after (?P<value>\d[\d.]* ?[a-z]+)\Z"
)
_DEFAULTS_ITS = re.compile(
    r"(?P<who>`[^`]+`|[A-Za-z][\w.]*) defaults (?P<what>`[^`]+`|--?[\w-]+) to (?P<value>`[^`]+`|[\w.+-]+)\Z"
)
_NEEDS = re.compile(
    r"(?P<who>\S[^,;:]*?) (?:now )?(?P<verb>needs?|requires?|supports?) (?P<least>at least )?"
    r"(?P<name>[A-Za-z][\w.#+-]*) (?P<value>v?\d+(?:\.\d+)*)"
    r"(?P<more> (?:or (?:later|newer|higher|above)|and (?:up|above|later|newer))|\+)?\Z"
)
_SAMPLES = re.compile(
    r"(?P<who>\S[^,;:]*?) samples (?P<value>\d[\d.]* ?%) of (?:its |the |all )?(?P<what>[A-Za-z][\w -]*)\Z"
)
_FROM_BRANCH = re.compile(
    r"(?P<who>\S[^,;:]*?) (?:is|are|gets|get) (?P<done>deployed|built|released) from (?:the )?branch (?P<value>\S+)\Z"
)
_MOVED_TO = re.compile(
    r"(?P<who>\S[^,;:]*?) (?:was|were|has been|have been|got) (?:upgraded|bumped|moved|migrated|updated|downgraded) to "
    r"(?P<name>[A-Za-z][\w.+-]*) (?P<value>v?\d+(?:\.\d+)+[\w.+-]*)\Z"
)
_EXPOSES = re.compile(
    r"(?P<who>\S[^,;:]*?) (?:exposes|serves|publishes|provides|offers) (?:its |the )?(?P<what>[a-z][\w -]*?) "
    r"(?:on|at|over|through) (?:TCP )?port (?P<value>\d{2,5})\Z"
)
# Of each of these groups of words a sentence holds one that one of the patterns matches
_OF_PIECES = frozenset(_PIECES) | frozenset(_PIECES.values())
_OF_NEEDS = word_set("needs need requires require supports support")
_OF_MOVES = word_set("upgraded bumped moved migrated updated downgraded")
STATED_WORDS = _OF_PIECES | (_OF_NEEDS - {"support"}) | _OF_MOVES | word_set("after defaults samples port branch")
SYSTEM_WORDS = word_set("hourly daily weekly monthly yearly every with using of on by")


def read_system(core: str) -> Claim | None:
    """Read how a system works; the places of the claim are those of `core`."""
    if len(core) > _LONGEST or SYSTEM_WORDS.isdisjoint(words_of(core)):
        return None
    return _often(core) or _does_often(core) or _by_means(core) or _has_of(core) or _on_version(core)


def read_stated(core: str) -> Claim | None:
    """Read what other readers would take for a measure or a state; the places of the claim are those of `core`."""
    held = words_of(core)
    if len(core) > _LONGEST or STATED_WORDS.isdisjoint(held):
        return None
    if not _OF_PIECES.isdisjoint(held) and (sized := _in_pieces(core)) is not None:
        return sized
    closed = "after" in held
    if closed and (match := _IDLE.match(core)) is not None and _sound(core, match["who"]):
        words = match["who"].split()
        at = head_phrase([w.lower() for w in words])[0]
        n = [w.lower() for w in words].index(at) + 1
        said = " ".join([words[0].lower(), *words[1:n], "timeout", *words[n:]])
        return Claim(said, _IS, *match.span("value"), "idle", "duration")
    if closed and (match := _CLOSES_IDLE.match(core)) is not None and _sound(core, match["who"]):
        said = f"{singular(match['what'])} timeout of {match['who']}"
        return Claim(said, _IS, *match.span("value"), "closes idle", "duration")
    if "defaults" in held and (match := _DEFAULTS_ITS.match(core)) is not None:
        return Claim(f"{match['what']} of {match['who']}", _DEFAULTS, *match.span("value"), "defaults its")
    needed = _NEEDS.match(core) if not _OF_NEEDS.isdisjoint(held) else None
    if (match := needed) is not None and (match["least"] or match["more"]) and _sound(core, match["who"]):
        said = f"minimum {match['name']} of {match['who']}"
        return Claim(said, _VERSION, *match.span("value"), "needs at least", "version")
    if "port" in held and (match := _EXPOSES.match(core)) is not None and _sound(core, match["who"]):
        return Claim(f"{match['what']} of {match['who']}", _LISTENS, *match.span("value"), "exposes", "port")
    if "samples" in held and (match := _SAMPLES.match(core)) is not None and _sound(core, match["who"]):
        said = f"sampling rate of {match['what']} of {match['who']}"
        return Claim(said, _IS, *match.span("value"), "samples")
    if "branch" in held and (match := _FROM_BRANCH.match(core)) is not None and _sound(core, match["who"]):
        return Claim(f"{match['done']}-from {match['who']}", _THUS, *match.span("value"), "from a branch", "text")
    moved = _MOVED_TO.match(core) if not _OF_MOVES.isdisjoint(held) else None
    if (match := moved) is not None and _sound(core, match["who"]):
        said = f"{match['name']} of {match['who']}"
        return Claim(said, _VERSION, *match.span("value"), "moved to a version", "version", narrative=True)
    return None


def _in_pieces(core: str) -> Claim | None:
    """Read "The importer processes batches of 200 rows" and "Workers process 50 messages per batch"."""
    words = core.split(" ")
    at = next((n for n, w in enumerate(words) if n and (w in THIRD or (w in BASES and words[n - 1][-1:] == "s"))), None)
    if at is None:
        return None
    who, rest = " ".join(words[:at]), len(" ".join(words[: at + 1])) + 1
    match = _IN_PIECES.match(core, rest) or _PER_PIECE.match(core, rest)
    if match is None or not _sound(core, who):
        return None
    said = f"{who[0].lower()}{who[1:]}" if words[at] in BASES and at == 1 else who  # "Importers process": a plural
    piece = _PIECES.get(match["pieces"], match["pieces"])
    verb, what = base_of(words[at]), match["what"]
    way = f"{verb} " if verb in _ONE_WAY else ""
    of = f" of {what}" if what and what not in _ANYTHING else ""
    return Claim(f"{way}{piece} size{of} of {said}", _IS, *match.span("value"), "in pieces")


def _sound(core: str, who: str) -> bool:
    return quiet(who) and subject_is_sound(masked(core)[: len(who)], who)


def _often(core: str) -> Claim | None:
    match = _LABELLED.match(core)
    if match is None:
        return None
    what = match["what"]
    words = [w.strip("`'\"").lower() for w in what.split()]
    head = head_phrase(words)[0]
    if len(words) < 2 or not quiet(what) or (head not in _INTERVALS and _noun_of_act(head) is None):
        return None
    said = what if head in _INTERVALS - {"schedule"} else _interval_of(what.split(), words.index(head))
    return Claim(said, _IS, *match.span("value"), "how often", "period")


def _noun_of_act(word: str) -> str | None:
    """Return the verb of a noun that can be nothing but the act: "rotation", no "report"."""
    act = act_of_noun(word)
    return act if act is not None and act != word and not is_plural(word) else None


def _interval_of(words: list[str], at: int) -> str:
    act = act_of_noun(words[at].lower())
    return " ".join(["interval of", act or words[at], "of", *words[:at], *words[at + 1 :]])


def _does_often(core: str) -> Claim | None:
    match = _DOES.match(core)
    verb = base_of(match["verb"]) if match else None
    if match is None or verb is None or verb in MANY_VERBS or not _sound(core, match["who"]):
        return None
    if not quiet(match["what"].partition(" ")[2]):
        return None
    what = match["what"].partition(" ")[2]
    said = f"{gerund_of(verb)} interval of {what} of {match['who']}"
    return Claim(said, _IS, *match.span("value"), "does how often", "period")


def _by_means(core: str) -> Claim | None:
    match = _MEANS.match(core)
    verb = base_of(match["verb"]) if match else None
    if match is None or verb is None or not _sound(core, match["who"]) or not quiet(match["value"]):
        return None
    done = participle_of(verb)
    relation = relation_of(f"is {done} with")
    if relation is not None:
        return Claim(match["who"], relation, *match.span("value"), "by means", "text")
    return Claim(f"{done}-with {match['who']}", _THUS, *match.span("value"), "by means", "text")


def _has_of(core: str) -> Claim | None:
    match = _HAS_OF.match(core)
    if match is None or not _sound(core, match["who"]):
        return None
    what = "memory" if match["what"].lower() == "ram" else match["what"].split()[0]
    said = f"{what} of {match['who']}{match['tail'] or ''}"
    return Claim(said, _IS, *match.span("value"), "has an amount")


def _on_version(core: str) -> Claim | None:
    match = _ON.match(core)
    if match is None or match["name"].lower() in _NO_PRODUCTS or not _sound(core, match["who"]):
        return None
    if "." not in match["value"] and not match["name"][:1].isupper():
        return None
    words = match["who"].split()
    head = singular(head_phrase([w.strip("`'\"").lower() for w in words])[0])
    if head not in _RUNNING and (words[0] in ("The", "My", "Our", "A") or not is_identifier(words[-1].strip("`"))):
        return None  # "the talk is on Python 3.11"
    return Claim(f"{match['name']} of {match['who']}", _VERSION, *match.span("value"), "on a version", "version")
