"""A text of which a sentence was taken out stands where the rest of it belongs, and no longer where it stood."""

from __future__ import annotations

import math
import random
import uuid
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from chromadb.api.models.Collection import Collection
from llama_index.core.schema import MetadataMode

from memstrata_integrations import GrammarExtractor
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.chroma.embedding import VectorCache
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.langchain import TemporalVectorStore as ChainStore
from memstrata_integrations.llama_index import TemporalVectorStore as IndexStore

from .conftest import StillClock
from .lexical import Counting, ForChroma, LexicalEmbeddings
from .llama import CollectionMaker, LexicalModel, ask, node

QUESTION = "What is the billing queue?"
REST = "Ferries leave for the island twice a day. Ask Ann before you restart it."
OLD = f"The billing queue is bq-7. {REST}"
NEW = (
    "Deploys happen after lunch, when everybody is back and has time to watch. The billing queue is bq-8. "
    "Nets dry on the wall behind the chapel, and the harbour opens at six in the morning, but not in winter."
)
NOISE = ["Nets dry on the wall.", "Ann wrote the handbook in spring."]


def distance(one: str, other: str) -> float:
    """Return the squared distance of two texts' vectors."""
    a, b = (np.asarray(LexicalEmbeddings().embed_query(text)) for text in (one, other))
    return float(((a - b) ** 2).sum())


@pytest.fixture
def counted() -> Counting:
    """An embedding that counts."""
    return Counting()


@pytest.fixture
def changed(make_temporal: Callable[..., Any], counted: Counting) -> Callable[..., Any]:
    """Open a store in which a chunk lost a sentence to another chunk, as yet unread."""

    def make(**options: Any) -> Any:
        store = make_temporal(embedding_function=counted, **options)
        store.add_texts([OLD, *NOISE], ids=["old", "nets", "ann"], valid_from="2024-01-01")
        store.add_texts([NEW], ids=["new"], valid_from="2024-03-01")
        counted.embedded.clear()
        return store

    return make


def ids(found: Any) -> list[str]:
    """Return the ids of documents."""
    return [str(d.id) for d in found]


def test_the_texts_of_these_tests_are_told_apart_as_they_should(changed: Callable[..., Any]) -> None:
    """As written the old chunk is nearest; without its sentence it is farther away than the new one."""
    assert distance(QUESTION, OLD) < distance(QUESTION, NEW) < distance(QUESTION, REST)
    assert changed().get(ids=["old"])["documents"] == [REST]


async def test_every_search_ranks_by_what_is_served(changed: Callable[..., Any]) -> None:
    """The chunk with the answer comes before the one that had it; scores and vectors are those of what is returned."""
    store = changed()
    found = ids(store.similarity_search(QUESTION, k=4))
    assert found.index("new") < found.index("old")
    assert ids(await store.asimilarity_search(QUESTION, k=4)) == found
    for document, score in store.similarity_search_with_score(QUESTION, k=4):
        assert score == pytest.approx(distance(QUESTION, document.page_content), abs=1e-5)
    for document, vector in store.similarity_search_with_vectors(QUESTION, k=4):
        assert vector == pytest.approx(LexicalEmbeddings().embed_query(document.page_content), abs=1e-6)
    assert ids(store.max_marginal_relevance_search(QUESTION, k=2, fetch_k=4, lambda_mult=1.0))[0] == "new"


def test_a_chunk_keeps_its_place_on_request(changed: Callable[..., Any], counted: Counting) -> None:
    """With `rank_redacted="original"` nothing moves, and nothing is embedded."""
    assert ids(changed(rank_redacted="original").similarity_search(QUESTION, k=4))[0] == "old"
    assert counted.embedded == []


