"""What a user calls a fact, and the key under which it is held."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from memstrata_integrations import GrammarExtractor
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.ledger.facts import Extraction


class Nameless:
    """The grammar, without its way to name facts."""

    def __init__(self) -> None:
        self._grammar = GrammarExtractor()

    def extract(self, texts: Sequence[str], metadatas: Any = None) -> list[Extraction]:
        """Return what each text states."""
        return self._grammar.extract(texts, metadatas)


def write(raw: Any, *texts: str, extractor: Any = "grammar", **columns: Any) -> TemporalCollection:
    """Write texts in order, one a month of 2024."""
    store = TemporalCollection(raw, extractor=extractor)
    for n, text in enumerate(texts):
        store.add(
            ids=[f"t{n}"],
            documents=[text],
            embeddings=[[1.0, n / 10]],
            valid_from=f"2024-{n + 1:02}-01",
            **{name: [value] for name, value in columns.items()},
        )
    return store


EMPLOYERS = ("Alice works for Acme.", "Alice's employer is Initech.")


@pytest.mark.parametrize(
    "named", [("Alice",), ("Alice's employer",), ("the employer of Alice",), ("Alice", "works for")]
)
def test_a_fact_is_found_under_all_its_names(raw: Any, named: tuple[str, ...]) -> None:
    """`history` finds a fact by the noun that a sentence may put for its verb."""
    assert write(raw, *EMPLOYERS).history(*named).values == ["Acme", "Initech"]


def test_the_noun_with_is_names_the_verb(raw: Any) -> None:
    """A relation that the sentence folded into a verb is found as it was said, and others are not."""
    store = write(raw, *EMPLOYERS)
    assert store.history("Alice's employer", "is").values == ["Acme", "Initech"]
    assert store.history("Alice's employer", "listens on").values == []


def test_a_noun_does_not_find_other_facts_of_the_subject(raw: Any) -> None:
    """Who asks for the employer is not told the address."""
    store = write(raw, "Alice lives in Oslo.", "Alice works for Acme.")
    assert store.history("Alice's employer").values == ["Acme"]


@pytest.mark.parametrize("subject", ["billing API port", "port of the billing API", "the billing API's port"])
def test_the_order_of_a_name_does_not_matter(raw: Any, subject: str) -> None:
    """A subject with its noun is found in each order that people say it in."""
    store = write(raw, "The port of the billing API is 80.", "The port of the billing API is 90.")
    assert store.history(subject).values == ["80", "90"]


FILES = [
    ("requirements.txt", "numpy>=1 ; python_version>='3.9'\nuvicorn[standard]==0.2\n", "numpy", ">=1"),
    ("requirements.txt", "numpy>=1 ; python_version>='3.9'\nuvicorn[standard]==0.2\n", "uvicorn", "0.2"),
    ("requirements.txt", "numpy>=1 ; python_version>='3.9'\nuvicorn[standard]==0.2\n", "uvicorn[standard]", "0.2"),
    ("b/requirements.txt", "requests==1\nflask==2\n", "requirements.txt requests", "1"),
    ("b/requirements.txt", "requests==1\nflask==2\n", "requests in b/requirements.txt", "1"),
    ("b/requirements.txt", "requests==1\nflask==2\n", "b/requirements.txt#requests", "1"),
    ("a.yaml", "service:\n  port: 80\nadmin:\n  port: 81\n", "service port", "80"),
    ("a.yaml", "service:\n  port: 80\nadmin:\n  port: 81\n", "port of the service", "80"),
    ("c.yml", "services:\n  web:\n    image: nginx:1.24\n  api:\n    image: redis:7\n", "api image", "redis:7"),
    ("c.yml", "image: nginx:1.24", "nginx", "1.24"),
]


@pytest.mark.parametrize(("path", "text", "said", "value"), FILES)
def test_a_fact_of_a_file_is_found_by_name_path_and_section(
    raw: Any, path: str, text: str, said: str, value: str
) -> None:
    """Also if an extra or a marker belongs to its key, or words of its path are said beside the name."""
    assert write(raw, text, metadatas={"source": path}).history(said).values == [value]


def test_a_fact_of_a_file_is_retracted_under_its_key(raw: Any) -> None:
    """The key that a history shows is enough; words of it are not."""
    store = write(raw, "requests==1\nflask==2\n", metadatas={"source": "b/requirements.txt"})
    with pytest.raises(InvalidInputError, match="requests"):
        store.retract("requirements.txt requests")
    assert store.retract("b/requirements.txt#requests")
    assert store.get()["documents"] == ["flask==2\n"]


def test_a_section_says_which_of_several_facts_is_meant(raw: Any) -> None:
    """What names a part of a source narrows a retraction, with or without the source beside it."""
    store = TemporalCollection(raw)
    for n, section in enumerate(("east", "west", "north")):
        place = {"source": "page", "section": section}
        store.add(ids=[f"t{n}"], documents=["The manager is Ann."], embeddings=[[1.0, 0.0]], metadatas=[place])
    assert len(store.retract("the manager", scope={"source": "page", "section": "west"})) == 1
    assert len(store.retract("the manager", scope={"section": "north"})) == 1
    assert [m["section"] for m in store.get()["metadatas"]] == ["east"]
    with pytest.raises(InvalidInputError, match="separates no facts"):
        store.retract("the manager", scope={"colour": "red"})


def test_a_fact_is_retracted_under_its_noun(raw: Any) -> None:
    """`retract` closes what the noun names, and nothing else."""
    store = write(raw, "Alice lives in Oslo.", *EMPLOYERS)
    assert [c.old for c in store.retract("Alice's employer")] == ["Initech"]
    assert store.get()["documents"] == ["Alice lives in Oslo."]


def test_an_alias_names_the_subject(raw: Any) -> None:
    """A subject is found by another name that its extractor knows."""
    extractor = GrammarExtractor(aliases={"k8s": "kubernetes"})
    store = write(raw, "Kubernetes listens on port 6443.", extractor=extractor)
    assert store.history("k8s").values == store.history("Kubernetes").values == ["6443"]
    assert len(store.retract("k8s", "listens on")) == 1


def test_a_name_said_with_fewer_words_is_found_by_its_noun(raw: Any) -> None:
    """Where no subject is exactly this, `history` takes those that hold its words, under the relation of the noun."""
    store = write(raw, "Alice Smith lives in Oslo.", "Alice Smith works for Acme.")
    assert store.history("Alice's employer").values == ["Acme"]


def test_a_fact_confined_to_its_source_is_found_by_its_noun(raw: Any) -> None:
    """A fact whose subject names no entity is found in its source, by its noun."""
    store = write(raw, "I work for Acme.", metadatas={"source": "chat"})
    assert store.history("my employer").values == store.history("I").values == ["Acme"]


def test_a_chain_names_facts_as_its_members_do(raw: Any) -> None:
    """Behind the grammar in a chain, a fact is found under all its names too."""
    store = write(raw, *EMPLOYERS, extractor=GrammarExtractor() | Nameless())
    assert store.history("Alice's employer").values == ["Acme", "Initech"]


def test_an_extractor_without_a_vocabulary_has_the_built_in_one(raw: Any) -> None:
    """A fact is found under all its names, whoever read it."""
    store = write(raw, *EMPLOYERS, extractor=Nameless())
    assert store.history("Alice", "works for").values == ["Acme", "Initech"]
    assert store.history("Alice's employer").values == ["Acme", "Initech"]


def test_retracting_an_unknown_name_tells_the_near_ones(raw: Any) -> None:
    """`retract` closes nothing under a name that is not exactly a fact's, and says which names there are."""
    store = write(raw, "The timeout of the billing API is 30 seconds.")
    with pytest.raises(InvalidInputError, match="'timeout of the billing API'"):
        store.retract("billing")
    assert store.count() == 1


