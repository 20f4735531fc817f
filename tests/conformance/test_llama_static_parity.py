"""On knowledge that doesn't change, LlamaIndex flows on `TemporalVectorStore` give what they give on stock.

The same documents of prose, facts, lists and settings, no two of which contradict each other, go into an index on each
store; then each flow is run on both, and every id, text, score, prompt and event must be equal.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from llama_index.core import Document, StorageContext, VectorStoreIndex, load_index_from_storage
from llama_index.core.ingestion import DocstoreStrategy, IngestionPipeline
from llama_index.core.llms import CompletionResponse, CustomLLM, LLMMetadata
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.postprocessor import PrevNextNodePostprocessor
from llama_index.core.retrievers import QueryFusionRetriever, VectorIndexAutoRetriever
from llama_index.core.schema import QueryBundle, TextNode
from llama_index.core.storage.docstore import SimpleDocumentStore
from llama_index.core.vector_stores.types import (
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
    MetadataInfo,
    VectorStoreInfo,
)
from llama_index.vector_stores.chroma import ChromaVectorStore

from memstrata_integrations.llama_index import TemporalVectorStore

from .flows import TOPICS, Pair, asame, documents, from_documents, open_index, rows, same, splitter
from .lexical import LexicalEmbeddings
from .llama import LexicalModel, fresh_collections, llm, pairs, plain
from .test_static_parity import CORPUS, EXACT_INDEX

DOCUMENTS = 60
SMALL_INDEX = {"hnsw": {"space": "cosine", "ef_search": 200, "ef_construction": 60, "num_threads": 1}}


@pytest.fixture
def new_pair(client: Any) -> Iterator[Callable[[], Pair]]:
    """Open stock and ours on new collections."""
    with pairs(client) as make:
        yield lambda: make(configuration=EXACT_INDEX)


@pytest.fixture(scope="module")
def indexes(client: Any) -> Iterator[Pair]:
    """An index on stock and one on ours, filled alike, for tests that only read."""
    with pairs(client) as make:
        stock, ours = (from_documents(store, DOCUMENTS) for store in make(configuration=EXACT_INDEX))
        yield stock, ours


@pytest.fixture
def own(new_pair: Callable[[], Pair]) -> Pair:
    """An index on stock and one on ours with twelve documents, for tests that write."""
    found = [open_index(store) for store in new_pair()]
    for index in found:
        for document in documents(0, 12):
            index.insert(document)
    return found[0], found[1]


# ------------------------------------------------------------------------------------------------------------- writing


def test_the_documents_are_cut_and_nothing_is_retired(indexes: Pair) -> None:
    """From the documents come several hundred nodes, and ours holds every one."""
    held = same(indexes, rows)[0]
    assert len(held) > 1.5 * DOCUMENTS
    assert indexes[1].vector_store.client.count(include_superseded=True) == len(held)


def found(index: Any, topic: str = TOPICS[0]) -> Any:
    """Return the five nearest nodes."""
    return index.as_retriever(similarity_top_k=5).retrieve(topic)


def of_nodes(store: Any) -> Any:
    """Build an index of nodes, which keeps them in its docstore too."""
    nodes = splitter().get_nodes_from_documents(documents(0, 4))
    context = StorageContext.from_defaults(vector_store=store)
    index = VectorStoreIndex(nodes, storage_context=context, embed_model=LexicalModel(), store_nodes_override=True)
    info = {key: value.to_dict() for key, value in index.ref_doc_info.items()}
    return found(index), sorted(index.docstore.docs), info


def opened_again(store: Any) -> Any:
    """Persist a storage context with the vector store, and load it."""
    with TemporaryDirectory() as where:
        from_documents(store, 4).storage_context.persist(persist_dir=where)
        context = StorageContext.from_defaults(vector_store=store, persist_dir=where)
        again = load_index_from_storage(context, embed_model=LexicalModel())
    return found(again, TOPICS[1])


def neighbours(store: Any) -> Any:
    """Find what stands before and behind what was retrieved: relationships survive."""
    context = StorageContext.from_defaults(vector_store=store)
    nodes = splitter().get_nodes_from_documents(documents(0, 6))
    context.docstore.add_documents(nodes)
    index = VectorStoreIndex(nodes, storage_context=context, embed_model=LexicalModel())
    found = index.as_retriever(similarity_top_k=4).retrieve(TOPICS[0])
    return PrevNextNodePostprocessor(docstore=context.docstore, num_nodes=1, mode="both").postprocess_nodes(found)


async def piped_asynchronously(store: Any) -> Any:
    """Run a pipeline twice by `arun`."""
    steps = [splitter(), LexicalModel()]
    pipeline = IngestionPipeline(transformations=steps, vector_store=store, docstore=SimpleDocumentStore())
    first = await pipeline.arun(documents=documents(0, 5))
    return [first, *await pipeline.arun(documents=[*documents(0, 2), Document(text="Rewritten.", id_="document-2")])]


FILLED: dict[str, tuple[Callable[[Any], Any], int]] = {  # what fills an empty store, and how much it gives at least
    "from_documents": (lambda s: found(from_documents(s, 8, insert_batch_size=5)), 5),
    "from_documents, asynchronously": (lambda s: found(from_documents(s, 8, insert_batch_size=5, use_async=True)), 5),
    "an index of nodes": (of_nodes, 3),
    "a storage context that is opened again": (opened_again, 5),
    "previous and next nodes": (neighbours, 5),
    "a pipeline's `arun`": (piped_asynchronously, 2),
    "a pipeline without a docstore": (
        lambda s: told(
            IngestionPipeline(transformations=[LexicalModel()], vector_store=s).run(documents=documents(0, 5))
        ),
        5,
    ),
}


@pytest.mark.parametrize("name", FILLED)
async def test_filling_a_store_is_as_with_stock(new_pair: Callable[[], Pair], name: str) -> None:
    """See the names of the table: every row, vectors included, and what is returned or found."""
    pair, (flow, least) = new_pair(), FILLED[name]
    assert len(await asame(pair, flow)) >= least
    same(pair, lambda store: rows(open_index(store)))


def write(index: Any) -> None:
    """Insert a document, and nodes."""
    index.insert(documents(12, 13)[0])
    index.insert_nodes(splitter().get_nodes_from_documents(documents(13, 15)))


async def awrite(index: Any) -> None:
    """The same, asynchronously."""
    await index.ainsert(documents(12, 13)[0])
    await index.ainsert_nodes(splitter().get_nodes_from_documents(documents(13, 15)))


def delete(index: Any) -> None:
    """Delete a document, and nodes; some of them are not there."""
    index.delete_ref_doc("document-3", delete_from_docstore=True)
    index.delete_ref_doc("no such document")
    index.delete_nodes(["document-5/0", "no such node"])


async def adelete(index: Any) -> None:
    """The same, asynchronously."""
    await index.adelete_ref_doc("document-3", delete_from_docstore=True)
    await index.adelete_nodes(["document-5/0"])


QUAY = Document(text="Nobody lives on the quay any more.", id_="document-7")


def refresh(index: Any) -> Any:
    """Update a document, and refresh all of them, changed ones in the midst."""
    changed = documents(0, 14)
    for n in (2, 5):
        text = f"The old chapel of number {n} was torn down."
        changed[n] = Document(text=text, id_=changed[n].id_, metadata=changed[n].metadata)
    index.update_ref_doc(QUAY)
    return [n for n, refreshed in enumerate(index.refresh_ref_docs(changed)) if refreshed]


async def arefresh(index: Any) -> Any:
    """The same, asynchronously, with documents that did not change."""
    await index.aupdate_ref_doc(QUAY)
    return [n for n, refreshed in enumerate(await index.arefresh_ref_docs(documents(5, 9)), 5) if refreshed]


CHANGED: dict[str, tuple[Callable[[Any], Any], range, Any]] = {  # by how many rows, and what is returned
    "insert": (write, range(3, 99), None),
    "ainsert": (awrite, range(3, 99), None),
    "delete": (delete, range(-99, -1), None),
    "adelete": (adelete, range(-99, -1), None),
    "refresh": (refresh, range(-99, 99), [2, 5, 7, 12, 13]),
    "arefresh": (arefresh, range(-99, 99), [7]),
}


@pytest.mark.parametrize("name", CHANGED)
async def test_changing_a_store_is_as_with_stock(own: Pair, name: str) -> None:
    """Every row is stock's afterwards, vectors included, and so is what is returned."""
    flow, more, returned = CHANGED[name]
    before = len(same(own, rows)[0])
    assert await asame(own, flow) == returned
    assert len(same(own, rows)[0]) - before in more


