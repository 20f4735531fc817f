"""Notes beside statements, where they break nothing: in a cell, as a comment of code, else after the block. Pure."""

import re
from collections.abc import Container, Iterable, Sequence

from memstrata_integrations.redaction.lines import Line, blocks_of, line_at, lines_of
from memstrata_integrations.redaction.pairs import pairs_of
from memstrata_integrations.redaction.text import Stated

_LANGUAGES = {
    "#": "bash console dotenv env hcl make makefile nginx perl py python r rb ruby sh shell toml tf yaml yml zsh",
    "//": "c c++ cpp cs csharp go java javascript js json5 jsonc jsx kotlin php rs rust scala swift ts tsx typescript",
    "--": "haskell lua sql",
}
_COMMENTS = {name: mark for mark, names in _LANGUAGES.items() for name in names.split()}
"""What begins a comment, by the name that a fenced block gives its language."""

_MEMBER = re.compile(r"\s*\"(?:[^\"\\]|\\.)*\"\s*:")
_SHORT = 80  # characters


def annotate(text: str, facts: Iterable[Stated]) -> str:
    """Return a text whose stale statements are followed by their notes, in brackets.

    Example:
        >>> annotate("The port is 80. Ask Ann.", [Stated((0, 15), "80", live=False, note="superseded by 81")])
        'The port is 80. [superseded by 81] Ask Ann.'
    """
    lines = lines_of(text)
    blocks = list(blocks_of(lines))
    put: dict[int, str] = {}
    for fact in (f for f in facts if not f.live):
        place, said = _placed(text, lines, fact, put)
        place = _outside_of_code(text, lines, blocks, place)
        put[place] = put.get(place, "") + said
    parts: list[str] = []
    pos = 0
    for place, said in sorted(put.items()):
        parts += [text[pos:place], said]
        pos = place
    return "".join([*parts, text[pos:]])


def _placed(text: str, lines: Sequence[Line], fact: Stated, put: Container[int]) -> tuple[int, str]:
    """Return where the note of a fact stands, and how it looks there."""
    start, end = fact.span[0], min(fact.span[1], len(text))
    n = line_at(lines, max(end - 1, start))
    line = lines[n]
    said = " ".join((fact.note or "superseded").split())
    comment = _COMMENTS.get(line.fence or "")
    if comment and not line.text.endswith("\\"):
        follows = line.end in put or f" {comment} " in line.text
        return line.end, f" [{said}]" if follows else f"  {comment} [{said}]"
    if line.fence is not None or _MEMBER.match(text, start, end):
        while n + 1 < len(lines) and (lines[n].fence is not None or (lines[n].closes < 0 and not lines[n + 1].blank)):
            n += 1
        statement = " ".join(text[start:end].split())
        about = statement if len(statement) <= _SHORT else fact.object
        return lines[n].end, f"\n{lines[n].text[: lines[n].quote + lines[n].indent]}[{about}: {said}]"
    if line.body.startswith("|"):
        said = said.replace("|", "\\|")
    if text[start:end].endswith("|"):  # into the last cell of the row
        return start + len(text[start : end - 1].rstrip(" ")), f" [{said}]"
    return end, f" [{said}]"


def _outside_of_code(text: str, lines: Sequence[Line], blocks: Sequence[tuple[int, int]], place: int) -> int:
    """Return where inline code or the target of a link ends that a place is within; else the place."""
    first, last = next(block for block in blocks if block[1] >= line_at(lines, place))
    if lines[first].fence is None:
        for pair in pairs_of(text, lines[first].start, lines[last].end):
            target = pair.end > pair.outside + 1 and pair.outside < place < pair.end
            if target or (pair.code and pair.start < place <= pair.outside):
                place = pair.end
    return place
