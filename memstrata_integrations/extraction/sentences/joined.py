"""A sentence of several clauses: where each of them stands, and who its pronouns are.

"The gate was repainted, so the code is 4471 now", "Teal listens on port 80 and is owned by Kim",
"Ada has moved desks; hers is number 12". Each clause is read by itself, as if it stood alone; what a condition,
a doubt or somebody's words govern is never split.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from memstrata_integrations.extraction.sentences.complements import masked, words_of
from memstrata_integrations.extraction.sentences.events import is_event
from memstrata_integrations.extraction.sentences.lexicon import PERSON_ROLES, PREPOSITIONS
from memstrata_integrations.extraction.sentences.scaffolding import is_remark
from memstrata_integrations.extraction.sentences.things_named import PEOPLE, one_moved, without_things
from memstrata_integrations.extraction.sentences.verbs import BASES, THIRD, is_past
from memstrata_integrations.extraction.sentences.wording import Core, core_of
from memstrata_integrations.units import MONTHS, WEEKDAYS
from memstrata_integrations.words import holds_any, word_set

__all__ = ["ATTITUDES", "CHANGING", "Clause", "clauses_of", "is_verb"]

_LONGEST = 320
_MOST = 4
_TRIM = "\"'`()[]{}.,;:!?“”‘’"
_LINK = re.compile(
    r"(?:\s*;|:|,| [–—]| -)\s+(?:(?P<word>and|so|but|yet|then|meaning|while|whereas) )?(?:now )?"
    r"|\s+(?P<bare>and|so|but)\s+(?:now )?"
)
# "files land in", "staff pay", "merging into it needs": what begins a clause behind "and" without an article
_PLAIN_START = re.compile(r"(?:(?:[a-z]+s|staff|people) (?P<verb>[a-z]+)|(?P<gerund>[a-z]+ing) [a-z]+ )(?=[ \w])")
_ONCE_A = re.compile(r"\bonce (?=an? |per |every )")
_NEW_ONE = re.compile(r"(?:the|a) [a-z]+ (?P<it>one)(?= )")
_SOME = re.compile(r"an? (?=[a-z])")
# A name of something behind an article or a noun, or of somebody at the start
_NAMES = re.compile(r"(?<=[a-z] )[A-Z]|[`_\d¤]|\A(?!The |A |An |Our |My |We |I |You |It |They |No |All |Each )[A-Z]")
_DIGITS = re.compile(r"\S*\d\S*")
_RESUMING = word_set("it its they their he his she her i my we our")
_COORDINATING = word_set("and but yet while whereas so")
_COORDINATIONS = frozenset((", and", ", but", ", yet", ", while", ", whereas", ", so", ";", "; and", "; but"))
_ANY_WORD = re.compile(r"[\w-]+")
_LINK_MARKS, _LINK_WORDS = (";", ":", ",", "–", "—", " -"), word_set("and so but")  # of which a link holds one
_STARTER = re.compile(
    r"(?:I|[Ww]e|[Mm]y|[Oo]ur|[Hh]e|[Ss]he|[Ii]t|[Tt]hey|[Hh]is|[Hh]er|[Ii]ts|[Tt]heir|[Tt]he|[Yy]ou can"
    r"|[A-Z`][\w’'`./-]*|(?:text|call|ring|reach|contact|email|write to)(?= (?:me|us|her|him|them)\b))(?=[ ’'])"
)
_BASE_START = re.compile(
    r"(?:am|are|have|live|work|use|drive|train|go|take|bank|see|play|study|read|sit|park|stay|run)(?= )"
)
# "The council changed it: bins go out on Sunday"
_SEVERAL_DO = re.compile(r"[a-z]+s (?P<verb>[a-z]+)(?= )")
_VERB_START = re.compile(r"(?:is|are|has|have|[a-z]+s)(?= )")
# A clause with one of these governs the rest of its sentence, or says nothing sure
_GOVERNING = word_set(
    "if unless whether when whenever while although though because until once should could may might would must can "
    "cannot can't won't wouldn't think thinks thought guess believe believes hope hopes wish want wants suppose "
    "imagine maybe perhaps probably possibly apparently allegedly said says say told tells claims claimed heard "
    "wrote writes written added replied mentioned mentions posted "
    "according suggest suggested recommend propose proposed plan plans planned asked asks wonder not never no nobody "
    "neither nor either both example assume assuming pretend dreamt dreamed joked rumour rumor rumours expected "
    "between from each every either than as "
    "denied denies deny refuted refutes disputed disputes doubts doubted argued argues insisted insists predicted "
    "predicts claim argue insist feared dreams jokes lied pretends objected questioned wondered wonders forbade "
    "forbidden rejected"
)
_INVERTED = word_set("had were should did does is are was has have")  # "Had we waited, ..."
# What holds of a remark holds of nothing behind it, unless the remark is a condition or a doubt
ATTITUDES = (
    _GOVERNING - word_set("can can't cannot won't never not no nobody from each every as than because both until")
) | word_set(
    "sure certain remember know knows recall confirm confirmed tell wonder doubt only except instead still for "
    "different differs exception otherwise special mondays tuesdays wednesdays thursdays fridays saturdays sundays "
    "weekends weekdays holidays summer winter"
)
_TAKING_BACK = word_set("make scrap forget strike correct drop ignore cancel disregard")
_FRESHLY = re.compile(
    r"[Nn]ew \w+(?: [a-z]+)?(?:, new \w+(?: [a-z]+)?)+|[Nn]ew (?:best|record|number|rule|price|time|date|plan|address)"
    r"|(?:[A-Z][a-z]+ )?(?:change|update|correction)|[Cc]hange of [a-z]+"
)
_LINKS = word_set("and so but then now")
_NO_OPENERS = PREPOSITIONS | _GOVERNING | _LINKS
_BEFORE_OBJECTS = PREPOSITIONS | _LINKS | {"every", "once"}
_REPORTING = word_set(
    "correction checked changed update updated change fix fixed note quick reminder heads heads-up confirmed moved "
    "switched"
)
_SCOPING = PREPOSITIONS | word_set("since after before by re about")
_INTRODUCES = re.compile(
    r"\b(?:[Aa]n?|another|two|three|four|several|other) (?!new one|raise|rise|call|vote|reset|letter|bit|while|lot"
    r"|mistake|typo|decision|meeting|break|change|update|text|message|mail|promotion|reason|word)\w"
)
# "The annex is open again, the code is 55"
_IS_STATED = re.compile(
    r"The [a-z]+(?: [a-z]+)? (?:is|are) (?:[a-z]+ )?(?:open|shut|closed|back|locked|unlocked|free|ready|up|down|full"
    r"|empty|busy|available|booked|occupied|vacant|finished|done)\b"
)
_LOOSE = word_set("no not never from as each every both can because when")  # these govern nothing beyond a past event
_ABLE = word_set("can must cannot can't either")  # what is so besides stands in the other clause
_MODAL = word_set("can may must cannot")
_FINITE = word_set("is are am was were has have had 's 're 've 'm got gets went does did")
CHANGING = word_set(
    "changed switched moved transferred reassigned left quit swapped replaced reset updated retired renamed sold "
    "upgraded outgrown traded gave "
    "ditched dropped cancelled canceled promoted closed broke resigned migrated relocated reset rescheduled adjusted "
    "turned corrected reorganised reorganized redesigned rebranded merged renewed new else anymore scrap forget make"
)
_SPEAKING = frozenset(("i", "we", "they", "you can", "text", "call", "ring", "reach", "contact", "email", "write to"))
_CUTTING = word_set("it he she that there what who here mum dad everyone nobody")
_NARROWING = word_set("just only even except mostly")
# Who says so did it: "Renewed the books, they go back in May"
_DONE_BY_ME = word_set(
    "finished moved renewed sold swapped changed switched quit upgraded bought got checked talked spoke updated"
)
_SPEAKERS = word_set("i we you they he she it someone somebody everyone everybody who")
_NOT_NAMES = (
    _SPEAKERS
    | _DONE_BY_ME
    | word_set("the my our a an new good make prices fees costs rates plans things times rules terms rent")
)
_OBJECT = re.compile(
    r"\b(?P<what>(?:the|my|our|his|her|their|[\w’'-]+['’]s) (?:[\w’'-]+ ){0,4}?[\w’'-]+)"
    r"(?= (?:down|up|off|out|over|from|to|in|on|at|with|for|yesterday|today|last|this|again)\b|,|\Z)"
)
_NAMED = re.compile(r"(?<=[a-z] )[A-Z][a-z]{2,}(?= [a-z]|\Z)")
_FRESH = re.compile(r"I(?:['’]ve)? (?:have |got |have got )?(?:just )?(?:got )?an? new (?P<what>[a-z]+(?: [a-z]+)?)\Z")
_PRONOUN = re.compile(
    r"(?P<subject>[Ii]t|[Tt]hey|[Hh]e|[Ss]he)(?P<is>['’](?:s|re))?(?= )|(?P<owner>[Ii]ts|[Tt]heir|[Hh]is|[Hh]er) (?=\S)"
)
_CALLED = re.compile(r"(?:text|call|ring|reach|contact|email|write to) (?P<whom>her|him|them)(?= )")
_FOR_IT = re.compile(r" (?:for|of|in|on|at|to|with|into|from) (?P<it>it|them)(?= |\Z)")
_THEM = re.compile(r" [a-z]+s (?P<it>them|it)(?= |\Z)")


class Clause(NamedTuple):
    """A clause of a sentence.

    Attributes:
        start: Where it starts in the text, what links it to the clause before included.
        end: Where it ends.
        core: What it says, as a plain sentence.
        changed: Whether what stands before it announces a change.
        beside: What stands before it, where that brings in what it speaks of: "Teal caches names, and the cache ..."
    """

    start: int
    end: int
    core: Core
    changed: bool
    beside: str = ""


@lru_cache(maxsize=8)
def clauses_of(text: str, start: int, end: int) -> tuple[Clause, ...]:
    """Return the clauses of a sentence, one or none if it is not to be split.

    Args:
        text: The whole text.
        start: Where the sentence starts.
        end: Where it ends, its full stop left out.
    """
    sentence = text[start:end]
    if len(sentence) > _LONGEST or "$(" in sentence:  # a command has clauses of its own
        return ()
    hidden = masked(sentence)
    if _LINK_WORDS.isdisjoint(words_of(hidden)) and not holds_any(hidden, _LINK_MARKS):
        return ()
    parts = list(_parts(hidden))
    if not 2 <= len(parts) <= _MOST:
        return ()
    found: list[Clause] = []
    who, what, done, changed, beside = "", "", "", False, ""
    for n, (first, body, last) in enumerate(parts):
        said = _ONCE_A.sub("", hidden[body:last])
        words = ["" if w == "May" else w.strip(_TRIM).lower() for w in said.split()]
        if n < len(parts) - 1:
            clause, following = hidden[body:last], hidden[last : parts[n + 1][1] + 40]
            link = hidden[last : parts[n + 1][1]]
            if link.strip() == ":" and _is_scoped(words):
                return ()
            coordinated = link.strip() in _COORDINATIONS
            told_why = is_event(clause, hidden[parts[n + 1][1] :], link)
            brought = not told_why and _introduces(clause, following)
            if brought and not coordinated and link.strip() != "and":
                return ()
            leans = coordinated and not told_why and _leans(clause, hidden[parts[n + 1][1] : parts[n + 1][2]])
            brought = brought or leans
            if not (_stands_alone(words, clause, link) or _comments(words, clause, following)):
                return ()
        core = core_of(text, start + body, start + last)
        if n and " now " in hidden[parts[n - 1][2] : body]:
            core = core._replace(changed=True)
        if n and not _may_mean_another(core.text, hidden[: parts[n - 1][2]], who, what):
            core = _with_object(_resolved(core, who, what), done)
            if beside and (some := _SOME.match(core.text)) is not None:
                core = _put(core, *some.span(), "the ")
        found.append(Clause(start + first, start + last, core, changed, beside))
        changed = changed or core.changed or any(w in CHANGING for w in words)
        own, thing = _named(hidden[body:last], sentence[body:last])
        who, what = own or who, thing or own or what
        done = _object_of(hidden[body:last], sentence[body:last]) or done
        beside = f"{beside} {sentence[body:last]}".strip() if n < len(parts) - 1 and brought else ""
    return tuple(found)


def _parts(hidden: str) -> Iterator[tuple[int, int, int]]:
    """Yield (start with what links it, start, end) of each part."""
    first = body = 0
    for link in _LINK.finditer(hidden):
        if link.start() < body + 6:
            continue
        after = link.end()
        bare = link["bare"] or link["word"]
        starts = _STARTER.match(hidden, after)
        shared = None if starts or bare != "and" else _VERB_START.match(hidden, after)
        if shared is None and bare == "and" and starts is None and hidden.startswith(("I ", "We ")):
            shared = _BASE_START.match(hidden, after)
        if shared is not None and not (shared[0] in _FINITE or shared[0] in THIRD or shared.re is _BASE_START):
            shared = None
        if starts is None and shared is None and link["word"] in _COORDINATING:
            starts = _PLAIN_START.match(hidden, after)
            starts = starts if starts is not None and (starts["gerund"] or starts["verb"] in BASES) else None
            if starts is None and hidden[link.start()] in ",;" and _has_subject(hidden[after:].split()[:9]):
                starts = _ANY_WORD.match(hidden, after)
        if starts is None and hidden[link.start()] in ":;":
            starts = _SEVERAL_DO.match(hidden, after)
            starts = starts if starts is not None and starts["verb"] in BASES else None
        if starts is None and shared is None:
            continue
        speaks = (shared is not None and shared.re is _BASE_START) or (
            starts is not None
            and (
                starts[0].lower() in _SPEAKING
                or starts.re in (_SEVERAL_DO, _ANY_WORD)
                or (starts.re is _PLAIN_START and starts["verb"] is not None)
            )
        )
        following = hidden[after:].split()[:14]
        several = any(w in BASES and e[-1] == "s" for e, w in pairwise(following))
        if not speaks and not several and not any(is_verb(w) for w in following):
            continue
        word_first = bare is not None and hidden[link.start()] not in ";:"
        yield first, body, link.start()
        first = link.start() if word_first else after
        body = after
    yield first, body, len(hidden)


def _has_subject(words: list[str]) -> bool:
    """Whether words begin with a plain noun phrase and the verb that it is the subject of."""
    if not words or not words[0].replace("-", "").isalpha() or words[0] in _NO_OPENERS:
        return False
    if words[0] in THIRD or words[0] in _FINITE or words[0].endswith("ing"):
        return False
    at = next((n for n, w in enumerate(words) if w in PREPOSITIONS or w.endswith(",")), len(words))
    return any(w in _FINITE or (w in THIRD and words[n - 1][-1] != "s") for n, w in enumerate(words[:at]) if n)


def is_verb(word: str) -> bool:
    """Whether a word may be the verb of a clause: finite, in the past, or behind an apostrophe."""
    bare = word.strip(_TRIM).lower().replace("’", "'")
    if bare in _FINITE or bare in THIRD or is_past(bare) or (bare.endswith("ed") and len(bare) > 3 and bare[-3] != "e"):
        return True
    before, cut, after = bare.partition("'")
    return bool(cut) and (after in ("m", "ve", "re", "d", "ll", "t") or before in _CUTTING)


def _stands_alone(words: list[str], clause: str, link: str) -> bool:
    """Whether a clause says a thing of its own, and nothing that governs the next."""
    beside = link.strip() in _COORDINATIONS
    if not words or words[0] in PREPOSITIONS or words[0] in _NARROWING or words[0] in _INVERTED:
        return False
    if words[0].endswith("ing") or words[0] == "not":
        return False
    past = any(is_past(w) for w in words)
    if any(w in _GOVERNING and not ((past or beside) and w in _LOOSE) and not (beside and w in _ABLE) for w in words):
        return False
    if words[0] in ("please", "correction", "update", "news") or (words[0] in _DONE_BY_ME and len(words) > 1):
        return True
    return any(is_verb(w) for w in clause.split()[1:]) or "'" in words[0] or "’" in words[0]


def _introduces(clause: str, following: str) -> bool:
    """Whether a clause brings in what the next one speaks of: "We opened an office in Bonn: the code is 12"."""
    then = [w for w in following.lstrip(";:, –—-").split() if w.lower() not in _LINKS][:3]
    if not then or then[0].lower() != "the":
        return False
    if _INTRODUCES.search(clause) is not None or (_IS_STATED.match(clause) is not None and then[2:] == ["is"]):
        return True
    # "Staging was rebuilt: the port is 81"; but "Jonna has moved, the babysitter is Wiebke"
    words = clause.split()
    first = words[0].strip(_TRIM)
    if not first[:1].isupper() or first.lower() in _NOT_NAMES or first.endswith(("sion", "tion", "ment")):
        return False
    return not (then[1:2] and _bare(then[1]) in PERSON_ROLES) and then[2:] not in (["of"], ["for"])


def _leans(clause: str, following: str) -> bool:
    """Whether a clause speaks of what the one before it names: "The hike to Torp is easy, and the start is at 9"."""
    opener = following.split(" ", 1)[0]
    if not opener.islower() or opener in _RESUMING or _NAMES.search(clause) is None:
        return False
    return _NAMES.search(_DIGITS.sub("", " ".join(following.split()[:6]))) is None


def _is_scoped(words: list[str]) -> bool:
    """Whether what stands before a colon says where the rest holds: "Checked on staging"."""
    if words[0] not in _REPORTING or is_remark(" ".join(words)):
        return False
    return any(w in _SCOPING for w in words[1:])


def _comments(words: list[str], clause: str, following: str) -> bool:
    """Whether a clause is a remark that governs nothing: "New car, new plates: ...", "Make that 4,500: ..."."""
    if following[0] not in ",;:" or not words or words[0] in _INVERTED or not ATTITUDES.isdisjoint(words):
        return False
    if _FRESHLY.fullmatch(clause) is not None:
        return following[0] != ","
    if words[0] in _TAKING_BACK:  # "ignore that", and no "ignore this", which is what follows
        return "this" not in words and words[1:] != ["it"]
    speaks = words[0] in _SPEAKERS or (clause[:1].isupper() and words[0] not in PREPOSITIONS)
    if words[0] in ("i", "we", "they", "you"):
        return len(words) > 1
    return speaks and any(is_verb(w) for w in clause.split()[1:4])


def _named(hidden: str, clause: str) -> tuple[str, str]:
    """Return who a clause speaks of, and what its subject did something to."""
    tokens = [(m.start(), m[0].strip(_TRIM).lower()) for m in re.finditer(r"\S+", hidden)]
    verbs = (s for n, (s, w) in enumerate(tokens) if n and (w in _FINITE or w in _MODAL or w in THIRD or is_past(w)))
    at = next(verbs, None)
    subject = clause[:at].strip() if at else ""
    if len(subject.split()) > 8:
        return "", ""
    first = subject.split()[0].lower() if subject else ""
    if moved := one_moved(clause):
        return moved, ""
    if at and (not subject or first in _SPEAKERS or first[:2] in ("i'", "i’", "we")):
        fresh = _FRESH.match(clause)
        found = _OBJECT.search(clause, at)
        named = _NAMED.findall(clause) if fresh is None and found is None else []
        if len(named) == 1:  # "We've let Ida stay up: her bedtime is 9"
            return named[0], ""
        return "", f"my {fresh['what']}" if fresh else found["what"] if found else ""
    return subject, ""


def _object_of(hidden: str, clause: str) -> str:
    """Return what a verb in the third person does something to: "caches credentials"."""
    words = hidden.split()
    at = next((n for n, w in enumerate(words) if n and w in THIRD and w not in _FINITE), None)
    if at is None or not 0 < len(rest := words[at + 1 :]) <= 8:
        return ""
    breaks = _BEFORE_OBJECTS
    stop = next((n for n, w in enumerate(rest) if w in breaks), len(rest))
    return " ".join(clause.split()[at + 1 : at + 1 + stop]) if len(clause.split()) == len(words) and stop <= 4 else ""


def _with_object(core: Core, done: str) -> Core:
    """Put what a clause before did something to in the place of "them" and "it"."""
    found = _THEM.search(core.text) if done else None
    return _put(core, *found.span("it"), done) if found is not None else core


def _resolved(core: Core, who: str, what: str) -> Core:
    """Put the name of what it stands for in the place of the pronoun at the start of a clause."""
    found = _PRONOUN.match(core.text)
    if found is None and who and (called := _CALLED.match(core.text)) is not None:
        return _put(core, *called.span("whom"), who)
    if found is None:
        several = _SEVERAL_DO.match(core.text)
        if several is not None and several["verb"] in BASES:
            return core
        if any(e not in _LINKS and w in BASES for e, w in pairwise(core.text.split()[1:6]) if e not in ("to", "can")):
            return core  # "orders from abroad cost 9 euros"
        if not _STARTER.match(core.text) and _BASE_START.match(core.text):
            return _put(core, 0, 0, "I ")
        if not _STARTER.match(core.text) and who and _VERB_START.match(core.text):
            return _put(core, 0, 0, f"{who} ")
        if who and (one := _NEW_ONE.match(core.text)) is not None:
            return _put(core, *one.span("it"), who.split()[-1])
        inner = _FOR_IT.search(core.text)
        return _put(core, *inner.span("it"), who or what) if inner and (who or what) else core
    word = found[0].lower()
    thing = word[:2] == "it"
    name = (what or who) if thing else (who or what)
    if not name:
        return core
    if found["owner"]:
        return _put(core, found.start(), found.end(), f"{name}'s ")
    spelt = {"s": " is", "re": " are"}[found["is"][1:]] if found["is"] else ""
    return _put(core, found.start(), found.end(), name + spelt)


def _may_mean_another(clause: str, before: str, who: str, what: str = "") -> bool:
    """Whether a pronoun that opens a clause may stand for somebody or something that came in between.

    Example:
        >>> _may_mean_another("she works for Brill", "Tom married Jo", "Tom")
        True
        >>> _may_mean_another("he works for Brill", "Tom has moved on", "Tom")
        False
    """
    if not (who or what) or _PRONOUN.match(clause) is None or _PARTING.search(before) is not None:
        return False
    own = {_bare(w) for w in (who or what).split()}
    words = without_things(before).split() if clause[:1] in "hHsS" else before.split()
    for n, word in enumerate(words):
        lower = _bare(word)
        if lower in own or lower in MONTHS or lower in WEEKDAYS or lower in _NOBODY_ELSE:
            continue
        if (n and word.lstrip(_TRIM)[:1].isupper()) or "¤" in word or lower in PEOPLE:
            return True
        if lower not in ("a", "an", "another", "someone", "somebody"):
            continue
        following = [w for w in map(_bare, words[n + 1 : n + 4]) if w != "new"]
        if not following or (following[0] not in _NO_OTHER and (who or own.isdisjoint(following))):
            return True
    return False


def _bare(word: str) -> str:
    return word.strip(_TRIM).lower().replace("’", "'").removesuffix("'s")


# "Marta broke up with Piet, she ...": who is left is not spoken of
_PARTING = re.compile(r"\b(?:broke up with|split (?:up with|from)|divorced|parted ways with|quit|resigned from)\b")
_NOBODY_ELSE = word_set("i we i've we've i'm we're")
_NO_OTHER = word_set(
    "bit while lot move change job number phone minute hour day week month year second time rise raise promotion good "
    "big long short great name address"
)


def _put(core: Core, start: int, end: int, words: str) -> Core:
    places = list(core.places) if core.places is not None else list(range(core.start, core.start + len(core.text)))
    places[start:end] = [-1] * len(words)
    return core._replace(text=core.text[:start] + words + core.text[end:], places=tuple(places))
