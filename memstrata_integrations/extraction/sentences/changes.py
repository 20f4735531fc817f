"""Sentences of change and of ending, where the key is certain."""

from __future__ import annotations

import re

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.clauses import masked, subject_is_sound
from memstrata_integrations.extraction.sentences.lexicon import MANY_ROLES
from memstrata_integrations.extraction.sentences.slots import find_typed, qualifiers
from memstrata_integrations.relations import known
from memstrata_integrations.values import canonical_value
from memstrata_integrations.words import word_set

__all__ = ["CHANGE_WORDS", "PUT_SOMEWHERE", "read_change"]

_CHANGE = re.compile(
    r"\s(?:was|were|has been|have been|is|got) "
    r"(?P<verb>renamed|bumped|upgraded|downgraded|updated|changed|raised|increased|lowered|reduced|decreased"
    r"|moved|switched)"
    r" (?:from )"
)
_PERFECT = re.compile(
    r"\s(?:has been|have been) (?P<verb>renamed|bumped|upgraded|downgraded|updated|changed|raised|increased|lowered"
    r"|reduced|decreased|switched|set) to "
)
_ENDING = re.compile(r"\s(?:is|are) no longer (?P<state>set|pinned|defined|configured)\b")
_PIN_OF = re.compile(r"(?<= )(?P<name>[\w@/.\[\]`-]+) (?:version )?(?:pin|dependency|requirement)(?= |\Z)")
PUT_SOMEWHERE = re.compile(
    r"(?:I|[Ww]e|[Tt]hey)(?:['’]ve| have) (?:just |now |recently |finally )?(?:put|placed|installed|housed|parked|hung"
    r"|set up) (?P<what>(?:the|our|my) [^,;:]+?) (?:on|in|at|into|onto|under|behind) (?P<new>[^,;:]+)\Z"
)
"""Who put what where: "We've put the index on node 7"."""
CHANGE_WORDS = word_set("longer from been")
"""Of these a sentence holds one that `read_change` reads."""
_TO = re.compile(r"\s+to\s+")
_IS, _PINNED, _NAMED = known("is"), known("is pinned to"), known("is named")


def read_change(text: str, start: int, end: int) -> Claim | None:
    """Read "X was bumped from 1 to 2" or "X is no longer set"; `None` where the key is not certain."""
    sentence = text[start:end]
    if len(sentence) > 400:
        return None
    hidden = masked(sentence)
    if " no longer " in hidden and (ending := _ENDING.search(hidden)):
        relation = _PINNED if ending["state"] == "pinned" else _IS
        tail = qualifiers(sentence[ending.end() :])
        subject = sentence[: ending.start()].strip()
        if tail is None or relation is None or not subject_is_sound(hidden[: ending.start()], subject):
            return None
        return Claim(f"{subject} {tail}".strip(), relation, -1, -1, "ending", narrative=True)
    change = _CHANGE.search(hidden) if " from " in hidden else None
    pos = 0
    if change is not None:
        before = find_typed(sentence, change.end(), len(sentence))
        to = _TO.match(sentence, before[2]) if before else None
        if before is None or to is None:
            return None
        pos = to.end()
    else:
        change = _PERFECT.search(hidden) if " been " in hidden else None
        if change is None:
            return None
        pos = change.end()
        before = None
    after = find_typed(sentence, pos, len(sentence))
    subject = sentence[: change.start()].strip()
    if after is None or not subject_is_sound(hidden[: change.start()], subject):
        return None
    tail = qualifiers(sentence[after[2] :])
    if tail is None:
        return None
    old = sentence[before[0] : before[1]] if before else ""
    return _claim(subject, tail, change["verb"], old, sentence[after[0] : after[1]], start + after[0], start + after[1])


def _claim(subject: str, tail: str, verb: str, old: str, new: str, start: int, end: int) -> Claim | None:
    dimension = canonical_value(new)[1]
    words = [w.strip("`'\"(),.").lower() for w in subject.split()]
    if words[-1] in MANY_ROLES:
        return None
    relation, expected = _IS, None
    if verb == "renamed":
        if any(is_identifier(w) for w in subject.split()) or words[0] not in ("the", "our"):
            return None
        relation, expected = _NAMED, "identifier"
    elif old and canonical_value(old)[1] not in (dimension, "number"):  # "from 5 to 10 seconds": the unit stands once
        return None
    if verb in ("bumped", "upgraded", "downgraded") and "version" not in words and verb != "renamed":
        relation, expected = _PINNED, "version"
        subject = _PIN_OF.sub(r"\g<name>", subject)
        if dimension not in ("version", "number"):
            return None
    if verb in ("moved", "switched") and dimension not in ("name", "path", "url", "host", "version"):
        return None
    if relation is None:
        return None
    return Claim(f"{subject} {tail}".strip(), relation, start, end, f"change: {verb}", expected, narrative=True)
