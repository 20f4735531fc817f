"""Who does a thing that has one doer at a time, in whichever words a sentence puts it.

"Marlow cleans our floors", "Our floors are cleaned by Marlow", "Floor cleaning is done by Marlow" and "Cleaning our
floors is Marlow's job" tell one fact. What is done decides how many may do it: an office has one holder, a service one
provider where its object is one thing or somebody's own, and what a group or an officer is charged with ("the mobile
team reviews") is their charge; of a person who reviews there may be another.
"""

from __future__ import annotations

import re

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.clauses import subject_is_sound
from memstrata_integrations.extraction.sentences.complements import masked, words_of
from memstrata_integrations.extraction.sentences.doer_words import (
    ALONE,
    BASE_OF_AGENT,
    BASE_OF_DONE,
    BASE_OF_THIRD,
    CHARGES,
    DEFINITE,
    DOER_RELATIONS,
    MANAGED,
    ONE_VERB,
    ONLY,
    OWN,
    PEOPLE,
    PHRASED_DONE,
    PHRASES,
    SERVICES,
    SOLE_DOERS,
    SUPPLIED,
    WHO,
    WHOLES,
    agent_noun,
)
from memstrata_integrations.extraction.sentences.framing import RACES, quiet
from memstrata_integrations.extraction.sentences.lexicon import (
    DEICTIC,
    DEMONYMS,
    EVENTS,
    NON_NAMES,
    PREPOSITIONS,
    SUBJECT_STOPPERS,
    UNASSERTED,
)
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.slots import qualifiers
from memstrata_integrations.relations import Relation, known
from memstrata_integrations.units import MONTHS, WEEKDAYS
from memstrata_integrations.words import lower_words, word_set

__all__ = ["DOER_WORDS", "has_many", "is_name", "one_doer", "read_doer"]

_LONGEST = 220
_TRIM = "\"'`()[]{}.,;:!?“”‘’"
_SAID = "|".join([*sorted(PHRASES, key=len, reverse=True), *sorted(BASE_OF_THIRD)])
_ACTIVE = re.compile(rf"{WHO} (?P<verb>{_SAID}) (?P<what>[^,;:]+)\Z")
_PASSIVE = re.compile(
    rf" (?:is|are|gets|get) (?:currently |still |presently )?(?P<done>{'|'.join(PHRASED_DONE)}|[a-z]+) by {WHO}"
    r"(?P<tail> (?:in|on|at|for|from) [^,;]+)?\Z"
)
_WHEN = re.compile(
    rf"\b(?:on|at|in|every|from|until|since|for|during|each) (?:the )?(?:\d|{'|'.join(sorted(WEEKDAYS))}|mornings?\b"
    rf"|week"
    rf"|month|evenings?\b|afternoons?\b|noon|night|day|year"
    rf"|{'|'.join(m.title() for m in sorted(MONTHS) if len(m) > 2)})",
    re.IGNORECASE,
)
_TOGETHER = re.compile(r" (?:with|alongside|together|jointly) ")
_CHARGED_WITH = re.compile(r" (?:from|with|via|through|using|into|by) ")
_IS, _LIVES = known("is"), known("lives at")
_AGENTS = "|".join(sorted(map(re.escape, BASE_OF_AGENT), key=len, reverse=True))
_AGENT_OF = re.compile(
    rf"(?:[Tt]he )?(?P<noun>(?i:{_AGENTS})) (?:of|for) (?P<of>.+)\Z|(?P<owner>\S.*?)(?:['’]s|(?<=s)['’]) "
    rf"(?P<noun2>{_AGENTS})(?P<tail> "
    rf"(?:of|in|at|for|on) .+)?\Z"
    rf"|(?:[Tt]he |[Oo]ur )?(?P<what>[a-z][\w-]*(?: [a-z][\w-]*)?) (?P<noun3>{_AGENTS})\Z"
)
# "The person responsible for the garden is Ida"
_CHARGED = re.compile(
    r"(?:[Tt]he )?(?:(?:[Pp]erson|[Tt]eam|[Oo]ne) (?:responsible for|in charge of)|[Rr]esponsible for|[Ii]n charge of)"
    r" (?P<of>.+)\Z"
)
_HOSTING = re.compile(
    r"(?:[Tt]he )?(?i:hosting|hosting provider|hosting company|web host) (?:of|for) (?P<of>.+)\Z"
    r"|(?P<owner>\S.*?)['’]s (?:hosting|hosting provider|hosting company|web host)\Z"
)
# Of which a subject holds one if it is what somebody is called
_TITLE_WORDS = word_set("responsible charge hosting host") | {noun.lower().split()[-1] for noun in BASE_OF_AGENT}
_HOSTED = known("is hosted on")
_HELD = re.compile(r"held-(?:at|(?P<placed>in|on)) ")
_NO_VENUES = word_set(
    "reserve check honour honor trust contempt esteem common abeyance private public secret person dusk dawn noon "
    "midday midnight night sunset sunrise daybreak nightfall once random times intervals dark rain afternoon morning "
    "evening weekends hand work rest speed advance parallel sequence turn succession pairs groups stages"
)
_SQUARES = word_set(
    "square green common park field hall church chapel pier promenade quay street lane stadium arena oval"
)
_STREET = re.compile(r"\d+[A-Za-z]?,? [A-Z]")
_OF_PLURALS = frozenset(("use", "run", "take", "go", "have", "need", "are", "get", "start", "come", "live", "require"))
# Of a phrase, the longest word is the rarest
DOER_WORDS = frozenset(BASE_OF_THIRD) | frozenset(max(p.split(), key=len) for p in PHRASES) | {"by"}


