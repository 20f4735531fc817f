"""The audit trail of a collection: each retirement by which row, which source, which rule, and when."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from memstrata_integrations.chroma.both import pages
from memstrata_integrations.chroma.fields import NODE_FIELDS, decode, user_metadata
from memstrata_integrations.chroma.lookup import Lookup, Record
from memstrata_integrations.chroma.scoping import Scope, lies_in
from memstrata_integrations.ledger.retirements import Retirement, retirements
from memstrata_integrations.ledger.rows import Row, RowFact
from memstrata_integrations.ledger.time import OPEN, format_time

_PAGE = 1_000


def audit(lookup: Lookup, scope: Scope, since: int, until: int) -> Iterator[dict[str, Any]]:
    """Return the retirements of a scope that were recorded in a span, half-open, µs; see `TemporalCollection.audit`."""
    rows: list[Row] = []
    for ids in pages(lookup.collection.get(include=[])["ids"], _PAGE):
        page = lookup.fetch(ids, ("documents",))
        standing = lookup.standing([r for r in page.values() if lies_in(r["metadata"], scope)])
        rows += [decode(r["id"], r["metadata"], r["document"]) for r in standing]
    return _told(lookup, [r for r in retirements(rows) if since <= r.recorded_at < until])


def _told(lookup: Lookup, found: Sequence[Retirement]) -> Iterator[dict[str, Any]]:
    for start in range(0, len(found), _PAGE):
        page = found[start : start + _PAGE]
        named = {row.id for r in page for row in (r.row, r.by) if row is not None}
        records = lookup.fetch(list(named), ("documents",))
        yield from (_record(r, records) for r in page if r.row.id in records)  # else it was erased meanwhile


def _record(one: Retirement, records: Mapping[str, Record]) -> dict[str, Any]:
    fact = one.fact
    by = None if one.by is None else records.get(one.by.id)
    return {
        "kind": one.kind,
        "recorded_at": format_time(one.recorded_at),
        "subject": None if fact is None else fact.subject,
        "relation": None if fact is None else fact.relation,
        "old": None if fact is None else fact.object,
        "new": None if one.by_fact is None else one.by_fact.object,
        "valid_from": format_time(one.lost.start),
        "valid_to": format_time(one.lost.end),
        "rule": None if one.by_fact is None else one.by_fact.rule,
        "retired": _source(records[one.row.id], one.row, fact),
        "by": None if one.by is None or by is None else _source(by, one.by, one.by_fact),
        "undone_at": None if one.undone_at == OPEN else format_time(one.undone_at),
    }


def _source(record: Record, row: Row, fact: RowFact | None) -> dict[str, Any]:
    text = record["document"] or ""
    metadata = {k: v for k, v in (user_metadata(record["metadata"]) or {}).items() if k not in NODE_FIELDS[:2]}
    return {
        "id": row.document_id,
        "version": row.id if row.archived else None,
        "statement": text if fact is None else text[slice(*fact.span)],
        "rule": None if fact is None else fact.rule,
        "metadata": metadata,
    }
