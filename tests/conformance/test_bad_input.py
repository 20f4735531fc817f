"""Input that cannot be used, through all three doors: an error that shows it, and nothing is written."""

import asyncio
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from langchain_core.documents import Document
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores.types import VectorStoreQuery

from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.langchain import TemporalVectorStore as LangChainStore
from memstrata_integrations.ledger.facts import Fact
from memstrata_integrations.llama_index import TemporalVectorStore as LlamaIndexStore
from tests.faults.faulty import Instead

from .conftest import StoreMaker
from .doors import KINDS, Door
from .lexical import LexicalEmbeddings
from .llama import QUESTION, A, B, C, ask, document, embed, index_of, node
from .stock import both_of, f

REMARK = "A plain remark."
SMILE = "half a smile \ud83d"
Call = Callable[[Any], Any]


@pytest.fixture(params=KINDS)
def door(request: pytest.FixtureRequest) -> Iterator[Door]:
    """Each door in turn, to a store with one fact and one remark in it."""
    made = Door(request.param, valid_from_field="since", valid_to_field="until")
    made.write(B, REMARK, ids=["here", "there"])
    yield made
    made.close()


def refuses(door: Door, call: Call, shown: str) -> None:
    """Assert that a call is an `InvalidInputError`, also a ValueError, that says what is wrong, and writes nothing."""
    before = door.rows()
    with pytest.raises(InvalidInputError, match=f"(?is){shown}") as caught:
        call(door)
    assert isinstance(caught.value, ValueError)
    assert door.rows() == before


def with_metadata(**metadata: Any) -> Call:
    return lambda d: d.write(A, C, metadatas=[{}, metadata])


BAD_WRITES: dict[str, tuple[str, Call]] = {
    "a date that is none": ("next Tuesday", lambda d: d.write(C, valid_from="next Tuesday")),
    "one bad date of two": ("2024-02-30", lambda d: d.write(A, C, valid_from=["2020-01-01", "2024-02-30"])),
    "a bad valid_to": ("2024-02-30", lambda d: d.write(C, valid_to="2024-02-30")),
    "valid_to first": ("2021-01-01", lambda d: d.write(C, valid_from="2022-01-01", valid_to="2021-01-01")),
    "valid_to before now": ("valid_from", lambda d: d.write(C, valid_to="2020-01-01")),
    "one valid_to first": (
        "2021-01-01", lambda d: d.write(A, C, valid_from="2022-01-01", valid_to=["2023-01-01", "2021-01-01"])),
    "fewer dates than texts": ("valid_from.*2", lambda d: d.write(A, B, C, valid_from=["2020-01-01"] * 2)),
    "more dates than texts": ("2 values for 1", lambda d: d.write(C, valid_from=["2020-01-01"] * 2)),
    "no dates for texts": ("valid_to", lambda d: d.write(C, valid_to=[])),
    "valid_form=": ("valid_from", lambda d: d.write(C, valid_form="2022-01-01")),
    "Valid_From=": ("valid_from", lambda d: d.write(C, Valid_From="2022-01-01")),
    "valid_untl=, validfrom=": ("valid_", lambda d: d.write(C, valid_untl="2022-01-01", validfrom="2022-01-01")),
    "valid_from_fields=": ("valid_from_field", lambda d: d.write(C, valid_from_fields="since")),
    "a bad date in metadata": ("since.*last spring|last spring.*since", with_metadata(since="last spring")),
    "a list as a date in metadata": ("since", with_metadata(since=["2020-01-01"])),
    "valid_to in metadata first": ("2020-01-01", with_metadata(since="2021-01-01", until="2020-01-01")),
    "a lone surrogate in a text": ("ud83d|surrogate", lambda d: d.write(A, SMILE)),
    "a lone surrogate in metadata": ("ud83d|surrogate", with_metadata(x="\ud83d")),
    "a lone surrogate in an id": ("ud83d|surrogate", lambda d: d.write(A, C, ids=["fine", "\ud83d"])),
    "a number beyond 64 bits": (str(2**63), with_metadata(n=2**63)),
    "a reserved key": ("memstrata_to", with_metadata(memstrata_to=5)),
    "an unknown reserved key": ("memstrata_mine", with_metadata(memstrata_mine="x")),
    "an id twice": ("twice", lambda d: d.write(A, B, C, ids=["once", "twice", "twice"])),
    "fact=": ("facts=", lambda d: d.write(C, fact=[])),
    "supersede=": ("supersedes=", lambda d: d.write(C, supersede=["here"])),
    "triples=": ("facts", lambda d: d.write(C, triples=[("a", "b", "c")])),
    "a tuple as a fact": (r"Fact\(subject, relation, value\)", lambda d: d.write(C, facts=[("a", "b", "c")])),
    "a mapping of facts": (r"Fact\(subject, relation, value\)", lambda d: d.write(C, facts={"a": "b"})),
    "a statement that the text lacks": (
        "does not stand in its text", lambda d: d.write(C, facts=[Fact("a", "b", "c", statement="not in it")])),
    "what would supersede nobody": ("no such document", lambda d: d.write(C, supersedes=["nobody"])),
    "a retraction at a bad date": ("2024-02-30", lambda d: d.store.retract("API port", at="2024-02-30")),
}  # fmt: skip


