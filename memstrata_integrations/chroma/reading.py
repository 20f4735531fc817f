"""The validity filter: nearest neighbours and look-ups that see only what was valid.

A `where` on validity makes Chroma scan, so the filter stays outside: the metadata of a row decide whether it is seen,
and a table of hulls in memory tells beforehand which ones need not be fetched. How neighbours are found is told in
`searching`.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import compress
from typing import Any, TypeVar

import numpy as np
from chromadb.errors import InternalError

from memstrata_integrations.chroma.calls import SecondCallError
from memstrata_integrations.chroma.damage import telling_damage
from memstrata_integrations.chroma.embedding import Embed, embedded_text
from memstrata_integrations.chroma.fields import FROM, GAPS, ID, PENDING, SHADOW, TO, visible_in
from memstrata_integrations.chroma.hulls import ValidityTable
from memstrata_integrations.chroma.lookup import FIELDS, Lookup, Record, shown_id
from memstrata_integrations.chroma.ranking import AT_MOST, FURTHER, rank_by_what_is_left
from memstrata_integrations.chroma.searching import Search, space_of
from memstrata_integrations.chroma.vectors import Vector
from memstrata_integrations.chroma.visibility import Moment, Visibility
from memstrata_integrations.errors import from_signal_handler
from memstrata_integrations.ledger.time import MIN_TIME

logger = logging.getLogger("memstrata_integrations")

_PAGE = 10_000
_ATTEMPTS = 4
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
        if moment.present and not moment.everything:
            return self
        self.lookup.both.look_again()
        if moment.known_at is None and not moment.everything and self.lookup.both.cut <= moment.instant:
            return self
        complete = self.lookup.complete
        complete.reach = max(complete.reach, self.lookup.reach)  # the past lies no nearer than the present
        return Reader(complete, self.visibility.over(complete))

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

    def _at_once(self, moment: Moment, read: Callable[[Moment], ResultT]) -> ResultT | None:
        """Read from a server if one call does, which is taken for one moment; `None` if it takes more.

        What makes sure of a read of several calls is four calls more, two of which scan.
        """
        if not self.state.remote:
            return None
        try:
            with self.collection.only_one_call():
                result = read(moment)
        except SecondCallError:
            return None
        return None if moment.present and self.state.last_recorded > moment.instant else result

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

        def read(m: Moment) -> dict[str, Any]:
            return self._over(m)._query(embeddings, k, m, include, filters, served_by)

        return self._at_once(moment, read) or self._at_rest(moment, read)

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
        fields = _fields(include, filters)
        if served_by is not None:
            fields = list(dict.fromkeys([*fields, "documents"]))
        search = Search(
            self.lookup, self.visibility, embeddings, moment, fields, filters, lambda: self._table_for(moment)
        )
        if served_by is None:
            found = search.nearest(k, [math.inf] * len(embeddings))
        else:
            found = rank_by_what_is_left(
                search.nearest,
                lambda rows: self._served_vectors(rows, moment, served_by),
                embeddings,
                k,
                space_of(self.collection),
            )
        results = [self._columns([r for r, _ in chosen], include, moment) for chosen in found]
        told = {name: [r[name] for r in results] for name in (*FIELDS, "ids") if name == "ids" or name in include}
        distances = [[d for _, d in chosen] for chosen in found] if "distances" in include else None
        return {**dict.fromkeys(FIELDS), **told, "distances": distances, "included": list(include), "data": None}

    def _served_vectors(self, records: Iterable[Record], moment: Moment, served_by: Embed) -> dict[str, Vector]:
        """Return vectors of what readers get of the records of which parts are taken out."""
        wordings: dict[str, str] = {}
        for record in records:
            text = None if self.visibility.stated(record, moment) is None else self.visibility.text_of(record, moment)
            if text is not None and len(wordings) < AT_MOST:
                wordings[record["id"]] = embedded_text(text, record["metadata"]) or ""
        try:
            self.state.further = FURTHER[1] if wordings else 0  # then the next search asks for them at once
            vectors = self.state.served.vectors(list(wordings.values()), served_by)
        except Exception as error:  # whatever keeps a model from embedding must not keep a text from being found
            if from_signal_handler(error):
                raise
            logger.warning(
                "redacted texts keep their original place, since what is left of them cannot be embedded: %r", error
            )
            return {}
        return dict(zip(wordings, vectors, strict=True))

    def _columns(self, records: Sequence[Record], include: Sequence[str], moment: Moment) -> dict[str, Any]:
        """Return what a reader gets of records, by Chroma's field names; `None` for what was not asked for."""
        shown = self.visibility
        columns: dict[str, Callable[[], Any]] = {
            "embeddings": lambda: np.array([r["embedding"] for r in records]),
            "documents": lambda: [shown.text_of(r, moment) for r in records],
            "uris": lambda: [r.get("uri") for r in records],
            "metadatas": lambda: [shown.shown(r["id"], r["metadata"], moment) for r in records],
        }
        told = {name: column() if name in include else None for name, column in columns.items()}
        return {"ids": [shown_id(r) for r in records], **told, "included": list(include), "data": None}

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

        def read(m: Moment) -> dict[str, Any]:
            return self._over(m)._get(ids, limit, offset, m, include, filters)

        return (None if ids is None else self._at_once(moment, read)) or self._at_rest(moment, read)

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
        return self._columns(chosen, include, moment)

    def _get_ids(
        self, ids: Sequence[str], fields: Sequence[str], moment: Moment, filters: Mapping[str, Any]
    ) -> list[Record]:
        asked = self.visibility.asked(filters, moment)
        fetched = self.lookup.fetch(ids, fields, **asked)
        own = [r for r in fetched.values() if ID not in (r["metadata"] or {})]
        visible = self.visibility.served(own, moment, filters)
        chosen = [r for r in own if r["id"] in visible]
        wanted = list(dict.fromkeys(ids)) if moment.everything else [i for i in ids if i not in visible]
        stored = {r["id"] for r in own}
        if wanted and (filters or not stored.isdisjoint(wanted)):  # what is not stored has no earlier versions
            archived = list(self.lookup.fetch(self.lookup.archived_ids(wanted), fields, **asked).values())
            visible = self.visibility.served(archived, moment, filters)
            have = set() if moment.everything else {shown_id(r) for r in chosen}
            chosen += [r for r in archived if r["id"] in visible and shown_id(r) not in have]
        return chosen

    def _get_where(
        self,
        limit: int | None,
        offset: int | None,
        fields: Sequence[str],
        moment: Moment,
        filters: Mapping[str, Any],
    ) -> list[Record]:
        table = self._table_for(moment)
        skip, wanted = offset or 0, limit
        listed: Sequence[str] = self.collection.get(include=[], **self.visibility.asked(filters, moment))["ids"]
        chosen: list[Record] = []
        seen: set[str] = set()
        if table is not None:
            listed = list(compress(listed, table.kept(listed, moment.instant, moment.known_at)))
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
        table = self._table_for(moment)
        if moment.stale == "drop" and not moment.everything:  # then it is not the hulls alone that tell
            return len(self._get_where(None, None, (), moment, {}))
        if moment.known_at is not None or moment.everything or not self._settled():
            return len(self._get_where(None, None, (), moment, {}))
        if table is not None and table.nothing_hidden and moment.instant >= moment.now:
            return int(self.collection.count())
        listed = self.collection.get(include=[])["ids"]
        if table is None:
            hidden = set(self.collection.get(where={TO: {"$lte": moment.instant}}, include=[])["ids"])
            hidden.update(self.collection.get(where={FROM: {"$gt": moment.instant}}, include=[])["ids"])
            kept = [i for i in listed if i not in hidden]
        else:
            kept = list(compress(listed, table.kept(listed, moment.instant)))
        doubtful = self.lookup.fetch(self.collection.get(where={GAPS: {"$gte": 1}}, include=[])["ids"])
        dark = {i for i, r in doubtful.items() if not visible_in(i, r["metadata"], moment.instant)}
        return sum(1 for i in kept if i not in dark)

    def _settled(self) -> bool:
        """Whether no write is under way anywhere, and none was cut off."""
        if self.state.exclusive and self.state.recovered:
            return self.state.quiet
        leftovers: Any = {"$or": [{TO: PENDING}, {SHADOW: {"$gte": 1}}]}
        return self.state.quiet and not self.collection.get(where=leftovers, limit=1, include=[])["ids"]

    def _table_for(self, moment: Moment) -> ValidityTable | None:
        """Return the table of hulls; `None` if it does not tell what is out of sight at a moment."""
        if moment.everything:
            return None
        asked = moment.instant if moment.known_at is None else MIN_TIME  # what is over now may have been live then
        return self.state.usable_table(self.lookup.both, asked, moment.now)


def _page_of(records: Sequence[Record], limit: int | None, offset: int | None) -> list[Record]:
    start = offset or 0
    return list(records[start:] if limit is None else records[start : start + limit])


def _fields(include: Sequence[str], filters: Mapping[str, Any]) -> list[str]:
    """Return what to fetch: the text too where a filter looks at it."""
    wanted = [f for f in include if f in FIELDS]
    return wanted if "documents" in wanted or not filters.get("where_document") else [*wanted, "documents"]
