"""`compact`: rows that are long over go to the history collection, and the index of the others is made anew.

Deleting them is not enough: Chroma's index keeps the places of deleted rows for ever, and searches pass through them.
So an index of the rows that stay is made in a collection of its own, and takes the place of the old one on the disk.
"""

import logging
import os
import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from chromadb.api.models.Collection import Collection
from chromadb.errors import InternalError, NotFoundError

from memstrata_integrations.chroma.both import (
    Both,
    copy_rows,
    drop_collection,
    history_name,
    history_of,
    pages,
    temporary_name,
)
from memstrata_integrations.chroma.damage import describe
from memstrata_integrations.chroma.directory import applying
from memstrata_integrations.chroma.erasing import overwrite_unused, persist
from memstrata_integrations.chroma.fields import BATCH, COMPACTED, ID, SHADOW, TO, written_over
from memstrata_integrations.chroma.lookup import Lookup
from memstrata_integrations.chroma.rebuild import aside_of, under_repair
from memstrata_integrations.chroma.state import IN_FLIGHT
from memstrata_integrations.chroma.traces import places
from memstrata_integrations.errors import InvalidInputError, StoreLockedError
from memstrata_integrations.ledger.time import MIN_TIME, format_time

if TYPE_CHECKING:
    from memstrata_integrations.chroma.session import Session

logger = logging.getLogger("memstrata_integrations")

_PAGE = 10_000
_WORN = 1.5
"""So many places for each row, and an index is made anew."""


def compact(session: "Session", older_than: int | None) -> int:
    """Move what ended by an instant (µs, by default now) into the history; run under the lock.

    On a server nothing moves that ended within the last minute: others may be at a write that closes it.
    """
    state, both = session.state, session.lookup.both
    now = session.present()
    cut = now if older_than is None else older_than
    if cut > now:
        raise InvalidInputError("compact(older_than=...) lies in the future: what ends by then is not over yet")
    if state.remote:
        cut = min(cut, now - IN_FLIGHT)
    ids = _movable(session.lookup, cut)
    moved = 0
    with _turn(session) as go_on:
        for page in pages(ids, session.writer.batch_limit()):
            go_on()
            moved += _move(both, page, cut)
    if moved:
        state.forget_everything()
        session.reader.lookup.reach = 1.0
    if _renew_index(session) or moved:
        overwrite_unused(session.collection, state)
    return moved


def ended(lookup: Lookup, instant: int) -> list[str]:
    """Return the rows of the collection itself that ended by an instant, µs."""
    clauses: Any = {"$and": [{TO: {"$gte": MIN_TIME}}, {TO: {"$lte": instant}}, {SHADOW: {"$ne": 1}}]}
    return list(lookup.both.main.get(where=clauses, include=[])["ids"])


def _movable(lookup: Lookup, cut: int) -> list[str]:
    """Return the rows that ended by an instant, less those that lead readers to a version that did not.

    Nor those in whose place other code has put another text: `adopt` reads that anew.
    """
    ids, alone = ended(lookup, cut), lookup.present()
    over, kept = set(ids), set[str]()
    for page in pages(ids, _PAGE):
        versions = alone.fetch(alone.archived_ids(page)).values()
        kept.update(r["metadata"][ID] for r in versions if r["id"] not in over)
        texts = alone.fetch(page, ("documents",)).items()
        kept.update(i for i, r in texts if written_over(r["metadata"], r["document"]))
    return [i for i in ids if i not in kept]


