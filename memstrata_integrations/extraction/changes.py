"""Changes: sentences that tell that a value was replaced or ended. Each acts on the one key that it names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from memstrata_integrations.extraction.keys import Said, attribute, has_many
from memstrata_integrations.extraction.phrases import (
    Phrase,
    Value,
    canonical_words,
    find_value,
    is_light,
    name_end,
    read_phrase,
    value_of,
)  # fmt: skip
from memstrata_integrations.extraction.relations import Relation
from memstrata_integrations.extraction.tokens import NAME, WORD, Token
from memstrata_integrations.extraction.values import NAMED
from memstrata_integrations.extraction.words import Flag

__all__ = ["Change", "change_of"]


class Change(NamedTuple):
    """What a clause changes."""

    subject: Phrase
    relation: Relation | str
    value: Value | None  # what holds now; `None` if nothing took the old one's place, or if the old one is named
    ended: Value | None = None  # what ended, if it is named
    after: str = ""  # what stands behind, and belongs to the key


_CHANGED = frozenset(
    """raise lower increase decrease reduce change update bump move switch upgrade downgrade extend lengthen shorten cut
adjust revise set reset put bring push correct fix lift drop rise fall grow shrink go climb jump postpone reschedule
delay shift relocate migrate convert transfer trim widen double halve amend rename""".split()
)
_PLACED = frozenset("move switch go relocate migrate transfer push bring put shift".split())
_PARTICLES = frozenset("up down back forward over out away again".split())
_OVER = frozenset("originally temporarily briefly ago formerly once historically previously earlier initially".split())


def change_of(said: Said) -> Change | None:
    """Return what a clause changes, `None` if it tells no change.

    Example: "The limit was raised from 5 to 8" ends the value 5 of the limit, and no other.
    """
    predicate = said.predicate
    verb = said.link.words[-1]
    if verb not in _CHANGED or said.link.early or any(t.lower in _OVER or t.lower == "as" for t in predicate):
        return None
    passive = said.link.words[:1] == ("be",) and len(said.link.words) > 1
    n = 0
    while n < len(predicate) and predicate[n].lemma not in ("from", "to"):
        n += 1
    if n >= len(predicate) - 1:
        return None
    named = [t for t in predicate[:n] if t.lower not in _PARTICLES]
    if (passive and any(not t.flags & (Flag.SKIP | Flag.PREP) for t in named)) or has_many(named or said.subject):
        return None
    # "the limit was raised to", "the limit rose to", "we raised the limit to"
    holder = read_phrase(said.subject if passive or not named else named, said.text)
    if not holder.core or holder.vague or holder.several or holder.core in (("i",), ("we",)):
        return None
    ended, rest = _behind(said.text, predicate, n, "from")
    value, rest = _behind(said.text, predicate, rest, "to")
    if value is None or (ended is None and predicate[n].lemma == "from"):
        return None
    if verb in _PLACED and ended is None and value.kind in (*NAMED, "country", "path"):
        return None  # "The archive moved to S3" names no attribute that S3 is a value of
    relation, holder = attribute(holder, said.vocabulary, value.kind)
    after = " ".join(canonical_words(predicate[rest:]))
    return Change(holder, relation, value if ended is None else None, ended, after)


def _behind(text: str, tokens: Sequence[Token], n: int, preposition: str) -> tuple[Value | None, int]:
    """Return the value behind a preposition, and where it ends."""
    if n >= len(tokens) or tokens[n].lemma != preposition:
        return None, n
    start = n + 1
    while start < len(tokens) and is_light(tokens[start]) and tokens[start].lower != "a":
        start += 1
    stop = start
    while stop < len(tokens) and tokens[stop].lemma not in ("to", "from"):
        stop += 1
    found = find_value(tokens[start:stop])
    end = start + found[1] if found is not None and found[0] == 0 else name_end(tokens[:stop], start)
    if end == start:  # a plain word or two
        barred = Flag.PREP | Flag.AND | Flag.INDEFINITE | Flag.OWNER
        while end < min(stop, start + 2) and tokens[end].sort in (WORD, NAME) and not tokens[end].flags & barred:
            end += 1
    return (value_of(text, tokens[start:end]), end) if end > start else (None, n)
