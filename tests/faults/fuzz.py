"""Calls of every public method with odd arguments, each beside stock: what may come of them."""

import asyncio
import inspect
import math
import random
import uuid
from collections.abc import Iterator
from contextlib import closing
from datetime import date, datetime
from typing import Any, NamedTuple

import chromadb
import numpy as np
from langchain_chroma import Chroma
from langchain_core.documents import Document
from llama_index.core.schema import NodeRelationship, RelatedNodeInfo, TextNode
from llama_index.core.vector_stores.types import MetadataFilter, MetadataFilters, VectorStoreQuery
from llama_index.vector_stores.chroma import ChromaVectorStore
from pydantic import BaseModel, ValidationError

from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.errors import MemstrataError
from memstrata_integrations.langchain import TemporalVectorStore as LangChainStore
from memstrata_integrations.ledger.facts import Fact
from memstrata_integrations.lexical import LexicalEmbeddings
from memstrata_integrations.llama_index import TemporalVectorStore as LlamaIndexStore
from tests.stateful.opening import in_memory

MODEL = LexicalEmbeddings(8)
TEXTS = ["The API port is 8080.", "The API port is 9090.", "Ann works for Acme.", "Tea is nice."]
VECTORS = MODEL.embed_documents(TEXTS)
NAN = [math.nan] * 8


def node(text: str = TEXTS[0], id_: str = "n", **others: Any) -> TextNode:
    """Return a node of a document, with its vector."""
    source = {NodeRelationship.SOURCE: RelatedNodeInfo(node_id="doc")}
    return TextNode(text=text, id_=id_, **{"embedding": VECTORS[0], "relationships": source, **others})


def asked(**others: Any) -> VectorStoreQuery:
    return VectorStoreQuery(**{"query_embedding": VECTORS[0], "similarity_top_k": 2, **others})


def filters(key: Any = "source", value: Any = "s", **others: Any) -> MetadataFilters:
    return MetadataFilters(filters=[MetadataFilter(key=key, value=value, **others)])


def odd_ones() -> list[Any]:
    """Return arguments that are odd somewhere, and now and then right; each time new ones, since some are used up."""
    return [
        None, 0, 1, 3, -1, 5, 10**6, 2**31, 2**32, 2**63 - 1, 2**63, 2**70, -(2**63), -(2**63) - 1, 0.5, 2.0, -1.5,
        math.nan, math.inf, 1e300, True, False, "", " ", "a", "s", "5", "\ud800", "a\ud800b", "\x00", "x" * 300,
        "None", "$and", "memstrata_x", "memstrata-1", "memstrata-write-1-2", "memstrata-write-x-y", b"bytes",
        "2024-13-01", "2024-01-01", "now", 20240101, date(2024, 1, 1), datetime.max, datetime.min, (), ("a", "b"),
        ..., NotImplemented, int, frozenset(), 1j, Ellipsis.__class__, Document("text"), Fact("Bo", "port", 1),
        [], [None], [""], ["a"], ["a", "a"], ["a", "b", "c"], ["\ud800"], [5], [True], [[]], [["a"]], [[1.0]],
        [[]] * 2, [NAN], [1e400], [[1e39] * 8], [["x"] * 8], [VECTORS[0], [1.0]], [[[1.0] * 8]], VECTORS[0],
        VECTORS[:2], np.zeros(0), np.zeros((0, 8)), np.zeros((2, 8)), np.array(["a"]), np.int64(3), np.float32(0.5),
        np.array(5), set(), {"a"}, {}, {"a": 1}, {1: 2}, {"": 1}, {None: 1}, {"a": None}, {"a": []}, {"a": {}},
        {"a": {"b": 1}}, {"a": [1]}, {"a": math.nan}, {"a": 2**64}, {"a": "\ud800"}, {"\ud800": 1},
        {"memstrata_x": 1}, {"source": 5}, {"source": ["s"]}, {"source": "\ud800"}, {"$and": []}, {"$and": 5},
        {"$and": [5]}, {"$and": [{"source": "s"}]}, {"$or": [{}, {}]}, {"source": {"$in": []}},
        {"source": {"$in": "s"}}, {"source": {"$gt": "a"}}, {"source": {"$bad": 1}}, {"$bad": 1}, {"$contains": ""},
        {"$contains": 5}, {"$contains": "port"}, {"a": 1, "b": 2}, [{}], [{"a": 1}], [{"a": {}}], [{}, {}],
        [{"source": "s"}] * 3, object(), iter(["a"]), iter([]), range(3), (x for x in "ab"), lambda x: x,
        Fact("Bo", "port", None), [Fact("Bo", "port", 2)], [[Fact("Bo", "port", 2)]], [Fact("Bo", "port", 2), None],
        Fact("Bo", "port", 2, valid_from="x"), Fact("Bo", "depends on", None), Fact("Bo", "_", 2),
        Fact("Bo", "port", 2, statement="not there"), [Document("text")], [Document("")], [Document("\ud800")],
        [Document("a", id="\ud800")], Document("a", metadata={"a": {}}), Document("a", metadata={1: object()}),
        node(), [node()], [node(), node()], [node(embedding=None)], [node(embedding=[1.0])], [node(embedding=NAN)],
        [node("\ud800")], [node(id_="")], [node(id_="\ud800")], [node(metadata={"a": {}})],
        [node(metadata={"a": object()})], [node(metadata={"a": "\ud800"})], asked(), asked(similarity_top_k=0),
        asked(similarity_top_k=-1), asked(similarity_top_k=2**63), asked(similarity_top_k=None),
        asked(similarity_top_k="3"), asked(mode="mmr"), asked(mode="sparse"), asked(mode="mmr", similarity_top_k=0),
        asked(mode=5), asked(query_embedding=NAN), asked(query_embedding=None), asked(query_embedding=[]),
        asked(query_embedding=[1.0]), asked(query_embedding="a"), asked(filters=5), asked(filters=filters()),
        asked(doc_ids=["doc"]), asked(doc_ids=5), asked(doc_ids=[5]), asked(doc_ids=["\ud800"]), filters(),
        filters("\ud800"), filters(value=[]), filters(value=None), filters(value="\ud800"), filters(value=1e400),
        filters(operator="in"), filters(operator="text_match"), filters(value=5, operator=">"),
        MetadataFilters(filters=[]), [filters()], [5],
    ]  # fmt: skip


