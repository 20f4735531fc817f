"""What `verify` tells, and what `verify(repair=True)` mends: wrong answers, and nothing that readers see through."""

from __future__ import annotations

from typing import Any

import pytest

from memstrata_integrations.chroma.fields import FROM, TO
from tests.stateful.opening import in_memory, open_afresh, open_store
from tests.stateful.toy import TestClock, write

WRONG: dict[str, tuple[str, dict[str, Any]]] = {
    "a value that is over is served": ("a", {TO: 2**63 - 1}),
    "a value that holds is not served": ("b", {TO: 1_000_020}),
    "its beginning is wrong": ("b", {FROM: 1_000_030}),
}


@pytest.mark.parametrize("which", WRONG)
def test_a_wrong_answer_is_a_line_until_it_is_mended(which: str) -> None:
    """Each row that readers are told wrongly is one line; repaired, all answers are as before it was spoilt."""
    raw, clock = in_memory(), TestClock(1_000_000)
    store = open_store(raw, clock)
    for row_id, text in (("a", "k1=a"), ("b", "k1=b; k2=b"), ("c", "prose")):
        write(store, **{row_id: text})
        clock.advance(10)
    before = store.get(), store.count(), store.get(include_superseded=True)
    row_id, fields = WRONG[which]
    raw.update(ids=[row_id], metadatas=[fields])
    stored = raw.get()
    spoilt = open_afresh(raw, clock)
    for _ in range(2):  # without repair nothing changes
        [line] = spoilt.verify()
        assert repr(row_id) in line
    assert raw.get() == stored
    assert spoilt.verify(repair=True) == []
    assert (spoilt.get(), spoilt.count(), spoilt.get(include_superseded=True)) == before
    assert spoilt.verify() == []
