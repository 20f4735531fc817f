"""What is done over and over, on which day or at which hour: "deployed every Tuesday", "backed up nightly at 02:00".

Each is put as the plain sentence of the act ("The weekly deployment day of the app is Tuesday", "The nightly backup of
the database runs at 02:00"), made of the pieces of the given one, and judged like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memstrata_integrations.extraction.sentences.charges import be_of, inner, opening
from memstrata_integrations.extraction.sentences.dispatch import A_NUMBER, Needles
from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.nominals import act_of_noun
from memstrata_integrations.extraction.sentences.verbs import (
    BASES,
    MANY_VERBS,
    gerund_of,
    is_participle,
    participle_of,
    verb_of,
)
from memstrata_integrations.words import singular, word_set

__all__ = ["OF_ROUTINES"]

_Pieces = tuple[str | tuple[int, ...], ...]
_DAY = r"(?P<value>(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)"
_DAYS = word_set(
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mondays Tuesdays Wednesdays Thursdays Fridays Saturdays "
    "Sundays"
)
_WHAT = r"(?P<what>(?:[Tt]he |[Oo]ur |[Aa]ll |[A-Z`¤])[^,;:]*?)"
_HAPPENS = r"(?:is|are|happens?|takes? place|occurs?|runs?|is done|are done)"

# --- on which day of the week ---

_EVERY_DAY = re.compile(rf"{_WHAT} (?:is|are|gets?) (?P<done>[a-z]+)(?: (?:on )?(?:each|every)) {_DAY}\Z")
_WE_EVERY_DAY = re.compile(rf"We (?P<verb>[a-z]+) (?P<what>(?:the |our |all )[^,;:]*?) (?:on )?(?:each|every) {_DAY}\Z")
_WEEKLY = re.compile(
    r"(?:The weekly (?P<act>[a-z]+) (?:of|for) (?P<what>(?:the |our |all |[A-Z`¤])[^,;:]*?)"
    r"|(?P<owner>(?:The |Our |[A-Z`¤])[^,;:]*?)['’]s? weekly (?P<noun>[a-z]+)) "
    rf"{_HAPPENS} (?:on|(?:on )?(?:each|every)) {_DAY}s?\Z"
)
_ACTS_ON = re.compile(
    r"(?:The )?(?P<act>[A-Za-z]+s) (?:of|for|to) (?P<what>(?:the |our |[A-Z`¤])[^,;:]*?) "
    rf"(?:happen|take place|occur|are done) (?:on|(?:on )?(?:each|every)) {_DAY}s?\Z"
)
_IS_DAY_OF = re.compile(
    rf"{_DAY} is (?:the )?(?:weekly )?(?P<act>[a-z]+) day (?:for|of|in|at|on) (?P<what>(?:the |our |[A-Z`¤])[^,;:]*)\Z"
)
# What somebody does there, rather than what is done to it
_NOT_DONE = word_set(
    "play run train swim study practise practice rehearse march walk sing perform race meet gather dance cook fish "
    "speak talk call visit see watch lead teach travel sail sit stand stay live hold"
)
# Of other verbs that are nouns, too, who does it may stand behind "of": "the weekly call of the team"
_CALLED_SO = word_set("deploy release update restart reboot clean export import refresh upgrade")


def _day_of(text: str, act: tuple[int, int], what: tuple[int, int], value: tuple[int, int]) -> _Pieces | None:
    """Put what is done to a thing on a day as the day of it."""
    noun = text[slice(*act)].lower()
    base = act_of_noun(noun)
    if base is None or base in _NOT_DONE or (base == singular(noun) and base not in _CALLED_SO):
        return None
    if not quiet(text[slice(*what)]):
        return None
    return f"The weekly {singular(noun)} day of ", *inner(text, *what), " is ", value


def _on_day(text: str, hidden: str) -> _Pieces | None:
    """Read "The weekly deployment of the app happens on Tuesday" as its deployment day."""
    match = _WEEKLY.match(hidden)
    if match is not None:
        act, what = ("act", "what") if match["act"] else ("noun", "owner")
        return _day_of(text, match.span(act), match.span(what), match.span("value"))
    match = _ACTS_ON.match(hidden) or _IS_DAY_OF.match(hidden)
    if match is None:
        return None
    return _day_of(text, match.span("act"), match.span("what"), match.span("value"))


_FRONT_DAY = re.compile(
    rf"(?:(?:Every|Each) {_DAY}|On {_DAY.replace('value', 'value2')}s),? we (?P<verb>[a-z]+) "
    r"(?P<what>(?:the |our |all )[^,;:]*)\Z"
)


_PHRASE_DAY = re.compile(
    rf"{_WHAT} (?:is|are|gets?) (?P<done>[a-z]+) (?P<particle>up|down) (?:weekly on|on|each|every) {_DAY}s?\Z"
    rf"|We (?P<do>[a-z]+) (?P<part>up|down) (?P<it>(?:the |our |all )[^,;:]*?) (?:weekly on|on|each|every) "
    rf"{_DAY.replace('value', 'value2')}s?\Z"
    rf"|(?:(?:Every|Each) {_DAY.replace('value', 'value3')}|On {_DAY.replace('value', 'value4')}s),? we "
    r"(?P<do2>[a-z]+) (?P<part2>up|down) (?P<it2>(?:the |our |all )[^,;:]*)\Z"
    r"|The weekly (?P<noun>backup|cleanup|shutdown) of (?P<of>(?:the |our |all |[A-Z`¤])[^,;:]*?) "
    rf"(?:runs|happens|takes place|occurs|starts) (?:on|each|every) {_DAY.replace('value', 'value5')}s?\Z"
)


def _phrase_day(text: str, hidden: str) -> _Pieces | None:
    """Read "The database is backed up every Sunday" as on which day its weekly backup is."""
    match = _PHRASE_DAY.match(hidden)
    if match is None:
        return None
    what = next(g for g in ("what", "it", "it2", "of") if match[g])
    value = next(g for g in ("value", "value2", "value3", "value4", "value5") if match[g])
    base = verb_of(match["done"]) if match["done"] else match["do"] or match["do2"] or ""
    noun = match["noun"] or _OF_PHRASES.get((base, match["particle"] or match["part"] or match["part2"] or ""))
    if noun is None or not quiet(match[what]):
        return None
    return f"The weekly {noun} of ", *inner(text, *match.span(what)), " is on ", match.span(value)


def _every_day(text: str, hidden: str) -> _Pieces | None:
    """Read "The app is deployed every Tuesday" and "We deploy the app every Tuesday" as on which day it is done."""
    match = _EVERY_DAY.match(hidden)
    if match is not None:
        if not is_participle(match["done"]) or not quiet(match["what"]):
            return None
        return (0, match.end("done")), " on ", match.span("value")
    match = _WE_EVERY_DAY.match(hidden) or _FRONT_DAY.match(hidden)
    if match is None or match["verb"] not in BASES or match["verb"] in MANY_VERBS | _NOT_DONE:
        return None
    if not quiet(match["what"]):
        return None
    what = opening(text, *match.span("what"))
    value = match.span("value" if match["value"] else "value2")
    return *what, f" {be_of(match['what'])} {participle_of(match['verb'])} on ", value


# --- at which hour of each day ---

_TIME = r"(?P<value>\d{1,2}(?:[:.]\d\d(?: ?[ap]m)?| ?[ap]m)|noon|midnight)"
_PERIOD = r"(?P<period>nightly|daily|(?:every|each) (?:night|day))"
_ACT = r"(?P<done>[a-z]+)(?P<particle> up| down)?"
_FROM = r"(?:,? (?:starting|beginning))?(?: at| from)"
_IS_DONE = re.compile(
    rf"{_WHAT} (?:is|are|gets?) {_ACT} (?:{_PERIOD}{_FROM} {_TIME}"
    rf"|(?:at|from) {_TIME.replace('value', 'value2')},? {_PERIOD.replace('period', 'period2')})\Z"
)
_WE_DO = re.compile(
    rf"We {_ACT} (?P<what>(?:the |our |all )[^,;:]*?) (?:{_PERIOD}{_FROM} {_TIME}"
    rf"|(?:at|from) {_TIME.replace('value', 'value2')},? {_PERIOD.replace('period', 'period2')})\Z"
)
_FIRST = re.compile(
    rf"(?P<period>Every night|Each night|Every day|Each day|Nightly|Daily),? at {_TIME},? "
    rf"(?:we {_ACT} (?P<what>(?:the |our |all )[^,;:]*)"
    r"|(?P<it>(?:the |our |all |[A-Z`¤])[^,;:]*?) (?:is|are|gets?) (?P<did>[a-z]+)(?P<part> up| down)?)\Z"
)
_TIME_OF = re.compile(
    r"(?:The (?P<period>nightly|daily) (?P<noun>[a-z]+) time (?:of|for) (?P<what>(?:the |our |all |[A-Z`¤])[^,;:]*?)"
    r"|(?P<owner>(?:The |Our |[A-Z`¤])[^,;:]*?)['’]s? (?P<period2>nightly|daily) (?P<noun2>[a-z]+) time) is "
    rf"(?:at )?{_TIME}\Z"
)
_NIGHTLY = word_set("nightly daily nightly, daily, Nightly Daily night day")
_OF_PHRASES = {("back", "up"): "backup", ("clean", "up"): "cleanup", ("shut", "down"): "shutdown"}
# Verbs whose act is called by the verb itself, or by a noun of another ending than theirs
_OF_THEMSELVES = word_set(
    "test sync scan check dump export import restart reboot refresh reload reset update upgrade snapshot purge sweep "
    "flush run build release audit review report feed"
)
_OF_OTHERS = {"deploy": "deployment", "inspect": "inspection", "deliver": "delivery", "collect": "collection"}


def _noun_of(base: str, particle: str) -> str | None:
    """Return what an act is called: "backup", "rotation", "restart", "cleaning"."""
    if particle:
        return _OF_PHRASES.get((base, particle))
    if base not in BASES:
        return None
    if base in _OF_THEMSELVES:
        return base
    return _OF_OTHERS.get(base) or (f"{base[:-1]}ion" if base.endswith("ate") else gerund_of(base))


def _at_hour(text: str, hidden: str) -> _Pieces | None:
    """Read "The database is backed up nightly at 02:00" as when its nightly backup runs."""
    match = _IS_DONE.match(hidden) or _WE_DO.match(hidden) or _FIRST.match(hidden)
    if match is None:
        return None
    said = match.groupdict()
    what = "what" if match["what"] else "it"
    done, particle = (said["done"], said["particle"]) if said.get("done") else (said["did"], said["part"])
    active = match.re is _WE_DO or (match.re is _FIRST and bool(said["done"]))
    base = done if active else verb_of(done)
    if (not active and base == done and not is_participle(done)) or not quiet(match[what]):
        return None
    noun = _noun_of(base, (particle or "").strip())
    value = "value" if said["value"] else "value2"
    period = (said["period"] or said["period2"]).lower()
    often = "nightly" if period.endswith(("night", "nightly")) else "daily"
    if noun is None:
        return None
    return f"The {often} {noun} of ", *inner(text, *match.span(what)), " runs at ", match.span(value)


def _time_of(text: str, hidden: str) -> _Pieces | None:
    """Read "The nightly backup time for the database is 02:00" as when that backup runs."""
    match = _TIME_OF.match(hidden)
    if match is None:
        return None
    what, noun, period = ("what", "noun", "period") if match["what"] else ("owner", "noun2", "period2")
    if not quiet(match[what]):
        return None
    of: _Pieces = (match.span(period), " ", match.span(noun), " of ", *inner(text, *match.span(what)))
    return "The ", *of, " runs at ", match.span("value")


# --- what happens every so often ---

_HAPPENS_EVERY = re.compile(
    r"(?:(?:On|In|For|At) (?P<where>(?:the |our |[A-Z`¤])[^,;:]*?), )?"
    r"(?:[Tt]he )?(?P<what>(?:[A-Za-z][\w-]* ){1,3}?)(?P<act>[a-z]+ion) (?:happens|takes place|occurs|is done|runs) "
    r"(?=every \d)"
)


def _every(text: str, hidden: str) -> _Pieces | None:
    """Read "On the update server, key rotation happens every 6 weeks" as how often the key is rotated."""
    match = _HAPPENS_EVERY.match(hidden)
    base = act_of_noun(match["act"]) if match is not None else None
    if match is None or base is None or base == match["act"] or not quiet(match["what"]):
        return None
    start, end = match.span("what")
    where: _Pieces = (" of ", match.span("where")) if match["where"] else ()
    rest = (match.end(), len(text))
    small = hidden[start + 1 : start + 2].islower()
    what: _Pieces = (text[start].lower(), (start + 1, end - 1)) if small else ((start, end - 1),)
    return "The ", *what, *where, f" is {participle_of(base)} ", rest


OF_ROUTINES: tuple[tuple[Callable[[str, str], _Pieces | None], Needles], ...] = (
    (_every_day, (word_set("every each Every Each On"), _DAYS)),
    (_phrase_day, (word_set("up down backup cleanup shutdown"), _DAYS)),
    (_on_day, (word_set("weekly happen take occur done day"), _DAYS)),
    (_at_hour, (_NIGHTLY, frozenset((A_NUMBER, "noon", "midnight")))),
    (_time_of, (word_set("time"), word_set("nightly daily"))),
    (_every, (word_set("every"), word_set("happens takes occurs done runs"))),
)
"""Readers of the plain sentence that one of this kind stands for, each with the signs that it needs."""
