"""What one scope writes, ends or deletes leaves the others alone: by source, by document, by id, through all doors.

And chunks of one page, that speak of different things under the same bare words: none makes another one vanish.
"""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores.types import MetadataFilter, MetadataFilters

from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.llama_index import TemporalVectorStore as NodeStore

from . import llama
from .doors import KINDS, Door
from .lexical import LexicalEmbeddings
from .llama import LexicalModel, LineParser, index_of
from .llama import document as page
from .stories import ANYTHING, Step, at, delete, go_through, put, refuses, sync, unchanged

PAGE = "runbook.md"
OURS, THEIRS = "Ask Ann before a deploy.", "Ask Bo before a deploy."
OF_A, OF_B = {"t": "a"}, {"t": "b"}


def scoped(kind: str, *fields: str) -> Door:
    return Door(kind, now="2024-01-01", scope=fields or ("t",))


def served(door: Door, tenants: Any = "ab") -> list[list[str]]:
    return [door.served(scope={"t": t}) for t in tenants]


# -- stories ----------------------------------------------------------------------------------


def edition(tenant: str | None, *texts: str, **how: Any) -> Step:
    return sync(PAGE, *texts, metadatas=[{"t": tenant} if tenant else {}] * len(texts), **how)


def both(ours: list[str], theirs: list[str]) -> Step:
    return served, [sorted(ours), sorted(theirs)]


def tells(shown: Sequence[str], hidden: Sequence[str], **asked: Any) -> Step:
    """A history tells this, and nothing of that."""
    want = [True] * len(shown) + [False] * len(hidden)
    return lambda d: [w in str(d.store.history(**asked)) for w in (*shown, *hidden)], want


