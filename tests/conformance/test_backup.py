"""Backups through both doors, a server and the command; and files of earlier versions, which stay readable."""

import gzip
import json
import re
import uuid
from pathlib import Path
from typing import Any

import chromadb
import numpy as np
import pytest
from langchain_core.documents import Document
from llama_index.core.schema import TextNode

from memstrata_integrations import export_history, import_history
from memstrata_integrations.chroma.clients import client_at
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.chroma.fields import FACTS, SCHEMA
from memstrata_integrations.cli import main
from memstrata_integrations.errors import InvalidInputError, SchemaVersionError, StorageError
from memstrata_integrations.langchain import TemporalVectorStore as LangChainStore
from memstrata_integrations.lexical import LexicalEmbeddings
from memstrata_integrations.llama_index import TemporalVectorStore as LlamaIndexStore
from tests.stateful.toy import TestClock

from . import golden_history as golden
from .doors import Door
from .llama import part

OLD, NEW = "The billing API listens on port 8080.", "The billing API listens on port 9090."
FORMS = sorted(int(f.name.split(".")[1][1:]) for f in golden.FOLDER.glob("history.*.jsonl"))


def told_then(form: int) -> Any:
    """Return what readers were answered when the file of a form was written."""
    return json.loads((golden.FOLDER / f"answers.v{form}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("form", FORMS)
def test_a_collection_of_every_form_stays_readable(client: Any, collection_name: str, form: int) -> None:
    import_history(golden.FOLDER / f"history.v{form}.jsonl", client, collection_name)
    clock = TestClock(golden.END)
    store = golden.opened(client.get_collection(collection_name, embedding_function=None), clock)
    got, want = golden.answers(store), told_then(form)
    assert {asked: got[asked] for asked in want} == want
    clock.advance(300 * golden.DAY)
    said = {"project": "north", "source": "wiki"}
    store.write(["The billing API listens on port 7070."], ids=["next"], metadatas=[said])
    assert store.explain("port-2").status == "not served"
    assert store.verify() == []


def test_there_is_a_golden_file_of_todays_form() -> None:
    """Whoever changes the form of the rows adds the files of the new one."""
    assert FORMS[-1] == SCHEMA == golden.FORM


def test_the_golden_history_is_told_the_same_today(client: Any) -> None:
    """Written anew by today's code, the same history answers the same, but for what the grammar reads.

    And but for the time before `supersede`: what it puts in another text's place begins where that one ends since then.
    And an ending that nobody wrote is served to nobody.
    """
    got, want = golden.answers(golden.build(client)), told_then(golden.FORM)
    client.delete_collection("golden")
    otherwise = ("north at 2024-01-02", "north nearest at 2024-01-02", "north at 2024-01-15")
    for asked in (a for a in want if (" at " in a or a == "verify") and a not in otherwise):
        assert got[asked] == [a for a in want[asked] if a.partition(":")[0] != "tier-end"], asked
    assert [a for a in want["north at 2024-01-15"] if a not in got["north at 2024-01-15"]] == [golden.IN_PLACE]


def test_rows_of_a_newer_form_are_refused_by_every_read(client: Any, collection_name: str) -> None:
    """Served, searched, explained, written over or exported: an error that says what to do, and nothing is written."""
    raw = client.create_collection(collection_name, embedding_function=None)
    store = TemporalCollection(raw, embedding_function=LexicalEmbeddings(32))
    store.write([OLD, "Words."], ids=["a", "p"])
    for row_id, metadata in zip(*(raw.get()[c] for c in ("ids", "metadatas")), strict=True):
        newer = metadata[FACTS].replace(f'{{"v":{SCHEMA},', f'{{"v":{SCHEMA + 1},')
        raw.update(ids=[row_id], metadatas=[{FACTS: newer}])
    before = raw.get(include=["metadatas", "documents"])
    store.session.state.forget_everything()  # as another process finds it
    fresh = TemporalCollection(raw, embedding_function=LexicalEmbeddings(32))
    gets = [fresh.get, lambda: fresh.get(ids=["p"]), lambda: fresh.query(query_texts=["port"], n_results=1)]
    tells = [lambda: fresh.explain("a"), lambda: fresh.history("billing API"), fresh.verify, lambda: [*fresh.audit()]]
    for call in (*gets, *tells, lambda: fresh.write([NEW], ids=["b"])):
        with pytest.raises(SchemaVersionError, match="upgrade memstrata-integrations"):
            call()
    assert raw.get(include=["metadatas", "documents"]) == before


def test_what_langchain_wrote_is_restored_for_llama_index(client: Any, collection_name: str, tmp_path: Path) -> None:
    embeddings, copy = LexicalEmbeddings(32), f"{collection_name}-copy"
    store = LangChainStore(collection_name, embeddings, client=client)
    store.add_documents([Document(OLD, metadata={"author": "Ann"})], ids=["a"])
    llama = LlamaIndexStore(client.get_collection(collection_name, embedding_function=None))
    llama.add([TextNode(text=NEW, id_="b", metadata={"author": "Bob"}, embedding=embeddings.embed_query(NEW))])
    made = export_history(llama, tmp_path / "history.jsonl.gz")
    assert (made.rows, made.embedding) == (2, embeddings.name)
    import_history(made.file, client, copy)
    restored = LangChainStore(copy, embeddings, client=client)
    assert [d.page_content for d in restored.similarity_search("billing API port", k=4)] == [NEW]
    assert str(restored.history("billing API")) == str(store.history("billing API"))
    assert list(restored.audit()) == list(store.audit()) == list(llama.audit())
    [again] = LlamaIndexStore(client.get_collection(copy, embedding_function=None)).get_nodes(node_ids=["b"])
    assert (again.node_id, again.get_content(), again.metadata) == ("b", NEW, {"author": "Bob"})


def test_a_directory_that_was_imported_into_is_opened_in_the_same_process(tmp_path: Path) -> None:
    """The client that an import by path made is closed: another one has settings of its own."""
    store = LangChainStore("src", LexicalEmbeddings())
    store.add_texts([OLD])
    made = export_history(store, tmp_path / "history.jsonl")
    import_history(made.file, str(tmp_path / "db"), "src")
    again = LangChainStore("src", LexicalEmbeddings(), persist_directory=str(tmp_path / "db"))
    assert again.get()["documents"] == [OLD]


def test_the_audit_trail_names_texts_sources_and_rules(client: Any, collection_name: str) -> None:
    """As the changes of the write told it, with the metadata of both texts; only what lies in the scope and time."""
    clock = TestClock("2024-01-01")
    store = LangChainStore(collection_name, LexicalEmbeddings(32), client=client, scope=("team",), clock=clock)
    for day, row in enumerate(["north-a", "north-b", "south-a", "south-b"], start=2):
        clock.set(f"2024-01-{day:02}")
        team, author = row.split("-")
        store.add_texts([OLD if author == "a" else NEW], [{"team": team, "author": author}], ids=[row])
    [told] = store.last_changes or ()
    [record] = store.audit({"team": "south"})

    def of(author: str, statement: str) -> dict[str, Any]:
        of_text = {"metadata": {"team": "south", "author": author}, "statement": statement, "rule": record["rule"]}
        return {"id": f"south-{author}", "version": None, **of_text}

    day = "2024-01-05T00:00:00+00:00"
    change = {"kind": "superseded", "subject": told.subject, "relation": told.relation, "old": "8080", "new": "9090"}
    dates = {"recorded_at": day, "valid_from": day, "valid_to": None, "undone_at": None}
    assert record == {**change, **dates, "rule": record["rule"], "retired": of("a", OLD), "by": of("b", NEW)}
    north = {"team": "north"}
    assert len(list(store.audit(north, since="2024-01-03"))) == len(list(store.audit(north, until="2024-01-04"))) == 1
    assert list(store.audit(north, since="2024-01-04")) == list(store.audit(north, until="2024-01-03")) == []
    with pytest.raises(InvalidInputError, match="audit needs scope="):
        store.audit()


def settings(port: int, pool: int, *more: str) -> list[str]:
    """Return the texts of a source: a sentence, and a table."""
    rows = f"| timeout | 20 s |\n| pool size | {pool} |"
    return [f"The checkout service listens on port {port}.", f"| setting | value |\n|---|---|\n{rows}", *more]


@pytest.mark.parametrize("dates", [(None, None), ("2024-01-01", "2024-06-01")])
def test_what_several_texts_told_together_retired_is_told_as_of_one_write(dates: tuple[str | None, ...]) -> None:
    """Each value names the text that states the next one, what goes on is none, and what is left out names nobody."""
    door = Door("collection")
    door.sync("c.md", *settings(1, 10, "The owner of checkout is Ann."), valid_from=dates[0])
    changes = door.sync("c.md", *settings(2, 20), valid_from=dates[1])
    new = {"checkout service": ("1", "2"), "pool size value": ("10", "20"), "owner of checkout": ("Ann", None)}
    assert {c.subject: (c.old, c.new) for c in changes} == new
    found = {str(r["subject"]): r for r in door.collection.audit()}
    assert {name: (r["old"], r["new"]) for name, r in found.items()} == new
    told = {name: r["by"] and r["by"]["statement"] for name, r in found.items()}
    by = (settings(2, 20)[0], "| pool size | 20 |", None)
    assert told == dict(zip(new, by, strict=True))


def test_what_another_node_of_a_version_goes_on_stating_is_not_retired() -> None:
    """Nodes of one document are written one after the other."""
    store = Door("llama_index").store
    for version, said in (("v1", settings(1, 10)), ("v2", settings(2, 20))):
        store.add([part("d", version, text) for text in said])
    assert sorted((r["old"], r["new"]) for r in store.audit()) == [("1", "2"), ("10", "20")]


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A directory with a collection of two ports."""
    store = LangChainStore("ports", LexicalEmbeddings(512), client=chromadb.PersistentClient(str(tmp_path / "db")))
    store.add_texts([OLD, NEW], ids=["a", "b"])
    return tmp_path / "db"


def vectors(where: str, name: str) -> dict[str, list[float]]:
    found = client_at(where).get_collection(name, embedding_function=None).get(include=["embeddings"])
    return {i: np.asarray(v, np.float32).tolist() for i, v in zip(found["ids"], found["embeddings"], strict=True)}


def test_the_commands_go_to_a_server_and_back(directory: Path, chroma_server: int, tmp_path: Path, capsys: Any) -> None:
    """Without vectors, with the embeddings that the collection records; the audit trail is the same at each end."""
    name, server = f"served-{uuid.uuid4().hex}", f"http://127.0.0.1:{chroma_server}"
    first, second = str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl.gz")
    assert main(["export", str(directory), "--collection", "ports", "--to", first, "--no-vectors"]) == 0
    assert main(["import", first, "--path", server, "--collection", name]) == 0
    assert main(["export", server, "--collection", name, "--to", second]) == 0
    assert main(["import", second, "--path", str(tmp_path / "new"), "--collection", "back"]) == 0
    capsys.readouterr()
    trails = []
    for where, collection in ((str(directory), "ports"), (server, name), (str(tmp_path / "new"), "back")):
        assert main(["audit", where, "--collection", collection, "--jsonl", "-"]) == 0
        trails.append(capsys.readouterr().out)
    assert trails[0] == trails[1] == trails[2]
    assert [json.loads(line)["new"] for line in trails[0].splitlines()] == ["9090"]
    assert vectors(str(directory), "ports") == vectors(server, name)
    client_at(server).delete_collection(name)


def test_the_audit_command_tells_a_line_each(directory: Path, tmp_path: Path, capsys: Any) -> None:
    """What, when, by which text; as JSON lines into a file, and only of a stretch of time."""
    place = ["audit", str(directory), "--collection", "ports"]
    assert main(place) == 0
    assert "superseded: billing API listens on port '8080' -> '9090' (a by b)" in capsys.readouterr().out
    assert main([*place, "--jsonl", str(tmp_path / "audit.jsonl"), "--until", "2001-01-01"]) == 0
    assert (tmp_path / "audit.jsonl").read_text() == ""
    assert main([*place, "--since", "yesterday"]) == 2
    assert main([*place, "--jsonl", str(tmp_path)]) == 2
    assert "cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize(("arguments", "message"), [
    (["export", "{}", "--collection", "prots", "--to", "x.jsonl"], "no collection 'prots' .* holds 'ports'"),
    (["audit", "{}/nowhere", "--collection", "ports"], "is no Chroma directory"),
    (["import", "{}/absent", "--path", "{}", "--collection", "ports"], "absent' cannot be read"),
])  # fmt: skip
def test_what_is_not_there_is_named(directory: Path, capsys: Any, arguments: list[str], message: str) -> None:
    before = sorted(directory.iterdir())
    assert main([a.format(directory) for a in arguments]) == 2
    assert re.search(message, capsys.readouterr().err)
    assert sorted(directory.iterdir()) == before


def test_a_server_that_does_not_answer_is_named() -> None:
    with pytest.raises(StorageError, match="no Chroma server answers"):
        client_at("http://127.0.0.1:9")


def test_equal_states_give_equal_rows(directory: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "a.jsonl", tmp_path / "b.jsonl.gz"
    for file in (one, two):
        assert main(["export", str(directory), "--collection", "ports", "--to", str(file)]) == 0
    assert one.read_bytes().split(b"\n", 1)[1] == gzip.decompress(two.read_bytes()).split(b"\n", 1)[1]
