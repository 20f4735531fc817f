"""What a statement of change says of now, in the plain sentences that would say the same.

"We moved the cluster to Zurich" closes "The cluster is hosted in Frankfurt", "runs in Frankfurt" and "is located in
Frankfurt" alike. Each plain sentence is read like any other: its key is that of the plain statements.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from memstrata_integrations.canonical import canonical_value, is_identifier
from memstrata_integrations.extraction.sentences.appointed import switched_to_doing
from memstrata_integrations.extraction.sentences.changed_roles import MAY_PASS, charges_of, roles_of
from memstrata_integrations.extraction.sentences.framing import head_of
from memstrata_integrations.extraction.sentences.lexicon import EVENTS, MEASURES, PERSON_ROLES, VERSION_NOUNS
from memstrata_integrations.extraction.sentences.restating import left_behind, others_of
from memstrata_integrations.extraction.sentences.retelling import MAY_CHANGE, Change, change_of, inner, subjects_of
from memstrata_integrations.extraction.sentences.role_words import is_plural
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.extraction.sentences.told_changes import MAY_BE_BROUGHT_ABOUT, brought_about
from memstrata_integrations.extraction.sentences.told_leavings import left_by
from memstrata_integrations.extraction.sentences.upshots import MAY_COME_TO, upshots_of
from memstrata_integrations.extraction.sentences.weak import SIDE_BY_SIDE
from memstrata_integrations.extraction.sentences.wording import Core
from memstrata_integrations.facts import Fact
from memstrata_integrations.words import singular, word_set

__all__ = ["MAY_TELL", "is_for_once", "is_undone", "otherwise_compared", "restated", "retold", "retold_otherwise"]

MAY_TELL = MAY_CHANGE | MAY_PASS | MAY_COME_TO | MAY_BE_BROUGHT_ABOUT
"""A sentence that `retold` reads has one of these words."""

_RULE = "retold change"
_LONGEST = 240
# What branches, accounts and the like are called is what they are
_NAMES = word_set("branch username handle nickname alias label hostname codename surname login title email domain")
_ATTRIBUTES = MEASURES | PERSON_ROLES | VERSION_NOUNS | _NAMES
_SEATS = word_set("headquarters office seat capital hq venue location home ground base")
_MOVED_FROM = re.compile(
    r"(?P<who>I|[Ww]e|(?:[Mm]y |[Oo]ur )?[\w’'-]+(?: [A-Z][\w’'-]*)?) (?:have |has )?(?:just |recently )?"
    r"(?:moved|relocated) from (?P<old>[A-Z][^,;]*?) to (?=[A-Z])"
)
_OF_WHO_WORKS = frozenset(("works for", "works at"))
_UNDONE = re.compile(
    r"\b(?:rolled (?:(?:it|that|this|them|everything) )?back|reverted|undid|undone|(?:put|changed|switched|moved|set)"
    r" (?:it|that|this|them|everything) back|(?:backed|taken) (?:it|that|this) out"
    r"|(?:went|gone|switched|moved) back to)\b"
)
# What the nouns of acts are called as verbs
_VERB_OF = {
    "meeting": "meets",
    "rehearsal": "rehearses",
    "training": "trains",
    "start": "starts",
    "end": "ends",
    "opening": "opens",
    "closing": "closes",
    "departure": "departs",
    "arrival": "arrives",
}
_ACT = re.compile(r"the (?P<act>[a-z]+) of (?P<who>[^,;]+)\Z")
_FRONT = re.compile(
    r"(?P<where>(?:For|In|On|At) [^,;]{2,40}?)(?:,? (?=(?:we|I|they) )"
    r"|, (?=[^,;]{2,40}? (?:was|were|has been|have been) ))"
)
_BY_FIRMS = ("handled by", "run by", "served by")
_DONE = ("built with", "managed with", "written in", "issued by", "deployed with", "tested with", *_BY_FIRMS)
_DOINGS = ("studies at", "works at", "works for", "plays for", "belongs to", "goes to", "is stationed in")
_OF_PERSONS = "mp"  # "transferred"
# One change of a person or a firm: by which of its names it was known before does not matter
_KINDS_OF_NAMES = ("name", "full name", "surname")
_PLACES = ("place", "city")
# Who meets on a day
_GROUPS = word_set(
    "club choir band team committee board class group council society association orchestra ensemble squad crew guild "
    "circle league chapter forum workshop quartet troupe"
)
_MOMENTS = word_set("time date day weekday")
_DAYS = ("weekday", "day", "date")
_NTH = re.compile(r"\d{1,2}(?:st|nd|rd|th)")

_IN_PLACE = (
    "{} hosted in",
    "{} hosted on",
    "{} located in",
    "{} stored in",
    "{} based in",
    "{} deployed in",
    "{} deployed to",
    "{} in",
    "runs on",
    "runs in",
)
_AT_PATH = ("{} defined in", "{} located at", "lives at", "{} stored at", "{} read from", "{}")
_AT_HOST = ("{} hosted at", "{} served at", "{} published at", "{} reachable at")
_AT_TIME = ("{} at", "starts at", "departs at", "runs at", "opens at", "{}")
_ON_DAY = ("{} on", "starts on", "{} due on", "{} scheduled for", "{}")
_TO_DAY = ("ends on", "ends in", "runs until", "expires on", "{} due on", "{} valid until", "{}")
_FOR_LENGTH = ("{}", "lasts")
_OF_VERSION = ("{} pinned to", "{} at version", "{}")
_BY_WHOM = ("{} assigned to", "{} owned by", "{} maintained by", "{} handled by", "{} managed by", "{} run by")
_ON_TOOL = ("runs on", "{} on", "{} with")
_RENAMED = re.compile(r"\bname(?: has)?(?: been)?(?: changed)? to [A-Z]")


_WENT = re.compile(
    r"(?P<who>(?:The |Our |My )[^,;:]*?) (?:has |have )?(?:just )?(?:gone|went|left|travelled) (?:for|to) [A-Z]"
)


def retold(core: Core, span: tuple[int, int], read: Callable[[str], Sequence[Fact]]) -> list[Fact]:
    """Return what a statement of change says of now, and what it says has ended.

    Args:
        core: The sentence, without its full stop and what wraps it.
        span: Where the statement stands in the text.
        read: Reads the facts of a sentence that stands in its place.
    """
    said = _unfronted(core.text)
    if len(said) > _LONGEST or said.startswith("Having "):
        return []
    if (away := _WENT.match(said)) is not None and head_of(away["who"].split()) in PERSON_ROLES:
        return []  # "The captain has gone to Oslo"
    plain = list(roles_of(said, core.changed))
    plain_roles = bool(plain)
    before: list[str] = []
    unit, placed = "", False
    if not plain and (done := switched_to_doing(said)) is not None:
        plain, placed = [done], True
    elif not plain and (change := change_of(said, core.changed)) is not None:
        plain, unit = list(_forms(change)), change.unit
        placed = "m" in change.kinds or bool(change.old)
        if plain and (old := _before(change)) is not None:
            before = [*_forms(old), *_of_persons(old), *_with_tools(old)]
    before += _left_home(said)
    facts = [f for f in _stated(plain, said, read, unit) if placed or not f.dimension.startswith(SIDE_BY_SIDE)]
    facts += _stated(list(upshots_of(said, core.changed)), said, read)
    if _RENAMED.search(said) is not None:  # whoever changes a name is nobody else by that
        facts = [f for f in facts if f.relation == "is named" or "name" in f.subject.split()]
    who, went, _ = said.partition(" went from ")
    if went and head_of(who.split()) in EVENTS:  # "The talk went from 10:00 to 11:00" tells how long it took
        facts = [f for f in facts if not f.dimension.startswith("time")]
    if before and not plain_roles:  # what was named ends, whatever else stands where it might have stood
        facts = [f for f in facts if f.relation == "is named"]
    facts += _stated(list(brought_about(said, core.changed)), said, read)
    found: dict[tuple[str, str, str], Fact] = {}
    # "Kim moved from Slack to Teams" says nothing of an employer
    for told in _compared((f for f in facts if f.relation not in _OF_WHO_WORKS), span):
        found.setdefault((told.subject, told.relation, told.dimension), told)
    for fact in _stated([*before, *left_by(said)], said, read):
        if not fact.dimension.startswith(SIDE_BY_SIDE) and (fact.subject, fact.relation, fact.dimension) not in found:
            gone = replace(fact, object=None, dimension="none", span=span, rule=_RULE, narrative=True)
            found.setdefault((fact.subject, fact.relation, f"{fact.dimension} gone"), gone)
    return list(found.values())


def retold_otherwise(core: Core, span: tuple[int, int], read: Callable[[str], Sequence[Fact]]) -> list[Fact]:
    """Return what a sentence that announces a change says of a person, in the other words for it.

    Args:
        core: The sentence, without its full stop and what wraps it.
        span: Where the statement stands in the text.
        read: Reads the facts of a sentence that stands in its place.
    """
    plain = list(others_of(core.text, core.changed))
    told = list(_compared(_stated(plain, core.text, read), span)) if plain else []
    for before in left_behind(core.text):
        for fact in _stated([before], core.text, read):
            if not fact.dimension.startswith(SIDE_BY_SIDE):
                told.append(replace(fact, object=None, dimension="none", span=span, rule=_RULE, narrative=True))
    return told


def restated(
    plain: Sequence[str], said: str, span: tuple[int, int], read: Callable[[str], Sequence[Fact]]
) -> Iterator[Fact]:
    """Yield what acts on the keys of plain sentences that a statement of change comes to.

    Args:
        plain: The plain sentences.
        said: The statement.
        span: Where it stands in the text.
        read: Reads the facts of a sentence that stands in its place.
    """
    return _compared(_stated(plain, said, read), span)


def _compared(facts: Iterable[Fact], span: tuple[int, int]) -> Iterator[Fact]:
    """Yield what acts on the keys of facts, for each kind of value that a change leaves behind."""
    for fact in facts:
        for kind, value in _as_compared(fact):
            yield replace(fact, dimension=kind, value=value, span=span, rule=_RULE, narrative=True)


_ONCE = re.compile(
    r"(?<!from) (?:today|tonight|tomorrow|this (?:once|time|week|weekend)"
    r"|next (?:week|weekend|month))"
    r"[.!]?\Z"
)
_OF_A_TIME = ("weekday", "time")
_DATED = re.compile(r"(?:\d{4}-)?\d\d-\d\d")


def is_for_once(said: str, facts: Iterable[Fact]) -> bool:
    """Whether a change of a time may be one for once: "We've moved the standup to Friday this week".

    Args:
        said: The sentence.
        facts: What it tells.
    """
    if _ONCE.search(said) is None:
        return False
    # a date is that of one event, whenever it was moved
    return any(f.dimension.startswith(_OF_A_TIME) and not _DATED.match(f.value) for f in facts)


def is_undone(text: str, end: int) -> bool:
    """Whether what follows a statement of change takes the change back: "We rolled that back"."""
    return _UNDONE.search(text, end) is not None


def _as_compared(fact: Fact) -> Iterator[tuple[str, str]]:
    """Yield the kinds of value that a change leaves behind, each with the new value in it."""
    if fact.dimension in _KINDS_OF_NAMES:
        yield from ((kind, fact.value) for kind in _KINDS_OF_NAMES)
        return
    yield fact.dimension, fact.value
    yield from _moments(fact)
    if fact.dimension.startswith(f"{SIDE_BY_SIDE}: "):
        yield SIDE_BY_SIDE, fact.value
    elif fact.dimension == SIDE_BY_SIDE:
        named = any(not c.islower() for c in fact.value if c.isalnum()) or fact.object != fact.value
        yield f"{SIDE_BY_SIDE}: {'name' if named else 'thing'}", fact.value
    kind, _, sort = fact.dimension.partition(": ")
    if sort == "release":  # "OAuth 2.0" after "HTTP Basic"; after "OAuth" it says no more than which
        yield kind, canonical_value((fact.object or "").rpartition(" ")[0])[0].casefold()


def _moments(fact: Fact) -> Iterator[tuple[str, str]]:
    """Yield the other kinds of a moment: what moved from Tuesday to 5 May moved, though the one is no date."""
    if fact.dimension in _DAYS:
        yield from ((kind, fact.value) for kind in _DAYS if kind != fact.dimension)
    elif fact.relation in ("lives in", "is based in") and fact.dimension in _PLACES:
        yield from ((kind, fact.value) for kind in _PLACES if kind != fact.dimension)
    elif fact.dimension == "text" and _NTH.fullmatch(fact.value):  # "the 30th"
        yield from ((kind, fact.value) for kind in _DAYS)
    elif fact.dimension == "time":
        hour = int(fact.value[:2]) if fact.value[:2].isdigit() else 0
        yield "time:half day", f"{hour - 12:02}{fact.value[2:]}" if hour > 12 else fact.value
    elif fact.dimension == "time:half day":
        yield "time", fact.value


def otherwise_compared(fact: Fact) -> list[Fact]:
    """Return what acts on the same key where its value was told as another kind of moment."""
    return [replace(fact, dimension=kind, value=value, narrative=True, beside=True) for kind, value in _moments(fact)]


def _unfronted(said: str) -> str:
    """Return "we raised the limit in staging" for "In staging, we raised the limit"."""
    front = _FRONT.match(said)
    return f"{said[front.end() :]} {said[0].lower()}{front['where'][1:]}" if front is not None else said


def _stated(plain: Sequence[str], said: str, read: Callable[[str], Sequence[Fact]], unit: str = "") -> Iterator[Fact]:
    for sentence in plain:
        for fact in read(sentence):
            if fact.cardinality != "functional" or fact.object is None:
                continue
            if fact.object in said:
                yield fact
            elif unit and fact.object.endswith(unit):
                yield replace(fact, object=fact.object.removesuffix(unit))


def _before(change: Change) -> Change | None:
    """Return what held before a change, under the qualifiers that the new value has."""
    found = find_typed(change.new, 0, len(change.new))
    if not change.old or (found is None and " " in change.new) or (found and found[3] in ("number", "date", "boolean")):
        return None  # "from 5 to 10 minutes": the unit stands once
    return change._replace(new=f"{change.old}{change.new[found[2] :] if found else ''}")


def _of_persons(change: Change) -> Iterator[str]:
    """Yield what a person did before a move: the value that is named ends, whatever it was that they did there."""
    if change.kinds == _OF_PERSONS:
        for subject in subjects_of(change):
            for verb in _DOINGS:
                yield f"{subject} {verb} {change.new}"


def _with_tools(change: Change) -> Iterator[str]:
    """Yield what was made, done or run with a tool or by a firm before a move away from it."""
    if change.kinds != _OF_PERSONS and not {"m", "s"}.isdisjoint(change.kinds):
        for subject in subjects_of(change):
            many = is_plural(head_of(subject.split()))
            for done in _DONE:
                yield f"{subject} {'are' if many else 'is'} {done} {change.new}"


def _left_home(said: str) -> list[str]:
    """Return where somebody lived who has moved: that home ends, and no other."""
    moved = _MOVED_FROM.match(said)
    if moved is None:
        return []
    return [f"{moved['who']} {'live' if moved['who'] in ('I', 'We', 'we') else 'lives'} in {moved['old']}"]


def _forms(change: Change) -> Iterator[str]:
    """Yield the plain sentences that hold after a change."""
    for subject in subjects_of(change):
        charged = list(charges_of(subject, change.new))
        if charged:
            yield from charged
            continue
        words = subject.split()
        head = head_of(words)
        many = head in words and is_plural(head) and not head.endswith("quarters")
        if change.kinds in "dl":
            does = change.kinds == "d"
            yield f"{subject} {change.new}" if does else f"The licence of {inner(subject)} is {change.new}"
            continue
        for predicate in _predicates(change, head, words):
            verb = predicate.replace("{}", "are" if many else "is")
            if many and not predicate.startswith("{}"):
                first, _, rest = verb.partition(" ")
                verb = f"{first.removesuffix('s')} {rest}"
            yield f"{subject} {verb} {change.new}{change.unit}"
        yield from _acts(change, inner(subject))
        if "m" in change.kinds and head in EVENTS:
            yield f"The venue of {inner(subject)} is {change.new}"


def _acts(change: Change, subject: str) -> Iterator[str]:
    """Yield "The chess club meets on Friday" for a change of "the meetings of the chess club" to Friday."""
    act = _ACT.match(subject)
    verb = _VERB_OF.get(singular(act["act"])) if act is not None else None
    found = find_typed(change.new, 0, len(change.new)) if verb else None
    if act is None or verb is None or found is None:
        return
    timed = canonical_value(change.new[found[0] : found[1]])[1].partition(":")[0] == "time"
    for link in ("at",) if timed else ("on",) if found[3] == "date" else ("at", "in"):
        yield f"{act['who'][0].upper()}{act['who'][1:]} {verb} {link} {change.new}"


def _predicates(change: Change, head: str, words: list[str]) -> tuple[str, ...]:
    """Return the verbs of the plain sentences, by what the new value is and what the verb may change."""
    kinds = change.kinds
    if "r" in kinds:
        return ("goes to", "{} sent to", "{} routed to", "{} delivered to")
    if "n" in kinds:
        return ("{}",) if head in _NAMES else ("{} called", "{}")
    new = f"{change.new}{change.unit}"
    found = find_typed(new, 0, len(new))
    kind = found[3] if found else "word"
    value = new[found[0] : found[1]] if found else new
    dimension = canonical_value(value)[1].partition(":")[0]
    if "m" in kinds and head in PERSON_ROLES:
        return ()  # "the owner of the dashboard moved to Oslo"
    placed = "m" in kinds and head not in _ATTRIBUTES
    if "p" in kinds and (kind == "name" or change.new.startswith("the ")):
        return _BY_WHOM[:2] if "m" in kinds else _BY_WHOM
    if "b" in kinds and kind in ("date", "number"):
        return (*_AT_TIME, "{} on", "{} booked for", "{} scheduled for")
    if dimension in _MOMENTS or kind == "date":
        if not set(kinds) & set("asm"):
            return ()
        if "m" in kinds or "a" not in kinds:
            link = "at" if dimension == "time" else "on"
            meets = (f"meets {link}",) if head in _GROUPS else ()
            return (*(_AT_TIME if dimension == "time" else _ON_DAY), *meets)
        return ("{}",) if dimension == "time" else _TO_DAY
    if dimension in ("path", "url", "host", "endpoint"):
        if "m" in kinds:
            return (*_AT_PATH, *_AT_HOST)
        return ("{}",) if set(kinds) & set("sm") else ()
    if dimension == "version" or ("v" in kinds and kind == "number" and (kinds == "v" or "." in value)):
        return _OF_VERSION[: 2 if is_bare(words) else 3] if set(kinds) & set("vs") else ()
    if kind in ("number", "boolean"):
        forms = _amounts(head, dimension, kinds, value)
        return (*forms, "{} set to") if forms and len(words) == 1 else forms  # "KEEPALIVE is set to 75"
    if head in _SEATS and set(kinds) & set("ms"):
        return ("{}", "{} located at", "{} in", "{} on", "{} at") if head == "office" else ("{}",)
    if placed and head in EVENTS:
        return ("{} at", "{} in", "{} held at", "takes place in")
    if placed:
        return (*_IN_PLACE, *(_ON_TOOL[1:] if change.old else ("lives on",)), *(("{}",) if "s" in kinds else ()))
    if head in EVENTS and "s" in kinds and kind == "name":
        return ("{}", "{} at")
    return ("{}", *(_ON_TOOL if change.old else ())) if "s" in kinds else ()


def _amounts(head: str, dimension: str, kinds: str, value: str) -> tuple[str, ...]:
    if not set(kinds) & set("as"):
        return ()
    if dimension == "duration":
        return ("{}",) if head in MEASURES else _FOR_LENGTH
    if " " in value and value.rpartition(" ")[2].islower():
        return ("has", "{}")
    return ("{}",)


def is_bare(words: list[str]) -> bool:
    """Whether a subject is the name of a package, and nothing more."""
    return len(words) == 1 or (len(words) == 2 and is_identifier(words[1]))
