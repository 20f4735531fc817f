"""Suspects: pairs that look like an update and were not linked, for a person or a model to decide.

Nothing here retires anything. Two statements look like an update when they are near in the embedding, share most of
their words, and differ in the value of one kind. Who has other words for a fact shares hardly one: what is left then is
that no other text is nearer.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from memstrata_integrations.chroma.both import pages
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
from memstrata_integrations.ledger.rows import Row, RowFact
from memstrata_integrations.ledger.time import MIN_TIME

_NEIGHBOURS = 8
_WIDEST = 512  # neighbours of whatever scope and time among which they are looked for
_BATCH = 100
_STATEMENTS = 30  # of one text; of a longer one the first are compared
_SHARED = 0.6  # of the words of the shorter statement
_FUNCTION = Flag.DET | Flag.OWNER | Flag.PREP | Flag.AND | Flag.SUB | Flag.REL | Flag.AUX
_FUNCTION |= Flag.SKIP | Flag.NOT | Flag.PRONOUN


class _Told(NamedTuple):
    """A statement as far as it can be compared."""

    text: str
    words: frozenset[str]
    values: Mapping[tuple[str, str], str]  # by kind and canonical form: how it is written
    facts: Sequence[RowFact]


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
        for old in _near(lookup, keying, text, now)[: 1 if wide else None]:
            if _pair(old, text) not in _dismissed(text.record):
                found += _compare(old, text, wide)
        if len(found) >= k:
            break
    return sorted(found, key=lambda s: -s.at)[:k]


def _near(lookup: Lookup, keying: Keying, text: _Text, now: int) -> list[_Text]:
    """Return the earlier texts of its scope that are nearest to a text and are served, the nearest first."""
    own = scope_of(text.record["metadata"], keying.scope)
    asked, n = {"query_embeddings": [text.record["embedding"]]}, _NEIGHBOURS
    while True:
        near = [i for i in lookup.collection.query(**asked, n_results=n, include=[])["ids"][0] if i != text.row.id]
        others = lookup.fetch(near, ("documents",))
        served = (r for r in (others[i] for i in near if i in others) if visible_in(r["id"], r["metadata"], now))
        texts = [_text(r) for r in served if lies_in(r["metadata"], own)]
        before = (text.begins, text.row.id)
        found = [old for old in texts if (old.begins, old.row.id) < before and not old.row.archived]
        if len(found) >= _NEIGHBOURS or len(near) < n - 1 or n >= _WIDEST:
            return found[:_NEIGHBOURS]
        n *= 4


def dismiss(lookup: Lookup, keying: Keying, old: str, new: str) -> None:
    """Keep in mind that two texts are no update; another text under one of the ids is another matter."""
    records = lookup.fetch([old, new], ("documents",))
    if missing := [row_id for row_id in (old, new) if row_id not in records]:
        raise InvalidInputError(f"there is no document {missing[0]!r} in this collection")
    if not lies_in(records[old]["metadata"], scope_of(records[new]["metadata"], keying.scope)):
        raise InvalidInputError(f"documents {old!r} and {new!r} lie in two scopes")
    marks = {*_dismissed(records[new]), _pair(_text(records[old]), _text(records[new]))}
    lookup.collection.update(ids=[new], metadatas=[{DISMISSED: " ".join(sorted(marks))}])


def _pair(old: _Text, new: _Text) -> str:
    """Return a hash that stands for two texts as they read now."""
    text = f"{old.row.content} {new.row.content} {old.row.id} {new.row.id}"
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _dismissed(record: Record) -> set[str]:
    return set(str((record["metadata"] or {}).get(DISMISSED) or "").split())


def _newest(lookup: Lookup, keying: Keying, scope: Mapping[str, Any], look_at: int, now: int) -> Iterator[_Text]:
    """Yield the texts that are served, the newest first, with their vectors."""
    own = scope_of(scope, [name for name in keying.scope if name in scope])
    dated: list[tuple[int, str]] = []
    for page in pages(lookup.collection.get(where={TO: {"$gt": now}}, include=[])["ids"], 5_000):
        known = ((row_id, record["metadata"]) for row_id, record in lookup.fetch(page).items())
        served = ((i, m) for i, m in known if visible_in(i, m, now) and lies_in(user_metadata(m), own))
        dated += [(_begins(decode(row_id, metadata)), row_id) for row_id, metadata in served]
    dated.sort(reverse=True)
    for page in pages([row_id for _, row_id in dated[:look_at]], _BATCH):
        records = lookup.fetch(page, ("documents", "embeddings"))
        whole = (r for r in (records[i] for i in page if i in records) if r["document"] and r["embedding"] is not None)
        yield from (text for text in map(_text, whole) if not text.row.archived)


def _text(record: Record) -> _Text:
    document = record["document"] or ""
    row = decode(record["id"], record["metadata"], record["document"])
    listed = statements(document)[:_STATEMENTS]
    told = [_told(document, row, s.start, s.end) for s in listed if s.kind in ("sentence", "line", "row")]
    return _Text(record, row, _begins(row), told)


def _begins(row: Row) -> int:
    """Return since when a text holds, where that is known, else when it was learned, µs."""
    starts = [a.valid_from for f in row.facts for a in f.assertions] or [e.valid_from for e in row.editions]
    start = min(starts, default=MIN_TIME)
    return start if start > MIN_TIME else row.recorded_at


def _told(text: str, row: Row, start: int, end: int) -> _Told:
    said = text[start:end]
    tokens = tokenize(said)
    words: set[str] = set()
    values: dict[tuple[str, str], str] = {}
    n = 0
    while n < len(tokens):
        token = tokens[n]
        stop = n + 1
        if token.sort in (QUANTITY, EXACT):
            values[token.kind, token.lemma] = said[token.start : token.end]
        elif token.sort == NAME and n:
            stop = max(name_end(tokens, n), stop)
            name = said[token.start : tokens[stop - 1].end]
            values["name", name.casefold()] = name
        elif token.sort in (WORD, NAME) and not token.flags & _FUNCTION:
            words.add(token.lemma)
        n = stop
    return _Told(said, frozenset(words), values, [f for f in row.facts if start <= f.span[0] and f.span[1] <= end])


def _compare(old: _Text, new: _Text, wide: bool) -> list[Suspect]:
    """Return the first two statements of two texts that look like an update; `wide`: the two that share most words."""
    pairs = [(earlier, later) for later in new.told for earlier in old.told]
    if wide and pairs:
        pairs = [max(pairs, key=lambda pair: len(pair[0].words & pair[1].words))]
    for earlier, later in pairs:
        values = _difference(earlier, later, wide)
        linked = {f.timeline for f in earlier.facts} & {f.timeline for f in later.facts}  # the ledger compares them
        if values is not None and not linked:
            ids = (old.row.document_id, new.row.document_id)
            return [Suspect(*ids, earlier.text, later.text, *values, new.begins, _why(earlier, later))]
    return []


def _difference(earlier: _Told, later: _Told, wide: bool) -> tuple[str, str, str] | None:
    """Return the one value in which two statements of the same words differ, as each writes it, and its kind."""
    if wide:
        return None if earlier.text == later.text else ("", "", "")
    least = min(len(later.words), len(earlier.words))
    gone = list(earlier.values.keys() - later.values.keys())
    come = list(later.values.keys() - earlier.values.keys())
    if not least or len(later.words & earlier.words) < _SHARED * least or not len(gone) == len(come) == 1:
        return None
    (kind, _), (other, _) = gone[0], come[0]
    return (earlier.values[gone[0]], later.values[come[0]], kind) if kind == other else None


def _why(earlier: _Told, later: _Told) -> str:
    if not earlier.facts and not later.facts:
        return "neither has a key"
    if not earlier.facts or not later.facts:
        return f"the {'later' if earlier.facts else 'earlier'} one has no key"
    if any(f.local for f in (*earlier.facts, *later.facts)):
        return "they are kept apart by their sources, or by what stands above or beside them"
    return "they have two keys"
