"""Public git histories: raw lines through extractor and ledger, without vectors; the demo; mining."""

import io
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from eval.benchmarks import git_history
from eval.mine import main
from memstrata_integrations import default_embeddings
from memstrata_integrations.demo.records import Record, histories
from memstrata_integrations.demo.replay import Results, past_date, run_replay
from memstrata_integrations.demo.terminal import Terminal
from memstrata_integrations.extraction.sources import read_source
from memstrata_integrations.ledger.facts import Extraction, FactKey
from memstrata_integrations.ledger.incoming import Incoming
from memstrata_integrations.ledger.rows import RowFact
from memstrata_integrations.ledger.time import to_micros
from tests.shared_data import data_file, require_minilm
from tests.unit.lockstep import ReferenceLedger
from tests.unit.repositories import Repository

KINDS = ("dependency_pin", "package_version", "python_requires", "config_value")
_SECTION = re.compile(r" in section \[(.*)\] in ")
_COMMENT = re.compile(r"\s+#.*$")
_YAML = re.compile(r"(?P<key>.+) in \S+\.ya?ml of ")


def names(kind: str) -> Iterator[list[dict[str, Any]]]:
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    with data_file(f"git_history/{kind}.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            found.setdefault((record["repo"], record["key"]), []).append(record)
    yield from found.values()


def metadata_of(record: Mapping[str, Any], *, sections: bool) -> dict[str, str]:
    """Return what a pipeline knows of a line: its path, and perhaps the section it was found in."""
    metadata = {"file_path": f"{record['repo']}/{record['path']}"}
    if sections and record["kind"] == "config_value":
        ini = _SECTION.search(record["subject"])
        yaml = _YAML.match(record["subject"])
        if ini is not None:
            metadata["section"] = ini[1]
        elif yaml is not None:
            metadata["section"] = yaml["key"].rpartition(".")[0]
    return metadata


def row_facts(extraction: Extraction, metadata: Mapping[str, str]) -> tuple[RowFact, ...]:
    scope = [("source:file_path", metadata["file_path"])]
    return tuple(
        RowFact(FactKey.of(scope, *f.key).digest(), f.subject, f.relation, f.kind, f.object, f.value, f.span, f.rule,
                local=True)
        for f in extraction.facts
    )  # fmt: skip


def measure(kind: str, *, sections: bool = False) -> Counter[str]:
    """Replay the lines of a kind, and count names, those that have one key, and what is asked, found and stale of them.

    A name whose lines give several keys (an extra, a marker or a stage that comes and goes) is no name with a key.
    """
    counted: Counter[str] = Counter()
    clock = 0
    for records in names(kind):
        counted["names"] += 1
        ledger = ReferenceLedger()
        keyed: set[Any] = set()
        unkeyed = False
        latest = None
        for n, record in enumerate(records):
            clock += 1
            at = to_micros(record["commit_date"], name="commit_date")
            if record["line"] is None:
                if latest is not None:
                    ledger.retract(latest, at, clock, dated=True)
                continue
            metadata = metadata_of(record, sections=sections)
            extraction = read_source(record["line"], metadata) or Extraction()
            facts = row_facts(extraction, metadata)
            keyed |= {f.timeline for f in facts}
            unkeyed = unkeyed or len(facts) != 1
            latest = facts[0].timeline if facts else latest
            ledger.write(Incoming(str(n), str(n), facts, extraction.prose, clock, at, None, 0))
        if not unkeyed and len(keyed) == 1:
            counted["keyed"] += 1
            counted.update(ask(records, ledger))
    return counted


def ask(records: list[dict[str, Any]], ledger: ReferenceLedger) -> Counter[str]:
    """Ask for one name now and at a past date; the truth comes from the dates alone."""
    told = [Record(r["subject"], r["relation"], value_of(r), datetime.fromisoformat(r["commit_date"])) for r in records]
    [history] = histories(told).values()
    last, now = history.spans[-1], to_micros(records[-1]["commit_date"], name="commit_date") + 1
    asked = {now: last.statement if last.end is None else None}
    past = past_date(history)
    if past is not None:
        asked[to_micros(past, name="past")] = history.statement_at(past)
    counted: Counter[str] = Counter()
    for moment, true in asked.items():
        shown = {told[int(i)].statement for i, row in ledger.rows.items() if row.visible(moment)}
        counted.update(asked=true is not None, found=true in shown, stale=bool(shown - {true}))
    return counted


def value_of(record: Mapping[str, Any]) -> str | None:
    """Return the value that the data records; in environments it left the comment on it (three names)."""
    value: str | None = record["object"]
    return _COMMENT.sub("", value) if value is not None and "|env:" in record["key"] else value


@pytest.mark.parametrize(("kind", "sections", "share"), [
    # without hooks and poetry's pins, and without pyproject.toml and setup.cfg, whose section cannot be seen
    ("dependency_pin", False, 0.91), ("package_version", False, 0.60), ("python_requires", False, 0.80),
    ("config_value", False, 0.27), ("config_value", True, 0.96),
])  # fmt: skip
def test_lines_with_their_path(kind: str, sections: bool, share: float) -> None:
    """Of the names that have a key, the value of now and of a past date is served, and nothing that is not true."""
    counted = measure(kind, sections=sections)
    assert counted["stale"] == 0, counted
    assert counted["found"] >= 0.97 * counted["asked"], counted
    assert counted["keyed"] >= share * counted["names"], counted


@pytest.mark.parametrize("kind", KINDS)
def test_no_line_closes_one_of_another_name(kind: str) -> None:
    owners: dict[tuple[str, str, str], tuple[str, str]] = {}
    for records in names(kind):
        for record in records:
            for sections in (False, True):
                if record["line"] is None:
                    continue
                metadata = metadata_of(record, sections=sections)
                for fact in (read_source(record["line"], metadata) or Extraction()).facts:
                    key = (metadata["file_path"], *fact.key)
                    name = (record["repo"], record["key"])
                    assert owners.setdefault(key, name) == name, (record["line"], owners[key], name)


def replay(name: str, embeddings: str, limit: int | None) -> tuple[Results, Results]:
    path = data_file(f"git_history/{name}.jsonl")
    return run_replay(path, default_embeddings(prefer=embeddings), Terminal(io.StringIO()), limit=limit)  # type: ignore[arg-type]


@pytest.mark.slow
def test_pins_with_minilm() -> None:
    require_minilm()
    stock, ours = replay("dependency_pin", "minilm", 1500)
    assert ours.now.stale == ours.gone.stale == ours.past.stale == 0
    assert ours.now.found >= 0.97 * ours.now.asked
    assert ours.past.found >= 0.97 * ours.past.asked
    assert stock.now.stale > ours.now.stale


@pytest.mark.parametrize(
    "name", ["package_version", "python_requires", pytest.param("dependency_pin", marks=pytest.mark.slow)]
)
def test_all_records_lexically(name: str) -> None:
    stock, ours = replay(name, "lexical", None)
    assert ours.now.stale == ours.gone.stale == ours.past.stale == 0
    assert stock.now.stale > 0


def test_what_is_mined_of_a_repository_is_a_git_history(tmp_path: Path) -> None:
    repository, out = Repository(tmp_path / "repository"), tmp_path / "mined"
    for pinned in ("requests==1.4.0\n", "requests==1.5.2\n", ""):
        repository.commit(requirements__txt=f"{pinned}numpy==2.0.0\n")
    assert main([str(repository.folder), "--out", str(out)]) == 0
    assert {kind for kind in git_history.KINDS if git_history.load_kind(out, kind).probes} == {"dependency_pin"}
    pins = git_history.load_kind(out, "dependency_pin")
    asked = sorted((probe.probe, probe.truth and probe.truth.split()[-1]) for probe in pins.probes)
    assert asked == [("now", "2.0.0."), ("past", "1.4.0."), ("past", "1.5.2."), ("removed", None)]


def test_what_is_no_repository_is_refused(tmp_path: Path) -> None:
    assert main([str(tmp_path), "--out", str(tmp_path / "mined")]) == 2
