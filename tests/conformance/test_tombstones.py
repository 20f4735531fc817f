"""What was purged with a tombstone is written by nothing any more, until it is lifted; nothing else is kept out."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import chromadb
import pytest
from chromadb.api.shared_system_client import SharedSystemClient

from memstrata_integrations import Fact, TemporalCollection, export_history, import_history, repair
from memstrata_integrations.chroma import tombstones
from memstrata_integrations.chroma.clients import stored_metadata
from memstrata_integrations.errors import SchemaVersionError

from .doors import KINDS, Door
from .lexical import LexicalEmbeddings
from .llama import CollectionMaker
from .stories import ANYTHING, Step, at, delete, go_through, holds, keeps, put, refuses, state, sync

TEXTS = ["Quorn has shingles.", "The API port is 8080.", "Tea is nice."]
IDS = ["quorn", "port", "tea"]
GONE, REST = TEXTS[0], TEXTS[1:]


@pytest.fixture(autouse=True)
def quick_digests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Digests are as slow as they can be borne; not here."""
    monkeypatch.setitem(tombstones._COST, "n", 2)


def embedding(raw: Any, **options: Any) -> TemporalCollection:
    return TemporalCollection(raw, embedding_function=LexicalEmbeddings(), **options)


def opened(where: Path, name: str = "texts", **options: Any) -> TemporalCollection:
    """Open the store of a directory as a new process does."""
    SharedSystemClient.clear_system_cache()
    raw = chromadb.PersistentClient(str(where)).get_or_create_collection(name, embedding_function=None)
    return embedding(raw, **options)


def without_quorn(store: TemporalCollection, *texts: str) -> TemporalCollection:
    """Write texts beside one that is purged."""
    store.write([GONE, *texts], ids=IDS[: len(texts) + 1])
    store.purge(["quorn"], tombstone=True)
    return store


def kept_out(store: Any) -> list[str]:
    return [k.id for k in store.last_changes.kept_out]


def purge(*ids: str, tombstone: bool = True, **scope: Any) -> Step:
    return lambda d: d.store.purge([*ids], tombstone=tombstone, **scope), ANYTHING


def lift(told: int, *ids: str, **how: Any) -> Step:
    return lambda d: d.store.lift_tombstones([*ids] or None, **how), told


def kept(*ids: str) -> Step:
    """The last write kept these texts out, and no others."""
    return lambda d: kept_out(d.store), [*ids]


