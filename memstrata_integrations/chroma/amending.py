"""What changes the ledger on request: retraction, undo, deletion, adoption."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from memstrata_integrations.chroma.explicit import has_several_values
from memstrata_integrations.chroma.fields import (
    NODE_FIELDS,
    TO,
    decode,
    encode,
    latest_in,
    neighbours,
    user_metadata,
    without_neighbours,
)
from memstrata_integrations.chroma.finding import canonical_key, find, rows_and_metadata
from memstrata_integrations.chroma.inspection import keys_of, ledger_of, rows_written_over, suggested, versions
from memstrata_integrations.chroma.intake import Dating
from memstrata_integrations.chroma.keying import sources_of
from memstrata_integrations.chroma.lookup import Lookup
from memstrata_integrations.chroma.origins import SOURCE_FIELDS, source_of
from memstrata_integrations.chroma.plan import Item, Plan
from memstrata_integrations.chroma.scoping import lies_in, scope_of
from memstrata_integrations.chroma.session import Session
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.ledger.changes import Change, Changes
from memstrata_integrations.ledger.ledger import Ledger
from memstrata_integrations.ledger.rows import Edition, Row
from memstrata_integrations.ledger.time import MIN_TIME, OPEN
from memstrata_integrations.options import PREFIX

__all__ = ["adopt", "delete", "end", "forget_nodes", "retract", "supersede", "undo", "undo_source"]

logger = logging.getLogger("memstrata_integrations")

_PAGE = 5_000


def _settled(session: Session, ledger: Ledger, kind: Any, time: int, before: Mapping[str, Row]) -> tuple[Change, ...]:
    """Write down what changed in a ledger, and return it as changes."""
    records = session.lookup.fetch([i for i in ledger.changed if i not in ledger.moved])
    changes = []
    for row_id in list(ledger.changed):
        old, new = before.get(ledger.moved.get(row_id, row_id)), ledger.rows[row_id]
        if old is None or old.content != new.content:
            continue
        for was, now in zip(old.facts, new.facts, strict=True):
            if was.live != now.live and not was.narrative:
                at = max((i.end for i in now.live), default=was.live[0].start if was.live else time)
                grown = sum(i.end - i.start for i in now.live) > sum(i.end - i.start for i in was.live)
                changes.append(
                    Change(
                        kind="restored" if grown else kind,
                        subject=was.subject,
                        relation=was.relation,
                        old=was.object,
                        new=None,
                        at=now.live[0].start if grown else at,
                        row_id=new.document_id,
                    )
                )
    session.state.versions.clear()
    ledger.note(time, time)
    session.writer.exchange(ledger, time)
    session.writer.settle(ledger, records, time)
    session.state.last_recorded = max(session.state.last_recorded, time)
    return tuple(changes)


def retract(
    session: Session,
    subject: str,
    relation: str | None,
    at: int | None,
    scope: Mapping[str, Any],
    now: int,
    *,
    statement: str | None = None,
) -> Changes:
    """Close the facts of a subject with no successor; see `TemporalCollection.retract`."""
    rows, digests = find(session.lookup, session.keying, subject, relation, scope, loosely=False)
    if rows and statement is not None:
        digests = digests & keys_of(session, statement, scope)
        if not digests:
            raise InvalidInputError(
                f"statement={statement!r} states none of them that go by the name {subject!r}; give the whole text, "
                "with its titles, and its source in scope="
            )
    held = session.lookup.fetch([r.id for r in rows])
    sources: dict[tuple[tuple[str, Any], ...], set[int]] = {}
    for row in rows:
        own = tuple(sources_of(user_metadata(held[row.id]["metadata"]) or {}))
        for fact in row.facts:
            if fact.digest in digests:
                sources.setdefault(own if fact.local else (), set()).add(fact.digest)
    if len(sources) > 1 and sources_of(scope):
        sources.pop((), None)  # a source is named, and has a fact of this name
    if len(sources) > 1:
        raise InvalidInputError(
            f"{len(sources)} facts go by the name {subject!r}, each of another source; say which one with "
            f"scope={{'source': ...}} (or {', '.join(SOURCE_FIELDS[1:])}), or {{'source': None}} for that of the whole "
            "store"
        )
    digests = {d for named in sources.values() for d in named}
    if not rows:
        what = subject if relation is None else f"{subject}, {relation}"
        near = suggested(session, subject, relation, scope)
        raise InvalidInputError(f"nothing is known of {what!r}, so nothing can end{near}")
    time = session.state.transaction_time(now, rows)
    before = {r.id: r for r in rows}
    ledger = ledger_of(session, rows)
    instant = time if at is None else at
    if several := _of_one_name(session, rows, digests, instant):
        raise InvalidInputError(
            f"{several} facts of different values go by the name {subject!r}, told apart by what stands above or "
            "beside them; say which with statement=, the whole text that states it, and its source in scope="
        )
    timelines = {f.timeline for r in rows for f in r.facts if f.digest in digests}
    for timeline in sorted(timelines):
        ledger.retract(timeline, instant, time, dated=at is not None)
    changes = _settled(session, ledger, "retracted", time, before)
    return Changes((time, time), changes=changes, retired=_hidden(before, ledger, time))


def _of_one_name(session: Session, rows: Sequence[Row], digests: set[int], at: int) -> int:
    """Return how many facts that go by one name, and should have one value, differ from an instant on; 0 if none do."""
    told: dict[tuple[str, str], dict[int, set[str | None]]] = {}
    for fact in (f for r in rows for f in r.facts if f.digest in digests and not f.narrative):
        several = fact.rule == "stated" and has_several_values(fact.subject, fact.relation, session.keying.vocabulary)
        if not several and any(i.end > at for i in fact.live):
            name = canonical_key(fact.subject, fact.relation, session.keying)
            told.setdefault(name, {}).setdefault(fact.digest, set()).add(fact.value)
    differ = [len(alike) for alike in told.values() if len(alike) > 1 and len(set().union(*alike.values())) > 1]
    return max(differ, default=0)


def _hidden(before: Mapping[str, Row], ledger: Ledger, instant: int) -> int:
    served = [i for i, r in before.items() if r.visible(instant)]
    return sum(1 for i in served if i not in ledger.rows or not ledger.rows[i].visible(instant))


def undo(session: Session, text: str, now: int, scope: Mapping[str, Any]) -> Changes:
    """Take back a write, named by its id, or a document's last one; see `TemporalCollection.undo`."""
    lookup = session.lookup
    span = Changes.parse_id(text)
    only = None
    if span is None:
        only = text
        rows = versions(lookup, text) if lookup.ids_within([text], scope) else []
        stated = [a for r in rows for a in r.stated if a.undone_at == OPEN]
        # an end of all time before is what an earlier version left, told late: no write of this document
        standing = [a.recorded_at for a in stated if a.value is not None or a.valid_from > MIN_TIME]
        if not any(r.begun for r in rows):
            raise InvalidInputError(f"there is no write of document {text!r} to undo")
        span = (max(standing), max(standing))
        told = max(standing)  # what it took the place of by its word ended in the same moment
        rows += [
            r
            for r, _ in rows_and_metadata(lookup)
            if r.document_id != text and any(e.value is None and e.recorded_at == told for e in r.editions)
        ]
    else:
        own = scope_of(scope, [name for name in session.options.scope if name in scope])
        known = list(rows_and_metadata(lookup))
        lying = [r for r, metadata in known if lies_in(metadata, own)]
        rows = [r for r in lying if _touched(r, span)]
        undone = [a for r in lying for a in r.all_assertions if a.undone_at < OPEN]
        if not rows and any(span[0] <= a.recorded_at <= span[1] for a in undone):
            raise InvalidInputError(f"write {text!r} was undone already")
        ends = {t for r, _ in known for t in _recorded(r) if t in span}  # also where a part of it was undone by itself
        if not rows or len(ends) < len(set(span)):  # both ends of the span are its own: it names one write
            raise InvalidInputError(f"there is nothing of write {text!r} in this collection to undo")
    times = range(span[0], span[1] + 1)
    if any(r.is_adopted and all(a.recorded_at in times for a in r.stated if a.undone_at == OPEN) for r in rows):
        raise InvalidInputError(
            f"{text!r} keyed what other code had written, and undoing that would hide it; look at adopt(dry_run=True) "
            "before adopting, and tell what is true anew (or delete the row that says otherwise)"
        )
    rows = _with_relatives(lookup, rows)
    before = {r.id: r for r in rows}
    time = session.state.transaction_time(now, rows)
    ledger = ledger_of(session, rows)
    if not ledger.undo(*span, time, only):
        raise InvalidInputError(f"{text!r} was undone already")
    changes = _settled(session, ledger, "ended", time, before)
    return Changes((time, time), changes=changes, retired=_hidden(before, ledger, time))


