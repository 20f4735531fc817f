"""States of which a thing is in one at a time: "The trail is closed", "Goldcrest is in beta", "The lift is down".

The states stand on axes: what is closed is not open, but it may be public. Only states of one axis replace each
other, and words for one state are one value. Adjectives that stand on no such axis are left alone.
"""

from __future__ import annotations

import re

from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.axes import PLACED
from memstrata_integrations.extraction.sentences.clauses import subject_is_sound
from memstrata_integrations.extraction.sentences.complements import masked, words_of
from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.lexicon import CONJUNCTIONS, DEICTIC, EVENTS
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.sentences.role_words import head_phrase
from memstrata_integrations.extraction.sentences.slots import qualifiers
from memstrata_integrations.relations import known
from memstrata_integrations.words import singular, word_set

__all__ = ["HAPPENS", "STATE", "read_state", "state_of", "state_sort"]

STATE = "state"
"""What the dimension of such a value begins with."""
HAPPENS = "state: done"
"""The rule of a state that is an event as soon as more is said of it: "is done by hand", "is broken using x"."""
_HAPPENING = word_set(
    "done broken released launched sold taken activated deactivated locked unlocked cancelled canceled accepted "
    "rejected declined denied refused resolved solved completed finished complete deferred blocked merged suspended "
    "abandoned retired reserved booked repaired approved published active available shelved archived full open"
)
_IS = known("is")
_LONGEST = 140

# Where the thing decides the axis: an issue that is open waits, a room that is open is accessible
_CASES = word_set(
    "issue ticket bug incident case pr request pull-request mr vote poll application claim complaint dispute "
    "task story epic investigation inquiry enquiry petition tender ballot defect finding thread discussion"
)
_ROOMS = word_set(
    "room slot seat flat apartment house desk table space spot bay chair post position vacancy job office "
    "studio berth pitch locker garage shop unit plot cabin court kennel stall berth role"
)
_CHARGED = word_set(
    "parking admission entry entrance delivery shipping wifi wi-fi membership access registration breakfast transport "
    "ferry bus tram tour concert"
)
_SWITCHED = word_set(
    "heating light lights lamp alarm fan oven sprinkler sprinklers radiator boiler pump mode flag toggle feature "
    "notification notifications logging tracing caching debug telemetry siren projector tv radio heater fountain "
    "screensaver wifi wi-fi bluetooth vpn firewall autosave switch ac"
)
_OF_CASES = {"open": "waiting", "closed": "done", "reopened": "waiting", "fixed": "solved"}
_TAIL = re.compile(r" (?:by default\Z|(?:in|on|for|at|during|within) (?=\S+))")
_AGAIN = re.compile(
    r"(?:(?:still|currently|now|already|officially|temporarily|permanently|once again|finally) )?"
    r"(?P<state>.+?)(?: again| once more)?\Z"
)
_IS_SO = re.compile(r" (?:is|are|am) ")
# "The bridge has been reopened", "Goldcrest has entered beta"
_MADE = re.compile(
    r" (?:has|have) (?:just |finally )?been (?:(?:just|temporarily|permanently) )?(?:made |put |taken )?"
)
_ENTERED = re.compile(
    r" (?:(?:has|have) )?(?:just |finally )?(?:entered|reached|(?:moved|gone|went|graduated|(?:was |been )?promoted) "
    r"(?:in)?to|gone|went) "
)
_VERBS = (
    (_IS_SO, word_set("is are am")),
    (_MADE, word_set("been")),
    (_ENTERED, word_set("entered reached moved gone went graduated promoted")),
)
"""Each with the words of which a sentence must hold one."""
# "is in the half-open state", "is on manual mode"
_IN_ONE = re.compile(
    r" (?:is|are|runs?|operates?|works?|stays?|remains?) (?:in|on|at) (?:the |its |their )?"
    r"(?P<value>[a-z][\w-]*(?: [a-z][\w-]*)?) (?P<noun>mode|state|phase|stage|position|gear|status|setting)\Z"
)
_NOUNS = word_set("mode state phase stage position gear status setting")
_COLOURED = re.compile(
    r" (?:is|are) (?:(?:painted|dyed|coloured|colored) )?(?P<value>(?:(?:dark|light|pale|bright|deep|sage|olive|lime"
    r"|navy|sky|royal|baby|mint|forest|bottle|emerald|brick|cherry|ruby|blood|burnt|lemon|mustard|hot|salmon|dusty|off|pearl"
    r"|jet|slate|ash|charcoal|steel|silver|golden|platinum|chestnut|midnight|powder|ice)[ -])?"
    r"(?:red|orange|yellow|green|blue|purple|violet|pink|brown|black|white|grey|gray|turquoise|teal|cyan|magenta|maroon"
    r"|beige|cream|crimson|scarlet|lilac|lavender|indigo|navy|gold|silver|bronze|amber|ochre|burgundy|coral|peach"
    r"|mauve|khaki|auburn|blonde?|ginger|olive|turquoise|ivory|fuchsia))\Z"
)
_HUES = word_set(
    "red orange yellow green blue purple violet pink brown black white grey gray turquoise teal cyan magenta maroon "
    "beige cream crimson scarlet lilac lavender indigo navy gold silver bronze amber ochre burgundy coral peach mauve "
    "khaki auburn blond blonde ginger olive ivory fuchsia"
)
_OF_ONE = word_set("the my our")
# Of several colours at once
_MANY_COLOURED = word_set("flag kit zebra panda penguin magpie tiger bee wasp skunk badger tulip rose orchid rainbow")
_COLOUR = word_set("colour color colours colors paint shade")
# What may be so in one place, or for some, and not so elsewhere
_SOMEWHERE = frozenset(("rigour", "access", "power", "health", "supply", "visibility", "occupancy"))
# What has come to be so: "has reopened"
_TURNED = {
    "reopened": "open",
    "opened": "open",
    "closed": "closed",
    "shut": "closed",
    "gone live": "live",
    "gone down": "down",
    "gone offline": "offline",
    "gone online": "online",
    "come back up": "up",
    "come back online": "online",
    "recovered": "up",
    "resumed": "in progress",
    "ended": "over",
    "finished": "over",
    "concluded": "over",
    "sold out": "sold out",
    "merged": "merged",
}
_GONE = re.compile(rf" (?:has|have) (?:just |finally |now )?(?P<verb>{'|'.join(_TURNED)})\Z")
_LASTING = frozenset(("access", "visibility", "power", "progress", "stage", "source"))
_FIRST_WORDS = frozenset(phrase.split(" ", 1)[0].partition("-")[0] for phrase in PLACED)