WELL, MEASLES = "Quorn is well.", Fact("Quorn", "has", "measles")
STORIES: dict[str, list[Step]] = {  # in a store that held three texts, of which one was purged
    "the text is kept out under any id": [
        put("More tea.", GONE, ids=["more", "new"]), kept("new"), keeps(*REST, "More tea."),
    ],
    "the id is kept out with any text": [put(WELL, ids=["quorn"]), kept("quorn"), keeps(*REST)],
    "a new version of a stored text is kept out, which stays at its last one": [
        put(GONE, ids=["tea"]), kept("tea"), keeps(*REST),
    ],
    "what a text of the same batch would have taken the place of is kept out, and not that text": [
        put(GONE, WELL, ids=["quorn", "new"], supersedes=[None, "quorn"]), kept("quorn"), keeps(*REST, WELL),
    ],
    "what took its place, replayed by itself, is not kept out: what it names is purged": [
        put(WELL, ids=["new"], supersedes=["quorn"]), kept(), keeps(*REST, WELL),
    ],
    "where no tombstone stands, an unknown id in `supersedes` is an error": [
        refuses("no such document", lambda d: d.write("Quorn is ill.", ids=["newer"], supersedes=["none"])),
    ],
    "every version of a purged text is kept out": [
        put("Tea is dear.", ids=["tea"]), at("2025-02-02"), put("Tea is cheap.", ids=["tea"]), purge("tea"),
        put("Tea is nice.", "Tea is dear.", "Tea is cheap.", "Tea is hot."), keeps(REST[0], "Tea is hot."),
    ],
    "a source holds the rest of what it is said to hold, also where all of that is kept out": [
        sync("page", "One.", "Two."), keeps(*REST, "One.", "Two."), at("2025-02-03"),
        sync("page", GONE, "Two."), keeps(*REST, "Two."), (lambda d: len(kept_out(d.store)), 1), at("2025-02-04"),
        sync("page", GONE), keeps(*REST), (lambda d: len(kept_out(d.store)), 1),
    ],
    "stated facts are kept out too": [state(MEASLES, ids=["fact"]), purge("fact"), state(MEASLES), keeps(*REST)],
    "neither a purge that is not asked to, nor a deletion, leaves a tombstone": [
        purge("port", tombstone=False), delete("tea"), put(*TEXTS, ids=IDS), keeps(*REST),
    ],
    "a lifted id and its texts may return": [lift(1, "quorn", "port"), put(GONE, ids=["quorn"]), keeps(*TEXTS), kept()],
    "a lifted text is written again under another id": [
        lift(1, texts=GONE), put(GONE, GONE, ids=["quorn", "other"]), kept("quorn"),
        refuses("ids, or texts", lambda d: d.store.lift_tombstones()),
    ],
}  # fmt: skip
OF_A, OF_B = {"t": "a"}, {"t": "b"}
SCOPED: dict[str, list[Step]] = {
    "an update is kept out whose row names the scope: metadata that it does not repeat counts as stored": [
        put(GONE, "Tea.", ids=["quorn", "tea"], metadatas=[OF_A] * 2), purge("quorn"),
        (lambda d: d.store.update(ids=["tea"], documents=[GONE]), ANYTHING), holds({"tea": "Tea."}), kept("tea"),
    ],
    "an id that is gone is barred for the scope that is named, and a row of another scope, and its text, are not": [
        put("Tea.", ids=["x"], metadatas=[OF_B]), refuses("scope=", purge("gone")[0]), purge("gone", "x", scope=OF_A),
        keeps("Tea.", scope=OF_B),
        put("Tea.", "One.", "Two.", ids=["y", "gone", "z"], metadatas=[OF_A] * 3), kept("gone"),
    ],
    "one tenant does not lift for another": [
        put(GONE, ids=["quorn"], metadatas=[OF_A]), purge("quorn"),
        lift(0, "quorn", texts=[GONE], scope=OF_B), lift(1, "quorn", scope=OF_A),
    ],
}  # fmt: skip


BEGIN = [put(*TEXTS, ids=IDS), purge("quorn"), at("2025-02-01")]
VERIFIED = (lambda d: d.collection.verify(), [])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("story", STORIES)
def test_what_was_purged_is_kept_out_until_it_is_lifted(kind: str, story: str) -> None:
    go_through(Door(kind), [*BEGIN, *STORIES[story], VERIFIED])


@pytest.mark.parametrize("kind", KINDS)
def test_a_replayed_batch_is_written_without_what_was_purged(kind: str) -> None:
    """Each text has its id in the answer; the changes, and before them the plan, say which was kept out and why."""

    def told(changes: Any) -> list[Any]:
        return [[(k.id, "id" in k.reason) for k in changes.kept_out], changes.ids, "kept out: 'quorn'" in str(changes)]

    want = [[("quorn", True)], tuple(IDS), True]
    planned = (lambda d: told(d.collection.plan(TEXTS, ids=IDS)), want)
    written = (lambda d: (d.write(*TEXTS, ids=IDS), told(d.store.last_changes)), (IDS, want))
    go_through(Door(kind), [*BEGIN, planned, written, keeps(*REST), VERIFIED])


@pytest.mark.parametrize("story", SCOPED)
def test_tombstones_stay_in_their_scope(story: str) -> None:
    go_through(Door("collection", scope=("t",)), SCOPED[story])


def test_no_model_is_shown_what_is_kept_out() -> None:
    model = Mock(spec=["__call__", "extract"])
    raw = without_quorn(Door("collection").store).session.collection
    store = TemporalCollection(raw, embedding_function=model, extractor=model)
    store.write([GONE])
    store.plan([GONE])
    assert model.mock_calls == []


