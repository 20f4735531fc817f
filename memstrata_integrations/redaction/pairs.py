"""What stands in pairs in Markdown: brackets, quotation marks, emphasis, code, links, tags. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from memstrata_integrations.redaction.lines import Line

__all__ = ["Pair", "pairs_of"]


class Pair(NamedTuple):
    """Two tokens that belong together, and where they stand in the text.

    Attributes:
        start: Where the first token starts.
        inside: Where it ends.
        outside: Where the second token starts.
        end: Where it ends.
        code: Whether what stands between is inline code.
    """

    start: int
    inside: int
    outside: int
    end: int
    code: bool = False


_TOKEN = re.compile(
    r"(?P<escaped>\\.)"
    r"|(?P<ticks>(?<!`)`+(?!`))"
    r"|(?P<address><[a-z]+:[^<>\s]*>)"
    r"|<(?P<slash>/?)(?P<tag>[A-Za-z][\w-]*)(?:\s[^<>]*)?>"
    r"|(?P<run>\*+|_+|~~|==)"
    r"|(?P<open>!?\[|[(“«‘])"
    r"|(?P<close>\](?:\([^()\s]*(?:\s+\"[^\"]*\")?\)|\[[^\[\]]*\])?|[)”»’])"
    r"|(?P<quote>[\"'])"
)
_CLOSES = {"]": "[", ")": "(", "”": "“", "»": "«", "’": "‘"}


def pairs_of(text: str, lines: Sequence[Line], first: int, last: int) -> list[Pair]:
    """Return the pairs of the block of lines `first` to `last`, the innermost first."""
    scan = _Scan(text, lines[first].start + lines[first].lead, lines[last].end)
    return sorted(scan.pairs, key=lambda p: p.end - p.start)


class _Scan:
    """One pass over a block, with what stands open."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.pairs: list[Pair] = []
        self.open: list[tuple[str, int, int]] = []
        pos = start
        while token := _TOKEN.search(text, pos, end):
            left, pos = token.span()
            before = text[left - 1] if left > start else " "
            after = text[pos] if pos < end else " "
            if token["ticks"]:
                closing = re.compile(rf"(?<!`){token['ticks']}(?!`)").search(text, pos, end)
                if closing is not None:
                    self.pairs.append(Pair(left, pos, *closing.span(), code=True))
                    pos = closing.end()
            elif token["tag"]:
                name = f"<{token['tag'].lower()}>"
                if not token["slash"]:
                    self.open.append((name, left, pos))
                else:
                    self.close(name, left, pos)
            elif token["open"]:
                self.open.append((token[0][-1], left, pos))
            elif token["close"]:
                if token[0] != "’" or not (before.isalnum() and after.isalnum()):
                    self.close(_CLOSES[token[0][0]], left, pos)
            elif token["run"] or token["quote"]:
                self.flank(token[0], left, before, after)

    def close(self, kind: str, left: int, right: int) -> bool:
        """Pair a token with the last open one of its kind; what was opened in between stays alone."""
        for n in range(len(self.open) - 1, -1, -1):
            if self.open[n][0] == kind:
                lined = kind == "==" and "\n" in self.text[self.open[n][2] : left]  # two pins, no highlighting
                if not lined and not self.text.startswith(("\n", "\r"), self.open[n][2]):  # else a list of code
                    self.pairs.append(Pair(*self.open[n][1:], left, right))
                del self.open[n:]
                return True
        return False

    def flank(self, token: str, left: int, before: str, after: str) -> None:
        """Close or open emphasis or a quotation, by what stands on either side."""
        within_words = token[0] not in "_='\""
        sizes = [len(token)] if token[0] not in "*_" else [2] * (len(token) // 2) + [1] * (len(token) % 2)
        if not before.isspace() and (within_words or not after.isalnum()):
            while sizes and self.close(token[0] * sizes[-1], left, left + sizes[-1]):
                left += sizes.pop()
        if not after.isspace() and (within_words or not before.isalnum()):
            for size in sizes:
                self.open.append((token[0] * size, left, left + size))
                left += size
