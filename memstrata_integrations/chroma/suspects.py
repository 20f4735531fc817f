"""Suspects: pairs that look like an update and were not linked, for a person or a model to decide.

Nothing here retires anything. Two statements look like an update when they are near in the embedding, share most of
their words, and differ in the value of one kind. Who has other words for a fact shares hardly one: what is left then is
that no other text is nearer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from memstrata_integrations.chroma.fields import DISMISSED, TO, decode, user_metadata, visible_in
from memstrata_integrations.chroma.keying import Keying
from memstrata_integrations.chroma.lookup import Lookup, Record
from memstrata_integrations.chroma.scoping import lies_in, scope_of
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.extraction.phrases import name_end
from memstrata_integrations.extraction.statements import statements
from memstrata_integrations.extraction.tokens import EXACT, NAME, QUANTITY, WORD, tokenize
from memstrata_integrations.extraction.words import Flag
from memstrata_integrations.ledger.changes import Suspect
from memstrata_integrations.ledger.rows import Row
from memstrata_integrations.ledger.time import MIN_TIME

__all__ = ["dismiss", "suspects"]

_NEIGHBOURS = 8
_WIDEST = 512  # neighbours of whatever scope and time among which they are looked for
_BATCH = 100
_STATEMENTS = 30  # of one text; of a longer one the first are compared
_SHARED = 0.6  # of the words of the shorter statement
_FUNCTION = (
    Flag.DET | Flag.OWNER | Flag.PREP | Flag.AND | Flag.SUB | Flag.REL | Flag.AUX | Flag.SKIP | Flag.NOT | Flag.PRONOUN
)


class _Told(NamedTuple):
    """A statement as far as it can be compared."""

    span: tuple[int, int]
    text: str
    words: frozenset[str]
    values: Mapping[str, Mapping[str, str]]  # by kind: canonical form to how it is written


class _Text(NamedTuple):
    """A row with what it tells, and since when."""

    record: Record
    row: Row
    begins: int
    told: Sequence[_Told]


def suspects(
    lookup: Lookup, keying: Keying, *, k: int, scope: Mapping[str, Any], look_at: int, wide: bool, now: int
) -> list[Suspect]:
    """Return the newest pairs that look like an update; see `TemporalCollection.suspects`."""
    found: list[Suspect] = []
    for text in _newest(lookup, keying, scope, look_at, now):
        for old, other in _near(lookup, keying, text, now):
            dismissed = _pair(old.row, text.row, other, text.record) in _dismissed(text.record)
            suspect = None if dismissed else _nearest(old, text) if wide else _compare(old, text)
            if suspect is not None:
                found.append(suspect)
            if wide:
                break
        if len(found) >= k:
            break
    return sorted(found, key=lambda s: -s.at)[:k]


def _near(lookup: Lookup, keying: Keying, text: _Text, now: int) -> list[tuple[_Text, Record]]:
    """Return the earlier texts of its scope that are nearest to a text and are served, the nearest first."""
    own = scope_of(text.record["metadata"], keying.scope)
    asked, n = {"query_embeddings": [text.record["embedding"]]}, _NEIGHBOURS
    while True:
        near = [i for i in lookup.collection.query(**asked, n_results=n, include=[])["ids"][0] if i != text.row.id]
        others = lookup.fetch(near, ("documents",))
        found = []
        for other in (others[i] for i in near if i in others):
            if lies_in(other["metadata"], own) and visible_in(other["id"], other["metadata"], now):
                old = _text(other)
                if (old.begins, old.row.id) < (text.begins, text.row.id) and not old.row.archived:
                    found.append((old, other))
        if len(found) >= _NEIGHBOURS or len(near) < n - 1 or n >= _WIDEST:
            return found[:_NEIGHBOURS]
        n *= 4


def dismiss(lookup: Lookup, keying: Keying, old: str, new: str) -> None:
    """Keep in mind that two texts are no update; another text under one of the ids is another matter."""
    records = lookup.fetch([old, new], ("documents",))
    for row_id in (old, new):
        if row_id not in records:
            raise InvalidInputError(f"there is no document {row_id!r} in this collection")
    if not lies_in(records[old]["metadata"], scope_of(records[new]["metadata"], keying.scope)):
        raise InvalidInputError(f"documents {old!r} and {new!r} lie in two scopes")
    first, second = (decode(i, records[i]["metadata"], records[i]["document"]) for i in (old, new))
    marks = {*_dismissed(records[new]), _pair(first, second, records[old], records[new])}
    lookup.collection.update(ids=[new], metadatas=[{DISMISSED: " ".join(sorted(marks))}])


def _pair(old: Row, new: Row, first: Record, second: Record) -> str:
    """Return a hash that stands for two texts as they read now."""
    text = f"{old.content} {new.content} {first['id']} {second['id']}"
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _dismissed(record: Record) -> set[str]:
    return set(str((record["metadata"] or {}).get(DISMISSED) or "").split())


def _newest(lookup: Lookup, keying: Keying, scope: Mapping[str, Any], look_at: int, now: int) -> Iterator[_Text]:
    """Yield the texts that are served, the newest first, with their vectors."""
    ids = lookup.collection.get(where={TO: {"$gt": now}}, include=[])["ids"]
    own = scope_of(scope, [name for name in keying.scope if name in scope])
    dated: list[tuple[int, str]] = []
    for start in range(0, len(ids), 5_000):
        for row_id, found in lookup.fetch(ids[start : start + 5_000]).items():
            metadata = found["metadata"]
            if visible_in(row_id, metadata, now) and lies_in(user_metadata(metadata), own):
                dated.append((_begins(decode(row_id, metadata)), row_id))
    dated.sort(reverse=True)
    chosen = [row_id for _, row_id in dated[:look_at]]
    for start in range(0, len(chosen), _BATCH):
        part = chosen[start : start + _BATCH]
        records = lookup.fetch(part, ("documents", "embeddings"))
        for row_id in part:
            record = records.get(row_id)
            if record is not None and record["document"] and record["embedding"] is not None:
                text = _text(record)
                if not text.row.archived:
                    yield text


def _text(record: Record) -> _Text:
    row = decode(record["id"], record["metadata"], record["document"])
    document = record["document"] or ""
    told = []
    for statement in statements(document)[:_STATEMENTS]:
        if statement.kind in ("sentence", "line", "row"):
            told.append(_told(document, statement.start, statement.end))
    return _Text(record, row, _begins(row), told)


def _begins(row: Row) -> int:
    """Return since when a text holds, where that is known, else when it was learned, µs."""
    starts = [a.valid_from for f in row.facts for a in f.assertions] or [e.valid_from for e in row.editions]
    start = min(starts, default=MIN_TIME)
    return start if start > MIN_TIME else row.recorded_at


def _told(text: str, start: int, end: int) -> _Told:
    said = text[start:end]
    tokens = tokenize(said)
    words: set[str] = set()
    values: dict[str, dict[str, str]] = {}
    n = 0
    while n < len(tokens):
        token = tokens[n]
        stop = n + 1
        if token.sort in (QUANTITY, EXACT):
            values.setdefault(token.kind, {})[token.lemma] = said[token.start : token.end]
        elif token.sort == NAME and n:
            stop = max(name_end(tokens, n), stop)
            name = said[token.start : tokens[stop - 1].end]
            values.setdefault("name", {})[name.casefold()] = name
        elif token.sort in (WORD, NAME) and not token.flags & _FUNCTION:
            words.add(token.lemma)
        n = stop
    return _Told((start, end), said, frozenset(words), values)


def _nearest(old: _Text, new: _Text) -> Suspect | None:
    """Return the statements of two texts that share most words, unless they are linked, or say the same."""
    pairs = [(len(a.words & b.words), a, b) for b in new.told for a in old.told]
    if not pairs:
        return None
    _, earlier, later = max(pairs, key=lambda p: p[0])
    if earlier.text == later.text or _linked(old, earlier, new, later):
        return None
    return _suspect(old, earlier, new, later, ("", "", ""))


def _compare(old: _Text, new: _Text) -> Suspect | None:
    """Return the first two statements of two texts that look like an update, if any do."""
    for later in new.told:
        for earlier in old.told:
            shared = len(later.words & earlier.words)
            least = min(len(later.words), len(earlier.words))
            if not least or shared < _SHARED * least:
                continue
            other = [
                kind
                for kind in later.values.keys() | earlier.values.keys()
                if later.values.get(kind, {}).keys() != earlier.values.get(kind, {}).keys()
            ]
            if len(other) != 1:
                continue
            [kind] = other
            gone = [w for c, w in earlier.values.get(kind, {}).items() if c not in later.values.get(kind, {})]
            come = [w for c, w in later.values.get(kind, {}).items() if c not in earlier.values.get(kind, {})]
            if len(gone) != 1 or len(come) != 1 or _linked(old, earlier, new, later):
                continue
            return _suspect(old, earlier, new, later, (gone[0], come[0], kind))
    return None


def _suspect(old: _Text, earlier: _Told, new: _Text, later: _Told, values: tuple[str, str, str]) -> Suspect:
    ids = (old.row.document_id, new.row.document_id)
    return Suspect(*ids, earlier.text, later.text, *values, new.begins, _why(old, earlier, new, later))


def _facts(text: _Text, told: _Told) -> list[Any]:
    return [f for f in text.row.facts if told.span[0] <= f.span[0] and f.span[1] <= told.span[1]]


def _linked(old: _Text, earlier: _Told, new: _Text, later: _Told) -> bool:
    """Whether the ledger compares two statements already."""
    keys = {f.timeline for f in _facts(old, earlier)}
    return any(f.timeline in keys for f in _facts(new, later))


def _why(old: _Text, earlier: _Told, new: _Text, later: _Told) -> str:
    first, second = _facts(old, earlier), _facts(new, later)
    if not first and not second:
        return "neither has a key"
    if not first or not second:
        return f"the {'later' if first else 'earlier'} one has no key"
    if any(f.local for f in (*first, *second)):
        return "they are kept apart by their sources, or their headings"
    return "they have two keys"
