"""More rows than Chroma returns with their metadata in one call.

Chroma refuses that above 32,766 rows. So many take long to write and delete: its limit is lowered here, and our pages
along with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import chromadb
import pytest
from chromadb.errors import InternalError
from llama_index.core.vector_stores.types import FilterCondition, MetadataFilters, VectorStoreQuery

from memstrata_integrations.chroma import amending as _amending
from memstrata_integrations.chroma import hulls as _hulls
from memstrata_integrations.chroma import lookup as _lookup
from memstrata_integrations.chroma import reading as _reading
from memstrata_integrations.chroma import searching as _searching
from memstrata_integrations.chroma.fields import NODE_FIELDS
from memstrata_integrations.llama_index import TemporalVectorStore

from .llama import matching

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
    monkeypatch.setattr(_lookup, "PAGE", LIMIT // 2)
    for module in (_reading, _searching, _hulls, _amending):
        monkeypatch.setattr(module, "_PAGE", LIMIT // 2)


@pytest.fixture
def store(narrow: None) -> Iterator[TemporalVectorStore]:
    """A store of more rows than Chroma returns at once, which stock code filled with the nodes of one document."""
    client = chromadb.EphemeralClient()
    raw = client.create_collection("narrow", embedding_function=None)
    raw.add(
        ids=[f"n{n}" for n in range(ROWS)],
        embeddings=[[1.0, n / ROWS] for n in range(ROWS)],
        documents=[f"Note {n}." for n in range(ROWS)],
        metadatas=[{"k": 1} | dict.fromkeys(NODE_FIELDS[2:], "d") for _ in range(ROWS)],
    )
    yield TemporalVectorStore(chroma_collection=raw)
    client.delete_collection("narrow")


@pytest.mark.parametrize("call", [lambda s: s.clear(), lambda s: s.delete("d")], ids=["clear", "delete"])
def test_what_deletes_all_leaves_no_row(store: TemporalVectorStore, call: Callable[[Any], Any]) -> None:
    """`clear()` empties a large collection, and `delete(ref_doc_id)` reaches every node of a large document."""
    call(store)
    assert store.client.count(include_superseded=True) == 0


@pytest.mark.parametrize("purge", [False, True])
def test_a_filter_deletes_many_rows(store: TemporalVectorStore, purge: bool) -> None:
    """`delete_nodes` with a filter reaches all rows that match, and no others."""
    store.client.add(ids=["other"], documents=["Another note."], embeddings=[[0.0, 1.0]], metadatas=[{"k": 2}])
    store.delete_nodes(filters=matching(k=1), purge=purge)
    assert store.client.get(include_superseded=True)["ids"] == ["other"]


def test_ids_and_a_filter_delete_what_matches_both(store: TemporalVectorStore) -> None:
    """Many ids with a filter delete those that match both, at most `limit` of them."""
    store.client.add(ids=["other"], documents=["Another note."], embeddings=[[0.0, 1.0]], metadatas=[{"k": 2}])
    named = [*(f"n{n}" for n in range(1, ROWS)), "other", "unknown"]
    assert store.client.delete(ids=named, where={"k": 1}, limit=9) == {"deleted": 9}
    assert store.client.delete(ids=named, where={"k": 1}) == {"deleted": ROWS - 1 - 9}
    assert sorted(store.client.get(include_superseded=True)["ids"]) == ["n0", "other"]


def test_reads_return_more_rows_than_chroma_does(store: TemporalVectorStore) -> None:
    """`get`, `query`, `get_nodes` and `count` return every row, before and after a first write, now and in the past."""
    for _ in range(2):
        rows = store.client.count()
        assert len(store.client.get()["ids"]) == rows
        assert len(store.client.get(ids=[f"n{n}" for n in range(ROWS)])["ids"]) == ROWS
        assert len(store.client.get(where={"k": 1})["ids"]) == rows
        assert len(store.client.get(as_of="2001-01-01")["ids"]) == rows
        assert len(store.client.query(query_embeddings=[[1.0, 0.5]], n_results=10 * rows)["ids"][0]) == rows
        found = store.query(VectorStoreQuery(query_embedding=[1.0, 0.5], similarity_top_k=10 * rows))
        assert len(found.ids or []) == rows
        either = MetadataFilters(filters=[matching(k=1), matching(k=2)], condition=FilterCondition.OR)
        assert len(store.get_nodes(filters=either)) == rows
        store.client.add(ids=["more"], documents=["One note more."], embeddings=[[0.0, 1.0]], metadatas=[{"k": 1}])


def test_rows_with_gaps_are_counted(store: TemporalVectorStore) -> None:
    """`count` is what `get` lists where many facts were interrupted and resumed."""
    ids = [f"p{n}" for n in range(ROWS)]
    vectors = [[0.5, n / ROWS] for n in range(ROWS)]
    ports = [f"The port of service-{n} is 80." for n in range(ROWS)]
    store.client.add(ids=ids, documents=ports, embeddings=vectors, valid_from="2024-01-01")
    other = [text.replace("80", "90") for text in ports]
    store.client.add(
        ids=[f"q{n}" for n in range(ROWS)],
        documents=other,
        embeddings=vectors,
        valid_from="2024-02-01",
        valid_to="2024-03-01",
    )
    for as_of, text in ((None, "80"), ("2024-02-10", "90"), ("2024-03-10", "80")):
        served = store.client.get(as_of=as_of, where_document={"$contains": "port of"})["documents"]
        assert len(served) == ROWS
        assert all(text in d for d in served)
        assert store.client.count(as_of=as_of) == 2 * ROWS
    assert store.client.verify() == []


def test_many_rows_are_adopted_and_ended(store: TemporalVectorStore) -> None:
    """`adopt`, `sync` and `purge` work on more rows than Chroma returns at once."""
    assert len(store.adopt(progress=False).ids) == ROWS
    assert store.client.verify() == []
    assert len(store.client.sync("d", [], field="document_id").ids) == ROWS
    assert store.client.get()["ids"] == []
    store.purge([f"n{n}" for n in range(ROWS)])
    assert store.client.count(include_superseded=True) == 0
