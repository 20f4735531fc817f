"""What looks across time: finding facts, their history, why a row is what it is, and whether it should be."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from memstrata_integrations.chroma.fields import FACTS, TO, decode, user_metadata
from memstrata_integrations.chroma.finding import canonical_key, find, near_names, rows_and_metadata
from memstrata_integrations.chroma.lookup import Record
from memstrata_integrations.chroma.plan import Item
from memstrata_integrations.chroma.lookup import Lookup
from memstrata_integrations.chroma.scoping import lies_in, scope_of
from memstrata_integrations.chroma.session import Session
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.ledger.changes import Explanation, Timeline, TimelineEntry, Unread
from memstrata_integrations.ledger.ledger import Ledger
from memstrata_integrations.ledger.rows import Row, RowFact, TimelineKey
from memstrata_integrations.ledger.time import MIN_TIME, OPEN, normalise

__all__ = ["documents_about", "explain", "history", "ledger_of", "texts_of", "verify", "versions"]

logger = logging.getLogger("memstrata_integrations")

_PAGE = 5_000

def texts_of(session: Session, document_ids: Sequence[str]) -> list[str]:
    """Return the texts of documents, those of all their versions."""
    ids = [*document_ids, *session.lookup.archived_ids(document_ids)]
    return [r["document"] for r in session.lookup.fetch(ids, ("documents",)).values() if r["document"]]


def documents_about(session: Session, subject: str, scope: Mapping[str, Any]) -> list[str]:
    """Return the ids of documents that state a fact about a subject, exactly.

    Raises:
        InvalidInputError: If there is none.
    """
    rows, digests = find(session.lookup, session.keying, subject, None, scope, loosely=False)
    found = [r.document_id for r in rows if any(f.digest in digests for f in r.facts)]
    if not found:
        raise InvalidInputError(f"nothing is known about {subject!r}{suggested(session, subject, None, scope)}")
    return list(dict.fromkeys(found))


def suggested(session: Session, subject: str, relation: str | None, scope: Mapping[str, Any]) -> str:
    """Return the end of a message: which facts are near to what was asked for."""
    near = near_names(session.lookup, session.keying, subject, relation, scope)
    return f"; did you mean {' or '.join(near)}?" if near else "; no fact has a name near to it"


# -- history ----------------------------------------------------------------------------------


def history(
    session: Session,
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
        rows = versions(session.lookup, document_id)
        return Timeline(_entries(session.lookup, rows, None, now), now=now)
    if statement is not None:
        item = Item(id="-", explicit=True, document=statement, metadata=dict(scope) or None)
        session.keying.extract([item])
        facts, _, _ = session.keying.row_facts(item, scope)
        digests = {f.digest for f in facts}
        rows = session.lookup.rows_by_key(digests) if digests else []
        return Timeline(_entries(session.lookup, rows, digests, now), now=now)
    name = subject or ""
    rows, digests = find(session.lookup, session.keying, name, relation, scope, loosely=True)
    digests = _stated(rows, digests) if relation is None else digests
    near = () if rows else near_names(session.lookup, session.keying, name, relation, scope)
    return Timeline(_entries(session.lookup, rows, digests, now), now=now, near=near)


def _stated(rows: Sequence[Row], digests: set[int]) -> set[int]:
    """Leave out keys under which only a change may have been told, where some text states one."""
    found = [f for row in rows for f in row.facts if f.digest in digests]
    return {f.digest for f in found if not f.narrative} or {f.digest for f in found[:1]}


def versions(lookup: Lookup, document_id: str) -> list[Row]:
    """Return all acknowledged versions of a document."""
    records = lookup.fetch([document_id, *lookup.archived_ids([document_id])], ("documents",))
    return [decode(r["id"], r["metadata"], r["document"]) for r in lookup.acknowledged(list(records.values()))]


def _entries(lookup: Lookup, rows: Sequence[Row], digests: set[int] | None, now: int) -> list[TimelineEntry]:
    """Return an entry for each fact of `rows` among `digests`; without those, for each fact and text."""
    records = lookup.fetch([r.id for r in rows], ("documents",))
    keys = {f.digest for r in rows for f in r.facts}
    peers = rows if digests is not None else (lookup.rows_by_key(keys) if keys else [])
    stated: dict[TimelineKey, list[tuple[Row, RowFact]]] = {}
    for row in peers:
        for fact in row.facts:
            stated.setdefault(fact.timeline, []).append((row, fact))
    entries = []
    for row in rows:
        record = records[row.id]
        text = record["document"] or ""
        told: set[tuple[int, str | None]] = set()  # a change acts on one key in several kinds of value
        for fact in row.facts:
            if (digests is None or fact.digest in digests) and (fact.digest, fact.object) not in told:
                told |= {(fact.digest, fact.object)} if fact.narrative else set()
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
        again = other.id != row.id and any(i.start == ended for i in stated.live)  # one value, in other words
        if (stated.value != fact.value or again) and any(ended in i for i in stated.live):
            successor = other.document_id
    if fact.object is None and all(a.undone_at == OPEN for a in fact.assertions):
        status = "ending"
    elif any(now in i for i in fact.live):
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
        change=fact.narrative,
    )


def explain(session: Session, document_id: str, *, now: int) -> Explanation:
    """Say why a document is served or not.

    Raises:
        InvalidInputError: If there is no such document.
    """
    rows = [r for r in versions(session.lookup, document_id) if not r.archived]
    if not rows:
        raise InvalidInputError(f"there is no document {document_id!r} in this collection")
    row = rows[0]
    entries = [e for e in _entries(session.lookup, rows, None, now) if e.subject is not None]
    peers = session.lookup.rows_by_key({f.digest for f in row.facts}) if row.facts else []
    others = _entries(session.lookup, peers, {f.digest for f in row.facts}, now)
    replaced = [
        o
        for o in others
        if o.superseded_by == document_id and o.id != document_id
    ]
    record = session.lookup.fetch([row.id], ("documents",))[row.id]
    text = record["document"] or ""
    return Explanation(
        id=document_id,
        status="current" if row.visible(now) else "not served",
        statements=tuple(entries),
        replaced=tuple(replaced),
        prose=bool(row.prose),
        unread=_unread(session, row, text),
        apart=_apart(session, row, user_metadata(record["metadata"])),
    )


def _unread(session: Session, row: Row, text: str) -> tuple[Unread, ...]:
    """Return what the grammar says of the statements that no fact covers; no model is asked."""
    from memstrata_integrations.extraction.grammar import GrammarExtractor

    chain = getattr(session.keying.extractor, "extractors", (session.keying.extractor,))
    grammar = next((e for e in chain if isinstance(e, GrammarExtractor)), None)
    found = grammar.extract([text])[0].unread if grammar is not None and text else ()
    covered = [f.span for f in row.facts]
    return tuple(
        Unread(row.document_id, text[start:end], reason)
        for start, end, reason in found
        if not any(a <= start and end <= b for a, b in covered)
    )


def _apart(session: Session, row: Row, metadata: Mapping[str, Any] | None) -> tuple[str, ...]:
    """Return which statements of other sources, in its scope, read like a row's and are not compared with them."""
    own = {
        (canonical_key(f.subject, f.relation, session.keying), f.dimension): f
        for f in row.facts
        if f.local and f.object is not None
    }
    if not own:
        return ()
    found = []
    scope = scope_of(metadata, session.options.scope)
    for other, told in rows_and_metadata(session.lookup):
        for fact in other.facts if other.document_id != row.document_id and lies_in(told, scope) else ():
            if not fact.local or fact.object is None:
                continue
            mine = own.get((canonical_key(fact.subject, fact.relation, session.keying), fact.dimension))
            if mine is not None and mine.digest != fact.digest and mine.value != fact.value:
                said = f"{other.document_id} says {fact.object!r}, of another source"
                found.append(f"{mine.subject} | {mine.relation}: {said}")
    return tuple(found)


# -- verification --------------------------------------------------------------------------------


def ledger_of(session: Session, rows: Iterable[Row]) -> Ledger:
    """Return a ledger that holds rows, to change them or to derive them anew."""
    return Ledger(rows, archive_id=lambda _: f"memstrata-{uuid.uuid4().hex}")


def verify(session: Session) -> list[str]:
    """Derive every row anew and return one line for each difference from what is stored."""
    lookup = session.lookup
    ids = lookup.collection.get(where={TO: {"$gte": MIN_TIME}}, include=[])["ids"]
    stored: dict[str, Row] = {}
    hulls: dict[str, tuple[int, int]] = {}
    for start in range(0, len(ids), _PAGE):
        for row_id, record in lookup.fetch(ids[start : start + _PAGE]).items():
            if FACTS in (record["metadata"] or {}):
                stored[row_id] = decode(row_id, record["metadata"])
                hulls[row_id] = (record["metadata"]["memstrata_from"], record["metadata"][TO])
    ledger = ledger_of(session, stored.values())
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
