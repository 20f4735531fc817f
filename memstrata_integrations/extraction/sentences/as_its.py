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
from memstrata_integrations.extraction.sentences.pieces import Pieces, opening
from memstrata_integrations.extraction.sentences.plain_nouns import NAMED
from memstrata_integrations.extraction.sentences.role_words import is_plural
from memstrata_integrations.extraction.sentences.verbs import (
    base_of,
    is_participle,
    third_of,
    verb_of,
)
from memstrata_integrations.words import word_set

__all__ = ["AS_ITS", "roles_of"]

AS_ITS = word_set("As as for by")
"""A sentence that `roles_of` reads has one of these words."""
_AS = re.compile(
    r"As (?:(?P<own>its|their|his|her|my|our|the) )?(?!an? )(?P<role>[a-z][\w-]*(?: [\w’'-]+){0,6}), "
    r"(?P<clause>[^,;:]+)\Z"
)
_OWN = {"i": "my", "we": "our", "they": "their"}
_HAVING = word_set("have use run employ get take keep carry serve")
_FOR_ITS = re.compile(
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
_ROLES = PERSON_ROLES | WORD_ROLES | MEASURES | NAMED | word_set("database backend")


def roles_of(text: str, hidden: str) -> Iterator[Pieces]:
    """Yield the plain sentence for one that puts a role first, or says it in other words.

    Example:
        >>> s = "As its cache, the shop uses Redis"
        >>> ["".join(p if isinstance(p, str) else s[p[0] : p[1]] for p in pieces) for pieces in roles_of(s, s)]
        ['The shop uses Redis as its cache']
    """
    if (fronted := _AS.match(hidden)) is not None:
        yield from _fronted(text, hidden, fronted)
        return
    match = _FOR_ITS.match(hidden) or _WITH_AS.match(hidden)
    if match is not None:
        verb = match.groupdict().get("verb")
        if head_of(match["role"].split()) in _ROLES and (verb is None or verb[-1] == "s" or base_of(verb) is not None):
            link = " have " if match["who"].lower() in _OWN else " has "
            yield match.span("who"), link, match.span("value"), " as its ", match.span("role")
        return
    if (done := _BY.match(hidden)) is not None:
        yield from _done_by(text, done)


def _fronted(text: str, hidden: str, match: re.Match[str]) -> Iterator[Pieces]:
    """Read "As its cache, the shop uses Redis" and "As mayor, Elm has Ann Lee"."""
    start, end = match.span("clause")
    for at, verb in verbs_of(words_at(hidden, start, end)):
        own = match["own"] or _OWN.get(text[start:at].lower(), "its")
        if verb == "serve":
            behind = hidden.find(" ", at + 1)
            yield *opening(text, start, at), " has", (behind, end), f" as {own} ", match.span("role")
        elif verb in _HAVING:
            yield *opening(text, start, end), f" as {own} ", match.span("role")
        return


def _done_by(text: str, match: re.Match[str]) -> Iterator[Pieces]:
    """Read "A tuple is returned by parse_row" as "parse_row returns a tuple"."""
    verb = verb_of(match["done"])
    value = match["value"]
    if not is_participle(match["done"]) or verb == match["done"]:
        return
    counted = _COUNTED.match(value) is not None
    if not counted and (verb not in _GIVEN or _ONE_KIND.match(value) is None):
        return
    start, end = match.span("who")
    who = opening(text, start, end)
    head = head_of(match["who"].lower().split())
    does = verb if is_plural(head) else third_of(verb)
    start, end = match.span("value")
    small: Pieces = ((start, end, 1),) if value.startswith(("A ", "An ")) else ((start, end),)
    yield *who, f" {does} ", *small
