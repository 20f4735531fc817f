"""`repair`: the documents are the record, and the vector index is rebuilt from them.

A process that is killed while Chroma writes its vector index can leave an index that cannot be opened: every call
raises, or the process dies. Texts and metadata lie in the SQLite file, which such a kill leaves whole. So the index is
set aside, Chroma begins a new one with the vectors that its log still holds, and the other rows are embedded again.
"""

import logging
import os
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import Any

import chromadb
import numpy as np
from chromadb.config import DEFAULT_DATABASE, DEFAULT_TENANT, Settings
from chromadb.errors import InternalError

from memstrata_integrations.chroma import damage
from memstrata_integrations.chroma.both import history_name, pages, parts_of
from memstrata_integrations.chroma.clients import as_stored
from memstrata_integrations.chroma.damage import describe, way_out
from memstrata_integrations.chroma.directory import Mark, applying, hold_directory
from memstrata_integrations.chroma.embedding import (
    Embed,
    check_identity,
    embedded_text,
    embedder,
    own_function,
    vectors_of,
)
from memstrata_integrations.chroma.progress import progress_bar
from memstrata_integrations.chroma.state import shared_state
from memstrata_integrations.errors import IndexDamagedError, InvalidInputError, StorageError, StoreLockedError

logger = logging.getLogger("memstrata_integrations")

_PAGE = 256
_SAMPLE = 8
_ALIKE = 0.9
_MEANING = "this collection's vector index is being rebuilt, and may lack rows: `memstrata repair` goes on with it"


@dataclass(frozen=True, slots=True)
class Repair:
    """What a repair found and did.

    Attributes:
        rows: How many rows the collection holds, superseded ones and earlier versions included.
        embedded: How many of them were embedded again.
        lost: Ids of rows that have neither a vector nor a text to embed.
        unreached: Ids of rows that have a vector, and that Chroma's approximate search does not come to all the same,
            as happens among many that are almost alike; `get` lists them.
        strays: How many vectors were taken out that belong to no row.
        set_aside: Where the damaged index and a copy of the database lie; `None` if the index could be opened.
    """

    rows: int
    embedded: int = 0
    lost: tuple[str, ...] = ()
    unreached: tuple[str, ...] = ()
    strays: int = 0
    set_aside: Path | None = None

    def __add__(self, other: "Repair") -> "Repair":
        """Return what the repairs of a collection and of its history did together."""
        added = ("rows", "embedded", "lost", "unreached", "strays")
        sums = {name: getattr(self, name) + getattr(other, name) for name in added}
        return Repair(**sums, set_aside=self.set_aside or other.set_aside)

    def __str__(self) -> str:
        lost, unreached = len(self.lost), len(self.unreached)
        aside = f"the damaged index and a copy of the database, with all its texts, are in {self.set_aside}: "
        told = [
            (True, f"{self.rows} rows, {self.embedded} of them embedded again"),
            (self.strays, f"{self.strays} vectors of no row taken out"),
            (lost, f"{lost} rows without a text have no vector"),
            (unreached, f"{unreached} rows have a vector and are not found by Chroma's approximate search"),
            (self.set_aside, f"{aside}delete that once you are content"),
        ]
        return "; ".join(line for so, line in told if so)


def under_repair(path: str | os.PathLike[str] | None, collection_id: Any) -> Mark:
    """Return the file that stands while a collection is under repair: its index may lack vectors.

    It is on the disk before anything is changed, and says where the damaged index will lie (``set_aside``).
    """
    return Mark(path, "repair", collection_id, _MEANING)


def restore(collection: Any, embedding_function: Any, *, progress: bool) -> Repair:
    """Embed again what searches do not reach, and so end a repair that was begun; see `TemporalCollection.repair`."""
    state = shared_state(collection)
    check_identity(collection, embedding_function, state.path)
    mark = under_repair(state.path, collection.id)
    chosen = own_function(collection) if embedding_function is None else embedding_function
    embed = None if chosen is None else embedder(chosen)
    with state.alone():
        state.open_for_writing(collection._client)  # and no more: to take back a write needs the vectors
        try:
            with damage.telling_damage(collection, state.path):
                done = _reindex(collection, embed, mark, progress)
        finally:
            state.written(collection._client)
        name = mark.told().get("set_aside")
        mark.remove()
        aside = Path(state.path, name) if state.path and name else None
        return replace(done, set_aside=aside if aside is not None and aside.is_dir() else None)


def finish(collection: Any, embedding_function: Any) -> None:
    """Go on with an interrupted repair of an opened collection, if there is one; `IndexDamagedError` if that fails."""
    path = shared_state(collection).path
    for part in () if path is None else parts_of(collection):
        if not under_repair(path, part.id):
            continue
        logger.warning("a repair of collection %r was interrupted, or is under way: going on with it", part.name)
        try:
            aside = _put_back(part, path)
            restore(part, embedding_function, progress=True)
            shutil.rmtree(aside, ignore_errors=True)
        except StoreLockedError as error:
            raise IndexDamagedError(
                f"collection {part.name!r} is under repair, and another process holds {path!r}: it is repairing "
                "the collection now, or holds it up; open the store when it has ended"
            ) from error
        except InvalidInputError as error:
            raise IndexDamagedError(way_out(part, f"a repair was interrupted, and {error}")) from error


