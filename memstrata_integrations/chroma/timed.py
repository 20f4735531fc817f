"""What the ledger adds to a collection: history, retraction, undo, purge, adoption, and the clock."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from memstrata_integrations.chroma import amending, auditing, exporting, inspection
from memstrata_integrations.chroma import rebuild as repairing
from memstrata_integrations.chroma import suspects as suspecting
from memstrata_integrations.chroma.damage import telling_damage, way_out
from memstrata_integrations.chroma.embedding import check_identity
from memstrata_integrations.chroma.fields import TO
from memstrata_integrations.chroma.intake import Dating, read_batch, read_ids
from memstrata_integrations.chroma.reading import Reader
from memstrata_integrations.chroma.rebuild import Repair
from memstrata_integrations.chroma.scoping import scope_of
from memstrata_integrations.chroma.state import SharedState
from memstrata_integrations.chroma.visibility import Moment
from memstrata_integrations.chroma.writing import Writer
from memstrata_integrations.context import ambient
from memstrata_integrations.errors import IndexDamagedError, InvalidInputError, StoreLockedError
from memstrata_integrations.ledger.changes import Changes, Explanation, Suspect, Timeline
from memstrata_integrations.ledger.time import MIN_TIME, OPEN, Instant, to_micros
from memstrata_integrations.options import STALE, Options, Stale, refuse_unknown

__all__ = ["Ledgered"]

logger = logging.getLogger("memstrata_integrations")

_MANY = 100  # rows that one write may retire without a word


class Ledgered:
    """The methods of `TemporalCollection` that chromadb's `Collection` does not have."""

    _chroma: Any
    _state: SharedState
    _reader: Reader
    _writer: Writer
    _options: Options
    _dating: Dating
    _embedding_function: Any
    _changes: weakref.WeakKeyDictionary[Any, Changes]

    def history(
        self,
        subject: str | None = None,
        relation: str | None = None,
        *,
        id: str | None = None,
        statement: str | None = None,
        scope: Mapping[str, Any] | None = None,
    ) -> Timeline:
        """Return everything the ledger holds about a fact or a document.

        Args:
            subject: What the fact is about, in any word order ("billing service port").
            relation: Narrow to one relation.
            id: Instead: a document, all its versions.
            statement: Instead: a sentence; the history of the facts it states.
            scope: Values of scope fields, or of source fields for a subject without an entity.

        Example:
            >>> store.history("API port")  # doctest: +SKIP
        """
        if id is None:
            self._name_scope("history", scope)
        return inspection.history(
            self._writer, subject, relation, document_id=id, statement=statement, scope=scope or {}, now=self._present()
        )

    def explain(self, document_or_id: Any) -> Explanation:
        """Say why a document is served or not: its sentences, their facts and rules, what they replaced.

        Args:
            document_or_id: An id, or anything with an ``id`` (or ``node_id``).
        """
        row_id = document_or_id if isinstance(document_or_id, str) else None
        for name in ("id", "node_id", "id_"):
            row_id = row_id or getattr(document_or_id, name, None)
        if not isinstance(row_id, str) or not row_id:
            raise InvalidInputError(f"{document_or_id!r} is no id and has none")
        return inspection.explain(self._writer, row_id, now=self._present())

    def suspects(
        self, k: int = 20, *, scope: Mapping[str, Any] | None = None, look_at: int = 1_000
    ) -> list[Suspect]:
        """Return pairs that look like an update and were not linked, the newest first; nothing is changed.

        Two statements do if they are near in the embedding, share most of their words, and differ in the value of one
        kind. Accept one with ``supersede(pair.old, pair.new)``, or ``dismiss(pair.old, pair.new)``.

        Args:
            k: How many pairs at most.
            scope: Values of scope fields; a pair always lies in one scope.
            look_at: How many of the newest texts are compared with their neighbours.

        Raises:
            InvalidInputError: If `k` is no number of pairs, or the scope is not named.
        """
        self._name_scope("suspects", scope)
        with self._state.mutex:
            return suspecting.suspects(
                self._chroma, self._reader, self._writer.keying, k=k, scope=scope or {}, look_at=look_at,
                now=self._present(),
            )  # fmt: skip

    def dismiss(self, old: str, new: str) -> None:
        """Say that a pair of `suspects` is no update, so that it is shown no more.

        Args:
            old, new: The ids of the two documents. It is their texts that are dismissed: what is written under one of
                the ids later is looked at again.

        Raises:
            InvalidInputError: If there is no such document.
        """
        with self._writing():
            suspecting.dismiss(self._chroma, self._reader, old, new)
            self._state.records.pop(new, None)

    def plan(
        self,
        texts: Any,
        metadatas: Any = None,
        ids: Any = None,
        *,
        valid_from: Any = None,
        valid_to: Any = None,
        facts: Any = None,
        supersedes: Any = None,
        **unknown: Any,
    ) -> Changes:
        """Tell what writing texts would supersede, and what of them has no key and why, without writing.

        Args:
            texts: A text, texts or documents.
            metadatas, ids, valid_from, valid_to, facts, supersedes: As in `write`.

        Raises:
            InvalidInputError: For what could not be written, either.
        """
        refuse_unknown("plan", unknown, ("metadatas", "ids", "valid_from", "valid_to", "facts", "supersedes"))
        if texts is None or (isinstance(texts, Mapping) or not hasattr(texts, "__iter__")):
            raise InvalidInputError(f"plan({texts!r}): give a text, or a list of texts or documents")
        listed = [texts] if isinstance(texts, str) else list(texts)
        documents = [getattr(t, "page_content", t) for t in listed]
        if metadatas is None and any(hasattr(t, "page_content") for t in listed):
            metadatas = [getattr(t, "metadata", None) for t in listed]
        items = read_batch(
            ids=ids,
            documents=documents,
            metadatas=metadatas,
            valid_from=valid_from,
            valid_to=valid_to,
            facts=facts,
            supersedes=supersedes,
            dating=self._dating,
            scope=self._options.scope,
        )
        self._writer.keying.extract(items)
        with self._state.mutex:
            return self._writer.plan(items, self._now()).changes(committed=False)

    def retract(
        self,
        subject: str,
        relation: str | None = None,
        *,
        at: Instant | None = None,
        scope: Mapping[str, Any] | None = None,
    ) -> Changes:
        """Say that a fact stopped being true, with no successor.

        Args:
            subject: What the fact is about.
            relation: Narrow to one relation.
            at: From when on; by default now.
            scope: Values of scope fields; for a subject without an entity, also of source fields, and of
                what names a part of the source (`section`, `page`). With all of these that its text has, a
                fact is found at once; with fewer, every row is looked at.

        Returns:
            What was closed.

        Raises:
            InvalidInputError: If nothing is known of the subject; it names the facts that are nearest.
        """
        self._name_scope("retract", scope)
        instant = None if at is None else to_micros(at, name="at")
        with self._writing():
            changes = amending.retract(self._writer, subject, relation, instant, scope or {}, self._now())
        return self.remember(changes)

    def undo(self, change_or_id: Changes | str, *, scope: Mapping[str, Any] | None = None) -> Changes:
        """Take back a write, and reopen exactly what it closed.

        Args:
            change_or_id: The `Changes` of a write, its ``id``, or a document's id (its last
                write). Works in a later process too.
            scope: Values of the scope fields. A store with scope fields needs them where a write is named by its id,
                and takes back only what lies there.

        Raises:
            InvalidInputError: If nothing of it is left to take back, or the scope is not named.
        """
        if isinstance(change_or_id, str) and Changes.parse_id(change_or_id) is not None:
            self._name_scope("undo", scope)
        with self._writing():
            changes = amending.undo(self._writer, change_or_id, self._now(), scope or {})
        return self.remember(changes)

    def purge(self, ids: Any = None, *, subject: str | None = None, scope: Mapping[str, Any] | None = None) -> Changes:
        """Erase documents, or all that is about a subject: every version and trace.

        Locally the free pages of the database file are overwritten as well.

        Args:
            ids: Documents.
            subject: Instead: every document that states a fact about it.
            scope: Values of scope fields. With ids: only those of them that lie in it.
        """
        if (ids is None) == (subject is None):
            raise InvalidInputError("purge takes either ids or subject=, and exactly one of them")
        if subject is not None:
            self._name_scope("purge", scope)
        with self._writing():
            if subject is not None:
                ids = inspection.documents_about(self._writer, subject, scope or {})
            else:
                ids = self._reader.ids_within(read_ids(ids), scope)
            forget = getattr(self._writer.keying.extractor, "forget", None)
            if forget is not None:  # an extractor may keep what a model said of these texts
                forget(inspection.texts_of(self._writer, ids))
            changes = amending.delete(self._writer, ids, self._now(), retire=False)
            amending.scrub(self._state)
        return self.remember(changes)

    def adopt(self, valid_from_field: str | None = None, dry_run: bool = False, *, progress: bool = True) -> Changes:
        """Key the rows that other code wrote into this collection, by metadata-only updates.

        Rows are taken in the order of their dates, undated ones in the order of the collection;
        among undated rows that order becomes the truth, so look at a dry run first. What is
        keyed already is left alone, so an interrupted run goes on where it stopped.

        Args:
            valid_from_field: The metadata field that dates the rows.
            dry_run: Only tell what would happen.
            progress: Show a progress bar on a terminal.
        """
        dating = Dating(valid_from_field or self._dating.valid_from_field, self._dating.valid_to_field)
        with self._writing(), amending.progress_bar(progress, "adopt") as bar:
            changes = amending.adopt(self._writer, dating, self._now, dry_run=dry_run, bar=bar)
        return changes if dry_run else self.remember(changes)

    def verify(self) -> list[str]:
        """Compare what is stored with what the rules derive; return one line for each difference."""
        with self._state.mutex:
            return inspection.verify(self._writer)

    def audit(
        self, scope: Mapping[str, Any] | None = None, since: Instant | None = None, until: Instant | None = None
    ) -> Iterator[dict[str, Any]]:
        """Return the audit trail, in order of transaction time: a plain dict for each statement that lost validity.

        ``kind`` is ``superseded`` (another value took its place), ``retracted``, ``ended`` (its document ended),
        ``version`` (its document was written again without it), ``undone`` (its own write was taken back), or
        ``purged`` (what closed it was erased). ``recorded_at`` is when, ``valid_from`` and ``valid_to`` the stretch in
        which it is not told any more, ISO 8601 in UTC, `None` for no beginning and no end. ``subject``, ``relation``,
        ``old``, ``new`` and ``rule`` tell the fact and what read the new value; ``retired`` and ``by`` the texts: id,
        version, statement, rule, the user's metadata. ``undone_at`` is set where the retirement was taken back.

        It is derived from the ledger, by the rules that readers are served by: what `purge` erased is not in it, nor
        a fact that ends on a date of its own.

        Args:
            scope: Values of the scope fields: only what lies there.
            since, until: Only what was recorded from then on, and before then.

        Raises:
            InvalidInputError: If the scope is not named, or a time cannot be read.
        """
        self._name_scope("audit", scope)
        first = MIN_TIME if since is None else to_micros(since, name="since")
        end = OPEN if until is None else to_micros(until, name="until")
        with self._state.mutex:
            return auditing.audit(self._reader, scope_of(scope, list(scope or {})), first, end)

    def export_history(
        self, file: str | os.PathLike[str], *, vectors: bool = True, progress: bool = True
    ) -> exporting.Export:
        """Write the whole history into one file of JSON lines, from which `import_history` makes it again.

        All rows, superseded ones and earlier versions included, with texts, metadata and the ledger's fields; a header
        with counts and a checksum. It is one state of the collection: writers of this process wait meanwhile. What
        is pending, and was never acknowledged, is left out.

        Args:
            file: Where to; compressed if its name ends in ``.gz``. What is there is replaced once it is whole.
            vectors: Whether to write the vectors too; without them they are made again at the import.
            progress: Show a progress bar on a terminal.

        Raises:
            InvalidInputError: If the file cannot be written, or a row has neither a vector nor a text to embed.
            StorageError: If others go on writing to the collection meanwhile, or its vectors cannot be read.
        """
        with self._state.alone():
            return exporting.export(self._reader, file, vectors=vectors, progress=progress, now=self._present())

    def repair(self, embedding_function: Any = None, *, progress: bool = True) -> Repair:
        """Embed the rows again that `get` lists and `query` does not reach.

        Ids, texts and metadata stay as they are. Interrupted, it goes on when the store is opened again. For a
        collection that cannot be opened at all there is `memstrata_integrations.repair`.

        Args:
            embedding_function: What made the vectors of this collection (LangChain's, LlamaIndex's or
                chromadb's kind, or a callable that takes texts); by default the store's own, or the
                collection's, where there is one.
            progress: Show a progress bar on a terminal.

        Raises:
            InvalidInputError: If vectors are missing, and there is nothing that could make them.
            IndexDamagedError: If the index cannot be searched.
        """
        if embedding_function is None:
            embedding_function = self._embedding_function
        check_identity(self._chroma, embedding_function, self._state.path)
        return repairing.restore(self._chroma, embedding_function, progress=progress)

    def _finish_repair(self) -> None:
        """Go on with a repair that was interrupted.

        Raises:
            IndexDamagedError: If another process is at it, or there is nothing to embed with.
        """
        if not repairing.Mark(self._state.path, self._chroma.id):
            return
        name = self._chroma.name
        logger.warning("a repair of collection %r was interrupted, or is under way: going on with it", name)
        try:
            self.repair()
        except StoreLockedError as error:
            raise IndexDamagedError(
                f"collection {name!r} is under repair, and another process holds {self._state.path!r}: it is repairing "
                "the collection now, or holds it up; open the store when it has ended"
            ) from error
        except InvalidInputError as error:
            raise IndexDamagedError(way_out(self._chroma, f"a repair was interrupted, and {error}")) from error

    @property
    def last_changes(self) -> Changes | None:
        """What the last write of this thread or task did."""
        return self._changes.get(_caller())

    def recall(self, changes: Changes) -> Changes:
        """Keep a write's changes as the last ones of this thread or task."""
        self._changes[_caller()] = changes
        return changes

    def remember(self, changes: Changes) -> Changes:
        """Keep a write's changes for this thread or task, and tell `on_change`."""
        self._changes[_caller()] = changes
        if changes.unkeyed:
            logger.warning("%d facts beyond the 32 keys of a row stay prose", changes.unkeyed)
        if changes.retired > _MANY and self._is_unusual(changes):
            logger.warning("one write retired %d rows; see last_changes, undo() takes it back", changes.retired)
        if self._options.on_change is not None and (changes.ids or changes.changes):
            self._options.on_change(changes)
        return changes

    def _is_unusual(self, changes: Changes) -> bool:
        """Whether a write retires many more rows than it adds, or more than half of those that stood before it."""
        if changes.retired > 2 * max(changes.added, 1):
            return True
        # with those retired earlier: what is current takes long to count
        before = int(self._chroma.count()) - changes.added
        return changes.retired > before / 2

    # -- the clock, the lock ----------------------------------------------------------------

    def _now(self) -> int:
        now = self._options.clock()
        return now if isinstance(now, int) and not isinstance(now, bool) else to_micros(now, name="clock()")

    def _present(self) -> int:
        return max(self._now(), self._state.last_recorded)

    def _moment(
        self, as_of: Instant | None, known_at: Instant | None, everything: bool, stale: Stale | None = None
    ) -> Moment:
        if stale is not None and stale not in STALE:
            raise InvalidInputError(f"stale={stale!r} is none of {', '.join(STALE)}")
        around, around_known = ambient()
        known = around_known if known_at is None else to_micros(known_at, name="known_at")
        now = self._present()
        if as_of is not None:
            instant = to_micros(as_of, name="as_of")
        elif around is not None:
            instant = around
        else:
            instant = now if known is None else known
        return Moment(instant, known, bool(everything), now, stale or self._options.stale)

    def _name_scope(self, method: str, scope: Mapping[str, Any] | None, hint: str = "") -> None:
        for name in self._options.scope:
            if (scope or {}).get(name) is None:
                raise InvalidInputError(
                    f"{method} needs scope={{{name!r}: ...}}: this store separates facts by it{hint}"
                )

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Let nothing else write, with the directory locked and an interrupted write taken back."""
        state = self._state
        with state.alone():
            if state.busy:  # within a write
                yield
                return
            try:
                with telling_damage(self._chroma, state.path):
                    self._open_for_writing()
                state.busy = True
                try:
                    yield
                finally:
                    state.written(self._chroma._client)
            except BaseException:
                state.write_failed()
                raise
            finally:
                state.busy = False

    def _open_for_writing(self) -> None:
        state = self._state
        state.open_for_writing(self._chroma._client)
        fresh = state.exclusive and not state.table.covers(self._now()) and self._chroma.count() == 0
        if fresh:
            state.start_empty()
        first_time = not state.recovered
        self._writer.recover(self._now())
        if state.exclusive:
            state.usable_table(self._chroma, self._now())
        if first_time:
            keyed = len(self._chroma.get(where={TO: {"$gte": MIN_TIME}}, include=[])["ids"])
            foreign = self._chroma.count() - keyed
            if foreign:
                logger.info(
                    "%d rows of collection %r were written without memstrata: they stay valid and are never "
                    "superseded until adopt() keys them",
                    foreign,
                    self._chroma.name,
                )


def _caller() -> Any:
    """Return the running task, else the thread."""
    try:
        task = asyncio.current_task()
    except RuntimeError:
        task = None
    return task or threading.current_thread()