def undo_source(session: Session, source: Any, since: int, now: int, scope: Mapping[str, Any]) -> Changes:
    """Take back all that a source said from a transaction time on; see `TemporalCollection.undo`."""
    own = scope_of(scope, list(scope))
    found = [
        row
        for row, metadata in rows_and_metadata(session.lookup)
        if lies_in(metadata, own)
        and any(name in SOURCE_FIELDS and value == source for name, value in source_of(metadata))
        and any(a.recorded_at >= since and a.undone_at == OPEN for a in row.stated)
    ]
    if not found:
        raise InvalidInputError(f"source {source!r} has told nothing since then that stands")
    told = {a.recorded_at for r in found for a in r.stated if a.recorded_at >= since}
    replaced = [
        row
        for row, _ in rows_and_metadata(session.lookup)
        if any(e.value is None and e.recorded_at in told for e in row.editions)
    ]
    rows = _with_relatives(session.lookup, [*found, *replaced])
    before = {r.id: r for r in rows}
    time = session.state.transaction_time(now, rows)
    ledger = ledger_of(session, rows)
    ledger.undo_since({r.id for r in found}, since, time)
    changes = _settled(session, ledger, "ended", time, before)
    return Changes((time, time), changes=changes, retired=_hidden(before, ledger, time))


