"""The history of a fact or document, and why a document is what it is."""

import html
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from memstrata_integrations.ledger.changes import Unread
from memstrata_integrations.ledger.display import bars, clip, html_table, rows_of, table
from memstrata_integrations.ledger.time import MIN_TIME, OPEN, Instant, Interval, format_time, to_instant
from memstrata_integrations.ledger.timeline import Intervals

_NAMED = 3  # other keys that a change acts on
_APART = 10  # statements that were not compared


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """One statement in the history of a fact or document.

    Attributes:
        subject, relation, object: The fact; all `None` for text without one.
        statement: The sentence, as stored.
        id: The id of its text, as its user knows it.
        intervals: When it is valid by what is known now; empty if never.
        asserted: Its own dates, one interval for each time it was asserted.
        recorded_at: When the ledger first learned it, µs.
        status: What it is at the moment of asking.
        superseded_by: The id of the text whose statement took its place last.
        metadata: The user's metadata of the text.
        rule: The grammar rule, or model, that read it.
        change: It tells a change or an end ("was renamed to b"): it acts on the key, and its text stays.
        source: The fields of the source that the fact is confined to; empty if it is one of the whole store.
        key: Stands for the fact: two of one name, told apart by the titles above them, differ in it.
    """

    subject: str | None
    relation: str | None
    object: str | None
    statement: str
    id: str
    intervals: Intervals
    asserted: Intervals
    recorded_at: int
    status: Literal["current", "superseded", "future", "corrected", "retracted", "undone", "archived", "ending"]
    superseded_by: str | None = None
    metadata: dict[str, Any] | None = field(default=None, hash=False)
    rule: str = ""
    change: bool = False
    source: tuple[tuple[str, Any], ...] = ()
    key: int = field(default=0, repr=False)

    @property
    def valid_from(self) -> str | None:
        """ISO 8601, UTC; `None` if it was always or never valid."""
        return format_time(self.intervals[0].start) if self.intervals else None

    @property
    def valid_to(self) -> str | None:
        """ISO 8601, UTC; `None` if it is open or was never valid."""
        return format_time(self.intervals[-1].end) if self.intervals else None


class Timeline(Sequence[TimelineEntry]):
    """The history of a fact or document: prints as a table, plots, and shows in a notebook.

    Example:
        >>> Timeline(())
        (no history)
    """

    def __init__(self, entries: Sequence[TimelineEntry], *, now: int = OPEN - 1, near: Sequence[str] = ()) -> None:
        """Hold entries in order of validity, as of `now`, µs; where there are none, `near` may have been meant."""
        self.now = now
        self.near = tuple(near)
        self._entries = tuple(
            sorted(
                entries,
                key=lambda e: (
                    e.subject or "",
                    e.relation or "",
                    (e.intervals or e.asserted or (Interval(MIN_TIME),))[0].start,
                    e.recorded_at,
                ),
            )
        )

    def __getitem__(self, index: Any) -> Any:
        return self._entries[index]

    def __len__(self) -> int:
        return len(self._entries)

    def at(self, instant: Instant) -> list[TimelineEntry]:
        """Return the entries that are valid at an instant, by what is known now."""
        micros = to_instant(instant)
        return [e for e in self._entries if any(micros in i for i in e.intervals)]

    @property
    def current(self) -> list[TimelineEntry]:
        """The entries that are valid at the moment of asking."""
        return [e for e in self._entries if any(self.now in i for i in e.intervals)]

    @property
    def values(self) -> list[str]:
        """The objects in order of validity, one for each interval; repeats stay."""
        spans = sorted((i, e.object or e.statement) for e in self._entries for i in e.intervals)
        return [value for _, value in spans]

    def rows(self) -> list[tuple[str, str, str, str, str, str]]:
        """Return (from, to, object, status, id, statement) for each interval, as text."""
        return rows_of(self._entries)

    def _by_fact(self) -> list[tuple[str, list[TimelineEntry]]]:
        """Return the entries of each fact under its name; text without one has none."""
        found: dict[tuple[str, int], list[TimelineEntry]] = {}
        for entry in self._entries:
            where = f" ({', '.join(str(value) for _, value in entry.source)})" if entry.source else ""
            name = f"{entry.subject} | {entry.relation}{where}" if entry.subject else ""
            found.setdefault((name, entry.key), []).append(entry)
        return [(name, entries) for (name, _), entries in found.items()]

    def __repr__(self) -> str:
        return "\n\n".join(table(t, rows_of(e)) for t, e in self._by_fact()) or self._nothing()

    def _nothing(self) -> str:
        return f"(no history; did you mean {' or '.join(self.near)}?)" if self.near else "(no history)"

    def _repr_html_(self) -> str:
        tables = [html_table(title, rows_of(entries)) for title, entries in self._by_fact()]
        return "".join(tables) or html.escape(self._nothing())

    def plot(self, ax: Any = None) -> Any:
        """Draw the intervals as bars, one row for each value.

        Args:
            ax: A matplotlib `Axes`; a new one by default.

        Returns:
            The `Axes`.

        Raises:
            MissingDependencyError: If matplotlib is not installed.
        """
        return bars(self._entries, self.now, ax)


@dataclass(frozen=True)
class Explanation:
    """Why a document is what it is.

    Attributes:
        id: The document.
        status: Whether it is served at the moment of asking.
        statements: Each sentence with the fact and the rule that read it.
        replaced: What its statements superseded.
        prose: Whether it says anything that has no key and so is never superseded.
        unread: What the grammar did not read of it, and why.
        apart: What reads like it in other sources, or under other titles, and is not compared with it.
        by: The documents that took its place by their word, `supersedes=`.
        instead_of: Those whose place it took by its own.
    """

    id: str
    status: str
    statements: tuple[TimelineEntry, ...]
    replaced: tuple[TimelineEntry, ...]
    prose: bool
    unread: tuple[Unread, ...] = ()
    apart: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    instead_of: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = [f"{self.id}: {self.status}"]
        told: dict[str, list[TimelineEntry]] = {}
        for s in self.statements:
            if s.change:
                told.setdefault(s.statement, []).append(s)
                continue
            lines.append(f"  states {_fact(s)}, {s.status}: {s.statement!r}")
            if s.superseded_by:
                lines.append(f"    superseded by {s.superseded_by}")
        for statement, entries in told.items():
            lines.append(f"  tells a change, {_fact(entries[0])}: {statement!r}")
            if others := list(dict.fromkeys(f"{e.subject} | {e.relation}" for e in entries[1:])):
                more = f", and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
                lines.append(f"    which also ends what was stated of: {'; '.join(others[:_NAMED])}{more}")
        lines += [f"  replaced {r.object!r} of {r.id}: {r.statement!r}" for r in self.replaced]
        lines += [f"  its place was taken by {i}" for i in self.by]
        lines += [f"  took the place of {i}" for i in self.instead_of]
        if self.prose and self.status == "current":
            lines.append("  holds prose without a key, which nothing supersedes")
        lines += [f"  no fact: {u.reason}: {clip(u.statement, 72)!r}" for u in self.unread]
        lines += [f"  not compared: {what}" for what in self.apart[:_APART]]
        if len(self.apart) > _APART:
            lines.append(f"  ... and {len(self.apart) - _APART:,} more not compared")
        return "\n".join(lines)


def _fact(entry: TimelineEntry) -> str:
    value = "ends" if entry.object is None else f"= {entry.object!r}"
    return f"{entry.subject} | {entry.relation} {value} (rule {entry.rule})"
