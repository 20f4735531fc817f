"""`compact`: rows that are long over go to the history collection, and the index of the others is made anew.

Deleting them is not enough: Chroma's index keeps the places of deleted rows for ever, and searches pass through them.
So an index of the rows that stay is made in a collection of its own, and takes the place of the old one on the disk.
"""

from __future__ import annotations

import logging
import os
import shutil
from pathlib import Path
from typing import Any

from chromadb.api.models.Collection import Collection
from chromadb.errors import InternalError

from memstrata_integrations.chroma.both import Both, copy_rows, drop_collection, history_name, temporary_name
from memstrata_integrations.chroma.damage import describe
from memstrata_integrations.chroma.erasing import persist
from memstrata_integrations.chroma.fields import COMPACTED, ID, TO
from memstrata_integrations.chroma.lookup import Lookup
from memstrata_integrations.chroma.rebuild import Mark, set_aside
from memstrata_integrations.chroma.session import Session
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.ledger.time import MIN_TIME

__all__ = ["compact"]

logger = logging.getLogger("memstrata_integrations")

_PAGE = 10_000


def compact(session: Session, before: int | None) -> int:
    """Move what ended by an instant (µs, by default now) into the history; run under the lock."""
    state, lookup = session.state, session.lookup
    if state.remote:
        raise InvalidInputError(
            f"collection {session.collection.name!r} lies on a server: compact() is for the only writer of a "
            "directory. Stop the server, open its directory with a PersistentClient, and compact it there"
        )
    now = session.present()
    cut = now if before is None else before
    if cut > now:
        raise InvalidInputError("compact(before=...) lies in the future: what ends by then is not over yet")
    ids = _movable(lookup.present(), cut)
    if not ids:
        return 0
    both: Both = lookup.collection
    earlier = both.history
    history = _made(session.collection, history_name(session.collection), cut) if earlier is None else earlier
    if earlier is not None and both.cut < cut:
        history.modify(metadata={**history.metadata, COMPACTED: cut})
    state.history = None
    limit = session.writer.batch_limit()
    for start in range(0, len(ids), limit):
        page = ids[start : start + limit]
        with both.changing():
            copy_rows(session.collection, history, page)
        with state.flipping():
            session.collection.delete(ids=page)
    state.forget_everything()
    if state.path is not None:
        _renew_index(session, state.path)
    return len(ids)


def _movable(lookup: Lookup, cut: int) -> list[str]:
    """Return the rows that ended by an instant, less those that lead readers to a version that did not."""
    clauses: Any = {"$and": [{TO: {"$gte": MIN_TIME}}, {TO: {"$lte": cut}}]}
    ids: list[str] = lookup.collection.get(where=clauses, include=[])["ids"]
    ended = set(ids)
    leading = {
        record["metadata"][ID]
        for start in range(0, len(ids), _PAGE)
        for record in lookup.fetch(lookup.archived_ids(ids[start : start + _PAGE])).values()
        if record["id"] not in ended
    }
    return [i for i in ids if i not in leading]


def _made(collection: Any, name: str, cut: int) -> Any:
    """Make a collection like another one, empty."""
    index = {kind: found for kind in ("hnsw", "spann") if (found := collection.configuration_json.get(kind))}
    model = collection._client.create_collection(
        name=name,
        configuration=index,
        metadata={COMPACTED: cut},
        tenant=collection.tenant,
        database=collection.database,
    )
    return Collection(client=collection._client, model=model, embedding_function=None)


def _renew_index(session: Session, path: str) -> None:
    """Let an index of the rows that there are take the place of one with the places of deleted rows.

    A repair's mark stands while neither is in its place: opening the store then puts the old one back, see `rebuild`.
    """
    collection, state = session.collection, session.state
    server, where = collection._client, (collection.tenant, collection.database)
    old = Path(path, describe(Path(path), collection.name, *where).segments.vectors)
    if state.directory is None or not old.is_dir() or not state.directory.reload(server):
        return  # Chroma wrote no index yet, or this version of it cannot load another one
    ids = collection.get(include=[])["ids"]
    if not ids:
        return
    name = temporary_name(collection)
    drop_collection(collection, name, path)
    made = _made(collection, name, MIN_TIME)
    copy_rows(collection, made, ids, vectors_only=True)
    persist(made)
    fresh = Path(path, describe(Path(path), name, *where).segments.vectors)
    mark, aside = Mark(path, collection.id), set_aside(old)
    with state.flipping():
        state.directory.reload(server)  # so that nothing of the old one is in memory
        mark.set(collection.name, aside)
        try:
            os.rename(old, aside)
            os.rename(fresh, old)
            state.directory.reload(server)
            for start in range(0, len(ids), _PAGE):
                collection.get(ids=ids[start : start + _PAGE], include=["embeddings"])  # fails if one is missing
        except (OSError, InternalError) as error:
            logger.warning("the index of collection %r stays as it was: %s", collection.name, error)
            if aside.is_dir():
                shutil.rmtree(old, ignore_errors=True)
                os.rename(aside, old)
            state.directory.reload(server)
        mark.remove()
        collection.update(ids=[name], metadatas=[{"memstrata": 0}])  # changes nothing: other processes load it anew
    shutil.rmtree(aside, ignore_errors=True)
    drop_collection(collection, name, path)
