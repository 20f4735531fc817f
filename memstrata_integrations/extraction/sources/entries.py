"""What the readers of files find, and the one place that makes facts of it.

A key is the path of the file, the section that encloses the name, and the name, as one word. Facts are confined to
their source as well: files of one path in two places (`source`, `url`) never touch.

A program reads these values, so nothing is folded that a program tells apart: a quoted string, and every value of a
format that has strings only, is its text; `"on"` is not `true` there, and the version `"1.10"` not the number `1.1`.
What stands without quotes is parsed as its format parses it. A quoted "8080" equals 8080: a program that takes the one
for the other is no change of a fact.
"""

import importlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import NamedTuple

from memstrata_integrations.extraction.sources.kinds import Source
from memstrata_integrations.extraction.values import canonical_value
from memstrata_integrations.ledger.facts import Extraction, KeyedFact

LONGEST_VALUE = 1000  # characters of a value; what is longer is text
_ALLOWED = frozenset("_-/@+:~$&*=<>!^|[]{},;?#.")
_SAYS_NOTHING = re.compile(r"(?:[#;]|//)?[\W_]*\Z")
_AFTER_VALUE = re.compile(r"[ \t]*[,;]?[ \t]*(?:(?:#|//)[^\n]*)?\r?(?=\n|\Z)")
_MARK = re.compile(
    r"^[ \t]*\{[{%][-~+]?[ \t]*(?P<word>if|unless|range|with|define|block|for|el(?:se|if|sif)"
    r"|end(?:if|unless|with|block|for)?)(?=[\s}%~+-])(?P<closed>[^\n]*\{[{%][-~+]?[ \t]*end)?",
    re.MULTILINE,
)
_CUT_AT = frozenset(".,+-*/&|=<>~\\:([{")  # what no value ends with
_FLOAT = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\Z")
_OCTAL = re.compile(r"[-+]?0o[0-7]{1,30}\Z")  # of YAML 1.2
_COMMENT_AFTER = re.compile(r"\s+[#;](?:\s.*)?$")


def in_words(text: str) -> str:
    """Return a value of a format that has strings only; its two words for truth are one in any capitals.

    Example:
        >>> [in_words(v) for v in ("True", "on", "1_0", "Debug")]
        ['true', 'on', '1_0', 'Debug']
    """
    return text.lower() if text.lower() in ("true", "false") else text


@lru_cache(maxsize=8192)
def in_yaml(text: str) -> str:
    """Return a plain scalar of YAML; figures with underscores are those of a tag, and no number.

    Example:
        >>> [in_yaml(v) for v in ("on", "0644", "0o644", "~", "1.10", "2024_01", "2024-01-01T10:00:00", "Debug")]
        ['true', '420', '420', 'null', '1.10', '2024_01', '2024-01-01 10:00:00', 'Debug']
    """
    yaml = importlib.import_module("yaml")
    loader = yaml.SafeLoader("")
    tag = loader.resolve(yaml.ScalarNode, text, (True, False))
    if _OCTAL.match(text):
        return str(int(text, 0))
    if tag.endswith(":str") or "_" in text:
        return text
    try:
        return of_object(loader.construct_object(yaml.ScalarNode(tag, text)), text)
    except (yaml.YAMLError, ValueError, OverflowError):  # "2024-13-01"
        return text


def of_object(value: object, text: str = "") -> str:
    """Return the form of what a parser made of a value.

    Args:
        value: A string, number, truth value, date, or a list or table of such.
        text: A number as it is written, if that is at hand: many with a point are versions, or digits of a hash.

    Example:
        >>> of_object(1000.0), of_object(True), of_object(["1.0", 1.0]), of_object({"b": 1, "a": None})
        ('1000.0', 'true', "['1.0', '1.0']", "{'a': 'null', 'b': '1'}")
    """
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, float):
        return text if _FLOAT.match(text) else repr(value)
    if isinstance(value, date):
        return value.isoformat(" ") if isinstance(value, datetime) else value.isoformat()
    if isinstance(value, Mapping):
        return str({key: of_object(value[key]) for key in sorted(value)})
    if isinstance(value, (list, tuple)):
        return str([of_object(item) for item in value])
    try:
        return str(value)
    except ValueError:  # an integer of thousands of figures
        return text


class Entry(NamedTuple):
    """One name with its value.

    Attributes:
        section: What encloses the name, escaped and joined; "" at the top of the file, `None`
            where the section makes no difference.
        start, end, value: Where the value stands in the text, and its canonical form.
        kind: "version" for releases and ranges, else "setting": a name of a file holds one
            value, of whatever type, so a string that becomes a list is a change.
        span, rule: Where the statement stands, and what read it.
        mark: What joins section and name.
    """

    section: str | None
    name: str
    relation: str
    start: int
    end: int
    value: str
    kind: str
    span: tuple[int, int]
    rule: str
    mark: str = "."

    @property
    def place(self) -> str:
        """The part of the key behind the path."""
        name = escape(self.name, dots=self.mark == ".")
        return f"{_safe(self.section)}{self.mark}{name}" if self.section else name


