"""Where texts come from, as their metadata tells: what keeps bare statements of two places apart."""

import re
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from memstrata_integrations.chroma.plan import Item
from memstrata_integrations.ledger.rows import RowFact

_ADDRESSES = ("source", "file_path", "url", "path", "file_name", "filename", "uri", "link")

SOURCE_FIELDS = (*_ADDRESSES, "title", "user_id", "session_id")
"""Metadata fields that tell two sources apart, for facts whose subject names no entity."""

SPEAKER_FIELDS = ("author", "sender", "speaker", "user", "username", "from", "name", "role")
"""Those that tell who "I" is, besides."""
_FIRST_PERSON = frozenset("i my me mine i'm i’m".split())

_PART_FIELDS = ("page", "page_label", "page_number", "section", "heading", "headings", "header_path", "row", "seq_num")
_HEADER_FIELD = re.compile(r"(?:h|header|heading)[ _-]?[1-6]", re.IGNORECASE)
"""What splitters and loaders say of the part of a source: "the manager" of another heading is another one."""

_PAGE_FIELDS = (*_ADDRESSES, "ref_doc_id", "document_id", "doc_id")
"""Fields that name a document of several chunks."""


def source_of(metadata: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """Return the fields of a metadata that name its source."""
    return tuple((name, metadata[name]) for name in SOURCE_FIELDS if metadata.get(name) is not None)


def speaker_of(subject: str, metadata: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """Return the fields of a metadata that name who speaks, of a subject in the first person."""
    if subject.partition(" ")[0].lower() not in _FIRST_PERSON:
        return ()
    return tuple((name, metadata[name]) for name in SPEAKER_FIELDS if metadata.get(name) is not None)


def names_part(field: str) -> bool:
    """Whether a metadata field names a part of a source: its section, its page."""
    return field in _PART_FIELDS or _HEADER_FIELD.fullmatch(field) is not None


def part_of(metadata: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """Return the fields of a metadata that name the part of a source, in the order of their names."""
    return tuple((name, value) for name, value in sorted(metadata.items()) if value is not None and names_part(name))


_CONTRADICTED = "another text of its source, of the same call and date, says otherwise"


def without_contradictions(items: Sequence[Item]) -> None:
    """Leave out what chunks of one document, written at once, say differently of one thing.

    "The manager is Ann" and "The manager is Bo" of one page speak of two managers, whose headings the chunks no longer
    show, and of "The API listens on 8080", "... on 9090" one is of staging. A document that contradicts itself states
    neither, as a text does. What goes by a name is compared only where the texts are known for pieces of one document.
    """
    told: dict[tuple[Any, ...], set[str | None]] = {}
    compared = [(item, _pages_of(item), _compared(item)) for item in items]
    for item, pages, facts in compared:
        for page, fact in product(pages, facts):
            told.setdefault((page, item.valid_from, fact.timeline), set()).add(fact.value)
    for origin, at in {(i.origin, i.valid_from) for i in items if i.origin is not None and i.origin.goes_on}:
        for timeline, value in origin.goes_on:
            told.setdefault(((origin.field, repr(origin.id)), at, timeline), set()).add(value)
    for item, pages, facts in compared:
        at, item.unclear = item.valid_from, ()
        gone = [f for f in facts if any(len(told.get((p, at, f.timeline), ())) > 1 for p in pages)]
        if gone and not item.stays:
            _leave_out(item, gone, _CONTRADICTED)


def without_collisions(items: Sequence[Item]) -> list[str]:
    """Leave out, and return, what one call states outright of one key and time under two names: a price and a cost.

    Whoever tells a table means two facts, whatever other words a relation has.
    """
    told: dict[tuple[Any, ...], dict[tuple[str, str], set[str | None]]] = {}
    stated = [(item, f) for item in items for f in item.facts if f.rule == "stated" and f.value is not None]
    for item, fact in stated:
        names = told.setdefault((item.valid_from, fact.timeline), {})
        names.setdefault((_name(fact.subject), _name(fact.relation)), set()).add(fact.value)
    found: dict[str, None] = {}
    for item in {id(item): item for item, _ in stated}.values():
        held = {f: told.get((item.valid_from, f.timeline), {}) for f in item.facts}
        gone = [f for f, names in held.items() if len(names) > 1 and len(set().union(*names.values())) > 1]
        if gone and not item.stays:
            found.update((f"{f.subject!r}, {f.relation!r}", None) for f in gone)
            _leave_out(item, gone, "the call states another value of it under another name")
    return list(found)


def _name(said: str) -> str:
    return " ".join(said.casefold().replace("_", " ").split())


def _leave_out(item: Item, gone: Sequence[RowFact], why: str) -> None:
    item.unclear = (*item.unclear, *((*f.span, why) for f in gone))
    item.facts, item.prose = tuple(f for f in item.facts if f not in gone), True


def _pages_of(item: Item) -> set[tuple[str, str]]:
    """Return the documents of which a text may be a piece."""
    unnamed = (None, "None")  # LlamaIndex writes the word for a node without a source
    found = {(name, repr(item.merged[name])) for name in _PAGE_FIELDS if item.merged.get(name) not in unnamed}
    return found if item.origin is None else {*found, (item.origin.field, repr(item.origin.id))}


def _compared(item: Item) -> list[RowFact]:
    """Return the facts of a text that another piece of its document may contradict; of names none stated outright."""
    piece = item.origin is not None or "start_index" in item.merged or bool(part_of(item.merged))
    return [f for f in item.facts if f.local or (piece and f.rule not in ("stated", "record"))]