def has_many(base: str, what: str) -> bool:
    """Whether several do this to a thing, each in turn or in part: "teaches the children", "supplies the school"."""
    head = head_phrase([w.strip(_TRIM).lower() for w in what.split()])[0] if what else ""
    return head in PEOPLE or (base == "supply" and head in SUPPLIED)


def one_doer(claim: Claim, written: str) -> Claim:
    """Return a claim about who is called by what he does ("the operator of the dam") under what he does.

    Args:
        claim: What a rule has read, its subject complete.
        written: Its value as written.
    """
    name = claim.relation.name
    if name == "is located at" and _STREET.match(written) is not None:
        return claim._replace(relation=_LIVES)  # a street, and no town
    held = _HELD.match(claim.subject) if name == "is done thus" and claim.expected == "text" else None
    if held is not None:
        words = written.lower().split()
        placed = not held["placed"] or written.islower() or words[-1] in _SQUARES  # "in Lisbon" is where the venue is
        elsewhere = words[0] in MONTHS or words[0] in DEMONYMS or (written.islower() and words[-1] in _NO_VENUES)
        venue = claim._replace(subject=f"venue of {claim.subject[held.end() :]}", relation=_IS)
        return claim if elsewhere or not placed else venue
    if name == "reports to" and " to" not in claim.rule and claim.subject.startswith(("the ", "The ", "our ", "Our ")):
        relation = DOER_RELATIONS.get("manage")
        managed = head_phrase(claim.subject.lower().split())[0] in MANAGED
        return claim._replace(relation=relation) if relation is not None and managed else claim
    if name != "is" or not (written[:1].isupper() or written.startswith("the ")):
        return claim
    if _TITLE_WORDS.isdisjoint(lower_words(claim.subject)):
        return claim
    if (charged := _CHARGED.match(claim.subject)) is not None and (handled := DOER_RELATIONS.get("handle")) is not None:
        return claim._replace(subject=charged["of"], relation=handled, expected="text")
    if (hosting := _HOSTING.match(claim.subject)) is not None:
        return claim._replace(subject=hosting["of"] or hosting["owner"], relation=_HOSTED, expected="name")
    match = _AGENT_OF.match(claim.subject)
    if match is None:
        return claim
    noun = (match["noun"] or match["noun2"] or match["noun3"]).lower()
    base = BASE_OF_AGENT[noun]
    if match["noun3"] and base in DOER_RELATIONS and noun != "operator":
        return claim  # "the project manager": a title
    relation = DOER_RELATIONS.get(base)
    expected = "name" if base in SOLE_DOERS else "text"
    if relation is None:
        return claim._replace(expected=expected)
    subject = match["of"] or match["what"] or f"{match['owner']}{match['tail'] or ''}"
    return claim._replace(subject=subject, relation=relation, expected=_expected(relation))


