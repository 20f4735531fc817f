"""The grammar: texts to facts, without a model, a network or a clock."""

import logging
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from itertools import takewhile
from typing import Any

from memstrata_integrations.errors import InvalidInputError, from_signal_handler
from memstrata_integrations.extraction.chain import Composable, Metadatas, contradicted
from memstrata_integrations.extraction.clauses import find_link
from memstrata_integrations.extraction.lines import read_line, read_row
from memstrata_integrations.extraction.relations import Relation, Vocabulary
from memstrata_integrations.extraction.sentences import Context, read_sentence
from memstrata_integrations.extraction.statements import (
    HIDDEN,
    Statement,
    is_title,
    names_page,
    names_record,
    statements,
)
from memstrata_integrations.extraction.tokens import tokenize
from memstrata_integrations.ledger.facts import Cardinality, Extraction, KeyedFact

logger = logging.getLogger("memstrata_integrations")

_LEVEL = re.compile(r"(?:header|heading|h)[ _-]?([1-6])\Z", re.IGNORECASE)
# Headings of change logs and dates: they say when, and never what. "12A" and "3.2" are of flats and chapters
WHEN = re.compile(
    r"\W{0,3}(?:(?:version|release)\W{0,2}\d|v?\d+\.\d+\.\d|v\d+\.\d|\d[\w.+-]{0,40}\W{1,4}(?=\d{4}-\d\d-\d\d\W*\Z))"
    r"[\w.+-]{0,40}\W{0,4}(?:\d{4}-\d\d-\d\d\W*)?\Z"
    r"|\W*(?:unreleased|change ?log|release notes|changes|what['’]s new|history|(?:19|20)\d\d-\d\d(?:-\d\d)?)\W*\Z",
    re.IGNORECASE,
)
_LOG = re.compile(r"\W{0,3}(?:change ?log|release notes|changes|what['’]s new|history)\W{0,4}\Z", re.IGNORECASE)
_ISSUE = re.compile(r"\W{0,3}v?\d[\w.+-]{0,40}\W{0,4}\Z")  # of what stands under such a heading
_Titles = tuple[tuple[int, str], ...]
"""Titles with their levels, the outermost first: 0 of the page, 1 to 6 headings, `_PART` a line that is none."""
_PART = 7
_FIELDS = 6  # at the top of a page, that name it
# What stands under these is shown, planned, past, denied or said by somebody
_SHOWN = re.compile(
    r"\b(?:examples?|sample|roadmap|propos\w+|planned|ideas?|alternatives?|future|template|deprecated|faq|to-?do)\b|\?\Z"
    r"|\b(?:former(?:ly)?|previous(?:ly)?|outdated|obsolete|wrong|incorrect|untrue|myths?|misconceptions?|claim(?:s|ed)?)\b"
    r"|\A(?:if|unless|until|before|none|not|no)(?:\s+\w|\W*\Z)",
    re.IGNORECASE,
)
_FAULTS = (  # what reading may raise by mistake
    ArithmeticError, AssertionError, AttributeError, LookupError, NameError, RecursionError, TypeError, ValueError,
    re.error,
)  # fmt: skip
_Field = tuple[str, Sequence[KeyedFact]]  # of a record: the line, and what is read in it
_LONG = 200  # characters: a text that long may have been cut at its edges
_AMID = frozenset("of than that which who whom whose".split())  # no sentence begins with one of them, written small


