"""The supersession hook: what a write adds and closes, seen wholly or not at all.

Chroma applies one call atomically, and offers nothing across two. So a batch that closes
something is written in two calls. The first adds its rows, all of which name one of them as
their leader, and marks the leader as pending: none of them is visible. The second clears
that one mark and closes the old rows, at once. Where a document's content is replaced, the
first call also adds a copy of the old version, which goes on being served under its id (the
"shadow") until the second call ends it. What a crash leaves between the two was never
acknowledged, and `recover` takes it back.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

from memstrata_integrations.chroma.both import pages
from memstrata_integrations.chroma.fields import (
    BATCH,
    ID,
    KEY,
    PENDING,
    SHADOW,
    TO,
    addressed,
    decode,
    encode,
    user_metadata,
)
from memstrata_integrations.chroma.lookup import Lookup, Record
from memstrata_integrations.chroma.plan import Plan
from memstrata_integrations.chroma.state import IN_FLIGHT
from memstrata_integrations.ledger.ledger import Ledger
from memstrata_integrations.ledger.rows import ANY, Row
from memstrata_integrations.options import PREFIX

_Fields = Mapping[str, dict[str, Any]]  # the reserved ones of rows, by id


class Writer:
    """Writes one collection through the supersession hook."""

    def __init__(self, lookup: Lookup) -> None:
        self.collection = lookup.collection
        self.state = lookup.state
        self.lookup = lookup

    def commit(self, plan: Plan, *, metadata_first: bool = False) -> None:
        """Write a plan down, in one call or two; `metadata_first` stores texts with metadata before those without."""
        ledger, state, table = plan.ledger, self.state, self.state.table
        fresh = [i for i in plan.fresh if i in ledger.rows]
        if metadata_first:
            fresh.sort(key=lambda i: not plan.fresh[i].metadata)
        moved = [i for i in ledger.moved if i in ledger.rows]
        closers = list(dict.fromkeys((*plan.closers, *(i for i in plan.metadata_only if i not in plan.fresh))))
        ledger.note(plan.first, plan.last)
        fields = {i: encode(ledger.rows[i], plan.stored(i)) for i in (*fresh, *moved, *closers)}
        if state.slots is not None:
            state.slots = max([state.slots, *(len({f.digest for f in ledger.rows[i].facts}) for i in fields)])
        table.forget([*closers, *(i for i in fresh if i in plan.before)])  # until it is done, their metadata decides
        if not fresh and not moved:
            self._close(plan, fields, closers, [], None)
        elif not closers and not moved:
            self._insert(plan, fields, fresh, [], None)
        else:
            batch = random.getrandbits(62)
            state.in_flight.add(batch)
            self._insert(plan, fields, fresh, moved, batch)
            self._close(plan, fields, closers, moved, fresh[0])
            state.in_flight.discard(batch)
        for document, versions in plan.parts.items():
            ended = any(ledger.rows[i].deleted for parts in versions.values() for i in parts if i in ledger.rows)
            state.note_versions(*document, [] if ended else list(versions))
        for row_id, reserved in fields.items():
            table.note(row_id, reserved, plan.last)
            state.keys.note(row_id, [v for k, v in reserved.items() if k.startswith(KEY) and v is not None])
            self._keep(plan, row_id, reserved)
        if state.outright is not None:
            state.outright |= {f.digest for i in fields for f in ledger.rows[i].facts if f.dimension == ANY}
        state.last_recorded = max(state.last_recorded, plan.last)

    def _keep(self, plan: Plan, row_id: str, reserved: Mapping[str, Any]) -> None:
        """Keep a row's metadata in memory, as the two calls left it."""
        if row_id in plan.ledger.moved or not self.state.exclusive:
            self.state.records.pop(row_id, None)
            return
        own = plan.fresh[row_id].metadata if row_id in plan.fresh else plan.metadata_only.get(row_id)
        merged = {**(plan.stored(row_id) or {}), **(own or {}), **reserved}
        self.state.remember(plan.ledger.rows[row_id], {k: v for k, v in merged.items() if v is not None})

    def _insert(
        self, plan: Plan, fields: _Fields, fresh: Sequence[str], moved: Sequence[str], batch: int | None
    ) -> None:
        """The first call: new rows, and copies of versions that are being replaced."""
        ledger = plan.ledger
        records: list[Record] = []
        for row_id in fresh:
            item = plan.fresh[row_id]
            own = item.metadata or {}
            metadata = {**(own if row_id == item.id else addressed(own, row_id)), **fields[row_id]}
            if batch is not None:
                metadata[BATCH] = batch
                if row_id == fresh[0]:
                    metadata[TO] = PENDING
            columns = {"document": item.document, "embedding": item.embedding, "uri": item.uri}
            records.append({"id": row_id, "metadata": metadata, **columns})
        if moved:
            old = self.lookup.fetch([ledger.moved[i] for i in moved], ("documents", "embeddings", "uris"))
            for row_id in moved:
                record = old[ledger.moved[row_id]]
                metadata = addressed(record["metadata"] or {}, row_id)
                if TO not in metadata:
                    metadata.update(encode(plan.before[record["id"]]))
                metadata[ID] = ledger.rows[row_id].document_id
                metadata[SHADOW] = 1
                records.append({**record, "id": row_id, "metadata": metadata})
            with self.state.flipping():  # a version gives up its id: whoever saw it there must look again for its copy
                self.collection.upsert(**_columns(records))
        elif any(i in plan.records for i in fresh):
            self.collection.upsert(**_columns(records))
        else:
            for record in records:
                record["metadata"] = {k: v for k, v in record["metadata"].items() if v is not None}
            self.collection.add(**_columns(records))

    def _close(
        self, plan: Plan, fields: _Fields, closers: Sequence[str], moved: Sequence[str], leader: str | None
    ) -> None:
        """The second call: close the old rows and acknowledge the new ones, at once.

        A text that closes more rows than a call carries is acknowledged with the first of them: what a kill leaves then
        is too much, not too little, and the same `sync` told again ends it.
        """
        wanted = {i: {**plan.metadata_only.get(i, {}), **fields[i]} for i in closers}
        changed = {} if leader is None else {leader: {TO: fields[leader][TO]}}
        changed.update((row_id, {**fields[row_id], SHADOW: None}) for row_id in moved)
        changed.update((i, _difference(metadata, plan.stored(i))) for i, metadata in wanted.items())
        changed = {row_id: metadata for row_id, metadata in changed.items() if metadata}
        with self.state.flipping() if changed else nullcontext():
            for part in self.parts(changed):
                self.collection.update(ids=part, metadatas=[changed[i] for i in part])

    def settle(self, ledger: Ledger, records: Mapping[str, Record], now: int) -> None:
        """Write down rows of a ledger that changed in metadata only, and delete the removed ones.

        Survivors first: until the delete, a reader sees what it saw before.
        """
        stored = {i: records[i]["metadata"] for i in ledger.changed}
        fields = {i: _difference(encode(ledger.rows[i], held), held) for i, held in stored.items()}
        ids = [i for i in fields if fields[i]]
        self.state.table.forget(ids)
        for part in self.parts(ids):
            with self.state.flipping():
                self.collection.update(ids=part, metadatas=[fields[i] for i in part])
        for row_id in ids:
            self.note(row_id, ledger.rows[row_id], now)
        for part in self.parts(ledger.removed):
            with self.state.flipping():
                self.collection.delete(ids=part)
        self.state.table.forget(ledger.removed)
        for row_id in ledger.removed:
            self.state.records.pop(row_id, None)

    def note(self, row_id: str, row: Row, now: int) -> None:
        """Take in that a row was written otherwise than by `commit`."""
        self.state.table.note(row_id, encode(row), now)
        self.state.keys.note(row_id, [f.digest for f in row.facts])
        self.state.records.pop(row_id, None)

    def exchange(self, ledger: Ledger, now: int) -> None:
        """Write down an undo that gives documents back their earlier versions, in one call.

        Rows that change in metadata only go along with their texts and vectors, since one call is atomic.
        """
        if not ledger.moved:
            return
        moved = {i: ledger.moved.get(i, i) for i in ledger.changed}
        old = self.lookup.fetch(list({*moved, *moved.values()}), ("documents", "embeddings", "uris"))
        records: list[Record] = []
        for row_id, home in moved.items():
            stays = old[row_id]["metadata"] or {}
            comes = addressed(user_metadata(old[home]["metadata"]) or {}, row_id)
            leaves = {k: None for k in stays if not k.startswith(PREFIX) and k not in comes}
            metadata = {**leaves, **comes, **encode(ledger.rows[row_id], stays)}
            records.append({**old[home], "id": row_id, "metadata": metadata, "uri": None})
        self.state.table.forget(moved)
        with self.state.flipping():
            self.collection.upsert(**_columns(records))
        for row_id in moved:
            self.note(row_id, ledger.rows[row_id], now)
            ledger.changed.pop(row_id, None)

    def batch_limit(self) -> int:
        """Return how many records one call may carry."""
        return int(self.collection._client.get_max_batch_size())

    def parts(self, row_ids: Iterable[str]) -> Iterator[list[str]]:
        """Return ids in lists that a call may carry."""
        return pages(list(row_ids), self.batch_limit())

    def recover(self, now: int) -> None:
        """Take back what a crash left between the two calls of a write. Run under the lock."""
        if self.state.recovered:
            return
        self.state.forget_everything()
        batches = self.lookup.pending_batches()
        if not self.state.exclusive:
            records = self.lookup.fetch(list(batches))
            old = {i for i, r in records.items() if decode(i, r["metadata"]).recorded_at < now - IN_FLIGHT}
            batches = {i: b for i, b in batches.items() if i in old or b in self.state.doubtful}
        followers: dict[str, Record] = {}
        for batch in batches.values():
            followers.update(self.lookup.fetch(self.collection.get(where={BATCH: batch}, include=[])["ids"]))
        leaders = {i: followers.pop(i) for i in batches}
        shadows = self.collection.get(where={SHADOW: {"$gte": 1}}, include=[])["ids"]
        copies = self.lookup.fetch(shadows, ("documents", "embeddings", "uris"))
        homes = {r["metadata"][ID]: i for i, r in copies.items()}
        # the leaders last: as long as one is there, its batch is known to be unacknowledged
        for part in (followers, leaders):
            for home, record in part.items():
                if home in homes:
                    self._restore(home, record, copies[homes[home]])
            self._remove([i for i in part if i not in homes])
        if self.state.exclusive:
            self._remove(list(copies))
            self.lookup.both.drop_copies()
        else:
            self._remove([homes[i] for i in (*followers, *leaders) if i in homes])
        self.state.in_flight.clear()
        self.state.doubtful.clear()
        self.state.recovered = True

    def _restore(self, home: str, current: Record, copy: Record) -> None:
        """Give a row back the content that its shadow holds."""
        comes = {k: v for k, v in addressed(copy["metadata"], home).items() if k not in (ID, SHADOW)}
        leaves = {k: None for k in current["metadata"] if k not in comes}
        self.collection.upsert(**_columns([{**copy, "id": home, "metadata": {**leaves, **comes}}]))

    def _remove(self, row_ids: Sequence[str]) -> None:
        for part in self.parts(row_ids):
            self.collection.delete(ids=part)


def _columns(records: Sequence[Record]) -> dict[str, Any]:
    """Return records as the columns of a call; texts and URIs only where there are any."""
    columns = {f"{name}s": [r[name] for r in records] for name in ("id", "metadata", "embedding", "document", "uri")}
    return {k: c for k, c in columns.items() if k not in ("documents", "uris") or any(v is not None for v in c)}


def _difference(fields: Mapping[str, Any], stored: Mapping[str, Any] | None) -> dict[str, Any]:
    have = stored or {}
    return {k: v for k, v in fields.items() if k not in have or have[k] != v}
