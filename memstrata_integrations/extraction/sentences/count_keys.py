"""One key for a count and for a measure in units: "515 lines long" has 515 lines, "75" connections are a pool size.

The last step of a claim: what is counted stays in the key also where it is a word that keys leave out elsewhere
("arguments", "flags"), and a number is compared with what is counted only where the thing shows which is meant.
"""

from __future__ import annotations

import re

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.lexicon import MEASURES, PREPOSITIONS
from memstrata_integrations.relations import known
from memstrata_integrations.values import number_part
from memstrata_integrations.words import singular, word_set

__all__ = ["in_one_measure"]

_TRIM = "\"'`(),.;:"
_IS, _COUNTS, _EXPIRES = known("is"), known("has in number"), known("expires after")
# Words that a key leaves out beside the name of a thing; counted, they are what it has
_CLASS_WORDS = word_set("value setting parameter option variable constant flag argument var param arg const")
_CALLABLE = word_set("function method procedure helper routine")
_PASSED = word_set("argument parameter")
# What a text is measured in
_OF_TEXT = word_set("line page word paragraph verse stanza slide sentence chapter")
_EXTENT = re.compile(r"(?:[Tt]he )?(?:length|extent) (?:of|in) (?P<of>.+)\Z|(?P<owner>\S.*['’]s?) length\Z")
_TOTAL = re.compile(r"(?:[Tt]he )?total (?:of|in) ")
_POOLED = word_set("connection thread worker process slot session")
_OF_POOL = re.compile(r"(?:(?:[a-z]+ )?capacity|size) of (?P<of>.+)\Z")
_HEATED = word_set("thermostat temperature heating oven radiator boiler fridge freezer sauna aquarium")
# What lasts until it expires
_CREDENTIALS = word_set("token cookie credential passcode otp")
# "The prefetch count" is the prefetch: nothing that one has several of
_AMOUNTS = word_set("prefetch concurrency parallelism")
_MOST = {"accepts at most": "", "returns at most": " per page"}


def in_one_measure(claim: Claim, written: str, kind: str) -> Claim:
    """Return a claim under the key that a count or a measure has in whatever unit it is told.

    Args:
        claim: What the rules before have read.
        written: Its value as written.
        kind: The dimension of its value.
    """
    name = claim.relation.name
    sort, _, unit = kind.partition(":")
    if name == "has in number":
        return _what_is_counted(claim)
    if name in _MOST and sort == "count" and _MOST[name] in claim.subject:
        return _bare(claim, written, f"limit of {_many(written)} of {claim.subject}")
    if name == "costs" and claim.rule in ("clause: comes to", "clause: come to"):
        return claim._replace(relation=_IS) if sort in _NO_PRICES else claim
    if name == "is long" and sort == "count" and unit in _OF_TEXT:
        return _of_text(claim, written, claim.subject)
    if claim.rule == "labelled: generic" and sort == "duration" and claim.subject.startswith("expires after of "):
        return claim._replace(subject=claim.subject[17:], relation=_EXPIRES)
    if name == "lasts" and sort == "duration" and _head(claim.subject) in _CREDENTIALS:
        return claim._replace(relation=_EXPIRES)
    if name != "is" or sort not in ("count", "number"):
        return claim
    if unit in _OF_TEXT and (extent := _EXTENT.match(claim.subject)) is not None:
        return _of_text(claim, written, extent["of"] or extent["owner"])
    head = _head(claim.subject)
    if unit in _OF_TEXT and head not in MEASURES and head not in ("length", "limit", "extent"):
        return _of_text(claim, written, claim.subject)
    if sort == "count" and head == "total" and _TOTAL.match(claim.subject):
        return _of_text(claim, written, _TOTAL.sub("", claim.subject))
    if unit == "degree" and (head in _HEATED or (head == "setting" and _is_heated(claim.subject))):
        return _bare(claim, written, claim.subject)
    return _of_pool(claim, written, unit, head) or claim


_NO_PRICES = frozenset(("percent", "count", "duration", "months", "size", "binary size", "length", "mass", "rate"))


def _what_is_counted(claim: Claim) -> Claim:
    """Keep "arguments" and "flags" in the key where they are what is counted."""
    words = claim.subject.split()
    at = next((n for n, w in enumerate(words) if n and w in PREPOSITIONS), len(words)) - 1
    counted = singular(words[at].strip(_TRIM).lower())
    if counted in _AMOUNTS and claim.rule.startswith("clause"):
        return claim._replace(relation=_IS)
    if counted not in _CLASS_WORDS:
        return claim
    counted = {"param": "parameter", "arg": "argument", "var": "variable", "const": "constant"}.get(counted, counted)
    words[at] = f"{counted}-count"
    if counted in _PASSED:
        words = [w for n, w in enumerate(words) if not _is_of_call(words, n)]
    return claim._replace(subject=" ".join(words))


def _is_of_call(words: list[str], at: int) -> bool:
    """Whether a word adds nothing to what takes arguments: "the signature of x", "the function `x`"."""
    bare = words[at].strip(_TRIM).lower()
    beside = [w for w in (*words[max(0, at - 1) : at], *words[at + 1 : at + 2]) if is_identifier(w) or "`" in w]
    return bare == "signature" or (bare in _CALLABLE and bool(beside))


def _of_text(claim: Claim, written: str, what: str) -> Claim:
    """Put "is 515 lines long" under how many lines it has."""
    return claim._replace(subject=f"{_many(written)} of {what}", relation=_COUNTS, expected=None)


def _is_heated(subject: str) -> bool:
    """Whether a setting is one of something that heats or cools: "the thermostat's setting"."""
    return not _HEATED.isdisjoint(w.strip(_TRIM).lower().removesuffix("'s").removesuffix("’s") for w in subject.split())


def _of_pool(claim: Claim, written: str, unit: str, head: str) -> Claim | None:
    """Put "the connection pool holds 75 connections" and "is set to 75" under its size."""
    sized = _OF_POOL.match(claim.subject)
    what = sized["of"] if sized is not None else claim.subject
    words = {singular(w.strip(_TRIM).lower()) for w in what.split()}
    if (_head(what) if sized is not None else head) != "pool" or (unit and unit not in _POOLED):
        return None
    if not unit and _POOLED.isdisjoint(words):
        return None
    kind = f"{unit} " if unit and unit not in words else ""
    return _bare(claim, written, f"size of {kind}{what}")


def _bare(claim: Claim, written: str, subject: str) -> Claim:
    """Return a claim of a number alone: what is counted is in its key."""
    number = number_part(written)
    return claim._replace(subject=subject, relation=_IS, end=claim.start + len(number), expected="number")


def _many(written: str) -> str:
    """Return what a value counts: "lines" of "515 lines"."""
    return written[len(number_part(written)) :].removesuffix(" long").strip()


def _head(subject: str) -> str:
    """Return the head noun of a subject, in the singular."""
    words = subject.split()
    at = next((n for n, w in enumerate(words) if n and w in PREPOSITIONS), len(words)) - 1
    return singular(words[at].strip(_TRIM).lower())
