"""Pieces of files that are both true never touch: what a splitter left out of sight tells them apart."""

import textwrap

import pytest

from memstrata_integrations.ledger.facts import Extraction
from tests.unit.test_sources import PATHS, WHOLE, keys, places, read, sides, supersedes

# What differs in section or name; comments, strings, local variables, what is built up in steps; whose kind of object
# stood in the piece before; documents of one file; a version of something else; stages without a name; the table of an
# element above it; an object of a list; variants of a function, their decorator cut off; the branch of a condition
APART: list[tuple[str, ...]] = [
    ("a.toml", "[prod]\nport = 80\n", "[staging]\nport = 81\n"), ("a.toml", '[a]\n"b.c" = 1\n', "[a.b]\nc = 2\n"),
    ("a.toml", "[[x]]\nport = «1|2»\n"), ("a.toml", '[[x]]\nname = "«a|b»"\n[x.y]\nport = «1|2»\n'),
    ("a.ini", "[prod]\nport = 80\n", "[staging]\nport = 81\n"), ("a.ini", "[a]\nb.c = 1\n", "[a.b]\nc = 2\n"),
    ("a.yml", "prod:\n  port: 80\n", "staging:\n  port: 81\n"),
    ("a.yml", "a:\n  port: 80\n", "a:\n  b:\n    port: 81\n"), ("a.yml", "a:\n  port: 80\n", "port: 81\nb: 1\nc: 2\n"),
    ("a.yml", "l:\n  - port: «80|81»\n"), ("a.yml", "l:\n  - name: «a|b»\n    port: «80|81»\n"),
    ("a.yml", "l:\n  - {name: a, port: 80}\n  - {name: a, port: 90}\n", "l:\n  - name: a\n    port: 81\n  - b\n"),
    ("a.yml", "a: 1\nb: 3\n---\nc: 2\nd: 3\n", "a: 2\nb: 3\nc: 4\n"),
    ("k.yml", "kind: P\nmetadata: {name: «a|b»}\nspec: {n: «1|2»}\n"), ("k.yml", "spec:\n  n: «1|2»\n"),
    ("v.yaml", "«web|worker»:\n  image: a/b:«1|2»\n"), ("v.yaml", "web:\n  image: a/b:1\n", "image: a/b:2"),
    ("v.yaml", "web:\n  image: a/b:1\n", "  image: a/b:2\n  ports: [1]\n"),
    ("c.yml", "services:\n  «web|api»:\n    image: nginx:«1|2»\n"),
    ("k.yml", "spec:\n  c:\n    - name: «a|b»\n      image: x:«1|2»\n"),
    ("k.yml", "spec:\n  c:\n    - name: a\n      image: x:«1|2»\n"),
    (".github/workflows/ci.yml", "jobs:\n  «lint|test»:\n    steps:\n      - uses: actions/checkout@«v3|v4»\n"),
    (".github/workflows/ci.yml", "- uses: a/b@«v3|v4»\n- run: «x|y»\n"),
    (".github/workflows/ci.yml", "    steps:\n      - uses: a/b@«v3|v4»\n      - run: «x|y»\n"),
    ("a.yml", "timeout: «30|31»\nb:\n  c: «[1,|2»"), ("a.json", '{"«a|b»": {"port": «80|81»}}'),
    ("a.json", '{"l": [{"port": «80|81»}]}'), ("a.json", '{"port": «80|81»},\n{"port": «90|91»}'),
    ("requirements.txt", "a==«1|2»; python_version«<|>=»'3.8'"), ("requirements.txt", "a[x]==1", "a[y]==2"),
    ("requirements.txt", "# a==1", "a==2"), (".env", "# A=1", "A=2"), (".env", "A_B=1", "A=2"),
    (".env", 'K="-----\nA=1\n-----"', "A=2"), ("Dockerfile", "FROM node:«18 AS build|20 AS serve»"),
    ("Dockerfile", "ARG V=1", "ENV V=2"), ("a.py", "class «A|B»:\n    T = «1|2»\n"),
    ("a.py", "class A:\n    T = 1\n", "T = 2\n"), ("a.py", "def «f|g»(t=«1|2»): ...\n"),
    ("a.py", "def f(self, t=«1|2»): ..."), ("a.py", "class Meta:\n        T = «1|2»\nX = 1"),
    ("a.py", "def f():\n    T = 1\n", "T = 2\n"), ("a.py", "if X:\n    T = 1\nelse:\n    T = 3\n", "T = 2\n"),
    ("a.py", 'FIXTURE = """\nT = 1\n"""\n', "T = 2\n"), ("a.py", '    """\nT = 1\n"""\nX = 3', "T = 2\n"),
    ("a.py", "Set it so:\nT = 1\nand run it again", "T = 2\n"), ("a.py", "T = []\nT.append(1)\n", "T = [2]\n"),
    ("a.py", "T = 1\nT += 1\n", "T = 2\n"), ("a.py", "T = 1\ndef f():\n    global T\n    T = 5\n", "T = 2\n"),
    ("a.py", "@overload\ndef f(x: «int|str», b: int = «10|16») -> «str|int»: ...\n"),
    ("a.py", "@f.register«|(str)»\ndef _(x«: int|», n=«1|2»): ...\n"),
    ("Dockerfile", "FROM node:18 AS web\nENV PORT=3000\n", "FROM python:3.11 AS api\nENV PORT=8000\n"),
    ("Dockerfile", "FROM node:18 AS web\nARG V=1\n", "FROM python:3.11\nARG V=2\n"),
    ("Dockerfile", "RUN make«| install»\nENV PORT=«3000|8000»\n"),
    ("package.json", '"lodash": "4.17.20",\n    "react": "18.0.0"\n  },\n  "devDependencies": {\n    "vite": "5.0.0"',
     '"lodash": "4.17.21",\n    "axios": "1.0.0"\n  },\n  "peerDependencies": {\n    "vite": "5.0.1"'),
    ("pyproject.toml", '"pytest==7",\n  "ruff==0.1",\n]\nlint = [\n  "ruff==0.1",\n]\n',
     '"pytest==8",\n]\n[tool.x]\ny = 1\n'),
    (".env", "PORT=8080\n", 'PORT=90\n-----END"\nX=1\n'),
    ("k8s.yaml", "metadata:\n  name: «orders|billing»\ndata:\n  LOG_LEVEL: «info|debug»"),
    ("k8s.yaml", "metadata:\n  name: «orders|billing»\ndata:\n  A: «x|y»\n"),
    ("k8s.yaml", "name: «alpha|beta»\ndata:\n  timeout: '«30|60»'"), ("k8s.yaml", "data:\n  timeout: '«30|60»'\n"),
    ("k8s.yaml", "stringData:\n  user: «a|b»\n"), ("k8s.yaml", "provisioner: «a|b»\nreclaimPolicy: «Delete|Retain»\n"),
    ("k8s.yaml", "name: «fast|slow»\nprovisioner: «a|b»\nparameters:\n  type: «x|y»"),
    ("k8s.yaml", "roleRef:\n  kind: Role\n  name: «a|b»\n"), ("k8s.yaml", "template:\n  spec:\n    n: «1|2»\n"),
    ("k8s.yaml", "metadata:\n  name: web\nspec:\n  type: «A|B»\n"),
    ("application.yml", "server:\n  port: 8080\nlogging:\n  level: INFO",
     "---\nspring:\n  config:\n    activate:\n      on-profile: dev\nserver:\n  port: 8081\nlogging:\n  level: DEBUG"),
    ("application.yml", "spring:\n  config:\n    activate:\n      on-profile: «prod|dev»\nserver:\n  port: «80|81»"),
    ("application.yml", "spring:\n  profiles: prod\nserver:\n  port: 80\n",
     "spring.profiles: dev\nserver:\n  port: 81\n"),
    ("application.yml", "spring.config.activate.on-profile: prod\nport: 80\n", "port: 81\nhost: a\n"),
    ("a.yaml", "name: a\nport: 80\n", "x: 1\n---\nname: b\nport: 81\n"),
    ("a.yaml", "name: a\nport: 80\n", "  cut: {\n---\nname: b\nport: 81\n"),
    ("package.json", '{\n  "name": "shop",\n  "version": "3.2.1",',
     '"volta": {\n    "node": "20.11.0",\n    "version": "9.9.9"\n  }\n}'),
    ("package.json", '"version": "3.2.1",', '  "templateOSS": {\n    "version": "4.29.0"\n  }\n}\n'),
    ("package.json", '"version": "3.2.1",', '    "version": "4.29.0",\n    "publish": true\n  },'),
    ("package.json", '"version": "3.2.1",', '"version": "4.29.0"\n  }\n}'),
    ("package.json", '"version": "3.2.1",', '"node": "20.1.0",\n    "version": "4.29.0"'),
    ("package.json", '"version": "3.2.1",', '    "version": "4.29.0",\n'),
    ("Dockerfile", "FROM node:20-alpine\nENV PORT=3000\nRUN npm ci", "FROM python:3.11-slim\nENV PORT=8000\nRUN pip"),
    ("Dockerfile", "FROM golang:1.21\nRUN make", "FROM golang:1.20-alpine\nCOPY --from=0 /a /a"),
    ("Dockerfile", "FROM golang:1.21\nENV A=1\n", "FROM golang:1.21\nENV A=2\ncopy --chown=a --from=1 /a /a\n"),
    ("Dockerfile", "FROM« node:18 AS|» base\nENV A=«1|2»\n"),
    ("Dockerfile", "FROM ${REG}/a:1 AS web\nENV A=1\n", "FROM b:${V} AS api\nENV A=2\n"),
    ("a.toml", '[servers.tls]\nport = 1\n[[servers]]\nhost = "a"\n', '[servers.tls]\nport = 2\n'),
    ("a.toml", '[servers.tls]\nport = 1\n', '[servers.tls]\nport = 2\n[[servers]]\nhost = "a"\n'),
    ("pyproject.toml", 'dev = ["pytest==8.0.0", "ruff==0.2.1"]', 'docs = ["pytest==7.4.4"]'),
    ("a.json", '  {\n    "port": «80|81»\n  },\n'), ("a.json", '  {\n    "port": «80|81»\n  }\n'),
    ("a.json", '\t{"port": «80|81»}'),
    ("a.py", "def parse(x: int, base: int = 10) -> int: ...\n@overload",
     "def parse(x: str, base: int = 16) -> str: ...\n"),
    ("a.py", 'def f(x=1) -> int:\n    """Do."""\n    ...\n', "def f(x=2) -> str: ...\n"),
    ("a.pyi", "def f(x: int) -> int: ...\n@overload\ndef f(x: float) -> float: ...\n@overload",
     "def f(x: str) -> str: ...\n"),
    ("a.py", "@staticmethod\ndef make(port=«1|2»):\n    return port"),
    ("a.yaml", "&«a|b»\n    name: «x|y»\n    attr: «schema|revision»"),
    ("a.py", "FAST = True\nexcept ImportError:", "FAST = False\n"), ("a.py", "POOL = 2\nelse:", "POOL = 8\n"),
    ("a.py", "POOL = 2\nelif WINDOWS:", "POOL = 8\n"),
    ("values.yaml", "port: 80\n{{- else }}\nport: 81", "port: 82\na: 1\n"),
    ("values.yaml", "port: 80\n{{- else }}\nport: 81\n", "port: 80\n"),
    ("values.yaml", "a: 1\nport: 80\n{{- end }}\n", "port: 81\nb: 1\n"),
    ("values.yaml", "{{- with .Values.x }}\nport: 80\nhost: a\n", "port: 81\nhost: b\n"),
    ("values.yaml", "  {{- range $i := .Values.x }}\nport: 80\n{%- endif %}\nport: 3\n", "port: 81\nhost: b\n"),
    ("compose.yml", "services:\n  «a|b»:\n    environment:\n      - P=«1|2»\n"),
    ("a.properties", "Timeout=1\n", "timeout=2\n"), ("a.properties", "server.port=1\n", "management.server.port=2\n"),
    ("a.properties", "# a=1\n", "a=2\n"), ("a.properties", "a=1,\\\n  2\n", "a=2\n"),
    ("a.properties", "users.max=10\n", "user.max=20\n"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "one", "other"), sides(APART))
