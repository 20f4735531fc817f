"""What is looked up in the database of a directory itself: what Chroma's filters find, and no half of a commit."""

import random
from typing import Any

import chromadb
import pytest

from memstrata_integrations import Fact, TemporalCollection
from memstrata_integrations.chroma import directory as _directory
from memstrata_integrations.chroma.fields import KEY, TO
from memstrata_integrations.chroma.lookup import Lookup
from memstrata_integrations.ledger.time import MIN_TIME, OPEN

from .lexical import LexicalEmbeddings

OLD, NEW = "The Harbor API listens on port 80.", "The Harbor API listens on port 81."


@pytest.fixture
def store(persistent_client: Any) -> TemporalCollection:
    raw = persistent_client.create_collection("local", embedding_function=None)
    return TemporalCollection(raw, embedding_function=LexicalEmbeddings())


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    found: list[str] = []
    get = chromadb.Collection.get

    def noting(self: Any, *args: Any, **kwargs: Any) -> Any:
        found.append(repr(kwargs.get("where")))
        return get(self, *args, **kwargs)

    monkeypatch.setattr(chromadb.Collection, "get", noting)
    return found


def test_a_new_process_looks_facts_up_by_an_index(store: TemporalCollection, asked: list[str]) -> None:
    """Chroma's filters look at each row, so a write, a past one too, a history and an undo ask it for none by key."""
    store.write([OLD], valid_from="2024-01-01")
    store.session.state.forget_everything()
    store.write([NEW], valid_from="2024-06-01", ids=["new"])
    assert store.get()["documents"] == [NEW]
    store.session.state.forget_everything()
    assert store.history("Harbor API").values == ["80", "81"]
    assert store.explain("new").replaced[0].object == "80"
    changes = store.retract("Harbor API", "listens on", at="2024-09-01")
    store.undo(str(changes.id))
    assert store.get()["documents"] == [NEW]
    assert not [where for where in asked if KEY in where]


@pytest.mark.parametrize("seed", range(4))
def test_the_database_tells_what_chroma_finds(store: TemporalCollection, monkeypatch: Any, seed: int) -> None:
    """By key and since when, by document, and by what stands in a row: also of versions, deletions and a history."""
    draw = random.Random(seed)
    for n in range(30):
        facts = [Fact(f"svc-{draw.randrange(5)}", r, n) for r in draw.sample(["owner", "timeout", "quota"], 2)]
        dates = {"valid_from": f"20{draw.randrange(10, 24)}-01-01"} if n % 3 else {}
        store.write([f"Text {n}."], ids=[f"id-{draw.randrange(12)}"], facts=[facts], **dates)
        if n == 15:
            store.compact()
        if n % 10 == 9:
            store.delete([f"id-{draw.randrange(12)}"])
    lookup = store.session.lookup
    keys = sorted({f.digest for r in lookup.rows_of(lookup.fetch(lookup.collection.get()["ids"])).values()
                   for f in r.facts})  # fmt: skip
    assert keys

    def found() -> list[Any]:
        spans = (None, MIN_TIME, 0, 1_500_000_000_000_000, OPEN - 1)
        told = [lookup.telling(lambda text: "svc-1" in text, MIN_TIME, OPEN)]
        return [
            *(sorted(lookup.ids_by_key(keys[n::3], span)) for span in spans for n in range(3)),
            sorted(lookup.archived_ids([f"id-{n}" for n in range(12)])),
            *(sorted(ids) for ids in told if ids is not None),
        ]

    of_database = found()
    named = lookup.collection.get(where={TO: {"$gte": MIN_TIME}}, include=["metadatas"])
    texts = zip(named["ids"], named["metadatas"], strict=True)
    assert of_database.pop() == sorted(i for i, m in texts if "svc-1" in m["memstrata_facts"])
    monkeypatch.setattr(Lookup, "_in_database", lambda *args: None)
    monkeypatch.setattr(Lookup, "telling", lambda *args: None)
    assert of_database == found()


def test_what_is_read_amid_a_commit_is_read_again(store: TemporalCollection, monkeypatch: Any) -> None:
    """A commit in between changes a number; while a journal stands, one is under way."""
    store.write([OLD])
    store.session.state.forget_everything()
    numbers = iter([1, 2, None, 3, 4, 4])
    monkeypatch.setattr(_directory.Directory, "_commits", lambda self: next(numbers, 4))
    store.write([NEW])
    assert next(numbers, None) is None
    assert store.get()["documents"] == [NEW]


def test_a_database_that_never_rests_is_left_to_chroma(store: TemporalCollection, monkeypatch: Any) -> None:
    store.write([OLD])
    store.session.state.forget_everything()
    monkeypatch.setattr(_directory, "_BUSY", 0.0)
    monkeypatch.setattr(_directory.Directory, "_commits", lambda self: None)
    store.write([NEW])
    assert store.get()["documents"] == [NEW]
    assert store.history("Harbor API").values == ["80", "81"]
