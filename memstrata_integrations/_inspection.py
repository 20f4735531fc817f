"""What looks across time, or changes it on request: history, retraction, undo, deletion, adoption."""

from __future__ import annotations

import logging
import os
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from memstrata_integrations._intake import Dating
from memstrata_integrations._reading import Reader, Record
from memstrata_integrations._state import SharedState
from memstrata_integrations._writing import SOURCE_FIELDS, Item, Plan, Writer
from memstrata_integrations.canonical import canonical_subject
from memstrata_integrations.codec import FACTS, TO, decode, encode, user_metadata
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.facts import FactKey
from memstrata_integrations.history import Change, Changes, Explanation, Timeline, TimelineEntry
from memstrata_integrations.ledger import Ledger
from memstrata_integrations.relations import FUNCTIONAL, canonical_relation
from memstrata_integrations.rows import Row, RowFact, TimelineKey
from memstrata_integrations.time import MIN_TIME, OPEN, normalise

__all__ = [
    "adopt",
    "delete",
    "documents_about",
    "explain",
    "history",
    "progress_bar",
    "retract",
    "scrub",
    "undo",
    "verify",
]

logger = logging.getLogger("memstrata_integrations")

_PAGE = 5_000


# -- finding facts ----------------------------------------------------------------------------


def _digests(writer: Writer, subject: str, relation: str | None, scope: Mapping[str, Any]) -> set[int]:
    """Return the keys that a subject may have, one for each relation and reading of `scope`."""
    canonical = canonical_subject(subject)
    if relation is None:
        relations = {*FUNCTIONAL, *writer.policy.cardinalities}
    else:
        relations = {canonical_relation(relation) or relation}
    own = [(name, scope.get(name)) for name in writer.scope]
    source = [(f"source:{name}", scope[name]) for name in SOURCE_FIELDS if scope.get(name) is not None]
    pairs = [own, [*own, *source]] if source else [own]
    return {FactKey.of(p, canonical, r).digest() for p in pairs for r in relations}


def _find(
    writer: Writer, subject: str, relation: str | None, scope: Mapping[str, Any], *, loosely: bool
) -> tuple[list[Row], set[int]]:
    """Return the rows that state facts about a subject, and the keys of those facts.

    Args:
        writer: The collection's writer.
        subject: As the user says it.
        relation: Narrow to one relation.
        scope: Values of scope or source fields.
        loosely: If no subject is exactly this, take those that hold all its words.
    """
    if not isinstance(subject, str) or not subject.strip():
        raise InvalidInputError(f"subject={subject!r} is empty; name what the fact is about")
    for name in scope:
        if name not in writer.scope and name not in SOURCE_FIELDS:
            raise InvalidInputError(
                f"scope names {name!r}, which separates no facts here; known are {(*writer.scope, *SOURCE_FIELDS)!r}"
            )
    digests = _digests(writer, subject, relation, scope)
    rows = writer.reader.rows_by_key(digests)
    if rows:
        return rows, digests
    # confined to a source, or said with fewer words: look at every fact
    wanted = canonical_subject(subject)
    words = set(wanted.split())
    kind = None if relation is None else canonical_relation(relation) or relation
    exact: dict[int, RowFact] = {}
    loose: dict[int, RowFact] = {}
    for row in all_rows(writer.reader):
        for fact in row.facts:
            if kind is not None and fact.relation != kind:
                continue
            if fact.subject == wanted:
                exact[fact.digest] = fact
            elif loosely and words and words <= set(fact.subject.split()):
                loose[fact.digest] = fact
    found = set(exact or loose)
    return (writer.reader.rows_by_key(found) if found else []), found


def all_rows(reader: Reader) -> Iterator[Row]:
    """Yield every keyed row, a page at a time."""
    ids = reader.collection.get(where={TO: {"$gte": MIN_TIME}}, include=[])["ids"]
    for start in range(0, len(ids), _PAGE):
        for row_id, record in reader.fetch(ids[start : start + _PAGE]).items():
            yield decode(row_id, record["metadata"])


