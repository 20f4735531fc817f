"""A page of many facts, of which some go stale, and every reader of both doors that may show it."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from langchain_core.documents import Document
from llama_index.core.schema import MetadataMode
from llama_index.core.vector_stores.types import VectorStoreQuery

from memstrata_integrations.ledger.facts import Extraction, KeyedFact
from memstrata_integrations.llama_index import TemporalRetriever

from .doors import Door
from .llama import ask, embed, index_of, llm

QUESTION = "What is the port?"
PAGE = """# Service notes

The port is 8080. Deploys happen after lunch. The owner is ann.

- The quota is 50.
- Ferries leave at noon.

| name | value |
|---|---|
| retries | 3 |
| workers | 6 |

```ini
batch = 250
host = db1
```

The limit is 30, and the window is 40. The floor is 1 and the ceiling is 9.
"""
WITHOUT_PORT = PAGE.replace("The port is 8080. ", "")
NOISE = ["Ann wrote the handbook in spring.", "Nets dry on the wall behind the chapel."]
NOTE = "[superseded 2024-03-01T00:00:00+00:00 by 9090]"
MODES = {"redact": WITHOUT_PORT, "annotate": PAGE.replace("8080.", f"8080. {NOTE}"), "drop": None, "keep": PAGE}


class Plain:
    """Reads ``The x is y`` in sentences and list items, ``x = y`` lines and ``| x | y |`` rows; all else is prose.

    So the tests depend on what a store does with facts, and not on which ones a grammar finds.
    """

    _LINE = re.compile(r"^(?:(\w+) = (\w+)|\| (\w+) \| (?!value )(\w+) \|)$", re.MULTILINE)
    _SENTENCE = re.compile(r"[^\s.|-][^.\n|]*\.")
    _SAID = re.compile(r"\b[Tt]he (\w+) is (\w+)")

    def extract(self, texts: Sequence[str], metadatas: Any = None) -> list[Extraction]:
        return [self._read(text) for text in texts]

    def _read(self, text: str) -> Extraction:
        said = [(line.span(), [g for g in line.groups() if g]) for line in self._LINE.finditer(text)]
        for sentence in self._SENTENCE.finditer(text):
            said += [(sentence.span(), [*found.groups()]) for found in self._SAID.finditer(sentence[0])]
        rest = list(text)
        for (start, end), _ in said:
            rest[start:end] = " " * (end - start)
        facts = (KeyedFact(name, "is", value, (name, "is"), value, "", span, "plain") for span, (name, value) in said)
        return Extraction(tuple(facts), bool("".join(rest).strip(" \n-")) or not said)


class PageDoor(Door):
    """A door to texts that its readers are asked for one by one."""

    def __init__(self, kind: str, **options: Any) -> None:
        super().__init__(kind, **{"now": "2024-06-01T12:00:00", "extractor": Plain(), **options})

    def add(self, text: str, id_: str | None = None, since: Any = None, **metadata: Any) -> None:
        self.tell(text, metadata, id_, valid_from=since)

    def told(self, reader: str | None = None, **asked: Any) -> dict[str, str]:
        """Return what a reader gives, by id."""
        return by_id(READERS[self.kind][reader](self.store, **asked)) if reader else self.texts(**asked)

    def page(self, reader: str | None = None, **asked: Any) -> str | None:
        return self.told(reader, **asked).get("page")


def by_id(found: Any) -> dict[str, str]:
    """Return the texts of an answer by id, whichever reader gave it."""
    if isinstance(found, Mapping):
        return dict(zip(found["ids"], found["documents"], strict=True))
    listed = [one[0] if isinstance(one, tuple) else getattr(one, "node", one) for one in getattr(found, "nodes", found)]
    if listed and isinstance(listed[0], Document):
        return {str(one.id): one.page_content for one in listed}
    return {one.node_id: one.get_content(metadata_mode=MetadataMode.NONE) for one in listed}


def index_on(store: Any) -> Any:
    return index_of(store, transformations=[])


def temporal_retriever(store: Any, stale: Any = None, **asked: Any) -> TemporalRetriever:
    more = {"stale": stale} if stale else {}
    return TemporalRetriever(index_on(store), similarity_top_k=20, vector_store_kwargs=more, **asked)


IDS = ["page", "port-2", "quota-2", "other"]
VECTOR = embed(QUESTION)
FEW, MMR, TOP = {"k": 20}, {"k": 20, "fetch_k": 30}, {"similarity_top_k": 20}
READERS: dict[str, dict[str, Callable[..., Any]]] = {
    "langchain": {
        "similarity_search": lambda s, **a: s.similarity_search(QUESTION, **FEW, **a),
        "with_score": lambda s, **a: s.similarity_search_with_score(QUESTION, **FEW, **a),
        "with_relevance_scores": lambda s, **a: s.similarity_search_with_relevance_scores(QUESTION, **FEW, **a),
        "search": lambda s, **a: s.search(QUESTION, "similarity", **FEW, **a),
        "by_vector": lambda s, **a: s.similarity_search_by_vector(VECTOR, **FEW, **a),
        "by_vector_with_scores": lambda s, **a: s.similarity_search_by_vector_with_relevance_scores(VECTOR, **FEW, **a),
        "with_vectors": lambda s, **a: s.similarity_search_with_vectors(QUESTION, **FEW, **a),
        "mmr": lambda s, **a: s.max_marginal_relevance_search(QUESTION, **MMR, **a),
        "mmr_by_vector": lambda s, **a: s.max_marginal_relevance_search_by_vector(VECTOR, **MMR, **a),
        "get": lambda s, **a: s.get(**a),
        "get_by_id": lambda s, **a: s.get(ids=IDS, **a),
        "get_by_ids": lambda s, **a: s.get_by_ids(IDS, **a),
        "retriever": lambda s, **a: s.as_retriever(search_kwargs={**FEW, **a}).invoke(QUESTION),
        "retriever_call": lambda s, **a: s.as_retriever().invoke(QUESTION, **FEW, **a),
        "retriever_mmr": lambda s, **a: s.as_retriever(search_type="mmr", search_kwargs=MMR | a).invoke(QUESTION),
    },
    "llama_index": {
        "query": lambda s, **a: s.query(ask(QUESTION, 20), **a),
        "query_mmr": lambda s, **a: s.query(ask(QUESTION, 20, mode="mmr"), **a),
        "query_without_vector": lambda s, **a: s.query(VectorStoreQuery(similarity_top_k=20), **a),
        "get_nodes": lambda s, **a: s.get_nodes(**a),
        "get_nodes_by_id": lambda s, **a: s.get_nodes(node_ids=IDS, **a),
        "retriever": lambda s, **a: index_on(s).as_retriever(**TOP, vector_store_kwargs=a).retrieve(QUESTION),
        "temporal_retriever": lambda s, **a: temporal_retriever(s, **a).retrieve(QUESTION),
        "query_engine": lambda s, **a: (
            index_on(s).as_query_engine(**TOP, llm=llm(), vector_store_kwargs=a).query(QUESTION).source_nodes
        ),
    },
}
FILTERED = {
    "langchain": ["similarity_search", "with_score", "by_vector", "mmr", "get", "get_by_id", "retriever"],
    "llama_index": ["query", "query_mmr", "query_without_vector"],
}


@pytest.fixture(params=list(READERS))
def door(request: pytest.FixtureRequest) -> PageDoor:
    return PageDoor(request.param)


@pytest.fixture
def evolved(door: PageDoor) -> PageDoor:
    return evolve(door)


def evolve(door: PageDoor) -> PageDoor:
    """Write the page in January; on 1 April it becomes known that the port changed on 1 March; now is June."""
    door.clock.set("2024-01-01")
    door.add(PAGE, "page", "2024-01-01", source="a.md", level=1)
    for n, text in enumerate(NOISE):
        door.add(text, f"noise-{n}", source="b.md", level=2)
    door.clock.set("2024-04-01")
    door.add("The port is 9090.", "port-2", "2024-03-01", source="b.md", level=2)
    door.clock.set("2024-06-01T12:00:00")
    return door
