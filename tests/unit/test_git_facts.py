"""Facts from the history of small repositories, and what a store makes of them."""

from __future__ import annotations

import logging
import os
import random
import subprocess
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from memstrata_integrations import default_embeddings
from memstrata_integrations.errors import InvalidInputError, MissingDependencyError
from memstrata_integrations.extraction import GrammarExtractor
from memstrata_integrations.extraction.sources import read_source
from memstrata_integrations.git.facts import GitFact, git_facts, record_git_facts

DAY = timedelta(days=1)
START = datetime(2024, 1, 1, tzinfo=timezone.utc)


class Repository:
    """A repository whose n-th commit is of the n-th day."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.git("init", "-q", "-b", "main")
        self.days = 0

    def git(self, *arguments: str, at: datetime | None = None) -> str:
        date = (at or START).isoformat()
        environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
        environment |= {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date, "GIT_CONFIG_GLOBAL": os.devnull}
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
        command = ["git", "-C", str(self.folder), *identity, *arguments]
        return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self, at: datetime | None = None, **files: str | None) -> str:
        """Commit files by name ("__" for ".", "_S_" for "/"), `None` to delete one."""
        for key, content in files.items():
            path = self.folder / key.replace("_S_", "/").replace("__", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            if content is None:
                path.unlink()
            else:
                path.write_bytes(content.encode())
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "x", at=at or START + self.days * DAY)
        self.days += 1
        return self.git("rev-parse", "HEAD")

    def facts(self, *arguments: Any, **options: Any) -> list[GitFact]:
        return list(git_facts(self.folder, *arguments, **options))


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "shop")


def told(facts: list[GitFact]) -> list[tuple[int, str, str | None]]:
    """Return (day, name, value) of each fact."""
    return [((f.valid_from - START).days, f.subject.split("#")[1], f.object) for f in facts]


def test_values_appear_change_return_and_end(repository: Repository) -> None:
    """One fact for each change of a value; a comment or a new line elsewhere changes none."""
    repository.commit(requirements__txt="a==1\nb==1\n")
    repository.commit(requirements__txt="# note\nb==1\na==2  # up\n")
    repository.commit(requirements__txt="a==1\n")
    repository.commit(requirements__txt=None, other__md="a==7")
    assert told(repository.facts()) == [
        (0, "a", "1"), (0, "b", "1"), (1, "a", "2"), (2, "b", None), (2, "a", "1"), (3, "a", None)
    ]  # fmt: skip
    last = repository.facts()[-1]
    assert (last.ended, last.text, last.relation) == (True, "a==1", "is pinned to")


def test_each_text_alone_gives_the_key_of_the_whole_file(repository: Repository) -> None:
    """What is stored is a verbatim statement, and its metadata says what is needed to key it."""
    files = {
        "pyproject__toml": '[project]\nversion = "1"\ndependencies = [\n  "a>=1",  # c\n  "b==2"\n]\n'
        '[tool.x]\n"y z" = [\n 1\n]\n',
        "setup__cfg": "[options]\ninstall_requires =\n    a==1\n    b>=2\n[flake8]\nignore =\n    E1\n    E2\n",
        "setup__py": 'from setuptools import setup\nsetup(\n    version="1",\n    install_requires=["a==1", "b"]\n)\n',
        "package__json": '{\n\t"version": "1.0.0",\n\t"dependencies": {"a": "^1", "@b/c": "2"},\n\t"f": ["x"]\n}\n',
        "_S___github_S_ci__yml".removeprefix("_S_"): "on: push\njobs:\n  a:\n    steps:\n      - uses: 'x/y@v1' # c\n"
        "      - name: T\n        with:\n          k: v\n          l:\n            - a\n            - b\n",
        "Dockerfile": "FROM a:1 AS b\nENV A=1 B=2\nENV C 3\n",
        "__env": "A='x y'\n",
        "app_S_m__py": '"""D."""\nT = {\n    "a": 1,\n}\n\nclass A:\n    Z = (1, 2)\n\n'
        '    def f(self, a, b: int = 2, *, c="x") -> int:\n'
        "        return 1\n",
        "__python-version": "3.12\n",
    }
    repository.commit(**files)
    facts = repository.facts()
    names = {name for _, name, _ in told(facts)}
    assert names == {
        "project.version", "project.dependencies.a", "project.dependencies.b", "tool.x.y%20z",
        "options:install_requires:a", "options:install_requires:b", "flake8:ignore",
        "setup.version", "setup.install_requires.a",
        "version", "dependencies.a", "dependencies.@b/c", "f",
        "on", "jobs.a.steps.[uses=x/y].uses", "jobs.a.steps.[name=T].with.k", "jobs.a.steps.[name=T].with.l",
        "FROM:AS:b", "ENV@b:A", "ENV@b:B", "ENV@b:C", "A",
        "T", "A.Z", "A.f:b", "A.f:c", "%2Epython-version",
    }  # fmt: skip
    for fact in facts:
        found = read_source(fact.text, fact.metadata)
        assert found is not None
        assert not found.prose, fact
        assert {(f.subject, f.relation, f.object) for f in found.facts} == {(fact.subject, fact.relation, fact.object)}
        assert fact.text in files[fact.metadata["file_path"].replace(".", "__").replace("/", "_S_")]


def test_a_name_that_the_file_states_in_two_ways_ends(repository: Repository) -> None:
    """Nobody can tell which one holds, so neither the old value nor a new one does."""
    repository.commit(__env="A=1\n")
    repository.commit(__env="A=1\nA=2\n")
    repository.commit(__env="A=2\n")
    assert told(repository.facts()) == [(0, "A", "1"), (1, "A", None), (2, "A", "2")]


def test_a_moved_file_ends_one_key_and_begins_another(repository: Repository) -> None:
    """The path belongs to the key."""
    repository.commit(a__env="A=1\n")
    repository.commit(a__env=None, b_S_a__env="A=1\n")
    assert [(f.metadata["file_path"], f.ended) for f in repository.facts()] == [
        ("a.env", False), ("a.env", True), ("b/a.env", False)
    ]  # fmt: skip


def test_a_merge_counts_when_it_reaches_the_mainline(repository: Repository) -> None:
    """Work on a branch is dated by the merge; the branch's own commits are not seen."""
    repository.commit(__env="A=1\n")
    repository.git("checkout", "-q", "-b", "side")
    repository.commit(__env="A=2\n")
    repository.commit(__env="A=3\n")
    repository.git("checkout", "-q", "main")
    repository.commit(b__env="B=1\n")
    repository.git("merge", "-q", "--no-ff", "-m", "m", "side", at=START + 9 * DAY)
    assert told(repository.facts()) == [(0, "A", "1"), (3, "B", "1"), (9, "A", "3")]
    assert told(repository.facts(rev="side")) == [(0, "A", "1"), (1, "A", "2"), (2, "A", "3")]


