"""A process that opens a collection and does what it is told, one JSON line each way."""

from __future__ import annotations

import gc
import json
import os
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import chromadb
from chromadb.config import Settings

from memstrata_integrations.chroma import state as _state
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.errors import StoreLockedError
from tests.stateful.toy import ToyExtractor, read, write


def open_store(where: str, sync_threshold: int | None, name: str = "shared") -> TemporalCollection:
    """Open the collection of a directory, or of a server if `where` is a port.

    Args:
        where: Which.
        sync_threshold: After how many rows Chroma persists its index; a thousand by default.
        name: Which collection.
    """
    quiet = Settings(anonymized_telemetry=False)
    client: Any
    if where.isdigit():
        client = chromadb.HttpClient(host="127.0.0.1", port=int(where), settings=quiet)
    else:
        client = chromadb.PersistentClient(where, settings=quiet)
    index = None if sync_threshold is None else {"sync_threshold": sync_threshold, "batch_size": sync_threshold // 2}
    configuration: Any = None if index is None else {"hnsw": index}
    raw = client.get_or_create_collection(name, configuration=configuration, embedding_function=None)
    return TemporalCollection(raw, extractor=ToyExtractor())


def fork(store: TemporalCollection) -> dict[str, Any]:
    """Let a forked child try to take the lock."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            _state.shared_state(store.session.collection).open_for_writing(store.session.collection._client)
            found = b"locked"
        except StoreLockedError:
            found = b"refused"
        except BaseException as error:
            found = repr(error).encode()
        gc.collect()
        os.write(writing, found)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        found = pipe.read()
    os.waitpid(child, 0)
    return {"child": found.decode()}


def answer(found: dict[str, Any]) -> None:
    """Print one line."""
    print(json.dumps(found), flush=True)


def main() -> None:
    """Serve the commands on standard input."""
    try:
        where, *options = sys.argv[1:]
        name = options.pop() if options[:1] == ["--collection"] else "shared"
        store = open_store(where, int(options[0]) if options and options[0].isdigit() else None, name)
        answer({"opened": True})
    except Exception as error:
        answer({"error": type(error).__name__, "message": str(error)})
        return
    for line in sys.stdin:
        command = json.loads(line)
        try:
            if command["do"] == "write":
                answer({"ids": list(write(store, **command["texts"]).ids)})
            elif command["do"] == "read":
                answer(read(store))
            elif command["do"] == "verify":
                answer({"found": store.verify()})
            elif command["do"] == "fork":
                answer(fork(store))
        except Exception as error:
            answer({"error": type(error).__name__, "message": str(error)})


if __name__ == "__main__":
    main()
