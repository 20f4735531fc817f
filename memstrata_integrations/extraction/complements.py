"""What governs after a verb: the one value in its slot."""

from __future__ import annotations

import re
from typing import NamedTuple

from memstrata_integrations.canonical import canonical_value, is_identifier
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.lexicon import (
    ACRONYMS,
    ARTEFACTS,
    CODE_NOUNS,
    CONFIG_NOUNS,
    COUNTRIES,
    DEICTIC,
    DEMONYMS,
    MANY_ROLES,
    PERSON_ROLES,
    PHONES,
    PREPOSITIONS,
    SOLE,
    THINGS,
    UNASSERTED,
)
from memstrata_integrations.extraction.opinions import MEASURED
from memstrata_integrations.extraction.slots import find_typed, qualifiers
from memstrata_integrations.relations import Relation
from memstrata_integrations.words import singular, word_set

__all__ = ["Verb", "code_of", "expected_place", "is_technical", "masked", "read_complement"]

_TOKEN = re.compile(r"\S+")
_QUOTATION = re.compile(r"(?<![\w’'])(?:'[^'\n]*'|\"[^\"]*\"|`[^`]*`|“[^”]*”|‘[^’]*’)(?!\w)")
_OPENING, _CLOSING = "([{<", ")]}>"
_MASK = "¤"
_TRIM = "\"'`()[]{}.,;:!?“”‘’"
_SPEC = re.compile(r"[<>=!~^]{1,3} ?[\w.*+!-]+(?:, ?(?:[<>=!~^]{1,3} ?[\w.*+!-]+)?)*(?=[\s)]|\Z)")
_PIN = re.compile(r"(?:v?\d[\w.*+!-]*|latest|stable|[0-9a-f]{7,40}|[a-z]*\d[\w.+-]*|[a-z]+-\d[\w.+-]*)(?=[\s,)]|\Z)")
_PHONE = re.compile(r"\+?\(?\d{1,4}\)?(?:[-. ](?:\(0\) ?)?\(?\d{2,8}\)?){1,5}(?=[\s,)]|\Z)")
_CODE = re.compile(r"(?=[\w/#.-]*\d)[#A-Za-z0-9][\w/-]*(?=[\s,)]|\Z)")
_LOWER_NAME = re.compile(r"[a-z]{2,}(?:-[a-z]{2,})+(?=[\s,)]|\Z)")
_LEVEL = re.compile(
    r"(?:debug|info|warn|warning|error|critical|trace|verbose|notice|fatal)(?=[\s,)]|\Z)", re.IGNORECASE
)
_THE_NAME = re.compile(r"(?:the |The )(?=[A-Z])")
_NAMING = frozenset(("identifier", "address"))
_MEASURED_SLOTS = {
    "time": frozenset(("time", "date", "day", "weekday")),
    "moment": frozenset(("time", "date", "day", "weekday")),
    "duration": frozenset(("duration", "months", "m")),
}
_SCHEDULED = word_set(
    "my our first final early late morning noon afternoon evening night overnight nightly daily weekly monthly"
)
_FILES = frozenset(("path", "url"))
_PORT = re.compile(r"(?:TCP |UDP )?(?:port )?(\d{2,5})(?=[\s,)]|\Z)", re.IGNORECASE)
_STREET = re.compile(r"\d+[A-Za-z]?(?: [A-Z][\w.'’-]*)+(?:, [A-Z][\w.'’-]*(?: [A-Z0-9][\w.'’-]*)*)*(?=\Z)")
_PLACE = re.compile(r"[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*)*(?:, [A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*)*)*(?=[\s]|\Z)")
_GROUP = re.compile(r"(?:the |our )((?:[\w-]+ ){1,3}(?:team|group|squad|department|guild|crew|office))(?=[\s,)]|\Z)")
_NAMED = re.compile(r"[A-Za-z_][\w.$-]*(?:\(\))?(?=[\s,)]|\Z)")