def read_doer(core: str) -> Claim | None:
    """Read "Nina maintains the parser" and "Changes are reviewed by the mobile team"."""
    if len(core) > _LONGEST:
        return None
    hidden = masked(core)
    if DOER_WORDS.isdisjoint(words_of(hidden)):
        return None
    if " by " in hidden and (passive := _PASSIVE.search(hidden)) is not None:
        base = PHRASED_DONE.get(passive["done"]) or BASE_OF_DONE.get(passive["done"])
        tail = qualifiers(passive["tail"] or "")
        what = core[: passive.start()].strip()
        each = f"The{what[3:]}" if what.startswith("All ") else what
        if base is None or tail is None or not subject_is_sound(masked(each), each):
            return None
        return _claim(base, f"{what} {tail}".strip(), passive)
    active = _ACTIVE.match(hidden)
    if active is None:
        return None
    what = core[slice(*active.span("what"))]
    if what.partition(" ")[0] in _OF_PLURALS:
        return None  # "Image builds use Kaniko"
    base = PHRASES.get(active["verb"]) or BASE_OF_THIRD[active["verb"]]
    if not quiet(what) or is_opinion(what.split()) or _WHEN.search(what) is not None:
        return None  # "Ann runs the class on Mondays": the day may be what changes
    if base == "run" and not what.startswith(DEFINITE):
        return None  # "Osprey runs Redis"
    if _TOGETHER.search(what) or (base not in SOLE_DOERS and _CHARGED_WITH.search(what)):
        return None  # "The office supplies its branches from Leeds"
    return _claim(base, what, active)


def _claim(base: str, what: str, match: re.Match[str]) -> Claim | None:
    """Judge who does what to which thing."""
    named = match["who"] is not None
    if (named and not is_name(match["who"])) or not _has_one(base, what, named):
        return None
    place = match.span("who" if named else "group")
    base = ONE_VERB.get(base, base)
    relation = DOER_RELATIONS.get(base)
    expected = "name" if base in SOLE_DOERS else "text"  # a firm or a tool is no other one by a shorter name
    if relation is not None:
        return Claim(what, relation, *place, "doer", _expected(relation))
    return Claim(f"{agent_noun(base)} of {what}", _IS, *place, "doer", expected)


def _expected(relation: Relation) -> str:
    return "name" if relation.slot in ("name", "team") else "text"


def is_name(who: str) -> bool:
    """Whether words in capitals name somebody, and are no pronoun or adverb at the start of a sentence."""
    first = who.split()[0].lower().strip(_TRIM)
    if first in WEEKDAYS or first in MONTHS:
        return False
    listed = first in SUBJECT_STOPPERS or first in DEICTIC or first in UNASSERTED or who.lower() in NON_NAMES
    return not listed and not who.endswith(("'s", "’s", "'", "’")) and first not in ("the", "our", "my", "we")


def _has_one(base: str, what: str, named: bool) -> bool:
    """Whether a thing has one that does this to it."""
    words = [w.strip(_TRIM) for w in what.split()]
    lower = [w.lower() for w in words]
    if not words or len(words) > 12 or not quiet(what):
        return False
    head = head_phrase(lower)[0]
    if (head in EVENTS or head in RACES) and base in ("run", "lead", "host", "organise", "organize", "walk"):
        return False  # one runs the marathon beside others
    plural = is_plural(head) and head not in WHOLES
    if has_many(base, what):
        return False
    own = what.startswith(OWN) or any(w.endswith(("'s", "’s")) for w in words[:-1])
    named_thing = any(w[:1].isupper() for w in words[1:]) or any(map(is_identifier, words))
    # What opens a sentence is no name by that
    named_thing = named_thing or (words[0][:1].isupper() and base in SOLE_DOERS)
    definite = own or what.startswith(DEFINITE) or named_thing
    if base in ONLY:
        return definite and not plural and head in ONLY[base]
    if lower[0] in PREPOSITIONS:
        return False
    if base in CHARGES:
        return not named or (base in ALONE and definite and (not plural or lower[0] == "all"))
    return definite if base in SERVICES else definite and not plural
