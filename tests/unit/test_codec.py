"""Rows survive the way into Chroma's metadata and back."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstrata_integrations.chroma import fields as codec
from memstrata_integrations.ledger.rows import ALWAYS, PROSE, Row, RowFact
from memstrata_integrations.ledger.time import MIN_TIME, OPEN, Interval, normalise
from memstrata_integrations.ledger.timeline import Assertion, Intervals
from memstrata_integrations.options import PREFIX

TIMES = st.one_of(st.integers(-12, 12), st.sampled_from([0, MIN_TIME, -(10**15), 10**15]))
ENDS = st.one_of(st.just(OPEN), st.just(0), st.integers(-12, 20))
TEXTS = st.text(st.characters(codec="utf-8"), max_size=6)
DIGESTS = st.integers(0, 2**62 - 1)


@st.composite
def assertions(draw: st.DrawFn, value: str | None, row_id: str, *, ghost: bool = False) -> Assertion:
    start, end = draw(TIMES), draw(ENDS)
    undone = draw(st.sampled_from([OPEN, OPEN, 0, 7, -3]))
    authority = draw(st.sampled_from([0, 0, 1, -2]))
    return Assertion(value, start, draw(TIMES), row_id, end, authority, undone, ghost)


@st.composite
def intervals(draw: st.DrawFn) -> Intervals:
    edges = sorted(draw(st.sets(TIMES, max_size=5)))
    pairs = [Interval(a, b) for a, b in zip(edges[::2], edges[1::2], strict=False)]
    if len(edges) % 2 or (edges and draw(st.booleans())):
        pairs.append(Interval(edges[-1]))
    return normalise(pairs)


@st.composite
def facts(draw: st.DrawFn, digests: list[int], document_id: str) -> RowFact:
    obj = draw(st.one_of(st.none(), TEXTS))
    value = None if obj is None else draw(st.one_of(st.just(obj), TEXTS, st.just("0")))
    ends = draw(st.one_of(st.none(), TEXTS)) if value is None else None
    kinds = [(None, False, None), (None, True, None), (value, True, None), (None, True, value)]
    held = [
        replace(draw(assertions(kept, draw(TEXTS), ghost=ghost)), ends=ended)
        for kept, ghost, ended in draw(st.lists(st.sampled_from(kinds), max_size=3))
    ]
    start = draw(st.integers(0, 50))
    return RowFact(
        digest=draw(st.sampled_from(digests)), subject=draw(TEXTS),
        relation=draw(st.sampled_from(["is", "is set to", ""])),
        dimension=draw(st.sampled_from(["", "number", "duration"])), object=obj, value=value,
        span=(start, start + draw(st.integers(0, 50))), rule=draw(st.sampled_from(["toy", ""])),
        local=draw(st.booleans()), narrative=draw(st.booleans()),
        assertions=tuple(replace(a, ends=ends) for a in draw(st.lists(assertions(value, document_id), max_size=3))),
        held=tuple(held), live=draw(intervals()), ends=ends,
    )  # fmt: skip


@st.composite
def rows(draw: st.DrawFn) -> Row:
    row_id = draw(st.sampled_from(["a", "b", "memstrata-1", "ä/ö"]))
    document_id = draw(st.sampled_from([row_id, row_id, "a", "other"]))
    digests = draw(st.lists(DIGESTS, min_size=1, max_size=4, unique=True))
    row = Row(
        id=row_id, document_id=document_id, content=draw(st.sampled_from(["0123456789abcdef", ""])),
        facts=tuple(draw(st.lists(facts(digests, document_id), max_size=4))),
        prose=tuple(draw(st.lists(assertions(PROSE, document_id), max_size=2))),
        editions=(*draw(st.lists(assertions(PROSE, document_id), max_size=3)),
                  *draw(st.lists(assertions(None, document_id), max_size=2))),
        windows=draw(st.one_of(st.just(ALWAYS), intervals())),
    )  # fmt: skip
    for time in range(draw(st.integers(0, 2))):
        before = replace(row, facts=tuple(replace(f, live=draw(intervals())) for f in row.facts))
        row = replace(row, told=before.noted(3 * time, 3 * time + 1).told)
    return row.noted(20, 22) if row.told or draw(st.booleans()) else row


def stored(fields: dict[str, Any], before: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return what Chroma holds after an upsert: it merges, and `None` removes."""
    return {k: v for k, v in {**(before or {}), **fields}.items() if v is not None}


