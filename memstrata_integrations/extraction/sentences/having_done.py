"""What a thing has done to its own: "The hall has its thermostat set to 19 degrees" is how that thermostat is set."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memstrata_integrations.extraction.sentences.complements import masked
from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.pieces import Pieces, be_of, inner
from memstrata_integrations.extraction.sentences.reordering import put
from memstrata_integrations.extraction.sentences.verbs import is_participle
from memstrata_integrations.extraction.sentences.wording import Core
from memstrata_integrations.words import word_set

__all__ = ["own_cores"]

_LONGEST = 240
_OWNER = r"(?P<who>(?:The |Our |My |[A-Z])[^,;:]*?)"
_HAS_DONE = re.compile(
    rf"{_OWNER} (?:has|have) (?:its|their) (?P<what>[a-z][\w-]*(?: [a-z][\w-]*){{0,3}}) (?P<done>[a-z]+)"
    r"(?= (?:to|at|on|in|by|with|every|for|from) \S)"
)
_HAVING, _OWNED = word_set("has have"), word_set("its their")


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


def _owning(text: str, hidden: str) -> Iterator[Pieces]:
    """Read "The hall has its bin emptied on Monday" as what is done with that bin."""
    done = _HAS_DONE.match(hidden)
    if done is not None and is_participle(done["done"]) and quiet(done["who"]) and quiet(done["what"]):
        owner, be = inner(text, *done.span("who")), f" {be_of(done['what'])} "
        yield "The ", done.span("what"), " of ", *owner, be, (done.start("done"), len(text))
