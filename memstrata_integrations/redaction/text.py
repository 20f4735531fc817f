"""A text without what is no longer valid in it, still readable. Pure.

What goes stale is the statement: a sentence, a list item, a table row, a ``KEY: value`` line.
It is taken out with its line where the line holds nothing else; Markdown around it stays whole.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memstrata_integrations.redaction.blocks import SUPERSEDED, settled
from memstrata_integrations.redaction.draft import Draft

__all__ = ["SUPERSEDED", "Stated", "redact"]

_CLAUSE = re.compile(r"\s*;\s+|,\s+(?:and|but|while|whereas)\s+(?=(?:the|our|its|their|each|every)\s)", re.IGNORECASE)
# the rest of a sentence of which the beginning went: with a subject of its own, or without
_NEXT_CLAUSE = re.compile(r"(?:\s*;\s+|,?\s+(?:and|but|while|whereas)\s+(?=(?:the|our|each|every|[A-Z]\w*)\s))")
_RUNS_ON = re.compile(
    r",?[ \t]+(?:[a-z(]|[–—] )"
    r"|,?\s+(?:and|as|at|but|by|for|from|if|in|of|on|or|per|that|to|unless|until|when|which|while|who|with)\s"
)
_SETTING = re.compile(r"[^\s=:]+\s*[=:]|\S*\|")
_ENTRY = re.compile(r"[\"'`]?[\w./-]+(?:\[[^\]]*\])?\s*(?:[~!<>=^]=?=?|@)\s*\S")
_DEFINITION = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+\w+\(", re.MULTILINE)
# a sentence of the same paragraph that tells of what the one before it names
_LEANS = re.compile(
    r"[\"'”’)\]*_~`]*(?:[ \t]+|[ \t]*\r?\n[ \t>]*)"
    r"(?=((?:It|Its|They|Their|He|She|His|Her|This|That|These|Those)\b))"
)
_STOP = re.compile(r"[.!?]*[\"'”’)\]*_~`]*\Z")


@dataclass(frozen=True, slots=True)
class Stated:
    """A fact that a text states.

    Attributes:
        span: Where its statement stands, ``[start, end)`` in characters.
        object: Its value as written, a verbatim span of the statement.
        live: Whether it holds at the time that is asked about.
        note: What `annotate` says beside it.
    """

    span: tuple[int, int]
    object: str
    live: bool
    note: str = ""


def redact(text: str, facts: Iterable[Stated]) -> str:
    r"""Return a text without its stale statements.

    Where a statement holds a live fact too, the stale clause goes if it can be split off, else
    the stale value is replaced by `SUPERSEDED`. So is a stale sentence before a live one that begins with "It" or
    "She", which would else be read of whatever stands in front.

    Args:
        text: The original.
        facts: All facts of it, in order; their spans refer to the original.

    Example:
        >>> redact("Open daily. The port is 80. Ask Ann.", [Stated((12, 27), "80", live=False)])
        'Open daily. Ask Ann.'
        >>> redact("- a: 1\n- b: 2\n", [Stated((2, 6), "1", live=False)])
        '- b: 2\n'
        >>> redact("Bo is in. Max is out. He is ill.", [Stated((10, 21), "out", live=False)])
        'Bo is in. [superseded] He is ill.'
    """
    groups: dict[tuple[int, int], list[Stated]] = {}
    for fact in facts:
        groups.setdefault(fact.span, []).append(fact)
    live = [span for span, group in groups.items() if any(f.live for f in group)]
    draft = Draft(text)
    stale: list[tuple[int, int]] = []
    for span, group in groups.items():
        if not all(f.live for f in group):
            meets = [other for other in groups if other != span and other[0] < span[1] and span[0] < other[1]]
            stale += _take_out(draft, span, group, meets=bool(meets), held=not {span, *meets}.isdisjoint(live))
    reach = 0
    for start, end in sorted(stale):
        draft.put(max(start, reach), end, SUPERSEDED if start >= reach else "")
        reach = max(reach, end)
    for start, end in groups:
        leaning = _LEANS.match(text, end)
        if leaning and not draft.left_of(start, end) and draft.left_of(*leaning.span(1)):
            draft.out[start] = SUPERSEDED
    return settled(draft, live)


def _take_out(
    draft: Draft, span: tuple[int, int], group: Sequence[Stated], *, meets: bool, held: bool
) -> list[tuple[int, int]]:
    """Cut a statement, or its stale clauses, out of a text; else return which of its values to blank.

    Args:
        draft: The text.
        span: Where the statement stands.
        group: Its facts, not all of them live.
        meets: Whether it overlaps another statement.
        held: Whether it, or one that it overlaps, states a live fact.
    """
    text, (start, end) = draft.text, span
    places = _places(text, span, group)
    values = [place for fact, found in zip(group, places, strict=True) if not fact.live for place in found]
    if clauses := [] if meets else _stale_clauses(text, span, group, places):
        for clause in clauses:
            draft.cut(*clause)
        draft.capitalize(start, end)
        return []
    closed = text[end - 1 : end] in ".!?" or _SETTING.match(text, start, end)
    following = None if closed else _NEXT_CLAUSE.match(text, end)
    runs_on = not (closed or following) and _RUNS_ON.match(text, end)
    if held or (values and (runs_on or _in_definition(text, start))):
        return values
    draft.cut(start, following.end() if following else end)
    if following:
        draft.capitalize(start, len(text))
    return []


def _in_definition(text: str, start: int) -> bool:
    """Whether a statement is a part of a Python signature, which would be another one without it."""
    heads = list(_DEFINITION.finditer(text, 0, start))
    before = text[heads[-1].end() - 1 : start] if heads else ""
    return before.count("(") > before.count(")") or before.endswith(") ")


def _places(text: str, span: tuple[int, int], group: Sequence[Stated]) -> list[list[tuple[int, int]]]:
    """Return where each fact's value stands; a value that occurs more often than it is stated belongs to all."""
    found = [_occurrences(text, span, fact.object) for fact in group]
    own: list[list[tuple[int, int]]] = []
    for places in found:
        own.append([place for place in places if [place] not in own][:1] or places[:1])
    stated = [place for places in own for place in places]
    return [
        mine + [(a, b) for a, b in places if not any(a < end and start < b for start, end in stated)]
        for mine, places in zip(own, found, strict=True)
    ]


