"""Knowledge that changes, through the LangChain front door: the current statement is served, the stale one is not."""

from __future__ import annotations

import contextlib
import math
import random
import uuid
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import chromadb
import pytest
from langchain_chroma import Chroma
from langchain_core.documents import Document

from memstrata_integrations import TemporalCollection
from memstrata_integrations.errors import InvalidInputError

from .conftest import StillClock, StoreMaker
from .lexical import LexicalEmbeddings

QUESTION = "What is the API port?"
A, B, C = "The API port is 8080.", "The API port is 9090.", "The API port is 7070."
NOISE = [
    "The harbour opens at six.",
    "Ann wrote the handbook in spring.",
    "Ferries leave for the island twice a day.",
    "Nets dry on the wall behind the chapel.",
    "What is the port of the mail server?",
]


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

Writer = Callable[[Any, str, int], None]
WRITERS: dict[str, Writer] = {
    "texts": lambda s, text, n: s.add_texts([text]),
    "documents": lambda s, text, n: s.add_documents([Document(page_content=text)]),
    "own ids": lambda s, text, n: s.add_texts([text], ids=[f"step-{n}"]),
    "one id for each sentence": lambda s, text, n: s.add_texts([text], ids=[text]),
    "one id for all": lambda s, text, n: s.add_texts([text], ids=["the-page"]),
    "with metadata": lambda s, text, n: s.add_texts([text], metadatas=[{"step": n}]),
    "retriever": lambda s, text, n: s.as_retriever().add_documents([Document(page_content=text)]),
}


@pytest.mark.parametrize("ticking", [True, False], ids=["clock ticks", "clock stands still"])
@pytest.mark.parametrize("writer", WRITERS)
def test_a_b_a_a_b_serves_the_right_value_after_each_step(
    store: Any, clock: StillClock, writer: str, ticking: bool
) -> None:
    """After each undated write the search gives the sentence written last, once, and the stale one not at all."""
    for step, text in enumerate([A, B, A, A, B]):
        if ticking:
            clock.set(f"2024-06-{step + 2:02}T12:00:00")
        WRITERS[writer](store, text, step)
        kept = set(served(store))
        assert kept == {text}, f"step {step}"
        current = {A: "8080", B: "9090"}[text]
        assert current in store.similarity_search(QUESTION, k=1)[0].page_content
        texts = store.get()["documents"]
        assert {A: B, B: A}[text] not in texts
        assert set(NOISE) <= set(texts)


async def test_a_b_a_a_b_asynchronously(store: Any) -> None:
    """The asynchronous methods serve the right value after each step, too."""
    for text in [A, B, A, A, B]:
        await store.aadd_texts([text])
        found = await store.asimilarity_search(QUESTION, k=10)
        assert {d.page_content for d in found} & {A, B} == {text}


def test_every_reader_leaves_the_stale_out(store: Any) -> None:
    """Search, MMR, scores, vectors, `get`, `get_by_ids`, `peek` and `count` all leave superseded rows out."""
    store.add_texts([A], ids=["a"])
    store.add_texts([B], ids=["b"])
    vector = store.embeddings.embed_query(QUESTION)
    readers: list[list[str]] = [
        [d.page_content for d in store.similarity_search(QUESTION, k=9)],
        [d.page_content for d, _ in store.similarity_search_with_score(QUESTION, k=9)],
        [d.page_content for d, _ in store.similarity_search_with_vectors(QUESTION, k=9)],
        [d.page_content for d, _ in store.similarity_search_with_relevance_scores(QUESTION, k=9)],
        [d.page_content for d in store.similarity_search_by_vector(vector, k=9)],
        [d.page_content for d, _ in store.similarity_search_by_vector_with_relevance_scores(vector, k=9)],
        [d.page_content for d in store.max_marginal_relevance_search(QUESTION, k=9)],
        [d.page_content for d in store.max_marginal_relevance_search_by_vector(vector, k=9)],
        [d.page_content for d in store.search(QUESTION, "similarity", k=9)],
        [d.page_content for d in store.as_retriever(search_kwargs={"k": 9}).invoke(QUESTION)],
        store.get()["documents"],
        store.get(where_document={"$contains": "port"})["documents"] + NOISE,
        [d.page_content for d in store.get_by_ids(["a", "b"])] + NOISE,
        store._collection.peek(20)["documents"],
        store._collection.get()["documents"],
    ]
    for texts in readers:
        assert A not in texts
        assert B in texts
        assert set(NOISE) <= set(texts)
    assert store._collection.count() == len(NOISE) + 1
    assert store.get(["a"])["ids"] == []


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


