"""Pieces of files: which values are read under which keys, and what must never touch."""

from __future__ import annotations

import random
import textwrap
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstrata_integrations.canonical import canonical_subject
from memstrata_integrations.extraction import GrammarExtractor
from memstrata_integrations.extraction.sources import SourceExtractor, read_source
from memstrata_integrations.facts import Extraction, Extractor, Fact

PATHS = (
    "requirements.txt",
    "constraints.in",
    "pyproject.toml",
    "Cargo.toml",
    "setup.cfg",
    "tox.ini",
    "package.json",
    "conf/app.json",
    ".github/workflows/ci.yml",
    "docker-compose.yaml",
    ".pre-commit-config.yaml",
    ".env.example",
    "conf/app.properties",
    "Dockerfile",
    "app/models.py",
    "setup.py",
    "docs/conf.py",
    ".python-version",
)


def read(text: str, path: str, **metadata: Any) -> Extraction:
    """Read a text of a file, which must be one of that kind."""
    found = read_source(text, {"file_path": path, **metadata})
    assert found is not None
    for fact in found.facts:
        assert fact.object is not None
        assert fact.object in text[fact.span[0] : fact.span[1]]
        assert canonical_subject(fact.subject) == fact.subject, "retract() must find it under its own subject"
    return found


def places(text: str, path: str, **metadata: Any) -> dict[str, str | None]:
    """Return the values by the part of the key behind the path."""
    facts = read(text, path, **metadata).facts
    return {fact.subject.split("#", 1)[1].split(" ")[0]: fact.object for fact in facts}


def keys(text: str, path: str, **metadata: Any) -> dict[tuple[str, str, str], str]:
    """Return the canonical values by full key."""
    facts = (read_source(text, {"file_path": path, **metadata}) or Extraction()).facts
    return {(f.subject, f.relation, f.dimension): f.value for f in facts}


def supersedes(old: dict[tuple[str, str, str], str], new: dict[tuple[str, str, str], str]) -> bool:
    """Whether any statement of the second text takes the place of one of the first."""
    return any(key in old and old[key] != value for key, value in new.items())


def test_it_is_an_extractor() -> None:
    """Alone, it leaves other kinds of text as prose."""
    assert isinstance(SourceExtractor(), Extractor)
    read_one, unknown, bare = SourceExtractor().extract(
        ["numpy==1", "numpy==1", "numpy==1"], [{"source": "requirements.txt"}, {"source": "notes.md"}, None]
    )
    assert [f.object for f in read_one.facts] == ["1"]
    assert unknown == bare == Extraction()


def test_the_path_may_stand_in_four_fields() -> None:
    """The first field that names a known kind counts, a URL by its path."""
    for field in ("file_path", "source", "path", "file_name"):
        assert read_source("A=1", {field: "deploy/.env"}) is not None
    found = read_source("A=1", {"source": "s3://bucket/notes", "path": "https://x.org/raw/.env?ref=main#L3"})
    assert found is not None
    assert found.facts[0].subject == "x.org/raw/.env#A A"
    assert read_source("A=1", {"source": 7, "file_path": None}) is None


def test_prose_in_a_known_file_is_left_to_the_grammar() -> None:
    """A sentence is a sentence, wherever it is said to stand."""
    for path in PATHS:
        assert read_source("The timeout of the billing service is 30 seconds.", {"file_path": path}) is None, path


# -- what is read ---------------------------------------------------------------------------------

