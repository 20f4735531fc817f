"""What a batch would do: facts to keys, keys to rows, rows through the ledger. Nothing is written here."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from chromadb.errors import InternalError

from memstrata_integrations.chroma.fields import (
    ID,
    SHADOW,
    decode,
    stated_in,
    user_metadata,
)
from memstrata_integrations.chroma.keying import Keying, kept_apart
from memstrata_integrations.chroma.lookup import Record
from memstrata_integrations.chroma.origins import source_of, without_contradictions
from memstrata_integrations.chroma.plan import Document, Item, Origin, Plan
from memstrata_integrations.chroma.reading import Reader
from memstrata_integrations.chroma.scoping import Scope, lies_in, owned_by_another, scope_of
from memstrata_integrations.chroma.state import SharedState
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.ledger.ledger import Ledger
from memstrata_integrations.ledger.rows import ALWAYS, ANY, Incoming, Row, RowFact, TimelineKey, content_hash
from memstrata_integrations.ledger.time import MIN_TIME, OPEN, format_time
from memstrata_integrations.redaction import redact

__all__ = ["IN_FLIGHT", "Planner"]

logger = logging.getLogger("memstrata_integrations")


IN_FLIGHT = 60_000_000
"""How long, µs, a write of another process may be under way."""


class Planner:
    """Works out what writing to one collection does."""

    def __init__(
        self,
        collection: Any,
        state: SharedState,
        reader: Reader,
        *,
        keying: Keying,
        keep_deleted: bool,
    ) -> None:
        """Plan for `collection` (a chromadb one).

        Args:
            collection: A chromadb `Collection`.
            state: What this process shares about it.
            reader: Its reader, for look-ups.
            keying: What gives texts their keys.
            keep_deleted: Whether deleted rows are kept as history.
        """
        self.collection = collection
        self.state = state
        self.reader = reader
        self.keying = keying
        self.scope = keying.scope
        self.policy = keying.policy
        self.keep_deleted = keep_deleted

    def plan(self, items: Sequence[Item], now: int) -> Plan:
        """Work out what a batch does, without writing.

        Args:
            items: Texts with their facts, in order.
            now: The clock, µs.

        Raises:
            InvalidInputError: If another scope owns an id, or a text is over before it begins.
        """
        stored = self.owned(items)
        for item in items:
            if item.origin is not None:
                item.origin = replace(item.origin, scope=scope_of(item.metadata, self.scope))
        self._mark_echoes(items, stored, now)
        siblings, parts = self._siblings(items)
        replaced = self._replaced(items)
        records = {**siblings, **replaced, **stored}
        rows = self._rows_of(records)
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
            own, prose, over = self.keying.row_facts(item, merged[-1])
            unkeyed += over
            facts.append((own, prose))
        facts = without_contradictions(items, merged, facts)
        apart = kept_apart(items, merged, self.keying, self.state.described)
        if apart and not self.state.told_apart:
            self.state.told_apart = True
            logger.warning(
                "facts that read alike are kept apart by their sources, since their subjects name no entity: %s. If "
                "all of them speak of one world, say so: SupersessionPolicy(one_world=True)",
                apart[0],
            )
        first = self._transaction_time(now, rows.values())
        digests = {f.digest for own, _ in facts for f in own}
        digests |= {f.digest for r in rows.values() for f in r.facts}
        bound = self._earliest(items, facts, rows, siblings, first)
        if not self.state.exclusive:
            bound = min(bound, first - IN_FLIGHT)  # what raced of late may have been closed at the wrong time: `heal`
        peers = self.reader.competitors(digests, bound) if digests else {}
        peers = {i: r for i, r in peers.items() if i not in records}
        records.update(peers)
        rows.update(self._rows_of(peers))
        self._load_pasts(items, rows, records, digests)
        facts, unified = self._of_any_kind(facts, rows, records)
        first = self._transaction_time(first, rows.values())
        ledger = Ledger(rows.values(), archive_id=lambda _: f"memstrata-{uuid.uuid4().hex}")
        before = dict(ledger.rows)
        if unified:
            ledger.changed.update(
                dict.fromkeys(i for i, r in rows.items() if any(f.digest in unified for f in r.facts))
            )
            ledger.settle([(digest, ANY) for digest in sorted(unified)])
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
            parts=parts,
            apart=tuple(apart),
        )
        self._apply(plan, items, facts, merged)
        return plan

    def owned(self, items: Sequence[Item]) -> dict[str, Record]:
        """Return the stored rows that a batch names by id.

        Raises:
            InvalidInputError: If one belongs to another scope.
        """
        asked = [i.id for i in items if i.explicit]
        stored = self.reader.fetch(asked, ("documents",)) if asked else {}
        for item in items:
            held = stored[item.id]["metadata"] if item.id in stored else None
            name = owned_by_another(held, item.metadata, self.scope)
            if held is not None and name is not None:
                raise InvalidInputError(
                    f"id {item.id!r} belongs to {name}={held[name]!r}, and this call says "
                    f"{name}={(item.metadata or {})[name]!r}; take another id, or purge it there first"
                )
        return stored

    def _replaced(self, items: Sequence[Item]) -> dict[str, Record]:
        """Return the stored rows whose place a batch takes by its word.

        Raises:
            InvalidInputError: If one is not there, lies in another scope, or would replace itself.
        """
        asked = {i for item in items for i in item.replaces}
        found = self.reader.fetch(sorted(asked), ("documents",)) if asked else {}
        own: dict[str, Mapping[str, Any] | None] = {}
        for item in items:
            for row_id in item.replaces:
                held = found[row_id]["metadata"] if row_id in found else own.get(row_id)
                if row_id == item.id or (row_id not in found and row_id not in own):
                    what = "it is its own id" if row_id == item.id else "there is no such document"
                    raise InvalidInputError(f"supersedes={row_id!r} of {item.id!r}: {what}")
                if not lies_in(held, scope_of(item.metadata, self.scope)):
                    raise InvalidInputError(f"supersedes={row_id!r} of {item.id!r}: it belongs to another scope")
            own[item.id] = item.metadata
        return found

    def reuse_vectors(self, items: Sequence[Item], now: int) -> None:
        """Give items the vectors of the stored rows whose text, or whose text as readers are shown it, they have."""
        stored = self.owned(items)
        self._mark_echoes(items, stored, now)
        same = [
            i
            for i in items
            if i.id in stored and i.document is not None and (i.echo or stored[i.id]["document"] == i.document)
        ]
        try:
            records = self.reader.fetch([i.id for i in same], ("embeddings",))
        except InternalError:  # some have none: the index was damaged
            return
        for item in same:
            item.embedding = records[item.id]["embedding"]

    def _mark_echoes(self, items: Sequence[Item], stored: Mapping[str, Record], now: int) -> None:
        """Find the texts that readers are shown of a stored text of which something went stale."""
        for item in items:
            record = stored.get(item.id)
            if record is None or item.document is None or record["document"] in (None, item.document):
                continue
            stated = stated_in(record["metadata"], max(now, self.state.last_recorded))
            item.echo = stated is not None and redact(record["document"], stated) == item.document

    def _siblings(self, items: Sequence[Item]) -> tuple[dict[str, Record], dict[Document, dict[str, list[str]]]]:
        """Return the stored rows of the documents that a batch holds parts of, where versions may differ."""
        asked: dict[tuple[str, Scope], dict[str, Origin]] = {}
        for origin in {i.origin for i in items if i.origin is not None}:
            known = self.state.versions.get((origin.field, origin.id)) if self.state.exclusive else None
            if known != (origin.scope, origin.version):
                asked.setdefault((origin.field, origin.scope), {})[origin.id] = origin
        found: dict[str, Record] = {}
        parts: dict[Document, dict[str, list[str]]] = {}
        for (name, scope), origins in asked.items():
            records = self.reader.fetch(self.reader.ids_in(name, list(origins), scope), ("documents",))
            for record in self.reader.acknowledged(list(records.values())):
                metadata = record["metadata"] or {}
                if ID in metadata or not lies_in(metadata, scope):
                    continue
                origin = origins[str(metadata[name])]
                version = origin.read(metadata)
                if version is not None and record["id"] not in origin.keep:
                    found[record["id"]] = record
                    parts.setdefault(origin.document, {}).setdefault(version, []).append(record["id"])
        return found, parts

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
            if item.echo:
                plan.ids.append(item.id)
                plan.metadata_only[item.id] = item.metadata or {}
                continue
            if own and item.valid_from is None and item.valid_to is not None and item.valid_to <= plan.first + n:
                raise InvalidInputError(
                    f"text {n} is dated until {format_time(item.valid_to)} but not from when, and that is over "
                    "already; give valid_from too"
                )
            own = self._ended(plan, item, own, metadata, plan.first + n)
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
                same = [i for i in twins.get(new.content, ()) if self._is_twin(plan, i, metadata, own)]
                twin = ledger.duplicate_of(new, same)
                if twin is not None:
                    ledger.confirm(twin, new)
                    plan.ids.append(ledger.rows[twin].document_id)
                    self._replace(plan, item, new, None)
                    continue
            known = ledger.rows.get(item.id)
            earlier: Sequence[RowFact] = ()
            if self.keep_deleted and item.valid_from is None:
                deleted = [known] if known is not None else self._deleted_twins(plan, own, metadata)
                earlier = [f for r in deleted for f in r.facts if r.deleted]
                new = replace(new, anew=self._said_otherwise(plan, own, earlier, metadata, new.recorded_at))
                earlier = earlier if known is None else ()
            if item.origin is not None:
                stored_as = self._write_part(plan, item, item.origin, new, earlier)
            else:
                stored_as = ledger.write(new, earlier=earlier)
            plan.ids.append(item.id)
            self._replace(plan, item, new, stored_as)
            if stored_as is None and ledger.rows[item.id].content == new.content:
                plan.metadata_only[item.id] = item.metadata or {}
            elif stored_as is None:
                pass  # a version that came before, written again
            else:
                plan.fresh[stored_as] = item
                twins.setdefault(new.content, []).append(stored_as)

    def _replace(self, plan: Plan, item: Item, new: Incoming, stored_as: str | None) -> None:
        """End the documents whose place a text takes by its word; what it says begins where they end."""
        ledger = plan.ledger
        for row_id in item.replaces:
            at = max([new.at, *ledger.rows[row_id].begun])  # what was told later than that is over all the same
            if any(at in w for w in ledger.rows[row_id].windows):
                ledger.silence(row_id, at, new.recorded_at)
                plan.replaced[row_id] = plan.ids[-1]
        begins_here = item.replaces or (item.stated and all(f.value is None for f in item.stated))
        first = stored_as is not None and stored_as not in plan.before
        if first and begins_here and new.prose and new.valid_from is None:
            ledger.silence(str(stored_as), MIN_TIME, new.recorded_at)

    def _ended(
        self, plan: Plan, item: Item, facts: tuple[RowFact, ...], metadata: Mapping[str, Any], told: int
    ) -> tuple[RowFact, ...]:
        """Let an ending, whose value has no kind, end the values of every kind that its key has.

        One that names what ended ("no longer works for Brill") ends that value alone: of a key that has another one by
        then, it says nothing.
        """
        if all(f.value is not None for f in facts):
            return facts
        named = self.keying.ended_values(item, metadata)
        instant = told if item.valid_from is None else item.valid_from
        stored = plan.ledger.rows.get(item.id)
        again = stored is not None and stored.content == content_hash(item.document)
        rows = [stored] if again and stored is not None else list(plan.ledger.rows.values())
        found: list[RowFact] = []
        for fact in facts:
            if fact.value is not None:
                found.append(fact)
                continue
            ended = named.get(fact.digest) if not again else None
            kinds = {
                f.dimension
                for r in rows
                for f in r.facts
                if f.digest == fact.digest
                and (ended is None or (f.bare_value == ended and any(instant in i for i in f.live)))
            }
            found += [replace(fact, dimension=k) for k in sorted(kinds)] or ([fact] if ended is None else [])
        return tuple(found)

    def _of_any_kind(
        self,
        facts: Sequence[tuple[tuple[RowFact, ...], bool]],
        rows: dict[str, Row],
        records: dict[str, Record],
    ) -> tuple[list[tuple[tuple[RowFact, ...], bool]], set[int]]:
        """Bring the keys that somebody stated outright together, whatever the kinds of their values.

        What the texts of a batch, and the rows at hand, say of such a key is put on one timeline; for that all rows of
        the key are loaded, once. A key of which texts give values of several kinds at once is left as it is.

        Returns:
            The facts of the batch, and the keys of which stored rows were changed so.
        """
        own = [f for told, _ in facts for f in told]
        held = [f for r in rows.values() for f in r.facts]
        outright = {f.digest for f in (*own, *held) if f.dimension == ANY}
        outright |= {f.digest for f in own} & self.reader.outright()
        if not outright:
            return list(facts), set()
        loose = {f.digest for r in rows.values() for f in r.facts if f.digest in outright and f.dimension != ANY}
        if loose:
            more = {i: r for i, r in self.reader.competitors(loose, MIN_TIME).items() if i not in records}
            records.update(more)
            rows.update(self._rows_of(more))
            kinds: dict[int, set[str]] = {}
            for fact in (f for r in rows.values() for f in r.facts if f.value is not None and f.dimension != ANY):
                kinds.setdefault(fact.digest, set()).add(fact.dimension)
            outright -= {d for d in loose if len(kinds.get(d, ())) > 1}
            loose &= outright
            for row_id, row in rows.items():
                rows[row_id] = row.of_any_kind(loose)
        return [
            (tuple(f.of_any_kind() if f.digest in outright else f for f in told), prose) for told, prose in facts
        ], loose

    def _write_part(
        self, plan: Plan, item: Item, origin: Origin, new: Incoming, earlier: Sequence[RowFact]
    ) -> str | None:
        """Write one row of a document; what other versions of the document hold ends where this one begins."""
        ledger = plan.ledger
        versions = plan.parts.setdefault(origin.document, {})
        known = ledger.rows.get(item.id)
        same = {*(i.id for i in plan.items if i.origin == origin), *origin.keep}
        older: list[tuple[int, str]] = []
        ahead: list[int] = []
        ending: list[str] = []
        for version, row_ids in versions.items():
            for row_id in row_ids:
                row = ledger.rows[row_id]
                if version == origin.version and not row.deleted:
                    continue
                starts = [e.valid_from for e in row.editions if e.value is not None and e.undone_at == OPEN]
                ahead += [start for start in starts if start > new.at]
                if any(start <= new.at for start in starts):
                    older.append((max(start for start in starts if start <= new.at), version))
                    if row_id not in same and any(new.at in w for w in row.windows):
                        ending.append(row_id)
                elif row.windows[:1] and row.windows[0].start == MIN_TIME:
                    ledger.silence(row_id, MIN_TIME, new.recorded_at)
        if older and new.valid_from is None:
            last = [f for i in versions[max(older)[1]] for f in ledger.rows[i].facts]
            otherwise = self._said_otherwise(plan, new.facts, last, item.metadata or {}, new.recorded_at)
            moved_on = item.id not in versions.get(origin.version, ())
            new = replace(new, anew=new.anew | otherwise, keeps=moved_on)
            earlier = [*earlier, *last] if known is None else earlier
        stored_as = ledger.write(new, earlier=earlier)
        for row_id in ending:
            ledger.silence(row_id, new.at, new.recorded_at)
        if known is None and stored_as is not None:
            if older:
                ledger.silence(str(stored_as), MIN_TIME, new.recorded_at)
            if ahead:
                ledger.silence(stored_as, min(ahead), new.recorded_at)
        if ledger.rows[item.id].content == new.content:  # else it went to the archive
            for row_ids in versions.values():
                if item.id in row_ids:
                    row_ids.remove(item.id)
            versions.setdefault(origin.version, []).append(item.id)
        return stored_as

    def _metadata_of(self, plan: Plan, row_id: str) -> dict[str, Any] | None:
        if row_id in plan.fresh:
            return plan.fresh[row_id].metadata or None
        return user_metadata(plan.records[row_id]["metadata"]) if row_id in plan.records else None

    def _is_twin(self, plan: Plan, row_id: str, metadata: Mapping[str, Any], facts: Sequence[RowFact]) -> bool:
        """Whether a row has this metadata (to Python 1 equals true) and states these facts."""
        held = self._metadata_of(plan, row_id) or {}
        stated = {(f.timeline, f.value) for f in plan.ledger.rows[row_id].facts}
        same = {(f.timeline, f.value) for f in facts} == stated
        return same and held == metadata and lies_in(held, scope_of(metadata, self.scope))

    def _deleted_twins(self, plan: Plan, facts: Sequence[RowFact], metadata: Mapping[str, Any]) -> list[Row]:
        """Return the deleted rows of the same source that state any of these keys."""
        source = source_of(metadata)
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
        return source_of(self._metadata_of(plan, row.id) or {})

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
        source = source_of(metadata)
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

    def keys_changed(self, item: Item, record: Record) -> bool:
        """Whether a row's metadata, merged with an item's, gives its facts other keys than are stored."""
        row = decode(item.id, record["metadata"], record["document"])
        metadata = {**(user_metadata(record["metadata"]) or {}), **(item.metadata or {})}
        facts, _, _ = self.keying.row_facts(item, metadata)
        return [(f.digest, f.value) for f in facts] != [(f.digest, f.value) for f in row.facts]

    def _transaction_time(self, now: int, rows: Any) -> int:
        return int(max(now, self.state.last_recorded + 1, *(r.recorded_at + 1 for r in rows), MIN_TIME))

    def _earliest(
        self,
        items: Sequence[Item],
        facts: Sequence[tuple[tuple[RowFact, ...], bool]],
        rows: Mapping[str, Row],
        siblings: Mapping[str, Record],
        first: int,
    ) -> int:
        """Return the earliest valid time at which this batch may assert anything, µs."""
        kept = [a.valid_from for i in siblings if i in rows for f in rows[i].facts for a in f.assertions]
        earliest = min([first, *kept])
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