def test_k_live_rows_come_though_stale_ones_are_nearer(make_temporal: StoreMaker) -> None:
    """A read with k gives k live rows, however many superseded ones lie nearer."""
    store = make_temporal()
    store.add_texts([f"The API port is {n}." for n in range(2000, 2200)])
    store.add_texts(NOISE)
    for search in (store.similarity_search, store.max_marginal_relevance_search):
        found = [d.page_content for d in search("The API port is 2050.", k=5)]
        assert len(found) == 5
        assert "The API port is 2199." in found
    assert store._collection.count() == 1 + len(NOISE)


def test_a_batch_beyond_chromas_keeps_order(make_temporal: StoreMaker) -> None:
    """In more texts than Chroma takes at once the last of contradicting sentences holds, across the seams."""
    store = make_temporal(embedding_function=LexicalEmbeddings(8))
    filler = [f"Note {n} on nothing in particular." for n in range(5600)]
    filler[0], filler[5460], filler[5461], filler[-1] = A, B, C, A
    store.add_texts(filler)
    assert served(store) == [A]
    assert served(store, where_document={"$contains": "port"}) == [A]


# -------------------------------------------------------------------------------------------------- time of validity


@pytest.mark.parametrize("call", ["add_texts", "add_documents", "from_texts", "from_documents"])
@pytest.mark.parametrize("form", ["one value", "a list"])
def test_valid_from_goes_with_every_way_of_adding(make_temporal: StoreMaker, client: Any, call: str, form: str) -> None:
    """`valid_from` is one value for all texts or one for each, in every method that adds."""
    dates: Any = datetime(2022, 1, 1) if form == "one value" else [datetime(2022, 1, 1), "2020-01-01"]
    texts = [B, "The harbour opens at six."] if form == "one value" else [B, A]
    documents = [Document(page_content=text) for text in texts]
    if call.startswith("from"):
        made = make_temporal()
        name = made._collection.name
        given = texts if call == "from_texts" else documents
        store = getattr(type(made), call)(
            given, LexicalEmbeddings(), client=client, collection_name=name, valid_from=dates
        )
    else:
        store = make_temporal()
        getattr(store, call)(texts if call == "add_texts" else documents, valid_from=dates)
    assert served(store) == [B]
    assert served(store, as_of="2021-06-01") == ([] if form == "one value" else [A])


async def test_valid_from_goes_with_every_asynchronous_way_of_adding(
    make_temporal: StoreMaker, client: Any, clock: StillClock
) -> None:
    """`aadd_texts`, `aadd_documents`, `afrom_texts` and `afrom_documents` take dates, and `last_changes` follows."""
    texts, documents = make_temporal(), make_temporal()
    await texts.aadd_texts([B, A], valid_from=["2022-01-01", "2020-01-01"])
    await documents.aadd_documents([Document(page_content=B)], valid_from="2022-01-01")
    await documents.aadd_documents([Document(page_content=A)], valid_from="2020-01-01", valid_to="2021-12-01")
    stores = [texts, documents]
    for given, call in (([B, A], "afrom_texts"), ([Document(page_content=t) for t in (B, A)], "afrom_documents")):
        made = make_temporal()
        stores.append(
            await getattr(type(made), call)(
                given,
                LexicalEmbeddings(),
                client=client,
                collection_name=made._collection.name,
                valid_from=["2022-01-01", "2020-01-01"],
                clock=clock,
            )
        )
    for store in stores:
        assert [d.page_content for d in await store.asimilarity_search(QUESTION, k=9)] == [B]
        assert [d.page_content for d in await store.asimilarity_search(QUESTION, k=9, as_of="2021-06-01")] == [A]
    await texts.aadd_texts([C])
    assert [(change.old, change.new) for change in texts.last_changes] == [("9090", "7070")]


