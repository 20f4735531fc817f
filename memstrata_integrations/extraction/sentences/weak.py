"""Statements that leave room for others until a change is announced: "I keep my notes in Obelisk".

Who keeps notes in one place may keep some in another, so two such statements stand side by side. One that
says "now", "these days" or "instead of" takes the place of those before it: it acts on their key, and stays
as prose.
"""

from __future__ import annotations

import re

from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.adjectives import is_adjective
from memstrata_integrations.extraction.sentences.clauses import subject_is_sound
from memstrata_integrations.extraction.sentences.complements import (
    lower_words_of,
    masked,
    spans_of,
    tokens_of,
    words_of,
)
from memstrata_integrations.extraction.sentences.lexicon import (
    CONJUNCTIONS,
    DEICTIC,
    FINITE_VERBS,
    PREPOSITIONS,
    UNASSERTED,
)
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.sentences.slots import find_typed, qualifiers
from memstrata_integrations.extraction.sentences.verbs import is_past, third_of
from memstrata_integrations.relations import known
from memstrata_integrations.units import MONTHS, WEEKDAYS
from memstrata_integrations.words import word_set

__all__ = ["HABITS", "SIDE_BY_SIDE", "base_of_habit", "read_habit"]

SIDE_BY_SIDE = "side by side"
_IS = known("is")
_HABIT = known("does of late")
_LONGEST = 160
_TRIM = "\"'`()[]{}.,;:!?“”‘’"
# Verbs of what one mostly does in one way at a time
HABITS = word_set(
    "keep go drive ride train study work freelance stay bank shop play volunteer teach sit park commute travel "
    "read write "
    "take ship send store publish deploy push report log forward post meet happen run eat drink order rent swim "
    "practise "
    "practice exercise sleep lodge board subscribe back host sync save buy get fly cook grow draw edit listen "
    "watch track plan "
    "manage organise organize see wear bill pay collect file book release close open rest pair sing dance row "
    "sail climb date "
    "prefer attend coach follow feed walk clean heat brew bake print scan stream monitor alert page notify draft "
    "reply answer pronounce spell sign major specialise specialize minor serve act intern tutor lecture perform lead "
    "captain code program do weigh come arrive wake log record share shave call phone visit wash brush shower nap dine "
    "jog hike ski fish bowl meditate pray moor dock anchor nest graze tend water iron recycle commute stretch season "
    "sweeten pick fetch live"
)
# "I now use Slack" says nothing of Vim, "I now use a MacBook for work" does of the ThinkPad for work
_WITH_PURPOSE = word_set("use have want need")
_PURPOSES = word_set("for at as")
_BEFORE_NAMES = word_set("to as the a an size")
HABITS |= _WITH_PURPOSE
"""Verbs whose sentences `read_habit` may read."""
_FORMS = {third_of(v): v for v in HABITS - {"have"}} | {"has": "have"}
_PARTICIPLES = word_set(
    "kept stored shipped sent published deployed released closed opened reported logged forwarded posted held "
    "hosted synced "
    "saved taught staying working studying training parked booked filed tracked paired run based enrolled registered "
    "stationed seated placed displayed sold served billed paid played dating seeing driving taking learning "
    "reading using renting watching bingeing rehearsing practising wearing "
    "subscribed insured employed heated housed moored stabled covered treated employed represented sponsored"
)
_STATES = word_set("on in with at under")
_OF_STATE = _STATES | {"have", "has"}
_FULL_STATES = word_set("live")  # who lives in Oslo is read by other rules: here it is with whom
_OWN_OF = word_set("his her their its")
_NUMBERED = word_set("stall pitch locker pier dock jetty hut")
_CLOCK = re.compile(r"\d(?:\d|:\d\d)?\Z")
_BY_RIDE = re.compile(
    r" (?:by|on) (?P<value>bus|tram|train|bike|bicycle|car|metro|tube|ferry|scooter|motorbike|taxi|boat|plane|foot)\Z"
)
_NOUN_BEHIND = re.compile(r" [a-z]+\Z")  # "with a Barnett razor"
_AS_WHAT = re.compile(r" as (?:an?|my|our|the|his|her|their) [a-z-]+(?: [a-z-]+)?\Z")
# Nouns that stay while what stands before them changes: "on the data team", "the premium plan"
_SHARED_HEADS = word_set(
    "team squad plan phase stage tier diet timezone zone floor shift department course class grade club league "
    "group unit "
    "edition subscription package track programme program layout branch office lane line route year semester "
    "division band "
    "committee board crew section desk seat chair account membership pass licence license ticket schedule rota roster"
)
_OWNED = word_set(
    "car phone laptop bike bicycle camera computer tablet watch vehicle printer guitar keyboard monitor tv "
    "motorbike scooter van"
)
# What a task or a project may be, one at a time
_STATUS = re.compile(
    r"(?:back )?(?:on hold|in progress|in review|under review|blocked|paused|cancelled|canceled|done|finished"
    r"|complete|completed"
    r"|shelved|archived|in beta|in testing|in production|in development|ongoing|suspended|in general "
    r"availability|in alpha|in preview|in maintenance|on track|delayed|at risk|abandoned|resolved"
    r"|vegetarian|vegan|pescatarian)\Z"
)
_DIETS = word_set("vegetarian vegan pescatarian")
# Verbs whose object is the one way of doing it; others need a preposition or a purpose
_ONE_OBJECT = word_set("sing drive ride rent prefer attend back host is are am")
_TIMES = word_set(
    "every daily weekly monthly noon midnight weekends weekdays mornings evenings nights spring summer autumn winter"
)
# When something is done is what changes most
_MOMENT = re.compile(
    r" (?:at|on the|in the|on) (?P<value>\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?|\d{1,2}(?:st|nd|rd|th)"
    r"|(?<=in the )(?:morning|afternoon|evening)s?|noon|midnight)\Z"
)
_CALLING = word_set("call phone visit have see meet")
_ON_DAYS = re.compile(r" on (?P<value>(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?)\Z")
# "Corinne's place", "the Weavers' Arms", "Luigi's"
_OWNED_PLACE = re.compile(
    r"[A-Z][\w-]*(?:['’]s|s['’])(?: (?:[A-Z][\w-]*|place|house|flat|studio|office|garage)){0,2}(?=\Z| on )"
)
_ARTICLE = re.compile(r" (?:the|a|an) \Z")
_GOVERNING = word_set("to as at in on with for from by via into under")
# Where one is at a time, whatever the preposition
_WHERE = word_set("in on at under behind beside near by inside above below")
_POSTURES = word_set("sleep sit stand lie hang live stay park keep hide store lodge rest camp swim nap")
_PLACED = word_set("kept stored parked hidden housed lodged staying living sleeping camping seated moored stabled")
_STANDING = re.compile(
    r"(?:(?P<always>[Aa]lways|[Pp]lease|[Yy]ou can|[Jj]ust) )?(?P<verb>[Aa]nswer|[Rr]eply|[Cc]all|[Aa]ddress|[Ss]how"
    r"|[Uu]se"
    r"|[Ff]ormat|[Ww]rite|[Ss]peak|[Gg]ive|[Dd]isplay"
    r"|[Rr]each|[Cc]ontact|[Ss]end|[Kk]eep|[Pp]ut|[Ss]ign|[Rr]espond|[Tt]alk|[Gg]reet|[Rr]ound|[Qq]uote|[Ss]ort"
    r"|[Ss]et) (?P<rest>.+)\Z"
)
_STAGE = re.compile(
    r"(?P<who>(?:[Tt]he |[Mm]y |[Oo]ur )?[\w’' .-]+?) (?:has |have )?(?:just )?(?:moved|advanced|progressed"
    r"|switched|gone|went|upgraded|transferred|changed) (?:up |on |over )?(?:from [^,;]+? )?to (?:the|a|an) "
    r"(?P<value>[\w-]+(?: [\w-]+)?) (?P<head>stage|phase|tier|plan|team|squad|department|league|division|shift"
    r"|floor|class|course|track|diet)\Z"
)
_SWITCHED_TOOL = re.compile(
    r"(?P<who>I|[Ww]e|[A-Z][\w’'-]*) (?:have |has )?(?:switched|moved|changed|gone over) (?:over )?(?:from "
    r"[^,;]+? )?to "
    r"(?P<value>[A-Z][\w.+-]*(?: [A-Z][\w.+-]*)*) for (?P<what>[a-z][\w ]*)\Z"
)
_HAS_STATUS = re.compile(
    r"(?P<who>(?:[Tt]he |[Mm]y |[Oo]ur )?[Pp]roject [\w-]+|[Tt]he [\w -]+ (?:project|task|ticket|migration"
    r"|rollout)) (?:has been|was|got) "
    r"(?P<value>cancelled|canceled|completed|finished|paused|archived|shelved|suspended|blocked|abandoned|resolved"
    r"|delayed)\Z"
)
_MOVED_SEAT = re.compile(
    r"(?P<who>I|[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)?|[Tt]he [a-z ]+?) (?:has |have )?(?:been )?(?:just "
    r")?(?:moved|switched|relocated|changed) "
    r"(?:from (?:desk|room|office|locker|seat|gate|platform|table|bay) \S+ )?to "
    r"(?P<noun>desk|room|office|locker|seat|gate|platform|table|bay) (?P<value>[A-Z]?-?\d[\w.-]*)\Z"
)
_IN_NAME = re.compile(
    r"\A(?:Show|Display|Format|Answer|Reply|Respond|Write|Speak|Talk)\b.* in [A-Z][\w-]*(?: [A-Z][\w-]*)*\Z"
)
_REACH = re.compile(
    r"(?:(?P<passive>(?:the )?[\w’',. -]{2,50}?),? can be reached (?:at|on|under|via) |(?:[Yy]ou can |[Pp]lease "
    r")?(?P<verb>reach|contact|call|email|e-mail|ring|text|write to|Reach|Contact|Call|Email|Ring|Text) "
    r"(?P<who>(?:the )?[\w’', -]{1,40}?),? "
    r"(?:at|on|under|via) )(?=[\w+(#@.-]*[\d@])",
    re.IGNORECASE,
)

