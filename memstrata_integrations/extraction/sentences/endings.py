"""Sentences of ending: "Alder no longer listens on port 80", "Harrier has no team lead any more", "Ada has left Brill".

Such a sentence is put as the statement that it ends, which the grammar reads like any other: the key of that reading
is what ends. Where the sentence names the value ("works for Brill"), that value alone ends. Where it means any ("has no
team lead"), values of several kinds are put in its place, for one noun may stand for several keys ("the port of Alder"
is a number that it listens on, and else an attribute): of each of these statements the sentence says that none holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from memstrata_integrations.extraction.sentences.held import GIVING_UP, HELD, given_up
from memstrata_integrations.extraction.sentences.lexicon import DURATION_NOUNS, EVENTS, PERSON_ROLES, PREPOSITIONS
from memstrata_integrations.extraction.sentences.role_words import is_plural
from memstrata_integrations.extraction.sentences.verbs import THIRD
from memstrata_integrations.extraction.sentences.wording import core_of
from memstrata_integrations.facts import Fact
from memstrata_integrations.units import MONTHS, WEEKDAYS
from memstrata_integrations.words import word_set

__all__ = ["MAY_END", "endings_of", "without_restated"]

_LONGEST = 240
_RULE = "ending"
# One value of each kind that a slot may ask for
_ANY = (
    "7001",
    "Quill",
    "Quill Vane",
    "quill-vane",
    "quill_vane",
    "quill.example",
    "/quill/vane",
    "7.0.1",
    "70 minutes",
    "70 MB",
    "70 %",
    "+1 555 0100",
    "quill@vane.example",
    "on",
    "Friday",
    "19:10",
)
_ANY_PRICE = (*_ANY, "70 euros")
_GONE = (
    "removed|dropped|deleted|withdrawn|lifted|abolished|retired|decommissioned|shut down|discontinued|scrapped"
    "|cancelled|canceled|revoked|rescinded|repealed|terminated|dissolved|disbanded|dismantled|demolished|torn down"
    "|taken down|done away with|eliminated|purged|erased|unset|cleared"
)
MAY_END = word_set(
    "longer more anymore no gone left quit vacant unfilled out away resigned retired off fired dismissed ways "
    "died down defunct obsolete expired lapsed ended ceased exist apply vanished disappeared uninstalled"
) | frozenset(word.split()[-1] for word in _GONE.split("|"))
MAY_END |= GIVING_UP
"""A sentence of ending has one of these words."""
# What takes an ending back, in the same sentence or behind it
_TAKEN_BACK = re.compile(
    r"\b(?:restored|reinstated|reverted|re-?added|re-?introduced|re-?enabled|revived|undone|brought back|rolled back"
    r"|added back|put back|(?:is|was|are|were|came|comes) back|by mistake|by accident|accidentally|temporarily|again"
    r"|for maintenance)\b"
)
# What leaves open how much ends, or whether
_HEDGED = re.compile(
    r"[,;:] | [–—-] |\b(?:than|only|just|sole|solely|exclusively|always|necessarily|merely|simply|entirely|fully"
    r"|completely|wholly|really|quite|strictly|mainly|mostly|primarily|usually|often|alone|both|all|each|every|and|or|but"
    r"|unless|until|except|when|while|after|before|once|because|needs?|needed|requires?|required|wants?|wanted|expects?"
    r"|expected|supposed|able|allowed|recommends?|recommended|likely|planned|almost|nearly|partly|partially)\b",
    re.IGNORECASE,
)
_MODAL = re.compile(
    r" (?:was|were|had|will|would|may|might|can|could|must|should|shall|did) (?:not |no longer |have |be )"
    r"|n['’]t (?:been|be) | to (?:be|no longer) | being | not (?:yet )?(?:been )?(?!any)(?:" + _GONE + r")\b"
)
# "One of the mirrors", "a mirror", "the old mirror": another one may still be there
_PART = re.compile(
    r"(?:one|two|three|some|many|most|several|both|all|an?|another|any|each|every|no|none|half|parts?|nobody|neither"
    r"|either|whoever|whatever) "
    r"|(?:the |our |my |.*['’]s )(?:[a-z-]+ )?(?:old|older|oldest|former|previous|other|last|latest|first|second|third"
    r"|next|earlier|legacy|original|temporary|extra|additional|new|duplicate|remaining|same)\b"
    r"|(?:the )?(?:rest|half|part|majority|number|list|set|idea|notion|mention) of ",
    re.IGNORECASE,
)
# A birthplace stays one when it is torn down
_LASTING = word_set(
    "birthplace birthday author founder cofounder co-founder inventor creator designer architect composer winner "
    "origin discoverer builder writer painter predecessor successor ancestor father mother birth year"
)
# A price that was dropped is lower, an interval that has ended is as long as ever, a manager who is gone comes back
_PRICES = word_set("price cost rate temperature level volume pressure speed salary wage rent weight score hook curtain")
_CHARGES = word_set("price cost costs fee fare charge rent toll ticket subscription membership deposit fine salary")
_LOWERED = word_set("dropped lifted")
_RUN_OUT = word_set("ended expired lapsed terminated cancelled canceled cleared")
_TERMS = DURATION_NOUNS | EVENTS | word_set("date deadline time age term")
_AWAY = word_set("gone vanished disappeared ended cleared")
_ANOTHER_SENSE = ((_LOWERED, _PRICES), (_RUN_OUT, _TERMS), (_AWAY, PERSON_ROLES))

_DAYS = "|".join(d for d in WEEKDAYS if not d.endswith("s"))
_MONTHS = "|".join(MONTHS)
_DATE_TAIL = re.compile(
    r"(?:,? (?:yesterday|today|tonight|recently|(?:earlier )?(?:this|last) (?:week|month|year|quarter|spring|summer"
    rf"|autumn|fall|winter|morning|night|{_DAYS})|on (?:{_DAYS})|for good|altogether|entirely"
    rf"|completely|in (?:{_MONTHS})|as well|at all|once and for all|permanently))\Z",
    re.IGNORECASE,
)
_NOUN = r"(?:[a-z][\w-]*|[A-Z]{2,5})(?: (?:[a-z][\w-]*|[A-Z]{2,5})){0,3}?"
_NAME = r"(?:the )?[A-Z][\w&.+'’-]*(?: (?:[A-Z0-9][\w&.+'’-]*|of|unit))*"
_WHO = r"(?P<who>\S.*?)"
_HAVE = r"(?:(?:has|have) |['’]ve )?(?:just |since |now |recently |finally |officially )?"

_MORE = re.compile(r"\b(?:any ?more|any longer)\b", re.IGNORECASE)
_DENIED_VERB = re.compile(rf"{_WHO} (?:does not|doesn['’]t|do not|don['’]t) (?P<verb>[a-z]+)(?P<rest>.*)\Z")
_DENIED_STATE = re.compile(rf"{_WHO} (?P<is>is|are|am)(?: not|n['’]t) (?P<rest>.*)\Z")
_HAS_NO = re.compile(rf"{_WHO} (?:has|have) no (?P<noun>{_NOUN})\Z")
_THERE_IS_NO = re.compile(
    rf"[Tt]here (?:is|are) no (?:longer (?:an?|any) )?(?P<noun>{_NOUN}) (?:for|of|on|in|at) (?P<who>\S.*)\Z"
)
_HAS_A = re.compile(rf"(?:has|have) (?:an?|any|its|his|her|their|my|our)(?: own)? (?P<noun>{_NOUN})\Z")
_IN_FORCE = re.compile(
    r"(?:(?:is|are) (?:set|defined|configured|specified|assigned|given|valid|in force|in effect|in place|filled"
    r"|occupied|there|known|applicable|around|in existence)|appl(?:y|ies)|exists?|holds?)\Z"
)
_SET_IN = re.compile(r"(?:is|are) (?:set|defined|configured|specified) (?P<where>(?:in|on|for) \S+)\Z")
_PINNED = re.compile(r"(?P<is>is|are) (?P<verb>pinned|locked|fixed)\Z")
_IS_THE = re.compile(
    rf"(?:is|am|are|(?:serve|act|work)s? as) (?:the )?(?P<noun>{_NOUN}) (?:of|for|in|at) (?P<whose>\S.*)\Z"
)
_IS_OWN = re.compile(rf"(?:is|am) (?P<whose>[A-Z]\S*|[Tt]he \S.*|my|our)(?:['’]s?)? (?P<noun>{_NOUN})\Z")
_SOLD = re.compile(r"(?:is|are) (?:sold|for sale|on sale|on the market)\Z")
_UNEMPLOYED = re.compile(
    r"(?:is|am|are) employed(?: anywhere)?\Z|(?:has|have) (?:a job|an employer)\Z|works? anywhere\Z"
    r"|works? for (?:anybody|anyone|any (?:company|firm|employer))\Z"
)
_EMPLOYED = re.compile(rf"(?:is|am|are) (?:employed (?:by|at|with)|with|at) (?P<whom>{_NAME})\Z")
_ANYTHING = re.compile(
    r"(?P<verb>\S.*?)(?: (?:anything|anybody|anyone|any|any (?:company|firm|employer|person|place|organisation"
    r"|organization|team|body))| any (?P<noun>[a-z][\w-]*)| an? (?P<one>[a-z][\w-]*))\Z"
)
_USING = re.compile(r"(?:runs?|uses?|ships with|is (?:built|deployed|running) (?:with|on)) [A-Z][\w.+#]*\Z")
_LEADING_STATE = re.compile(r"(?:is|are|am|has|have)\Z")

_PASSED = re.compile(
    rf"{_WHO} (?:(?:was|were|has been|have been|got|is now|are now) "
    rf"(?:just |since |now |recently |finally |officially |permanently |also )?(?P<done>{_GONE})"
    r"|(?:is|are) (?:now )?(?:(?P<away>gone)|withdrawn|discontinued|abolished|defunct|vacant|unfilled|no more"
    r"|obsolete|decommissioned)"
    r"|(?:has |have )(?:since |now |just )?(?P<over>expired|lapsed|ended|vanished|disappeared"
    r"|ceased(?: to (?:exist|apply))?|gone away|been (?:left )?vacant|died|passed away|stepped down|retired"
    r"|fallen vacant)"
    r"|(?P<past>expired|lapsed|ended|vanished|disappeared|ceased to (?:exist|apply)|died|stepped down|fell vacant))\Z"
)
_POST = re.compile(r"(?:[Tt]he |[Oo]ur )?(?:post|position|role|job|office|seat|title) of (?:the )?(?=[a-z])")
_SHIP = re.compile(r"\b(?P<role>[a-z]{5,})ship(?= of )")
_LEFT = re.compile(
    rf"{_WHO} {_HAVE}(?:(?:left|quit)(?: (?:his|her|their|my|our) (?:job|post|position|role|place) (?:at|with|in))?"
    r"|(?:resigned|retired) from(?: (?:his|her|their|my|our) (?:job|post|position|role) (?:at|with|in))?"
    r"|parted ways with|(?:was|were|been) (?:fired|dismissed|laid off|let go) (?:from|by)) "
    rf"(?P<whom>{_NAME})\Z"
)
_MOVED_OUT = re.compile(rf"{_WHO} {_HAVE}moved (?:out of|away from) (?P<where>{_NAME})\Z")
_STEPPED_DOWN = re.compile(
    rf"{_WHO} {_HAVE}(?:stepped down|resigned|retired|quit|been (?:removed|dismissed)) as (?:the )?(?P<noun>{_NOUN})"
    r" (?:of|for|at|in) (?P<whose>\S.*)\Z"
)
_TAKEN_OUT = re.compile(
    r"(?P<what>`?[\w@/.\[\]+-]+`?) (?:was|has been) (?:removed|dropped|uninstalled|deleted) "
    r"from (?P<where>`?[\w@/.-]+`?)\Z"
)
_FILE = re.compile(r"`?[\w@/.-]+\.[a-z]{2,5}`?\Z")
# "has no effect on the limit": nothing that had a value
_NO_NOUNS = PREPOSITIONS | word_set(
    "effect impact influence need idea way reason access sense use point meaning chance longer"
)
_PLURALS = word_set("i we they you")
_BASE_TO_THIRD = {base: third for third, base in THIRD.items()} | {"have": "has"}


class _Ended(NamedTuple):
    """What a sentence ends, as statements that the grammar can read; "{}" stands for the value where any is meant."""

    statements: tuple[str, ...]
    any_value: bool


def endings_of(text: str, start: int, end: int, read: Callable[[str], Sequence[Fact]]) -> list[Fact]:
    """Return what a sentence says has ended, as facts without an object.

    Args:
        text: The whole text.
        start: Where the sentence starts.
        end: Where it ends.
        read: Reads the facts of a sentence that stands in its place.
    """
    span = start, end
    end = start + len(text[start:end].rstrip(" \n\t.!"))
    if not 0 < end - start < _LONGEST or MAY_END.isdisjoint(text[start:end].split()):
        return []
    stop = text.find("; ", start, end)  # "Ida gave up her slot; it's no longer hers"
    end = stop if stop > start else end
    if text[end - 1] in "?:…," or text.startswith("..", end) or _TAKEN_BACK.search(text, start):
        return []
    core = core_of(text, start, end)
    said = core.text
    if core.old or _HEDGED.search(said) or _MODAL.search(said):
        return []
    ended = _ended(said, _MORE.search(text, start, end) is not None)
    if ended is None:
        return []
    found: dict[tuple[str, str, str], Fact] = {}
    for statement in ended.statements:
        for fact in _of_any_kind(statement, read) if ended.any_value else read(statement):
            of = "" if ended.any_value or fact.rule == HELD else fact.value
            if fact.cardinality == "functional" and fact.object is not None and of != "*":
                found[fact.subject, fact.relation, of] = Fact(
                    fact.subject, fact.relation, None, of, "none", span, _RULE, local=fact.local, narrative=True
                )
    return list(found.values())


def _of_any_kind(statement: str, read: Callable[[str], Sequence[Fact]]) -> list[Fact]:
    """Read a statement with values of several kinds; a verb that the statement has must be that of the key."""
    charged = not _CHARGES.isdisjoint(statement.lower().split())
    facts = [
        fact
        for value in (_ANY_PRICE if charged else _ANY)
        for fact in read(statement.replace("{}", value))
        if value in (fact.object or "")
    ]
    if statement.endswith((" is {}", " are {}")):
        return facts
    words = {word.removesuffix("s") for word in statement.split()}
    verbs = {f.relation: {word.removesuffix("s") for word in f.relation.split()} for f in facts if f.relation != "is"}
    by_verb = [f for f in facts if verbs.get(f.relation, {""}) <= words]
    return by_verb or (facts if len({(f.subject, f.relation) for f in facts}) == 1 else [])


def without_restated(facts: Sequence[Fact]) -> list[Fact]:
    """Leave out the endings of what the same text states: its statement supersedes by itself."""
    if len(facts) < 2:
        return list(facts)
    stated = {(f.subject, f.relation, of) for f in facts if f.object is not None for of in ("", f.value)}
    return [f for f in facts if f.object is not None or (f.subject, f.relation, f.value) not in stated]


def _ended(said: str, more: bool) -> _Ended | None:
    """Put a sentence of ending as the statements that it ends; `None` if it is none."""
    if " no longer " in said and not said.startswith(("There ", "there ")):
        who, _, what = said.partition(" no longer ")
        return _stopped(*_with_verb(who, what))
    if more and (denied := _DENIED_VERB.match(said)) is not None:
        verb = denied["verb"]
        if denied["who"].lower() not in _PLURALS:
            verb = _BASE_TO_THIRD.get(verb, f"{verb}s")
        return _stopped(denied["who"], verb + denied["rest"])
    if more and (denied := _DENIED_STATE.match(said)) is not None:
        return _stopped(denied["who"], f"{denied['is']} {denied['rest']}")
    if (lacking := _HAS_NO.match(said) or _THERE_IS_NO.match(said)) is not None:
        return _lacking(lacking["who"], lacking["noun"])
    said = _DATE_TAIL.sub("", said)
    if held := tuple(given_up(said)):
        return _Ended(held, False)
    return _departed(said) or _passed(said)


def _with_verb(who: str, what: str) -> tuple[str, str]:
    """Return the subject and the predicate of "X is no longer Y", "X no longer is Y", "X no longer does Y"."""
    before, _, last = who.rpartition(" ")
    return (before, f"{last} {what}") if before and _LEADING_STATE.match(last) else (who, what)


def _stopped(who: str, what: str) -> _Ended | None:
    """Read what holds no longer: `what` is a predicate in the present."""
    if _PART.match(who):
        return None
    if (lacking := _HAS_A.match(what)) is not None and not _UNEMPLOYED.match(what):
        return _lacking(who, lacking["noun"])
    if _IN_FORCE.match(what):
        return _voided(who, "")
    if (where := _SET_IN.match(what)) is not None:
        return _voided(f"{who} {where['where']}", "")
    if (pinned := _PINNED.match(what)) is not None:
        return _Ended((f"{who} {pinned['is']} {pinned['verb']} to {{}}",), True)
    if _SOLD.match(what):
        return _Ended((f"{who} costs {{}}",), True)
    if _UNEMPLOYED.match(what):
        works = _third_person(who, "work")
        return _Ended((f"{who} {works} for {{}}", f"{who} {works} at {{}}"), True)
    if (employed := _EMPLOYED.match(what)) is not None:
        return _Ended((f"{who} {_third_person(who, 'work')} for {employed['whom']}",), False)
    role = _IS_THE.match(what) or _IS_OWN.match(what)
    if role is not None and not who.islower() and _NO_NOUNS.isdisjoint(role["noun"].split()):
        return _Ended((f"{_attribute(role['noun'], role['whose'])} is {who}", f"{who} {what}"), False)
    generic = _ANYTHING.match(what)
    if generic is not None and not _LEADING_STATE.match(generic["verb"]):
        noun = generic["noun"] or generic["one"]
        verb = generic["verb"]
        return _Ended((f"{who} {verb} {noun} {{}}" if noun else f"{who} {verb} {{}}",), True)
    if _USING.match(what):
        return _Ended((f"{who} {what} {{}}",), True)
    return _Ended((f"{who} {what}",), False)


def _lacking(who: str, noun: str) -> _Ended | None:
    """Read that somebody or something has none of what it had one of."""
    words = noun.split()
    if is_plural(words[-1]) or _PART.match(who) or _PART.match(f"the {noun} ") or not _NO_NOUNS.isdisjoint(words):
        return None
    return _Ended((f"{_attribute(noun, who)} is {{}}",), True)


def _departed(said: str) -> _Ended | None:
    """Read who left whom, who moved out, who stepped down, and what was taken out of what."""
    if (taken := _TAKEN_OUT.match(said)) is not None:
        what, where = taken["what"], taken["where"]
        if _FILE.match(where):
            return _Ended((f"{what} in {where} is pinned to {{}}",), True)
        return _Ended((f"{where} runs {what} {{}}",), True) if what[0].isupper() and where[0].isupper() else None
    for form in (_STEPPED_DOWN, _LEFT, _MOVED_OUT):
        if (left := form.match(said)) is None or _PART.match(left["who"]) or left["who"].endswith((" not", " never")):
            continue
        who = left["who"]
        if form is _STEPPED_DOWN:
            post = f"{left['noun']} of {left['whose']}"
            be = {"I": "am", "We": "are"}.get(who, "is")
            return _Ended((f"{_attribute(left['noun'], left['whose'])} is {who}", f"{who} {be} the {post}"), False)
        if form is _LEFT:
            works = _third_person(who, "work")
            return _Ended((f"{who} {works} for {left['whom']}",), False)
        return _Ended((f"{who} {_third_person(who, 'live')} in {_inner(left['where'])}",), False)
    return None


def _passed(said: str) -> _Ended | None:
    """Read "the port of Alder was removed", "is gone", "has expired"."""
    gone = _PASSED.match(said)
    of_post = not PERSON_ROLES.isdisjoint(said.lower().split()) or _POST.match(said) is not None
    if said.endswith(("vacant", "unfilled")) and not of_post:
        return None  # a room that is vacant may be locked
    if gone is None or _PART.match(gone["who"]) or gone["who"].endswith((" not", " never")):
        return None
    return _voided(gone["who"], gone["done"] or gone["over"] or gone["past"] or gone["away"] or "")


def _voided(who: str, how: str) -> _Ended | None:
    """Read that an attribute has no value any more."""
    if _PART.match(who):
        return None
    who = _SHIP.sub(r"\g<role>", _POST.sub("The ", who, count=1))
    heads = set(_heads(who))
    if heads & _LASTING or any(how in words and heads & nouns for words, nouns in _ANOTHER_SENSE):
        return None
    return _Ended((f"{who} is {{}}",), True)


def _heads(who: str) -> Iterator[str]:
    """Yield the nouns that may name the attribute: the last one, and the one before "of"."""
    words = who.lower().split()
    yield words[-1]
    for before, word in pairwise(words):
        if word in ("of", "for", "in", "on", "at"):
            yield before


def _attribute(noun: str, whose: str) -> str:
    """Name an attribute of somebody or something, as the subject of a sentence."""
    if whose.lower() in ("i", "my", "we", "our"):
        return f"{'My' if whose.lower() in ('i', 'my') else 'Our'} {noun}"
    return f"The {noun} of {_inner(whose)}"


def _inner(name: str) -> str:
    """Return a name as it stands within a sentence: "the Tern Cup", "unit 4"."""
    first, _, rest = name.partition(" ")
    common = first in ("The", "Our", "My") or (first[1:].islower() and rest[:1].isdigit())
    return f"{first.lower()} {rest}" if common and rest else name


def _third_person(who: str, verb: str) -> str:
    return verb if who.lower() in _PLURALS or " and " in who else f"{verb}s"
