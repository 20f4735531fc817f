"""The validity filter: nearest neighbours and look-ups that see only what was valid.

A `where` on validity makes Chroma scan, so the filter stays outside: the metadata of a row decide whether it is seen,
and a table of hulls in memory tells beforehand which ones need not be fetched. How neighbours are found is told in
`searching`.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import compress
from typing import Any, TypeVar

import numpy as np
from chromadb.errors import InternalError

from memstrata_integrations.chroma.both import pages
from memstrata_integrations.chroma.damage import telling_damage
from memstrata_integrations.chroma.embedding import Embed
from memstrata_integrations.chroma.fields import FROM, GAPS, ID, PENDING, SHADOW, TO, visible_in
from memstrata_integrations.chroma.hulls import ValidityTable
from memstrata_integrations.chroma.lookup import FIELDS, Lookup, Record, SecondCallError, shown_id
from memstrata_integrations.chroma.searching import Search
from memstrata_integrations.chroma.visibility import Question, Visibility
from memstrata_integrations.ledger.time import MIN_TIME

_PAGE = 10_000
_ATTEMPTS = 4
ResultT = TypeVar("ResultT")


class Reader:
    """Reads one collection through the validity filter; changes nothing."""

    def __init__(self, lookup: Lookup, visibility: Visibility) -> None:
        self.collection = lookup.collection
        self.state = lookup.state
        self.lookup = lookup
        self.visibility = visibility

    def _over(self, asked: Question) -> "Reader":
        """Return what reads at a moment: what asks about the time before the last compaction looks into both."""
        if asked.present and not asked.everything:
            return self
        self.lookup.both.look_again()
        if asked.known_at is None and not asked.everything and self.lookup.both.cut <= asked.instant:
            return self
        complete = self.lookup.complete
        complete.reach = max(complete.reach, self.lookup.reach)  # the past lies no nearer than the present
        return Reader(complete, self.visibility.over(complete))

    def _at_rest(self, asked: Question, read: Callable[[Question], ResultT]) -> ResultT:
        """Read until no write became visible meanwhile, so that none is seen half; at last between two writes.

        The present is no earlier than what was read was recorded: a clock that is behind would serve what is over.
        """
        before = self._moment_of_rest()
        for _ in range(_ATTEMPTS):
            try:
                result = read(asked)
            except InternalError:
                # rows match, or vectors are asked for, of which the index that was loaded has none: it is too old
                self.state.catch_up(self.collection._client)
                before = self._moment_of_rest()
                continue
            after = self._moment_of_rest()
            latest = self.state.last_recorded
            if asked.present and latest > asked.instant:
                asked = replace(asked, instant=latest, now=latest)
            elif before == after:
                return result
            before = after
        with self.state.alone(), self.state.turn(), telling_damage(self.collection, self.state.path):
            self.state.catch_up(self.collection._client)
            return read(asked)

    def _at_once(self, asked: Question, read: Callable[[Question], ResultT]) -> ResultT | None:
        """Read from a server if one call does, which is taken for one moment; `None` if it takes more.

        What makes sure of a read of several calls is four calls more, two of which scan.
        """
        if not self.state.remote:
            return None
        try:
            with self.collection.only_one_call():
                result = read(asked)
        except SecondCallError:
            return None
        return None if asked.present and self.state.last_recorded > asked.instant else result

    def _moment_of_rest(self) -> Any:
        """Return a stamp that is the same as long as no write becomes visible; of a server, none begins or ends."""
        if not self.state.remote:
            return self.state.moment_of_rest()
        with telling_damage(self.collection, self.state.path):
            pending = self.collection.get(where={TO: PENDING}, include=[])["ids"]
            return self.state.moment_of_rest(), sorted(pending), self.collection.count()

    def query(
        self, embeddings: Sequence[Any], k: int, asked: Question, served_by: Embed | None = None
    ) -> dict[str, Any]:
        """Return the `k` nearest rows for each embedding, float32, ``(q, dim)``, in Chroma's `QueryResult` layout.

        `served_by` embeds what is left of texts of which parts are taken out, to rank them by it.
        """

        def read(now: Question) -> dict[str, Any]:
            return self._over(now)._query(embeddings, k, now, served_by)

        return self._at_once(asked, read) or self._at_rest(asked, read)

    def _query(self, embeddings: Sequence[Any], k: int, asked: Question, served_by: Embed | None) -> dict[str, Any]:
        self.state.open_for_searching(self.collection._client)
        search = Search(self.lookup, self.visibility, embeddings, asked, lambda: self._table_for(asked))
        if served_by is None or asked.stale != "redact" or asked.everything:
            found = search.nearest(k)
        else:
            found = search.nearest_by_what_is_left(k, served_by)
        results = [self._columns([r for r, _ in chosen], asked) for chosen in found]
        told = {name: [r[name] for r in results] for name in (*FIELDS, "ids") if name == "ids" or name in asked.include}
        distances = [[d for _, d in chosen] for chosen in found] if "distances" in asked.include else None
        return {**dict.fromkeys(FIELDS), **told, "distances": distances, "included": list(asked.include), "data": None}

    def _columns(self, records: Sequence[Record], asked: Question) -> dict[str, Any]:
        """Return what a reader gets of records, by Chroma's field names; `None` for what was not asked for."""
        columns: dict[str, Callable[[], Any]] = {
            "embeddings": lambda: np.array([r["embedding"] for r in records]),
            "documents": lambda: [self.visibility.text_of(r, asked) for r in records],
            "uris": lambda: [r.get("uri") for r in records],
            "metadatas": lambda: [self.visibility.shown(r["id"], r["metadata"], asked) for r in records],
        }
        told = {name: column() if name in asked.include else None for name, column in columns.items()}
        return {"ids": [shown_id(r) for r in records], **told, "included": list(asked.include), "data": None}

    def get(
        self, asked: Question, ids: Sequence[str] | None = None, limit: int | None = None, offset: int | None = None
    ) -> dict[str, Any]:
        """Return rows by id or filter, in Chroma's `GetResult` layout; `limit` and `offset` count live rows."""

        def read(now: Question) -> dict[str, Any]:
            over = self._over(now)
            if ids is not None:
                found = over._get_ids(ids, now)
                return over._columns(found[offset or 0 :][:limit], now)
            return over._columns(over._get_where(now, limit, offset), now)

        return (None if ids is None else self._at_once(asked, read)) or self._at_rest(asked, read)

    def _get_ids(self, ids: Sequence[str], asked: Question) -> list[Record]:
        filters = self.visibility.filters_for(asked)
        fetched = self.lookup.fetch(ids, asked.fields, **filters)
        own = [r for r in fetched.values() if ID not in (r["metadata"] or {})]
        visible = self.visibility.served(own, asked)
        chosen = [r for r in own if r["id"] in visible]
        wanted = list(dict.fromkeys(ids)) if asked.everything else [i for i in ids if i not in visible]
        stored = {r["id"] for r in own}
        if wanted and (asked.filters or not stored.isdisjoint(wanted)):  # what is not stored has no earlier versions
            archived = list(self.lookup.fetch(self.lookup.archived_ids(wanted), asked.fields, **filters).values())
            visible = self.visibility.served(archived, asked)
            have = set() if asked.everything else {shown_id(r) for r in chosen}
            chosen += [r for r in archived if r["id"] in visible and shown_id(r) not in have]
        return chosen

    def _get_where(self, asked: Question, limit: int | None = None, offset: int | None = None) -> list[Record]:
        table = self._table_for(asked)
        last = math.inf if limit is None else (offset or 0) + limit
        listed: Sequence[str] = self.collection.get(include=[], **self.visibility.filters_for(asked))["ids"]
        if table is not None:
            listed = list(compress(listed, table.kept(listed, asked.instant, asked.known_at)))
        chosen: list[Record] = []
        seen: set[str] = set()
        size = int(min(_PAGE, max(last, 1)))
        for ids in pages(listed, size):
            if len(chosen) >= last:
                break
            page = self.lookup.fetch(ids, asked.fields)
            visible = self.visibility.served(list(page.values()), asked)
            for record in (page[i] for i in ids if i in visible):
                shown = shown_id(record)
                if asked.everything or shown not in seen:
                    seen.add(shown)
                    chosen.append(record)
        return chosen[offset or 0 :][:limit]

    def count(self, asked: Question) -> int:
        """Return how many rows who asks gets."""
        return self._at_rest(asked, lambda now: self._over(now)._count(now))

    def _count(self, asked: Question) -> int:
        table = self._table_for(asked)
        past = asked.known_at is not None or asked.everything
        if past or asked.stale == "drop" or not self._settled():  # then it is not the hulls alone that tell
            return len(self._get_where(asked))
        if table is not None and table.nothing_hidden and asked.instant >= asked.now:
            return int(self.collection.count())
        listed = self.collection.get(include=[])["ids"]
        if table is None:
            hidden = set(self.collection.get(where={TO: {"$lte": asked.instant}}, include=[])["ids"])
            hidden.update(self.collection.get(where={FROM: {"$gt": asked.instant}}, include=[])["ids"])
            kept = [i for i in listed if i not in hidden]
        else:
            kept = list(compress(listed, table.kept(listed, asked.instant)))
        doubtful = self.lookup.fetch(self.collection.get(where={GAPS: {"$gte": 1}}, include=[])["ids"])
        dark = {i for i, r in doubtful.items() if not visible_in(i, r["metadata"], asked.instant)}
        return sum(1 for i in kept if i not in dark)

    def _settled(self) -> bool:
        if self.state.exclusive and self.state.recovered:
            return self.state.quiet
        leftovers: Any = {"$or": [{TO: PENDING}, {SHADOW: {"$gte": 1}}]}
        return self.state.quiet and not self.collection.get(where=leftovers, limit=1, include=[])["ids"]

    def _table_for(self, asked: Question) -> ValidityTable | None:
        """Return the table of hulls; `None` if it does not tell what is out of sight then."""
        if asked.everything:
            return None
        instant = asked.instant if asked.known_at is None else MIN_TIME  # what is over now may have been live then
        return self.state.usable_table(self.lookup.both, instant, asked.now)
