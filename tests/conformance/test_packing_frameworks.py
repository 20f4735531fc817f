"""The packed context in real chains and query engines: what the model reads is the block, and sources stay usable."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from llama_index.core import Document as LlamaDocument
from llama_index.core import VectorStoreIndex
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.schema import ImageNode, MetadataMode, NodeWithScore, TextNode

from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.langchain import TemporalVectorStore
from memstrata_integrations.langchain.packer import Packer
from memstrata_integrations.llama_index.postprocessors import PackPostprocessor
from memstrata_integrations.packing import estimate_tokens, pack

from .lexical import LexicalEmbeddings
from .llama import LexicalModel, llm

QUESTION = "Which port does the billing API listen on?"
PAGES = {
    "billing.md": "# Billing\n\nThe billing API was written in spring. The billing API listens on port 9090. Ask Ann.",
    "mail.md": "# Mail\n\nThe mail server listens on port 25. Ask Bob.\n\n- queue: 40\n- retries: 3",
    "search.md": "# Search\n\nThe search service is slow on Mondays. Ask Ann.",
}


# -- LangChain ----------------------------------------------------------------------------


@pytest.fixture
def retriever(client: Any) -> BaseRetriever:
    """A retriever over a temporal store of three pages."""
    store = TemporalVectorStore(f"packing-{uuid.uuid4().hex}", LexicalEmbeddings(), client=client)
    store.add_texts(list(PAGES.values()), [{"source": source} for source in PAGES])
    return store.as_retriever(search_kwargs={"k": 3})


def chain_of(context: Any, seen: list[str]) -> Any:
    """A stock question-answering chain whose prompts are kept."""
    prompt = ChatPromptTemplate.from_template("{context}\n---\n{question}")

    def note(value: Any) -> Any:
        seen.append(value.to_string())
        return value

    return context | prompt | RunnableLambda(note) | FakeListChatModel(responses=["9090"]) | StrOutputParser()


def test_the_packer_stands_behind_a_retriever(retriever: BaseRetriever) -> None:
    """`retriever | Packer(...)` gives the prompt the block, within its budget."""
    seen: list[str] = []
    packer = Packer(budget=60)
    chain = chain_of({"context": retriever | packer, "question": RunnablePassthrough()}, seen)
    assert chain.invoke(QUESTION) == "9090"
    [prompt] = seen
    context = prompt.removeprefix("Human: ").split("\n---\n")[0]
    assert context == pack(retriever.invoke(QUESTION), budget=60)
    assert context.startswith("Source: ")
    assert 0 < estimate_tokens(context) <= 60


def test_the_question_decides_if_the_packer_sees_it(retriever: BaseRetriever) -> None:
    """With the mapping of a retrieval chain the statement that answers stays, however short the budget."""
    seen: list[str] = []
    packed = RunnablePassthrough.assign(context=Packer(budget=24, sources=False))
    chain = chain_of({"context": retriever, "question": RunnablePassthrough()} | packed, seen)
    assert chain.invoke(QUESTION) == "9090"
    assert "port 9090." in seen[0]
    assert "spring" not in seen[0]


async def test_invoke_batch_stream_and_async_agree() -> None:
    """Every way to call a runnable gives the same text."""
    documents = [Document(text, metadata={"source": source}) for source, text in PAGES.items()]
    packer = Packer(budget=50, count_tokens=len, dates=True, separator="\n***\n")
    expected = pack(documents, budget=50, count_tokens=len, dates=True, separator="\n***\n")
    assert expected
    assert packer.invoke(documents) == await packer.ainvoke(documents) == expected
    assert packer.batch([documents, []]) == await packer.abatch([documents, []]) == [expected, ""]
    assert "".join(packer.stream(documents)) == expected
    assert packer.invoke({"context": documents}) == expected
    assert Packer(documents_key="docs", budget=50).invoke({"docs": documents}) == pack(documents, budget=50)


def test_the_packer_refuses_what_it_cannot_use() -> None:
    """Errors are this package's, and say what is accepted."""
    with pytest.raises(InvalidInputError, match="budget=0"):
        Packer(budget=0)
    with pytest.raises(InvalidInputError, match="documents_key="):
        Packer().invoke({"docs": []})
    with pytest.raises(ValueError, match="bugdet"):
        Packer(bugdet=5)
    with pytest.raises(InvalidInputError, match="document 0"):
        Packer().invoke([3])  # type: ignore[list-item]


# -- LlamaIndex ---------------------------------------------------------------------------


@pytest.fixture
def index() -> VectorStoreIndex:
    """An index of three pages in overlapping chunks."""
    documents = [LlamaDocument(text=text, metadata={"file_path": path}) for path, text in PAGES.items()]
    splitter = SentenceSplitter(chunk_size=30, chunk_overlap=10)
    return VectorStoreIndex.from_documents(documents, embed_model=LexicalModel(), transformations=[splitter])


def read(response: Any) -> str:
    """Return the context that the model was given; it answers with its prompt."""
    return str(response).split("---------------------\n")[1].strip()


def test_a_query_engine_gives_the_model_the_block(index: VectorStoreIndex) -> None:
    """The model reads what `pack` makes of the retrieved nodes, and no metadata beside it."""
    retrieved = index.as_retriever(similarity_top_k=6).retrieve(QUESTION)
    for budget in (30, 60, 1000):
        engine = index.as_query_engine(
            llm=llm(), similarity_top_k=6, node_postprocessors=[PackPostprocessor(budget=budget)]
        )
        context = read(engine.query(QUESTION))
        assert context == pack(retrieved, budget=budget, query=QUESTION)
        assert "port 9090." in context
        assert estimate_tokens(context) <= budget


async def test_sources_stay_usable(index: VectorStoreIndex) -> None:
    """`source_nodes` has one node a source, with the id, score and metadata of the best, and names all that went in."""
    retrieved = {n.node.node_id: n for n in index.as_retriever(similarity_top_k=6).retrieve(QUESTION)}
    engine = index.as_query_engine(llm=llm(), similarity_top_k=6, node_postprocessors=[PackPostprocessor(budget=500)])
    response = await engine.aquery(QUESTION)
    assert response.source_nodes
    paths = [found.node.metadata["file_path"] for found in response.source_nodes]
    assert len(set(paths)) == len(paths)
    for found in response.source_nodes:
        best = retrieved[found.node.node_id]
        assert found.score == best.score
        assert found.node.ref_doc_id == best.node.ref_doc_id
        assert set(found.node.metadata["packed_node_ids"]) <= set(retrieved)
        assert found.node.get_content(MetadataMode.LLM) == found.node.get_content()
        assert found.node.get_content().startswith(f"Source: {found.node.metadata['file_path']}\n\n")


def test_the_nodes_given_stay_as_they_are() -> None:
    """Nodes are copied, and those without text pass, behind the others."""
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


def test_the_postprocessor_checks_and_serialises() -> None:
    """A bad budget is refused, and the settings survive a round trip."""
    with pytest.raises(InvalidInputError, match="budget=-1"):
        PackPostprocessor(budget=-1)
    fields = PackPostprocessor(budget=7, sources=False).to_dict()
    assert (fields["class_name"], fields["budget"]) == ("PackPostprocessor", 7)
    assert PackPostprocessor.from_dict(fields).sources is False
