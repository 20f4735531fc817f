"""What is to be written, and what that would do."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, NamedTuple

from memstrata_integrations.chroma.fields import user_metadata
from memstrata_integrations.chroma.lookup import Record
from memstrata_integrations.chroma.scoping import Scope
from memstrata_integrations.ledger.changes import MOST_UNREAD, Change, ChangeKind, Changes, KeptOut, Unread
from memstrata_integrations.ledger.display import clip
from memstrata_integrations.ledger.facts import Extraction, Fact
from memstrata_integrations.ledger.ledger import Ledger
from memstrata_integrations.ledger.rows import Edition, Row, RowFact, TimelineKey, content_hash
from memstrata_integrations.ledger.time import MIN_TIME, OPEN

Document = tuple[str, str, Scope]
"""A document of several rows: the metadata field that holds its id, that id, and whose it is."""

_SHOWN = 60  # characters of a text whose place another one takes


@dataclass(frozen=True, slots=True)
class Origin:
    """Which document, in which version, a row is a part of.

    Attributes:
        field: The metadata field that holds the document's id.
        id: The document's id.
        version: What stands for its content, a hash.
        read: Returns the version that a stored row's metadata names, `None` if it names none.
        keep: Rows that are parts of this version too, whatever their metadata says.
        scope: Whose the document is; others may have one of the same id.
        whole: No metadata names its versions: what was told with all that it held then is one, see `WHOLE`.
        following: Then, the next one that is known.
        left_out: Then, the rows that the versions before it stated no longer: what it says of them again is news.
        goes_on: What its rows say that are not told again, by timeline and value.
    """

    field: str
    id: str
    version: str
    read: Callable[[Mapping[str, Any]], str | None]
    keep: frozenset[str] = frozenset()
    scope: Scope = ()
    whole: bool = False
    following: Edition | None = None
    left_out: frozenset[str] = frozenset()
    goes_on: frozenset[tuple[TimelineKey, str | None]] = frozenset()

    @property
    def document(self) -> Document:
        """What is one document, in all its versions."""
        return self.field, self.id, self.scope


class Place(NamedTuple):
    """Where a version of a document stands: the latest one before it, the next one, and the rows that it ends."""

    older: tuple[int, str] | None
    following: Edition | None
    ending: list[str]


@dataclass(slots=True)
class Item:
    """One text of a batch, validated.

    Attributes:
        id, explicit: The row's id, and whether the caller gave it.
        document, metadata, embedding, image, uri: Chroma's columns.
        valid_from, valid_to: µs, or `None`.
        extraction: What it states.
        origin: The document that it is a part of; another version of it takes this one's place.
        echo: It is what a reader is shown of the stored text now; only its metadata is written.
        stated, replaces: What the caller says that it states, and the documents whose place it takes.
        known: The metadata that its row has already, which its own is merged into.
        barred: Why it may not be written, if so, see `tombstones`.
        adopted: It is a row of other code, and stays one of its own whatever else says the same.
        moved: Its metadata was stored already, so that its keys may have changed.
        stays: Its row is stored already, and says what it says again: nothing of it is read or embedded.
        merged, facts, prose, unclear: What a plan found: the metadata of its row after this call, what it states,
            whether it says more, and where and why another text of the call contradicts it.
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
    origin: Origin | None = None
    echo: bool = False
    stated: tuple[Fact, ...] = ()
    replaces: tuple[str, ...] = ()
    known: Mapping[str, Any] = field(default_factory=dict)
    barred: str | None = None
    adopted: bool = False
    moved: bool = False
    stays: bool = False
    merged: Mapping[str, Any] = field(default_factory=dict)
    facts: tuple[RowFact, ...] = ()
    prose: bool = True
    unclear: tuple[tuple[int, int, str], ...] = ()

    @property
    def effective(self) -> dict[str, Any]:
        """The metadata that its row has once it is written."""
        return {k: v for k, v in {**self.known, **(self.metadata or {})}.items() if v is not None}