def state_of(written: str, sort: str) -> str:
    """Return a state by its one name, given the dimension that it is compared in.

    Example:
        >>> state_of("out of order", "state: health"), state_of("closed", "state: progress")
        ('down', 'done')
    """
    phrase = _plain(written)
    phrase = _TURNED.get(phrase, phrase)
    axis = sort.partition(": ")[2]
    if axis == "progress" and phrase in _OF_CASES:
        return _OF_CASES[phrase]
    said = (PLACED.get(p) for p in (phrase, phrase.removeprefix("back "), f"in {phrase}"))
    return next((placed[1] for placed in said if placed), phrase)


def state_sort(subject: str, written: str) -> str | None:
    """Return the dimension of a state of a thing, `None` if the words name none.

    Example:
        >>> state_sort("The trail", "closed again"), state_sort("The issue", "closed"), state_sort("The soup", "hot")
        ('state: access', 'state: progress', None)
    """
    phrase = _plain(written)
    placed = _placed(phrase)
    if placed is None:
        return None
    axis = placed[0]
    words = subject.lower().split()
    head = singular(head_phrase(words)[0].strip("\"'`"))
    if phrase == "free" and head in _CHARGED:
        return f"{STATE}: charge"
    if phrase == "online" and (head in EVENTS or words[-1] in EVENTS):
        return f"{STATE}: venue"
    case = head in _CASES or words[-1] == "pr"
    if case and (phrase in _OF_CASES or axis in ("access", "approval")):
        axis = "progress"
    if phrase == "fixed" and not case:
        return None  # "The price is fixed"
    if axis == "tie" and words[0] == "the":
        return None
    if axis == "occupancy" and head not in _ROOMS:
        return None  # "Ida is free", "The cup is full"
    if axis == "power" and phrase in ("on", "off") and head not in _SWITCHED:
        return None
    return f"{STATE}: {axis}"


def read_state(core: str) -> Claim | None:
    """Read in which of some states a thing is; the places of the claim are those of `core`."""
    if len(core) > _LONGEST:
        return None
    words = words_of(core)
    for verb, needed in _VERBS:
        for found in verb.finditer(core) if not needed.isdisjoint(words) else ():
            if (claim := _stated(core, found)) is not None:
                return claim
    gone = _GONE.search(core) if "has" in words or "have" in words else None
    if gone is not None and (claim := _has_gone(core, gone)) is not None:
        return claim
    last = core[core.rfind(" ") + 1 :]
    if last in _NOUNS and (one := _IN_ONE.search(core)) is not None:
        return _in_one(core, one)
    hue = last.rpartition("-")[2]
    return _coloured(core) if hue in _HUES else None


