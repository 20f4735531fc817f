"""Nouns that a shortened clause tells apart: "The type returned by parse_row is a tuple", "the theme used on the wiki".

Who does it and what is done are put as the clause in full ("The type that parse_row returns is a tuple"), and where a
value is set as the place ("The limit set in nginx is 5" as "The limit in nginx is 5"); the sentence is then judged like
any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memstrata_integrations.extraction.sentences.framing import head_of, quiet
from memstrata_integrations.extraction.sentences.lexicon import PREPOSITIONS
from memstrata_integrations.extraction.sentences.role_words import is_plural
from memstrata_integrations.extraction.sentences.verbs import third_of, verb_of
from memstrata_integrations.words import word_set

__all__ = ["REDUCED", "reduced"]

_Span = tuple[int, int]
_Pieces = tuple[str | tuple[int, ...], ...]
# What one thing does whenever it runs, so that what it did tells what it does: "returned by", but not "written by"
_DONE = "returned|raised|thrown|yielded|emitted|produced|generated"
_PUT = "set|configured|hard-coded|hardcoded|specified|used"
REDUCED = word_set(f"{_DONE} {_PUT}".replace("|", " "))
"""A sentence that `reduced` reads has one of these words."""
_NOUN = r"(?P<noun>[a-z][\w-]*(?: [a-z][\w-]*){0,3}?)"
_WHICH_IS = r"(?: (?:that|which) is)?"
_BY = rf"{_NOUN}{_WHICH_IS} (?P<done>{_DONE}) by (?P<who>[^,;:]+?)"
_THERE = rf"{_NOUN}(?P<of> (?:of|for) [^,;:]+?)?{_WHICH_IS} (?P<put>{_PUT}) (?P<where>(?:in|on|at|for) [^,;:]+?)"
_VALUE = r"(?P<value>\S[^,;:]{0,60}?)"
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"[Tt]he {_BY} is {_VALUE}\Z",
        rf"{_VALUE} is the {_BY}\Z",
        rf"[Tt]he {_THERE} is {_VALUE}\Z",
        rf"{_VALUE} is the {_THERE}\Z",
    )
)
_NO_VALUES = word_set("it this that these those there here he she they what who which one i we you not also only")
_TAIL = re.compile(r" (?=(?:for|in|on|when|if|at|during|to|with|from|after) \S)")


def reduced(text: str, hidden: str) -> Iterator[_Pieces]:
    """Yield a sentence with its shortened clause in full.

    Example:
        >>> s = "The exception raised by load_user for a stranger is KeyError"
        >>> ["".join(p if isinstance(p, str) else s[p[0] : p[1]] for p in pieces) for pieces in reduced(s, s)][0]
        'The exception that load_user raises for a stranger is KeyError'
    """
    for form in _FORMS:
        match = form.match(hidden)
        if match is None:
            continue
        groups = match.groupdict()
        if not _is_one(match["noun"], match["value"], groups.get("who") or groups["where"]):
            return
        if groups.get("done"):
            yield from _by(hidden, match)
        elif match["put"] != "used" or not any(map(str.isdigit, match["value"])):  # of what there is, so much is used
            of: _Pieces = (match.span("of"),) if match["of"] else ()
            yield "The ", match.span("noun"), *of, " ", match.span("where"), " is ", _small(match)
        return


def _is_one(noun: str, value: str, rest: str) -> bool:
    """Whether one value is said of one noun, and nothing besides."""
    first = value.partition(" ")[0].lower()
    nouns = noun.split()
    return (
        first not in _NO_VALUES
        and quiet(value)
        and quiet(rest)
        and not is_plural(head_of(nouns))
        and PREPOSITIONS.isdisjoint(nouns)
        and PREPOSITIONS.isdisjoint(value.lower().split())
        and " is " not in f" {rest} "
    )


def _by(hidden: str, match: re.Match[str]) -> Iterator[_Pieces]:
    """Yield "The type that parse_row returns is a tuple", with what may stand behind the doer."""
    start, end = match.span("who")
    does = "throws" if match["done"] == "thrown" else third_of(verb_of(match["done"]))
    for stop in [*(m.start() for m in _TAIL.finditer(hidden, start, end)), end]:
        if is_plural(head_of(hidden[start:stop].lower().split())):
            continue
        tail: _Pieces = ((stop, end),) if stop < end else ()
        yield "The ", match.span("noun"), " that ", (start, stop), f" {does}", *tail, " is ", _small(match)


def _small(match: re.Match[str]) -> tuple[int, ...]:
    """Return the value as it stands inside of a sentence."""
    start, end = match.span("value")
    return (start, end, 1) if match["value"].startswith(("A ", "An ", "The ")) else (start, end)