def _touched(row: Row, span: tuple[int, int]) -> bool:
    return any(span[0] <= a.recorded_at <= span[1] and a.undone_at == OPEN for a in row.all_assertions)


def _recorded(row: Row) -> set[int]:
    return {a.recorded_at for a in row.all_assertions}


def _with_relatives(lookup: Lookup, rows: Sequence[Row]) -> list[Row]:
    """Return rows with all that share a key or a document with them."""
    found = {r.id: r for r in rows}
    documents = list(dict.fromkeys(r.document_id for r in rows))
    related = lookup.fetch([*documents, *lookup.archived_ids(documents)], ("documents",))
    for row_id, record in related.items():
        found.setdefault(row_id, decode(row_id, record["metadata"], record["document"]))
    for row in lookup.rows_by_key({f.digest for r in found.values() for f in r.facts}):
        found.setdefault(row.id, row)
    return list(found.values())


def delete(session: Session, document_ids: Sequence[str], now: int, *, retire: bool) -> Changes:
    """Remove documents with all their versions, or end them."""
    lookup = session.lookup
    own = lookup.fetch(document_ids, ("documents",))
    records = {**own, **lookup.fetch(lookup.archived_ids(document_ids) if own else [])}
    doomed = [decode(i, r["metadata"], r["document"]) for i, r in records.items()]
    deleted = tuple(dict.fromkeys(r.document_id for r in doomed))
    if not doomed:
        return Changes((now, now))
    peers = lookup.rows_by_key({f.digest for r in doomed for f in r.facts})
    rows = {r.id: r for r in (*doomed, *peers)}
    time = session.state.transaction_time(now, rows.values())
    ledger = ledger_of(session, rows.values())
    if retire:
        for document_id in deleted:
            if document_id in ledger.rows:
                ledger.end(document_id, time, time)
    else:
        # earlier versions first: as long as one is there, so is the row that leads to it
        ledger.delete([r.id for r in sorted(doomed, key=lambda r: not r.archived)])
    changes = _settled(session, ledger, "ended", time, rows)
    if not retire:
        session.state.forget_texts()
    return Changes((time, time), ids=deleted, changes=changes, retired=_hidden(rows, ledger, time))


def forget_nodes(session: Session, document_ids: Sequence[str]) -> None:
    """Let the neighbours of LlamaIndex nodes that are about to be purged name them no more."""
    lookup = session.lookup
    gone = set(document_ids)
    doomed = lookup.fetch([*document_ids, *lookup.archived_ids(document_ids)])
    near = list(set[str]().union(*(neighbours(r["metadata"]) for r in doomed.values())) - gone)
    if not near:
        return
    kept = lookup.fetch([*near, *lookup.archived_ids(near)])
    contents = {i: without_neighbours(r["metadata"], gone) for i, r in kept.items()}
    changed = {i: {NODE_FIELDS[0]: content} for i, content in contents.items() if content is not None}
    ids, limit = list(changed), session.writer.batch_limit()
    for start in range(0, len(ids), limit):
        part = ids[start : start + limit]
        lookup.collection.update(ids=part, metadatas=[changed[i] for i in part])
    for row_id in ids:
        session.state.records.pop(row_id, None)


