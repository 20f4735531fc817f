"""Documents of several rows, and documents that come back: what of their versions ends, and what keeps its dates."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from memstrata_integrations.chroma.fields import ID
from memstrata_integrations.chroma.lookup import Lookup, Record
from memstrata_integrations.chroma.origins import source_of
from memstrata_integrations.chroma.plan import Document, Item, Origin, Place, Plan
from memstrata_integrations.chroma.scoping import Scope, lies_in
from memstrata_integrations.ledger.incoming import Incoming
from memstrata_integrations.ledger.rows import ALWAYS, WHOLE, Row, RowFact, TimelineKey, content_hash
from memstrata_integrations.ledger.time import MIN_TIME, OPEN


def stored_parts(
    lookup: Lookup, items: Sequence[Item]
) -> tuple[dict[str, Record], dict[Document, dict[str, list[str]]]]:
    """Return the stored rows of the documents that a batch holds parts of, where versions may differ."""
    asked: dict[tuple[str, Scope], dict[str, Origin]] = {}
    for origin in {i.origin for i in items if i.origin is not None}:
        known = lookup.state.versions.get((origin.field, origin.id)) if lookup.state.exclusive else None
        if known != (origin.scope, origin.version):
            asked.setdefault((origin.field, origin.scope), {})[origin.id] = origin
    found: dict[str, Record] = {}
    parts: dict[Document, dict[str, list[str]]] = {}
    for (name, scope), origins in asked.items():
        records = lookup.fetch(lookup.ids_in(name, list(origins), scope), ("documents",))
        for record in lookup.acknowledged(list(records.values())):
            metadata = record["metadata"] or {}
            if ID in metadata or not lies_in(metadata, scope):
                continue
            origin = origins[str(metadata[name])]
            version = origin.read(metadata)
            if version is not None and record["id"] not in origin.keep:
                found[record["id"]] = record
                parts.setdefault(origin.document, {}).setdefault(version, []).append(record["id"])
    return found, parts


def take_in(lookup: Lookup, more: Mapping[str, Record], rows: dict[str, Row], records: dict[str, Record]) -> None:
    """Add further records, and their rows, to those at hand."""
    fresh = {i: r for i, r in more.items() if i not in records}
    records.update(fresh)
    rows.update(lookup.rows_of(fresh))


def load_pasts(lookup: Lookup, items: Sequence[Item], rows: dict[str, Row], records: dict[str, Record]) -> None:
    """Load what counts when a text without an id repeats a row of a document that has versions."""
    contents = {content_hash(i.document) for i in items if not i.explicit}
    versioned = {r.document_id: None for r in rows.values() if r.content in contents and r.windows != ALWAYS}
    if versioned:
        take_in(lookup, lookup.fetch([*versioned, *lookup.archived_ids(versioned)]), rows, records)


def write_part(plan: Plan, item: Item, origin: Origin, new: Incoming, earlier: Sequence[RowFact]) -> str | None:
    """Write one row of a document; what other versions of the document hold ends where this one begins.

    It ends itself where the next version begins, by that one's word.
    """
    ledger = plan.ledger
    parts = plan.parts.setdefault(origin.document, {})
    known = ledger.rows.get(item.id)
    stood = ledger.versions(item.id)
    place = plan.places.get(origin) or _place(plan, origin, new)
    if origin.whole:  # all its rows begin at once
        plan.places[origin] = place
    if new.valid_from is None and (place.older or origin.whole):
        before = [i for i in parts[place.older[1]] if i not in origin.left_out] if place.older else []
        last = [f for i in before for f in ledger.rows[i].facts]
        goes_on = origin.whole and known is not None and item.id not in origin.left_out
        stated = [*last, *known.facts] if known is not None and goes_on else last
        otherwise = said_otherwise(plan, new.facts, stated, item.metadata or {}, new.recorded_at)
        if origin.whole:
            otherwise |= {f.timeline for f in new.facts if not any(map(f.same_fact, stated))}
        moved_on = place.older is not None and item.id not in parts.get(origin.version, ())
        new = replace(new, anew=new.anew | otherwise, keeps=moved_on or goes_on)
        earlier = [*earlier, *last] if known is None else earlier
    new = replace(new, whole=origin.whole, together=plan.first if origin.whole else None)
    stored_as = ledger.write(new, earlier=earlier)
    precedence = WHOLE if origin.whole else 0
    for row_id in place.ending:
        ledger.silence(row_id, new.at, new.recorded_at, precedence=precedence)
    place.ending.clear()
    if known is None and stored_as is not None and place.older:
        ledger.silence(str(stored_as), MIN_TIME, new.recorded_at)
    if place.following is not None and not any(r.stands(place.following[0]) for r in stood):
        ledger.silence(item.id, *place.following, precedence=precedence)
    if ledger.rows[item.id].content == new.content:  # else it went to the archive
        for row_ids in parts.values():
            if item.id in row_ids:
                row_ids.remove(item.id)
        parts.setdefault(origin.version, []).append(item.id)
    return stored_as


def _place(plan: Plan, origin: Origin, new: Incoming) -> Place:
    """Find what a version of a document comes after, what comes after it, and which rows end where it begins."""
    ledger = plan.ledger
    same = {*(i.id for i in plan.items if i.origin == origin), *origin.keep}
    older: list[tuple[int, str]] = []
    ahead = [] if origin.following is None else [origin.following]
    ending: list[str] = []
    for version, row_ids in plan.parts[origin.document].items():
        for row_id in row_ids:
            if version == origin.version and not ledger.rows[row_id].deleted:
                continue
            rows = ledger.versions(row_id)
            told = [e for r in rows for e in r.contents]
            if not origin.whole:
                coming = (e for e in told if e.valid_from > new.at and any(r.stands(e.valid_from) for r in rows))
                ahead += [(e.valid_from, e.recorded_at) for e in coming]
            starts = [e.valid_from for e in told if e.valid_from <= new.at]
            if starts:
                older.append((max(starts), version))
                if row_id not in same and any(r.stands(new.at) for r in rows):
                    ending.append(row_id)
                    ledger.carry_on(row_id, origin.following)
            elif any(w.start == MIN_TIME for r in rows for w in r.windows):
                ledger.silence(row_id, MIN_TIME, new.recorded_at)
    return Place(max(older, default=None), min(ahead, default=None), ending)


def deleted_twins(plan: Plan, facts: Sequence[RowFact], metadata: Mapping[str, Any]) -> list[Row]:
    """Return the deleted rows of the same source that state any of these keys."""
    source, digests = source_of(metadata), {f.digest for f in facts}
    deleted = (row for row in plan.ledger.rows.values() if source and row.deleted)
    alike = (row for row in deleted if any(f.digest in digests for f in row.facts))
    return [row for row in alike if _source(plan, row) == source]


def _source(plan: Plan, row: Row) -> tuple[tuple[str, Any], ...]:
    return source_of(plan.metadata_of(row.id) or {})


def said_otherwise(
    plan: Plan, facts: Sequence[RowFact], earlier: Sequence[RowFact], metadata: Mapping[str, Any], instant: int
) -> frozenset[TimelineKey]:
    """Return the timelines of which a document that comes back must not keep its dates.

    It keeps them, and stays superseded, while another source's statement stands against it. Where its own source has
    said otherwise since, or what stood against it is gone, it speaks anew; else nothing at all would be served.
    """
    source = source_of(metadata)
    anew = set()
    for fact in facts:
        kept = [a.rank for f in earlier if f.same_fact(fact) for a in f.assertions if a.undone_at == OPEN]
        rows = plan.ledger.rows.values() if kept else ()
        rivals = [(row, f) for row in rows for f in row.facts if f.timeline == fact.timeline]
        against = [
            (row, f)
            for row, f in rivals
            for a in f.all_assertions
            if a.value != fact.value and a.undone_at == OPEN and a.rank > max(kept) and instant in a.interval
        ]
        own = any(source and _source(plan, row) == source for row, _ in against)
        standing = any(instant in i for _, f in against for i in f.live)
        if own or (against and not standing):
            anew.add(fact.timeline)
    return frozenset(anew)


def earliest(items: Sequence[Item], rows: Mapping[str, Row], first: int, *, whole: bool) -> int:
    """Return the earliest valid time at which a batch that is recorded from `first` on may assert anything, µs.

    `rows` are all versions of the documents that it names; if `whole`, what a deleted document said counts, too.
    """
    if whole and any(item.facts and item.valid_from is None for item in items):
        return MIN_TIME
    named = {item.id for item in items}
    told = [a.valid_from for r in rows.values() if r.document_id in named for f in r.facts for a in f.assertions]
    return min([first, *told, *(item.valid_from for item in items if item.valid_from is not None)])
