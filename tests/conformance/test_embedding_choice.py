"""What embeds a text: the stored vector of the same text, else what the user chose; Chroma's default if asked for."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
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

from .conftest import StillClock
from .lexical import Counting, ForChroma
from .llama import LexicalModel, embed

PAGE = "handbook.md"
TEXT, OTHER = "The manager is Ann Lee.", "The manager is Bo Li."


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Any]:
    opened = chromadb.PersistentClient(str(tmp_path / "db"))
    yield opened
    getattr(opened, "close", lambda: None)()  # older versions of chromadb have none


@pytest.fixture(autouse=True)
def forbidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chroma's default embedding fails the test that calls it."""

    def fail(self: Any, input: Any) -> None:
        pytest.fail("Chroma's default embedding was called")

    monkeypatch.setattr(DefaultEmbeddingFunction, "__call__", fail)


@pytest.fixture(params=["no function", "unasked", "reopened"])
def raw(request: pytest.FixtureRequest, client: Any) -> Any:
    """A collection for which nobody chose an embedding: Chroma would take its own default."""
    if request.param == "no function":
        return client.create_collection("unchosen", embedding_function=None)
    made = client.create_collection("unchosen")
    return made if request.param == "unasked" else client.get_collection("unchosen", embedding_function=None)


# -- the same text ----------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["write", "update"])
def test_a_text_that_is_written_again_keeps_its_vector(raw: Any, clock: StillClock, how: str) -> None:
    """Without vectors, the stored one of the same text under the same id is taken."""
    store = TemporalCollection(raw, clock=clock)
    store.write([TEXT], ids=["a"], metadatas=[{"page": 1}], embeddings=[embed(TEXT)])
    clock.set("2024-07-01")
    if how == "write":
        store.write([TEXT], ids=["a"], metadatas=[{"page": 2}])
    else:
        store.update(["a"], documents=[TEXT], metadatas=[{"page": 2}])
    found = store.get(ids=["a"], include=["embeddings", "metadatas"])
    assert found["metadatas"] == [{"page": 2}]
    assert found["embeddings"][0] == pytest.approx(embed(TEXT))


# -- who embeds -------------------------------------------------------------------------------


@pytest.mark.parametrize("call", ["write", "add", "update", "sync", "image"])
def test_nothing_is_embedded_that_nobody_chose(raw: Any, clock: StillClock, call: str) -> None:
    """Without vectors, and without an embedding of the user's own, a write says what to do, and writes nothing."""
    store = TemporalCollection(raw, clock=clock)
    store.write([TEXT], ids=["a"], metadatas=[{"page": 1}], embeddings=[embed(TEXT)])
    before = raw.get(include=["documents", "metadatas", "embeddings"])
    calls: dict[str, Callable[[], Any]] = {
        "write": lambda: store.write([TEXT, OTHER], ids=["a", "b"], metadatas=[{"page": 2}] * 2),
        "add": lambda: store.add(ids=["b"], documents=[OTHER]),
        "update": lambda: store.update(["a"], documents=[OTHER]),
        "sync": lambda: store.sync(PAGE, [OTHER]),
        "image": lambda: store.add(ids=["b"], images=[np.zeros((2, 2, 3))]),
    }
    with pytest.raises(InvalidInputError, match="embedding_function="):
        calls[call]()
    after = raw.get(include=["documents", "metadatas", "embeddings"])
    assert after["ids"] == before["ids"]
    assert (after["metadatas"], after["documents"]) == (before["metadatas"], before["documents"])


def test_nothing_of_a_large_call_is_written(raw: Any, clock: StillClock, monkeypatch: pytest.MonkeyPatch) -> None:
    store = TemporalCollection(raw, clock=clock)
    monkeypatch.setattr(store.session.writer, "batch_limit", lambda: 4)
    items = store.session.read([f"Note {n}." for n in range(9)], ids=[f"n{n}" for n in range(9)])
    store.session.embedding.attach(items[:8], [embed(TEXT)] * 8)
    with pytest.raises(InvalidInputError, match="embedding_function="):
        store.session.write(items)
    assert raw.count() == 0