@pytest.mark.parametrize("space", ["l2", "cosine", "ip"])
def test_distances_are_chromas(
    space: str, new_collection: CollectionMaker, client: Any, clock: StillClock, embeddings: LexicalEmbeddings
) -> None:
    """In each space a chunk is as far as Chroma finds the text that is left of it."""
    configuration: Any = {"hnsw": {"space": space}}
    stock = new_collection(configuration=configuration)
    stock.add(ids=["rest"], documents=[REST], embeddings=[3 * np.asarray(embeddings.embed_query(REST))])
    query = 2 * np.asarray(embeddings.embed_query(QUESTION))
    wanted = stock.query(query_embeddings=[query], n_results=1)["distances"][0][0]

    class Long(LexicalEmbeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [[3 * x for x in vector] for vector in super().embed_documents(texts)]

    raw = new_collection(configuration=configuration)
    store = ChainStore(raw.name, Long(), client=client, clock=clock, collection_configuration=configuration)
    store.add_texts([OLD, NEW], ids=["old", "new"])
    found = store.temporal_collection.query(query_embeddings=[query], n_results=2)
    assert dict(zip(found["ids"][0], found["distances"][0], strict=True))["old"] == pytest.approx(wanted, rel=1e-4)


def test_a_chunk_never_gains_by_what_it_lost(make_temporal: Callable[..., Any]) -> None:
    """What is left of a chunk may be nearer than the whole was, like a bare heading; its place stays."""
    store = make_temporal()
    title = "Where does the ferry to the island leave, and when?"
    store.add_texts([f"{title} The billing queue is bq-7."], ids=["page"])
    [(_, before)] = store.similarity_search_with_score(title, k=1)
    store.add_texts(["The billing queue is bq-8."], ids=["queue"])
    after = {d.id: (d.page_content, score) for d, score in store.similarity_search_with_score(title, k=2)}
    text, score = after["page"]
    assert text == title
    assert distance(title, text) < before
    assert score == pytest.approx(before, abs=1e-6)


@pytest.mark.parametrize("k", [1, 3, 8])
def test_rows_beyond_those_asked_for_take_the_places(make_temporal: Callable[..., Any], k: int) -> None:
    """Where many chunks move back, the order is that of all chunks by the farther of both distances."""
    rng = random.Random(5)
    words = ["ferry", "island", "harbour", "net", "spring", "lunch", "deploy", "winter", "queue", "billing"]
    store = make_temporal()
    written: dict[str, str] = {}
    for n in range(40):
        said = f"The billing queue is bq-{n}. " if n % 2 == 0 else ""
        rest = " ".join(rng.choices(words, k=rng.randint(6, 30)))
        written[f"{n:02}"] = f"{said}They say {rest}."
    for n, (row_id, text) in enumerate(written.items()):
        store.add_texts([text], ids=[row_id], valid_from=f"2024-01-01T00:00:{n:02}")
    listed = store.get()
    served = dict(zip(listed["ids"], listed["documents"], strict=True))
    assert sum(served[i] != written[i] for i in written) == 19
    away = {i: max(distance(QUESTION, served[i]), distance(QUESTION, written[i])) for i in written}
    wanted = sorted(away, key=away.__getitem__)[:k]
    assert wanted != sorted(away, key=lambda i: distance(QUESTION, written[i]))[:k]
    found = store.similarity_search_with_score(QUESTION, k=k)
    assert ids(d for d, _ in found) == wanted
    assert [score for _, score in found] == pytest.approx([away[i] for i in wanted], abs=1e-5)


def test_what_is_left_of_a_chunk_is_embedded_once(changed: Callable[..., Any], counted: Counting) -> None:
    """By the first search that meets it, whatever later ones ask; after a purge no vector of any text is kept."""
    store = changed()
    for question in (QUESTION, QUESTION, "Which ferries leave for the island?"):
        store.similarity_search(question, k=4)
        assert counted.embedded == [REST]
    store.purge(["ann"])
    store.similarity_search(QUESTION, k=4)
    assert counted.embedded == [REST] * 2


def test_a_chunk_that_lost_a_sentence_costs_no_second_search(
    make_temporal: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once one was met, a search asks for the rows behind it at once."""
    store = make_temporal(embedding_function=LexicalEmbeddings())
    store.add_texts([OLD, *(f"{NOISE[0]} It is net {n}." for n in range(40))], valid_from="2024-01-01")
    store.add_texts([NEW], valid_from="2024-03-01")
    asked: list[int] = []
    real = Collection.query
    monkeypatch.setattr(Collection, "query", lambda self, **kwargs: asked.append(1) or real(self, **kwargs))
    first = store.similarity_search(QUESTION, k=4)
    before = len(asked)
    assert store.similarity_search(QUESTION, k=4) == first
    assert len(asked) - before == 1


def test_static_knowledge_is_never_embedded_again(make_temporal: Callable[..., Any], counted: Counting) -> None:
    """Where no chunk lost a sentence, and where the whole of one was superseded, a search embeds nothing."""
    store = make_temporal(embedding_function=counted)
    store.add_texts([NEW, *NOISE, "The mail port is 25.", "The mail port is 587."])
    counted.embedded.clear()
    store.similarity_search(QUESTION, k=4)
    assert counted.embedded == []


def test_a_chunk_stands_in_the_past_where_it_stood_then(changed: Callable[..., Any], counted: Counting) -> None:
    """While its sentence held, it is first, by valid time and by transaction time; nothing is embedded."""
    store = changed()
    assert ids(store.similarity_search(QUESTION, k=1, as_of="2024-02-01")) == ["old"]
    assert counted.embedded == []
    [(document, score)] = store.similarity_search_with_score(QUESTION, k=1, as_of="2024-02-01")
    assert document.page_content == OLD
    assert score == pytest.approx(distance(QUESTION, OLD), abs=1e-5)


def test_a_reader_of_what_was_known_gets_that_order(make_temporal: Callable[..., Any], clock: StillClock) -> None:
    """As known before the change the chunk is first, and as known after it is not."""
    store = make_temporal()
    store.add_texts([OLD, *NOISE], ids=["old", "nets", "ann"])
    clock.set("2024-07-01T12:00:00")
    store.add_texts([NEW], ids=["new"])
    assert ids(store.similarity_search(QUESTION, k=3, known_at="2024-06-15"))[0] == "old"
    known = ids(store.similarity_search(QUESTION, k=4, known_at="2024-07-02"))
    assert known.index("new") < known.index("old")


@pytest.mark.parametrize("asked", [{"stale": "keep"}, {"stale": "annotate"}, {"include_superseded": True}])
def test_a_chunk_that_is_served_whole_keeps_its_place(
    changed: Callable[..., Any], counted: Counting, asked: dict[str, Any]
) -> None:
    """Where the sentence is shown, as it was or with a note, it counts."""
    assert ids(changed().similarity_search(QUESTION, k=1, **asked)) == ["old"]
    assert counted.embedded == []


# -- chromadb's own interface -------------------------------------------------------------------


def test_a_collection_embeds_only_where_it_embeds_the_query(new_collection: CollectionMaker, clock: StillClock) -> None:
    """With `query_texts=` chunks are ranked by what is left; a given vector may be of any other model."""
    function = ForChroma()
    found = TemporalCollection(new_collection(embedding_function=function), clock=clock)
    found.add(ids=["old", "nets", "ann"], documents=[OLD, *NOISE])
    found.add(ids=["new"], documents=[NEW])
    function.counted.embedded.clear()
    by_vector = found.query(query_embeddings=[LexicalEmbeddings().embed_query(QUESTION)], n_results=4)["ids"][0]
    assert by_vector[0] == "old"
    assert function.counted.embedded == []
    by_text = found.query(query_texts=[QUESTION], n_results=4)["ids"][0]
    assert by_text.index("new") < by_text.index("old")
    assert function.counted.embedded == [REST]


# -- LlamaIndex ---------------------------------------------------------------------------------


def index_store(raw: Any, clock: StillClock, **options: Any) -> IndexStore:
    """Return a store in which a node lost a sentence to another node."""
    store = IndexStore(chroma_collection=raw, clock=clock, extractor=GrammarExtractor(), **options)
    store.add([node(t, i) for t, i in zip([OLD, *NOISE], ["old", "nets", "ann"], strict=True)])
    store.add([node(NEW, "new")])
    return store


async def test_nodes_are_ranked_by_what_is_served(new_collection: CollectionMaker, clock: StillClock) -> None:
    """With `embed_model=`, order and similarities are those of the nodes as they are returned, in both modes."""
    store = index_store(new_collection(), clock, embed_model=LexicalModel())
    found = store.query(ask(QUESTION, 4))
    assert found.ids is not None
    assert found.ids.index("new") < found.ids.index("old")
    for one, similarity in zip(found.nodes or [], found.similarities or [], strict=True):
        text = one.get_content(metadata_mode=MetadataMode.EMBED)
        assert similarity == pytest.approx(math.exp(-distance(QUESTION, text)), abs=1e-5)
    assert (await store.aquery(ask(QUESTION, 4))).ids == found.ids
    assert (store.query(ask(QUESTION, 2, mode="mmr"), mmr_threshold=1.0).ids or [])[0] == "new"


def test_a_node_is_embedded_as_llama_index_embeds_it(new_collection: CollectionMaker, clock: StillClock) -> None:
    """Metadata that the embedding model was shown when the node was written, it is shown again."""
    model = LexicalModel()
    store = IndexStore(chroma_collection=new_collection(), clock=clock, embed_model=model)
    store.add([node(OLD, "old", metadata={"topic": "queues"}), node(NEW, "new")])
    store.query(ask(QUESTION, 2))
    assert model.seen == [f"topic: queues\n\n{REST}"]


def test_without_a_model_nodes_keep_their_places(new_collection: CollectionMaker, clock: StillClock) -> None:
    """A LlamaIndex store gets vectors only, so it needs `embed_model=` to make one."""
    store = index_store(new_collection(), clock)
    assert store.query(ask(QUESTION, 4)).ids[0] == "old"  # type: ignore[index]


def test_a_model_of_another_dimension_is_refused(new_collection: CollectionMaker, clock: StillClock) -> None:
    """The error says both dimensions, and what to do."""
    store = index_store(new_collection(), clock, embed_model=LexicalModel(32))
    with pytest.raises(InvalidInputError, match=r"32 dimensions.* 64.*model that the collection was made with"):
        store.query(ask(QUESTION, 4))


# -- what is kept -------------------------------------------------------------------------------


def test_the_least_recently_used_vectors_go() -> None:
    """A full cache drops what was asked for longest ago, and makes it anew when it is asked for again."""
    cache, model = VectorCache(size=2), Counting()
    for texts in (["a", "b"], ["a"], ["c"], ["a", "b"]):
        found = cache.vectors(texts, model.embed_documents)
        assert np.allclose(found, LexicalEmbeddings().embed_documents(texts), atol=1e-6)
    assert model.embedded == ["a", "b", "c", "b"]
    assert len(cache) == 2


def test_an_embedding_that_loses_texts_is_refused() -> None:
    """Fewer vectors than texts are an error that says so, and nothing is kept."""
    cache = VectorCache()
    with pytest.raises(InvalidInputError, match="1 vectors for 2 texts"):
        cache.vectors(["a", "b"], lambda texts: [[1.0]])
    assert len(cache) == 0


def test_an_embedding_that_fails_leaves_the_place_and_the_search(caplog: pytest.LogCaptureFixture) -> None:
    """A search by vector goes on when what is left of a text cannot be embedded."""

    class Failing(LexicalEmbeddings):
        broken = False

        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            if self.broken:
                raise ConnectionError("no route to the model")
            return super().embed_documents(texts)

    embeddings = Failing()
    store = ChainStore(f"failing-{uuid.uuid4().hex}", embeddings)
    store.add_texts(["Billing runs in eu-west-1. The billing queue is bq-7. Ask Ann first."], ids=["page"])
    store.add_texts(["The billing queue is bq-8."], ids=["news"])
    embeddings.broken = True
    found = store.similarity_search_by_vector(embeddings.embed_query("billing queue"), k=2)
    assert {document.id for document in found} == {"page", "news"}
    assert "keep their original place" in caplog.text
