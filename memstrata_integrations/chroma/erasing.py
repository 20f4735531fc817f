"""Erasing for good: what `purge` does once the rows are deleted, so that no file of a directory holds them any more."""

import hashlib
import json
import logging
import subprocess
import uuid
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from memstrata_integrations.chroma import traces
from memstrata_integrations.chroma.arguments import read_list
from memstrata_integrations.chroma.both import drop_collection, drop_imports, pages, parts_of, space_of, temporary_name
from memstrata_integrations.chroma.damage import ASIDE, run_apart, telling_damage, why_it_ended
from memstrata_integrations.chroma.directory import Mark, applying
from memstrata_integrations.chroma.state import SharedState
from memstrata_integrations.errors import InvalidInputError, StorageError

logger = logging.getLogger("memstrata_integrations")

WAIT = 10.0
"""Seconds to wait for other processes that are reading the database."""

_PAGE = 1_000
_SERVER = "the files of the server, which keep deleted texts and vectors: only its operator can scrub them"
_MEANING = "rows were purged, and files here may still hold them: the next purge or verify(repair=True) ends it"


class Remains(NamedTuple):
    """Where what was deleted may still be found, a line for each place."""

    unfinished: tuple[str, ...] = ()  # a later call can erase it there
    out_of_reach: tuple[str, ...] = ()  # none can


class Unfinished(Mark):
    """A file that stands from before the first row goes until nothing of it is left in the directory.

    It names no row: of those that are yet to be deleted it holds salted digests, by which a later call finds them.
    """

    def __init__(self, state: SharedState) -> None:
        super().__init__(state.path, "erasure", state.collection_id, _MEANING)

    def __str__(self) -> str:
        where = self.file and self.file.parent
        if self.cut_off:
            told = "a purge was cut off before all was deleted: call it again, or verify(repair=True)"
            return f"{told}; documents may still be in {where}"
        return f"an erasure is unfinished: what was purged may still be in {where}"

    @property
    def cut_off(self) -> bool:
        """Whether rows were yet to be deleted when it was written last."""
        return bool(self.told().get("deleting"))

    def rest(self, row_ids: Iterable[str]) -> list[str]:
        """Return which of the ids were yet to be deleted when it was written last."""
        told = self.told()
        waiting = set(told.get("deleting") or ())
        return [i for i in row_ids if _digest(str(told.get("salt")), i) in waiting]

    def begin(self, collection_name: str, deleting: Iterable[str]) -> None:
        """Let it stand: these rows are about to be deleted; none: they are deleted, and files may hold them."""
        salt = uuid.uuid4().hex
        self.stand(collection_name, salt=salt, deleting=[_digest(salt, i) for i in deleting])


def _digest(salt: str, row_id: str) -> str:
    return hashlib.sha256(f"{salt}{row_id}".encode("utf-8", "surrogatepass")).hexdigest()[:32]


def finish(collection: Any, state: SharedState) -> Remains:
    """Take what was deleted out of all files, and say where it may be left; run under the lock.

    It costs as much as writing the vector index and the whole database once, and fails if the index cannot be written.
    """
    if state.remote:
        return Remains(out_of_reach=(_SERVER,))
    if state.path is None or state.directory is None:
        return Remains()
    with telling_damage(collection, state.path):
        for part in parts_of(collection):
            persist(part)
    drop_collection(collection, temporary_name(collection), state.path)  # a compaction was cut off
    drop_imports(collection, state.path)
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
    for ids in pages([f"{name}-{n}" for n in range(writes)], page):
        with applying(collection):
            collection.update(ids=ids, metadatas=[{"memstrata": 0}] * len(ids))


def scrub(state: SharedState, parts: Sequence[Any]) -> tuple[list[str], list[str]]:
    """Scrub the files of a directory; see `traces.scrub`."""
    try:
        with state.turn():  # nobody else opens them meanwhile
            unfinished, out_of_reach = _run({"do": "scrub", "wait": WAIT}, state, parts)
    except StorageError as error:
        return [str(error)], []
    return list(unfinished), list(out_of_reach)


def overwrite_unused(collection: Any, state: SharedState) -> None:
    """Overwrite what Chroma wrote down of this process's memory in places of its indexes that nothing asks for."""
    if state.path is not None and state.directory is not None:
        try:
            with state.turn():
                left = _run({"do": "overwrite"}, state, parts_of(collection))
        except StorageError as error:
            left = [error]
        for told in left:
            logger.warning("what Chroma wrote down of this process's memory may be left: %s", told)
        state.directory.reload(collection._client)


def prove(collection: Any, state: SharedState, erased: Any) -> list[str]:
    """Look for erased texts everywhere; return a line for each place where one is, see `TemporalCollection.verify`."""
    texts = read_list("erased", erased)
    if not texts or not all(isinstance(t, str) and t for t in texts):
        raise InvalidInputError(f"erased={erased!r}; give the texts, words or ids that must be nowhere")
    if state.path is not None:
        unfinished = Unfinished(state)
        found = _run({"do": "find", "texts": texts}, state, parts_of(collection))
        return [*([str(unfinished)] if unfinished else []), *found]
    found = []
    for part, ids in ((p, ids) for p in parts_of(collection) for ids in pages(p.get(include=[])["ids"], _PAGE)):
        page = part.get(ids=ids, include=["documents", "metadatas"])
        for row_id, document, metadata in zip(page["ids"], page["documents"], page["metadatas"], strict=True):
            held = "\n".join([row_id, document or "", *map(str, (metadata or {}).values())])
            found += [f"text {n}: row {row_id!r}" for n, text in enumerate(texts) if text in held]
    return [*found, *([f"not looked at: {_SERVER}"] if state.remote else [])]


def _run(asked: dict[str, Any], state: SharedState, parts: Sequence[Any]) -> Any:
    """Let a process of its own work on the files of a directory; what it is asked is not on its command line."""
    spaces = {str(p.id): space_of(p) for p in parts}
    question = json.dumps({**asked, "directory": state.path, "collections": spaces})
    try:
        return json.loads(run_apart("-m", "memstrata_integrations.chroma.traces", input=question))
    except subprocess.CalledProcessError as error:
        raise StorageError(f"the files of {state.path} could not be worked on ({why_it_ended(error)})") from error
