"""One fact, said with a noun or with a verb: "Alice's employer is Acme" is "Alice works for Acme".

The noun is one of the relation's own (`Relation.nouns`), stands bare, and is of somebody or something;
"the project manager of X" and "the manager" are left as they are.
"""

from __future__ import annotations

import re

from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.lexicon import EVENTS
from memstrata_integrations.relations import RELATIONS, Relation
from memstrata_integrations.values import canonical_value
from memstrata_integrations.words import lower_words

__all__ = ["folded"]

_BY_NOUN: dict[str, list[Relation]] = {}
for _relation in RELATIONS:
    for _noun in _relation.nouns:
        _BY_NOUN.setdefault(_noun, []).append(_relation)
_NOUNS = "|".join(sorted(map(re.escape, _BY_NOUN), key=len, reverse=True))
_OF = re.compile(rf"(?:[Tt]he |[Oo]ur )?(?P<noun>(?i:{_NOUNS})) (?:of|for) (?P<owner>(?:the |our |my |a |an )?\S.*)\Z")
# "Opening time at the clinic"
_TIME_AT = re.compile(
    r"(?:[Tt]he )?(?P<noun>(?i:(?:opening|closing|departure|arrival|start|starting|end) time)) "
    r"(?:at|in) (?P<owner>(?:the |our |my )?\S.*)\Z"
)
_OWNED = re.compile(rf"(?P<owner>\S.*?)['’]s (?P<noun>{_NOUNS})(?P<tail> (?:in|on|at|for|within) .+)?\Z")
_MINE = re.compile(rf"(?P<owner>[Mm]y|[Oo]ur) (?P<noun>{_NOUNS})(?P<tail> (?:in|on|at|for|within) .+)?\Z")
_COMPOUND = re.compile(
    rf"(?:[Tt]he )?(?P<owner>(?!The |My |Our |Each |Every |In |On |At |For |A |An )[A-Z`][\w`.-]*(?: [\w`.-]+)*?) "
    rf"(?P<noun>{_NOUNS})(?P<tail> (?:in|on) .+)?\Z"
)
_PLAIN_COMPOUND = re.compile(
    r"(?:[Tt]he )?(?P<owner>[A-Za-z][\w-]*(?: [a-z][\w-]*)?) "
    r"(?P<noun>deadline|due date|opening time|closing time|start time)"
    r"(?P<tail> (?:in|on|for) .+)?\Z"
)
_NOUN_WORDS = frozenset(noun.split()[-1] for noun in _BY_NOUN) | {"deadline", "date", "ttl", "time"}
_SPEAKERS = {"my": "I", "our": "we"}
_EXPECTED = {
    "name": ("text", "name", "full name", "surname"),
    "organisation": ("text", "name", "full name", "surname"),
    "team": ("text", "name", "full name"),
    "place": ("text", "name"),
    "address": ("text", "name", "path", "url", "host", "identifier"),
    "venue": ("text", "name"),
    "tool": ("text", "name", "identifier"),
    "text": ("text", "name"),
    "identifier": ("text", "name", "identifier", "path", "host"),
    "port": ("number",),
    "extent": ("length", "imperial length", "m"),
    "age": ("months", "duration"),
    "region": ("identifier", "text"),
    "version": ("version", "number", "identifier", "text"),
    "typed": None,
    "measure": ("number", "size", "duration", "percent", "count", "rate", "length", "money"),
    "duration": ("duration", "months"),
    "time": ("time",),
    "time or date": ("time", "date", "day", "weekday"),
    "date": ("date", "day", "weekday"),
    "money": ("money", "number"),
}
_NO_OWNERS = frozenset(("the", "a", "an", "default", "in", "on", "for", "at", "each", "every"))
_NAMED_FREELY = frozenset(("tool", "venue", "charge", "word", "sink", "task", "thus"))
_KEEPS = frozenset(("extent", "age", "time or date", "typed", "measure", "duration", "time", "date", "money"))


