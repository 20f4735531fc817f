"""A text without its stale statements: what is left is exactly the live ones, and Markdown stays whole.

What is left of a file of which an entry went stale says nothing that the file did not say.
"""

import uuid

import chromadb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.extraction import GrammarExtractor
from memstrata_integrations.redaction import SUPERSEDED, Stated, annotate, redact


def stale(text: str, statement: str, value: str = "", *, live: bool = False) -> Stated:
    assert text.count(statement) == 1, statement
    start = text.index(statement)
    return Stated((start, start + len(statement)), value or statement.split()[-1].strip("."), live)


PAGE = """# Gateway

The gateway listens on port 8443. It was
written in Go. **The owner is Ann.** Deploys
happen on Monday.

Facts:

- port: 80
- host: db1
  - replica: db2
1. one
2. two

| name | port |
|------|------|
| a | 1 |
| b | 2 |

```yaml
timeout: 30
```

End.
"""
PORT = "The port is 80."
START = "The gateway listens on port 8443."
CUT: dict[str, list[tuple[str, str | list[str], str]]] = {  # text, the statements that went stale, what is left
    "a line goes with the statement that it held": [
        (PAGE, [START], PAGE.replace(START, SUPERSEDED)),  # or the next sentence were of another thing
        (PAGE, ["The owner is Ann."], PAGE.replace("**The owner is Ann.** ", "")),
        (PAGE, ["port: 80"], PAGE.replace("- port: 80\n", "")),
        (PAGE, ["host: db1"], PAGE.replace("host: db1", SUPERSEDED)),
        (PAGE, ["host: db1", "replica: db2"], PAGE.replace("- host: db1\n  - replica: db2\n", "")),
        (PAGE, ["| a | 1 |"], PAGE.replace("| a | 1 |\n", "")),
        (PAGE, ["| a | 1 |", "| b | 2 |"], PAGE[: PAGE.index("| name")] + PAGE[PAGE.index("```yaml") :]),
        (PAGE, ["timeout: 30"], PAGE.replace("```yaml\ntimeout: 30\n```\n\n", "")),
    ],
    "what is left reads on": [
        ("**Note: the port is 80. It is open.**", "Note: the port is 80.", "**[superseded] It is open.**"),
        ("**Note. The port is 80.** It is open.", "The port is 80.**", "**Note. [superseded]** It is open."),
        ("One.\n\nThe port is 80.", "The port is 80.", "One."),
        ("One. The port\nis 80. Two.", "The port\nis 80.", "One.\nTwo."),
        ("- [x] port: 80\n- [ ] two", "port: 80", "- [ ] two"),
        ("One.  \nThe port is 80.", "The port is 80.", "One.  "),
        ("Kite is up and the port is 80. Two.", "the port is 80", "Kite is up. Two."),
        ("Kite is up, but\nthe port is 80", "the port is 80", "Kite is up"),
        ("> Kite is up,\n> and the port is 80. Two.\n", "the port is 80", "> Kite is up.\n> Two.\n"),
        ("Kite is up\nand the port is 80.\n\nTwo.", "the port is 80.", "Kite is up.\n\nTwo."),
        ("The port is 80 and the host is up.", "The port is 80", "The host is up."),
        ("The port is 80 and its host is up.", "The port is 80", "The port is [superseded] and its host is up."),
    ],
    "what stood around a part of a line goes or stays in pairs": [
        ("Deploys run (the port is 80).", "the port is 80", "Deploys run."),
        ("(The port is 80. See it.) Next.", f"({PORT}", "(See it.) Next."),
        ('See. "The port is 80." Next.', PORT, "See. Next."),
        ("***The port is 80.*** Next.", PORT, "Next."),
        ("~~The port is 80.~~ Next.", PORT, "Next."),
        ("*Ask Ann. The port is 80.* Next.", f"{PORT}*", "*Ask Ann.* Next."),
        ("**The port is 80. Ask Ann.** Next.", f"**{PORT}", "**Ask Ann.** Next."),
        ("**Ask\nAnn. The port is 80.**\nNext.", f"{PORT}**", "**Ask\nAnn.**\nNext."),
        ("`The port is 80.` Next.", PORT, "Next."),
        ("<b>The port is 80.</b> Next.", PORT, "Next."),
        ("See. The port is 80.[^1] Next.", PORT, "See. Next."),
        ("The users' cat. The port is 80. Don't.", PORT, "The users' cat. Don't."),
        ("Start. The port is 80. .NET runs.", "The port is 80", "Start. .NET runs."),
        ("We meet at noon; the room is 12.", "the room is 12.", "We meet at noon."),
    ],
    "code and configuration stay well-formed": [
        ('{"a": 1, "port": 80, "c": 3}', ['"port": 80'], '{"a": 1, "c": 3}'),
        ('{"a": 1, "port": 80, "c": 3}', ['"port": 80', '"c": 3'], '{"a": 1}'),
        ('{"a": 1, "port": 80, "c": 3}', ['"a": 1', '"port": 80'], '{"c": 3}'),
        ('```json\n{\n  "port": 80\n}\n```\n\nEnd.', ['"port": 80'], "End."),
        ("f(a=1, port=80)", ["port=80"], "f(a=1)"),
        ("f(\n    a=1,\n    port=80,\n)", ["port=80,"], "f(\n    a=1,\n)"),
        ("```yaml\nserver:\n  port: 80\nname: x\n```", ["port: 80"], "```yaml\nname: x\n```"),
        ("```yaml\na:\n  b:\n    c: 80\n```\n\nEnd.", ["c: 80"], "End."),
        ("ports:\n- port: 80\nname: x\n", ["port: 80"], "name: x\n"),
        ("---\nport: 80\n---\n\n# Top\n", ["port: 80"], "# Top\n"),
        ("```sh\nrun \\\n  -p 80 \\\n  --name x\n```", ["--name x"], "```sh\nrun \\\n  -p 80\n```"),
        ("```sh\nrun \\\n  -p 80 \\\n  --name x\n```", ["-p 80 \\"], "```sh\nrun \\\n  --name x\n```"),
        ("[server]\nport = 80\n\n[db]\nhost = x\n", ["port = 80"], "[db]\nhost = x\n"),
        ("[server]\nport = 80\n# see x\n", ["port = 80"], "[server]\n# see x\n"),
        ("class A:\n    PORT = 80\n\nB = 1\n", ["PORT = 80"], "class A: ...\n\nB = 1\n"),
    ],
    # it names, and says nothing by itself; a sentence that does stays, and so does the last title of a text
    "what introduced only stale statements goes with them": [
        ("A.\n\nPorts:\n\n- port: 80\n- host: x\n\nEnd.", ["port: 80", "host: x"], "A.\n\nEnd."),
        ("A.\n\n**Ports:**\nThe port is 80.\n\nEnd.", [PORT], "A.\n\nEnd."),
        ("A. Ports:\n\n- port: 80\n\nEnd.", ["port: 80"], "A. Ports: [superseded]\n\nEnd."),
        ("Limits:\n\n| a | b |\n|---|---|\n| c | 80 |\n\nEnd.", ["| c | 80 |"], "End."),
        ("Ann runs it with:\n\n- port: 80\n\nEnd.", ["port: 80"], "Ann runs it with: [superseded]\n\nEnd."),
        ("A.\n\nWho decides? The port is 80.\n\nEnd.", [PORT], "A.\n\nEnd."),
        ("- **Port:** The port is 80.\n- two", [PORT], "- two"),
        ("> **Note:** The port is 80.\n> Ask Ann.", [PORT], "> **Note:**\n> Ask Ann."),
        ("# A\n\nB.\n\n## Ports\n\nThe port is 80.\n\n## C\n\nD.", [PORT], "# A\n\nB.\n\n## C\n\nD."),
        ("# A\n\nB.\n\n## Ports\n\n### X\n\nThe port is 80.\n", [PORT], "# A\n\nB.\n"),
        ("B.\n\n## Ann is on call\n\nThe port is 80.\n", [PORT], "B.\n\n## Ann is on call\n"),
        ("B.\n\n## 2.0 of 2024\n\nThe port is 80.\n", [PORT], "B.\n\n## 2.0 of 2024\n"),
        ("# Ports\n\nThe port is 80.\n", [PORT], "# Ports\n"),
        ("B.\n\n# The port is 80.\n\nC.\n", ["The port is 80."], "B.\n\n# [superseded]\n\nC.\n"),
        ("B.\n\nThe port is 80\n===\n", ["The port is 80"], "B.\n"),
        ("> [!NOTE]\n> The port is 80.\n\nEnd.", [PORT], "End."),
        ('!!! note "Ports"\n    The port is 80.\n\nEnd.', [PORT], "End."),
    ],
    # numbers of items stay: other text refers to them, and they are a part of statements that hold
    "lists, quotations and tables keep their shape": [
        ("1. one\n2. The port is 80.\n3. three", [PORT], "1. one\n3. three"),
        ("Steps:\n1. The port is 80.\n2. two", [PORT], "Steps:\n\n2. two"),
        ("- The port is 80.\n  Ask Ann.\n- two", [PORT], "- Ask Ann.\n- two"),
        ("- The port is 80.\n\n  Ask Ann.\n- two", [PORT], "- Ask Ann.\n- two"),
        ("1. The port is 80.\n\n   ```\n   a\n   ```", [PORT], "1. [superseded]\n\n   ```\n   a\n   ```"),
        ("A.\n- The port is 80.\n---\nB.", [PORT], "A.\n\n---\nB."),
        ("> One.\n>\n> The port is 80.\n\nEnd.", [PORT], "> One.\n\nEnd."),
        ("> One. The port\n> is 80. Two.", ["The port\n> is 80."], "> One.\n> Two."),
        ("> | a | b |\n> |---|---|\n> | c | 80 |\n\nEnd.", ["| c | 80 |"], "End."),
        ("| port | 80 |\n|---|---|\n| host | x |", ["| port | 80 |"], "| | |\n|---|---|\n| host | x |"),
        ("| a | b |\n|---|---|\n| The port is 80. | c |", [PORT], "| a | b |\n|---|---|\n| | c |"),
        ("One.\r\n\r\nThe port is 80.\r\n\r\nTwo.\r\n", [PORT], "One.\r\n\r\nTwo.\r\n"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "gone", "want"), [pytest.param(*row, id=f"{what}-{n}") for what in CUT for n, row in enumerate(CUT[what])]
)
def test_what_is_left_of_a_text(text: str, gone: str | list[str], want: str) -> None:
    assert redact(text, [stale(text, s) for s in ([gone] if isinstance(gone, str) else gone)]) == want


WHOLE = ""
FACTS: list[tuple[str, list[tuple[str, str, bool]], str | None]] = [  # text, (statement, value, whether it holds), left
    # a statement with a live fact keeps it
    ("The API is on 80, and the UI is on 90.", [(WHOLE, "80", True), (WHOLE, "90", False)], "The API is on 80."),
    ("The API is on 80; restart it weekly.", [(WHOLE, "80", False)], "Restart it weekly."),
    ("The API is on 80; the UI is on 80.", [(WHOLE, "80", False), (WHOLE, "80", True)], "The UI is on 80."),
    ("It maps 80 to 80.", [(WHOLE, "80", False), (WHOLE, "80", True)], "It maps [superseded] to 80."),
    ("The port 80, once more 80, is 80 s.", [(WHOLE, "80", False), (WHOLE, "80 s", True)], None),
    ("It waits 80ms, holds 5.", [(WHOLE, "80", False), (WHOLE, "5", True)], "It waits [superseded]ms, holds 5."),
    ("A.\n\nPorts of db1:\n\n- port: 80\n", [("Ports of db1:", "db1", True), ("port: 80", "80", False)],
     "A.\n\nPorts of db1: [superseded]\n"),
    # the rest of a sentence is no torso
    ("The fee is 9 euro and is due.", [("The fee is 9 euro", "9 euro", False)], "The fee is [superseded] and is due."),
    ("Wait for 30 s, then go.", [("Wait for 30 s", "30 s", False)], "Wait for [superseded], then go."),
    ("Ports go by path, and the longest wins.", [("Ports go by path", "path", False)], "The longest wins."),
    ("The limit is 5\nper day.", [("The limit is 5", "5", False)], "The limit is [superseded]\nper day."),
]  # fmt: skip


@pytest.mark.parametrize(("text", "facts", "want"), FACTS)
def test_what_is_left_of_a_sentence(text: str, facts: list[tuple[str, str, bool]], want: str | None) -> None:
    found = redact(text, [stale(text, said or text, value, live=live) for said, value, live in facts])
    assert want in (None, found)
    assert all(value in found for _, value, live in facts if live)


@pytest.mark.parametrize(
    ("text", "gone", "want"),
    [
        ("```yaml\nport: 80\n```\nEnd.", "port: 80", "```yaml\nport: 80  # [ended]\n```\nEnd."),
        ("```yaml\nport: 80  # main\n```", "port: 80", "```yaml\nport: 80  # main [ended]\n```"),
        ("```js\nconst port = 80;\n```", "const port = 80", "```js\nconst port = 80;  // [ended]\n```"),
        ("- a\n  ```\n  port 80\n  ```\n", "port 80", "- a\n  ```\n  port 80\n  ```\n  [port 80: ended]\n"),
        ("```sh\nrun -p 80 \\\n  x\n```", "run -p 80 \\", "```sh\nrun -p 80 \\\n  x\n```\n[run -p 80 \\: ended]"),
        ('{\n  "port": 80\n}\n', '"port": 80', '{\n  "port": 80\n}\n["port": 80: ended]\n'),
        ("---\nport: 80\n---\n", "port: 80", "---\nport: 80  # [ended]\n---\n"),
        ("Use `port 80` now.", "port 80", "Use `port 80` [ended] now."),
        ("See [it](http://port80/) now.", "http://port80", "See [it](http://port80/) [ended] now."),
    ],
)  # fmt: skip
def test_a_note_breaks_no_block(text: str, gone: str, want: str) -> None:
    start = text.index(gone)
    assert annotate(text, [Stated((start, start + len(gone)), "80", live=False, note="ended")]) == want


def test_annotating_says_it_beside_the_statement_and_makes_no_cell() -> None:
    text = "The port is 80. Ask Ann.\n| api | 80 |\n"
    row = text.index("| api")
    facts = [
        Stated((0, 15), "80", live=False, note="superseded 2024-06-01 by 81"),
        Stated((row, len(text) - 1), "80", live=False, note="by 1|2"),
    ]
    assert annotate(text, facts) == "The port is 80. [superseded 2024-06-01 by 81] Ask Ann.\n| api | 80 [by 1\\|2] |\n"


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
