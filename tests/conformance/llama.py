"""What the LlamaIndex tests share: an embedding without a model, nodes, a splitter by lines, stores side by side."""

import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from llama_index.core import Document, StorageContext, VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.llms import LLMMetadata, MockLLM
from llama_index.core.node_parser import NodeParser
from llama_index.core.node_parser.node_utils import build_nodes_from_splits
from llama_index.core.schema import BaseNode, NodeRelationship, NodeWithScore, RelatedNodeInfo, TextNode
from llama_index.core.vector_stores.types import MetadataFilters, VectorStoreQuery, VectorStoreQueryResult
from llama_index.vector_stores.chroma import ChromaVectorStore

from memstrata_integrations.llama_index import TemporalVectorStore

from .lexical import LexicalEmbeddings

CollectionMaker = Callable[..., Any]

QUESTION = "What is the API port?"
A, B, C = "The API port is 8080.", "The API port is 9090.", "The API port is 7070."
NOISE = [
    "The harbour opens at six.", "Ann wrote the handbook in spring.", "Ferries leave for the island twice a day.",
    "Nets dry on the wall behind the chapel.", "What is the port of the mail server?",
]  # fmt: skip


class LexicalModel(BaseEmbedding):
    """`LexicalEmbeddings` for LlamaIndex; keeps the texts that it was asked to embed."""

    _lexical: LexicalEmbeddings = PrivateAttr()
    _seen: list[str] = PrivateAttr(default_factory=list)

    def __init__(self, dimensions: int = 64, **fields: Any) -> None:
        super().__init__(model_name="lexical", embed_batch_size=512, **fields)
        self._lexical = LexicalEmbeddings(dimensions)

    @classmethod
    def class_name(cls) -> str:
        return "LexicalModel"

    @property
    def seen(self) -> list[str]:
        return self._seen

    def _get_text_embedding(self, text: str) -> list[float]:
        self._seen.append(text)
        return self._lexical.embed_query(text)

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._lexical.embed_query(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)


class LineParser(NodeParser):
    """Makes a node of each line; with `stable` the n-th line of a document always has the same id."""

    stable: bool = False

    def _parse_nodes(self, nodes: Sequence[BaseNode], show_progress: bool = False, **kwargs: Any) -> list[BaseNode]:
        found: list[BaseNode] = []
        for node in nodes:
            lines = [line for line in node.get_content().split("\n") if line.strip()]
            numbers = iter(range(len(lines)))

            def name(n: int, of: BaseNode, numbers: Iterator[int] = numbers) -> str:
                return f"{of.node_id}#{next(numbers)}" if self.stable else str(uuid.uuid4())

            found += build_nodes_from_splits(lines, node, id_func=name)
        return found


def embed(text: str) -> list[float]:
    return LexicalEmbeddings().embed_query(text)


def node(text: str, id_: str | None = None, **fields: Any) -> TextNode:
    """Make a node with its vector and no source."""
    return TextNode(text=text, id_=id_ or str(uuid.uuid4()), embedding=embed(text), **fields)


def part(document: str, version: str | None, text: str, id_: str | None = None, **fields: Any) -> TextNode:
    """Make a node of a document, whose source hash is `version`."""
    source = RelatedNodeInfo(node_id=document, hash=version)
    return node(text, id_, relationships={NodeRelationship.SOURCE: source}, **fields)


def ask(question: str = QUESTION, k: int = 10, **more: Any) -> VectorStoreQuery:
    return VectorStoreQuery(query_embedding=embed(question), query_str=question, similarity_top_k=k, **more)


def matching(**fields: Any) -> MetadataFilters:
    return MetadataFilters.from_dicts([{"key": field, "value": value} for field, value in fields.items()])


def texts(found: VectorStoreQueryResult | Sequence[NodeWithScore] | Sequence[BaseNode]) -> list[str]:
    listed = found.nodes or [] if isinstance(found, VectorStoreQueryResult) else found
    return [getattr(one, "node", one).get_content() for one in listed]


def ports(found: Any) -> list[str]:
    return sorted(text for text in texts(found) if text.startswith("The API port"))


def served(store: Any, question: str = QUESTION, **asked: Any) -> list[str]:
    """Return the sentences about the API port that a query of a store finds."""
    return ports(store.query(ask(question, 20), **asked))


def all_texts(store: Any, **asked: Any) -> list[str]:
    return sorted(texts(store.get_nodes(**asked)))


def plain(found: Any) -> Any:
    """Return an answer as values that can be compared, every field of every node included."""
    if isinstance(found, VectorStoreQueryResult):
        return plain(found.nodes), found.similarities, found.ids
    if isinstance(found, NodeWithScore):
        return plain(found.node), found.score
    if isinstance(found, BaseNode):
        return type(found).__name__, found.to_dict()
    if isinstance(found, (list, tuple)):
        return [plain(one) for one in found]
    return found


def index_of(store: Any, **more: Any) -> VectorStoreIndex:
    """Open an index on a store; each line of a document is a node."""
    arguments = {"embed_model": LexicalModel(), "transformations": [LineParser()], **more}
    return VectorStoreIndex.from_vector_store(store, **arguments)


def index_from(store: Any, documents: Sequence[Document], **more: Any) -> VectorStoreIndex:
    context = StorageContext.from_defaults(vector_store=store)
    return VectorStoreIndex.from_documents(documents, storage_context=context, embed_model=LexicalModel(), **more)


def document(text: str, id_: str | None = None, **metadata: Any) -> Document:
    return Document(text=text, id_=id_ or str(uuid.uuid4()), metadata=metadata)


LINES = LineParser()


def ingest(store: Any, *documents: Document, parser: NodeParser | None = LINES, **more: Any) -> list[BaseNode]:
    """Run documents through a pipeline into a store, cut by a parser, or whole without one."""
    steps = [*([parser] if parser else []), LexicalModel()]
    pipeline = IngestionPipeline(transformations=steps, vector_store=store, disable_cache=True, **more)
    return list(pipeline.run(documents=list(documents)))


class Echo(MockLLM):
    """An LLM that says what it was asked: its answer shows what it was given to read."""

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(context_window=1_000_000, num_output=256)


def llm() -> Echo:
    return Echo()


@contextmanager
def fresh_collections(client: Any) -> Iterator[CollectionMaker]:
    """Make collections of a client that are dropped afterwards."""
    names: list[str] = []

    def make(**arguments: Any) -> Any:
        name = f"test-{uuid.uuid4().hex}"
        names.append(name)
        return client.get_or_create_collection(name, **{"embedding_function": None, **arguments})

    yield make
    existing = {collection.name for collection in client.list_collections()}
    for name in set(names) & existing:
        client.delete_collection(name)


@contextmanager
def pairs(client: Any) -> Iterator[Callable[..., tuple[ChromaVectorStore, TemporalVectorStore]]]:
    """Open stock and ours, each on a collection of its own."""
    with fresh_collections(client) as collection:

        def make(**arguments: Any) -> tuple[ChromaVectorStore, TemporalVectorStore]:
            stock = ChromaVectorStore(chroma_collection=collection(**arguments))
            return stock, TemporalVectorStore(chroma_collection=collection(**arguments))

        yield make
