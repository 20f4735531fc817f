"""What a thing has done to its own: "The hall has its thermostat set to 19 degrees" is how that thermostat is set."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memstrata_integrations.extraction.sentences.complements import masked
from memstrata_integrations.extraction.sentences.framing import fills_role, quiet
from memstrata_integrations.extraction.sentences.reordering import put
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.verbs import is_participle
from memstrata_integrations.extraction.sentences.wording import Core
from memstrata_integrations.words import word_set

__all__ = ["own_cores"]

_LONGEST = 240
_Pieces = tuple[str | tuple[int, ...], ...]
_OWNER = r"(?P<who>(?:The |Our |My |[A-Z])[^,;:]*?)"
_HAS_DONE = re.compile(
    rf"{_OWNER} (?:has|have) (?:its|their) (?P<what>[a-z][\w-]*(?: [a-z][\w-]*){{0,3}}) (?P<done>[a-z]+)"
    r"(?= (?:to|at|on|in|by|with|every|for|from) \S)"
)
_HAS_FOR = re.compile(
    rf"{_OWNER} (?:has|have) (?P<value>[A-Z][\w’'-]*(?: [A-Z][\w’'.-]*){{0,3}}) for (?:its|their) "
    r"(?P<noun>[a-z][\w-]*(?: [a-z][\w-]*){0,2})\Z"
)
_LOWERED = ("The ", "Our ", "My ")
_HAVING, _OWNED = word_set("has have"), word_set("its their for")


def own_cores(core: Core) -> Iterator[Core]:
    """Yield the plain sentence of what a thing has done to its own.

    Example:
        >>> [c.text for c in own_cores(Core("The hall has its bin emptied on Monday", None, 0, False, ""))]
        ['The bin of the hall is emptied on Monday']
    """
    words = frozenset(core.text.split())
    if len(core.text) <= _LONGEST and not (_HAVING.isdisjoint(words) or _OWNED.isdisjoint(words)):
        for pieces in _owning(core.text, masked(core.text)):
            yield put(core, pieces)


def _owning(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "The hall has its bin emptied on Monday" and "The choir has Paul Nakamura for a conductor"."""
    done = _HAS_DONE.match(hidden)
    if done is not None and is_participle(done["done"]) and quiet(done["who"]) and quiet(done["what"]):
        many = is_plural(head_phrase(done["what"].split())[0])
        be = " are " if many else " is "
        yield "The ", done.span("what"), " of ", *_inner(text, done.span("who")), be, (done.start("done"), len(text))
        return
    having = _HAS_FOR.match(hidden)
    if having is not None and quiet(having["who"]) and fills_role(having["noun"]):
        yield having.span("who"), " has ", having.span("value"), " as its ", having.span("noun")


def _inner(text: str, span: tuple[int, int]) -> _Pieces:
    """Return a subject as it stands within a sentence."""
    start, end = span
    first = next((w for w in _LOWERED if text.startswith(w, start, end)), None)
    return (first.lower(), (start + len(first), end)) if first is not None else (span,)