def end(session: Session, row_ids: Sequence[str], at: int | None, now: int, following: Edition | None) -> Changes:
    """End rows at an instant (µs, by default now), where an edition of their source begins without them."""
    records = session.lookup.fetch(row_ids, ("documents",))
    if not records:
        return Changes((now, now))
    rows = _with_relatives(session.lookup, [decode(i, r["metadata"], r["document"]) for i, r in records.items()])
    before = {r.id: r for r in rows}
    time = session.state.transaction_time(now, rows)
    ledger = ledger_of(session, rows)
    for row_id in records:
        ledger.carry_on(row_id, following)
        ledger.silence(row_id, time if at is None else at, time, whole=True)
    changes = _settled(session, ledger, "ended", time, before)
    return Changes((time, time), ids=tuple(records), changes=changes, retired=_hidden(before, ledger, time))


def supersede(session: Session, old: str, new: str, now: int) -> Changes:
    """End one document where another one, stored already, begins; see `TemporalCollection.supersede`."""
    records = session.lookup.fetch([old, new], ("documents",))
    for row_id in (old, new):
        if row_id not in records:
            raise InvalidInputError(f"there is no document {row_id!r} in this collection")
    if old == new:
        raise InvalidInputError(f"document {old!r} cannot take its own place")
    if not lies_in(user_metadata(records[old]["metadata"]), scope_of(records[new]["metadata"], session.options.scope)):
        raise InvalidInputError(f"documents {old!r} and {new!r} lie in two scopes")
    later = decode(new, records[new]["metadata"], records[new]["document"])
    if not later.visible(max(now, session.state.last_recorded)):
        raise InvalidInputError(f"document {new!r} is not valid now, so nothing would stand in the place of {old!r}")
    starts = [i.start for i in later.live() if i.start > MIN_TIME] or [max(later.begun)]
    earlier = decode(old, records[old]["metadata"], records[old]["document"])
    rows = _with_relatives(session.lookup, [earlier, later])
    before = {r.id: r for r in rows}
    time = session.state.transaction_time(now, rows)
    ledger = ledger_of(session, rows)
    until = max((e.rank, e.valid_to) for e in later.editions if e.value is not None and e.undone_at == OPEN)[1]
    at = min(starts)
    if not ledger.end(old, at, time, until=until):
        raise InvalidInputError(f"document {old!r} was over already when {new!r} began; nothing is to be done")
    if any(i.start == MIN_TIME for i in later.prose_live()):  # undated: what takes a place begins where that one ends
        ledger.silence(new, MIN_TIME, time)
    changes = _settled(session, ledger, "superseded", time, before)
    was, now_said = (records[i]["document"] for i in (old, new))
    told = Change("superseded", "text", "is replaced by", was, now_said, at, old, new)
    others = tuple(c for c in changes if c.row_id != old)
    return Changes((time, time), ids=(old,), changes=(told, *others), retired=_hidden(before, ledger, time))


# -- adoption -----------------------------------------------------------------------------------


