"""The supersession hook: what a write adds and closes, seen wholly or not at all.

Chroma applies one call atomically, and offers nothing across two. So a batch that closes
something is written in two calls. The first adds its rows, all of which name one of them as
their leader, and marks the leader as pending: none of them is visible. The second clears
that one mark and closes the old rows, at once. Where a document's content is replaced, the
first call also adds a copy of the old version, which goes on being served under its id (the
"shadow") until the second call ends it. What a crash leaves between the two was never
acknowledged, and `recover` takes it back.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

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

__all__ = ["Writer"]


class Writer:
    """Writes one collection through the supersession hook."""

    def __init__(self, lookup: Lookup) -> None:
        """Write to the collection that `lookup` looks into."""
        self.collection = lookup.collection
        self.state = lookup.state
        self.lookup = lookup

    def commit(self, plan: Plan, *, metadata_first: bool = False) -> None:
        """Write a plan down, in one call or two.

        Args:
            plan: What to write.
            metadata_first: Store texts with metadata before those without.
        """
        ledger, table = plan.ledger, self.state.table
        fresh = [i for i in plan.fresh if i in ledger.rows]
        if metadata_first:
            fresh.sort(key=lambda i: not plan.fresh[i].metadata)
        moved = [i for i in ledger.moved if i in ledger.rows]
        closers = plan.closers
        closers += [i for i in plan.metadata_only if i not in closers and i not in plan.fresh]
        ledger.note(plan.first, plan.last)
        fields = {i: encode(ledger.rows[i], plan.stored(i)) for i in (*fresh, *moved, *closers)}
        self.reserve_slots(ledger.rows[i] for i in fields)
        table.forget([*closers, *(i for i in fresh if i in plan.before)])  # until it is done, their metadata decides
        if not fresh and not moved:
            self._close(plan, fields, closers, [], None)
        elif not closers and not moved:
            self._insert(plan, fields, fresh, [], None)
        else:
            batch = random.getrandbits(62)
            self.state.in_flight.add(batch)
            self._insert(plan, fields, fresh, moved, batch)
            self._close(plan, fields, closers, moved, fresh[0])
            self.state.in_flight.discard(batch)
        for document, versions in plan.parts.items():
            ended = any(ledger.rows[i].deleted for parts in versions.values() for i in parts if i in ledger.rows)
            self.state.note_versions(*document, [] if ended else list(versions))
        for row_id, reserved in fields.items():
            table.note(row_id, reserved, plan.last)
            self.state.keys.note(row_id, [v for k, v in reserved.items() if k.startswith(KEY) and v is not None])
            self._keep(plan, row_id, reserved)
        if self.state.outright is not None:
            rows = (ledger.rows[i] for i in fields)
            self.state.outright |= {f.digest for row in rows for f in row.facts if f.dimension == ANY}
        self.state.last_recorded = max(self.state.last_recorded, plan.last)

    def _keep(self, plan: Plan, row_id: str, reserved: Mapping[str, Any]) -> None:
        """Keep a row's metadata in memory, as the two calls left it."""
        if row_id in plan.ledger.moved or not self.state.exclusive:
            self.state.records.pop(row_id, None)
            return
        own = plan.fresh[row_id].metadata if row_id in plan.fresh else plan.metadata_only.get(row_id)
        merged = {**(plan.stored(row_id) or {}), **(own or {}), **reserved}
        self.state.remember(plan.ledger.rows[row_id], {k: v for k, v in merged.items() if v is not None})

    def reserve_slots(self, rows: Iterable[Row]) -> None:
        """Take in that rows are about to be written, which may use more key slots than any so far."""
        used = max((len({f.digest for f in r.facts}) for r in rows), default=0)
        self.state.slots = max(self.state.slots or 0, used) if self.state.slots is not None else None

    def _insert(
        self,
        plan: Plan,
        fields: Mapping[str, dict[str, Any]],
        fresh: Sequence[str],
        moved: Sequence[str],
        batch: int | None,
    ) -> None:
        """The first call: new rows, and copies of versions that are being replaced."""
        ledger = plan.ledger
        ids, documents, metadatas, embeddings, uris = [], [], [], [], []
        for row_id in fresh:
            item = plan.fresh[row_id]
            own = item.metadata or {}
            metadata = {**(own if row_id == item.id else addressed(own, row_id)), **fields[row_id]}
            if batch is not None:
                metadata[BATCH] = batch
                if row_id == fresh[0]:
                    metadata[TO] = PENDING
            ids.append(row_id)
            documents.append(item.document)
            metadatas.append(metadata)
            embeddings.append(item.embedding)
            uris.append(item.uri)
        if moved:
            homes = [ledger.moved[i] for i in moved]
            old = self.lookup.fetch(homes, ("documents", "embeddings", "uris"))
            for row_id, home in zip(moved, homes, strict=True):
                record = old[home]
                row = ledger.rows[row_id]
                metadata = addressed(record["metadata"] or {}, row_id)
                if TO not in metadata:
                    metadata.update(encode(plan.before[home]))
                metadata[ID] = row.document_id
                metadata[SHADOW] = 1
                ids.append(row_id)
                documents.append(record["document"])
                metadatas.append(metadata)
                embeddings.append(record["embedding"])
                uris.append(record["uri"])
        columns: dict[str, Any] = {"ids": ids, "metadatas": metadatas, "embeddings": embeddings}
        if any(d is not None for d in documents):
            columns["documents"] = documents
        if any(u is not None for u in uris):
            columns["uris"] = uris
        if moved:  # a version gives up its id: whoever saw it there must look again for its copy
            with self.state.flipping():
                self.collection.upsert(**columns)
        elif any(i in plan.records for i in fresh):
            self.collection.upsert(**columns)
        else:
            for metadata in metadatas:
                for name in [k for k, v in metadata.items() if v is None]:
                    del metadata[name]
            self.collection.add(**columns)

    def _close(
        self,
        plan: Plan,
        fields: Mapping[str, dict[str, Any]],
        closers: Sequence[str],
        moved: Sequence[str],
        leader: str | None,
    ) -> None:
        """The second call: close the old rows and acknowledge the new ones, at once."""
        ids, metadatas = [], []
        for row_id in closers:
            wanted = {**plan.metadata_only.get(row_id, {}), **fields[row_id]}
            changed = _difference(wanted, plan.stored(row_id))
            if changed:
                ids.append(row_id)
                metadatas.append(changed)
        for row_id in moved:
            ids.append(row_id)
            metadatas.append({**fields[row_id], SHADOW: None})
        if leader is not None:
            ids.append(leader)
            metadatas.append({TO: fields[leader][TO]})
        if ids:
            with self.state.flipping():
                self.collection.update(ids=ids, metadatas=metadatas)

    def settle(self, ledger: Ledger, records: Mapping[str, Record], now: int) -> None:
        """Write down rows of a ledger that changed in metadata only, and delete the removed ones.

        Survivors first: until the delete, a reader sees what it saw before.
        """
        ids, metadatas = [], []
        for row_id in ledger.changed:
            stored = records[row_id]["metadata"]
            fields = _difference(encode(ledger.rows[row_id], stored), stored)
            if fields:
                ids.append(row_id)
                metadatas.append(fields)
        limit = self.batch_limit()
        self.state.table.forget(ids)
        for start in range(0, len(ids), limit):
            with self.state.flipping():
                self.collection.update(ids=ids[start : start + limit], metadatas=metadatas[start : start + limit])
        for row_id in ids:
            self.note(row_id, ledger.rows[row_id], now)
        removed = list(ledger.removed)
        for start in range(0, len(removed), limit):
            with self.state.flipping():
                self.collection.delete(ids=removed[start : start + limit])
        self.state.table.forget(removed)
        for row_id in removed:
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
        moved = {i: ledger.moved.get(i, i) for i in ledger.changed}
        if not ledger.moved:
            return
        old = self.lookup.fetch(list({*moved, *moved.values()}), ("documents", "embeddings", "uris"))
        ids = list(moved)
        metadatas = []
        for row_id in ids:
            stays = old[row_id]["metadata"] or {}
            comes = addressed(user_metadata(old[moved[row_id]]["metadata"]) or {}, row_id)
            leaves = {k: None for k in stays if not k.startswith(PREFIX) and k not in comes}
            metadatas.append({**leaves, **comes, **encode(ledger.rows[row_id], stays)})
        self.state.table.forget(ids)
        with self.state.flipping():
            self.collection.upsert(
                ids=ids,
                documents=[old[moved[i]]["document"] for i in ids],
                embeddings=[old[moved[i]]["embedding"] for i in ids],
                metadatas=metadatas,
            )
        for row_id in ids:
            self.note(row_id, ledger.rows[row_id], now)
            ledger.changed.pop(row_id, None)

    def batch_limit(self) -> int:
        """Return how many records one call may carry."""
        return int(self.collection._client.get_max_batch_size())

    # -- recovery -------------------------------------------------------------------------

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
        columns: dict[str, Any] = {"ids": [home], "embeddings": [copy["embedding"]], "metadatas": [{**leaves, **comes}]}
        if copy["document"] is not None:
            columns["documents"] = [copy["document"]]
        if copy["uri"] is not None:
            columns["uris"] = [copy["uri"]]
        self.collection.upsert(**columns)

    def _remove(self, row_ids: Sequence[str]) -> None:
        limit = self.batch_limit()
        for start in range(0, len(row_ids), limit):
            self.collection.delete(ids=list(row_ids[start : start + limit]))


def _difference(fields: Mapping[str, Any], stored: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the fields that differ from what is stored."""
    have = stored or {}
    return {k: v for k, v in fields.items() if k not in have or have[k] != v}