WHOLE: list[tuple[str, str, dict[str, str]]] = [
    ("requirements.txt", "Foo_Bar[b,a] >= 1.2,<2 ; python_version < '3.9'\n",
     {'foo-bar[a,b];python_version%20<%20%223%2E9%22': ">= 1.2,<2"}),
    ("requirements.txt", "a==1 \\\n  --hash=sha256:00\nb~=2.1  # why\n", {"a": "1", "b": "~=2.1"}),
    ("requirements.txt", "git+https://github.com/x/y.git@v1.2#egg=y\n", {"y": "v1.2"}),
    (".env", "export A=\"x # y\" # c\nB=2\n", {"A": "x # y", "B": "2"}),
    ("Dockerfile", "ARG V=1\nFROM python:3.11 AS Base\nENV A=1 B='2 3'\nENV C 4\nRUN <<EOF\nENV D=5\nEOF\n",
     {"ARG:V": "1", "FROM:AS:base": "python:3.11", "ENV@base:A": "1", "ENV@base:B": "2 3", "ENV@base:C": "4"}),
    ("Dockerfile", "FROM host:5000/a/b@sha256:0f\n", {"FROM:host:5000/a/b": "sha256:0f"}),
    ("tox.ini", "[testenv:a]\ndeps =\n    pytest==5\n    py37: x==2\n[flake8]\nignore =\n    E1\n    # no\n    W2\n",
     {"testenv:a:deps:pytest": "5", "testenv:a:deps:py37:x": "2", "flake8:ignore": "E1\n    # no\n    W2"}),
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
     {"T": "60 * 60", "A.Z": "3", "A.f:b": "2", "A.f:c": "x", "A.f:return": "int"}),
    ("views.py", '@app.get("/u/{id}")\nasync def g(): ...\n'
     'def make():\n    @bp.route("/x", methods=["PUT", "GET"])\n    def h(): ...\n',
     {"g:get": "/u/{id}", "make.h:route:GET,PUT": "/x"}),
    ("urls.py", 'urlpatterns = [path("a/", v.a, name="n"), re_path(r"^b$", v.b), path("c/", include("c"))]\n',
     {"name=n": "a/", "v%2Eb": "^b$"}),
    ("setup.py", 'setup(name="x", version="1.2", python_requires=">=3", install_requires=["a==1", "b"])\n',
     {"setup.version": "1.2", "setup.python_requires": ">=3", "setup.install_requires.a": "1"}),
    (".python-version", "3.12\n", {"%2Epython-version": "3.12"}),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "wanted"), WHOLE, ids=[f"{p}-{n}" for n, (p, *_) in enumerate(WHOLE)])
def test_a_whole_file_gives_keys_with_their_sections(path: str, text: str, wanted: dict[str, str]) -> None:
    """Every value is a verbatim span under path, section and name."""
    found = read_source(text, {"file_path": path}, whole=True)
    assert found is not None
    assert {f.subject.split("#", 1)[1].split(" ")[0]: f.object for f in found.facts} == wanted


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
    ("setup.py", 'version="0.1",', "setup.version", "0.1"),
    ("app.py", 'MAX_SIZE = 10', "MAX_SIZE", "10"),
    ("docs/conf.py", "version = '0.3'", "version", "0.3"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "line", "key", "value"), LINES)
def test_a_line_has_a_key_where_the_section_does_not_matter(path: str, line: str, key: str, value: str) -> None:
    """Pins, variables and constants at the margin; the line says nothing else."""
    assert places(line, path) == {key: value}
    assert not read(line, path).prose


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("a.yml", "timeout: 30"),
        ("a.yml", "timeout: 30\n"),
        ("compose.yml", "  web:\n    image: nginx:1.24\n  api:\n    image: redis:7\n"),
        ("a.yml", "- uses: actions/checkout@v4\n  with:\n    depth: 0"),
        ("k8s/api.yaml", "spec:\n  containers:\n    - name: api\n      image: acme/app:1.4\n"),
        ("a.yml", "image: nginx:1.24\n{% if x %}\nports: [\n"),
        ("a.yml", "  timeout: 30\n  b: 2\n  c: 3\n"),
        ("a.yml", "server:\n    timeout: 30\n    port: 80"),  # one step or two?
        (".pre-commit-config.yaml", "rev: v1.2"),
        ("a.ini", "timeout = 30\nretries = 5"),
        ("tox.ini", "pytest==5.0"),
        ("setup.cfg", "version = 1.2"),
        ("pyproject.toml", 'version = "1.2"\nline-length = 100'),
        ("pyproject.toml", '"numpy>=1.2",'),  # two lists may have two ranges
        ("package.json", '"react": "^16.0.0",'),
        ("package.json", '"node": "18.0.0",'),
        ("app.json", '"timeout": 30,'),
        ("app.json", '{\n    "timeout": 30\n  }'),
        ("app.py", "timeout = 30"),
        ("app.py", "    TIMEOUT = 30"),
        ("setup.py", 'name="x",'),
    ],
)
def test_a_line_whose_section_cannot_be_seen_has_no_key(path: str, line: str) -> None:
    """No key, and it is not left to the grammar either, which would confine it to the file alone."""
    assert read(line, path) == Extraction((), True)


