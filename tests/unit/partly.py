"""A store that loads, before each operation, only the rows that a collection fetches for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from memstrata_integrations.chroma.fields import TO, decode, encode
from memstrata_integrations.chroma.keying import Keying
from memstrata_integrations.chroma.lookup import Lookup
from memstrata_integrations.chroma.plan import Item
from memstrata_integrations.chroma.planning import Planner
from memstrata_integrations.chroma.state import SharedState
from memstrata_integrations.ledger.facts import Extraction
from memstrata_integrations.ledger.policy import SupersessionPolicy
from memstrata_integrations.ledger.rows import Row
from memstrata_integrations.ledger.time import MIN_TIME, OPEN

from .lockstep import Batch, NumberedLedger, write_one


class StoredRows(Lookup):
    """Rows as records: a look-up that finds them without a collection."""

    def __init__(self, rows: Mapping[str, Row]) -> None:
        state: Any = SimpleNamespace(last_recorded=MIN_TIME, exclusive=True, remote=False, told_apart=False)
        state.described = {}
        state.transaction_time = lambda now, rows: SharedState.transaction_time(state, now, rows)
        super().__init__(None, state)
        self.rows = rows
        self._encoded: dict[str, tuple[Row, dict[str, Any]]] = {}

    def fetch(self, ids: Iterable[str], include: Sequence[str] = ()) -> dict[str, Any]:
        """Return records by id, those that are missing left out."""
        return {i: self._record(i) for i in dict.fromkeys(ids) if i in self.rows}

    def archived_ids(self, document_ids: Iterable[str]) -> list[str]:
        """Return the internal ids of earlier versions."""
        wanted = set(document_ids)
        return [i for i, r in self.rows.items() if r.archived and r.document_id in wanted]

    def ids_by_key(self, digests: Iterable[int], ending_after: int | None = None) -> list[str]:
        """Return the ids of rows that hold any of the keys, by their stored hulls."""
        wanted = set(digests)
        return [
            i
            for i, r in self.rows.items()
            if any(f.digest in wanted for f in r.facts)
            and (ending_after is None or self._record(i)["metadata"][TO] > ending_after)
        ]

    def competitors(self, digests: Iterable[int], ending_after: int) -> dict[str, Any]:
        """Return the records of rows that hold any of the keys and end after an instant."""
        return self.fetch(self.ids_by_key(digests, ending_after))

    def outright(self) -> set[int]:
        """Return the keys that somebody stated outright: none here."""
        return set()

    def acknowledged(self, records: Sequence[Any]) -> list[Any]:
        """Return all: nothing is under way here."""
        return list(records)

    def _record(self, row_id: str) -> dict[str, Any]:
        row = self.rows[row_id]
        known = self._encoded.get(row_id)
        if known is None or known[0] is not row:
            known = self._encoded[row_id] = (row, encode(row))
        return {"id": row_id, "metadata": known[1], "document": "", "embedding": None, "uri": None}


class PartlyLoadingStore:
    """Applies each operation to a fresh ledger of what a collection loads, and merges back what changed."""

    def __init__(self, keep_deleted: bool) -> None:
        self.rows: dict[str, Row] = {}
        self.stored = StoredRows(self.rows)
        self._archived = 0
        keying = Keying(None, scope=(), policy=SupersessionPolicy())
        self.planner = Planner(self.stored, keying, keep_deleted=keep_deleted)

    def write(self, batch: Batch) -> None:
        """Load what `Planner.plan` loads, and apply the batch to it."""
        items = [
            Item(
                new.id,
                explicit,
                text.document,
                valid_from=new.valid_from,
                valid_to=new.valid_to,
                extraction=Extraction(text.extracted, text.prose),
            )
            for new, text, explicit, _ in batch
        ]
        plan = self.planner.plan(items, batch[0][0].recorded_at)
        assert plan.first == batch[0][0].recorded_at
        ledger = NumberedLedger(plan.before.values(), self._archived)
        for new, _, explicit, earlier in batch:
            write_one(ledger, new, explicit, earlier)
        self._merge(plan.before, ledger)

    def retract(self, key: int, at: int, recorded_at: int, dated: bool) -> bool:
        """Load as `memstrata_integrations.chroma.amending.retract` does: all rows of the key."""
        rows = self._sharing({key})
        ledger = NumberedLedger(rows.values(), self._archived)
        news = ledger.retract((key, ""), at, recorded_at, dated=dated)
        self._merge(rows, ledger)
        return news

    def delete(self, document_id: str, at: int, retire: bool) -> None:
        """Load as `memstrata_integrations.chroma.amending.delete` does: all versions, and all rows of their keys."""
        doomed = {i: r for i, r in self.rows.items() if r.document_id == document_id}
        rows = {**doomed, **self._sharing({f.digest for r in doomed.values() for f in r.facts})}
        ledger = NumberedLedger(rows.values(), self._archived)
        if retire:
            ledger.retire(document_id, at)
        else:
            ledger.delete(list(doomed))
        self._merge(rows, ledger)

    def undo(self, first: int, last: int, instant: int, only: str | None) -> bool:
        """Load as `memstrata_integrations.chroma.amending.undo` does: the rows of the write and their relatives."""
        if only is None:
            rows = {i: r for i, r in self.rows.items() if _touched(r, first, last)}
        else:
            rows = {i: r for i, r in self.rows.items() if r.document_id == only}
        documents = {r.document_id for r in rows.values()}
        rows.update({i: r for i, r in self.rows.items() if r.document_id in documents})
        rows.update(self._sharing({f.digest for r in rows.values() for f in r.facts}))
        ledger = NumberedLedger(rows.values(), self._archived)
        found = ledger.undo(first, last, instant, only)
        self._merge(rows, ledger)
        return found

    def _sharing(self, digests: set[int]) -> dict[str, Row]:
        records = self.stored.fetch(self.stored.ids_by_key(digests))
        return {i: decode(i, r["metadata"]) for i, r in records.items()}

    def _merge(self, loaded: Mapping[str, Row], ledger: NumberedLedger) -> None:
        self._archived = ledger.archived
        for row_id in loaded:
            if row_id not in ledger.rows:
                del self.rows[row_id]
        self.rows.update({i: ledger.rows[i] for i in ledger.changed})


def _touched(row: Row, first: int, last: int) -> bool:
    made = [*row.editions, *row.prose, *(a for f in row.facts for a in f.all_assertions)]
    return any(first <= a.recorded_at <= last and a.undone_at == OPEN for a in made)