@dataclass
class Plan:
    """What a batch would do: the ledger after it, and what is needed to write it down.

    Attributes:
        first: When its first text is recorded, µs; the next one a microsecond later.
        before: The rows as they are without it.
        unkeyed: How many facts went without a key.
        parts: The rows of documents of several rows, by document and version.
        apart: What was kept apart since it names no entity and comes from several sources.
        ids, fresh, metadata_only: The id of each text; the rows that are new; metadata that stored rows take.
        places: Where versions that are written at once stand among these.
        replaced: The documents whose place another one takes by its word, each with that one's id.
    """

    items: Sequence[Item]
    ledger: Ledger
    records: dict[str, Record]
    first: int
    before: dict[str, Row]
    unkeyed: int
    parts: dict[Document, dict[str, list[str]]]
    apart: tuple[str, ...]
    ids: list[str] = field(default_factory=list)
    fresh: dict[str, Item] = field(default_factory=dict)
    metadata_only: dict[str, dict[str, Any]] = field(default_factory=dict)
    places: dict[Origin, Place] = field(default_factory=dict)
    replaced: dict[str, str] = field(default_factory=dict)

    @cached_property
    def last(self) -> int:
        """When its last text is recorded, µs."""
        return self.first + max(len(self.items) - 1, 0)

    @property
    def closers(self) -> list[str]:
        """Rows that are stored already and change in metadata only."""
        moved = set(self.ledger.moved)
        return [i for i in self.ledger.changed if i not in self.fresh and i not in moved]

    def stored(self, row_id: str) -> Mapping[str, Any] | None:
        """Return the metadata that a row's record holds so far, or that of the record it is copied from."""
        record = self.records.get(self.ledger.moved.get(row_id, row_id))
        return None if record is None else record["metadata"]

    def metadata_of(self, row_id: str) -> dict[str, Any] | None:
        """Return the user's metadata of a row, as it is after this."""
        if row_id in self.fresh:
            return self.fresh[row_id].effective or None
        return user_metadata(self.records[row_id]["metadata"]) if row_id in self.records else None

    def changes(self, *, committed: bool) -> Changes:
        """Summarise for the user."""
        ledger = self.ledger
        found: dict[tuple[Any, ...], Change] = {}
        for closure in ledger.closures:
            by, fact = closure.by, closure.fact
            said = ledger.rows[by].facts if by is not None and by in ledger.rows else ()
            winner = next((f for f in said if f.timeline == fact.timeline), None)
            kind: ChangeKind = "retracted" if winner is None or winner.value is None else "superseded"
            row_id = ledger.rows[closure.row_id].document_id if closure.row_id in ledger.rows else closure.row_id
            new = None if winner is None else winner.object
            found[closure.row_id, fact.timeline, by] = Change(
                kind, fact.subject, fact.relation, fact.object, new, closure.at, row_id, by
            )
        told = {key[:2] for key in found}
        found.update({k: c for k, c in self._ended().items() if k[:2] not in told and k[0] not in self.replaced})
        found.update({(old,): self._taken_over(old, new) for old, new in self.replaced.items()})
        spans = ((i, s) for i in self.items for s in (*i.extraction.unread, *i.unclear))
        unread = [Unread(i.id, (i.document or "")[start:end], why) for i, (start, end, why) in spans]
        rows = (ledger.rows[i] for i in {**self.fresh, **ledger.changed} if i in ledger.rows)
        times = {a.recorded_at for r in rows for a in r.all_assertions if self.first <= a.recorded_at <= self.last}
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
            keyed=sum(len(item.facts) for item in self.items),
            unkeyed=self.unkeyed,
            unread=tuple(unread[:MOST_UNREAD]),
            reasons=dict(Counter(u.reason for u in unread)),
            apart=self.apart,
            committed=committed,
            written=(min(times), max(times)) if times else None,
        )

    def _taken_over(self, old: str, new: str) -> Change:
        texts = {i: r["document"] for i, r in self.records.items()} | {i.id: i.document for i in self.items}
        end = max((w.end for w in self.ledger.rows[old].windows if w.end < OPEN), default=self.last)
        was, now = (clip(texts.get(i) or "", _SHOWN) for i in (old, new))
        return Change("superseded", "text", "is replaced by", was, now, end, old, new)

    def _ended(self) -> dict[tuple[Any, ...], Change]:
        """Return the statements that ended with their text's version, by row and timeline."""
        rows = self.ledger.rows
        homes = {home: row_id for row_id, home in self.ledger.moved.items()}
        found: dict[tuple[Any, ...], Change] = {}
        for row_id, before in self.before.items():
            after = rows.get(homes.get(row_id, row_id))
            if after is None or after.windows == before.windows or len(after.facts) != len(before.facts):
                continue
            for was, now in zip(before.facts, after.facts, strict=True):
                if was.narrative or not any(self.last in i for i in was.live) or any(self.last in i for i in now.live):
                    continue
                rivals = ((r, f) for r in rows.values() for f in r.facts if f.timeline == was.timeline)
                by, winner = next(((r, f) for r, f in rivals if any(self.last in i for i in f.live)), (None, None))
                if winner is not None and winner.value == was.value:
                    continue  # another text goes on stating it
                kind: ChangeKind = "ended" if winner is None else "superseded"
                new = None if winner is None else winner.object
                at = max((i.end for i in now.live if i.end <= self.last), default=self.last)
                by_id = None if by is None else by.document_id
                found[after.id, was.timeline] = Change(
                    kind, was.subject, was.relation, was.object, new, at, after.document_id, by_id
                )
        return found

    def retired(self) -> list[str]:
        """Return the rows that were served before and will not be, and the undated new ones, outdone in their call."""
        rows, last = self.ledger.rows, self.last
        undated = [i for i, item in self.fresh.items() if item.valid_from is None and item.valid_to is None]
        fresh = [i for i in undated if i not in self.before and i in rows]
        stayed = (i for i in self.before if i not in self.fresh and i not in self.ledger.moved)
        served = [i for i in stayed if self.before[i].visible(last)]
        return [i for i in (*fresh, *served) if i not in rows or not rows[i].visible(last)]

    def outlived(self) -> list[str]:
        """Return the texts, told with a beginning and no end, whose document was over before: replaced by another.

        An older version of a document that has a newer one is none, nor what this very call replaces; the text that was
        replaced, told again, is one, whenever it is said to begin.
        """
        versions, replaced = self.ledger.versions, {i for item in self.items for i in item.replaces}
        found = []

        @cache
        def begun(document: Document) -> int:
            ids = (i for some in self.parts.get(document, {}).values() for i in some)
            return max((start for i in ids for row in versions(i) for start in row.begun), default=MIN_TIME)

        for item in self.items:
            whole, own = item.origin is not None and item.origin.whole, versions(item.id)
            ended = bool(own) and all(w.end <= self.last for row in own for w in row.windows)
            if item.valid_from is None or item.valid_to is not None or whole or item.id in replaced or not ended:
                continue
            others = MIN_TIME if item.origin is None else begun(item.origin.document)
            again = self.ledger.rows[item.id].content == content_hash(item.document)
            if again or max([others, *(start for row in own for start in row.begun)]) <= item.valid_from:
                found.append(item.id)
        return found


def admitted(items: Sequence[Item]) -> list[Item]:
    """Return the texts of a batch that no tombstone bars; they take the place of none that is barred."""
    barred = {i.id for i in items if i.barred is not None}
    kept = [i for i in items if i.id not in barred]
    for item in kept if barred else ():
        item.replaces = tuple(i for i in item.replaces if i not in barred)
    return kept


def kept_out(items: Sequence[Item]) -> tuple[KeptOut, ...]:
    """Return what of a batch tombstones bar."""
    return tuple(KeptOut(i.id, i.barred) for i in items if i.barred is not None)


def with_barred(changes: Changes, items: Sequence[Item]) -> Changes:
    """Return the changes of a batch's admitted texts as those of the whole batch."""
    out, ids = kept_out(items), iter(changes.ids)
    told = tuple(i.id if i.barred is not None else next(ids) for i in items)
    return replace(changes, ids=told, kept_out=out) if out else changes
