"""The table of hulls answers like a plain dictionary, whatever lies in its arrays and whatever beside them."""

from pathlib import Path
from typing import Any

import chromadb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstrata_integrations.chroma import hulls as _hulls
from memstrata_integrations.chroma.fields import FACTS, FROM, GAPS, TO
from memstrata_integrations.chroma.hulls import ValidityTable
from memstrata_integrations.ledger.time import MIN_TIME, OPEN

IDS = [f"row-{n}" for n in range(12)]
NOW = 50
INSTANTS = st.integers(0, 100)
STARTS, ENDS = st.one_of(st.just(MIN_TIME), INSTANTS), st.one_of(st.just(OPEN), INSTANTS)
TOLD = st.tuples(INSTANTS, st.integers(0, 20)).map(lambda t: (t[0], t[0] + t[1]))
HULLS = st.tuples(STARTS, ENDS, TOLD).filter(lambda h: h[0] <= h[1])
STEPS = st.one_of(
    st.tuples(st.sampled_from(IDS), HULLS),
    st.tuples(st.just("forget"), st.sets(st.sampled_from(IDS), max_size=3)),
    st.tuples(st.just("load"), INSTANTS),
)


def reserved(start: int, end: int, told: tuple[int, int] = (0, 0)) -> dict[str, Any]:
    return {FROM: start, TO: end, FACTS: f'{{"v":1,"k":[{told[0]},{told[1]}],"c":""}}'}


class Stored:
    """Stands for a collection in memory that has no history: what is stored of each row."""

    cut = MIN_TIME

    def __init__(self) -> None:
        self.rows: dict[str, tuple[int, int, tuple[int, int]]] = {}
        self._client = self.main = self

    def get_settings(self) -> Any:
        return type("Settings", (), {"is_persistent": False})()

    def parts(self) -> list[Any]:
        return [self]

    def count(self) -> int:
        return len(self.rows)

    def get(self, *, ids: Any = None, where: Any = None, include: Any = ()) -> dict[str, Any]:
        found = [i for i in self.rows if (ids is None or i in ids) and (where is None or self._fits(where, i))]
        metadatas = [reserved(*self.rows[i]) for i in found]
        return {"ids": found, "metadatas": metadatas if include else None}

    def _fits(self, where: Any, row_id: str) -> bool:
        [(name, clause)] = where.items()
        if name in ("$or", "$and"):
            return (any if name == "$or" else all)(self._fits(c, row_id) for c in clause)
        [(sign, value)] = clause.items()
        if name == GAPS:
            return False
        have = self.rows[row_id][0 if name == FROM else 1]
        return {"$gt": have > value, "$gte": have >= value, "$lt": have < value, "$lte": have <= value}[sign]


@pytest.mark.parametrize("few", [0, 3, 4_096], ids=["in arrays at once", "by turns", "beside them"])
@pytest.mark.parametrize("begins_empty", [True, False])
@settings(max_examples=60, deadline=None)
@given(before=st.dictionaries(st.sampled_from(IDS), HULLS), steps=st.lists(STEPS, max_size=20))
def test_it_answers_like_a_dictionary(few: int, begins_empty: bool, before: Any, steps: Any) -> None:
    """A row that it excludes is not live then; once all hulls are known, it excludes every one that is not."""
    collection, table = Stored(), ValidityTable()
    known: set[str] = set()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_hulls, "_FEW", few)
        if begins_empty:
            table.start_empty()
        else:
            collection.rows.update(before)
            table.load(collection, NOW, NOW, ended=False)
        for what, how in steps:
            if what == "forget":
                table.forget(how)
                known -= how
            elif what == "load":
                if not table.covers(how):
                    table.load(collection, how, NOW, ended=True)
                    known = set(collection.rows) if table.covers(0) else known
                assert table.covers(how)
            else:
                collection.rows[what] = how
                table.note(what, reserved(*how), NOW)
                known.add(what)
            for instant in (0, 20, 49, NOW, 51, 70, 100)[0 if table.covers(0) else 3 :]:
                live = {i for i, (start, end, _) in collection.rows.items() if start <= instant < end}
                kept = dict(zip(IDS, table.kept(IDS, instant), strict=True))
                assert all(kept[i] for i in live)
                ended = dict(zip(IDS, table.ended(IDS, instant), strict=True))
                assert all(collection.rows[i][1] <= instant for i in IDS if ended[i])
                if table.covers(0):
                    assert {i for i in known if kept[i]} == live & known
                    assert table.nothing_at(instant, len(collection.rows)) <= (not live)
                    told = {i: t for i, (_, _, t) in collection.rows.items()}
                    begun = {i for i in told if told[i][0] <= 30}
                    may = begun & (live | {i for i in told if told[i][1] > 30})
                    kept = dict(zip(IDS, table.kept(IDS, instant, 30), strict=True))
                    assert {i for i in known if kept[i]} == may & known
                    assert table.nothing_at(instant, len(collection.rows), 30) <= (not may)


def test_nothing_at_a_time_is_known_of_rows_in_arrays_and_beside_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_hulls, "_FEW", 1)
    table = ValidityTable()
    table.start_empty()
    for row_id, start, end in (("a", 1, 5), ("b", 3, OPEN), ("b", 3, 9), ("a", 2, 5)):
        table.note(row_id, reserved(start, end), 4)
    assert table.nothing_at(10, 2)
    assert table.nothing_at(1, 2)
    assert not table.nothing_at(1, 3)
    assert not table.nothing_at(2, 2)
    table.forget(["a"])
    assert not table.nothing_at(10, 2)


def test_the_database_tells_of_the_same_rows_as_chroma(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that begin or end later, or have gaps."""
    stored = chromadb.PersistentClient(tmp_path).create_collection("hulls", embedding_function=None)
    hulls = {"over": (1, NOW), "now": (NOW, OPEN), "begins": (NOW + 1, OPEN), "ends": (1, NOW + 1), "gap": (1, NOW)}
    rows: dict[str, Any] = {i: {**reserved(*hull), **({GAPS: 1} if i == "gap" else {})} for i, hull in hulls.items()}
    rows["foreign"] = {"tag": 1}
    stored.add(ids=[*rows], metadatas=[*rows.values()], embeddings=[[1.0, 0.0]] * len(rows))
    found = dict(_hulls.limited(stored, NOW))
    assert found == {i: rows[i] for i in ("begins", "ends", "gap")}
    asked: list[Any] = []
    monkeypatch.setattr(_hulls, "_in_database", lambda *span: asked.append(span))
    assert (dict(_hulls.limited(stored, NOW)), len(asked)) == (found, 3)
