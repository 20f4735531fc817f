"""On knowledge that doesn't change, `TemporalVectorStore` answers as stock `Chroma`: documents, order, ids, scores.

Twelve hundred documents of prose, facts, lists and settings, no two of which contradict each other, go into both;
then a hundred questions are put to both through every reader.
"""

import itertools
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from langchain_chroma import Chroma

from memstrata_integrations.langchain import TemporalVectorStore

from .lexical import LexicalEmbeddings
from .openers import Opener
from .stock import same

DOCUMENTS = 1200
EXACT = {"hnsw": {"space": "cosine", "ef_search": 1000, "ef_construction": 400, "max_neighbors": 64, "num_threads": 1}}
"""An index so wide that both stores find the true neighbours: what differs is ours, not the approximation."""

_SYLLABLES = "ba ce di fo gu ka le mi no pu ra se ti vo zu lan mer nor pel quin ros sel tar ven wex yor".split()
_NOUNS = "harbour orchard archive quarry chapel viaduct foundry granary meadow lantern cellar terrace".split()
_VERBS = ["overlooks", "borders", "supplies", "shelters", "outlives", "mirrors", "crosses", "feeds", "guards", "frames"]
_TOOLS = ["broker", "gateway", "scheduler", "indexer", "mailer", "proxy", "runner", "cache", "loader", "signer"]
_UNITS = ["seconds", "minutes", "megabytes", "retries", "connections", "workers"]
_TEAMS = ["harbour", "valley", "ridge", "delta"]


def make_corpus() -> tuple[list[str], list[dict[str, Any]], list[str]]:
    """Write texts, their metadata and questions, the same on every machine.

    Every name stands in one document, so nothing contradicts anything.
    """
    draw = random.Random(20240601)
    names = ["".join(three).capitalize() for three in itertools.product(_SYLLABLES, repeat=3)]
    draw.shuffle(names)
    texts = []
    for n in range(DOCUMENTS):
        one, two, noun = names[2 * n], names[2 * n + 1], draw.choice(_NOUNS)
        tool, unit, number = draw.choice(_TOOLS), draw.choice(_UNITS), draw.randrange(2, 9000)
        texts.append(
            [
                f"The {noun} of {one} {draw.choice(_VERBS)} the {draw.choice(_NOUNS)} of {two}, as travellers noted.",
                f"The port of the {one} {tool} is {number}.",
                f"The {one} {tool} timeout is set to {number} {unit}. It was measured on the {noun} hosts.",
                f"{one.upper()}_{tool.upper()}_LIMIT={number}",
                f"# {one} {tool}\n\n- Version: {number}.{n}\n- Owner: the {two} team\n- Region: {noun}",
                f"Why did the {noun} of {one} close? Nobody at {two} remembers; perhaps the {tool} failed.",
                f"The {one} {tool} depends on {two}, on the {noun} and on {number} {unit}.",
                f"The function load_{one.lower()}() returns the {noun} settings of {two}.",
            ][n % 8]
        )
    metadatas: list[dict[str, Any]] = [
        [
            {"source": f"notes/{n // 3}.md", "n": n},
            {},
            {"source": f"notes/{n // 3}.md", "team": draw.choice(_TEAMS), "draft": n % 5 == 0, "weight": n / 7},
            {"page": n, "length": len(text), "lang": "en"},
        ][n % 4]
        for n, text in enumerate(texts)
    ]
    questions = []
    for n in range(100):
        words = [word for word in texts[(n * 37) % DOCUMENTS].replace("_", " ").split() if len(word) > 2]
        questions.append(" ".join(draw.sample(words, min(4, len(words)))) + f" ({n})?")
    return texts, metadatas, questions


IDS = [f"doc-{n:04d}" for n in range(DOCUMENTS)]
TEXTS, METADATAS, QUESTIONS = make_corpus()


@pytest.fixture(scope="module")
def pair(client: Any) -> Iterator[tuple[Any, Any]]:
    openers = [Opener(store_class, client) for store_class in (Chroma, TemporalVectorStore)]
    stock, ours = (opener(collection_configuration=EXACT) for opener in openers)
    for store in (stock, ours):
        for wanted in (True, False):  # with metadata first: in one call stock would write them in this order anyway
            rows = [n for n in range(DOCUMENTS) if bool(METADATAS[n]) is wanted]
            ids = [IDS[n] for n in rows]
            assert store.add_texts([TEXTS[n] for n in rows], [METADATAS[n] for n in rows], ids) == ids
    yield stock, ours
    for opener in openers:
        opener.close()


