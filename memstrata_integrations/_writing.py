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
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from memstrata_integrations._reading import Reader, Record
from memstrata_integrations._state import SharedState
from memstrata_integrations.codec import (
    BATCH,
    ID,
    KEY,
    MAX_KEYS,
    PENDING,
    PREFIX,
    SHADOW,
    TO,
    decode,
    encode,
    user_metadata,
)
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.facts import Extraction, Extractor, Fact, FactKey
from memstrata_integrations.history import Change, Changes
from memstrata_integrations.ledger import Ledger
from memstrata_integrations.policy import SupersessionPolicy
from memstrata_integrations.rows import ALWAYS, Incoming, Row, RowFact, TimelineKey, content_hash
from memstrata_integrations.time import MIN_TIME, OPEN, format_time

__all__ = ["Item", "Plan", "Writer"]

SOURCE_FIELDS = ("source", "file_path", "url", "user_id", "session_id")
"""Metadata fields that tell two sources apart, for facts whose subject names no entity."""

_IN_FLIGHT = 60_000_000
"""How long, µs, a pending row of another process may be a write that is still under way."""


@dataclass(slots=True)
class Item:
    """One text of a batch, validated.

    Attributes:
        id: The row's id.
        explicit: Whether the caller gave it.
        document, metadata, embedding, image, uri: Chroma's columns.
        valid_from, valid_to: µs, or `None`.
        extraction: What it states.
    """

    id: str
    explicit: bool
    document: str | None = None
    metadata: dict[str, Any] | None = None
    embedding: Any = None
    image: Any = None
    uri: str | None = None
    valid_from: int | None = None
    valid_to: int | None = None
    extraction: Extraction = field(default_factory=Extraction)


@dataclass
class Plan:
    """What a batch would do: the ledger after it, and what is needed to write it down."""

    items: Sequence[Item]
    ledger: Ledger
    records: dict[str, Record]
    ids: list[str]
    first: int
    last: int
    before: dict[str, Row]
    fresh: dict[str, Item]
    metadata_only: dict[str, dict[str, Any]]
    unkeyed: int = 0
    keyed: int = 0

    @property
    def closers(self) -> list[str]:
        """Rows that are stored already and change in metadata only."""
        moved = set(self.ledger.moved)
        return [i for i in self.ledger.changed if i not in self.fresh and i not in moved]

    def stored(self, row_id: str) -> Mapping[str, Any] | None:
        """Return the metadata that a row's record holds so far, or that of the record it is copied from."""
        record = self.records.get(self.ledger.moved.get(row_id, row_id))
        return None if record is None else record["metadata"]

    def changes(self, *, committed: bool) -> Changes:
        """Summarise for the user."""
        ledger = self.ledger
        found: dict[tuple[Any, ...], Change] = {}
        for closure in ledger.closures:
            by = closure.by
            winner = None
            if by is not None and by in ledger.rows:
                winner = next((f for f in ledger.rows[by].facts if f.timeline == closure.fact.timeline), None)
            row = ledger.rows.get(closure.row_id)
            row_id = row.document_id if row else closure.row_id
            change = Change(
                kind="retracted" if winner is None or winner.value is None else "superseded",
                subject=closure.fact.subject,
                relation=closure.fact.relation,
                old=closure.fact.object,
                new=None if winner is None else winner.object,
                at=closure.at,
                row_id=row_id,
                by=by,
            )
            found[(closure.row_id, closure.fact.timeline, by)] = change
        versions = sum(1 for i in ledger.moved if i in ledger.rows and ledger.rows[i].archived)
        added = sum(1 for i in self.fresh if i in ledger.rows and i not in self.before)
        return Changes(
            recorded_at=(self.first, self.last),
            ids=tuple(self.ids),
            changes=tuple(found.values()),
            added=added,
            confirmed=len(self.items) - len(self.fresh),
            versions=versions,
            retired=len(self.retired()),
            keyed=self.keyed,
            unkeyed=self.unkeyed,
            committed=committed,
        )

    def retired(self) -> list[str]:
        """Return the rows that were served before and will not be."""
        gone = []
        for row_id, row in self.before.items():
            now = self.ledger.rows.get(row_id)
            replaced = row_id in self.fresh or row_id in self.ledger.moved
            if not replaced and row.visible(self.last) and (now is None or not now.visible(self.last)):
                gone.append(row_id)
        return gone


