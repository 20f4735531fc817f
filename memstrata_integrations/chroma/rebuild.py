"""`repair`: the documents are the record, and the vector index is rebuilt from them.

A process that is killed while Chroma writes its vector index can leave an index that cannot be
opened: every call raises, or the process dies. Texts and metadata lie in the SQLite file, which such a
kill leaves whole. So the index is set aside, Chroma begins a new one with the vectors that
its log still holds, and the other rows are embedded again.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import chromadb
import numpy as np
from chromadb.config import DEFAULT_DATABASE, DEFAULT_TENANT, Settings
from chromadb.errors import InternalError

from memstrata_integrations.chroma.both import history_name, parts_of
from memstrata_integrations.chroma.damage import (
    ASIDE,
    describe,
    open_database,
    opening_failure,
    telling_damage,
    way_out,
)
from memstrata_integrations.chroma.directory import hold_directory, keep
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

__all__ = [
    "Mark",
    "Repair",
    "aside_of",
    "finish",
    "reindex",
    "repair",
    "restore",
]

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
        unreached: Ids of rows that have a vector, and that Chroma's approximate search does not
            come to all the same, as happens among many that are almost alike; `get` lists them.
        strays: How many vectors were taken out that belong to no row.
        set_aside: The directory in which the damaged index and a copy of the database lie; `None`
            if the index could be opened.
    """

    rows: int
    embedded: int = 0
    lost: tuple[str, ...] = ()
    unreached: tuple[str, ...] = ()
    strays: int = 0
    set_aside: Path | None = None

    def __add__(self, other: Repair) -> Repair:
        """Return what the repairs of a collection and of its history did together."""
        return Repair(
            self.rows + other.rows,
            self.embedded + other.embedded,
            (*self.lost, *other.lost),
            (*self.unreached, *other.unreached),
            self.strays + other.strays,
            self.set_aside or other.set_aside,
        )

    def __str__(self) -> str:
        told = [f"{self.rows} rows, {self.embedded} of them embedded again"]
        if self.strays:
            told.append(f"{self.strays} vectors of no row taken out")
        if self.lost:
            told.append(f"{len(self.lost)} rows without a text have no vector")
        if self.unreached:
            told.append(f"{len(self.unreached)} rows have a vector and are not found by Chroma's approximate search")
        if self.set_aside:
            told.append(
                f"the damaged index and a copy of the database, with all its texts, are in {self.set_aside}: "
                "delete that once you are content"
            )
        return "; ".join(told)


class Mark:
    """A file in the directory that stands while a collection is under repair: its index may lack vectors.

    It is on the disk before anything is changed, and goes when every vector is there.
    """

    def __init__(self, path: str | os.PathLike[str] | None, collection_id: Any) -> None:
        """Look at `path`; a collection that lies in no directory has no mark."""
        self._file = None if path is None else Path(path, f"memstrata-repair-{collection_id}.json")

    def __bool__(self) -> bool:
        """Whether it stands."""
        return self._file is not None and self._file.exists()

    def set(self, collection_name: str, set_aside: Path | None = None) -> None:
        """Let it stand; what it says already, it goes on saying.

        Args:
            collection_name: For people who find the file.
            set_aside: Where the damaged index will lie.
        """
        if self._file is None or (self and set_aside is None):
            return
        told = {"collection": collection_name, "set_aside": set_aside and set_aside.name, "meaning": _MEANING}
        keep(self._file, told)

    def remove(self) -> Path | None:
        """Take it away; return where it says that the damaged index lies."""
        if self._file is None or not self:
            return None
        try:
            name = json.loads(self._file.read_text())["set_aside"]
        except (ValueError, KeyError, TypeError):  # it was cut off while it was written, before anything was done
            name = None
        self._file.unlink()
        aside = None if name is None else self._file.parent / name
        return aside if aside is not None and aside.is_dir() else None


# -- an open collection -----------------------------------------------------------------------


