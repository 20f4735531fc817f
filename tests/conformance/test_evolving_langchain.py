"""Knowledge that changes, through the LangChain front door: the current statement is served, the stale one is not.

And the dates of a call, named by metadata field, and arguments that look like dates.
"""

from collections.abc import Callable
from datetime import datetime, timezone
from typing import Any

import pytest
from langchain_chroma import Chroma
from langchain_core.documents import Document

from memstrata_integrations import as_of
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.ledger.facts import Fact

from .conftest import StoreMaker
from .doors import KINDS, Door
from .llama import NOISE, QUESTION, A, B, C
from .stories import Step, at, delete, go_through, put, sync

NEWER, OLDER = "The Foo port is 2.", "The Foo port is 1."
DATED = [{"date": "2024-05-01"}, {"date": "2024-01-01"}]


def served(store: Any, question: str = QUESTION, **more: Any) -> list[str]:
    found = store.similarity_search(question, k=10, **more)
    return sorted(d.page_content for d in found if d.page_content.startswith("The API port"))


@pytest.fixture
def empty(make_temporal: StoreMaker) -> Any:
    return make_temporal()


@pytest.fixture
def store(empty: Any) -> Any:
    """A store that holds some prose that has nothing to do with the facts."""
    empty.add_texts(NOISE)
    return empty


async def test_a_b_a_a_b_asynchronously(store: Any) -> None:
    told: list[set[Any]] = [set(), {("8080", "9090")}, {("9090", "8080")}, set(), {("8080", "9090")}]
    for text, changed in zip([A, B, A, A, B], told, strict=True):
        await store.aadd_texts([text])
        assert {d.page_content for d in await store.asimilarity_search(QUESTION, k=10)} & {A, B} == {text}
        assert {(change.old, change.new) for change in store.last_changes} == changed


def test_filters_never_bring_back_a_stale_row(store: Any) -> None:
    store.add_texts([A], metadatas=[{"rev": 1}])
    store.add_texts([B], metadatas=[{"rev": 2}])
    assert served(store, filter={"rev": 1}) == served(store, filter={"$or": [{"rev": 1}, {"rev": 7}]}) == []
    assert served(store, filter={"rev": {"$gte": 1}}) == [B]
    assert served(store, where_document={"$contains": "8080"}) == []
    assert store.get(where={"rev": 1})["ids"] == []
    assert store.max_marginal_relevance_search(QUESTION, filter={"rev": 1}) == []


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize("call", ["add_texts", "add_documents", "from_texts", "from_documents"])
@pytest.mark.parametrize("form", ["one value", "a list"])
async def test_valid_from_goes_with_every_way_of_adding(
    make_temporal: StoreMaker, client: Any, call: str, form: str, asynchronous: bool
) -> None:
    dates: Any = datetime(2022, 1, 1) if form == "one value" else [datetime(2022, 1, 1), "2020-01-01"]
    texts = [B, NOISE[0]] if form == "one value" else [B, A]
    given: Any = texts if call.endswith("texts") else [Document(page_content=text) for text in texts]
    of: Any = (store := make_temporal())
    how: dict[str, Any] = {"valid_from": dates}
    if call.startswith("from"):
        of = type(store)
        how |= {"embedding": store.embeddings, "client": client, "collection_name": store._collection.name}
    made = getattr(of, f"a{call}" if asynchronous else call)(given, **how)
    if asynchronous:
        await made
    assert served(store) == [B]
    assert served(store, as_of="2021-06-01") == ([] if form == "one value" else [A])


def test_stock_reads_what_ours_wrote(client: Any, store: Any) -> None:
    store.add_texts([A], ids=["a"], metadatas=[{"rev": 1}])
    stock = Chroma(store._collection.name, store.embeddings, client=client)
    for found in (stock.similarity_search(A, k=1), stock.similarity_search(A, filter={"rev": 1})):
        assert [(d.page_content, d.metadata["rev"]) for d in found] == [(A, 1)]


@pytest.fixture
def scoped(make_temporal: StoreMaker) -> Any:
    store = make_temporal(scope=("env",))
    store.add_texts([A, B], metadatas=[{"env": "prod"}, {"env": "staging"}], ids=["prod", "staging"])
    return store


def test_a_filter_names_the_scope_in_any_form(scoped: Any) -> None:
    assert served(scoped, filter={"$and": [{"env": "staging"}, {"env": {"$ne": "prod"}}]}) == [B]
    assert scoped.get(where={"env": "prod"})["documents"] == [A]
    retriever = scoped.as_retriever(search_kwargs={"filter": {"env": "staging"}})
    assert [d.page_content for d in retriever.invoke(QUESTION)] == [B]


UNSCOPED: dict[str, Callable[[Any], Any]] = {
    "search": lambda s: s.similarity_search(QUESTION),
    "search with another filter": lambda s: s.similarity_search(QUESTION, filter={"other": 1}),
    "search with scores": lambda s: s.similarity_search_with_score(QUESTION),
    "mmr": lambda s: s.max_marginal_relevance_search(QUESTION),
    "retriever": lambda s: s.as_retriever().invoke(QUESTION),
    "a text": lambda s: s.add_texts([C]),
    "a text with other metadata": lambda s: s.add_texts([C], metadatas=[{"other": 1}]),
    "one of two texts": lambda s: s.add_texts([A, C], metadatas=[{"env": "prod"}, {}]),
    "a document": lambda s: s.add_documents([Document(page_content="Plain prose.")]),
    "history": lambda s: s.history("API port"),
    "retraction": lambda s: s.retract("API port"),
}