def test_an_update_may_be_dated(store: Any) -> None:
    """`update_document` takes `valid_from`: the new version holds from that date on."""
    store.add_texts([A], ids=["page"], valid_from="2020-01-01")
    store.update_document("page", Document(page_content=B, metadata={"rev": 2}), valid_from="2022-01-01")
    assert served(store) == [B]
    assert served(store, as_of="2021-01-01") == [A]


def test_dates_may_come_from_metadata(make_temporal: StoreMaker) -> None:
    """With `valid_from_field` and `valid_to_field` dates are read from the metadata, which comes back unchanged."""
    store = make_temporal(valid_from_field="since", valid_to_field="until")
    store.add_documents(
        [
            Document(page_content=B, metadata={"since": "2022-01-01"}),
            Document(page_content=A, metadata={"since": "2020-01-01", "until": "2021-01-01"}),
            Document(page_content="The harbour opens at six.", metadata={"other": 1}),
        ]
    )
    assert served(store) == [B]
    assert served(store, as_of="2020-06-01") == [A]
    assert served(store, as_of="2021-06-01") == []
    [document] = [d for d in store.similarity_search(QUESTION, k=5) if d.page_content == B]
    assert document.metadata == {"since": "2022-01-01"}


def test_deletion_reaches_superseded_rows(store: Any) -> None:
    """`delete`, by id or by condition, reaches rows that readers no longer see."""
    store.add_texts([A], ids=["a"], metadatas=[{"doc": 1}])
    store.add_texts([B], ids=["b"], metadatas=[{"doc": 1}])
    store.add_texts([C], ids=["c"])
    store.delete(["a"])
    store.delete(where={"doc": 1})
    assert served(store, include_superseded=True) == [C]


def test_plan_looks_ahead_and_writes_nothing(store: Any) -> None:
    """`plan` names what a write would supersede, and changes nothing."""
    store.add_texts([A], ids=["a"])
    before = store.get(include_superseded=True)
    planned = store.plan([B, "The harbour closes at nine."])
    assert [(c.old, c.new) for c in planned] == [("8080", "9090")]
    assert "8080" in str(planned)
    assert store.get(include_superseded=True) == before
    assert served(store) == [A]


# ------------------------------------------------------------------------------------------- what must not supersede


def test_a_thousand_tickets_retire_nothing(make_temporal: StoreMaker) -> None:
    """A thousand tickets with equal field names, each its own source, all stay."""
    store = make_temporal()
    states = ["open", "closed", "blocked"]
    tickets = [
        Document(
            page_content=f"Status: {states[n % 3]}\nPriority: {n % 4}\nAssignee: person {n % 17}",
            metadata={"source": f"tickets/{n}.txt"},
        )
        for n in range(1000)
    ]
    for start in range(0, 1000, 250):
        store.add_documents(tickets[start : start + 250], ids=[f"t{n}" for n in range(start, start + 250)])
    assert set(store.get(include=[])["ids"]) == {f"t{n}" for n in range(1000)}
    assert store._collection.count() == 1000


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


@pytest.mark.parametrize("seed", range(12))
def test_random_writes_serve_what_was_stated_last(make_temporal: StoreMaker, clock: StillClock, seed: int) -> None:
    """After any mix of additions, updates and deletions a row is served unless something else was stated after it."""
    draw = random.Random(seed)
    store = make_temporal(embedding_function=LexicalEmbeddings(16))
    stated: dict[str, tuple[str, float]] = {}
    log: list[tuple[str, float]] = []

    def live() -> dict[str, str]:
        return {
            id_: text for id_, (text, at) in stated.items() if not any(o != text and later > at for o, later in log)
        }

    for step in range(1, 11):
        clock.set(f"2024-06-{step + 1:02}T00:00:00")
        ids = draw.sample("pqrs", draw.choice([1, 1, 1, 3]))
        texts = [draw.choice([A, B, C]) for _ in ids]
        action = draw.choice(["add", "add", "add", "update", "delete"])
        if action == "add":
            store.add_texts(texts, ids=ids)
        elif action == "update":
            store.update_documents(ids, [Document(page_content=text, metadata={"step": step}) for text in texts])
            texts = [text for id_, text in zip(ids, texts, strict=True) if id_ in stated]
            ids = [id_ for id_ in ids if id_ in stated]
        else:
            store.delete(ids)
            for id_ in ids:
                stated.pop(id_, None)
            ids = []
        for order, (id_, text) in enumerate(zip(ids, texts, strict=False)):
            if live().get(id_) != text:
                stated[id_] = (text, step + order / 10)
            log.append((text, stated[id_][1]))
        found = store.get()
        assert dict(zip(found["ids"], found["documents"], strict=True)) == live(), f"step {step}: {action}"
        assert set(served(store)) == set(live().values())
        assert set(store.get(include_superseded=True)["ids"]) == set(stated)
        assert store.verify() == []


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