def restore(collection: Any, embedding_function: Any, *, progress: bool) -> Repair:
    """Embed again what searches do not reach, and so end a repair that was begun; see `TemporalCollection.repair`.

    Args:
        collection: A chromadb `Collection`.
        embedding_function: What made its vectors; by default its own function.
        progress: Whether to show a progress bar.
    """
    state = shared_state(collection)
    check_identity(collection, embedding_function, state.path)
    mark = Mark(state.path, collection.id)
    chosen = own_function(collection) if embedding_function is None else embedding_function
    embed = None if chosen is None else embedder(chosen)
    with state.alone(), progress_bar(progress, "repair") as bar:
        state.open_for_writing(collection._client)  # and no more: to take back a write needs the vectors
        try:
            with telling_damage(collection, state.path):
                done = reindex(collection, embed, mark, bar=bar)
        finally:
            state.written(collection._client)
        return replace(done, set_aside=mark.remove())


def finish(collection: Any, embedding_function: Any) -> None:
    """Go on with a repair of an opened collection that was interrupted, if there is one.

    Raises:
        IndexDamagedError: If another process is at it, or there is nothing to embed with.
    """
    path = shared_state(collection).path
    for part in () if path is None else parts_of(collection):
        if Mark(path, part.id):
            _go_on(part, str(path), embedding_function)


def _go_on(collection: Any, path: str, embedding_function: Any) -> None:
    logger.warning("a repair of collection %r was interrupted, or is under way: going on with it", collection.name)
    try:
        aside = _put_back(collection, path)
        restore(collection, embedding_function, progress=True)
        shutil.rmtree(aside, ignore_errors=True)
    except StoreLockedError as error:
        raise IndexDamagedError(
            f"collection {collection.name!r} is under repair, and another process holds {path!r}: it is repairing "
            "the collection now, or holds it up; open the store when it has ended"
        ) from error
    except InvalidInputError as error:
        raise IndexDamagedError(way_out(collection, f"a repair was interrupted, and {error}")) from error


def aside_of(index: Path) -> Path:
    """Return where an index lies while another one takes its place, see `compacting`."""
    return index.with_name(f"memstrata-old-{index.name}")


def _put_back(collection: Any, path: str) -> Path:
    """Let an index lie in its place if the exchange of it was cut off; return where it would lie aside.

    Raises:
        StoreLockedError: If another process is at it.
    """
    state = shared_state(collection)
    with state.alone(), hold_directory(path):
        stored = describe(Path(path), collection.name, collection.tenant, collection.database)
        index = Path(path, stored.segments.vectors)
        aside = aside_of(index)
        if aside.is_dir() and not index.is_dir():
            os.rename(aside, index)
            if state.directory is not None:
                state.directory.reload(collection._client)
        return aside


