"""A state machine: a real collection in memory beside the reference ledger."""

import itertools
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import chromadb
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from memstrata_integrations.chroma import state as _state
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.chroma.fields import PENDING, SHADOW, TO
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.ledger.changes import Changes

from .model import Answer, Draft, Model, shown
from .toy import TestClock, ToyExtractor, distance, moment, vector

PHASES = [Phase.generate, Phase.shrink] if os.environ.get("MEMSTRATA_SHRINK") else [Phase.generate]
"""Shrinking a failure takes minutes: set MEMSTRATA_SHRINK=1 to do it."""
START = 20
TICK = 7

IDS = st.sampled_from(["a", "b", "c", None])
TEXTS = st.sampled_from(
    ["k1=x", "k1=y", "k1=z", "k2=x", "k1=x; k2=y", "k1=y; k2=y", "k1=y; k2=x; more", "k1=x; more", "k1=x; k1=y",
     "k1->x", "k1=", "k1=z; k2=", "more", "other"]
)  # fmt: skip
TAGS = st.sampled_from([(), (), (("tag", "u"),), (("tag", "v"),)])
STARTS = st.sampled_from([None, None, None, None, -35, -12, -5, 0, 3, 11])
LENGTHS = st.sampled_from([None, None, None, None, 1, 4, 16, "zero"])
CHOICES = st.integers(0, 30)


@st.composite
def drafts(draw: st.DrawFn) -> tuple:
    return draw(IDS), draw(TEXTS), draw(TAGS), draw(STARTS), draw(LENGTHS)


