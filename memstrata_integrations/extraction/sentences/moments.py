"""What somebody is at, one at a time: "I'm reading Middlemarch at the moment", "The club is currently reading Babel".

Without a word for the present two such sentences may speak of two evenings; with one, the later takes the place of
the earlier.
"""

from __future__ import annotations

import re

from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.clauses import subject_is_sound
from memstrata_integrations.extraction.sentences.complements import masked
from memstrata_integrations.extraction.sentences.lexicon import PERSON_ROLES
from memstrata_integrations.extraction.sentences.role_words import head_phrase
from memstrata_integrations.extraction.sentences.singles import value_at
from memstrata_integrations.relations import known
from memstrata_integrations.words import word_set

__all__ = ["read_moment"]

_THUS = known("is done thus")
_LONGEST = 140
# Of these one does one at a time; the preposition belongs to what is done
_DOING = {
    "reading": "",
    "watching": "",
    "playing": " for",
    "studying": " at",
    "rereading": "",
    "bingeing": "",
    "training": "for",
    "preparing": "for",
    "practising": "for",
    "revising": "for",
    "working": "on at from",
    "staying": "in at with",
    "camping": "in at",
    "sleeping": "in on at",
    "lodging": "in at with",
    "touring": " with",
    "travelling": "in through by",
    "traveling": "in through by",
    "listening": "to",
    "dating": "",
    "seeing": "",
    "driving": "",
    "riding": "",
    "wearing": "",
    "renting": "",
    "testing": "",
    "trialling": "",
    "trying": "out",
    "piloting": "",
    "rehearsing": "",
    "reviewing": "",
    "writing": "about on",
    "knitting": "",
    "sitting": "at in",
    "parking": "in at on",
    "interning": "at",
    "freelancing": "for",
    "hiring": "for",
    "following": "",
    "subscribed": "to",
    "exhibiting": "at in",
    "showing": "",
    "serving": "",
    "featuring": "",
    "investigating": "",
    "debugging": "",
    "migrating": "to",
    "running": "on",
    "hiding": "in under",
    "anchored": "in off at",
    "docked": "in at",
    "orbiting": "",
}
_AT_IT = re.compile(
    r"(?P<who>I|[Ww]e|[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)?|(?:[Mm]y|[Oo]ur|[Tt]he) [\w’' -]{2,40}?|\S+['’]s [\w -]{2,30}?) "
    r"(?:is|am|are) (?:(?:currently|now|presently) )?(?P<doing>" + "|".join(_DOING) + r") "
)
_GERUNDS = frozenset(_DOING)
_BEING = frozenset(("is", "am", "are"))
_KIN = word_set("mum mom mummy dad daddy gran grandma grandpa granny grandad nan parents kids boss team family")
_SOMEWHERE = re.compile(
    r"(?P<who>I|[Ww]e|[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)?|(?:[Mm]y|[Oo]ur|[Tt]he) [a-z][\w’-]*(?: [A-Z][\w’'-]*)?) "
    r"(?:is|am|are) (?:back )?(?:in|at) (?=[A-Z])"
)


def read_moment(core: str, present: bool) -> Claim | None:
    """Read what somebody is at now; the places of the claim are those of `core`.

    Args:
        core: The sentence, without its full stop and what wraps it.
        present: Whether its wrapping says that it holds now, or has come to hold.
    """
    if len(core) > _LONGEST or not (present or " currently " in core or " presently " in core):
        return None
    words = core.split()
    if _GERUNDS.isdisjoint(words):
        return _somewhere(core) if present and not _BEING.isdisjoint(words) else None
    hidden = masked(core)
    match = _AT_IT.match(hidden)
    if match is None or not subject_is_sound(match["who"], match["who"]):
        return None
    first, _, _ = core[match.end() :].partition(" ")
    prepositions = _DOING[match["doing"]]
    at, governed = match.end(), ""
    if first in prepositions.split():
        at, governed = at + len(first) + 1, f"-{first}"
    elif prepositions and prepositions[0] != " ":
        return None
    value = value_at(core, hidden, at, "doing")
    if value is None:
        return None
    start, end, tail = value
    return Claim(
        f"{match['doing']}{governed} {match['who']} {tail}".strip(), _THUS, start, end, "at the moment", "text"
    )


def _somewhere(core: str) -> Claim | None:
    """Read "My mum is in Lisbon right now"."""
    match = _SOMEWHERE.match(core)
    if match is None or not subject_is_sound(match["who"], match["who"]):
        return None
    head = head_phrase(match["who"].lower().split())[0]
    if match["who"].split()[0].lower() in ("my", "our", "the") and not (head in PERSON_ROLES or head in _KIN):
        return None
    value = value_at(core, masked(core), match.end(), "being")
    if value is None or value[2]:
        return None
    return Claim(f"whereabouts of {match['who']}", _THUS, value[0], value[1], "at the moment", "place")
