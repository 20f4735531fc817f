"""The nearest rows that a reader sees: one call where its answer suffices, wider ones where it does not.

A `where` on validity makes Chroma scan, so the filter stays outside. A search asks for as many rows as were needed of
late, and judges them by the metadata that come with them. Where many rows are hidden that costs more than a second
call: then it asks for ids alone, drops those that a table of hulls in memory knows to be out of sight, and fetches the
rest. It widens until enough are found or none are left.

A vector is made of a whole text, so a text goes on being near to a question whose answer was taken out of it. What
readers get is embedded when it is first met, and kept in memory; the farther of the two distances decides.

A page that is told again and again as new texts leaves of each older one what still holds, the same each time. Of such
remainders, alike in text and metadata, the nearest is found, and the next places go to others.
"""

import logging
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from chromadb.errors import InternalError

from memstrata_integrations.chroma.arguments import MOST
from memstrata_integrations.chroma.both import space_of
from memstrata_integrations.chroma.embedding import DimensionMismatchError, Embed, Vector, embedded_text
from memstrata_integrations.chroma.fields import NODE_FIELDS, user_metadata
from memstrata_integrations.chroma.hulls import ValidityTable
from memstrata_integrations.chroma.lookup import Lookup, Record, shown_id
from memstrata_integrations.chroma.visibility import Question, Visibility
from memstrata_integrations.errors import from_signal_handler

logger = logging.getLogger("memstrata_integrations")

_PAGE = 10_000
_FEW = 12  # rows more than asked for cost less, with their metadata, than a second call does
_MANY = 1_000  # the same where nothing else tells which rows are hidden
_MOST_LOST = 1_000
_WIDEST = 256.0
_FURTHER = (0, 8, 64)  # rows beyond those asked for that are looked at, step by step, while texts move back
_EMBEDDED = 64  # texts that a read embeds at most; those behind them stay where they stood as written
_OF_PLACE = (*NODE_FIELDS, "start_index")
_COLUMNS = (("metadata", "metadatas"), ("document", "documents"), ("embedding", "embeddings"), ("uri", "uris"))

Found = list[list[tuple[Record, float]]]
"""For each query, records with their distances, nearest first."""


