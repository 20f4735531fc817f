"""What a sentence says around its plain statement: who says it, in which ticket, where, and of which of them.

"OPS-7: the queue is q-1", "In the depot app, the queue is q-1", "The queue, which the hub shares, is q-1": what is left
without these is read as a plain sentence, and each word that was left out stays in the key. So the sentence is
superseded only by one that says the same around another value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from memstrata_integrations.extraction.complements import masked
from memstrata_integrations.extraction.lexicon import (
    LABELS,
    PREPOSITIONS,
    SHARED_ROLES,
    SUPPRESSING_HEADINGS,
    UNASSERTED,
)
from memstrata_integrations.extraction.opinions import is_opinion
from memstrata_integrations.extraction.verbs import MANY_VERBS, THIRD, is_participle
from memstrata_integrations.extraction.wording import Core
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
)
_OR_MORE = re.compile(r" or (?:later|newer|higher|above|greater|more recent)(?= |\Z)")
_MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Spring|Summer|Autumn|Winter"
_FRONT_BARE = re.compile(
    rf"(?:(?:In|On|For) {_PLACES}|In (?!{_MONTHS})[A-Z][A-Za-z-]+|By default,?) (?=(?:the|our|my|`|[A-Z])[\w ])"
)
_ASIDE = re.compile(r"(?<=\S), (?P<words>[^,;:]{3,90}),(?= (?P<verb>[a-z]+) )")
_ASIDE_STARTS = word_set("which part owned the a an in on at for under inside within one our")
_TAIL = re.compile(
    r"(?:, (?:which|who|whose|so that|then|and then|so|as|not|never) |, and the )(?P<words>[^,;:]{3,90})\Z"
)
_RELATIVE = re.compile(
    r"(?:(?:The|the|Our|our) (?:[\w'’-]+ ){0,3})(?P<noun>[a-z][\w-]*)(?P<cut> (?:that|which) (?P<verb>[a-z]+)) (?=\S)"
)
_MAIN = word_set("is are has uses runs lives listens returns takes expects reads writes goes")
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
    """A sentence without a part of it, and that part's words."""

    core: Core
    said: str


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
    if len(text) > _LONGEST:
        return
    hidden = masked(text)
    front = _FRONT.match(hidden) or _FRONT_BARE.match(hidden)
    if front is not None:
        stop = front.end()
        said = text[:stop].rstrip(" ,")
        if _plain(said):
            said = "of default" if said.startswith("By default") else said[0].lower() + said[1:]
            yield Bare(_cut(core, 0, stop), said)
    if (unset := _FRONT_UNSET.match(hidden)) is not None:
        yield Bare(_cut(core, 0, unset.end()), "of default")
    if " or " in hidden and (more := _OR_MORE.search(hidden)) is not None:
        yield Bare(_cut(core, *more.span()), "at least")
    if "," in hidden:
        for aside in _ASIDE.finditer(hidden):
            words = aside["words"].split()
            starts = words[0] in _ASIDE_STARTS or is_participle(words[0])
            verb = aside["verb"]
            if starts and (verb in _COPULA or verb in THIRD) and _plain(aside["words"]):
                said = text[slice(*aside.span("words"))]
                yield Bare(_cut(core, *aside.span()), f"with {said}")
                break
        tail = _TAIL.search(hidden)
        if tail is not None and tail.start() and _plain(tail["words"]):
            yield Bare(_cut(core, tail.start(), len(text)), f"with {text[tail.start() + 2 :]}")
    relative = _RELATIVE.match(hidden)
    if relative is not None and _of_one(relative["verb"]):
        following = hidden[relative.end() :].split()
        at = next((n for n, w in enumerate(following) if w in _MAIN and n), None)
        if at and at <= 8 and _plain(" ".join(following[:at])):
            link = "" if following[0] in PREPOSITIONS else " for"
            yield Bare(_cut(core, *relative.span("cut"), link), f"which {relative['verb']}")


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
