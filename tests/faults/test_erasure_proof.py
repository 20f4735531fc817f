"""The proof that something was erased: it finds a text in every form, and names what cannot be erased from here."""

import sqlite3
from pathlib import Path

import pytest
from chromadb.api.shared_system_client import SharedSystemClient

from memstrata_integrations.chroma import erasing as _erasing
from memstrata_integrations.chroma import traces as _traces
from memstrata_integrations.errors import InvalidInputError
from tests.conformance.damaging import fresh_clients
from tests.stateful.opening import in_memory, open_store, store_at
from tests.stateful.toy import write

from .test_erasing import ID, SECRET, filled, left_in, reopened

__all__ = ["fresh_clients"]


def test_a_copy_set_aside_and_an_index_of_no_collection_are_named(tmp_path: Path) -> None:
    """What no later call can erase either is told in `remains`, and is no error."""
    store = filled(tmp_path)
    aside = tmp_path / "memstrata-damaged-20240101T000000"
    aside.mkdir()
    orphan = tmp_path / "0b2c8a7e-1111-4222-8333-444455556666"
    orphan.mkdir()
    (orphan / "index_metadata.pickle").write_bytes(ID.encode())
    remains = store.purge([ID]).remains
    assert [any(d.name in line for line in remains) for d in (aside, orphan)] == [True, True]
    assert len(store.verify(erased=[ID])) == 1
    assert str(orphan.name) in store.verify(erased=[ID])[0]


def test_an_index_in_another_layout_is_not_touched(tmp_path: Path) -> None:
    """Files that are not laid out as is known here stay as they are, and the call says so."""
    filled(tmp_path, 10)
    [header] = tmp_path.glob("*/header.bin")
    before = (header.parent / "data_level0.bin").read_bytes()
    header.write_bytes(b"\2" + header.read_bytes()[1:])
    assert _traces.zero_deleted(header.parent, 4) is not None
    assert (header.parent / "data_level0.bin").read_bytes() == before


def test_a_collection_in_memory_has_no_files() -> None:
    """Nothing remains, and the proof looks at the rows."""
    store = open_store(in_memory())
    write(store, **{ID: SECRET}, other="k1=a")
    assert len(store.verify(erased=[ID, "xanthippe"])) == 2
    assert store.purge([ID]).remains == ()
    assert store.verify(erased=[ID, "xanthippe"]) == []


def test_a_server_keeps_what_only_its_operator_can_erase(chroma_server: int) -> None:
    """Through HTTP the rows go, and both calls say that the server's files are out of reach."""
    store = store_at(chroma_server, "erased")
    write(store, **{ID: SECRET}, other="k2=a")
    [told] = store.purge([ID]).remains
    assert "server" in told
    assert "server" in str(store.last_changes)
    [told] = store.verify(erased=[ID])
    assert "server" in told
    assert store.verify() == []


def test_the_proof_finds_texts_in_every_form(tmp_path: Path) -> None:
    """Long texts, words in JSON, escapes, single words of the index of words: each is found, and where."""
    store = store_at(tmp_path)
    long = 'Zoë said "measles"\n' + " ".join(f"word{n}" for n in range(2000))
    write(store, long=long, plain="k1=a")
    write(store, {"node": '{"text": "Zo\\u00eb lives"}'}, json="k2=b")
    assert any("'long'" in line for line in store.verify(erased=[long]))
    assert any("'json'" in line and "'node'" in line for line in store.verify(erased=["Zoë lives"]))
    assert store.verify(erased=["Zoë died"]) == []
    assert store.verify(erased="k1=a") != []
    for wrong in ([""], [3], []):
        with pytest.raises(InvalidInputError):
            store.verify(erased=wrong)


def test_the_proof_sees_what_the_index_of_words_keeps(tmp_path: Path) -> None:
    """Words that no text has any more are found where the full-text index still holds them."""
    store = store_at(tmp_path)
    write(store, a="zqwxyv", b="plain")
    store.purge(["b"])
    raw = store.session.collection
    raw.delete(ids=["a"])
    _erasing.persist(raw)
    SharedSystemClient.clear_system_cache()
    with sqlite3.connect(tmp_path / "chroma.sqlite3", isolation_level=None) as database:
        database.execute("VACUUM")
    [told] = [line for line in reopened(tmp_path).verify(erased=["zqwxyv"]) if "chroma.sqlite3" in line]
    assert "full-text" in told


def test_the_proof_sees_deleted_vectors(tmp_path: Path) -> None:
    """A vector that was deleted and not overwritten is told, whosever it was; a purge takes it, and is no error."""
    store = filled(tmp_path)
    store.delete([ID])
    assert {what for _, what in left_in(tmp_path)} >= {ID, SECRET}
    _erasing.persist(store.session.collection)
    assert any("vector" in line for line in store.verify(erased=["no such text"]))
    store.purge([ID])
    assert left_in(tmp_path) == []
    assert store.verify(erased=["no such text"]) == []
