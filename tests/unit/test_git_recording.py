"""Facts of git in a store: at each date it serves what stood then, also of commits of one instant."""

import logging
import random
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from memstrata_integrations import default_embeddings
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.extraction import GrammarExtractor
from memstrata_integrations.git.facts import record_git_facts

from .repositories import DAY, START, Repository, repository

__all__ = ["repository"]


@pytest.mark.parametrize("line_break", ["\n", ""])
@pytest.mark.parametrize(("path", "above", "before", "after"), [
    (".env", "", "API_URL=http://a/v1", "API_URL=http://a/v2/"), (".env", "", "KEY=c2VjcmV0Cg==", "KEY=b3RoZXI="),
    (".env", "B=1\n", "HOSTS=*", "HOSTS=a.b."), (".env", "", "export A=a:", "export A=b,"),
    ("requirements.txt", "q==1\n", "pytest==5.*", "pytest==6.*"),
    ("requirements.txt", "", "p>=1,!=2.*", "p>=1,!=3.*"), (".python-version", "", "3.", "3.1+"),
    ("a.yml", "b: 1\n", "a: x/", "a: y/"), ("a.ini", "[s]\n", "a = x/", "a = y="),
    ("Dockerfile", "FROM a:1\n", "ENV P=/x/", "ENV P=/y/"), ("Dockerfile", "", "FROM a:1", "FROM a:2."),
])  # fmt: skip
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
    monkeypatch.setattr("memstrata_integrations.chroma.finding.rows_and_metadata", None)
    record_git_facts(store, facts)
    assert served(store) == sorted(["b = 1", "b = 1", "b: 1", "b=1", "B = 1"])


def test_two_repositories_share_a_store(tmp_path: Path, store: Any) -> None:
    one, two = Repository(tmp_path / "one"), Repository(tmp_path / "two")
    one.commit(__env="A=1\n")
    two.commit(__env="A=2\n")
    two.commit(__env="B=1\n")
    summary = record_git_facts(store, [*one.facts(), *two.facts()])
    assert (summary.asserted, summary.ended) == (3, 1)
    assert served(store) == ["A=1", "B=1"]


def test_a_scope_is_stored_with_every_text(repository: Repository) -> None:
    client = pytest.importorskip("chromadb").EphemeralClient()
    collection = pytest.importorskip("memstrata_integrations.chroma.collection").TemporalCollection
    raw = client.create_collection("git-facts-scope", embedding_function=None)
    lexical = default_embeddings(prefer="lexical")
    wrapped = collection(raw, embedding_function=lexical, extractor=GrammarExtractor(), scope=("team",))
    repository.commit(__env="A=1\nB=2\n")
    repository.commit(__env="B=2\n")
    record_git_facts(wrapped, repository.facts(), scope={"team": "x"})
    assert wrapped.get(where={"team": "x"})["documents"] == ["B=2"]
    client.delete_collection("git-facts-scope")


@pytest.mark.parametrize(("options", "said"), [({}, "takes no dated texts"), ({"batch_size": 0}, "batch_size=0")])
def test_a_store_without_time_is_refused(options: dict[str, int], said: str) -> None:
    with pytest.raises(InvalidInputError, match=said):
        record_git_facts(object(), iter([]), **options)


MAY, JUNE = datetime(2024, 5, 1, tzinfo=timezone.utc), datetime(2024, 6, 1, tzinfo=timezone.utc)
MICROSECOND = timedelta(microseconds=1)


def test_the_time_of_a_commit_does_not_depend_on_what_is_read(repository: Repository) -> None:
    repository.commit(MAY, a__yml="p: 1\n")
    repository.commit(MAY, b__yml="q: 1\n")
    repository.commit(MAY, a__yml="p: 2\n")
    whole = repository.facts()
    assert [f.valid_from - MAY for f in whole] == [n * MICROSECOND for n in range(3)]
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


def random_history(repository: Repository, rng: random.Random) -> Iterator[tuple[datetime, list[str]]]:
    """Commit with ties and backward dates, and yield from when on which lines stand, by the plainest of models."""
    files: dict[str, dict[str, str]] = {"a__yml": {}, "c__env": {}}
    latest = START
    while True:
        at = rng.choice([latest, latest, latest - 3 * DAY, latest + DAY])
        path = rng.choice(list(files))
        values = files[path]
        for name in rng.sample("pqr", rng.randint(1, 2)):
            if name in values and rng.random() < 0.4:
                del values[name]
            else:
                values[name] = rng.choice("123") + rng.choice(["", "", " # one", " # two"])
        if rng.random() < 0.15:
            values.clear()
        marks = {"a__yml": ": ", "c__env": "="}
        lines = {p: [f"{name}{marks[p]}{value}" for name, value in held.items()] for p, held in files.items()}
        repository.commit(at, **{path: "".join(f"{line}\n" for line in lines[path]) or None})
        latest = max(latest, at)
        yield latest, sorted(line for held in lines.values() for line in held)


@pytest.mark.parametrize("seed", range(8))
def test_random_histories_are_served_as_a_plain_model_says(repository: Repository, store: Any, seed: int) -> None:
    """At every date and now, one fact for each key; recorded in one go, or in two with the commits in between."""
    rng = random.Random(seed)
    history = random_history(repository, rng)
    states: list[tuple[datetime, list[str]]] = []
    for part in (20,) if seed % 2 else (8, 12):
        states += islice(history, part)
        record_git_facts(store, repository.facts(), batch_size=rng.choice([1, 3, 256]))
    before = store.get(include_superseded=True)["ids"]
    record_git_facts(store, repository.facts())
    assert store.get(include_superseded=True)["ids"] == before
    assert served(store) == states[-1][1]
    for when, _ in states:
        moment = when + timedelta(seconds=0.5)
        assert served(store, as_of=moment) == [state for at, state in states if at <= moment][-1]
    assert store.verify() == []