class GrammarExtractor(Composable):
    """Reads facts by rule: deterministic, and in doubt silent.

    Args:
        relations: Relations to read besides those of the built-in table; they go before it.
        cardinalities: Relations, named as people say them, to how many values they have at a time.
        aliases: Other names of subjects, each with the name that it stands for.
        unknown: ``"functional"`` says that every relation has one value at a time, as in curated facts; else only typed
            values (a number, a date, a version, a path) supersede in relations that the table doesn't have.

    Example:
        >>> [extraction] = GrammarExtractor().extract(["The timeout of the billing service is 30 seconds."])
        >>> fact = extraction.facts[0]
        >>> fact.key, fact.object, fact.value, extraction.prose
        (('billing service', 'times out after'), '30 seconds', '30', False)
    """

    def __init__(
        self, relations: Iterable[Relation] = (), cardinalities: Mapping[str, Cardinality] | None = None, *,
        aliases: Mapping[str, str] | None = None, unknown: str = "typed",
    ) -> None:  # fmt: skip
        if unknown not in ("typed", "functional"):
            raise InvalidInputError(f"unknown={unknown!r} is neither 'typed' nor 'functional'")
        self._relations, self._cardinalities, self.unknown = tuple(relations), dict(cardinalities or {}), unknown
        for relation in self._relations:
            if not isinstance(relation, Relation):
                raise InvalidInputError(f"relations={relation!r}; give Relation({str(relation)!r}, verbs=(...,))")
        self.vocabulary = Vocabulary(self._relations, self._cardinalities, aliases)
        self._context = Context(anything=unknown == "functional")

    def with_policy(self, policy: Any) -> "GrammarExtractor":
        """Return an extractor that also knows the relations of a policy; they go before its own."""
        if not policy.cardinalities and policy.unknown == "typed":
            return self
        unknown = policy.unknown if self.unknown == "typed" else self.unknown
        given = {**self._cardinalities, **policy.cardinalities}
        return GrammarExtractor(self._relations, given, aliases=self.vocabulary.aliases, unknown=unknown)

    def extract(self, texts: Sequence[str], metadatas: Metadatas | None = None) -> list[Extraction]:
        """Return what each text states, in order.

        A text whose metadata names the file that it is a piece of is read as such, with exact keys. One that shows no
        title stands under those of the text before it, if both name one source: splitters leave them there. A fault in
        reading one text costs its facts, and not the write of all the others.

        Raises:
            BaseException: What a signal handler raises meanwhile (Ctrl-C, a time limit), and whatever else reading
                itself never raises. A parser may take a handler's `ValueError` for its own, so let it raise another.
        """
        found = []
        before: _Titles = ()
        last = None
        for text, metadata in zip(texts, metadatas if metadatas is not None else [None] * len(texts), strict=True):
            source = _source_of(metadata)
            goes_on = source is not None and source == last and (metadata or {}).get("start_index") != 0
            before, last = before if goes_on else (), source
            try:
                extraction, before = self._read(text, metadata, before)
                found.append(extraction)
            except _FAULTS as error:
                if from_signal_handler(error):
                    raise
                before = ()
                logger.exception("a fault of the grammar, please report it; this text is kept as prose: %.200r", text)
                found.append(Extraction((), True, ((0, len(text), "a fault of the grammar"),)))
        return found

    def _read(self, text: str, metadata: Mapping[str, Any] | None, before: _Titles) -> tuple[Extraction, _Titles]:
        """Return what a text states that stands under titles of the one before it, and the titles at its end."""
        if metadata:
            from memstrata_integrations.extraction.sources import read_source

            if (source := read_source(text, metadata)) is not None:
                return source, ()
        facts: list[KeyedFact] = []
        unread: list[tuple[int, int, str]] = []
        records: dict[tuple[str, ...], list[_Field]] = {}  # by what is above
        prose = False
        paragraph, context = -1, self._context
        given = headings_of(metadata) if metadata else ()
        listed = statements(text, given)
        cut = bool(metadata and metadata.get("start_index"))  # a piece, whose title is out of sight
        titles = _titles(text, listed) if len(listed) > 1 else [()] * (len(listed) + 1)
        over, behind = _under(text, listed, titles, () if given else before)
        caption = _caption(text, listed)
        rows = (s for s in listed if s.kind == "row" and not s.header)
        shapes = Counter(text.count("|", s.start, s.end) for s in rows) if "|" in text else {}
        for n, statement in enumerate(listed):
            kind, start, end, headings, _, number, _ = statement
            if kind in ("heading", "mark"):
                continue
            if headings or over[n]:
                shown = len(over[n]) > len(titles[n])  # what would be hidden, if it stood alone
                visible = headings[1:] if shown and headings[:1] == (HIDDEN,) else headings
                outer, inner = ([t for level, t in over[n] if (level == _PART) is deep] for deep in (False, True))
                above = (*outer, *visible, *inner)
                logged = any(map(_LOG.match, above))
                above = tuple(h for h in above if not (WHEN.match(h) or (logged and _ISSUE.match(h))))
                statement = statement._replace(headings=above)
            if number != paragraph or statement.headings != context.headings:
                paragraph, context = number, Context(statement.headings, "", self._context.anything)
            read: Sequence[KeyedFact] = ()
            rest = True
            if reason := unheard(text, listed, n):
                pass
            elif (kind == "line" and n + 1 < len(listed)) and (
                _names(listed, n) or ((0, text[start:end]) in over[-1] and _is_name(text[start:end], self.vocabulary))
            ):
                reason = "the name of a record"  # "- name: giro", and below it "limit: 500"
            elif kind == "row":
                if caption and number == listed[-2].paragraph:
                    statement = statement._replace(headings=(*statement.headings, caption))
                read = read_row(text, statement, self.vocabulary, several=shapes[text.count("|", start, end)] > 1)
                rest, reason = not read, "" if read else "a row without a single value"
            elif kind == "line" and not isinstance(line := read_line(text, statement, self.vocabulary), str):
                read, rest = [line], False
            else:
                said = text if end - start == len(text) else text[start:end]
                read, rest, about, reason = read_sentence(said, self.vocabulary, context, start)
                context = context._replace(about=about) if about and n + 1 < len(listed) else context
            hidden = HIDDEN in statement.headings or (cut and kind == "sentence" and not statement.headings)
            if read and hidden and any(f.confined for f in read):
                read, rest, reason = [f for f in read if not f.confined], True, "of what it is one is out of sight"
            if kind == "line" and "=" not in text[start:end]:  # a setting with "=" is of its program
                records.setdefault(statement.headings, []).append((text[start:end], read))
            facts += read
            prose = prose or rest
            if reason or (read and rest and not any(f.change for f in read)):
                unread.append((start, end, reason or "it says more"))
        gone: set[tuple[KeyedFact, str]] = set()
        if records and len(fields := records.pop((), [])) > 1:  # "status: open", "owner: Ann": of which ticket?
            bare = {f for _, read in fields for f in read if f.confined}
            gone = {(f, "a field of a record that nothing names") for f in bare}
            facts = [f for f in facts if f not in bare]
        if len(facts) > 1:
            gone |= {(f, "the text states two values of it") for f in contradicted(facts)}
        if gone or records:
            told = dict(pair for above, fields in records.items() for pair in _beside(above, fields))
            gone |= {(f, "the name of a record") for f, keyed in told.items() if keyed is None}
            dropped = {f for f, _ in gone}
            facts = [told.get(f) or f for f in facts if f not in dropped]
            unread += [(*f.span, why) for f, why in gone]
        found = Extraction(tuple(facts), prose or bool(gone) or not facts, tuple(sorted(unread)) if unread else ())
        return found, behind

    def __repr__(self) -> str:
        given = {"relations": self._relations, "cardinalities": self._cardinalities, "aliases": self.vocabulary.aliases}
        told = [f"{name}={value!r}" for name, value in given.items() if value]
        told += [f"unknown={self.unknown!r}"] if self.unknown != "typed" else []
        return f"GrammarExtractor({', '.join(told)})"


