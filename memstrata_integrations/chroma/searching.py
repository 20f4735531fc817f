"""The nearest rows that a reader sees: one call where its answer suffices, wider ones where it does not.

A `where` on validity makes Chroma scan, so the filter stays outside. A search asks for as many rows as were needed of
late, and judges them by the metadata that come with them. Where many rows are hidden that costs more than a second
call: then it asks for ids alone, drops those that a table of hulls in memory knows to be out of sight, and fetches the
rest. It widens until enough are found or none are left.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from chromadb.errors import InternalError

from memstrata_integrations.chroma.arguments import MOST
from memstrata_integrations.chroma.hulls import ValidityTable
from memstrata_integrations.chroma.lookup import Lookup, Record, shown_id
from memstrata_integrations.chroma.ranking import Found, with_further
from memstrata_integrations.chroma.vectors import Vector
from memstrata_integrations.chroma.visibility import Moment, Visibility

_PAGE = 10_000
_FEW = 12
"""So many rows more than asked for cost less, with their metadata, than a second call does."""
_MANY = 1_000
"""The same where nothing else tells which rows are hidden."""
_MOST_LOST = 1_000
_WIDEST = 256.0


class Search:
    """One search of one read; it keeps what it was told and what it judged."""

    def __init__(
        self,
        lookup: Lookup,
        visibility: Visibility,
        embeddings: Sequence[Any],
        moment: Moment,
        fields: Sequence[str],
        filters: Mapping[str, Any],
        table: Callable[[], ValidityTable | None],
    ) -> None:
        """Search for the rows nearest to `embeddings`, float32, ``(q, dim)``.

        Args:
            lookup: Looks into the collection.
            visibility: Judges what is seen.
            embeddings: Query vectors.
            moment: When.
            fields: What to fetch of a row.
            filters: Chroma's ``ids``, ``where`` and ``where_document``.
            table: Gives the table of hulls; it is loaded only for a search that ids alone are asked for.
        """
        self.collection = lookup.collection
        self.state = lookup.state
        self.lookup = lookup
        self.visibility = visibility
        self.embeddings = embeddings
        self.moment = moment
        self.fields = list(dict.fromkeys([*fields, "metadatas"]))
        self.filters = filters
        self.asked = visibility.asked(filters, moment)
        self.table = table
        self.records: dict[str, Record] = {}
        self.verdicts: dict[str, bool] = {}
        self._result: Mapping[str, Any] = {}
        self._asked = 0
        self._total: int | None = None
        self._rest: dict[str, Vector] | None = None

    def nearest(self, k: int, bounds: Sequence[float]) -> Found:
        """Return for each query the `k` nearest visible records, as far as they lie within its bound."""
        if not self._asked:
            wanted = k if self.moment.everything else math.ceil(k * self.lookup.reach) + self.state.further
            self._ask(min(wanted, MOST), k)
        while True:
            found, reached, settled = self._choose(k, bounds)
            if settled or not self._widen(k):
                break
        if reached and all(len(chosen) >= k for chosen in found):
            self.lookup.reach = _next_reach(self.lookup.reach, reached / k)
        return found

    def _ask(self, n: int, k: int) -> None:
        """Ask Chroma for the `n` nearest rows; with their metadata where that is cheaper than a second call."""
        whole = n <= min(k + (_MANY if self.state.remote else _FEW), _PAGE)
        self._asked = n
        self._result = self.collection.query(
            query_embeddings=self.embeddings,
            n_results=n,
            include=list(dict.fromkeys(["distances", *(self.fields if whole else ())])),
            **self.asked,
        )
        if whole:
            self._judge(self._told())

    def _told(self) -> dict[str, Record]:
        """Return the records that came with the answer."""
        result = self._result
        return {
            row_id: {
                "id": row_id,
                **{
                    name: result[field][q][n] if field in self.fields and result[field] else None
                    for name, field in _COLUMNS
                },
            }
            for q, ids in enumerate(result["ids"])
            for n, row_id in enumerate(ids)
            if row_id not in self.verdicts
        }

    def _choose(self, k: int, bounds: Sequence[float]) -> tuple[Found, int, bool]:
        """Return the visible ones of what was found, how far down they lie, and whether they are enough."""
        found: Found = []
        reached, settled = 0, True
        for ids, distances, bound in zip(self._result["ids"], self._result["distances"], bounds, strict=True):
            chosen: list[tuple[Record, float]] = []
            seen: set[str] = set()
            for rank, row_id, distance in self._candidates(ids, distances, k):
                if distance > bound:
                    break
                if not self.verdicts[row_id]:
                    continue
                shown = shown_id(self.records[row_id])
                if shown in seen and not self.moment.everything:
                    continue
                seen.add(shown)
                chosen.append((self.records[row_id], float(distance)))
                reached = max(reached, rank)
                if len(chosen) == k:
                    break
            found.append(chosen)
            settled = settled and (len(chosen) >= k or any(d > bound for d in distances[-1:]))
        return found, reached, settled

    def _candidates(self, ids: Sequence[str], distances: Sequence[float], k: int) -> Any:
        """Yield rank, id and distance of rows that may be visible, judged as late as they are needed."""
        table = None
        if not all(i in self.verdicts for i in ids):
            table = self.table()
        kept = list(zip(range(1, len(ids) + 1), ids, distances, strict=True))
        if table is not None:
            may = table.kept(ids, self.moment.instant, self.moment.known_at)
            kept = [entry for entry, seen in zip(kept, may, strict=True) if seen or entry[1] in self.verdicts]
        size = k if table is not None else 3 * k
        for start in range(0, len(kept), size):
            chunk = kept[start : start + size]
            missing = [i for _, i, _ in chunk if i not in self.verdicts]
            if missing:
                self._judge(self.lookup.fetch(missing, self.fields), missing)
            yield from chunk

    def _judge(self, fetched: Mapping[str, Record], wanted: Sequence[str] = ()) -> None:
        """Decide which records are served; ids that are wanted and gone are not."""
        self.verdicts.update(dict.fromkeys((*fetched, *wanted), False))
        visible = self.visibility.served(list(fetched.values()), self.moment, self.filters)
        self.verdicts.update(dict.fromkeys(visible, True))
        self.records.update(fetched)

    def _widen(self, k: int) -> bool:
        """Ask for more rows; return whether there may be any."""
        if self._rest is not None:
            return False
        if self._total is None:
            self._total = self.collection.count()
            table = self.table() if self._asked < self._total else None
            if table is not None and table.nothing_at(self.moment.instant, self._total, self.moment.known_at):
                return False
        widest = max((len(ids) for ids in self._result["ids"]), default=0)
        if widest < self._asked or self._asked >= self._total:
            self._rest = {} if widest >= self._total else self._unreached()
            if not self._rest:
                return False
            self._result = with_further(self._result, self.embeddings, self._rest, space_of(self.collection))
            return True
        self._ask(min(self._asked * 4, self._total), k)
        return True

    def _unreached(self) -> dict[str, Vector]:
        """Return the vectors of rows that the index does not give however many are asked for.

        An HNSW graph loses the way to a few of many rows that lie close together, and versions do.
        """
        stored: list[str] = self.collection.get(include=[], **self.asked)["ids"]
        lost = set(stored) - set[str].intersection(*(set(ids) for ids in self._result["ids"]))
        if not 0 < len(lost) <= _MOST_LOST:
            return {}
        try:
            records = self.lookup.fetch(list(lost), ("embeddings",))
        except InternalError:  # this process has no vector of some: another one wrote them since, or they are lost
            return {}
        return {i: np.asarray(r["embedding"], dtype=np.float32) for i, r in records.items()}


_COLUMNS = (("metadata", "metadatas"), ("document", "documents"), ("embedding", "embeddings"), ("uri", "uris"))


def _next_reach(reach: float, needed: float) -> float:
    """Return how far to look next time: as far as was needed of late, and a single far one does not count for much."""
    reach = min(needed * 1.1, reach * 2) if needed > reach else reach - 0.05 * (reach - needed)
    return min(max(reach, 1.0), _WIDEST)


def space_of(collection: Any) -> str:
    """Return Chroma's name of a collection's distance."""
    configuration = collection.configuration_json
    index = configuration.get("hnsw") or configuration.get("spann") or {}
    return str(index.get("space", "l2"))
