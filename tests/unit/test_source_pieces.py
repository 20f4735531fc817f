"""Pieces of files that are both true: what a splitter left out of sight tells them apart."""

from __future__ import annotations

from typing import Any

import pytest

from memstrata_integrations.extraction.sources import read_source
from memstrata_integrations.extraction.sources.reader import entries_of
from memstrata_integrations.facts import Extraction


def keys(text: str, path: str, **metadata: Any) -> dict[tuple[str, str], str]:
    """Return the canonical values by key."""
    facts = (read_source(text, {"file_path": path, **metadata}) or Extraction()).facts
    return {(f.subject, f.relation): f.value for f in facts}


def places(text: str, path: str, **metadata: Any) -> dict[str, str]:
    """Return the values by the part of the key behind the path."""
    return {s.split("#", 1)[1].split(" ")[0]: value for (s, _), value in keys(text, path, **metadata).items()}


def touch(one: dict[tuple[str, str], str], other: dict[tuple[str, str], str]) -> bool:
    return any(key in one and one[key] != value for key, value in other.items())


APART: list[tuple[str, str, str]] = [
    # what kind of object it is stood in the piece before
    ("k8s.yaml", "metadata:\n  name: orders\ndata:\n  LOG_LEVEL: info",
     "metadata:\n  name: billing\ndata:\n  LOG_LEVEL: debug"),
    ("k8s.yaml", "metadata:\n  name: orders\ndata:\n  A: x\n", "metadata:\n  name: billing\ndata:\n  A: y\n"),
    ("k8s.yaml", "name: alpha\ndata:\n  timeout: '30'", "name: beta\ndata:\n  timeout: '60'"),
    ("k8s.yaml", "data:\n  timeout: '30'\n", "data:\n  timeout: '60'\n"),
    ("k8s.yaml", "stringData:\n  user: a\n", "stringData:\n  user: b\n"),
    ("k8s.yaml", "provisioner: a\nreclaimPolicy: Delete\n", "provisioner: b\nreclaimPolicy: Retain\n"),
    ("k8s.yaml", "name: fast\nprovisioner: a\nparameters:\n  type: x",
     "name: slow\nprovisioner: b\nparameters:\n  type: y"),
    ("k8s.yaml", "roleRef:\n  kind: Role\n  name: a\n", "roleRef:\n  kind: Role\n  name: b\n"),
    ("k8s.yaml", "template:\n  spec:\n    n: 1\n", "template:\n  spec:\n    n: 2\n"),
    ("k8s.yaml", "metadata:\n  name: web\nspec:\n  type: A\n", "metadata:\n  name: web\nspec:\n  type: B\n"),
    # documents of one file
    ("application.yml", "server:\n  port: 8080\nlogging:\n  level: INFO",
     "---\nspring:\n  config:\n    activate:\n      on-profile: dev\nserver:\n  port: 8081\nlogging:\n  level: DEBUG"),
    ("application.yml", "spring:\n  config:\n    activate:\n      on-profile: prod\nserver:\n  port: 80",
     "spring:\n  config:\n    activate:\n      on-profile: dev\nserver:\n  port: 81"),
    ("application.yml", "spring:\n  profiles: prod\nserver:\n  port: 80\n",
     "spring.profiles: dev\nserver:\n  port: 81\n"),
    ("application.yml", "spring.config.activate.on-profile: prod\nport: 80\n", "port: 81\nhost: a\n"),
    ("a.yaml", "name: a\nport: 80\n", "x: 1\n---\nname: b\nport: 81\n"),
    ("a.yaml", "name: a\nport: 80\n", "  cut: {\n---\nname: b\nport: 81\n"),
    # a version of something else
    ("package.json", '{\n  "name": "shop",\n  "version": "3.2.1",',
     '"volta": {\n    "node": "20.11.0",\n    "version": "9.9.9"\n  }\n}'),
    ("package.json", '"version": "3.2.1",', '  "templateOSS": {\n    "version": "4.29.0"\n  }\n}\n'),
    ("package.json", '"version": "3.2.1",', '    "version": "4.29.0",\n    "publish": true\n  },'),
    ("package.json", '"version": "3.2.1",', '"version": "4.29.0"\n  }\n}'),
    ("package.json", '"version": "3.2.1",', '"node": "20.1.0",\n    "version": "4.29.0"'),
    ("package.json", '"version": "3.2.1",', '    "version": "4.29.0",\n'),
    # stages without a name
    ("Dockerfile", "FROM node:20-alpine\nENV PORT=3000\nRUN npm ci", "FROM python:3.11-slim\nENV PORT=8000\nRUN pip"),
    ("Dockerfile", "FROM golang:1.21\nRUN make", "FROM golang:1.20-alpine\nCOPY --from=0 /a /a"),
    ("Dockerfile", "FROM golang:1.21\nENV A=1\n", "FROM golang:1.21\nENV A=2\ncopy --chown=a --from=1 /a /a\n"),
    ("Dockerfile", "FROM node:18 AS base\nENV A=1\n", "FROM base\nENV A=2\n"),
    ("Dockerfile", "FROM ${REG}/a:1 AS web\nENV A=1\n", "FROM b:${V} AS api\nENV A=2\n"),
    # an element's table, above the element that shows it
    ("a.toml", '[servers.tls]\nport = 1\n[[servers]]\nhost = "a"\n', '[servers.tls]\nport = 2\n'),
    ("a.toml", '[servers.tls]\nport = 1\n', '[servers.tls]\nport = 2\n[[servers]]\nhost = "a"\n'),
    ("pyproject.toml", 'dev = ["pytest==8.0.0", "ruff==0.2.1"]', 'docs = ["pytest==7.4.4"]'),
    # an object of a list
    ("a.json", '  {\n    "port": 80\n  },\n', '  {\n    "port": 81\n  },\n'),
    ("a.json", '  {\n    "port": 80\n  }\n', '  {\n    "port": 81\n  }\n'),
    ("a.json", '\t{"port": 80}', '\t{"port": 81}'),
    # variants of a function, their decorator cut off
    ("a.py", "def parse(x: int, base: int = 10) -> int: ...\n@overload",
     "def parse(x: str, base: int = 16) -> str: ...\n"),
    ("a.py", 'def f(x=1) -> int:\n    """Do."""\n    ...\n', "def f(x=2) -> str: ...\n"),
    ("a.pyi", "def f(x: int) -> int: ...\n@overload\ndef f(x: float) -> float: ...\n@overload",
     "def f(x: str) -> str: ...\n"),
    ("a.py", "@staticmethod\ndef make(port=1):\n    return port", "@staticmethod\ndef make(port=2):\n    return port"),
    ("a.yaml", "&a\n    name: x\n    attr: schema", "&b\n    name: y\n    attr: revision"),
    # the branch of a condition
    ("a.py", "FAST = True\nexcept ImportError:", "FAST = False\n"),
    ("a.py", "POOL = 2\nelse:", "POOL = 8\n"),
    ("a.py", "POOL = 2\nelif WINDOWS:", "POOL = 8\n"),
    ("values.yaml", "port: 80\n{{- else }}\nport: 81", "port: 82\na: 1\n"),
    ("values.yaml", "port: 80\n{{- else }}\nport: 81\n", "port: 80\n"),
    ("values.yaml", "a: 1\nport: 80\n{{- end }}\n", "port: 81\nb: 1\n"),
    ("values.yaml", "{{- with .Values.x }}\nport: 80\nhost: a\n", "port: 81\nhost: b\n"),
    ("values.yaml", "  {{- range $i := .Values.x }}\nport: 80\n{%- endif %}\nport: 3\n", "port: 81\nhost: b\n"),
    ("compose.yml", "services:\n  a:\n    environment:\n      - P=1\n",
     "services:\n  b:\n    environment:\n      - P=2\n"),
    ("a.properties", "Timeout=1\n", "timeout=2\n"),
    ("a.properties", "server.port=1\n", "management.server.port=2\n"),
    ("a.properties", "# a=1\n", "a=2\n"),
    ("a.properties", "a=1,\\\n  2\n", "a=2\n"),
    ("a.properties", "users.max=10\n", "user.max=20\n"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "one", "other"), APART)
