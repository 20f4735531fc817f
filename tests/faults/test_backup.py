"""Exports amid writes, damaged files, interrupted imports: a backup is whole, or it says that it isn't."""

from __future__ import annotations

import gzip
import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chromadb
import pytest

from memstrata_integrations.chroma import exporting
from memstrata_integrations.chroma import importing as _importing
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.chroma.exporting import export_history
from memstrata_integrations.chroma.fields import EMBEDDING
from memstrata_integrations.chroma.importing import import_history
from memstrata_integrations.errors import InvalidInputError, SchemaVersionError, StorageError
from memstrata_integrations.lexical import LexicalEmbeddings
from memstrata_integrations.options import PREFIX
from tests.stateful.toy import TestClock, vector, write

from .faulty import FaultyCollection, InjectedFaultError, compare, open_elsewhere, open_store, view

START = 1_000_000
INSTANTS = [START, START + 15, START + 100]


@pytest.fixture
def client() -> Any:
    """A client in memory; tests keep apart by their names."""
    return chromadb.EphemeralClient()


@pytest.fixture
def name(client: Any) -> Iterator[str]:
    """A name of its own; what was made under it goes with the test."""
    made = f"backup-{uuid.uuid4().hex}"
    yield made
    for collection in client.list_collections():
        if collection.name.startswith(made):
            client.delete_collection(collection.name)


@pytest.fixture
def clock() -> TestClock:
    """A clock far from the epoch."""
    return TestClock(START)


def told(client: Any, name: str, clock: TestClock) -> Any:
    """Return what readers of a collection get, by every way of reading."""
    return view(open_store(client.get_collection(name, embedding_function=None), clock), INSTANTS, START + 15)


@pytest.fixture
def store(client: Any, name: str, clock: TestClock) -> TemporalCollection:
    """A collection with a superseded value, an earlier version, and a row of stock code."""
    raw = client.create_collection(name, embedding_function=None, configuration={"hnsw": {"space": "cosine"}})
    raw.add(ids=["f"], documents=["stock"], embeddings=[vector("stock")])
    made = open_store(FaultyCollection(raw), clock)
    write(made, a="k1=x", b="words", c="k2=x; more")
    clock.advance(10)
    write(made, a="k1=y", d="k2=y")
    clock.advance(10)
    return made


@pytest.fixture
def file(store: TemporalCollection, tmp_path: Path) -> Path:
    """Its export."""
    return store.export_history(tmp_path / "history.jsonl").file


def names(client: Any, name: str) -> list[str]:
    """Return the collections that a test has made, by what follows their common name."""
    return sorted(c.name.removeprefix(name) for c in client.list_collections() if c.name.startswith(name))


# -- exporting --------------------------------------------------------------------------------


def test_what_is_not_acknowledged_is_not_exported(
    client: Any, name: str, clock: TestClock, store: TemporalCollection, tmp_path: Path
) -> None:
    """At every point within a write, another process exports what readers are served: all of it, or nothing."""
    raw = client.get_collection(name, embedding_function=None)
    before = told(client, name, clock)
    points: list[str] = []

    def amid(point: str) -> None:
        points.append(point)
        open_elsewhere(raw, clock).export_history(tmp_path / f"{len(points)}.jsonl")

    store.session.collection.watch = amid
    write(store, a="k1=z; more", e="k2=z", b="other words")
    store.session.collection.watch = None
    after = told(client, name, clock)
    assert len(points) >= 4
    states = []
    for n, point in enumerate(points, 1):
        import_history(tmp_path / f"{n}.jsonl", client, f"{name}-{n}")
        states.append(compare(told(client, f"{name}-{n}", clock), [before, after], point))
    assert states[0] == 0
    assert states[-1] == 1


class Interrupted:
    """A chromadb collection to which somebody else writes while it is read."""

    def __init__(self, raw: Any, times: int) -> None:
        self._raw, self._left = raw, times

    def __getattr__(self, name: str) -> Any:
        return getattr(self._raw, name)

    def get(self, **asked: Any) -> Any:
        """Return rows; another one changes right after."""
        found = self._raw.get(**asked)
        if self._left and "documents" in asked["include"]:
            self._left -= 1
            self._raw.update(ids=["f"], metadatas=[{"left": self._left}])
        return found