SOUND: dict[str, list[Any]] = {
    "ids": [["a"], ["b", "c"], None],
    "documents": [[TEXTS[0]], TEXTS[1:3], TEXTS[3]],
    "texts": [[TEXTS[0]], TEXTS[1:3], [TEXTS[3]]],
    "embeddings": [None, VECTORS[:1], VECTORS[1:3]],
    "metadatas": [None, [{"source": "s"}], [{"source": "s"}, {"source": "t"}]],
    "images": [None], "uris": [None], "query_images": [None], "query_uris": [None], "uri": ["none.png"],
    "valid_from": [None, "2024-01-01", ["2024-01-01"]],
    "valid_to": [None, "2030-01-01"],
    "valid_from_field": [None, "date"],
    "facts": [[Fact("Bo", "port", 1)], Fact("Bo", "port", 2)],
    "supersedes": [None, "a"],
    "where": [None, {"source": "s"}],
    "filter": [None, {"source": "s"}],
    "where_document": [None, {"$contains": "port"}],
    "limit": [None, 2], "offset": [None, 1], "n_results": [2, 10], "k": [1, 4], "fetch_k": [4, 20], "look_at": [10],
    "wide": [False, True], "older_than": [None, "2024-06-01"],
    "lambda_mult": [0.5], "include": [["documents"], ["metadatas", "distances"]],
    "as_of": [None, "2024-06-01", "2999-01-01"], "known_at": [None, "2999-01-01"], "include_superseded": [False, True],
    "scope": [None, {}], "stale": [None, "keep", "drop", "annotate", "redact"],
    "query_embeddings": [VECTORS[:1], VECTORS[0]], "query_texts": [None], "query": ["port"],
    "embedding": [VECTORS[0]], "search_type": ["similarity", "mmr"], "score_threshold": [0.1],
    "document": [Document(TEXTS[0])], "document_id": ["a"], "new_name": ["fork"], "search_kwargs": [{"k": 2}],
    "old": ["a"], "new": ["b"], "document_or_id": ["a", Document("x", id="b")], "change_or_id": ["a", "b"],
    "subject": ["API port", "API"], "relation": [None, "port"], "id": [None], "statement": [None], "at": [None],
    "value": [None, 8080],
    "source": ["s"], "field": ["source"], "source_field": ["source"], "dry_run": [True, False], "progress": [False],
    "name": [None], "metadata": [None], "configuration": [None],
    "since": [None, "2024-01-01"], "until": [None], "erased": [None, ["zyx"]], "repair": [True], "searches": [],
    "nodes": [[node()], [node(TEXTS[1], "m"), node(TEXTS[2], "o")]], "node_ids": [None, ["n"]], "ref_doc_id": ["doc"],
    "filters": [None, filters()], "purge": [False, True], "tombstone": [False, True], "embed_model": [None],
    "embedding_function": [None], "search": [], "unknown_one": [],
    "langchain.documents": [[Document(TEXTS[0])], [Document(TEXTS[1], id="b"), Document(TEXTS[3])]],
    "mmr_threshold": [None, 0.5], "mmr_prefetch_k": [None, 4], "mmr_prefetch_factor": [None, 2.0],
}  # fmt: skip
"""What is right for a parameter, by its name, or by that of the way in and its own."""

