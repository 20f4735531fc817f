"""What Chroma's own files say of a collection, and whether its vector index is what fails."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from chromadb.config import DEFAULT_DATABASE, DEFAULT_TENANT
from chromadb.errors import InternalError

from memstrata_integrations.chroma.directory import applying
from memstrata_integrations.chroma.fields import EMBEDDING
from memstrata_integrations.errors import IndexDamagedError, InvalidInputError, StorageError

ASIDE = "memstrata-damaged-"
"""How the directories begin in which a repair keeps what it replaced."""

_PROBE = """
import sys
import chromadb
path, name, tenant, database, dimension = sys.argv[1:]
settings = chromadb.config.Settings(anonymized_telemetry=False)
client = chromadb.PersistentClient(path, settings=settings, tenant=tenant, database=database)
collection = client.get_collection(name, embedding_function=None)
rows = collection.count()
if rows and int(dimension):
    collection.query(query_embeddings=[[1.0] * int(dimension)], n_results=rows, include=["distances"])
"""
"""Opens a collection and walks its whole index; a process of its own, since a damaged one can end the process."""

_TAKE_BACK = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT count(*) FROM collections')"
"""Lets SQLite take back a transaction that was cut off, which nobody can who may only read; a process of its own, since
one where Chroma works does not see the locks by which such a transaction is told from one that is under way."""


_COLLECTIONS = (
    "SELECT c.name, c.id, c.dimension FROM collections c JOIN databases d ON d.id = c.database_id "
    "WHERE d.name = ? AND d.tenant_id = ? ORDER BY c.name"
)
_RECORDED = "SELECT str_value FROM collection_metadata WHERE collection_id = ? AND key = ?"
_SEGMENTS = "SELECT scope, id FROM segments WHERE collection = ?"


@contextmanager
def telling_damage(collection: Any, directory: str | None) -> Iterator[None]:
    """Say what to do where a call fails since Chroma cannot open a local collection, or not search the whole of it.

    Raises:
        IndexDamagedError: If a new process cannot do that either, while its database can be read and written and there
            is an index to fail at. Any other error goes on as it is.
    """
    try:
        yield
    except InternalError as error:
        if directory is None or not _is_damaged(collection, Path(directory)):
            raise
        told = f"Chroma cannot open its vector index, or not search the whole of it ({error})"
        raise IndexDamagedError(way_out(collection, told)) from error


def _is_damaged(collection: Any, directory: Path) -> bool:
    """Whether a new process fails at a collection too, though there are a sound database and an index."""
    where = (collection.name, collection.tenant, collection.database)
    with applying(collection):  # the new process starts a client
        try:
            with open_database(directory, "rw") as database:
                database.execute("BEGIN IMMEDIATE")  # refused where another process is writing, or nobody may
                database.execute("ROLLBACK")
            stored = describe(directory, *where)
        except (sqlite3.Error, StorageError, InvalidInputError):
            return False
        return stored.vectors.is_dir() and opening_failure(str(directory), *where, stored.dimension) is not None


def way_out(collection: Any, told: str) -> str:
    """Return the message of an `IndexDamagedError`."""
    settings = collection._client.get_settings()
    where = os.path.normpath(settings.persist_directory) if settings.is_persistent else "PATH"
    return (
        f"collection {collection.name!r} in {where!r}: {told}. Texts and metadata are in its database, not in the "
        f"index. Rebuild it with `memstrata repair {where} --collection {collection.name}`, or with "
        f"memstrata_integrations.repair({where!r}, {collection.name!r}, embedding_function=...) in a new process, and "
        "then open the store in another one."
    )


def opening_failure(
    path: str, name: str, tenant: str, database: str, dimension: int, time_limit: float = 120.0
) -> str | None:
    """Return why a new process cannot open and search a collection within so many seconds; `None` if it can."""
    try:
        run_apart("-c", _PROBE, path, name, tenant, database, str(dimension), timeout=time_limit)
    except subprocess.TimeoutExpired:
        return f"no answer within {time_limit:g} seconds"
    except subprocess.CalledProcessError as error:
        return why_it_ended(error)
    return None


def run_apart(*arguments: str, **options: Any) -> str:
    """Run Python in a process of its own, with the modules that are found here; as `subprocess.run`, but checked."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    command = [sys.executable, *arguments]
    return str(subprocess.run(command, env=environment, capture_output=True, text=True, check=True, **options).stdout)


def why_it_ended(error: subprocess.CalledProcessError) -> str:
    """Return why a process failed, in a line."""
    if error.returncode < 0:
        return f"its process ended with signal {-error.returncode}"
    return str((error.stderr.strip().splitlines() or [f"exit status {error.returncode}"])[-1])


@contextmanager
def open_database(directory: Path, mode: str) -> Iterator[sqlite3.Connection]:
    """Open the database of a Chroma directory, ``"ro"`` or ``"rw"``, without the transactions of Python's driver."""
    file = (directory.resolve() / "chroma.sqlite3").as_uri()
    with closing(sqlite3.connect(f"{file}?mode={mode}", uri=True, timeout=2, isolation_level=None)) as database:
        yield database


class StoredCollection(NamedTuple):
    """A collection as its database describes it."""

    id: str
    dimension: int  # of its vectors; 0 if it never had any
    embedding: str | None  # the name that it records
    vectors: Path  # the directory of its index, which is made once there are vectors


def describe(
    path: str | os.PathLike[str], name: str, tenant: str = DEFAULT_TENANT, database_name: str = DEFAULT_DATABASE
) -> StoredCollection:
    """Look a collection up in the database of its directory, without Chroma.

    Raises:
        InvalidInputError: If there is none of that name.
        StorageError: If the database cannot be read, or has another layout.
    """
    directory = Path(path)
    if not (directory / "chroma.sqlite3").is_file():
        raise InvalidInputError(f"{str(directory)!r} is no Chroma directory: it holds no chroma.sqlite3")
    if (directory / "chroma.sqlite3-journal").exists():  # of a transaction under way, or of one that a kill cut off
        with suppress(subprocess.CalledProcessError):
            run_apart("-c", _TAKE_BACK, str(directory / "chroma.sqlite3"))
    try:
        with open_database(directory, "ro") as database:
            rows = database.execute(_COLLECTIONS, (database_name, tenant)).fetchall()
            found = {row[0]: row[1:] for row in rows}
            if name not in found:
                known = ", ".join(map(repr, found)) or "none"
                raise InvalidInputError(f"there is no collection {name!r} in {str(directory)!r}; it holds {known}")
            collection_id, dimension = found[name]
            recorded = database.execute(_RECORDED, (collection_id, EMBEDDING)).fetchone()
            lies = dict(database.execute(_SEGMENTS, (collection_id,)).fetchall())
    except sqlite3.Error as error:
        raise StorageError(f"the database in {str(directory)!r} cannot be read: {error}") from error
    if missing := {"VECTOR", "METADATA"} - lies.keys():
        raise StorageError(f"collection {collection_id} has no segment {missing}: no layout known here")
    embedding = recorded[0] if recorded else None
    return StoredCollection(collection_id, dimension or 0, embedding, directory / lies["VECTOR"])
