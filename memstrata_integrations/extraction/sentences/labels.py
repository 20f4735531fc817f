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
from memstrata_integrations.relations import relation_of
from memstrata_integrations.values import METHODS
from memstrata_integrations.words import word_set

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
_STATUS_LINE = re.compile(r"[1-5]\d\d(?= [A-Z][A-Za-z]+(?: [A-Z][A-Za-z]+)*\Z)")
_TRIMMED = re.compile(r"\A(?:[-*+•:@] ?)+|\s*[:–—=-]+\Z")
_IS, _DEFAULTS = relation_of("is"), relation_of("defaults to")
_VERBS = FINITE_VERBS - {"used"}


def read_label(core: str) -> Claim | None:
    """Read a line of a label and a value; the places of the claim are those of `core`."""
    if not 3 < len(core) <= _LONGEST or _IS is None or _DEFAULTS is None:
        return None
    if core[-1] in ")]" and (default := _DEFAULT.search(core)) is not None:
        found = find_typed(core, default.end(), len(core) - 1)
        label = _TRIMMED.sub("", core[: default.start()])
        if found is None or found[2] != len(core) - 1 or not _names(label, 24, default=True):
            return None
        return Claim(label, _DEFAULTS, found[0], found[1], "label: default", "setting")
    hidden = masked(core)
    separators = list(_SEPARATOR.finditer(hidden)) if any(map(hidden.__contains__, _SEPARATORS)) else []
    if not separators:
        return None
    if "=" in hidden and not OBSERVING.isdisjoint(hidden.lower().split()):
        return None
    last = separators[-1]
    label = core[: last.start()].strip()
    if not _names(label, 14):
        return None
    if status := _STATUS_LINE.match(core, last.end()):
        return Claim(label, _IS, *status.span(), "label", "code")
    subject = label if is_technical(label.split()[0]) else f"The {label[0].lower()}{label[1:]}"
    plain = f"{subject} is set to {core[last.end() :]}"
    pos = len(plain) - (len(core) - last.end())
    claim = read_complement(plain, subject, Verb(len(subject) + 1, pos - 1, _IS, 3), 0, pos)
    if claim is None or claim.start < pos:
        return None
    shift = last.end() - pos
    return claim._replace(start=claim.start + shift, end=claim.end + shift, rule="label")


def _names(label: str, most: int, *, default: bool = False) -> bool:
    """Whether a label names one thing, in words that claim nothing by themselves."""
    words = label.split()
    if not (1 if default else 3) <= len(words) <= most or is_opinion(words):
        return False
    bare = [w.strip(_TRIM).lower() for w in words]
    defaults = bare[0] == "default" and bare[1:2] in (["of"], ["for"], ["value"])
    if (
        (bare[0] in LABELS and not defaults)
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
    for word in bare:
        if (word in UNASSERTED and word != "used") or word in DEICTIC or word in CONJUNCTIONS or word in _VERBS:
            return False
    return not any(w[-1] in ",;!?" for w in words)