class Verb(NamedTuple):
    """A verb of the vocabulary in a sentence, and of how many words it is."""

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


def is_technical(subject: str) -> bool:
    """Whether a subject is the name of something in code or in a file."""
    return any(is_identifier(w.strip(_TRIM)) for w in subject.split())


def read_complement(sentence: str, subject: str, verb: Verb, base: int, pos: int) -> Claim | None:
    """Read what stands after the verb of a sentence.

    Args:
        sentence: The sentence, its full stop left out.
        subject: What stands before the verb.
        verb: The verb.
        base: Where the sentence starts in its text.
        pos: Where the complement starts in the sentence.
    """
    relation = verb.relation
    end = len(sentence)
    if pos >= end:
        return None
    slot = relation.slot
    if slot == "none":
        return None
    technical = is_technical(subject)
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
        if found and canonical_value(sentence[found[0] : found[1]])[1].partition(":")[0] in _MEASURED_SLOTS["time"]:
            return None  # "Meals are served at 12:00"
        if found is None and sentence[pos] in "/^~.":
            stop = sentence.find(" ", pos)
            stop = end if stop < 0 else stop
            found = (pos, stop, stop)
    elif slot == "place":
        found = _first(_PLACE, sentence, pos, end) or _typed(sentence, pos, end, ("quoted", "technical"))
        if found and not sentence[found[0]].isupper() and "/" not in sentence[found[0] : found[1]]:
            return None
    elif slot == "name":
        group = _GROUP.match(sentence, pos, end)
        found = (group.start(1), group.end(1), group.end()) if group else None
        article = _THE_NAME.match(sentence, pos, end)
        found = found or _typed(sentence, article.end() if article else pos, end, ("quoted", "technical", "name"))
    elif slot == "identifier":
        found = _typed(sentence, pos, end, ("quoted", "technical", "name"))
        if found is None and technical:
            found = _first(_NAMED, sentence, pos, end)
    elif slot == "free":
        group = _GROUP.match(sentence, pos, end)
        found = (group.start(1), group.end(1), group.end()) if group else None
        found = found or _typed(sentence, pos, end, ("quoted", "technical", "name", "number", "date"))
    elif slot == "file":
        found = _typed(sentence, pos, end, ("quoted", "technical"))
        if found and not _is_file(sentence[found[0] : found[1]], sentence[found[0] - 1] == "`"):
            return None
    elif slot == "measure":
        found = _typed(sentence, pos, end, ("number",))
    elif slot == "team":
        group = _GROUP.match(sentence, pos, end)
        found = (group.start(1), group.end(1), group.end()) if group else None
        found = found or (_typed(sentence, pos, end, ("name",)) if sentence.startswith("Team ", pos) else None)
    elif slot in _MEASURED_SLOTS:
        if slot == "moment" and not _is_scheduled(subject):
            return None
        found = _typed(sentence, pos, end, ("number", "date"))
        if found and canonical_value(sentence[found[0] : found[1]])[1].partition(":")[0] not in _MEASURED_SLOTS[slot]:
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
    value = sentence[found[0] : found[1]]
    expected = _expected(slot, value)
    if slot == "typed" and relation.name == "is":
        expected = _of_role(subject, value)
    return Claim(whole, relation, base + found[0], base + found[1], f"clause: {surface}", expected)


def _is_scheduled(subject: str) -> bool:
    """Whether a subject happens once a day or is one of its kind: "the night train", "line 4", "my flight"."""
    return any(
        w.lower() in _SCHEDULED or w.endswith(("'s", "’s")) or any(c.isdigit() for c in w) for w in subject.split()
    )