@contextmanager
def _turn(session: "Session") -> Iterator[Callable[[], None]]:
    """Let one client of a server compact at a time; yield what is to be called from time to time.

    Of a collection there is one of a name, and the first who makes it has the turn; `StoreLockedError` for others. One
    that was not gone on with for ten minutes is over.
    """
    if not session.state.remote:
        yield lambda: None
        return
    collection, own = session.collection, uuid.uuid4().hex
    name = f"memstrata-compacting-{collection.id}"
    held = _made(collection, name, session.clock(), own)
    if held.metadata[BATCH] != own and held.metadata[COMPACTED] <= session.clock() - 10 * IN_FLIGHT:
        _give_up(held)
        held = _made(collection, name, session.clock(), own)
    if held.metadata[BATCH] != own:
        raise StoreLockedError(
            f"another client is compacting collection {collection.name!r}, or was killed at it: call compact() again "
            f"when it has ended; if it was killed, from {format_time(held.metadata[COMPACTED] + 10 * IN_FLIGHT)} on. "
            f"Where you know that it was, delete the collection {held.name!r}, which stands for its turn"
        )
    try:
        yield lambda: held.modify(metadata={COMPACTED: session.clock(), BATCH: own})
    finally:
        _give_up(held)


def _give_up(held: Any) -> None:
    """Delete what stands for a turn, and not what stands for another one by now."""
    with suppress(NotFoundError):
        held.modify(name=f"memstrata-{uuid.uuid4().hex}")
        held._client.delete_collection(name=held.name, tenant=held.tenant, database=held.database)


def _move(both: Both, ids: list[str], cut: int) -> int:
    """Copy rows to the history and delete them, but for those that another client changed or deleted meanwhile."""
    history = history_of(both.main) or _made(both.main, history_name(both.main), cut)
    if history.metadata[COMPACTED] < cut:
        history.modify(metadata={COMPACTED: cut})
    both.state.history = None
    with both.changing():
        copied = copy_rows(both.main, history, ids)
    found = both.main.get(ids=ids, include=["metadatas"])
    same = [i for i, m in zip(found["ids"], found["metadatas"], strict=True) if copied.get(i) == m]
    gone = list(copied.keys() - found["ids"])
    if gone:
        with applying(history):
            history.delete(ids=gone)
    if same:
        with both.state.flipping(), both.state.turn():
            both.main.delete(ids=same)
    return len(same)


def _made(collection: Any, name: str, cut: int, own: str = "") -> Any:
    """Make a collection like another one, empty, unless there is one of that name."""
    index = {kind: found for kind in ("hnsw", "spann") if (found := collection.configuration_json.get(kind))}
    metadata = {COMPACTED: cut, BATCH: own} if own else {COMPACTED: cut}
    where = {"name": name, "tenant": collection.tenant, "database": collection.database}
    model = collection._client.create_collection(**where, configuration=index, metadata=metadata, get_or_create=True)
    return Collection(client=collection._client, model=model, embedding_function=None)


def _renew_index(session: "Session") -> bool:
    """Let an index of the rows that there are take the place of one with the places of many deleted rows, if it has.

    A repair's mark stands while neither is in its place: opening the store then puts the old one back, see `rebuild`.
    """
    collection, state = session.collection, session.state
    if state.directory is None:
        return False
    server, where, path = collection._client, (collection.tenant, collection.database), state.directory.path
    old = describe(path, collection.name, *where).vectors
    count = collection.count()
    if not count or places(old) < _WORN * count or not state.directory.reload(server):
        return False  # it need not be renewed, or this version of Chroma cannot load another one
    ids = collection.get(include=[])["ids"]
    name = temporary_name(collection)
    drop_collection(collection, name, path)
    made = _made(collection, name, MIN_TIME)
    copy_rows(collection, made, ids, vectors_only=True)
    persist(made)
    fresh = describe(path, name, *where).vectors
    mark, aside = under_repair(path, collection.id), aside_of(old)
    with state.flipping(), state.turn():  # nobody opens what is being exchanged
        state.directory.reload(server)  # so that nothing of the old one is in memory
        mark.stand(collection.name, set_aside=aside.name)
        try:
            os.rename(old, aside)
            os.rename(fresh, old)
            state.directory.reload(server)
            for page in pages(ids, _PAGE):
                collection.get(ids=page, include=["embeddings"])  # fails if one is missing
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
    return True
