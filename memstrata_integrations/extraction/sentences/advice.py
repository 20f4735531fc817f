"""What people are told to reckon with: "It takes 35 minutes to walk to the office", "For permits, see Gail".

How long or how much something takes, how many a thing holds, whom to see about what: each has one answer.
"""

from __future__ import annotations

import re

from memstrata_integrations.canonical import canonical_value
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.bounds import EXPIRING
from memstrata_integrations.extraction.sentences.clauses import subject_is_sound
from memstrata_integrations.extraction.sentences.dispatch import A_NUMBER, Rules
from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.lexicon import DEICTIC
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.sentences.slots import find_typed, qualifiers
from memstrata_integrations.relations import known
from memstrata_integrations.words import word_set

__all__ = ["read_advice"]


_IS, _THUS, _COSTS = (known(n) for n in ("is", "is done thus", "costs"))
_IT_TAKES = re.compile(
    r"(?:(?P<front>(?:In|At|On|From|By|For) [^,;:]{2,40}), )?[Ii]t (?P<verb>takes|costs|needs|is)(?: (?:you|us|me"
    r"|one))? (?=\S)"
)
_TO_DO = re.compile(r" (?P<what>(?:to|from|by|for) [^,;:]{3,80})\Z")
_SETS_BACK = re.compile(
    r" (?:will set you back|sets you back|will cost you|costs you|will run you|will cost|comes out at|works out at"
    r"|will come to|comes in at) (?=[\d$€£¥])"
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
    if not quiet(done["what"]) or any(w in DEICTIC for w in done["what"].split()) or EXPIRING.match(done["what"]):
        return None
    if match["verb"] == "is" and done["what"].split()[0] not in ("to", "from"):
        return None
    if kind == "money" and match["verb"] == "costs" and done["what"].startswith("to "):
        return Claim(f"{done['what'][3:]} {match['front'] or ''}".strip(), _COSTS, *found[:2], "it costs")
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


read_advice = Rules(
    (
        (_it_takes, word_set("it")),
        (_price, (word_set("back you cost out come in run"), frozenset((A_NUMBER,)))),
        (
            _see,
            word_set("ask see speak talk contact call ring phone email e-mail text message ping write report go check"),
        ),
    ),
    opening=True,
)
"""Reads what something takes, costs or needs."""