def _beside(above: Sequence[str], fields: Sequence[_Field]) -> Iterator[tuple[KeyedFact, KeyedFact | None]]:
    """Yield the facts of a record's fields, each with a digest of all other fields in its key; `None` for its name.

    A title alone does not say which record it is: "Bug report" stands above many. So a field that changes while the
    others stay is linked, and no other; but where what is above is a name. "id: 17" says which record, and not what.
    """
    if len(fields) < 2:
        return
    plain = (" ".join(said.casefold().split()) for said, _ in fields)
    digests = [int.from_bytes(blake2b(text.encode(errors="replace"), digest_size=8).digest(), "big") for text in plain]
    total, named = sum(digests), names_record(above[-1])
    for (said, read), own in zip(fields, digests, strict=True):
        name = names_record(said, strictly=True)
        for fact in read:
            if fact.confined and (name or not named):
                subject, relation = fact.key
                yield fact, None if name else replace(fact, key=(f"{subject} § {total - own:x}", relation))


def _is_name(field: str, vocabulary: Vocabulary) -> bool:
    """Whether a field above prose names what that is about: "Title: Ibuprofen", "Tractor: loader", not "Owner: Ann"."""
    noun = field.partition(":")[0].lower()
    return names_page(field) or not ((noun,) in vocabulary.nouns or noun in vocabulary.worded)


def _titles(text: str, listed: Sequence[Statement]) -> list[_Titles]:
    """Return under which titles each statement stands, and what follows the text, that are no headings of Markdown.

    The page's is its first paragraph, if that is one line that tells nothing ("**Flat at Lindenallee 12**"), or the
    fields at its top that name the page, or who wrote it, or one field above prose; a part's is a paragraph that is a
    line of the first kind.
    """
    sizes = Counter(s.paragraph for s in listed)
    first = listed[0].paragraph
    size = sizes[first]
    top = text[: listed[size - 1].end].splitlines()
    page = [said for said in top if names_page(said)] if size < len(listed) or len(top) > 1 else []
    if page and is_title(top[0]) and top[0] not in page:
        page = [top[0], *page]
    del page[_FIELDS:]
    kinds = [s.kind for s in listed]
    if not page and kinds[0] == "line" and kinds[1] == "sentence" and kinds[:size].count("line") == 1 and ":" in top[0]:
        page = [text[listed[0].start : listed[0].end]]
    part: _Titles = ()
    found: list[_Titles] = []
    for n, statement in enumerate(listed):
        if statement.kind == "heading":
            part = ()
        below = statement.paragraph != first or (n > 0 and statement.kind == "sentence")
        found.append((*((0, said) for said in page), *part) if below else ())
        if sizes[statement.paragraph] == 1 and (said := _title_in(text, statement)):
            page, part = ([said], part) if statement.paragraph == first else (page, ((_PART, said),))
    return [*found, (*((0, said) for said in page), *part)]


