"""`export_history`: a collection with its whole history as one file of JSON lines.

The first line is a header: what the collection is, how many rows follow, and the SHA-256 of them and of the header
itself (as JSON with sorted keys, without ``sha256``, after the rows). Each other line is a row: ``id``, ``text``,
``uri``, ``metadata`` with the ledger's reserved fields, and ``vector``, float32, little-endian, in base64.
"""

import base64
import gzip
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from chromadb.errors import InternalError

from memstrata_integrations.chroma.both import pages
from memstrata_integrations.chroma.clients import stored_metadata
from memstrata_integrations.chroma.damage import telling_damage
from memstrata_integrations.chroma.fields import BATCH, EMBEDDING, ID, SCHEMA, SHADOW, addressed
from memstrata_integrations.chroma.lookup import Lookup, Record, is_shadow
from memstrata_integrations.chroma.progress import progress_bar
from memstrata_integrations.chroma.session import Session
from memstrata_integrations.errors import InvalidInputError, StorageError
from memstrata_integrations.ledger.time import format_time
from memstrata_integrations.options import Options

FORMAT = 1
"""Of the file; the form of the rows within is `fields.SCHEMA`."""

PAGE = 1_000
_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Export:
    """A file of a collection's history.

    Attributes:
        file: Where it is.
        rows: How many rows it holds, superseded ones and earlier versions included.
        vectors: Whether it holds their vectors.
        collection: The name of the collection that it was made of.
        embedding: The name of the embedding that the collection records, if any.
        exported_at: When it was made, ISO 8601, UTC.
        sha256: The checksum of its content.
    """

    file: Path
    rows: int
    vectors: bool
    collection: str
    embedding: str | None
    exported_at: str | None
    sha256: str

    def __str__(self) -> str:
        with_vectors = "with their vectors" if self.vectors else "without vectors"
        return f"{self.file}: {self.rows} rows of {self.collection!r} {with_vectors}, sha256 {self.sha256}"


def export_history(
    collection_or_store: Any, file: str | os.PathLike[str], *, vectors: bool = True, progress: bool = True
) -> Export:
    """Write the whole history of a store, or of a chromadb collection, into one file.

    Args:
        collection_or_store: A store of either door, a `TemporalCollection`, or a chromadb `Collection`.
        file, vectors, progress: See `TemporalCollection.export_history`, which also says what it raises.
    """
    if hasattr(collection_or_store, "export_history"):
        return collection_or_store.export_history(file, vectors=vectors, progress=progress)  # type: ignore[no-any-return]
    session = Session(collection_or_store, None, Options(extractor=None))
    with session.state.alone():
        return export(session.lookup, file, vectors=vectors, progress=progress, now=session.present())


def export(lookup: Lookup, file: str | os.PathLike[str], *, vectors: bool, progress: bool, now: int) -> Export:
    """Write a collection into a file; see `TemporalCollection.export_history`."""
    path = Path(file)
    try:
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}-") as made:
            found = _export(lookup, path, Path(made), vectors, progress, now)
            os.replace(Path(made, path.name), path)
            return found
    except OSError as error:
        raise InvalidInputError(f"{str(path)!r} cannot be written: {error.strerror or error}") from error


def _export(lookup: Lookup, path: Path, made: Path, vectors: bool, progress: bool, now: int) -> Export:
    collection = lookup.collection
    for _ in range(_ATTEMPTS):
        rows, before, after, count = hashlib.sha256(), hashlib.sha256(), hashlib.sha256(), 0
        with (made / "rows").open("w+b") as body, progress_bar(progress, "export", collection.count()) as bar:
            try:
                with telling_damage(collection, lookup.state.path):
                    for line in map(as_line, _rows(lookup, vectors, before, bar)):
                        body.write(line)
                        rows.update(line)
                        count += 1
            except InternalError as error:
                raise StorageError(
                    f"the vectors of collection {collection.name!r} cannot all be read here ({error}): another process "
                    "wrote some since this one opened it, or they are lost. Export from the process that writes, "
                    "or from a new one, or with vectors=False; repair() makes lost ones again"
                ) from error
            for _records in _pages(lookup, (), after):
                pass
            if before.digest() != after.digest():
                continue  # somebody else wrote: it would be no state that the collection ever was in
            header = _header(collection, now, count, vectors)
            header["sha256"] = checksum(rows, header)
            body.seek(0)
            file = made / path.name
            with gzip.GzipFile(file, "wb", mtime=0) if path.suffix == ".gz" else file.open("wb") as target:
                target.write(as_line(header))
                shutil.copyfileobj(body, target)
            with file.open("rb") as target:
                os.fsync(target.fileno())
            return described(path, header)
    raise StorageError(
        f"collection {collection.name!r} was written to by another process while it was read, {_ATTEMPTS} times; "
        "export while the writers rest"
    )