def told(nodes: Any) -> list[tuple[str, str]]:
    """Return ids and texts."""
    return [(n.node_id, n.get_content()) for n in nodes]


@pytest.mark.parametrize("strategy", list(DocstoreStrategy), ids=lambda s: s.value)
@pytest.mark.parametrize("cut", [True, False], ids=["splitter", "no splitter"])
def test_pipelines_with_a_docstore(new_pair: Callable[[], Pair], strategy: DocstoreStrategy, cut: bool) -> None:
    """A pipeline stores, updates and deletes the same, for each strategy, with and without a splitter.

    A changed document goes in under another id where stock would not replace it: without a splitter, and if only
    duplicates are looked for.
    """
    if not cut and strategy is DocstoreStrategy.UPSERTS_AND_DELETE:
        pytest.skip("stock leaves nodes that no splitter cut when their documents go: see test_llama_versions")
    changed = [*documents(0, 3), *documents(5, 7)]
    replaced = cut and strategy is not DocstoreStrategy.DUPLICATES_ONLY
    changed[1] = Document(text="All of it was rewritten.", id_="document-1" if replaced else "another")

    def flow(store: Any) -> Any:
        pipeline = IngestionPipeline(
            transformations=[*([splitter()] if cut else []), LexicalModel()],
            vector_store=store,
            docstore=SimpleDocumentStore(),
            docstore_strategy=strategy,
            disable_cache=True,
        )
        runs = [told(pipeline.run(documents=list(d))) for d in (documents(0, 5), documents(0, 5), changed)]
        return runs, rows(open_index(store))

    (first, again, third), _ = same(new_pair(), flow)
    assert len(first) >= 5
    assert again == []
    assert third


