"""`TemporalCollection`: a chromadb collection that keeps facts valid in time."""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from chromadb.api.types import DefaultEmbeddingFunction
from chromadb.errors import InvalidArgumentError
from typing_extensions import Unpack

from memstrata_integrations.chroma import amending
from memstrata_integrations.chroma.arguments import (
    MOST,
    read_count,
    read_id,
    read_ids,
    read_list,
    read_scope,
    read_vectors,
)
from memstrata_integrations.chroma.embedding import (
    check_identity,
    embedded_text,
    embedder,
    own_function,
    query_embedder,
    vectors_of,
)
from memstrata_integrations.chroma.explicit import sentence_of, stated, stated_again
from memstrata_integrations.chroma.fields import TO, decode, user_metadata
from memstrata_integrations.chroma.intake import Dating, DimensionMismatchError, read_batch, spread
from memstrata_integrations.chroma.keying import Keying
from memstrata_integrations.chroma.origins import SOURCE_FIELDS
from memstrata_integrations.chroma.plan import Item
from memstrata_integrations.chroma.reading import Reader
from memstrata_integrations.chroma.scoping import names_scope
from memstrata_integrations.chroma.state import shared_state
from memstrata_integrations.chroma.syncing import sync
from memstrata_integrations.chroma.timed import Ledgered
from memstrata_integrations.chroma.writing import Writer
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.ledger.changes import Changes
from memstrata_integrations.ledger.facts import Extractor, Fact
from memstrata_integrations.ledger.policy import SupersessionPolicy
from memstrata_integrations.ledger.time import Instant
from memstrata_integrations.options import PREFIX, OptionFields, Options, Stale, refuse_unknown

__all__ = ["TemporalCollection"]

_SCALAR = (str, int, float, bool, type(None))
_GET = ("metadatas", "documents")
_QUERY = ("metadatas", "documents", "distances")
_WRITE = (
    "ids", "documents", "metadatas", "embeddings", "images", "uris", "valid_from", "valid_to", "facts", "supersedes",
)  # fmt: skip
_DATE_FIELDS = ("valid_from_field", "valid_to_field")
_READ = (
    "as_of", "known_at", "include_superseded", "scope", "stale", "where", "where_document", "ids", "include", "limit",
)  # fmt: skip


