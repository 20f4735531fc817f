"""Rows to and from the reserved metadata of a Chroma record.

Reserved fields start with ``memstrata_`` and never reach a user's document:

* ``memstrata_from``, ``memstrata_to``: the hull of the row's live intervals, µs. They pre-filter.
* ``memstrata_gaps``: 1 if the hull holds instants at which the row is not live.
* ``memstrata_partial``: 1 if, at some instant since the row was recorded, a part of it is live and a fact is not.
* ``memstrata_key_0`` .. ``_31``: one integer for each distinct fact key of the row.
* ``memstrata_facts``: compact JSON, everything else about the row; it decides.
* ``memstrata_id``: for an archived version, the id that its user knows.
* ``memstrata_batch``: names the batch in which the row was written; while the row that leads
  the batch is pending, none of them is acknowledged, see `writing`.
* ``memstrata_dismissed``: hashes of pairs of texts that were dismissed as no update, see `suspects`.
* ``memstrata_outright``: 1 if the row states a key that somebody stated outright, whatever the kinds of its values.
* ``memstrata_shadow``: 1 while a version is being replaced, see `writing`.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

from memstrata_integrations.errors import SchemaVersionError
from memstrata_integrations.ledger.rows import ALWAYS, ANY, PROSE, Row, RowFact, Told, content_hash
from memstrata_integrations.ledger.time import MIN_TIME, OPEN, Interval
from memstrata_integrations.ledger.timeline import Assertion, Intervals
from memstrata_integrations.options import PREFIX
from memstrata_integrations.redaction import Stated

FROM = "memstrata_from"
TO = "memstrata_to"
GAPS = "memstrata_gaps"
PARTIAL = "memstrata_partial"
FACTS = "memstrata_facts"
ID = "memstrata_id"
SHADOW = "memstrata_shadow"
BATCH = "memstrata_batch"
DISMISSED = "memstrata_dismissed"
OUTRIGHT = "memstrata_outright"
EMBEDDING = "memstrata_embedding"
"""In the metadata of the collection itself: the name of the embedding that made its vectors."""
TOMBSTONES = "memstrata_tombstones"
"""Also there: what may not be written any more, see `tombstones`."""
COMPACTED = "memstrata_compacted"
"""In the metadata of a history collection: by when all its rows ended, µs."""
KEY = "memstrata_key_"
MAX_KEYS = 32
PENDING = -(2**62)
"""The value of ``memstrata_to`` of a row that leads a batch which is not yet acknowledged."""

NODE_FIELDS = ("_node_content", "_node_type", "document_id", "doc_id", "ref_doc_id")
"""Where LlamaIndex keeps a node; the first one holds it as JSON, its id included."""

SCHEMA = 1
"""The form of ``memstrata_facts`` that is written; its JSON begins with it."""

MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""How the JSON of an older form becomes that of the next one; a row is written in the newest form when it changes."""

_WRITTEN = f'{{"v":{SCHEMA},'
_compact = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
_TOLD = re.compile(r'\{"v":\d+,"k":\[(-?\d+),(-?\d+)')


def key_field(slot: int) -> str:
    """Return the name of the field that holds the row's `slot`-th key."""
    return f"{KEY}{slot}"