def adopt(session: Session, dating: Dating, now: int, *, dry_run: bool, bar: Any) -> Changes:
    """Key rows that other code wrote; see `TemporalCollection.adopt`."""
    lookup = session.lookup
    over = [] if dry_run else rows_written_over(lookup)
    if over:
        logger.warning("%d rows were written over by other code: what they said before is forgotten", len(over))
    told: dict[str, int] = {}  # when: what took its place is newer
    limit = session.writer.batch_limit()
    for start in range(0, len(over), limit):
        told |= _forget(session, over[start : start + limit], now)
    keyed = set(lookup.collection.get(where={TO: {"$gte": -(2**62)}}, include=[])["ids"])
    foreign = [i for i in lookup.collection.get(include=[])["ids"] if i not in keyed]
    items: list[Item] = []
    for start in range(0, len(foreign), _PAGE):
        for row_id, record in lookup.fetch(foreign[start : start + _PAGE], ("documents",)).items():
            metadata = user_metadata(record["metadata"])
            [(valid_from, valid_to)] = dating.read(None, None, [metadata])
            items.append(
                Item(
                    id=row_id,
                    explicit=False,
                    document=record["document"],
                    metadata=metadata,
                    valid_from=valid_from,
                    valid_to=valid_to,
                    adopted=True,
                )
            )
    items.sort(key=lambda i: OPEN if i.valid_from is None else i.valid_from)
    bar.reset(total=len(items))
    parts: list[Changes] = []
    size = len(items) if dry_run else max(session.writer.batch_limit() // 2, 1)
    for start in range(0, len(items), size or 1):
        part = items[start : start + size]
        session.keying.extract(part)
        for item in part:
            if item.valid_from is None and item.extraction.facts:
                # it has been served as always valid, and is older than what is dated here
                item.valid_from = told.get(item.id, MIN_TIME)
        parts += _adopt_part(session, part, now, dry_run)
        bar.update(len(part))
    return Changes.joined(parts) if parts else Changes((now, now), committed=not dry_run)


def _forget(session: Session, row_ids: Sequence[str], now: int) -> dict[str, int]:
    """Leave rows in whose place other code has put another text as it would have: new, and without a past.

    Returns:
        When what was there before had been told last, µs.
    """
    lookup = session.lookup
    own = lookup.fetch(row_ids)
    held = {i: r["metadata"] for i, r in {**lookup.fetch(lookup.archived_ids(row_ids)), **own}.items()}
    if (history := lookup.both.history) is not None:
        moved = history.get(ids=list(own), include=["metadatas"])
        held.update(zip(moved["ids"], moved["metadatas"], strict=True))
    doomed = [decode(i, metadata) for i, metadata in held.items()]
    rows = {r.id: r for r in (*lookup.rows_by_key({f.digest for r in doomed for f in r.facts}), *doomed)}
    ledger = ledger_of(session, rows.values())
    ledger.delete([r.id for r in doomed])
    for row_id in own:
        del ledger.removed[row_id]
    _settled(session, ledger, "ended", session.state.transaction_time(now, rows.values()), rows)
    lookup.both.drop_copies()
    session.state.table.forget(list(own))
    reserved = {i: {name: None for name in r["metadata"] or () if name.startswith(PREFIX)} for i, r in own.items()}
    if ids := [i for i in own if reserved[i]]:
        with session.state.flipping():
            lookup.collection.update(ids=ids, metadatas=[reserved[i] for i in ids])
    for row_id in own:
        session.state.records.pop(row_id, None)
    return {i: latest_in(held[i]) for i in own}


def _adopt_part(session: Session, items: Sequence[Item], now: int, dry_run: bool) -> list[Changes]:
    plan = session.planner.plan(items, now)
    limit = session.writer.batch_limit()
    if not dry_run and len(plan.fresh) + len(plan.closers) > limit and len(items) > 1:
        half = len(items) // 2
        return [
            *_adopt_part(session, items[:half], now, dry_run),
            *_adopt_part(session, items[half:], now, dry_run),
        ]
    if not dry_run:
        if session.options.policy.guarded:
            report = str(plan.changes(committed=False))
            session.options.policy.check(_adopted_hidden(plan), session.collection.count(), report)
        ids = [*plan.fresh, *plan.closers]
        plan.ledger.rows.update((i, plan.ledger.rows[i].adopted()) for i in plan.fresh)
        plan.ledger.note(plan.first, plan.last)
        metadatas = [encode(plan.ledger.rows[i], (plan.records.get(i) or {}).get("metadata")) for i in ids]
        session.writer.reserve_slots(plan.ledger.rows[i] for i in ids)
        session.state.table.forget(ids)
        if ids:
            with session.state.flipping():
                session.collection.update(ids=ids, metadatas=metadatas)
        for row_id in ids:
            session.writer.note(row_id, plan.ledger.rows[row_id], plan.last)
        session.state.last_recorded = max(session.state.last_recorded, plan.last)
    changes = plan.changes(committed=not dry_run)
    return [replace(changes, added=0, confirmed=0, retired=_adopted_hidden(plan))]


def _adopted_hidden(plan: Plan) -> int:
    rows = plan.ledger.rows
    return sum(1 for i in plan.fresh if not rows[i].visible(plan.last)) + len(plan.retired())
