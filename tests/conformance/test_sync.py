"""`sync`: what is given is all that a source holds; the same through LangChain, LlamaIndex and the collection.

Dated editions told in any order, undone and told again are compared with a model in `stateful/test_source_editions`.
"""

from functools import partial
from typing import Any
from unittest.mock import patch

import pytest
from llama_index.core import Document as Page
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.schema import TextNode

from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.extraction.grammar import GrammarExtractor
from memstrata_integrations.llama_index import DefaultEmbedding
from memstrata_integrations.llama_index import TemporalVectorStore as NodeStore
from tests.faults.faulty import Instead
from tests.stateful.toy import TestClock

from .doors import KINDS, Door
from .stories import ANYTHING, Step, at, embeds, go_through, holds, keeps, note, put, refuses, sync, unchanged, undo

FIRST = ["The Harbor API listens on port 8080.", "Deploys happen on Monday.", "The owner of the ledger is Ann Lee."]
SECOND = ["The Harbor API listens on port 9090.", "Deploys happen on Monday.", "Ask before you deploy."]
PORT, OTHER_PORT = FIRST[0], SECOND[0]
PAGE, STAYS = "page.md", "Another page stays."
ELSEWHERE = {"metadatas": [{"source": "other.md"}]}


def edition(*texts: str, since: str | None = None, **how: Any) -> Step:
    return sync(PAGE, *texts, valid_from=since, **how)


def other_port(since: str | None = None) -> Step:
    return put(OTHER_PORT, valid_from=since, **ELSEWHERE)