_MAY_BE_VERB = frozenset(_FORMS) | HABITS | _WITH_PURPOSE | _PARTICIPLES | word_set("is are am")
# Of these words a sentence holds one that the patterns match: `_REACH`; `_STAGE`, `_SWITCHED_TOOL`, `_MOVED_SEAT`;
# `_HAS_STATUS`
_REACHING = word_set("reached reach contact call email e-mail ring text write")
_MOVING = word_set("moved advanced progressed switched gone went upgraded transferred changed relocated")
_PASSING = word_set("been was got")


def base_of_habit(third: str) -> str | None:
    """Return the base of a verb of habits in the third person."""
    return _FORMS.get(third)


def read_habit(core: str, changed: bool) -> Claim | None:
    """Read what somebody does in one way as a rule; the places of the claim are those of `core`.

    Args:
        core: The sentence, without its full stop and what wraps it.
        changed: Whether its wrapping announces a change.
    """
    if len(core) > _LONGEST:
        return None
    hidden = masked(core)
    if not _REACHING.isdisjoint(lower_words_of(hidden)) and (reach := _REACH.match(hidden)) is not None:
        found = find_typed(core, reach.end(), len(core))
        phone = re.compile(r"[+(]?\d[\d() .-]{3,}\d\Z").match(core, reach.end())
        span = (
            phone.span()
            if phone
            else found[:2]
            if found and found[3] in ("technical", "number") and found[1] == len(core)
            else None
        )
        if span is None:
            return None
        who = " ".join(sorted((reach["passive"] or reach["who"]).replace(",", " ").lower().split()))
        return Claim(f"reach {who}", _HABIT, *span, "reach", SIDE_BY_SIDE, narrative=changed)
    moving = not _MOVING.isdisjoint(words_of(hidden))
    if moving and (moved := _STAGE.match(hidden)) is not None:
        sort = f"{SIDE_BY_SIDE}: kind"
        return Claim(f"{moved['who']} {moved['head']}", _HABIT, *moved.span("value"), "stage", sort, narrative=True)
    if moving and (tool := _SWITCHED_TOOL.match(hidden)) is not None:
        sort = f"{SIDE_BY_SIDE}: {_sort(tool['value'])}"
        whole = f"{tool['who']} use for {tool['what']} (for)"
        return Claim(whole, _HABIT, *tool.span("value"), "switched", sort, narrative=True)
    if (
        not _PASSING.isdisjoint(words_of(hidden))
        and (done := _HAS_STATUS.match(hidden)) is not None
        and subject_is_sound(done["who"], done["who"])
    ):
        return Claim(done["who"], _IS, *done.span("value"), "status", "status", narrative=True)
    if moving and (seat := _MOVED_SEAT.match(hidden)) is not None:
        return Claim(f"{seat['noun']} of {seat['who']}", _IS, *seat.span("value"), "moved seat", "code", narrative=True)
    if not 3 <= len(tokens_of(hidden)) <= 16:
        return None
    words = [t[2] for t in tokens_of(hidden)]
    verb = _verb(words)
    if (verb is None and _STANDING.match(hidden) is None) or is_opinion(hidden.split()):
        return None
    tokens = [(start, end, hidden[start:end]) for start, end in spans_of(hidden)]
    if verb is None:
        return _standing(core, hidden, tokens, words, changed)
    at = verb - 1 if words[verb - 1] in ("is", "are", "am", "get", "gets") and words[verb] not in _STATES else verb
    if words[verb] in _STATES or words[verb] in ("is", "are", "am"):
        at = verb if words[verb] in ("is", "are", "am") else verb - 1
    subject = core[: tokens[at][0]].strip()
    if "()" in subject or not subject_is_sound(hidden[: tokens[at][0]], subject) or not _quiet(tokens, words, verb):
        return None
    place = _value(core, tokens, words, verb)
    if place is None:
        return None
    start, end, tail = place
    before = _ARTICLE.sub(" ", core[:start]).strip()
    whole = f"{before} {tail}".strip()
    if _STATUS.match(core, start) and end == len(core):
        return Claim(subject, _IS, start, end, "status", "status")
    governing = _governing(core, start)
    if words[verb] in _OF_STATE and any(w in _SHARED_HEADS for w in tail.split()[:1]):
        whole = f"{subject} {tail}"
    elif governing in _WHERE and (_FORMS.get(words[verb], words[verb]) in _POSTURES or words[verb] in _PLACED):
        whole = f"{before.rpartition(' ')[0]} {tail}".strip() + " (where)"  # on the sofa, and then in the cupboard
    elif governing is not None:
        whole = f"{whole} ({governing})"  # "on loan" is not "with loan", "studies at" is not "studies"
    elif not tail and _FORMS.get(words[verb], words[verb]) not in _ONE_OBJECT and words[verb] not in _PARTICIPLES:
        return None  # who takes aspirin may go on taking something else
    kind = "kind" if tail.split(" ", 1)[0] in _SHARED_HEADS else _sort(core[start:end])
    return Claim(whole, _HABIT, start, end, "habit", f"{SIDE_BY_SIDE}: {kind}", narrative=changed)


