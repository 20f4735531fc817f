"""`import_history`: a collection made again from an export, wholly or not at all.

The rows go into a collection of another name beside the wanted one, and are read back; only then does it take that
name. What an interrupted import leaves is never served, and the next one begins by removing it.
"""

import base64
import gzip
import hashlib
import json
import logging
import os
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, nullcontext, suppress
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from chromadb.errors import InvalidArgumentError, NotFoundError

from memstrata_integrations.chroma import amending, erasing
from memstrata_integrations.chroma.both import (
    BEING_MADE,
    delete_collection,
    drop_collection,
    history_name,
    pages,
    parts_of,
)
from memstrata_integrations.chroma.clients import client_at
from memstrata_integrations.chroma.directory import applying, directory_of
from memstrata_integrations.chroma.embedding import Embed, embedded_text, embedder, identity, vectors_of
from memstrata_integrations.chroma.exporting import FORMAT, PAGE, Export, checksum, described
from memstrata_integrations.chroma.fields import EMBEDDING, SCHEMA, TOMBSTONES, user_metadata
from memstrata_integrations.chroma.lookup import shown_id
from memstrata_integrations.chroma.plan import Item
from memstrata_integrations.chroma.progress import progress_bar
from memstrata_integrations.chroma.session import Session
from memstrata_integrations.chroma.state import shared_state
from memstrata_integrations.chroma.tombstones import Tombstones
from memstrata_integrations.errors import InvalidInputError, SchemaVersionError, StorageError
from memstrata_integrations.options import Options

logger = logging.getLogger("memstrata_integrations")

_REPLACED = ".memstrata-replaced"
_NAME = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9._-]{1,491}[a-zA-Z0-9]")  # Chroma's rule, with room for `_REPLACED`
_FIELDS = {"id": "id", "metadata": "metadata", "document": "text", "uri": "uri"}
"""Chroma's names, and those of the file."""


def import_history(
    file: str | os.PathLike[str],
    client: Any,
    collection_name: str,
    *,
    embedding_function: Any = None,
    replace: bool = False,
    progress: bool = True,
) -> Export:
    """Make a collection from a file of `export_history`: after it every read answers as in the exported one.

    The file is checked as a whole before anything is written, and each row is read back. Until the last one is, there
    is no collection of that name; interrupted, run it again. Open the store after it. What tombstones bar, of the
    collection whose place it takes, is left out, and they go on standing beside those of the file.

    Args:
        file: The file, compressed or not.
        client: A chromadb client, local, of a server or of Chroma Cloud; or the path of a directory; or
            ``http://host:port`` of a server.
        collection_name: The collection to make; one that is there must be empty.
        embedding_function: Makes vectors of the texts anew (LangChain's, LlamaIndex's or chromadb's kind, or a callable
            that takes texts), and is recorded as what embedded them; by default the vectors of the file are taken.
        replace: Whether it may take the place of a collection that holds rows, which are deleted at the end.
        progress: Show a progress bar on a terminal.

    Returns:
        What the file holds.

    Raises:
        InvalidInputError: If the file is truncated, altered or none of `export_history`, if the collection holds rows,
            if Chroma refuses its name, or if there is nothing to make vectors with; nothing was written.
        SchemaVersionError: If a newer version of this package wrote the file; nothing was written.
        StorageError: If what is read back is not what was written; it is removed.
        StoreLockedError: If another process writes to the directory.
    """
    path = Path(file)
    if not isinstance(collection_name, str) or not _NAME.fullmatch(collection_name):
        raise InvalidInputError(
            f"no collection can be named {collection_name!r}: give 3 to 493 characters of a-z, A-Z, 0-9, '.', '_' and "
            "'-', the first and the last of them a letter or a digit"
        )
    header = _checked(path)
    embed = None if embedding_function is None else embedder(embedding_function)
    told = described(path, header)
    if embed is None and not told.vectors:
        raise InvalidInputError(
            f"{str(path)!r} holds no vectors, so give embedding_function=: what embeds the texts of this collection "
            f"({told.embedding or 'it does not say what did'})"
        )
    opened = client_at(client)
    # a client of our own would keep others from opening the directory with their settings
    with nullcontext() if opened is client else closing(opened):
        _make(opened, collection_name, path, header, embedding_function, replace, progress)
    return told