_TIME = ("as_of", "known_at", "include_superseded", "scope", "stale")
_LISTED = ("valid_from", "valid_to", "facts", "supersedes", "valid_from_field", "unknown_one")
_SEARCH = ("k", "filter", "where_document", *_TIME)
_MMR = ("where", "where_document", "mmr_threshold", "mmr_prefetch_k", "mmr_prefetch_factor")
MORE: dict[str, dict[str, tuple[str, ...]]] = {  # what methods take beside the parameters of their signature
    "collection": dict.fromkeys(("plan", "add", "upsert", "write", "get"), ("unknown_one",)),
    "langchain": {
        **dict.fromkeys(("plan", "get"), ("unknown_one",)),
        **dict.fromkeys(("add_texts", "add_documents", "from_texts", "from_documents"), ("ids", *_LISTED)),
        "add_facts": ("valid_from", "supersedes"),
        **dict.fromkeys(
            ("similarity_search", "similarity_search_by_vector", "similarity_search_by_vector_with_relevance_scores",
             "similarity_search_with_score", "similarity_search_with_vectors"), _SEARCH),
        **dict.fromkeys(("max_marginal_relevance_search", "max_marginal_relevance_search_by_vector"), _SEARCH),
        "similarity_search_with_relevance_scores": (*_SEARCH, "score_threshold"),
        "search": ("k", "filter", "as_of"),
        "as_retriever": ("search_type", "search_kwargs", "k", *_TIME[:3]),
        "delete": ("where", "where_document", "scope"),
    },
    "llama_index": {"plan": ("unknown_one",), "add": _LISTED, "add_facts": ("valid_from",), "query": (*_MMR, *_TIME)},
}  # fmt: skip
LEFT_OUT = {
    "opened", "export_history", "delete_collection", "reset_collection", "aclear", "from_params", "from_dict",
    "to_dict", "from_json", "to_json", "persist", "class_name", "encode_image", "custom_model_dump", "afrom_texts",
    "afrom_documents", "asimilarity_search_by_vector", "asimilarity_search_with_relevance_scores",
    "asimilarity_search_with_score", "amax_marginal_relevance_search", "amax_marginal_relevance_search_by_vector",
    "similarity_search_by_image_with_relevance_score",
}  # fmt: skip
"""Methods that open, drop or describe a store, and asynchronous twins of what is called."""
_LIKELY = {"ids", "subject", "change_or_id", "query_embeddings", "documents", "embeddings", "facts"}
"""Without which a call that might be made without them does little."""


def parameters(kind: str, method: str) -> dict[str, inspect.Parameter]:
    """Return what a method takes, by name; of one that only hands on, what its synchronous twin takes."""
    found = inspect.signature(getattr(CLASSES[kind], method)).parameters
    handed_on = any(p.kind is p.VAR_KEYWORD for p in found.values())
    twin = method[6:] if method.startswith("async_") else method[1:]
    if handed_on and method[0] == "a" and hasattr(CLASSES[kind], twin):
        return parameters(kind, twin)
    named = {n: p for n, p in found.items() if n != "self" and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)}
    more = {n: inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=None) for n in MORE[kind].get(method, ())}
    return {**more, **named}


CLASSES = {"collection": TemporalCollection, "langchain": LangChainStore, "llama_index": LlamaIndexStore}
CALLS = [
    (kind, name)
    for kind, cls in CLASSES.items()
    for name in dir(cls)
    if name[0] != "_" and name not in LEFT_OUT and callable(getattr(cls, name)) and not hasattr(BaseModel, name)
]
"""Every public method of each way in."""


class Call(NamedTuple):
    """A call of a method."""

    kind: str
    method: str
    positional: tuple[Any, ...]
    keywords: dict[str, Any]

    def __str__(self) -> str:
        told = [*map(_short, self.positional), *(f"{k}={_short(v)}" for k, v in self.keywords.items())]
        return f"{self.kind}.{self.method}({', '.join(told)})"


def _short(value: Any) -> str:
    return ascii(value)[:120]