@pytest.mark.parametrize(
    ("path", "text", "section", "key"),
    [
        ("a.yml", "timeout: 30 # s", "server.http", "server.http.timeout"),
        ("a.yml", "timeout: 30", "", "timeout"),
        ("a.ini", "timeout = 30", "http", "http:timeout"),
        ("a.ini", "timeout = 30", "[http]", "http:timeout"),
        ("tox.ini", "pytest==5", "testenv:deps", "testenv:deps:pytest"),
        ("a.toml", "timeout = 30", "http", "http.timeout"),
        ("pyproject.toml", '"a>=1",', "project.dependencies", "project.dependencies.a"),
        ("a.json", '"timeout": 30,', "http", "http.timeout"),
        ("a.py", "timeout = 30", "Client", "Client.timeout"),
        ("a.py", "timeout: float = 30", "Client.get()", "Client.get:timeout"),
        ("a.py", '@app.get("/30")', "show()", "show:get"),
    ],
)
def test_metadata_may_name_the_section(path: str, text: str, section: str, key: str) -> None:
    """The key is that of the whole file."""
    assert list(places(text, path, section=section)) == [key]
    assert not read(text, path, section=section).prose


def test_a_change_of_form_is_a_change_of_the_same_key() -> None:
    """A pin that becomes a range, a string that becomes a list, a number that becomes a duration."""
    for path, old, new in [
        ("requirements.txt", "numpy==1.26.4", "NumPy>=2"),
        ("a.py", 'HOSTS = "*"', 'HOSTS = ["a"]'),
        (".env", "TTL=30", "TTL=30s"),
        ("a.yml", "uses: a/b@v1", "- uses: a/b@5d6cc0eb514c891a40562a58a8e71576c5c7fb43 # v2"),
        ("a.yml", "image: redis:6", "image: redis:7.0-alpine"),
    ]:
        assert supersedes(keys(old, path), keys(new, path)), (path, old, new)


def test_the_same_value_in_another_form_is_no_change() -> None:
    """Quotes, figures and products."""
    for path, old, new in [
        (".env", "DEBUG=true", 'DEBUG="True"'),
        ("a.py", "T = 3600", "T = 60 * 60"),
        ("a.py", "T = 10_000", "T = 10000"),
        ("requirements.txt", "a>=1,<2", "a<2, >=1"),
        ("a.py", "X = [1,2]", "X = [1, 2]"),
    ]:
        assert keys(old, path) == keys(new, path) != {}, (path, old, new)


# Equal in their format, however they are written
EQUAL: list[tuple[str, str, str]] = [
    ("a.yaml", "a: 1\nx: 0x10\n", "a: 1\nx: 16\n"),
    ("a.yaml", "b: 1\nx: null\n", "b: 1\nx: ~\n"),
    ("a.yaml", "b: 1\nx: 0644\n", "b: 1\nx: 0o644\n"),
    ("a.yaml", "b: 1\nx: on\n", "b: 1\nx: true\n"),
    ("a.yaml", "b: 1\nx: [0x10, 'a']\n", "b: 1\nx: [16, a]\n"),
    ("a.toml", "[t]\nx = 0x10\n", "[t]\nx = 16\n"),
    ("a.toml", "[t]\nx = 2024-01-01T10:00:00\n", "[t]\nx = 2024-01-01 10:00:00\n"),
    ("a.toml", '[t]\nx = "x\\\\y"\n', "[t]\nx = 'x\\y'\n"),
    ("a.toml", "[t]\nx = [0x10, 1.0]\n", "[t]\nx = [16, 1.00]\n"),
    ("requirements.txt", "foo>=1.0,<2\n", "foo<2,>=1.0\n"),
    ("a.py", "def f() -> Optional[int]: ...\nX = 1\n", "def f() -> int | None: ...\nX = 1\n"),
    ("a.py", "def f() -> Optional[int]: ...\nX = 1\n", 'def f() -> "Optional[int]": ...\nX = 1\n'),
    ("a.py", "X: Optional[int] = 1\n", "X: int = 1\n"),
    (".env", "DEBUG=true\n", 'DEBUG="True"\n'),
    ("a.ini", "[a]\nx = on\n", "[a]\nx = true\n"),
    ("a.yaml", "b: 1\nx: '8080'\n", "b: 1\nx: 8080\n"),
    ("a.yaml", "b: 1\nx: &a 8080\n", "b: 1\nx: 8080\n"),
]