def test_a_purge_while_a_batch_is_embedded_keeps_out_of_it() -> None:
    """What was not barred when the write began, and is when it comes to be written down."""
    door = Door("collection")
    without_quorn(door.store, *REST)

    def embed(texts: list[str]) -> Any:
        door.store.purge(["tea"], tombstone=True)
        return LexicalEmbeddings().embed_documents(texts)

    store = TemporalCollection(door.store.session.collection, embedding_function=embed)
    assert [k.id for k in store.write(["Tea is nice.", "More."], ids=["t2", "more"]).kept_out] == ["t2"]
    assert door.served() == ["More.", "The API port is 8080."]


def test_another_scope_is_not_barred() -> None:
    """Neither by the text nor by the id; also where a store opens the collection that knows of no scope."""
    door = Door("collection", scope=("t",))
    door.write(GONE, ids=["quorn"], metadatas=[{"t": "a"}])
    door.store.purge(["quorn"], scope={"t": "a"}, tombstone=True)
    door.write(GONE, GONE, ids=["quorn", "again"], metadatas=[{"t": "b"}] * 2)
    assert kept_out(door.store) == []
    plain = embedding(door.store.session.collection)
    plain.write([GONE] * 2, ids=["c", "a"], metadatas=[{"t": "c"}, {"t": "a"}])
    assert kept_out(plain) == ["a"]


def test_a_purge_that_was_interrupted_is_called_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its tombstones stand; the ids are gone by then, and need no scope."""
    store = opened(tmp_path, scope=("t",))
    store.write([GONE], ids=["quorn"], metadatas=[{"t": "a"}])
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("memstrata_integrations.chroma.erasing.scrub", Mock(side_effect=KeyboardInterrupt))
        store.purge(["quorn"], tombstone=True)
    store.purge(["quorn"], tombstone=True)
    assert store.verify() == []
    store.write([GONE], metadatas=[{"t": "a"}])
    assert len(kept_out(store)) == 1


def repaired(where: Path) -> TemporalCollection:
    SharedSystemClient.clear_system_cache()
    repair(where, "texts", LexicalEmbeddings(), progress=False)
    return opened(where)


def carried_over(where: Path) -> TemporalCollection:
    export_history(opened(where), where / "kept.jsonl", progress=False)
    SharedSystemClient.clear_system_cache()
    import_history(where / "kept.jsonl", chromadb.PersistentClient(str(where / "other")), "texts", progress=False)
    return opened(where / "other")


def modified(where: Path) -> TemporalCollection:
    """Through an object that was made before the tombstones were laid."""
    raw = opened(where).session.collection
    raw._model["metadata"] = None
    embedding(raw).modify(metadata={"owner": "ops"})
    return opened(where)


@pytest.mark.parametrize("how", [opened, repaired, carried_over, modified])
def test_they_last(tmp_path: Path, how: Callable[[Path], TemporalCollection]) -> None:
    without_quorn(opened(tmp_path), *REST)
    store = how(tmp_path)
    store.write([*TEXTS, GONE], ids=[*IDS, "other"])
    assert kept_out(store) == ["quorn", "other"]
    assert store.count() == 2
    assert not any(str(k).startswith("memstrata") for k in store.metadata or {})


@pytest.mark.parametrize("replace", [True, False])
def test_an_older_export_does_not_bring_it_back(tmp_path: Path, replace: bool) -> None:
    """Imported in the place of the collection it is whole but for what was purged, and no byte of that is left."""
    store = opened(tmp_path / "db")
    store.write(TEXTS, ids=IDS, valid_from="2024-01-01")
    store.write(["Quorn has measles.", "Tea is cheap."], ids=["quorn", "tea"], valid_from="2024-02-01")
    store.write([GONE], ids=["copy"])
    export_history(store, tmp_path / "before.jsonl", progress=False)
    store.purge(["quorn"], tombstone=True)
    store.purge(["copy"] if replace else ["port", "tea", "copy"])
    SharedSystemClient.clear_system_cache()
    import_history(tmp_path / "before.jsonl", tmp_path / "db", "texts", replace=replace, progress=False)
    after = opened(tmp_path / "db")
    assert sorted(after.get()["documents"]) == ["Tea is cheap.", "The API port is 8080."]
    assert sorted(after.get(as_of="2024-01-15")["documents"]) == ["Tea is nice.", "The API port is 8080."]
    assert after.verify() == []
    after.write([GONE, "More."])
    assert len(kept_out(after)) == 1
    files = [f.read_bytes() for f in (tmp_path / "db").rglob("*") if f.is_file()]
    assert [word for held in files for word in (b"shingles", b"measles") if word in held] == []


def test_a_digest_tells_no_text(tmp_path: Path) -> None:
    """Beside the salt there are digests alone, each as good as random, of the same text in no two collections."""
    laid = []
    for name in ("one", "two"):
        store = without_quorn(opened(tmp_path, name))
        [block] = json.loads(stored_metadata(store.session.collection)["memstrata_tombstones"])["blocks"]
        [(row_id, [text])] = block["documents"].items()
        laid += [block["salt"], row_id, text]
    assert len(set(laid)) == 6
    assert {len(value) for value in laid} == {32}
    files = [f.read_bytes() for f in tmp_path.rglob("*") if f.is_file() and f.name != "length.bin"]
    assert not any(word in held for held in files for word in (b"quorn", b"Quorn", b"shingles"))


def test_a_collection_that_names_its_distance_has_them(new_collection: CollectionMaker) -> None:
    """Chroma's own `modify` refuses such metadata."""
    raw = new_collection(metadata={"hnsw:space": "cosine"})
    store = without_quorn(embedding(raw))
    store.write([GONE])
    assert store.count() == 0
    assert stored_metadata(raw)["hnsw:space"] == "cosine"
    assert raw.configuration_json["hnsw"]["space"] == "cosine"


