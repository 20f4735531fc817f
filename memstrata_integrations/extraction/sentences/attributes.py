"""One attribute, said in several ways: a limit that caps, a port that is listened on, a seat that was moved.

A claim is put under one subject and relation whatever words made it, where the kind of its value leaves no
doubt: "Teal limits uploads to 5 MB", "uploads to Teal are capped at 5 MB" and "the maximum upload size of
Teal is 5 MB" are one limit. Where the kind of the value does not tell, a claim stays as it is.
"""

from __future__ import annotations

import re

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.equating import bare_words
from memstrata_integrations.extraction.sentences.lexicon import EVENTS, MEASURES
from memstrata_integrations.extraction.sentences.nominals import act_of_noun
from memstrata_integrations.extraction.sentences.role_words import head_phrase
from memstrata_integrations.extraction.sentences.verbs import participle_of, verb_of_gerund
from memstrata_integrations.relations import known
from memstrata_integrations.words import lower_words, word_set

__all__ = ["attributed"]

_TRIM = "\"'`(),.;:"


_IS, _COSTS, _COUNTS, _PINNED = known("is"), known("costs"), known("has in number"), known("is pinned to")
_EXPIRES, _THUS, _ANSWERS = known("expires after"), known("is done thus"), known("is answered with")
_QUANTITIES = frozenset(
    (
        "number",
        "size",
        "binary size",
        "duration",
        "months",
        "rate",
        "count",
        "percent",
        "money",
        "length",
        "mass",
        "bits",
    )
)
_BOUNDS = word_set("limit limits cap ceiling maximum max maximal")
_LIMITING = frozenset(("is limited to", "allows at most", "holds at most"))
# What a limit is said to be of besides, which the kind of its value says by itself
_IMPLIED = {
    "size": word_set("size"),
    "binary size": word_set("size"),
    "rate": word_set("rate"),
    "number": word_set("number count"),
    "count": word_set("number count"),
    "duration": word_set("duration time length"),
    "length": word_set("length"),
}
_INTO = re.compile(r"(?<=s) to (?=\S)|(?<=ss) to (?=\S)")
# One relation for a time, a day or a length, whatever verb states it
_BY_KIND = {
    ("starts at", "time"): "is at",
    ("runs at", "time"): "is at",
    ("is scheduled for", "time"): "is at",
    ("starts at", "money"): "costs",
    ("starts on", "weekday"): "is on",
    ("starts on", "date"): "is on",
    ("starts on", "day"): "is on",
    ("is scheduled for", "weekday"): "is on",
    ("is scheduled for", "date"): "is on",
    ("is scheduled for", "day"): "is on",
    ("is valid for", "duration"): "expires after",
    ("is valid for", "months"): "expires after",
    ("times out after", "duration"): "is",
    ("lives in", "file"): "is defined in",
}
_STATED_OTHERWISE = frozenset(name for name, _ in _BY_KIND)
_RELATIONS = {name: known(name) for name in _BY_KIND.values()}
_NAMED_FOR = {"times out after": "timeout of"}
_COUNT_OF = re.compile(
    r"(?:[Tt]he )?(?:[Nn]umber|[Cc]ount) of (?P<what>[a-z][\w -]*?)(?: (?:kept|made|held|used|run|employed"
    r"|owned))? (?:of|by|in|on|at|for|per) (?P<owner>.+)\Z"
)
_OWNED_COUNT = re.compile(r"(?P<owner>\S.*?)['’]s number of (?P<what>[a-z][\w -]*)\Z")
_SEAT = re.compile(
    r"(?:[Tt]he )?(?:headquarters|head office|main office|registered office|seat|hq|HQ) of (?P<of>.+)\Z"
    r"|(?P<owner>\S.*?)['’]s (?:headquarters|head office|main office|registered office|seat|hq|HQ)\Z"
)
_ON_CALL = re.compile(
    r"\b[Oo]n[- ]call(?: (?:engineer|developer|dev|person|lead|contact|responder|duty|sre|SRE|operator))?\b"
)
_EXTENTS = {word: known(f"is {word}") for word in ("high", "long", "wide", "deep", "thick", "old")}
_EXTENTS["tall"] = _EXTENTS["high"]
_STATUS_CODE = re.compile(
    r"(?:[Tt]he )?(?:HTTP )?(?:status|response|error|return) code (?:for|of) (?:an? |the )?(?P<what>.+)\Z"
)
_PATH_OF = re.compile(
    r"(?:[Tt]he )?(?:path|url|URL|uri|URI|address) of (?P<what>.*\b(?:endpoint|route|webhook|API|hook)\b.*)\Z"
)
_FEE = re.compile(
    r"(?:[Tt]he )?(?P<what>(?!\w+ly |annual|total|base|basic|fixed|flat|full|late|list|unit)[a-z]+) (?:fee"
    r"|price|charge|cost) (?:for|of|to) (?P<of>.+)\Z"
)
_RAISED = (": bumped", ": upgraded", ": downgraded", ": updated")
_DAY_OF = re.compile(
    r"(?:[Tt]he )?(?P<act>[a-z]+) day (?:of|for) (?P<of>.+)\Z|(?P<owner>\S.*?)['’]s (?P<act2>[a-z]+) day\Z"
)
_DONE_ON = {
    noun: done
    for done, nouns in {
        "delivered": "delivery deliveries",
        "collected": "collection collections",
        "paid": "payment payments",
        "published": "publication",
        "cleaned": "cleaning",
        "emptied": "emptying",
    }.items()
    for noun in nouns.split()
}
_ACT_DAY = re.compile(rf"(?:[Tt]he )?(?P<act>(?i:{'|'.join(_DONE_ON)})) (?:of|for) (?P<of>.+)\Z")


