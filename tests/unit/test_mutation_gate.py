"""Deliberate faults in the core, each of which a compact battery of checks must catch.

A fault is a substitution in the source text of the core, compiled into modules of its own. A
text that the source no longer holds exactly once fails the test: a gate that tests nothing is
worse than none.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from . import oracle

CORE = ("time", "timeline", "rows", "ledger")
PACKAGE = "memstrata_integrations.ledger"

MUTANTS: dict[str, tuple[str, str, str]] = {
    "late arrival becomes current": (
        "timeline",
        "return (max(self.precedence, 0), self.valid_from, self.authority, self.recorded_at, self.id)",
        "return (max(self.precedence, 0), self.recorded_at, self.authority, self.valid_from, self.id)",
    ),
    "equal dates by arrival, whatever the authority": (
        "timeline",
        "return (max(self.precedence, 0), self.valid_from, self.authority, self.recorded_at, self.id)",
        "return (max(self.precedence, 0), self.valid_from, self.recorded_at, self.authority, self.id)",
    ),
    "the earlier recorded of two equal dates prevails": (
        "timeline",
        "return (max(self.precedence, 0), self.valid_from, self.authority, self.recorded_at, self.id)",
        "return (max(self.precedence, 0), self.valid_from, self.authority, -self.recorded_at, self.id)",
    ),
    "verbatim repeat compared with any row, live or not": (
        "rows",
        "        holds = any(new.recorded_at in i for i in live)\n",
        "        holds = True\n",
    ),
    "repeat without an id goes to a row that is not live": (
        "ledger",
        "(_repeats(row, new) or row.visible(new.at))",
        "True",
    ),
    "a reassertion forgotten": (
        "rows",
        "        added.append((n, assertion))\n",
        "",
    ),
    "a dated reassertion taken for a retry": (
        "rows",
        "return any(a.value == value and a.interval == Interval(new.valid_from, end) for a in standing)",
        "return any(a.value == value and new.valid_from in a.interval for a in standing)",
    ),
    "deletion resurrects": (
        "timeline",
        "return tuple(\n        replace(a,",
        "return () and tuple(\n        replace(a,",
    ),
    "ghosts block the same value": (
        "ledger",
        "value = fact.value if self._fact(host).value == fact.value else None",
        "value = None",
    ),
    "ghosts state what was deleted": (
        "timeline",
        "assertion.value is not None and not assertion.ghost:",
        "assertion.value is not None:",
    ),
    "retraction reopens what came before": (
        "timeline",
        "level.add(assertion.value)",
        "level.update({assertion.value} - {None})",
    ),
    "retraction is not kept": (
        "ledger",
        "        return replace(fact, held=(*fact.held, assertion))\n",
        "        return fact\n",
    ),
    "what a bounded assertion covered does not resume": (
        "timeline",
        "places = [p for p in places if assertions[known[p]].valid_to > start]",
        "places = [p for p in places if True]",
    ),
    "a late bounded assertion closes for good": (
        "timeline",
        "            left = intervals\n            for hole in taken:\n                left = subtract(left, hole)\n",
        "            left = subtract(intervals, Interval(taken[0].start))\n",
    ),
    "what outranks the late arrival is forgotten": (
        "timeline",
        "                own = subtract(own, other.interval)\n",
        "                pass\n",
    ),
    "undone assertions count for whoever asks": (
        "timeline",
        "return self.recorded_at <= instant < self.undone_at",
        "return self.recorded_at <= instant",
    ),
    "readers of the past know what came later": (
        "timeline",
        "return self.recorded_at <= instant < self.undone_at",
        "return instant < self.undone_at",
    ),
    "what was undone was never known": (
        "timeline",
        "return self.recorded_at <= instant < self.undone_at",
        "return self.recorded_at <= instant and self.undone_at == OPEN",
    ),
    "undo reopens nothing": (
        "ledger",
        "        self.settle(touched)\n        return found",
        "        return found",
    ),
    "an earlier version never ends": (
        "rows",
        "        parts[n] += intervals\n",
        "        parts[n] += [Interval(i.start, OPEN) for i in intervals]\n",
    ),
    "the first version does not reach back": (
        "rows",
        "(Interval(MIN_TIME, found[first][0].end), *found[first][1:])",
        "found[first]",
    ),
    "a retired document goes on": (
        "ledger",
        "self._change(replace(row, editions=(*row.editions, *ends)))",
        "self._change(row)",
    ),
    "an older version becomes current": (
        "ledger",
        "new.assertion(PROSE, new.recorded_at).rank",
        "(OPEN,)",
    ),
    "an undated rewrite loses its dates": (
        "rows",
        "    return replace(row, facts=tuple(carried(f, old.facts, new) for f in row.facts))",
        "    return row",
    ),
    "a future date counts as current": (
        "rows",
        "return any(instant in i for i in self.live())",
        "return any(instant < i.end for i in self.live())",
    ),
    "the end of an interval counts": (
        "time",
        "return self.start <= instant < self.end",
        "return self.start <= instant <= self.end",
    ),
    "the hull leaves out dead late assertions": (
        "rows",
        "latest = max((a.valid_from + 1 for f in self.facts for a in f.all_assertions), default=MIN_TIME)",
        "latest = MIN_TIME",
    ),
}


def source(module: str) -> str:
    """Return the source text of a module of the core."""
    spec = find_spec(f"{PACKAGE}.{module}")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).read_text(encoding="utf-8")


@contextmanager
def core(fault: tuple[str, str, str] | None = None) -> Iterator[Any]:
    """Compile the core into modules of its own, with a fault if one is given."""
    kept = {name: sys.modules.pop(name, None) for name in (f"{PACKAGE}.{m}" for m in CORE)}
    made = SimpleNamespace()
    try:
        for module in CORE:
            text = source(module)
            if fault is not None and fault[0] == module:
                assert text.count(fault[1]) == 1, f"{module}.py holds this {text.count(fault[1])} times: {fault[1]!r}"
                text = text.replace(fault[1], fault[2])
            loaded = ModuleType(f"{PACKAGE}.{module}")
            sys.modules[loaded.__name__] = loaded  # what follows imports the mutant, not the original
            exec(compile(text, f"<{module}>", "exec"), loaded.__dict__)
            setattr(made, module, loaded)
        yield made
    finally:
        for name, original in kept.items():
            sys.modules.pop(name, None)
            if original is not None:
                sys.modules[name] = original


class Trial:
    """A ledger of a possibly faulty core, written to in short."""

    def __init__(self, core: Any, kind: str) -> None:
        self.core = core
        if kind == "ReferenceLedger":
            self.ledger = core.ledger.ReferenceLedger()
        else:
            self.ledger = core.ledger.Ledger(archive_id=lambda d: f"{d}#{len(self.ledger.rows)}")
        self.clock = 100

    def put(self, row_id: str | None, value: str, *dated: int | None, authority: int = 0, wording: str = "") -> None:
        """Write a value of the one key; without an id, a live row that states it takes it."""
        self.clock += 1
        fact = self.core.rows.RowFact(7, "s", "is", "", value, value, (0, 1), "test")
        new = self.core.rows.Incoming(
            row_id or f"new{self.clock}", value + wording, (fact,), False, self.clock, *dated, authority=authority
        )
        if row_id is None:
            twin = self.ledger.duplicate_of(new, [i for i, r in self.ledger.rows.items() if r.content == value])
            if twin is not None:
                self.ledger.confirm(twin, new)
                return
        self.ledger.write(new)

    def told(self, *instants: int, known_at: int | None = None) -> str:
        """Return the values served at several instants, by the row's own word, and by the oracle's."""
        found = []
        rows = list(self.ledger.rows.values())
        for t in instants:
            if known_at is None:
                served = [r for r in rows if r.visible(t)]
            else:
                served = [r for r in rows if r.visible_as_known(t, known_at, rows)]
            ids = [r.id for r in served]
            assert ids == [r.id for r in rows if oracle.row_visible(r, rows, t, known_at or oracle.NOW_KNOWN)], t
            found.append("".join(sorted({r.facts[0].value for r in served})) or "-")
        return "".join(found)

    def check_hulls(self) -> None:
        """Each hull ends behind every date that its row asserts."""
        for row in self.ledger.rows.values():
            assert all(a.valid_from < row.hull().end for f in row.facts for a in f.all_assertions)


def battery(core: Any, kind: str) -> None:
    """Check the core in short; raise `AssertionError` on the first thing that is wrong."""
    t = Trial(core, kind)  # late arrival, future, three intervals
    for row_id, value, at in (("a", "x", 1), ("b", "y", 9), ("c", "z", 5), ("d", "x", 300)):
        t.put(row_id, value, at)
    assert t.told(0, 1, 5, 8, 9, 299, 300) == "-xzzyyx"
    t.check_hulls()
    t = Trial(core, kind)  # dead late assertions are found by their hull
    t.put("a", "x", 5, authority=1)
    t.put("b", "y", 5)
    assert t.told(4, 5, 9) == "-xx"
    t.check_hulls()
    t = Trial(core, kind)  # equal dates
    t.put("a", "x", 5)
    t.put("b", "y", 5)
    assert t.told(5) == "y"
    assert t.told(5, known_at=101) == "x"
    for ids in ("aaa", "abc"):  # A, B, A
        t = Trial(core, kind)
        for row_id, value in zip(ids, "xyx", strict=True):
            t.put(row_id, value)
            assert t.told(t.clock) == value
    t = Trial(core, kind)  # the same id again, superseded elsewhere
    t.put("a", "x")
    t.put("b", "y")
    t.put("a", "x")
    assert t.told(101, 102, 103) == "xyx"
    t = Trial(core, kind)  # no id: repeats are taken while live, and count
    t.put("a", "x", 1)
    t.put(None, "x", 9)
    t.put("b", "y", 5)
    assert len(t.ledger.rows) == 2
    assert t.told(1, 5, 9) == "xyx"
    t.put("c", "y", 12)
    t.put(None, "x")
    assert t.told(11, 12, t.clock - 1, t.clock) == "xyyx"
    assert len(t.ledger.rows) == 4
    t = Trial(core, kind)  # bounded, in and out of order
    t.put("a", "x", 1)
    t.put("b", "y", 5, 9)
    t.put("c", "z", 3, 20)
    assert t.told(1, 3, 5, 8, 9, 19, 20) == "xzyyzzx"
    t = Trial(core, kind)  # retraction
    t.put("a", "x", 1)
    t.put("b", "y", 5)
    assert t.ledger.retract((7, ""), 8, 150, dated=True)
    assert t.told(1, 5, 8, 99) == "xy--"
    t.clock = 150
    t.put("c", "z", 6)
    assert t.told(5, 6, 7, 8, 99) == "yzz--"
    t = Trial(core, kind)  # deletion
    for row_id, value, at in (("a", "x", 1), ("b", "y", 5), ("c", "z", 9), ("d", "y", 6)):
        t.put(row_id, value, at)
    t.ledger.delete(["b", "c"])
    t.ledger.settle()
    assert t.told(1, 5, 6, 8, 9) == "x-yy-"
    t = Trial(core, kind)  # a deleted twin
    t.put("a", "y", 3)
    t.put("b", "y", 5)
    t.ledger.delete(["b"])
    t.ledger.settle()
    assert t.told(3, 5, 9) == "yyy"
    t = Trial(core, kind)  # undo, and what was known before
    t.put("a", "x", 1)
    t.put("b", "y", 5)
    assert t.ledger.undo(102, 102, 200)
    assert t.told(1, 5, 300) == "xxx"
    assert t.told(1, 5, known_at=199) == "xy"
    assert t.told(1, 5, known_at=101) == "xx"
    t = Trial(core, kind)  # versions: older ones, ends, retirement
    t.put("a", "x", 10)
    t.put("a", "y", 5)
    assert t.ledger.rows["a"].facts[0].value == "x"
    assert t.told(4, 5, 9, 10) == "-yyx"
    assert min(i.start for r in t.ledger.rows.values() for i in r.windows) == core.time.MIN_TIME
    t.put("a", "z", 20)
    t.put("b", "y", 15)
    t.ledger.retire("a", 150)
    assert t.told(10, 15, 20, 149, 150, 999) == "xyzz--"
    t = Trial(core, kind)  # an end of a version is no retraction of others, and dates are kept in rewrites
    t.put("a", "x", 1)
    t.put("b", "y", 5)
    t.put("a", "x", wording="!")
    assert t.told(1, 5, 200) == "xyy"
    ghost = core.timeline.Assertion("x", 1, 1, ghost=True)
    later = core.timeline.Assertion("y", 5, 1)
    assert core.timeline.live_intervals([ghost, later]) == [(), (core.time.Interval(5),)]  # a ghost states nothing
    random_trials(core, kind)


def random_trials(core: Any, kind: str) -> None:
    """Write a few random histories and compare them with the oracle at each instant."""
    for seed in range(12):
        chance = random.Random(seed)
        t = Trial(core, kind)
        for _ in range(6):
            start = chance.choice([None, *range(1, 9)])
            end = None if start is None or chance.random() < 0.7 else start + chance.randint(1, 4)
            t.put(chance.choice("abc"), chance.choice("xyz"), start, end, authority=chance.randint(0, 1))
            t.told(*range(12), t.clock)
            t.told(3, 6, 9, known_at=t.clock - 1)


@pytest.mark.parametrize("kind", ["Ledger", "ReferenceLedger"])
def test_the_core_passes_the_battery(kind: str) -> None:
    """The core without a fault passes, so that what fails below fails for its fault."""
    with core() as intact:
        battery(intact, kind)


@pytest.mark.parametrize("name", MUTANTS)
def test_each_fault_is_caught(name: str) -> None:
    """A core with a deliberate fault fails the battery, on the incremental or on the reference ledger."""
    caught = []
    for kind in ("Ledger", "ReferenceLedger"):
        with core(MUTANTS[name]) as faulty:
            try:
                battery(faulty, kind)
            except AssertionError:
                caught.append(kind)
    assert caught, f"no check noticed: {name}"


def test_a_substitution_that_no_longer_matches_fails() -> None:
    """A fault whose text the source does not hold is an error, not a pass."""
    with pytest.raises(AssertionError, match="0 times"), core(("timeline", "no such text", "")):
        pass
