"""A text of many facts, of which some went stale: every reader of both doors gets the rest of it, readable."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest
from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter
from llama_index.core import Document as IndexDocument
from llama_index.core import VectorStoreIndex
from llama_index.core.node_parser import MarkdownNodeParser, SentenceSplitter
from llama_index.core.schema import MetadataMode
from llama_index.core.vector_stores.types import MetadataFilter, MetadataFilters, VectorStoreQuery

from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.langchain import TemporalVectorStore as ChainStore
from memstrata_integrations.ledger.facts import Extraction, KeyedFact
from memstrata_integrations.llama_index import TemporalRetriever
from memstrata_integrations.llama_index import TemporalVectorStore as IndexStore
from memstrata_integrations.redaction.text import matches

from .conftest import StillClock
from .lexical import LexicalEmbeddings
from .llama import LexicalModel, ask, embed, fresh_collections, llm, node

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


class Plain:
    """Reads ``The x is y`` in sentences and list items, ``x = y`` lines and ``| x | y |`` rows; all else is prose.

    So the tests depend on what a store does with facts, and not on which ones a grammar finds.
    """

    _SENTENCE = re.compile(r"[^\s.|][^.\n|]*\.")
    _SAID = re.compile(r"\b[Tt]he (\w+) is (\w+)")
    _PAIR = re.compile(r"(\w+) = (\w+)")
    _ROW = re.compile(r"\| (\w+) \| (\w+) \|")

    def extract(
        self, texts: Sequence[str], metadatas: Sequence[Mapping[str, Any] | None] | None = None
    ) -> list[Extraction]:
        return [self._read(text) for text in texts]

    def _read(self, text: str) -> Extraction:
        facts: list[KeyedFact] = []
        rest = list(text)
        start = 0
        for line in text.split("\n"):
            for pattern in (self._PAIR, self._ROW):
                if (found := pattern.fullmatch(line)) and found[2] != "value":
                    facts.append(self._fact(*found.groups(), (start, start + len(line))))
            lead = len(line) - len(line.removeprefix("- "))
            for sentence in self._SENTENCE.finditer(line, lead):
                span = (start + sentence.start(), start + sentence.end())
                facts += [self._fact(*said.groups(), span) for said in self._SAID.finditer(sentence[0])]
            start += len(line) + 1
        for fact in facts:
            rest[slice(*fact.span)] = " " * (fact.span[1] - fact.span[0])
        return Extraction(tuple(facts), bool("".join(rest).strip(" \n-")) or not facts)

    @staticmethod
    def _fact(subject: str, value: str, span: tuple[int, int]) -> KeyedFact:
        return KeyedFact(subject, "is", value, (subject, "is"), value, "", span, "plain")


class Door:
    """One front door: what a test does through it reads the same for both."""

    def __init__(self, name: str, store: Any) -> None:
        self.name = name
        self.store = store

    def add(self, text: str, id_: str | None = None, since: Any = None, **metadata: Any) -> None:
        """Write one text."""
        if self.name == "langchain":
            self.store.add_texts([text], [metadata] if metadata else None, [id_] if id_ else None, valid_from=since)
        else:
            self.store.add([node(text, id_, metadata=metadata)], valid_from=since)

    def texts(self, reader: str | None = None, **asked: Any) -> dict[str, str]:
        """Return what a reader gives, by id."""
        name = reader or ("get" if self.name == "langchain" else "get_nodes")
        return READERS[self.name][name](self.store, **asked)

    def page(self, reader: str | None = None, **asked: Any) -> str | None:
        """Return the page as a reader gives it."""
        return self.texts(reader, **asked).get("page")


def _documents(found: Sequence[Any]) -> dict[str, str]:
    listed = [f[0] if isinstance(f, tuple) else f for f in found]
    return {str(d.id): d.page_content for d in listed}


def _nodes(found: Any) -> dict[str, str]:
    listed = found.nodes if hasattr(found, "nodes") else found
    plain = [getattr(n, "node", n) for n in listed]
    return {n.node_id: n.get_content(metadata_mode=MetadataMode.NONE) for n in plain}


def _got(found: Mapping[str, Any]) -> dict[str, str]:
    return dict(zip(found["ids"], found["documents"], strict=True))


def _index(store: Any) -> VectorStoreIndex:
    return VectorStoreIndex.from_vector_store(store, embed_model=LexicalModel(), transformations=[])


def _engine(store: Any, **asked: Any) -> Any:
    return _index(store).as_query_engine(similarity_top_k=20, llm=llm(), vector_store_kwargs=asked)


Reader = Callable[..., dict[str, str]]
IDS = ["page", "port-2", "quota-2", "other"]
READERS: dict[str, dict[str, Reader]] = {
    "langchain": {
        "similarity_search": lambda s, **a: _documents(s.similarity_search(QUESTION, k=20, **a)),
        "with_score": lambda s, **a: _documents(s.similarity_search_with_score(QUESTION, k=20, **a)),
        "by_vector": lambda s, **a: _documents(s.similarity_search_by_vector(embed(QUESTION), k=20, **a)),
        "by_vector_with_scores": lambda s, **a: _documents(
            s.similarity_search_by_vector_with_relevance_scores(embed(QUESTION), k=20, **a)
        ),
        "with_vectors": lambda s, **a: _documents(s.similarity_search_with_vectors(QUESTION, k=20, **a)),
        "mmr": lambda s, **a: _documents(s.max_marginal_relevance_search(QUESTION, k=20, fetch_k=30, **a)),
        "mmr_by_vector": lambda s, **a: _documents(
            s.max_marginal_relevance_search_by_vector(embed(QUESTION), k=20, fetch_k=30, **a)
        ),
        "get": lambda s, **a: _got(s.get(**a)),
        "get_by_id": lambda s, **a: _got(s.get(ids=IDS, **a)),
        "get_by_ids": lambda s, **a: _documents(s.get_by_ids(IDS, **a)),
        "retriever": lambda s, **a: _documents(s.as_retriever(search_kwargs={"k": 20, **a}).invoke(QUESTION)),
        "retriever_call": lambda s, **a: _documents(s.as_retriever().invoke(QUESTION, k=20, **a)),
        "retriever_mmr": lambda s, **a: _documents(
            s.as_retriever(search_type="mmr", search_kwargs={"k": 20, "fetch_k": 30, **a}).invoke(QUESTION)
        ),
    },
    "llama_index": {
        "query": lambda s, **a: _nodes(s.query(ask(QUESTION, 20), **a)),
        "query_mmr": lambda s, **a: _nodes(s.query(ask(QUESTION, 20, mode="mmr"), **a)),
        "query_without_vector": lambda s, **a: _nodes(s.query(VectorStoreQuery(similarity_top_k=20), **a)),
        "get_nodes": lambda s, **a: _nodes(s.get_nodes(**a)),
        "get_nodes_by_id": lambda s, **a: _nodes(s.get_nodes(node_ids=IDS, **a)),
        "retriever": lambda s, **a: _nodes(
            _index(s).as_retriever(similarity_top_k=20, vector_store_kwargs=a).retrieve(QUESTION)
        ),
        "temporal_retriever": lambda s, **a: _nodes(
            TemporalRetriever(
                _index(s),
                similarity_top_k=20,
                vector_store_kwargs={k: v for k, v in a.items() if k == "stale"},
                **{k: v for k, v in a.items() if k != "stale"},
            ).retrieve(QUESTION)
        ),
        "query_engine": lambda s, **a: _nodes(_engine(s, **a).query(QUESTION).source_nodes),
    },
}
EVERY = [(door, reader) for door, readers in READERS.items() for reader in readers]

OpenDoor = Callable[..., Door]


@pytest.fixture
def open_door(client: Any, clock: StillClock) -> Iterator[OpenDoor]:
    """Open either door on a new collection in memory, or of another client, under the still clock."""
    used: list[Any] = []

    def make(name: str, at: Any = None, **options: Any) -> Door:
        where = at or client
        used.append((where, f"test-{uuid.uuid4().hex}"))
        where.get_or_create_collection(used[-1][1], embedding_function=None)
        options = {"extractor": Plain(), "clock": clock, **options}
        if name == "langchain":
            store: Any = ChainStore(used[-1][1], LexicalEmbeddings(), client=where, **options)
        else:
            store = IndexStore(where.get_or_create_collection(used[-1][1], embedding_function=None), **options)
        return Door(name, store)

    yield make
    for where, name in used:
        where.delete_collection(name)


@pytest.fixture(params=list(READERS))
def door(request: pytest.FixtureRequest, open_door: OpenDoor) -> Door:
    """Both doors in turn, empty."""
    return open_door(request.param)


def evolve(door: Door, clock: StillClock) -> Door:
    """Write the page in January; on 1 April it becomes known that the port changed on 1 March; now is June."""
    clock.set("2024-01-01T00:00:00")
    door.add(PAGE, "page", "2024-01-01", source="a.md", level=1)
    for n, text in enumerate(NOISE):
        door.add(text, f"noise-{n}", source="b.md", level=2)
    clock.set("2024-04-01T00:00:00")
    door.add("The port is 9090.", "port-2", "2024-03-01", source="b.md", level=2)
    clock.set("2024-06-01T12:00:00")
    return door


@pytest.fixture
def evolved(door: Door, clock: StillClock) -> Door:
    """Both doors in turn, with a page of which the port is stale."""
    return evolve(door, clock)


# ------------------------------------------------------------------------------------------------------ every reader


@pytest.mark.parametrize(("name", "reader"), EVERY)
def test_every_reader_gets_the_page_as_it_is_or_was_valid(
    open_door: OpenDoor, clock: StillClock, name: str, reader: str
) -> None:
    door = evolve(open_door(name), clock)
    assert door.page(reader) == WITHOUT_PORT
    assert door.page(reader, as_of="2024-02-01") == PAGE
    assert door.page(reader, as_of="2024-03-15") == WITHOUT_PORT
    assert door.page(reader, known_at="2024-03-15") == PAGE  # the change was not known yet
    assert door.page(reader, as_of="2024-03-15", known_at="2024-03-15") == PAGE
    assert door.page(reader, as_of="2024-03-15", known_at="2024-05-01") == WITHOUT_PORT
    assert door.page(reader, as_of="2024-02-01", known_at="2024-05-01") == PAGE
    assert door.page(reader, include_superseded=True) == PAGE
    assert door.texts(reader)["port-2"] == "The port is 9090."
    assert "port-2" not in door.texts(reader, as_of="2024-02-01")


@pytest.mark.parametrize(("name", "reader"), EVERY)
def test_every_reader_knows_what_to_do_with_the_stale_parts(
    open_door: OpenDoor, clock: StillClock, name: str, reader: str
) -> None:
    noted = PAGE.replace("8080.", f"8080. {NOTE}")
    want = {"redact": WITHOUT_PORT, "annotate": noted, "drop": None, "keep": PAGE}
    door = evolve(open_door(name), clock)
    for mode, text in want.items():
        assert door.page(reader, stale=mode) == text, mode
        assert door.page(reader, stale=mode, as_of="2024-02-01") == PAGE, mode
        assert door.page(reader, stale=mode, include_superseded=True) == PAGE, mode
    for mode, text in want.items():
        other = evolve(open_door(name, stale=mode), clock)
        assert other.page(reader) == text, mode
        assert other.page(reader, stale="keep") == PAGE, mode
        assert other.page(reader, stale="redact") == WITHOUT_PORT, mode


@pytest.mark.parametrize("stale", ["redact", "annotate", "drop", "keep"])
def test_as_many_rows_are_counted_as_a_reader_gets(open_door: OpenDoor, clock: StillClock, stale: str) -> None:
    store = evolve(open_door("langchain", stale=stale), clock).store.temporal_collection
    for asked in ({}, {"as_of": "2024-02-01"}, {"include_superseded": True}, {"known_at": "2024-02-01"}):
        assert store.count(**asked) == len(store.get(**asked)["ids"]), asked


def test_a_retirement_is_no_part_of_stale_modes(evolved: Door) -> None:
    evolved.add("The port is 7070.", "port-3", "2024-05-01")
    for mode in ("redact", "annotate", "drop", "keep"):
        found = evolved.texts(stale=mode)
        assert "port-2" not in found, mode
        assert "port-3" in found, mode


def test_an_unknown_mode_is_refused(open_door: OpenDoor, evolved: Door) -> None:
    with pytest.raises(InvalidInputError, match="stale"):
        open_door(evolved.name, stale="hide")
    with pytest.raises(InvalidInputError, match="stale"):
        evolved.texts(stale="hide")


def test_an_annotation_as_known_earlier_names_no_later_value(evolved: Door, clock: StillClock) -> None:
    evolved.add("The port is 7070.", "port-3", "2024-03-01")  # corrects 9090
    assert "by 7070]" in str(evolved.page(stale="annotate"))
    known = str(evolved.page(stale="annotate", known_at="2024-05-01"))
    assert "The port is 8080. [superseded" in known
    assert "7070" not in known


async def test_async_readers_redact(open_door: OpenDoor, clock: StillClock) -> None:
    chain = evolve(open_door("langchain"), clock).store
    index = evolve(open_door("llama_index"), clock).store
    asked: dict[str, Any]
    for asked, want in (({}, WITHOUT_PORT), ({"as_of": "2024-02-01"}, PAGE), ({"stale": "keep"}, PAGE)):
        for found in (
            await chain.asimilarity_search(QUESTION, k=20, **asked),
            await chain.asimilarity_search_with_score(QUESTION, k=20, **asked),
            await chain.amax_marginal_relevance_search(QUESTION, k=20, fetch_k=30, **asked),
            await chain.aget_by_ids(IDS, **asked),
            await chain.as_retriever().ainvoke(QUESTION, k=20, **asked),
        ):
            assert _documents(found)["page"] == want
        for nodes in (await index.aquery(ask(QUESTION, 20), **asked), await index.aget_nodes(**asked)):
            assert _nodes(nodes)["page"] == want


def test_a_query_engine_reads_no_stale_sentence(open_door: OpenDoor, clock: StillClock) -> None:
    store = evolve(open_door("llama_index"), clock).store
    now, past = str(_engine(store).query(QUESTION)), str(_engine(store, as_of="2024-02-01").query(QUESTION))
    assert "9090" in now
    assert "Deploys happen after lunch." in now
    assert "8080" not in now
    assert "8080" in past
    assert "9090" not in past


def test_a_row_that_is_whole_comes_as_it_is(evolved: Door) -> None:
    assert evolved.texts()["noise-0"] == NOISE[0]
    assert evolved.texts(stale="drop")["noise-0"] == NOISE[0]


# ------------------------------------------------------------------------------------------------------- many filters


def test_a_metadata_filter_sees_redacted_rows(open_door: OpenDoor, clock: StillClock) -> None:
    chain = evolve(open_door("langchain"), clock).store
    index = evolve(open_door("llama_index"), clock).store
    for chosen, ids in (({"source": "a.md"}, {"page"}), ({"level": {"$gte": 2}}, {"noise-0", "noise-1", "port-2"})):
        found = [
            _documents(chain.similarity_search(QUESTION, k=20, filter=chosen)),
            _documents(chain.max_marginal_relevance_search(QUESTION, k=20, fetch_k=30, filter=chosen)),
            _got(chain.get(where=chosen)),
            _nodes(index.query(ask(QUESTION, 20), where=chosen)),
        ]
        for texts in found:
            assert set(texts) == ids
            assert texts.get("page", WITHOUT_PORT) == WITHOUT_PORT
    filters = MetadataFilters(filters=[MetadataFilter(key="source", value="a.md")])
    assert _nodes(index.query(ask(QUESTION, 20, filters=filters))) == {"page": WITHOUT_PORT}
    assert _nodes(index.query(ask(QUESTION, 20, filters=filters), as_of="2024-02-01")) == {"page": PAGE}
    assert _nodes(index.get_nodes(filters=filters)) == {"page": WITHOUT_PORT}
    assert _documents(chain.similarity_search("port", filter={"source": "a.md"}, stale="drop")) == {}


FILTERED = {
    "langchain": ["similarity_search", "with_score", "by_vector", "mmr", "get", "get_by_id", "retriever"],
    "llama_index": ["query", "query_mmr", "query_without_vector"],
}
HITS: list[tuple[dict[str, Any], bool, bool]] = [  # the clause, is the page found now, and as of February
    ({"$contains": "8080"}, False, True),
    ({"$contains": "The port is"}, False, True),
    ({"$contains": "lunch"}, True, True),
    ({"$contains": "zebra"}, False, False),
    ({"$not_contains": "zebra"}, True, True),
    ({"$not_contains": "lunch"}, False, False),
    ({"$not_contains": "8080"}, False, False),  # Chroma looks at the original, and that has it
    ({"$regex": "80[0-9]{2}"}, False, True),
    ({"$regex": "(?i)LUNCH\\."}, True, True),
    ({"$not_regex": "zeb.a"}, True, True),
    ({"$and": [{"$contains": "lunch"}, {"$contains": "8080"}]}, False, True),
    ({"$and": [{"$contains": "lunch"}, {"$contains": "ann"}]}, True, True),
    ({"$and": [{"$contains": "8080"}, {"$not_contains": "zebra"}]}, False, True),
    ({"$or": [{"$contains": "lunch"}, {"$contains": "8080"}]}, True, True),
    ({"$or": [{"$contains": "zebra"}, {"$contains": "8080"}]}, False, True),
    ({"$or": [{"$and": [{"$contains": "ann"}, {"$regex": "8080"}]}, {"$contains": "9090"}]}, False, True),
]


@pytest.mark.parametrize(("clause", "now", "past"), HITS, ids=[str(clause) for clause, _, _ in HITS])
def test_a_text_filter_that_hits_a_redacted_part_misses(
    evolved: Door, clause: dict[str, Any], now: bool, past: bool
) -> None:
    for reader in FILTERED[evolved.name]:
        assert evolved.page(reader, where_document=clause) == (WITHOUT_PORT if now else None), reader
        for asked in ({"as_of": "2024-02-01"}, {"known_at": "2024-03-15"}, {"stale": "keep"}):
            assert evolved.page(reader, where_document=clause, **asked) == (PAGE if past else None), (reader, asked)
        annotated = evolved.page(reader, where_document=clause, stale="annotate")
        assert (annotated is not None) == past, reader
        assert evolved.page(reader, where_document=clause, stale="drop") is None, reader


@pytest.mark.parametrize("pattern", [r"\p{Lu}eploys", r"9\.\n\z", "(?i)deploys(?-i) happen", "(?-u)lunch"])
def test_a_pattern_in_the_syntax_of_chroma_finds_what_is_live(evolved: Door, pattern: str) -> None:
    """Chroma's regular expressions are Rust's; Python's `re` doesn't read all of them."""
    for reader in FILTERED[evolved.name]:
        assert evolved.page(reader, where_document={"$regex": pattern}, as_of="2024-02-01") == PAGE
        assert evolved.page(reader, where_document={"$regex": pattern}) == WITHOUT_PORT


@pytest.mark.parametrize(
    ("pattern", "want"),
    [("[[:upper:]]eploys", WITHOUT_PORT), (r"The port is \p{Nd}{4}\.", None)],
    ids=["live", "stale"],
)
def test_a_pattern_in_the_syntax_of_chroma_alone(evolved: Door, pattern: str, want: str | None) -> None:
    for reader in FILTERED[evolved.name]:
        assert evolved.page(reader, where_document={"$regex": pattern}, as_of="2024-02-01") == PAGE
        assert evolved.page(reader, where_document={"$regex": pattern}) == want


PATTERNS = [
    "[[:upper:]]eploys", r"\p{Nd}{4}\.", r"9\.\n\z", "(?i)DEPLOYS", "(?-u)lunch", "^b$", "(?m)^b$", "a.b", "(?s)a.b",
    r"\d\d", "[a-z&&[^b]]$", r"(?x) a \n b", r"\x{64}eploys", "(?P<n>po)rt", r"\bport\b", "(?R)a$", r"\<port\>",
    r"\A\z", "(?i)ü", r"[\w--\d]+ç", "a{2,}?", "x*", r"\pL\PL",
]  # fmt: skip
TEXTS = [PAGE, "deploys", "Ünï çode ٣٤ port", "a\nb", "DEPLOYS\r\nx", "9.\n", "x", "aa Ü"]


@pytest.mark.parametrize("operator", ["$regex", "$not_regex"])
def test_a_pattern_finds_in_a_text_what_chroma_would_find(client: Any, operator: str) -> None:
    with fresh_collections(client) as collection:
        stored = collection()
        ids = [str(n) for n in range(len(TEXTS))]
        stored.add(ids=ids, documents=TEXTS, embeddings=[[1.0, 0.0]] * len(TEXTS))
        for pattern in PATTERNS:
            clause = {operator: pattern}
            want = stored.get(where_document=clause)["ids"]
            assert [i for i, text in zip(ids, TEXTS, strict=True) if matches(clause, text)] == sorted(want), pattern


def test_a_text_filter_with_a_metadata_filter(open_door: OpenDoor, clock: StillClock) -> None:
    store = evolve(open_door("langchain"), clock).store
    for hit, ids in (("8080", set()), ("lunch", {"page"})):
        clause = {"$contains": hit}
        found = store.similarity_search(QUESTION, k=20, filter={"source": "a.md"}, where_document=clause)
        assert set(_documents(found)) == ids
        assert set(store.get(where={"source": "a.md"}, where_document=clause)["ids"]) == ids


def test_what_a_text_filter_drops_is_made_up_for(door: Door) -> None:
    """Ten pages hit in their stale part only, one in its live part: it is found, even as the single one asked for."""
    for n in range(10):
        door.add(f"The port is 8080. Harbour {n} opens at six.", f"old-{n}", "2024-01-01")
    door.add("Port 8080 was painted on the harbour wall. Nets dry behind the chapel.", "live", "2024-01-01")
    door.add("The port is 9090.", "new", "2024-02-01")
    clause = {"$contains": "8080"}
    if door.name == "langchain":
        assert [d.id for d in door.store.similarity_search(QUESTION, k=1, where_document=clause)] == ["live"]
        assert door.store.get(limit=1, where_document=clause)["ids"] == ["live"]
    else:
        assert door.store.query(ask(QUESTION, 1), where_document=clause).ids == ["live"]


# ------------------------------------------------------------------------------------ what is shown of the original


def test_history_and_explain_show_the_original(evolved: Door) -> None:
    statements = [e.statement for e in evolved.store.history("port")]
    assert statements == ["The port is 8080.", "The port is 9090."]
    assert "The port is 8080." in [e.statement for e in evolved.store.history(id="page")]
    said = str(evolved.store.explain("page"))
    assert "The port is 8080." in said
    assert "superseded" in said
    assert evolved.store.explain("page").status == "current"


def test_counting_is_not_affected(door: Door, clock: StillClock) -> None:
    door.add(PAGE, "page", "2024-01-01")
    collection = door.store.temporal_collection
    assert collection.count() == 1
    door.add("The port is 9090.", "port-2", "2024-03-01")
    assert collection.count() == 2
    assert collection.count(as_of="2024-02-01") == 1
    assert collection.count(include_superseded=True) == 2
    assert set(door.texts()) == {"page", "port-2"}


def test_the_row_goes_when_nothing_live_is_left(door: Door) -> None:
    door.add("The port is 8080. The quota is 50.", "page", "2024-01-01")
    door.add("The port is 9090.", "port-2", "2024-02-01")
    assert door.page() == "The quota is 50."
    door.add("The quota is 60.", "quota-2", "2024-03-01")
    assert sorted(door.texts()) == ["port-2", "quota-2"]
    for reader in READERS[door.name]:
        assert door.page(reader) is None, reader
        for mode in ("annotate", "keep", "drop"):
            assert door.page(reader, stale=mode) is None, (reader, mode)
        assert door.page(reader, as_of="2024-02-15") == "The quota is 50.", reader
        assert door.page(reader, as_of="2024-01-15") == "The port is 8080. The quota is 50.", reader
    assert door.store.temporal_collection.count() == 2


# ----------------------------------------------------------------------------------------- sentences, tables and code

SHAPES = [
    (["The port is 1."], WITHOUT_PORT),
    (["The owner is bob."], PAGE.replace(" The owner is ann.", "")),
    (["The quota is 1."], PAGE.replace("- The quota is 50.\n", "")),
    (["retries = 1"], PAGE.replace("| retries | 3 |\n", "")),
    (["retries = 1", "workers = 1"], re.sub(r"\| name (?s:.*)\| 6 \|\n\n", "", PAGE)),
    (["The batch is 1."], PAGE.replace("batch = 250\n", "")),
    (["The batch is 1.", "| host | db2 |"], re.sub(r"```ini(?s:.*)```\n\n", "", PAGE)),
    (["The limit is 1."], PAGE.replace("The limit is 30, and the window is 40.", "The window is 40.")),
    (["The window is 1."], PAGE.replace("The limit is 30, and the window is 40.", "The limit is 30.")),
    (["The limit is 1.", "The window is 1."], PAGE.replace("The limit is 30, and the window is 40. ", "")),
    (["The floor is 2."], PAGE.replace("floor is 1 and", "floor is [superseded] and")),
    (["The ceiling is 2."], PAGE.replace("ceiling is 9", "ceiling is [superseded]")),
    (["The floor is 2.", "The ceiling is 3."], PAGE.replace(" The floor is 1 and the ceiling is 9.", "")),
]


@pytest.mark.parametrize(("said", "want"), SHAPES, ids=[" ".join(said) for said, _ in SHAPES])
def test_what_goes_with_each_shape_of_statement(door: Door, said: list[str], want: str) -> None:
    assert want != PAGE
    door.add(PAGE, "page", "2024-01-01")
    for text in said:
        door.add(text, since="2024-03-01")
    for reader in READERS[door.name]:
        assert door.page(reader) == want, reader
    assert door.page(as_of="2024-02-01") == PAGE


def test_a_statement_that_stands_in_several_rows_goes_from_all(door: Door) -> None:
    for n in range(6):
        door.add(f"Harbour {n} opens at six. The port is 8080.", f"row-{n}", "2024-01-01")
    door.add("The port is 9090.", "new", "2024-02-01")
    assert door.texts() == {f"row-{n}": f"Harbour {n} opens at six." for n in range(6)} | {"new": "The port is 9090."}


def test_the_same_value_elsewhere_stays(door: Door) -> None:
    door.add("The port is 8080. The quota is 8080. Room 8080 is upstairs.", "page", "2024-01-01")
    door.add("The port is 9090.", "port-2", "2024-02-01")
    assert door.page() == "The quota is 8080. Room 8080 is upstairs."


# ----------------------------------------------------------------------------------------------------- splitters first


@pytest.mark.parametrize("overlap", [0, 60])
def test_recursive_splitter(open_door: OpenDoor, overlap: int) -> None:
    store = open_door("langchain").store
    splitter = RecursiveCharacterTextSplitter(chunk_size=110, chunk_overlap=overlap, add_start_index=True)
    chunks = splitter.create_documents([PAGE], [{"source": "a.md"}])
    assert len(chunks) > 3
    holding = [d for d in chunks if "The port is 8080." in d.page_content]
    assert holding
    ids = store.add_documents(chunks, valid_from="2024-01-01")
    store.add_texts(["The port is 9090.", "The batch is 1."], valid_from="2024-03-01")
    now = store.get_by_ids(ids)
    assert [d.metadata for d in now] == [d.metadata for d in chunks]
    for before, after in zip(chunks, now, strict=True):
        start = after.metadata["start_index"]
        assert PAGE[start : start + len(before.page_content)] == before.page_content  # still of the original
        for gone in ("The port is 8080.", "batch = 250"):
            assert gone not in after.page_content
        lines = [s for s in before.page_content.split("\n") if "8080" not in s and "batch" not in s]
        shells = ("```", "|---", "| name")  # they go with all that they held
        assert all(s in after.page_content for s in lines if not s.startswith(shells))
    joined = "\n".join(d.page_content for d in now)
    for statement in ("Deploys happen after lunch.", "- The quota is 50.", "host = db1", "| retries | 3 |"):
        assert statement in joined
    past = store.get_by_ids(ids, as_of="2024-02-01")
    assert [d.page_content for d in past] == [d.page_content for d in chunks]


@pytest.mark.parametrize("strip", [True, False])
def test_markdown_header_splitter(open_door: OpenDoor, strip: bool) -> None:
    page = "# Alpha\n\nThe port is 8080. Boats rest.\n\n## Beta\n\n- The quota is 50.\n- Ferries leave at noon.\n"
    splitter = MarkdownHeaderTextSplitter([("#", "one"), ("##", "two")], strip_headers=strip)
    chunks = splitter.split_text(page)
    assert len(chunks) == 2
    store = open_door("langchain").store
    ids = store.add_documents(chunks, valid_from="2024-01-01")
    store.add_texts(["The port is 9090.", "The quota is 60."], valid_from="2024-03-01")
    first, second = store.get_by_ids(ids)
    assert first.page_content == chunks[0].page_content.replace("The port is 8080. ", "")
    assert second.page_content.split("\n")[-1] == "- Ferries leave at noon."
    assert "50" not in second.page_content
    assert [first.metadata, second.metadata] == [c.metadata for c in chunks]
    assert ("# Alpha" in first.page_content) != strip


def test_sentence_splitter_and_the_place_in_the_original(open_door: OpenDoor) -> None:
    store = open_door("llama_index").store
    splitter = SentenceSplitter(chunk_size=48, chunk_overlap=0)
    index = VectorStoreIndex.from_vector_store(store, embed_model=LexicalModel(), transformations=[splitter])
    index.insert(IndexDocument(text=PAGE, id_="doc"), valid_from="2024-01-01")
    before = {n.node_id: n for n in store.get_nodes()}
    assert len(before) > 1
    index.insert(IndexDocument(text="The port is 9090. The host is db2.", id_="news"), valid_from="2024-03-01")
    after = {n.node_id: n for n in store.get_nodes()}
    assert set(before) < set(after)
    changed = 0
    for node_id, old in before.items():
        new = after[node_id]
        assert (new.start_char_idx, new.end_char_idx) == (old.start_char_idx, old.end_char_idx)
        assert PAGE[new.start_char_idx : new.end_char_idx] == old.text
        assert new.metadata == old.metadata
        assert new.ref_doc_id == "doc"
        assert "8080" not in new.text
        assert "host = db1" not in new.text
        changed += new.text != old.text
    assert changed >= 1
    assert {n.node_id: n.text for n in store.get_nodes(as_of="2024-02-01")} == {i: n.text for i, n in before.items()}


def test_markdown_node_parser(open_door: OpenDoor) -> None:
    page = "# Alpha\n\nThe port is 8080. Boats rest.\n\n## Beta\n\n| name | value |\n|---|---|\n| retries | 3 |\n"
    store = open_door("llama_index").store
    parser = MarkdownNodeParser()
    index = VectorStoreIndex.from_vector_store(store, embed_model=LexicalModel(), transformations=[parser])
    index.insert(IndexDocument(text=page, id_="doc"), valid_from="2024-01-01")
    assert len(store.get_nodes()) == 2
    index.insert(IndexDocument(text="The port is 9090.\nretries = 5", id_="news"), valid_from="2024-03-01")
    texts = [n.text for n in store.get_nodes() if n.ref_doc_id == "doc"]
    assert sorted(texts) == ["# Alpha\n\nBoats rest.", "## Beta"]


# ----------------------------------------------------------------------------------------------------- writing it back


def _back_by_update(door: Door) -> None:
    found = door.store.get_by_ids(["page"])[0]
    found.metadata["reviewed"] = True
    door.store.update_document("page", found)


def _back_by_updates_of_some(door: Door) -> None:
    found = door.store.get_by_ids(["page", "noise-0"])
    for document in found:
        document.metadata["reviewed"] = True
    door.store.update_documents([str(d.id) for d in found], found)


def _back_by_add_texts(door: Door) -> None:
    found = door.store.get(ids=["page"])
    door.store.add_texts(found["documents"], [{**found["metadatas"][0], "reviewed": True}], found["ids"])


def _back_by_add_documents(door: Door) -> None:
    found = next(d for d in door.store.similarity_search(QUESTION, k=20) if d.id == "page")
    found.metadata["reviewed"] = True
    door.store.add_documents([found])


def _back_by_add_nodes(door: Door) -> None:
    found = door.store.get_nodes(node_ids=["page"])[0]
    found.metadata["reviewed"] = True
    found.embedding = embed(found.get_content())
    door.store.add([found])


def _back_by_insert_nodes(door: Door) -> None:
    found = _index(door.store).as_retriever(similarity_top_k=20).retrieve(QUESTION)
    chosen = next(n.node for n in found if n.node.node_id == "page")
    chosen.metadata["reviewed"] = True
    _index(door.store).insert_nodes([chosen])


BACK = [
    ("langchain", _back_by_update),
    ("langchain", _back_by_updates_of_some),
    ("langchain", _back_by_add_texts),
    ("langchain", _back_by_add_documents),
    ("llama_index", _back_by_add_nodes),
    ("llama_index", _back_by_insert_nodes),
]


@pytest.mark.parametrize(("name", "back"), BACK, ids=[back.__name__ for _, back in BACK])
def test_a_redacted_view_written_back_changes_only_metadata(
    open_door: OpenDoor, clock: StillClock, name: str, back: Callable[[Door], None]
) -> None:
    door = evolve(open_door(name), clock)
    undoing = door.store.last_changes
    before = {d: door.page(as_of=d) for d in ("2024-02-01", "2024-03-15")}
    statements = [str(e) for e in door.store.history(id="page")]
    back(door)
    clock.set("2024-07-01T00:00:00")
    assert door.page() == WITHOUT_PORT
    assert {d: door.page(as_of=d) for d in before} == before
    assert before["2024-02-01"] == PAGE
    assert door.page(stale="keep") == PAGE
    assert sorted(door.texts(include_superseded=True)) == ["noise-0", "noise-1", "page", "port-2"]
    assert len(door.store.history(id="page")) == len(statements)
    if name == "langchain":
        assert door.store.get(ids=["page"])["metadatas"][0] == {"source": "a.md", "level": 1, "reviewed": True}
    else:
        metadata = door.store.get_nodes(node_ids=["page"])[0].metadata
        assert metadata == {"source": "a.md", "level": 1, "reviewed": True}
    assert door.store.verify() == []
    door.store.undo(undoing)
    assert door.page() == PAGE


def test_a_redacted_view_inserted_as_its_document(open_door: OpenDoor, clock: StillClock) -> None:
    """`insert` of a known document: its nodes are new, and what they show has been so all along."""
    store = open_door("llama_index").store
    index = _index(store)
    index.insert(IndexDocument(text=PAGE.strip(), id_="doc", metadata={"level": 1}), valid_from="2024-01-01")
    index.insert(IndexDocument(text="The port is 9090.", id_="news"), valid_from="2024-03-01")
    shown = next(n for n in store.get_nodes() if n.ref_doc_id == "doc")
    assert shown.get_content(metadata_mode=MetadataMode.NONE) == WITHOUT_PORT.strip()
    index.insert(IndexDocument(text=shown.text, id_="doc", metadata={"level": 2}))
    clock.set("2024-07-01T00:00:00")
    now = [n for n in store.get_nodes() if n.text != "The port is 9090."]
    assert [(n.text, n.metadata) for n in now] == [(WITHOUT_PORT.strip(), {"level": 2})]
    assert PAGE.strip() in [n.text for n in store.get_nodes(as_of="2024-02-01")]
    assert "The port is 9090." in [n.text for n in store.get_nodes()]


def test_an_edited_view_written_back_is_a_new_version(evolved: Door, clock: StillClock) -> None:
    """What a reader never saw must not come back with the edit: the edited text is all there is from now on."""
    edited = str(evolved.page()).replace("after lunch", "before breakfast")
    evolved.add(edited, "page", source="a.md", level=1)
    clock.set("2024-07-01T00:00:00")
    assert evolved.page() == edited
    assert evolved.page(as_of="2024-02-01") == PAGE
    assert evolved.texts()["port-2"] == "The port is 9090."


def test_the_original_written_again_resurrects_nothing(evolved: Door, clock: StillClock) -> None:
    """A re-ingestion of an old page under its id and its old date is a retry."""
    evolved.add(PAGE, "page", "2024-01-01", source="a.md", level=1)
    clock.set("2024-07-01T00:00:00")
    assert evolved.page() == WITHOUT_PORT
    assert "port-2" in evolved.texts()
    assert evolved.page(as_of="2024-02-01") == PAGE


# ------------------------------------------------------------------------------------------- what comes, goes, returns


def test_undo_brings_the_sentence_back(evolved: Door, clock: StillClock) -> None:
    changes = evolved.store.last_changes
    evolved.store.undo(changes)
    clock.set("2024-07-01T00:00:00")
    for reader in READERS[evolved.name]:
        assert evolved.page(reader) == PAGE, reader
    assert evolved.page(known_at="2024-05-01") == WITHOUT_PORT
    assert "port-2" not in evolved.texts()


def test_retract_takes_a_sentence_out(evolved: Door, clock: StillClock) -> None:
    evolved.store.retract("owner", at="2024-05-01")
    clock.set("2024-07-01T00:00:00")
    want = WITHOUT_PORT.replace(" The owner is ann.", "")
    for reader in READERS[evolved.name]:
        assert evolved.page(reader) == want, reader
    assert evolved.page(as_of="2024-04-15") == WITHOUT_PORT
    assert evolved.page(known_at="2024-06-01T11:00:00") == WITHOUT_PORT
    assert "The owner is ann. [ended 2024-05-01T00:00:00+00:00]" in str(evolved.page(stale="annotate"))


def test_a_statement_of_the_future_waits_for_its_time(door: Door, clock: StillClock) -> None:
    door.add(PAGE, "page", "2024-01-01")
    door.add("The port is 9090. Bring tea.", "port-2", "2025-01-01")
    for reader in READERS[door.name]:
        assert door.page(reader) == PAGE, reader
        assert "port-2" not in door.texts(reader), reader
        assert door.page(reader, as_of="2025-02-01") == WITHOUT_PORT, reader
        assert door.texts(reader, as_of="2025-02-01")["port-2"] == "The port is 9090. Bring tea.", reader
    clock.set("2025-01-02T00:00:00")
    for reader in READERS[door.name]:
        assert door.page(reader) == WITHOUT_PORT, reader
        assert door.texts(reader)["port-2"] == "The port is 9090. Bring tea.", reader


def test_a_fact_that_was_not_yet_true_is_left_out_of_a_text_that_was(door: Door, clock: StillClock) -> None:
    """Undated, prose has always been valid and facts since they were written."""
    clock.set("2024-04-01T00:00:00")
    door.add("Boats rest. The port is 8080.", "page")
    clock.set("2024-06-01T00:00:00")
    assert door.page() == "Boats rest. The port is 8080."
    assert door.page(as_of="2024-02-01") == "Boats rest."
    noted = door.page(as_of="2024-02-01", stale="annotate")
    assert noted == "Boats rest. The port is 8080. [valid from 2024-04-01T00:00:00+00:00]"


def test_a_value_that_holds_for_a_while_lets_the_sentence_return(open_door: OpenDoor, clock: StillClock) -> None:
    store = open_door("langchain").store
    store.add_texts([PAGE], ids=["page"], valid_from="2024-01-01")
    store.add_texts(["The port is 9090."], valid_from="2024-03-01", valid_to="2024-05-01")
    for day, want in (("2024-02-01", PAGE), ("2024-04-01", WITHOUT_PORT), ("2024-05-01", PAGE), (None, PAGE)):
        assert store.get_by_ids(["page"], as_of=day)[0].page_content == want, day


def test_a_value_that_comes_back_brings_its_sentences_back(evolved: Door, clock: StillClock) -> None:
    evolved.add("The port is 8080.", "port-3", "2024-05-01")
    for day, want in (("2024-02-01", PAGE), ("2024-04-01", WITHOUT_PORT), ("2024-05-02", None)):
        if want is not None:
            assert evolved.page(as_of=day) == want, day
    assert "The port is 8080." in evolved.texts().values()
    assert "The port is 9090." not in evolved.texts().values()
    assert not any("The port is 9090." in text for text in evolved.texts().values())


def test_arrival_order_makes_no_difference(open_door: OpenDoor, clock: StillClock) -> None:
    said = [("2024-01-01", PAGE), ("2024-02-01", "The port is 9090."), ("2024-04-01", "The port is 7070. Bring tea.")]
    days = ["2024-01-15", "2024-02-15", "2024-04-15"]
    views = []
    for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0)):
        door = open_door("langchain")
        for n in order:
            door.add(said[n][1], f"row-{n}", said[n][0])
        views.append([door.texts(as_of=day) for day in days])
    assert views[0][0] == {"row-0": PAGE}
    assert views[0][1] == {"row-0": WITHOUT_PORT, "row-1": "The port is 9090."}
    assert views[0][2] == {"row-0": WITHOUT_PORT, "row-2": "The port is 7070. Bring tea."}
    assert views[0] == views[1] == views[2]


# ------------------------------------------------------------------------------------------- more than the toy language


def test_with_the_grammar_that_is_the_default(open_door: OpenDoor, clock: StillClock) -> None:
    page = "Notes of the spring.\n\nThe API port is 8080. Deploys happen after lunch.\n"
    for name in READERS:
        door = open_door(name, extractor="grammar")
        door.add(page, "page", "2024-01-01")
        door.add("The API port is 9090.", "port-2", "2024-03-01")
        for reader in READERS[name]:
            assert door.page(reader) == page.replace("The API port is 8080. ", ""), (name, reader)
            assert door.page(reader, as_of="2024-02-01") == page, (name, reader)


def test_one_door_reads_what_the_other_wrote(client: Any, clock: StillClock) -> None:
    with fresh_collections(client) as collection:
        raw = collection()
        index = Door("llama_index", IndexStore(raw, extractor=Plain(), clock=clock))
        evolve(index, clock)
        chain = ChainStore(raw.name, LexicalEmbeddings(), client=client, extractor=Plain(), clock=clock)
        assert chain.get_by_ids(["page"])[0].page_content == WITHOUT_PORT
        assert chain.get_by_ids(["page"], as_of="2024-02-01")[0].page_content == PAGE


# ------------------------------------------------------------------------------------------------------- on a server


@pytest.mark.parametrize("name", list(READERS))
def test_a_server_serves_the_same(open_door: OpenDoor, http_client: Any, clock: StillClock, name: str) -> None:
    door = evolve(open_door(name, http_client), clock)
    noted = PAGE.replace("8080.", f"8080. {NOTE}")
    for reader in READERS[name]:
        assert door.page(reader) == WITHOUT_PORT, reader
        assert door.page(reader, as_of="2024-02-01") == PAGE, reader
        assert door.page(reader, known_at="2024-03-15") == PAGE, reader
        assert door.page(reader, stale="annotate") == noted, reader
        assert door.page(reader, stale="drop") is None, reader
    for reader in FILTERED[name]:
        assert door.page(reader, where_document={"$contains": "8080"}) is None, reader
        assert door.page(reader, where_document={"$contains": "lunch"}) == WITHOUT_PORT, reader
    changes = door.store.last_changes
    BACK[0 if name == "langchain" else 4][1](door)
    assert door.page() == WITHOUT_PORT
    door.store.undo(changes)
    assert door.page() == PAGE
