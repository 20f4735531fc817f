"""What a reader gets of the rows that a look-up found: which ones, and which words of them."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

from memstrata_integrations.chroma.fields import (
    FACTS,
    FROM,
    NODE_FIELDS,
    PARTIAL,
    TO,
    decode,
    key_field,
    stated_in,
    told_since,
    user_metadata,
    visible_in,
    written_over,
)
from memstrata_integrations.chroma.lookup import FIELDS, Lookup, Record
from memstrata_integrations.chroma.state import IN_FLIGHT
from memstrata_integrations.ledger.ledger import Ledger, rows_as_known
from memstrata_integrations.ledger.rows import Row, RowFact
from memstrata_integrations.ledger.time import MIN_TIME, format_time, intersect
from memstrata_integrations.ledger.timeline import Intervals
from memstrata_integrations.options import Stale
from memstrata_integrations.redaction import Stated, annotate, implied, matches


@dataclass(frozen=True, slots=True)
class Question:
    """What a read asks.

    Attributes:
        instant, known_at: Valid time, and transaction time, µs; `None` for all that is known now.
        everything: Superseded rows and earlier versions too.
        now: The moment of asking, µs.
        stale: What becomes of the statements of a row that are not live, see `options.Stale`.
        present: The reader named no moment: it is the present, which is no earlier than anything recorded.
        include, filters: Chroma's names of fields, and its ``ids``, ``where`` and ``where_document``, as given.
    """

    instant: int
    known_at: int | None = None
    everything: bool = False
    now: int = 0
    stale: Stale = "redact"
    present: bool = False
    include: Sequence[str] = ()
    filters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def fields(self) -> list[str]:
        """What to fetch of a row: the text too where a filter looks at it."""
        wanted = [f for f in self.include if f in FIELDS]
        return wanted if "documents" in wanted or not self.filters.get("where_document") else [*wanted, "documents"]


class Visibility:
    """Decides what of one collection who asks sees."""

    def __init__(self, lookup: Lookup, *, show_validity: bool = False) -> None:
        """Judge what `lookup` finds; `show_validity` adds validity to the metadata that is returned."""
        self.lookup = lookup
        self.state = lookup.state
        self.show_validity = show_validity
        self.hides_nodes = False

    def over(self, lookup: Lookup) -> "Visibility":
        """Return the same for what another look-up finds."""
        other = copy(self)
        other.lookup = lookup
        return other

    def served(self, records: Sequence[Record], asked: Question) -> set[str]:
        """Return the ids of the visible records, less those of which the part that matters is stale."""
        visible = self.visible(records, asked)
        clause = asked.filters.get("where_document")
        if asked.stale == "drop":
            return {r["id"] for r in records if r["id"] in visible and self.stated(r, asked) is None}
        if clause and asked.stale == "redact":
            return {r["id"] for r in records if r["id"] in visible and matches(clause, self.text_of(r, asked))}
        return visible

    def filters_for(self, asked: Question) -> Mapping[str, Any]:
        """Return what Chroma may be asked for: it judges texts as they were written, parts that are over included."""
        clause = asked.filters.get("where_document")
        if not clause or asked.everything or asked.stale != "redact":
            return asked.filters
        sure = implied(clause)
        past = asked.known_at is not None or asked.instant < asked.now
        if sure == clause or not (past or self.lookup.collection.get(where={PARTIAL: 1}, limit=1, include=[])["ids"]):
            return asked.filters
        return {k: v for k, v in {**asked.filters, "where_document": sure}.items() if v}

    def stated(self, record: Record, asked: Question) -> list[Stated] | None:
        """Return the facts of a record with whether a reader is told each; `None` if all of them."""
        if asked.everything or asked.stale == "keep":
            return None
        if "live" not in record:
            return stated_in(record["metadata"], asked.instant)
        row = decode(record["id"], record["metadata"])
        facts = zip(row.facts, record["live"], strict=True)
        found = [Stated(f.span, f.object or "", live) for f, live in facts if not f.narrative]
        return None if all(f.live for f in found) else found

    def text_of(self, record: Record, asked: Question) -> str | None:
        """Return the text that who asks gets."""
        text: str | None = record.get("document")
        stated = None if text is None else self.stated(record, asked)
        if text is None or stated is None or written_over(record["metadata"], text):
            return text
        if asked.stale == "annotate":
            return annotate(text, self._noted(record, stated, asked))
        return self.state.redacted(text, stated)

    def _noted(self, record: Record, stated: Sequence[Stated], asked: Question) -> list[Stated]:
        """Say of stale statements what replaced them, and when."""
        row = decode(record["id"], record["metadata"])
        if asked.known_at is None:  # what replaced them may be over as well
            peers = self.lookup.complete.rows_by_key([f.digest for f in row.facts])
        else:
            known = self._rows_as_known([row], asked.known_at)
            row, peers = known[row.id], list(known.values())
        told = [f for f in row.facts if not f.narrative]
        return [s if s.live else replace(s, note=_note(f, peers, asked)) for s, f in zip(stated, told, strict=True)]

    def visible(self, records: Sequence[Record], asked: Question) -> set[str]:
        """Return the ids of the records that who asks gets."""
        standing = self.lookup.standing(records)
        if asked.everything:
            return {r["id"] for r in standing}
        if asked.present:
            self.state.recorded(r["metadata"] for r in standing)
        if asked.known_at is None:
            found = [r for r in standing if visible_in(r["id"], r["metadata"], asked.instant)]
            return {r["id"] for r in found} - (self._outdone(found, asked) if self.state.remote else set())
        seen = {r["id"]: self._as_noted(r, asked.instant, asked.known_at) for r in standing}
        visible = {row_id for row_id, told in seen.items() if told}
        standing = [r for r in standing if seen[r["id"]] is None]
        return visible | self._derived(standing, asked.instant, asked.known_at) if standing else visible

    def _as_noted(self, record: Record, instant: int, known_at: int) -> bool | None:
        """Whether a reader at (valid time, transaction time) got a record; `None` if it does not tell."""
        first, since = told_since(record["metadata"])
        alone = self.state.remote and since > MIN_TIME  # writers who don't see each other leave open what readers close
        if alone and first > MIN_TIME:
            return None
        if not alone and (known_at < first or since <= known_at):
            return first <= known_at and visible_in(record["id"], record["metadata"], instant)
        row = decode(record["id"], record["metadata"])
        told = next((t for t in row.told if t.since <= known_at < t.until), None)
        if told is None or (alone and told.since > MIN_TIME):  # before an adoption nobody closed anything
            return None
        return _tells(record, row, told.live, instant)

    def _derived(self, records: Sequence[Record], instant: int, known_at: int) -> set[str]:
        """Return the ids of the records that a reader got, by all that was said of their keys and documents."""
        rows = [decode(r["id"], r["metadata"], r.get("document")) for r in records]
        known = self._rows_as_known(rows, known_at)
        return {r["id"] for r in records if _tells(r, known[r["id"]], known[r["id"]].telling(), instant)}

    def _rows_as_known(self, rows: Sequence[Row], known_at: int) -> dict[str, Row]:
        """Return rows, and those that share a key or a document with them, as they were known at a time (µs)."""
        lookup = self.lookup.complete
        others = lookup.rows_by_key({f.digest for row in rows for f in row.facts})
        others += lookup.versions_of([*rows, *others])  # what a rival says no more may outrank nothing more
        return rows_as_known([*others, *rows], known_at)  # those that were read, if they are others by now

    def _outdone(self, records: Sequence[Record], asked: Question) -> set[str]:
        """Return the rows that rule 1 hides, though a write at the same moment elsewhere left them open.

        That can befall a row only while writes are under way that did not see it. Later ones change what is stored of
        it, so one that was found undisputed stays so until then.
        """
        keyed = [r for r in records if key_field(0) in (r["metadata"] or {})]
        records = [r for r in keyed if self.state.undisputed.get(r["id"]) != _stored(r)]
        if not records:
            return set()
        rows = [decode(r["id"], r["metadata"], r.get("document")) for r in records]
        rivals = self.lookup.rows_by_key({f.digest for r in rows for f in r.facts})
        if asked.present:
            self.state.last_recorded = max([self.state.last_recorded, *(r.recorded_at for r in rivals)])
        ledger = Ledger([*rivals, *rows], archive_id=str)
        ledger.settle({f.timeline for r in rows for f in r.facts})
        settled = [ledger.rows[r.id] for r in rows]
        self.state.note_undisputed(
            (row.id, _stored(record))
            for record, row, found in zip(records, rows, settled, strict=True)
            if row.recorded_at < asked.now - IN_FLIGHT and row.facts == found.facts
        )
        return {
            row.id
            for record, row, found in zip(records, rows, settled, strict=True)
            if not _tells(record, row, [*map(intersect, row.telling(), found.telling())], asked.instant)
        }

    def shown(self, row_id: str, metadata: Mapping[str, Any] | None, asked: Question) -> dict[str, Any] | None:
        """Return the metadata that a user sees."""
        shown = user_metadata(metadata)
        if self.hides_nodes and shown and NODE_FIELDS[0] in shown:
            shown = {k: v for k, v in shown.items() if k not in NODE_FIELDS} or None
        if not self.show_validity or not metadata or FACTS not in metadata:
            return shown
        row = decode(row_id, metadata)
        live = [i for i in row.live() if asked.instant in i] or list(row.live())
        over = bool(live) and live[-1].end <= asked.now
        told = {
            "memstrata_valid_from": format_time(live[0].start) if live else None,
            "memstrata_valid_to": format_time(live[-1].end) if live else None,
            "memstrata_recorded_at": format_time(row.recorded_at),
            "memstrata_superseded_by": self._successor(row, live[-1].end) if over else None,
        }
        return {**(shown or {}), **{name: value for name, value in told.items() if value}} or None

    def _successor(self, row: Row, instant: int) -> str | None:
        for other in self.lookup.rows_by_key([f.digest for f in row.facts]):
            for fact in other.facts:
                rival = any(f.timeline == fact.timeline and f.value != fact.value for f in row.facts)
                if rival and any(instant in i for i in fact.live):
                    return other.document_id
        return None


def _tells(record: Record, row: Row, telling: Sequence[Intervals], instant: int) -> bool:
    """Note with a record which of its facts are told at an instant; return whether anything that tells is."""
    *facts, prose = (any(instant in i for i in live) for live in telling)
    record["live"] = tuple(facts)
    return prose or any(holds and not fact.narrative for fact, holds in zip(row.facts, facts, strict=True))


def _stored(record: Record) -> tuple[Any, ...]:
    return tuple(record["metadata"][name] for name in (FACTS, FROM, TO))


def _note(fact: RowFact, peers: Sequence[Row], asked: Question) -> str:
    ended = max((i.end for i in fact.live if i.end <= asked.instant), default=None)
    begins = min((i.start for i in fact.live if i.start > asked.instant), default=None)
    if ended is None:
        return "superseded" if begins is None else f"valid from {format_time(begins)}"
    rivals = (f for row in peers for f in row.facts if f.timeline == fact.timeline and f.value != fact.value)
    successor = next((f.object for f in rivals if any(ended in i for i in f.live)), None)
    return f"ended {format_time(ended)}" if successor is None else f"superseded {format_time(ended)} by {successor}"
