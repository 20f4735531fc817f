"""Chroma by a path or an address, for the commands and for backups; and what it has stored of a collection itself."""

import os
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import chromadb
from chromadb.config import Settings
from chromadb.errors import NotFoundError

from memstrata_integrations.chroma.damage import describe
from memstrata_integrations.errors import InvalidInputError, StorageError

_PORTS = {"http": 8000, "https": 443}


def client_at(where: Any) -> Any:
    """Return a chromadb client of the path of a directory, or of ``http://host:port``; a client as it is.

    Raises:
        InvalidInputError: If this process has a client of that directory, with other settings.
        StorageError: If the server does not answer.
    """
    if not isinstance(where, (str, os.PathLike)):
        return where
    settings = Settings(anonymized_telemetry=False)
    url = urlsplit(str(where))
    try:
        if url.scheme not in _PORTS:
            return chromadb.PersistentClient(os.fspath(where), settings=settings)
        host, port = url.hostname or "localhost", url.port or _PORTS[url.scheme]
        return chromadb.HttpClient(host, port, ssl=url.scheme == "https", settings=settings)
    except ValueError as error:
        if url.scheme in _PORTS:
            raise StorageError(f"no Chroma server answers at {where!r}: {error}") from error
        raise InvalidInputError(f"{str(where)!r} cannot be opened here; give the client instead: {error}") from error


def collection_at(where: str | os.PathLike[str], name: str) -> Any:
    """Return the chromadb collection of a directory or a server; nothing is made; an error says which there are."""
    if urlsplit(str(where)).scheme not in _PORTS:
        describe(where, name)
    client = client_at(where)
    try:
        return client.get_collection(name, embedding_function=None)
    except NotFoundError as error:
        known = ", ".join(repr(c.name) for c in client.list_collections()) or "none"
        raise InvalidInputError(f"there is no collection {name!r} at {str(where)!r}; it holds {known}") from error


def as_stored(collection: Any, name: str | None = None) -> Any:
    """Return a collection, or one of another name beside it, as Chroma has it stored; `None` if there is none."""
    client, where = collection._client, {"tenant": collection.tenant, "database": collection.database}
    found = None
    with suppress(NotFoundError):
        found = client.get_collection(name=name or collection.name, **where)
    if name is None and (found is None or found.id != collection.id):  # it was renamed through another object
        return next((c for c in client.list_collections(**where) if c.id == collection.id), None)
    return found


def stored_metadata(collection: Any) -> dict[str, Any]:
    """Return a collection's own metadata as it is stored; the object has it as it was opened."""
    found = as_stored(collection)
    return dict(found.metadata or {}) if found is not None else {}