def _is_file(value: str, quoted: bool) -> bool:
    """Whether a value says where code lives: a path, or a dotted name in backticks; never "Go" or "Node.js"."""
    return canonical_value(value)[1] in _FILES or (quoted and ("." in value or "::" in value) and " " not in value)


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
    coded = code_of(words)
    if coded == "phone":
        return _first(_PHONE, sentence, pos, end)
    if coded and (code := _first(_PHONE, sentence, pos, end) or _first(_CODE, sentence, pos, end)):
        return code
    if [w.lower() for w in _head_phrase(words)] == ["address"] and (house := _first(_STREET, sentence, pos, end)):
        return house
    found = find_typed(sentence, pos, end)
    last = next((w.lower() for w in reversed(words) if w.lower() not in PREPOSITIONS), "")
    configured = technical or assigned or any(w.lower() in CONFIG_NOUNS for w in words)
    if found is None:
        token = _first(_NAMED, sentence, pos, end)
        if assigned and configured and (technical or last in CONFIG_NOUNS) and token and token[1] == end:
            return token
        heads = [w.lower() for w in _head_phrase(words)]
        if any(h in PERSON_ROLES for h in heads) and (group := _GROUP.match(sentence, pos, end)):
            return group.start(1), group.end(1), group.end()
        if "level" in heads:
            return _first(_LEVEL, sentence, pos, end)
        if "default" in (w.lower() for w in words[:-1]) and any(h in CONFIG_NOUNS for h in heads):
            return _first(_LOWER_NAME, sentence, pos, end)
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
        sole = any(w.lower() in SOLE for w in words)
        if role and not mentioned and not sole and any(_is_many(w) for w in heads):
            return None
        if role and not technical and any(_is_plural(w) for w in heads):
            return None  # "the owners are Alice": perhaps of several
        ranked = any(w.lower() in MEASURED for w in words)
        if kind == "name" and not technical and not ranked and any(w in THINGS for w in heads):
            return None
        return found[:3] if role or technical or assigned or kind == "technical" else None
    if kind == "number" and not role and not technical and value.replace(",", "").replace(".", "").isdigit():
        return None  # "Alice is 30", "Redis is 7.2": nothing says what the number is
    return found[:3]


def _is_many(word: str) -> bool:
    return word in MANY_ROLES or word.removesuffix("s") in MANY_ROLES


def _is_plural(word: str) -> bool:
    return singular(word) != word and word not in ("headquarters", "series", "premises")


def code_of(words: list[str]) -> str | None:
    """Name what a subject numbers things with: "phone", "code", or `None`.

    "The flat number" is a code, "the number of flats" a count.
    """
    heads = [w.lower() for w in _head_phrase(words)]
    lower = [w.lower() for w in words]
    if any(w in PHONES for w in lower) and any(w in PHONES or w == "number" for w in heads):
        return "phone"
    if "of" in lower and heads[-1] in ("number", "count"):
        return None
    return "code" if heads and heads[-1] in CODE_NOUNS and len(words) > 1 else None


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


def _of_role(subject: str, value: str) -> str | None:
    """Return what the head noun of a subject expects, if anything."""
    words = [w.strip(_TRIM) for w in subject.split()]
    coded = code_of(words)
    if coded:
        return "phone" if _PHONE.fullmatch(value) and sum(c.isdigit() for c in value) > 6 else coded
    heads = [w.lower() for w in _head_phrase(words)]
    owned = [w.lower().removesuffix("'s").removesuffix("’s") for w in words if w.endswith(("'s", "’s"))]
    if heads == ["name"] and any(w in PERSON_ROLES for w in owned):
        return "name"
    if any(h.rpartition("-")[2] in PERSON_ROLES for h in heads):
        return "text" if value.lower() in DEMONYMS else "name"
    return "address" if heads == ["address"] and " " in value else None


def _expected(slot: str, value: str) -> str | None:
    if slot in ("typed", "free", "time", "moment", "duration", "measure"):
        return None
    if slot == "place":
        return "file" if "/" in value else expected_place(value)
    if slot == "team":
        return "name"
    if slot == "name" and value.lower() in DEMONYMS:
        return "text"
    return slot


def expected_place(value: str) -> str:
    """Return whether a place is a country, which no town can replace."""
    return "country" if value.rpartition(" ")[2].lower() in COUNTRIES and "," not in value else "place"
