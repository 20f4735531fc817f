"""`sync` and `update`: what is given goes for texts that are stored already."""

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from memstrata_integrations.chroma import amending
from memstrata_integrations.chroma.arguments import one_each, read_id, read_ids, read_list, read_scope
from memstrata_integrations.chroma.explicit import stated_again
from memstrata_integrations.chroma.fields import TO, addressed, decode, stated_in, user_metadata, visible_in
from memstrata_integrations.chroma.intake import Dating, read_batch
from memstrata_integrations.chroma.lookup import Record
from memstrata_integrations.chroma.origins import SOURCE_FIELDS, SPEAKER_FIELDS
from memstrata_integrations.chroma.plan import Item, Origin, admitted, kept_out
from memstrata_integrations.chroma.scoping import lies_in, one_scope
from memstrata_integrations.chroma.session import Session
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.ledger.changes import Changes
from memstrata_integrations.ledger.rows import WHOLE, Row
from memstrata_integrations.ledger.time import MIN_TIME, Instant, to_instant
from memstrata_integrations.options import read_field
from memstrata_integrations.redaction import redact


def sync(
    session: Session,
    source: str,
    documents: Sequence[str],
    *,
    ids: Sequence[str | None] | None,
    metadatas: Sequence[Mapping[str, Any] | None] | None,
    embed: Callable[[Sequence[int]], Any] | None,
    field: str,
    valid_from: Instant | None,
    scope: Mapping[str, Any] | None,
    match_ids: bool = True,
) -> Changes:
    """Write what changed of a source, and end what it no longer holds; see `TemporalCollection.sync`.

    `embed` returns vectors, float32, ``(n, dim)``, for the texts at n positions. Without `match_ids` the ids may stand
    for other texts in every call, and texts that are stored already keep those they have.
    """
    read_id(source, "source")
    read_field("field", field)
    at = None if valid_from is None else to_instant(valid_from, name="valid_from")
    texts = [] if isinstance(documents, str) else read_list("documents", documents)
    if isinstance(documents, str) or not all(isinstance(d, str) for d in texts):
        raise InvalidInputError(f"documents of {source!r}: give a list of texts, all that the source holds now")
    fields = session.options.scope
    told = one_each("metadatas", metadatas, len(texts), Mapping)
    found = [_with_source(metadata, field, source, n) for n, metadata in enumerate(told)]
    named_by_source = {field: source} if field in fields else {}
    owner = one_scope(source, found, {**named_by_source, **read_scope(scope)}, fields)
    given = one_each("ids", ids, len(texts))
    read_ids([i for i in given if i is not None])
    with session.state.alone():
        now = session.present()
        records = session.lookup.fetch(session.lookup.ids_in(field, [source], owner), ("documents",))
        rows = session.lookup.rows_of({i: r for i, r in records.items() if lies_in(r["metadata"], owner)})
        known = {(e.valid_from, e.recorded_at) for row in rows.values() for e in row.whole}
        following = min((e for e in known if e[0] > (now if at is None else at)), default=None)
        served = {i: records[i] for i, row in rows.items() if not row.archived and _may_hold(row, at, now)}
        chosen = _match(texts, given if match_ids else [None] * len(texts), served, now)
        named = [i or g or str(uuid.uuid4()) for i, g in zip(chosen, given, strict=True)]
        archived = {(r.document_id, records[i]["document"]) for i, r in rows.items() if r.archived and _held(r, at)}
        changed, stays = list[int](), list[int]()
        for n, row_id in enumerate(named):
            if (row_id, texts[n]) in archived:  # it is told again
                continue
            hidden = at is None and row_id in served and not rows[row_id].visible(now)
            if hidden or row_id not in served or not _as_stored(texts[n], found[n], served[row_id]):
                changed.append(n)
            elif at is not None and not _held(rows[row_id], at):  # what stock code wrote was never read
                (stays if TO in served[row_id]["metadata"] else changed).append(n)
        items: dict[int, Item] = {}
        if changed:
            ids, own = [named[n] for n in changed], [addressed(found[n], named[n]) for n in changed]
            read = session.read([texts[n] for n in changed], ids=ids, metadatas=own, valid_from=valid_from)
            items = dict(zip(changed, read, strict=True))
        barred_by = session.bar(list(items.values()))
        held = set(named) - {i.id for i in items.values() if i.barred is not None}
        standing = {r.document_id for r in rows.values() if at is not None and r.stands(at)}
        if at is not None and (items or stays or (standing & held and standing != held)):
            stays = [n for n, i in enumerate(named) if n not in items and (i, texts[n]) not in archived]
        for n in stays:  # the metadata says whose the text is
            items[n] = Item(named[n], True, texts[n], addressed(found[n], named[n]), valid_from=at, stays=True)
        told = [items[n] for n in sorted(items)]
        if admitted(told):
            session.planner.reuse_vectors([items[n] for n in changed if named[n] in served], now)
            fresh = [n for n in changed if named[n] in held and items[n].embedding is None]
            if embed is not None and fresh:  # what is stored already keeps its vector
                session.embedding.attach([items[n] for n in fresh], embed(fresh))
            version = uuid.uuid4().hex
            left = frozenset(i for i, row in rows.items() if _left_out(row, now))
            kept = (rows[i] for n, i in enumerate(named) if n not in items and i in served)
            goes_on = frozenset((f.timeline, f.value) for r in kept for f in r.facts if any(now in i for i in f.live))
            held_now = (frozenset(held), (), True, following, left, goes_on)
            origin = Origin(field, source, version, lambda _: "before", *held_now)
            for item in told:
                item.origin = origin
            return session.write(told, barred_by=barred_by)
        gone = [i for i in served if i not in held]
        if at is not None:
            corrected = texts and not standing & held  # it is told again after another one of its date
            gone = [] if corrected else sorted(standing - held)
        if session.options.policy.guarded:
            session.options.policy.check(len(gone), session.count(), f"{len(gone)} rows of {source!r} would end")
        with session.writing() as began:
            changes = amending.end(session, gone, at, began, following)
        return session.remember(replace(changes, kept_out=kept_out(told)))