def documents_about(writer: Writer, subject: str, scope: Mapping[str, Any]) -> list[str]:
    """Return the ids of documents that state a fact about a subject, exactly.

    Raises:
        InvalidInputError: If there is none.
    """
    rows, digests = _find(writer, subject, None, scope, loosely=False)
    found = [r.document_id for r in rows if any(f.digest in digests for f in r.facts)]
    if not found:
        raise InvalidInputError(f"nothing is known about subject {subject!r}; history({subject!r}) finds near ones")
    return list(dict.fromkeys(found))


# -- history ----------------------------------------------------------------------------------


def history(
    writer: Writer,
    subject: str | None,
    relation: str | None,
    *,
    document_id: str | None,
    statement: str | None,
    scope: Mapping[str, Any],
    now: int,
) -> Timeline:
    """Return the timeline of a fact, a document, or the facts of a sentence.

    Raises:
        InvalidInputError: Unless exactly one of the three is asked for.
    """
    if sum(x is not None for x in (subject, document_id, statement)) != 1:
        raise InvalidInputError("history takes exactly one of subject, id= and statement=")
    if document_id is not None:
        rows = _versions(writer.reader, document_id)
        return Timeline(_entries(writer.reader, rows, None, now), now=now)
    if statement is not None:
        item = Item(id="-", explicit=True, document=statement, metadata=dict(scope) or None)
        writer.extract([item])
        facts, _, _ = writer._row_facts(item, scope)
        digests = {f.digest for f in facts}
        rows = writer.reader.rows_by_key(digests) if digests else []
    else:
        rows, digests = _find(writer, subject or "", relation, scope, loosely=True)
    return Timeline(_entries(writer.reader, rows, digests, now), now=now)


def _versions(reader: Reader, document_id: str) -> list[Row]:
    records = reader.fetch([document_id, *reader.archived_ids([document_id])], ("documents",))
    return [decode(r["id"], r["metadata"], r["document"]) for r in reader.acknowledged(list(records.values()))]


def _entries(reader: Reader, rows: Sequence[Row], digests: set[int] | None, now: int) -> list[TimelineEntry]:
    """Return an entry for each fact of `rows` among `digests`; without those, for each fact and text."""
    records = reader.fetch([r.id for r in rows], ("documents",))
    keys = {f.digest for r in rows for f in r.facts}
    peers = rows if digests is not None else (reader.rows_by_key(keys) if keys else [])
    stated: dict[TimelineKey, list[tuple[Row, RowFact]]] = {}
    for row in peers:
        for fact in row.facts:
            stated.setdefault(fact.timeline, []).append((row, fact))
    entries = []
    for row in rows:
        record = records[row.id]
        text = record["document"] or ""
        for fact in row.facts:
            if digests is None or fact.digest in digests:
                entries.append(_fact_entry(row, fact, text, record, stated.get(fact.timeline, ()), now))
        if digests is None and row.prose:
            live = row.prose_live()
            status = "current" if any(now in i for i in live) else "archived" if row.editions else "superseded"
            if all(e.undone_at != OPEN for e in row.editions):
                status = "undone"
            entries.append(
                TimelineEntry(
                    subject=None,
                    relation=None,
                    object=None,
                    statement=text,
                    id=row.document_id,
                    intervals=live,
                    asserted=tuple(a.interval for a in row.prose),
                    recorded_at=min((a.recorded_at for a in row.prose), default=MIN_TIME),
                    status=status,  # type: ignore[arg-type]
                    metadata=user_metadata(record["metadata"]),
                )
            )
    return entries


def _fact_entry(
    row: Row, fact: RowFact, text: str, record: Record, peers: Iterable[tuple[Row, RowFact]], now: int
) -> TimelineEntry:
    ended = fact.live[-1].end if fact.live else OPEN
    successor = None
    for other, stated in peers:
        if stated.value != fact.value and any(ended in i for i in stated.live):
            successor = other.document_id
    if any(now in i for i in fact.live):
        status = "current"
    elif fact.live and fact.live[0].start > now:
        status = "future"
    elif all(a.undone_at != OPEN for a in fact.assertions):
        status = "undone"
    elif not fact.live:
        status = "corrected"
    elif any(ended in w for w in row.windows):
        status = "superseded" if successor else "retracted"
    else:
        status = "superseded" if successor else "archived"
    start, end = fact.span
    return TimelineEntry(
        subject=fact.subject,
        relation=fact.relation,
        object=fact.object,
        statement=text[start:end],
        id=row.document_id,
        intervals=fact.live,
        asserted=tuple(a.interval for a in fact.assertions),
        recorded_at=min((a.recorded_at for a in fact.assertions), default=MIN_TIME),
        status=status,  # type: ignore[arg-type]
        superseded_by=successor,
        metadata=user_metadata(record["metadata"]),
        rule=fact.rule,
    )


