"""A text without what is no longer valid in it, still readable. Pure.

What goes stale is the statement: a sentence, a list item, a table row, a ``KEY: value`` line.
It is taken out with its line where the line holds nothing else; Markdown around it stays whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memstrata_integrations.redaction.blocks import SUPERSEDED, settled
from memstrata_integrations.redaction.draft import Draft
from memstrata_integrations.redaction.filters import implied, matches
from memstrata_integrations.redaction.notes import Note, noted

__all__ = ["SUPERSEDED", "Stated", "annotate", "implied", "matches", "redact"]

_CLAUSE = re.compile(r"\s*;\s+|,\s+(?:and|but|while|whereas)\s+(?=(?:the|our|its|their|each|every)\s)", re.IGNORECASE)
# the rest of a sentence of which the beginning went: with a subject of its own, or without
_NEXT_CLAUSE = re.compile(
    r"(?:\s*;\s+|,?\s+(?:and|but|while|whereas)\s+(?=(?:the|our|its|their|each|every|it|they|[A-Z]\w*)\s))"
)
_RUNS_ON = re.compile(
    r",?[ \t]+(?:[a-z(]|[–—] )"
    r"|,?\s+(?:and|as|at|but|by|for|from|if|in|of|on|or|per|that|to|unless|until|when|which|while|who|with)\s"
)
_SETTING = re.compile(r"[^\s=:]+\s*[=:]|\S*\|")
_ENTRY = re.compile(r"[\"'`]?[\w./-]+(?:\[[^\]]*\])?\s*(?:[~!<>=^]=?=?|@)\s*\S")
_DEFINITION = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+\w+\(", re.MULTILINE)
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


Groups = dict[tuple[int, int], list[Stated]]
"""Facts by the statement that states them."""


def redact(text: str, facts: Iterable[Stated]) -> str:
    r"""Return a text without its stale statements.

    Where a statement holds a live fact too, the stale clause goes if it can be split off, else
    the stale value is replaced by `SUPERSEDED`.

    Args:
        text: The original.
        facts: All facts of it, in order; their spans refer to the original.

    Example:
        >>> redact("Open daily. The port is 80. Ask Ann.", [Stated((12, 27), "80", live=False)])
        'Open daily. Ask Ann.'
        >>> redact("- a: 1\n- b: 2\n", [Stated((2, 6), "1", live=False)])
        '- b: 2\n'
    """
    listed = list(facts)
    if all(f.live for f in listed):
        return text
    draft = Draft(text)
    stale: list[tuple[int, int]] = []
    for cluster in _clusters(_statements(listed)):
        for span, group in cluster.items():
            if all(f.live for f in group):
                continue
            meets = [f for other in cluster if other != span and _overlap(other, span) for f in cluster[other]]
            places = _places(text, span, group)
            values = [place for f, found in zip(group, places, strict=True) if not f.live for place in found]
            held = any(f.live for f in (*group, *meets))
            if clauses := [] if meets else _stale_clauses(text, span, group, places):
                for clause in clauses:
                    draft.cut(*clause)
                _capitalize(draft, span[0], span[1])
            elif held or (values and (_runs_on(text, span) or _in_definition(text, span))):
                stale += values
            else:
                following = None if _is_line(text, span) else _NEXT_CLAUSE.match(text, span[1])
                draft.cut(span[0], following.end() if following else span[1])
                if following:
                    _capitalize(draft, span[0], len(text))
    for place in _united(stale):
        draft.put(*place, SUPERSEDED)
    return settled(draft, [f.span for f in listed if f.live])


def annotate(text: str, facts: Iterable[Stated]) -> str:
    """Return a text whose stale statements are followed by their notes, in brackets.

    Example:
        >>> annotate("The port is 80. Ask Ann.", [Stated((0, 15), "80", live=False, note="superseded by 81")])
        'The port is 80. [superseded by 81] Ask Ann.'
    """
    marks = [
        Note(span, f.object, f.note or "superseded")
        for span, group in _statements(list(facts)).items()
        for f in group
        if not f.live
    ]
    return noted(text, marks)


def _is_line(text: str, span: tuple[int, int]) -> bool:
    """Whether a statement is a setting or a row, or a complete sentence, so that nothing of it follows."""
    return text[span[1] - 1 : span[1]] in ".!?" or _SETTING.match(text, *span) is not None


def _runs_on(text: str, span: tuple[int, int]) -> bool:
    """Whether the sentence of a statement goes on behind it without a subject of its own."""
    return not (_is_line(text, span) or _NEXT_CLAUSE.match(text, span[1])) and bool(_RUNS_ON.match(text, span[1]))


def _in_definition(text: str, span: tuple[int, int]) -> bool:
    """Whether a statement is a part of a Python signature, which would be another one without it."""
    heads = list(_DEFINITION.finditer(text, 0, span[0]))
    if not heads:
        return False
    before = text[heads[-1].end() - 1 : span[0]]
    return before.count("(") > before.count(")") or before.endswith(") ")


def _capitalize(draft: Draft, start: int, end: int) -> None:
    """Begin what is left of a sentence as the whole of it began."""
    if next((c for c in draft.text[start:end] if c.isalpha()), "").isupper():
        draft.capitalize(start, end)


def _statements(facts: Sequence[Stated]) -> Groups:
    groups: Groups = {}
    for fact in facts:
        groups.setdefault(fact.span, []).append(fact)
    return groups


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _clusters(groups: Groups) -> list[Groups]:
    """Return the statements apart, those that overlap together."""
    found: list[Groups] = []
    reach = 0
    for span in sorted(groups):
        if not found or span[0] >= reach:
            found.append({})
        found[-1][span] = groups[span]
        reach = max(reach, span[1])
    return found


def _places(text: str, span: tuple[int, int], group: Sequence[Stated]) -> list[list[tuple[int, int]]]:
    """Return where each fact's value stands; a value that occurs more often than it is stated belongs to all."""
    taken: list[list[tuple[int, int]]] = []
    used: set[int] = set()
    for fact in group:
        found = _occurrences(text, span, fact.object)
        own = next((place for place in found if place[0] not in used), found[0] if found else None)
        if own is not None:
            used.add(own[0])
        taken.append([] if own is None else [own])
    stated = {place for places in taken for place in places}
    for fact, places in zip(group, taken, strict=True):
        for place in _occurrences(text, span, fact.object):
            if not any(place[0] < end and start < place[1] for start, end in stated):
                places.append(place)
    return taken


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


def _united(places: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return stretches of which those that overlap are one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found
