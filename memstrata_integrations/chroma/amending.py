"""What changes the ledger on request: retraction, undo, deletion, supersession of stored texts."""

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from memstrata_integrations.chroma.explicit import has_several_values, written
from memstrata_integrations.chroma.fields import (
    NODE_FIELDS,
    decode,
    neighbours,
    user_metadata,
    without_neighbours,
)
from memstrata_integrations.chroma.finding import canonical_key, find, naming_times, rows_and_metadata
from memstrata_integrations.chroma.inspection import keys_of, ledger_of, suggested, versions
from memstrata_integrations.chroma.keying import sources_of
from memstrata_integrations.chroma.lookup import Lookup
from memstrata_integrations.chroma.origins import SOURCE_FIELDS, source_of
from memstrata_integrations.chroma.scoping import lies_in, scope_of
from memstrata_integrations.chroma.session import Session
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.extraction.values import canonical_value
from memstrata_integrations.ledger import undoing
from memstrata_integrations.ledger.changes import Change, ChangeKind, Changes
from memstrata_integrations.ledger.display import clip
from memstrata_integrations.ledger.rows import DELETED, WHOLE, Edition, Row
from memstrata_integrations.ledger.time import MIN_TIME, OPEN

_NAMED = 5  # facts that may have been meant
_SHOWN = 60  # characters of a text that is served again


class Amendment:
    """A change of the ledger on request: the rows that it may touch, when it is made, and what becomes of them."""

    def __init__(self, session: Session, rows: Iterable[Row], now: int) -> None:
        self.session = session
        self.before = {r.id: r for r in rows}
        self.time = session.state.transaction_time(now, self.before.values())
        self.ledger = ledger_of(session, self.before.values())

    def write(self, kind: ChangeKind, ids: Sequence[str] = ()) -> Changes:
        """Write down what changed, and return it; what lost validity did so by `kind`."""
        session, ledger, time = self.session, self.ledger, self.time
        records = session.lookup.fetch([i for i in ledger.changed if i not in ledger.moved])
        found = list(self._changes(kind))
        changes = (*found, *self._served_again({c.row_id for c in found}))
        session.state.versions.clear()
        ledger.note(time, time)
        session.writer.exchange(ledger, time)
        session.writer.settle(ledger, records, time)
        session.state.last_recorded = max(session.state.last_recorded, time)
        served = [i for i, r in self.before.items() if r.visible(time)]
        retired = sum(1 for i in served if i not in ledger.rows or not ledger.rows[i].visible(time))
        return Changes((time, time), ids=tuple(ids), changes=changes, retired=retired)

    def _changes(self, kind: ChangeKind) -> Iterator[Change]:
        for row_id in self.ledger.changed:
            old, new = self.before.get(self.ledger.moved.get(row_id, row_id)), self.ledger.rows[row_id]
            if old is None or old.content != new.content:
                continue
            for was, now in zip(old.facts, new.facts, strict=True):
                if was.live == now.live or was.narrative:
                    continue
                grown = sum(i.end - i.start for i in now.live) > sum(i.end - i.start for i in was.live)
                at = max((i.end for i in now.live), default=was.live[0].start if was.live else self.time)
                at = now.live[0].start if grown else at
                told: ChangeKind = "restored" if grown else kind
                yield Change(told, was.subject, was.relation, was.object, None, at, new.document_id)

    def _served_again(self, told: Container[str]) -> Iterator[Change]:
        """Return as changes which texts are served that were not, but for those of which a statement tells that."""
        rows, time = self.ledger.rows, self.time
        homes = {i: self.ledger.moved.get(i, i) for i in self.ledger.changed if rows[i].document_id not in told}
        over = {i: h for i, h in homes.items() if h in self.before and not self.before[h].visible(time)}
        back = {i: h for i, h in over.items() if rows[i].content == self.before[h].content and rows[i].visible(time)}
        texts = self.session.lookup.fetch(list(back.values()), ("documents",))
        for row_id, home in back.items():
            start = next(i.start for i in rows[row_id].live() if time in i)
            text = clip(texts[home]["document"] or "", _SHOWN)
            yield Change("restored", "text", "is served", text, None, start, rows[row_id].document_id)


