"""What the readers of source files find, and the one place that makes facts of it.

A key is the path of the file, the section that encloses the name, and the name. It is kept as
one word of the subject, so that no folding of the words of sentences touches it; the bare name
(with its extras, and without) stands behind it, so that a look-up by name finds it. Facts are
local as well: files of one path in two places (`source`, `url`) never touch.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple
from urllib.parse import unquote

from memstrata_integrations.canonical import canonical_subject, content_words
from memstrata_integrations.extraction.sources.kinds import Source
from memstrata_integrations.extraction.sources.scalars import in_words
from memstrata_integrations.facts import Extraction, Fact
from memstrata_integrations.values import canonical_value

__all__ = [
    "LONGEST_VALUE",
    "Entry",
    "Found",
    "Written",
    "clear_entries",
    "drop_conditional",
    "drop_cut_entry",
    "escape",
    "extraction_of",
    "fact_of",
    "join",
    "place_words",
    "whole_line",
    "written",
]

LONGEST_VALUE = 1000  # characters of a value; what is longer is text
_ALLOWED = frozenset("_-/@+:~$&*=<>!^|[]{},;?#.")
# A name with what stands before and behind it: "uses:actions/checkout", "uvicorn[standard];os_name == 'nt'"
_CALLED = re.compile(r"(?:[\w{},.!-]+:)?(?P<name>[\w@./+-]+)(?P<extras>\[[\w,.-]*\])?(?:;.*)?\Z", re.DOTALL)
_JOINTS = re.compile(r"[.:;=\[\]]+")
_SAYS_NOTHING = re.compile(r"(?:[#;]|//)?[\W_]*\Z")
_AFTER_VALUE = re.compile(r"[ \t]*[,;]?[ \t]*(?:(?:#|//)[^\n]*)?\r?(?=\n|\Z)")
_COMMENT_AFTER = re.compile(r"\s+[#;](?:\s.*)?$")
_TAGGED = frozenset(("base image", "image", "uses", "hook", "checkout"))
_TEMPLATE_MARK = re.compile(
    r"^[ \t]*\{[{%][-~+]?[ \t]*(?P<word>if|unless|range|with|define|block|for|el(?:se|if|sif)"
    r"|end(?:if|unless|with|block|for)?)(?=[\s}%~+-])(?P<closed>[^\n]*\{[{%][-~+]?[ \t]*end)?",
    re.MULTILINE,
)
_OPENED_WITHIN = re.compile(r"(?<=\S)[ \t]*\{[{%][-~+]?[ \t]*(?:if|unless|range|with|block|for)\b")
_CUT_AT = frozenset(".,+-*/&|=<>~\\:([{")  # what no value ends with


class Entry(NamedTuple):
    """One name with its value.

    Attributes:
        section: What encloses the name, escaped and joined; "" at the top of the file, `None`
            where the section makes no difference.
        name: The name.
        relation: A relation of the table.
        start: Where the value starts in the text.
        end: Where it ends.
        value: The value in canonical form.
        dimension: "version" for releases and ranges, else "setting": a name of a file holds one
            value, of whatever type, so a string that becomes a list is a change.
        span: Where the statement stands.
        rule: What read it.
        mark: What joins section and name.
        key: The place in the file, where section and name do not make it: of ``lint.select`` in a table ``tool.ruff``.
    """

    section: str | None
    name: str
    relation: str
    start: int
    end: int
    value: str
    dimension: str
    span: tuple[int, int]
    rule: str
    mark: str = "."
    key: str = ""

    @property
    def place(self) -> str:
        """The part of the key behind the path."""
        if self.key:
            return _safe(self.key)
        name = escape(self.name, dots=self.mark == ".")
        return f"{_safe(self.section)}{self.mark}{name}" if self.section else name


class Found:
    """What a reader found in one text.

    Attributes:
        entries: The names with values.
        structural: Whether anything in the text has the form of such a file.
        prose: Whether something was seen that matters and is no entry.
        covered: Spans that say nothing beside the entries (headers, brackets, parents).
    """

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.structural = False
        self.prose = False
        self.covered: list[tuple[int, int]] = []

    def pin(self, section: str | None, name: str, place: tuple[int, int], text: str, span: tuple[int, int], rule: str,
            *, relation: str = "is pinned to", mark: str = ".") -> None:  # fmt: skip
        """Add a name with a version or range.

        A tag or a commit is a name, as it is written; of a requirement 1.0 is no 1.0.0.
        """
        value = text[place[0] : place[1]]
        if rule not in _TAGGED:
            value, _ = canonical_value(value, "pin")
        self.entries.append(Entry(section, name, relation, *place, value, "version", span, rule, mark))

    def setting(self, section: str | None, name: str, found: Written, span: tuple[int, int], rule: str,
                *, relation: str = "is", mark: str = ".") -> None:  # fmt: skip
        """Add a name with a value of any type."""
        self.entries.append(
            Entry(section, name, relation, found.start, found.end, found.value, "setting", span, rule, mark)
        )


class Written(NamedTuple):
    """A value as it stands in a text: without its quotes, unless nothing is between them."""

    start: int
    end: int
    value: str


def written(
    text: str, start: int, end: int, *, comments: bool = False, plain: Callable[[str], str] = in_words
) -> Written | None:
    """Return the value at a place, `None` if there is none.

    Args:
        text: The text.
        start, end: Where the value stands, with its quotes and white space.
        comments: Whether a comment may follow the value.
        plain: Makes the canonical form of a value without quotes.
    """
    if end - start > 4 * LONGEST_VALUE:
        return None
    while start < end and text[start].isspace():
        start += 1
    quote = text[start] if start < end and text[start] in "\"'" else ""
    if quote:
        close = text.find(quote, start + 1, end)
        while close > 0 and text[close - 1] == "\\" and quote == '"':
            close = text.find(quote, close + 1, end)
        if close < 0:
            return None
        rest = text[close + 1 : end].strip()
        if rest and not (comments and rest[0] in "#;"):
            quote = ""  # quotes inside a longer value
        else:
            if close == start + 1:
                return Written(start, close + 1, "")
            return Written(start + 1, close, in_words(text[start + 1 : close]))
    if comments:
        found = _COMMENT_AFTER.search(text[start:end])
        if found is not None:
            end = start + found.start()
    while end > start and text[end - 1].isspace():
        end -= 1
    if start >= end or end - start > LONGEST_VALUE:
        return None
    return Written(start, end, plain(text[start:end]))


def escape(part: str, *, dots: bool = True) -> str:
    """Return a part of a key as one word that nothing folds, the same for no two parts.

    Example:
        >>> escape("node 3.11"), escape("mypy-a.*", dots=False)
        ('node%203%2E11', 'mypy-a.*')
    """
    if part.isalnum():
        return part
    kept = _ALLOWED - {"."} if dots else _ALLOWED
    return "".join(c if c.isalnum() or c in kept else f"%{ord(c):02X}" for c in part)


def join(section: str, part: str) -> str:
    """Return a section one level deeper."""
    return f"{section}.{escape(part)}" if section else escape(part)


def place_words(subject: str) -> frozenset[str]:
    """Return the words of a subject with those that its key is made of: the path, the file, the sections.

    Example:
        >>> sorted(place_words("deploy/a.yaml#services.web.port port"))
        ['a.yaml', 'deploy/a.yaml', 'deploy/a.yaml#services.web.port', 'port', 'service', 'web']
    """
    words = set(subject.split())
    for word in subject.split():
        path, mark, place = word.partition("#")
        if mark:
            parts = (path, path.rpartition("/")[2], *_JOINTS.split(place))
            words |= content_words(" ".join(map(unquote, parts)))
    return frozenset(words)


def whole_line(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a statement's span with the comma and the comment behind it, if its line holds nothing else."""
    rest = _AFTER_VALUE.match(text, end)
    if rest is None:
        return start, end
    stop = rest.end()
    while stop > end and text[stop - 1].isspace():
        stop -= 1
    return start, stop