def user_metadata(metadata: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return metadata without the reserved fields; `None` when nothing is left, as stock does."""
    if not metadata:
        return None
    return {k: v for k, v in metadata.items() if not k.startswith(PREFIX)} or None


def addressed(metadata: Mapping[str, Any], row_id: str) -> dict[str, Any]:
    """Return metadata in which a LlamaIndex node, if it holds one, has the id of its row."""
    node = _node(metadata)
    if node is None:
        return dict(metadata)
    return {**metadata, NODE_FIELDS[0]: json.dumps({**node, "id_": row_id}, ensure_ascii=False)}


def neighbours(metadata: Mapping[str, Any] | None) -> set[str]:
    """Return the ids of the nodes that a LlamaIndex node, if a record holds one, is related to."""
    node = _node(metadata)
    return {i for to in _relations(node).values() for i in _named(to)} if node else set()


def without_neighbours(metadata: Mapping[str, Any] | None, gone: set[str]) -> str | None:
    """Return the text of a node without its relations to some others; `None` if it has none."""
    node = _node(metadata)
    kept: dict[str, Any] = {}
    for kind, to in _relations(node).items():
        if isinstance(to, list):
            kept[kind] = [t for t in to if not gone.intersection(_named(t))]
        elif not gone.intersection(_named(to)):
            kept[kind] = to
    if node is None or kept == _relations(node):
        return None
    return json.dumps({**node, "relationships": kept}, ensure_ascii=False)


def _node(metadata: Mapping[str, Any] | None) -> dict[str, Any] | None:
    content = (metadata or {}).get(NODE_FIELDS[0])
    try:
        node = json.loads(content) if isinstance(content, str) else None
    except ValueError:
        return None
    return node if isinstance(node, dict) and "id_" in node else None


def _relations(node: Mapping[str, Any] | None) -> dict[str, Any]:
    found = (node or {}).get("relationships")
    return found if isinstance(found, dict) else {}


def _named(to: Any) -> list[str]:
    """Return the ids that a relation names: one, or those of a list."""
    if isinstance(to, list):
        return [i for t in to for i in _named(t)]
    return [to["node_id"]] if isinstance(to, dict) and isinstance(to.get("node_id"), str) else []


def encode(row: Row, previous: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the reserved fields of a row.

    Chroma merges metadata, so those of the record's `previous` ones that the row has no use for any more come as
    `None`, which removes them.
    """
    live = row.live()
    hull = row.hull(live)
    slots = {digest: n for n, digest in enumerate(dict.fromkeys(f.digest for f in row.facts))}
    body: dict[str, Any] = {"v": SCHEMA}
    if row.told:
        body["k"] = [row.first_told, row.told[-1].since]
    body["c"] = row.content
    if row.prose:
        body["p"] = [_pack(a) for a in row.prose]
    if row.editions:
        body["e"] = [_pack(e) for e in row.editions if e.value is not None]
    if ends := [_pack(e) for e in row.editions if e.value is None]:
        body["d"] = ends
    if row.windows != ALWAYS:
        body["w"] = _pack_intervals(row.windows)
    if row.facts:
        body["f"] = [_pack_fact(f, slots[f.digest], hull) for f in row.facts]
    if row.told[1:]:
        body["h"] = [_pack_told(was, then) for was, then in pairwise(row.told)]
    fields: dict[str, Any] = {FROM: hull.start, TO: hull.end, FACTS: _compact(body)}
    if live and live != (hull,):
        fields[GAPS] = 1
    whole = _since(live, row.recorded_at)
    if any(_since(f.live, row.recorded_at) != whole for f in row.facts if not f.narrative):
        fields[PARTIAL] = 1
    if any(f.dimension == ANY for f in row.facts):
        fields[OUTRIGHT] = 1
    if row.archived:
        fields[ID] = row.document_id
    for digest, slot in slots.items():
        fields[key_field(slot)] = digest
    for name in previous or ():
        if name.startswith(PREFIX) and name not in fields and name not in (BATCH, DISMISSED):  # they do no harm
            fields[name] = None
    return fields


def decode(row_id: str, metadata: Mapping[str, Any] | None, document: str | None = None) -> Row:
    """Return the row that a record holds; `SchemaVersionError` if a newer version of this package wrote it.

    A record without reserved fields is unkeyed text that has always been valid; only of such is the text needed.
    """
    if not metadata or FACTS not in metadata:
        always = Assertion(PROSE, MIN_TIME, MIN_TIME, row_id)
        return Row(row_id, row_id, content_hash(document), prose=(always,), editions=(always,))
    body = _body(metadata, f"row {row_id!r}")
    document_id = metadata.get(ID, row_id)
    hull = Interval(metadata[FROM], metadata[TO])
    facts = tuple(_unpack_fact(f, metadata, document_id, hull) for f in body.get("f", ()))
    prose, begun = (tuple(_unpack(a, PROSE, document_id) for a in body.get(part, ())) for part in "pe")
    editions = (*begun, *(_unpack(e, None, document_id) for e in body.get("d", ())))
    windows = _unpack_intervals(body["w"]) if "w" in body else ALWAYS
    row = Row(row_id, document_id, body["c"], facts, prose, editions, windows)
    if "k" not in body:
        return row
    told = [Told(body["k"][1], OPEN, row.telling())]
    for since, until, *differing in reversed(body.get("h", ())):
        live = dict(enumerate(told[-1].live)) | {n: _unpack_intervals(packed) for n, packed in differing}
        told.append(Told(since, until, tuple(live.values())))
    return replace(row, told=tuple(reversed(told)))


def _body(metadata: Mapping[str, Any], whose: str = "a row") -> dict[str, Any]:
    """Return the JSON of a row in today's form; it is kept for the next reader, so nobody changes it."""
    body = _parsed(metadata[FACTS])
    if body["v"] > SCHEMA:
        raise SchemaVersionError(
            f"{whose} has schema version {body['v']}, this package reads up to {SCHEMA}; upgrade memstrata-integrations"
        )
    return body


@lru_cache(8_192)
def _parsed(text: str) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(text)
    while body["v"] < SCHEMA:
        body = {**MIGRATIONS[body["v"]](body), "v": body["v"] + 1}
    return body


def written_over(metadata: Mapping[str, Any] | None, document: str | None) -> bool:
    """Whether other code has put another text in the place of the one that a record's reserved fields speak of."""
    return metadata is not None and FACTS in metadata and bool(_body(metadata)["c"] != content_hash(document))


def visible_in(row_id: str, metadata: Mapping[str, Any] | None, instant: int) -> bool:
    """Whether a record is live at valid time `instant` (µs), by what is known now."""
    if not metadata or TO not in metadata:
        return True
    if not metadata[FROM] <= instant < metadata[TO]:
        return False
    if not metadata[FACTS].startswith(_WRITTEN):  # a newer package's rows are refused, not guessed at
        _body(metadata)
    return GAPS not in metadata or decode(row_id, metadata).visible(instant)


def told_since(metadata: Mapping[str, Any] | None) -> tuple[int, int]:
    """Return before when a record told readers nothing, and from when on it has told them what it tells now, µs.

    Between these transaction times, and where the second one is open, its row, or the key, decides.
    """
    if not metadata or FACTS not in metadata:
        return MIN_TIME, MIN_TIME
    told = _TOLD.match(metadata[FACTS])
    return (MIN_TIME, OPEN) if told is None else (int(told[1]), int(told[2]))


def stated_in(metadata: Mapping[str, Any] | None, instant: int) -> list[Stated] | None:
    """Return the facts of a record with whether each is live at `instant` (µs); `None` if all are.

    Sentences of change and of ending are prose, and always live.
    """
    if not metadata or key_field(0) not in metadata:
        return None
    within = metadata[FROM] <= instant < metadata[TO]
    found = []
    for packed in _body(metadata)["f"]:
        if packed[9] & 2:
            continue
        live = within if packed[11] == 0 else any(start <= instant < end for start, end in packed[11])
        found.append(Stated((packed[6], packed[7]), packed[4] or "", live))
    return None if all(f.live for f in found) else found


def latest_in(metadata: Mapping[str, Any] | None) -> int:
    """Return the latest transaction time of what a record states, and of what ended it, µs."""
    if not metadata or FACTS not in metadata:
        return MIN_TIME
    body = _body(metadata)
    recorded = [a[1] for part in "ped" for a in body.get(part, ())]
    for packed in body.get("f", ()):
        recorded += [a[1] for a in packed[10]]
        recorded += [h[3] for held in packed[12:] for h in held]
    return max(recorded, default=MIN_TIME)


def forget_bodies() -> None:
    """Drop what is kept of records: rows are being erased."""
    _parsed.cache_clear()


def _since(intervals: Intervals, instant: int) -> list[tuple[int, int]]:
    return [(max(i.start, instant), i.end) for i in intervals if i.end > instant]


_DEFAULTS = (OPEN, 0, OPEN, 0)
"""What an assertion's valid_to, authority, undone_at and precedence are when they are left out."""


def _pack(a: Assertion) -> list[int]:
    tail = [a.valid_to, a.authority, a.undone_at, a.precedence]
    while tail and tail[-1] == _DEFAULTS[len(tail) - 1]:
        tail.pop()
    return [a.valid_from, a.recorded_at, *tail]


def _unpack(
    packed: Sequence[int], value: str | None, row_id: str, *, ghost: bool = False, ends: str | None = None
) -> Assertion:
    valid_from, recorded_at, *tail = packed
    valid_to, authority, undone_at, precedence = (*tail, *_DEFAULTS[len(tail) :])
    return Assertion(value, valid_from, recorded_at, row_id, valid_to, authority, undone_at, ghost, precedence, ends)


def _pack_intervals(intervals: Iterable[Interval]) -> list[list[int]]:
    return [[i.start, i.end] for i in intervals]


def _unpack_intervals(packed: Iterable[Sequence[int]]) -> Intervals:
    return tuple(Interval(start, end) for start, end in packed)


def _pack_told(was: Told, then: Told) -> list[Any]:
    """Return a note of what readers were told, less what they were told after that as well."""
    lives = enumerate(zip(was.live, then.live, strict=True))
    return [was.since, was.until, *([n, _pack_intervals(live)] for n, (live, later) in lives if live != later)]


def _pack_fact(f: RowFact, slot: int, hull: Interval) -> list[Any]:
    obj = f.object if f.value is not None else f.ends
    value = 0 if f.value == f.object and f.ends is None else f.value
    live = 0 if f.live == (hull,) else _pack_intervals(f.live)
    flags = ((a, a.ghost + 2 * (a.value is not None) + 4 * (a.ends is not None)) for a in f.held)
    held = [[a.id, flag, *_pack(a)] for a, flag in flags]
    told = [f.rule, f.local + 2 * f.narrative, [_pack(a) for a in f.assertions], live, *([held] if held else [])]
    return [slot, f.subject, f.relation, f.dimension, obj, value, *f.span, *told]


def _unpack_fact(packed: Sequence[Any], metadata: Mapping[str, Any], document_id: str, hull: Interval) -> RowFact:
    slot, subject, relation, dimension, obj, value, start, end, rule, flags, assertions, live = packed[:12]
    value = obj if value == 0 else value
    obj, ends = (obj, None) if value is not None else (None, obj)
    left = packed[12] if len(packed) > 12 else ()
    held = (
        _unpack(h[2:], value if h[1] & 2 else None, h[0], ghost=bool(h[1] & 1), ends=value if h[1] & 4 else None)
        for h in left
    )
    intervals: Intervals = (hull,) if live == 0 else _unpack_intervals(live)
    made = tuple(_unpack(a, value, document_id, ends=ends) for a in assertions)
    told = (subject, relation, dimension, obj, value, (start, end), rule, bool(flags & 1), bool(flags & 2))
    return RowFact(metadata[key_field(slot)], *told, made, tuple(held), intervals, ends)
