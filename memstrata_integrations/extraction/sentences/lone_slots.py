"""The one value of a sentence that no other rule reads: "Minutes of the board are taken by Oona Lind".

Documents say in many verbs how a definite thing is done, how much of it there is, by whom and where. Whatever the verb,
the value stands in the one slot that it governs, and all other words of the sentence are the key. Since the verb is not
known, its subject must be one thing or all of a kind, and what several may do, hold at several levels, or what was only
measured or shown is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from memstrata_integrations.canonical import canonical_value, is_identifier
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences import rule_words as rw
from memstrata_integrations.extraction.sentences.lexicon import (
    DEMONYMS,
    EVENTS,
    MANY_ROLES,
    MEASURES,
    NON_NAMES,
    PERSON_ROLES,
    PREPOSITIONS,
    UNASSERTED,
    VERSION_NOUNS,
)
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.sentences.rule_parts import WHOSE, Parts, parts_of, tokens_in, values_in
from memstrata_integrations.extraction.sentences.ruling import said_around
from memstrata_integrations.extraction.sentences.scaffolding import holds, of_a_story
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.extraction.sentences.trailing import asserts
from memstrata_integrations.extraction.sentences.verbs import (
    MANY_VERBS,
    base_of,
    is_participle,
    is_past,
    verb_of_gerund,
)
from memstrata_integrations.relations import known
from memstrata_integrations.units import MONTHS, WEEKDAYS
from memstrata_integrations.words import singular, word_set

__all__ = ["read_lone_slot"]

_RULE = "lone slot"
_THUS = known("is done thus")
_LONGEST = 260
_LEAST_WORDS, _MOST_WORDS = 5, 34
_TRIM = "\"'`()[]{}.,;:!?“”‘’"
_NO_NAMES = (NON_NAMES - DEMONYMS) | frozenset(WEEKDAYS) | frozenset(MONTHS)
_SUBORDINATING = word_set("that which who whose where when if because unless before after so")
# What stands in a list of parameters, of changes or of sources, and in plans
_MARKUP = re.compile(r"\]\(|:`|``|<\w|`_|   |\(#\d|\bto be\b| et\.? al\b|\n *\n|\n  +| \(PR ")
_GATE = re.compile(r"[\d`@]|[a-z] [A-Z/]|\b(?:two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty)\b")
# What a group or a person is charged with, so that one does it for the whole of a definite kind
_CHARGED = word_set(
    "provided granted given done accompanied carried borne issued supervised taken kept managed maintained run led "
    "chaired processed signed countersigned authorised authorized overseen administered operated staffed serviced "
    "audited insured governed coordinated organised organized cleaned catered hosted approved assigned conducted "
    "delivered handled moderated performed prepared compiled executed cherry-picked merged released published "
    "edited translated printed collected billed invoiced settled underwritten underwrote sponsored represented "
    "inspected monitored patrolled guarded locked unlocked opened closed set decided determined appointed nominated "
    "elected rostered scheduled planned designed drafted written recorded stored archived backed shipped packed "
    "dispatched distributed supplied installed repaired calibrated certified tested triaged answered forwarded "
    "routed escalated financed funded owned controlled"
)
# For all of a kind, however they are called
_OFFICIAL = word_set("issued granted managed administered audited insured governed overseen supervised coordinated")
# Of these each may have its own
_ONE_BY_ONE = word_set(
    "song book novel film paper article talk game goal match bug feature patch photo picture painting poem play "
    "lesson class course school child student pupil question complaint error exception message event meal dish "
    "prize award city town country people person house home team club road street"
)
# Where, how and in what all of a kind is done once
_PLACED = word_set(
    "accepted acknowledged printed given interpreted written shipped published sent settled executed made paid "
    "kept stored recorded logged run processed published reported returned delivered conducted carried "
    "submitted filed registered governed charged billed invoiced quoted priced counted measured expressed displayed "
    "shown rounded formatted encoded hashed signed hosted built deployed scheduled issued assigned "
    "treated rendered exposed mounted bounded backed routed forwarded dispatched collected returned cached tagged "
    "pinned locked sealed stamped addressed directed archived mirrored synced replicated announced booked ordered "
    "approved requested raised opened parked taught trained based"
)
_WAYS = word_set("from to against through via under into")
_OPENING_MARKS = "`\"'("
_PLACING = word_set("in at from to against through via under as by with on using into")
# What many take part in, in many places and with many others, whatever the noun says
_SCATTERED = frozenset(
    ("sent to", "shown on", "shown in", "displayed on", "displayed in", "reported to", "published in", "made in")
) | {f"{done} on" for done in ("run", "tested", "built", "deployed", "executed", "published", "announced")}
# Verbs of the present that tell what was seen, or of several
_NO_STATES = word_set(
    "show report find reveal indicate suggest describe mention discuss explain know see say tell claim think believe "
    "support list include feature sell export import print log raise throw quote recommend match play visit like love "
    "win score lose remember recall happen occur fail cost have do mean define remind alert warn notify read speak"
)
# Verbs of which a thing has one object by its name or path
_ONE_OBJECT = word_set("target emit")
_ONCE_A_DAY = word_set("start begin end open close lock unlock reopen finish reset rotate expire run fire resume stop")
_ANSWERING = word_set("return answer respond reply yield exit")  # in each case with another code
# What a definite thing, or all of a kind, does in one place
_PLACED_AT = word_set("take meet start begin end gather assemble live sit stand target listen report park run belong")
_ONES = word_set("person one team company firm agency host server machine node tool officer engineer clerk desk office")
_FIXED = word_set(
    "scheduled set fixed due locked unlocked opened closed started reset rotated planned paid run released"
)
_NO_SUBJECTS = word_set(
    "benchmark experiment study survey report trial example chart figure table result article paper chapter section "
    "question episode step stage phase tier level alert alarm reminder train bus tram coach shuttle flight plane "
    "ferry boat ship lorry truck taxi ticket fine fee discount scenario sample image diagram screenshot story "
    "player driver runner hiker man woman it this"
)
_VAGUE = re.compile(r" (?:an?|over|under|above|below|beyond|past|than|nearly|almost|some|around|roughly)\Z")
_AND_SONS = re.compile(r" & [A-Z][\w’'-]*(?: [A-Z][\w’'-]*)?")
_MEASURED = MEASURES | VERSION_NOUNS | word_set("factor ratio level count number")
_COUNTED = re.compile(r" (?:[a-z-]+ )?[a-z]+s")  # "300 operating hours"
_OPEN_SUBJECTS = (UNASSERTED | {"other"}) - word_set("used next last till until since before around about no also")
_DENYING = word_set("not never no cannot only nobody nothing")
_RANGE = re.compile(r"\b(?:between|from) \Z")
_TO_ANOTHER = re.compile(r"\d (?:through|to|-|–) \Z")
_MORE = re.compile(r",? or\b|,? and (?:the |at |on |in |by |to )?[\dA-Z`$€]|, [A-Z\d`]")
_ONE_OF_THEM = re.compile(r"\b(?:an?|another) \Z")
_SECOND = re.compile(r" (?:and|to|until) ")
_LABELLED = re.compile(
    r"(?<= )(?P<kind>(?:API )?[Ll]evel|[Bb]ay|[Hh]all|[Rr]oom|[Gg]ate|[Pp]latform|[Bb]uilding|[Ll]ane|[Ff]loor"
    r"|[Ee]xtension|[Pp]ier|[Dd]ock|[Tt]rack|[Tt]erminal|[Zz]one|[Ww]arehouse|[Cc]abinet|[Rr]ack|[Pp]ort|[Kk]ey) "
    r"(?P<value>[A-Z]?\d[\w-]*|[A-Z])(?=\Z|,? (?:in|on|at|of|for|and|by|with|during|before|after|when|to|so)\b)"
)
_NAMED_AFTER = re.compile(
    r" (?P<prep>by|in|at|from|to|against|through|via|under|as|with|on|using|into) "
    r"(?:the (?:(?:[a-z-]+ ){0,2}[a-z-]+, )?)?\Z"
)
_DAY_OF_MONTH = re.compile(r" the (?P<value>\d{1,2}(?:st|nd|rd|th)) of (?=(?:each|every|the) month\b)")
_PRODUCT = re.compile(r"(?P<name>[A-Z][\w+#]*(?: [A-Z][\w+#]*)?) (?P<value>v?\d+(?:\.\d+)*)(?=\Z|[ ,;])")


class _Slot(NamedTuple):
    """Where a value stands, where the rest starts, and what kind it is."""

    start: int
    end: int
    rest: int
    kind: str


def read_lone_slot(text: str) -> Claim | None:
    """Read the one value of a plain sentence; the places of the claim are those of `text`.

    Example:
        >>> text = "Minutes of the steering board are taken by Oona Lind"
        >>> claim = read_lone_slot(text)
        >>> text[claim.start : claim.end]
        'Oona Lind'
        >>> read_lone_slot("A report was sent to Oona Lind") is None
        True
    """
    if len(text) > _LONGEST or _GATE.search(text) is None or _MARKUP.search(text) is not None:
        return None
    if text[-1] == "?" or not asserts(text):
        return None
    tokens = tokens_in(text)
    if not _LEAST_WORDS <= len(tokens) <= _MOST_WORDS or is_opinion([t.word for t in tokens]):
        return None
    parts = parts_of(text)
    if parts is None or parts.order or not _is_one_thing(parts) or not _is_sure(parts):
        return None
    found = _slots_of(parts)
    if len(found) != 1 or not _governs(parts, found[0]):
        return None
    slot = found[0]
    head = parts.head
    named = any(text[t.start].isupper() or is_identifier(t.word) for t in tokens[1:] if t.end <= slot.start)
    local = None if named and singular(head) == head else True
    said = said_around(text, slot.start, slot.rest, parts.front)
    governing = _NAMED_AFTER.search(f"{text[: slot.start].rstrip(_OPENING_MARKS)} ".replace("  ", " "))
    if slot.kind not in ("number", "date", "range") and governing is not None and governing["prep"] in _WAYS:
        said += f" {governing['prep']}-there"  # goods are shipped to one town, and from another
    expected = "text" if slot.kind not in ("number", "date") else None
    return Claim(said, _THUS, slot.start, slot.end, _RULE, expected, local=local)


def _is_sure(parts: Parts) -> bool:
    """Whether neither what stands in front nor the subject leaves open what holds: "If we win", "the proposed port"."""
    front = parts.text[: parts.front]
    if front and (not holds(front) or (parts.words[0] == "if" and of_a_story(front[3:].rstrip(" ,")))):
        return False
    return _OPEN_SUBJECTS.isdisjoint(parts.subject)


def _is_one_thing(parts: Parts) -> bool:
    """Whether a subject is one definite thing, or all of a kind."""
    words = parts.subject
    head = parts.head
    several = singular(head) != head
    said = parts.text[parts.tokens[parts.main].start : parts.tokens[parts.verb].start]
    if ": " in said or verb_of_gerund(words[0]) != words[0]:
        return False  # "Bob: the port", "Deleting a file returns"
    if (
        singular(head) in _NO_SUBJECTS
        or (head in MANY_ROLES and not several)
        or words[0] in ("a", "an", "some", "many")
    ):
        return False
    owned = words[0] in WHOSE or any(w.endswith(("'s", "’s")) for w in words)
    named = any(
        parts.text[t.start].isupper() or is_identifier(t.word) for t in parts.tokens[parts.main + 1 : parts.verb]
    )
    return owned or several or (named and len(words) > 1) or (len(words) > 2 and not words[0].endswith("'s"))


def _slots_of(parts: Parts) -> list[_Slot]:
    """Return the values behind the verb of the main clause: the typed ones, or else the first name."""
    text, begin = parts.text, parts.tokens[parts.verb].end
    typed = [v for v in values_in(text) if v.start > begin and parts.place(v) == "main"]
    if (
        len(typed) == 2
        and _RANGE.search(text[: typed[0].start])
        and _SECOND.fullmatch(text[typed[0].end : typed[1].start])
    ):
        return [_Slot(typed[0].start, typed[1].end, typed[1].rest, "range")]
    names = [n for n in _names_behind(parts) if not any(v.start <= n.start < v.end for v in typed)]
    found = [_Slot(v.start, v.end, v.rest, v.kind) for v in typed if not any(n.start < v.end <= n.end for n in names)]
    for kind, pattern in (("label", _LABELLED), ("date", _DAY_OF_MONTH)):
        label = pattern.search(text, begin)
        if label is not None and (not found or [f.start for f in found] == [label.start("value")]):
            return [_Slot(*label.span("value"), label.end("value"), kind)]
    return found or names[:1]


def _names_behind(parts: Parts) -> Iterator[_Slot]:
    """Yield the names in the main clause behind its verb."""
    text, free = parts.text, 0
    for token in parts.tokens[parts.verb + 1 :]:
        if token.start < free or token.word in _SUBORDINATING:
            continue
        if not text[token.start].isupper() or token.word in _NO_NAMES:
            continue
        if token.word in DEMONYMS and text[: token.start].endswith(" in "):  # "are printed in Welsh"
            yield _Slot(token.start, token.start + len(token.word), token.end, "name")
        elif (product := _PRODUCT.match(text, token.start)) is not None:
            free = product.end()
            yield _Slot(*product.span(), product.end(), "product")
        elif (name := find_typed(text, token.start, len(text))) is not None and name[3] in ("name", "technical"):
            pair = _AND_SONS.match(text, name[1])  # "by Quill & Marsh": one firm, or both of them
            free = pair.end() if pair is not None else name[2]
            yield _Slot(name[0], free if pair is not None else name[1], free, "name")


def _governs(parts: Parts, slot: _Slot) -> bool:
    """Whether the verb has one value in this slot."""
    before, after = parts.text[: slot.start].rstrip("`\"'("), parts.text[slot.rest :]
    words = parts.words
    if not _DENYING.isdisjoint(words[parts.main : parts.verb + 3]) or parts.act == "will":
        return False
    if is_past(parts.act) and base_of(parts.act) is None and parts.act not in ("was", "were"):
        return False  # "The Lakers retired number 8"
    if slot.kind in ("quoted", "technical") and _ONE_OF_THEM.search(before) is not None and after.strip("` "):
        return False  # "emits a `token` event", and an `error` event
    if after[:1] == "/" or _MORE.match(after) is not None or _TO_ANOTHER.search(before) is not None:
        return False
    passive = parts.act in ("is", "are") and is_participle(parts.done)
    if slot.kind in ("number", "date", "range"):
        return _has_amount(parts, slot, before, passive)
    governing = _NAMED_AFTER.search(before if before.endswith(" ") else f"{before} ")
    if passive:
        prep = governing["prep"] if governing is not None else ""
        if prep == "by":
            return parts.done in _CHARGED and _is_whole(parts)
        return prep in _PLACING and parts.done in _PLACED and f"{parts.done} {prep}" not in _SCATTERED
    base = base_of(parts.act) or ""
    if slot.kind == "label":
        return base in _PLACED_AT
    direct = parts.tokens[parts.verb].end >= slot.start - 6
    if parts.act == "is":
        return direct and _is_defined(parts)
    return direct and base in _ONE_OBJECT and slot.kind != "name"


def _is_defined(parts: Parts) -> bool:
    """Whether a subject says what one does that no other does: "the person who approves the budget"."""
    words = parts.subject
    at = next((n for n, w in enumerate(words) if w in ("who", "that", "which")), len(words))
    act = words[at + 1] if at + 1 < len(words) else ""
    acts = act.endswith("s") and (base_of(act) or "") not in MANY_VERBS and act not in ("is", "has", "was")
    return words[0] == "the" and at == 2 and words[1] in _ONES and acts


def _has_amount(parts: Parts, slot: _Slot, before: str, passive: bool) -> bool:
    """Whether a quantity or a time is the one of its kind."""
    said = before.rstrip()
    if not rw.ALARMS.isdisjoint(parts.words) or _VAGUE.search(said) is not None:
        return False
    base = "be" if parts.act in ("is", "are") else base_of(parts.act) or ""
    head = singular(parts.head)
    if not passive and head in PERSON_ROLES and head == parts.head:
        return False  # "The coach runs 5 km"
    if head in rw.OF_LEVELS or base in _NO_STATES or (base in _ANSWERING and not parts.front):
        return False
    if base == "be" and not passive:  # "The cost factor used for hashing is 10"
        after = parts.text[slot.rest :].lstrip('`"')
        ends = (
            not after.strip()
            or after[0] in ",("
            or after.split()[0] in PREPOSITIONS
            or _COUNTED.fullmatch(after) is not None
        )
        lone = not any(map(str.isdigit, after)) and parts.tokens[parts.verb].end + 1 == slot.start
        return head in _MEASURED and lone and ends
    if slot.kind == "date" or canonical_value(parts.text[slot.start : slot.end])[1].startswith(("time", "weekday")):
        dated = not canonical_value(parts.text[slot.start : slot.end])[1].startswith("weekday")
        return (
            dated and (parts.done in _FIXED if passive else base in _ONCE_A_DAY) and singular(parts.head) == parts.head
        )
    if parts.act in ("may", "can") and rw.BOUND.search(said) is None:
        return False
    if passive:
        return parts.done not in ("seen", "found", "known", "expected", "used", "needed")
    return parts.act not in ("has", "have", "was")


def _is_whole(parts: Parts) -> bool:
    """Whether one is charged with the whole of what a subject names."""
    words = parts.subject
    head = singular(parts.head)
    if head in _ONE_BY_ONE or head in EVENTS or head in MANY_ROLES:
        return False
    qualified = any(w in PREPOSITIONS or is_past(w) for w in words[1:])
    return words[0] in WHOSE or qualified or (len(words) > 1 and (parts.head == head or parts.done in _OFFICIAL))