@pytest.mark.parametrize(("shown", "call"), BAD_WRITES.values(), ids=BAD_WRITES)
def test_bad_input_is_refused_and_nothing_is_written(door: Door, shown: str, call: Call) -> None:
    """Good texts of the same call are not written either."""
    refuses(door, call, shown)
    assert door.served() == sorted([B, REMARK])


BAD_READS = [{"as_of": "soon"}, {"known_at": "soon"}, {"as_of": math.nan}, {"stale": "hide"}]


@pytest.mark.parametrize("asked", BAD_READS, ids=str)
def test_bad_keywords_of_reading_are_refused(door: Door, asked: dict[str, Any]) -> None:
    [(axis, time)] = asked.items()
    for read in (lambda d: d.search(QUESTION, **asked), lambda d: d.texts(**asked), lambda d: d.served(**asked)):
        refuses(door, read, f"{axis}.*{time}|{time}.*{axis}")


def update(*ids: str, **metadata: Any) -> Call:
    return lambda d: d.store.update_documents(list(ids), [Document(page_content=C, metadata=metadata)] * len(ids))


INSERTED: dict[str, Callable[..., Any]] = {
    "insert": lambda d, **dates: index_of(d.store).insert(document(C), **dates),
    "insert_nodes": lambda d, **dates: index_of(d.store).insert_nodes([TextNode(text=C)], **dates),
    "async_add": lambda d, **dates: asyncio.run(d.store.async_add([node(C)], **dates)),
}
RESERVED = both_of(f("memstrata_to", ">", 5))
ONE_DOOR: dict[str, tuple[str, str, Call]] = {
    "an empty id": ("langchain", "''|empty", lambda d: d.store.add_texts([A, C], ids=["fine", ""])),
    "a number as an id": ("langchain", "7", lambda d: d.store.add_texts([A, C], ids=["fine", 7])),
    "a number as a text": ("langchain", "5", lambda d: d.store.add_texts([C, 5])),
    "fewer ids than texts": ("langchain", "ids", lambda d: d.store.add_texts([A, C], ids=["x"])),
    "more metadatas than texts": ("langchain", "metadatas", lambda d: d.store.add_texts([C], metadatas=[{"a": 1}] * 2)),
    "NaN in metadata": ("langchain", "nan", with_metadata(share=math.nan)),
    "infinity in metadata": ("langchain", "inf", with_metadata(share=-math.inf)),
    "NaN in a list": ("langchain", "nan", lambda d: d.store.add_texts([C], metadatas=[{"shares": [1.0, math.nan]}])),
    "infinity in a list": ("langchain", "inf", lambda d: d.store.add_texts([C], metadatas=[{"shares": [math.inf]}])),
    "NaN in an update": ("langchain", "nan", update("here", share=math.nan)),
    "a reserved key in an update": ("langchain", "memstrata_facts", update("here", memstrata_facts="{}")),
    "an id twice in an update": ("langchain", "here", update("here", "here", n=1)),
    "a reserved field of dates": (
        "llama_index", "memstrata_from", lambda d: d.write(C, valid_from_field="memstrata_from")),
    "no vector": ("llama_index", "bad-node", lambda d: d.store.add([node(A), TextNode(text=C, id_="bad-node")])),
    "a vector of another dimension": (
        "llama_index", "dimension", lambda d: d.store.add([TextNode(text=C, embedding=[1.0, 2.0]), node(A)])),
    "an empty vector": (
        "llama_index", "embedding|dimension", lambda d: d.store.add([node(A), TextNode(text=C, embedding=[])])),
    "NaN in a node's vector": (
        "llama_index", "NaN", lambda d: d.store.add([node(A), TextNode(text=C, embedding=[math.nan, *embed(C)[1:]])])),
    "nested metadata": ("llama_index", "tags", lambda d: d.store.add([node(A), node(C, metadata={"tags": ["x"]})])),
    **{f"{date}='soon' of {way}": (
        "llama_index", "soon|valid_from", lambda d, call=call, date=date: call(d, **{date: "soon"})  # type: ignore[misc]
    ) for way, call in INSERTED.items() for date in ("valid_from", "valid_form")},
    "as_of='soon' of a retriever": ("llama_index", "soon", lambda d: index_of(d.store).as_retriever(
        vector_store_kwargs={"as_of": "soon"}).retrieve("?")),
    "as_of='soon' of MMR": ("llama_index", "soon", lambda d: d.store.query(ask(mode="mmr"), as_of="soon")),
    "as_of='soon' of a listing": (
        "llama_index", "soon", lambda d: d.store.query(VectorStoreQuery(similarity_top_k=3), as_of="soon")),
    "as_of='soon' of aget_nodes": ("llama_index", "soon", lambda d: asyncio.run(d.store.aget_nodes(as_of="soon"))),
    "a reserved field to list by": ("llama_index", "as_of", lambda d: d.store.get_nodes(filters=RESERVED)),
    "a reserved field to search by": ("llama_index", "as_of", lambda d: d.store.query(ask(filters=RESERVED))),
    "a reserved field to delete by": ("llama_index", "as_of", lambda d: d.store.delete_nodes(filters=RESERVED)),
}  # fmt: skip


