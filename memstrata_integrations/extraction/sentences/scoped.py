"""A statement under the name of what it is about: "pg-orders: max_connections = 250", "ci(shop): bump celery to 5.4".

What stands before the colon is a name, and no label; it belongs to the key of whatever the rest says.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.lexicon import (
    CONJUNCTIONS,
    DEICTIC,
    ENTITY_NOUNS,
    FIELD_NOUNS,
    FINITE_VERBS,
    GENERIC,
    IMPERATIVES,
    LABELS,
    MEASURES,
    OBSERVING,
    PREPOSITIONS,
    SUPPRESSING_HEADINGS,
    UNASSERTED,
)
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.extraction.sentences.verbs import BASES
from memstrata_integrations.extraction.sentences.wording import Core
from memstrata_integrations.relations import relation_of
from memstrata_integrations.units import MONTHS, WEEKDAYS
from memstrata_integrations.words import singular, word_set

__all__ = [
    "MAY_BE_TOLD",
    "PASTS",
    "TALKING",
    "Scope",
    "as_past",
    "is_note",
    "noted_setting",
    "scope_of",
    "without_reference",
]

_IS = relation_of("is")
_NAME = r"(?:`[^`\n]+`|[A-Za-z][\w./@-]*(?: \([a-z][a-z -]*\))?)"
_SCOPE = re.compile(rf"(?P<scope>{_NAME}(?: {_NAME}){{0,2}}): (?=[\w`'\"(-])")
# "In Marlin, timeout = 30s"
_FRONTED = re.compile(r"(?:In|On|For) (?:the |our )?(?P<scope>[\w./-]+(?: [\w./-]+){0,2}), (?=[`\w.-]+ ?= ?[^\s=])")
_COMMIT = re.compile(
    r"(?:chore|build|fix|feat|refactor|ci|perf|docs|deps|style|infra|config)\((?P<scope>[\w./-]+)\)!?: (?=\S)"
)
# "limit: int = 5" declares a variable
_TYPED = re.compile(r"(?:[A-Z][a-z]\w*|int|str|bool|float|bytes|list|dict|set|tuple|number|string)[\w.\[\], |]* ?= ?")
_OF_NOTHING = word_set("deps dependencies deps-dev dev build ci docker release config infra requirements version lint")
_TRIM = "`'\"().,"
TALKING = word_set(
    "note tip todo fixme hint error warning info debug warn fatal critical trace notice question answer customer agent "
    "user assistant system bot human speaker host guest caller operator claim rumour rumor myth fact fiction legend "
    "joke dream quote title subject topic theme chapter section part step phase stage figure table appendix exercise "
    "page line slide scene act problem solution idea plan goal aim risk issue bug cause effect reason result outcome "
    "before after then now today yesterday tomorrow monday was wrong right old new bad good option choice variant "
    "alternative draft proposal suggestion example sample template placeholder default expected actual given when "
    "pro con pros cons summary abstract conclusion motto slogan headline lyrics transcript motion minutes agenda "
    "update updates change changes correction news directory handbook runbook wiki noticeboard codeowners "
    "chore fix feat perf refactor style merged revert reverted added removed fixed changed deprecated security "
    "unreleased released planned upcoming "
    "release version tag"
)
_FIELDS = MEASURES | FIELD_NOUNS - ENTITY_NOUNS
_NO_SCOPES = BASES | GENERIC - ENTITY_NOUNS
_VERSION = re.compile(r"v?\d|[A-Z]+-\d+\Z")


class Scope(NamedTuple):
    """What stands before a statement: how many characters it takes, its name, and whether that may be who speaks."""

    length: int
    said: str
    may_speak: bool = False


def scope_of(line: str) -> Scope | None:
    """Return the name under which a statement stands.

    Example:
        >>> scope_of("pg-orders: max_connections = 250"), scope_of("Note: the port is 80")
        (Scope(length=11, said='of pg-orders', may_speak=False), None)
    """
    if line[:3] in ("In ", "On ", "For") and (fronted := _FRONTED.match(line)) is not None:
        return Scope(fronted.end(), f"of {fronted['scope']}")
    if ": " not in line[:80]:
        return None
    if (commit := _COMMIT.match(line)) is not None:
        named = commit["scope"] not in _OF_NOTHING
        return Scope(commit.end(), f"of {commit['scope']}") if named else None
    match = _SCOPE.match(line)
    if match is None or _TYPED.match(line, match.end()) is not None:
        return None
    words = [w.strip(_TRIM) for w in match["scope"].split()]
    low = [w.lower() for w in words]
    for word in low:
        if (
            word in LABELS
            or word in SUPPRESSING_HEADINGS
            or word in UNASSERTED
            or word in DEICTIC
            or word in FINITE_VERBS
            or word in TALKING
            or word in WEEKDAYS
            or word in MONTHS
        ):
            return None
    if low[0] in IMPERATIVES or low[0] in PREPOSITIONS or not CONJUNCTIONS.isdisjoint(low) or not low[-1]:
        return None
    if low[-1] in _FIELDS:
        return None  # a field of that name
    first = words[0]
    named = match["scope"][0] == "`" or is_identifier(first) or "-" in first or len(words) > 1
    plain = len(first) > 2 and low[0] not in _NO_SCOPES
    if not (named or plain) or _VERSION.match(first):
        return None
    said = match["scope"].replace("(", "").replace(")", "")
    if len(words) > 1 and first[1:].islower() and singular(low[0]) != low[0]:
        said = said[0].lower() + said[1:]  # "Payments API" is the payments API
    return Scope(match.end(), f"of {said}", all(w.isalpha() and w[0].isupper() for w in words))


PASTS = {
    "bump": "bumped",
    "upgrade": "upgraded",
    "update": "updated",
    "downgrade": "downgraded",
    "raise": "raised",
    "lower": "lowered",
    "increase": "increased",
    "reduce": "reduced",
    "decrease": "decreased",
    "set": "adjusted",  # "set the port to 80" is an order
    "switch": "switched",
    "change": "changed",
    "move": "moved",
    "rename": "renamed",
    "migrate": "migrated",
    "replace": "replaced",
    "pin": "pinned",
    "cut": "cut",
    "extend": "extended",
    "shorten": "shortened",
}
"""What a note of a commit tells to do, and that it was done."""


_REFERENCE = re.compile(r"\s+[(\[](?:(?:PR|MR|[Ii]ssue|[Cc]loses|[Ff]ixes) )?[#!]\d+[)\]]\Z")
MAY_BE_TOLD = frozenset(PASTS)
"""A note of a commit that tells of a change has one of these words."""


def without_reference(text: str, start: int, end: int) -> int:
    """Return where a note of a change ends without the number of its request: "(#812)"."""
    found = _REFERENCE.search(text, start, end) if text[end - 1] in ")]" else None
    return end if found is None else found.start()


def as_past(core: Core) -> Core:
    """Return what a note of a commit tells to do as done: "bump celery to 5.4"."""
    first, _, rest = core.text.partition(" ")
    done = PASTS.get(first.lower())
    if done is None or (" to " not in rest and " with " not in rest):
        return core
    text = f"{done.capitalize()} {rest}"
    shift = len(text) - len(core.text)
    places = core.places if core.places is not None else range(core.start, core.start + len(core.text))
    return core._replace(text=text, places=(*[-1] * (len(first) + shift), *places[len(first) :]))


def is_note(rest: str) -> bool:
    """Whether what follows a name is a note of a change, and nothing that somebody says."""
    first = rest.partition(" ")[0]
    return first in PASTS or first in MEASURES or is_identifier(first)


_RELEASE = re.compile(r"(?P<name>[a-z][a-z0-9.@/_-]*) (?P<value>v?\d+\.\d+[\w.+-]*)\Z")
_IMAGE = re.compile(r"(?:base |container )?image (?P<value>(?P<name>[a-z][\w./-]*(?::\d+/[\w./-]+)?):[\w.-]+)\Z")
_VERSION_IS = relation_of("has version")
_SETTING = re.compile(
    r"(?P<key>`?[A-Za-z][\w.-]*`?(?: [a-z][\w.-]*){0,3}?) "
    r"(?P<value>enabled|disabled|on|off|`[^`]+`|[-+]?\d\S*(?: [a-zA-Z/]+)?)\Z"
)


_NO_PACKAGES = PREPOSITIONS | UNASSERTED | BASES | TALKING | MEASURES


def _names_package(name: str) -> bool:
    return name not in _NO_PACKAGES and not name.endswith(("ed", "ing"))


def noted_setting(rest: str) -> Claim | None:
    """Read "redis maxmemory 6gb" and "dark_mode enabled" behind a name; the places are those of `rest`."""
    release = _RELEASE.match(rest)
    if release is not None and _VERSION_IS is not None and _names_package(release["name"]):
        return Claim(release["name"], _VERSION_IS, *release.span("value"), "noted release", "version")
    image = _IMAGE.match(rest)
    if image is not None and _IS is not None:
        return Claim(f"image of {image['name']}", _IS, *image.span("value"), "noted image", "text")
    match = _SETTING.match(rest)
    if match is None or _IS is None:
        return None
    words = match["key"].split()
    low = [w.strip(_TRIM).lower() for w in words]
    setting = is_identifier(words[-1].strip("`")) or low[-1] in MEASURES or low[-1].startswith(("max", "min"))
    if not setting or any(w in OBSERVING or w in UNASSERTED or w in FINITE_VERBS or w in PREPOSITIONS for w in low):
        return None
    start, end = match.span("value")
    typed = find_typed(rest, start, end)
    if typed is None or typed[2] != end:
        return None
    expected = "setting" if is_identifier(words[-1].strip("`")) else None
    return Claim(match["key"], _IS, typed[0], typed[1], "noted setting", expected)
