"""Changes whose new value stands with its attribute, or in a state that somebody brought about.

"We've bumped the mail worker to a concurrency of 12", "We've rewritten the resizer in Go", "I've switched dentists and
now go to Dr. Lind": each is put as the plain sentences that hold from then on ("The resizer is written in Go"), which
are read like any other, so that the change acts on the keys of plain statements and on no others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memstrata_integrations.canonical import canonical_value
from memstrata_integrations.extraction.sentences.comparing import class_of, sort_of
from memstrata_integrations.extraction.sentences.doer_acts import done_of_act
from memstrata_integrations.extraction.sentences.framing import fills_role, head_of, owned, quiet
from memstrata_integrations.extraction.sentences.lexicon import MEASURES, PREPOSITIONS
from memstrata_integrations.extraction.sentences.nominals import act_of_noun
from memstrata_integrations.extraction.sentences.retelling import LETTERS, OF_PASSING, PASSING, inner
from memstrata_integrations.extraction.sentences.role_words import is_plural
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.extraction.sentences.states import _COLOURED
from memstrata_integrations.extraction.sentences.told_acts import MAY_BE_DONE, be, calm, done_by, in_two_steps, start
from memstrata_integrations.extraction.sentences.verbs import BASES, participle_of, verb_of_gerund
from memstrata_integrations.words import singular, word_set

__all__ = ["MAY_BE_BROUGHT_ABOUT", "brought_about", "is_format", "is_passing"]

_LONGEST = 200
_HAVE = r"(?:have |has |had )?(?:just |finally |recently |now |since |also )?"
# Who can do it to something else, and says nothing of what it is done to
_AGENT = (
    r"(?:I|[Ww]e|[Tt]hey|[A-Z][a-z’'-]+|[Tt]he (?:[a-z-]+ )?(?:team|squad|crew|board|council|owners?|landlord|school))"
)
_THING = r"(?:[Tt]he |[Oo]ur |[Mm]y |[A-Z`]|[a-z][\w-]*(?:['’]s |_|\.|-)|[a-z]+ing (?=(?:of|in|for|on) ))[^,;:]*?"
_MOVES = (
    "bumped|raised|lowered|moved|switched|changed|set|upgraded|downgraded|increased|reduced|cut|dropped|extended"
    "|scaled|upped|shifted|migrated|converted|transferred|pushed|brought|put|turned"
)
_GOES = f"{_MOVES}|gone|went|risen|rose|fallen|fell|grown|grew|climbed|come|came"
_WAY = r"(?: up| down| back| over| out| across)?"
_DONE_TO = rf"{_AGENT} {_HAVE}(?P<verb>{_MOVES}) (?P<what>{_THING}){_WAY}"
_UNDERWENT = rf"(?P<what>{_THING}) {_HAVE}(?:been |was |were |got )?(?P<verb>{_GOES}){_WAY}"
_FROM = r"(?: from (?P<old>[^,;:]+?))?"
_NOUN = r"(?P<noun>(?:[a-z][a-z-]* ){0,2}[a-z][a-z-]*)"
_VALUE = r"(?P<value>\S[^;:]*)\Z"


def _both(rest: str) -> tuple[re.Pattern[str], ...]:
    """Return the forms of what somebody did to a thing, and of what it underwent."""
    return re.compile(_DONE_TO + rest), re.compile(_UNDERWENT + rest)


# "bumped the worker to a concurrency of 12"; "gave it a limit of 5" is none
_TO_SOME = _both(rf"{_FROM} to an? {_NOUN} of {_VALUE}")
_TO_LABELLED = _both(rf"(?: from (?:[a-z][a-z-]* ){{1,3}}?(?P<old>[^\s,;:]+))? to {_NOUN} (?P<value>[^\s,;:]+)\Z")
_LABEL_ONCE = _both(rf" from {_NOUN} (?P<old>[^\s,;:]+) to (?P<value>[^\s,;:]+)\Z")
_TO_KIND = _both(rf"{_FROM} to (?:the |an? )?(?P<value>[^\s,;:]+) (?P<noun>(?:time |log |billing )?[a-z]+)\Z")
_AS_ITS = _both(rf"{_FROM} to (?P<value>\S[^,;:]*?) (?:as|for) (?:its|their|the) {_NOUN}\Z")
_FOR_ITS = re.compile(
    rf"(?:For|As) (?:its|their) {_NOUN}, (?P<what>{_THING}) "
    rf"{_HAVE}(?P<verb>moved|switched|changed|migrated|gone){_WAY}{_FROM} to {_VALUE}"
)
_RELEASE = re.compile(r"[A-Z][\w+#-]*(?: [A-Z][\w+#-]*)? v?\d[\w.]*")
# What is no attribute, but says how large the new value is, or is given once
_SIZES = word_set(
    "total sum record value figure state kind sort type form mix number pair set group series host lot couple "
    "grant donation bill prize loan payment fine refund gift voucher invoice message"
)
# Attributes that stand beside their value without "of"
_LABELS = word_set(
    "level mode port version tier plan policy theme channel branch region zone layout profile diet format schedule "
    "priority severity encoding charset license licence currency"
)
_KINDS = _LABELS - word_set("port version branch mode plan")
_VAGUE = word_set(
    "new different other another same old previous next former better bigger larger smaller cheaper faster slower "
    "newer older longer shorter higher lower second third first full own single simple common normal usual special"
)
# What is in a language that people speak
_IN_WORDS = word_set(
    "website site webpage page blog course book manual guide documentation doc docs class lecture film show newsletter "
    "form survey app portal ui interface menu game tutorial textbook wiki forum article handbook shop store podcast"
)
_PARTICIPLES = {
    "rewritten": "written",
    "rewrote": "written",
    "reimplemented": "implemented",
    "recoded": "written",
    "rebuilt": "built",
    "rebased": "based",
    "relicensed": "licensed",
    "re-licensed": "licensed",
    "repainted": "painted",
    "painted": "painted",
    "rehoused": "housed",
    "remounted": "mounted",
    "rehung": "hung",
    "reformatted": "formatted",
}
_REMADE_VERBS = "|".join(_PARTICIPLES)
_REMADE = (
    re.compile(rf"{_AGENT} {_HAVE}(?P<verb>{_REMADE_VERBS}) (?P<what>{_THING})"
               rf"(?P<prep> (?:in|with|on|onto|under|as))(?: pure| plain)? {_VALUE}"),
    re.compile(rf"(?P<what>{_THING}) (?:has been|have been|was|were|got) (?P<verb>{_REMADE_VERBS})"
               rf"(?P<prep> (?:in|with|on|onto|under|as))(?: pure| plain)? {_VALUE}"),
)  # fmt: skip
_RECODED = (
    re.compile(rf"{_AGENT} {_HAVE}(?P<verb>rewritten|rewrote|ported|moved|migrated|converted|translated|switched) "
               rf"(?P<what>{_THING}){_WAY} from (?P<old>\S+) (?:in)?to (?P<value>\S+)\Z"),
    re.compile(rf"(?P<what>{_THING}) (?:has been|have been|was|were|got|has|have) "
               rf"(?P<verb>rewritten|ported|moved|migrated|converted|translated|switched) "
               rf"from (?P<old>\S+) (?:in)?to (?P<value>\S+)\Z"),
)  # fmt: skip
_PAINTED = (
    re.compile(rf"{_AGENT} {_HAVE}(?:repainted|painted|redecorated|dyed|coloured|colored) (?P<rest>{_THING})\Z"),
    re.compile(
        rf"(?P<what>{_THING}) (?:has been|have been|got) (?:repainted|painted|dyed|coloured|colored) "
        r"(?P<rest>[a-z -]+)\Z"
    ),
)
# "switched the worker's logging to warning", "switched sorting in RankList to merge sort"
_ACT = _both(rf"{_FROM} to {_VALUE}")
_GERUND_OF = re.compile(r"(?:[Tt]he |[Oo]ur )?(?P<act>[A-Za-z]+ing) (?:of|in|for|on) (?P<what>\S.*)\Z")
_OF_GERUND = re.compile(r"(?P<what>\S.*?)['’]s? (?P<act>[a-z]+ing)\Z")
_ACT_OF = re.compile(r"[Tt]he (?P<act>(?:[a-z-]+ )?[a-z-]+) (?:of|for) (?P<what>(?:the |our |my |[A-Z`])[^,;:]*)\Z")
_PLURAL_OF = re.compile(r"the (?P<many>[a-z]+s) (?:of|from|for) (?P<what>(?:the |our |my |[A-Z`])[^,;:]*)\Z")
# What is as large as what it holds
_HOLDERS = word_set("pool cluster fleet cache queue batch page buffer ring")
_LEVELS = word_set("debug info warn warning error critical trace verbose notice fatal")
_MEANS = ("algorithm", "method", "tool")
_OFFICE = re.compile(
    r"[Tt]he (?:office|post|role|position|title|job) of (?P<noun>[a-z][a-z -]*?) (?:of|in|at|for|to) "
    r"(?P<what>[^,;:]+?) "
    r"(?:has |have |was |is )?(?:been )?(?:now )?(?:passed|gone|went|fallen|fell|given|handed|transferred|moved)"
    rf"{_WAY}(?: from [^,;:]+?)? to {_VALUE}"
)
_TURNED_OFF = re.compile(
    rf"(?P<what>{_THING}) (?:(?:has|have) been|got) (?P<state>enabled|disabled|activated|deactivated|turned on"
    r"|turned off|switched on|switched off)(?P<where> (?:on|in|for|at) [^,;:]+)?\Z"
    rf"|(?P<thing>{_THING}) (?:was|were) (?P<set>turned on|turned off|switched on|switched off)"
    r"(?P<place> (?:on|in|for|at) [^,;:]+)?\Z"
)
_HAD_ITS = re.compile(
    rf"(?P<what>{_THING}) (?:has|have) had (?:its|their) {_NOUN} (?:{_MOVES}){_WAY}{_FROM} to {_VALUE}"
)
_HAS_HAD = re.compile(r"\b(?:has|have) had(?= (?:its|their) )")
_GIVEN = re.compile(
    rf"(?P<what>{_THING}) (?:(?:has|have) (?:been given|got|gotten)|was given|were given|got) "
    rf"an? (?:new )?{_NOUN} of {_VALUE}"
)
MAY_BE_BROUGHT_ABOUT = MAY_BE_DONE | word_set(
    f"{' '.join(_GOES.split('|'))} {' '.join(_PARTICIPLES)} ported translated redecorated dyed coloured colored "
    "swapped relocated enabled disabled activated deactivated turned given got gotten received handed passed"
)
"""A sentence that `brought_about` reads has one of these words."""


def brought_about(said: str, changed: bool = False) -> Iterator[str]:
    """Yield the plain sentences that hold after what somebody brought about.

    Args:
        said: The sentence, without its full stop and what wraps it.
        changed: Whether its wrapping announces a change.

    Example:
        >>> list(brought_about("We have bumped the mail worker to a concurrency of 12"))
        ['The mail worker has a concurrency of 12']
    """
    if len(said) > _LONGEST or "?" in said or MAY_BE_BROUGHT_ABOUT.isdisjoint(said.split()):
        return
    if is_passing(said):
        return
    if changed:
        yield from in_two_steps(said)
    for reader in (_attribute, _remade, _painted, done_by, _act, _scheduled, _located, _office, _set_up):
        found = list(reader(said))
        if found:
            yield from found
            return


def is_passing(said: str) -> bool:
    """Whether a change is told as one for a while, in part, or long ago; "has had its limit raised" is none."""
    if OF_PASSING.isdisjoint(LETTERS.findall(said.lower())):
        return False
    return PASSING.search(_HAS_HAD.sub("has", said, count=1)) is not None


def _has(what: str) -> str:
    return "have" if is_plural(head_of(what.split())) else "has"


def _uses(what: str) -> str:
    return "use" if is_plural(head_of(what.split())) else "uses"


def _whole_amount(value: str) -> bool:
    """Whether a value is an amount, and nothing more."""
    found = find_typed(value, 0, len(value))
    return found is not None and found[:2] == (0, len(value)) and found[3] == "number"


def _attribute(said: str) -> Iterator[str]:
    """Read "bumped the worker to a concurrency of 12", "to log level debug", "to Redis as its cache"."""
    for form in (*_TO_SOME, _GIVEN, _HAD_ITS):
        match = form.match(said)
        if match is None or not calm(match, "what", "value") or head_of(match["noun"].split()) in _SIZES:
            continue
        if form is _HAD_ITS:
            yield f"{start(owned('its', match['noun'], inner(match['what'])))} is {match['value']}"
        elif find_typed(match["value"], 0, len(match["value"])):
            yield f"{start(match['what'])} {_has(match['what'])} a {match['noun']} of {match['value']}"
        return
    for form in (*_AS_ITS, _FOR_ITS):
        match = form.match(said)
        if match is not None and calm(match, "what", "value") and fills_role(match["noun"]):
            yield f"{start(owned('its', match['noun'], inner(match['what'])))} is {match['value']}"
            if _RELEASE.fullmatch(match["value"]):
                yield f"{start(match['what'])} {_uses(match['what'])} {match['value']}"
            return
    for form in (*_LABEL_ONCE, *_TO_LABELLED, *_TO_KIND):
        match = form.match(said)
        if match is None or not calm(match, "what", "value") or match["value"].lower() in PREPOSITIONS:
            continue
        noun = match["noun"].split()
        kinds = _KINDS if form in _TO_KIND else _LABELS
        if noun[-1] not in kinds or match["value"].lower() in _VAGUE or not _VAGUE.isdisjoint(noun):
            continue
        yield f"{start(owned('its', match['noun'], inner(match['what'])))} is {match['value']}"
        if form is _TO_KIND[1]:
            yield f"{start(match['what'])} {be(match['what'])} on a {match['value']} {match['noun']}"
        if noun == ["diet"]:
            yield f"{start(match['what'])} is {match['value']}"
        return


def _is_language(value: str) -> bool:
    return class_of(value.lower(), "is done thus") == "programming"


def _language_of(what: str, value: str) -> Iterator[str]:
    """Yield which language a program is in; a site or a course is in one that people speak as well."""
    if singular(head_of(what.split())) not in _IN_WORDS:
        yield f"The language of {inner(what)} is {value}"


def _remade(said: str) -> Iterator[str]:
    """Read "We've rewritten the resizer in Go" and "The resizer was ported from Perl to Go"."""
    for form in _RECODED:
        match = form.match(said)
        if match is not None and _is_language(match["value"]) and _is_language(match["old"]) and calm(match, "what"):
            yield f"{start(match['what'])} {be(match['what'])} written in {match['value']}"
            yield from _language_of(match["what"], match["value"])
            return
    for form in _REMADE:
        match = form.match(said)
        if match is None or not calm(match, "what", "value"):
            continue
        prep = match["prep"].replace("onto", "on")
        yield f"{start(match['what'])} {be(match['what'])} {_PARTICIPLES[match['verb']]}{prep} {match['value']}"
        if _is_language(match["value"]):
            yield from _language_of(match["what"], match["value"])
        elif match["verb"] == "rebased":
            yield f"The base image of {inner(match['what'])} is {match['value']}"
        return


def _painted(said: str) -> Iterator[str]:
    """Read "We've painted the walls of the nursery pale yellow"."""
    for form in _PAINTED:
        match = form.match(said)
        if match is None:
            continue
        words = match["rest"].split()
        for n in (3, 2, 1):
            colour = " ".join(words[-n:])
            found = _COLOURED.search(f"It is {colour}") if n <= len(words) else None
            if found is None or found["value"] != colour:
                continue
            what = match["what"] if form is _PAINTED[1] else " ".join(words[:-n])
            if what and quiet(what) and (form is _PAINTED[0] or n == len(words)):
                yield f"{start(what)} {be(what)} painted {colour}"
                return


def _act(said: str) -> Iterator[str]:
    """Read "We've switched sorting in RankList to merge sort" as with what it is done."""
    for form in _ACT:
        match = form.match(said)
        acted = (_GERUND_OF.match(match["what"]) or _OF_GERUND.match(match["what"])) if match is not None else None
        if match is None or acted is None or not calm(match, "what", "value") or not calm(acted, "what"):
            continue
        act, what, value = acted["act"].lower(), acted["what"], match["value"]
        if act == "logging" and value.lower() in _LEVELS:
            yield f"The log level of {inner(what)} is {value}"
            return
        found = find_typed(value, 0, len(value))
        if found is not None and found[3] in ("number", "date"):
            return
        base = verb_of_gerund(act)
        done = done_of_act(act) or (participle_of(base) if base in BASES else None)
        for noun in _MEANS:
            yield f"The {act} {noun} of {inner(what)} is {value}"
        if done is not None:
            for link in ("with", "by"):
                yield f"{start(what)} {be(what)} {done} {link} {value}"
        return


def _scheduled(said: str) -> Iterator[str]:
    """Read "We've moved the weekly deployment of the site to Thursday" as the day of it."""
    for form in _ACT:
        match = form.match(said)
        act = _ACT_OF.match(match["what"]) if match is not None else None
        if match is None or act is None or not calm(match, "what", "value"):
            continue
        kind = canonical_value(match["value"])[1]
        unit = "day" if kind == "weekday" else "time" if kind.partition(":")[0] == "time" else ""
        if unit and act_of_noun(act["act"].split()[-1]) is not None:
            yield f"The {act['act']} {unit} of {act['what']} is {match['value']}"
        return


def _located(said: str) -> Iterator[str]:
    """Read "We've moved the list to /v2/members", "set the pool to 75 connections" and "the responses of it to XML"."""
    for form in _ACT:
        match = form.match(said)
        if match is None or not calm(match, "what", "value"):
            continue
        what, value = inner(match["what"]), match["value"]
        kind = canonical_value(value)[1].partition(":")[0]
        head = head_of(what.split())
        if kind == "path" and head not in ("path", "location", "directory", "folder", "file"):
            yield f"The path of {what} is {value}"
            yield f"The location of {what} is {value}"
        elif kind == "url" and head not in ("url", "address", "endpoint", "link"):
            yield f"The URL of {what} is {value}"
        elif kind == "count" and singular(head) in _HOLDERS:
            yield f"The size of {what} is {value.split()[0]}"
            yield f"{start(match['what'])} {'hold' if is_plural(head) else 'holds'} {value}"
        elif is_format(value) and (of := _PLURAL_OF.match(what)) is not None:
            yield f"The {singular(of['many'])} format of {of['what']} is {value}"
        return


def _office(said: str) -> Iterator[str]:
    """Read "The office of mayor in Elmford has passed to Henrik Dahl"."""
    match = _OFFICE.match(said)
    if match is not None and calm(match, "what", "value") and fills_role(match["noun"]):
        yield f"The {match['noun']} of {match['what']} is {match['value']}"


def _set_up(said: str) -> Iterator[str]:
    """Read "Two-factor login has been disabled on the portal" and "raised the API to 300 requests per minute"."""
    match = _TURNED_OFF.match(said)
    if match is not None:
        what, state = match["what"] or match["thing"], match["state"] or match["set"]
        where = match["where"] or match["place"] or ""
        dated = canonical_value(where.strip().partition(" ")[2])[1] != "text" if where else False
        if quiet(what) and quiet(where) and not dated:
            yield f"{start(what)} {be(what)} {state}{where}"
        return
    for form in _ACT:
        match = form.match(said)
        if match is None or not calm(match, "what", "value") or not _whole_amount(match["value"]):
            continue
        head = head_of(match["what"].split())
        if canonical_value(match["value"])[1].startswith("rate") and head not in MEASURES and head != "rate":
            yield f"{start(match['what'])} {be(match['what'])} limited to {match['value']}"
        return


def is_format(value: str) -> bool:
    """Whether a value is a format of files."""
    return sort_of(value.lower(), "is located at", "in") == "format"
