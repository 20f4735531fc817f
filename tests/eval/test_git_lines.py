"""Raw lines of files with their path, from public git histories: which have a key, and what is served of them.

`python -m tests.eval.test_git_lines` prints the figures by kind of file.

The rows go through the extractor and the ledger alone, without vectors: what is visible at an
instant is what a reader with a large enough `k` gets.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pytest

from memstrata_integrations.demo.records import Record, histories
from memstrata_integrations.demo.replay import past_date
from memstrata_integrations.extraction.sources import read_source
from memstrata_integrations.ledger.facts import Extraction, FactKey
from memstrata_integrations.ledger.ledger import ReferenceLedger
from memstrata_integrations.ledger.rows import Incoming, RowFact
from memstrata_integrations.ledger.time import to_micros
from tests.shared_data import data_file

KINDS = ("dependency_pin", "package_version", "python_requires", "config_value")
_SECTION = re.compile(r" in section \[(.*)\] in ")
_COMMENT = re.compile(r"\s+#.*$")
_YAML = re.compile(r"(?P<key>.+) in \S+\.ya?ml of ")


@dataclass
class Tally:
    """What one kind of file amounts to.

    Attributes:
        keys: Names in the data.
        keyed: Names whose every line gives the same key.
        split: Names whose lines give several (an extra, a marker or a stage that comes and goes).
        now, past: [asked, found, stale] over the names that are keyed.
    """

    keys: int = 0
    keyed: int = 0
    split: int = 0
    split_stale: int = 0
    now: list[int] = field(default_factory=lambda: [0, 0, 0])
    past: list[int] = field(default_factory=lambda: [0, 0, 0])

    def __str__(self) -> str:
        told = f"{self.keyed} of {self.keys} names have a key, {self.split} have several ({self.split_stale} stale)"
        return f"{told}; now {self.now}, past {self.past} (asked, found, stale)"


def names(kind: str) -> Iterator[list[dict[str, Any]]]:
    """Yield the records of each name, in their order."""
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
    """Return the facts as a collection keys them: confined to their file."""
    scope = [("source:file_path", metadata["file_path"])]
    return tuple(
        RowFact(FactKey.of(scope, *f.key).digest(), f.subject, f.relation, f.kind, f.object, f.value, f.span, f.rule,
                local=True)
        for f in extraction.facts
    )  # fmt: skip


def measure(kind: str, *, sections: bool = False) -> dict[str, Tally]:
    """Replay the lines of a kind, and ask for each name now and at a past date."""
    tallies: dict[str, Tally] = {}
    clock = 0
    for records in names(kind):
        group = records[0]["key"].split("|")[1].split(":")[0] + " " + records[0]["path"].rpartition(".")[2][-6:].lower()
        tally = tallies.setdefault(group, Tally())
        tally.keys += 1
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
        if unkeyed or not keyed:
            continue
        (answers, stale) = ask(records, ledger)
        if len(keyed) > 1:
            tally.split += 1
            tally.split_stale += stale
            continue
        tally.keyed += 1
        for when, counts in answers:
            told = tally.now if when == "now" else tally.past
            for place, count in enumerate(counts):
                told[place] += count
    return tallies


def ask(records: list[dict[str, Any]], ledger: ReferenceLedger) -> tuple[list[tuple[str, tuple[int, int, int]]], bool]:
    """Return (asked, found, stale) now and at a past date of one name; the truth comes from the dates alone."""
    dated = [
        Record(r["subject"], r["relation"], value_of(r), datetime.fromisoformat(r["commit_date"])) for r in records
    ]
    [history] = histories(dated).values()
    last = to_micros(records[-1]["commit_date"], name="commit_date") + 1
    past = past_date(history)
    answers = []
    for when, instant in (("now", None), ("past", past)):
        if when == "past" and instant is None:
            continue
        moment = last if instant is None else to_micros(instant, name="instant")
        true = history.spans[-1].statement if instant is None and history.spans[-1].end is None else None
        true = history.statement_at(instant) if instant is not None else true
        shown = {dated[int(i)].statement for i, row in ledger.rows.items() if row.visible(moment)}
        answers.append((when, (int(true is not None), int(true in shown), int(bool(shown - {true})))))
    return answers, any(counts[2] for _, counts in answers)


def value_of(record: Mapping[str, Any]) -> str | None:
    """Return the value that the data records; in environments it left the comment on it (three names)."""
    value: str | None = record["object"]
    return _COMMENT.sub("", value) if value is not None and "|env:" in record["key"] else value


def total(tallies: Mapping[str, Tally]) -> Counter[str]:
    """Add up the kinds of file."""
    summed: Counter[str] = Counter()
    for t in tallies.values():
        summed.update(keys=t.keys, keyed=t.keyed, split=t.split, asked=t.now[0] + t.past[0])
        summed.update(found=t.now[1] + t.past[1], stale=t.now[2] + t.past[2])
    return summed


@pytest.mark.parametrize(
    ("kind", "sections", "share"),
    [
        ("dependency_pin", False, 0.91),  # without: hooks and poetry's pins, whose section cannot be seen
        ("package_version", False, 0.60),  # without: pyproject.toml and setup.cfg, whose section cannot be seen
        ("python_requires", False, 0.80),
        ("config_value", False, 0.27),
        ("config_value", True, 0.96),
    ],
)
def test_lines_with_their_path(kind: str, sections: bool, share: float) -> None:
    """Of the names that have a key, the value of now and of a past date is served, and nothing that is not true."""
    tallies = measure(kind, sections=sections)
    summed = total(tallies)
    report = "\n".join(f"{group}: {tally}" for group, tally in sorted(tallies.items()))
    assert summed["stale"] == 0, report
    assert summed["found"] >= 0.97 * summed["asked"], report
    assert summed["keyed"] >= share * summed["keys"], report


@pytest.mark.parametrize("kind", KINDS)
def test_no_line_closes_one_of_another_name(kind: str) -> None:
    """Two names never share a key: what the data tells apart, the keys do."""
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


if __name__ == "__main__":
    for each in KINDS:
        for with_sections in (False, True) if each == "config_value" else (False,):
            print(f"-- {each}{' with sections' * with_sections}")
            for name, counted in sorted(measure(each, sections=with_sections).items()):
                print(f"{name:16} {counted}")
