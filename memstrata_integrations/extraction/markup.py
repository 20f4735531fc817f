"""A text without what only marks it up: bold and italic words, links, notes of the foot, callouts.

"The owner is **Ann**[^1]." says what "The owner is Ann." says, so it is read as that; the spans of its facts are those
of the text as written. A quoted block stays one unless it is marked as a note, and a bold word that opens a line before
a colon stays, as it names what the line tells.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import accumulate

from memstrata_integrations.facts import Extraction, Fact
from memstrata_integrations.words import holds_any

__all__ = ["read_marked_up"]

_BRACKETS = ("](", "[^", "> [!", " [")
_NUMBER_IN_CODE = re.compile(r" `\d")  # of code nothing else is only marked up
_NOTES = r"(?:[Nn]ote|NOTE|[Ii]mportant|IMPORTANT|[Ww]arning|WARNING|[Tt]ip|TIP|[Cc]aution|CAUTION|[Hh]int|[Rr]eminder)"
_MARKED = re.compile(
    r"(?<=[a-z,] )(?P<number>`\d[\d.,]*(?: ?[A-Za-z%]{1,12})?`)(?=[\s.,;)]|\Z)"
    r"|(?P<code>(?P<fence>```|~~~)[\s\S]*?(?:(?P=fence)|\Z)|`[^`\n]*`)"
    rf"|(?P<callout>^> \[!{_NOTES}\][ \t]*\n(?:>[ \t]?.*(?:\n|\Z))+)"
    rf"|(?P<quote>^> )(?=\*\*{_NOTES}(?::\*\*|\*\*:) )"
    rf"|(?P<label>\*\*{_NOTES}(?::\*\*|\*\*:))(?= )"
    r"|(?P<bold>\*\*(?=[\w\"'(£$€#@/~`!+-])(?P<loud>[^*\n]{1,80})(?<![\s/])\*\*)(?=[\s.,;:)!?'’–—]|\[\^|\Z)"
    r"|(?<![\w*\\])(?P<italic>\*(?=[\w\"'(£$€])(?P<soft>[^*\n]{1,80})(?<![\s/])\*)(?=[.,;:)!?]*(?:\s|\[\^|\Z))"
    r"|(?<!!)(?P<link>\[(?P<shown>(?!\^)[^\[\]\n]{1,80})\]\([^()\s]{1,200}\))"
    r"|(?<=\S)(?P<foot>\[\^[\w-]{1,20}\])(?!:)|(?<=[\w)%€*`])(?P<cited> \[\d{1,2}\])(?=[.,;]?(?:\s|\Z))",
    re.MULTILINE,
)
_QUOTE_MARK = re.compile(r"^>[ \t]?", re.MULTILINE)
_STARS = re.compile(r"\*\*")
_NAMING = re.compile(r"[ \t]*(?::|[–—-] |\n|\Z)")  # behind a bold word that names what its line tells
_LINE_START = re.compile(r"(?:[-*+>•]|\d{1,3}[.)]|\s)*\Z")
_POINTING = frozenset(("here", "link", "this", "this link", "this page", "click here"))


def read_marked_up(text: str, read: Callable[[str], Extraction], *, inner: bool = True) -> Extraction:
    """Read a text without its markup, or as it stands if a value lies across some of it.

    Args:
        text: The text.
        read: How a text is read.
        inner: Whether to look once more for what a callout held, as bold words.
    """
    marked = "*" in text or ("[" in text and holds_any(text, _BRACKETS))
    if not marked and (" `" not in text or _NUMBER_IN_CODE.search(text) is None):
        return read(text)
    cuts = list(_cuts(text))
    if not cuts:
        return read(text)
    kept, at = [], 0
    for start, end in cuts:
        kept.append((at, start))
        at = end
    kept.append((at, len(text)))
    shorter = "".join(text[start:end] for start, end in kept)
    found = read_marked_up(shorter, read, inner=False) if inner and "> [!" in text else read(shorter)
    starts = [0, *accumulate(end - start for start, end in kept)]

    def place(at: int) -> int:
        piece = min(bisect_right(starts, at) - 1, len(kept) - 1)
        return kept[piece][0] + at - starts[piece]

    def placed(fact: Fact) -> Fact:
        start, end = fact.span
        return replace(fact, span=(place(start - 1) + 1 if start else 0, place(end)))

    facts = tuple(map(placed, found.facts))
    if all(f.object is None or f.object in text[slice(*f.span)] for f in facts):
        return replace(found, facts=facts)
    return read(text)


def _cuts(text: str) -> Iterator[tuple[int, int]]:
    """Yield what only marks up a text."""
    for match in _MARKED.finditer(text):
        start, end = match.span()
        if match.lastgroup in ("quote", "foot", "cited"):
            yield start, end
        elif match["number"]:
            yield start, start + 1
            yield end - 1, end
        elif match["callout"]:
            body = text.index("\n", start) + 1
            yield start, body
            yield from (mark.span() for mark in _QUOTE_MARK.finditer(text, body, end))
        elif match["label"]:
            yield from (stars.span() for stars in _STARS.finditer(text, start, end))
        elif match["bold"] or match["italic"]:
            inner = match.span("loud" if match["bold"] else "soft")
            opens = _LINE_START.fullmatch(text, text.rfind("\n", 0, start) + 1, start) is not None
            if not (opens and (_NAMING.match(text, end) or text[inner[1] - 1] == ":")):
                yield start, inner[0]
                yield inner[1], end
        elif match["link"] and match["shown"].lower() not in _POINTING:
            yield start, start + 1
            yield match.end("shown"), end