def _subject(path: str, entry: Entry) -> str:
    word = f"{escape(path, dots=False)}#{entry.place}"
    if word[-1] in ",;:.!?":
        word = f"{word[:-1]}%{ord(word[-1]):02X}"
    called = _CALLED.match(entry.name)
    if called is not None:
        whole = f"{called['name']}{called['extras']} " if called["extras"] else ""
        subject = canonical_subject(f"{word} {whole}{called['name']}")
        if word in subject.split() and canonical_subject(subject) == subject:
            return subject
    return canonical_subject(word)


def _safe(section: str) -> str:
    # given by metadata, perhaps, and escaped already
    return "".join(c if c.isalnum() or c in _ALLOWED or c == "%" else f"%{ord(c):02X}" for c in section)


def fact_of(source: Source, text: str, entry: Entry) -> Fact:
    """Make the fact of an entry."""
    return Fact(
        subject=_subject(source.path, entry),
        relation=entry.relation,
        object=text[entry.start : entry.end],
        value=entry.value,
        dimension=entry.dimension,
        span=entry.span,
        rule=f"source: {entry.rule}",
        local=True,
    )


def drop_cut_entry(text: str, found: Found) -> None:
    r"""Drop the value that a text ends with if nothing ends so ("1.25."), or it has no end (a list without brackets).

    Splitters strip what they cut off; a text that ends with its line is none of theirs.

    Example:
        >>> found = Found()
        >>> found.setting("", "tag", Written(5, 10, "1.25."), (0, 10), "key")
        >>> drop_cut_entry("tag: 1.25.", found)
        >>> found.entries, found.prose
        ([], True)
    """
    if text[-1:] == "\n":
        return
    end = len(text.rstrip())
    ends_line = "\n" in text[end:]  # and only the indentation of the next line is left
    for entry in found.entries:
        if not entry.start < entry.end == end or text[entry.start] in "[{(\"'":
            continue
        if "\n" in text[entry.span[0] : end] or (text[end - 1] in _CUT_AT and not ends_line):
            found.entries.remove(entry)
            found.prose = True
            return


