"""Where texts come from, as their metadata tells: what keeps bare statements of two places apart."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from memstrata_integrations.chroma.plan import Item

SOURCE_FIELDS = ("source", "file_path", "url", "user_id", "session_id")
"""Metadata fields that tell two sources apart, for facts whose subject names no entity."""

_PART_FIELDS = ("page", "page_label", "page_number", "section", "heading", "headings", "header_path", "row", "seq_num")
_HEADER_FIELD = re.compile(r"(?:h|header|heading)[ _-]?[1-6]", re.IGNORECASE)
"""What splitters and loaders say of the part of a source: "the manager" of another heading is another one."""

_PAGE_FIELDS = ("source", "file_path", "url", "ref_doc_id", "document_id", "doc_id")
"""Fields that name a document of several chunks."""


def source_of(metadata: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """Return the fields of a metadata that name its source."""
    return tuple((name, metadata[name]) for name in SOURCE_FIELDS if metadata.get(name) is not None)


def names_part(field: str) -> bool:
    """Whether a metadata field names a part of a source: its section, its page."""
    return field in _PART_FIELDS or _HEADER_FIELD.fullmatch(field) is not None


def part_of(metadata: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """Return the fields of a metadata that name the part of a source, in the order of their names."""
    return tuple((name, value) for name, value in sorted(metadata.items()) if value is not None and names_part(name))


def without_contradictions(items: Sequence[Item]) -> None:
    """Leave out what chunks of one document, written at once, say differently under the same bare words.

    "The manager is Ann" and "The manager is Bo" of one page speak of two managers, whose headings the chunks no longer
    show. A document that contradicts itself states neither, as a text does.
    """
    told: dict[tuple[Any, ...], set[str | None]] = {}
    unnamed = (None, "None")  # LlamaIndex writes the word for a node without a source
    pages = [
        [(name, repr(i.merged[name])) for name in _PAGE_FIELDS if i.merged.get(name) not in unnamed] for i in items
    ]
    for item, page in zip(items, pages, strict=True):
        for fact in item.facts:
            for named in page if fact.local else ():
                told.setdefault((named, item.valid_from, fact.timeline), set()).add(fact.value)
    for item, page in zip(items, pages, strict=True):
        item.unclear = ()
        if not item.stays:
            at = item.valid_from
            clear = [all(len(told.get((p, at, f.timeline), ())) < 2 for p in page) for f in item.facts]
            item.unclear = tuple(f.span for f, one in zip(item.facts, clear, strict=True) if not one)
            item.facts = tuple(f for f, one in zip(item.facts, clear, strict=True) if one)
            item.prose = item.prose or bool(item.unclear)