def test_a_file_holds_one_state_of_the_collection(
    client: Any, name: str, store: TemporalCollection, tmp_path: Path
) -> None:
    """Where others write meanwhile it is read again, and where they go on there is no file."""
    raw = client.get_collection(name, embedding_function=None)
    made = export_history(Interrupted(raw, 1), tmp_path / "a.jsonl")
    import_history(made.file, client, f"{name}-copy")
    copy = client.get_collection(f"{name}-copy", embedding_function=None)
    assert copy.get(ids=["f"])["metadatas"] == [{"left": 0}]
    with pytest.raises(StorageError, match="export while the writers rest"):
        export_history(Interrupted(raw, 99), tmp_path / "b.jsonl")
    assert [f.name for f in tmp_path.iterdir()] == ["a.jsonl"]


def test_an_export_that_fails_leaves_the_earlier_file(
    store: TemporalCollection, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file is replaced once the new one is whole, and a place that cannot be written to is named."""
    before = file.read_bytes()
    monkeypatch.setattr(exporting, "as_line", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        store.export_history(file)
    assert file.read_bytes() == before
    assert [f.name for f in file.parent.iterdir()] == [file.name]
    with pytest.raises(InvalidInputError, match=r"nowhere.* cannot be written"):
        store.export_history(file.parent / "nowhere" / "a.jsonl")


def test_pages_and_compression_change_nothing(
    client: Any, name: str, clock: TestClock, store: TemporalCollection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages of two rows, compressed: the same readers, distances and settings."""
    monkeypatch.setattr(exporting, "PAGE", 2)
    monkeypatch.setattr(_importing, "PAGE", 2)
    made = store.export_history(tmp_path / "history.jsonl.gz")
    assert gzip.decompress(made.file.read_bytes()).startswith(b'{"memstrata_history":1,"schema":1,')
    assert (made.rows, made.vectors, made.collection) == (6, True, name)
    import_history(made.file, client, f"{name}-copy")
    assert told(client, f"{name}-copy", clock) == told(client, name, clock)
    one, two = (client.get_collection(n, embedding_function=None) for n in (name, f"{name}-copy"))
    assert one.configuration_json["hnsw"] == two.configuration_json["hnsw"]
    nearest = [c.query(query_embeddings=[vector("k1=x")], n_results=6) for c in (one, two)]
    assert nearest[0]["distances"] == nearest[1]["distances"]


# -- files ------------------------------------------------------------------------------------


def refused(file: Path, client: Any, name: str, match: str, error: type[Exception] = InvalidInputError) -> None:
    """Assert that a file is refused before anything is written."""
    with pytest.raises(error, match=match):
        import_history(file, client, f"{name}-copy")
    assert names(client, name) == [""]


@pytest.mark.parametrize("compressed", [False, True])
def test_a_truncated_file_is_refused(
    client: Any, name: str, store: TemporalCollection, tmp_path: Path, compressed: bool
) -> None:
    """Cut off anywhere, and nothing is written."""
    file = store.export_history(tmp_path / ("a.jsonl.gz" if compressed else "a.jsonl")).file
    whole = file.read_bytes()
    for size in (*range(0, len(whole), max(len(whole) // 40, 1)), len(whole) - 1):
        file.write_bytes(whole[:size])
        refused(file, client, name, r"truncated|altered|no header|lacks")


def test_an_altered_file_is_refused(client: Any, name: str, file: Path) -> None:
    """Whatever single byte is another one, in the header or in a row."""
    whole = file.read_bytes()
    for n in range(0, len(whole), 7):
        file.write_bytes(whole[:n] + bytes([whole[n] ^ 1]) + whole[n + 1 :])
        with pytest.raises((InvalidInputError, SchemaVersionError)):
            import_history(file, client, f"{name}-copy")
    assert names(client, name) == [""]
    file.write_bytes(whole + b'{"id":"more"}\n')
    refused(file, client, name, "holds 7 of 6 rows")


@pytest.mark.parametrize("form", ["memstrata_history", "schema"])
def test_a_newer_file_is_refused(client: Any, name: str, file: Path, form: str) -> None:
    """It says what to do."""
    header, rest = file.read_text().split("\n", 1)
    file.write_text(json.dumps({**json.loads(header), form: 2}) + "\n" + rest)
    refused(file, client, name, "schema version 2, .* upgrade memstrata-integrations", SchemaVersionError)


def test_what_is_no_export_is_refused(client: Any, name: str, store: TemporalCollection, tmp_path: Path) -> None:
    """Another file, a directory, nothing."""
    (tmp_path / "other").write_text('{"a": 1}\n')
    refused(tmp_path / "other", client, name, "no file of export_history")
    refused(tmp_path, client, name, "cannot be read")
    refused(tmp_path / "absent", client, name, "cannot be read: No such file")


# -- importing --------------------------------------------------------------------------------


@pytest.mark.parametrize("refused_name", ["w2", "a b", "_mine", "mine_", "x" * 494, "", None])
def test_a_name_that_chroma_refuses_is_refused_before_any_work(file: Path, tmp_path: Path, refused_name: Any) -> None:
    """Not even the directory is made."""
    with pytest.raises(InvalidInputError, match="no collection can be named"):
        import_history(file, str(tmp_path / "made"), refused_name)
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("taken", ["a.b", "x" * 493])
def test_the_shortest_and_the_longest_name_are_taken(file: Path, tmp_path: Path, taken: str) -> None:
    """Also where the collection is replaced."""
    for _ in range(2):
        import_history(file, str(tmp_path / "made"), taken, replace=True)


def test_rows_that_are_there_stay(client: Any, name: str, clock: TestClock, file: Path) -> None:
    """A collection that holds rows is refused, unless it may be replaced; an empty one is taken."""
    before = told(client, name, clock)
    write(open_store(client.create_collection(f"{name}-copy", embedding_function=None), clock), q="k9=q")
    with pytest.raises(InvalidInputError, match=r"holds 1 rows already; .* replace=True"):
        import_history(file, client, f"{name}-copy")
    assert client.get_collection(f"{name}-copy", embedding_function=None).get()["ids"] == ["q"]
    import_history(file, client, f"{name}-copy", replace=True)
    over = open_store(client.create_collection(f"{name}-over", embedding_function=None), clock)
    write(over, q="k9=q")
    over.retract("k9")
    clock.advance(10)
    assert over.compact() == 1
    with pytest.raises(InvalidInputError, match=r"holds 1 rows already"):
        import_history(file, client, f"{name}-over")
    client.create_collection(f"{name}-empty", embedding_function=None)
    import_history(file, client, f"{name}-empty")
    assert told(client, f"{name}-copy", clock) == told(client, f"{name}-empty", clock) == before
    assert names(client, name) == ["", "-copy", "-empty", "-over"]


def test_what_is_replaced_leaves_no_vectors(tmp_path: Path) -> None:
    """Chroma leaves the index of a deleted collection in the directory, where no purge would reach it."""
    client = chromadb.PersistentClient(str(tmp_path / "db"))
    often: Any = {"hnsw": {"sync_threshold": 2, "batch_size": 2}}
    raw = client.create_collection("replaced", configuration=often, embedding_function=None)
    store = TemporalCollection(raw, extractor=None)
    store.add(ids=["a", "b"], documents=["one", "two"], embeddings=[vector("one"), vector("two")])
    made = store.export_history(tmp_path / "history.jsonl")
    import_history(made.file, client, "replaced", replace=True)
    assert len(list((tmp_path / "db").glob("*/header.bin"))) == 1
    store = TemporalCollection(client.get_collection("replaced", embedding_function=None), extractor=None)
    assert store.purge(["a"]).remains == ()


class FaultyClient:
    """A chromadb client that dies at its n-th change: that one, and all that follow, raise."""

    def __init__(self, client: Any, fail_at: int, after: bool) -> None:
        self._client, self.fail_at, self.after, self.calls = client, fail_at, after, 0

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._client, name)
        if name in ("create_collection", "get_collection"):
            return lambda *args, **kwargs: FaultyTarget(self, self._changing(name, found)(*args, **kwargs))
        return self._changing(name, found) if name == "delete_collection" else found

    def _changing(self, name: str, call: Any) -> Any:
        def change(*args: Any, **kwargs: Any) -> Any:
            if name != "get_collection":
                self.calls += 1
            if self.fail_at and (self.calls > self.fail_at or (self.calls == self.fail_at and not self.after)):
                raise InjectedFaultError(name)
            found = call(*args, **kwargs)
            if self.fail_at and self.calls == self.fail_at and name != "get_collection":
                raise InjectedFaultError(name)
            return found

        return change


class FaultyTarget:
    """One of its collections."""

    def __init__(self, client: FaultyClient, raw: Any) -> None:
        self._owner, self._raw = client, raw

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._raw, name)
        return self._owner._changing(name, found) if name in ("add", "modify") else found


@pytest.mark.parametrize("replace", [False, True])
def test_an_interrupted_import_serves_nothing_of_it_and_is_run_again(
    client: Any, name: str, clock: TestClock, file: Path, replace: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dead at its n-th change, for every n, before or after it took effect."""
    monkeypatch.setattr(_importing, "PAGE", 2)
    want = told(client, name, clock)
    copy = f"{name}-copy"

    def begin() -> None:
        for made in client.list_collections():
            if made.name.startswith(copy):
                client.delete_collection(made.name)
        if replace:
            write(open_store(client.create_collection(copy, embedding_function=None), clock), q="k9=q")

    begin()
    counted = FaultyClient(client, 0, False)
    import_history(file, counted, copy, replace=replace)
    assert counted.calls >= 5
    for n in range(1, counted.calls + 1):
        for after in (False, True):
            begin()
            with pytest.raises(InjectedFaultError):
                import_history(file, FaultyClient(client, n, after), copy, replace=replace)
            if copy in {c.name for c in client.list_collections()}:
                served = client.get_collection(copy, embedding_function=None).get()["ids"]
                assert (replace and served == ["q"]) or told(client, copy, clock) == want, (n, after, served)
            import_history(file, client, copy, replace=True)
            assert told(client, copy, clock) == want, (n, after)
            assert names(client, name) == ["", "-copy"], (n, after)


def test_what_is_stored_otherwise_than_written_is_no_import(
    client: Any, name: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each row is read back; if one differs, the collection is not made."""

    def get(self: FaultyTarget, **asked: Any) -> Any:
        found = self._raw.get(**asked)
        return {**found, "documents": ["lost" if d == "stock" else d for d in found["documents"]]}

    monkeypatch.setattr(FaultyTarget, "get", get, raising=False)
    with pytest.raises(StorageError, match=r"row 'f' .* 'stock', and reads 'lost' now; nothing was imported"):
        import_history(file, FaultyClient(client, 0, False), f"{name}-copy")
    assert names(client, name) == [""]


# -- vectors ----------------------------------------------------------------------------------


def test_without_vectors_the_texts_are_embedded_again(client: Any, name: str, tmp_path: Path) -> None:
    """Also by another model than before, which the collection then records; the rest is as it was."""
    old, new = LexicalEmbeddings(32), LexicalEmbeddings(64)
    raw = client.create_collection(name, embedding_function=None)
    store = TemporalCollection(raw, embedding_function=old)
    store.write(["The billing API listens on port 8080."], ids=["a"])
    store.write(["The billing API listens on port 9090."], ids=["b"])
    made = store.export_history(tmp_path / "a.jsonl", vectors=False)
    assert (made.vectors, made.embedding) == (False, old.name)
    with pytest.raises(InvalidInputError, match=rf"give embedding_function=.*{old.name}"):
        import_history(made.file, client, f"{name}-copy")
    assert names(client, name) == [""]
    import_history(made.file, client, f"{name}-copy", embedding_function=new)
    raw = client.get_collection(f"{name}-copy", embedding_function=None)
    assert raw.metadata == {EMBEDDING: new.name}
    copy = TemporalCollection(raw, embedding_function=new)
    assert copy.query(query_texts=["billing API port"], n_results=2)["ids"] == [["b"]]
    assert list(copy.history("billing API")) == list(store.history("billing API"))
    with pytest.raises(InvalidInputError, match="was embedded with"):
        TemporalCollection(raw, embedding_function=old)


def test_a_row_without_a_text_needs_its_vector(client: Any, name: str, clock: TestClock, tmp_path: Path) -> None:
    """Rows of vectors, pictures and metadata alone come along, and are not exported without their vectors."""
    raw = client.create_collection(name, embedding_function=None)
    raw.add(ids=["v"], embeddings=[[1.0, 2.0]], metadatas=[{"n": 2**53 + 1, "f": 5.0, "b": True, "l": ["a", "b"]}])
    raw.add(ids=["u"], embeddings=[[3.0, 0.1]], uris=["file:///a.png"])
    store = open_store(raw, clock)
    with pytest.raises(InvalidInputError, match=r"row 'v' has no text .* vectors=True"):
        store.export_history(tmp_path / "a.jsonl", vectors=False)
    import_history(store.export_history(tmp_path / "a.jsonl").file, client, f"{name}-copy")
    copy = client.get_collection(f"{name}-copy", embedding_function=None)
    fields = ["metadatas", "documents", "uris", "embeddings"]
    one, two = (c.get(include=fields) for c in (raw, copy))
    assert all(one[f] == two[f] for f in fields[:3])
    assert (one["embeddings"] == two["embeddings"]).all()
    assert not [k for k in two["metadatas"][0] if k.startswith(PREFIX)]