def test_two_true_pieces_never_touch(path: str, one: str, other: str) -> None:
    assert not supersedes(keys(one, path), keys(other, path))
    assert not supersedes(keys(other, path), keys(one, path))


@pytest.mark.parametrize("path", PATHS)
def test_two_files_never_touch(path: str) -> None:
    text = next((t for p, t, _ in WHOLE if p.rsplit(".")[-1] == path.rsplit(".")[-1]), "A=1")
    found = [{k for k, _ in keys(text, p)} for p in (path, f"b/{path}", f"a b/{path}", f"a%20b/{path}", f"a'b/{path}")]
    assert all(found[n].isdisjoint(other) for n in range(5) for other in found[n + 1 :])


# One place holds one value, whatever its name; pieces and whole files alike
SAME: list[tuple[str, ...]] = [
    ("docker-compose.yml", "services:\n  db:\n    image: «postgres:14|mysql:8»\n"),
    ("docker-compose.yml", "services:\n  a:\n    image: nginx:«1.24|1.25»\n  b:\n    image: nginx:1.20\n"),
    ("ci.yml", "jobs:\n  t:\n    steps:\n      - name: Set up\n        uses: «a|b»/setup@«v1|v2»\n"),
    ("ci.yml", "jobs:\n  t:\n    steps:\n      - uses: a/setup@v1\n        with:\n          python: '«3.9|3.12»'\n"),
    ("Dockerfile", "FROM python:3.9 AS build", "FROM --platform=linux/amd64 node:20 as Build"),
    ("Dockerfile", "FROM python«:3.9|» AS build"), ("k8s.yaml", "metadata:\n  name: a\ndata:\n  L: «x|y»\n"),
    ("a.yaml", "data:\n  path: «x|y»\nmodel:\n  lr: 1\n"),
    ("application.yml", "spring:\n  profiles:\n    active: dev\nport: 1\n", "port: 2\na: 1\n"),
    ("a.yaml", "{\n  a: 1,\n  b: 2\n}\n", "a: 2\nb: 2\n"), ("a.json", '« |»{\n  "a": «1|2»\n}\n'),
    ("Dockerfile", "FROM node:«20|21»\nENV P=«1|2»\n"), ("Dockerfile", "FROM x:«1|${V}»\n"),
    ("Dockerfile", "ENV A=1\n", "env A=2\n"), ("Dockerfile", "FROM x:1\n", "from x:2\n"),
    ("a.toml", "[tool.ruff]\nlint.select=['E']\n", "[tool.ruff.lint]\nselect = ['F']\n"),
    ("a.yml", "a: 0\nb: {c: 1}\n", "a: 0\nb:\n  c: 2\n"), ("a.pyi", "import x\ndef f(x: int = «1|2») -> int: ...\n"),
    ("values.yaml", "a: 0\nport: 80\n# {{- if .x }}\nhost: a\n# {{- end }}\n", "port: 81\nb: 1\n"),
    (".env", "A=\n", "A=1\n"), (".env", "A=1\n", "A=\n"), (".env", "A=''\n", "A=1\n"),
    ("a.properties", "server.port«=8080| = 9090»\n"), ("a.properties", "a\\:b=1\n", "a\\:b = 2\n"),
    ("a.properties", "greeting=«Hello|Hi» World"), ("a.properties", "a.b=«|1»\n"),
    ("config.yaml", "data:\n  path: «a.csv|b.csv»\n  size: 3\n"),
    ("params.yaml", "parameters:\n  lr: «0.01|0.001»\n  epochs: 10\n"),
    ("application.yml", "logging:\n  level: «INFO|WARN»\n"), (".env", "A=1\n{{ if .x }}B=1{{ end }}\nC=«1|2»\n"),
    (".env", "A=1\n# {{ if you want this, uncomment }}\nC=«1|2»\n"),
    ("a.ini", "[s]\na=1\n{{ block.super }}\nb=«1|2»\n"), ("a.py", "T = '''\n{% for a in b %}\n'''\nTIMEOUT = «3|4»\n"),
    ("a.py", "class A(ABC):\n    @abstractmethod\n    def f(self, t: int = «30|60») -> int: ...\n"),
    ("Dockerfile", "FROM python:«3.11|3.12»\nENV PORT=«1|2»\n"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "old", "new"), sides(SAME))