def test_a_history_of_several_facts_prints_one_table_for_each(raw: Any) -> None:
    """Values of two facts never stand in one column."""
    store = write(raw, "The timeout of the billing API is 30 seconds.", "The billing API listens on port 8080.")
    tables = repr(store.history("billing")).split("\n\n")
    assert len(tables) == 2
    assert sorted(("30 seconds" in t, "8080" in t) for t in tables) == [(False, True), (True, False)]


@pytest.mark.parametrize(
    ("name", "statement"),
    [
        ("Alice's phone number", "Alice's phone number is 555 1234."),
        ("Alice's address", "Alice lives at 5 Elm Street."),
        ("the rate limit of the API", "The API has a rate limit of 100 requests per minute."),
        ("the backup interval of db-1", "The backup interval of db-1 is 5 minutes."),
    ],
)
def test_an_attribute_is_found_by_its_name_in_a_sentence(raw: Any, name: str, statement: str) -> None:
    """What "NAME is VALUE" would be held under for some kind of value is what the name finds."""
    assert write(raw, statement).history(name).values


def test_a_name_finds_no_other_fact(raw: Any) -> None:
    store = write(raw, "Alice's phone number is 555 1234.", "Alice lives at 5 Elm Street.")
    assert store.history("Alice's phone number").values == ["555 1234"]
