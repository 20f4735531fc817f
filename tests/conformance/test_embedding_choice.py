"""What embeds a text: the stored vector of the same text, else what the user chose; Chroma's default if asked for."""

from collections.abc import Callable
from typing import Any

import chromadb
import numpy as np
import pytest
from chromadb.api.types import DefaultEmbeddingFunction
from llama_index.core.schema import MetadataMode, TextNode

from memstrata_integrations import TemporalCollection
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.lexical import LexicalEmbeddings as NamedLexical
from memstrata_integrations.llama_index import TemporalVectorStore as NodeStore
from tests.stateful.toy import TestClock

from .lexical import Counting, ForChroma
from .llama import LexicalModel, embed

PAGE = "handbook.md"
TEXT, OTHER = "The manager is Ann Lee.", "The manager is Bo Li."


@pytest.fixture(autouse=True)
def forbidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chroma's default embedding fails the test that calls it."""

    def fail(self: Any, input: Any) -> None:
        pytest.fail("Chroma's default embedding was called")

    monkeypatch.setattr(DefaultEmbeddingFunction, "__call__", fail)


@pytest.fixture(params=["no function", "unasked", "reopened"])
def raw(request: pytest.FixtureRequest, persistent_client: Any) -> Any:
    """A collection for which nobody chose an embedding: Chroma would take its own default."""
    if request.param == "no function":
        return persistent_client.create_collection("unchosen", embedding_function=None)
    made = persistent_client.create_collection("unchosen")
    return made if request.param == "unasked" else persistent_client.get_collection("unchosen", embedding_function=None)


@pytest.fixture
def store(raw: Any, clock: TestClock) -> TemporalCollection:
    made = TemporalCollection(raw, clock=clock)
    made.write([TEXT], ids=["a"], metadatas=[{"page": 1}], embeddings=[embed(TEXT)])
    return made


@pytest.mark.parametrize("how", ["write", "update"])
def test_a_text_that_is_written_again_keeps_its_vector(store: TemporalCollection, clock: TestClock, how: str) -> None:
    clock.set("2024-07-01")
    getattr(store, how)(ids=["a"], documents=[TEXT], metadatas=[{"page": 2}])
    found = store.get(ids=["a"], include=["embeddings", "metadatas"])
    assert found["metadatas"] == [{"page": 2}]
    assert found["embeddings"][0] == pytest.approx(embed(TEXT))


CALLS: dict[str, Callable[[TemporalCollection], Any]] = {
    "write": lambda s: s.write([TEXT, OTHER], ids=["a", "b"], metadatas=[{"page": 2}] * 2),
    "add": lambda s: s.add(ids=["b"], documents=[OTHER]),
    "update": lambda s: s.update(["a"], documents=[OTHER]),
    "sync": lambda s: s.sync(PAGE, [OTHER]),
    "image": lambda s: s.add(ids=["b"], images=[np.zeros((2, 2, 3))]),
    "question": lambda s: s.query(query_texts=["Who?"]),
}


@pytest.mark.parametrize("call", CALLS)
def test_nothing_is_embedded_that_nobody_chose(raw: Any, store: TemporalCollection, call: str) -> None:
    before = raw.get()
    with pytest.raises(InvalidInputError, match="embedding_function="):
        CALLS[call](store)
    assert raw.get() == before


def test_nothing_of_a_large_call_is_written(raw: Any, store: TemporalCollection, monkeypatch: Any) -> None:
    """All of its batches have vectors before the first one is written."""
    monkeypatch.setattr(store.session.writer, "batch_limit", lambda: 4)
    items = store.session.read([f"Note {n}." for n in range(9)], ids=[f"n{n}" for n in range(9)])
    store.session.embedding.attach(items[:8], [embed(TEXT)] * 8)
    with pytest.raises(InvalidInputError, match="embedding_function="):
        store.session.write(items)
    assert raw.count() == 1


def test_pictures_are_searched_by_vector_alone(raw: Any, store: TemporalCollection) -> None:
    for chosen in (None, Counting()):
        with pytest.raises(InvalidInputError, match="query_embeddings="):
            TemporalCollection(raw, embedding_function=chosen).query(query_images=[np.zeros((2, 2, 3))])
    assert store.query(query_embeddings=[embed(TEXT)])["ids"] == [["a"]]


