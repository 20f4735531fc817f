"""What a user gets to see of time: the changes of a write, and the history of a fact."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import Any, Literal

from memstrata_integrations.errors import MissingDependencyError
from memstrata_integrations.ledger.time import MIN_TIME, OPEN, Instant, Interval, format_time, to_instant
from memstrata_integrations.ledger.timeline import Intervals

__all__ = [
    "MOST_UNREAD", "Change", "Changes", "Conflict", "Explanation", "Suspect", "Timeline", "TimelineEntry", "Unread",
]  # fmt: skip

MOST_UNREAD = 100
"""How many of the statements that were not read a write tells; of all of them it tells how often which reason."""

_LISTED = 20
_NAMED = 3  # other keys that a change acts on
_HEAD = ("valid from", "valid to", "value", "status", "id", "statement")
_WIDTHS = (32, 32, 40, 12, 36, 72)

ChangeKind = Literal["superseded", "retracted", "restored", "ended"]


@dataclass(frozen=True, slots=True)
class Change:
    """One statement that a write closed (or an undo reopened).

    Attributes:
        kind: What happened to the old statement.
        subject, relation: The fact.
        old: The value it had, as written.
        new: The value it has now; `None` when nothing took its place.
        at: From when on, µs since the epoch, UTC.
        row_id: The id of the text that stated the old value.
        by: The id of the text that states the new one.
    """

    kind: ChangeKind
    subject: str
    relation: str
    old: str | None
    new: str | None
    at: int
    row_id: str
    by: str | None = None

    def __str__(self) -> str:
        when = format_time(self.at) or "ever"
        arrow = f"{self.old!r} -> {self.new!r}" if self.new is not None else f"{self.old!r}"
        return f"{self.kind} at {when}: {self.subject} {self.relation} {arrow} ({self.row_id})"


@dataclass(frozen=True, slots=True)
class Unread:
    """A statement that was kept as prose, or of which a part was.

    Attributes:
        id: The id of its text.
        statement: The statement, as written.
        reason: Why it has no key.
    """

    id: str
    statement: str
    reason: str

    def __str__(self) -> str:
        return f"{_clip(self.statement, 72)!r}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Suspect:
    """Two statements that look like an update and were not linked; both are served.

    Attributes:
        old, new: The ids of their texts: the earlier one, and the later one.
        old_statement, new_statement: What they say.
        old_value, new_value: In what they differ, as written.
        kind: What kind of value that is.
        at: When the later one began to hold, or was learned, µs.
        why: Why they were not linked, as far as is known.
    """

    old: str
    new: str
    old_statement: str
    new_statement: str
    old_value: str
    new_value: str
    kind: str
    at: int
    why: str

    def __str__(self) -> str:
        return (
            f"{self.new} says {self.new_value!r} where {self.old} says {self.old_value!r} ({self.why})\n"
            f"  {format_time(self.at)}: {_clip(self.new_statement, 90)!r}\n  before: {_clip(self.old_statement, 90)!r}"
        )


@dataclass(frozen=True)
class Changes:
    """What a write did, or would do.

    Attributes:
        id: Names the write; `undo` takes it, also in a later process.
        recorded_at: Transaction times of the write, first and last, µs.
        ids: One id for each text, in order.
        changes: What it closed or reopened.
        added: How many rows are new.
        confirmed: How many texts repeated what a row already states.
        versions: How many texts replaced an earlier version of their document.
        retired: How many rows are no longer served, or never: undated texts that a later one of the same write outdoes.
        keyed: How many facts were keyed.
        unkeyed: How many facts went without a key since their text states more than 32.
        unread: The first hundred statements that were kept as prose, and why.
        reasons: Why statements were kept as prose, and how many.
        apart: Facts that read like those of another source and were not compared with them.
        remains: Of a purge: where what was erased may still be found, a line for each place; empty if it is nowhere.
        committed: Whether it was written (`plan` only looks ahead).
        written: The first and the last of its times at which anything was recorded, µs; what repeats records nothing.
    """

    recorded_at: tuple[int, int]
    ids: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    added: int = 0
    confirmed: int = 0
    versions: int = 0
    retired: int = 0
    keyed: int = 0
    unkeyed: int = 0
    unread: tuple[Unread, ...] = ()
    reasons: Mapping[str, int] = field(default_factory=dict, hash=False)
    apart: tuple[str, ...] = ()
    remains: tuple[str, ...] = ()
    committed: bool = True
    written: tuple[int, int] | None = None

    @classmethod
    def joined(cls, parts: Sequence[Changes]) -> Changes:
        """Return as one what the parts of a write did, in order."""
        if len(parts) == 1:
            return parts[0]
        spans = [p.written for p in parts if p.written is not None]
        reasons: Counter[str] = Counter()
        for part in parts:
            reasons.update(part.reasons)
        return cls(
            recorded_at=(parts[0].recorded_at[0], parts[-1].recorded_at[1]),
            ids=tuple(i for p in parts for i in p.ids),
            changes=tuple(c for p in parts for c in p.changes),
            added=sum(p.added for p in parts),
            confirmed=sum(p.confirmed for p in parts),
            versions=sum(p.versions for p in parts),
            retired=sum(p.retired for p in parts),
            keyed=sum(p.keyed for p in parts),
            unkeyed=sum(p.unkeyed for p in parts),
            unread=tuple(u for p in parts for u in p.unread)[:MOST_UNREAD],
            reasons=dict(reasons),
            apart=tuple(dict.fromkeys(a for p in parts for a in p.apart)),
            committed=all(p.committed for p in parts),
            written=(min(t for t, _ in spans), max(t for _, t in spans)) if spans else None,
        )

    @property
    def id(self) -> str:
        """Names the write."""
        first, last = self.written or self.recorded_at
        return f"memstrata-write-{first}-{last}"

    @property
    def superseded(self) -> tuple[Change, ...]:
        """The changes by which one value took another's place."""
        return tuple(c for c in self.changes if c.kind == "superseded")

    def __iter__(self) -> Iterator[Change]:
        return iter(self.changes)

    def __len__(self) -> int:
        return len(self.changes)

    def __bool__(self) -> bool:
        return bool(self.changes)

    def __str__(self) -> str:
        verb = "wrote" if self.committed else "would write"
        head = (
            f"{verb} {self.added} new rows, {self.versions} new versions, {self.confirmed} confirmations; "
            f"{self.keyed} facts keyed, {len(self.changes)} statements changed, {self.retired} rows retired"
        )
        if self.unkeyed:
            head += f"; {self.unkeyed} facts beyond the 32 keys of a row stay prose"
        listed = [f"  {c}" for c in self.changes[:_LISTED]]
        if more := len(self.changes) - len(listed):
            listed.append(f"  ... and {more:,} more; iterate over it for all")
        if self.reasons:
            told = ", ".join(f"{n} × {why}" for why, n in sorted(self.reasons.items(), key=lambda r: -r[1]))
            listed.append(f"  kept as prose: {told}")
        if self.apart:
            listed += [f"  not compared: {what}" for what in self.apart[:_NAMED]]
        listed += [f"  not erased: {where}" for where in self.remains]
        return "\n".join([head, *listed])

    @staticmethod
    def parse_id(text: str) -> tuple[int, int] | None:
        """Return the transaction times that a change id names, or `None` if it is no change id."""
        parts = text.removeprefix("memstrata-write-").rsplit("-", 1)
        if not text.startswith("memstrata-write-") or len(parts) != 2:
            return None
        try:
            return int(parts[0]), int(parts[1])
        except ValueError:
            return None