def test_history_takes_the_subject_as_written(store: Any) -> None:
    """`history` finds a fact by its subject as a person writes it."""
    store.add_texts([A], valid_from="2020-01-01")
    store.add_texts([B], valid_from="2022-01-01")
    assert store.history("the API port").values == ["8080", "9090"]
    assert store.history("API port").values == ["8080", "9090"]
    assert len(store.history("the harbour port")) == 0


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


def test_show_validity_puts_dates_into_metadata(make_temporal: StoreMaker) -> None:
    """`show_validity=True` adds the dates in ISO 8601 to what readers get, and nothing to what is stored."""
    store = make_temporal(show_validity=True)
    store.add_texts([A], valid_from="2020-01-01", metadatas=[{"rev": 1}])
    store.add_texts([B], valid_from="2022-01-01", metadatas=[{"rev": 2}])
    [document] = store.similarity_search(QUESTION, k=1)
    assert document.metadata["rev"] == 2
    assert document.metadata["memstrata_valid_from"].startswith("2022-01-01")
    assert document.metadata.get("memstrata_valid_to") is None
    [old] = store.similarity_search(QUESTION, k=1, as_of="2021-01-01")
    assert old.metadata["memstrata_valid_from"].startswith("2020-01-01")
    assert old.metadata["memstrata_valid_to"].startswith("2022-01-01")
    assert old.metadata["memstrata_superseded_by"]
    assert old.metadata["memstrata_recorded_at"].startswith("2024-06-01")


def test_on_change_hears_of_each_supersession(make_temporal: StoreMaker) -> None:
    """`on_change` is called after a write that superseded something, and says what."""
    heard: list[str] = []
    store = make_temporal(on_change=lambda changes: heard.append(str(changes)))
    store.add_texts([A])
    store.add_texts([B])
    assert any("8080" in text for text in heard)


def test_history_survives_a_restart(tmp_path: Path, make_temporal: StoreMaker, clock: StillClock) -> None:
    """A store opened again on its directory serves the current value, the past one, and the history."""
    arguments: dict[str, Any] = {"client": None, "persist_directory": str(tmp_path / "db"), "collection_name": "kept"}
    first = make_temporal(**arguments)
    first.add_texts([A], ids=["a"])
    clock.set("2024-06-10T00:00:00")
    first.add_texts([B], ids=["b"])
    first._client.close()
    clock.set("2024-06-20T00:00:00")
    second = make_temporal(**arguments)
    assert served(second) == [B]
    assert served(second, as_of="2024-06-05") == [A]
    assert second.history(statement=A).values == ["8080", "9090"]
    second.add_texts([A])
    assert served(second) == [A]
    second._client.close()


def test_a_server_serves_the_current_value(http_client: Any, make_temporal: StoreMaker) -> None:
    """Against a real `chroma run` A, B, A, A, B gives the right value after each step, and a second store sees it."""
    name = f"evolving-{uuid.uuid4().hex}"
    store = make_temporal(client=http_client, collection_name=name)
    reader = make_temporal(client=http_client, collection_name=name)
    for text in [A, B, A, A, B]:
        store.add_texts([text])
        assert served(store) == [text]
        assert served(reader) == [text]
    store.delete_collection()


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


# -------------------------------------------------------------------------------------------------------- bad input

