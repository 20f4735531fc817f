"""Lines of an address book, a programme or a rota: "Ground floor tenant: Marlow Dental", "On-call this week: Rui".

The key is the whole label. What its head noun names has one holder at a time; friends, guests and players have many.
"""

from __future__ import annotations

import re

from memstrata_integrations.canonical import canonical_value
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.complements import expected_of_role
from memstrata_integrations.extraction.sentences.lexicon import (
    CONJUNCTIONS,
    DEICTIC,
    EVENTS,
    FINITE_VERBS,
    IMPERATIVES,
    LABELS,
    MANY_ROLES,
    PERSON_ROLES,
    PREPOSITIONS,
    UNASSERTED,
)
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.sentences.plain_nouns import OFFICES
from memstrata_integrations.extraction.sentences.role_words import is_plural
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.relations import known
from memstrata_integrations.units import WEEKDAYS
from memstrata_integrations.words import word_set

__all__ = ["read_noted"]

_LONGEST = 160
_TRIM = "\"'`()[]{}.,;:!?“”‘’|"
_IS = known("is")
_LINE = re.compile(
    r"(?P<label>[A-Z\d][^:|]{2,80}?)(?: ?: | \| )(?P<value>https?://\S+|\S[^:|]*?(?::\d\d[^:|]*)?)(?: \|)?\Z"
)
_PARTS = re.compile(r" [–—-] |[()|]|, ")
_OF_TIME = re.compile(r"\b(?:this|the current) (?:week|month|quarter|year|season|term|sprint|weekend)(?:['’]s)?\b")
_HANDLE = re.compile(r"@[\w.-]+(?=\Z|,| \()")
_URL = re.compile(r"https?://\S+\Z")
_NAME = re.compile(
    r"(?:Dr|Mr|Mrs|Ms|Prof)?\.? ?[A-Z][\w.’'&-]*(?: (?:(?:of|de|la|van|von|der|den|&|am|im|zum|zur|sur|on"
    r"|upon) ){0,2}[A-Z][\w.’'-]*)*(?=\Z|,| \()"
)
_WEEKDAY_DATE = re.compile(rf"(?:(?:{'|'.join(sorted(WEEKDAYS, key=len, reverse=True))}),? )?(?=\d)", re.IGNORECASE)
_REMARK = re.compile(r"(?:, [^,;:?!]{2,40}(?::\d\d)?| \([^()]{2,40}\))?\Z")
_HOLDERS = (
    (PERSON_ROLES - MANY_ROLES)
    | OFFICES
    | word_set(
        "tenant occupier lodger caretaker janitor home school nursery surgery pharmacy garage bank insurer supplier "
        "vendor printer caterer florist photographer band organist choirmaster keyholder aider solicitor notary "
        "architect contractor builder broker agent publisher distributor manufacturer referee umpire goalkeeper "
        "striker opener host opponent keynote headliner examiner invigilator driver cook substitute locum understudy "
        "venue hotel airline carrier provider employer church clinic hospital dealer garage operator franchisee "
        "stand-in deputy backup escort chaperone chauffeur master mistress keeper patron chaplain curator opponent "
        "location destination ground pitch stadium hub depot contact sitter minder childminder decorator roofer "
        "painter plumber electrician accountant auditor beneficiary executor trustee guardian godfather godmother"
    )
) - word_set("person neighbour neighbor brother sister son daughter uncle aunt friend colleague")
_DUTIES = word_set("codeowners on-call oncall cover standby duty")
_ADDRESSES = word_set("url endpoint site website homepage")
_LINES = word_set("line hotline helpline phone tel telephone fax mobile switchboard reception number pager")
_PHONE = re.compile(r"\+?\(?\d[\d() .-]{4,}\d(?=\Z|,| \()")
_PRICES = word_set(
    "admission entry entrance rent fee fare deposit postage toll price cost ticket tickets membership subscription "
    "charge"
)
_UNSETTLED = word_set(
    "former ex previous past possible potential proposed likely suggested rejected candidate tentative prospective"
)
_AGENTIVE = ("er", "or", "ist", "ian", "ant")
_NEXT = word_set("next")
_OPEN = UNASSERTED - _NEXT
_OF_WHOM = re.compile(r"(?P<whose>[A-Z][^,]*? [a-z][\w-]*), (?P<role>[a-z][a-z-]*(?: [a-z-]+){0,2})\Z")