def test_a_renamed_collection_has_them(client: Any, raw: Any) -> None:
    """Renamed through another object, while another collection has taken its name."""
    store, name = without_quorn(embedding(raw)), raw.name
    client.get_collection(name, embedding_function=None).modify(name=f"{name}-2")
    client.create_collection(name, embedding_function=None)
    store.session.state.forget_everything()
    store.write([GONE])
    assert len(kept_out(store)) == 1


@pytest.fixture
def served_raw(http_client: Any, collection_name: str) -> Any:
    return http_client.create_collection(collection_name, embedding_function=None)


def test_clients_of_a_server_have_them(served_raw: Any, chroma_server: int) -> None:
    """What one lays and lifts, the other goes by with its next write."""
    other = chromadb.HttpClient(host="127.0.0.1", port=chroma_server)
    ours, theirs = map(embedding, (served_raw, other.get_collection(served_raw.name, embedding_function=None)))
    theirs.write(["More."])
    without_quorn(ours)
    theirs.write([GONE], ids=["again"])
    assert kept_out(theirs) == ["again"]
    ours.lift_tombstones(["quorn"])
    theirs.write([GONE], ids=["again"])
    assert kept_out(theirs) == []


def test_those_of_two_clients_of_a_server_stand_side_by_side(served_raw: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that another client writes over is laid again."""
    raw, store = served_raw, embedding(served_raw)
    store.write(TEXTS, ids=IDS)
    before, real = stored_metadata(raw), tombstones.stored_metadata
    calls = []

    def overwritten(collection: Any) -> Any:
        calls.append(1)
        if len(calls) == 2:  # after it was written, and before that is read back
            theirs = {**before, "owner": "ops"}
            raw._client._modify(id=raw.id, new_metadata=theirs, tenant=raw.tenant, database=raw.database)
        return real(collection)

    monkeypatch.setattr(tombstones, "stored_metadata", overwritten)
    store.purge(["quorn"], tombstone=True)
    store.write([GONE])
    assert len(kept_out(store)) == 1
    assert stored_metadata(raw)["owner"] == "ops"


def test_those_of_a_newer_version_are_refused(new_collection: CollectionMaker) -> None:
    with pytest.raises(SchemaVersionError, match="upgrade"):
        embedding(new_collection(metadata={"memstrata_tombstones": '{"form": 2}'})).write([GONE])
