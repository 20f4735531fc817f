"""Dated records, and what they say was true when: the ground truth of the demo.

It is computed here from the dates alone, without the library under demonstration.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from memstrata_integrations.errors import InvalidInputError

__all__ = ["Key", "KeyHistory", "Outcome", "Record", "Span", "histories", "read_jsonl"]

Key: TypeAlias = "tuple[str, str]"
"""Subject and relation, as written."""

_TEXT_FIELDS = ("subject", "relation")


@dataclass(frozen=True, slots=True)
class Record:
    """From `at` on, the subject's relation has this object; without one, the fact ended."""

    subject: str
    relation: str
    object: str | None
    at: datetime

    @property
    def key(self) -> Key:
        """Subject and relation."""
        return self.subject, self.relation

    @property
    def statement(self) -> str | None:
        """The sentence that is stored, or `None` for an ending."""
        return None if self.object is None else f"{self.subject} {self.relation} {self.object}."


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open stretch of time in which one statement, or none, was true; `end` is `None` while it lasts."""

    start: datetime
    end: datetime | None
    statement: str | None

    def covers(self, instant: datetime) -> bool:
        """Tell whether `instant` lies in it."""
        return self.start <= instant and (self.end is None or instant < self.end)

    @property
    def midpoint(self) -> datetime:
        """The instant half way through a stretch that has ended."""
        if self.end is None:
            raise ValueError("a stretch that lasts has no midpoint")
        return self.start + (self.end - self.start) / 2


@dataclass(frozen=True, slots=True)
class KeyHistory:
    """What was true of one subject and relation, one stretch after the other."""

    key: Key
    spans: tuple[Span, ...]

    @property
    def statements(self) -> frozenset[str]:
        """Every statement that was ever made of the key."""
        return frozenset(span.statement for span in self.spans if span.statement is not None)

    def statement_at(self, instant: datetime) -> str | None:
        """Return the statement that is true at `instant`, or `None`."""
        return next((span.statement for span in self.spans if span.covers(instant)), None)

    def wrong_at(self, instant: datetime) -> frozenset[str]:
        """Return the statements of the key that are not true at `instant`."""
        return self.statements - {self.statement_at(instant)}


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether an answer held what is true of the fact (`None`: nothing is), and whether it held what is not."""

    found: bool | None
    stale: bool

    @classmethod
    def of(cls, texts: list[str], true: str | None, wrong: frozenset[str]) -> Outcome:
        """Judge the texts of one answer."""
        return cls(None if true is None else true in texts, not wrong.isdisjoint(texts))


def histories(records: Iterable[Record]) -> dict[Key, KeyHistory]:
    """Return each key's history; of two records of one instant the later one in order counts.

    The same value asserted twice in a row is one stretch.
    """
    dated: dict[Key, list[Record]] = {}
    for record in records:
        dated.setdefault(record.key, []).append(record)
    return {key: KeyHistory(key, tuple(_spans(key_records))) for key, key_records in dated.items()}


def _spans(records: list[Record]) -> Iterator[Span]:
    latest = {record.at: record.statement for record in records}  # a later record of the same instant wins
    changes: list[tuple[datetime, str | None]] = []
    for at in sorted(latest):
        if latest[at] != (changes[-1][1] if changes else None):
            changes.append((at, latest[at]))
    ends: list[datetime | None] = [*(at for at, _ in changes[1:]), None][: len(changes)]  # none if it only ever ended
    for (start, statement), end in zip(changes, ends, strict=True):
        yield Span(start, end, statement)


def read_jsonl(path: str | Path, *, limit: int | None = None) -> list[Record]:
    """Read one record a line: `subject`, `relation`, `object` (null: it ended), `commit_date` or `date`.

    Args:
        path: The file, UTF-8.
        limit: Read at most this many records.

    Raises:
        InvalidInputError: If the file cannot be read, holds no record, or a line is none; the
            message names the line and what is wrong with it.
    """
    try:
        with Path(path).open(encoding="utf-8") as file:
            lines = ((number, line) for number, line in enumerate(file, 1) if line.strip())
            records = [_record(line, f"{path}, line {number}") for number, line in islice(lines, limit)]
    except OSError as error:
        raise InvalidInputError(f"{path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InvalidInputError(f"{path} is not UTF-8 text: {error}") from error
    if not records:
        raise InvalidInputError(f"{path} holds no records; one JSON object per line is expected")
    return records


def _record(line: str, place: str) -> Record:
    try:
        fields: Any = json.loads(line)
    except ValueError as error:
        raise InvalidInputError(f"{place}: not JSON ({error})") from error
    if not isinstance(fields, dict):
        raise InvalidInputError(f"{place}: a JSON object is expected, not {_clipped(fields)}")
    date_field = next((name for name in ("commit_date", "date") if fields.get(name) is not None), None)
    missing = [name for name in (*_TEXT_FIELDS, "object") if name not in fields]
    missing += ["commit_date (or date)"] if date_field is None else []
    if missing:
        raise InvalidInputError(f"{place}: missing {', '.join(missing)}")
    for name in _TEXT_FIELDS:
        if not isinstance(fields[name], str) or not fields[name].strip():
            raise InvalidInputError(f"{place}: {name}={_clipped(fields[name])} is not a text")
    value = fields["object"]
    if value is not None and not isinstance(value, str):
        raise InvalidInputError(f"{place}: object={_clipped(value)} is neither a text nor null (null: the fact ended)")
    record = Record(fields["subject"], fields["relation"], value, _instant(fields[date_field or ""], place, date_field))
    try:
        f"{record.subject} {record.relation} {record.object}".encode()
    except UnicodeEncodeError as error:
        raise InvalidInputError(f"{place}: holds a lone surrogate, which no store can keep ({error})") from error
    return record


def _instant(value: object, place: str, name: str | None) -> datetime:
    try:
        if not isinstance(value, str):
            raise TypeError("not a text")
        moment = datetime.fromisoformat(value[:-1] + "+00:00" if value.endswith("Z") else value)
        # naive means UTC
        return moment.replace(tzinfo=timezone.utc) if moment.tzinfo is None else moment.astimezone(timezone.utc)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidInputError(
            f"{place}: {name}={_clipped(value)} is not an ISO 8601 date such as 2024-03-01T12:00:00+00:00 ({error})"
        ) from error


def _clipped(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