_ARTEFACT = re.compile(
    r"(?:(?!(?:of|for|in|on|at) )[\w'’./-]+ ){1,6}?(?P<head>method|function|class|module|command|parameter|field|header"
    r"|flag|table|column|queue|topic|bucket|hook"
    r"|helper|cookie|event|job)(?: (?:of|for|in|to|that|at|on) .+)?\Z"
)
_KEPT = next(r for r in RELATIONS if r.name == "is kept for")
_EXPIRES = next(r for r in RELATIONS if r.name == "expires after")
_HAS_VERSION = next(r for r in RELATIONS if r.name == "has version")
_IS_NAMED = next(r for r in RELATIONS if r.name == "is named")
_IS_ON = next(r for r in RELATIONS if r.name == "is on")
_IS_AT = next(r for r in RELATIONS if r.name == "is at")


_STATING = (
    ": is",
    ": are",
    "reversed",
    ": :",
    ": =",
    "as its",
    "uses the",
    "new role",
    "relative clause",
    "used by",
    "took on",
)


def _of_artefact(claim: Claim, written: str, quoted: bool) -> Claim:
    """Read "The upload method of Vidar is `PutFrame`" as what it is named."""
    if claim.expected is not None or not claim.rule.endswith(_STATING):
        return claim
    kinds = ("identifier", "text", "name") if quoted else ("identifier", "text")
    if not _ARTEFACT.match(claim.subject) or canonical_value(written)[1] not in kinds:
        return claim
    if not quoted and not any(c in written for c in "_.()-") and not re.search(r"[a-z][A-Z]", written):
        return claim
    return claim._replace(relation=_IS_NAMED, expected="identifier")


_VERSION_OF = re.compile(
    r"(?:(?P<owner>\S.*?)['’]s (?:target |required )?(?P<name>[A-Z][\w.+#]*(?: [A-Z][\w+#]*)?) version"
    r"|[Tt]he (?P<name2>[A-Z][\w.+#]*) version (?:of|in|on|for) (?P<owner2>.+))\Z"
)
_NO_PRODUCTS = frozenset(
    # "the Windows version of Teal" may be that of Teal for Windows
    ("API", "OS", "App", "SDK", "REST", "The", "UI", "PDF", "CSS", "HTML", "Windows", "Mac", "Linux", "Web", "Desktop")
)


# "MongoDB in the metrics stack is 7.0", "Pandas on the runner is 2.2.1"
_PRODUCT = re.compile(
    r"(?!(?:The )?[Vv]ersion )"
    r"(?:(?P<sure>The [A-Z][a-z][\w.+#-]*|[A-Z][a-z]+(?:[A-Z][A-Za-z]*|\.[a-z]+))|[A-Z][a-z][\w+#-]*) "
    r"(?:of|in|on|for|inside) (?!\S*[\w`][._/]\S)\S"
)
_NUMBERED = re.compile(r"v?\d+(?:\.\d+){1,2}[a-z]?\Z")


# "the log retention of Teal": how long its logs are kept
_MODIFIED = re.compile(
    r"(?:(?:[Tt]he )?(?P<what>[A-Za-z][\w-]*(?: [a-z][\w-]*)?) (?P<noun>retention|retention period|lifetime"
    r"|ttl|TTL|expiry)"
    r"(?: (?:of|for|in|on|at) (?P<of>.+))?|(?P<owner>\S.*?)['’]s (?P<what2>[A-Za-z][\w-]*(?: [a-z][\w-]*)?) "
    r"(?P<noun2>retention|retention period|lifetime|ttl|TTL|expiry))\Z"
)


def _of_kept(claim: Claim, dimension: str) -> Claim | None:
    """Read "the log retention of Teal is 90 days" as how long the logs of Teal are kept."""
    found = _MODIFIED.match(claim.subject) if dimension in ("duration", "months") else None
    if found is None:
        return None
    what, noun = found["what"] or found["what2"], (found["noun"] or found["noun2"]).lower()
    if what.lower() in _NO_OWNERS or what.split()[0].lower() in ("my", "our", "default", "maximum", "minimum"):
        return None
    owner = found["of"] or found["owner"]
    relation = _KEPT if noun.startswith("retention") else _EXPIRES
    return claim._replace(subject=f"{what} of {owner}" if owner else what, relation=relation)


