"""Code blocks of a page: read as what they are, pieces of files that have no name.

A key is the section of the page, the file if the block names one, and the path inside the block. What a reader
shows as an example, an answer of a program or a wrong way states nothing. A block whose end cannot be seen gives
no key, nor does one whose language says little of what it is for (JSON, Python), unless something nearby says
that it is a configuration.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from memstrata_integrations.extraction.sources.entries import Entry, Found, clear_entries, extraction_of, fact_of
from memstrata_integrations.extraction.sources.kinds import Source, kind_of
from memstrata_integrations.extraction.sources.reader import read_block
from memstrata_integrations.extraction.statements import Statement
from memstrata_integrations.facts import Extraction

__all__ = ["read_fence"]

_KINDS = {
    **dict.fromkeys(("yaml", "yml"), "yaml"),
    "toml": "toml",
    **dict.fromkeys(("ini", "cfg", "conf", "properties"), "ini"),
    **dict.fromkeys(("env", "dotenv"), "env"),
    **dict.fromkeys(("dockerfile", "docker", "containerfile"), "dockerfile"),
    **dict.fromkeys(("sh", "bash", "shell", "zsh", "console", "shell-session"), "shell"),
    **dict.fromkeys(("requirements", "pip-requirements"), "requirements"),
    **dict.fromkeys(("json", "jsonc", "json5"), "json"),
    **dict.fromkeys(("python", "py"), "python"),
    **dict.fromkeys(("", "text", "txt", "plaintext", "plain"), "plain"),
}
# Of these a block shows how something is called or answered as often as what is set
_NEEDS_REASON = frozenset(("json", "python", "plain"))
_LANGUAGE = re.compile(r"\{?\.?([\w+-]*)")
_FILE = (
    r"(?P<file>[\w.@/~-]*[\w-]\.(?:ya?ml|toml|ini|cfg|conf|json|env|txt|py|properties)|\.env[\w.]*"
    r"|[\w./-]*Dockerfile[\w.]*)"
)
_FILE_IN_INFO = re.compile(rf"(?<![\w./-]){_FILE}(?![\w/-])")
_FILE_ALONE = re.compile(rf"[ \t]*(?:#|//|;)[ \t]*(?:[Ff]ile(?:name)?:[ \t]*)?`?{_FILE}`?:?[ \t]*$", re.MULTILINE)
_FILE_IN_LEAD = re.compile(rf"`{_FILE}`")
_CONFIGURES = re.compile(
    r"\b(?:config|configs|configuration|configured?|settings?|options?|defaults?|environment|preferences|properties|knobs"
    r"|tuning|variables)\b",
    re.IGNORECASE,
)
# What is shown, and not set
_SHOWN = re.compile(
    r"\b(?:examples?|e\.g\.?|for instance|samples?|such as|something like|looks? like|imagine|suppose|template"
    r"|skeleton|placeholders?|your own|output|prints|printed|returns|returned|response|responses|responds|reply"
    r"|replies|request|requests|payload|curl|proposal|proposed|draft)\b",
    re.IGNORECASE,
)
# The same, of a sentence that hands over to the block
_SHOWN_BELOW = re.compile(
    r"\b(?:similar|would|could|might|may|replace|instead|wrong|broken|invalid|bad|don['’]t|do not|never|avoid|not"
    r"|before|after|old|older|previous|previously|former|formerly|deprecated|legacy|was|were|used to|until"
    r"|answers?|answered|body|shows|let['’]s|say|try|planned|if|unless)\b",
    re.IGNORECASE,
)
_EXAMPLE_COMMENT = re.compile(r"[ \t]*(?:#|//|;).*\b(?:examples?|e\.g|sample)\b", re.IGNORECASE)
_EXPORT = re.compile(r"[ \t]*export[ \t]+[A-Za-z_]\w*=[^\s$(`]")
_PLAIN_LINE = re.compile(r"[A-Za-z_][\w.-]*[ \t]*=[ \t]*\S[^\n]*$")
_VARIABLE_LINE = re.compile(r"(?:export[ \t]+)?[A-Z][A-Z0-9_]*=\S[^\n]*$")
_SENTENCE = re.compile(r"[.!?][ \n]+(?=[A-Z`*])")
_LEAD = 400  # characters before a block that may say what it is
_LONGEST = 20_000
_LONGEST_INFO = 200


class _Block(NamedTuple):
    """The inside of a code block, without its indentation, and where its lines stand in the text."""

    text: str
    starts: tuple[int, ...]
    places: tuple[int, ...]

    def place(self, at: int) -> int:
        line = bisect_right(self.starts, at) - 1
        return self.places[line] + at - self.starts[line]


def read_fence(text: str, opening: Statement, end: int, place: str) -> Extraction | None:
    """Return what a code block states, `None` if it states nothing that counts.

    Args:
        text: The whole text.
        opening: The line that opens it.
        end: Where the line starts that closes it.
        place: The section of the page.
    """
    if end - opening.end > _LONGEST:
        return None
    block = _block(text, opening.end + 1, end)
    lead = _lead_of(text, opening.start)
    info = opening.header[0][:_LONGEST_INFO]
    language = _LANGUAGE.match(info)
    kind = _KINDS.get(language[1].lower() if language is not None else "")
    named = _file_of(info[language.end() :] if language is not None else "", block.text, lead)
    source = _source(kind, place, named)
    if source is None or not block.text.strip() or _is_shown(lead) or _EXAMPLE_COMMENT.match(block.text):
        return None
    if named is None and kind in _NEEDS_REASON:
        if not _CONFIGURES.search(lead) and not any(_CONFIGURES.search(h) for h in opening.headings):
            reason = kind == "plain" and _lines_match(_VARIABLE_LINE, block.text)
        else:
            reason = kind != "plain" or _lines_match(_PLAIN_LINE, block.text)
        if not reason:
            return None
    found = _read(source, block.text)
    return _moved(text, source, block, found) if found.structural and found.entries else None


def _block(text: str, start: int, end: int) -> _Block:
    lines = text[start:end].split("\n")
    if lines and not lines[-1].strip():
        lines.pop()
    indent = min((len(line) - len(line.lstrip(" \t")) for line in lines if line.strip()), default=0)
    kept, starts, places = [], [], []
    at, pos = 0, start
    for line in lines:
        cut = min(indent, len(line) - len(line.lstrip(" \t")))
        kept.append(line[cut:])
        starts.append(at)
        places.append(pos + cut)
        at += len(line) - cut + 1
        pos += len(line) + 1
    return _Block("\n".join(kept), tuple(starts or [0]), tuple(places or [start]))


def _lead_of(text: str, start: int) -> str:
    """Return the last sentence of the paragraph above a block; "" if it stands under a heading at once."""
    above = text[max(0, start - _LEAD) : start].rstrip()
    paragraph = above[above.rfind("\n\n") + 1 :].strip()
    if paragraph.startswith(("#", "|", "```", "~~~")) and "\n" not in paragraph:
        return ""
    return _SENTENCE.split(paragraph)[-1]


def _is_shown(lead: str) -> bool:
    """Whether what stands above a block says that it is an example, an answer, or not what holds."""
    return _SHOWN.search(lead) is not None or (lead.endswith(":") and _SHOWN_BELOW.search(lead) is not None)


def _file_of(info: str, block: str, lead: str) -> str | None:
    """Return the file that a block is a piece of, if it is named behind the language, inside, or just above."""
    for found in (_FILE_IN_INFO.search(info), _FILE_ALONE.match(block)):
        if found is not None:
            return found["file"]
    if lead.endswith(":"):
        files = {m["file"] for m in _FILE_IN_LEAD.finditer(lead)}
        return files.pop() if len(files) == 1 else None
    return None


def _source(kind: str | None, place: str, named: str | None) -> Source | None:
    """Return the file as its readers know one: its path begins with the section of the page."""
    known = kind_of(named) if named is not None else None
    if named is not None and known is not None and (kind in (None, "plain", known) or kind not in _NEEDS_REASON):
        if kind == "shell":
            return None  # a command that speaks of a file
        return Source(known, f"{place}/{named}", named.rpartition("/")[2].lower())
    return Source(kind, place, "") if kind is not None else None


def _lines_match(pattern: re.Pattern[str], block: str) -> bool:
    lines = [line for line in block.split("\n") if line.strip() and not line.lstrip().startswith(("#", ";"))]
    return bool(lines) and all(pattern.match(line) for line in lines)


def _read(source: Source, block: str) -> Found:
    if source.kind == "shell":
        # what is exported stays; a line that runs something says nothing
        found = read_block(block, source._replace(kind="env"))
        exported = [e for e in found.entries if _EXPORT.match(block, *e.span)]
        found.prose = found.prose or len(exported) < len(found.entries)
        found.entries = exported
        return found
    if source.kind == "plain":
        source = source._replace(kind="env" if _lines_match(_VARIABLE_LINE, block) else "ini")
    return read_block(block, source)


def _moved(text: str, source: Source, block: _Block, found: Found) -> Extraction:
    """Return the facts of a block where they stand in the whole text."""

    def moved(entry: Entry) -> Entry:
        start, end = block.place(entry.start), block.place(entry.end - 1) + 1
        span = (block.place(entry.span[0]), block.place(entry.span[1] - 1) + 1)
        return entry._replace(start=start, end=end, span=span)

    facts = tuple(fact_of(source, text, moved(entry)) for entry in clear_entries(found.entries))
    return Extraction(facts, extraction_of(source, block.text, found).prose)
