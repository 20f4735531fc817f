"""Exports amid writes, damaged files, interrupted imports: a backup is whole, or it says that it isn't."""

import gzip
import itertools
import json
import uuid
from collections.abc import Callable, Iterator
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
from tests.stateful.opening import collection_at, open_store
from tests.stateful.toy import TestClock, vector, write

from .faulty import FaultyCollection, InjectedFaultError, Instead, View, compare, open_elsewhere, view

START = 1_000_000
INSTANTS = [START, START + 15, START + 100]
COPY = "-copy"


class Place:
    """Collections in memory whose names begin alike, and a clock far from the epoch."""

    def __init__(self) -> None:
        self.client, self.name, self.clock = chromadb.EphemeralClient(), f"backup-{uuid.uuid4().hex}", TestClock(START)

    def create(self, suffix: str = "", **how: Any) -> Any:
        return self.client.create_collection(self.name + suffix, embedding_function=None, **how)

    def store(self, suffix: str) -> TemporalCollection:
        """Make a store of a collection that holds one text."""
        made = open_store(self.create(suffix), self.clock)
        write(made, q="k9=q")
        return made

    def raw(self, suffix: str = "") -> Any:
        return self.client.get_collection(self.name + suffix, embedding_function=None)

    def told(self, suffix: str = "") -> View:
        """Return what readers of a collection get, by every way of reading."""
        return view(open_store(self.raw(suffix), self.clock), INSTANTS, START + 15)

    def load(self, file: Path, suffix: str = COPY, *, client: Any = None, **how: Any) -> None:
        import_history(file, client or self.client, self.name + suffix, **how)

    def names(self) -> list[str]:
        """Return which collections there are, by what follows their common name."""
        found = (c.name for c in self.client.list_collections())
        return sorted(n.removeprefix(self.name) for n in found if n.startswith(self.name))

    def drop(self, *kept: str) -> None:
        for suffix in {*self.names()} - {*kept}:
            self.client.delete_collection(self.name + suffix)

    def refuses(self, file: Path, match: str | None, error: Any = InvalidInputError) -> None:
        """Assert that a file is refused before anything is written."""
        with pytest.raises(error, match=match):
            self.load(file)
        assert self.names() == [""]


@pytest.fixture
def place() -> Iterator[Place]:
    """Collections that go with the test."""
    made = Place()
    yield made
    made.drop()


@pytest.fixture
def store(place: Place) -> TemporalCollection:
    """A collection with a superseded value, an earlier version, and a row of stock code."""
    raw = place.create(configuration={"hnsw": {"space": "cosine"}})
    raw.add(ids=["f"], documents=["stock"], embeddings=[vector("stock")])
    made = open_store(FaultyCollection(raw), place.clock)
    write(made, a="k1=x", b="words", c="k2=x; more")
    place.clock.advance(10)
    write(made, a="k1=y", d="k2=y")
    place.clock.advance(10)
    return made


@pytest.fixture
def file(store: TemporalCollection, tmp_path: Path) -> Path:
    return store.export_history(tmp_path / "history.jsonl").file


def test_what_is_not_acknowledged_is_not_exported(place: Place, store: TemporalCollection, tmp_path: Path) -> None:
    """At every point within a write, another process exports what readers are served: all of it, or nothing."""
    before = place.told()
    points: list[str] = []

    def amid(point: str) -> None:
        points.append(point)
        open_elsewhere(place.raw(), place.clock).export_history(tmp_path / f"{len(points)}.jsonl")

    store.session.collection.watch = amid
    write(store, a="k1=z; more", e="k2=z", b="other words")
    store.session.collection.watch = None
    after = place.told()
    assert len(points) >= 4
    states = []
    for n, point in enumerate(points, 1):
        place.load(tmp_path / f"{n}.jsonl", f"-{n}")
        states.append(compare(place.told(f"-{n}"), [before, after], point))
    assert (states[0], states[-1]) == (0, 1)


def test_a_file_holds_one_state_of_the_collection(place: Place, store: TemporalCollection, tmp_path: Path) -> None:
    """Where others write meanwhile it is read again, and where they go on there is no file."""
    raw, left = place.raw(), [1]

    def get(real: Callable[..., Any], **asked: Any) -> Any:
        found = real(**asked)
        if left[0] and "documents" in asked["include"]:
            left[0] -= 1
            raw.update(ids=["f"], metadatas=[{"left": left[0]}])
        return found

    made = export_history(Instead(raw, get=get), tmp_path / "a.jsonl")
    place.load(made.file)
    assert place.raw(COPY).get(ids=["f"])["metadatas"] == [{"left": 0}]
    left[0] = 99
    with pytest.raises(StorageError, match="export while the writers rest"):
        export_history(Instead(raw, get=get), tmp_path / "b.jsonl")
    assert [f.name for f in tmp_path.iterdir()] == ["a.jsonl"]


