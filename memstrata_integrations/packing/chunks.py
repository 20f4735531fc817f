"""Documents as the packer reads them, and overlapping chunks of one source joined. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from memstrata_integrations.errors import InvalidInputError

__all__ = ["FENCE", "Chunk", "Piece", "joined", "read_chunk"]

_LABELS = ("source", "file_path", "url", "title", "file_name")
_IDENTITIES = ("source", "file_path", "url")
_REF_DOCS = ("ref_doc_id", "document_id", "doc_id")
_SECTION_FIELD = re.compile(r"page|page_label|section|h[1-6]|header[ _]?(?:[1-6]|path)", re.IGNORECASE)
_MIDNIGHT = "T00:00:00+00:00"
_OVERLAP = 16  # characters: what two chunks must share at least to be joined, where they don't say where they stand
_SEAMS = ("", "\n", "\n\n")
FENCE = re.compile(r"^[^\S\n]*(`{3,}|~{3,})[^\S\n]*([\w.+-]*)", re.MULTILINE)


class Chunk(NamedTuple):
    """A document as read: its text, and which source it belongs to.

    Attributes:
        rank: Its position in the input.
        text: The text, without blank lines around it.
        group: What the chunks of one source share.
        part: What the chunks of one page or section of it share; positions are compared within.
        start, end: Where it stands in the source, if known.
        label: The source as shown.
        dates: When it is valid, as shown.
    """

    rank: int
    text: str
    group: tuple[str, str]
    part: tuple[str, ...]
    start: int | None
    end: int | None
    label: str
    dates: str


def read_chunk(rank: int, document: Any, dates: bool) -> Chunk:
    """Read a document of any of the kinds, without importing a framework."""
    node = getattr(document, "node", document)
    metadata: Any = getattr(node, "metadata", None)
    text: Any = None
    if isinstance(document, str):
        text, metadata = document, None
    elif isinstance(document, Mapping):
        text = next((document[n] for n in ("page_content", "text", "content") if n in document), None)
        metadata = document.get("metadata")
    elif hasattr(node, "page_content"):
        text = node.page_content
    elif hasattr(node, "get_content"):
        text = node.get_content(metadata_mode="none")  # a str enum: LlamaIndex compares by value
    if not isinstance(text, str) or not isinstance(metadata, (Mapping, type(None))):
        raise InvalidInputError(
            f"document {rank} cannot be packed: {type(document).__name__} {document!r:.80}; give LangChain documents, "
            "LlamaIndex nodes, texts, or mappings with page_content or text, and metadata (no scores beside them)"
        )
    found: Mapping[str, Any] = metadata or {}
    ref_doc = getattr(node, "ref_doc_id", None) or _first(found, _REF_DOCS)
    label = _first(found, _LABELS) or str(ref_doc or "")
    identity = _first(found, _IDENTITIES) or str(ref_doc or "") or label
    start = _position(found.get("start_index"), getattr(node, "start_char_idx", None))
    end = _position(None, getattr(node, "end_char_idx", None))
    parts = sorted(f"{k}={v}" for k, v in found.items() if _SECTION_FIELD.fullmatch(str(k)))
    above = re.match(r"(?:[^\S\n]*\n)*", text)
    skipped = above.end() if above is not None else 0
    return Chunk(
        rank=rank,
        text=text[skipped:].rstrip(),
        group=("", identity) if identity else (str(rank), ""),
        part=(str(ref_doc), *parts),
        start=None if start is None else start + skipped,
        end=end,
        label=" ".join(label.split()),
        dates=_dates(found) if dates else "",
    )


def _first(metadata: Mapping[str, Any], names: Sequence[str]) -> str:
    return next((str(metadata[n]).strip() for n in names if str(metadata.get(n) or "").strip()), "")


def _position(*values: Any) -> int | None:
    return next((v for v in values if isinstance(v, int) and not isinstance(v, bool) and v >= 0), None)


def _dates(metadata: Mapping[str, Any]) -> str:
    start, end = (
        str(metadata.get(n) or "").removesuffix(_MIDNIGHT) for n in ("memstrata_valid_from", "memstrata_valid_to")
    )
    if start and end:
        return f"valid from {start} to {end}"
    return f"valid from {start}" if start else f"valid until {end}" if end else ""


# -- joining chunks -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Piece:
    """Chunks of one source that follow each other, as one text.

    Attributes:
        text: The text.
        origins: Which stretch of it came from which document: (start, end, rank).
        start, end: Where it stands in the source, if the chunks say so.
    """

    text: str
    origins: tuple[tuple[int, int, int], ...]
    start: int | None
    end: int | None


def joined(chunks: Iterable[Chunk]) -> list[tuple[Chunk, Piece]]:
    """Return the texts to read, each with its best chunk: sources by rank, and within one by position."""
    sources: dict[tuple[str, str], dict[tuple[str, ...], list[Chunk]]] = {}
    for chunk in chunks:
        sources.setdefault(chunk.group, {}).setdefault(chunk.part, []).append(chunk)
    found: list[tuple[Chunk, Piece]] = []
    for parts in sources.values():
        for part in parts.values():
            by_rank = {chunk.rank: chunk for chunk in part}
            part.sort(key=lambda c: (c.start is None, c.start or 0, c.rank))
            pieces = [Piece(c.text, ((0, len(c.text), c.rank),), c.start, c.end) for c in part]
            found += [(by_rank[min(o[2] for o in p.origins)], _closed(p)) for p in _merged(pieces)]
    return found


def _merged(pieces: Iterable[Piece]) -> list[Piece]:
    found: list[Piece] = []
    for new in pieces:
        piece, place, n = new, len(found), 0
        while n < len(found):
            union = _union(found[n], piece) or _union(piece, found[n])
            if union is None:
                n += 1
                continue
            del found[n]
            piece, place, n = union, min(place, n), 0
        found.insert(place, piece)
    return found


def _union(first: Piece, then: Piece) -> Piece | None:
    """Return two pieces as one if the second is in the first, begins in it or right behind it."""
    a, b = first.text, then.text
    inside = re.search(r"(?<!\w)" + re.escape(b) + r"(?!\w)", a)
    if inside is not None:
        return Piece(a, (*first.origins, *_shifted(then.origins, inside.start())), first.start, first.end)
    apart: int | None = None
    places = [m.start() for m in re.finditer(re.escape(b[:_OVERLAP]), a)] if len(b) >= _OVERLAP else []
    if first.start is not None and then.start is not None:
        places.append(then.start - first.start)
        apart = then.start - (first.end if first.end is not None else first.start + len(a))
    for at in places:
        if 0 < at < len(a) and b.startswith(a[at:]):
            return Piece(a[:at] + b, (*first.origins, *_shifted(then.origins, at)), first.start, then.end)
    if apart is not None and 0 <= apart < len(_SEAMS):  # the splitter stripped the white space there
        text = a + _SEAMS[apart]
        return Piece(text + b, (*first.origins, *_shifted(then.origins, len(text))), first.start, then.end)
    return None


def _shifted(origins: Iterable[tuple[int, int, int]], by: int) -> Iterator[tuple[int, int, int]]:
    return ((start + by, end + by, rank) for start, end, rank in origins)


def _closed(piece: Piece) -> Piece:
    """Return a piece whose code fences are closed; a splitter may have cut in the middle of one."""
    text, origins = piece.text, piece.origins
    fences = list(FENCE.finditer(text))
    named = next((n for n, fence in enumerate(fences) if fence[2]), 0)  # only what opens has a language
    if named % 2:
        opening = fences[0][1] + "\n"
        text, origins = opening + text, tuple(_shifted(origins, len(opening)))
    if (len(fences) + named) % 2:
        text += "\n" + fences[-1][1]
    return Piece(text, origins, piece.start, piece.end)
