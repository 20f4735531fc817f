"""Records by id, by key and by document, as they are stored: what is beneath reading and writing."""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from functools import partialmethod
from typing import Any

from memstrata_integrations.chroma.both import Both, pages
from memstrata_integrations.chroma.fields import BATCH, FACTS, ID, KEY, OUTRIGHT, PENDING, SHADOW, TO, decode, key_field
from memstrata_integrations.chroma.hulls import having
from memstrata_integrations.chroma.scoping import Scope, lies_in, scope_of, within
from memstrata_integrations.chroma.state import SharedState
from memstrata_integrations.errors import StorageError
from memstrata_integrations.ledger.rows import ANY, Row

PAGE = 10_000
MAX_IN = 8_000
FIELDS = ("documents", "metadatas", "embeddings", "uris")

Record = dict[str, Any]
"""One record by field name: id, metadata (raw), document, embedding, uri."""


class Lookup:
    """Looks records up in one collection; changes nothing.

    Attributes:
        both, collection: The collection with its history; what is looked into: both, or the former alone.
        reach: How far behind its rank a live row was found of late, for over-fetching.
    """

    def __init__(self, collection: Any, state: SharedState) -> None:
        """Look into a chromadb `Collection` and its history; `state` is what this process shares about it."""
        self.both = Both(CountedCollection(collection) if state.remote else collection, state)
        self.collection: Any = self.both
        self.state = state
        self.reach = 2.0
        self._complete: Lookup | None = None  # no reference to itself: the state goes with the last store

    @property
    def complete(self) -> "Lookup":
        """What looks into both."""
        return self._complete or self

    def present(self) -> "Lookup":
        """Return one that looks into the collection alone, which holds all that is live since its last compaction."""
        alone = copy(self)
        alone.collection, alone._complete = self.both.main, self
        return alone

    def fetch(self, ids: Sequence[str], fields: Sequence[str] = (), **filters: Any) -> dict[str, Record]:
        """Return raw records by physical id, in the collection's order, metadata always included."""
        fields = list(dict.fromkeys([*fields, "metadatas"]))
        records: dict[str, Record] = {}
        for some in pages(ids, PAGE):
            page = self.collection.get(ids=list(dict.fromkeys(some)), include=fields, **filters)
            for n, row_id in enumerate(page["ids"]):
                records[row_id] = {
                    "id": row_id,
                    "metadata": page["metadatas"][n],
                    "document": page["documents"][n] if "documents" in fields else None,
                    "embedding": page["embeddings"][n] if "embeddings" in fields else None,
                    "uri": page["uris"][n] if "uris" in fields and page["uris"] else None,
                }
        return records

    def ids_within(self, ids: Sequence[str], scope: Mapping[str, Any] | None) -> list[str]:
        """Return those of some ids whose rows have these values; all of them if there are none."""
        if not scope:
            return list(ids)
        wanted = scope_of(scope, list(scope))
        return [i for i, r in self.fetch(ids).items() if lies_in(r["metadata"], wanted)]

    def document_ids(self, ids: Sequence[str]) -> list[str]:
        """Return the ids under which the users of records know them, each once."""
        return list(dict.fromkeys(shown_id(r) for r in self.fetch(ids).values()))

    def named_by(self, ids: Sequence[str]) -> list[str]:
        """Return the documents whose newest version is among some rows, or of which no newest one is stored."""
        found, held = self.document_ids(ids), {*ids}
        newer = self.fetch([i for i in found if i not in held])
        return [i for i in found if i not in newer]

    def archived_ids(self, document_ids: Iterable[str]) -> list[str]:
        """Return the internal ids of all earlier versions of documents."""
        return self.ids_in(ID, list(document_ids))

    def ids_by_key(self, digests: Iterable[int], ending_after: int | None = None) -> list[str]:
        """Return the ids of rows that hold any of the keys, less those that end at `ending_after` (µs) or before."""
        found: dict[str, None] = {}
        slots, collection = self.slots(), self.collection
        if ending_after is not None and collection is self.both:
            collection = self.both.since(ending_after)
        fields = [key_field(slot) for slot in range(slots)]
        after = None if ending_after is None else (TO, ending_after)
        for values in pages(list(digests), max(1, MAX_IN // max(slots, 1))) if slots else ():
            stored = self._in_database(collection, fields, values, after)
            if stored is None:
                clauses: list[Any] = [{field: {"$in": values}} for field in fields]
                where: Any = clauses[0] if slots == 1 else {"$or": clauses}
                if ending_after is not None:
                    where = {"$and": [where, {TO: {"$gt": ending_after}}]}
                stored = collection.get(where=where, include=[])["ids"]
            found.update(dict.fromkeys(stored))
        return list(found)

    def competitors(self, digests: Iterable[int], ending_after: int) -> dict[str, Record]:
        """Return the records (metadata only) of rows that hold any of the keys and end after an instant.

        While no other process writes, what was looked up or written before is not looked up again.
        """
        if not self.state.exclusive:
            return self.fetch(self.ids_by_key(digests, ending_after))
        state = self.state
        found, unknown = state.keys.look_up(digests, ending_after, state.table.ended)
        records: dict[str, Record] = {}
        if unknown:
            records = self.fetch(self.ids_by_key(unknown, ending_after))
            held = ((i, [v for k, v in (r["metadata"] or {}).items() if k.startswith(KEY)]) for i, r in records.items())
            state.keys.learn(unknown, ending_after, held)
        wanted = [i for i in found if i not in records]
        kept = {i: state.records[i] for i in wanted if i in state.records}
        for row_id, (metadata, row) in kept.items():
            records[row_id] = {"id": row_id, "metadata": metadata, "document": None, "row": row}
        records.update(self.fetch([i for i in wanted if i not in kept]))
        return records

    def rows_by_key(self, digests: Iterable[int], ending_after: int | None = None) -> list[Row]:
        """Return the rows that hold any of the keys, pending ones left out."""
        records = self.fetch(self.ids_by_key(digests, ending_after)).values()
        return [decode(r["id"], r["metadata"]) for r in self.standing(list(records))]

    def versions_of(self, rows: Iterable[Row]) -> list[Row]:
        """Return all versions of the documents of rows; one that was undone leaves no mark on the one it replaced."""
        documents = {r.document_id for r in rows}
        records = self.fetch([*documents, *self.archived_ids(documents)], ("documents",)).values()
        return [decode(r["id"], r["metadata"], r["document"]) for r in self.standing(list(records))]

    def outright(self) -> set[int]:
        """Return the keys that somebody stated outright; while no other process writes, they are looked up once."""
        if self.state.outright is not None and self.state.exclusive:
            return self.state.outright
        ids = self.collection.get(where={OUTRIGHT: 1}, include=[])["ids"]
        rows = (decode(i, r["metadata"]) for i, r in self.fetch(ids).items())
        self.state.outright = {f.digest for row in rows for f in row.facts if f.dimension == ANY}
        return self.state.outright

    def slots(self) -> int:
        """Return how many key slots rows use; another process may have begun a new one."""
        used = self.state.slots or 0
        if self.state.slots is None or not self.state.exclusive:
            parts = self.both.parts() if self.collection is self.both else [self.both.main]
            while any(having(part, key_field(used), 0, 1) for part in parts):
                used += 1
            self.state.slots = used
        return used

    def ids_in(self, field: str, values: Sequence[str], scope: Scope = ()) -> list[str]:
        """Return the ids of records of which a metadata field has one of the values, in a scope; 1 and 1.0 are one."""
        found: list[str] = []
        plain = not scope and all(isinstance(value, str) for value in values)
        for some in pages(values, MAX_IN):
            stored = self._in_database(self.collection, [field], some) if plain else None
            if stored is None:
                stored = self.collection.get(where=within(scope, {field: {"$in": some}}), include=[])["ids"]
            found += stored
        return found

    def _in_database(
        self, collection: Any, fields: Sequence[str], values: Sequence[Any], after: tuple[str, int] | None = None
    ) -> list[str] | None:
        """Return the ids of records by the values of fields, of a local directory; `None` if its database cannot tell.

        `after`: a field that must be greater than an instant, µs.
        """
        found: dict[str, None] = {}
        try:
            for part in collection.parts() if collection is self.both else [collection]:
                if self.state.directory is None:
                    return None
                part.get(ids=["-"], include=[])  # upon which Chroma has applied all that it logged
                told = self.state.directory.holders(part._client, str(part.id), fields, values, after)
                found.update(dict.fromkeys(told))
        except StorageError:
            return None
        return list(found)

    def telling(self, wanted: Callable[[str], bool], first: int, last: int) -> list[str] | None:
        """Return the ids of rows by their JSON, of those that end in a span, µs, ends included; `None` as above."""
        found: dict[str, None] = {}
        try:
            for part in self.both.parts() if self.collection is self.both else [self.collection]:
                if self.state.directory is None:
                    return None
                part.get(ids=["-"], include=[])
                told = self.state.directory.texts(part._client, str(part.id), FACTS, TO, first, last)
                found.update((row_id, None) for row_id, text in told if wanted(text))
        except StorageError:
            return None
        return list(found)

    def standing(self, records: Sequence[Record]) -> list[Record]:
        """Return the records that readers go by: none of a write under way, nor of one that a crash cut off.

        Nor shadows whose document is served itself: they stand in only while it is being replaced.
        """
        found = self.acknowledged(records)
        homes = [shown_id(r) for r in found if is_shadow(r)]
        served = {r["id"] for r in self.acknowledged(list(self.fetch(homes).values()))} if homes else set()
        return [r for r in found if not is_shadow(r) or shown_id(r) not in served] if served else found

    def acknowledged(self, records: Sequence[Record]) -> list[Record]:
        """Return the records that do not belong to a write under way, or one that a crash cut off."""
        under_way = self.unacknowledged([r["metadata"] for r in records])
        held = [(r, r["metadata"] or {}) for r in records]
        return [r for r, m in held if m.get(TO) != PENDING and m.get(BATCH) not in under_way]

    def unacknowledged(self, metadatas: Iterable[Mapping[str, Any] | None]) -> set[int]:
        """Return the unacknowledged batches among those that rows name; without other writers, only own ones can be."""
        batches: set[int] = {m[BATCH] for m in metadatas if m and BATCH in m}
        if batches <= self.state.acknowledged:
            return set()
        if self.state.exclusive and self.state.recovered and not batches & (self.state.in_flight | self.state.doubtful):
            return set()
        pending = set(self.pending_batches().values())
        self.state.acknowledged.update(batches - pending)
        return batches & pending

    def rows_of(self, records: Mapping[str, Record]) -> dict[str, Row]:
        """Decode the records that are acknowledged."""
        return {
            r["id"]: r["row"] if "row" in r else decode(r["id"], r["metadata"], r["document"])
            for r in self.acknowledged(list(records.values()))
            if not (r["metadata"] or {}).get(SHADOW)
        }

    def pending_batches(self) -> dict[str, int]:
        """Return the leader rows of unacknowledged batches, with the batch that each leads."""
        leaders = self.fetch(self.collection.get(where={TO: PENDING}, include=[])["ids"])
        return {i: r["metadata"][BATCH] for i, r in leaders.items()}


def is_shadow(record: Record) -> bool:
    """Whether a record stands in for a version that is being replaced."""
    return bool((record["metadata"] or {}).get(SHADOW))


def shown_id(record: Record) -> str:
    """Return the id under which a record's user knows it."""
    return str((record["metadata"] or {}).get(ID, record["id"]))


class SecondCallError(Exception):
    """Raised in the place of a second look into a collection, where only one was allowed."""


class CountedCollection:
    """Passes everything on to a server's collection; a read of one call is taken for one moment, so it counts these."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self._left = threading.local()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._raw, name)

    @contextmanager
    def only_one_call(self) -> Iterator[None]:
        """Let this thread look once; where it would look again, `SecondCallError` is raised."""
        self._left.calls = 1
        try:
            yield
        finally:
            self._left.calls = None

    def _look(self, how: str, **asked: Any) -> Any:
        left = getattr(self._left, "calls", None)
        if left == 0:
            raise SecondCallError
        if left is not None:
            self._left.calls = left - 1
        return getattr(self._raw, how)(**asked)

    get, query, count = partialmethod(_look, "get"), partialmethod(_look, "query"), partialmethod(_look, "count")