@dataclass(frozen=True, slots=True)
class Conflict:
    """What a source says against one of higher authority; it is kept, and not served.

    Attributes:
        subject, relation: The fact.
        served, refused: The two values, as written; `None` says that there is none.
        served_id, refused_id: Which documents say so.
        at: From when on the refused value would hold, µs.
    """

    subject: str
    relation: str
    served: str | None
    refused: str | None
    served_id: str
    refused_id: str
    at: int

    def __str__(self) -> str:
        return (
            f"{self.subject} | {self.relation}: {self.served_id!r} says {self.served!r}, and of lower authority "
            f"{self.refused_id!r} says {self.refused!r} from {format_time(self.at) or 'ever'} on"
        )


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
        """Hold entries in order of validity.

        Args:
            entries: The statements.
            now: The moment of asking, µs.
            near: Where there are none: the names of facts that may have been meant.
        """
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
        return _rows(self._entries)

    def _by_fact(self) -> dict[str, list[TimelineEntry]]:
        """Return the entries under the name of their fact; text without one has none."""
        found: dict[str, list[TimelineEntry]] = {}
        for entry in self._entries:
            found.setdefault(f"{entry.subject} | {entry.relation}" if entry.subject else "", []).append(entry)
        return found

    def __repr__(self) -> str:
        return "\n\n".join(_table(t, _rows(e)) for t, e in self._by_fact().items()) or self._nothing()

    def _nothing(self) -> str:
        return f"(no history; did you mean {' or '.join(self.near)}?)" if self.near else "(no history)"

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{h}</th>" for h in _HEAD)
        tables = []
        for title, entries in self._by_fact().items():
            caption = f"<caption>{html.escape(title)}</caption>" if title else ""
            body = "".join("<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in r) + "</tr>" for r in _rows(entries))
            tables.append(f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")
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
        try:
            import matplotlib.pyplot as plt
        except ImportError as error:
            raise MissingDependencyError(
                "Timeline.plot needs matplotlib: pip install 'memstrata-integrations[eval]'"
            ) from error
        if ax is None:
            _, ax = plt.subplots(figsize=(9, 0.5 + 0.45 * max(2, len(self._entries))))
        bars = [(i, e) for e in self._entries for i in e.intervals]
        values = list(dict.fromkeys(e.object or _clip(e.statement, 40) for _, e in bars))
        finite = [t for i, _ in bars for t in (i.start, i.end) if MIN_TIME < t < OPEN]
        now = self.now if self.now < OPEN - 1 else max(finite, default=0)
        low, high = min([*finite, now], default=0), max([*finite, now], default=0)
        margin = max((high - low) // 20, 86_400_000_000)
        for interval, entry in bars:
            start, end = max(interval.start, low - margin), min(interval.end, high + margin)
            row = values.index(entry.object or _clip(entry.statement, 40))
            begins = _moment(start)
            colour = "#3a7d44" if self.now in interval else "#b8c4bb"
            ax.barh(row, _moment(end) - begins, left=begins, height=0.6, color=colour)
        ax.set_yticks(range(len(values)), values)
        ax.invert_yaxis()
        ax.set_xlabel("valid time (UTC)")
        ax.axvline(_moment(now), color="#444444", linewidth=1, linestyle=":")
        titles = list(dict.fromkeys(f"{e.subject} {e.relation}" for e in self._entries if e.subject))
        ax.set_title(_clip("; ".join(titles), 90))
        return ax


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
        apart: What reads like it in other sources, and is not compared with it.
    """

    id: str
    status: str
    statements: tuple[TimelineEntry, ...]
    replaced: tuple[TimelineEntry, ...]
    prose: bool
    unread: tuple[Unread, ...] = ()
    apart: tuple[str, ...] = ()

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
        if self.prose:
            lines.append("  holds prose without a key, which nothing supersedes")
        lines += [f"  no fact: {u.reason}: {_clip(u.statement, 72)!r}" for u in self.unread]
        lines += [f"  not compared: {what}" for what in self.apart]
        return "\n".join(lines)


def _fact(entry: TimelineEntry) -> str:
    value = "ends" if entry.object is None else f"= {entry.object!r}"
    return f"{entry.subject} | {entry.relation} {value} (rule {entry.rule})"


def _rows(entries: Sequence[TimelineEntry]) -> list[tuple[str, str, str, str, str, str]]:
    table = []
    for entry in entries:
        for interval in entry.intervals or (None,):
            start = "never" if interval is None else _day(interval.start, "always")
            if entry.status == "ending" and entry.asserted:
                start = _day(entry.asserted[0].start, "always")
            end = "" if interval is None else _day(interval.end, "open")
            table.append((start, end, entry.object or "", entry.status, entry.id, entry.statement))
    return sorted(table, key=lambda r: (r[0] not in ("always",), r[0]))


def _table(title: str, rows: Sequence[Sequence[str]]) -> str:
    cells = [[_clip(c, limit) for c, limit in zip(row, _WIDTHS, strict=True)] for row in (_HEAD, *rows)]
    widths = [max(len(row[n]) for row in cells) for n in range(len(_HEAD))]
    lines = ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in cells]
    return "\n".join([*filter(None, [title]), lines[0], "  ".join("-" * w for w in widths), *lines[1:]])


def _clip(text: str, limit: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def _day(micros: int, otherwise: str) -> str:
    text = format_time(micros)
    if text is None:
        return otherwise
    return text.removesuffix("T00:00:00+00:00").removesuffix("+00:00")


def _moment(micros: int) -> datetime:
    return datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=micros)