class CollectionMachine(RuleBasedStateMachine):
    """A `TemporalCollection` in memory in lockstep with the model."""

    keep_deleted: ClassVar[bool] = False
    configuration: ClassVar[Any] = None
    runs: ClassVar[int] = 0
    _serial: ClassVar[Iterator[int]] = itertools.count()

    # -- where it lives -------------------------------------------------------------------

    def open_client(self) -> Any:
        return chromadb.EphemeralClient()

    def open_store(self) -> TemporalCollection:
        on_delete: Any = "retire" if self.keep_deleted else "purge"
        return TemporalCollection(self.raw, extractor=ToyExtractor(), clock=self.clock, on_delete=on_delete)

    @initialize()
    def begin(self) -> None:
        type(self).runs += 1
        self.client = self.open_client()
        self.name = f"lockstep-{next(self._serial)}"
        self.raw = self.client.create_collection(self.name, embedding_function=None, configuration=self.configuration)
        self.clock = TestClock(START)
        self.store = self.open_store()
        self.model = Model(self.store.session, keep_deleted=self.keep_deleted)
        self.writes: list[Changes] = []
        self.drafts: list[Draft] = []
        self.known: dict[tuple[int, int], Answer] = {}
        self.last = 0
        self.steps = 0

    def teardown(self) -> None:
        if hasattr(self, "raw"):
            self.client.delete_collection(self.name)

    # -- operations -----------------------------------------------------------------------

    @rule(batch=st.lists(drafts(), min_size=1, max_size=4, unique_by=lambda d: d[0] or object()))
    def write(self, batch: list[tuple]) -> None:
        self.tick()
        self.write_drafts([self.dated(*one) for one in batch])

    @rule(one=drafts())
    def write_one(self, one: tuple) -> None:
        self.tick()
        self.write_drafts([self.dated(*one)])

    @rule(choice=CHOICES)
    def write_again(self, choice: int) -> None:
        rows = sorted((r.document_id, r.content) for r in self.model.ledger.rows.values())
        if rows:
            self.tick()
            document_id, content = rows[choice % len(rows)]
            self.write_drafts([Draft(document_id, self.model.texts[content], self.own())])

    @rule(choice=CHOICES)
    def retry(self, choice: int) -> None:
        if self.drafts:
            self.tick()
            self.write_drafts([self.drafts[choice % len(self.drafts)]])

    @rule(subject=st.sampled_from(["k1", "k2"]), start=STARTS)
    def retract(self, subject: str, start: int | None) -> None:
        self.tick()
        at = None if start is None else self.clock.now + start
        if not self.model.knows(subject):
            with pytest.raises(InvalidInputError, match="nothing is known"):
                self.store.retract(subject)
            return
        changes = self.store.retract(subject, at=None if at is None else moment(at))
        self.model.retract(subject, at, changes)
        self.wrote(changes)

    @rule(choice=CHOICES, by_text=st.booleans())
    def undo_changes(self, choice: int, by_text: bool) -> None:
        if not self.writes:
            return
        self.tick()
        write = self.writes[choice % len(self.writes)]
        if not self.model.can_undo(write.recorded_at):
            with pytest.raises(InvalidInputError):
                self.store.undo(write)
            return
        changes = self.store.undo(write.id if by_text else write)
        self.model.undo(write.recorded_at, None, changes)
        self.wrote(changes)

    @rule(document_id=st.sampled_from(["a", "b", "c"]))
    def undo_document(self, document_id: str) -> None:
        self.tick()
        span = self.model.last_write(document_id)
        if span is None:
            with pytest.raises(InvalidInputError):
                self.store.undo(document_id)
            return
        changes = self.store.undo(document_id)
        self.model.undo(span, document_id, changes)
        self.wrote(changes)

    @rule(ids=st.lists(st.sampled_from(["a", "b", "c", "unknown"]), min_size=1, max_size=2, unique=True))
    def delete(self, ids: list[str]) -> None:
        self.tick()
        had = [i for i in ids if i in self.model.ledger.rows]
        assert self.store.delete(ids=ids) == {"deleted": len(had)}
        self.deleted(had)

    @rule(tag=st.sampled_from(["u", "v"]))
    def delete_where(self, tag: str) -> None:
        """Delete documents by a filter on their newest versions, and earlier versions of others that match."""
        self.tick()
        had, versions = self.model.tagged(tag)
        assert self.store.delete(where={"tag": tag}) == {"deleted": len(had)}
        self.deleted(had, versions)

    @rule(document_id=st.sampled_from(["a", "b", "c"]), tag=st.sampled_from(["u", "v"]))
    def update_metadata(self, document_id: str, tag: str) -> None:
        self.tick()
        self.store.update(ids=[document_id], metadatas=[{"tag": tag}])
        self.model.update_metadata(document_id, {"tag": tag})
        self.known.clear()  # metadata has no history
        self.last = max(self.last, self.clock.now)

    @rule(ago=st.sampled_from([0, 0, 1, 8, 30]))
    def compact(self, ago: int) -> None:
        """Move what is long over into the history: no answer changes."""
        self.compacting().compact(moment(self.clock.now - ago))

    def compacting(self) -> TemporalCollection:
        return self.store

    # -- what must hold -------------------------------------------------------------------

    @invariant()
    def agrees(self) -> None:
        """Readers get what the model says, whenever they ask about, and change nothing by it."""
        if not hasattr(self, "raw"):
            return
        self.steps += 1
        before = self.dump()
        assert not [i for i, (_, m, _) in before.items() if m.get(TO) == PENDING or SHADOW in m], before
        assert self.store.verify() == []
        self.check_now()
        for instant in self.instants():
            self.check_at(instant)
        self.check_known()
        assert answer_of(self.store.get(include_superseded=True)) == self.model.everything()
        if self.steps % 3 == 0:
            self.check_fresh_eyes()
        assert self.dump() == before, "a read changed something"

    def check_now(self) -> None:
        now = max(self.clock.now, self.last)
        want = self.model.answer(now)
        assert answer_of(self.store.get()) == want, ("now", now)
        assert self.store.count() == want.total()
        self.check_query(now, None)

    def check_at(self, instant: int) -> None:
        want = self.model.answer(instant)
        at = moment(instant)
        assert answer_of(self.store.get(as_of=at)) == want, instant
        assert self.store.count(as_of=at) == want.total(), instant
        for document_id in sorted({i for i, _, _ in want} | {"a", "b", "c", "unknown"}):
            own = Counter({key: n for key, n in want.items() if key[0] == document_id})
            assert answer_of(self.store.get(ids=[document_id], as_of=at)) == own, (instant, document_id)
        tagged = self.store.get(where={"tag": "u"}, as_of=at)
        assert answer_of(tagged) == self.model.answer(instant, tag="u"), instant
        pages = [self.store.get(limit=2, offset=n, as_of=at)["ids"] for n in range(0, want.total() + 1, 2)]
        assert sorted(i for page in pages for i in page) == sorted(i for i, _, _ in want.elements()), instant
        assert all(len(page) == 2 for page in pages[:-1]), pages
        self.check_query(instant, at)

    def check_query(self, instant: int, at: Any) -> None:
        """The k nearest of what is live, and k of them whenever there are as many."""
        want = self.model.answer(instant)
        tag = "u" if self.steps % 4 == 0 else None
        live = want if tag is None else self.model.answer(instant, tag=tag)
        k = (1, 2, 50)[self.steps % 3]
        target = vector(f"target {self.steps % 5}")
        where = None if tag is None else {"tag": tag}
        found = self.store.query(query_embeddings=[target], n_results=k, as_of=at, where=where)
        got = answer_of({name: found[name][0] for name in ("ids", "documents", "metadatas")})
        assert got <= live, (instant, got - live)
        nearest = self.model.distances(instant, lambda text: distance(target, vector(text)), tag)[:k]
        assert got.total() == len(nearest), (instant, k, got, live)
        assert found["distances"][0] == pytest.approx(nearest, abs=1e-4), instant

    def check_known(self) -> None:
        """A reader at an earlier transaction time is answered what he was answered then."""
        for (known_at, instant), want in list(self.known.items())[self.steps % 5 :: 5]:
            got = answer_of(self.store.get(as_of=moment(instant), known_at=moment(known_at)))
            assert got == want, (known_at, instant)
        now = max(self.clock.now, self.last)
        for instant in (now, now - 9):
            want = self.model.answer(instant)
            got = answer_of(self.store.get(as_of=moment(instant), known_at=moment(now)))
            assert got == want, ("known now", now, instant)
            self.known[now, instant] = want
        for amid in range(*(self.writes[-1].recorded_at if self.writes else (now, now))):
            got = answer_of(self.store.get(as_of=moment(now), known_at=moment(amid)))
            assert got == self.model.answer(now, amid), ("amid a write", amid)

    def check_fresh_eyes(self) -> None:
        """A reader that remembers nothing gets the same."""
        kept = dict(_state._states)
        _state._states.clear()
        try:
            fresh = self.open_store()
            for instant in self.instants():
                want = self.model.answer(instant)
                assert answer_of(fresh.get(as_of=moment(instant))) == want, instant
                assert fresh.count(as_of=moment(instant)) == want.total(), instant
        finally:
            _state._states.clear()
            _state._states.update(kept)

    # -- beneath --------------------------------------------------------------------------

    def reopen(self) -> None:
        self.client = self.open_client()
        self.raw = self.client.get_collection(self.name, embedding_function=None)
        self.store = self.open_store()
        self.model.session = self.store.session

    def tick(self) -> None:
        self.clock.advance(TICK)

    def own(self) -> tuple[tuple[str, str], ...]:
        return (("source", "s"),) if self.keep_deleted else ()

    def dated(self, row_id: str | None, text: str, tags: tuple, start: int | None, length: Any) -> Draft:
        now = self.clock.now
        begin = None if start is None else now + start
        end = None
        if length == "zero":
            end = 0 if begin is not None and begin < 0 else None
        elif length is not None:
            end = (now + TICK if begin is None else begin) + length
        return Draft(row_id, text, (*tags, *self.own()), begin, end)

    def write_drafts(self, batch: list[Draft]) -> None:
        changes = self.store.write(
            [d.text for d in batch],
            ids=[d.id for d in batch],
            embeddings=[vector(d.text) for d in batch],
            metadatas=[dict(d.metadata) or None for d in batch],
            valid_from=[None if d.start is None else moment(d.start) for d in batch],
            valid_to=[None if d.end is None else moment(d.end) for d in batch],
        )
        self.model.write(batch, changes)
        self.drafts += [d for d in batch if d.start is not None]
        if any(d.metadata for d in batch):
            self.known = {k: v for k, v in self.known.items() if not self.keeps_metadata(v, batch)}
        self.wrote(changes)

    def keeps_metadata(self, answer: Answer, batch: list[Draft]) -> bool:
        """Whether an answer shows a text whose metadata a batch may have changed in place."""
        return any(i == d.id and parts(text) <= parts(d.text) for i, text, _ in answer for d in batch)

    def wrote(self, changes: Changes) -> None:
        assert changes.recorded_at[0] > self.last
        self.last = changes.recorded_at[1]
        self.writes.append(changes)

    def deleted(self, document_ids: list[str], versions: Sequence[str] = ()) -> None:
        changes = self.store.last_changes
        assert changes is not None
        self.model.delete(document_ids, changes.recorded_at[0], versions)
        if document_ids or (versions and not self.keep_deleted):
            self.wrote(changes)
        if not self.keep_deleted:
            self.known.clear()

    def instants(self) -> list[int]:
        """Return a few of the instants at which something may change, and their neighbours."""
        edges = [t + d for t in self.model.edges() for d in (-1, 0)] or [0]
        step = self.steps * 7
        return sorted({edges[(step + n * 5) % len(edges)] for n in range(2)} | {self.clock.now + 5})

    def dump(self) -> dict[str, tuple[str, dict[str, Any], list[float]]]:
        both = self.store.session.lookup.both
        both.look_again()  # another client may have begun a history
        raw = both.get(include=["documents", "metadatas", "embeddings"])
        return {
            i: (d, m or {}, [float(x) for x in e])
            for i, d, m, e in zip(raw["ids"], raw["documents"], raw["metadatas"], raw["embeddings"], strict=True)
        }


def parts(text: str) -> set[str]:
    """Return the statements of a text, of which a reader may be shown a part."""
    return set(text.split("; "))


def answer_of(found: Any) -> Answer:
    return Counter(shown(i, d, m) for i, d, m in zip(found["ids"], found["documents"], found["metadatas"], strict=True))


def run(machine: type[CollectionMachine], runs: int, steps: int) -> None:
    machine.runs = 0
    options = settings(
        max_examples=runs, stateful_step_count=steps, deadline=None, derandomize=True, database=None,
        report_multiple_bugs=False, phases=PHASES, suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    run_state_machine_as_test(machine, settings=options)
    assert machine.runs >= runs
