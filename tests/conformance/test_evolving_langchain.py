"""Knowledge that changes, through the LangChain front door: the current statement is served, the stale one is not."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from langchain_chroma import Chroma
from langchain_core.documents import Document

from memstrata_integrations.errors import InvalidInputError

from .conftest import StoreMaker
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


async def test_a_b_a_a_b_asynchronously(store: Any) -> None:
    """The asynchronous methods serve the right value after each step, and `last_changes` follows them."""
    told: list[set[Any]] = [set(), {("8080", "9090")}, {("9090", "8080")}, set(), {("8080", "9090")}]
    for text, changed in zip([A, B, A, A, B], told, strict=True):
        await store.aadd_texts([text])
        assert {d.page_content for d in await store.asimilarity_search(QUESTION, k=10)} & {A, B} == {text}
        assert {(change.old, change.new) for change in store.last_changes} == changed


def test_filters_never_bring_back_a_stale_row(store: Any) -> None:
    """A filter that matches only the superseded row finds nothing."""
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
    """`valid_from` is one value for all texts or one for each, in every method that adds."""
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
    """Stock Chroma can open our collection: texts and the user's metadata are where it expects them."""
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
)
def test_leaving_the_scope_unnamed_is_an_error(scoped: Any, call: Callable[[Any], Any]) -> None:
    """With a scope configured, a write or read that doesn't name it is an error that does, and writes nothing."""
    with pytest.raises(InvalidInputError, match="env"):
        call(scoped)
    assert scoped._collection.session.collection.get()["ids"] == ["prod", "staging"]