def explain(writer: Writer, document_id: str, *, now: int) -> Explanation:
    """Say why a document is served or not.

    Raises:
        InvalidInputError: If there is no such document.
    """
    rows = [r for r in _versions(writer.reader, document_id) if not r.archived]
    if not rows:
        raise InvalidInputError(f"there is no document {document_id!r} in this collection")
    row = rows[0]
    entries = [e for e in _entries(writer.reader, rows, None, now) if e.subject is not None]
    peers = writer.reader.rows_by_key({f.digest for f in row.facts}) if row.facts else []
    others = _entries(writer.reader, peers, {f.digest for f in row.facts}, now)
    replaced = [
        o
        for o in others
        if o.superseded_by == document_id and any(o.subject == e.subject and o.relation == e.relation for e in entries)
    ]
    return Explanation(
        id=document_id,
        status="current" if row.visible(now) else "not served",
        statements=tuple(entries),
        replaced=tuple(replaced),
        prose=bool(row.prose),
    )


# -- retraction, undo, deletion -----------------------------------------------------------------


def _ledger(writer: Writer, rows: Iterable[Row]) -> Ledger:
    import uuid

    return Ledger(rows, archive_id=lambda _: f"memstrata-{uuid.uuid4().hex}")


def _settled(writer: Writer, ledger: Ledger, kind: Any, time: int, before: Mapping[str, Row]) -> tuple[Change, ...]:
    """Write down what changed in a ledger, and return it as changes."""
    records = writer.reader.fetch([i for i in ledger.changed if i not in ledger.moved])
    changes = []
    for row_id in list(ledger.changed):
        old, new = before.get(row_id), ledger.rows[row_id]
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
    writer.exchange(ledger, time)
    writer.settle(ledger, records, time)
    writer.state.last_recorded = max(writer.state.last_recorded, time)
    return tuple(changes)


def retract(
    writer: Writer, subject: str, relation: str | None, at: int | None, scope: Mapping[str, Any], now: int
) -> Changes:
    """Close the facts of a subject with no successor; see `TemporalCollection.retract`."""
    rows, digests = _find(writer, subject, relation, scope, loosely=False)
    sources = {f.digest for r in rows for f in r.facts if f.digest in digests and f.local}
    relations = {f.relation for r in rows for f in r.facts if f.digest in digests and f.local}
    if len(sources) > len(relations):
        raise InvalidInputError(
            f"{subject!r} names no entity and {len(sources)} sources state it; say which one with "
            f"scope={{'source': ...}} (or {', '.join(SOURCE_FIELDS[1:])})"
        )
    time = writer._transaction_time(now, rows)
    if not rows:
        logger.warning("retract(%r, %r): nothing is known about it, so nothing was closed", subject, relation)
        return Changes((time, time))
    before = {r.id: r for r in rows}
    ledger = _ledger(writer, rows)
    instant = time if at is None else at
    timelines = {f.timeline for r in rows for f in r.facts if f.digest in digests}
    for timeline in sorted(timelines):
        ledger.retract(timeline, instant, time, dated=at is not None)
    changes = _settled(writer, ledger, "retracted", time, before)
    return Changes((time, time), changes=changes, retired=_hidden(before, ledger, time))


def _hidden(before: Mapping[str, Row], ledger: Ledger, instant: int) -> int:
    served = [i for i, r in before.items() if r.visible(instant)]
    return sum(1 for i in served if i not in ledger.rows or not ledger.rows[i].visible(instant))


