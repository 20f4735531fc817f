"""What a store offers beyond its framework's interface: the same methods on the collection and on both doors."""

import os
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from typing_extensions import Unpack

from memstrata_integrations.chroma import adopting, amending, compacting, erasing, exporting, inspection, purging
from memstrata_integrations.chroma import rebuild as repairing
from memstrata_integrations.chroma import suspects as suspecting
from memstrata_integrations.chroma.arguments import read_count, read_flag, read_id, read_ids, read_list, read_scope
from memstrata_integrations.chroma.auditing import audit
from memstrata_integrations.chroma.both import parts_of
from memstrata_integrations.chroma.plan import Item, admitted, with_barred
from memstrata_integrations.chroma.progress import progress_bar
from memstrata_integrations.chroma.rebuild import Repair
from memstrata_integrations.chroma.scoping import scope_of
from memstrata_integrations.chroma.session import Session
from memstrata_integrations.chroma.tombstones import lift
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.ledger.changes import Changes, Conflict, Suspect
from memstrata_integrations.ledger.history import Explanation, Timeline
from memstrata_integrations.ledger.time import MIN_TIME, OPEN, Instant, to_instant
from memstrata_integrations.options import WriteFields, refuse_unknown

if TYPE_CHECKING:
    from memstrata_integrations.chroma.collection import TemporalCollection

_WRITE = tuple(WriteFields.__annotations__)


