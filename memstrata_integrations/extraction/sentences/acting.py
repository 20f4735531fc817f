"""What is done how often, for how long or how many times, whoever says it: "we rotate keys every 90 days".

Active and passive make one key: what is done, to what and by whom; "we" is nobody in particular.
"""

from __future__ import annotations

import re

from memstrata_integrations.canonical import canonical_value
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.clauses import subject_is_sound
from memstrata_integrations.extraction.sentences.complements import masked, tokens_of
from memstrata_integrations.extraction.sentences.dispatch import Rules
from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.measures import _verb as verb_at
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.slots import find_typed, qualifiers
from memstrata_integrations.extraction.sentences.verbs import (
    MANY_VERBS,
    THIRD,
    base_of,
    is_participle,
    participle_of,
    verb_of,
)
from memstrata_integrations.relations import known, relation_of
from memstrata_integrations.units import NUMBER_WORDS
from memstrata_integrations.words import singular, word_set

__all__ = ["read_act"]

_NUMBER = r"\d[\d,]*|" + "|".join(NUMBER_WORDS)
_PERIOD = re.compile(
    rf" (?:once )?(?:(?P<prep>every|after|within|for) (?P<value>(?:{_NUMBER})\b)"
    r"|every (?P<unit>minute|hour|day|week|month|quarter|year)(?=\Z| (?:by|in|on|for|at) ))"
)
# What is made every day and every month as well
_LAYERED = word_set("backup snapshot report summary digest newsletter dump archive test check scan copy statement")
_TIMES = re.compile(rf"(?: (?P<most>up to|at most|no more than|a maximum of))? (?P<value>(?:{_NUMBER})) times(?= |\Z)")
_NEEDS = re.compile(
    rf" (?:needs?|requires?) (?:at least |a minimum of )?(?P<value>(?:{_NUMBER}) (?P<what>[a-z-]+(?: [a-z-]+)?))"
    r"(?=\Z| (?:for|in|on|from|to|before) )"
)
_AT_LEVEL = re.compile(
    r" (?P<verb>logs|log|traces|reports) at (?:the )?(?:log )?(?:level (?P<a>\S+)|(?P<b>\S+) level)\Z"
)
_LEVELS = word_set("debug info warn warning error critical trace verbose notice fatal")
_BY = re.compile(r" by (?P<who>(?:the |our |my )?[\w`'’./ -]+)\Z")
_BETWEEN = re.compile(
    r"(?: (?P<how>open|alive|active|warm|cached|up|around|back|on hold))?"
    r"(?: by (?P<who>(?:the |our )?[\w`.-]+(?: [\w`.-]+){0,4}))?"
)
_NOBODY = word_set("we they you people one")
_BE = word_set("is are gets get")
_HELD = word_set("held run repeated conducted performed done carried made")
_TRIED = word_set("retry try attempt reattempt resend redeliver repeat")


_NAMED = re.compile(r"(?:[Tt]he )?[A-Z][a-z][\w-]*(?: [A-Z][\w-]*)*")
_IS, _COUNTS, _RUNS = known("is"), known("has in number"), known("runs every")


def _sound(core: str, start: int, end: int) -> str | None:
    """Return a phrase if it names one thing, or each of its kind."""
    said = core[start:end].strip()
    for article in ("A ", "An ", "Each ", "Every ", "a ", "an ", "each ", "every "):
        if said.startswith(article):
            said = f"The {said[len(article) :]}"
    return said if said and subject_is_sound(masked(said), said) else None


def _act(core: str, hidden: str, stop: int, after: int) -> tuple[str, str, str] | None:
    """Return what is done, to what and by whom, in what stands before `stop`; an agent may follow `after`."""
    tokens = tokens_of(hidden)
    passive = (
        n for n, t in enumerate(tokens[:-1]) if n and t[2] in _BE and t[1] < stop and is_participle(tokens[n + 1][2])
    )
    verb = next(passive, None) or verb_at(tokens)  # "the access logs are rotated": a noun before it
    if verb is None or tokens[verb][0] >= stop:
        return None
    start, end, word = tokens[verb]
    tail = core[after:]
    if word in _BE:
        if verb + 1 >= len(tokens):
            return None
        between = _BETWEEN.fullmatch(hidden, tokens[verb + 1][1], stop)
        what = _sound(core, 0, start)
        if between is None:
            return None
        if between["who"]:
            if tail.strip():
                return None
            tail = f" by {between['who']}"
        if between["how"] and what:
            what += f" {between['how']}"
        by = _BY.match(tail)
        said = qualifiers(tail) if by is None else ""
        if what is None or said is None or (by is not None and not quiet(by["who"])):
            return None
        return tokens[verb + 1][2], f"{what} {said}".strip(), by["who"] if by else ""
    if word == base_of(word) and tokens[verb - 1][2] not in _NOBODY:  # "The cache in front of X evicts": a noun
        later = (t for t in tokens[verb + 1 :] if t[1] <= stop and t[2] in THIRD)
        start, end, word = next(later, tokens[verb])
    base, said = base_of(word), qualifiers(tail)
    if base is None or said is None:
        return None
    who = core[:start].strip()
    nobody = who.lower() in _NOBODY or who.startswith(("A ", "An "))  # "a cron job": some job or other
    owner = "" if nobody else who if who == "I" else _sound(core, 0, start)
    what = core[end:stop].strip()
    what = what.partition(" ")[2] if owner and what.startswith(("its ", "their ")) else what
    if owner is None or (what and (not quiet(what) or is_opinion(what.split()) or len(what.split()) > 8)):
        return None
    return participle_of(base), f"{what} {said}".strip(), owner


