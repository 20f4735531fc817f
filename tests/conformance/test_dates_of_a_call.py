"""Dates that a call names by metadata field, and arguments that look like dates."""

from datetime import datetime, timezone
from typing import Any

import pytest
from langchain_core.documents import Document

from memstrata_integrations import as_of
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.langchain import TemporalVectorStore
from memstrata_integrations.ledger.facts import Fact

from .conftest import StoreMaker
from .doors import KINDS, Door
from .stories import Step, at, delete, go_through, put, sync

NEWER, OLDER = "The Foo port is 2.", "The Foo port is 1."
DATED = [{"date": "2024-05-01"}, {"date": "2024-01-01"}]


@pytest.fixture
def store(make_temporal: StoreMaker) -> TemporalVectorStore:
    return make_temporal()  # type: ignore[no-any-return]


async def test_a_call_names_the_field_that_dates_its_texts(store: TemporalVectorStore, caplog: Any) -> None:
    """`valid_from_field=` of the call dates the texts, whatever their order; a keyword of other stores is ignored.

    Where none of the texts has the field, the log says that their order decides.
    """
    asked = {"valid_from_field": "date", "batch_size": 100}
    store.add_texts([NEWER, OLDER], DATED, **asked)
    assert store.get()["documents"] == [NEWER]
    await store.aadd_texts(
        ["The Foo port is 4.", "The Foo port is 3."], [{"date": f"2024-05-0{n}"} for n in (3, 2)], **asked
    )
    assert store.get()["documents"] == ["The Foo port is 4."]
    assert "'date'" not in caplog.text
    store.add_texts([NEWER], DATED[:1], valid_from_field="dat")
    assert "'dat'" in caplog.text


def over(ids: list[str], valid_from: Any = "2024-03-01", **how: Any) -> Step:
    """Write texts under ids of documents that are over."""
    return put(*(f"The Bar port is {n}." for n, _ in enumerate(ids)), ids=ids, valid_from=valid_from, **how)


LATE: dict[str, tuple[Step, int]] = {
    "deleted": (over(["gone", "kept"]), 1),
    "replaced": (over(["old", "gone"]), 2),
    "told after the deletion": (over(["gone"], "2024-06-02"), 0),
    "undated": (over(["gone"], None), 0),
    "with an end": (over(["gone"], valid_to="2024-04-01"), 0),
    "older than a version that is known": (over(["gone", "old", "kept"], "2023-01-01"), 0),
    "replaced by this call": (over(["old", "new"], supersedes=[None, ["old"]]), 0),
    "a source": (sync("page", OLDER, valid_from="2024-01-01"), 0),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", LATE)
def test_what_is_over_when_it_is_written_is_warned_of(kind: str, case: str, caplog: pytest.LogCaptureFixture) -> None:
    """A text of a time before its document was deleted, or replaced, is served no more, and the log counts them."""
    call, count = LATE[case]
    begun = [put(f"It is {i}.", ids=[i], valid_from="2024-01-01") for i in ("gone", "old", "kept")]
    replaced = put("It is new.", ids=["new"], valid_from="2024-04-01", supersedes=["old"])
    ended = [sync("page", NEWER, valid_from="2024-02-01"), sync("page", valid_from="2024-03-01")]
    go_through(
        Door(kind, now="2024-06-01", on_delete="retire"),
        [*begun, replaced, delete("gone"), *ended, at("2024-06-03"), call],
    )
    assert [r.args[0] for r in caplog.records if "not served" in r.msg] == [count][: bool(count)]  # type: ignore[index]


OPEN_STARTS = {
    "keyword": lambda s: s.add_texts([NEWER], valid_from=datetime.max),
    "one of several": lambda s: s.add_texts([NEWER, OLDER], valid_from=["2024-01-01", datetime.max]),
    "text": lambda s: s.add_texts([NEWER], valid_from="9999-12-31T23:59:59.999999"),
    "aware": lambda s: s.add_texts([NEWER], valid_from=datetime.max.replace(tzinfo=timezone.utc)),
    "metadata field": lambda s: s.add_texts([NEWER], [{"date": datetime.max.isoformat()}], valid_from_field="date"),
    "stated fact": lambda s: s.add_facts([Fact("Foo", "port", 2, valid_from=datetime.max)]),
    "fact of a text": lambda s: s.add_texts([NEWER], facts=[Fact("Foo", "port", 2, valid_from=datetime.max)]),
    "facts": lambda s: s.add_facts([Fact("Foo", "port", 2)], valid_from=datetime.max),
    "update": lambda s: s.update_documents(["a"], [Document(NEWER)], valid_from=datetime.max),
    "sync": lambda s: s.sync("page", [Document(NEWER)], valid_from=datetime.max),
    "sync of nothing": lambda s: s.sync("page", [], valid_from=datetime.max),
    "retraction": lambda s: s.retract("Foo port", at=datetime.max),
    "collection": lambda s: s.temporal_collection.add(["b"], [[1.0]], None, [NEWER], valid_from=datetime.max),
    "plan": lambda s: s.plan(NEWER, valid_from=datetime.max),
}


@pytest.mark.parametrize("case", OPEN_STARTS)
def test_nothing_begins_when_time_is_open(store: TemporalVectorStore, case: str) -> None:
    """`datetime.max` means open, which only an end can be: as a start it is refused wherever one is taken."""
    store.add_texts([OLDER], ids=["a"])
    with pytest.raises(InvalidInputError, match=r"datetime\.max"):
        OPEN_STARTS[case](store)
    assert store.get(include_superseded=True)["documents"] == [OLDER]
    assert store.verify() == []


@pytest.mark.parametrize(("time", "known_at"), [(datetime.max, None), (None, datetime.max)])
def test_no_reader_asks_about_an_open_time(store: TemporalVectorStore, time: Any, known_at: Any) -> None:
    """Nothing holds at an open end, and so a question about it is a mistake."""
    with pytest.raises(InvalidInputError, match=r"datetime\.max"):
        store.get(as_of=time, known_at=known_at)
    with pytest.raises(InvalidInputError, match=r"datetime\.max"), as_of(time, known_at=known_at):
        pass


def test_an_end_may_be_open(store: TemporalVectorStore) -> None:
    """For an end `datetime.max` is the same as none."""
    store.add_texts([NEWER], valid_from="2024-01-01", valid_to=datetime.max)
    assert store.get()["documents"] == [NEWER]
    assert store.verify() == []
