"""Notes beside statements, where they break nothing: in a cell, as a comment of code, else after the block. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from memstrata_integrations.redaction.lines import Line, blocks_of, line_at, lines_of
from memstrata_integrations.redaction.pairs import pairs_of

__all__ = ["Note", "noted"]

_HASH = (
    "bash console dotenv elixir env hcl julia make makefile nginx perl py python r"
    " rb requirements ruby sh shell terraform toml tf yaml yml zsh"
)
_SLASHES = (
    "c c++ cpp cs csharp dart go golang groovy java javascript js json5 jsonc jsx kotlin kt php proto rs rust scala"
    " swift ts tsx typescript"
)
_COMMENTS = {
    **dict.fromkeys(_HASH.split(), "#"),
    **dict.fromkeys(_SLASHES.split(), "//"),
    **dict.fromkeys(("haskell", "lua", "sql"), "--"),
    **dict.fromkeys(("clojure", "lisp"), ";"),
    **dict.fromkeys(("erlang", "latex", "tex"), "%"),
}
"""What begins a comment, by the name that a fenced block gives its language."""

_MEMBER = re.compile(r"\s*\"(?:[^\"\\]|\\.)*\"\s*:")
_SHORT = 80  # characters


class Note(NamedTuple):
    """What to say of a statement.

    Attributes:
        span: Where the statement stands.
        value: Its value as written.
        said: The note.
    """

    span: tuple[int, int]
    value: str
    said: str


def noted(text: str, notes: Iterable[Note]) -> str:
    """Return a text with notes in brackets behind the statements that they are about."""
    lines = lines_of(text)
    put: dict[int, list[str]] = {}
    for note in notes:
        place, said = _placed(text, lines, note, put)
        put.setdefault(place, []).append(said)
    put = _outside_of_code(text, lines, put)
    parts: list[str] = []
    pos = 0
    for place, marks in sorted(put.items()):
        parts += [text[pos:place], *marks]
        pos = place
    return "".join([*parts, text[pos:]])


def _placed(text: str, lines: Sequence[Line], note: Note, put: Mapping[int, object]) -> tuple[int, str]:
    """Return where a note stands, and how it looks there."""
    start, end = note.span[0], min(note.span[1], len(text))
    n = line_at(lines, max(end - 1, start))
    line = lines[n]
    said = " ".join(note.said.split())
    comment = _COMMENTS.get(line.fence or "")
    if comment and not line.text.endswith("\\"):
        follows = line.end in put or f" {comment} " in line.text
        return line.end, f" [{said}]" if follows else f"  {comment} [{said}]"
    member = _MEMBER.match(text, start, end)
    if line.fence is not None or member:
        while n + 1 < len(lines) and (lines[n].fence is not None or (lines[n].closes < 0 and not lines[n + 1].blank)):
            n += 1
        statement = " ".join(text[start:end].split())
        about = statement if len(statement) <= _SHORT else note.value
        return lines[n].end, f"\n{lines[n].text[: lines[n].quote + lines[n].indent]}[{about}: {said}]"
    if line.body.startswith("|"):
        said = said.replace("|", "\\|")
    if text[start:end].endswith("|"):  # into the last cell of the row
        return start + len(text[start : end - 1].rstrip(" ")), f" [{said}]"
    return end, f" [{said}]"


def _outside_of_code(text: str, lines: Sequence[Line], put: Mapping[int, list[str]]) -> dict[int, list[str]]:
    """Move what would stand within inline code or the target of a link behind it."""
    moved: dict[int, list[str]] = {}
    waiting = sorted(put, reverse=True)
    for first, last in blocks_of(lines):
        here = []
        while waiting and waiting[-1] <= lines[last].end:
            here.append(waiting.pop())
        if not here:
            continue
        pairs = pairs_of(text, lines[first].start, lines[last].end) if lines[first].fence is None else []
        spots = [p for p in pairs if p.code or p.end > p.outside + 1]
        for place in here:
            said = put[place]
            for pair in spots:
                if pair.outside < place < pair.end or (pair.code and pair.start < place <= pair.outside):
                    place = pair.end
            moved.setdefault(place, []).extend(said)
    return moved
