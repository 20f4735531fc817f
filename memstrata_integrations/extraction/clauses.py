"""A sentence of prose: the one governed verb, its subject and its value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from memstrata_integrations.canonical import canonical_value, is_identifier
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.lexicon import (
    ACRONYMS,
    ANAPHORIC,
    ARTEFACTS,
    CONFIG_NOUNS,
    CONJUNCTIONS,
    COUNTRIES,
    DEICTIC,
    DEMONYMS,
    EMBEDDING,
    FINITE_VERBS,
    IMPERATIVES,
    MANY_ROLES,
    PREPOSITIONS,
    SUBJECT_STOPPERS,
    THINGS,
    UNASSERTED,
)
from memstrata_integrations.extraction.slots import find_typed, qualifiers
from memstrata_integrations.relations import ADVERBS, VERBS, Relation
from memstrata_integrations.units import NUMBER_WORDS

__all__ = ["masked", "read_sentence", "subject_is_sound"]

_TOKEN = re.compile(r"\S+")
_QUOTATION = re.compile(r"(?<![\w’'])(?:'[^'\n]*'|\"[^\"]*\"|`[^`]*`|“[^”]*”|‘[^’]*’)(?!\w)")
_OPENING, _CLOSING = "([{<", ")]}>"
_MASK = "¤"
_TRIM = "\"'`()[]{}.,;:!?“”‘’"
_DESCRIBED = "described as:"
_MAX_SUBJECT_WORDS = 16
_SPEC = re.compile(r"[<>=!~^]{1,3} ?[\w.*+!-]+(?:, ?(?:[<>=!~^]{1,3} ?[\w.*+!-]+)?)*(?=[\s)]|\Z)")
_PIN = re.compile(r"(?:v?\d[\w.*+!-]*|latest|stable|[0-9a-f]{7,40}|[a-z]*\d[\w.+-]*|[a-z]+-\d[\w.+-]*)(?=[\s,)]|\Z)")
_PHONE = re.compile(r"\+?\(?\d{1,4}\)?(?:[-. ]\d{2,5}){1,5}(?=[\s,)]|\Z)")
_NAMING = frozenset(("identifier", "address"))
_TIMES = frozenset(("time", "date", "day", "weekday"))
_PORT = re.compile(r"(?:TCP |UDP )?(?:port )?(\d{2,5})(?=[\s,)]|\Z)", re.IGNORECASE)
_STREET = re.compile(r"\d+[A-Za-z]?(?: [A-Z][\w.'’-]*)+(?:, [A-Z][\w.'’-]*(?: [A-Z0-9][\w.'’-]*)*)*(?=\Z)")
_PLACE = re.compile(r"[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*)*(?:, [A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*)*)*(?=[\s]|\Z)")
_GROUP = re.compile(r"(?:the |our )((?:[\w-]+ ){1,3}(?:team|group|squad|department|guild|crew|office))(?=[\s,)]|\Z)")
_NAMED = re.compile(r"[A-Za-z_][\w.$-]*(?:\(\))?(?=[\s,)]|\Z)")


class _Verb(NamedTuple):
    start: int
    end: int
    relation: Relation
    words: int


def masked(text: str) -> str:
    """Replace what stands in quotation marks or brackets, each character by one mark.

    Linear; a bracket that is never closed hides nothing.
    """
    if any(q in text for q in "'\"`“‘"):
        text = _QUOTATION.sub(lambda m: _MASK * len(m[0]), text)
    if any(b in text for b in _OPENING):
        depth, opened = 0, 0
        spans: list[tuple[int, int]] = []
        for n, char in enumerate(text):
            if char in "([{":
                if depth == 0:
                    opened = n
                depth += 1
            elif char in ")]}" and depth:
                depth -= 1
                if depth == 0:
                    spans.append((opened, n + 1))
        pieces, pos = [], 0
        for start, end in spans:
            pieces += [text[pos:start], _MASK * (end - start)]
            pos = end
        text = "".join(pieces) + text[pos:]
    return text


def read_sentence(text: str, start: int, end: int) -> Claim | None:
    """Read the fact that a sentence states.

    Args:
        text: The whole text.
        start: Where the sentence starts.
        end: Where it ends, its full stop left out.

    Returns:
        The claim, or `None` when the sentence states no single current value.
    """
    sentence = text[start:end]
    hidden = masked(sentence)
    described = hidden.find(_DESCRIBED)
    verbs = list(_verbs(hidden))
    if not verbs:
        return None
    if described >= 0:
        verbs = [v for v in verbs if v.words > 1 and v.start > described]
        if not verbs:
            return None
        verb = verbs[-1]
        hidden = hidden[:described] + _MASK * (verb.start - described - 1) + hidden[verb.start - 1 :]
    else:
        governing = _governing(verbs)
        if governing is None:
            return None
        verb = governing
    if verb.relation.cardinality != "functional":
        return None
    subject = sentence[: verb.start].strip()
    # "open pin in package.json is pinned to 1" opens with no order: a name stands before such a verb
    strong = verb.words > 1 and _technical(subject)
    if not subject_is_sound(hidden[: verb.start], subject, EMBEDDING if strong else IMPERATIVES):
        return None
    pos = verb.end
    while pos < len(sentence) and sentence[pos] in " \t\n":
        pos += 1
    return _complement(text, sentence, subject, verb, start, pos)


def _verbs(hidden: str) -> Iterator[_Verb]:
    tokens = [(m.start(), m.end(), m[0].lower()) for m in _TOKEN.finditer(hidden)]
    n = 0
    while n < len(tokens):
        start, _, word = tokens[n]
        entries = VERBS.get(word)
        if entries is None or (word == "am" and (not n or tokens[n - 1][2] != "i")):  # "9:30 am"
            n += 1
            continue
        after = n + 1
        while after < len(tokens) and tokens[after][2] in ADVERBS:
            after += 1
        for rest, relation in entries:
            stop = after + len(rest)
            if stop == len(tokens) and relation.slot == "time":  # "debug mode is on"
                continue
            if stop <= len(tokens) and all(tokens[after + k][2] == w for k, w in enumerate(rest)):
                last = tokens[stop - 1][1]
                yield _Verb(start, last, relation, 1 + len(rest))
                n = stop
                break
        else:
            n += 1


def _governing(verbs: list[_Verb]) -> _Verb | None:
    """Return the verb that governs the sentence, `None` if several could."""
    if len(verbs) == 1:
        return verbs[0]
    strong = [v for v in verbs if v.words > 1 and v.relation.cardinality == "functional"]
    if strong:
        verb = strong[-1]
        # a technical subject may hold words that look like verbs ("uses", "imports"), never "is"
        others = [v for v in verbs if v is not verb]
        if all(o.end <= verb.start and o.words == 1 and o.relation.cardinality != "functional" for o in others):
            return verb
        return None
    return None


def subject_is_sound(hidden: str, subject: str, openers: frozenset[str] = IMPERATIVES) -> bool:
    """Whether a subject names one thing, in words that assert."""
    words = hidden.split()
    if not words or len(words) > _MAX_SUBJECT_WORDS:
        return False
    first = words[0].strip(_TRIM).lower()
    comma = hidden.find(",")
    if comma >= 0:
        # a fronted adjunct, and nothing else, may end in a comma
        if first not in PREPOSITIONS or "," in hidden[comma + 1 :] or comma > 60:
            return False
        head = hidden[comma + 1 :].split()
        if not head or head[0].lower() in SUBJECT_STOPPERS:
            return False
    elif first in PREPOSITIONS:
        return False
    if (first in openers or first in SUBJECT_STOPPERS) and not is_identifier(words[0].strip(_TRIM)):
        return False
    if first in NUMBER_WORDS and openers is IMPERATIVES:
        return False
    if len(words) <= 2 and words[-1].strip(_TRIM).lower() in ANAPHORIC:
        return False
    for word in words:
        bare = word.strip(_TRIM).lower()
        if bare in UNASSERTED or bare in DEICTIC or bare in CONJUNCTIONS or bare in FINITE_VERBS:
            return False
        if bare in SUBJECT_STOPPERS and bare != "a" and bare != "an":
            return False
        if word[-1] in ";:!?" or (word[-1] == "." and len(word) > 4):
            return False
    if words[-1].lower() in PREPOSITIONS or words[-1] in ("the", "a", "an"):
        return False
    return bool(subject.strip(_TRIM + " "))


def _technical(subject: str) -> bool:
    """Whether a subject is the name of something in code or in a file."""
    return any(is_identifier(w.strip(_TRIM)) for w in subject.split())


def _complement(text: str, sentence: str, subject: str, verb: _Verb, base: int, pos: int) -> Claim | None:
    relation = verb.relation
    end = len(sentence)
    if pos >= end:
        return None
    slot = relation.slot
    technical = _technical(subject)
    surface = " ".join(sentence[verb.start : verb.end].lower().split())
    assigned = relation.name == "is" and verb.words > 1
    found: tuple[int, int, int] | None = None
    if slot == "version":
        found = _first(_SPEC, sentence, pos, end) or _first(_PIN, sentence, pos, end)
    elif slot == "port":
        port = _PORT.match(sentence, pos, end)
        found = (port.start(1), port.end(1), port.end()) if port else None
        found = found or _typed(sentence, pos, end, ("technical",))
    elif slot == "address":
        found = _first(_STREET, sentence, pos, end) or _typed(
            sentence, pos, end, ("quoted", "technical", "name", "number")
        )
        if found is None and sentence[pos] in "/^~.":
            stop = sentence.find(" ", pos)
            stop = end if stop < 0 else stop
            found = (pos, stop, stop)
    elif slot == "place":
        found = _first(_PLACE, sentence, pos, end)
    elif slot == "name":
        group = _GROUP.match(sentence, pos, end)
        found = (group.start(1), group.end(1), group.end()) if group else None
        found = found or _typed(sentence, pos, end, ("quoted", "technical", "name"))
    elif slot == "identifier":
        found = _typed(sentence, pos, end, ("quoted", "technical", "name"))
        if found is None and technical:
            found = _first(_NAMED, sentence, pos, end)
    elif slot == "time":
        found = _typed(sentence, pos, end, ("number", "date"))
        if found and canonical_value(sentence[found[0] : found[1]])[1] not in _TIMES:
            return None
    else:
        found = _stated(sentence, subject, pos, end, assigned, technical)
    tail = qualifiers(sentence[found[2] :]) if found else None
    if found is None or tail is None:
        if not technical or verb.words == 1 or slot not in ("typed", "address", "version"):
            return None
        free = _free(sentence, pos, end)
        if free is None:
            return None
        found, tail = free, ""
    if subject[:11].lower() == "by default,":
        subject = f"{subject[11:].strip()} of default"
    if relation.slot in _NAMING and _is_bare_artefact(subject, tail):
        return None
    if relation.name == "is" and not _stands_alone(sentence[found[0] : found[1]]) and _is_bare_artefact(subject, tail):
        return None
    whole = f"{subject} {tail}" if tail else subject
    expected = _expected(slot, sentence[found[0] : found[1]])
    return Claim(whole, relation, base + found[0], base + found[1], f"clause: {surface}", expected)


def _is_bare_artefact(subject: str, tail: str) -> bool:
    """Whether a subject is one of many: "the function", "the file"."""
    words = [w for w in subject.lower().split() if w not in ("the", "our", "my")]
    return not tail and len(words) == 1 and words[0] in ARTEFACTS


def _stands_alone(value: str) -> bool:
    """Whether a value is a measure rather than a name."""
    return canonical_value(value)[1] not in ("text", "identifier", "name", "path", "endpoint", "url")


def _first(pattern: re.Pattern[str], sentence: str, pos: int, end: int) -> tuple[int, int, int] | None:
    match = pattern.match(sentence, pos, end)
    return (match.start(), match.end(), match.end()) if match else None


def _typed(sentence: str, pos: int, end: int, kinds: tuple[str, ...]) -> tuple[int, int, int] | None:
    found = find_typed(sentence, pos, end)
    return found[:3] if found and found[3] in kinds else None


def _stated(
    sentence: str, subject: str, pos: int, end: int, assigned: bool, technical: bool
) -> tuple[int, int, int] | None:
    """Return the value after "is", "is set to" and their like."""
    words = [w.strip(_TRIM) for w in subject.split()]
    if any(w.lower() in ("phone", "fax", "mobile") for w in words):
        return _first(_PHONE, sentence, pos, end)
    found = find_typed(sentence, pos, end)
    last = next((w.lower() for w in reversed(words) if w.lower() not in PREPOSITIONS), "")
    configured = technical or assigned or any(w.lower() in CONFIG_NOUNS for w in words)
    if found is None:
        token = _first(_NAMED, sentence, pos, end)
        if assigned and configured and (technical or last in CONFIG_NOUNS) and token and token[1] == end:
            return token
        return None
    kind = found[3]
    value = sentence[found[0] : found[1]]
    if kind == "quoted" and canonical_value(value)[1] not in ("text", "identifier", "name"):
        kind = "number"
    mentioned = technical or any(q in subject for q in '`"“')
    role = _is_role(words)
    if kind == "boolean":
        return found[:3] if configured or value.lower() in ("enabled", "disabled") else None
    if kind in ("name", "quoted", "technical"):
        if kind == "name" and not (role or technical or assigned):
            return None
        heads = [w.lower() for w in _head_phrase(words)]
        if role and not mentioned and any(w in MANY_ROLES or w.removesuffix("s") in MANY_ROLES for w in heads):
            return None
        if kind == "name" and not technical and any(w in THINGS for w in heads):
            return None
        return found[:3] if role or technical or assigned or kind == "technical" else None
    if kind == "number" and not role and not technical and value.replace(",", "").replace(".", "").isdigit():
        return None  # "Alice is 30", "Redis is 7.2": nothing says what the number is
    return found[:3]


def _is_role(words: list[str]) -> bool:
    """Whether the subject names a role that something fills: "the mayor of X", "our CI", "X's manager"."""
    return any(w.islower() and w not in PREPOSITIONS and w not in ("the", "a", "an") for w in words) or (
        len(words) > 1 and (words[-1].lower() in ACRONYMS or words[0].lower() in ("the", "our", "my"))
    )


def _head_phrase(words: list[str]) -> list[str]:
    """Return the words that may be the head noun: the last before a preposition, and the last of all."""
    for n, word in enumerate(words):
        if word.lower() in PREPOSITIONS and n:
            return [words[n - 1]]
    return words[-1:]


def _free(sentence: str, pos: int, end: int) -> tuple[int, int, int] | None:
    """Take the whole rest as the value of a technical subject, unless it goes on talking."""
    for token in _TOKEN.finditer(masked(sentence[pos:end])):
        bare = token[0].strip(_TRIM)
        if bare in UNASSERTED or bare in PREPOSITIONS or bare in DEICTIC or bare in ("and", "or", "but", "because"):
            return None
    return pos, end, end


def _expected(slot: str, value: str) -> str | None:
    if slot in ("typed", "free", "address", "time"):
        return None
    if slot == "place":
        return "country" if value.rpartition(" ")[2].lower() in COUNTRIES and "," not in value else "place"
    if slot == "name" and value.lower() in DEMONYMS:
        return "text"
    return slot
