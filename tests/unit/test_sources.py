"""Files and their pieces: which values are read under which keys, and how values are compared."""

import random
import re
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstrata_integrations.extraction import GrammarExtractor
from memstrata_integrations.extraction.sources import read_source
from memstrata_integrations.extraction.sources.reader import entries_of
from memstrata_integrations.ledger.facts import Extraction, KeyedFact

Keys = dict[tuple[tuple[str, str], str], str]

PATHS = (
    "requirements.txt", "constraints.in", "pyproject.toml", "Cargo.toml", "setup.cfg", "tox.ini", "package.json",
    "conf/app.json", ".github/workflows/ci.yml", "docker-compose.yaml", ".pre-commit-config.yaml", ".env.example",
    "conf/app.properties", "Dockerfile", "app/models.py", "setup.py", "docs/conf.py", ".python-version",
)  # fmt: skip


def read(text: str, path: str, *, whole: bool = False, **metadata: Any) -> Extraction:
    """Read a text of a file, which must be one of that kind; each value stands in its statement."""
    found = read_source(text, {"file_path": path, **metadata}, whole=whole)
    assert found is not None
    for fact in found.facts:
        assert fact.object is not None
        assert fact.object in text[slice(*fact.span)]
        assert (fact.confined, fact.cardinality) == ("bare", "functional")
    return found


def places(text: str, path: str, **options: Any) -> dict[str, str | None]:
    return {fact.subject.split("#", 1)[1]: fact.object for fact in read(text, path, **options).facts}


def keys(text: str, path: str, **metadata: Any) -> Keys:
    facts = (read_source(text, {"file_path": path, **metadata}) or Extraction()).facts
    return {(f.key, f.kind): f.value for f in facts}


def supersedes(old: Keys, new: Keys) -> bool:
    return any(key in old and old[key] != value for key, value in new.items())