# Other strings, or another type: what reads the file tells them apart
DIFFERENT: list[tuple[str, str, str]] = [
    ("values.yaml", "image:\n  tag: 1.1\n  b: 1\n", "image:\n  tag: 1.10\n  b: 1\n"),
    ("a.json", '{"v": 1.1}', '{"v": 1.10}'),
    ("requirements.txt", "foo==1.0\n", "foo==1.0.0\n"),  # equal to pip; a history tells them apart
    ("a.json", '{"m": "on"}', '{"m": "true"}'),
    ("a.json", '{"m": "1_0"}', '{"m": "10"}'),
    ("a.json", '{"m": "+1"}', '{"m": "1"}'),
    ("a.yaml", "b: 1\nx: 'on'\n", "b: 1\nx: 'true'\n"),
    ("a.yaml", "b: 1\nx: '1_0'\n", "b: 1\nx: '10'\n"),
    ("a.toml", "[t]\nx = 'on'\n", "[t]\nx = 'true'\n"),
    ("a.toml", "[t]\nx = '1_0'\n", "[t]\nx = '10'\n"),
    (".env", "A=on\n", "A=true\n"),
    (".env", "A=1_0\n", "A=10\n"),
    ("Dockerfile", "FROM a:1 AS b\nENV A=on\n", "FROM a:1 AS b\nENV A=true\n"),
    ("Dockerfile", "FROM a:1 AS b\nENV A=+1\n", "FROM a:1 AS b\nENV A=1\n"),
    ("a.py", "X = 'on'\n", "X = 'true'\n"),
    ("a.py", "X = '1_0'\n", "X = '10'\n"),
    ("a.yaml", "b: 1\ntag: 2024_01\n", "b: 1\ntag: 202401\n"),
    ("a.yaml", "b: 1\nx: ['on']\n", "b: 1\nx: ['true']\n"),
    ("a.json", '{"m": ["1_0"]}', '{"m": ["10"]}'),
    ("a.yaml", "b: 1\nx: !Ref a\n", "b: 1\nx: !Sub a\n"),
    ("compose.yml", "services:\n  a:\n    image: x:1.25\n", "services:\n  a:\n    image: x:1.25.0\n"),
    ("a.json", '{"a": ["x\\ny"]}', '{"a": ["x", "y"]}'),
]


@pytest.mark.parametrize(("path", "old", "new"), EQUAL)
def test_a_value_in_another_notation_of_its_format_is_no_change(path: str, old: str, new: str) -> None:
    assert keys(old, path) == keys(new, path) != {}


@pytest.mark.parametrize(("path", "old", "new"), DIFFERENT)
def test_what_a_format_tells_apart_is_a_change(path: str, old: str, new: str) -> None:
    assert supersedes(keys(old, path), keys(new, path))


# -- what must not touch --------------------------------------------------------------------------