def _governing(core: str, start: int) -> str | None:
    """Return the preposition that stands before a value, past its article."""
    before = _ARTICLE.sub(" ", f" {core[:start]}").split()
    return before[-1].lower() if before and before[-1].lower() in _GOVERNING else None


def _sort(value: str) -> str:
    """Return what sort of thing a value is: Monday takes the place of no town, and a town of no marathon."""
    words = value.lower().split()
    if words[0] in _TIMES or words[0].rstrip("s") in WEEKDAYS or words[0] in WEEKDAYS or words[0] in MONTHS:
        return "time"
    return "name" if any(not c.islower() for c in value if not c.isspace() and c not in "-’'") else "thing"


def _quiet(tokens: list[tuple[int, int, str]], words: list[str], verb: int) -> bool:
    for n in range(verb + 1, len(tokens)):
        word = words[n]
        if word == "am" and _CLOCK.match(words[n - 1]):
            continue  # "at 8 am"
        if (
            word in UNASSERTED
            or (word in DEICTIC and not (verb < n < verb + 3 and word in _OWN_OF))
            or (word in CONJUNCTIONS and word != "as")
            or tokens[n][2][-1] in ",;:"
        ):
            return False
        if n > verb + 1 and word in FINITE_VERBS:
            return False
    return True


