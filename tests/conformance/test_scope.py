"""What one scope writes, ends or deletes leaves the others alone: by source, by document, by id, through all doors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from langchain_core.documents import Document
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores.types import MetadataFilter, MetadataFilters

from memstrata_integrations import TemporalCollection
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.langchain import TemporalVectorStore
from memstrata_integrations.llama_index import TemporalVectorStore as NodeStore

from . import llama
from .conftest import OneCollection, StillClock
from .doors import KINDS, Door
from .lexical import LexicalEmbeddings
from .llama import LexicalModel, LineParser, index_of
from .llama import document as page
from .stories import ANYTHING, Step, at, delete, go_through, put, refuses, sync, unchanged

PAGE = "runbook.md"
OURS, THEIRS = "Ask Ann before a deploy.", "Ask Bo before a deploy."


@pytest.fixture
def clock() -> StillClock:
    return StillClock("2024-01-01")


Fields = tuple[str, ...]


class Doors:
    """The three doors of one collection, all with the same scope, and what each has for a page."""

    def __init__(self, raw: Any, clock: StillClock, fields: Fields = ("t",)) -> None:
        embeddings = LexicalEmbeddings()
        self.raw, self.clock, self.model = raw, clock, LexicalModel()
        self.collection = TemporalCollection(raw, clock=clock, scope=fields)
        self.langchain = TemporalVectorStore(raw.name, embeddings, client=OneCollection(raw), clock=clock, scope=fields)  # type: ignore[arg-type]
        self.nodes = NodeStore(chroma_collection=raw, clock=clock, scope=fields)

    def sync(self, door: str, texts: list[str], **asked: Any) -> Any:
        """Say what the page holds, through one of the frameworks' doors."""
        if door == "langchain":
            return self.langchain.sync(PAGE, [Document(t) for t in texts], **asked)
        return self.nodes.sync(PAGE, [TextNode(text=t) for t in texts], embed_model=self.model, **asked)

    def served(self, **scope: Any) -> list[str]:
        """Return the texts of a scope."""
        return sorted(self.collection.get(scope=scope)["documents"])


@pytest.fixture
def doors(raw: Any, clock: StillClock) -> Doors:
    return Doors(raw, clock)


@pytest.fixture
def stored(raw: Any) -> Callable[[], Any]:
    """Return everything that the collection holds, reserved fields included."""

    def read() -> Any:
        found = raw.get(include=["documents", "metadatas"])
        metadatas = [sorted((m or {}).items()) for m in found["metadatas"]]
        return sorted(zip(found["ids"], found["documents"], map(repr, metadatas), strict=True))

    return read


# -- stories ----------------------------------------------------------------------------------


def edition(tenant: str | None, *texts: str, **how: Any) -> Step:
    """Say what the page of a tenant holds."""
    return sync(PAGE, *texts, metadatas=[{"t": tenant} if tenant else {}] * len(texts), **how)


def both(ours: list[str], theirs: list[str]) -> Step:
    """What tenants a and b are served."""
    return lambda d: [d.served(scope={"t": t}) for t in "ab"], [sorted(ours), sorted(theirs)]


def tells(shown: Sequence[str], hidden: Sequence[str], **asked: Any) -> Step:
    """A history tells this, and nothing of that."""
    want = [True] * len(shown) + [False] * len(hidden)
    return lambda d: [w in str(d.store.history(**asked)) for w in (*shown, *hidden)], want


