"""A text of which a sentence was taken out stands where the rest of it belongs, and no longer where it stood."""

import math
import random
from collections.abc import Callable
from typing import Any
from unittest.mock import Mock, patch

import numpy as np
import pytest
from chromadb.api.models.Collection import Collection
from llama_index.core.schema import MetadataMode

from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.chroma.embedding import VectorCache
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.llama_index import TemporalVectorStore as IndexStore
from tests.faults.faulty import Instead

from .doors import KINDS, Door
from .lexical import Counting, ForChroma, LexicalEmbeddings
from .llama import CollectionMaker, LexicalModel, ask, embed, node
from .stories import ANYTHING, Step, embeds, go_through, put

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


def changed(kind: str = "langchain", **options: Any) -> Door:
    """Open a store in which a chunk lost a sentence to another chunk, as yet unread."""
    door = Door(kind, now="2024-01-01", **options)
    door.write(OLD, *NOISE, ids=["old", "nets", "ann"])
    door.clock.set("2024-03-01")
    door.write(NEW, ids=["new"], valid_from="2024-03-01")
    door.clock.set("2024-06-01")
    door.embedded.clear()
    return door


def ids(found: Any) -> list[str]:
    return [str(d.id) for d in found]


async def test_every_search_ranks_by_what_is_served() -> None:
    """The chunk with the answer comes before the one that had it; scores and vectors are those of what is returned.

    As written the old chunk is nearest; without its sentence it is farther away than the new one.
    """
    assert distance(QUESTION, OLD) < distance(QUESTION, NEW) < distance(QUESTION, REST)
    store = changed().store
    found = ids(store.similarity_search(QUESTION, k=4))
    assert found.index("new") < found.index("old")
    assert ids(await store.asimilarity_search(QUESTION, k=4)) == found
    assert store.get(ids=["old"])["documents"] == [REST]
    for document, score in store.similarity_search_with_score(QUESTION, k=4):
        assert score == pytest.approx(distance(QUESTION, document.page_content), abs=1e-5)
    for document, vector in store.similarity_search_with_vectors(QUESTION, k=4):
        assert vector == pytest.approx(LexicalEmbeddings().embed_query(document.page_content), abs=1e-6)
    assert ids(store.max_marginal_relevance_search(QUESTION, k=2, fetch_k=4, lambda_mult=1.0))[0] == "new"


