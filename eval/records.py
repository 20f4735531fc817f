"""Records: one JSON line a sample, a manifest beside them, and nothing lost or counted twice.

A directory holds ``manifest.json`` (what was run with what) and ``records.jsonl``, or ``records.jsonl.gz`` of a run
that is kept. A run that was interrupted is resumed by the same command; one with other settings is refused.
"""

import contextlib
import gzip
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from memstrata_integrations.errors import ConflictError, InvalidInputError, StorageError

SCHEMA = 2
ANSWERS = "answers.sqlite3"
"""What models answered in a run, beside its records."""
_KEYS = {
    "cell": ("benchmark", "condition", "order"),
    "answer": ("benchmark", "condition", "order", "question", "abstention"),
    "pair": ("benchmark", "condition", "pair"),
    "git": ("condition", "kind", "probe", "key", "as_of"),
    "calibration": ("embedding",),
    "probe": ("set", "half", "measure"),
    "growth": ("condition", "ingested"),
    "history": ("condition", "pace", "asked", "versions", "fact"),
    "count": ("part", "set", "condition", "measure"),
    "cost": ("what",),
}
_FREE = ("created", "machine", "command")  # what a resumed run may have otherwise


def key_of(record: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return what tells a record from every other one of its run.

    Raises:
        InvalidInputError: If it has no known type, or lacks a field of its key.
    """
    try:
        return (record["type"], *(record[name] for name in _KEYS[record["type"]]))
    except KeyError as absent:
        what = f"of the unknown type {absent}" if record.get("type") not in _KEYS else f"without {absent}"
        raise InvalidInputError(f"a record {what}: {json.dumps(record)[:200]}") from absent


def identity(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return what must be the same for two manifests to belong to one run."""
    return {name: value for name, value in manifest.items() if name not in _FREE}


@dataclass(frozen=True, slots=True)
class Records:
    """What a directory holds.

    Attributes:
        manifest: What was run with what.
        rows: The records, in the order of writing.
    """

    manifest: dict[str, Any]
    rows: tuple[dict[str, Any], ...]

    def of(self, type_: str, **fields: Any) -> list[dict[str, Any]]:
        """Return the records of one type whose fields have these values."""
        return [
            row
            for row in self.rows
            if row["type"] == type_ and all(row.get(name) == value for name, value in fields.items())
        ]


def read(directory: Path) -> Records:
    """Read a run's records.

    Raises:
        InvalidInputError: If there are none, or one cannot be read.
    """
    manifest = directory / "manifest.json"
    if not manifest.is_file():
        raise InvalidInputError(f"{directory} holds no run: manifest.json is missing; make one with python -m eval run")
    try:
        known = json.loads(manifest.read_text(encoding="utf-8"))
        schema = known["schema"]
    except (OSError, ValueError, KeyError, TypeError) as broken:
        raise InvalidInputError(f"{manifest} is no manifest of a run: {broken!r}; give another directory") from broken
    if schema != SCHEMA:
        raise InvalidInputError(
            f"{manifest} has schema {schema}, this version reads {SCHEMA}: run it anew with another --out"
        )
    rows: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in _lines(directory):
        key = key_of(row)
        if key not in rows or rows[key].get("failed"):  # a call that failed is made again when the run is resumed
            rows[key] = row
    return Records(known, tuple(rows.values()))


def _lines(directory: Path) -> Iterator[dict[str, Any]]:
    for path, opened in ((directory / "records.jsonl.gz", gzip.open), (directory / "records.jsonl", open)):
        if not path.is_file():
            continue
        number = 0
        try:
            with opened(path, "rb") as file:
                for line in file:
                    number += 1
                    if not line.endswith(b"\n"):
                        return  # the last line of a run that was interrupted
                    row = json.loads(line)
                    if not isinstance(row, dict):
                        raise ValueError(f"{line[:40]!r} is no record")
                    yield row
        except (OSError, EOFError, ValueError) as broken:
            raise InvalidInputError(f"{path} cannot be read from line {number} on: {broken}") from broken


class Recorder:
    """Appends records to a directory, each once.

    Args:
        directory: Made if it does not exist.
        manifest: Of this run.

    Raises:
        ConflictError: If the directory holds a run with other settings.
    """

    def __init__(self, directory: Path, manifest: Mapping[str, Any]) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._path = directory / "records.jsonl"
        self._known: set[tuple[Any, ...]] = set()
        if (directory / "manifest.json").is_file():
            earlier = read(directory)
            _refuse_other(directory, earlier.manifest, manifest)
            self._known = {key_of(row) for row in earlier.rows if not row.get("failed")}
        else:
            if self._path.exists() or (directory / "records.jsonl.gz").exists():
                raise ConflictError(f"{directory} holds records without a manifest; give another --out")
            _write_whole(directory / "manifest.json", json.dumps(manifest, indent=1, sort_keys=True) + "\n")
        self._file = open(self._path, "ab", buffering=0)  # noqa: SIM115  (closed by __exit__)
        self._end = self._path.read_bytes().rfind(b"\n") + 1
        self._file.truncate(self._end)  # a torn last line of a run that was interrupted

    def __enter__(self) -> "Recorder":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()

    def has(self, record: Mapping[str, Any]) -> bool:
        """Whether a record of this key was written."""
        return key_of(record) in self._known

    def write(self, record: Mapping[str, Any]) -> None:
        """Append a record, unless it is there.

        Raises:
            StorageError: If it cannot be written (a full disk). What was written before is whole, and the same command
                resumes the run.
        """
        key = key_of(record)
        if key in self._known:
            return
        line = json.dumps(record, ensure_ascii=False, sort_keys=True).encode() + b"\n"
        try:
            if self._file.write(line) != len(line):
                raise OSError("only a part of it fitted")
        except OSError as failed:
            self._forget_torn_line()
            raise StorageError(
                f"a record could not be written to {self._path}: {failed}; {len(self._known)} records are kept. "
                "Make room, and the same command goes on from there"
            ) from failed
        self._end += len(line)
        self._known.add(key)

    def _forget_torn_line(self) -> None:
        with contextlib.suppress(OSError):  # `read` leaves a torn last line out
            os.truncate(self._path, self._end)


def _refuse_other(directory: Path, earlier: Mapping[str, Any], manifest: Mapping[str, Any]) -> None:
    was, is_ = identity(earlier), json.loads(json.dumps(identity(manifest)))
    other = sorted(name for name in was.keys() | is_.keys() if was.get(name) != is_.get(name))
    if other:
        raise ConflictError(
            f"{directory} holds a run with another {', '.join(other)}; it cannot be gone on with. Give another --out; "
            f"with --cache {directory / ANSWERS} no model is asked twice"
        )


def _write_whole(path: Path, text: str) -> None:
    beside = path.with_suffix(".part")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)
