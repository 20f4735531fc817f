"""What a `TemporalCollection` must answer: the reference ledger, with the metadata of each text."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

from memstrata_integrations.chroma.plan import Item
from memstrata_integrations.chroma.session import Session
from memstrata_integrations.chroma.versions import deleted_twins, said_otherwise
from memstrata_integrations.ledger.changes import Changes
from memstrata_integrations.ledger.incoming import Incoming
from memstrata_integrations.ledger.rows import DELETED, Row, RowFact, content_hash
from memstrata_integrations.ledger.time import OPEN
from memstrata_integrations.ledger.undoing import undo
from memstrata_integrations.redaction import Stated, redact
from tests.unit.lockstep import ReferenceLedger

from .toy import ToyExtractor

Answer = Counter[tuple[Any, ...]]
"""What a reader gets: how often each (id, text, metadata)."""


@dataclass(frozen=True)
class Draft:
    """A text on its way in: `start` and `end` are µs, `None` where undated."""

    id: str | None
    text: str
    metadata: tuple[tuple[str, str], ...] = ()
    start: int | None = None
    end: int | None = None


def shown(row_id: str, text: str, metadata: Any) -> tuple[Any, ...]:
    """Return a record as it is counted in an `Answer`."""
    return (row_id, text, tuple(sorted((metadata or {}).items())))


class Model:
    """A reference ledger that takes the ids and times which the collection gave."""

    def __init__(self, session: Session, *, keep_deleted: bool) -> None:
        self.session = session
        self.keep_deleted = keep_deleted
        self.ledger = ReferenceLedger()
        self.texts: dict[str, str] = {}
        self.metadata: dict[str, dict[str, Any]] = {}

    # -- operations -----------------------------------------------------------------------

    def write(self, drafts: Sequence[Draft], changes: Changes) -> None:
        """Take in a batch that the collection acknowledged."""
        assert len(changes.ids) == len(drafts)
        shown_before = [self._shows(d.id, d.text, changes.recorded_at[0]) for d in drafts]
        for n, (draft, row_id) in enumerate(zip(drafts, changes.ids, strict=True)):
            if shown_before[n]:  # what is left of a text, written back, is no other text
                self.metadata[row_id] = {**self.metadata[row_id], **dict(draft.metadata)}
            else:
                self._write_one(draft, row_id, changes.recorded_at[0] + n)

    def _shows(self, row_id: str | None, text: str, instant: int) -> bool:
        """Whether a text is what readers are shown of a stored one of which something went stale."""
        row = None if row_id is None else self.ledger.rows.get(row_id)
        served = row is not None and self.texts[row.content] != text and row.visible(instant)
        return row is not None and served and self._told(row, instant)[1] == text

    def _write_one(self, draft: Draft, row_id: str, recorded_at: int) -> None:
        ledger = self.ledger
        item = Item(row_id, draft.id is not None, draft.text, dict(draft.metadata) or None)
        item.extraction = ToyExtractor().extract([draft.text])[0]
        known = {**self.metadata.get(row_id, {}), **dict(draft.metadata)} if item.explicit else dict(draft.metadata)
        facts, prose, _ = self.session.keying.row_facts(item, known)
        content = content_hash(draft.text)
        self.texts[content] = draft.text
        new = Incoming(row_id, content, facts, prose, recorded_at, draft.start, draft.end)
        if not item.explicit and facts:
            alike = [r.id for r in ledger.rows.values() if r.content == content and self.metadata[r.id] == known]
            twins = {twin for i in alike if (twin := ledger.duplicate_of(new, [i])) is not None}
            if row_id in twins:
                self._apply(lambda: ledger.confirm(row_id, new))
                return
            assert not twins, f"{draft} has a live twin {twins}, and got a row of its own, {row_id!r}"
        if not item.explicit:
            assert row_id not in ledger.rows, f"{draft} got the id of another text, {row_id!r}"
        earlier: list[RowFact] = []
        if self.keep_deleted and draft.start is None:
            new, earlier = self._returning(new, known)
        stored_as = self._apply(lambda: ledger.write(new, earlier=earlier))
        if stored_as is not None:
            self.metadata[stored_as] = known if stored_as == row_id else dict(draft.metadata)
        elif ledger.rows[row_id].content == content:
            self.metadata[row_id] = known

    def _returning(self, new: Incoming, metadata: dict[str, Any]) -> tuple[Incoming, list[RowFact]]:
        """Judge a document that may come back as the collection does, but with every row at hand."""
        ledger = self.ledger
        plan: Any = SimpleNamespace(ledger=ledger, metadata_of=self.metadata.get)
        known = ledger.rows.get(new.id)
        deleted = [known] if known is not None else deleted_twins(plan, new.facts, metadata)
        earlier = [f for r in deleted for f in r.facts if r.deleted]
        new = replace(new, anew=said_otherwise(plan, new.facts, earlier, metadata, new.recorded_at))
        return new, earlier if known is None else []

    def knows(self, subject: str) -> bool:
        """Whether any row states, or ever stated, a key."""
        return any(f.subject == subject for r in self.ledger.rows.values() for f in r.facts)

    def retract(self, subject: str, at: int | None, changes: Changes) -> None:
        time = changes.recorded_at[0]
        facts = {f.timeline for r in self.ledger.rows.values() for f in r.facts if f.subject == subject}
        for line in sorted(facts):
            self._apply(lambda t=line: self.ledger.retract(t, time if at is None else at, time, dated=at is not None))

    def undo(self, span: tuple[int, int], only: str | None, changes: Changes) -> None:
        assert self._apply(lambda: undo(self.ledger, *span, changes.recorded_at[0], only))

    def can_undo(self, span: tuple[int, int]) -> bool:
        """Whether anything of a write is left to take back."""
        return any(
            span[0] <= a.recorded_at <= span[1] and a.undone_at == OPEN
            for r in self.ledger.rows.values()
            for a in (*r.editions, *r.prose, *(a for f in r.facts for a in f.all_assertions))
        )

    def last_write(self, document_id: str) -> tuple[int, int] | None:
        times = [
            a.recorded_at
            for r in self.ledger.rows.values()
            if r.document_id == document_id
            for a in (*r.editions, *r.prose, *(a for f in r.facts for a in f.assertions))
            if a.undone_at == OPEN
        ]
        return (max(times), max(times)) if times else None

    def delete(self, document_ids: Sequence[str], time: int, versions: Sequence[str] = ()) -> None:
        """Remove documents, or end them; and earlier versions of others."""
        if self.keep_deleted:
            for document_id in document_ids:
                if document_id in self.ledger.rows:
                    self._apply(lambda d=document_id: self.ledger.end(d, time, time, precedence=DELETED))
        else:
            doomed = [r.id for r in self.ledger.rows.values() if r.document_id in document_ids or r.id in versions]
            self._apply(lambda: self.ledger.delete(doomed, time))

    def update_metadata(self, document_id: str, metadata: dict[str, Any]) -> None:
        if document_id in self.metadata:
            self.metadata[document_id] = {**self.metadata[document_id], **metadata}

    def tagged(self, tag: str) -> tuple[list[str], list[str]]:
        """Return the documents whose newest version has a tag, and the earlier versions of others that do."""
        found = [r for r in self.ledger.rows.values() if self.metadata[r.id].get("tag") == tag]
        documents = [r.id for r in found if not r.archived]
        return documents, [r.id for r in found if r.archived and r.document_id not in documents]

    def _apply(self, change: Callable[[], Any]) -> Any:
        """Apply one change, as to a fresh ledger, and let the metadata follow the rows that move."""
        ledger = self.ledger
        ledger.changed.clear()
        ledger.removed.clear()
        ledger.moved.clear()
        found = change()
        before = dict(self.metadata)
        for row_id, home in ledger.moved.items():
            self.metadata[row_id] = before[home]
        for row_id in ledger.removed:
            self.metadata.pop(row_id, None)
        return found

    # -- answers --------------------------------------------------------------------------

    def answer(self, instant: int, known_at: int | None = None, tag: str | None = None) -> Answer:
        served = [r for r in self.ledger.view(instant, known_at) if self._has(r, tag)]
        return Counter(self._told(r, instant) for r in served)

    def distances(self, instant: int, distance: Callable[[str], float], tag: str | None) -> list[float]:
        """Return how far what a search finds is, by texts as they were written; of remainders that read alike, once."""
        found: dict[Any, float] = {}
        for row in self.ledger.view(instant):
            if self._has(row, tag):
                text, (_, told, metadata) = self.texts[row.content], self._told(row, instant)
                one = row.id if told == text else (told, metadata)
                found[one] = min(found.get(one, math.inf), distance(text))
        return sorted(found.values())

    def everything(self) -> Answer:
        return Counter(self._shown(r) for r in self.ledger.rows.values())

    def edges(self) -> list[int]:
        made = [
            a
            for r in self.ledger.rows.values()
            for a in (*r.editions, *r.prose, *(a for f in r.facts for a in f.all_assertions))
        ]
        return sorted({t for a in made for t in (a.valid_from, a.valid_to) if abs(t) < 10**9})

    def _shown(self, row: Row) -> tuple[Any, ...]:
        return shown(row.document_id, self.texts[row.content], self.metadata[row.id])

    def _told(self, row: Row, instant: int) -> tuple[Any, ...]:
        """Return a row with its text less the statements that are not live."""
        said = [Stated(f.span, f.object or "", any(instant in i for i in f.live)) for f in row.facts if not f.narrative]
        return shown(row.document_id, redact(self.texts[row.content], said), self.metadata[row.id])

    def _has(self, row: Row, tag: str | None) -> bool:
        return tag is None or self.metadata[row.id].get("tag") == tag