class Writer:
    """Writes one collection through the supersession hook."""

    def __init__(
        self,
        collection: Any,
        state: SharedState,
        reader: Reader,
        *,
        extractor: Extractor | None,
        scope: tuple[str, ...],
        policy: SupersessionPolicy,
        keep_deleted: bool,
    ) -> None:
        """Write to `collection` (a chromadb one).

        Args:
            collection: A chromadb `Collection`.
            state: What this process shares about it.
            reader: Its reader, for look-ups.
            extractor: Reads the facts; `None` for versions of documents only.
            scope: Metadata fields that separate facts.
            policy: What may supersede.
            keep_deleted: Whether deleted rows are kept as history.
        """
        self.collection = collection
        self.state = state
        self.reader = reader
        self.extractor = extractor
        self.scope = scope
        self.policy = policy
        self.keep_deleted = keep_deleted

    # -- planning -------------------------------------------------------------------------

    def extract(self, items: Sequence[Item]) -> None:
        """Read the facts of a batch."""
        if self.extractor is None:
            return
        texts = [i.document or "" for i in items]
        found = self.extractor.extract(texts, [i.metadata for i in items])
        if len(found) != len(items):
            raise InvalidInputError(
                f"extractor {self.extractor!r} returned {len(found)} results for {len(items)} texts; "
                "it must give one for each"
            )
        for item, extraction in zip(items, found, strict=True):
            item.extraction = extraction

    def plan(self, items: Sequence[Item], now: int) -> Plan:
        """Work out what a batch does, without writing.

        Args:
            items: Texts with their facts, in order.
            now: The clock, µs.
        """
        asked = [i.id for i in items if i.explicit]
        stored = self.reader.fetch(asked, ("documents",)) if asked else {}
        records = dict(stored)
        rows = self._rows_of(stored)
        if rows:
            earlier = self.reader.fetch(self.reader.archived_ids(list(rows)))
            records.update(earlier)
            rows.update(self._rows_of(earlier))
        facts: list[tuple[tuple[RowFact, ...], bool]] = []
        unkeyed = 0
        merged: list[dict[str, Any]] = []
        for item in items:
            known = user_metadata(stored[item.id]["metadata"]) if item.id in stored else None
            effective = {**(known or {}), **(item.metadata or {})}
            merged.append({k: v for k, v in effective.items() if v is not None})
            own, prose, over = self._row_facts(item, merged[-1])
            unkeyed += over
            facts.append((own, prose))
        first = self._transaction_time(now, rows.values())
        digests = {f.digest for own, _ in facts for f in own}
        digests |= {f.digest for r in rows.values() for f in r.facts}
        bound = self._earliest(items, facts, rows, first)
        peers = self.reader.competitors(digests, bound) if digests else {}
        peers = {i: r for i, r in peers.items() if i not in records}
        records.update(peers)
        rows.update(self._rows_of(peers))
        self._load_pasts(items, rows, records, digests)
        first = self._transaction_time(first, rows.values())
        ledger = Ledger(rows.values(), archive_id=lambda _: f"memstrata-{uuid.uuid4().hex}")
        before = dict(ledger.rows)
        if not self.state.exclusive:
            ledger.heal()
        plan = Plan(
            items=items,
            ledger=ledger,
            records=records,
            ids=[],
            first=first,
            last=first + max(len(items) - 1, 0),
            before=before,
            fresh={},
            metadata_only={},
            unkeyed=unkeyed,
            keyed=sum(len(own) for own, _ in facts),
        )
        self._apply(plan, items, facts, merged)
        return plan

    def _load_pasts(
        self, items: Sequence[Item], rows: dict[str, Row], records: dict[str, Record], digests: set[int]
    ) -> None:
        """Load what counts when a text without an id repeats a row of a document that has versions."""
        contents = {content_hash(i.document) for i in items if not i.explicit}
        versioned = [r.document_id for r in rows.values() if r.content in contents and r.windows != ALWAYS]
        if not versioned:
            return
        documents = list(dict.fromkeys(versioned))
        more = self.reader.fetch([*documents, *self.reader.archived_ids(documents)])
        more.update(self.reader.competitors(digests, MIN_TIME))
        more = {i: r for i, r in more.items() if i not in records}
        records.update(more)
        rows.update(self._rows_of(more))

    def _rows_of(self, records: Mapping[str, Record]) -> dict[str, Row]:
        """Decode the records that are acknowledged."""
        return {
            r["id"]: r["row"] if "row" in r else decode(r["id"], r["metadata"], r["document"])
            for r in self.reader.acknowledged(list(records.values()))
            if not (r["metadata"] or {}).get(SHADOW)
        }

    def _apply(
        self,
        plan: Plan,
        items: Sequence[Item],
        facts: Sequence[tuple[tuple[RowFact, ...], bool]],
        merged: Sequence[dict[str, Any]],
    ) -> None:
        ledger = plan.ledger
        twins: dict[str, list[str]] = {}
        for row in ledger.rows.values():
            twins.setdefault(row.content, []).append(row.id)
        for n, (item, (own, prose), metadata) in enumerate(zip(items, facts, merged, strict=True)):
            if own and item.valid_from is None and item.valid_to is not None and item.valid_to <= plan.first + n:
                raise InvalidInputError(
                    f"text {n} is dated until {format_time(item.valid_to)} but not from when, and that is over "
                    "already; give valid_from too"
                )
            new = Incoming(
                id=item.id,
                content=content_hash(item.document),
                facts=own,
                prose=prose,
                recorded_at=plan.first + n,
                valid_from=item.valid_from,
                valid_to=item.valid_to,
                authority=self.policy.authority_of(metadata),
            )
            if not item.explicit and own and not item.uri:
                same = [i for i in twins.get(new.content, ()) if self._metadata_of(plan, i) == (metadata or None)]
                twin = ledger.duplicate_of(new, same)
                if twin is not None:
                    ledger.confirm(twin, new)
                    plan.ids.append(ledger.rows[twin].document_id)
                    continue
            known = ledger.rows.get(item.id)
            earlier: Sequence[RowFact] = ()
            if self.keep_deleted and item.valid_from is None:
                deleted = [known] if known is not None else self._deleted_twins(plan, own, metadata)
                earlier = [f for r in deleted for f in r.facts if r.deleted]
                new = replace(new, anew=self._said_otherwise(plan, own, earlier, metadata, new.recorded_at))
                earlier = earlier if known is None else ()
            stored_as = ledger.write(new, earlier=earlier)
            plan.ids.append(item.id)
            if stored_as is None and ledger.rows[item.id].content == new.content:
                plan.metadata_only[item.id] = item.metadata or {}
            elif stored_as is None:
                pass  # a version that came before, written again
            else:
                plan.fresh[stored_as] = item
                twins.setdefault(new.content, []).append(stored_as)

    def _metadata_of(self, plan: Plan, row_id: str) -> dict[str, Any] | None:
        if row_id in plan.fresh:
            return plan.fresh[row_id].metadata or None
        return user_metadata(plan.records[row_id]["metadata"]) if row_id in plan.records else None

    def _deleted_twins(self, plan: Plan, facts: Sequence[RowFact], metadata: Mapping[str, Any]) -> list[Row]:
        """Return the deleted rows of the same source that state any of these keys."""
        source = _source_of(metadata)
        digests = {f.digest for f in facts}
        return [
            row
            for row in plan.ledger.rows.values()
            if source
            and row.deleted
            and any(f.digest in digests for f in row.facts)
            and self._source(plan, row) == source
        ]

    def _source(self, plan: Plan, row: Row) -> tuple[tuple[str, Any], ...]:
        return _source_of(self._metadata_of(plan, row.id) or {})

    def _said_otherwise(
        self,
        plan: Plan,
        facts: Sequence[RowFact],
        earlier: Sequence[RowFact],
        metadata: Mapping[str, Any],
        instant: int,
    ) -> frozenset[TimelineKey]:
        """Return the timelines of which a document that comes back must not keep its dates.

        It keeps them, and stays superseded, while another source's statement stands against it.
        Where its own source has said otherwise since, or what stood against it is gone, it
        speaks anew; otherwise nothing at all would be served.
        """
        source = _source_of(metadata)
        anew = set()
        for fact in facts:
            kept = [a.rank for f in earlier if f.same_fact(fact) for a in f.assertions if a.undone_at == OPEN]
            against = [
                (row, f)
                for row in plan.ledger.rows.values()
                for f in row.facts
                if f.timeline == fact.timeline
                and kept
                and any(
                    a.value != fact.value and a.undone_at == OPEN and a.rank > max(kept) and instant in a.interval
                    for a in f.all_assertions
                )
            ]
            own = [row for row, _ in against if source and self._source(plan, row) == source]
            standing = [row for row, f in against if any(instant in i for i in f.live)]
            if own or (against and not standing):
                anew.add(fact.timeline)
        return frozenset(anew)

    def _row_facts(self, item: Item, metadata: Mapping[str, Any]) -> tuple[tuple[RowFact, ...], bool, int]:
        """Return the keyed facts of a text, whether it says more, and how many went without a key."""
        scope = [(name, metadata.get(name)) for name in self.scope]
        prose = item.extraction.prose
        found: list[RowFact] = []
        digests: dict[int, None] = {}
        over = 0
        for fact in item.extraction.facts:
            if not self.policy.asserts(fact, metadata):
                prose = True
                continue
            digest = self.key(fact, scope, metadata).digest()
            if digest not in digests and len(digests) == MAX_KEYS:
                over += 1
                prose = True
                continue
            digests[digest] = None
            prose = prose or fact.narrative
            found.append(
                RowFact(
                    digest=digest,
                    subject=fact.subject,
                    relation=fact.relation,
                    dimension=fact.dimension,
                    object=fact.object,
                    value=None if fact.object is None else fact.value,
                    span=fact.span,
                    rule=fact.rule,
                    local=fact.local,
                    narrative=fact.narrative,
                )
            )
        values: dict[TimelineKey, set[str | None]] = {}
        for row_fact in found:
            values.setdefault(row_fact.timeline, set()).add(row_fact.value)
        clear = [f for f in found if len(values[f.timeline]) == 1]  # a text that contradicts itself states neither
        return tuple(clear), prose or len(clear) < len(found) or not found, over

    def keys_changed(self, item: Item, record: Record) -> bool:
        """Whether a row's metadata, merged with an item's, gives its facts other keys than are stored."""
        row = decode(item.id, record["metadata"], record["document"])
        facts, _, _ = self._row_facts(item, {**(user_metadata(record["metadata"]) or {}), **(item.metadata or {})})
        return [f.digest for f in facts] != [f.digest for f in row.facts]

    def key(self, fact: Fact, scope: Sequence[tuple[str, Any]], metadata: Mapping[str, Any]) -> FactKey:
        """Return the key of a fact; a subject that names no entity is confined to its source."""
        pairs = list(scope)
        if fact.local:
            pairs += [(f"source:{name}", value) for name, value in _source_of(metadata)]
        return FactKey.of(pairs, fact.subject, fact.relation)

    def _transaction_time(self, now: int, rows: Any) -> int:
        return int(max(now, self.state.last_recorded + 1, *(r.recorded_at + 1 for r in rows), MIN_TIME))

    def _earliest(
        self,
        items: Sequence[Item],
        facts: Sequence[tuple[tuple[RowFact, ...], bool]],
        rows: Mapping[str, Row],
        first: int,
    ) -> int:
        """Return the earliest valid time at which this batch may assert anything, µs."""
        earliest = first
        for item, (own, _) in zip(items, facts, strict=True):
            if item.valid_from is not None:
                earliest = min(earliest, item.valid_from)
                continue
            if not own:
                continue
            if self.keep_deleted:
                return MIN_TIME
        versions: dict[str, list[Row]] = {}
        for row in rows.values():
            versions.setdefault(row.document_id, []).append(row)
        for item in items:
            content = content_hash(item.document)
            for row in versions.get(item.id, ()):
                again = row.content == content and row.windows != ALWAYS
                if again and (item.valid_from is not None or not any(first in w for w in row.windows)):
                    return MIN_TIME  # a version may come back, and then its whole past counts
                if not row.archived:
                    earliest = min([earliest, *(a.valid_from for f in row.facts for a in f.assertions)])
        return earliest

    # -- writing --------------------------------------------------------------------------

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
        fields = {i: encode(ledger.rows[i], plan.stored(i)) for i in (*fresh, *moved, *closers)}
        self._reserve_slots(ledger.rows[i] for i in (*fresh, *moved))
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
        for row_id, reserved in fields.items():
            table.note(row_id, reserved, plan.last)
            self.state.keys.note(row_id, [v for k, v in reserved.items() if k.startswith(KEY) and v is not None])
            self._keep(plan, row_id, reserved)
        self.state.last_recorded = max(self.state.last_recorded, plan.last)

    def _keep(self, plan: Plan, row_id: str, reserved: Mapping[str, Any]) -> None:
        """Keep a row's metadata in memory, as the two calls left it."""
        if row_id in plan.ledger.moved or not self.state.exclusive:
            self.state.records.pop(row_id, None)
            return
        own = plan.fresh[row_id].metadata if row_id in plan.fresh else plan.metadata_only.get(row_id)
        merged = {**(plan.stored(row_id) or {}), **(own or {}), **reserved}
        self.state.remember(plan.ledger.rows[row_id], {k: v for k, v in merged.items() if v is not None})

    def _reserve_slots(self, rows: Any) -> None:
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
        ids, documents, metadatas, embeddings, uris, images = [], [], [], [], [], []
        for row_id in fresh:
            item = plan.fresh[row_id]
            metadata = {**(item.metadata or {}), **fields[row_id]}
            if batch is not None:
                metadata[BATCH] = batch
                if row_id == fresh[0]:
                    metadata[TO] = PENDING
            ids.append(row_id)
            documents.append(item.document)
            metadatas.append(metadata)
            embeddings.append(item.embedding)
            images.append(item.image)
            uris.append(item.uri)
        if moved:
            homes = [ledger.moved[i] for i in moved]
            old = self.reader.fetch(homes, ("documents", "embeddings", "uris"))
            for row_id, home in zip(moved, homes, strict=True):
                record = old[home]
                row = ledger.rows[row_id]
                metadata = {**(record["metadata"] or {})}
                if TO not in metadata:
                    metadata.update(encode(plan.before[home]))
                metadata[ID] = row.document_id
                metadata[SHADOW] = 1
                ids.append(row_id)
                documents.append(record["document"])
                metadatas.append(metadata)
                embeddings.append(record["embedding"])
                images.append(None)
                uris.append(record["uri"])
        columns: dict[str, Any] = {"ids": ids, "metadatas": metadatas}
        if any(d is not None for d in documents):
            columns["documents"] = documents
        if any(u is not None for u in uris):
            columns["uris"] = uris
        if any(i is not None for i in images) and not moved:
            columns["images"] = images
        if all(e is not None for e in embeddings):
            columns["embeddings"] = embeddings
        elif any(e is not None for e in embeddings):
            wanted = [n for n, e in enumerate(embeddings) if e is None]
            made = self.collection._embed(input=[documents[n] for n in wanted])
            for n, vector in zip(wanted, made, strict=True):
                embeddings[n] = vector
            columns["embeddings"] = embeddings
        if any(i in plan.records for i in fresh):
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
            self._note(row_id, ledger.rows[row_id], now)
        removed = list(ledger.removed)
        for start in range(0, len(removed), limit):
            with self.state.flipping():
                self.collection.delete(ids=removed[start : start + limit])
        self.state.table.forget(removed)
        for row_id in removed:
            self.state.records.pop(row_id, None)

    def _note(self, row_id: str, row: Row, now: int) -> None:
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
        old = self.reader.fetch(list({*moved, *moved.values()}), ("documents", "embeddings", "uris"))
        ids = list(moved)
        metadatas = []
        for row_id in ids:
            stays = old[row_id]["metadata"] or {}
            comes = user_metadata(old[moved[row_id]]["metadata"]) or {}
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
            self._note(row_id, ledger.rows[row_id], now)
            ledger.changed.pop(row_id, None)

    def batch_limit(self) -> int:
        """Return how many records one call may carry."""
        return int(self.state.server.get_max_batch_size())

    # -- recovery -------------------------------------------------------------------------

    def recover(self, now: int) -> None:
        """Take back what a crash left between the two calls of a write. Run under the lock."""
        if self.state.recovered:
            return
        self.state.forget_everything()
        batches = self.reader.pending_batches()
        if not self.state.exclusive:
            records = self.reader.fetch(list(batches))
            old = {i for i, r in records.items() if decode(i, r["metadata"]).recorded_at < now - _IN_FLIGHT}
            batches = {i: b for i, b in batches.items() if i in old or b in self.state.doubtful}
        followers: dict[str, Record] = {}
        for batch in batches.values():
            followers.update(self.reader.fetch(self.collection.get(where={BATCH: batch}, include=[])["ids"]))
        leaders = {i: followers.pop(i) for i in batches}
        shadows = self.collection.get(where={SHADOW: {"$gte": 1}}, include=[])["ids"]
        copies = self.reader.fetch(shadows, ("documents", "embeddings", "uris"))
        homes = {r["metadata"][ID]: i for i, r in copies.items()}
        # the leaders last: as long as one is there, its batch is known to be unacknowledged
        for part in (followers, leaders):
            for home, record in part.items():
                if home in homes:
                    self._restore(home, record, copies[homes[home]])
            self._remove([i for i in part if i not in homes])
        if self.state.exclusive:
            self._remove(list(copies))
        else:
            self._remove([homes[i] for i in (*followers, *leaders) if i in homes])
        self.state.in_flight.clear()
        self.state.doubtful.clear()
        self.state.recovered = True

    def _restore(self, home: str, current: Record, copy: Record) -> None:
        """Give a row back the content that its shadow holds."""
        comes = {k: v for k, v in copy["metadata"].items() if k not in (ID, SHADOW)}
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


def _source_of(metadata: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple((name, metadata[name]) for name in SOURCE_FIELDS if metadata.get(name) is not None)


def _difference(fields: Mapping[str, Any], stored: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the fields that differ from what is stored."""
    have = stored or {}
    return {k: v for k, v in fields.items() if k not in have or have[k] != v}