def test_two_true_pieces_never_touch(path: str, one: str, other: str) -> None:
    assert not touch(keys(one, path), keys(other, path))
    assert not touch(keys(other, path), keys(one, path))


def test_a_document_behind_the_start_of_its_file_has_no_place_of_its_own() -> None:
    text = "---\nname: b\nport: 81\n"
    assert places(text, "a.yaml") == {"name": "b", "port": "81"}, "many files begin so"
    assert places(text, "a.yaml", start_index=0) == {"name": "b", "port": "81"}
    assert places(text, "a.yaml", start_index=18) == {}
    assert places("# Licence\n" + text, "a.yaml") == {"name": "b", "port": "81"}


SAME: list[tuple[str, str, str]] = [
    ("k8s.yaml", "metadata:\n  name: a\ndata:\n  L: x\n", "metadata:\n  name: a\ndata:\n  L: y\n"),
    ("a.yaml", "data:\n  path: x\nmodel:\n  lr: 1\n", "data:\n  path: y\nmodel:\n  lr: 1\n"),
    ("application.yml", "---\nspring:\n  config:\n    activate:\n      on-profile: dev\nserver:\n  port: 1",
     "---\nspring:\n  config.activate.on-profile: dev\nserver:\n  port: 2"),
    ("application.yml", "spring:\n  profiles:\n    active: dev\nport: 1\n", "port: 2\na: 1\n"),
    ("package.json", '{\n  "name": "shop",\n  "version": "3.2.1",', '"version": "3.2.2",'),
    ("a.yaml", "{\n  a: 1,\n  b: 2\n}\n", "a: 2\nb: 2\n"),
    ("a.json", ' {\n  "a": 1\n}\n', '{\n  "a": 2\n}\n'),
    ("package.json", '"version": "3.2.1",\n  "main": "x"', '  "version": "3.2.2",\n  "main": "x"'),
    ("package.json", '"version": "3.2.1",\n    "private": true,\n', '    "version": "3.2.2",\n    "scripts": {\n'),
    ("package.json", '"files": [],\n  "version": "3.2.1"\n}\n', '  "version": "3.2.2"\n}\n'),
    ("Dockerfile", "FROM node:20\nENV P=1\n", "FROM node:21\nENV P=2\n"),
    ("Dockerfile", "FROM a:1\nCOPY --from=0 /a /a\n", "FROM a:2\nCOPY --from=0 /a /a\n"),
    ("Dockerfile", "FROM x:1\n", "FROM x:${V}\n"),
    ("Dockerfile", "FROM a/x:{tag}\nENV P=1\n", "FROM a/x:{other}\nENV P=2\n"),
    ("Dockerfile", "ENV A=1\n", "env A=2\n"),
    ("Dockerfile", "FROM x:1\n", "from x:2\n"),
    ("a.toml", "[tool.ruff]\nlint.select=['E']\n", "[tool.ruff.lint]\nselect = ['F']\n"),
    ("Cargo.toml", '[dependencies.rand]\nversion = "0.8"\n', '[dependencies]\nrand = "0.9"\n'),
    ("Cargo.toml", '[dependencies.rand]\nversion = "0.8"\n', '[dependencies]\nrand = { version = "0.9" }\n'),
    ("Cargo.toml", '[dependencies.rand]\nversion = "0.8"\n', '[dependencies]\nrand.version = "0.9"\n'),
    ("a.yml", "a: 0\nb: {c: 1}\n", "a: 0\nb:\n  c: 2\n"),
    ("compose.yml", "services:\n  a:\n    environment:\n      - P=1\n      - Q\n",
     "services:\n  a:\n    environment:\n      P: 2\n"),
    ("pyproject.toml", 'dev = ["pytest==8.0.0"]', 'dev = ["pytest==8.0.1"]'),
    ("a.pyi", "import x\ndef f(x: int = 1) -> int: ...\n", "import x\ndef f(x: int = 2) -> int: ...\n"),
    ("a.py", "if X:\n    A = 1\nB = 1\nif X:\n    A = 1\nelse:", "B = 2\nC = 1"),
    ("values.yaml", "a: 0\nport: 80\n# {{- if .x }}\nhost: a\n# {{- end }}\n", "port: 81\nb: 1\n"),
    (".env", "A=\n", "A=1\n"),
    (".env", "A=1\n", "A=\n"),
    (".env", "A=''\n", "A=1\n"),
    ("a.properties", "server.port=8080\n", "server.port = 9090\n"),
    ("a.properties", "server.port: 8080\n", "server.port 9090\n"),
    ("a.properties", "a\\:b=1\n", "a\\:b = 2\n"),
    ("a.properties", "greeting=Hello World", "greeting=Hi World"),
    ("a.properties", "a.b=\n", "a.b=1\n"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "one", "other"), SAME)