def update(session: Session, items: Sequence[Item]) -> Changes:
    """Write those of a batch that are stored already, as new versions."""
    stored, now = session.lookup.fetch([i.id for i in items], ("documents",)), session.present()
    rows = {i: decode(i, r["metadata"], r["document"]) for i, r in stored.items()}
    kept = [i for i in items if i.id in rows and not rows[i.id].deleted_by(now)]
    for item in kept:
        item.known = user_metadata(stored[item.id]["metadata"]) or {}
    return session.write(kept) if kept else session.did_nothing()


def update_in_place(session: Session, ids: list[str], *, metadatas: Any, embeddings: Any, uris: Any) -> None:
    """Merge metadata into rows, and key them anew if that names a scope or another source."""
    columns = {"metadatas": metadatas, "embeddings": embeddings}
    checked = read_batch(ids=ids, uris=uris or [""] * len(ids), dating=Dating(None, None), **columns)
    keying = session.keying
    keyed = {*keying.scope, *SOURCE_FIELDS, *SPEAKER_FIELDS, *keying.key_fields, keying.value_field}
    whole = keying.key_fields and keying.value_field is None  # a row that is its own value
    with session.writing():
        moved = [i for i in checked if i.metadata and (whole or keyed & set(i.metadata))]
        if keying.scope:
            session.planner.owned(moved)
        before = session.lookup.fetch([i.id for i in moved])
        session.lookup.collection.update(ids=ids, uris=uris, **columns)
        session.did_nothing()
        session.state.versions.clear()
        for row_id in ids:
            session.state.records.pop(row_id, None)
        records = session.lookup.fetch([i.id for i in moved], ("documents", "embeddings"))
        items = [i for i in moved if i.id in records]
        for item in items:
            record = records[item.id]
            item.document, item.embedding, item.uri = record["document"], record["embedding"], None
            item.known = user_metadata(record["metadata"]) or {}
            item.stated = stated_again(decode(item.id, record["metadata"]).facts, item.document or "")
            item.moved = True
        keying.extract(items)
        items = [i for i in items if keying.keys_changed(i, records[i.id], before[i.id])]
        if items:
            session.write_read(items)


def _may_hold(row: Row, at: int | None, now: int) -> bool:
    """Whether a text that a source holds may be that of a row.

    Of what is not served: undated, where another's word hides it; dated, where editions alone ended it.
    """
    ended = (e for e in row.ends if e.valid_from > MIN_TIME)
    return row.visible(now) or (row.stands(now) if at is None else all(e.precedence == WHOLE for e in ended))


def _held(row: Row, at: int | None) -> bool:
    """Whether a row is known to be of the edition of its source that begins at an instant."""
    return any(e.value is not None and e.valid_from == at for e in row.whole)


def _left_out(row: Row, now: int) -> bool:
    """Whether an edition of its source that has begun by now, and is newer than a row's own, does not hold it."""
    own = max((e.rank for e in row.contents if e.valid_from <= now), default=())
    return any(e.precedence == WHOLE and e.rank > own for e in row.ends if e.valid_from <= now)


def _with_source(metadata: Mapping[str, Any] | None, field: str, source: str, n: int) -> dict[str, Any]:
    if not isinstance(metadata, (Mapping, type(None))):
        raise InvalidInputError(f"metadata of text {n} is {metadata!r}; it must be a dict or None")
    found = dict(metadata or {})
    if found.setdefault(field, source) != source:
        raise InvalidInputError(f"text {n} has {field}={found[field]!r}, and this call is about {source!r}")
    return found


def _match(
    texts: Sequence[str], given: Sequence[str | None], served: Mapping[str, Record], now: int
) -> list[str | None]:
    """Return for each text the row that holds it already, as it was written or as readers see it; each row once."""
    holders: dict[str, list[str]] = {}
    for row_id, record in served.items():
        stated = stated_in(record["metadata"], now) if visible_in(row_id, record["metadata"], now) else None
        text = record["document"] or ""
        for view in {text} if stated is None else {text, redact(text, stated)}:
            holders.setdefault(view, []).append(row_id)
    taken = {i for i in given if i is not None}
    found: list[str | None] = []
    for text, own in zip(texts, given, strict=True):
        home = own or next((i for i in holders.get(text, ()) if i not in taken), None)
        if home is not None:
            taken.add(home)
        found.append(home)
    return found


def _as_stored(text: str, metadata: Mapping[str, Any], record: Record) -> bool:
    known = user_metadata(record["metadata"]) or {}
    return text == record["document"] and {**known, **addressed(metadata, record["id"])} == known
