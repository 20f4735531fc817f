"""A history that is exported and imported again: every read answers the same."""

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis.stateful import invariant

from memstrata_integrations.chroma.exporting import export_history
from memstrata_integrations.chroma.importing import import_history

from .machine import CollectionMachine, answer_of, run
from .opening import open_store
from .toy import moment, vector, write


def reads(store: Any, instants: list[int], known: list[int], subjects: tuple[str, ...]) -> dict[Any, Any]:
    found: dict[Any, Any] = {"all": answer_of(store.get(include_superseded=True)), "verify": store.verify()}
    for t in instants:
        at = moment(t)
        nearest = store.query(query_embeddings=[vector("target")], n_results=50, as_of=at)
        found["get", t] = store.get(as_of=at)["ids"], answer_of(store.get(as_of=at))
        found["count", t] = store.count(as_of=at)
        rows = zip(nearest["distances"][0], nearest["ids"][0], nearest["documents"][0], strict=True)
        found["query", t] = sorted(rows)
        for s in known:
            found["known", t, s] = answer_of(store.get(as_of=at, known_at=moment(s)))
    for subject in subjects:
        found["history", subject] = list(store.history(subject))
    found["explain"] = [store.explain(i) for i in sorted(set(store.get(include_superseded=True)["ids"]))]
    found["audit"] = list(store.audit())
    return found


def compare(got: dict[Any, Any], want: dict[Any, Any]) -> None:
    for asked, answer in want.items():
        assert got[asked] == answer, asked


class RoundTripMachine(CollectionMachine):
    """Exports at the end of a history, and imports beside it."""

    @invariant()
    def agrees(self) -> None:
        """Look at the end alone."""

    def teardown(self) -> None:
        """Both collections answer alike, and take the same writes alike."""
        if not hasattr(self, "raw"):
            return
        self.tick()  # a store that is opened anew knows no time but the clock's
        edges = self.model.edges()
        instants = sorted({t + d for t in edges[:: max(len(edges) // 4, 1)] for d in (-1, 0)} | {self.clock.now + 5})
        known = sorted({w.recorded_at[1] for w in self.writes})[-3:]
        with tempfile.TemporaryDirectory() as folder:
            made = export_history(self.store, Path(folder, "history.jsonl.gz"))
            import_history(made.file, self.client, f"{self.name}-copy")
        raw = self.client.get_collection(f"{self.name}-copy", embedding_function=None)
        copy = open_store(raw, self.clock)
        try:
            subjects = tuple(k for k in ("k1", "k2") if self.model.knows(k))
            want = reads(self.store, instants, known, subjects)
            compare(reads(copy, instants, known, subjects), want)
            assert made.rows == len(self.dump())
            self.tick()
            for store in (self.store, copy):
                write(store, a="k1=new", n="k2=x")
            shown = [self.clock.now, self.clock.now - 9]
            self.tick()
            got, want = (reads(store, shown, known, ("k1",)) for store in (copy, self.store))
            compare({**got, "audit": None}, {**want, "audit": None})  # it names new internal ids
        finally:
            self.client.delete_collection(f"{self.name}-copy")
            super().teardown()


@pytest.mark.parametrize("runs", [1, pytest.param(25, marks=pytest.mark.slow)])
def test_every_read_answers_the_same_after_a_round_trip(runs: int) -> None:
    run(RoundTripMachine, runs, 12)
