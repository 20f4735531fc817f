"""What Chroma's files keep of deleted rows, how it is taken out of them, and how one looks for it.

Chroma deletes a row from its tables only. Its words stay in the full-text index until that is made anew, and in free
pages of the database until it is rewritten; its vector stays in the files of the HNSW index, where its place is
marked as deleted and never used again. (What the log of writes keeps, Chroma itself drops, see `erasing.persist`.)
Places that are not in use, and the lengths of vectors that no distance but cosine asks for, Chroma writes down as it
found the memory of its process, with pieces of texts.

All this works on files, without Chroma, and runs as a process of its own: SQLite's locks are those of a process, and a
second library that opens the database in one where Chroma works would drop Chroma's.
"""

import json
import os
import re
import sqlite3
import struct
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import numpy as np

DATABASE = "chroma.sqlite3"
_WORDS = "embedding_fulltext_search"
_HEADER = struct.Struct("<i6Q")
_LENGTH = 4  # bytes of each place in ``length.bin``
_UNREADABLE = OSError, ValueError, struct.error
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_PIECE = 256  # bytes of a long text that are looked for at once: longer ones lie on several pages of a database
_BLOCK = 1 << 24
_NAMED = 3  # rows


def scrub(directory: Path, collections: Mapping[str, str], wait: float) -> tuple[list[str], list[str]]:
    """Take what was deleted out of the database of a directory, and the vectors of collections out of their indexes.

    The collections are told with how they measure distances ("l2", "cosine", "ip"). Nothing writes meanwhile; readers
    are waited for, `wait` seconds. Returned is a line for each place where it may be left and a later call can get at
    it, and one for each where none can.
    """
    path = directory / DATABASE
    try:
        with closing(sqlite3.connect(path, timeout=wait, isolation_level=None)) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            database.execute(f"INSERT INTO {_WORDS}({_WORDS}) VALUES('rebuild')")
            database.execute("VACUUM")
        told = overwrite(directory, collections, deleted=True)
        strays = [f"the index {i} of a collection that was deleted" for i in _strays(directory)]
    except sqlite3.Error as error:
        return [f"free pages and the full-text index of {path}, and the vector index ({error})"], []
    return told, strays


def overwrite(directory: Path, collections: Mapping[str, str], *, deleted: bool = False) -> list[str]:
    """Overwrite in indexes what nothing asks for, as `zero_unused`; return a line for each where that failed."""
    indexes = ((_index_of(directory, c), space == "cosine") for c, space in collections.items())
    told = [zero_unused(*index, normalized=normalized, deleted=deleted) for index, normalized in indexes]
    return [line for line in told if line is not None]


def _index_of(directory: Path, collection: str) -> tuple[Path, int]:
    """Return where the vector index of a collection lies, and the dimension of its vectors; 0 if it never had any."""
    with closing(_reading(directory / DATABASE)) as database:
        name, dimension = database.execute(
            "SELECT s.id, c.dimension FROM segments s JOIN collections c ON c.id = s.collection "
            "WHERE c.id = ? AND s.scope = 'VECTOR'",
            (collection,),
        ).fetchone() or ("", None)
    return directory / (name or "no index"), dimension or 0


def _strays(directory: Path) -> list[Path]:
    """Return the indexes that belong to no collection: Chroma leaves those of deleted ones on the disk."""
    with closing(_reading(directory / DATABASE)) as database:
        known = {name for (name,) in database.execute("SELECT id FROM segments")}
    return [f for f in sorted(directory.iterdir()) if f.is_dir() and _UUID.fullmatch(f.name) and f.name not in known]