def _verb(words: list[str]) -> int | None:
    for n, word in enumerate(words):
        if word not in _MAY_BE_VERB or not n:
            continue
        earlier = words[n - 1]
        base = _FORMS.get(word) or (word if word in HABITS or word in _WITH_PURPOSE else None)
        if base is not None and (
            word != base
            or earlier in ("i", "we", "they")
            or (earlier[-1:] == "s" and earlier not in ("is", "has", "was", "always"))
        ):
            if earlier in ("the", "a", "an", "my", "our"):
                continue
            if base == "work" and words[n + 1 : n + 2] in (["for"], ["at"]):
                return None  # relations of their own
            if base == "have" and n + 1 < len(words) and is_past(words[n + 1]):
                return None
            if base in _FULL_STATES and words[n + 1 : n + 2] != ["with"]:
                return None
            if (
                base in _WITH_PURPOSE
                and not any(w in _PURPOSES for w in words[n + 1 :])
                and not any(w in _SHARED_HEADS or w.rstrip("s") in WEEKDAYS for w in words[n + 1 :])
            ):
                return None
            return n
        if word in ("is", "are", "am") and n + 1 < len(words):
            after = words[n + 1]
            if after in _PARTICIPLES or after in _STATES:
                return n + 1
            if words[n - 1] in _OWNED and after in ("a", "an"):
                return n
            return n if _STATUS.match(" ".join(words[n + 1 :])) else None
        if earlier in ("get", "gets") and word in _PARTICIPLES:
            return n
    return None


