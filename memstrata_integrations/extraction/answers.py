"""What a model answered: JSON out of whatever stands around it, and counts of what became of it."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from memstrata_integrations.extraction.grounding import Triple

__all__ = ["LLMStats", "parse_answer", "stored", "triples_of"]

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)
_OPENING = re.compile(r"[{\[]")
_MOST_TRIALS = 40  # brackets at which an answer is tried to be read
_LONGEST_ANSWER = 1 << 20
_MOST_TRIPLES = 64  # of one statement


@dataclass
class LLMStats:
    """What an `LLMExtractor` has done so far; safe to read and to add to from several threads.

    Attributes:
        statements: Statements that were put to the model or to its cache.
        gated: Statements that were not: questions, plans, negations, fields of records, code.
        requests: Requests sent, repeated ones included.
        retries: Requests that were repeated after a fault of the connection or the server.
        cached: Distinct statements answered from the cache.
        unparsed: Answers that were no JSON of the form asked for.
        facts: Facts found.
        qualified: Facts among them whose key has more than the model's subject: the statement says of
            which case it speaks ("in staging"). Many of them, and little is superseded.
        doubted: Facts among them that supersede nothing because the model itself says that there may be several
            such values, or that it cannot tell.
        rejected_object: Triples whose object is no verbatim span of the statement.
        rejected_subject: Triples whose subject says what the statement doesn't, or names nothing.
        rejected_relation: Triples whose relation is not in the vocabulary, or not what the statement says: "Ann ran a
            marathon in Bergen" holds no word for where she lives.
        rejected_value: Triples whose value is none of that relation.
        rejected_unasserted: Triples whose value the statement refuses, tries, doubts or tells of a while or of others.
        malformed: Entries of an answer that are no triples.
        contradictory: Facts dropped because the same text states another value too.
        failed: Distinct statements that got no answer and stay prose.
    """

    statements: int = 0
    gated: int = 0
    requests: int = 0
    retries: int = 0
    cached: int = 0
    unparsed: int = 0
    facts: int = 0
    qualified: int = 0
    doubted: int = 0
    rejected_object: int = 0
    rejected_subject: int = 0
    rejected_relation: int = 0
    rejected_value: int = 0
    rejected_unasserted: int = 0
    malformed: int = 0
    contradictory: int = 0
    failed: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    @property
    def rejected(self) -> int:
        """Triples dropped because the statement does not bear them out."""
        counts = self.as_dict()
        return sum(count for name, count in counts.items() if name.startswith("rejected_"))

    def add(self, **counts: int) -> None:
        """Add to counts."""
        with self._lock:
            for name, count in counts.items():
                setattr(self, name, getattr(self, name) + count)

    def as_dict(self) -> dict[str, int]:
        """Return the counts as they are at this moment."""
        with self._lock:
            return {f.name: getattr(self, f.name) for f in fields(self) if f.name[0] != "_"}

    def __getstate__(self) -> dict[str, int]:
        return self.as_dict()

    def __setstate__(self, state: dict[str, int]) -> None:
        self.__init__(**state)  # type: ignore[misc]

    def reset(self) -> None:
        """Start again from zero."""
        with self._lock:
            for each in fields(self):
                if each.name[0] != "_":
                    setattr(self, each.name, 0)


def parse_answer(text: str, count: int) -> dict[int, Any] | None:
    r"""Read the entries of an answer.

    Args:
        text: The answer: JSON, perhaps in a code fence, among prose, or after thoughts.
        count: How many statements were asked about.

    Returns:
        Place of the statement (from 0) to what is said of it, as JSON; statements that the answer
        leaves out state nothing. Of a draft and its correction the last counts. `None` if there is no such JSON in it.

    Example:
        >>> parse_answer('Here:\n```json\n{"statements": [{"n": 1, "facts": []}]}\n```', 1)
        {0: []}
        >>> parse_answer("I would rather not.", 1) is None
        True
    """
    text = _THOUGHT.sub("", text[:_LONGEST_ANSWER])
    decoder = json.JSONDecoder()
    pos = 0
    last = None
    for _ in range(_MOST_TRIALS):
        opening = _OPENING.search(text, pos)
        if opening is None:
            break
        try:
            value, pos = decoder.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            pos = opening.start() + 1
            continue
        found = _entries(value, count)
        last = last if found is None else found
    return last


def _entries(value: Any, count: int) -> dict[int, Any] | None:
    if isinstance(value, Mapping):
        listed = value.get("statements")
        if listed is None and "facts" in value:
            listed = [value] if count == 1 or "n" in value else None
        if listed is None and value and all(isinstance(k, str) and k.isdecimal() and len(k) < 9 for k in value):
            listed = [{"n": int(k), "facts": v} for k, v in value.items()]
        value = listed
    if not isinstance(value, Sequence) or isinstance(value, str):
        return None
    found: dict[int, Any] = {}
    for place, entry in enumerate(value):
        if not isinstance(entry, Mapping) or "facts" not in entry:
            return None
        n = entry.get("n", place + 1)
        n = int(n) if isinstance(n, str) and n.isdecimal() and len(n) < 9 else n
        if isinstance(n, bool) or not isinstance(n, int) or not 1 <= n <= count or n - 1 in found:
            return None
        found[n - 1] = entry["facts"]
    return found


def triples_of(said: Any, most: int | None = None) -> tuple[list[Triple], int]:
    """Return the triples in what an answer says of one statement, and how many entries are none.

    Args:
        said: A list of objects with subject, relation and object; whatever else they hold, an id
            or a time, is not read.
        most: How many a prompt asks for.
    """
    if said is None:
        return [], 0
    entries = [said] if isinstance(said, Mapping) else said
    if not isinstance(entries, Sequence) or isinstance(entries, str):
        return [], 1
    found, malformed = [], 0
    for entry in entries[:_MOST_TRIPLES]:
        parts = [entry.get(k) for k in ("subject", "relation", "object")] if isinstance(entry, Mapping) else []
        # a number as such is a value as well: it is looked for as it is written
        words = [str(p) for p in parts if isinstance(p, (str, int, float)) and not isinstance(p, bool)]
        if len(words) < 3 or not all(w.strip() for w in words):
            malformed += 1
            continue
        cardinality = entry.get("cardinality")
        said_of = cardinality if cardinality in ("functional", "set", "unknown") else ""
        found.append(Triple(words[0], words[1], words[2], said_of))
    malformed += max(0, len(entries) - _MOST_TRIPLES)
    return (found if most is None else found[:most]), malformed


def stored(triples: Sequence[Triple]) -> list[dict[str, str]]:
    """Return triples as a cache keeps them; `triples_of` reads them back."""
    return [t._asdict() for t in triples]