PLACES: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {  # how it is opened, how asked, what comes first
    "what is left of a chunk is ranked": ({}, {}, "new"),
    "a chunk keeps its place on request": ({"rank_redacted": "original"}, {}, "old"),
    "in the past it stands where it stood then": ({}, {"as_of": "2024-02-01"}, "old"),
    "as known before the change it is first": ({}, {"known_at": "2024-02-01"}, "old"),
    "as known after the change it is not": ({}, {"known_at": "2024-04-01"}, "new"),
    "served whole it keeps its place": ({}, {"stale": "keep"}, "old"),
    "served with a note it keeps its place": ({}, {"stale": "annotate"}, "old"),
    "served among all versions it keeps its place": ({}, {"include_superseded": True}, "old"),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_chunk_stands_where_what_is_shown_of_it_belongs(place: str) -> None:
    """See the names of the table; what keeps its place is not embedded again."""
    options, asked, first = PLACES[place]
    door = changed(**options)
    [(document, score), *_] = door.store.similarity_search_with_score(QUESTION, k=4, **asked)
    assert document.id == first
    assert score == pytest.approx(distance(QUESTION, {"old": OLD, "new": NEW}[first]), abs=1e-5)
    assert door.embedded == ([REST] if first == "new" else [])


LONG: Any = Instead(LexicalEmbeddings(), embed_documents=lambda embed, texts: (3 * np.asarray(embed(texts))).tolist())
"""Vectors of length three."""


@pytest.mark.parametrize("space", ["l2", "cosine", "ip"])
def test_distances_are_chromas(space: str, new_collection: CollectionMaker, make_temporal: Callable[..., Any]) -> None:
    configuration: Any = {"hnsw": {"space": space}}
    stock = new_collection(configuration=configuration)
    stock.add(ids=["rest"], documents=[REST], embeddings=LONG.embed_documents([REST]))
    query = 2 * np.asarray(LONG.embed_query(QUESTION))
    wanted = stock.query(query_embeddings=[query], n_results=1)["distances"][0][0]
    store = make_temporal(embedding_function=LONG, collection_configuration=configuration)
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


PRICES = "| Haircut | Price |\n|---|---|\n| Short | {} |\n| Long | 39 |"
LONG_ONLY = PRICES.replace("| Short | {} |\n", "")


@pytest.mark.parametrize("kind", KINDS)
def test_remainders_that_read_alike_take_one_place(kind: str) -> None:
    """Of a page told again as new texts one remainder is found, by metadata one each; all are listed, and whole."""
    door = Door(kind, now="2024-12-01")
    question = "What does a short haircut cost?"
    door.write(*NOISE, valid_from="2024-01-01")
    for day in range(1, 31):
        shop = {"shop": "b" if day % 10 == 1 else "a", **({"start_index": day} if kind == "langchain" else {})}
        door.tell(PRICES.format(24 + day), shop, valid_from=f"2024-06-{day:02}")
    left = [LONG_ONLY] * (1 if kind == "llama_index" else 2)  # the door of these tests tells one of two alike
    assert sorted(door.search(question, 5)) == sorted([PRICES.format(54), *left, *NOISE])
    assert sorted(door.search(question, 5, where={"shop": "a"})) == sorted([PRICES.format(54), LONG_ONLY])
    assert PRICES.format(44) in door.search(question, 3, as_of="2024-06-20T12:00")
    assert len(door.collection.query(query_embeddings=[embed(question)], n_results=9, stale="keep")["ids"][0]) == 9
    assert len(door.collection.query(query_embeddings=[embed(question)], n_results=9, include=[])["ids"][0]) == 5
    assert door.served().count(LONG_ONLY) == 29


def test_a_chunk_that_lost_a_sentence_costs_no_second_search() -> None:
    """Once one was met, a search asks for the rows behind it at once."""
    door = Door("langchain")
    door.write(OLD, *(f"{NOISE[0]} It is net {n}." for n in range(40)), valid_from="2024-01-01")
    door.write(NEW, valid_from="2024-03-01")
    first = door.search(QUESTION, 4)
    with patch.object(Collection, "query", autospec=True, side_effect=Collection.query) as asked:
        assert door.search(QUESTION, 4) == first
    assert asked.call_count == 1


def search(question: str = QUESTION) -> Step:
    return lambda d: d.search(question, 4), ANYTHING


SEARCHED: dict[str, tuple[str, list[Step], list[Step], list[str]]] = {  # the door, what was written, asked, embedded
    "what is left of a chunk, once, by the first search that meets it": (
        "langchain", [put(OLD, *NOISE), put(NEW)], [search(), search(), search("Which ferries leave?")], [REST]),
    "after a purge it is made anew: no vector of any text is kept": (
        "langchain", [put(OLD, *NOISE, ids=["old", "nets", "ann"]), put(NEW), search()],
        [(lambda d: d.store.purge(["ann"]), ANYTHING), search()], [REST]),
    "nothing where no chunk lost a sentence, and where the whole of one was superseded": (
        "langchain", [put(NEW, *NOISE, "The mail port is 25.", "The mail port is 587.")], [search()], []),
    "of a node as LlamaIndex embeds it: metadata that the model was shown, it is shown again": (
        "llama_index", [put(OLD, NEW, metadatas=[{"topic": "queues"}, {}])], [search()],
        [f"topic: queues\n\n{REST}"]),
}  # fmt: skip


@pytest.mark.parametrize("what", SEARCHED)
def test_a_search_embeds(what: str) -> None:
    kind, written, asked, texts = SEARCHED[what]
    clear = (lambda d: d.embedded.clear(), ANYTHING)
    go_through(Door(kind), [*written, clear, *asked, embeds(*texts)])


def test_a_collection_embeds_only_where_it_embeds_the_query(new_collection: CollectionMaker) -> None:
    """With `query_texts=` chunks are ranked by what is left; a given vector may be of any other model."""
    function = ForChroma()
    found = TemporalCollection(new_collection(embedding_function=function))
    found.add(ids=["old", "nets", "ann"], documents=[OLD, *NOISE])
    found.add(ids=["new"], documents=[NEW])
    function.counted.embedded.clear()
    by_vector = found.query(query_embeddings=[LexicalEmbeddings().embed_query(QUESTION)], n_results=4)["ids"][0]
    assert by_vector[0] == "old"
    assert function.counted.embedded == []
    by_text = found.query(query_texts=[QUESTION], n_results=4)["ids"][0]
    assert by_text.index("new") < by_text.index("old")
    assert function.counted.embedded == [REST]


async def test_nodes_are_ranked_by_what_is_served() -> None:
    store = changed("llama_index").store
    found = store.query(ask(QUESTION, 4))
    assert found.ids.index("new") < found.ids.index("old")
    for one, similarity in zip(found.nodes, found.similarities, strict=True):
        text = one.get_content(metadata_mode=MetadataMode.EMBED)
        assert similarity == pytest.approx(math.exp(-distance(QUESTION, text)), abs=1e-5)
    assert (await store.aquery(ask(QUESTION, 4))).ids == found.ids
    assert store.query(ask(QUESTION, 2, mode="mmr"), mmr_threshold=1.0).ids[0] == "new"


def test_nodes_move_by_a_model_that_fits_and_only_by_one(new_collection: CollectionMaker) -> None:
    """A LlamaIndex store gets vectors only: without `embed_model=` they stay, and another dimension is an error."""
    raw = new_collection()
    store = IndexStore(chroma_collection=raw)
    store.add([node(OLD, "old"), node(NEW, "new")])
    assert store.query(ask(QUESTION, 4)).ids == ["old", "new"]
    with pytest.raises(InvalidInputError, match=r"32 dimensions.* 64.*model that the collection was made with"):
        IndexStore(chroma_collection=raw, embed_model=LexicalModel(32)).query(ask(QUESTION, 4))


def test_the_least_recently_used_vectors_go() -> None:
    """A full cache drops what was asked for longest ago; fewer vectors than texts are an error, and none is kept."""
    cache, model = VectorCache(size=2), Counting()
    with pytest.raises(InvalidInputError, match="1 vectors for 2 texts"):
        cache.vectors(["a", "b"], lambda texts: [[1.0]])
    assert len(cache) == 0
    for texts in (["a", "b"], ["a"], ["c"], ["a", "b"]):
        found = cache.vectors(texts, model.embed_documents)
        assert np.allclose(found, LexicalEmbeddings().embed_documents(texts), atol=1e-6)
    assert model.embedded == ["a", "b", "c", "b"]
    assert len(cache) == 2


def test_an_embedding_that_fails_leaves_the_place_and_the_search(caplog: pytest.LogCaptureFixture) -> None:
    door = changed()
    door.model.embed_documents = Mock(side_effect=ConnectionError("no route to the model"))
    found = door.store.similarity_search_by_vector(LexicalEmbeddings().embed_query(QUESTION), k=2)
    assert set(ids(found)) == {"old", "new"}
    assert "keep their original place" in caplog.text