def test_an_update_is_found_between_pieces(path: str, old: str, new: str) -> None:
    assert supersedes(keys(old, path), keys(new, path))


def test_a_document_behind_the_start_of_its_file_has_no_place_of_its_own() -> None:
    text = "---\nname: b\nport: 81\n"
    assert places(text, "a.yaml") == {"name": "b", "port": "81"}, "many files begin so"
    assert places(text, "a.yaml", start_index=0) == {"name": "b", "port": "81"}
    assert places(text, "a.yaml", start_index=18) == {}
    assert places("# Licence\n" + text, "a.yaml") == {"name": "b", "port": "81"}


@pytest.mark.parametrize(("path", "text"), [
    ("values.yaml", "image:\n  tag: 1.25."), ("compose.yml", "services:\n  db:\n    image: postgres:15."),
    ("compose.yml", "services:\n  web:\n    command:\n      - gunicorn"),
    (".github/workflows/ci.yml", 'matrix:\n  python:\n    - "3.9"\n    - "3.10"'), (".env", "HOST=db."),
    ("app.ini", "[a]\nx = 1.2."), ("tox.ini", "[tox]\nenvlist =\n    py38\n    py39"),
    ("requirements.txt", "numpy>=1.26,"), ("app.py", "X = 3."),
])  # fmt: skip
def test_a_value_that_a_splitter_may_have_cut_has_no_key(path: str, text: str) -> None:
    """In a text that ends with its line it has one, as has what stands above it."""
    assert places(text, path) == {}
    assert len(places(f"{text.rstrip('.,')}\n", path)) == 1


