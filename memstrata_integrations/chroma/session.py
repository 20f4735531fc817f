"""One collection as it was opened: its options, clock and lock, and what reads, plans and writes it."""

import logging
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from chromadb.errors import InvalidArgumentError

from memstrata_integrations.chroma import compacting, erasing, rebuild
from memstrata_integrations.chroma.arguments import read_flag, read_scope
from memstrata_integrations.chroma.callers import LastChanges
from memstrata_integrations.chroma.damage import telling_damage
from memstrata_integrations.chroma.embedding import Embedding, check_identity
from memstrata_integrations.chroma.explicit import sentence_of
from memstrata_integrations.chroma.fields import TO
from memstrata_integrations.chroma.hulls import having
from memstrata_integrations.chroma.intake import Dating, read_batch
from memstrata_integrations.chroma.keying import Keying
from memstrata_integrations.chroma.lookup import Lookup, shown_id
from memstrata_integrations.chroma.origins import source_of
from memstrata_integrations.chroma.plan import Item, Plan, admitted, with_barred
from memstrata_integrations.chroma.planning import Planner
from memstrata_integrations.chroma.reading import Reader
from memstrata_integrations.chroma.scoping import named_fields, names_scope
from memstrata_integrations.chroma.state import SharedState, shared_state
from memstrata_integrations.chroma.tombstones import Tombstones, standing
from memstrata_integrations.chroma.visibility import Question, Visibility
from memstrata_integrations.chroma.writing import Writer
from memstrata_integrations.context import ambient
from memstrata_integrations.errors import ConflictError, InvalidInputError, MemstrataError
from memstrata_integrations.ledger.changes import Changes
from memstrata_integrations.ledger.facts import Extractor, Fact
from memstrata_integrations.ledger.policy import SupersessionPolicy
from memstrata_integrations.ledger.time import MIN_TIME, Instant, to_instant
from memstrata_integrations.options import STALE, Options, Stale

logger = logging.getLogger("memstrata_integrations")

_DATE_FIELDS = ("valid_from_field", "valid_to_field")
_HOUR = 3_600_000_000
_TOLD = 3  # of the texts that were kept out
_MANY = 100  # rows that one write may retire without a word
_OFTEN = 1_000  # retired rows after which it is looked whether many are over


