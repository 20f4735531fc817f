"""What stands in pairs in Markdown: brackets, quotation marks, emphasis, code, links, tags. Pure."""

import re
from typing import NamedTuple


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


_CODE = re.compile(r"(?<!`)(`+)(?!`)(?P<said>.+?)(?<!`)\1(?!`)", re.DOTALL)
_BRACKETS = (
    r"\((?!\s)(?P<said>(?:[^()]|\([^()]*\))*)\)",
    r"!?\[(?!\s)(?P<said>[^\[\]]*)\](?:\([^()\s]*(?:\s+\"[^\"]*\")?\)|\[[^\[\]]*\])?",
    r"“(?P<said>[^“”]*)”",
    r"«(?P<said>[^«»]*)»",
    r"(?<!\w)‘(?P<said>[^‘]+?)’(?!\w)",
    r"(?<![\w\"])\"(?![\s\"])(?P<said>[^\"]+)(?<!\s)\"(?!\w)",
    r"(?<![\w'])'(?![\s'])(?P<said>[^\n]{1,200}?)'(?!\w)",
    r"<(\w[\w-]*)(?:\s[^<>]*)?>(?P<said>(?:(?!<\1\b).)*?)</\1>",
)
_RUNS = (
    rf"(?<![\\{run[0]}]){re.escape(run)}(?![\s{run[0]}])(?P<said>(?:(?!{re.escape(run)}).)+?)"
    rf"(?<!\s){re.escape(run)}(?!{re.escape(run[0])}{'|' + chr(92) + 'w' if run[0] == '_' else ''})"
    for run in ("***", "**", "*", "___", "__", "_", "~~")
)
_PAIRS = [re.compile(pattern, re.DOTALL) for pattern in (*_BRACKETS, *_RUNS)]


def pairs_of(text: str, start: int, end: int) -> list[Pair]:
    """Return the pairs of the block that stands between two places, the innermost first."""
    found = [Pair(m.start(), *m.span("said"), m.end(), code=True) for m in _CODE.finditer(text, start, end)]
    parts, at = [], 0
    for code in found:
        parts += [text[at : code.inside], "x" * (code.outside - code.inside)]
        at = code.outside
    masked = "".join([*parts, text[at:end]])
    for pattern in _PAIRS:
        found += (Pair(m.start(), *m.span("said"), m.end()) for m in pattern.finditer(masked, start))
    return sorted(found, key=lambda pair: pair.end - pair.start)