def read_noted(core: str) -> Claim | None:
    """Read a line of a label and who or what fills it; the places of the claim are those of `core`."""
    if len(core) > _LONGEST or (": " not in core and " | " not in core):
        return None
    match = _LINE.match(core)
    if match is None or len(match["label"].split()) > 12:
        return None
    label = _OF_TIME.sub(" ", match["label"])
    if (of_whom := _OF_WHOM.match(label)) is not None:  # "Scanner app, product owner"
        label = f"{of_whom['role']} of {of_whom['whose'][0].lower()}{of_whom['whose'][1:]}"
    label = label.replace(", ", " of ")
    words = [w.strip(_TRIM) for w in label.split()]
    words = [w for w in words if w and w not in ("–", "—", "-")]
    bare = [w.lower() for w in words]
    follows = bare[0] == "next"
    if not bare or bare[0] in _UNSETTLED or bare[0] in LABELS or bare[0] in IMPERATIVES or is_opinion(words):
        return None
    if any(w in _OPEN or w in DEICTIC or w in CONJUNCTIONS or w in FINITE_VERBS for w in bare) or not _NEXT.isdisjoint(
        bare[1:]
    ):
        return None
    heads = _heads(label)
    told = _told(core, match.start("value"), heads, follows=follows, duty=not _DUTIES.isdisjoint(bare))
    if told is None:
        return None
    start, end, expected = told
    rest = _REMARK.match(core, end)
    if rest is None or (len(bare) == 1 and not _stands_alone(bare[0], rest[0])):
        return None  # "Venue: Town Hall", of an event that is not named
    if not (follows or _plain(core[start:end])):
        return None
    if any(w.lower().strip(_TRIM) in UNASSERTED for w in rest[0].split()):
        return None
    if expected == "text" and not follows and heads & PERSON_ROLES and core[start] != "@":
        expected = expected_of_role(label, core[start:end]) or "name"
    remark = rest[0].strip(" ,()")
    joined = f"{' '.join(words)} of {remark}" if remark[:1].isupper() else " ".join([*words, remark])
    return Claim(joined.strip(), _IS, start, end, "noted", expected)


def _stands_alone(label: str, rest: str) -> bool:
    """Whether a label of one word says enough: "Rent: 900 euros", "Caretaker: Uwe Brinkmann (Block D)"."""
    return label in PERSON_ROLES or label in _PRICES or (rest[:2] == " (" and label.endswith(_AGENTIVE))


def _told(
    core: str, start: int, heads: frozenset[str], *, follows: bool, duty: bool
) -> tuple[int, int, str | None] | None:
    """Return the place of what a label of this kind is followed by, and the dimension of its slot."""
    found: tuple[int, int] | None = None
    expected: str | None = "text"
    if follows:
        found = _date(core, start) if not EVENTS.isdisjoint(heads) else None
    elif heads & _ADDRESSES:
        found, expected = _span(_URL, core, start), "address"
    elif heads & _LINES:
        found, expected = _span(_PHONE, core, start), "phone"
    elif heads & _PRICES:
        found, expected = _price(core, start), None
    elif heads & _HOLDERS or duty:
        found = _span(_HANDLE, core, start) or _span(_NAME, core, start)
    return None if found is None else (*found, expected)


def _span(shape: re.Pattern[str], core: str, start: int) -> tuple[int, int] | None:
    match = shape.match(core, start)
    return match.span() if match else None


def _heads(label: str) -> frozenset[str]:
    """Return the head noun of each part of a label: "coach" and "otters" of "Head coach — Tarn Valley Otters"."""
    heads = set()
    for part in _PARTS.split(label):
        words = [w.strip(_TRIM).lower() for w in part.split()]
        at = next((n for n, w in enumerate(words) if w in PREPOSITIONS and n), len(words))
        if words and not is_plural(words[at - 1]):
            heads.add(words[at - 1])
    return frozenset(heads)


def _price(core: str, start: int) -> tuple[int, int] | None:
    found = find_typed(core, start, len(core))
    priced = found is not None and canonical_value(core[found[0] : found[1]])[1].startswith("money")
    return found[:2] if found is not None and priced else None


def _date(core: str, start: int) -> tuple[int, int] | None:
    day = _WEEKDAY_DATE.match(core, start)
    found = find_typed(core, day.end() if day else start, len(core))
    return (start, found[1]) if found is not None and found[3] == "date" else None


def _plain(value: str) -> bool:
    words = [w.strip(_TRIM).lower() for w in value.split()]
    return " and " not in value and not any(w in UNASSERTED or w in DEICTIC for w in words)
