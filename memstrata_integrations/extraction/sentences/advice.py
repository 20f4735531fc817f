"""What people are told to reckon with: "It takes 35 minutes to walk to the office", "For permits, see Gail".

How long or how much something takes, how many a thing holds, whom to see about what: each has one answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memstrata_integrations.canonical import canonical_value
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.clauses import subject_is_sound
from memstrata_integrations.extraction.sentences.complements import lower_words_of, masked
from memstrata_integrations.extraction.sentences.dispatch import Dispatch
from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.lexicon import DEICTIC
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.sentences.role_words import is_plural
from memstrata_integrations.extraction.sentences.slots import find_typed, qualifiers
from memstrata_integrations.relations import Relation, relation_of
from memstrata_integrations.words import word_set

__all__ = ["read_advice"]

_LONGEST = 200


def _known(name: str) -> Relation:
    found = relation_of(name)
    if found is None:  # pragma: no cover - the table holds it
        raise AssertionError(f"the relation table lacks {name!r}")
    return found


_IS, _THUS, _COSTS = (_known(n) for n in ("is", "is done thus", "costs"))
_IT_TAKES = re.compile(
    r"(?:(?P<front>(?:In|At|On|From|By|For) [^,;:]{2,40}), )?[Ii]t (?P<verb>takes|costs|needs|is)(?: (?:you|us|me"
    r"|one))? (?=\S)"
)
_TO_DO = re.compile(r" (?P<what>(?:to|from|by|for) [^,;:]{3,80})\Z")
_SETS_BACK = re.compile(
    r" (?:will set you back|sets you back|will cost you|costs you|will run you|will cost|comes out at|works out at"
    r"|will come to|comes in at) (?=[\d$€£¥])"
)
_HOLDS = re.compile(
    r" can (?P<verb>carry|hold|seat|take|fit|accommodate|sleep|store|lift|serve|feed|host|pull|tow"
    r"|transport) (?:up to |at most )?"
    r"(?=\d|[a-z]+ )"
)
_NAME = r"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?[A-Z][\w’'-]*(?: [A-Z][\w’'-]*){0,3}"
_GO_TO = (
    r"(?:ask for|see|speak to|speak with|talk to|contact|call|ring|phone|email|e-mail|text|message|ping|write to"
    r"|report to|turn to|go to|check with)"
)
_SEE = re.compile(
    rf"(?:[Pp]lease )?(?P<verb>(?i:{_GO_TO})) (?P<who>{_NAME}|@[\w.-]+) (?P<what>(?:for|about|regarding|at"
    rf"|in case of|with"
    r"|concerning|on) [^,;:]{3,60})\Z"
)
_FOR = re.compile(
    r"(?P<what>(?:For|About|Regarding|Concerning|With|In case of|On|Anyone (?:who )?(?:with|needs|wants|needing"
    r"|wanting)"
    r"|Whoever (?:needs|wants|has)) [^,;:]{3,60}?),? (?:should |must |can |please |you should |you can )?"
    rf"(?P<verb>{_GO_TO}) (?P<who>{_NAME}|@[\w.-]+)\Z"
)
_PAGES = word_set("figure table section appendix chapter readme page details detail more information example examples")
_NO_NAMES = word_set("the a an our my if when")


def read_advice(core: str) -> Claim | None:
    """Read what something takes, holds or needs; the places of the claim are those of `core`."""
    if len(core) > _LONGEST:
        return None
    hidden = masked(core)
    for reader in _FITTING(lower_words_of(hidden)):
        claim = reader(core, hidden)
        if claim is not None:
            return claim
    return None


def _subject(core: str, hidden: str, end: int) -> str | None:
    """Return what stands before a verb, if it names one thing, or any of its kind at one place."""
    subject, said = core[:end].strip(), hidden[:end]
    if said.startswith(("A ", "An ")) and len(said.split()) > 2:
        said, subject = "The " + said.split(" ", 1)[1], "The " + subject.split(" ", 1)[1]
    return subject if subject_is_sound(said, subject) else None


def _it_takes(core: str, hidden: str) -> Claim | None:
    """Read "It takes 35 minutes to walk from our flat to the office"."""
    match = _IT_TAKES.match(hidden)
    found = find_typed(core, match.end(), len(core)) if match else None
    done = _TO_DO.match(hidden, found[2]) if found else None
    if match is None or found is None or done is None or found[3] != "number" or is_opinion(done["what"].split()):
        return None
    kind = canonical_value(core[found[0] : found[1]])[1].partition(":")[0]
    if kind not in ("duration", "months", "money", "length", "imperial length", "percent"):
        return None
    if not quiet(done["what"]) or any(w in DEICTIC for w in done["what"].split()):
        return None
    if match["verb"] == "is" and done["what"].split()[0] not in ("to", "from"):
        return None
    said = f"it {match['verb']} {done['what']} {match['front'] or ''}"
    return Claim(said.strip(), _IS, *found[:2], "it takes")


def _price(core: str, hidden: str) -> Claim | None:
    """Read "A haircut at Dino's will set you back $22"."""
    match = _SETS_BACK.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    found = find_typed(core, match.end(), len(core)) if match else None
    tail = qualifiers(core[found[2] :]) if found else None
    if subject is None or found is None or tail is None or found[3] != "number":
        return None
    if canonical_value(core[found[0] : found[1]])[1].partition(":")[0] != "money":
        return None
    return Claim(f"{subject} {tail}".strip(), _COSTS, *found[:2], "sets back")


def _holds(core: str, hidden: str) -> Claim | None:
    """Read "The lift in block C can carry 6 people"."""
    match = _HOLDS.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    found = find_typed(core, match.end(), len(core)) if match else None
    tail = qualifiers(core[found[2] :]) if found else None
    if match is None or subject is None or found is None or tail is None or found[3] != "number":
        return None
    if is_plural(subject.split()[-1].lower()):
        return None
    return Claim(f"{match['verb']} of {subject} {tail}".strip(), _IS, *found[:2], "can hold")


def _see(core: str, hidden: str) -> Claim | None:
    """Read "For parking permits, see Gail" and "Ask for Yolanda at the front desk"."""
    match = _SEE.match(hidden) or _FOR.match(hidden)
    if match is None or match["who"].split()[0].lower() in _NO_NAMES:
        return None
    what = match["what"].split()
    if not quiet(" ".join(what[1:])) or is_opinion(what) or len(what) < 2:
        return None
    if what[0].lower() in ("at", "with", "on") and match["verb"].lower() not in ("ask for", "report to", "check with"):
        return None  # "call Kim at noon"
    if match["who"].split()[0].lower() in _PAGES or not _PAGES.isdisjoint(what):
        return None  # "see Figure A for details"
    about = what[1:] if what[0].lower() in ("for", "about", "regarding") else what
    said = f"{match['verb'].lower().split()[0]} {' '.join(about)}"
    return Claim(said, _THUS, *match.span("who"), "whom to see", "name")


_READERS: tuple[tuple[Callable[[str, str], Claim | None], frozenset[str]], ...] = (
    (_it_takes, word_set("it")),
    (_price, word_set("back you cost out come in run")),
    (_holds, word_set("can")),
    (
        _see,
        word_set("ask see speak talk contact call ring phone email e-mail text message ping write report go check"),
    ),
)
"""Readers in order, each with the words of which a sentence must hold one."""
_FITTING = Dispatch(_READERS)