SCOPES = [{"t": t, "env": env} for t in "ab" for env in ("prod", "test")]
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
    "the texts of a sync lie in one scope": [
        unchanged(refuses("one scope", lambda d: d.sync(PAGE, OURS, OURS, metadatas=[OF_A, OF_B]))),
    ],
    "what stock code wrote without the scope's field belongs to whoever writes it, in full or in place": [
        (lambda d: d.client.get_collection(d.name).add(
            ids=["x", "y"], documents=[OURS] * 2, embeddings=[llama.embed(OURS)] * 2), ANYTHING),
        put(THEIRS, ids=["x"], metadatas=[OF_B]),
        (lambda d: d.collection.update(["y"], metadatas=[OF_A]), ANYTHING), both([OURS], [THEIRS]),
    ],
    "nothing of a call is written whose last id, some batches later, is another scope's": [
        put(OURS, ids=["x"], metadatas=[OF_A]),
        (lambda d: setattr(d.collection.session.writer, "batch_limit", lambda: 4), ANYTHING),
        unchanged(refuses("'x'", lambda d: d.write(*"abcdefghi", THEIRS, ids=[*"abcdefghix"], metadatas=[OF_B] * 10))),
    ],
    "a tenant is no fraction: Chroma finds the rows of 1 for whoever asks for 1.5": [
        put(OURS, metadatas=[{"t": 1}]), *(unchanged(refuses("whole number", call)) for call in (
            lambda d: d.tell(THEIRS, {"t": 1.5}), lambda d: d.sync(PAGE, scope={"t": 1.5}),
            lambda d: d.store.history("port", scope={"t": 1.5}), lambda d: d.texts(scope={"t": 1.5}),
            lambda d: d.collection.get(where={"t": 1.5}), lambda d: d.search("port", where={"t": 1.0}),
            lambda d: d.collection.get(where={"$and": [{"t": {"$in": [2, 1.5]}}, {"x": 1}]}))),
    ],
}  # fmt: skip
FIELDS: dict[str, tuple[tuple[str, ...], list[Step]]] = {
    "with two fields, pages that agree in one of them are two pages": (("t", "env"), [
        *(sync(PAGE, f"Ask {scope} before a deploy.", scope=scope) for scope in SCOPES),
        (lambda d: [d.served(scope=scope) for scope in SCOPES], [[f"Ask {s} before a deploy."] for s in SCOPES]),
        refuses("'env'", sync(PAGE, scope=OF_A)[0]), at("2024-02-01"), sync(PAGE, scope=SCOPES[0]),
        (lambda d: [len(d.served(scope=scope)) for scope in SCOPES], [0, 1, 1, 1]),
    ]),
    "where the source separates facts itself, the call names it": (("source",), [
        sync(PAGE, OURS), at("2024-02-01"), sync(PAGE), (lambda d: d.served(scope={"source": PAGE}), []),
    ]),
    "a document of another scope is not updated": (("t",), [
        put(OURS, ids=["x"], metadatas=[OF_A]), unchanged(refuses("'x'", lambda d: d.store.update_documents(
            ["x"], [Document(THEIRS, metadata=OF_B)]))),
    ]),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("story", STORIES)
def test_a_story_stays_in_its_scope(kind: str, story: str) -> None:
    go_through(scoped(kind), [*STORIES[story], (lambda d: d.store.verify(), [])])


@pytest.mark.parametrize("story", FIELDS)
def test_a_story_of_langchain_stays_in_its_scope(story: str) -> None:
    fields, steps = FIELDS[story]
    go_through(scoped("langchain", *fields), steps)


def nodes_beside(door: Door, scope: tuple[str, ...] = ("t",)) -> NodeStore:
    """Open LlamaIndex' store on the collection of another door."""
    raw = door.client.get_collection(door.name, embedding_function=None)
    return NodeStore(chroma_collection=raw, clock=door.clock, scope=scope, embed_model=LexicalModel())


@pytest.mark.parametrize("waits", [True, False])
async def test_a_page_through_both_doors(waits: bool) -> None:
    """A page that one tenant keeps through LangChain and another through LlamaIndex is two pages."""
    door = scoped("langchain")
    nodes = nodes_beside(door)

    async def sync(store: Any, *given: Any, **how: Any) -> None:
        changes = await store.async_sync(PAGE, *given, **how) if waits else store.sync(PAGE, *given, **how)
        assert store.last_changes == changes

    await sync(door.store, [Document(OURS)], scope=OF_A, source_field="document_id")
    door.clock.set("2024-02-01")
    await sync(nodes, [TextNode(text=THEIRS)], scope=OF_B)
    assert served(door) == [[OURS], [THEIRS]]
    door.clock.set("2024-03-01")
    await sync(nodes, [TextNode(text="Ask Cy.")], scope=OF_A)
    assert served(door) == [["Ask Cy."], [THEIRS]]


# -- documents of several nodes ---------------------------------------------------------------


def part(version: str, text: str, tenant: Any, id_: str) -> TextNode:
    return llama.part(PAGE, version, text, id_, metadata={"t": tenant})


def insert(*nodes: TextNode) -> Step:
    return lambda d: d.store.add(list(nodes)), ANYTHING


@pytest.mark.parametrize("tenants", [("a", "b"), (1, True)])
@pytest.mark.parametrize("together", [False, True], ids=["two calls", "one call"])
def test_a_version_of_a_document_ends_no_other_scopes(tenants: tuple[Any, Any], together: bool) -> None:
    """Two tenants insert documents with one ref_doc_id: each has its own versions, whichever order they come in."""
    one, two = tenants
    first = [part("v1", OURS, one, "a1"), part("w1", THEIRS, two, "b1")]

    def left(ours: str, theirs: str) -> Step:
        return lambda d: served(d, tenants), [[ours], [theirs]]

    go_through(scoped("llama_index"), [
        *([insert(*first)] if together else map(insert, first)), left(OURS, THEIRS),
        at("2024-02-01"), insert(part("v2", "Ask Cy.", one, "a2")), left("Ask Cy.", THEIRS),
        at("2024-03-01"), insert(part("v2", "Ask Di.", two, "b2")), left("Ask Cy.", "Ask Di."),
        at("2024-04-01"), insert(part("v3", "Ask Ed.", one, "a3")), left("Ask Ed.", "Ask Di."),
        (lambda d: d.collection.verify(), []),
    ])  # fmt: skip


def test_a_store_without_scopes_sees_what_one_with_them_wrote() -> None:
    """What a store knows of a document's versions holds only for stores that separate facts alike."""
    door = scoped("llama_index")
    whole = nodes_beside(door, ())
    whole.add([part("v1", "Ask Al.", "a", "n1")])
    door.store.add([part("v2", OURS, "a", "n2"), part("v2", THEIRS, "b", "n3")])
    door.clock.set("2024-02-01")
    whole.add([part("v1", "Ask Cy.", "a", "n4")])
    assert whole.client.get()["documents"] == ["Ask Cy."], "version 2 came between, and both scopes' part of it ends"


OF_PAGE = MetadataFilters(filters=[MetadataFilter(key="document_id", value=PAGE)])


@pytest.mark.parametrize("purge", [False, True])
@pytest.mark.parametrize("by_filter", [False, True])
def test_deleting_nodes_names_their_scope(by_filter: bool, purge: bool) -> None:
    """Of two tenants' documents under one ref_doc_id those go whose scope is named; unnamed, nothing does.

    Also a document that is its own node.
    """
    nodes = [part("v1", OURS, "a", "a1"), part("v1", THEIRS, "b", "b1"), part("v1", "Ask Cy.", "c", PAGE)]

    def deletion(**scope: Any) -> Step:
        how = {"purge": purge, **scope}
        if by_filter:
            return lambda d: d.store.delete_nodes(filters=OF_PAGE, **how), ANYTHING
        return lambda d: d.store.delete(PAGE, **how), ANYTHING

    go_through(scoped("llama_index"), [
        insert(*nodes), unchanged(refuses(r"scope=", deletion()[0])),
        deletion(scope=OF_B), (lambda d: served(d, "abc"), [[OURS], [], ["Ask Cy."]]),
        deletion(scope={"t": "c"}), (lambda d: served(d, "abc"), [[OURS], [], []]),
    ])  # fmt: skip


async def test_an_index_hands_the_scope_on() -> None:
    """`delete_ref_doc(scope=)`, `update_ref_doc` and `refresh_ref_docs` with `delete_kwargs` act within one scope."""
    door = scoped("llama_index")
    index = index_of(door.store, transformations=[LineParser()])
    for tenant in "abc":
        index.insert(page(f"{tenant}: {OURS}", PAGE, t=tenant))
    with pytest.raises(InvalidInputError, match="delete_ref_doc"):
        index.delete_ref_doc(PAGE)
    index.delete_ref_doc(PAGE, scope=OF_B)
    assert [len(texts) for texts in served(door, "abc")] == [1, 0, 1]
    await index.adelete_ref_doc(PAGE, scope={"t": "c"})
    assert [len(texts) for texts in served(door, "abc")] == [1, 0, 0]
    within = {"delete_kwargs": {"scope": OF_B}}
    index.update_ref_doc(page(THEIRS, PAGE, t="b"), **within)
    assert served(door) == [[f"a: {OURS}"], [THEIRS]]
    index.refresh_ref_docs([page("Ask Cy.", PAGE, t="b")], update_kwargs=within)
    assert served(door) == [[f"a: {OURS}"], ["Ask Cy."]]


# -- ids --------------------------------------------------------------------------------------

ROW: dict[str, Any] = {"documents": [THEIRS], "embeddings": [llama.embed(THEIRS)], "metadatas": [OF_B]}
CLAIMS: dict[str, Callable[[Door], Any]] = {
    "add": lambda d: d.collection.add(ids=["x"], **ROW),
    "a text": lambda d: d.tell(THEIRS, OF_B, "x"),
    "the same text": lambda d: d.tell(OURS, OF_B, "x"),
    "one of two texts": lambda d: d.write("New.", THEIRS, ids=["y", "x"], metadatas=[OF_B] * 2),
    "update": lambda d: d.collection.update(["x"], **ROW),
    "update in place": lambda d: d.collection.update(["y", "x"], metadatas=[{"n": 1}, OF_B]),
    "taken away": lambda d: d.collection.update(["x"], metadatas=[{"t": None}]),
    "sync": lambda d: d.sync(PAGE, THEIRS, ids=["x"], metadatas=[OF_B]),
    "plan": lambda d: d.collection.plan([THEIRS], [OF_B], ["x"]),
    "another type": lambda d: d.tell(THEIRS, {"t": ["a"]}, "x"),
    "no name": lambda d: d.tell(THEIRS, {"t": ""}, "x"),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("claim", CLAIMS)
def test_an_id_of_another_scope_is_refused(kind: str, claim: str) -> None:
    """A text, an update or a node under an id that another scope's row has writes nothing, and says whose id it is."""
    refused = unchanged(refuses(r"'x'|'t'", CLAIMS[claim]))
    go_through(scoped(kind), [put(OURS, ids=["x"], metadatas=[OF_A]), refused, both([OURS], [])])


def test_ids_of_one_scope_only() -> None:
    """With `scope=`, reading, deleting and erasing by id passes over the ids of others."""
    door = scoped("langchain")
    store, nodes, ids, of_c = door.store, nodes_beside(door), ["x", "y"], {"t": "c"}
    door.write(OURS, THEIRS, ids=ids, metadatas=[OF_A, OF_B])
    assert [d.id for d in store.get_by_ids(ids, scope=OF_A)] == ["x"]
    store.delete(ids, scope=of_c)
    door.collection.delete(ids, scope=of_c)
    nodes.delete_nodes(ids, scope=of_c)
    nodes.delete_nodes(ids, scope=of_c, purge=True)
    store.purge(ids, scope=of_c)
    assert served(door) == [[OURS], [THEIRS]]
    store.delete(ids, scope=OF_A)
    assert served(door) == [[], [THEIRS]]


def test_a_purge_of_a_scope_that_holds_nothing_says_so(caplog: pytest.LogCaptureFixture) -> None:
    """A mistyped tenant must not pass for an erasure."""
    door = scoped("langchain")
    door.write(OURS, THEIRS, metadatas=[OF_A, OF_B])
    door.store.purge(scope=OF_A)
    assert "nothing is stored" not in caplog.text
    door.store.purge(scope={"t": "nobody"})
    assert "nothing is stored in scope={'t': 'nobody'}" in caplog.text
    assert served(door) == [[], [THEIRS]]


# -- bare statements of one page ----------------------------------------------------------------

FILLER = "Every branch keeps its own stock and hires its own people, and they meet twice a year. " * 4
BRANCHES = (("Porto", "Rui"), ("Braga", "Eva"), ("Faro", "Gil"), ("Evora", "Lia"))
TOWNS = "# Branches\n\n" + "\n\n".join(f"## {town}\n\n{FILLER}\n\nThe manager is {name}." for town, name in BRANCHES)
NAMES = {name for _, name in BRANCHES}


def chunks(size: int) -> list[Document]:
    splitter = RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=0)
    return splitter.split_documents([Document(TOWNS, metadata={"source": "branches.md"})])


def by_headings(door: Door) -> None:
    for part in MarkdownHeaderTextSplitter([("#", "h1"), ("##", "h2")]).split_text(TOWNS):
        door.tell(part.page_content, {**part.metadata, "source": "branches.md"})


def by_pages(door: Door) -> None:
    for number, (_, name) in enumerate(BRANCHES):
        door.tell(f"The manager is {name}.", {"source": "branches.pdf", "page": number})


def adopted(door: Door) -> None:
    texts, metadatas = [d.page_content for d in chunks(400)], [d.metadata for d in chunks(400)]
    columns = {"documents": texts, "metadatas": metadatas, "embeddings": LexicalEmbeddings().embed_documents(texts)}
    door.client.get_collection(door.name).add(ids=[str(n) for n in range(len(texts))], **columns)
    door.store.adopt()


def as_nodes(door: Door, size: int) -> None:
    index = index_of(door.store, transformations=[SentenceSplitter(chunk_size=size, chunk_overlap=10)])
    index.insert(page(TOWNS, file_name="branches.md"))


APART: dict[str, Callable[[Door], Any]] = {
    **{f"one page, written at once in chunks of {size}": lambda d, size=size: d.store.add_documents(chunks(size))
       for size in (300, 400, 500, 800)},
    "one page, through `sync`": lambda d: d.store.sync("branches.md", chunks(400)),
    "later writes, with headings in the metadata": by_headings,
    "later writes, with the page of a file in the metadata": by_pages,
    "chunks of one page that stock wrote, adopted": adopted,
    **{f"one document, in nodes of {size}": lambda d, size=size: as_nodes(d, size) for size in (60, 100, 150)},
}  # fmt: skip


@pytest.mark.parametrize("how", APART)
def test_bare_statements_of_one_page_all_stay(how: str) -> None:
    door = Door("llama_index" if "nodes" in how else "langchain")
    APART[how](door)
    assert {name for name in NAMES if name in " ".join(door.served())} == NAMES
