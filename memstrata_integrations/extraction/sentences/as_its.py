"""What fills a role, with the role in front or in other words: "As its cache, the shop uses Redis".

Each is put as "The shop uses Redis as its cache", and "A tuple is returned by parse_row" as "parse_row returns a
tuple"; the plain sentence is then judged like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memstrata_integrations.extraction.sentences.framing import head_of
from memstrata_integrations.extraction.sentences.gaps import verbs_of, words_at
from memstrata_integrations.extraction.sentences.lexicon import MEASURES, PERSON_ROLES, WORD_ROLES
from memstrata_integrations.extraction.sentences.plain_nouns import NAMED
from memstrata_integrations.extraction.sentences.role_words import is_plural
from memstrata_integrations.extraction.sentences.verbs import (
    base_of,
    is_participle,
    third_of,
    verb_of,
    verb_of_gerund,
)
from memstrata_integrations.words import word_set

__all__ = ["AS_ITS", "roles_of"]

_Pieces = tuple[str | tuple[int, ...], ...]
AS_ITS = word_set("As as for by use uses")
"""A sentence that `roles_of` reads has one of these words."""
_AS = re.compile(
    r"As (?:(?P<own>its|their|his|her|my|our|the) )?(?!an? )(?P<role>[a-z][\w-]*(?: [\w’'-]+){0,6}), "
    r"(?P<clause>[^,;:]+)\Z"
)
_OWN = {"i": "my", "we": "our", "they": "their"}
_HAVING = word_set("have use run employ get take keep carry serve")
_FOR_A = re.compile(
    r"(?P<who>\S[^,;:]*?) (?:has|have) (?P<value>[A-Z\d`][^,;:]*?) for (?:its|their|his|her|my|our) "
    r"(?P<role>[a-z][a-z-]*(?: [a-z-]+){0,2})\Z"
)
_WITH_AS = re.compile(
    r"(?P<who>\S[^,;:]*?) (?P<verb>[a-z]+) with (?P<value>[A-Z][^,;:]*?) as (?:its|their|his|her|the|our|my) "
    r"(?P<role>[a-z][a-z-]*(?: [a-z-]+){0,2})\Z"
)
_BY = re.compile(
    r"(?P<value>(?:(?:An?|[A-Z\d][\w.+-]*) )?[^\s,;:]+(?: [^\s,;:]+)?) (?:is|are) (?P<done>[a-z]+) by "
    r"(?P<who>(?:the|our|my) [^,;:]+|`[^`]+`|[\w.]*[_.(][\w.()]*|[A-Z][^,;:]*)\Z"
)
_GIVEN = word_set("return require need use take accept employ yield emit expect")
_COUNTED = re.compile(r"\d[\d,]* [a-z-]+(?: [a-z-]+)?\Z")
_ONE_KIND = re.compile(r"(?:[Aa]n? (?:[\w-]+ )?[\w-]+|[A-Z][\w.+-]* v?\d[\w.]*)\Z")
_WHAT = r"(?P<what>(?:(?:the|our|my|its|their|all|every) )?[^\s,;:]+(?: [^\s,;:]+){0,6})"
_USED = re.compile(
    rf"(?P<who>(?=[A-Z`]|the |our |we )[^,;:]{{1,60}}?) (?P<use>uses?) "
    rf"(?P<value>(?:an? )?[^\s,;:]+(?: [^\s,;:]+){{0,2}}?) "
    rf"(?:to (?P<verb>[a-z]+)|for (?P<doing>[a-z]+ing)) {_WHAT}\Z"
)
_FOR_USED = re.compile(
    rf"For (?P<doing>[a-z]+ing) {_WHAT}, (?P<who>(?=[A-Z`]|the |our |we )[^,;:]+?) (?P<use>uses?) (?P<value>[^,;:]+)\Z"
)
_OF_ONE_MEANS = word_set("hash sort")
_ROLES = PERSON_ROLES | WORD_ROLES | MEASURES | NAMED | word_set("database backend")


def roles_of(text: str, hidden: str) -> Iterator[_Pieces]:
    """Yield the plain sentence for one that puts a role first, or says it in other words.

    Example:
        >>> s = "As its cache, the shop uses Redis"
        >>> ["".join(p if isinstance(p, str) else s[p[0] : p[1]] for p in pieces) for pieces in roles_of(s, s)]
        ['The shop uses Redis as its cache']
    """
    if (fronted := _AS.match(hidden)) is not None:
        yield from _fronted(text, hidden, fronted)
        return
    match = _FOR_A.match(hidden) or _WITH_AS.match(hidden)
    if match is not None:
        verb = match.groupdict().get("verb")
        if head_of(match["role"].split()) in _ROLES and (verb is None or verb[-1] == "s" or base_of(verb) is not None):
            link = " have " if match["who"].lower() in _OWN else " has "
            yield match.span("who"), link, match.span("value"), " as its ", match.span("role")
        return
    if (done := _BY.match(hidden)) is not None:
        yield from _done_by(text, done)
    elif (used := _USED.match(hidden) or _FOR_USED.match(hidden)) is not None:
        yield from _used(text, used)


def _used(text: str, match: re.Match[str]) -> Iterator[_Pieces]:
    """Read "We use Datadog to monitor the robots" as "We monitor the robots with Datadog"."""
    groups = match.groupdict()
    verb = groups.get("verb") or verb_of_gerund(match["doing"] or "")
    if verb not in _OF_ONE_MEANS:
        return  # several tools build, test or protect one thing side by side
    start, end = match.span("who")
    if match["who"].lower() in _OWN and match["value"].partition(" ")[0] in ("a", "an", "the", "our", "my"):
        return  # people have a mop, and a sponge
    does = verb if match["use"] == "use" else third_of(verb)
    yield *_opened(text, start, end), f" {does} ", match.span("what"), " with ", match.span("value")


def _fronted(text: str, hidden: str, match: re.Match[str]) -> Iterator[_Pieces]:
    """Read "As its cache, the shop uses Redis" and "As mayor, Elm has Ann Lee"."""
    start, end = match.span("clause")
    for at, verb in verbs_of(words_at(hidden, start, end)):
        own = match["own"] or _OWN.get(text[start:at].lower(), "its")
        if verb == "serve":
            behind = hidden.find(" ", at + 1)
            yield *_opened(text, start, at), " has", (behind, end), f" as {own} ", match.span("role")
        elif verb in _HAVING:
            yield *_opened(text, start, end), f" as {own} ", match.span("role")
        return


def _opened(text: str, start: int, end: int) -> _Pieces:
    """Return a piece as a sentence opens: with a capital where an article or an owner stands there."""
    if text.startswith(("the ", "our ", "my ", "we ", "all "), start) or text[start:end] == "we":
        return text[start].upper(), (start + 1, end)
    return ((start, end),)


def _done_by(text: str, match: re.Match[str]) -> Iterator[_Pieces]:
    """Read "A tuple is returned by parse_row" as "parse_row returns a tuple"."""
    verb = verb_of(match["done"])
    value = match["value"]
    if not is_participle(match["done"]) or verb == match["done"]:
        return
    counted = _COUNTED.match(value) is not None
    if not counted and (verb not in _GIVEN or _ONE_KIND.match(value) is None):
        return
    start, end = match.span("who")
    who = _opened(text, start, end)
    head = head_of(match["who"].lower().split())
    does = verb if is_plural(head) else third_of(verb)
    start, end = match.span("value")
    small: _Pieces = ((start, end, 1),) if value.startswith(("A ", "An ")) else ((start, end),)
    yield *who, f" {does} ", *small
