"""What is left of a file of which an entry went stale says nothing that the file did not say."""

import uuid

import chromadb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.extraction import GrammarExtractor
from memstrata_integrations.redaction import SUPERSEDED, Stated, redact

GRAMMAR = GrammarExtractor()
NAMES = ["flask", "numpy", "redis", "uvicorn[standard]", "zope.event", "a"]
NUMBERS = st.integers(0, 99).map(str)
VERSIONS = st.tuples(NUMBERS, NUMBERS).map(".".join)
PINS = st.tuples(
    st.sampled_from(["==", "===", ">=", "~=", " == ", " ==", ">"]),
    VERSIONS,
    st.sampled_from(["", " ; python_version>='3.9'", "; sys_platform == 'linux'", "  # why", " --hash=sha256:ab"]),
).map("".join)


def listed(entry: str, *, head: str = "", tail: str = "") -> st.SearchStrategy[str]:
    names = st.lists(st.sampled_from(NAMES), min_size=1, max_size=5, unique=True)
    pins = st.lists(PINS, min_size=5, max_size=5)
    return st.tuples(names, pins).map(
        lambda drawn: head + "".join(entry.format(n + p) for n, p in zip(*drawn, strict=False)) + tail
    )


def settings_of(entry: str, *, head: str = "") -> st.SearchStrategy[str]:
    keys = st.lists(st.sampled_from(["port", "HOST", "max_size", "time_out"]), min_size=1, max_size=4, unique=True)
    values = st.lists(NUMBERS, min_size=4, max_size=4)
    return st.tuples(keys, values).map(
        lambda drawn: head + "".join(entry.format(k=k, v=v) for k, v in zip(*drawn, strict=False))
    )


FILES = {
    "requirements.txt": listed("{}\n"),
    "constraints.txt": listed("{}\r\n"),
    "setup.cfg": listed("    {}\n", head="[options]\ninstall_requires =\n"),
    "pyproject.toml": listed('  "{}",\n', head="[project]\ndependencies = [\n", tail="]\n"),
    "conf.ini": settings_of("{k} = {v} ; why\n", head="[server]\n"),
    "conf.toml": settings_of("{k} = {v}  # why\n", head="[server]\n"),
    ".env": settings_of("{k}={v}\n"),
    "conf.yaml": settings_of("  {k}: {v}\n", head="server:\n"),
}


@pytest.mark.parametrize("path", FILES)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_each_line_that_is_left_is_one_of_the_file(path: str, data: st.DataObject) -> None:
    """Whichever entry went stale, no line is served that nobody wrote, and the live entries are read as before."""
    text = data.draw(FILES[path])
    where = [{"source": path}] if data.draw(st.booleans()) else None
    [found] = GRAMMAR.extract([text], where)
    if not found.facts:
        return
    gone = data.draw(st.integers(0, len(found.facts) - 1))
    left = redact(text, [Stated(f.span, f.object or "", n != gone) for n, f in enumerate(found.facts)])
    assert set(left.splitlines()) <= set(text.splitlines())
    if where is None:
        return  # a line alone may be read where it was not among others
    [again] = GRAMMAR.extract([left], where)
    said = {(f.subject, f.relation, f.value) for f in again.facts}
    assert said <= {(f.subject, f.relation, f.value) for n, f in enumerate(found.facts) if n != gone}


@pytest.mark.parametrize(("text", "value", "want"), [
    ("def f(a=1, *, b=2):\n    return a\n", "2", f"def f(a=1, *, b={SUPERSEDED}):\n    return a\n"),
    ("def f(\n    a=1,\n    b=2,\n):\n    x()\n", "2", f"def f(\n    a=1,\n    b={SUPERSEDED},\n):\n    x()\n"),
    ("async def run(n=3) -> int:\n    x()\n", "3", f"async def run(n={SUPERSEDED}) -> int:\n    x()\n"),
    ("def g(x):\n    return x\n\n\nPORT = 3\n", "3", "def g(x):\n    return x\n"),
    ("class S:\n    port: int = 80\n    host: str = 'a'\n", "80", "class S:\n    host: str = 'a'\n"),
])  # fmt: skip
def test_a_signature_keeps_its_parameters(text: str, value: str, want: str) -> None:
    """A parameter whose value is stale is named, so that no other signature is served."""
    [found] = GRAMMAR.extract([text], [{"source": "app/run.py"}])
    left = redact(text, [Stated(f.span, f.object or "", f.object != value) for f in found.facts])
    assert left == want
    [again] = GRAMMAR.extract([left], [{"source": "app/run.py"}])
    assert {f.object for f in again.facts} - {SUPERSEDED} == {f.object for f in found.facts} - {value}


def test_a_place_holder_is_no_value() -> None:
    """What a reader was shown, written back under another id, supersedes nothing."""
    collection = chromadb.EphemeralClient().create_collection(uuid.uuid4().hex, embedding_function=None)
    store = TemporalCollection(collection)
    about = {"source": "app/run.py"}
    store.add(ids=["a"], documents=["def run(n=3):\n    return n\n"], embeddings=[[1.0]], metadatas=[about])
    shown = f"def run(n={SUPERSEDED}):\n    return n\n"
    store.add(ids=["b"], documents=[shown], embeddings=[[1.0]], metadatas=[about])
    assert "def run(n=3):\n    return n\n" in store.get()["documents"]
