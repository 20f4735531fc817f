"""Knowledge that changes, through the LangChain front door: the current statement is served, the stale one is not."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from langchain_chroma import Chroma
from langchain_core.documents import Document

from memstrata_integrations.errors import InvalidInputError

from .conftest import StillClock, StoreMaker
from .lexical import LexicalEmbeddings
from .llama import NOISE, QUESTION, A, B, C


def served(store: Any, question: str = QUESTION, **more: Any) -> list[str]:
    """Return the sentences about the port that a search finds."""
    found = store.similarity_search(question, k=10, **more)
    return sorted(d.page_content for d in found if d.page_content.startswith("The API port"))


@pytest.fixture
def store(make_temporal: StoreMaker) -> Any:
    """A store that holds some prose that has nothing to do with the facts."""
    store = make_temporal()
    store.add_texts(NOISE)
    return store


# ---------------------------------------------------------------------------------------------- A -> B -> A -> A -> B


async def test_a_b_a_a_b_asynchronously(store: Any) -> None:
    """The asynchronous methods serve the right value after each step, and `last_changes` follows them."""
    told: list[set[Any]] = [set(), {("8080", "9090")}, {("9090", "8080")}, set(), {("8080", "9090")}]
    for text, changed in zip([A, B, A, A, B], told, strict=True):
        await store.aadd_texts([text])
        found = await store.asimilarity_search(QUESTION, k=10)
        assert {d.page_content for d in found} & {A, B} == {text}
        assert {(change.old, change.new) for change in store.last_changes} == changed


def test_filters_never_bring_back_a_stale_row(store: Any) -> None:
    """A filter that matches only the superseded row finds nothing."""
    store.add_texts([A], metadatas=[{"rev": 1}])
    store.add_texts([B], metadatas=[{"rev": 2}])
    assert served(store, filter={"rev": 1}) == []
    assert served(store, filter={"rev": {"$gte": 1}}) == [B]
    assert served(store, filter={"$or": [{"rev": 1}, {"rev": 7}]}) == []
    assert served(store, where_document={"$contains": "8080"}) == []
    assert store.get(where={"rev": 1})["ids"] == []
    assert store.max_marginal_relevance_search(QUESTION, filter={"rev": 1}) == []


# -------------------------------------------------------------------------------------------------- time of validity


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize("call", ["add_texts", "add_documents", "from_texts", "from_documents"])
@pytest.mark.parametrize("form", ["one value", "a list"])
async def test_valid_from_goes_with_every_way_of_adding(
    make_temporal: StoreMaker, client: Any, call: str, form: str, asynchronous: bool
) -> None:
    """`valid_from` is one value for all texts or one for each, in every method that adds."""
    dates: Any = datetime(2022, 1, 1) if form == "one value" else [datetime(2022, 1, 1), "2020-01-01"]
    texts = [B, NOISE[0]] if form == "one value" else [B, A]
    given: Any = texts if call.endswith("texts") else [Document(page_content=text) for text in texts]
    store = make_temporal()
    of: Any = type(store) if call.startswith("from") else store
    place = {"client": client, "collection_name": store._collection.name} if call.startswith("from") else {}
    embedding = [LexicalEmbeddings()] if place else []
    if asynchronous:
        await getattr(of, f"a{call}")(given, *embedding, **place, valid_from=dates)
    else:
        getattr(of, call)(given, *embedding, **place, valid_from=dates)
    assert served(store) == [B]
    assert served(store, as_of="2021-06-01") == ([] if form == "one value" else [A])


def test_an_update_may_be_dated(store: Any) -> None:
    """`update_document` takes `valid_from`: the new version holds from that date on."""
    store.add_texts([A], ids=["page"], valid_from="2020-01-01")
    store.update_document("page", Document(page_content=B, metadata={"rev": 2}), valid_from="2022-01-01")
    assert served(store) == [B]
    assert served(store, as_of="2021-01-01") == [A]


# ----------------------------------------------------------------------------------------- with on_delete="retire"


@pytest.mark.parametrize("on_delete", ["purge", "retire"])
@pytest.mark.parametrize("source", [None, {"source": "ops.md"}], ids=["no source", "one source"])
@pytest.mark.parametrize(
    "steps",
    ["+a +b -a +a", "+a +b -a +a -b", "+a -a +b -b +a", "+a +b -a -b +a", "+a +b -b -a +a -a +a"],
)
def test_what_was_deleted_while_superseded_can_be_stated_again(
    make_temporal: StoreMaker, clock: StillClock, on_delete: str, source: dict[str, Any] | None, steps: str
) -> None:
    """A sentence that is written again under its old id holds, whatever was superseded or deleted between.

    But where history is kept and nothing tells that both sentences are of one source, a document that comes back while
    another one's statement stands against it says what it said, and no later (rule 15).
    """
    if on_delete == "retire" and source is None and steps.startswith("+a +b -a +a"):
        expected = [] if steps.endswith("-b") else [B]
    else:
        expected = [A]
    store = make_temporal(on_delete=on_delete)
    for day, step in enumerate(steps.split(), start=2):
        clock.set(f"2024-06-{day:02}T00:00:00")
        if step[0] == "+":
            store.add_texts([{"a": A, "b": B}[step[1]]], ids=[step[1]], metadatas=[source] if source else None)
        else:
            store.delete([step[1]])
    assert served(store) == expected
    assert store.verify() == []


def test_what_comes_back_under_another_id_is_no_newer(make_temporal: StoreMaker, clock: StillClock) -> None:
    """A page that is deleted with its history kept, and split anew, says what it said long ago."""
    store = make_temporal(on_delete="retire")
    old, new = "The Harbor API listens on port 8080.", "The Harbor API listens on port 9090."
    for day, row_id, text, source in [(2, "a", old, "ops.md"), (5, "b", new, "news.md"), (20, "a2", old, "ops.md")]:
        clock.set(f"2024-06-{day:02}T00:00:00")
        store.add_texts([text], ids=[row_id], metadatas=[{"source": source}])
        if row_id == "b":
            store.delete(["a"])
    assert store.get()["documents"] == [new]


@pytest.mark.parametrize("on_delete", ["purge", "retire"])
def test_an_update_doesnt_revive_what_was_deleted(make_temporal: StoreMaker, clock: StillClock, on_delete: str) -> None:
    """Updating a deleted id changes nothing, as updating any id that doesn't exist."""
    store = make_temporal(on_delete=on_delete)
    store.add_texts([A, "A plain remark."], ids=["a", "remark"])
    clock.set("2024-06-02T00:00:00")
    store.delete(["a", "remark"])
    clock.set("2024-06-03T00:00:00")
    store.update_documents(
        ["a", "remark"], [Document(page_content=text, metadata={"n": 1}) for text in (B, "Another.")]
    )
    assert store.get()["ids"] == []
    assert served(store) == []