def test_an_update_is_found_between_pieces(path: str, one: str, other: str) -> None:
    assert touch(keys(one, path), keys(other, path))


def test_an_implementation_keeps_its_keys_when_it_gains_variants() -> None:
    variants = "@overload\ndef f(a: int, b: int = 1) -> int: ...\n@overload\ndef f(a: str, b: int = 1) -> str: ...\n"
    assert places(variants + "def f(a, b=1):\n    return a\n", "a.py") == {"f:b": "1"}
    assert places("def f(a, b=1):\n    return a\ndef f(a, b=2):\n    return a\n", "a.py") == {}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("Cargo.toml", '[dependencies.rand]\nfeatures = ["a"]\nversion = "0.8"\n'),
        ("pyproject.toml", "[tool.ruff]\nlint.select = ['E']\n"),
        ("compose.yml", "services:\n  a:\n    environment:\n      - P=1\n      - R=2\n"),
        ("Dockerfile", "FROM mcr.io/a.b/c:1\nENV A=1\nFROM mcr.io/a.b/c:2\nCOPY --from=0 /a /a\nARG B=1 C=2\n"),
        ("Dockerfile", "FROM a:1 AS web.api\nENV A=1\n"),
        ("a.properties", "a.b c\nd\\ e:f\n"),
    ],
)
def test_a_statement_alone_has_its_key_in_its_section(path: str, text: str) -> None:
    """That is how the history of a repository states it."""
    for entry in entries_of(text, {"file_path": path}):
        section = {} if entry.section is None else {"section": entry.section}
        found = keys(text[slice(*entry.span)], path, **section)
        whole = {key: value for key, value in keys(text, path).items() if value == entry.value}
        assert found, entry
        assert found.items() <= whole.items(), entry