FILTERS: list[dict[str, Any]] = [
    {"team": "harbour"}, {"draft": True}, {"n": {"$gte": 600}}, {"weight": {"$lt": 60.5}}, {"lang": {"$ne": "en"}},
    {"source": {"$in": [f"notes/{n}.md" for n in range(0, 400, 5)]}},
    {"$and": [{"team": {"$in": ["valley", "ridge"]}}, {"draft": False}]},
    {"$or": [{"page": {"$lt": 50}}, {"team": "delta"}]},
    {"team": {"$nin": ["harbour"]}}, {"n": {"$eq": 8}}, {"n": {"$gt": 600}}, {"length": {"$lte": 60}},
    {"$and": [{"$or": [{"team": "ridge"}, {"page": {"$lt": 400}}]}, {"draft": {"$ne": True}}]},
    {"nowhere": 1},
]  # fmt: skip
CONDITIONS: list[dict[str, Any]] = [
    {"$contains": "timeout"}, {"$not_contains": "The"}, {"$regex": "[0-9]{4}"},
    {"$and": [{"$contains": "port"}, {"$not_contains": "broker"}]},
    {"$or": [{"$contains": "LIMIT"}, {"$contains": "chapel"}]},
]  # fmt: skip


def by_vector(store: Any, question: str, method: str = "similarity_search_by_vector", **more: Any) -> Any:
    return getattr(store, method)(LexicalEmbeddings().embed_query(question), **more)


def of_mmr(n: int) -> dict[str, Any]:
    """Return how the n-th question is asked for a diverse choice."""
    return {"k": 4, "fetch_k": (8, 20, 40)[n % 3], "lambda_mult": (0.0, 0.5, 0.9)[n % 3]}


def retrieved(store: Any, question: str, search_type: str, **more: Any) -> Any:
    return store.as_retriever(search_type=search_type, search_kwargs={"k": 3, **more}).invoke(question)


PORT, THE = ({"where_document": {"$contains": word}} for word in ("port", "the"))
RELEVANCE, MMR = "similarity_search_with_relevance_scores", "max_marginal_relevance_search"
READS: dict[str, tuple[int, Callable[[Any, int, str], Any]]] = {  # how much is found at least, and how it is asked
    "similarity_search, for one, four and twenty": (
        825, lambda s, n, q: s.similarity_search(q, k=(1, 4, 20)[n % 3])),
    "with scores": (1000, lambda s, n, q: s.similarity_search_with_score(q, k=10)),
    "by vector": (500, lambda s, n, q: by_vector(s, q, k=5)),
    "by vector, with scores": (
        500, lambda s, n, q: by_vector(s, q, "similarity_search_by_vector_with_relevance_scores", k=5)),
    "with relevance scores": (600, lambda s, n, q: getattr(s, RELEVANCE)(q, k=6)),
    "with relevance scores, cut at a threshold": (
        100, lambda s, n, q: getattr(s, RELEVANCE)(q, k=6, score_threshold=0.4)),
    "with the stored vectors, with a condition on the text too": (300, lambda s, n, q: [
        (d, v.tolist()) for d, v in s.similarity_search_with_vectors(q, k=3, **(PORT if n % 2 else {}))]),
    "with each kind of filter, of which one matches one row, and one none": (
        421, lambda s, n, q: s.similarity_search_with_score(q, k=5, filter=FILTERS[n % len(FILTERS)])),
    "with a condition on the text": (
        400, lambda s, n, q: s.similarity_search(q, k=4, where_document=CONDITIONS[n % len(CONDITIONS)])),
    "with a condition on the text and a filter": (100, lambda s, n, q: s.similarity_search_with_score(
        q, k=4, where_document=CONDITIONS[n % len(CONDITIONS)], filter=FILTERS[n % 4])),
    "by vector, with a condition on the text": (
        400, lambda s, n, q: by_vector(s, q, where_document=CONDITIONS[n % len(CONDITIONS)])),
    "MMR": (400, lambda s, n, q: getattr(s, MMR)(q, **of_mmr(n))),
    "MMR by vector, filtered": (
        300, lambda s, n, q: by_vector(s, q, f"{MMR}_by_vector", **of_mmr(n), filter=FILTERS[n % 13])),
    "MMR with a condition on the text": (400, lambda s, n, q: getattr(s, MMR)(q, **of_mmr(n), **THE)),
    "a retriever": (300, lambda s, n, q: retrieved(s, q, "similarity")),
    "a retriever by MMR": (300, lambda s, n, q: retrieved(s, q, "mmr")),
    "a retriever by a threshold": (
        100, lambda s, n, q: retrieved(s, q, "similarity_score_threshold", score_threshold=0.2)),
}  # fmt: skip