def sides(table: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return (path, one, other) of each row; what differs may be marked in one text: «one|other»."""
    mark = re.compile(r"«([^«|»]*)\|([^«|»]*)»")
    return [row if len(row) == 3 else (row[0], mark.sub(r"\1", row[1]), mark.sub(r"\2", row[1])) for row in table]


def test_the_grammar_reads_files_by_their_path() -> None:
    """The first of four fields that names a known kind counts, a URL by its path; other texts are read as prose."""
    [pin, page] = GrammarExtractor().extract(["numpy==1"] * 2, [{"source": "requirements.txt"}, {"source": "notes.md"}])
    assert [f.rule for f in (*pin.facts, *page.facts)] == ["source: requirement", "pin"]
    for field in ("file_path", "source", "path", "file_name"):
        assert read_source("A=1", {field: "deploy/.env"}) is not None
    found_there = read_source("A=1", {"source": "s3://bucket/notes", "path": "https://x.org/raw/.env?ref=main#L3"})
    assert found_there is not None
    [fact] = found_there.facts
    assert isinstance(fact, KeyedFact)
    assert fact.key == ("x.org/raw/.env#A", "is")
    assert read_source("A=1", {"source": 7, "file_path": None}) is None


@pytest.mark.parametrize("path", PATHS)
def test_prose_in_a_known_file_is_left_to_the_grammar(path: str) -> None:
    assert read_source("The timeout of the billing service is 30 seconds.", {"file_path": path}) is None


WHOLE: list[tuple[str, str, dict[str, str]]] = [
    ("requirements.txt", "Foo_Bar[b,a] >= 1.2,<2 ; python_version < '3.9'\n",
     {'foo-bar[a,b];python_version%20<%20%223%2E9%22': ">= 1.2,<2"}),
    ("requirements.txt", "a==1 \\\n  --hash=sha256:00\nb~=2.1  # why\n", {"a": "1", "b": "~=2.1"}),
    (".env", "export A=\"x # y\" # c\nB=2\n", {"A": "x # y", "B": "2"}),
    ("Dockerfile", "ARG V=1\nFROM python:3.11 AS Base\nENV A=1 B='2 3'\nENV C 4\nRUN <<EOF\nENV D=5\nEOF\n",
     {"ARG:V": "1", "FROM:AS:base": "python:3.11", "ENV@base:A": "1", "ENV@base:B": "2 3", "ENV@base:C": "4"}),
    ("Dockerfile", "FROM host:5000/a/b@sha256:0f\n", {"FROM:host:5000/a/b": "sha256:0f"}),
    ("tox.ini", "[testenv:a]\ndeps =\n    pytest==5\n    py37: x==2\n[flake8]\nignore =\n    E1\n    # no\n    W2\n",
     {"testenv:a:deps:pytest": "5", "flake8:ignore": "E1\n    # no\n    W2"}),
    ("setup.cfg", "[metadata]\nversion = 1.2\n[options]\npython_requires = >=3.6\n",
     {"metadata:version": "1.2", "options:python_requires": ">=3.6"}),
    ("pyproject.toml", '[project]\ndependencies = [\n  "a>=1", # c\n  # "b==2",\n]\n'
     '[tool.x]\ny.z = """\nq = 1\n"""\nw = 2\n',
     {"project.dependencies.a": ">=1", "tool.x.w": "2"}),
    ("pyproject.toml", '[tool.poetry.dependencies]\npython = "^3.8"\nb = {version = "1.2", extras = ["c"]}\n',
     {"tool.poetry.dependencies.python": "^3.8", "tool.poetry.dependencies.b": "1.2"}),
    ("package.json", '{"version": "1.0.0", "dependencies": {"a": "^1"}, "x": {"y": [1, 2]}, "e": ""}',
     {"version": "1.0.0", "dependencies.a": "^1", "x.y": "[1, 2]", "e": '""'}),
    ("a.yml", "on: [push]\nenv:\n  N: '14' # lts\njobs:\n  b:\n    steps:\n    - name: S\n      with: {v: 3.10}\n",
     {"on": "[push]", "env.N": "14", "jobs.b.steps.[name=S].with.v": "3.10"}),
    ("a.yml", "steps:\n  - uses: actions/checkout@v4\n    with:\n      depth: 0\n",
     {"steps.[uses=actions/checkout].uses": "actions/checkout@v4", "steps.[uses=actions/checkout].with.depth": "0"}),
    ("a.yml", "image: a:1\njobs:\n  t:\n    uses: o/r/w.yml@v1\n  b:\n    container: {image: c:2}\n    steps:\n"
     "      - name: S\n        uses: x/y@v1\n      - uses: x/z@v1\n      - uses: x/w@v1\n      - uses: x/w@v2\n",
     {"image": "a:1", "jobs.t.uses": "o/r/w.yml@v1", "jobs.b.container.image": "c:2",
      "jobs.b.steps.[name=S].uses": "x/y@v1", "jobs.b.steps.[uses=x/z].uses": "x/z@v1"}),
    ("k.yml", "kind: Deployment\nmetadata: {name: api}\nspec:\n  containers:\n    - name: web\n      image: a/b:1\n",
     {"Deployment/api.kind": "Deployment", "Deployment/api.metadata.name": "api",
      "Deployment/api.spec.containers.[name=web].image": "a/b:1"}),
    ("compose.yml", "services:\n  db:\n    image: postgres:15\n    image2: x:${V}\n",
     {"services.db.image": "postgres:15", "services.db.image2": "x:${V}"}),
    ("a.ini", "port = 1\n[a]\nport = 2\n", {"port": "1", "a:port": "2"}),
    (".pre-commit-config.yaml", "repos:\n- repo: https://g.h/x\n  rev: v1\n  hooks:\n  - id: a\n    args: [b]\n",
     {"repos.[repo=https://g%2Eh/x].rev": "v1", "repos.[repo=https://g%2Eh/x].hooks.[id=a].args": "[b]"}),
    ("m.py", 'T = 60 * 60\nclass A(B):\n    Z: int = 3\n    def f(self, a, b=2, *, c="x") -> int:\n        return a\n',
     {"T": "60 * 60", "A.Z": "3", "A.f:b": "2", "A.f:c": "x"}),
    ("setup.py", 'setup(name="x", version="1.2", python_requires=">=3", install_requires=["a==1", "b"])\n',
     {"setup.version": "1.2", "setup.python_requires": ">=3", "setup.install_requires.a": "1"}),
    ("conf/app.properties", "! top\na.b = x # no comment\nc:d e\nempty=\nlist=a,\\\n   b.c=2\nQ=\"x\"\n",
     {"a.b": "x # no comment", "c": "d e", "empty": "=", "Q": '"x"'}),
    ("tsconfig.json", '{\n  // why\n\t"a": {\n\t\t"b": "x//y"\n  }\n}\n', {"a.b": "x//y"}),
    ("compose.yml", "base: &b\n  port: 80\nprod:\n  <<: *b\nother: *b\nlist: &l [1]\nagain: *l\n",
     {"base.port": "80", "list": "&l [1]"}),
    ("l.yml", "l:\n  - {name: a, port: 80}\n  - {name: a, host: b}\n  - {name: c, port: 1}\n",
     {"l.[name=c].port": "1"}),
    (".python-version", "3.12\n", {"%2Epython-version": "3.12"}),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "wanted"), WHOLE, ids=[f"{p}-{n}" for n, (p, *_) in enumerate(WHOLE)])
def test_a_whole_file_gives_keys_with_their_sections(path: str, text: str, wanted: dict[str, str]) -> None:
    """Every value is a verbatim span under path, section and name; the same file again changes nothing."""
    assert places(text, path, whole=True) == wanted
    assert keys(text, path) == keys(text, path)


@pytest.mark.parametrize(("path", "text"), [
    ("Cargo.toml", '[dependencies.rand]\nfeatures = ["a"]\nversion = "0.8"\n'),
    ("compose.yml", "services:\n  a:\n    environment:\n      - P=1\n      - R=2\n"),
    ("Dockerfile", "FROM mcr.io/a.b/c:1\nENV A=1\nFROM mcr.io/a.b/c:2\nCOPY --from=0 /a /a\nARG B=1 C=2\n"),
    ("Dockerfile", "FROM a:1 AS web.api\nENV A=1\n"),
])  # fmt: skip
def test_a_statement_alone_has_its_key_in_its_section(path: str, text: str) -> None:
    """That is how the history of a repository states it."""
    whole = keys(text, path)
    for entry in entries_of(text, {"file_path": path}):
        section = {} if entry.section is None else {"section": entry.section}
        found = keys(text[slice(*entry.span)], path, **section)
        assert found, entry
        assert found.items() <= whole.items(), entry


LINES: list[tuple[str, str, str, str]] = [
    ("requirements/test.txt", "numpy==1.26.4  # via pandas", "numpy", "1.26.4"),
    ("a.yml", 'uses: "actions/checkout@v4" # pinned', "uses:actions/checkout", "v4"),
    ("a.yml", "- uses: actions/checkout@v4", "uses:actions/checkout", "v4"),
    ("compose.yml", 'image: "redis:7"', "image:redis", "7"),
    ("Dockerfile.dev", "FROM node:20-alpine", "FROM:node", "20-alpine"),
    ("Dockerfile.dev", "FROM node:20-alpine AS Build", "FROM:AS:build", "node:20-alpine"),
    ("package.json", '"sass": "1.2.3",', "?.sass", "1.2.3"),
    ("package.json", '"version": "1.2.3",', "version", "1.2.3"),
    ("pyproject.toml", '"ruff==0.1.2",', "?.ruff", "0.1.2"),
    ("pyproject.toml", 'requires-python = ">=3.10"', "project.requires-python", ">=3.10"),
    ("setup.py", 'version="0.1",', "setup.version", "0.1"), ("app.py", 'MAX_SIZE = 10', "MAX_SIZE", "10"),
    ("docs/conf.py", "version = '0.3'", "version", "0.3"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "line", "key", "value"), LINES)
def test_a_line_has_a_key_where_the_section_does_not_matter(path: str, line: str, key: str, value: str) -> None:
    assert places(line, path) == {key: value}
    assert not read(line, path).prose


@pytest.mark.parametrize(("path", "line"), [
    ("a.yml", "timeout: 30"), ("a.yml", "timeout: 30\n"),
    ("compose.yml", "  web:\n    image: nginx:1.24\n  api:\n    image: redis:7\n"),
    ("a.yml", "- uses: actions/checkout@v4\n  with:\n    depth: 0"),
    ("k8s/api.yaml", "spec:\n  containers:\n    - name: api\n      image: acme/app:1.4\n"),
    ("a.yml", "image: nginx:1.24\n{% if x %}\nports: [\n"), ("a.yml", "  timeout: 30\n  b: 2\n  c: 3\n"),
    ("a.yml", "server:\n    timeout: 30\n    port: 80"), (".pre-commit-config.yaml", "rev: v1.2"),
    ("a.ini", "timeout = 30\nretries = 5"), ("tox.ini", "pytest==5.0"), ("setup.cfg", "version = 1.2"),
    ("pyproject.toml", 'version = "1.2"\nline-length = 100'), ("pyproject.toml", '"numpy>=1.2",'),
    ("package.json", '"react": "^16.0.0",'), ("package.json", '"node": "18.0.0",'), ("app.json", '"timeout": 30,'),
    ("app.json", '{\n    "timeout": 30\n  }'), ("app.py", "timeout = 30"), ("app.py", "    TIMEOUT = 30"),
    ("setup.py", 'name="x",'),
])  # fmt: skip
def test_a_line_whose_section_cannot_be_seen_has_no_key(path: str, line: str) -> None:
    """It is not left to the grammar either, which would confine it to the file. Two lists may have two ranges."""
    assert read(line, path) == Extraction((), True)


@pytest.mark.parametrize(("path", "text", "section", "key"), [
    ("a.yml", "timeout: 30 # s", "server.http", "server.http.timeout"), ("a.yml", "timeout: 30", "", "timeout"),
    ("a.ini", "timeout = 30", "http", "http:timeout"), ("a.ini", "timeout = 30", "[http]", "http:timeout"),
    ("tox.ini", "pytest==5", "testenv:deps", "testenv:deps:pytest"), ("a.toml", "timeout = 30", "http", "http.timeout"),
    ("pyproject.toml", '"a>=1",', "project.dependencies", "project.dependencies.a"),
    ("a.json", '"timeout": 30,', "http", "http.timeout"), ("a.py", "timeout = 30", "Client", "Client.timeout"),
    ("a.py", "timeout: float = 30", "Client.get()", "Client.get:timeout"),
])  # fmt: skip
def test_metadata_may_name_the_section(path: str, text: str, section: str, key: str) -> None:
    assert list(places(text, path, section=section)) == [key]
    assert not read(text, path, section=section).prose


# Equal in their format, however they are written
EQUAL: list[tuple[str, ...]] = [
    ("a.yaml", "a: 1\nx: «0x10|16»\n"), ("a.yaml", "b: 1\nx: «null|~»\n"), ("a.yaml", "b: 1\nx: «0644|0o644»\n"),
    ("a.yaml", "b: 1\nx: «on|true»\n"), ("a.yaml", "b: 1\nx: [«0x10, 'a'|16, a»]\n"),
    ("a.toml", "[t]\nx = «0x10|16»\n"), ("a.toml", "[t]\nx = 2024-01-«01T10|01 10»:00:00\n"),
    ("a.toml", '[t]\nx = "x\\\\y"\n', "[t]\nx = 'x\\y'\n"), ("a.toml", "[t]\nx = [«0x10, 1.0|16, 1.00»]\n"),
    ("requirements.txt", "foo>=1.0,<2\n", "foo<2,>=1.0\n"), (".env", 'DEBUG=«true|"True"»\n'),
    ("a.ini", "[a]\nx = «on|true»\n"), ("a.yaml", "b: 1\nx: «'|»8080«'|»\n"), ("a.yaml", "b: 1\nx: «&a |»8080\n"),
    (".env", "DEBUG=true", 'DEBUG="True"'), ("a.py", "T = 3600", "T = 60 * 60"), ("a.py", "T = 10_000", "T = 10000"),
    ("requirements.txt", "a>=1,<2", "a<2, >=1"), ("a.py", "X = [1,«| »2]"),
]  # fmt: skip

# Other strings, another type or form: what reads the file tells them apart (1.0.0 equals 1.0 to pip, not to a history)
DIFFERENT: list[tuple[str, ...]] = [
    ("values.yaml", "image:\n  tag: «1.1|1.10»\n  b: 1\n"), ("a.json", '{"v": «1.1|1.10»}'),
    ("requirements.txt", "foo==«1.0|1.0.0»\n"), ("a.json", '{"m": "«on|true»"}'), ("a.json", '{"m": "«1_0|10»"}'),
    ("a.json", '{"m": "«+|»1"}'), ("a.yaml", "b: 1\nx: '«on|true»'\n"), ("a.yaml", "b: 1\nx: '«1_0|10»'\n"),
    ("a.toml", "[t]\nx = '«on|true»'\n"), ("a.toml", "[t]\nx = '«1_0|10»'\n"), (".env", "A=on\n", "A=true\n"),
    (".env", "A=1_0\n", "A=10\n"), ("Dockerfile", "FROM a:1 AS b\nENV A=«on|true»\n"),
    ("Dockerfile", "FROM a:1 AS b\nENV A=«+|»1\n"), ("a.py", "X = '«on|true»'\n"), ("a.py", "X = '«1_0|10»'\n"),
    ("a.yaml", "b: 1\ntag: «2024_01|202401»\n"), ("a.yaml", "b: 1\nx: ['«on|true»']\n"),
    ("a.json", '{"m": ["«1_0|10»"]}'), ("a.yaml", "b: 1\nx: !«Ref|Sub» a\n"),
    ("compose.yml", "services:\n  a:\n    image: x:«1.25|1.25.0»\n"), ("a.json", '{"a": ["x«\\ny|", "y»"]}'),
    ("requirements.txt", "numpy==1.26.4", "NumPy>=2"), ("a.py", 'HOSTS = «"*"|["a"]»'), (".env", "TTL=30", "TTL=30s"),
    ("a.yml", "uses: a/b@v1", "- uses: a/b@5d6cc0eb514c891a40562a58a8e71576c5c7fb43 # v2"),
    ("a.yml", "image: redis:«6|7.0-alpine»"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "old", "new"), sides(EQUAL))
def test_a_value_in_another_notation_of_its_format_is_no_change(path: str, old: str, new: str) -> None:
    assert keys(old, path) == keys(new, path) != {}


@pytest.mark.parametrize(("path", "old", "new"), sides(DIFFERENT))
def test_what_a_format_tells_apart_is_a_change(path: str, old: str, new: str) -> None:
    assert supersedes(keys(old, path), keys(new, path))


@pytest.mark.parametrize(("path", "text"), [
    ("requirements.txt", "a==1\na==2\n"), (".env", "A=1\nA=2\n"),
    ("Dockerfile", "FROM x:1\nENV A=1\nFROM x:2\nENV A=2\n"), ("a.ini", "[a]\nx=1\n[b]\n[a]\nx=2\n"),
    ("a.yml", "jobs:\n  a:\n    - uses: a/b@v1\n    - uses: a/b@v2\n"),
    ("Dockerfile", "FROM x:1 AS a\nFROM y:2 AS a\n"), ("a.json", '{"a": 1, "a": 2}'), ("a.py", "A = 1\nA = 2\n"),
])  # fmt: skip
def test_one_name_with_two_values_states_neither(path: str, text: str) -> None:
    assert read(text, path) == Extraction((), True)


def test_each_document_of_yaml_is_read_however_often() -> None:
    """The parser's nodes of one document make room for those of the next."""
    one = "kind: Deployment\nmetadata:\n  name: app{0}\nspec:\n  image: app:{0}\n"
    text = "---\n".join(one.format(n) for n in range(20))
    for _ in range(5):
        assert {*places(text, "k8s/app.yaml").values()} >= {f"app:{n}" for n in range(20)}


def test_signs_inside_of_a_string_end_no_name() -> None:
    assert places("DSN=postgres://u:p@h/db?a=b#c\n", ".env") == {"DSN": "postgres://u:p@h/db?a=b#c"}
    assert places('A = "x = 1"\n', "a.py") == {"A": "x = 1"}
    assert places("[a]\nurl = http://h:1/?q=2\n", "a.ini") == {"a:url": "http://h:1/?q=2"}
    assert places('[a]\nx = "b = 1 # no"\n', "a.toml") == {"a.x": "b = 1 # no"}


@pytest.mark.parametrize(("path", "text", "prose"), [
    ("requirements.txt", "a==1\nb==2\n", False), ("requirements.txt", "a==1\n    # via\n    #   b\n", False),
    ("requirements.txt", "# Keep below 2, see the tracker\na==1\n", True),
    ("requirements.txt", "-r base.txt\na==1\n", True), (".env", "#######\nA=1\n", False),
    ("Dockerfile", "FROM a:1\nRUN make\n", True), ("a.ini", "[a]\nx = 1\n", False),
    ("a.toml", "[a]\nx = 1 # why\n", False), ("a.yml", "a:\n  b: 1\n", False),
    ("a.yml", "a:\n  b: |\n    text\n  c: 1\n", True), ("a.json", '{"a": {"b": 1}}', False),
    ("a.py", "A = 1\nB = 2\n", False), ("a.py", 'A = 1\n\ndef f(x=2):\n    """Do it."""\n', True),
    ("a.py", "A = 1\nB = f()\n", True),
])  # fmt: skip
def test_whether_a_text_says_more_than_its_facts(path: str, text: str, prose: bool) -> None:
    """A row whose facts are all out of date is retired only if it says nothing else."""
    found = read(text, path)
    assert found.facts
    assert found.prose is prose


_PIECES = sorted({part for _, text, _ in WHOLE for part in (*text.split("\n"), text)} | {"'''", '"""', "\\", "]", "\t"})


def _checked(text: str, path: str, section: str | None = None) -> None:
    metadata = {} if section is None else {"section": section}
    found = read_source(text, {"file_path": path, **metadata})
    assert found is None or found == read(text, path, **metadata)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    st.lists(st.one_of(st.sampled_from(_PIECES), st.text(max_size=8)), max_size=8),
    st.sampled_from(("\n", "\n  ", " ", "")),
    st.sampled_from(PATHS),
    st.sampled_from((None, "", "a", "a.b()", "setup", "testenv:deps", "project.dependencies")),
)
def test_no_text_raises(pieces: list[str], between: str, path: str, section: str | None) -> None:
    _checked(between.join(pieces), path, section)


