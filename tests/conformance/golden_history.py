"""A small history with one of everything, and what readers are answered of it; how the golden files were made.

The files stay as they are: a later version of the package must read what this one wrote. A new form of the rows gets
files of its own beside them (`python -m tests.conformance.golden_history`, after raising `FORM`).
"""

import json
from pathlib import Path
from typing import Any

import chromadb
from chromadb.config import Settings

from memstrata_integrations import Fact
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.lexical import LexicalEmbeddings
from tests.stateful.toy import TestClock

FORM = 1
FOLDER = Path(__file__).with_name("golden")
START = 1_704_067_200_000_000
DAY = 86_400_000_000
END = START + 60 * DAY
INSTANTS = ("2024-01-02", "2024-01-15", "2024-02-15", "2024-03-15", "2024-06-15", "2025-01-01")
KNOWN = ("2024-01-05T12:00:00", "2024-01-09T12:00:00", "2024-01-16T12:00:00")
PROJECTS = ("north", "south")
IN_PLACE = "manual-2: Backups go to another building."


def opened(raw: Any, clock: TestClock) -> TemporalCollection:
    how: dict[str, Any] = {"scope": ("project",), "on_delete": "retire", "stale": "redact", "clock": clock}
    return TemporalCollection(raw, embedding_function=LexicalEmbeddings(16), **how)


def build(client: Any) -> TemporalCollection:
    """Write the history, a day for each write."""
    raw = client.create_collection("golden", embedding_function=None, configuration={"hnsw": {"space": "cosine"}})
    clock = TestClock(START)
    store = opened(raw, clock)
    stock = {"project": "north", "kind": "stock"}
    raw.add(ids=["stock"], documents=["Written by stock code."], embeddings=[[1.0] + [0.0] * 15], metadatas=[stock])

    def tomorrow() -> TemporalCollection:
        clock.advance(DAY)
        return store

    def write(row_id: str, text: str, *, project: str = "north", **how: Any) -> Any:
        return tomorrow().write([text], ids=[row_id], metadatas=[{"project": project, "source": "wiki"}], **how)

    def state(ids: list[str], *facts: Fact, since: str) -> None:
        south = [{"project": "south"}] * len(facts)
        tomorrow().add_facts(list(facts), ids=ids, metadatas=south, valid_from=since)

    port = "The billing API listens on port {}."
    write("port-1", port.format(8080), valid_from="2024-01-01")
    write("port-2", port.format(9090), valid_from="2024-03-01")
    write("port-late", port.format(8081), valid_from="2024-02-01")  # told last, and true in between
    wrong = write("port-wrong", port.format(1), valid_from="2024-04-01")
    store.undo(wrong, scope={"project": "north"})
    write("south-port", port.format(5000), project="south", valid_from="2024-01-01")
    write("freeze", "The deploy window of checkout is closed.", valid_from="2024-03-10", valid_to="2024-03-20")
    write("window", "The deploy window of checkout is Tuesday.", valid_from="2024-02-01")
    write("page", "The cache timeout of search is 30 s. Ask Ann before changing it.")
    write("page", "The cache timeout of search is 45 s. Ask Ann before changing it.")
    write("chunk", "The owner of search is Ann Lee. The replica count of search is 3. Search runs in Oslo.")
    write("count", "The replica count of search is 5.", valid_from="2024-06-01")
    write("notes", "We met in Oslo and talked about trains.")
    write("notes", "We met in Bergen and talked about boats.")
    first = [Fact("checkout", "timeout", "30 s"), Fact("checkout", "retries", 3), Fact("checkout", "tier", "gold")]
    state(["timeout-1", "retries", "tier"], *first, since="2024-01-10")
    then = [Fact("checkout", "timeout", "45 s"), Fact("checkout", "tier", None)]
    state(["timeout-2", "tier-end"], *then, since="2024-05-01")
    write("runbook-1", "Restart the worker by hand.", project="south")
    write("runbook-2", "The worker restarts itself.", project="south", supersedes="runbook-1")
    write("manual-1", "Backups are copied to the cellar.")
    write(*IN_PLACE.split(": "))
    tomorrow().supersede("manual-1", "manual-2")
    write("host", "The database host of ledger is db1.example.org.")
    tomorrow().retract("database host of ledger", scope={"project": "north"})
    write("gone", "The log level of gateway is debug.")
    tomorrow().delete(ids=["gone"])
    write("level-1", "The log level of proxy is debug.")
    write("level-2", "The log level of proxy is info.")
    tomorrow().purge(["level-2"])  # what it closed stays closed, and what it said is nowhere
    store.dismiss("port-1", "port-2")
    clock.set(END)
    return store


def answers(store: TemporalCollection) -> dict[str, Any]:
    """Return what readers are answered, as JSON carries it."""
    found: dict[str, Any] = {"verify": store.verify()}
    for project in PROJECTS:
        scope = {"project": project}
        for at in INSTANTS:
            found[f"{project} at {at}"] = _listed(store.get(as_of=at, scope=scope))
            nearest = store.query(query_embeddings=[[0.25] * 16], n_results=5, as_of=at, scope=scope)
            found[f"{project} nearest at {at}"] = nearest["ids"][0]
            for known in KNOWN:
                told = store.get(as_of=at, known_at=known, scope=scope)
                found[f"{project} at {at} as known at {known}"] = _listed(told)
        found[f"{project} audit"] = list(store.audit(scope))
        whole = store.get(scope=scope, include_superseded=True)
        found[f"{project} everything"] = _listed(whole)
        for row_id, metadata in zip(whole["ids"], whole["metadatas"], strict=True):
            found[f"metadata of {row_id}"] = metadata
            found[f"history of {row_id}"] = [_entry(e) for e in store.history(id=row_id)]
            why = store.explain(row_id)
            found[f"explain {row_id}"] = [why.status, why.prose, [_entry(e) for e in why.replaced]]
    for subject, relation in (("billing API", "listens on port"), ("checkout", "timeout"), ("search", "owner")):
        for project in PROJECTS:
            history = store.history(subject, relation, scope={"project": project})
            found[f"{project} history of {subject}, {relation}"] = [_entry(e) for e in history]
    return json.loads(json.dumps(found))  # type: ignore[no-any-return]


def _listed(found: Any) -> list[str]:
    return sorted(f"{i}: {d}" for i, d in zip(found["ids"], found["documents"], strict=True))


def _entry(entry: Any) -> list[Any]:
    when = [entry.valid_from, entry.valid_to, entry.recorded_at, len(entry.intervals), len(entry.asserted)]
    return [entry.id, entry.subject, entry.relation, entry.object, *when, entry.status, entry.superseded_by]


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    store = build(chromadb.EphemeralClient(settings=Settings(anonymized_telemetry=False)))
    print(store.export_history(FOLDER / f"history.v{FORM}.jsonl"))
    lines = (f"{json.dumps(k)}: {json.dumps(v, sort_keys=True)}" for k, v in answers(store).items())
    (FOLDER / f"answers.v{FORM}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