def _make(
    client: Any, name: str, path: Path, header: Any, embedding_function: Any, replace: bool, progress: bool
) -> None:
    """Make the collection that a checked file holds."""
    embed = None if embedding_function is None else embedder(embedding_function)
    if (directory := directory_of(client._server)) is not None:
        directory.lock()
    there = _refuse_rows(client, name, replace)
    metadata = dict(header["collection"]["metadata"] or {})
    told, own = Tombstones.of(metadata), Tombstones.of(None if there is None else there.metadata)
    if own:
        metadata[TOMBSTONES] = str(told.and_those(own))
    if embed is not None:
        metadata[EMBEDDING] = identity(embedding_function)
    metadata = {k: v for k, v in metadata.items() if v is not None}
    index = header["collection"]["configuration"]
    _drop(client, name + BEING_MADE)
    collection = client.create_collection(
        name + BEING_MADE, metadata=metadata or None, configuration=index or None, embedding_function=None
    )
    state = shared_state(collection)
    with state.alone():
        try:
            state.open_for_writing(collection._client)
            with progress_bar(progress, "import", header["rows"]) as bar:
                _fill(collection, path, header, embed, bar)
            if own != told:  # else the file was written with them standing
                _keep_out(collection, own)
            _refuse_rows(client, name, replace)
            _give_name(client, collection, name)
        except BaseException:
            with suppress(Exception):  # else the next import removes it
                _drop(client, name + BEING_MADE)
            raise
        state.written(collection._client)


def _found(client: Any, name: str) -> Any:
    with suppress(NotFoundError):
        return client.get_collection(name, embedding_function=None)
    return None


def _drop(client: Any, name: str) -> None:
    if (there := _found(client, name)) is not None:
        path = shared_state(there).path
        drop_collection(there, history_name(there), path)
        delete_collection(there, name, path)


def _refuse_rows(client: Any, name: str, replace: bool) -> Any:
    """Return the collection of a name, if there is one, which must hold nothing unless it is to be replaced."""
    there = _found(client, name)
    if count := 0 if there is None or replace else sum(part.count() for part in parts_of(there)):
        raise InvalidInputError(
            f"collection {name!r} holds {count} rows already; give another name, or replace=True (--replace), which "
            "deletes them once the import is complete"
        )
    return there


def _give_name(client: Any, collection: Any, name: str) -> None:
    """Let a collection take a name, and the place of the one that has it."""
    there = _found(client, name)
    _drop(client, name + _REPLACED)
    if there is not None:
        there.modify(name=name + _REPLACED)
    try:
        collection.modify(name=name)
    except BaseException:
        if there is not None:
            there.modify(name=name)
        raise
    _drop(client, name + _REPLACED)


def _fill(collection: Any, path: Path, header: Mapping[str, Any], embed: Embed | None, bar: Any) -> None:
    """Write all rows, and read them back."""
    size = min(PAGE, int(collection._client.get_max_batch_size()))
    lines = islice(_lines(path), 1, None)
    while page := [json.loads(line) for line in islice(lines, size)]:
        columns = {f"{name}s": [row.get(field) for row in page] for name, field in _FIELDS.items()}
        given = {k: v for k, v in columns.items() if any(one is not None for one in v)}
        try:
            vectors = _vectors(page, embed)
            with applying(collection):
                collection.add(**given, embeddings=vectors)
        except InvalidArgumentError as error:
            raise InvalidInputError(f"Chroma refuses rows from {page[0]['id']!r} on: {error}") from error
        _read_back(collection, columns)
        bar.update(len(page))
    if (count := collection.count()) != header["rows"]:
        raise StorageError(f"{header['rows']} rows were written, and {count} are stored; nothing was imported")


