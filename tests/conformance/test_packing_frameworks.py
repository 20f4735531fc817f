"""The packed context in real chains and query engines: what the model reads is the block, and sources stay usable."""

from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from llama_index.core import Document as LlamaDocument
from llama_index.core import VectorStoreIndex
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.schema import ImageNode, MetadataMode, NodeWithScore, TextNode

from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.langchain.packer import Packer
from memstrata_integrations.llama_index.postprocessors import PackPostprocessor
from memstrata_integrations.packing import estimate_tokens, pack

from .llama import LexicalModel, llm

QUESTION = "Which port does the billing API listen on?"
PAGES = {
    "billing.md": "# Billing\n\nThe billing API was written in spring. The billing API listens on port 9090. Ask Ann.",
    "mail.md": "# Mail\n\nThe mail server listens on port 25. Ask Bob.\n\n- queue: 40\n- retries: 3",
    "search.md": "# Search\n\nThe search service is slow on Mondays. Ask Ann.",
}


@pytest.fixture
def retriever(make_temporal: Callable[..., Any]) -> BaseRetriever:
    store = make_temporal()
    store.add_texts(list(PAGES.values()), [{"source": source} for source in PAGES])
    return store.as_retriever(search_kwargs={"k": 3})


def prompt_of(context: Any) -> str:
    """Return what the model of a stock question-answering chain is asked."""
    seen: list[str] = []
    noted = RunnableLambda(lambda value: seen.append(value.to_string()) or value)
    template = ChatPromptTemplate.from_template("{context}\n---\n{question}")
    assert (context | template | noted | FakeListChatModel(responses=["9090"])).invoke(QUESTION).content == "9090"
    [prompt] = seen
    return prompt


def test_the_packer_stands_behind_a_retriever(retriever: BaseRetriever) -> None:
    prompt = prompt_of({"context": retriever | Packer(budget=60), "question": RunnablePassthrough()})
    context = prompt.removeprefix("Human: ").split("\n---\n")[0]
    assert context == pack(retriever.invoke(QUESTION), budget=60)
    assert context.startswith("Source: ")
    assert 0 < estimate_tokens(context) <= 60


def test_the_question_decides_if_the_packer_sees_it(retriever: BaseRetriever) -> None:
    packed = RunnablePassthrough.assign(context=Packer(budget=24, sources=False))
    prompt = prompt_of({"context": retriever, "question": RunnablePassthrough()} | packed)
    assert "port 9090." in prompt
    assert "spring" not in prompt


async def test_invoke_batch_stream_and_async_agree() -> None:
    documents = [Document(text, metadata={"source": source}) for source, text in PAGES.items()]
    options = {"budget": 50, "count_tokens": len, "dates": True, "separator": "\n***\n"}
    packer, expected = Packer(**options), pack(documents, **options)
    assert expected
    assert packer.invoke(documents) == await packer.ainvoke(documents) == expected
    assert packer.batch([documents, []]) == await packer.abatch([documents, []]) == [expected, ""]
    assert "".join(packer.stream(documents)) == expected
    assert packer.invoke({"context": documents}) == expected
    assert Packer(documents_key="docs", budget=50).invoke({"docs": documents}) == pack(documents, budget=50)


@pytest.mark.parametrize(("call", "told"), [
    (lambda: Packer(budget=0), "budget=0"), (lambda: Packer(bugdet=5), "bugdet"),
    (lambda: Packer().invoke({"docs": []}), "documents_key="), (lambda: Packer().invoke([3]), "document 0"),
    (lambda: PackPostprocessor(budget=-1), "budget=-1"),
])  # fmt: skip
def test_what_cannot_be_used_is_refused(call: Callable[[], Any], told: str) -> None:
    """Errors are this package's, and say what is accepted; an unknown field is pydantic's."""
    with pytest.raises(ValueError if told == "bugdet" else InvalidInputError, match=told):
        call()


@pytest.fixture
def index() -> VectorStoreIndex:
    documents = [LlamaDocument(text=text, metadata={"file_path": path}) for path, text in PAGES.items()]
    splitter = SentenceSplitter(chunk_size=30, chunk_overlap=10)
    return VectorStoreIndex.from_documents(documents, embed_model=LexicalModel(), transformations=[splitter])


def engine(index: VectorStoreIndex, budget: int) -> Any:
    """A stock query engine that packs what it retrieved; the model answers with its prompt."""
    packing = PackPostprocessor(budget=budget)
    return index.as_query_engine(llm=llm(), similarity_top_k=6, node_postprocessors=[packing])


@pytest.mark.parametrize("budget", [30, 60, 1000])
def test_a_query_engine_gives_the_model_the_block(index: VectorStoreIndex, budget: int) -> None:
    context = str(engine(index, budget).query(QUESTION)).split("---------------------\n")[1].strip()
    assert context == pack(index.as_retriever(similarity_top_k=6).retrieve(QUESTION), budget=budget, query=QUESTION)
    assert "port 9090." in context
    assert estimate_tokens(context) <= budget


async def test_sources_stay_usable(index: VectorStoreIndex) -> None:
    retrieved = {n.node.node_id: n for n in index.as_retriever(similarity_top_k=6).retrieve(QUESTION)}
    found = (await engine(index, 500).aquery(QUESTION)).source_nodes
    paths = [one.node.metadata["file_path"] for one in found]
    assert len(set(paths)) == len(paths) > 0
    for one in found:
        best, node = retrieved[one.node.node_id], one.node
        assert (one.score, node.ref_doc_id) == (best.score, best.node.ref_doc_id)
        assert set(node.metadata["packed_node_ids"]) <= set(retrieved)
        assert node.get_content(MetadataMode.LLM) == node.get_content()
        assert node.get_content().startswith(f"Source: {node.metadata['file_path']}\n\n")


def test_the_nodes_given_stay_as_they_are() -> None:
    metadata = {"file_path": "a.md"}
    nodes = [
        NodeWithScore(node=ImageNode(image_url="a.png"), score=0.9),
        NodeWithScore(node=TextNode(text="One is here. Two is there.", metadata=metadata, embedding=[1.0]), score=0.8),
    ]
    before = [n.to_dict() for n in nodes]
    found = PackPostprocessor(budget=17).postprocess_nodes(nodes, query_str="Two?")
    assert [n.to_dict() for n in nodes] == before
    assert metadata == {"file_path": "a.md"}
    assert [n.node.get_content() for n in found] == ["Source: a.md\n\nTwo is there.", ""]
    assert found[1] is nodes[0]
    assert PackPostprocessor().postprocess_nodes([]) == []


def test_the_settings_of_the_postprocessor_survive_a_round_trip() -> None:
    fields = PackPostprocessor(budget=7, sources=False).to_dict()
    assert (fields["class_name"], fields["budget"]) == ("PackPostprocessor", 7)
    assert PackPostprocessor.from_dict(fields).sources is False
