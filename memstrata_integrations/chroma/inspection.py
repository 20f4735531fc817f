"""What looks across time: finding facts, their history, why a row is what it is, and whether it should be."""

import logging
import re
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from memstrata_integrations.chroma.arguments import read_id
from memstrata_integrations.chroma.both import pages
from memstrata_integrations.chroma.fields import FACTS, FROM, OUTRIGHT, TO, decode, user_metadata, written_over
from memstrata_integrations.chroma.finding import canonical_key, find, naming, near_names, rows_and_metadata
from memstrata_integrations.chroma.keying import sources_of
from memstrata_integrations.chroma.lookup import PAGE, Lookup, Record
from memstrata_integrations.chroma.plan import Item
from memstrata_integrations.chroma.scoping import lies_in, scope_of, within
from memstrata_integrations.chroma.session import Session
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.ledger.changes import Conflict, Unread
from memstrata_integrations.ledger.history import Explanation, Timeline, TimelineEntry
from memstrata_integrations.ledger.ledger import Ledger
from memstrata_integrations.ledger.rows import WHOLE, Row, RowFact, TimelineKey
from memstrata_integrations.ledger.time import MIN_TIME, OPEN, Interval, intersect, normalise
from memstrata_integrations.ledger.timeline import EVERYWHERE, Assertion, Intervals, outranking

logger = logging.getLogger("memstrata_integrations")


def texts_of(session: Session, document_ids: Sequence[str]) -> list[str]:
    """Return the texts of documents, those of all their versions."""
    ids = [*document_ids, *session.lookup.archived_ids(document_ids)]
    return [r["document"] for r in session.lookup.fetch(ids, ("documents",)).values() if r["document"]]


def documents_about(session: Session, subject: str, scope: Mapping[str, Any]) -> list[str]:
    """Return the ids of documents that state a fact about a subject, exactly; `InvalidInputError` if there is none."""
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
    """Return the timeline of a fact, a document, or the facts of a sentence: of exactly one of them."""
    if sum(x is not None for x in (subject, document_id, statement)) != 1:
        raise InvalidInputError("history takes exactly one of subject, id= and statement=")
    lookup, near, digests = session.lookup, list[str](), None
    if document_id is not None:
        rows = versions(lookup, read_id(document_id))
        own = scope_of(scope, [name for name in session.options.scope if name in scope])
        held = lookup.fetch([r.id for r in rows])
        rows = [r for r in rows if lies_in(held[r.id]["metadata"], own)]
    elif statement is not None:
        digests = keys_of(session, statement, scope)
        rows = lookup.rows_by_key(digests) if digests else []
    else:
        name = subject or ""
        rows, digests = find(lookup, session.keying, name, relation, scope, loosely=True)
        if relation is None:  # leave out keys under which only a change may have been told, where some text states one
            found = [f for row in rows for f in row.facts if f.digest in digests]
            digests = {f.digest for f in found if not f.narrative} or {f.digest for f in found[:1]}
        near = [] if rows else near_names(lookup, session.keying, name, relation, scope)
    return Timeline(_entries(lookup, rows, digests, now), now=now, near=near)


def keys_of(session: Session, statement: str, scope: Mapping[str, Any]) -> set[int]:
    """Return the keys of what a text states, as it is read, and as it was said to state where it is stored."""
    if not isinstance(statement, str) or not statement.strip():
        raise InvalidInputError(f"statement={statement!r}; give a sentence")
    item = Item(id="-", explicit=True, document=statement, metadata=dict(scope) or None)
    session.keying.extract([item])
    facts, _, _ = session.keying.row_facts(item, scope)
    found = {f.digest for f in facts}
    if session.lookup.outright():
        where, said = within(scope_of(scope, session.options.scope), {OUTRIGHT: 1}), statement.strip()
        ids = session.lookup.collection.get(where=where, where_document={"$contains": said}, include=[])["ids"]
        for row_id, record in session.lookup.fetch(ids, ("documents",)).items():
            stated = (f for f in decode(row_id, record["metadata"]).facts if f.rule in ("stated", "record"))
            found |= {f.digest for f in stated if record["document"][slice(*f.span)].strip() == said}
    return found


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
        told: set[tuple[int, str | None]] = set()  # a change acts on one key in several kinds of value
        for fact in row.facts:
            if (digests is None or fact.digest in digests) and (fact.digest, fact.object) not in told:
                told |= {(fact.digest, fact.object)} if fact.narrative else set()
                entries.append(_fact_entry(row, fact, record, stated.get(fact.timeline, ()), now))
        if digests is None and row.prose:
            live = row.prose_live()
            status = "current" if any(now in i for i in live) else "archived" if row.editions else "superseded"
            if all(e.undone_at != OPEN for e in row.editions):
                status = "undone"
            entries.append(_entry(row, record, row.prose, live, status=status))
    return entries