class Bench:
    """The three ways in, each with a stock twin that holds the same rows."""

    def __init__(self) -> None:
        self.client = client = chromadb.EphemeralClient()
        metadatas: list[Any] = [{"source": "s"}, {"source": "s"}, {"source": "t"}, None]
        names = [f"fuzz-{uuid.uuid4()}" for _ in range(2)]
        raw = [in_memory() for _ in range(4)]
        self.ours: dict[str, Any] = {
            "collection": TemporalCollection(raw[0], embedding_function=MODEL),
            "langchain": LangChainStore(names[0], MODEL, client=client),
            "llama_index": LlamaIndexStore(chroma_collection=raw[1]),
        }
        self.stock: dict[str, Any] = {
            "collection": raw[2],
            "langchain": Chroma(names[1], MODEL, client=client),
            "llama_index": ChromaVectorStore(chroma_collection=raw[3]),
        }
        for side in (self.ours, self.stock):
            side["collection"].add(ids=list("abcd"), embeddings=VECTORS, documents=TEXTS, metadatas=metadatas)
            side["langchain"].add_texts(TEXTS, [m or {} for m in metadatas], list("abcd"))
            side["llama_index"].add([node(t, i, embedding=v) for t, i, v in zip(TEXTS, "nmop", VECTORS, strict=True)])

    def close(self) -> None:
        for collection in self.client.list_collections():
            self.client.delete_collection(collection.name)

    def call(self, made: Call, *, stock: bool = False) -> BaseException | None:
        """Make a call, and return what it raises."""
        target = (self.stock if stock else self.ours)[made.kind]
        keywords = dict(made.keywords)
        if stock:
            own = inspect.signature(getattr(type(target), made.method, len)).parameters
            mine = {*_TIME, *_LISTED, "k" if made.method == "as_retriever" else ""} - set(own)
            keywords = {k: v for k, v in keywords.items() if k not in mine}
        try:
            found = getattr(target, made.method)(*made.positional, **keywords)
            if inspect.isawaitable(found):
                found = asyncio.run(_awaited(found))
            if isinstance(found, Iterator):
                list(found)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # Chroma's own panics are no Exception
            return error
        return None

    def fault(self, made: Call) -> BaseException | None:
        """Return what a call raises that nobody was told of: no error of ours, nor the one that stock raises."""
        error = self.call(made)
        own = (MemstrataError, ValidationError) if made.method == "as_retriever" else MemstrataError
        if error is None or isinstance(error, own):  # pydantic's is of a field: the same with fields that stock lacks
            return None
        told = self.call(made, stock=True)
        return None if told is not None and isinstance(error, type(told)) else error


async def _awaited(found: Any) -> Any:
    return await found


def a_call(rng: random.Random, bench: Bench) -> Call:
    """Return a call with some arguments that are odd."""
    kind, method = rng.choice(CALLS)
    taken = parameters(kind, method)
    needed = {n for n, p in taken.items() if p.default is p.empty}
    chosen = [n for n in taken if n in needed or rng.random() < (0.8 if n in _LIKELY else 0.3)]
    odd = {n for n in chosen if rng.random() < 0.25} or ({rng.choice(chosen)} if chosen else set())
    given = {n: _value(rng, bench, kind, method, n, n in odd) for n in chosen}
    placed = {n for n in chosen if taken[n].kind is inspect.Parameter.POSITIONAL_ONLY}
    positional = tuple(given[n] for n in given if n in placed)
    return Call(kind, method, positional, {n: v for n, v in given.items() if n not in placed})


def _value(rng: random.Random, bench: Bench, kind: str, method: str, name: str, odd: bool) -> Any:
    if name == "embedding" and method.startswith("from_"):
        return MODEL
    if not odd and name == "query" and kind == "llama_index":
        return asked()
    if not odd and name == "collection":
        return bench.stock["collection"]
    sound = [] if odd else SOUND.get(f"{kind}.{name}") or SOUND[name]
    return rng.choice(sound or odd_ones())


def run(seed: int, count: int, each: int = 100) -> tuple[list[tuple[Call, BaseException]], list[str]]:
    """Make so many calls; return those that raised what nobody was told of, and what `verify` said meanwhile."""
    rng = random.Random(seed)
    faults: list[tuple[Call, BaseException]] = []
    broken: list[str] = []
    for begun in range(0, count, each):
        with closing(Bench()) as bench:
            for _ in range(min(each, count - begun)):
                made = a_call(rng, bench)
                error = bench.fault(made)
                faults += [] if error is None else [(made, error)]
            broken += [line for store in bench.ours.values() for line in store.verify()]
    return faults, broken
