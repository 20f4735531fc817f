"""The time surface that both front doors share: each method hands on to the wrapped collection."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memstrata_integrations.chroma.collection import TemporalCollection
    from memstrata_integrations.chroma.exporting import Export
    from memstrata_integrations.chroma.rebuild import Repair
    from memstrata_integrations.ledger.changes import Changes, Explanation, Suspect, Timeline
    from memstrata_integrations.ledger.time import Instant

__all__ = ["TimeSurface"]


class TimeSurface:
    """What a store offers beyond its framework's interface."""

    @property
    def temporal_collection(self) -> TemporalCollection:
        """The wrapped collection."""
        raise NotImplementedError

    def history(
        self,
        subject: str | None = None,
        relation: str | None = None,
        *,
        id: str | None = None,
        statement: str | None = None,
        scope: Mapping[str, Any] | None = None,
    ) -> Timeline:
        """Return everything the ledger holds about a fact or a document; see `TemporalCollection.history`."""
        return self.temporal_collection.history(subject, relation, id=id, statement=statement, scope=scope)

    def explain(self, document_or_id: Any) -> Explanation:
        """Say why a document is served or not, what it replaced, and by which sentence and rule."""
        return self.temporal_collection.explain(document_or_id)

    def plan(self, texts: Any, metadatas: Any = None, ids: Any = None, **kwargs: Any) -> Changes:
        """Tell what writing texts (or documents) would supersede, and what has no key and why, without writing."""
        return self.temporal_collection.plan(texts, metadatas, ids, **kwargs)

    def suspects(self, k: int = 20, *, scope: Mapping[str, Any] | None = None, look_at: int = 1_000) -> list[Suspect]:
        """Return pairs that look like an update and were not linked; see `TemporalCollection.suspects`."""
        return self.temporal_collection.suspects(k, scope=scope, look_at=look_at)

    def supersede(self, old: str, new: str) -> Changes:
        """Say that one stored document takes the place of another; see `TemporalCollection.supersede`."""
        return self.temporal_collection.supersede(old, new)

    def dismiss(self, old: str, new: str) -> None:
        """Say that a pair of `suspects` is no update."""
        self.temporal_collection.dismiss(old, new)

    def retract(
        self,
        subject: str,
        relation: str | None = None,
        *,
        at: Instant | None = None,
        scope: Mapping[str, Any] | None = None,
    ) -> Changes:
        """Say that a fact stopped being true, with no successor; see `TemporalCollection.retract`."""
        return self.temporal_collection.retract(subject, relation, at=at, scope=scope)

    def undo(self, change_or_id: Changes | str, *, scope: Mapping[str, Any] | None = None) -> Changes:
        """Take back a write and reopen exactly what it closed; see `TemporalCollection.undo`."""
        return self.temporal_collection.undo(change_or_id, scope=scope)

    def purge(self, ids: Any = None, *, subject: str | None = None, scope: Mapping[str, Any] | None = None) -> Changes:
        """Erase documents, every version and trace; see `TemporalCollection.purge`."""
        return self.temporal_collection.purge(ids, subject=subject, scope=scope)

    def adopt(self, valid_from_field: str | None = None, dry_run: bool = False, *, progress: bool = True) -> Changes:
        """Key the rows that stock code wrote; see `TemporalCollection.adopt`."""
        return self.temporal_collection.adopt(valid_from_field, dry_run, progress=progress)

    def verify(self) -> list[str]:
        """Return one line for each row whose stored validity differs from what the rules derive."""
        return self.temporal_collection.verify()

    def audit(
        self, scope: Mapping[str, Any] | None = None, since: Instant | None = None, until: Instant | None = None
    ) -> Iterator[dict[str, Any]]:
        """Return the audit trail, a plain dict for each retirement; see `TemporalCollection.audit`."""
        return self.temporal_collection.audit(scope, since, until)

    def export_history(self, file: str | os.PathLike[str], *, vectors: bool = True, progress: bool = True) -> Export:
        """Write the whole history into one file of JSON lines; see `TemporalCollection.export_history`."""
        return self.temporal_collection.export_history(file, vectors=vectors, progress=progress)

    def repair(self, embedding_function: Any = None, *, progress: bool = True) -> Repair:
        """Embed the rows again that searches don't reach, by default with the store's own embeddings.

        See `TemporalCollection.repair`; `memstrata_integrations.repair` is for a directory that cannot be opened.
        """
        return self.temporal_collection.repair(embedding_function, progress=progress)

    @property
    def last_changes(self) -> Changes | None:
        """What the last write of this thread or task did."""
        return self.temporal_collection.last_changes
