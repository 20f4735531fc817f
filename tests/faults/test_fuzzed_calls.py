"""Whatever the arguments: a result, an error of this package, or the one that stock raises; and a sound store."""

import logging
import os
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.errors import InvalidInputError
from tests.stateful.opening import in_memory

from .fuzz import MODEL, TEXTS, VECTORS, Bench, asked, run

COUNT = int(os.environ.get("MEMSTRATA_FUZZ_CALLS", "1000"))
SEED = int(os.environ.get("MEMSTRATA_FUZZ_SEED", "12"))


@pytest.mark.filterwarnings("ignore")
def test_odd_arguments_raise_only_what_is_documented(capsys: pytest.CaptureFixture[str]) -> None:
    """Thousands of calls of every public method; MEMSTRATA_FUZZ_CALLS and MEMSTRATA_FUZZ_SEED make others."""
    logging.disable(logging.CRITICAL)
    try:
        faults, broken = run(SEED, COUNT)
    finally:
        logging.disable(logging.NOTSET)
    told = [f"{made} raised {type(error).__name__}: {ascii(str(error))[:200]}" for made, error in faults]
    with capsys.disabled():
        print(f" seed {SEED}, {COUNT} calls: {len(told)} undocumented errors, {len(broken)} rows that do not verify")
    assert told == []
    assert broken == []


@pytest.fixture
def collection() -> TemporalCollection:
    store = TemporalCollection(in_memory(), embedding_function=MODEL)
    store.add(ids=list("abcd"), documents=TEXTS, embeddings=VECTORS)
    return store


REFUSED: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "history of a number": ("subject=5", lambda s: s.history(5)),
    "history of an id": ("id is 5", lambda s: s.history(id=5)),
    "history of a sentence": ("statement=5", lambda s: s.history(statement=5)),
    "purge of a number": ("ids=5", lambda s: s.purge(5)),
    "purge of a surrogate": ("surrogate", lambda s: s.purge("\ud800")),
    "plan of nothing": ("texts=None", lambda s: s.plan(None)),
    "plan of numbers": ("text 0 is int", lambda s: s.plan([5])),
    "get, negative limit": ("limit=-1", lambda s: s.get(limit=-1)),
    "get, limit that is no number": ("limit='3'", lambda s: s.get(limit="3")),
    "get, half an offset": ("offset=0.5", lambda s: s.get(offset=0.5)),
    "delete, negative limit": ("limit=-1", lambda s: s.delete(where={"a": 1}, limit=-1)),
    "filter that is no dict": ("where='a'", lambda s: s.get(where="a")),
    "scope that is no dict": ("scope=5", lambda s: s.get(scope=5)),
    "scope of an operator": ("operator", lambda s: s.get(scope={"$and": "x"})),
    "empty vector": ("shape", lambda s: s.add(ids=["e"], documents=["x"], embeddings=[[]])),
    "vector beyond float32": ("NaN or inf", lambda s: s.add(ids=["e"], documents=["x"], embeddings=[[1e39] * 8])),
    "a dict of documents": ("documents=", lambda s: s.add(ids=["e"], documents={"x": 1})),
    "supersede a list": ("old is", lambda s: s.supersede(["a"], "b")),
    "dismiss a surrogate": ("surrogate", lambda s: s.dismiss("a", "\ud800")),
    "undo of a number": ("undone", lambda s: s.undo(5)),
    "undo of nothing": ("undo takes either", lambda s: s.undo(None)),
    "suspects of none": ("k=0", lambda s: s.suspects(0)),
    "suspects among text": ("look_at='all'", lambda s: s.suspects(look_at="all")),
    "a flag that is a text": ("dry_run='false'", lambda s: s.adopt(dry_run="false")),
    "proof of a number": ("erased=5", lambda s: s.verify(erased=5)),
    "tombstone of a text": ("tombstone='yes'", lambda s: s.purge(["a"], tombstone="yes")),
    "lifting a number": ("texts=5", lambda s: s.lift_tombstones(texts=5)),
    "metadata of a collection": ("metadata=", lambda s: s.modify(metadata={"a": ["x"]})),
    "a field that is reserved": ("memstrata_x", lambda s: s.sync("s", [], field="memstrata_x")),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_used_is_named(collection: TemporalCollection, case: str) -> None:
    told, call = REFUSED[case]
    with pytest.raises(InvalidInputError, match=told.replace("$", r"\$")):
        call(collection)
    assert collection.get(include_superseded=True)["ids"] == list("abcd")
    assert collection.verify() == []


def test_a_source_may_be_a_list(collection: TemporalCollection) -> None:
    """Chroma keeps lists in metadata; two chunks of such a page that contradict each other state neither."""
    said = ["The manager is Ann.", "The manager is Bo."]
    collection.add(ids=["e", "f"], documents=said, metadatas=[{"source": ["s", "t"]}] * 2, embeddings=VECTORS[:2])
    assert collection.get(ids=["e", "f"])["documents"] == said


@pytest.mark.parametrize("k", [2**31, 2**32 - 1, 2**63, 2**70])
def test_more_than_there_are_means_all(collection: TemporalCollection, k: Any) -> None:
    for served in (["b", "c", "d"], ["b", "d"]):
        found = collection.query(query_embeddings=[VECTORS[0]], n_results=k)
        assert sorted(found["ids"][0]) == served
        assert collection.get(limit=k)["ids"] == served
        assert collection.get(offset=k)["ids"] == []
        collection.delete(ids=["c"])


SEARCHES: dict[str, Callable[[Any, Any], Any]] = {
    "collection": lambda s, k: s.query(query_embeddings=[VECTORS[0]], n_results=k),
    "langchain": lambda s, k: s.similarity_search("port", k=k),
    "llama_index": lambda s, k: s.query(asked(similarity_top_k=k)),
}


def found_or_raised(call: Callable[..., Any], *arguments: Any) -> Any:
    """Return how much a call finds, or what kind of error it raises."""
    try:
        return len(call(*arguments) or "")
    except Exception as error:
        return type(error)


@pytest.mark.parametrize("k", [0, -1, "3", 0.5, None])
def test_a_search_for_no_number_of_rows_fails_as_in_stock(k: Any) -> None:
    with closing(Bench()) as bench:
        for kind, search in SEARCHES.items():
            ours, stock = (found_or_raised(search, side[kind], k) for side in (bench.ours, bench.stock))
            assert ours == stock, kind