STORIES: dict[str, list[Step]] = {
    "a source is what the last sync said; what is stored already is not embedded again, and has one row": [
        put(STAYS, **ELSEWHERE), edition(*FIRST), (lambda d: d.embedded.clear(), ANYTHING), at("2024-02-01"),
        edition(*SECOND, told={"retired": 2}), embeds(SECOND[0], SECOND[2]), keeps(*SECOND, STAYS),
        keeps(*FIRST, STAYS, as_of="2024-01-15"), (lambda d: d.collection.count(include_superseded=True), 6),
    ],
    "the same again changes nothing, and embeds nothing": [
        edition(*FIRST), embeds(*FIRST), at("2024-02-01"),
        unchanged(edition(*FIRST)), edition(*FIRST, told={"added": 0, "retired": 0}), embeds(),
    ],
    "the same again changes nothing of what another source hides": [
        edition(PORT, "Words.", since="2023-01-01"), other_port("2023-01-01"), (lambda d: d.embedded.clear(), ANYTHING),
        at("2024-02-01"), unchanged(edition(PORT, "Words.")), embeds(), keeps(OTHER_PORT, "Words."), edition("Words."),
    ],
    **{f"chunks of a source that say two things of one name are both served: {since}, {kept}": [
        *([edition(PORT, since=since)] if kept else []), at("2024-02-01"), edition(PORT, OTHER_PORT, since=then),
        keeps(PORT, OTHER_PORT), (lambda d: d.store.verify(), []), at("2024-03-01"), edition("Words."), keeps("Words."),
    ] for since, then in ((None, None), ("2023-01-01", "2023-10-01")) for kept in (True, False)},
    "undo takes a sync back": [
        edition(*FIRST), at("2024-02-01"), edition(*SECOND), at("2024-03-01"), undo(), keeps(*FIRST),
    ],
    "nothing at all ends the source, which may come back": [
        put(STAYS, **ELSEWHERE), edition(*FIRST), at("2024-02-01"), edition(told={"retired": 3}), keeps(STAYS),
        keeps(*FIRST, STAYS, as_of="2024-01-15"), at("2024-03-01"), edition(*FIRST), keeps(*FIRST, STAYS),
    ],
    "a fact that goes on being stated keeps its date: a page that repeats itself is no newer than it was": [
        edition(PORT, "Words."), at("2024-02-01"), edition(f"{PORT} Some words.", since="2024-02-01"),
        at("2024-03-01"), edition(f"{PORT} More words."), at("2024-04-01"), other_port("2024-02-15"),
        keeps("More words.", OTHER_PORT),
    ],
    **{f"what a version between no longer stated is news: {between}, {ids}": [
        edition(PORT, ids=ids), at("2024-02-01"), edition(*between), at("2024-03-01"), sync("other.md", OTHER_PORT),
        at("2024-04-01"), edition(PORT, ids=ids), keeps(PORT),
    ] for between in (["Words."], []) for ids in (None, ["a"])},
    "a chunk that is shown without a stale sentence is the same": [
        edition(f"{PORT} Ask Ann."), at("2024-02-01"), other_port(), (lambda d: d.embedded.clear(), ANYTHING),
        at("2024-03-01"), edition("Ask Ann."), embeds(), keeps("Ask Ann.", OTHER_PORT),
    ],
    "what a text is shown without is not said again": [
        edition(f"{PORT} Ask Ann.", since="2023-01-01"), other_port("2023-05-01"),
        edition("Ask Ann.", since="2023-10-01"), keeps("Ask Ann.", OTHER_PORT),
    ],
    **{f"what a sync holds no more does not come back: {since}, {ids}": [
        edition(f"{PORT} Ask Ann.", since="2023-01-01", ids=ids), other_port("2023-05-01"), note("hides"),
        (lambda d: d.embedded.clear(), ANYTHING), edition("Ask Ann.", since=since, ids=ids), embeds(), at("2024-02-01"),
        undo("hides"), keeps("Ask Ann."), keeps(f"{PORT} Ask Ann.", as_of="2023-07-01"),
        unchanged(edition("Ask Ann.", since=since, ids=ids)),
    ] for since in (None, "2023-10-01") for ids in (None, ["a"])},
    **{f"a text that moves in its page, to another place or key, keeps its vector: {place}": [
        edition("The manager is Ann Lee.", metadatas=[{"page": 1}]), (lambda d: d.embedded.clear(), ANYTHING),
        at("2024-07-01"), edition("The manager is Ann Lee.", metadatas=[place], told={"versions": 1}), embeds(),
    ] for place in ({"page": 2}, {"section": "West"}, {"user_id": "ann"})},
    "a view of a text without its stale sentence, given back with other metadata, is that text": [
        edition(f"{PORT} Ask Ann."), at("2024-02-01"), other_port(), (lambda d: d.embedded.clear(), ANYTHING),
        at("2024-03-01"), edition("Ask Ann.", metadatas=[{"rank": 2}]), embeds(),
        (lambda d: d.collection.get(where={"rank": 2})["documents"], ["Ask Ann."]),
    ],
    "changed metadata is written, and ids are honoured": [
        edition(*FIRST[:2], ids=["a", "b"]), at("2024-02-01"),
        edition(SECOND[0], FIRST[1], ids=["a", "b"], metadatas=[{}, {"rank": 2}]),
        holds({"a": SECOND[0], "b": FIRST[1]}), holds({"a": FIRST[0]}, as_of="2024-01-15"),
        (lambda d: d.collection.get(where={"rank": 2})["ids"], ["b"]),
    ],
    **{f"a later dated text of a plain write ends nothing of a sync: {kept}": [
        put("Event on day X.", metadatas=[{"source": PAGE}], valid_from="2025-01-01"), at("2024-02-01"),
        edition(*SECOND, *kept), (lambda d: {*SECOND} <= {*d.served()}, True),
        (lambda d: {*d.served(as_of="2025-06-01")}, {*SECOND, "Event on day X."}),
    ] for kept in (["Event on day X."], [])},
    "undo of a late edition gives back what it kept: all rows of an undated sync begin at once": [
        edition("Ask Ann.", "Ring Cy."), edition("Ring Cy.", since="2023-06-01"),
        (lambda d: "Ring Cy." in d.served(as_of="2023-08-01"), True), undo(),
        *(keeps("Ask Ann.", "Ring Cy.", as_of=day) for day in ("2023-01-01", "2023-08-01", "2024-01-01T12:00:00")),
    ],
    "an edition without any text is known by what it ended": [
        edition("Keep me.", since="2023-01-01"), edition(since="2023-10-01"),
        edition("Keep me.", "Ask Bob.", since="2023-05-01"), keeps("Ask Bob.", "Keep me.", as_of="2023-07-01"), keeps(),
    ],
    "a fact that an undated sync kept outlives a late edition": [
        edition(PORT), at("2024-03-01"), edition(PORT, "A note."), edition(OTHER_PORT, since="2024-02-01"),
        keeps(PORT, as_of="2024-01-15"), keeps(OTHER_PORT, as_of="2024-02-15"), keeps("A note.", PORT),
    ],
    "a dated sync says again what it keeps": [
        edition(PORT, "Words.", since="2023-01-01"), other_port("2023-05-01"), keeps(OTHER_PORT, "Words."),
        (lambda d: d.embedded.clear(), ANYTHING),
        edition(PORT, "Words.", since="2023-10-01", told={"added": 0, "confirmed": 2}), embeds(), keeps(PORT, "Words."),
        keeps(OTHER_PORT, "Words.", as_of="2023-07-01"), undo(), keeps(OTHER_PORT, "Words."),
    ],
    "an edition told again does not take back its correction": [
        *(edition(text, since="2023-01-01") for text in ("Ask Ann.", "Ask Bob.", "Ask Ann.")), keeps("Ask Bob."),
    ],
    "a correction of an edition ends what a later one states": [
        edition("Ask Ann.", since="2022-06-01"), edition("Ask Ann.", since="2023-06-01"),
        edition("Ask Bob.", since="2022-06-01"), keeps("Ask Bob.", as_of="2023-01-01"), keeps("Ask Ann."),
    ],
    **{f"what another edition of the date states outlives undo: {more}": [
        edition(PORT, "Ask Ann.", since="2023-06-01"), note("first"), edition(PORT, *more, since="2023-06-01"),
        at("2024-02-01"), undo("first"), keeps(PORT, *more),
    ] for more in (["Ask Bob."], [])},
    "undo of a text takes back its own write, and nothing that was told late": [
        edition(OTHER_PORT, ids=["new"], since="2023-10-01"), at("2024-02-01"),
        edition(PORT, ids=["old"], since="2023-02-01"), keeps(OTHER_PORT),
        (lambda d: d.store.undo("new"), ANYTHING), keeps(PORT), (lambda d: d.store.undo("old"), ANYTHING), keeps(),
        refuses("no write", lambda d: d.store.undo("old")),
    ],
    **{f"a source needs a name: {source}": [
        refuses("source|ref_doc_id", lambda d, source=source: d.sync(source, *FIRST)), keeps(),  # type: ignore[misc]
    ] for source in ("", None, 3)},
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("story", STORIES)
def test_a_source_holds_what_its_editions_say(kind: str, story: str) -> None:
    go_through(Door(kind, now="2024-01-01"), [*STORIES[story], (lambda d: d.store.verify(), [])])


@pytest.mark.parametrize("kind", ["langchain", "collection"])
def test_a_text_of_another_source_is_refused(kind: str) -> None:
    told = "text 0 has source='other'"
    refused = refuses(told, lambda d: d.sync(PAGE, FIRST[0], metadatas=[{"source": "other"}]))
    go_through(Door(kind), [refused, keeps()])


def test_what_was_deleted_and_added_again_keeps_its_date() -> None:
    gone = (lambda d: d.store.delete(where={"source": PAGE}), ANYTHING)
    again = [at("2024-02-01"), sync("other.md", OTHER_PORT), at("2024-03-01"), edition(PORT), keeps(OTHER_PORT)]
    go_through(Door("collection", now="2024-01-01", on_delete="retire"), [edition(PORT), gone, *again])


def test_what_is_kept_is_read_by_no_extractor() -> None:
    steps = [edition(*FIRST, since="2023-01-01"), edition(*FIRST, SECOND[2], since="2023-10-01")]
    with patch.object(GrammarExtractor, "extract", autospec=True, side_effect=GrammarExtractor.extract) as read:
        go_through(Door("collection"), steps)
    assert [text for call in read.call_args_list for text in call.args[1]] == [*FIRST, SECOND[2]]


def test_a_row_of_stock_code_that_a_dated_sync_keeps_is_read() -> None:
    row = {"ids": ["a"], "documents": [PORT], "metadatas": [{"source": PAGE}], "embeddings": [[0.0] * 64]}
    go_through(Door("collection"), [
        (lambda d: d.client.get_collection(d.name).add(**row), ANYTHING),
        edition(PORT, since="2023-01-01"), other_port("2023-05-01"), keeps(OTHER_PORT), keeps(PORT, as_of="2023-03-01"),
    ])  # fmt: skip


def test_a_text_that_ends_more_rows_than_a_call_carries(raw: Any, clock: TestClock) -> None:
    """Chroma refuses larger calls (5,461 rows in a directory); a batch is divided only where that helps."""
    calls: list[tuple[str, int]] = []

    def at_most(name: str, real: Any, ids: list[str], **columns: Any) -> Any:
        calls.append((name, len(ids)))
        assert len(ids) <= 4
        return real(ids=ids, **columns)

    carried = {name: partial(at_most, name) for name in ("add", "update", "upsert", "delete")}
    store = TemporalCollection(Instead(raw, **carried), embedding_function=DefaultEmbedding("lexical"), clock=clock)
    store.session.writer.batch_limit = lambda: 4  # type: ignore[method-assign]
    store.sync(PAGE, [f"Note {n}." for n in range(11)])
    clock.set("2024-02-01")
    calls.clear()
    assert store.sync(PAGE, ["Row A.", "Row B.", "Row C."]).retired == 11
    assert sorted(store.get()["documents"]) == ["Row A.", "Row B.", "Row C."]
    assert calls == [("add", 1), ("update", 4), ("update", 4), ("update", 4), ("add", 2)]
    assert len(store.get(as_of="2024-01-15")["ids"]) == 11
    assert store.verify() == []


def test_llama_index_nodes(raw: Any, clock: TestClock) -> None:
    nodes = NodeStore(chroma_collection=raw, clock=clock)
    model = DefaultEmbedding("lexical")
    splitter = SentenceSplitter(chunk_size=12, chunk_overlap=0, tokenizer=str.split)

    def split(texts: list[str]) -> Any:
        return splitter.get_nodes_from_documents([Page(text=" ".join(texts), id_="page")])

    nodes.sync("page", split(FIRST), embed_model=model)
    first = {n.text: n.node_id for n in nodes.get_nodes()}
    clock.set("2024-02-01")
    nodes.sync("page", split([SECOND[0], *FIRST[1:]]), embed_model=model)
    found = {n.text: n.node_id for n in nodes.get_nodes()}
    assert " ".join(sorted(found)) == " ".join(sorted(n.text for n in split([SECOND[0], *FIRST[1:]])))
    assert set(first) & set(found)
    assert all(found.get(text, node_id) == node_id for text, node_id in first.items())
    assert all(n.ref_doc_id == "page" for n in nodes.get_nodes())
    with pytest.raises(InvalidInputError, match="embed_model="):
        nodes.sync("page", split(SECOND))
    nodes.sync("bare", [TextNode(text="No source.")], embed_model=model)
    nodes.delete("bare")
    assert "No source." not in {n.text for n in nodes.get_nodes()}
    clock.set("2024-03-01")
    nodes.sync("page", [])
    assert nodes.get_nodes() == []