def aside_of(index: Path) -> Path:
    """Return where an index lies while another one takes its place, see `compacting`."""
    return index.with_name(f"memstrata-old-{index.name}")


def _put_back(collection: Any, path: Any) -> Path:
    """Let an index lie in its place if the exchange of it was cut off; return where it would lie aside."""
    state = shared_state(collection)
    with state.alone(), hold_directory(path):
        index = describe(path, collection.name, collection.tenant, collection.database).vectors
        aside = aside_of(index)
        if aside.is_dir() and not index.is_dir():
            os.rename(aside, index)
            if state.directory is not None:
                state.directory.reload(collection._client)
        return aside


def _reindex(collection: Any, embed: Embed | None, mark: Mark, progress: bool) -> Repair:
    """Embed the rows that `get` lists and `query` does not reach; nothing else writes to them meanwhile."""
    listed: list[str] = collection.get(include=[])["ids"]
    reached = _reached(collection, len(listed))
    if strays := list(reached.difference(listed)):
        logger.info("taking out %d vectors of no row", len(strays))
    for page in pages(strays, _PAGE):
        with applying(collection):
            collection.delete(ids=page)
    missing = [i for i in listed if i not in reached]
    if not missing:
        return Repair(len(listed), strays=len(strays))
    if embed is None:
        raise InvalidInputError(
            f"{len(missing)} of {len(listed)} rows have no vector; give embedding_function=, what made the others"
        )
    _compare(collection, sorted(set(listed).difference(missing))[:_SAMPLE], embed)
    if not mark:
        mark.stand(collection.name)
    logger.info("embedding %d of %d rows again", len(missing), len(listed))
    textless: set[str] = set()
    with progress_bar(progress, "repair", len(missing)) as bar:
        for page in pages(missing, _PAGE):
            records = collection.get(ids=page, include=["documents", "metadatas"])
            read = map(embedded_text, records["documents"], records["metadatas"])
            texts = {i: text for i, text in zip(records["ids"], read, strict=True) if text is not None}
            textless.update(i for i in records["ids"] if i not in texts)
            if texts:
                vectors = vectors_of(embed, list(texts.values()))
                with applying(collection):
                    collection.upsert(ids=list(texts), embeddings=vectors)
            bar.update(len(page))
    reached = _reached(collection, len(listed))
    left = [i for i in listed if i not in reached]
    lost = dict.fromkeys(i for i in left if i in textless and not _has_vector(collection, i))
    unreached = tuple(i for i in left if i not in lost)
    return Repair(len(listed), len(missing) - len(textless), tuple(lost), unreached, len(strays))


def _reached(collection: Any, rows: int) -> set[str]:
    """Return the ids that a search for everything finds, those of vectors included that belong to no row."""
    dimension, asked = as_stored(collection).dimension, rows + 1
    while rows and dimension:
        try:
            found = collection.query(query_embeddings=[[1.0] * dimension], n_results=asked, include=["distances"])
        except InternalError as error:
            raise IndexDamagedError(way_out(collection, f"the vector index cannot be searched ({error})")) from error
        if len(found["ids"][0]) < asked:
            return set(found["ids"][0])
        asked *= 2
    return set()


def _has_vector(collection: Any, row_id: str) -> bool:
    with suppress(InternalError):
        return len(collection.get(ids=[row_id], include=["embeddings"])["embeddings"]) > 0
    return False


def _compare(collection: Any, ids: Sequence[str], embed: Embed) -> None:
    """Refuse vectors of another dimension than the stored ones, and warn of those of another model."""
    _check_dimension(embed, as_stored(collection).dimension)
    if not ids:
        return
    held = collection.get(ids=list(ids), include=["documents", "metadatas", "embeddings"])
    texts = map(embedded_text, held["documents"], held["metadatas"])
    known = [(text, vector) for text, vector in zip(texts, held["embeddings"], strict=True) if text]
    if not known:
        return
    stored = np.asarray([vector for _, vector in known], dtype=np.float32)
    made = np.asarray(vectors_of(embed, [text for text, _ in known]), dtype=np.float32)
    norms = np.linalg.norm(stored, axis=1) * np.linalg.norm(made, axis=1)
    likeness = float(np.median((stored * made).sum(axis=1) / np.where(norms == 0, 1, norms)))
    if likeness < _ALIKE:
        logger.warning(
            "the embedding function does not give the vectors that collection %r holds (median cosine %.2f, %d rows): "
            "was it made with another one? Distances between rows of two models mean nothing.",
            *(collection.name, likeness, len(known)),
        )


