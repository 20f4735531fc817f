"""The signature of something in code: what it returns, takes and raises, and of which type it is.

"`load()` returns a list", "The `weight` field of a parcel is a number", "`read()` raises `Lost` on a bad checksum",
"`parse()` takes two arguments". One may raise several errors, but of one cause one.
"""

from __future__ import annotations

import re

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.clauses import subject_is_sound
from memstrata_integrations.extraction.sentences.complements import masked, words_of
from memstrata_integrations.extraction.sentences.lexicon import CONJUNCTIONS, DEICTIC, UNASSERTED
from memstrata_integrations.extraction.sentences.role_words import head_phrase
from memstrata_integrations.extraction.sentences.slots import find_typed, qualifiers
from memstrata_integrations.relations import known
from memstrata_integrations.words import word_set

__all__ = ["SIGNATURE_WORDS", "read_signature"]

_LONGEST = 220
_TRIM = "\"'`()[]{}.,;:!?“”‘’"
_THUS, _COUNTS = known("is done thus"), known("has in number")
_TYPE_WORDS = (
    r"(?:string|str|number|integer|int|float|double|decimal|Decimal|bool|boolean|Boolean|list|tuple|dict|dictionary|set"
    r"|frozenset|array|object|map|mapping|bytes|generator|iterator|iterable|stream|enum|struct|union|date|datetime"
    r"|timestamp|UUID|uuid|promise|Promise|future|coroutine|text|varchar|bigint|smallint|jsonb?|blob"
    r"|dataclass|named tuple|namedtuple|DataFrame|Series|[A-Z]\w*\[[^\s]+\]|list of [a-z]+|array of [a-z]+)"
)
_UNTIL = r"(?=\Z| (?:in|on|for|of|by|as) )"
_A_TYPE = rf"(?:an? |of type )?[`'\"]?(?P<value>{_TYPE_WORDS}(?:\(\d+(?:, ?\d+)?\))?)[`'\"]?{_UNTIL}"
_RETURNS = re.compile(r" (?:returns|yields|resolves to) (?=\S)")
_RETURNS_WHAT = re.compile(r"Returns (?P<what>(?:the|its) [a-z][\w -]*?) (?:as|in) (?=an? )")
_TYPE = re.compile(
    rf"{_A_TYPE}|an? [`'\"]?(?P<named>[A-Z]\w+(?: object| instance)?)[`'\"]?{_UNTIL}"
    rf"|an? (?P<sort>(?:empty|nested|sorted) {_TYPE_WORDS}){_UNTIL}|`?(?P<none>None|null|True|False)`?(?= on )"
)
_BARE = re.compile(r"`?(?P<bare>(?!None\b|True\b|False\b)[A-Z]\w*[a-z]\w*)`?\Z")  # "The return type is Decimal"
_EXTENDS = re.compile(r" (?P<verb>extends|subclasses|inherits from|derives from) (?=[`\"'A-Z])")
_FIELD_IS = re.compile(r"(?:[Tt]he |[Oo]ur )?\S.*? (?:is|are) (?:stored as |typed as |declared as )?(?=\S)")
_FIELD_HEADS = word_set(
    "field column attribute property parameter argument key member variable value return payload body element slot"
)
_TYPE_OF = re.compile(r"(?:The )?(?P<kind>return )?(?:[a-z]+ )?type of (?P<what>\S.{0,80}?) is (?=\S)")
_RAISES = re.compile(r" (?P<verb>raises|throws|fails with|panics with) (?=\S)")
_CONDITION = re.compile(r" (?:when|if|on|for|once|unless|after) (?P<words>\S+ \S.{2,80})\Z")
_TAKES = re.compile(
    r" (?:takes|accepts|expects|requires|needs) (?=(?:exactly )?(?:\d+|one|two|three|four|five|six"
    r"|no) [a-z ]*arguments?\b)"
)
_ARGUMENTS = re.compile(
    r"(?:exactly )?(?P<value>\d+|one|two|three|four|five|six) (?P<kind>(?:[a-z-]+ )?arguments?)(?=\Z| )"
)
SIGNATURE_WORDS = _FIELD_HEADS | word_set(
    "returns yields Returns resolves type raises throws fails panics takes accepts expects requires needs extends "
    "subclasses inherits derives"
)


def read_signature(core: str) -> Claim | None:
    """Read what something in code returns, takes, raises or is; the places of the claim are those of `core`."""
    if len(core) > _LONGEST:
        return None
    hidden = masked(core)
    if SIGNATURE_WORDS.isdisjoint(words_of(hidden)):
        return None
    return (
        _returns(core, hidden)
        or _type_of(core, hidden)
        or _raises(core, hidden)
        or _takes(core, hidden)
        or _extends(core, hidden)
    )


