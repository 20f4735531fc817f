"""A local store with lexical embeddings speaks to nobody: a process that is watched opens no connection."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

WATCHED = '''
import json, os, sys

NETWORK = tuple(f"socket.{call}" for call in ("connect", "getaddrinfo", "gethostbyname", "sendto", "sendmsg"))
seen = []
sys.addaudithook(lambda event, arguments: seen.append(repr((event, arguments))) if event in NETWORK else None)


def sockets():
    """Return how many internet sockets this process has open, whoever opened them: the hook sees no native code."""
    tables = (f"/proc/self/net/{kind}" for kind in ("tcp", "tcp6", "udp", "udp6"))
    known = {line.split()[9] for table in tables if os.path.exists(table) for line in open(table).readlines()[1:]}
    named = (f"/proc/self/fd/{n}" for n in (os.listdir("/proc/self/fd") if known else ()))
    return sum(os.readlink(link)[len("socket:["):-1] in known for link in named if os.path.lexists(link))


open_before = sockets()

import chromadb
from chromadb.config import Settings
from llama_index.core import VectorStoreIndex
from llama_index.core.schema import TextNode

from memstrata_integrations import TemporalCollection, export_history, import_history
from memstrata_integrations.langchain import TemporalVectorStore as LangChainStore
from memstrata_integrations.lexical import LexicalEmbeddings
from memstrata_integrations.llama_index import DefaultEmbedding, TemporalVectorStore as LlamaIndexStore

directory = sys.argv[1]
embeddings = LexicalEmbeddings(64)
client = chromadb.PersistentClient(directory, settings=Settings(anonymized_telemetry=False))

OLD, NEW = "The billing API listens on port 8080.", "The billing API listens on port 9090."
raws = {name: client.create_collection(name, embedding_function=None) for name in ("collection", "llama_index")}
collection = TemporalCollection(raws["collection"], embedding_function=embeddings)
langchain = LangChainStore("langchain", embeddings, client=client)
llama_index = LlamaIndexStore(raws["llama_index"])
for row_id, text in (("a", OLD), ("b", NEW)):
    collection.write([text], ids=[row_id])
    langchain.add_texts([text], ids=[row_id])
    llama_index.add([TextNode(id_=row_id, text=text, embedding=embeddings.embed_query(text))])
index = VectorStoreIndex.from_vector_store(llama_index, embed_model=DefaultEmbedding(embeddings=embeddings))
assert collection.query(query_texts=["billing API port"], n_results=1)["documents"] == [[NEW]]
assert collection.get(as_of="2000-01-01")["ids"] == []
assert [d.id for d in langchain.similarity_search("billing API port", k=1)] == ["b"]
assert [d.id for d in langchain.as_retriever().invoke("billing API port")] == ["b"]
assert [n.node_id for n in index.as_retriever(similarity_top_k=1).retrieve("billing API port")] == ["b"]

for name, store in (("collection", collection), ("langchain", langchain), ("llama_index", llama_index)):
    store.plan(["The billing API listens on port 7070."])
    store.history("billing API")
    store.explain("b")
    store.suspects()
    store.undo(store.retract("billing API", "listens on"))
    store.verify()
    store.repair(embeddings)
    list(store.audit())
    made = export_history(store, os.path.join(directory, name + ".jsonl.gz"), vectors=False)
    import_history(made.file, client, name + "-copy", embedding_function=embeddings)

print(json.dumps({"seen": seen, "sockets": sockets() - open_before}))
'''


def printed(code: str, *arguments: str) -> str:
    """Run code in a process of its own, and return the last line that it prints."""
    environment = {**os.environ, "ANONYMIZED_TELEMETRY": "False", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.splitlines()[-1]


@pytest.mark.slow
def test_nothing_leaves_the_machine(tmp_path: Path) -> None:
    """Writing, reading, explaining, planning, repairing, auditing, exporting and importing, through every door."""
    assert json.loads(printed(WATCHED, str(tmp_path))) == {"seen": [], "sockets": 0}


def test_the_watch_sees_a_connection() -> None:
    """The same watch reports a connection that is made: it would have seen one above."""
    code = WATCHED.split("import chromadb", 1)[0] + (
        "import socket\nlistening = socket.socket()\nlistening.listen()\n"
        "calling = socket.create_connection(listening.getsockname())\nprint(len(seen) > 0, sockets() - open_before)"
    )
    assert printed(code) in ("True 2", "True 0")  # 0 where the system lists none
