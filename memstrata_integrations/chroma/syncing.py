"""`sync`: what is given is all that a source holds now."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from memstrata_integrations.chroma import amending
from memstrata_integrations.chroma.arguments import one_each, read_id, read_ids, read_list, read_scope
from memstrata_integrations.chroma.fields import ID, addressed, decode, stated_in, user_metadata, visible_in
from memstrata_integrations.chroma.lookup import Lookup, Record
from memstrata_integrations.chroma.plan import Item, Origin, admitted, kept_out
from memstrata_integrations.chroma.scoping import Scope, lies_in, one_scope
from memstrata_integrations.chroma.session import Session
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.ledger.changes import Changes
from memstrata_integrations.ledger.time import Instant, to_instant
from memstrata_integrations.options import read_field
from memstrata_integrations.redaction import redact

__all__ = ["sync"]


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

    Args:
        session: The collection, as it was opened.
        source: Which source.
        documents: All texts that it holds.
        ids: One for each text, `None` where there is none.
        metadatas: One for each text.
        embed: Returns vectors, float32, ``(n, dim)``, for the texts at n positions.
        field: The metadata field that holds the source.
        valid_from: From when this holds, until the next version of the source that is known; by default now.
        scope: Whose source it is, where the texts' metadata does not say so.
        match_ids: Whether the ids stand for the same text in every call; else texts that are
            stored already keep the ids they have.
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
        stored = _stored(session.lookup, field, source, owner)
        now = session.present()
        served = {i: r for i, r in stored.items() if decode(i, r["metadata"], r["document"]).visible(now)}
        chosen = _match(texts, given if match_ids else [None] * len(texts), served, now)
        named = [i or g or str(uuid.uuid4()) for i, g in zip(chosen, given, strict=True)]
        changed = [
            n
            for n, row_id in enumerate(named)
            if row_id not in served
            or not _as_stored(texts[n], found[n], served[row_id], now)
            or (at is not None and not visible_in(row_id, served[row_id]["metadata"], at))
        ]
        items: list[Item] = []
        if changed:
            items = session.read(
                [texts[n] for n in changed],
                ids=[named[n] for n in changed],
                metadatas=[addressed(found[n], named[n]) for n in changed],
                valid_from=valid_from,
            )
        barred_by = session.bar(items)
        held = set(named) - {i.id for i in items if i.barred is not None}
        if admitted(items):
            fresh = [
                (n, item)
                for n, item in zip(changed, items, strict=True)
                if item.id in held and (named[n] not in served or texts[n] not in _views(served[named[n]], now))
            ]
            if embed is not None and fresh:  # what is stored already keeps its vector
                session.attach([item for _, item in fresh], embed([n for n, _ in fresh]))
            origin = Origin(field, source, uuid.uuid4().hex, lambda _: "before", frozenset(held), whole=True)
            for item in items:
                item.origin = origin
            return session.write(items, barred_by=barred_by)
        gone = [i for i in served if i not in held]
        if session.options.policy.guarded:
            session.options.policy.check(len(gone), session.count(), f"{len(gone)} rows of {source!r} would end")
        with session.writing() as began:
            changes = amending.end(session, gone, at, began)
        return session.remember(replace(changes, kept_out=kept_out(items)))


def _with_source(metadata: Mapping[str, Any] | None, field: str, source: str, n: int) -> dict[str, Any]:
    if not isinstance(metadata, (Mapping, type(None))):
        raise InvalidInputError(f"metadata of text {n} is {metadata!r}; it must be a dict or None")
    found = dict(metadata or {})
    if found.setdefault(field, source) != source:
        raise InvalidInputError(f"text {n} has {field}={found[field]!r}, and this call is about {source!r}")
    return found


def _stored(lookup: Lookup, field: str, source: str, owner: Scope) -> dict[str, Record]:
    records = lookup.fetch(lookup.ids_in(field, [source], owner), ("documents",))
    found = [r for r in records.values() if ID not in r["metadata"] and lies_in(r["metadata"], owner)]
    return {r["id"]: r for r in lookup.acknowledged(found)}


def _views(record: Record, now: int) -> set[str]:
    """Return a stored text as it was written, and as readers see it."""
    stated = stated_in(record["metadata"], now)
    text = record["document"] or ""
    return {text} if stated is None else {text, redact(text, stated)}


def _match(
    texts: Sequence[str], given: Sequence[str | None], served: Mapping[str, Record], now: int
) -> list[str | None]:
    """Return for each text the row that holds it already; each row once."""
    holders: dict[str, list[str]] = {}
    for row_id, record in served.items():
        for view in _views(record, now):
            holders.setdefault(view, []).append(row_id)
    taken = {i for i in given if i is not None}
    found: list[str | None] = []
    for text, own in zip(texts, given, strict=True):
        home = own or next((i for i in holders.get(text, ()) if i not in taken), None)
        if home is not None:
            taken.add(home)
        found.append(home)
    return found


def _as_stored(text: str, metadata: Mapping[str, Any], record: Record, now: int) -> bool:
    known = user_metadata(record["metadata"]) or {}
    return text in _views(record, now) and {**known, **addressed(metadata, record["id"])} == known
