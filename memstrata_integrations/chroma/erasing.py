"""Erasing for good: what `purge` does once the rows are deleted, so that no file of a directory holds them any more."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import uuid
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from memstrata_integrations.chroma import traces
from memstrata_integrations.chroma.arguments import read_list
from memstrata_integrations.chroma.both import drop_collection, parts_of, temporary_name
from memstrata_integrations.chroma.damage import ASIDE, telling_damage
from memstrata_integrations.chroma.directory import keep
from memstrata_integrations.chroma.state import SharedState
from memstrata_integrations.errors import InvalidInputError, StorageError

__all__ = ["Remains", "Unfinished", "finish", "persist", "prove", "scrub"]

WAIT = 10.0
"""Seconds to wait for other processes that are reading the database."""

_PAGE = 1_000
_SERVER = "the files of the server, which keep deleted texts and vectors: only its operator can scrub them"
_MEANING = "rows were purged, and files here may still hold them: the next purge or verify(repair=True) ends it"


class Remains(NamedTuple):
    """Where what was deleted may still be found, a line for each place.

    Attributes:
        unfinished: Where a later call can erase it.
        out_of_reach: Where none can.
    """

    unfinished: tuple[str, ...] = ()
    out_of_reach: tuple[str, ...] = ()


class Unfinished:
    """A file in the directory that stands from before the first row goes until nothing of it is left.

    It names no row: of those that are yet to be deleted it holds salted digests, by which a later call finds them.
    """

    def __init__(self, state: SharedState) -> None:
        """Look at a collection; one that lies in no directory has no such file."""
        self._file = None if state.path is None else Path(state.path, f"memstrata-erasure-{state.collection_id}.json")

    def __bool__(self) -> bool:
        """Whether it stands."""
        return self._file is not None and self._file.exists()

    def __str__(self) -> str:
        where = self._file and self._file.parent
        if self.cut_off:
            told = "a purge was cut off before all was deleted: call it again, or verify(repair=True)"
            return f"{told}; documents may still be in {where}"
        return f"an erasure is unfinished: what was purged may still be in {where}"

    @property
    def cut_off(self) -> bool:
        """Whether rows were yet to be deleted when it was written last."""
        return bool(self._told()[1])

    def rest(self, row_ids: Iterable[str]) -> list[str]:
        """Return which of the ids were yet to be deleted when it was written last."""
        salt, waiting = self._told()
        return [i for i in row_ids if _digest(salt, i) in waiting]

    def stand(self, collection_name: str, deleting: Iterable[str]) -> None:
        """Let it stand: these rows are about to be deleted; none: they are deleted, and files may hold them."""
        if self._file is not None:
            salt = uuid.uuid4().hex
            waiting = [_digest(salt, i) for i in deleting]
            keep(self._file, {"collection": collection_name, "meaning": _MEANING, "salt": salt, "deleting": waiting})

    def _told(self) -> tuple[str, set[str]]:
        try:
            told = {} if self._file is None else json.loads(self._file.read_text())
        except (OSError, ValueError):
            told = {}
        waiting = told.get("deleting")
        return str(told.get("salt")), set(waiting) if isinstance(waiting, list) else set()

    def remove(self) -> None:
        """Take it away."""
        if self._file is not None:
            self._file.unlink(missing_ok=True)


def _digest(salt: str, row_id: str) -> str:
    return hashlib.sha256(f"{salt}{row_id}".encode("utf-8", "surrogatepass")).hexdigest()[:32]


def finish(collection: Any, state: SharedState) -> Remains:
    """Take what was deleted out of all files, and say where it may be left; run under the lock.

    It costs as much as writing the vector index and the whole database once.

    Args:
        collection: A chromadb `Collection`.
        state: What this process shares about it.

    Raises:
        IndexDamagedError: If the vector index cannot be written.
    """
    if state.remote:
        return Remains(out_of_reach=(_SERVER,))
    if state.path is None or state.directory is None:
        return Remains()
    with telling_damage(collection, state.path):
        for part in parts_of(collection):
            persist(part)
    drop_collection(collection, temporary_name(collection), state.path)  # a compaction was cut off
    unfinished, out_of_reach = scrub(state, parts_of(collection))
    if state.directory.reload(collection._client):
        for part in parts_of(collection):
            part.count()  # if nothing is left, Chroma begins the index anew now
        traces.zero_begun(Path(state.path))
    else:
        out_of_reach.append("the memory of this process, until it ends")
    copies = sorted(Path(state.path).glob(f"{ASIDE}*"))
    out_of_reach += [f"the copy {c} that a repair set aside: delete it too" for c in copies]
    if not unfinished:
        Unfinished(state).remove()
    return Remains(tuple(unfinished), tuple(out_of_reach))


def persist(collection: Any) -> None:
    """Let Chroma write its vector index down, upon which it drops its log of writes, which holds texts and vectors.

    It does so after as many writes as the collection is set to, so as many are made that change nothing.
    """
    writes = int((collection.configuration_json.get("hnsw") or {}).get("sync_threshold") or _PAGE)
    page = min(_PAGE, int(collection._client.get_max_batch_size()))
    name = f"memstrata-{uuid.uuid4().hex}"
    for start in range(0, writes, page):
        ids = [f"{name}-{n}" for n in range(start, min(start + page, writes))]
        collection.update(ids=ids, metadatas=[{"memstrata": 0}] * len(ids))


def scrub(state: SharedState, parts: Sequence[Any]) -> tuple[list[str], list[str]]:
    """Scrub the files of a directory; see `traces.scrub`."""
    try:
        unfinished, out_of_reach = _run({"do": "scrub", "wait": WAIT}, state, parts)
    except StorageError as error:
        return [str(error)], []
    return list(unfinished), list(out_of_reach)


def prove(collection: Any, state: SharedState, erased: Any) -> list[str]:
    """Look for erased texts everywhere; return a line for each place where one is, see `TemporalCollection.verify`.

    Raises:
        InvalidInputError: If there is nothing to look for.
        StorageError: If the files cannot be read.
    """
    texts = read_list("erased", erased)
    if not texts or not all(isinstance(t, str) and t for t in texts):
        raise InvalidInputError(f"erased={erased!r}; give the texts, words or ids that must be nowhere")
    if state.path is not None:
        unfinished = Unfinished(state)
        found: list[str] = _run({"do": "find", "texts": texts}, state, parts_of(collection))
        return [*([str(unfinished)] if unfinished else []), *found]
    rows = [line for part in parts_of(collection) for line in _in_rows(part, texts)]
    return [*rows, *([f"not looked at: {_SERVER}"] if state.remote else [])]


def _in_rows(collection: Any, texts: Sequence[str]) -> list[str]:
    found = []
    ids = collection.get(include=[])["ids"]
    for start in range(0, len(ids), _PAGE):
        page = collection.get(ids=ids[start : start + _PAGE], include=["documents", "metadatas"])
        for row_id, document, metadata in zip(page["ids"], page["documents"], page["metadatas"], strict=True):
            held = "\n".join([row_id, document or "", *map(str, (metadata or {}).values())])
            found += [f"text {n}: row {row_id!r}" for n, text in enumerate(texts) if text in held]
    return found


def _run(asked: dict[str, Any], state: SharedState, parts: Sequence[Any]) -> Any:
    """Let a process of its own work on the files of a directory; what it is asked is not on its command line.

    Raises:
        StorageError: If it fails.
    """
    question = json.dumps({**asked, "directory": state.path, "collections": [str(p.id) for p in parts]})
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    command = [sys.executable, "-m", "memstrata_integrations.chroma.traces"]
    done = subprocess.run(command, input=question, env=environment, capture_output=True, text=True)
    if done.returncode:
        told = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
        raise StorageError(f"the files of {state.path} could not be worked on ({told})")
    return json.loads(done.stdout)
