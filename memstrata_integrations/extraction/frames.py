"""Frames of whole statements: all words of a statement with a hole where its value stands.

They read what no clause of a statement gives: a threshold in a condition, a rule, an item of a list; and, in stores
where every relation has one value, what curated facts say.
"""

from __future__ import annotations

from collections.abc import Sequence

from memstrata_integrations.extraction.phrases import (
    Phrase,
    Value,
    canonical_words,
    is_light,
    is_name,
    read_phrase,
    value_of,
)  # fmt: skip
from memstrata_integrations.extraction.tokens import EXACT, MARK, NAME, QUANTITY, WORD, Token
from memstrata_integrations.extraction.values import NAMED
from memstrata_integrations.extraction.verbs import Link, find_link
from memstrata_integrations.extraction.vetoes import veto
from memstrata_integrations.extraction.words import Flag

__all__ = ["curated", "measured"]

_MEASURES = frozenset(
    """duration months size bitrate percent frequency length mass imperial money rate count celsius fahrenheit volume
speed pressure power energy""".split()
)
_BARRED = (
    Flag.ASK | Flag.HEDGE | Flag.LATER | Flag.EARLIER | Flag.SEVERAL | Flag.NOT | Flag.MIND | Flag.MODAL | Flag.WILL
    | Flag.WAS | Flag.PRONOUN | Flag.MANY
)  # fmt: skip
_FUNCTION = Flag.PREP | Flag.DET | Flag.AND | Flag.AUX | Flag.SKIP | Flag.SUB
_CONDITIONS = frozenset(("if", "when", "whenever", "unless", "once", "while"))
_BOUNDS = frozenset("exceed exceeds below above under over than beyond passes reaches within".split())
_LEAST = 3  # content words beside the value, by which a statement is told from others
_STANDING = Link(0, 0, ("be",))


def measured(text: str, tokens: Sequence[Token], *, several: bool) -> tuple[str, Value, bool] | None:
    """Return the frame of a statement with one measure in it, the measure, and whether a name stands in it.

    A bare number or version is none: "Exit 17 leads to the harbour". `several`: something of which there may be
    several was found, so that only what is said without "we", "has" and the like counts.
    """
    found = [n for n, t in enumerate(tokens) if t.sort == QUANTITY]
    if len(found) != 1 or tokens[found[0]].kind.split(":")[0].split()[0] not in _MEASURES:
        return None
    at = found[0]
    supposed = any(t.flags & Flag.SUB and t.lower in _CONDITIONS for t in tokens[:at])
    if "-" in tokens[at].lower or (supposed and not any(t.lower in _BOUNDS for t in tokens[max(at - 3, 0) : at])):
        return None  # "a 2-year warranty", "if the timeout is 30 seconds"; but "when the lag exceeds 90 seconds"
    words = [*tokens[:at], *tokens[at + 1 :]]
    barred = _BARRED | (Flag.SPEAKER | Flag.HAVE if several else 0)
    if any(t.sort == WORD and t.flags & barred for t in words) or _happened(words) or veto((), tokens, _STANDING):
        return None
    if sum(t.sort != MARK and not t.flags & _FUNCTION for t in words) < _LEAST:
        return None
    frame = " ".join([*canonical_words(tokens[:at]), "_", *canonical_words(tokens[at + 1 :])])
    named = any(t.sort == EXACT or is_name(tokens, n, text) for n, t in enumerate(tokens))
    return frame, value_of(text, [tokens[at]]), named


def _happened(words: Sequence[Token]) -> bool:
    """Whether a verb tells what happened: "rebooted"; not "is limited", "the limited"."""
    governed = Flag.BE | Flag.PREP | Flag.DET
    return any(
        ((t.flags & Flag.PAST and not t.flags & (Flag.BASE | Flag.S_FORM)) or (not t.flags and t.lower.endswith("ed")))
        and not (n and words[n - 1].flags & governed)
        for n, t in enumerate(words)
    )


def curated(text: str, tokens: Sequence[Token]) -> tuple[Phrase, str, Value] | None:
    """Return subject, frame and value of a statement that gives one value, as curated facts do.

    The value is all that follows the verb from the first name on, or else what stands behind the last preposition:
    "plays the position of center", "is a citizen of the United States of America".
    """
    link = find_link(tokens)
    if link is None or link.negated or link.modal or not link.start:
        return None
    predicate = tokens[link.end :]
    starts = [n for n, t in enumerate(predicate) if t.sort in (NAME, EXACT, QUANTITY) or t.kind]
    if starts:
        start = starts[0]
    else:
        start = max((n + 1 for n, t in enumerate(predicate) if t.flags & Flag.PREP), default=0)
        while start < len(predicate) and is_light(predicate[start]):
            start += 1
    if start >= len(predicate) or veto((), tokens, link, past=True):
        return None
    value = value_of(text, predicate[start:])
    if value.kind in (*NAMED, "country", "path") or start + 1 < len(predicate):
        value = value._replace(kind="name", canonical=" ".join(text[slice(*value.span)].casefold().split()))
    frame = " ".join([*link.words, *canonical_words(predicate[:start]), "_"])
    return read_phrase(tokens[: link.start], text), frame, value