class TemporalCollection(Ledgered):
    """A chromadb `Collection` whose facts have a time: same methods, and no stale facts.

    Writes pass the supersession hook: a text that gives a known (subject, relation) another
    object closes what said so before. Reads pass the validity filter: they see what is valid
    now, or at ``as_of``. What is superseded stays in the ledger.

    It keeps Chroma's methods ``add upsert update delete get query search count peek modify
    fork``; nothing else of the collection is reachable through it, so nothing reads around the
    filter. ``add`` of an id that exists is no silent no-op: it is a new version of that text.

    Args:
        collection: A chromadb `Collection` of an ephemeral, persistent or HTTP client.
        embedding_function: What made, and makes, the vectors of this collection where none are given: of
            LangChain's, LlamaIndex's or chromadb's kind, or a callable that takes texts. By default the
            function that the collection was opened or created with. Chroma's own default, which downloads a
            model, is never taken unasked: give ``DefaultEmbeddingFunction()`` to have it.
        options: See `options.Options`: ``extractor scope policy valid_from_field valid_to_field on_delete show_validity
            stale rank_redacted key_fields value_field fact_template clock on_change``.

    Raises:
        InvalidInputError: For an option that cannot be used.
        IndexDamagedError: If a repair was interrupted that cannot go on here: another process is at it, or there
            is nothing to embed with.

    Example:
        >>> import chromadb
        >>> chroma = chromadb.EphemeralClient()
        >>> raw = chroma.get_or_create_collection("ports", embedding_function=None)
        >>> ports = TemporalCollection(raw)
        >>> ports.add(ids=["a"], documents=["The API port is 8080."], embeddings=[[1.0, 0.0]])
        >>> ports.add(ids=["b"], documents=["The API port is 9090."], embeddings=[[1.0, 0.1]])
        >>> ports.get()["ids"]
        ['b']
    """

    def __init__(self, collection: Any, *, embedding_function: Any = None, **options: Unpack[OptionFields]) -> None:
        """Wrap `collection` (a chromadb one); arguments as in the class docstring."""
        self._setup(collection, embedding_function, Options.of("TemporalCollection", options, ["embedding_function"]))

    @classmethod
    def opened(cls, collection: Any, embedding_function: Any, options: Options) -> TemporalCollection:
        """Wrap a collection with options that were checked before."""
        made = cls.__new__(cls)
        made._setup(collection, embedding_function, options)
        return made

    def _setup(self, collection: Any, embedding_function: Any, options: Options) -> None:
        if isinstance(collection, TemporalCollection):
            collection = collection._chroma
        if embedding_function is not None:
            embedder(embedding_function)
        if options.fact_template is not None:
            sentence_of(Fact("subject", "relation", "value"), options.fact_template)
        self._options = replace(options, extractor=_read_extractor(options.extractor, options.policy))
        self._chroma = collection
        self._state = shared_state(collection)
        self._dating = Dating(options.valid_from_field, options.valid_to_field)
        self._embedding_function = embedding_function
        self._as_stock = False
        self._keying = Keying(
            self._options.extractor,
            scope=options.scope,
            policy=options.policy,
            key_fields=options.key_fields,
            value_field=options.value_field,
        )
        self._reader = Reader(collection, self._state, show_validity=options.show_validity)
        self._writer = Writer(
            collection, self._state, self._reader, keying=self._keying, keep_deleted=options.on_delete == "retire"
        )
        self._changes = weakref.WeakKeyDictionary()
        check_identity(collection, embedding_function, self._state.path)
        self._finish_repair()

    # -- what it is -----------------------------------------------------------------------

    @property
    def id(self) -> Any:
        """The collection's UUID."""
        return self._chroma.id

    @property
    def name(self) -> str:
        """The collection's name."""
        return str(self._chroma.name)

    @property
    def metadata(self) -> dict[str, Any] | None:
        """The collection's own metadata."""
        found = self._chroma.metadata
        return None if found is None else {k: v for k, v in found.items() if not k.startswith(PREFIX)} or None

    @property
    def configuration(self) -> Any:
        """The collection's index configuration."""
        return self._chroma.configuration

    @property
    def configuration_json(self) -> Any:
        """The collection's index configuration as JSON."""
        return self._chroma.configuration_json

    @property
    def schema(self) -> Any:
        """The collection's schema."""
        return self._chroma.schema

    @property
    def tenant(self) -> str:
        """The tenant that owns the collection."""
        return str(self._chroma.tenant)

    @property
    def database(self) -> str:
        """The database that holds the collection."""
        return str(self._chroma.database)

    def __repr__(self) -> str:
        return f"TemporalCollection(name={self.name!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TemporalCollection) and bool(self._chroma == other._chroma)

    __hash__ = None  # type: ignore[assignment]

    # -- writes ---------------------------------------------------------------------------

    def add(
        self,
        ids: Any = None,
        embeddings: Any = None,
        metadatas: Any = None,
        documents: Any = None,
        images: Any = None,
        uris: Any = None,
        *,
        valid_from: Any = None,
        valid_to: Any = None,
        facts: Any = None,
        supersedes: Any = None,
        **unknown: Any,
    ) -> None:
        """Add texts, in order; see `write`, which also says what it did."""
        refuse_unknown("add", unknown, _WRITE)
        self.write(
            ids=ids,
            embeddings=embeddings,
            metadatas=metadatas,
            documents=documents,
            images=images,
            uris=uris,
            valid_from=valid_from,
            valid_to=valid_to,
            facts=facts,
            supersedes=supersedes,
        )

    upsert = add

    def write(
        self,
        documents: Any = None,
        *,
        ids: Any = None,
        embeddings: Any = None,
        metadatas: Any = None,
        images: Any = None,
        uris: Any = None,
        valid_from: Any = None,
        valid_to: Any = None,
        facts: Any = None,
        supersedes: Any = None,
        **unknown: Any,
    ) -> Changes:
        """Write texts through the supersession hook; order decides within the batch.

        Args:
            documents: Texts.
            ids: One for each text; missing ones are made. A known id with other content is a
                new version of that document.
            embeddings: float32, ``(n, dim)``; by default a text that is stored under its id already keeps its
                vector, and of the others `embedding_function` makes them.
            metadatas: One dict, or `None`, for each text.
            images, uris: As in Chroma.
            valid_from: From when the texts hold: one instant, or one for each text. By default
                the metadata field `valid_from_field`, else the moment of writing for facts,
                always for prose.
            valid_to: Until when, exclusive; by default open.
            facts: What the texts state, where you know it: for one text a `Fact` or a list of them, else an entry (a
                `Fact`, a list, or `None`) for each text. What they cover is not read by the extractor.
            supersedes: Ids of documents whose place the texts take, whatever they say; shaped like `facts`.

        Returns:
            What was added and closed, with one id for each text.

        Raises:
            InvalidInputError: For input that cannot be stored as it is, or if there is nothing to embed it with.
            ConflictError: If the policy forbids to retire so much.
            StoreLockedError: If another process writes to this directory.

        Nothing is written when it raises, or when it is killed before it returns. A call of
        more rows than `get_max_batch_size()` is so for each part of that size.
        """
        refuse_unknown("write", unknown, _WRITE)
        items = self.read(
            documents,
            ids=ids,
            embeddings=embeddings,
            metadatas=metadatas,
            images=images,
            uris=uris,
            valid_from=valid_from,
            valid_to=valid_to,
            facts=facts,
            supersedes=supersedes,
        )
        return self.write_items(items)

    def add_facts(
        self,
        facts: Any,
        *,
        ids: Any = None,
        metadatas: Any = None,
        embeddings: Any = None,
        valid_from: Any = None,
        valid_to: Any = None,
        supersedes: Any = None,
        **unknown: Any,
    ) -> Changes:
        """Write facts that you state outright, each as a text of its own.

        Args:
            facts: A `Fact`, or a list of them; one whose value is `None` ends what is known of its key. Without a
                statement, a fact is stored as a sentence made of its parts (`fact_template`).
            ids, metadatas, embeddings, supersedes: One for each fact, as in `write`.
            valid_from, valid_to: As in `write`; a fact's own dates go before.

        Returns:
            What was added and closed, with one id for each fact.

        Raises:
            InvalidInputError: For what is no `Fact`, and as in `write`.

        Example:
            >>> store.add_facts([Fact("checkout", "timeout", "45 s", valid_from="2024-06-01")])  # doctest: +SKIP
        """
        refuse_unknown("add_facts", unknown, ("ids", "metadatas", "embeddings", "valid_from", "valid_to", "supersedes"))
        listed = stated(facts)
        if not listed:
            return self.write_items([])
        starts, ends = spread("valid_from", valid_from, listed), spread("valid_to", valid_to, listed)
        items = self.read(
            [sentence_of(f, self._options.fact_template) for f in listed],
            ids=ids,
            metadatas=metadatas,
            embeddings=embeddings,
            valid_from=[d if f.valid_from is None else f.valid_from for f, d in zip(listed, starts, strict=True)],
            valid_to=[d if f.valid_to is None else f.valid_to for f, d in zip(listed, ends, strict=True)],
            facts=[[replace(f, valid_from=None, valid_to=None)] for f in listed],
            supersedes=supersedes,
        )
        return self.write_items(items)

    def supersede(self, old: str, new: str) -> Changes:
        """Say that one stored document takes the place of another, from its own beginning on.

        Args:
            old: The document that is over.
            new: The one that holds in its place.

        Returns:
            What was closed; `undo` takes it back.

        Raises:
            InvalidInputError: If one of them is not there, or they lie in two scopes.
        """
        first, second = read_id(old, "old"), read_id(new, "new")
        with self._writing():
            changes = amending.supersede(self._writer, first, second, self._now())
        return self.remember(changes)

    def read(self, documents: Any = None, **columns: Any) -> list[Item]:
        """Check a batch and return its items, before the cost of embedding it; arguments as in `write`.

        ``valid_from_field`` and ``valid_to_field`` go before the collection's own.

        Raises:
            InvalidInputError: For input that cannot be stored as it is.
        """
        refuse_unknown("read", [name for name in columns if name not in _WRITE + _DATE_FIELDS], _WRITE + _DATE_FIELDS)
        dating = self._dating.with_fields(*(columns.pop(name, None) for name in _DATE_FIELDS))
        return read_batch(documents=documents, dating=dating, scope=self._options.scope, **columns)

    def attach(self, items: Sequence[Item], embeddings: Any) -> None:
        """Give items their vectors, float32, ``(n, dim)``."""
        items = _checked(items)
        for item, vector in zip(items, vectors_of(lambda _: embeddings, items), strict=True):
            item.embedding = vector

    def _embed(self, items: Sequence[Item]) -> None:
        """Give the items that have no vectors theirs, before anything is written.

        Raises:
            InvalidInputError: If nothing that the user chose could make one.
        """
        bare = [i for i in items if i.embedding is None]
        if any(i.explicit for i in bare):
            with self._writing():
                self._writer.reuse_vectors(bare, self._now())
            bare = [i for i in bare if i.embedding is None]
        if bare:
            self.attach(bare, embedder(self._embeds())([self._content(i) for i in bare]))

    def _content(self, item: Item) -> Any:
        """Return what is embedded of an item: its text, its picture, or what its URI leads to."""
        if item.document is not None:
            return embedded_text(item.document, item.metadata)
        if item.image is not None:
            return item.image
        if item.uri is None or self._chroma._data_loader is None:
            raise InvalidInputError(f"there is nothing to embed of row {item.id!r}; give embeddings=")
        return self._chroma._data_loader([item.uri])[0]

    def _embeds(self) -> Any:
        """Return what embeds texts and questions here: what the user chose, for the store or for the collection.

        Raises:
            InvalidInputError: If nobody chose anything.
        """
        found = own_function(self._chroma) if self._embedding_function is None else self._embedding_function
        if found is None and self._as_stock:
            return DefaultEmbeddingFunction()
        if found is None:
            raise InvalidInputError(
                f"nothing was chosen to embed texts of collection {self._chroma.name!r} with; give embeddings=, or "
                "embedding_function= when you open it (embed_model= of LlamaIndex's store). Chroma's default downloads "
                "a model, and is taken only if you ask for it: embedding_function=DefaultEmbeddingFunction()"
            )
        return found

    def write_items(self, items: Sequence[Item], *, metadata_first: bool = False) -> Changes:
        """Write a batch that was checked by `read`.

        Args:
            items: The batch; its order decides what supersedes what.
            metadata_first: Store texts with metadata before those without, as LangChain does.
        """
        items = _checked(items)
        if not items:
            return Changes((self._present(), self._present()))
        self._embed(items)
        self._recall(items)
        self._keying.extract(items)
        return self._write_items(items, metadata_first=metadata_first)

    def _recall(self, items: Sequence[Item]) -> None:
        """Give items what is stored of them: their metadata, and what was stated outright of the same text."""
        asked = [i for i in items if i.explicit and i.document is not None]
        if not asked or not (self._keying.key_fields or self._reader.outright()):
            return
        stored = self._reader.fetch([i.id for i in asked], ("documents",))
        for item in asked:
            record = stored.get(item.id)
            if record is not None:
                item.known = user_metadata(record["metadata"]) or {}
                if not item.stated and record["document"] == item.document:
                    facts = decode(item.id, record["metadata"], record["document"]).facts
                    item.stated = stated_again(facts, record["document"] or "")

    def _write_items(self, items: Sequence[Item], *, metadata_first: bool = False) -> Changes:
        limit = self._writer.batch_limit()
        parts: list[Changes] = []
        with self._writing():
            if self._options.scope and len(items) > limit:
                self._writer.owned(items)
            if self._options.policy.guarded:
                plan = self._writer.plan(items, self._now())
                report = str(plan.changes(committed=False))
                self._options.policy.check(len(plan.retired()), self.count() + len(plan.fresh), report)
            queue = [items[n : n + limit] for n in range(0, len(items), limit)]
            while queue:
                part = queue.pop(0)
                plan = self._writer.plan(part, self._now())
                calls = len(plan.fresh) + len(plan.ledger.moved) + len(plan.closers) + len(plan.metadata_only)
                if calls > limit and len(part) > 1:
                    queue[:0] = [part[: len(part) // 2], part[len(part) // 2 :]]
                    continue
                try:
                    self._writer.commit(plan, metadata_first=metadata_first)
                except InvalidArgumentError as error:
                    raise _dimension_mismatch(self._chroma, part[0].embedding, error) from error
                parts.append(plan.changes(committed=True))
        return self.remember(_joined(parts))

    def sync(
        self,
        source: str,
        documents: Sequence[str],
        *,
        ids: Sequence[str | None] | None = None,
        metadatas: Sequence[Mapping[str, Any] | None] | None = None,
        embeddings: Any = None,
        field: str = "source",
        valid_from: Instant | None = None,
        scope: Mapping[str, Any] | None = None,
    ) -> Changes:
        """Say that these texts are all that a source holds: what it held besides ends, and keeps its history.

        Texts that are stored already stay as they are, and so do the dates of facts that the
        source goes on stating. Nothing is embedded or written that has not changed.

        Args:
            source: Which source, for instance a page or a file.
            documents: All its texts; none at all ends the source.
            ids: One for each text; without one, a stored text of the source that reads the same keeps its id.
            metadatas: One dict, or `None`, for each text.
            embeddings: float32, ``(n, dim)``; by default `embedding_function` makes those that are needed.
            field: The metadata field that holds the source; it is set where it is missing.
            valid_from: From when this holds; by default now.
            scope: Values of the scope fields; they are set where they are missing. Another scope's source of
                the same name is another source.

        Returns:
            What was added, closed and ended.

        Raises:
            InvalidInputError: If a text names another source, or the store has scope fields and the
                texts and `scope` do not name one value of each.
        """
        vectors = read_vectors(embeddings)
        return sync(
            self,
            source,
            documents,
            ids=ids,
            metadatas=metadatas,
            embed=None if vectors is None else lambda wanted: [vectors[n] for n in wanted],
            field=field,
            valid_from=valid_from,
            scope=scope,
        )

    def update(
        self,
        ids: Any,
        embeddings: Any = None,
        metadatas: Any = None,
        documents: Any = None,
        images: Any = None,
        uris: Any = None,
        *,
        valid_from: Any = None,
        valid_to: Any = None,
    ) -> None:
        """Update rows that exist; other ids are ignored, as in Chroma.

        A new document is a new version. Without documents, metadata is merged and vectors are
        replaced in place.

        Raises:
            InvalidInputError: For input that cannot be stored, or that would move a row to another scope.
        """
        wanted = read_ids(ids)
        if documents is None and images is None:
            self._update_in_place(wanted, embeddings, metadatas, uris)
            return
        items = read_batch(
            ids=wanted,
            documents=documents,
            metadatas=metadatas,
            embeddings=embeddings,
            images=images,
            uris=uris,
            valid_from=valid_from,
            valid_to=valid_to,
            dating=self._dating,
        )
        stored = self._reader.fetch(wanted, ("documents",))
        known = {i for i, r in stored.items() if not decode(i, r["metadata"], r["document"]).deleted}
        items = [i for i in items if i.id in known]
        if items:
            self._embed(items)
            self._recall(items)
            self._keying.extract(items)
            self._write_items(items)

    def _update_in_place(self, ids: Sequence[str], embeddings: Any, metadatas: Any, uris: Any) -> None:
        """Merge metadata into rows, and key them anew if that names a scope or another source."""
        checked = read_batch(
            ids=list(ids),
            metadatas=metadatas,
            embeddings=embeddings,
            uris=uris or [""] * len(ids),
            dating=Dating(None, None),
        )
        keyed = {*self._options.scope, *SOURCE_FIELDS, *self._keying.key_fields, self._keying.value_field}
        whole = self._keying.key_fields and self._keying.value_field is None  # a row that is its own value
        with self._writing():
            moved = [i for i in checked if i.metadata and (whole or keyed & set(i.metadata))]
            if self._options.scope:
                self._writer.owned(moved)
            self._chroma.update(ids=list(ids), embeddings=embeddings, metadatas=metadatas, uris=uris)
            self._state.versions.clear()
            for row_id in ids:
                self._state.records.pop(row_id, None)
            if moved:
                records = self._reader.fetch([i.id for i in moved], ("documents", "embeddings"))
                items = [
                    Item(
                        id=i.id,
                        explicit=True,
                        document=records[i.id]["document"],
                        metadata=i.metadata,
                        embedding=records[i.id]["embedding"],
                        known=user_metadata(records[i.id]["metadata"]) or {},
                        stated=stated_again(
                            decode(i.id, records[i.id]["metadata"]).facts, records[i.id]["document"] or ""
                        ),
                    )
                    for i in moved
                    if i.id in records
                ]
                self._keying.extract(items)
                items = [i for i in items if self._writer.keys_changed(i, records[i.id])]
                if items:
                    self._write_items(items)

    def delete(
        self,
        ids: Any = None,
        where: Any = None,
        where_document: Any = None,
        limit: int | None = None,
        *,
        scope: Mapping[str, Any] | None = None,
    ) -> dict[str, int]:
        """Delete rows by id or filter, superseded ones and earlier versions included.

        What a row alone held stays a gap: nothing superseded comes back. With
        ``on_delete="retire"`` the rows end and their history stays.

        Args:
            ids, where, where_document, limit: As in Chroma.
            scope: Values of the scope fields: of the ids, or of what the filters match, only rows of this scope.

        Returns:
            How many rows matched, as in Chroma.

        Raises:
            ValueError: As in Chroma, if neither ids nor a filter is given, or a filter cannot be read.
            InvalidInputError: For ids, a limit or a scope that are none; or if the scope is not named.
        """
        if ids is not None:
            ids = read_ids(ids)
        if ids is None and where is None and where_document is None:
            raise InvalidInputError("At least one of ids, where, or where_document must be provided in delete.")
        if limit is not None and where is None and where_document is None:
            raise InvalidInputError("limit can only be specified when a where or where_document clause is provided")
        limit, own = read_count("limit", limit), read_scope(scope)
        where = self._scoped(where, own if ids is None else None)
        self._check_scope(where, ids)
        with self._writing():
            named = None if ids is None else self._reader.ids_within(ids, own)
            matched = self._matching(named, where, where_document, limit)
            changes = amending.delete(self._writer, matched, self._now(), retire=self._options.on_delete == "retire")
        self.remember(changes)
        return {"deleted": len(changes.ids)}

    def _matching(self, ids: Any, where: Any, where_document: Any, limit: int | None) -> list[str]:
        """Return document ids that a deletion names."""
        if where is None and where_document is None:
            return list(dict.fromkeys(ids))
        # of ids and a filter at once Chroma makes a scan for each id
        found = self._chroma.get(where=where, where_document=where_document, include=[])["ids"]
        named = None if ids is None else set(ids)
        matched = [i for i in found if named is None or i in named][:limit]
        return self._reader.document_ids(matched)

    # -- reads ----------------------------------------------------------------------------

    def query(
        self,
        query_embeddings: Any = None,
        query_texts: Any = None,
        query_images: Any = None,
        query_uris: Any = None,
        ids: Any = None,
        n_results: int = 10,
        where: Any = None,
        where_document: Any = None,
        include: Sequence[str] = _QUERY,
        *,
        as_of: Instant | None = None,
        known_at: Instant | None = None,
        include_superseded: bool = False,
        scope: Mapping[str, Any] | None = None,
        stale: Stale | None = None,
        **unknown: Any,
    ) -> dict[str, Any]:
        """Return the nearest rows that are valid, `n_results` of them whenever there are as many.

        Args:
            query_embeddings, query_texts, query_images, query_uris: One of them, as in Chroma; texts are embedded
                by what embeds the collection's own, see `embedding_function`.
            ids: Search among these only.
            n_results: How many rows for each query, 1 or more; as many as there are, if there are fewer.
            where, where_document: The user's filters; they never bring back a stale row.
            include: Chroma's field names.
            as_of: Valid time that is asked about; by default now.
            known_at: Answer what a reader at this time was answered.
            include_superseded: Return rows that are not valid, too, and all as they were written.
            scope: Values of the scope fields, AND-ed to `where`.
            stale: Instead of the collection's own.

        Returns:
            Chroma's `QueryResult`; distances, lower is closer. Those of texts of which statements were
            taken out, and their vectors, are those of what is left, see `rank_redacted`.

        Raises:
            ValueError, TypeError: As in Chroma, for vectors, ids, filters, fields or a number that it cannot use.
            InvalidInputError: For a time or a scope that is none, or if the scope is not named; or if there is nothing
                to embed a question with.
        """
        refuse_unknown("query", unknown, (*_READ, "n_results"))
        moment = self._moment(as_of, known_at, include_superseded, stale)
        where = self._scoped(where, scope)
        self._check_scope(where, None)
        ranked_by = None if self._embedding_function is None else embedder(self._embedding_function)
        if (query_images is not None or query_uris is not None) and own_function(self._chroma) is None:
            raise InvalidInputError(
                f"collection {self._chroma.name!r} has no embedding function for pictures; give query_embeddings="
            )
        if query_texts is not None:
            function = self._embeds()
            ranked_by = embedder(function)
            texts = read_list("query_texts", query_texts)
            if texts and query_embeddings is None and query_images is None and query_uris is None:
                query_embeddings, query_texts = query_embedder(function)(texts), None
        request = self._chroma._validate_and_prepare_query_request(
            query_embeddings=query_embeddings,
            query_texts=query_texts,
            query_images=query_images,
            query_uris=query_uris,
            ids=ids,
            n_results=n_results,
            where=where,
            where_document=where_document,
            include=_included(include),
        )
        n_results = min(int(n_results), MOST)
        filters = {k: v for k, v in (("ids", ids), ("where", where), ("where_document", where_document)) if v}
        try:
            return self._reader.query(
                request["embeddings"],
                n_results,
                moment,
                include,
                filters,
                ranked_by if self._options.rank_redacted == "served" else None,
            )
        except InvalidArgumentError as error:
            raise _dimension_mismatch(self._chroma, request["embeddings"][0], error) from error

    def get(
        self,
        ids: Any = None,
        where: Any = None,
        limit: int | None = None,
        offset: int | None = None,
        where_document: Any = None,
        include: Sequence[str] = _GET,
        *,
        as_of: Instant | None = None,
        known_at: Instant | None = None,
        include_superseded: bool = False,
        scope: Mapping[str, Any] | None = None,
        stale: Stale | None = None,
        **unknown: Any,
    ) -> dict[str, Any]:
        """Return rows by id or filter that are valid; `limit` and `offset` count those.

        The keywords are those of `query`. Reading by id needs no scope: an id names its row.

        Raises:
            ValueError: As in Chroma, for ids, filters or fields that it cannot read.
            InvalidInputError: For a time, a number of rows or a scope that is none; or if the scope is not named.
        """
        refuse_unknown("get", unknown, (*_READ, "offset"))
        moment = self._moment(as_of, known_at, include_superseded, stale)
        where = self._scoped(where, scope)
        self._check_scope(where, ids)
        include = _included(include)
        limit, offset = read_count("limit", limit), read_count("offset", offset)
        self._chroma._validate_and_prepare_get_request(
            ids=ids, where=where, where_document=where_document, include=_included(include)
        )
        listed = None if ids is None else ([ids] if isinstance(ids, str) else list(ids))
        filters = {k: v for k, v in (("where", where), ("where_document", where_document)) if v}
        return self._reader.get(listed, limit, offset, moment, include, filters)

    def count(
        self,
        *,
        as_of: Instant | None = None,
        known_at: Instant | None = None,
        include_superseded: bool = False,
    ) -> int:
        """Return how many rows are valid."""
        return self._reader.count(self._moment(as_of, known_at, include_superseded))

    def peek(self, limit: int = 10) -> dict[str, Any]:
        """Return the first `limit` rows that are valid, vectors included."""
        return self.get(limit=limit, include=["embeddings", "metadatas", "documents"])

    def search(self, searches: Any, **kwargs: Any) -> Any:
        """Run Chroma's hybrid search on what is valid now.

        Only hosted Chroma serves it; a local one raises, as stock does. The validity clause is
        AND-ed to each search, so rows that were written without this package are not found
        before `adopt`.
        """
        from chromadb.execution.expression import Gt, Lte, Search

        moment = self._moment(None, None, False)
        listed = read_list("searches", searches, Search)
        if not all(isinstance(search, Search) for search in listed):
            raise InvalidInputError(f"searches={searches!r}; give chromadb.Search, or a list of them")
        narrowed = []
        for search in listed:
            valid = Lte("memstrata_from", moment.instant) & Gt(TO, moment.instant)
            clause = valid if search._where is None else search._where & valid
            narrowed.append(
                Search(
                    where=clause,
                    rank=search._rank,
                    group_by=search._group_by,
                    limit=search._limit,
                    select=search._select,
                )
            )
        return self._chroma.search(narrowed, **kwargs)

    # -- the collection itself ------------------------------------------------------------

    def modify(self, name: str | None = None, metadata: Any = None, configuration: Any = None) -> None:
        """Change the collection's name, metadata or index configuration."""
        if metadata is not None:
            if not isinstance(metadata, Mapping) or not all(isinstance(v, _SCALAR) for v in metadata.values()):
                raise InvalidInputError(f"metadata={metadata!r} of a collection; give a dict of texts and numbers")
            reserved = [k for k in metadata if str(k).startswith(PREFIX)]
            if reserved:
                raise InvalidInputError(f"collection metadata {reserved[0]!r} is reserved, rename it")
            kept = {k: v for k, v in (self._chroma.metadata or {}).items() if k.startswith(PREFIX)}
            metadata = {**metadata, **kept}
        self._chroma.modify(name=name, metadata=metadata, configuration=configuration)

    def fork(self, new_name: str) -> TemporalCollection:
        """Fork the collection, where the server can; the copy keeps the same settings."""
        return self._with(self._chroma.fork(new_name))

    def _with(self, collection: Any) -> TemporalCollection:
        made = TemporalCollection.opened(collection, self._embedding_function, self._options)
        made._as_stock = self._as_stock
        return made

    # -- scope ----------------------------------------------------------------------------

    def _scoped(self, where: Any, scope: Mapping[str, Any] | None) -> Any:
        """Return a filter of the user's, narrowed to a scope."""
        if where is not None and not isinstance(where, Mapping):
            raise InvalidInputError(f"where={where!r}; give a dict, {{'source': 'runbook.md'}}")
        named = read_scope(scope)
        if not all(names_scope(value) for value in named.values()):
            raise InvalidInputError(f"scope={scope!r}; give one value for each field: scope={{'user_id': 'ann'}}")
        clauses: list[Any] = [{name: value} for name, value in named.items()]
        if not clauses:
            return where
        if where:
            clauses.append(where)
        return clauses[0] if len(clauses) == 1 else {"$and": clauses}

    def _check_scope(self, where: Any, ids: Any) -> None:
        if not self._options.scope or ids is not None:
            return
        named = _named_fields(where)
        for name in self._options.scope:
            if name not in named:
                raise InvalidInputError(
                    f"this store separates facts by {self._options.scope!r}, and this call does not name {name!r}; "
                    f"pass scope={{{name!r}: ...}}, or filter on it with equality"
                )


def _included(include: Any) -> Any:
    """Return Chroma's field names as it wants them; what else is given it refuses itself."""
    return list(include) if isinstance(include, (list, tuple)) else include


def _checked(items: Any) -> list[Item]:
    """Return items of `read`.

    Raises:
        InvalidInputError: For anything else.
    """
    listed = read_list("items", items, Item)
    if not all(isinstance(item, Item) for item in listed):
        raise InvalidInputError(f"items={items!r}; give what `read` returned")
    return listed


def _read_extractor(given: Any, policy: SupersessionPolicy) -> Extractor | None:
    if given == "grammar":
        from memstrata_integrations.extraction.grammar import GrammarExtractor

        given = GrammarExtractor()
    extractor: Extractor | None = given.with_policy(policy) if hasattr(given, "with_policy") else given
    return extractor


def _dimension_mismatch(collection: Any, vector: Any, error: InvalidArgumentError) -> DimensionMismatchError:
    """Chroma raises this for vectors of another dimension; everything else was checked before."""
    held = collection.get(limit=1, include=["embeddings"])["embeddings"]
    if vector is None or len(held) == 0 or len(held[0]) == len(vector):
        return DimensionMismatchError(f"{error}; embed with the model that the collection was made with")
    return DimensionMismatchError(
        f"collection {collection.name!r} holds vectors of {len(held[0])} dimensions, got {len(vector)}; "
        "embed with the model that the collection was made with"
    )


def _named_fields(where: Any) -> set[str]:
    """Return the fields that a filter pins with equality, at the top or under ``$and``."""
    if not isinstance(where, Mapping):
        return set()
    named: set[str] = set()
    for key, value in where.items():
        if key == "$and":
            for clause in value:
                named |= _named_fields(clause)
        elif not key.startswith("$") and (not isinstance(value, Mapping) or set(value) <= {"$eq", "$in"}):
            named.add(key)
    return named


def _joined(parts: Sequence[Changes]) -> Changes:
    if len(parts) == 1:
        return parts[0]
    return Changes(
        recorded_at=(parts[0].recorded_at[0], parts[-1].recorded_at[1]),
        ids=tuple(i for p in parts for i in p.ids),
        changes=tuple(c for p in parts for c in p.changes),
        added=sum(p.added for p in parts),
        confirmed=sum(p.confirmed for p in parts),
        versions=sum(p.versions for p in parts),
        retired=sum(p.retired for p in parts),
        keyed=sum(p.keyed for p in parts),
        unkeyed=sum(p.unkeyed for p in parts),
    )