@pytest.mark.parametrize("call", UNSCOPED.values(), ids=UNSCOPED)
def test_leaving_the_scope_unnamed_is_an_error(scoped: Any, call: Callable[[Any], Any]) -> None:
    with pytest.raises(InvalidInputError, match="env"):
        call(scoped)
    assert scoped._collection.session.collection.get()["ids"] == ["prod", "staging"]


def test_facts_and_a_retriever_take_the_scope(scoped: Any) -> None:
    prod = {"env": "prod"}
    scoped.add_facts([Fact("Kite", "_", "odd"), Fact("Kite", "owner", "Ann")], scope=prod, metadatas=[{"n": 1}, None])
    found = scoped.as_retriever(scope=prod, k=9).invoke("Who is the owner of Kite?")
    assert "The owner of Kite is Ann." in [d.page_content for d in found]
    assert {d.metadata["env"] for d in found} == {"prod"}


async def test_a_call_names_the_field_that_dates_its_texts(empty: Any, caplog: Any) -> None:
    """`valid_from_field=` of the call dates the texts, whatever their order; a keyword of other stores is ignored.

    Where none of the texts has the field, the log says that their order decides.
    """
    asked = {"valid_from_field": "date", "batch_size": 100}
    empty.add_texts([NEWER, OLDER], DATED, **asked)
    assert empty.get()["documents"] == [NEWER]
    dated = [{"date": f"2024-05-0{n}"} for n in (3, 2)]
    await empty.aadd_texts(["The Foo port is 4.", "The Foo port is 3."], dated, **asked)
    assert empty.get()["documents"] == ["The Foo port is 4."]
    assert "'date'" not in caplog.text
    empty.add_texts([NEWER], DATED[:1], valid_from_field="dat")
    assert "'dat'" in caplog.text


def over(ids: list[str], valid_from: Any = "2024-03-01", **how: Any) -> Step:
    """Write texts under ids of documents that are over."""
    return put(*(f"The Bar port is {n}." for n, _ in enumerate(ids)), ids=ids, valid_from=valid_from, **how)


LATE: dict[str, tuple[Step, int]] = {
    "deleted": (over(["gone", "kept"]), 0),
    "replaced": (over(["old", "gone"]), 1),
    "told after the deletion": (over(["gone"], "2024-06-02"), 0),
    "undated": (over(["gone"], None), 0),
    "with an end": (over(["gone"], valid_to="2024-04-01"), 0),
    "older than a version that is known": (over(["gone", "old", "kept"], "2023-01-01"), 0),
    "what was replaced, told as of an earlier date": (put("It is old.", ids=["old"], valid_from="2023-01-01"), 1),
    "replaced by this call": (over(["old", "new"], supersedes=[None, ["old"]]), 0),
    "a source": (sync("page", OLDER, valid_from="2024-01-01"), 0),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", LATE)
def test_what_is_over_when_it_is_written_is_warned_of(kind: str, case: str, caplog: pytest.LogCaptureFixture) -> None:
    """A text of a time before its document was replaced is served no more, and the log counts them."""
    call, count = LATE[case]
    begun = [put(f"It is {i}.", ids=[i], valid_from="2024-01-01") for i in ("gone", "old", "kept")]
    replaced = put("It is new.", ids=["new"], valid_from="2024-04-01", supersedes=["old"])
    ended = [sync("page", NEWER, valid_from="2024-02-01"), sync("page", valid_from="2024-03-01")]
    story = [*begun, replaced, delete("gone"), *ended, at("2024-06-03"), call]
    go_through(Door(kind, now="2024-06-01", on_delete="retire"), story)
    assert [r.args[0] for r in caplog.records if "not served" in r.getMessage()] == [count][: bool(count)]  # type: ignore[index]


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
    "a question": lambda s: s.get(as_of=datetime.max),
    "a question of what was known": lambda s: s.get(known_at=datetime.max),
    "a block": lambda s: as_of(datetime.max).__enter__(),
    "a block of what was known": lambda s: as_of(None, known_at=datetime.max).__enter__(),
}


@pytest.mark.parametrize("case", OPEN_STARTS)
def test_nothing_begins_when_time_is_open(empty: Any, case: str) -> None:
    """`datetime.max` means open, which only an end can be: a start, or a question about it, is refused everywhere."""
    empty.add_texts([OLDER], ids=["a"])
    with pytest.raises(InvalidInputError, match=r"datetime\.max"):
        OPEN_STARTS[case](empty)
    assert empty.get(include_superseded=True)["documents"] == [OLDER]
    assert empty.verify() == []


def test_an_end_may_be_open(empty: Any) -> None:
    """For an end `datetime.max` is the same as none."""
    empty.add_texts([NEWER], valid_from="2024-01-01", valid_to=datetime.max)
    assert empty.get()["documents"] == [NEWER]
    assert empty.verify() == []