def test_the_edges_of_a_cut_piece_are_left_out() -> None:
    """Where the text between them can be told; of a piece in doubt there are no keys, and it stays as prose."""
    assert places("image:\n  tag: 1\nb:\n  c: 1.25.", "values.yaml") == {"image.tag": "1"}
    assert places("[tox]\nx = 1\nenvlist =\n    py38", "tox.ini") == {"tox:x": "1"}
    for path, text in (
        ("a.py", "    return x\n\nTIMEOUT = 30\n\ndef f(a,"),
        ("package.json", '"b": 1 },\n "dependencies": {\n  "x": "^1", "y"'),
        ("a.json", '{\n  "a": {"b": 1},\n  "c": 12'),
        ("a.yml", "x: 1\n    y: 2\nroot:\n  z: 3"),
        ("a.yml", textwrap.indent("a:\n  b: 1\nc: 2\n", "  ")),
        ("a.toml", "ports = [\n  80,\n[http]\nport = 80\n"),
        ("a.toml", 'q = 1\n"""\n[http]\nport = 80\n'),  # inside of the string, or behind it?
    ):
        assert read(text, path) == Extraction((), True), (path, text)


def test_a_stage_of_a_dockerfile_has_variables_of_its_own() -> None:
    old = "FROM node:18 AS web\nENV PORT=3000\nFROM python:3.11 AS api\nENV PORT=8000\n"
    assert places(old, "Dockerfile")["ENV@web:PORT"] == "3000"
    assert supersedes(keys(old, "Dockerfile"), keys(old.replace("3000", "3001"), "Dockerfile"))
    assert places("ENV PORT=3000", "Dockerfile") == {"ENV:PORT": "3000"}
    assert places("PORT=3000", "Dockerfile", section="ENV@web") == {"ENV@web:PORT": "3000"}
    assert places("FROM a:1\nFROM b:2\nFROM a:1\n", "Dockerfile") == {"FROM:a": "1", "FROM:b": "2"}


def test_an_implementation_keeps_its_keys_when_it_gains_variants() -> None:
    variants = "@overload\ndef f(a: int, b: int = 1) -> int: ...\n@overload\ndef f(a: str, b: int = 1) -> str: ...\n"
    assert places(variants + "def f(a, b=1):\n    return a\n", "a.py") == {"f:b": "1"}
    assert places("def f(a, b=1):\n    return a\ndef f(a, b=2):\n    return a\n", "a.py") == {}


def test_the_profiles_of_properties_are_told_apart() -> None:
    first = keys("server.port=8080\n", "application.properties")
    assert not supersedes(first, keys("#---\nserver.port=8081\n", "application.properties"))
