"""A text that is one line of code or configuration: "#define MAX 64", "<timeout>30</timeout>", "let depth = 5;".

Only a line that stands alone is read so: within a file its place decides what it means (`sources`).
"""

from __future__ import annotations

import re

from memstrata_integrations.canonical import canonical_value
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.lexicon import EVENTS, LABELS, MEASURES, PERSON_ROLES, WORD_ROLES
from memstrata_integrations.extraction.slots import find_typed
from memstrata_integrations.relations import relation_of
from memstrata_integrations.words import word_set

__all__ = ["read_code_line"]

_LONGEST = 240
_IS = relation_of("is")
_NUMBER_OR_TEXT = r"(?:\"(?P<double>[^\"\n]+)\"|'(?P<single>[^'\n]+)'|(?P<bare>-?\w[\w.+-]*))"
_CODE = re.compile(r"[<=:#-]")
_LINES = tuple(
    re.compile(shape + r"\Z")
    for shape in (
        r"#define (?P<key>[A-Za-z_]\w*) +\(?" + _NUMBER_OR_TEXT + r"\)?(?:\s*(?://|/\*).*)?",
        r"<(?P<key>[A-Za-z][\w.:-]*)(?: (?P<scope>[\w-]+=\"[^\"]*\"))?>(?P<bare>[^<>]+)</(?P=key)>",
        r"<(?P<tag>[A-Za-z][\w.:-]*) (?:name|key|id)=\"(?P<key>[^\"]+)\" value=\"(?P<double>[^\"]+)\" ?/?>",
        r"(?:[A-Za-z_][\w<>:]* )+\*?(?P<key>[A-Za-z_]\w*)(?:\[\])? = " + _NUMBER_OR_TEXT + r" ?;?(?:\s*(?://|#).*)?",
        r"(?P<key>[a-z_]\w*): (?:[A-Z]\w+\[[^\]]+\]|\w+ \| None) = " + _NUMBER_OR_TEXT,
        r"\"(?P<key>[A-Za-z_][\w.-]*)\" ?: " + _NUMBER_OR_TEXT + r",?",
        r"ARG (?P<key>[A-Z_]\w*)=" + _NUMBER_OR_TEXT,
        r"(?P<key>--[a-z][\w-]+)[= ]" + _NUMBER_OR_TEXT,
        r"(?P<key>cron|schedule): [\"']?(?P<bare>(?:[\d*/,-]+ ){4}[\d*/,\w-]+)[\"']?",
        r"(?P<key>[A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)+): (?P<bare>[\w/.+-]+)",
    )
)
# Keys that every file has: of what, the line does not say
_OF_ANYTHING = word_set("version name id key value type title description x y z i j n path url host user")
_NOTE = re.compile(r"(?P<key>[A-Za-z][a-z]*(?: [a-z]+){0,2})(?:: | - | – | = |, | at )(?=\S)")
_NOTED = (
    EVENTS
    | MEASURES
    | PERSON_ROLES
    | WORD_ROLES
    | word_set("rent gym vet dentist school wifi bank landlord insurance plumber dinner lunch standup stand-up")
)


def read_code_line(text: str) -> Claim | None:
    """Read a text of one line; the places of the claim are those of `text`."""
    start = len(text) - len(text.lstrip())
    line = text.strip()
    if not line or "\n" in line or len(line) > _LONGEST or _IS is None:
        return None
    for shape in _LINES if _CODE.search(line) else ():
        match = shape.match(line)
        if match is None:
            continue
        given = match.groupdict()
        if match["key"].lower() in _OF_ANYTHING or line.startswith(("return ", "import ", "from ", "del ")):
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
