"""A collection together with its history: the second collection, to which `compact` moves rows that are long over.

All rows of the history ended by one instant, the cut, which its metadata keeps; its name is made from the id of the
collection that it belongs to. So a reader who asks about the present, or about any moment from the cut on, and a writer
whom nothing earlier concerns, have all they need in the collection alone.

A row that lies in both lies in the collection: its copy in the history counts for nothing. So a move may be cut off
anywhere: it copies first and deletes then. And a row that is to be changed is moved back first, so that every change
is one call on the collection, as it would be without a history.
"""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, NamedTuple, TypeVar

from chromadb.api.models.Collection import Collection
from chromadb.errors import InternalError

from memstrata_integrations.chroma.clients import as_stored
from memstrata_integrations.chroma.damage import describe, telling_damage
from memstrata_integrations.chroma.directory import applying
from memstrata_integrations.chroma.fields import COMPACTED, ID
from memstrata_integrations.chroma.state import SharedState
from memstrata_integrations.ledger.time import MIN_TIME

_PAGE = 10_000
_T = TypeVar("_T")
_COLUMNS = ("ids", "embeddings", "documents", "uris", "metadatas", "distances")


def pages(ids: Sequence[_T], size: int) -> Iterator[list[_T]]:
    """Yield ids, or what else there is, so many at a time."""
    for start in range(0, len(ids), size):
        yield list(ids[start : start + size])


def history_name(collection: Any) -> str:
    """Return the name of a collection's history."""
    return f"memstrata-history-{collection.id}"


def history_of(collection: Any) -> Any:
    """Return the history of a chromadb `Collection`; `None` if it has none."""
    model = as_stored(collection, history_name(collection))
    return None if model is None else Collection(client=collection._client, model=model, embedding_function=None)


def parts_of(collection: Any) -> list[Any]:
    """Return a chromadb `Collection`, and its history if it has one."""
    history = history_of(collection)
    return [collection] if history is None else [collection, history]


def space_of(collection: Any) -> str:
    """Return how a collection measures distances: "l2", "cosine" or "ip"."""
    configuration = collection.configuration_json
    return str((configuration.get("hnsw") or configuration.get("spann") or {}).get("space", "l2"))


def temporary_name(collection: Any) -> str:
    """Return the name of the collection in which a new index is made."""
    return f"memstrata-index-{collection.id}"


BEING_MADE = ".memstrata-import"
"""How the name of a collection ends that an import is filling."""


def drop_imports(beside: Any, path: str | None) -> None:
    """Delete what imports that were cut off left in a directory, whose lock is held."""
    for model in beside._client.list_collections(tenant=beside.tenant, database=beside.database):
        if model.name.endswith(BEING_MADE) and model.id != beside.id:
            delete_collection(beside, model.name, path)


def drop_collection(beside: Any, name: str, path: str | None) -> None:
    """Delete a collection of the same database, if there is one, with the index that Chroma leaves on the disk."""
    if as_stored(beside, name) is not None:
        delete_collection(beside, name, path)


def delete_collection(beside: Any, name: str, path: str | None) -> None:
    """Delete a collection that there is, with its index."""
    index = None if path is None else describe(path, name, beside.tenant, beside.database).vectors
    beside._client.delete_collection(name=name, tenant=beside.tenant, database=beside.database)
    if index is not None:
        shutil.rmtree(index, ignore_errors=True)


def copy_rows(source: Any, target: Any, ids: Sequence[str], *, vectors_only: bool = False) -> dict[str, Any]:
    """Copy rows from one chromadb `Collection` to another, and return their metadata; what lies there is replaced."""
    fields = ["embeddings"] if vectors_only else ["documents", "metadatas", "embeddings", "uris"]
    copied: dict[str, Any] = {}
    for page in pages(ids, int(target._client.get_max_batch_size())):
        found = source.get(ids=page, include=fields)
        if not found["ids"]:
            continue
        there = target.get(ids=found["ids"], include=["metadatas"])
        columns = {k: found[k] for k in fields if any(v is not None for v in found[k])}
        copied.update(zip(found["ids"], found["metadatas"] or [None] * len(found["ids"]), strict=True))
        if there["ids"]:
            stale = {i: dict.fromkeys(m or ()) for i, m in zip(there["ids"], there["metadatas"], strict=True)}
            columns["metadatas"] = [{**stale.get(i, {}), **copied[i]} for i in found["ids"]]
            with applying(target):
                target.upsert(ids=found["ids"], **columns)
        else:
            with applying(target):
                target.add(ids=found["ids"], **columns)
    return copied


