"""Raw lines of files with their path, from public git histories: which have a key, and what is served of them.

The rows go through the extractor and the ledger alone, without vectors: what is visible at an
instant is what a reader with a large enough `k` gets.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

import pytest

from memstrata_integrations.demo.records import Record, histories
from memstrata_integrations.demo.replay import past_date
from memstrata_integrations.extraction.sources import read_source
from memstrata_integrations.ledger.facts import Extraction, FactKey
from memstrata_integrations.ledger.incoming import Incoming
from memstrata_integrations.ledger.rows import RowFact
from memstrata_integrations.ledger.time import to_micros
from tests.shared_data import data_file
from tests.unit.lockstep import ReferenceLedger

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
    dated = [
        Record(r["subject"], r["relation"], value_of(r), datetime.fromisoformat(r["commit_date"])) for r in records
    ]
    [history] = histories(dated).values()
    last, now = history.spans[-1], to_micros(records[-1]["commit_date"], name="commit_date") + 1
    asked = {now: last.statement if last.end is None else None}
    past = past_date(history)
    if past is not None:
        asked[to_micros(past, name="past")] = history.statement_at(past)
    counted: Counter[str] = Counter()
    for moment, true in asked.items():
        shown = {dated[int(i)].statement for i, row in ledger.rows.items() if row.visible(moment)}
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