APART: list[tuple[str, str, str]] = [
    ("a.toml", "[prod]\nport = 80\n", "[staging]\nport = 81\n"),
    ("a.toml", '[a]\n"b.c" = 1\n', "[a.b]\nc = 2\n"),
    ("a.toml", '[[x]]\nport = 1\n', "[[x]]\nport = 2\n"),
    ("a.toml", '[[x]]\nname = "a"\n[x.y]\nport = 1\n', '[[x]]\nname = "b"\n[x.y]\nport = 2\n'),
    ("a.ini", "[prod]\nport = 80\n", "[staging]\nport = 81\n"),
    ("a.ini", "[a]\nb.c = 1\n", "[a.b]\nc = 2\n"),
    ("a.yml", "prod:\n  port: 80\n", "staging:\n  port: 81\n"),
    ("a.yml", "a:\n  port: 80\n", "a:\n  b:\n    port: 81\n"),
    ("a.yml", "a:\n  port: 80\n", "port: 81\nb: 1\nc: 2\n"),
    ("a.yml", "l:\n  - port: 80\n", "l:\n  - port: 81\n"),
    ("a.yml", "l:\n  - name: a\n    port: 80\n", "l:\n  - name: b\n    port: 81\n"),
    ("a.yml", "l:\n  - {name: a, port: 80}\n  - {name: a, port: 90}\n", "l:\n  - name: a\n    port: 81\n  - b\n"),
    ("a.yml", "a: 1\nb: 3\n---\nc: 2\nd: 3\n", "a: 2\nb: 3\nc: 4\n"),
    ("k.yml", "kind: P\nmetadata: {name: a}\nspec: {n: 1}\n", "kind: P\nmetadata: {name: b}\nspec: {n: 2}\n"),
    ("k.yml", "spec:\n  n: 1\n", "spec:\n  n: 2\n"),
    ("v.yaml", "web:\n  image: a/b:1\n", "worker:\n  image: a/b:2\n"),
    ("v.yaml", "web:\n  image: a/b:1\n", "image: a/b:2"),
    ("v.yaml", "web:\n  image: a/b:1\n", "  image: a/b:2\n  ports: [1]\n"),
    ("c.yml", "services:\n  web:\n    image: nginx:1\n", "services:\n  api:\n    image: nginx:2\n"),
    ("k.yml", "spec:\n  c:\n    - name: a\n      image: x:1\n", "spec:\n  c:\n    - name: b\n      image: x:2\n"),
    ("k.yml", "spec:\n  c:\n    - name: a\n      image: x:1\n", "spec:\n  c:\n    - name: a\n      image: x:2\n"),
    (".github/workflows/ci.yml", "jobs:\n  lint:\n    steps:\n      - uses: actions/checkout@v3\n",
     "jobs:\n  test:\n    steps:\n      - uses: actions/checkout@v4\n"),
    (".github/workflows/ci.yml", "- uses: a/b@v3\n- run: x\n", "- uses: a/b@v4\n- run: y\n"),
    (".github/workflows/ci.yml", "    steps:\n      - uses: a/b@v3\n      - run: x\n",
     "    steps:\n      - uses: a/b@v4\n      - run: y\n"),
    ("a.yml", "timeout: 30\nb:\n  c: [1,", "timeout: 31\nb:\n  c: 2"),
    ("a.json", '{"a": {"port": 80}}', '{"b": {"port": 81}}'),
    ("a.json", '{"l": [{"port": 80}]}', '{"l": [{"port": 81}]}'),
    ("a.json", '{"port": 80},\n{"port": 90}', '{"port": 81},\n{"port": 91}'),
    ("requirements.txt", "a==1; python_version<'3.8'", "a==2; python_version>='3.8'"),
    ("requirements.txt", "a[x]==1", "a[y]==2"),
    ("requirements.txt", "# a==1", "a==2"),
    (".env", "# A=1", "A=2"),
    (".env", "A_B=1", "A=2"),
    (".env", 'K="-----\nA=1\n-----"', "A=2"),
    ("Dockerfile", "FROM node:18 AS build", "FROM node:20 AS serve"),
    ("Dockerfile", "ARG V=1", "ENV V=2"),
    ("a.py", "class A:\n    T = 1\n", "class B:\n    T = 2\n"),
    ("a.py", "class A:\n    T = 1\n", "T = 2\n"),
    ("a.py", "def f(t=1): ...\n", "def g(t=2): ...\n"),
    ("a.py", "def f(self, t=1): ...", "def f(self, t=2): ..."),
    ("a.py", "class Meta:\n        T = 1\nX = 1", "class Meta:\n        T = 2\nX = 1"),
    ("a.py", "def f():\n    T = 1\n", "T = 2\n"),
    ("a.py", "if X:\n    T = 1\nelse:\n    T = 3\n", "T = 2\n"),
    ("a.py", 'FIXTURE = """\nT = 1\n"""\n', "T = 2\n"),
    ("a.py", '    """\nT = 1\n"""\nX = 3', "T = 2\n"),
    ("a.py", "Set it so:\nT = 1\nand run it again", "T = 2\n"),
    ("a.py", "T = []\nT.append(1)\n", "T = [2]\n"),
    ("a.py", "T = 1\nT += 1\n", "T = 2\n"),
    ("a.py", "T = 1\ndef f():\n    global T\n    T = 5\n", "T = 2\n"),
    ("a.py", '@app.get("/a")\n@app.get("/b")\ndef f(): ...\n', '@app.get("/c")\ndef f(): ...\n'),
    ("a.py", '@app.get("/a")\ndef f(): ...\n', '@app.post("/b")\ndef f(): ...\n'),
    ("a.py", '@mock.patch("a")\ndef f(): ...\n', '@mock.patch("b")\ndef f(): ...\n'),
    ("a.py", "@overload\ndef f(x: int, b: int = 10) -> str: ...\n",
     "@overload\ndef f(x: str, b: int = 16) -> int: ...\n"),
    ("a.py", "@f.register\ndef _(x: int, n=1): ...\n", "@f.register(str)\ndef _(x, n=2): ...\n"),
    ("Dockerfile", "FROM node:18 AS web\nENV PORT=3000\n", "FROM python:3.11 AS api\nENV PORT=8000\n"),
    ("Dockerfile", "FROM node:18 AS web\nARG V=1\n", "FROM python:3.11\nARG V=2\n"),
    ("Dockerfile", "RUN make\nENV PORT=3000\n", "RUN make install\nENV PORT=8000\n"),
    ("package.json", '"lodash": "4.17.20",\n    "react": "18.0.0"\n  },\n  "devDependencies": {\n    "vite": "5.0.0"',
     '"lodash": "4.17.21",\n    "axios": "1.0.0"\n  },\n  "peerDependencies": {\n    "vite": "5.0.1"'),
    ("pyproject.toml", '"pytest==7",\n  "ruff==0.1",\n]\nlint = [\n  "ruff==0.1",\n]\n',
     '"pytest==8",\n]\n[tool.x]\ny = 1\n'),
    (".env", "PORT=8080\n", 'PORT=90\n-----END"\nX=1\n'),
]  # fmt: skip


