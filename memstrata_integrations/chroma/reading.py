"""The validity filter: nearest neighbours and look-ups that see only what was valid.

A `where` on validity makes Chroma scan, so the filter stays outside: a query asks for more
ids than needed, without metadata; a table of hulls in memory drops what is out of sight; the
metadata of the rest decides; and it widens until k rows are found or none are left.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
from chromadb.errors import InternalError

from memstrata_integrations.chroma.arguments import MOST
from memstrata_integrations.chroma.both import Hulls
from memstrata_integrations.chroma.damage import telling_damage
from memstrata_integrations.chroma.embedding import Embed, embedded_text
from memstrata_integrations.chroma.fields import FROM, GAPS, ID, PENDING, SHADOW, TO, stated_in, visible_in
from memstrata_integrations.chroma.lookup import FIELDS, Lookup, Record, shown_id
from memstrata_integrations.chroma.ranking import AT_MOST, Found, rank_by_what_is_left, with_further
from memstrata_integrations.chroma.state import ValidityTable
from memstrata_integrations.chroma.vectors import Vector
from memstrata_integrations.chroma.visibility import Moment, Visibility
from memstrata_integrations.errors import from_signal_handler

__all__ = ["Reader"]

logger = logging.getLogger("memstrata_integrations")

_PAGE = 10_000
_ATTEMPTS = 4
_MOST_LOST = 1_000
ResultT = TypeVar("ResultT")


class Reader:
    """Reads one collection through the validity filter; changes nothing."""

    def __init__(self, lookup: Lookup, visibility: Visibility) -> None:
        """Read what `lookup` finds, as far as `visibility` shows it."""
        self.collection = lookup.collection
        self.state = lookup.state
        self.lookup = lookup
        self.visibility = visibility

    def _over(self, moment: Moment) -> Reader:
        """Return what reads at a moment: what asks about the time before the last compaction looks into both."""
        lookup = self.lookup.complete
        if moment.known_at is None and not moment.everything and lookup.collection.cut <= moment.instant:
            return self
        return Reader(lookup, self.visibility.over(lookup))

    # -- nearest neighbours ---------------------------------------------------------------

    def _at_rest(self, moment: Moment, read: Callable[[Moment], ResultT]) -> ResultT:
        """Read until no write became visible meanwhile, so that none is seen half; at last between two writes.

        The present is no earlier than what was read was recorded: a clock that is behind would serve what is over.
        """
        before = self._moment_of_rest()
        for _ in range(_ATTEMPTS):
            with telling_damage(self.collection, self.state.path):
                result = self._up_to_date(partial(read, moment))
            after = self._moment_of_rest()
            latest = self.state.last_recorded
            if moment.present and latest > moment.instant:
                moment = replace(moment, instant=latest, now=latest)
            elif before == after:
                return result
            before = after
        with self.state.mutex, telling_damage(self.collection, self.state.path):
            return read(moment)

    def _up_to_date(self, read: Callable[[], ResultT]) -> ResultT:
        """Read, and once more if Chroma fails with an index from before another process's writes.

        It fails where rows match, or vectors are asked for, of which the index that it loaded has none.
        """
        try:
            return read()
        except InternalError:
            if not self.state.catch_up(self.collection._client):
                raise
        return read()

    def _moment_of_rest(self) -> Any:
        """Return a stamp that is the same as long as no write becomes visible; of a server, none begins or ends."""
        if not self.state.remote:
            return self.state.moment_of_rest()
        with telling_damage(self.collection, self.state.path):
            pending = self.collection.get(where={TO: PENDING}, include=[])["ids"]
            return self.state.moment_of_rest(), sorted(pending), self.collection.count()

    def query(
        self,
        embeddings: Sequence[Any],
        k: int,
        moment: Moment,
        include: Sequence[str],
        filters: Mapping[str, Any],
        served_by: Embed | None = None,
    ) -> dict[str, Any]:
        """Return the `k` nearest rows for each embedding, in Chroma's `QueryResult` layout.

        Args:
            embeddings: Query vectors, float32, ``(q, dim)``.
            k: How many rows for each.
            moment: When.
            include: Chroma's field names.
            filters: Chroma's ``ids``, ``where`` and ``where_document``, as given.
            served_by: Embeds what is left of texts of which parts are taken out, to rank them by it.
        """
        if moment.stale != "redact" or moment.everything:
            served_by = None
        return self._at_rest(moment, lambda m: self._over(m)._query(embeddings, k, m, include, filters, served_by))

    def _query(
        self,
        embeddings: Sequence[Any],
        k: int,
        moment: Moment,
        include: Sequence[str],
        filters: Mapping[str, Any],
        served_by: Embed | None,
    ) -> dict[str, Any]:
        self.state.open_for_searching(self.collection._client)
        table = None if moment.everything or moment.known_at is not None else self._table(moment)
        if table is not None and table.nothing_hidden and moment.instant >= moment.now and k <= _PAGE:
            result = self._query_directly(embeddings, k, moment, include, filters, ranked=served_by is not None)
            if result is not None:
                return result
        fields = _fields(include, filters)
        records: dict[str, Record] = {}
        verdicts: dict[str, bool] = {}

        def nearest(wanted: int, bounds: Sequence[float]) -> Found:
            return self._widen(embeddings, wanted, bounds, moment, fields, filters, table, records, verdicts)

        if served_by is None:
            found = nearest(k, [math.inf] * len(embeddings))
        else:
            fields = list(dict.fromkeys([*fields, "documents"]))
            found = rank_by_what_is_left(
                nearest, lambda rows: self._served_vectors(rows, moment, served_by), embeddings, k, self._space()
            )
        return self._query_result(found, include, moment)

    def _served_vectors(self, records: Iterable[Record], moment: Moment, served_by: Embed) -> dict[str, Vector]:
        """Return vectors of what readers get of the records of which parts are taken out."""
        wordings: dict[str, str] = {}
        for record in records:
            text = None if self.visibility.stated(record, moment) is None else self.visibility.text_of(record, moment)
            if text is not None and len(wordings) < AT_MOST:
                wordings[record["id"]] = embedded_text(text, record["metadata"]) or ""
        try:
            vectors = self.state.served.vectors(list(wordings.values()), served_by)
        except Exception as error:  # whatever keeps a model from embedding must not keep a text from being found
            if from_signal_handler(error):
                raise
            logger.warning(
                "redacted texts keep their original place, since what is left of them cannot be embedded: %r", error
            )
            return {}
        return dict(zip(wordings, vectors, strict=True))

    def _space(self) -> str:
        configuration = self.collection.configuration_json
        index = configuration.get("hnsw") or configuration.get("spann") or {}
        return str(index.get("space", "l2"))

    def _query_directly(
        self,
        embeddings: Sequence[Any],
        k: int,
        moment: Moment,
        include: Sequence[str],
        filters: Mapping[str, Any],
        *,
        ranked: bool,
    ) -> dict[str, Any] | None:
        """One stock query; `None` if a row turns up that must not be seen."""
        fields = list(dict.fromkeys([*include, "metadatas"]))
        result: dict[str, Any] = self.collection.query(
            query_embeddings=embeddings, n_results=k, include=fields, **filters
        )
        if moment.present:
            self.state.recorded(m for metadatas in result["metadatas"] for m in metadatas)
        for ids, metadatas in zip(result["ids"], result["metadatas"], strict=True):
            if any(m and ID in m for m in metadatas) or self.lookup.unacknowledged(metadatas):
                return None
            if not all(visible_in(i, m, moment.instant) for i, m in zip(ids, metadatas, strict=True)):
                return None
            if (ranked or moment.stale == "drop" or filters.get("where_document")) and any(
                stated_in(m, moment.instant) for m in metadatas
            ):
                return None
        text_of, shown = self.visibility.text_of, self.visibility.shown
        if "documents" in include:
            result["documents"] = [
                [text_of({"id": i, "metadata": m, "document": d}, moment) for i, m, d in zip(*row, strict=True)]
                for row in zip(result["ids"], result["metadatas"], result["documents"], strict=True)
            ]
        result["metadatas"] = [
            [shown(i, m, moment) for i, m in zip(ids, metadatas, strict=True)]
            for ids, metadatas in zip(result["ids"], result["metadatas"], strict=True)
        ]
        if "metadatas" not in include:
            result["metadatas"] = None
        result["included"] = list(include)
        return result

    def _widen(
        self,
        embeddings: Sequence[Any],
        k: int,
        bounds: Sequence[float],
        moment: Moment,
        fields: Sequence[str],
        filters: Mapping[str, Any],
        table: ValidityTable | Hulls | None,
        records: dict[str, Record],
        verdicts: dict[str, bool],
    ) -> Found:
        """Return for each query the k nearest visible records within its bound; keeps what it judged."""
        n = min(k if moment.everything else int(k * self.state.reach) + 2, MOST)
        total: int | None = None
        rest: dict[str, Vector] = {}
        while True:
            result = self.collection.query(query_embeddings=embeddings, n_results=n, include=["distances"], **filters)
            if rest:
                result = with_further(result, embeddings, rest, self._space())
            found: list[list[tuple[Record, float]]] = []
            reached = 0
            settled = True
            for ids, distances, bound in zip(result["ids"], result["distances"], bounds, strict=True):
                candidates = [
                    (rank, i, d)
                    for rank, (i, d) in enumerate(zip(ids, distances, strict=True), 1)
                    if d <= bound and (table is None or not table.excludes(i, moment.instant))
                ]
                chosen: list[tuple[Record, float]] = []
                seen: set[str] = set()
                position = 0
                while len(chosen) < k and position < len(candidates):
                    # as many as could be enough; without a table the hidden ones show only here
                    chunk = candidates[position : position + max(k - len(chosen), 1) * (1 if table else 3)]
                    position += len(chunk)
                    missing = [i for _, i, _ in chunk if i not in verdicts]
                    self._judge(missing, fields, moment, filters, records, verdicts)
                    for rank, row_id, distance in chunk:
                        if len(chosen) == k:
                            break
                        if not verdicts[row_id]:
                            continue
                        shown = shown_id(records[row_id])
                        if shown in seen and not moment.everything:
                            continue
                        seen.add(shown)
                        chosen.append((records[row_id], float(distance)))
                        reached = max(reached, rank)
                found.append(chosen)
                settled = settled and (len(chosen) >= k or any(d > bound for d in distances[-1:]))
            widest = max((len(ids) for ids in result["ids"]), default=0)
            if settled or rest:
                break
            if total is None:
                total = self.collection.count()
            if widest < n or n >= total:
                rest = {} if widest >= total else self._unreached(result["ids"], filters)
                if not rest:
                    break
            n = min(n * 4, total)
        if reached and table is not None and all(len(chosen) >= k for chosen in found):
            needed = reached / k
            self.state.reach = needed * 1.25 if needed > self.state.reach else 0.95 * self.state.reach + 0.05 * needed
            self.state.reach = min(max(self.state.reach, 1.0), 256.0)
        return found

    def _unreached(self, reached: Sequence[Sequence[str]], filters: Mapping[str, Any]) -> dict[str, Vector]:
        """Return the vectors of rows that the index does not give however many are asked for.

        An HNSW graph loses the way to a few of many rows that lie close together, and versions do.
        """
        stored: list[str] = self.collection.get(include=[], **filters)["ids"]
        lost = set(stored) - set[str].intersection(*(set(ids) for ids in reached))
        if not 0 < len(lost) <= _MOST_LOST:
            return {}
        try:
            records = self.lookup.fetch(list(lost), ("embeddings",))
        except InternalError:  # this process has no vector of some: another one wrote them since, or they are lost
            return {}
        return {i: np.asarray(r["embedding"], dtype=np.float32) for i, r in records.items()}

    def _judge(
        self,
        row_ids: Sequence[str],
        fields: Sequence[str],
        moment: Moment,
        filters: Mapping[str, Any],
        records: dict[str, Record],
        verdicts: dict[str, bool],
    ) -> None:
        """Fetch records and decide which are served."""
        fetched = self.lookup.fetch(row_ids, fields)
        visible = self.visibility.served(list(fetched.values()), moment, filters)
        for row_id in row_ids:
            verdicts[row_id] = row_id in visible
            if row_id in fetched:
                records[row_id] = fetched[row_id]

    def _query_result(
        self, found: Sequence[Sequence[tuple[Record, float]]], include: Sequence[str], moment: Moment
    ) -> dict[str, Any]:
        def column(name: str, value: Any) -> Any:
            return [[value(r, d) for r, d in chosen] for chosen in found] if name in include else None

        embeddings = None
        if "embeddings" in include:
            embeddings = [np.array([r["embedding"] for r, _ in chosen]) for chosen in found]
        return {
            "ids": [[shown_id(r) for r, _ in chosen] for chosen in found],
            "embeddings": embeddings,
            "documents": column("documents", lambda r, _: self.visibility.text_of(r, moment)),
            "uris": column("uris", lambda r, _: r.get("uri")),
            "included": list(include),
            "data": None,
            "metadatas": column("metadatas", lambda r, _: self.visibility.shown(r["id"], r["metadata"], moment)),
            "distances": column("distances", lambda _, d: d),
        }

    # -- look-ups -------------------------------------------------------------------------

    def get(
        self,
        ids: Sequence[str] | None,
        limit: int | None,
        offset: int | None,
        moment: Moment,
        include: Sequence[str],
        filters: Mapping[str, Any],
    ) -> dict[str, Any]:
        """Return rows by id or filter, in Chroma's `GetResult` layout; `limit` and `offset` count live rows."""
        return self._at_rest(moment, lambda m: self._over(m)._get(ids, limit, offset, m, include, filters))

    def _get(
        self,
        ids: Sequence[str] | None,
        limit: int | None,
        offset: int | None,
        moment: Moment,
        include: Sequence[str],
        filters: Mapping[str, Any],
    ) -> dict[str, Any]:
        fields = _fields(include, filters)
        if ids is not None:
            chosen = _page_of(self._get_ids(ids, fields, moment, filters), limit, offset)
        else:
            chosen = self._get_where(limit, offset, fields, moment, filters)
        embeddings = None
        if "embeddings" in include:
            embeddings = np.array([r["embedding"] for r in chosen])
        shown = self.visibility.shown
        return {
            "ids": [shown_id(r) for r in chosen],
            "embeddings": embeddings,
            "documents": [self.visibility.text_of(r, moment) for r in chosen] if "documents" in include else None,
            "uris": [r.get("uri") for r in chosen] if "uris" in include else None,
            "included": list(include),
            "data": None,
            "metadatas": [shown(r["id"], r["metadata"], moment) for r in chosen] if "metadatas" in include else None,
        }

    def _get_ids(
        self, ids: Sequence[str], fields: Sequence[str], moment: Moment, filters: Mapping[str, Any]
    ) -> list[Record]:
        fetched = self.lookup.fetch(ids, fields, **filters)
        own = [r for r in fetched.values() if ID not in (r["metadata"] or {})]
        visible = self.visibility.served(own, moment, filters)
        chosen = [r for r in own if r["id"] in visible]
        wanted = list(dict.fromkeys(ids)) if moment.everything else [i for i in ids if i not in visible]
        if wanted and self._has_archives(own, wanted, filters):
            archived = list(self.lookup.fetch(self.lookup.archived_ids(wanted), fields, **filters).values())
            visible = self.visibility.served(archived, moment, filters)
            have = set() if moment.everything else {shown_id(r) for r in chosen}
            chosen += [r for r in archived if r["id"] in visible and shown_id(r) not in have]
        return chosen

    def _has_archives(self, own: Sequence[Record], wanted: Sequence[str], filters: Mapping[str, Any]) -> bool:
        """Whether any wanted id may have earlier versions: one that isn't stored has none."""
        if filters:
            return True
        known = {r["id"] for r in own}
        return any(i in known for i in wanted)

    def _get_where(
        self,
        limit: int | None,
        offset: int | None,
        fields: Sequence[str],
        moment: Moment,
        filters: Mapping[str, Any],
    ) -> list[Record]:
        table = None if moment.everything or moment.known_at is not None else self._table(moment)
        skip, wanted = offset or 0, limit
        listed: Sequence[str] = self.collection.get(include=[], **filters)["ids"]
        chosen: list[Record] = []
        seen: set[str] = set()
        if table is not None:
            listed = [i for i in listed if not table.excludes(i, moment.instant)]
        size = _PAGE if wanted is None else min(_PAGE, max(skip + wanted, 1))
        for start in range(0, len(listed), size):
            if wanted is not None and len(chosen) >= skip + wanted:
                break
            ids = listed[start : start + size]
            page = self.lookup.fetch(ids, fields)
            visible = self.visibility.served(list(page.values()), moment, filters)
            for record in (page[i] for i in ids if i in page):
                shown = shown_id(record)
                if record["id"] in visible and (moment.everything or shown not in seen):
                    seen.add(shown)
                    chosen.append(record)
        return _page_of(chosen, limit, offset)

    def count(self, moment: Moment) -> int:
        """Return how many rows a reader at `moment` gets."""
        return self._at_rest(moment, lambda m: self._over(m)._count(m))

    def _count(self, moment: Moment) -> int:
        table = None if moment.everything or moment.known_at is not None else self._table(moment)
        if table is not None and table.nothing_hidden and self._settled() and moment.instant >= moment.now:
            return int(self.collection.count())
        if moment.known_at is not None or moment.everything or not self._settled():
            return len(self._get_where(None, None, (), moment, {}))
        listed = self.collection.get(include=[])["ids"]
        if table is None:
            hidden = set(self.collection.get(where={TO: {"$lte": moment.instant}}, include=[])["ids"])
            hidden.update(self.collection.get(where={FROM: {"$gt": moment.instant}}, include=[])["ids"])
            kept = [i for i in listed if i not in hidden]
        else:
            kept = [i for i in listed if not table.excludes(i, moment.instant)]
        doubtful = self.lookup.fetch(self.collection.get(where={GAPS: {"$gte": 1}}, include=[])["ids"])
        dark = {i for i, r in doubtful.items() if not visible_in(i, r["metadata"], moment.instant)}
        return sum(1 for i in kept if i not in dark)

    def _settled(self) -> bool:
        """Whether no write is under way anywhere, and none was cut off."""
        if self.state.exclusive and self.state.recovered:
            return self.state.quiet
        leftovers: Any = {"$or": [{TO: PENDING}, {SHADOW: {"$gte": 1}}]}
        return self.state.quiet and not self.collection.get(where=leftovers, limit=1, include=[])["ids"]

    def _table(self, moment: Moment) -> ValidityTable | Hulls | None:
        table = self.state.usable_table(self.lookup.main, moment.instant)
        return table if table is None or self.lookup is not self.lookup.complete else self.collection.hulls(table)


def _page_of(records: Sequence[Record], limit: int | None, offset: int | None) -> list[Record]:
    start = offset or 0
    return list(records[start:] if limit is None else records[start : start + limit])


def _fields(include: Sequence[str], filters: Mapping[str, Any]) -> list[str]:
    """Return what to fetch: the text too where a filter looks at it."""
    wanted = [f for f in include if f in FIELDS]
    return wanted if "documents" in wanted or not filters.get("where_document") else [*wanted, "documents"]