# --------------------------------------------------------------------------------------------- retrieving and answering


@pytest.mark.parametrize("mode", ["default", "mmr"])
def test_retrievers(indexes: Pair, mode: str) -> None:
    """A retriever gives the same nodes with the same scores, with and without filters, in both modes."""
    some = MetadataFilters(filters=[MetadataFilter(key="n", value=30, operator=FilterOperator.LT)])
    for n, topic in enumerate(TOPICS):
        arguments = {"similarity_top_k": (1, 3, 12)[n % 3], "vector_store_query_mode": mode}
        if n % 2:
            arguments["filters"] = some
        found = same(indexes, lambda i, a=arguments, t=topic: i.as_retriever(**a).retrieve(t))
        assert len(found) == arguments["similarity_top_k"]


class Planner(CustomLLM):
    """Says always the same, which an auto-retriever reads as a query with filters."""

    says: str

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata()

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        return CompletionResponse(text=self.says)

    @llm_completion_callback()
    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> Any:
        raise NotImplementedError


def planned(index: Any, question: str) -> Any:
    """Ask an auto-retriever whose model makes this question and a filter of anything."""
    spec = {"query": question, "filters": [{"key": "n", "value": 7, "operator": ">"}], "top_k": 3}
    number = MetadataInfo(name="n", type="int", description="number")
    info = VectorStoreInfo(content_info="notes", metadata_info=[number])
    return VectorIndexAutoRetriever(index, info, llm=Planner(says=json.dumps(spec)), similarity_top_k=3).retrieve("any")


