"""A label and its value in one line: "Upstream of the zlib copy: commit a31fe2c", "retries (default 3)".

Lines whose key is short are fields (`lines`); here the key is a phrase of any length that names one thing.
"""

from __future__ import annotations

import re

from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.complements import Verb, is_technical, masked, read_complement
from memstrata_integrations.extraction.sentences.lexicon import (
    CONJUNCTIONS,
    DEICTIC,
    FINITE_VERBS,
    IMPERATIVES,
    LABELS,
    OBSERVING,
    PREPOSITIONS,
    UNASSERTED,
)
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_many_role, is_plural
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.relations import known
from memstrata_integrations.values import METHODS
from memstrata_integrations.words import holds_any, word_set

__all__ = ["read_label"]

_LONGEST = 200
# What is supported, allowed or known leaves room for more
_SEVERAL = word_set(
    "supported allowed accepted available valid tested known possible other extra additional included "
    "compatible permitted "
    "recommended suggested sample new added removed fixed changed planned related similar alternative further more some"
)
_TRIM = "\"'`()[]{}.,;:!?“”‘’"
_SEPARATORS = (": ", " – ", " — ", " - ", " -> ", " → ", " => ", " = ")
_SEPARATOR = re.compile(rf"(?:{'|'.join(_SEPARATORS)})(?=\S)")
_DEFAULT = re.compile(r" ?[(\[](?:the )?default(?:s to| is| value)?[ :=]*(?=[^\s)\]])")
_STATUS_LINE = re.compile(r"[1-5]\d\d(?= (?:OK|[A-Z][a-z]+)(?: [A-Z][A-Za-z]+)*\Z)")
_OF_NOW = re.compile(r",? \(?(?:as of (?:today|now|this (?:week|month|year)|[A-Z]\w+)|from (?:today|now on))\)?\Z")
_CRON = re.compile(r"[\d*/,-]+(?: [\d*/,A-Za-z-]+){4}\Z")
_CRONS = word_set("cron crontab schedule")
_TRIMMED = re.compile(r"\A(?:[-*+•:@] ?)+|\s*[:–—=-]+\Z")
_IS, _DEFAULTS = known("is"), known("defaults to")
_VERBS = FINITE_VERBS - {"used"}
_COUNTS, _NEW = known("has in number"), re.compile(r"\A[Nn]ew (?=[a-z])")
_FURNISHED = word_set(
    "seats beds rooms tables desks places spaces pitches berths stalls lockers members pupils students staff employees "
    "vehicles copies shelves lanes courts units flats apartments houses stops platforms parking-spaces bays machines "
    "screens lifts maps volumes chairs benches tents cabins moorings stands booths terminals"
)


def read_label(core: str) -> Claim | None:
    """Read a line of a label and a value; the places of the claim are those of `core`."""
    if not 3 < len(core) <= _LONGEST:
        return None
    if core[-1] in ")]" and (default := _DEFAULT.search(core)) is not None:
        found = find_typed(core, default.end(), len(core) - 1)
        label = _TRIMMED.sub("", core[: default.start()])
        if found is None or found[2] != len(core) - 1 or not _names(label, 24, default=True):
            return None
        return Claim(label, _DEFAULTS, found[0], found[1], "label: default", "setting")
    hidden = masked(core)
    separators = list(_SEPARATOR.finditer(hidden)) if holds_any(hidden, _SEPARATORS) else []
    if not separators:
        return None
    if "=" in hidden and not OBSERVING.isdisjoint(hidden.lower().split()):
        return None
    last = separators[-1]
    label = _OF_NOW.sub("", _NEW.sub("", core[: last.start()].strip()))
    counted = _counted(label, core[last.end() :])
    if not counted and not _names(label, 14):
        return None
    if counted:
        return Claim(label, _COUNTS, last.end(), len(core), "label: count")
    if status := _STATUS_LINE.match(core, last.end()):
        return Claim(label, _IS, *status.span(), "label", "code")
    if (cron := _CRON.match(core, last.end())) is not None and not _CRONS.isdisjoint(label.lower().split()):
        return Claim(label, _IS, *cron.span(), "label", "text")
    subject = label if is_technical(label.split()[0]) else f"The {label[0].lower()}{label[1:]}"
    plain = f"{subject} is set to {core[last.end() :]}"
    pos = len(plain) - (len(core) - last.end())
    claim = read_complement(plain, subject, Verb(len(subject) + 1, pos - 1, _IS, 3), 0, pos)
    if claim is None or claim.start < pos:
        return None
    shift = last.end() - pos
    said = claim.subject
    if label[1:2].isupper():  # an acronym is none in lower case: "DBA on duty: Kim Lee"
        said = said.replace(subject, f"The {label}")
    return claim._replace(subject=said, start=claim.start + shift, end=claim.end + shift, rule="label")


def _counted(label: str, value: str) -> bool:
    """Whether a line tells how many there are of a kind of which a place has so many: "Seats in the hall: 110"."""
    words = label.lower().split()
    if not words or head_phrase(words)[0] not in _FURNISHED:
        return False
    return value.replace(",", "").isdigit() and _names(f"number of {label}", 14)


def _names(label: str, most: int, *, default: bool = False) -> bool:
    """Whether a label names one thing, in words that claim nothing by themselves."""
    words = label.split()
    if not (1 if default else 3) <= len(words) <= most or is_opinion(words):
        return False
    bare = [w.strip(_TRIM).lower() for w in words]
    defaults = bare[0] == "default" and bare[1:2] in (["of"], ["for"], ["value"])
    if (
        (bare[0] in LABELS and not defaults)
        or bare[0] in ("here", "here's", "here’s")
        or (bare[0] in IMPERATIVES and words[0] not in METHODS)
        or (bare[0] in PREPOSITIONS and not default)
    ):
        return False
    if default:
        return True
    head = head_phrase(bare)[0]
    if is_plural(head) or is_many_role(head) or not _SEVERAL.isdisjoint(bare):
        return False
    if not any(w in PREPOSITIONS for w in bare[1:]) and "’s" not in label and "'s" not in label and "/" not in label:
        return False
    for word in (w.strip(_TRIM).lower() for w in masked(label).split()):
        if (word in UNASSERTED and word != "used") or word in DEICTIC or word in CONJUNCTIONS or word in _VERBS:
            return False
    return not any(w[-1] in ",;!?" for w in words)