KINDS: dict[str, Callable[[Counting], Any]] = {
    "LangChain": lambda c: c,
    "Chroma": lambda c: ForChroma(),
    "LlamaIndex": lambda c: LexicalModel(),
    "function": lambda c: lambda texts: [embed(t) for t in texts],
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_collection_takes_what_it_is_given(raw: Any, clock: TestClock, kind: str) -> None:
    counted = Counting()
    store = TemporalCollection(raw, clock=clock, embedding_function=KINDS[kind](counted))
    store.write([TEXT, "Nets dry on the wall."], ids=["a", "b"], metadatas=[{"page": 1}, None])
    clock.set("2024-07-01")
    store.write([TEXT, OTHER], ids=["a", "c"], metadatas=[{"page": 2}, {"page": 3}])
    assert store.query(query_texts=["Do nets dry on a wall?", "Bo Li"], n_results=1)["ids"] == [["b"], ["c"]]
    if kind == "LangChain":
        assert counted.embedded == [TEXT, "Nets dry on the wall.", OTHER]
        assert counted.asked == ["Do nets dry on a wall?", "Bo Li"]


def test_the_choice_beats_the_collections_own(persistent_client: Any, clock: TestClock) -> None:
    own, chosen = ForChroma(), Counting()
    raw = persistent_client.create_collection("own", embedding_function=own)
    store = TemporalCollection(raw, clock=clock)
    store.write([TEXT])
    store.query(query_texts=["Who?"])
    TemporalCollection(raw, clock=clock, embedding_function=chosen).write([OTHER])
    assert (own.counted.embedded, own.counted.asked, chosen.embedded) == ([TEXT], ["Who?"], [OTHER])


def test_chromas_default_for_who_asks(raw: Any, clock: TestClock, monkeypatch: Any) -> None:
    monkeypatch.setattr(DefaultEmbeddingFunction, "__call__", lambda self, input: ForChroma()(input))
    store = TemporalCollection(raw, clock=clock, embedding_function=DefaultEmbeddingFunction())
    store.add(ids=["a"], documents=[TEXT])
    assert store.query(query_texts=["manager"])["ids"] == [["a"]]


def test_a_choice_with_a_name_is_recorded(persistent_client: Any) -> None:
    """The name of this package's embeddings is kept with the collection, and another one refused, as is no model."""
    raw = persistent_client.create_collection("named", embedding_function=None)
    TemporalCollection(raw, embedding_function=NamedLexical()).write([TEXT])
    for other, told in ((NamedLexical(32), "embedded with"), (384, "embeds nothing")):
        with pytest.raises(InvalidInputError, match=told):
            TemporalCollection(
                persistent_client.get_collection("named", embedding_function=None), embedding_function=other
            )


def test_nodes_are_embedded_as_llama_index_does(raw: Any, clock: TestClock) -> None:
    """What `embed_model=` embeds of a node that has no vector is its text under its visible metadata."""
    model = LexicalModel()
    store = NodeStore(chroma_collection=raw, clock=clock, embed_model=model)
    node = TextNode(text=TEXT, metadata={"page": 3, "seen": 1}, excluded_embed_metadata_keys=["seen"])
    store.sync(PAGE, [node])
    assert model.seen == [node.get_content(metadata_mode=MetadataMode.EMBED)]


def test_a_vector_that_is_lost_is_made_again(persistent_client: Any, clock: TestClock, monkeypatch: Any) -> None:
    counted = Counting()
    raw = persistent_client.create_collection("lost", embedding_function=None)
    store = TemporalCollection(raw, clock=clock, embedding_function=counted)
    store.write([TEXT], ids=["a"], metadatas=[{"page": 1}])
    counted.embedded.clear()
    fetch = store.session.lookup.fetch

    def losing(ids: Any, fields: Any = (), **filters: Any) -> Any:
        if tuple(fields) == ("embeddings",):
            raise chromadb.errors.InternalError("Error finding id")
        return fetch(ids, fields, **filters)

    monkeypatch.setattr(store.session.lookup, "fetch", losing)
    store.write([TEXT], ids=["a"], metadatas=[{"page": 2}])
    assert counted.embedded == [TEXT]