def undo(writer: Writer, change_or_id: Any, now: int) -> Changes:
    """Take back a write; see `TemporalCollection.undo`."""
    reader = writer.reader
    text = change_or_id.id if isinstance(change_or_id, Changes) else change_or_id
    if not isinstance(text, str) or not text:
        raise InvalidInputError(f"undo takes the Changes of a write, its id, or a document's id; got {text!r}")
    span = Changes.parse_id(text)
    only = None
    if span is None:
        only = text
        rows = _versions(reader, text)
        made = [a for r in rows for a in (*r.editions, *r.prose, *(a for f in r.facts for a in f.assertions))]
        standing = [a.recorded_at for a in made if a.undone_at == OPEN]
        if not standing:
            raise InvalidInputError(f"there is no write of document {text!r} to undo")
        span = (max(standing), max(standing))
    else:
        rows = [r for r in all_rows(reader) if _touched(r, span)]
        if not rows:
            raise InvalidInputError(f"there is nothing of write {text!r} in this collection to undo")
    rows = _with_relatives(reader, rows)
    before = {r.id: r for r in rows}
    time = writer._transaction_time(now, rows)
    ledger = _ledger(writer, rows)
    if not ledger.undo(*span, time, only):
        raise InvalidInputError(f"{text!r} was undone already")
    changes = _settled(writer, ledger, "ended", time, before)
    return Changes((time, time), changes=changes, retired=_hidden(before, ledger, time))


def _touched(row: Row, span: tuple[int, int]) -> bool:
    made = [*row.editions, *row.prose, *(a for f in row.facts for a in f.all_assertions)]
    return any(span[0] <= a.recorded_at <= span[1] and a.undone_at == OPEN for a in made)


def _with_relatives(reader: Reader, rows: Sequence[Row]) -> list[Row]:
    """Return rows with all that share a key or a document with them."""
    found = {r.id: r for r in rows}
    documents = list(dict.fromkeys(r.document_id for r in rows))
    related = reader.fetch([*documents, *reader.archived_ids(documents)], ("documents",))
    for row_id, record in related.items():
        found.setdefault(row_id, decode(row_id, record["metadata"], record["document"]))
    for row in reader.rows_by_key({f.digest for r in found.values() for f in r.facts}):
        found.setdefault(row.id, row)
    return list(found.values())


def delete(writer: Writer, document_ids: Sequence[str], now: int, *, retire: bool) -> Changes:
    """Remove documents with all their versions, or end them."""
    reader = writer.reader
    own = reader.fetch(document_ids, ("documents",))
    records = {**own, **reader.fetch(reader.archived_ids(document_ids) if own else [])}
    doomed = [decode(i, r["metadata"], r["document"]) for i, r in records.items()]
    deleted = tuple(dict.fromkeys(r.document_id for r in doomed))
    if not doomed:
        return Changes((now, now))
    peers = reader.rows_by_key({f.digest for r in doomed for f in r.facts})
    rows = {r.id: r for r in (*doomed, *peers)}
    time = writer._transaction_time(now, rows.values())
    ledger = _ledger(writer, rows.values())
    if retire:
        for document_id in deleted:
            if document_id in ledger.rows:
                ledger.retire(document_id, time)
    else:
        ledger.delete([r.id for r in doomed])
    changes = _settled(writer, ledger, "ended", time, rows)
    return Changes((time, time), ids=deleted, changes=changes, retired=_hidden(rows, ledger, time))


def scrub(state: SharedState) -> None:
    """Overwrite the free pages of a local database, which still hold deleted text."""
    if state.directory is None:
        return
    path = os.path.join(state.directory, "chroma.sqlite3")
    try:
        connection = sqlite3.connect(path, timeout=10, isolation_level=None)
        try:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.execute("VACUUM")
        finally:
            connection.close()
    except sqlite3.Error as error:
        logger.warning("rows were deleted, but free pages of %s could not be overwritten: %s", path, error)


# -- adoption and verification ------------------------------------------------------------------


@contextmanager
def progress_bar(wanted: bool) -> Iterator[Any]:
    """Yield a tqdm bar, or `None` when nobody would see it."""
    if not wanted or not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm

    with tqdm(unit="row", desc="adopt") as bar:
        yield bar


