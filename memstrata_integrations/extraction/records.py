"""Fields that stand together, or as items of a list: of which record they speak, if the text says so.

"Country: France" above "Capital: Paris" is a record of France; "Owner: Ann" above "Car: Volvo" one of something
unnamed. A block of settings (numbers, or `KEY=value`) is no record: it belongs to whatever it
stands in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memstrata_integrations.canonical import content_words, is_identifier
from memstrata_integrations.extraction.sentences.lexicon import (
    CONFIG_NOUNS,
    DURATION_NOUNS,
    ENTITY_NOUNS,
    FIELD_NOUNS,
    FINITE_VERBS,
    MEASURES,
    PERSON_ROLES,
    SUPPRESSING_HEADINGS,
    UNASSERTED,
    VERSION_NOUNS,
)
from memstrata_integrations.extraction.sentences.lines import Field, identifies, read_field
from memstrata_integrations.extraction.sentences.scaffolding import CHAT_WORDS
from memstrata_integrations.extraction.statements import Statement
from memstrata_integrations.units import unit_of
from memstrata_integrations.words import singular, word_set

__all__ = ["UNNAMED", "captions_of", "is_shown", "records_of", "remarked_scope"]

UNNAMED = ""
"""Of what record a field speaks cannot be seen."""

_NAMING = (
    ENTITY_NOUNS
    | VERSION_NOUNS
    | word_set("environment env model language domain branch endpoint route image hostname sku email url username")
)
_ATTRIBUTES = (FIELD_NOUNS | PERSON_ROLES | MEASURES) - _NAMING
_COUNTED = word_set("retry retries worker thread connection replica memory cpu")
_SWITCHES = word_set("true false on off yes no enabled disabled")
# As an item of a list: which one it is, or one of several of its kind
_OF_AN_ITEM = word_set(
    "id email url uri path ip cidr user role title author date type target endpoint mountpath containerport device "
    "server value name host hostname address member key"
)
_QUOTES = "\"'`"
_METADATA = ("metadata",)
_LONGEST_CAPTION = 60
_MOST_WORDS = 6
_TAG = re.compile(r"</?[a-zA-Z][\w-]*[^<>]*>")
_SCOPE = re.compile(
    r"(?:[\"'`;,]*\s+(?:#|//|--|;|[–—]|/\*|<!--) *|[\"']?` (?:in|of|on|for) `?)"
    r"(?P<scope>(?:[A-Za-z]|[~*.]?[/.]\w|\d+\.\d|in (?=~))[\w./*-]*(?: [\w./-]+){0,5})`?\.?(?: (?:\*/|-->))?\s*\Z"
)
# A comment that says of a value how it came about, or what it is in
_REMARKING = word_set(
    "was were new old changed updated bumped raised lowered increased decreased default required optional todo fixme "
    "hack see note noqa nosec pinned latest current temporary temp deprecated legacy experimental unused by since "
    "until before"
)
_MOST_OF_FRAGMENT = 3
_BLANK = re.compile(r"[^\S\n]*\n[^\S\n]*\n")
_UNSURE = UNASSERTED - {"example"}
_OF_SETTINGS = (CONFIG_NOUNS | DURATION_NOUNS | _COUNTED) - VERSION_NOUNS


def captions_of(text: str, listed: Sequence[Statement]) -> dict[int, str]:
    """Map where fields and sentences start to the short line above that may say of what they are: "=== kite ===".

    Headings, sections and the keys that a field is nested in are no captions: statements hold them already.
    """
    found: dict[int, str] = {}
    caption, spoken, manifest, title = "", False, "", ""
    for statement in listed:
        if statement.kind in ("field", "sentence"):
            over = caption if statement.kind == "field" or not spoken else title
            above = content_words(" ".join((*statement.headings, *statement.parents)))
            if over and not content_words(over) <= above:
                found[statement.start] = over
            if manifest:
                found[statement.start] = f"{found.get(statement.start, '')} {manifest}".strip()
        if statement.parents == _METADATA and (field := read_field(text, statement.start, statement.end)) is not None:
            manifest = text[field.start : field.end].strip(_QUOTES) if field.key == "name" else manifest
        if statement.kind not in ("field", "pin", "row"):
            caption, spoken = _caption(text, statement), statement.kind == "sentence"
            title = (_title(text, statement, caption) or _fragment(text, statement) or title) if spoken else title
    return found


def _title(text: str, statement: Statement, caption: str) -> str:
    """Return a short line above a blank one, unless it greets or announces: "Hi all", "Update"."""
    if text[statement.end - 1] == "," or _BLANK.match(text, statement.end) is None:
        return ""
    return caption if CHAT_WORDS.isdisjoint(caption.lower().split()) else ""


def _fragment(text: str, statement: Statement) -> str:
    """Return a sentence that only names something: "Staging. The port is 8080."."""
    words = text[statement.start : statement.end].rstrip(" \n.!").split()
    if not 0 < len(words) <= _MOST_OF_FRAGMENT or not (words[0][0].isupper() or words[0][0].isdigit()):
        return ""
    lower = [w.strip(",:;'\"").lower() for w in words]
    spoken = any(w in FINITE_VERBS or w in CHAT_WORDS or w in _UNSURE or w.endswith("ed") for w in lower)
    spoken = spoken or (len(words) > 1 and any(w.endswith("ing") for w in lower))
    return "" if spoken or any(w[-1] in ",;:" for w in words) else " ".join(words)


def _caption(text: str, statement: Statement) -> str:
    line = text[statement.start : statement.end].partition("\n")[0]
    if len(line) > _LONGEST_CAPTION or line[:1] == "|" or statement.header:
        return ""
    if statement.kind == "sentence" and line.endswith((".", "!", "?")):
        return ""
    bare = _TAG.sub(" ", line)
    words = re.findall(r"\w[\w.'’/-]*", bare if any(c.isalnum() for c in bare) else line)
    if not 0 < len(words) <= _MOST_WORDS:
        return ""
    if statement.kind == "sentence" and not FINITE_VERBS.isdisjoint(w.lower() for w in words):
        return ""
    return " ".join(words)


def remarked_scope(remark: str) -> str | None:
    """Return what a comment behind a field says the field is of, if it names that and nothing else.

    Example:
        >>> remarked_scope("  # kite"), remarked_scope(" // in prod"), remarked_scope("  # seconds"), remarked_scope("")
        ('kite', 'in prod', None, None)
    """
    found = _SCOPE.match(remark)
    if found is None:
        return None
    words = found["scope"].lower().split()
    return None if any(w in _REMARKING or unit_of(w) is not None for w in words) else found["scope"]


def is_shown(caption: str) -> bool:
    """Whether a caption says that what stands beneath it is an example, a plan, or of the past."""
    return bool(caption) and not SUPPRESSING_HEADINGS.isdisjoint(caption.lower().split())


def records_of(text: str, spoken: Sequence[Statement]) -> dict[int, str | None]:
    """Map fields to the words that say of which record they are.

    An identifying field maps to `None`, one of a record that nothing names to `UNNAMED`. What is left out stands for
    itself.
    """
    groups: dict[int, list[tuple[int, Field]]] = {}
    known: dict[int, set[str]] = {}
    extra = 0
    current: dict[int, int] = {}
    for n, statement in enumerate(spoken):
        field = read_field(text, statement.start, statement.end) if statement.kind == "field" else None
        if field is None:
            continue
        group = current.get(statement.record, statement.record)
        key = field.key.casefold()
        if key in known.get(group, set()) and identifies(field.key):
            extra -= 1
            group = current[statement.record] = extra
        known.setdefault(group, set()).add(key)
        groups.setdefault(group, []).append((n, field))
    found: dict[int, str | None] = {}
    for members in groups.values():
        found.update(_record(text, members, spoken[members[0][0]]))
        item = False
        for n, field in members:
            item = _is_item(text, field, spoken[n]) if spoken[n].listed or not item else item
            if item:
                found.setdefault(n, UNNAMED)
    return found


def _record(text: str, members: Sequence[tuple[int, Field]], first: Statement) -> dict[int, str | None]:
    if len(members) < 2:
        return {n: None for n, field in members if _names_manifest(field, first)}
    ranked = [(identifies(field.key), n, field) for n, field in members]
    rank = "strong" if any(r[0] == "strong" for r in ranked) else "weak"
    chosen = [(n, field) for kind, n, field in ranked if kind == rank]
    if not chosen or len(chosen) == len(members):
        if all(_is_setting(text, field) for _, field in members):
            return {}
        head = members[0][1].key.lower().split()[-1]
        if chosen or head in _NAMING or not (head in _ATTRIBUTES or singular(head) in _ATTRIBUTES):
            chosen = [members[0]]
        elif first.headings or first.parents:
            return {}
        else:
            return dict.fromkeys((n for n, _ in members), UNNAMED)
    name = " ".join(f"{f.key} {text[f.start : f.end].strip(_QUOTES)}" for _, f in chosen)
    identifying = {n for n, _ in chosen}
    return {n: None if n in identifying else name for n, _ in members}


def _names_manifest(field: Field, statement: Statement) -> bool:
    """Whether a field is the name of one of the objects that a cluster is described by."""
    return field.key == "name" and statement.parents == _METADATA


def _is_setting(text: str, field: Field) -> bool:
    """Whether a field sets something, rather than say what a thing is."""
    if field.separator == "=" or field.key.isupper():
        return True
    value = text[field.start : field.end].lower()
    head = field.key.lower().split()[-1]
    if not value[0].isdigit() and value not in _SWITCHES:
        return False
    noun = head in _OF_SETTINGS
    return noun or (is_identifier(field.key) and not head.endswith(("id", "_at")))


def _is_item(text: str, field: Field, statement: Statement) -> bool:
    """Whether a field is an item of a list, or of one of several tables of its name, and which cannot be seen."""
    if any(parent.startswith("[[") for parent in statement.parents):
        return True
    if not statement.listed or field.separator != ":":
        return False
    if statement.parents:
        return True
    # "- `port`: 80" is a line of documentation, "- port: 80" one of a file
    of_file = field.key[0].islower() and text[statement.start] not in "`*_"
    says_which = field.key.lower() in _OF_AN_ITEM
    if statement.headings:
        return of_file and says_which
    line = text[text.rfind("\n", 0, statement.start) + 1 : statement.start].strip()
    return of_file or says_which or line[:1].isdigit()