def _value(core: str, tokens: list[tuple[int, int, str]], words: list[str], verb: int) -> tuple[int, int, str] | None:
    """Return what the verb or one of its prepositions governs, and what follows it: a name, else its object."""
    if words[verb] in ("is", "are", "am") or words[verb] in _STATES:
        first = verb + (words[verb] in ("is", "are", "am"))
        if status := _STATUS.match(core, tokens[first][0]):
            return status.start(), status.end(), ""
    if words[verb + 1 : verb + 2] == ["as"]:
        return _object(core, tokens, words, verb)
    if (
        any(w in _SHARED_HEADS for w in words[verb + 1 :])
        and (place := _object(core, tokens, words, verb))
        and place[2].split(" ", 1)[0] in _SHARED_HEADS
    ):
        return place
    moment = _MOMENT.search(core, tokens[verb][1])
    if moment is None and _FORMS.get(words[verb], words[verb]) in _CALLING:
        moment = _ON_DAYS.search(core, tokens[verb][1])
    moment = moment or _BY_RIDE.search(core, tokens[verb][1])
    if moment is not None:
        return (*moment.span("value"), "")
    for n in range(verb + 1, len(tokens)):
        start = tokens[n][0]
        if words[n] in ("the", "a", "an"):
            continue
        if n - 1 != verb and words[n - 1] not in PREPOSITIONS and words[n - 1] not in _BEFORE_NAMES:
            continue
        owned = _OWNED_PLACE.match(core, start) if words[n - 1] in ("at", "in", "with", "the") else None
        if owned is not None and (tail := qualifiers(core[owned.end() :])) is not None:
            return (*owned.span(), tail)
        found = find_typed(core, start, len(core))
        if found is None or found[3] not in ("name", "quoted", "technical", "date"):
            continue
        if found[3] == "date" and words[n] not in WEEKDAYS:
            return None
        shared = re.compile(r" (?P<head>[a-z]+(?: zone)?)(?= (?:at|in|of|for|on|with) |\Z)").match(core, found[2])
        if shared and shared["head"].split()[-1] in _SHARED_HEADS:
            tail = qualifiers(core[shared.end() :])
            return None if tail is None else (found[0], found[1], f"{shared['head']} {tail}".strip())
        if (tail := _tail(core, found[2])) is not None:
            return found[0], found[1], tail
        return _object(core, tokens, words, verb) if _NOUN_BEHIND.match(core, found[2]) else None
    return _object(core, tokens, words, verb)


def _tail(core: str, end: int) -> str | None:
    """Return what follows a value and belongs to the key: "for work", "as an alarm"."""
    as_what = _AS_WHAT.match(core, end)
    return as_what[0].strip() if as_what else qualifiers(core[end:])