def _header(collection: Any, now: int, rows: int, vectors: bool) -> dict[str, Any]:
    index = {kind: collection.configuration_json.get(kind) for kind in ("hnsw", "spann")}
    told = {"name": collection.name, "metadata": stored_metadata(collection) or None}
    return {
        "memstrata_history": FORMAT,
        "schema": SCHEMA,
        "exported_at": format_time(now),
        "collection": {**told, "configuration": {kind: found for kind, found in index.items() if found is not None}},
        "rows": rows,
        "vectors": vectors,
    }


def described(path: Path, header: Mapping[str, Any]) -> Export:
    """Return what a header says of its file."""
    collection = header["collection"]
    told = {name: header[name] for name in ("rows", "vectors", "exported_at", "sha256")}
    embedding = (collection["metadata"] or {}).get(EMBEDDING)
    return Export(path, **told, collection=collection["name"], embedding=embedding)


def as_line(content: Mapping[str, Any]) -> bytes:
    """Return one line of the file."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def checksum(rows: Any, header: Mapping[str, Any]) -> str:
    """Return the checksum of a file of what its header says, and a running SHA-256 of all other lines."""
    told = {k: v for k, v in header.items() if k != "sha256"}
    rows.update(json.dumps(told, sort_keys=True).encode())
    return str(rows.hexdigest())


def _rows(lookup: Lookup, vectors: bool, state: Any, bar: Any) -> Iterator[dict[str, Any]]:
    """Yield all acknowledged rows; `state` takes in what stands for the state that they are read in."""
    fields = ("documents", "uris", "embeddings") if vectors else ("documents", "uris")
    shadows: dict[str, Record] | None = None
    for records in _pages(lookup, fields, state):
        standing = {r["id"] for r in lookup.standing(records)}
        if len(standing) < len(records) and shadows is None:
            copies = lookup.fetch(lookup.collection.get(where={SHADOW: {"$gte": 1}}, include=[])["ids"], fields)
            shadows = {r["metadata"][ID]: r for r in copies.values()}
        for record in (r for r in records if not is_shadow(r)):
            # what does not stand is being replaced, by what is not acknowledged
            kept = record if record["id"] in standing else (shadows or {}).get(record["id"])
            if kept is not None:
                yield _row(record["id"], kept, vectors)
        bar.update(len(records))


def _pages(lookup: Lookup, fields: Sequence[str], state: Any) -> Iterator[list[Record]]:
    for ids in pages(lookup.collection.get(include=[])["ids"], PAGE):
        records = list(lookup.fetch(ids, fields).values())
        for record in records:
            state.update(json.dumps([record["id"], record["metadata"]], sort_keys=True, default=repr).encode())
        yield records


def _row(row_id: str, record: Record, vectors: bool) -> dict[str, Any]:
    """Return a line of the file; a shadow lies in it as what it stands in for."""
    metadata = record["metadata"] or {}
    if is_shadow(record):
        metadata = {k: v for k, v in addressed(metadata, row_id).items() if k != ID}
    if record["document"] is None and not vectors:
        raise InvalidInputError(
            f"row {row_id!r} has no text that a vector could be made of again; export with vectors=True"
        )
    row = {"id": row_id, "text": record["document"], "uri": record["uri"]}
    row["metadata"] = {k: v for k, v in sorted(metadata.items()) if k not in (BATCH, SHADOW)} or None
    if vectors:
        row["vector"] = base64.b64encode(np.asarray(record["embedding"], dtype="<f4").tobytes()).decode()
    return {name: value for name, value in row.items() if value is not None}