def test_a_question_is_not_embedded_by_what_nobody_chose(raw: Any, clock: StillClock) -> None:
    store = TemporalCollection(raw, clock=clock)
    store.write([TEXT], ids=["a"], embeddings=[embed(TEXT)])
    with pytest.raises(InvalidInputError, match="embedding_function="):
        store.query(query_texts=["Who?"])
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
def test_a_collection_takes_what_it_is_given(raw: Any, clock: StillClock, kind: str) -> None:
    """`TemporalCollection(embedding_function=)` embeds texts and questions, of whatever kind it is."""
    counted = Counting()
    store = TemporalCollection(raw, clock=clock, embedding_function=KINDS[kind](counted))
    store.write([TEXT, "Nets dry on the wall."], ids=["a", "b"], metadatas=[{"page": 1}, None])
    clock.set("2024-07-01")
    store.write([TEXT, OTHER], ids=["a", "c"], metadatas=[{"page": 2}, {"page": 3}])
    assert store.query(query_texts=["Do nets dry on a wall?", "Bo Li"], n_results=1)["ids"] == [["b"], ["c"]]
    if kind == "LangChain":
        assert (counted.embedded, counted.asked) == (
            [TEXT, "Nets dry on the wall.", OTHER],
            ["Do nets dry on a wall?", "Bo Li"],
        )


def test_the_choice_beats_the_collections_own(client: Any, clock: StillClock) -> None:
    """A collection's own function embeds where nothing else was chosen, and where something was, that does."""
    own, chosen = ForChroma(), Counting()
    raw = client.create_collection("own", embedding_function=own)
    TemporalCollection(raw, clock=clock).write([TEXT])
    assert own.counted.embedded == [TEXT]
    TemporalCollection(raw, clock=clock).query(query_texts=["Who?"])
    assert own.counted.asked == ["Who?"]
    TemporalCollection(raw, clock=clock, embedding_function=chosen).write([OTHER])
    assert (own.counted.embedded, chosen.embedded) == ([TEXT], [OTHER])


def test_chromas_default_for_who_asks(raw: Any, clock: StillClock, monkeypatch: pytest.MonkeyPatch) -> None:
    def lexical(self: Any, input: list[str]) -> list[Any]:
        return [np.asarray(embed(t), dtype=np.float32) for t in input]

    monkeypatch.setattr(DefaultEmbeddingFunction, "__call__", lexical)
    store = TemporalCollection(raw, clock=clock, embedding_function=DefaultEmbeddingFunction())
    store.add(ids=["a"], documents=[TEXT])
    assert store.query(query_texts=["manager"])["ids"] == [["a"]]


def test_a_choice_that_embeds_nothing_is_refused(raw: Any) -> None:
    with pytest.raises(InvalidInputError, match="embeds nothing"):
        TemporalCollection(raw, embedding_function=384)


def test_a_choice_with_a_name_is_recorded(client: Any) -> None:
    """The name of this package's embeddings is kept with the collection, and another one refused."""
    raw = client.create_collection("named", embedding_function=None)
    TemporalCollection(raw, embedding_function=NamedLexical()).write([TEXT])
    with pytest.raises(InvalidInputError, match="embedded with"):
        TemporalCollection(client.get_collection("named", embedding_function=None), embedding_function=NamedLexical(32))


def test_nodes_are_embedded_as_llama_index_does(raw: Any, clock: StillClock) -> None:
    """What `embed_model=` embeds of a node that has no vector is its text under its visible metadata."""
    model = LexicalModel()
    store = NodeStore(chroma_collection=raw, clock=clock, embed_model=model)
    node = TextNode(text=TEXT, metadata={"page": 3, "seen": 1}, excluded_embed_metadata_keys=["seen"])
    store.sync(PAGE, [node])
    assert model.seen == [node.get_content(metadata_mode=MetadataMode.EMBED)]
    bare = NodeStore(chroma_collection=raw, clock=clock)
    with pytest.raises(InvalidInputError, match="embed_model="):
        bare.sync("other.md", [TextNode(text=OTHER)])


def test_a_vector_that_is_lost_is_made_again(client: Any, clock: StillClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the index has no vector of a text any more, the user's embedding makes it."""
    counted = Counting()
    raw = client.create_collection(f"lost-{uuid.uuid4().hex}", embedding_function=None)
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
