"""A text that is one line of code or configuration: "#define MAX 64", "<timeout>30</timeout>", "let depth = 5;".

Only a line that stands alone is read so: within a file its place decides what it means (`sources`).
"""

from __future__ import annotations

import re

from memstrata_integrations.canonical import canonical_value
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.headed import read_headed
from memstrata_integrations.extraction.sentences.lexicon import (
    EVENTS,
    LABELS,
    MEASURES,
    PERSON_ROLES,
    VERSION_NOUNS,
    WORD_ROLES,
)
from memstrata_integrations.extraction.sentences.lone_lines import read_lone_line
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.relations import known
from memstrata_integrations.words import word_set

__all__ = ["read_code_line"]

_LONGEST = 240
_IS = known("is")
_NUMBER_OR_TEXT = r"(?:\"(?P<double>[^\"\n]+)\"|'(?P<single>[^'\n]+)'|(?P<bare>-?\w[\w.+-]*))"
_CODE = re.compile(r"[<=:#-]")
_LINES = tuple(
    re.compile(shape + r"\Z")
    for shape in (
        r"#define (?P<key>[A-Za-z_]\w*) +\(?" + _NUMBER_OR_TEXT + r"\)?(?:\s*(?://|/\*).*)?",
        r"<(?P<key>[A-Za-z][\w.:-]*)(?: (?P<scope>[\w-]+=\"[^\"]*\"))?>(?P<bare>[^<>]+)</(?P=key)>",
        r"<(?P<tag>[A-Za-z][\w.:-]*) (?:name|key|id)=\"(?P<key>[^\"]+)\" value=\"(?P<double>[^\"]+)\" ?/?>",
        r"(?P<typed>(?:[A-Za-z_](?:[\w<>]|::)* )+)\*?(?P<key>[A-Za-z_]\w*)(?:\[\])? = "
        + _NUMBER_OR_TEXT
        + r" ?;?(?:\s*(?://|#).*)?",
        r"(?P<key>[a-z_]\w*): (?:[A-Z]\w+\[[^\]]+\]|\w+ \| None) = " + _NUMBER_OR_TEXT,
        r"\"(?P<key>[A-Za-z_][\w.-]*)\" ?: " + _NUMBER_OR_TEXT + r",?",
        r"ARG (?P<key>[A-Z_]\w*)=" + _NUMBER_OR_TEXT,
        r"(?P<key>--[a-z][\w-]+)[= ]" + _NUMBER_OR_TEXT,
        r"(?P<key>cron|schedule): [\"']?(?P<bare>(?:[\d*/,-]+ ){4}[\d*/,\w-]+)[\"']?",
        r"(?P<key>[A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)+): (?P<bare>[\w/.+-]+)",
    )
)
# Keys that every file has: of what, the line does not say
_OF_ANYTHING = word_set(
    "change-id change-type git-dch topic-id version name id key value type title description x y z i j n path url host "
    "user"
)
# Of these a file holds many
_OF_RECORDS = word_set("artifactid groupid modelversion itemid orderid userid lastmod firstname lastname pubdate")
_PARTS_OF_TAGS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
# What a line does, rather than sets
_ACTS = word_set("return import from del assert raise throw yield await if while for insert update delete select where")
_NOTE = re.compile(r"(?P<key>[A-Za-z][a-z]*(?: [a-z]+){0,2})(?:: | - | – | = |, | at )(?=\S)")
_NOTED = (
    EVENTS
    | MEASURES
    | PERSON_ROLES
    | WORD_ROLES
    | word_set("rent gym vet dentist school wifi bank landlord insurance plumber dinner lunch standup stand-up")
)
_TYPES = word_set(
    "int long short char bool boolean float double string String str byte word number void size_t auto var let const "
    "val static final volatile register unsigned signed public private protected internal readonly constexpr inline "
    "extern global local export declare set setenv define dim my our u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 usize isize "
    "uint int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 decimal integer Integer Long Double "
    "Float Boolean"
)


def _declares(words: list[str]) -> bool:
    """Whether the words before a name declare it: "static const int", and not "the staging config has"."""
    typed = [w for w in words if w in _TYPES or w.endswith("_t") or "<" in w or "::" in w]
    return bool(typed) and all(w in typed or w[0].isupper() for w in words)


def _is_setting(tag: str, value: str) -> bool:
    """Whether an element sets something: "<poolTimeout>30</poolTimeout>", and not a piece of a page or of a feed."""
    words = _PARTS_OF_TAGS.findall(tag)
    if " " in value or tag.lower() in _OF_RECORDS:
        return False
    if len(words) < 2 and words[-1:] and words[-1].lower() not in MEASURES | VERSION_NOUNS | {"port"}:
        return False
    found = find_typed(value, 0, len(value))
    typed = found is not None and found[2] == len(value) and found[3] in ("number", "boolean", "technical")
    return "." in tag or typed


def read_code_line(text: str) -> Claim | None:
    """Read a text of one line; the places of the claim are those of `text`."""
    start = len(text) - len(text.lstrip())
    line = text.strip()
    if not line or "\n" in line or len(line) > _LONGEST:
        return None
    if (lone := read_lone_line(line) or read_headed(line)) is not None:
        return lone._replace(start=start + lone.start, end=start + lone.end)
    for shape in _LINES if _CODE.search(line) else ():
        match = shape.match(line)
        if match is None:
            continue
        given = match.groupdict()
        if given.get("typed") and not _declares(given["typed"].split()):
            return None
        if match["key"].lower() in _OF_ANYTHING or line.split(" ", 1)[0].lower() in _ACTS:
            return None
        if line.endswith(f"</{match['key']}>") and not _is_setting(match["key"], match["bare"].strip()):
            return None
        group = next(g for g in ("double", "single", "bare") if given.get(g))
        subject = f"{match['key']} of {given['scope']}" if given.get("scope") else match["key"]
        return Claim(
            subject, _IS, start + match.start(group), start + match.end(group), "code line", "setting", local=True
        )
    note = _NOTE.match(line)
    if note is None or note["key"].lower().split()[0] in LABELS or note["key"].split()[-1].lower() not in _NOTED:
        return None
    found = find_typed(line, note.end(), len(line))
    if found is None or found[2] != len(line.rstrip(".")) or found[3] not in ("number", "date"):
        return None
    kind = canonical_value(line[found[0] : found[1]])[1].partition(":")[0]
    at = line[note.end("key") : note.end()] in (", ", " at ")
    if kind == "number" or (at and kind not in ("time", "weekday", "date", "day")):
        return None
    return Claim(note["key"].lower(), _IS, start + found[0], start + found[1], "note", local=True)
