"""Facts from the history of small repositories."""

import logging
import subprocess
from pathlib import Path
from typing import Any

import pytest

from memstrata_integrations.errors import InvalidInputError, MissingDependencyError
from memstrata_integrations.extraction.sources import read_source
from memstrata_integrations.git.facts import git_facts

from .repositories import DAY, START, Repository, repository, told

__all__ = ["repository"]

COMPOSE = "services:\n  web:\n    image: nginx:1.24\n"
JOB = "  {}:\n    steps:\n      - uses: actions/checkout@{}\n"
STORIES: dict[str, tuple[list[dict[str, Any]], list[tuple[int, str, str | None]]]] = {
    "values appear, change, return and end; a comment or a new line elsewhere changes none": (
        [*({"requirements__txt": text} for text in ("a==1\nb==1\n", "# note\nb==1\na==2  # up\n", "a==1\n")),
         {"requirements__txt": None, "other__md": "a==7"}],
        [(0, "a", "1"), (0, "b", "1"), (1, "a", "2"), (2, "b", None), (2, "a", "1"), (3, "a", None)],
    ),
    "comments break no JSON, nor does a comma behind the last entry": (
        [{"tsconfig__json": '{\n  // "c"\n  "a": "//1",\n  "b": 1\n}\n'},
         {"tsconfig__json": '{\n  "a": "//2", // d\n}\n'}],
        [(0, "a", "//1"), (0, "b", "1"), (1, "b", None), (1, "a", "//2")],
    ),
    "a file that turns into a template is read as far as it goes: it keeps no readable values for ever": (
        [{"c__json": '{"x": 1, "n": 1}\n'}, *({"c__json": f'{{"x": {n}, "n": {{{{ n }}}}}}\n'} for n in range(2, 8))],
        [(0, "x", "1"), (0, "n", "1"), (4, "n", None), (4, "x", "5"), (5, "x", "6"), (6, "x", "7")],
    ),
    "an integer of thousands of figures is fine": ([{"a__py": "A = 0x" + "f" * 5000 + "\nB = 1\n"}], [(0, "B", "1")]),
    "a name that the file states in two ways ends: nobody can tell which one holds": (
        [{"__env": "A=1\n"}, {"__env": "A=1\nA=2\n"}, {"__env": "A=2\n"}],
        [(0, "A", "1"), (1, "A", None), (2, "A", "2")],
    ),
    "a commit that claims an earlier date counts as of the one before it": (
        [{"at": START + n * DAY, "__env": f"A={n}\n"} for n in (5, 2, 7)],
        [(5, "A", "5"), (5, "A", "2"), (7, "A", "7")],
    ),
    "another service, and another job, are other places: a second use ends neither": (
        [{"ci__yml": "jobs:\n" + JOB.format("lint", "v3"), "docker__yml": COMPOSE},
         {"ci__yml": "jobs:\n" + JOB.format("lint", "v3") + JOB.format("test", "v4"),
          "docker__yml": COMPOSE + "  api:\n    image: nginx:1.20\n"}],
        [(0, "jobs.lint.steps.[uses=actions/checkout].uses", "actions/checkout@v3"),
         (0, "services.web.image", "nginx:1.24"),
         (1, "jobs.test.steps.[uses=actions/checkout].uses", "actions/checkout@v4"),
         (1, "services.api.image", "nginx:1.20")],
    ),
    "what nobody can read any more, as Python 2, neither changes nor ends until it can be read again": (
        [{"a__py": f"A = {n}\n" + "\n\ndef f():\n    print 'x', A\n" * (1 < n < 8)} for n in range(1, 9)],
        [(0, "A", "1"), (7, "A", "8")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("story", STORIES)
def test_a_history_tells_these_facts(repository: Repository, story: str) -> None:
    commits, facts = STORIES[story]
    for commit in commits:
        repository.commit(**commit)
    assert told(repository.facts()) == facts


def test_each_text_alone_gives_the_key_of_the_whole_file(repository: Repository) -> None:
    """What is stored is a verbatim statement, and its metadata says what is needed to key it."""
    files = {
        "pyproject__toml": '[project]\nversion = "1"\ndependencies = [\n  "a>=1",  # c\n  "b==2"\n]\n'
        '[tool.x]\n"y z" = [\n 1\n]\n',
        "setup__cfg": "[options]\ninstall_requires =\n    a==1\n    b>=2\n[flake8]\nignore =\n    E1\n    E2\n",
        "setup__py": 'from setuptools import setup\nsetup(\n    version="1",\n    install_requires=["a==1", "b"]\n)\n',
        "package__json": '{\n\t"version": "1.0.0",\n\t"dependencies": {"a": "^1", "@b/c": "2"},\n\t"f": ["x"]\n}\n',
        "__github_S_ci__yml": "on: push\njobs:\n  a:\n    steps:\n      - uses: 'x/y@v1' # c\n"
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
    assert {name for _, name, _ in told(facts)} == {
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


def test_a_moved_file_ends_one_key_and_begins_another(repository: Repository) -> None:
    repository.commit(a__env="A=1\n")
    repository.commit(a__env=None, b_S_a__env="A=1\n")
    found = [(f.metadata["file_path"], f.ended, f.text, f.relation) for f in repository.facts()]
    assert found == [(*of, "A=1", "is") for of in (("a.env", False), ("a.env", True), ("b/a.env", False))]


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


def test_since_and_until_bound_the_history(repository: Repository) -> None:
    """What stood at the beginning comes with its own date, what had ended by then does not come."""
    for text in ("A=1\nB=1\n", "A=2\n", "A=3\nC=1\n", "A=4\n"):
        repository.commit(__env=text)
    third = START + 2 * DAY
    assert told(repository.facts(since=third, until=third)) == [(1, "A", "2"), (2, "A", "3"), (2, "C", "1")]
    assert told(repository.facts(since=START + 90 * DAY)) == [(3, "A", "4")]


def test_paths_are_names_or_patterns(repository: Repository) -> None:
    """A star stays within a folder, two cross folders; vendored folders count only if they are asked for."""
    repository.commit(a__env="A=1", b_S_a__env="A=1", b_S_c_S_a__env="A=1", node_modules_S_a__env="A=1", b_S_n__md="x")

    def paths(*given: Any) -> list[str]:
        return sorted({f.metadata["file_path"] for f in repository.facts(*given)})

    assert paths() == ["a.env", "b/a.env", "b/c/a.env"]
    assert (paths("a.env"), paths(["b/*", "*.md"])) == (["a.env"], ["b/a.env"])
    assert paths(["**/a.env"]) == ["a.env", "b/a.env", "b/c/a.env", "node_modules/a.env"]
    with pytest.raises(InvalidInputError, match="paths is empty"):
        paths([])


def test_paths_may_be_absolute_or_begin_with_slash_or_dot(repository: Repository, tmp_path: Path, caplog: Any) -> None:
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
    repository.commit(requirements__txt="a==1\n", b_S_requirements__txt="a==1\n", notes__md="x")
    repository.commit(requirements__txt=None, late__env="A=1\n")
    with caplog.at_level(logging.WARNING, "memstrata_integrations"):
        assert len(repository.facts(["requirements.txt", "b/*", "*.env"])) == 4
        assert caplog.messages == []
        assert told(repository.facts("requirement.txt")) == []
        assert told(repository.facts(["notes.md", "*.yml"])) == []
        assert told(repository.facts("late.env", until=START)) == []
    said = (
        "'requirement.txt' names no file", "'notes.md' is of no kind that is read", "'*.yml' names no file",
        "until then",
    )  # fmt: skip
    assert [s for s, message in zip(said, caplog.messages, strict=True) if s not in message] == []
    assert "'requirements.txt'" in caplog.messages[0]


def test_odd_names_and_contents_are_read(repository: Repository) -> None:
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


def test_a_bare_clone_says_the_same_and_variables_of_git_play_no_part(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit(__env="A=1\n")
    repository.commit(__env="A=2\n")
    bare = tmp_path / "bare.git"
    repository.git("clone", "-q", "--bare", str(repository.folder), str(bare))
    subprocess.run(["git", "-C", str(bare), "config", "remote.origin.url", "https://u:pw@h.org/s.git"], check=True)
    found = list(git_facts(bare))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))  # a hook of another repository may call
    assert told(found) == told(repository.facts())
    assert {f.metadata["source"] for f in found} == {"https://h.org/s.git"}
    assert {f.metadata["source"] for f in repository.facts()} == {"shop"}
    assert {f.metadata["source"] for f in repository.facts(source="mine")} == {"mine"}


def test_a_shallow_clone_warns(repository: Repository, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    repository.commit(__env="A=1\n")
    repository.commit(b__env="B=1\n")
    shallow = tmp_path / "shallow"
    repository.git("clone", "-q", "--depth=1", repository.folder.as_uri(), str(shallow))
    with caplog.at_level(logging.WARNING, "memstrata_integrations"):
        found = list(git_facts(shallow))
    assert told(found) == [(1, "A", "1"), (1, "B", "1")]
    assert "shallow" in caplog.text


def test_what_is_wrong_is_said_at_once(repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidInputError, match=r"is no git repository .*cannot change to"):
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


def test_an_iteration_that_is_given_up_leaves_no_process(repository: Repository) -> None:
    for n in range(30):
        repository.commit(__env=f"A={n}\n")
    facts = git_facts(repository.folder)
    next(facts)
    facts.close()  # type: ignore[attr-defined]
    assert next(facts, None) is None


_CONFLICT = "<<<<<<< HEAD\n{}=======\n{}>>>>>>> side\n"


@pytest.mark.parametrize(("path", "versions"), [
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
])  # fmt: skip
def test_an_unreadable_version_ends_nothing(repository: Repository, caplog: Any, path: str, versions: Any) -> None:
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
    for text in versions[1:]:
        (repository.folder / path).write_text(text)
        repository.commit()
    assert sorted((day, value) for day, _, value in told(repository.facts()) if day > 4) == [(5, "1"), (5, "3")]