class Session:
    """What the methods of a store work with.

    Attributes:
        collection, options: The chromadb `Collection`; what the store was opened with.
        embedding: What makes its vectors.
        state: What this process shares about the collection.
        dating, keying: Where the dates of a write come from; what gives texts their keys.
        lookup, reader: Records by id, by key and by document; what is seen at a moment.
        planner, writer: What a batch would do; writes that down.
        last: What the last write of each caller did.
    """

    def __init__(
        self, collection: Any, embedding_function: Any, options: Options, state: SharedState | None = None
    ) -> None:
        """Open a chromadb `Collection` with options that were checked before; finish a repair that was interrupted."""
        if options.fact_template is not None:
            sentence_of(Fact("subject", "relation", "value"), options.fact_template)
        self.collection = collection
        self.options = replace(options, extractor=_read_extractor(options.extractor, options.policy))
        self.embedding = Embedding(collection, embedding_function, options.progress)
        self.state = state or shared_state(collection)
        self.dating = Dating(options.valid_from_field, options.valid_to_field)
        self.keying = Keying(
            self.options.extractor,
            scope=options.scope,
            policy=options.policy,
            key_fields=options.key_fields,
            value_field=options.value_field,
        )
        self.lookup = Lookup(collection, self.state)
        present = self.lookup.present()
        self.reader = Reader(present, Visibility(present, show_validity=options.show_validity))
        self.planner = Planner(self.lookup, self.keying, keep_deleted=options.on_delete == "retire")
        self.writer = Writer(self.lookup)
        self._retired = 0
        self.last = LastChanges()
        check_identity(collection, embedding_function, self.state.path)
        rebuild.finish(collection, embedding_function)

    def clock(self) -> int:
        """Return the time, µs."""
        now = self.options.clock()
        return now if isinstance(now, int) and not isinstance(now, bool) else to_instant(now, name="clock()")

    def present(self) -> int:
        """Return the moment that a read is about which names none, µs."""
        now = self.clock()
        self.lookup.both.look_again()
        self.state.settle(self.collection._client)
        with telling_damage(self.collection, self.state.path):
            self.state.learn_time(self.lookup.both, now)
        return max(now, self.state.last_recorded)

    def question(
        self,
        as_of: Instant | None = None,
        known_at: Instant | None = None,
        include_superseded: bool = False,
        stale: Stale | None = None,
    ) -> Question:
        """Return what a read with these keywords asks."""
        if stale is not None and (not isinstance(stale, str) or stale not in STALE):
            raise InvalidInputError(f"stale={stale!r} is none of {', '.join(STALE)}")
        around, around_known = ambient()
        known = around_known if known_at is None else to_instant(known_at, name="known_at")
        now = self.present()
        instant = around if as_of is None else to_instant(as_of, name="as_of")
        unnamed = instant is None and known is None
        if instant is None:
            instant = now if known is None else known
        shown = read_flag("include_superseded", include_superseded)
        return Question(instant, known, shown, now, stale or self.options.stale, unnamed)

    def count(self) -> int:
        """Return how many rows are valid now."""
        return self.reader.count(self.question())

    @contextmanager
    def writing(self) -> Iterator[int]:
        """Let nothing else write, with what was interrupted taken back; yield the time of the write, µs, read once."""
        state = self.state
        with state.alone():
            if state.began is not None:  # within a write
                yield state.began
                return
            now = self.clock()
            try:
                with telling_damage(self.collection, state.path):
                    self._open_for_writing(now)
                state.began = now
                try:
                    yield now
                finally:
                    state.written(self.collection._client)
            except BaseException:
                state.write_failed()
                raise
            finally:
                state.began = None

    def _open_for_writing(self, now: int) -> None:
        state = self.state
        state.open_for_writing(self.collection._client)
        self.lookup.both.look_again()
        first_time = not state.recovered
        fresh = state.exclusive and not state.table.covers(now, ended=False) and self.lookup.collection.count() == 0
        if fresh:
            state.start_empty()
        self.writer.recover(now)
        unfinished = erasing.Unfinished(state)
        if first_time and unfinished and unfinished.cut_off:
            logger.warning("collection %r: %s", self.collection.name, unfinished)
        elif first_time and unfinished:
            logger.warning("an erasure in collection %r was interrupted: finishing it", self.collection.name)
            for where in erasing.finish(self.collection, state).unfinished:
                logger.warning("it could not be finished: %s", where)
        state.learn_time(self.lookup.both, now)
        if first_time:
            foreign = self.collection.count() - having(self.collection, TO, MIN_TIME)
            what = "were written without memstrata: they stay valid and are never superseded until adopt() keys them"
            if foreign:
                logger.info("%d rows of collection %r %s", foreign, self.collection.name, what)

    # -- from texts to a write ------------------------------------------------------------

    def read(self, documents: Any = None, **columns: Any) -> list[Item]:
        """Check a batch and return its items; arguments as in a write, and ``valid_from_field``, ``valid_to_field``."""
        dating = self.dating.with_fields(*(columns.pop(name, None) for name in _DATE_FIELDS))
        return read_batch(documents=documents, dating=dating, scope=self.options.scope, **columns)

    def bar(self, items: Sequence[Item]) -> Tombstones:
        """Mark what of a batch must not be written; return the tombstones that it was held against.

        What a text takes the place of, by its word, and was purged, is no error where a tombstone tells that it was.
        """
        found = standing(self.collection, self.state)
        for item, reason in zip(items, found.barring(items), strict=True):
            item.barred = reason
            replaced = [Item(i, True, metadata=item.metadata) for i in item.replaces]
            item.replaces = tuple(i.id for i, why in zip(replaced, found.barring(replaced), strict=True) if why is None)
        return found

    def write(
        self, items: Sequence[Item], *, metadata_first: bool = False, barred_by: Tombstones | None = None
    ) -> Changes:
        """Write a batch that was checked by `read`, in order: embed it, read its facts, plan it and write that down.

        `metadata_first` stores texts with metadata before those without, as LangChain does; `barred_by` are the
        tombstones that it was held against by `bar`, if it was.
        """
        if not items:
            return self.did_nothing()
        barred_by = self.bar(items) if barred_by is None else barred_by
        kept = [i for i in admitted(items) if not i.stays]  # what was purged is shown to no model
        self._embed(kept)
        self.planner.recall(kept)
        self.keying.extract(kept)
        return self.write_read(items, metadata_first=metadata_first, barred_by=barred_by)

    def write_read(
        self, batch: Sequence[Item], *, metadata_first: bool = False, barred_by: Tombstones | None = None
    ) -> Changes:
        """Write a batch of which the facts and the vectors are known, in as many parts as Chroma needs."""
        policy = self.options.policy
        parts: list[Changes] = []
        outlived: list[str] = []
        with self.writing() as now:
            checked = barred_by is None or not self.state.exclusive
            if not checked and standing(self.collection, self.state) != barred_by:
                self.bar(batch)  # something was purged meanwhile
            items = admitted(batch)
            policy.check_dates((i.valid_from for i in items), now)
            if self.options.scope and len(items) > self.writer.batch_limit():
                self.planner.owned(items)
            if policy.guarded:
                plan = self.planner.plan(items, now)
                report = str(plan.changes(committed=False))
                policy.check(len(plan.retired()), self.count() + len(plan.fresh), report)
            for plan in self.planned(items, now):
                told = self._retired_by_source(plan, now)
                try:
                    self.writer.commit(plan, metadata_first=metadata_first)
                except InvalidArgumentError as error:
                    self.embedding.check_dimension(plan.items[0].embedding, error)
                    raise
                self.state.retirements.extend((now, source, n) for source, n in told.items())
                parts.append(plan.changes(committed=True))
                outlived += plan.outlived()
        if outlived:
            what = "were written as of a time before their documents were replaced, and are not served"
            way_out = "give no date, or one after that, or use sync"
            logger.warning("%d texts, %r first, %s: %s", len(outlived), outlived[0], what, way_out)
        changes = Changes.joined(parts) if parts else Changes((now, now))
        changes = self.remember(with_barred(changes, batch))
        self._compact_if_due(changes.retired)
        return changes

    def planned(self, items: Sequence[Item], now: int) -> Iterator[Plan]:
        """Plan a batch in as many parts as Chroma needs; each must be committed before the next one.

        A part that closes more rows than one call carries is halved as long as its halves close fewer.
        """
        limit = self.writer.batch_limit()
        queue = [(items[n : n + limit], sys.maxsize) for n in range(0, len(items), limit)]
        while queue:
            part, before = queue.pop(0)
            plan = self.planner.plan(part, now)
            moved = len(plan.ledger.moved)
            written, closed = len(plan.fresh) + moved, len(plan.closers) + len(plan.metadata_only) + moved + 1
            if len(part) > 1 and (written > limit or limit < closed < before):
                middle = len(part) // 2
                queue[:0] = [(part[:middle], closed), (part[middle:], closed)]
            else:
                yield plan

    def _compact_if_due(self, retired: int) -> None:
        """Compact after a write that retired rows, if so many are over that the options say so."""
        self._retired += retired
        share, state = self.options.compact_share, self.state
        if share is None or self._retired < _OFTEN or state.remote or state.began is not None:
            return
        self._retired = 0
        try:
            with self.writing():
                if len(compacting.ended(self.lookup, self.present())) > share * self.collection.count():
                    compacting.compact(self, None)
        except MemstrataError as error:
            logger.warning("collection %r could not be compacted: %s", self.collection.name, error)

    def _retired_by_source(self, plan: Plan, now: int) -> Counter[Any]:
        """Count the statements of others that each source would end; refuse more in an hour than the policy allows."""
        limit = self.options.policy.max_retired_an_hour
        if limit is None:
            return Counter()
        taken = (c.by for c in plan.changes(committed=False) if c.by not in (None, c.row_id))
        told = Counter(source_of(plan.metadata_of(str(by)) or {}) for by in taken)
        while self.state.retirements and self.state.retirements[0][0] <= now - _HOUR:
            self.state.retirements.popleft()
        for source, n in told.items():
            before = sum(m for _, known, m in self.state.retirements if known == source)
            if n + before > limit:
                raise ConflictError(
                    f"within an hour {dict(source) or 'texts without a source'} would have ended {n + before} "
                    f"statements, more than max_retired_an_hour={limit}; nothing of this was written. Look at "
                    "plan(...), or at undo(source=..., since=...)"
                )
        return told

    def _embed(self, items: Sequence[Item]) -> None:
        bare = [i for i in items if i.embedding is None]
        if any(i.explicit for i in bare):
            with self.writing() as now:
                self.planner.reuse_vectors(bare, now)
            bare = [i for i in bare if i.embedding is None]
        if bare:
            self.embedding.embed(bare, [self.embedding.content_of(i) for i in bare])

    def did_nothing(self) -> Changes:
        """Keep in mind that the last write told nothing, so that nobody undoes the one before it."""
        time = self.state.transaction_time(self.clock(), ())
        return self.last.keep(Changes((time, time)))

    def remember(self, changes: Changes, *, erased: bool = False) -> Changes:
        """Keep a write's changes for this thread or task, and tell `on_change`; what was `erased` cannot be undone."""
        self.last.keep(changes)
        if changes.kept_out:
            told = "; ".join(map(str, changes.kept_out[:_TOLD]))
            logger.warning("tombstones kept out %d texts: %s", len(changes.kept_out), told)
        if changes.unkeyed:
            logger.warning("%d facts beyond the 32 keys of a row stay prose", changes.unkeyed)
        if changes.retired > _MANY and not erased:
            # unusual: many more than it adds, or more than half of those that stood before, retired ones included
            many = changes.retired > 2 * max(changes.added, 1)
            if many or changes.retired > (self.collection.count() - changes.added) / 2:
                logger.warning("one write retired %d rows; see last_changes, undo() takes it back", changes.retired)
        if self.options.on_change is not None and (changes.ids or changes.changes):
            self.options.on_change(changes)
        return changes

    # -- scope ----------------------------------------------------------------------------

    def scoped(self, where: Any, scope: Mapping[str, Any] | None, *, by_id: bool = False) -> Any:
        """Return a filter narrowed to a scope; refuse one that cannot be used, or names no scope and is not `by_id`."""
        if where is not None and not isinstance(where, Mapping):
            raise InvalidInputError(f"where={where!r}; give a dict, {{'source': 'runbook.md'}}")
        named = read_scope(scope)
        if not all(names_scope(value) for value in named.values()):
            raise InvalidInputError(
                f"scope={scope!r}; give one value for each field, text or a whole number: scope={{'user_id': 'ann'}}"
            )
        clauses = [*({name: value} for name, value in named.items()), *([where] if where else [])]
        narrowed = {"$and": clauses} if len(clauses) > 1 else clauses[0] if named else where
        missing = [] if by_id else [name for name in self.options.scope if name not in named_fields(narrowed)]
        if missing:
            raise InvalidInputError(
                f"this store separates facts by {self.options.scope!r}, and this call does not name {missing[0]!r}; "
                f"pass scope={{{missing[0]!r}: ...}}, or filter on it with equality, by text or a whole number"
            )
        return narrowed

    def require_scope(self, method: str, scope: Mapping[str, Any] | None, hint: str = "") -> dict[str, Any]:
        """Return the values of the scope fields, all of which a call about facts must name, or refuse it."""
        named = read_scope(scope)
        for name in self.options.scope:
            if not names_scope(named.get(name)):
                why = f"text or a whole number: this store separates facts by it{hint}"
                raise InvalidInputError(f"{method} needs scope={{{name!r}: ...}}, {why}")
        return named

    def matching(
        self, ids: Any, where: Any, where_document: Any, limit: int | None, *, purge: bool = False
    ) -> list[str]:
        """Return the ids of the documents that a deletion names.

        By metadata: those whose newest version matches; a `purge` reaches those of which any does. By text: those of
        which a reader is shown one that matches, or is shown nothing while a stored one matches.
        """
        if where is None and where_document is None:
            return list(dict.fromkeys(ids))
        # of ids and a filter at once Chroma makes a scan for each id
        found = self.lookup.collection.get(where=where, where_document=where_document, include=[])["ids"]
        named = None if ids is None else set(ids)
        if where_document is None:
            rows = [i for i in found if named is None or i in named]
            return (self.lookup.document_ids if purge else self.lookup.named_by)(rows)[:limit]
        now = self.present()  # also where another moment is asked about around the call
        asked = Question(now, now=now, stale=self.options.stale, present=True)
        clauses = {k: v for k, v in (("where", where), ("where_document", where_document)) if v}
        matched = dict.fromkeys(self.reader.get(replace(asked, filters=clauses))["ids"])
        hidden = [i for i in self.lookup.document_ids(found) if i not in matched]
        shown = set(self.reader.get(asked, hidden)["ids"])
        matched.update(dict.fromkeys(i for i in hidden if i not in shown))
        return [i for i in matched if named is None or i in named][:limit]

    def earlier_matching(self, where: Any, document_ids: Sequence[str]) -> list[str]:
        """Return the earlier versions that match a filter, of documents that do not go as a whole."""
        rows = self.lookup.fetch(self.lookup.collection.get(where=where, include=[])["ids"])
        whole = set(document_ids)
        return [i for i, r in rows.items() if shown_id(r) != i and shown_id(r) not in whole]


def _read_extractor(given: Any, policy: SupersessionPolicy) -> Extractor | None:
    if given == "grammar":
        from memstrata_integrations.extraction.grammar import GrammarExtractor

        given = GrammarExtractor()
    extractor: Extractor | None = given.with_policy(policy) if hasattr(given, "with_policy") else given
    return extractor