def test_properties_are_read_as_java_reads_them() -> None:
    text = '! top\na.b = x # no comment\nc:d e\nlog.level INFO\nempty=\nlist=a,\\\n   b.c=2\nQ="x"\n'
    assert places(text, "conf/app.properties") == {
        "a.b": "x # no comment", "c": "d e", "log.level": "INFO", "empty": "", "Q": '"x"',
    }  # fmt: skip
    assert read_source("The timeout of the billing service is 30 seconds.", {"source": "a.properties"}) is None


def test_the_profiles_of_properties_are_told_apart() -> None:
    first = "server.port=8080\n"
    assert not touch(keys(first, "application.properties"), keys("#---\nserver.port=8081\n", "application.properties"))
    assert not touch(keys("  -Dx.y=1\na.b=1\n", "gradle.properties"), keys("  -Dx.y=2\na.c=1\n", "gradle.properties"))


# What a reviewer found that the readers of pieces had ceased to see
ORDINARY: list[tuple[str, str, str]] = [
    ("config.yaml", "data:\n  path: a.csv\n  size: 3\n", "data:\n  path: b.csv\n  size: 3\n"),
    ("params.yaml", "parameters:\n  lr: 0.01\n  epochs: 10\n", "parameters:\n  lr: 0.001\n  epochs: 10\n"),
    ("application.yml", "logging:\n  level: INFO\n", "logging:\n  level: WARN\n"),
    (".env", "A=1\n{{ if .x }}B=1{{ end }}\nC=1\n", "A=1\n{{ if .x }}B=1{{ end }}\nC=2\n"),
    (".env", "A=1\nB={{ if .x }}1\n{{ end }}\n", "A=2\nB={{ if .x }}1\n{{ end }}\n"),
    (".env", "A=1\n# {{ if you want this, uncomment }}\nC=1\n", "A=1\n# {{ if you want this, uncomment }}\nC=2\n"),
    ("a.ini", "[s]\na=1\n{{ block.super }}\nb=1\n", "[s]\na=1\n{{ block.super }}\nb=2\n"),
    ("a.py", "T = '''\n{% for a in b %}\n'''\nTIMEOUT = 3\n", "T = '''\n{% for a in b %}\n'''\nTIMEOUT = 4\n"),
    ("a.py", "class A(ABC):\n    @abstractmethod\n    def f(self, t: int = 30) -> int: ...\n",
             "class A(ABC):\n    @abstractmethod\n    def f(self, t: int = 60) -> int: ...\n"),
    ("Dockerfile", "FROM python:3.11\nENV PORT=1\n", "FROM python:3.12\nENV PORT=2\n"),
    ("package.json", '    "name": "a",\n    "version": "1.2.0",\n    "description": "x",\n',
                     '    "name": "a",\n    "version": "1.3.0",\n    "description": "x",\n'),
]  # fmt: skip


@pytest.mark.parametrize(("path", "old", "new"), ORDINARY)
def test_ordinary_updates_are_seen(path: str, old: str, new: str) -> None:
    assert touch(keys(old, path), keys(new, path))
