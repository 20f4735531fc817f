"""What a write changed, and what it could not read or did not believe."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from memstrata_integrations.ledger.display import clip
from memstrata_integrations.ledger.time import format_time

MOST_UNREAD = 100
"""How many of the statements that were not read a write tells; of all of them it tells how often which reason."""

_COUNTS = ("added", "confirmed", "versions", "retired", "keyed", "unkeyed")
_LISTED = 20
_NAMED = 3  # of what was not compared

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
        when = f" at {format_time(self.at)}" if format_time(self.at) else ""
        arrow = f"{self.old!r} -> {self.new!r}" if self.new is not None else f"{self.old!r}"
        return f"{self.kind}{when}: {self.subject} {self.relation} {arrow} ({self.row_id})"


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
        return f"{clip(self.statement, 72)!r}: {self.reason}"


@dataclass(frozen=True, slots=True)
class KeptOut:
    """A text that was not written since a tombstone bars it.

    Attributes:
        id: The id that was given for it, or would have been its own.
        reason: Whether its id or its text was purged.
    """

    id: str
    reason: str

    def __str__(self) -> str:
        return f"{self.id!r}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Suspect:
    """Two statements that look like an update and were not linked; both are served.

    Attributes:
        old, new: The ids of their texts: the earlier one, and the later one.
        old_statement, new_statement: What they say.
        old_value, new_value: In what they differ, as written; empty where they were not compared by it.
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
        told = f"is near {self.old}"
        if self.kind:
            told = f"says {self.new_value!r} where {self.old} says {self.old_value!r}"
        return (
            f"{self.new} {told} ({self.why})\n"
            f"  {format_time(self.at)}: {clip(self.new_statement, 90)!r}\n  before: {clip(self.old_statement, 90)!r}"
        )


@dataclass(frozen=True)
class Changes:
    """What a write did, or would do.

    Attributes:
        id: Names the write; `undo` takes it, also in a later process.
        recorded_at: Transaction times of the write, first and last, µs.
        ids: One id for each text, in order, those of `kept_out` included.
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
        kept_out: The texts that were not written since they were purged with ``tombstone=True``.
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
    kept_out: tuple[KeptOut, ...] = ()
    remains: tuple[str, ...] = ()
    committed: bool = True
    written: tuple[int, int] | None = None

    @classmethod
    def joined(cls, parts: "Sequence[Changes]") -> "Changes":
        """Return as one what the parts of a write did, in order."""
        if len(parts) == 1:
            return parts[0]
        spans = [p.written for p in parts if p.written is not None]
        counts = {name: sum(getattr(p, name) for p in parts) for name in _COUNTS}
        reasons: Counter[str] = Counter()
        for part in parts:
            reasons.update(part.reasons)
        return cls(
            recorded_at=(parts[0].recorded_at[0], parts[-1].recorded_at[1]),
            ids=tuple(i for p in parts for i in p.ids),
            changes=tuple(c for p in parts for c in p.changes),
            unread=tuple(u for p in parts for u in p.unread)[:MOST_UNREAD],
            reasons=dict(reasons),
            apart=tuple(dict.fromkeys(a for p in parts for a in p.apart)),
            kept_out=tuple(k for p in parts for k in p.kept_out),
            committed=all(p.committed for p in parts),
            written=(min(t for t, _ in spans), max(t for _, t in spans)) if spans else None,
            **counts,
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
        listed += [f"  kept out: {what}" for what in self.kept_out[:_LISTED]]
        if len(self.kept_out) > _LISTED:
            listed.append(f"  ... and {len(self.kept_out) - _LISTED:,} more kept out")
        listed += [f"  not erased: {where}" for where in self.remains]
        return "\n".join([head, *listed])

    @staticmethod
    def parse_id(text: str) -> tuple[int, int] | None:
        """Return the transaction times that a change id names, or `None` if it is no change id."""
        found = re.fullmatch(r"memstrata-write-(-?\d{1,19})-(\d{1,19})", text)
        return None if found is None else (int(found[1]), int(found[2]))


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