def reindex(collection: Any, embed: Embed | None, mark: Mark, *, bar: Any = None) -> Repair:
    """Embed the rows that `get` lists and `query` does not reach; their texts and metadata stay as they are.

    Args:
        collection: A chromadb `Collection`; nothing else writes to it meanwhile.
        embed: Returns vectors, float32, ``(n, dim)``.
        mark: Stands from before the first row is embedded again.
        bar: A progress bar, or `None`.

    Raises:
        InvalidInputError: If there are such rows and nothing to embed them with, or its vectors don't fit.
        IndexDamagedError: If the index cannot be searched.
    """
    listed: list[str] = collection.get(include=[])["ids"]
    dimension = _dimension(collection)
    reached = _reached(collection, len(listed), dimension)
    strays = list(reached.difference(listed))
    if strays:
        logger.info("taking out %d vectors of no row", len(strays))
    for start in range(0, len(strays), _PAGE):
        collection.delete(ids=strays[start : start + _PAGE])
    missing = [i for i in listed if i not in reached]
    if not missing:
        return Repair(len(listed), strays=len(strays))
    if embed is None:
        raise InvalidInputError(
            f"{len(missing)} of {len(listed)} rows have no vector; give embedding_function=, what made the others"
        )
    _compare(collection, sorted(set(listed).difference(missing))[:_SAMPLE], embed, dimension)
    mark.set(collection.name)
    logger.info("embedding %d of %d rows again", len(missing), len(listed))
    if bar is not None:
        bar.reset(total=len(missing))
    textless: set[str] = set()
    for start in range(0, len(missing), _PAGE):
        records = collection.get(ids=missing[start : start + _PAGE], include=["documents", "metadatas"])
        texts = dict(zip(records["ids"], map(embedded_text, records["documents"], records["metadatas"]), strict=True))
        textless.update(i for i, text in texts.items() if text is None)
        named = {i: text for i, text in texts.items() if text is not None}
        if named:
            collection.upsert(ids=list(named), embeddings=vectors_of(embed, list(named.values())))
        if bar is not None:
            bar.update(len(texts))
    reached = _reached(collection, len(listed), dimension or _dimension(collection))
    left = [i for i in listed if i not in reached]
    lost = [i for i in left if i in textless and not _has_vector(collection, i)]
    unreached = tuple(i for i in left if i not in set(lost))
    return Repair(len(listed), len(missing) - len(textless), tuple(lost), unreached, len(strays))


def _dimension(collection: Any) -> int:
    """Return the dimension of a collection's vectors; 0 if it never had any."""
    stored = collection._client.get_collection(
        name=collection.name, tenant=collection.tenant, database=collection.database
    )
    return stored.dimension or 0


def _reached(collection: Any, rows: int, dimension: int) -> set[str]:
    """Return the ids that a search for everything finds, those of vectors included that belong to no row."""
    asked = rows + 1
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
    try:
        return len(collection.get(ids=[row_id], include=["embeddings"])["embeddings"]) > 0
    except InternalError:
        return False


def _compare(collection: Any, ids: Sequence[str], embed: Embed, dimension: int) -> None:
    """Refuse vectors of another dimension than the stored ones, and warn of those of another model.

    Raises:
        InvalidInputError: If the dimension differs.
    """
    held = collection.get(ids=list(ids), include=["documents", "metadatas", "embeddings"]) if ids else {"ids": []}
    texts = [embedded_text(held["documents"][n], held["metadatas"][n]) for n in range(len(held["ids"]))]
    known = [n for n, text in enumerate(texts) if text]
    if not known:
        _check_dimension(embed, dimension)
        return
    stored = np.asarray([held["embeddings"][n] for n in known], dtype=np.float32)
    made = np.asarray(vectors_of(embed, [texts[n] or "" for n in known]), dtype=np.float32)
    if made.shape != stored.shape:
        raise InvalidInputError(
            f"the embedding function makes vectors of {made.shape[1]} dimensions, and collection {collection.name!r} "
            f"holds {stored.shape[1]}; give the one that made them"
        )
    norms = np.linalg.norm(stored, axis=1) * np.linalg.norm(made, axis=1)
    likeness = float(np.median((stored * made).sum(axis=1) / np.where(norms == 0, 1, norms)))
    if likeness < _ALIKE:
        logger.warning(
            "the embedding function does not give the vectors that collection %r holds (median cosine %.2f, %d rows): "
            "was it made with another one? Distances between rows of two models mean nothing.",
            collection.name,
            likeness,
            len(known),
        )