class TimeSurface:
    """History, explanation, retraction, undo, purge, adoption and care of what is stored.

    Where a store has scope fields, ``scope={"user": "ann"}`` names their values, and a method that takes it needs
    it, unless an id says whose the document is.

    Raises:
        InvalidInputError: By every method, for an argument that cannot be used, a scope that is needed and not named,
            or what is not there; nothing was changed.
        StoreLockedError: By every method that changes something, if another process writes to the directory.
    """

    @property
    def temporal_collection(self) -> "TemporalCollection":
        """The wrapped collection, for what chromadb itself offers."""
        return self._collection  # type: ignore[attr-defined,no-any-return]

    @property
    def _session(self) -> Session:
        return self.temporal_collection.session

    @property
    def last_changes(self) -> Changes | None:
        """What the last write of this thread or task did."""
        return self._session.last.recall()

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
            subject, relation: What the fact is about, in any word order ("billing service port"), and which one.
            id: Instead: a document, all its versions.
            statement: Instead: a sentence; the history of the facts it states.
            scope: Also of source fields, for a subject without an entity.

        Example:
            >>> store.history("API port")  # doctest: +SKIP
        """
        named = read_scope(scope) if id is not None else self._session.require_scope("history", scope)
        about: dict[str, Any] = {"document_id": id, "statement": statement, "scope": named}
        return inspection.history(self._session, subject, relation, now=self._session.present(), **about)

    def explain(self, document_or_id: Any) -> Explanation:
        """Say why a document is served or not: its sentences, their facts and rules, what they replaced.

        It is named by its id, or by anything with an ``id`` (or ``node_id``).
        """
        ids = (document_or_id, *(getattr(document_or_id, name, None) for name in ("id", "node_id", "id_")))
        if (row_id := next((i for i in ids if isinstance(i, str) and i), None)) is None:
            raise InvalidInputError(f"{document_or_id!r} is no id and has none")
        return inspection.explain(self._session, read_id(row_id), now=self._session.present())

    def suspects(
        self, k: int = 20, *, scope: Mapping[str, Any] | None = None, look_at: int = 1_000, wide: bool = False
    ) -> list[Suspect]:
        """Return up to `k` pairs that look like an update and were not linked, the newest first; nothing is changed.

        Two statements do if they are near in the embedding, share most of their words, and differ in the value of one
        kind. Accept one with ``supersede(pair.old, pair.new)``, or ``dismiss(pair.old, pair.new)``.

        Args:
            k, scope, look_at: How many pairs at most, each of one scope; how many of the newest texts are looked at.
            wide: Instead: each of these texts with the nearest of the earlier ones, whatever words they share, unless
                they were linked. Most are no update; for a model to decide.
        """
        named = self._session.require_scope("suspects", scope)
        pairs, texts = read_count("k", k, least=1), read_count("look_at", look_at, least=1)
        with self._session.state.mutex:
            return suspecting.suspects(
                self._session.lookup, self._session.keying, k=pairs or 20, scope=named, look_at=texts or 1_000,
                wide=read_flag("wide", wide), now=self._session.present(),
            )  # fmt: skip

    def dismiss(self, old: str, new: str) -> None:
        """Say that a pair of `suspects` is no update; it is shown no more, until one of the ids has another text."""
        pair = read_id(old, "old"), read_id(new, "new")
        with self._session.writing():
            suspecting.dismiss(self._session.lookup, self._session.keying, *pair)
            self._session.state.records.pop(new, None)

    def plan(self, texts: Any, metadatas: Any = None, ids: Any = None, **told: Unpack[WriteFields]) -> Changes:
        """Tell what writing texts (or documents) would supersede, and what of them has no key and why.

        Nothing is written; see `options.WriteFields` for the other keywords.
        """
        refuse_unknown("plan", told, ("metadatas", "ids", *_WRITE), _WRITE)
        items = self._read_texts(texts, ids=ids, metadatas=metadatas, **told)
        self._session.bar(items)
        kept = admitted(items)
        self._session.keying.extract(kept)
        self._session.lookup.both.look_again()
        with self._session.state.mutex:
            plan = self._session.planner.plan(kept, self._session.clock())
        return with_barred(plan.changes(committed=False), items)

    def _read_texts(self, texts: Any, *, metadatas: Any, **told: Any) -> list[Item]:
        """Check texts, or the framework's documents, as a write would take them in."""
        listed = [texts] if hasattr(texts, "page_content") else read_list("texts", texts)
        if metadatas is None and any(hasattr(t, "page_content") for t in listed):
            metadatas = [getattr(t, "metadata", None) for t in listed]
        documents = [getattr(t, "page_content", t) for t in listed]
        return self._session.read(documents, metadatas=metadatas, **told)

    def conflicts(self, *, scope: Mapping[str, Any] | None = None) -> list[Conflict]:
        """Return what sources say against one of higher authority, the oldest first; it is kept, and not served.

        To accept one, delete what is served in its place, or write it with as high an authority; else delete it.
        """
        named = self._session.require_scope("conflicts", scope)
        with self._session.state.mutex:
            return inspection.conflicts(self._session, named, now=self._session.present())

    def supersede(self, old: str, new: str) -> Changes:
        """Say that one stored document takes the place of another, from its own beginning on; `undo` takes it back.

        Undated, it begins when it was written, as with `supersedes=`, and is not served of an earlier time any more.

        Args:
            old, new: Ids of the one that is over and of what holds now: of one scope, begun while `old` held.
        """
        named = read_id(old, "old"), read_id(new, "new")
        with self._session.writing() as now:
            changes = amending.supersede(self._session, *named, now)
        return self._session.remember(changes)

    def retract(
        self,
        subject: str,
        relation: str | None = None,
        *,
        value: Any = None,
        statement: str | None = None,
        at: Instant | None = None,
        scope: Mapping[str, Any] | None = None,
    ) -> Changes:
        """Say that a fact stopped being true, with no successor.

        It is kept as long as any text of the fact is stored: what is learned later of an earlier time ends with it. The
        same once more with one date changes nothing. Where several facts go by that name the error names them.

        Args:
            subject, relation: What the fact is about, and which one.
            value: Of several values ("allergic to"), this one; an error if that is not what the fact has then.
            statement: The one that this text states: all of it, with its titles, or what a `Fact` was given as such.
            at: From when on; by default now.
            scope: For a subject without an entity also of source fields, and of what names a part of the source
                (`section`); `{"source": None}` for that of no source. With fewer than its text has, all rows are read.
        """
        named = self._session.require_scope("retract", scope)
        instant = None if at is None else to_instant(at, name="at")
        with self._session.writing() as now:
            changes = amending.retract(self._session, subject, relation, instant, named, now, statement, value)
        return self._session.remember(changes)

    def undo(
        self,
        change_or_id: Changes | str | None = None,
        *,
        source: Any = None,
        since: Instant | None = None,
        scope: Mapping[str, Any] | None = None,
    ) -> Changes:
        """Take back a write, or all that a source told, and reopen exactly what that closed.

        Args:
            change_or_id: The `Changes` of a write, its ``id``, or a document's id (its last write); also of an
                earlier process.
            source: Instead: what the metadata of texts has as their ``source`` (``file_path``, ``url``, ``path``,
                ``title``, ``user_id``, ``session_id``): all that these texts said is taken back.
            since: With `source`: only what was recorded from then on.
            scope: Needed where a write is named by its id, of which only what lies there is taken back; a document's
                id is looked for there alone.
        """
        if (change_or_id is None) == (source is None):
            raise InvalidInputError("undo takes either a write (its changes, its id, a document's id) or source=")
        first = MIN_TIME if since is None else to_instant(since, name="since")
        write = change_or_id.id if isinstance(change_or_id, Changes) else change_or_id
        if source is None:
            write = read_id(write, "what is to be undone")
        own = source is None and (isinstance(change_or_id, Changes) or Changes.parse_id(str(write)) is None)
        named = read_scope(scope) if own else self._session.require_scope("undo", scope)
        with self._session.writing() as now:
            if source is None:
                changes = amending.undo(self._session, str(write), now, named)
            else:
                changes = amending.undo_source(self._session, source, first, now, named)
        return self._session.remember(changes)

    def purge(
        self,
        ids: Any = None,
        *,
        subject: str | None = None,
        scope: Mapping[str, Any] | None = None,
        tombstone: bool = False,
    ) -> Changes:
        """Erase documents, or all that is about a subject: every version and trace.

        Locally that goes for the files too: the log of writes, free pages, the full-text index, and the vectors in the
        index. It takes about as long as writing the index and the whole database once. Interrupted, it is finished by
        the next `purge`, ``verify(repair=True)``, or process that writes; until then `verify` tells of it.

        Args:
            ids: Documents. Also with ids that are gone it erases from the files what was deleted before.
            subject: Instead: every document that states a fact about it.
            scope: With ids: only those of them that lie in it. Alone: everything that lies there.
            tombstone: Keep digests of the ids and of all texts that go, by which later writes of them are kept out of
                the document's scope, see `Changes.kept_out`; of ids that are gone already, of these alone.
                `lift_tombstones` takes it away.

        Returns:
            What was closed. `Changes.remains` says where it may still be found and no call can erase it (on a server,
            in copies that a repair set aside), if anywhere.

        Raises:
            ErasureIncompleteError: If it was deleted, and files still hold it, since another process was reading them:
                call again when it has ended.
        """
        return purging.purge(self._session, ids, subject, scope, tombstone)

    def lift_tombstones(self, ids: Any = None, texts: Any = None, *, scope: Mapping[str, Any] | None = None) -> int:
        """Let documents be written again that were purged with ``tombstone=True``; return how many tombstones go.

        Args:
            ids, scope: Their ids: what was laid for them, and for the texts that they had; and whose they were.
            texts: Texts: what was laid for them, whichever document had them.
        """
        named = self._session.require_scope("lift_tombstones", scope)
        documents, said = read_ids([] if ids is None else ids), read_list("texts", [] if texts is None else texts, str)
        if not (documents or said) or not all(isinstance(t, str) for t in said):
            raise InvalidInputError(f"lift_tombstones takes ids, or texts; got ids={ids!r}, texts={texts!r}")
        with self._session.writing():
            return lift(self._session.lookup, documents, said, named)

    def adopt(self, valid_from_field: str | None = None, dry_run: bool = False, *, progress: bool = True) -> Changes:
        """Key the rows that other code wrote into this collection, by metadata-only updates.

        Rows are taken by their dates, undated ones in the order of the collection, which becomes the truth: look at a
        dry run first. What is keyed already is left alone, so an interrupted run goes on where it stopped.

        Args:
            valid_from_field: The metadata field that dates the rows.
            dry_run, progress: Only tell what would happen; show a bar on a terminal.
        """
        dry_run = read_flag("dry_run", dry_run)
        dating = self._session.dating.with_fields(valid_from_field, None)
        with self._session.writing() as now, progress_bar(progress, "adopt") as bar:
            changes = adopting.adopt(self._session, dating, now, dry_run=dry_run, bar=bar)
        return changes if dry_run else self._session.remember(changes)

    def compact(self, older_than: Instant | timedelta | None = None) -> int:
        """Move rows that are over into a history collection, so that reads of the present do not meet them.

        Every read answers as before, and what changes a row brings it back. Interrupted, the next call goes on.

        Args:
            older_than: Only those that ended by then, or that long ago, earlier versions included.

        Returns:
            How many rows were moved.

        Raises:
            StoreLockedError: Also if another client of a server compacts.
        """
        with self._session.writing() as now:
            if isinstance(older_than, timedelta):
                return compacting.compact(self._session, now - older_than // timedelta(microseconds=1))
            cut = None if older_than is None else to_instant(older_than, name="older_than")
            return compacting.compact(self._session, cut)

    def verify(self, *, erased: Any = None, repair: bool = False) -> list[str]:
        """Compare what is stored with what the rules derive, or prove that something was erased.

        Args:
            erased: Instead: texts, words or ids that must be nowhere. They are looked for in every file of the local
                directory (as UTF-8 and as JSON writes it; case counts), and the index for vectors of deleted rows;
                without a directory in the rows. Give strings that nothing else contains.
            repair: Mend what can be mended: finish or take back a write that was cut off, and an erasure; store anew
                the intervals that differ; overwrite what Chroma put of its process's memory into its index.

        Returns:
            One line for each row of which readers would get a wrong answer, and one for an erasure that is unfinished;
            none for what readers see through by themselves: a write under way or cut off, and what two clients of a
            server left open by writing one key at once. With `repair`, what is left of the lines. With `erased`, one
            for each place where a text is found, which gives its number and does not repeat it.
        """
        if erased is not None:
            return erasing.prove(self._session.collection, self._session.state, erased)
        session = self._session
        unfinished = erasing.Unfinished(session.state)
        if repair:
            session.state.recovered = False  # whatever was cut off since is looked for again
            with session.writing() as now:
                if unfinished.cut_off:
                    purging.erase(session, (), unfinished, now)
                if unfinished:
                    erasing.finish(session.collection, session.state)
                else:
                    erasing.overwrite_unused(session.collection, session.state)
                inspection.mend(session, session.present())
        session.lookup.both.look_again()
        with session.state.mutex:
            found = inspection.verify(session)
        return [*found, *([str(unfinished)] if unfinished else [])]

    def audit(
        self, scope: Mapping[str, Any] | None = None, since: Instant | None = None, until: Instant | None = None
    ) -> Iterator[dict[str, Any]]:
        """Return the audit trail, in order of transaction time: a plain dict for each statement that lost validity.

        ``kind`` is ``superseded`` (another value took its place), ``retracted``, ``ended`` (its document ended),
        ``version`` (its document was written again without it), ``undone`` (its own write was taken back), or
        ``purged`` (what closed it was erased). ``recorded_at`` is when, between `since` and `until`; ``valid_from`` and
        ``valid_to`` the stretch in which it is not told any more, ISO 8601 in UTC, `None` for no beginning and no end.
        ``subject``, ``relation``, ``old``, ``new`` and ``rule`` tell the fact and what read the new value; ``retired``
        and ``by`` the texts: id, version, statement, rule, the user's metadata. ``undone_at`` is set where the
        retirement was taken back. What `purge` erased is not in it, nor a fact that ends on a date of its own.
        """
        named = self._session.require_scope("audit", scope)
        first = MIN_TIME if since is None else to_instant(since, name="since")
        end = OPEN if until is None else to_instant(until, name="until")
        self._session.lookup.both.look_again()
        with self._session.state.mutex:
            return audit(self._session.lookup, scope_of(named, list(named)), first, end)

    def export_history(
        self, file: str | os.PathLike[str], *, vectors: bool = True, progress: bool = True
    ) -> exporting.Export:
        """Write the whole history into one file of JSON lines, from which `import_history` makes it again.

        All rows that were acknowledged, superseded ones and earlier versions included, with texts, metadata and the
        ledger's fields; a header with counts and a checksum. Writers of this process wait meanwhile.

        Args:
            file: Where to; compressed if its name ends in ``.gz``. What is there is replaced once it is whole.
            vectors, progress: Write the vectors too, which else are made again at the import; show a bar on a terminal.

        Raises:
            StorageError: If others go on writing to the collection meanwhile, or its vectors cannot be read.
        """
        with self._session.state.alone():
            now = self._session.present()
            return exporting.export(self._session.lookup, file, vectors=vectors, progress=progress, now=now)

    def repair(self, embedding_function: Any = None, *, progress: bool = True) -> Repair:
        """Embed the rows again that `get` lists and `query` does not reach.

        Interrupted, it goes on at the next opening. What cannot be opened is for `memstrata_integrations.repair`.

        Args:
            embedding_function: What made the vectors, as in `TemporalCollection`; by default the store's own.
            progress: Show a bar on a terminal.

        Raises:
            IndexDamagedError: If the index cannot be searched.
        """
        chosen = self._session.embedding.function if embedding_function is None else embedding_function
        first, *more = (repairing.restore(p, chosen, progress=progress) for p in parts_of(self._session.collection))
        return sum(more, first)