def _has_gone(core: str, match: re.Match[str]) -> Claim | None:
    """Read "The village shop has reopened"."""
    subject = core[: match.start()].strip()
    sort = state_sort(subject, _TURNED[match["verb"]])
    if sort is None or _is_loose(subject) or not subject_is_sound(masked(core)[: match.start()], subject):
        return None
    return Claim(subject, _IS, *match.span("verb"), "state: turned", sort, narrative=True)


def _in_one(core: str, match: re.Match[str]) -> Claim | None:
    """Read "The circuit breaker is in the half-open state" as what its state is."""
    subject = core[: match.start()].strip()
    if _is_loose(subject) or not subject_is_sound(masked(core)[: match.start()], subject):
        return None
    if not quiet(match["value"]) or is_opinion(match["value"].split()) or match["value"].split()[0] in ("a", "an"):
        return None
    return Claim(f"{match['noun']} of {subject}", _IS, *match.span("value"), "state: of a kind", "mode")


def _coloured(core: str) -> Claim | None:
    """Read "The kitchen walls are painted yellow" as what their colour is."""
    match = _COLOURED.search(core)
    if match is None:
        return None
    subject = core[: match.start()].strip()
    words = subject.lower().split()
    owned = words[0] in _OF_ONE or any(w.endswith(("'s", "’s")) for w in words)
    rated = head_phrase(words)[0] in ("level", "status", "alert", "rating")
    if not (owned or rated) or _is_loose(subject.partition(" ")[2] or subject):
        return None  # "Apples are red"
    if not _MANY_COLOURED.isdisjoint(words):
        return None
    if not subject_is_sound(masked(subject), subject):
        return None
    named = rated or not _COLOUR.isdisjoint(words)
    return Claim(subject if named else f"colour of {subject}", _IS, *match.span("value"), "state: colour", "text")


def _stated(core: str, verb: re.Match[str]) -> Claim | None:
    """Read "SUBJECT is STATE", "SUBJECT has been made STATE" and "SUBJECT entered STATE"."""
    first = core[verb.end() :].split(" ", 1)[0].lower().partition("-")[0]
    entered = verb.re is _ENTERED
    if not (first in _FIRST_WORDS or first in _LEADS or entered):
        return None
    whole = _placed(_plain(core[verb.end() :])) is not None
    stop = _TAIL.search(core, verb.end()) if verb.re is _IS_SO and not whole else None
    said = _AGAIN.match(core[: stop.start()] if stop else core, verb.end())
    tail = qualifiers(core[stop.start() :]) if stop else ""
    subject = core[: verb.start()].strip()
    if tail is None or (said is not None and said["state"] == "locked" and _KEPT_AT.match(tail)):
        return None  # "The bike is locked at the station"
    if said is None or not subject or _is_loose(subject):
        return None
    sort = state_sort(subject, said["state"])
    if entered:
        sort = state_sort(subject, f"in {said['state']}") or sort
        sort = sort if sort == f"{STATE}: stage" else None
    elif sort is not None and verb.re is _MADE and sort.partition(": ")[2] not in _LASTING:
        return None
    if sort is None or not subject_is_sound(masked(core)[: verb.start()], subject):
        return None
    if tail and sort.partition(": ")[2] not in _SOMEWHERE:
        return None  # "is done in Harvest"
    rule = HAPPENS if said["state"].lower() in _HAPPENING else "state"
    return Claim(f"{subject} {tail}".strip(), _IS, *said.span("state"), rule, sort, narrative=verb.re is not _IS_SO)


_KEPT_AT = re.compile(
    r"(?:at|in|to) (?:the|our|my) "
    r"(?!(?:[a-z]+ )?(?:weekends?|evenings?|mornings?|afternoons?|nights?|end|moment|start)\b)"
)
_LEADS = word_set("still currently now already officially temporarily permanently once finally")
_LOOSE = CONJUNCTIONS | DEICTIC | word_set("some most many few several all each every any no both half part parts")


def _is_loose(subject: str) -> bool:
    """Whether a subject leaves open which thing it is of."""
    words = subject.lower().split()
    return not _LOOSE.isdisjoint(words) or words[0] in ("a", "an")


def _placed(phrase: str) -> tuple[str, str] | None:
    return PLACED.get(phrase) or PLACED.get(phrase.removeprefix("back "))


def _plain(written: str) -> str:
    said = _AGAIN.match(written.lower())
    return said["state"] if said is not None else written.lower()
