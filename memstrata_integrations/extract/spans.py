"""Spans: which words of a clause may be its value, and where a name ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from memstrata_integrations.extract.tokens import EXACT, NAME, QUANTITY, WORD, Token
from memstrata_integrations.extract.values import NAMED, canonical_value
from memstrata_integrations.extract.words import Flag

__all__ = ["Value", "find_value", "is_light", "is_whole_name", "name_end", "value_of"]


class Value(NamedTuple):
    """A value: its tokens, where it stands in the text, and its canonical form."""

    tokens: Sequence[Token]
    span: tuple[int, int]
    canonical: str
    kind: str

    @property
    def typed(self) -> bool:
        """Whether it shows its kind itself: a measure, a date, a version, an image."""
        return (len(self.tokens) == 1 and self.tokens[0].sort == QUANTITY) or self.kind.startswith("image of")


_TITLES = frozenset("mr mrs ms dr prof st sir dame lady lord captain father sister judge chef".split())
_INNER = frozenset("of and & de da van von der den la le du the del di zu al bin".split())


def value_of(text: str, tokens: Sequence[Token]) -> Value:
    """Return the value that some tokens of a text are."""
    first, last = tokens[0], tokens[-1]
    span = (first.start, last.end)
    if len(tokens) == 1 and first.kind and first.sort != NAME:
        return Value(tokens, span, first.lemma, first.kind)
    canonical, kind = canonical_value(text[first.start : last.end])
    if first.sort == QUANTITY or (first.sort in (NAME, WORD) and kind not in (*NAMED, "country")):
        canonical, kind = " ".join(text[first.start : last.end].casefold().split()), "name"  # "12 Harbour Street"
    return Value(tokens, span, canonical, kind)


def is_light(token: Token) -> bool:
    """Whether a word before a value only leads to it: a preposition, an article, "at least"."""
    leading = Flag.PREP | Flag.DET | Flag.INDEFINITE | Flag.SKIP
    return token.sort == WORD and bool(token.flags & leading)


def name_end(tokens: Sequence[Token], start: int) -> int:
    """Return where the name ends that begins at a place: "Mr. Petrakis", "Bank of Oslo", "the Amory family"."""
    n, end = start, start
    while n < len(tokens):
        token = tokens[n]
        named_behind = n + 1 < len(tokens) and tokens[n + 1].sort == NAME
        if token.sort == NAME or (token.sort in (EXACT, WORD) and token.kind == "name:1"):
            end = n + 1
        elif token.kind == "number" and n == start and named_behind:
            pass  # "12 Harbour Street"
        elif n == start:
            break
        elif token.sort == QUANTITY and token.kind.startswith(("version", "number")):
            end = n + 1
        elif token.lower == ".":
            before = tokens[n - 1]
            if before.lower not in _TITLES and not (before.sort == NAME and len(before.lower) == 1):
                break
        elif not (named_behind and (token.lower in _INNER or token.lower == "'s")):
            break
        n += 1
    return end


def is_whole_name(tokens: Sequence[Token]) -> bool:
    """Whether tokens are one name, its article aside, or one exact value."""
    begin = 1 if tokens and tokens[0].flags & Flag.DET else 0
    if len(tokens) == 1 and tokens[0].sort in (QUANTITY, EXACT):
        return True
    return begin < len(tokens) and name_end(tokens, begin) == len(tokens)


def find_value(tokens: Sequence[Token]) -> tuple[int, int] | None:
    """Return the one span of a predicate that may be its value: a measure, else an exact token, else a name."""
    measures = [n for n, t in enumerate(tokens) if t.sort == QUANTITY]
    if measures:
        first = measures[0]
        direct = all(map(is_light, tokens[:first]))
        if tokens[first].kind == "number" and (end := name_end(tokens, first)) > first + 1:
            return first, end
        return (first, first + 1) if len(measures) == 1 or direct else None
    for n, token in enumerate(tokens):
        if token.sort == EXACT:
            direct = all(map(is_light, tokens[:n]))
            if not direct and sum(t.sort == EXACT for t in tokens) > 1:
                return None
            return n, max(name_end(tokens, n) if token.kind == "name:1" and direct else 0, n + 1)
    for n, token in enumerate(tokens):
        if token.sort == NAME or token.kind:
            end = name_end(tokens, n)
            alone = all(t.sort != NAME for t in tokens[end:])
            return (n, end) if alone or all(map(is_light, tokens[:n])) else None
    return None