def _keep_out(collection: Any, tombstones: Tombstones) -> None:
    """Erase what tombstones bar, of the collection whose place this one takes."""
    session = Session(collection, None, Options(extractor=None))
    barred: list[str] = []
    for ids in pages(collection.get(include=[])["ids"], PAGE):
        records = list(session.lookup.fetch(ids, ("documents",)).values())
        items = [Item(shown_id(r), True, r["document"], user_metadata(r["metadata"])) for r in records]
        reasons = tombstones.barring(items)
        barred += [r["id"] for r, reason in zip(records, reasons, strict=True) if reason is not None]
    if not barred:
        return
    with session.writing() as now:
        changes = amending.delete(session, barred, now, retire=False)
    remains = erasing.finish(collection, session.state)
    if remains.unfinished:
        raise StorageError(f"what was purged would stay in {'; '.join(remains.unfinished)}; nothing was imported")
    logger.warning("tombstones kept %d documents of the file out: %s", len(changes.ids), ", ".join(changes.ids[:3]))


def _read_back(collection: Any, columns: Mapping[str, list[Any]]) -> None:
    stored = collection.get(ids=columns["ids"], include=["metadatas", "documents", "uris"])
    stored["metadatas"] = [m or None for m in stored["metadatas"]]  # Chroma returns either for a row without any
    for name in ("metadatas", "documents", "uris"):
        held = dict(zip(stored["ids"], stored[name] or [None] * len(stored["ids"]), strict=True))
        for row_id, value in zip(columns["ids"], columns[name], strict=True):
            if row_id not in held or held[row_id] != value:
                told = f"row {row_id!r} was written with the {name} {value!r}, and reads {held.get(row_id)!r} now"
                raise StorageError(f"{told}; nothing was imported")


def _vectors(page: list[dict[str, Any]], embed: Embed | None) -> list[Any]:
    texts = [embedded_text(row.get("text"), row.get("metadata")) for row in page] if embed else []
    told = [text for text in texts if text is not None]
    made = iter(vectors_of(embed, told) if embed and told else ())
    stored = [np.frombuffer(base64.b64decode(row["vector"]), "<f4") if "vector" in row else None for row in page]
    return [next(made) if texts and texts[n] is not None else vector for n, vector in enumerate(stored)]


def read_header(file: str | os.PathLike[str]) -> Export:
    """Return what a file of `export_history` says of itself, if it is one; its rows are not looked at."""
    return described(Path(file), _header(Path(file), _lines(Path(file))))


def _checked(path: Path) -> dict[str, Any]:
    """Return a file's header if the whole of it is as it was written."""
    lines = _lines(path)
    header = _header(path, lines)
    rows, count = hashlib.sha256(), 0
    for line in lines:
        rows.update(line)
        count += 1
    if count != header["rows"]:
        raise InvalidInputError(f"{str(path)!r} is truncated: it holds {count} of {header['rows']} rows")
    if checksum(rows, header) != header["sha256"]:
        raise InvalidInputError(f"{str(path)!r} was altered: its checksum is not that of its content")
    return header


def _header(path: Path, lines: Iterator[bytes]) -> dict[str, Any]:
    first = next(lines, b"")
    try:
        header = json.loads(first)
        forms = {"file": (header["memstrata_history"], FORMAT), "rows": (header["schema"], SCHEMA)}
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidInputError(f"{str(path)!r} is no file of export_history: its first line is no header") from error
    for what, (found, known) in forms.items():
        if not isinstance(found, int) or found > known:
            told = f"the {what} of {str(path)!r} have schema version {found!r}, this package reads up to {known}"
            raise SchemaVersionError(f"{told}; upgrade memstrata-integrations")
    missing = {"collection", "rows", "vectors", "exported_at", "sha256"} - header.keys()
    if missing:
        raise InvalidInputError(f"the header of {str(path)!r} lacks {', '.join(sorted(missing))}: it was altered")
    return dict(header)


def _lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file, compressed or not; `InvalidInputError` if it cannot be read to its end."""
    try:
        with path.open("rb") as file:
            compressed = file.read(2) == b"\x1f\x8b"
        opened: Callable[..., Any] = gzip.open if compressed else open
        with opened(path, "rb") as lines:
            yield from lines
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InvalidInputError(f"{str(path)!r} is truncated or was altered: {error}") from error
    except OSError as error:
        raise InvalidInputError(f"{str(path)!r} cannot be read: {error.strerror or error}") from error