def _is_package(subject: str) -> bool:
    """Whether a subject names a package: a word in lower case or an identifier, first of all."""
    if subject.startswith(("In ", "For ", "On ")) and ", " in subject:
        subject = subject.partition(", ")[2]
    first = subject.split()[0].strip("`")
    if len(subject.split()) == 1:
        return not is_identifier(subject)
    return first[:1].islower() and first not in ("the", "our", "my") and " of " not in subject


_PRICED = word_set(
    "price cost fee fare charge bill quote offer rent salary wage budget pay income tip tax toll deposit fine amount "
    "total sum revenue turnover profit worth value allowance limit bonus debt loan grant prize donation premium"
)


def attributed(claim: Claim, dimension: str) -> Claim:
    """Return a claim under the subject and relation of its attribute.

    Args:
        claim: What a rule has read, its subject complete.
        dimension: The kind of its value.
    """
    kind = dimension.partition(":")[0]
    if claim.relation.name == "is" and ("n-call" in claim.subject or "n call" in claim.subject):
        named = _ON_CALL.sub("on-call", claim.subject)
        duty = named != claim.subject or named.startswith("on-call") or named.endswith("on-call")
        if duty and kind in ("text", "name", "full name", "surname"):
            return claim._replace(subject=named, expected="name")
    name, subject = claim.relation.name, claim.subject
    if kind in _QUANTITIES:
        if name in _LIMITING:
            return claim._replace(relation=_IS, subject=_limit(subject, kind))
        if name == "is" and not _BOUNDS.isdisjoint(lower_words(subject.replace(".", ""))):
            return claim._replace(subject=_limit(subject, kind))
        counts = name == "is" and kind == "number" and ("umber of " in subject or "ount of " in subject)
        if counts and (counted := _COUNT_OF.match(subject) or _OWNED_COUNT.match(subject)):
            return claim._replace(relation=_COUNTS, subject=f"{counted['what']} of {counted['owner']}")
        if name == "is" and kind == "money" and claim.rule != "measure" and _is_priced(subject):
            return claim._replace(relation=_COSTS, subject=subject.replace(" to ", " of "))
    if name == "is based in" and (seat := _SEAT.match(subject)) is not None:
        return claim._replace(subject=seat["of"] or seat["owner"])
    if (
        name == "is"
        and claim.rule.endswith(_RAISED)
        and (kind in ("version", "number") or claim.rule.endswith(": upgraded"))
    ):
        if kind == "number" and any(is_identifier(w) for w in subject.split()):
            return claim
        pinned = "version" not in subject.lower().split() and _is_package(subject)
        return claim._replace(relation=_PINNED if pinned else claim.relation, expected="version")
    if (
        name == "is"
        and kind in ("number", "code")
        and (status := _STATUS_CODE.match(subject)) is not None
        and ("/" not in subject)
    ):
        return claim._replace(relation=_ANSWERS, subject=status["what"], expected="code")
    if name == "is" and kind in ("path", "url", "endpoint") and (where := _PATH_OF.match(subject)) is not None:
        return claim._replace(subject=where["what"])
    if name == "is" and kind == "money" and (fee := _FEE.match(subject)) is not None:
        return claim._replace(relation=_COSTS, subject=f"{fee['what']} of {fee['of']}")
    if name == "costs" and " to " in subject:
        return claim._replace(subject=subject.replace(" to ", " of "))
    if name == "is done for" and subject.startswith("cached "):
        return claim._replace(relation=_EXPIRES, subject=f"cache of {subject[7:]}")
    if name == "is" and kind == "weekday" and (day := _DAY_OF.match(subject)) is not None:
        act, owner = day["act"] or day["act2"], day["of"] or day["owner"]
        done = verb_of_gerund(act) if act.endswith("ing") else participle_of(act_of_noun(act) or act)
        return claim._replace(relation=_THUS, subject=f"{done}-on {owner}")
    if name in ("is", "is on") and kind == "weekday" and (act := _ACT_DAY.match(subject)) is not None:
        return claim._replace(relation=_THUS, subject=f"{_DONE_ON[act['act'].lower()]}-on {act['of']}")
    extent = _EXTENTS.get(dimension.rpartition(":")[2]) if name == "is" and claim.rule.startswith("clause") else None
    if extent is not None:
        return claim._replace(relation=extent, expected="extent")
    other = _BY_KIND.get((name, kind)) if name in _STATED_OTHERWISE else None
    if other == "is at" and head_phrase(subject.lower().split())[0] not in EVENTS:
        other = None
    if other == "costs":  # "rooms start at 80 euros": their starting price
        return claim._replace(relation=_COSTS, subject=f"starting of {subject}")
    if other is not None:
        subject = f"{_NAMED_FOR[name]} {subject}" if name in _NAMED_FOR else subject
        return claim._replace(relation=_RELATIONS[other], subject=subject)
    return claim


def _limit(subject: str, kind: str) -> str:
    """Name the limit of something, without the words that "limit" and the kind of its value say already."""
    implied = _IMPLIED.get(kind, frozenset())
    kept = [w for w in subject.split() if (bare := w.strip(_TRIM).lower()) not in _BOUNDS and bare not in implied]
    rest = _bare(_INTO.sub(" of ", " ".join(kept).strip()))
    if not rest:  # "the rate limit"
        rest = " ".join(w for w in subject.split() if w.strip(_TRIM).lower() in implied)
    return f"limit of {rest}" if rest else "limit"


def _bare(words: str) -> str:
    while words.split(" ", 1)[0].lower() in ("the", "of", "for", "on", "a"):
        words = words.partition(" ")[2]
    return words


def _is_priced(subject: str) -> bool:
    """Whether a thing itself, and no amount of it, has a price: "a ticket is 5 euros"."""
    words = bare_words(subject)
    return not any(h in _PRICED or h in MEASURES for h in head_phrase(words)) and not any(w in _PRICED for w in words)