def retract(
    session: Session,
    subject: str,
    relation: str | None,
    at: int | None,
    scope: Mapping[str, Any],
    now: int,
    statement: str | None = None,
    value: Any = None,
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
    if rows and value is not None:
        named, at_once = canonical_value(written(value) or "")[0], max(now, session.state.last_recorded)
        at_once = at_once if at is None else at
        told = [f for r in rows for f in r.facts if f.digest in digests and any(at_once in i for i in f.live)]
        digests = {f.digest for f in told if f.object is not None and canonical_value(f.object)[0] == named}
        if not digests:
            have = ", ".join(sorted({repr(f.object) for f in told})) or "none"
            raise InvalidInputError(
                f"nothing that goes by the name {subject!r} has the value {value!r} then, but {have}"
            )
    held = session.lookup.fetch([r.id for r in rows])
    sources: dict[tuple[tuple[str, Any], ...], set[int]] = {}
    for row in rows:
        metadata = user_metadata(held[row.id]["metadata"]) or {}
        for fact in row.facts:
            if fact.digest in digests:
                own = tuple(sources_of(metadata, fact.subject)) if fact.local else ()
                sources.setdefault(own, set()).add(fact.digest)
    if len(sources) > 1 and sources_of(scope, subject):
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
        loose, keys = find(session.lookup, session.keying, subject, relation, scope, loosely=True)
        facts = [f for r in loose for f in r.facts if f.digest in keys and not f.narrative]
        if names := sorted({f"{f.subject!r}, {f.relation!r}" for f in facts}):
            raise InvalidInputError(
                f"no fact goes by the name {what!r} alone, {len(names)} by a longer one: {'; '.join(names[:_NAMED])}. "
                "Say which one ended"
            )
        near = suggested(session, subject, relation, scope)
        raise InvalidInputError(f"nothing is known of {what!r}, so nothing can end{near}")
    amendment = Amendment(session, rows, now)
    instant = amendment.time if at is None else at
    if several := _of_one_name(session, rows, digests, instant):
        raise InvalidInputError(
            f"{several} facts of different values go by the name {subject!r}, told apart by what stands above or "
            "beside them; say which with statement=, the whole text that states it, and its source in scope="
        )
    named_so = [f for r in rows for f in r.facts if f.digest in digests]
    standing = [f for f in named_so if any(a.undone_at == OPEN for a in f.all_assertions)]
    for timeline in sorted({f.timeline for f in standing or named_so}):
        amendment.ledger.retract(timeline, instant, amendment.time, dated=at is not None)
    return amendment.write("retracted")


def _of_one_name(session: Session, rows: Sequence[Row], digests: set[int], at: int) -> int:
    """Return how many facts that go by one name, and should have one value, differ from an instant on; 0 if none do."""
    told: dict[tuple[str, str], dict[int, set[str | None]]] = {}
    for fact in (f for r in rows for f in r.facts if f.digest in digests and not f.narrative):
        several = fact.rule == "stated" and has_several_values(
            fact.subject, fact.relation, fact.object, session.keying.vocabulary
        )
        if not several and any(i.end > at for i in fact.live):
            name = canonical_key(fact.subject, fact.relation, session.keying)
            told.setdefault(name, {}).setdefault(fact.digest, set()).add(fact.value)
    differ = [len(alike) for alike in told.values() if len(alike) > 1 and len(set().union(*alike.values())) > 1]
    return max(differ, default=0)


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
        rows += _ended_at(lookup, {max(standing)})  # what it took the place of by its word
    else:
        own = scope_of(scope, [name for name in session.options.scope if name in scope])
        known = list(rows_and_metadata(lookup, wanted=naming_times(*span)))
        lying = [r for r, metadata in known if lies_in(metadata, own)]
        told = range(span[0], span[1] + 1)
        rows = [r for r in lying if any(undoing.told_in(a, told) and a.undone_at == OPEN for a in r.all_assertions)]
        undone = [a for r in lying for a in r.all_assertions if a.undone_at < OPEN]
        if not rows and any(a.recorded_at in told for a in undone):
            raise InvalidInputError(f"write {text!r} was undone already")
        # also where a part of it was undone by itself
        ends = {a.recorded_at for r, _ in known for a in r.all_assertions if a.recorded_at in span}
        if not rows or len(ends) < len(set(span)):  # both ends of the span are its own: it names one write
            raise InvalidInputError(f"there is nothing of write {text!r} in this collection to undo")
    times = range(span[0], span[1] + 1)
    if any(r.is_adopted and all(a.recorded_at in times for a in r.stated if a.undone_at == OPEN) for r in rows):
        raise InvalidInputError(
            f"{text!r} keyed what other code had written, and undoing that would hide it; look at adopt(dry_run=True) "
            "before adopting, and tell what is true anew (or delete the row that says otherwise)"
        )
    amendment = Amendment(session, _with_relatives(lookup, rows), now)
    if not undoing.undo(amendment.ledger, *span, amendment.time, only):
        raise InvalidInputError(f"{text!r} was undone already")
    return amendment.write("ended")


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
    replaced = _ended_at(session.lookup, {a.recorded_at for r in found for a in r.stated if a.recorded_at >= since})
    amendment = Amendment(session, _with_relatives(session.lookup, [*found, *replaced]), now)
    undoing.undo_since(amendment.ledger, {r.id for r in found}, since, amendment.time)
    return amendment.write("ended")


def _ended_at(lookup: Lookup, times: Collection[int]) -> list[Row]:
    """Return the rows whose document was ended by a write of some transaction times, µs."""
    rows = (row for row, _ in rows_and_metadata(lookup, wanted=naming_times(min(times), max(times))))
    return [row for row in rows if any(e.value is None and e.recorded_at in times for e in row.editions)]


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


def delete(
    session: Session, document_ids: Sequence[str], now: int, *, retire: bool, versions: Sequence[str] = ()
) -> Changes:
    """Remove documents with all their versions, or end them; and earlier `versions` of others, which leave a gap."""
    lookup = session.lookup
    own = lookup.fetch(document_ids, ("documents",))
    records = {**own, **lookup.fetch(lookup.archived_ids(document_ids) if own else []), **lookup.fetch(versions)}
    doomed = [decode(i, r["metadata"], r["document"]) for i, r in records.items()]
    alone = set(versions)
    deleted = tuple(dict.fromkeys(r.document_id for r in doomed if r.id not in alone))
    if not doomed:
        return Changes((now, now))
    peers = lookup.rows_by_key({f.digest for r in doomed for f in r.facts})
    peers += lookup.versions_of([r for r in doomed if r.id in alone])
    amendment = Amendment(session, (*doomed, *peers), now)
    ledger = amendment.ledger
    if retire:
        for document_id in deleted:
            if document_id in ledger.rows:
                ledger.end(document_id, amendment.time, amendment.time, precedence=DELETED)
    else:
        # earlier versions first: as long as one is there, so is the row that leads to it
        ledger.delete([r.id for r in sorted(doomed, key=lambda r: not r.archived)], amendment.time)
    changes = amendment.write("ended", deleted)
    if not retire:
        session.state.forget_texts()
    return changes


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
    for part in session.writer.parts(changed):
        lookup.collection.update(ids=part, metadatas=[changed[i] for i in part])
    for row_id in changed:
        session.state.records.pop(row_id, None)


def end(session: Session, row_ids: Sequence[str], at: int | None, now: int, following: Edition | None) -> Changes:
    """End rows at an instant (µs, by default now), where an edition of their source begins without them."""
    records = session.lookup.fetch(row_ids, ("documents",))
    if not records:
        return Changes((now, now))
    rows = [decode(i, r["metadata"], r["document"]) for i, r in records.items()]
    amendment = Amendment(session, _with_relatives(session.lookup, rows), now)
    time = amendment.time
    for row_id in records:
        amendment.ledger.carry_on(row_id, following)
        amendment.ledger.silence(row_id, time if at is None else at, time, precedence=WHOLE)
    return amendment.write("ended", list(records))


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
    amendment = Amendment(session, _with_relatives(session.lookup, [earlier, later]), now)
    ledger, time = amendment.ledger, amendment.time
    until = max(later.contents, key=lambda e: e.rank).valid_to
    at = min(starts)
    if not ledger.end(old, at, time, until=until):
        raise InvalidInputError(f"document {old!r} was over already when {new!r} began; nothing is to be done")
    if any(i.start == MIN_TIME for i in later.prose_live()):  # undated: what takes a place begins where that one ends
        ledger.silence(new, MIN_TIME, time)
    changes = amendment.write("superseded", [old])
    was, now_said = (records[i]["document"] for i in (old, new))
    told = Change("superseded", "text", "is replaced by", was, now_said, at, old, new)
    return replace(changes, changes=(told, *(c for c in changes if c.row_id != old)))