BAD_WRITES: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "no such day": ("2024-02-30", lambda s: s.add_texts([C], valid_from="2024-02-30")),
    "no such month": ("2024-13-01", lambda s: s.add_texts([C], valid_from="2024-13-01")),
    "no date at all": ("next Tuesday", lambda s: s.add_texts([C], valid_from="next Tuesday")),
    "empty date": ("''", lambda s: s.add_texts([C], valid_from="")),
    "year 10000": ("253402300800", lambda s: s.add_texts([C], valid_from=253402300800)),
    "milliseconds": ("1717243200000", lambda s: s.add_texts([C], valid_from=1717243200000)),
    "NaN as a date": ("nan", lambda s: s.add_texts([C], valid_from=math.nan)),
    "a truth value as a date": ("True", lambda s: s.add_texts([C], valid_from=True)),
    "an object as a date": ("object object", lambda s: s.add_texts([C], valid_from=object())),
    "one bad date of two": ("2024-02-30", lambda s: s.add_texts([A, C], valid_from=["2020-01-01", "2024-02-30"])),
    "bad valid_to": ("2024-02-30", lambda s: s.add_texts([C], valid_to="2024-02-30")),
    "valid_to before valid_from": (
        "2021-01-01",
        lambda s: s.add_texts([C], valid_from="2022-01-01", valid_to="2021-01-01"),
    ),
    "one valid_to of two before its valid_from": (
        "2021-01-01",
        lambda s: s.add_texts([A, C], valid_from="2022-01-01", valid_to=["2023-01-01", "2021-01-01"]),
    ),
    "fewer dates than texts": ("valid_from.*2", lambda s: s.add_texts([A, B, C], valid_from=["2020-01-01"] * 2)),
    "more dates than texts": ("valid_from.*2", lambda s: s.add_texts([C], valid_from=["2020-01-01"] * 2)),
    "no dates for texts": ("valid_to", lambda s: s.add_texts([C], valid_to=[])),
    "dates of another length in add_documents": (
        "valid_from.*2",
        lambda s: s.add_documents([Document(page_content=C)], valid_from=["2020-01-01"] * 2),
    ),
    "unreadable date in metadata": ("soon", lambda s: s.add_texts([A, C], metadatas=[{}, {"since": "soon"}])),
    "list as a date in metadata": ("since", lambda s: s.add_texts([C], metadatas=[{"since": ["2020-01-01"]}])),
    "valid_to in metadata before valid_from": (
        "2020-01-01",
        lambda s: s.add_texts([C], metadatas=[{"since": "2021-01-01", "until": "2020-01-01"}]),
    ),
    "empty id": ("''|empty", lambda s: s.add_texts([A, C], ids=["fine", ""])),
    "number as an id": ("7", lambda s: s.add_texts([A, C], ids=["fine", 7])),
    "lone surrogate in a text": (r"ud83d|surrogate", lambda s: s.add_texts([A, "half a smile \ud83d"])),
    "lone surrogate in metadata": (r"ud83d|surrogate", lambda s: s.add_texts([A, C], metadatas=[{}, {"x": "\ud83d"}])),
    "lone surrogate in an id": (r"ud83d|surrogate", lambda s: s.add_texts([A, C], ids=["fine", "\ud83d"])),
    "NaN in metadata": ("nan", lambda s: s.add_texts([A, C], metadatas=[{}, {"share": math.nan}])),
    "NaN in a list in metadata": ("nan", lambda s: s.add_texts([C], metadatas=[{"shares": [1.0, math.nan]}])),
    "infinity in a list in metadata": ("inf", lambda s: s.add_texts([C], metadatas=[{"shares": [1.0, math.inf]}])),
    "infinity in metadata": ("inf", lambda s: s.add_texts([C], metadatas=[{"share": -math.inf}])),
    "a number beyond 64 bits in metadata": (str(2**63), lambda s: s.add_texts([C], metadatas=[{"n": 2**63}])),
    "NaN in an update": (
        "nan",
        lambda s: s.update_document("here", Document(page_content=C, metadata={"share": math.nan})),
    ),
    "NaN in a vector": ("nan", lambda s: s._collection.add(ids=["v"], documents=[C], embeddings=[[math.nan] * 64])),
    "reserved key": ("memstrata_to", lambda s: s.add_texts([A, C], metadatas=[{}, {"memstrata_to": 5}])),
    "unknown reserved key": ("memstrata_mine", lambda s: s.add_texts([C], metadatas=[{"memstrata_mine": "x"}])),
    "reserved key in a document": (
        "memstrata_from",
        lambda s: s.add_documents([Document(page_content=C, metadata={"memstrata_from": 1})]),
    ),
    "reserved key in an update": (
        "memstrata_facts",
        lambda s: s.update_document("here", Document(page_content=C, metadata={"memstrata_facts": "{}"})),
    ),
    "duplicate ids": ("twice", lambda s: s.add_texts([A, B, C], ids=["once", "twice", "twice"])),
    "duplicate ids in an update": (
        "here",
        lambda s: s.update_documents(["here", "here"], [Document(page_content=C, metadata={"n": 1})] * 2),
    ),
    "fewer ids than texts": ("ids", lambda s: s.add_texts([A, C], ids=["x"])),
    "more metadatas than texts": ("metadatas", lambda s: s.add_texts([C], metadatas=[{"a": 1}, {"a": 2}])),
    "a number as a text": ("5", lambda s: s.add_texts([C, 5])),
    "bad date of a retraction": ("2024-02-30", lambda s: s.retract("API port", at="2024-02-30")),
}