def _title_in(text: str, statement: Statement) -> str:
    """Return what a line says that tells nothing, and so may be a title; nothing if it is none."""
    line = text[statement.start : statement.end]
    said = line.strip("*_=: ")
    if statement.kind != "sentence":
        return ""
    strong = line[:2] == line[-2:] == "**"
    return said if strong or (is_title(said) and find_link(tokenize(said)) is None) else ""


def _under(
    text: str, listed: Sequence[Statement], titles: Sequence[_Titles], before: _Titles
) -> tuple[list[_Titles], _Titles]:
    """Return the titles of each statement with those of the piece before that hold, and what holds at the end."""
    if any(0 < level < _PART for level, _ in before):  # of a page with headings it is a part
        titles = [tuple((_PART, title) for _, title in held[-1:]) for held in titles]
    elif any(level == 0 for held in titles for level, _ in held):
        before = ()  # a page of its own

    def over(beside: _Titles) -> _Titles:
        part = any(level == _PART for level, _ in beside)  # it takes the place of the one before
        return (*(h for h in before if not (part and h[0] == _PART)), *beside)

    own: list[tuple[int, str]] = []
    found: list[_Titles] = []
    for statement, beside in zip(listed, titles, strict=False):
        if statement.kind == "heading":
            said = text[statement.start : statement.end].splitlines()
            level = len(said[0]) - len(said[0].lstrip("#")) or (2 if said[-1].strip("- ") == "" else 1)
            before = tuple(h for h in before if h[0] < level)
            own = [*(h for h in own if h[0] < level), (level, said[0].strip("# ").strip("*_ "))]
        found.append(over(beside))
    behind = over(titles[-1])
    alone = (_title_in(text, listed[0]) or (text if names_page(text) else "")) if len(listed) == 1 else ""
    if alone:
        outer = [h for h in before if h[0] < _PART]
        behind = (*outer, (_PART, alone)) if any(level for level, _ in outer) else ((0, alone),)
    return found, (*(h for h in behind if h[0] < _PART), *own, *(h for h in behind if h[0] == _PART))


def _caption(text: str, listed: Sequence[Statement]) -> str:
    """Return the line that a text ends with below a table: "Table 3: public clients"."""
    below = len(listed) > 1 and listed[-2].kind == "row" and listed[-1].kind in ("line", "sentence")
    return text[listed[-1].start : listed[-1].end] if below and text[listed[-1].end - 1] not in ".!?:;" else ""


def _names(listed: Sequence[Statement], n: int) -> bool:
    """Whether a field stands over others."""
    depth = len(listed[n].headings)
    below = takewhile(lambda k: len(listed[k].headings) > depth, range(n + 1, len(listed)))
    return any(listed[k].kind == "line" for k in below)


def _source_of(metadata: Mapping[str, Any] | None) -> tuple[Any, ...] | None:
    """Return what a metadata says of where a text comes from; `None` where that is nothing."""
    told = tuple((metadata or {}).get(name) for name in ("source", "file_path", "url", "path", "file_name"))
    return told if any(part is not None for part in told) else None


def headings_of(metadata: Mapping[str, Any] | None) -> list[str]:
    """Return the headings that a splitter has put into metadata, outermost first: `Header 1` ..., or `header_path`."""
    path = (metadata or {}).get("header_path")
    if isinstance(path, str):
        return [title for title in path.split("/") if title]
    levels = ((_LEVEL.match(key), value) for key, value in (metadata or {}).items() if isinstance(value, str))
    return [value.strip() for _, value in sorted((level[1], value) for level, value in levels if level is not None)]


def unheard(text: str, listed: Sequence[Statement], n: int) -> str:
    """Return why a statement states nothing where it stands: quoted, shown as an example, or cut at the text's edge."""
    statement = listed[n]
    if statement.kind in ("quote", "code"):
        return "a quotation" if statement.kind == "quote" else "code"
    if text[statement.start : statement.end].rstrip(".").endswith("…") or text.endswith("...", 0, statement.end):
        return "cut off at its end"
    if statement.headings and any(map(_SHOWN.search, statement.headings)):
        return "under a heading of what is shown, planned or past"
    first = next(iter(text[statement.start : statement.end].split(None, 1)), "")
    if n == 0 and first in _AMID:
        return "cut off at its beginning"
    if statement.kind == "sentence" and len(listed) > 1 and len(text) > _LONG:
        if n == 0 and first.isalpha() and first.islower():
            return "cut off at its beginning"
        if n == len(listed) - 1 and text[statement.end - 1] not in ".!?:;\"'”’)`":
            listing = text[: statement.start].rstrip(" ").endswith(("-", "*", "+", "\u2022"))
            return "" if listing else "cut off at its end"
    return ""