@pytest.mark.parametrize(("path", "one", "other"), APART)
def test_what_differs_in_section_or_name_never_touches(path: str, one: str, other: str) -> None:
    """Nor does a comment, a string, a local variable, or what is built up in steps."""
    assert not supersedes(keys(one, path), keys(other, path))
    assert not supersedes(keys(other, path), keys(one, path))


@pytest.mark.parametrize("path", PATHS)
def test_two_files_never_touch(path: str) -> None:
    """Also if one path only continues the other, or holds white space and quotes."""
    text = next((t for p, t, _ in WHOLE if p.rsplit(".")[-1] == path.rsplit(".")[-1]), "A=1")
    subjects = [
        {f.subject for f in (read_source(text, {"file_path": p}) or Extraction()).facts}
        for p in (path, f"b/{path}", f"a b/{path}", f"a%20b/{path}", f"a'b/{path}")
    ]
    assert all(subjects[n].isdisjoint(other) for n in range(5) for other in subjects[n + 1 :])


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("requirements.txt", "a==1\na==2\n"),
        (".env", "A=1\nA=2\n"),
        ("Dockerfile", "FROM x:1\nENV A=1\nFROM x:2\nENV A=2\n"),
        ("a.ini", "[a]\nx=1\n[b]\n[a]\nx=2\n"),
        ("a.yml", "jobs:\n  a:\n    - uses: a/b@v1\n    - uses: a/b@v2\n"),
        ("Dockerfile", "FROM x:1 AS a\nFROM y:2 AS a\n"),
        ("a.json", '{"a": 1, "a": 2}'),
        ("a.py", "A = 1\nA = 2\n"),
    ],
)
def test_one_name_with_two_values_states_neither(path: str, text: str) -> None:
    """Something unseen tells them apart."""
    assert read(text, path) == Extraction((), True)


def test_a_name_repeated_with_its_value_is_stated() -> None:
    """One base image, twice."""
    assert places("FROM a:1\nFROM b:2\nFROM a:1\n", "Dockerfile") == {"FROM:a": "1", "FROM:b": "2"}


SUCCESSORS: list[tuple[str, str, str]] = [
    ("docker-compose.yml", "services:\n  db:\n    image: postgres:14\n", "services:\n  db:\n    image: mysql:8\n"),
    ("docker-compose.yml", "services:\n  a:\n    image: nginx:1.24\n  b:\n    image: nginx:1.20\n",
     "services:\n  a:\n    image: nginx:1.25\n  b:\n    image: nginx:1.20\n"),
    ("ci.yml", "jobs:\n  t:\n    steps:\n      - name: Set up\n        uses: a/setup@v1\n",
     "jobs:\n  t:\n    steps:\n      - name: Set up\n        uses: b/setup@v2\n"),
    ("ci.yml", "jobs:\n  t:\n    steps:\n      - uses: a/setup@v1\n        with:\n          python: '3.9'\n",
     "jobs:\n  t:\n    steps:\n      - uses: a/setup@v1\n        with:\n          python: '3.12'\n"),
    ("Dockerfile", "FROM python:3.9 AS build", "FROM --platform=linux/amd64 node:20 as Build"),
    ("Dockerfile", "FROM python:3.9 AS build", "FROM python AS build"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "old", "new"), SUCCESSORS)
def test_one_place_holds_one_reference(path: str, old: str, new: str) -> None:
    """Where the place is seen, another image or action takes the place of the first, whatever its name."""
    assert supersedes(keys(old, path), keys(new, path))
    assert supersedes(keys(new, path), keys(old, path))


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("requirements.txt", "numpy==1 ; python_version>='3.9'", ["numpy"]),
        ("requirements.txt", "uvicorn[standard]==0.20", ["uvicorn", "uvicorn[standard]"]),
        ("tox.ini", "[testenv]\ndeps =\n    py37: pytest[x]==5\n", ["pytest"]),
        ("a.yml", "uses: actions/checkout@v4", ["actions/checkout"]),
        ("a.yml", "image: nginx:1.24", ["nginx"]),
        ("Dockerfile", "FROM node:18", ["node"]),
        ("Dockerfile", "FROM node:18 AS build", ["build"]),
        ("docker-compose.yml", "services:\n  web:\n    image: nginx:1.24\n", ["image"]),
    ],
)
def test_a_name_is_called_without_what_surrounds_it(path: str, text: str, said: list[str]) -> None:
    """Extras, markers and kinds stand in the key; a look-up by the bare name finds it."""
    (fact,) = read(text, path).facts
    assert set(said) <= set(fact.subject.split())