def fused(index: Any, mode: Any, use_async: bool) -> Any:
    """Ask two retrievers at once, with generated questions."""
    inner = [index.as_retriever(similarity_top_k=4), index.as_retriever(vector_store_query_mode="mmr")]
    how = {"mode": mode, "num_queries": 2, "similarity_top_k": 5, "use_async": use_async}
    return QueryFusionRetriever(inner, llm=llm(), **how).retrieve(TOPICS[2])


PORT = {"where_document": {"$contains": "port"}}
FUSIONS = ("simple", "reciprocal_rerank", "relative_score", "dist_based_score")
RETRIEVED: dict[str, tuple[Callable[[Any], Any], int]] = {
    "aretrieve": (lambda i: i.as_retriever(similarity_top_k=4).aretrieve(TOPICS[3]), 4),
    "arguments for the store": (
        lambda i: i.as_retriever(similarity_top_k=4, vector_store_kwargs=PORT).retrieve(TOPICS[0]), 4),
    "arguments for MMR": (
        lambda i: i.as_retriever(
            similarity_top_k=6, vector_store_query_mode="mmr", vector_store_kwargs={"mmr_threshold": 0.1}
        ).retrieve(TOPICS[0]), 6),
    **{f"fusion, {mode}{', asynchronously' * use_async}": (
        lambda i, m=mode, a=use_async: fused(i, m, a), 5)  # type: ignore[misc]
       for mode in FUSIONS for use_async in (False, True)},
    "an auto-retriever": (lambda i: planned(i, "harbour port"), 3),
    "an auto-retriever to which only filters are left of the question": (lambda i: planned(i, ""), 3),
}  # fmt: skip


@pytest.mark.parametrize("name", RETRIEVED)
async def test_what_is_retrieved_is_stocks(indexes: Pair, name: str) -> None:
    """See the names of the table."""
    flow, count = RETRIEVED[name]
    assert len(await asame(indexes, flow)) == count


def test_a_query_bundle_with_its_own_vector(indexes: Pair) -> None:
    """A question that brings its vector along is not embedded again."""
    bundle = QueryBundle("not what is asked", embedding=LexicalEmbeddings().embed_query(TOPICS[4]))
    found = same(indexes, lambda i: i.as_retriever(similarity_top_k=3).retrieve(bundle))
    assert found == same(indexes, lambda i: i.as_retriever(similarity_top_k=3).retrieve(TOPICS[4]))


@pytest.mark.slow
def test_six_thousand_nodes_in_one_call(client: Any) -> None:
    """Six thousand nodes in one call (stock needs two) give what stock gives."""
    count = 6000
    draw = LexicalEmbeddings(8)
    many = [
        TextNode(
            text=f"Remark {n} on {CORPUS.texts[n % 1200][:40]}.",
            id_=f"n{n}",
            metadata={"n": n, "file_path": f"remarks/{n}"},
            embedding=draw.embed_query(f"remark {n} {uuid.UUID(int=n)}"),
        )
        for n in range(count)
    ]
    with fresh_collections(client) as make:
        stock = ChromaVectorStore(chroma_collection=make(configuration=SMALL_INDEX))
        ours = TemporalVectorStore(chroma_collection=make(configuration=SMALL_INDEX))
        assert [*stock.add(many[:5000]), *stock.add(many[5000:])] == ours.add(many) == [n.node_id for n in many]
        held = [s.client.get(include=["documents"]) for s in (stock, ours)]
        assert held[0]["ids"] == held[1]["ids"]
        assert held[0]["documents"] == held[1]["documents"]
        some = MetadataFilters(filters=[MetadataFilter(key="n", value=5400, operator=FilterOperator.GTE)])
        assert plain(ours.get_nodes(filters=some)) == plain(stock.get_nodes(None, some))
        models = [open_index(s, embed_model=LexicalModel(8)) for s in (stock, ours)]
        for topic in ("remark 5461", "remark 17", "remark 5999"):
            same((models[0], models[1]), lambda i, t=topic: i.as_retriever(similarity_top_k=6).retrieve(t))
