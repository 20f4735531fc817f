"""What looks across time: finding facts, their history, why a row is what it is, and whether it should be."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from memstrata_integrations._lookup import Record
from memstrata_integrations._origins import SOURCE_FIELDS, names_part, part_of, source_of
from memstrata_integrations._plan import Item
from memstrata_integrations._reading import Reader
from memstrata_integrations._scoping import lies_in, scope_of
from memstrata_integrations._writing import Writer
from memstrata_integrations.canonical import canonical_subject
from memstrata_integrations.codec import FACTS, TO, decode, user_metadata
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.facts import FactKey
from memstrata_integrations.history import Explanation, Timeline, TimelineEntry
from memstrata_integrations.ledger import Ledger
from memstrata_integrations.relations import FUNCTIONAL, relation_name
from memstrata_integrations.rows import Row, RowFact, TimelineKey
from memstrata_integrations.time import MIN_TIME, OPEN, normalise

__all__ = ["all_rows", "documents_about", "explain", "find", "history", "ledger_of", "verify", "versions"]

logger = logging.getLogger("memstrata_integrations")

_PAGE = 5_000
_LONGEST_NOUN = 3  # words: "port", "due date", "point of contact"


# -- finding facts ----------------------------------------------------------------------------


def _readings(writer: Writer, subject: str, relation: str | None) -> list[tuple[str, str | None]]:
    """Return the canonical (subject, relation) that a user may mean: as said, and as the extractor would key it.

    "Alice's employer" is held as whom "alice" "works for", and "billing API port", in whatever order
    it is said, as what "billing api" "listens on". Without a relation, any is meant.
    """
    found = [(canonical_subject(subject), None if relation is None else relation_name(relation))]
    words = subject.split()
    ends = range(1, min(len(words), _LONGEST_NOUN + 1))
    noun_first = [f"{' '.join(words[-n:])} of {' '.join(words[:-n])}" for n in ends]
    for extractor in getattr(writer.extractor, "extractors", (writer.extractor,)):  # a chain's, or the one
        canonical_key = getattr(extractor, "canonical_key", None)
        if canonical_key is not None:
            found += [canonical_key(said, relation) for said in (subject, *noun_first)]
    return list(dict.fromkeys(found))


def _of_sentences(writer: Writer, name: str) -> list[tuple[str, str]]:
    """Return the keys that the extractor gives to sentences about what has a name."""
    found: list[tuple[str, str]] = []
    for extractor in getattr(writer.extractor, "extractors", (writer.extractor,)):
        keys_of_name = getattr(extractor, "keys_of_name", None)
        if keys_of_name is not None:
            found += keys_of_name(name)
    return found


def _digests(writer: Writer, subject: str, relation: str | None, scope: Mapping[str, Any]) -> set[int]:
    """Return the keys that a canonical subject may have, one for each relation and reading of `scope`."""
    if relation is None:
        relations = {*FUNCTIONAL, *writer.policy.cardinalities, *getattr(writer.extractor, "functional", ())}
    else:
        relations = {relation}
    own = [(name, scope.get(name)) for name in writer.scope]
    source = [(f"source:{name}", value) for name, value in (*source_of(scope), *part_of(scope))]
    pairs = [own, [*own, *source]] if source else [own]
    return {FactKey.of(p, subject, r).digest() for p in pairs for r in relations}


def find(
    writer: Writer, subject: str, relation: str | None, scope: Mapping[str, Any], *, loosely: bool
) -> tuple[list[Row], set[int]]:
    """Return the rows that state facts about a subject, and the keys of those facts.

    Args:
        writer: The collection's writer.
        subject: As the user says it.
        relation: Narrow to one relation.
        scope: Values of scope or source fields, or of what names a part of a source (`section`). With all of
            these that a fact has, its key is known and asked for; with fewer, every row is looked at.
        loosely: If no subject is exactly this, take those that hold all its words, of facts of files
            also those of the path and the section.
    """
    if not isinstance(subject, str) or not subject.strip():
        raise InvalidInputError(f"subject={subject!r} is empty; name what the fact is about")
    for name in scope:
        if name not in writer.scope and name not in SOURCE_FIELDS and not names_part(name):
            raise InvalidInputError(
                f"scope names {name!r}, which separates no facts here; known are {(*writer.scope, *SOURCE_FIELDS)!r}"
            )
    readings = _readings(writer, subject, relation)
    for keys in (readings, _of_sentences(writer, subject) if loosely and relation is None else []):
        digests = {d for wanted, kind in keys for d in _digests(writer, wanted, kind, scope)}
        rows = writer.reader.rows_by_key(digests) if digests else []
        if rows:
            return rows, digests
    from memstrata_integrations.extraction.sources.entries import place_words  # loads the grammar

    # confined to a source, or said with fewer words: look at every fact
    exact: set[int] = set()
    loose: set[int] = set()
    placed: set[int] = set()
    for row, metadata in _rows_and_metadata(writer.reader):
        if not lies_in(metadata, scope_of(scope, writer.scope)):
            continue
        for fact in row.facts:
            if fact.local and any(metadata.get(name) != value for name, value in scope.items()):
                continue
            for wanted, kind in readings:
                if kind is not None and fact.relation != kind:
                    continue
                words = set(wanted.split())
                stated = fact.subject.split()
                if fact.subject == wanted or ("#" in wanted and wanted in stated):
                    exact.add(fact.digest)
                elif loosely and words and words.issubset(stated):
                    loose.add(fact.digest)
                elif loosely and words and "#" in fact.subject and words <= place_words(fact.subject):
                    placed.add(fact.digest)
    found = exact or loose or placed
    return (writer.reader.rows_by_key(found) if found else []), found


def all_rows(reader: Reader) -> Iterator[Row]:
    """Yield every keyed row, a page at a time."""
    return (row for row, _ in _rows_and_metadata(reader))


def _rows_and_metadata(reader: Reader) -> Iterator[tuple[Row, Mapping[str, Any]]]:
    ids = reader.collection.get(where={TO: {"$gte": MIN_TIME}}, include=[])["ids"]
    for start in range(0, len(ids), _PAGE):
        for row_id, record in reader.fetch(ids[start : start + _PAGE]).items():
            yield decode(row_id, record["metadata"]), user_metadata(record["metadata"]) or {}


def texts_of(writer: Writer, document_ids: Sequence[str]) -> list[str]:
    """Return the texts of documents, those of all their versions."""
    ids = [*document_ids, *writer.reader.archived_ids(document_ids)]
    return [r["document"] for r in writer.reader.fetch(ids, ("documents",)).values() if r["document"]]


def documents_about(writer: Writer, subject: str, scope: Mapping[str, Any]) -> list[str]:
    """Return the ids of documents that state a fact about a subject, exactly.

    Raises:
        InvalidInputError: If there is none.
    """
    rows, digests = find(writer, subject, None, scope, loosely=False)
    found = [r.document_id for r in rows if any(f.digest in digests for f in r.facts)]
    if not found:
        raise InvalidInputError(f"nothing is known about subject {subject!r}; history({subject!r}) finds near ones")
    return list(dict.fromkeys(found))


# -- history ----------------------------------------------------------------------------------


def history(
    writer: Writer,
    subject: str | None,
    relation: str | None,
    *,
    document_id: str | None,
    statement: str | None,
    scope: Mapping[str, Any],
    now: int,
) -> Timeline:
    """Return the timeline of a fact, a document, or the facts of a sentence.

    Raises:
        InvalidInputError: Unless exactly one of the three is asked for.
    """
    if sum(x is not None for x in (subject, document_id, statement)) != 1:
        raise InvalidInputError("history takes exactly one of subject, id= and statement=")
    if document_id is not None:
        rows = versions(writer.reader, document_id)
        return Timeline(_entries(writer.reader, rows, None, now), now=now)
    if statement is not None:
        item = Item(id="-", explicit=True, document=statement, metadata=dict(scope) or None)
        writer.extract([item])
        facts, _, _ = writer._row_facts(item, scope)
        digests = {f.digest for f in facts}
        rows = writer.reader.rows_by_key(digests) if digests else []
    else:
        rows, digests = find(writer, subject or "", relation, scope, loosely=True)
        digests = _stated(rows, digests) if relation is None else digests
    return Timeline(_entries(writer.reader, rows, digests, now), now=now)


def _stated(rows: Sequence[Row], digests: set[int]) -> set[int]:
    """Leave out keys under which only a change may have been told, where some text states one."""
    found = [f for row in rows for f in row.facts if f.digest in digests]
    return {f.digest for f in found if not f.narrative} or {f.digest for f in found[:1]}


def versions(reader: Reader, document_id: str) -> list[Row]:
    """Return all acknowledged versions of a document."""
    records = reader.fetch([document_id, *reader.archived_ids([document_id])], ("documents",))
    return [decode(r["id"], r["metadata"], r["document"]) for r in reader.acknowledged(list(records.values()))]


def _entries(reader: Reader, rows: Sequence[Row], digests: set[int] | None, now: int) -> list[TimelineEntry]:
    """Return an entry for each fact of `rows` among `digests`; without those, for each fact and text."""
    records = reader.fetch([r.id for r in rows], ("documents",))
    keys = {f.digest for r in rows for f in r.facts}
    peers = rows if digests is not None else (reader.rows_by_key(keys) if keys else [])
    stated: dict[TimelineKey, list[tuple[Row, RowFact]]] = {}
    for row in peers:
        for fact in row.facts:
            stated.setdefault(fact.timeline, []).append((row, fact))
    entries = []
    for row in rows:
        record = records[row.id]
        text = record["document"] or ""
        told: set[tuple[int, str | None]] = set()  # a change acts on one key in several kinds of value
        for fact in row.facts:
            if (digests is None or fact.digest in digests) and (fact.digest, fact.object) not in told:
                told |= {(fact.digest, fact.object)} if fact.narrative else set()
                entries.append(_fact_entry(row, fact, text, record, stated.get(fact.timeline, ()), now))
        if digests is None and row.prose:
            live = row.prose_live()
            status = "current" if any(now in i for i in live) else "archived" if row.editions else "superseded"
            if all(e.undone_at != OPEN for e in row.editions):
                status = "undone"
            entries.append(
                TimelineEntry(
                    subject=None,
                    relation=None,
                    object=None,
                    statement=text,
                    id=row.document_id,
                    intervals=live,
                    asserted=tuple(a.interval for a in row.prose),
                    recorded_at=min((a.recorded_at for a in row.prose), default=MIN_TIME),
                    status=status,  # type: ignore[arg-type]
                    metadata=user_metadata(record["metadata"]),
                )
            )
    return entries


def _fact_entry(
    row: Row, fact: RowFact, text: str, record: Record, peers: Iterable[tuple[Row, RowFact]], now: int
) -> TimelineEntry:
    ended = fact.live[-1].end if fact.live else OPEN
    successor = None
    for other, stated in peers:
        again = other.id != row.id and any(i.start == ended for i in stated.live)  # one value, in other words
        if (stated.value != fact.value or again) and any(ended in i for i in stated.live):
            successor = other.document_id
    if any(now in i for i in fact.live):
        status = "current"
    elif fact.live and fact.live[0].start > now:
        status = "future"
    elif all(a.undone_at != OPEN for a in fact.assertions):
        status = "undone"
    elif not fact.live:
        status = "corrected"
    elif any(ended in w for w in row.windows):
        status = "superseded" if successor else "retracted"
    else:
        status = "superseded" if successor else "archived"
    start, end = fact.span
    return TimelineEntry(
        subject=fact.subject,
        relation=fact.relation,
        object=fact.object,
        statement=text[start:end],
        id=row.document_id,
        intervals=fact.live,
        asserted=tuple(a.interval for a in fact.assertions),
        recorded_at=min((a.recorded_at for a in fact.assertions), default=MIN_TIME),
        status=status,  # type: ignore[arg-type]
        superseded_by=successor,
        metadata=user_metadata(record["metadata"]),
        rule=fact.rule,
        change=fact.narrative,
    )


def explain(writer: Writer, document_id: str, *, now: int) -> Explanation:
    """Say why a document is served or not.

    Raises:
        InvalidInputError: If there is no such document.
    """
    rows = [r for r in versions(writer.reader, document_id) if not r.archived]
    if not rows:
        raise InvalidInputError(f"there is no document {document_id!r} in this collection")
    row = rows[0]
    entries = [e for e in _entries(writer.reader, rows, None, now) if e.subject is not None]
    peers = writer.reader.rows_by_key({f.digest for f in row.facts}) if row.facts else []
    others = _entries(writer.reader, peers, {f.digest for f in row.facts}, now)
    replaced = [
        o
        for o in others
        if o.superseded_by == document_id and any(o.subject == e.subject and o.relation == e.relation for e in entries)
    ]
    return Explanation(
        id=document_id,
        status="current" if row.visible(now) else "not served",
        statements=tuple(entries),
        replaced=tuple(replaced),
        prose=bool(row.prose),
    )


# -- verification --------------------------------------------------------------------------------


def ledger_of(writer: Writer, rows: Iterable[Row]) -> Ledger:
    """Return a ledger that holds rows, to change them or to derive them anew."""
    return Ledger(rows, archive_id=lambda _: f"memstrata-{uuid.uuid4().hex}")


def verify(writer: Writer) -> list[str]:
    """Derive every row anew and return one line for each difference from what is stored."""
    reader = writer.reader
    ids = reader.collection.get(where={TO: {"$gte": MIN_TIME}}, include=[])["ids"]
    stored: dict[str, Row] = {}
    hulls: dict[str, tuple[int, int]] = {}
    for start in range(0, len(ids), _PAGE):
        for row_id, record in reader.fetch(ids[start : start + _PAGE]).items():
            if FACTS in (record["metadata"] or {}):
                stored[row_id] = decode(row_id, record["metadata"])
                hulls[row_id] = (record["metadata"]["memstrata_from"], record["metadata"][TO])
    ledger = ledger_of(writer, stored.values())
    for document_id in {r.document_id for r in stored.values()}:
        ledger._recut(document_id)
    ledger.settle()
    found = []
    for row_id, row in ledger.rows.items():
        hull = row.hull()
        if row.windows != stored[row_id].windows or [normalise(f.live) for f in row.facts] != [
            normalise(f.live) for f in stored[row_id].facts
        ]:
            found.append(f"row {row_id!r}: stored intervals {_told(stored[row_id])}, derived {_told(row)}")
        elif (hull.start, hull.end) != hulls[row_id]:
            found.append(f"row {row_id!r}: stored hull {hulls[row_id]}, derived {(hull.start, hull.end)}")
    return found


def _told(row: Row) -> str:
    return "; ".join(f"{f.subject} {f.relation}: " + ", ".join(map(str, f.live)) for f in row.facts) or "none"