def test_dates_never_run_backwards(repository: Repository) -> None:
    """A commit that claims an earlier date counts as of the one before it."""
    repository.commit(at=START + 5 * DAY, __env="A=1\n")
    repository.commit(at=START + 2 * DAY, __env="A=2\n")
    repository.commit(at=START + 7 * DAY, __env="A=3\n")
    assert told(repository.facts()) == [(5, "A", "1"), (5, "A", "2"), (7, "A", "3")]


def test_since_and_until_bound_the_history(repository: Repository) -> None:
    """What stood at the beginning comes with its own date, what had ended by then does not come."""
    repository.commit(__env="A=1\nB=1\n")
    repository.commit(__env="A=2\n")
    repository.commit(__env="A=3\nC=1\n")
    repository.commit(__env="A=4\n")
    assert told(repository.facts(since=START + 2 * DAY, until=START + 2 * DAY)) == [
        (1, "A", "2"), (2, "A", "3"), (2, "C", "1")
    ]  # fmt: skip
    assert told(repository.facts(since=START + 90 * DAY)) == [(3, "A", "4")]


def test_paths_are_names_or_patterns(repository: Repository) -> None:
    """A star stays within a folder, two cross folders; vendored folders count only if they are asked for."""
    repository.commit(a__env="A=1", b_S_a__env="A=1", b_S_c_S_a__env="A=1", node_modules_S_a__env="A=1", b_S_n__md="x")

    def paths(*given: Any) -> list[str]:
        return sorted({f.metadata["file_path"] for f in repository.facts(*given)})

    assert paths() == ["a.env", "b/a.env", "b/c/a.env"]
    assert paths("a.env") == ["a.env"]
    assert paths(["b/*", "*.md"]) == ["b/a.env"]
    assert paths(["**/a.env"]) == ["a.env", "b/a.env", "b/c/a.env", "node_modules/a.env"]
    with pytest.raises(InvalidInputError, match="paths is empty"):
        paths([])


