"""A text without what is no longer valid in it, still readable. Pure.

What goes stale is the statement: a sentence, a list item, a table row, a ``KEY: value`` line.
It is taken out with its line where the line holds nothing else; Markdown around it stays whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

__all__ = ["SUPERSEDED", "Stated", "annotate", "redact"]

SUPERSEDED = "[superseded]"
"""What stands in the place of a stale value whose sentence says something else, too."""

Edit = tuple[int, int, str]
"""(start, end, what to put there), in characters of the original."""

# what a line may begin with besides its content: quotation marks, a list marker, a task box
_LEAD = re.compile(r"[ \t]*(?:>[ \t]?)*(?:(?:[-*+•]|\d{1,9}[.)])(?:[ \t]+|$))?(?:\[[ xX]\](?:[ \t]+|$))?")
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_CLAUSE = re.compile(r"\s*;\s+|,\s+(?:and|but|while|whereas)\s+(?=(?:the|our|its|their|each|every)\s)", re.IGNORECASE)
_MARKERS = ("***", "**", "__", "~~", "*", "_", "`")


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
    cuts: list[tuple[int, int]] = []
    edits: list[Edit] = []
    listed = list(facts)
    for span, group in _statements(listed).items():
        if all(f.live for f in group):
            continue
        shared = any(f.live and f.span != span and f.span[0] < span[1] and span[0] < f.span[1] for f in listed)
        places = _places(text, span, group)
        clauses = None if shared else _clauses(text, span, group, places)
        if clauses is not None:
            edits.append((*span, clauses))
        elif shared or any(f.live for f in group):
            stale = [place for f, found in zip(group, places, strict=True) if not f.live for place in found]
            edits += [(*place, SUPERSEDED) for place in stale]
        else:
            cuts.append(span)
    return _without(text, cuts, edits)


def annotate(text: str, facts: Iterable[Stated]) -> str:
    """Return a text whose stale statements are followed by their notes, in brackets.

    Example:
        >>> annotate("The port is 80. Ask Ann.", [Stated((0, 15), "80", live=False, note="superseded by 81")])
        'The port is 80. [superseded by 81] Ask Ann.'
    """
    edits: list[Edit] = []
    for (_, end), group in _statements(list(facts)).items():
        notes = [f"[{f.note or 'superseded'}]" for f in group if not f.live]
        if notes:
            if text[end - 1 : end] == "|":  # inside the last cell of a table row
                end -= 1 + (len(text[: end - 1]) - len(text[: end - 1].rstrip(" ")))
            edits.append((end, end, " " + " ".join(notes)))
    return _edited(text, edits)


def _statements(facts: Sequence[Stated]) -> dict[tuple[int, int], list[Stated]]:
    groups: dict[tuple[int, int], list[Stated]] = {}
    for fact in facts:
        groups.setdefault(fact.span, []).append(fact)
    return groups


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
    return [m.span() for m in re.compile(before + re.escape(value) + after).finditer(text, *span)]


def _clauses(
    text: str, span: tuple[int, int], group: Sequence[Stated], places: Sequence[Sequence[tuple[int, int]]]
) -> str | None:
    """Return the statement without its stale clauses, if that leaves some and loses no live fact."""
    start, end = span
    if "|" in text[start:end]:
        return None
    bounds = [(m.start(), m.end()) for m in _CLAUSE.finditer(text, start, end)]
    if not bounds:
        return None
    parts = list(zip([start, *(b for _, b in bounds)], [*(a for a, _ in bounds), end], strict=True))
    stale: set[int] = set()
    living: set[int] = set()
    for fact, found in zip(group, places, strict=True):
        homes = {n for n, (a, b) in enumerate(parts) if any(a <= p and q <= b for p, q in found)}
        if not homes:
            return None
        (living if fact.live else stale).update(homes)
    if stale & living or len(stale) == len(parts):
        return None
    kept = [n for n in range(len(parts)) if n not in stale]
    said = text[parts[kept[0]][0] : parts[kept[0]][1]].strip()
    for before, n in pairwise(kept):
        link = text[slice(*bounds[n - 1])] if n == before + 1 else "; "
        said += link + text[slice(*parts[n])].strip()
    if text[start].isupper():
        said = said[0].upper() + said[1:]
    stop = text[end - 1]
    return said if said[-1] in ".!?" or stop not in ".!?" else said + stop


# -- taking out ---------------------------------------------------------------------------


def _edited(text: str, edits: Iterable[Edit]) -> str:
    parts: list[str] = []
    pos = 0
    for start, end, new in sorted(edits):
        if start < pos:
            continue
        parts += [text[pos:start], new]
        pos = end
    return "".join([*parts, text[pos:]])


def _without(text: str, cuts: Sequence[tuple[int, int]], edits: Sequence[Edit]) -> str:
    """Return the text without some stretches, and with edits outside of them."""
    if not cuts and not edits:
        return text
    merged: list[tuple[int, int]] = []
    for start, end in sorted(cuts):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    gaps = [_widened(text, *cut) for cut in merged]
    gaps += [e for e in edits if not any(a <= e[0] < b for a, b in merged)]
    lines = _lines(text)
    kept: list[str | None] = []
    for start, end in lines:
        inside = [(max(a, start), min(b, end), s if a >= start else "") for a, b, s in gaps if a < end and start < b]
        line = _clipped(text, start, end, inside)
        body = text[start:end]
        emptied = bool(inside) and not line[_lead(line) :].strip() and bool(body[_lead(body) :].strip())
        kept.append(None if emptied else line)
    _keep_parents(text, lines, kept)
    _drop_shells(text, lines, kept)
    return _joined(text, lines, kept)


def _clipped(text: str, start: int, end: int, edits: Sequence[Edit]) -> str:
    """Return one line with its edits; none but an untouched end keeps trailing white space."""
    parts: list[str] = []
    pos = start
    for left, right, new in sorted(edits):
        if left < pos:
            continue
        parts += [text[pos:left], new]
        pos = min(right, end)
    line = "".join([*parts, text[pos:end]])
    return line.rstrip(" \t") if parts and not text[pos:end].strip() else line


def _widened(text: str, start: int, end: int) -> Edit:
    """Take the white space and the emphasis around a stretch with it; keep a marker that has its partner outside."""
    for marker in _MARKERS:
        n = len(marker)
        if start >= n and text[start - n : start] == marker and text[end : end + n] == marker:
            start, end = start - n, end + n
            break
    left = ""
    body = text[start:end]
    for marker in ("**", "`"):
        if body.count(marker) % 2:
            left = marker if body.startswith(marker) or not body.endswith(marker) else ""
            if not left:  # it closes what was opened before: let it stand where the gap begins
                while start and text[start - 1] in " \t":
                    start -= 1
                return start, end, marker
    while end < len(text) and text[end] in " \t":
        end += 1
    return start, end, left


def _lines(text: str) -> list[tuple[int, int]]:
    """Return where the lines of a text stand, without their ends."""
    found = []
    pos = 0
    for line in text.split("\n"):
        found.append((pos, pos + len(line)))
        pos += len(line) + 1
    return found


def _lead(line: str) -> int:
    match = _LEAD.match(line)
    return match.end() if match else 0


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _keep_parents(text: str, lines: Sequence[tuple[int, int]], kept: list[str | None]) -> None:
    """Keep the marker of a list item whose nested lines stay."""
    for n, line in enumerate(kept):
        if line is not None:
            continue
        body = text[slice(*lines[n])]
        marked = body[: _lead(body)].strip(" \t>")
        if not marked:
            continue
        for below in range(n + 1, len(lines)):
            following = text[slice(*lines[below])]
            if not following.strip():
                continue
            if _indent(following) <= _indent(body):
                break
            if kept[below] is not None:
                kept[n] = body[: _lead(body)].rstrip(" \t") + " " + SUPERSEDED
                break


def _drop_shells(text: str, lines: Sequence[tuple[int, int]], kept: list[str | None]) -> None:
    """Drop code fences and table heads that lost all they held."""
    opened: int | None = None
    for n, span in enumerate(lines):
        if _FENCE.match(text[slice(*span)]):
            if opened is None:
                opened = n
                continue
            inner = range(opened + 1, n)
            if any(kept[i] is None for i in inner) and not any((kept[i] or "").strip() for i in inner):
                for i in (opened, *inner, n):
                    kept[i] = None
            opened = None
    for n in range(1, len(lines)):
        rule = text[slice(*lines[n])]
        if "|" not in rule or not _TABLE_RULE.match(rule) or "|" not in text[slice(*lines[n - 1])]:
            continue
        rows = []
        for below in range(n + 1, len(lines)):
            if "|" not in text[slice(*lines[below])]:
                break
            rows.append(below)
        if rows and all(kept[i] is None for i in rows):
            kept[n - 1] = kept[n] = None


def _joined(text: str, lines: Sequence[tuple[int, int]], kept: Sequence[str | None]) -> str:
    """Join the lines that are left; where some went, two blank lines never meet."""
    result: list[str] = []
    gone = False
    for n, line in enumerate(kept):
        if line is None:
            gone = True
            continue
        blank = not line.strip()
        if gone and blank and (not result or not result[-1].strip()) and n < len(kept) - 1:
            continue
        gone = gone and blank
        result.append(line)
    joined = "\n".join(result)
    if gone or (kept and kept[-1] is None):
        joined = joined.rstrip("\n") + ("\n" if text.endswith("\n") and joined.strip() else "")
    return joined