def test_an_alias_gives_no_key_where_it_stands() -> None:
    """What an anchor holds is said where it is anchored."""
    text = "base: &b\n  port: 80\nprod:\n  <<: *b\nother: *b\nlist: &l [1]\nagain: *l\n"
    assert set(places(text, "a.yml")) == {"base.port", "list"}


def test_two_items_of_one_name_have_none() -> None:
    """Not even for what only one of them holds."""
    assert places("l:\n  - {name: a, port: 80}\n  - {name: a, host: b}\n  - {name: c, port: 1}\n", "a.yml") == {
        "l.[name=c].port": "1"
    }


def test_strings_hold_signs() -> None:
    """A sign of equality or a colon inside a string ends no name."""
    assert places("DSN=postgres://u:p@h/db?a=b#c\n", ".env") == {"DSN": "postgres://u:p@h/db?a=b#c"}
    assert places('A = "x = 1"\n', "a.py") == {"A": "x = 1"}
    assert places("[a]\nurl = http://h:1/?q=2\n", "a.ini") == {"a:url": "http://h:1/?q=2"}
    assert places('[a]\nx = "b = 1 # no"\n', "a.toml") == {"a.x": "b = 1 # no"}


def test_the_edges_of_a_cut_piece_are_left_out() -> None:
    """Whole statements between them are read."""
    assert places("    return x\n\nTIMEOUT = 30\nRETRIES = 5\n\ndef f(a,", "a.py") == {"TIMEOUT": "30", "RETRIES": "5"}
    assert places('"b": 1 },\n "dependencies": {\n  "x": "^1", "y"', "package.json") == {}
    assert places('"b": "x",\n "devDependencies": {\n  "x": "^1",\n', "package.json") == {"devDependencies.x": "^1"}
    assert places('{\n  "a": {"b": 1},\n  "c": 12', "a.json") == {"a.b": "1"}
    assert places("x: 1\n    y: 2\nroot:\n  z: 3", "a.yml") == {"root.z": "3"}
    assert places("ports = [\n  80,\n[http]\nport = 80\n", "a.toml") == {}
    assert places('q = 1\n"""\n[http]\nport = 80\n', "a.toml") == {}, "inside the string, or behind it?"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("values.yaml", "image:\n  tag: 1.25."),
        ("compose.yml", "services:\n  db:\n    image: postgres:15."),
        ("compose.yml", "services:\n  web:\n    command:\n      - gunicorn"),
        (".github/workflows/ci.yml", 'matrix:\n  python:\n    - "3.9"\n    - "3.10"'),
        (".env", "HOST=db."),
        ("app.ini", "[a]\nx = 1.2."),
        ("tox.ini", "[tox]\nenvlist =\n    py38\n    py39"),
        ("requirements.txt", "numpy>=1.26,"),
        ("app.py", "X = 3."),
    ],
)
def test_a_value_that_a_splitter_may_have_cut_has_no_key(path: str, text: str) -> None:
    """In a text that ends with its line it has one."""
    assert places(text, path) == {}
    assert len(places(f"{text.rstrip('.,')}\n", path)) == 1


def test_what_stands_above_a_cut_value_has_a_key() -> None:
    assert places("image:\n  tag: 1\nb:\n  c: 1.25.", "values.yaml") == {"image.tag": "1"}
    assert places("[tox]\nx = 1\nenvlist =\n    py38", "tox.ini") == {"tox:x": "1"}


def test_a_stage_of_a_dockerfile_has_variables_of_its_own() -> None:
    old = "FROM node:18 AS web\nENV PORT=3000\nFROM python:3.11 AS api\nENV PORT=8000\n"
    assert places(old, "Dockerfile")["ENV@web:PORT"] == "3000"
    assert supersedes(keys(old, "Dockerfile"), keys(old.replace("3000", "3001"), "Dockerfile"))
    assert places("ENV PORT=3000", "Dockerfile") == {"ENV:PORT": "3000"}
    assert places("PORT=3000", "Dockerfile", section="ENV@web") == {"ENV@web:PORT": "3000"}


def test_comments_in_json_and_tables_in_a_line_of_toml() -> None:
    assert places('{\n  // why\n  "a": {\n    "b": "x//y"\n  }\n}\n', "tsconfig.json") == {"a.b": "x//y"}
    old, new = "[db]\nopts = {pool = 5, echo = true}\n", "[db]\nopts = {pool = 9, echo = true}\n"
    assert supersedes(keys(old, "a.toml"), keys(new, "a.toml"))


