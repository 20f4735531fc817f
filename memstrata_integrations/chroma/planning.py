"""What a batch would do: facts to keys, keys to rows, rows through the ledger. Nothing is written here."""

import logging
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from chromadb.errors import InternalError

from memstrata_integrations.chroma import versions
from memstrata_integrations.chroma.explicit import stated_again
from memstrata_integrations.chroma.fields import decode, stated_in, user_metadata, visible_in
from memstrata_integrations.chroma.keying import Keying, kept_apart, read_alike
from memstrata_integrations.chroma.lookup import Lookup, Record
from memstrata_integrations.chroma.origins import without_collisions, without_contradictions
from memstrata_integrations.chroma.plan import Item, Plan
from memstrata_integrations.chroma.scoping import lies_in, owned_by_another, scope_of
from memstrata_integrations.chroma.state import IN_FLIGHT
from memstrata_integrations.errors import ConflictError, InvalidInputError
from memstrata_integrations.ledger.incoming import Incoming
from memstrata_integrations.ledger.ledger import Ledger
from memstrata_integrations.ledger.rows import ANY, Row, RowFact, content_hash
from memstrata_integrations.ledger.time import MIN_TIME, OPEN, format_time
from memstrata_integrations.redaction import redact

logger = logging.getLogger("memstrata_integrations")