def _entry(row: Row, record: Record, made: Sequence[Assertion], live: Intervals, **told: Any) -> TimelineEntry:
    """Return the entry of what a row asserts: of a fact, which `told` tells, or of its unkeyed remainder."""
    nothing = {"subject": None, "relation": None, "object": None, "statement": record["document"] or ""}
    return TimelineEntry(
        id=row.document_id,
        intervals=live,
        asserted=tuple(a.interval for a in made),
        recorded_at=min((a.recorded_at for a in made), default=MIN_TIME),
        metadata=user_metadata(record["metadata"]),
        **{**nothing, **told},
    )


def _fact_entry(
    row: Row, fact: RowFact, record: Record, peers: Iterable[tuple[Row, RowFact]], now: int
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
    elif successor:
        status = "superseded"
    else:
        status = "retracted" if any(ended in w for w in row.windows) else "archived"
    return _entry(
        row,
        record,
        fact.assertions,
        fact.live,
        subject=fact.subject,
        relation=fact.relation,
        object=fact.object,
        statement=(record["document"] or "")[slice(*fact.span)],
        status=status,
        superseded_by=successor,
        rule=fact.rule,
        change=fact.narrative,
        source=tuple(sources_of(user_metadata(record["metadata"]) or {}, fact.subject)) if fact.local else (),
        key=fact.digest,
    )


def explain(session: Session, document_id: str, *, now: int) -> Explanation:
    """Say why a document is served or not; `InvalidInputError` if there is none."""
    rows = versions(session.lookup, document_id)
    if all(r.archived for r in rows):
        raise InvalidInputError(f"there is no document {document_id!r} in this collection")
    row = min(rows, key=lambda r: (not r.visible(now), r.archived))  # the newest one may be yet to come
    keys = {f.digest for f in row.facts}
    others = _entries(session.lookup, session.lookup.rows_by_key(keys) if keys else [], keys, now)
    record = session.lookup.fetch([row.id], ("documents",))[row.id]
    by, instead_of = _in_place(session, rows)
    return Explanation(
        id=document_id,
        status="current" if row.visible(now) else "not served",
        statements=tuple(e for e in _entries(session.lookup, [row], None, now) if e.subject is not None),
        replaced=tuple(o for o in others if o.superseded_by == document_id and o.id != document_id),
        prose=bool(row.prose),
        unread=_unread(session, row, record["document"] or ""),
        apart=_apart(session, row, user_metadata(record["metadata"]) or {}, now),
        by=by,
        instead_of=instead_of,
    )


def _in_place(session: Session, versions: Sequence[Row]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the ids of the documents that took the place of one by their word, and of those whose place it took."""

    def ended(row: Row) -> set[int]:
        return {e.recorded_at for e in row.ends if e.valid_from > MIN_TIME and e.precedence != WHOLE}

    over = set[int]().union(*map(ended, versions))
    told = {e.recorded_at for row in versions for e in row.contents}
    last = OPEN if over else OPEN - 1  # what a text took the place of has an end
    times = re.compile("|".join(map(str, over | told)) or r"(?!)")
    near = rows_and_metadata(session.lookup, ending=(MIN_TIME, last), wanted=lambda text: bool(times.search(text)))
    others = [r for r, _ in near if r.document_id != versions[0].document_id]
    by = dict.fromkeys(r.document_id for r in others if any(e.recorded_at in over for e in r.contents))
    instead_of = dict.fromkeys(r.document_id for r in others if ended(r) & told)
    return tuple(by), tuple(instead_of)


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


def _apart(session: Session, row: Row, metadata: Mapping[str, Any], now: int) -> tuple[str, ...]:
    """Return which statements of others, in its scope and not over, read like a row's and are not compared with them.

    They are of another source (or page), or what stands above or beside them differs.
    """

    def names(facts: Iterable[RowFact]) -> dict[Any, RowFact]:
        local = [f for f in facts if f.local and f.object is not None and any(i.end > now for i in f.live)]
        return {(canonical_key(f.subject, f.relation, session.keying), f.dimension): f for f in local}

    own, found, scope = names(row.facts), [], scope_of(metadata, session.options.scope)
    alike = naming((subject for (subject, _), _ in own), session.keying)
    others = rows_and_metadata(session.lookup, ending=(now + 1, OPEN), wanted=alike) if own else ()
    for other, told in others:
        for fact in other.facts if other.document_id != row.document_id and lies_in(told, scope) else ():
            for name in names([fact]).keys() & own.keys():
                mine = own[name]
                if mine.digest != fact.digest and mine.value != fact.value:
                    same = sources_of(told, fact.subject) == sources_of(metadata, fact.subject)
                    why = "under other titles, or beside other fields or names" if same else "of another source"
                    said = f"{other.document_id} says {fact.object!r}, {why}"
                    found.append(f"{mine.subject} | {mine.relation}: {said}")
    return tuple(found)


def conflicts(session: Session, scope: Mapping[str, Any], *, now: int) -> list[Conflict]:
    """Return what would be served now if it did not stand against a source of higher authority."""
    told: dict[TimelineKey, list[tuple[Row, RowFact, Assertion]]] = {}
    own = scope_of(scope, list(scope))
    for row, metadata in rows_and_metadata(session.lookup):
        for fact in row.facts if lies_in(metadata, own) else ():
            standing = [a for a in fact.all_assertions if a.undone_at == OPEN]
            told.setdefault(fact.timeline, []).extend((row, fact, a) for a in standing)
    found = []
    for made in told.values():
        ranking = outranking([a for _, _, a in made], [r.windows for r, _, _ in made], OPEN - 1)
        stated = [
            (row, fact, a)
            for (row, fact, a), stands in zip(made, ranking, strict=True)
            if now in a.interval and a.ends is None and (a.precedence <= 0 or any(now in i for i in stands))
        ]
        if not stated:
            continue
        ended = max((a.valid_from for _, _, a in stated if a.precedence == EVERYWHERE), default=MIN_TIME)
        stated = [one for one in stated if one[2].valid_from >= ended]  # told since a retraction
        high, above, winner = max(stated, key=lambda one: one[2].rank)
        for row, fact, assertion in stated:
            later = assertion.rank[1:] > winner.rank[1:] and assertion in fact.assertions and not row.archived
            if later and 0 <= assertion.precedence < winner.precedence and assertion.value != winner.value:
                served = None if winner.value is None else above.object
                pair = (served, fact.object, high.document_id, row.document_id)
                found.append(Conflict(fact.subject, fact.relation, *pair, assertion.valid_from))
    return sorted(found, key=lambda c: c.at)


# -- verification --------------------------------------------------------------------------------


def ledger_of(session: Session, rows: Iterable[Row]) -> Ledger:
    """Return a ledger that holds rows, to change them or to derive them anew."""
    return Ledger(rows, archive_id=lambda _: f"memstrata-{uuid.uuid4().hex}")


def verify(session: Session) -> list[str]:
    """Derive every row anew and return one line for each difference of which a reader would get a wrong answer."""
    found = _differences(session)
    if found and not session.state.exclusive:  # what was read amid another process's write differs once only
        again = _differences(session)
        found = {i: line for i, line in again.items() if i in found}
    return list(found.values())


def mend(session: Session, now: int) -> None:
    """Store anew what differs from what the rules derive; run under the lock, after `Writer.recover`."""
    stored = _stored(session.lookup)
    ledger = _derived(session, stored)
    ledger.changed.update({i: None for i, row in ledger.rows.items() if row.hull() != stored[i][1]})
    ledger.rows.update({i: replace(ledger.rows[i], told=()) for i in ledger.changed})  # it was told by mistake
    ledger.note(now, now)
    session.state.versions.clear()
    session.writer.settle(ledger, session.lookup.fetch(list(ledger.changed)), now)


def _stored(lookup: Lookup) -> dict[str, tuple[Row, Interval]]:
    """Return every row that readers go by, with the hull that is stored beside it: none of a write under way."""
    ids = lookup.collection.get(where={TO: {"$gte": MIN_TIME}}, include=[])["ids"]
    records = [r for r in lookup.fetch(ids).values() if FACTS in (r["metadata"] or {})]
    return {
        r["id"]: (decode(r["id"], r["metadata"]), Interval(r["metadata"][FROM], r["metadata"][TO]))
        for r in lookup.standing(records)
    }


def rows_written_over(lookup: Lookup) -> list[str]:
    """Return the ids of rows in whose place other code has put another text."""
    ids = lookup.collection.get(where={TO: {"$gte": MIN_TIME}}, include=[])["ids"]
    fetched = (lookup.fetch(page, ("documents",)) for page in pages(ids, PAGE))
    found = [i for page in fetched for i, r in page.items() if written_over(r["metadata"], r["document"])]
    moved = lookup.both.history.get(include=[])["ids"] if lookup.both.history is not None else []
    return found + [i for i, r in lookup.present().fetch(moved).items() if FACTS not in (r["metadata"] or {})]


def _derived(session: Session, stored: Mapping[str, tuple[Row, Interval]]) -> Ledger:
    ledger = ledger_of(session, (row for row, _ in stored.values()))
    ledger.derive()
    return ledger


def _differences(session: Session) -> dict[str, str]:
    stored = _stored(session.lookup)
    found = {}
    for row_id, row in _derived(session, stored).rows.items():
        was, hull = stored[row_id]
        lives = [(normalise(now.live), normalise(then.live)) for now, then in zip(row.facts, was.facts, strict=True)]
        if row.windows == was.windows and all(now == then for now, then in lives):
            if row.hull() != hull:
                found[row_id] = f"row {row_id!r}: stored hull {hull}, derived {row.hull()}"
            continue
        # two clients of a server leave facts stored as valid for too long, which their readers see through
        longer = row.prose_live() == was.prose_live() and all(now == intersect(now, then) for now, then in lives)
        if not (session.state.remote and longer):
            found[row_id] = f"row {row_id!r}: stored intervals {_told(was)}, derived {_told(row)}"
    for row_id in rows_written_over(session.lookup):
        found[row_id] = f"row {row_id!r}: other code wrote another text in its place; adopt() reads it anew"
    return found


def _told(row: Row) -> str:
    return "; ".join(f"{f.subject} {f.relation}: " + ", ".join(map(str, f.live)) for f in row.facts) or "none"