@pytest.fixture
def guarded(make_temporal: StoreMaker) -> Any:
    """A store with one fact and one remark in it."""
    store = make_temporal(valid_from_field="since", valid_to_field="until")
    store.add_texts([B, "A plain remark."], ids=["here", "there"])
    return store


def contents(store: Any) -> tuple[Any, ...]:
    """Return every row of a store, hidden ones and reserved fields included."""
    raw = store._client.get_collection(store._collection.name).get(include=["documents", "metadatas"])
    return raw["ids"], raw["documents"], raw["metadatas"]


@pytest.mark.parametrize("name", BAD_WRITES)
def test_bad_input_is_refused_and_nothing_is_written(guarded: Any, name: str) -> None:
    """Input that cannot be used is an `InvalidInputError`, also a ValueError, that shows it; no row changes."""
    shown, call = BAD_WRITES[name]
    before = contents(guarded)
    with pytest.raises(InvalidInputError, match=f"(?is){shown}") as caught:
        call(guarded)
    assert isinstance(caught.value, ValueError)
    assert contents(guarded) == before
    assert served(guarded) == [B]


def test_vectors_of_another_dimension_are_refused(guarded: Any, make_temporal: StoreMaker) -> None:
    """Another embedding's vectors are refused, when written and when searched, naming both dimensions."""
    other = make_temporal(collection_name=guarded._collection.name, embedding_function=LexicalEmbeddings(32))
    before = contents(guarded)
    for call in (
        lambda: other.add_texts([C]),
        lambda: other.similarity_search(QUESTION),
        lambda: guarded.similarity_search_by_vector([1.0] * 32),
        lambda: other.update_document("here", Document(page_content=C, metadata={"n": 1})),
    ):
        with pytest.raises(InvalidInputError) as caught:
            call()
        assert "32" in str(caught.value)
        assert "64" in str(caught.value)
    assert contents(guarded) == before


class BrokenEmbeddings(LexicalEmbeddings):
    """Loses the last text of a batch."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return super().embed_documents(texts)[:-1]


def test_an_embedding_that_loses_texts_is_noticed(guarded: Any, make_temporal: StoreMaker) -> None:
    """Fewer vectors than texts are an error, and nothing is written."""
    broken = make_temporal(collection_name=guarded._collection.name, embedding_function=BrokenEmbeddings())
    before = contents(guarded)
    with pytest.raises(ValueError):
        broken.add_texts([A, C])
    assert contents(guarded) == before


class FailingEmbeddings(LexicalEmbeddings):
    """Fails as an embedding service does."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        raise ConnectionError("no route to the embedding service")