# -- a directory --------------------------------------------------------------------------------


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

    A process of its own tries to open the collection and to search it. If that fails, the index is
    moved into a new directory ``memstrata-damaged-...`` inside of `path`, beside a copy of the
    database, and nothing is ever deleted. Chroma then begins a new index with the vectors that its
    log still holds; the other rows are embedded again and keep their ids, texts and metadata. Until that
    is done, a file ``memstrata-repair-...json`` stands in the directory: an interrupted repair goes on where it
    stopped, with this function, or when a store is opened that has something to embed with.

    No other process may have the directory open, and this one should not: a client that met the
    damage goes on failing until its process ends.

    Args:
        path: The directory.
        collection_name: Which collection.
        embedding_function: What made its vectors: LangChain `Embeddings`, a LlamaIndex embedding, a
            chromadb embedding function, or any callable that takes texts. Needed as soon as one vector is missing.
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
    directory: Path,
    collection_name: str,
    embedding_function: Any,
    tenant: str,
    database: str,
    time_limit: float,
    progress: bool,
) -> Repair:
    """Repair one collection; see `repair`."""
    stored = describe(directory, collection_name, tenant, database)
    if embedding_function is not None:
        _check_dimension(embedder(embedding_function), stored.dimension)
    where = (str(directory), collection_name, tenant, database)
    with hold_directory(str(directory)):
        logger.info("opening collection %r in a process of its own, at most %g seconds", collection_name, time_limit)
        found = opening_failure(*where, stored.dimension, time_limit)
        if found is not None:
            if embedding_function is None:
                raise InvalidInputError(f"the vector index cannot be opened ({found}); give embedding_function=")
            mark = Mark(directory, stored.id)
            begun = bool(mark)
            aside = directory / f"{ASIDE}{datetime.now(timezone.utc):%Y%m%dT%H%M%S.%fZ}"
            mark.set(collection_name, aside)
            try:
                _set_aside(directory, stored.segments.vectors, aside, found)
                _require_opening(directory / stored.segments.vectors, aside, *where, stored.dimension, time_limit)
            except StorageError:
                if not begun:
                    mark.remove()
                raise
        # another spelling of the path: a client of this process that met the damage would be handed out again
        spelled = os.path.join(directory, ".")
        settings = Settings(anonymized_telemetry=False)  # of this client alone: Chroma writes the path into it
        client = chromadb.PersistentClient(spelled, settings=settings, tenant=tenant, database=database)
        try:
            collection = client.get_collection(collection_name, embedding_function=None)
            check_identity(collection, embedding_function, str(directory))
            return restore(collection, embedding_function, progress=progress)
        finally:
            getattr(client, "close", lambda: None)()  # older versions of chromadb have none


def _require_opening(index: Path, aside: Path, *where: Any) -> None:
    """Put an index back if the collection cannot be opened without it either.

    Raises:
        StorageError: If so.
    """
    still = opening_failure(*where)
    if still is None:
        return
    if index.exists():
        shutil.move(index, aside / f"{index.name}-begun")
    shutil.move(aside / index.name, index)
    raise StorageError(
        f"collection {where[1]!r} cannot be opened without its vector index either ({still}); the index is back in its "
        f"place, and a copy of the database is in {str(aside)!r}"
    )


def _check_dimension(embed: Embed, dimension: int) -> None:
    [vector] = vectors_of(embed, ["dimension"])
    if dimension and len(vector) != dimension:
        raise InvalidInputError(
            f"the embedding function makes vectors of {len(vector)} dimensions, and the collection holds {dimension}; "
            "give the one that made them"
        )


def _set_aside(directory: Path, segment: str, aside: Path, found: str) -> None:
    """Copy the database and move an index into a new directory."""
    index = directory / segment
    if not index.is_dir():
        raise StorageError(f"{str(directory)!r} cannot be opened ({found}), and there is no index to set aside")
    aside.mkdir()
    try:
        with open_database(directory, "ro") as source, closing(sqlite3.connect(aside / "chroma.sqlite3")) as copy:
            source.backup(copy)
    except sqlite3.Error as error:
        shutil.rmtree(aside)
        raise StorageError(f"the database in {str(directory)!r} could not be copied first: {error}") from error
    shutil.move(index, aside / segment)
    logger.warning("the vector index %s cannot be opened (%s); it was moved to %s", index, found, aside)