class Found:
    """What a reader found in one text.

    Attributes:
        structural: Whether anything in the text has the form of such a file.
        prose: Whether something was seen that matters and is no entry.
        covered: Spans that say nothing beside the entries (headers, brackets, parents).
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.entries: list[Entry] = []
        self.structural = False
        self.prose = False
        self.covered: list[tuple[int, int]] = []

    def pin(self, section: str | None, name: str, place: tuple[int, int], span: tuple[int, int], rule: str,
            *, relation: str = "is pinned to", mark: str = ".", verbatim: bool = False) -> None:  # fmt: skip
        """Add a name with a version or range; a tag or a commit is a name, compared `verbatim`."""
        value = self.text[slice(*place)]
        value = value if verbatim else canonical_value(value, "pin")[0]
        self.entries.append(Entry(section, name, relation, *place, value, "version", span, rule, mark))

    def setting(self, section: str | None, name: str, found: "Written", span: tuple[int, int], rule: str,
                *, relation: str = "is", mark: str = ".") -> None:  # fmt: skip
        """Add a name with a value of any type."""
        self.entries.append(Entry(section, name, relation, *found, "setting", span, rule, mark))


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
        text, start, end: Where the value stands, with its quotes and white space.
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
        if not rest or (comments and rest[0] in "#;"):  # else the quotes are inside of a longer value
            inside = (start + 1, close) if close > start + 1 else (start, close + 1)
            return Written(*inside, in_words(text[start + 1 : close]))
    if comments and (found := _COMMENT_AFTER.search(text[start:end])) is not None:
        end = start + found.start()
    while end > start and text[end - 1].isspace():
        end -= 1
    return Written(start, end, plain(text[start:end])) if 0 < end - start <= LONGEST_VALUE else None


def escape(part: str, *, dots: bool = True) -> str:
    """Return a part of a key as one word, the same for no two parts.

    Example:
        >>> escape("node 3.11"), escape("mypy-a.*", dots=False)
        ('node%203%2E11', 'mypy-a.*')
    """
    if part.isalnum():
        return part
    kept = _ALLOWED - {"."} if dots else _ALLOWED
    return "".join(c if c.isalnum() or c in kept else f"%{ord(c):02X}" for c in part)


def _safe(section: str) -> str:
    """Return a section that is escaped already, or given by metadata, as one word."""
    return "%".join(escape(part, dots=False) for part in section.split("%"))


def join(section: str, part: str) -> str:
    """Return a section one level deeper."""
    return f"{section}.{escape(part)}" if section else escape(part)


def whole_line(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a statement's span with the comma and the comment behind it, if its line holds nothing else."""
    rest = _AFTER_VALUE.match(text, end)
    return start, end if rest is None else end + len(rest[0].rstrip())


def fact_of(source: Source, text: str, entry: Entry) -> KeyedFact:
    """Make the fact of an entry."""
    subject = f"{escape(source.path, dots=False)}#{entry.place}"
    return KeyedFact(
        subject=subject,
        relation=entry.relation,
        object=text[entry.start : entry.end],
        key=(subject, entry.relation),
        value=entry.value,
        kind=entry.kind,
        span=entry.span,
        rule=f"source: {entry.rule}",
        confined="bare",
    )


def drop_doubtful(found: Found, *, template: bool, cut: bool) -> None:
    """Drop what a template states under a condition, and the value that a splitter may have cut.

    Args:
        found: What was read.
        template, cut: Whether the file may be a template, and the text be cut at its end.
    """
    kept = found.entries
    if template:
        start, end = _conditional(found.text)
        kept = [e for e in kept if e.span[1] <= start or end <= e.span[0]]
    if cut and found.text[-1:] != "\n":  # splitters strip what they cut off; this text is none of theirs
        end = len(found.text.rstrip())
        kept = [e for e in kept if not (e.start < e.end == end and _is_open(found.text, end, e))]
    found.prose = found.prose or len(kept) < len(found.entries)
    found.entries = kept


def _conditional(text: str) -> tuple[int, int]:
    """Return where a template has conditions: from its first mark, or before it, to its last, or behind."""
    marks = [m for m in _MARK.finditer(text) if not m["closed"]] if "{" in text else []
    if not marks:
        return 0, 0
    start = 0 if marks[0]["word"].startswith("e") else marks[0].start()
    return start, marks[-1].end() if marks[-1]["word"].startswith("end") else len(text)


def _is_open(text: str, end: int, entry: Entry) -> bool:
    """Whether no value ends as the last one of a text does ("1.25."), or it has no end (a list without brackets)."""
    several = "\n" in text[entry.span[0] : end]
    return text[entry.start] not in "[{(\"'" and (several or (text[end - 1] in _CUT_AT and "\n" not in text[end:]))


def clear_entries(entries: Sequence[Entry]) -> list[Entry]:
    """Drop what one text states in two ways: something unseen tells them apart."""
    values: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for e in entries:
        values.setdefault((e.place, e.relation), set()).add((e.value, e.kind))
    return [e for e in entries if len(values[e.place, e.relation]) == 1]


def extraction_of(source: Source, found: Found) -> Extraction:
    """Make facts of what a reader found, and tell whether the text says more."""
    clear = clear_entries(found.entries)
    facts = [fact_of(source, found.text, e) for e in sorted(clear, key=lambda e: (e.span, e.start))]
    prose = found.prose or len(clear) < len(found.entries) or not facts
    return Extraction(tuple(facts), prose or _says_more(found.text, [*(f.span for f in facts), *found.covered]))


def _says_more(text: str, told: Iterable[tuple[int, int]]) -> bool:
    pos = 0
    for start, end in (*sorted(told), (len(text), len(text))):
        if start > pos and not all(_SAYS_NOTHING.match(line.strip()) for line in text[pos:start].split("\n")):
            return True
        pos = max(pos, end)
    return False