def _check_dimension(embed: Embed, dimension: int | None) -> None:
    [vector] = vectors_of(embed, ["dimension"])
    if dimension and len(vector) != dimension:
        raise InvalidInputError(
            f"the embedding function makes vectors of {len(vector)} dimensions, and the collection holds {dimension}; "
            "give the one that made them"
        )


def repair(
    path: str | os.PathLike[str],
    collection_name: str,
    embedding_function: Any = None,
    *,
    tenant: str = DEFAULT_TENANT,
    database: str = DEFAULT_DATABASE,
    time_limit: float = 120.0,
    progress: bool = True,
) -> Repair:
    """Rebuild the vector index of a collection in a Chroma directory, and of its history, also if it cannot be opened.

    A process of its own tries to open the collection and to search it. If that fails, the index is moved into a new
    directory ``memstrata-damaged-...`` inside of `path`, beside a copy of the database, and nothing is ever deleted.
    Chroma then begins a new index with the vectors that its log still holds; the other rows are embedded again and keep
    their ids, texts and metadata. Until that is done, a file ``memstrata-repair-...json`` stands in the directory: an
    interrupted repair goes on where it stopped, with this function, or when a store is opened that can embed.

    No other process may have the directory open, and this one should not: a client that met the damage goes on failing
    until its process ends.

    Args:
        path: The directory.
        collection_name: Which collection.
        embedding_function: What made its vectors, of LangChain's, LlamaIndex's or chromadb's kind, or a callable that
            takes texts. Needed as soon as one vector is missing.
        tenant, database: Where Chroma keeps the collection.
        time_limit: Seconds after which opening and searching counts as failed.
        progress: Show a progress bar on a terminal.

    Raises:
        InvalidInputError: If there is no such collection, or the embedding function does not fit; nothing was changed.
        StoreLockedError: If another process writes to the directory.
        StorageError: If the index is not what fails; nothing was changed.
    """
    directory = Path(path).resolve()
    history = history_name(describe(directory, collection_name, tenant, database))
    done = _repair(directory, collection_name, embedding_function, tenant, database, time_limit, progress)
    try:
        describe(directory, history, tenant, database)
    except InvalidInputError:  # it was never compacted
        return done
    return done + _repair(directory, history, embedding_function, tenant, database, time_limit, progress)


def _repair(
    directory: Path, name: str, embedding_function: Any, tenant: str, database: str, time_limit: float, progress: bool
) -> Repair:
    """Repair one collection; see `repair`."""
    stored = describe(directory, name, tenant, database)
    if embedding_function is not None:
        _check_dimension(embedder(embedding_function), stored.dimension)
    opening = partial(damage.opening_failure, str(directory), name, tenant, database, stored.dimension, time_limit)
    with hold_directory(str(directory)):
        logger.info("opening collection %r in a process of its own, at most %g seconds", name, time_limit)
        if (found := opening()) is not None:
            if embedding_function is None:
                raise InvalidInputError(f"the vector index cannot be opened ({found}); give embedding_function=")
            mark = under_repair(directory, stored.id)
            begun = bool(mark)
            aside = directory / f"{damage.ASIDE}{datetime.now(timezone.utc):%Y%m%dT%H%M%S.%fZ}"
            mark.stand(name, set_aside=aside.name)
            try:
                _set_aside(stored.vectors, aside, found, opening)
            except StorageError:
                if not begun:
                    mark.remove()
                raise
        # another spelling of the path: a client of this process that met the damage would be handed out again
        spelled = os.path.join(directory, ".")
        settings = Settings(anonymized_telemetry=False)  # of this client alone: Chroma writes the path into it
        client = chromadb.PersistentClient(spelled, settings=settings, tenant=tenant, database=database)
        try:
            return restore(client.get_collection(name, embedding_function=None), embedding_function, progress=progress)
        finally:
            getattr(client, "close", lambda: None)()  # older versions of chromadb have none


def _set_aside(index: Path, aside: Path, found: str, opening: Callable[[], str | None]) -> None:
    """Move an index into a new directory, beside a copy of the database; `StorageError` if it is not what fails."""
    directory = str(index.parent)
    if not index.is_dir():
        raise StorageError(f"{directory!r} cannot be opened ({found}), and there is no index to set aside")
    aside.mkdir()
    try:
        with (
            damage.open_database(index.parent, "ro") as source,
            closing(sqlite3.connect(aside / "chroma.sqlite3")) as copy,
        ):
            source.backup(copy)
    except sqlite3.Error as error:
        shutil.rmtree(aside)
        raise StorageError(f"the database in {directory!r} could not be copied first: {error}") from error
    shutil.move(index, aside / index.name)
    logger.warning("the vector index %s cannot be opened (%s); it was moved to %s", index, found, aside)
    if (still := opening()) is not None:
        if index.exists():
            shutil.move(index, aside / f"{index.name}-begun")
        shutil.move(aside / index.name, index)
        raise StorageError(
            f"{directory!r} cannot be opened without its vector index either ({still}); the index is back in its "
            f"place, and a copy of the database is in {str(aside)!r}"
        )
