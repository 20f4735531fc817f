"""What a sentence says around its plain statement: who says it, in which ticket, where, and of which of them.

"OPS-7: the queue is q-1", "In the depot app, the queue is q-1", "The queue, which the hub shares, is q-1": what is left
without these is read as a plain sentence, and each word that was left out stays in the key. So the sentence is
superseded only by one that says the same around another value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from memstrata_integrations.extraction.sentences.complements import masked, words_of
from memstrata_integrations.extraction.sentences.lexicon import (
    LABELS,
    PREPOSITIONS,
    SHARED_ROLES,
    SUPPRESSING_HEADINGS,
    UNASSERTED,
)
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.sentences.scaffolding import clauses_in_front, clauses_in_subject, holds
from memstrata_integrations.extraction.sentences.verbs import MANY_VERBS, THIRD, is_participle
from memstrata_integrations.extraction.sentences.wording import Core
from memstrata_integrations.words import word_set

__all__ = ["Bare", "Prefix", "bare_cores", "prefix_of"]

_LONGEST = 300
_TRIM = "\"'`()[]{}.,;:!?“”‘’"
_PREFIX = re.compile(
    r"(?:\[(?P<tag>[A-Z][A-Z0-9]*-\d+)\] |(?P<ticket>[A-Z][A-Z0-9]*-\d+): "
    r"|(?P<commit>feat|fix|docs|chore|build|ci|refactor|perf|deps|infra|config)(?:\((?P<scope>[\w./-]+)\))?: "
    r"|[Ss]tep (?P<step>\d{1,2}): |[Pp]er (?P<per>[A-Z][A-Z0-9]*-\d+),? "
    r"|\[\d{1,2}:\d{2}(?::\d{2})?\] (?:<?@?(?P<logged>[a-z][\w.-]*)>?: )?|@(?:all|here|channel|team|everyone),? "
    r"|<?@?(?P<speaker>[a-z]+(?:\.[a-z]+)?)>?: |(?P<of>[A-Z][a-z]+ \([a-z][a-z -]*\)): )(?=[^\s\d\"'{\[])"
)
_NO_SPEAKERS = (
    LABELS
    | SUPPRESSING_HEADINGS
    | UNASSERTED
    | word_set("before after wrong bad quote quoted option alternative myth rumour")
)
_FRONT = re.compile(
    r"(?:In|On|At|For|Within|Inside|Under|Across|While|Whereas|Among|Throughout) (?P<words>[^,;:]{2,80}), (?=\S)"
)
_PLACES = r"(?:production|prod|staging|development|dev|CI|QA|test|testing|preview|sandbox|local development)"
_FRONT_UNSET = re.compile(
    r"(?:If|When|Where) (?:it is |it's )?(?:omitted|unset|absent|missing|not (?:set|given|specified|provided)"
    r"|left (?:out|empty|unset)"
    r"|unspecified|empty), (?=\S)"
    r"|(?:If|When|Where) (?:no|neither) (?P<unset>[^,;:]{2,60}?) (?:is|are|was) (?:passed|given|set|specified"
    r"|provided|supplied"
    r"|configured|present|found|defined|chosen|selected|named), (?=\S)"
)
# "For large files the timeout is 120 s": the article, or who speaks, shows where the adjunct ends
_FRONT_OPEN = re.compile(
    r"(?:In|On|At|For|Under|Within|Inside|Across) (?!(?:case|order|addition|fact|particular|general|theory"
    r"|practice|time"
    r"|my|all|now|first|last|example|instance|sure|most|many|some|any)\b)(?:(?:the|our|an?) )?(?!the |my |our "
    r"|an? )(?:[\w'’./&¤-]+ ){1,4}?"
    r"(?=(?:the|our|we|`[^`]+`|¤+|[a-z]+(?: [a-z]+)?(?= (?:come|comes|is|are|run|runs|live|lives|go|goes))) )"
)
# "All our Lambdas run on Python 3.9" says it of them
_ALL = re.compile(r"(?:All(?: of)?|Each of|Every one of) (?=(?:our|the|my) [a-zA-Z])")
# "in this repo": where the text stands
_HERE = re.compile(
    r" (?:in|of|for|from) (?P<this>this) (?P<what>repo|repository|project|package|codebase|code base|module"
    r"|monorepo|crate"
    r"|workspace|document|file|service|app|cluster|environment)(?=\Z| |,)"
)
_BEFORE = re.compile(
    r",? (?P<when>before|until|unless|after which|then|once|when) (?:it|they) (?:is|are|gets|get|expires?|goes?"
    r"|moves?)"
    r" ?(?P<words>[a-z][\w ]{0,40})?\Z"
)
# "Once uploaded, a report is kept": of those that are
_FRONT_REDUCED = re.compile(
    r"(?:(?:Inter|Exter|Loc|Glob|Technic|Physic|Offici|Form)ally|(?:Once|When|While|Until|After being|As long as"
    r"|Before being) (?P<words>[a-z]+(?: [a-z]+){0,3})), (?=\S)"
)
_UNLESS = re.compile(
    r",? unless (?:told|stated|specified|configured|set|noted|overridden|instructed|given)(?: otherwise)?\Z"
)
_OF_EVERY = re.compile(r" (?:of|for|in|on) (?P<every>every|each|all(?: of)?(?: the)?)(?= [a-z])")
# "is held by Ann this quarter", "takes about 4 minutes": as of then, and so told
_THIS_TIME = re.compile(
    r"(?:(?<=\S),? (?P<last>this (?:week|month|quarter|year|season|term|semester|sprint|weekend|winter|summer|spring"
    r"|autumn|fall))\Z|\AThis (?P<first>week|month|quarter|year|season|term|semester|sprint|weekend),? (?=\S))"
)
_HEDGES = word_set("about around roughly approximately approx. some nearly almost just circa")
_ROUGHLY = re.compile(
    r"(?<! is)(?<! are) (?P<how>about|around|roughly|approximately|approx\.|some|nearly|almost|just over|just under"
    r"|circa)"
    r"(?= (?:\d|[$€£¥]\d|(?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty"
    r"|forty|fifty|sixty|seventy|eighty|ninety|half)[ -]))"
)
_OR_MORE = re.compile(r" or (?:later|newer|higher|above|greater|more recent)(?= |\Z)")
_MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Spring|Summer|Autumn|Winter"
_FRONT_BARE = re.compile(
    rf"(?:(?:In|On|For) {_PLACES}|In (?!{_MONTHS})[A-Z][A-Za-z-]+|By default,?) (?=(?:the|our|my|`|[A-Z])[\w ])"
)
_ASIDE = re.compile(r"(?<=\S), (?P<words>[^,;:]{3,90}),(?= (?P<verb>[a-z]+) )")
_ASIDE_STARTS = word_set(
    "which who whom whose with for including known part owned the a an in on at under inside within one our excluding "
    "except without not when as unless once because since after before during"
)
_TAIL = re.compile(
    r"(?:, (?:which|who|whose|so that|then|and then|so|as|not|never) |, and the )(?P<words>[^,;:]{3,90})\Z"
)
_RELATIVE = re.compile(
    r"(?:(?:The|the|Our|our) (?:[\w'’-]+ ){0,6}?)(?P<noun>[A-Za-z][\w-]*)(?P<cut> (?:that"
    r"|which) (?P<verb>[a-z]+)) (?=\S)"
)
# "The logger that `billing` uses is named": of whom it is
_RELATIVE_OBJECT = re.compile(
    r"(?:The|the|Our|our) (?:[\w'’-]+ ){1,4}?(?P<cut>that|which) (?:(?:the|our) )?(?:¤+|`[^`]+`"
    r"|[\w./-]+)(?: [\w-]+)? "
    r"(?P<verb>[a-z]+s)(?= (?:is|are|has|lives|listens|runs) )"
)
_MAIN = word_set("is are has uses runs lives listens returns takes expects reads writes goes")
_DETERMINERS = word_set("a an the our my all every each")
_COPULA = word_set("is are was were has have")
_VIEWS = word_set("view opinion mind eyes book experience theory practice principle general short particular fact")
# Words that leave open whether, when or for whom a sentence holds
_OPEN = UNASSERTED - word_set("before last since used")


class Prefix(NamedTuple):
    """What stands before a statement in a chat, a ticket or a commit.

    Attributes:
        length: How many characters it takes.
        said: Its words that belong to the key.
    """

    length: int
    said: str


class Bare(NamedTuple):
    """A sentence without a part of it, that part's words, and whether it points at where the text stands."""

    core: Core
    said: str
    local: bool = False