# ---------------------------------------------------------------------------------------------------------- history


def test_history_prints(store: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """`print(store.history(...))` shows the fact's values in order with their dates, ids and sentences."""
    store.add_texts([A], ids=["first"], valid_from="2020-01-01")
    store.add_texts([B], ids=["second"], valid_from="2022-01-01")
    print(store.history(id="first"))
    printed = capsys.readouterr().out
    for part in ("8080", "2020-01-01", "2022-01-01", "first", A):
        assert part in printed
    [entry] = store.history(id="first")
    timeline = store.history(entry.subject, entry.relation)
    assert timeline.values == ["8080", "9090"]
    assert [e.id for e in timeline.current] == ["second"]
    assert [e.id for e in timeline.at("2021-01-01")] == ["first"]
    assert [e.status for e in timeline] == ["superseded", "current"]
    assert str(timeline).index("8080") < str(timeline).index("9090")


def test_explain_says_what_replaced_what(store: Any) -> None:
    """`explain` of the current document names the sentence and the value that it replaced."""
    store.add_texts([A], ids=["a"])
    store.add_texts([B], ids=["b"])
    [current] = [d for d in store.similarity_search(QUESTION, k=9) if d.page_content == B]
    for argument in (current, "b"):
        explanation = store.explain(argument)
        assert B in str(explanation)
        assert "8080" in str(explanation)


def test_explain_says_what_a_change_tells(store: Any) -> None:
    """A change acts on the one key that it names, on the old value alone, and stays as prose."""
    store.add_texts(["The retry limit of the Lomond gateway is 5."], ids=["stated"])
    store.add_texts(["The retry limit of the Lomond gateway was raised from 5 to 8."], ids=["moved"])
    assert "stated" not in store.get()["ids"]
    explained = str(store.explain("moved"))
    assert "tells a change, retry limit of the Lomond gateway" in explained
    assert explained.count("was raised from 5 to 8") == 1
    assert "states" not in explained


def test_on_change_hears_of_each_supersession(make_temporal: StoreMaker) -> None:
    """`on_change` is called after a write that superseded something, and says what."""
    heard: list[str] = []
    store = make_temporal(on_change=lambda changes: heard.append(str(changes)))
    store.add_texts([A])
    store.add_texts([B])
    assert any("8080" in text for text in heard)


def test_stock_reads_what_ours_wrote(client: Any, store: Any) -> None:
    """Stock Chroma can open our collection: texts and the user's metadata are where it expects them."""
    store.add_texts([A], ids=["a"], metadatas=[{"rev": 1}])
    stock = Chroma(client=client, collection_name=store._collection.name, embedding_function=LexicalEmbeddings())
    assert stock.similarity_search(A, k=1)[0].page_content == A
    assert stock.get("a")["metadatas"][0]["rev"] == 1
    assert [d.page_content for d in stock.similarity_search(A, filter={"rev": 1})] == [A]


# ------------------------------------------------------------------------------------------------------------ scope


@pytest.fixture
def scoped(make_temporal: StoreMaker) -> Any:
    """A store whose facts are kept apart by `env`."""
    store = make_temporal(scope=("env",))
    store.add_texts([A, B], metadatas=[{"env": "prod"}, {"env": "staging"}], ids=["prod", "staging"])
    return store


def test_a_filter_names_the_scope_in_any_form(scoped: Any) -> None:
    """A search with a condition beside it, `get` and a retriever with a filter on the scope read within it."""
    assert served(scoped, filter={"$and": [{"env": "staging"}, {"env": {"$ne": "prod"}}]}) == [B]
    assert scoped.get(where={"env": "prod"})["documents"] == [A]
    retriever = scoped.as_retriever(search_kwargs={"filter": {"env": "staging"}})
    assert [d.page_content for d in retriever.invoke(QUESTION)] == [B]


@pytest.mark.parametrize(
    "call",
    [
        lambda s: s.similarity_search(QUESTION),
        lambda s: s.similarity_search(QUESTION, filter={"other": 1}),
        lambda s: s.similarity_search_with_score(QUESTION),
        lambda s: s.max_marginal_relevance_search(QUESTION),
        lambda s: s.as_retriever().invoke(QUESTION),
        lambda s: s.add_texts([C]),
        lambda s: s.add_texts([C], metadatas=[{"other": 1}]),
        lambda s: s.add_texts([A, C], metadatas=[{"env": "prod"}, {}]),
        lambda s: s.add_documents([Document(page_content="Plain prose.")]),
        lambda s: s.history("API port"),
        lambda s: s.retract("API port"),
    ],
    ids=["search", "search, other filter", "scores", "mmr", "retriever", "add", "add, other metadata",
         "add, one of two", "add prose", "history", "retract"],
)  # fmt: skip
def test_leaving_the_scope_unnamed_is_an_error(scoped: Any, call: Callable[[Any], Any]) -> None:
    """With a scope configured, a write or read that doesn't name it is an error that does, and writes nothing."""
    rows = scoped._collection.get(where={"env": {"$in": ["prod", "staging"]}}, include_superseded=True)["ids"]
    with pytest.raises(InvalidInputError, match="env"):
        call(scoped)
    assert scoped._collection.get(where={"env": {"$in": ["prod", "staging"]}}, include_superseded=True)["ids"] == rows