@pytest.mark.parametrize(("door", "shown", "call"), ONE_DOOR.values(), ids=ONE_DOOR, indirect=["door"])
def test_what_only_one_door_takes_is_refused_there(door: Door, shown: str, call: Call) -> None:
    refuses(door, call, shown)


@pytest.mark.parametrize("field", ["memstrata_to", "memstrata_from"])
def test_a_where_on_reserved_fields_shows_nothing_stale(field: str) -> None:
    """A condition on a reserved field, should anyone write one, brings no superseded row back."""
    door = Door("langchain")
    door.write(B, C)
    assert set(door.search(QUESTION, where={field: {"$gt": 0}})) <= {C}
    door.close()


UNREACHED = Mock(side_effect=ConnectionError("no route to the embedding service"))


@pytest.mark.parametrize(("embeddings", "error", "match"), [
    (Instead(LexicalEmbeddings(), embed_documents=lambda embed, texts: embed(texts)[:-1]), ValueError, None),
    (Instead(LexicalEmbeddings(), embed_documents=UNREACHED), ConnectionError, "no route"),
    (LexicalEmbeddings(32), InvalidInputError, "(?s)32.*64|64.*32"),
], ids=["lose a text", "fail", "of another dimension"])  # fmt: skip
def test_embeddings_that_do_not_fit_write_nothing(embeddings: Any, error: Any, match: str | None) -> None:
    """The error says why, comes through as it is where it is theirs, and the next write works."""
    door = Door("langchain")
    door.write(B, ids=["here"])
    odd, before = LangChainStore(door.name, embeddings, client=door.client), door.rows()
    for write in (lambda: odd.add_texts([A, C]), lambda: odd.update_document("here", Document(C, metadata={"n": 1}))):
        with pytest.raises(error, match=match):
            write()
        assert door.rows() == before
    door.write(C)
    assert door.served() == [C]
    door.close()


