"""Deliberate faults in the core, each of which an example of the ledger must catch.

A fault is a substitution in the source text of the core, compiled into modules of its own. A
text that the source no longer holds exactly once fails the test: a gate that tests nothing is
worse than none.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

CORE = ("time", "timeline", "rows", "incoming", "ledger", "undoing")
EXAMPLES = ("lockstep", "examples", "test_timeline", "test_ledger")
PACKAGE = "memstrata_integrations.ledger"

MUTANTS: dict[str, tuple[str, str, str]] = {  # the module, what it says, and what the mutant says
    "late arrival becomes current": ("timeline",
        "return (max(self.precedence, 0), self.valid_from, self.authority, self.recorded_at, self.id)",
        "return (max(self.precedence, 0), self.recorded_at, self.authority, self.valid_from, self.id)"),
    "equal dates by arrival, whatever the authority": ("timeline",
        "return (max(self.precedence, 0), self.valid_from, self.authority, self.recorded_at, self.id)",
        "return (max(self.precedence, 0), self.valid_from, self.recorded_at, self.authority, self.id)"),
    "the earlier recorded of two equal dates prevails": ("timeline",
        "return (max(self.precedence, 0), self.valid_from, self.authority, self.recorded_at, self.id)",
        "return (max(self.precedence, 0), self.valid_from, self.authority, -self.recorded_at, self.id)"),
    "verbatim repeat compared with any row, live or not": ("incoming",
        "        holds = any(new.recorded_at in i for i in live)\n", "        holds = True\n"),
    "repeat without an id goes to a row that is not live": ("ledger", "(repeats(row, new) or row.visible(new.at))",
        "True"),
    "a reassertion forgotten": ("incoming", "        added.append((n, assertion))\n", ""),
    "a dated reassertion taken for a retry": ("incoming",
        "return any(a.value == value and a.interval == Interval(new.valid_from, end) for a in standing)",
        "return any(a.value == value and new.valid_from in a.interval for a in standing)"),
    "deletion resurrects": ("timeline", "return tuple(\n        replace(a,",
        "return () and tuple(\n        replace(a,"),
    "ghosts block the same value": ("ledger", "value = fact.value if kept.value == fact.value else None",
        "value = None"),
    "ghosts state what was deleted": ("timeline", "assertion.value is not None and not assertion.ghost:",
        "assertion.value is not None:"),
    "retraction reopens what came before": ("timeline", "level.add(assertion.value)",
        "level.update({assertion.value} - {None})"),
    "retraction is not kept": ("ledger", "        return replace(fact, held=(*fact.held, assertion))\n",
        "        return fact\n"),
    "what a bounded assertion covered does not resume": ("timeline",
        "places = [p for p in places if assertions[known[p]].valid_to > start]",
        "places = [p for p in places if True]"),
    "a late bounded assertion closes for good": ("timeline",
        "            losses[statement] = subtract(intervals, *taken)\n",
        "            losses[statement] = subtract(intervals, Interval(taken[0].start))\n"),
    "what outranks the late arrival is forgotten": ("timeline", "                own = subtract(own, other.interval)\n",
        "                pass\n"),
    "undone assertions count for whoever asks": ("timeline", "return self.recorded_at <= instant < self.undone_at",
        "return self.recorded_at <= instant"),
    "readers of the past know what came later": ("timeline", "return self.recorded_at <= instant < self.undone_at",
        "return instant < self.undone_at"),
    "what was undone was never known": ("timeline", "return self.recorded_at <= instant < self.undone_at",
        "return self.recorded_at <= instant and self.undone_at == OPEN"),
    "undo reopens nothing": ("undoing", "    ledger.settle(touched)\n", ""),
    "an earlier version never ends": ("rows", "        parts[n] += intervals\n",
        "        parts[n] += [Interval(i.start, OPEN) for i in intervals]\n"),
    "the first version does not reach back": ("rows", "normalise([*before, *found[first]])", "found[first]"),
    "a first version reaches back to where it was said to be over": ("rows", "subtract(before, end.interval)",
        "before"),
    "a version that is yet to come outlives the end of its document": ("ledger",
        "sorted({at, *(s for v in versions for s in v.begun if s > at)})", "[at]"),
    "a retired document goes on": ("ledger", "self._enter(replace(row, editions=(*row.editions, end)), ())",
        "self._enter(row, ())"),
    "what is told again with its date stays deleted": ("incoming", "told.rank > rank or same_content(newest, new)",
        "False"),
    "what is older than what was deleted brings that back": ("incoming",
        "told.rank > rank or same_content(newest, new)", "True"),
    "what was called off by a deletion comes after all": ("incoming",
        "if e.valid_from <= e.recorded_at or e.valid_from not in begun", ""),
    "undo leaves a deletion outlasted": ("undoing", "e.undone_at in times]", "False]"),
    "an older version becomes current": ("ledger", "newest is None or rank > newest", "True"),
    "an undated rewrite loses its dates": ("incoming", "past = list(earlier) if new.valid_from is None else []",
        "past: list[RowFact] = []"),
    "a future date counts as current": ("rows", "return any(instant in i for i in self.live())",
        "return any(instant < i.end for i in self.live())"),
    "the end of an interval counts": ("time", "return self.start <= instant < self.end",
        "return self.start <= instant <= self.end"),
    "the hull leaves out dead late assertions": ("rows",
        "latest = max((a.valid_from + 1 for f in self.facts for a in f.all_assertions), default=MIN_TIME)",
        "latest = MIN_TIME"),
}  # fmt: skip


def source(module: str) -> str:
    spec = find_spec(f"{PACKAGE}.{module}")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).read_text(encoding="utf-8")


@contextmanager
def examples(fault: tuple[str, str, str] | None = None) -> Iterator[Any]:
    """Compile the core, with a fault if one is given, and load the examples of the ledger upon it."""
    names = [*(f"{PACKAGE}.{m}" for m in CORE), *(f"{__package__}.{m}" for m in EXAMPLES)]
    kept = {name: sys.modules.pop(name, None) for name in names}
    try:
        for module in CORE:
            text = source(module)
            if fault is not None and fault[0] == module:
                assert text.count(fault[1]) == 1, f"{module}.py holds this {text.count(fault[1])} times: {fault[1]!r}"
                text = text.replace(fault[1], fault[2])
            loaded = ModuleType(f"{PACKAGE}.{module}")
            sys.modules[loaded.__name__] = loaded  # what follows imports the mutant, not the original
            exec(compile(text, f"<{module}>", "exec"), loaded.__dict__)
        yield import_module(f"{__package__}.test_ledger")
    finally:
        for name, original in kept.items():
            sys.modules.pop(name, None)
            if original is not None:
                sys.modules[name] = original


def told_rightly(ledger: Any, make: Any) -> bool:
    try:
        for story in (*ledger.RULES, *ledger.VERSIONS):
            ledger.test_a_ledger_goes_by_the_rules(make, story)
        for name in ledger.ORDERS:
            ledger.test_any_order_of_arrival_gives_one_view(make, name)
        ledger.test_earlier_readers_keep_their_answers(make)
        ledger.test_retries_of_every_kind_change_nothing(make)
        ledger.test_prose_is_versioned_too(make)
        import_module(f"{__package__}.test_timeline").test_buried_assertions()
    except AssertionError:
        return False
    return True


@pytest.mark.parametrize("kind", ["NumberedLedger", "ReferenceLedger"])
def test_the_examples_hold_on_the_core(kind: str) -> None:
    """So that what fails below fails for its fault."""
    with examples() as intact:
        assert told_rightly(intact, getattr(intact, kind))


@pytest.mark.parametrize("name", MUTANTS)
def test_each_fault_is_caught(name: str) -> None:
    with examples(MUTANTS[name]) as faulty:
        assert not all(told_rightly(faulty, make) for make in (faulty.NumberedLedger, faulty.ReferenceLedger))


def test_a_substitution_that_no_longer_matches_fails() -> None:
    with pytest.raises(AssertionError, match="0 times"), examples(("timeline", "no such text", "")):
        pass