OF_A, OF_B = {"t": "a"}, {"t": "b"}
API = "The billing API listens on port 8080."
PLANS = ["My plan is Gold.", "My plan is Silver."]
PORTS = ["The Vega's home port is Bari.", "The Vega's home port is Split."]
STORIES: dict[str, list[Step]] = {
    "of two tenants' pages of one name, what one says ends nothing of the other's, nor does its end": [
        edition("a", OURS), at("2024-02-01"), edition("b", THEIRS, "More."), both([OURS], [THEIRS, "More."]),
        at("2024-03-01"), edition("b", THEIRS), both([OURS], [THEIRS]),
        at("2024-04-01"), edition(None, scope={"t": "b"}, told={"retired": 1}), both([OURS], []),
    ],
    "what both pages say is stored twice, and one of them can go": [
        edition("a", OURS), edition("b", OURS), both([OURS], [OURS]),
        at("2024-02-01"), edition(None, scope={"t": "a"}), both([], [OURS]),
    ],
    "`scope=` goes into the metadata of the texts where it is missing, as the source does": [
        edition(None, OURS, scope={"t": "a"}), edition("a", OURS, "More.", scope={"t": "a"}), both([OURS, "More."], []),
    ],
    "a text that stays in a dated sync is told again in its own scope, and in no other": [
        *(edition(None, OURS, "Old.", scope={"t": t}, valid_from="2023-01-01") for t in "ab"),
        edition(None, OURS, "New.", scope={"t": "a"}, valid_from="2023-06-01"),
        edition(None, OURS, scope={"t": "a"}, valid_from="2023-10-01"), both([OURS], [OURS, "Old."]),
    ],
    "an id that was given back may be taken": [
        put(OURS, ids=["x"], metadatas=[OF_A]), delete("x"),
        put(THEIRS, ids=["x"], metadatas=[OF_B]), both([], [THEIRS]),
    ],
    "an update of the own scope goes on, named or not": [
        put(OURS, ids=["x"], metadatas=[{**OF_A, "n": 1}]),
        *((lambda d, how=how: d.collection.update(["x"], **how), ANYTHING) for how in (  # type: ignore[misc]
            {"documents": [OURS], "metadatas": [{**OF_A, "n": 2}]}, {"metadatas": [{**OF_A, "n": 3}]},
            {"documents": ["Ask Cy."], "metadatas": [{"n": 4}]})),
        both(["Ask Cy."], []), (lambda d: d.collection.get(where={**OF_A})["metadatas"][0]["n"], 4),
    ],
    "1 and true are two scopes, though Python calls them equal": [
        put(API, API, metadatas=[{"t": 1}, {"t": True}]), tells([], ["billing"], subject="API port", scope={"t": 2}),
        *((lambda d, t=t: len(d.store.history("API port", scope={"t": t})), 1) for t in (1, True)),  # type: ignore[misc]
    ],
    "`purge(scope=)` alone erases what lies there, earlier versions and statements without a key too": [
        *(put("I live in Oslo.", "I live in Rome.", f"A word of {t}.", metadatas=[{"t": t}] * 3) for t in "ab"),
        refuses("purge needs scope", lambda d: d.store.purge()), (lambda d: d.store.purge(scope=OF_A), ANYTHING),
        (lambda d: [m["t"] for m in d.rows()[2]], ["b"] * 3),
    ],
    **{f"a near subject finds only facts of the scope: {asked}": [
        put(*texts, metadatas=[OF_A, OF_B]), tells(texts[:1], texts[1:], subject=asked, scope=OF_A),
    ] for asked, texts in (("plan", PLANS), ("home port", PORTS), ("port", PORTS), ("Vega home port", PORTS))},
    "a subject that only another scope knows is not found": [
        put(PORTS[1], metadatas=[OF_B]), tells([], ["Split"], subject="Vega home port", scope=OF_A),
    ],
    "the history of an id lies in the scope that is named": [
        put(PORTS[1], ids=["b1"], metadatas=[OF_B]),
        tells([], ["Split"], id="b1", scope=OF_A), tells(["Split"], [], id="b1", scope=OF_B),
    ],
    "where a source is named, a bare subject of another one is not shown": [
        put("The port is 8080.", "The port is 9090.", metadatas=[{**OF_A, "source": f"{s}.md"} for s in "ab"]),
        tells(["8080"], ["9090"], subject="port", scope={**OF_A, "source": "a.md"}),
    ],
    **{f"without a scope, or with two, nothing is ended or written: {tenant}, {texts}, {scope}": [
        edition(None, OURS, scope={"t": "a"}), unchanged(refuses(told, edition(tenant, *texts, **scope)[0])),
    ] for tenant, texts, scope, told in (
        (None, [], {}, r"scope=\{'t': \.\.\.\}"), (None, [OURS], {}, r"scope=\{'t': \.\.\.\}"),
        ("a", [OURS], {"scope": {"t": "b"}}, "t='a'.*'b'"), (1, [OURS], {"scope": {"t": True}}, "t=1.*True"),
        (None, [], {"scope": {"t": "a", "colour": "red"}}, "colour"),
    )},
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("story", STORIES)
def test_a_story_stays_in_its_scope(kind: str, story: str) -> None:
    """See the names of the table."""
    go_through(Door(kind, now="2024-01-01", scope=("t",)), [*STORIES[story], (lambda d: d.store.verify(), [])])


async def test_the_scope_of_a_sync_that_waits(doors: Doors) -> None:
    await doors.langchain.async_sync(PAGE, [Document(OURS)], scope={"t": "a"})
    await doors.nodes.async_sync(PAGE, [TextNode(text=THEIRS)], embed_model=doors.model, scope={"t": "b"})
    assert (doors.served(t="a"), doors.served(t="b")) == ([OURS], [THEIRS])


def test_the_texts_of_a_sync_lie_in_one_scope(doors: Doors, stored: Callable[[], Any]) -> None:
    with pytest.raises(InvalidInputError, match="one scope"):
        doors.langchain.sync(PAGE, [Document(OURS, metadata={"t": t}) for t in "ab"])
    assert stored() == []


def test_all_scope_fields_count(raw: Any, clock: StillClock) -> None:
    """With two fields, pages that agree in one of them are two pages."""
    doors = Doors(raw, clock, ("t", "env"))
    scopes = [{"t": t, "env": env} for t in "ab" for env in ("prod", "test")]
    for scope in scopes:
        doors.sync("langchain", [f"Ask {scope} before a deploy."], scope=scope)
    for scope in scopes:
        assert doors.served(**scope) == [f"Ask {scope} before a deploy."]
    with pytest.raises(InvalidInputError, match="'env'"):
        doors.sync("langchain", [], scope={"t": "a"})
    doors.clock.set("2024-02-01")
    doors.sync("langchain", [], scope=scopes[0])
    assert [len(doors.served(**scope)) for scope in scopes] == [0, 1, 1, 1]


def test_a_source_may_be_the_scope(raw: Any, clock: StillClock) -> None:
    """Where the source separates facts itself, the call names it."""
    doors = Doors(raw, clock, ("source",))
    doors.sync("langchain", [OURS])
    doors.clock.set("2024-02-01")
    doors.sync("langchain", [])
    assert doors.served(source=PAGE) == []


def test_a_page_through_both_doors(doors: Doors) -> None:
    """A page that one tenant keeps through LangChain and another through LlamaIndex is two pages."""
    doors.langchain.sync(PAGE, [Document(OURS, metadata={"t": "a"})], source_field="document_id")
    doors.clock.set("2024-02-01")
    doors.sync("llama_index", [THEIRS], scope={"t": "b"})
    assert (doors.served(t="a"), doors.served(t="b")) == ([OURS], [THEIRS])
    doors.clock.set("2024-03-01")
    doors.sync("llama_index", ["Ask Cy."], scope={"t": "a"})
    assert (doors.served(t="a"), doors.served(t="b")) == (["Ask Cy."], [THEIRS])


# -- documents of several nodes ---------------------------------------------------------------


def part(version: str, text: str, tenant: Any, id_: str) -> TextNode:
    """Make a node of a version of the page."""
    return llama.part(PAGE, version, text, id_, metadata={"t": tenant})


@pytest.mark.parametrize("tenants", [("a", "b"), (1, True)])
@pytest.mark.parametrize("together", [False, True], ids=["two calls", "one call"])
def test_a_version_of_a_document_ends_no_other_scopes(doors: Doors, tenants: tuple[Any, Any], together: bool) -> None:
    """Two tenants insert documents with one ref_doc_id: each has its own versions, whichever order they come in."""
    one, two = tenants
    first = [part("v1", OURS, one, "a1"), part("w1", THEIRS, two, "b1")]
    if together:
        doors.nodes.add(first)
    else:
        doors.nodes.add(first[:1])
        doors.nodes.add(first[1:])
    assert (doors.served(t=one), doors.served(t=two)) == ([OURS], [THEIRS])
    doors.clock.set("2024-02-01")
    doors.nodes.add([part("v2", "Ask Cy.", one, "a2")])
    assert (doors.served(t=one), doors.served(t=two)) == (["Ask Cy."], [THEIRS])
    doors.clock.set("2024-03-01")
    doors.nodes.add([part("v2", "Ask Di.", two, "b2")])
    assert (doors.served(t=one), doors.served(t=two)) == (["Ask Cy."], ["Ask Di."])
    doors.clock.set("2024-04-01")
    doors.nodes.add([part("v3", "Ask Ed.", one, "a3")])
    assert (doors.served(t=one), doors.served(t=two)) == (["Ask Ed."], ["Ask Di."])
    assert doors.collection.verify() == []


def test_a_store_without_scopes_sees_what_one_with_them_wrote(doors: Doors, raw: Any, clock: StillClock) -> None:
    """What a store knows of a document's versions holds only for stores that separate facts alike."""
    whole = NodeStore(chroma_collection=raw, clock=clock)
    whole.add([part("v1", "Ask Al.", "a", "n1")])
    doors.nodes.add([part("v2", OURS, "a", "n2"), part("v2", THEIRS, "b", "n3")])
    clock.set("2024-02-01")
    whole.add([part("v1", "Ask Cy.", "a", "n4")])
    assert whole.client.get()["documents"] == ["Ask Cy."], "version 2 came between, and both scopes' part of it ends"


OF_PAGE = MetadataFilters(filters=[MetadataFilter(key="document_id", value=PAGE)])
DELETIONS: dict[str, Callable[..., Any]] = {
    "by document": lambda store, **how: store.delete(PAGE, **how),
    "by filter": lambda store, **how: store.delete_nodes(filters=OF_PAGE, **how),
}


@pytest.mark.parametrize("purge", [False, True])
@pytest.mark.parametrize("how", DELETIONS)
def test_deleting_nodes_names_their_scope(doors: Doors, how: str, purge: bool, stored: Callable[[], Any]) -> None:
    """Of two tenants' documents under one ref_doc_id those go whose scope is named; unnamed, nothing does."""
    doors.nodes.add([part("v1", OURS, "a", "a1"), part("v1", THEIRS, "b", "b1"), part("v1", "Ask Cy.", "c", PAGE)])
    before = stored()
    with pytest.raises(InvalidInputError, match=r"scope="):
        DELETIONS[how](doors.nodes, purge=purge)
    assert stored() == before
    DELETIONS[how](doors.nodes, purge=purge, scope={"t": "b"})
    assert [doors.served(t=t) for t in "abc"] == [[OURS], [], ["Ask Cy."]]  # also a document that is its own node
    DELETIONS[how](doors.nodes, purge=purge, scope={"t": "c"})
    assert doors.served(t="c") == []


async def test_an_index_hands_the_scope_on(doors: Doors) -> None:
    """`delete_ref_doc(scope=)`, `update_ref_doc` and `refresh_ref_docs` with `delete_kwargs` act within one scope."""
    index = index_of(doors.nodes, transformations=[LineParser()])
    for tenant in "abc":
        index.insert(page(f"{tenant}: {OURS}", PAGE, t=tenant))
    with pytest.raises(InvalidInputError, match="delete_ref_doc"):
        index.delete_ref_doc(PAGE)
    index.delete_ref_doc(PAGE, scope={"t": "b"})
    assert [len(doors.served(t=t)) for t in "abc"] == [1, 0, 1]
    await index.adelete_ref_doc(PAGE, scope={"t": "c"})
    assert [len(doors.served(t=t)) for t in "abc"] == [1, 0, 0]
    within = {"delete_kwargs": {"scope": {"t": "b"}}}
    index.update_ref_doc(page(THEIRS, PAGE, t="b"), **within)
    assert (doors.served(t="a"), doors.served(t="b")) == ([f"a: {OURS}"], [THEIRS])
    index.refresh_ref_docs([page("Ask Cy.", PAGE, t="b")], update_kwargs=within)
    assert (doors.served(t="a"), doors.served(t="b")) == ([f"a: {OURS}"], ["Ask Cy."])


# -- ids --------------------------------------------------------------------------------------

CLAIMS: dict[str, Callable[[Doors], Any]] = {
    "add": lambda d: d.collection.add(ids=["x"], documents=[THEIRS], embeddings=[[1.0] * 64], metadatas=[{"t": "b"}]),
    "the same text": lambda d: d.langchain.add_texts([OURS], [{"t": "b"}], ids=["x"]),
    "add_texts": lambda d: d.langchain.add_texts(["New.", THEIRS], [{"t": "b"}] * 2, ids=["y", "x"]),
    "update_documents": lambda d: d.langchain.update_documents(["x"], [Document(THEIRS, metadata={"t": "b"})]),
    "update": lambda d: d.collection.update(["x"], documents=[THEIRS], embeddings=[[1.0] * 64], metadatas=[{"t": "b"}]),
    "update in place": lambda d: d.collection.update(["y", "x"], metadatas=[{"n": 1}, {"t": "b"}]),
    "taken away": lambda d: d.collection.update(["x"], metadatas=[{"t": None}]),
    "node": lambda d: d.nodes.add([part("v1", THEIRS, "b", "x")]),
    "sync": lambda d: d.langchain.sync(PAGE, [Document(THEIRS, id="x", metadata={"t": "b"})]),
    "plan": lambda d: d.langchain.plan([THEIRS], [{"t": "b"}], ["x"]),
    "another type": lambda d: d.langchain.add_texts([THEIRS], [{"t": ["a"]}], ids=["x"]),
    "no name": lambda d: d.langchain.add_texts([THEIRS], [{"t": ""}], ids=["x"]),
}


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=CLAIMS)
def test_an_id_of_another_scope_is_refused(doors: Doors, claim: Callable[[Doors], Any], stored: Any) -> None:
    """A text, an update or a node under an id that another scope's row has writes nothing, and says whose id it is."""
    doors.langchain.add_texts([OURS], [{"t": "a"}], ids=["x"])
    before = stored()
    with pytest.raises(InvalidInputError, match=r"'x'|'t'"):
        claim(doors)
    assert stored() == before
    assert doors.served(t="a") == [OURS]