def _period(core: str, hidden: str) -> Claim | None:
    """Read "The cache evicts entries after 45 minutes" as "entries of the cache are evicted after 45 minutes"."""
    match = _PERIOD.search(hidden)
    if match is None:
        return None
    found: tuple[int, int, int] | None = None
    if match["unit"]:
        found = (*match.span("unit"), match.end())
    elif (typed := find_typed(core, match.start("value"), len(core))) is not None and typed[3] == "number":
        found = typed[:3] if canonical_value(core[typed[0] : typed[1]])[1] in ("duration", "months") else None
    if found is None:
        return None
    act = _act(core, hidden, match.start(), found[2])
    if act is None or not act[1]:
        return None
    done, what, who = act
    prep = match["prep"] or "every"
    if match["unit"] and not _LAYERED.isdisjoint(singular(w.strip("'’").lower()) for w in what.split()):
        return None
    passive = bool(_BE & set(hidden[: match.start()].split()))
    if passive and not who and done not in _HELD and not match["unit"]:
        return None  # a construction of its own
    if passive and not who and prep != "every":
        return None
    if verb_of(done) in MANY_VERBS and prep != "every":
        return None
    # "Orion audits Vega every 5 days": one name acts on another
    # the first word of a sentence has its capital from there
    first, _, rest = what.partition(" ")
    named = _NAMED.match(who) is not None and (
        _NAMED.fullmatch(what) is not None
        or _NAMED.search(rest if core.partition(" ")[0] == first else what) is not None
    )
    whole = f"{what} {'by' if named else 'of'} {who}" if who else what
    if done == "taken" and what == "place":
        return Claim(who, _RUNS, found[0], found[1], "act: period", "duration") if prep == "every" and who else None
    relation = relation_of(f"is {done} {prep}")
    if relation is None:
        relation, whole = known(f"is done {prep}"), f"{done} {whole}"
    return Claim(whole, relation, found[0], found[1], "act: period", "duration")


def _times(core: str, hidden: str) -> Claim | None:
    """Read "The uploader retries a failed part 5 times" and "A failed part is retried 8 times by the uploader"."""
    match = _TIMES.search(hidden)
    act = _act(core, hidden, match.start(), match.end()) if match else None
    if match is None or act is None:
        return None
    done, what, who = act
    base = verb_of(done)
    if base in MANY_VERBS or not (what or who) or base == "be":
        return None
    bound = "maximum " if match["most"] and base not in _TRIED else ""
    owned = " of ".join(p for p in (what, who) if p)
    return Claim(f"{bound}{base} of {owned}", _COUNTS, *match.span("value"), "act: times")


def _needs(core: str, hidden: str) -> Claim | None:
    """Read "Pull requests need 2 approvals" as the number of approvals that they need."""
    match = _NEEDS.search(hidden)
    subject = _sound(core, 0, match.start()) if match else None
    tail = qualifiers(core[match.end() :]) if match else None
    if match is None or subject is None or tail is None or not is_plural(match["what"].split()[-1]):
        return None
    if canonical_value(match["value"])[1] in ("duration", "months", "size") or is_opinion(match["what"].split()):
        return None
    if is_plural(head_phrase(subject.lower().split())[0]) and subject[0].isupper():
        subject = subject[0].lower() + subject[1:]
    return Claim(f"{match['what']} need of {subject} {tail}".strip(), _COUNTS, *match.span("value"), "act: needs")


def _level(core: str, hidden: str) -> Claim | None:
    """Read "The gateway logs at DEBUG level" as its log level."""
    match = _AT_LEVEL.search(core)
    subject = _sound(core, 0, match.start()) if match else None
    if match is None or subject is None:
        return None
    group = "a" if match["a"] else "b"
    start, end = match.span(group)
    if core[start] in "`\"'":
        start, end = start + 1, end - 1
    if core[start:end].lower() not in _LEVELS:
        return None
    return Claim(f"{base_of(match['verb'])} level of {subject}", _IS, start, end, "act: level")


read_act = Rules(
    (
        (_period, word_set("every after within for")),
        (_times, word_set("times")),
        (_needs, word_set("needs need requires require")),
        (_level, word_set("level")),
    ),
)
"""Reads how often, how long or how many times a thing is done."""