def prefix_of(sentence: str) -> Prefix | None:
    """Return the prefix of a statement: a ticket, a kind of commit or who speaks.

    Example:
        >>> prefix_of("OPS-7: the queue is q-1"), prefix_of("Example: the queue is q-1")
        (Prefix(length=7, said='in OPS-7'), None)
    """
    match = _PREFIX.match(sentence)
    if match is None or " " not in sentence[match.end() :]:
        return None
    if match["speaker"] in _NO_SPEAKERS:
        return None
    said = match["tag"] or match["ticket"] or match["scope"] or match["speaker"] or match["logged"] or match["of"]
    said = said or match["per"] or (f"step-{match['step']}" if match["step"] else None)
    return Prefix(match.end(), f"in {said.replace('(', '').replace(')', '')}" if said else "")


def bare_cores(core: Core) -> Iterator[Bare]:
    """Yield what is left of a sentence without its adjunct, aside, second clause or relative clause."""
    text = core.text
    if not text or len(text) > _LONGEST:
        return
    hidden = masked(text)
    front = _FRONT.match(hidden) or _FRONT_BARE.match(hidden)
    if front is not None:
        stop = front.end()
        said = text[:stop].rstrip(" ,")
        if _plain(said):
            said = "of default" if said.startswith("By default") else said[0].lower() + said[1:]
            yield Bare(_cut(core, 0, stop), said)
    for before in clauses_in_front(text) if "," in text or ":" in text else ():
        if front is None or before.end != front.end() or before.pronoun:
            named = core if before.pronoun is None else _cut(core, *before.pronoun, before.named)
            main = _opening_with_capital(named, before.end)
            yield Bare(main._replace(changed=core.changed or before.changed), before.said)
    for begin, stop, said in clauses_in_subject(text):
        yield Bare(_cut(core, begin, stop), said)
    if text[0] in "IFOAUW" and front is None and (opened := _FRONT_OPEN.match(hidden)) is not None:
        said = text[: opened.end()].rstrip()
        if _plain(said):
            yield Bare(_cut(core, 0, opened.end()), said[0].lower() + said[1:])
    if text[0] in "IW" and (unset := _FRONT_UNSET.match(hidden)) is not None:
        yield Bare(_cut(core, 0, unset.end()), f"of default {unset['unset'] or ''}".rstrip())
    if text[0] in "AE" and (every := _ALL.match(hidden)) is not None:
        yield Bare(_cut(core, 0, every.end()), "")
    if " this " in hidden and (here := _HERE.search(hidden)) is not None:
        yield Bare(_cut(core, *here.span("this"), "the"), "", local=True)
    if (" it " in hidden or " they " in hidden) and (behind := _BEFORE.search(hidden)) is not None:
        yield Bare(_cut(core, behind.start(), len(text)), f"{behind['when']} {behind['words'] or ''}".rstrip())
    if " unless " in hidden and (unless := _UNLESS.search(hidden)) is not None:
        yield Bare(_cut(core, unless.start(), len(text)), "of default")
    reduced = _FRONT_REDUCED.match(hidden) if "," in hidden else None
    if reduced is not None and (reduced["words"] is None or is_participle(reduced["words"].split()[0])):
        said = text[: reduced.end()].rstrip(" ,")
        rest = _cut(core, 0, reduced.end() + 1, text[reduced.end()].upper())
        yield Bare(rest, said[0].lower() + said[1:])
    if (" every " in hidden or " each " in hidden or " all " in hidden) and (every := _OF_EVERY.search(hidden)):
        yield Bare(_cut(core, *every.span("every"), "the"), "every")
    if (" this " in hidden or hidden.startswith("This ")) and (time := _THIS_TIME.search(hidden)) is not None:
        yield Bare(_cut(core, *time.span()), f"in {time['last'] or 'this ' + time['first']}")
    hedged = not _HEDGES.isdisjoint(words_of(hidden))
    if hedged and (roughly := _ROUGHLY.search(hidden)) is not None:
        yield Bare(_cut(core, *roughly.span()), f"with {roughly['how'].replace(' ', '-')}")
    if " or " in hidden and (more := _OR_MORE.search(hidden)) is not None:
        yield Bare(_cut(core, *more.span()), "at least")
    if "," in hidden:
        for aside in _ASIDE.finditer(hidden):
            words = aside["words"].split()
            starts = words[0] in _ASIDE_STARTS or is_participle(words[0])
            verb = aside["verb"]
            if starts and (verb in _COPULA or verb in THIRD) and holds(aside["words"]):
                said = text[slice(*aside.span("words"))]
                yield Bare(_cut(core, *aside.span()), f"with {said}")
                break
        tail = _TAIL.search(hidden)
        if tail is not None and tail.start() and _plain(tail["words"]):
            yield Bare(_cut(core, tail.start(), len(text)), f"with {text[tail.start() + 2 :]}")
    which = " that " in hidden or " which " in hidden
    owner = _RELATIVE_OBJECT.match(hidden) if which else None
    if owner is not None and (owner["verb"] == "uses" or _of_one(owner["verb"])):
        places = _cut(core, owner.start("verb") - 1, owner.end("verb"))
        yield Bare(_cut(places, *owner.span("cut"), "of"), f"which {owner['verb']}")
    relative = _RELATIVE.match(hidden) if which else None
    if relative is not None and _of_one(relative["verb"]):
        following = hidden[relative.end() :].split()
        at = next((n for n, w in enumerate(following) if w in _MAIN and n), None)
        if at and at <= 8 and _plain(" ".join(following[:at])):
            link = "" if following[0] in PREPOSITIONS else " for"
            yield Bare(_cut(core, *relative.span("cut"), link), f"which {relative['verb']}")


