"""What a model answered, kept in one SQLite file: for threads, for several processes, and across runs."""

import hashlib
import json
import logging
import os
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from memstrata_integrations.errors import from_signal_handler

logger = logging.getLogger("memstrata_integrations")

_SCHEMA = """
PRAGMA secure_delete = ON;
CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, text BLOB NOT NULL, answer TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS answers_of_a_text ON answers (text)"""


def digest(*parts: str) -> bytes:
    """Return a key made from everything that decides an answer."""
    return hashlib.blake2b(json.dumps(parts).encode(), digest_size=16).digest()


class AnswerCache:
    """A persistent map from keys to answers, each with the digest of the text that it is about.

    A file that cannot be used is no reason to fail: it is warned of once, and the model is asked. Answers hold pieces
    of texts, so that `forget` overwrites them on disk (SQLite's ``secure_delete``).
    """

    def __init__(self, path: str | os.PathLike[str] | None) -> None:
        """Use a file, which is made when it is first needed; `None`: below ``$XDG_CACHE_HOME`` or ``~/.cache``."""
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        self.path = home / "memstrata" / "answers.sqlite3" if path is None else Path(path)
        self._warned = False

    def get(self, keys: Iterable[bytes]) -> dict[bytes, Any]:
        """Return the answers that are known, by key."""
        listed = list(keys) if self.path.exists() else []
        rows = self._run("SELECT answer FROM answers WHERE key = ?", [(key,) for key in listed])
        return {key: json.loads(row[0]) for key, row in zip(listed, rows, strict=False) if row is not None}

    def put(self, answers: Iterable[tuple[bytes, bytes, Any]]) -> None:
        """Keep answers: key, digest of the text, a JSON value."""
        rows = [(key, text, json.dumps(answer)) for key, text, answer in answers]
        self._run("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", rows)

    def forget(self, texts: Iterable[bytes]) -> None:
        """Erase the answers about some texts, whichever model gave them."""
        if self.path.exists():
            self._run("DELETE FROM answers WHERE text = ?", [(text,) for text in texts])

    def _run(self, statement: str, rows: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Run a statement for each of some rows, and return the first that each finds."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=30.0)) as connection, connection:
                connection.executescript(_SCHEMA)
                return [connection.execute(statement, row).fetchone() for row in rows]
        except (sqlite3.Error, OSError) as error:
            if from_signal_handler(error):
                raise
            if not self._warned:
                logger.warning("answers are not cached: %s cannot be used (%s); delete it if damaged", self.path, error)
            self._warned = True
            return []