def folded(claim: Claim, written: str, quoted: bool = False) -> Claim:
    """Return a claim under the verb that its noun stands for, or as it is.

    Args:
        claim: A claim of "is".
        written: Its value as written.
        quoted: Whether it stands in quotation marks or backticks.
    """
    subject = claim.subject
    words = lower_words(subject)
    if not EVENTS.isdisjoint(words) and (timed := _when(claim, written)) is not None:
        return timed
    if " version" in subject and (found := _VERSION_OF.match(subject)) is not None:
        name, owner = found["name"] or found["name2"], found["owner"] or found["owner2"]
        if name not in _NO_PRODUCTS:
            return claim._replace(subject=f"{name} of {owner}", relation=_HAS_VERSION, expected="version")
    product = _PRODUCT.match(subject) if "." in written and _NUMBERED.match(written) else None
    if product is not None and (product["sure"] or written.count(".") > 1):
        return claim._replace(relation=_HAS_VERSION, expected="version")
    if _NOUN_WORDS.isdisjoint(words):
        return _of_artefact(claim, written, quoted)
    dimension = canonical_value(written, claim.expected)[1]
    kept = _of_kept(claim, dimension)
    if kept is not None:
        return kept
    match = (
        (_OF.match(subject) if " of " in subject or " for " in subject else None)
        or _MINE.match(subject)
        or (_OWNED.match(subject) if "'s " in subject or "’s " in subject else None)
        or _PLAIN_COMPOUND.match(subject)
        or _COMPOUND.match(subject)
        or _TIME_AT.match(subject)
    )
    if match is None:
        return _of_artefact(claim, written, quoted)
    owner = match["owner"]
    if owner.lower() in _NO_OWNERS:
        return claim
    tail = match.groupdict().get("tail") or ""
    dimension = dimension.partition(":")[0]
    for relation in _BY_NOUN[match["noun"].lower()]:
        if relation.name == "listens on" and claim.rule.startswith("row"):
            continue  # the ports of a record are told apart by it
        kind = relation.noun_kind or relation.slot
        allowed = _EXPECTED.get(kind)
        if allowed is not None and dimension not in allowed:
            continue
        if match.re is _COMPOUND and dimension in ("text", "name", "full name"):
            continue
        owner = _SPEAKERS.get(owner.lower(), owner)
        expected = claim.expected if kind in _KEEPS else "text" if relation.slot in _NAMED_FREELY else relation.slot
        return claim._replace(subject=owner + tail, relation=relation, expected=expected)
    return claim


def _when(claim: Claim, written: str) -> Claim | None:
    """Read "The retro of the team is Friday" as the day that it is on."""
    words = claim.subject.split()
    of = next((n for n, w in enumerate(words) if n and w in ("of", "for", "with", "at", "in")), len(words))
    if words[of - 1] not in EVENTS or claim.expected is not None:
        return None
    dimension = canonical_value(written)[1]
    if dimension.startswith(("weekday", "date", "day")):
        return claim._replace(relation=_IS_ON)
    return claim._replace(relation=_IS_AT) if dimension.startswith("time") else None


def folded_name(subject: str) -> tuple[str, str | None]:
    """Return whose a named role is, and the verb that the role stands for.

    Example:
        >>> folded_name("Alice's employer"), folded_name("the retry limit")
        (('Alice', 'works for'), ('the retry limit', None))
    """
    match = _OF.match(subject) or _MINE.match(subject) or _OWNED.match(subject) or _COMPOUND.match(subject)
    if match is None or match["owner"].lower() in _NO_OWNERS or len(_BY_NOUN[match["noun"].lower()]) > 1:
        return subject, None
    owner = _SPEAKERS.get(match["owner"].lower(), match["owner"])
    return owner + (match.groupdict().get("tail") or ""), _BY_NOUN[match["noun"].lower()][0].name
