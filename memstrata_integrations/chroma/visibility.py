"""What a reader gets of the rows that a look-up found: which ones, and which words of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
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
from memstrata_integrations.chroma.lookup import Lookup, Record
from memstrata_integrations.chroma.state import IN_FLIGHT
from memstrata_integrations.ledger.ledger import Ledger, rows_as_known
from memstrata_integrations.ledger.rows import Row, RowFact
from memstrata_integrations.ledger.time import MIN_TIME, format_time, intersect
from memstrata_integrations.ledger.timeline import Intervals
from memstrata_integrations.options import Stale
from memstrata_integrations.redaction import Stated, annotate, implied, matches


@dataclass(frozen=True, slots=True)
class Moment:
    """What a read asks about.

    Attributes:
        instant: Valid time, µs.
        known_at: Transaction time, µs; `None` for all that is known now.
        everything: Superseded rows and earlier versions too.
        now: The moment of asking, µs.
        stale: What becomes of the statements of a row that are not live, see `options.Stale`.
        present: The reader named no moment: it is the present, which is no earlier than anything recorded.
    """

    instant: int
    known_at: int | None = None
    everything: bool = False
    now: int = 0
    stale: Stale = "redact"
    present: bool = False


class Visibility:
    """Decides what of one collection is seen at a moment."""

    def __init__(self, lookup: Lookup, *, show_validity: bool = False) -> None:
        """Judge what `lookup` finds; `show_validity` adds validity to the metadata that is returned."""
        self.lookup = lookup
        self.state = lookup.state
        self.show_validity = show_validity
        self.hides_nodes = False

    def over(self, lookup: Lookup) -> Visibility:
        """Return the same for what another look-up finds."""
        other = copy(self)
        other.lookup = lookup
        return other

    def served(self, records: Sequence[Record], moment: Moment, filters: Mapping[str, Any]) -> set[str]:
        """Return the ids of the visible records, less those of which the part that matters is stale."""
        visible = self.visible(records, moment)
        clause = filters.get("where_document")
        if moment.stale == "drop":
            return {r["id"] for r in records if r["id"] in visible and self.stated(r, moment) is None}
        if clause and moment.stale == "redact":
            return {r["id"] for r in records if r["id"] in visible and matches(clause, self.text_of(r, moment))}
        return visible

    def asked(self, filters: Mapping[str, Any], moment: Moment) -> Mapping[str, Any]:
        """Return what Chroma may be asked for: it judges texts as they were written, parts that are over included."""
        clause = filters.get("where_document")
        if not clause or moment.everything or moment.stale != "redact":
            return filters
        sure = implied(clause)
        past = moment.known_at is not None or moment.instant < moment.now
        if sure == clause or not (past or self.lookup.collection.get(where={PARTIAL: 1}, limit=1, include=[])["ids"]):
            return filters
        return {k: v for k, v in {**filters, "where_document": sure}.items() if v}

    def stated(self, record: Record, moment: Moment) -> list[Stated] | None:
        """Return the facts of a record with whether a reader is told each; `None` if all of them."""
        if moment.everything or moment.stale == "keep":
            return None
        if "live" not in record:
            return stated_in(record["metadata"], moment.instant)
        row = decode(record["id"], record["metadata"])
        facts = zip(row.facts, record["live"], strict=True)
        found = [Stated(f.span, f.object or "", live) for f, live in facts if not f.narrative]
        return None if all(f.live for f in found) else found

    def text_of(self, record: Record, moment: Moment) -> str | None:
        """Return the text that a reader at `moment` gets."""
        text: str | None = record.get("document")
        stated = None if text is None else self.stated(record, moment)
        if text is None or stated is None or written_over(record["metadata"], text):
            return text
        if moment.stale == "annotate":
            return annotate(text, self._noted(record, stated, moment))
        return self.state.redacted(text, stated)

    def _noted(self, record: Record, stated: Sequence[Stated], moment: Moment) -> list[Stated]:
        """Say of stale statements what replaced them, and when."""
        row = decode(record["id"], record["metadata"])
        if moment.known_at is None:  # what replaced them may be over as well
            peers = self.lookup.complete.rows_by_key([f.digest for f in row.facts])
        else:
            known = self._rows_as_known([row], moment.known_at)
            row, peers = known[row.id], list(known.values())
        told = [f for f in row.facts if not f.narrative]
        return [s if s.live else replace(s, note=_note(f, peers, moment)) for s, f in zip(stated, told, strict=True)]

    def visible(self, records: Sequence[Record], moment: Moment) -> set[str]:
        """Return the ids of the records that a reader at `moment` gets."""
        standing = self.lookup.standing(records)
        if moment.everything:
            return {r["id"] for r in standing}
        if moment.present:
            self.state.recorded(r["metadata"] for r in standing)
        if moment.known_at is None:
            found = [r for r in standing if visible_in(r["id"], r["metadata"], moment.instant)]
            return {r["id"] for r in found} - (self._outdone(found, moment) if self.state.remote else set())
        seen = {r["id"]: self._as_noted(r, moment.instant, moment.known_at) for r in standing}
        visible = {row_id for row_id, told in seen.items() if told}
        standing = [r for r in standing if seen[r["id"]] is None]
        return visible | self._derived(standing, moment.instant, moment.known_at) if standing else visible

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

    def _outdone(self, records: Sequence[Record], moment: Moment) -> set[str]:
        """Return the rows that rule 1 hides, though a write at the same moment elsewhere left them open.

        That can befall a row only while writes are under way that did not see it. Later ones change what is stored of
        it, so one that was found undisputed stays so until then.
        """
        records = [r for r in records if _keyed(r) and self.state.undisputed.get(r["id"]) != _stored(r)]
        if not records:
            return set()
        rows = [decode(r["id"], r["metadata"], r.get("document")) for r in records]
        rivals = self.lookup.rows_by_key({f.digest for r in rows for f in r.facts})
        if moment.present:
            self.state.last_recorded = max([self.state.last_recorded, *(r.recorded_at for r in rivals)])
        ledger = Ledger([*rivals, *rows], archive_id=str)
        ledger.settle({f.timeline for r in rows for f in r.facts})
        settled = [ledger.rows[r.id] for r in rows]
        self.state.note_undisputed(
            (row.id, _stored(record))
            for record, row, found in zip(records, rows, settled, strict=True)
            if row.recorded_at < moment.now - IN_FLIGHT and row.facts == found.facts
        )
        both = [tuple(map(intersect, row.telling(), found.telling())) for row, found in zip(rows, settled, strict=True)]
        return {
            row.id
            for record, row, telling in zip(records, rows, both, strict=True)
            if not _tells(record, row, telling, moment.instant)
        }

    def shown(self, row_id: str, metadata: Mapping[str, Any] | None, moment: Moment) -> dict[str, Any] | None:
        """Return the metadata that a user sees."""
        shown = user_metadata(metadata)
        if self.hides_nodes and shown and NODE_FIELDS[0] in shown:
            shown = {k: v for k, v in shown.items() if k not in NODE_FIELDS} or None
        if not self.show_validity or not metadata or FACTS not in metadata:
            return shown
        row = decode(row_id, metadata)
        shown = dict(shown or {})
        live = [i for i in row.live() if moment.instant in i] or list(row.live())
        if live:
            start, end = format_time(live[0].start), format_time(live[-1].end)
            if start:
                shown["memstrata_valid_from"] = start
            if end:
                shown["memstrata_valid_to"] = end
        recorded = format_time(row.recorded_at)
        if recorded:
            shown["memstrata_recorded_at"] = recorded
        if live and live[-1].end <= moment.now:
            successor = self._successor(row, live[-1].end)
            if successor:
                shown["memstrata_superseded_by"] = successor
        return shown or None

    def _successor(self, row: Row, instant: int) -> str | None:
        for other in self.lookup.rows_by_key([f.digest for f in row.facts]):
            for fact in other.facts:
                if any(f.timeline == fact.timeline and f.value != fact.value for f in row.facts) and any(
                    instant in i for i in fact.live
                ):
                    return other.document_id
        return None


def _tells(record: Record, row: Row, telling: Sequence[Intervals], instant: int) -> bool:
    """Note with a record which of its facts are told at an instant; return whether anything that tells is."""
    *facts, prose = (any(instant in i for i in live) for live in telling)
    record["live"] = tuple(facts)
    return prose or any(holds and not fact.narrative for fact, holds in zip(row.facts, facts, strict=True))


def _keyed(record: Record) -> bool:
    return key_field(0) in (record["metadata"] or {})


def _stored(record: Record) -> tuple[Any, ...]:
    return tuple(record["metadata"][name] for name in (FACTS, FROM, TO))


def _note(fact: RowFact, peers: Sequence[Row], moment: Moment) -> str:
    ended = max((i.end for i in fact.live if i.end <= moment.instant), default=None)
    begins = min((i.start for i in fact.live if i.start > moment.instant), default=None)
    if ended is None:
        return "superseded" if begins is None else f"valid from {format_time(begins)}"
    rivals = (f for row in peers for f in row.facts if f.timeline == fact.timeline and f.value != fact.value)
    successor = next((f.object for f in rivals if any(ended in i for i in f.live)), None)
    return f"ended {format_time(ended)}" if successor is None else f"superseded {format_time(ended)} by {successor}"