def clear_entries(entries: Sequence[Entry]) -> list[Entry]:
    """Drop what one text states in two ways: something unseen tells them apart."""
    values: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for e in entries:
        values.setdefault((e.place, e.relation), set()).add((e.value, e.dimension))
    return [e for e in entries if len(values[e.place, e.relation]) == 1]


def drop_conditional(text: str, found: Found) -> None:
    r"""Drop what a template states under a condition: between its marks, or on the open side of one.

    Example:
        >>> found = Found()
        >>> found.setting("", "port", Written(6, 8, "80"), (0, 8), "key")
        >>> drop_conditional("port: 80\n{{- else }}\nport: 81", found)
        >>> found.entries, found.prose
        ([], True)
    """
    if "{{" not in text and "{%" not in text:
        return
    inside = _conditional(text)
    starts = [start for start, _ in inside]
    # the last span that starts before a statement's end is the one that may reach into it
    before = [
        inside[bisect_left(starts, e.span[1]) - 1] if starts and starts[0] < e.span[1] else (0, 0)
        for e in found.entries
    ]
    kept = [e for e, (_, end) in zip(found.entries, before, strict=True) if end <= e.span[0]]
    if len(kept) < len(found.entries):
        found.entries = kept
        found.prose = True


def _conditional(text: str) -> list[tuple[int, int]]:
    """Return the spans of a template that hold under a condition, or for each of several, in order and apart."""
    spans: list[tuple[int, int]] = []
    opened: list[int] = []
    for mark in _TEMPLATE_MARK.finditer(text):
        word = mark["word"]
        if mark["closed"]:
            continue  # a block within one line
        if word.startswith("end"):
            if not opened and _OPENED_WITHIN.search(text, 0, mark.start()) is not None:
                continue  # it began within a line
            spans.append((opened.pop() if opened else 0, mark.end()))  # the first part may be out of sight
        elif not word.startswith("el"):
            opened.append(mark.start())
        elif not opened:
            opened.append(0)
    apart: list[tuple[int, int]] = []
    for start, end in sorted(spans + [(start, len(text)) for start in opened]):
        if apart and start < apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]))
        else:
            apart.append((start, end))
    return apart


def extraction_of(source: Source, text: str, found: Found) -> Extraction:
    """Make facts of what a reader found, and tell whether the text says more."""
    clear = clear_entries(found.entries)
    facts = [fact_of(source, text, e) for e in sorted(clear, key=lambda e: (e.span, e.start))]
    prose = found.prose or len(clear) < len(found.entries) or not facts
    return Extraction(tuple(facts), prose or _says_more(text, [f.span for f in facts], found.covered))


def _says_more(text: str, facts: Iterable[tuple[int, int]], covered: Iterable[tuple[int, int]]) -> bool:
    pos = 0
    for start, end in sorted((*facts, *covered)):
        if start > pos and not all(_SAYS_NOTHING.match(line.strip()) for line in text[pos:start].split("\n")):
            return True
        pos = max(pos, end)
    return not all(_SAYS_NOTHING.match(line.strip()) for line in text[pos:].split("\n"))