@pytest.mark.parametrize(
    ("path", "text", "prose"),
    [
        ("requirements.txt", "a==1\nb==2\n", False),
        ("requirements.txt", "a==1\n    # via\n    #   b\n", False),
        ("requirements.txt", "# Keep below 2, see the tracker\na==1\n", True),
        ("requirements.txt", "-r base.txt\na==1\n", True),
        (".env", "#######\nA=1\n", False),
        ("Dockerfile", "FROM a:1\nRUN make\n", True),
        ("a.ini", "[a]\nx = 1\n", False),
        ("a.toml", "[a]\nx = 1 # why\n", False),
        ("a.yml", "a:\n  b: 1\n", False),
        ("a.yml", "a:\n  b: |\n    text\n  c: 1\n", True),
        ("a.json", '{"a": {"b": 1}}', False),
        ("a.py", "A = 1\nB = 2\n", False),
        ("a.py", 'A = 1\n\ndef f(x=2):\n    """Do it."""\n', True),
        ("a.py", "A = 1\nB = f()\n", True),
    ],
)
def test_whether_a_text_says_more_than_its_facts(path: str, text: str, prose: bool) -> None:
    """A row whose facts are all out of date is retired only if it says nothing else."""
    found = read(text, path)
    assert found.facts
    assert found.prose is prose


def test_the_keys_are_not_those_of_sentences() -> None:
    """What the grammar makes of the same line, or of a sentence about it, has another subject."""
    for path, line, *_ in LINES:
        spoken = GrammarExtractor().extract([line, "numpy is pinned to 2.0."])
        theirs = {f.subject for e in spoken for f in e.facts}
        assert theirs.isdisjoint(f.subject for f in read(line, path).facts)


# -- nothing raises -------------------------------------------------------------------------------

_PIECES = sorted(
    {piece for _, text, _ in WHOLE for piece in (*text.split("\n"), text)} | {"'''", '"""', "\\", "]", "\t"}
)


def _checked(text: str, path: str, section: str | None) -> None:
    metadata = {"file_path": path} if section is None else {"file_path": path, "section": section}
    found = read_source(text, metadata)
    assert found == read_source(text, metadata)
    for fact in found.facts if found else ():
        assert isinstance(fact, Fact)
        assert fact.object is not None
        assert fact.object in text[fact.span[0] : fact.span[1]]
        assert canonical_subject(fact.subject) == fact.subject


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    st.lists(st.one_of(st.sampled_from(_PIECES), st.text(max_size=8)), max_size=8),
    st.sampled_from(("\n", "\n  ", " ", "")),
    st.sampled_from(PATHS),
    st.sampled_from((None, "", "a", "a.b()", "setup", "testenv:deps", "project.dependencies")),
)
def test_no_text_raises(pieces: list[str], between: str, path: str, section: str | None) -> None:
    """Whatever stands in a file, objects are verbatim and subjects canonical."""
    _checked(between.join(pieces), path, section)


def test_no_mutation_raises() -> None:
    """Cut, doubled and swapped characters in real forms, 4,000 times."""
    rng = random.Random(7)
    for n in range(4000):
        path, text, _ = WHOLE[n % len(WHOLE)]
        for _ in range(rng.randrange(1, 6)):
            at = rng.randrange(len(text) + 1)
            put = rng.choice((*"\n \"'[{:=#\x0cé\ud800\x00", "", text[at : at + 9]))
            text = text[:at] + put + text[at + rng.randrange(3) :]
        _checked(text, path if n % 3 else PATHS[n % len(PATHS)], None)


@pytest.mark.parametrize("path", PATHS)
def test_long_texts_take_seconds(path: str) -> None:
    """One letter, brackets and quotes by the hundred thousand: nothing quadratic."""
    started = time.perf_counter()
    for piece in ("a", "[", "{", "(", '"', "- ", "a:\n", "x = [\n", '{"a":', "a==1 \\\n", "'''\n", "= ", " "):
        text = piece * (120_000 // len(piece))
        read_source(text, {"file_path": path})
        read_source(text, {"file_path": path, "section": "a"})
    assert time.perf_counter() - started < 30


def test_text_that_is_indented_as_a_whole_is_not_at_the_top() -> None:
    """A quoted piece keeps its indentation, and with it the doubt."""
    piece = textwrap.indent("a:\n  b: 1\nc: 2\n", "  ")
    assert read(piece, "a.yml") == Extraction((), True)