@settings(max_examples=150, deadline=None, derandomize=True)
@given(rows())
def test_a_row_comes_back_as_it_was(row: Row) -> None:
    fields = codec.encode(row)
    assert all(name.startswith(PREFIX) for name in fields)
    assert None not in fields.values()
    assert all(type(v) in (int, str) and (type(v) is str or -(2**63) <= v < 2**63) for v in fields.values())
    assert codec.decode(row.id, fields) == row
    # a writer must find all: the stored hull holds every live instant, and ends behind every date that the row asserts
    assert all(fields[codec.FROM] <= i.start and i.end <= fields[codec.TO] for i in row.live())
    assert all(a.valid_from < fields[codec.TO] for f in row.facts for a in f.all_assertions)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(rows(), rows())
def test_a_row_over_another_leaves_nothing_of_it(old: Row, new: Row) -> None:
    new = replace(new, id=old.id)
    before = {**codec.encode(old), "page": 1}
    after = stored(codec.encode(new, before), before)
    assert after == {**codec.encode(new), "page": 1}
    assert codec.decode(new.id, after) == new


@settings(max_examples=100, deadline=None, derandomize=True)
@given(rows(), st.lists(TIMES, min_size=1, max_size=5))
def test_a_record_is_visible_when_its_row_is(row: Row, instants: list[int]) -> None:
    fields = codec.encode(row)
    edges = [t + d for i in row.live() for t in (i.start, i.end) for d in (-1, 0)]
    for instant in [*instants, *edges, 0]:
        if instant < OPEN:
            assert codec.visible_in(row.id, fields, instant) == row.visible(instant), instant


@settings(max_examples=100, deadline=None, derandomize=True)
@given(rows(), st.dictionaries(st.sampled_from(["page", "memstrata", "tag"]), st.integers(), max_size=3))
def test_a_user_gets_his_own_metadata(row: Row, own: dict[str, Any]) -> None:
    assert codec.user_metadata({**own, **codec.encode(row), codec.BATCH: 5}) == (own or None)
    assert codec.user_metadata(own) == (own or None)
    assert codec.user_metadata(None) is None


def test_a_stock_record_is_prose_that_was_always_valid() -> None:
    for metadata in (None, {}, {"page": 1}):
        row = codec.decode("a", metadata, "some text")
        assert row.visible(MIN_TIME)
        assert row.visible(0)
        assert not row.facts
        assert codec.visible_in("a", metadata, 0)
    assert codec.decode("a", None, "one").content != codec.decode("a", None, "two").content


def test_each_distinct_key_takes_one_slot() -> None:
    fact = RowFact(7, "port", "is", "", "1", "1", (0, 1), "toy")
    many = [replace(fact, digest=n) for n in range(codec.MAX_KEYS)]
    fields = codec.encode(Row("a", "a", "", facts=(*many, fact, replace(fact, object="2", value="2"))))
    assert [fields[codec.key_field(n)] for n in range(codec.MAX_KEYS)] == list(range(codec.MAX_KEYS))
    assert codec.key_field(codec.MAX_KEYS) not in fields


def test_an_older_form_migrates_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    fields, schema = codec.encode(Row("a", "a", "hash")), codec.SCHEMA
    monkeypatch.setattr(codec, "SCHEMA", schema + 2)
    monkeypatch.setitem(codec.MIGRATIONS, schema, lambda body: {**body, "c": body["c"] + "+"})
    monkeypatch.setitem(codec.MIGRATIONS, schema + 1, lambda body: {**body, "c": body["c"] + "!"})
    row = codec.decode("a", fields)
    assert row.content == "hash+!"
    assert json.loads(codec.encode(row)[codec.FACTS])["v"] == schema + 2