def _opening_with_capital(core: Core, at: int) -> Core:
    """Return a sentence from a place on, as one that opens there: "a ticket costs" as "A ticket costs"."""
    word = core.text[at:].partition(" ")[0]
    return _cut(core, 0, at + 1, word[0].upper()) if word in _DETERMINERS else _cut(core, 0, at)


def _of_one(verb: str) -> bool:
    """Whether what a relative clause says may be said of one thing only: "that charges", no "that raises"."""
    base = THIRD.get(verb)
    return base is not None and base not in MANY_VERBS and (verb not in SHARED_ROLES or verb in ("runs", "handles"))


def _plain(words: str) -> bool:
    """Whether words say nothing that leaves open whether the sentence holds."""
    listed = words.split()
    if " used to " in f" {words} " or is_opinion(listed) or listed[-1].lower() in _VIEWS:
        return False
    return all(w.strip(_TRIM).lower() not in _OPEN for w in listed)


def _cut(core: Core, start: int, end: int, put: str = "") -> Core:
    """Return a sentence with other words in the place of a part of it."""
    places = list(core.places) if core.places is not None else list(range(core.start, core.start + len(core.text)))
    places[start:end] = [-1] * len(put)
    return core._replace(text=core.text[:start] + put + core.text[end:], places=tuple(places))