@pytest.mark.parametrize("name", READS)
def test_a_hundred_questions_are_answered_as_by_stock(pair: tuple[Any, Any], name: str) -> None:
    least, read = READS[name]
    found = 0
    for n, question in enumerate(QUESTIONS):
        stock, ours = (read(store, n, question) for store in pair)
        assert ours == stock, question
        found += len(stock)
    assert found >= least


def test_search_takes_what_stocks_takes(pair: tuple[Any, Any]) -> None:
    assert len(same(pair, "similarity_search", "port", k=5, ids=IDS[:3])) == 3
    assert len(same(pair, "similarity_search", "port", k=2 * DOCUMENTS)) == DOCUMENTS
    assert same(pair, "search", "port", "similarity", k=3) != same(pair, "search", "port", "mmr", k=3)


GOT: list[dict[str, Any]] = [
    {"include": []}, {"include": ["metadatas"]}, {"ids": IDS[7]}, {"ids": [IDS[900], IDS[3], "nowhere", IDS[42]]},
    {"limit": 17}, {"limit": 0}, {"offset": 1195}, {"offset": DOCUMENTS + 5},
    {"where_document": {"$contains": "gateway"}, "limit": 10, "offset": 5},
    *({"limit": 251, "offset": offset} for offset in range(0, DOCUMENTS, 251)),
]  # fmt: skip


def test_get_is_stocks(pair: tuple[Any, Any]) -> None:
    whole = same(pair, "get")
    assert len(whole["ids"]) == pair[0]._collection.count() == pair[1]._collection.count() == DOCUMENTS
    assert None in whole["metadatas"]
    for asked in GOT:
        same(pair, "get", **asked)
    for condition in FILTERS:
        same(pair, "get", where=condition)
        same(pair, "get", where=condition, limit=7, offset=3, include=["documents"])
        same(pair, "get", where=condition, ids=IDS[:300])


def test_rows_by_id_and_the_first_rows_are_stocks(pair: tuple[Any, Any]) -> None:
    with_metadata = [id_ for id_, metadata in zip(IDS, METADATAS, strict=True) if metadata]
    for start in range(0, len(with_metadata), 90):
        wanted = with_metadata[start : start + 90 : 3]
        assert len(same(pair, "get_by_ids", [*reversed(wanted), "nowhere"])) == len(wanted)
    columns = ["documents", "metadatas", "embeddings"]
    for read in (
        *(lambda store, n=n: store._collection.peek(n) for n in (1, 10, 25)),  # type: ignore[misc]
        lambda store: store.get(include=columns, limit=50, offset=100),
    ):
        stock, ours = (read(store) for store in pair)
        assert all(np.array_equal(ours[column], stock[column]) for column in ["ids", *columns])


def test_a_mixed_call_reads_back_in_stocks_order(client: Any) -> None:
    orders = []
    for store_class in (Chroma, TemporalVectorStore):
        opener = Opener(store_class, client)
        store = opener()
        store.add_texts(TEXTS[:40], METADATAS[:40], IDS[:40])
        orders.append((store.get()["ids"], store.get(limit=7, offset=5)["ids"], store._collection.peek(12)["ids"]))
        opener.close()
    assert orders[1] == orders[0]


def test_asking_for_now_or_later_changes_nothing(pair: tuple[Any, Any]) -> None:
    stock, ours = pair
    for question in QUESTIONS[:20]:
        expected = stock.similarity_search_with_score(question, k=5)
        assert ours.similarity_search_with_score(question, k=5, as_of="9000-01-01") == expected
        assert ours.similarity_search_with_score(question, k=5, include_superseded=True) == expected


def test_a_collection_that_stock_wrote_is_served_as_stock_serves_it(pair: tuple[Any, Any], client: Any) -> None:
    """Opened by ours, stock's collection gives stock's answers, and none of its rows is rewritten."""
    raw = client.get_collection(pair[0]._collection.name)
    before = raw.get(include=["documents", "metadatas"])
    opened = TemporalVectorStore(raw.name, LexicalEmbeddings(), client=client)
    stock_and_ours = (pair[0], opened)
    for n, question in enumerate(QUESTIONS[:50]):
        same(stock_and_ours, "similarity_search_with_score", question, k=5)
        same(stock_and_ours, "similarity_search", question, k=5, filter=FILTERS[n % len(FILTERS)])
    same(stock_and_ours, "get")
    assert opened._collection.count() == DOCUMENTS
    assert raw.get(include=["documents", "metadatas"]) == before