def test_no_mutation_raises() -> None:
    rng = random.Random(7)
    for n in range(4000):
        path, text, _ = WHOLE[n % len(WHOLE)]
        for _ in range(rng.randrange(1, 6)):
            at = rng.randrange(len(text) + 1)
            put = rng.choice((*"\n \"'[{:=#\x0cé\ud800\x00", "", text[at : at + 9]))
            text = text[:at] + put + text[at + rng.randrange(3) :]
        _checked(text, path if n % 3 else PATHS[n % len(PATHS)])


@pytest.mark.parametrize("path", PATHS)
def test_long_texts_take_seconds(path: str) -> None:
    started = time.process_time()
    pieces = ("a", "[", "{", "(", '"', "- ", "a:\n", "x = [\n", '{"a":', "a==1 \\\n", "'''\n", "= ", " ", "spring: 1\n")
    numbered = ("[[a{}]]\n", "[a.b{}]\nx=1\n", "a{} = 1\n", "{{{{ if x }}}}\na{}: 1\n")
    texts = [piece * (30_000 // len(piece)) for piece in pieces]
    for text in (*texts, *("".join(map(piece.format, range(3_000))) for piece in numbered)):
        read_source(text, {"file_path": path})
        read_source(text, {"file_path": path, "section": "a"})
    assert time.process_time() - started < 8