def test_paths_may_be_absolute_or_begin_with_a_slash_or_a_dot(
    repository: Repository, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Of the repository, however it is named; what lies elsewhere is refused."""
    repository.commit(a__env="A=1", b_S_a__env="A=1")
    link = tmp_path / "link"
    link.symlink_to(repository.folder)

    def paths(given: Any, folder: Path = repository.folder) -> list[str]:
        return sorted({f.metadata["file_path"] for f in git_facts(folder, given)})

    with caplog.at_level(logging.WARNING, "memstrata_integrations"):
        for given in ("/b/a.env", "./b/a.env", ".//b/./a.env", "b/../b/a.env", repository.folder / "b" / "a.env"):
            assert paths([given]) == ["b/a.env"], given
        assert paths(str(link / "b" / "*")) == ["b/a.env"]
        assert paths([link / "a.env"], link) == ["a.env"]
        assert paths([repository.folder / "a.env"], link / "b") == ["a.env"]
        assert paths(str(repository.folder / "**/a.env")) == ["a.env", "b/a.env"]
        assert paths("/**/a.env") == ["a.env", "b/a.env"]
    assert caplog.messages == []
    (tmp_path / "other.env").write_text("A=1")
    for given in (tmp_path / "other.env", "../other.env", repository.folder):
        with pytest.raises(InvalidInputError, match=r"lies outside|names the repository itself"):
            git_facts(repository.folder, [given])


def test_a_worktree_bears_the_name_of_its_main_checkout(repository: Repository, tmp_path: Path) -> None:
    """So that both tell of one source; a bare repository goes by its folder's name, as do its worktrees."""
    repository.commit(a__env="A=1")
    repository.git("worktree", "add", "-q", str(tmp_path / "elsewhere"), "-b", "side")
    bare = tmp_path / "bare.git"
    repository.git("clone", "-q", "--bare", str(repository.folder), str(bare))
    for arguments in (("remote", "remove", "origin"), ("worktree", "add", "-q", str(tmp_path / "third"), "main")):
        subprocess.run(["git", "-C", str(bare), *arguments], check=True, capture_output=True)
    named = {folder: [f.metadata["source"] for f in git_facts(tmp_path / folder)] for folder in
             ("shop", "elsewhere", "bare.git", "third")}  # fmt: skip
    assert named == {"shop": ["shop"], "elsewhere": ["shop"], "bare.git": ["bare.git"], "third": ["bare.git"]}


def test_a_path_that_never_existed_is_said(repository: Repository, caplog: pytest.LogCaptureFixture) -> None:
    """Once the history is read, with the paths it knows; as is one of a kind that nobody reads."""
    repository.commit(requirements__txt="a==1\n", b_S_requirements__txt="a==1\n", notes__md="x")
    repository.commit(requirements__txt=None, late__env="A=1\n")
    with caplog.at_level(logging.WARNING, "memstrata_integrations"):
        assert len(repository.facts(["requirements.txt", "b/*", "*.env"])) == 4
        assert caplog.messages == []
        assert told(repository.facts("requirement.txt")) == []
        assert told(repository.facts(["notes.md", "*.yml"])) == []
        assert told(repository.facts("late.env", until=START)) == []
    typo, notes, pattern, late = caplog.messages
    assert "'requirement.txt' names no file" in typo
    assert "'requirements.txt'" in typo
    assert "'notes.md' is of no kind that is read" in notes
    assert "'*.yml' names no file" in pattern
    assert "until then" in late


def test_a_second_use_ends_neither(repository: Repository) -> None:
    """Another service, and another job, are other places."""
    compose = "services:\n  web:\n    image: nginx:1.24\n"
    job = "  {}:\n    steps:\n      - uses: actions/checkout@{}\n"
    repository.commit(docker__yml=compose, ci__yml="jobs:\n" + job.format("lint", "v3"))
    repository.commit(
        docker__yml=compose + "  api:\n    image: nginx:1.20\n",
        ci__yml="jobs:\n" + job.format("lint", "v3") + job.format("test", "v4"),
    )
    assert sorted(told(repository.facts())) == [
        (0, "jobs.lint.steps.[uses=actions/checkout].uses", "actions/checkout@v3"),
        (0, "services.web.image", "nginx:1.24"),
        (1, "jobs.test.steps.[uses=actions/checkout].uses", "actions/checkout@v4"),
        (1, "services.api.image", "nginx:1.20"),
    ]


def test_odd_names_and_contents_are_read(repository: Repository) -> None:
    """Quotes, new lines and other scripts in paths; marks and line ends of other systems; binaries and links."""
    odd = 'ö "q"\t\'s/x\ny.env'
    path = repository.folder / odd
    path.parent.mkdir()
    path.write_bytes("\ufeffA=1\r\nB=2\r\n".encode())
    (repository.folder / "bin.env").write_bytes(b"A=1\n\x00")
    (repository.folder / "ö.env").write_text("Ä=0\nC=3\n")
    (repository.folder / "link.env").symlink_to("bin.env")
    repository.commit()
    assert {(f.metadata["file_path"], f.object) for f in repository.facts()} == {("ö.env", "3")}
    assert told(repository.facts(["ö*/*"])) == []  # a path with a line break is no path in metadata
    path.rename(path.parent / "y.env")
    repository.commit()
    assert told(repository.facts(["ö*/*"])) == [(1, "A", "1"), (1, "B", "2")]


def test_a_bare_clone_says_the_same(repository: Repository, tmp_path: Path) -> None:
    """And its origin names it, without the password in its address."""
    repository.commit(__env="A=1\n")
    repository.commit(__env="A=2\n")
    bare = tmp_path / "bare.git"
    repository.git("clone", "-q", "--bare", str(repository.folder), str(bare))
    subprocess.run(["git", "-C", str(bare), "config", "remote.origin.url", "https://u:pw@h.org/s.git"], check=True)
    found = list(git_facts(bare))
    assert told(found) == told(repository.facts())
    assert {f.metadata["source"] for f in found} == {"https://h.org/s.git"}
    assert {f.metadata["source"] for f in repository.facts()} == {"shop"}
    assert {f.metadata["source"] for f in repository.facts(source="mine")} == {"mine"}


def test_a_shallow_clone_warns(repository: Repository, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Its oldest dates are those of the cut."""
    repository.commit(__env="A=1\n")
    repository.commit(b__env="B=1\n")
    shallow = tmp_path / "shallow"
    repository.git("clone", "-q", "--depth=1", repository.folder.as_uri(), str(shallow))
    with caplog.at_level(logging.WARNING, "memstrata_integrations"):
        found = list(git_facts(shallow))
    assert told(found) == [(1, "A", "1"), (1, "B", "1")]
    assert "shallow" in caplog.text


def test_what_is_wrong_is_said_at_the_call(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No repository, no commit, no such commit, no git: before anything is iterated."""
    with pytest.raises(InvalidInputError, match="is no folder"):
        git_facts(tmp_path / "missing")
    (tmp_path / "plain").mkdir()
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    with pytest.raises(InvalidInputError, match="is no git repository"):
        git_facts(tmp_path / "plain")
    with pytest.raises(InvalidInputError, match="rev='HEAD' names no commit"):
        git_facts(repository.folder)
    repository.commit(__env="A=1\n")
    for rev in ("nowhere", "--all", ""):
        with pytest.raises(InvalidInputError, match="names no commit"):
            git_facts(repository.folder, rev=rev)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingDependencyError, match="git is needed"):
        git_facts(repository.folder)


def test_git_variables_of_the_surroundings_play_no_part(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hook of another repository may call."""
    repository.commit(__env="A=1\n")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    assert told(repository.facts()) == [(0, "A", "1")]


def test_an_iteration_that_is_given_up_leaves_no_process(repository: Repository) -> None:
    """Closing the generator ends git."""
    for n in range(30):
        repository.commit(__env=f"A={n}\n")
    facts = git_facts(repository.folder)
    next(facts)
    facts.close()  # type: ignore[attr-defined]
    with pytest.raises(StopIteration):
        next(facts)


@pytest.mark.parametrize("line_break", ["\n", ""])
@pytest.mark.parametrize(
    ("path", "above", "before", "after"),
    [
        (".env", "", "API_URL=http://a/v1", "API_URL=http://a/v2/"),
        (".env", "", "KEY=c2VjcmV0Cg==", "KEY=b3RoZXI="),
        (".env", "B=1\n", "HOSTS=*", "HOSTS=a.b."),
        (".env", "", "export A=a:", "export A=b,"),
        ("requirements.txt", "q==1\n", "pytest==5.*", "pytest==6.*"),
        ("requirements.txt", "", "p>=1,!=2.*", "p>=1,!=3.*"),
        (".python-version", "", "3.", "3.1+"),
        ("a.yml", "b: 1\n", "a: x/", "a: y/"),
        ("a.ini", "[s]\n", "a = x/", "a = y="),
        ("Dockerfile", "FROM a:1\n", "ENV P=/x/", "ENV P=/y/"),
        ("Dockerfile", "", "FROM a:1", "FROM a:2."),
    ],
)
def test_values_that_end_in_a_mark_are_whole(
    repository: Repository, store: Any, path: str, above: str, before: str, after: str, line_break: str
) -> None:
    """What git_facts hands over was cut by nobody; each text alone still gives its key, and is superseded."""
    for text in (before, after):
        (repository.folder / path).write_text(above + text + line_break)
        repository.commit()
    record_git_facts(store, repository.facts())
    stated = {text.rstrip("\n") for text in served(store)}
    assert stated - set(above.split("\n")) == {after}
    assert store.verify() == []


_CONFLICT = "<<<<<<< HEAD\n{}=======\n{}>>>>>>> side\n"


@pytest.mark.parametrize(
    ("path", "versions"),
    [
        ("package.json", ['{"a": "1", "b": "1"}', '{"a": "2",, "b": "2"}', '{"a": "3", "b": "1"}']),
        ("package.json", [
            '{\n"a": "1",\n"b": "1"\n}\n',
            '{\n"a": "2",\n' + _CONFLICT.format('"b": "2"\n', '"b": "3"\n') + "}\n",
            '{\n"a": "3",\n"b": "1"\n}\n',
        ]),
        ("a.yml", ["a: 1\nb: 1\n", "a: 2\nb: [2\n", "a: 3\nb: 1\n"]),
        ("a.toml", ["a = 1\nb = 1\n", "a = 2\nb = [2\n", "a = 3\nb = 1\n"]),
        ("a.py", ["A = 1\nB = 1\n", "A = 2\nB = (2\n", "A = 3\nB = 1\n"]),
        (".env", ["a=1\nb=1\n", _CONFLICT.format("a=2\n", ""), "a=3\nb=1\n"]),
        ("a.ini", ["[s]\na=1\nb=1\n", "[s]\n" + _CONFLICT.format("", "a=2\n"), "[s]\na=3\nb=1\n"]),
        ("a.toml", ["a = 1\nb = 1\n", "a = 2\0\n", "a = 3\nb = 1\n"]),
    ],
)  # fmt: skip
def test_a_version_that_cannot_be_read_ends_nothing(
    repository: Repository, caplog: pytest.LogCaptureFixture, path: str, versions: list[str]
) -> None:
    """What it states is unknown until it can be read again; a file that is removed ends its keys, broken or not."""
    shas = []
    for text in versions[:2]:
        (repository.folder / path).write_text(text)
        shas.append(repository.commit())
    (repository.folder / path).write_text(versions[1] + "\n")
    repository.commit()
    with caplog.at_level(logging.WARNING, "memstrata_integrations"):
        assert [(day, value) for day, _, value in told(repository.facts())] == [(0, "1"), (0, "1")]
    [said] = caplog.messages
    assert shas[1][:12] in said
    assert path in said
    (repository.folder / path).unlink()
    repository.commit()
    assert [(day, value) for day, _, value in told(repository.facts())][2:] == [(3, None), (3, None)]
    (repository.folder / path).write_text(versions[1])
    repository.commit()
    (repository.folder / path).write_text(versions[2])
    repository.commit()
    assert sorted((day, value) for day, _, value in told(repository.facts()) if day > 4) == [(5, "1"), (5, "3")]


def test_a_file_of_which_nothing_can_be_read_any_more_keeps_what_it_stated(repository: Repository) -> None:
    """Python 2 states nothing that we can read: neither its values change, nor do they end, until it can be read."""
    old = "A = {}\n\n\ndef f():\n    print 'x', A\n"
    repository.commit(a__py="A = 1\n")
    for n in range(2, 8):
        repository.commit(a__py=old.format(n))
    repository.commit(a__py="A = 9\n")
    assert told(repository.facts()) == [(0, "A", "1"), (7, "A", "9")]


def test_comments_break_no_json(repository: Repository) -> None:
    """Nor does a comma behind the last entry."""
    repository.commit(tsconfig__json='{\n  // "c"\n  "a": "//1",\n  "b": 1\n}\n')
    repository.commit(tsconfig__json='{\n  "a": "//2", // d\n}\n')
    assert told(repository.facts())[:2] == [(0, "a", "//1"), (0, "b", "1")]
    assert (1, "b", None) in told(repository.facts())


# -- in a store -----------------------------------------------------------------------------------


@pytest.fixture
def store() -> Any:
    chromadb = pytest.importorskip("chromadb")
    langchain = pytest.importorskip("memstrata_integrations.langchain")
    client = chromadb.EphemeralClient()
    made = langchain.TemporalVectorStore(
        "git-facts", default_embeddings(prefer="lexical"), client=client, extractor=GrammarExtractor()
    )
    yield made
    made.delete_collection()


def served(store: Any, **options: Any) -> list[str]:
    return sorted(d.page_content for d in store.similarity_search("a b version", k=20, **options))


@pytest.mark.parametrize("batch_size", [1, 2, 256])
def test_a_store_serves_each_day_what_stood_then(repository: Repository, store: Any, batch_size: int) -> None:
    """Now and at every past date; endings leave a gap, and another path is not touched."""
    repository.commit(requirements__txt="a==1\nb==1\n", b_S_requirements__txt="a==9\n")
    repository.commit(requirements__txt="a>=2\nb==1\n")
    repository.commit(requirements__txt="b==1\n")
    repository.commit(requirements__txt="a==1\nb==1\n")
    repository.commit(requirements__txt=None)
    summary = record_git_facts(store, repository.facts(), batch_size=batch_size)
    assert (summary.asserted, summary.ended) == (5, 3)
    for day, texts in enumerate(
        [["a==1", "a==9", "b==1"], ["a==9", "a>=2", "b==1"], ["a==9", "b==1"], ["a==1", "a==9", "b==1"], ["a==9"]]
    ):
        assert served(store, as_of=START + (day + 0.5) * DAY) == texts
    assert served(store) == ["a==9"]
    assert store.verify() == []


def test_other_words_for_a_value_take_the_place_of_the_former(repository: Repository, store: Any) -> None:
    """A hash, a comment: what is served stands in the file, once; a comma behind an entry is no word of it."""
    package = '{{\n  "name": "x",\n  "v": "1"{}\n}}\n'
    wordings = ["q==1 --hash=sha256:aa", "q==1 --hash=sha256:bb", "q==1  # via c", "q==2  # via c"]
    for n, text in enumerate(wordings):
        repository.commit(requirements__txt=text + "\nb==1\n", package__json=package.format(',\n  "w": "1"' * (n > 0)))
    facts = repository.facts()
    assert [(f.text, f.restated, f.ended) for f in facts if f.subject.endswith("#q")] == [
        (wordings[0], False, False), (wordings[1], True, False), (wordings[2], True, False), (wordings[3], False, False)
    ]  # fmt: skip
    assert sum(f.restated for f in facts) == 2
    assert repository.facts("r*", since=START + 2 * DAY) == [f for f in facts if f.metadata["file_path"][0] == "r"]
    for _ in range(2):
        record_git_facts(store, repository.facts("r*"))
        for day, text in enumerate(wordings):
            assert served(store, as_of=START + (day + 0.5) * DAY) == ["b==1", text]
        assert served(store) == ["b==1", wordings[3]]
    assert len(store.get(include_superseded=True)["ids"]) == 5
    found = store.history("requirements.txt#q")
    assert [e.status for e in found] == ["superseded", "superseded", "superseded", "current"]
    assert store.verify() == []


def test_an_ending_asks_for_its_key_alone(repository: Repository, store: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of facts with a section: nothing looks at every row of the store."""
    toml, yaml = "[t]\na = 1\nb = 1\n", "s:\n  a: 1\n  b: 1\n"
    repository.commit(c__toml=toml, c__yml=yaml, c__ini=toml, c__env="a=1\nb=1\n", c__py="A = 1\nB = 1\n")
    repository.commit(
        c__toml="[t]\nb = 1\n", c__yml="s:\n  b: 1\n", c__ini="[t]\nb = 1\n", c__env="b=1\n", c__py="B = 1\n"
    )
    facts = repository.facts()
    assert sum(f.ended for f in facts) == 5

    def every_row(*_: Any) -> Any:
        raise AssertionError("a retraction looks at every row")

    monkeypatch.setattr("memstrata_integrations.chroma.finding.rows_and_metadata", every_row)
    record_git_facts(store, facts)
    assert served(store) == sorted(["b = 1", "b = 1", "b: 1", "b=1", "B = 1"])


def test_two_repositories_share_a_store(tmp_path: Path, store: Any) -> None:
    """The same path in two repositories is two files, also when one of them ends."""
    one, two = Repository(tmp_path / "one"), Repository(tmp_path / "two")
    one.commit(__env="A=1\n")
    two.commit(__env="A=2\n")
    two.commit(__env="B=1\n")
    record_git_facts(store, [*one.facts(), *two.facts()])
    assert served(store) == ["A=1", "B=1"]


def test_a_scope_is_stored_with_every_text(repository: Repository) -> None:
    """And named when a fact ends."""
    chromadb = pytest.importorskip("chromadb")
    collection = pytest.importorskip("memstrata_integrations.chroma.collection").TemporalCollection
    client = chromadb.EphemeralClient()

    class Words(chromadb.EmbeddingFunction[Any]):  # type: ignore[misc]
        def __init__(self) -> None:
            self.lexical = default_embeddings(prefer="lexical")

        def __call__(self, input: Any) -> Any:
            return self.lexical.embed_documents(list(input))

    raw = client.create_collection("git-facts-scope", embedding_function=Words())
    wrapped = collection(raw, extractor=GrammarExtractor(), scope=("team",))
    repository.commit(__env="A=1\nB=2\n")
    repository.commit(__env="B=2\n")
    record_git_facts(wrapped, repository.facts(), scope={"team": "x"})
    assert wrapped.get(where={"team": "x"})["documents"] == ["B=2"]
    client.delete_collection("git-facts-scope")


def test_a_store_without_time_is_refused() -> None:
    """Before the first fact is read."""
    with pytest.raises(InvalidInputError, match="takes no dated texts"):
        record_git_facts(object(), iter([]))
    with pytest.raises(InvalidInputError, match="batch_size=0"):
        record_git_facts(object(), iter([]), batch_size=0)


# -- commits of one instant ------------------------------------------------------------------------


MAY, JUNE = datetime(2024, 5, 1, tzinfo=timezone.utc), datetime(2024, 6, 1, tzinfo=timezone.utc)
MICROSECOND = timedelta(microseconds=1)


@pytest.mark.parametrize("batch_size", [1, 2, 256])
def test_of_commits_of_one_second_the_last_one_counts(repository: Repository, store: Any, batch_size: int) -> None:
    """A rebase dates all its commits alike; they stay in order, a microsecond apart."""
    for n in range(3):
        repository.commit(MAY, a__yml=f"p: {n}\n")
    record_git_facts(store, repository.facts(), batch_size=batch_size)
    assert served(store) == ["p: 2"]
    assert [f.valid_from - MAY for f in repository.facts()] == [n * MICROSECOND for n in range(3)]
    repository.commit(JUNE, a__yml="p: 9\n")
    record_git_facts(store, repository.facts(), batch_size=batch_size)
    assert served(store) == ["p: 9"]
    assert served(store, as_of=MAY + DAY) == ["p: 2"]
    assert len(store.get(include_superseded=True)["ids"]) == 4
    assert store.verify() == []


def test_endings_of_one_second_stay_in_order(repository: Repository, store: Any) -> None:
    """Changed and removed, removed and added again, twice."""
    for p in ("p: 1\n", "p: 2\n", None, "p: 2\n", None, "p: 2\n", None, "p: 2\n"):
        repository.commit(MAY, a__yml=p, b__yml=f"q: {p}")
    record_git_facts(store, repository.facts("a.yml"))
    assert served(store) == ["p: 2"]
    repository.commit(MAY, a__yml=None)
    for _ in range(2):
        record_git_facts(store, repository.facts("a.yml"))
        assert served(store) == []
    assert served(store, as_of=MAY + DAY) == []
    assert store.verify() == []


def test_the_time_of_a_commit_does_not_depend_on_what_is_read(repository: Repository) -> None:
    """Neither on other paths, nor on the bounds, nor on commits to come."""
    repository.commit(MAY, a__yml="p: 1\n")
    repository.commit(MAY, b__yml="q: 1\n")
    repository.commit(MAY, a__yml="p: 2\n")
    whole = repository.facts()
    repository.commit(MAY, a__yml="p: 3\n")
    assert repository.facts()[:3] == whole
    assert repository.facts("a.yml")[:2] == [f for f in whole if f.metadata["file_path"] == "a.yml"]
    assert repository.facts(until=MAY) == repository.facts()  # until the end of that second
    assert repository.facts(since=MAY) == repository.facts()
    assert repository.facts(since=MAY + MICROSECOND)[0] == whole[0]
    assert repository.facts(until=MAY - MICROSECOND) == []


def test_a_commit_dated_far_ahead_is_named(repository: Repository, caplog: pytest.LogCaptureFixture) -> None:
    """It takes all later ones with it; a clock that is an hour off is not worth a word."""
    repository.commit(MAY, a__yml="p: 1\n")
    repository.commit(MAY - timedelta(hours=1), a__yml="p: 2\n")
    with caplog.at_level(logging.WARNING, "memstrata_integrations"):
        repository.facts()
        assert caplog.messages == []
        ahead = repository.commit(datetime(2095, 1, 1, tzinfo=timezone.utc), a__yml="p: 3\n")
        for n in range(2):
            repository.commit(JUNE, b__yml=f"q: {n}\n")
        repository.facts()
    [told_] = caplog.messages
    assert ahead[:12] in told_
    assert "2095-01-01" in told_
    assert "2 later commits" in told_


class _Story:
    """A random history with ties and backward dates, and by the plainest of models what stood from when on."""

    def __init__(self, repository: Repository, rng: random.Random) -> None:
        self.repository, self.rng = repository, rng
        self.files: dict[str, dict[str, str]] = {"a.yml": {}, "c.env": {}}
        self.latest = START
        self.states: list[tuple[datetime, list[str]]] = []

    def go_on(self, commits: int) -> None:
        for _ in range(commits):
            latest = self.latest
            at = self.rng.choice([latest, latest, latest - 3 * DAY, latest + DAY])
            path = self.rng.choice(list(self.files))
            self._change(self.files[path])
            text = "".join(self._lines(path))
            file = self.repository.folder / path
            if text:
                file.write_text(text)
            else:
                file.unlink(missing_ok=True)
            self.repository.commit(at)
            self.latest = max(latest, at)
            lines = [line.rstrip() for path in self.files for line in self._lines(path)]
            self.states.append((self.latest, sorted(lines)))

    def _change(self, values: dict[str, str]) -> None:
        for name in self.rng.sample("pqr", self.rng.randint(1, 2)):
            if name in values and self.rng.random() < 0.4:
                del values[name]
            else:
                values[name] = self.rng.choice("123") + self.rng.choice(["", "", " # one", " # two"])
        if self.rng.random() < 0.15:
            values.clear()

    def _lines(self, path: str) -> list[str]:
        mark = ": " if path == "a.yml" else "="
        return [f"{name}{mark}{value}\n" for name, value in self.files[path].items()]


@pytest.mark.parametrize("seed", range(8))
def test_random_histories_are_served_as_a_plain_model_says(repository: Repository, store: Any, seed: int) -> None:
    """At every date and now, one fact for each key; recorded in one go, or in two with the commits in between."""
    rng = random.Random(seed)
    story = _Story(repository, rng)
    for part in (20,) if seed % 2 else (8, 12):
        story.go_on(part)
        record_git_facts(store, repository.facts(), batch_size=rng.choice([1, 3, 256]))
    before = store.get(include_superseded=True)["ids"]
    record_git_facts(store, repository.facts())
    assert store.get(include_superseded=True)["ids"] == before
    assert served(store) == story.states[-1][1]
    for when in sorted({at for at, _ in story.states}):
        moment = when + timedelta(seconds=0.5)
        assert served(store, as_of=moment) == [state for at, state in story.states if at <= moment][-1]
    assert store.verify() == []


def test_a_file_that_turns_into_a_template_is_read_as_far_as_it_goes(repository: Repository) -> None:
    """A version or two may be broken; a file that stays so does not keep its last readable values for ever."""
    (repository.folder / "c.json").write_text('{"x": 1, "n": 1}\n')
    repository.commit()
    for n in range(2, 8):
        (repository.folder / "c.json").write_text(f'{{"x": {n}, "n": {{{{ n }}}}}}\n')
        repository.commit()
    assert ("x", "7") in {(name.rpartition(".")[2].split()[-1], value) for _, name, value in told(repository.facts())}


def test_an_integer_of_thousands_of_figures_is_no_fault(repository: Repository) -> None:
    (repository.folder / "a.py").write_text("A = 0x" + "f" * 5000 + "\nB = 1\n")
    repository.commit()
    assert [value for _, _, value in told(repository.facts())][-1] == "1"
