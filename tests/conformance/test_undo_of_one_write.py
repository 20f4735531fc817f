"""One undo names one write, and takes back nothing of another tenant's."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.ledger.changes import Changes
from memstrata_integrations.ledger.facts import Fact

from .doors import Door


def test_a_span_of_all_times_undoes_nothing() -> None:
    """An id that was never a write's takes back nothing, and is no document's id."""
    door = Door("collection")
    door.store.add_facts([Fact("checkout", "timeout", "30 s")])
    everything = "memstrata-write-0-9000000000000000000"
    with pytest.raises(InvalidInputError, match="nothing of write"):
        door.store.undo(everything)
    with pytest.raises(InvalidInputError, match="this package's own"):
        door.tell("A text.", row_id=everything)
    assert door.served() == ["The timeout of checkout is 30 s."]


def test_another_tenants_write_stays() -> None:
    """Named by its id, a write of one tenant is taken back in that tenant's scope alone."""
    door = Door("collection", scope=("tenant",))
    rows = [{"tenant": "a"}, {"tenant": "b"}]
    changes = door.store.add_facts([Fact("checkout", "timeout", 1), Fact("checkout", "timeout", 2)], metadatas=rows)
    with pytest.raises(InvalidInputError, match="undo needs scope"):
        door.store.undo(changes.id)
    with pytest.raises(InvalidInputError, match="nothing of write"):
        door.store.undo(changes.id, scope={"tenant": "c"})
    assert len(door.served(scope={"tenant": "b"})) == 1
    door.store.undo(changes)
    assert door.served(scope={"tenant": "a"}) == door.served(scope={"tenant": "b"}) == []


def test_a_document_of_another_scope_is_not_undone() -> None:
    """Who names a scope reaches what lies there; a document's id alone names it, as it does when it is deleted."""
    door = Door("collection", scope=("tenant",))
    own = {"tenant": "a"}
    door.tell("Ann lives in Oslo.", own, "a1", valid_from="2024-01-01")
    door.tell("Ann lives in Bergen.", own, "a2", valid_from="2024-02-01")
    for other in ({"tenant": "b"}, {"tenant": "nobody"}):
        with pytest.raises(InvalidInputError, match="no write of document"):
            door.store.undo("a2", scope=other)
    assert door.served(scope=own) == ["Ann lives in Bergen."]
    door.store.undo("a2", scope=own)
    assert door.served(scope=own) == ["Ann lives in Oslo."]


def test_each_tenant_takes_back_its_part_of_a_write_of_several() -> None:
    """Whoever wrote first or last in it."""
    door = Door("collection", scope=("tenant",))
    a, b = {"tenant": "a"}, {"tenant": "b"}
    changes = door.store.write(["Ann lives in Oslo.", "Bo lives in Rome.", "Ann is 30."], metadatas=[a, b, a])
    door.store.undo(changes.id, scope=b)
    assert (len(door.served(scope=a)), door.served(scope=b)) == (2, [])
    with pytest.raises(InvalidInputError, match="was undone already"):
        door.store.undo(changes.id, scope=b)
    door.store.undo(changes.id, scope=a)
    assert door.served(scope=a) == []


def test_a_write_of_which_some_texts_changed_nothing_has_an_id() -> None:
    """What repeated, first or last, was not recorded again; the id of the write still names what was."""
    door = Door("collection")
    facts = [Fact("a", "is", 1), Fact("b", "is", 1), Fact("c", "is", 1)]
    door.store.add_facts([facts[0], facts[2]], ids=["1", "3"])
    changes = door.store.add_facts(facts, ids=["1", "2", "3"])
    door.store.undo(changes.id)
    assert len(door.served()) == 2


def test_a_write_of_which_a_part_was_undone_is_undone_by_its_id() -> None:
    """Taking back the last document of a write by itself leaves the rest of the write to be taken back."""
    door = Door("collection")
    changes = door.store.add_facts([Fact("a", "is", 1), Fact("b", "is", 1)], ids=["1", "2"])
    door.store.undo("2")
    door.store.undo(changes.id)
    assert door.served() == []


def test_what_was_known_of_a_version_is_known_when_it_is_undone() -> None:
    """Asked by id or by a filter, a reader of then is not answered what the undo brought back."""
    door = Door("collection", now="2025-01-01")
    door.tell("The first wording.", {"rev": 1}, "b")
    door.tell("The second wording.", {"rev": 2}, "b")
    then = "2025-01-02"
    door.clock.set("2025-01-03")
    door.store.undo("b")
    assert door.served() == ["The first wording."]
    for asked in ({"ids": ["b"]}, {"where": {"rev": {"$lte": 2}}}):
        assert door.store.get(**asked, known_at=then)["documents"] == ["The second wording."]
    assert door.store.get(where={"rev": 1}, known_at=then)["documents"] == []


@pytest.mark.parametrize("how", ["of no document", "of metadata"])
def test_an_update_that_tells_nothing_is_not_undone_as_the_write_before_it(how: str) -> None:
    """`undo(last_changes)` after it raises, and what was written before stays."""
    store = Door("collection").collection
    store.write(["The billing API listens on port 8080."], ids=["a"])
    if how == "of metadata":
        store.update(["a"], metadatas=[{"page": 2}])
    else:
        store.update(["b"], documents=["Ask Ann."])
    with pytest.raises(InvalidInputError, match="nothing"):
        store.undo(store.last_changes)
    assert store.get()["documents"] == ["The billing API listens on port 8080."]


async def test_a_task_knows_its_own_writes_alone() -> None:
    """A task that wrote in a thread can undo that; one that wrote nothing is not told what others wrote there."""
    store = Door("llama_index").store
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))

    async def write() -> Changes | None:
        await store.aadd_facts(Fact("checkout", "timeout", 1))
        return store.last_changes  # type: ignore[no-any-return]

    changes = await asyncio.create_task(write())
    assert changes is not None
    assert changes.added == 1
    await store.adelete("no such document")
    assert store.last_changes is None