@dataclass
class Search:
    """One search of one read; it keeps what it was told and what it judged."""

    lookup: Lookup
    visibility: Visibility
    embeddings: Sequence[Any]  # query vectors, float32, ``(q, dim)``
    question: Question
    table: Callable[[], ValidityTable | None]  # of hulls; loaded only for a search that ids alone are asked for
    records: dict[str, Record] = field(default_factory=dict)
    verdicts: dict[str, bool] = field(default_factory=dict)
    _result: Mapping[str, Any] = field(default_factory=dict)
    _asked: int = 0
    _total: int | None = None
    _rest: dict[str, Vector] | None = None

    def __post_init__(self) -> None:
        self.collection, self.state = self.lookup.collection, self.lookup.state
        self.fields = list(dict.fromkeys([*self.question.fields, "metadatas"]))
        self.redacts = self.question.stale == "redact"
        if self.redacts and "documents" not in self.fields:
            self.fields.append("documents")
        self.asked = self.visibility.filters_for(self.question)

    def nearest(self, k: int, bounds: Sequence[float] | None = None) -> Found:
        """Return for each query the `k` nearest visible records, as far as they lie within its bound."""
        if not self._asked:
            wanted = k if self.question.everything else math.ceil(k * self.lookup.reach) + self.state.further
            self._ask(min(wanted, MOST), k)
        while True:
            found, reached, settled = self._choose(k, bounds or [math.inf] * len(self.embeddings))
            if settled or not self._widen(k):
                break
        if reached and all(len(chosen) >= k for chosen in found):
            # look as far the next time; a single far one does not count for much
            reach, needed = self.lookup.reach, reached / k
            reach = min(needed * 1.1, reach * 2) if needed > reach else reach - 0.05 * (reach - needed)
            self.lookup.reach = min(max(reach, 1.0), _WIDEST)
        return found

    def nearest_by_what_is_left(self, k: int, embed: Embed) -> Found:
        """Return the same, where one of which parts were taken out is as far as what is left of it, by `embed`.

        It moves back only: little that is left, a heading for instance, is near to much. So the stored vectors bound
        every distance from below, and looking at further rows can stop as soon as `k` are nearer than the next one
        was; it stops at the end of `_FURTHER` in any case, and then the order is right among the rows looked at.
        """
        found: Found = []
        bounds = [math.inf] * len(self.embeddings)
        for more in _FURTHER:
            raw = self.nearest(k + more, bounds)
            vectors = self._of_what_is_left({r["id"]: r for chosen in raw for r, _ in chosen}.values(), embed)
            found = [
                sorted((self._moved(e, query, vectors) for e in chosen), key=lambda e: e[1])[:k]
                for query, chosen in zip(self.embeddings, raw, strict=True)
            ]
            bounds = [chosen[-1][1] if len(chosen) == k else math.inf for chosen in found]
            if all(len(r) < k + more or r[-1][1] >= bound for r, bound in zip(raw, bounds, strict=True)):
                break
        return found

    def _of_what_is_left(self, records: Iterable[Record], embed: Embed) -> dict[str, Vector]:
        """Return vectors of what readers get of the records of which parts are taken out."""
        wordings: dict[str, str] = {}
        for record in records:
            partly = self.visibility.stated(record, self.question) is not None
            text = self.visibility.text_of(record, self.question) if partly else None
            if text is not None and len(wordings) < _EMBEDDED:
                wordings[record["id"]] = embedded_text(text, record["metadata"]) or ""
        try:
            self.state.further = _FURTHER[1] if wordings else 0  # then the next search asks for them at once
            vectors = self.state.served.vectors(list(wordings.values()), embed)
        except Exception as error:  # whatever keeps a model from embedding must not keep a text from being found
            if from_signal_handler(error):
                raise
            logger.warning(
                "redacted texts keep their original place, since what is left of them cannot be embedded: %r", error
            )
            return {}
        return dict(zip(wordings, vectors, strict=True))

    def _moved(self, entry: tuple[Record, float], query: Any, vectors: Mapping[str, Vector]) -> tuple[Record, float]:
        """Return a record with the farther of its two distances, and the vector that has it."""
        record, distance = entry
        vector = vectors.get(record["id"])
        if vector is None:
            return entry
        farther = self._distance(query, vector)
        return ({**record, "embedding": vector}, farther) if farther > distance else entry

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
        told = {
            name: self._result[column] for name, column in _COLUMNS if column in self.fields and self._result[column]
        }
        return {
            row_id: {"id": row_id, **{name: told[name][q][n] if name in told else None for name, _ in _COLUMNS}}
            for q, ids in enumerate(self._result["ids"])
            for n, row_id in enumerate(ids)
            if row_id not in self.verdicts
        }

    def _choose(self, k: int, bounds: Sequence[float]) -> tuple[Found, int, bool]:
        """Return the visible ones of what was found, how far down they lie, and whether they are enough."""
        found: Found = []
        reached, settled = 0, True
        for ids, distances, bound in zip(self._result["ids"], self._result["distances"], bounds, strict=True):
            chosen: list[tuple[Record, float]] = []
            seen: set[Any] = set()
            for rank, row_id, distance in self._candidates(ids, distances, k):
                if distance > bound:
                    break
                if not self.verdicts[row_id]:
                    continue
                marks = self._marks(self.records[row_id])
                if not seen.isdisjoint(marks):
                    continue
                seen |= marks
                chosen.append((self.records[row_id], float(distance)))
                reached = max(reached, rank)
                if len(chosen) == k:
                    break
            found.append(chosen)
            settled = settled and (len(chosen) >= k or any(d > bound for d in distances[-1:]))
        return found, reached, settled

    def _marks(self, record: Record) -> set[Any]:
        """Return what no other record of the answer may have: its id; text and metadata, if parts are taken out."""
        if self.question.everything:
            return set()
        marks: set[Any] = {shown_id(record)}
        if self.redacts and record.get("document") and self.visibility.stated(record, self.question) is not None:
            told = {k: v for k, v in (user_metadata(record["metadata"]) or {}).items() if k not in _OF_PLACE}
            marks.add((self.visibility.text_of(record, self.question), str(sorted(told.items()))))
        return marks

    def _candidates(self, ids: Sequence[str], distances: Sequence[float], k: int) -> Any:
        """Yield rank, id and distance of rows that may be visible, judged as late as they are needed."""
        table = None if all(i in self.verdicts for i in ids) else self.table()
        kept = list(zip(range(1, len(ids) + 1), ids, distances, strict=True))
        if table is not None:
            may = table.kept(ids, self.question.instant, self.question.known_at)
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
        visible = self.visibility.served(list(fetched.values()), self.question)
        self.verdicts.update(dict.fromkeys(visible, True))
        self.records.update(fetched)

    def _widen(self, k: int) -> bool:
        """Ask for more rows; return whether there may be any."""
        if self._rest is not None:
            return False
        if self._total is None:
            self._total = self.collection.count()
            table = self.table() if self._asked < self._total else None
            if table is not None and table.nothing_at(self.question.instant, self._total, self.question.known_at):
                return False
        widest = max((len(ids) for ids in self._result["ids"]), default=0)
        if widest >= self._asked and self._asked < self._total:
            self._ask(min(self._asked * 4, self._total), k)
            return True
        self._rest = {} if widest >= self._total else self._unreached()
        if self._rest:
            self._take_in(self._rest)
        return bool(self._rest)

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

    def _take_in(self, vectors: Mapping[str, Vector]) -> None:
        """Put further rows among those that were found, by their vectors."""
        told: list[list[tuple[str, float]]] = []
        for query, ids, distances in zip(self.embeddings, self._result["ids"], self._result["distances"], strict=True):
            known = set(ids)
            more = ((i, self._distance(query, v)) for i, v in vectors.items() if i not in known)
            told.append(sorted([*zip(ids, distances, strict=True), *more], key=lambda e: e[1]))
        self._result = {"ids": [[i for i, _ in e] for e in told], "distances": [[d for _, d in e] for e in told]}

    def _distance(self, query: Any, vector: Vector) -> float:
        one = np.asarray(query, dtype=np.float32)
        if one.shape != vector.shape:
            raise DimensionMismatchError(
                f"the embedding that ranks redacted texts makes {vector.size} dimensions, the query has {one.size}; "
                "embed with the model that the collection was made with"
            )
        space = space_of(self.lookup.both.main)
        if space == "l2":
            return float(((one - vector) ** 2).sum())
        length = float(np.linalg.norm(one) * np.linalg.norm(vector)) if space == "cosine" else 1.0
        return 1.0 - float(one @ vector) / (length or 1.0)
