"""The notebooks run offline and show what they say; the committed ones carry outputs that a reader can trust."""

import json
import os
import re
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest

from tests.shared_data import ROOT
from tests.unit.repositories import Repository

EXAMPLES = ROOT / "examples"
SIDE_BY_SIDE = ("langchain_side_by_side", "llama_index_side_by_side")
NOTEBOOKS = ("git_time_travel", *SIDE_BY_SIDE)
OURS, NAIVE = "TemporalVectorStore", "Chroma, similarity"

NO_NETWORK = """
import socket

attempts, connect = [], socket.socket.connect


def connect_here(self, address):
    if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in ("127.0.0.1", "::1", "localhost"):
        attempts.append(str(address))
        raise OSError(f"no network here: {address}")
    return connect(self, address)


socket.socket.connect = connect_here
"""
TABLE = """
import json

print(json.dumps({
    "attempts": attempts,
    "asked": len(EVOLVING),
    "table": {r: {" ".join(name): int(n) for name, n in row.items()} for r, row in table.to_dict("index").items()},
}))
"""


def read(name: str) -> Any:
    return nbformat.read(EXAMPLES / f"{name}.ipynb", as_version=4)


def run(notebook: Any, *, probe: str, folder: Path = EXAMPLES, last: str | None = None, **variables: str) -> Any:
    """Run a notebook (up to a cell) without network, then code that prints JSON; return what it printed."""
    cells = [c for c in notebook.cells if c.cell_type == "code"]
    if last is not None:
        cells = cells[: [c["id"] for c in cells].index(last) + 1]
    notebook.cells = [nbformat.v4.new_code_cell(NO_NETWORK), *cells, nbformat.v4.new_code_cell(probe)]
    path = os.pathsep.join(p for p in (str(ROOT), os.environ.get("PYTHONPATH")) if p)
    environment = os.environ | {"PYTHONPATH": path, "MEMSTRATA_EMBEDDINGS": "lexical"} | variables
    client = nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}})
    client.execute(env=environment)
    return json.loads(notebook.cells[-1].outputs[0].text)


def cell(notebook: Any, name: str) -> Any:
    return next(c for c in notebook.cells if c["id"] == name)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_committed_outputs_are_whole_and_of_no_machine(name: str) -> None:
    notebook = read(name)
    cells = [c for c in notebook.cells if c.cell_type == "code"]
    assert [c.execution_count for c in cells] == list(range(1, len(cells) + 1))
    outputs = [o for c in cells for o in c.outputs]
    assert not [o for o in outputs if o.output_type == "error" or o.get("name") == "stderr"]
    assert any(re.match(r"embedding: \S+", o.get("text", "")) for o in outputs)
    pictures = [o.get("data", {}).pop("image/png", None) for o in outputs]
    assert any(pictures)
    notebook.cells[0].pop("attachments")
    paths = r"/(?:work|tmp|home|root|Users|var|private)/|site-packages|[A-Z]:\\\\"
    assert not re.findall(paths, nbformat.writes(notebook))


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_reader_is_told_first_what_will_be_seen_and_shown_one_of_its_plots(name: str) -> None:
    notebook = read(name)
    first = notebook.cells[0]
    assert first.cell_type == "markdown"
    assert "**What you will see.**" in first.source
    [picture] = first.attachments["first.png"].values()
    drawn = [o.data.get("image/png", "").strip() for c in notebook.cells for o in c.get("outputs", []) if "data" in o]
    assert "(attachment:first.png)" in first.source.split("\n\n")[1]
    assert picture.strip() in drawn


def test_both_frameworks_are_asked_the_same() -> None:
    one, other = map(read, SIDE_BY_SIDE)
    for name in ("facts", "score"):
        assert cell(one, name).source == cell(other, name).source


@pytest.mark.parametrize("name", SIDE_BY_SIDE)
def test_the_committed_table_is_of_this_store(name: str) -> None:
    """With the embedding of the committed output: all valid, nothing outdated, now and then, and all that is static."""
    [output] = cell(read(name), "table").outputs
    [row] = re.findall(rf"<th>{OURS}</th>(.*?)</tr>", output.data["text/html"], re.S)
    assert re.findall(r"<td>(\d+)</td>", row)[:7] == ["20", "0", "0", "20", "0", "0", "8"]


@pytest.mark.slow
@pytest.mark.parametrize("name", SIDE_BY_SIDE)
def test_side_by_side(name: str) -> None:
    seen = run(read(name), probe=TABLE)
    table, asked = seen["table"], seen["asked"]
    assert seen["attempts"] == []
    assert asked == 20
    ours, naive = table[OURS], table[NAIVE]
    for when in ("now", "as of 2024-09-01"):
        assert (ours[f"{when} valid"], ours[f"{when} outdated"], ours[f"{when} both"]) == (asked, 0, 0)
        assert naive[f"{when} outdated"] > 0
    assert ours["static found"] >= naive["static found"] > 0
    assert ours["two at once answered"] == max(row["two at once answered"] for row in table.values()) > 0


@pytest.mark.slow
def test_git_time_travel() -> None:
    differs = "check[['wrong', 'missing']].to_numpy().sum().item()"
    probe = f"import json\nprint(json.dumps([attempts, {differs}, served.to_dict('index')]))"
    attempts, differing, dates = run(read("git_time_travel"), probe=probe, MEMSTRATA_REPOSITORY="demo")
    assert attempts == []
    assert differing == 0
    assert [d["in the ledger"] for d in dates.values()] == ["0.89.1", "0.95.1", "0.104.1", "0.111.0", "0.115.12"]
    assert all(d["served"] == f"fastapi=={d['in the ledger']}" for d in dates.values())


CHOSEN = "import json\nprint(json.dumps([str(root), sorted({f.text for f in facts})]))"


def commit(folder: Path, *versions: str) -> Repository:
    repository = Repository(folder)
    for version in versions:
        repository.commit(requirements__txt=f"chromadb=={version}\n")
    return repository


def test_a_named_repository_is_read(tmp_path: Path) -> None:
    commit(tmp_path / "shop", "1.0", "2.0")
    folder, texts = run(read("git_time_travel"), probe=CHOSEN, last="read", MEMSTRATA_REPOSITORY=str(tmp_path / "shop"))
    assert folder == str(tmp_path / "shop")
    assert texts == ["chromadb==1.0", "chromadb==2.0"]


@pytest.mark.parametrize("kind", ["no repository", "shallow", "nothing changed"])
def test_without_a_usable_history_the_demo_is_read(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "place"
    if kind == "no repository":
        place.mkdir()
    elif kind == "nothing changed":
        commit(place, "1.0")
    else:
        whole = commit(tmp_path / "whole", "1.0", "2.0")
        whole.git("clone", "-q", "--depth=1", whole.folder.as_uri(), str(place))
    ceiling = {"GIT_CEILING_DIRECTORIES": str(tmp_path), "MEMSTRATA_REPOSITORY": "."}
    folder, texts = run(read("git_time_travel"), probe=CHOSEN, last="read", folder=place, **ceiling)
    assert Path(folder).name == "demo"
    assert "pydantic==1.10.4" in texts