def zero_unused(index: Path, dimension: int, *, normalized: bool, deleted: bool) -> str | None:
    """Overwrite the places of an HNSW index that are not in use with zeros; return where that failed, if it did.

    So are lengths, unless vectors are `normalized` and these tell what they were; and, if asked for, the vectors of
    `deleted` rows, through which searches find their way: from then on it may lose the way to a few others.
    """
    if not index.is_dir():
        return None
    try:
        vectors, gone, (used, size) = _places(index, dimension, "r+")
        if deleted:
            vectors[gone] = 0
        _zero_from(index / "data_level0.bin", used * size)
        _zero_from(index / "length.bin", used * _LENGTH if normalized else 0)
    except _UNREADABLE as error:
        return f"deleted vectors, or pieces of texts, in {index} ({error})"
    return None


def zero_begun(directory: Path) -> None:
    """Overwrite the HNSW indexes of a directory in which no place is in use yet with zeros.

    Chroma begins one upon the first call to a collection whose index holds nothing, and writes it down as it found the
    memory of this process. What it puts there later are the places in use alone, so it need not be at rest.
    """
    for header in directory.glob("*/header.bin"):
        with suppress(*_UNREADABLE):  # an index that is no longer there, or cut off: nothing is known of its places
            for name in ("data_level0.bin", "length.bin") if _head(header.parent)[3] == 0 else ():
                _zero_from(header.parent / name, 0)


def _zero_from(path: Path, start: int) -> None:
    """Overwrite the rest of a file with zeros, and be sure that all of it is on the disk."""
    with path.open("r+b") as file:
        rest = file.seek(0, os.SEEK_END) - start
        file.seek(start)
        file.write(bytes(max(rest, 0)))
        file.flush()
        os.fsync(file.fileno())


def places(index: Path) -> int:
    """Return how many rows an HNSW index had when it was written down, deleted ones included; 0 if it does not tell."""
    with suppress(*_UNREADABLE):
        return _head(index)[3]
    return 0


def _head(index: Path) -> tuple[int, ...]:
    """Return of ``header.bin`` version, offset of level 0, places, those in use, and size, label and vector of each."""
    return _HEADER.unpack((index / "header.bin").read_bytes()[: _HEADER.size])


def _places(index: Path, dimension: int, mode: Any) -> tuple[Any, Any, tuple[int, int]]:
    """Return the vectors of the places in use, as bytes that lie in the file; which are deleted; their number and size.

    One of `_UNREADABLE` is raised if that cannot be read, or does not fit the files.
    """
    version, level0, most, used, size, label, vector = _head(index)
    file = index / "data_level0.bin"
    fits = (version, level0) == (1, 0) and vector + 4 * dimension == label and label + 8 == size and used <= most
    if not dimension or not fits or file.stat().st_size < used * size:
        raise ValueError("its layout is unknown here")
    held = np.memmap(file, np.uint8, mode, shape=(used, size)) if used else np.empty((0, size), np.uint8)
    return held[:, vector:label], held[:, 2] & 1 == 1, (used, size)


def find(directory: Path, texts: Iterable[str], collections: Iterable[str]) -> list[str]:
    """Look for texts in every file of a directory, and for deleted vectors in an index; return a line for each find.

    A text is looked for as UTF-8 and as JSON writes it, once and twice over, in the columns of the database and then
    in the bytes of all files; there a long one counts as found where any 256 bytes of it are. Case counts.
    The lines number the texts, and do not repeat them.
    """
    lines: list[str] = []
    database_file = directory / DATABASE
    for n, text in enumerate(texts):
        forms = _forms(text)
        found = _in_database(database_file, forms)
        pieces = {f[start : start + _PIECE] for f in forms for start in range(0, max(len(f) - _PIECE, 0) + 1, _PIECE)}
        files = sorted(f for f in directory.rglob("*") if f.is_file() and not (found and f == database_file))
        where = [*found, *(f"bytes of {file}" for file in files if _holds(file, pieces))]
        if words := [] if found else _in_words(database_file, text):
            where.append(f"the full-text index in {database_file} has {', '.join(map(repr, words[:_NAMED]))}")
        lines += [f"text {n}: {place}" for place in where]
    for index, dimension in (_index_of(directory, collection) for collection in collections):
        if not index.is_dir():
            continue
        try:
            vectors, deleted, _ = _places(index, dimension, "r")
            left = np.count_nonzero(vectors.any(axis=1) & deleted)
        except _UNREADABLE as error:
            lines.append(f"deleted vectors may be left in {index} ({error})")
        else:
            lines += [f"{left} deleted vectors are left in {index}"] if left else []
    return lines