def _claim(subject: str, span: tuple[int, int], rule: str, expected: str = "text") -> Claim | None:
    return Claim(subject, _THUS, *span, rule, expected)


def _subject(core: str, hidden: str, end: int) -> str | None:
    """Return what stands before a verb, if it names one thing."""
    subject = core[:end].strip()
    return subject if subject_is_sound(hidden[:end], subject) else None


def _coded(subject: str) -> bool:
    """Whether a subject is something in code: "`load()`", "The `load` function"."""
    return "`" in subject or any(is_identifier(w.strip(_TRIM)) or w.endswith("()") for w in subject.split())


def _quiet(words: str) -> bool:
    return not any(
        (bare := w.strip(_TRIM).lower()) in UNASSERTED or bare in DEICTIC or bare in CONJUNCTIONS for w in words.split()
    )


def _returns(core: str, hidden: str) -> Claim | None:
    """Read "`load()` returns a list" and "Returns the tide as a float"."""
    match = _RETURNS_WHAT.match(core)
    if match is not None:
        subject: str | None = match["what"]
    elif (match := _RETURNS.search(hidden)) is not None:
        subject = _subject(core, hidden, match.start())
        if subject is None or not _coded(subject):
            return None
    else:
        return None
    return _typed(core, match.end(), f"return type of {subject}", "signature: returns", bare=True)


def _typed(core: str, pos: int, subject: str, rule: str, *, bare: bool = False) -> Claim | None:
    found = _TYPE.match(core, pos) or (_BARE.match(core, pos) if bare else None)
    tail = qualifiers(core[found.end() :]) if found else None
    if found is None or tail is None:
        return None
    kind = next(group for group, said in found.groupdict().items() if said is not None)
    return _claim(f"{subject} {tail}".strip(), found.span(kind), rule)


def _type_of(core: str, hidden: str) -> Claim | None:
    """Read "The `weight` field of a parcel is a number" and "The type of `due_at` is integer"."""
    match = _TYPE_OF.match(hidden)
    if match is not None:
        what = core[slice(*match.span("what"))]
        return (
            _typed(core, match.end(), f"{match['kind'] or ''}type of {what}", "signature: type", bare=True)
            if _quiet(hidden[: match.start("what")])
            else None
        )
    match = _FIELD_IS.match(hidden)
    if match is None:
        return None
    at = max(hidden.rfind(" is ", 0, match.end()), hidden.rfind(" are ", 0, match.end()))
    subject = core[:at].strip()
    words = [w.strip(_TRIM).lower() for w in subject.split()]
    heads = head_phrase(words)
    if not _coded(subject) or heads[0] not in _FIELD_HEADS or not subject_is_sound(hidden[:at], subject):
        return None
    return _typed(core, match.end(), f"type of {subject}", "signature: type")


def _raises(core: str, hidden: str) -> Claim | None:
    """Read "`read()` raises `Lost` on a bad checksum": of one cause, one error."""
    match = _RAISES.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    if match is None or subject is None or not _coded(subject):
        return None
    found = find_typed(core, match.end(), len(core))
    if found is None or found[3] not in ("quoted", "technical", "name"):
        return None
    cause = _CONDITION.match(core, found[2])
    if cause is None or not _quiet(cause["words"]):
        return None
    return _claim(f"{match['verb']} {subject} with {cause['words']}", (found[0], found[1]), "signature: raises")


def _takes(core: str, hidden: str) -> Claim | None:
    """Read "`parse()` takes two arguments"."""
    match = _TAKES.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    found = _ARGUMENTS.match(core, match.end()) if match else None
    if match is None or subject is None or found is None or not _coded(subject):
        return None
    if core[found.end() :].strip():
        return None
    kind = found["kind"].removesuffix("s")
    return Claim(f"{kind}s of {subject}", _COUNTS, *found.span("value"), "signature: arguments", "number")


def _extends(core: str, hidden: str) -> Claim | None:
    """Read "The class `Tray` extends `Device`"."""
    match = _EXTENDS.search(core)
    subject = _subject(core, hidden, match.start()) if match else None
    found = find_typed(core, match.end(), len(core)) if match else None
    if match is None or subject is None or found is None or found[3] not in ("quoted", "technical"):
        return None
    if core[found[2] :].strip() or not (_coded(subject) or " class" in subject):
        return None
    return _claim(f"base class of {subject}", (found[0], found[1]), "signature: extends")