def test_an_embedding_that_fails_leaves_nothing_behind(guarded: Any, make_temporal: StoreMaker) -> None:
    """When the embedding fails its error comes through, nothing is written, and the next write works."""
    failing = make_temporal(collection_name=guarded._collection.name, embedding_function=FailingEmbeddings())
    before = contents(guarded)
    with pytest.raises(ConnectionError, match="no route"):
        failing.add_texts([C])
    assert contents(guarded) == before
    guarded.add_texts([C])
    assert served(guarded) == [C]


@pytest.mark.parametrize(
    ("keyword", "value"),
    [
        ("embeding_function", None),
        ("valid_form_field", "since"),
        ("scopes", ("env",)),
        ("validFrom", "2020-01-01"),
    ],
)
def test_an_unknown_constructor_keyword_is_an_error(
    client: Any, make_temporal: StoreMaker, keyword: str, value: Any
) -> None:
    """A misspelt keyword is an error that names it, in the constructor and in `from_texts`; no collection is made."""
    name = f"misspelt-{uuid.uuid4().hex}"
    with pytest.raises((TypeError, InvalidInputError), match=keyword):
        make_temporal(collection_name=name, **{keyword: value})
    store_class = type(make_temporal())
    with pytest.raises((TypeError, InvalidInputError), match=keyword):
        store_class.from_texts([A], LexicalEmbeddings(), client=client, collection_name=name, **{keyword: value})
    assert name not in {collection.name for collection in client.list_collections()}


@pytest.mark.parametrize(
    ("keyword", "value"),
    [
        ("on_delete", "keep"),
        ("scope", "env"),
        ("valid_from_field", "memstrata_from"),
        ("extractor", "telepathy"),
        ("clock", 5),
        ("policy", "strict"),
    ],
)
def test_a_constructor_argument_that_cannot_work_is_an_error(
    make_temporal: StoreMaker, keyword: str, value: Any
) -> None:
    """An argument of our own that cannot work is an error at once, that names the argument."""
    with pytest.raises((TypeError, InvalidInputError), match=keyword):
        make_temporal(**{keyword: value})


def test_a_filter_on_reserved_fields_shows_nothing_stale(guarded: Any) -> None:
    """A filter on a reserved field, should anyone write one, brings no superseded row back."""
    guarded.add_texts([C])
    for condition in ({"memstrata_to": {"$gt": 0}}, {"memstrata_from": {"$gt": 0}}):
        with contextlib.suppress(InvalidInputError):
            assert served(guarded, filter=condition) in ([], [C])


def test_from_texts_with_bad_dates_writes_nothing(client: Any, make_temporal: StoreMaker) -> None:
    """`from_texts` refuses bad dates before the first row is written."""
    made = make_temporal()
    with pytest.raises(InvalidInputError, match="2024-02-30"):
        type(made).from_texts(
            [A, B],
            LexicalEmbeddings(),
            client=client,
            collection_name=made._collection.name,
            valid_from=["2020-01-01", "2024-02-30"],
        )
    assert made._collection.count() == 0


def test_a_large_call_with_one_bad_text_writes_nothing(make_temporal: StoreMaker) -> None:
    """One bad text at the end of more than a Chroma batch is found before the first batch is written."""
    store = make_temporal(embedding_function=LexicalEmbeddings(8))
    texts = [f"Note {n} on nothing in particular." for n in range(5600)]
    with pytest.raises(InvalidInputError):
        store.add_texts(texts, metadatas=[{"n": n} for n in range(5599)] + [{"n": math.nan}])
    assert store._collection.count() == 0


def test_a_sentence_of_ending_ends_the_value_whatever_its_kind() -> None:
    """A sentence of ending names no value and so no kind of value; it closes what was set, and is itself prose."""
    raw = chromadb.EphemeralClient().create_collection(f"ending-{uuid.uuid4().hex}", embedding_function=None)
    store = TemporalCollection(raw)
    texts = ["The billing API port is 8080.", "The billing API port is no longer set."]
    for n, text in enumerate(texts):
        store.add(ids=[str(n)], documents=[text], embeddings=[[1.0, float(n)]])
    assert store.get()["documents"] == texts[1:]
    store.add(ids=["1"], documents=texts[1:], embeddings=[[1.0, 1.0]])  # a retry
    assert store.get()["documents"] == texts[1:]
    assert store.verify() == []