def test_nothing_of_a_large_call_is_written(doors: Doors, stored: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one id that is another scope's may be the last of a call that takes several batches."""
    doors.langchain.add_texts([OURS], [{"t": "a"}], ids=["x"])
    before = stored()
    monkeypatch.setattr(doors.langchain.temporal_collection.session.writer, "batch_limit", lambda: 4)
    ids = [*(f"n{n}" for n in range(9)), "x"]
    with pytest.raises(InvalidInputError, match="'x'"):
        doors.langchain.add_texts(ids, [{"t": "b"}] * len(ids), ids=ids)
    assert stored() == before


def test_a_row_of_nobody_may_be_taken(doors: Doors, raw: Any) -> None:
    """What stock code wrote without the scope's field belongs to whoever writes it, in full or in place."""
    vectors = LexicalEmbeddings().embed_documents([OURS, OURS])
    raw.add(ids=["x", "y"], documents=[OURS, OURS], embeddings=vectors)
    doors.langchain.add_texts([THEIRS], [{"t": "b"}], ids=["x"])
    doors.collection.update(["y"], metadatas=[{"t": "a"}])
    assert (doors.served(t="a"), doors.served(t="b")) == ([OURS], [THEIRS])


def test_ids_of_one_scope_only(doors: Doors) -> None:
    """With `scope=`, reading, deleting and erasing by id passes over the ids of others."""
    doors.langchain.add_texts([OURS, THEIRS], [{"t": "a"}, {"t": "b"}], ids=["x", "y"])
    assert [d.id for d in doors.langchain.get_by_ids(["x", "y"], scope={"t": "a"})] == ["x"]
    doors.langchain.delete(["x", "y"], scope={"t": "c"})
    doors.collection.delete(["x", "y"], scope={"t": "c"})
    doors.nodes.delete_nodes(["x", "y"], scope={"t": "c"})
    doors.nodes.delete_nodes(["x", "y"], scope={"t": "c"}, purge=True)
    doors.langchain.purge(["x", "y"], scope={"t": "c"})
    assert (doors.served(t="a"), doors.served(t="b")) == ([OURS], [THEIRS])
    doors.langchain.delete(["x", "y"], scope={"t": "a"})
    assert (doors.served(t="a"), doors.served(t="b")) == ([], [THEIRS])


def test_a_purge_of_a_scope_that_holds_nothing_says_so(doors: Doors, caplog: pytest.LogCaptureFixture) -> None:
    """A mistyped tenant must not pass for an erasure."""
    doors.langchain.add_texts([OURS, THEIRS], [{"t": "a"}, {"t": "b"}])
    doors.langchain.purge(scope={"t": "a"})
    assert "nothing is stored" not in caplog.text
    doors.langchain.purge(scope={"t": "nobody"})
    assert "nothing is stored in scope={'t': 'nobody'}" in caplog.text
    assert doors.served(t="b") == [THEIRS]


@pytest.mark.parametrize(
    "call",
    [
        lambda d: d.langchain.add_texts([THEIRS], [{"t": 1.5}]),
        lambda d: d.langchain.sync(PAGE, [], scope={"t": 1.5}),
        lambda d: d.langchain.history("port", scope={"t": 1.5}),
        lambda d: d.langchain.get(scope={"t": 1.5}),
        lambda d: d.collection.get(where={"t": 1.5}),
        lambda d: d.collection.get(where={"$and": [{"t": {"$in": [2, 1.5]}}, {"x": 1}]}),
        lambda d: d.nodes.get_nodes(filters=MetadataFilters(filters=[MetadataFilter(key="t", value=1.0)])),
    ],
)
def test_a_tenant_is_no_fraction(doors: Doors, call: Callable[[Doors], Any]) -> None:
    """Chroma finds the rows of 1 for whoever asks for 1.5: neither is written or asked for."""
    doors.langchain.add_texts([OURS], [{"t": 1}])
    with pytest.raises(InvalidInputError, match="whole number"):
        call(doors)
    assert doors.served(t=1) == [OURS]