def _occurrences(text: str, span: tuple[int, int], value: str) -> list[tuple[int, int]]:
    if not value:
        return []
    before = r"(?<!\w)" if value[0].isalnum() else ""
    after = r"(?!\w)" if value[-1].isalnum() else ""
    found = [m.span() for m in re.compile(before + re.escape(value) + after).finditer(text, *span)]
    return found or [m.span() for m in re.compile(re.escape(value)).finditer(text, *span)]  # "80" of "80ms"


def _stale_clauses(
    text: str, span: tuple[int, int], group: Sequence[Stated], places: Sequence[Sequence[tuple[int, int]]]
) -> list[tuple[int, int]]:
    """Return the stale clauses of a statement with what links them, if that leaves some and loses no live fact."""
    start, end = span
    if "|" in text[start:end]:
        return []
    bounds = [m.span() for m in _CLAUSE.finditer(text, start, end)]
    parts = list(zip([start, *(b for _, b in bounds)], [*(a for a, _ in bounds), end], strict=True))
    stale: set[int] = set()
    living: set[int] = set()
    for fact, found in zip(group, places, strict=True):
        homes = {n for n, (a, b) in enumerate(parts) if any(a <= p and q <= b for p, q in found)}
        if not homes:
            return []
        (living if fact.live else stale).update(homes)
    if stale & living or len(stale) == len(parts):
        return []
    if len(stale | living) < len(parts) and _ENTRY.match(text, start, end):
        return []  # behind a setting stands what belongs to it: a marker, a comment
    last = max(n for n in range(len(parts)) if n not in stale)
    cuts = [(parts[n][0], parts[n + 1][0]) for n in stale if n < last]
    if last + 1 < len(parts):
        stop = _STOP.search(text[:end], parts[-1][0])
        cuts.append((parts[last][1], stop.start() if stop else end))
    return cuts
