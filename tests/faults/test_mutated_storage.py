"""Deliberate faults in what stores and reads, each of which a named test must catch.

A fault is a substitution in the source of a copy of the package, on which the test runs in a process of its own. A text
that the source no longer holds exactly once fails: a gate that tests nothing is worse than none.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = "memstrata_integrations"
FAILED = 1
"""The exit status of pytest when tests failed, and not when it could not run them."""

pytestmark = pytest.mark.slow


class Fault(NamedTuple):
    """Which module of the store is changed, the test that must fail for it, and what is put in the place of what."""

    module: str
    caught_by: str
    old: str
    new: str = "pass"


WRITE = "tests/faults/test_interrupted_write.py::"
SCOPE = "tests/conformance/test_scope.py::"
ERASING = "tests/faults/test_erasing.py::"
TOMBSTONES = "tests/conformance/test_tombstones.py::"
STATED = "tests/conformance/test_stated_facts.py::"
COMPACTING = "tests/conformance/test_compacting.py::"
WHOLE = WRITE + "test_a_failed_change_leaves_a_write_whole_or_undone"
PURGED = ERASING + "test_a_purge_leaves_no_byte"
_MACHINES = "tests/stateful/test_collection_lockstep.py::test_a_collection_in_memory_answers_like_the_model"
LOCKSTEP, COMPACTED = f"{_MACHINES}[CollectionMachine-60]", f"{_MACHINES}[CompactingMachine-60]"

FAULTS: dict[str, Fault] = {
    "a write's first call is visible at once": Fault("writing", WRITE + "test_reading_threads_never_see_half_a_write",
        "metadata[TO] = PENDING"),
    "the mark is cleared before the old rows are closed": Fault("writing", WHOLE,
        "self._insert(plan, fields, fresh, moved, batch)",
        "self._insert(plan, fields, fresh, moved, batch); self._close(plan, fields, [], [], fresh[0])"),
    "a version that is being replaced has no copy": Fault("writing", WHOLE, "metadata[SHADOW] = 1"),
    "what was cut off is never taken back": Fault("writing", WHOLE, "if self.state.recovered:", "if True:"),
    "leaders are taken back before their followers": Fault("writing",
        WRITE + "test_an_interrupted_recovery_is_taken_up_again", "for part in (followers, leaders):",
        "for part in (leaders, followers):"),
    "a row that is over is served": Fault("fields", LOCKSTEP, "if not metadata[FROM] <= instant < metadata[TO]:",
        "if not metadata[FROM] <= instant:"),
    "what a row tells now is taken for what it told": Fault("visibility", LOCKSTEP,
        "if not alone and (known_at < first or since <= known_at):", "if True:"),
    "a search takes what came with one call for enough": Fault("searching", LOCKSTEP,
        "if settled or not self._widen(k):", "if True:"),
    "a hull with gaps is taken for whole": Fault("fields", STATED +
        "test_a_story_is_served_as_it_went[what takes a place for a while gives it back at its end, -collection]",
        "return GAPS not in metadata or decode(row_id, metadata).visible(instant)", "return True"),
    "a user's filter is dropped by a search": Fault("searching",
        "tests/conformance/test_evolving_langchain.py::test_filters_never_bring_back_a_stale_row",
        "**self.asked,\n        )\n        if whole:", ")\n        if whole:"),
    "every row lies in every scope": Fault("scoping", SCOPE + "test_ids_of_one_scope_only",
        "return scope_of(metadata, [name for name, _ in scope]) == scope", "return True"),
    "an id may be taken from another scope": Fault("scoping", SCOPE + "test_an_id_of_another_scope_is_refused",
        "if name in (written or {}) and _NOTHING != held != wanted:", "if False:"),
    "ids are purged whosever they are": Fault("lookup", SCOPE + "test_ids_of_one_scope_only",
        'return [i for i, r in self.fetch(ids).items() if lies_in(r["metadata"], wanted)]', "return list(ids)"),
    "verify(repair=True) mends nothing": Fault("inspection", WRITE + "test_a_wrong_answer_is_a_line_until_it_is_mended",
        "session.writer.settle(ledger, session.lookup.fetch(list(ledger.changed)), now)"),
    "a repair that is cut off leaves no mark": Fault("directory",
        "tests/faults/test_interrupted_repair.py::test_an_embedding_that_fails_leaves_the_mark",
        'with self.file.open("w") as opened:', 'with open(os.devnull, "w") as opened:'),
    "the index of words keeps what was purged": Fault("traces", PURGED,
        "database.execute(f\"INSERT INTO {_WORDS}({_WORDS}) VALUES('rebuild')\")"),
    "free pages keep what was purged": Fault("traces", PURGED, 'database.execute("VACUUM")'),
    "purged vectors stay in the index": Fault("traces", PURGED, "vectors[gone] = 0"),
    "an erasure that is cut off is called done": Fault("erasing",
        ERASING + "test_a_purge_that_another_reader_holds_up_says_so", "if not unfinished:\n        Unfinished",
        "if True:\n        Unfinished"),
    "a tombstone bars every scope": Fault("tombstones", TOMBSTONES + "test_another_scope_is_not_barred",
        '[value for _, value in scope_of(metadata, block["by"])]', "[]"),
    "what is purged while a batch is embedded is written": Fault("session",
        TOMBSTONES + "test_a_purge_while_a_batch_is_embedded_keeps_out_of_it",
        "self.bar(batch)  # something was purged meanwhile"),
    "what was moved is changed where it is not": Fault("both", COMPACTED,
        'self._take_back(columns["ids"])\n        with self.state.turn():\n            self.main.update(',
        "with self.state.turn():\n            self.main.update("),
    "the past is looked for in the collection alone": Fault("reading", COMPACTED,
        "return Reader(complete, self.visibility.over(complete))", "return self"),
    "a row is moved as it was before another client changed it": Fault("compacting",
        COMPACTING + "test_what_is_changed_while_it_is_copied_stays", "if copied.get(i) == m]", "]"),
    "a row that was deleted while it was copied comes back": Fault("compacting",
        COMPACTING + "test_what_another_client_deletes_while_it_is_copied_is_gone", "if gone:", "if False:"),
    "an index that was set aside is left there": Fault("rebuild",
        COMPACTING + "test_a_kill_while_indexes_are_exchanged_loses_nothing",
        "if aside.is_dir() and not index.is_dir():", "if False:"),
}  # fmt: skip


def run(package: Path, *tests: str, how: str = "-x") -> subprocess.CompletedProcess[str]:
    """Run tests of this checkout on a copy of the package."""
    options = [how, "-q", "-p", "no:cacheprovider", "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT)]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *options, "-o", "pythonpath=", *(str(ROOT / t) for t in tests)],
        cwd=package.parent,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(package.parent), str(ROOT)])},
        capture_output=True,
        text=True,
        check=False,
    )


def copied(where: Path) -> Path:
    ignored = shutil.ignore_patterns("__pycache__")
    return Path(shutil.copytree(ROOT / PACKAGE, where / PACKAGE, ignore=ignored))


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_caught(name: str, tmp_path: Path) -> None:
    """The test that stands for what the fault breaks fails on it."""
    fault = FAULTS[name]
    package = copied(tmp_path)
    module = package / "chroma" / f"{fault.module}.py"
    source = module.read_text()
    assert source.count(fault.old) == 1, f"{fault.module} does not hold {fault.old!r} once"
    module.write_text(source.replace(fault.old, fault.new))
    done = run(package, fault.caught_by)
    assert done.returncode == FAILED, done.stdout[-2000:] + done.stderr[-2000:]


def test_without_a_fault_nothing_fails(tmp_path: Path) -> None:
    """On a copy that is as it was, the first case of each test that catches them passes, so that it is the fault."""
    package = copied(tmp_path)
    collected = run(package, *{f.caught_by for f in FAULTS.values()}, how="--collect-only").stdout.splitlines()
    first = {line.partition("[")[0]: line for line in reversed(collected) if "::" in line}
    assert len(first) == len({f.caught_by.partition("[")[0] for f in FAULTS.values()}), collected
    done = run(package, *first.values())
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