def adopt(
    writer: Writer, dating: Dating, clock: Callable[[], int], *, dry_run: bool, bar: Any
) -> Changes:
    """Key rows that other code wrote; see `TemporalCollection.adopt`."""
    reader = writer.reader
    keyed = set(reader.collection.get(where={TO: {"$gte": -(2**62)}}, include=[])["ids"])
    foreign = [i for i in reader.collection.get(include=[])["ids"] if i not in keyed]
    items: list[Item] = []
    for start in range(0, len(foreign), _PAGE):
        for row_id, record in reader.fetch(foreign[start : start + _PAGE], ("documents",)).items():
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
                )
            )
    items.sort(key=lambda i: OPEN if i.valid_from is None else i.valid_from)
    if bar is not None:
        bar.total = len(items)
        bar.refresh()
    parts: list[Changes] = []
    size = len(items) if dry_run else max(writer.batch_limit() // 2, 1)
    for start in range(0, len(items), size or 1):
        part = items[start : start + size]
        writer.extract(part)
        parts += _adopt_part(writer, part, clock(), dry_run)
        if bar is not None:
            bar.update(len(part))
    now = clock()
    return Changes(
        recorded_at=(parts[0].recorded_at[0], parts[-1].recorded_at[1]) if parts else (now, now),
        ids=tuple(i for p in parts for i in p.ids),
        changes=tuple(c for p in parts for c in p.changes),
        retired=sum(p.retired for p in parts),
        keyed=sum(p.keyed for p in parts),
        unkeyed=sum(p.unkeyed for p in parts),
        committed=not dry_run,
    )


def _adopt_part(writer: Writer, items: Sequence[Item], now: int, dry_run: bool) -> list[Changes]:
    plan = writer.plan(items, now)
    limit = writer.batch_limit()
    if not dry_run and len(plan.fresh) + len(plan.closers) > limit and len(items) > 1:
        half = len(items) // 2
        return [
            *_adopt_part(writer, items[:half], now, dry_run),
            *_adopt_part(writer, items[half:], now, dry_run),
        ]
    if not dry_run:
        if writer.policy.guarded:
            report = str(plan.changes(committed=False))
            writer.policy.check(_adopted_hidden(plan), writer.collection.count(), report)
        ids = [*plan.fresh, *plan.closers]
        metadatas = [encode(plan.ledger.rows[i], (plan.records.get(i) or {}).get("metadata")) for i in ids]
        writer._reserve_slots(plan.ledger.rows[i] for i in ids)
        writer.state.table.forget(ids)
        if ids:
            with writer.state.flipping():
                writer.collection.update(ids=ids, metadatas=metadatas)
        for row_id in ids:
            writer._note(row_id, plan.ledger.rows[row_id], plan.last)
        writer.state.last_recorded = max(writer.state.last_recorded, plan.last)
    changes = plan.changes(committed=not dry_run)
    from dataclasses import replace

    return [replace(changes, added=0, confirmed=0, retired=_adopted_hidden(plan))]


def _adopted_hidden(plan: Plan) -> int:
    rows = plan.ledger.rows
    return sum(1 for i in plan.fresh if not rows[i].visible(plan.last)) + len(plan.retired())


def verify(writer: Writer) -> list[str]:
    """Derive every row anew and return one line for each difference from what is stored."""
    reader = writer.reader
    ids = reader.collection.get(where={TO: {"$gte": MIN_TIME}}, include=[])["ids"]
    stored: dict[str, Row] = {}
    hulls: dict[str, tuple[int, int]] = {}
    for start in range(0, len(ids), _PAGE):
        for row_id, record in reader.fetch(ids[start : start + _PAGE]).items():
            if FACTS in (record["metadata"] or {}):
                stored[row_id] = decode(row_id, record["metadata"])
                hulls[row_id] = (record["metadata"]["memstrata_from"], record["metadata"][TO])
    ledger = _ledger(writer, stored.values())
    for document_id in {r.document_id for r in stored.values()}:
        ledger._recut(document_id)
    ledger.settle()
    found = []
    for row_id, row in ledger.rows.items():
        hull = row.hull()
        if row.windows != stored[row_id].windows or [normalise(f.live) for f in row.facts] != [
            normalise(f.live) for f in stored[row_id].facts
        ]:
            found.append(f"row {row_id!r}: stored intervals {_told(stored[row_id])}, derived {_told(row)}")
        elif (hull.start, hull.end) != hulls[row_id]:
            found.append(f"row {row_id!r}: stored hull {hulls[row_id]}, derived {(hull.start, hull.end)}")
    return found


def _told(row: Row) -> str:
    return "; ".join(f"{f.subject} {f.relation}: " + ", ".join(map(str, f.live)) for f in row.facts) or "none"
