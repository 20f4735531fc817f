"""The pairs that the grammar is measured on: reading them, and adding an author's set. See `eval/data/README.md`."""

import csv
import json
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from memstrata_integrations.errors import InvalidInputError

DATA = Path(__file__).resolve().parent / "data"
KINDS = ("value_only", "reworded", "assistant", "lookalike", "change", "group")
SPLITS = ("worked", "counted", "fresh")
"""Whose misses were read; which were only counted; which no work has followed yet."""

Row = dict[str, Any]
_FIELDS = ("topic", "first", "second", "supersedes", "value_first", "value_second", "same_value", "change", "ends",
           "stays", "values", "sentences", "why")  # fmt: skip
_NEEDED = {"change": {"change", "ends", "stays"}, "group": {"values", "sentences"}}


@lru_cache(maxsize=1)
def _all(path: Path = DATA / "pairs.jsonl") -> tuple[Row, ...]:
    return tuple(json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())


def read(kinds: Iterable[str] = KINDS, splits: Iterable[str] = SPLITS, author: str | None = None) -> list[Row]:
    """Return the rows of these kinds and splits, in the order of the file."""
    some, parts = set(kinds), set(splits)
    return [r for r in _all() if r["kind"] in some and r["split"] in parts and author in (None, r["author"])]


def first_sight(at: Path = DATA / "first_sight.csv") -> list[dict[str, str]]:
    """Return what each author's set gave when it was counted first, before anything of it was read."""
    with at.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def add(source: Path, author: str, kind: str, asked_for: str, *, to: Path = DATA) -> int:
    """Append an author's set as split ``fresh``, and count it in the table of authors.

    Args:
        source: JSON lines: ``first`` and ``second`` (``supersedes`` where it is not what the kind says), or ``change``,
            ``ends`` and ``stays``.
        author: A short name; its ids begin with it.
        kind: One of `KINDS`.
        asked_for: What the author was asked for, in a line.
        to: Where ``pairs.jsonl`` and ``authors.csv`` are.

    Returns:
        How many rows were added.

    Raises:
        InvalidInputError: If a row lacks a field, or an id is there already.
    """
    pairs, table = to / "pairs.jsonl", to / "authors.csv"
    known = {json.loads(line)["id"] for line in pairs.read_text(encoding="utf-8").splitlines()}
    needed, found = _NEEDED.get(kind, {"first", "second"}), []
    try:
        given_rows = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, ValueError) as unreadable:
        raise InvalidInputError(f"{source} cannot be read as JSON lines: {unreadable}") from unreadable
    for given in given_rows:
        row = {"id": f"{author}-{given.get('id')}", "author": author, "kind": kind, "split": "fresh"}
        if not needed <= given.keys() or row["id"] in known or kind not in KINDS:
            raise InvalidInputError(f"{source}: {given!r} needs {', '.join(sorted(needed))} and an id of its own")
        given = {**given, "topic": given.get("topic", given.get("kind", ""))}
        if "first" in needed:
            given.setdefault("supersedes", kind != "lookalike")
        known.add(row["id"])
        found.append({**row, **{name: given[name] for name in _FIELDS if name in given}})
    with pairs.open("a", encoding="utf-8") as end:
        end.writelines(json.dumps(r, ensure_ascii=False, separators=(",", ":")) + "\n" for r in found)
    with table.open(encoding="utf-8", newline="") as lines:
        authors = {r["author"]: r for r in csv.DictReader(lines)}
    fields = list(next(iter(authors.values())))
    blank = {**dict.fromkeys(KINDS, 0), "author": author, "had_seen": "", "misses_read": "none"}
    entry = authors.setdefault(author, {**blank, "asked_for": asked_for})
    entry.update({k: int(entry[k]) + n for k, n in Counter(r["kind"] for r in found).items()})
    with table.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, fields, lineterminator="\n")
        writer.writeheader()
        writer.writerows(authors.values())
    _all.cache_clear()
    return len(found)
