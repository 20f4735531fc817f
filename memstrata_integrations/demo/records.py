"""Dated records, and what they say was true when: the ground truth of the demo.

It is computed here from the dates alone, without the library under demonstration.
"""

from collections.abc import Collection, Iterable
from datetime import datetime, timezone
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Annotated, NamedTuple, TypeAlias

from pydantic import AfterValidator, AliasChoices, Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from memstrata_integrations.errors import InvalidInputError

Key: TypeAlias = "tuple[str, str]"
"""Subject and relation, as written."""
_Text = Annotated[str, Field(pattern=r"\S")]
_Date = Annotated[datetime, AfterValidator(lambda at: at.replace(tzinfo=at.tzinfo or timezone.utc))]


@dataclass(frozen=True)
class Record:
    """From `at` on (without an offset: UTC), the subject's relation has this object; without one, the fact ended."""

    subject: _Text
    relation: _Text
    object: str | None
    at: _Date = Field(validation_alias=AliasChoices("commit_date", "date"))

    @property
    def statement(self) -> str | None:
        """The sentence that is stored, or `None` for an ending."""
        return None if self.object is None else f"{self.subject} {self.relation} {self.object}."


_RECORD = TypeAdapter(Record)


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
        changes = [next(same) for _, same in groupby(sorted(by_date.items()), key=itemgetter(1))]
        ends = [*(at for at, _ in changes[1:]), None]
        spans = [Span(at, end, statement) for (at, statement), end in zip(changes, ends, strict=True)]
        found[key] = KeyHistory(key, tuple(spans if spans[0].statement is not None else spans[1:]))
    return found


def read_jsonl(path: str | Path, *, limit: int | None = None) -> list[Record]:
    """Read one record a line: `subject`, `relation`, `object` (null: it ended), `commit_date` or `date`.

    `InvalidInputError` says which line is none, and what is wrong with it, or with the file.
    """
    records: list[Record] = []
    number = 0
    try:
        with Path(path).open(encoding="utf-8") as file:
            for line in file:
                if len(records) == limit:
                    break
                number += 1
                if line.strip():
                    records.append(_RECORD.validate_json(line))
    except OSError as error:
        raise InvalidInputError(f"{path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InvalidInputError(f"{path} is not UTF-8 text: {error}") from error
    except ValidationError as error:
        wrong = "; ".join(": ".join((*map(str, e["loc"]), e["msg"])) for e in error.errors())
        raise InvalidInputError(f"{path}, line {number}: {wrong}") from error
    if not records:
        raise InvalidInputError(f"{path} holds no records; one JSON object per line is expected")
    return records
