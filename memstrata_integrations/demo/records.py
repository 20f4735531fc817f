"""Dated records, and what they say was true when: the ground truth of the demo.

It is computed here from the dates alone, without the library under demonstration.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from datetime import datetime, timezone
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from memstrata_integrations.errors import InvalidInputError

__all__ = ["Key", "KeyHistory", "Record", "Span", "histories", "read_jsonl"]

Key: TypeAlias = "tuple[str, str]"
"""Subject and relation, as written."""


class Record(NamedTuple):
    """From `at` on, the subject's relation has this object; without one, the fact ended."""

    subject: str
    relation: str
    object: str | None
    at: datetime

    @property
    def statement(self) -> str | None:
        """The sentence that is stored, or `None` for an ending."""
        return None if self.object is None else f"{self.subject} {self.relation} {self.object}."


class Span(NamedTuple):
    """A half-open stretch of time in which one statement, or none, was true; `end` is `None` while it lasts."""

    start: datetime
    end: datetime | None
    statement: str | None

    def covers(self, instant: datetime) -> bool:
        """Tell whether `instant` lies in it."""
        return self.start <= instant and (self.end is None or instant < self.end)


class KeyHistory(NamedTuple):
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

    def judged(self, texts: Collection[str], instant: datetime) -> tuple[bool, bool]:
        """Tell whether an answer holds what is true at `instant`, and whether it holds what is not."""
        return self.statement_at(instant) in texts, not self.wrong_at(instant).isdisjoint(texts)


def histories(records: Iterable[Record]) -> dict[Key, KeyHistory]:
    """Return each key's history; of two records of one instant the later one in order counts.

    The same value asserted twice in a row is one stretch; an ending without a beginning is none.
    """
    dated: dict[Key, dict[datetime, str | None]] = {}
    for record in records:
        dated.setdefault((record.subject, record.relation), {})[record.at] = record.statement
    found = {}
    for key, by_date in dated.items():
        starts = sorted(by_date)
        statements = [by_date[at] for at in starts]
        changes = [n for n, now in enumerate(statements) if now != (statements[n - 1] if n else None)]
        ends = [*(starts[n] for n in changes[1:]), None]
        spans = (Span(starts[n], end, statements[n]) for n, end in zip(changes, ends, strict=False))
        found[key] = KeyHistory(key, tuple(spans))
    return found


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
        json.dumps(fields, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise InvalidInputError(f"{place}: holds a lone surrogate, which no store can keep ({error})") from error
    except ValueError as error:
        raise InvalidInputError(f"{place}: not JSON ({error})") from error
    if not isinstance(fields, dict):
        raise InvalidInputError(f"{place}: a JSON object is expected, not {fields!r:.60}")
    dated = next((name for name in ("commit_date", "date") if fields.get(name) is not None), "commit_date (or date)")
    missing = [name for name in ("subject", "relation", "object", dated) if name not in fields]
    if missing:
        raise InvalidInputError(f"{place}: missing {', '.join(missing)}")
    for name in ("subject", "relation"):
        if not isinstance(fields[name], str) or not fields[name].strip():
            raise InvalidInputError(f"{place}: {name}={fields[name]!r:.60} is not a text")
    if not isinstance(fields["object"], (str, type(None))):
        raise InvalidInputError(
            f"{place}: object={fields['object']!r:.60} is neither a text nor null (null: the fact ended)"
        )
    try:
        at = datetime.fromisoformat(fields[dated].removesuffix("Z") + "+00:00" * fields[dated].endswith("Z"))
        at = at.replace(tzinfo=at.tzinfo or timezone.utc).astimezone(timezone.utc)  # naive means UTC
    except (AttributeError, ValueError, OverflowError) as error:
        raise InvalidInputError(
            f"{place}: {dated}={fields[dated]!r:.60} is not an ISO 8601 date such as 2024-03-01T12:00:00+00:00"
        ) from error
    return Record(fields["subject"], fields["relation"], fields["object"], at)