def _object(core: str, tokens: list[tuple[int, int, str]], words: list[str], verb: int) -> tuple[int, int, str] | None:
    """Return the noun phrase that follows the verb, or its first preposition."""
    n = verb + 1
    governed = words[verb] in _STATES
    if n < len(tokens) and words[n] in _GOVERNING:
        n, governed = n + 1, True
    article = n < len(tokens) and words[n] in ("a", "an", "the")
    n += article
    first = n
    while n < len(tokens) and words[n] not in PREPOSITIONS and words[n] not in _GOVERNING:
        n += 1
    with_kin = governed and words[verb] in ("live", "lives")  # "with my parents"
    if not first < n <= first + 4 or (words[first] in ("my", "our", "his", "her", "its", "their") and not with_kin):
        return None
    if words[n - 1] in _SHARED_HEADS and n - 1 > first and not (words[n - 1] == "zone" and n - 2 == first):
        last = n - 2 if words[n - 1] == "zone" and words[n - 2] == "time" else n - 1
        start, end = tokens[first][0], tokens[last - 1][1]
        tail = qualifiers(core[tokens[n - 1][1] :])
        head = core[tokens[last][0] : tokens[n - 1][1]]
        return None if tail is None else (start, end, f"{head} {tail}".strip())
    if words[n - 1] in _SHARED_HEADS and any(c.isdigit() for c in core[tokens[first][0] : tokens[n - 1][1]]):
        return None
    numbered = words[n - 1][:1].isdigit() and words[first] in _SHARED_HEADS | _NUMBERED  # "in year 3", "at berth 14"
    called = words[first] in ("team", "class", "group", "squad") and core[tokens[n - 1][0]].isupper()
    if n == first + 2 and not article and (numbered or called):
        tail = qualifiers(core[tokens[n - 1][1] :])
        return None if tail is None else (*tokens[n - 1][:2], f"{words[first]} {tail}".strip())
    if words[verb] in _STATES or any(c.isdigit() for c in core[tokens[first][0] : tokens[n - 1][1]]):
        return None  # "is in a hurry"
    if not governed and not article and is_adjective(words[first]):
        return None
    start, end = tokens[first][0], tokens[n - 1][1]
    tail = _tail(core, end)
    return None if tail is None else (start, end, tail)


def _standing(
    core: str, hidden: str, tokens: list[tuple[int, int, str]], words: list[str], changed: bool
) -> Claim | None:
    """Read a standing wish: "Answer me in German by default", "Call me Rob"."""
    match = _STANDING.match(hidden)
    if match is None:
        return None
    used = re.compile(r"[Uu]se (?P<value>(?!it\b|this\b|that\b)[a-z-]+) for (?P<what>(?:all |my )?[a-z]+s)\Z").match(
        core
    )
    if used is not None:
        return Claim(
            f"use for {used['what']}", _HABIT, *used.span("value"), "standing wish", SIDE_BY_SIDE, narrative=changed
        )
    lasting = (
        changed
        or match["always"]
        or core.endswith(" by default")
        or words[0] == "call"
        or " me " in core
        or _IN_NAME.search(core)
    )
    if not lasting or not _quiet(tokens, words, 1) or any(c.isdigit() for c in core):
        return None
    stop = len(core) - len(" by default") if core.endswith(" by default") else len(core)
    named = re.compile(r" (?:in|as|with|to|by|me) (?P<value>(?:the )?[\w’'-]+(?: [\w’'-]+){0,3})\Z").search(
        core, match.start("rest") - 1, stop
    )
    if named is not None:
        start, end = named.span("value")
        said = core[match.start("verb") : named.start("value")]
        if said.lower() == "call me " and core[start].isupper():
            if not PREPOSITIONS.isdisjoint(core[start:end].split()):
                return None  # "Call me Kit at work"
            return Claim("what to call me", _IS, start, end, "standing wish: name", "text")
        return Claim(said, _HABIT, start, end, "standing wish", SIDE_BY_SIDE, narrative=changed)
    units = re.compile(
        r"(?P<value>[a-z-]+) (?P<head>units|time|format|notation|spelling|currency|style|mode|theme)\Z"
    ).match(core, match.start("rest"), stop)
    if units is None:
        return None
    return Claim(
        f"{match['verb']} {units['head']}",
        _HABIT,
        *units.span("value"),
        "standing wish",
        SIDE_BY_SIDE,
        narrative=changed,
    )