class Planner:
    """Works out what writing to one collection does."""

    def __init__(self, lookup: Lookup, keying: Keying, *, keep_deleted: bool) -> None:
        """Plan by what is stored; `keep_deleted` tells whether deleted rows are kept as history."""
        self.lookup = lookup
        self.state = lookup.state
        self.keying = keying
        self.scope = keying.scope
        self.policy = keying.policy
        self.keep_deleted = keep_deleted

    def plan(self, items: Sequence[Item], now: int) -> Plan:
        """Work out what texts with their facts do, in order, by the clock (µs); nothing is written."""
        stored = self.owned(items)
        for item in items:
            if item.origin is not None:
                item.origin = replace(item.origin, scope=scope_of(item.metadata, self.scope))
        self._mark_echoes(items, stored, now)
        siblings, parts = versions.stored_parts(self.lookup, items)
        replaced = self._replaced(items)
        records = {**siblings, **replaced, **stored}
        rows = self.lookup.rows_of(records)
        if rows:
            versions.take_in(self.lookup, self.lookup.fetch(self.lookup.archived_ids(list(rows))), rows, records)
        unkeyed, apart = self._key(items, stored, rows), self._kept_apart(items)
        first = self.state.transaction_time(now, rows.values())
        digests = {f.digest for item in items for f in item.facts} | {f.digest for r in rows.values() for f in r.facts}
        if digests:
            bound = versions.earliest(items, rows, first, whole=self.keep_deleted)
            if self.policy.ranks_sources or replaced:
                bound = MIN_TIME  # what ended long ago may outrank what is told today, or what was told in its place
            if not self.state.exclusive:
                bound = min(bound, first - IN_FLIGHT)  # what raced of late may have been closed at the wrong time
            versions.take_in(self.lookup, self.lookup.competitors(digests, bound), rows, records)
        for item in items:
            if item.adopted:
                rows.pop(item.id, None)  # an id that had a key before: it is a row of other code now
        versions.load_pasts(self.lookup, items, rows, records)
        unified = self._of_any_kind(items, rows, records)
        first = self.state.transaction_time(first, rows.values())
        ledger = Ledger(rows.values(), archive_id=lambda _: f"memstrata-{uuid.uuid4().hex}")
        before = dict(ledger.rows)
        if unified:
            ledger.changed.update((i, None) for i, r in rows.items() if any(f.digest in unified for f in r.facts))
            ledger.settle([(digest, ANY) for digest in sorted(unified)])
        if not self.state.exclusive:
            ledger.heal()
        plan = Plan(items, ledger, records, first, before, unkeyed, parts, apart)
        twins: dict[str, list[str]] = {}
        for row in ledger.rows.values():
            twins.setdefault(row.content, []).append(row.id)
        for n, item in enumerate(items):
            self._write(plan, item, n, twins)
        return plan

    def _key(self, items: Sequence[Item], stored: Mapping[str, Record], rows: Mapping[str, Row]) -> int:
        """Give the texts of a batch their keyed facts; return how many facts went without a key."""
        unkeyed = 0
        for item in items:
            known = user_metadata(stored[item.id]["metadata"]) if item.id in stored else None
            item.merged = {k: v for k, v in {**(known or {}), **(item.metadata or {})}.items() if v is not None}
            if not item.stays:
                item.facts, item.prose, over = self.keying.row_facts(item, item.merged)
                if item.id in rows and known == item.merged and not item.moved:
                    own = rows[item.id]  # told again, perhaps without the title of the piece before it
                    if own.content == content_hash(item.document) and read_alike(item.facts, own.facts):
                        keys = (f.digest for f in own.facts)
                        item.facts = tuple(replace(f, digest=key) for f, key in zip(item.facts, keys, strict=True))
                unkeyed += over
            elif item.id in rows:
                item.facts, item.prose = rows[item.id].facts, bool(rows[item.id].prose)
            else:
                raise ConflictError(f"row {item.id!r} was deleted meanwhile; call again")
        without_contradictions(items)
        if alike := without_collisions(items):
            logger.warning(
                "one call states different values of what has one key; none of these has it, and all are served: %s; "
                "use a relation for each that has no synonym, key_fields=, or dates",
                "; ".join(alike[:5]),
            )
        return unkeyed

    def _kept_apart(self, items: Sequence[Item]) -> tuple[str, ...]:
        """Return what of a batch is kept apart by its sources; that there is such a thing is told once."""
        apart = kept_apart(items, self.keying, self.state.described)
        if apart and not self.state.told_apart:
            self.state.told_apart = True
            logger.warning(
                "facts that read alike are kept apart by their sources, since their subjects name no entity: %s. If "
                "all of them speak of one world, say so: SupersessionPolicy(one_world=True)",
                apart[0],
            )
        return tuple(apart)

    def owned(self, items: Sequence[Item]) -> dict[str, Record]:
        """Return the stored rows that a batch names by id; refuse those of another scope."""
        asked = [i.id for i in items if i.explicit]
        stored = self.lookup.fetch(asked, ("documents",)) if asked else {}
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
        """Return the stored rows whose place a batch takes by its word; they must be others of its scope."""
        asked = {i for item in items for i in item.replaces}
        found = self.lookup.fetch(sorted(asked), ("documents",)) if asked else {}
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
        held = [i for i in items if i.id in stored and i.document is not None]
        same = [i for i in held if i.echo or stored[i.id]["document"] == i.document]
        try:
            records = self.lookup.fetch([i.id for i in same], ("embeddings",))
        except InternalError:  # some have none: the index was damaged
            return
        for item in same:
            item.embedding = records[item.id]["embedding"]

    def recall(self, items: Sequence[Item]) -> None:
        """Give items what is stored of them: their metadata, and what was stated outright of the same text."""
        asked = [i for i in items if i.explicit and i.document is not None]
        if not asked or not (self.keying.key_fields or self.lookup.outright()):
            return
        stored = self.lookup.fetch([i.id for i in asked], ("documents",))
        for item in (i for i in asked if i.id in stored):
            metadata, document = stored[item.id]["metadata"], stored[item.id]["document"]
            item.known = user_metadata(metadata) or {}
            if not item.stated and document == item.document:
                item.stated = stated_again(decode(item.id, metadata, document).facts, document or "")

    def _mark_echoes(self, items: Sequence[Item], stored: Mapping[str, Record], now: int) -> None:
        """Find the texts that readers are shown of a stored text of which something went stale."""
        present = max(now, self.state.last_recorded)
        for item in items:
            record = stored.get(item.id)
            if record is None or item.document is None or record["document"] in (None, item.document):
                continue
            stated = stated_in(record["metadata"], present)
            if stated is not None and visible_in(item.id, record["metadata"], present):
                item.echo = redact(record["document"], stated) == item.document

    def _write(self, plan: Plan, item: Item, n: int, twins: dict[str, list[str]]) -> None:
        """Take the n-th text of a batch into the ledger; `twins` are the rows of each content."""
        ledger = plan.ledger
        if item.echo and not (item.origin and item.origin.whole):
            plan.ids.append(item.id)
            plan.metadata_only[item.id] = item.metadata or {}
            return
        now = plan.first + n
        if item.facts and item.valid_from is None and item.valid_to is not None and item.valid_to <= now:
            raise InvalidInputError(
                f"text {n} is dated until {format_time(item.valid_to)} but not from when, and that is over "
                "already; give valid_from too"
            )
        own = ledger.rows[item.id].facts if item.stays else self._ended(plan, item)
        authority = self.policy.authority_of(item.merged)
        dates, precedence = (item.valid_from, item.valid_to), self._precedence(plan, item, authority, now)
        new = Incoming(item.id, content_hash(item.document), own, item.prose, now, *dates, authority, precedence)
        if not (item.explicit or item.adopted or item.uri) and own:
            same = [i for i in twins.get(new.content, ()) if self._is_twin(plan, i, item.merged, own)]
            twin = ledger.duplicate_of(new, same)
            if twin is not None:
                ledger.confirm(twin, new)
                plan.ids.append(ledger.rows[twin].document_id)
                self._replace(plan, item, new, None)
                return
        known = ledger.rows.get(item.id)
        earlier: Sequence[RowFact] = ()
        if self.keep_deleted and item.valid_from is None:
            deleted = [known] if known is not None else versions.deleted_twins(plan, own, item.merged)
            earlier = [f for r in deleted for f in r.facts if r.deleted]
            new = replace(new, anew=versions.said_otherwise(plan, own, earlier, item.merged, now))
            earlier = earlier if known is None else ()
        if item.origin is not None:
            stored_as = versions.write_part(plan, item, item.origin, new, earlier)
        else:
            stored_as = ledger.write(new, earlier=earlier)
        plan.ids.append(item.id)
        self._replace(plan, item, new, stored_as)
        if stored_as is not None:
            plan.fresh[stored_as] = item
            twins.setdefault(new.content, []).append(stored_as)
        elif ledger.rows[item.id].content == new.content:  # else a version that came before, written again
            plan.metadata_only[item.id] = item.metadata or {}

    def _precedence(self, plan: Plan, item: Item, authority: int, now: int) -> int:
        """Return how a text ranks whatever its date: no lower than its document before it, no higher than after it."""
        if not self.policy.ranks_sources:
            return 0
        parts = plan.parts.get(item.origin.document, {}) if item.origin is not None else {}
        own = [plan.ledger.rows[i] for ids in parts.values() for i in ids if i in plan.ledger.rows]
        own += plan.ledger.versions(item.id)
        at = now if item.valid_from is None else item.valid_from
        made = [a for r in own for f in r.facts for a in f.assertions if a.undone_at == OPEN]
        rank = max([authority, *(a.precedence for a in made if a.valid_from <= at)])
        return min([rank, *(a.precedence for a in made if a.valid_from > at)])

    def _replace(self, plan: Plan, item: Item, new: Incoming, stored_as: str | None) -> None:
        """End the documents whose place a text takes by its word; what it says begins where they end."""
        ledger = plan.ledger
        by = plan.ids[-1] if stored_as is None else stored_as
        for row_id in item.replaces:
            if ledger.give_way(row_id, by, new):
                plan.replaced[row_id] = plan.ids[-1]
        begins_here = item.replaces or (item.stated and all(f.value is None for f in item.stated))
        first = stored_as is not None and stored_as not in plan.before
        if first and begins_here and new.prose and new.valid_from is None:
            ledger.silence(str(stored_as), MIN_TIME, new.recorded_at)

    def _ended(self, plan: Plan, item: Item) -> tuple[RowFact, ...]:
        """Let an ending, whose value has no kind, end the values of every kind that its key has.

        One that names what ended ("no longer works for Brill") ends that value alone, whenever what else is told.
        """
        if all(f.value is not None for f in item.facts):
            return item.facts
        stored = plan.ledger.rows.get(item.id)
        again = [stored] if stored is not None and stored.content == content_hash(item.document) else []
        rows = again or list(plan.ledger.rows.values())
        found: list[RowFact] = []
        for fact in item.facts:
            alike = [f for r in rows for f in r.facts if f.digest == fact.digest]
            if fact.value is not None:
                found.append(fact)
            elif again:
                found += [replace(fact, dimension=f.dimension, ends=f.ends) for f in alike if f.value is None]
            elif fact.ends is None:
                found += [replace(fact, dimension=k) for k in sorted({f.dimension for f in alike})] or [fact]
            else:
                ended = fact.ends.partition("|")[2] if fact.dimension == ANY else fact.ends
                kinds = {(f.dimension, f.value or "") for f in alike if f.bare_value == ended}
                found += [replace(fact, dimension=k, ends=value) for k, value in sorted(kinds)]
        return tuple(found)

    def _of_any_kind(self, items: Sequence[Item], rows: dict[str, Row], records: dict[str, Record]) -> set[int]:
        """Bring the keys that somebody stated outright together, whatever the kinds of their values.

        What the texts of a batch, and the rows at hand, say of such a key is put on one timeline; for that all rows of
        the key are loaded, once. A key of which texts give values of several kinds at once is left as it is. It returns
        the keys of which stored rows were changed so.
        """
        own = [f for item in items for f in item.facts]
        held = [f for r in rows.values() for f in r.facts]
        outright = {f.digest for f in (*own, *held) if f.dimension == ANY}
        outright |= {f.digest for f in own} & self.lookup.outright()
        loose = {f.digest for f in held if f.digest in outright and f.dimension != ANY}
        if loose:
            versions.take_in(self.lookup, self.lookup.competitors(loose, MIN_TIME), rows, records)
            kinds: dict[int, set[str]] = {}
            for fact in (f for r in rows.values() for f in r.facts if f.value is not None and f.dimension != ANY):
                kinds.setdefault(fact.digest, set()).add(fact.dimension)
            outright -= {d for d in loose if len(kinds.get(d, ())) > 1}
            loose &= outright
            rows.update({i: row.of_any_kind(loose) for i, row in rows.items()})
        for item in items if outright else ():
            item.facts = tuple(f.of_any_kind() if f.digest in outright else f for f in item.facts)
        return loose

    def _is_twin(self, plan: Plan, row_id: str, metadata: Mapping[str, Any], facts: Sequence[RowFact]) -> bool:
        """Whether a row has this metadata (to Python 1 equals true) and states these facts."""
        held = plan.metadata_of(row_id) or {}
        said, stated = ({(f.timeline, f.value) for f in told} for told in (facts, plan.ledger.rows[row_id].facts))
        return said == stated and held == metadata and lies_in(held, scope_of(metadata, self.scope))
