"""`TemporalCollection`: a chromadb collection that keeps facts valid in time."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

from chromadb.errors import InvalidArgumentError
from chromadb.execution.expression import Gt, Lte, Search
from typing_extensions import Unpack, override

from memstrata_integrations.chroma import amending
from memstrata_integrations.chroma.arguments import MOST, read_count, read_ids, read_list, read_scope, read_vectors
from memstrata_integrations.chroma.both import history_name
from memstrata_integrations.chroma.clients import stored_metadata
from memstrata_integrations.chroma.embedding import embedder, own_function, query_embedder
from memstrata_integrations.chroma.explicit import sentence_of, stated
from memstrata_integrations.chroma.fields import FROM, TO, user_metadata
from memstrata_integrations.chroma.intake import read_batch, spread, with_scope
from memstrata_integrations.chroma.session import Session
from memstrata_integrations.chroma.surface import TimeSurface
from memstrata_integrations.chroma.syncing import sync, update, update_in_place
from memstrata_integrations.chroma.visibility import Question
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.ledger.changes import Changes
from memstrata_integrations.ledger.time import Instant
from memstrata_integrations.options import PREFIX, OptionFields, Options, ReadFields, WriteFields, refuse_unknown

_SCALAR = (str, int, float, bool, type(None))
_GET = ("metadatas", "documents")
_QUERY = ("metadatas", "documents", "distances")
_ASKED = tuple(ReadFields.__annotations__)


class Columns(WriteFields, total=False):
    """What a write takes by keyword besides its texts."""

    ids: Any
    embeddings: Any
    metadatas: Any
    images: Any
    uris: Any


_COLUMNS = tuple(Columns.__annotations__)
_OF_FACTS = ("scope", *(name for name in _COLUMNS if name not in ("facts", "images", "uris")))


class TemporalCollection(TimeSurface):
    """A chromadb `Collection` whose facts have a time, with the same methods.

    Writes pass the supersession hook: a text that gives a known (subject, relation) another object closes what said
    so before, and it stays in the ledger. Reads pass the validity filter: they see what is valid now, or at ``as_of``.
    ``add`` of an id that exists is no silent no-op: it is a new version of that text.

    Args:
        collection: A chromadb `Collection` of an ephemeral, persistent or HTTP client.
        embedding_function: What makes the vectors where none are given: of LangChain's, LlamaIndex's or chromadb's
            kind, or a callable that takes texts. By default the function that the collection was opened or created
            with; Chroma's own default, which downloads a model, only if you give it.
        options: As keywords, those of `options.Options`.

    Raises:
        InvalidInputError: For an option that cannot be used.
        IndexDamagedError: If an interrupted repair cannot go on here: another process is at it, or nothing embeds.

    Example:
        >>> import chromadb
        >>> raw = chromadb.EphemeralClient().get_or_create_collection("ports", embedding_function=None)
        >>> ports = TemporalCollection(raw)
        >>> ports.add(ids=["a"], documents=["The API port is 8080."], embeddings=[[1.0, 0.0]])
        >>> ports.add(ids=["b"], documents=["The API port is 9090."], embeddings=[[1.0, 0.1]])
        >>> ports.get()["ids"]
        ['b']
    """

    session: Session

    def __init__(self, collection: Any, *, embedding_function: Any = None, **options: Unpack[OptionFields]) -> None:
        known = Options.of("TemporalCollection", options, ["embedding_function"])
        if isinstance(collection, TemporalCollection):
            collection = collection.session.collection
        self.session = Session(collection, embedding_function, known)

    @classmethod
    def opened(cls, session: Session) -> "TemporalCollection":
        """Wrap a collection of which the session is open."""
        made = cls.__new__(cls)
        made.session = session
        return made

    @property
    @override
    def temporal_collection(self) -> "TemporalCollection":
        return self

    id = property(attrgetter("session.collection.id"), doc="The collection's UUID.")
    configuration = property(attrgetter("session.collection.configuration"), doc="Its index configuration.")
    configuration_json = property(attrgetter("session.collection.configuration_json"), doc="The same as JSON.")
    schema = property(attrgetter("session.collection.schema"), doc="The collection's schema.")
    name = property(attrgetter("session.collection.name"), doc="The collection's name.")
    tenant = property(attrgetter("session.collection.tenant"), doc="The tenant that owns the collection.")
    database = property(attrgetter("session.collection.database"), doc="The database that holds the collection.")

    @property
    def metadata(self) -> dict[str, Any] | None:
        """The collection's own metadata."""
        return user_metadata(self.session.collection.metadata)

    def __repr__(self) -> str:
        return f"TemporalCollection(name={self.name!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TemporalCollection) and bool(self.session.collection == other.session.collection)

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
        **told: Unpack[WriteFields],
    ) -> None:
        """Add texts, in order; see `write`, which also says what it did."""
        refuse_unknown("add", told, (*_COLUMNS, "documents"), WriteFields.__annotations__)
        columns = {"ids": ids, "embeddings": embeddings, "metadatas": metadatas, "images": images, "uris": uris}
        self.session.write(self.session.read(documents, **columns, **told))

    upsert = add

    def write(self, documents: Any = None, **columns: Unpack[Columns]) -> Changes:
        """Write texts through the supersession hook; order decides within the batch.

        Args:
            documents: Texts.
            columns: What `options.WriteFields` names, and for each text: ``ids``; missing ones are made, and a known
                one with other content is a new version of that document. ``embeddings``, float32, ``(n, dim)``; by
                default a text that is stored under its id already keeps its vector, and of the others
                `embedding_function` makes them. ``metadatas``, a dict or `None`. ``images``, ``uris``, as in Chroma.

        Returns:
            What was added and closed, with one id for each text.

        Raises:
            ConflictError: If the policy forbids to retire so much. Nothing is written when it raises, or is killed
                before it returns; a call of more rows than `get_max_batch_size()` is so for each part of that size.
        """
        refuse_unknown("write", columns, (*_COLUMNS, "documents"), _COLUMNS)
        return self.session.write(self.session.read(documents, **columns))

    def add_facts(self, facts: Any, **columns: Any) -> Changes:
        """Write facts that you state outright, each as a text of its own.

        Args:
            facts: A `Fact`, or a list of them; one whose value is `None` ends what is known of its key, and one without
                a statement is stored as a sentence made of its parts (`fact_template`).
            columns: As in `write`; a fact's own dates go before. ``scope`` goes into the metadata of each.

        Example:
            >>> store.add_facts([Fact("checkout", "timeout", "45 s", valid_from="2024-06-01")])  # doctest: +SKIP
        """
        refuse_unknown("add_facts", columns, _OF_FACTS, _OF_FACTS)
        if not (listed := stated(facts)):
            return self.session.write([])
        columns["metadatas"] = with_scope(columns.get("metadatas"), columns.pop("scope", None), len(listed))
        for name in ("valid_from", "valid_to"):
            dated = zip(spread(name, columns.get(name), len(listed)), map(attrgetter(name), listed), strict=True)
            columns[name] = [date if own is None else own for date, own in dated]
        columns["facts"] = [[replace(f, valid_from=None, valid_to=None)] for f in listed]
        return self.write([sentence_of(f, self.session.options.fact_template) for f in listed], **columns)

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

        Texts that are stored already stay as they are, and are not embedded. Undated, only what changed is written, and
        facts that the source goes on stating keep their dates; dated, it states all of its texts from then on.

        Args:
            source, documents: Which one, for instance a page or a file, and all its texts; none at all ends it.
            ids, metadatas: One for each text, or `None`; a stored text that reads the same keeps its id.
            embeddings: float32, ``(n, dim)``; by default `embedding_function` makes those that are needed.
            field: The metadata field that holds the source; it is set where it is missing.
            valid_from: From when this holds, until the next version of the source that is known; by default now.
            scope: Values of the scope fields; they are set where they are missing, and must be those of all texts.
        """
        vectors = read_vectors(embeddings)
        embed = None if vectors is None else lambda wanted: [vectors[n] for n in wanted]
        told: dict[str, Any] = {"ids": ids, "metadatas": metadatas, "field": field, "valid_from": valid_from}
        return sync(self.session, source, documents, embed=embed, scope=scope, **told)

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
        """Update rows that exist, within their scope; other ids are ignored, as in Chroma.

        A new document is a new version. Without documents, metadata is merged and vectors are replaced in place.
        """
        columns = {"metadatas": metadatas, "embeddings": embeddings, "uris": uris}
        if documents is None and images is None:
            update_in_place(self.session, read_ids(ids), **columns)
        else:
            columns.update(documents=documents, images=images, valid_from=valid_from, valid_to=valid_to)
            update(self.session, read_batch(ids=read_ids(ids), dating=self.session.dating, **columns))

    def delete(
        self,
        ids: Any = None,
        where: Any = None,
        where_document: Any = None,
        limit: int | None = None,
        *,
        scope: Mapping[str, Any] | None = None,
    ) -> dict[str, int]:
        """Delete rows by id or filter, superseded ones and earlier versions included; return how many, as in Chroma.

        What a row alone held stays a gap: nothing superseded comes back. With ``on_delete="retire"`` the rows end and
        their history stays. With `scope`, only rows that lie in it go.
        """
        ids, unfiltered = None if ids is None else read_ids(ids), where is None and where_document is None
        if ids is None and unfiltered:
            raise InvalidInputError("At least one of ids, where, or where_document must be provided in delete.")
        if limit is not None and unfiltered:
            raise InvalidInputError("limit can only be specified when a where or where_document clause is provided")
        limit, own = read_count("limit", limit), read_scope(scope)
        where = self.session.scoped(where, own if ids is None else None, by_id=ids is not None)
        with self.session.writing() as now:
            if ids is not None:
                ids = self.session.lookup.ids_within(ids, own)
            matched = self.session.matching(ids, where, where_document, limit)
            retire = self.session.options.on_delete == "retire"
            alone = ids is None and where is not None and where_document is None and limit is None and not retire
            versions = self.session.earlier_matching(where, matched) if alone else ()
            changes = amending.delete(self.session, matched, now, retire=retire, versions=versions)
        self.session.remember(changes, erased=not retire)
        return {"deleted": len(changes.ids)}

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
        **asked: Unpack[ReadFields],
    ) -> dict[str, Any]:
        """Return the nearest rows that are valid, `n_results` of them whenever there are as many; errors as in Chroma.

        Args:
            query_embeddings, query_texts, query_images, query_uris: One of them, as in Chroma; texts are embedded by
                what embeds the collection's own, see `embedding_function`.
            ids, where, where_document: The user's filters; they never bring back a stale row.
            n_results: How many rows for each query, 1 or more; as many as there are, if there are fewer.
            include, asked: Chroma's field names; see `options.ReadFields`.

        Returns:
            Chroma's `QueryResult`; distances, lower is closer. Texts of which statements were taken out have those,
            and the vectors, of what is left, see `rank_redacted`.
        """
        refuse_unknown("query", asked, (*_ASKED, "where", "where_document", "ids", "include", "n_results"), _ASKED)
        question = self._asked(asked, include, where, where_document, ids=ids)
        embeds = self.session.embedding.function
        pictures = query_images is not None or query_uris is not None
        if pictures and own_function(self.session.collection) is None:
            what = f"collection {self.name!r} has no embedding function for pictures"
            raise InvalidInputError(f"{what}; give query_embeddings=")
        if query_texts is not None:
            embeds = self.session.embedding.chosen()
            texts = read_list("query_texts", query_texts)
            if texts and query_embeddings is None and not pictures:
                query_embeddings, query_texts = query_embedder(embeds)(texts), None
        request = self.session.collection._validate_and_prepare_query_request(
            query_embeddings=query_embeddings,
            query_texts=query_texts,
            query_images=query_images,
            query_uris=query_uris,
            ids=ids,
            n_results=n_results,
            where=question.filters.get("where", where),
            where_document=where_document,
            include=_copied(question.include),
        )
        served = embeds is not None and self.session.options.rank_redacted == "served"
        try:
            return self.session.reader.query(
                request["embeddings"], min(int(n_results), MOST), question, embedder(embeds) if served else None
            )
        except InvalidArgumentError as error:
            self.session.embedding.check_dimension(request["embeddings"][0], error)
            raise

    def get(
        self,
        ids: Any = None,
        where: Any = None,
        limit: int | None = None,
        offset: int | None = None,
        where_document: Any = None,
        include: Sequence[str] = _GET,
        **asked: Unpack[ReadFields],
    ) -> dict[str, Any]:
        """Return rows by id, which needs no scope, or filter, that are valid; `limit` and `offset` count those.

        For `asked` see `options.ReadFields`.
        """
        refuse_unknown("get", asked, (*_ASKED, "where", "where_document", "ids", "include", "limit", "offset"), _ASKED)
        question = self._asked(asked, include, where, where_document, by_id=ids is not None)
        limit, offset = read_count("limit", limit), read_count("offset", offset)
        where, include = question.filters.get("where", where), _copied(question.include)
        self.session.collection._validate_and_prepare_get_request(
            ids=ids, where=where, where_document=where_document, include=include
        )
        return self.session.reader.get(question, ids if ids is None else read_list("ids", ids), limit, offset)

    def _asked(
        self, asked: ReadFields, include: Any, where: Any, where_document: Any, *, ids: Any = None, by_id: bool = False
    ) -> Question:
        """Return what a read asks, narrowed to its scope, which must be named unless it is by id."""
        question = self.session.question(
            asked.get("as_of"), asked.get("known_at"), asked.get("include_superseded", False), asked.get("stale")
        )
        where = self.session.scoped(where, asked.get("scope"), by_id=by_id)
        filters = {"ids": ids, "where": where, "where_document": where_document}
        include = list(include) if isinstance(include, tuple) else include  # what else is given Chroma refuses itself
        return replace(question, include=include, filters={name: value for name, value in filters.items() if value})

    def count(
        self, *, as_of: Instant | None = None, known_at: Instant | None = None, include_superseded: bool = False
    ) -> int:
        """Return how many rows are valid."""
        return self.session.reader.count(self.session.question(as_of, known_at, include_superseded))

    def peek(self, limit: int = 10) -> dict[str, Any]:
        """Return the first `limit` rows that are valid, vectors included."""
        return self.get(limit=limit, include=["embeddings", "metadatas", "documents"])

    def search(self, searches: Any, **kwargs: Any) -> Any:
        """Run Chroma's hybrid search, which only hosted Chroma serves, on what is valid now.

        Rows that were written without this package are not found before `adopt`.
        """
        now, listed = self.session.question().instant, read_list("searches", searches, Search)
        if not all(isinstance(search, Search) for search in listed):
            raise InvalidInputError(f"searches={searches!r}; give chromadb.Search, or a list of them")
        valid = Lte(FROM, now) & Gt(TO, now)
        narrowed = [s.where(valid if s._where is None else s._where & valid) for s in listed]
        return self.session.collection.search(narrowed, **kwargs)

    def modify(self, name: str | None = None, metadata: Any = None, configuration: Any = None) -> None:
        """Change the collection's name, metadata or index configuration."""
        if metadata is not None:
            if not isinstance(metadata, Mapping) or not all(isinstance(v, _SCALAR) for v in metadata.values()):
                raise InvalidInputError(f"metadata={metadata!r} of a collection; give a dict of texts and numbers")
            if reserved := [k for k in metadata if str(k).startswith(PREFIX)]:
                raise InvalidInputError(f"collection metadata {reserved[0]!r} is reserved, rename it")
            stored = stored_metadata(self.session.collection)
            metadata = {**metadata, **{k: v for k, v in stored.items() if k.startswith(PREFIX)}}
        self.session.collection.modify(name=name, metadata=metadata, configuration=configuration)

    def fork(self, new_name: str) -> "TemporalCollection":
        """Fork the collection, where the server can; the copy keeps the same settings."""
        own = self.session
        forked = own.collection.fork(new_name)
        if (history := own.lookup.both.history) is not None:
            history.fork(history_name(forked))
        session = Session(forked, own.embedding.function, own.options)
        session.embedding.as_stock = own.embedding.as_stock
        return TemporalCollection.opened(session)


def _copied(include: Any) -> Any:
    """Return a copy of a list, since Chroma changes what it is given; what else it is Chroma refuses."""
    return list(include) if isinstance(include, list) else include