def test_an_export_that_fails_leaves_the_earlier_file(store: TemporalCollection, file: Path, monkeypatch: Any) -> None:
    """A file is replaced once the new one is whole, and a place that cannot be written to is named."""
    before = file.read_bytes()
    monkeypatch.setattr(exporting, "as_line", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        store.export_history(file)
    assert file.read_bytes() == before
    assert [f.name for f in file.parent.iterdir()] == [file.name]
    with pytest.raises(InvalidInputError, match=r"nowhere.* cannot be written"):
        store.export_history(file.parent / "nowhere" / "a.jsonl")


def test_pages_or_gzip_alter_nothing(place: Place, store: TemporalCollection, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(exporting, "PAGE", 2)
    monkeypatch.setattr(_importing, "PAGE", 2)
    made = store.export_history(tmp_path / "history.jsonl.gz")
    assert gzip.decompress(made.file.read_bytes()).startswith(b'{"memstrata_history":1,"schema":1,')
    assert (made.rows, made.vectors, made.collection) == (6, True, place.name)
    place.load(made.file)
    assert place.told(COPY) == place.told()
    one, two = place.raw(), place.raw(COPY)
    assert one.configuration_json["hnsw"] == two.configuration_json["hnsw"]
    nearest = [c.query(query_embeddings=[vector("k1=x")], n_results=6) for c in (one, two)]
    assert nearest[0]["distances"] == nearest[1]["distances"]


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_a_truncated_file_is_refused(place: Place, store: TemporalCollection, tmp_path: Path, name: str) -> None:
    file = store.export_history(tmp_path / name).file
    whole = file.read_bytes()
    for size in (*range(0, len(whole), max(len(whole) // 40, 1)), len(whole) - 1):
        file.write_bytes(whole[:size])
        place.refuses(file, r"truncated|altered|no header|lacks")


def test_an_altered_file_is_refused(place: Place, file: Path) -> None:
    """Whatever single byte is another one, in the header or in a row."""
    whole = file.read_bytes()
    for n in range(0, len(whole), 7):
        file.write_bytes(whole[:n] + bytes([whole[n] ^ 1]) + whole[n + 1 :])
        place.refuses(file, None, (InvalidInputError, SchemaVersionError))
    file.write_bytes(whole + b'{"id":"more"}\n')
    place.refuses(file, "holds 7 of 6 rows")


def test_what_is_newer_or_no_export_is_refused(place: Place, file: Path, tmp_path: Path) -> None:
    """Also another file, a directory, nothing."""
    header, rest = file.read_text().split("\n", 1)
    for form in ("memstrata_history", "schema"):
        file.write_text(json.dumps({**json.loads(header), form: 2}) + "\n" + rest)
        place.refuses(file, "schema version 2, .* upgrade memstrata-integrations", SchemaVersionError)
    (tmp_path / "other").write_text('{"a": 1}\n')
    place.refuses(tmp_path / "other", "no file of export_history")
    place.refuses(tmp_path, "cannot be read")
    place.refuses(tmp_path / "absent", "cannot be read: No such file")


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


def test_rows_that_are_there_stay(place: Place, file: Path) -> None:
    """A collection that holds rows is refused, unless it may be replaced; an empty one is taken."""
    before = place.told()
    place.store(COPY)
    over = place.store("-over")
    over.retract("k9")
    place.clock.advance(10)
    assert over.compact() == 1
    for taken in (COPY, "-over"):
        with pytest.raises(InvalidInputError, match=r"holds 1 rows already; .* replace=True"):
            place.load(file, taken)
    assert place.raw(COPY).get()["ids"] == ["q"]
    place.load(file, replace=True)
    place.create("-empty")
    place.load(file, "-empty")
    assert place.told(COPY) == place.told("-empty") == before
    assert place.names() == ["", COPY, "-empty", "-over"]


def test_what_is_replaced_leaves_no_vectors(tmp_path: Path) -> None:
    """Chroma leaves the index of a deleted collection in the directory, where no purge would reach it."""
    raw = collection_at(tmp_path / "db", "replaced", 2)
    store = TemporalCollection(raw, extractor=None)
    write(store, a="one", b="two")
    made = store.export_history(tmp_path / "history.jsonl")
    import_history(made.file, str(tmp_path / "db"), "replaced", replace=True)
    assert len(list((tmp_path / "db").glob("*/header.bin"))) == 1
    store = TemporalCollection(collection_at(tmp_path / "db", "replaced"), extractor=None)
    assert store.purge(["a"]).remains == ()


class DyingClient(Instead):
    """A chromadb client that dies at its n-th change, before or after it took effect: what follows raises."""

    def __init__(self, client: Any, die_at: int = 0, *, after: bool = False) -> None:
        super().__init__(client, create_collection=self._make, get_collection=self._get, delete_collection=self._change)
        self.die_at, self.after, self.calls = die_at, after, 0

    def _change(self, call: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        self.calls += 1
        alive = self.calls < self.die_at or not self.die_at or (self.calls == self.die_at and self.after)
        found = call(*args, **kwargs) if alive else None
        self._check()
        return found

    def _check(self) -> None:
        if 0 < self.die_at <= self.calls:
            raise InjectedFaultError

    def _make(self, call: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return Instead(self._change(call, *args, **kwargs), add=self._change, modify=self._change)

    def _get(self, call: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        self._check()
        return Instead(call(*args, **kwargs), add=self._change, modify=self._change)


@pytest.mark.parametrize("replace", [False, True])
def test_an_interrupted_import_serves_nothing_of_it_and_is_run_again(
    place: Place, file: Path, replace: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dead at its n-th change, for every n, before or after it took effect."""
    monkeypatch.setattr(_importing, "PAGE", 2)
    want = place.told()

    def begin() -> None:
        place.drop("")
        if replace:
            place.store(COPY)

    begin()
    counted = DyingClient(place.client)
    place.load(file, client=counted, replace=replace)
    assert counted.calls >= 5
    for n, after in itertools.product(range(1, counted.calls + 1), (False, True)):
        begin()
        with pytest.raises(InjectedFaultError):
            place.load(file, client=DyingClient(place.client, n, after=after), replace=replace)
        if COPY in place.names():
            served = place.raw(COPY).get()["ids"]
            assert (replace and served == ["q"]) or place.told(COPY) == want, (n, after, served)
        place.load(file, replace=True)
        assert place.told(COPY) == want, (n, after)
        assert place.names() == ["", COPY], (n, after)


def test_what_is_stored_otherwise_than_written_is_no_import(place: Place, file: Path) -> None:
    """Each row is read back; if one differs, the collection is not made."""

    def get(real: Callable[..., Any], **asked: Any) -> Any:
        found = real(**asked)
        return {**found, "documents": ["lost" if d == "stock" else d for d in found["documents"]]}

    def losing(real: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return Instead(real(*args, **kwargs), get=get)

    client = Instead(place.client, create_collection=losing, get_collection=losing)
    with pytest.raises(StorageError, match=r"row 'f' .* 'stock', and reads 'lost' now; nothing was imported"):
        place.load(file, client=client)
    assert place.names() == [""]


def test_without_vectors_the_texts_are_embedded_again(place: Place, tmp_path: Path) -> None:
    """Also by another model than before, which the collection then records; the rest is as it was."""
    old, new = LexicalEmbeddings(32), LexicalEmbeddings(64)
    store = TemporalCollection(place.create(), embedding_function=old)
    store.write(["The billing API listens on port 8080."], ids=["a"])
    store.write(["The billing API listens on port 9090."], ids=["b"])
    made = store.export_history(tmp_path / "a.jsonl", vectors=False)
    assert (made.vectors, made.embedding) == (False, old.name)
    place.refuses(made.file, rf"give embedding_function=.*{old.name}")
    place.load(made.file, embedding_function=new)
    raw = place.raw(COPY)
    assert raw.metadata == {EMBEDDING: new.name}
    copy = TemporalCollection(raw, embedding_function=new)
    assert copy.query(query_texts=["billing API port"], n_results=2)["ids"] == [["b"]]
    assert list(copy.history("billing API")) == list(store.history("billing API"))
    with pytest.raises(InvalidInputError, match="was embedded with"):
        TemporalCollection(raw, embedding_function=old)


def test_a_row_without_a_text_needs_its_vector(place: Place, tmp_path: Path) -> None:
    """Rows of vectors, pictures and metadata alone come along, and are not exported without their vectors."""
    raw = place.create()
    raw.add(ids=["v"], embeddings=[[1.0, 2.0]], metadatas=[{"n": 2**53 + 1, "f": 5.0, "b": True, "l": ["a", "b"]}])
    raw.add(ids=["u"], embeddings=[[3.0, 0.1]], uris=["file:///a.png"])
    store = open_store(raw, place.clock)
    with pytest.raises(InvalidInputError, match=r"row 'v' has no text .* vectors=True"):
        store.export_history(tmp_path / "a.jsonl", vectors=False)
    place.load(store.export_history(tmp_path / "a.jsonl").file)
    fields = ["metadatas", "documents", "uris", "embeddings"]
    one, two = (c.get(include=fields) for c in (raw, place.raw(COPY)))
    assert all(one[f] == two[f] for f in fields[:3])
    assert (one["embeddings"] == two["embeddings"]).all()
    assert not [k for k in two["metadatas"][0] if k.startswith(PREFIX)]
