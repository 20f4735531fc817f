"""The context block within a budget of tokens: what a model is given to read, made of ranked documents. Pure.

A block holds whole statements of its documents, as they are written, each once, under their source.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from itertools import takewhile
from typing import Any, NamedTuple

from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.extraction.statements import Statement, statements
from memstrata_integrations.extraction.words import singular

__all__ = ["Block", "check_budget", "estimate_tokens", "pack", "pack_blocks"]

TokenCounter = Callable[[str], int]

_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]|[ \t]{2,}|\n+|[^\s\w]|_|[^\x00-\x7f]", re.ASCII)
_LABELS = ("source", "file_path", "url", "title", "file_name")
_IDENTITIES = ("source", "file_path", "url", "ref_doc_id", "document_id", "doc_id")
_MARKS = "#*_=: \t\n-"  # stand around the words of a heading
_LEANING = re.compile(r"(?:it|its|they|their|this|that|these|those|he|she|his|her|both|such|here|there)\b", re.I)
_STOP_WORDS = frozenset("a an and are at by can doe for from how in is it of on or that the to what which who".split())


class Block(NamedTuple):
    """The part of a packed context that comes from one source.

    Attributes:
        text: What the model reads, the line with the source included.
        ranks: Which of the documents it was made of, as positions in the input, best first.
    """

    text: str
    ranks: tuple[int, ...]


def estimate_tokens(text: str) -> int:
    """Return an upper estimate of the tokens of a text, without a tokenizer.

    On some 3,000 texts (documentation, source, chats, settings) it was 1.4 to 1.7 times the tokens of OpenAI's
    cl100k_base and o200k_base (more where it is full of numbers), and below them on none; random letters may be:
    where the limit is hard, give `pack` your model's own tokenizer.

    Example:
        >>> estimate_tokens("The billing API listens on port 9090.")
        17
    """
    total = 0
    for match in _PIECE.finditer(text):
        piece = match[0]
        letters = 4 if piece[0].islower() else 2 if piece.isupper() and len(piece) > 1 else 3  # to a token, at least
        if not piece.isascii():
            total += len(piece.encode("utf-8", "surrogatepass"))
        else:
            total += -(-len(piece) // letters) if piece.isalpha() else 1
            total += piece[0].isdigit() and text[match.start() - 1 : match.start()] == " "  # which is a token then
    return total + 2 if total else 0


def pack(
    documents: Iterable[Any],
    *,
    budget: int = 2000,
    query: str | None = None,
    count_tokens: TokenCounter | None = None,
    sources: bool = True,
    dates: bool = False,
    separator: str = "\n\n",
) -> str:
    r"""Return the context block that ranked documents make within a budget of tokens.

    Documents stand best first, those of one source together. A statement in the same words as one before is left out: a
    sentence wherever it stands; a list item, a field, a table or code only of the same source under the same headings;
    a sentence that leans on the one before it ("It listens on 80.") only behind the same one. When not all of it fits,
    whole statements go: those of the lowest documents first, and within a document those that share fewer words with
    the query, or that come later. A statement stands under its headings or goes; a table, a block of code, and a list
    item with what is indented under it are one statement.

    Args:
        documents: Best first: LangChain documents, LlamaIndex nodes with or without score, texts, or mappings with
            ``page_content`` or ``text``, and ``metadata``.
        budget: The most tokens the block may have, by `count_tokens`; it is never exceeded. Where not even one
            statement fits with its source, the block is empty.
        query: What was asked; by default position decides.
        count_tokens: Returns the number of tokens of a text; by default `estimate_tokens`.
        sources: Name the source above its statements: the first of the metadata ``source``, ``file_path``, ``url``,
            ``title``, ``file_name``, or the id of the reference document.
        dates: Say from and until when a document is valid, where its metadata shows it (``show_validity=True`` of the
            store); documents of one source with different dates then stand apart.
        separator: What stands between sources.

    Raises:
        InvalidInputError: For a budget that is no positive integer, a document of another kind, or a counter that
            doesn't count.

    Example:
        >>> page = {"text": "The port is 80. Ask Ann now.", "metadata": {"source": "a.md"}}
        >>> print(pack([page, "Ask Ann now. Bob sits here."]))
        Source: a.md
        <BLANKLINE>
        The port is 80. Ask Ann now.
        <BLANKLINE>
        Source: unknown
        <BLANKLINE>
        Bob sits here.
    """
    if not isinstance(separator, str):
        raise InvalidInputError(f"separator={separator!r} is no text")
    blocks = pack_blocks(documents, budget, query, count_tokens, sources, dates, separator)
    return separator.join(block.text for block in blocks)


def pack_blocks(
    documents: Iterable[Any],
    budget: int = 2000,
    query: str | None = None,
    count_tokens: TokenCounter | None = None,
    sources: bool = True,
    dates: bool = False,
    separator: str = "\n\n",
) -> list[Block]:
    """Return what `pack` does, not yet joined: one block for each source (and date, if asked)."""
    limit = check_budget(budget)
    if query is not None and not isinstance(query, str):
        raise InvalidInputError(f"query={query!r} is no text")
    if isinstance(documents, (str, bytes, Mapping)) or not isinstance(documents, Iterable):
        raise InvalidInputError(f"pack takes a list of documents, got {type(documents).__name__}; put it in a list")
    read = [_read(rank, document, dates) for rank, document in enumerate(documents)]
    named = sources and any(document.label for document in read)
    units: list[_Unit] = []
    for document in read:
        units += _units(document, len(units))

    def blocks(chosen: Iterable[int]) -> list[Block]:
        return _blocks({i for n in chosen for i in (n, *units[n].needs)}, units, named)

    def size(chosen: Iterable[int]) -> int:
        return _counted(separator.join(block.text for block in blocks(chosen)), count_tokens)

    first = {units[n].key: n for n in reversed(range(len(units)))}
    alone = set(first.values()).difference(*(unit.needs for unit in units))  # a heading comes with what is under it
    wanted = _words(query or "")
    order = sorted(alone, key=lambda n: (units[n].document.rank, -len(wanted & _words(units[n].words)), n))
    fitting = bisect_right(range(1, len(order) + 1), limit, key=lambda count: size(order[:count]))
    chosen = order[:fitting]
    left = limit - size(chosen)
    for n in order[fitting:]:  # a shorter statement may fit where a longer one didn't
        if _counted(units[n].text, count_tokens) <= left and (needed := size([*chosen, n])) <= limit:
            chosen.append(n)
            left = limit - needed
    return blocks(chosen)


def check_budget(budget: Any) -> int:
    """Return a budget, if it is a positive integer."""
    if not _is_whole(budget) or budget < 1:
        raise InvalidInputError(f"budget={budget!r} is no number of tokens; give a positive integer such as 2000")
    return int(budget)


def _is_whole(number: Any) -> bool:
    return hasattr(number, "__index__") and not isinstance(number, bool)


def _counted(text: str, count_tokens: TokenCounter | None) -> int:
    count = (count_tokens or estimate_tokens)(text) if text else 0
    if not _is_whole(count):
        raise InvalidInputError(
            f"count_tokens returned {type(count).__name__}, not a number of tokens; "
            "give lambda text: len(tokenizer.encode(text))"
        )
    return int(count)


def _words(text: str) -> frozenset[str]:
    return frozenset(singular(word) for word in re.findall(r"[^\W_]+", text.casefold())) - _STOP_WORDS


class _Document(NamedTuple):
    rank: int
    text: str
    source: str  # what documents of one source share; empty if it isn't known
    label: str
    dates: str


class _Unit(NamedTuple):
    """A statement of a document, or several that only stand together."""

    document: _Document
    gap: str  # what stands between it and the unit before
    text: str
    needs: tuple[int, ...]  # its headings, as positions among all units
    key: tuple[str, ...]  # what two units share if the second says nothing new
    words: str  # its own and those of its headings


def _read(rank: int, document: Any, dates: bool) -> _Document:
    """Read a document of any of the kinds, without importing a framework."""
    node = getattr(document, "node", document)
    if isinstance(document, Mapping):
        text, metadata = document.get("page_content", document.get("text")), document.get("metadata")
    else:
        text, metadata = getattr(node, "page_content", document), getattr(node, "metadata", None)
    if hasattr(node, "get_content"):
        text = node.get_content(metadata_mode="none")  # a str enum: LlamaIndex compares by value
    if not isinstance(text, str) or not isinstance(metadata, (Mapping, type(None))):
        raise InvalidInputError(
            f"document {rank} cannot be packed: {type(document).__name__} {document!r:.80}; give LangChain documents, "
            "LlamaIndex nodes, texts, or mappings with page_content or text, and metadata (no scores beside them)"
        )
    fields = {"ref_doc_id": getattr(node, "ref_doc_id", None), **(metadata or {})}
    known = {name: " ".join(str(value).split()) for name, value in fields.items() if value is not None}
    label = next((known[n] for n in (*_LABELS, *_IDENTITIES) if known.get(n)), "")
    source = next((known[n] for n in _IDENTITIES if known.get(n)), label)
    start, end = (known.get(f"memstrata_valid_{n}", "").removesuffix("T00:00:00+00:00") for n in ("from", "to"))
    valid = (f" from {start}" if start else "") + (f" {'to' if start else 'until'} {end}" if end else "")
    return _Document(rank, text.rstrip(), source, label, f"valid{valid}" if dates and valid else "")


def _units(document: _Document, first: int) -> list[_Unit]:
    """Return what a text can be taken apart into, in its order; `first` is the position of the first unit."""
    units: list[_Unit] = []
    titles: dict[str, int] = {}
    pos, before = 0, ""
    for head, last, lead in _spans(document.text):
        start = head.start - len(lead)
        text = document.text[start : last.end]
        if head.fence is not None and (last.kind != "mark" or last is head):  # a splitter cut the block
            text += "\n" + "".join(takewhile("`~".__contains__, document.text[head.start :]))
        needs = [titles[t] for t in (h.strip(_MARKS) for h in head.headings) if t in titles]
        said = " ".join(text.split())
        key: tuple[str, ...] = (said, document.dates)
        if head.kind != "sentence" or lead.strip():
            key += (document.source, *head.headings)
        elif _LEANING.match(text) or said.count(" ") < 2:
            key += (document.source, before)
        if head.kind in ("heading", "mark") or said.rstrip("*_").endswith(":"):
            titles[text.splitlines()[0 if head.kind == "heading" else -1].strip(_MARKS)] = first + len(units)
        gap = document.text[pos:start] if units else "\n\n"
        units.append(_Unit(document, gap, text, tuple(needs), key, " ".join((said, *head.headings))))
        pos, before = last.end, said
    return units


def _spans(text: str) -> list[tuple[Statement, Statement, str]]:
    """Return the first and the last of statements that only stand together, and the indent and mark before them."""
    spans: list[tuple[Statement, Statement, str]] = []
    for statement in statements(text):
        line = text.rfind("\n", 0, statement.start) + 1
        if statement.kind == "mark" and statement.fence is None and not text[line : statement.end].strip("-*_ "):
            continue  # a rule stands between statements
        if spans:
            head, last, lead = spans[-1]
            block = statement.fence is not None or {head.kind, statement.kind} <= {"code", "mark", "row"}
            indented = text[line].isspace() and head.kind != "heading"
            if indented or ((block or lead.strip()) and statement.paragraph == head.paragraph):
                spans[-1] = (head, statement, lead)
                continue
        spans.append((statement, statement, "" if spans and last.end > line else text[line : statement.start]))
    return spans


def _blocks(chosen: set[int], units: list[_Unit], named: bool) -> list[Block]:
    """Return the parts of the sources, best first: as written, with a blank line where something is left out."""
    sources: dict[tuple[str, ...], list[int]] = {}
    for n in sorted(chosen):
        document = units[n].document
        sources.setdefault((document.source or str(document.rank), document.source, document.dates), []).append(n)
    blocks: list[Block] = []
    for members in sources.values():
        best = units[members[0]].document
        head = best.dates[:1].upper() + best.dates[1:]
        if named:
            head = f"Source: {best.label or 'unknown'}" + (f" ({best.dates})" if best.dates else "")
        text = head + "".join((units[n].gap if n - 1 in chosen else "\n\n") + units[n].text for n in members)
        blocks.append(Block(text.removeprefix("\n\n"), tuple({units[n].document.rank: 0 for n in members})))
    return blocks