def _forms(text: str) -> set[bytes]:
    once = {text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]}
    twice = {json.dumps(t, ensure_ascii=False)[1:-1] for t in once}
    return {t.encode("utf-8", "surrogatepass") for t in once | twice}


def _holds(file: Path, pieces: Iterable[bytes]) -> bool:
    """Whether a file holds any of some pieces, however large it is."""
    keep = max(map(len, pieces))
    with suppress(FileNotFoundError), file.open("rb") as opened:  # Chroma's journals come and go
        tail = b""
        while block := opened.read(_BLOCK):
            held = tail + block
            if any(p in held for p in pieces):
                return True
            tail = held[-keep:]
    return False


def _in_database(path: Path, forms: set[bytes]) -> list[str]:
    """Return which columns hold a text, and the ids of the first rows of which the metadata does."""
    found = []
    with closing(_reading(path)) as database:
        for table, column in _columns(database):
            clause = " OR ".join([f'instr(CAST("{column}" AS BLOB), ?)'] * len(forms))
            [count] = database.execute(f'SELECT count(*) FROM "{table}" WHERE {clause}', [*forms]).fetchone()
            if not count:
                continue
            rows: list[Any] = []
            if table == "embedding_metadata":
                question = f"SELECT embedding_id, key FROM {table} JOIN embeddings USING (id) WHERE {clause} LIMIT ?"
                rows = database.execute(question, [*forms, _NAMED]).fetchall()
            told = ", ".join(f"{key!r} of row {row_id!r}" for row_id, key in rows)
            found.append(f"column {column} of {table} in {path}, {count} times" + (f": {told}" if told else ""))
    return found


def _reading(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)


def _columns(database: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return the columns of text of all tables, and the blobs of ids; the full-text index itself is no text."""
    tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'")
    return [
        (table, column)
        for (table,) in tables.fetchall()
        for _, column, kind, *_ in database.execute(f'PRAGMA table_info("{table}")').fetchall()
        if kind == "TEXT" or column == "c0"
    ]


def _in_words(path: Path, text: str) -> list[str]:
    """Return runs of three characters of a text that the full-text index holds and no stored text has.

    It keeps most of them in parts, so some are not found; and of many runs one stands there by chance, and is no trace.
    """
    lowered = text.lower()
    runs = {lowered[n : n + 3] for n in range(len(lowered) - 2)}
    with closing(_reading(path)) as database:
        held = b"".join(block for (block,) in database.execute(f"SELECT block FROM {_WORDS}_data"))
        suspicious = sorted(r for r in runs if r.encode("utf-8", "surrogatepass") in held)
        question = f"SELECT 1 FROM {_WORDS} WHERE {_WORDS} MATCH ? LIMIT 1"
        quoted = {r: '"' + r.replace('"', '""') + '"' for r in suspicious}
        left = [r for r in suspicious if not database.execute(question, (quoted[r],)).fetchone()]
    return left if len(left) > 1 or len(runs) <= 2 else []


def main() -> None:
    """Read what is to be done from standard input, as JSON, and print what was found."""
    asked = json.loads(sys.stdin.read())
    job, directory = asked.pop("do"), Path(asked.pop("directory"))
    jobs: dict[str, Callable[..., Any]] = {"scrub": scrub, "overwrite": overwrite, "find": find}
    print(json.dumps(jobs[job](directory, **asked)))


if __name__ == "__main__":
    main()