class _Known(NamedTuple):
    """A history as this process knows it."""

    stamp: Any  # of the moment when it was looked for, where another process may make one
    cut: int  # by when all its rows ended, µs
    collection: Any  # `None` if there is none


class Both:
    """Looks as one chromadb `Collection`; without a history it passes everything on.

    Attributes:
        main: The chromadb `Collection` itself.
        state: What this process shares about it.
    """

    def __init__(self, main: Any, state: SharedState) -> None:
        self.main = main
        self.state = state

    def __getattr__(self, name: str) -> Any:
        return getattr(self.main, name)

    @property
    def history(self) -> Any:
        """The history; `None` if nothing was ever moved."""
        found, server = self._known().collection, self.main._client
        if found is None or found._client is server:
            return found
        return Collection(client=server, model=found._model, embedding_function=None)

    @property
    def cut(self) -> int:
        """By when all rows of the history ended, µs; the beginning of time if there is none."""
        return self._known().cut

    def parts(self) -> list[Any]:
        """Return the collection, and its history if there is one."""
        return [self.main] if self.history is None else [self.main, self.history]

    def since(self, instant: int) -> Any:
        """Return where all rows lie that end after an instant, µs."""
        return self.main if self.cut <= instant else self

    def look_again(self) -> None:
        """Forget what is known of the history, where another client of a server may have made or changed it."""
        if self.state.remote:
            self.state.history = None

    def _known(self) -> _Known:
        """Look for the history once, and in a directory again when another process may have made one."""
        state = self.state
        settled = state.exclusive or state.remote
        stamp = None if settled else state.moment_of_rest()[1]
        known: _Known | None = state.history
        if known is None or known.stamp != stamp or (stamp is None and not settled):
            found = history_of(self.main)
            cut = MIN_TIME if found is None else int((found.metadata or {}).get(COMPACTED, MIN_TIME))
            state.history = known = _Known(stamp, cut, found)
            state.settle(self.main._client)
        return known

    def get(self, **asked: Any) -> dict[str, Any]:
        """As Chroma's; rows of the history come last."""
        if asked.get("ids") and self._all_moved(asked["ids"]):
            with self._telling():
                moved: dict[str, Any] = self.history.get(**asked)
            if len(moved["ids"]) == len(asked["ids"]):
                return moved
        found: dict[str, Any] = self.main.get(**asked)
        limit = asked.get("limit")
        if self.history is None or (limit is not None and len(found["ids"]) >= limit):
            return found
        if asked.get("ids") is not None:
            held = set(found["ids"])
            asked["ids"] = [i for i in asked["ids"] if i not in held]
            if not asked["ids"]:
                return found
        with self._telling():
            more = self.history.get(**asked)
        apart = self._apart(more["ids"], found["ids"])
        room = None if limit is None else limit - len(found["ids"])
        kept = [n for n, i in enumerate(more["ids"]) if i in apart][:room]
        for name in _COLUMNS:
            if found.get(name) is not None:
                found[name] = [*found[name], *(more[name][n] for n in kept)]
        return found

    def query(self, **asked: Any) -> dict[str, Any]:
        """As Chroma's, with distances."""
        if self.history is None:
            return dict(self.main.query(**asked))
        asked["include"] = [*{*asked["include"], "distances"}]
        found = dict(self.main.query(**asked))
        if (more := self._near_in_history(asked)) is None:
            return found
        apart = self._apart(*([i for ids in told["ids"] for i in ids] for told in (more, found)))
        for q, ids in enumerate(found["ids"]):
            distances = [*found["distances"][q], *more["distances"][q]]
            kept = [*range(len(ids)), *(len(ids) + n for n, i in enumerate(more["ids"][q]) if i in apart)]
            kept = sorted(kept, key=distances.__getitem__)[: asked["n_results"]]
            for name in _COLUMNS:
                if found.get(name) is not None:
                    both = [*found[name][q], *more[name][q]]
                    found[name][q] = [both[n] for n in kept]
        return found

    def _near_in_history(self, asked: dict[str, Any]) -> dict[str, Any] | None:
        """Search the history; `None` if it has no row yet: then a server has nothing that it could search."""
        for last in (False, False, True):
            try:
                with self._telling():
                    return dict(self.history.query(**asked))
            except InternalError:
                if not self.state.remote or last:
                    raise
                if not self.history.count():
                    return None
        return None

    def count(self) -> int:
        """Return how many rows there are, those that lie in both counted twice."""
        return int(self.main.count()) + (0 if self.history is None else int(self.history.count()))

    def _apart(self, ids: Sequence[str], found: Sequence[str]) -> set[str]:
        """Return those of some ids that lie in the history alone, of an answer that the collection gave `found` to.

        While nobody else writes, and what was cut off is cleared away, a row in both is about to be moved. Then it is
        the same in both, and both are found, or neither.
        """
        return set(ids).difference(found) if self._undisturbed() else set(ids) - self._held(ids)

    def _undisturbed(self) -> bool:
        """Whether nobody else writes, and what was cut off is cleared away."""
        return self.state.exclusive and self.state.recovered

    def _all_moved(self, ids: Sequence[str]) -> bool:
        """Whether rows probably lie in the history: they ended before its cut."""
        return self.cut > MIN_TIME and self._undisturbed() and all(self.state.table.ended(ids, self.cut))

    def _held(self, ids: Sequence[str]) -> set[str]:
        """Return those of some ids that lie in the collection."""
        asked = list(dict.fromkeys(ids))
        return {i for page in pages(asked, _PAGE) for i in self.main.get(ids=page, include=[])["ids"]}

    def _telling(self) -> AbstractContextManager[None]:
        return telling_damage(self.history, self.state.path)

    def add(self, **columns: Any) -> None:
        """As Chroma's."""
        with self.state.turn():
            self.main.add(**columns)

    def update(self, **columns: Any) -> None:
        """As Chroma's."""
        self._take_back(columns["ids"])
        with self.state.turn():
            self.main.update(**columns)

    def upsert(self, **columns: Any) -> None:
        """As Chroma's."""
        self._take_back(columns["ids"])
        with self.state.turn():
            self.main.upsert(**columns)

    def delete(self, *, ids: Sequence[str]) -> None:
        """As Chroma's, by ids."""
        self._take_back(ids, leaving=True)
        with self.state.turn():
            self.main.delete(ids=ids)
        self.look_again()
        if self.state.remote and self.history is not None:  # another client may have copied them meanwhile
            self._drop(self.history.get(ids=list(ids), include=[])["ids"])

    def _take_back(self, ids: Sequence[str], *, leaving: bool = False) -> None:
        """Move rows back into the collection, each with the row of its document, which leads readers to it.

        On a server the copies stay where they were unless they are `leaving`: another client might be moving such a
        row once more, and be about to delete it.
        """
        if self.history is None or len(ids) == 0:
            return
        with self._telling():
            there = self.history.get(ids=list(ids), include=["metadatas"])
            homes = {m[ID] for m in there["metadatas"] if ID in m} - {*there["ids"]}
            wanted = [*there["ids"], *(self.history.get(ids=[*homes], include=[])["ids"] if homes else [])]
            held = self._held(wanted)
            with self.state.flipping():
                copied = copy_rows(self.history, self.main, [i for i in wanted if i not in held])
                if not self.state.remote:
                    self._drop(wanted)
                elif leaving:
                    self._drop(there["ids"])
            for row_id, metadata in copied.items():
                self.state.table.note(row_id, metadata, self.cut)

    def drop_copies(self) -> None:
        """Delete from the history what lies in the collection as well, since a move was cut off; for an only writer."""
        if self.history is not None:
            with self._telling():
                self._drop(sorted(self._held(self.history.get(include=[])["ids"])))

    def _drop(self, ids: Sequence[str]) -> None:
        """Delete rows of the history."""
        with self.changing():
            for page in pages(ids, int(self.main._client.get_max_batch_size())):
                with self.state.turn():
                    self.history.delete(ids=page)

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Be sure that the history's index is as new as its rows, before they are changed and after."""
        directory, server = self.state.directory, self.main._client
        if directory is None:
            yield
            return
        own = str(self.history.id)
        directory.renew(server, own, directory.sequence(server, own))
        try:
            yield
        finally:
            directory.written(server, own)
