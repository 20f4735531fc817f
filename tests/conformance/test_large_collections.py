"""More rows than Chroma returns with their metadata in one call.

Chroma refuses that above 32,766 rows. So many take long to write and delete: its limit is lowered here, and our pages
along with it.
"""

from collections.abc import Callable
from typing import Any

import chromadb
import pytest
from chromadb.errors import InternalError
from llama_index.core.vector_stores.types import VectorStoreQuery

from memstrata_integrations.chroma import hulls, lookup, reading, searching
from memstrata_integrations.chroma.fields import NODE_FIELDS
from memstrata_integrations.llama_index import TemporalVectorStore

from .llama import matching
from .stock import either

ROWS = 60
LIMIT = 20


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chroma refuses metadata for more than `LIMIT` rows a call, and our pages are smaller than that."""

    def refusing(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(self: Any, *args: Any, **kwargs: Any) -> Any:
            found = original(self, *args, **kwargs)
            rows = found["ids"] if original.__name__ == "get" else found["ids"][0]
            if len(rows) > LIMIT and {"metadatas", "uris"} & set(kwargs.get("include", ["metadatas"])):
                raise InternalError("too many SQL variables")
            return found

        return call

    for method in ("get", "query"):
        monkeypatch.setattr(chromadb.Collection, method, refusing(getattr(chromadb.Collection, method)))
    monkeypatch.setattr(lookup, "PAGE", LIMIT // 2)
    for module in (reading, searching, hulls):
        monkeypatch.setattr(module, "_PAGE", LIMIT // 2)


@pytest.fixture
def store(narrow: None, new_collection: Callable[[], Any]) -> TemporalVectorStore:
    """A store of more rows than Chroma returns at once, which stock code filled with the nodes of one document."""
    raw = new_collection()
    raw.add(
        ids=[f"n{n}" for n in range(ROWS)],
        embeddings=[[1.0, n / ROWS] for n in range(ROWS)],
        documents=[f"Note {n}." for n in range(ROWS)],
        metadatas=[{"k": 1} | dict.fromkeys(NODE_FIELDS[2:], "d") for _ in range(ROWS)],
    )
    return TemporalVectorStore(chroma_collection=raw)


NAMED = [*(f"n{n}" for n in range(1, ROWS)), "other", "unknown"]
DELETIONS: dict[str, tuple[Callable[[Any], Any], Any, list[str]]] = {  # what they tell, and what they leave
    "`clear` empties a collection": (lambda s: s.clear(), None, []),
    "`delete` reaches every node of a document": (lambda s: s.delete("d"), None, ["other"]),
    "a filter reaches all rows that match": (lambda s: s.delete_nodes(filters=matching(k=1)), None, ["other"]),
    "a filter purges all rows": (lambda s: s.delete_nodes(filters=matching(k=1), purge=True), None, ["other"]),
    "many ids and a filter delete what matches both, at most `limit` of them": (
        lambda s: [s.client.delete(ids=NAMED, where={"k": 1}, limit=limit) for limit in (9, None)],
        [{"deleted": 9}, {"deleted": ROWS - 1 - 9}],
        ["n0", "other"],
    ),
}


@pytest.mark.parametrize("name", DELETIONS)
def test_a_deletion_of_many_rows_leaves_the_others(store: TemporalVectorStore, name: str) -> None:
    store.client.add(ids=["other"], documents=["Another note."], embeddings=[[0.0, 1.0]], metadatas=[{"k": 2}])
    call, told, left = DELETIONS[name]
    assert call(store) == told
    assert sorted(store.client.get(include_superseded=True)["ids"]) == left


def test_reads_return_more_rows_than_chroma_does(store: TemporalVectorStore) -> None:
    for _ in range(2):
        rows = store.client.count()
        assert len(store.client.get(ids=[f"n{n}" for n in range(ROWS)])["ids"]) == ROWS
        for asked in ({}, {"where": {"k": 1}}, {"as_of": "2001-01-01"}):
            assert len(store.client.get(**asked)["ids"]) == rows
        assert len(store.client.query(query_embeddings=[[1.0, 0.5]], n_results=10 * rows)["ids"][0]) == rows
        found = store.query(VectorStoreQuery(query_embedding=[1.0, 0.5], similarity_top_k=10 * rows))
        assert len(found.ids or []) == len(store.get_nodes(filters=either(matching(k=1), matching(k=2)))) == rows
        store.client.add(ids=["more"], documents=["One note more."], embeddings=[[0.0, 1.0]], metadatas=[{"k": 1}])


def test_rows_with_gaps_are_counted(store: TemporalVectorStore) -> None:
    vectors = [[0.5, n / ROWS] for n in range(ROWS)]
    for port, how in ((80, {"valid_from": "2024-01-01"}), (90, {"valid_from": "2024-02-01", "valid_to": "2024-03-01"})):
        said = [f"The port of service-{n} is {port}." for n in range(ROWS)]
        store.client.add(ids=[f"{port}-{n}" for n in range(ROWS)], documents=said, embeddings=vectors, **how)
    for as_of, text in ((None, "80"), ("2024-02-10", "90"), ("2024-03-10", "80")):
        served = store.client.get(as_of=as_of, where_document={"$contains": "port of"})["documents"]
        assert len(served) == ROWS
        assert all(text in d for d in served)
        assert store.client.count(as_of=as_of) == 2 * ROWS
    assert store.client.verify() == []


def test_many_rows_are_adopted_and_ended(store: TemporalVectorStore) -> None:
    assert len(store.adopt(progress=False).ids) == ROWS
    assert store.client.verify() == []
    assert len(store.client.sync("d", [], field="document_id").ids) == ROWS
    assert store.client.get()["ids"] == []
    store.purge([f"n{n}" for n in range(ROWS)])
    assert store.client.count(include_superseded=True) == 0