def test_a_search_by_vectors_of_another_dimension_is_refused(door: Door) -> None:
    other = LangChainStore(door.name, LexicalEmbeddings(32), client=door.client)
    for search in (lambda: other.similarity_search(QUESTION), lambda: other.similarity_search_by_vector([1.0] * 32)):
        with pytest.raises(InvalidInputError, match=r"(?s)32.*64|64.*32"):
            search()


def test_a_large_call_with_one_bad_text_writes_nothing(make_temporal: StoreMaker) -> None:
    store = make_temporal(embedding_function=LexicalEmbeddings(8))
    texts = [f"Note {n} on nothing in particular." for n in range(5600)]
    with pytest.raises(InvalidInputError):
        store.add_texts(texts, metadatas=[{"n": n} for n in range(5599)] + [{"n": math.nan}])
    assert store._collection.count() == 0


MAKERS: dict[str, Callable[[Any, str, Path, dict[str, Any]], Any]] = {
    **{kind: lambda client, name, path, given, kind=kind: Door(kind, **given) for kind in KINDS},  # type: ignore[misc]
    "langchain, from_texts": lambda c, n, p, how: LangChainStore.from_texts(
        [A], LexicalEmbeddings(), client=c, collection_name=n, **how
    ),
    "llama_index, from_collection": lambda c, n, p, how: LlamaIndexStore.from_collection(c.create_collection(n), **how),
    "llama_index, from_params": lambda c, n, p, how: LlamaIndexStore.from_params(n, persist_dir=str(p), **how),
}
BAD_OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({"on_delet": "retire"}, "on_delete"), ({"valid_from_filed": "since"}, "valid_from_field"),
    ({"extracter": None}, "extractor"), ({"colour": "red"}, "colour.*valid_from_field"),
    ({"key_field": ("a",)}, "did you mean key_fields="), ({"value_field": "a"}, "give key_fields= too"),
    ({"scope": "user"}, "scope"), ({"key_fields": 3}, "give a tuple of metadata fields"),
    ({"on_delete": "keep"}, "keep"), ({"clock": 5}, "clock"), ({"extractor": 5}, "extractor"),
    ({"extractor": "telepathy"}, "extractor"), ({"policy": {}}, "policy"), ({"stale": "hide"}, "stale"),
    ({"progress": "often"}, "progress"), ({"rank_redacted": "best"}, "neither 'served' nor 'original'"),
    ({"valid_from_field": "memstrata_from"}, "memstrata_from"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "match"), BAD_OPTIONS, ids=str)
@pytest.mark.parametrize("maker", MAKERS)
def test_bad_options_are_refused(
    client: Any, collection_name: str, tmp_path: Path, maker: str, given: dict[str, Any], match: str
) -> None:
    """An unknown argument is refused with the nearest known one, a bad value with its name, in every constructor."""
    with pytest.raises(InvalidInputError, match=match):
        MAKERS[maker](client, collection_name, tmp_path, given)
    if maker == "langchain, from_texts":
        assert collection_name not in {collection.name for collection in client.list_collections()}


def test_misspelt_arguments_of_the_frameworks_are_refused(client: Any, collection_name: str, tmp_path: Path) -> None:
    """Also where it is the framework's own argument that was meant, and before a collection is made or written to."""
    with pytest.raises(InvalidInputError, match="embeding_function"):
        LangChainStore(collection_name, client=client, embeding_function=None)
    with pytest.raises(InvalidInputError, match="persist_dir"):
        LlamaIndexStore.from_params("notes", persist_dir=str(tmp_path), persistdir="x")
    assert collection_name not in {collection.name for collection in client.list_collections()}
    made, days = LangChainStore(collection_name, LexicalEmbeddings(), client=client), ["2020-01-01", "2024-02-30"]
    with pytest.raises(InvalidInputError, match="2024-02-30"):
        LangChainStore.from_texts(
            [A, B], made.embeddings, client=client, collection_name=collection_name, valid_from=days
        )
    assert made._collection.count() == 0
    made.delete_collection()
